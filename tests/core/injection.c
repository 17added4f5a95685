/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation of every call fails once: the call says so, writes no
 * output, loses nothing, and works afterwards. malloc and its kin are wrapped
 * by the linker (see CMakeLists.txt).
 */
#include "../exec/check.h"
#include "core/core.h"
#include "../exec/launch.h"

#include <pthread.h>
#include <time.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t count, size_t n);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t count, size_t n);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n);
void __wrap_free(void *p);

static __thread long left_until_failure = -1; /* negative: never */
static atomic_long live;

static bool fails(void)
{
    return left_until_failure >= 0 && left_until_failure-- == 0;
}

static void *counted(void *p)
{
    if (p)
        atomic_fetch_add(&live, 1);
    return p;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : counted(__real_malloc(n));
}

void *__wrap_calloc(size_t count, size_t n)
{
    return fails() ? NULL : counted(__real_calloc(count, n));
}

void *__wrap_realloc(void *p, size_t n)
{
    if (fails())
        return NULL;
    void *out = __real_realloc(p, n);
    return p ? out : counted(out);
}

void *__wrap_aligned_alloc(size_t alignment, size_t n)
{
    return fails() ? NULL : counted(__real_aligned_alloc(alignment, n));
}

void __wrap_free(void *p)
{
    if (p)
        atomic_fetch_sub(&live, 1);
    __real_free(p);
}

/* ---- the calls -------------------------------------------------------- */

static CUcontext ctx;
static CUstream stream;
static char host[1 << 20];
static CUdeviceptr device;

static CUresult create_stream(void)
{
    CUstream s = NULL;
    CUresult err = stream_create(ctx, 0, 0, &s);
    CHECK((err != 0) == (s == NULL));
    return err ? err : stream_destroy(s);
}

static CUresult create_event(void)
{
    CUevent e = NULL;
    CUresult err = event_create(ctx, 0, &e);
    CHECK((err != 0) == (e == NULL));
    return err ? err : event_destroy(e);
}

static CUresult record_event(void)
{
    static CUevent e;
    if (!e && event_create(ctx, 0, &e))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return event_record(e, stream);
}

static CUresult allocate(size_t size_bytes)
{
    CUdeviceptr p = 0;
    CUresult err = mem_alloc(ctx, &p, size_bytes);
    CHECK((err != 0) == (p == 0));
    return err ? err : mem_free(ctx, p);
}

static CUresult allocate_small(void)
{
    return allocate(12000);
}

static CUresult allocate_large(void)
{
    return allocate(30 << 20);
}

static CUresult register_memory(void)
{
    CUresult err = mem_register_host(ctx, host, sizeof host, 0);
    return err ? err : mem_unregister_host(ctx, host);
}

static CUresult copy(void)
{
    struct mem_copy c = {.source = host,
                         .destination = (void *)(uintptr_t)device,
                         .width_bytes = sizeof host,
                         .height = 1,
                         .depth = 1};
    return mem_copy_box(stream, &c, true);
}

static void nothing(void *data)
{
    (void)data;
}

static CUresult call_back(void)
{
    CUresult err = stream_launch_host(stream, nothing, NULL);
    return err ? err : stream_synchronize(stream);
}

static CUresult launch_nothing(void);

static CUresult create_array(void)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {100, 100, 0, CU_AD_FORMAT_FLOAT, 4, 0};
    CUarray a = NULL;
    CUresult err = array_create(ctx, &d, &a);
    CHECK((err != 0) == (a == NULL));
    return err ? err : array_destroy(ctx, a);
}

static CUresult create_mipmap(void)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {100, 100, 0, CU_AD_FORMAT_FLOAT, 4, 0};
    CUmipmappedArray m = NULL;
    CUresult err = mipmap_create(ctx, &d, 9, &m);
    CHECK((err != 0) == (m == NULL));
    return err ? err : mipmap_destroy(ctx, m);
}

static CUresult create_pool(void)
{
    const CUmemPoolProps props = {
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
        .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUmemoryPool p = NULL;
    CUdeviceptr a = 0;
    CUresult err = pool_create(&props, &p);
    CHECK((err != 0) == (p == NULL));
    if (err)
        return err;
    err = pool_alloc(p, stream, 10000, &a);
    CHECK((err != 0) == (a == 0));
    if (!err) /* it may need a mark, for which there may be no memory */
        err = mem_free_later(stream, a) ? mem_free(ctx, a) : CUDA_SUCCESS;
    CHECK_EQUAL(pool_destroy(p), CUDA_SUCCESS);
    return err;
}

static CUresult map_memory(void)
{
    const size_t n = 2 << 20;
    const CUmemAllocationProp props = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUmemGenericAllocationHandle h = 0;
    CUdeviceptr va = 0;
    CUresult err = virtual_create(n, &props, &h);
    CHECK((err != 0) == (h == 0));
    if (err)
        return err;
    err = virtual_reserve(n, 0, 0, &va);
    CHECK((err != 0) == (va == 0));
    if (!err) {
        err = virtual_map(va, n, 0, h);
        if (!err)
            CHECK_EQUAL(virtual_unmap(ctx, va, n), CUDA_SUCCESS);
        CHECK_EQUAL(virtual_free(va, n), CUDA_SUCCESS);
    }
    CHECK_EQUAL(virtual_release(h), CUDA_SUCCESS);
    return err;
}

static CUresult create_shared_event(void)
{
    CUevent e = NULL;
    CUresult err =
        event_create(ctx, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING, &e);
    CHECK((err != 0) == (e == NULL));
    if (err)
        return err;
    err = event_record(e, stream);
    if (!err)
        err = stream_wait_event(stream, e);
    CHECK_EQUAL(event_destroy(e), CUDA_SUCCESS);
    return err;
}

static CUresult wait_for_value(void)
{
    CUstream s;
    CUresult err = stream_create(ctx, CU_STREAM_NON_BLOCKING, 0, &s);
    if (err)
        return err;
    struct memop m[2] = {
        {.kind = MEMOP_WAIT, .address = device, .value = 0},
        {.kind = MEMOP_WRITE, .address = device + 8, .value = 1}};
    err = stream_memops(s, m, 2);
    CHECK_EQUAL(stream_synchronize(s), CUDA_SUCCESS);
    CHECK_EQUAL(stream_destroy(s), CUDA_SUCCESS);
    return err;
}

static CUresult advise_range(void)
{
    CUdeviceptr p = 0;
    const CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
    CUresult err = mem_alloc_managed(ctx, &p, 1 << 20, CU_MEM_ATTACH_GLOBAL);
    if (err)
        return err;
    err = range_advise(p + 8192, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, here);
    if (!err)
        err = range_prefetch(stream, p, 1 << 20, here);
    CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
    return err;
}

static const struct {
    const char *name;
    CUresult (*fn)(void);
} calls[] = {
    {"stream_create", create_stream},
    {"event_create", create_event},
    {"event_record", record_event},
    {"mem_alloc small", allocate_small},
    {"mem_alloc large", allocate_large},
    {"mem_register_host", register_memory},
    {"mem_copy_box", copy},
    {"stream_add_callback", call_back},
    {"stream_submit", launch_nothing},
    {"array_create", create_array},
    {"mipmap_create", create_mipmap},
    {"pool_create", create_pool},
    {"virtual_map", map_memory},
    {"event_create shared", create_shared_event},
    {"stream_memops", wait_for_value},
    {"range_advise", advise_range},
};

static void empty_kernel(struct exec_warp *w)
{
    (void)w;
}

static CUresult launch_nothing(void)
{
    struct exec_kernel k = make_kernel(empty_kernel, NULL, 100, 32);
    struct exec_task *t = exec_task_kernel(&k);
    if (!t)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult err = stream_submit(stream, t);
    exec_task_unref(t);
    return err ? err : stream_synchronize(stream);
}

/*
 * How many allocations there are more than `before`. Who waits for a task is
 * woken before the worker gives its own reference back, which frees the task
 * and its parameters: a worker without a core does so later.
 */
static long count_lost(long before)
{
    long lost = atomic_load(&live) - before;
    for (int ms = 0; lost > 1 && ms < 5000; ms++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        lost = atomic_load(&live) - before;
    }
    return lost;
}

/* Caches are filled: the same again loses nothing. What one allocation loses
 * is lost once a round. */
static void check_losses(unsigned i)
{
    enum { ROUNDS = 4 };
    CHECK_EQUAL(calls[i].fn(), CUDA_SUCCESS);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    long before = atomic_load(&live);
    for (long n = 0; n < 10 * ROUNDS; n++) {
        left_until_failure = n % 10;
        calls[i].fn();
        left_until_failure = -1;
        CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    }
    CHECK_EQUAL(calls[i].fn(), CUDA_SUCCESS);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    long lost = count_lost(before);
    if (lost > 1) /* a stream's last task may be another one */
        fprintf(stderr, "%s loses %ld allocations\n", calls[i].name, lost);
    CHECK(lost <= 1);
}

static void inject(unsigned i)
{
    CUresult err = CUDA_ERROR_OUT_OF_MEMORY;
    for (long n = 0; err && n < 100; n++) {
        left_until_failure = n;
        err = calls[i].fn();
        left_until_failure = -1;
        if (err != CUDA_SUCCESS && err != CUDA_ERROR_OUT_OF_MEMORY)
            fprintf(stderr, "%s: allocation %ld\n", calls[i].name, n);
        CHECK(err == CUDA_SUCCESS || err == CUDA_ERROR_OUT_OF_MEMORY);
    }
    CHECK_EQUAL(err, CUDA_SUCCESS);
    check_losses(i);
}

int main(void)
{
    setenv("WEFT_TASK_MEMORY", "0", 1); /* what is kept would count */
    for (long n = 0;; n++) {
        left_until_failure = n;
        CUresult err = ctx_primary(&ctx);
        left_until_failure = -1;
        if (!err)
            break;
        CHECK_EQUAL(err, CUDA_ERROR_OUT_OF_MEMORY);
        CHECK(n < 10000);
    }
    CHECK_EQUAL(stream_resolve(ctx, NULL, &stream), CUDA_SUCCESS);
    CHECK_EQUAL(mem_alloc(ctx, &device, sizeof host), CUDA_SUCCESS);
    for (int i = 0; i < 1100; i++) /* so many that were freed are remembered */
        CHECK_EQUAL(create_array(), CUDA_SUCCESS);
    for (unsigned i = 0; i < ARRAY_COUNT(calls); i++)
        inject(i);
    CHECK_EQUAL(mem_free(ctx, device), CUDA_SUCCESS);
    return check_result();
}
