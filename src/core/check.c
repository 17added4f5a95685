/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks that WEFT_CHECK asks for want to know of memory: whether
 * bytes are in one allocation, and what was not freed. */
#include "core/check.h"

#include "core/error_log.h"
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

static void report_leak(void *data, const struct mem_info *info)
{
    CUcontext ctx = data;
    bool is_programs =
        (info->kind == MEM_DEVICE && !info->owner) || info->kind == MEM_POOL;
    if (is_programs && (!ctx || ctx_at(info->place) == ctx))
        error_log_add(CU_LOG_LEVEL_ERROR, "Leaked %zu bytes at 0x%llx",
                      info->size_bytes, (unsigned long long)info->base);
}

void check_leaks(CUcontext ctx)
{
    if (are_leaks_wanted())
        mem_visit(report_leak, ctx);
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
    if (checks.which)
        emu_set_checks(&checks);
    if (are_leaks_wanted())
        atexit(end_program);
}
