/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launching: the configuration is checked, arguments are copied, the variant
 * for the block shape is found or compiled, and a task is put into the stream.
 * A repeated launch costs a task's memory, which is kept for reuse, and the
 * context's lock.
 */
#include "core/error_log.h"
#include "core/capture_hooks.h"
#include "core/grid.h"
#include "core/packed_args.h"

#include <stdio.h>
#include <stdlib.h>

#define PARAMS_ALIGN 64
/* Up to so many bytes, the workspace included, are copied into the task
 * itself. */
#define PARAMS_SMALL 320

static bool is_dimension(unsigned n, unsigned max)
{
    return n >= 1 && n <= max;
}

static bool is_shape_legal(const struct launch_config *c)
{
    const unsigned *g = c->grid, *b = c->block;
    return is_dimension(g[0], LIMIT_GRID_X) &&
           is_dimension(g[1], LIMIT_GRID_YZ) &&
           is_dimension(g[2], LIMIT_GRID_YZ) &&
           is_dimension(b[0], LIMIT_THREADS_PER_BLOCK) &&
           is_dimension(b[1], LIMIT_THREADS_PER_BLOCK) &&
           is_dimension(b[2], LIMIT_BLOCK_Z) &&
           (uint64_t)b[0] * b[1] * b[2] <= LIMIT_THREADS_PER_BLOCK;
}

/* Do .maxntid and .reqntid allow the block? */
static bool is_shape_allowed(const struct ptx_func *f, const unsigned block[3])
{
    if (f->reqntid[0]) {
        for (unsigned i = 0; i < 3; i++) {
            unsigned wanted = f->reqntid[i] ? f->reqntid[i] : 1;
            if (block[i] != wanted)
                return false;
        }
    }
    if (f->maxntid[0]) {
        uint64_t max = f->maxntid[0];
        max *= f->maxntid[1] ? f->maxntid[1] : 1;
        max *= f->maxntid[2] ? f->maxntid[2] : 1;
        if ((uint64_t)block[0] * block[1] * block[2] > max)
            return false;
    }
    return true;
}

/* All blocks of a cooperative launch must fit on the device at once. */
static CUresult check_cooperative(CUfunction f, const struct launch_config *c)
{
    assert(c->is_cooperative);
    int per_sm = 0;
    int threads = (int)(c->block[0] * c->block[1] * c->block[2]);
    CUresult err = occupancy_max_blocks(f, threads, c->shared_bytes, &per_sm);
    if (err)
        return err;
    uint64_t most =
        (uint64_t)per_sm *
        (c->stream ? c->stream->ctx->part.sm_count : device_sm_count());
    /* No overflow: x below 2^31, y and z below 2^16. */
    uint64_t blocks = (uint64_t)c->grid[0] * c->grid[1];
    return blocks <= most && blocks * c->grid[2] <= most
               ? CUDA_SUCCESS
               : CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
}

/* Checks a configuration, and completes what it leaves to the kernel. */
static CUresult check_launch(CUfunction f, struct launch_config *c)
{
    CUresult err = cluster_resolve(f, c);
    if (err)
        return err;
    /* Hardware returns 1 here, and programs know it. */
    if (!is_shape_legal(c) || !is_shape_allowed(f->ptx, c->block))
        return CUDA_ERROR_INVALID_VALUE;
    if (c->shared_bytes > f->max_dynamic_bytes ||
        f->static_shared_bytes + c->shared_bytes > LIMIT_SHARED_OPTIN_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    return c->is_cooperative ? check_cooperative(f, c) : CUDA_SUCCESS;
}

/* ---- arguments -------------------------------------------------------- */

static bool are_arguments_there(const struct ptx_func *f, void **args,
                                const void *packed)
{
    if (f->param_count == 0)
        return true;
    if (packed || !args)
        return packed;
    for (size_t i = 0; i < f->param_count; i++) {
        if (!args[i])
            return false;
    }
    return true;
}

/* A buffer that is too short is continued with zeros, as hardware does; one
 * that has more than the parameters is refused (packed_args.h). *padded: to be
 * freed by the caller; may be NULL. */
static CUresult pad_arguments(const struct ptx_func *f, const void **packed,
                              size_t packed_bytes, void **padded)
{
    const struct packed_args given = {*packed, packed_bytes};
    *padded = NULL;
    CUresult err = packed_args_fit(&given, f->param_bytes);
    if (err)
        return err;
    if (!*packed || packed_bytes >= f->param_bytes)
        return CUDA_SUCCESS;
    *padded = calloc(1, f->param_bytes);
    if (!*padded)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(*padded, *packed, packed_bytes);
    *packed = *padded;
    return CUDA_SUCCESS;
}

static size_t workspace_at(const struct ptx_func *f)
{
    return (f->param_bytes + PARAMS_ALIGN) & ~(size_t)(PARAMS_ALIGN - 1);
}

static size_t params_bytes(const struct ptx_func *f)
{
    return workspace_at(f) + EXEC_WORKSPACE_BYTES;
}

/* Writes arguments, and the grid's workspace behind them: params_bytes in
 * all. */
static void write_arguments(const struct ptx_func *f, void **args,
                            const void *packed, uint8_t *out)
{
    memset(out + workspace_at(f), 0, EXEC_WORKSPACE_BYTES);
    if (packed) {
        memcpy(out, packed, f->param_bytes);
        return;
    }
    for (size_t i = 0; i < f->param_count; i++) {
        const struct ptx_var *p = &f->params[i];
        memcpy(out + p->offset_bytes, args[i], p->size_bytes);
    }
}

static uint8_t *copy_arguments(const struct ptx_func *f, void **args,
                               const void *packed)
{
    uint8_t *out = aligned_alloc(PARAMS_ALIGN, params_bytes(f));
    if (out)
        write_arguments(f, args, packed, out);
    return out;
}

/* ---- launching -------------------------------------------------------- */

/* WEFT_LANES, for tests: 1 or 32 lanes to a call, whatever the kernel wants;
 * 0: as it wants. Read once. */
static unsigned wanted_lanes(void)
{
    static atomic_int wanted = -1;
    int lanes = atomic_load_explicit(&wanted, memory_order_relaxed);
    if (lanes >= 0)
        return (unsigned)lanes;
    const char *text = getenv("WEFT_LANES");
    lanes = text && !strcmp(text, "1")    ? 1
            : text && !strcmp(text, "32") ? WEFT_WARP_LANES
                                          : 0;
    atomic_store_explicit(&wanted, lanes, memory_order_relaxed);
    return (unsigned)lanes;
}

static struct simt_spec make_spec(const struct launch_config *c)
{
    assert(c->block[0] && c->block[1] && c->block[2]);
    const unsigned *n = c->cluster;
    struct simt_spec spec = {.is_grid_small = true,
                             .is_cluster = n[0] > 1 || n[1] > 1 || n[2] > 1,
                             .lane_count = wanted_lanes()};
    for (unsigned i = 0; i < 3; i++) {
        spec.block[i] = c->block[i];
        if ((uint64_t)c->grid[i] * c->block[i] > UINT64_C(1) << 31)
            spec.is_grid_small = false;
    }
    return spec;
}

/* Launches one row of each block, if the others are redundant. */
static void drop_rows(CUfunction f, struct launch_config *c)
{
    const unsigned *n = c->cluster;
    if (c->block[1] * c->block[2] == 1 || c->is_cooperative || n[0] ||
        function_is_interpreted())
        return;
    int rows = atomic_load_explicit(&f->rows, memory_order_relaxed);
    if (rows == ROWS_UNKNOWN) {
        rows = kernel_has_redundant_rows(f->ptx) ? ROWS_REDUNDANT : ROWS_NEEDED;
        atomic_store_explicit(&f->rows, rows, memory_order_relaxed);
    }
    if (rows == ROWS_REDUNDANT)
        c->block[1] = c->block[2] = 1;
}

/* Prints why a kernel could not be compiled: the program only gets an error
 * code. */
static void show_diagnostics(const struct diag *diag, const char *kernel)
{
    if (!diag->text)
        return;
    error_log_add(CU_LOG_LEVEL_ERROR, "kernel %s cannot be compiled: %.*s",
                  kernel, (int)strcspn(diag->text, "\n"), diag->text);
    fprintf(stderr, "weft: kernel %s cannot be compiled:\n%s", kernel,
            diag->text);
}

static CUresult compile_kernel(CUfunction f, const struct simt_spec *spec,
                               const struct jit_kernel **out)
{
    struct diag diag;
    diag_init(&diag);
    *out = function_variant(f, spec, &diag);
    if (!*out)
        show_diagnostics(&diag, f->ptx->name);
    diag_fini(&diag);
    if (*out)
        return CUDA_SUCCESS;
    return kernel_device_runtime_call(f->ptx) ? CUDA_ERROR_NOT_SUPPORTED
                                              : CUDA_ERROR_INVALID_PTX;
}

/* If arguments are less aligned than the code expects, finds the variant that
 * tests each address. */
static CUresult find_code(CUfunction f, const struct launch_config *c,
                          const uint8_t *params, const struct jit_kernel **out)
{
    assert(params);
    struct simt_spec spec = make_spec(c);
    CUresult err = compile_kernel(f, &spec, out);
    if (err || jit_needs_hold(*out, params))
        return err;
    spec.tests_alignment = true;
    return compile_kernel(f, &spec, out);
}

/* Arguments of a launch: in `small` if they are few, else in `owned`. */
struct arguments {
    uint8_t *at, *owned;
    _Alignas(PARAMS_ALIGN) uint8_t small[PARAMS_SMALL];
};

static bool arguments_init(struct arguments *a, CUfunction f, void **args,
                           const void *packed)
{
    bool is_small = params_bytes(f->ptx) <= sizeof a->small &&
                    !(function_device_uses(f) & DEVICE_USE_ANY);
    a->owned = is_small ? NULL : copy_arguments(f->ptx, args, packed);
    a->at = is_small ? a->small : a->owned;
    if (is_small)
        write_arguments(f->ptx, args, packed, a->at);
    return a->at != NULL;
}

/* `owned`: where `params` are, if they are malloc'ed; the task takes it over.
 * NULL: they are copied. */
static struct exec_task *make_task(CUfunction f, const struct launch_config *c,
                                   CUcontext ctx, const struct jit_kernel *code,
                                   uint8_t *params, uint8_t *owned,
                                   struct grid *grid)
{
    assert(code && params && c->grid[0] && c->grid[1] && c->grid[2]);
    static _Atomic uint64_t grid_id;
    const unsigned *g = c->grid, *b = c->block, *n = c->cluster;
    struct exec_kernel k = {
        .fn = code->fn,
        .newer = code->newer,
        .part = ctx->part,
        .has_barrier = code->has_barrier,
        .has_waits = code->has_waits,
        .takes_turns = code->takes_turns,
        .is_cooperative = c->is_cooperative,
        .is_whole_block = f->emu != NULL,
        .stack_bytes = code->stack_bytes,
        .params_storage = owned,
        .params_bytes = owned ? 0 : params_bytes(f->ptx),
        .launch =
            {
                .sm_count = ctx->device_sms,
                .params = params,
                .globals = f->module->globals,
                .grid = {g[0], g[1], g[2]},
                .block = {b[0], b[1], b[2]},
                .cluster = {n[0], n[1], n[2]},
                .is_explicit_cluster = n[0] != 0,
                .static_shared_bytes = code->static_shared_bytes,
                .dynamic_shared_bytes = (uint32_t)c->shared_bytes,
                .grid_id = atomic_fetch_add_explicit(&grid_id, 1,
                                                     memory_order_relaxed) +
                           1,
                .lane_count = code->lane_count,
                .block_count = (uint64_t)g[0] * g[1] * g[2],
                .emu_kernel = f->emu,
                .grid_workspace =
                    c->is_cooperative ? params + workspace_at(f->ptx) : NULL,
                .owner = grid,
                .function = f,
                .graph_exec = c->graph_exec,
                .habit = &f->habit,
            },
    };
    struct exec_task *t = exec_task_kernel(&k);
    if (!t)
        return NULL;
    exec_task_cancel_if(t, &ctx->sticky);
    if (!grid)
        exec_task_on_done(t, ctx_task_done, ctx);
    return t;
}

/* For the stream, the launch ends with the kernel's children. */
static CUresult submit_with_grid(CUfunction f, const struct launch_config *c,
                                 const struct jit_kernel *code, uint8_t *params)
{
    assert(c->stream);
    CUstream s = c->stream;
    struct grid *g = grid_create(s->ctx, f->module, s, s->priority, 0);
    struct exec_task *t =
        g ? make_task(f, c, s->ctx, code, params, params, g) : NULL;
    if (!t) {
        if (g)
            grid_destroy(g);
        free(params);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUresult err = grid_set_kernel(g, t) ? stream_submit_until(s, t, g->end)
                                         : CUDA_ERROR_OUT_OF_MEMORY;
    if (err)
        grid_destroy(g);
    else
        grid_submit(g);
    exec_task_unref(t);
    return err;
}

static CUresult submit_kernel(CUfunction f, const struct launch_config *c,
                              const struct jit_kernel *code,
                              struct arguments *a)
{
    struct exec_task *t =
        make_task(f, c, c->stream->ctx, code, a->at, a->owned, NULL);
    if (!t) {
        free(a->owned);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUresult err = stream_submit(c->stream, t);
    exec_task_unref(t);
    return err;
}

bool launch_is_blocking(void)
{
    static atomic_int found = -1;
    int blocking = atomic_load_explicit(&found, memory_order_relaxed);
    if (blocking < 0) {
        const char *text = getenv("CUDA_LAUNCH_BLOCKING");
        blocking = text && strtol(text, NULL, 10) != 0;
        atomic_store_explicit(&found, blocking, memory_order_relaxed);
    }
    return blocking;
}

static CUresult launch_whole(CUfunction f, const struct launch_config *config,
                             void **args, const void *packed)
{
    struct launch_config c = *config;
    const struct jit_kernel *code;
    exec_printf_flush();
    CUresult err = ctx_sticky(c.stream->ctx);
    if (err)
        return err;
    if (ctx_home(f->module->ctx) != ctx_home(c.stream->ctx))
        return CUDA_ERROR_INVALID_HANDLE;
    err = capture_check_valid(c.stream);
    if (err)
        return err;
    err = check_launch(f, &c);
    if (err) {
        capture_refuse(c.stream); /* invalidates a capture, as on a GPU */
        return err;
    }
    if (!are_arguments_there(f->ptx, args, packed))
        return CUDA_ERROR_INVALID_VALUE;
    if (capture_kernel(f, config, args, packed, &err)) {
        if (!err && c.event)
            err = event_record(c.event, c.stream);
        if (!err && c.event)
            capture_mark(c.event, c.event_edge);
        return err;
    }
    if (c.updatable || function_device_uses(f) & DEVICE_USE_GRAPHS)
        return CUDA_ERROR_NOT_SUPPORTED; /* for nodes only */
    drop_rows(f, &c);
    struct arguments a;
    if (!arguments_init(&a, f, args, packed))
        return CUDA_ERROR_OUT_OF_MEMORY;
    err = find_code(f, &c, a.at, &code);
    if (err) {
        free(a.owned);
        return err;
    }
    err = function_device_uses(f) & DEVICE_USE_ANY
              ? submit_with_grid(f, &c, code, a.owned)
              : submit_kernel(f, &c, code, &a);
    if (!err && c.event)
        err = event_record(c.event, c.stream);
    return err || !launch_is_blocking() ? err : stream_synchronize(c.stream);
}

CUresult launch_kernel(CUfunction f, const struct launch_config *config,
                       void **args, const void *packed, size_t packed_bytes)
{
    void *padded;
    CUresult err = pad_arguments(f->ptx, &packed, packed_bytes, &padded);
    if (err)
        return err;
    err = launch_whole(f, config, args, packed);
    free(padded);
    return err;
}

/* ---- by a kernel ------------------------------------------------------ */

CUresult launch_check(CUfunction f, struct launch_config *c)
{
    return is_shape_legal(c) ? check_launch(f, c) : DEVICE_ERROR_CONFIGURATION;
}

uint8_t *launch_copy_packed(CUfunction f, const void *packed)
{
    assert(packed || !f->ptx->param_bytes);
    return copy_arguments(f->ptx, NULL, packed);
}

CUresult launch_task(CUfunction f, const struct launch_config *c, CUcontext ctx,
                     uint8_t *params, struct grid *g, struct exec_task **out)
{
    const struct jit_kernel *code;
    CUresult err = find_code(f, c, params, &code);
    if (err)
        return err;
    *out = make_task(f, c, ctx, code, params, params, g);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ---- by a graph ------------------------------------------------------- */

CUresult launch_plan_task(CUfunction f, const struct launch_config *config,
                          CUcontext ctx, const void *packed,
                          struct exec_task **out,
                          const struct jit_kernel **code)
{
    struct launch_config c = *config;
    CUresult err = launch_check(f, &c);
    if (err)
        return err;
    drop_rows(f, &c);
    uint8_t *params = copy_arguments(f->ptx, NULL, packed);
    if (!params)
        return CUDA_ERROR_OUT_OF_MEMORY;
    err = find_code(f, &c, params, code);
    if (!err && !(*out = make_task(f, &c, ctx, *code, params, params, NULL)))
        err = CUDA_ERROR_OUT_OF_MEMORY;
    if (err)
        free(params);
    return err;
}
