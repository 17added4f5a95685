/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel nodes that kernels may change, and steps that launch anew each time.
 */
#ifndef WEFT_CORE_UPDATABLE_H
#define WEFT_CORE_UPDATABLE_H

#include "core/graph/graph.h"

/* What a step launches when a run gets there. */
struct kernel_next {
    CUfunction f;
    struct launch_config config;
    bool is_enabled;
    uint8_t packed[]; /* the arguments */
};

/* updatable.c: handles, which are counted; with the graphs' lock. */
CUresult updatable_create(CUgraphDeviceNode *out);
CUgraphDeviceNode updatable_ref(CUgraphDeviceNode d); /* NULL: NULL */
void updatable_unref(CUgraphDeviceNode d);
/* An instance has it. */
bool updatable_is_taken(CUgraphDeviceNode d);

/* Kernels change `next` from here on; until it goes. */
void updatable_install(CUgraphDeviceNode d, struct kernel_next *next);
void updatable_forget(CUgraphDeviceNode d, const struct kernel_next *next);
/* A copy, malloc'ed, as it is at one moment; NULL: no memory. d: who may change
 * it, or NULL. */
struct kernel_next *updatable_read(CUgraphDeviceNode d,
                                   const struct kernel_next *next);

/* kernel_step.c: a step that launches what is next each time. */
CUresult kernel_step_each_time(CUgraphNode n,
                               const struct launch_config *config,
                               struct exec_step *out);
/* The step is part of the plan from now on. */
void kernel_step_installed(const struct exec_step *step);
void kernel_step_removed(const struct exec_step *step);

#endif
