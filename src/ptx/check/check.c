/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verifier: which form of its row an instruction has, whether registers
 * have the types it wants, what bits its constants are. It also puts the
 * operands where the form's letters stand.
 *
 * Source: PTX ISA, "Operand Type Checking Rules" ("Type Checking Rules" and
 * "Operand Size Exceeding Instruction-Type Size") and each instruction's page.
 */
#include "ptx/parse.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- forms ------------------------------------------------------------- */

static const char *kind_name(const struct ptx_operand *op)
{
    switch (op->kind) {
    case PTX_OPERAND_none:
        return "nothing";
    case PTX_OPERAND_reg:
        return op->negated ? "a negated predicate" : "a register";
    case PTX_OPERAND_imm:
        return "a constant";
    case PTX_OPERAND_sreg:
        return "a special register";
    case PTX_OPERAND_var:
        return "a variable";
    case PTX_OPERAND_func:
        return "a function";
    case PTX_OPERAND_address:
        return "an address in brackets";
    case PTX_OPERAND_vector:
        return "a vector";
    case PTX_OPERAND_label:
        return "a label";
    case PTX_OPERAND_sink:
        return "`_`";
    }
    return "something else";
}

static const char *letter_name(char letter)
{
    switch (letter) {
    case 'd':
    case 'D':
        return "a register";
    case 'p':
        return "a predicate register";
    case 'v':
    case 'R':
        return "a register or vector";
    case 'q':
        return "a predicate";
    case 'k':
        return "`_`";
    case 'O':
        return "a vector of offsets";
    case 'g':
        return "a register or variable";
    case 'a':
    case 'T':
    case 'U':
        return "an address in brackets";
    case 'i':
        return "an integer constant";
    case 'l':
        return "a label";
    case 'h':
        return "a cache policy";
    default:
        return "a register or constant";
    }
}

#define K(name) (1u << PTX_OPERAND_##name)

/* Set of the kinds of operand that a letter takes. */
static unsigned kinds_of(char letter, const struct ptx_inst *inst)
{
    switch (letter) {
    case 'd':
    case 'D':
    case 'M':
    case 'N':
    case 'p':
        return K(reg) | K(sink);
    case 'k':
        return K(sink);
    case 'v':
    case 'R':
        return K(reg) | K(vector) | K(sink);
    case 'w':
        if (inst->op == PTX_OP_mov)
            return K(reg) | K(imm) | K(sreg) | K(var) | K(func) | K(vector);
        return K(reg) | K(imm) | K(vector);
    case 's':
    case 'c':
    case 'm':
    case 'n':
    case 'u':
    case 'x':
    case 'L':
    case 'y':
    case 'z':
    case 'F':
        return K(reg) | K(imm);
    case 't':
        return inst->op == PTX_OP_cvt ? K(reg) | K(imm) | K(sreg)
                                      : K(reg) | K(imm);
    case 'q':
        return K(reg) | K(imm);
    case 'g':
        return K(reg) | K(var) | K(imm);
    case 'a':
    case 'T':
    case 'U':
        return K(address);
    case 'O':
        return K(vector);
    case 'i':
        return K(imm);
    case 'l':
        return K(label);
    case 'r':
        return K(reg) | K(imm) | K(vector);
    case 'h':
        return inst->flags & PTX_FLAG_cache_hint ? K(reg) : 0;
    default:
        return 0;
    }
}

/* `_` may stand for what atom and mbarrier.arrive return, and for one of d|p,
 * but not for the value of a shfl. */
static bool may_discard(char letter, const struct ptx_inst *inst)
{
    if (inst->op == PTX_OP_shfl && letter == 'd')
        return false;
    return letter == 'k' || letter == 'R' || inst->op == PTX_OP_atom ||
           (inst->op == PTX_OP_mbarrier && letter == 'd') ||
           ptx_is_joined(inst);
}

static bool takes_operand(char letter, const struct ptx_inst *inst,
                          const struct ptx_operand *op)
{
    bool is_pred = inst->type[0] == PTX_TYPE_pred && strchr("sw", letter);
    if (op->negated && letter != 'q' && letter != 'n' && !is_pred)
        return false;
    if (op->kind == PTX_OPERAND_sink && !may_discard(letter, inst))
        return false;
    if (op->select_count ? !strchr("MNmn", letter) : letter == 'M')
        return false;
    if (op->is_float_imm && letter == 'i')
        return false;
    return kinds_of(letter, inst) >> op->kind & 1;
}

/* Whether a register of type `reg` may stand where `wanted` is due: floats
 * and packed types agree with themselves and untyped registers only. */
bool ptx_is_compatible(enum ptx_type wanted, enum ptx_type reg)
{
    if (wanted == reg)
        return true;
    if (ptx_type_size(wanted) != ptx_type_size(reg) ||
        wanted == PTX_TYPE_pred || reg == PTX_TYPE_pred)
        return false;
    enum ptx_type_kind w = ptx_type_kind(wanted), r = ptx_type_kind(reg);
    if (w == PTX_KIND_bits || r == PTX_KIND_bits)
        return true;
    return w != PTX_KIND_float && r != PTX_KIND_float &&
           wanted != PTX_TYPE_u16x2 && wanted != PTX_TYPE_s16x2;
}

/* ld, st and cvt accept registers that are wider than their type. */
static bool is_wider(enum ptx_type wanted, enum ptx_type reg)
{
    if (ptx_type_size(reg) <= ptx_type_size(wanted) || reg == PTX_TYPE_pred)
        return false;
    enum ptx_type_kind w = ptx_type_kind(wanted), r = ptx_type_kind(reg);
    return w == PTX_KIND_float ? r == PTX_KIND_bits
                               : w == PTX_KIND_bits || r != PTX_KIND_float;
}

/* Formats that came late need registers of exactly their size. */
static bool is_late_format(enum ptx_type t)
{
    return ptx_type_is_float(t) && t != PTX_TYPE_f16 && t != PTX_TYPE_f32 &&
           t != PTX_TYPE_f64;
}

static bool takes_wider(const struct ptx_inst *inst)
{
    switch (inst->op) {
    case PTX_OP_ld:
    case PTX_OP_ldu:
    case PTX_OP_st:
        return true;
    case PTX_OP_cvt:
        return !is_late_format(inst->type[0]) && !is_late_format(inst->type[1]);
    case PTX_OP_tex:
    case PTX_OP_tld4:
    case PTX_OP_suld:
    case PTX_OP_sust:
        return true;
    default:
        return false;
    }
}

struct fit {
    const struct parser *parser;
    const struct ptx_inst *inst;
    bool is_joined;
    bool is_typed; /* registers must have the right types */
    int8_t from[PTX_MAX_OPERANDS]; /* place -> operand as written, or -1 */
    unsigned places;
};

static bool fits_letter(const struct fit *fit, char letter, unsigned i)
{
    const struct ptx_operand *op = &fit->inst->operand[i];
    if (!takes_operand(letter, fit->inst, op))
        return false;
    enum ptx_type wanted = ptx_letter_type(fit->inst, letter);
    if (!fit->is_typed || op->kind != PTX_OPERAND_reg || !wanted)
        return true;
    enum ptx_type found = fit->parser->regs.data[op->reg].type;
    return ptx_is_compatible(wanted, found) ||
           (takes_wider(fit->inst) && is_wider(wanted, found));
}

static bool fit_form(struct fit *fit, const char *c, unsigned place, unsigned i)
{
    const struct ptx_inst *inst = fit->inst;
    unsigned count = inst->operand_count;
    if (!*c || *c == ' ' || *c == '@') {
        fit->places = place;
        return i == count;
    }
    if (place == PTX_MAX_OPERANDS)
        return false;
    if (*c == 'h' && !(inst->flags & PTX_FLAG_cache_hint))
        return fit_form(fit, c + 1, place, i);
    const char *next = c[1] == '?' ? c + 2 : c + 1;
    if (c[1] == '&' && !fit->is_joined)
        return false;
    if (c[1] == '!' && fit->is_joined)
        return false;
    if (ptx_is_joint(c[1])) { /* d|p */
        if (i >= count || !fits_letter(fit, *c, i))
            return false;
        fit->from[place] = (int8_t)i++;
        fit->from[place + 1] = fit->is_joined ? (int8_t)i++ : -1;
        if (fit->is_joined && !fits_letter(fit, c[2], i - 1))
            return false;
        return fit_form(fit, c + 3, place + 2, i);
    }
    if (i < count && fits_letter(fit, *c, i)) {
        fit->from[place] = (int8_t)i;
        if (fit_form(fit, next, place + 1, i + 1))
            return true;
    }
    fit->from[place] = -1;
    return c[1] == '?' && fit_form(fit, next, place + 1, i);
}

/* The first form that fits; NULL: none does. */
static const char *find_form(struct fit *fit)
{
    const char *form = ptx_forms[fit->inst->form].operands;
    while (!fit_form(fit, form, 0, 0)) {
        form = strchr(form, ' ');
        if (!form)
            return NULL;
        form++;
    }
    return form;
}

static bool is_as_written(const struct fit *fit)
{
    for (unsigned i = 0; i < fit->places; i++)
        if (fit->from[i] != (int)i)
            return false;
    return true;
}

static void place_operands(struct ptx_inst *inst, struct inst_text *text,
                           const struct fit *fit)
{
    struct ptx_operand placed[PTX_MAX_OPERANDS];
    struct token at[PTX_MAX_OPERANDS];
    if (is_as_written(fit))
        return;
    for (unsigned i = 0; i < fit->places; i++) {
        int from = fit->from[i];
        placed[i] = from < 0 ? (struct ptx_operand){.reg = PTX_NO_REG}
                             : inst->operand[from];
        at[i] = from < 0 ? text->opcode : text->operand[from];
    }
    memcpy(inst->operand, placed, fit->places * sizeof placed[0]);
    memcpy(text->operand, at, fit->places * sizeof at[0]);
    inst->operand_count = fit->places;
    while (inst->operand_count && !inst->operand[inst->operand_count - 1].kind)
        inst->operand_count--;
}

/* The least and the largest number of operands of a form. */
static void form_counts(const char *c, const struct ptx_inst *inst,
                        unsigned *min, unsigned *max)
{
    *min = *max = 0;
    for (; *c && *c != ' ' && *c != '@'; c++) {
        if (*c == 'h' && !(inst->flags & PTX_FLAG_cache_hint))
            continue;
        if (*c == '&')
            continue;
        if (*c == '!') {
            --*min;
            --*max;
            continue;
        }
        if (*c == '?' || *c == '|') {
            --*min;
            continue;
        }
        ++*min;
        ++*max;
    }
}

static bool error_operand_count(struct parser *p, const struct inst_text *text,
                                const struct ptx_inst *inst, unsigned min,
                                unsigned max)
{
    char expected[32];
    if (min == max)
        snprintf(expected, sizeof expected, "%u", min);
    else
        snprintf(expected, sizeof expected, "%u to %u", min, max);
    return error_at(p, &text->opcode, "`%s` has %u operand%s, expected %s",
                    inst->spelling, inst->operand_count,
                    inst->operand_count == 1 ? "" : "s", expected);
}

/* Reports the first operand whose kind its place in this form does not
 * take. */
static bool error_operand_kind(struct parser *p, const struct inst_text *text,
                               const struct ptx_inst *inst, const char *form)
{
    unsigned i = 0;
    for (const char *c = form;
         *c && *c != ' ' && *c != '@' && i < inst->operand_count; c++) {
        if (*c == '?' || ptx_is_joint(*c))
            continue;
        if (!takes_operand(*c, inst, &inst->operand[i]) && c[1] != '?')
            return error_at(p, &text->operand[i],
                            "operand %u of `%s` is %s, expected %s", i + 1,
                            inst->spelling, kind_name(&inst->operand[i]),
                            letter_name(*c));
        if (c[1] != '?' || takes_operand(*c, inst, &inst->operand[i]))
            i++;
    }
    return error_at(p, &text->opcode,
                    "the operands of `%s` are none it can have",
                    inst->spelling);
}

static bool error_no_form(struct parser *p, const struct inst_text *text,
                          const struct ptx_inst *inst)
{
    unsigned min = UINT32_MAX, max = 0;
    const char *matching = NULL;
    for (const char *form = ptx_forms[inst->form].operands; form;
         form = strchr(form, ' ') ? strchr(form, ' ') + 1 : NULL) {
        unsigned form_min, form_max;
        form_counts(form, inst, &form_min, &form_max);
        if (!matching && inst->operand_count >= form_min &&
            inst->operand_count <= form_max)
            matching = form;
        min = form_min < min ? form_min : min;
        max = form_max > max ? form_max : max;
    }
    if (matching)
        return error_operand_kind(p, text, inst, matching);
    return error_operand_count(p, text, inst, min, max);
}

/* ---- types ------------------------------------------------------------- */

static int64_t sign_extend(uint64_t bits, unsigned size_bytes)
{
    if (size_bytes >= 8)
        return (int64_t)bits;
    unsigned shift = 64 - size_bytes * 8;
    return (int64_t)(bits << shift) >> shift;
}

bool check_immediate(struct parser *p, const struct token *at,
                     struct ptx_operand *op, enum ptx_type type)
{
    struct constant c = {.kind = op->label, .bits = (uint64_t)op->imm};
    op->label = 0;
    if (!type) /* a texture's coordinate, the fraction of a policy */
        type = op->is_float_imm ? PTX_TYPE_f32 : PTX_TYPE_b64;
    bool is_float = ptx_type_is_float(type);
    if ((is_float && type != PTX_TYPE_f32 && type != PTX_TYPE_f64) ||
        type == PTX_TYPE_u16x2 || type == PTX_TYPE_s16x2)
        return error_at(p, at, "there are no constants of type .%s",
                        ptx_type_name(type));
    if (!op->is_float_imm && is_float)
        return error_at(p, at,
                        "an integer stands where .%s is due; write it "
                        "as a float",
                        ptx_type_name(type));
    uint64_t bits;
    if (!constant_bits(&c, type, &bits))
        return error_at(p, at, "a floating constant stands where .%s is due",
                        ptx_type_name(type));
    op->imm = op->is_float_imm ? (int64_t)bits
                               : sign_extend(bits, ptx_type_size(type));
    return true;
}

static bool check_register(struct parser *p, const struct token *at,
                           const struct ptx_inst *inst,
                           const struct ptx_operand *op, enum ptx_type wanted)
{
    const struct ptx_reg *r = &p->regs.data[op->reg];
    if (!wanted || ptx_is_compatible(wanted, r->type) ||
        (takes_wider(inst) && is_wider(wanted, r->type)))
        return true;
    return error_at(p, at, "`%s` is .%s, but `%s` wants .%s here", r->name,
                    ptx_type_name(r->type), inst->spelling,
                    ptx_type_name(wanted));
}

/* In the first PTX versions %tid had 16 bits and %gridid 32. */
static bool check_special(struct parser *p, const struct token *at,
                          const struct ptx_inst *inst, enum ptx_sreg sreg,
                          enum ptx_type wanted)
{
    enum ptx_type found = ptx_sreg_type(sreg);
    bool is_id = sreg <= PTX_SREG_nctaid_z || sreg == PTX_SREG_gridid;
    if (!wanted || ptx_is_compatible(wanted, found) ||
        (ptx_type_size(wanted) * 2 == ptx_type_size(found) && is_id &&
         !ptx_type_is_float(wanted)))
        return true;
    return error_at(p, at, "the special register is .%s, but `%s` wants .%s",
                    ptx_type_name(found), inst->spelling,
                    ptx_type_name(wanted));
}

/* The type of a generic address; old modules do not say how wide theirs
 * are. */
static enum ptx_type address_type(const struct parser *p,
                                  const struct ptx_operand *op)
{
    bool is_wide = p->module->address_size_bits == 64 ||
                   ptx_type_size(p->regs.data[op->reg].type) == 8;
    return is_wide ? PTX_TYPE_u64 : PTX_TYPE_u32;
}

static bool check_scalar(struct parser *p, const struct token *at,
                         const struct ptx_inst *inst, struct ptx_operand *op,
                         enum ptx_type wanted)
{
    if (op->kind == PTX_OPERAND_imm)
        return check_immediate(p, at, op, wanted);
    if (op->kind == PTX_OPERAND_reg)
        return check_register(p, at, inst, op,
                              inst->op == PTX_OP_isspacep && !wanted
                                  ? address_type(p, op)
                                  : wanted);
    if (op->kind == PTX_OPERAND_sreg)
        return check_special(p, at, inst, op->sreg, wanted);
    if (op->kind == PTX_OPERAND_var && inst->op == PTX_OP_cvta &&
        inst->space != op->var->space)
        return error_at(p, at, "`%s` is not in the space that `%s` names",
                        op->var->name, inst->spelling);
    if (op->kind == PTX_OPERAND_var && wanted && ptx_type_size(wanted) < 8 &&
        p->module->address_size_bits == 64 &&
        (op->var->space == PTX_SPACE_global ||
         op->var->space == PTX_SPACE_const))
        return error_at(p, at, "the address of `%s` has 64 bits",
                        op->var->name);
    if ((op->kind == PTX_OPERAND_var || op->kind == PTX_OPERAND_func) &&
        wanted && (ptx_type_size(wanted) < 4 || ptx_type_is_float(wanted)))
        return error_at(p, at, "an address does not fit .%s",
                        ptx_type_name(wanted));
    return true;
}

/* May the registers be side by side in a vector? They need equal sizes, and
 * types that agree; untyped ones agree with all. */
static bool are_neighbours(enum ptx_type a, enum ptx_type b)
{
    return ptx_type_size(a) == ptx_type_size(b) && ptx_is_compatible(a, b);
}

/* Do the registers of a vector agree, each with the one before? */
bool check_one_type(struct parser *p, const struct token *at,
                    const struct ptx_operand *op)
{
    enum ptx_type before = PTX_TYPE_none;
    for (unsigned i = 0; i < op->item_count; i++) {
        if (op->items[i].kind != PTX_OPERAND_reg)
            continue;
        enum ptx_type t = p->regs.data[op->items[i].reg].type;
        if (before && !are_neighbours(before, t))
            return error_at(p, at, "the components have different types");
        before = t;
    }
    return true;
}

static bool is_move(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_mov || inst->op == PTX_OP_ld ||
           inst->op == PTX_OP_st;
}

/* ld.v4.f32 {a, b, c, d}: four of them; mov.b64 {a, b}: halves. */
static bool check_vector(struct parser *p, const struct token *at,
                         const struct ptx_inst *inst, struct ptx_operand *op,
                         enum ptx_type wanted)
{
    enum ptx_type item = ptx_item_type(inst, wanted, op->item_count);
    if (wanted && inst->vector > 1 && op->item_count != inst->vector)
        return error_at(p, at, "the vector has %u components, `%s` wants %u",
                        op->item_count, inst->spelling, inst->vector);
    if (wanted && (!item || (inst->op == PTX_OP_mov &&
                             ptx_type_kind(wanted) != PTX_KIND_bits)))
        return error_at(p, at, "%u components do not make up .%s",
                        op->item_count, ptx_type_name(wanted));
    if (is_move(inst) && !check_one_type(p, at, op))
        return false;
    for (unsigned i = 0; i < op->item_count; i++)
        if (!check_scalar(p, at, inst, &op->items[i], item))
            return false;
    return true;
}

static bool has_sink(const struct ptx_operand *op)
{
    for (unsigned i = 0; i < op->item_count; i++)
        if (op->items[i].kind == PTX_OPERAND_sink)
            return true;
    return false;
}

static bool is_same_window(enum ptx_space instruction, enum ptx_space variable)
{
    if (instruction == PTX_SPACE_generic || instruction == variable)
        return true;
    return instruction == PTX_SPACE_shared_cluster &&
           variable == PTX_SPACE_shared;
}

static const char *const space_names[PTX_SPACE_COUNT] = {
    [PTX_SPACE_generic] = "generic",
    [PTX_SPACE_reg] = "reg",
    [PTX_SPACE_sreg] = "sreg",
    [PTX_SPACE_const] = "const",
    [PTX_SPACE_global] = "global",
    [PTX_SPACE_local] = "local",
    [PTX_SPACE_param] = "param",
    [PTX_SPACE_shared] = "shared",
    [PTX_SPACE_shared_cluster] = "shared::cluster",
    [PTX_SPACE_tex] = "tex",
};

/* Is it a parameter of the function, not a result or an argument of a call? */
static bool is_parameter(const struct ptx_var *v)
{
    return v->owner && v->space == PTX_SPACE_param &&
           v->index < v->owner->param_count && v == &v->owner->params[v->index];
}

/* [map, {x, y}] */
static bool has_tensor_coordinates(const struct ptx_operand *op, unsigned dims)
{
    return op->item_count == 1 && op->items[0].kind == PTX_OPERAND_vector &&
           op->items[0].item_count == dims;
}

static bool check_address(struct parser *p, const struct token *at,
                          const struct ptx_inst *inst, struct ptx_operand *op,
                          char letter)
{
    if (letter == 'U' && !has_tensor_coordinates(op, inst->dims))
        return error_at(p, at, "`%s` wants a tensor map and %u coordinates",
                        inst->spelling, inst->dims);
    if (op->item_count && !strchr("TU", letter))
        return error_at(p, at, "`%s` wants one address", inst->spelling);
    for (unsigned i = 0; i < op->item_count; i++) {
        struct ptx_operand *item = &op->items[i];
        bool is_good = item->kind == PTX_OPERAND_vector
                           ? check_vector(p, at, inst, item, PTX_TYPE_none)
                           : check_scalar(p, at, inst, item, PTX_TYPE_none);
        if (!is_good)
            return false;
    }
    if (op->reg != PTX_NO_REG) {
        enum ptx_type t = p->regs.data[op->reg].type;
        if (ptx_type_size(t) < 4 || ptx_type_is_float(t))
            return error_at(p, at, "`%s` is .%s, which holds no address",
                            p->regs.data[op->reg].name, ptx_type_name(t));
    }
    bool is_wide = p->module->address_size_bits == 64;
    bool is_window = inst->space == PTX_SPACE_shared ||
                     inst->space == PTX_SPACE_shared_cluster ||
                     inst->space == PTX_SPACE_local ||
                     inst->space == PTX_SPACE_const ||
                     inst->space == PTX_SPACE_param;
    bool is_memory = inst->op == PTX_OP_ld || inst->op == PTX_OP_st ||
                     inst->op == PTX_OP_atom || inst->op == PTX_OP_red;
    if (op->reg != PTX_NO_REG && is_wide && is_memory && !is_window &&
        letter == 'a' && ptx_type_size(p->regs.data[op->reg].type) < 8)
        return error_at(p, at, "`%s` has 32 bits, an address of `%s` 64",
                        p->regs.data[op->reg].name, inst->spelling);
    if (is_memory && op->reg == PTX_NO_REG && !op->var &&
        inst->space != PTX_SPACE_local)
        return error_at(p, at, "only .local has constant addresses");
    if (op->var && is_parameter(op->var) && inst->op == PTX_OP_st)
        return error_at(p, at, "`%s` is a parameter, which is not written",
                        op->var->name);
    if (op->var && letter == 'a' && inst->op != PTX_OP_cp && !inst->space2 &&
        !is_same_window(inst->space, op->var->space))
        return error_at(p, at, "`%s` is in .%s, but `%s` is not", op->var->name,
                        space_names[op->var->space], inst->spelling);
    return true;
}

static bool check_operand(struct parser *p, const struct token *at,
                          struct ptx_inst *inst, unsigned i)
{
    char letter = ptx_operand_letter(inst, i);
    enum ptx_type wanted = ptx_operand_type(inst, i);
    struct ptx_operand *op = &inst->operand[i];
    if (!wanted && strchr("dsvw", letter))
        return error_at(p, at, "`%s` lacks its type", inst->spelling);
    switch (op->kind) {
    case PTX_OPERAND_none:
    case PTX_OPERAND_sink:
        return true;
    case PTX_OPERAND_address:
        return check_address(p, at, inst, op, letter);
    case PTX_OPERAND_vector:
        if (letter == 'O' && op->item_count + 2 != inst->dims)
            return error_at(p, at, "`%s` wants %u offsets, found %u",
                            inst->spelling, inst->dims - 2, op->item_count);
        if (letter == 'w' && has_sink(op))
            return error_at(p, at, "`_` is nothing that `%s` could read",
                            inst->spelling);
        return check_vector(p, at, inst, op, wanted);
    default:
        if (inst->vector > 1 && strchr("vw", letter))
            return error_at(p, at, "`%s` wants a vector of %u here",
                            inst->spelling, inst->vector);
        return check_scalar(p, at, inst, op, wanted);
    }
}

/* ---- the instruction --------------------------------------------------- */

/* dax@78: this form is younger than the row. */
static bool check_form_age(struct parser *p, const struct token *at,
                           const struct ptx_inst *inst)
{
    const char *age = inst->operands + strcspn(inst->operands, " @");
    unsigned since = *age == '@' ? (unsigned)strtoul(age + 1, NULL, 10) : 0;
    if (p->module->version >= since)
        return true;
    return error_at(p, at,
                    "`%s` with these operands needs PTX %u.%u, .version says "
                    "%u.%u",
                    inst->spelling, since / 10, since % 10,
                    p->module->version / 10, p->module->version % 10);
}

bool check_inst(struct parser *p, struct ptx_inst *inst, struct inst_text *text)
{
    struct fit fit = {.parser = p, .inst = inst, .is_joined = text->is_joined};
    /* First with types; if no form fits, the message is about types. */
    fit.is_typed = true;
    const char *form = find_form(&fit);
    fit.is_typed = false;
    if (!form)
        form = find_form(&fit);
    if (!form)
        return error_no_form(p, text, inst);
    inst->operands = form;
    if (text->is_joined && !ptx_is_joined(inst))
        return error_at(p, &text->operand[1], "`%s` has one destination",
                        inst->spelling);
    place_operands(inst, text, &fit);
    if (!check_form_age(p, &text->opcode, inst))
        return false;
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (!check_operand(p, &text->operand[i], inst, i))
            return false;
    return check_texture(p, text, inst) && check_matrix(p, text, inst) &&
           check_values(p, text, inst) && check_selects(p, text, inst) &&
           check_windows(p, text, inst);
}
