// SPDX-License-Identifier: Apache-2.0
//
// Intrinsics that work on the bytes or halfwords of a word, or on the word,
// against their definitions (word-intrinsics.def): all pairs of bytes, and
// halfwords and words with many at the ends of their range.
#include "check.h"

enum { PAIRS = 65536 / 4, COUNT = PAIRS + 4096 };

static __host__ __device__ unsigned mixed(unsigned i)
{
    unsigned v = scramble((int)i);
    return i % 3 == 0 ? v & 0x80ff7f01u : i % 3 == 1 ? v | 0x7f80ff00u : v;
}

// Each byte of the first words with each of the second: four pairs in a word.
static __host__ __device__ unsigned first(unsigned i)
{
    return i < PAIRS ? (4 * i & 255) * 0x01010101u + 0x03020100u : mixed(i);
}
static __host__ __device__ unsigned second(unsigned i)
{
    return i < PAIRS ? (4 * i >> 8) * 0x01010101u : mixed(i * 7 + 3);
}
static __host__ __device__ unsigned third(unsigned i)
{
    return i % 4 ? mixed(i * 5 + 1) : i >> 2 & 63;
}

#define NAMED(name, call)                                                      \
    __global__ void run_##name(unsigned *out)                                  \
    {                                                                          \
        unsigned i = (unsigned)thread_in_grid();                               \
        unsigned a = first(i), b = second(i), c = third(i);                    \
        (void)b, (void)c;                                                      \
        out[i] = (unsigned)(call);                                             \
    }
#define V(name, bits, sign, expression)  NAMED(name, name(a, b))
#define V1(name, bits, sign, expression) NAMED(name, name(a))
#define V3(name, bits, sign, expression) NAMED(name, name(a, b, c))
#define SUM(name, bits, sign)            NAMED(name, name(a, b))
#include "word-intrinsics.def"

static long long part_S(unsigned word, int bits, int at)
{
    return (long long)((unsigned long long)word << (64 - bits - at)) >>
           (64 - bits);
}
static long long part_U(unsigned word, int bits, int at)
{
    return (long long)(word >> at & ((1ull << bits) - 1));
}

#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
#define CLAMP_S(v)          CLAMP(v, -(1ll << (bits - 1)), (1ll << (bits - 1)) - 1)
#define CLAMP_U(v)          CLAMP(v, 0ll, (1ll << bits) - 1)
#define WRAP_S(v)           part_S((unsigned)(v), bits, 0)
#define WRAP_U(v)           part_U((unsigned)(v), bits, 0)

#define WANTED(name, width, sign, expression)                                  \
    static unsigned want_##name(unsigned a, unsigned b, unsigned c)            \
    {                                                                          \
        const int bits = width;                                                \
        unsigned word = 0;                                                     \
        for (int at = 0; at < 32; at += bits) {                                \
            long long x = part_##sign(a, bits, at);                            \
            long long y = part_##sign(b, bits, at);                            \
            long long z = part_##sign(c, bits, at);                            \
            (void)y, (void)z;                                                  \
            word |= (unsigned)part_U((unsigned)(expression), bits, 0) << at;   \
        }                                                                      \
        return word;                                                           \
    }
#define V(name, bits, sign, expression)  WANTED(name, bits, sign, expression)
#define V1(name, bits, sign, expression) WANTED(name, bits, sign, expression)
#define V3(name, bits, sign, expression) WANTED(name, bits, sign, expression)
#define SUM(name, bits, sign)                                                  \
    static unsigned want_##name(unsigned a, unsigned b, unsigned)              \
    {                                                                          \
        long long sum = 0;                                                     \
        for (int at = 0; at < 32; at += bits) {                                \
            long long d = part_##sign(a, bits, at) - part_##sign(b, bits, at); \
            sum += d < 0 ? -d : d;                                             \
        }                                                                      \
        return (unsigned)sum;                                                  \
    }
#include "word-intrinsics.def"

static void check_one(const char *name, void (*kernel)(unsigned *),
                      unsigned (*want)(unsigned, unsigned, unsigned))
{
    static buffer<unsigned> out(COUNT);
    kernel<<<COUNT / 256, 256>>>(out.device);
    CHECK_KERNEL();
    out.download();
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned w = want(first(i), second(i), third(i));
        if (out.host[i] == w)
            continue;
        FAIL("%s(%08x, %08x, %08x) = %08x, should be %08x", name, first(i),
             second(i), third(i), out.host[i], w);
        break;
    }
}

// Which of two is the result, besides the result.
__global__ void which(unsigned *out)
{
    int i = thread_in_grid();
    unsigned a = first(i), b = second(i);
    bool high, low, one;
    unsigned r = __vibmax_s16x2(a, b, &high, &low);
    r ^= __vibmin_u16x2(a, b, &one, &one);
    r += high + 2 * low;
    bool big, small;
    r ^= (unsigned)__vibmax_s32((int)a, (int)b, &big) * 3;
    r ^= __vibmin_u32(a, b, &small) * 5;
    out[i] = r + 4 * big + 8 * small;
}

static void check_which()
{
    buffer<unsigned> out(COUNT);
    which<<<COUNT / 256, 256>>>(out.device);
    CHECK_KERNEL();
    out.download();
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned a = first(i), b = second(i);
        bool high = (short)(a >> 16) >= (short)(b >> 16);
        bool low = (short)a >= (short)b;
        unsigned r = ((high ? a : b) & 0xffff0000u) | ((low ? a : b) & 0xffffu);
        r ^= (a >> 16 <= b >> 16 ? a : b) & 0xffff0000u;
        r ^= ((a & 0xffff) <= (b & 0xffff) ? a : b) & 0xffffu;
        r += high + 2 * low;
        bool big = (int)a >= (int)b, small = a <= b;
        r ^= (big ? a : b) * 3;
        r ^= (small ? a : b) * 5;
        EXPECT_EQ(out.host[i], r + 4 * big + 8 * small);
    }
}

int main()
{
#define V(name, bits, sign, expression)                                        \
    check_one(#name, run_##name, want_##name);
#define V1(name, bits, sign, expression) V(name, bits, sign, expression)
#define V3(name, bits, sign, expression) V(name, bits, sign, expression)
#define SUM(name, bits, sign)            V(name, bits, sign, 0)
#include "word-intrinsics.def"
    check_which();
    return finish();
}
