/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Teams alone: kernels of all sizes, one after the other, by members that come
 * and go. Each block is run once, and what one kernel has written the next one
 * sees; also where generations begin again.
 */
#include "check.h"
#include "launch.h"

#include "base/size.h"
#include "exec/sched/team.h"

#include <pthread.h>
#include <stdlib.h>

enum { BLOCKS = 500, MEMBERS = 4 };
#define KERNELS WEFT_SIZE(20000, 3000)

static struct team *team;
static unsigned runs_of[BLOCKS]; /* not atomic: ordered by the team */
static atomic_bool is_over;

/* No kernel here waits, so none of this is asked for. */
static bool take_none(struct block_source *s, enum source_hurry hurry,
                      uint64_t *block)
{
    (void)s, (void)hurry, (void)block;
    return false;
}

static bool is_cancelled(const struct block_source *s)
{
    (void)s;
    return false;
}

static const struct sm_host no_host = {.take = take_none,
                                       .is_cancelled = is_cancelled};

static void count_runs(struct exec_warp *w)
{
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        for (volatile int i = b % 64 == 5 ? 2000 : 20; i > 0; i--)
            ; /* some blocks are late */
        runs_of[b]++;
    }
}

/* Behind the other, block by block. */
static unsigned seen_of[BLOCKS];
static void look_at_runs(struct exec_warp *w)
{
    for (uint64_t b = w->block_first; b < w->block_end; b++)
        seen_of[b] = runs_of[b];
}

static bool is_all_over(void *left)
{
    unsigned *turns = left;
    return atomic_load(&is_over) || --*turns == 0;
}

/* Joins, stays for a while, and leaves. */
static void *member_main(void *data)
{
    static struct sm sms[MEMBERS];
    unsigned seed = (unsigned)(uintptr_t)data;
    struct sm *sm = &sms[seed];
    CHECK(sm_init(sm, seed + 1, 0, &no_host));
    fault_enter_thread();
    while (!atomic_load(&is_over)) {
        unsigned turns = 1 + (unsigned)rand_r(&seed) % 50;
        team_help(team, sm, is_all_over, &turns);
    }
    sm_fini(sm);
    return NULL;
}

/* As kernels of a plan: the lead is taken for some of them. */
static void lead(struct sm *sm)
{
    unsigned wanted[BLOCKS] = {0}, seed = 7;
    for (int i = 0; i < KERNELS; i++) {
        uint64_t blocks = 1 + (unsigned)rand_r(&seed) % BLOCKS;
        struct exec_kernel k = make_kernel(count_runs, NULL, blocks, 32);
        struct exec_kernel next = make_kernel(look_at_runs, NULL, blocks, 32);
        struct exec_task *t = exec_task_kernel(&k),
                         *n = exec_task_kernel(&next);
        struct team_work work = {
            .kernels = (const struct exec_kernel *[]){&t->kernel, &n->kernel},
            .kernel_count = 1 + (unsigned)i % 2,
            .first = (unsigned)rand_r(&seed) % blocks,
            .members = 1 + (unsigned)rand_r(&seed) % (MEMBERS + 2),
            .grain = 1 + (unsigned)rand_r(&seed) % 40,
            .most = 60,
            .is_open = rand_r(&seed) % 2,
        };
        uint64_t cycles;
        CHECK(team_take_lead(team) && !team_take_lead(team));
        CHECK(team_is_lead_wanted(team));
        CHECK(team_lead(team, sm, &work, &cycles).fault == EXEC_OK);
        team_give_lead_up(team);
        CHECK(!team_is_lead_wanted(team));
        for (uint64_t b = work.first; b < blocks; b++)
            wanted[b]++;
        CHECK(memcmp(wanted, runs_of, sizeof wanted) == 0);
        CHECK(work.kernel_count == 1 ||
              !memcmp(seen_of + work.first, runs_of + work.first,
                      (blocks - work.first) * sizeof *runs_of));
        exec_task_unref(t);
        exec_task_unref(n);
        if (check_failures)
            return;
    }
}

int main(void)
{
    static struct sm sm;
    pthread_t threads[MEMBERS];
    team = aligned_alloc(CACHE_LINE, sizeof *team);
    CHECK(exec_start() && team && sm_init(&sm, 0, 0, &no_host));
    memset(team, 0, sizeof *team);
    fault_enter_thread();
    /* Generations of 44 bits, two for a kernel. */
    atomic_init(&team->word, (UINT64_C(1) << 44) - KERNELS / 2 * 2);
    for (uintptr_t i = 0; i < MEMBERS; i++)
        CHECK(!pthread_create(&threads[i], NULL, member_main, (void *)i));
    lead(&sm);
    atomic_store(&is_over, true);
    for (unsigned i = 0; i < MEMBERS; i++)
        pthread_join(threads[i], NULL);
    CHECK(team_helpers(team) == 0);
    sm_fini(&sm);
    free(team);
    exec_stop();
    return check_result();
}
