/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, calls of device functions, and calls into the engine. */
#include "emu/internal.h"

#include <stdlib.h>

#include "abi/calls.h"

/* What calls of one thread may take, the kernel's own frame not counted: a
 * device's local memory per thread. Recursion without end meets it soon. */
#define STACK_BYTES ((size_t)512 << 10)
#define FRAME_BYTES 64 /* what a frame without variables counts as */

void emu_push(struct emu_block *b, struct emu_thread *t,
              const struct ptx_func *f, const struct ptx_inst *call)
{
    const struct emu_code *code = map_find(&b->k->codes, f);
    size_t bytes = code->frame_bytes;
    size_t below = t->frame ? t->frame->stack_bytes + bytes + FRAME_BYTES : 0;
    struct emu_frame *frame =
        below > STACK_BYTES ? NULL : calloc(1, sizeof *frame);

    if (frame) {
        frame->regs = calloc(2 * f->reg_count + 1, sizeof *frame->regs);
        frame->memory = emu_local_alloc(bytes + 64);
    }
    if (!frame || !frame->regs || !frame->memory) {
        b->launch->helpers->trap(b->w);
        return;
    }
    frame->func = f;
    frame->code = code;
    frame->call = call;
    frame->up = t->frame;
    frame->depth = t->frame ? t->frame->depth + 1 : 0;
    frame->stack_bytes = below;
    t->frame = frame;
}

/* ---- functions of the engine -------------------------------------------- */

struct arguments {
    struct emu_block *b;
    struct emu_thread *t;
    const struct ptx_call *call;
};

static emu_bits argument_value(const struct arguments *a, unsigned i)
{
    const struct ptx_operand *o = &a->call->args[i];

    if (i >= a->call->arg_count)
        return 0;
    if (o->kind != PTX_OPERAND_var)
        return emu_read(a->b, a->t, o, PTX_TYPE_b64);
    return emu_load(o->var->size_bytes == 4 ? PTX_TYPE_b32 : PTX_TYPE_b64,
                    (uint8_t *)emu_symbol(a->b, a->t, o));
}

static void give_result(const struct arguments *a, emu_bits v)
{
    if (a->call->ret_count == 0)
        return;
    const struct ptx_operand *o = &a->call->rets[0];
    if (o->kind == PTX_OPERAND_var)
        emu_store(o->var->size_bytes == 4 ? PTX_TYPE_b32 : PTX_TYPE_b64,
                  (uint8_t *)emu_symbol(a->b, a->t, o), v);
    else
        emu_write(a->t, o, v);
}

static void do_vprintf(const struct arguments *a)
{
    give_result(a, (emu_bits)a->b->launch->helpers->vprintf(
                       a->b->w, argument_value(a, 0), argument_value(a, 1)));
}

static void do_malloc(const struct arguments *a)
{
    give_result(a,
                a->b->launch->helpers->malloc(a->b->w, argument_value(a, 0)));
}

static void do_aligned_malloc(const struct arguments *a)
{
    give_result(a, a->b->launch->helpers->aligned_malloc(
                       a->b->w, argument_value(a, 0), argument_value(a, 1)));
}

static void do_free(const struct arguments *a)
{
    a->b->launch->helpers->free(a->b->w, argument_value(a, 0));
}

static void do_assert_fail(const struct arguments *a)
{
    a->b->launch->helpers->assert_fail(
        a->b->w, argument_value(a, 0), argument_value(a, 1),
        (uint32_t)argument_value(a, 2), argument_value(a, 3),
        argument_value(a, 4), a->t->lane, UINT32_C(1) << a->t->lane);
}

static const struct builtin {
    const char *name;
    void (*run)(const struct arguments *a);
} builtins[] = {
#define BUILTIN(name, helper, result, parameters, extra, flow)                 \
    {name, do_##helper},
#include "abi/builtins.def"
};

static const struct builtin *find_builtin(const struct ptx_func *f)
{
    for (size_t i = 0; i < ARRAY_COUNT(builtins); i++)
        if (strcmp(f->name, builtins[i].name) == 0)
            return &builtins[i];
    return NULL;
}

bool emu_is_builtin(const struct ptx_func *f)
{
    return f->is_declaration &&
           (find_builtin(f) || exec_call_find(f->name) != EXEC_CALL_COUNT);
}

static void call_device_runtime(const struct arguments *a, enum exec_call which)
{
    const char *letter = exec_call_forms[which].parameters;
    uint64_t words[EXEC_CALL_MAX_ARGUMENTS];

    for (unsigned i = 0; letter[i]; i++) {
        if (i >= a->call->arg_count)
            words[i] = 0;
        else if (letter[i] == 'd')
            words[i] = emu_symbol(a->b, a->t, &a->call->args[i]);
        else
            words[i] = (uint64_t)argument_value(a, i);
        if (letter[i] == 'i')
            words[i] = (uint32_t)words[i];
    }
    give_result(a, a->b->launch->helpers->device_call(a->b->w, which,
                                                      a->t->lane, words));
}

/* ---- functions of the module -------------------------------------------- */

static const struct ptx_func *target_of(struct emu_block *b,
                                        struct emu_thread *t,
                                        const struct ptx_call *call)
{
    if (call->func)
        return call->func;
    const struct ptx_module *m = b->k->func->module;
    emu_bits handle = t->frame->regs[call->reg];
    for (size_t i = 0; i < m->func_count; i++)
        if (m->funcs[i]->is_address_taken &&
            WEFT_FUNC_HANDLE(m->funcs[i]->index) == handle)
            return m->funcs[i];
    b->launch->helpers->bad_call(b->w, handle);
    return NULL;
}

/* Writes one parameter into the callee's frame: `bytes` if the argument is a
 * variable, else `value`. */
static void pass_parameter(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_operand *from, emu_bits value,
                           const uint8_t *bytes, const struct ptx_var *to)
{
    uint8_t *p = t->frame->memory + emu_place_of(&b->k->frames, to);

    if (from->kind == PTX_OPERAND_var)
        memcpy(p, bytes, to->size_bytes);
    else
        memcpy(p, &value, to->size_bytes < 8 ? to->size_bytes : 8);
}

void emu_call(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in)
{
    const struct ptx_call *call = in->call;
    const struct ptx_func *f = target_of(b, t, call);

    if (!f)
        return;
    if (f->is_declaration) {
        const struct arguments a = {b, t, call};
        const struct builtin *builtin = find_builtin(f);
        enum exec_call which = exec_call_find(f->name);
        if (builtin)
            builtin->run(&a);
        else if (which != EXEC_CALL_COUNT)
            call_device_runtime(&a, which);
        else
            b->launch->helpers->bad_call(b->w, 0);
        return;
    }
    struct emu_frame *caller = t->frame;
    emu_push(b, t, f, in);
    struct emu_frame *callee = t->frame;
    if (callee == caller)
        return;
    for (unsigned i = 0; i < call->arg_count && i < f->param_count; i++) {
        const struct ptx_operand *o = &call->args[i];
        t->frame = caller;
        emu_bits v = emu_read(b, t, o, PTX_TYPE_b64);
        t->frame = callee;
        pass_parameter(b, t, o, v, (const uint8_t *)v, &f->params[i]);
    }
}

/* Copies the callee's results to the caller, while its frame is still there. */
static void return_results(struct emu_block *b, struct emu_thread *t)
{
    struct emu_frame *callee = t->frame, *caller = callee->up;

    if (!caller || !callee->call)
        return;
    const struct ptx_call *call = callee->call->call;
    for (unsigned i = 0; i < call->ret_count && i < callee->func->ret_count;
         i++) {
        const struct ptx_var *from = &callee->func->rets[i];
        const uint8_t *p = callee->memory + emu_place_of(&b->k->frames, from);
        t->frame = caller;
        if (call->rets[i].kind == PTX_OPERAND_var) {
            memcpy((void *)emu_symbol(b, t, &call->rets[i]), p,
                   from->size_bytes);
        } else {
            emu_bits v = 0;
            memcpy(&v, p, from->size_bytes < 8 ? from->size_bytes : 8);
            emu_write(t, &call->rets[i], v);
        }
        t->frame = callee;
    }
}

void emu_pop(struct emu_block *b, struct emu_thread *t)
{
    struct emu_frame *frame = t->frame;

    return_results(b, t);
    t->frame = frame->up;
    if (!frame->up)
        t->state = EMU_DONE;
    emu_stack_fini(frame);
    free(frame->regs);
    emu_local_free(frame->memory, frame->code->frame_bytes + 64);
    free(frame);
}
