/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One kernel on several devices at once, as a cooperative grid on each. Unless
 * the program says otherwise, none begins before the work so far in all the
 * streams is done, and later work in any of them waits for all grids.
 */
#include "core/internal.h"

/* Each stream waits for the work so far in all others. */
static CUresult join_streams(const struct launch_part *parts, unsigned count)
{
    CUresult err = CUDA_SUCCESS;
    for (unsigned i = 0; i < count && !err; i++) {
        struct exec_task *mark;
        if (!stream_mark(parts[i].config.stream, &mark))
            return CUDA_ERROR_OUT_OF_MEMORY;
        for (unsigned j = 0; j < count && !err && mark; j++)
            if (j != i)
                err = stream_wait_task(parts[j].config.stream, mark);
        exec_task_unref(mark);
    }
    return err;
}

/* All devices run one shape of blocks. */
static bool are_alike(const struct launch_config *a,
                      const struct launch_config *b)
{
    return !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) &&
           a->shared_bytes == b->shared_bytes;
}

/* The streams have to be created ones (INVALID_HANDLE), of different devices
 * (INVALID_DEVICE). */
static CUresult check_streams(const struct launch_part *parts, unsigned count)
{
    uint64_t devices = 0;
    static_assert(DEVICE_COUNT_MAX <= 64, "a bit for each");
    for (unsigned i = 0; i < count; i++) {
        CUstream s = parts[i].config.stream;
        assert(ctx_device(s->ctx) < DEVICE_COUNT_MAX);
        uint64_t bit = UINT64_C(1) << ctx_device(s->ctx);
        if (s->is_legacy)
            return CUDA_ERROR_INVALID_HANDLE;
        if (devices & bit)
            return CUDA_ERROR_INVALID_DEVICE;
        if (!are_alike(&parts[i].config, &parts[0].config))
            return CUDA_ERROR_INVALID_VALUE;
        devices |= bit;
    }
    return CUDA_SUCCESS;
}

CUresult launch_on_all(struct launch_part *parts, unsigned count,
                       unsigned flags)
{
    const unsigned no_pre =
        CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC;
    const unsigned no_post =
        CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC;
    CUresult err = check_streams(parts, count);
    if (!err && !(flags & no_pre))
        err = join_streams(parts, count);
    for (unsigned i = 0; i < count && !err; i++) {
        parts[i].config.is_cooperative = true;
        err = launch_kernel(parts[i].function, &parts[i].config, parts[i].args,
                            NULL, 0);
    }
    if (!err && !(flags & no_post))
        err = join_streams(parts, count);
    return err;
}
