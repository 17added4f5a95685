/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, events, host functions. */
#include "check.h"
#include "kernels.h"

static void making(void)
{
    cudaStream_t s = NULL;
    unsigned flags = 9;
    int priority = 9, device = 9;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamGetFlags(s, &flags));
    CHECK(flags == cudaStreamDefault);
    OK(cudaStreamGetDevice(s, &device));
    CHECK(device == 0);
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamQuery(s));
    OK(cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(s));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamGetFlags(s, &flags));
    CHECK(flags == cudaStreamNonBlocking);
    OK(cudaStreamDestroy(s));
    OK(cudaStreamCreateWithPriority(&s, cudaStreamDefault, -1000));
    OK(cudaStreamGetPriority(s, &priority));
    int least, greatest;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(priority == greatest);
    OK(cudaStreamDestroy(s));
    GIVES(cudaErrorInvalidValue, cudaStreamCreate(NULL));
    GIVES(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&s, 0x10));
    GIVES(cudaErrorInvalidValue, cudaStreamGetFlags(NULL, NULL));
    GIVES(cudaErrorInvalidValue, cudaStreamGetPriority(NULL, NULL));
    GIVES(cudaErrorInvalidValue, cudaStreamGetDevice(NULL, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(cudaStreamLegacy));
    OK(cudaStreamSynchronize(cudaStreamLegacy));
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    enum cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(NULL, &status));
    unsigned long long id = 0, other = 0;
    OK(cudaStreamGetId(NULL, &id));
    OK(cudaStreamGetId(cudaStreamLegacy, &other));
    CHECK(id == other);
    OK(cudaStreamGetId(cudaStreamPerThread, &other));
    CHECK(id != other);
    GIVES(cudaErrorInvalidValue, cudaStreamGetId(NULL, NULL));
    CHECK(status == cudaStreamCaptureStatusNone);
    OK(cudaStreamGetCaptureInfo(NULL, &status, NULL, NULL, NULL, NULL));
    GIVES(cudaErrorInvalidValue, cudaStreamIsCapturing(NULL, NULL));
}

static void attributes(void)
{
    cudaStream_t s, t;
    cudaLaunchAttributeValue v = {0}, back;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));

    OK(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    CHECK((int)v.syncPolicy == -1); /* nobody has said how */
    OK(cudaStreamGetAttribute(NULL, cudaLaunchAttributeSynchronizationPolicy,
                              &v));
    CHECK((int)v.syncPolicy == -1);
    v.syncPolicy = cudaSyncPolicyYield;
    OK(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
    v.syncPolicy = (enum cudaSynchronizationPolicy)9;
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy,
                                 &v));
    OK(cudaStreamCopyAttributes(t, s));
    OK(cudaStreamGetAttribute(t, cudaLaunchAttributeSynchronizationPolicy,
                              &back));
    CHECK(back.syncPolicy == cudaSyncPolicyYield);

    v.priority = -1;
    OK(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
    OK(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &back));
    CHECK(back.priority == -1);

    memset(&v, 0, sizeof v);
    v.accessPolicyWindow.num_bytes = 64;
    v.accessPolicyWindow.hitRatio = 1.5f;
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
    v.accessPolicyWindow.hitRatio = 1.0f;
    v.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
    v.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    OK(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
    v.accessPolicyWindow.hitProp = (enum cudaAccessProperty)5;
    OK(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
    v.accessPolicyWindow.num_bytes = (size_t)1 << 40;
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
    OK(cudaStreamGetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &back));
    CHECK(back.accessPolicyWindow.num_bytes == 64);

    GIVES(cudaErrorInvalidValue,
          cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &back));
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(s, cudaLaunchAttributeCooperative, &back));
    GIVES(cudaErrorInvalidValue,
          cudaStreamGetAttribute(s, cudaLaunchAttributePriority, NULL));
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(s, cudaLaunchAttributePriority, NULL));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(t, s));
}

static int gate;
static int calls;

static void wait_for_gate(void *data)
{
    (void)data;
    while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE))
        ;
}

static void count_call(void *data)
{
    CHECK(data == &calls);
    calls++;
    void *p;
    int n;
    CHECK(cudaMalloc(&p, 1) == cudaErrorNotPermitted);
    CHECK(cudaGetDevice(&n) == cudaErrorNotPermitted);
    CHECK(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0) ==
          cudaErrorNotPermitted);
    CHECK(cudaDeviceReset() == cudaErrorNotPermitted);
    CHECK(cudaGetDeviceCount(&n) == cudaSuccess);
}

static void callback(cudaStream_t stream, cudaError_t status, void *data)
{
    CHECK(status == cudaSuccess && stream != NULL && data == &calls);
    calls++;
}

static void events(void)
{
    cudaStream_t s, t;
    cudaEvent_t first, second;
    float ms = -1;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&first));
    OK(cudaEventCreateWithFlags(&second, cudaEventBlockingSync));
    OK(cudaEventQuery(first)); /* never recorded: done */
    OK(cudaEventSynchronize(first));

    /* t waits for s. */
    gate = 0;
    OK(cudaLaunchHostFunc(s, wait_for_gate, NULL));
    OK(cudaEventRecord(first, s));
    OK(cudaStreamWaitEvent(t, first, 0));
    OK(cudaEventRecordWithFlags(second, t, cudaEventRecordDefault));
    GIVES(cudaErrorNotReady, cudaEventQuery(second));
    GIVES(cudaErrorNotReady, cudaStreamQuery(t));
    GIVES(cudaErrorNotReady, cudaEventElapsedTime(&ms, first, second));
    GIVES(cudaErrorNotReady, cudaEventElapsedTime_v2(&ms, first, second));
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    OK(cudaEventSynchronize(second));
    OK(cudaEventQuery(first));
    OK(cudaEventElapsedTime(&ms, first, second));
    CHECK(ms >= 0 && ms < 1000);

    cudaEvent_t untimed;
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    OK(cudaEventRecord(untimed, s));
    OK(cudaEventSynchronize(untimed));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaEventElapsedTime(&ms, first, untimed));
    OK(cudaEventDestroy(untimed));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventDestroy(untimed));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventDestroy(NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(NULL, s));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(untimed, s));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(s, NULL, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventQuery(NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventSynchronize(NULL));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaEventElapsedTime(&ms, NULL, second));
    GIVES(cudaErrorInvalidValue, cudaEventElapsedTime(NULL, first, second));
    GIVES(cudaErrorInvalidValue, cudaEventCreate(NULL));
    GIVES(cudaErrorInvalidValue, cudaEventCreateWithFlags(&untimed, 0x80));
    GIVES(cudaErrorInvalidValue,
          cudaEventCreateWithFlags(&untimed, cudaEventInterprocess));
    GIVES(cudaErrorInvalidValue, cudaStreamWaitEvent(s, first, 7));
    GIVES(cudaErrorIllegalState, /* no capture */
          cudaEventRecordWithFlags(first, s, cudaEventRecordExternal));
    OK(cudaEventDestroy(first));
    OK(cudaEventDestroy(second));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

static void host_functions(void)
{
    cudaStream_t s;
    unsigned *p;
    OK(cudaStreamCreate(&s));
    OK(cudaMallocManaged((void **)&p, 128, cudaMemAttachGlobal));
    calls = 0;
    OK(launch_store(p, 7, 32, s));
    OK(cudaLaunchHostFunc(s, count_call, &calls));
    OK(cudaStreamAddCallback(s, callback, &calls, 0));
    OK(cudaStreamSynchronize(s));
    CHECK(calls == 2 && p[31] == 7);
    GIVES(cudaErrorInvalidValue, cudaLaunchHostFunc(s, NULL, NULL));
    GIVES(cudaErrorInvalidValue, cudaStreamAddCallback(s, NULL, NULL, 0));
    GIVES(cudaErrorInvalidValue, cudaStreamAddCallback(s, callback, NULL, 1));
    OK(cudaFree(p));
    OK(cudaStreamDestroy(s));
}

/* The legacy stream waits for blocking streams and they for it. */
static void legacy_order(void)
{
    cudaStream_t s;
    unsigned *p;
    OK(cudaStreamCreate(&s));
    OK(cudaMallocManaged((void **)&p, 128, cudaMemAttachGlobal));
    gate = 0;
    OK(cudaLaunchHostFunc(s, wait_for_gate, NULL));
    OK(launch_store(p, 1, 32, s));
    OK(launch_store(p, 2, 32, NULL));
    OK(launch_store(p, 3, 32, s));
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    OK(cudaStreamSynchronize(s));
    CHECK(p[0] == 3 && p[31] == 3);
    OK(cudaFree(p));
    OK(cudaStreamDestroy(s));
}

/* An event in the default stream comes behind all others' work; once that has
 * been waited for, the event has nothing left to wait for. */
static void elapsed_behind_others(void)
{
    cudaEvent_t from, to;
    cudaStream_t s;
    void *p;
    float ms;

    OK(cudaEventCreate(&from));
    OK(cudaEventCreate(&to));
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&p, 1 << 16));
    for (int i = 0; i < 300; i++) {
        OK(cudaEventRecord(from, NULL));
        OK(launch_store(p, 7, 1 << 14, s));
        OK(cudaEventRecord(to, NULL));
        OK(cudaStreamSynchronize(s));
        OK(cudaEventElapsedTime(&ms, from, to));
    }
    OK(cudaFree(p));
    OK(cudaStreamDestroy(s));
    OK(cudaEventDestroy(from));
    OK(cudaEventDestroy(to));
}

/* A kernel waits for one behind it in the queue, by a loop that nobody takes for
 * waiting; on one core too. */
static void held_by_another(void)
{
    cudaStream_t a, b;
    void *p;
    unsigned zero = 0;
    void *args[] = {&p, &zero};

    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreate(&b));
    OK(cudaMalloc(&p, 128));
    OK(cudaMemset(p, 0, 128));
    OK(cudaLaunchKernel(&held, dim(1, 1, 1), dim(1, 1, 1), args, 0, a));
    OK(launch_store(p, 1, 32, b));
    OK(cudaStreamSynchronize(a));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
}

int main(void)
{
    kernels_register();
    making();
    attributes();
    events();
    host_functions();
    legacy_order();
    elapsed_behind_others();
    held_by_another();
    kernels_unregister();
    return check_result();
}
