/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations, what a pointer is, wrong frees, copies and fills. */
#define _GNU_SOURCE
#include "../exec/check.h"
#include "core/internal.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static CUcontext ctx;
static CUstream stream;

static CUdeviceptr alloc(size_t size_bytes)
{
    CUdeviceptr p = 0;
    CHECK_EQUAL(mem_alloc(ctx, &p, size_bytes), CUDA_SUCCESS);
    return p;
}

static void *at(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

static void check_sizes(void)
{
    static const size_t sizes[] = {1,       511,     512,
                                   513,     100000,  262144,
                                   262145,  2097152, (2 << 20) - 4096,
                                   50 << 20};
    for (unsigned i = 0; i < ARRAY_COUNT(sizes); i++) {
        size_t n = sizes[i];
        CUdeviceptr p = alloc(n);
        CHECK_EQUAL(p % 512, 0);
        memset(at(p), 0xa5, n);
        struct mem_info info = mem_query((char *)at(p) + n - 1);
        CHECK_EQUAL(info.kind, MEM_DEVICE);
        CHECK_EQUAL(info.base, p);
        CHECK_EQUAL(info.size_bytes, n);
        CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
        CHECK_EQUAL(mem_query(at(p)).kind, MEM_UNKNOWN);
        CHECK_EQUAL(mem_free(ctx, p), CUDA_ERROR_INVALID_VALUE);
    }
}

static void check_many(void)
{
    enum { COUNT = 20000 };
    static CUdeviceptr p[COUNT];
    srand(1);
    for (int i = 0; i < COUNT; i++) {
        p[i] = alloc(1 + (size_t)rand() % (i % 100 ? 3000 : 3000000));
        *(int *)at(p[i]) = i;
    }
    for (int i = 0; i < COUNT; i++) {
        int k = (int)((long long)i * 7919 % COUNT);
        CHECK(*(int *)at(p[k]) == k);
        CHECK(mem_free(ctx, p[k]) == CUDA_SUCCESS);
    }
    size_t free_bytes, total_bytes;
    device_free_memory(&free_bytes, &total_bytes);
    CHECK_EQUAL(free_bytes, total_bytes);
}

static void check_wrong(void)
{
    CUdeviceptr p = 0;
    void *h = NULL;
    int local;
    CHECK_EQUAL(mem_alloc(ctx, &p, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_alloc(ctx, &p, (size_t)1 << 60), CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_EQUAL(mem_alloc(ctx, &p, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_EQUAL(p, 0);
    CHECK_EQUAL(mem_free(ctx, 0), CUDA_SUCCESS);
    CHECK_EQUAL(mem_free(ctx, (uintptr_t)&local), CUDA_ERROR_INVALID_VALUE);
    p = alloc(1000);
    CHECK_EQUAL(mem_free(ctx, p + 256), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_free_host(ctx, at(p)), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
    CHECK_EQUAL(mem_alloc_host(ctx, &h, 100, 0x80), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_alloc_host(ctx, &h, 100, 0), CUDA_SUCCESS);
    CHECK_EQUAL(mem_query(h).kind, MEM_PINNED);
    CHECK_EQUAL(mem_free(ctx, (uintptr_t)h), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_free_host(ctx, h), CUDA_SUCCESS);
    CHECK_EQUAL(mem_alloc_managed(ctx, &p, 0, CU_MEM_ATTACH_GLOBAL), 0);
    CHECK_EQUAL(mem_query(at(p)).kind, MEM_MANAGED);
    CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
    CHECK_EQUAL(mem_alloc_managed(ctx, &p, 1, 77), CUDA_ERROR_INVALID_VALUE);
}

static void check_registered(void)
{
    char *p = malloc(10000);
    CHECK_EQUAL(mem_register_host(ctx, p, 10000, 0), CUDA_SUCCESS);
    CHECK_EQUAL(mem_query(p + 9999).kind, MEM_REGISTERED);
    CHECK_EQUAL(mem_query(p + 10000).kind, MEM_UNKNOWN);
    CHECK_EQUAL(mem_register_host(ctx, p + 50, 10, 0),
                CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    CHECK_EQUAL(mem_unregister_host(ctx, p + 1), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_unregister_host(ctx, p), CUDA_SUCCESS);
    CHECK_EQUAL(mem_unregister_host(ctx, p),
                CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    free(p);
}

static struct mem_copy plain(void *to, const void *from, size_t n)
{
    return (struct mem_copy){.source = from,
                             .destination = to,
                             .width_bytes = n,
                             .height = 1,
                             .depth = 1};
}

static void check_plain_copy(size_t n, bool wait)
{
    CUdeviceptr p = alloc(n);
    unsigned char *a = malloc(n), *b = calloc(n, 1);
    for (size_t i = 0; i < n; i++)
        a[i] = (unsigned char)(i * 7 + i / 251);
    struct mem_copy up = plain(at(p), a, n), down = plain(b, at(p), n);
    CHECK_EQUAL(mem_copy_box(stream, &up, wait), CUDA_SUCCESS);
    CHECK_EQUAL(mem_copy_box(stream, &down, wait), CUDA_SUCCESS);
    CHECK_EQUAL(stream_synchronize(stream), CUDA_SUCCESS);
    CHECK_EQUAL(memcmp(a, b, n), 0);
    CHECK_EQUAL(mem_set(stream, p, 0, 0x5c, 1, n, 1, 0, 1, wait), 0);
    CHECK_EQUAL(mem_copy_box(stream, &down, true), CUDA_SUCCESS);
    for (size_t i = 0; i < n; i++) {
        if (b[i] != 0x5c) {
            CHECK_EQUAL(b[i], 0x5c);
            break;
        }
    }
    free(a);
    free(b);
    CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
}

/* A box in the middle of a larger one, against the obvious loop. */
static void check_box_copy(size_t width, size_t height, size_t depth)
{
    size_t pitch = width + 24, slice = pitch * (height + 3);
    size_t n = slice * depth;
    unsigned char *a = malloc(n), *b = calloc(n, 1), *expected = calloc(n, 1);
    for (size_t i = 0; i < n; i++)
        a[i] = (unsigned char)rand();
    for (size_t z = 0; z < depth; z++)
        for (size_t y = 0; y < height; y++)
            memcpy(expected + z * slice + y * pitch, a + z * slice + y * pitch,
                   width);
    struct mem_copy c = {
        .source = a,
        .destination = b,
        .source_pitch = pitch,
        .destination_pitch = pitch,
        .source_slice = slice,
        .destination_slice = slice,
        .width_bytes = width,
        .height = height,
        .depth = depth,
    };
    CHECK_EQUAL(mem_copy_box(stream, &c, true), CUDA_SUCCESS);
    CHECK_EQUAL(memcmp(b, expected, n), 0);
    free(a);
    free(b);
    free(expected);
}

static void check_fill(void)
{
    CUdeviceptr p = alloc(1 << 20);
    CHECK_EQUAL(mem_set(stream, p, 0, 0, 1, 1 << 20, 1, 0, 1, true), 0);
    CHECK_EQUAL(mem_set(stream, p + 8, 4096, 0x01020304, 4, 10, 20, 0, 1, 1),
                0);
    uint32_t *words = at(p);
    for (unsigned i = 0; i < 1 << 18; i++) {
        unsigned row = i / 1024, column = i % 1024;
        bool inside = row < 20 && column >= 2 && column < 12;
        CHECK(words[i] == (inside ? 0x01020304u : 0));
    }
    CHECK_EQUAL(mem_set(stream, p + 1, 0, 7, 2, 4, 1, 0, 1, true),
                CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_set(stream, p, 0, 7, 1, (1 << 20) + 1, 1, 0, 1, true),
                CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
    CHECK_EQUAL(mem_set(stream, p, 0, 7, 1, 4, 1, 0, 1, true),
                CUDA_ERROR_INVALID_VALUE);
}

/* ---- a little too far --------------------------------------------------- */

static sigjmp_buf back;

static void jump_back(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

static bool faults(const volatile char *p)
{
    bool has_faulted = true;
    if (!sigsetjmp(back, 1)) {
        (void)*p;
        has_faulted = false;
    }
    return has_faulted;
}

static char *large(void)
{
    return at(alloc(2 << 20));
}

/* Of two allocations one is freed: the other keeps its surroundings. */
static void check_slack(bool is_guarded)
{
    struct sigaction old, sa = {.sa_handler = jump_back};
    sigaction(SIGSEGV, &sa, &old);
    char *a = large(), *b = large();
    const size_t end = (size_t)4 << 20; /* of its units */
    CHECK_EQUAL(faults(a), false);
    CHECK_EQUAL(faults(a + end / 2 - 1), false);
    CHECK_EQUAL(faults(a + end / 2), is_guarded);
    CHECK_EQUAL(faults(a + end - 4097), is_guarded);
    CHECK_EQUAL(faults(a + end - 1), is_guarded);
    CHECK_EQUAL(faults(b - 1), is_guarded);
    CHECK_EQUAL(mem_free(ctx, (uintptr_t)a), CUDA_SUCCESS);
    CHECK_EQUAL(faults(a), is_guarded); /* until there is work again */
    mem_close_freed();
    CHECK_EQUAL(faults(a), true);
    CHECK_EQUAL(faults(b - 4097), true);
    CHECK_EQUAL(faults(b - 1), is_guarded);
    CHECK_EQUAL(mem_free(ctx, (uintptr_t)b), CUDA_SUCCESS);
    mem_close_freed();
    CHECK_EQUAL(faults(b - 1), true);
    sigaction(SIGSEGV, &old, NULL);
}

int main(void)
{
    CHECK_EQUAL(ctx_primary(&ctx), CUDA_SUCCESS);
    CHECK_EQUAL(stream_resolve(ctx, NULL, &stream), CUDA_SUCCESS);
    for (int i = 0; i < 3; i++) {
        check_sizes();
        check_many();
    }
    check_wrong();
    check_registered();
    check_plain_copy(1, true);
    check_plain_copy(100000, false);
    check_plain_copy(20000001, true);
    check_plain_copy(20000001, false);
    check_box_copy(100, 37, 1);
    check_box_copy(1000, 1000, 5);
    check_box_copy(600000, 4, 3);
    check_fill();
    const char *guard = getenv("WEFT_GUARD");
    check_slack(guard && !strcmp(guard, "1"));
    return check_result();
}
