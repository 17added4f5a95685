# SPDX-License-Identifier: Apache-2.0
# -Xcompiler -fopenmp reaches both passes and the link.
cat > omp.cu <<'C'
#include <cstdio>
#include <omp.h>
__global__ void k() {}
#ifndef _OPENMP
#error no OpenMP
#endif
int main()
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    std::printf("%d\n", sum);
}
C
$weftcc -Xcompiler -fopenmp omp.cu -o omp && ./omp
