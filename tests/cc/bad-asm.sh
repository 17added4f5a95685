# SPDX-License-Identifier: Apache-2.0
# What an asm statement says is checked by the compiler, for the newest
# architecture that is asked for.
cat > bad.cu <<'C'
__global__ void k(int *p)
{
    asm volatile("add.s33 %0, %0, 1;" : "+r"(*p));
}
C
$weftcc -c bad.cu
echo "status $?"
ls bad.o 2>/dev/null
echo '__global__ void k(int *p) { *p = __dp4a(*p, 1, 2); }' > dot.cu
$weftcc -arch=sm_60 -c dot.cu 2>&1 | grep -o 'error: .*'
$weftcc -arch=sm_61 -c dot.cu && ls dot.o
# An operand that is not there is no error where nobody instantiates the branch.
cat > none.cu <<'C'
#include <cstdio>
template <int A> __device__ void put(int *p, int x)
{
    if constexpr (A == 0)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(x));
    else
        asm volatile("st.global.v2.u32 [%0], {%8, %9};" ::"l"(p), "r"(x));
}
__global__ void k(int *p) { put<CASE>(p, 3); }
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    k<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    printf("%d\n", *p);
}
C
$weftcc -std=c++17 -DCASE=0 none.cu -o none && ./none
$weftcc -std=c++17 -DCASE=1 none.cu -o never 2>&1 | grep -o 'error: .*'
