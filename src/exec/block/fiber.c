/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks and fibers. A stack is mapped once and kept by its SM; below it lies
 * a guard so wide that a frame of many lanes' arrays cannot jump across it.
 * All switching goes through two functions here, which tell the sanitizers.
 */
#include "exec/internal.h"

#include <sys/mman.h>

#define GUARD_BYTES ((size_t)1 << 20)

bool stack_init(struct stack *s, size_t size_bytes)
{
    assert(size_bytes > 0);
    size_bytes = (size_bytes + 4095) & ~(size_t)4095;
    size_t map_bytes = GUARD_BYTES + size_bytes;
    uint8_t *map = mmap(NULL, map_bytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return false;
    if (mprotect(map + GUARD_BYTES, size_bytes, PROT_READ | PROT_WRITE)) {
        munmap(map, map_bytes);
        return false;
    }
    *s = (struct stack){
        .map = map,
        .map_bytes = map_bytes,
        .low = map + GUARD_BYTES,
        .size_bytes = size_bytes,
    };
    return true;
}

void stack_fini(struct stack *s)
{
    if (s->map)
        munmap(s->map, s->map_bytes);
    *s = (struct stack){0};
}

bool stack_guard_holds(const struct stack *s, const void *address)
{
    const uint8_t *p = address;
    return s->map && p >= s->map && p < s->low;
}

#ifdef EXEC_ASAN
/* The fiber that was left last, written so that start_fiber can note the
 * bounds of its stack. */
__thread struct fiber *fiber_entering_from;
#endif

static void start_fiber(void *data)
{
    struct fiber *f = data;
#ifdef EXEC_ASAN
    struct fiber *from = fiber_entering_from;
    __sanitizer_finish_switch_fiber(NULL, from ? &from->asan_low : NULL,
                                    from ? &from->asan_bytes : NULL);
#endif
    f->entry(f->data);
    __builtin_trap(); /* entry never returns */
}

void fiber_prepare(struct fiber *f, void (*entry)(void *), void *data,
                   unsigned color)
{
    size_t shift = color % STACK_COLORS * STACK_COLOR_BYTES;
    assert(f->stack.low && shift < f->stack.size_bytes);
    uint8_t *top = f->stack.low + f->stack.size_bytes - shift;
    assert(entry);
    f->entry = entry;
    f->data = data;
    f->sp = exec_first_frame(top, start_fiber, f);
#ifdef EXEC_ASAN
    f->fake_stack = NULL;
    f->asan_low = f->stack.low;
    f->asan_bytes = f->stack.size_bytes;
#endif
#ifdef EXEC_TSAN
    /* A new one maps memory, so it is kept for TSAN_USES uses. Each use leaves
     * functions on the sanitizer's shadow stack that are never left, so it is
     * renewed then. */
    if (f->tsan && ++f->tsan_uses % TSAN_USES != 0)
        return;
    if (f->tsan)
        __tsan_destroy_fiber(f->tsan);
    f->tsan = __tsan_create_fiber(0);
#endif
}

_Noreturn void fiber_escape(struct fiber *to)
{
    fiber_tell_leave(NULL, to);
    exec_jump_stack(to->sp);
}
