/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what PTX declares and does not define, so that a call of a device
 * function of another file is an error of the compilation, with the function's
 * name, and not of the program's first launch. (nvcc's assembler does the same:
 * "Unresolved extern function".)
 */
#include "cc/cc.h"

#include <ctype.h>
#include <stdio.h>

#include "abi/calls.h"
#include "base/ptx_names.h"

/* The functions that the engine provides to device code. */
static const char *const provided[] = {
#define BUILTIN(name, ...) name,
#include "abi/builtins.def"
};

/* The device runtime, for kernels that launch kernels. It includes functions
 * that weft lacks: a kernel that calls one is refused at its launch. */
static const char *const device_runtime[] = {
#define DEVICE_CALL(name, result, parameters) #name,
#include "abi/calls.def"
#define DEVICE_RUNTIME(name) name,
#include "abi/device_runtime.def"
};

static bool is_device_runtime(const char *name)
{
    char plain[128];
    if (!exec_call_plain_name(name, plain, sizeof plain))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(device_runtime); i++)
        if (strcmp(device_runtime[i], plain) == 0)
            return true;
    return false;
}

bool cc_is_provided(const char *name)
{
    if (is_device_runtime(name))
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(provided); i++)
        if (strcmp(provided[i], name) == 0)
            return true;
    return false;
}

/* The name is the last word before '[', ',' or ';'. */
static const char *variable_name(const char *p)
{
    const char *end = p + strcspn(p, "[,;");
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    while (end > p && ptx_is_name_char(end[-1]))
        end--;
    return end;
}

/* Calls `found` for each that is declared, not defined, and not weft's. */
static void for_each_unresolved(const char *ptx,
                                void (*found)(void *data, bool is_function,
                                              const char *name),
                                void *data)
{
    static const char keyword[] = ".extern";
    for (const char *p = ptx; (p = strstr(p, keyword)); p++) {
        const char *rest = ptx_skip_space(p + sizeof keyword - 1);
        bool is_function = starts_with(rest, ".func");
        bool is_variable =
            starts_with(rest, ".global") || starts_with(rest, ".const");
        if (!is_function && !is_variable) /* .shared: sized by the launch */
            continue;
        const char *name =
            is_function ? ptx_function_name(rest + 5) : variable_name(rest + 6);
        name = arena_strndup(cc_arena, name, ptx_name_length(name));
        if (!is_function || !cc_is_provided(name))
            found(data, is_function, name);
    }
}

/* Functions that clang calls for what device code cannot have. */
static const struct {
    const char *name, *reason;
} impossible[] = {
    {"__dynamic_cast", "the operator dynamic_cast is not allowed in device "
                       "code, which has no type information"},
    {"__cxa_bad_cast", "dynamic_cast is not allowed in device code"},
    {"__cxa_bad_typeid", "typeid is not allowed in device code"},
};

static bool report_impossible(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(impossible); i++) {
        if (strcmp(impossible[i].name, name) != 0)
            continue;
        cc_error("%s", impossible[i].reason);
        return true;
    }
    return false;
}

static void report_unresolved(void *is_good, bool is_function, const char *name)
{
    *(bool *)is_good = false;
    if (report_impossible(name))
        return;
    cc_error("Unresolved extern %s '%s': no device code in this file defines "
             "it; if another file does, compile both with -rdc=true (or -dc)",
             is_function ? "function" : "variable", name);
}

void cc_warn_of_definition(const char *symbol)
{
    static cc_args told;
    if (cc_contains(&told, symbol))
        return;
    cc_add(&told, symbol);
    cc_warning("extern declaration of the entity '%s' is treated as a static "
               "definition; if another file defines it, compile both with "
               "-rdc=true (or -dc)",
               symbol);
}

/* Without -rdc=true nvcc takes `extern __device__ int x` for a definition,
 * static and zero, if the size is known. */
void cc_define_variables(char *ptx)
{
    static const char keyword[] = ".extern";
    for (char *p = ptx; (p = strstr(p, keyword)); p++) {
        const char *rest = ptx_skip_space(p + sizeof keyword - 1);
        const char *name = variable_name(rest + 6);
        size_t length = ptx_name_length(name);
        if (!starts_with(rest, ".global") && !starts_with(rest, ".const"))
            continue;
        if (starts_with(name + length, "[]"))
            continue;
        memset(p, ' ', sizeof keyword - 1);
        cc_warn_of_definition(arena_strndup(cc_arena, name, length));
    }
}

bool cc_check_externs(const char *ptx)
{
    bool is_good = true;
    for_each_unresolved(ptx, report_unresolved, &is_good);
    return is_good;
}

/* The next place from `from` on where the name stands as a whole word; NULL:
 * none. */
static const char *find_name(const char *ptx, const char *from,
                             const char *name)
{
    const char *p = from;
    size_t length = strlen(name);
    while ((p = strstr(p, name)) && (ptx_is_name_char(p[length]) ||
                                     (p > ptx && ptx_is_name_char(p[-1]))))
        p += length;
    return p;
}

/* The name of the kernel in whose body `at` is; NULL: it is in none. */
static const char *kernel_around(const char *ptx, const char *at)
{
    for (const char *p = at; p > ptx && !starts_with(p - 1, "\n}"); p--)
        if (starts_with(p, ".entry"))
            return ptx_skip_space(p + strlen(".entry"));
    return NULL;
}

/* Since CUDA 12 a kernel cannot wait for the grids it launched, and nvcc
 * refuses a kernel that calls cudaDeviceSynchronize. Calls in other functions
 * are left: one may run on the host only; a kernel that reaches it is refused
 * at its launch. */
bool cc_check_waits(const char *ptx)
{
    static const char wait[] = "cudaDeviceSynchronize";
    const char *last = NULL;

    for (const char *p = ptx; (p = find_name(ptx, p, wait)); p++) {
        const char *name = kernel_around(ptx, p);
        if (!name || name == last)
            continue;
        last = name;
        cc_error("kernel '%.*s' calls cudaDeviceSynchronize: since CUDA 12 a "
                 "kernel cannot wait for the grids it launched; launch what "
                 "comes after them into cudaStreamTailLaunch",
                 (int)ptx_name_length(name), name);
    }
    return !last;
}

/* Does the PTX define a kernel or a function of that name? */
static bool has_function(const char *ptx, const char *name)
{
    for (const char *p = ptx; (p = find_name(ptx, p, name)); p++) {
        const char *line = p;
        while (line > ptx && line[-1] != '\n')
            line--;
        if (starts_with(line, ".entry") || starts_with(line, ".visible") ||
            starts_with(line, ".weak"))
            return true;
    }
    return false;
}

bool cc_check_entries(const char *ptx, const cc_args *names)
{
    bool is_good = true;
    for (size_t i = 0; i < names->count; i++) {
        if (has_function(ptx, names->data[i]))
            continue;
        cc_error("Unknown function '%s' (-e): kernels are named as in PTX, "
                 "mangled unless they are extern \"C\"",
                 names->data[i]);
        is_good = false;
    }
    return is_good;
}

static void add_function(void *names, bool is_function, const char *name)
{
    if (is_function)
        cc_add(names, name);
}

void cc_unresolved_functions(const char *ptx, cc_args *names)
{
    for_each_unresolved(ptx, add_function, names);
}
