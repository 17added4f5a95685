/* SPDX-License-Identifier: Apache-2.0 */
/* Every block of a grid runs exactly once, whatever the grid's size. */
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

int main(void)
{
    uint64_t sizes[] = {1, 2, 3, 7, 8, 100, 1023, 65536, 262144, 1000003};
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++)
        check_grid(sizes[i]);
    for (unsigned i = 0; i < 2000; i++)
        check_grid(1 + i % 5);
    exec_stop();
    check_grid(12345); /* starts again */
    exec_stop();
    return check_result();
}
