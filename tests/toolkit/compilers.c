/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libnvvm and nvJitLink: IR with the pointers of LLVM 7 becomes PTX, is linked
 * with what it calls, and runs; what is wrong gets its code and a log.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/check.h"

#include "cuda.h"
#include "nvFatbin.h"
#include "nvJitLink.h"
#include "nvvm.h"

#define VERSION_2                                                              \
    "!nvvmir.version = !{!9}\n"                                                \
    "!9 = !{i32 2, i32 0, i32 3, i32 1}\n"

/* Pointers to pointers, to functions and with address spaces, in every place
 * where types stand; an intrinsic that LLVM has in another form. */
static const char kernel_ir[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "%\"a*pair\" = type { i32*, %\"a*pair\"* } ; a * in a comment\n"
    "@table = internal addrspace(1) global [2 x i32] [i32 40, i32 2]\n"
    "@slot = internal addrspace(1) global i32 addrspace(1)* getelementptr "
    "([2 x i32], [2 x i32] addrspace(1)* @table, i32 0, i32 1)\n"
    "declare i32 @\"llvm.nvvm.read.ptx.sreg.tid.x\"()\n"
    "declare {i32, i1} @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)\n"
    "declare i32 @twice(i32)\n"
    "define i32 @first(%\"a*pair\"* byval %p, i32 (i32)** %f) {\n"
    "  %m = alloca i32 addrspace(1)*\n"
    "  store i32 addrspace(1)* null, i32 addrspace(1)** %m\n"
    "  %q = getelementptr %\"a*pair\", %\"a*pair\"* %p, i32 0, i32 0\n"
    "  %r = load i32*, i32** %q\n"
    "  %v = load i32, i32* %r\n"
    "  ret i32 %v\n"
    "}\n"
    "define void @k(i32* %out) {\n"
    "  %i = call i32 @\"llvm.nvvm.read.ptx.sreg.tid.x\"()\n"
    "  %s = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 %i,\n"
    "      i32 1, i32 31)\n"
    "  %x = extractvalue {i32, i1} %s, 0\n"
    "  %a = load i32 addrspace(1)*, i32 addrspace(1)* addrspace(1)* @slot\n"
    "  %c = load volatile i32, i32 addrspace(1)* %a\n"
    "  %t = call i32 @twice(i32 %x)\n"
    "  %y = add i32 %t, %c\n"
    "  %p = getelementptr i32, i32* %out, i32 %i\n"
    "  store i32 %y, i32* %p\n"
    "  ret void\n"
    "}\n" VERSION_2 "!nvvm.annotations = !{!0}\n"
    "!0 = !{void (i32*)* @k, !\"kernel\", i32 1}\n";

static const char twice_ir[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n" VERSION_2
    "define i32 @twice(i32 %x) {\n"
    "  %y = shl i32 %x, 1\n"
    "  ret i32 %y\n"
    "}\n"
    "define i32 @unused(i32 %x) {\n"
    "  ret i32 %x\n"
    "}\n";

/* ---- libnvvm ------------------------------------------------------------- */

static char *log_of(nvvmProgram p)
{
    size_t size;
    CHECK(!nvvmGetProgramLogSize(p, &size));
    char *text = malloc(size);
    CHECK(text && !nvvmGetProgramLog(p, text) && strlen(text) + 1 == size);
    return text;
}

/* NULL: it failed with `wanted`. */
static char *compile(const char *ir, const char *lazy, const char *option,
                     nvvmResult wanted)
{
    const char *options[] = {"-arch=compute_90", option};
    nvvmProgram p;
    char *ptx = NULL;
    size_t size;
    CHECK(!nvvmCreateProgram(&p));
    CHECK(!nvvmAddModuleToProgram(p, ir, strlen(ir), "test"));
    if (lazy)
        CHECK(!nvvmLazyAddModuleToProgram(p, lazy, strlen(lazy), NULL));
    nvvmResult err = nvvmCompileProgram(p, option ? 2 : 1, options);
    char *log = log_of(p);
    CHECK(err == wanted);
    CHECK(!!*log == !!wanted);
    if (err && !wanted)
        printf("%s\n", log);
    if (!err && !nvvmGetCompiledResultSize(p, &size) && (ptx = malloc(size)))
        CHECK(!nvvmGetCompiledResult(p, ptx) && strlen(ptx) + 1 == size);
    free(log);
    CHECK(!nvvmDestroyProgram(&p) && !p);
    return ptx;
}

static void check_nvvm_misuse(void)
{
    nvvmProgram p;
    size_t size;
    CHECK(nvvmCreateProgram(NULL) == NVVM_ERROR_INVALID_PROGRAM);
    CHECK(nvvmDestroyProgram(NULL) == NVVM_ERROR_INVALID_PROGRAM);
    CHECK(!nvvmCreateProgram(&p));
    CHECK(nvvmAddModuleToProgram(p, NULL, 1, NULL) == NVVM_ERROR_INVALID_INPUT);
    CHECK(nvvmCompileProgram(p, 0, NULL) == NVVM_ERROR_NO_MODULE_IN_PROGRAM);
    CHECK(!nvvmGetCompiledResultSize(p, &size) && size == 1);
    CHECK(!nvvmAddModuleToProgram(p, "define void", 11, "bad"));
    CHECK(nvvmVerifyProgram(p, 0, NULL) == NVVM_ERROR_INVALID_IR);
    CHECK(!nvvmDestroyProgram(&p));
    CHECK(!strcmp(nvvmGetErrorString(NVVM_ERROR_INVALID_IR),
                  "NVVM_ERROR_INVALID_IR"));
}

static unsigned count(const char *text, const char *word)
{
    unsigned n = 0;
    for (; text && (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

/* Each side of a branch asks for its own lanes; nothing is fused with -opt=0.
 */
static void check_nvvm_asm(void)
{
    static const char ir[] =
        "target triple = \"nvptx64-nvidia-cuda\"\n" VERSION_2
        "define i32 @f(i1 %c) {\n"
        "  br i1 %c, label %a, label %b\n"
        "a:\n"
        "  %x = call i32 asm \"activemask.b32 $0;\", \"=r\"()\n"
        "  ret i32 %x\n"
        "b:\n"
        "  %y = call i32 asm \"activemask.b32 $0;\", \"=r\"()\n"
        "  ret i32 %y\n"
        "}\n"
        "define double @g(double %a, double %b) {\n"
        "  %p = fmul double %a, %b\n"
        "  %s = fadd double %p, %a\n"
        "  ret double %s\n"
        "}\n";
    char *ptx = compile(ir, NULL, NULL, NVVM_SUCCESS);
    CHECK(count(ptx, "activemask") == 2);
    CHECK(count(ptx, "fma.rn.f64") == 1);
    free(ptx);
    ptx = compile(ir, NULL, "-opt=0", NVVM_SUCCESS);
    CHECK(count(ptx, "activemask") == 2);
    CHECK(count(ptx, "fma.rn.f64") == 0);
    free(ptx);
}

/* For a level without PTX of its version, LLVM ends the process. */
static void check_nvvm_levels(void)
{
    static const unsigned levels[] = {50, 52,  53,  60,  61,  62,  70,
                                      72, 75,  80,  86,  87,  88,  89,
                                      90, 100, 101, 103, 110, 120, 121};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char option[32], target[32];
        snprintf(option, sizeof option, "-arch=compute_%u", levels[i]);
        snprintf(target, sizeof target, ".target sm_%u\n", levels[i]);
        char *ptx = compile(twice_ir, NULL, option, NVVM_SUCCESS);
        CHECK(count(ptx, target) == 1);
        free(ptx);
    }
}

/* What CUDA 13.0's libnvvm answers and says of such a module and option. */
static void check_nvvm_answers(void)
{
    static const struct {
        const char *ir, *option, *log;
        nvvmResult compiled, verified;
    } rows[] = {
        {"no IR", NULL, "m.ll (1, 0): parse expected top-level entity",
         NVVM_ERROR_COMPILATION, NVVM_ERROR_INVALID_IR},
        {"define void @f() {\n  ret i32 1\n}\n", NULL,
         "m.ll (2, 6): parse value doesn't match function result type 'void'",
         NVVM_ERROR_COMPILATION, NVVM_ERROR_INVALID_IR},
        {"define void @f() {\n  ret void\n}\n", NULL,
         "IR version 1.0 incompatible with current version 2.0\n"
         "m.ll: error: incompatible IR detected. Possible mix of compiler/IR "
         "from different releases.",
         NVVM_ERROR_IR_VERSION_MISMATCH, NVVM_ERROR_IR_VERSION_MISMATCH},
        {"!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0, i32 9, i32 1}\n", NULL,
         "DBG version 9.1 incompatible with current version 3.2\n"
         "m.ll: error: incompatible IR detected. Possible mix of compiler/IR "
         "from different releases.",
         NVVM_ERROR_IR_VERSION_MISMATCH, NVVM_ERROR_IR_VERSION_MISMATCH},
        {twice_ir, "-arch=compute_999",
         "libnvvm : error: -arch=compute_999 is an unsupported option",
         NVVM_ERROR_INVALID_OPTION, NVVM_ERROR_INVALID_OPTION},
        {twice_ir, "-arch=sm_90",
         "libnvvm : error: -arch=sm_90 is an unsupported option",
         NVVM_ERROR_INVALID_OPTION, NVVM_ERROR_INVALID_OPTION},
        {twice_ir, "-ftz=2", "libnvvm : error: -ftz=2 is an unsupported option",
         NVVM_ERROR_INVALID_OPTION, NVVM_ERROR_INVALID_OPTION},
        {twice_ir, "-opt=7", "libnvvm : error: -opt=7 is an unsupported option",
         NVVM_ERROR_INVALID_OPTION, NVVM_ERROR_INVALID_OPTION},
        {twice_ir, "", "libnvvm : error:  is an unsupported option",
         NVVM_ERROR_INVALID_OPTION, NVVM_ERROR_INVALID_OPTION},
        {twice_ir, "-prec-div=0", "", NVVM_SUCCESS, NVVM_SUCCESS},
        {twice_ir, "-split-compile=2", "", NVVM_SUCCESS, NVVM_SUCCESS},
        {twice_ir, "-arch=compute_100f", "", NVVM_SUCCESS, NVVM_SUCCESS},
        {twice_ir, "-arch=compute_121", "", NVVM_SUCCESS, NVVM_SUCCESS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        nvvmProgram p;
        const char *option = rows[i].option;
        CHECK(!nvvmCreateProgram(&p));
        CHECK(
            !nvvmAddModuleToProgram(p, rows[i].ir, strlen(rows[i].ir), "m.ll"));
        CHECK(nvvmVerifyProgram(p, option != NULL, &option) ==
              rows[i].verified);
        CHECK(nvvmCompileProgram(p, option != NULL, &option) ==
              rows[i].compiled);
        char *log = log_of(p);
        CHECK(!strcmp(log, rows[i].log));
        free(log);
        CHECK(!nvvmDestroyProgram(&p));
    }
}

/* ---- nvJitLink ----------------------------------------------------------- */

static char *link_ptx(const char *a, const char *b, size_t *size)
{
    const char *options[] = {"-arch=sm_90", "-O3"};
    nvJitLinkHandle h;
    char *image = NULL;
    CHECK(!nvJitLinkCreate(&h, 2, options));
    CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, a, strlen(a) + 1, "a"));
    CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_ANY, b, strlen(b), "b"));
    CHECK(!nvJitLinkComplete(h));
    if (!nvJitLinkGetLinkedCubinSize(h, size) && (image = malloc(*size)))
        CHECK(!nvJitLinkGetLinkedCubin(h, image));
    CHECK(!nvJitLinkDestroy(&h) && !h);
    return image;
}

/* The handle stays where options are wrong: it has the log. */
static nvJitLinkHandle create(const char *a, const char *b,
                              nvJitLinkResult wanted)
{
    const char *options[] = {a, b};
    nvJitLinkHandle h = NULL;
    CHECK(nvJitLinkCreate(&h, b ? 2 : a != NULL, options) == wanted && h);
    return h;
}

/* As CUDA 13.0's nvJitLink: an empty log has size 0. */
static void check_link_options(void)
{
    static const struct {
        const char *a, *b;
        nvJitLinkResult result;
        const char *log;
    } rows[] = {
        {"-arch=sm_XX", NULL, NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-arch=sm_XX)\n"},
        {"-arch=sm_999", NULL, NVJITLINK_ERROR_UNRECOGNIZED_ARCH,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized architecture "
         "(compute_999)\n"},
        {"-arch=compute_90", NULL, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
         "ERROR: virtual arch requires -ptx\n"},
        {"-arch=sm_90", "-ptx", NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
         "ERROR: -ptx requires -lto\n"},
        {"-arch=sm_90", "-v", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -v\n"},
        {"-arch=sm_90", "-O2", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unsupported value of -O: 2. Only 0 and 3 are supported.\n"},
        {"-arch=sm_80", "-generate-line-info",
         NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -generate-line-info\n"},
        {"-arch=sm_80", "-G", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -G\n"},
        {"-arch=sm_80", "-g=1", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -g=1\n"},
        {"-arch=sm_80", "-gx", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -gx\n"},
        {"-arch=sm_80", "-O", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -O\n"},
        {"-arch=sm_80", "-O3x", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -O3x\n"},
        {"-arch=sm_80", "-O30", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -O30\n"},
        {"-arch=sm_80", "-maxrregcount", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -maxrregcount\n"},
        {"-arch=sm_80", "-ftz", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -ftz\n"},
        {"-arch=sm_80", "-fma", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -fma\n"},
        {"-arch=sm_80", "-prec-div", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -prec-div\n"},
        {"-arch=sm_80", "-prec-sqrt", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -prec-sqrt\n"},
        {"-arch=sm_80", "-kernels-used", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -kernels-used\n"},
        {"-arch=sm_80", "-variables-used", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -variables-used\n"},
        {"-arch=sm_80", "-Xptxas", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -Xptxas\n"},
        {"-arch=sm_80", "-Xnvvm", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -Xnvvm\n"},
        {"-arch=sm_80", "-split-compile", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -split-compile\n"},
        {"-arch=sm_80", "-split-compile-extended",
         NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -split-compile-extended\n"},
        {"-arch=sm_80", "-jump-table-density",
         NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -jump-table-density\n"},
        {"-arch=sm_80", "-optimize=3", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -optimize=3\n"},
        {"-arch=sm_80", "-device-stack-protector",
         NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -device-stack-protector\n"},
        {"-arch=sm_80", "-device-stack-protector=true",
         NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -device-stack-protector=true\n"},
        {"-arch=sm_80", "-fmad=1", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -fmad=1\n"},
        {"-arch=sm_80", "-use_fast_math", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -use_fast_math\n"},
        {"-arch=sm_80", "-gen-opt-lto", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -gen-opt-lto\n"},
        {"-arch=sm_80", "-ident", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -ident\n"},
        {"-arch=sm_80", "-w", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: -w\n"},
        {"-arch=sm_80", "--lto", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: --lto\n"},
        {"-arch=sm_80", "", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "unrecognized option: \n"},
        {"-arch=sm_80", "-maxrregcount=", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-maxrregcount=)\n"},
        {"-arch=sm_80", "-kernels-used=", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-kernels-used=)\n"},
        {"-arch=sm_80", "-variables-used=", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-variables-used=)\n"},
        {"-arch=sm_80", "-Xptxas=", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-Xptxas=)\n"},
        {"-arch=sm_80", "-Xnvvm=", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-Xnvvm=)\n"},
        {"-arch=sm_80",
         "-split-compile-extended=", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-split-compile-extended=)\n"},
        {"-arch=sm_80", "-arch=", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-arch=)\n"},
        {"-arch=sm_80", "-arch=80", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-arch=80)\n"},
        {"-arch=sm_80", "-arch=sm_", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-arch=sm_)\n"},
        {"-arch=sm_80", "-arch=foo_80", NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value "
         "(-arch=foo_80)\n"},
        {"-arch=sm_80", "-split-compile=-1",
         NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "argument for -split-compile must be non-negative.\n"},
        {"-arch=sm_80", "-split-compile-extended=-1",
         NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
         "argument for -split-compile-extended must be non-negative.\n"},
        {"-arch=sm_80", "-r", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-rdc=true", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-relocatable-device-code", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-g", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-O0", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-O3", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-time", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-timex", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-verbosex", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-no-cache=1", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-optimize-unused-variables=1", NVJITLINK_SUCCESS,
         NULL},
        {"-arch=sm_80", "-ftz=", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-ftz=true", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-fma=", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-prec-div=7", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-prec-sqrt=x", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-split-compile=", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-split-compile=3x", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-jump-table-density=", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-kernels-used=zz", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-variables-used=v", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-Xptxas=-v", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-Xnvvm=-bogus", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-ltox", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-dlto", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-lineinfox", NVJITLINK_SUCCESS, NULL},
        {"-arch=sm_80", "-maxrregcount=x", NVJITLINK_SUCCESS, NULL},
        {"-arch=lto_80", NULL, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
         "ERROR: virtual arch requires -ptx\n"},
        {"-arch=sm_80", "-ptxx", NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
         "ERROR: -ptx requires -lto\n"},
        {NULL, NULL, NVJITLINK_ERROR_MISSING_ARCH, NULL},
        {"-arch=sm_90", "-lineinfo", NVJITLINK_SUCCESS, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        nvJitLinkHandle h = create(rows[i].a, rows[i].b, rows[i].result);
        const char *log = rows[i].log;
        char text[200] = "";
        size_t size = 99;
        CHECK(!nvJitLinkGetErrorLogSize(h, &size));
        CHECK(size == (log ? strlen(log) + 1 : 0));
        CHECK(!nvJitLinkGetErrorLog(h, text) && !strcmp(text, log ? log : ""));
        CHECK(!nvJitLinkDestroy(&h));
    }
}

static void check_link_inputs(const char *ptx)
{
    static const char wrong[] = ".version 8.0\n.target sm_80\n"
                                ".address_size 64\n.visible .entry k() "
                                "{ no.instruction; }\n";
    nvJitLinkHandle h = create("-arch=sm_90", NULL, NVJITLINK_SUCCESS);
    const struct {
        const char *data;
        size_t size;
        nvJitLinkInputType type;
        nvJitLinkResult result;
    } rows[] = {
        {NULL, 0, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_INVALID_INPUT},
        {NULL, 9, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_NULL_INPUT},
        {ptx, 0, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_INVALID_INPUT},
        {"garbage", 7, NVJITLINK_INPUT_ANY, NVJITLINK_ERROR_UNRECOGNIZED_INPUT},
        {"garbage", 7, NVJITLINK_INPUT_PTX,
         NVJITLINK_ERROR_INCORRECT_INPUT_TYPE},
        {ptx, strlen(ptx), NVJITLINK_INPUT_FATBIN,
         NVJITLINK_ERROR_INCORRECT_INPUT_TYPE},
        {ptx, strlen(ptx), NVJITLINK_INPUT_LIBRARY,
         NVJITLINK_ERROR_INCORRECT_INPUT_TYPE},
        {ptx, strlen(ptx), NVJITLINK_INPUT_NONE,
         NVJITLINK_ERROR_INCORRECT_INPUT_TYPE},
        {ptx, strlen(ptx), (nvJitLinkInputType)9,
         NVJITLINK_ERROR_INCORRECT_INPUT_TYPE},
        {wrong, sizeof wrong, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE},
        {"BC\xc0\xde", 4, NVJITLINK_INPUT_LTOIR,
         NVJITLINK_ERROR_LTO_NOT_ENABLED},
        {"\x7f"
         "ELF and no more of it",
         25, NVJITLINK_INPUT_OBJECT, NVJITLINK_ERROR_UNRECOGNIZED_INPUT},
        {"!<arch>\nand no member", 22, NVJITLINK_INPUT_LIBRARY,
         NVJITLINK_ERROR_UNRECOGNIZED_INPUT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(nvJitLinkAddData(h, rows[i].type, rows[i].data, rows[i].size,
                               "in") == rows[i].result);
    CHECK(nvJitLinkAddFile(h, NVJITLINK_INPUT_ANY, "/nowhere") ==
          NVJITLINK_ERROR_INVALID_INPUT);
    CHECK(!nvJitLinkDestroy(&h));
}

/* Nothing is a program, too; a name that nobody defines is an error. */
static void check_link_results(const char *ptx)
{
    size_t size = 0;
    nvJitLinkHandle h = create("-arch=sm_90", NULL, NVJITLINK_SUCCESS);
    CHECK(nvJitLinkGetLinkedCubinSize(h, &size) == NVJITLINK_ERROR_INTERNAL);
    CHECK(!nvJitLinkComplete(h) && !nvJitLinkGetLinkedCubinSize(h, &size));
    CHECK(size > 0);
    CHECK(nvJitLinkGetLinkedPtxSize(h, &size) == NVJITLINK_ERROR_INVALID_INPUT);
    CHECK(nvJitLinkComplete(h) == NVJITLINK_ERROR_INTERNAL);
    CHECK(!nvJitLinkDestroy(&h));
    h = create("-arch=sm_90", "-lto", NVJITLINK_SUCCESS);
    CHECK(nvJitLinkComplete(h) == NVJITLINK_ERROR_NVVM_COMPILE);
    CHECK(!nvJitLinkDestroy(&h));
    h = create("-arch=sm_90", NULL, NVJITLINK_SUCCESS);
    CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, ptx, strlen(ptx), "alone"));
    CHECK(nvJitLinkComplete(h) == NVJITLINK_ERROR_INTERNAL);
    CHECK(!nvJitLinkGetErrorLogSize(h, &size) && size > 1);
    CHECK(!nvJitLinkDestroy(&h));
    h = create("-arch=sm_80", NULL, NVJITLINK_SUCCESS); /* the PTX is for 90 */
    CHECK(nvJitLinkAddData(h, NVJITLINK_INPUT_PTX, ptx, strlen(ptx), "new") ==
          NVJITLINK_ERROR_PTX_COMPILE);
    CHECK(!nvJitLinkDestroy(&h));
    h = create("-arch=sm_80", "-lto", NVJITLINK_SUCCESS);
    CHECK(!nvJitLinkAddData(h, NVJITLINK_INPUT_LTOIR, ptx, strlen(ptx), "ir"));
    CHECK(!nvJitLinkDestroy(&h));
}

/* ---- what is linked, and how --------------------------------------------- */

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
static const char kernel_ptx[] = HEAD ".visible .entry e() { ret; }\n";
static const char callee_ptx[] = HEAD ".visible .func f() { ret; }\n";
static const char caller_ptx[] =
    HEAD ".extern .func f();\n.visible .entry k() { call f, (); ret; }\n";
static const char variable_ptx[] = HEAD ".visible .global .u32 v;\n";
static const char wide_variable_ptx[] = HEAD ".visible .global .u64 v;\n";
static const char weak_ptx[] = HEAD ".weak .func f() { ret; }\n";

/* An LTO-IR image of NVIDIA's, whose code nobody reads here. */
static const unsigned char link_time_fatbin[] = {
    0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 72, 0, 0, 0, 0, 0, 0, 0, 8, 0,
    1,    1,    64,   0,    0, 0, 8,  0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    0, 0, 1,  0, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,    0,    0x11, 0,    1, 0, 0,  0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,    0,    0,    0,    0, 0, 0,  0, 1,  2, 3, 4, 5, 6, 7, 8};

struct input {
    const char *data; /* NULL: that LTO-IR */
    nvJitLinkInputType type;
    nvJitLinkResult added;
};

#define JIT "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (in)\n"
#define NO_MODULE                                                              \
    "ERROR in nvvmCompileProgram: NVVM_ERROR_NO_MODULE_IN_PROGRAM\n"
#define LTO_DISABLED                                                           \
    "ERROR 1: LTO-IR input cannot be used without LTO enabled (-lto)\n"

/* Answers of CUDA 13.0's library, but for: LTO-IR, which it reads and which is
 * refused here by name; and names that are defined twice, or in two ways, which
 * it complains of on standard output and links. A log is what the library's
 * begins with; NULL: any. */
static const struct {
    const char *options[3];
    struct input inputs[2];
    nvJitLinkResult completed;
    const char *errors, *info;
} links[] = {
    {{"-r"}, {{caller_ptx, NVJITLINK_INPUT_PTX, 0}}, 0, "", ""},
    {{"-r"},
     {{caller_ptx, NVJITLINK_INPUT_PTX, 0},
      {callee_ptx, NVJITLINK_INPUT_PTX, 0}},
     0,
     "",
     ""},
    {{NULL},
     {{caller_ptx, NVJITLINK_INPUT_PTX, 0}},
     NVJITLINK_ERROR_INTERNAL,
     NULL,
     ""},
    {{NULL},
     {{callee_ptx, NVJITLINK_INPUT_PTX, 0},
      {callee_ptx, NVJITLINK_INPUT_PTX, 0}},
     NVJITLINK_ERROR_INTERNAL,
     "in:4: error: `f` is defined twice\n",
     ""},
    {{NULL},
     {{variable_ptx, NVJITLINK_INPUT_PTX, 0},
      {wide_variable_ptx, NVJITLINK_INPUT_PTX, 0}},
     NVJITLINK_ERROR_INTERNAL,
     "in:4: error: `v` has another size than in another module\n",
     ""},
    {{NULL},
     {{callee_ptx, NVJITLINK_INPUT_PTX, 0}, {weak_ptx, NVJITLINK_INPUT_PTX, 0}},
     0,
     "",
     ""},
    {{"-lto"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     NVJITLINK_ERROR_NVVM_COMPILE,
     NO_MODULE,
     ""},
    {{"-lto", "-r"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     NVJITLINK_ERROR_NVVM_COMPILE,
     NO_MODULE,
     ""},
    {{"-lto", "-ptx"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
     "ERROR: -ptx requires that all inputs have LTOIR\n",
     ""},
    {{"-lto", "-ptx", "-arch=compute_80"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE}},
     NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
     "ERROR 3: ptxjit:in\n" JIT
     "ERROR: -ptx requires that all inputs have LTOIR\n",
     ""},
    {{NULL},
     {{NULL, NVJITLINK_INPUT_FATBIN, NVJITLINK_ERROR_LTO_NOT_ENABLED}},
     0,
     LTO_DISABLED,
     ""},
    {{"-lto"},
     {{NULL, NVJITLINK_INPUT_FATBIN, NVJITLINK_ERROR_UNRECOGNIZED_INPUT}},
     NVJITLINK_ERROR_NVVM_COMPILE,
     "in: NVIDIA's link-time code (LTO-IR) cannot be linked here, PTX "
     "can\n" NO_MODULE,
     ""},
    {{"-arch=sm_80a"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE}},
     0,
     "ptxas fatal   : Value 'sm_80a' is not defined for option "
     "'gpu-name'\n" JIT,
     NULL},
    {{"-arch=sm_90"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     0,
     "",
     "ptxas warning : incompatible redefinition for option 'gpu-name', the "
     "last value of this option was used\n"},
    {{"-O3", "-O0"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     0,
     "",
     "ptxas warning : incompatible redefinition for option 'opt-level', the "
     "last value of this option was used\n"},
    {{"-lineinfo=1"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE}},
     0,
     "ptxas fatal   : no argument expected after '-lineinfo'\n" JIT,
     ""},
    {{"-lineinfox"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE}},
     0,
     "ptxas fatal   : Unknown option 'lineinfox'\n" JIT,
     ""},
    {{"-maxrregcount=32x"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE}},
     0,
     "ptxas fatal   : Invalid value '32x' for option 'maxrregcount'\n" JIT,
     ""},
    {{"-maxrregcount=16"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     0,
     "",
     "ptxas warning : For profile sm_80 adjusting per thread register count of "
     "16 to lower bound of 24\n"},
    {{"-maxrregcount=1000000000000"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     0,
     "",
     "ptxas warning : Too big maxrregcount value specified -727379968, will be "
     "ignored\n"},
    {{"-Xptxas=--bogus=3"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE}},
     0,
     "ptxas fatal   : Unknown option '-bogus'\n" JIT,
     ""},
    {{"-Xptxas=v"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, NVJITLINK_ERROR_PTX_COMPILE}},
     0,
     "ptxas fatal   : Input file 'v' could not be opened\n"
     "ptxas fatal   : Ptx assembly aborted due to errors\n" JIT,
     ""},
    {{"-Xptxas=-v"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     0,
     "",
     "ptxas info    : 0 bytes gmem\n"
     "ptxas info    : Compiling entry function 'e' for 'sm_80'\n"
     "ptxas info    : Function properties for e\n"
     "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes "
     "spill loads\n"
     "ptxas info    : Used "},
    {{"-Xptxas=-o", "-Xptxas=/tmp/x", "-Xptxas=-O4"},
     {{kernel_ptx, NVJITLINK_INPUT_PTX, 0}},
     0,
     "",
     ""},
};

static bool is_log(nvJitLinkResult (*get)(nvJitLinkHandle h, char *log),
                   nvJitLinkHandle h, const char *wanted)
{
    char log[4096] = "";
    CHECK(!get(h, log));
    bool ok =
        !wanted || (*wanted ? !strncmp(log, wanted, strlen(wanted)) : !*log);
    if (!ok)
        printf("a log is: %s\n", log);
    return ok;
}

static void check_links(void)
{
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const char *options[4] = {"-arch=sm_80"};
        unsigned count = 1;
        int before = check_failures;
        nvJitLinkHandle h;
        for (; count < 4 && links[i].options[count - 1]; count++)
            options[count] = links[i].options[count - 1];
        CHECK(!nvJitLinkCreate(&h, count, options));
        for (unsigned k = 0; k < 2 && links[i].inputs[k].type; k++) {
            const struct input *in = &links[i].inputs[k];
            const void *data =
                in->data ? (const void *)in->data : link_time_fatbin;
            size_t size = in->data ? strlen(in->data) : sizeof link_time_fatbin;
            CHECK(nvJitLinkAddData(h, in->type, data, size, "in") == in->added);
        }
        CHECK(nvJitLinkComplete(h) == links[i].completed);
        CHECK(is_log(nvJitLinkGetErrorLog, h, links[i].errors));
        CHECK(is_log(nvJitLinkGetInfoLog, h, links[i].info));
        CHECK(!nvJitLinkDestroy(&h));
        if (check_failures != before)
            printf("in row %zu of links\n", i);
    }
}

/* ---- nvFatbin ------------------------------------------------------------ */

/* A fat binary with the PTX, and machine code of another device. */
static char *pack(const char *ptx, const char *wrong)
{
    const char *option = "-compress=false", *unknown = "-nonsense";
    nvFatbinHandle h;
    size_t size;
    char *out = NULL;
    CHECK(nvFatbinCreate(&h, &unknown, 1) ==
          NVFATBIN_ERROR_UNRECOGNIZED_OPTION);
    CHECK(!nvFatbinCreate(&h, &option, 1));
    CHECK(!nvFatbinSize(h, &size) && size > 0);
    CHECK(!*nvFatbinGetErrorString(NVFATBIN_SUCCESS));
    CHECK(nvFatbinAddPTX(h, wrong, strlen(wrong), "90", "x", NULL) ==
          NVFATBIN_ERROR_MISSING_PTX_VERSION);
    CHECK(nvFatbinAddPTX(h, ptx, strlen(ptx), "80", "x", NULL) ==
          NVFATBIN_ERROR_PTX_ARCH_MISMATCH);
    CHECK(nvFatbinAddPTX(h, ptx, strlen(ptx), "ninety", "x", NULL) ==
          NVFATBIN_ERROR_INVALID_ARCH);
    CHECK(!nvFatbinAddPTX(h, ptx, strlen(ptx) + 1, "90", "x.cu", ""));
    CHECK(!nvFatbinAddCubin(h, "\177ELF", 4, "75", "x.cu"));
    if (!nvFatbinSize(h, &size) && (out = malloc(size)))
        CHECK(!nvFatbinGet(h, out));
    CHECK(!nvFatbinDestroy(&h) && !h);
    return out;
}

/* What is called a cubin is for the device that it is said to be for. */
static void check_packed_image(const void *image, size_t size)
{
    nvFatbinHandle h;
    CHECK(!nvFatbinCreate(&h, NULL, 0));
    CHECK(nvFatbinAddCubin(h, image, size, "75", "x") ==
          NVFATBIN_ERROR_ELF_ARCH_MISMATCH);
    CHECK(!nvFatbinAddCubin(h, image, size, "90", "x"));
    CHECK(!nvFatbinDestroy(&h));
}

/* ---- together ------------------------------------------------------------ */

static void check_runs(const void *image)
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    int out[32] = {0};
    void *args[] = {&p};
    CHECK(!cuInit(0) && !cuDevicePrimaryCtxRetain(&ctx, 0) &&
          !cuCtxSetCurrent(ctx));
    CHECK(!cuModuleLoadData(&m, image));
    if (check_failures)
        return;
    CHECK(!cuModuleGetFunction(&f, m, "k") && !cuMemAlloc(&p, sizeof out));
    CHECK(!cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
    CHECK(!cuMemcpyDtoH(out, p, sizeof out));
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == 2 * (i ^ 1) + 2);
    CHECK(!cuMemFree(p) && !cuModuleUnload(m));
}

int main(void)
{
    char *a = compile(kernel_ir, NULL, NULL, NVVM_SUCCESS);
    char *b = compile(twice_ir, NULL, "-opt=0", NVVM_SUCCESS);
    char *whole = compile(kernel_ir, twice_ir, "-ftz=1", NVVM_SUCCESS);
    if (!a || !b || !whole)
        return 1;
    CHECK(strstr(a, ".visible .entry k(") && strstr(a, "shfl.sync.bfly"));
    CHECK(!strstr(whole, "unused") && strstr(b, "unused"));
    CHECK(!compile("define i32 @f() { ret void }", NULL, NULL,
                   NVVM_ERROR_COMPILATION));
    CHECK(!compile(kernel_ir, NULL, "-nonsense", NVVM_ERROR_INVALID_OPTION));
    check_nvvm_misuse();
    check_nvvm_answers();
    check_nvvm_levels();
    check_nvvm_asm();
    check_link_options();
    check_links();
    check_link_inputs(a);
    check_link_results(a);
    size_t size = 0;
    char *image = link_ptx(a, b, &size);
    check_runs(image);
    check_runs(whole);
    char *packed = pack(whole, "nothing");
    check_runs(packed);
    check_packed_image(image, size);
    free(packed);
    free(image);
    free(whole);
    free(b);
    free(a);
    return check_result();
}
