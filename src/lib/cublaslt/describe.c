/* SPDX-License-Identifier: Apache-2.0 */
/* Makes, changes and reads descriptions; attributes.def has their fields. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct attribute {
    int id;
    size_t offset, bytes;
};

#define FIELD(prefix, name, type, field)                                       \
    {prefix##name, offsetof(struct type, field),                               \
     sizeof(((struct type *)0)->field)},
#define END                                                                    \
    {                                                                          \
        -1, 0, 0                                                               \
    }

static const struct attribute layout_attributes[] = {
#define LAYOUT(name, field) FIELD(CUBLASLT_MATRIX_LAYOUT_, name, layout, field)
#define GROUPED(name, field)                                                   \
    FIELD(CUBLASLT_GROUPED_MATRIX_LAYOUT_, name, layout, field)
#include "lib/cublaslt/attributes.def"
    END};
static const struct attribute matmul_attributes[] = {
#define MATMUL(name, field)                                                    \
    FIELD(CUBLASLT_MATMUL_DESC_, name, matmul_desc, field)
#include "lib/cublaslt/attributes.def"
    END};
static const struct attribute transform_attributes[] = {
#define TRANSFORM(name, field)                                                 \
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_, name, transform_desc, field)
#include "lib/cublaslt/attributes.def"
    END};
static const struct attribute preference_attributes[] = {
#define PREFERENCE(name, field)                                                \
    FIELD(CUBLASLT_MATMUL_PREF_, name, preference, field)
#include "lib/cublaslt/attributes.def"
    END};
static const struct attribute emulation_attributes[] = {
#define EMULATION(name, field)                                                 \
    FIELD(CUBLASLT_EMULATION_DESC_, name, emulation, field)
#include "lib/cublaslt/attributes.def"
    END};
static const struct attribute config_attributes[] = {
#define CONFIG(name, field) FIELD(CUBLASLT_ALGO_CONFIG_, name, algo, field)
#include "lib/cublaslt/attributes.def"
    END};

static const struct attribute *find_attribute(const struct attribute *a, int id)
{
    while (a->id >= 0 && a->id != id)
        a++;
    return a->id >= 0 ? a : NULL;
}

/* Attributes of CUDA 12, which 13 dropped: products that wait for counters. */
static bool is_refused(const struct attribute *all, int id)
{
    return all == matmul_attributes &&
           id >= CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_ROWS &&
           id <= CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_OUT_COUNTERS_POINTER;
}

static cublasStatus_t set_attribute(const struct attribute *all, void *object,
                                    int id, const void *from, size_t bytes)
{
    const struct attribute *a = find_attribute(all, id);
    if (object && from && is_refused(all, id))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!object || !a || !from || bytes != a->bytes)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)object + a->offset, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* With bytes 0 only *written is set: the bytes that the attribute has. */
static cublasStatus_t get_attribute(const struct attribute *all,
                                    const void *object, int id, void *to,
                                    size_t bytes, size_t *written)
{
    const struct attribute *a = find_attribute(all, id);
    if (!object || !a || (bytes == 0 && !written) || (bytes > 0 && !to) ||
        (bytes > 0 && bytes != a->bytes))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (written)
        *written = a->bytes;
    if (bytes > 0)
        memcpy(to, (const char *)object + a->offset, a->bytes);
    return CUBLAS_STATUS_SUCCESS;
}

#define ATTRIBUTES(name, handle, attribute, all)                               \
    cublasStatus_t cublasLt##name##SetAttribute(                               \
        handle object, attribute attr, const void *buf, size_t sizeInBytes)    \
    {                                                                          \
        return LT_END(                                                         \
            set_attribute(all, object, (int)attr, buf, sizeInBytes));          \
    }                                                                          \
    cublasStatus_t cublasLt##name##GetAttribute(handle object, attribute attr, \
                                                void *buf, size_t sizeInBytes, \
                                                size_t *sizeWritten)           \
    {                                                                          \
        return LT_END(get_attribute(all, object, (int)attr, buf, sizeInBytes,  \
                                    sizeWritten));                             \
    }                                                                          \
    cublasStatus_t cublasLt##name##Destroy(handle object)                      \
    {                                                                          \
        free(object);                                                          \
        return LT_END(CUBLAS_STATUS_SUCCESS);                                  \
    }
ATTRIBUTES(MatrixLayout, cublasLtMatrixLayout_t,
           cublasLtMatrixLayoutAttribute_t, layout_attributes)
ATTRIBUTES(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t,
           matmul_attributes)
ATTRIBUTES(MatrixTransformDesc, cublasLtMatrixTransformDesc_t,
           cublasLtMatrixTransformDescAttributes_t, transform_attributes)
ATTRIBUTES(MatmulPreference, cublasLtMatmulPreference_t,
           cublasLtMatmulPreferenceAttributes_t, preference_attributes)
ATTRIBUTES(EmulationDesc, cublasLtEmulationDesc_t,
           cublasLtEmulationDescAttributes_t, emulation_attributes)

cublasStatus_t
cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                     cublasLtMatmulAlgoConfigAttributes_t attr,
                                     const void *buf, size_t sizeInBytes)
{
    return LT_END(
        set_attribute(config_attributes, algo, (int)attr, buf, sizeInBytes));
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(
    const cublasLtMatmulAlgo_t *algo, cublasLtMatmulAlgoConfigAttributes_t attr,
    void *buf, size_t sizeInBytes, size_t *sizeWritten)
{
    return LT_END(get_attribute(config_attributes, algo, (int)attr, buf,
                                sizeInBytes, sizeWritten));
}

/* ---- new descriptions ------------------------------------------------- */

static cublasStatus_t fill_layout(cublasLtMatrixLayout_t to, size_t size,
                                  const struct layout *from)
{
    if (!to)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (size < sizeof *from)
        return CUBLAS_STATUS_ALLOC_FAILED;
    memset(to, 0, size < sizeof *to ? size : sizeof *to);
    *(struct layout *)to = *from;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t matLayout, size_t size,
                                  cudaDataType type, uint64_t rows,
                                  uint64_t cols, int64_t ld)
{
    struct layout l = {.type = (uint32_t)type,
                       .rows = rows,
                       .columns = cols,
                       .ld = ld,
                       .batch = 1};
    return LT_END(fill_layout(matLayout, size, &l));
}

/* No product takes it: lt_plan(). */
cublasStatus_t cublasLtGroupedMatrixLayoutInit_internal(
    cublasLtMatrixLayout_t matLayout, size_t size, cudaDataType type,
    int groupCount, const void *rows_array, const void *cols_array,
    const void *ld_array)
{
    struct layout l = {.type = (uint32_t)type,
                       .rows = (uintptr_t)rows_array,
                       .columns = (uintptr_t)cols_array,
                       .ld = (int64_t)(intptr_t)ld_array,
                       .batch = groupCount,
                       .batch_mode = CUBLASLT_BATCH_MODE_GROUPED};
    return LT_END(fill_layout(matLayout, size, &l));
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t matmulDesc,
                                               size_t size,
                                               cublasComputeType_t computeType,
                                               cudaDataType_t scaleType)
{
    if (!matmulDesc)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (size < sizeof(struct matmul_desc))
        return LT_END(CUBLAS_STATUS_ALLOC_FAILED);
    memset(matmulDesc, 0,
           size < sizeof *matmulDesc ? size : sizeof *matmulDesc);
    *(struct matmul_desc *)matmulDesc =
        (struct matmul_desc){.compute = (int32_t)computeType,
                             .scale_type = (int32_t)scaleType,
                             .fill = CUBLAS_FILL_MODE_FULL,
                             .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                             .aux_type = -1,
                             .bias_type = -1};
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t cublasLtMatrixTransformDescInit_internal(
    cublasLtMatrixTransformDesc_t transformDesc, size_t size,
    cudaDataType scaleType)
{
    if (!transformDesc)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (size < sizeof(struct transform_desc))
        return LT_END(CUBLAS_STATUS_ALLOC_FAILED);
    memset(transformDesc, 0,
           size < sizeof *transformDesc ? size : sizeof *transformDesc);
    ((struct transform_desc *)transformDesc)->scale_type = (int32_t)scaleType;
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref,
                                      size_t size)
{
    if (!pref)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (size < sizeof(struct preference))
        return LT_END(CUBLAS_STATUS_ALLOC_FAILED);
    memset(pref, 0, size < sizeof *pref ? size : sizeof *pref);
    *(struct preference *)pref =
        (struct preference){.reduction_mask = CUBLASLT_REDUCTION_SCHEME_MASK,
                            .align_a = 256,
                            .align_b = 256,
                            .align_c = 256,
                            .align_d = 256,
                            .impl_mask = ~(uint64_t)0};
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

cublasStatus_t
cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t emulationDesc,
                                   size_t size)
{
    if (!emulationDesc)
        return LT_END(CUBLAS_STATUS_INVALID_VALUE);
    if (size < sizeof(struct emulation))
        return LT_END(CUBLAS_STATUS_ALLOC_FAILED);
    memset(emulationDesc, 0,
           size < sizeof *emulationDesc ? size : sizeof *emulationDesc);
    ((struct emulation *)emulationDesc)->special_values =
        CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
    return LT_END(CUBLAS_STATUS_SUCCESS);
}

#define CREATE(name, handle, parameters, ...)                                  \
    cublasStatus_t cublasLt##name##Create parameters                           \
    {                                                                          \
        handle made = out ? calloc(1, sizeof *made) : NULL;                    \
        if (!made)                                                             \
            return LT_END(out ? CUBLAS_STATUS_ALLOC_FAILED                     \
                              : CUBLAS_STATUS_INVALID_VALUE);                  \
        *out = made;                                                           \
        return cublasLt##name##Init_internal(made, sizeof *made __VA_ARGS__);  \
    }
#define AND(...) , __VA_ARGS__
CREATE(MatrixLayout, cublasLtMatrixLayout_t,
       (cublasLtMatrixLayout_t * out, cudaDataType type, uint64_t rows,
        uint64_t cols, int64_t ld),
       AND(type, rows, cols, ld))
CREATE(GroupedMatrixLayout, cublasLtMatrixLayout_t,
       (cublasLtMatrixLayout_t * out, cudaDataType type, int count,
        const void *rows, const void *columns, const void *ld),
       AND(type, count, rows, columns, ld))
CREATE(MatmulDesc, cublasLtMatmulDesc_t,
       (cublasLtMatmulDesc_t * out, cublasComputeType_t compute,
        cudaDataType_t scale),
       AND(compute, scale))
CREATE(MatrixTransformDesc, cublasLtMatrixTransformDesc_t,
       (cublasLtMatrixTransformDesc_t * out, cudaDataType scale), AND(scale))
CREATE(MatmulPreference, cublasLtMatmulPreference_t,
       (cublasLtMatmulPreference_t * out))
CREATE(EmulationDesc, cublasLtEmulationDesc_t, (cublasLtEmulationDesc_t * out))
