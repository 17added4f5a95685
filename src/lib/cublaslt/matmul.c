/* SPDX-License-Identifier: Apache-2.0 */
/* Products: from descriptions to a struct lt_product (lt_plan), then the call.
 * A matrix in row order is taken as its transpose in column order. */
#include "internal.h"

#include <string.h>

/* ---- the plan --------------------------------------------------------- */

static bool is_float_type(cudaDataType_t type)
{
    return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
}

/* Besides those of types.def: 8-bit and 4-bit floats, and bytes from bytes with
 * float scalars. */
bool lt_find_types(cublasComputeType_t compute, cudaDataType_t a,
                   cudaDataType_t b, cudaDataType_t c, cudaDataType_t d,
                   struct product_types *out)
{
    if ((lt_is_fp8(a) && lt_is_fp8(b)) || (a == CUDA_R_4F_E2M1 && b == a)) {
        *out = (struct product_types){BLAS_S, CUDA_R_32F, false};
        return compute == CUBLAS_COMPUTE_32F && is_float_type(c) &&
               (d == c || lt_is_fp8(d) || d == CUDA_R_4F_E2M1);
    }
    if (compute == CUBLAS_COMPUTE_32I && d == CUDA_R_8I) {
        *out = (struct product_types){BLAS_S, CUDA_R_32F, true};
        return a == CUDA_R_8I && b == a && c == a;
    }
    return c == d && product_types_of(compute, a, b, d, out);
}

/* places.c has scales of A and B, blocks.c those that are computed for D; there
 * are no others than single numbers for C, D and aux. */
static bool are_scales_right(const struct matmul_desc *m,
                             const struct layout *a, const struct layout *b,
                             const struct layout *d)
{
    return !(m->c_mode | m->d_mode | m->aux_mode) &&
           lt_is_out_scale_right(m, d) &&
           lt_is_scale_right(m->a_mode, (cudaDataType_t)a->type, m->a_scale,
                             a->batch) &&
           lt_is_scale_right(m->b_mode, (cudaDataType_t)b->type, m->b_scale,
                             b->batch);
}

/* For a matrix in row order: the op of its transpose that gives the same. */
static enum product_op transposed_op(enum product_op op)
{
    static const enum product_op of[] = {PRODUCT_T, PRODUCT_N, PRODUCT_CONJ,
                                         PRODUCT_C};
    return of[op];
}

static bool is_as_stored(int op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_CONJG;
}

static struct matrix matrix_of(const struct layout *l)
{
    return (struct matrix){.ld = l->ld,
                           .stride = l->stride,
                           .type = (cudaDataType_t)l->type,
                           .is_array = l->batch_mode ==
                                       CUBLASLT_BATCH_MODE_POINTER_ARRAY};
}

static bool do_sizes_fit(const struct product *p, const struct matmul_desc *m,
                         const struct layout *a, const struct layout *b,
                         const struct layout *c, const struct layout *d)
{
    bool a_stored = is_as_stored(m->op_a), b_stored = is_as_stored(m->op_b);
    return p->m == (int64_t)(a_stored ? a->rows : a->columns) &&
           p->n == (int64_t)(b_stored ? b->columns : b->rows) &&
           p->k == (int64_t)(b_stored ? b->rows : b->columns) &&
           c->rows == d->rows && c->columns == d->columns &&
           a->batch == d->batch && b->batch == d->batch && c->batch == d->batch;
}

/* D is in row order: computes D' = op(B)' op(A)'. */
static void transpose_result(struct lt_product *l)
{
    struct product old = l->p, *p = &l->p;
    p->m = old.n;
    p->n = old.m;
    p->a = old.b;
    p->b = old.a;
    p->op_a = transposed_op(old.op_b);
    p->op_b = transposed_op(old.op_a);
    struct lt_side side = l->sides[0];
    l->sides[0] = l->sides[1];
    l->sides[1] = side;
    l->is_turned = true;
}

static struct lt_side side_of(const struct layout *l, int op, bool is_b,
                              const struct product *p)
{
    return (struct lt_side){
        .layout = *l,
        .count = is_b ? p->n : p->m,
        .depth = p->k,
        .k_down = is_as_stored(op) == is_b,
        .conjugates = op == CUBLAS_OP_C || op == CUBLAS_OP_CONJG,
    };
}

/* blocks.c stores 4-bit floats, with their scales. */
static bool is_plain_result(const struct layout *d)
{
    return lt_is_plain_layout(d) ||
           (d->type == CUDA_R_4F_E2M1 && d->order <= CUBLASLT_ORDER_ROW);
}

/* Decides whether operands are read, and D is written, number by number. */
static void find_places(struct lt_product *l, const struct layout *a,
                        const struct layout *b, const struct layout *c,
                        const struct layout *d)
{
    struct matmul_desc *m = &l->desc;
    l->sides[0] = side_of(a, m->op_a, false, &l->p);
    l->sides[1] = side_of(b, m->op_b, true, &l->p);
    l->c = *c;
    l->d = *d;
    l->stores = !lt_is_plain_layout(c) || !is_plain_result(d);
    if (lt_is_plain_layout(a) && lt_is_plain_layout(b) && !m->a_mode &&
        !m->b_mode && !l->stores)
        return;
    l->p.load = lt_load;
    if ((l->sides[0].mode = m->a_mode)) {
        l->sides[0].scale = m->a_scale;
        m->a_scale = NULL;
    }
    if ((l->sides[1].mode = m->b_mode)) {
        l->sides[1].scale = m->b_scale;
        m->b_scale = NULL;
    }
}

/* All four are in planes or none is; in planes their types are complex. */
static bool are_planes_right(const struct layout *a, const struct layout *b,
                             const struct layout *c, const struct layout *d)
{
    bool in_planes = a->plane_offset != 0;
    return in_planes == (b->plane_offset != 0) &&
           in_planes == (c->plane_offset != 0) &&
           in_planes == (d->plane_offset != 0) &&
           (!in_planes ||
            lt_plane_type((cudaDataType_t)a->type) != (cudaDataType_t)a->type);
}

/* Orders in groups of columns are for bytes only. */
static bool is_order_right(const struct layout *l, const struct layout *a)
{
    return lt_is_order(l->order) &&
           (l->order <= CUBLASLT_ORDER_ROW || a->type == CUDA_R_8I);
}

static bool are_orders_right(const struct layout *a, const struct layout *b,
                             const struct layout *c, const struct layout *d)
{
    return is_order_right(a, a) && is_order_right(b, a) &&
           is_order_right(c, a) && c->order == d->order &&
           c->type != CUDA_R_4F_E2M1 && are_planes_right(a, b, c, d) &&
           ((lt_is_plain_layout(c) && is_plain_result(d)) ||
            !(c->batch_mode | d->batch_mode));
}

static bool is_epilogue_right(const struct lt_product *l)
{
    uint32_t e = l->desc.epilogue;
    bool has_aux = e & LT_AUX, is_plain = e == CUBLASLT_EPILOGUE_DEFAULT;
    bool is_aux_scaled = l->desc.aux_scale || l->desc.aux_amax;
    if (l->stores && (!is_plain || lt_needs_finish(l)))
        return false;
    if (is_aux_scaled && (e & (LT_GELU | LT_AUX)) != (LT_GELU | LT_AUX))
        return false;
    if (is_plain)
        return true;
    if (l->p.load && e >= CUBLASLT_EPILOGUE_BGRADA)
        return false;
    return !(has_aux && (l->is_turned || l->desc.aux_ld <= 0)) &&
           !(l->is_turned && (e & LT_BGRAD)) && l->p.type == BLAS_S;
}

/* Complex numbers in planes have more types than others: halves and bfloat16
 * too, which are computed in float. */
static bool find_types(const struct matmul_desc *m, const struct product *p,
                       bool in_planes, struct product_types *out)
{
    cublasComputeType_t compute = (cublasComputeType_t)m->compute;
    if (!in_planes)
        return lt_find_types(compute, p->a.type, p->b.type, p->c.type,
                             p->d.type, out);
    bool is_double = p->a.type == CUDA_C_64F;
    *out = (struct product_types){is_double ? BLAS_Z : BLAS_C,
                                  is_double ? CUDA_C_64F : CUDA_C_32F, false};
    return p->a.type == p->b.type && p->c.type == p->d.type &&
           lt_plane_type(p->d.type) != p->d.type &&
           (p->d.type == p->a.type || p->d.type == CUDA_C_32F) &&
           compute == (is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F);
}

static bool is_grouped(const struct layout *l)
{
    return l->batch_mode == CUBLASLT_BATCH_MODE_GROUPED;
}

cublasStatus_t lt_plan(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t ad,
                       cublasLtMatrixLayout_t bd, cublasLtMatrixLayout_t cd,
                       cublasLtMatrixLayout_t dd, struct lt_product *out)
{
    /* Without a layout of its own, C has D's. */
    const struct layout *a = (void *)ad, *b = (void *)bd, *d = (void *)dd,
                        *c = cd ? (void *)cd : d;
    struct product_types types;
    if (!desc || !a || !b || !d)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (is_grouped(a) || is_grouped(b) || is_grouped(c) || is_grouped(d))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    *out = (struct lt_product){.desc = *(struct matmul_desc *)desc};
    const struct matmul_desc *m = &out->desc;
    struct product *p = &out->p;
    *p = (struct product){
        .m = (int64_t)d->rows,
        .n = (int64_t)d->columns,
        .k = (int64_t)(is_as_stored(m->op_a) ? a->columns : a->rows),
        .batch = d->batch,
        .op_a = (enum product_op)m->op_a,
        .op_b = (enum product_op)m->op_b,
        .a = matrix_of(a),
        .b = matrix_of(b),
        .c = matrix_of(c),
        .d = matrix_of(d),
    };
    if ((unsigned)m->op_a > CUBLAS_OP_C || (unsigned)m->op_b > CUBLAS_OP_C ||
        !do_sizes_fit(p, m, a, b, c, d))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!are_orders_right(a, b, c, d) || !are_scales_right(m, a, b, d) ||
        m->op_c != CUBLAS_OP_N || m->fill != CUBLAS_FILL_MODE_FULL ||
        !find_types(m, p, a->plane_offset != 0, &types) ||
        m->scale_type != (int32_t)types.scale)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!lt_is_layout_right(a) || !lt_is_layout_right(b) ||
        !lt_is_layout_right(c) || !lt_is_layout_right(d))
        return CUBLAS_STATUS_INVALID_VALUE;
    p->type = types.type;
    p->is_integer = types.is_integer;
    p->alpha.type = p->beta.type = types.scale;
    find_places(out, a, b, c, d);
    if (a->order == CUBLASLT_ORDER_ROW)
        p->op_a = transposed_op(p->op_a);
    if (b->order == CUBLASLT_ORDER_ROW)
        p->op_b = transposed_op(p->op_b);
    if (d->order == CUBLASLT_ORDER_ROW && !out->stores)
        transpose_result(out);
    return is_epilogue_right(out) ? CUBLAS_STATUS_SUCCESS
                                  : CUBLAS_STATUS_NOT_SUPPORTED;
}

/* ---- the call --------------------------------------------------------- */

/* Vectors of alpha or beta are read by the epilogue, through alpha.device and
 * beta.device. */
static void read_scalars(struct lt_product *l, const void *alpha,
                         const void *beta)
{
    struct product *p = &l->p;
    int mode = l->desc.pointer_mode;
    if (mode == CUBLASLT_POINTER_MODE_HOST) {
        p->alpha.value = element_load(p->alpha.type, alpha);
        p->beta.value = element_load(p->beta.type, beta);
        return;
    }
    p->alpha.device = alpha;
    if (mode == CUBLASLT_POINTER_MODE_DEVICE ||
        mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR)
        p->beta.device = beta;
    if (mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST)
        p->beta.value = element_load(p->beta.type, beta);
}

static bool is_beta_zero(const struct lt_product *l)
{
    return !l->p.beta.device && l->p.beta.value.re == 0 &&
           l->p.beta.value.im == 0;
}

static void clear_float(const void *args, uint64_t first, uint64_t end)
{
    (void)first, (void)end;
    **(float *const *)args = 0;
}

static const struct native_kernel clearing = {
    .name = "clear_amax", .run = clear_float, .args_bytes = sizeof(float *)};

static CUresult clear_maximum(void *at, CUstream stream)
{
    return at ? lib_run(&clearing, stream, 1, &at) : CUDA_SUCCESS;
}

/* BGRADA, BGRADB: the sum over k of each row of A, or of each column of B. */
struct gradient {
    struct matrix x;
    bool along_columns;
    int64_t count, length, bias_stride;
    void *bias;
    cudaDataType_t bias_type;
};

static void sum_gradient(const void *args, uint64_t first, uint64_t end)
{
    const struct gradient *g = args;
    for (uint64_t i = first; i < end; i++) {
        int64_t batch = (int64_t)i / g->count, at = (int64_t)i % g->count;
        struct number sum = {0, 0};
        for (int64_t k = 0; k < g->length; k++) {
            void *x = g->along_columns ? matrix_at(&g->x, batch, at, k)
                                       : matrix_at(&g->x, batch, k, at);
            sum.re += element_load(g->x.type, x).re;
        }
        int64_t index = batch * g->bias_stride + at;
        element_store(g->bias_type, sum,
                      (char *)g->bias +
                          index * (int64_t)element_bytes(g->bias_type));
    }
}

static const struct native_kernel gradient_kernel = {
    .name = "bias_gradient",
    .run = sum_gradient,
    .args_bytes = sizeof(struct gradient)};

static CUresult add_gradient(const struct lt_product *l, CUstream stream)
{
    bool of_a = l->desc.epilogue == CUBLASLT_EPILOGUE_BGRADA;
    if (!of_a && l->desc.epilogue != CUBLASLT_EPILOGUE_BGRADB)
        return CUDA_SUCCESS;
    const struct product *p = &l->p;
    bool from_a = of_a != l->is_turned;
    enum product_op op = from_a ? p->op_a : p->op_b;
    struct gradient g = {
        .x = from_a ? p->a : p->b,
        .along_columns = from_a == product_as_stored(op),
        .count = from_a ? p->m : p->n,
        .length = p->k,
        .bias = l->desc.bias,
        .bias_type = l->desc.bias_type < 0 ? p->d.type
                                           : (cudaDataType_t)l->desc.bias_type,
        .bias_stride = l->desc.bias_stride,
    };
    return lib_run(&gradient_kernel, stream, (uint64_t)(g.count * p->batch),
                   &g);
}

static bool are_pointers_there(const struct lt_product *l)
{
    const struct product *p = &l->p;
    uint32_t e = l->desc.epilogue;
    bool needs_bias = e & (LT_BIAS | LT_BGRAD | LT_BGRADA | LT_BGRADB),
         needs_aux = e & LT_AUX;
    return p->a.at && p->b.at && p->d.at && (p->c.at || is_beta_zero(l)) &&
           (l->desc.bias || !needs_bias) && (l->desc.aux || !needs_aux);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle,
                              cublasLtMatmulDesc_t computeDesc,
                              const void *alpha, const void *A,
                              cublasLtMatrixLayout_t Adesc, const void *B,
                              cublasLtMatrixLayout_t Bdesc, const void *beta,
                              const void *C, cublasLtMatrixLayout_t Cdesc,
                              void *D, cublasLtMatrixLayout_t Ddesc,
                              const cublasLtMatmulAlgo_t *algo, void *workspace,
                              size_t workspaceSizeInBytes, cudaStream_t stream)
{
    struct lt_product l;
    (void)algo;
    if (!lightHandle)
        return LT_END(CUBLAS_STATUS_NOT_INITIALIZED);
    cublasStatus_t status =
        lt_plan(computeDesc, Adesc, Bdesc, Cdesc, Ddesc, &l);
    if (status)
        return LT_END(status);
    bool has_beta = l.desc.pointer_mode !=
                    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
    if (!alpha || (has_beta && !beta) || (workspaceSizeInBytes && !workspace))
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    read_scalars(&l, alpha, beta);
    (l.is_turned ? &l.p.b : &l.p.a)->at = (void *)A;
    (l.is_turned ? &l.p.a : &l.p.b)->at = (void *)B;
    l.p.c.at = (void *)C;
    l.p.d.at = D;
    if (!are_pointers_there(&l))
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (l.stores)
        l.p.finish = lt_store;
    else if (lt_needs_finish(&l))
        l.p.finish = lt_finish;
    else if (is_beta_zero(&l))
        l.p.c = l.p.d;
    l.p.whole_rows = l.desc.epilogue & LT_BGRAD;
    l.p.row_unit = lt_block_length(l.desc.d_out_mode);
    CUstream s = (CUstream)stream;
    CUresult err = clear_maximum(l.desc.amax, s);
    if (!err)
        err = clear_maximum(l.desc.aux_amax, s);
    if (!err)
        err = product_run(&l.p, sizeof l, s);
    if (!err)
        err = add_gradient(&l, s);
    return LT_END(err == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS
                                      : CUBLAS_STATUS_EXECUTION_FAILED);
}
