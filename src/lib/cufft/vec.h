/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of FFT_LANES reals, and the ways of moving numbers between lanes.
 * Everything moves within 16 bytes where it can: that is one instruction.
 */
#ifndef WEFT_FFT_VEC_H
#define WEFT_FFT_VEC_H

#ifdef FFT_IS_DOUBLE
typedef double real;
#define FFT_PART 2 /* reals in 16 bytes */
#else
typedef float real;
#define FFT_PART 4
#endif

#define V (FFT_LANES)
typedef real vec __attribute__((vector_size(V * sizeof(real))));
typedef real loose __attribute__((vector_size(V * sizeof(real)),
                                  aligned(sizeof(real)), may_alias));

/* A complex number per lane. */
struct cv {
    vec r, i;
};

#define INLINE static inline __attribute__((always_inline))

/* ---- orders of lanes -------------------------------------------------- */

/* The same choice in every 16 bytes: i < FFT_PART is of a, others of b. */
#define IN_PART(o, i) ((i) < FFT_PART ? (i) + (o) : (i)-FFT_PART + (o) + V)
#if FFT_PART == 2
#define CHOOSE(o, a, b, c, d) IN_PART(o, a), IN_PART(o, b)
#else
#define CHOOSE(o, a, b, c, d)                                                  \
    IN_PART(o, a), IN_PART(o, b), IN_PART(o, c), IN_PART(o, d)
#endif
/* Blocks of s lanes, exchanged across the diagonal. */
#define UPPER(s, l) (((l) & (s)) ? V + (l) - (s) : (l))
#define LOWER(s, l) (((l) & (s)) ? V + (l) : (l) + (s))
#define BACK(s, l)  (V - 1 - (l))

/* Which of V numbers in memory a lane has. */
#define HALF_PART (FFT_PART / 2)
#define ORDER(s, l)                                                            \
    ((l) / FFT_PART * HALF_PART + (l) % HALF_PART +                            \
     ((l) % FFT_PART >= HALF_PART ? V / 2 : 0))

#if V == FFT_PART
#define PARTS(a, b, c, d) CHOOSE(0, a, b, c, d)
#elif V == 2 * FFT_PART
#define PARTS(a, b, c, d) CHOOSE(0, a, b, c, d), CHOOSE(FFT_PART, a, b, c, d)
#else
#define PARTS(a, b, c, d)                                                      \
    CHOOSE(0, a, b, c, d), CHOOSE(FFT_PART, a, b, c, d),                       \
        CHOOSE(2 * FFT_PART, a, b, c, d), CHOOSE(3 * FFT_PART, a, b, c, d)
#endif

#define LANES2(m, s, o) m(s, o), m(s, (o) + 1)
#define LANES4(m, s, o) LANES2(m, s, o), LANES2(m, s, (o) + 2)
#define LANES8(m, s, o) LANES4(m, s, o), LANES4(m, s, (o) + 4)
#if V == 2
#define LANES(m, s) LANES2(m, s, 0)
#elif V == 4
#define LANES(m, s) LANES4(m, s, 0)
#elif V == 8
#define LANES(m, s) LANES8(m, s, 0)
#else
#define LANES(m, s) LANES8(m, s, 0), LANES8(m, s, 8)
#endif

static const unsigned char order[V] = {LANES(ORDER, 0)};

INLINE vec reverse(vec a)
{
    return __builtin_shufflevector(a, a, LANES(BACK, 0));
}

/* ---- V complex numbers that lie together ------------------------------ */

INLINE struct cv load_pairs(const void *at)
{
    const loose *p = at;
    vec a = p[0], b = p[1];
#if FFT_PART == 2
    return (struct cv){__builtin_shufflevector(a, b, PARTS(0, 2, 0, 0)),
                       __builtin_shufflevector(a, b, PARTS(1, 3, 0, 0))};
#else
    return (struct cv){__builtin_shufflevector(a, b, PARTS(0, 2, 4, 6)),
                       __builtin_shufflevector(a, b, PARTS(1, 3, 5, 7))};
#endif
}

INLINE void store_pairs(void *at, struct cv x)
{
    loose *p = at;
#if FFT_PART == 2
    p[0] = __builtin_shufflevector(x.r, x.i, PARTS(0, 2, 0, 0));
    p[1] = __builtin_shufflevector(x.r, x.i, PARTS(1, 3, 0, 0));
#else
    p[0] = __builtin_shufflevector(x.r, x.i, PARTS(0, 4, 1, 5));
    p[1] = __builtin_shufflevector(x.r, x.i, PARTS(2, 6, 3, 7));
#endif
}

INLINE struct cv swap_if(bool swap, struct cv x)
{
    return swap ? (struct cv){x.i, x.r} : x;
}

/* ---- transposing V vectors -------------------------------------------- */

INLINE void exchange_2(vec *a, vec *b)
{
#if FFT_PART == 2
    vec low = __builtin_shufflevector(*a, *b, PARTS(0, 2, 0, 0));
    *b = __builtin_shufflevector(*a, *b, PARTS(1, 3, 0, 0));
#else
    vec low = __builtin_shufflevector(*a, *b, PARTS(0, 4, 1, 5));
    *b = __builtin_shufflevector(*a, *b, PARTS(2, 6, 3, 7));
#endif
    *a = low;
}

#if FFT_PART == 4
INLINE void transpose_part(vec *r)
{
    exchange_2(&r[0], &r[1]);
    exchange_2(&r[2], &r[3]);
    vec a = r[0], b = r[1], c = r[2], d = r[3];
    r[0] = __builtin_shufflevector(a, c, PARTS(0, 1, 4, 5));
    r[1] = __builtin_shufflevector(a, c, PARTS(2, 3, 6, 7));
    r[2] = __builtin_shufflevector(b, d, PARTS(0, 1, 4, 5));
    r[3] = __builtin_shufflevector(b, d, PARTS(2, 3, 6, 7));
}
#else
INLINE void transpose_part(vec *r)
{
    exchange_2(&r[0], &r[1]);
}
#endif

#define EXCHANGE(r, s)                                                         \
    do {                                                                       \
        _Pragma("GCC unroll 16") for (unsigned k = 0; k < V; k++)              \
        {                                                                      \
            if (k & (s))                                                       \
                continue;                                                      \
            vec a_ = (r)[k], b_ = (r)[k | (s)];                                \
            (r)[k] = __builtin_shufflevector(a_, b_, LANES(UPPER, s));         \
            (r)[k | (s)] = __builtin_shufflevector(a_, b_, LANES(LOWER, s));   \
        }                                                                      \
    } while (0)

INLINE void transpose(vec *r)
{
#pragma GCC unroll 16
    for (unsigned k = 0; k < V; k += FFT_PART)
        transpose_part(r + k);
#if V >= 2 * FFT_PART
    EXCHANGE(r, FFT_PART);
#endif
#if V >= 4 * FFT_PART
    EXCHANGE(r, 2 * FFT_PART);
#endif
}

#endif
