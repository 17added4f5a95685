/* SPDX-License-Identifier: Apache-2.0 */
/* A process locks another one: that one's calls wait, and go on afterwards,
 * with its memory as it was. */
#include "check.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shared {
    volatile int calls, value, must_end;
} * shared;

/* Counts its calls until it is told to end. */
static int child(void)
{
    CUcontext ctx;
    CUdeviceptr p;
    unsigned value = 0;
    CU_OK(cuInit(0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuMemAlloc(&p, 4));
    CU_OK(cuMemsetD32(p, 41, 1));
    while (!shared->must_end) {
        CU_OK(cuCtxSynchronize());
        shared->calls++;
    }
    CU_OK(cuMemcpyDtoH(&value, p, 4));
    shared->value = (int)value;
    return failures != 0;
}

/* How many calls it makes in 50 ms, once it has had time to notice. */
static int count_calls(void)
{
    usleep(20000);
    int before = shared->calls;
    usleep(50000);
    return shared->calls - before;
}

/* Has it come to rest, on a machine that may be busy? */
static bool has_stopped(void)
{
    for (int i = 0; i < 50; i++)
        if (!count_calls())
            return true;
    return false;
}

static void check_state(pid_t pid, CUprocessState expected)
{
    CUprocessState state = CU_PROCESS_STATE_FAILED;
    CU_OK(cuCheckpointProcessGetState(pid, &state));
    CHECK(state == expected);
}

int main(void)
{
    int tid = 0, status;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(child());
    for (int i = 0; i < 5000 && !shared->calls; i++)
        usleep(1000);
    check_state(pid, CU_PROCESS_STATE_RUNNING);
    CU_GIVES(ILLEGAL_STATE, cuCheckpointProcessUnlock(pid, NULL));
    CU_GIVES(ILLEGAL_STATE, cuCheckpointProcessCheckpoint(pid, NULL));
    CU_OK(cuCheckpointProcessLock(pid, NULL));
    check_state(pid, CU_PROCESS_STATE_LOCKED);
    CHECK(has_stopped());
    CU_OK(cuCheckpointProcessUnlock(pid, NULL));
    int calls = 0;
    for (int i = 0; i < 100 && !calls; i++)
        calls = count_calls();
    CHECK(calls > 0);
    CU_OK(cuCheckpointProcessLock(pid, NULL));
    CU_OK(cuCheckpointProcessCheckpoint(pid, NULL));
    check_state(pid, CU_PROCESS_STATE_CHECKPOINTED);
    CU_OK(cuCheckpointProcessGetRestoreThreadId(pid, &tid));
    CHECK(tid > 0);
    CHECK(has_stopped());
    CU_OK(cuCheckpointProcessRestore(pid, NULL));
    CHECK(has_stopped());
    shared->must_end = 1;
    CU_OK(cuCheckpointProcessUnlock(pid, NULL));
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(shared->value == 41);
    return failures != 0;
}
