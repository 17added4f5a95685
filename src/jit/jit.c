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

#include "base/clock.h"

/*  BUILDING --> READY     code and facts never change again; if they were made
 *          \              quickly, a background job adds better ones
 *           \-> FAILED    the messages are kept for whoever asks again  */
enum variant_state { VARIANT_BUILDING, VARIANT_READY, VARIANT_FAILED };

/* One kernel for one specialisation. */
struct variant {
    struct variant *next; /* older; never changes */
    struct simt_spec spec;
    _Atomic(enum variant_state) state; /* written under jit_module.lock */
    struct made {
        struct jit_kernel kernel;
        struct jit_code code;
    } made, full; /* full: made later, if `made` was made quickly */
    _Atomic(const struct jit_kernel *) best; /* READY */
    exec_newer_fn newer;                     /* full's, where it may step in */
    bool is_quick;                           /* `made` */
    const struct ptx_func *func;
    struct jit_job job;
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
    atomic_ullong compiled, quick, disk_hits, memory_hits, compile_ns, load_ns;
} stats;

static void add_to_counter(atomic_ullong *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

struct jit_stats jit_stats_get(void)
{
    return (struct jit_stats){
        .compiled = atomic_load(&stats.compiled),
        .quick = atomic_load(&stats.quick),
        .disk_hits = atomic_load(&stats.disk_hits),
        .memory_hits = atomic_load(&stats.memory_hits),
        .compile_ns = atomic_load(&stats.compile_ns),
        .load_ns = atomic_load(&stats.load_ns),
    };
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
    const struct simt_spec *spec;
    enum compiler_effort effort;
    struct made *made;
    struct diag *diag;
    struct compiler_result result;
    bool is_background;
    bool ok;
};

/* The cache's key: everything that decides what the code looks like.
 * malloc'ed; NULL: no memory. */
static char *make_key(const struct build *b)
{
    const struct simt_spec *s = b->spec;
    char *key = NULL;
    int n = asprintf(
        &key,
        "abi=%u compiler=%016llx ptx=%016llx block=%u,%u,%u small=%d "
        "cluster=%d tests=%d lanes=%u warps=%u,%u split=%u quick=%d target=%s "
        "kernel=%s",
        WEFT_ABI_VERSION, (unsigned long long)jit_library_id(),
        (unsigned long long)b->jm->text_hash, s->block[0], s->block[1],
        s->block[2], s->is_grid_small, s->is_cluster, s->tests_alignment,
        s->lane_count, s->warp_count, s->preferred_warps, s->split_insts,
        b->effort == COMPILER_QUICK, jit_target_key(), b->kernel->name);
    return n < 0 ? NULL : key;
}

static void *compile_here(void *data)
{
    struct build *b = data;
    const struct compiler_api *api = jit_compiler_get(b->diag);
    b->ok =
        api && api->compile(b->jm->module, b->kernel, b->spec, jit_target_get(),
                            b->effort, &b->result, b->diag);
    return NULL;
}

/* Compiles on a thread with JIT_STACK_BYTES: LLVM needs more stack than the
 * program may have given its threads. Background threads have it already. */
static bool compile_variant(struct build *b)
{
    uint64_t start = clock_now_ns();
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, JIT_STACK_BYTES);
    if (b->is_background || pthread_create(&thread, &attr, compile_here, b))
        compile_here(b);
    else
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    add_to_counter(&stats.compile_ns, clock_now_ns() - start);
    return b->ok;
}

/* Makes b->result executable. */
static bool load_variant(struct build *b)
{
    uint64_t start = clock_now_ns();
    struct made *m = b->made;
    bool ok = jit_code_load(b->result.object, b->result.object_bytes,
                            b->kernel->name, &m->code, b->diag);
    if (ok) {
        m->kernel = b->result.facts;
        m->kernel.fn = m->code.entry;
    }
    add_to_counter(&stats.load_ns, clock_now_ns() - start);
    return ok;
}

static bool load_found(struct build *b, const char *key)
{
    struct diag ignored; /* a file that does not load is compiled anew */
    if (!jit_cache_find(key, &b->result))
        return false;
    struct diag *diag = b->diag;
    diag_init(&ignored);
    b->diag = &ignored;
    bool ok = load_variant(b);
    b->diag = diag;
    diag_fini(&ignored);
    free(b->result.object);
    b->result.object = NULL;
    if (ok)
        add_to_counter(&stats.disk_hits, 1);
    return ok;
}

static bool load_made(struct build *b, const char *key)
{
    if (!compile_variant(b))
        return false;
    add_to_counter(&stats.compiled, 1);
    add_to_counter(&stats.quick, b->effort == COMPILER_QUICK);
    bool ok = load_variant(b);
    if (ok)
        jit_cache_store(key, &b->result);
    free(b->result.object);
    b->result.object = NULL;
    return ok;
}

typedef bool load_fn(struct build *b, const char *key);

/* Gets the code from one place: the disk cache (load_found) or the compiler
 * (load_made). */
static bool load_from(load_fn *place, struct build *b)
{
    char *key = make_key(b);
    if (!key) {
        diag_error(b->diag, "out of memory");
        return false;
    }
    bool ok = place(b, key);
    free(key);
    return ok;
}

/* ---- quickly first ------------------------------------------------------ */

/* A kernel of so many instructions or more is first compiled quickly; with full
 * effort, that many take about 0.1 s. UINT32_MAX: no kernel is. */
static uint32_t quick_insts;

static void read_quick_insts(void)
{
    const char *text = getenv("WEFT_QUICK");
    unsigned long n = text ? strtoul(text, NULL, 10) : 1000;
    bool is_wanted = n && (text || jit_processor_count() > 1);

    quick_insts = is_wanted && n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* x86 only: LLVM's quick code generation has been tried nowhere else. */
static bool is_long(const struct ptx_func *kernel)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_quick_insts);
    return jit_target_get()->is_x86 && kernel->inst_count >= quick_insts;
}

/* Quick code has larger frames. It is used only if its stack is known and
 * small, so that no launch fails because of it; recursion has no known size. */
#define QUICK_STACK_BYTES ((size_t)1 << 20)

static bool is_stack_small(const struct jit_kernel *k)
{
    return k->stack_bytes && k->stack_bytes <= QUICK_STACK_BYTES;
}

/* True: the variant has quick code, made now or by an earlier process. Errors
 * are not reported: the caller tries again with full effort. */
static bool build_quickly(struct build b)
{
    struct diag ignored;

    if (!is_long(b.kernel))
        return false;
    diag_init(&ignored);
    b.diag = &ignored;
    b.effort = COMPILER_QUICK;
    bool ok = load_from(load_found, &b) || load_from(load_made, &b);
    diag_fini(&ignored);
    if (ok && !is_stack_small(&b.made->kernel)) {
        jit_code_unload(&b.made->code);
        return false;
    }
    return ok;
}

static bool build_code(const struct jit_module *jm, struct variant *v)
{
    struct build b = {.jm = jm,
                      .kernel = v->func,
                      .spec = &v->spec,
                      .made = &v->made,
                      .diag = &v->problem};
    if (jit_target_get()->problem) {
        diag_error(b.diag, "%s", jit_target_get()->problem);
        return false;
    }
    if (load_from(load_found, &b))
        return true;
    v->is_quick = build_quickly(b);
    return v->is_quick || load_from(load_made, &b);
}

/* Could `full` go on with blocks of a launch that was made for `quick`? */
static bool may_step_in(const struct jit_kernel *full,
                        const struct jit_kernel *quick)
{
    return full->has_barrier == quick->has_barrier &&
           full->has_waits == quick->has_waits &&
           full->takes_turns == quick->takes_turns &&
           full->lane_count == quick->lane_count &&
           full->stack_bytes <= quick->stack_bytes &&
           full->static_shared_bytes == quick->static_shared_bytes &&
           full->local_bytes == quick->local_bytes &&
           full->need_count == quick->need_count &&
           !memcmp(full->needs, quick->needs, sizeof full->needs);
}

static void publish_full(struct variant *v)
{
    /* Pairs with the load in exec's begin. */
    if (may_step_in(&v->full.kernel, &v->made.kernel))
        atomic_store_explicit(&v->newer, v->full.kernel.fn,
                              memory_order_release);
    /* Pairs with the load in jit_get. */
    atomic_store_explicit(&v->best, &v->full.kernel, memory_order_release);
}

/* The background job: makes the code with full effort, for launches to come.
 * Errors are not reported: the quick code stays. */
static void build_fully(struct jit_job *job)
{
    struct variant *v =
        (struct variant *)((char *)job - offsetof(struct variant, job));
    struct diag ignored;
    struct build b = {.jm = job->owner,
                      .kernel = v->func,
                      .spec = &v->spec,
                      .made = &v->full,
                      .diag = &ignored,
                      .is_background = true};

    diag_init(&ignored);
    if (load_from(load_made, &b))
        publish_full(v);
    diag_fini(&ignored);
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
    jit_code_unload(&v->made.code);
    jit_code_unload(&v->full.code);
    diag_fini(&v->problem);
    free(v);
}

void jit_module_destroy(struct jit_module *jm)
{
    if (!jm)
        return;
    jit_background_cancel(jm);
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

/* Adds a variant in state BUILDING. Under the lock. NULL: no memory. */
static struct variant *push_variant(struct jit_module *jm,
                                    const struct ptx_func *kernel,
                                    const struct simt_spec *spec)
{
    struct variant *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    diag_init(&v->problem);
    v->spec = *spec;
    v->func = kernel;
    v->job = (struct jit_job){.owner = jm, .run = build_fully};
    v->next =
        atomic_load_explicit(&jm->heads[kernel->index], memory_order_relaxed);
    atomic_init(&v->state, VARIANT_BUILDING);
    /* Pairs with the load in find_variant. */
    atomic_store_explicit(&jm->heads[kernel->index], v, memory_order_release);
    return v;
}

/* Called without the lock by the one thread that pushed `v`. */
static void build_variant(struct jit_module *jm, struct variant *v)
{
    bool ok = build_code(jm, v);
    if (v->is_quick)
        v->made.kernel.newer = &v->newer;
    atomic_init(&v->best, &v->made.kernel);
    pthread_mutex_lock(&jm->lock);
    /* Pairs with the acquire load in jit_get. */
    atomic_store_explicit(&v->state, ok ? VARIANT_READY : VARIANT_FAILED,
                          memory_order_release);
    pthread_cond_broadcast(&jm->changed);
    pthread_mutex_unlock(&jm->lock);
    if (v->is_quick)
        jit_background_add(&v->job);
}

/* Finds the variant or builds it, and returns it READY or FAILED. NULL: no
 * memory. */
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
            build_variant(jm, v);
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
        add_to_counter(&stats.memory_hits, 1);
        /* Pairs with the store in publish_full. */
        return atomic_load_explicit(&v->best, memory_order_acquire);
    }

    v = get_variant(jm, kernel, spec);
    if (!v)
        diag_error(diag, "out of memory");
    else if (atomic_load(&v->state) == VARIANT_READY)
        return atomic_load_explicit(&v->best, memory_order_acquire);
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
