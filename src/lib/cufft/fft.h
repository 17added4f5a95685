/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fourier transforms of lines of complex numbers, as passes. A pass reads
 * lines from one buffer and writes their transforms to another; a plan is a
 * list of passes, each of which is a kernel or part of one.
 *
 * The engine (engine.c) is compiled for each real type and vector size. It
 * keeps numbers as pairs of vectors, real and imaginary, one line per lane;
 * or, where a long line is contiguous, the lanes share one line.
 *
 * Only forward transforms exist: the inverse is the forward transform of
 * numbers whose real and imaginary parts are exchanged, exchanged again.
 */
#ifndef WEFT_FFT_H
#define WEFT_FFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FFT_DIMS_MAX = 4,
    FFT_PASSES_MAX = 32,
    FFT_RADICES_MAX = 32,
    FFT_PRIME_MAX = 31,     /* larger factors: Bluestein */
    FFT_LINE_MAX = 1 << 14, /* longer lines: two passes */
};

/* A transform of n numbers held in vectors. Tables are of the engine's real
 * type, real and imaginary part beside each other. */
struct fft_core {
    uint32_t n;
    uint32_t radix_count; /* 0: Bluestein */
    uint8_t radix[FFT_RADICES_MAX];
    void *twiddles; /* pass after pass, n / radix * (radix - 1) each */
    /* Bluestein: a convolution by a transform whose length is a power of 2. */
    struct fft_core *convolution;
    void *chirp;    /* n */
    void *spectrum; /* of the chirp, over the convolution's length */
    /* A line over all lanes: twiddles, as vectors, of the first butterfly,
     * whose radix is the number of lanes. n is the length of what remains. */
    void *front;
};

enum fft_kind {
    FFT_COMPLEX,
    FFT_REAL_TO_HALF, /* pairs of reals as complex numbers, then split */
    FFT_REAL_TO_FULL, /* odd lengths: imaginary parts 0 */
    FFT_HALF_TO_REAL,
    FFT_FULL_TO_REAL,
    /* Element by element, for lines too long for the above. */
    FFT_SPLIT_REAL, /* what follows the transform in REAL_TO_HALF */
    FFT_JOIN_REAL,  /* what precedes it in HALF_TO_REAL */
    FFT_WIDEN,      /* reals, imaginary parts 0 */
    FFT_MIRROR,     /* half a line with a symmetry, made whole */
    FFT_COPY,       /* complex numbers, or their real parts */
    FFT_CHIRP,      /* times the chirp; zeros behind */
    FFT_SPECTRUM,   /* times the spectrum */
};

enum fft_format { FFT_OWN, FFT_HALF, FFT_BFLOAT };
enum fft_buffer { FFT_IN, FFT_OUT, FFT_WORK };
enum fft_swap { FFT_STRAIGHT, FFT_SWAP_IF_INVERSE, FFT_SWAP };

/* Where numbers lie, in bytes: from one to the next of a line, and from the
 * real part to the imaginary one (0: there is none). */
struct fft_side {
    enum fft_buffer buffer;
    enum fft_format format;
    enum fft_swap swap;
    int64_t offset;
    int64_t element, imaginary;
};

/* Lines: the first dimension is the lanes'. Distances in bytes. */
struct fft_dim {
    uint64_t count;
    int64_t in, out;
};

/* Roots of unity of order n: root(e) = high[e >> shift] * low[e & mask]. */
struct fft_roots {
    uint64_t n;
    unsigned shift;
    double *high, *low;
    void *own_low; /* of the engine's type */
};

struct fft_pass {
    enum fft_kind kind;
    bool across_lanes; /* one line in all lanes */
    uint64_t n;        /* length of the complex transform, or of the line */
    uint64_t padded;   /* FFT_CHIRP: length with the zeros */
    const struct fft_core *core;
    struct fft_side in, out;
    struct fft_dim dim[FFT_DIMS_MAX];
    unsigned inner_dims;           /* those inside one block of lines */
    const struct fft_roots *twist; /* times root(lane's index * element) */
    const void *twists; /* for each group of lines, its roots; NULL: not kept */
    const void *split_roots; /* real kinds: roots of order 2 n, n / 2 + 1 */
    const struct fft_roots *real_roots; /* the same, element by element */
    const void *table;                  /* FFT_CHIRP, FFT_SPECTRUM */
};

struct fft_pointers {
    char *buffer[3]; /* enum fft_buffer */
    bool inverse;
};

struct fft_engine {
    unsigned lanes;
    size_t real_bytes;
    /* Groups [first, end) of the block's lines; scratch: aligned to 64. */
    void (*run)(const struct fft_pass *p, const struct fft_pointers *at,
                uint64_t block, uint64_t first, uint64_t end, void *scratch);
    /* The roots of the lines from `line` on, as fft_twist_sizes has them. */
    void (*fill_twist)(const struct fft_pass *p, uint64_t line, void *to);
};

enum fft_real { FFT_FLOAT, FFT_DOUBLE };
/* The widest engine that this processor can run, whatever WEFT_ISA says. */
const struct fft_engine *fft_engine(enum fft_real real);
/* Engine i of all that this processor can run; NULL: there are fewer. */
const struct fft_engine *fft_engine_at(unsigned i);

/* How a pass is divided: its outer dimensions count blocks; a block consists of
 * groups, each of which an engine runs at once. */
uint64_t fft_groups_in_block(const struct fft_engine *e,
                             const struct fft_pass *p);
uint64_t fft_blocks(const struct fft_pass *p);
/* Scratch memory that `run` needs for the pass. */
size_t fft_scratch_bytes(const struct fft_engine *e, const struct fft_pass *p);
/* Is it a pass that goes element by element? */
bool fft_is_by_element(enum fft_kind kind);
/* Elements that such a pass goes over, and how many of them a group has. */
uint64_t fft_extent(const struct fft_pass *p);
uint64_t fft_segment(const struct fft_pass *p);
/* Vectors that a buffer has for one line. */
size_t fft_line_room(const struct fft_pass *p);
/* Groups of neighbouring columns that are read and written together, so that
 * memory is used by whole pages' worth; at least 1. */
unsigned fft_columns_at_once(const struct fft_engine *e,
                             const struct fft_pass *p);
/* A root of the twist is the product of two, from tables of *first and of
 * *second numbers. */
void fft_twist_sizes(const struct fft_pass *p, size_t *first, size_t *second);

/* The line of a group that a lane has: vec.h separates real and imaginary parts
 * without moving numbers out of their 16 bytes, which changes the order. */
unsigned fft_line_of_lane(const struct fft_engine *e, unsigned lane);

/* Tables of a transform of n numbers; NULL: out of memory. across_lanes: with
 * those of the first butterfly. Read by any thread, destroyed by the caller,
 * who may pass NULL. */
struct fft_core *fft_core_create(const struct fft_engine *e, uint32_t n,
                                 bool across_lanes);
void fft_core_destroy(struct fft_core *c);
struct fft_roots *fft_roots_create(const struct fft_engine *e, uint64_t n);
void fft_roots_destroy(struct fft_roots *r);
/* w[0] + i w[1] = exp(-2 pi i k / n), k < n. */
void fft_root(uint64_t k, uint64_t n, long double *w);
/* Number k of a table of the engine's type becomes w[0] + i w[1]. */
void fft_put_number(const struct fft_engine *e, void *table, uint64_t k,
                    const long double *w);
void *fft_allocate(size_t bytes); /* aligned for vectors; free() */
/* Complex numbers of the engine's type. */
void *fft_allocate_numbers(const struct fft_engine *e, uint64_t count);

/* Roots of order n, of which `count` will be asked for. If these are many,
 * root(k) = high[k >> shift] * low[k & mask], in long double. */
struct fft_wide {
    uint64_t n;
    unsigned shift;
    long double *high, *low;
};
/* False: no memory. */
bool fft_wide_init(struct fft_wide *r, uint64_t n, uint64_t count);
void fft_wide_fini(struct fft_wide *r);
void fft_wide_root(const struct fft_wide *r, uint64_t k, long double *w);

/* The first `count` powers of exp(-2 pi i / n) in the engine's precision;
 * free(). NULL: no memory. */
void *fft_root_table(const struct fft_engine *e, uint64_t n, uint64_t count);
/* Calls fn for pieces that make up [0, count), on any threads, and returns when
 * all are done. */
typedef void fft_share(void (*fn)(void *data, uint64_t first, uint64_t end),
                       void *data, uint64_t count);
/* exp(-pi i k^2 / n), k < n, and the spectrum of its conjugate over `padded`
 * numbers, in the engine's precision; free(). share NULL: on this thread alone.
 * NULL: no memory. */
void *fft_chirp(const struct fft_engine *e, uint64_t n, fft_share *share);
void *fft_chirp_spectrum(const struct fft_engine *e, uint64_t n,
                         uint64_t padded, fft_share *share);
/* Is no prime factor of n above FFT_PRIME_MAX? */
bool fft_is_smooth(uint64_t n);
/* The least power of 2 that is not below n. */
uint64_t fft_power_of_2_from(uint64_t n);

#endif
