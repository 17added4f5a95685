/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of exec/ share: the SM, its fibers and barriers, the task.
 *
 * block/, what runs on one SM:
 *   sm.c              running a range of blocks on an SM
 *   block_slot.c      where a block is: shared memory, its warps' stacks
 *   fiber.c           stacks and switching between them; switch.h, switch.c are
 *                     the assembly
 *   warp_scheduler.c  the warps of a block take turns; warpset.h: sets of them
 *   resident.c        several blocks take turns
 *   barrier.c         barriers
 *   collectives.c     operations between lanes that are fibers of their own
 *   cluster.c         blocks of a cluster: their window, their barrier
 *   fault.c           signals in kernels
 *
 * sched/, which SM runs what, and when:
 *   topology.c        which cores, how many SMs
 *   task.c            tasks, dependencies, completion
 *   task_memory.c     memory of tasks
 *   claim.c           dividing a grid among SMs
 *   plan.c            runs of graphs; plan_make.c: what is run
 *   coalesce.c        brief steps of a plan run as one
 *   team.c, tune.c    threads that share a plan's kernels
 *   sched.c           SM threads, the ready queue, waiting
 *   idle.c            workers that have nothing to do
 *   pace.c            how long a kernel's blocks take
 *   wake.c            who is woken to share a kernel
 *   host_functions.c  the thread that runs functions of the program
 *   futex.c           sleeping on a word, and the clock
 *
 * device/, what kernels call:
 *   tensor.c          copies by tensor maps
 *   texture.c         textures and surfaces: sampler.c, lod.c, cube.c, mix.c,
 *                     texel.c, surface.c; *_lanes.c do eight lanes at a time
 *   helpers.c         the table that compiled code calls; flush.c: the same for
 *                     kernels that flush subnormals
 *   printf.c, heap.c  some of those helpers; lock.c: their locks
 */
#ifndef WEFT_EXEC_INTERNAL_H
#define WEFT_EXEC_INTERNAL_H

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "abi/texture.h"
#include "base/clock.h"
#include "exec/exec.h"
#include "exec/block/switch.h"
#include "exec/warpset.h"

#define CACHE_LINE         64
#define BARRIERS_PER_BLOCK (WEFT_BARRIERS + 1024 / 128)
#define SYNCS_MAX          256
#define EXEC_SM_MAX        1024
#define WORD_BITS          64 /* of sets of SMs and the like */

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EXEC_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define EXEC_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define EXEC_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define EXEC_TSAN 1
#endif

#ifdef EXEC_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef EXEC_TSAN
#include <sanitizer/tsan_interface.h>
/* uses of a fiber for which the sanitizer keeps one record */
enum { TSAN_USES = 256 };
#endif

/* For functions that call compiled kernels: the undefined behaviour sanitizer
 * reads a type in front of a function's code, and kernels have none. */
#ifdef __clang__
#define CALLS_KERNEL __attribute__((no_sanitize("function")))
#else
#define CALLS_KERNEL
#endif

/* ---- stacks and fibers ------------------------------------------------ */

/* A stack with a guard below it. */
struct stack {
    uint8_t *map; /* guard first */
    size_t map_bytes;
    uint8_t *low; /* lowest usable byte */
    size_t size_bytes;
};
bool stack_init(struct stack *s, size_t size_bytes); /* false: no memory */
void stack_fini(struct stack *s);                    /* zeroed: harmless */
bool stack_guard_holds(const struct stack *s, const void *address);

/* The tops of stacks are staggered, so that the most used parts of many stacks
 * do not fall into the same few sets of the caches. */
#define STACK_COLORS      48
#define STACK_COLOR_BYTES (21 * CACHE_LINE)

/* Something that runs on a stack of its own: a warp, or the SM thread
 * itself. */
struct fiber {
    void *sp; /* while it is not running */
    struct stack stack;
    void (*entry)(void *data);
    void *data;
#ifdef EXEC_ASAN
    void *fake_stack;
    const void *asan_low;
    size_t asan_bytes;
#endif
#ifdef EXEC_TSAN
    void *tsan;
    unsigned tsan_uses;
#endif
};
/* The next switch to f calls entry(data), which must never return. `color`
 * staggers the first frame among STACK_COLORS positions. */
void fiber_prepare(struct fiber *f, void (*entry)(void *), void *data,
                   unsigned color);
/* Leaves the running fiber for good, from a signal handler too. */
_Noreturn void fiber_escape(struct fiber *to);

/* Tells the sanitizers, before and after a switch. Inline, since the thread
 * sanitizer counts functions entered and left on each stack. */
#define ALWAYS_INLINE __attribute__((always_inline)) static inline
#ifdef EXEC_ASAN
extern __thread struct fiber *fiber_entering_from;
#endif

/* The sanitizers must know whose stack it is: call this before a switch, and
 * fiber_tell_enter behind it on the new stack. */
ALWAYS_INLINE void fiber_tell_leave(struct fiber *from, struct fiber *to)
{
    (void)from;
    (void)to;
#ifdef EXEC_ASAN
    fiber_entering_from = from;
    __sanitizer_start_switch_fiber(from ? &from->fake_stack : NULL,
                                   to->asan_low, to->asan_bytes);
#endif
#ifdef EXEC_TSAN
    if (from)
        from->tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->tsan, 0);
#endif
}

/* Tells the sanitizers that `self` runs again; has to be the first call on its
 * stack. */
ALWAYS_INLINE void fiber_tell_enter(struct fiber *self)
{
    (void)self;
#ifdef EXEC_ASAN
    __sanitizer_finish_switch_fiber(self->fake_stack, NULL, NULL);
#endif
}

/* Switches to the stack of `to`; returns when somebody switches back to
 * `from`. */
ALWAYS_INLINE void fiber_switch(struct fiber *from, struct fiber *to)
{
    fiber_tell_leave(from, to);
    exec_switch_stack(&from->sp, to->sp);
    fiber_tell_enter(from);
}

/* ---- a block's warps and barriers ------------------------------------- */

struct barrier {
    struct warp_set parked;     /* warps that wait */
    struct warp_set arrived_by; /* warps that have arrived, waiting or not */
    uint32_t arrived;           /* arrivals, counted in threads */
    uint32_t needed;            /* arrivals that complete it */
    uint32_t named;             /* the count that they name, or 0 */
    enum exec_barrier_kind kind;
    bool is_whole; /* warps that have exited count as arrived */
    bool has_votes;
    uint32_t votes, voters;
};

/* Blocks that run together, and their barrier. A warp has arrived at the
 * barrier in the current phase if its arrivals outnumber the phases. */
struct cluster {
    uint32_t size, finished;                     /* blocks */
    struct block_slot *member[WEFT_CLUSTER_MAX]; /* by rank */
    uint32_t alive, missing; /* warps: not exited; of those, not arrived */
    uint32_t phase;          /* barriers completed */
};

/* A warp with its fiber. They lie side by side, so that the next warp in turn
 * is found by an addition, not by a chain of loads. */
struct warp_slot {
    struct exec_warp warp;
    uint32_t phase;                           /* arrivals in step */
    uint32_t votes, voters;                   /* of the last barrier_red */
    uint32_t cluster_arrivals, cluster_lanes; /* lanes: in this phase */
    struct block_slot *block_slot;
    struct fiber fiber;
};

/*
 * Where a block is while it runs: its shared memory, its warps' fibers, its
 * barriers. Made when first needed and kept by the SM.
 *
 *  READY --barrier--> parked in barrier[id] --last arrival--> READY
 *    |---collective--> parked in lane_group --last member--> READY
 *    |---block_end--> exited --all warps exited--> READY (next block)
 *    \---the kernel returns--> exited, and finished
 */
struct block_slot {
    struct sm *sm;
    struct block_slot *next; /* in the circle of those that are in use */
    uint8_t *shared;         /* the window in use: its own, or in a cluster's */
    uint8_t *own_shared;
    size_t shared_side_bytes; /* of address space, before it and behind */
    uint8_t *cluster_window;  /* of a block of rank 0; NULL: not needed yet */
    uint32_t cluster_rank;
    struct cluster *cluster;
    struct cluster own_cluster; /* of this block alone, or as rank 0 */
    struct warp_set cluster_parked;
    struct warp_slot *slots;
    uint32_t slot_capacity;
    struct stack slab; /* the stacks of all slots, or unused */

    unsigned color;        /* of the first warp's stack: see fiber_prepare */
    uint64_t block;        /* resident blocks: which one */
    uint32_t count, words; /* warps; words of the sets below */
    uint32_t lane_count;   /* of a warp */
    uint32_t thread_count; /* of the block, in full warps of 32 */
    uint32_t exited_count, finished_count;
    struct warp_set ready, exited, finished;
    uint32_t active; /* barriers with arrivals, by bit */
    struct barrier barrier[BARRIERS_PER_BLOCK];
    struct lane_group *groups; /* lane count 1: by 32 warps */
};

/* Step mode: while the warps of one block do nothing but wait all together at
 * barrier 0, yield, and end all together, they take turns in a fixed circle.
 * Each counts its arrivals; a warp whose count is one ahead of `phase`, the
 * number of completed barriers, waits. Anything else ends step mode until the
 * next block: barrier_leave_step. */
enum step_state {
    STEP_OFF,
    STEP_BARRIER,
    STEP_ENDING, /* who waits has ended its block */
};
struct step {
    enum step_state state;
    uint32_t phase, arrived;
    uint32_t count;
    struct block_slot *block_slot;
    struct warp_slot *slots; /* the block slot's */
};

/* Where a kernel's blocks come from, one by one: sched.c. */
struct block_source {
    struct exec_task *task;
    const struct exec_task *until; /* when it is done, patient takers stop */
    uint32_t sm_id;
    unsigned range;
    uint64_t next, end; /* claimed and not yet given out */
    uint64_t claimed;
};
enum source_hurry { SOURCE_PATIENT, SOURCE_URGENT };

/* SMs first to end - 1. */
struct sm_range {
    unsigned first, end;
};
#define SM_RANGE_ALL ((struct sm_range){0, UINT_MAX})

/* What an SM calls in its owner, the scheduler. */
struct sm_host {
    bool (*take)(struct block_source *s, enum source_hurry hurry,
                 uint64_t *block);
    bool (*is_cancelled)(const struct block_source *s);
    /* The running warps wait: others may have to begin with further blocks. */
    void (*poke)(void);
    /* A kernel does nothing but wait: makes sure that ready work runs
     * elsewhere, on a spare SM if need be. is_out_of_slots: no SM may begin
     * more of its blocks either. */
    void (*relieve)(struct block_source *s, bool is_out_of_slots);
};

struct sm {
    /* Read by other threads: */
    _Alignas(CACHE_LINE) atomic_int is_taken; /* by a worker or a helper */
    uint32_t id;
    unsigned cpu;
    const struct sm_host *host;
    _Alignas(CACHE_LINE) struct step step;
    exec_kernel_fn *fn;              /* what runs now */
    struct exec_warp *current;       /* which runs now; NULL: none has yet */
    bool has_fibers;                 /* it runs on them, not alone */
    bool is_resident;                /* blocks take turns too: resident.c */
    struct block_slot **block_slots; /* the first is always there */
    uint32_t block_slot_count;
    struct resident *resident; /* while is_resident */
    uint32_t idle_yields;      /* since something got on */
    uint32_t idle_limit;
    bool needs_blocks; /* its last kernel that waited did, see resident.c */
    uint32_t syncs;    /* since a warp or a block came or went */
    struct fiber home; /* the thread that took the SM */
    struct fiber solo; /* kernels without barriers run here */
    /* in_kernel: a fault belongs to the kernel. Read by the signal handler
     * on the same thread. */
    volatile sig_atomic_t in_kernel;
    volatile enum exec_fault fault;
    atomic_flag *held_lock; /* of a helper; released when it faults */
    char *text;             /* device printf formats here; malloc'ed */
    size_t text_bytes;      /* there is room for */
};

/* Is `sm` in the range, by its number? */
static inline bool is_sm_in(struct sm_range sms, const struct sm *sm)
{
    return sm->id >= sms.first && sm->id < sms.end;
}

/* The SM number that the kernel sees. A spare SM may have none in its part. */
static inline uint32_t sm_number(const struct sm *sm,
                                 const struct exec_kernel *k)
{
    const struct exec_part *p = &k->part;
    if (!p->end)
        return sm->id;
    uint32_t last = p->end - 1;
    uint32_t at = sm->id < p->first ? p->first : sm->id > last ? last : sm->id;
    return p->sm_first + (at - p->first) * p->sm_count / (p->end - p->first);
}

/* Initialises an SM; `host` outlives it. False: out of memory. */
bool sm_init(struct sm *sm, uint32_t id, unsigned cpu,
             const struct sm_host *host);
void sm_fini(struct sm *sm);
/* Runs blocks [first, end) of the kernel, one after the other. The calling
 * thread holds `sm`. */
enum exec_fault sm_run(struct sm *sm, const struct exec_kernel *k,
                       uint64_t first, uint64_t end);
/* Runs the blocks that `source` gives, several at a time. */
enum exec_fault sm_run_resident(struct sm *sm, const struct exec_kernel *k,
                                struct block_source *source);

/* block_slot.c. NULL, false: out of memory. */
struct block_slot *block_slot_create(struct sm *sm);
void block_slot_destroy(struct block_slot *p);
/* Number of block slots that all SMs have now. Any thread. */
unsigned block_slot_total(void);
/* Gives the slot shared memory, and stacks for `fibers` warps of the
 * kernel. */
bool block_slot_provide(struct block_slot *p, const struct exec_kernel *k,
                        uint32_t fibers);
/* Makes all warps ready for their first instruction. */
void block_slot_start(struct block_slot *p, const struct exec_kernel *k,
                      uint32_t fibers, void (*entry)(void *slot_warp),
                      uint64_t first, uint64_t end);
size_t stack_wanted(const struct exec_kernel *k);

/* The slot that the warp is in. */
static inline struct warp_slot *slot_of(struct exec_warp *w)
{
    return container_of(w, struct warp_slot, warp);
}

/* warp_scheduler.c: which warp runs next. */

/* Runs blocks [first, end), each warp on its fiber; returns when all warps
 * have finished. */
void warp_run_all(struct sm *sm, const struct exec_kernel *k, uint64_t first,
                  uint64_t end);
/* Switches to another warp, as the running one cannot go on; returns when that
 * is ready again. */
void warp_run_another(struct sm *sm, struct warp_slot *self);
/* Switches to another ready warp, and stays ready itself. False: there is
 * none. */
bool warp_take_turn(struct sm *sm, struct warp_slot *self);
void warp_switch(struct sm *sm, struct warp_slot *self, struct warp_slot *to);
void warp_park(struct warp_slot *self); /* no longer ready; warp_run_another */
/* Ends the running warp for good; the next ready one from slot `from` on goes
 * on. */
_Noreturn void warp_leave(struct sm *sm, struct warp_slot *self,
                          struct block_slot *from);
/* The running warp's block ends: waits until the next block starts. True: it
 * was the block's last warp, and has not waited. */
bool warp_end_block(struct sm *sm, struct warp_slot *self);
uint64_t warp_block_end(struct exec_warp *w);
void warp_yield(struct exec_warp *w);     /* the running warp waits */
bool warp_try_yield(struct exec_warp *w); /* true: others have run */
void warp_turn(struct exec_warp *w); /* it does not, but others may go on */

/* resident.c */
void resident_run(struct sm *sm, const struct exec_kernel *k,
                  struct block_source *source);
/* How far it is to the block that this call runs next, or to its last one. */
uint64_t resident_block_end(struct exec_warp *w);
/* All warps that could run have only yielded for a while. */
void resident_idle(struct sm *sm);
/* No warp can run. False: nothing helps, they wait for each other. */
bool resident_unblock(struct sm *sm);
/* Counts a yield. True: all warps have yielded often, so that something has to
 * change. */
static inline bool resident_note_yield(struct sm *sm)
{
    return ++sm->idle_yields > sm->idle_limit;
}
static inline void resident_note_progress(struct sm *sm)
{
    sm->idle_yields = sm->syncs = 0;
}
/* Warps that met at a barrier have made progress, unless they do nothing else:
 * a loop that polls what another block writes may have a barrier in it. */
static inline void resident_note_sync(struct sm *sm)
{
    if (++sm->syncs < SYNCS_MAX)
        sm->idle_yields = 0;
}

/* barrier.c */
void barrier_sync(struct exec_warp *w, uint32_t id, uint32_t thread_count);
void barrier_arrive(struct exec_warp *w, uint32_t id, uint32_t thread_count);
uint32_t barrier_red(struct exec_warp *w, uint32_t id, uint32_t thread_count,
                     uint32_t votes, uint32_t voters, uint32_t *total);
/* A warp has exited, which may complete barriers. */
void barrier_note_exit(struct block_slot *p);
/* Arrivals without a wait do not carry over to the next block. */
void barrier_forget_arrivals(struct block_slot *p);
void barrier_start_step(struct sm *sm, struct block_slot *p);
void barrier_leave_step(struct sm *sm);
/* In step mode: a warp's block ends. False: not in step mode, or other warps
 * wait elsewhere. Returns when the next block has started; for the last warp
 * at once, with *is_last set: the caller may then start it. */
bool barrier_end_in_step(struct sm *sm, struct warp_slot *self, bool *is_last);
/* In step mode: switches to the next warp. False: there is no other. */
bool barrier_next_in_step(struct exec_warp *w);
_Noreturn void barrier_report_deadlock(struct sm *sm);

/* cluster.c */
/* Makes p a block of its own; or member[0 .. size) a cluster, led by the
 * first. False: out of memory. */
void cluster_alone(struct block_slot *p);
bool cluster_join(struct block_slot *const *member, uint32_t size);
void cluster_free_window(struct block_slot *p);
/* The cluster's blocks start, with this many warps each. */
void cluster_start(struct cluster *c, uint32_t warps_per_block);
void cluster_note_exit(struct warp_slot *self);
uint64_t cluster_block(const struct exec_launch *l, uint64_t cluster,
                       uint32_t rank); /* linear */
void cluster_arrive(struct exec_warp *w, uint32_t lanes);
void cluster_wait(struct exec_warp *w);
uint32_t cluster_is_over(struct exec_warp *w);

/* tensor.c */
void tensor_copy(struct exec_warp *w, const struct exec_tensor_copy *r);
void watched_tensor_copy(struct exec_warp *w, const struct exec_tensor_copy *r,
                         const struct exec_tensor_watch *watch);
void tensor_replace(struct exec_warp *w, uint64_t map, uint32_t field,
                    uint32_t ordinal, uint64_t value);

/* texture.c, and sampler.c: computes what lane `lane` of a fetch or gather
 * gets. */
void texture_access(struct exec_warp *w, struct exec_texture_request *r);
void sampler_fetch(const struct exec_texture *t, struct exec_texture_request *r,
                   unsigned lane);
void sampler_gather(const struct exec_texture *t,
                    struct exec_texture_request *r, unsigned lane);
/* surface.c: does the access of lane `lane` to a surface. */
void surface_access(struct exec_warp *w, const struct exec_texture *t,
                    struct exec_texture_request *r, unsigned lane);

/* collectives.c: lanes of a warp that are fibers of their own. */
bool collective_provide(struct block_slot *p); /* false: no memory */
void collective_forget(struct block_slot *p);  /* before a block starts */
void collective_destroy(struct block_slot *p);
const struct exec_collective *collective_join(struct exec_warp *w,
                                              uint32_t members, uint32_t kind,
                                              uint64_t value);
void collective_note_exit(struct warp_slot *self);
/* Lets lanes go on that wait for more members and have met some. False: there
 * are none. */
bool collective_release_gatherings(struct block_slot *p);

/* The same functions for compiled code, which they return to by a jump. */
void helper_barrier_sync(struct exec_warp *w, uint32_t id,
                         uint32_t thread_count);
uint32_t helper_barrier_red(struct exec_warp *w, uint32_t id,
                            uint32_t thread_count, uint32_t votes,
                            uint32_t voters, uint32_t *total);
uint64_t helper_block_end(struct exec_warp *w);
void helper_cluster_wait(struct exec_warp *w);
void helper_yield(struct exec_warp *w);
void helper_turn(struct exec_warp *w);
const struct exec_collective *helper_collective(struct exec_warp *w,
                                                uint32_t members, uint32_t kind,
                                                uint64_t value);

/* ---- faults ----------------------------------------------------------- */

/* This core's time stamp counter: for distances on one core. */
static inline uint64_t cycles_now(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}

bool fault_install(void); /* once per process */
/* At launches: checks that our handlers are still installed. */
void fault_keep_handlers(void);
/* For our own threads: signals to the program are delivered to its threads,
 * and faults are not blocked, whatever the creating thread had blocked. */
void fault_block_other_signals(void);
/* Once for each thread that runs kernels: gives it a signal stack. False: out
 * of memory, or the thread blocks the signals of faults, which would end the
 * process. */
bool fault_enter_thread(void);
void fault_set_current(struct sm *sm); /* NULL: no kernel on this thread */
/* A helper gives up on the running kernel. */
_Noreturn void fault_raise(struct sm *sm, enum exec_fault fault);
void fault_record(struct sm *sm, enum exec_fault fault, uint64_t address);
/* FAULT_MISALIGNED: the caller fills in fault, address, line, align_bytes and
 * thread. */
_Noreturn void fault_raise_at(struct sm *sm, const struct exec_fault_info *at);

/* ---- tasks ------------------------------------------------------------ */

/* A dependency. It belongs to the task that waits. */
struct edge {
    struct exec_task *waiting;
    struct edge *next;       /* in the successors of the task waited for */
    struct edge *next_owned; /* malloc'ed ones, freed with `waiting` */
};

#define NO_SM UINT_MAX

/* Blocks [next, end), taken from the front. */
struct range {
    _Alignas(CACHE_LINE) _Atomic uint64_t next;
    uint64_t end;
};

struct exec_task {
    _Alignas(CACHE_LINE) atomic_uint refs;
    size_t memory_bytes; /* for task_memory_free */
    /* enum exec_task_state, and the futex that waiters sleep on. It has a line
     * of its own, which they poll. */
    _Alignas(CACHE_LINE) atomic_uint state;
    atomic_uint waiters;
    atomic_uint pending; /* unfinished dependencies; +1 until submitted */
    atomic_uint again;   /* of a run of a plan: see task_take_again */
    enum exec_task_kind kind;
    int priority;      /* smaller runs first */
    const void *order; /* compared only */
    _Atomic(enum exec_fault) fault;
    /* A stack of edges, or TASK_CLOSED once done: pushing then fails. */
    _Atomic(struct edge *) successors;
    struct edge inline_edge[2];
    unsigned inline_count;
    struct edge *owned_edges;
    void (*on_done)(void *data, enum exec_fault fault);
    void *on_done_data;
    const atomic_int *cancel;
    uint64_t done_ns;
    struct list in_ready;  /* under the scheduler's lock */
    atomic_bool is_listed; /* counted in the ready queue */
    struct exec_task *next_done;

    void (*call)(void *data);
    void *call_data;
    bool is_host_function;

    struct exec_plan *plan; /* a run of it; counted */
    bool is_begun;

    struct sm_range sms; /* that may run it */
    struct exec_kernel kernel;
    unsigned range_count, range_capacity;
    bool is_shared;  /* several SMs can work on it */
    bool is_ordered; /* blocks are handed out one by one, lowest first */
    atomic_bool is_cancelled;
    /* Its blocks wait, and a spare has no block slots for more of them. */
    atomic_bool is_out_of_slots;
    /* What SMs write while they work is apart from what they read, and what
     * they write at the beginning from what they write at the end. */
    _Alignas(CACHE_LINE) atomic_uint first_sm; /* to come; NO_SM: none has */
    /* Ranges that an SM has begun, a bit for each. */
    _Atomic uint64_t begun[EXEC_SM_MAX / WORD_BITS];
    /* Ranges that have blocks to claim; for a run of a plan, steps in its
     * queue. */
    _Alignas(CACHE_LINE) _Atomic uint64_t unclaimed;
    _Alignas(CACHE_LINE) _Atomic uint64_t unfinished; /* blocks */
    struct range range[];
};

/* task_memory.c. Called before the first task; kernels have up to this many
 * ranges. */
void task_memory_start(unsigned ranges);
/* Aligned to CACHE_LINE. Any thread may allocate and free. NULL: out of
 * memory. */
void *task_memory_alloc(size_t bytes);
void task_memory_free(void *memory, size_t bytes); /* as many as were asked */
void task_memory_drop(void); /* what is kept for all threads */

/* Takes so many references at once. */
static inline void task_refs(struct exec_task *t, unsigned count)
{
    unsigned before =
        atomic_fetch_add_explicit(&t->refs, count, memory_order_relaxed);
    assert(before > 0);
    (void)before;
}
/* Marks t as done, makes its dependents ready and drops the reference that
 * exec_submit took. */
void task_finish(struct exec_task *t, enum exec_fault fault);

/* A task that runs t once more, its blocks from `first` on: t itself or, if
 * others still refer to t, one like it. NULL: out of memory, and t stays. */
struct exec_task *task_again(struct exec_task *t, uint64_t first);

/* For a run of a plan that has come to its end: how often it is to be run
 * again. 0: that was all, and stays so. may_linger: it may be asked for within
 * a moment, by a thread that launches one run behind the other. */
unsigned task_take_again(struct exec_task *t, bool may_linger);

/* Fills the reserve of tasks for task_again, as far as memory allows; any
 * thread. They are freed when the workers have ended. */
void task_fill_reserve(void);
void task_free_reserve(void);

/* plan.c: the thread that holds `sm` works on a run of a plan. */
void plan_run(struct sm *sm, struct exec_task *t,
              const struct exec_task *until);

unsigned task_sm_count(const struct exec_task *t); /* that may run it */

/* claim.c */
/* Makes the blocks (or clusters) from `first` on claimable. */
void claim_init(struct exec_task *t, unsigned sm_count, uint64_t first);
/* Claims the next blocks for the SM of this number. *range: which range they
 * are from; UINT_MAX at first. False: nothing is left. *is_last: the caller
 * took the last ones. */
bool claim_blocks(struct exec_task *t, uint32_t sm_id, unsigned *range,
                  uint64_t *first, uint64_t *end, bool *is_last);
/* Claims everything that is left, not to be run; returns how many blocks. */
uint64_t claim_rest(struct exec_task *t, bool *is_last);
/* Is there a range that no SM has begun? */
bool claim_is_range_left(const struct exec_task *t);

/* pace.c: any thread. How long the blocks of a kernel that one thread ran have
 * taken. */
struct pace {
    uint64_t begin_ns, finished; /* blocks */
};
/* Estimated time that the rest of the kernel would take one thread; 0: too
 * early to tell. At least one block has finished. */
uint64_t pace_left_ns(const struct exec_task *t, const struct pace *p);
/* Estimated time that all of it takes one thread, from its last run; 0: not
 * known. */
uint64_t pace_known_ns(const struct exec_task *t);
void pace_note(const struct exec_task *t, const struct pace *p);

/* host_functions.c: queues a ready host function; any thread, does not
 * wait. */
void host_function_push(struct exec_task *t);
/* Runs what is queued and ends the thread. No push may happen meanwhile. */
void host_functions_stop(void);

/* sched.c */
void sched_ready(struct exec_task *t); /* KERNEL or CALL whose turn came */
/* For plans: enter the ready queue and leave it; no worker is woken. */
void sched_insert(struct exec_task *t);
void sched_remove(struct exec_task *t);
/* Submits a task without dependencies and starts it on this thread. */
void sched_run_now(struct sm *sm, struct exec_task *t);
/* True: more than `known` tasks are queued, or all threads are to end. */
bool sched_is_wanted(unsigned known);
/* This thread holds an SM and looks for work when it is done. */
bool sched_is_running(void);
/* The kernel's blocks take turns: it is not for sm_run. */
bool sched_is_resident(const struct exec_kernel *k);

/* idle.c */
/*  AWAKE --nothing to do--> SPINNING --time is up--> ASLEEP
 *    ^------------woken----------/---------------------/         */
enum worker_state { WORKER_AWAKE, WORKER_SPINNING, WORKER_ASLEEP };
struct worker {
    _Alignas(CACHE_LINE) atomic_uint state; /* the futex it sleeps on */
    struct sm *sm;
    struct exec_task *given; /* to begin with, counted; by who wakes it */
    pthread_t thread;
};
void idle_init(struct worker *workers, unsigned count);
/* What idle workers ask of the queue. */
struct idle_queue {
    bool (*has_work)(const struct worker *w);
    /* A helper has the worker's SM: another thread is to see to the work. */
    void (*pass_on)(void);
    /* Changes with each task that is added; 0: there is none. */
    uint64_t (*look)(void);
};
/* Returns when the worker is woken, or there is work for it. */
void idle_wait(struct worker *w, const struct idle_queue *queue);
/* True: a worker looks at the queue now and then, and takes a task that has
 * been there for a while. To be asked after the task was added. */
bool idle_has_lookout(void);
/* Takes an idle worker with an SM in `sms` out of its set; the caller wakes
 * it. NULL: there is none. */
struct worker *idle_pop(struct sm_range sms);
bool idle_is_asleep(const struct worker *w);
/* Takes up to `count` workers that spin out of their set, all at once: one by
 * one, each of 16 would come 0.3 us behind the one before. Returns how many. */
unsigned idle_pop_spinners(struct sm_range sms, struct worker **out,
                           unsigned count);
/* Wakes a worker that was taken out so. */
void idle_wake_spinner(struct worker *w);
void idle_wake(struct worker *w); /* NULL: wakes none */
void idle_note_host_cpu(void);    /* a host thread works here */
void idle_note_host_woken(void);

/* wake.c: who is woken to share a kernel. Any thread. */
/* Before the first chunk: for what the kernel took the last time. */
void wake_for_known(struct exec_task *t);
/* After a chunk: for what is left. The first blocks may be short ones, so this
 * is asked as long as there are ranges that no SM has begun. False: there is
 * none any more. */
bool wake_for_rest(struct exec_task *t, const struct pace *p);
/* The blocks may wait for each other: as many as can share it. */
void wake_for_waiting(struct exec_task *t);
/* Calls up to `count` idle workers to the run of a plan, at most one of them
 * asleep. Returns how many come. */
unsigned wake_invite(struct exec_task *run, unsigned count,
                     bool may_wake_sleeper);

/* How often a thread that spins looks at its word before it looks at the clock.
 */
#define SPINS_PER_CLOCK 64

/* topology.c: writes the numbers of processors to run on to cpus[]; returns
 * how many, at most `capacity`. */
unsigned topology_cores(unsigned *cpus, unsigned capacity);
/* Of a last cache of `size` bytes, what so many processors may count on;
 * is_shared: with others that are not seen. */
uint64_t topology_cache_share(uint64_t size, unsigned cpus, bool is_shared);

/* futex.c */
void futex_wait(atomic_uint *word, unsigned expected);
/* The same with a time limit. */
void futex_wait_for(atomic_uint *word, unsigned expected, uint64_t ns);
void futex_wake(atomic_uint *word, int count);
static inline void cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* ---- helpers ---------------------------------------------------------- */

extern const struct exec_helpers exec_helper_table;
const struct exec_helpers *exec_flushing_helpers(void); /* flush.c */

/* Formats what a kernel prints into the launch's buffer. Returns the number of
 * arguments; -1: the buffer is full. Any SM thread. */
int32_t printf_device(struct exec_warp *w, uint64_t format, uint64_t args);

/* The heap of all kernels, of cudaLimitMallocHeapSize bytes; 0: it is full, or
 * the alignment is no power of two. free: 0 is harmless; an address that is no
 * block ends the grid. */
uint64_t heap_malloc(struct sm *sm, uint64_t size_bytes, uint64_t alignment);
void heap_free(struct sm *sm, uint64_t address);

/* lock.c: locks inside helpers. A fault releases the lock that its SM
 * holds. */
void helper_lock(struct sm *sm, atomic_flag *lock);
void helper_unlock(struct sm *sm, atomic_flag *lock);

#endif
