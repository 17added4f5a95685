# SPDX-License-Identifier: Apache-2.0
# Of an error in the user's code, the user's lines are shown and not the forty
# overloads of a header; where nvcc differs, a note says so, once.
cat > e.cu <<'C'
struct S {};
int helper(int x) { return x; }
__global__ void k(float *p)
{
    S s;
    *p = min(s, s);
    atomicAdd(p, s);
    asm("mov.u32 %0, %laneid;" : "=r"(p[0]));
    int a[] = {p[1]};
    *p = helper(a[0]) + helper(1);
}
__device__ S *made = new S;
int main()
{
    k<<<>>>(0);
}
C
printf '#include <cstdio>\n#include <cudss.h>\ncudssHandle_t h;\n' > lib.cu
for file in e.cu lib.cu; do
    $weftcc -c $file 2>&1 | sed "s@/[^ ]*/@@"
done
