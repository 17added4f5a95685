// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// Addresses that are no multiple of the size of their access, in every way in
// which an address can come about: each ends its context with 716, and those
// of lanes that access nothing are nobody's business. What is wanted is what an
// H200 did with each of these.
#include <functional>

#include "check.h"

#define PTX(...) asm volatile(__VA_ARGS__)

// ---- loads and stores -------------------------------------------------------

// The instruction at p + offset, by the lanes of `who`.
#define LOAD(name, instruction, results, ...)                                  \
    __global__ void name(char *p, int offset, unsigned who)                    \
    {                                                                          \
        unsigned long long r0 = 0, r1 = 0;                                     \
        unsigned w0 = 0, w1 = 0, w2 = 0, w3 = 0;                               \
        unsigned short h0 = 0;                                                 \
        if (who >> threadIdx.x % 32 & 1)                                       \
            PTX(instruction : __VA_ARGS__ : "l"(p + offset) : "memory");       \
        if (r0 + r1 + w0 + w1 + w2 + w3 + h0 == 12345)                         \
            p[4096] = 1;                                                       \
    }
LOAD(load_2, "ld.global.u16 %0, [%1];", , "+h"(h0))
LOAD(load_4, "ld.global.u32 %0, [%1];", , "+r"(w0))
LOAD(load_8, "ld.global.u64 %0, [%1];", , "+l"(r0))
LOAD(load_2x4, "ld.global.v2.u32 {%0, %1}, [%2];", , "+r"(w0), "+r"(w1))
LOAD(load_4x4, "ld.global.v4.u32 {%0, %1, %2, %3}, [%4];", , "+r"(w0),
     "+r"(w1), "+r"(w2), "+r"(w3))
LOAD(load_2x8, "ld.global.v2.u64 {%0, %1}, [%2];", , "+l"(r0), "+l"(r1))
LOAD(load_nc, "ld.global.nc.u32 %0, [%1];", , "+r"(w0))
LOAD(load_nc_2x4, "ld.global.nc.v2.u32 {%0, %1}, [%2];", , "+r"(w0), "+r"(w1))
LOAD(load_cg, "ld.global.cg.u32 %0, [%1];", , "+r"(w0))
LOAD(load_ldu, "ldu.global.u32 %0, [%1];", , "+r"(w0))
LOAD(load_volatile, "ld.volatile.global.u32 %0, [%1];", , "+r"(w0))
LOAD(load_acquire, "ld.acquire.gpu.global.u32 %0, [%1];", , "+r"(w0))
LOAD(load_generic, "ld.u32 %0, [%1];", , "+r"(w0))
LOAD(atom_add, "atom.global.add.u32 %0, [%1], 1;", , "+r"(w0))
LOAD(atom_cas, "atom.global.cas.b64 %0, [%1], 1, 2;", , "+l"(r0))
LOAD(atom_cas_2, "atom.global.cas.b16 %0, [%1], 1, 2;", , "+h"(h0))
LOAD(atom_exch, "atom.global.exch.b32 %0, [%1], 7;", , "+r"(w0))
LOAD(atom_pair, "{ .reg .b32 o; mov.b32 o, 0; atom.global.add.noftz.f16x2 %0, [%1], o; }", , "+r"(w0))
LOAD(atom_16, "{ .reg .b128 a, b; .reg .b64 z; mov.b64 z, 1; "
     "mov.b128 a, {z, z}; atom.global.exch.b128 b, [%1], a; "
     "mov.b128 {%0, z}, b; }", , "+l"(r0))

#define STORE(name, instruction, ...)                                          \
    __global__ void name(char *p, int offset, unsigned who)                    \
    {                                                                          \
        if (who >> threadIdx.x % 32 & 1)                                       \
            PTX(instruction : : "l"(p + offset), ##__VA_ARGS__ : "memory");    \
    }
STORE(store_2, "st.global.u16 [%0], %1;", "h"((short)1))
STORE(store_4, "st.global.u32 [%0], %1;", "r"(1))
STORE(store_8, "st.global.u64 [%0], %1;", "l"(1ll))
STORE(store_2x4, "st.global.v2.u32 [%0], {%1, %1};", "r"(1))
STORE(store_4x4, "st.global.v4.u32 [%0], {%1, %1, %1, %1};", "r"(1))
STORE(store_release, "st.release.gpu.global.u32 [%0], %1;", "r"(1))
STORE(red_add, "red.global.add.u32 [%0], %1;", "r"(1))
STORE(red_float, "red.global.add.f64 [%0], %1;", "d"(1.0))
STORE(red_2x4, "red.global.add.v2.f32 [%0], {%1, %1};", "f"(1.0f))

// ---- addresses that are not a parameter plus something ----------------------

__global__ void by_pointer(char *p, int offset, unsigned who)
{
    char *volatile *table = (char *volatile *)(p + 2048);
    if (threadIdx.x == 0)
        table[0] = p + offset;
    __syncthreads();
    if (who >> threadIdx.x % 32 & 1)
        ((volatile int *)table[0])[threadIdx.x] = 1;
}

__global__ void by_index(char *p, int offset, unsigned who)
{
    int at = (int)(threadIdx.x * 37u % 32u * 4u);
    if (threadIdx.x % 32 == 5)
        at += offset;
    if (who >> threadIdx.x % 32 & 1)
        *(volatile int *)(p + at) = 1;
}

__global__ void in_a_loop(char *p, int offset, unsigned who)
{
    for (int i = 0; i < 9; i++) {
        if (who >> threadIdx.x % 32 & 1)
            *(volatile int *)(p + 64 * threadIdx.x) = i;
        if (i > 6)
            p += offset;
    }
}

__device__ __noinline__ void store_at(volatile long long *p)
{
    *p = 7;
}

__global__ void in_a_function(char *p, int offset, unsigned who)
{
    if (who >> threadIdx.x % 32 & 1)
        store_at((long long *)(p + offset));
}

// Seven bytes a lane: some of them are multiples.
__global__ void odd_stride(char *p, int offset, unsigned who)
{
    if (who >> threadIdx.x % 32 & 1)
        *(volatile short *)(p + threadIdx.x * offset) = 1;
}

struct pointers {
    int n;
    char *p;
};
__global__ void in_a_structure(pointers s, int offset, unsigned who)
{
    if (who >> threadIdx.x % 32 & 1)
        ((volatile float *)s.p)[threadIdx.x] = 1;
}

// ---- other windows ----------------------------------------------------------

__constant__ int constants[64];

__global__ void in_constants(char *p, int offset, unsigned who)
{
    int v = 0;
    if (who >> threadIdx.x % 32 & 1)
        PTX("ld.u32 %0, [%1];"
            : "=r"(v) : "l"((const char *)constants + offset) : "memory");
    p[threadIdx.x] = v;
}

__global__ void in_shared(char *p, int offset, unsigned who)
{
    __shared__ alignas(16) char memory[1024];
    unsigned at = (unsigned)__cvta_generic_to_shared(memory) + offset;
    if (who >> threadIdx.x % 32 & 1)
        PTX("st.shared.u32 [%0], 1;" : : "r"(at) : "memory");
    __syncthreads();
    p[threadIdx.x] = memory[threadIdx.x];
}

__global__ void in_shared_2x4(char *p, int offset, unsigned who)
{
    __shared__ alignas(16) char memory[1024];
    unsigned at = (unsigned)__cvta_generic_to_shared(memory + offset), a, b;
    if (who >> threadIdx.x % 32 & 1) {
        PTX("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
        p[threadIdx.x] = a + b;
    }
}

__global__ void in_shared_atom(char *p, int offset, unsigned who)
{
    __shared__ alignas(16) char memory[1024];
    if (who >> threadIdx.x % 32 & 1)
        atomicAdd((int *)(memory + offset), 1);
    __syncthreads();
    p[threadIdx.x] = memory[threadIdx.x];
}

__global__ void in_local(char *p, int offset, unsigned who)
{
    alignas(16) volatile char memory[64];
    for (int i = 0; i < 64; i++)
        memory[i] = p[i];
    if (who >> threadIdx.x % 32 & 1)
        PTX("st.u32 [%0], 1;" : : "l"((char *)memory + offset) : "memory");
    p[threadIdx.x] = memory[threadIdx.x];
}

__global__ void in_local_2x4(char *p, int offset, unsigned who)
{
    alignas(16) char memory[64];
    unsigned a = 0, b = 0;
    for (int i = 0; i < 64; i++)
        memory[i] = p[i];
    if (who >> threadIdx.x % 32 & 1)
        PTX("ld.v2.u32 {%0, %1}, [%2];"
            : "=r"(a), "=r"(b) : "l"(memory + offset) : "memory");
    p[threadIdx.x] = a + b;
}

__global__ void in_parameters(const __grid_constant__ int4 words, char *p,
                              int offset, unsigned who)
{
    int v = 0;
    if (who >> threadIdx.x % 32 & 1)
        PTX("ld.u32 %0, [%1];"
            : "=r"(v) : "l"((const char *)&words + offset) : "memory");
    p[threadIdx.x] = v;
}

// ---- copies and matrices ----------------------------------------------------

__global__ void copy_from(char *p, int offset, unsigned who)
{
    __shared__ alignas(16) char memory[1024];
    unsigned to = (unsigned)__cvta_generic_to_shared(memory);
    if (who >> threadIdx.x % 32 & 1)
        PTX("cp.async.cg.shared.global [%0], [%1], 16;"
            : : "r"(to), "l"(p + offset) : "memory");
    PTX("cp.async.wait_all;" : : : "memory");
}

__global__ void copy_to(char *p, int offset, unsigned who)
{
    __shared__ alignas(16) char memory[1024];
    unsigned to = (unsigned)__cvta_generic_to_shared(memory) + offset;
    if (who >> threadIdx.x % 32 & 1)
        PTX("cp.async.ca.shared.global [%0], [%1], 4;"
            : : "r"(to), "l"(p) : "memory");
    PTX("cp.async.wait_all;" : : : "memory");
}

// Who: whose rows are no multiple of 16. Rows of one matrix are those of the
// first eight lanes.
__global__ void rows(char *p, int offset, unsigned who)
{
    __shared__ alignas(16) char memory[1024];
    unsigned at = (unsigned)__cvta_generic_to_shared(memory), v;
    at += threadIdx.x % 32 * 16 + (who >> threadIdx.x % 32 & 1 ? offset : 0);
    PTX("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
        : "=r"(v) : "r"(at) : "memory");
    p[threadIdx.x] = v;
}

__global__ void barrier(char *p, int offset, unsigned who)
{
    __shared__ alignas(16) char memory[64];
    unsigned at = (unsigned)__cvta_generic_to_shared(memory) + offset;
    if (threadIdx.x == 0)
        PTX("mbarrier.init.shared.b64 [%0], 1;" : : "r"(at) : "memory");
}

__global__ void bulk(char *p, int offset, unsigned who)
{
    __shared__ alignas(128) char memory[256];
    __shared__ alignas(8) long long bar;
    unsigned to = (unsigned)__cvta_generic_to_shared(memory);
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) {
        PTX("mbarrier.init.shared.b64 [%0], 1;" : : "r"(b) : "memory");
        PTX("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64;"
            : : "r"(b) : "memory");
        PTX("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
            " [%0], [%1], 64, [%2];"
            : : "r"(to), "l"(p + offset), "r"(b) : "memory");
        int done = 0;
        for (int i = 0; i < 1000000 && !done; i++)
            PTX("{ .reg .pred q; mbarrier.test_wait.parity.shared.b64 q, [%1], "
                "0; selp.u32 %0, 1, 0, q; }"
                : "=r"(done) : "r"(b) : "memory");
        p[0] = memory[0];
    }
}

// ---- matrices -----------------------------------------------------------------

#define TWO_WORDS   "{%0, %1}"
#define EIGHT_WORDS "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define WORD(i)     "=r"(v[i])

// In shared memory, or in `p`.
#define LOAD_8(name, form, in_shared)                                          \
    __global__ void name(char *p, int offset, unsigned who)                    \
    {                                                                          \
        __shared__ alignas(128) char memory[4096];                             \
        char *at = in_shared ? (char *)__cvta_generic_to_shared(memory) : p;   \
        unsigned v[8], sum = 0;                                                \
        PTX("wmma.load." form " " EIGHT_WORDS ", [%8], 16;"                    \
            : WORD(0), WORD(1), WORD(2), WORD(3), WORD(4), WORD(5), WORD(6),   \
              WORD(7)                                                          \
            : "l"(at + offset) : "memory");                                    \
        for (unsigned w : v)                                                   \
            sum += w;                                                          \
        p[threadIdx.x] = sum;                                                  \
    }
#define LOAD_2(name, form, in_shared)                                          \
    __global__ void name(char *p, int offset, unsigned who)                    \
    {                                                                          \
        __shared__ alignas(128) char memory[4096];                             \
        char *at = in_shared ? (char *)__cvta_generic_to_shared(memory) : p;   \
        unsigned v[2];                                                         \
        PTX("wmma.load." form " " TWO_WORDS ", [%2], 16;"                      \
            : WORD(0), WORD(1) : "l"(at + offset) : "memory");                 \
        p[threadIdx.x] = v[0] + v[1];                                          \
    }
#define STORE_F32(name, layout)                                                \
    __global__ void name(char *p, int offset, unsigned who)                    \
    {                                                                          \
        float f = 0;                                                           \
        PTX("wmma.store.d.sync.aligned." layout ".m16n16k16.global.f32 [%0],"  \
            " {%1, %1, %1, %1, %1, %1, %1, %1}, 16;"                           \
            : : "l"(p + offset), "f"(f) : "memory");                           \
    }
#define STORE_F64(name, layout)                                                \
    __global__ void name(char *p, int offset, unsigned who)                    \
    {                                                                          \
        double d = 0;                                                          \
        PTX("wmma.store.d.sync.aligned." layout ".m8n8k4.global.f64 [%0],"     \
            " {%1, %1}, 8;" : : "l"(p + offset), "d"(d) : "memory");           \
    }

LOAD_8(halves, "a.sync.aligned.row.m16n16k16.global.f16", false)
LOAD_8(halves_there, "b.sync.aligned.row.m16n16k16.shared.f16", true)
LOAD_2(bytes, "a.sync.aligned.row.m16n16k16.global.u8", false)
LOAD_2(bytes_there, "b.sync.aligned.col.m16n16k16.shared.s8", true)
LOAD_2(bytes_across, "a.sync.aligned.col.m16n16k16.shared.u8", true)
LOAD_8(words_by_row, "c.sync.aligned.row.m16n16k16.global.s32", false)
LOAD_8(words_by_column, "c.sync.aligned.col.m16n16k16.global.s32", false)
STORE_F32(singles_by_row, "row")
STORE_F32(singles_by_column, "col")
STORE_F64(doubles_by_row, "row")
STORE_F64(doubles_by_column, "col")

// ---- judging ----------------------------------------------------------------

typedef std::function<void(char *)> launch;

static void expect(const char *name, cudaError_t want, const launch &f)
{
    char *p;
    CHECK(cudaMalloc(&p, 1 << 16));
    CHECK(cudaMemset(p, 0, 1 << 16));
    f(p);
    cudaError_t launched = cudaGetLastError(), got = cudaDeviceSynchronize();
    if (launched || got != want)
        FAIL("%s: launch %s, then %s, should be %s", name,
             cudaGetErrorName(launched), cudaGetErrorName(got),
             cudaGetErrorName(want));
    if (got) {
        EXPECT(cudaGetLastError() == got);
        EXPECT(cudaFree(p) == got); // it stays
        CHECK(cudaDeviceReset());
        (void)cudaGetLastError();
    } else {
        CHECK(cudaFree(p));
    }
}

static const cudaError_t bad = cudaErrorMisalignedAddress, good = cudaSuccess;
static const unsigned all = ~0u;

#define EXPECT_OF(kernel, offset, who, want)                                   \
    expect(#kernel " +" #offset ", " #who, want,                               \
           [](char *p) { kernel<<<1, 32>>>(p, offset, who); })

static void check_loads()
{
    EXPECT_OF(load_2, 1, all, bad);
    EXPECT_OF(load_4, 1, all, bad);
    EXPECT_OF(load_4, 2, all, bad);
    EXPECT_OF(load_4, 4, all, good);
    EXPECT_OF(load_8, 4, all, bad);
    EXPECT_OF(load_2x4, 4, all, bad);
    EXPECT_OF(load_2x4, 8, all, good);
    EXPECT_OF(load_4x4, 8, all, bad);
    EXPECT_OF(load_2x8, 8, all, bad);
    EXPECT_OF(load_nc, 1, all, bad);
    EXPECT_OF(load_nc_2x4, 4, all, bad);
    EXPECT_OF(load_cg, 2, all, bad);
    EXPECT_OF(load_ldu, 2, all, bad);
    EXPECT_OF(load_volatile, 2, all, bad);
    EXPECT_OF(load_acquire, 2, all, bad);
    EXPECT_OF(load_generic, 2, all, bad);
}

static void check_stores()
{
    EXPECT_OF(store_2, 1, all, bad);
    EXPECT_OF(store_4, 2, all, bad);
    EXPECT_OF(store_8, 4, all, bad);
    EXPECT_OF(store_2x4, 4, all, bad);
    EXPECT_OF(store_4x4, 8, all, bad);
    EXPECT_OF(store_4x4, 16, all, good);
    EXPECT_OF(store_release, 2, all, bad);
}

static void check_atomics()
{
    EXPECT_OF(atom_add, 2, all, bad);
    EXPECT_OF(atom_cas, 4, all, bad);
    EXPECT_OF(atom_cas_2, 1, all, bad);
    EXPECT_OF(atom_cas_2, 2, all, good);
    EXPECT_OF(atom_exch, 1, all, bad);
    EXPECT_OF(atom_pair, 2, all, bad);
    EXPECT_OF(atom_16, 8, all, bad);
    EXPECT_OF(red_add, 2, all, bad);
    EXPECT_OF(red_float, 4, all, bad);
    EXPECT_OF(red_2x4, 4, all, bad);
    EXPECT_OF(red_2x4, 8, all, good);
}

// By no lane, by one, by those whose addresses are good.
static void check_lanes()
{
    EXPECT_OF(load_4, 2, 0, good);
    EXPECT_OF(load_4, 2, 0x100, bad);
    EXPECT_OF(load_4x4, 8, 0, good);
    EXPECT_OF(load_4x4, 8, 1, bad);
    EXPECT_OF(by_pointer, 2, all, bad);
    EXPECT_OF(by_pointer, 4, all, good);
    EXPECT_OF(by_pointer, 2, 0, good);
    EXPECT_OF(by_index, 2, all, bad);
    EXPECT_OF(by_index, 2, 0x20, bad);
    EXPECT_OF(by_index, 2, ~0x20u, good);
    EXPECT_OF(in_a_loop, 2, all, bad);
    EXPECT_OF(in_a_loop, 4, all, good);
    EXPECT_OF(in_a_function, 4, all, bad);
    EXPECT_OF(in_a_function, 8, all, good);
    EXPECT_OF(odd_stride, 7, all, bad);
    EXPECT_OF(odd_stride, 7, 0x55555555, good);
    EXPECT_OF(odd_stride, 7, 0xaaaaaaaa, bad);
    expect("structure", bad, [](char *p) {
        in_a_structure<<<1, 32>>>(pointers{1, p + 2}, 2, all);
    });
    expect("structure", good, [](char *p) {
        in_a_structure<<<1, 32>>>(pointers{1, p + 4}, 2, all);
    });
}

static void check_windows()
{
    EXPECT_OF(in_constants, 2, all, bad);
    EXPECT_OF(in_constants, 4, all, good);
    EXPECT_OF(in_shared, 2, all, bad);
    EXPECT_OF(in_shared, 2, 0, good);
    EXPECT_OF(in_shared, 4, all, good);
    EXPECT_OF(in_shared_2x4, 4, all, bad);
    EXPECT_OF(in_shared_2x4, 8, all, good);
    EXPECT_OF(in_shared_atom, 2, all, bad);
    EXPECT_OF(in_local, 2, all, bad);
    EXPECT_OF(in_local, 2, 0, good);
    EXPECT_OF(in_local, 4, all, good);
    EXPECT_OF(in_local_2x4, 4, all, bad);
    EXPECT_OF(in_local_2x4, 8, all, good);
    expect("parameters", bad, [](char *p) {
        in_parameters<<<1, 32>>>(int4{1, 2, 3, 4}, p, 2, all);
    });
    expect("parameters", good, [](char *p) {
        in_parameters<<<1, 32>>>(int4{1, 2, 3, 4}, p, 4, all);
    });
}

static void check_copies()
{
    EXPECT_OF(copy_from, 8, all, bad);
    EXPECT_OF(copy_from, 8, 0, good);
    EXPECT_OF(copy_from, 16, all, good);
    EXPECT_OF(copy_to, 2, all, bad);
    EXPECT_OF(copy_to, 4, all, good);
    EXPECT_OF(rows, 8, 1, bad);
    EXPECT_OF(rows, 8, 0x80, bad);
    EXPECT_OF(rows, 8, 0xffffff00, good);
    EXPECT_OF(barrier, 4, all, bad);
    EXPECT_OF(bulk, 8, all, bad);
    EXPECT_OF(bulk, 0, all, good);
}

static void check_matrices()
{
    EXPECT_OF(halves, 2, all, bad);
    EXPECT_OF(halves, 4, all, good);
    EXPECT_OF(halves_there, 8, all, bad);
    EXPECT_OF(halves_there, 16, all, good);
    EXPECT_OF(bytes, 2, all, bad);
    EXPECT_OF(bytes, 4, all, good);
    EXPECT_OF(bytes_there, 8, all, bad);
    EXPECT_OF(bytes_across, 1, all, good);
    EXPECT_OF(words_by_row, 4, all, bad);
    EXPECT_OF(words_by_row, 8, all, good);
    EXPECT_OF(words_by_column, 2, all, bad);
    EXPECT_OF(words_by_column, 4, all, good);
    EXPECT_OF(singles_by_row, 4, all, bad);
    EXPECT_OF(singles_by_row, 8, all, good);
    EXPECT_OF(singles_by_column, 4, all, good);
    EXPECT_OF(doubles_by_row, 8, all, bad);
    EXPECT_OF(doubles_by_column, 8, all, good);
}

int main()
{
    check_loads();
    check_stores();
    check_atomics();
    check_lanes();
    check_windows();
    check_copies();
    check_matrices();
    return finish();
}
