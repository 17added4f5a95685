/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread of host functions (cudaLaunchHostFunc, stream callbacks): they run
 * there one after the other, in the order in which their turns came. They are
 * the program's and may wait for ever, so no worker runs them.
 */
#include "exec/internal.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    struct list queue; /* of exec_task.in_ready */
    pthread_t thread;
    bool is_running, is_stopping;
} host = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .has_work = PTHREAD_COND_INITIALIZER,
};

/* Text that earlier kernels printed is written before a host function runs. */
static void run_host_function(struct exec_task *t)
{
    assert(t->kind == EXEC_TASK_CALL && t->call);
    exec_printf_flush();
    t->call(t->call_data);
    task_finish(t, EXEC_OK);
}

static void *host_thread_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&host.lock);
    for (;;) {
        while (list_is_empty(&host.queue) && !host.is_stopping)
            pthread_cond_wait(&host.has_work, &host.lock);
        if (list_is_empty(&host.queue))
            break;
        struct exec_task *t =
            container_of(host.queue.next, struct exec_task, in_ready);
        list_remove(&t->in_ready);
        pthread_mutex_unlock(&host.lock);
        run_host_function(t);
        pthread_mutex_lock(&host.lock);
    }
    pthread_mutex_unlock(&host.lock);
    return NULL;
}

void host_function_push(struct exec_task *t)
{
    assert(t->is_host_function && list_is_empty(&t->in_ready));
    pthread_mutex_lock(&host.lock);
    if (!host.is_running) {
        list_init(&host.queue);
        host.is_stopping = false;
        host.is_running =
            pthread_create(&host.thread, NULL, host_thread_main, NULL) == 0;
    }
    if (host.is_running) {
        list_push(&host.queue, &t->in_ready);
        pthread_cond_signal(&host.has_work);
        pthread_mutex_unlock(&host.lock);
        return;
    }
    pthread_mutex_unlock(&host.lock);
    run_host_function(t); /* no more threads to be had: late, but done */
}

void host_functions_stop(void)
{
    pthread_mutex_lock(&host.lock);
    bool was_running = host.is_running;
    host.is_stopping = true;
    pthread_cond_signal(&host.has_work);
    pthread_mutex_unlock(&host.lock);
    if (was_running)
        pthread_join(host.thread, NULL);
    host.is_running = false;
}
