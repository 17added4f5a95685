/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiled kernels of a module, by kernel and specialisation: in memory,
 * else on disk, else compiled. Finding code that is there takes no lock.
 */
#include "jit/internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/*  BUILDING --> READY     code and facts never change again
 *          \--> FAILED    the messages are kept for whoever asks again  */
enum variant_state { VARIANT_BUILDING, VARIANT_READY, VARIANT_FAILED };

/* One kernel for one specialisation. */
struct variant {
    struct variant *next; /* older; never changes */
    struct simt_spec spec;
    _Atomic(enum variant_state) state; /* written under jit_module.lock */
    struct jit_kernel kernel;
    struct jit_code code;
    struct diag problem; /* FAILED */
};

struct jit_module {
    const struct ptx_module *module; /* borrowed */
    uint64_t text_hash;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* some variant's state */
    /* By ptx_func.index: the newest variant. Pushed under the lock. */
    _Atomic(struct variant *) heads[];
};

/* ---- counters ----------------------------------------------------------- */

static struct {
    atomic_ullong compiled, disk_hits, memory_hits, compile_ns, load_ns;
} stats;

static void count(atomic_ullong *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

struct jit_stats jit_stats_get(void)
{
    return (struct jit_stats){
        .compiled = atomic_load(&stats.compiled),
        .disk_hits = atomic_load(&stats.disk_hits),
        .memory_hits = atomic_load(&stats.memory_hits),
        .compile_ns = atomic_load(&stats.compile_ns),
        .load_ns = atomic_load(&stats.load_ns),
    };
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- settings for tests ------------------------------------------------- */

static unsigned test_warps, test_split; /* 0: nothing is asked for */

static void read_test_settings(void)
{
    const char *warps = getenv("WEFT_WARPS"), *split = getenv("WEFT_SPLIT");
    unsigned long n = warps ? strtoul(warps, NULL, 10) : 0;
    if (n == 1 || n == 2 || n == 4 || n == 8)
        test_warps = (unsigned)n;
    test_split = split ? (unsigned)strtoul(split, NULL, 10) : 0;
}

void jit_add_test_settings(struct simt_spec *spec)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_test_settings);
    if (!spec->preferred_warps)
        spec->preferred_warps = test_warps;
    if (!spec->split_insts)
        spec->split_insts = test_split;
}

/* ---- building one ------------------------------------------------------- */

struct build {
    const struct jit_module *jm;
    const struct ptx_func *kernel;
    struct variant *variant;
    struct diag *diag;
    struct compiler_result result;
    bool ok;
};

/* Everything that decides what the code looks like. malloc'ed. */
static char *make_key(const struct build *b)
{
    const struct simt_spec *s = &b->variant->spec;
    char *key = NULL;
    int n = asprintf(
        &key,
        "abi=%u compiler=%016llx ptx=%016llx block=%u,%u,%u small=%d "
        "cluster=%d tests=%d lanes=%u warps=%u,%u split=%u target=%s "
        "kernel=%s",
        WEFT_ABI_VERSION, (unsigned long long)jit_library_id(),
        (unsigned long long)b->jm->text_hash, s->block[0], s->block[1],
        s->block[2], s->is_grid_small, s->is_cluster, s->tests_alignment,
        s->lane_count, s->warp_count, s->preferred_warps, s->split_insts,
        jit_target_key(), b->kernel->name);
    return n < 0 ? NULL : key;
}

static void *compile_here(void *data)
{
    struct build *b = data;
    const struct compiler_api *api = jit_compiler_get(b->diag);
    b->ok = api && api->compile(b->jm->module, b->kernel, &b->variant->spec,
                                jit_target_get(), &b->result, b->diag);
    return NULL;
}

/* LLVM wants more stack than a program may have given its threads. */
static bool compile(struct build *b)
{
    enum { STACK_BYTES = 64 << 20 }; /* address space, not memory */
    uint64_t start = now_ns();
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    if (pthread_create(&thread, &attr, compile_here, b))
        compile_here(b);
    else
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    count(&stats.compile_ns, now_ns() - start);
    return b->ok;
}

/* Makes b->result executable. */
static bool load(struct build *b)
{
    uint64_t start = now_ns();
    struct variant *v = b->variant;
    bool ok = jit_code_load(b->result.object, b->result.object_bytes,
                            b->kernel->name, &v->code, b->diag);
    if (ok) {
        v->kernel = b->result.facts;
        v->kernel.fn = v->code.entry;
    }
    count(&stats.load_ns, now_ns() - start);
    return ok;
}

static bool load_cached(struct build *b, const char *key)
{
    struct diag ignored; /* a file that does not load is compiled anew */
    if (!jit_cache_find(key, &b->result))
        return false;
    struct diag *diag = b->diag;
    diag_init(&ignored);
    b->diag = &ignored;
    bool ok = load(b);
    b->diag = diag;
    diag_fini(&ignored);
    free(b->result.object);
    b->result.object = NULL;
    if (ok)
        count(&stats.disk_hits, 1);
    return ok;
}

static bool load_compiled(struct build *b, const char *key)
{
    if (!compile(b))
        return false;
    count(&stats.compiled, 1);
    bool ok = load(b);
    if (ok)
        jit_cache_store(key, &b->result);
    free(b->result.object);
    b->result.object = NULL;
    return ok;
}

static bool build(const struct jit_module *jm, const struct ptx_func *kernel,
                  struct variant *v, struct diag *diag)
{
    struct build b = {.jm = jm, .kernel = kernel, .variant = v, .diag = diag};
    if (jit_target_get()->problem) {
        diag_error(diag, "%s", jit_target_get()->problem);
        return false;
    }
    char *key = make_key(&b);
    if (!key) {
        diag_error(diag, "out of memory");
        return false;
    }
    bool ok = load_cached(&b, key) || load_compiled(&b, key);
    free(key);
    return ok;
}

/* ---- the module --------------------------------------------------------- */

struct jit_module *jit_module_create(const struct ptx_module *module,
                                     uint64_t text_hash)
{
    struct jit_module *jm =
        calloc(1, sizeof *jm + module->func_count * sizeof jm->heads[0]);
    if (!jm)
        return NULL;
    jm->module = module;
    jm->text_hash = text_hash;
    pthread_mutex_init(&jm->lock, NULL);
    pthread_cond_init(&jm->changed, NULL);
    return jm;
}

static void destroy_variant(struct variant *v)
{
    jit_code_unload(&v->code);
    diag_fini(&v->problem);
    free(v);
}

void jit_module_destroy(struct jit_module *jm)
{
    if (!jm)
        return;
    for (size_t i = 0; i < jm->module->func_count; i++) {
        struct variant *v = atomic_load(&jm->heads[i]);
        while (v) {
            struct variant *next = v->next;
            destroy_variant(v);
            v = next;
        }
    }
    pthread_cond_destroy(&jm->changed);
    pthread_mutex_destroy(&jm->lock);
    free(jm);
}

static bool is_same_spec(const struct simt_spec *a, const struct simt_spec *b)
{
    return a->block[0] == b->block[0] && a->block[1] == b->block[1] &&
           a->block[2] == b->block[2] && a->is_grid_small == b->is_grid_small &&
           a->is_cluster == b->is_cluster &&
           a->tests_alignment == b->tests_alignment &&
           a->lane_count == b->lane_count && a->warp_count == b->warp_count &&
           a->preferred_warps == b->preferred_warps &&
           a->split_insts == b->split_insts;
}

static struct variant *find_variant(struct jit_module *jm,
                                    const struct ptx_func *kernel,
                                    const struct simt_spec *spec)
{
    /* Pairs with the release store in push_variant. */
    struct variant *v =
        atomic_load_explicit(&jm->heads[kernel->index], memory_order_acquire);
    while (v && !is_same_spec(&v->spec, spec))
        v = v->next;
    return v;
}

/* Under the lock. NULL: no memory. */
static struct variant *push_variant(struct jit_module *jm,
                                    const struct ptx_func *kernel,
                                    const struct simt_spec *spec)
{
    struct variant *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    diag_init(&v->problem);
    v->spec = *spec;
    v->next =
        atomic_load_explicit(&jm->heads[kernel->index], memory_order_relaxed);
    atomic_init(&v->state, VARIANT_BUILDING);
    /* Pairs with the load in find_variant. */
    atomic_store_explicit(&jm->heads[kernel->index], v, memory_order_release);
    return v;
}

/* Called without the lock by the one thread that pushed `v`. */
static void build_variant(struct jit_module *jm, const struct ptx_func *kernel,
                          struct variant *v)
{
    bool ok = build(jm, kernel, v, &v->problem);
    pthread_mutex_lock(&jm->lock);
    /* Pairs with the acquire load in jit_get. */
    atomic_store_explicit(&v->state, ok ? VARIANT_READY : VARIANT_FAILED,
                          memory_order_release);
    pthread_cond_broadcast(&jm->changed);
    pthread_mutex_unlock(&jm->lock);
}

/* Finds or builds; returns in a final state. NULL: no memory. */
static struct variant *get_variant(struct jit_module *jm,
                                   const struct ptx_func *kernel,
                                   const struct simt_spec *spec)
{
    pthread_mutex_lock(&jm->lock);
    struct variant *v = find_variant(jm, kernel, spec);
    if (!v) {
        v = push_variant(jm, kernel, spec);
        pthread_mutex_unlock(&jm->lock);
        if (v)
            build_variant(jm, kernel, v);
        return v;
    }
    while (atomic_load(&v->state) == VARIANT_BUILDING)
        pthread_cond_wait(&jm->changed, &jm->lock);
    pthread_mutex_unlock(&jm->lock);
    return v;
}

const struct jit_kernel *jit_get(struct jit_module *jm,
                                 const struct ptx_func *kernel,
                                 const struct simt_spec *wanted,
                                 struct diag *diag)
{
    assert(kernel->is_entry && kernel->module == jm->module);
    struct simt_spec own = *wanted, *spec = &own;
    jit_add_test_settings(spec);
    struct variant *v = find_variant(jm, kernel, spec);
    /* Pairs with the store in build_variant. */
    if (v && atomic_load_explicit(&v->state, memory_order_acquire) ==
                 VARIANT_READY) {
        count(&stats.memory_hits, 1);
        return &v->kernel;
    }

    v = get_variant(jm, kernel, spec);
    if (!v)
        diag_error(diag, "out of memory");
    else if (atomic_load(&v->state) == VARIANT_READY)
        return &v->kernel;
    else
        diag_append(diag, &v->problem);
    return NULL;
}

bool jit_needs_hold(const struct jit_kernel *k, const uint8_t *params)
{
    for (uint32_t i = 0; i < k->need_count; i++)
        if (params[k->needs[i].offset_bytes] & (k->needs[i].align_bytes - 1))
            return false;
    return true;
}
