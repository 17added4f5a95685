/* SPDX-License-Identifier: Apache-2.0 */
/* Names and facts from tables: opcodes and types. */
#include "ptx/internal.h"

const struct op_row ptx_ops[PTX_OP_COUNT] = {
#define PTX_OP(name, context, ...) [PTX_OP_##name] = {#name, CONTEXT_##context},
#include "ptx/ops.def"
};

const struct form_row ptx_forms[] = {
#define PTX_FORM(op, suffixes, operands, since, sm)                            \
    {PTX_OP_##op, suffixes, operands, since, sm},
#include "ptx/forms.def"
};
const size_t ptx_form_count = ARRAY_COUNT(ptx_forms);

const struct rule_row ptx_rules[] = {
#define PTX_RULE(op, suffixes, what, others)                                   \
    {PTX_OP_##op, suffixes, RULE_##what, others},
#include "ptx/rules.def"
};
const size_t ptx_rule_count = ARRAY_COUNT(ptx_rules);

const struct value_row ptx_values[] = {
#define PTX_VALUE(op, suffixes, place, values)                                 \
    {PTX_OP_##op, suffixes, place, values},
#include "ptx/rules.def"
};
const size_t ptx_value_count = ARRAY_COUNT(ptx_values);

const struct ptx_type_row ptx_type_rows[PTX_TYPE_COUNT] = {
    [PTX_TYPE_none] = {"none", 0, PTX_KIND_none},
#define PTX_TYPE(name, size_bytes, kind)                                       \
    [PTX_TYPE_##name] = {#name, size_bytes, PTX_KIND_##kind},
#include "ptx/types.def"
};
static_assert(PTX_TYPE_COUNT <= 64, "types are bits of a uint64_t");

const char *ptx_op_name(enum ptx_op op)
{
    return op > PTX_OP_invalid && op < PTX_OP_COUNT ? ptx_ops[op].name
                                                    : "invalid";
}

const char *ptx_type_name(enum ptx_type t)
{
    return t < PTX_TYPE_COUNT ? ptx_type_rows[t].name : "invalid";
}

enum ptx_type ptx_sreg_type(enum ptx_sreg s)
{
    static const uint8_t types[PTX_SREG_COUNT] = {
#define PTX_SREG(name, text, type) PTX_TYPE_##type,
#include "ptx/sregs.def"
    };
    return types[s];
}

bool ptx_is_of_device(const struct ptx_inst *inst)
{
    return (ptx_forms[inst->form].sm & ~SM_ARCH) <= 90;
}
