/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms in a stream: one kernel for each step of the plan. */
#include "handles.h"
#include "share.h"

struct step_args {
    const struct fft_plan *plan;
    struct fft_pointers at;
    unsigned step;
};

static void run_step(const void *args, uint64_t first, uint64_t end)
{
    const struct step_args *a = args;
    fft_plan_run(a->plan, a->step, &a->at, first, end);
}

static const struct native_kernel step_kernel = {
    .name = "cufft_step",
    .run = run_step,
    .args_bytes = sizeof(struct step_args),
};

static cufftResult run_plan(const struct handle *h, const struct fft_plan *p,
                            const struct fft_pointers *at)
{
    CUresult err = CUDA_SUCCESS;
    for (unsigned i = 0; i < p->step_count && !err; i++) {
        struct step_args args = {p, *at, i};
        err = lib_run(&step_kernel, h->stream, p->step[i].tiles, &args);
    }
    return cufft_status(err);
}

/* In place, lines of reals are padded if nothing else was said. */
static const struct fft_plan *plan_for(struct handle *h, bool is_padded)
{
    struct fft_request padded = h->request;
    if (!is_padded || !h->is_default_layout || h->request.type == FFT_C2C)
        return h->plan;
    if (!h->in_place) {
        layout_pad(&padded);
        h->in_place = fft_plan_create(&padded, lib_thread_count(), share_work);
    }
    return h->in_place;
}

cufftResult handle_transform(struct handle *h, void *in, void *out,
                             bool inverse, bool padded)
{
    char *work = h->user_work ? h->user_work : (char *)h->own_work;
    struct fft_pointers at = {{in, out, work}, inverse};
    if (h->work_bytes && !work)
        return CUFFT_NO_WORKSPACE;
    const struct fft_plan *p = plan_for(h, padded);
    return p ? run_plan(h, p, &at) : CUFFT_ALLOC_FAILED;
}

/* ---- how far buffers reach -------------------------------------------- */

size_t handle_buffer_bytes(const struct handle *h, enum handle_side side,
                           bool in_place)
{
    struct fft_request r = h->request;
    if (in_place && h->is_default_layout)
        layout_pad(&r);
    bool is_in = side == HANDLE_IN;
    const struct fft_layout *l = is_in ? &r.in : &r.out;
    bool is_real = r.type == (is_in ? FFT_R2C : FFT_C2R);
    int64_t last = (int64_t)(r.batch - 1) * l->distance;
    for (unsigned k = 0; k < r.rank; k++) {
        uint64_t n = r.n[k];
        if (k == r.rank - 1 && r.type != FFT_C2C && !is_real)
            n = n / 2 + 1;
        else if (k == r.rank - 1 && is_real && in_place)
            n = 2 * (n / 2 + 1);
        last += (int64_t)(n - 1) * l->stride[k];
    }
    size_t bytes = l->format != FFT_OWN ? 2 : h->plan->engine->real_bytes;
    return (size_t)(last + 1) * bytes * (is_real ? 1 : 2);
}
