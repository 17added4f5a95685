/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures and surfaces: [texture, sampler, {coordinates}] has as many
 * coordinates as the geometry wants, of the type that the instruction names,
 * and the variables it names are textures, samplers or surfaces.
 *
 * Source: PTX ISA, "Texture Instructions", "Surface Instructions".
 */
#include "ptx/parse.h"

#include <string.h>

/* The number of coordinates is a power of two. */
static unsigned coordinate_count(enum ptx_sub geom)
{
    switch (geom) {
    case PTX_SUB_1d:
        return 1;
    case PTX_SUB_2d:
    case PTX_SUB_a1d:
        return 2;
    default:
        return 4;
    }
}

/* Geometries whose first coordinate is an array index or a sample. */
static bool has_index(enum ptx_sub geom)
{
    return geom == PTX_SUB_a1d || geom == PTX_SUB_a2d || geom == PTX_SUB_acube;
}

static bool is_surface_op(enum ptx_op op)
{
    return op == PTX_OP_suld || op == PTX_OP_sust || op == PTX_OP_sured ||
           op == PTX_OP_suq;
}

static bool check_handle(struct parser *p, const struct token *at,
                         const struct ptx_operand *op, enum ptx_type wanted)
{
    if (op->var) {
        enum ptx_type found = op->var->type;
        if (op->var->is_array)
            return error_at(p, at, "`%s` is an array, expected one .%s",
                            op->var->name, ptx_type_name(wanted));
        bool is_good = ptx_type_kind(found) == PTX_KIND_opaque
                           ? found == wanted
                           : op->var->space == PTX_SPACE_tex;
        return is_good ||
               error_at(p, at, "`%s` is .%s, expected .%s", op->var->name,
                        ptx_type_name(found), ptx_type_name(wanted));
    }
    if (op->reg == PTX_NO_REG)
        return error_at(p, at, "a .%s is a variable or a register",
                        ptx_type_name(wanted));
    enum ptx_type found = p->regs.data[op->reg].type;
    if (p->module->version < 31)
        return error_at(p, at,
                        "the address of a .%s in a register needs PTX "
                        "3.1, .version says %u.%u",
                        ptx_type_name(wanted), p->module->version / 10,
                        p->module->version % 10);
    return ptx_type_size(found) == 8 ||
           error_at(p, at, "`%s` is .%s, but the address of a .%s is .u64",
                    p->regs.data[op->reg].name, ptx_type_name(found),
                    ptx_type_name(wanted));
}

/* Registers of the type that the instruction names, or untyped ones. */
static bool check_coordinate(struct parser *p, const struct token *at,
                             const struct ptx_operand *op, enum ptx_type type)
{
    if (op->kind != PTX_OPERAND_reg)
        return true;
    const struct ptx_reg *r = &p->regs.data[op->reg];
    bool is_float = ptx_type_is_float(r->type);
    if (ptx_type_size(r->type) == 4 &&
        (ptx_type_kind(r->type) == PTX_KIND_bits ||
         is_float == ptx_type_is_float(type)))
        return true;
    return error_at(p, at, "coordinate `%s` is .%s, expected .%s", r->name,
                    ptx_type_name(r->type), ptx_type_name(type));
}

static bool check_coordinates(struct parser *p, const struct token *at,
                              const struct ptx_inst *inst,
                              const struct ptx_operand *c)
{
    unsigned wanted = coordinate_count(inst->geom);
    unsigned found = ptx_operand_item_count(c);
    enum ptx_type type = inst->type_count > 1 ? inst->type[1] : PTX_TYPE_s32;
    if (found != wanted)
        return error_at(p, at, "`%s` wants %u coordinate%s, found %u",
                        inst->spelling, wanted, wanted == 1 ? "" : "s", found);
    if (c->kind != PTX_OPERAND_vector)
        return check_coordinate(p, at, c, type);
    for (unsigned i = 0; i < found; i++)
        if (!check_coordinate(p, at, &c->items[i],
                              i == 0 && has_index(inst->geom) ? PTX_TYPE_u32
                                                              : type))
            return false;
    return true;
}

static bool check_location(struct parser *p, const struct token *at,
                           const struct ptx_inst *inst,
                           const struct ptx_operand *op)
{
    bool is_surface = is_surface_op(inst->op);
    unsigned most = is_surface ? 1 : 2;
    if (!check_handle(p, at, op,
                      is_surface ? PTX_TYPE_surfref : PTX_TYPE_texref))
        return false;
    if (op->item_count < 1 || op->item_count > most)
        return error_at(p, at, "`%s` wants coordinates behind the %s",
                        inst->spelling, is_surface ? "surface" : "texture");
    if (op->item_count == 2 &&
        !check_handle(p, at, &op->items[0], PTX_TYPE_samplerref))
        return false;
    return check_coordinates(p, at, inst, &op->items[op->item_count - 1]);
}

/* The four texels of a gather, or two pairs. */
static bool check_texels(struct parser *p, const struct token *at,
                         const struct ptx_inst *inst,
                         const struct ptx_operand *op)
{
    if (op->kind != PTX_OPERAND_vector || op->item_count != inst->vector)
        return error_at(p, at, "`%s` wants a vector of %u here", inst->spelling,
                        inst->vector);
    return check_one_type(p, at, op);
}

/* The type that is queried: filters and modes are a sampler's or, in modules
 * without samplers, a texture's. */
static enum ptx_type queried_type(const struct parser *p,
                                  const struct ptx_inst *inst,
                                  const struct ptx_operand *op)
{
    bool is_sampler = strstr(inst->spelling, ".filter_mode") ||
                      strstr(inst->spelling, ".addr_mode_") ||
                      strstr(inst->spelling, ".force_unnormalized");
    if (inst->op == PTX_OP_suq)
        return PTX_TYPE_surfref;
    return is_sampler && op->var && p->module->is_texmode_independent
               ? PTX_TYPE_samplerref
               : PTX_TYPE_texref;
}

bool check_texture(struct parser *p, const struct inst_text *text,
                   const struct ptx_inst *inst)
{
    bool is_query = inst->op == PTX_OP_txq || inst->op == PTX_OP_suq;
    if (inst->op == PTX_OP_tex || inst->op == PTX_OP_tld4)
        if (!check_texels(p, &text->operand[0], inst, &inst->operand[0]))
            return false;
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct ptx_operand *op = &inst->operand[i];
        char letter = ptx_operand_letter(inst, i);
        if (letter == 'T')
            return check_location(p, &text->operand[i], inst, op);
        if (is_query && letter == 'a')
            return check_handle(p, &text->operand[i], op,
                                queried_type(p, inst, op));
    }
    return true;
}
