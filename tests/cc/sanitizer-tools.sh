# SPDX-License-Identifier: Apache-2.0
# compute-sanitizer's tools: what each finds in kernels with one defect, and that
# it finds nothing in kernels that do the same well.
PATH=$build/nvcc/bin:$PATH
set -e
cat >bugs.cu <<'END'
#include <cstdio>
#include <cstdlib>
typedef unsigned u;
__device__ u in_shared(void *p) { return (u)__cvta_generic_to_shared(p); }
__global__ void many(int *p) { p[threadIdx.x] = p[64 + threadIdx.x]; }
__global__ void null(int *p) { p[0] = *(int *)(size_t)(threadIdx.x * 4); }
__global__ void crooked(int *p) { *(int *)((char *)p + 1) = p[0]; }
__global__ void heap(int *p)
{
    volatile char *q = (volatile char *)malloc(16);
    q[20 - 5 * p[0]] = 1;
    free((void *)q);
}
__global__ void rows(int *p)
{
    __shared__ __align__(16) int s[32];
    u r, a = in_shared(s) + (threadIdx.x & 7) * 16 + 16;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(a));
    p[threadIdx.x] = r;
}
__global__ void bulk(int *p)
{
    __shared__ __align__(16) int s[128];
    __shared__ __align__(8) unsigned long long bar;
    u a = in_shared(s), b = in_shared(&bar);
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 512;" ::"r"(b) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];"
                 ::"r"(a), "l"(p), "r"(b) : "memory");
    asm volatile("{.reg .pred q;\nW: mbarrier.try_wait.parity.shared.b64 q, [%0], 0;\n@!q bra W;}" ::"r"(b) : "memory");
    p[0] = s[0];
}
/* Races: case `how` 0 lacks what the others have. */
__global__ void behind(int *p, int how)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (how)
        __syncthreads();
    p[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void again(int *p, int how)
{
    __shared__ int s[64];
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = i;
        __syncthreads();
        p[threadIdx.x] = s[63 - threadIdx.x];
        if (how)
            __syncthreads();
    }
}
__global__ void warps(int *p, int how)
{
    __shared__ int s[64];
    int other = threadIdx.x ^ 1;
    s[threadIdx.x] = 1;
    if (how)
        __syncwarp();
    p[threadIdx.x] = s[other];
}
__global__ void pairs(int *p, int how)
{
    __shared__ int s[128];
    s[threadIdx.x] = 1;
    asm volatile("bar.sync %0, 64;" ::"r"(1 + threadIdx.x / 64) : "memory");
    p[threadIdx.x & 63] = s[how ? threadIdx.x ^ 32 : threadIdx.x ^ 64];
}
__global__ void counts(int *p, int how)
{
    __shared__ int s[2], lock;
    if (threadIdx.x == 0)
        s[0] = lock = 0;
    __syncthreads();
    if (how) {
        while (atomicCAS(&lock, 0, 1))
            ;
        __threadfence_block();
        s[0]++;
        __threadfence_block();
        atomicExch(&lock, 0);
    } else {
        atomicAdd(&s[0], 1);
        s[0]++;
    }
    __syncthreads();
    p[0] = s[0];
}
__global__ void copies(int *p, int how)
{
    __shared__ __align__(16) int s[256];
    u a = in_shared(s + 4 * threadIdx.x);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(a), "l"(p) : "memory");
    if (how)
        asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
    else
        asm volatile("cp.async.commit_group; cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    p[threadIdx.x] = s[255 - 4 * threadIdx.x];
}
__global__ void alike(int *p, int how)
{
    __shared__ char s[65];
    s[threadIdx.x] = 1;
    s[64] = how ? 5 : threadIdx.x;
    __syncthreads();
    p[0] = s[64];
}
__global__ void sums(int *p, int how) { p[threadIdx.x] += how; }
__global__ void parted(int *p, int how)
{
    if (how == 0 && threadIdx.x < 16)
        asm volatile("barrier.sync.aligned 0;" ::: "memory");
    else
        asm volatile("bar.sync 0;" ::: "memory");
    p[threadIdx.x] = 1;
}
__global__ void skipped(int *p, int how)
{
    if (how == 0 && threadIdx.x < 16)
        asm volatile("bar.sync 0;" ::: "memory");
    if (how == 1) { /* those that have nothing to do may leave first */
        if (threadIdx.x >= 16)
            return;
        asm volatile("bar.sync 0;" ::: "memory");
    }
    p[threadIdx.x] = 1;
}
__global__ void apart(int *p, int how)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 0;" ::: "memory");
    else if (how)
        asm volatile("barrier.sync 0;" ::: "memory");
    else
        asm volatile("bar.sync 0; // another" ::: "memory");
    p[threadIdx.x] = 1;
}
__global__ void missed(int *p, int how)
{
    if (how == 0 && threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        __syncthreads();
    p[threadIdx.x] = 1;
}
__global__ void named(int *p, int how)
{
    if (threadIdx.x < 16)
        __syncwarp(how ? 0xffff : 0xfffe);
    p[threadIdx.x] = 1;
}
/* No lane has an address that may be read. */
__global__ void askew(int *p)
{
    __shared__ __align__(16) int s[128];
    u r[4], a = in_shared(s) + threadIdx.x * 8 + 4;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(a));
    p[threadIdx.x] = r[0] + r[1] + r[2] + r[3];
}
/* A copy that never comes, for which the thread waits. */
__global__ void waits(int *p)
{
    __shared__ __align__(16) int s[16];
    __shared__ __align__(8) unsigned long long bar;
    u a = in_shared(s), b = in_shared(&bar);
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 32;" ::"r"(b) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 32, [%2];"
                 ::"r"(a), "l"((char *)p + 4), "r"(b) : "memory");
    asm volatile("{.reg .pred q;\nW2: mbarrier.try_wait.parity.shared.b64 q, [%0], 0;\n@!q bra W2;}" ::"r"(b) : "memory");
    p[0] = s[0];
}
/* Nobody waits at the barrier. */
__global__ void passes(int *p, int how)
{
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    p[threadIdx.x] = how;
}
/* The one who sees the flag may take it back. */
__global__ void flags(int *p, int how)
{
    __shared__ int flag, data;
    u a = in_shared(&flag);
    int seen = 0;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        data = 5;
        asm volatile("st.release.cta.shared.u32 [%0], 1;" ::"r"(a) : "memory");
    } else if (threadIdx.x == 0) {
        while (how && !seen)
            asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(seen) : "r"(a) : "memory");
        flag = 0;
        p[0] = data;
    }
}
/* The mbarrier says when the copies of all have come. */
__global__ void arrives(int *p, int how)
{
    __shared__ __align__(16) int s[256];
    __shared__ __align__(8) unsigned long long bar;
    u a = in_shared(s + 4 * threadIdx.x), b = in_shared(&bar), is_over = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(b) : "memory");
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(a), "l"(p) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(b) : "memory");
    while (how && !is_over)
        asm volatile("{.reg .pred q;\nmbarrier.try_wait.parity.shared.b64 q, [%1], 0;\nselp.u32 %0, 1, 0, q;}"
                     : "=r"(is_over) : "r"(b) : "memory");
    p[threadIdx.x] = s[255 - 4 * threadIdx.x];
}
/* The first block is the last one to end. */
__device__ volatile int turn;
__global__ void late(int *p)
{
    while (blockIdx.x == 0 && !turn)
        ;
    turn = 1;
    p[blockIdx.x == 0 ? 64 : 0] = 1;
}
#include <unistd.h>
int main(int argc, char **argv)
{
    void (*const one[])(int *) = {many, null, crooked, heap, rows, bulk, askew, waits, late};
    void (*const two[])(int *, int) = {behind, again, warps, pairs, counts, copies,
                                       alike, sums, parted, skipped, apart, missed, named, passes, flags, arrives};
    int *p, *q, k = atoi(argv[1]), how = atoi(argv[2]), host[16];
    cudaMalloc(&p, 256);
    cudaMalloc(&q, 256);
    if (k == 30) { /* copies of what nobody has set */
        if (how)
            cudaMemset(q, 0, 64);
        cudaMemcpy(p, q, 64, cudaMemcpyDeviceToDevice);
        cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost);
        cudaMemcpy2D(host, 8, q, 32, 8, 3, cudaMemcpyDeviceToHost);
        /* In pieces; two of them meet between the bytes that are not set. */
        static char large[1 << 20];
        char *r;
        cudaMalloc(&r, sizeof large);
        cudaMemset(r, 0, 15 + (256 << 10));
        cudaMemset(r + 17 + (256 << 10), 0, sizeof large - 17 - (256 << 10));
        cudaMemcpy(large, r + 16, sizeof large - 16, cudaMemcpyDeviceToHost);
        return 0;
    }
    cudaFree(q);
    if (k != 17 || how)
        cudaMemset(p, 0, 256);
    if (k < 10)
        one[k]<<<k == 8 ? 2 : 1, k == 0 ? 3 : k == 4 || k == 6 ? 32 : 1>>>(p);
    else
        two[k - 10]<<<2, k == 13 ? 128 : 64>>>(p, how);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    if (argc > 3)
        cudaFree(p);
    for (int i = 0; argc > 4 && access(argv[4], F_OK); i++)
        if (i == 1000)
            return 3;
        else
            usleep(10000);
    return 0;
}
END
$weftcc -w -arch=sm_90 -lineinfo bugs.cu -o bugs
plain() {
    sed 's/0x[0-9a-f]\{6,\}/ADDRESS/g; s,[^ ]*/\([^/ ]*.h\):[0-9]*,\1:N,
        s/ [0-9,]\{12,\} / N /; s,[^ ]*/*\(bugs\|boxes\)\.cu,\1.cu,; /COMPUTE-SANITIZER/d'
}
try() {
    echo "--- $*"
    status=0
    compute-sanitizer --error-exitcode 9 --report-api-errors no "$@" 2>errors |
        plain
}
for k in 0 1 2 3 4 5 7 8; do try ./bugs $k 0; done
try --print-limit 1 ./bugs 6 0
for k in 10 11 12 13 14 15 16 24 25; do
    for how in 0 1; do try --tool racecheck ./bugs $k $how; done
done
for how in 0 1; do try --tool initcheck --print-limit 1 ./bugs 17 $how; done
for how in 0 1; do try --tool initcheck ./bugs 30 $how; done
for k in 18 19 20 21 22 23; do
    for how in 0 1; do try --tool synccheck --print-limit 1 ./bugs $k $how; done
done
try --leak-check full ./bugs 17 1
try --leak-check full ./bugs 17 1 free
echo "--- the report comes while the program runs"
compute-sanitizer ./bugs 7 0 free reported >report 2>errors &
for i in $(seq 1 500); do
    ! grep -q Invalid report || break
    sleep 0.02
done
touch reported
wait $!
grep -c Invalid report
cat >boxes.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
typedef unsigned u;
__device__ u in_shared(void *p) { return (u)__cvta_generic_to_shared(p); }
__global__ void load(const __grid_constant__ CUtensorMap map, int *p, int y)
{
    __shared__ __align__(128) int s[4 * 16];
    __shared__ __align__(8) unsigned long long bar;
    u b = in_shared(&bar), over = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(b) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(in_shared(s)), "l"(&map), "r"(0), "r"(y), "r"(b) : "memory");
    while (!over)
        asm volatile("{.reg .pred q;\nmbarrier.try_wait.parity.shared.b64 q, [%1], 0;\nselp.u32 %0, 1, 0, q;}"
                     : "=r"(over) : "r"(b) : "memory");
    p[0] = s[0];
}
__global__ void store(const __grid_constant__ CUtensorMap map, int y)
{
    __shared__ __align__(128) int s[4 * 16];
    for (int i = 0; i < 64; i++)
        s[i] = i;
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
                 ::"l"(&map), "r"(0), "r"(y), "r"(in_shared(s)) : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void sum(const int *p, int *out) { atomicAdd(out, p[threadIdx.x]); }
/* A map of 64 lines of 16 ints, of which only so many are there. */
int main(int argc, char **argv)
{
    int lines = atoi(argv[1]), y = atoi(argv[2]);
    int *p, *out;
    cudaMalloc(&p, lines * 64);
    cudaMalloc(&out, 4);
    cudaMemset(out, 0, 4);
    CUtensorMap map;
    cuuint64_t dim[] = {16, 64}, stride[] = {64};
    cuuint32_t box[] = {16, 4}, step[] = {1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, p, dim, stride, box, step,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                           CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (argc > 3) {
        store<<<1, 1>>>(map, y);
        sum<<<1, 64>>>(p + 16 * y, out);
    } else {
        load<<<1, 1>>>(map, out, y);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
END
$weftcc -w -arch=sm_90a -lineinfo boxes.cu -o boxes -lcuda 2>/dev/null
for at in '8 4' '8 6' '8 6 store'; do try ./boxes $at; done
for at in '8 4' '8 4 store'; do
    try --tool initcheck --print-limit 1 ./boxes $at
done
for at in '8 4' '8 4 store'; do try --tool racecheck ./boxes $at; done
