/* SPDX-License-Identifier: Apache-2.0 */
/* The generic API's descriptions: made, asked, changed. */
#include "internal.h"

#include <stdlib.h>

static bool is_index(cusparseIndexType_t type)
{
    return type >= CUSPARSE_INDEX_16U && type <= CUSPARSE_INDEX_64I;
}

static bool is_base(cusparseIndexBase_t base)
{
    return (unsigned)base <= CUSPARSE_INDEX_BASE_ONE;
}

static bool is_value(cudaDataType type)
{
    return cusparse_type_bytes(type) != 0;
}

#define OK     CUSPARSE_STATUS_SUCCESS
#define WRONG  CUSPARSE_STATUS_INVALID_VALUE
#define FAILED CUSPARSE_STATUS_ALLOC_FAILED

/* A copy of *from that the program owns. */
#define GIVE(out, from)                                                        \
    __typeof__(from) *given = malloc(sizeof *given);                           \
    if (!given)                                                                \
        return CUSPARSE_END(FAILED);                                           \
    *given = from;                                                             \
    *(out) = given;                                                            \
    return CUSPARSE_END(OK)

#define DESTROY(name, type)                                                    \
    cusparseStatus_t cusparseDestroy##name(type descr)                         \
    {                                                                          \
        free((void *)descr);                                                   \
        return CUSPARSE_END(OK);                                               \
    }
DESTROY(SpVec, cusparseConstSpVecDescr_t)
DESTROY(DnVec, cusparseConstDnVecDescr_t)
DESTROY(SpMat, cusparseConstSpMatDescr_t)
DESTROY(DnMat, cusparseConstDnMatDescr_t)

/* Values of what is described, which all four have. */
#define VALUES(name)                                                           \
    cusparseStatus_t cusparse##name##GetValues(cusparse##name##Descr_t d,      \
                                               void **values)                  \
    {                                                                          \
        if (!d || !values)                                                     \
            return CUSPARSE_END(WRONG);                                        \
        *values = d->values;                                                   \
        return CUSPARSE_END(OK);                                               \
    }                                                                          \
    cusparseStatus_t cusparseConst##name##GetValues(                           \
        cusparseConst##name##Descr_t d, const void **values)                   \
    {                                                                          \
        if (!d || !values)                                                     \
            return CUSPARSE_END(WRONG);                                        \
        *values = d->values;                                                   \
        return CUSPARSE_END(OK);                                               \
    }                                                                          \
    cusparseStatus_t cusparse##name##SetValues(cusparse##name##Descr_t d,      \
                                               void *values)                   \
    {                                                                          \
        if (!d)                                                                \
            return CUSPARSE_END(WRONG);                                        \
        d->values = values;                                                    \
        return CUSPARSE_END(OK);                                               \
    }
VALUES(SpVec)
VALUES(DnVec)
VALUES(SpMat)
VALUES(DnMat)

/* Pointers are not checked here: memory may come later. */

/* ---- vectors ---------------------------------------------------------- */

/* Each function twice: Const is in the names of those for data that is not
 * written, whose PTR is const void. */
#define VECTORS(Const, PTR, SPVEC, DNVEC)                                      \
    cusparseStatus_t cusparseCreate##Const##SpVec(                             \
        SPVEC *spVecDescr, int64_t size, int64_t nnz, PTR *indices,            \
        PTR *values, cusparseIndexType_t idxType, cusparseIndexBase_t idxBase, \
        cudaDataType valueType)                                                \
    {                                                                          \
        if (!spVecDescr || size < 0 || nnz < 0 || nnz > size ||                \
            !is_index(idxType) || !is_base(idxBase) || !is_value(valueType))   \
            return CUSPARSE_END(WRONG);                                        \
        struct cusparseSpVecDescr d = {                                        \
            size,    nnz,     (void *)indices, (void *)values,                 \
            idxType, idxBase, valueType};                                      \
        GIVE(spVecDescr, d);                                                   \
    }                                                                          \
    cusparseStatus_t cusparseCreate##Const##DnVec(                             \
        DNVEC *dnVecDescr, int64_t size, PTR *values, cudaDataType valueType)  \
    {                                                                          \
        if (!dnVecDescr || size < 0 || !is_value(valueType))                   \
            return CUSPARSE_END(WRONG);                                        \
        struct cusparseDnVecDescr d = {size, (void *)values, valueType};       \
        GIVE(dnVecDescr, d);                                                   \
    }                                                                          \
    cusparseStatus_t cusparse##Const##SpVecGet(                                \
        SPVEC d, int64_t *size, int64_t *nnz, PTR **indices, PTR **values,     \
        cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,            \
        cudaDataType *valueType)                                               \
    {                                                                          \
        if (!d || !size || !nnz || !indices || !values || !idxType ||          \
            !idxBase || !valueType)                                            \
            return CUSPARSE_END(WRONG);                                        \
        *size = d->size;                                                       \
        *nnz = d->nnz;                                                         \
        *indices = d->indices;                                                 \
        *values = d->values;                                                   \
        *idxType = d->index_type;                                              \
        *idxBase = d->base;                                                    \
        *valueType = d->type;                                                  \
        return CUSPARSE_END(OK);                                               \
    }                                                                          \
    cusparseStatus_t cusparse##Const##DnVecGet(                                \
        DNVEC d, int64_t *size, PTR **values, cudaDataType *valueType)         \
    {                                                                          \
        if (!d || !size || !values || !valueType)                              \
            return CUSPARSE_END(WRONG);                                        \
        *size = d->size;                                                       \
        *values = d->values;                                                   \
        *valueType = d->type;                                                  \
        return CUSPARSE_END(OK);                                               \
    }
VECTORS(, void, cusparseSpVecDescr_t, cusparseDnVecDescr_t)
VECTORS(Const, const void, cusparseConstSpVecDescr_t, cusparseConstDnVecDescr_t)

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t spVecDescr,
                                           cusparseIndexBase_t *idxBase)
{
    if (!spVecDescr || !idxBase)
        return CUSPARSE_END(WRONG);
    *idxBase = spVecDescr->base;
    return CUSPARSE_END(OK);
}

/* ---- sparse matrices -------------------------------------------------- */

static bool is_sparse(int64_t rows, int64_t cols, int64_t nnz,
                      cusparseIndexType_t major, cusparseIndexType_t minor,
                      cusparseIndexBase_t base, cudaDataType type)
{
    return rows >= 0 && cols >= 0 && nnz >= 0 && (__int128)rows * cols >= nnz &&
           is_index(major) && is_index(minor) && is_base(base) &&
           is_value(type);
}

/* CUDA has a name for 16-bit indices, and no function that takes them. */
static cusparseStatus_t status_of(cusparseIndexType_t major,
                                  cusparseIndexType_t minor)
{
    return major == CUSPARSE_INDEX_16U || minor == CUSPARSE_INDEX_16U
               ? CUSPARSE_STATUS_NOT_SUPPORTED
               : OK;
}

/* Compressed in one direction; offsets, indices as the program gave them. */
#define COMPRESSED(Const, PTR, SPMAT, Csr, FORMAT)                             \
    cusparseStatus_t cusparseCreate##Const##Csr(                               \
        SPMAT *spMatDescr, int64_t rows, int64_t cols, int64_t nnz,            \
        PTR *offsets, PTR *indices, PTR *values,                               \
        cusparseIndexType_t offsetsType, cusparseIndexType_t indType,          \
        cusparseIndexBase_t idxBase, cudaDataType valueType)                   \
    {                                                                          \
        if (!spMatDescr || !is_sparse(rows, cols, nnz, offsetsType, indType,   \
                                      idxBase, valueType))                     \
            return CUSPARSE_END(WRONG);                                        \
        if (status_of(offsetsType, indType) || offsetsType != indType)         \
            return CUSPARSE_END(CUSPARSE_STATUS_NOT_SUPPORTED);                \
        struct cusparseSpMatDescr d = {.format = CUSPARSE_FORMAT_##FORMAT,     \
                                       .rows = rows,                           \
                                       .cols = cols,                           \
                                       .nnz = nnz,                             \
                                       .major = (void *)offsets,               \
                                       .minor = (void *)indices,               \
                                       .values = (void *)values,               \
                                       .major_type = offsetsType,              \
                                       .minor_type = indType,                  \
                                       .base = idxBase,                        \
                                       .type = valueType,                      \
                                       .batch = 1};                            \
        GIVE(spMatDescr, d);                                                   \
    }                                                                          \
    cusparseStatus_t cusparse##Const##Csr##Get(                                \
        SPMAT d, int64_t *rows, int64_t *cols, int64_t *nnz, PTR **offsets,    \
        PTR **indices, PTR **values, cusparseIndexType_t *offsetsType,         \
        cusparseIndexType_t *indType, cusparseIndexBase_t *idxBase,            \
        cudaDataType *valueType)                                               \
    {                                                                          \
        if (!d || d->format != CUSPARSE_FORMAT_##FORMAT || !rows || !cols ||   \
            !nnz || !offsets || !indices || !values || !offsetsType ||         \
            !indType || !idxBase || !valueType)                                \
            return CUSPARSE_END(WRONG);                                        \
        *rows = d->rows;                                                       \
        *cols = d->cols;                                                       \
        *nnz = d->nnz;                                                         \
        *offsets = d->major;                                                   \
        *indices = d->minor;                                                   \
        *values = d->values;                                                   \
        *offsetsType = d->major_type;                                          \
        *indType = d->minor_type;                                              \
        *idxBase = d->base;                                                    \
        *valueType = d->type;                                                  \
        return CUSPARSE_END(OK);                                               \
    }
COMPRESSED(, void, cusparseSpMatDescr_t, Csr, CSR)
COMPRESSED(Const, const void, cusparseConstSpMatDescr_t, Csr, CSR)
COMPRESSED(, void, cusparseSpMatDescr_t, Csc, CSC)
COMPRESSED(Const, const void, cusparseConstSpMatDescr_t, Csc, CSC)

#define COORDINATES(Const, PTR, SPMAT)                                         \
    cusparseStatus_t cusparseCreate##Const##Coo(                               \
        SPMAT *spMatDescr, int64_t rows, int64_t cols, int64_t nnz,            \
        PTR *cooRowInd, PTR *cooColInd, PTR *cooValues,                        \
        cusparseIndexType_t cooIdxType, cusparseIndexBase_t idxBase,           \
        cudaDataType valueType)                                                \
    {                                                                          \
        if (!spMatDescr || !is_sparse(rows, cols, nnz, cooIdxType, cooIdxType, \
                                      idxBase, valueType))                     \
            return CUSPARSE_END(WRONG);                                        \
        if (status_of(cooIdxType, cooIdxType))                                 \
            return CUSPARSE_END(CUSPARSE_STATUS_NOT_SUPPORTED);                \
        struct cusparseSpMatDescr d = {.format = CUSPARSE_FORMAT_COO,          \
                                       .rows = rows,                           \
                                       .cols = cols,                           \
                                       .nnz = nnz,                             \
                                       .major = (void *)cooRowInd,             \
                                       .minor = (void *)cooColInd,             \
                                       .values = (void *)cooValues,            \
                                       .major_type = cooIdxType,               \
                                       .minor_type = cooIdxType,               \
                                       .base = idxBase,                        \
                                       .type = valueType,                      \
                                       .batch = 1};                            \
        GIVE(spMatDescr, d);                                                   \
    }                                                                          \
    cusparseStatus_t cusparse##Const##CooGet(                                  \
        SPMAT d, int64_t *rows, int64_t *cols, int64_t *nnz, PTR **cooRowInd,  \
        PTR **cooColInd, PTR **cooValues, cusparseIndexType_t *idxType,        \
        cusparseIndexBase_t *idxBase, cudaDataType *valueType)                 \
    {                                                                          \
        if (!d || d->format != CUSPARSE_FORMAT_COO || !rows || !cols ||        \
            !nnz || !cooRowInd || !cooColInd || !cooValues || !idxType ||      \
            !idxBase || !valueType)                                            \
            return CUSPARSE_END(WRONG);                                        \
        *rows = d->rows;                                                       \
        *cols = d->cols;                                                       \
        *nnz = d->nnz;                                                         \
        *cooRowInd = d->major;                                                 \
        *cooColInd = d->minor;                                                 \
        *cooValues = d->values;                                                \
        *idxType = d->major_type;                                              \
        *idxBase = d->base;                                                    \
        *valueType = d->type;                                                  \
        return CUSPARSE_END(OK);                                               \
    }                                                                          \
    cusparseStatus_t cusparseCreate##Const##Bsr(                               \
        SPMAT *spMatDescr, int64_t brows, int64_t bcols, int64_t bnnz,         \
        int64_t rowBlockSize, int64_t colBlockSize, PTR *bsrRowOffsets,        \
        PTR *bsrColInd, PTR *bsrValues, cusparseIndexType_t offsetsType,       \
        cusparseIndexType_t indType, cusparseIndexBase_t idxBase,              \
        cudaDataType valueType, cusparseOrder_t order)                         \
    {                                                                          \
        if (!spMatDescr || rowBlockSize < 1 || colBlockSize < 1 ||             \
            (order != CUSPARSE_ORDER_ROW && order != CUSPARSE_ORDER_COL) ||    \
            !is_sparse(brows, bcols, bnnz, offsetsType, indType, idxBase,      \
                       valueType))                                             \
            return CUSPARSE_END(WRONG);                                        \
        if (status_of(offsetsType, indType))                                   \
            return CUSPARSE_END(CUSPARSE_STATUS_NOT_SUPPORTED);                \
        struct cusparseSpMatDescr d = {.format = CUSPARSE_FORMAT_BSR,          \
                                       .rows = brows,                          \
                                       .cols = bcols,                          \
                                       .nnz = bnnz,                            \
                                       .major = (void *)bsrRowOffsets,         \
                                       .minor = (void *)bsrColInd,             \
                                       .values = (void *)bsrValues,            \
                                       .major_type = offsetsType,              \
                                       .minor_type = indType,                  \
                                       .base = idxBase,                        \
                                       .type = valueType,                      \
                                       .batch = 1,                             \
                                       .block_rows = rowBlockSize,             \
                                       .block_cols = colBlockSize,             \
                                       .order = order};                        \
        GIVE(spMatDescr, d);                                                   \
    }
/* Blocks of one size, as many in each row of them. Its nnz counts blocks. */
#define BLOCKED_ELL(Const, PTR, SPMAT)                                         \
    cusparseStatus_t cusparseCreate##Const##BlockedEll(                        \
        SPMAT *spMatDescr, int64_t rows, int64_t cols, int64_t ellBlockSize,   \
        int64_t ellCols, PTR *ellColInd, PTR *ellValue,                        \
        cusparseIndexType_t ellIdxType, cusparseIndexBase_t idxBase,           \
        cudaDataType valueType)                                                \
    {                                                                          \
        if (!spMatDescr || rows < 1 || ellBlockSize < 1 || ellCols < 0 ||      \
            ellCols > cols ||                                                  \
            !is_sparse(rows, cols, 0, ellIdxType, ellIdxType, idxBase,         \
                       valueType) ||                                           \
            rows % ellBlockSize || cols % ellBlockSize ||                      \
            ellCols % ellBlockSize)                                            \
            return CUSPARSE_END(WRONG);                                        \
        if (status_of(ellIdxType, ellIdxType))                                 \
            return CUSPARSE_END(CUSPARSE_STATUS_NOT_SUPPORTED);                \
        struct cusparseSpMatDescr d = {.format = CUSPARSE_FORMAT_BLOCKED_ELL,  \
                                       .rows = rows,                           \
                                       .cols = cols,                           \
                                       .nnz = rows / ellBlockSize *            \
                                              (ellCols / ellBlockSize),        \
                                       .minor = (void *)ellColInd,             \
                                       .values = (void *)ellValue,             \
                                       .major_type = ellIdxType,               \
                                       .minor_type = ellIdxType,               \
                                       .base = idxBase,                        \
                                       .type = valueType,                      \
                                       .batch = 1,                             \
                                       .block_rows = ellBlockSize,             \
                                       .block_cols = ellBlockSize,             \
                                       .ell_cols = ellCols};                   \
        GIVE(spMatDescr, d);                                                   \
    }                                                                          \
    cusparseStatus_t cusparse##Const##BlockedEllGet(                           \
        SPMAT d, int64_t *rows, int64_t *cols, int64_t *ellBlockSize,          \
        int64_t *ellCols, PTR **ellColInd, PTR **ellValue,                     \
        cusparseIndexType_t *ellIdxType, cusparseIndexBase_t *idxBase,         \
        cudaDataType *valueType)                                               \
    {                                                                          \
        if (!d || d->format != CUSPARSE_FORMAT_BLOCKED_ELL || !rows ||         \
            !cols || !ellBlockSize || !ellCols || !ellColInd || !ellValue ||   \
            !ellIdxType || !idxBase || !valueType)                             \
            return CUSPARSE_END(WRONG);                                        \
        *rows = d->rows;                                                       \
        *cols = d->cols;                                                       \
        *ellBlockSize = d->block_rows;                                         \
        *ellCols = d->ell_cols;                                                \
        *ellColInd = d->minor;                                                 \
        *ellValue = d->values;                                                 \
        *ellIdxType = d->minor_type;                                           \
        *idxBase = d->base;                                                    \
        *valueType = d->type;                                                  \
        return CUSPARSE_END(OK);                                               \
    }
BLOCKED_ELL(, void, cusparseSpMatDescr_t)
BLOCKED_ELL(Const, const void, cusparseConstSpMatDescr_t)

/* Slices of rows, each as wide as its longest, by columns. */
#define SLICED_ELL(Const, PTR, SPMAT)                                          \
    cusparseStatus_t cusparseCreate##Const##SlicedEll(                         \
        SPMAT *spMatDescr, int64_t rows, int64_t cols, int64_t nnz,            \
        int64_t sellValuesSize, int64_t sliceSize, PTR *sellSliceOffsets,      \
        PTR *sellColInd, PTR *sellValues,                                      \
        cusparseIndexType_t sellSliceOffsetsType,                              \
        cusparseIndexType_t sellColIndType, cusparseIndexBase_t idxBase,       \
        cudaDataType valueType)                                                \
    {                                                                          \
        if (!spMatDescr || sliceSize < 1 || sellValuesSize < nnz ||            \
            !is_sparse(rows, cols, nnz, sellSliceOffsetsType, sellColIndType,  \
                       idxBase, valueType))                                    \
            return CUSPARSE_END(WRONG);                                        \
        if (status_of(sellSliceOffsetsType, sellColIndType))                   \
            return CUSPARSE_END(CUSPARSE_STATUS_NOT_SUPPORTED);                \
        struct cusparseSpMatDescr d = {.format =                               \
                                           CUSPARSE_FORMAT_SLICED_ELLPACK,     \
                                       .rows = rows,                           \
                                       .cols = cols,                           \
                                       .nnz = nnz,                             \
                                       .major = (void *)sellSliceOffsets,      \
                                       .minor = (void *)sellColInd,            \
                                       .values = (void *)sellValues,           \
                                       .major_type = sellSliceOffsetsType,     \
                                       .minor_type = sellColIndType,           \
                                       .base = idxBase,                        \
                                       .type = valueType,                      \
                                       .batch = 1,                             \
                                       .slice = sliceSize};                    \
        GIVE(spMatDescr, d);                                                   \
    }
SLICED_ELL(, void, cusparseSpMatDescr_t)
SLICED_ELL(Const, const void, cusparseConstSpMatDescr_t)

COORDINATES(, void, cusparseSpMatDescr_t)
COORDINATES(Const, const void, cusparseConstSpMatDescr_t)

#define POINTERS(Csr, FORMAT)                                                  \
    cusparseStatus_t cusparse##Csr##SetPointers(                               \
        cusparseSpMatDescr_t d, void *major, void *minor, void *values)        \
    {                                                                          \
        if (!d || d->format != CUSPARSE_FORMAT_##FORMAT)                       \
            return CUSPARSE_END(WRONG);                                        \
        d->major = major;                                                      \
        d->minor = minor;                                                      \
        d->values = values;                                                    \
        return CUSPARSE_END(OK);                                               \
    }
POINTERS(Csr, CSR)
POINTERS(Csc, CSC)
POINTERS(Coo, COO)

/* Do members of a batch overlap? With stride 0 they are one on purpose. */
static bool is_too_short(int count, int64_t stride, int64_t size)
{
    return count > 1 && stride && stride < size;
}

/* Strides of a batch, in elements. */
static cusparseStatus_t set_batch(cusparseSpMatDescr_t d, bool is_right,
                                  int count, int64_t major, int64_t minor,
                                  int64_t value)
{
    if (!d || !is_right || count < 1 || major < 0 || minor < 0 || value < 0)
        return WRONG;
    if (d->format != CUSPARSE_FORMAT_BSR && is_too_short(count, value, d->nnz))
        return WRONG;
    d->batch = count;
    d->major_stride = major;
    d->minor_stride = minor;
    d->value_stride = value;
    return OK;
}

cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t d,
                                            int batchCount, int64_t batchStride)
{
    return CUSPARSE_END(set_batch(d, d && d->format == CUSPARSE_FORMAT_COO,
                                  batchCount, batchStride, batchStride,
                                  batchStride));
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t d,
                                            int batchCount,
                                            int64_t offsetsBatchStride,
                                            int64_t columnsValuesBatchStride)
{
    return CUSPARSE_END(set_batch(d, d && d->format == CUSPARSE_FORMAT_CSR,
                                  batchCount, offsetsBatchStride,
                                  columnsValuesBatchStride,
                                  columnsValuesBatchStride));
}

cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t d,
                                            int batchCount,
                                            int64_t offsetsBatchStride,
                                            int64_t columnsBatchStride,
                                            int64_t ValuesBatchStride)
{
    return CUSPARSE_END(set_batch(d, d && d->format == CUSPARSE_FORMAT_BSR,
                                  batchCount, offsetsBatchStride,
                                  columnsBatchStride, ValuesBatchStride));
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t d,
                                      int64_t *rows, int64_t *cols,
                                      int64_t *nnz)
{
    if (!d || !rows || !cols || !nnz)
        return CUSPARSE_END(WRONG);
    bool is_bsr = d->format == CUSPARSE_FORMAT_BSR;
    int64_t area = d->block_rows * d->block_cols;
    *rows = is_bsr ? d->rows * d->block_rows : d->rows;
    *cols = is_bsr ? d->cols * d->block_cols : d->cols;
    *nnz = area ? d->nnz * area : d->nnz;
    if (d->format == CUSPARSE_FORMAT_BLOCKED_ELL)
        *nnz = d->rows * d->cols * d->block_rows; /* as an H200 counts */
    return CUSPARSE_END(OK);
}

#define ASK(name, type_t, field)                                               \
    cusparseStatus_t name(cusparseConstSpMatDescr_t d, type_t *value)          \
    {                                                                          \
        if (!d || !value)                                                      \
            return CUSPARSE_END(WRONG);                                        \
        *value = d->field;                                                     \
        return CUSPARSE_END(OK);                                               \
    }
ASK(cusparseSpMatGetFormat, cusparseFormat_t, format)
ASK(cusparseSpMatGetIndexBase, cusparseIndexBase_t, base)
ASK(cusparseSpMatGetStridedBatch, int, batch)

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t d,
                                           cusparseSpMatAttribute_t attribute,
                                           void *data, size_t dataSize)
{
    if (!d || !data || dataSize != sizeof(int) ||
        (unsigned)attribute > CUSPARSE_SPMAT_DIAG_TYPE)
        return CUSPARSE_END(WRONG);
    *(int *)data =
        attribute == CUSPARSE_SPMAT_FILL_MODE ? (int)d->fill : (int)d->diag;
    return CUSPARSE_END(OK);
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t d,
                                           cusparseSpMatAttribute_t attribute,
                                           void *data, size_t dataSize)
{
    if (!d || !data || dataSize != sizeof(int) ||
        (unsigned)attribute > CUSPARSE_SPMAT_DIAG_TYPE || *(unsigned *)data > 1)
        return CUSPARSE_END(WRONG);
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        d->fill = *(cusparseFillMode_t *)data;
    else
        d->diag = *(cusparseDiagType_t *)data;
    return CUSPARSE_END(OK);
}

/* ---- dense matrices --------------------------------------------------- */

#define DENSE(Const, PTR, DNMAT)                                               \
    cusparseStatus_t cusparseCreate##Const##DnMat(                             \
        DNMAT *dnMatDescr, int64_t rows, int64_t cols, int64_t ld,             \
        PTR *values, cudaDataType valueType, cusparseOrder_t order)            \
    {                                                                          \
        bool is_row = order == CUSPARSE_ORDER_ROW;                             \
        if (!dnMatDescr || rows < 0 || cols < 0 ||                             \
            (!is_row && order != CUSPARSE_ORDER_COL) ||                        \
            ld < (is_row ? cols : rows) || !is_value(valueType))               \
            return CUSPARSE_END(WRONG);                                        \
        struct cusparseDnMatDescr d = {rows,      cols,  ld, (void *)values,   \
                                       valueType, order, 1,  0};               \
        GIVE(dnMatDescr, d);                                                   \
    }                                                                          \
    cusparseStatus_t cusparse##Const##DnMatGet(                                \
        DNMAT d, int64_t *rows, int64_t *cols, int64_t *ld, PTR **values,      \
        cudaDataType *type, cusparseOrder_t *order)                            \
    {                                                                          \
        if (!d || !rows || !cols || !ld || !values || !type || !order)         \
            return CUSPARSE_END(WRONG);                                        \
        *rows = d->rows;                                                       \
        *cols = d->cols;                                                       \
        *ld = d->ld;                                                           \
        *values = d->values;                                                   \
        *type = d->type;                                                       \
        *order = d->order;                                                     \
        return CUSPARSE_END(OK);                                               \
    }
DENSE(, void, cusparseDnMatDescr_t)
DENSE(Const, const void, cusparseConstDnMatDescr_t)

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t d,
                                              int batchCount,
                                              int64_t batchStride)
{
    if (!d || batchCount < 1 || batchStride < 0)
        return CUSPARSE_END(WRONG);
    int64_t lines = d->order == CUSPARSE_ORDER_ROW ? d->rows : d->cols;
    if (is_too_short(batchCount, batchStride, d->ld * lines))
        return CUSPARSE_END(WRONG);
    d->batch = batchCount;
    d->batch_stride = batchStride;
    return CUSPARSE_END(OK);
}

cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t d,
                                              int *batchCount,
                                              int64_t *batchStride)
{
    if (!d || !batchCount || !batchStride)
        return CUSPARSE_END(WRONG);
    *batchCount = d->batch;
    *batchStride = d->batch_stride;
    return CUSPARSE_END(OK);
}
