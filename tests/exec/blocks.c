/* SPDX-License-Identifier: Apache-2.0 */
/* Every block of a grid runs exactly once, whatever the grid's size. */
#define _GNU_SOURCE
#include <time.h>

#include "launch.h"
#include "check.h"

struct params {
    atomic_uchar *count;
};

static void count_blocks(struct exec_warp *w)
{
    const struct params *p = (const void *)w->launch->params;
    for (uint64_t b = w->block_first; b < w->block_end; b++)
        atomic_fetch_add(&p->count[b], 1);
}

static void check_grid(uint64_t blocks)
{
    struct params p = {calloc(blocks, 1)};
    CHECK_EQUAL(launch(count_blocks, &p, blocks, 64), EXEC_OK);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < blocks; i++)
        wrong += p.count[i] != 1;
    CHECK_EQUAL(wrong, 0);
    free(p.count);
}

/* ---- few and long ------------------------------------------------------ */

struct meeting {
    atomic_uint here;
    unsigned wanted, patience_ms;
    atomic_bool is_late;
};

/* Until as many blocks have begun as there are SMs. */
static void meet(struct exec_warp *w)
{
    struct meeting *m = (void *)(uintptr_t)w->launch->params;
    struct timespec time = {.tv_nsec = 1000000};
    unsigned rounds = 0;
    atomic_fetch_add(&m->here, (unsigned)(w->block_end - w->block_first));
    for (; atomic_load(&m->here) < m->wanted; rounds++) {
        if (rounds == m->patience_ms) {
            atomic_store(&m->is_late, true);
            return;
        }
        nanosleep(&time, NULL);
    }
}

/* When it is known that they take long, all SMs begin at once. */
static void check_long_blocks(void)
{
    struct meeting m = {.wanted = exec_sm_count(), .patience_ms = 100};
    if (m.wanted > 4)
        m.wanted = 4;
    CHECK_EQUAL(launch(meet, &m, m.wanted, 32), EXEC_OK);
    atomic_store(&m.here, 0);
    atomic_store(&m.is_late, false);
    m.patience_ms = 5000;
    CHECK_EQUAL(launch(meet, &m, m.wanted, 32), EXEC_OK);
    CHECK(!m.is_late);
}

int main(void)
{
    uint64_t sizes[] = {1, 2, 3, 7, 8, 100, 1023, 65536, 262144, 1000003};
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++)
        check_grid(sizes[i]);
    for (unsigned i = 0; i < 2000; i++)
        check_grid(1 + i % 5);
    exec_stop();
    check_grid(12345); /* starts again */
    check_long_blocks();
    exec_stop();
    return check_result();
}
