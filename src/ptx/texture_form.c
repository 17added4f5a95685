/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a texture or surface instruction asks for, as plain data for those who
 * run it. Offsets, depth references and samplers apart from their textures are
 * refused.
 *
 * Source: PTX ISA, "Texture Instructions", "Surface Instructions".
 */
#include "ptx/texture_form.h"

#include "ptx/parse.h"

#include <string.h>

const struct ptx_operand *ptx_texture_operand(const struct ptx_inst *inst,
                                              char letter)
{
    for (unsigned i = 0; i < inst->operand_count; i++) {
        if (ptx_operand_letter(inst, i) == letter)
            return &inst->operand[i];
    }
    return NULL;
}

static void read_geometry(const struct ptx_inst *inst, struct texture_form *f)
{
    enum ptx_sub g = inst->geom;
    f->has_index = g == PTX_SUB_a1d || g == PTX_SUB_a2d || g == PTX_SUB_acube;
    f->is_cube = g == PTX_SUB_cube || g == PTX_SUB_acube;
    f->dims = g == PTX_SUB_1d || g == PTX_SUB_a1d   ? 1
              : g == PTX_SUB_2d || g == PTX_SUB_a2d ? 2
                                                    : 3;
    f->operands = (uint8_t)(f->dims + f->has_index);
}

static enum surface_bounds bounds_of(const struct ptx_inst *inst)
{
    if (inst->flags & PTX_FLAG_clamp || inst->sub == PTX_SUB_clamp ||
        inst->sub2 == PTX_SUB_clamp)
        return SURFACE_CLAMP;
    return inst->sub == PTX_SUB_zero || inst->sub2 == PTX_SUB_zero
               ? SURFACE_ZERO
               : SURFACE_TRAP;
}

static enum surface_reduction reduction_of(const struct ptx_inst *inst)
{
    switch (inst->sub) {
    case PTX_SUB_min:
        return SURFACE_MIN;
    case PTX_SUB_max:
        return SURFACE_MAX;
    case PTX_SUB_and:
        return SURFACE_AND;
    case PTX_SUB_or:
        return SURFACE_OR;
    default:
        return SURFACE_ADD;
    }
}

static const struct {
    const char *suffix;
    enum texture_query query;
} queries[] = {
    {".width", TEXTURE_WIDTH},
    {".height", TEXTURE_HEIGHT},
    {".depth", TEXTURE_DEPTH},
    {".array_size", TEXTURE_ARRAY_SIZE},
    {".num_mipmap_levels", TEXTURE_LEVEL_COUNT},
    {".channel_data_type", TEXTURE_CHANNEL_TYPE},
    {".channel_order", TEXTURE_CHANNEL_ORDER},
    {".normalized_coords", TEXTURE_NORMALIZED},
};

static bool read_query(const struct ptx_inst *inst, struct texture_form *f)
{
    f->op = TEXTURE_QUERY;
    f->count = 1;
    for (size_t i = 0; i < ARRAY_COUNT(queries); i++) {
        if (!strstr(inst->spelling, queries[i].suffix))
            continue;
        f->query = (uint8_t)queries[i].query;
        return !strstr(inst->spelling, ".level.");
    }
    return false;
}

static bool read_fetch(const struct ptx_inst *inst, struct texture_form *f)
{
    bool is_level = strstr(inst->spelling, ".level.");
    bool is_gradient = strstr(inst->spelling, ".grad.");
    f->op = inst->op == PTX_OP_tld4 ? TEXTURE_GATHER : TEXTURE_FETCH;
    read_geometry(inst, f);
    f->is_integer = inst->type[1] != PTX_TYPE_f32;
    f->count = 4;
    f->result =
        inst->type[0] == PTX_TYPE_f16 ? TEXTURE_RESULT_HALF : TEXTURE_RESULT_32;
    f->lod = is_level      ? TEXTURE_LOD_GIVEN
             : is_gradient ? TEXTURE_LOD_GRADIENT
                           : TEXTURE_LOD_NONE;
    f->lod_words = is_level ? 1 : is_gradient ? (uint8_t)(2 * f->dims) : 0;
    if (inst->op == PTX_OP_tld4)
        f->component = strstr(inst->spelling, ".r.")   ? 0
                       : strstr(inst->spelling, ".g.") ? 1
                       : strstr(inst->spelling, ".b.") ? 2
                                                       : 3;
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    for (unsigned i = 3 + (f->lod != TEXTURE_LOD_NONE) +
                      (f->lod == TEXTURE_LOD_GRADIENT);
         i < inst->operand_count; i++)
        if (inst->operand[i].kind != PTX_OPERAND_none)
            return false;
    return where->item_count == 1 && inst->type[0] != PTX_TYPE_f16x2 &&
           inst->geom != PTX_SUB_2dms && inst->geom != PTX_SUB_a2dms;
}

static bool read_surface(const struct ptx_inst *inst, struct texture_form *f)
{
    bool is_formatted = strstr(inst->spelling, ".p.");
    read_geometry(inst, f);
    f->is_integer = true;
    f->count = (uint8_t)(inst->vector ? inst->vector : 1);
    f->bytes = (uint8_t)ptx_type_size(inst->type[0]);
    f->bounds = (uint8_t)bounds_of(inst);
    f->is_signed = ptx_type_kind(inst->type[0]) == PTX_KIND_signed;
    f->reduction = (uint8_t)reduction_of(inst);
    f->op = inst->op == PTX_OP_suld    ? SURFACE_LOAD
            : inst->op == PTX_OP_sured ? SURFACE_REDUCE
            : is_formatted             ? SURFACE_STORE_FORMATTED
                                       : SURFACE_STORE;
    return inst->op != PTX_OP_sured || !is_formatted;
}

bool ptx_texture_form(const struct ptx_inst *inst, struct texture_form *form)
{
    *form = (struct texture_form){0};
    switch (inst->op) {
    case PTX_OP_tex:
    case PTX_OP_tld4:
        return read_fetch(inst, form);
    case PTX_OP_txq:
    case PTX_OP_suq:
        return read_query(inst, form);
    default:
        return read_surface(inst, form);
    }
}
