# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# Device functions, variables, statics and managed variables of several files;
# linked by weftcc, by g++ after -dlink, out of archives, out of `ld -r`.
cat > a.cu <<'C'
#include <cstdio>
extern __device__ int counter;
extern __constant__ float factor[2];
extern __managed__ int seen;
__device__ int twice(int x);
static __device__ int mine = 3;
static __global__ void k(int *p)
{
    *p = twice(4) + counter + mine;
    seen += (int)(factor[0] + factor[1]);
}
namespace {
__global__ void hidden(int *p) { *p += 1000; }
}
int of_library(int);
int main()
{
    int *d, h = 0, x = 5;
    cudaMalloc(&d, 4);
    cudaMemcpyToSymbol(mine, &x, 4);
    cudaMemcpyToSymbol(counter, &x, 4);
    seen = 40;
    k<<<1, 1>>>(d);
    hidden<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDefault);
    std::printf("%d %d %d %s\n", h, seen, of_library(1),
                cudaGetErrorString(cudaGetLastError()));
}
C
cat > b.cu <<'C'
__device__ int counter = 30;
__constant__ float factor[2] = {1.5f, 0.5f};
__managed__ int seen;
static __device__ int mine = 100;
__device__ int (*const step)(int) = nullptr;
__device__ int twice(int x) { return 2 * x + mine; }
namespace {
__global__ void hidden(int *p) { *p += 2000; }
}
__device__ int of_device(int x);
__global__ void library(int *p) { *p = of_device(*p); }
int of_library(int x)
{
    int *d;
    cudaMalloc(&d, 4);
    cudaMemcpy(d, &x, 4, cudaMemcpyDefault);
    library<<<1, 1>>>(d);
    hidden<<<1, 1>>>(d);
    cudaMemcpy(&x, d, 4, cudaMemcpyDefault);
    return x;
}
C
mkdir sub # the same name: not the same file
cat > sub/b.cu <<'C'
static __device__ int mine = 7;
__device__ int of_device(int x) { return x + mine; }
C
(cd sub && $weftcc -dc b.cu) && $weftcc -dc a.cu && $weftcc -dc b.cu
$weftcc a.o b.o sub/b.o -o whole && ./whole
$weftcc -rdc=true a.cu b.cu sub/b.cu -o at-once && ./at-once
$weftcc -dlink a.o b.o sub/b.o -o linked.o
g++ $sanitizers a.o b.o sub/b.o linked.o -L$build/lib -lcudart -Wl,-rpath,$build/lib -o plain && ./plain
$weftcc a.o b.o sub/b.o linked.o -o again && ./again
cp sub/b.o c.o && $weftcc -lib b.o c.o -o libparts.a
$weftcc a.o -L. -lparts -o archive && ./archive
ld -r b.o sub/b.o -o joined.o && $weftcc a.o joined.o -o relocated && ./relocated
$weftcc -dlink -cubin a.o b.o sub/b.o -o linked.cubin && od -A n -t x4 -N 4 linked.cubin
$weftcc -dlink -fatbin $here/hello.cu -o none.fatbin
echo "status $?"
