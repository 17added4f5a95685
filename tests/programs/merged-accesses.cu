// SPDX-License-Identifier: Apache-2.0
//
// Sixteen bytes that are moved in pieces, since the array that they lie in is
// one of smaller elements: pieces of every size, in any order, by all lanes or
// some, and pieces that are no group although they look like one.
#include "check.h"

const int count = 256;

// ---- copies that the compiler takes apart
// ------------------------------------

// Thread i takes element from[i], through an array of T's.
template <typename T>
__global__ void copy(const int4 *in, int4 *out, const int *from, unsigned lanes)
{
    __shared__ T room[count * 16 / sizeof(T)];
    const int each = 16 / sizeof(T);
    int i = threadIdx.x;

    if (lanes >> i % 32 & 1)
        *(int4 *)&room[each * from[i]] = in[i];
    __syncthreads();
    if (lanes >> (i + 1) % 32 & 1)
        out[i] = *(int4 *)&room[each * i];
}

// ---- pieces one by one
// -------------------------------------------------------

#define PIECES                                                                 \
    "{ .reg .b64 p; .reg .b32 a, b, c, d; .reg .pred q; mov.b64 p, %0; "

// Numbers by which the results are told: what thread i does to the eight words
// at p, and what it returns.
__device__ static unsigned act(int what, unsigned *p, unsigned x)
{
    unsigned r = 0, s = 0;

    switch (what) {
    case 0: // out of order, two groups
        asm volatile(
            PIECES "st.global.b32 [p+12], %1; st.global.b32 [p+28], 7;"
                   "st.global.b32 [p+4], %1; st.global.b32 [p+20], 5;"
                   "st.global.b32 [p+16], 4; st.global.b32 [p+8], %1;"
                   "st.global.b32 [p], 9; st.global.b32 [p+24], 6; }" ::"l"(p),
            "r"(x)
            : "memory");
        break;
    case 1: // one word is stored twice
        asm volatile(PIECES "st.global.b32 [p], 1; st.global.b32 [p+4], %1;"
                            "st.global.b32 [p], 2; st.global.b32 [p+8], 3;"
                            "st.global.b32 [p+12], 4; }" ::"l"(p),
                     "r"(x)
                     : "memory");
        break;
    case 2: // the stored register changes
        asm volatile(PIECES "mov.b32 a, %1;"
                            "st.global.b32 [p], a; add.u32 a, a, 1;"
                            "st.global.b32 [p+4], a; add.u32 a, a, 1;"
                            "st.global.b32 [p+8], a; add.u32 a, a, 1;"
                            "st.global.b32 [p+12], a; }" ::"l"(p),
                     "r"(x)
                     : "memory");
        break;
    case 3: // the base changes
        asm volatile(
            PIECES
            "st.global.b32 [p], %1; st.global.b32 [p+4], 1;"
            "add.u64 p, p, 4;"
            "st.global.b32 [p+8], 2; st.global.b32 [p+12], 3; }" ::"l"(p),
            "r"(x)
            : "memory");
        break;
    case 4: // one piece has a guard
        asm volatile(
            PIECES
            "setp.lt.u32 q, %1, 100;"
            "st.global.b32 [p], %1; st.global.b32 [p+4], 1;"
            "@q st.global.b32 [p+8], 2; st.global.b32 [p+12], 3; }" ::"l"(p),
            "r"(x)
            : "memory");
        break;
    case 5: // a store between the loads
        asm volatile("{ .reg .b64 p; .reg .b32 a, b, c, d; mov.b64 p, %1;"
                     "ld.global.b32 a, [p]; st.global.b32 [p+8], %2;"
                     "ld.global.b32 b, [p+4]; ld.global.b32 c, [p+8];"
                     "ld.global.b32 d, [p+12];"
                     "mad.lo.u32 a, b, 3, a; mad.lo.u32 c, d, 7, c;"
                     "mad.lo.u32 %0, c, 31, a; }"
                     : "=r"(r)
                     : "l"(p), "r"(x)
                     : "memory");
        break;
    case 6: // a loaded register is loaded again, and used before that
        asm volatile("{ .reg .b64 p; .reg .b32 a, b, c; mov.b64 p, %1;"
                     "ld.global.b32 a, [p+12]; ld.global.b32 b, [p+8];"
                     "add.u32 c, a, b; ld.global.b32 a, [p+4];"
                     "mad.lo.u32 c, a, 5, c; ld.global.b32 b, [p];"
                     "mad.lo.u32 %0, b, 11, c; }"
                     : "=r"(r)
                     : "l"(p)
                     : "memory");
        break;
    case 7: // a load of what was stored, between the stores
        asm volatile("{ .reg .b64 p; mov.b64 p, %1;"
                     "st.global.b32 [p], %2; st.global.b32 [p+4], 1;"
                     "ld.global.b32 %0, [p+4];"
                     "st.global.b32 [p+8], 2; st.global.b32 [p+12], 3; }"
                     : "=r"(r)
                     : "l"(p), "r"(x)
                     : "memory");
        break;
    case 8: // halves, and words that are no piece of the group
        asm volatile("{ .reg .b64 p; .reg .b16 h<9>; .reg .b32 w; mov.b64 p, "
                     "%1; cvt.u16.u32 h0, %2;"
                     "st.global.b16 [p], h0; st.global.b16 [p+2], 2;"
                     "st.global.b16 [p+4], 3; st.global.b16 [p+6], h0;"
                     "st.global.b32 [p+16], 77;"
                     "st.global.b16 [p+8], 4; st.global.b16 [p+10], 5;"
                     "st.global.b16 [p+12], h0; st.global.b16 [p+14], 6;"
                     "ld.global.b16 h1, [p+14]; ld.global.b16 h2, [p+12];"
                     "ld.global.b16 h3, [p+10]; ld.global.b16 h4, [p+8];"
                     "ld.global.b16 h5, [p+6]; ld.global.b16 h6, [p+4];"
                     "ld.global.b16 h7, [p+2]; ld.global.b16 h8, [p];"
                     "add.u16 h1, h1, h3; add.u16 h5, h5, h7;"
                     "mad.lo.u16 h1, h2, h4, h1; mad.lo.u16 h5, h6, h8, h5;"
                     "mad.lo.u16 h1, h5, 3, h1; cvt.u32.u16 %0, h1; }"
                     : "=r"(r)
                     : "l"(p), "r"(x)
                     : "memory");
        break;
    default: // bytes, from the last to the first
        asm volatile("{ .reg .b64 p; .reg .b32 h<4>; mov.b64 p, %2;"
                     "ld.global.u8 h3, [p+15]; ld.global.u8 h2, [p+14];"
                     "ld.global.u8 h1, [p+13]; ld.global.u8 h0, [p+12];"
                     "mad.lo.u32 h0, h1, 3, h0; mad.lo.u32 h2, h3, 5, h2;"
                     "add.u32 %0, h0, h2;"
                     "ld.global.b32 %1, [p+4]; }"
                     : "=r"(r), "=r"(s)
                     : "l"(p)
                     : "memory");
    }
    return r + s;
}

const int acts = 10;

// The same on the host, where nothing is joined.
static unsigned act_here(int what, unsigned *p, unsigned x)
{
    unsigned char *b = (unsigned char *)p;
    unsigned short *h = (unsigned short *)p;

    switch (what) {
    case 0:
        p[0] = 9, p[1] = p[2] = p[3] = x;
        p[4] = 4, p[5] = 5, p[6] = 6, p[7] = 7;
        return 0;
    case 1:
        p[0] = 2, p[1] = x, p[2] = 3, p[3] = 4;
        return 0;
    case 2:
        p[0] = x, p[1] = x + 1, p[2] = x + 2, p[3] = x + 3;
        return 0;
    case 3:
        p[0] = x, p[1] = 1, p[3] = 2, p[4] = 3;
        return 0;
    case 4:
        p[0] = x, p[1] = 1, p[3] = 3;
        if (x < 100)
            p[2] = 2;
        return 0;
    case 5:
        p[2] = x;
        return (p[2] + p[3] * 7) * 31 + p[0] + p[1] * 3;
    case 6:
        return p[3] + p[2] + p[1] * 5 + p[0] * 11;
    case 7:
        p[0] = x, p[1] = 1, p[2] = 2, p[3] = 3;
        return 1;
    case 8: {
        unsigned short v = (unsigned short)x;
        h[0] = v, h[1] = 2, h[2] = 3, h[3] = v, h[4] = 4, h[5] = 5, h[6] = v;
        h[7] = 6, p[4] = 77;
        unsigned short first = (unsigned short)(h[7] + h[5] + h[6] * h[4]);
        unsigned short second = (unsigned short)(h[3] + h[1] + h[2] * h[0]);
        return (unsigned short)(first + second * 3);
    }
    default:
        return b[12] + b[13] * 3 + b[14] + b[15] * 5 + p[1];
    }
}

__global__ void each(int what, unsigned *words, unsigned *results,
                     const int *from, unsigned lanes)
{
    int i = threadIdx.x;
    if (lanes >> i % 32 & 1)
        results[i] = act(what, words + 8 * from[i], 3 * i);
}

// ---- what is expected
// ----------------------------------------------------------

static int permuted(int i)
{
    return (i * 37 + 11) % count;
}

template <typename T> static void check_copy(const char *name, unsigned lanes)
{
    buffer<int4> in(count), out(count);
    buffer<int> from(count);

    for (int i = 0; i < count; i++) {
        in[i] = make_int4(i, -i, i * 65537, i ^ 0x5a5a5a5a);
        out[i] = make_int4(-1, -1, -1, -1);
        from[i] = permuted(i);
    }
    in.upload();
    out.upload();
    from.upload();
    copy<T><<<1, count>>>(in.device, out.device, from.device, lanes);
    out.download();
    for (int i = 0; i < count; i++) {
        int to = from[i];
        if (!(lanes >> i % 32 & 1) || !(lanes >> (to + 1) % 32 & 1))
            continue;
        if (memcmp(&out[to], &in[i], sizeof(int4)) != 0)
            FAIL("%s, lanes %08x: element %d is not %d's", name, lanes, to, i);
    }
}

static void check_act(int what, unsigned lanes)
{
    buffer<unsigned> words(8 * count), results(count);
    buffer<int> from(count);
    std::vector<unsigned> want(8 * count), want_results(count);

    for (int i = 0; i < 8 * count; i++)
        words[i] = want[i] = i * 2654435761u;
    for (int i = 0; i < count; i++) {
        results[i] = want_results[i] = 0;
        from[i] = permuted(i);
    }
    for (int i = 0; i < count; i++)
        if (lanes >> i % 32 & 1)
            want_results[i] = act_here(what, &want[8 * from[i]], 3 * i);
    words.upload();
    results.upload();
    from.upload();
    each<<<1, count>>>(what, words.device, results.device, from.device, lanes);
    words.download();
    results.download();
    for (int i = 0; i < 8 * count; i++)
        if (words[i] != want[i])
            FAIL("act %d, lanes %08x: word %d is %u, should be %u", what, lanes,
                 i, words[i], want[i]);
    for (int i = 0; i < count; i++)
        if (results[i] != want_results[i])
            FAIL("act %d, lanes %08x: thread %d has %u, should have %u", what,
                 lanes, i, results[i], want_results[i]);
}

int main()
{
    const unsigned lanes[] = {0xffffffff, 0x0000ffff, 0xa5a50f31, 1};

    for (unsigned l : lanes) {
        check_copy<char>("char", l);
        check_copy<short>("short", l);
        check_copy<float>("float", l);
        check_copy<double>("double", l);
        for (int what = 0; what < acts; what++)
            check_act(what, l);
    }
    return finish();
}
