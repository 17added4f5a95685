# SPDX-License-Identifier: Apache-2.0
# __device__ const variables that another file defines: clang writes the
# definition in .const and the declaration in .global.
cat > a.cu <<'C'
#include <cstdio>
struct entry { int kind; float scale; };
extern __device__ const int table[];
extern __device__ const entry one;
typedef int (*fn)(int);
extern __device__ const fn functions[2];
__device__ int read(int i);
__global__ void k(int *out)
{
    int i = threadIdx.x;
    out[i] = 100 * table[i] + 10 * functions[i & 1](i) + read(i) +
             one.kind + (int)one.scale;
}
int main()
{
    int *out;
    cudaMallocManaged(&out, 16);
    k<<<1, 4>>>(out);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
}
C
cat > b.cu <<'C'
struct entry { int kind; float scale; };
typedef int (*fn)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int next(int x) { return x + 1; }
extern __device__ const int table[];
extern __device__ const entry one;
extern __device__ const fn functions[2];
__device__ const int table[] = {1, 2, 3, 4};
__device__ const entry one = {5, 2.5f};
__device__ const fn functions[2] = {twice, next};
__device__ int read(int i) { return table[3 - i] + functions[0](i); }
C
for order in "a.cu b.cu" "b.cu a.cu"; do
    $weftcc -rdc=true $order -o program && ./program
    WEFT_ENGINE=emu ./program
done
