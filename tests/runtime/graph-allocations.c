/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches allocate nothing: neither one by one, nor when as many are under way
 * as have been before, nor behind a change of arguments.
 */
#include "check.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

/* In place of the C library's, for all libraries of the process. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_uint allocation_count;

void *malloc(size_t size)
{
    atomic_fetch_add(&allocation_count, 1);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add(&allocation_count, 1);
    return __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    atomic_fetch_add(&allocation_count, 1);
    return __libc_realloc(p, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    atomic_fetch_add(&allocation_count, 1);
    return __libc_memalign(alignment, size);
}

enum { CHAIN = 20, LAUNCHES = 500, BURST = 8, SPARE = 4 };

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 to, .param .u32 value)\n"
    "{ .reg .b32 %r<2>; .reg .b64 %d<2>; ld.param.u64 %d1, [to];\n"
    "  ld.param.u32 %r1, [value]; red.global.add.u32 [%d1], %r1; ret; }\n";

static struct {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0};
static char add;

static unsigned *words;
static cudaStream_t stream;

static struct cudaKernelNodeParams adds(void **args)
{
    return (struct cudaKernelNodeParams){.func = &add,
                                         .gridDim = {4, 1, 1},
                                         .blockDim = {32, 1, 1},
                                         .kernelParams = args};
}

/* Kernels in a row, each with a fill and a copy beside it, a child graph at the
 * end. */
static cudaGraphNode_t make(cudaGraph_t g, int depth)
{
    cudaGraphNode_t last = NULL, first = NULL, n, side;
    unsigned value = 1;
    void *args[] = {&words, &value};
    const struct cudaKernelNodeParams k = adds(args);
    const struct cudaMemsetParams fill = {words + 8, 0, 3, 4, 2, 1};
    for (int i = 0; i < CHAIN; i++) {
        OK(cudaGraphAddKernelNode(&n, g, &last, last != NULL, &k));
        OK(cudaGraphAddMemsetNode(&side, g, &n, 1, &fill));
        OK(cudaGraphAddMemcpyNode1D(&side, g, &side, 1, words + 16, words + 8,
                                    8, cudaMemcpyDeviceToDevice));
        first = first ? first : n;
        last = n;
    }
    if (depth) {
        cudaGraph_t child;
        OK(cudaGraphCreate(&child, 0));
        make(child, depth - 1);
        OK(cudaGraphAddChildGraphNode(&n, g, &last, 1, child));
        OK(cudaGraphDestroy(child));
    }
    return first;
}

static void sleep_ms(void *data)
{
    const struct timespec t = {.tv_nsec = 2000000};
    (void)data;
    nanosleep(&t, NULL);
}

/* How many allocations launches made; each `burst` of them is waited for, and
 * where `changed` is not NULL, it gets another argument before each. */
static unsigned launch_all(cudaGraphExec_t e, int count, int burst,
                           cudaGraphNode_t changed)
{
    unsigned value = 1, made = 0;
    void *args[] = {&words, &value};
    const struct cudaKernelNodeParams k = adds(args);
    for (int i = 0; i < count; i++) {
        value = (unsigned)i;
        if (changed)
            OK(cudaGraphExecKernelNodeSetParams(e, changed, &k));
        unsigned before = atomic_load(&allocation_count);
        OK(cudaGraphLaunch(e, stream));
        if (i % burst == burst - 1)
            OK(cudaStreamSynchronize(stream));
        made += atomic_load(&allocation_count) - before;
    }
    OK(cudaStreamSynchronize(stream));
    return made;
}

static void check_launches(const char *what, cudaGraphExec_t e, int burst,
                           cudaGraphNode_t changed)
{
    unsigned made;
    OK(cudaLaunchHostFunc(stream, sleep_ms, NULL)); /* all are under way */
    launch_all(e, burst + SPARE, burst + SPARE, changed);
    CHECK(atomic_load(&allocation_count) > 0);
    made = launch_all(e, LAUNCHES, burst, changed);
    if (made == 0)
        return;
    printf("%s: %u allocations in %d launches\n", what, made, LAUNCHES);
    failures++;
}

int main(void)
{
    cudaGraph_t g;
    cudaGraphExec_t e;
    void **module = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(module, &add, &add, "add", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
    OK(cudaMalloc((void **)&words, 4096));
    OK(cudaStreamCreate(&stream));
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t first = make(g, 1);
    OK(cudaGraphInstantiate(&e, g, 0));
    check_launches("one by one", e, 1, NULL);
    check_launches("several at once", e, BURST, NULL);
    check_launches("changed", e, 1, first);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    return check_result();
}
