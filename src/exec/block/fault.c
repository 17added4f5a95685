/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults in kernels. A signal that hits a thread while it runs a kernel is
 * the kernel's: it is recorded, the kernel's stack is abandoned, and the
 * thread goes on at its home, where sm_run returns the fault. Any other
 * signal goes to the handler that was there before.
 */
#define _GNU_SOURCE
#include "exec/internal.h"
#include "exec/block/lost_page.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

/* initial-exec: the handler may not allocate thread-local storage. */
static __thread struct sm *current_sm
    __attribute__((tls_model("initial-exec")));

/* Where exec_try goes on after a fault; NULL: outside of it. */
static __thread sigjmp_buf *attempt __attribute__((tls_model("initial-exec")));

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/* A program may install a handler after ours, which would then get the faults
 * of kernels. We install another of our handlers on top of it, so that the
 * program's can still call the one it replaced. */
enum { LEVEL_COUNT = 4 };
static struct sigaction previous[LEVEL_COUNT][ARRAY_COUNT(signals)];
static unsigned level_in_use[ARRAY_COUNT(signals)];

/* At most one check in some 2 us, since it is a system call for each signal:
 * launches in quick succession share one. The first signal is looked at each
 * time, the others once in KEEP_FIRST times. */
#define KEEP_CYCLES 5000
#define KEEP_FIRST  16

static pthread_mutex_t last_lock = PTHREAD_MUTEX_INITIALIZER;
static struct exec_fault_info last_fault;
/* Shared memory of the block that failed; a signal handler cannot allocate. */
static uint8_t last_shared[256 << 10];
static size_t last_shared_bytes;

#define SIGNAL_STACK_BYTES ((size_t)64 << 10)

const char *exec_fault_text(enum exec_fault fault)
{
    static const char *const texts[] = {
        [EXEC_OK] = "no fault",
#define EXEC_FAULT(name, text, error, exception) [EXEC_FAULT_##name] = text,
#include "exec/faults.def"
    };
    assert((size_t)fault < ARRAY_COUNT(texts));
    return texts[fault];
}

static bool slot_guard_holds(const struct block_slot *p, const void *address)
{
    if (stack_guard_holds(&p->slab, address))
        return true;
    for (uint32_t i = 0; i < p->slot_capacity; i++) {
        if (stack_guard_holds(&p->slots[i].fiber.stack, address))
            return true;
    }
    return false;
}

static bool is_stack_overflow(const struct sm *sm, const void *address)
{
    if (stack_guard_holds(&sm->solo.stack, address))
        return true;
    for (uint32_t i = 0; i < sm->block_slot_count; i++) {
        if (slot_guard_holds(sm->block_slots[i], address))
            return true;
    }
    return false;
}

static enum exec_fault classify_signal(const struct sm *sm, int signal,
                                       const void *address)
{
    switch (signal) {
    case SIGFPE:
        return EXEC_FAULT_ARITHMETIC;
    case SIGILL:
        return EXEC_FAULT_ILLEGAL;
    default:
        return is_stack_overflow(sm, address) ? EXEC_FAULT_STACK
                                              : EXEC_FAULT_ADDRESS;
    }
}

/* Restores the default action: the signal occurs again on return and ends the
 * process as it would have without us. */
static void die_by_signal(int signal, const siginfo_t *info)
{
    struct sigaction dfl = {.sa_handler = SIG_DFL};
    sigaction(signal, &dfl, NULL);
    if (info->si_code <= 0) /* sent by kill() */
        raise(signal);
}

/* Calls the handler that was there before our handler of this level. */
static void chain_handler(unsigned level, int signal, siginfo_t *info,
                          void *context)
{
    unsigned i = 0;
    while (signals[i] != signal)
        i++;
    assert(level < LEVEL_COUNT && i < ARRAY_COUNT(signals));
    const struct sigaction *old = &previous[level][i];
    if (old->sa_flags & SA_SIGINFO)
        old->sa_sigaction(signal, info, context);
    else if (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN)
        die_by_signal(signal, info);
    else
        old->sa_handler(signal);
}

/* The thread sanitizer's handler, around ours, blocks all signals until ours
 * returns. Ours does not return, so without this the next fault would end the
 * process. */
static void unblock_signals(void)
{
#ifdef EXEC_TSAN
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
#endif
}

static _Atomic(exec_lost_page_fn *) lost_page_fn;

static bool is_mended(int signal, const siginfo_t *info)
{
    /* Pairs with the store in exec_on_lost_page. */
    exec_lost_page_fn *fn =
        atomic_load_explicit(&lost_page_fn, memory_order_acquire);
    return signal == SIGBUS && info->si_code > 0 && fn && fn(info->si_addr);
}

/* The failing instruction, and what lies at the top of the stack: an access
 * lane by lane is in a function with a small frame or none, so that its
 * caller's address is there. */
static void note_pcs(const void *context, uint64_t *pc)
{
    const ucontext_t *c = context;
#if defined __x86_64__
    pc[0] = (uint64_t)c->uc_mcontext.gregs[REG_RIP];
    uint64_t stack = (uint64_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
    pc[0] = c->uc_mcontext.pc;
    uint64_t stack = c->uc_mcontext.sp;
#endif
    memcpy(pc + 1, (const void *)(uintptr_t)stack,
           (EXEC_FAULT_PCS - 1) * sizeof *pc);
}

/* Returns if the access was no attempt of exec_try. */
static void leave_attempt(int signal, const siginfo_t *info)
{
    bool is_access = signal == SIGSEGV || signal == SIGBUS;
    if (!attempt || !is_access || info->si_code <= 0)
        return;
    unblock_signals();
    siglongjmp(*attempt, 1);
}

static void record_fault(struct sm *sm, const struct exec_fault_info *at);

static void on_signal(unsigned level, int signal, siginfo_t *info,
                      void *context)
{
    struct sm *sm = current_sm;
    if (!sm || !sm->in_kernel || info->si_code <= 0) {
        if (is_mended(signal, info))
            return;
        leave_attempt(signal, info);
        chain_handler(level, signal, info, context);
        return;
    }
    sm->in_kernel = 0;
    struct exec_fault_info at = {.fault =
                                     classify_signal(sm, signal, info->si_addr),
                                 .address = (uint64_t)(uintptr_t)info->si_addr};
    if (at.fault != EXEC_FAULT_STACK)
        note_pcs(context, at.pc);
    record_fault(sm, &at);
    unblock_signals();
    fiber_escape(&sm->home);
}

#define HANDLER(level)                                                         \
    static void on_signal_##level(int signal, siginfo_t *info, void *context)  \
    {                                                                          \
        on_signal(level, signal, info, context);                               \
    }
HANDLER(0)
HANDLER(1)
HANDLER(2)
HANDLER(3)
#undef HANDLER

typedef void handler_fn(int signal, siginfo_t *info, void *context);
static handler_fn *const handlers[LEVEL_COUNT] = {on_signal_0, on_signal_1,
                                                  on_signal_2, on_signal_3};

/* The level of the handler that is installed; LEVEL_COUNT: it is not ours. */
static unsigned level_of(const struct sigaction *sa)
{
    unsigned level = 0;
    if (!(sa->sa_flags & SA_SIGINFO))
        return LEVEL_COUNT;
    while (level < LEVEL_COUNT && sa->sa_sigaction != handlers[level])
        level++;
    return level;
}

static bool take_signal(unsigned i, unsigned level)
{
    assert(level < LEVEL_COUNT);
    struct sigaction sa = {.sa_sigaction = handlers[level]};
    sigemptyset(&sa.sa_mask);
    /* NODEFER: the handler leaves by a jump, the signal must stay open. */
    sa.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    level_in_use[i] = level;
    return !sigaction(signals[i], &sa, &previous[level][i]);
}

static bool install_result;
static void install_handlers(void)
{
    install_result = true;
    for (unsigned i = 0; i < ARRAY_COUNT(signals); i++) {
        if (!take_signal(i, 0))
            install_result = false;
    }
}

bool fault_install(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_handlers);
    return install_result;
}

bool exec_try(void (*fn)(void *data), void *data)
{
    sigjmp_buf here, *outer = attempt;
    assert(fn && !(current_sm && current_sm->in_kernel));
    fault_install();
    /* The handler blocks no signals, so no mask is saved. */
    if (sigsetjmp(here, 0)) {
        attempt = outer;
        return false;
    }
    attempt = &here;
    atomic_signal_fence(memory_order_seq_cst);
    fn(data);
    atomic_signal_fence(memory_order_seq_cst);
    attempt = outer;
    return true;
}

void exec_on_lost_page(exec_lost_page_fn *fn)
{
    assert(fn);
    fault_install();
    /* Pairs with the load in is_mended. */
    atomic_store_explicit(&lost_page_fn, fn, memory_order_release);
}

static void take_again(unsigned i)
{
    struct sigaction now;
    if (sigaction(signals[i], NULL, &now))
        return;
    unsigned level = level_of(&now);
    if (level < LEVEL_COUNT) {
        level_in_use[i] = level; /* the program put it back */
        return;
    }
    level = level_in_use[i] + 1;
    take_signal(i, level < LEVEL_COUNT ? level : LEVEL_COUNT - 1);
}

void fault_keep_handlers(void)
{
    static _Atomic uint64_t last;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static unsigned round;
    uint64_t now = cycles_now();
    uint64_t then = atomic_load_explicit(&last, memory_order_relaxed);
    if (then && now - then < KEEP_CYCLES)
        return;
    pthread_mutex_lock(&lock);
    unsigned count = round++ % KEEP_FIRST ? 1 : ARRAY_COUNT(signals);
    for (unsigned i = 0; i < count; i++)
        take_again(i);
    pthread_mutex_unlock(&lock);
    atomic_store_explicit(&last, now, memory_order_relaxed);
}

/* ---- the signal mask of a thread -------------------------------------- */

void fault_block_other_signals(void)
{
    sigset_t set;
    sigfillset(&set);
    for (unsigned i = 0; i < ARRAY_COUNT(signals); i++)
        sigdelset(&set, signals[i]);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
}

static bool blocks_faults(void)
{
    sigset_t set;
    if (pthread_sigmask(SIG_SETMASK, NULL, &set))
        return true;
    for (unsigned i = 0; i < ARRAY_COUNT(signals); i++) {
        if (sigismember(&set, signals[i]))
            return true;
    }
    return false;
}

/* ---- the signal stack of a thread ------------------------------------- */

static pthread_key_t stack_key;
static pthread_once_t stack_key_once = PTHREAD_ONCE_INIT;

static void free_signal_stack(void *map)
{
    stack_t off = {.ss_flags = SS_DISABLE};
    sigaltstack(&off, NULL);
    munmap(map, SIGNAL_STACK_BYTES);
}

static void make_stack_key(void)
{
    pthread_key_create(&stack_key, free_signal_stack);
}

static __thread bool has_signal_stack;

bool fault_enter_thread(void)
{
    if (has_signal_stack)
        return true;
    if (blocks_faults())
        return false;
    stack_t old;
    if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE) &&
        old.ss_size >= SIGNAL_STACK_BYTES / 2) {
        has_signal_stack = true; /* the program's own will do */
        return true;
    }
    pthread_once(&stack_key_once, make_stack_key);
    void *map = mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return false;
    stack_t ours = {.ss_sp = map, .ss_size = SIGNAL_STACK_BYTES};
    if (sigaltstack(&ours, NULL) || pthread_setspecific(stack_key, map)) {
        munmap(map, SIGNAL_STACK_BYTES);
        return false;
    }
    has_signal_stack = true;
    return true;
}

void fault_set_current(struct sm *sm)
{
    current_sm = sm;
    atomic_signal_fence(memory_order_seq_cst);
}

/* ---- recording -------------------------------------------------------- */

/* Records which threads the failing call ran. */
static void note_threads(struct exec_fault_info *info,
                         const struct exec_warp *w)
{
    const struct exec_launch *l = w->launch;
    uint32_t count = l->block[0] * l->block[1] * l->block[2];
    uint32_t lanes = l->lane_count < count ? l->lane_count : count;
    if (w->thread_current) {
        info->thread = w->thread_current - 1;
        info->thread_count = 1;
        info->line = w->line_current;
        return;
    }
    info->thread = w->warp_current * l->lane_count;
    if (w->warp_current & WEFT_IN_LOCKSTEP) {
        info->thread = w->warp_current & ~WEFT_IN_LOCKSTEP;
        lanes = WEFT_WARP_LANES;
    }
    if (info->thread >= count)
        info->thread = 0;
    info->thread_count =
        count - info->thread < lanes ? count - info->thread : lanes;
}

static void note_launch(struct exec_fault_info *info,
                        const struct exec_launch *l)
{
    info->function = l->function;
    memcpy(info->grid, l->grid, sizeof info->grid);
    memcpy(info->block, l->block, sizeof info->block);
}

/* Copies the block's shared memory. The lock is held. */
static void note_shared(const struct exec_warp *w)
{
    const struct exec_launch *l = w->launch;
    size_t bytes = (size_t)l->static_shared_bytes + l->dynamic_shared_bytes;
    assert(bytes <= sizeof last_shared);
    last_shared_bytes = w->shared ? bytes : 0;
    memcpy(last_shared, w->shared, last_shared_bytes);
}

static void record_fault(struct sm *sm, const struct exec_fault_info *at)
{
    const struct exec_warp *w = sm->current;
    sm->fault = at->fault;
    if (sm->held_lock) { /* pairs with the acquire in helper_lock */
        atomic_flag_clear_explicit(sm->held_lock, memory_order_release);
        sm->held_lock = NULL;
    }
    /* Never held while a kernel runs on this thread, so no deadlock. */
    pthread_mutex_lock(&last_lock);
    last_fault = *at;
    note_launch(&last_fault, w->launch);
    note_shared(w);
    last_fault.block_linear = w->block_current;
    if (!at->thread_count)
        note_threads(&last_fault, w);
    last_fault.warp = (uint32_t)((uint64_t)w->warp_current *
                                 w->launch->lane_count / WEFT_WARP_LANES);
    if (last_fault.thread_count == 1 || w->warp_current & WEFT_IN_LOCKSTEP)
        last_fault.warp = last_fault.thread / WEFT_WARP_LANES;
    pthread_mutex_unlock(&last_lock);
}

void fault_record(struct sm *sm, enum exec_fault fault, uint64_t address)
{
    record_fault(sm,
                 &(struct exec_fault_info){.fault = fault, .address = address});
}

_Noreturn void fault_raise(struct sm *sm, enum exec_fault fault)
{
    sm->in_kernel = 0;
    fault_record(sm, fault, 0);
    fiber_escape(&sm->home);
}

_Noreturn void fault_raise_at(struct sm *sm, const struct exec_fault_info *at)
{
    sm->in_kernel = 0;
    record_fault(sm, at);
    fiber_escape(&sm->home);
}

struct exec_fault_info exec_last_fault(void)
{
    pthread_mutex_lock(&last_lock);
    struct exec_fault_info info = last_fault;
    pthread_mutex_unlock(&last_lock);
    return info;
}

size_t exec_last_fault_shared(void *out, size_t room_bytes)
{
    pthread_mutex_lock(&last_lock);
    size_t bytes = last_shared_bytes;
    memcpy(out, last_shared, bytes < room_bytes ? bytes : room_bytes);
    pthread_mutex_unlock(&last_lock);
    return bytes;
}
