/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel touches in memory, block by block, found in its PTX with the
 * arguments of one launch: see exec/reach.h. Each register's value, in all
 * threads and at all times, is one of these:
 *
 *     LINEAR   a number between two bounds, plus so much for each block
 *     WITHIN   the same pointer as an argument's, plus any number
 *     NUMBER   any number that no pointer is part of
 *     MIXED    anything
 *
 * All definitions of a register count, wherever they stand. An argument that
 * leads to memory is a pointer, and what is added to a pointer leads to the
 * memory that it points to: C++ defines nothing else. Pointers that a kernel
 * finds in memory are not followed: what they lead to, nobody knows.
 *
 * Needs:  a grid of one row of blocks.
 * Leaves: never less than the truth.
 */
#include "core/graph/reach.h"

#include <stdlib.h>

#include "core/mem.h"
#include "core/module.h"
#include "ptx/effects.h"

enum value_kind { UNSEEN, LINEAR, WITHIN, NUMBER, MIXED };

struct value {
    enum value_kind kind;
    CUdeviceptr pointer; /* the argument that it is made from; 0: none */
    int64_t low, high;   /* both inclusive, of block 0 */
    int64_t step;        /* from block to block */
};

struct search {
    const struct exec_launch *launch;
    const struct ptx_func *f;
    struct value *regs;
    bool has_changed, is_hasty;
    struct exec_reach *out;
};

enum { PASSES_MAX = 8 };
/* Sums and products of such numbers, and so many steps, cannot overflow. */
#define LINEAR_MAX (INT64_C(1) << 56)
#define STEP_MAX   (INT64_C(1) << 31)
#define FACTOR_MAX (INT64_C(1) << 20)

static const struct value number = {.kind = NUMBER}, mixed = {.kind = MIXED};

/* ---- values ------------------------------------------------------------- */

static struct value within_allocation(CUdeviceptr pointer)
{
    return (struct value){.kind = WITHIN, .pointer = pointer};
}

static bool is_pointer(const struct value *v)
{
    return v->kind == MIXED || v->pointer != 0;
}

static bool is_below(int64_t n, int64_t limit)
{
    return n > -limit && n < limit;
}

static struct value linear_value(CUdeviceptr pointer, int64_t low, int64_t high,
                                 int64_t step)
{
    assert(low <= high);
    if (!is_below(low, LINEAR_MAX) || !is_below(high, LINEAR_MAX) ||
        !is_below(step, STEP_MAX))
        return pointer ? within_allocation(pointer) : number;
    return (struct value){LINEAR, pointer, low, high, step};
}

static struct value constant_value(int64_t n)
{
    return linear_value(0, n, n, 0);
}

static struct value join_values(struct value a, struct value b)
{
    if (a.kind == UNSEEN || b.kind == UNSEEN)
        return a.kind == UNSEEN ? b : a;
    if (a.kind == MIXED || b.kind == MIXED || a.pointer != b.pointer)
        return mixed;
    if (a.kind == LINEAR && b.kind == LINEAR && a.low == b.low &&
        a.high == b.high && a.step == b.step)
        return a;
    return a.pointer ? within_allocation(a.pointer) : number;
}

static struct value sum_value(struct value a, struct value b)
{
    CUdeviceptr pointer = a.pointer ? a.pointer : b.pointer;
    if (a.kind == UNSEEN || b.kind == UNSEEN)
        return (struct value){0};
    if (a.kind == MIXED || b.kind == MIXED || (a.pointer && b.pointer))
        return mixed;
    if (a.kind == LINEAR && b.kind == LINEAR)
        return linear_value(pointer, a.low + b.low, a.high + b.high,
                            a.step + b.step);
    return pointer ? within_allocation(pointer) : number;
}

/* Of a number: a difference of pointers leads anywhere. */
static struct value negated_value(struct value v)
{
    if (is_pointer(&v))
        return mixed;
    return v.kind == LINEAR ? linear_value(0, -v.high, -v.low, -v.step) : v;
}

static struct value scaled_value(struct value v, int64_t factor)
{
    if (is_pointer(&v))
        return mixed;
    if (v.kind != LINEAR)
        return v;
    if (!is_below(factor, FACTOR_MAX) ||
        !is_below(v.high, LINEAR_MAX / FACTOR_MAX) ||
        !is_below(v.low, LINEAR_MAX / FACTOR_MAX))
        return number;
    return factor < 0 ? negated_value(scaled_value(v, -factor))
                      : linear_value(0, v.low * factor, v.high * factor,
                                     v.step * factor);
}

/* In all blocks. */
static int64_t lowest_value(const struct search *s, const struct value *v)
{
    int64_t last = (int64_t)s->launch->block_count - 1;
    return v->low + (v->step < 0 ? v->step * last : 0);
}

static int64_t highest_value(const struct search *s, const struct value *v)
{
    int64_t last = (int64_t)s->launch->block_count - 1;
    return v->high + (v->step > 0 ? v->step * last : 0);
}

static bool is_constant(const struct value *v)
{
    return v->kind == LINEAR && !v->pointer && v->low == v->high && !v->step;
}

/* A register of 32 bits as a number: where the sum has not wrapped. */
static struct value as_number(const struct search *s, struct value v,
                              enum ptx_type type)
{
    unsigned bytes = ptx_type_size(type);
    bool is_signed = type == PTX_TYPE_s32;
    assert(v.kind != LINEAR || v.low <= v.high);
    if (bytes == 8 || v.kind != LINEAR)
        return v;
    if (v.pointer)
        return mixed;
    if (bytes != 4)
        return number;
    int64_t least = is_signed ? INT32_MIN : 0;
    int64_t most = is_signed ? INT32_MAX : (int64_t)UINT32_MAX;
    /* -1 may stand for the largest. */
    return lowest_value(s, &v) < least || highest_value(s, &v) > most ? number
                                                                      : v;
}

/* ---- operands ----------------------------------------------------------- */

static struct value of_sreg(const struct search *s, enum ptx_sreg r)
{
    const struct exec_launch *l = s->launch;
    if (r >= PTX_SREG_tid_x && r <= PTX_SREG_tid_z)
        return linear_value(0, 0, (int64_t)l->block[r - PTX_SREG_tid_x] - 1, 0);
    if (r >= PTX_SREG_ntid_x && r <= PTX_SREG_ntid_z)
        return constant_value(l->block[r - PTX_SREG_ntid_x]);
    if (r == PTX_SREG_ctaid_x)
        return linear_value(0, 0, 0, 1);
    if (r == PTX_SREG_ctaid_y || r == PTX_SREG_ctaid_z)
        return constant_value(0);
    if (r >= PTX_SREG_nctaid_x && r <= PTX_SREG_nctaid_z)
        return constant_value(l->grid[r - PTX_SREG_nctaid_x]);
    return number;
}

static struct value of_operand(const struct search *s,
                               const struct ptx_operand *o)
{
    switch (o->kind) {
    case PTX_OPERAND_reg:
        return s->regs[o->reg];
    case PTX_OPERAND_imm:
        return o->is_float_imm ? number : constant_value(o->imm);
    case PTX_OPERAND_sreg:
        return of_sreg(s, o->sreg);
    default:
        return mixed;
    }
}

struct mixing {
    const struct search *s;
    bool is_mixed;
};

static void note_use(void *data, uint32_t reg)
{
    struct mixing *m = data;
    m->is_mixed |= is_pointer(&m->s->regs[reg]);
}

static bool names_memory(const struct ptx_operand *o, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (o[i].var || o[i].func ||
            (o[i].items && names_memory(o[i].items, o[i].item_count)))
            return true;
    return false;
}

/* Whatever it does with its operands. */
static struct value of_any(const struct search *s, const struct ptx_inst *in)
{
    struct mixing m = {.s = s};
    ptx_for_each_use(in, note_use, &m);
    return m.is_mixed || names_memory(in->operand, in->operand_count) ? mixed
                                                                      : number;
}

/* ---- instructions ------------------------------------------------------- */

static struct value product_value(const struct search *s,
                                  const struct ptx_inst *in)
{
    assert(in->type_count > 0 && in->operand_count > 2);
    enum ptx_type type = in->type[0];
    struct value a = of_operand(s, &in->operand[1]);
    struct value b = of_operand(s, &in->operand[2]);
    if (in->half == PTX_HALF_wide) {
        a = as_number(s, a, type);
        b = as_number(s, b, type);
    }
    if (is_constant(&b) && in->half != PTX_HALF_hi)
        return scaled_value(a, b.low);
    if (is_constant(&a) && in->half != PTX_HALF_hi)
        return scaled_value(b, a.low);
    return is_pointer(&a) || is_pointer(&b) ? mixed : number;
}

static struct value shift_value(const struct search *s,
                                const struct ptx_inst *in)
{
    struct value by = of_operand(s, &in->operand[2]);
    struct value v = of_operand(s, &in->operand[1]);
    if (is_constant(&by) && by.low >= 0 && by.low < 20)
        return scaled_value(v, INT64_C(1) << by.low);
    return of_any(s, in);
}

/* Sums, where no bit is in both. */
static struct value or_value(const struct search *s, const struct ptx_inst *in)
{
    struct value a = of_operand(s, &in->operand[1]);
    struct value b = of_operand(s, &in->operand[2]);
    if (a.kind != LINEAR || b.kind != LINEAR || a.pointer || b.pointer)
        return of_any(s, in);
    if (a.step == 0 && a.low >= 0 && a.low != a.high) {
        struct value other = a;
        a = b;
        b = other;
    }
    int64_t unit = a.low | a.step;
    unit &= -unit;
    return a.low == a.high && a.low >= 0 && a.step >= 0 && b.step == 0 &&
                   b.low >= 0 && (unit == 0 || b.high < unit)
               ? sum_value(a, b)
               : number;
}

static struct value and_value(const struct search *s, const struct ptx_inst *in)
{
    struct value by = of_operand(s, &in->operand[2]);
    if (of_any(s, in).kind == MIXED)
        return mixed;
    return is_constant(&by) && by.low >= 0 ? linear_value(0, 0, by.low, 0)
                                           : number;
}

static struct value conversion_value(const struct search *s,
                                     const struct ptx_inst *in)
{
    struct value v = of_operand(s, &in->operand[1]);
    if (in->type_count < 2 || in->flags & (PTX_FLAG_sat | PTX_FLAG_pack) ||
        ptx_type_is_float(in->type[0]) || ptx_type_is_float(in->type[1]))
        return of_any(s, in);
    unsigned to = ptx_type_size(in->type[0]), from = ptx_type_size(in->type[1]);
    if (to == 8 && from == 8)
        return v;
    if (to == 8)
        return as_number(s, v, in->type[1]);
    return to == 4 && from >= 4 && !is_pointer(&v) ? v : of_any(s, in);
}

static bool has_plain_types(const struct ptx_inst *in)
{
    for (unsigned i = 0; i < in->type_count; i++)
        if (ptx_type_is_float(in->type[i]) || ptx_type_size(in->type[i]) < 4)
            return false;
    return in->type_count > 0 && !(in->flags & (PTX_FLAG_sat | PTX_FLAG_cc));
}

static struct value result_value(const struct search *s,
                                 const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;
    if (in->op == PTX_OP_cvt)
        return conversion_value(s, in);
    if (!has_plain_types(in))
        return of_any(s, in);
    switch (in->op) {
    case PTX_OP_mov:
    case PTX_OP_cvta:
        return of_operand(s, &o[1]);
    case PTX_OP_add:
        return sum_value(of_operand(s, &o[1]), of_operand(s, &o[2]));
    case PTX_OP_sub:
        return sum_value(of_operand(s, &o[1]),
                         negated_value(of_operand(s, &o[2])));
    case PTX_OP_mul:
        return product_value(s, in);
    case PTX_OP_mad:
        return sum_value(product_value(s, in), of_operand(s, &o[3]));
    case PTX_OP_shl:
        return shift_value(s, in);
    case PTX_OP_or:
        return or_value(s, in);
    case PTX_OP_and:
        return and_value(s, in);
    case PTX_OP_selp:
        return join_values(of_operand(s, &o[1]), of_operand(s, &o[2]));
    default:
        return of_any(s, in);
    }
}

/* ---- parameters --------------------------------------------------------- */

static bool is_plain(enum mem_kind kind)
{
    return kind == MEM_DEVICE || kind == MEM_MANAGED || kind == MEM_PINNED ||
           kind == MEM_REGISTERED || kind == MEM_MODULE || kind == MEM_POOL;
}

static struct value of_bytes(const struct search *s, int64_t at,
                             enum ptx_type type)
{
    unsigned bytes = ptx_type_size(type);
    const uint8_t *params = s->launch->params;
    uint64_t whole = 0;
    uint32_t half;
    if (at < 0 || (uint64_t)at + bytes > s->f->param_bytes)
        return mixed;
    if (bytes == 4) {
        memcpy(&half, params + at, sizeof half);
        return constant_value(type == PTX_TYPE_u32 ? (int64_t)half
                                                   : (int32_t)half);
    }
    if (bytes > 8) /* two pointers, maybe */
        return mixed;
    if (bytes < 4)
        return number;
    memcpy(&whole, params + at, sizeof whole);
    if (mem_query((const void *)(uintptr_t)whole).kind == MEM_UNKNOWN)
        return constant_value((int64_t)whole);
    return linear_value(whole, (int64_t)whole, (int64_t)whole, 0);
}

static bool is_parameter_load(const struct search *s, const struct ptx_inst *in)
{
    const struct ptx_operand *o = &in->operand[1];
    return in->op == PTX_OP_ld && o->reg == PTX_NO_REG && o->var &&
           o->var->space == PTX_SPACE_param &&
           ptx_is_kernel_param(s->f, o->var);
}

/* ---- definitions -------------------------------------------------------- */

static void define_reg(struct search *s, uint32_t reg, struct value v)
{
    assert(reg < s->f->reg_count);
    struct value *r = &s->regs[reg];
    struct value now = join_values(*r, v);
    if (now.kind == r->kind && now.pointer == r->pointer)
        return;
    *r = s->is_hasty ? mixed : now;
    s->has_changed = true;
}

/* A thread may have put a pointer aside, where it alone finds it. */
static struct value load_value(const struct ptx_inst *in)
{
    return in->space == PTX_SPACE_global ||
                   (in->type_count &&
                    ptx_type_size(in->type[in->type_count - 1]) < 8)
               ? number
               : mixed;
}

struct definition {
    struct search *s;
    struct value v;
};

static void define_all(void *data, uint32_t reg)
{
    struct definition *d = data;
    define_reg(d->s, reg, d->v);
}

static void define_results(struct search *s, const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;
    if (ptx_dest_count(in) == 0)
        return;
    if (is_parameter_load(s, in)) {
        enum ptx_type type = in->type[in->type_count - 1];
        unsigned count = ptx_operand_item_count(o);
        int64_t at = (int64_t)o[1].var->offset_bytes + o[1].imm;
        for (unsigned i = 0; i < count; i++) {
            const struct ptx_operand *d = count > 1 ? &o->items[i] : o;
            if (d->kind == PTX_OPERAND_reg)
                define_reg(s, d->reg,
                           of_bytes(s, at + i * ptx_type_size(type), type));
        }
        return;
    }
    struct definition d = {s, number};
    if (ptx_dest_count(in) == 1 && o->kind == PTX_OPERAND_reg &&
        ptx_only_computes(in))
        d.v = result_value(s, in);
    else if (ptx_reads_memory(in))
        d.v = load_value(in);
    else
        d.v = of_any(s, in);
    if (in->op == PTX_OP_setp)
        d.v = number;
    ptx_for_each_def(in, define_all, &d);
}

static void find_values(struct search *s)
{
    for (unsigned pass = 0;; pass++) {
        s->has_changed = false;
        s->is_hasty = pass >= PASSES_MAX;
        for (size_t i = 0; i < s->f->inst_count; i++)
            define_results(s, &s->f->insts[i]);
        if (!s->has_changed)
            return;
    }
}

/* ---- accesses ----------------------------------------------------------- */

/* The memory that the pointer may be meant for: at an end of one it may be the
 * next one's, too. */
static bool bounds_of(CUdeviceptr pointer, int64_t *low, int64_t *high)
{
    enum { NEAR_BYTES = 256 };
    const uint8_t *p = (const uint8_t *)(uintptr_t)pointer;
    struct mem_info here = mem_query(p), before = mem_query(p - 1),
                    behind = mem_query(p + NEAR_BYTES);
    if (!is_plain(here.kind))
        return false;
    *low = (int64_t)here.base;
    *high = (int64_t)(here.base + here.size_bytes);
    if (before.kind != MEM_UNKNOWN && (int64_t)before.base < *low)
        *low = (int64_t)before.base;
    if (behind.kind != MEM_UNKNOWN &&
        (int64_t)(behind.base + behind.size_bytes) > *high)
        *high = (int64_t)(behind.base + behind.size_bytes);
    return (before.kind == MEM_UNKNOWN || is_plain(before.kind)) &&
           (behind.kind == MEM_UNKNOWN || is_plain(behind.kind));
}

static bool add_touch(struct search *s, struct exec_touch t)
{
    struct exec_reach *out = s->out;
    for (uint32_t i = 0; i < out->count; i++) {
        struct exec_touch *o = &out->touch[i];
        if (o->first == t.first && o->end == t.end &&
            o->step_bytes == t.step_bytes) {
            o->writes |= t.writes;
            return true;
        }
    }
    if (out->count == EXEC_TOUCHES_MAX)
        return false;
    out->touch[out->count++] = t;
    return true;
}

static int64_t access_bytes(const struct ptx_inst *in)
{
    unsigned count =
        ptx_is_atomic(in)
            ? ptx_vector_width(in)
            : ptx_operand_item_count(&in->operand[in->op == PTX_OP_st]);
    return (int64_t)ptx_type_size(in->type[in->type_count - 1]) * count;
}

/* Threads beyond an array's ends touch nothing. */
static bool add_access(struct search *s, const struct ptx_inst *in,
                       const struct ptx_operand *o)
{
    struct value at = sum_value(s->regs[o->reg], constant_value(o->imm));
    struct exec_touch t = {.writes = ptx_writes_memory(in)};
    if (!at.pointer || !bounds_of(at.pointer, &t.low, &t.high))
        return false;
    t.first = t.low;
    t.end = t.high;
    if (at.kind == LINEAR) {
        t.first = at.low;
        t.end = at.high + access_bytes(in);
        t.step_bytes = at.step;
        int64_t low = lowest_value(s, &at);
        int64_t high = highest_value(s, &at) + access_bytes(in);
        t.low = t.low < low ? low : t.low;
        t.high = t.high > high ? high : t.high;
    }
    return t.low < t.high && add_touch(s, t);
}

static bool is_block_only(enum ptx_space space)
{
    return space == PTX_SPACE_shared || space == PTX_SPACE_local ||
           space == PTX_SPACE_param;
}

static bool add_inst(struct search *s, const struct ptx_inst *in)
{
    const struct ptx_operand *o = ptx_address_of(in);
    bool is_access = ptx_reads_memory(in) || ptx_writes_memory(in);
    if (ptx_facts[in->op].flow == PTX_FLOW_CALLS ||
        ptx_facts[in->op].memory == PTX_MEMORY_STACK ||
        (!ptx_is_barrier(in) && ptx_orders_memory(in)))
        return false;
    if (!is_access || (o && is_block_only(ptx_space_of(o, in->space))))
        return true;
    if ((in->op != PTX_OP_ld && in->op != PTX_OP_ldu && in->op != PTX_OP_st &&
         !ptx_is_atomic(in)) ||
        (in->space != PTX_SPACE_global && in->space != PTX_SPACE_generic) ||
        in->flags & (PTX_FLAG_bulk | PTX_FLAG_async) || !in->type_count)
        return false;
    return o && o->reg != PTX_NO_REG && !o->var && add_access(s, in, o);
}

bool kernel_reach(const struct exec_kernel *k, struct exec_reach *out)
{
    CUfunction fn = (CUfunction)k->launch.function;
    struct search s = {.launch = &k->launch, .out = out};
    assert(out->count == 0 && k->launch.block_count > 0);
    if (!fn || fn->native || k->launch.grid[1] != 1 || k->launch.grid[2] != 1 ||
        k->launch.is_explicit_cluster || k->has_waits)
        return false;
    s.f = fn->ptx;
    s.regs = calloc(s.f->reg_count + 1, sizeof *s.regs);
    bool ok = s.regs != NULL;
    if (ok)
        find_values(&s);
    for (size_t i = 0; i < s.f->inst_count && ok; i++)
        ok = add_inst(&s, &s.f->insts[i]);
    free(s.regs);
    return ok;
}

bool reach_of_bytes(const void *p, size_t bytes, struct exec_span *out)
{
    *out = (struct exec_span){(int64_t)(intptr_t)p,
                              (int64_t)((uintptr_t)p + bytes)};
    return is_plain(mem_query(p).kind);
}
