/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that use weft, by what /proc says of them. */
#ifndef WEFT_NVML_PROCESSES_H
#define WEFT_NVML_PROCESSES_H

#include "nvml.h"

/* Fills as many as there is room for; how many there are. */
unsigned processes_find(nvmlProcessInfo_t *out, unsigned room);
/* How much of all SMs they kept busy, in percent, since the last call, if that
 * was within a second; else during the next tenth of one. */
unsigned processes_utilisation(unsigned sm_count);
/* The clock of the fastest core, in MHz, now or at most; 0: unknown. */
unsigned processor_clock_mhz(void);
unsigned processor_max_clock_mhz(void);

#endif
