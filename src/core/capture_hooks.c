/* SPDX-License-Identifier: Apache-2.0 */
/* Operations ask here whether they are captured: see capture_hooks.h. */
#include "core/capture_hooks.h"

atomic_uint capture_count;
static _Atomic(const struct capture_hooks *) hooks;

void capture_set_hooks(const struct capture_hooks *h)
{
    atomic_store(&hooks, h);
}

/* The hooks, or NULL before anything has been captured. */
static const struct capture_hooks *get_hooks(void)
{
    const struct capture_hooks *h = atomic_load(&hooks);
    assert(h);
    return h;
}

/* ---- operations -------------------------------------------------------- */

bool capture_kernel(CUfunction f, const struct launch_config *config,
                    void **args, const void *packed, CUresult *err)
{
    return capture_is_on() && get_hooks()->kernel(f, config, args, packed, err);
}

bool capture_node(CUstream s, const CUgraphNodeParams *params, CUresult *err)
{
    return capture_is_on() && get_hooks()->node(s, params, err);
}

bool capture_copy(CUstream s, const struct mem_copy *copy, CUresult *err)
{
    return capture_is_on() && get_hooks()->copy(s, copy, err);
}

bool capture_fill(CUstream s, const struct mem_copy *box, uint32_t value,
                  unsigned element_bytes, CUresult *err)
{
    return capture_is_on() &&
           get_hooks()->fill(s, box, value, element_bytes, err);
}

bool capture_alloc(CUstream s, CUmemoryPool pool, size_t size_bytes,
                   CUdeviceptr *out, CUresult *err)
{
    return capture_is_on() && get_hooks()->alloc(s, pool, size_bytes, out, err);
}

bool capture_free(CUstream s, CUdeviceptr p, CUresult *err)
{
    return capture_is_on() && get_hooks()->free(s, p, err);
}

bool capture_memops(CUstream s, const struct memop *ops, size_t count,
                    CUresult *err)
{
    return capture_is_on() && get_hooks()->memops(s, ops, count, err);
}

/* External records and waits need a capture: outside of one they are
 * refused. */
static bool refuse_external(bool is_external, CUresult *err)
{
    *err = CUDA_ERROR_ILLEGAL_STATE;
    return is_external;
}

bool capture_record(CUevent e, CUstream s, bool is_external, CUresult *err)
{
    return capture_is_on() || e->point
               ? get_hooks()->record(e, s, is_external, err)
               : refuse_external(is_external, err);
}

void capture_mark(CUevent e, CUgraphEdgeData edge)
{
    if (capture_is_on())
        get_hooks()->mark(e, edge);
}

bool capture_wait(CUstream s, CUevent e, bool is_external, CUresult *err)
{
    return capture_is_on() || e->point
               ? get_hooks()->wait(s, e, is_external, err)
               : refuse_external(is_external, err);
}

/* ---- what is forbidden ------------------------------------------------- */

CUresult capture_refuse(CUstream s)
{
    return capture_is_on() ? get_hooks()->refuse(s) : CUDA_SUCCESS;
}

CUresult capture_check_valid(CUstream s)
{
    return capture_is_on() ? get_hooks()->check_valid(s) : CUDA_SUCCESS;
}

CUresult capture_refuse_legacy(CUstream s)
{
    return s->is_legacy ? capture_refuse(s) : CUDA_SUCCESS;
}

CUresult capture_check_call(void)
{
    return capture_is_on() ? get_hooks()->check_call() : CUDA_SUCCESS;
}

CUresult capture_check_all(CUcontext ctx)
{
    return capture_is_on() ? get_hooks()->check_all(ctx) : CUDA_SUCCESS;
}

CUresult capture_check_event(CUevent e)
{
    return e->point ? get_hooks()->check_event(e) : capture_check_call();
}

CUresult capture_check_time(CUevent e)
{
    return e->point ? get_hooks()->check_time(e) : CUDA_SUCCESS;
}

/* ---- what goes --------------------------------------------------------- */

void capture_forget_stream(CUstream s)
{
    if (s->point)
        get_hooks()->forget_stream(s);
}

void capture_forget_event(CUevent e)
{
    if (e->point)
        get_hooks()->forget_event(e);
}

void capture_forget_all(CUcontext ctx)
{
    const struct capture_hooks *h = atomic_load(&hooks);
    if (h) /* events remember captures that have ended */
        h->forget_all(ctx);
}
