/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrices between memory and the registers of a warp. Memory is accessed line
 * by line, as far as elements are neighbours there, and a shuffle puts the
 * elements of all lines into the lanes. For wmma each kind of matrix has a
 * function of its own, as products have: it has a hundred instructions, and
 * kernels have hundreds of the same kind.
 */
#include "emit/core/address.h"
#include "emit/core/emitters.h"
#include "emit/core/values.h"
#include "emit/matrix/matrix.h"
#include "emit/warp/warp.h"

#include <stdio.h>

enum { LANES = WEFT_WARP_LANES, MAX_LINE_ELEMENTS = 4 * LANES };

/* ---- wmma.load, wmma.store --------------------------------------------- */

/* A matrix in memory: element (line, position). */
struct stored {
    struct emit *e;
    const struct ptx_operand *registers, *address;
    LLVMValueRef value[8]; /* by register: to be stored, or loaded */
    struct ptx_fragment f;
    enum ptx_space space;
    LLVMTypeRef element;
    LLVMValueRef base, stride; /* bytes from one line to the next, i64 */
    bool is_row_major;
};

/* The rectangle of it that `joined` registers from `first` on hold. */
struct window {
    unsigned first, joined;
    unsigned line, line_count, position, length, step;
};

static void position_of(const struct stored *s, struct ptx_cell c,
                        unsigned *line, unsigned *position)
{
    *line = s->is_row_major ? c.row : c.column;
    *position = s->is_row_major ? c.column : c.row;
}

/* Only every second line may count: registers of C have even or odd
 * columns. */
static struct window find_window(const struct stored *s, unsigned first,
                                 unsigned joined)
{
    struct window w = {.first = first, .joined = joined, .step = 1};
    unsigned line_end = 0, position_end = 0, lines = 0;
    uint64_t seen[4] = {0};

    w.line = w.position = UINT32_MAX;
    for (unsigned i = 0; i < joined * LANES * s->f.per_reg; i++) {
        unsigned line, position;
        struct ptx_cell c = ptx_fragment_cell(
            &s->f, i % LANES, first + i / LANES % joined, i / LANES / joined);
        position_of(s, c, &line, &position);
        lines += !(seen[line / 64] >> line % 64 & 1);
        seen[line / 64] |= UINT64_C(1) << line % 64;
        w.line = line < w.line ? line : w.line;
        line_end = line + 1 > line_end ? line + 1 : line_end;
        w.position = position < w.position ? position : w.position;
        position_end =
            position + 1 > position_end ? position + 1 : position_end;
    }
    w.line_count = lines;
    w.length = position_end - w.position;
    w.step = lines > 1 ? (line_end - 1 - w.line) / (lines - 1) : 1;
    assert((w.length & (w.length - 1)) == 0 && (lines & (lines - 1)) == 0);
    return w;
}

static LLVMValueRef line_pointer(const struct stored *s, const struct window *w,
                                 unsigned i)
{
    struct emit *e = s->e;
    uint64_t line = w->line + (uint64_t)i * w->step;
    LLVMValueRef p = s->base;

    if (line)
        p = ir_offset_by(
            e, p, ir_mul(e, s->stride, ir_int(s->stride, (int64_t)line)));
    return ir_offset(e, p, w->position * (s->f.element_bits / 8));
}

/* Index in the window of the element that part `part` of `lane` holds. */
static unsigned place_in(const struct stored *s, const struct window *w,
                         unsigned lane, unsigned reg, unsigned part)
{
    unsigned line, position;

    position_of(s, ptx_fragment_cell(&s->f, lane, reg, part), &line, &position);
    return (line - w->line) / w->step * w->length + position - w->position;
}

static enum ptx_type register_type(const struct ptx_fragment *f)
{
    return f->reg_bits == 64 ? PTX_TYPE_b64 : PTX_TYPE_b32;
}

static LLVMTypeRef register_vector(const struct stored *s)
{
    return LLVMVectorType(s->f.reg_bits == 64 ? s->e->i64 : s->e->i32, LANES);
}

static void load_window(struct stored *s, const struct window *w)
{
    struct emit *e = s->e;
    LLVMValueRef lines[LANES];
    LLVMTypeRef t = LLVMVectorType(s->element, w->length);
    int index[MAX_LINE_ELEMENTS];

    for (unsigned i = 0; i < w->line_count; i++) {
        lines[i] = ir_load(e, t, line_pointer(s, w, i), s->f.element_bits / 8);
        emit_set_alias(e, lines[i], s->space);
    }
    LLVMValueRef all = ir_concat(e, lines, w->line_count);
    for (unsigned r = w->first; r < w->first + w->joined; r++) {
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned p = 0; p < s->f.per_reg; p++)
                index[lane * s->f.per_reg + p] =
                    (int)place_in(s, w, lane, r, p);
        LLVMValueRef v = ir_shuffle(e, all, NULL, index, LANES * s->f.per_reg);
        s->value[r] = LLVMBuildBitCast(e->b, v, register_vector(s), "");
    }
}

static void store_window(const struct stored *s, const struct window *w)
{
    struct emit *e = s->e;
    unsigned total = w->line_count * w->length;
    LLVMTypeRef parts = LLVMVectorType(s->element, LANES * s->f.per_reg);
    LLVMValueRef v[2] = {NULL, NULL};
    int index[MAX_LINE_ELEMENTS];

    for (unsigned i = 0; i < w->joined; i++) {
        unsigned r = w->first + i;
        v[i] = LLVMBuildBitCast(e->b, s->value[r], parts, "");
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned p = 0; p < s->f.per_reg; p++)
                index[place_in(s, w, lane, r, p)] =
                    (int)((i * LANES + lane) * s->f.per_reg + p);
    }
    LLVMValueRef all = ir_shuffle(e, v[0], v[1], index, total);
    for (unsigned i = 0; i < w->line_count; i++)
        emit_set_alias(e,
                       ir_store(e, ir_slice(e, all, i * w->length, w->length),
                                line_pointer(s, w, i), s->f.element_bits / 8),
                       s->space);
}

/* Elements of less than a byte: registers are treated as elements, since lines
 * are along k. */
static void join_small(struct ptx_fragment *f)
{
    if (f->element_bits >= 8)
        return;
    if (f->role == PTX_ROLE_a)
        f->columns /= f->per_reg;
    else
        f->rows /= f->per_reg;
    f->element_bits = 32;
    f->per_reg = 1;
}

static LLVMValueRef stride_bytes(struct emit *e, const struct ptx_inst *inst,
                                 const struct ptx_fragment *f,
                                 bool is_row_major)
{
    const struct ptx_operand *o = &inst->operand[2];
    LLVMValueRef v =
        LLVMConstInt(e->i64, is_row_major ? f->columns : f->rows, 0);

    if (inst->operand_count > 2 && o->kind != PTX_OPERAND_none)
        v = ir_zext(e, emit_read_lane(e, o, PTX_TYPE_u32, 0), e->i64);
    v = ir_mul(e, v, ir_int(v, f->element_bits));
    return ir_lshr(e, v, ir_int(v, 3));
}

/* 2: the next two registers of C have the even and the odd columns. */
static unsigned joined_registers(const struct stored *s)
{
    return s->f.role == PTX_ROLE_c && s->f.per_reg == 1 ? 2 : 1;
}

/* The body of the function. */
static void move_windows(struct stored *s, unsigned count, bool is_load)
{
    unsigned joined = joined_registers(s);

    for (unsigned r = 0; r < count; r += joined) {
        struct window w = find_window(s, r, joined);
        if (is_load)
            load_window(s, &w);
        else
            store_window(s, &w);
    }
}

/* Says that the function accesses only what its first parameter points to; the
 * numbers are LLVM's for reading and writing that. */
static void say_memory(struct emit *e, LLVMValueRef fn, bool is_load)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    enum { READS = 1, WRITES = 2 };

    LLVMAddAttributeAtIndex(
        fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(e->cx, kind, is_load ? READS : WRITES));
}

static LLVMTypeRef move_type(const struct stored *s, unsigned count,
                             bool is_load)
{
    struct emit *e = s->e;
    LLVMTypeRef regs[ARRAY_COUNT(s->value)];
    LLVMTypeRef params[2 + ARRAY_COUNT(s->value)] = {e->ptr, e->i64};

    for (unsigned r = 0; r < count; r++)
        regs[r] = params[2 + r] = register_vector(s);
    if (!is_load)
        return LLVMFunctionType(LLVMVoidTypeInContext(e->cx), params, 2 + count,
                                0);
    return LLVMFunctionType(LLVMStructTypeInContext(e->cx, regs, count, 0),
                            params, 2, 0);
}

/* The function of (base, stride, registers to be stored); returns the
 * registers that it loads. */
static LLVMValueRef move_function(const struct stored *s,
                                  const struct ptx_inst *inst, unsigned count,
                                  bool is_load)
{
    struct emit *e = s->e;
    char name[256];

    snprintf(name, sizeof name, "%s %u", inst->spelling, (unsigned)s->space);
    LLVMValueRef fn = LLVMGetNamedFunction(e->module, name);
    if (fn)
        return fn;
    fn = emit_matrix_function(e, name, move_type(s, count, is_load));
    say_memory(e, fn, is_load);
    struct stored in = *s;
    in.base = LLVMGetParam(fn, 0);
    in.stride = LLVMGetParam(fn, 1);
    for (unsigned r = 0; !is_load && r < count; r++)
        in.value[r] = LLVMGetParam(fn, 2 + r);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderAtEnd(e->b,
                             LLVMAppendBasicBlockInContext(e->cx, fn, ""));
    move_windows(&in, count, is_load);
    if (is_load)
        LLVMBuildAggregateRet(e->b, in.value, count);
    else
        LLVMBuildRetVoid(e->b);
    LLVMPositionBuilderAtEnd(e->b, here);
    return fn;
}

static void load_fragment(const struct stored *s, const struct ptx_inst *inst)
{
    struct emit *e = s->e;
    unsigned distinct = ptx_fragment_distinct_regs(&s->f);
    unsigned count = distinct < s->f.reg_count ? distinct : s->f.reg_count;
    LLVMValueRef args[] = {s->base, s->stride};

    assert(count <= ARRAY_COUNT(s->value));
    emit_sync_warp(e);
    LLVMValueRef all =
        emit_call_matrix(e, move_function(s, inst, count, true), args, 2);
    for (unsigned r = 0; r < s->f.reg_count; r++)
        emit_warp_write(e, ptx_operand_item(s->registers, r),
                        LLVMBuildExtractValue(e->b, all, r % count, ""),
                        register_type(&s->f));
}

static void store_fragment(const struct stored *s, const struct ptx_inst *inst)
{
    struct emit *e = s->e;
    unsigned count = s->f.reg_count;
    LLVMValueRef args[2 + ARRAY_COUNT(s->value)] = {s->base, s->stride};

    assert(count <= ARRAY_COUNT(s->value));
    for (unsigned r = 0; r < count; r++)
        args[2 + r] = emit_warp_read(e, ptx_operand_item(s->registers, r),
                                     register_type(&s->f));
    LLVMBasicBlockRef others = emit_first_lane_begin(e);
    emit_call_matrix(e, move_function(s, inst, count, false), args, 2 + count);
    emit_first_lane_end(e, others);
}

/* Address and stride are the same in all lanes, as the manual requires. */
void emit_move_fragment(struct emit *e, const struct ptx_inst *inst)
{
    bool is_load = inst->sub == PTX_SUB_load;
    struct stored s = {.e = e,
                       .registers = &inst->operand[is_load ? 0 : 1],
                       .address = &inst->operand[is_load ? 1 : 0],
                       .is_row_major = inst->layout[0] != PTX_LAYOUT_col};
    struct ptx_mma mma;
    const char *wrong = ptx_describe_mma(inst, &mma);

    if (wrong) {
        emit_refuse(e, "the instruction %s", wrong);
        return;
    }
    s.f = inst->sub2 == PTX_SUB_a   ? mma.a
          : inst->sub2 == PTX_SUB_b ? mma.b
          : is_load                 ? mma.c
                                    : mma.d;
    s.stride = stride_bytes(e, inst, &s.f, s.is_row_major);
    join_small(&s.f);
    s.element = LLVMIntTypeInContext(e->cx, s.f.element_bits);
    s.space = ptx_space_of(s.address, inst->space);
    s.base = emit_pointer(e, s.address, s.space, 0, 0);
    if (is_load)
        load_fragment(&s, inst);
    else
        store_fragment(&s, inst);
    emit_sync_warp(e);
}

/* ---- 8 by 8 matrices of 16 bits ---------------------------------------- */

/* Rows follow each other; lane l has columns 2 * (l % 4) and the next of row l
 * / 4. Transposing twice gives the original. */
LLVMValueRef emit_transposed(struct emit *e, LLVMValueRef v)
{
    LLVMTypeRef halves = LLVMVectorType(e->i16, 2 * LANES);
    int index[2 * LANES];

    for (int i = 0; i < 2 * LANES; i++)
        index[i] = i % 8 * 8 + i / 8;
    LLVMTypeRef t = LLVMTypeOf(v);
    v = LLVMBuildBitCast(e->b, v, halves, "");
    v = ir_shuffle(e, v, NULL, index, 2 * LANES);
    return LLVMBuildBitCast(e->b, v, t, "");
}

static bool is_small_matrix(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->shape == PTX_SHAPE(8, 8, 0))
        return true;
    emit_refuse(e, "matrices of another shape than m8n8 are not supported");
    return false;
}

/* Lane 8 * i + r holds the address of row r of matrix i. */
static void find_rows(struct emit *e, const struct ptx_operand *o,
                      enum ptx_space space, unsigned count,
                      LLVMValueRef rows[32])
{
    bool is_warp = e->lanes == WEFT_WARP_LANES;
    LLVMValueRef all = NULL;

    if (!is_warp)
        all = emit_exchange_lanes(
            e, LLVMBuildPtrToInt(e->b, emit_pointer(e, o, space, 0, 0), e->i64,
                                 ""));
    for (unsigned i = 0; i < count; i++)
        rows[i] = is_warp ? emit_pointer(e, o, space, (int)i, 0)
                          : LLVMBuildIntToPtr(e->b, ir_extract(e, all, i),
                                              e->ptr, "");
}

void emit_ldmatrix(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = &inst->operand[1];
    enum ptx_space space = ptx_space_of(o, inst->space);
    LLVMTypeRef row = LLVMVectorType(e->i32, 4);
    LLVMValueRef v[4], address[32];

    if (!is_small_matrix(e, inst))
        return;
    find_rows(e, o, space, 8 * inst->vector, address);
    for (unsigned m = 0; m < inst->vector; m++) {
        LLVMValueRef rows[8];
        for (unsigned i = 0; i < 8; i++) {
            rows[i] = ir_load(e, row, address[8 * m + i], 4);
            emit_set_alias(e, rows[i], space);
        }
        v[m] = ir_concat(e, rows, 8);
        if (inst->flags & PTX_FLAG_trans)
            v[m] = emit_transposed(e, v[m]);
    }
    for (unsigned m = 0; m < inst->vector; m++)
        emit_warp_write(e, ptx_operand_item(&inst->operand[0], m), v[m],
                        PTX_TYPE_b32);
    emit_sync_warp(e);
}

void emit_stmatrix(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = &inst->operand[0];
    enum ptx_space space = ptx_space_of(o, inst->space);
    LLVMValueRef v[4], address[32];

    if (!is_small_matrix(e, inst))
        return;
    find_rows(e, o, space, 8 * inst->vector, address);
    for (unsigned m = 0; m < inst->vector; m++) {
        v[m] = emit_warp_read(e, ptx_operand_item(&inst->operand[1], m),
                              PTX_TYPE_b32);
        if (inst->flags & PTX_FLAG_trans)
            v[m] = emit_transposed(e, v[m]);
    }
    LLVMBasicBlockRef others = emit_first_lane_begin(e);
    for (unsigned i = 0; i < 8 * inst->vector; i++)
        emit_set_alias(
            e, ir_store(e, ir_slice(e, v[i / 8], i % 8 * 4, 4), address[i], 4),
            space);
    emit_first_lane_end(e, others);
    emit_sync_warp(e);
}

void emit_movmatrix(struct emit *e, const struct ptx_inst *inst)
{
    if (!is_small_matrix(e, inst))
        return;
    LLVMValueRef v = emit_warp_read(e, &inst->operand[1], PTX_TYPE_b32);
    emit_warp_write(e, &inst->operand[0], emit_transposed(e, v), PTX_TYPE_b32);
}
