/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and events between two processes, and what the calls refuse. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

#define INVALID cudaErrorInvalidValue

enum { SMALL = 1000, LARGE = 5 << 20 };

struct message {
    cudaIpcMemHandle_t small, large;
    cudaIpcEventHandle_t written, read;
};

static void say(int fd, const void *data, size_t n)
{
    CHECK(write(fd, data, n) == (ssize_t)n);
}

static void hear(int fd, void *data, size_t n)
{
    CHECK(read(fd, data, n) == (ssize_t)n);
}

static volatile int is_open;

static void wait_until_open(void *data)
{
    (void)data;
    while (!is_open)
        usleep(100);
}

/* ---- the other process --------------------------------------------------- */

static int child(int in, int out)
{
    struct message m;
    unsigned char *small, *again, *large, value = 0;
    cudaEvent_t written, done;
    cudaStream_t s;
    char go;
    hear(in, &m, sizeof m);
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaIpcOpenMemHandle((void **)&small, m.small, 1));
    OK(cudaIpcOpenMemHandle((void **)&again, m.small, 1));
    CHECK(small == again);
    OK(cudaIpcCloseMemHandle(again));
    OK(cudaIpcOpenMemHandle((void **)&large, m.large, 1));
    OK(cudaIpcOpenEventHandle(&written, m.written));
    OK(cudaIpcOpenEventHandle(&done, m.read));
    struct cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, large));
    CHECK(a.type == cudaMemoryTypeDevice);
    GIVES(INVALID, cudaFree(large));

    /* The first process has recorded the event behind a closed gate. */
    GIVES(cudaErrorNotReady, cudaEventQuery(written));
    OK(cudaStreamWaitEvent(s, written, 0));
    OK(cudaMemcpyAsync(large, small, 1, cudaMemcpyDeviceToDevice, s));
    OK(cudaEventRecord(done, s));
    GIVES(cudaErrorNotReady, cudaStreamQuery(s));
    say(out, "g", 1);
    OK(cudaEventSynchronize(written));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(&value, large, 1, cudaMemcpyDeviceToHost));
    CHECK(value == 7);
    OK(cudaMemset(large + LARGE - 1, 9, 1));
    OK(cudaDeviceSynchronize());
    say(out, "d", 1);
    hear(in, &go, 1);
    OK(cudaIpcCloseMemHandle(small));
    OK(cudaIpcCloseMemHandle(large));
    GIVES(INVALID, cudaIpcCloseMemHandle(large));
    GIVES(INVALID, cudaMemcpy(&value, large, 1, cudaMemcpyDeviceToHost));
    OK(cudaEventDestroy(written));
    OK(cudaEventDestroy(done));
    return failures != 0;
}

/* ---- this one ------------------------------------------------------------ */

static void parent(int in, int out)
{
    struct message m;
    unsigned char *small, *neighbour, *large, value = 0;
    cudaEvent_t written, done;
    cudaStream_t s;
    char go;
    const unsigned shared = cudaEventInterprocess | cudaEventDisableTiming;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&small, SMALL));
    OK(cudaMalloc((void **)&neighbour, SMALL));
    OK(cudaMalloc((void **)&large, LARGE));
    OK(cudaMemset(neighbour, 3, SMALL));
    OK(cudaMemset(large, 5, LARGE));
    OK(cudaEventCreateWithFlags(&written, shared));
    OK(cudaEventCreateWithFlags(&done, shared));
    OK(cudaEventQuery(written));
    OK(cudaIpcGetMemHandle(&m.small, small + 5)); /* anywhere in it */
    OK(cudaIpcGetMemHandle(&m.large, large));
    OK(cudaMemcpy(&value, large + LARGE - 1, 1, cudaMemcpyDeviceToHost));
    CHECK(value == 5); /* what was there is there still */
    OK(cudaIpcGetEventHandle(&m.written, written));
    OK(cudaIpcGetEventHandle(&m.read, done));
    OK(cudaLaunchHostFunc(s, wait_until_open, NULL));
    OK(cudaMemsetAsync(small, 7, SMALL, s));
    OK(cudaEventRecord(written, s));
    GIVES(cudaErrorNotReady, cudaEventQuery(written));
    say(out, &m, sizeof m);
    hear(in, &go, 1);
    is_open = 1;
    OK(cudaEventSynchronize(done));
    OK(cudaStreamSynchronize(s));
    hear(in, &go, 1);
    OK(cudaMemcpy(&value, large, 1, cudaMemcpyDeviceToHost));
    CHECK(value == 7);
    OK(cudaMemcpy(&value, large + LARGE - 1, 1, cudaMemcpyDeviceToHost));
    CHECK(value == 9);
    OK(cudaMemcpy(&value, neighbour, 1, cudaMemcpyDeviceToHost));
    CHECK(value == 3);
    OK(cudaFree(large)); /* the other still has it open */
    say(out, "e", 1);
    OK(cudaFree(small));
    OK(cudaFree(neighbour));
    OK(cudaEventDestroy(written));
    OK(cudaEventDestroy(done));
}

static void wrong(void)
{
    cudaIpcMemHandle_t h;
    cudaIpcEventHandle_t eh;
    cudaEvent_t plain, shared, opened;
    void *a, *p, *managed, *async;
    OK(cudaMalloc(&a, 100));
    OK(cudaMallocManaged(&managed, 100, cudaMemAttachGlobal));
    OK(cudaMallocAsync(&async, 100, 0));
    GIVES(INVALID, cudaIpcGetMemHandle(&h, &h));
    GIVES(INVALID, cudaIpcGetMemHandle(&h, managed));
    GIVES(INVALID, cudaIpcGetMemHandle(&h, async));
    GIVES(INVALID, cudaIpcGetMemHandle(NULL, a));
    OK(cudaIpcGetMemHandle(&h, a));
    GIVES(cudaErrorDeviceUninitialized, cudaIpcOpenMemHandle(&p, h, 1));
    GIVES(INVALID, cudaIpcOpenMemHandle(&p, h, 0));
    GIVES(INVALID, cudaIpcOpenMemHandle(NULL, h, 1));
    memset(&h, 0, sizeof h);
    GIVES(INVALID, cudaIpcOpenMemHandle(&p, h, 1));
    GIVES(INVALID, cudaIpcCloseMemHandle(a));
    OK(cudaEventCreate(&plain));
    OK(cudaEventCreateWithFlags(&shared, cudaEventInterprocess |
                                             cudaEventDisableTiming));
    GIVES(INVALID, cudaEventCreateWithFlags(&opened, cudaEventInterprocess));
    GIVES(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&eh, plain));
    GIVES(INVALID, cudaIpcGetEventHandle(NULL, shared));
    GIVES(INVALID, cudaIpcGetEventHandle(&eh, NULL));
    OK(cudaIpcGetEventHandle(&eh, shared));
    GIVES(cudaErrorDeviceUninitialized, cudaIpcOpenEventHandle(&opened, eh));
    memset(&eh, 0, sizeof eh);
    GIVES(cudaErrorMapBufferObjectFailed, cudaIpcOpenEventHandle(&opened, eh));
    OK(cudaEventRecord(shared, 0));
    OK(cudaStreamWaitEvent(0, shared, 0));
    OK(cudaEventSynchronize(shared));
    OK(cudaEventQuery(shared));
    OK(cudaEventDestroy(shared));
    OK(cudaEventDestroy(plain));
    OK(cudaFree(a));
    OK(cudaFree(managed));
    OK(cudaFreeAsync(async, 0));
}

int main(void)
{
    int down[2], up[2], status = 1;
    size_t before, after, total;
    CHECK(!pipe(down) && !pipe(up));
    pid_t pid = fork(); /* before any call of CUDA */
    if (pid == 0)
        _exit(child(down[0], up[1]));
    OK(cudaMemGetInfo(&before, &total));
    parent(up[0], down[1]);
    waitpid(pid, &status, 0);
    CHECK(status == 0);
    wrong();
    OK(cudaDeviceSynchronize());
    OK(cudaMemGetInfo(&after, &total));
    CHECK(before == after);
    return check_result();
}
