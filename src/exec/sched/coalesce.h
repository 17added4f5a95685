/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescing: brief steps that are run as one. */
#ifndef WEFT_EXEC_COALESCE_H
#define WEFT_EXEC_COALESCE_H

#include "exec/plan.h"

/* next[i]: the step that the thread runs after step i; EXEC_NO_STEP: none.
 * Such a step has no edges any more: they are removed, or are its leader's.
 * *edge_count: in, the number of edges; out, of those that remain. Edges lead
 * from lower numbers to higher ones. False: out of memory, and nothing has
 * changed. */
bool plan_coalesce(const struct exec_step *steps, uint32_t step_count,
                   struct exec_plan_edge *edges, size_t *edge_count,
                   uint32_t *next);

#endif
