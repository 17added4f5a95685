/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of cuSOLVER: engine.h. */
#include "cusolverDn.h"

#define ROUTINES "cusolver.def"
#include "engine.h"

static cusolverDnHandle_t handle;
static cusolverDnParams_t params;
static gesvdjInfo_t gesvdj;
static syevjInfo_t syevj;
static char *memory;
static double host[4096];

/* 4 x 4 unit matrices, 4 apart, and pivots of 1. */
static void fill_memory(void)
{
    static float numbers[64 * ROOM / 4];
    for (int i = 0; i < 48 * ROOM / 4; i++)
        numbers[i] = i % 16 % 5 == 0;
    for (int i = 48 * ROOM / 4; i < 64 * ROOM / 4; i++)
        ((int *)numbers)[i] = 1;
    cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyDefault);
}

void library_prepare(void)
{
    const float one = 1;
    void *each[16];
    if (cusolverDnCreate(&handle) || cudaMalloc((void **)&memory, 64 * ROOM) ||
        cusolverDnCreateParams(&params) ||
        cusolverDnCreateGesvdjInfo(&gesvdj) || cusolverDnCreateSyevjInfo(&syevj))
        exit(2);
    memcpy(host, &one, sizeof one);
    fill_memory();
    for (int i = 0; i < 16; i++)
        each[i] = memory + 40 * ROOM + i * 1024;
    cudaMemcpy(memory + 32 * ROOM, each, sizeof each, cudaMemcpyDefault);
}

void library_reset(void)
{
    cusolverDnXgesvdjSetMaxSweeps(gesvdj, 100);
    cusolverDnXgesvdjSetSortEig(gesvdj, 1);
    cusolverDnXsyevjSetMaxSweeps(syevj, 100);
    cusolverDnXsyevjSetSortEig(syevj, 1);
    cusolverDnSetStream(handle, 0);
}

long long library_value(char letter, int argument)
{
    switch (letter) {
    case 'H': return (long long)handle;
    case 'S': return (long long)host;
    case 'O': return (long long)(host + 64 + 128 * argument);
    case 'P': return (long long)(memory + 32 * ROOM);
    case 'x': return (long long)params;
    case 'y': return (long long)gesvdj;
    case 'z': return (long long)syevj;
    case 'r': return (long long)(memory + 50 * ROOM);
    default: return (long long)(memory + argument * ROOM);
    }
}
