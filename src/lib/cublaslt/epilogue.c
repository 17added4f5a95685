/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes D from sums: scales, vectors of alpha, bias, activation functions and
 * their gradients, in float, column by column. The gradient of a bias is a sum
 * over all columns, so its tiles have all of them (product.h, whole_rows).
 */
#include "internal.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

bool lt_needs_finish(const struct lt_product *l)
{
    const struct matmul_desc *m = &l->desc;
    uint32_t e = m->epilogue;
    bool is_plain = e == CUBLASLT_EPILOGUE_DEFAULT ||
                    e == CUBLASLT_EPILOGUE_BGRADA ||
                    e == CUBLASLT_EPILOGUE_BGRADB;
    return !is_plain || m->a_scale || m->b_scale || m->c_scale || m->d_scale ||
           m->amax || m->d_out_mode ||
           m->pointer_mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
}

static float scale_of(const void *at)
{
    return at ? *(const float *)at : 1;
}

/* Element `index` of a vector of the type. */
static float of_vector(const void *at, cudaDataType_t type, int64_t index)
{
    return (float)element_load(type, (const char *)at +
                                         index * (int64_t)element_bytes(type))
        .re;
}

static cudaDataType_t type_or(int32_t type, cudaDataType_t otherwise)
{
    return type < 0 ? otherwise : (cudaDataType_t)type;
}

/* The type of a bias or an aux: the one that was set (>= 0), else D's; those of
 * 8-bit floats default to bfloat16, of bytes to float. */
static cudaDataType_t side_type(const struct lt_product *l, int32_t type)
{
    cudaDataType_t d = l->p.d.type;
    return type_or(type, lt_is_fp8(d)     ? CUDA_R_16BF
                         : d == CUDA_R_8I ? CUDA_R_32F
                                          : d);
}

/* Some rows of a column of D as it is computed. */
enum { COLUMN_ROWS = 512 };
struct column {
    const struct lt_product *l;
    int64_t batch, row, column, rows;
    float *values;
};

/* The row of element i in the program's D; ours may be its transpose. */
static int64_t row_of(const struct column *c, int64_t i)
{
    return c->l->is_turned ? c->column : c->row + i;
}

/* ---- the steps of an epilogue ----------------------------------------- */

/* values = alpha * scales * values + beta * scale * old (NULL: without it). */
static void scale_and_add(const struct column *c, const float *old)
{
    const struct product *p = &c->l->p;
    const struct matmul_desc *m = &c->l->desc;
    bool has_vector = m->pointer_mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
    bool has_beta_vector =
        m->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
    float scale = scale_of(m->a_scale) * scale_of(m->b_scale);
    float alpha = has_vector ? 1 : (float)scalar_get(&p->alpha).re;
    float beta = has_beta_vector ? 1 : (float)scalar_get(&p->beta).re;
    float c_scale = scale_of(m->c_scale);
    int64_t from = c->batch * m->alpha_stride;
    for (int64_t i = 0; i < c->rows; i++) {
        int64_t at = from + row_of(c, i);
        float a =
            has_vector ? of_vector(p->alpha.device, p->alpha.type, at) : alpha;
        float b = has_beta_vector ? of_vector(p->beta.device, p->beta.type, at)
                                  : beta;
        c->values[i] =
            a * scale * c->values[i] + (old ? b * c_scale * old[i] : 0);
    }
}

static void add_bias(const struct column *c)
{
    const struct matmul_desc *m = &c->l->desc;
    cudaDataType_t type = side_type(c->l, m->bias_type);
    int64_t from = c->batch * m->bias_stride;
    for (int64_t i = 0; i < c->rows; i++)
        c->values[i] += of_vector(m->bias, type, from + row_of(c, i));
}

/* The byte with element i's bit in relu's aux: did the element pass? */
static uint8_t *aux_byte(const struct column *c, int64_t i)
{
    const struct matmul_desc *m = &c->l->desc;
    int64_t bit = c->column * m->aux_ld + c->row + i;
    return (uint8_t *)m->aux + c->batch * m->aux_stride / 8 + bit / 8;
}

static void *aux_element(const struct column *c, int64_t i, cudaDataType_t type)
{
    const struct matmul_desc *m = &c->l->desc;
    int64_t at = c->batch * m->aux_stride + c->column * m->aux_ld + c->row + i;
    return (char *)m->aux + at * (int64_t)element_bytes(type);
}

static void apply_relu(const struct column *c, bool keeps)
{
    for (int64_t i = 0; i < c->rows; i++) {
        bool passes = c->values[i] > 0;
        uint8_t bit = (uint8_t)(1u << ((c->row + i) & 7));
        if (keeps)
            *aux_byte(c, i) =
                (uint8_t)((*aux_byte(c, i) & ~bit) | (passes ? bit : 0));
        if (!passes)
            c->values[i] = 0;
    }
}

static void relu_gradient(const struct column *c)
{
    for (int64_t i = 0; i < c->rows; i++) {
        if (!(*aux_byte(c, i) >> ((c->row + i) & 7) & 1))
            c->values[i] = 0;
    }
}

static const float gelu_a = 0.7978845608f, gelu_b = 0.044715f;

/* *at, a float that is no less than 0, becomes the largest magnitude. Such
 * floats are ordered as their bits are. */
static void keep_largest(void *at, const float *values, int64_t n)
{
    float most = 0;
    uint32_t bits;
    for (int64_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(values[i]));
    memcpy(&bits, &most, sizeof bits);
    _Atomic uint32_t *to = at;
    uint32_t old = atomic_load(to);
    while (old < bits && !atomic_compare_exchange_weak(to, &old, bits))
        ;
}

/* Keeps what gelu is applied to: its largest magnitude, and scaled. */
static void keep_values(const struct column *c)
{
    const struct matmul_desc *m = &c->l->desc;
    cudaDataType_t type = side_type(c->l, m->aux_type);
    float scale = scale_of(m->aux_scale);
    if (m->aux_amax)
        keep_largest(m->aux_amax, c->values, c->rows);
    for (int64_t i = 0; i < c->rows; i++)
        element_store(type, (struct number){c->values[i] * scale, 0},
                      aux_element(c, i, type));
}

static void apply_gelu(const struct column *c, bool keeps)
{
    if (keeps)
        keep_values(c);
    for (int64_t i = 0; i < c->rows; i++) {
        float x = c->values[i];
        c->values[i] =
            0.5f * x * (1 + tanhf(gelu_a * (x + gelu_b * x * x * x)));
    }
}

static void gelu_gradient(const struct column *c)
{
    cudaDataType_t type = side_type(c->l, c->l->desc.aux_type);
    for (int64_t i = 0; i < c->rows; i++) {
        float x = (float)element_load(type, aux_element(c, i, type)).re;
        float t = tanhf(gelu_a * (x + gelu_b * x * x * x));
        float slope = gelu_a * (1 + 3 * gelu_b * x * x);
        c->values[i] *= 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * slope;
    }
}

static void apply_epilogue(const struct column *c)
{
    uint32_t e = c->l->desc.epilogue;
    if (e & LT_BIAS)
        add_bias(c);
    if (e & LT_RELU)
        apply_relu(c, e & LT_AUX);
    if (e & LT_GELU)
        apply_gelu(c, e & LT_AUX);
    if (e & LT_DRELU)
        relu_gradient(c);
    if (e & LT_DGELU)
        gelu_gradient(c);
}

static void store_column(const struct column *c)
{
    const struct matrix *d = &c->l->p.d;
    if (c->l->desc.d_out_mode)
        lt_store_blocks(c->l, c->row, c->column, c->rows, c->values);
    else
        element_from_float(element_of(d->type).part, c->values,
                           matrix_at(d, c->batch, c->row, c->column),
                           (size_t)c->rows);
}

static void finish_column(const struct column *c, float *gradient)
{
    const struct product *p = &c->l->p;
    const struct matmul_desc *m = &c->l->desc;
    float old[COLUMN_ROWS];
    struct number beta = scalar_get(&p->beta);
    bool reads = p->beta.device || beta.re != 0;
    if (reads)
        element_to_float(element_of(p->c.type).part,
                         matrix_at(&p->c, c->batch, c->row, c->column), old,
                         (size_t)c->rows);
    scale_and_add(c, reads ? old : NULL);
    apply_epilogue(c);
    for (int64_t i = 0; gradient && i < c->rows; i++)
        gradient[i] += c->values[i];
    if (m->amax)
        keep_largest(m->amax, c->values, c->rows);
    float d_scale = scale_of(m->d_scale);
    for (int64_t i = 0; m->d_scale && i < c->rows; i++)
        c->values[i] *= d_scale;
    store_column(c);
}

static void store_gradient(const struct lt_product *l,
                           const struct product_tile *t, const float *gradient)
{
    cudaDataType_t type = side_type(l, l->desc.bias_type);
    int64_t at = t->batch * l->desc.bias_stride + t->row;
    element_from_float(element_of(type).part, gradient,
                       (char *)l->desc.bias + at * (int64_t)element_bytes(type),
                       (size_t)t->rows);
}

void lt_finish(const struct product *p, const struct product_tile *t)
{
    const struct lt_product *l = (const struct lt_product *)p;
    float gradient[COLUMN_ROWS] = {0}, values[COLUMN_ROWS];
    bool has_gradient =
        l->desc.epilogue & LT_BGRAD && l->desc.epilogue & (LT_DRELU | LT_DGELU);
    for (int64_t at = 0; at < t->rows * t->columns;) {
        int64_t i = at % t->rows, j = at / t->rows, left = t->rows - i;
        struct column c = {l,
                           t->batch,
                           t->row + i,
                           t->column + j,
                           left < COLUMN_ROWS ? left : COLUMN_ROWS,
                           (float *)t->sums + at};
        if (p->is_integer) {
            element_to_float(PART_I32, (int32_t *)t->sums + at, values,
                             (size_t)c.rows);
            c.values = values;
        }
        finish_column(&c, has_gradient ? gradient : NULL);
        at += c.rows;
    }
    if (has_gradient)
        store_gradient(l, t, gradient);
}
