/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices that the lanes of a warp hold together: mma and
 * wmma.mma. Each kind of product is a function of its own, since some hundred
 * instructions come of it and kernels have dozens of the same.
 *
 * D stays in its layout all the time: each of its registers is a
 * vector of sums, to which every step along k adds one shuffle of A's
 * registers times one of B's. Since four neighbouring lanes share a row of D,
 * the shuffle of A repeats one lane of every four; B's lanes are put in the
 * order of D's columns beforehand, so that its shuffles repeat four
 * neighbours. What is computed, bit for bit, is defined in ptx/matrix.h.
 */
#include "emit/matrix/matrix.h"
#include "emit/core/emitters.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/ops/ops.h"
#include "emit/warp/warp.h"

#include <stdio.h>

enum {
    LANES = WEFT_WARP_LANES,
    MAX_SUMS = 32,
    OPERAND_BYTES = 8 * EMIT_MATRIX_REG_BYTES /* the registers of one operand */
};

bool emit_has_whole_warp(struct emit *e)
{
    if (e->lanes == WEFT_WARP_LANES)
        return true;
    emit_refuse(e, "matrix operations need 32 lanes, this code has %u",
                e->lanes);
    return false;
}

/* ---- elements of A and B ----------------------------------------------- */

/* What one step multiplies. */
enum kind {
    KIND_F32,   /* one element, as f32 */
    KIND_F64,   /* one element */
    KIND_I32,   /* one element, sign- or zero-extended */
    KIND_PAIRS, /* two elements in 16 bits each */
    KIND_BITS   /* 32 elements of one bit */
};

/* The elements of A or B as vectors that can be multiplied. Part p of lane l's
 * register r is at place[p][l] of vector[first[p] + r * pitch]. */
struct source {
    struct ptx_fragment f; /* its elements are what is multiplied */
    struct ptx_place *places;
    LLVMValueRef vector[256];
    LLVMValueRef memory[256]; /* for B: where the vector has been stored */
    unsigned pitch, first[32];
    int place[32][LANES];
};

struct product {
    struct emit *e;
    /* of the registers of A, B, C and the metadata; returns D's */
    LLVMValueRef fn;
    /* where the function has D, A, B, C and the metadata */
    LLVMValueRef memory[5];
    const struct ptx_inst *inst;
    struct ptx_mma mma;
    enum kind kind;
    struct source a, b;
    unsigned sum_count;
    struct ptx_cell cell[MAX_SUMS][LANES]; /* of D, by register and part */
    LLVMValueRef sum[MAX_SUMS];
    LLVMValueRef c[MAX_SUMS]; /* added at the end: .satfinite */
};

static enum kind kind_of(const struct ptx_mma *m)
{
    if (!m->is_integer)
        return m->a.type == PTX_TYPE_f64 ? KIND_F64 : KIND_F32;
    if (m->is_sparse)
        return KIND_I32;
    return m->a.type == PTX_TYPE_b1 ? KIND_BITS : KIND_PAIRS;
}

/* The order of B's lanes: of those with k in lane % 4 first the even columns,
 * then the odd ones, as D's lanes have them. */
static unsigned ordered_lane(unsigned i)
{
    unsigned column = i % 4 * 2 + i / 4 % 2;
    return column * 4 + i / 8;
}

static LLVMValueRef in_order(struct emit *e, LLVMValueRef v)
{
    int index[LANES];

    for (unsigned i = 0; i < LANES; i++)
        index[i] = (int)ordered_lane(i);
    return ir_shuffle(e, v, NULL, index, LANES);
}

LLVMValueRef emit_matrix_reg(struct emit *e, LLVMValueRef base, unsigned r)
{
    assert(LLVMTypeOf(base) == e->ptr);
    return ir_offset(e, base, (int64_t)r * EMIT_MATRIX_REG_BYTES);
}

/* Register r of an operand as an integer of 32 or 64 bits. */
static LLVMValueRef read_reg(struct product *p, unsigned operand, unsigned r,
                             unsigned bits)
{
    struct emit *e = p->e;
    LLVMTypeRef t = LLVMVectorType(bits == 64 ? e->i64 : e->i32, LANES);
    return ir_load(e, t, emit_matrix_reg(e, p->memory[operand], r), 64);
}

/* Bits [shift, shift + bits) of each lane. */
static LLVMValueRef field_of(struct emit *e, LLVMValueRef v, unsigned shift,
                             unsigned bits, bool is_signed)
{
    LLVMValueRef up = ir_shl(e, v, ir_int(v, ir_bits(v) - bits - shift));
    LLVMValueRef down = ir_int(v, ir_bits(v) - bits);
    return is_signed ? ir_ashr(e, up, down) : ir_lshr(e, up, down);
}

/* As f16, the exponent of an e4m3 is 8 too small, and 0x7f is a number. */
static LLVMValueRef e4m3_to_float(struct emit *e, LLVMValueRef byte)
{
    LLVMValueRef size = ir_and(e, byte, ir_int(byte, 0x7f));
    LLVMValueRef sign = ir_and(e, byte, ir_int(byte, 0x80));
    LLVMValueRef bits = ir_or(e, ir_shl(e, size, ir_int(size, 7)),
                              ir_shl(e, sign, ir_int(sign, 8)));
    LLVMValueRef v = emit_half_to_float(e, ir_trunc(e, bits, e->i16));
    LLVMValueRef is_nan = ir_icmp(e, LLVMIntEQ, size, ir_int(size, 0x7f));
    v = ir_fmul(e, v, ir_real(v, 256));
    return ir_select(e, is_nan, ir_bits_real(e, v, 0x7fffffff), v);
}

/* Part p of a register as f32. */
static LLVMValueRef float_part(struct emit *e, LLVMValueRef v, enum ptx_type t,
                               unsigned p)
{
    LLVMValueRef byte;

    switch (t) {
    case PTX_TYPE_tf32: /* the low bits are ignored */
        return ir_as(e, ir_and(e, v, ir_int(v, ~0x1fff)), e->f32);
    case PTX_TYPE_bf16:
        v = p ? ir_and(e, v, ir_int(v, 0xffff0000))
              : ir_shl(e, v, ir_int(v, 16));
        return ir_as(e, v, e->f32);
    case PTX_TYPE_e4m3:
        return e4m3_to_float(e, field_of(e, v, 8 * p, 8, false));
    case PTX_TYPE_e5m2: /* the upper half of an f16 */
        byte = field_of(e, v, 8 * p, 8, false);
        byte = ir_shl(e, byte, ir_int(byte, 8));
        return emit_half_to_float(e, ir_trunc(e, byte, e->i16));
    default:
        v = field_of(e, v, 16 * p, 16, false);
        return emit_half_to_float(e, ir_trunc(e, v, e->i16));
    }
}

/* Two elements of a register, in 16 bits each. */
static LLVMValueRef pair_part(struct emit *e, LLVMValueRef v, enum ptx_type t,
                              unsigned p, unsigned bits)
{
    LLVMTypeRef halves = LLVMVectorType(e->i16, 2 * LANES);
    LLVMValueRef w = LLVMBuildBitCast(e->b, v, halves, "");
    w = field_of(e, w, bits * p, bits, ptx_type_is_signed(t));
    return LLVMBuildBitCast(e->b, w, LLVMTypeOf(v), "");
}

/* Makes vectors of all parts of all registers. */
static void make_parts(struct product *p, struct source *s, unsigned operand)
{
    struct emit *e = p->e;
    const struct ptx_fragment *f = &s->f;
    unsigned parts = f->per_reg;
    bool is_ordered = f->role == PTX_ROLE_b && f->form == PTX_WHOLE_WARP;

    s->pitch = parts;
    for (unsigned r = 0; r < f->reg_count; r++) {
        LLVMValueRef v = read_reg(p, operand, r, f->reg_bits);
        if (is_ordered)
            v = in_order(e, v);
        for (unsigned i = 0; i < parts; i++) {
            LLVMValueRef *part = &s->vector[r * parts + i];
            if (p->kind == KIND_F64)
                *part = ir_as(e, v, e->f64);
            else if (p->kind == KIND_F32)
                *part = float_part(e, v, f->type, i);
            else if (p->kind == KIND_PAIRS)
                *part = pair_part(e, v, f->type, i, 16 / parts);
            else if (p->kind == KIND_I32)
                *part = field_of(e, v, i * f->element_bits, f->element_bits,
                                 ptx_type_is_signed(f->type));
            else
                *part = v;
        }
    }
    for (unsigned i = 0; i < parts; i++) {
        s->first[i] = i;
        for (unsigned lane = 0; lane < LANES; lane++)
            s->place[i][is_ordered ? ordered_lane(lane) : lane] = (int)lane;
    }
}

/* f16: converts whole registers. The two halves of a lane of A stay
 * neighbours; those of B are sorted apart first. */
static void make_halves(struct product *p, struct source *s, unsigned operand)
{
    struct emit *e = p->e;
    bool is_ordered = s->f.role == PTX_ROLE_b && s->f.form == PTX_WHOLE_WARP;
    LLVMTypeRef halves = LLVMVectorType(e->i16, 2 * LANES);
    int index[2 * LANES];

    for (unsigned lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 2; i++) {
            int from = 2 * (int)(is_ordered ? ordered_lane(lane) : lane) + i;
            int to =
                is_ordered ? (int)(lane / 8 * 16 + lane % 8) + 8 * i : from;
            index[to] = from;
            s->place[i][from / 2] = to;
        }
    s->pitch = 1;
    for (unsigned r = 0; r < s->f.reg_count; r++) {
        LLVMValueRef v = read_reg(p, operand, r, 32);
        v = LLVMBuildBitCast(e->b, v, halves, "");
        if (is_ordered)
            v = ir_shuffle(e, v, NULL, index, 2 * LANES);
        s->vector[r] = emit_half_to_float(e, v);
    }
}

/*
 * Four neighbours for all lanes are best loaded from memory, which leaves the
 * shuffle units to A. The stores are volatile so that LLVM does load.
 */
static void store_vectors(struct product *p, struct source *s)
{
    struct emit *e = p->e;

    for (unsigned i = 0; i < s->f.reg_count * s->pitch; i++) {
        s->memory[i] = LLVMBuildAlloca(e->b, LLVMTypeOf(s->vector[i]), "b");
        LLVMSetAlignment(s->memory[i], 64);
    }
    for (unsigned i = 0; i < s->f.reg_count * s->pitch; i++)
        LLVMSetVolatile(ir_store(e, s->vector[i], s->memory[i], 64), 1);
}

/* Turns elements into what one step multiplies. */
static void make_source(struct product *p, struct source *s,
                        const struct ptx_fragment *f, unsigned operand)
{
    unsigned joined = p->kind == KIND_PAIRS ? 2 : p->kind == KIND_BITS ? 32 : 1;

    s->f = *f;
    s->f.per_reg /= joined;
    if (f->role == PTX_ROLE_a)
        s->f.columns /= joined;
    else
        s->f.rows /= joined;
    /* A fragment may hold elements twice: the first copies are used. */
    s->f.reg_count = ptx_fragment_distinct_regs(&s->f);
    s->places = arena_array(p->e->arena, struct ptx_place,
                            p->mma.group_count * s->f.rows * s->f.columns);
    ptx_fragment_places(&s->f, s->places);
    if (p->kind == KIND_F32 && f->type == PTX_TYPE_f16)
        make_halves(p, s, operand);
    else
        make_parts(p, s, operand);
    if (f->role == PTX_ROLE_b && f->form == PTX_WHOLE_WARP)
        store_vectors(p, s);
}

/* ---- shuffles ---------------------------------------------------------- */

static const struct ptx_place *place_of(const struct source *s,
                                        struct ptx_cell d, unsigned k)
{
    const struct ptx_fragment *f = &s->f;
    unsigned row = f->role == PTX_ROLE_a ? d.row : k;
    unsigned column = f->role == PTX_ROLE_a ? k : d.column;

    return &s->places[(d.group * f->rows + row) * f->columns + column];
}

/* The same four neighbours for each group of four lanes. */
static LLVMValueRef pick_four(struct product *p, LLVMValueRef memory,
                              LLVMValueRef vector, unsigned first)
{
    struct emit *e = p->e;
    int index[LANES];
    unsigned bytes = ir_bits(vector) / 8;
    LLVMTypeRef four = LLVMVectorType(ir_element(vector), 4);

    for (int i = 0; i < LANES; i++)
        index[i] = i % 4;
    LLVMValueRef v =
        ir_load(e, four, ir_offset(e, memory, first * bytes), 4 * bytes);
    return ir_shuffle(e, v, NULL, index, LANES);
}

/* The element of A or B that each lane needs for sum i in step k. All come
 * from one vector, except for mma.m8n8k4 of f16. */
static LLVMValueRef pick_element(struct product *p, const struct source *s,
                                 unsigned i, unsigned k)
{
    struct emit *e = p->e;
    unsigned vector[LANES];
    int index[LANES];
    bool is_done[LANES] = {false};
    LLVMValueRef result = NULL;

    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct ptx_place *at = place_of(s, p->cell[i][lane], k);
        vector[lane] = s->first[at->part] + at->reg * s->pitch;
        index[lane] = s->place[at->part][at->lane];
    }
    if (s->memory[vector[0]]) /* B in order: in groups of four */
        return pick_four(p, s->memory[vector[0]], s->vector[vector[0]],
                         (unsigned)index[0]);
    for (unsigned first = 0; first < LANES; first++) {
        if (is_done[first])
            continue;
        int chosen[LANES];
        LLVMValueRef mine[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            bool is_mine = vector[lane] == vector[first];
            chosen[lane] = is_mine ? index[lane] : -1;
            mine[lane] = LLVMConstInt(e->i1, is_mine, 0);
            is_done[lane] |= is_mine;
        }
        LLVMValueRef v =
            ir_shuffle(e, s->vector[vector[first]], NULL, chosen, LANES);
        result =
            result ? ir_select(e, LLVMConstVector(mine, LANES), v, result) : v;
    }
    return result;
}

static bool has_same_place(const struct product *p, unsigned i, unsigned j,
                           bool is_row)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct ptx_cell a = p->cell[i][lane], b = p->cell[j][lane];
        if (a.group != b.group ||
            (is_row ? a.row != b.row : a.column != b.column))
            return false;
    }
    return true;
}

/* For each sum, the first one that has the same rows, or columns, of D. */
static void find_same(const struct product *p, unsigned *same, bool is_row)
{
    for (unsigned i = 0; i < p->sum_count; i++)
        for (same[i] = 0; !has_same_place(p, i, same[i], is_row);)
            same[i]++;
}

/* ---- sums -------------------------------------------------------------- */

/* Sum of products of pairs of 16 bits: one instruction of x86. */
static LLVMValueRef dot_pairs(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    unsigned lanes = e->target->vector_bytes / 4;
    const char *name = lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                       : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                    : "llvm.x86.sse2.pmadd.wd";
    if (!e->target->is_x86) {
        LLVMValueRef low =
            ir_mul(e, field_of(e, a, 0, 16, true), field_of(e, b, 0, 16, true));
        LLVMValueRef high = ir_mul(e, field_of(e, a, 16, 16, true),
                                   field_of(e, b, 16, 16, true));
        return ir_add(e, low, high);
    }
    LLVMTypeRef halves = LLVMVectorType(e->i16, 2 * lanes);
    LLVMValueRef parts[LANES / 4];
    for (unsigned i = 0; i < LANES / lanes; i++) {
        LLVMValueRef args[] = {
            LLVMBuildBitCast(e->b, ir_slice(e, a, lanes * i, lanes), halves,
                             ""),
            LLVMBuildBitCast(e->b, ir_slice(e, b, lanes * i, lanes), halves,
                             "")};
        parts[i] = ir_intrinsic(e, name, NULL, 0, args, 2);
    }
    return ir_concat(e, parts, LANES / lanes);
}

/* A function, since a * b + sum in directed rounding takes some hundred
 * instructions, and a large product has 64 of them. */
static LLVMValueRef directed_fma(struct emit *e, LLVMTypeRef t,
                                 enum ptx_rnd rnd)
{
    char name[32];
    LLVMTypeRef params[] = {t, t, t};

    snprintf(name, sizeof name, "fma in rounding %d", (int)rnd);
    LLVMValueRef fn = LLVMGetNamedFunction(e->module, name);
    if (fn)
        return fn;
    fn = emit_matrix_function(e, name, LLVMFunctionType(t, params, 3, 0));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderAtEnd(e->b,
                             LLVMAppendBasicBlockInContext(e->cx, fn, ""));
    LLVMBuildRet(e->b,
                 emit_fma_rounded(e, LLVMGetParam(fn, 0), LLVMGetParam(fn, 1),
                                  LLVMGetParam(fn, 2), rnd));
    LLVMPositionBuilderAtEnd(e->b, here);
    return fn;
}

static LLVMValueRef fma_of_doubles(struct product *p, LLVMValueRef a,
                                   LLVMValueRef b, LLVMValueRef sum)
{
    LLVMValueRef args[] = {a, b, sum};

    if (!ptx_is_directed(p->inst->rnd))
        return ir_fma(p->e, a, b, sum);
    return emit_call_matrix(
        p->e, directed_fma(p->e, LLVMTypeOf(a), p->inst->rnd), args, 3);
}

static LLVMValueRef product_step(struct product *p, LLVMValueRef a,
                                 LLVMValueRef b, LLVMValueRef sum)
{
    struct emit *e = p->e;

    switch (p->kind) {
    case KIND_F32:
        /* A product of f16 or fp8 elements is exact, so it can be added
         * separately; that is faster where the machine has no fma. */
        if (!e->target->has_fma && p->mma.a.element_bits <= 16 &&
            p->mma.a.type != PTX_TYPE_bf16)
            return ir_fadd(e, ir_fmul(e, a, b), sum);
        return ir_fma(e, a, b, sum);
    case KIND_F64:
        return fma_of_doubles(p, a, b, sum);
    case KIND_I32:
        return ir_add(e, sum, ir_mul(e, a, b));
    case KIND_PAIRS:
        return ir_add(e, sum, dot_pairs(e, a, b));
    default:
        a = p->mma.is_and ? ir_and(e, a, b) : ir_xor(e, a, b);
        return ir_add(e, sum, ir_unary(e, "llvm.ctpop", a));
    }
}

static void add_compressed(struct product *p, const unsigned *row,
                           const unsigned *column)
{
    LLVMValueRef a[MAX_SUMS], b[MAX_SUMS];

    for (unsigned k = 0; k < p->a.f.columns; k++)
        for (unsigned i = 0; i < p->sum_count; i++) {
            a[i] = row[i] < i ? a[row[i]] : pick_element(p, &p->a, i, k);
            b[i] = column[i] < i ? b[column[i]] : pick_element(p, &p->b, i, k);
            p->sum[i] = product_step(p, a[i], b[i], p->sum[i]);
        }
}

/* ---- sparse A ---------------------------------------------------------- */

/* The two bits that say which row of B belongs to sum i's element `column` of
 * A. */
static LLVMValueRef row_choice(struct product *p, LLVMValueRef metadata,
                               unsigned i, unsigned column,
                               struct ptx_selector *s)
{
    struct emit *e = p->e;
    int from[LANES];
    LLVMValueRef shift[LANES];

    for (unsigned lane = 0; lane < LANES; lane++) {
        *s = ptx_sparse_selector(&p->mma, p->cell[i][lane].row, column,
                                 p->mma.selector);
        from[lane] = (int)s->lane;
        shift[lane] = LLVMConstInt(e->i32, s->shift, 0);
    }
    LLVMValueRef v = ir_shuffle(e, metadata, NULL, from, LANES);
    v = ir_lshr(e, v, LLVMConstVector(shift, LANES));
    return ir_and(e, v, ir_int(v, 3));
}

static void add_sparse(struct product *p, const unsigned *row)
{
    struct emit *e = p->e;
    LLVMValueRef metadata = read_reg(p, 4, 0, 32);
    LLVMValueRef a[MAX_SUMS], chosen[MAX_SUMS];

    for (unsigned c = 0; c < p->a.f.columns; c++)
        for (unsigned i = 0; i < p->sum_count; i++) {
            struct ptx_selector s;
            chosen[i] = row_choice(p, metadata, i, c, &s);
            a[i] = row[i] < i ? a[row[i]] : pick_element(p, &p->a, i, c);
            LLVMValueRef b = pick_element(p, &p->b, i, s.k[3]);
            for (int v = 2; v >= 0; v--) {
                if (s.k[v] == s.k[v + 1])
                    continue;
                LLVMValueRef below =
                    ir_icmp(e, LLVMIntULE, chosen[i], ir_int(chosen[i], v));
                b = ir_select(e, below, pick_element(p, &p->b, i, s.k[v]), b);
            }
            p->sum[i] = product_step(p, a[i], b, p->sum[i]);
        }
}

/* ---- C and D ----------------------------------------------------------- */

static LLVMTypeRef sum_type(const struct product *p)
{
    return p->kind == KIND_F32   ? p->e->f32
           : p->kind == KIND_F64 ? p->e->f64
                                 : p->e->i32;
}

/* A part of C as a sum; C has D's layout, except for mma.m8n8k4 of f16. */
static void read_c(struct product *p)
{
    struct emit *e = p->e;
    const struct ptx_fragment *f = &p->mma.c;
    LLVMValueRef v[MAX_SUMS];
    static const unsigned max_cells = 4 * 64;
    struct ptx_place *places;

    for (unsigned r = 0; r < f->reg_count; r++)
        for (unsigned i = 0; i < f->per_reg; i++) {
            LLVMValueRef bits = read_reg(p, 3, r, f->reg_bits);
            v[r * f->per_reg + i] = f->type == PTX_TYPE_f16
                                        ? float_part(e, bits, PTX_TYPE_f16, i)
                                        : ir_as(e, bits, sum_type(p));
        }
    memcpy(p->sum, v, sizeof v);
    if (f->form == PTX_WHOLE_WARP || f->form == p->mma.d.form)
        return;
    places = arena_array(e->arena, struct ptx_place, max_cells);
    ptx_fragment_places(f, places);
    for (unsigned i = 0; i < p->sum_count; i++) {
        LLVMValueRef sum = LLVMGetUndef(LLVMTypeOf(v[0]));
        for (unsigned lane = 0; lane < LANES; lane++) {
            struct ptx_cell c = p->cell[i][lane];
            struct ptx_place at =
                places[(c.group * f->rows + c.row) * f->columns + c.column];
            sum = LLVMBuildInsertElement(
                e->b, sum,
                ir_extract(e, v[at.reg * f->per_reg + at.part], at.lane),
                LLVMConstInt(e->i32, lane, 0), "");
        }
        p->sum[i] = sum;
    }
}

/* .satfinite: the sum of products is exact, and is clamped once, with C. */
static void set_aside_c(struct product *p)
{
    for (unsigned i = 0; i < p->sum_count; i++) {
        p->c[i] = p->sum[i];
        p->sum[i] = LLVMConstNull(LLVMTypeOf(p->sum[i]));
    }
}

static LLVMValueRef finished_sum(struct product *p, unsigned i)
{
    struct emit *e = p->e;
    LLVMValueRef v = p->sum[i];

    if (p->c[i])
        return ir_binary(e, "llvm.sadd.sat", p->c[i], v);
    if (p->mma.is_integer || p->mma.d.type == PTX_TYPE_f16)
        return v;
    uint64_t nan = p->kind == KIND_F64 ? UINT64_C(0x7fffffffffffffff)
                                       : UINT64_C(0x7fffffff);
    return ir_select(e, ir_is_nan(e, v), ir_bits_real(e, v, nan), v);
}

static void write_d(struct product *p)
{
    struct emit *e = p->e;
    const struct ptx_fragment *f = &p->mma.d;

    for (unsigned r = 0; r < f->reg_count; r++) {
        LLVMValueRef to = emit_matrix_reg(e, p->memory[0], r);
        LLVMValueRef v = finished_sum(p, r * f->per_reg);
        if (f->per_reg > 1) {
            LLVMValueRef high = finished_sum(p, r * f->per_reg + 1);
            v = ir_zext(e, emit_float_to_half(e, v, PTX_RND_rn), e->i32);
            high = ir_zext(e, emit_float_to_half(e, high, PTX_RND_rn), e->i32);
            v = ir_or(e, v, ir_shl(e, high, ir_int(high, 16)));
        }
        ir_store(e, v, to, 64);
    }
}

/* ---- mma, wmma.mma ----------------------------------------------------- */

static void find_cells(struct product *p)
{
    const struct ptx_fragment *d = &p->mma.d;

    p->sum_count = d->reg_count * d->per_reg;
    assert(p->sum_count <= MAX_SUMS);
    for (unsigned i = 0; i < p->sum_count; i++)
        for (unsigned lane = 0; lane < LANES; lane++)
            p->cell[i][lane] =
                ptx_fragment_cell(d, lane, i / d->per_reg, i % d->per_reg);
}

static void make_product(struct product *p)
{
    unsigned row[MAX_SUMS], column[MAX_SUMS];

    p->kind = kind_of(&p->mma);
    find_cells(p);
    find_same(p, row, true);
    find_same(p, column, false);
    /* B first, so that its stores have ended when they are loaded. */
    make_source(p, &p->b, &p->mma.b, 2);
    make_source(p, &p->a, &p->mma.a, 1);
    read_c(p);
    if (p->inst->flags & PTX_FLAG_satfinite)
        set_aside_c(p);
    if (p->mma.is_sparse)
        add_sparse(p, row);
    else
        add_compressed(p, row, column);
    write_d(p);
}

/* ---- how it is called -------------------------------------------------- */

enum { MAX_REGS = 3 * 16 + 1 };

/* One register of an operand. */
struct passed {
    unsigned operand, reg;
    LLVMTypeRef type;
};

static unsigned list_regs(struct emit *e, const struct ptx_fragment *f,
                          unsigned operand, struct passed *list)
{
    LLVMTypeRef t = LLVMVectorType(f->reg_bits == 64 ? e->i64 : e->i32, LANES);
    unsigned count =
        operand == 0 ? f->reg_count : ptx_fragment_distinct_regs(f);

    assert(count <= 16);
    for (unsigned r = 0; r < count; r++)
        list[r] = (struct passed){operand, r, t};
    return count;
}

/* Lists the function's parameters. */
static unsigned list_params(struct emit *e, const struct ptx_mma *mma,
                            struct passed *list)
{
    unsigned count = list_regs(e, &mma->a, 1, list);

    count += list_regs(e, &mma->b, 2, list + count);
    count += list_regs(e, &mma->c, 3, list + count);
    if (mma->is_sparse)
        list[count++] = (struct passed){4, 0, LLVMVectorType(e->i32, LANES)};
    return count;
}

static LLVMTypeRef product_type(struct emit *e, const struct ptx_mma *mma)
{
    struct passed in[MAX_REGS], out[MAX_REGS];
    LLVMTypeRef params[MAX_REGS], results[MAX_REGS];
    unsigned in_count = list_params(e, mma, in);
    unsigned out_count = list_regs(e, &mma->d, 0, out);

    for (unsigned i = 0; i < in_count; i++)
        params[i] = in[i].type;
    for (unsigned i = 0; i < out_count; i++)
        results[i] = out[i].type;
    return LLVMFunctionType(
        LLVMStructTypeInContext(e->cx, results, out_count, 0), params, in_count,
        0);
}

static void take_params(struct product *p)
{
    struct emit *e = p->e;
    struct passed in[MAX_REGS];
    unsigned count = list_params(e, &p->mma, in);

    for (unsigned i = 0; i < ARRAY_COUNT(p->memory); i++) {
        p->memory[i] = LLVMBuildAlloca(
            e->b, LLVMArrayType2(e->i8, OPERAND_BYTES), "operand");
        LLVMSetAlignment(p->memory[i], 64);
    }
    for (unsigned i = 0; i < count; i++)
        ir_store(e, LLVMGetParam(p->fn, i),
                 emit_matrix_reg(e, p->memory[in[i].operand], in[i].reg), 64);
}

static void return_d(struct product *p)
{
    struct emit *e = p->e;
    struct passed out[MAX_REGS];
    unsigned count = list_regs(e, &p->mma.d, 0, out);
    LLVMValueRef d =
        LLVMGetUndef(LLVMGetReturnType(LLVMGlobalGetValueType(p->fn)));

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef v =
            ir_load(e, out[i].type, emit_matrix_reg(e, p->memory[0], i), 64);
        d = LLVMBuildInsertValue(e->b, d, v, i, "");
    }
    LLVMBuildRet(e->b, d);
}

/* The function for products like `inst`. */
static LLVMValueRef product_function(struct emit *e,
                                     const struct ptx_inst *inst,
                                     const struct ptx_mma *mma)
{
    char name[256];

    snprintf(name, sizeof name, "%s %u", inst->spelling,
             mma->is_sparse ? mma->selector : 0);
    LLVMValueRef fn = LLVMGetNamedFunction(e->module, name);
    if (fn)
        return fn;
    fn = emit_matrix_function(e, name, product_type(e, mma));
    struct product *p = arena_new(e->arena, struct product);
    p->e = e;
    p->fn = fn;
    p->inst = inst;
    p->mma = *mma;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderAtEnd(e->b,
                             LLVMAppendBasicBlockInContext(e->cx, fn, ""));
    take_params(p);
    make_product(p);
    return_d(p);
    LLVMPositionBuilderAtEnd(e->b, here);
    return fn;
}

void emit_prepare_product(struct emit *e, const struct ptx_inst *inst,
                          struct emit_matrix_call *call)
{
    if (!e->f->products.operands)
        e->f->products.operands = emit_alloca(
            e, LLVMArrayType2(e->i8, 5 * OPERAND_BYTES), 64, "matrices");
    for (unsigned i = 0; i < 5; i++)
        call->args[i] =
            ir_offset(e, e->f->products.operands, i * OPERAND_BYTES);
    call->fn = product_function(e, inst, &call->mma);
}

void emit_pass_metadata(struct emit *e, const struct ptx_inst *inst,
                        const struct emit_matrix_call *call)
{
    if (call->mma.is_sparse)
        ir_store(
            e,
            emit_warp_read(e, &inst->operand[call->mma.metadata], PTX_TYPE_b32),
            call->args[4], 64);
}

void emit_call_product(struct emit *e, const struct emit_matrix_call *call)
{
    struct passed in[MAX_REGS];
    LLVMValueRef args[MAX_REGS];
    unsigned count = list_params(e, &call->mma, in);

    assert(call->fn);
    for (unsigned i = 0; i < count; i++)
        args[i] = ir_load(
            e, in[i].type,
            emit_matrix_reg(e, call->args[in[i].operand], in[i].reg), 64);
    LLVMValueRef d = emit_call_matrix(e, call->fn, args, count);
    for (unsigned r = 0; r < call->mma.d.reg_count; r++)
        ir_store(e, LLVMBuildExtractValue(e->b, d, r, ""),
                 emit_matrix_reg(e, call->args[0], r), 64);
}

static enum ptx_type register_type(struct emit *e, LLVMTypeRef vector)
{
    return LLVMGetElementType(vector) == e->i64 ? PTX_TYPE_b64 : PTX_TYPE_b32;
}

/* Registers go from the operands to the function and back without memory, as
 * kernels have thousands of these. */
static void multiply_fragments(struct emit *e, const struct ptx_inst *inst)
{
    struct ptx_mma mma;
    struct passed in[MAX_REGS];
    LLVMValueRef args[MAX_REGS];
    const char *wrong = ptx_describe_mma(inst, &mma);

    if (wrong) {
        emit_refuse(e, "the instruction %s", wrong);
        return;
    }
    unsigned count = list_params(e, &mma, in);
    for (unsigned i = 0; i < count; i++) {
        const struct ptx_operand *o =
            &inst->operand[in[i].operand == 4 ? mma.metadata : in[i].operand];
        const struct ptx_operand *reg =
            in[i].operand == 4 ? o : ptx_operand_item(o, in[i].reg);
        args[i] = emit_warp_read(e, reg, register_type(e, in[i].type));
    }
    LLVMValueRef d =
        emit_call_matrix(e, product_function(e, inst, &mma), args, count);
    for (unsigned r = 0; r < mma.d.reg_count; r++)
        emit_warp_write(e, ptx_operand_item(&inst->operand[0], r),
                        LLVMBuildExtractValue(e->b, d, r, ""),
                        mma.d.reg_bits == 64 ? PTX_TYPE_b64 : PTX_TYPE_b32);
}

void emit_mma(struct emit *e, const struct ptx_inst *inst)
{
    multiply_fragments(e, inst);
}

void emit_wmma(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->sub == PTX_SUB_mma)
        multiply_fragments(e, inst);
    else
        emit_move_fragment(e, inst);
}
