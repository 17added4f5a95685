/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies by tensor maps, and changes of maps: each active lane writes a
 * request, and a helper does it at once (abi/tensor.h).
 */
#include "emit/core/address.h"
#include "emit/core/emitters.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "abi/tensor.h"

LLVMValueRef emit_real_addresses(struct emit *e, const struct ptx_operand *o,
                                 enum ptx_space space)
{
    LLVMValueRef p =
        emit_pointer(e, o, ptx_space_of(o, space), EMIT_ALL_LANES, 0);
    return LLVMBuildPtrToInt(e->b, p, ir_like(p, e->i64), "");
}

/* ---- a request -------------------------------------------------------- */

/* A field that differs between lanes. */
struct field {
    LLVMValueRef values; /* spilled */
    LLVMTypeRef type;
    size_t offset;
};

struct request {
    LLVMValueRef memory;
    struct field fields[16];
    unsigned count;
};

static void add_fields(struct emit *e, struct request *r, LLVMValueRef values,
                       size_t offset)
{
    assert(r->count < ARRAY_COUNT(r->fields));
    r->fields[r->count++] = (struct field){
        .values = emit_spill(e, values),
        .type = ir_element(values),
        .offset = offset,
    };
}

static void add_vector(struct emit *e, struct request *r,
                       const struct ptx_operand *o, enum ptx_type type,
                       size_t offset)
{
    for (unsigned i = 0; i < o->item_count; i++)
        add_fields(e, r, emit_read_vector(e, &o->items[i], type),
                   offset + i * ptx_type_size(type));
}

static void set_byte(struct emit *e, struct request *r, uint8_t value,
                     size_t offset)
{
    ir_store(e, LLVMConstInt(e->i8, value, 0),
             ir_offset(e, r->memory, (int64_t)offset), 1);
}

static void fill_in(struct emit *e, struct request *r, LLVMValueRef lane)
{
    for (unsigned i = 0; i < r->count; i++) {
        const struct field *f = &r->fields[i];
        LLVMValueRef v = emit_spilled_lane(e, f->values, f->type, lane);
        ir_store(e, v, ir_offset(e, r->memory, (int64_t)f->offset), 1);
    }
}

/* ---- copies ----------------------------------------------------------- */

static enum tensor_kind kind_of(const struct ptx_inst *inst)
{
    if (!(inst->flags & PTX_FLAG_reduce))
        return inst->space == PTX_SPACE_global ? TENSOR_STORE : TENSOR_LOAD;
    switch (inst->sub) {
    case PTX_SUB_add:
        return TENSOR_ADD;
    case PTX_SUB_min:
        return TENSOR_MIN;
    case PTX_SUB_max:
        return TENSOR_MAX;
    case PTX_SUB_inc:
        return TENSOR_INC;
    case PTX_SUB_dec:
        return TENSOR_DEC;
    case PTX_SUB_and:
        return TENSOR_AND;
    case PTX_SUB_or:
        return TENSOR_OR;
    default:
        return TENSOR_XOR;
    }
}

static bool is_im2col(const struct ptx_inst *inst)
{
    return inst->sub == PTX_SUB_im2col || inst->sub2 == PTX_SUB_im2col ||
           inst->sub == PTX_SUB_im2col_no_offs ||
           inst->sub2 == PTX_SUB_im2col_no_offs;
}

#define FIELD(name) offsetof(struct exec_tensor_copy, name)

/* [to], [map, {at}], [mbarrier], {offsets}, blocks; or [map, {at}], [from] */
void emit_tensor_copy(struct emit *e, const struct ptx_inst *inst)
{
    enum tensor_kind kind = kind_of(inst);
    bool is_load = kind == TENSOR_LOAD;
    const struct ptx_operand *o = inst->operand, *map = is_load ? &o[1] : o;
    LLVMTypeRef t = LLVMArrayType2(e->i8, sizeof(struct exec_tensor_copy));
    struct request r = {.memory = emit_alloca(e, t, 8, "tensor")};
    struct emit_lane_loop loop;

    add_fields(e, &r, emit_real_addresses(e, map, PTX_SPACE_generic),
               FIELD(map));
    add_fields(e, &r,
               emit_real_addresses(e, is_load ? o : &o[1], PTX_SPACE_shared),
               FIELD(shared));
    add_vector(e, &r, &map->items[0], PTX_TYPE_s32, FIELD(at));
    ir_store(e, LLVMConstInt(e->i16, 0, 0),
             ir_offset(e, r.memory, FIELD(blocks)), 1);
    if (is_load) {
        const struct ptx_operand *next = &o[3];
        add_fields(e, &r, emit_real_addresses(e, &o[2], PTX_SPACE_shared),
                   FIELD(mbarrier));
        if (is_im2col(inst))
            add_vector(e, &r, next++, PTX_TYPE_u16, FIELD(offset));
        if (inst->flags & PTX_FLAG_multicast)
            add_fields(e, &r, emit_read_vector(e, next, PTX_TYPE_u16),
                       FIELD(blocks));
    } else {
        for (unsigned i = 0; i < 3; i++)
            ir_store(e, LLVMConstInt(e->i16, 0, 0),
                     ir_offset(e, r.memory, (int64_t)(FIELD(offset) + 2 * i)),
                     1);
    }
    set_byte(e, &r, kind, FIELD(kind));
    set_byte(e, &r, (uint8_t)inst->dims, FIELD(rank));
    set_byte(e, &r, is_im2col(inst), FIELD(is_im2col));
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    fill_in(e, &r, loop.lane);
    EMIT_HELPER(e, tensor_copy, e->voidt, &r.memory, 1);
    emit_lane_loop_end(e, &loop);
}

/* ---- maps ------------------------------------------------------------- */

static enum tensor_field field_of(const struct ptx_inst *inst)
{
    switch (inst->sub) {
#define FIELD_OF(name)                                                         \
    case PTX_SUB_##name:                                                       \
        return TENSOR_FIELD_##name;
        FIELD_OF(rank)
        FIELD_OF(box_dim)
        FIELD_OF(global_dim)
        FIELD_OF(global_stride)
        FIELD_OF(element_stride)
        FIELD_OF(elemtype)
        FIELD_OF(interleave_layout)
        FIELD_OF(swizzle_mode)
        FIELD_OF(fill_mode)
#undef FIELD_OF
    default:
        return TENSOR_FIELD_address;
    }
}

static bool has_ordinal(enum tensor_field field)
{
    return field == TENSOR_FIELD_box_dim || field == TENSOR_FIELD_global_dim ||
           field == TENSOR_FIELD_global_stride ||
           field == TENSOR_FIELD_element_stride;
}

/* [map], ordinal if there is one, value. Before PTX 8.5 strides were in units
 * of 16 bytes. */
static void replace_field(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    enum tensor_field field = field_of(inst);
    bool is_wide =
        field == TENSOR_FIELD_address || field == TENSOR_FIELD_global_stride;
    unsigned ordinal = has_ordinal(field) ? (unsigned)o[1].imm : 0;
    const struct ptx_operand *value = &o[has_ordinal(field) ? 2 : 1];
    LLVMValueRef maps =
        emit_spill(e, emit_real_addresses(e, &o[0], inst->space));
    LLVMValueRef v =
        emit_read_vector(e, value, is_wide ? PTX_TYPE_b64 : PTX_TYPE_b32);
    struct emit_lane_loop loop;

    v = ir_resize(e, v, e->i64, false);
    if (field == TENSOR_FIELD_global_stride && e->ptx->version < 85)
        v = ir_shl(e, v, ir_int(v, 4));
    v = emit_spill(e, v);
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef args[] = {emit_spilled_lane(e, maps, e->i64, loop.lane),
                           LLVMConstInt(e->i32, field, 0),
                           LLVMConstInt(e->i32, ordinal, 0),
                           emit_spilled_lane(e, v, e->i64, loop.lane)};
    EMIT_HELPER(e, tensor_replace, e->voidt, args, 4);
    emit_lane_loop_end(e, &loop);
}

/* cp_fenceproxy: [to], [from], 128. All lanes of a warp name the same. */
static void copy_map(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    LLVMTypeRef t = LLVMVectorType(e->i64, TENSOR_MAP_BYTES / 8);
    LLVMValueRef to = emit_spill(
        e, emit_pointer(e, &o[0], PTX_SPACE_global, EMIT_ALL_LANES, 0));
    LLVMValueRef from = emit_spill(
        e, emit_pointer(e, &o[1], PTX_SPACE_shared, EMIT_ALL_LANES, 0));
    struct emit_lane_loop loop;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef v =
        ir_load(e, t, emit_spilled_lane(e, from, e->ptr, loop.lane), 8);
    ir_store(e, v, emit_spilled_lane(e, to, e->ptr, loop.lane), 8);
    emit_lane_loop_end(e, &loop);
    LLVMBuildFence(e->b, LLVMAtomicOrderingRelease, 0, "");
}

void emit_tensormap(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->sub == PTX_SUB_tensormap_generic)
        copy_map(e, inst);
    else
        replace_field(e, inst);
}
