/* SPDX-License-Identifier: Apache-2.0 */
/* Workers that spin are taken out of their set several at a time, and each of
 * them comes back once for each time that it is woken, though some fall asleep
 * meanwhile. */
#include "check.h"
#include "exec/internal.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { WORKERS = 6, WAKES = 2000, PATIENCE_S = 4 };

static struct worker workers[WORKERS];
static struct sm sms[WORKERS];
static atomic_uint came[WORKERS];
static atomic_bool is_over;

static bool has_work(const struct worker *w)
{
    (void)w;
    return atomic_load(&is_over);
}

static void pass_nothing_on(void)
{
}

static uint64_t look_at_none(void)
{
    return 0;
}

static const struct idle_queue queue = {has_work, pass_nothing_on,
                                        look_at_none};

static void *wait_again(void *data)
{
    struct worker *w = data;
    while (!atomic_load(&is_over)) {
        idle_wait(w, &queue);
        atomic_fetch_add(&came[w - workers], 1);
    }
    return NULL;
}

/* Takes workers out, and wakes them; or one as whoever adds a task does. */
static unsigned wake_some(unsigned turn, unsigned *woken)
{
    struct sm_range range = turn % 3 ? SM_RANGE_ALL : (struct sm_range){1, 4};
    struct worker *out[WORKERS];
    unsigned most = 1 + turn % WORKERS;
    unsigned count = idle_pop_spinners(range, out, most);
    CHECK(count <= most);
    if (count && turn % 16 == 0) /* their time to spin is over meanwhile */
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    for (unsigned i = 0; i < count; i++) {
        CHECK(is_sm_in(range, out[i]->sm));
        CHECK(!atomic_load(&out[i]->sm->is_taken));
        woken[out[i] - workers]++;
        idle_wake_spinner(out[i]);
    }
    if (!count) /* they may need this core */
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    struct worker *one = turn % 4 ? NULL : idle_pop(range);
    if (one) {
        woken[one - workers]++;
        idle_wake(one);
    }
    return count;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void wait_for_all(const unsigned *woken)
{
    double end_s = now_s() + PATIENCE_S;
    for (unsigned i = 0; i < WORKERS; i++) {
        while (atomic_load(&came[i]) < woken[i] && now_s() < end_s)
            sched_yield();
        CHECK_EQUAL(atomic_load(&came[i]), woken[i]);
    }
}

int main(void)
{
    static unsigned woken[WORKERS];
    unsigned together = 0;
    double end_s = now_s() + PATIENCE_S;
    for (unsigned i = 0; i < WORKERS; i++) {
        sms[i].id = i;
        sms[i].cpu = 1000 + i;
        workers[i].sm = &sms[i];
    }
    atomic_store(&sms[2].is_taken, 1);
    idle_init(workers, WORKERS);
    for (unsigned i = 0; i < WORKERS; i++)
        CHECK(
            !pthread_create(&workers[i].thread, NULL, wait_again, &workers[i]));
    for (unsigned turn = 0; together < WAKES && now_s() < end_s; turn++)
        together += wake_some(turn, woken);
    CHECK(woken[0] + woken[1] > 0);
    CHECK_EQUAL(woken[2], 0);
    wait_for_all(woken);
    atomic_store(&is_over, true);
    for (unsigned i = 0; i < WORKERS; i++)
        idle_wake(&workers[i]);
    for (unsigned i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);
    return check_result();
}
