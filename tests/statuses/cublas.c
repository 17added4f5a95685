/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of cuBLAS: engine.h. */
#include "cublas_v2.h"
#include "cublasXt.h"

#define BY_NAME
#define ROUTINES "cublas.def"
#include "engine.h"

static cublasHandle_t handle;
static cublasXtHandle_t xt;
static char *memory;
static double host[2048];
static int fours[64];
static long long wide_fours[64];

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
    int device = 0;
    if (cublasCreate(&handle) || cudaMalloc((void **)&memory, 64 * ROOM) ||
        cublasXtCreate(&xt) || cublasXtDeviceSelect(xt, 1, &device))
        exit(2);
    for (int i = 0; i < 64; i++)
        fours[i] = 4, wide_fours[i] = 4;
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
    /* Pivots that no other routine has written over. */
    if (letter == 'D' && strstr(routine_name, "getrsBatched"))
        return (long long)(memory + 60 * ROOM);
    switch (letter) {
    case 'H': return (long long)handle;
    case 'S': return (long long)host;
    case 'O': return (long long)(host + 64 + 32 * argument);
    case '%': return (long long)xt;
    case 'I': return (long long)(host + 1900);
    case 'Z':
        return strstr(routine_name, "_64") ? (long long)wide_fours
                                           : (long long)fours;
    case 'P': return (long long)(memory + 32 * ROOM);
    default: return (long long)(memory + argument * ROOM);
    }
}
