/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of the first cuBLAS, mostly what cublasGetError() says: engine.h. */
#include "cublas.h"

#define BY_NAME
#define ROUTINES       "legacy.def"
#define LETTERS        "legacy-letters.def"
#define LATE_LETTERS   "DSO"
#define STATUS(result) status_of(result)
static long status_of(int result);
#include "engine.h"

static char *memory;
static double host[2048];

/* Few routines return a status themselves. */
static long status_of(int result)
{
    static const char *const own[] = {"cublasAlloc", "cublasFree",
                                      "cublasSetKernelStream", "cublasInit",
                                      "cublasGetVersion"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (!strcmp(routine_name, own[i]))
            return result;
    }
    return cublasGetError();
}

void library_prepare(void)
{
    if (cublasInit() || cudaMalloc((void **)&memory, 64 * ROOM))
        exit(2);
    cudaMemset(memory, 0, 64 * ROOM);
}

/* Triangles are unit ones, and the error of the call before is forgotten. */
void library_reset(void)
{
    static float ones[64 * ROOM / 4];
    for (int i = 0; i < 64 * ROOM / 4; i++)
        ones[i] = 1;
    cudaMemcpy(memory, ones, sizeof ones, cudaMemcpyDefault);
    cublasGetError();
}

long long library_value(char letter, int argument)
{
    return letter != 'D' ? (long long)(host + 32 * argument)
                         : (long long)(memory + argument * ROOM);
}
