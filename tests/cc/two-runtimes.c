/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runtime API answers, call for call, in contexts of all sorts, after
 * a fault, and of objects used rightly and wrongly; for two-runtimes.sh, which
 * has it linked to two runtimes. Prints a line for each call.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .u32 g = 7;\n"
    ".visible .global .attribute(.managed) .u32 mg = 9;\n"
    ".visible .entry k(.param .u64 p, .param .u32 n) .maxntid 256,1,1 {\n"
    "    .reg .b64 %rd<2>;\n    .reg .b32 %r<2>;\n"
    "    ld.param.u64 %rd1, [p];\n    ld.param.u32 %r1, [n];\n"
    "    st.global.u32 [%rd1], %r1;\n    ret;\n}\n"
    ".visible .entry t() { trap; }\n";

int main(void);

static void nothing(void *data)
{
    (void)data;
}

static void show_call(const char *call, int status)
{
    printf("%s: %d, then %d\n", call, status, (int)cudaGetLastError());
    fflush(stdout);
}

#define CALL(...) show_call(#__VA_ARGS__, (int)(__VA_ARGS__));
#define SHOW(...)                                                              \
    do {                                                                       \
        printf("    " __VA_ARGS__);                                            \
        putchar('\n');                                                         \
    } while (0);
#define DO(...) __VA_ARGS__;

static void contexts(void)
{
    CUcontext c, o;
    int d = -1, act;
    unsigned f = 99;
    void *p;
#define CONTEXTS
#include "two-runtimes.def"
#undef CONTEXTS
}

static void faults(void)
{
    CUmodule m;
    CUfunction f;
    void *p;
    cudaStream_t s, s2;
    cudaEvent_t e;
    cudaGraph_t gr;
    int d, n;
    struct cudaDeviceProp pr;
    size_t a, b;
#define FAULTS
#include "two-runtimes.def"
#undef FAULTS
}

/* ---- objects ------------------------------------------------------------- */

static cudaLaunchAttribute at;
static cudaLaunchConfig_t c;
static cudaKernel_t k;
static int *q, nn = 3;
static void *args[] = {&q, &nn};

/* With that attribute, all of whose value is 0. */
static cudaError_t launch_with(int id)
{
    memset(&at, 0, sizeof at);
    at.id = (cudaLaunchAttributeID)id;
    return cudaLaunchKernelExC(&c, k, args);
}

static void set_cluster(unsigned blocks)
{
    memset(&at, 0, sizeof at);
    at.id = cudaLaunchAttributeClusterDimension;
    at.val.clusterDim.x = blocks;
    at.val.clusterDim.y = at.val.clusterDim.z = 1;
}

static void objects(void)
{
    cudaLibrary_t l;
    struct cudaFuncAttributes fa = {0};
    int n = -1;
    void *p, *hp;
    size_t z;
    cudaStream_t s;
    cudaGraph_t g;
    enum cudaStreamCaptureStatus st;
    struct cudaPointerAttributes pa;
    cudaArray_t ar;
    struct cudaChannelFormatDesc d = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    struct cudaMemcpy3DParms mp = {0};
    float ms;
#define OBJECTS
#include "two-runtimes.def"
#undef OBJECTS
}

static void errors(void)
{
    for (int i = 0; i < 1200; i++)
        printf("%d %s: %s\n", i, cudaGetErrorName((cudaError_t)i),
               cudaGetErrorString((cudaError_t)i));
}

static void attributes(void)
{
    for (int i = 0; i < 160; i++) {
        int value = -7;
        int err =
            (int)cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)i, 0);
        printf("attribute %d: %d %d\n", i, err, value);
    }
}

/* A process each: what one leaves is not the next one's. */
int main(void)
{
    static void (*const parts[])(void) = {contexts, faults, objects, errors,
                                          attributes};
    int failures = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            parts[i]();
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (status) {
            printf("part %zu ends with %d\n", i, status);
            failures++;
        }
        fflush(stdout);
    }
    return failures != 0;
}
