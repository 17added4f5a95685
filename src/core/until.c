/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams that wait for what no task of ours does: a value in memory, an event
 * of another process. One thread looks at all the conditions that streams have
 * come to, so none of the SM threads is kept:
 *
 *     start, done when the stream gets there --> the list of conditions
 *     gate, submitted when the condition holds --> the stream goes on
 */
#include "core/internal.h"
#include "base/size.h"
#include "core/until.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "core/grid.h"

/* How often the thread looks: right after something was asked, then less. */
#define LOOKS_BEFORE_SLEEP WEFT_SIZE(200, 1)
#define SLEEP_NS_LEAST     20000L
#define SLEEP_NS_MOST      500000L

struct condition {
    struct list in_all;
    bool (*holds)(const void *data);
    void (*end)(void *data);
    void *data;
    CUcontext ctx;
    struct exec_task *gate;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct list conditions;
    bool has_thread;
} all = {PTHREAD_MUTEX_INITIALIZER,
         PTHREAD_COND_INITIALIZER,
         {&all.conditions, &all.conditions},
         false};

static void condition_free(struct condition *c)
{
    assert(list_is_empty(&c->in_all));
    if (c->end)
        c->end(c->data);
    exec_task_unref(c->gate);
    free(c);
}

/* A failed context waits for nothing any more. */
static bool is_over(const struct condition *c)
{
    return c->holds(c->data) || ctx_sticky(c->ctx);
}

/* Takes those that are over into `over`. The lock is held. */
static void collect_over(struct list *over)
{
    list_for_each(struct condition, c, &all.conditions, in_all)
    {
        if (!is_over(c))
            continue;
        list_remove(&c->in_all);
        list_push(over, &c->in_all);
    }
}

static void open_gates(struct list *over)
{
    list_for_each(struct condition, c, over, in_all)
    {
        list_remove(&c->in_all);
        exec_submit(c->gate);
        condition_free(c);
    }
}

/* Until somebody pokes, or it is time to look again. The lock is held. */
static void sleep_for(long ns)
{
    assert(ns > 0 && ns < 1000000000L);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ns;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&all.changed, &all.lock, &until);
}

static void *look_until_done(void *unused)
{
    struct list over;
    long ns = SLEEP_NS_LEAST;
    int looks = 0;
    list_init(&over);
    pthread_mutex_lock(&all.lock);
    for (;;) {
        collect_over(&over);
        if (!list_is_empty(&over)) {
            pthread_mutex_unlock(&all.lock);
            open_gates(&over);
            pthread_mutex_lock(&all.lock);
            looks = 0;
        }
        if (list_is_empty(&all.conditions)) {
            pthread_cond_wait(&all.changed, &all.lock);
            looks = 0;
        } else if (++looks > LOOKS_BEFORE_SLEEP) {
            ns = ns < SLEEP_NS_MOST ? ns * 2 : SLEEP_NS_MOST;
            sleep_for(ns);
        } else {
            ns = SLEEP_NS_LEAST;
            sleep_for(ns);
        }
    }
    return unused;
}

/* The lock is held. */
static bool has_thread(void)
{
    pthread_t thread;
    if (all.has_thread)
        return true;
    if (pthread_create(&thread, NULL, look_until_done, NULL))
        return false;
    pthread_detach(thread);
    all.has_thread = true;
    return true;
}

void until_poke(void)
{
    pthread_mutex_lock(&all.lock);
    if (!list_is_empty(&all.conditions))
        pthread_cond_signal(&all.changed);
    pthread_mutex_unlock(&all.lock);
}

/* The stream has come to it. */
static void begin_waiting(void *data, enum exec_fault fault)
{
    assert(((struct condition *)data)->gate);
    struct condition *c = data;
    ctx_task_done(c->ctx, fault);
    if (is_over(c)) {
        exec_submit(c->gate);
        condition_free(c);
        return;
    }
    pthread_mutex_lock(&all.lock);
    list_push(&all.conditions, &c->in_all);
    pthread_cond_signal(&all.changed);
    pthread_mutex_unlock(&all.lock);
}

static struct condition *condition_create(CUcontext ctx, const struct until *u)
{
    assert(u->holds);
    struct condition *c = calloc(1, sizeof *c);
    struct exec_task *gate = exec_task_nothing();
    if (!c || !gate) {
        exec_task_unref(gate);
        free(c);
        return NULL;
    }
    *c = (struct condition){
        .holds = u->holds, .data = u->data, .ctx = ctx, .gate = gate};
    list_init(&c->in_all);
    return c;
}

CUresult stream_wait_until(CUstream s, const struct until *u)
{
    pthread_mutex_lock(&all.lock);
    bool ok = has_thread();
    pthread_mutex_unlock(&all.lock);
    struct condition *c = ok ? condition_create(s->ctx, u) : NULL;
    struct exec_task *start = exec_task_nothing();
    CUresult err = CUDA_ERROR_OUT_OF_MEMORY;
    if (!c || !start)
        goto fail;
    exec_task_on_done(start, begin_waiting, c);
    struct exec_task *gate = exec_task_ref(c->gate);
    c->end = u->end; /* from here on, the data is the condition's */
    err = stream_submit_until(s, start, gate);
    exec_task_unref(gate);
    if (err)
        c->end = NULL;
fail:
    if (err && c)
        condition_free(c);
    exec_task_unref(start);
    return err;
}
