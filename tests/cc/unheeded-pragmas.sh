# SPDX-License-Identifier: Apache-2.0
# #pragma unroll of no loop, or by -1, goes with a warning, and no other does.
cat > good.cu <<'C'
#define DO(x) x
template <int n> __global__ void f(int *v)
{
#pragma unroll n
    for (int i = 0; i < 4; i++)
        v[i] = i;
#  pragma  unroll
    // comment
#pragma unroll 2
    /*
#pragma unroll
    */
    v[4] = 1;
#ifndef HOST
#pragma unroll \
    8
#endif
    v[5] = 1;
#pragma unroll
    DO(v[6] = 1);
}
void launch() { f<-1><<<1, 1>>>(nullptr); }
C
$weftcc -c good.cu
echo "status $?"
# What clang refuses has another cause here.
cat > bad.cu <<'C'
#define UNROLL _Pragma("unroll")
__global__ void f(int *v)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] = i;
    UNROLL
    v[5] = 1;
}
C
cat > loop.cu <<'C'
__global__ void f(int *v)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] = i;
#pragma clang loop vectorize_width(0)
    for (int i = 0; i < 4; i++)
        v[i] += i;
}
C
for file in bad loop; do
    $weftcc -c $file.cu 2>&1 | grep -E "warning|error:"
done
exit 0
