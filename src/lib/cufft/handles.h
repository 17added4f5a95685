/* SPDX-License-Identifier: Apache-2.0 */
/* What a cufftHandle means. */
#ifndef WEFT_CUFFT_HANDLES_H
#define WEFT_CUFFT_HANDLES_H

#include "cufftXt.h"

#include "lib/common/lib.h"
#include "plan.h"

enum { CUFFT_GPUS_MAX = 16 };

struct callback {
    void *routine; /* a device function's address; NULL: none */
    void *info;
    CUfunction kernel; /* of the function's module: calls it */
    size_t shared_bytes;
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
/* NULL: there is none with that number. A handle is one thread's at a time. */
struct handle *handle_find(int number);
/* Takes the number away; the caller destroys what it meant. */
struct handle *handle_remove(int number);

/* Of core's errors: ALLOC_FAILED without memory, SETUP_FAILED without a device,
 * else EXEC_FAILED. */
cufftResult cufft_status(CUresult err);

/* plan.c's, behind cuFFT's checks (layouts.c). */
struct layout_call {
    int rank;
    const long long *n, *inembed, *onembed;
    long long istride, idist, ostride, odist, batch;
    cudaDataType in, out, execution;
};
cufftResult layout_request(const struct layout_call *c, struct fft_request *r,
                           bool *is_default);
/* The same in place, where lines of reals have room for the halves. */
void layout_pad(struct fft_request *r);
bool layout_types(cufftType type, struct layout_call *c);
size_t layout_work_bytes(const struct fft_request *r, bool is_default);

/* The plan of a handle that has none (make.c). */
cufftResult handle_make(struct handle *h, const struct layout_call *c,
                        size_t *work_bytes);
cufftResult handle_make_request(struct handle *h, const struct fft_request *r);
void handle_destroy(struct handle *h);

/* Work in the handle's stream (exec.c). Pointers of plain memory. */
cufftResult handle_exec(struct handle *h, void *in, void *out, bool inverse);
/* The same without its callbacks. padded: reals lie as they do in place. */
cufftResult handle_transform(struct handle *h, void *in, void *out,
                             bool inverse, bool padded);

/* Elements of a buffer that the plan may touch; padded: as in place. */
enum handle_side { HANDLE_IN, HANDLE_OUT };
size_t handle_buffer_bytes(const struct handle *h, enum handle_side side,
                           bool in_place);

#endif
