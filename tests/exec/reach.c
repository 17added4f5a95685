/* SPDX-License-Identifier: Apache-2.0 */
/* Whether blocks of two kernels are apart, beside sets of all addresses that
 * each block touches. */
#include "check.h"

#include "exec/reach.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 5, BYTES = 96, PAIRS = 200000 };

static unsigned seed = 3;

static int64_t any(int64_t below)
{
    return rand_r(&seed) % below;
}

static struct exec_touch random_touch(void)
{
    struct exec_touch t = {.writes = any(2)};
    t.step_bytes = any(4) ? any(7) * 2 - 4 : 0;
    t.first = 20 + any(30);
    t.end = t.first + 1 + any(6);
    int64_t last = t.step_bytes * (BLOCKS - 1);
    t.low = t.first + (last < 0 ? last : 0);
    t.high = t.end + (last > 0 ? last : 0);
    if (t.low < 20) /* the memory begins there */
        t.low = 20;
    return t;
}

static void fill(const struct exec_touch *t, int block, char bytes[BYTES])
{
    memset(bytes, 0, BYTES);
    for (int64_t i = t->first; i < t->end; i++) {
        int64_t at = i + t->step_bytes * block;
        if (at >= t->low && at < t->high)
            bytes[at] = 1;
    }
}

static bool is_really_apart(const struct exec_touch *a,
                            const struct exec_touch *b)
{
    static char of_a[BLOCKS][BYTES], of_b[BLOCKS][BYTES];
    if (!a->writes && !b->writes)
        return true;
    for (int i = 0; i < BLOCKS; i++) {
        fill(a, i, of_a[i]);
        fill(b, i, of_b[i]);
    }
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++)
            for (int at = 0; at < BYTES && i != j; at++)
                if (of_a[i][at] && of_b[j][at])
                    return false;
    return true;
}

int main(void)
{
    unsigned apart = 0, own = 0;
    for (int i = 0; i < PAIRS; i++) {
        const struct exec_reach a = {.count = 1, .touch = {random_touch()}};
        const struct exec_reach b = {.count = 1, .touch = {random_touch()}};
        bool is_apart = exec_reach_is_apart(&a, &b);
        CHECK(!is_apart || is_really_apart(&a.touch[0], &b.touch[0]));
        apart += is_apart && (a.touch[0].writes || b.touch[0].writes);
        own += is_apart && a.touch[0].low < b.touch[0].high &&
               b.touch[0].low < a.touch[0].high && a.touch[0].writes;
        if (check_failures)
            break;
    }
    CHECK(apart > PAIRS / 20 && own > PAIRS / 500);
    return check_result();
}
