/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenBLAS's work buffers: each thread has its own. The two functions here
 * replace OpenBLAS's (the linker takes the first definition), whose serial
 * build 0.3.21 looks for a free buffer without a lock, so that two threads may
 * get the same one: 3 products in 1,000 were wrong on two busy cores.
 */
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

void *blas_memory_alloc(int unused);
void blas_memory_free(void *buffer);

enum {
    BYTES = 0x8001000, /* as OpenBLAS's: BUFFER_SIZE and a page */
    NESTED = 8,        /* buffers of a thread: a routine calls others */
};

struct buffers {
    void *at[NESTED];
    int is_used[NESTED];
};

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct buffers own;

static void unmap_all(void *buffers)
{
    struct buffers *b = buffers;
    for (int i = 0; i < NESTED; i++) {
        if (b->at[i])
            munmap(b->at[i], BYTES);
        b->at[i] = NULL;
    }
}

static void make_key(void)
{
    pthread_key_create(&key, unmap_all);
}

static void *map_buffer(void)
{
    void *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void *blas_memory_alloc(int unused)
{
    (void)unused;
    pthread_once(&once, make_key);
    for (int i = 0; i < NESTED; i++) {
        if (own.is_used[i])
            continue;
        if (!own.at[i]) {
            own.at[i] = map_buffer();
            pthread_setspecific(key, &own);
        }
        own.is_used[i] = own.at[i] != NULL;
        return own.at[i];
    }
    return map_buffer(); /* kernels that faulted never freed theirs */
}

void blas_memory_free(void *buffer)
{
    for (int i = 0; i < NESTED; i++) {
        if (own.at[i] == buffer) {
            own.is_used[i] = 0;
            return;
        }
    }
    munmap(buffer, BYTES);
}
