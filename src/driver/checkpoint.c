/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of processes, by themselves or others (core/process.c). They need
 * neither cuInit nor a context. */
#include "driver/internal.h"

CUresult cuCheckpointProcessGetState(int pid, CUprocessState *state)
{
    return state ? process_state(pid, state) : CUDA_ERROR_INVALID_VALUE;
}

/* Any of its threads may restore it. */
CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int *tid)
{
    CUprocessState state;
    CUresult err = tid ? process_state(pid, &state) : CUDA_ERROR_INVALID_VALUE;
    if (!err)
        *tid = pid;
    return err;
}

/* Locking takes no time: calls that have begun go on. */
CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs *args)
{
    CUprocessState state;
    CUresult err = process_state(pid, &state);
    if (err)
        return err;
    if (args && args->reserved0)
        return CUDA_ERROR_INVALID_VALUE;
    return process_change(pid, CU_PROCESS_STATE_RUNNING,
                          CU_PROCESS_STATE_LOCKED);
}

CUresult cuCheckpointProcessCheckpoint(int pid,
                                       CUcheckpointCheckpointArgs *args)
{
    (void)args;
    return process_change(pid, CU_PROCESS_STATE_LOCKED,
                          CU_PROCESS_STATE_CHECKPOINTED);
}

CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs *args)
{
    if (args && args->gpuPairsCount && !args->gpuPairs)
        return CUDA_ERROR_INVALID_VALUE;
    return process_change(pid, CU_PROCESS_STATE_CHECKPOINTED,
                          CU_PROCESS_STATE_LOCKED);
}

CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs *args)
{
    (void)args;
    return process_change(pid, CU_PROCESS_STATE_LOCKED,
                          CU_PROCESS_STATE_RUNNING);
}
