/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints one instruction. Its spelling was kept when it was parsed; what
 * remains is operands, and which of them are joined by a bar.
 */
#include "ptx/parse.h"

#include "base/bits.h"
#include "ptx/print/text.h"

#include <stdio.h>
#include <stdlib.h>

void text_add(struct text *t, const char *format, ...)
{
    char buffer[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    if (len < 0 || t->is_lost ||
        !vec_reserve_((void **)&t->data, &t->capacity,
                      t->count + (size_t)len + 1, 1))
        t->is_lost = true;
    else if ((size_t)len < sizeof buffer)
        memcpy(t->data + t->count, buffer, (size_t)len + 1);
    else
        vsnprintf(t->data + t->count, (size_t)len + 1, format, again);
    va_end(again);
    if (!t->is_lost)
        t->count += (size_t)len;
}

/* The bits of a narrow format as the float that they stand for, exactly. */
static float widen_to_float(uint64_t bits, unsigned exponent_bits,
                            unsigned mantissa_bits)
{
    unsigned exponent =
        (unsigned)(bits >> mantissa_bits) & ((1u << exponent_bits) - 1);
    uint64_t mantissa = bits & ((UINT64_C(1) << mantissa_bits) - 1);
    bool is_negative = bits >> (exponent_bits + mantissa_bits) & 1;
    int bias = (1 << (exponent_bits - 1)) - 1;
    double value;
    if (exponent == (1u << exponent_bits) - 1)
        value = mantissa ? __builtin_nan("") : __builtin_inf();
    else if (exponent)
        value =
            __builtin_ldexp((double)(mantissa + (UINT64_C(1) << mantissa_bits)),
                            (int)exponent - bias - (int)mantissa_bits);
    else
        value =
            __builtin_ldexp((double)mantissa, 1 - bias - (int)mantissa_bits);
    return (float)(is_negative ? -value : value);
}

static void print_float32(struct text *t, float f)
{
    text_add(t, "0f%08X", bits_of_float(f));
}

static void print_float(struct text *t, enum ptx_type type, uint64_t bits)
{
    if (type == PTX_TYPE_f16)
        print_float32(t, widen_to_float(bits, 5, 10));
    else if (type == PTX_TYPE_bf16)
        print_float32(t, widen_to_float(bits, 8, 7));
    else if (ptx_type_size(type) == 8)
        text_add(t, "0d%016llX", (unsigned long long)bits);
    else
        text_add(t, "0f%08X", (uint32_t)bits);
}

void print_constant(struct text *t, enum ptx_type type, uint64_t bits)
{
    bool is_float =
        type == PTX_TYPE_f32 || type == PTX_TYPE_f64 || type == PTX_TYPE_tf32;
    if (is_float)
        print_float(t, type, bits);
    else if (ptx_type_kind(type) == PTX_KIND_signed)
        text_add(t, "%lld", (long long)bits);
    else
        text_add(t, "%llu", (unsigned long long)bits);
}

/* ---- operands ---------------------------------------------------------- */

static void print_offset(struct text *t, int64_t offset)
{
    if (offset)
        text_add(t, "+%lld", (long long)offset);
}

static void print_operand(struct text *t, const struct ptx_func *f,
                          const struct ptx_operand *op, enum ptx_type type);

static void print_items(struct text *t, const struct ptx_func *f,
                        const struct ptx_operand *op, enum ptx_type type)
{
    for (unsigned i = 0; i < op->item_count; i++) {
        if (i)
            text_add(t, ", ");
        print_operand(t, f, &op->items[i], type);
    }
}

static void print_address(struct text *t, const struct ptx_func *f,
                          const struct ptx_operand *op)
{
    text_add(t, "[");
    if (op->var || op->reg != PTX_NO_REG) {
        text_add(t, "%s", op->var ? op->var->name : f->regs[op->reg].name);
        print_offset(t, op->imm);
    } else {
        text_add(t, "%lld", (long long)op->imm);
    }
    if (op->item_count)
        text_add(t, ", ");
    print_items(t, f, op, PTX_TYPE_none);
    text_add(t, "]");
}

/* !%p, -%r1, %r1.b0, %r1.h10 */
static void print_register(struct text *t, const struct ptx_reg *r,
                           const struct ptx_operand *op)
{
    if (op->negated)
        text_add(t, r->type == PTX_TYPE_pred ? "!" : "-");
    text_add(t, "%s", r->name);
    if (op->select_count)
        text_add(t, ".%c%0*x", op->select_kind, op->select_count, op->select);
}

/* type: that of the operand's place; a float constant has its bits. */
static void print_operand(struct text *t, const struct ptx_func *f,
                          const struct ptx_operand *op, enum ptx_type type)
{
    static const char *const sreg_text[] = {
#define PTX_SREG(name, text, type) text,
#include "ptx/sregs.def"
    };
    switch (op->kind) {
    case PTX_OPERAND_none:
        break;
    case PTX_OPERAND_reg:
        print_register(t, &f->regs[op->reg], op);
        break;
    case PTX_OPERAND_imm:
        if (op->is_float_imm)
            print_float(t, type, (uint64_t)op->imm);
        else
            text_add(t, "%lld", (long long)op->imm);
        break;
    case PTX_OPERAND_sreg:
        text_add(t, "%s", sreg_text[op->sreg]);
        break;
    case PTX_OPERAND_var:
        text_add(t, "%s", op->var->name);
        print_offset(t, op->imm);
        break;
    case PTX_OPERAND_func:
        text_add(t, "%s", op->func->name);
        break;
    case PTX_OPERAND_address:
        print_address(t, f, op);
        break;
    case PTX_OPERAND_vector:
        text_add(t, "{");
        print_items(t, f, op, type);
        text_add(t, "}");
        break;
    case PTX_OPERAND_label:
        text_add(t, "%s", f->labels[op->label].name);
        break;
    case PTX_OPERAND_sink:
        text_add(t, "_");
        break;
    }
}

static void print_operands(struct text *t, const struct ptx_func *f,
                           const struct ptx_inst *inst)
{
    const char *separator = " ";
    for (unsigned i = 0; i < inst->operand_count; i++) {
        const struct ptx_operand *op = &inst->operand[i];
        if (op->kind == PTX_OPERAND_none)
            continue;
        text_add(t, "%s", i == 1 && ptx_is_joined(inst) ? "|" : separator);
        enum ptx_type type = ptx_operand_type(inst, i);
        if (op->kind == PTX_OPERAND_vector)
            type = ptx_item_type(inst, type, op->item_count);
        print_operand(t, f, op, type);
        separator = ", ";
    }
}

/* ---- calls ------------------------------------------------------------- */

static void print_list(struct text *t, const struct ptx_func *f,
                       const struct ptx_operand *list, unsigned count,
                       const struct ptx_var *params)
{
    text_add(t, "(");
    for (unsigned i = 0; i < count; i++) {
        if (i)
            text_add(t, ", ");
        print_operand(t, f, &list[i], params[i].type);
    }
    text_add(t, ")");
}

static void print_call(struct text *t, const struct ptx_func *f,
                       const struct ptx_inst *inst, const char *names)
{
    const struct ptx_call *call = inst->call;
    text_add(t, " ");
    if (call->ret_count) {
        print_list(t, f, call->rets, call->ret_count, call->prototype->rets);
        text_add(t, ", ");
    }
    text_add(t, "%s", call->func ? call->func->name : f->regs[call->reg].name);
    if (call->arg_count) {
        text_add(t, ", ");
        print_list(t, f, call->args, call->arg_count, call->prototype->params);
    }
    if (!call->func && names)
        text_add(t, ", %s%u", names, (unsigned)(inst - f->insts));
}

void print_inst(struct text *t, const struct ptx_func *f,
                const struct ptx_inst *inst, const char *names)
{
    if (inst->guard != PTX_NO_REG)
        text_add(t, "@%s%s ", inst->guard_negated ? "!" : "",
                 f->regs[inst->guard].name);
    text_add(t, "%s", inst->spelling);
    print_operands(t, f, inst);
    if (inst->call)
        print_call(t, f, inst, names);
    if (inst->op == PTX_OP_brx && names)
        text_add(t, ", %s%u", names, (unsigned)(inst - f->insts));
    text_add(t, ";");
}

void ptx_print_inst(const struct ptx_func *f, const struct ptx_inst *inst,
                    char *buffer, size_t size_bytes)
{
    struct text t = {0};
    print_inst(&t, f, inst, NULL);
    if (size_bytes)
        snprintf(buffer, size_bytes, "%.*s", (int)t.count,
                 t.data ? t.data : "");
    free(t.data);
}
