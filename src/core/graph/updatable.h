/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel nodes that kernels may change, and steps that launch anew each time.
 */
#ifndef WEFT_CORE_UPDATABLE_H
#define WEFT_CORE_UPDATABLE_H

#include "core/graph/graph.h"

/* What a step launches when a run reaches it. */
struct kernel_next {
    CUfunction f;
    struct launch_config config;
    bool is_enabled;
    uint8_t packed[]; /* the arguments */
};

/* updatable.c: handles, which are counted. The graphs' lock is held. */
CUresult updatable_create(CUgraphDeviceNode *out);
CUgraphDeviceNode updatable_ref(CUgraphDeviceNode d); /* NULL: NULL */
void updatable_unref(CUgraphDeviceNode d);
/* True: an instance has it. */
bool updatable_is_taken(CUgraphDeviceNode d);

/* Kernels change `next` from now on, until updatable_forget. */
void updatable_install(CUgraphDeviceNode d, struct kernel_next *next);
void updatable_forget(CUgraphDeviceNode d, const struct kernel_next *next);
/* A copy as it is at one moment, malloc'ed; NULL: out of memory. d: the handle
 * by which kernels may change it; NULL: they may not. */
struct kernel_next *updatable_read(CUgraphDeviceNode d,
                                   const struct kernel_next *next);

/* kernel_step.c: a step that launches in each run what is next then. */
CUresult kernel_step_each_time(CUgraphNode n,
                               const struct launch_config *config,
                               struct exec_step *out);
/* The step has become part of a plan. */
void kernel_step_installed(const struct exec_step *step);
void kernel_step_removed(const struct exec_step *step);

#endif
