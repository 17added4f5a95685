/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of handles, and their end. */
#include "handles.h"

#include <stdlib.h>

#include "core/core.h"
#include "share.h"

/* Memory for what all devices have: the larger side, padded as in place. */
static CUresult allocate_gathered(struct handle *h)
{
    size_t in = handle_buffer_bytes(h, HANDLE_IN, true);
    size_t out = handle_buffer_bytes(h, HANDLE_OUT, true);
    return mem_alloc(h->ctx, &h->gathered, in > out ? in : out);
}

static cufftResult allocate_work(struct handle *h)
{
    CUresult err = CUDA_SUCCESS;
    if (h->allocates && h->work_bytes)
        err = mem_alloc(h->ctx, &h->own_work, h->work_bytes);
    if (!err && h->is_distributed)
        err = allocate_gathered(h);
    return err ? CUFFT_ALLOC_FAILED : CUFFT_SUCCESS;
}

cufftResult handle_make_request(struct handle *h, const struct fft_request *r)
{
    if (ctx_of_thread(&h->ctx))
        return CUFFT_SETUP_FAILED;
    h->request = *r;
    h->plan = fft_plan_create(r, lib_thread_count(), share_work);
    if (!h->plan)
        return CUFFT_ALLOC_FAILED;
    h->work_bytes = layout_work_bytes(r, h->is_default_layout);
    cufftResult err = callback_make(h);
    if (!err)
        err = allocate_work(h);
    if (err) {
        fft_plan_destroy(h->plan);
        h->plan = NULL;
        return err;
    }
    h->is_made = true;
    return CUFFT_SUCCESS;
}

/* A line over several devices is complex, its length a power of 2. */
static cufftResult check_distributed(const struct handle *h,
                                     const struct fft_request *r)
{
    uint64_t n = r->n[0];
    if (!h->is_default_layout)
        return CUFFT_NOT_SUPPORTED;
    if (r->rank == 1 && r->batch == 1 &&
        (r->type != FFT_C2C || (n & (n - 1)) || n < 4 * (uint64_t)h->gpu_count))
        return CUFFT_INVALID_SIZE;
    return CUFFT_SUCCESS;
}

cufftResult handle_make(struct handle *h, const struct layout_call *c,
                        size_t *work_bytes)
{
    struct fft_request r;
    if (h->is_made || !work_bytes)
        return work_bytes ? CUFFT_INVALID_PLAN : CUFFT_INVALID_VALUE;
    cufftResult err = layout_request(c, &r, &h->is_default_layout);
    if (err)
        return err;
    err = h->is_distributed ? check_distributed(h, &r) : CUFFT_SUCCESS;
    if (err)
        return err;
    err = handle_make_request(h, &r);
    if (err)
        return err;
    *work_bytes = h->work_bytes;
    for (int i = 1; h->is_distributed && i < h->gpu_count; i++)
        work_bytes[i] = 0; /* the first device's serves all */
    return CUFFT_SUCCESS;
}

/* Waits first: its kernels may still run. */
void handle_destroy(struct handle *h)
{
    CUcontext ctx;
    if (h->is_made && !ctx_of_thread(&ctx))
        ctx_wait(ctx);
    const CUdeviceptr memory[] = {h->own_work, h->loaded, h->stored,
                                  h->gathered};
    for (unsigned i = 0; i < 4; i++) {
        if (memory[i] && ctx_is_alive(h->ctx))
            mem_free(h->ctx, memory[i]);
    }
    callback_fini(&h->load);
    callback_fini(&h->store);
    fft_plan_destroy(h->plan);
    fft_plan_destroy(h->in_place);
    free(h);
}
