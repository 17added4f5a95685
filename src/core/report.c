/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a load has to say besides its result: errors and warnings in one log,
 * and what every kernel takes in another, as ptxas -v would print it. The
 * driver's JIT options give buffers for both (CU_JIT_ERROR_LOG_BUFFER,
 * CU_JIT_INFO_LOG_BUFFER); what does not fit is cut off, at the end of a
 * line if there is one.
 *
 * Registers are the host's: the figure is how many 32-bit registers a GPU would
 * need at least for the values that are alive at the same time.
 */
#include "core/internal.h"
#include "core/usage.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- registers ----------------------------------------------------------- */

/* First and last instruction that has a register; first > last: none. */
struct span {
    uint32_t first, last;
};

struct spans {
    struct span *of; /* by register */
    uint32_t at;     /* the instruction being looked at */
};

static void note_register(void *data, uint32_t reg)
{
    struct spans *s = data;
    if (s->of[reg].first > s->at)
        s->of[reg].first = s->at;
    if (s->of[reg].last < s->at)
        s->of[reg].last = s->at;
}

/* A tree over all instructions: the furthest instruction from which a branch
 * leads back to one of a range. */
struct furthest {
    uint32_t *max;
    size_t leaf_count;
};

static bool furthest_init(struct furthest *t, size_t count)
{
    t->leaf_count = 1;
    while (t->leaf_count < count + 1)
        t->leaf_count *= 2;
    t->max = calloc(2 * t->leaf_count, sizeof *t->max);
    return t->max != NULL;
}

static void furthest_add(struct furthest *t, uint32_t target, uint32_t from)
{
    assert(target <= from && from < t->leaf_count);
    for (size_t i = t->leaf_count + target; i > 0 && t->max[i] < from; i /= 2)
        t->max[i] = from;
}

/* Over [first, last]. */
static uint32_t furthest_of(const struct furthest *t, size_t first, size_t last)
{
    assert(first <= last && last < t->leaf_count);
    uint32_t max = 0;
    size_t a = t->leaf_count + first, b = t->leaf_count + last + 1;
    for (; a < b; a /= 2, b /= 2) {
        if (a & 1 && t->max[a] > max)
            max = t->max[a];
        a += a & 1;
        if (b & 1 && t->max[b - 1] > max)
            max = t->max[b - 1];
    }
    return max;
}

static void note_branches(const struct ptx_func *f, struct furthest *t)
{
    for (uint32_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        for (unsigned k = 0; k < inst->operand_count; k++) {
            const struct ptx_operand *o = &inst->operand[k];
            if (o->kind == PTX_OPERAND_label && f->labels[o->label].inst <= i)
                furthest_add(t, f->labels[o->label].inst, i);
        }
        for (unsigned k = 0; k < inst->target_count; k++)
            if (f->labels[inst->targets[k]].inst <= i)
                furthest_add(t, f->labels[inst->targets[k]].inst, i);
    }
}

static unsigned words_of(enum ptx_type t)
{
    unsigned bytes = ptx_type_size(t);
    return t == PTX_TYPE_pred ? 0 : bytes <= 4 ? 1 : bytes / 4;
}

/* What lives before a loop and is used in it lives to its end. */
static unsigned count_overlaps(const struct ptx_func *f, struct span *spans,
                               const struct furthest *t)
{
    int32_t *change = calloc(f->inst_count + 2, sizeof *change);
    if (!change)
        return 0;
    for (size_t r = 0; r < f->reg_count; r++) {
        struct span *s = &spans[r];
        if (s->first > s->last)
            continue;
        for (uint32_t end = s->first; s->first < s->last && end != s->last;) {
            end = s->last;
            uint32_t back = furthest_of(t, s->first + 1, end);
            if (back > end)
                s->last = back;
        }
        change[s->first] += (int32_t)words_of(f->regs[r].type);
        /* What an instruction reads last may share with what it writes. */
        uint32_t end = s->last > s->first ? s->last : s->last + 1;
        change[end] -= (int32_t)words_of(f->regs[r].type);
    }
    int32_t now = 0, most = 0;
    for (size_t i = 0; i <= f->inst_count; i++) {
        now += change[i];
        assert(now >= 0);
        most = now > most ? now : most;
    }
    free(change);
    return (unsigned)most;
}

unsigned report_register_count(const struct ptx_func *f)
{
    struct spans s = {.of = malloc((f->reg_count + 1) * sizeof *s.of)};
    struct furthest t = {0};
    unsigned count = 0;
    if (s.of && furthest_init(&t, f->inst_count)) {
        for (size_t r = 0; r < f->reg_count; r++)
            s.of[r] = (struct span){UINT32_MAX, 0};
        for (; s.at < f->inst_count; s.at++) {
            ptx_for_each_use(&f->insts[s.at], note_register, &s);
            ptx_for_each_def(&f->insts[s.at], note_register, &s);
        }
        note_branches(f, &t);
        count = count_overlaps(f, s.of, &t);
    }
    free(s.of);
    free(t.max);
    return count;
}

/* ---- other things that a kernel takes ----------------------------------- */

enum { BARRIERS_MAX = 16 };

unsigned report_barrier_count(const struct ptx_func *f)
{
    uint32_t used = 0;
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        if ((inst->op != PTX_OP_bar && inst->op != PTX_OP_barrier) ||
            inst->sub == PTX_SUB_warp)
            continue;
        for (unsigned k = 0; k < inst->operand_count; k++) {
            const struct ptx_operand *o = &inst->operand[k];
            if (o->kind == PTX_OPERAND_imm && o->imm >= 0 &&
                o->imm < BARRIERS_MAX)
                used |= 1u << o->imm;
            else if (o->kind == PTX_OPERAND_reg)
                return BARRIERS_MAX; /* any of them */
            if (o->kind != PTX_OPERAND_none)
                break; /* how many threads, what to vote on */
        }
    }
    return (unsigned)__builtin_popcount(used);
}

size_t report_local_bytes(const struct ptx_func *f)
{
    return ptx_func_bytes(f, PTX_SPACE_local);
}

size_t report_const_bytes(const struct ptx_module *m)
{
    return ptx_module_bytes(m, PTX_SPACE_const);
}

/* ---- the logs ----------------------------------------------------------- */

static void print_function(FILE *out, const struct ptx_func *f)
{
    fprintf(out, "info    : %s `%s` for sm_%u\n",
            f->is_entry ? "kernel" : "function", f->name, f->module->sm);
    fprintf(out, "info    :     %u registers, ", report_register_count(f));
    if (f->is_entry)
        fprintf(out, "%u bytes shared, ", ptx_static_shared_bytes(f));
    fprintf(out, "%zu bytes local, ", report_local_bytes(f));
    if (f->is_entry)
        fprintf(out, "%zu bytes parameters, ", f->param_bytes);
    fprintf(out, "%u barriers\n", report_barrier_count(f));
}

char *report_info(const struct ptx_module *m)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "info    : %zu bytes global, %zu bytes constant\n",
            ptx_module_bytes(m, PTX_SPACE_global), report_const_bytes(m));
    for (size_t i = 0; i < m->func_count; i++)
        if (!m->funcs[i]->is_declaration && !m->funcs[i]->alias_of)
            print_function(out, m->funcs[i]);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- ptxas -v ------------------------------------------------------------ */

/* Spills are always 0: there is no machine code yet. */
static void print_usage(FILE *out, const struct ptx_func *f, const char *target,
                        const char *indent)
{
    if (f->is_entry)
        fprintf(out, "ptxas info    : Compiling entry function '%s' for '%s'\n",
                f->name, target);
    fprintf(out,
            "ptxas info    : Function properties for %s\n"
            "%s    %zu bytes stack frame, 0 bytes spill stores, 0 bytes spill "
            "loads\n",
            f->name, indent, report_local_bytes(f));
    if (!f->is_entry)
        return;
    fprintf(out, "ptxas info    : Used %u registers, used %u barriers",
            report_register_count(f), report_barrier_count(f));
    if (ptx_static_shared_bytes(f))
        fprintf(out, ", %u bytes smem", ptx_static_shared_bytes(f));
    fputc('\n', out);
}

char *report_usage(const struct ptx_module *m, const char *target,
                   const char *indent)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    assert(m && target && indent);
    fprintf(out, "ptxas info    : %zu bytes gmem",
            ptx_module_bytes(m, PTX_SPACE_global));
    if (report_const_bytes(m))
        fprintf(out, ", %zu bytes cmem[3]", report_const_bytes(m));
    fputc('\n', out);
    for (size_t i = 0; i < m->func_count; i++)
        if (!m->funcs[i]->is_declaration && !m->funcs[i]->alias_of)
            print_usage(out, m->funcs[i], target, indent);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

char *report_text_usage(const char *ptx, const char *target, const char *indent)
{
    struct diag log;
    diag_init(&log);
    struct ptx_module *m = ptx_parse("ptx", ptx, strlen(ptx), &log);
    char *text = m ? report_usage(m, target, indent) : NULL;
    if (m)
        ptx_module_destroy(m);
    diag_fini(&log);
    return text;
}

/* Kernels that load and whose every launch will fail. */
void report_warnings(const struct ptx_module *m, struct diag *log)
{
    for (size_t i = 0; i < m->func_count; i++) {
        const struct ptx_func *f = m->funcs[i];
        if (!f->is_entry || f->is_declaration)
            continue;
        uint32_t shared = ptx_static_shared_bytes(f);
        if (shared > LIMIT_SHARED_BYTES)
            diag_report(log, DIAG_WARNING, "ptx", f->line, 0, NULL,
                        "kernel `%s` has %u bytes of shared variables, and a "
                        "block has %u: it cannot be launched",
                        f->name, shared, LIMIT_SHARED_BYTES);
        uint64_t threads = f->reqntid[0];
        for (unsigned k = 1; k < 3; k++)
            threads *= f->reqntid[k] ? f->reqntid[k] : 1;
        if (threads > LIMIT_THREADS_PER_BLOCK)
            diag_report(log, DIAG_WARNING, "ptx", f->line, 0, NULL,
                        "kernel `%s` wants blocks of %llu threads, and a block "
                        "has %u at most: it cannot be launched",
                        f->name, (unsigned long long)threads,
                        LIMIT_THREADS_PER_BLOCK);
    }
}

/* Whole lines, as many as there is room for; a part of the first, if there is
 * none for that. */
static void fill_log(struct module_log *log, const char *text)
{
    size_t room = log->size_bytes, length = text ? strlen(text) : 0;
    log->size_bytes = 0;
    if (!log->buffer || room == 0)
        return;
    if (length >= room) {
        size_t whole = room - 1;
        while (whole && text[whole - 1] != '\n')
            whole--;
        length = whole ? whole : room - 1;
    }
    if (length)
        memcpy(log->buffer, text, length);
    log->buffer[length] = 0;
    log->size_bytes = length;
}

void report_logs(struct module_log *errors, struct module_log *info,
                 const struct diag *log, const struct ptx_module *m)
{
    if (errors)
        fill_log(errors, log->text);
    if (info) {
        char *text = m ? report_info(m) : NULL;
        fill_log(info, text);
        free(text);
    }
}

CUresult module_load_logged(CUcontext ctx, const void *const *images,
                            size_t count, struct module_log *errors,
                            struct module_log *info, CUmodule *out)
{
    struct diag log;
    diag_init(&log);
    CUresult err = module_load_linked(ctx, images, count, &log, out);
    report_logs(errors, info, &log, err ? NULL : (*out)->ptx);
    diag_fini(&log);
    return err;
}

CUresult report_linked(CUresult err, struct ptx_module *m, bool may_lack_names,
                       struct diag *log, struct module_log *errors,
                       struct module_log *info, char **out)
{
    if (err)
        m = NULL;
    else if (!may_lack_names)
        err = module_check_externs(m, log);
    if (!err) {
        *out = ptx_print(m);
        err = *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    report_logs(errors, info, log, err ? NULL : m);
    ptx_module_destroy(m);
    return err;
}

CUresult module_link(const void *const *images, size_t count,
                     struct module_log *errors, struct module_log *info,
                     char **out)
{
    struct ptx_module *m;
    uint64_t hash;
    struct diag log;
    diag_init(&log);
    CUresult err = module_link_parts(images, count, &log, &m, &hash);
    err = report_linked(err, m, false, &log, errors, info, out);
    diag_fini(&log);
    return err;
}
