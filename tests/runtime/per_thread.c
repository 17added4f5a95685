/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With CUDA_API_PER_THREAD_DEFAULT_STREAM, stream 0 is the calling thread's
 * own: it does not wait for another thread's.
 */
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "check.h"
#include "kernels.h"

#include <pthread.h>

static int gate;

static void wait_for_gate(void *data)
{
    (void)data;
    while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE))
        ;
}

static void *hold(void *data)
{
    (void)data;
    OK(cudaLaunchHostFunc(NULL, wait_for_gate, NULL));
    GIVES(cudaErrorNotReady, cudaStreamQuery(NULL));
    return NULL;
}

static void *copy(void *data)
{
    unsigned *p = data, value = 0;
    OK(launch_store(p, 11, 32, NULL));
    OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(value == 11);
    OK(cudaStreamSynchronize(NULL));
    return NULL;
}

static void run(void *(*fn)(void *), void *data)
{
    pthread_t t;
    CHECK(!pthread_create(&t, NULL, fn, data));
    pthread_join(t, NULL);
}

/* While the thread's own stream is captured, a copy or fill that would have to
 * end before it returns is refused, whatever its addresses, and ends the
 * capture: an H200's answers. */
#define CALLS(CALL)                                                            \
    CALL(cudaMemcpy(p, p + 64, 64, cudaMemcpyDefault))                         \
    CALL(cudaMemcpy(p, host, 64, cudaMemcpyDefault))                           \
    CALL(cudaMemcpy(host, p, 64, cudaMemcpyDefault))                           \
    CALL(cudaMemcpy(p, p + 64, 5000000, cudaMemcpyDefault))                    \
    CALL(cudaMemcpy2D(p, 16, p + 64, 16, 8, 2, cudaMemcpyDefault))             \
    CALL(cudaMemset(p, 1, 64))                                                 \
    CALL(cudaMemset2D(p, 16, 1, 8, 2))

static cudaError_t call_one(int which, char *p, char *host)
{
    int i = 0;
#define CALL(call)                                                             \
    if (i++ == which)                                                          \
        return call;
    CALLS(CALL)
#undef CALL
    return cudaErrorUnknown;
}

static void copy_in_capture(char *p)
{
#define CALL(call) +1
    const int count = 0 CALLS(CALL);
#undef CALL
    char host[64] = "";
    for (int i = 0; i < 3 * count; i++) {
        cudaGraph_t g;
        OK(cudaStreamBeginCapture(NULL, (enum cudaStreamCaptureMode)(i % 3)));
        GIVES(cudaErrorStreamCaptureUnsupported, call_one(i / 3, p, host));
        GIVES(cudaErrorStreamCaptureInvalidated,
              cudaStreamEndCapture(NULL, &g));
    }
    OK(cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal));
    OK(cudaMemcpy(p, host, 0, cudaMemcpyDefault));
    OK(cudaMemcpyAsync(p, p + 64, 64, cudaMemcpyDefault, NULL));
    cudaGraph_t g;
    OK(cudaStreamEndCapture(NULL, &g));
    OK(cudaGraphDestroy(g));
}

int main(void)
{
    unsigned *p;
    kernels_register();
    OK(cudaMalloc((void **)&p, 128));
    run(hold, NULL);
    run(copy, p); /* although the other thread's stream is not done */
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    OK(cudaDeviceSynchronize());
    copy_in_capture((char *)p);
    OK(cudaFree(p));
    kernels_unregister();
    return check_result();
}
