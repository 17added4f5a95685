/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLAS: linear algebra. The routines that come in several types are rows of
 * weft/cublas.def. cuBLAS library documentation, chapters of the same names.
 *
 * Matrices are stored by columns; leading dimensions, increments and sizes
 * count elements. Matrices and vectors are in device memory; scalars lie where
 * the handle's pointer mode says. A routine checks its arguments, puts its
 * work into the handle's stream and returns a cublasStatus_t. Handles are the
 * caller's. Any thread may call; several may use one handle while none changes
 * or destroys it. */
#ifndef WEFT_CUBLAS_API_H
#define WEFT_CUBLAS_API_H
#define CUBLAS_API_H_

#include <stdint.h>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h" /* programs take it from here */
#include "driver_types.h"
#include "library_types.h"

#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif
#ifndef CUBLASAPI
#define CUBLASAPI
#endif

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VER_PATCH 4
#define CUBLAS_VER_BUILD 1
#define CUBLAS_VERSION                                                         \
    (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;

typedef enum {
    CUBLAS_DIAG_NON_UNIT = 0,
    CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;

typedef enum {
    CUBLAS_SIDE_LEFT = 0,
    CUBLAS_SIDE_RIGHT = 1
} cublasSideMode_t;

typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;

typedef enum {
    CUBLAS_POINTER_MODE_HOST = 0,
    CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;

typedef enum {
    CUBLAS_ATOMICS_NOT_ALLOWED = 0,
    CUBLAS_ATOMICS_ALLOWED = 1
} cublasAtomicsMode_t;

/* Which way to compute a product; here all of them mean the same. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1,
    CUBLAS_GEMM_ALGO2,
    CUBLAS_GEMM_ALGO3,
    CUBLAS_GEMM_ALGO4,
    CUBLAS_GEMM_ALGO5,
    CUBLAS_GEMM_ALGO6,
    CUBLAS_GEMM_ALGO7,
    CUBLAS_GEMM_ALGO8,
    CUBLAS_GEMM_ALGO9,
    CUBLAS_GEMM_ALGO10,
    CUBLAS_GEMM_ALGO11,
    CUBLAS_GEMM_ALGO12,
    CUBLAS_GEMM_ALGO13,
    CUBLAS_GEMM_ALGO14,
    CUBLAS_GEMM_ALGO15,
    CUBLAS_GEMM_ALGO16,
    CUBLAS_GEMM_ALGO17,
    CUBLAS_GEMM_ALGO18,
    CUBLAS_GEMM_ALGO19,
    CUBLAS_GEMM_ALGO20,
    CUBLAS_GEMM_ALGO21,
    CUBLAS_GEMM_ALGO22,
    CUBLAS_GEMM_ALGO23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP,
    CUBLAS_GEMM_ALGO2_TENSOR_OP,
    CUBLAS_GEMM_ALGO3_TENSOR_OP,
    CUBLAS_GEMM_ALGO4_TENSOR_OP,
    CUBLAS_GEMM_ALGO5_TENSOR_OP,
    CUBLAS_GEMM_ALGO6_TENSOR_OP,
    CUBLAS_GEMM_ALGO7_TENSOR_OP,
    CUBLAS_GEMM_ALGO8_TENSOR_OP,
    CUBLAS_GEMM_ALGO9_TENSOR_OP,
    CUBLAS_GEMM_ALGO10_TENSOR_OP,
    CUBLAS_GEMM_ALGO11_TENSOR_OP,
    CUBLAS_GEMM_ALGO12_TENSOR_OP,
    CUBLAS_GEMM_ALGO13_TENSOR_OP,
    CUBLAS_GEMM_ALGO14_TENSOR_OP,
    CUBLAS_GEMM_ALGO15_TENSOR_OP,
    CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;

typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;

typedef enum {
    CUBLAS_EMULATION_STRATEGY_DEFAULT = 0,
    CUBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
    CUBLAS_EMULATION_STRATEGY_EAGER = 2
} cublasEmulationStrategy_t;

typedef cudaDataType cublasDataType_t;

struct cublasContext;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *msg);

/* ---- handles ---------------------------------------------------------- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                     size_t workspaceSizeInBytes);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle,
                                  cudaStream_t *streamId);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle,
                                       cublasPointerMode_t *mode);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle,
                                       cublasPointerMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle,
                                      int *smCountTarget);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int smCountTarget);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasLoggerConfigure(int logIsOn, int logToStdOut,
                                     int logToStdErr, const char *logFileName);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback userCallback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *userCallback);
void cublasXerbla(const char *srName, int info);

/* How products are emulated: kept, and without effect. */
cublasStatus_t
cublasGetEmulationStrategy(cublasHandle_t handle,
                           cublasEmulationStrategy_t *emulationStrategy);
cublasStatus_t
cublasSetEmulationStrategy(cublasHandle_t handle,
                           cublasEmulationStrategy_t emulationStrategy);
cublasStatus_t cublasGetEmulationSpecialValuesSupport(
    cublasHandle_t handle, cudaEmulationSpecialValuesSupport *mask);
cublasStatus_t cublasSetEmulationSpecialValuesSupport(
    cublasHandle_t handle, cudaEmulationSpecialValuesSupport mask);
cublasStatus_t cublasGetFixedPointEmulationMantissaControl(
    cublasHandle_t handle, cudaEmulationMantissaControl *mantissaControl);
cublasStatus_t cublasSetFixedPointEmulationMantissaControl(
    cublasHandle_t handle, cudaEmulationMantissaControl mantissaControl);
cublasStatus_t
cublasGetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle,
                                                int *maxMantissaBitCount);
cublasStatus_t
cublasSetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle,
                                                int maxMantissaBitCount);
cublasStatus_t
cublasGetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle,
                                              int *mantissaBitOffset);
cublasStatus_t
cublasSetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle,
                                              int mantissaBitOffset);
cublasStatus_t
cublasGetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t handle,
                                                    int **mantissaBitCount);
cublasStatus_t
cublasSetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t handle,
                                                    int *mantissaBitCount);

/* ---- routines: weft/cublas.def ---------------------------------------- */

#define CUBLAS_V1_32(name) name
#define CUBLAS_V2_32(name) name##_v2
#define CUBLAS_V1_64(name) name##_64
#define CUBLAS_V2_64(name) name##_v2_64
#define CUBLAS_EXPAND(macro, name) macro(name)

#define CUBLAS_ROWS "weft/cublas.def"
#define CUBLAS_I int
#define ROUTINE(name, version, parameters)                                     \
    cublasStatus_t CUBLAS_EXPAND(CUBLAS_##version##_32, name) parameters;
#include "weft/cublas_types.h"
#include "weft/cublas.def"
#undef ROUTINE
#undef CUBLAS_I

#define CUBLAS_I int64_t
#define ROUTINE(name, version, parameters)                                     \
    cublasStatus_t CUBLAS_EXPAND(CUBLAS_##version##_64, name) parameters;
#include "weft/cublas_types.h"
#include "weft/cublas.def"
#undef ROUTINE
#undef CUBLAS_I

#undef CUBLAS_ROWS
#ifndef WEFT_CUBLAS_SOURCE
#undef CUBLAS_EXPAND
#undef CUBLAS_V1_32
#undef CUBLAS_V2_32
#undef CUBLAS_V1_64
#undef CUBLAS_V2_64
#endif

/* ---- routines with one width of integers ------------------------------ */

#define CUBLAS_ROTG_(S, real, type)                                            \
    cublasStatus_t cublas##S##rotg_v2(cublasHandle_t handle, type *a, type *b, \
                                      real *c, type *s);
CUBLAS_ROTG_(S, float, float)
CUBLAS_ROTG_(D, double, double)
CUBLAS_ROTG_(C, float, cuComplex)
CUBLAS_ROTG_(Z, double, cuDoubleComplex)
#undef CUBLAS_ROTG_

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void *a, void *b,
                            cudaDataType abType, void *c, void *s,
                            cudaDataType csType, cudaDataType executiontype);
cublasStatus_t cublasSrotmg_v2(cublasHandle_t handle, float *d1, float *d2,
                               float *x1, const float *y1, float *param);
cublasStatus_t cublasDrotmg_v2(cublasHandle_t handle, double *d1, double *d2,
                               double *x1, const double *y1, double *param);
cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void *d1,
                             cudaDataType d1Type, void *d2, cudaDataType d2Type,
                             void *x1, cudaDataType x1Type, const void *y1,
                             cudaDataType y1Type, void *param,
                             cudaDataType paramType,
                             cudaDataType executiontype);

#define CUBLAS_FACTORS_(S, type)                                               \
    cublasStatus_t cublas##S##matinvBatched(                                   \
        cublasHandle_t handle, int n, const type *const A[], int lda,          \
        type *const Ainv[], int lda_inv, int *info, int batchSize);            \
    cublasStatus_t cublas##S##geqrfBatched(                                    \
        cublasHandle_t handle, int m, int n, type *const Aarray[], int lda,    \
        type *const TauArray[], int *info, int batchSize);                     \
    cublasStatus_t cublas##S##gelsBatched(                                     \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n,          \
        int nrhs, type *const Aarray[], int lda, type *const Carray[],         \
        int ldc, int *info, int *devInfoArray, int batchSize);                 \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n,       \
                                           type *const A[], int lda, int *P,   \
                                           int *info, int batchSize);          \
    cublasStatus_t cublas##S##getriBatched(                                    \
        cublasHandle_t handle, int n, const type *const A[], int lda,          \
        const int *P, type *const C[], int ldc, int *info, int batchSize);     \
    cublasStatus_t cublas##S##getrsBatched(                                    \
        cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,       \
        const type *const Aarray[], int lda, const int *devIpiv,               \
        type *const Barray[], int ldb, int *info, int batchSize);              \
    cublasStatus_t cublas##S##tpttr(cublasHandle_t handle,                     \
                                    cublasFillMode_t uplo, int n,              \
                                    const type *AP, type *A, int lda);         \
    cublasStatus_t cublas##S##trttp(cublasHandle_t handle,                     \
                                    cublasFillMode_t uplo, int n,              \
                                    const type *A, int lda, type *AP);
CUBLAS_FACTORS_(S, float)
CUBLAS_FACTORS_(D, double)
CUBLAS_FACTORS_(C, cuComplex)
CUBLAS_FACTORS_(Z, cuDoubleComplex)
#undef CUBLAS_FACTORS_

cublasStatus_t cublasUint8gemmBias(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    cublasOperation_t transc, int m, int n, int k, const unsigned char *A,
    int A_bias, int lda, const unsigned char *B, int B_bias, int ldb,
    unsigned char *C, int C_bias, int ldc, int C_mult, int C_shift);

#ifdef __cplusplus
}
#endif

/* The type that older programs give in place of a compute type. */
static inline cublasStatus_t
cublasMigrateComputeType(cublasHandle_t handle, cudaDataType_t dataType,
                         cublasComputeType_t *computeType)
{
    cublasMath_t mode;
    cublasStatus_t status = cublasGetMathMode(handle, &mode);
    int of_type = 0;
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (dataType == CUDA_R_32F || dataType == CUDA_C_32F)
        of_type = CUBLAS_COMPUTE_32F;
    else if (dataType == CUDA_R_64F || dataType == CUDA_C_64F)
        of_type = CUBLAS_COMPUTE_64F;
    else if (dataType == CUDA_R_16F)
        of_type = CUBLAS_COMPUTE_16F;
    else if (dataType == CUDA_R_32I)
        of_type = CUBLAS_COMPUTE_32I;
    else
        return CUBLAS_STATUS_NOT_SUPPORTED;
    of_type += ((int)mode & 15) == CUBLAS_PEDANTIC_MATH;
    *computeType = (cublasComputeType_t)of_type;
    return CUBLAS_STATUS_SUCCESS;
}

#ifdef __cplusplus
static inline cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
             cublasOperation_t transb, int m, int n, int k, const void *alpha,
             const void *A, cudaDataType Atype, int lda, const void *B,
             cudaDataType Btype, int ldb, const void *beta, void *C,
             cudaDataType Ctype, int ldc, cudaDataType computeType,
             cublasGemmAlgo_t algo)
{
    cublasComputeType_t type;
    cublasStatus_t status =
        cublasMigrateComputeType(handle, computeType, &type);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda,
                        B, Btype, ldb, beta, C, Ctype, ldc, type, algo);
}

static inline cublasStatus_t
cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, int k,
                    const void *alpha, const void *const Aarray[],
                    cudaDataType Atype, int lda, const void *const Barray[],
                    cudaDataType Btype, int ldb, const void *beta,
                    void *const Carray[], cudaDataType Ctype, int ldc,
                    int batchCount, cudaDataType computeType,
                    cublasGemmAlgo_t algo)
{
    cublasComputeType_t type;
    cublasStatus_t status =
        cublasMigrateComputeType(handle, computeType, &type);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray,
                               Atype, lda, Barray, Btype, ldb, beta, Carray,
                               Ctype, ldc, batchCount, type, algo);
}

static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k,
                           const void *alpha, const void *A, cudaDataType Atype,
                           int lda, long long int strideA, const void *B,
                           cudaDataType Btype, int ldb, long long int strideB,
                           const void *beta, void *C, cudaDataType Ctype,
                           int ldc, long long int strideC, int batchCount,
                           cudaDataType computeType, cublasGemmAlgo_t algo)
{
    cublasComputeType_t type;
    cublasStatus_t status =
        cublasMigrateComputeType(handle, computeType, &type);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    return cublasGemmStridedBatchedEx(
        handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B,
        Btype, ldb, strideB, beta, C, Ctype, ldc, strideC, batchCount, type,
        algo);
}
#endif

#endif
