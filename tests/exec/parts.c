/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that only a part of the SMs runs. */
#define _GNU_SOURCE
#include <limits.h>
#include <unistd.h>

#include "launch.h"
#include "check.h"

enum { BLOCKS = 300, MOST = 16 };

struct params {
    atomic_uint *flag;
    uint32_t sm[BLOCKS];
    pid_t thread[BLOCKS];
};

static void who(struct exec_warp *w)
{
    struct params *p = (void *)w->launch->params;
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        p->sm[b] = w->sm_id;
        p->thread[b] = gettid();
        for (volatile int i = 0; i < 2000; i++)
            ;
    }
}

static struct exec_part half(unsigned which)
{
    unsigned sms = exec_sm_count(), middle = sms > 1 ? sms / 2 : 1;
    return (struct exec_part){
        .first = which && sms > 1 ? middle : 0,
        .end = which ? sms : middle,
        .sm_first = which * 100,
        .sm_count = 100,
    };
}

static struct exec_task *submit(struct exec_kernel k, unsigned which)
{
    k.part = half(which);
    struct exec_task *t = exec_task_kernel(&k);
    exec_submit(t);
    return t;
}

static void end(struct exec_task *t, enum exec_wait_mode mode)
{
    exec_wait(t, mode);
    CHECK_EQUAL(exec_task_fault(t), 0);
    exec_task_unref(t);
}

static bool has_run(const struct params *p, pid_t thread)
{
    for (int i = 0; i < BLOCKS; i++)
        if (p->thread[i] == thread)
            return true;
    return false;
}

/* Two at once: SMs and, where there are two, threads are not the other's. */
static void check_apart(enum exec_wait_mode mode)
{
    struct params *p = calloc(2, sizeof *p);
    struct exec_task *t[2];
    for (unsigned i = 0; i < 2; i++)
        t[i] = submit(make_kernel(who, &p[i], BLOCKS, 32), i);
    for (unsigned i = 0; i < 2; i++)
        end(t[i], mode);
    for (unsigned i = 0; i < 2; i++)
        for (int b = 0; b < BLOCKS; b++)
            CHECK(p[i].sm[b] >= i * 100 && p[i].sm[b] < i * 100 + 100);
    if (exec_sm_count() > 1 && mode == EXEC_WAIT_BLOCK)
        for (int b = 0; b < BLOCKS; b++)
            CHECK(!has_run(&p[0], p[1].thread[b]));
    free(p);
}

static void wait_for_flag(struct exec_warp *w)
{
    struct params *p = (void *)w->launch->params;
    while (!atomic_load(p->flag))
        w->launch->helpers->yield(w);
}

static void set_flag(struct exec_warp *w)
{
    struct params *p = (void *)w->launch->params;
    atomic_store(p->flag, 1);
}

/* What fills one part does not keep the other from its work, nor its own. */
static void check_waits(unsigned waiting, unsigned setting)
{
    atomic_uint flag = 0;
    struct params p = {.flag = &flag};
    struct exec_kernel k = make_kernel(wait_for_flag, &p, 64, 32);
    k.has_waits = k.has_barrier = true;
    struct exec_task *a = submit(k, waiting);
    usleep(1000);
    struct exec_task *b = submit(make_kernel(set_flag, &p, 1, 32), setting);
    end(a, EXEC_WAIT_HELP);
    end(b, EXEC_WAIT_HELP);
}

static void count_blocks(struct exec_warp *w)
{
    struct params *p = (void *)w->launch->params;
    atomic_fetch_add(p->flag, (unsigned)(w->block_end - w->block_first));
}

/* Chains of small ones in parts that change, and some for all: nobody sleeps
 * while there is work. */
static void check_chains(void)
{
    enum { CHAINS = 8, LENGTH = 200 };
    atomic_uint count = 0;
    struct params p = {.flag = &count};
    struct exec_task *last[CHAINS] = {0};
    for (unsigned i = 0; i < LENGTH; i++)
        for (unsigned c = 0; c < CHAINS; c++) {
            struct exec_kernel k = make_kernel(count_blocks, &p, 1 + i % 3, 32);
            if ((i + c) % 3)
                k.part = half((i + c) % 3 - 1);
            struct exec_task *t = exec_task_kernel(&k);
            CHECK(!last[c] || exec_task_depend(t, last[c]));
            exec_submit(t);
            exec_task_unref(last[c]);
            last[c] = t;
        }
    for (unsigned c = 0; c < CHAINS; c++)
        end(last[c], c % 2 ? EXEC_WAIT_HELP : EXEC_WAIT_BLOCK);
    unsigned expected = 0;
    for (unsigned i = 0; i < LENGTH; i++)
        expected += CHAINS * (1 + i % 3);
    CHECK_EQUAL(atomic_load(&count), expected);
}

int main(void)
{
    CHECK(exec_start());
    for (int i = 0; i < MOST; i++)
        check_apart(i % 2 ? EXEC_WAIT_HELP : EXEC_WAIT_BLOCK);
    for (unsigned i = 0; i < 4; i++)
        check_waits(i & 1, i >> 1);
    for (int i = 0; i < 4; i++)
        check_chains();
    return check_result();
}
