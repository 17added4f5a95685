/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks that WEFT_CHECK asks for want to know of memory: whether
 * bytes are in one allocation, and what was not freed. */
#include "core/check.h"

#include "core/error_log.h"
#include "base/check_lines.h"
#include "base/environment.h"
#include "core/internal.h"
#include "emu/emu.h"

#include <stdlib.h>

/* One variable of a module ends where the next begins. */
static bool holds_all(const void *p, size_t size_bytes)
{
    struct mem_info m = pointer_query(p);
    if (!exec_heap_holds(p, size_bytes))
        return false;
    return m.kind == MEM_MODULE
               ? size_bytes <= m.base + m.size_bytes - (uintptr_t)p
               : mem_holds(p, size_bytes);
}

/* ---- leaks --------------------------------------------------------------- */

static bool are_leaks_wanted(void)
{
    const char *text = getenv(ENVIRONMENT_CHECK);
    return text && strstr(text, ENVIRONMENT_CHECK_LEAKS);
}

struct leaks {
    CUcontext ctx; /* NULL: of all */
    struct mem_info *found;
    size_t count, room;
};

/* Memory's lock is held: what programs do with lines of the log needs it. */
static void note_leak(void *data, const struct mem_info *info)
{
    struct leaks *l = data;
    bool is_programs = info->kind == MEM_DEVICE || info->kind == MEM_POOL;
    if (!is_programs || (l->ctx && ctx_at(info->place) != l->ctx))
        return;
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 64;
        struct mem_info *found = realloc(l->found, room * sizeof *found);
        if (!found)
            return;
        l->found = found;
        l->room = room;
    }
    l->found[l->count++] = *info;
}

void check_leaks(CUcontext ctx)
{
    struct leaks l = {.ctx = ctx};
    if (!are_leaks_wanted())
        return;
    mem_visit(note_leak, &l);
    for (size_t i = 0; i < l.count; i++)
        error_log_add(CU_LOG_LEVEL_ERROR, CHECK_LINE_LEAK " at 0x%llx",
                      l.found[i].size_bytes,
                      (unsigned long long)l.found[i].base);
    free(l.found);
}

static void end_program(void)
{
    check_leaks(NULL);
}

/* -------------------------------------------------------------------------- */

void check_start(void)
{
    struct emu_checks checks = {.which = check_wanted(),
                                .holds = holds_all,
                                .is_set = check_values_are_set,
                                .set = check_values_set,
                                .report = check_report};
    if (checks.which) {
        emu_set_checks(&checks);
        atexit(check_report_rest);
    }
    if (are_leaks_wanted())
        atexit(end_program);
}
