/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are kept with a context: found by their key, gone when they are
 * deleted or the key ends, also while other threads ask for them. */
#include "../exec/check.h"
#include "core/core.h"

#include <pthread.h>
#include <stdatomic.h>

enum { KEYS = 600, ROUNDS = 300 }; /* more keys than are found without a lock */

static char keys[KEYS];
static atomic_bool is_over;
static atomic_int wrong;

static CUcontext context(int n)
{
    static char contexts[2][64];
    return (CUcontext)contexts[n];
}

static void *value_of(int n, int i, int round)
{
    return (void *)(uintptr_t)(1 + i + KEYS * n + 10000 * round);
}

static bool is_value_of(const void *v, int n, int i)
{
    return (uintptr_t)v % 10000 == (uintptr_t)value_of(n, i, 0);
}

static void put_all(int round)
{
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < KEYS; i++)
            CHECK_EQUAL(ctx_storage_put(context(n), &keys[i],
                                        value_of(n, i, round), NULL),
                        CUDA_SUCCESS);
}

static void each_is_found(int round)
{
    void *v;
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < KEYS; i++)
            for (int n = 0; n < 2; n++) {
                v = NULL;
                CHECK_EQUAL(ctx_storage_get(context(n), &keys[i], &v),
                            CUDA_SUCCESS);
                CHECK(v == value_of(n, i, round));
            }
}

static void none_is_found(int n)
{
    void *v;
    for (int i = 0; i < KEYS; i++)
        CHECK_EQUAL(ctx_storage_get(context(n), &keys[i], &v),
                    CUDA_ERROR_INVALID_HANDLE);
}

static void *ask(void *unused)
{
    void *v;
    while (!atomic_load(&is_over))
        for (int i = 0; i < 8; i++) {
            if (ctx_storage_get(context(i % 2), &keys[i], &v) == CUDA_SUCCESS &&
                !is_value_of(v, i % 2, i))
                atomic_fetch_add(&wrong, 1);
        }
    return unused;
}

static void change(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 8; i++) {
            CUcontext c = context(i % 2);
            ctx_storage_put(c, &keys[i], value_of(i % 2, i, round), NULL);
            if (round % 3 == 0)
                ctx_storage_delete(c, &keys[i]);
            else if (round % 3 == 1)
                ctx_storage_end_key(&keys[i]);
        }
}

static void others_may_change_it(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(pthread_create(&thread[i], NULL, ask, NULL), 0);
    change();
    atomic_store(&is_over, true);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    CHECK_EQUAL(atomic_load(&wrong), 0);
}

int main(void)
{
    none_is_found(0);
    put_all(1);
    each_is_found(1);
    put_all(2); /* in the place of the first */
    each_is_found(2);
    for (int i = 0; i < KEYS; i++)
        CHECK_EQUAL(ctx_storage_delete(context(0), &keys[i]), CUDA_SUCCESS);
    none_is_found(0);
    for (int i = 0; i < KEYS; i++)
        ctx_storage_end_key(&keys[i]);
    none_is_found(1);
    others_may_change_it();
    return check_result();
}
