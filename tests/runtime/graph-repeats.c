/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instance launched behind itself. Launches for whose end nobody waits are
 * one task; an event, another stream or a change between two of them must not
 * see that.
 */
#include "check.h"

#include <stdatomic.h>
#include <time.h>

enum { LOG_MAX = 1024 };
static char text[LOG_MAX];
static atomic_int used, allowed;

static void note(char c)
{
    int at = atomic_fetch_add(&used, 1);
    if (at < LOG_MAX - 1)
        text[at] = c;
}

/* Waits until so many may have passed. Gives up after ten seconds. */
static void pass(void *unused)
{
    (void)unused;
    const struct timespec moment = {.tv_nsec = 100000};
    for (int i = 0; i < 100000 && atomic_load(&allowed) <= 0; i++)
        nanosleep(&moment, NULL);
    atomic_fetch_sub(&allowed, 1);
    note('g');
}

static void note_other(void *c)
{
    note(*(const char *)c);
}

static void expect_text(const char *expected)
{
    CHECK(strcmp(text, expected) == 0);
    if (strcmp(text, expected) != 0)
        printf("%s, expected %s\n", text, expected);
    memset(text, 0, sizeof text);
    atomic_store(&used, 0);
    atomic_store(&allowed, 0);
}

static bool is_passed_soon(cudaEvent_t e)
{
    const struct timespec moment = {.tv_nsec = 100000};
    for (int i = 0; i < 50000; i++) {
        if (cudaEventQuery(e) == cudaSuccess)
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

static cudaGraphExec_t passing(void)
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaGraphExec_t x;
    const struct cudaHostNodeParams p = {.fn = pass};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddHostNode(&n, g, NULL, 0, &p));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphDestroy(g));
    return x;
}

/* An event between two launches is passed while the second waits, and so is
 * what waits for it in `other`, which may be NULL. */
static void check_events(cudaGraphExec_t x, cudaStream_t s, cudaStream_t other)
{
    cudaEvent_t e, behind;
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&behind));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(x, s));
    OK(cudaEventRecord(e, s));
    if (other) {
        OK(cudaStreamWaitEvent(other, e, 0));
        OK(cudaEventRecord(behind, other));
    }
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphLaunch(x, s));
    atomic_store(&allowed, 3);
    CHECK(is_passed_soon(e) && is_passed_soon(behind));
    CHECK(atomic_load(&used) == 3);
    atomic_fetch_add(&allowed, 2);
    OK(cudaStreamSynchronize(s));
    expect_text("ggggg");
    OK(cudaEventDestroy(e));
    OK(cudaEventDestroy(behind));
}

/* Work of the same stream and of the legacy one keeps its place. */
static void check_order(cudaGraphExec_t x, cudaStream_t s)
{
    static char a = 'a', b = 'b';
    OK(cudaGraphLaunch(x, s));
    OK(cudaLaunchHostFunc(s, note_other, &a));
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphLaunch(x, s));
    OK(cudaLaunchHostFunc(0, note_other, &b));
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphLaunch(x, 0));
    OK(cudaGraphLaunch(x, s));
    OK(cudaLaunchHostFunc(s, note_other, &a));
    atomic_store(&allowed, 100);
    OK(cudaDeviceSynchronize());
    expect_text("gaggbggga");
}

/* A change is that of the launches behind it. */
static void check_changes(cudaStream_t s)
{
    static char letters[] = "xyz";
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaGraphExec_t x;
    struct cudaHostNodeParams p = {.fn = note_other, .userData = letters};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddHostNode(&n, g, NULL, 0, &p));
    OK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 3; i++) {
        p.userData = letters + i;
        OK(cudaGraphExecHostNodeSetParams(x, n, &p));
        for (int k = 0; k <= i; k++)
            OK(cudaGraphLaunch(x, s));
    }
    OK(cudaStreamSynchronize(s));
    expect_text("xyyzzz");
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

/* As many runs as launches, whoever else waits, asks and launches. */
static void check_counts(cudaGraphExec_t x, cudaStream_t s, cudaStream_t other)
{
    enum { LAUNCHES = 600 };
    atomic_store(&allowed, LAUNCHES);
    for (int i = 0; i < LAUNCHES; i++) {
        OK(cudaGraphLaunch(x, i % 50 == 49 ? other : s));
        if (i % 70 == 0)
            OK(cudaStreamSynchronize(s));
        if (i % 9 == 0)
            (void)cudaStreamQuery(s);
    }
    OK(cudaDeviceSynchronize());
    CHECK(atomic_load(&used) == LAUNCHES);
    CHECK(strspn(text, "g") == LAUNCHES);
}

/* Memory that was freed between two launches is there when the first is
 * over. */
static void check_memory(cudaGraphExec_t x, cudaStream_t s, cudaStream_t other)
{
    enum { SIZE = 1 << 20, TRIES = 20 };
    const struct timespec while_ = {.tv_nsec = 20000000};
    void *p, *q[TRIES] = {NULL};
    int count = 0;
    OK(cudaMallocAsync(&p, SIZE, s));
    OK(cudaGraphLaunch(x, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaGraphLaunch(x, s));
    atomic_store(&allowed, 1);
    do {
        nanosleep(&while_, NULL);
        OK(cudaMallocAsync(&q[count], SIZE, other));
    } while (q[count++] != p && count < TRIES);
    CHECK(q[count - 1] == p);
    atomic_fetch_add(&allowed, 1);
    while (count--)
        OK(cudaFreeAsync(q[count], other));
    OK(cudaDeviceSynchronize());
    expect_text("gg");
}

int main(void)
{
    cudaStream_t s, other;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    cudaGraphExec_t x = passing();
    for (int i = 0; i < 5; i++) {
        check_events(x, s, other);
        check_events(x, s, NULL);
        check_order(x, s);
        check_changes(s);
    }
    check_memory(x, s, other);
    check_counts(x, s, other);
    OK(cudaGraphExecDestroy(x));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(other));
    return check_result();
}
