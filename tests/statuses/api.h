/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects of both APIs that their tables of bad calls need: engine.h. New
 * ones for each call, since it may end them.
 */
#include <cuda.h>

#define LETTERS      "api-letters.def"
#define LATE_LETTERS "Oh"
static int settle(void);
#define SETTLE() settle()
static const char *log_complaint(void) __attribute__((unused));
#define COMPLAINT() log_complaint()
#include "engine.h"

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .u32 g;\n.visible .entry k() { ret; }\n";
static char zeros[ARGUMENTS_MAX][512];
static CUcontext context;
static CUstream stream;
static CUgraph graph;
static CUgraphNode node;
static CUlogIterator log_end; /* before the call */

static void need(CUresult err, int line)
{
    if (!err)
        return;
    fprintf(stderr, "line %d: error %d\n", line, err);
    exit(2);
}
#define NEED(call) need(call, __LINE__)

/* A capture that the call began ends. */
static int settle(void)
{
    CUgraph captured;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuCtxSetCurrent(context);
    if (stream && !cuStreamIsCapturing(stream, &status) && status)
        cuStreamEndCapture(stream, &captured);
    return cuCtxSynchronize();
}

void library_reset(void)
{
    NEED(cuCtxSetCurrent(context));
    memset(zeros, 0, sizeof zeros);
    stream = NULL;
    graph = NULL;
    cudaGetLastError();
    cuLogsCurrent(&log_end, 0);
}

/* An error is logged by the name of the function that the program called; under
 * NVIDIA's runtime, that of the driver's which it called. */
static const char *log_complaint(void)
{
    static char lines[16384], text[200];
    size_t size = sizeof lines - 1, length = strlen(routine_name);
    if (cuLogsDumpToMemory(&log_end, lines, &size, 0))
        return "the log cannot be read";
    lines[size] = 0;
    for (const char *at = lines; (at = strstr(at, " from cu"));) {
        at += strlen(" from ");
        if (!strncmp(at, "cuda", 4) != !strncmp(routine_name, "cuda", 4))
            continue;
        if (!strncmp(at, routine_name, length) &&
            (at[length] == '\n' || !strncmp(at + length, "_v", 2)))
            continue;
        snprintf(text, sizeof text, "logged as %.*s", (int)strcspn(at, "\n"),
                 at);
        return text;
    }
    return NULL;
}

void library_prepare(void)
{
    NEED(cuInit(0));
    NEED(cuDevicePrimaryCtxRetain(&context, 0));
    library_reset();
}

static bool ends_objects(void)
{
    static const char *const words[] = {"Destroy", "Free", "Unload", "Release"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(routine_name, words[i]))
            return true;
    return false;
}

/* What takes long to make is kept where the call does not end it. */
static bool is_kept(const void *kept)
{
    return kept && !ends_objects();
}

static CUmodule module(void)
{
    static CUmodule kept;
    CUmodule m;
    if (is_kept(kept))
        return kept;
    NEED(cuModuleLoadData(&m, ptx));
    return ends_objects() ? m : (kept = m);
}

static CUlibrary library(void)
{
    static CUlibrary kept;
    CUlibrary l;
    if (is_kept(kept))
        return kept;
    NEED(cuLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
    return ends_objects() ? l : (kept = l);
}

static CUarray array(void)
{
    CUarray a;
    CUDA_ARRAY_DESCRIPTOR d = {16, 16, CU_AD_FORMAT_FLOAT, 1};
    NEED(cuArrayCreate(&a, &d));
    return a;
}

static CUmipmappedArray mipmapped(void)
{
    CUmipmappedArray m;
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 16,
                                 .Height = 16,
                                 .Format = CU_AD_FORMAT_FLOAT,
                                 .NumChannels = 1,
                                 .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    NEED(cuMipmappedArrayCreate(&m, &d, 3));
    return m;
}

static CUmemoryPool pool(void)
{
    CUmemoryPool p;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    NEED(cuMemPoolCreate(&p, &props));
    return p;
}

static void make_graph(void)
{
    if (graph)
        return;
    NEED(cuGraphCreate(&graph, 0));
    NEED(cuGraphAddEmptyNode(&node, graph, NULL, 0));
}

static CUgraphExec instance(void)
{
    CUgraphExec x;
    make_graph();
    NEED(cuGraphInstantiateWithFlags(&x, graph, 0));
    return x;
}

static unsigned long long texture(bool is_surface)
{
    unsigned long long t;
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC d = {.flags = 0};
    CUDA_ARRAY3D_DESCRIPTOR a = {.Width = 16,
                                 .Height = 16,
                                 .Format = CU_AD_FORMAT_FLOAT,
                                 .NumChannels = 1,
                                 .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    NEED(cuArray3DCreate(&r.res.array.hArray, &a));
    NEED(is_surface ? cuSurfObjectCreate(&t, &r)
                    : cuTexObjectCreate(&t, &r, &d, NULL));
    return t;
}

static CUdevResourceDesc description(void)
{
    static CUdevResourceDesc d;
    CUdevResource all, part;
    unsigned count = 1;
    if (d)
        return d;
    NEED(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    NEED(cuDevSmResourceSplitByCount(&part, &count, &all, NULL, 0, 8));
    NEED(cuDevResourceGenerateDesc(&d, &part, 1));
    return d;
}

static CUgreenCtx green(void)
{
    static CUgreenCtx kept;
    CUgreenCtx g;
    if (is_kept(kept))
        return kept;
    NEED(cuGreenCtxCreate(&g, description(), 0, CU_GREEN_CTX_DEFAULT_STREAM));
    return ends_objects() ? g : (kept = g);
}

static CUmemGenericAllocationHandle allocation(void)
{
    CUmemGenericAllocationHandle v;
    CUmemAllocationProp p = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    NEED(cuMemCreate(&v, 2 << 20, &p, 0));
    return v;
}

static void call_nothing(void)
{
}

static CUuserObject user_object(void)
{
    CUuserObject u;
    NEED(cuUserObjectCreate(&u, NULL, (CUhostFn)call_nothing, 4,
                            CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    return u;
}

static long long of_memory(char letter)
{
    void *p;
    CUdeviceptr d;
    if (letter == 'h')
        NEED(cuMemHostAlloc(&p, 4096, 0));
    else if (letter == 'd')
        NEED(cuMemAllocManaged(&d, 4096, CU_MEM_ATTACH_GLOBAL));
    else
        NEED(cuMemAlloc(&d, 4096));
    return letter == 'h' ? (long long)p : (long long)d;
}

static long long of_code(char letter)
{
    CUfunction f;
    CUkernel k;
    CUlinkState l;
    CUtexref r;
    switch (letter) {
    case 'M':
        return (long long)module();
    case 'L':
        return (long long)library();
    case 'F':
        NEED(cuModuleGetFunction(&f, module(), "k"));
        return (long long)f;
    case 'K':
    case 'f':
        NEED(cuLibraryGetKernel(&k, library(), "k"));
        return (long long)k;
    case 'l':
        NEED(cuLinkCreate(0, NULL, NULL, &l));
        return (long long)l;
    default:
        NEED(cuTexRefCreate(&r));
        return (long long)r;
    }
}

static long long of_graph(char letter)
{
    make_graph();
    return letter == 'X'   ? (long long)instance()
           : letter == 'G' ? (long long)graph
                           : (long long)node;
}

long long library_value(char letter, int argument)
{
    CUevent e;
    switch (letter) {
    case 'C':
        return (long long)context;
    case 'H':
        NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        return (long long)stream;
    case 'E':
        NEED(cuEventCreate(&e, 0));
        return (long long)e;
    case 'A':
        return (long long)array();
    case 'm':
        return (long long)mipmapped();
    case 'P':
        return (long long)pool();
    case 'G':
    case 'N':
    case 'X':
        return of_graph(letter);
    case 'T':
        return (long long)texture(false);
    case 'U':
        return (long long)texture(true);
    case 'r':
        return (long long)description();
    case 'g':
        return (long long)green();
    case 'V':
        return (long long)allocation();
    case 'b':
        return (long long)call_nothing;
    case 'u':
        return (long long)user_object();
    case 'D':
    case 'd':
    case 'h':
        return of_memory(letter);
    case 't':
        return (long long)ptx;
    case 's':
        return (long long)"k";
    case 'y':
    case 'O':
        return (long long)zeros[argument];
    default:
        return of_code(letter);
    }
}
