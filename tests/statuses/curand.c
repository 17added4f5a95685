/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of cuRAND: engine.h. */
#include "curand.h"

#define BY_NAME
#define ROUTINES "curand.def"
#include "engine.h"

static curandGenerator_t pseudo, quasi, wide, mtgp;
static curandDiscreteDistribution_t table;
static char *memory;
static double host[4096];


void library_reset(void)
{
    curandDestroyGenerator(pseudo);
    curandDestroyGenerator(quasi);
    curandDestroyGenerator(wide);
    curandDestroyGenerator(mtgp);
    if (curandCreateGenerator(&pseudo, CURAND_RNG_PSEUDO_PHILOX4_32_10) ||
        curandCreateGenerator(&quasi, CURAND_RNG_QUASI_SOBOL32) ||
        curandCreateGenerator(&wide, CURAND_RNG_QUASI_SOBOL64) ||
        curandCreateGenerator(&mtgp, CURAND_RNG_PSEUDO_MTGP32))
        exit(2);
}

void library_prepare(void)
{
    if (cudaMalloc((void **)&memory, 64 * ROOM) ||
        curandCreatePoissonDistribution(10, &table))
        exit(2);
}

long long library_value(char letter, int argument)
{
    switch (letter) {
    case 'H': return (long long)pseudo;
    case 'x': return (long long)quasi;
    case 'y': return (long long)wide;
    case 'z': return (long long)mtgp;
    case '*': return (long long)table;
    case 'O': return (long long)(host + 64 + 128 * argument);
    default: return (long long)(memory + argument * ROOM);
    }
}
