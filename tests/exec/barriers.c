/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers: order between warps, exited warps, ids, votes, blocks in a row. */
#include "launch.h"
#include "check.h"

struct params {
    uint32_t *out;
};

/* Prefix sum over warps through shared memory, a barrier per step. */
static void prefix(struct exec_warp *w)
{
    const struct params *p = (const void *)w->launch->params;
    const struct exec_helpers *h = w->launch->helpers;
    uint32_t *shared = (uint32_t *)w->shared;
    uint32_t self = w->warp_first, count = w->launch->warps_per_block;
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        shared[self] = (uint32_t)b + self;
        h->barrier_sync(w, 0, 0);
        for (uint32_t step = 1; step < count; step *= 2) {
            uint32_t value = shared[self];
            if (self >= step)
                value += shared[self - step];
            h->barrier_sync(w, 0, 0);
            shared[self] = value;
            h->barrier_sync(w, 0, 0);
        }
        p->out[b * count + self] = shared[self];
        h->block_end(w);
    }
}

static void check_prefix(uint64_t blocks, unsigned warps)
{
    struct params p = {calloc(blocks * warps, 4)};
    CHECK_EQUAL(launch_with_barriers(prefix, &p, blocks, warps * 32), 0);
    uint64_t wrong = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t sum = 0;
        for (unsigned i = 0; i < warps; i++) {
            sum += (uint32_t)b + i;
            wrong += p.out[b * warps + i] != sum;
        }
    }
    CHECK_EQUAL(wrong, 0);
    free(p.out);
}

/* Warp i leaves after i barriers; the others must not wait for it. */
static void leave_early(struct exec_warp *w)
{
    const struct params *p = (const void *)w->launch->params;
    const struct exec_helpers *h = w->launch->helpers;
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        for (uint32_t i = 0; i < w->warp_first; i++) {
            h->barrier_sync(w, 3, 0);
            p->out[b * w->launch->warps_per_block + w->warp_first]++;
        }
        h->block_end(w);
    }
}

static void check_leave_early(void)
{
    uint32_t out[32 * 10] = {0};
    struct params p = {out};
    CHECK_EQUAL(launch_with_barriers(leave_early, &p, 10, 1024), 0);
    for (unsigned i = 0; i < 320; i++)
        CHECK_EQUAL(out[i], i % 32);
}

/* bar.arrive by producers, bar.sync by consumers, 64 threads each time. */
static void produce(struct exec_warp *w)
{
    const struct params *p = (const void *)w->launch->params;
    const struct exec_helpers *h = w->launch->helpers;
    uint32_t *shared = (uint32_t *)w->shared;
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        if (w->warp_first == 0)
            shared[0] = 0;
        h->barrier_sync(w, 0, 0);
        if (w->warp_first == 1) {
            h->barrier_sync(w, 1, 64);
            p->out[b] = shared[0];
        } else if (w->warp_first == 0) {
            h->yield(w);
            shared[0] = 77;
            h->barrier_arrive(w, 1, 64);
        }
        h->block_end(w);
    }
}

static void check_produce(void)
{
    uint32_t out[50] = {0};
    struct params p = {out};
    CHECK_EQUAL(launch_with_barriers(produce, &p, 50, 128), 0);
    for (unsigned i = 0; i < 50; i++)
        CHECK_EQUAL(out[i], 77);
}

/* bar.red.popc: lanes below the warp's number vote. */
static void vote(struct exec_warp *w)
{
    const struct params *p = (const void *)w->launch->params;
    const struct exec_helpers *h = w->launch->helpers;
    uint32_t count = w->launch->warps_per_block, bad = 0;
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t total;
            uint32_t n = h->barrier_red(w, i % 2, 0, w->warp_first, 32, &total);
            bad += n != count * (count - 1) / 2 || total != count * 32;
        }
        p->out[b * count + w->warp_first] = bad;
        h->block_end(w);
    }
}

static void check_vote(unsigned warps)
{
    uint32_t out[20 * 32] = {0};
    struct params p = {out};
    CHECK_EQUAL(launch_with_barriers(vote, &p, 20, warps * 32), 0);
    for (unsigned i = 0; i < 20 * warps; i++)
        CHECK_EQUAL(out[i], 0);
}

int main(void)
{
    for (unsigned warps = 1; warps <= 32; warps++)
        check_prefix(17, warps);
    check_prefix(20000, 8);
    check_leave_early();
    check_produce();
    check_vote(1);
    check_vote(31);
    exec_stop();
    return check_result();
}
