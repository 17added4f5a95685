/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compilations that nobody waits for: kernels that run already are compiled
 * again with full effort. As many threads as there are other processors take
 * jobs from one list, and end when it is empty. A process that exits does not
 * wait for them.
 *
 *     job:  waiting (in the list) --> running (its thread is in `threads`)
 */
#include "jit/internal.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

enum { MAX_THREADS = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job_done = PTHREAD_COND_INITIALIZER;
/* Under the lock: */
static struct jit_job *first, **last = &first; /* waiting */
static struct jit_job *running[MAX_THREADS];
static unsigned thread_count;

unsigned jit_processor_count(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) ? 1
                                                  : (unsigned)CPU_COUNT(&set);
}

/* ---- a child process ---------------------------------------------------- */

/* A forked child has none of the threads, and drops the jobs that they ran or
 * would have run. The lock is held across the fork, so the list is whole. */
static void hold_worker(void)
{
    pthread_mutex_lock(&lock);
}
static void let_go(void)
{
    pthread_mutex_unlock(&lock);
}
static void begin_child(void)
{
    first = NULL;
    last = &first;
    memset(running, 0, sizeof running);
    thread_count = 0;
    pthread_cond_init(&job_done, NULL);
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
    pthread_atfork(hold_worker, let_go, begin_child);
}

/* ---- threads ------------------------------------------------------------ */

/* Runs the first waiting job. Called under the lock, which is released while
 * the job runs. */
static void run_first(void)
{
    struct jit_job *job = first;
    unsigned at = 0;

    first = job->next;
    last = first ? last : &first;
    while (running[at])
        at++;
    running[at] = job;
    pthread_mutex_unlock(&lock);
    job->run(job);
    pthread_mutex_lock(&lock);
    running[at] = NULL; /* the job may be gone */
    pthread_cond_broadcast(&job_done);
}

static void *worker_loop(void *data)
{
    pthread_mutex_lock(&lock);
    while (first)
        run_first();
    thread_count--;
    pthread_mutex_unlock(&lock);
    return data;
}

/* Starts a worker with all signals blocked, so that the program's own threads
 * get them. */
static bool start_thread(void)
{
    sigset_t all, before;
    pthread_attr_t attr;
    pthread_t thread;

    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, JIT_STACK_BYTES);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = !pthread_create(&thread, &attr, worker_loop, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return ok;
}

void jit_background_add(struct jit_job *job)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    unsigned most = jit_processor_count() - 1;

    pthread_once(&once, watch_forks);
    most = most < 1 ? 1 : most < MAX_THREADS ? most : MAX_THREADS;
    pthread_mutex_lock(&lock);
    job->next = NULL;
    *last = job;
    last = &job->next;
    /* If none can be started, the job waits for a later call's thread. */
    if (thread_count < most && start_thread())
        thread_count++;
    pthread_mutex_unlock(&lock);
}

/* ---- cancelling --------------------------------------------------------- */

static void drop_waiting(const void *owner)
{
    last = &first;
    for (struct jit_job *job; (job = *last);)
        if (job->owner == owner)
            *last = job->next;
        else
            last = &job->next;
}

static bool is_running(const void *owner)
{
    for (unsigned i = 0; i < MAX_THREADS; i++)
        if (running[i] && running[i]->owner == owner)
            return true;
    return false;
}

void jit_background_cancel(const void *owner)
{
    pthread_mutex_lock(&lock);
    drop_waiting(owner);
    while (is_running(owner))
        pthread_cond_wait(&job_done, &lock);
    pthread_mutex_unlock(&lock);
}
