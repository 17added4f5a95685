# SPDX-License-Identifier: Apache-2.0
# Which headers a program of NVRTC's finds: those that it gives by name, which
# come first, and those that -I leads to; not ours or the host's by themselves.
# A program that learns from the errors what to give (as Jitify does) gets there.
export CUDA_CACHE_PATH=$PWD/cache
unset CUDA_CACHE_DISABLE
cat > h.c <<'C'
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *names[8], *texts[8];
static int count;

static void give(const char *name, const char *text)
{
    names[count] = name;
    texts[count++] = text;
}

/* Prints the log, or what is behind "answer = " in the PTX. */
static char *build(const char *source, int n, const char *const *options)
{
    nvrtcProgram p;
    size_t bytes = 0, ptx_bytes = 0;
    nvrtcCreateProgram(&p, source, "p.cu", count, texts, names);
    nvrtcResult err = nvrtcCompileProgram(p, n, options);
    nvrtcGetProgramLogSize(p, &bytes);
    char *log = calloc(bytes + 1, 1);
    nvrtcGetProgramLog(p, log);
    nvrtcGetPTXSize(p, &ptx_bytes);
    char *ptx = calloc(ptx_bytes + 1, 1);
    if (!err)
        nvrtcGetPTX(p, ptx);
    const char *at = strstr(ptx, "answer = ");
    if (at)
        printf("%.*s\n", (int)strcspn(at, "\n"), at);
    else
        printf("%s%s\n", log, ptx);
    free(ptx);
    nvrtcDestroyProgram(&p);
    if (at)
        *log = 0;
    return log;
}

#define ANSWER "__global__ void k() { asm volatile(\"answer = %0\" :: \"n\"(X)); }\n"

/* Gives what is missing, one after the other, from where it may be. */
static void learn(const char *source)
{
    static const char *const all[][2] = {
        {"limits.h", "#define CHAR_BIT 9\n"},
        {"type_traits",
         "#include <stdint.h>\nnamespace std { template <class T> struct is_same_as"
         " { enum { value = sizeof(int64_t) }; }; }\n"},
        {"stdint.h", "typedef long long int64_t;\n"},
        {"cuda_fp16.h", "struct __half { char a[7]; };\n"}};
    count = 0;
    for (int i = 0; i < 6; i++) {
        char *log = build(source, 0, NULL), name[64];
        const char *at = strstr(log, "cannot open source file \"");
        if (!at || sscanf(at, "cannot open source file \"%63[^\"]", name) != 1)
            break;
        for (int k = 0; k < 4; k++)
            if (strcmp(all[k][0], name) == 0)
                give(all[k][0], all[k][1]);
    }
}

int main(void)
{
    static const char *const ours[] = {"-I" INCLUDE};
    static const char *const gone[] = {"-I/nowhere/cuda/include"};
    static const char *const both[] = {"-I", INCLUDE, "-I/usr/include"};
    static const char half[] = "#include <cuda_fp16.h>\n"
                               "enum { X = sizeof(__half) };\n" ANSWER;
    build(half, 0, NULL);
    build("#include <stdint.h>\n", 0, NULL);
    build(half, 1, ours);
    build(half, 1, gone);
    build(half, 3, both);
    learn("#include <limits.h>\n#include <type_traits>\n"
          "#include <cuda_fp16.h>\n"
          "enum { X = 100 * CHAR_BIT + 10 * std::is_same_as<int>::value +"
          " sizeof(__half) };\n" ANSWER);
    puts("given, and ours behind them");
    build(half, 1, ours);
    count = 0;
    /* The host's, where -I shows ours: clients read who includes what. */
    give("inner.h", "\n#include <stdio.h>\n");
    build("#include \"inner.h\"\n", 1, ours);
    count = 0;
    /* A guide for device code alone, and the program's own mistake. */
    build("template <class T> struct A { T v; __device__ A(T x) : v(x) {} };\n"
          "template <class T> __device__ A(T) -> A<T>;\n"
          "enum { X = 5 };\n" ANSWER, 0, NULL);
    build("struct B {};\nstruct B {};\n", 0, NULL);
    /* A C++ library of the program's, and ours of the toolkit's headers. */
    build("namespace std { template <class... T> struct tuple_size; }\n"
          "using int64_t = signed long long;\n"
          "using uintmax_t = unsigned long long;\n"
          "#include <cuda_bf16.h>\n#include <cooperative_groups.h>\n"
          "__device__ int r() { return "
          "cooperative_groups::this_grid().thread_rank(); }\n"
          "enum { X = 7 };\n" ANSWER, 1, ours);
    /* What a library declares itself, and for both sides with the option. */
    static const char *const device[] = {"--device-as-default-execution-space"};
    static const char declared[] =
        "extern \"C\" __device__ void *__cuda_syscall_aligned_malloc(size_t, size_t);\n"
        "__device__ void *p() { return __cuda_syscall_aligned_malloc(8, 64); }\n"
        "enum { X = 6 };\n" ANSWER;
    count = 0;
    build(declared, 0, NULL);
    build(declared, 1, device);
    return 0;
}
C
gcc $sanitizers -DINCLUDE="\"$build/nvcc/include\"" h.c -I$build/nvcc/include -L$build/nvcc/lib64 -lnvrtc -Wl,-rpath,$build/lib -o h && ./h
