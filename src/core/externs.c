/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a module declares and does not define. Some functions are ours
 * (emit/builtins.def). Those of the device runtime are known by name, since a
 * kernel that launches kernels should hear that; they do not keep the rest of
 * the module from being used. Everything else is an error of the load.
 */
#include "core/internal.h"

#include "link/link.h"

static const char *const provided[] = {
#define BUILTIN(name, helper, result, parameters, extra) name,
#include "emit/builtins.def"
};

static const char *const device_runtime[] = {
#define DEVICE_RUNTIME(name) name,
#include "core/device_runtime.def"
};

static bool is_in(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* The same functions have other names since CUDA 12. */
static bool is_device_runtime(const char *name)
{
    static const char prefix[] = "__cudaCDP2";
    char plain[128] = "cuda";
    if (strncmp(name, prefix, sizeof prefix - 1) == 0 &&
        strlen(name) < sizeof plain)
        name = strcat(plain, name + sizeof prefix - 1);
    return is_in(device_runtime, ARRAY_COUNT(device_runtime), name);
}

/* ---- at load ------------------------------------------------------------ */

static void report_function(void *log, const struct ptx_func *f)
{
    if (is_in(provided, ARRAY_COUNT(provided), f->name) ||
        is_device_runtime(f->name))
        return;
    diag_report(log, DIAG_ERROR, "ptx", f->line, 0, NULL,
                "function `%s` is called, and defined nowhere", f->name);
}

/* An unsized .shared array is as long as the launch says. */
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

/* ---- at launch ------------------------------------------------------------
 */

/* Functions still to look at; each comes once. */
struct reach {
    VEC(const struct ptx_func *) todo;
    struct map seen;
    const char *found;
};

static void reach_func(struct reach *r, const struct ptx_func *f)
{
    if (!f || f->is_prototype || map_find(&r->seen, f))
        return;
    if (f->is_declaration && is_device_runtime(f->name))
        r->found = f->name;
    map_put(&r->seen, f, (void *)f);
    vec_push(&r->todo, f);
}

/* An indirect call may reach what a function names, and what a variable
 * does; the latter are left aside. */
static void reach_from(struct reach *r, const struct ptx_func *f)
{
    for (size_t i = 0; i < f->inst_count && !r->found; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        if (inst->call)
            reach_func(r, inst->call->func);
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
