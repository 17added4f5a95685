/* SPDX-License-Identifier: Apache-2.0 */
/* cublasLtMatrixTransform: C = alpha op(A) + beta op(B), from any order and
 * type to any other. A column of C is a tile. */
#include "internal.h"

struct transform {
    struct layout a, b, c;
    const void *at_a, *at_b;
    void *at_c;
    int op_a, op_b;
    struct scalar alpha, beta;
};

/* Element (r, c) of op(X). */
static struct number load_element(const struct layout *l, const void *at,
                                  int64_t batch, int op, int64_t r, int64_t c)
{
    bool turns = op == CUBLAS_OP_T || op == CUBLAS_OP_C;
    int64_t index =
        batch * l->stride + (turns ? lt_place(l, c, r) : lt_place(l, r, c));
    cudaDataType_t type = (cudaDataType_t)l->type;
    struct number x = element_load(
        type, (const char *)at + index * (int64_t)element_bytes(type));
    if (op == CUBLAS_OP_C)
        x.im = -x.im;
    return x;
}

static void add_product(struct number *sum, struct number factor,
                        struct number x)
{
    sum->re += factor.re * x.re - factor.im * x.im;
    sum->im += factor.re * x.im + factor.im * x.re;
}

static void run_transform(const void *args, uint64_t first, uint64_t end)
{
    const struct transform *t = args;
    struct number alpha = scalar_get(&t->alpha), beta = scalar_get(&t->beta);
    cudaDataType_t type = (cudaDataType_t)t->c.type;
    bool has_b = t->at_b && (beta.re != 0 || beta.im != 0);
    for (uint64_t i = first; i < end; i++) {
        int64_t batch = (int64_t)(i / t->c.columns);
        int64_t c = (int64_t)(i % t->c.columns);
        for (int64_t r = 0; r < (int64_t)t->c.rows; r++) {
            struct number sum = {0, 0};
            add_product(&sum, alpha,
                        load_element(&t->a, t->at_a, batch, t->op_a, r, c));
            if (has_b)
                add_product(&sum, beta,
                            load_element(&t->b, t->at_b, batch, t->op_b, r, c));
            int64_t index = batch * t->c.stride + lt_place(&t->c, r, c);
            element_store(type, sum,
                          (char *)t->at_c +
                              index * (int64_t)element_bytes(type));
        }
    }
}

static const struct native_kernel kernel = {.name = "matrix_transform",
                                            .run = run_transform,
                                            .args_bytes =
                                                sizeof(struct transform)};

/* Has op(X) the size of C? */
static bool fits_result(const struct layout *x, int op, const struct layout *c)
{
    bool turns = op == CUBLAS_OP_T || op == CUBLAS_OP_C;
    return x->rows == (turns ? c->columns : c->rows) &&
           x->columns == (turns ? c->rows : c->columns) && x->batch == c->batch;
}

static bool is_supported(const struct layout *l)
{
    return lt_is_order(l->order) && l->plane_offset == 0 &&
           element_bytes((cudaDataType_t)l->type) != 0 &&
           l->batch_mode == CUBLASLT_BATCH_MODE_STRIDED;
}

static void read_scalar(struct scalar *s, const struct transform_desc *d,
                        const void *at)
{
    s->type = (cudaDataType_t)d->scale_type;
    if (at && d->pointer_mode == CUBLASLT_POINTER_MODE_HOST)
        s->value = element_load(s->type, at);
    else
        s->device = at;
}

cublasStatus_t cublasLtMatrixTransform(
    cublasLtHandle_t lightHandle, cublasLtMatrixTransformDesc_t transformDesc,
    const void *alpha, const void *A, cublasLtMatrixLayout_t Adesc,
    const void *beta, const void *B, cublasLtMatrixLayout_t Bdesc, void *C,
    cublasLtMatrixLayout_t Cdesc, cudaStream_t stream)
{
    const struct transform_desc *d = (void *)transformDesc;
    if (!lightHandle)
        return LT_END(CUBLAS_STATUS_NOT_INITIALIZED);
    if (!d || !alpha || !A || !Adesc || !C || !Cdesc ||
        (B && (!Bdesc || !beta)))
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    struct transform t = {.a = *(struct layout *)Adesc,
                          .c = *(struct layout *)Cdesc,
                          .at_a = A,
                          .at_b = B,
                          .at_c = C,
                          .op_a = d->op_a,
                          .op_b = d->op_b};
    if (B)
        t.b = *(struct layout *)Bdesc;
    if (!fits_result(&t.a, t.op_a, &t.c) ||
        (B && !fits_result(&t.b, t.op_b, &t.c)))
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (!is_supported(&t.a) || !is_supported(&t.c) ||
        (B && !is_supported(&t.b)))
        return LT_END(CUBLAS_STATUS_NOT_SUPPORTED);
    read_scalar(&t.alpha, d, alpha);
    read_scalar(&t.beta, d, B ? beta : NULL);
    CUresult err = lib_run(&kernel, (CUstream)stream,
                           t.c.columns * (uint64_t)t.c.batch, &t);
    return LT_END(err == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS
                                      : CUBLAS_STATUS_EXECUTION_FAILED);
}
