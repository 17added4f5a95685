# SPDX-License-Identifier: Apache-2.0
# Compiling at run time: headers in memory, options, names, errors, threads,
# and the cache.
export CUDA_CACHE_PATH=$PWD/cache
unset CUDA_CACHE_DISABLE
cat > n.c <<'C'
#include <nvrtc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define CHECK(call) check(#call, call)
static void check(const char *what, nvrtcResult err)
{
    if (err)
        printf("%s: %s\n", what, nvrtcGetErrorString(err));
}

static const char *source =
    "#include <cuda/atomic>\n" /* over the host's headers, as -I says */
    "#include \"scale.h\"\n"
    "#include <../up.h>\n"
    "namespace ns {\n"
    "template <class T, int N> __global__ void k(T *p)\n"
    "{ p[threadIdx.x] = scale(T(N)) + UP + MACRO; }\n"
    "template <class T> __device__ T table[4];\n"
    "}\n"
    "__constant__ int limit;\n"
    "extern \"C\" __global__ void plain(float *p)\n"
    "{ *p = sqrtf(*p) + __popc(limit); }\n";

static void show_log(nvrtcProgram p)
{
    size_t n;
    CHECK(nvrtcGetProgramLogSize(p, &n));
    char *log = malloc(n);
    CHECK(nvrtcGetProgramLog(p, log));
    printf("[%s]\n", log);
    free(log);
}

/* Names of the system's headers, which NVRTC leaves to programs. */
static const char *own_names =
    "#if defined __GNUC__ || defined __clang__ || defined __EXCEPTIONS ||"
    "    !defined __FORCE_INCLUDE_CUDA_FP16_HPP_FROM_FP16_H__ ||"
    "    !defined __FORCE_INCLUDE_CUDA_BF16_HPP_FROM_BF16_H__\n"
    "#error headers of NVIDIA's do not know NVRTC\n"
    "#endif\n"
    "typedef long long int int64_t;\n"
    "namespace std { template <bool B, class T> struct enable_if {};\n"
    "template <class T> struct enable_if<true, T> { typedef T type; }; }\n"
    "#include \"/virtual/place.h\"\n"
    "extern \"C\" __global__ void own(int *p, int64_t n)\n"
    "{ assert(n == 3); std::enable_if<true, int>::type x = PLACE;\n"
    "  p[threadIdx.x] = x + max((int)n, 2); }\n";

static double ms_of(struct timeval t)
{
    return t.tv_sec * 1e3 + t.tv_usec * 1e-3;
}

/* Processor time in ms, of this process and of compilers that it has run. The
 * clock would count what else the machine does. */
static double now(void)
{
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return ms_of(own.ru_utime) + ms_of(own.ru_stime) +
           ms_of(children.ru_utime) + ms_of(children.ru_stime);
}

static double build(int is_shown)
{
    const char *texts[] = {"template <class T> __device__ T scale(T x)\n"
                           "{ return 2 * x; }\n",
                           "#define UP 1\n"};
    const char *names[] = {"scale.h", "../up.h"};
    const char *options[] = {"--gpu-architecture=sm_80", "-DMACRO=7",
                             "-std=c++17", "--use_fast_math", "-I" INCLUDE};
    static const char *const wanted[] = {"ns::k<int, 3>", "&ns::table<float>",
                                         "&limit", "plain"};
    nvrtcProgram p;
    double begin = now();
    CHECK(nvrtcCreateProgram(&p, source, "prog.cu", 2, texts, names));
    for (int i = 0; i < 4; i++)
        CHECK(nvrtcAddNameExpression(p, wanted[i]));
    CHECK(nvrtcCompileProgram(p, 5, options));
    double took = now() - begin;
    for (int i = 0; i < 4 && is_shown; i++) {
        const char *name = "?";
        CHECK(nvrtcGetLoweredName(p, wanted[i], &name));
        printf("%s: %s\n", wanted[i], name);
    }
    size_t n = 0, image = 0;
    CHECK(nvrtcGetPTXSize(p, &n));
    CHECK(nvrtcGetCUBINSize(p, &image));
    char *ptx = malloc(n);
    CHECK(nvrtcGetPTX(p, ptx));
    if (strlen(ptx) != n - 1 || !strstr(ptx, "sqrt.approx") || image < n)
        printf("bad PTX, size %zu, image %zu\n%s", n, image, ptx);
    if (strstr(ptx, "__weft_name"))
        puts("traces of the name expressions");
    if (is_shown) {
        FILE *f = fopen("n.ptx", "w");
        fputs(ptx, f);
        fclose(f);
        show_log(p);
    }
    free(ptx);
    CHECK(nvrtcDestroyProgram(&p));
    return took;
}

static const char *other_names =
    "namespace mine { template <class T, class U> struct is_same {}; }\n"
    "namespace std { using mine::is_same; }\n"
    "__device__ int size(std::initializer_list<int> l)\n"
    "{ return (int)std::move(l).size(); }\n";

static void *build_alone(void *data)
{
    const char *option = "--no-cache";
    char text[400];
    nvrtcProgram p;
    snprintf(text, sizeof text, "%s__global__ void k%d(int *p) { *p = %d; }",
             *(int *)data == 14 ? other_names : "", *(int *)data, *(int *)data);
    CHECK(nvrtcCreateProgram(&p, text, NULL, 0, NULL, NULL));
    CHECK(nvrtcCompileProgram(p, 1, &option));
    size_t n = 0;
    CHECK(nvrtcGetPTXSize(p, &n));
    char *ptx = malloc(n);
    CHECK(nvrtcGetPTX(p, ptx));
    snprintf(text, sizeof text, ", %d;", *(int *)data);
    if (!strstr(ptx, text))
        puts("not this thread's PTX");
    free(ptx);
    CHECK(nvrtcDestroyProgram(&p));
    return NULL;
}

static void fail(const char *text, const char *option)
{
    nvrtcProgram p;
    size_t n;
    CHECK(nvrtcCreateProgram(&p, text, "bad.cu", 0, NULL, NULL));
    CHECK(nvrtcCompileProgram(p, option != NULL, &option));
    show_log(p);
    CHECK(nvrtcGetPTXSize(p, &n));
    printf("%zu\n", n);
    CHECK(nvrtcDestroyProgram(&p));
}

/* What there is of a program that calls what others define. */
static void part(const char *text, const char *a, const char *b)
{
    const char *options[] = {a, b};
    nvrtcProgram p;
    size_t ptx = 99, cubin = 99, ltoir = 99;
    CHECK(nvrtcCreateProgram(&p, text, "part.cu", 0, NULL, NULL));
    printf("%s, %s: %s", a, b ? b : "", nvrtcGetErrorString(
           nvrtcCompileProgram(p, b ? 2 : 1, options)));
    CHECK(nvrtcGetPTXSize(p, &ptx));
    CHECK(nvrtcGetCUBINSize(p, &cubin));
    CHECK(nvrtcGetLTOIRSize(p, &ltoir));
    printf(", %s, %s, %s\n", ptx > 1 ? "PTX" : "no PTX",
           cubin ? "cubin" : "no cubin", ltoir ? "LTO-IR" : "no LTO-IR");
    CHECK(nvrtcDestroyProgram(&p));
}

static void parts(void)
{
    static const char whole[] = "__global__ void k(int *p) { *p = 1; }";
    static const char open[] = "extern __device__ int f();\n"
                               "__global__ void k(int *p) { *p = f(); }";
    part(whole, "-arch=sm_90", NULL);
    part(whole, "-arch=sm_90", "-dlto");
    part(open, "-arch=sm_90", NULL);
    part(open, "-arch=compute_90", NULL);
    part(open, "-arch=sm_90", "-rdc=true");
    part(open, "-arch=sm_90", "-dlto");
    part(open, "-arch=sm_90", "-dc"); /* not what -dlto left in the cache */
    part(open, "-dlto", "-arch=sm_90");
    part(whole, "--Ofast-compile=min", "--gen-opt-lto");
    part(whole, "--fdevice-syntax-only", NULL); /* makes PTX all the same */
}

/* Encoded texts, as cuDNN's are: a client has them decoded. nvrtc.h does not
 * declare this. */
nvrtcResult __nvrtcCPEx(nvrtcProgram *prog, const char *src, const char *name,
                        int numHeaders, const char *const *headers,
                        const char *const *includeNames, int numExtensions,
                        const int *extensions, void *const *extensionArgs);

static char *turned(const char *text)
{
    char *out = strdup(text);
    for (char *c = out; *c; c++)
        *c ^= 0x80;
    return out;
}

/* What it returns is gone at the next call. */
static const char *decode(const void *text, void *payload)
{
    char **last = payload;
    free(*last);
    return *last = turned(text);
}

static void encoded(void)
{
    char *last = NULL;
    const char *name = "part.h", *header = turned("#define PART 7\n");
    const char *text = turned("#include \"part.h\"\n"
                              "__global__ void k(int *p) { *p = PART + MORE; }");
    const char *options[] = {turned("-DMORE=1"), turned("-use_fast_math  ")};
    const int extensions[] = {1, 2, 3};
    nvrtcProgram p;
    void *arguments[] = {NULL, &last, NULL};
    *(const char *(**)(const void *, void *))&arguments[0] = decode;
    CHECK(__nvrtcCPEx(&p, text, "encoded.cu", 1, &header, &name, 3, extensions,
                      arguments)); /* the third one is not known */
    CHECK(__nvrtcCPEx(&p, text, "encoded.cu", 1, &header, &name, 2, NULL,
                      arguments));
    CHECK(__nvrtcCPEx(&p, text, "encoded.cu", 1, &header, &name, 2, extensions,
                      arguments));
    CHECK(nvrtcCompileProgram(p, 2, options));
    show_log(p);
    CHECK(nvrtcDestroyProgram(&p));
    CHECK(__nvrtcCPEx(&p, "int plain;", "plain.cu", 0, NULL, NULL, 0, NULL,
                      NULL));
    CHECK(nvrtcCompileProgram(p, 0, NULL));
    CHECK(nvrtcDestroyProgram(&p));
    free(last);
}

int main(void)
{
    int major, minor, count, archs[100];
    CHECK(nvrtcVersion(&major, &minor));
    CHECK(nvrtcGetNumSupportedArchs(&count));
    CHECK(nvrtcGetSupportedArchs(archs));
    printf("%d.%d, %d to %d\n", major, minor, archs[0], archs[count - 1]);
    build(1);
    double best = build(0);
    for (int i = 0; i < 10; i++) {
        double t = build(0);
        best = t < best ? t : best;
    }
    printf("from the cache: %s\n", best < 5 ? "under 5 ms" : "slow");

    fail("#include <no/such.h>\n", NULL); /* Jitify looks for these words */
    fail("__global__ void k(int *p)\n{\n    *p = nothing;\n}\n", NULL);
    fail("__global__ void k() {}", "--no-such-option");
    fail("__global__ void k() {}", "-arch=compute_81");
    fail("__global__ void k() {}", "-arch=sm_13");
    fail("int x = ;", NULL);
    fail("__global__ void k() {}", "--optix-ir");
    fail("int f() { return 1; } __global__ void k(int *p) { *p = f(); }",
         "-default-device=1");

    parts();
    encoded();
    nvrtcProgram p;
    const char *name, *option = "-default-device";
    CHECK(nvrtcCreateProgram(&p, "int f() { return 1; }\n"
                                 "__global__ void k(int *p) { *p = f(); }",
                             NULL, 0, NULL, NULL));
    CHECK(nvrtcGetLoweredName(p, "k", &name));
    CHECK(nvrtcCompileProgram(p, 1, &option));
    CHECK(nvrtcGetLoweredName(p, "k", &name));
    CHECK(nvrtcAddNameExpression(p, "k"));
    CHECK(nvrtcDestroyProgram(&p));
    CHECK(nvrtcDestroyProgram(&p));
    CHECK(nvrtcCompileProgram(NULL, 0, NULL));
    CHECK(nvrtcCreateProgram(&p, NULL, NULL, 0, NULL, NULL));
    size_t heap_bytes = 0;
    CHECK(nvrtcSetPCHHeapSize(1000000));
    CHECK(nvrtcGetPCHHeapSize(&heap_bytes));
    printf("heap of %zu bytes\n", heap_bytes);

    const char *text = "#define PLACE 40\n", *place = "/virtual/place.h";
    CHECK(nvrtcCreateProgram(&p, own_names, "own.cu", 1, &text, &place));
    CHECK(nvrtcCompileProgram(p, 0, NULL));
    show_log(p);
    size_t bytes = 0;
    CHECK(nvrtcGetPTXSize(p, &bytes));
    char *ptx = calloc(1, bytes + 1);
    CHECK(nvrtcGetPTX(p, ptx));
    FILE *f = fopen("own.ptx", "w");
    fputs(ptx, f);
    fclose(f);
    free(ptx);
    CHECK(nvrtcDestroyProgram(&p));

    pthread_t threads[4];
    int numbers[4] = {11, 12, 13, 14};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, build_alone, &numbers[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    /* A program that never waits for its children, and blocks signals. */
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    signal(SIGCHLD, SIG_IGN);
    build_alone(&numbers[0]);
    puts("done");
    return 0;
}
C
mkdir tmp
gcc $sanitizers n.c -DINCLUDE='"'$build/nvcc/include/cccl'"' -I$build/nvcc/include -L$build/nvcc/lib64 -lnvrtc -Wl,-rpath,$build/lib -o n &&
    TMPDIR=$PWD/tmp ./n
ls tmp
$build/bin/weft dump --ptx n.ptx | grep -o '^.visible .entry [^(]*' | sort -u
$build/bin/weft run --block 2 own.ptx out:s32:2 s64:3
