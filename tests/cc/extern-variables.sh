# SPDX-License-Identifier: Apache-2.0
# A variable of the device that is only declared extern is a static one of its
# file without -rdc=true, for host code too; another file's is another variable.
cat > v.h <<'C'
#include <cstdio>
extern __constant__ float four[4];
extern "C" __device__ int plain;
namespace n {
extern __device__ int inner, other[2];
}
C
cat > a.cu <<'C'
#include "v.h"
extern __managed__ int managed;
extern __device__ int only_host;
extern __device__ int later;
__device__ int later = 5;
extern __constant__ float four[4]; // again: extern __device__ int also;
__global__ void k(int *p)
{
    *p = (int)four[2] + 10 * plain + 100 * n::inner + 1000 * n::other[1] +
         10000 * later;
    managed += 4;
}
void other_file();
int main()
{
    int *p, one = 1, two[2] = {0, 2}, nine = 9, read = 0;
    float f[4] = {0, 0, 3, 0};
    cudaMallocManaged(&p, 4);
    cudaMemcpyToSymbol(four, f, sizeof f);
    cudaMemcpyToSymbol(plain, &one, 4);
    cudaMemcpyToSymbol(n::inner, &one, 4);
    cudaMemcpyToSymbol(n::other, two, 8);
    cudaMemcpyToSymbol(only_host, &nine, 4);
    cudaMemcpyFromSymbol(&read, only_host, 4);
    managed = 2;
    k<<<1, 1>>>(p);
    int status = cudaDeviceSynchronize();
    std::printf("%d %d %d %d\n", status, *p, managed, read);
    other_file();
}
C
cat > b.cu <<'C'
#include "v.h"
__device__ int plain = 7;
void other_file()
{
    int read = 0;
    int status = cudaMemcpyFromSymbol(&read, plain, 4);
    std::printf("%d %d\n", status, read);
}
C
$weftcc -c a.cu 2>&1 | sed 's/;.*//' | sort
$weftcc -c b.cu
$weftcc a.o b.o -o v && ./v
# With -rdc=true it is the other file's.
cat > c.cu <<'C'
#include <cstdio>
extern __device__ int plain;
extern __constant__ float four[4];
int main()
{
    int read = 0;
    float f[4];
    cudaMemcpyFromSymbol(&read, plain, 4);
    cudaMemcpyFromSymbol(f, four, sizeof f);
    std::printf("%d %g\n", read, f[3]);
}
C
cat > d.cu <<'C'
__device__ int plain = 7;
__constant__ float four[4] = {1, 2, 3, 4};
C
$weftcc -rdc=true c.cu d.cu -o r && ./r
