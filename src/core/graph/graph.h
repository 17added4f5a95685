/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of graph/ share.
 *
 *   alive.c     the lock, and which handles are alive
 *   graph.c     graphs, their nodes, clones
 *   edges.c     edges and questions about them
 *   work.c      what nodes do: checking, copying and giving back parameters;
 *               kernel.c that of kernels
 *   object.c    the user's objects that graphs refer to
 *   semaphore.c nodes with external semaphores
 *   allowed.c   which nodes may stand in bodies and in graphs for kernels
 *   instance.c  the plan of a graph; step.c the step of a node, kernel_step.c
 *               that of a kernel which is launched anew each time, side.c those
 *               that are operations of a stream
 *   updatable.c kernel nodes that kernels may change
 *   run.c       launches of instances
 *   update.c    changing instances
 *   memory.c    allocations by nodes; memory_figures.c: how much they are
 *   dot.c       pictures
 *
 * One lock guards all graphs, nodes and instances; the context's comes after
 * it. What runs takes neither.
 */
#ifndef WEFT_CORE_GRAPH_H
#define WEFT_CORE_GRAPH_H

#include "core/grid.h"
#include "core/internal.h"
#include "exec/plan.h"

/* ---- what a node does -------------------------------------------------- */

struct graph_kernel {
    CUfunction f;
    CUkernel kern; /* as the program named it; only given back */
    unsigned grid[3], block[3], shared_bytes;
    /* The arguments in one block of memory: pointers, what `extra` shows of
     * them if they were given as a block, then their targets in the layout of
     * the kernel's parameters. */
    void **args, **extra;
    uint8_t *packed;
    VEC(CUlaunchAttribute) attributes;
    CUgraphDeviceNode device; /* kernels may change it; counted, or NULL */
};

struct graph_host {
    CUhostFn fn;
    void *data;
};

struct graph_choice {
    CUgraphConditionalHandle handle;
    CUgraphConditionalNodeType type;
    unsigned size;
    CUgraph *bodies;
};

/* An allocation by a node; it lives as long as the node and all its
 * instances. */
struct graph_block {
    struct list in_all;
    atomic_uint refs;
    CUdeviceptr p;
    size_t size_bytes;
    /* launched and not freed, in the order of the host's calls; counts as a
     * reference */
    bool is_live;
    /* will be live after the launch that is being checked */
    bool will_live;
    bool is_freed_inside;  /* by its own graph, and not allocated again there */
    bool is_reserved;      /* launched since the last trim */
    bool is_temporary;     /* freed by the instance that allocates it */
    const void *taker;     /* that instance; compared only */
    uint64_t change_count; /* changes by launches */
    CUDA_MEM_ALLOC_NODE_PARAMS_v2 params; /* never change */
    CUmemAccessDesc access[];             /* what params has of it */
};

struct graph_work {
    CUgraphNodeType type;
    size_t block_bytes; /* alloc: that it asked for; the block may be larger */
    union {
        struct graph_kernel kernel;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS_v2 fill;
        struct graph_host host;
        CUgraph child; /* owned */
        CUevent event;
        struct graph_block *block; /* alloc: counted */
        CUdeviceptr freed;
        CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 batch; /* its array is owned */
        struct graph_choice choice;
        /* Of signals and waits; the arrays are owned. */
        CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 semaphores;
    };
};

/* May a kernel change what the node runs? See updatable.h. */
static inline bool work_is_updatable(const struct graph_work *w)
{
    return w->type == CU_GRAPH_NODE_TYPE_KERNEL && w->kernel.device;
}

/* work.c. After an error `out` is undefined. */
CUresult work_make(CUgraph g, const CUgraphNodeParams *params,
                   struct graph_work *out);
CUresult work_copy(const struct graph_work *w, struct graph_work *out);
void work_fini(struct graph_work *w);
/* A captured fill may be of something that is no memory: such a graph cannot
 * be instantiated. */
bool fill_is_held(const CUDA_MEMSET_NODE_PARAMS_v2 *f);
void work_params(const struct graph_work *w, CUgraphNodeParams *out);
/* What kind of change `to` is for an instance with these flags. */
CUgraphExecUpdateResult work_compare(const struct graph_work *from,
                                     const struct graph_work *to,
                                     cuuint64_t flags);
/* allowed.c: may an instance with these flags contain this work? is_alone: the
 * graph has nothing else. */
CUgraphInstantiateResult work_is_allowed(const struct graph_work *w,
                                         cuuint64_t flags, bool is_in_body,
                                         bool is_alone);
/* The condition, in this graph or one that it is part of; NULL: there is
 * none. */
const struct graph_condition *graph_condition(CUgraph g,
                                              CUgraphConditionalHandle handle);
const char *work_name(CUgraphNodeType type); /* as in pictures */

/* semaphore.c */
CUresult semaphores_make(const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 *p,
                         CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 *out);
CUresult semaphores_copy(const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 *p,
                         CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 *out);
void semaphores_fini(CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2 *p);

/* memory.c. Blocks are counted. */
CUresult graph_block_create(CUcontext ctx,
                            const CUDA_MEM_ALLOC_NODE_PARAMS_v2 *params,
                            struct graph_block **out);
void graph_block_ref(struct graph_block *b);
void graph_block_unref(struct graph_block *b);
struct graph_block *
graph_block_find(CUdeviceptr p); /* NULL: none starts there */
/* True: the graph frees the block less often than it allocates it; or another
 * allocates it and leaves it. */
bool graph_block_is_freeable(CUgraph g, CUdeviceptr p);
/* Called for a new node that frees a block. */
void graph_block_will_be_freed(CUgraph g, CUdeviceptr p);
/* Called for a new node with edges: it takes over a block that the nodes
 * before it free. */
void graph_block_reuse(CUgraphNode alloc);
/* Before a launch: notes what it allocates and leaves. INVALID_VALUE: what has
 * to be there is not. blocks_reserve: the nodes' memory is this instance's. */
CUresult blocks_launch(CUgraphExec e);
void blocks_reserve(CUgraphExec e);
/* The instance ends: gives up what it has freed. */
void blocks_forget(CUgraphExec e);
/* A whole update: the instance's nodes allocate and free what their pairs do.
 * The launch under way still uses what they allocated before; it goes behind
 * `end`, NULL: at once. */
void blocks_exchange(CUgraphExec e, struct exec_task *end);
/* Do the instance's node and its pair free what a pair of nodes allocates, or
 * the same memory of others? */
bool blocks_are_freed_alike(CUgraphExec e, CUgraphNode free_node);
/* Memory that graphs have of one device, counted now. The graphs' lock is
 * held; under it the caller may set the high marks. */
struct block_figures {
    cuuint64_t bytes; /* of blocks from their first launch until a trim */
    cuuint64_t used_high, reserved_high;
    bool is_stale; /* the bytes are to be counted again */
};
struct block_figures *blocks_figures(int device);

/* kernel.c */
/* The handle that a node shows; NULL: the function is a module's. */
CUkernel kernel_of(const CUDA_KERNEL_NODE_PARAMS_v3 *p);
CUresult kernel_make(const CUDA_KERNEL_NODE_PARAMS_v3 *p,
                     struct graph_kernel *out);
CUresult kernel_copy(const struct graph_kernel *k, struct graph_kernel *out);
void kernel_fini(struct graph_kernel *k);
void kernel_params(const struct graph_kernel *k,
                   CUDA_KERNEL_NODE_PARAMS_v3 *out);
CUresult kernel_config(const struct graph_kernel *k, struct launch_config *out);
/* Does the cluster that the node's attributes name divide the grid, and can all
 * blocks of a cooperative kernel be there at once? */
CUresult kernel_check_attributes(const struct graph_kernel *k);
int kernel_priority(const struct graph_kernel *k);
/* A node that kernels may change gets a handle, which is written to the
 * value. */
CUresult kernel_set_attribute(struct graph_kernel *k, CUlaunchAttributeID id,
                              CUlaunchAttributeValue *value);
CUresult kernel_attribute(const struct graph_kernel *k, CUlaunchAttributeID id,
                          CUlaunchAttributeValue *value);
CUresult kernel_copy_attributes(struct graph_kernel *to,
                                const struct graph_kernel *from);

/* ---- graphs ------------------------------------------------------------ */

struct graph_link {
    CUgraphNode node;
    CUgraphEdgeData data;
};

struct CUgraphNode_st {
    struct list in_graph;
    CUgraph graph;
    struct graph_work work;
    VEC(struct graph_link) before, after;
    CUgraphNode original; /* what it is a clone of; compared only */
    uint64_t id;          /* in its graph, in the order of making */
    uint32_t waiting;     /* of a walk in topological order */
    CUgraphNode pair;     /* in the graph that it is compared with */
    /* In an instance: */
    uint32_t step, last_step; /* the first and the last of what it became */
    uint32_t first_section;   /* of a condition's bodies */
    size_t mark;              /* of an event, in a launch's */
    CUstream side;            /* where a batch of memory operations runs */
    bool is_disabled;
    CUgraphExec exec;
    const struct jit_kernel *code;
};

struct object_ref {
    CUuserObject object;
    unsigned count;
};

struct graph_condition {
    CUgraphConditionalHandle handle;
    CUgraphConditionalHandle alias; /* of the graph of the last update, or 0 */
    unsigned default_value, flags;
    unsigned value; /* in an instance */
    bool is_used;
};

struct CUgraph_st {
    struct list nodes;
    size_t node_count;
    uint64_t last_id, id;
    CUcontext ctx;     /* NULL: none yet (graph_context) */
    CUgraph original;  /* what it is a clone of; compared only */
    CUgraphNode owner; /* a child graph's or body's; NULL */
    bool is_body;
    bool has_capture;      /* a stream is being captured into it */
    unsigned memory_count; /* nodes that allocate or free, in children too */
    unsigned instances;    /* alive */
    VEC(struct object_ref) objects;
    VEC(struct graph_condition) conditions;
};

/* One lock for the structure of all graphs; it is not held while work runs. */
void graph_lock(void);
void graph_unlock(void);
/* Is `handle`, which may be any value, a living `what`? The lock is held. */
bool graph_is_alive(const void *handle, intptr_t what);
enum { ALIVE_GRAPH = 1, ALIVE_NODE, ALIVE_EXEC, ALIVE_OBJECT, ALIVE_UPDATABLE };
bool graph_note_alive(const void *handle, intptr_t what);
void graph_note_dead(const void *handle);
CUgraph graph_new(CUcontext ctx);
/* The context it was made in. One made without gets the calling thread's
 * current one, or the error of ctx_current. The lock is held. */
CUresult graph_context(CUgraph g, CUcontext *out);
void graph_free(CUgraph g);
/* CLONE_PRIVATE: for an instance; the clone's nodes are no handles. */
enum clone_use { CLONE_HANDLES, CLONE_PRIVATE };
CUresult graph_copy(CUgraph g, enum clone_use use, CUgraph *out);
bool graph_has_condition(CUgraph g); /* or is a condition's body */
bool graph_has_updatable(CUgraph g); /* or one of its bodies has */
CUresult graph_add(CUgraph g, const CUgraphNode *dependencies,
                   const CUgraphEdgeData *data, size_t count,
                   struct graph_work *work, CUgraphNode *out);
bool edge_add(CUgraphNode from, CUgraphNode to, const CUgraphEdgeData *data);
/* Checks the nodes at the ends only; a node may appear twice. */
CUresult edge_check_ends(CUgraph g, const CUgraphNode *dependencies,
                         const CUgraphEdgeData *data, size_t count);
CUresult edge_check(CUgraph g, const CUgraphNode *dependencies,
                    const CUgraphEdgeData *data, size_t count);
/* The same for a node of this type. */
CUresult edge_check_new(CUgraph g, CUgraphNodeType to,
                        const CUgraphNode *dependencies,
                        const CUgraphEdgeData *data, size_t count);
void edge_remove_all(CUgraphNode n);
/* All nodes, each after those that it depends on; malloc'ed. NULL with *ok
 * false: there is a cycle; with *ok true: out of memory. */
CUgraphNode *graph_sort(CUgraph g, bool *ok);

/* object.c. The lock is held. */
CUresult objects_copy(CUgraph to, CUgraph from);
void objects_release(CUgraph g);

/* ---- instances --------------------------------------------------------- */

/* A step, or a condition, that is to change before the next run. */
struct graph_patch {
    struct graph_patch *next;
    uint32_t step;
    struct exec_step as;
    struct graph_condition *condition; /* the instance's; NULL: it is a step */
    struct graph_condition becomes;    /* a graph's */
};

/* A launch. It is reused when it is over. */
struct graph_launch {
    struct list in_exec;
    CUgraphExec exec;
    struct exec_task *run;
    struct graph_patch *patches;
    struct exec_task **marks; /* of the event nodes */
    /* For an instance that may launch others: later work waits for this, which
     * is done after the run and all that it launches. NULL: the run itself. */
    struct exec_task *whole;
    struct exec_task *last_tail; /* borrowed from its launch */
    unsigned beside, tails;      /* launches by its kernels */
    bool is_repeated; /* the run has put its instance behind itself */
};

struct CUgraphExec_st {
    atomic_uint refs; /* the handle, and each launch under way */
    CUcontext ctx;
    cuuint64_t flags;
    CUgraph graph;  /* a clone: what the steps do now */
    CUgraph source; /* compared only, with its number */
    uint64_t source_id;
    struct map by_original; /* node of the source -> node of the clone */
    struct exec_plan *plan;
    CUgraphNode *order; /* all nodes, those of children too */
    size_t node_count;
    VEC(CUgraphNode) events; /* the event nodes, in topological order */
    struct list launches;    /* the one that was used last comes last */
    struct graph_launch *last;
    struct graph_patch *patches, **patch_end;
    VEC(CUgraphNode) blocks;         /* the allocation and free nodes */
    VEC(struct graph_block *) freed; /* by them, others' memory: counted */
    VEC(struct graph_condition) conditions;
    struct graph_launch *running; /* set by the run that begins */
    bool calls_device;            /* a kernel of it calls the device runtime */
    bool is_updatable;            /* kernels may change a node of it */
    bool is_uploaded;             /* as it is now: kernels may launch it */
    CUgraphExec next_dying;
};

/* instance.c: the instance becomes one of this graph. */
void exec_follow(CUgraphExec e, CUgraph g);
/* step.c: makes the step for a node that has one. */
CUresult step_make(CUgraphNode n, struct exec_step *out);
CUresult semaphores_step(CUgraphNode n, struct exec_step *out);
/* side.c: a step that puts an operation into a stream of the node's own.
 * *data: where the caller writes the operation's data, which the step owns. */
typedef CUresult side_put(CUstream s, void *data);
CUresult side_step(CUgraphNode n, side_put *put, size_t data_bytes, void **data,
                   struct exec_step *out);
/* instance.c. Drops a reference; the last one leaves the instance to a task or
 * to exec_reap. Any thread, with or without the graphs' lock. */
void exec_unref(CUgraphExec e);
/* Frees instances without references. The graphs' lock is held. */
void exec_reap(void);
/* on_fault of an instance's plan: sets the context's error and remembers the
 * node. */
void exec_note_fault(void *e, enum exec_fault fault, uint32_t step);
/* run.c: changes a step before the next run that has not begun. */
CUresult exec_patch(CUgraphExec e, uint32_t step, const struct exec_step *as);
/* The condition gets the other's handle as a second one, its flags and its
 * default value before the next run that has not begun. */
CUresult exec_patch_condition(CUgraphExec e, struct graph_condition *c,
                              const struct graph_condition *becomes);
bool exec_is_idle(CUgraphExec e);
/* The end of the last launch, borrowed; NULL: it is over. */
struct exec_task *exec_last_end(CUgraphExec e);
/* Makes as many launches as are usually under way. False: out of memory. */
bool exec_make_launches(CUgraphExec e);
void exec_free_launches(CUgraphExec e);
void exec_apply(CUgraphExec e, struct graph_patch *patches);
/* The mark of an event node in the run under way; the caller owns it. May be
 * NULL. */
struct exec_task *exec_take_mark(CUgraphNode n);
struct graph_condition *exec_condition(CUgraphExec e,
                                       CUgraphConditionalHandle handle);

#endif
