/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the last cache counts. */
#include "check.h"

#include "exec/internal.h"

#define MIB ((uint64_t)1 << 20)

static const struct {
    uint64_t size;
    unsigned cpus;
    bool is_shared;
    uint64_t share;
} rows[] = {
    {32 * MIB, 2, false, 32 * MIB},   {32 * MIB, 2, true, 8 * MIB},
    {260 * MIB, 1, true, 4 * MIB},    {260 * MIB, 16, true, 64 * MIB},
    {260 * MIB, 96, true, 260 * MIB}, {1 * MIB, 1, true, 1 * MIB},
};

int main(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        CHECK_EQUAL(
            topology_cache_share(rows[i].size, rows[i].cpus, rows[i].is_shared),
            rows[i].share);
    CHECK(exec_cache_bytes() > 0);
    return check_result();
}
