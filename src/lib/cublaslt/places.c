/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrices that BLAS does not take: in groups of 32 columns, complex numbers in
 * planes, floats of 4 bits, and numbers with scales for blocks along k.
 * Operands are read, and D is written, number by number.
 */
#include "internal.h"

#include <math.h>

/* ---- orders ----------------------------------------------------------- */

bool lt_is_order(int32_t order)
{
    return (uint32_t)order <= CUBLASLT_ORDER_COL32_2R_4R4;
}

/* Groups of 32 columns are ld apart; their rows are in tiles. */
int64_t lt_place(const struct layout *l, int64_t r, int64_t c)
{
    int64_t in = c % 32, group = c / 32 * l->ld;
    switch (l->order) {
    case CUBLASLT_ORDER_ROW:
        return r * l->ld + c;
    case CUBLASLT_ORDER_COL32:
        return group + r * 32 + in;
    case CUBLASLT_ORDER_COL4_4R2_8C:
        /* Tiles of 8 rows: the even ones, then the odd ones, in steps of 8
         * columns and in them of 4. */
        return group + r / 8 * 256 + r % 2 * 128 + in / 8 * 32 +
               in % 8 / 4 * 16 + r % 8 / 2 * 4 + in % 4;
    case CUBLASLT_ORDER_COL32_2R_4R4:
        return group + r / 32 * 1024 +
               ((r % 8 / 2 * 4 + r % 32 / 8) * 2 + r % 2) * 32 + in;
    default:
        return r + c * l->ld;
    }
}

/* The least ld that the order allows. */
static int64_t least_ld(const struct layout *l)
{
    int64_t rows = (int64_t)l->rows;
    switch (l->order) {
    case CUBLASLT_ORDER_ROW:
        return (int64_t)l->columns;
    case CUBLASLT_ORDER_COL32:
        return 32 * rows;
    case CUBLASLT_ORDER_COL4_4R2_8C:
        return 32 * ((rows + 7) / 8 * 8);
    case CUBLASLT_ORDER_COL32_2R_4R4:
        return 32 * ((rows + 31) / 32 * 32);
    default:
        return rows;
    }
}

bool lt_is_layout_right(const struct layout *l)
{
    return l->rows > 0 && l->columns > 0 && l->batch >= 1 &&
           l->ld >= least_ld(l);
}

bool lt_is_plain_layout(const struct layout *l)
{
    return (l->order == CUBLASLT_ORDER_COL || l->order == CUBLASLT_ORDER_ROW) &&
           l->plane_offset == 0 && l->type != CUDA_R_4F_E2M1;
}

/* ---- numbers ---------------------------------------------------------- */

/* Float `index` of 4 bits; two of them share a byte. */
static double load_e2m1(const uint8_t *at, int64_t index)
{
    static const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    unsigned bits = at[index / 2] >> index % 2 * 4 & 15;
    return bits & 8 ? -magnitudes[bits & 7] : magnitudes[bits & 7];
}

/* A complex number whose parts are in two planes, plane_offset bytes apart. */
static struct number from_planes(const struct layout *l, const char *at,
                                 int64_t index)
{
    cudaDataType_t part = lt_plane_type((cudaDataType_t)l->type);
    int64_t offset = index * (int64_t)element_bytes(part);
    return (struct number){
        element_load(part, at + offset).re,
        element_load(part, at + l->plane_offset + offset).re};
}

cudaDataType_t lt_plane_type(cudaDataType_t type)
{
    switch (type) {
    case CUDA_C_16F:
        return CUDA_R_16F;
    case CUDA_C_16BF:
        return CUDA_R_16BF;
    case CUDA_C_32F:
        return CUDA_R_32F;
    case CUDA_C_64F:
        return CUDA_R_64F;
    default:
        return type;
    }
}

static struct number number_at(const struct layout *l, const void *at,
                               int64_t batch, int64_t r, int64_t c)
{
    cudaDataType_t type = (cudaDataType_t)l->type;
    int64_t index = lt_place(l, r, c) + batch * l->stride;
    if (type == CUDA_R_4F_E2M1)
        return (struct number){load_e2m1(at, index), 0};
    if (l->plane_offset)
        return from_planes(l, at, index);
    return element_load(type, (const char *)at +
                                  index * (int64_t)element_bytes(type));
}

/* ---- scales ----------------------------------------------------------- */

/* The scale of number k in row (of B: column) `outer` of the operand. */
static double scale_of(const struct lt_side *s, int64_t batch, int64_t outer,
                       int64_t k)
{
    const float *floats = s->scale;
    const uint8_t *bytes = s->scale;
    int64_t blocks = (s->depth + 127) / 128;
    switch (s->mode) {
    case CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F:
        return floats[outer];
    case CUBLASLT_MATMUL_MATRIX_SCALE_PER_BATCH_SCALAR_32F:
        return floats[batch];
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F:
        return floats[outer + k / 128 * s->count];
    case CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F:
        return floats[k / 128 + outer / 128 * ((blocks + 3) / 4 * 4)];
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0:
        return ldexp(
            1,
            bytes[lt_scale_place(outer, k / 32, (s->depth + 31) / 32)] - 127);
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3:
        return element_load(
                   CUDA_R_8F_E4M3,
                   bytes + lt_scale_place(outer, k / 16, (s->depth + 15) / 16))
            .re;
    default:
        return 1;
    }
}

bool lt_is_scale_right(int32_t mode, cudaDataType_t type, const void *scale,
                       int32_t batch)
{
    bool is_fp8 = lt_is_fp8(type);
    switch (mode) {
    case CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F:
        return type != CUDA_R_4F_E2M1;
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3:
        return type == CUDA_R_4F_E2M1 && scale && batch == 1;
    case CUBLASLT_MATMUL_MATRIX_SCALE_PER_BATCH_SCALAR_32F:
        return is_fp8 && scale;
    default:
        return mode <= CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F &&
               mode > 0 && is_fp8 && scale && batch == 1;
    }
}

/* ---- tiles ------------------------------------------------------------ */

/* Element i of a tile, in the type that is computed in. */
static void store_element(enum blas_type type, void *to, int64_t i,
                          struct number x)
{
    float *floats = to;
    double *doubles = to;
    switch (type) {
    case BLAS_S:
        floats[i] = (float)x.re;
        break;
    case BLAS_D:
        doubles[i] = x.re;
        break;
    case BLAS_C:
        floats[2 * i] = (float)x.re;
        floats[2 * i + 1] = (float)x.im;
        break;
    default:
        doubles[2 * i] = x.re;
        doubles[2 * i + 1] = x.im;
        break;
    }
}

void lt_load(const struct product *p, bool is_b, int64_t batch, int64_t outer,
             int64_t count, int64_t from, int64_t depth, void *to)
{
    const struct lt_product *l = (const struct lt_product *)p;
    const struct lt_side *s = &l->sides[is_b];
    const struct matrix *m = is_b ? &p->b : &p->a;
    const void *at = m->is_array ? ((void *const *)m->at)[batch] : m->at;
    int64_t in = m->is_array ? 0 : batch;
    for (int64_t k = 0; k < depth; k++) {
        for (int64_t i = 0; i < count; i++) {
            int64_t a = outer + i, b = from + k;
            struct number x = number_at(&s->layout, at, in, s->k_down ? b : a,
                                        s->k_down ? a : b);
            double scale = scale_of(s, batch, a, b);
            x.re *= scale;
            x.im *= s->conjugates ? -scale : scale;
            store_element(p->type, to, is_b ? k + i * depth : i + k * count, x);
        }
    }
}

/* An element of D. */
static void put_number(const struct layout *l, void *at, int64_t index,
                       struct number x)
{
    cudaDataType_t type = (cudaDataType_t)l->type;
    cudaDataType_t part = lt_plane_type(type);
    int64_t offset = index * (int64_t)element_bytes(part);
    if (!l->plane_offset) {
        element_store(type, x,
                      (char *)at + index * (int64_t)element_bytes(type));
        return;
    }
    element_store(part, (struct number){x.re, 0}, (char *)at + offset);
    element_store(part, (struct number){x.im, 0},
                  (char *)at + l->plane_offset + offset);
}

/* Sum i of a tile. */
static struct number sum_at(const struct product *p, const void *sums,
                            int64_t i)
{
    const float *floats = sums;
    const double *doubles = sums;
    if (p->is_integer)
        return (struct number){((const int32_t *)sums)[i], 0};
    switch (p->type) {
    case BLAS_S:
        return (struct number){floats[i], 0};
    case BLAS_D:
        return (struct number){doubles[i], 0};
    case BLAS_C:
        return (struct number){floats[2 * i], floats[2 * i + 1]};
    default:
        return (struct number){doubles[2 * i], doubles[2 * i + 1]};
    }
}

void lt_store(const struct product *p, const struct product_tile *t)
{
    const struct lt_product *l = (const struct lt_product *)p;
    struct number alpha = scalar_get(&p->alpha), beta = scalar_get(&p->beta);
    bool has_c = beta.re != 0 || beta.im != 0;
    for (int64_t j = 0; j < t->columns; j++) {
        for (int64_t i = 0; i < t->rows; i++) {
            int64_t r = t->row + i, c = t->column + j;
            struct number x =
                number_times(alpha, sum_at(p, t->sums, i + j * t->rows));
            if (has_c) {
                struct number old = number_times(
                    beta, number_at(&l->c, p->c.at, t->batch, r, c));
                x.re += old.re;
                x.im += old.im;
            }
            put_number(&l->d, p->d.at,
                       lt_place(&l->d, r, c) + t->batch * l->d.stride, x);
        }
    }
}
