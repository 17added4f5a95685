/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that are PTX for this device and that no engine runs: a module
 * that someone loads by hand is refused for them, each by its name and place.
 * A program's own modules are loaded lazily, as CUDA does it: there a kernel
 * that has such an instruction is refused when it is launched, and all others
 * run.
 */
#include "core/internal.h"

#include "ptx/effects.h"

/* What emits an opcode says the rest about its forms. */
static const bool has_code[PTX_OP_COUNT] = {
#define EMIT(op, how, function) [PTX_OP_##op] = true,
#include "emit/emitters.def"
#undef EMIT
};

/* Blocks end with these, which no emitter has to know. */
static bool is_flow(const struct ptx_inst *inst)
{
    enum ptx_flow flow = ptx_facts[inst->op].flow;
    return flow == PTX_FLOW_JUMPS || flow == PTX_FLOW_LEAVES;
}

/* NULL: it runs. */
static const char *why_refused(const struct ptx_inst *inst)
{
    return has_code[inst->op] || is_flow(inst) ? NULL : "no engine runs it yet";
}

static void check_function(const struct ptx_func *f, struct diag *log)
{
    for (size_t i = 0; i < f->inst_count && !diag_is_full(log); i++) {
        const struct ptx_inst *inst = &f->insts[i];
        const char *why = why_refused(inst);
        if (why)
            diag_report(log, DIAG_ERROR, "ptx", inst->line, inst->column, NULL,
                        "`%s` in `%s` is not supported: %s", inst->spelling,
                        f->name, why);
    }
}

CUresult module_check_instructions(const struct ptx_module *m, struct diag *log)
{
    unsigned errors = log->error_count;
    for (size_t i = 0; i < m->func_count; i++)
        check_function(m->funcs[i], log);
    return log->error_count == errors ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}
