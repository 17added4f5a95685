# SPDX-License-Identifier: Apache-2.0
# Structures of some size are copied, and arrays cleared, by words.
cat > copies.cu <<'END'
struct Pose {
    float f[18];
};
__global__ void copy(Pose *out, const Pose *in)
{
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void count(int *out, const int *in, int n)
{
    int table[30] = {0};
    for (int i = 0; i < n; i++)
        table[in[i]]++;
    for (int i = 0; i < 30; i++)
        out[i] = table[i];
}
END
$weftcc -ptx copies.cu -o copies.ptx
grep -E '(ld|st)\.(global|local).*b8' copies.ptx || echo "no bytes"
