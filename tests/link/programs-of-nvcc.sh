# SPDX-License-Identifier: Apache-2.0
# What NVIDIA's compiler built runs: fat binaries in every packing, several
# devices in one, device code linked from two files, calls of CUDA 13's
# library. Skipped where there is no nvcc.
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
"$nvcc" --version 2>&1 | grep -q NVIDIA ||
    { echo "there is no nvcc of NVIDIA's"; exit 77; }
export LD_LIBRARY_PATH=$build/lib
older="-gencode arch=compute_75,code=compute_75"
newer="-gencode arch=compute_100,code=compute_100"
exact="-gencode arch=compute_90a,code=compute_90a"
status=0

expect() { # WANTED COMMAND...: what is printed matches
    local wanted=$1 found
    shift
    found=$(timeout 60 "$@" 2>&1)
    [[ $found == $wanted ]] || {
        printf '%s\nprints:   %s\nexpected: %s\n' "$*" "$found" "$wanted"
        status=1
    }
}

cat >one.cu <<'C'
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
__device__ int counter;
__constant__ int factor = 3;
__managed__ int seen = 1;
__global__ void k(int *p)
{
    p[threadIdx.x] = threadIdx.x * factor;
    atomicAdd(&counter, 1);
    if (threadIdx.x == 0)
        seen += 41;
}
int main()
{
    int *p, n, five = 5, h[32] = {};
    cudaDeviceProp prop;
    if (pid_t child = fork()) { /* no call was made before main */
        waitpid(child, &n, 0);
        return n != 0;
    }
    cudaMalloc(&p, sizeof h);
    cudaMemcpyToSymbol(factor, &five, sizeof five);
    k<<<1, 32>>>(p);
    cudaError_t err = cudaDeviceSynchronize();
    if (!err)
        err = cudaGetLastError();
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&n, counter, sizeof n);
    cudaGetDeviceProperties(&prop, 0);
    if (err)
        printf("error %d\n", err);
    else
        printf("%d %d %d warp %d x %d\n", h[31], n, seen, prop.warpSize,
               prop.maxThreadsPerBlock);
}
C
cat >a.cu <<'C'
#include <cstdio>
extern __device__ int total;
extern __device__ int twice(int);
static __device__ int mine = 7;
__global__ void k(int *p) { p[threadIdx.x] = twice(threadIdx.x) + mine; atomicAdd(&total, 1); }
void other(int *);
int main()
{
    int *p, n, h[32] = {};
    cudaMalloc(&p, sizeof h);
    k<<<1, 32>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    other(p);
    cudaMemcpyFromSymbol(&n, total, sizeof n);
    printf("%d %d\n", h[31], n);
}
C
cat >b.cu <<'C'
__device__ int total;
static __device__ int mine = 100;
__device__ int twice(int x) { return 2 * x + mine; }
__global__ void k2(int *p) { p[threadIdx.x] = mine; atomicAdd(&total, 1); }
void other(int *p) { k2<<<1, 32>>>(p); }
C
build_with() { "$nvcc" -cudart shared "$@" || status=1; }

build_with $older $newer $exact one.cu -o one
build_with -gencode arch=compute_100,code=[compute_100,sm_100] one.cu -o newer
build_with -rdc=true $older a.cu b.cu -o two
expect "155 32 42 warp 32 x 1024" ./one
expect "*no PTX for sm_90*PTX for sm_100*-gencode arch=compute_90,code=compute_90*error 209" ./newer
expect "169 64" ./two
for mode in none speed; do # zstd is what the others have
    build_with -fatbin $older $exact -compress-mode=$mode b.cu -o x.fatbin
    expect "*.target sm_90a*.visible .entry _Z2k2Pi*" "$weft" dump --ptx x.fatbin
done
exit $status
