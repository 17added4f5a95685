/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of cuBLAS: engine.h. */
#include "cublas_v2.h"

#define ROUTINES "cublas.def"
#include "engine.h"

static cublasHandle_t handle;
static char *memory;
static double host[2048];

/* Pivots are 1, floats tiny. */
static void fill_with_ones(void)
{
    static int ones[64 * ROOM / 4];
    for (int i = 0; i < 64 * ROOM / 4; i++)
        ones[i] = 1;
    cudaMemcpy(memory, ones, sizeof ones, cudaMemcpyDefault);
}

void library_prepare(void)
{
    const float one = 1;
    if (cublasCreate(&handle) || cudaMalloc((void **)&memory, 64 * ROOM))
        exit(2);
    memcpy(host, &one, sizeof one);
    void *each[16];
    for (int i = 0; i < 16; i++)
        each[i] = memory + 40 * ROOM + i * 1024;
    fill_with_ones();
    cudaMemcpy(memory + 32 * ROOM, each, sizeof each, cudaMemcpyDefault);
}

void library_reset(void)
{
    cublasSetStream(handle, 0);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_NOT_ALLOWED);
    cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH);
    cublasSetSmCountTarget(handle, 0);
}

long long library_value(char letter, int argument)
{
    switch (letter) {
    case 'H': return (long long)handle;
    case 'S': return (long long)host;
    case 'O': return (long long)(host + 64 + 32 * argument);
    case 'P': return (long long)(memory + 32 * ROOM);
    default: return (long long)(memory + argument * ROOM);
    }
}
