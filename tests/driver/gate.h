/* SPDX-License-Identifier: Apache-2.0 */
/* A gate in a stream: work before it is done, work behind it waits. */
#ifndef TESTS_DRIVER_GATE_H
#define TESTS_DRIVER_GATE_H

#include <stdatomic.h>
#include <unistd.h>

#include "check.h"

static atomic_int gate_is_open;

static inline void CUDA_CB gate_wait(void *data)
{
    (void)data;
    while (!atomic_load(&gate_is_open))
        usleep(200);
}

/* The stream's work to come waits until gate_open. One gate at a time. */
static inline void gate_shut(CUstream s)
{
    atomic_store(&gate_is_open, 0);
    CU_OK(cuLaunchHostFunc(s, gate_wait, NULL));
}

static inline void gate_open(void)
{
    atomic_store(&gate_is_open, 1);
}

#endif
