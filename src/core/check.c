/* SPDX-License-Identifier: Apache-2.0 */
/* What WEFT_CHECK asks of memory: whether bytes are in one allocation, and
 * which allocation an address is behind. */
#include "core/check.h"

#include <inttypes.h>

#include "core/internal.h"
#include "emu/emu.h"

#define NEAR_BYTES (UINT64_C(1) << 20)

/* One variable of a module ends where the next begins. */
static bool holds_all(const void *p, size_t size_bytes)
{
    struct mem_info m = pointer_query(p);
    return m.kind == MEM_MODULE
               ? size_bytes <= m.base + m.size_bytes - (uintptr_t)p
               : mem_holds(p, size_bytes);
}

/* The allocation that ends before an address, nearest to it. */
struct nearest {
    uint64_t address, base, size_bytes;
};

static void look_at(void *data, const struct mem_info *info)
{
    struct nearest *n = data;
    uint64_t end = info->base + info->size_bytes;
    if (end <= n->address && end > n->base + n->size_bytes) {
        n->base = info->base;
        n->size_bytes = info->size_bytes;
    }
}

static void print_nearest(FILE *out, uint64_t address)
{
    struct nearest n = {.address = address};
    mem_visit(look_at, &n);
    uint64_t behind = address - n.base - n.size_bytes;
    if (n.size_bytes && behind < NEAR_BYTES)
        fprintf(out,
                ", %" PRIu64 " bytes behind an allocation of %" PRIu64
                " at 0x%" PRIx64,
                behind, n.size_bytes, n.base);
}

void check_start(void)
{
    if (!check_is_wanted())
        return;
    emu_check_accesses(holds_all);
    explain_set_nearest(print_nearest);
}
