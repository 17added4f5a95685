/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables and states of MTGP32 for the device, made by the host. The seeding is
 * Saito and Matsumoto's (curand_mtgp32dc_p_11213.h has their copyright).
 */
#ifndef CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H

#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>

#include "curand.h"
#include "curand_mtgp32.h"
#include "curand_mtgp32dc_p_11213.h"

static __inline__ void mtgp32_init_state(unsigned int state[],
                                         const mtgp32_params_fast_t *para,
                                         unsigned int seed)
{
    int size = para->mexp / 32 + 1;
    unsigned int hidden = para->tbl[4] ^ (para->tbl[8] << 16);
    unsigned int fill = hidden + (hidden >> 16);
    fill += fill >> 8;
    memset(state, (int)(fill & 0xff), sizeof(unsigned int) * size);
    state[0] = seed;
    state[1] = hidden;
    for (int i = 1; i < size; i++)
        state[i] ^= 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
}

static __inline__ curandStatus_t __weft_to_device(void *to, const void *from,
                                                  size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice) == cudaSuccess
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_INITIALIZATION_FAILED;
}

/* Copies CURAND_NUM_MTGP32_PARAMS parameter sets to p, which is device
 * memory. */
static __inline__ curandStatus_t curandMakeMTGP32Constants(
    const mtgp32_params_fast_t params[], mtgp32_kernel_params_t *p)
{
    mtgp32_kernel_params_t *h = (mtgp32_kernel_params_t *)malloc(sizeof *h);
    if (!h)
        return CURAND_STATUS_ALLOCATION_FAILED;
    h->mask[0] = params[0].mask;
    for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; i++) {
        h->pos_tbl[i] = params[i].pos;
        h->sh1_tbl[i] = params[i].sh1;
        h->sh2_tbl[i] = params[i].sh2;
        memcpy(h->param_tbl[i], params[i].tbl, sizeof h->param_tbl[i]);
        memcpy(h->temper_tbl[i], params[i].tmp_tbl, sizeof h->temper_tbl[i]);
        memcpy(h->single_temper_tbl[i], params[i].flt_tmp_tbl,
               sizeof h->single_temper_tbl[i]);
    }
    curandStatus_t status = __weft_to_device(p, h, sizeof *h);
    free(h);
    return status;
}

/* Seeds the states of n blocks (n up to 200) at s, which is device memory. */
static __inline__ curandStatus_t curandMakeMTGP32KernelState(
    curandStateMtgp32_t *s, mtgp32_params_fast_t params[],
    mtgp32_kernel_params_t *k, int n, unsigned long long seed)
{
    curandStateMtgp32_t *h = (curandStateMtgp32_t *)calloc(n, sizeof *h);
    if (!h)
        return CURAND_STATUS_ALLOCATION_FAILED;
    seed ^= seed >> 32;
    for (int i = 0; i < n; i++) {
        mtgp32_init_state(h[i].s, &params[i], (unsigned int)seed + i + 1);
        h[i].offset = 0;
        h[i].pIdx = i;
        h[i].k = k;
    }
    curandStatus_t status = __weft_to_device(s, h, n * sizeof *h);
    free(h);
    return status;
}

#endif
