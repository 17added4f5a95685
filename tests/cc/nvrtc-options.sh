# SPDX-License-Identifier: Apache-2.0
# What NVRTC says of options, in the words of CUDA 13.0's; what is measured; and
# a program that brings a C++ library of its own, as CCCL does, in C++20.
export CUDA_CACHE_PATH=$PWD/cache
cat > o.c <<'C'
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kernel[] = "extern \"C\" __global__ void k() {}\n";

/* The status, then the log. */
static void say(const char *source, int n, const char *const *options)
{
    nvrtcProgram p;
    size_t bytes = 0;
    nvrtcCreateProgram(&p, source, "p.cu", 0, NULL, NULL);
    nvrtcResult err = nvrtcCompileProgram(p, n, options);
    nvrtcGetProgramLogSize(p, &bytes);
    char *log = calloc(bytes + 1, 1);
    nvrtcGetProgramLog(p, log);
    char *number = strstr(log, "compilation, "); /* of milliseconds: any */
    if (number && strstr(log, "phase name")) {
        number += strlen("compilation, ");
        memmove(number, number + strspn(number, "0123456789"),
                strlen(number + strspn(number, "0123456789")) + 1);
    }
    printf("%d %s\n", err, log);
    free(log);
    nvrtcDestroyProgram(&p);
}

static const char own_library[] =
    "#if __cpp_lib_constexpr_dynamic_alloc || !__NV_BUILTIN_MOVE_FORWARD ||"
    " __CUDA_FTZ || !__CUDA_PREC_DIV || !__CUDA_PREC_SQRT ||"
    " !defined __USE_FAST_MATH__ || __USE_FAST_MATH__ ||"
    " __CUDA_ARCH_SPECIFIC__ != 900 || __CUDA_ARCH_FAMILY_SPECIFIC__ != 900\n"
    "#error not NVRTC's macros\n"
    "#endif\n"
    "#if __has_include(<version>)\n"
    "#include <version>\n"
    "#endif\n"
    "#ifdef __cpp_lib_concepts\n"
    "#error there is a library\n"
    "#endif\n"
    "using time_t = long long;\n"
    "struct timespec { ::time_t tv_sec; long tv_nsec; };\n"
    "namespace std {\n"
    "template <size_t I, class T> struct tuple_element;\n"
    "template <size_t I, class T> struct tuple_element<I, const T> {};\n"
    "template <class T> __device__ T *construct_at(T *p)\n"
    "{ return ::new (p) T(); }\n"
    "}\n"
    "namespace n { using ::std::align_val_t; }\n"
    "template <class T> __device__ T f(T x) { return n::later(x); }\n"
    "namespace n { __device__ int later(int x) { return x + 1; } }\n"
    "__device__ int g(int *p) { return f(*std::construct_at(p)); }\n";

/* No header has it: programs whose texts are encoded. */
nvrtcResult __nvrtcCPEx(nvrtcProgram *, const char *, const char *, int,
                        const char *const *, const char *const *, int,
                        const int *, void *const *);

/* '@' stands for the payload's letter. */
static char *decode(const void *text, void *payload)
{
    static char decoded[3][100];
    static int used;
    char *to = strcpy(decoded[used++ % 3], text);
    printf("decodes %.9s\n", to);
    for (char *at; (at = strchr(to, '@'));)
        *at = *(char *)payload;
    return to;
}

static void encoded(void)
{
    static const char *const headers[] = {"#define N @\n"},
                             *const names[] = {"n.h"};
    static const int kinds[] = {2, 1, 3};
    char letter = '5', *ptx;
    void *values[] = {&letter, (void *)decode, NULL};
    nvrtcProgram p;
    size_t bytes;
    static const char source[] =
        "#include \"n.h\"\nextern \"C\" __constant__ int c@ = N;\n"
        "extern \"C\" __global__ void k(int *p) { *p = c5; }\n";
    printf("%d %d %d\n",
           __nvrtcCPEx(&p, source, "p", 0, NULL, NULL, 3, kinds, values),
           __nvrtcCPEx(&p, source, "p", 0, NULL, NULL, 2, kinds, NULL),
           __nvrtcCPEx(NULL, source, "p", 0, NULL, NULL, 0, NULL, NULL));
    printf("%d\n",
           __nvrtcCPEx(&p, source, "p", 1, headers, names, 2, kinds, values));
    printf("%d\n", nvrtcCompileProgram(p, 0, NULL));
    nvrtcGetPTXSize(p, &bytes);
    ptx = malloc(bytes);
    nvrtcGetPTX(p, ptx);
    printf("%.7s\n", strstr(ptx, ".u32 c5") ? strstr(ptx, ".u32 c5") + 5
                                             : "no c5");
    free(ptx);
    nvrtcDestroyProgram(&p);
}

int main(void)
{
    encoded();
    static const char *const wrong[] = {
        "-ftz=yes", "--prec-div=2", "-rdc", "-modify-stack-limit=x", "-dQ",
        "-builtin-initializer-list=x", "-brief-diag=x", "-pch-verbose=x",
        "-maxrregcount=abc", "-split-compile=x", "-diag-suppress=x",
        "-diag-error=0", "-Ofc=bad", "-dopt=off", "-arch=", "-arch",
        "--use_fast_math=true", "-lineinfo=1", "bogus", "", "--bogus=1",
        "--rdc=true", "--G", "-relocatable-device-code=true", "-Werror=reorder",
        "-std=c++23", "--std=gnu++17", "-split-compile=-1", "-jtd=-1",
        "-use-pch=no.pch", "-DA B", "-D1", "-DA(x", "-UA=1", "-Ddefined=1",
        "-pch-dir=/no/folder", "-arch=sm_89a", "-arch=compute_90f",
        "-extended-lambda", "-opt-info=no", "-DA(x, y)=x,y", "-split-compile=",
        "-maxrregcount=", "--include-path="};
    static const char *const lines[][3] = {
        {"-std", "c++17"}, /* a value that is a string of its own */
        {"-ewp", "-rdc=true"},
        {"-ewp", "-dc"},
        {"-dc", "-dw"},
        {"-rdc=false", "-dc"},
        {"-dlto", "-rdc=false"},
        {"-dlto", "-dw"},
        {"-fdevice-time-trace", "trace.json"},
        {"-create-pch=p.pch", "-use-pch=p.pch"},
        {"-pch", "-use-pch=p.pch"},
        {"-create-pch=p.pch", "-pch-dir=."},
        {"-use-pch=./p.pch", "-pch-dir=x"},
        {"-use-pch=p.pch", "-pch-messages=false"},
        {"-use-pch=p.pch", "-DX"},
        {"-use-pch=o.c", "-DX"},
        {"-std=c++03", "-maxrregcount=-1"},
        {"-Xptxas", "-v"},
        {"-Xptxas=-v", "-arch=sm_90"},
    };
    static const char *const time = "-time=-", *nowhere = "-time=/no/folder";
    static const char *const trace = "-fdevice-time-trace=trace.json";
    static const char *const no_list[] = {"-builtin-initializer-list=false"};
    static const char *const newest[] = {"-std=c++20", "-arch=compute_90a"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        say(kernel, 1, wrong + i);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        say(kernel, 2, lines[i]);
    say("#define Y\n", 1, (const char *[]){"-use-pch=p.pch"});
    say("__global__ void k() { asm(\"bogus;\"); }\n", 1,
        (const char *[]){"-arch=sm_90"});
    say("__device__ int a[] = {F(5, 0), A};\n", 2,
        (const char *[]){"-DF(x, y)=x", "-DA=1,2"});
    say(kernel, 1, &time);
    say(kernel, 1, &nowhere);
    say(kernel, 1, &trace);
    say("#if !__NV_BUILTIN_INITIALIZER_LIST\n#error it is off\n#endif\n", 1,
        no_list);
    say(own_library, 2, newest);
    printf("%d %d\n", nvrtcCreateProgram(NULL, "", "", 0, NULL, NULL),
           nvrtcCompileProgram(NULL, 0, NULL));
    return 0;
}
C
gcc $sanitizers o.c -I$build/nvcc/include -L$build/nvcc/lib64 -lnvrtc \
    -Wl,-rpath,$build/lib -o o && ./o
grep -c traceEvents trace.json
