/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interleaved local memory (simt/shape/interleaved.c): word w of lane l, of
 * all lanes of a coarse warp, is word w * lanes + l of the block. An address
 * is the place in the lane's own copy. If lanes have it in common, an access
 * is one vector; otherwise it is a gather or a scatter, unless all lanes turn
 * out to be at one place.
 *
 * An element longer than a word is put together from several. A shorter one is
 * cut out, and a store keeps the rest of its word: only the lane accesses its
 * words, so loads and stores can do that. For the same reason a masked store
 * is a load, a select and a store, in which LLVM sees values.
 */
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "emit/memory/ways.h"

/* An access, and the way in which it is done. */
struct interleaving {
    const struct ptx_operand *address, *value;
    enum ptx_type type;
    unsigned size, count; /* of elements in bytes, in each lane */
    unsigned word;        /* bytes */
    LLVMTypeRef word_type;
    LLVMValueRef block;
    /* Places in a lane's copy: scalars for groups of lanes, or a vector. */
    LLVMValueRef place[EMIT_MAX_LANES];
    unsigned groups; /* 0: a vector */
    bool is_certain; /* some lane of each group is active */
};

struct values {
    LLVMValueRef v[16];
};

/* ---- places ------------------------------------------------------------- */

static LLVMValueRef place_of(struct emit *e, const struct ptx_operand *o,
                             int lane)
{
    int saved = e->f->at.lane;
    LLVMValueRef v;

    e->f->at.lane = lane;
    if (o->reg == PTX_NO_REG) {
        v = emit_const(e, lane < 0 ? e->i32 : e->i64, o->imm);
    } else {
        v = ir_as_int(e, emit_read_reg(e, o->reg));
        v = ir_resize(e, v, lane < 0 ? e->i32 : e->i64, false);
        v = ir_add(e, v, ir_int(v, o->imm - SIMT_INTERLEAVED_BASE));
    }
    e->f->at.lane = saved;
    return v;
}

static void find_places(struct emit *e, struct interleaving *w)
{
    struct simt_shape s = e->f->k->address[e->f->at.index];

    assert(w->block);
    if (e->f->plan->insts[e->f->at.index].words != SIMT_WORDS_ROW) {
        w->place[0] = place_of(e, w->address, EMIT_ALL_LANES);
        return;
    }
    w->groups = emit_group_count(e, s);
    w->is_certain = w->groups == 1;
    for (unsigned g = 0; g < w->groups; g++)
        w->place[g] = place_of(e, w->address, (int)(g * e->lanes / w->groups));
}

/* The place `offset` bytes further on, rounded down to its word. */
static LLVMValueRef in_copy(struct emit *e, const struct interleaving *w,
                            LLVMValueRef place, int64_t offset)
{
    LLVMValueRef at = ir_add(e, place, ir_int(place, offset));

    return w->size < w->word ? ir_and(e, at, ir_int(at, -(int64_t)w->word))
                             : at;
}

/* Byte offset of a lane's part in a row of words. */
static LLVMValueRef in_row(struct emit *e, const struct interleaving *w)
{
    LLVMValueRef lane = emit_lane_const(e, e->i32, emit_lane_number);

    return ir_mul(e, lane, ir_int(lane, w->word));
}

/* Places as addresses in the first lane's row. */
static LLVMValueRef in_rows(struct emit *e, const struct interleaving *w,
                            unsigned group, int64_t offset)
{
    LLVMValueRef at = in_copy(e, w, w->place[group], offset);

    assert(group < EMIT_MAX_LANES);
    return ir_mul(e, at, ir_int(at, (int64_t)e->lanes * e->f->warps));
}

static LLVMValueRef block_of_warp(struct emit *e, const struct interleaving *w)
{
    return ir_offset(e, w->block, (int64_t)e->f->at.warp * e->lanes * w->word);
}

/* For a group of lanes at one place: a pointer to its first word. */
static LLVMValueRef pointer_of(struct emit *e, const struct interleaving *w,
                               unsigned group, int64_t offset)
{
    int64_t before = (int64_t)group * (e->lanes / w->groups) * w->word;

    return ir_offset_by(e, ir_offset(e, block_of_warp(e, w), before),
                        in_rows(e, w, group, offset));
}

static LLVMValueRef pointers_of(struct emit *e, const struct interleaving *w,
                                int64_t offset)
{
    return ir_offset_by(e, block_of_warp(e, w),
                        ir_add(e, in_rows(e, w, 0, offset), in_row(e, w)));
}

/* ---- words -------------------------------------------------------------- */

static struct access word_access(const struct interleaving *w)
{
    return (struct access){
        .of = {.space = PTX_SPACE_local,
               .size = w->word,
               .count = 1,
               .is_own = w->is_certain},
        .element = w->word_type,
    };
}

/* Bytes and half-words cannot be gathered: gathers the four bytes around each.
 * A row of words begins at a multiple of four, so which of them is known. */
static LLVMValueRef gather_words(struct emit *e, const struct interleaving *w,
                                 int64_t offset)
{
    struct access word = word_access(w);

    if (w->word >= 4)
        return emit_access_gather(e, &word, w->word_type,
                                  pointers_of(e, w, offset));
    word.of.size = 4;
    LLVMValueRef at = in_rows(e, w, 0, offset), lane = in_row(e, w);
    at = ir_add(e, at, ir_and(e, lane, ir_int(lane, ~3)));
    LLVMValueRef v = emit_access_gather(
        e, &word, e->i32, ir_offset_by(e, block_of_warp(e, w), at));
    LLVMValueRef shift = ir_and(e, lane, ir_int(lane, 3));
    return ir_trunc(e, ir_lshr(e, v, ir_shl(e, shift, ir_int(shift, 3))),
                    w->word_type);
}

static LLVMValueRef mask_of(struct emit *e, const struct interleaving *w,
                            unsigned group)
{
    unsigned lanes = e->lanes / w->groups;

    return e->f->at.mask ? ir_slice(e, e->f->at.mask, group * lanes, lanes)
                         : NULL;
}

static LLVMValueRef load_word(struct emit *e, const struct interleaving *w,
                              int64_t offset)
{
    struct access word = word_access(w);
    LLVMValueRef part[EMIT_MAX_LANES];

    if (!w->groups)
        return gather_words(e, w, offset);
    for (unsigned g = 0; g < w->groups; g++) {
        LLVMValueRef p = pointer_of(e, w, g, offset);
        part[g] = emit_access_load_part(e, &word, p,
                                        w->is_certain ? NULL : mask_of(e, w, g),
                                        e->lanes / w->groups);
    }
    return ir_concat(e, part, w->groups);
}

static void store_word(struct emit *e, const struct interleaving *w,
                       int64_t offset, LLVMValueRef v)
{
    struct access word = word_access(w);

    if (!w->groups) {
        emit_access_scatter(e, &word, pointers_of(e, w, offset), v);
        return;
    }
    unsigned lanes = e->lanes / w->groups;
    for (unsigned g = 0; g < w->groups; g++) {
        LLVMValueRef p = pointer_of(e, w, g, offset);
        LLVMValueRef part = ir_slice(e, v, g * lanes, lanes);
        emit_access_store_part(e, &word, part, p, mask_of(e, w, g));
    }
}

/* ---- elements ----------------------------------------------------------- */

/* How far up in its word an element is, in bits; like v. */
static LLVMValueRef shift_of(struct emit *e, const struct interleaving *w,
                             int64_t offset, LLVMValueRef v)
{
    unsigned groups = w->groups ? w->groups : 1;
    LLVMValueRef part[EMIT_MAX_LANES];

    for (unsigned g = 0; g < groups; g++) {
        LLVMValueRef at = ir_add(e, w->place[g], ir_int(w->place[g], offset));
        at = ir_and(e, at, ir_int(at, w->word - 1));
        at = ir_shl(e, at, ir_int(at, 3));
        part[g] = ir_resize(e, at, ir_element(v), false);
        if (w->groups)
            part[g] = ir_splat(e, part[g], e->lanes / groups);
    }
    return ir_concat(e, part, groups);
}

/* Joins the words of longer elements: the first words of all lanes, the second
 * ones, and so on. */
static LLVMValueRef joined_words(struct emit *e, LLVMValueRef *words,
                                 unsigned n, LLVMTypeRef whole)
{
    int index[4 * EMIT_MAX_LANES];

    assert(n >= 1);
    if (n > 4) {
        LLVMTypeRef half =
            LLVMIntTypeInContext(e->cx, LLVMGetIntTypeWidth(whole) / 2);
        LLVMValueRef halves[] = {joined_words(e, words, n / 2, half),
                                 joined_words(e, words + n / 2, n / 2, half)};
        return joined_words(e, halves, 2, whole);
    }
    for (unsigned i = 0; i < e->lanes; i++)
        for (unsigned j = 0; j < n; j++)
            index[i * n + j] = (int)(j * e->lanes + i);
    LLVMValueRef all = ir_concat(e, words, n);
    all = ir_shuffle(e, all, NULL, index, n * e->lanes);
    return ir_join(e, all, LLVMVectorType(whole, e->lanes));
}

static LLVMValueRef load_element(struct emit *e, const struct interleaving *w,
                                 int64_t offset)
{
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, 8 * w->size);
    LLVMValueRef v[8];
    unsigned n = 0;

    assert(w->word > 0);
    for (unsigned at = 0; at == 0 || at < w->size; at += w->word)
        v[n++] = load_word(e, w, offset + at);
    if (n > 1)
        return joined_words(e, v, n, t);
    if (w->size < w->word)
        v[0] = ir_lshr(e, v[0], shift_of(e, w, offset, v[0]));
    return ir_resize(e, v[0], t, false);
}

static void store_part(struct emit *e, const struct interleaving *w,
                       int64_t offset, LLVMValueRef v)
{
    LLVMValueRef old = load_word(e, w, offset);
    LLVMValueRef shift = shift_of(e, w, offset, old);
    LLVMValueRef hole =
        ir_shl(e, ir_int(old, (INT64_C(1) << 8 * w->size) - 1), shift);

    v = ir_shl(e, ir_zext(e, v, w->word_type), shift);
    store_word(e, w, offset, ir_or(e, ir_and(e, old, ir_not(e, hole)), v));
}

static void store_element(struct emit *e, const struct interleaving *w,
                          int64_t offset, LLVMValueRef v)
{
    unsigned n = w->size / w->word;
    int index[EMIT_MAX_LANES];

    assert(w->word > 0);
    if (n == 0) {
        store_part(e, w, offset, v);
        return;
    }
    if (n == 1) {
        store_word(e, w, offset, v);
        return;
    }
    v = ir_split(e, v, w->word_type);
    for (unsigned j = 0; j < n; j++) {
        for (unsigned i = 0; i < e->lanes; i++)
            index[i] = (int)(i * n + j);
        store_word(e, w, offset + (int64_t)j * w->word,
                   ir_shuffle(e, v, NULL, index, e->lanes));
    }
}

static void load_all(struct emit *e, const struct interleaving *w,
                     struct values *values)
{
    for (unsigned i = 0; i < w->count; i++)
        values->v[i] = load_element(e, w, (int64_t)i * w->size);
}

static void store_all(struct emit *e, const struct interleaving *w,
                      struct values *values)
{
    for (unsigned i = 0; i < w->count; i++)
        store_element(e, w, (int64_t)i * w->size, values->v[i]);
}

/* ---- ways --------------------------------------------------------------- */

/* Lanes that have parted may still be at one place: a scalar that says so, and
 * that place. */
static LLVMValueRef is_one_place(struct emit *e, const struct interleaving *w,
                                 LLVMValueRef *place)
{
    LLVMValueRef bits = emit_mask_bits(e, emit_mask(e));
    LLVMValueRef first = emit_lowest_lane(e, bits);

    *place = e->f->at.mask
                 ? LLVMBuildExtractElement(e->b, w->place[0], first, "")
                 : ir_extract(e, w->place[0], 0);
    LLVMValueRef same =
        ir_icmp(e, LLVMIntEQ, w->place[0], emit_splat(e, *place));
    if (e->f->at.mask)
        same = ir_or(e, same, ir_not(e, e->f->at.mask));
    *place = ir_sext(e, *place, e->i64);
    return emit_all(e, same);
}

/* All lanes at one place, or each at its own, as a test decides. */
static void access_either(struct emit *e, const struct interleaving *w,
                          void (*access)(struct emit *,
                                         const struct interleaving *,
                                         struct values *),
                          struct values *values)
{
    LLVMBasicBlockRef one = emit_new_block(e, "one.place");
    LLVMBasicBlockRef many = emit_new_block(e, "places");
    LLVMBasicBlockRef done = emit_new_block(e, "accessed");
    struct values other = *values;
    struct interleaving same = *w;

    LLVMValueRef test = is_one_place(e, w, &same.place[0]);
    same.groups = 1;
    same.is_certain = true;
    emit_branch(e, test, one, many, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, one);
    access(e, &same, values);
    LLVMBasicBlockRef from_one = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, many);
    access(e, w, &other);
    LLVMBasicBlockRef from_many = LLVMGetInsertBlock(e->b);
    emit_goto_new(e, done);
    for (unsigned i = 0; access == load_all && i < w->count; i++)
        values->v[i] =
            ir_merge(e, values->v[i], from_one, other.v[i], from_many);
}

static void do_access(struct emit *e, struct interleaving *w,
                      void (*access)(struct emit *, const struct interleaving *,
                                     struct values *),
                      struct values *values)
{
    find_places(e, w);
    if (e->f->plan->insts[e->f->at.index].words == SIMT_WORDS_IF_ONE)
        access_either(e, w, access, values);
    else
        access(e, w, values);
}

static struct interleaving make_access(struct emit *e,
                                       const struct ptx_inst *inst,
                                       const struct ptx_var *var,
                                       unsigned address)
{
    assert(simt_is_interleaved(e->f->k, var));
    const struct simt_kernel *k = e->f->k;
    const struct ptx_operand *o = &inst->operand[1 - address];
    struct interleaving w = {
        .address = &inst->operand[address],
        .value = o,
        .type = inst->type[inst->type_count - 1],
        .count = ptx_operand_item_count(o),
        .word = k->interleaved_bytes[var - k->func->vars],
        .block = emit_interleaved_block(e, var),
    };

    w.size = ptx_type_size(w.type);
    w.word_type = LLVMIntTypeInContext(e->cx, 8 * w.word);
    return w;
}

/* What all lanes have written alike is read alike: the element of a lane that
 * is active (simt/shape/uniform_local.c). */
static void write_element(struct emit *e, const struct ptx_operand *item,
                          LLVMValueRef v, enum ptx_type type)
{
    LLVMValueRef lane = LLVMConstInt(e->i32, 0, 0);

    if (item->kind != PTX_OPERAND_reg ||
        !simt_is_uniform(e->f->k->shapes[item->reg])) {
        emit_write_vector(e, item, v, type);
        return;
    }
    assert(e->f->warps == 1);
    if (e->f->at.mask)
        lane = emit_lowest_lane(e, emit_mask_bits(e, e->f->at.mask));
    emit_write_uniform(e, item, LLVMBuildExtractElement(e->b, v, lane, ""),
                       type);
}

static void load_words(struct emit *e, struct interleaving *w)
{
    LLVMTypeRef element = emit_type(e, w->type);
    struct values values = {{0}};

    do_access(e, w, load_all, &values);
    for (unsigned i = 0; i < w->count; i++)
        write_element(e, ptx_operand_item(w->value, i),
                      ir_as(e, values.v[i], element), w->type);
}

static void store_words(struct emit *e, struct interleaving *w)
{
    struct values values = {{0}};

    for (unsigned i = 0; i < w->count; i++)
        values.v[i] = ir_as_int(
            e, emit_read_vector(e, ptx_operand_item(w->value, i), w->type));
    do_access(e, w, store_all, &values);
}

bool emit_interleaved(struct emit *e, const struct ptx_inst *inst)
{
    bool is_load = inst->op != PTX_OP_st;
    unsigned address = is_load ? 1 : 0;
    const struct ptx_var *var =
        simt_interleaved_var(e->f->k, &inst->operand[address]);

    if (!var)
        return false;
    struct interleaving w = make_access(e, inst, var, address);
    if (is_load)
        load_words(e, &w);
    else
        store_words(e, &w);
    return true;
}
