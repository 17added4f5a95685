/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvPTXCompiler: PTX is checked as loading it does, and what is called a
 * program is a fat binary with that PTX, which loads where a cubin does.
 *
 * In this folder:
 *   threads  one at a time for each handle
 *   errors   an nvPTXCompileResult; the reason is in the handle's error log, in
 *            NVIDIA's words, which callers print or search
 *   owners   a handle owns a copy of its PTX, its logs and its program
 *   units    sizes are bytes
 */
#include "nvPTXCompiler.h"

#include "base/arch.h"
#include "base/ptxas.h"
#include "core/core.h"
#include "core/usage.h"
#include "fatbin/fatbin.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_NAME "application ptx input"

struct nvPTXCompiler {
    char *ptx;
    int (*callback)(void *, void *);
    void *payload;
    char *errors, *info; /* the logs, malloc'ed; NULL: nothing */
    void *program;
    size_t program_bytes;
};

/* What the options of one compilation say. */
struct settings {
    unsigned sm;
    char suffix;         /* of sm_90a: 'a' */
    bool is_virtual;     /* compute_90: the PTX is checked, and that is all */
    bool is_relocatable; /* functions may be defined elsewhere */
    bool is_verbose;
    const char *entries; /* NULL: all kernels */
};

static bool say_into(char **log, const char *format, va_list args)
{
    char *text, *both;
    if (vasprintf(&text, format, args) < 0)
        return false;
    int length = asprintf(&both, "%s%s", *log ? *log : "", text);
    free(text);
    if (length < 0)
        return false;
    free(*log);
    *log = both;
    return true;
}

static nvPTXCompileResult __attribute__((format(printf, 2, 3)))
say_error(nvPTXCompilerHandle h, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool is_said = say_into(&h->errors, format, args);
    va_end(args);
    return is_said ? NVPTXCOMPILE_ERROR_COMPILATION_FAILURE
                   : NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
}

static nvPTXCompileResult __attribute__((format(printf, 2, 3)))
say_info(nvPTXCompilerHandle h, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool is_said = say_into(&h->info, format, args);
    va_end(args);
    return is_said ? NVPTXCOMPILE_SUCCESS : NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
}

/* ---- versions ------------------------------------------------------------ */

nvPTXCompileResult nvPTXCompilerGetVersion(unsigned *major, unsigned *minor)
{
    if (!major || !minor)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    *major = COMPILER_MAJOR;
    *minor = COMPILER_MINOR;
    return NVPTXCOMPILE_SUCCESS;
}

static void count_version(void *data, int major, int minor)
{
    (void)major, (void)minor;
    ++*(int *)data;
}

nvPTXCompileResult nvPTXCompilerGetNumSupportedVersions(int *numVersions)
{
    if (!numVersions)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    *numVersions = 0;
    ptxas_for_each_version(count_version, numVersions);
    return NVPTXCOMPILE_SUCCESS;
}

static void store_version(void *data, int major, int minor)
{
    int **next = data;
    *(*next)++ = major;
    *(*next)++ = minor;
}

nvPTXCompileResult nvPTXCompilerGetSupportedVersions(int (*versions)[2])
{
    int *next = versions ? *versions : NULL;
    if (!versions)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    ptxas_for_each_version(store_version, &next);
    return NVPTXCOMPILE_SUCCESS;
}

/* ---- handles ------------------------------------------------------------- */

nvPTXCompileResult nvPTXCompilerCreate(nvPTXCompilerHandle *compiler,
                                       size_t ptxCodeLen, const char *ptxCode)
{
    if (!compiler || !ptxCode || !ptxCodeLen)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    nvPTXCompilerHandle h = calloc(1, sizeof *h);
    if (!h || !(h->ptx = strndup(ptxCode, ptxCodeLen))) {
        free(h);
        return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
    }
    *compiler = h;
    return NVPTXCOMPILE_SUCCESS;
}

static void forget_results(nvPTXCompilerHandle h)
{
    free(h->errors);
    free(h->info);
    free(h->program);
    h->errors = h->info = NULL;
    h->program = NULL;
}

nvPTXCompileResult nvPTXCompilerDestroy(nvPTXCompilerHandle *compiler)
{
    if (!compiler || !*compiler)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    forget_results(*compiler);
    free((*compiler)->ptx);
    free(*compiler);
    *compiler = NULL;
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerSetFlowCallback(nvPTXCompilerHandle compiler,
                                                int (*callback)(void *, void *),
                                                void *payload)
{
    if (!compiler)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    if (!callback)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    compiler->callback = callback;
    compiler->payload = payload;
    return NVPTXCOMPILE_SUCCESS;
}

/* ---- options ------------------------------------------------------------- */

static nvPTXCompileResult set_arch(nvPTXCompilerHandle h, struct settings *s,
                                   const char *name)
{
    s->sm = arch_parse_name(name, &s->suffix);
    s->is_virtual = starts_with(name, "compute_");
    return arch_find(s->sm)
               ? NVPTXCOMPILE_SUCCESS
               : say_error(
                     h,
                     "ptxas fatal   : Value '%s' is not defined for option "
                     "'gpu-name'\n",
                     name);
}

static nvPTXCompileResult set_option(nvPTXCompilerHandle h, struct settings *s,
                                     const struct ptxas_option *o,
                                     const char *value)
{
    char room[256];
    const char *problem = o->value ? ptxas_check_value(o->value, o->name, value,
                                                       room, sizeof room)
                                   : NULL;
    if (problem)
        return say_error(h, "ptxas fatal   : %s\n", problem);
    if (!strcmp(o->name, "gpu-name"))
        return set_arch(h, s, value);
    if (!strcmp(o->name, "options-file"))
        return say_error(h,
                         "ptxas fatal   : Could not open options file '%s'\n",
                         value); /* none of a library's */
    if (!strcmp(o->name, "help") || !strcmp(o->name, "version"))
        return say_error(h, "ptxas fatal   : Internal error: exit status 0\n");
    s->is_verbose |= !strcmp(o->name, "verbose");
    s->is_relocatable |= !strcmp(o->name, "compile-only");
    if (!strcmp(o->name, "entry"))
        s->entries = value;
    return NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult read_options(nvPTXCompilerHandle h, int count,
                                       const char *const *options,
                                       struct settings *s)
{
    for (int i = 0; i < count; i++) {
        const char *value, *text = options[i];
        if (!text)
            return NVPTXCOMPILE_ERROR_INVALID_INPUT;
        if (*text != '-')
            return say_error(
                h,
                "ptxas fatal   : Input file '%s' could not be opened\n"
                "ptxas fatal   : Ptx assembly aborted due to errors\n",
                text);
        const struct ptxas_option *o = ptxas_find_option(text, &value);
        if (!o)
            return say_error(h, "ptxas fatal   : Unknown option '%.*s'\n",
                             (int)strcspn(text + 1, "="), text + 1);
        if (!o->value && value)
            return say_error(
                h, "ptxas fatal   : no argument expected after '%.*s'\n",
                (int)strcspn(text, "="), text);
        if (o->value && !value && i + 1 < count && !(value = options[++i]))
            return NVPTXCOMPILE_ERROR_INVALID_INPUT;
        if (o->value && !value)
            return say_error(
                h, "ptxas fatal   : argument expected after '%s'\n", text + 1);
        nvPTXCompileResult err = set_option(h, s, o, value);
        if (err)
            return err;
    }
    return NVPTXCOMPILE_SUCCESS;
}

/* ---- the compilation ----------------------------------------------------- */

static nvPTXCompileResult fail_with_log(nvPTXCompilerHandle h, CUresult err,
                                        const char *log)
{
    if (err == CUDA_ERROR_OUT_OF_MEMORY)
        return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
    if (err == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
        say_error(h,
                  "ptxas " INPUT_NAME
                  ", line 1; fatal   : Unsupported .version: "
                  "%s",
                  log);
        return NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION;
    }
    char *text = ptxas_log("ptxas", log);
    nvPTXCompileResult result =
        say_error(h, "%sptxas fatal   : Ptx assembly aborted due to errors\n",
                  text ? text : log);
    free(text);
    return result;
}

/* Does the PTX hold, by itself or for a later link? */
static nvPTXCompileResult check_ptx(nvPTXCompilerHandle h,
                                    const struct settings *s)
{
    char errors[16384] = "", *linked = NULL;
    struct module_log log = {errors, sizeof errors};
    struct module_parts *parts = module_parts_create(true);
    if (!parts)
        return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
    CUresult err = module_parts_add(parts, h->ptx, INPUT_NAME, false, &log);
    if (!err)
        err = module_parts_link(parts, s->is_relocatable, &log, NULL, &linked);
    module_parts_destroy(parts);
    free(linked);
    return err ? fail_with_log(h, err, errors) : NVPTXCOMPILE_SUCCESS;
}

/* Code for a device runs on later ones, that of sm_90a and its like on that
 * device alone. */
static nvPTXCompileResult check_target(nvPTXCompilerHandle h,
                                       const struct settings *s)
{
    struct fatbin_reader r;
    struct fatbin_item item;
    bool fits =
        fatbin_open(h->program, &r) && fatbin_next(&r, &item) &&
        (*item.suffix ? item.sm == s->sm && s->suffix : item.sm <= s->sm);
    return fits
               ? NVPTXCOMPILE_SUCCESS
               : say_error(h,
                           "ptxas fatal   : SM version specified by .target is "
                           "higher than default SM version assumed\n");
}

/* Is the kernel `name`, which ends at `length`, among those that were found? */
static bool has_entry(const char *usage, const char *name, size_t length)
{
    static const char head[] = "entry function '";
    for (const char *p = usage; (p = strstr(p, head));) {
        p += strlen(head);
        if (!strncmp(p, name, length) && p[length] == '\'')
            return true;
    }
    return false;
}

/* --entry NAME,...: are they there? */
static nvPTXCompileResult check_entries(nvPTXCompilerHandle h,
                                        const struct settings *s,
                                        const char *usage)
{
    for (const char *p = s->entries; p && *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        if (!has_entry(usage, p, n))
            return say_error(h, "ptxas fatal   : Unknown function %.*s\n",
                             (int)n, p);
        p += n;
    }
    return NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult report_kernels(nvPTXCompilerHandle h,
                                         const struct settings *s)
{
    char target[16];
    snprintf(target, sizeof target, "sm_%u%.1s", s->sm, &s->suffix);
    char *usage = report_text_usage(h->ptx, target, "ptxas         . ");
    if (!usage)
        return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
    nvPTXCompileResult err = check_entries(h, s, usage);
    if (!err && s->is_verbose)
        err = say_info(h, "%s", usage);
    free(usage);
    return err;
}

static nvPTXCompileResult compile_ptx(nvPTXCompilerHandle h,
                                      const struct settings *s)
{
    nvPTXCompileResult err = check_ptx(h, s);
    if (err)
        return err;
    const struct fatbin_image image = {.ptx = h->ptx, .bytes = strlen(h->ptx)};
    h->program = fatbin_build(&image, 1, INPUT_NAME, &h->program_bytes);
    if (!h->program)
        return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
    err = check_target(h, s);
    if (!err)
        err = report_kernels(h, s);
    if (!err && s->is_virtual)
        err = NVPTXCOMPILE_ERROR_COMPILATION_FAILURE; /* as NVIDIA's */
    return err;
}

nvPTXCompileResult nvPTXCompilerCompile(nvPTXCompilerHandle compiler,
                                        int numCompileOptions,
                                        const char *const *compileOptions)
{
    struct settings s = {.sm = 75};
    if (!compiler)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    if (numCompileOptions < 0 || (numCompileOptions && !compileOptions))
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    forget_results(compiler);
    if (compiler->callback && compiler->callback(compiler->payload, NULL))
        return NVPTXCOMPILE_ERROR_CANCELLED;
    nvPTXCompileResult err =
        read_options(compiler, numCompileOptions, compileOptions, &s);
    if (!err)
        err = compile_ptx(compiler, &s);
    if (err) {
        free(compiler->program);
        compiler->program = NULL;
    }
    return err;
}

/* ---- results ------------------------------------------------------------- */

nvPTXCompileResult
nvPTXCompilerGetCompiledProgramSize(nvPTXCompilerHandle compiler,
                                    size_t *binaryImageSize)
{
    if (!compiler)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    if (!binaryImageSize)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    if (!compiler->program)
        return NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE;
    *binaryImageSize = compiler->program_bytes;
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetCompiledProgram(nvPTXCompilerHandle compiler,
                                                   void *binaryImage)
{
    if (!compiler)
        return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
    if (!binaryImage)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    if (!compiler->program)
        return NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE;
    memcpy(binaryImage, compiler->program, compiler->program_bytes);
    return NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult log_size(const char *log, size_t *out)
{
    if (!out)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    *out = log ? strlen(log) + 1 : 0;
    return NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult copy_log(const char *log, char *out)
{
    if (!out)
        return NVPTXCOMPILE_ERROR_INVALID_INPUT;
    strcpy(out, log ? log : "");
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetErrorLogSize(nvPTXCompilerHandle compiler,
                                                size_t *errorLogSize)
{
    return compiler ? log_size(compiler->errors, errorLogSize)
                    : NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
}

nvPTXCompileResult nvPTXCompilerGetErrorLog(nvPTXCompilerHandle compiler,
                                            char *errorLog)
{
    return compiler ? copy_log(compiler->errors, errorLog)
                    : NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
}

nvPTXCompileResult nvPTXCompilerGetInfoLogSize(nvPTXCompilerHandle compiler,
                                               size_t *infoLogSize)
{
    return compiler ? log_size(compiler->info, infoLogSize)
                    : NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
}

nvPTXCompileResult nvPTXCompilerGetInfoLog(nvPTXCompilerHandle compiler,
                                           char *infoLog)
{
    return compiler ? copy_log(compiler->info, infoLog)
                    : NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
}
