/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks: functions of the program that read the input or take the output.
 * Kernels of the program's module (weft/cufft_callbacks.h) call them, between
 * the caller's memory and ours.
 */
#include "handles.h"

#include "core/core.h"

#define EXPORT __attribute__((visibility("default")))

/* weft_cufft_walk of that header. */
struct walk {
    unsigned long long n[FFT_RANK_MAX], stride[FFT_RANK_MAX], batch, distance;
};

static struct walk walk_of(const struct handle *h, enum handle_side side,
                           bool in_place)
{
    struct fft_request r = h->request;
    struct walk w = {.n = {1, 1, 1}, .batch = r.batch};
    if (in_place && h->is_default_layout)
        layout_pad(&r);
    bool is_in = side == HANDLE_IN;
    const struct fft_layout *l = is_in ? &r.in : &r.out;
    bool is_half = r.type == (is_in ? FFT_C2R : FFT_R2C);
    for (unsigned k = 0; k < r.rank; k++) {
        unsigned to = FFT_RANK_MAX - r.rank + k;
        w.n[to] = r.n[k];
        w.stride[to] = (unsigned long long)l->stride[k];
    }
    if (is_half)
        w.n[FFT_RANK_MAX - 1] = w.n[FFT_RANK_MAX - 1] / 2 + 1;
    w.distance = (unsigned long long)l->distance;
    return w;
}

static cufftResult call_all(const struct handle *h, const struct callback *c,
                            enum handle_side side, void *data, void *mine,
                            bool in_place)
{
    struct walk w = walk_of(h, side, in_place);
    void *routine = c->routine, *info = c->info;
    void *args[] = {&routine, &data, &mine, &info, &w};
    uint64_t count = w.batch * w.n[0] * w.n[1] * w.n[2];
    enum { BLOCK = 256, GRID_MAX = 1 << 20 };
    uint64_t grid = (count + BLOCK - 1) / BLOCK;
    struct lib_shape shape = {
        .grid = {(unsigned)(grid < GRID_MAX ? grid : GRID_MAX)},
        .block = {BLOCK},
        .shared_bytes = (unsigned)c->shared_bytes,
    };
    return cufft_status(lib_launch_function(c->kernel, h->stream, shape, args));
}

cufftResult handle_exec(struct handle *h, void *in, void *out, bool inverse)
{
    bool in_place = in == out;
    void *from = in, *to = out;
    cufftResult err = CUFFT_SUCCESS;
    if (h->load.kernel) {
        from = (void *)h->loaded;
        err = call_all(h, &h->load, HANDLE_IN, in, from, in_place);
    }
    if (h->store.kernel)
        to = (void *)h->stored;
    if (!err)
        err = handle_transform(h, from, to, inverse, in_place);
    if (!err && h->store.kernel)
        err = call_all(h, &h->store, HANDLE_OUT, out, to, in_place);
    return err;
}

/* ---- entry points ----------------------------------------------------- */

/* The side that a callback of the type serves; -1: its type or precision is not
 * the plan's. */
static int side_of(const struct handle *h, cufftXtCallbackType type)
{
    bool is_store = type >= CUFFT_CB_ST_COMPLEX;
    bool is_real = type % 4 >= CUFFT_CB_LD_REAL, is_double = type % 2;
    bool has_real = h->request.type == (is_store ? FFT_C2R : FFT_R2C);
    if (is_real != has_real || is_double != (h->request.real == FFT_DOUBLE) ||
        h->request.in.format != FFT_OWN)
        return -1;
    return is_store ? HANDLE_OUT : HANDLE_IN;
}

cufftResult callback_allocate(struct handle *h, cufftXtCallbackType type)
{
    int side = side_of(h, type);
    if (side < 0)
        return CUFFT_INVALID_TYPE;
    size_t apart = handle_buffer_bytes(h, side, false);
    size_t together = handle_buffer_bytes(h, side, true);
    CUdeviceptr *memory = side == HANDLE_IN ? &h->loaded : &h->stored;
    if (!*memory &&
        mem_alloc(h->ctx, memory, apart > together ? apart : together))
        return CUFFT_ALLOC_FAILED;
    return CUFFT_SUCCESS;
}

/* The plan's handle and the type's callback; NULL, and *err: there is none.
 * Link-time code is there before its plan is made. */
static struct handle *find_callback(cufftHandle plan, cufftXtCallbackType type,
                                    struct callback **c, cufftResult *err)
{
    struct handle *h = handle_find(plan);
    *err = CUFFT_INVALID_PLAN;
    if (!h)
        return NULL;
    *c = type >= CUFFT_CB_ST_COMPLEX ? &h->store : &h->load;
    if (!h->is_made && (!(*c)->linked || (*c)->type != type))
        return NULL;
    *err = CUFFT_INVALID_TYPE;
    if ((unsigned)type >= CUFFT_CB_UNDEFINED ||
        (h->is_made && side_of(h, type) < 0))
        return NULL;
    *err = CUFFT_SUCCESS;
    return h;
}

EXPORT cufftResult cufftWeftSetCallback(cufftHandle plan,
                                        void **callback_routine,
                                        cufftXtCallbackType cbType,
                                        void **caller_info,
                                        cudaFunction_t kernel);
EXPORT cufftResult cufftWeftSetCallback(cufftHandle plan,
                                        void **callback_routine,
                                        cufftXtCallbackType cbType,
                                        void **caller_info,
                                        cudaFunction_t kernel)
{
    struct callback *c;
    cufftResult err;
    struct handle *h = find_callback(plan, cbType, &c, &err);
    if (!h)
        return err;
    if (!h->is_made)
        return CUFFT_INVALID_PLAN;
    if (!callback_routine || !callback_routine[0] || !kernel ||
        h->is_distributed)
        return CUFFT_INVALID_VALUE;
    err = callback_allocate(h, cbType);
    if (err)
        return err;
    c->routine = callback_routine[0];
    c->info = caller_info ? caller_info[0] : NULL;
    c->kernel = (CUfunction)kernel;
    return CUFFT_SUCCESS;
}

/* In CUDA code the header calls cufftWeftSetCallback instead. Other code has no
 * kernel that could call the function. */
EXPORT cufftResult cufftXtSetCallback(cufftHandle plan, void **callback_routine,
                                      cufftXtCallbackType cbType,
                                      void **caller_info)
{
    (void)plan, (void)callback_routine, (void)cbType, (void)caller_info;
    explain_not_supported("cufftXtSetCallback outside of CUDA code");
    return CUFFT_NOT_IMPLEMENTED;
}

EXPORT cufftResult cufftXtClearCallback(cufftHandle plan,
                                        cufftXtCallbackType cbType)
{
    struct callback *c;
    cufftResult err;
    if (find_callback(plan, cbType, &c, &err))
        c->kernel = NULL;
    return err;
}

EXPORT cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan,
                                                cufftXtCallbackType cbType,
                                                size_t sharedSize)
{
    enum { SHARED_MAX = 16 << 10 };
    struct callback *c;
    cufftResult err;
    if (!find_callback(plan, cbType, &c, &err))
        return err;
    if (sharedSize > SHARED_MAX)
        return CUFFT_INVALID_VALUE;
    c->shared_bytes = sharedSize;
    return CUFFT_SUCCESS;
}
