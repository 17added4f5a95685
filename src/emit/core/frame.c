/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame: memory of the kernel's function for what outlives a part of a
 * long kernel (split.c). And branches from part to part.
 */
#include "emit/core/control.h"
#include "emit/core/lines.h"
#include "emit/core/masks.h"
#include "emit/core/split.h"
#include "emit/core/values.h"

uint64_t emit_frame_size(struct emit *e, LLVMTypeRef type)
{
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef scalar = is_vector ? LLVMGetElementType(type) : type;
    uint64_t lanes = is_vector ? LLVMGetVectorSize(type) : 1;

    if (type == e->ptr)
        return sizeof(void *);
    return (lanes * ir_bits(LLVMGetUndef(scalar)) + 7) / 8;
}

unsigned emit_frame_align(uint64_t size_bytes)
{
    assert(size_bytes > 0);
    return size_bytes >= 64 ? 64 : size_bytes > 8 ? 16 : 8;
}

/* Space in the frame for `count` values of a type, emit_frame_stride()
 * apart. */
uint64_t emit_frame_stride(struct emit *e, LLVMTypeRef type)
{
    uint64_t size = emit_frame_size(e, type), align = emit_frame_align(size);

    return (size + align - 1) & -align;
}

uint64_t emit_frame_reserve(struct emit *e, struct emit_split *p,
                            LLVMTypeRef type, uint64_t count)
{
    uint64_t align = emit_frame_align(emit_frame_size(e, type));
    uint64_t at = (p->frame_bytes + align - 1) & -align;

    assert(count > 0);
    p->frame_bytes = at + count * emit_frame_stride(e, type);
    return at;
}

LLVMBasicBlockRef emit_go_to_prologue(struct emit *e, const struct emit_fn *f)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);

    assert(LLVMGetBasicBlockTerminator(f->blocks.prologue));
    LLVMPositionBuilderBefore(e->b,
                              LLVMGetBasicBlockTerminator(f->blocks.prologue));
    return here;
}

/* Initialises a place in the frame when a warp starts. */
void emit_frame_start(struct emit *e, struct emit_split *p, uint64_t at,
                      LLVMValueRef value)
{
    LLVMBasicBlockRef here = emit_go_to_prologue(e, p->whole);
    uint64_t size = emit_frame_size(e, LLVMTypeOf(value));

    assert(at < p->frame_bytes);
    ir_store(e, value, ir_offset(e, p->frame, (int64_t)at),
             emit_frame_align(size));
    emit_go_back(e, here);
}

/* Loads from the frame in the part's prologue. */
LLVMValueRef emit_frame_load(struct emit *e, struct emit_split *p, uint64_t at,
                             LLVMTypeRef type)
{
    assert(at < p->frame_bytes);
    LLVMBasicBlockRef here = emit_go_to_prologue(e, e->f);
    LLVMValueRef v = ir_load(e, type, ir_offset(e, p->here, (int64_t)at),
                             emit_frame_align(emit_frame_size(e, type)));
    LLVMPositionBuilderAtEnd(e->b, here);
    return v;
}

/* Makes a variable of the part a copy of a place in the frame. */
void emit_frame_keep(struct emit *e, struct emit_split *p, LLVMValueRef var,
                     LLVMTypeRef type, uint64_t at)
{
    LLVMValueRef v = emit_frame_load(e, p, at, type);
    LLVMBasicBlockRef here = emit_go_to_prologue(e, e->f);

    assert(LLVMTypeOf(var) == e->ptr);
    ir_store(e, v, var, 0);
    LLVMPositionBuilderAtEnd(e->b, here);
    must_have_memory(vec_push(&p->kept, ((struct kept){var, type, at})));
}

void emit_keep_carry(struct emit *e, LLVMValueRef var)
{
    struct emit_split *p = e->f->split;
    uint64_t stride = emit_frame_stride(e, e->mask_type);

    assert(e->f->split);
    if (!p->carry_at) {
        p->carry_at = emit_frame_reserve(e, p, e->mask_type, e->f->warps);
        for (unsigned w = 0; w < e->f->warps; w++)
            emit_frame_start(e, p, p->carry_at + w * stride,
                             LLVMConstNull(e->mask_type));
    }
    emit_frame_keep(e, p, var, e->mask_type,
                    p->carry_at + e->f->at.warp * stride);
}

LLVMValueRef emit_outer_lane_block(struct emit *e, const struct ptx_var *var,
                                   emit_make_block_fn *make)
{
    struct emit_split *p = e->f->split;
    struct emit_fn *part = e->f;
    uint64_t *at = &p->lane_block_at[var - part->k->func->vars];

    assert(e->f->split && e->f != e->f->split->whole);
    if (!*at) {
        *at = emit_frame_reserve(e, p, e->ptr, 1);
        e->f = p->whole;
        emit_frame_start(e, p, *at, make(e, var));
        e->f = part;
    }
    return emit_frame_load(e, p, *at, e->ptr);
}

LLVMValueRef emit_split_code(struct emit *e, uint32_t part, uint32_t entry)
{
    return LLVMConstInt(e->i64, (uint64_t)part << 32 | entry, 0);
}

uint32_t emit_split_entry(struct emit_split *p, uint32_t block, bool is_check)
{
    uint32_t *entry = is_check ? &p->check_entry[block] : &p->body_entry[block];

    assert(block < p->whole->k->block_count);
    if (!*entry)
        *entry = ++p->entry_count[p->part_of[block]];
    return *entry;
}

bool emit_is_outside(struct emit *e, uint32_t block)
{
    const struct emit_split *p = e->f->split;

    return p && p->part_of[block] != e->f->part;
}

LLVMBasicBlockRef emit_way_out(struct emit *e, uint32_t block, bool is_check)
{
    struct emit_split *p = e->f->split;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMBasicBlockRef out = emit_new_block(e, "out");

    assert(emit_is_outside(e, block));
    LLVMPositionBuilderAtEnd(e->b, out);
    ir_store(e,
             emit_split_code(e, p->part_of[block],
                             emit_split_entry(p, block, is_check)),
             p->next_var, 0);
    LLVMBuildBr(e->b, p->leave);
    LLVMPositionBuilderAtEnd(e->b, here);
    return out;
}
