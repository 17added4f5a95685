/* SPDX-License-Identifier: Apache-2.0 */
/* From descriptions and pointers to what kernels see. */
#include "internal.h"

int cusparse_type_index(cudaDataType type)
{
    switch (type) {
    case CUDA_R_32F:
        return 0;
    case CUDA_R_64F:
        return 1;
    case CUDA_C_32F:
        return 2;
    case CUDA_C_64F:
        return 3;
    default:
        return -1;
    }
}

int64_t cusparse_type_bytes(cudaDataType type)
{
    static const int bytes[] = {4, 8, 8, 16};
    int i = cusparse_type_index(type);
    return i < 0 ? 0 : bytes[i];
}

struct scalar cusparse_scalar(cusparseHandle_t handle, cudaDataType type,
                              const void *at)
{
    const float *f = at;
    const double *d = at;
    if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
        return (struct scalar){.at = at};
    switch (cusparse_type_index(type)) {
    case 0:
        return (struct scalar){.real = f[0]};
    case 1:
        return (struct scalar){.real = d[0]};
    case 2:
        return (struct scalar){.real = f[0], .imag = f[1]};
    default:
        return (struct scalar){.real = d[0], .imag = d[1]};
    }
}

cusparseStatus_t cusparse_view(const struct cusparseSpMatDescr *m,
                               cusparseOperation_t op, struct sparse *out)
{
    bool is_csc = m->format == CUSPARSE_FORMAT_CSC;
    if (!is_csc && m->format != CUSPARSE_FORMAT_CSR &&
        m->format != CUSPARSE_FORMAT_COO)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
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
        .major_stride = m->major_stride,
        .minor_stride = m->minor_stride,
        .value_stride = m->value_stride,
    };
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
                      op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return d;
    return (struct dense){d.at,       d.cols,         d.rows,        d.col_step,
                          d.row_step, d.batch_stride, d.is_conjugate};
}

struct dense cusparse_vector(const struct cusparseDnVecDescr *v)
{
    return (struct dense){v->values, v->size, 1, 1, v->size, 0, false};
}

struct sparse cusparse_csr(int m, int n, int nnz, cusparseMatDescr_t descr,
                           const void *val, const int *ptr, const int *ind)
{
    return (struct sparse){.base = descr ? descr->base : 0,
                           .majors = m,
                           .minors = n,
                           .nnz = nnz,
                           .major = {ptr, false},
                           .minor = {ind, false},
                           .values = (void *)val};
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
