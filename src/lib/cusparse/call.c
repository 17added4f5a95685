/* SPDX-License-Identifier: Apache-2.0 */
/* From descriptions and pointers to what kernels see. */
#include "internal.h"

#include "halves.h"

/* Bytes of each type, and the type that kernels compute its numbers in. */
static const struct {
    int bytes;
    cudaDataType wide;
} types[] = {
    [CUDA_R_32F] = {4, CUDA_R_32F}, [CUDA_R_64F] = {8, CUDA_R_64F},
    [CUDA_C_32F] = {8, CUDA_C_32F}, [CUDA_C_64F] = {16, CUDA_C_64F},
    [CUDA_R_16F] = {2, CUDA_R_32F}, [CUDA_R_16BF] = {2, CUDA_R_32F},
    [CUDA_C_16F] = {4, CUDA_C_32F}, [CUDA_C_16BF] = {4, CUDA_C_32F},
    [CUDA_R_8I] = {1, CUDA_R_32F},  [CUDA_R_32I] = {4, CUDA_R_64F},
};

static bool is_known(cudaDataType type)
{
    return (unsigned)type < sizeof types / sizeof *types && types[type].bytes;
}

int64_t cusparse_type_bytes(cudaDataType type)
{
    return is_known(type) ? types[type].bytes : 0;
}

int cusparse_type_index(cudaDataType type)
{
    if (!is_known(type))
        return -1;
    switch (types[type].wide) {
    case CUDA_R_32F:
        return 0;
    case CUDA_R_64F:
        return 1;
    case CUDA_C_32F:
        return 2;
    default:
        return 3;
    }
}

bool cusparse_is_native(cudaDataType type)
{
    return is_known(type) && types[type].wide == type;
}

cudaDataType cusparse_scalar_type(cudaDataType type)
{
    return type == CUDA_R_32I || !is_known(type) ? type : types[type].wide;
}

cusparseStatus_t cusparse_refused_type(cudaDataType type)
{
    return (unsigned)type <= CUDA_R_4F_E2M1 ? CUSPARSE_STATUS_NOT_SUPPORTED
                                            : CUSPARSE_STATUS_INVALID_VALUE;
}

bool cusparse_has_product(cudaDataType a, cudaDataType b, cudaDataType result,
                          cudaDataType compute)
{
    static const cudaDataType rows[][4] = {
#define PRODUCT(first, second, result, compute)                                \
    {first, second, result, compute},
#include "types.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i][0] == a && rows[i][1] == b && rows[i][2] == result &&
            rows[i][3] == compute)
            return true;
    return false;
}

struct scalar cusparse_scalar(cusparseHandle_t handle, cudaDataType type,
                              const void *at)
{
    const float *f = at;
    const double *d = at;
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
        return (struct scalar){.at = at, .type = type};
    switch (type) {
    case CUDA_R_32F:
        return (struct scalar){.real = f[0]};
    case CUDA_R_64F:
        return (struct scalar){.real = d[0]};
    case CUDA_C_32F:
        return (struct scalar){.real = f[0], .imag = f[1]};
    case CUDA_R_16F:
        return (struct scalar){.real = half_to_float(*(const uint16_t *)at)};
    case CUDA_R_32I:
        return (struct scalar){.real = *(const int32_t *)at};
    default:
        return (struct scalar){.real = d[0], .imag = d[1]};
    }
}

/* ---- formats ---------------------------------------------------------- */

static void set_bsr(const struct cusparseSpMatDescr *m, struct sparse *s)
{
    bool is_row = m->order == CUSPARSE_ORDER_ROW;
    s->block_rows = m->block_rows;
    s->block_cols = m->block_cols;
    s->row_step = is_row ? m->block_cols : 1;
    s->col_step = is_row ? 1 : m->block_rows;
    s->block_step = m->block_rows * m->block_cols;
    s->majors *= m->block_rows;
    s->minors *= m->block_cols;
}

/* The values are a matrix by rows, as wide as its blocks. */
static void set_blocked_ell(const struct cusparseSpMatDescr *m,
                            struct sparse *s)
{
    s->block_rows = s->block_cols = m->block_rows;
    s->ell_blocks = m->ell_cols / m->block_rows;
    s->row_step = m->ell_cols;
    s->col_step = 1;
    s->block_step = m->block_cols;
}

cusparseStatus_t cusparse_view(const struct cusparseSpMatDescr *m,
                               cusparseOperation_t op, struct sparse *out)
{
    bool is_csc = m->format == CUSPARSE_FORMAT_CSC;
    if (cusparse_type_index(m->type) < 0)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    *out = (struct sparse){
        .is_coo = m->format == CUSPARSE_FORMAT_COO,
        .is_transposed = is_csc != (op != CUSPARSE_OPERATION_NON_TRANSPOSE),
        .is_conjugate = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
        .is_lower = (m->fill == CUSPARSE_FILL_MODE_LOWER) != is_csc,
        .is_unit = m->diag == CUSPARSE_DIAG_TYPE_UNIT,
        .base = m->base,
        .majors = is_csc ? m->cols : m->rows,
        .minors = is_csc ? m->rows : m->cols,
        .nnz = m->nnz,
        .major = {m->major, m->major_type == CUSPARSE_INDEX_64I},
        .minor = {m->minor, m->minor_type == CUSPARSE_INDEX_64I},
        .values = m->values,
        .type = m->type,
        .major_stride = m->major_stride,
        .minor_stride = m->minor_stride,
        .value_stride = m->value_stride,
        .block_rows = 1,
        .block_cols = 1,
        .block_step = m->slice ? m->slice : 1,
        .slice = m->slice,
    };
    if (m->format == CUSPARSE_FORMAT_BSR)
        set_bsr(m, out);
    if (m->format == CUSPARSE_FORMAT_BLOCKED_ELL)
        set_blocked_ell(m, out);
    return CUSPARSE_STATUS_SUCCESS;
}

struct dense cusparse_dense(const struct cusparseDnMatDescr *m,
                            cusparseOperation_t op)
{
    bool is_column = m->order == CUSPARSE_ORDER_COL;
    struct dense d = {m->values,
                      m->rows,
                      m->cols,
                      is_column ? 1 : m->ld,
                      is_column ? m->ld : 1,
                      m->batch_stride,
                      op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                      m->type};
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return d;
    return (struct dense){d.at,           d.cols,     d.rows,
                          d.col_step,     d.row_step, d.batch_stride,
                          d.is_conjugate, d.type};
}

struct dense cusparse_vector(const struct cusparseDnVecDescr *v)
{
    return (struct dense){v->values, v->size, 1, 1, v->size, 0, false, v->type};
}

struct sparse cusparse_csr(int m, int n, int nnz, cusparseMatDescr_t descr,
                           cudaDataType type, const void *val, const int *ptr,
                           const int *ind)
{
    return (struct sparse){
        .is_lower = descr && descr->fill == CUSPARSE_FILL_MODE_LOWER,
        .is_unit = descr && descr->diag == CUSPARSE_DIAG_TYPE_UNIT,
        .base = descr ? (int)descr->base : 0,
        .majors = m,
        .minors = n,
        .nnz = nnz,
        .major = {ptr, false},
        .minor = {ind, false},
        .values = (void *)val,
        .type = type,
        .block_rows = 1,
        .block_cols = 1,
        .block_step = 1};
}

struct sparse cusparse_bsr(struct sparse csr, cusparseDirection_t dir, int rows,
                           int cols)
{
    bool is_row = dir == CUSPARSE_DIRECTION_ROW;
    csr.majors *= rows;
    csr.minors *= cols;
    csr.block_rows = rows;
    csr.block_cols = cols;
    csr.row_step = is_row ? cols : 1;
    csr.col_step = is_row ? 1 : rows;
    csr.block_step = (int64_t)rows * cols;
    return csr;
}

cusparseStatus_t cusparse_check_wait(cusparseHandle_t handle)
{
    return lib_is_capturing(handle->stream) ? CUSPARSE_STATUS_NOT_SUPPORTED
                                            : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparse_wait(cusparseHandle_t handle)
{
    return cusparse_status(lib_synchronize(handle->stream));
}

/* Tiles for so many operations: each worth a wakeup. */
int64_t cusparse_pieces(int64_t work)
{
    int64_t most = 4 * (int64_t)lib_thread_count(), few = work / 4096 + 1;
    return few < most ? few : most;
}
