// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 -lcurand
// Every state of the device API with every distribution, skips and pairs, the
// tables of the host and what its helpers make, as an H200 answers: a hash of
// 64 threads with 48 draws each and of the numbers that follow. What may differ
// in the last bits (double normals; single ones of Sobol' and MTGP32) is four
// draws. curand_mtgp32_single is not here: threads of a block overwrite the
// state that others read, in NVIDIA's header as in ours.
#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cstdio>
#include <cstring>
#include <type_traits>

typedef unsigned long long word;

enum {
    THREADS = 64,
    DRAWS = 48,
    WIDEST = 4,
    TWISTERS = 3,
    TWISTER_THREADS = 256
};

// How a state begins, and what distributions take.
struct start {
    word seed, offset;
    double a, b; // lambda; mean and deviation
    curandDiscreteDistribution_t discrete;
    unsigned *vectors32, *constants32;
    word *vectors64, *constants64;
    int skip;
};

template <class S> __device__ void begin_state(S *s, const start &p)
{
    curand_init(p.seed, threadIdx.x * 3ull, p.offset, s);
}

template <> __device__ void begin_state(curandStateSobol32_t *s, const start &p)
{
    curand_init(p.vectors32 + 32 * threadIdx.x, (unsigned)p.offset, s);
}

template <>
__device__ void begin_state(curandStateScrambledSobol32_t *s, const start &p)
{
    curand_init(p.vectors32 + 32 * threadIdx.x, p.constants32[threadIdx.x],
                (unsigned)p.offset, s);
}

template <> __device__ void begin_state(curandStateSobol64_t *s, const start &p)
{
    curand_init(p.vectors64 + 64 * threadIdx.x, p.offset, s);
}

template <>
__device__ void begin_state(curandStateScrambledSobol64_t *s, const start &p)
{
    curand_init(p.vectors64 + 64 * threadIdx.x, p.constants64[threadIdx.x],
                p.offset, s);
}

template <class S> __device__ void skip_some(S *s, int skip)
{
    if (skip == 1)
        skipahead(12345ull, s);
    if (skip == 4)
        skipahead(1ull << 40, s);
    if constexpr (std::is_same_v<S, curandStateXORWOW_t> ||
                  std::is_same_v<S, curandStateMRG32k3a_t> ||
                  std::is_same_v<S, curandStatePhilox4_32_10_t>) {
        if (skip == 2)
            skipahead_sequence(77ull, s);
    }
    if constexpr (std::is_same_v<S, curandStateMRG32k3a_t>) {
        if (skip == 3)
            skipahead_subsequence(99ull, s);
    }
}

template <> __device__ void skip_some(curandStateSobol32_t *s, int skip)
{
    if (skip == 1)
        skipahead(12345u, s);
}

template <>
__device__ void skip_some(curandStateScrambledSobol32_t *s, int skip)
{
    if (skip == 1)
        skipahead(12345u, s);
}

// A number's bits, in a word each.
template <class T> __device__ word bits_of(T x)
{
    word w = 0;
    memcpy(&w, &x, sizeof x);
    return w;
}

#define DRAW1(name, call)                                                      \
    struct name {                                                              \
        template <class S>                                                     \
        __device__ static void draw(S *s, const start &p, word *out)           \
        {                                                                      \
            out[0] = bits_of(call);                                            \
        }                                                                      \
    };
#define DRAW2(name, call)                                                      \
    struct name {                                                              \
        template <class S>                                                     \
        __device__ static void draw(S *s, const start &p, word *out)           \
        {                                                                      \
            auto v = call;                                                     \
            out[0] = bits_of(v.x), out[1] = bits_of(v.y);                      \
        }                                                                      \
    };
#define DRAW4(name, call)                                                      \
    struct name {                                                              \
        template <class S>                                                     \
        __device__ static void draw(S *s, const start &p, word *out)           \
        {                                                                      \
            auto v = call;                                                     \
            out[0] = bits_of(v.x), out[1] = bits_of(v.y);                      \
            out[2] = bits_of(v.z), out[3] = bits_of(v.w);                      \
        }                                                                      \
    };
DRAW1(bits, curand(s))
DRAW1(uni, curand_uniform(s))
DRAW1(unid, curand_uniform_double(s))
DRAW1(nor, curand_normal(s))
DRAW1(nord, curand_normal_double(s))
DRAW1(logn, curand_log_normal(s, (float)p.a, (float)p.b))
DRAW1(lognd, curand_log_normal_double(s, p.a, p.b))
DRAW1(pois, curand_poisson(s, p.a))
DRAW1(disc, curand_discrete(s, p.discrete))
DRAW1(spec, curand_mtgp32_specific(s, threadIdx.x % 256, 0))
DRAW2(nor2, curand_normal2(s))
DRAW2(nor2d, curand_normal2_double(s))
DRAW2(log2n, curand_log_normal2(s, (float)p.a, (float)p.b))
DRAW2(log2d, curand_log_normal2_double(s, p.a, p.b))
DRAW2(uni2d, curand_uniform2_double(s))
DRAW4(bits4, curand4(s))
DRAW4(uni4, curand_uniform4(s))
DRAW4(uni4d, curand_uniform4_double(s))
DRAW4(nor4, curand_normal4(s))
DRAW4(nor4d, curand_normal4_double(s))
DRAW4(log4, curand_log_normal4(s, (float)p.a, (float)p.b))
DRAW4(log4d, curand_log_normal4_double(s, p.a, p.b))
DRAW4(pois4, curand_poisson4(s, p.a))
DRAW4(disc4, curand_discrete4(s, p.discrete))

template <class S, class D>
__global__ void draw_all(start p, word *out, int width)
{
    S s;
    word one[WIDEST];
    begin_state(&s, p);
    skip_some(&s, p.skip);
    for (int i = 0; i < DRAWS; i++) {
        D::draw(&s, p, one);
        for (int j = 0; j < width; j++)
            out[(threadIdx.x * DRAWS + i) * width + j] = one[j];
    }
    bits::draw(&s, p, one);
    out[THREADS * DRAWS * width + threadIdx.x] = one[0];
}

// Halves of pairs that wait while other numbers are drawn.
template <class S> __global__ void draw_mixed(start p, word *out)
{
    S s;
    begin_state(&s, p);
    for (int i = 0; i < DRAWS; i++) {
        word *to = out + threadIdx.x * DRAWS + i;
        switch (i % 7) {
        case 0:
        case 4:
            nor::draw(&s, p, to);
            break;
        case 1:
            uni::draw(&s, p, to);
            break;
        case 2:
        case 5:
            nord::draw(&s, p, to);
            break;
        case 3:
            bits::draw(&s, p, to);
            break;
        default:
            unid::draw(&s, p, to);
        }
    }
}

template <class D>
__global__ void draw_twisters(curandStateMtgp32_t *s, start p, word *out)
{
    word *to = out + (blockIdx.x * TWISTER_THREADS + threadIdx.x) * DRAWS;
    for (int i = 0; i < DRAWS; i++)
        D::draw(s + blockIdx.x, p, to + i);
}

__global__ void draw_philox(word *out)
{
    uint4 counter = make_uint4(threadIdx.x, 1, 2, 3);
    uint4 r = curand_Philox4x32_10(counter, make_uint2(5, threadIdx.x * 7));
    out[2 * threadIdx.x] = r.x | (word)r.y << 32;
    out[2 * threadIdx.x + 1] = r.z | (word)r.w << 32;
}

static word hash_of(const void *p, size_t n)
{
    word h = 14695981039346656037ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)p)[i]) * 1099511628211ull;
    return h;
}

static word *out;
static start p;

// Two normals in a double's word, or one in a float's.
static void print_rounded(word w)
{
    double d;
    float f;
    unsigned low = (unsigned)w;
    memcpy(&d, &w, sizeof d);
    memcpy(&f, &low, sizeof f);
    printf(w >> 32 ? " %.11g" : " %.4g", w >> 32 ? d : f);
}

static void print_draws(const char *what, size_t n, bool is_exact)
{
    printf("%s %d", what, cudaDeviceSynchronize());
    if (is_exact)
        printf(" %016llx", hash_of(out, n * 8));
    for (int i = 0; i < 4 && !is_exact; i++)
        print_rounded(out[i * 37 % n]);
    printf("\n");
    memset(out, 0, n * 8);
}

static bool is_exact(const char *state, const char *draw)
{
    static const char *const doubles[] = {"nord",  "lognd", "nor2d",
                                          "log2d", "nor4d", "log4d"};
    for (const char *d : doubles) {
        if (!strcmp(draw, d))
            return false;
    }
    if (!strcmp(draw, "mixed"))
        return false;
    return (strcmp(draw, "nor") && strcmp(draw, "logn")) ||
           !(strstr(state, "sobol") || strstr(state, "scrambled") ||
             strstr(state, "mtgp"));
}

template <class S, class D>
static void print_one(const char *state, const char *draw, int width)
{
    char name[80];
    snprintf(name, sizeof name, "%s.%s.o%llu.k%d.%g", state, draw, p.offset,
             p.skip, p.a);
    draw_all<S, D><<<1, THREADS>>>(p, out, width);
    print_draws(name, (size_t)THREADS * DRAWS * width + THREADS,
                is_exact(state, draw));
}

#define ONE(draw, width) print_one<S, draw>(name, #draw, width)

template <class S> static void print_state(const char *name, int skips)
{
    char mixed[80];
    for (p.offset = 0; p.offset < 9; p.offset += 7) {
        ONE(bits, 1);
        ONE(uni, 1);
        ONE(unid, 1);
        ONE(nor, 1);
        ONE(nord, 1);
    }
    p.offset = 3;
    for (p.skip = 1; p.skip <= skips; p.skip++)
        ONE(bits, 1);
    p.skip = 0;
    p.a = .5, p.b = .75;
    ONE(logn, 1);
    ONE(lognd, 1);
    for (double a :
         {.5, 3., 20., 63.5, 64., 100., 1000., 3999., 4001., 1e5, 1e6}) {
        p.a = a;
        ONE(pois, 1);
    }
    p.a = 0;
    ONE(disc, 1);
    draw_mixed<S><<<1, THREADS>>>(p, out);
    snprintf(mixed, sizeof mixed, "%s.mixed", name);
    print_draws(mixed, THREADS * DRAWS, false);
}

template <class S> static void print_pairs(const char *name)
{
    p.offset = 5;
    ONE(nor2, 2);
    ONE(nor2d, 2);
    p.a = .5, p.b = .75;
    ONE(log2n, 2);
    ONE(log2d, 2);
    p.a = 0;
}

static void print_fours()
{
    typedef curandStatePhilox4_32_10_t S;
    const char *name = "philox";
    for (p.offset = 0; p.offset < 4; p.offset++) {
        ONE(bits4, 4);
        ONE(uni4, 4);
        ONE(uni2d, 2);
        ONE(uni4d, 4);
        ONE(nor4, 4);
        ONE(nor4d, 4);
    }
    p.a = .5;
    ONE(log4, 4);
    ONE(log4d, 4);
    for (double a : {.5, 20., 64., 1000., 4001., 1e6}) {
        p.a = a;
        ONE(pois4, 4);
    }
    p.a = 0;
    ONE(disc4, 4);
}

static void print_states(curandStateMtgp32_t *s, mtgp32_kernel_params_t *k)
{
    static curandStateMtgp32_t states[TWISTERS];
    static mtgp32_kernel_params_t params;
    cudaMemcpy(states, s, sizeof states, cudaMemcpyDefault);
    cudaMemcpy(&params, k, sizeof params, cudaMemcpyDefault);
    for (int i = 0; i < TWISTERS; i++)
        printf("mtgp.state %d %016llx %d\n", i, hash_of(states[i].s, 351 * 4),
               states[i].offset);
    printf("mtgp.params %016llx\n", hash_of(&params, sizeof params));
}

template <class D> static void print_twister(const char *draw)
{
    curandStateMtgp32_t *s;
    mtgp32_kernel_params_t *k;
    char name[80];
    cudaMalloc(&s, TWISTERS * sizeof *s);
    cudaMalloc(&k, sizeof *k);
    int err = curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, k);
    err |= curandMakeMTGP32KernelState(s, mtgp32dc_params_fast_11213, k,
                                       TWISTERS, 4321)
           << 8;
    if (!strcmp(draw, "bits"))
        print_states(s, k);
    snprintf(name, sizeof name, "mtgp.%s.%g.%x", draw, p.a, err);
    draw_twisters<D><<<TWISTERS, TWISTER_THREADS>>>(s, p, out);
    print_draws(name, TWISTERS * TWISTER_THREADS * DRAWS,
                is_exact("mtgp", draw));
    cudaFree(s);
    cudaFree(k);
}

#define TWISTER(draw) print_twister<draw>(#draw)

static void print_twisters()
{
    p.offset = 0;
    TWISTER(bits);
    TWISTER(uni);
    TWISTER(unid);
    TWISTER(nor);
    TWISTER(nord);
    TWISTER(spec);
    p.a = .5;
    TWISTER(logn);
    TWISTER(lognd);
    for (double a : {.5, 20., 64., 1000., 4001.}) {
        p.a = a;
        TWISTER(pois);
    }
    p.a = 0;
    TWISTER(disc);
}

// Dimensions 100 to 163.
static void take_vectors32(curandDirectionVectorSet_t set)
{
    curandDirectionVectors32_t *v;
    curandGetDirectionVectors32(&v, set);
    cudaMemcpy(p.vectors32, v + 100, THREADS * sizeof *v, cudaMemcpyDefault);
}

static void take_vectors64(curandDirectionVectorSet_t set)
{
    curandDirectionVectors64_t *v;
    curandGetDirectionVectors64(&v, set);
    cudaMemcpy(p.vectors64, v + 100, THREADS * sizeof *v, cudaMemcpyDefault);
}

// Hashes of the first 1,000 dimensions.
static void print_tables()
{
    curandDirectionVectors32_t *v;
    curandDirectionVectors64_t *w;
    for (int set = 101; set <= 102; set++) {
        curandGetDirectionVectors32(&v, (curandDirectionVectorSet_t)set);
        printf("vectors32 %d %016llx\n", set, hash_of(v, 1000 * sizeof *v));
    }
    for (int set = 103; set <= 104; set++) {
        curandGetDirectionVectors64(&w, (curandDirectionVectorSet_t)set);
        printf("vectors64 %d %016llx\n", set, hash_of(w, 1000 * sizeof *w));
    }
}

static void take_constants()
{
    unsigned *c;
    word *d;
    curandGetScrambleConstants32(&c);
    curandGetScrambleConstants64(&d);
    printf("constants %016llx %016llx\n", hash_of(c, 20000 * 4),
           hash_of(d, 20000 * 8));
    cudaMalloc(&p.constants32, THREADS * 4);
    cudaMalloc(&p.constants64, THREADS * 8);
    cudaMemcpy(p.constants32, c + 100, THREADS * 4, cudaMemcpyDefault);
    cudaMemcpy(p.constants64, d + 100, THREADS * 8, cudaMemcpyDefault);
}

int main()
{
    cudaMallocManaged(&out, 8u << 20);
    memset(out, 0, 8u << 20);
    p.seed = 20261129;
    print_tables();
    take_constants();
    cudaMalloc(&p.vectors32, THREADS * 32 * 4);
    cudaMalloc(&p.vectors64, THREADS * 64 * 8);
    printf("distribution %d\n",
           curandCreatePoissonDistribution(30, &p.discrete));
    draw_philox<<<1, THREADS>>>(out);
    print_draws("raw", 2 * THREADS, true);
    print_state<curandStateXORWOW_t>("xorwow", 4);
    print_pairs<curandStateXORWOW_t>("xorwow");
    print_state<curandStateMRG32k3a_t>("mrg", 4);
    print_pairs<curandStateMRG32k3a_t>("mrg");
    print_state<curandStatePhilox4_32_10_t>("philox", 4);
    print_pairs<curandStatePhilox4_32_10_t>("philox");
    print_fours();
    take_vectors32(CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    print_state<curandStateSobol32_t>("sobol32", 1);
    take_vectors32(CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
    print_state<curandStateScrambledSobol32_t>("scrambled32", 1);
    take_vectors64(CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    print_state<curandStateSobol64_t>("sobol64", 4);
    take_vectors64(CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
    print_state<curandStateScrambledSobol64_t>("scrambled64", 4);
    print_twisters();
    return 0;
}
