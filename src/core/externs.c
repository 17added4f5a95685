/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions and variables that a module declares and does not define. Some
 * functions are ours (abi/builtins.def, abi/calls.def). The rest of the device
 * runtime is known by name: a kernel that calls it is refused at its launch,
 * and the rest of the module can be used. Everything else is an error of the
 * load.
 */
#include "core/grid.h"

#include "link/link.h"

static const char *const provided[] = {
#define BUILTIN(name, ...) name,
#include "abi/builtins.def"
#define DEVICE_CALL(name, result, parameters) #name,
#include "abi/calls.def"
};

static const char *const device_runtime[] = {
#define DEVICE_RUNTIME(name) name,
#include "abi/device_runtime.def"
};

static bool is_in(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* Is the name in the list? Mangling around it is ignored. */
static bool is_listed(const char *const *list, size_t count, const char *name)
{
    char plain[128];
    return exec_call_plain_name(name, plain, sizeof plain) &&
           is_in(list, count, plain);
}

static bool is_device_runtime(const char *name)
{
    return is_listed(device_runtime, ARRAY_COUNT(device_runtime), name);
}

/* ---- at load ------------------------------------------------------------ */

static void report_function(void *log, const struct ptx_func *f)
{
    if (is_listed(provided, ARRAY_COUNT(provided), f->name) ||
        is_device_runtime(f->name))
        return;
    diag_report(log, DIAG_ERROR, "ptx", f->line, 0, NULL,
                "function `%s` is called, and defined nowhere", f->name);
}

/* An unsized .shared array is no error: the launch says its size. */
static void report_variable(struct diag *log, const struct ptx_var *v)
{
    bool is_in_memory = v->space == PTX_SPACE_global ||
                        v->space == PTX_SPACE_const ||
                        v->space == PTX_SPACE_tex;
    if (v->linkage == PTX_LINK_extern && is_in_memory)
        diag_report(log, DIAG_ERROR, "ptx", v->line, 0, NULL,
                    "variable `%s` is declared .extern and defined nowhere",
                    v->name);
}

CUresult module_check_externs(const struct ptx_module *m, struct diag *log)
{
    unsigned errors = log->error_count;
    for (size_t i = 0; i < m->var_count; i++)
        report_variable(log, m->vars[i]);
    link_for_each_undefined(m, report_function, log);
    return log->error_count == errors ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

static void note_call(void *found, const struct ptx_func *f)
{
    if (exec_call_find(f->name) != EXEC_CALL_COUNT)
        *(bool *)found = true;
}

/* True: something in the module calls the device runtime. */
static bool module_calls_device(CUmodule m)
{
    /* 0: not known yet; 1: no; 2: yes */
    int known = atomic_load_explicit(&m->calls_device, memory_order_relaxed);
    if (known == 0) {
        bool found = false;
        link_for_each_undefined(m->ptx, note_call, &found);
        known = found ? 2 : 1;
        atomic_store_explicit(&m->calls_device, known, memory_order_relaxed);
    }
    return known == 2;
}

bool module_is_device_runtime(const struct ptx_module *m)
{
    static const char reserved[] = EXEC_CALL_PREFIX;
    for (size_t i = 0; i < m->func_count; i++) {
        const struct ptx_func *f = m->funcs[i];
        if (!f->is_declaration && !f->is_prototype &&
            strncmp(f->name, reserved, sizeof reserved - 1) == 0)
            return true;
    }
    return false;
}

/* ---- at launch ---------------------------------------------------------- */

/* Functions that are still to be visited; each once. */
struct reach {
    VEC(const struct ptx_func *) todo;
    struct map seen;
    const char *found;
    unsigned uses; /* enum device_use */
};

static unsigned use_of(const char *name)
{
    switch (exec_call_find(name)) {
    case EXEC_CALL_cudaGetParameterBuffer:
    case EXEC_CALL_cudaGetParameterBufferV2:
    case EXEC_CALL_cudaLaunchDevice:
    case EXEC_CALL_cudaLaunchDeviceV2:
        return DEVICE_USE_GRIDS;
    case EXEC_CALL_cudaGraphLaunch:
        return DEVICE_USE_GRAPHS;
    case EXEC_CALL_cudaGraphKernelNodeSetGridDim:
    case EXEC_CALL_cudaGraphKernelNodeSetParam:
    case EXEC_CALL_cudaGraphKernelNodeSetEnabled:
    case EXEC_CALL_cudaGraphKernelNodeUpdatesApply:
        return DEVICE_USE_UPDATES;
    default:
        return 0;
    }
}

static void reach_func(struct reach *r, const struct ptx_func *f)
{
    if (!f || f->is_prototype || map_find(&r->seen, f))
        return;
    if (f->is_declaration && is_device_runtime(f->name))
        r->found = f->name;
    if (f->is_declaration && exec_call_find(f->name) != EXEC_CALL_COUNT)
        r->uses |= DEVICE_USE_ANY | use_of(f->name);
    /* What cannot be visited may use anything. */
    if (!vec_push(&r->todo, f) || !map_put(&r->seen, f, (void *)f))
        r->uses |= DEVICE_USE_ANY | DEVICE_USE_GRIDS | DEVICE_USE_GRAPHS |
                   DEVICE_USE_UPDATES;
}

/* An indirect call may reach every function whose address the function takes.
 * Addresses in variables are not followed: there it may reach any call. */
static void reach_from(struct reach *r, const struct ptx_func *f)
{
    for (size_t i = 0; i < f->inst_count && !r->found; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        if (inst->call)
            reach_func(r, inst->call->func);
        if (inst->call && !inst->call->func)
            r->uses |= DEVICE_USE_ANY;
        for (unsigned k = 0; k < inst->operand_count; k++)
            reach_func(r, inst->operand[k].func);
    }
}

const char *kernel_device_runtime_call(const struct ptx_func *kernel)
{
    struct reach r = {0};
    map_init_pointers(&r.seen);
    reach_func(&r, kernel);
    for (size_t i = 0; i < r.todo.count && !r.found; i++)
        reach_from(&r, r.todo.data[i]);
    map_fini(&r.seen);
    vec_fini(&r.todo);
    return r.found;
}

unsigned function_device_uses(CUfunction f)
{
    enum { DEVICE_USE_KNOWN = 1 << 16 };
    struct reach r = {0};
    if (!module_calls_device(f->module))
        return 0;
    unsigned known =
        atomic_load_explicit(&f->device_uses, memory_order_relaxed);
    if (known)
        return known & ~(unsigned)DEVICE_USE_KNOWN;
    map_init_pointers(&r.seen);
    reach_func(&r, f->ptx);
    for (size_t i = 0; i < r.todo.count; i++)
        reach_from(&r, r.todo.data[i]);
    map_fini(&r.seen);
    vec_fini(&r.todo);
    assert(r.uses < DEVICE_USE_KNOWN);
    atomic_store_explicit(&f->device_uses, r.uses | DEVICE_USE_KNOWN,
                          memory_order_relaxed);
    return r.uses;
}
