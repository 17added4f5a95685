// SPDX-License-Identifier: Apache-2.0
// Every atomic function, each on its own word, by 96 threads of two blocks.
#include <cstdio>
#include <cuda_fp16.h>

struct words {
    int add, sub, min, max, exch, cas, and_, or_, xor_;
    unsigned int uadd, umin, umax, inc, dec;
    unsigned long long ulladd, ullmin, ullmax, ullcas, ulland, ullor, ullxor;
    long long llmin, llmax;
    float fadd;
    double dadd;
    int block_add, system_add;
    unsigned short cas16;
};

__global__ void all(words *w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&w->add, i);
    atomicSub(&w->sub, i);
    atomicMin(&w->min, 50 - i);
    atomicMax(&w->max, i - 50);
    atomicExch(&w->exch, 7);
    atomicAnd(&w->and_, ~(1 << (i % 16)));
    atomicOr(&w->or_, 1 << (i % 20));
    atomicXor(&w->xor_, i);
    atomicAdd(&w->uadd, 1u << 26);
    atomicMin(&w->umin, 0x80000000u + i);
    atomicMax(&w->umax, 0x80000000u + i);
    atomicInc(&w->inc, 9u);
    atomicDec(&w->dec, 9u);
    atomicAdd(&w->ulladd, 1ull << 40);
    atomicMin(&w->ullmin, (1ull << 63) + i);
    atomicMax(&w->ullmax, (1ull << 63) + i);
    atomicMin(&w->llmin, -(1ll << 40) + i);
    atomicMax(&w->llmax, -(1ll << 40) + i);
    atomicAnd(&w->ulland, ~(1ull << (i % 64)));
    atomicOr(&w->ullor, 1ull << (i % 60));
    atomicXor(&w->ullxor, (unsigned long long)i << 32);
    atomicAdd(&w->fadd, 0.5f);
    atomicAdd(&w->dadd, 0.25);
    atomicAdd_block(&w->block_add, 0);
    atomicAdd_system(&w->system_add, 2);

    int old = w->cas, seen;
    do {
        seen = old;
        old = atomicCAS(&w->cas, seen, seen + 3);
    } while (old != seen);
    unsigned long long old8 = w->ullcas, seen8;
    do {
        seen8 = old8;
        old8 = atomicCAS(&w->ullcas, seen8, seen8 + (1ull << 33));
    } while (old8 != seen8);
    unsigned short old2 = w->cas16, seen2;
    do {
        seen2 = old2;
        old2 = atomicCAS(&w->cas16, seen2, (unsigned short)(seen2 + 5));
    } while (old2 != seen2);
}

// In shared memory, with the values that were there before.
__global__ void shared_words(int *out)
{
    __shared__ int counter;
    __shared__ unsigned int seen;
    if (threadIdx.x == 0)
        counter = 0, seen = 0;
    __syncthreads();
    int before = atomicAdd(&counter, 2);
    atomicOr(&seen, 1u << (before / 2));
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = counter, out[1] = (int)seen;
}

// Variables of one and two bytes: what follows sees what was stored.
__device__ unsigned short one_short;

__global__ void small_variables(int *out)
{
    __shared__ unsigned short s;
    __shared__ __half h;
    __shared__ unsigned char c;
    s = 4, one_short = 4, c = 3, h = __float2half(1.5f);
    atomicCAS(&s, (unsigned short)4, (unsigned short)78);
    atomicCAS(&one_short, (unsigned short)4, (unsigned short)77);
    atomicAdd(&h, __float2half(2));
    __nv_atomic_fetch_add(&c, 5, __NV_ATOMIC_RELAXED,
                          __NV_THREAD_SCOPE_BLOCK);
    out[0] = s, out[1] = one_short, out[2] = c;
    out[3] = (int)(__half2float(h) * 10);
    __nv_atomic_exchange_n(&c, 17, __NV_ATOMIC_RELAXED);
    s = 9;
    unsigned short expected = 9;
    __nv_atomic_compare_exchange_n(&s, &expected, 19, false,
                                   __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
    out[4] = c, out[5] = s;
}

int main()
{
    words *w, h = {};
    h.and_ = -1, h.umin = ~0u, h.ullmin = ~0ull, h.ulland = ~0ull;
    h.llmax = -(1ll << 62);
    cudaMalloc(&w, sizeof *w);
    cudaMemcpy(w, &h, sizeof h, cudaMemcpyHostToDevice);
    all<<<2, 48>>>(w);
    cudaMemcpy(&h, w, sizeof h, cudaMemcpyDeviceToHost);
    printf("add %d sub %d min %d max %d exch %d cas %d\n", h.add, h.sub, h.min,
           h.max, h.exch, h.cas);
    printf("and %x or %x xor %x\n", h.and_, h.or_, h.xor_);
    printf("unsigned add %x min %x max %x inc %u dec %u\n", h.uadd, h.umin,
           h.umax, h.inc, h.dec);
    printf("64 bits add %llx min %llx max %llx cas %llx\n", h.ulladd, h.ullmin,
           h.ullmax, h.ullcas);
    printf("64 bits and %llx or %llx xor %llx\n", h.ulland, h.ullor, h.ullxor);
    printf("signed min %lld max %lld\n", h.llmin, h.llmax);
    printf("float %g double %g system %d block %d cas16 %d\n", h.fadd, h.dadd,
           h.system_add, h.block_add, h.cas16);

    int *out, result[6];
    cudaMalloc(&out, sizeof result);
    shared_words<<<1, 32>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("shared %d seen %x\n", result[0], result[1]);
    small_variables<<<1, 1>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("small %d %d %d %d %d %d\n", result[0], result[1], result[2],
           result[3], result[4], result[5]);
    return cudaDeviceSynchronize();
}
