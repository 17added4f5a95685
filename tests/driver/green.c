/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts with a part of the SMs. */
#include "check.h"
#include "gate.h"

static const char counts[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .u32 count;\n"
    ".visible .entry k(.param .u64 p) {\n"
    "  .reg .u64 %d<2>; .reg .u32 %r;\n"
    "  ld.param.u64 %d0, [p]; mov.u64 %d1, count;\n"
    "  atom.global.add.u32 %r, [%d1], 1; st.global.u32 [%d0], %r; ret; }\n";

static unsigned count_in(CUfunction f, CUstream s)
{
    CUdeviceptr p;
    void *args[] = {&p};
    unsigned value = 99;
    CU_OK(cuMemAlloc(&p, 4));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, NULL));
    CU_OK(cuStreamSynchronize(s));
    CU_OK(cuMemcpyDtoH(&value, p, 4));
    CU_OK(cuMemFree(p));
    return value;
}

static const char places[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) {\n"
    "  .reg .u64 %d<3>; .reg .u32 %r<3>; .reg .pred %q;\n"
    "  ld.param.u64 %d0, [p]; mov.u32 %r0, %smid; mov.u32 %r2, %ctaid.x;\n"
    "  mov.u32 %r1, 500;\n"
    "loop: nanosleep.u32 100; sub.u32 %r1, %r1, 1;\n"
    "  setp.ne.u32 %q, %r1, 0; @%q bra loop;\n"
    "  mul.wide.u32 %d1, %r2, 4; add.u64 %d0, %d0, %d1;\n"
    "  st.global.u32 [%d0], %r0; ret; }\n";

enum { BLOCKS = 100 };

/* Blocks of each part see SMs of that part only. */
static void check_places(const CUdevResource *parts)
{
    CUgreenCtx green[2];
    CUstream s[2];
    CUcontext primary;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    unsigned sm[2 * BLOCKS];
    CU_OK(cuDevicePrimaryCtxRetain(&primary, 0));
    CU_OK(cuCtxPushCurrent(primary));
    CU_OK(cuModuleLoadData(&m, places));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_OK(cuMemAlloc(&p, sizeof sm));
    for (int i = 0; i < 2; i++) {
        CUdevResourceDesc desc;
        CUdeviceptr at = p + (CUdeviceptr)i * BLOCKS * 4;
        void *args[] = {&at};
        CU_OK(cuDevResourceGenerateDesc(&desc, (CUdevResource *)&parts[i], 1));
        CU_OK(cuGreenCtxCreate(&green[i], desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
        CU_OK(cuGreenCtxStreamCreate(&s[i], green[i], CU_STREAM_NON_BLOCKING, 0));
        CU_OK(cuLaunchKernel(f, BLOCKS, 1, 1, 32, 1, 1, 0, s[i], args, NULL));
    }
    for (int i = 0; i < 2; i++) {
        CU_OK(cuStreamSynchronize(s[i]));
        CU_OK(cuStreamDestroy(s[i]));
        CU_OK(cuGreenCtxDestroy(green[i]));
    }
    CU_OK(cuMemcpyDtoH(sm, p, sizeof sm));
    for (int i = 0; i < 2 * BLOCKS; i++)
        CHECK(sm[i] / 8 == (unsigned)i / BLOCKS);
    CU_OK(cuMemFree(p));
    CU_OK(cuModuleUnload(m));
    CU_OK(cuCtxPopCurrent(NULL));
    CU_OK(cuDevicePrimaryCtxRelease(0));
}

/* A green context has the primary one's modules, kernels and events. */
static void shares(CUcontext green, CUstream s)
{
    CUcontext primary;
    CUmodule m;
    CUfunction f;
    CUlibrary library;
    CUkernel kernel;
    CUevent e, own;
    float ms;
    CU_OK(cuDevicePrimaryCtxRetain(&primary, 0));
    CU_OK(cuCtxPushCurrent(primary));
    CU_OK(cuModuleLoadData(&m, counts));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_OK(cuLibraryLoadData(&library, counts, NULL, NULL, 0, NULL, NULL, 0));
    CU_OK(cuLibraryGetKernel(&kernel, library, "k"));
    CU_OK(cuEventCreate(&e, 0));
    CHECK(count_in(f, NULL) == 0 && count_in(f, s) == 1);
    CHECK(count_in((CUfunction)kernel, NULL) == 0);
    CU_OK(cuEventRecord(e, s));
    CU_OK(cuCtxPushCurrent(green));
    CU_OK(cuEventCreate(&own, 0));
    CU_OK(cuEventRecord(own, NULL));
    CHECK(count_in(f, NULL) == 2 && count_in(f, s) == 3);
    CHECK(count_in((CUfunction)kernel, s) == 1);
    CU_OK(cuCtxPopCurrent(NULL));
    CU_OK(cuEventRecord(own, NULL));
    CU_OK(cuEventSynchronize(own));
    CU_OK(cuEventElapsedTime(&ms, e, own));
    CU_OK(cuEventDestroy(e));
    CU_OK(cuEventDestroy(own));
    CU_OK(cuLibraryUnload(library));
    CU_OK(cuModuleUnload(m));
    CU_OK(cuCtxPopCurrent(NULL));
    CU_OK(cuDevicePrimaryCtxRelease(0));
}

/* The second form gives the green context and the primary one. */
static void contexts_of(CUstream s, CUgreenCtx green, CUcontext of_green,
                        CUcontext own)
{
    CUcontext primary, ctx;
    CUgreenCtx found;
    CU_OK(cuDevicePrimaryCtxRetain(&primary, 0));
    CU_OK(cuStreamGetCtx(s, &ctx));
    CHECK(ctx == of_green);
    CU_OK(cuStreamGetCtx_v2(s, &ctx, &found));
    CHECK(ctx == primary && found == green);
    CU_OK(cuStreamGetCtx_v2(NULL, &ctx, &found));
    CHECK(ctx == own && !found);
    CU_OK(cuCtxPushCurrent(of_green));
    CU_OK(cuStreamGetCtx_v2(NULL, &ctx, &found));
    CHECK(ctx == primary && found == green);
    CU_OK(cuCtxPopCurrent(NULL));
    CU_GIVES(INVALID_VALUE, cuStreamGetCtx_v2(s, NULL, &found));
    CU_OK(cuStreamGetCtx_v2(s, &ctx, NULL)); /* as an H200 */
    CU_OK(cuDevicePrimaryCtxRelease(0));
}

/* Neither a part nor what is left over is split again; what a context of a part
 * has is. A resource that the program made or changed is none. */
static void split_again(const CUdevResource *whole)
{
    CUdevResource part, rest, again;
    CUdevResourceDesc desc;
    unsigned one = 1, all = whole->sm.smCount / 8;
    CU_OK(cuDevSmResourceSplitByCount(&part, &one, whole, &rest, 4, 8));
    CU_GIVES(INVALID_RESOURCE_CONFIGURATION,
             cuDevSmResourceSplitByCount(&again, &one, &part, NULL, 0, 8));
    CHECK(rest.sm.smCount == whole->sm.smCount - 8);
    CU_GIVES(INVALID_RESOURCE_CONFIGURATION,
             cuDevSmResourceSplitByCount(&again, &one, &rest, NULL, 0, 8));
    CU_OK(cuDevResourceGenerateDesc(&desc, &rest, 1));
    again = part;
    again.sm.smCount = 4;
    CU_GIVES(INVALID_RESOURCE_CONFIGURATION,
             cuDevResourceGenerateDesc(&desc, &again, 1));
    again = (CUdevResource){.type = CU_DEV_RESOURCE_TYPE_SM};
    again.sm.smCount = 8;
    CU_GIVES(INVALID_RESOURCE_CONFIGURATION,
             cuDevResourceGenerateDesc(&desc, &again, 1));
    CUdevResource *parts = calloc(all, sizeof *parts);
    CU_OK(cuDevSmResourceSplitByCount(parts, &all, whole, &rest, 0, 8));
    CHECK(whole->sm.smCount % 8 || rest.type == CU_DEV_RESOURCE_TYPE_INVALID);
    free(parts);
}

/* Memory, events, arrays and modules are the device's; streams end. */
static void check_what_outlives(CUdevResourceDesc desc)
{
    CUgreenCtx green;
    CUcontext ctx, primary;
    CUstream s;
    CUevent e;
    CUdeviceptr p;
    CUmodule m;
    CUfunction f;
    CUarray a;
    const CUDA_ARRAY_DESCRIPTOR shape = {16, 1, CU_AD_FORMAT_FLOAT, 1};
    float value = 3;
    CU_OK(cuDevicePrimaryCtxRetain(&primary, 0));
    CU_OK(cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    CU_OK(cuCtxFromGreenCtx(&ctx, green));
    CU_OK(cuCtxPushCurrent(ctx));
    CU_OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU_OK(cuEventCreate(&e, 0));
    CU_OK(cuMemAlloc(&p, 64));
    CU_OK(cuArrayCreate(&a, &shape));
    CU_OK(cuModuleLoadData(&m, counts));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_OK(cuMemcpyHtoD(p, &value, 4));
    CU_OK(cuEventRecord(e, s));
    CU_OK(cuCtxPopCurrent(&ctx));
    CU_OK(cuGreenCtxDestroy(green));
    CU_OK(cuCtxPushCurrent(primary));
    value = 0;
    CU_OK(cuEventSynchronize(e));
    CU_OK(cuStreamWaitEvent(NULL, e, 0));
    CU_OK(cuMemcpyDtoH(&value, p, 4));
    CHECK(value == 3);
    CU_OK(cuMemcpyDtoA(a, 0, p, 4));
    CHECK(count_in(f, NULL) == 0 && count_in(f, NULL) == 1);
    CU_OK(cuModuleUnload(m));
    CU_OK(cuArrayDestroy(a));
    CU_OK(cuMemFree(p));
    CU_OK(cuEventDestroy(e));
    CU_OK(cuCtxPopCurrent(&ctx));
    CU_OK(cuDevicePrimaryCtxRelease(0));
}

/* ---- work of a green context --------------------------------------------- */

static atomic_int passed;

static void CUDA_CB pass_late(void *data)
{
    (void)data;
    usleep(100000);
    atomic_store(&passed, 1);
}

/* The other stream joins the capture by an event, and leaves it by another. */
static void joins_capture(CUstream s, CUstream other)
{
    CUevent to, back;
    CUgraph g;
    CUstreamCaptureStatus status;
    CU_OK(cuEventCreate(&to, 0));
    CU_OK(cuEventCreate(&back, 0));
    CU_OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    CU_OK(cuEventRecord(to, s));
    CU_OK(cuStreamWaitEvent(other, to, 0));
    CU_OK(cuStreamIsCapturing(other, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    CU_OK(cuEventRecord(back, other));
    CU_OK(cuStreamWaitEvent(s, back, 0));
    CU_OK(cuStreamEndCapture(s, &g));
    CU_OK(cuGraphDestroy(g));
    CU_OK(cuEventDestroy(to));
    CU_OK(cuEventDestroy(back));
}

/* A graph's node records the event behind the gate. */
static void records_in_graph(CUstream s, CUevent e)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec exec;
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddEventRecordNode(&n, g, NULL, 0, e));
    CU_OK(cuGraphInstantiate(&exec, g, 0));
    gate_shut(s);
    CU_OK(cuGraphLaunch(exec, s));
    CU_GIVES(NOT_READY, cuEventQuery(e));
    gate_open();
    CU_OK(cuEventSynchronize(e));
    CU_OK(cuGraphExecDestroy(exec));
    CU_OK(cuGraphDestroy(g));
}

/* A graph's node waits for the event, which is recorded behind the gate. */
static void waits_in_graph(CUstream s, CUstream other, CUevent e)
{
    CUgraph g;
    CUgraphNode n;
    CUgraphExec exec;
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddEventWaitNode(&n, g, NULL, 0, e));
    CU_OK(cuGraphInstantiate(&exec, g, 0));
    gate_shut(s);
    CU_OK(cuEventRecord(e, s));
    CU_OK(cuGraphLaunch(exec, other));
    usleep(20000);
    CU_GIVES(NOT_READY, cuStreamQuery(other));
    gate_open();
    CU_OK(cuStreamSynchronize(other));
    CU_OK(cuGraphExecDestroy(exec));
    CU_OK(cuGraphDestroy(g));
}

/* Whoever ends a module, or waits for the primary context, waits for the work
 * of its green contexts. */
static void waits_for_parts(CUcontext green, CUstream s)
{
    CUcontext primary;
    CUmodule m;
    CU_OK(cuModuleLoadData(&m, counts));
    atomic_store(&passed, 0);
    CU_OK(cuLaunchHostFunc(s, pass_late, NULL));
    CU_OK(cuModuleUnload(m));
    CHECK(atomic_load(&passed));
    CU_OK(cuDevicePrimaryCtxRetain(&primary, 0));
    CU_OK(cuCtxSetCurrent(primary));
    atomic_store(&passed, 0);
    CU_OK(cuLaunchHostFunc(s, pass_late, NULL));
    CU_OK(cuCtxSynchronize());
    CHECK(atomic_load(&passed));
    CU_OK(cuCtxSetCurrent(green));
    CU_OK(cuDevicePrimaryCtxRelease(0));
}

static void check_work(CUdevResourceDesc desc)
{
    CUgreenCtx green;
    CUcontext ctx, before;
    CUstream s, other;
    CUevent e;
    CU_OK(cuCtxGetCurrent(&before));
    CU_OK(cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    CU_OK(cuCtxFromGreenCtx(&ctx, green));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    CU_OK(cuEventCreate(&e, 0));
    joins_capture(s, other);
    records_in_graph(s, e);
    waits_in_graph(s, other, e);
    waits_for_parts(ctx, s);
    CU_OK(cuEventDestroy(e));
    CU_OK(cuStreamDestroy(s));
    CU_OK(cuStreamDestroy(other));
    CU_OK(cuCtxSetCurrent(before));
    CU_OK(cuGreenCtxDestroy(green));
}

int main(void)
{
    CUdevResource whole, parts[2], rest;
    CUdevResourceDesc desc;
    CUgreenCtx green, found;
    CUcontext ctx, own;
    CUstream s;
    unsigned count = 2;
    unsigned long long id = 0, other = 0;
    CU_OK(cuInit(0));
    CU_OK(cuCtxCreate(&own, 0, 0));
    CU_OK(cuDeviceGetDevResource(0, &whole, CU_DEV_RESOURCE_TYPE_SM));
    CHECK(whole.sm.smCount >= 16);
    CU_GIVES(INVALID_VALUE,
             cuDeviceGetDevResource(0, NULL, CU_DEV_RESOURCE_TYPE_SM));
    CU_GIVES(INVALID_RESOURCE_TYPE,
             cuDeviceGetDevResource(0, &rest, CU_DEV_RESOURCE_TYPE_INVALID));
    CU_OK(cuDevSmResourceSplitByCount(parts, &count, &whole, &rest, 0, 8));
    CHECK(count == 2 && parts[1].sm.smCount == 8);
    CHECK(rest.sm.smCount == whole.sm.smCount - 16);
    CU_GIVES(INVALID_RESOURCE_CONFIGURATION,
             cuDevSmResourceSplitByCount(parts, &count, &whole, &rest, 0,
                                         whole.sm.smCount + 1));
    CU_GIVES(INVALID_VALUE,
             cuDevSmResourceSplitByCount(parts, NULL, &whole, &rest, 0, 8));
    CU_GIVES(INVALID_VALUE, cuDevResourceGenerateDesc(&desc, NULL, 1));
    check_places(parts);
    split_again(&whole);
    CU_OK(cuDevResourceGenerateDesc(&desc, parts, 1));
    check_what_outlives(desc);
    check_work(desc);
    CU_GIVES(INVALID_VALUE, cuGreenCtxCreate(&green, desc, 0, 0));
    CU_OK(cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    CU_OK(cuCtxFromGreenCtx(&ctx, green));
    CU_OK(cuGreenCtxGetId(green, &id));
    CU_OK(cuCtxGetId(NULL, &other));
    CHECK(id != other);
    CU_OK(cuCtxGetDevResource(ctx, &rest, CU_DEV_RESOURCE_TYPE_SM));
    CHECK(rest.sm.smCount == 8);
    count = 1;
    CU_OK(cuDevSmResourceSplitByCount(parts, &count, &rest, NULL, 0, 8));
    CU_OK(cuGreenCtxGetDevResource(green, &rest, CU_DEV_RESOURCE_TYPE_SM));
    CU_GIVES(INVALID_VALUE, cuGreenCtxStreamCreate(&s, green, 0, 0));
    CU_OK(cuGreenCtxStreamCreate(&s, green, CU_STREAM_NON_BLOCKING, 0));
    CU_OK(cuStreamGetGreenCtx(s, &found));
    CHECK(found == green);
    CU_OK(cuStreamGetGreenCtx(NULL, &found));
    CHECK(!found);
    contexts_of(s, green, ctx, own);
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuCtxSynchronize());
    CU_OK(cuCtxSetCurrent(own));
    shares(ctx, s);
    CU_OK(cuStreamDestroy(s));
    CU_OK(cuGreenCtxDestroy(green));
    CU_GIVES(INVALID_CONTEXT, cuGreenCtxDestroy(green));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    return check_result();
}
