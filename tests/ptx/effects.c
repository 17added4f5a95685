/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The facts in ops.def's columns against the other tables: whatever has an
 * address among its operands touches memory or says why not; what is emitted
 * lane by lane does nothing but compute; what has no form forbids everything.
 */
#include "ptx/effects.h"
#include "ptx/internal.h"

#include <stdio.h>

static int failures;

static void check(bool is_good, enum ptx_op op, const char *what)
{
    if (is_good)
        return;
    printf("%s: %s\n", ptx_op_name(op), what);
    failures++;
}

/* They name memory, or what describes a texture, and no more. */
static bool only_names(enum ptx_op op)
{
    static const enum ptx_op all[] = {PTX_OP_prefetch,      PTX_OP_prefetchu,
                                      PTX_OP_applypriority, PTX_OP_createpolicy,
                                      PTX_OP_txq,           PTX_OP_suq,
                                      PTX_OP_fence};

    for (size_t i = 0; i < ARRAY_COUNT(all); i++)
        if (all[i] == op)
            return true;
    return false;
}

static bool touches_memory(enum ptx_op op)
{
    enum ptx_memory m = ptx_facts[op].memory;
    return m != PTX_MEMORY_NONE && m != PTX_MEMORY_STACK;
}

/* `a`: an address in brackets, see the head of forms.def. */
static void check_addresses(void)
{
    for (size_t i = 0; i < ptx_form_count; i++) {
        enum ptx_op op = ptx_forms[i].op;
        if (strchr(ptx_forms[i].operands, 'a') && !only_names(op))
            check(touches_memory(op), op, "has an address, touches no memory");
    }
}

static const struct {
    enum ptx_op op;
    enum { LANES, WHOLE } how;
} emitters[] = {
#define EMIT(op, how, fn) {PTX_OP_##op, how},
#include "emit/emitters.def"
};

/* The emitter sees one lane: neither memory nor others are its business. */
static void check_emitters(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(emitters); i++) {
        struct ptx_inst in = {.op = emitters[i].op};
        if (emitters[i].how == LANES)
            check(ptx_only_computes(&in), in.op, "does more than compute");
    }
}

static void check_refused(void)
{
    bool has_form[PTX_OP_COUNT] = {false};

    for (size_t i = 0; i < ptx_form_count; i++)
        has_form[ptx_forms[i].op] = true;
    for (enum ptx_op op = 0; op < PTX_OP_COUNT; op++) {
        struct ptx_inst in = {.op = op};
        if (has_form[op])
            continue;
        check(ptx_reads_memory(&in) && ptx_writes_memory(&in) &&
                  ptx_orders_memory(&in) && !ptx_only_computes(&in) &&
                  ptx_facts[op].ftz == PTX_FTZ_SPOILS &&
                  ptx_facts[op].nan == PTX_NAN_LOOKS &&
                  ptx_facts[op].result == PTX_RESULT_OWN &&
                  ptx_facts[op].twice == PTX_TWICE_COUNTS &&
                  ptx_facts[op].align == PTX_ALIGN_WHOLE &&
                  ptx_facts[op].waits == PTX_WAITS_MAYBE,
              op, "is unknown, and something is allowed");
    }
}

/* What adds to memory, or counts who comes, shows how often it was done. */
static void check_twice(void)
{
    for (enum ptx_op op = 0; op < PTX_OP_COUNT; op++) {
        const struct ptx_facts *f = &ptx_facts[op];
        bool updates =
            f->memory == PTX_MEMORY_UPDATES || f->memory == PTX_MEMORY_STACK;
        if (f->twice == PTX_TWICE_IDEMPOTENT)
            check(!updates && f->lanes != PTX_LANES_WARP &&
                      f->flow != PTX_FLOW_CALLS && f->flow != PTX_FLOW_TRAPS,
                  op, "shows when it is done twice");
    }
}

static void check_suffix(struct ptx_inst in, bool reads, bool writes)
{
    check(ptx_reads_memory(&in) == reads && ptx_writes_memory(&in) == writes,
          in.op, "reads or writes, whatever its suffixes say");
}

static void check_suffixes(void)
{
    check_suffix((struct ptx_inst){.op = PTX_OP_wmma, .sub = PTX_SUB_load},
                 true, false);
    check_suffix((struct ptx_inst){.op = PTX_OP_wmma, .sub = PTX_SUB_store},
                 false, true);
    check_suffix((struct ptx_inst){.op = PTX_OP_wmma, .sub = PTX_SUB_mma},
                 false, false);
    check_suffix(
        (struct ptx_inst){.op = PTX_OP_mbarrier, .sub = PTX_SUB_arrive}, true,
        true);
    check_suffix(
        (struct ptx_inst){.op = PTX_OP_mbarrier, .sub = PTX_SUB_try_wait}, true,
        false);
    check_suffix((struct ptx_inst){.op = PTX_OP_cp, .sub = PTX_SUB_wait_all},
                 false, false);
    check_suffix((struct ptx_inst){.op = PTX_OP_cp}, true, true);
}

static bool has_suffix(const char *suffixes, const char *name)
{
    size_t length = strlen(name);
    for (const char *c = suffixes; (c = strstr(c, name)); c += length)
        if ((c == suffixes || c[-1] == ' ') && (!c[length] || c[length] == ' '))
            return true;
    return false;
}

/* Lanes of a warp that meet, wherever they stand, are named by an operand: L in
 * forms.def. Where all stand at one place it says .aligned. */
static void check_members(void)
{
    for (size_t i = 0; i < ptx_form_count; i++) {
        const struct form_row *f = &ptx_forms[i];
        if (has_suffix(f->suffixes, "sync") &&
            (ptx_facts[f->op].lanes == PTX_LANES_WARP ||
             has_suffix(f->suffixes, "warp")) &&
            !has_suffix(f->suffixes, "aligned"))
            check(strchr(f->operands, 'L'), f->op, "names no members");
    }
}

int main(void)
{
    check_members();
    check_addresses();
    check_emitters();
    check_refused();
    check_twice();
    check_suffixes();
    return failures != 0;
}
