/* SPDX-License-Identifier: Apache-2.0 */
/* The API of libNVVM: programs of modules, their options and results. */
#include "nvvm.h"

#include "nvvm/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arch.h"

struct _nvvmProgram {
    nvvm_modules modules;
    struct nvvm_log log;
    char *result;
};

/* ---- the log ------------------------------------------------------------- */

void nvvm_say(struct nvvm_log *log, const char *format, ...)
{
    char *line = NULL, *longer;
    va_list list;
    va_start(list, format);
    if (vasprintf(&line, format, list) < 0)
        line = NULL;
    va_end(list);
    if (!line)
        return;
    size_t length = log->text ? strlen(log->text) : 0;
    longer = realloc(log->text, length + strlen(line) + 2);
    if (longer) {
        log->text = longer;
        snprintf(longer + length, strlen(line) + 2, "%s%s", length ? "\n" : "",
                 line);
    }
    free(line);
}

static void clear_log(struct nvvm_log *log)
{
    free(log->text);
    log->text = NULL;
}

static const char *text_of(const struct nvvm_log *log)
{
    return log->text ? log->text : "";
}

/* ---- errors and versions ------------------------------------------------- */

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
                                                     : "NVVM_ERROR not found";
}

nvvmResult nvvmVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVVM_ERROR_INVALID_INPUT;
    *major = 2;
    *minor = 0;
    return NVVM_SUCCESS;
}

nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg,
                         int *minorDbg)
{
    if (!majorIR || !minorIR || !majorDbg || !minorDbg)
        return NVVM_ERROR_INVALID_INPUT;
    *majorIR = NVVM_IR_MAJOR;
    *minorIR = NVVM_IR_MINOR;
    *majorDbg = NVVM_DEBUG_MAJOR;
    *minorDbg = NVVM_DEBUG_MINOR;
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
    clear_log(&p->log);
    free(p->result);
    free(p);
    *prog = NULL;
    return NVVM_SUCCESS;
}

static nvvmResult add_module(nvvmProgram prog, const char *buffer, size_t size,
                             const char *name, bool is_lazy)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!buffer)
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
    return add_module(prog, buffer, size, name, false);
}

nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer,
                                      size_t size, const char *name)
{
    return add_module(prog, buffer, size, name, true);
}

/* ---- options ------------------------------------------------------------- */

/* "-fma=1" for "-fma"; *value is what stands behind the sign. */
static bool is_option(const char *text, const char *name, const char **value)
{
    size_t n = strlen(name);
    *value = text + n + 1;
    return strncmp(text, name, n) == 0 && text[n] == '=';
}

static bool read_arch(const char *value, struct nvvm_options *o)
{
    char suffix;
    if (!starts_with(value, "compute_"))
        return false;
    const struct arch *arch = arch_find(arch_parse_name(value, &suffix));
    if (!arch || arch->listing != ARCH_CURRENT)
        return false;
    o->number = arch->number;
    snprintf(o->arch, sizeof o->arch, "sm_%u%.1s", arch->number, &suffix);
    return true;
}

/* Options that are accepted without effect: debug information comes with the
 * IR, and -gen-lto gives PTX, which our nvJitLink takes for LTO-IR. */
static bool is_harmless(const char *text)
{
    static const char *const flags[] = {"-g", "-generate-line-info",
                                        "-numba-debug", "-gen-lto"};
    static const char *const settings[] = {"-jump-table-density",
                                           "-split-compile"};
    const char *value;
    for (size_t i = 0; i < ARRAY_COUNT(flags); i++)
        if (!strcmp(text, flags[i]))
            return true;
    for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
        if (is_option(text, settings[i], &value))
            return *value && value[strspn(value, "0123456789")] == 0;
    return false;
}

/* Options with a value of 0 or 1. Division and roots are precise in any case.
 */
static bool read_switch(const char *text, struct nvvm_options *o)
{
    bool unused;
    const struct {
        const char *name;
        bool *is_on;
    } switches[] = {{"-ftz", &o->flushes},
                    {"-fma", &o->contracts},
                    {"-prec-div", &unused},
                    {"-prec-sqrt", &unused}};
    const char *value;
    for (size_t i = 0; i < ARRAY_COUNT(switches); i++) {
        if (!is_option(text, switches[i].name, &value))
            continue;
        *switches[i].is_on = *value == '1';
        return !strcmp(value, "0") || !strcmp(value, "1");
    }
    return false;
}

static bool read_option(const char *text, struct nvvm_options *o)
{
    const char *value;
    if (is_option(text, "-arch", &value))
        return read_arch(value, o);
    if (is_option(text, "-opt", &value)) {
        o->is_optimised = *value != '0';
        return strspn(value, "0123") == 1 && !value[1];
    }
    return read_switch(text, o) || is_harmless(text);
}

static nvvmResult read_options(nvvmProgram p, int count, const char **options,
                               struct nvvm_options *o)
{
    *o = (struct nvvm_options){
        .arch = "sm_75", .number = 75, .is_optimised = true, .contracts = true};
    if (count < 0 || (count && !options))
        return NVVM_ERROR_INVALID_OPTION;
    for (int i = 0; i < count; i++) {
        if (options[i] && read_option(options[i], o))
            continue;
        nvvm_say(&p->log, "libnvvm : error: %s is an unsupported option",
                 options[i] ? options[i] : "NULL");
        return NVVM_ERROR_INVALID_OPTION;
    }
    return NVVM_SUCCESS;
}

/* ---- compiling ----------------------------------------------------------- */

static nvvmResult compile_program(nvvmProgram p, int count,
                                  const char **options, bool only_check,
                                  char **out)
{
    struct nvvm_options o;
    if (!p)
        return NVVM_ERROR_INVALID_PROGRAM;
    clear_log(&p->log);
    nvvmResult err = read_options(p, count, options, &o);
    if (err)
        return err;
    if (!p->modules.count)
        return NVVM_ERROR_NO_MODULE_IN_PROGRAM;
    return nvvm_compile(&p->modules, &o, only_check, &p->log, out);
}

nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions,
                              const char **options)
{
    char *text;
    nvvmResult err = compile_program(prog, numOptions, options, false, &text);
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
    nvvmResult err = compile_program(prog, numOptions, options, true, &text);
    if (!err)
        free(text);
    return err == NVVM_ERROR_COMPILATION ? NVVM_ERROR_INVALID_IR : err;
}

/* ---- results ------------------------------------------------------------- */

/* The PTX; an empty text if no compilation has succeeded. */
static const char *result_of(nvvmProgram p)
{
    return p->result ? p->result : "";
}

nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!bufferSizeRet)
        return NVVM_ERROR_INVALID_INPUT;
    *bufferSizeRet = strlen(result_of(prog)) + 1;
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!buffer)
        return NVVM_ERROR_INVALID_INPUT;
    strcpy(buffer, result_of(prog));
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!bufferSizeRet)
        return NVVM_ERROR_INVALID_INPUT;
    *bufferSizeRet = strlen(text_of(&prog->log)) + 1;
    return NVVM_SUCCESS;
}

nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer)
{
    if (!prog)
        return NVVM_ERROR_INVALID_PROGRAM;
    if (!buffer)
        return NVVM_ERROR_INVALID_INPUT;
    strcpy(buffer, text_of(&prog->log));
    return NVVM_SUCCESS;
}
