# SPDX-License-Identifier: Apache-2.0
# Device code that is nowhere defined is named when compiling.
cat > u.cu <<'C'
__device__ int elsewhere(int);
__global__ void k(int *p) { *p = elsewhere(1); }
C
$weftcc -c u.cu
echo "status $?"
$weftcc -rdc=true u.cu
echo "status $?"
ls
# A variable that is only declared is one of this file's own, and zero.
cat > v.cu <<'C'
#include <cstdio>
extern __device__ int there, also, none[];
extern __constant__ int four[4];
__device__ int also = 5;
__global__ void k(int *p)
{
    *p = 1000 * ++there + 100 * also + four[3];
#ifdef NO_SIZE
    *p = none[1];
#endif
}
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    k<<<1, 1>>>(p);
    k<<<1, 1>>>(p);
    std::printf("%d %d\n", cudaDeviceSynchronize(), *p);
}
C
$weftcc v.cu -o v && ./v
$weftcc -DNO_SIZE v.cu -o v
echo "status $?"
