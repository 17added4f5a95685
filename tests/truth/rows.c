/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every opcode of ops.def has a case in cases.def, or a reason in reasons.def,
 * and not both.
 */
#include "truth.h"

#include <stdio.h>
#include <string.h>

static const char *const ops[] = {
#define PTX_OP(name, ...) #name,
#include "ptx/ops.def"
};

static const struct {
    const char *op, *why;
} reasons[] = {
#define REASON(op, why) {#op, why},
#include "reasons.def"
};

/* `op` stands in the text as a word that suffixes or operands follow. */
static bool is_used(const char *text, const char *op)
{
    size_t length = strlen(op);

    for (const char *c = text; (c = strstr(c, op)); c++) {
        bool begins = c == text || strchr(" ;{:", c[-1]);
        if (begins && (c[length] == '\0' || strchr(". ;", c[length])))
            return true;
    }
    return false;
}

static bool has_case(const struct truth_forms *forms, const char *op)
{
    for (size_t i = 0; i < forms->count; i++)
        if (is_used(forms->at[i].body, op))
            return true;
    return false;
}

static const char *reason(const char *op)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(reasons[i].op, op) == 0)
            return reasons[i].why;
    return NULL;
}

int main(void)
{
    struct truth_forms forms = truth_forms_make(NULL);
    size_t count = sizeof ops / sizeof *ops;
    unsigned wrong = 0, cases = 0;

    for (size_t i = 0; i < count; i++) {
        bool is_tried = has_case(&forms, ops[i]);
        const char *why = reason(ops[i]);
        cases += is_tried;
        if (is_tried == !why)
            continue;
        wrong++;
        printf("%s: %s\n", ops[i],
               is_tried ? "has a case and a reason to have none"
                        : "has neither a case nor a reason");
    }
    printf("%zu opcodes, %u with cases, %zu forms, %u wrong\n", count, cases,
           forms.count, wrong);
    truth_forms_free(&forms);
    return wrong != 0;
}
