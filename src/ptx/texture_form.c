/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a texture or surface instruction asks for, as plain data for the
 * engines, and which of its operands is which.
 *
 * Source: PTX ISA, "Texture Instructions", "Surface Instructions".
 */
#include "ptx/texture_form.h"

#include "ptx/parse.h"

#include <stdio.h>
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

static bool has_suffix(const struct ptx_inst *inst, const char *suffix)
{
    return strstr(inst->spelling, suffix);
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
    {".num_samples", TEXTURE_SAMPLE_COUNT},
    {".channel_data_type", TEXTURE_CHANNEL_TYPE},
    {".channel_order", TEXTURE_CHANNEL_ORDER},
    {".normalized_coords", TEXTURE_NORMALIZED},
    {".memory_layout", TEXTURE_MEMORY_LAYOUT},
    {".filter_mode", TEXTURE_FILTER},
    {".addr_mode_0", TEXTURE_ADDRESS_0},
    {".addr_mode_1", TEXTURE_ADDRESS_1},
    {".addr_mode_2", TEXTURE_ADDRESS_2},
    {".force_unnormalized_coords", TEXTURE_UNNORMALIZED},
};

static bool read_query(const struct ptx_inst *inst, struct texture_form *f)
{
    f->op = TEXTURE_QUERY;
    f->count = 1;
    f->has_level = has_suffix(inst, ".level.");
    for (size_t i = 0; i < ARRAY_COUNT(queries); i++) {
        if (!has_suffix(inst, queries[i].suffix))
            continue;
        f->query = (uint8_t)queries[i].query;
        return true;
    }
    return false;
}

static bool read_kind(const struct ptx_inst *inst, struct texture_form *f)
{
    f->op = TEXTURE_IS_KIND;
    f->count = 1;
    f->wanted = has_suffix(inst, ".samplerref") ? HANDLE_SAMPLER
                : has_suffix(inst, ".surfref")  ? HANDLE_SURFACE
                                                : HANDLE_TEXTURE;
    return true;
}

/* Index of the first operand behind the coordinates and the level. */
static unsigned first_extra(const struct ptx_inst *inst)
{
    return 3 + (has_suffix(inst, ".grad.")    ? 2
                : has_suffix(inst, ".level.") ? 1
                                              : 0);
}

/* Offsets are a vector or, with one dimension, a number. */
static bool is_offset(const struct ptx_inst *inst, const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_vector || inst->geom == PTX_SUB_1d ||
           inst->geom == PTX_SUB_a1d;
}

const struct ptx_operand *ptx_texture_offsets(const struct ptx_inst *inst)
{
    const struct ptx_operand *o = &inst->operand[first_extra(inst)];
    return is_offset(inst, o) ? o : NULL;
}

const struct ptx_operand *ptx_texture_reference(const struct ptx_inst *inst)
{
    unsigned i = first_extra(inst);
    const struct ptx_operand *o = &inst->operand[i];
    return is_offset(inst, o) ? &inst->operand[i + 1] : o;
}

static void read_level(const struct ptx_inst *inst, struct texture_form *f)
{
    if (has_suffix(inst, ".level.")) {
        f->lod = TEXTURE_LOD_GIVEN;
        f->lod_words = 1;
    } else if (has_suffix(inst, ".grad.")) {
        f->lod = TEXTURE_LOD_GRADIENT;
        f->lod_words = (uint8_t)(2 * f->dims);
    }
}

static void read_extras(const struct ptx_inst *inst, struct texture_form *f)
{
    for (unsigned i = first_extra(inst); i < inst->operand_count; i++) {
        const struct ptx_operand *o = &inst->operand[i];
        if (o->kind == PTX_OPERAND_none)
            continue;
        if (i == first_extra(inst) && is_offset(inst, o))
            /* Hardware takes no notice of the offset of a 1-D texture. */
            f->offsets = inst->geom == PTX_SUB_1d ? 0 : f->dims;
        else
            f->has_reference = true;
    }
}

static uint8_t component_of(const struct ptx_inst *inst)
{
    return has_suffix(inst, ".r.")   ? 0
           : has_suffix(inst, ".g.") ? 1
           : has_suffix(inst, ".b.") ? 2
                                     : 3;
}

static bool read_fetch(const struct ptx_inst *inst, struct texture_form *f)
{
    f->op = inst->op == PTX_OP_tld4 ? TEXTURE_GATHER : TEXTURE_FETCH;
    read_geometry(inst, f);
    f->is_integer = inst->type[1] != PTX_TYPE_f32;
    f->count = inst->type[0] == PTX_TYPE_f16x2 ? 2 : 4;
    f->result = inst->type[0] == PTX_TYPE_f16     ? TEXTURE_RESULT_HALF
                : inst->type[0] == PTX_TYPE_f16x2 ? TEXTURE_RESULT_HALVES
                                                  : TEXTURE_RESULT_32;
    read_level(inst, f);
    read_extras(inst, f);
    if (inst->op == PTX_OP_tld4)
        f->component = component_of(inst);
    f->has_sampler = ptx_texture_operand(inst, 'T')->item_count > 1;
    return inst->geom != PTX_SUB_2dms && inst->geom != PTX_SUB_a2dms;
}

static bool read_surface(const struct ptx_inst *inst, struct texture_form *f)
{
    bool is_formatted = has_suffix(inst, ".p.");
    read_geometry(inst, f);
    f->is_integer = true;
    f->count = (uint8_t)(inst->vector ? inst->vector : 1);
    f->bytes = (uint8_t)ptx_type_size(inst->type[0]);
    f->bounds = (uint8_t)bounds_of(inst);
    f->is_signed = ptx_type_kind(inst->type[0]) == PTX_KIND_signed;
    f->reduction = (uint8_t)reduction_of(inst);
    f->op = inst->op == PTX_OP_suld ? SURFACE_LOAD
            : inst->op == PTX_OP_sured
                ? (is_formatted ? SURFACE_REDUCE_FORMATTED : SURFACE_REDUCE)
                : (is_formatted ? SURFACE_STORE_FORMATTED : SURFACE_STORE);
    return true;
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
    case PTX_OP_istypep:
        return read_kind(inst, form);
    default:
        return read_surface(inst, form);
    }
}

/* ---- samplers ----------------------------------------------------------- */

/* Is `name = value` among the settings? */
static bool is_set(const struct ptx_var *v, const char *name, const char *value)
{
    char text[64];
    snprintf(text, sizeof text, "%s = %s", name, value);
    const char *at = v->settings ? strstr(v->settings, text) : NULL;
    if (!at)
        return false;
    char next = at[strlen(text)];
    return next == ',' || next == 0;
}

static enum texture_address address_of(const struct ptx_var *v,
                                       const char *name)
{
    return is_set(v, name, "wrap")              ? TEXTURE_WRAP
           : is_set(v, name, "mirror")          ? TEXTURE_MIRROR
           : is_set(v, name, "clamp_to_border") ? TEXTURE_BORDER
                                                : TEXTURE_CLAMP;
}

struct texture_sampler ptx_texture_sampler(const struct ptx_var *v)
{
    return (struct texture_sampler){
        .address = {address_of(v, "addr_mode_0"), address_of(v, "addr_mode_1"),
                    address_of(v, "addr_mode_2")},
        .is_linear = is_set(v, "filter_mode", "linear"),
        .is_unnormalized = is_set(v, "force_unnormalized_coords", "1"),
        .mark = TEXTURE_SAMPLER,
    };
}
