/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that compiled kernels reach through exec_helpers, those of
 * them that are a few lines; barriers, printf and the heap have their files.
 */
#include "exec/internal.h"

#include <sched.h>
#include <stdio.h>
#include <time.h>

/* The interval at which a sleeping warp looks whether others have become
 * ready. */
#define SLEEP_MAX_NS   200000
#define SHORT_SLEEP_NS 2000

static uint64_t device_malloc(struct exec_warp *w, uint64_t size_bytes)
{
    return heap_malloc(w->owner, size_bytes, 1);
}

static uint64_t device_aligned_malloc(struct exec_warp *w, uint64_t size_bytes,
                                      uint64_t alignment)
{
    return heap_malloc(w->owner, size_bytes, alignment);
}

static void device_free(struct exec_warp *w, uint64_t address)
{
    heap_free(w->owner, address);
}

/* Turns a linear index into coordinates, x fastest. */
static void split_index(uint64_t linear, const uint32_t size[3],
                        uint32_t out[3])
{
    for (unsigned i = 0; i < 3; i++) {
        out[i] = (uint32_t)(linear % size[i]);
        linear /= size[i];
    }
    assert(linear == 0);
}

static const char *or_unknown(uint64_t address)
{
    return address ? (const char *)(uintptr_t)address : "?";
}

static void assert_fail(struct exec_warp *w, uint64_t message, uint64_t file,
                        uint32_t line, uint64_t function, uint64_t char_size,
                        uint32_t lane, uint32_t lanes)
{
    uint32_t block[3], thread[3];
    (void)char_size;
    split_index(w->block_current, w->launch->grid, block);
    lanes |= UINT32_C(1) << lane % WEFT_WARP_LANES;
    for (; lanes; lanes &= lanes - 1) {
        split_index((uint64_t)w->warp_current * w->launch->lane_count +
                        lane / WEFT_WARP_LANES * WEFT_WARP_LANES +
                        (uint32_t)__builtin_ctz(lanes),
                    w->launch->block, thread);
        fprintf(stderr,
                "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion "
                "`%s` failed.\n",
                or_unknown(file), line, or_unknown(function), block[0],
                block[1], block[2], thread[0], thread[1], thread[2],
                or_unknown(message));
    }
    fault_raise(w->owner, EXEC_FAULT_ASSERT);
}

static void end_checked(struct exec_warp *w)
{
    fault_raise(w->owner, EXEC_FAULT_CHECKED);
}

static void trap_warp(struct exec_warp *w)
{
    fault_raise(w->owner, EXEC_FAULT_TRAP);
}

static void raise_illegal(struct exec_warp *w)
{
    fault_raise(w->owner, EXEC_FAULT_ILLEGAL);
}

static void bad_call(struct exec_warp *w, uint64_t handle)
{
    fprintf(stderr, "weft: a kernel called 0x%llx, which is no function\n",
            (unsigned long long)handle);
    fault_raise(w->owner, EXEC_FAULT_PC);
}

/* Reports the first lane whose address is misaligned. */
static void raise_misaligned(struct exec_warp *w, const uint64_t *addresses,
                             uint64_t base, int64_t stride, uint32_t lanes,
                             uint32_t first, uint64_t access)
{
    uint32_t align_bytes = (uint8_t)access, lane = 0;
    uint64_t address = base;
    assert((align_bytes & (align_bytes - 1)) == 0);
    for (uint32_t left = lanes; left; left &= left - 1) {
        lane = (uint32_t)__builtin_ctz(left);
        address = addresses ? addresses[lane]
                            : base + (uint64_t)stride * (uint64_t)lane;
        if (address & (align_bytes - 1))
            break;
    }
    uint64_t thread =
        (uint64_t)w->warp_current * w->launch->lane_count + first + lane;
    enum exec_fault fault =
        align_bytes ? EXEC_FAULT_MISALIGNED : EXEC_FAULT_ADDRESS;
    fault_raise_at(w->owner,
                   &(struct exec_fault_info){.fault = fault,
                                             .address = address,
                                             .line = (uint32_t)(access >> 8),
                                             .align_bytes = align_bytes,
                                             .thread = (uint32_t)thread,
                                             .thread_count = 1});
}

/* ---- the device runtime ----------------------------------------------- */

static _Atomic(exec_device_call_fn *) device_call_fn;

void exec_on_device_call(exec_device_call_fn *fn)
{
    /* Pairs with the load in device_call. */
    atomic_store_explicit(&device_call_fn, fn, memory_order_release);
}

static uint64_t device_call(struct exec_warp *w, uint32_t call, uint32_t lane,
                            const uint64_t *arguments)
{
    assert(call < EXEC_CALL_COUNT);
    const struct exec_device_call c = {
        .warp = w,
        .call = (enum exec_call)call,
        .thread = (uint64_t)w->warp_current * w->launch->lane_count + lane,
        .arguments = arguments,
    };
    /* Pairs with the store in exec_on_device_call. */
    exec_device_call_fn *fn =
        atomic_load_explicit(&device_call_fn, memory_order_acquire);
    if (!fn)
        fault_raise(w->owner, EXEC_FAULT_ILLEGAL);
    return fn(&c);
}

/* ---- addresses of several devices ------------------------------------- */

static _Atomic(exec_replica_fn *) replica_fn;

void exec_on_replica(exec_replica_fn *fn)
{
    /* Pairs with the load in replica_address. */
    atomic_store_explicit(&replica_fn, fn, memory_order_release);
}

static uint64_t replica_address(struct exec_warp *w, uint64_t address,
                                uint32_t index)
{
    /* Pairs with the store in exec_on_replica. */
    exec_replica_fn *fn =
        atomic_load_explicit(&replica_fn, memory_order_acquire);
    uint64_t place = fn ? fn(address, index) : 0;
    if (!place && index == 0)
        fault_raise_at(w->owner,
                       &(struct exec_fault_info){.fault = EXEC_FAULT_ADDRESS,
                                                 .address = address});
    return place;
}

/* ---- time ------------------------------------------------------------- */

static uint64_t clock_cycles(struct exec_warp *w)
{
    (void)w;
    return cycles_now();
}

static uint64_t read_globaltimer(struct exec_warp *w)
{
    struct timespec t;
    (void)w;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The running warp sleeps; other warps run meanwhile, if there are any. A sleep
 * may take anything up to twice its time (PTX ISA, "nanosleep"): a short one,
 * in a loop that waits, is a turn for the others, and the core stays ours. */
static void nanosleep_warp(struct exec_warp *w, uint32_t ns)
{
    if (ns < SHORT_SLEEP_NS) {
        warp_try_yield(w);
        return;
    }
    uint64_t end_ns = clock_now_ns() + ns, now_ns;
    do {
        bool has_run_others = warp_try_yield(w);
        now_ns = clock_now_ns();
        if (has_run_others || now_ns >= end_ns)
            continue;
        uint64_t left_ns = end_ns - now_ns;
        struct timespec t = {.tv_nsec = left_ns < SLEEP_MAX_NS ? (long)left_ns
                                                               : SLEEP_MAX_NS};
        if (left_ns > 20000)
            nanosleep(&t, NULL);
        else
            sched_yield();
    } while (now_ns < end_ns);
}

const struct exec_helpers exec_helper_table = {
    .barrier_sync = helper_barrier_sync,
    .barrier_arrive = barrier_arrive,
    .barrier_red = helper_barrier_red,
    .block_end = helper_block_end,
    .yield = helper_yield,
    .turn = helper_turn,
    .collective = helper_collective,
    .cluster_arrive = cluster_arrive,
    .cluster_wait = helper_cluster_wait,
    .cluster_is_over = cluster_is_over,
    .tensor_copy = tensor_copy,
    .texture = texture_access,
    .tensor_replace = tensor_replace,
    .vprintf = printf_device,
    .malloc = device_malloc,
    .aligned_malloc = device_aligned_malloc,
    .free = device_free,
    .assert_fail = assert_fail,
    .trap = trap_warp,
    .clock = clock_cycles,
    .globaltimer = read_globaltimer,
    .nanosleep = nanosleep_warp,
    .bad_call = bad_call,
    .misaligned = raise_misaligned,
    .illegal = raise_illegal,
    .device_call = device_call,
    .replica = replica_address,
    .checked = end_checked,
    .watched_tensor_copy = watched_tensor_copy,
};
