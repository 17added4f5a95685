// SPDX-License-Identifier: Apache-2.0
//
// PTX in CUDA code: special registers, predicates, carries, conversions,
// loads and stores with a space, several instructions with labels and local
// registers, text as operands, clocks and timers.
#include "check.h"

__global__ void special(unsigned *out)
{
    unsigned lane, warps, tid, ntid, ctaid, nctaid, lt, le, gt, ge, eq;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%tid.x;" : "=r"(tid));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(ntid));
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(ctaid));
    asm("mov.u32 %0, %%nctaid.x;" : "=r"(nctaid));
    asm("mov.u32 %0, WARP_SZ;" : "=r"(warps));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(le));
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
    const unsigned all[] = {lane, tid, ntid, ctaid, nctaid, warps,
                            lt,   le,  gt,   ge,    eq};
    unsigned *p = out + 11 * (ctaid * ntid + tid);
    for (int k = 0; k < 11; k++)
        p[k] = all[k];
}

static void check_special()
{
    const int size = 70, blocks = 2;
    buffer<unsigned> out(11 * size * blocks);
    std::vector<unsigned> want;
    for (unsigned b = 0; b < blocks; b++) {
        for (unsigned t = 0; t < size; t++) {
            unsigned eq = 1u << t % 32, lt = eq - 1;
            const unsigned all[] = {t % 32,     t,   size, b,
                                    blocks,     32,  lt,   lt | eq,
                                    ~(lt | eq), ~lt, eq};
            want.insert(want.end(), all, all + 11);
        }
    }
    special<<<blocks, size>>>(out.device);
    out.download();
    expect_same("special registers", out, want);
}

// 128-bit sums by the carry flag.
__device__ ulonglong2 add_wide(ulonglong2 a, ulonglong2 b)
{
    ulonglong2 r;
    asm("add.cc.u64 %0, %2, %4;\n\t"
        "addc.u64 %1, %3, %5;"
        : "=l"(r.x), "=l"(r.y)
        : "l"(a.x), "l"(a.y), "l"(b.x), "l"(b.y));
    return r;
}

__device__ uint3 subtract_wide(uint3 a, uint3 b)
{
    uint3 r;
    asm("sub.cc.u32 %0, %3, %6;\n\t"
        "subc.cc.u32 %1, %4, %7;\n\t"
        "subc.u32 %2, %5, %8;"
        : "=r"(r.x), "=r"(r.y), "=r"(r.z)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(b.x), "r"(b.y), "r"(b.z));
    return r;
}

static __host__ __device__ unsigned long long part(int i)
{
    return i % 5 == 0 ? ~0ull
                      : (unsigned long long)scramble(i) << 32 | scramble(i + 1);
}

__global__ void carries(ulonglong2 *sums, uint3 *differences, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    ulonglong2 a = {part(i), part(i + 2)}, b = {part(i + 4), part(i + 6)};
    sums[i] = add_wide(a, b);
    uint3 c = {(unsigned)part(i), (unsigned)part(i + 1), 5u};
    uint3 d = {(unsigned)part(i + 3), (unsigned)part(i + 4), 2u};
    differences[i] = subtract_wide(c, d);
}

static void check_carries()
{
    const int n = 300;
    buffer<ulonglong2> sums(n);
    buffer<uint3> differences(n);
    std::vector<ulonglong2> want(n);
    std::vector<uint3> want_differences(n);
    for (int i = 0; i < n; i++) {
        unsigned __int128 a = (unsigned __int128)part(i + 2) << 64 | part(i);
        unsigned __int128 b =
            (unsigned __int128)part(i + 6) << 64 | part(i + 4);
        a += b;
        want[i] = {(unsigned long long)a, (unsigned long long)(a >> 64)};
        unsigned __int128 c = (unsigned __int128)5 << 64 |
                              (unsigned long long)(unsigned)part(i + 1) << 32 |
                              (unsigned)part(i);
        unsigned __int128 d = (unsigned __int128)2 << 64 |
                              (unsigned long long)(unsigned)part(i + 4) << 32 |
                              (unsigned)part(i + 3);
        c -= d;
        want_differences[i] = {(unsigned)c, (unsigned)(c >> 32),
                               (unsigned)(c >> 64)};
    }
    carries<<<5, 64>>>(sums.device, differences.device, n);
    sums.download();
    differences.download();
    expect_same("sums", sums, want);
    expect_same("differences", differences, want_differences);
}

__device__ int by_predicate(int a, int b)
{
    int r;
    asm("{\n\t"
        ".reg .pred p, q;\n\t"
        "setp.lt.s32 p|q, %1, %2;\n\t"
        "@p add.s32 %0, %1, 1000;\n\t"
        "@q sub.s32 %0, %1, %2;\n\t"
        "}"
        : "=&r"(r)
        : "r"(a), "r"(b));
    return r;
}

__device__ int by_loop(int n)
{
    int r;
    asm("{\n\t"
        ".reg .pred p;\n\t"
        ".reg .s32 k;\n\t"
        "mov.s32 %0, 0;\n\t"
        "mov.s32 k, %1;\n"
        "$again%=:\n\t"
        "add.s32 %0, %0, k;\n\t"
        "sub.s32 k, k, 1;\n\t"
        "setp.gt.s32 p, k, 0;\n\t"
        "@p bra $again%=;\n\t"
        "}"
        : "=&r"(r)
        : "r"(n));
    return r;
}

__global__ void blocks_of_code(int *out, int n)
{
    int i = thread_in_grid();
    if (i < n)
        out[i] = by_predicate(i, 50) * 10000 + by_loop(i % 20 + 1);
}

static void check_blocks_of_code()
{
    const int n = 150;
    buffer<int> out(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) {
        int k = i % 20 + 1;
        want[i] = (i < 50 ? i + 1000 : i - 50) * 10000 + k * (k + 1) / 2;
    }
    blocks_of_code<<<3, 64>>>(out.device, n);
    out.download();
    expect_same("blocks of code", out, want);
}

__device__ int spaces_variable = 17;

__global__ void spaces(int *out, const int *in)
{
    __shared__ int values[64];
    int i = threadIdx.x, a, b, c;
    unsigned shared = (unsigned)__cvta_generic_to_shared(&values[i]);
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(shared), "r"(i * 5)
                 : "memory");
    __syncthreads();
    asm volatile("ld.shared.s32 %0, [%1];"
                 : "=r"(a)
                 : "r"(shared ^ 4)
                 : "memory");
    asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(b) : "l"(in + i));
    asm volatile("ld.global.s32 %0, [%1+4];"
                 : "=r"(c)
                 : "l"(in + i)
                 : "memory");
    int4 four;
    asm volatile("ld.global.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
                 : "l"(in + i / 4 * 4));
    int sum = a + b * 2 + c * 3 + four.x + four.w;
    asm volatile("red.global.add.s32 [%0], %1;" ::"l"(out + 64), "r"(1)
                 : "memory");
    asm volatile("st.global.s32 [%0], %1;" ::"l"(out + i), "r"(sum) : "memory");
}

static void check_spaces()
{
    buffer<int> out(65, 0), in(68);
    std::vector<int> want(65);
    for (int i = 0; i < 68; i++)
        in[i] = (int)(scramble(i) % 1000);
    for (int i = 0; i < 64; i++)
        want[i] = (i ^ 1) * 5 + in[i] * 2 + in[i + 1] * 3 + in[i / 4 * 4] +
                  in[i / 4 * 4 + 3];
    want[64] = 64;
    in.upload();
    spaces<<<1, 64>>>(out.device, in.device);
    out.download();
    expect_same("spaces", out, want);
}

// ---- text as operands -------------------------------------------------------

struct add_of {
    static constexpr char name[] = "add", type[] = "u32";
};
struct min_of {
    static constexpr char name[] = "min", type[] = "s32";
};
constexpr char plus_seven[] = ", 7", where[] = "global";

template <typename Op> __device__ int apply(int a, int b)
{
    int c;
    asm("%1.%4 %0, %2, %3; // 100%%"
        : "=r"(c)
        : "C"(Op::name), "r"(a), "r"(b), "C"(Op::type));
    return c;
}

__global__ void texts(int *out)
{
    int i = (int)threadIdx.x;
    out[3 * i] = apply<add_of>(i, -20);
    out[3 * i + 1] = apply<min_of>(i, -3);
    asm volatile("{ .reg .b32 %%t; mul.lo.s32 %%t, %1, 3; add.s32 %%t, %%t"
                 "%10;"
                 " st.%2.b32 [%0], %%t; }" ::"l"(out + 3 * i + 2),
                 "r"(i), "C"(where), "n"(3), "n"(4), "n"(5), "n"(6), "n"(7),
                 "n"(8), "n"(9), "C"(plus_seven)
                 : "memory");
}

static void check_texts()
{
    buffer<int> out(96);
    texts<<<1, 32>>>(out.device);
    out.download();
    for (int i = 0; i < 32; i++) {
        EXPECT_EQ(out[3 * i], i - 20);
        EXPECT_EQ(out[3 * i + 1], -3);
        EXPECT_EQ(out[3 * i + 2], 3 * i + 7);
    }
}

__global__ void clocks(long long *out)
{
    long long start = clock64();
    clock_t small = clock();
    unsigned long long timer, later;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
    __nanosleep(2000);
    for (int i = 0; i < 1000; i++)
        asm volatile("" ::: "memory");
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(later));
    out[0] = clock64() - start;
    out[1] = clock() - small;
    out[2] = (long long)(later - timer);
    clock_t whole = clock(); // 64 bits, and not those of %clock
    out[3] = clock64() - whole;
}

static void check_clocks()
{
    buffer<long long> out(4);
    clocks<<<1, 1>>>(out.device);
    out.download();
    EXPECT(out[0] > 0 && out[1] > 0 && out[2] >= 0);
    EXPECT(out[3] >= 0 && out[3] < (long long)1 << 32);
}

int main()
{
    check_special();
    check_carries();
    check_blocks_of_code();
    check_spaces();
    check_texts();
    check_clocks();
    return finish();
}
