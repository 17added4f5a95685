/* SPDX-License-Identifier: Apache-2.0 */
/* Order between streams, events, host functions, errors that stick. */
#define _GNU_SOURCE
#include "../exec/check.h"
#include "core/core.h"
#include "../exec/launch.h"

#include <sys/mman.h>
#include <pthread.h>
#include <time.h>

static CUcontext ctx;

static CUstream resolve(CUstream handle)
{
    CUstream s = NULL;
    CHECK_EQUAL(stream_resolve(ctx, handle, &s), CUDA_SUCCESS);
    return s;
}

static CUstream new_stream(unsigned flags)
{
    CUstream s = NULL;
    CHECK_EQUAL(stream_create(ctx, flags, 0, &s), CUDA_SUCCESS);
    return s;
}

/* ---- a gate that work waits at, and work that notes its turn ---------- */

static atomic_int is_open;
static atomic_int turn;

static void wait_at_gate(void *data)
{
    (void)data;
    while (!atomic_load(&is_open))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void note_turn(void *data)
{
    *(int *)data = atomic_fetch_add(&turn, 1) + 1;
}

static void submit(CUstream s, void (*fn)(void *), void *data)
{
    CHECK_EQUAL(stream_launch_host(s, fn, data), CUDA_SUCCESS);
}

static void submit_task(CUstream s, int *noted)
{
    struct exec_task *t = exec_task_call(note_turn, noted);
    CHECK_EQUAL(stream_submit(s, t), CUDA_SUCCESS);
    exec_task_unref(t);
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Blocking streams wait for the default stream and the other way round;
 * others do not. */
static void check_default_stream(void)
{
    CUstream legacy = resolve(NULL), blocking = new_stream(0);
    CUstream free_stream = new_stream(CU_STREAM_NON_BLOCKING);
    int a = 0, b = 0, c = 0, d = 0;
    atomic_store(&is_open, 0);
    submit(blocking, wait_at_gate, NULL);
    submit_task(legacy, &a);
    submit_task(free_stream, &b);
    submit_task(blocking, &c);
    CHECK_EQUAL(stream_query(legacy), CUDA_ERROR_NOT_READY);
    CHECK_EQUAL(stream_synchronize(free_stream), CUDA_SUCCESS);
    CHECK_EQUAL(stream_query(free_stream), CUDA_SUCCESS);
    CHECK(b != 0 && a == 0 && c == 0);
    atomic_store(&is_open, 1);
    CHECK_EQUAL(stream_synchronize(blocking), CUDA_SUCCESS);
    CHECK(a > b && c > a);
    submit_task(legacy, &d);
    CHECK_EQUAL(stream_synchronize(legacy), CUDA_SUCCESS);
    CHECK(d > c);
    CHECK_EQUAL(stream_destroy(blocking), CUDA_SUCCESS);
    CHECK_EQUAL(stream_destroy(free_stream), CUDA_SUCCESS);
    CUstream s;
    CHECK_EQUAL(stream_resolve(ctx, blocking, &s), CUDA_ERROR_INVALID_HANDLE);
}

/* Work of a destroyed stream still comes first. */
static void check_destroyed_stream(void)
{
    CUstream s = new_stream(0);
    int a = 0, b = 0;
    atomic_store(&is_open, 0);
    submit(s, wait_at_gate, NULL);
    submit_task(s, &a);
    CHECK_EQUAL(stream_destroy(s), CUDA_SUCCESS);
    submit_task(resolve(NULL), &b);
    sleep_ms(2);
    CHECK(a == 0 && b == 0);
    atomic_store(&is_open, 1);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    CHECK(a && b > a);
}

static void check_events(void)
{
    CUstream s = new_stream(CU_STREAM_NON_BLOCKING);
    CUstream other = new_stream(CU_STREAM_NON_BLOCKING);
    CUevent start, end, quiet;
    float ms = -1;
    int a = 0;
    CHECK_EQUAL(event_create(ctx, 0, &start), CUDA_SUCCESS);
    CHECK_EQUAL(event_create(ctx, CU_EVENT_BLOCKING_SYNC, &end), CUDA_SUCCESS);
    CHECK_EQUAL(event_create(ctx, CU_EVENT_DISABLE_TIMING, &quiet), 0);
    CHECK_EQUAL(event_create(ctx, 0x80, &quiet), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(event_query(start), CUDA_SUCCESS);
    CHECK_EQUAL(event_synchronize(start), CUDA_SUCCESS);
    CHECK_EQUAL(event_elapsed(&ms, start, end), CUDA_ERROR_INVALID_HANDLE);

    atomic_store(&is_open, 0);
    CHECK_EQUAL(event_record(start, s), CUDA_SUCCESS);
    submit(s, wait_at_gate, NULL);
    CHECK_EQUAL(event_record(end, s), CUDA_SUCCESS);
    CHECK_EQUAL(event_record(quiet, s), CUDA_SUCCESS);
    CHECK_EQUAL(event_query(end), CUDA_ERROR_NOT_READY);
    CHECK_EQUAL(event_elapsed(&ms, start, end), CUDA_ERROR_NOT_READY);
    CHECK_EQUAL(stream_wait_event(other, end), CUDA_SUCCESS);
    submit_task(other, &a);
    sleep_ms(5);
    CHECK_EQUAL(a, 0);
    atomic_store(&is_open, 1);
    CHECK_EQUAL(event_synchronize(end), CUDA_SUCCESS);
    CHECK_EQUAL(stream_synchronize(other), CUDA_SUCCESS);
    CHECK(a != 0);
    CHECK_EQUAL(event_elapsed(&ms, start, end), CUDA_SUCCESS);
    CHECK(ms > 4.5f && ms < 5000);
    CHECK_EQUAL(event_elapsed(&ms, start, quiet), CUDA_ERROR_INVALID_HANDLE);
    CHECK_EQUAL(event_destroy(start), CUDA_SUCCESS);
    CHECK_EQUAL(event_destroy(start), CUDA_ERROR_INVALID_HANDLE);
    CHECK_EQUAL(event_destroy(end), CUDA_SUCCESS);
    CHECK_EQUAL(event_destroy(quiet), CUDA_SUCCESS);
    CHECK_EQUAL(event_query(NULL), CUDA_ERROR_INVALID_HANDLE);
    stream_destroy(s);
    stream_destroy(other);
}

static void *use_per_thread(void *data)
{
    CUstream *out = data;
    CHECK_EQUAL(stream_resolve(ctx, CU_STREAM_PER_THREAD, out), CUDA_SUCCESS);
    int a = 0;
    submit_task(*out, &a);
    CHECK_EQUAL(stream_synchronize(*out), CUDA_SUCCESS);
    CHECK(a != 0);
    return NULL;
}

static void check_per_thread(void)
{
    CUstream mine = resolve(CU_STREAM_PER_THREAD), theirs, s;
    pthread_t thread;
    CHECK(mine == resolve(CU_STREAM_PER_THREAD));
    CHECK(mine != resolve(CU_STREAM_LEGACY));
    pthread_create(&thread, NULL, use_per_thread, &theirs);
    pthread_join(thread, NULL);
    CHECK(mine != theirs);
    CHECK_EQUAL(stream_resolve(ctx, theirs, &s), CUDA_ERROR_INVALID_HANDLE);
}

/* ---- errors that stick ------------------------------------------------ */

static void null_store(struct exec_warp *w)
{
    (void)w;
    static volatile uintptr_t nowhere = 16;
    *(volatile int *)nowhere = 1;
}

static void check_sticky(void)
{
    CUstream s = new_stream(0);
    CUcontext same;
    CUdeviceptr p;
    int a = 0;
    struct exec_kernel k = make_kernel(null_store, NULL, 4, 32);
    struct exec_task *t = exec_task_kernel(&k);
    exec_task_on_done(t, NULL, NULL);
    void *gone =
        mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct mem_copy c = {.source = gone,
                         .destination = &a,
                         .width_bytes = 4,
                         .height = 1,
                         .depth = 1};
    exec_task_unref(t);
    /* Behind a gate a copy is a kernel; its source is gone by then. */
    atomic_store(&is_open, 0);
    submit(s, wait_at_gate, NULL);
    CHECK_EQUAL(mem_copy_box(s, &c, false), CUDA_SUCCESS);
    mprotect(gone, 4096, PROT_NONE);
    CHECK_EQUAL(mem_copy_box(s, &c, false), CUDA_ERROR_INVALID_VALUE);
    c.source = &c;
    CHECK_EQUAL(mem_copy_box(s, &c, false), CUDA_SUCCESS);
    atomic_store(&is_open, 1);
    CHECK_EQUAL(stream_synchronize(s), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_EQUAL(a, 0); /* what came later was cancelled */
    CHECK_EQUAL(ctx_primary(&same), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_EQUAL(mem_alloc(ctx, &p, 10), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_EQUAL(ctx_primary_reset(0), CUDA_SUCCESS);
    CHECK_EQUAL(ctx_primary(&same), CUDA_SUCCESS);
    CHECK_EQUAL(mem_alloc(ctx, &p, 10), CUDA_SUCCESS);
    CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
    CHECK_EQUAL(stream_resolve(ctx, s, &s), CUDA_ERROR_INVALID_HANDLE);
    munmap(gone, 4096);
}

static void check_device(void)
{
    int value = -1;
    size_t bytes;
    CHECK(device_count() == 1);
    CHECK(!strncmp(device_name(), "weft ", 5));
    for (int i = 1; i < CU_DEVICE_ATTRIBUTE_MAX; i++)
        CHECK_EQUAL(device_attribute(&value, (CUdevice_attribute)i, 0), 0);
    CHECK_EQUAL(device_attribute(&value, (CUdevice_attribute)0, 0), 1);
    CHECK_EQUAL(device_attribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1),
                CUDA_ERROR_INVALID_DEVICE);
    CHECK_EQUAL(device_limit_get(&bytes, CU_LIMIT_PRINTF_FIFO_SIZE), 0);
    CHECK_EQUAL(bytes, 8650752);
    CHECK_EQUAL(device_limit_set(CU_LIMIT_STACK_SIZE, 4096), CUDA_SUCCESS);
    CHECK_EQUAL(device_limit_get(&bytes, CU_LIMIT_STACK_SIZE), 0);
    CHECK_EQUAL(bytes, 4096);
    CHECK_EQUAL(device_limit_get(&bytes, (CUlimit)99),
                CUDA_ERROR_INVALID_VALUE);
}

int main(void)
{
    CHECK_EQUAL(ctx_primary(&ctx), CUDA_SUCCESS);
    for (int i = 0; i < 20; i++) {
        check_default_stream();
        check_destroyed_stream();
        check_events();
        check_per_thread();
        check_sticky();
    }
    check_device();
    return check_result();
}
