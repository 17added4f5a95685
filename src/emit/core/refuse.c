/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses what cannot be compiled, by name and place.
 */
#include "emit/core/values.h"

#include <stdarg.h>
#include <stdio.h>

void emit_refuse(struct emit *e, const char *format, ...)
{
    char text[256], shown[256];
    va_list args;
    const struct ptx_inst *inst = e->f ? e->f->at.inst : NULL;

    e->has_failed = true;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!inst) {
        diag_error(e->diag, "%s: %s", e->kernel->name, text);
        return;
    }
    ptx_print_inst(e->f->k->func, inst, shown, sizeof shown);
    diag_report(e->diag, DIAG_ERROR, e->f->k->func->name, inst->line,
                inst->column, NULL, "cannot compile `%s` (%s): %s",
                ptx_op_name(inst->op), shown, text);
}
