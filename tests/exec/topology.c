/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the last cache counts: no less if a thread asks first that is
 * bound to one processor. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exec/internal.h"

#define MIB ((uint64_t)1 << 20)

static const struct {
    uint64_t size;
    unsigned cpus;
    bool is_shared;
    uint64_t share;
} rows[] = {
    {32 * MIB, 2, false, 32 * MIB},   {32 * MIB, 2, true, 8 * MIB},
    {260 * MIB, 1, true, 4 * MIB},    {260 * MIB, 16, true, 64 * MIB},
    {260 * MIB, 96, true, 260 * MIB}, {1 * MIB, 1, true, 1 * MIB},
};

/* In MiB, as another process finds it; less what does not fit a status. */
static int bytes_elsewhere(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit((int)(exec_cache_bytes() / MIB % 251));
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WEXITSTATUS(status);
}

static void *ask_bound(void *unused)
{
    cpu_set_t all, one;
    int cpu = 0;
    CPU_ZERO(&one);
    CHECK(!sched_getaffinity(0, sizeof all, &all));
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_SET(cpu, &one);
    CHECK(!pthread_setaffinity_np(pthread_self(), sizeof one, &one));
    CHECK(exec_cache_bytes() > 0);
    return unused;
}

static void asked_by_a_bound_thread(void)
{
    pthread_t thread;
    int expected = bytes_elsewhere();
    CHECK(!pthread_create(&thread, NULL, ask_bound, NULL));
    pthread_join(thread, NULL);
    CHECK_EQUAL(exec_cache_bytes() / MIB % 251, expected);
}

int main(void)
{
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        CHECK_EQUAL(
            topology_cache_share(rows[i].size, rows[i].cpus, rows[i].is_shared),
            rows[i].share);
    asked_by_a_bound_thread();
    return check_result();
}
