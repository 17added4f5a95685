/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases: kernels of a plan that follow each other and of which no block needs
 * more of the kernels before than the blocks of its own number. A thread of the
 * team runs its part of all of them one after the other, and only then do the
 * threads wait for each other. To wait costs as much as a kernel of a thousand
 * threads, and more the more threads there are.
 *
 *     multiply -> dot -> divide -> axpy -> axpy -> fill -> dot -> divide
 *     (------------)  |  (----)  |  (--------------------------)  |
 *
 * What a kernel touches is asked once its arguments have stayed the same for
 * some runs. Small copies and fills between the kernels are done before the
 * phase, if they touch nothing that its kernels before them touch.
 */
#ifndef WEFT_EXEC_PHASE_H
#define WEFT_EXEC_PHASE_H

#include <stdbool.h>
#include <stdint.h>

struct exec_plan;
struct plan_step;

#define PHASE_KERNELS 8
#define PHASE_EARLY   8

struct phase {
    uint64_t changes; /* of the plan, when it was found */
    uint32_t kernel_count, early_count;
    uint64_t cycles; /* of all kernels, by one thread */
    /* The kernels' steps. Not their tasks: these are others once a step has
     * been shared in the scheduler's way. */
    uint32_t step[PHASE_KERNELS];
    uint32_t early[PHASE_EARLY]; /* steps that are done before */
};

/* Of a plan; written between runs. */
struct phase_state {
    uint64_t changes; /* so far; phases found before the last are void */
    uint64_t epoch;   /* exec_reach_epoch then */
    uint32_t calm, calm_wanted; /* runs since; before phases are looked for */
};

/* Of a new plan. */
void phases_start(struct phase_state *s);
/* A step is about to change. */
void phases_change(struct phase_state *s);
/* A run begins. */
void phases_begin_run(struct phase_state *s);

/* The phase that begins with this kernel, which the team may share, and that
 * has others in it; NULL: there is none. On the thread that runs the step. */
struct phase *phase_of(struct exec_plan *p, struct plan_step *s);

#endif
