/* SPDX-License-Identifier: Apache-2.0 */
/* The doors for the type T. No guard: bands.c includes this four times. */

#define GTSV2(name)                                                            \
    cusparseStatus_t NAME(name##_bufferSizeExt)(                               \
        cusparseHandle_t handle, int m, int n, const T *dl, const T *d,        \
        const T *du, const T *B, int ldb, size_t *bytes)                       \
    {                                                                          \
        (void)dl, (void)d, (void)du, (void)B;                                  \
        (void)n, (void)ldb;                                                    \
        return CUSPARSE_END(                                                   \
            band_bytes(handle, TYPE, true, GTSV_ROW, m, 1, bytes));            \
    }                                                                          \
    cusparseStatus_t NAME(name)(cusparseHandle_t handle, int m, int n,         \
                                const T *dl, const T *d, const T *du, T *B,    \
                                int ldb, void *pBuffer)                        \
    {                                                                          \
        struct system s = {m,  1, 1,  0,                                       \
                           dl, d, du, {B, m, n, 1, ldb, 0, false, TYPE}};      \
        return CUSPARSE_END(solve_tridiagonal(                                 \
            handle, TYPE, m >= 3 && n >= 0 && ldb >= m, &s, pBuffer));         \
    }
GTSV2(gtsv2)
GTSV2(gtsv2_nopivot)
#undef GTSV2

cusparseStatus_t NAME(gtsv2StridedBatch_bufferSizeExt)(
    cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du,
    const T *x, int batchCount, int batchStride, size_t *bufferSizeInBytes)
{
    (void)dl, (void)d, (void)du, (void)x;
    return CUSPARSE_END(
        band_bytes(handle, TYPE, m >= 3 && batchCount > 0 && batchStride >= m,
                   GTSV_ROW, m, batchCount, bufferSizeInBytes));
}

cusparseStatus_t NAME(gtsv2StridedBatch)(cusparseHandle_t handle, int m,
                                         const T *dl, const T *d, const T *du,
                                         T *x, int batchCount, int batchStride,
                                         void *pBuffer)
{
    struct system s = {
        m,  batchCount, 1,  batchStride,
        dl, d,          du, {x, m, 1, 1, m, batchStride, false, TYPE}};
    return CUSPARSE_END(solve_tridiagonal(
        handle, TYPE, m >= 3 && batchCount > 0 && batchStride >= m, &s,
        pBuffer));
}

cusparseStatus_t NAME(gtsvInterleavedBatch_bufferSizeExt)(
    cusparseHandle_t handle, int algo, int m, const T *dl, const T *d,
    const T *du, const T *x, int batchCount, size_t *pBufferSizeInBytes)
{
    (void)dl, (void)d, (void)du, (void)x;
    return CUSPARSE_END(band_bytes(handle, TYPE, (unsigned)algo <= 2, GTSV_ROW,
                                   m, batchCount, pBufferSizeInBytes));
}

cusparseStatus_t NAME(gtsvInterleavedBatch)(cusparseHandle_t handle, int algo,
                                            int m, T *dl, T *d, T *du, T *x,
                                            int batchCount, void *pBuffer)
{
    struct system s = {
        m,  batchCount, batchCount, 1,
        dl, d,          du,         {x, m, 1, batchCount, 1, 1, false, TYPE}};
    return CUSPARSE_END(solve_tridiagonal(
        handle, TYPE, (unsigned)algo <= 2 && m >= 0 && batchCount >= 0, &s,
        pBuffer));
}

cusparseStatus_t NAME(gpsvInterleavedBatch_bufferSizeExt)(
    cusparseHandle_t handle, int algo, int m, const T *ds, const T *dl,
    const T *d, const T *du, const T *dw, const T *x, int batchCount,
    size_t *pBufferSizeInBytes)
{
    (void)algo, (void)ds, (void)dl, (void)d, (void)du, (void)dw, (void)x;
    return CUSPARSE_END(band_bytes(handle, TYPE, true, GPSV_ROW, m, batchCount,
                                   pBufferSizeInBytes));
}

cusparseStatus_t NAME(gpsvInterleavedBatch)(cusparseHandle_t handle, int algo,
                                            int m, T *ds, T *dl, T *d, T *du,
                                            T *dw, T *x, int batchCount,
                                            void *pBuffer)
{
    struct work w = {.diagonals = {ds, dl, d, du, dw}};
    (void)algo; /* NVIDIA's library takes any */
    return CUSPARSE_END(solve_pentadiagonal(
        handle, TYPE, (m == 0 || m >= 3) && batchCount >= 0, m, batchCount, &w,
        x, pBuffer));
}
