/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grids that may launch grids. Every launch of a kernel whose module calls
 * the device runtime has a struct grid while it runs.
 *
 *    kernel --done--> body --children done--> tail launches --> end --> freed
 *
 * `body` and `end` are marks, tasks that do nothing. `body` waits for the
 * kernel and, while that runs, for each child that it launches; `end` for the
 * body and, from the kernel's end on, for the last of the tails. Streams and
 * events outside see `end` only.
 *
 *   grid.c          their life, children and their order
 *   device_calls.c  what kernels call
 */
#ifndef WEFT_CORE_GRID_H
#define WEFT_CORE_GRID_H

#include "core/internal.h"

/* Of children under the host's grid. The guide says 24; an H200 goes on. */
#define GRID_MAX_DEPTH           256
#define GRID_MAX_PARAMETER_BYTES 4096

/* Errors of the runtime API that the driver API lacks, by their numbers. */
#define DEVICE_ERROR_CONFIGURATION    ((CUresult)9)
#define DEVICE_ERROR_INVALID_PITCH    ((CUresult)12)
#define DEVICE_ERROR_DIRECTION        ((CUresult)21)
#define DEVICE_ERROR_TOO_DEEP         ((CUresult)65)
#define DEVICE_ERROR_TOO_MANY_PENDING ((CUresult)69)
#define DEVICE_ERROR_INVALID_FUNCTION ((CUresult)98)

/* Streams of device code that are constants, not handles. */
#define GRID_STREAM_TAIL            3
#define GRID_STREAM_FIRE_AND_FORGET 4
/* The same for launches of graphs. */
#define GRID_STREAM_GRAPH_TAIL            (UINT64_C(1) << 56)
#define GRID_STREAM_GRAPH_FIRE_AND_FORGET (UINT64_C(2) << 56)
#define GRID_STREAM_GRAPH_SIBLING         (UINT64_C(3) << 56)

enum grid_object_kind { GRID_STREAM = 1, GRID_EVENT, GRID_BUFFER };

/* A stream or event of the grid's threads; it is freed with the grid, since
 * they share it. */
struct grid_object {
    struct grid_object *next, **link; /* what points to it */
    enum grid_object_kind kind;
    /* The last task in the stream, or the one at which the event was recorded;
     * NULL: none. */
    struct exec_task *task;
};

/* Arguments for a launch to come. The kernel is known for V2 only. */
struct grid_buffer {
    struct grid_object object;
    size_t size_bytes;
    bool is_configured;
    uint64_t handle;
    struct launch_config config;
    _Alignas(64) uint8_t bytes[];
};

/* A tail launch, which waits for the kernel's end. */
struct grid_tail {
    struct grid_tail *next;
    struct exec_task *start, *end;
};

struct grid {
    CUcontext ctx;
    CUmodule module;
    const void *order; /* exec_task_set_order */
    int priority;
    unsigned depth; /* 0: launched by the host */
    struct exec_task *body, *end;
    CUgraphExec exec; /* whose node it is; NULL: none's */
    uint32_t step;    /* of that */
    /* Told of a fault with exec and step; graphs are a layer above grids. */
    void (*note_fault)(void *exec, enum exec_fault fault, uint32_t step);

    pthread_mutex_t lock; /* guards what follows */
    struct grid_object *objects;
    struct map handles;      /* of them, those that are alive, by address */
    struct map null_streams; /* by number of the block + 1 */
    struct grid_tail *tails, **last_tail;
    atomic_uint error_count; /* entries in errors */
    struct map errors;       /* last one, by number of the thread + 1 */
};

/* NULL: out of memory. */
struct grid *grid_create(CUcontext ctx, CUmodule m, const void *order,
                         int priority, unsigned depth);
/* for a grid whose kernel was not submitted */
void grid_destroy(struct grid *g);
/* Makes the body wait for the grid's kernel, which must not have begun. False:
 * out of memory. */
bool grid_set_kernel(struct grid *g, struct exec_task *kernel);
/* Submits body and end. `g` is freed when the end is done. */
void grid_submit(struct grid *g);

/* NULL: out of memory. */
struct grid_object *grid_add_object(struct grid *g, enum grid_object_kind kind,
                                    size_t size_bytes);
void grid_free_buffer(struct grid *g, struct grid_buffer *b);
/* These are called with the lock held. NULL: there is none of this kind. */
struct grid_object *grid_find(struct grid *g, uint64_t handle,
                              enum grid_object_kind kind);
void grid_set_task(struct grid_object *o, struct exec_task *t);
/* The NULL stream of a block. NULL: out of memory. */
struct grid_object *grid_null_stream(struct grid *g, uint64_t block);
/* The tasks from `start`, which nobody has submitted, to `end` come after the
 * last of `stream` (NULL: after nothing), and the grid waits for them. The
 * caller submits `start` without the lock. False: out of memory. */
bool grid_order(struct grid *g, struct grid_object *stream,
                struct exec_task *start, struct exec_task *end);

/* Launches a child of `g`. Takes the lock; copies `packed`. stream: as in
 * grid_order; GRID_TAIL: behind the grid. */
enum grid_place { GRID_IN_STREAM, GRID_TAIL };
CUresult grid_launch(struct grid *g, CUfunction f,
                     const struct launch_config *config, const void *packed,
                     enum grid_place place, struct grid_object *stream);

/* device_calls.c */
uint64_t grid_device_call(const struct exec_device_call *c);
/* What a kernel does itself, directly or in functions that it calls, as
 * bits. */
enum device_use {
    DEVICE_USE_GRIDS = 1,   /* launches kernels */
    DEVICE_USE_GRAPHS = 2,  /* launches instances */
    DEVICE_USE_UPDATES = 4, /* changes kernel nodes */
    DEVICE_USE_ANY = 8,     /* calls the device runtime, or may: needs a grid */
};
unsigned function_device_uses(CUfunction f);

/* graph/: a kernel of a run of `from` launches `e`, to start at once or when
 * that run is over. What follows the run waits for it in both cases. */
enum graph_place { GRAPH_BESIDE, GRAPH_TAIL };
CUresult graph_exec_launch_inside(CUgraphExec from, CUgraphExec e,
                                  enum graph_place place);
/* graph/updatable.c: the same for nodes that kernels may change. `updates` and
 * `value` point to memory of the kernel. */
CUresult updatable_set_grid(CUgraphDeviceNode d, const unsigned grid[3]);
CUresult updatable_set_enabled(CUgraphDeviceNode d, bool is_enabled);
CUresult updatable_set_param(CUgraphDeviceNode d, size_t offset,
                             const void *value, size_t size);
CUresult updatable_apply(const void *updates, size_t count);
void graph_exec_set_condition(CUgraphExec e, CUgraphConditionalHandle handle,
                              unsigned value);

/* launch.c, for children: completes and checks a configuration. */
CUresult launch_check(CUfunction f, struct launch_config *c);
uint8_t *launch_copy_packed(CUfunction f, const void *packed);
/* Makes the task of a launch; compiles if need be. Takes over params if it
 * succeeds. */
CUresult launch_task(CUfunction f, const struct launch_config *c, CUcontext ctx,
                     uint8_t *params, struct grid *g, struct exec_task **out);

/* launch.c, for graphs: a task with a copy of the arguments, and its code. Not
 * for kernels that call the device runtime. */
CUresult launch_plan_task(CUfunction f, const struct launch_config *config,
                          CUcontext ctx, const void *packed,
                          struct exec_task **out,
                          const struct jit_kernel **code);

#endif
