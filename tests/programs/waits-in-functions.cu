// SPDX-License-Identifier: Apache-2.0
//
// Loops that wait by what functions tell them: locks, tickets and flags whose
// atomics and volatile reads are not inlined, as in everything that is compiled
// for a debugger.
#include "check.h"

__device__ int lock_word, next_ticket, serving, flag, total;

__device__ __noinline__ int swap_if(int *p, int was, int will)
{
    return atomicCAS(p, was, will);
}
__device__ __noinline__ void set(int *p, int v)
{
    atomicExch(p, v);
}
__device__ __noinline__ int add(int *p, int v)
{
    return atomicAdd(p, v);
}
__device__ __noinline__ void lock(int *p)
{
    while (swap_if(p, 0, 1) != 0)
        ;
}
__device__ __noinline__ void unlock(int *p)
{
    __threadfence();
    set(p, 0);
}
struct seen {
    int is_there, value;
};
__device__ __noinline__ seen look(volatile int *p)
{
    seen s;
    s.value = *p;
    s.is_there = s.value != 0;
    return s;
}
__device__ __noinline__ bool has_come(volatile int *p, int *value)
{
    *value = *p;
    return *value != 0;
}

__device__ void increment()
{
    volatile int *t = &total;
    *t = *t + 1;
}

__global__ void by_try()
{
    while (swap_if(&lock_word, 0, 1) != 0)
        ;
    increment();
    __threadfence();
    set(&lock_word, 0);
}

__global__ void by_lock()
{
    for (int i = 0; i < 3; i++)
        if ((threadIdx.x + i) & 1) {
            lock(&lock_word);
            increment();
            unlock(&lock_word);
        }
}

__global__ void by_ticket()
{
    int mine = add(&next_ticket, 1);
    while (add(&serving, 0) != mine)
        ;
    increment();
    __threadfence();
    add(&serving, 1);
}

__global__ void by_structure()
{
    seen s;
    if (threadIdx.x % 32 < 16) {
        do
            s = look(&flag);
        while (!s.is_there);
        atomicAdd(&total, s.value);
    } else if (threadIdx.x % 32 == 20) {
        set(&flag, 5);
    }
}

__global__ void by_reference()
{
    int v;
    if (threadIdx.x % 32 < 16) {
        while (!has_come(&flag, &v))
            ;
        atomicAdd(&total, v);
    } else if (threadIdx.x % 32 == 20) {
        set(&flag, 5);
    }
}

static void run(const char *name, void (*kernel)(), int want)
{
    int zero = 0, got = -1;
    CHECK(cudaMemcpyToSymbol(total, &zero, sizeof zero));
    CHECK(cudaMemcpyToSymbol(flag, &zero, sizeof zero));
    kernel<<<2, 64>>>();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&got, total, sizeof got));
    if (got != want)
        FAIL("%s gives %d, should be %d", name, got, want);
}

int main()
{
    run("by_try", by_try, 128);
    run("by_lock", by_lock, 192);
    run("by_ticket", by_ticket, 128);
    run("by_structure", by_structure, 320);
    run("by_reference", by_reference, 320);
    return failures != 0;
}
