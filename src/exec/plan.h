/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans: work with an order that is built once and run many times. A plan has
 * steps and edges between them; a run of it is one task, and starting a run
 * allocates nothing.
 *
 *     run ready --> sections' roots queued --> steps --> last sink --> run done
 *
 * A thread that ends a step goes on with one that has become ready by it; what
 * else became ready is queued for others. Small kernels run where they are, on
 * that thread; large ones are shared as any task is.
 *
 * Steps belong to sections. Section 0 is the plan; the others run when a CHOICE
 * step says so, as often as it says so, and are over before it is.
 */
#ifndef WEFT_EXEC_PLAN_H
#define WEFT_EXEC_PLAN_H

#include "exec/exec.h"

#define EXEC_NO_STEP    UINT32_MAX
#define EXEC_NO_SECTION UINT32_MAX

struct exec_plan; /* counted */

enum exec_step_kind {
    EXEC_STEP_NOTHING, /* a mark */
    EXEC_STEP_TASK,    /* `task`: a kernel or a call, run each time */
    EXEC_STEP_START,   /* start() begins something, exec_plan_end_step ends */
    EXEC_STEP_CHOICE,  /* choose() names the section to run next */
};

struct exec_span {
    int64_t low, high; /* addresses; the same: none */
};

struct exec_step {
    enum exec_step_kind kind;
    bool is_skipped;        /* as if it were NOTHING */
    bool is_brief;          /* a TASK of some ten nanoseconds: see coalesce.h */
    bool is_spanned;        /* such a one touches nothing but what follows */
    struct exec_span reads, writes;
    int priority;           /* smaller first */
    uint32_t section;       /* never changes */
    struct exec_task *task; /* the plan's; never submitted by others */
    /* Called also when the run is cancelled. */
    void (*start)(void *data, struct exec_plan *p, uint32_t step);
    /* round: how many sections the step has run so far. EXEC_NO_SECTION: the
     * step is over. Not called when the run is cancelled. */
    uint32_t (*choose)(void *data, uint32_t round);
    void *data;
};

struct exec_plan_edge {
    uint32_t from, to; /* of one section */
};

/* Copies both arrays and takes over the tasks, even if it fails. The edges
 * must have no cycle. NULL: out of memory. */
struct exec_plan *exec_plan_create(const struct exec_step *steps,
                                   uint32_t step_count,
                                   const struct exec_plan_edge *edges,
                                   size_t edge_count, uint32_t section_count);
struct exec_plan *exec_plan_ref(struct exec_plan *p);
void exec_plan_unref(struct exec_plan *p);

/* A step's description, which may be changed while no run is submitted, or in
 * on_start. */
struct exec_step *exec_plan_step(struct exec_plan *p, uint32_t step);
/* fn is called for each fault of a step, on the thread that ran it. To be set
 * before the first run. */
void exec_plan_on_fault(struct exec_plan *p,
                        void (*fn)(void *data, enum exec_fault fault,
                                   uint32_t step),
                        void *data);

/* The task of a run. Two runs of one plan must be ordered by a dependency.
 * on_start, which may be NULL, is called before the first step. NULL: out of
 * memory. */
struct exec_task *exec_task_plan(struct exec_plan *p,
                                 void (*on_start)(void *data), void *data);
/* Makes a run that is done ready to be submitted again. False: somebody
 * besides the caller still refers to it. */
bool exec_task_plan_again(struct exec_task *t);

/* Instead of another run that would depend on this one alone and have this
 * priority: the run, which has been submitted, is to be run once more before it
 * is done. on_start is called again. False: it is done, or somebody waits for
 * its end. Any thread. */
bool exec_task_plan_repeat(struct exec_task *t, int priority);

/* Ends a START step. Any thread. */
void exec_plan_end_step(struct exec_plan *p, uint32_t step);
/* Ends one whose memory or handle is not there any more: an illegal address. */
void exec_plan_fail_step(struct exec_plan *p, uint32_t step);
/* The run that a START step is part of. */
struct exec_task *exec_plan_run(struct exec_plan *p);

#endif
