/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that get no scratch memory: the launch fails, as the kernel of a GPU
 * that faults, and nothing is right by chance. aligned_alloc is the program's
 * here. Each case is a process of its own, since its context is lost.
 */
#define _GNU_SOURCE
#include "../exec/check.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cublasLt.h"
#include "cublas_v2.h"
#include "cuda_runtime.h"

static atomic_bool has_none; /* for kernels of cuBLAS */

static bool is_in_cublas(const void *code)
{
    Dl_info info;
    return dladdr(code, &info) && strstr(info.dli_fname, "/libcublas.so");
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    void *p = NULL;
    if (atomic_load(&has_none) && is_in_cublas(__builtin_return_address(0)))
        return NULL;
    return posix_memalign(&p, alignment, bytes) ? NULL : p;
}

enum { N = 24 };

static float *new_floats(size_t count)
{
    void *p = NULL;
    CHECK_EQUAL(cudaMallocManaged(&p, count * 4, cudaMemAttachGlobal), 0);
    for (size_t i = 0; i < count; i++)
        ((float *)p)[i] = (float)(i % 7) + (i % (N + 1) == 0 ? 9 : 0);
    return p;
}

struct operands {
    cublasHandle_t handle;
    float *a, *b, **lists; /* of one: a, b */
    int *pivots, *info;
};

static cublasStatus_t invert(struct operands *o)
{
    return cublasSgetriBatched(o->handle, N, (const float *const *)o->lists, N,
                               o->pivots, o->lists + 1, N, o->info, 1);
}

static cublasStatus_t invert_small(struct operands *o)
{
    return cublasSmatinvBatched(o->handle, N, (const float *const *)o->lists, N,
                                o->lists + 1, N, o->info, 1);
}

static cublasStatus_t solve(struct operands *o)
{
    int info;
    return cublasSgetrsBatched(o->handle, CUBLAS_OP_N, N, 1,
                               (const float *const *)o->lists, N, o->pivots,
                               o->lists + 1, N, &info, 1);
}

static cublasStatus_t factor(struct operands *o)
{
    int info;
    return cublasSgeqrfBatched(o->handle, N, N, o->lists, N, o->lists + 1,
                               &info, 1);
}

static cublasStatus_t solve_least(struct operands *o)
{
    int info;
    return cublasSgelsBatched(o->handle, CUBLAS_OP_N, N, N, 1, o->lists, N,
                              o->lists + 1, N, &info, NULL, 1);
}

static cublasStatus_t change_rank(struct operands *o)
{
    float one = 1, zero = 0;
    return cublasSsyrkx(o->handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, N,
                        &one, o->a, N, o->a, N, &zero, o->b, N);
}

static cublasStatus_t multiply(struct operands *o, cudaDataType_t type)
{
    float one = 1, zero = 0;
    return cublasGemmEx(o->handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one,
                        o->a, type, N, o->a, type, N, &zero, o->b, CUDA_R_32F,
                        N, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

static cublasStatus_t multiply_halves(struct operands *o)
{
    return multiply(o, CUDA_R_16F);
}

static cublasStatus_t multiply_bfloats(struct operands *o)
{
    return multiply(o, CUDA_R_16BF);
}

/* What the call's process answers: with memory the call succeeds. */
static void try_call(cublasStatus_t (*call)(struct operands *o),
                     bool has_memory)
{
    struct operands o = {.a = new_floats(N * N), .b = new_floats(N * N)};
    void *p = NULL;
    CHECK_EQUAL(cublasCreate(&o.handle), 0);
    CHECK_EQUAL(cudaMallocManaged(&p, 2 * sizeof *o.lists, 1), 0);
    o.lists = p;
    o.lists[0] = o.a;
    o.lists[1] = o.b;
    CHECK_EQUAL(cudaMallocManaged(&p, (N + 1) * sizeof(int), 1), 0);
    o.info = p;
    o.pivots = o.info + 1;
    for (int i = 0; i < N; i++)
        o.pivots[i] = i + 1;
    atomic_store(&has_none, !has_memory);
    CHECK_EQUAL(call(&o), 0);
    CHECK((cudaDeviceSynchronize() == cudaSuccess) == has_memory);
}

int main(void)
{
    cublasStatus_t (*calls[])(struct operands * o) = {
        invert,      invert_small, solve,           factor,
        solve_least, change_rank,  multiply_halves, multiply_bfloats};
    for (size_t i = 0; i < 2 * sizeof calls / sizeof *calls; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            try_call(calls[i / 2], i % 2);
            _exit(check_result() != 0);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        if (status)
            fprintf(stderr, "call %zu %s memory: status %x\n", i / 2,
                    i % 2 ? "with" : "without", (unsigned)status);
        CHECK_EQUAL(status, 0);
    }
    return check_result();
}
