/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of cuFFT: engine.h. */
#include "cufftXt.h"

#define BY_NAME
#define ROUTINES "cufft.def"
#include "engine.h"

static cufftHandle c2c, r2c, z2z, none;
static char *memory;
static double host[4096];
static int lengths[64];
static long long wide_lengths[64];

void library_reset(void)
{
    cufftDestroy(c2c), cufftDestroy(r2c), cufftDestroy(z2z);
    cufftDestroy(none);
    if (cufftPlan1d(&c2c, 16, CUFFT_C2C, 1) ||
        cufftPlan1d(&r2c, 16, CUFFT_R2C, 1) ||
        cufftPlan1d(&z2z, 16, CUFFT_Z2Z, 1) || cufftCreate(&none))
        exit(2);
    for (int i = 0; i < 64; i++)
        lengths[i] = wide_lengths[i] = 4;
}

/* A plan on one device by cufftXtSetGPUs, and what cufftXtMalloc gave it. */
static cufftHandle spread;
static cudaLibXtDesc *descriptor;

static void make_spread(void)
{
    int device = 0;
    size_t bytes;
    if (descriptor)
        return;
    if (cufftCreate(&spread) || cufftXtSetGPUs(spread, 1, &device) ||
        cufftMakePlan1d(spread, 16, CUFFT_C2C, 1, &bytes) ||
        cufftXtMalloc(spread, &descriptor, CUFFT_XT_FORMAT_INPLACE))
        fprintf(stderr, "no plan for devices\n");
}

void library_prepare(void)
{
    if (cudaMalloc((void **)&memory, 64 * ROOM))
        exit(2);
    cudaMemset(memory, 0, 64 * ROOM);
    c2c = r2c = z2z = none = -1;
}

long long library_value(char letter, int argument)
{
    switch (letter) {
    case 'H': return c2c;
    case 'x': return r2c;
    case 'y': return z2z;
    case 'z': return none;
    case 'p':
        make_spread();
        return spread;
    case 'q':
        make_spread();
        return (long long)descriptor;
    case 'S': return (long long)lengths;
    case 'v': return (long long)wide_lengths;
    case 'O': return (long long)(host + 1024 + 64 * argument);
    default: return (long long)(memory + argument * ROOM);
    }
}
