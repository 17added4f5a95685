/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cufftHandle means.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call, one at a time for each plan
 *   errors   a cufftResult, and nothing is queued
 *   owners   a handle owns its plan, its tables and the work area that it
 *            allocates
 *   units    sizes, strides and distances are elements, work areas bytes
 */
#ifndef WEFT_CUFFT_HANDLES_H
#define WEFT_CUFFT_HANDLES_H

#include "cufftXt.h"

#include "lib/common/functions.h"
#include "lib/common/lib.h"
#include "plan.h"

enum { CUFFT_GPUS_MAX = 16 };

struct callback {
    CUfunction kernel; /* of the function's module: calls it; NULL: none */
    void *routine;     /* the function's address, if the kernel needs it */
    void *info;
    size_t shared_bytes;
    /* Of link-time code: the kernels' PTX, owned, and once the plan is made
     * the one of that type. */
    char *linked;
    cufftXtCallbackType type;
    struct lib_loaded loaded;
};

struct handle {
    CUstream stream;
    bool is_made, allocates;
    /* Chosen by the caller of MakePlan. */
    struct fft_request request;
    bool is_default_layout; /* reals lie otherwise if in place */
    struct fft_plan *plan;
    struct fft_plan *in_place; /* made when first needed; NULL: plan does */
    size_t work_bytes;
    CUcontext ctx;        /* whose memory own_work is */
    CUdeviceptr own_work; /* 0: none */
    void *user_work;      /* NULL: none */
    int gpu_count, gpu[CUFFT_GPUS_MAX];
    bool is_distributed;  /* cufftXtSetGPUs was called */
    CUdeviceptr gathered; /* what the devices have, together */
    struct callback load, store;
    CUdeviceptr loaded, stored; /* what they read and leave; 0: none yet */
    long long patient_jit, host_threads;
};

/* A new handle's number; -1: out of memory. */
int handle_create(void);
/* NULL: there is none with that number. Any thread may look; the handle itself
 * is one thread's at a time. */
struct handle *handle_find(int number);
/* Takes the number away; the caller destroys what it meant. */
struct handle *handle_remove(int number);

/* Of core's errors: ALLOC_FAILED without memory, SETUP_FAILED without a device,
 * else EXEC_FAILED. */
cufftResult cufft_status(CUresult err);

/* The arguments of a Make call (layouts.c). Distances are in elements; inembed
 * and onembed are both NULL for the default layout. */
struct layout_call {
    int rank;
    const long long *n, *inembed, *onembed;
    long long istride, idist, ostride, odist, batch;
    cudaDataType in, out, execution;
};
/* The request that they mean, after checks as cuFFT's. */
cufftResult layout_request(const struct layout_call *c, struct fft_request *r,
                           bool *is_default);
/* The same in place, where lines of reals have room for the halves. */
void layout_pad(struct fft_request *r);
/* Sets in, out and execution of *c. False: there is no such type. */
bool layout_types(cufftType type, struct layout_call *c);
/* Bytes of work area, for use in place too if the layout is the default. */
size_t layout_work_bytes(const struct fft_request *r, bool is_default);

/* Makes the plan of a handle (make.c); INVALID_PLAN: it has one. work_bytes:
 * one for each device. */
cufftResult handle_make(struct handle *h, const struct layout_call *c,
                        size_t *work_bytes);
/* The same of a request that needs no more checks. */
cufftResult handle_make_request(struct handle *h, const struct fft_request *r);
/* Waits for the context's work and frees all that the handle has. */
void handle_destroy(struct handle *h);

/* Work in the handle's stream (exec.c). Pointers of plain memory. */
cufftResult handle_exec(struct handle *h, void *in, void *out, bool inverse);
/* The same without its callbacks. padded: reals lie as they do in place. */
cufftResult handle_transform(struct handle *h, void *in, void *out,
                             bool inverse, bool padded);

/* Memory for what a callback of the type reads or leaves. INVALID_TYPE: the
 * plan has no callback of that type. */
cufftResult callback_allocate(struct handle *h, cufftXtCallbackType type);
/* Link-time code: loads what was set, for a plan that is being made; frees it
 * (jit_callbacks.c). */
cufftResult callback_make(struct handle *h);
void callback_fini(struct callback *c);

/* How far a buffer reaches that the plan reads or writes. */
enum handle_side { HANDLE_IN, HANDLE_OUT };
size_t handle_buffer_bytes(const struct handle *h, enum handle_side side,
                           bool in_place);

#endif
