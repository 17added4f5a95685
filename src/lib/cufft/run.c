/* SPDX-License-Identifier: Apache-2.0 */
/* Runs tiles of a plan. */
#include "plan.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- memory that a thread keeps --------------------------------------- */

struct scratch {
    size_t bytes;
    void *memory;
};

static pthread_key_t scratch_key;
static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;

static void free_scratch(void *of_thread)
{
    struct scratch *s = of_thread;
    free(s->memory);
    free(s);
}

static void make_key(void)
{
    pthread_key_create(&scratch_key, free_scratch);
}

static void *scratch_of(struct scratch *s, size_t bytes)
{
    if (s->bytes >= bytes)
        return s->memory;
    free(s->memory);
    s->memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    s->bytes = s->memory ? bytes : 0;
    return s->memory;
}

/* Traps without memory: a kernel has no other way to fail. */
static void *get_scratch(size_t bytes)
{
    pthread_once(&scratch_once, make_key);
    struct scratch *s = pthread_getspecific(scratch_key);
    if (!s) {
        s = calloc(1, sizeof *s);
        if (!s || pthread_setspecific(scratch_key, s))
            __builtin_trap();
    }
    void *memory = scratch_of(s, bytes ? bytes : 1);
    if (!memory)
        __builtin_trap();
    return memory;
}

/* ---- tiles ------------------------------------------------------------ */

static void run_groups(const struct fft_plan *plan, const struct fft_pass *p,
                       const struct fft_pointers *at, uint64_t first,
                       uint64_t end, void *scratch)
{
    uint64_t in_block = fft_groups_in_block(plan->engine, p);
    uint64_t last = in_block * fft_blocks(p);
    if (end > last)
        end = last;
    while (first < end) {
        uint64_t block = first / in_block, from = first % in_block;
        uint64_t count = end - first;
        if (count > in_block - from)
            count = in_block - from;
        plan->engine->run(p, at, block, from, from + count, scratch);
        first += count;
    }
}

static void run_block(const struct fft_plan *plan, const struct fft_step *s,
                      const struct fft_pointers *at, uint64_t block,
                      void *scratch)
{
    for (unsigned i = 0; i < s->count; i++) {
        const struct fft_pass *p = &plan->pass[s->first + i];
        plan->engine->run(p, at, block, 0, fft_groups_in_block(plan->engine, p),
                          scratch);
    }
}

void fft_plan_run(const struct fft_plan *p, unsigned step,
                  const struct fft_pointers *at, uint64_t first, uint64_t end)
{
    const struct fft_step *s = &p->step[step];
    void *scratch = get_scratch(p->scratch_bytes);
    if (s->count == 1)
        return run_groups(p, &p->pass[s->first], at, first * s->groups_per_tile,
                          end * s->groups_per_tile, scratch);
    for (uint64_t block = first; block < end; block++)
        run_block(p, s, at, block, scratch);
}
