/* SPDX-License-Identifier: Apache-2.0 */
/* Events of whole contexts, over all of their streams. */
#include "check.h"
#include "gate.h"

static atomic_int after;

static void CUDA_CB note(void *data)
{
    (void)data;
    atomic_fetch_add(&after, 1);
}

/* Done when the slowest stream is, not before. */
static void a_record_covers_all_streams(CUcontext ctx, CUstream a, CUstream b)
{
    CUevent e;
    CU_OK(cuEventCreate(&e, 0));
    CU_OK(cuLaunchHostFunc(a, note, NULL));
    gate_shut(b);
    CU_OK(cuCtxRecordEvent(ctx, e));
    CU_OK(cuStreamSynchronize(a));
    CU_GIVES(NOT_READY, cuEventQuery(e));
    gate_open();
    CU_OK(cuEventSynchronize(e));
    CU_OK(cuStreamQuery(b));
    CU_OK(cuEventDestroy(e));
}

/* Streams that are there and those to come wait. */
static void a_wait_holds_all_streams(CUcontext ctx, CUstream a, CUstream b)
{
    CUevent e;
    CUstream late;
    CUcontext other;
    CU_OK(cuCtxCreate(&other, 0, 0));
    CUstream outside;
    CU_OK(cuStreamCreate(&outside, CU_STREAM_NON_BLOCKING));
    CU_OK(cuEventCreate(&e, 0));
    atomic_store(&after, 0);
    gate_shut(outside);
    CU_OK(cuEventRecord(e, outside));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuCtxWaitEvent(ctx, e));
    CU_OK(cuStreamCreate(&late, CU_STREAM_NON_BLOCKING));
    CU_OK(cuLaunchHostFunc(a, note, NULL));
    CU_OK(cuLaunchHostFunc(b, note, NULL));
    CU_OK(cuLaunchHostFunc(late, note, NULL));
    usleep(20000);
    CHECK(atomic_load(&after) == 0);
    gate_open();
    CU_OK(cuCtxSynchronize());
    CHECK(atomic_load(&after) == 3);
    CU_OK(cuStreamDestroy(late));
    CU_OK(cuCtxDestroy(other));
    CU_OK(cuCtxSetCurrent(ctx));
}

static void mistakes_are_told(CUcontext ctx, CUstream a)
{
    CUgraph graph;
    CUevent e;
    CU_OK(cuEventCreate(&e, 0));
    CU_GIVES(INVALID_HANDLE, cuCtxRecordEvent(ctx, NULL));
    CU_GIVES(INVALID_HANDLE, cuCtxWaitEvent(ctx, (CUevent)&graph));
    CU_GIVES(INVALID_CONTEXT, cuCtxRecordEvent(NULL, e));
    CU_GIVES(INVALID_CONTEXT, cuGreenCtxRecordEvent(NULL, e));
    CU_OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_RELAXED));
    CU_GIVES(STREAM_CAPTURE_UNSUPPORTED, cuCtxRecordEvent(ctx, e));
    CU_GIVES(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(a, &graph));
    CU_OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_RELAXED));
    CU_GIVES(STREAM_CAPTURE_UNSUPPORTED, cuCtxWaitEvent(ctx, e));
    CU_GIVES(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(a, &graph));
    CU_OK(cuEventDestroy(e));
}

/* Times of two contexts have nothing between them. */
static void of_two_contexts(CUcontext ctx)
{
    CUcontext other;
    CUevent a, b;
    float ms;
    CU_OK(cuEventCreate(&a, 0));
    CU_OK(cuEventRecord(a, NULL));
    CU_OK(cuEventSynchronize(a));
    CU_OK(cuCtxCreate(&other, 0, 0));
    CU_OK(cuEventCreate(&b, 0));
    CU_OK(cuEventRecord(b, NULL));
    CU_OK(cuEventSynchronize(b));
    CU_GIVES(INVALID_HANDLE, cuEventElapsedTime(&ms, a, b));
    CU_OK(cuCtxDestroy(other));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuEventDestroy(a));
}

/* What a context had ends with it; its events say so. */
static void of_gone_context(void)
{
    CUcontext ctx;
    CUevent e;
    float ms;
    CU_OK(cuCtxCreate(&ctx, 0, 0));
    CU_OK(cuEventCreate(&e, 0));
    CU_OK(cuEventRecord(e, NULL));
    CU_OK(cuCtxDestroy(ctx));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuEventQuery(e));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuEventSynchronize(e));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuEventElapsedTime(&ms, e, e));
    CU_GIVES(CONTEXT_IS_DESTROYED, cuEventDestroy(e));
    CU_OK(cuCtxSetCurrent(NULL));
    CU_GIVES(INVALID_HANDLE, cuEventQuery((CUevent)&e));
}

int main(void)
{
    CUcontext ctx;
    CUstream a, b;
    CU_OK(cuInit(0));
    CU_OK(cuCtxCreate(&ctx, 0, 0));
    CU_OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    CU_OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
    a_record_covers_all_streams(ctx, a, b);
    a_wait_holds_all_streams(ctx, a, b);
    mistakes_are_told(ctx, a);
    of_two_contexts(ctx);
    CU_OK(cuCtxDestroy(ctx));
    of_gone_context();
    return check_result();
}
