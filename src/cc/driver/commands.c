/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command lines of the passes, one function each. What a pass needs comes
 * first and the user's arguments last, so that these win where both set the
 * same thing.
 */
#include "cc/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The CUDA version that we claim: what programs test for, what the headers
 * offer, and what `nvcc --version` prints. Without one, clang launches kernels
 * in the way of CUDA 8. */
#define CUDA_VERSION "12.8"
#define CUDA_MACROS(X)                                                         \
    X("-D__CUDACC__")                                                          \
    X("-D__NVCC__")                                                            \
    X("-D__CUDACC_VER_MAJOR__=12")                                             \
    X("-D__CUDACC_VER_MINOR__=8")                                              \
    X("-D__CUDACC_VER_BUILD__=93")                                             \
    X("-D__CUDA_API_VER_MAJOR__=12")                                           \
    X("-D__CUDA_API_VER_MINOR__=8")                                            \
    X("-D__NVCC_DIAG_PRAGMA_SUPPORT__=1")                                      \
    X("-DCUDA_DOUBLE_MATH_FUNCTIONS")                                          \
    X("-D__WEFT__=1")

/* The PTX version that clang writes: for compute capability 8.x one that has
 * all it needs and that every driver since CUDA 12.0 reads; for 9.0, whose
 * instructions came over several versions, that of the nvcc we say we are. */
static const char *ptx_feature(const struct cc_job *j)
{
    unsigned level = j->options->levels.data[j->turn];
    return level == 88  ? "+ptx90" /* it is that young */
           : level < 90 ? "+ptx80"
                        : "+ptx87";
}

/* Otherwise clang would look for an installed toolkit and take the PTX version
 * from it. */
#define NO_TOOLKIT "--cuda-path=/nonexistent"

static void add_clang(const struct cc_toolchain *t, bool is_cxx, cc_args *out)
{
    cc_add(out, t->clang);
    if (is_cxx)
        cc_add(out, "--driver-mode=g++");
    cc_add(out, "-Wno-unused-command-line-argument");
    cc_add(out, "-Wno-unknown-warning-option");
    cc_add(out, "-fno-crash-diagnostics"); /* leaves no files in /tmp */
    /* Written in place: a full disk would leave the temporary file behind. */
    cc_add(out, "-fno-temp-file");
    if (isatty(STDERR_FILENO))
        cc_add(out, "-fcolor-diagnostics");
}

static void add_front_end(cc_args *out, const char *option)
{
    cc_add(out, "-Xclang");
    cc_add(out, option);
}

static void add_llvm(cc_args *out, const char *option)
{
    cc_add(out, "-mllvm");
    cc_add(out, option);
}

/* Habits of code for gcc and nvcc: an int is read where a float was stored,
 * (&v.x)[i] is v.y, a test for a null pointer stays although the pointer was
 * used before, a function that ends without its return ends, and a constant is
 * computed in more than clang's 2^20 steps. */
static void add_habits(cc_args *out)
{
    cc_add(out, "-fno-strict-aliasing");
    cc_add(out, "-fno-delete-null-pointer-checks");
    cc_add(out, "-fno-strict-return");
    cc_add(out, "-fconstexpr-steps=134217728");
}

static void add_host_level(const struct cc_options *o, cc_args *out)
{
    /* As with nvcc, host code is optimised when asked, device code always:
     * programs with undefined behaviour on the host side rely on it. */
    if (o->optimize)
        cc_add(out, arena_printf(cc_arena, "-O%s", o->optimize));
    add_habits(out);
    /* For host code alone. In a kernel, as with nvcc, an int that overflows is
     * undefined: with -fwrapv a product of matrices with int indices took 30
     * ms, 25 without. */
    cc_add(out, "-fwrapv");
    if (o->host_debug)
        cc_add(out, "-g");
}

static void add_host_compiler(const struct cc_options *o, cc_args *out)
{
    if (o->gcc_folder)
        cc_add(out,
               arena_printf(cc_arena, "--gcc-install-dir=%s", o->gcc_folder));
}

/* nvcc's macro for all passes: 700,800. */
static const char *arch_list(const struct cc_options *o)
{
    const char *text = "-D__CUDA_ARCH_LIST__";
    for (size_t i = 0; i < o->levels.count; i++)
        text = arena_printf(cc_arena, "%s%c%u0", text, i ? ',' : '=',
                            o->levels.data[i]);
    return text;
}

/* NULL: what clang finds itself. */
static void add_sdk_version(const char *version, cc_args *out)
{
    if (version)
        add_front_end(
            out, arena_printf(cc_arena, "-target-sdk-version=%s", version));
}

static void add_choice(const char *macro, bool value, cc_args *out)
{
    cc_add(out, arena_printf(cc_arena, "-D%s=%d", macro, value));
}

/* NVRTC: what it has built in is left out of NVIDIA's cuda_fp16.h unless it is
 * told not to; there are no exceptions; options are macros, too; and a macro
 * that a header defines again in other words gets no warning. */
static void add_runtime_compiler(const struct cc_options *o, cc_args *out)
{
    add_choice("__CUDA_FTZ", o->ftz, out);
    add_choice("__CUDA_PREC_DIV", o->prec_div, out);
    add_choice("__CUDA_PREC_SQRT", o->prec_sqrt, out);
    add_choice("__USE_FAST_MATH__", o->fast_math, out);
    cc_add(out, "-Wno-macro-redefined");
    cc_add(out, "-D__CUDACC_RTC__=1");
    cc_add(out, "-D__FORCE_INCLUDE_CUDA_FP16_HPP_FROM_FP16_H__=1");
    cc_add(out, "-D__FORCE_INCLUDE_CUDA_BF16_HPP_FROM_BF16_H__=1");
    cc_add(out, "-U__NVCC__");
    cc_add(out, "-U__EXCEPTIONS");
}

/* What both passes over a CUDA file have in common. */
/* Accepts what nvcc accepts and clang would refuse or warn of. */
static void add_lenience(cc_args *out)
{
    cc_add(out, "-Wno-unknown-cuda-version");
    cc_add(out, "-Wno-register");              /* the keyword in C++17 */
    cc_add(out, "-Wno-cuda-compat");           /* #pragma unroll (4) */
    cc_add(out, "-Wno-error=c++11-narrowing"); /* nvcc warns of it */
    cc_add(out, "-Wno-error=reserved-user-defined-literal"); /* "text"MACRO */
    cc_add(out, "-Wno-invalid-constexpr"); /* log(10.0) is constant to gcc */
}

/* Is it code for one device alone, sm_90a? */
static bool is_specific(const struct cc_job *j)
{
    const struct cc_options *o = j->options;
    return o->is_exact && o->levels.data[j->turn] == cc_arch_newest(o);
}

static const char *device_name(const struct cc_job *j)
{
    return arena_printf(cc_arena, "sm_%u%s", j->options->levels.data[j->turn],
                        is_specific(j) ? "a" : "");
}

/* CUDA's headers are C++11 here, which takes nearly all of C++03. */
static const char *cuda_standard(const struct cc_options *o)
{
    if (!o->standard)
        return "gnu++17";
    return strcmp(o->standard, "c++03") == 0     ? "c++11"
           : strcmp(o->standard, "gnu++03") == 0 ? "gnu++11"
                                                 : o->standard;
}

static void add_cuda(const struct cc_job *j, const char *side, cc_args *out)
{
    const struct cc_options *o = j->options;

    add_clang(j->toolchain, true, out);
    cc_add(out, "-x");
    cc_add(out, "cuda");
    cc_add(out, side);
    cc_add(out, arena_printf(cc_arena, "--cuda-gpu-arch=%s", device_name(j)));
    cc_add(out, arena_printf(cc_arena, "-std=%s", cuda_standard(o)));
    cc_add(out, "-fgnu-keywords"); /* nvcc: typeof, in c++17, too */
    cc_add(out, "-nocudalib");
    /* In code of the other side, calls that fit no overload are left to that
     * side's pass, as nvcc looks at a function once. Only where necessary,
     * since a deleted function then fits where a template asks for one. */
    if (j->defers_errors && !j->is_strict)
        cc_add(out, "-fgpu-defer-diag");
    add_host_compiler(o, out);
    add_lenience(out);
    if (o->cuda_path) {
        cc_add(out, arena_printf(cc_arena, "--cuda-path=%s", o->cuda_path));
        add_sdk_version(cc_toolkit_version(o->cuda_path), out);
    } else {
        cc_add(out, NO_TOOLKIT);
        cc_add(out, "-nocudainc");
        add_sdk_version(CUDA_VERSION, out);
#define ADD(macro) cc_add(out, macro);
        CUDA_MACROS(ADD)
#undef ADD
        cc_add(out, "-U__CUDA_ARCH_LIST__"); /* clang's, which is of one pass */
        cc_add(out, arch_list(o));
        if (o->is_nvrtc)
            add_runtime_compiler(o, out);
        if (o->hides_names)
            cc_hide_names(j->toolchain, out);
        if (j->renames_references)
            cc_add(out, "-DWEFT_RENAMES_REFERENCES");
    }
    if (o->fast_math && !o->is_nvrtc)
        cc_add(out, "-D__USE_FAST_MATH__=1");
    if (o->relocatable) {
        cc_add(out, "-D__CUDACC_RDC__=1");
        /* The way of registration that nvcc uses as well. */
        cc_add(out, "--no-offload-new-driver");
        add_front_end(out, "-fgpu-rdc");
        if (j->unit)
            cc_add(out, arena_printf(cc_arena, "-cuid=%s", j->unit));
    }
    if (o->device_debug)
        cc_add(out, "-D__CUDACC_DEBUG__=1");
    if (o->per_thread_stream) {
        cc_add(out, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        add_front_end(out, "-fgpu-default-stream=per-thread");
    }
    cc_add_all(out, &o->front_end);
}

/* What -include names is in the precompiled header; not in NVRTC's, which is
 * the same for all programs. */
static void add_preprocessor(const struct cc_job *j, cc_args *out)
{
    const cc_args *all = &j->options->preprocessor;
    bool has_them = j->precompiled && !j->options->is_nvrtc;
    for (size_t i = 0; i < all->count; i++)
        if (!has_them || !starts_with(all->data[i], "-include"))
            cc_add(out, all->data[i]);
}

static void add_ours(const struct cc_job *j, const char *header, cc_args *out)
{
    cc_add(out, "-include");
    cc_add(out, arena_printf(cc_arena, "%s/weft/%s", j->toolchain->include_dir,
                             header));
}

/* Files that are read before the source. */
static void add_reading(const struct cc_job *j, cc_args *out)
{
    if (j->precompiled) {
        /* weft's own headers are system headers, and change with weft. */
        add_front_end(out, "-fmodules-validate-system-headers");
        add_front_end(out, "-include-pch");
        add_front_end(out, j->precompiled);
    } else if (!j->options->cuda_path) {
        cc_add(out, "-include");
        cc_add(out, "cuda_runtime.h");
    }
    if (j->overlay) {
        cc_add(out, "-ivfsoverlay");
        cc_add(out, j->overlay);
    }
    if (j->merges_spaces) {
        /* __device__ comes to mean both sides: clang then reports a definition
         * without attributes that does not match. */
        add_ours(j, "merge_spaces.h", out);
        cc_add(out, "-ferror-limit=0");
        cc_add(out, "-fsyntax-only");
    }
    if (j->lists_errors)
        cc_add(out, "-ferror-limit=0");
    if (j->is_strict) {
        cc_add(out, "-ferror-limit=0");
        cc_add(out, "-fsyntax-only");
        cc_add(out, "-fno-color-diagnostics");
    }
    if (j->delays_templates) {
        cc_add(out, "-fdelayed-template-parsing");
        cc_add(out, "-Wno-delayed-template-parsing-in-cxx20");
    }
    if (cc_has_no_toolkit(j))
        add_ours(j, "rtc_macros.h", out);
    if (j->options->is_nvrtc)
        add_ours(j, "rtc_assert.h", out);
    add_preprocessor(j, out);
}

/* What code for one device alone may ask, sm_90a's. */
static void add_specific_level(const struct cc_job *j, cc_args *out)
{
    unsigned level = j->options->levels.data[j->turn];
    if (!is_specific(j))
        return;
    cc_add(out, arena_printf(cc_arena, "-D__CUDA_ARCH_SPECIFIC__=%u0", level));
    cc_add(out, arena_printf(cc_arena, "-D__CUDA_ARCH_FAMILY_SPECIFIC__=%u0",
                             level));
}

static void add_device_math(const struct cc_options *o, cc_args *out)
{
    cc_add(out, o->fmad ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (o->ftz)
        cc_add(out, "-fgpu-flush-denormals-to-zero");
    if (o->fast_math)
        cc_add(out, "-fgpu-approx-transcendentals");
    if (!o->prec_div) /* 0: div.approx, 1: div.full */
        add_llvm(out, o->fast_math ? "-nvptx-prec-divf32=0"
                                   : "-nvptx-prec-divf32=1");
    if (!o->prec_sqrt)
        add_llvm(out, "-nvptx-prec-sqrtf32=0");
    /* The heap is small, and programs test whether it is used up: no
     * allocation may be removed, or taken to succeed. */
    cc_add(out, "-fno-builtin-malloc");
    cc_add(out, "-fcheck-new");
    /* __builtin_acos(x) becomes a call, which device/builtins.c answers,
     * instead of an operation that NVPTX lacks. */
    cc_add(out, "-fmath-errno");
    /* clang turns printf into it without saying that lanes call it
     * together. */
    add_llvm(out, "-force-attribute=vprintf:convergent");
    /* Between numbers of 128 bits and floating point: code, no calls. */
    add_llvm(out, "-expand-fp-convert-bits=64");
    /* Copies of structures and clearing of arrays by words, up to 128 bytes:
     * else LLVM makes loops of bytes above 64. */
    add_llvm(out, "-mem-intrinsic-expand-size=128");
    /* No kernel that calls constructors: see touchup.c. */
    add_llvm(out, "-nvptx-emit-init-fini-kernel=false");
    add_llvm(out, o->prec_sqrt ? "-nvvm-reflect-add=__CUDA_PREC_SQRT=1"
                               : "-nvvm-reflect-add=__CUDA_PREC_SQRT=0");
}

/* -std=c99, which gcc warns about and ignores in C++. */
static bool is_c_standard(const char *arg)
{
    static const char option[] = "-std=";
    if (!starts_with(arg, option))
        return false;
    const char *name = arg + sizeof option - 1;
    name += starts_with(name, "gnu")        ? 3
            : starts_with(name, "iso9899:") ? 8
                                            : 1;
    return *name >= '0' && *name <= '9';
}

/* The options for the host compiler, in a pass over C++. */
static void add_host(const cc_args *host, cc_args *out)
{
    static bool has_warned;
    for (size_t i = 0; i < host->count; i++) {
        if (!is_c_standard(host->data[i])) {
            cc_add(out, host->data[i]);
            continue;
        }
        if (!has_warned)
            cc_warning("option '%s' is for C, and means nothing in C++",
                       host->data[i]);
        has_warned = true;
    }
}

/* The device pass must read the same source as the host pass: it gets those of
 * the host compiler's options that change how source is read. */
static void add_host_reading(const cc_args *host, cc_args *out)
{
    static const char *const prefixes[] = {
        "-D",       "-U",    "-I", "-iquote",
        "-isystem", "-std=", "-w", "-fno-exceptions",
        "-fno-rtti"};
    static const char *const with_value[] = {"-D",      "-U",       "-I",
                                             "-iquote", "-isystem", "-include"};
    for (size_t i = 0; i < host->count; i++) {
        const char *arg = host->data[i];
        bool taken = starts_with(arg, "-W") && arg[2] && arg[3] != ',';
        for (size_t k = 0; k < ARRAY_COUNT(prefixes); k++)
            taken |= starts_with(arg, prefixes[k]);
        taken &= !is_c_standard(arg);
        if (taken)
            cc_add(out, arg);
        for (size_t k = 0; k < ARRAY_COUNT(with_value); k++) {
            if (strcmp(arg, with_value[k]) != 0 || i + 1 == host->count)
                continue;
            if (!taken)
                cc_add(out, arg);
            cc_add(out, host->data[++i]);
            break;
        }
        /* clang takes -fopenmp for the host alone; programs test for it.
         * OpenMP 4.5: what omp.h declares for later ones needs the pragmas. */
        if (strcmp(arg, "-fopenmp") == 0)
            cc_add(out, "-D_OPENMP=201511");
    }
}

/* ---- make rules ---------------------------------------------------------- */

static const char *in_output_dir(const struct cc_options *o, const char *name)
{
    return o->output_dir ? arena_printf(cc_arena, "%s/%s", o->output_dir, name)
                         : name;
}

static const char *dependency_file(const struct cc_job *j)
{
    const struct cc_options *o = j->options;
    if (o->dependency_file)
        return o->dependency_file;
    if (!o->output || o->phase == CC_LINK)
        return in_output_dir(o, cc_with_suffix(j->input.path, ".d"));
    const char *dot = strrchr(o->output, '.'), *slash = strrchr(o->output, '/');
    size_t length = dot && (!slash || dot > slash) ? (size_t)(dot - o->output)
                                                   : strlen(o->output);
    return arena_printf(cc_arena, "%.*s.d", (int)length, o->output);
}

static void add_dependency_target(const struct cc_job *j, cc_args *out)
{
    const struct cc_options *o = j->options;
    for (size_t i = 0; i < o->dependency_targets.count; i++) {
        cc_add(out, "-MT");
        cc_add(out, o->dependency_targets.data[i]);
    }
    if (!o->dependency_targets.count) {
        bool is_object =
            o->output && o->phase != CC_LINK && o->phase != CC_DEPENDENCIES;
        cc_add(out, "-MT");
        cc_add(out, is_object ? o->output
                              : in_output_dir(
                                    o, cc_with_suffix(j->input.path, ".o")));
    }
    if (o->wants_phony_targets)
        cc_add(out, "-MP");
}

/* Dependencies, for the pass that makes the result. */
static void add_dependencies(const struct cc_job *j, cc_args *out)
{
    const struct cc_options *o = j->options;
    if (!o->wants_dependencies || o->phase == CC_DEPENDENCIES)
        return;
    cc_add(out, o->wants_system_dependencies ? "-MD" : "-MMD");
    cc_add(out, "-MF");
    cc_add(out, dependency_file(j));
    add_dependency_target(j, out);
}

/* ---- the passes ---------------------------------------------------------- */

/* How device code is optimised and becomes PTX. */
static void add_lowering(const struct cc_job *j, cc_args *out)
{
    const struct cc_options *o = j->options;

    add_front_end(out, "-target-feature");
    add_front_end(out, ptx_feature(j));
    /* One lane sets a variable and then all lanes pass it to a shuffle: clang
     * would conclude that there is no other lane. */
    add_front_end(out, "-no-enable-noundef-analysis");
    if (j->copies_parameters) {
        cc_add(out, "-mllvm");
        cc_add(out, "-nvptx-early-byval-copy");
    }
    add_habits(out);
    add_device_math(o, out);
    if (o->device_debug) {
        cc_add(out, "-O0");
        cc_add(out, "-g");
        cc_add(out, "--cuda-noopt-device-debug");
    } else {
        cc_add(out, "-O3");
        if (o->line_info)
            cc_add(out, "-gline-tables-only");
    }
}

/* Options for all device code. */
static void add_device(const struct cc_job *j, cc_args *out)
{
    add_cuda(j, "--cuda-device-only", out);
    add_specific_level(j, out);
    add_lowering(j, out);
}

/* Options on which headers depend; for NVRTC they are the same for all
 * programs. */
static void add_device_reading(const struct cc_options *o, cc_args *out)
{
    cc_add_all(out, &o->preprocessor);
    add_host_reading(&o->host, out);
    cc_add_all(out, &o->device);
}

static void add_first_of_host(const struct cc_job *j, cc_args *out)
{
    cc_add(out, "-include");
    cc_add(out, arena_printf(cc_arena, "%s/weft/register_first.h",
                             j->toolchain->include_dir));
}

/* Files before those that the user names; that the source includes them again
 * adds nothing. */
static void add_first_of_all(const struct cc_options *o, cc_args *out)
{
    if (!cc_reads_others(o))
        return;
    cc_add(out, "-include");
    cc_add(out, "cuda_runtime.h");
    add_front_end(out, "-fpch-instantiate-templates");
}

void cc_command_precompile(const struct cc_job *j, enum cc_pass pass,
                           cc_args *out)
{
    const struct cc_options *o = j->options;

    if (pass == CC_DEVICE_PASS) {
        add_device(j, out);
        add_first_of_all(o, out);
        if (!o->is_nvrtc)
            add_device_reading(o, out);
    } else {
        add_cuda(j, "--cuda-host-only", out);
        add_first_of_host(j, out);
        add_first_of_all(o, out);
        cc_add_all(out, &o->preprocessor);
        add_host_level(o, out);
        add_host(&o->host, out);
    }
    cc_add(out, "-S");
    add_front_end(out, "-emit-pch");
    cc_add(out, arena_printf(cc_arena, "%s/cuda_runtime.h",
                             j->toolchain->include_dir));
    cc_order_headers(j, out);
}

static void add_time_trace(const struct cc_options *o, cc_args *out)
{
    if (!o->time_trace)
        return;
    const char *name = strcmp(o->time_trace, "-") ? o->time_trace
                       : o->output                ? o->output
                                                  : "trace";
    add_front_end(out, arena_printf(cc_arena, "-ftime-trace=%s.json", name));
}

void cc_command_device(const struct cc_job *j, cc_args *out)
{
    const struct cc_options *o = j->options;

    add_device(j, out);
    add_reading(j, out);
    add_front_end(out, "-mlink-builtin-bitcode");
    add_front_end(out, j->toolchain->device_library);
    add_host_reading(&o->host, out);
    cc_add_all(out, &o->device);
    if (o->phase == CC_PTX || o->phase == CC_FATBIN)
        add_dependencies(j, out);
    else if (j->headers) {
        cc_add(out, "-MMD");
        cc_add(out, "-MF");
        cc_add(out, j->headers);
    }
    cc_order_headers(j, out);
    if (j->host_headers)
        cc_list_host_headers(j, out);
    add_time_trace(o, out);
    cc_add(out, "-S");
    if (j->ir) {
        cc_add(out, "-emit-llvm");
        add_front_end(out, "-disable-llvm-passes");
    }
    cc_add(out, j->input.path);
    cc_add(out, "-o");
    cc_add(out, j->ir ? j->ir : j->ptx.data[j->turn]);
}

void cc_command_lower(const struct cc_job *j, cc_args *out)
{
    add_clang(j->toolchain, true, out);
    cc_add(out, "-x");
    cc_add(out, "ir");
    cc_add(out, "--target=nvptx64-nvidia-cuda");
    cc_add(out, arena_printf(cc_arena, "-march=%s", device_name(j)));
    cc_add(out, NO_TOOLKIT);
    cc_add(out, "-nocudalib");
    add_lowering(j, out);
    cc_add(out, "-S");
    cc_add(out, j->ir);
    cc_add(out, "-o");
    cc_add(out, j->ptx.data[j->turn]);
}

void cc_command_pack(const struct cc_job *j, cc_args *out)
{
    cc_add(out, j->toolchain->self);
    cc_add(out, "-fatbin");
    /* CMake looks here for the default architecture. */
    cc_add(out, "-arch");
    cc_add(out,
           arena_printf(cc_arena, "compute_%u", cc_arch_newest(j->options)));
    cc_add_all(out, &j->ptx);
    cc_add(out, "-o");
    cc_add(out, j->fatbin);
}

void cc_command_host(const struct cc_job *j, cc_args *out)
{
    const struct cc_options *o = j->options;

    add_cuda(j, "--cuda-host-only", out);
    if (!j->precompiled) /* the precompiled header has it */
        add_first_of_host(j, out);
    add_reading(j, out);
    add_front_end(out, "-fcuda-include-gpubinary");
    add_front_end(out, j->fatbin);
    add_host_level(o, out);
    add_host(&o->host, out);
    cc_order_headers(j, out);
    add_dependencies(j, out);
    cc_add(out, "-c");
    cc_add(out, j->input.path);
    cc_add(out, "-o");
    cc_add(out, j->output);
}

static const char *clang_language(enum cc_language language)
{
    switch (language) {
    case CC_C:
        return "c";
    case CC_PREPROCESSED_C:
        return "cpp-output";
    case CC_PREPROCESSED_CXX:
        return "c++-cpp-output";
    default:
        return "c++";
    }
}

/* Errors of C that gcc, up to 13, and so nvcc, only warn about: programs from
 * before C99 compile. */
static const char *const old_c[] = {
    "implicit-int",    "implicit-function-declaration",
    "int-conversion",  "incompatible-pointer-types",
    "return-mismatch", "incompatible-function-pointer-types"};

static void add_plain(const struct cc_job *j, cc_args *out)
{
    const struct cc_options *o = j->options;
    bool is_c =
        j->input.language == CC_C || j->input.language == CC_PREPROCESSED_C;

    add_clang(j->toolchain, !is_c, out);
    add_host_compiler(o, out);
    cc_add(out, "-x");
    cc_add(out, clang_language(j->input.language));
    if (!is_c && o->standard)
        cc_add(out, arena_printf(cc_arena, "-std=%s", o->standard));
    if (!is_c) {
        cc_add(out, "-Wno-error=reserved-user-defined-literal");
        cc_add(out, "-Wno-error=register");
    }
    for (size_t i = 0; is_c && i < ARRAY_COUNT(old_c); i++)
        cc_add(out, arena_printf(cc_arena, "-Wno-error=%s", old_c[i]));
    cc_add_all(out, &o->preprocessor);
    add_host_level(o, out);
    if (is_c)
        cc_add_all(out, &o->host);
    else
        add_host(&o->host, out);
    cc_order_headers(j, out);
}

void cc_command_plain(const struct cc_job *j, cc_args *out)
{
    add_plain(j, out);
    add_dependencies(j, out);
    cc_add(out, "-c");
    cc_add(out, j->input.path);
    cc_add(out, "-o");
    cc_add(out, j->output);
}

void cc_command_preprocess(const struct cc_job *j, cc_args *out)
{
    const struct cc_options *o = j->options;

    if (j->input.language == CC_CUDA) {
        add_cuda(j, "--cuda-host-only", out);
        add_reading(j, out);
        add_host(&o->host, out);
        cc_order_headers(j, out);
    } else {
        add_plain(j, out);
    }
    if (o->phase == CC_DEPENDENCIES) {
        cc_add(out, o->wants_system_dependencies ? "-M" : "-MM");
        add_dependency_target(j, out);
        if (o->dependency_file) {
            cc_add(out, "-MF");
            cc_add(out, o->dependency_file);
        }
    } else {
        cc_add(out, "-E");
    }
    cc_add(out, j->input.path);
    if (o->output) {
        cc_add(out, "-o");
        cc_add(out, o->output);
    }
}

/* ---- link ---------------------------------------------------------------- */

/* The user's may be in a toolkit of NVIDIA's. */
bool cc_is_static_runtime(const char *arg)
{
    static const char library[] = "/libcudart_static.a";
    size_t length = strlen(arg), tail = sizeof library - 1;
    return strcmp(arg, "-lcudart_static") == 0 ||
           (length >= tail && strcmp(arg + length - tail, library) == 0);
}

/* gcc's OpenMP by its path, as CMake names it, becomes -lgomp, for which our
 * folder of libraries has LLVM's. */
static void add_link_files(const cc_args *files, cc_args *out)
{
    for (size_t i = 0; i < files->count; i++) {
        const char *slash = strrchr(files->data[i], '/');
        bool is_gomp = slash && starts_with(slash, "/libgomp.so");
        cc_add(out, is_gomp ? "-lgomp" : files->data[i]);
    }
}

void cc_command_link(const struct cc_options *o, const struct cc_toolchain *t,
                     const cc_args *files, const char *output, cc_args *out)
{
    static const char *const system_libraries[] = {"-lpthread", "-ldl", "-lrt",
                                                   "-lm"};
    cc_add(out, t->linker);
    add_host_compiler(o, out);
    if (o->shared)
        cc_add(out, "-shared");
    if (o->host_debug)
        cc_add(out, "-g");
    cc_add_all(out, &o->host);
    /* Build systems parse this line: to them all that stands behind the file of
     * -o are libraries. */
    cc_add(out, "-o");
    cc_add(out, output);
    /* First, as the user's folders may be a toolkit of NVIDIA's. */
    cc_add(out, arena_printf(cc_arena, "-L%s", t->library_dir));
    if (o->partial_link) {
        cc_add(out, "-r");
        cc_add(out, "-nostdlib");
    }
    cc_add(out, "-Wl,--start-group");
    add_link_files(files, out);
    cc_add_all(out, &o->link);
    if (!o->no_cudart && !o->partial_link)
        cc_add(out, o->shared_cudart ? "-lcudart" : "-lcudart_static");
    cc_add(out, "-Wl,--end-group");
    for (size_t i = 0; i < ARRAY_COUNT(system_libraries) && !o->partial_link;
         i++)
        cc_add(out, system_libraries[i]);
}

/* CMake reads these lines of `nvcc -v`: TOP for the toolkit's folder, INCLUDES
 * and LIBRARIES for what the driver adds by itself, PATH to find the linker. */
void cc_print_settings(const struct cc_options *o, const struct cc_toolchain *t)
{
    const char *path = getenv("PATH");
    fprintf(stderr, "#$ _CUDART_=%s\n",
            o->no_cudart       ? "none"
            : o->shared_cudart ? "cudart"
                               : "cudart_static");
    fprintf(stderr, "#$ _HERE_=%s/bin\n", t->toolkit_dir);
    fprintf(stderr, "#$ TOP=%s\n", t->toolkit_dir);
    fprintf(stderr, "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n",
            t->toolkit_dir);
    fprintf(stderr, "#$ PATH=%s\n", path ? path : "");
    fprintf(stderr, "#$ INCLUDES=-I%s\n", t->include_dir);
    fprintf(stderr, "#$ LIBRARIES=-L%s\n", t->library_dir);
}
