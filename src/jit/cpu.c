/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this processor can do, asked from the processor itself. LLVM takes
 * some machines for older models and would emit 256-bit code, so the target
 * is a plain baseline plus the features found here.
 *
 * WEFT_ISA lowers the target, so that one machine can test them all.
 */
#include "jit/internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char features[1024];
static char key[1100];
static char problem[256];
static struct jit_target target;

/* The level that WEFT_ISA names; NULL: it names none. */
static const char *wanted_name(void)
{
    const char *text = getenv("WEFT_ISA");
    return text && *text ? text : NULL;
}

#if defined __x86_64__

#include <cpuid.h>

enum isa { ISA_SSE4_2, ISA_AVX2, ISA_AVX512, ISA_COUNT };
static const char *const isa_names[ISA_COUNT] = {
    [ISA_SSE4_2] = "sse4.2",
    [ISA_AVX2] = "avx2",
    [ISA_AVX512] = "avx512",
};
static const unsigned isa_vector_bytes[ISA_COUNT] = {
    [ISA_SSE4_2] = 16,
    [ISA_AVX2] = 32,
    [ISA_AVX512] = 64,
};

/* Bits of XCR0 that the system must have set. */
enum state { STATE_NONE = 0, STATE_AVX = 0x6, STATE_AVX512 = 0xe6 };

struct feature {
    const char *name;
    unsigned leaf, subleaf;
    enum { REG_eax, REG_ebx, REG_ecx, REG_edx } reg;
    unsigned bit;
    enum state state;
    enum isa isa;
};
static const struct feature feature_table[] = {
#define FEATURE(name, leaf, sub, reg, bit, state, isa)                         \
    {name, leaf, sub, REG_##reg, bit, STATE_##state, ISA_##isa},
#include "jit/x86.def"
};

static uint64_t saved_state(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return 0;
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool is_present(const struct feature *f, uint64_t xcr0)
{
    unsigned r[4];
    if ((xcr0 & f->state) != (uint64_t)f->state)
        return false;
    if (!__get_cpuid_count(f->leaf, f->subleaf, &r[0], &r[1], &r[2], &r[3]))
        return false;
    return r[f->reg] >> f->bit & 1;
}

static bool has_feature(const char *name, uint64_t xcr0)
{
    for (size_t i = 0; i < ARRAY_COUNT(feature_table); i++)
        if (!strcmp(feature_table[i].name, name))
            return is_present(&feature_table[i], xcr0);
    return false;
}

/* The highest level of which this processor has the features that define it. */
static enum isa best_isa(uint64_t xcr0)
{
    /* The early AVX-512 parts without VL, BW and DQ count as AVX2. */
    if (has_feature("avx512f", xcr0) && has_feature("avx512vl", xcr0) &&
        has_feature("avx512bw", xcr0) && has_feature("avx512dq", xcr0))
        return ISA_AVX512;
    if (has_feature("avx2", xcr0) && has_feature("fma", xcr0) &&
        has_feature("bmi2", xcr0))
        return ISA_AVX2;
    return ISA_SSE4_2;
}

/* `best`, or the lower level that WEFT_ISA names; fills `problem` if that is
 * unknown or beyond `best`. */
static enum isa wanted_isa(enum isa best)
{
    const char *text = wanted_name();
    if (!text)
        return best;
    for (enum isa i = 0; i < ISA_COUNT; i++) {
        if (strcmp(text, isa_names[i]))
            continue;
        if (i <= best)
            return i;
        snprintf(problem, sizeof problem,
                 "WEFT_ISA=%s: this processor has no more than %s", text,
                 isa_names[best]);
        return best;
    }
    snprintf(problem, sizeof problem,
             "WEFT_ISA=%.40s is unknown, expected avx512, avx2 or sse4.2",
             text);
    return best;
}

static bool is_of_amd(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0, &a, &b, &c, &d) && b == signature_AMD_ebx &&
           c == signature_AMD_ecx && d == signature_AMD_edx;
}

/* A gather of eight doubles takes a Zen 5 2.3 times as long as their loads, one
 * of sixteen floats 1.7 times. WEFT_GATHERS decides otherwise, for tests. */
static bool gathers_slowly(void)
{
    const char *text = getenv("WEFT_GATHERS");
    if (!text || !*text)
        return is_of_amd();
    bool is_slow = !strcmp(text, "loads");
    if (!is_slow && strcmp(text, "vector") && !*problem)
        snprintf(problem, sizeof problem,
                 "WEFT_GATHERS=%.40s is unknown, expected loads or vector",
                 text);
    return is_slow;
}

/* The target with all features up to `isa`; is_here: only those that this
 * processor has and `xcr0` allows. list: gets the feature string. */
static struct jit_target describe_target(enum isa isa, bool is_here,
                                         uint64_t xcr0, char *list,
                                         size_t capacity)
{
    size_t length = 0;

    for (size_t i = 0; i < ARRAY_COUNT(feature_table); i++) {
        const struct feature *f = &feature_table[i];
        if (f->isa > isa || (is_here && !is_present(f, xcr0)))
            continue;
        length += snprintf(list + length, capacity - length, "%s+%s",
                           length ? "," : "", f->name);
        assert(length < capacity);
    }
    return (struct jit_target){
        .triple = "x86_64-pc-linux-gnu",
        .cpu = "x86-64",
        .features = list,
        .isa = isa_names[isa],
        .vector_bytes = isa_vector_bytes[isa],
        .is_x86 = true,
        .has_avx512 = isa >= ISA_AVX512,
        .has_avx2 = isa >= ISA_AVX2,
        .has_fma = isa >= ISA_AVX2 && (!is_here || has_feature("fma", xcr0)),
        .has_f16c = isa >= ISA_AVX2 && (!is_here || has_feature("f16c", xcr0)),
        .has_fp16 =
            isa >= ISA_AVX512 && is_here && has_feature("avx512fp16", xcr0),
        .gathers_slowly = is_here && gathers_slowly() && isa >= ISA_AVX512,
    };
}

static void find_target(void)
{
    uint64_t xcr0 = saved_state();

    target = describe_target(wanted_isa(best_isa(xcr0)), true, xcr0, features,
                             sizeof features);
}

bool jit_target_named(const char *isa, struct jit_target *out)
{
    static char all[ISA_COUNT][sizeof features];

    for (enum isa i = 0; i < ISA_COUNT; i++) {
        if (strcmp(isa, isa_names[i]))
            continue;
        *out = describe_target(i, false, 0, all[i], sizeof all[i]);
        return true;
    }
    return false;
}

#elif defined __aarch64__

#include <sys/auxv.h>

static const struct feature {
    const char *name;
    unsigned long hwcap;
} feature_table[] = {
    /* bits as in the kernel's uapi header asm/hwcap.h */
    {"aes", 1UL << 3},       {"crc", 1UL << 7},  {"lse", 1UL << 8},
    {"fullfp16", 1UL << 10}, {"rdm", 1UL << 12}, {"rcpc", 1UL << 15},
    {"dotprod", 1UL << 20},
};

static void find_target(void)
{
    unsigned long hwcap = getauxval(AT_HWCAP);
    const char *wanted = wanted_name();
    if (wanted && strcmp(wanted, "neon"))
        snprintf(problem, sizeof problem,
                 "WEFT_ISA=%.40s is unknown here, expected neon", wanted);

    size_t length = snprintf(features, sizeof features, "+neon");
    for (size_t i = 0; i < ARRAY_COUNT(feature_table); i++)
        if (hwcap & feature_table[i].hwcap)
            length += snprintf(features + length, sizeof features - length,
                               ",+%s", feature_table[i].name);
    target = (struct jit_target){
        .triple = "aarch64-unknown-linux-gnu",
        .cpu = "generic",
        .isa = "neon",
        .vector_bytes = 16,
        .has_fma = true,
    };
}

bool jit_target_named(const char *isa, struct jit_target *out)
{
    *out = *jit_target_get();
    return strcmp(isa, out->isa) == 0;
}

#else
#error "cpu.c: this architecture has no find_target yet"
#endif

static void target_init(void)
{
    find_target();
    snprintf(key, sizeof key, "%s %s %s%s", target.triple, target.isa, features,
             target.gathers_slowly ? ",slow-gathers" : "");
    target.features = features;
    target.key = key;
    target.problem = problem[0] ? problem : NULL;
}

const struct jit_target *jit_target_get(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, target_init);
    return &target;
}

const char *jit_target_key(void)
{
    return jit_target_get()->key;
}
