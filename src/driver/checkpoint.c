/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of processes: none can be made, so a process that uses CUDA
 * always runs. Its state can be asked for, and what wants another state is
 * refused. */
#include "driver/internal.h"

#include <signal.h>
#include <unistd.h>

/* OPERATING_SYSTEM: there is no such process. NOT_INITIALIZED: it is another
 * one, of whose use of CUDA nothing is known here. */
static CUresult check_process(int pid)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (pid == getpid())
        return CUDA_SUCCESS;
    return pid > 0 && kill(pid, 0) == 0 ? CUDA_ERROR_NOT_INITIALIZED
                                        : CUDA_ERROR_OPERATING_SYSTEM;
}

CUresult cuCheckpointProcessGetState(int pid, CUprocessState *state)
{
    CUresult err = state ? check_process(pid) : CUDA_ERROR_INVALID_VALUE;
    if (!err)
        *state = CU_PROCESS_STATE_RUNNING;
    return err;
}

CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int *tid)
{
    CUresult err = tid ? check_process(pid) : CUDA_ERROR_INVALID_VALUE;
    return err ? err : CUDA_ERROR_NOT_SUPPORTED; /* there is no such thread */
}

CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs *args)
{
    CUresult err = check_process(pid);
    if (err)
        return err;
    return args && args->reserved0 ? CUDA_ERROR_INVALID_VALUE
                                   : CUDA_ERROR_NOT_SUPPORTED;
}

/* These want a process that was locked. */
static CUresult refuse_unlocked(int pid)
{
    CUresult err = check_process(pid);
    return err ? err : CUDA_ERROR_ILLEGAL_STATE;
}

CUresult cuCheckpointProcessCheckpoint(int pid,
                                       CUcheckpointCheckpointArgs *args)
{
    (void)args;
    return refuse_unlocked(pid);
}

CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs *args)
{
    (void)args;
    return refuse_unlocked(pid);
}

CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs *args)
{
    (void)args;
    return refuse_unlocked(pid);
}
