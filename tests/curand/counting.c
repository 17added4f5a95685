/* SPDX-License-Identifier: Apache-2.0 */
/* CURAND_RNG_TEST, whose numbers can be foretold: what an H200 gave. */
#include "../exec/check.h"

#include "curand.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

static void try_generator(curandGenerator_t g, uint32_t *at, uint32_t first)
{
    const uint32_t step = 31337;
    for (uint32_t call = 0; call < 2; call++) {
        CHECK(curandGenerate(g, at, 40) == CURAND_STATUS_SUCCESS);
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        for (uint32_t i = 0; i < 40; i++)
            CHECK(at[i] == first + (40 * call + i) * step);
    }
}

static void try_forms(curandGenerator_t g, uint32_t *at)
{
    static const uint32_t uniform[] = {0x3a190342, 0x3a1aece6, 0x3a1cd68a,
                                       0x3a1ec02e, 0x3a20a9d2, 0x3a229376};
    static const uint32_t twice[] = {0x80000000, 0x3f47e882, 0x00000000,
                                     0x3f4825b7, 0x80000000, 0x3f4862eb};
    CHECK(curandGenerateUniform(g, (float *)at, 20) == CURAND_STATUS_SUCCESS);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 6; i++)
        CHECK(at[i] == uniform[i]);
    CHECK(curandGenerateNormal(g, (float *)at, 20, 0, 1) ==
          CURAND_STATUS_INTERNAL_ERROR);
    CHECK(curandGenerateUniformDouble(g, (double *)at, 20) ==
          CURAND_STATUS_SUCCESS);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 6; i++)
        CHECK(at[i] == twice[i]);
    CHECK(curandGenerateLongLong(g, (unsigned long long *)at, 20) ==
          CURAND_STATUS_TYPE_ERROR);
    CHECK(curandGeneratePoisson(g, at, 20, 3) == CURAND_STATUS_INTERNAL_ERROR);
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 2) ==
          CURAND_STATUS_TYPE_ERROR);
}

int main(void)
{
    uint32_t *at;
    CHECK(cudaMallocManaged((void **)&at, 1024, cudaMemAttachGlobal) ==
          cudaSuccess);
    for (int host = 0; host < 2; host++) {
        curandGenerator_t g;
        CHECK((host ? curandCreateGeneratorHost(&g, CURAND_RNG_TEST)
                    : curandCreateGenerator(&g, CURAND_RNG_TEST)) ==
              CURAND_STATUS_SUCCESS);
        try_generator(g, at, 0);
        try_forms(g, at);
        CHECK(curandSetGeneratorOffset(g, 5) == CURAND_STATUS_SUCCESS);
        try_generator(g, at, 0x2640d);
        CHECK(curandSetGeneratorOffset(g, 0) == CURAND_STATUS_SUCCESS);
        CHECK(curandSetPseudoRandomGeneratorSeed(g, 7) ==
              CURAND_STATUS_SUCCESS);
        try_generator(g, at, 0x15);
        CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
    }
    CHECK(cudaFree(at) == cudaSuccess);
    return check_result();
}
