/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses, loads, stores and atomics of the interpreter. A shared address
 * is an offset into the block's window, a local one an offset into the
 * range that all frames are in (local.c); everything else is real.
 */
#include "emu/check.h"

#include <math.h>

/* A managed variable is found by a pointer. */
static emu_bits global_address(const struct emu_block *b,
                               const struct ptx_var *v)
{
    const uint8_t *p = (const uint8_t *)b->launch->globals + v->offset_bytes;
    emu_bits address = (emu_bits)p;

    if (v->is_managed)
        memcpy(&address, p, sizeof address);
    return address;
}

emu_bits emu_symbol(struct emu_block *b, struct emu_thread *t,
                    const struct ptx_operand *o)
{
    emu_bits offset = (emu_bits)o->imm;

    if (o->func)
        return WEFT_FUNC_HANDLE(o->func->index);
    if (!o->var)
        return offset;
    switch (o->var->space) {
    case PTX_SPACE_shared:
        return (emu_bits)b->w->shared - emu_shared_base(b) +
               emu_place_of(&b->k->shared, o->var) + offset;
    case PTX_SPACE_local:
        return (emu_bits)(t->frame->memory +
                          emu_place_of(&b->k->frames, o->var)) -
               (emu_bits)emu_local_base() + offset;
    case PTX_SPACE_param:
        if (ptx_is_kernel_param(t->frame->func, o->var))
            return (emu_bits)b->launch->params + o->var->offset_bytes + offset;
        return (emu_bits)(t->frame->memory +
                          emu_place_of(&b->k->frames, o->var)) +
               offset;
    default:
        return global_address(b, o->var) + offset;
    }
}

emu_bits emu_address_value(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_operand *o)
{
    emu_bits a = emu_symbol(b, t, o);
    bool is_own = o->var && o->var->space == PTX_SPACE_param &&
                  !ptx_is_kernel_param(t->frame->func, o->var);

    return is_own ? a - (emu_bits)emu_local_base() : a;
}

static enum ptx_space space_of(enum ptx_space named,
                               const struct ptx_operand *o)
{
    if (named != PTX_SPACE_generic)
        return named;
    /* A generic access to a variable is in the variable's space. */
    return o->var && o->reg == PTX_NO_REG ? o->var->space : PTX_SPACE_generic;
}

static bool in_window(enum ptx_space space)
{
    return ptx_is_shared_space(space) || space == PTX_SPACE_local;
}

/* Register plus offset, in 32 bits with a sign: the register alone may be
 * negative, an address before the window. */
static emu_bits short_sum(emu_bits a, int64_t imm)
{
    return (emu_bits)(int64_t)(int32_t)(uint32_t)(a + (emu_bits)imm);
}

static uint8_t *address_in(struct emu_block *b, struct emu_thread *t,
                           enum ptx_space space, const struct ptx_operand *o)
{
    emu_bits a;

    if (o->reg != PTX_NO_REG) {
        a = t->frame->regs[o->reg];
        if (ptx_type_size(t->frame->func->regs[o->reg].type) == 4)
            a = in_window(space) ? short_sum(a, o->imm)
                                 : (uint32_t)a + (emu_bits)o->imm;
        else
            a += (emu_bits)o->imm;
    } else {
        a = emu_symbol(b, t, o);
    }
    switch (space) {
    case PTX_SPACE_shared:
    case PTX_SPACE_shared_cluster:
        return (uint8_t *)(emu_shared_base(b) + a);
    case PTX_SPACE_local:
        return emu_local_base() + a;
    case PTX_SPACE_param:
        if (o->reg != PTX_NO_REG && !t->frame->func->is_entry)
            return emu_local_base() + a;
        return (uint8_t *)a;
    default:
        return (uint8_t *)a;
    }
}

uint8_t *emu_address(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in, const struct ptx_operand *o)
{
    return address_in(b, t, space_of(in->space, o), o);
}

bool emu_test_alignment(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in)
{
    struct ptx_access accesses[PTX_MAX_ACCESSES];
    unsigned count = ptx_accesses(in, accesses);

    for (unsigned i = 0; i < count; i++) {
        const struct ptx_access *a = &accesses[i];
        const struct ptx_operand *o = a->address;
        bool is_named = a->space == PTX_SPACE_param && o->reg == PTX_NO_REG;
        const struct ptx_operand *bytes = ptx_moved_bytes(in, o);
        if (is_named || !(a->lanes >> t->lane & 1) ||
            (bytes && !(uint32_t)emu_read(b, t, bytes, PTX_TYPE_u32)))
            continue;
        uint64_t address = (uintptr_t)address_in(b, t, a->space, o);
        if (!(address & (a->align_bytes - 1)))
            continue;
        if (emu_checks_wanted & EMU_CHECK_MEMORY)
            return emu_report_misaligned(b, t, in, address, a->align_bytes);
        b->launch->helpers->misaligned(b->w, NULL, address, 0, UINT32_C(1),
                                       t->lane,
                                       EXEC_ACCESS(in->line, a->align_bytes));
    }
    return true;
}

uint8_t *emu_reach(struct emu_block *b, struct emu_thread *t,
                   const struct ptx_inst *in, size_t *bytes)
{
    struct ptx_reach r = ptx_reach_of(in);

    if (!r.address)
        return NULL;
    *bytes = r.bytes;
    return address_in(b, t, space_of(in->space, r.address), r.address);
}

bool emu_is_in_frames(const struct emu_thread *t, emu_bits p, size_t bytes)
{
    for (const struct emu_frame *f = t->frame; f; f = f->up) {
        emu_bits at = p - (emu_bits)f->memory;
        if ((at <= f->code->frame_bytes &&
             bytes <= f->code->frame_bytes - at) ||
            (emu_stack_has(f, p) && emu_stack_has(f, p + bytes - 1)))
            return true;
    }
    return false;
}

/* ---- addresses as values ------------------------------------------------- */

emu_bits emu_cvta(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in, emu_bits v)
{
    emu_bits base = 0;

    (void)t;
    if (ptx_is_shared_space(in->space))
        base = emu_shared_base(b);
    else if (in->space == PTX_SPACE_local)
        base = (emu_bits)emu_local_base();
    return in->flags & PTX_FLAG_to ? v - base : v + base;
}

/* The address as an offset into the cluster's window, in which the block's rank
 * stands above the place in its shared memory. */
static emu_bits in_cluster(const struct emu_block *b, const struct ptx_inst *in,
                           emu_bits v)
{
    return in->space == PTX_SPACE_generic ? v - emu_shared_base(b) : v;
}

emu_bits emu_mapa(const struct emu_block *b, const struct ptx_inst *in,
                  emu_bits v, uint32_t rank)
{
    emu_bits at = in_cluster(b, in, v), base = v - at;

    at &= (UINT64_C(1) << WEFT_CLUSTER_SHIFT) - 1;
    return base + (at | (emu_bits)rank << WEFT_CLUSTER_SHIFT);
}

uint8_t *emu_in_block(const struct emu_block *b, const uint8_t *p,
                      uint32_t rank)
{
    static const struct ptx_inst generic = {.space = PTX_SPACE_generic};

    return (uint8_t *)emu_mapa(b, &generic, (emu_bits)p, rank);
}

emu_bits emu_getctarank(const struct emu_block *b, const struct ptx_inst *in,
                        emu_bits v)
{
    return in_cluster(b, in, v) >> WEFT_CLUSTER_SHIFT;
}

bool emu_isspacep(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in, emu_bits v)
{
    uint32_t shared_bytes =
        b->launch->static_shared_bytes + b->launch->dynamic_shared_bytes;
    bool is_shared = v - (emu_bits)b->w->shared < shared_bytes;
    bool is_cluster = is_shared || (b->launch->cluster_blocks > 1 &&
                                    (v - emu_shared_base(b)) >>
                                        WEFT_CLUSTER_SHIFT < WEFT_CLUSTER_MAX);
    const struct ptx_module *m = b->k->func->module;
    emu_bits constants = (emu_bits)b->launch->globals + m->const_offset_bytes;
    bool is_const = v - constants < m->globals_bytes - m->const_offset_bytes;
    bool is_local = false;

    for (const struct emu_frame *f = t->frame; f; f = f->up) {
        emu_bits bytes = f->code->frame_bytes;
        is_local |= v - (emu_bits)f->memory < bytes || emu_stack_has(f, v);
    }
    switch (in->space) {
    case PTX_SPACE_shared:
        return is_shared;
    case PTX_SPACE_shared_cluster:
        return is_cluster;
    case PTX_SPACE_local:
        return is_local;
    case PTX_SPACE_global:
        return !is_cluster && !is_local && !is_const;
    case PTX_SPACE_const:
        return is_const;
    default: /* .param, param::entry: a kernel's, in global memory too */
        return v - (emu_bits)b->launch->params < b->k->func->param_bytes;
    }
}

/* A kernel may access address 0: that is the program's bug, and must fault as
 * any other bad address does. */
#define ANY_ADDRESS __attribute__((no_sanitize("nonnull-attribute")))

ANY_ADDRESS emu_bits emu_load(enum ptx_type t, const uint8_t *p)
{
    emu_bits v = 0;

    memcpy(&v, p, ptx_type_size(t));
    return ptx_type_is_signed(t) ? (emu_bits)emu_signed(t, v) : v;
}

ANY_ADDRESS void emu_store(enum ptx_type t, uint8_t *p, emu_bits v)
{
    memcpy(p, &v, ptx_type_size(t));
}

/* a + b in a floating type, packed ones included. */
static emu_bits add_float(enum ptx_type t, emu_bits a, emu_bits b)
{
    struct ptx_inst add = {.op = PTX_OP_add, .type = {t}, .type_count = 1};
    emu_bits source[3] = {a, b, 0};

    if (t == PTX_TYPE_f64) /* a NaN is left as it is, even a signalling one */
        for (unsigned i = 2; i-- > 0;)
            if (emu_to_double(t, source[i]) != emu_to_double(t, source[i]))
                return source[i];
    return emu_float(&add, source);
}

static emu_bits min_max(const struct ptx_inst *in, enum ptx_type t, emu_bits a,
                        emu_bits b)
{
    struct ptx_inst op = {.op =
                              in->sub == PTX_SUB_min ? PTX_OP_min : PTX_OP_max,
                          .type = {t},
                          .type_count = 1};
    emu_bits source[3] = {a, b, 0}, r, unused;
    bool carry = false;

    emu_alu(&op, source, &carry, &r, &unused);
    return r;
}

static emu_bits flush_single(emu_bits v)
{
    return v & 0x7f800000 ? v : v & 0x80000000;
}

emu_bits emu_atomic_value(const struct ptx_inst *in, emu_bits old, emu_bits b,
                          emu_bits c)
{
    enum ptx_type t = in->type[0];

    switch (in->sub) {
    case PTX_SUB_add: /* f32 in global memory: subnormals are zeros, but not to
                       * a copy that adds */
        if (t == PTX_TYPE_f32 && in->space != PTX_SPACE_shared &&
            !(in->flags & PTX_FLAG_reduce))
            return flush_single(
                add_float(t, flush_single(old), flush_single(b)));
        return ptx_type_is_float(t) ? add_float(t, old, b) : old + b;
    case PTX_SUB_and:
        return old & b;
    case PTX_SUB_or:
        return old | b;
    case PTX_SUB_xor:
        return old ^ b;
    case PTX_SUB_exch:
        return b;
    case PTX_SUB_cas:
        return emu_truncate(t, old) == emu_truncate(t, b) ? c : old;
    case PTX_SUB_inc:
        return (uint32_t)old >= (uint32_t)b ? 0 : old + 1;
    case PTX_SUB_dec:
        return (uint32_t)old == 0 || (uint32_t)old > (uint32_t)b ? b : old - 1;
    default:
        return min_max(in, t, old, b);
    }
}

/* Compares and swaps 2, 4 or 8 bytes. *old: what is expected, then what was
 * found. */
static bool compare_and_swap(uint8_t *p, unsigned size_bytes, emu_bits *old,
                             emu_bits to)
{
    switch (size_bytes) {
    case 8: {
        uint64_t expected = *old;
        bool ok =
            __atomic_compare_exchange_n((uint64_t *)p, &expected, to, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        *old = expected;
        return ok;
    }
    case 4: {
        uint32_t expected = (uint32_t)*old;
        bool ok = __atomic_compare_exchange_n(
            (uint32_t *)p, &expected, (uint32_t)to, false, __ATOMIC_SEQ_CST,
            __ATOMIC_SEQ_CST);
        *old = expected;
        return ok;
    }
    default: {
        uint16_t expected = (uint16_t)*old;
        bool ok = __atomic_compare_exchange_n(
            (uint16_t *)p, &expected, (uint16_t)to, false, __ATOMIC_SEQ_CST,
            __ATOMIC_SEQ_CST);
        *old = expected;
        return ok;
    }
    }
}

emu_bits emu_atomic(const struct ptx_inst *in, uint8_t *p, emu_bits b,
                    emu_bits c)
{
    enum ptx_type t = in->type[0];
    emu_bits old = 0;

    memcpy(&old, p, ptx_type_size(t));
    while (!compare_and_swap(p, ptx_type_size(t), &old,
                             emu_atomic_value(in, old, b, c)))
        ;
    return old;
}
