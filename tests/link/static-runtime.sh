# SPDX-License-Identifier: Apache-2.0
# What nvcc builds when nobody tells it anything: NVIDIA's runtime is inside the
# program and talks to the driver alone. Skipped where there is no nvcc.
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
"$nvcc" --version 2>&1 | grep -q NVIDIA ||
    { echo "there is no nvcc of NVIDIA's"; exit 77; }
status=0

expect() { # WANTED COMMAND...: what is printed matches
    local wanted=$1 found
    shift
    # Where a kernel failed is said on standard error, too.
    found=$(timeout 60 "$@" 2>&1 | grep -v '^weft: kernel ')
    [[ $found == $wanted ]] || {
        printf '%s\nprints:   %s\nexpected: %s\n' "$*" "$found" "$wanted"
        status=1
    }
}

cat >many.cu <<'C'
#include <cooperative_groups.h>
#include <cstdio>
#include <thread>
#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t err_ = (call);                                             \
        if (err_) {                                                            \
            printf("%s: %s\n", #call, cudaGetErrorName(err_));                 \
            return 1;                                                          \
        }                                                                      \
    } while (0)
__device__ int counter;
__constant__ int factor = 3;
__managed__ int seen = 1;
__global__ void scale(int *p, int n)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = p[threadIdx.x] * factor + n;
    __syncthreads();
    p[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
    atomicAdd(&counter, 1);
    if (threadIdx.x == 0)
        seen += 41;
}
template <class T> __global__ void greet(T x) { printf("thread %d of %g\n", threadIdx.x, (double)x); }
__global__ void meet(int *sum, int *out)
{
    atomicAdd(sum, 1);
    cooperative_groups::this_grid().sync();
    out[blockIdx.x] = *sum;
}
__global__ void stray(int *p) { *p = 1; }
int main()
{
    int *p, n, five = 5, h[64];
    cudaDeviceProp prop;
    cudaFuncAttributes a;
    cudaStream_t s;
    cudaEvent_t start, stop;
    float ms = -1;
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDeviceProperties(&prop, 0));
    CHECK(cudaRuntimeGetVersion(&n));
    printf("runtime %d, sm_%d%d, warp %d\n", n / 1000, prop.major, prop.minor, prop.warpSize);
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaMalloc(&p, sizeof h));
    for (int i = 0; i < 64; i++)
        h[i] = i;
    CHECK(cudaMemcpyAsync(p, h, sizeof h, cudaMemcpyHostToDevice, s));
    CHECK(cudaMemcpyToSymbol(factor, &five, sizeof five));
    CHECK(cudaEventRecord(start, s));
    scale<<<1, 64, sizeof h, s>>>(p, 7);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop, s));
    CHECK(cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpyFromSymbol(&n, counter, sizeof n));
    printf("scale %d %d, counter %d, managed %d, timed %d\n", h[0], h[63], n, seen, ms >= 0);
    CHECK(cudaFuncGetAttributes(&a, scale));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, scale, 64, 256));
    printf("attributes %d %d, blocks %d\n", (int)a.sharedSizeBytes, a.maxThreadsPerBlock, n > 0);
    std::thread([] { greet<<<1, 1>>>(2.5f); cudaDeviceSynchronize(); }).join();
    std::thread([&] { /* the thread's first call */
        cudaPointerAttributes what;
        cudaError_t err = cudaPointerGetAttributes(&what, p);
        printf("pointer: %d of type %d\n", err, what.type);
    }).join();
    int *sum, *out;
    CHECK(cudaMallocManaged(&sum, 4));
    CHECK(cudaMallocManaged(&out, 16));
    *sum = 0;
    void *args[] = {&sum, &out};
    CHECK(cudaLaunchCooperativeKernel((void *)meet, 2, 32, args, 0, 0));
    CHECK(cudaDeviceSynchronize());
    printf("meet %d %d\n", out[0], out[1]);
    printf("too large: %s\n", (scale<<<1, 2048>>>(p, 0), cudaGetErrorName(cudaGetLastError())));
    CHECK(cudaFree(p));
    printf("freed twice: %s\n", cudaGetErrorName(cudaFree(p)));
    cudaGetLastError();
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&p, sizeof h));
    CHECK(cudaMemset(p, 0, sizeof h));
    scale<<<1, 64, sizeof h>>>(p, 7);
    CHECK(cudaMemcpyFromSymbol(&n, counter, sizeof n));
    printf("after reset: counter %d\n", n);
    stray<<<1, 1>>>((int *)8);
    printf("stray: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("sticky: %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
    printf("still there: %d %d\n", cudaSetDevice(0), cudaGetDevice(&n));
}
C
cat >devices.cu <<'C'
#include <cstdio>
#include <cuda_runtime.h>
__device__ int count;
__global__ void next(int *p) { *p = ++count; }
int main()
{
    for (int i = 0; i < 2; i++) { /* each has its own counter */
        int *p, device, n, bus = -1;
        char id[32];
        cudaPointerAttributes a;
        cudaSetDevice(i);
        cudaGetDevice(&device);
        cudaMalloc(&p, 4);
        for (int k = 0; k < 3 + i; k++)
            next<<<1, 1>>>(p);
        cudaMemcpy(&n, p, 4, cudaMemcpyDefault);
        cudaPointerGetAttributes(&a, p);
        cudaDeviceGetPCIBusId(id, sizeof id, i);
        cudaDeviceGetByPCIBusId(&bus, id);
        printf("device %d counts %d, memory of %d, bus %d\n", device, n, a.device, bus);
    }
    cudaMemPool_t pool;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = {cudaMemLocationTypeDevice, 0};
    int *p;
    cudaPointerAttributes a;
    cudaMemPoolCreate(&pool, &props);
    cudaMallocFromPoolAsync(&p, 4, pool, 0);
    cudaPointerGetAttributes(&a, p);
    printf("pool of %d, now %d\n", a.device, cudaStreamSynchronize(0));
}
C
cat >a.cu <<'C'
#include <cstdio>
extern __device__ int total;
extern __device__ int twice(int);
__global__ void k(int *p) { p[threadIdx.x] = twice(threadIdx.x); atomicAdd(&total, 1); }
// NVIDIA's library for this is linked in, PTX for a later device with it.
__global__ void parent(int *p) { k<<<1, 32>>>(p); }
int main()
{
    int *p, n = 0, h[32] = {};
    cudaMalloc(&p, sizeof h);
    parent<<<1, 1>>>(p);
    cudaError_t err = cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    if (!err) err = cudaMemcpyFromSymbol(&n, total, sizeof n);
    if (err) printf("error %d\n", err); else printf("%d %d\n", h[31], n);
}
C
cat >b.cu <<'C'
__device__ int total;
__device__ int twice(int x) { return 2 * x; }
C
ptx="-gencode arch=compute_75,code=compute_75"
"$nvcc" $ptx -std=c++17 many.cu -o many &
"$nvcc" $ptx -std=c++17 devices.cu -o devices || status=1
"$nvcc" $ptx -rdc=true a.cu b.cu -o two || status=1
"$nvcc" -gencode arch=compute_80,code=sm_80 -rdc=true a.cu b.cu -o sass || status=1
printf '#include <cstdio>\nint main() { puts("here"); }\n' >none.cu
"$nvcc" none.cu -o none || status=1 # has machine code with nothing in it
wait $! || status=1

many="runtime 13, sm_90, warp 32
scale 322 7, counter 64, managed 42, timed 1
attributes 0 1024, blocks 1
thread 0 of 2.5
pointer: 0 of type 2
meet 64 64
too large: cudaErrorInvalidValue
freed twice: cudaErrorInvalidValue
after reset: counter 64
stray: cudaErrorIllegalAddress
sticky: cudaErrorIllegalAddress
still there: 0 0"
expect "$many" env LD_LIBRARY_PATH=$build/lib ./many
expect "weft: runs ./many with LD_LIBRARY_PATH=$build/lib*; it has PTX for sm_75
$many" "$weft" run ./many
devices="device 0 counts 3, memory of 0, bus 0
device 1 counts 4, memory of 1, bus 1
pool of 0, now 0"
expect "*62 32" "$weft" run ./two
expect "$devices" env LD_LIBRARY_PATH=$build/lib WEFT_DEVICES=2 ./devices
expect "62 32" env LD_LIBRARY_PATH=$build/lib ./two
expect "weft: runs ./none with LD_LIBRARY_PATH=$build/lib*
here" "$weft" run ./none
expect "weft: runs ./none with *
here" "$weft" run none
# A program with machine code alone says once what would help, run either way.
expect "weft: run: ./sass has no device code that runs here (machine code for sm_80); rebuild it with PTX: -gencode arch=compute_90,code=compute_90" \
    "$weft" run ./sass
expect "*no PTX for sm_90*machine code for sm_80*-gencode arch=compute_90,code=compute_90*error *" \
    env LD_LIBRARY_PATH=$build/lib ./sass
exit $status
