/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of cuBLASLt: engine.h. */
#include "cublasLt.h"

#define BY_NAME
#define ROUTINES "cublaslt.def"
#include "engine.h"

static cublasLtHandle_t handle;
static cublasLtMatmulDesc_t matmul;
static cublasLtMatrixLayout_t layout;
static cublasLtMatmulPreference_t preference;
static cublasLtMatrixTransformDesc_t transform;
static cublasLtEmulationDesc_t emulation;
static char *memory;
static double host[8192];

void library_reset(void)
{
    cublasLtMatmulDescDestroy(matmul);
    cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatrixTransformDescDestroy(transform);
    cublasLtEmulationDescDestroy(emulation);
    if (cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F) ||
        cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 4, 4, 4) ||
        cublasLtMatmulPreferenceCreate(&preference) ||
        cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F) ||
        cublasLtEmulationDescCreate(&emulation))
        exit(2);
}

void library_prepare(void)
{
    const float one = 1;
    matmul = NULL, layout = NULL, preference = NULL, transform = NULL;
    emulation = NULL;
    if (cublasLtCreate(&handle) || cudaMalloc((void **)&memory, 64 * ROOM))
        exit(2);
    cudaMemset(memory, 0, 64 * ROOM);
    memset(host, 0, sizeof host);
    memcpy(host, &one, sizeof one);
}

long long library_value(char letter, int argument)
{
    switch (letter) {
    case 'H': return (long long)handle;
    case 'x': return (long long)matmul;
    case 'y': return (long long)layout;
    case 'z': return (long long)preference;
    case 'v': return (long long)transform;
    case 'p':
        return (long long)emulation;
    case 'S': return (long long)host;
    case 'O': return (long long)(host + 64 + 512 * argument);
    default: return (long long)(memory + argument * ROOM);
    }
}
