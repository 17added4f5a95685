/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels and copies of a graph touch: for exec's plans. */
#ifndef WEFT_CORE_GRAPH_REACH_H
#define WEFT_CORE_GRAPH_REACH_H

#include "exec/plan.h"
#include "exec/reach.h"

/* An exec_reach_fn. Takes some microseconds. */
exec_reach_fn kernel_reach;
/* Memory that has no other address. False: who knows. */
bool reach_of_bytes(const void *p, size_t bytes, struct exec_span *out);

#endif
