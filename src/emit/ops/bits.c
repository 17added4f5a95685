/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logic, shifts, bit fields, counting and permuting bytes. Shift amounts of
 * the width or more are defined in PTX and undefined in LLVM, so they are
 * tested first.
 */
#include "emit/core/emitters.h"
#include "emit/core/values.h"

static LLVMValueRef read_32_bits(struct emit *e, const struct ptx_inst *inst,
                                 unsigned i)
{
    return emit_read(e, &inst->operand[i], PTX_TYPE_b32);
}

static void write_result32(struct emit *e, const struct ptx_inst *inst,
                           LLVMValueRef v)
{
    emit_write(e, &inst->operand[0], ir_resize(e, v, e->i32, false),
               PTX_TYPE_u32);
}

/* ---- logic ------------------------------------------------------------- */

void emit_logic(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = emit_read_source(e, inst, 1),
                 b = emit_read_source(e, inst, 2);

    emit_write_result(e, inst,
                      inst->op == PTX_OP_and  ? ir_and(e, a, b)
                      : inst->op == PTX_OP_or ? ir_or(e, a, b)
                                              : ir_xor(e, a, b));
}

void emit_not(struct emit *e, const struct ptx_inst *inst)
{
    emit_write_result(e, inst, ir_not(e, emit_read_source(e, inst, 1)));
}

void emit_cnot(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef v = emit_read_source(e, inst, 1);
    LLVMValueRef is_zero = ir_icmp(e, LLVMIntEQ, v, ir_int(v, 0));
    emit_write_result(e, inst, ir_zext(e, is_zero, ir_element(v)));
}

/* Or of the minterms whose bit is set in the table. LLVM finds the short form,
 * and vpternlog where there is one. */
static LLVMValueRef lookup_of_three(struct emit *e, LLVMValueRef a,
                                    LLVMValueRef b, LLVMValueRef c,
                                    unsigned table)
{
    LLVMValueRef in[3] = {a, b, c}, inverse[3];
    LLVMValueRef v = ir_int(a, 0);

    for (unsigned i = 0; i < 3; i++)
        inverse[i] = ir_not(e, in[i]);
    for (unsigned i = 0; i < 8; i++) {
        if (!(table >> i & 1))
            continue;
        LLVMValueRef term = i & 4 ? in[0] : inverse[0];
        term = ir_and(e, term, i & 2 ? in[1] : inverse[1]);
        term = ir_and(e, term, i & 1 ? in[2] : inverse[2]);
        v = ir_or(e, v, term);
    }
    return v;
}

void emit_lop3(struct emit *e, const struct ptx_inst *inst)
{
    bool has_pred = inst->sub != PTX_SUB_none;
    unsigned first = has_pred ? 2 : 1;
    const struct ptx_operand *o = inst->operand;
    LLVMValueRef v = lookup_of_three(
        e, read_32_bits(e, inst, first), read_32_bits(e, inst, first + 1),
        read_32_bits(e, inst, first + 2), (unsigned)o[first + 3].imm & 255);

    if (has_pred) {
        LLVMValueRef q = emit_read_pred(e, &o[first + 4]);
        LLVMValueRef p = ir_icmp(e, LLVMIntNE, v, ir_int(v, 0));
        p = inst->sub == PTX_SUB_and ? ir_and(e, p, q) : ir_or(e, p, q);
        emit_write(e, &o[1], p, PTX_TYPE_pred);
    }
    emit_write(e, &o[0], v, PTX_TYPE_b32);
}

/* ---- shifts ------------------------------------------------------------ */

enum shift { LEFT, RIGHT, RIGHT_SIGNED };

/* n has v's type; n >= width gives 0, or all sign bits. */
static LLVMValueRef shift_by(struct emit *e, enum shift how, LLVMValueRef v,
                             LLVMValueRef n)
{
    LLVMValueRef last = ir_int(n, ir_bits(v) - 1);

    if (how == RIGHT_SIGNED)
        return ir_ashr(e, v, ir_binary(e, "llvm.umin", n, last));
    LLVMValueRef in_range = ir_icmp(e, LLVMIntULE, n, last);
    LLVMValueRef safe = ir_and(e, n, last);
    LLVMValueRef x = how == LEFT ? ir_shl(e, v, safe) : ir_lshr(e, v, safe);
    return ir_select(e, in_range, x, ir_int(v, 0));
}

/* The amount has 32 bits whatever is shifted. */
static LLVMValueRef shift_amount(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef v)
{
    LLVMValueRef n = read_32_bits(e, inst, 2);

    if (ir_bits(v) < 32)
        n = ir_binary(e, "llvm.umin", n, ir_int(n, 255));
    return ir_resize(e, n, ir_element(v), false);
}

void emit_shift(struct emit *e, const struct ptx_inst *inst)
{
    enum shift how = inst->op == PTX_OP_shl              ? LEFT
                     : ptx_type_is_signed(inst->type[0]) ? RIGHT_SIGNED
                                                         : RIGHT;
    LLVMValueRef v = emit_read_source(e, inst, 1);
    emit_write_result(e, inst, shift_by(e, how, v, shift_amount(e, inst, v)));
}

/* shf.l: the high half of {b, a} << n; shf.r: the low half of it >> n. */
void emit_shf(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = read_32_bits(e, inst, 1), b = read_32_bits(e, inst, 2);
    LLVMValueRef n = read_32_bits(e, inst, 3);
    bool is_left = inst->sub == PTX_SUB_l;

    if (inst->flags & PTX_FLAG_wrap) {
        n = ir_and(e, n, ir_int(n, 31));
        write_result32(
            e, inst,
            ir_ternary(e, is_left ? "llvm.fshl" : "llvm.fshr", b, a, n));
        return;
    }
    LLVMValueRef all = ir_int(n, 32);
    LLVMValueRef is_all = ir_icmp(e, LLVMIntUGE, n, all);
    LLVMValueRef moved = ir_ternary(e, is_left ? "llvm.fshl" : "llvm.fshr", b,
                                    a, ir_and(e, n, ir_int(n, 31)));
    write_result32(e, inst, ir_select(e, is_all, is_left ? a : b, moved));
}

/* ---- fields ------------------------------------------------------------ */

/* Bits [0, n) set; n >= width: all. */
static LLVMValueRef low_bits(struct emit *e, LLVMValueRef n)
{
    return ir_not(e, shift_by(e, LEFT, ir_int(n, -1), n));
}

/* The manual says that 8 bits of a field's position and length count; for
 * 64-bit types hardware takes all bits. */
static LLVMValueRef byte_of(struct emit *e, const struct ptx_inst *inst,
                            unsigned i, LLVMValueRef like)
{
    LLVMValueRef v = read_32_bits(e, inst, i);
    if (ir_bits(like) == 64)
        return ir_zext(e, v, ir_element(like));
    return ir_resize(e, ir_and(e, v, ir_int(v, 255)), ir_element(like), false);
}

void emit_bfe(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = emit_read_source(e, inst, 1);
    LLVMValueRef start = byte_of(e, inst, 2, a);
    LLVMValueRef length = byte_of(e, inst, 3, a);
    bool is_signed = ptx_type_is_signed(inst->type[0]);
    LLVMValueRef v = shift_by(e, is_signed ? RIGHT_SIGNED : RIGHT, a, start);
    LLVMValueRef mask = low_bits(e, length);

    if (!is_signed) {
        emit_write_result(e, inst, ir_and(e, v, mask));
        return;
    }
    /* Extended by the field's top bit, or by a's if the field extends beyond
     * a; the arithmetic shift has put that there already. */
    LLVMValueRef top = ir_xor(e, mask, ir_lshr(e, mask, ir_int(mask, 1)));
    v = ir_and(e, v, mask);
    emit_write_result(e, inst, ir_sub(e, ir_xor(e, v, top), top));
}

void emit_bfi(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = emit_read_source(e, inst, 1),
                 b = emit_read_source(e, inst, 2);
    LLVMValueRef start = byte_of(e, inst, 3, a);
    LLVMValueRef mask =
        shift_by(e, LEFT, low_bits(e, byte_of(e, inst, 4, a)), start);
    LLVMValueRef field = ir_and(e, shift_by(e, LEFT, a, start), mask);

    emit_write_result(e, inst, ir_or(e, field, ir_and(e, b, ir_not(e, mask))));
}

/* .clamp: at most 32; .wrap: modulo 32. */
static LLVMValueRef field_number(struct emit *e, const struct ptx_inst *inst,
                                 unsigned i)
{
    LLVMValueRef v = read_32_bits(e, inst, i);
    return inst->flags & PTX_FLAG_wrap ? ir_and(e, v, ir_int(v, 31)) : v;
}

void emit_bmsk(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef start = field_number(e, inst, 1);
    LLVMValueRef bits = low_bits(e, field_number(e, inst, 2));
    write_result32(e, inst, shift_by(e, LEFT, bits, start));
}

void emit_szext(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = read_32_bits(e, inst, 1);
    LLVMValueRef mask = low_bits(e, field_number(e, inst, 2));
    LLVMValueRef v = ir_and(e, a, mask);

    if (ptx_type_is_signed(inst->type[0])) {
        LLVMValueRef top = ir_xor(e, mask, ir_lshr(e, mask, ir_int(mask, 1)));
        v = ir_sub(e, ir_xor(e, v, top), top);
    }
    write_result32(e, inst, v);
}

/* ---- counting ---------------------------------------------------------- */

static LLVMValueRef count_zeros(struct emit *e, const char *name,
                                LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef args[] = {v, LLVMConstInt(e->i1, 0, 0)};
    return ir_intrinsic(e, name, &t, 1, args, 2);
}

void emit_popc(struct emit *e, const struct ptx_inst *inst)
{
    write_result32(e, inst,
                   ir_unary(e, "llvm.ctpop", emit_read_source(e, inst, 1)));
}

void emit_clz(struct emit *e, const struct ptx_inst *inst)
{
    write_result32(e, inst,
                   count_zeros(e, "llvm.ctlz", emit_read_source(e, inst, 1)));
}

void emit_brev(struct emit *e, const struct ptx_inst *inst)
{
    emit_write_result(
        e, inst, ir_unary(e, "llvm.bitreverse", emit_read_source(e, inst, 1)));
}

/* The highest bit that differs from the sign; none: -1. */
void emit_bfind(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef v = emit_read_source(e, inst, 1);
    unsigned last = ir_bits(v) - 1;

    if (ptx_type_is_signed(inst->type[0]))
        v = ir_xor(e, v, ir_ashr(e, v, ir_int(v, last)));
    LLVMValueRef zeros = count_zeros(e, "llvm.ctlz", v);
    LLVMValueRef none = ir_icmp(e, LLVMIntEQ, v, ir_int(v, 0));
    LLVMValueRef at = inst->flags & PTX_FLAG_shiftamt
                          ? zeros
                          : ir_sub(e, ir_int(v, last), zeros);
    write_result32(e, inst, ir_select(e, none, ir_int(v, -1), at));
}

/* The n-th set bit from `base` up (n > 0) or down (n < 0); n = 0: base itself
 * if it is set. None: -1. A loop over bits, which is rare. */
void emit_fns(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef mask = read_32_bits(e, inst, 1);
    LLVMValueRef base = read_32_bits(e, inst, 2);
    LLVMValueRef n = read_32_bits(e, inst, 3);
    LLVMValueRef is_down = ir_icmp(e, LLVMIntSLT, n, ir_int(n, 0));
    LLVMValueRef zero = ir_int(n, 0), one = ir_int(n, 1);
    LLVMValueRef is_zero = ir_icmp(e, LLVMIntEQ, n, zero);
    LLVMValueRef left = ir_select(e, is_down, ir_neg(e, n), n);
    LLVMValueRef found = ir_int(n, -1);

    left = ir_select(e, is_zero, one, left);
    /* Nothing is found from a position beyond the word. */
    mask = ir_select(e, ir_icmp(e, LLVMIntULT, base, ir_int(base, 32)), mask,
                     zero);
    for (unsigned i = 0; i < 32; i++) {
        LLVMValueRef step = ir_int(n, i);
        LLVMValueRef at =
            ir_select(e, is_down, ir_sub(e, base, step), ir_add(e, base, step));
        LLVMValueRef is_set = ir_icmp(
            e, LLVMIntNE,
            ir_and(e, ir_lshr(e, mask, ir_and(e, at, ir_int(at, 31))), one),
            zero);
        is_set = ir_and(e, is_set, ir_icmp(e, LLVMIntULT, at, ir_int(at, 32)));
        if (i > 0)
            is_set = ir_and(e, is_set, ir_not(e, is_zero));
        left = ir_sub(e, left, ir_zext(e, is_set, e->i32));
        LLVMValueRef is_it =
            ir_and(e, is_set, ir_icmp(e, LLVMIntEQ, left, zero));
        found = ir_select(e, is_it, at, found);
    }
    write_result32(e, inst, found);
}

/* ---- prmt -------------------------------------------------------------- */

static LLVMValueRef pick_byte(struct emit *e, LLVMValueRef both,
                              LLVMValueRef selector)
{
    LLVMValueRef index = ir_and(e, selector, ir_int(selector, 7));
    LLVMValueRef wide = ir_zext(e, index, e->i64);
    LLVMValueRef byte =
        ir_trunc(e, ir_lshr(e, both, ir_shl(e, wide, ir_int(wide, 3))), e->i32);
    LLVMValueRef plain = ir_and(e, byte, ir_int(byte, 255));
    LLVMValueRef sign = ir_and(
        e,
        ir_sub(e, ir_int(byte, 0),
               ir_and(e, ir_lshr(e, byte, ir_int(byte, 7)), ir_int(byte, 1))),
        ir_int(byte, 255));
    LLVMValueRef wants_sign =
        ir_icmp(e, LLVMIntNE, ir_and(e, selector, ir_int(selector, 8)),
                ir_int(selector, 0));
    return ir_select(e, wants_sign, sign, plain);
}

/* The selector of byte i in the special modes, from c's low two bits. */
static LLVMValueRef mode_selector(struct emit *e, enum ptx_sub mode,
                                  LLVMValueRef c, unsigned i)
{
    LLVMValueRef n = ir_and(e, c, ir_int(c, 3)), at = ir_int(c, i);

    switch (mode) {
    case PTX_SUB_f4e:
        return ir_add(e, n, at);
    case PTX_SUB_b4e:
        return ir_and(e, ir_sub(e, n, at), ir_int(n, 7));
    case PTX_SUB_rc8:
        return n;
    case PTX_SUB_ecl:
        return ir_binary(e, "llvm.umax", n, at);
    case PTX_SUB_ecr:
        return ir_binary(e, "llvm.umin", n, at);
    case PTX_SUB_rc16:
        return ir_add(e, ir_shl(e, ir_and(e, n, ir_int(n, 1)), ir_int(n, 1)),
                      ir_int(n, i & 1));
    default:
        return ir_lshr(e, c, ir_int(c, 4 * i));
    }
}

void emit_prmt(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef a = read_32_bits(e, inst, 1), b = read_32_bits(e, inst, 2);
    LLVMValueRef c = read_32_bits(e, inst, 3);
    LLVMValueRef high = ir_zext(e, b, e->i64);
    LLVMValueRef both =
        ir_or(e, ir_zext(e, a, e->i64), ir_shl(e, high, ir_int(high, 32)));
    LLVMValueRef v = ir_int(a, 0);

    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef byte =
            pick_byte(e, both, mode_selector(e, inst->sub, c, i));
        v = ir_or(e, v, ir_shl(e, byte, ir_int(byte, 8 * i)));
    }
    write_result32(e, inst, v);
}
