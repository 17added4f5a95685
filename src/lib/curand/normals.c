/* SPDX-License-Identifier: Apache-2.0 */
#include "convert.h"

#include <math.h>

#include "normals.h"

extern const char normals_ptx[];
static const struct lib_module module = {normals_ptx};

static const char *kernel_of(enum words words, bool is_double)
{
    static const char *const names[WORDS_COUNT][2] = {
        [WORDS_MANY] = {"normals_many", "normals_many_double"},
        [WORDS_MRG] = {"normals_mrg", "normals_mrg_double"},
        [WORDS_SINGLE] = {"normals_single", "normals_single_double"},
        [WORDS_HALF] = {"normals_single", "normals_single_double"},
        [WORDS_WIDE] = {"normals_single", "normals_wide_double"},
    };
    return names[words][is_double];
}

static unsigned blocks_for(uint64_t items, unsigned threads)
{
    uint64_t blocks = (items + threads - 1) / threads;
    return blocks < 65536 ? (unsigned)blocks : 65536;
}

static uint32_t normal_kind(enum form form)
{
    if (form == FORM_POISSON)
        return NORMAL_ROUNDED;
    return form >= FORM_LOG_NORMAL ? NORMAL_LOG : NORMAL_PLAIN;
}

/* Host generators use the kernel too, since it can reach their memory; they
 * wait for it. */
curandStatus_t finish_normals(curandGenerator_t g, const struct recipe *recipe,
                              const struct request *r, const struct edges *e)
{
    enum { THREADS = 128 };
    bool is_double = form_bytes(r->form) == 8;
    struct normals_args args = {
        .numbers = r->out,
        .count = r->count,
        .cut = e ? e->cut : 0,
        .becomes = normal_kind(r->form),
        .mean = r->mean,
        .stddev = r->form == FORM_POISSON ? sqrt(r->mean) : r->stddev,
        .edges = e ? e->words : NULL,
    };
    struct lib_shape shape = {
        .grid = {blocks_for((r->count + 1) / 2, THREADS)},
        .block = {THREADS},
    };
    CUstream stream = g->on_host ? CU_STREAM_PER_THREAD : g->stream;
    if (!form_is_normal(recipe->form))
        return CURAND_STATUS_SUCCESS;
    if (lib_launch(&module, kernel_of(recipe->words, is_double), stream, shape,
                   (void *[]){&args}))
        return CURAND_STATUS_LAUNCH_FAILURE;
    if (g->on_host && lib_synchronize(stream))
        return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
}
