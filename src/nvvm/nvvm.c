/* SPDX-License-Identifier: Apache-2.0 */
/* The API of libNVVM: programs of modules, their options and results. */
#include "nvvm.h"

#include "nvvm/internal.h"

#include <stdio.h>
#include <stdlib.h>

struct _nvvmProgram {
    nvvm_modules modules;
    struct diag log;
    char *result;
};

static const char *const error_names[] = {
    [NVVM_SUCCESS] = "NVVM_SUCCESS",
    [NVVM_ERROR_OUT_OF_MEMORY] = "NVVM_ERROR_OUT_OF_MEMORY",
    [NVVM_ERROR_PROGRAM_CREATION_FAILURE] =
        "NVVM_ERROR_PROGRAM_CREATION_FAILURE",
    [NVVM_ERROR_IR_VERSION_MISMATCH] = "NVVM_ERROR_IR_VERSION_MISMATCH",
    [NVVM_ERROR_INVALID_INPUT] = "NVVM_ERROR_INVALID_INPUT",
    [NVVM_ERROR_INVALID_PROGRAM] = "NVVM_ERROR_INVALID_PROGRAM",
    [NVVM_ERROR_INVALID_IR] = "NVVM_ERROR_INVALID_IR",
    [NVVM_ERROR_INVALID_OPTION] = "NVVM_ERROR_INVALID_OPTION",
    [NVVM_ERROR_NO_MODULE_IN_PROGRAM] = "NVVM_ERROR_NO_MODULE_IN_PROGRAM",
    [NVVM_ERROR_COMPILATION] = "NVVM_ERROR_COMPILATION",
    [NVVM_ERROR_CANCELLED] = "NVVM_ERROR_CANCELLED",
};

const char *nvvmGetErrorString(nvvmResult result)
{
    return (size_t)result < ARRAY_COUNT(error_names) ? error_names[result]
                                                     : "unknown error";
}

nvvmResult nvvmVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVVM_ERROR_INVALID_INPUT;
    *major = 2;
    *minor = 0;
    return NVVM_SUCCESS;
}

/* Version 2.0 of the IR, 3.1 of what debuggers read. */
nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg,
                         int *minorDbg)
{
    if (!majorIR || !minorIR || !majorDbg || !minorDbg)
        return NVVM_ERROR_INVALID_INPUT;
    *majorIR = 2;
    *minorIR = 0;
    *majorDbg = 3;
    *minorDbg = 1;
    return NVVM_SUCCESS;
}

nvvmResult nvvmLLVMVersion(const char *arch, int *major)
{
    if (!arch || !major)
        return NVVM_ERROR_INVALID_INPUT;
    *major = WEFT_LLVM_VERSION;
    return NVVM_SUCCESS;
}

/* ---- programs ------------------------------------------------------------ */

nvvmResult nvvmCreateProgram(nvvmProgram *prog)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    *prog = calloc(1, sizeof **prog);
    if (!*prog)
        return NVVM_ERROR_OUT_OF_MEMORY;
    diag_init(&(*prog)->log);
    return NVVM_SUCCESS;
}

nvvmResult nvvmDestroyProgram(nvvmProgram *prog)
{
    if (!prog || !*prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    nvvmProgram p = *prog;
    for (size_t i = 0; i < p->modules.count; i++) {
        free(p->modules.data[i].bytes);
        free(p->modules.data[i].name);
    }
    vec_fini(&p->modules);
    diag_fini(&p->log);
    free(p->result);
    free(p);
    *prog = NULL;
    return NVVM_SUCCESS;
}

static nvvmResult add(nvvmProgram prog, const char *buffer, size_t size,
                      const char *name, bool is_lazy)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!buffer || !size)
        return NVVM_ERROR_INVALID_INPUT;
    struct nvvm_module m = {.bytes = malloc(size + 1),
                            .size_bytes = size,
                            .name = strdup(name ? name : "<unnamed>"),
                            .is_lazy = is_lazy};
    if (m.bytes && m.name && vec_push(&prog->modules, m)) {
        memcpy(m.bytes, buffer, size);
        m.bytes[size] = 0;
        return NVVM_SUCCESS;
    }
    free(m.bytes);
    free(m.name);
    return NVVM_ERROR_OUT_OF_MEMORY;
}

nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer,
                                  size_t size, const char *name)
{
    return add(prog, buffer, size, name, false);
}

nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer,
                                      size_t size, const char *name)
{
    return add(prog, buffer, size, name, true);
}

/* ---- options ------------------------------------------------------------- */

/* "-fma=1" for "-fma". */
static bool is_option(const char *text, const char *name, const char **value)
{
    size_t n = strlen(name);
    if (strncmp(text, name, n) != 0 || (text[n] && text[n] != '='))
        return false;
    *value = text[n] ? text + n + 1 : "";
    return true;
}

static bool read_arch(const char *value, struct nvvm_options *o)
{
    unsigned level = 0;
    char suffix = 0;
    int n = sscanf(value, "compute_%u%c", &level, &suffix);
    if (n < 1 || level < 20 || level > 130 ||
        (n == 2 && suffix != 'a' && suffix != 'f'))
        return false;
    snprintf(o->arch, sizeof o->arch, "sm_%u%.1s", level, &suffix);
    return true;
}

/* Precise division and roots are made whatever is asked; what debuggers want
 * is in the IR. What is to be linked is PTX as well: our nvJitLink takes it for
 * what it calls LTO-IR. */
static bool is_harmless(const char *text)
{
    static const char *const names[] = {
        "-prec-div",           "-prec-sqrt",   "-g",
        "-generate-line-info", "-numba-debug", "-gen-lto",
        "-jump-table-density"};
    const char *value;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (is_option(text, names[i], &value))
            return true;
    return false;
}

static bool read_option(const char *text, struct nvvm_options *o,
                        struct diag *log)
{
    const char *value;
    if (is_option(text, "-arch", &value) && read_arch(value, o))
        return true;
    if (is_option(text, "-opt", &value) && strspn(value, "0123") == 1)
        return o->is_optimised = *value != '0', true;
    if (is_option(text, "-ftz", &value))
        return o->flushes = *value == '1', true;
    if (is_option(text, "-fma", &value))
        return o->contracts = *value == '1', true;
    if (is_harmless(text))
        return true;
    diag_error(log, "unknown option %s", text);
    return false;
}

static nvvmResult read_options(nvvmProgram p, int count, const char **options,
                               struct nvvm_options *o)
{
    *o = (struct nvvm_options){
        .arch = "sm_75", .is_optimised = true, .contracts = true};
    if (count < 0 || (count && !options))
        return NVVM_ERROR_INVALID_OPTION;
    for (int i = 0; i < count; i++)
        if (!options[i] || !read_option(options[i], o, &p->log))
            return NVVM_ERROR_INVALID_OPTION;
    return NVVM_SUCCESS;
}

/* ---- compiling ----------------------------------------------------------- */

static nvvmResult compile(nvvmProgram p, int count, const char **options,
                          bool only_check, char **out)
{
    struct nvvm_options o;
    if (!p)
        return NVVM_ERROR_INVALID_PROGRAM;
    diag_fini(&p->log);
    diag_init(&p->log);
    nvvmResult err = read_options(p, count, options, &o);
    if (err)
        return err;
    if (!p->modules.count)
        return NVVM_ERROR_NO_MODULE_IN_PROGRAM;
    *out = nvvm_compile(&p->modules, &o, only_check, &p->log);
    return *out ? NVVM_SUCCESS : NVVM_ERROR_COMPILATION;
}

nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions,
                              const char **options)
{
    char *text;
    nvvmResult err = compile(prog, numOptions, options, false, &text);
    if (err)
        return err;
    free(prog->result);
    prog->result = text;
    return NVVM_SUCCESS;
}

nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions,
                             const char **options)
{
    char *text;
    nvvmResult err = compile(prog, numOptions, options, true, &text);
    if (!err)
        free(text);
    return err == NVVM_ERROR_COMPILATION ? NVVM_ERROR_INVALID_IR : err;
}

/* ---- results ------------------------------------------------------------- */

nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet)
{
    if (!prog || !prog->result)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!bufferSizeRet)
        return NVVM_ERROR_INVALID_INPUT;
    *bufferSizeRet = strlen(prog->result) + 1;
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer)
{
    if (!prog || !prog->result)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!buffer)
        return NVVM_ERROR_INVALID_INPUT;
    strcpy(buffer, prog->result);
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!bufferSizeRet)
        return NVVM_ERROR_INVALID_INPUT;
    *bufferSizeRet = (prog->log.text ? strlen(prog->log.text) : 0) + 1;
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!buffer)
        return NVVM_ERROR_INVALID_INPUT;
    strcpy(buffer, prog->log.text ? prog->log.text : "");
    return NVVM_SUCCESS;
}
