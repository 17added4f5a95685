/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API: arguments are checked here, results are copied out here. Nothing is
 * shared between programs.
 */
#include "nvrtc/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arch.h"
#include "base/clock.h"

/* ---- general ------------------------------------------------------------- */

static const char *const error_names[] = {
    [NVRTC_SUCCESS] = "NVRTC_SUCCESS",
#define NAME(e) [NVRTC_ERROR_##e] = "NVRTC_ERROR_" #e
    NAME(OUT_OF_MEMORY),
    NAME(PROGRAM_CREATION_FAILURE),
    NAME(INVALID_INPUT),
    NAME(INVALID_PROGRAM),
    NAME(INVALID_OPTION),
    NAME(COMPILATION),
    NAME(BUILTIN_OPERATION_FAILURE),
    NAME(NO_NAME_EXPRESSIONS_AFTER_COMPILATION),
    NAME(NO_LOWERED_NAMES_BEFORE_COMPILATION),
    NAME(NAME_EXPRESSION_NOT_VALID),
    NAME(INTERNAL_ERROR),
    NAME(TIME_FILE_WRITE_FAILED),
    NAME(NO_PCH_CREATE_ATTEMPTED),
    NAME(PCH_CREATE_HEAP_EXHAUSTED),
    NAME(PCH_CREATE),
    NAME(CANCELLED),
    NAME(TIME_TRACE_FILE_WRITE_FAILED),
#undef NAME
};

const char *nvrtcGetErrorString(nvrtcResult result)
{
    size_t i = (size_t)result;
    return i < ARRAY_COUNT(error_names) ? error_names[i]
                                        : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = RTC_MAJOR;
    *minor = RTC_MINOR;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs)
{
    if (!numArchs)
        return NVRTC_ERROR_INVALID_INPUT;
    const struct arch *arch;
    *numArchs = 0;
    for (size_t i = 0; (arch = arch_at(i)); i++)
        *numArchs += arch->listing == ARCH_CURRENT;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs)
{
    if (!supportedArchs)
        return NVRTC_ERROR_INVALID_INPUT;
    const struct arch *arch;
    for (size_t i = 0; (arch = arch_at(i)); i++)
        if (arch->listing == ARCH_CURRENT)
            *supportedArchs++ = (int)arch->number;
    return NVRTC_SUCCESS;
}

/* ---- programs ------------------------------------------------------------ */

static void destroy_program(nvrtcProgram p)
{
    for (size_t i = 0; i < p->headers.count; i++) {
        free(p->headers.data[i].name);
        free(p->headers.data[i].text);
    }
    for (size_t i = 0; i < p->names.count; i++) {
        free(p->names.data[i].expression);
        free(p->names.data[i].lowered);
    }
    vec_fini(&p->headers);
    vec_fini(&p->names);
    rtc_blob_free(&p->ptx);
    rtc_blob_free(&p->image);
    rtc_blob_free(&p->log);
    free(p->source);
    free(p->name);
    free(p);
}

/* A copy; NULL: no memory, or nothing to decode. */
static char *decode_text(const struct rtc_decoder *d, const char *text)
{
    if (d->decode)
        text = d->decode(text, d->payload);
    return text ? strdup(text) : NULL;
}

static bool add_header(nvrtcProgram p, const char *name, const char *text)
{
    struct rtc_header h = {strdup(name), decode_text(&p->decoder, text)};
    if (h.name && h.text && vec_push(&p->headers, h))
        return true;
    free(h.name);
    free(h.text);
    return false;
}

static nvrtcResult create_program(nvrtcProgram *prog, const char *src,
                                  const char *name, int numHeaders,
                                  const char *const *headers,
                                  const char *const *includeNames,
                                  const struct rtc_decoder *decoder)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!src || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < numHeaders; i++)
        if (!headers[i] || !includeNames[i] || !*includeNames[i])
            return NVRTC_ERROR_INVALID_INPUT;

    nvrtcProgram p = calloc(1, sizeof *p);
    if (!p)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    p->decoder = *decoder;
    p->name = strdup(name && *name ? name : "default_program");
    bool ok = p->name && rtc_blob_set(&p->log, "", 0);
    for (int i = 0; ok && i < numHeaders; i++)
        ok = add_header(p, includeNames[i], headers[i]);
    p->source = ok ? decode_text(decoder, src) : NULL;
    if (!p->source) {
        destroy_program(p);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    *prog = p;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src,
                               const char *name, int numHeaders,
                               const char *const *headers,
                               const char *const *includeNames)
{
    static const struct rtc_decoder plain;
    return create_program(prog, src, name, numHeaders, headers, includeNames,
                          &plain);
}

nvrtcResult __nvrtcCPEx(nvrtcProgram *prog, const char *src, const char *name,
                        int numHeaders, const char *const *headers,
                        const char *const *includeNames, int numExtensions,
                        const int *extensions, void *const *extensionArgs)
{
    struct rtc_decoder decoder = {0};
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (numExtensions < 0 || (numExtensions && (!extensions || !extensionArgs)))
        return NVRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < numExtensions; i++) {
        switch (extensions[i]) {
        case RTC_EXTENSION_DECODE:
            *(void **)&decoder.decode = extensionArgs[i];
            break;
        case RTC_EXTENSION_DECODE_PAYLOAD:
            decoder.payload = extensionArgs[i];
            break;
        default:
            return NVRTC_ERROR_INVALID_INPUT;
        }
    }
    return create_program(prog, src, name, numHeaders, headers, includeNames,
                          &decoder);
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog)
{
    if (!prog || !*prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    destroy_program(*prog);
    *prog = NULL;
    return NVRTC_SUCCESS;
}

/* ---- compiling ----------------------------------------------------------- */

static nvrtcResult build_or_find(nvrtcProgram p, const struct rtc_options *o)
{
    struct rtc_blob key = {0}, inputs = {0};
    bool has_key = !o->no_cache && rtc_cache_key(p, o, &key);
    nvrtcResult err = NVRTC_SUCCESS;
    if (!has_key || !rtc_cache_find(p, &key)) {
        err = rtc_build(p, o, &inputs);
        if (!err && has_key)
            rtc_cache_store(p, &key, &inputs);
    }
    rtc_blob_free(&key);
    rtc_blob_free(&inputs);
    return err;
}

/* -time: a line to the file, or to the log where that is "-". */
static nvrtcResult say_time(nvrtcProgram p, const char *path, double ms)
{
    static const char head[] = "File name, phase name, metric, unit\n";
    char text[64];
    snprintf(text, sizeof text, ", compilation, %.0f, ms\n", ms);
    struct rtc_blob lines = {0};
    bool is_log = strcmp(path, "-") == 0;
    bool ok = (!is_log || rtc_blob_add(&lines, "\n", 1)) &&
              rtc_blob_add(&lines, head, sizeof head - 1) &&
              rtc_blob_add(&lines, p->name, strlen(p->name)) &&
              rtc_blob_add(&lines, text, strlen(text));
    nvrtcResult err = ok ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
    if (ok && is_log && !rtc_blob_add(&p->log, lines.data, lines.bytes))
        err = NVRTC_ERROR_OUT_OF_MEMORY;
    if (ok && !is_log) {
        FILE *f = fopen(path, "we");
        bool is_written = f && fwrite(lines.data, lines.bytes, 1, f) == 1;
        if ((f && fclose(f) != 0) || !is_written)
            err = NVRTC_ERROR_TIME_FILE_WRITE_FAILED;
    }
    rtc_blob_free(&lines);
    return err;
}

/* After a compilation that worked: writes what -time measured, and checks that
 * the file of -fdevice-time-trace is there. */
static nvrtcResult say_measures(nvrtcProgram p, const struct rtc_options *o,
                                double ms)
{
    nvrtcResult err =
        o->time_file ? say_time(p, o->time_file, ms) : NVRTC_SUCCESS;
    if (!err && o->trace_file && access(o->trace_file, F_OK) != 0)
        err = NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED;
    return err;
}

static void free_texts(char **texts, int count)
{
    for (int i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

static void trim_end(char *text)
{
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
}

/* Copies of a client's options, without blanks behind them (cuDNN's flags and
 * macros have some); NULL: no memory. */
static char **decode_options(const struct rtc_decoder *d, int count,
                             const char *const *options)
{
    char **texts = calloc((size_t)count + 1, sizeof *texts);
    for (int i = 0; texts && i < count; i++) {
        texts[i] = decode_text(d, options[i] ? options[i] : "");
        if (!texts[i]) {
            free_texts(texts, i);
            return NULL;
        }
        trim_end(texts[i]);
    }
    return texts;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                const char *const *options)
{
    struct rtc_options o = {0};
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (numOptions < 0)
        return NVRTC_ERROR_INVALID_INPUT;
    if (numOptions && !options)
        return NVRTC_ERROR_INVALID_OPTION;

    prog->is_compiled = true;
    prog->has_result = prog->has_pch = false;
    rtc_blob_free(&prog->ptx);
    rtc_blob_free(&prog->image);
    char **texts = decode_options(&prog->decoder, numOptions, options);
    nvrtcResult err = texts && rtc_blob_set(&prog->log, "", 0)
                          ? NVRTC_SUCCESS
                          : NVRTC_ERROR_OUT_OF_MEMORY;
    if (!err)
        err = rtc_options_read(&o, prog->name, numOptions,
                               (const char *const *)texts, &prog->log);
    const uint64_t begin_ns = clock_now_ns();
    if (!err)
        err = rtc_pch_find(prog, &o);
    if (!err)
        err = build_or_find(prog, &o);
    if (!err)
        err = rtc_pch_create(prog, &o);
    if (!err)
        err = rtc_pch_use(prog, &o);
    prog->has_result = err == NVRTC_SUCCESS;
    if (!err)
        err =
            say_measures(prog, &o, (double)(clock_now_ns() - begin_ns) * 1e-6);
    prog->has_ltoir = prog->has_result && o.wants_ltoir;
    rtc_options_fini(&o);
    free_texts(texts, texts ? numOptions : 0);
    return err;
}

/* ---- results ------------------------------------------------------------- */

/* The size of a result; with_nul: 1 for a text, whose NUL is counted. A text
 * that is not there is an empty one. */
static nvrtcResult size_of(nvrtcProgram p, const struct rtc_blob *b,
                           size_t with_nul, size_t *out)
{
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    *out = b->bytes + with_nul;
    return NVRTC_SUCCESS;
}

static nvrtcResult copy_out(nvrtcProgram p, const struct rtc_blob *b,
                            size_t with_nul, char *out)
{
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    if (b->bytes)
        memcpy(out, b->data, b->bytes);
    if (with_nul)
        out[b->bytes] = 0;
    return NVRTC_SUCCESS;
}

/* With -dlto the program's PTX is its LTO-IR, and there is no other. */
static const struct rtc_blob *ptx_of(nvrtcProgram p)
{
    static const struct rtc_blob none;
    return p && !p->has_ltoir ? &p->ptx : &none;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet)
{
    return size_of(prog, ptx_of(prog), 1, ptxSizeRet);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx)
{
    return copy_out(prog, ptx_of(prog), 1, ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet)
{
    return size_of(prog, prog ? &prog->image : NULL, 0, cubinSizeRet);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin)
{
    return copy_out(prog, prog ? &prog->image : NULL, 0, cubin);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet)
{
    return size_of(prog, prog ? &prog->log : NULL, 1, logSizeRet);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log)
{
    return copy_out(prog, prog ? &prog->log : NULL, 1, log);
}

/* For results that only NVIDIA's compiler makes: 0 bytes, which programs may
 * ask for all the same. */
static nvrtcResult no_size(nvrtcProgram p, size_t *out)
{
    static const struct rtc_blob none;
    return size_of(p, &none, 0, out);
}

static nvrtcResult no_bytes(nvrtcProgram p, const char *out)
{
    return !p     ? NVRTC_ERROR_INVALID_PROGRAM
           : !out ? NVRTC_ERROR_INVALID_INPUT
                  : NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet)
{
    return no_size(prog, nvvmSizeRet);
}

nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm)
{
    return no_bytes(prog, nvvm);
}

/* PTX: our nvJitLink takes it for LTO-IR. */
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet)
{
    return prog && prog->has_ltoir ? size_of(prog, &prog->ptx, 1, LTOIRSizeRet)
                                   : no_size(prog, LTOIRSizeRet);
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR)
{
    return prog && prog->has_ltoir ? copy_out(prog, &prog->ptx, 1, LTOIR)
                                   : no_bytes(prog, LTOIR);
}

nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet)
{
    return no_size(prog, optixirSizeRet);
}

nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir)
{
    return no_bytes(prog, optixir);
}

/* ---- names --------------------------------------------------------------- */

nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog,
                                   const char *const name_expression)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!name_expression || !*name_expression)
        return NVRTC_ERROR_INVALID_INPUT;
    if (prog->is_compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    struct rtc_name n = {.expression = strdup(name_expression)};
    if (n.expression && vec_push(&prog->names, n))
        return NVRTC_SUCCESS;
    free(n.expression);
    return NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog,
                                const char *const name_expression,
                                const char **lowered_name)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!name_expression || !lowered_name)
        return NVRTC_ERROR_INVALID_INPUT;
    if (!prog->has_result)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t i = 0; i < prog->names.count; i++) {
        if (strcmp(prog->names.data[i].expression, name_expression) != 0)
            continue;
        *lowered_name = prog->names.data[i].lowered;
        return NVRTC_SUCCESS;
    }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- precompiled headers, callbacks -------------------------------------- */

/* Kept and given back, without effect: weft precompiles the header that all
 * programs share by itself, into a file. */
static _Atomic size_t pch_heap_bytes = (size_t)256 << 20;

nvrtcResult nvrtcGetPCHHeapSize(size_t *ret)
{
    if (!ret)
        return NVRTC_ERROR_INVALID_INPUT;
    *ret = pch_heap_bytes;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcSetPCHHeapSize(size_t size)
{
    const size_t page = 4096;
    if (size > SIZE_MAX - page)
        return NVRTC_ERROR_INVALID_INPUT;
    pch_heap_bytes = (size + page - 1) & ~(page - 1);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    return prog->has_pch ? NVRTC_SUCCESS : NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
}

nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size)
{
    if (prog && !size)
        return NVRTC_ERROR_INVALID_INPUT;
    nvrtcResult err = nvrtcGetPCHCreateStatus(prog);
    if (!err)
        *size = pch_heap_bytes;
    return err;
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog,
                                 int (*callback)(void *payload, void *future),
                                 void *payload)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!callback)
        return NVRTC_ERROR_INVALID_INPUT;
    prog->callback = callback;
    prog->callback_payload = payload;
    return NVRTC_SUCCESS;
}
