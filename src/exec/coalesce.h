/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescing: brief steps that are run as one. */
#ifndef WEFT_EXEC_COALESCE_H
#define WEFT_EXEC_COALESCE_H

#include "exec/plan.h"

/* next[i]: the step that the thread which ran step i runs then, or
 * EXEC_NO_STEP. The edges of such a step are gone, or its leader's; *edge_count
 * is what is left. Edges lead from lower numbers to higher ones. False: no
 * memory, and nothing has changed. */
bool plan_coalesce(const struct exec_step *steps, uint32_t step_count,
                   struct exec_plan_edge *edges, size_t *edge_count,
                   uint32_t *next);

#endif
