# SPDX-License-Identifier: Apache-2.0
# A definition that says nothing, of a function that was declared __device__, is
# there for kernels of other files; so is a member. Headers of the host's
# library are not touched.
cat > main.cu <<'C'
#include <cstdio>
__device__ int helper(int x);
__device__ int table(int);
struct scale { __device__ int of(int); int by; };
__global__ void k(int *out)
{
    scale s;
    s.by = 3;
    *out = helper(4) + table(5) + s.of(2);
}
int main()
{
    int *d, h = 0;
    cudaMalloc(&d, 4);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h);
}
C
mkdir inc
cat > inc/helper.h <<'C'
__device__ int
    helper(int x);
struct scale { __device__ int of(int); int by; };
C
cat > helper.cu <<'C'
#include <algorithm>
#include <complex>
#include <iostream>
#include <vector>
#include "helper.h"
__device__ int table(int);
int helper(int x) { return x * 10; }
int table(int x) { return x + 1000; }
int scale::of(int x) { return by * x; }
C
$weftcc -rdc=true -c main.cu
$weftcc -rdc=true -Iinc -c helper.cu --keep --keep-dir .
ls *.mended
$weftcc -rdc=true main.o helper.o -o main && ./main
