/* SPDX-License-Identifier: Apache-2.0 */
/* What plans are made of, for the files that run them. */
#ifndef WEFT_EXEC_PLAN_INTERNAL_H
#define WEFT_EXEC_PLAN_INTERNAL_H

#include "exec/plan.h"

#include "exec/sched/phase.h"
#include "exec/sched/team.h"
#include "exec/sched/tune.h"

#include <pthread.h>

struct plan_step {
    struct exec_step as;
    struct exec_plan *plan;
    uint32_t first_successor, successor_count;
    uint32_t wait_count; /* steps before it */
    atomic_uint waiting; /* of them, unfinished; reset when it gets to 0 */
    uint32_t round;      /* CHOICE */
    uint64_t cycles;     /* what a kernel takes one thread; 0: who knows */
    uint32_t next;       /* run behind it, by the same thread */
    bool is_follower;    /* it is such a one */
    struct phase *phase; /* that begins with it, or NULL: see phase.h */
};

struct queued {
    uint32_t step, cycles;
};

struct section {
    uint32_t first_root, root_count;
    uint32_t sink_count;
    uint32_t owner;   /* the CHOICE step it runs for */
    atomic_uint open; /* sinks that are not done */
};

struct exec_plan {
    atomic_uint refs;
    void (*on_fault)(void *data, enum exec_fault fault, uint32_t step);
    void *fault_data;
    uint32_t step_count, section_count;
    struct plan_step *steps;
    uint32_t *successors;
    uint32_t *roots;
    struct section *sections;
    struct team team;
    _Atomic uint64_t team_cycles; /* of the kernels that it has shared so far */
    atomic_uint team_kernels;     /* how many those are */
    struct tune tune;             /* written between runs */
    uint64_t begin_cycles;        /* of the run */
    unsigned due;             /* at the end it is run again so often, or more */
    unsigned linger_failures; /* waits for the next run in vain, in a row */
    unsigned linger_pause;    /* runs until the next such wait */
    struct phase_state phases;

    pthread_mutex_t lock;  /* what follows; the scheduler's comes after it */
    struct exec_task *run; /* borrowed; NULL: none */
    struct queued *queue;  /* a ring of steps that are ready */
    uint32_t mask, head, tail;
    uint64_t queued_cycles; /* what all of them take, about */
    atomic_bool is_listed;  /* the run is in the scheduler's queue */
    atomic_bool is_calling; /* for helpers; written under the lock */
};

#endif
