/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Privatised histograms in shared memory, as simt/plan/histogram.c decides:
 * the loop counts in copies of the table, a lane in the copy of its number,
 * and adds them up when it is left.
 *
 * All lanes of the coarse warp are counted together, once all have stored
 * their offsets: what was just stored as a vector is slow to load one by one.
 */
#include "emit/core/address.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

enum {
    LANES_AT_ONCE = 16,
};

struct emit_histogram {
    uint32_t start, size; /* bytes of the table in the shared window */
    uint32_t pitch;       /* bytes from copy to copy */
    unsigned copies;
    unsigned before;         /* iterations before copies are made */
    LLVMValueRef memory;     /* the copies */
    LLVMValueRef count;      /* alloca: iterations so far */
    LLVMValueRef prefetched; /* alloca: the address to prefetch; may be NULL */
    int64_t prefetch_bytes;  /* bytes of that for a lane */
    uint32_t prefetched_by;  /* the load that is prefetched for */
    /* --- the current addition, of all the coarse warp's lanes --- */
    LLVMValueRef offsets;       /* in memory; from the table's start */
    LLVMValueRef values, value; /* in memory; or one for all lanes */
    LLVMValueRef is_out;        /* lanes whose address is not in the table */
};

/* ---- around the loop --------------------------------------------------- */

void emit_begin_histogram(struct emit *e)
{
    const struct simt_histogram *h =
        &e->f->plan->loops[e->f->at.block].histogram;

    assert(e->f->at.lane == EMIT_ALL_LANES);
    e->f->kept.histogram = NULL;
    if (!h->table)
        return;
    struct emit_histogram *s = arena_new(e->arena, struct emit_histogram);
    s->start = ptx_shared_offset(e->shared, h->table);
    s->size = (uint32_t)h->table->size_bytes;
    s->pitch = h->pitch;
    s->copies = h->copies;
    s->before = h->before;
    /* A misaligned address may reach beyond the last copy. */
    s->memory = emit_alloca(
        e, LLVMArrayType2(e->i8, s->copies * s->pitch + SIMT_CHUNK_BYTES),
        SIMT_CHUNK_BYTES, "tables");
    s->count = emit_alloca(e, e->i32, 0, "iterations");
    ir_store(e, LLVMConstInt(e->i32, 0, 0), s->count, 0);
    e->f->kept.histogram = s;
}

static LLVMTypeRef chunk_type(struct emit *e, unsigned bytes)
{
    return bytes == 4 ? e->i32 : LLVMVectorType(e->i32, bytes / 4);
}

/* A loop over [first, end) in steps of `bytes`. */
struct chunk_loop {
    LLVMValueRef var, at;
    LLVMBasicBlockRef again;
    unsigned bytes, end;
};

static void chunk_loop_begin(struct emit *e, struct chunk_loop *l,
                             unsigned first)
{
    l->var = emit_alloca(e, e->i64, 0, "at");
    l->again = emit_new_block(e, "next.chunk");
    ir_store(e, LLVMConstInt(e->i64, first, 0), l->var, 0);
    emit_goto_new(e, l->again);
    l->at = ir_load(e, e->i64, l->var, 0);
}

static void chunk_loop_end(struct emit *e, struct chunk_loop *l)
{
    LLVMBasicBlockRef done = emit_new_block(e, "chunks.done");
    LLVMValueRef next = ir_add(e, l->at, ir_int(l->at, l->bytes));

    ir_store(e, next, l->var, 0);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntULT, next, ir_int(next, l->end)),
                    l->again, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

/* Volatile, so that it does not become a call of memset. */
static void clear_histogram(struct emit *e, const struct emit_histogram *s)
{
    struct chunk_loop l = {.bytes = SIMT_CHUNK_BYTES,
                           .end = s->copies * s->pitch};

    chunk_loop_begin(e, &l, 0);
    LLVMValueRef zero = LLVMConstNull(chunk_type(e, SIMT_CHUNK_BYTES));
    LLVMValueRef p = ir_offset_by(e, s->memory, l.at);
    LLVMSetVolatile(ir_store(e, zero, p, SIMT_CHUNK_BYTES), 1);
    chunk_loop_end(e, &l);
}

/* Adds bytes [first, end) of all copies to the table. */
static void add_up(struct emit *e, const struct emit_histogram *s,
                   unsigned first, unsigned end, unsigned bytes)
{
    struct chunk_loop l = {.bytes = bytes, .end = end};
    LLVMTypeRef type = chunk_type(e, bytes);

    if (first == end)
        return;
    chunk_loop_begin(e, &l, first);
    LLVMValueRef to =
        ir_offset_by(e, ir_offset(e, e->f->env.shared, s->start), l.at);
    LLVMValueRef sum = ir_load(e, type, to, 4);
    emit_set_alias(e, sum, PTX_SPACE_shared);
    for (unsigned i = 0; i < s->copies; i++) {
        LLVMValueRef p = ir_offset_by(
            e, ir_offset(e, s->memory, (int64_t)i * s->pitch), l.at);
        sum = ir_add(e, sum, ir_load(e, type, p, bytes));
    }
    emit_set_alias(e, ir_store(e, sum, to, 4), PTX_SPACE_shared);
    chunk_loop_end(e, &l);
}

static LLVMValueRef has_copies(struct emit *e, const struct emit_histogram *s)
{
    LLVMValueRef n = ir_load(e, e->i32, s->count, 0);
    return ir_icmp(e, LLVMIntUGT, n, ir_int(n, s->before));
}

void emit_histogram_iteration(struct emit *e)
{
    const struct emit_histogram *s = e->f->kept.histogram;

    if (!s)
        return;
    LLVMBasicBlockRef first = emit_new_block(e, "tables");
    LLVMBasicBlockRef done = emit_new_block(e, "tables.done");
    LLVMValueRef n = ir_load(e, e->i32, s->count, 0);
    LLVMValueRef is_time = ir_icmp(e, LLVMIntEQ, n, ir_int(n, s->before));
    LLVMValueRef is_over = ir_icmp(e, LLVMIntUGT, n, ir_int(n, s->before));
    n = ir_add(e, n, ir_zext(e, ir_not(e, is_over), e->i32));
    ir_store(e, n, s->count, 0);
    emit_branch(e, is_time, first, done, EMIT_UNLIKELY);
    LLVMPositionBuilderAtEnd(e->b, first);
    clear_histogram(e, s);
    emit_goto_new(e, done);
}

void emit_end_histogram(struct emit *e)
{
    const struct emit_histogram *s = e->f->kept.histogram;

    e->f->kept.histogram = NULL;
    if (!s)
        return;
    LLVMBasicBlockRef some = emit_new_block(e, "add.up");
    LLVMBasicBlockRef done = emit_new_block(e, "added.up");
    unsigned whole = s->size / SIMT_CHUNK_BYTES * SIMT_CHUNK_BYTES;
    emit_branch(e, has_copies(e, s), some, done, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, some);
    add_up(e, s, 0, whole, SIMT_CHUNK_BYTES);
    add_up(e, s, whole, s->size, 4);
    emit_goto_new(e, done);
}

/* ---- in the loop ------------------------------------------------------- */

/* The part of `memory` for the lanes of warp `warp` of the coarse warp. */
static LLVMValueRef part_of(struct emit *e, LLVMValueRef memory, unsigned warp)
{
    assert(warp < e->f->warps);
    return ir_offset(e, memory, (int64_t)warp * e->lanes * 4);
}

static LLVMValueRef coarse_lanes(struct emit *e, const char *name)
{
    LLVMTypeRef type = LLVMArrayType2(e->i32, (uint64_t)e->lanes * e->f->warps);
    return emit_alloca(e, type, SIMT_CHUNK_BYTES, name);
}

/* Memory takes only so many requests at once, so a few lines at a time. */
static void prefetch_further(struct emit *e, const struct emit_histogram *s,
                             LLVMValueRef lane)
{
    int64_t bytes = LANES_AT_ONCE * s->prefetch_bytes;
    LLVMValueRef p = ir_load(e, e->ptr, s->prefetched, 0);

    p = ir_offset_by(e, p, ir_mul(e, lane, ir_int(lane, s->prefetch_bytes)));
    emit_prefetch_lines(e, p, bytes, EMIT_FIRST_CACHE);
}

/* Counts one after the other, in so many copies; 0: in the table itself, and
 * few at once: see count_through in atomic.c. */
static void count_lanes(struct emit *e, const struct emit_histogram *s,
                        unsigned copies)
{
    struct chunk_loop l = {.bytes = copies ? LANES_AT_ONCE : 2,
                           .end = e->lanes * e->f->warps};

    chunk_loop_begin(e, &l, 0);
    if (copies && s->prefetched)
        prefetch_further(e, s, l.at);
    for (unsigned i = 0; i < l.bytes; i++) {
        LLVMValueRef lane = ir_add(e, l.at, ir_int(l.at, i));
        LLVMValueRef from = emit_spilled_lane(e, s->offsets, e->i32, lane);
        LLVMValueRef v = s->values
                             ? emit_spilled_lane(e, s->values, e->i32, lane)
                             : s->value;
        LLVMValueRef p =
            copies ? ir_offset(e, s->memory, (int64_t)(i % copies) * s->pitch)
                   : e->f->env.shared;
        if (!copies)
            from = ir_add(e, from, ir_int(from, s->start));
        p = ir_offset_by(e, p, ir_zext(e, from, e->i64));
        LLVMValueRef old = ir_load(e, e->i32, p, 4);
        LLVMValueRef sum = ir_store(e, ir_add(e, old, v), p, 4);
        if (!copies) {
            emit_set_alias(e, old, PTX_SPACE_shared);
            emit_set_alias(e, sum, PTX_SPACE_shared);
        }
    }
    chunk_loop_end(e, &l);
}

bool emit_count_in_histogram(struct emit *e, LLVMValueRef offsets,
                             LLVMValueRef value)
{
    struct emit_histogram *s = e->f->kept.histogram;

    assert(LLVMGetVectorSize(LLVMTypeOf(offsets)) == e->lanes);
    if (!s || e->f->at.mask || !e->f->plan->insts[e->f->at.index].is_counting)
        return false;
    LLVMValueRef from = ir_sub(e, offsets, ir_int(offsets, s->start));
    LLVMValueRef is_out = ir_icmp(e, LLVMIntUGE, from, ir_int(from, s->size));
    if (e->f->at.warp == 0) {
        s->offsets = coarse_lanes(e, "offsets");
        s->values = ir_is_vector(value) ? coarse_lanes(e, "values") : NULL;
        s->value = value;
        s->is_out = NULL;
    }
    ir_store(e, from, part_of(e, s->offsets, e->f->at.warp), SIMT_CHUNK_BYTES);
    if (s->values)
        ir_store(e, value, part_of(e, s->values, e->f->at.warp),
                 SIMT_CHUNK_BYTES);
    s->is_out = s->is_out ? ir_or(e, s->is_out, is_out) : is_out;
    if (e->f->at.warp + 1 < e->f->warps)
        return true;

    LLVMBasicBlockRef spread = emit_new_block(e, "spread");
    LLVMBasicBlockRef plain = emit_new_block(e, "plain");
    LLVMBasicBlockRef done = emit_new_block(e, "counted");
    LLVMValueRef is_in = ir_not(e, emit_any(e, s->is_out));
    emit_branch(e, ir_and(e, is_in, has_copies(e, s)), spread, plain,
                EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, spread);
    count_lanes(e, s, s->copies);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, plain);
    count_lanes(e, s, 0);
    emit_goto_new(e, done);
    return true;
}

bool emit_prefetch_with_histogram(struct emit *e,
                                  const struct ptx_operand *address,
                                  struct simt_shape shape,
                                  LLVMValueRef distance)
{
    struct emit_histogram *s = e->f->kept.histogram;

    if (!s || shape.group != SIMT_ALL_LANES ||
        shape.stride * LANES_AT_ONCE < SIMT_CHUNK_BYTES ||
        (s->prefetched && s->prefetched_by != e->f->at.index))
        return false;
    if (e->f->at.warp > 0)
        return true;
    if (!s->prefetched) {
        s->prefetched =
            emit_kept(e, e->f->blocks.allocas, LLVMConstNull(e->ptr), "ahead");
        s->prefetched_by = e->f->at.index;
        s->prefetch_bytes = shape.stride;
    }
    LLVMValueRef p = emit_pointer(e, address, PTX_SPACE_global, 0, 0);
    ir_store(e, ir_offset_by(e, p, distance), s->prefetched, 0);
    return true;
}
