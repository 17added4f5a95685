/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every entry point that allocates, with its 1st, 2nd, 3rd ... allocation
 * failing until it succeeds: each failure is reported as one, writes no
 * output, loses no memory. The allocators here stand before the C library's.
 */
#define _GNU_SOURCE
#include "check.h"
#include "kernels.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

/* ---- allocators that fail ------------------------------------------------ */

static __thread unsigned until_failure; /* 0: none fails */
static __thread bool has_failed;
static _Atomic long living; /* allocated minus freed */

static bool fails(void)
{
    if (until_failure == 0 || --until_failure != 0)
        return false;
    has_failed = true;
    errno = ENOMEM;
    return true;
}

static void *counted(void *p)
{
    living += p != NULL;
    return p;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t size)
{
    if (fails())
        return NULL;
    void *q = __libc_realloc(p, size);
    living += !p && q;
    return q;
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (fails())
        return ENOMEM;
    void *p = counted(__libc_memalign(alignment, size));
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

void free(void *p)
{
    living -= p != NULL;
    __libc_free(p);
}

void *mmap(void *p, size_t size, int protection, int flags, int fd, off_t at)
{
    if (fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, p, size, protection, flags, fd, at);
}

/* ---- what is tried ------------------------------------------------------- */

static void *const untouched = &failures;
static union {
    void *p;
    cudaStream_t stream;
    cudaEvent_t event;
    struct cudaPitchedPtr box;
} out;
static size_t pitch;
static cudaStream_t stream;
static cudaEvent_t event;
static unsigned *device, *pinned;
static char own[4096];

static cudaError_t try_malloc_small(void)
{
    return cudaMalloc(&out.p, 100);
}
static cudaError_t try_malloc_large(void)
{
    return cudaMalloc(&out.p, 9 << 20);
}
static cudaError_t try_pitch(void)
{
    return cudaMallocPitch(&out.p, &pitch, 1000, 3000);
}
static cudaError_t try_3d(void)
{
    return cudaMalloc3D(&out.box, make_cudaExtent(1000, 30, 100));
}
static cudaError_t try_managed(void)
{
    return cudaMallocManaged(&out.p, 9 << 20, cudaMemAttachGlobal);
}
static cudaError_t try_async(void)
{
    return cudaMallocAsync(&out.p, 9 << 20, stream);
}
static void undo_malloc(void)
{
    OK(cudaFree(out.p));
}
static cudaError_t try_host(void)
{
    return cudaHostAlloc(&out.p, 9 << 20, 0);
}
static void undo_host(void)
{
    OK(cudaFreeHost(out.p));
}
static cudaError_t try_register(void)
{
    return cudaHostRegister(own, sizeof own, 0);
}
static void undo_register(void)
{
    OK(cudaHostUnregister(own));
}
static cudaError_t try_stream(void)
{
    return cudaStreamCreateWithFlags(&out.stream, cudaStreamNonBlocking);
}
static void undo_stream(void)
{
    OK(cudaStreamDestroy(out.stream));
}
static cudaError_t try_event(void)
{
    return cudaEventCreate(&out.event);
}
static void undo_event(void)
{
    OK(cudaEventDestroy(out.event));
}

/* The following are tried behind work that is not done, so that they queue. */
static int gate;

static void wait_for_gate(void *data)
{
    (void)data;
    while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE))
        ;
}

static void nothing(void *data)
{
    (void)data;
}

static void close_gate(void)
{
    gate = 0;
    OK(cudaLaunchHostFunc(stream, wait_for_gate, NULL));
}

static void open_gate(void)
{
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    OK(cudaStreamSynchronize(stream));
}

static cudaError_t try_copy(void)
{
    return cudaMemcpyAsync(device, pinned, 128, cudaMemcpyHostToDevice, stream);
}
static cudaError_t try_fill(void)
{
    return cudaMemsetAsync(device, 0, 128, stream);
}
static cudaError_t try_record(void)
{
    return cudaEventRecord(event, stream);
}
static cudaError_t try_wait(void)
{
    return cudaStreamWaitEvent(stream, event, 0);
}
static cudaError_t try_host_function(void)
{
    return cudaLaunchHostFunc(stream, nothing, NULL);
}
static cudaError_t try_launch(void)
{
    return launch_store(device, 1, 32, stream);
}
static void undo_nothing(void)
{
}

static const struct attempt {
    const char *name;
    cudaError_t (*call)(void);
    void (*undo)(void);
    bool is_queued, is_silent; /* silent: writes no output */
} attempts[] = {
    {"cudaMalloc, small", try_malloc_small, undo_malloc, false, false},
    {"cudaMalloc, large", try_malloc_large, undo_malloc, false, false},
    {"cudaMallocPitch", try_pitch, undo_malloc, false, false},
    {"cudaMalloc3D", try_3d, undo_malloc, false, false},
    {"cudaMallocManaged", try_managed, undo_malloc, false, false},
    {"cudaMallocAsync", try_async, undo_malloc, false, false},
    {"cudaHostAlloc", try_host, undo_host, false, false},
    {"cudaHostRegister", try_register, undo_register, false, true},
    {"cudaStreamCreate", try_stream, undo_stream, false, false},
    {"cudaEventCreate", try_event, undo_event, false, false},
    {"cudaMemcpyAsync", try_copy, undo_nothing, true, true},
    {"cudaMemsetAsync", try_fill, undo_nothing, true, true},
    {"cudaEventRecord", try_record, undo_nothing, true, true},
    {"cudaStreamWaitEvent", try_wait, undo_nothing, true, true},
    {"cudaLaunchHostFunc", try_host_function, undo_nothing, true, true},
    {"cudaLaunchKernel", try_launch, undo_nothing, true, true},
};

/* ---- trying -------------------------------------------------------------- */

/* True: the call succeeded without meeting the n-th allocation. */
static bool try_once(const struct attempt *a, unsigned n)
{
    memset(&out, 0, sizeof out);
    out.p = untouched;
    pitch = 77;
    if (a->is_queued)
        close_gate();
    has_failed = false;
    until_failure = n;
    cudaError_t err = a->call();
    until_failure = 0;
    bool succeeded = err == cudaSuccess;
    if (!succeeded) {
        CHECK(has_failed && err == cudaErrorMemoryAllocation);
        CHECK(out.p == untouched && pitch == 77);
        CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    } else {
        CHECK(a->is_silent || out.p != untouched);
    }
    if (a->is_queued)
        open_gate();
    if (succeeded)
        a->undo();
    return !has_failed;
}

static unsigned try_all(const struct attempt *a)
{
    unsigned n = 1;
    while (n < 100 && !try_once(a, n))
        n++;
    return n;
}

/* Another thread may be about to free what a task had. */
static bool lives(long expected)
{
    for (int i = 0; i < 1000 && living != expected; i++)
        usleep(1000);
    return living == expected;
}

static void check(const struct attempt *a)
{
    int before = failures;
    try_all(a); /* tables grow to their size */
    try_all(a);
    OK(cudaDeviceSynchronize());
    usleep(20000);
    long expected = living;
    unsigned n = try_all(a);
    CHECK(lives(expected));
    CHECK(n < 100);
    if (failures != before)
        printf("in %s\n", a->name);
}

/* The first call makes the context. */
static void first_call(void)
{
    unsigned n = 0;
    do {
        until_failure = ++n;
        has_failed = false;
        cudaError_t err = cudaFree(NULL);
        until_failure = 0;
        CHECK(err == cudaSuccess ? true : has_failed);
        if (err == cudaSuccess)
            break;
        CHECK(err == cudaErrorMemoryAllocation);
    } while (n < 1000);
    cudaGetLastError();
}

int main(void)
{
    setenv("WEFT_TASK_MEMORY", "0", 1); /* what is kept would count */
    setvbuf(stdout, NULL, _IONBF, 0);
    kernels_register();
    first_call();
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaEventCreate(&event));
    OK(cudaMalloc((void **)&device, 128));
    OK(cudaMallocHost((void **)&pinned, 128));
    OK(launch_store(device, 1, 32, stream)); /* compiled from here on */
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++)
        check(&attempts[i]);
    OK(cudaFreeHost(pinned));
    OK(cudaFree(device));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(stream));
    kernels_unregister();
    return check_result();
}
