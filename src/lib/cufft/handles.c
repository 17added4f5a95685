/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of handles: a new one gets the smallest that is free. */
#include "handles.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handle **table;
static int capacity;

enum { FIRST = 1 };

static int free_place(void)
{
    for (int i = FIRST; i < capacity; i++) {
        if (!table[i])
            return i;
    }
    int wanted = capacity ? 2 * capacity : 16, place = capacity;
    struct handle **grown = realloc(table, (size_t)wanted * sizeof(void *));
    if (!grown)
        return -1;
    memset(grown + capacity, 0, (size_t)(wanted - capacity) * sizeof(void *));
    table = grown;
    capacity = wanted;
    return place ? place : FIRST;
}

int handle_create(void)
{
    struct handle *h = calloc(1, sizeof *h);
    if (!h)
        return -1;
    h->allocates = true;
    pthread_mutex_lock(&lock);
    int i = free_place();
    if (i >= 0)
        table[i] = h;
    pthread_mutex_unlock(&lock);
    if (i < 0)
        free(h);
    return i;
}

struct handle *handle_find(int number)
{
    pthread_mutex_lock(&lock);
    struct handle *h =
        number >= FIRST && number < capacity ? table[number] : NULL;
    pthread_mutex_unlock(&lock);
    return h;
}

struct handle *handle_remove(int number)
{
    struct handle *h = NULL;
    pthread_mutex_lock(&lock);
    if (number >= FIRST && number < capacity) {
        h = table[number];
        table[number] = NULL;
    }
    pthread_mutex_unlock(&lock);
    return h;
}

cufftResult cufft_status(CUresult err)
{
    switch (err) {
    case CUDA_SUCCESS:
        return CUFFT_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return CUFFT_ALLOC_FAILED;
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
        return CUFFT_SETUP_FAILED;
    default:
        return CUFFT_EXEC_FAILED;
    }
}
