// SPDX-License-Identifier: Apache-2.0
//
// What lanes, warps and blocks share by turns: a queue without locks, whose
// producers and consumers are neighbouring lanes, warps or blocks; a ticket
// lock, a lock for many readers or one writer, two locks at a time, a
// semaphore.
#include "check.h"

struct cell {
    unsigned seq;
    unsigned data;
};

struct queue {
    cell *c;
    unsigned mask;
    unsigned *head, *tail;
};

// Dmitry Vyukov's bounded queue: each cell says whose turn it is.
__device__ bool push(queue q, unsigned v)
{
    unsigned pos = *(volatile unsigned *)q.tail;
    for (;;) {
        cell *c = &q.c[pos & q.mask];
        unsigned s = *(volatile unsigned *)&c->seq;
        __threadfence();
        int dif = (int)(s - pos);
        if (dif == 0) {
            unsigned old = atomicCAS(q.tail, pos, pos + 1);
            if (old == pos) {
                c->data = v;
                __threadfence();
                atomicExch(&c->seq, pos + 1);
                return true;
            }
            pos = old;
        } else if (dif < 0)
            return false;
        else
            pos = *(volatile unsigned *)q.tail;
    }
}

__device__ bool pop(queue q, unsigned *v)
{
    unsigned pos = *(volatile unsigned *)q.head;
    for (;;) {
        cell *c = &q.c[pos & q.mask];
        unsigned s = *(volatile unsigned *)&c->seq;
        __threadfence();
        int dif = (int)(s - (pos + 1));
        if (dif == 0) {
            unsigned old = atomicCAS(q.head, pos, pos + 1);
            if (old == pos) {
                *v = *(volatile unsigned *)&c->data;
                __threadfence();
                atomicExch(&c->seq, pos + q.mask + 1);
                return true;
            }
            pos = old;
        } else if (dif < 0)
            return false;
        else
            pos = *(volatile unsigned *)q.head;
    }
}

__global__ void run(queue q, int per, unsigned long long *sum, unsigned *count,
                    int mode)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    bool producer = mode == 0   ? (t & 1) == 0
                    : mode == 1 ? (threadIdx.x / 32) % 2 == 0
                                : blockIdx.x % 2 == 0;
    if (producer) {
        for (int i = 0; i < per; i++)
            while (!push(q, t * per + i + 1))
                ;
    } else {
        unsigned long long s = 0;
        unsigned n = 0;
        for (int i = 0; i < per; i++) {
            unsigned v;
            while (!pop(q, &v))
                ;
            s += v;
            n++;
        }
        atomicAdd(sum, s);
        atomicAdd(count, n);
    }
}

static void check_queue()
{
    for (int mode = 0; mode < 3; mode++) {
        const int blocks = 4, threads = 64, per = 5, cap = 32;
        std::vector<cell> init(cap);
        for (int i = 0; i < cap; i++)
            init[i].seq = i;
        buffer<cell> c(init);
        buffer<unsigned> ht(2, 0), count(1, 0);
        buffer<unsigned long long> sum(1, 0);
        run<<<blocks, threads>>>(
            queue{c.device, cap - 1, ht.device, ht.device + 1}, per, sum.device,
            count.device, mode);
        sum.download();
        count.download();
        unsigned long long want = 0;
        for (int t = 0; t < blocks * threads; t++) {
            bool p = mode == 0   ? (t & 1) == 0
                     : mode == 1 ? (t % threads / 32) % 2 == 0
                                 : (t / threads) % 2 == 0;
            if (p)
                for (int i = 0; i < per; i++)
                    want += t * per + i + 1;
        }
        EXPECT_EQ(sum[0], want);
        EXPECT_EQ(count[0], blocks * threads / 2 * per);
    }
}

struct ticket {
    unsigned next, serving;
};

__device__ void lock(ticket *t)
{
    unsigned me = atomicAdd(&t->next, 1);
    while (atomicAdd(&t->serving, 0) != me)
        __nanosleep(20);
    __threadfence();
}

__device__ void unlock(ticket *t)
{
    __threadfence();
    atomicAdd(&t->serving, 1);
}

__global__ void tickets(ticket *t, int *x, int n)
{
    for (int i = 0; i < n; i++) {
        lock(t);
        *(volatile int *)x = *(volatile int *)x + 1;
        unlock(t);
    }
}

struct rw {
    int n;
};

__device__ void rlock(rw *l)
{
    for (;;) {
        int v = *(volatile int *)&l->n;
        if (v >= 0 && atomicCAS(&l->n, v, v + 1) == v)
            break;
    }
    __threadfence();
}

__device__ void runlock(rw *l)
{
    __threadfence();
    atomicSub(&l->n, 1);
}

__device__ void wlock(rw *l)
{
    while (atomicCAS(&l->n, 0, -1) != 0)
        ;
    __threadfence();
}

__device__ void wunlock(rw *l)
{
    __threadfence();
    atomicExch(&l->n, 0);
}

__global__ void readers_writers(rw *l, volatile int *a, int *bad)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 4; i++) {
        if ((t + i) % 7 == 0) {
            wlock(l);
            for (int k = 0; k < 8; k++)
                a[k] = a[k] + 1;
            wunlock(l);
        } else {
            rlock(l);
            int v = a[0];
            for (int k = 1; k < 8; k++)
                if (a[k] != v)
                    atomicAdd(bad, 1);
            runlock(l);
        }
    }
}

// Each lane eats with its own fork and its neighbour's.
__global__ void philosophers(int *meals)
{
    __shared__ int fork_[64];
    int n = blockDim.x, t = threadIdx.x;
    fork_[t] = 0;
    __syncthreads();
    int a = t, b = (t + 1) % n;
    if (a > b) {
        int c = a;
        a = b;
        b = c;
    }
    for (int m = 0; m < 5;) {
        if (atomicCAS(&fork_[a], 0, 1) == 0) {
            if (atomicCAS(&fork_[b], 0, 1) == 0) {
                meals[blockIdx.x * n + t]++;
                m++;
                __threadfence_block();
                atomicExch(&fork_[b], 0);
            }
            atomicExch(&fork_[a], 0);
        }
    }
}

__device__ int sem = 3, inside, most;
__global__ void semaphore()
{
    for (;;) {
        int v = atomicAdd(&sem, 0);
        if (v > 0 && atomicCAS(&sem, v, v - 1) == v)
            break;
    }
    int k = atomicAdd(&inside, 1) + 1;
    atomicMax(&most, k);
    atomicSub(&inside, 1);
    atomicAdd(&sem, 1);
}

static void check_locks()
{
    buffer<ticket> t(1, 0);
    buffer<int> x(1, 0);
    tickets<<<3, 96>>>(t.device, x.device, 3);
    x.download();
    EXPECT_EQ(x[0], 3 * 96 * 3);
    buffer<rw> l(1, 0);
    buffer<int> a(8, 0), bad(1, 0);
    readers_writers<<<2, 64>>>(l.device, a.device, bad.device);
    a.download();
    bad.download();
    int w = 0;
    for (int t = 0; t < 128; t++)
        for (int i = 0; i < 4; i++)
            w += (t + i) % 7 == 0;
    for (int k = 0; k < 8; k++)
        EXPECT_EQ(a[k], w);
    EXPECT_EQ(bad[0], 0);
    buffer<int> meals(3 * 64, 0);
    philosophers<<<3, 64>>>(meals.device);
    meals.download();
    for (int i = 0; i < 192; i++)
        EXPECT_EQ(meals[i], 5);
    semaphore<<<4, 50>>>();
    CHECK_KERNEL();
    int m;
    CHECK(cudaMemcpyFromSymbol(&m, most, 4));
    EXPECT(m >= 1 && m <= 3);
}

int main()
{
    check_queue();
    check_locks();
    return finish();
}
