/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that use weft, by what /proc says of them.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call any function
 *   errors   0 or false: /proc does not say
 *   owners   all is written to the caller's memory
 *   units    memory is bytes, clocks are MHz
 */
#ifndef WEFT_NVML_PROCESSES_H
#define WEFT_NVML_PROCESSES_H

#include "nvml.h"

/* Fills up to `room` entries of `out`; returns how many processes there are.
 * Any thread. */
unsigned processes_find(nvmlProcessInfo_t *out, unsigned room);
/* What the others of them have of memory. */
unsigned long long processes_other_memory(void);
/* How busy they kept all SMs, in percent: since the last call, if that was 50
 * ms to 1 s ago, else during the next 100 ms, for which it sleeps. Takes a lock
 * of processes.c. */
unsigned processes_utilisation(unsigned sm_count);
/* The clock of the fastest core, in MHz, now or at most; 0: unknown. */
unsigned processor_clock_mhz(void);
unsigned processor_max_clock_mhz(void);

#endif
