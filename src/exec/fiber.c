/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks and fibers. A stack is mapped once and kept by its SM; below it lies
 * a guard so wide that a frame of many lanes' arrays cannot jump across it.
 * All switching goes through two functions here, which tell the sanitizers.
 */
#include "exec/internal.h"

#include <sys/mman.h>

#ifdef EXEC_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef EXEC_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#define GUARD_BYTES ((size_t)1 << 20)

bool stack_init(struct stack *s, size_t size_bytes)
{
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
    *s = (struct stack){ 0 };
}

bool stack_guard_holds(const struct stack *s, const void *address)
{
    const uint8_t *p = address;
    return s->map && p >= s->map && p < s->low;
}

#ifdef EXEC_ASAN
/* The fiber that was left last; start_fiber notes whose stack that was. */
static __thread struct fiber *entering_from;
#endif

#if defined(EXEC_ASAN) || defined(EXEC_TSAN)
void fiber_tell_leave(struct fiber *from, struct fiber *to)
{
#ifdef EXEC_ASAN
    entering_from = from;
    __sanitizer_start_switch_fiber(from ? &from->fake_stack : NULL,
                                   to->asan_low, to->asan_bytes);
#endif
#ifdef EXEC_TSAN
    if (from)
        from->tsan = __tsan_get_current_fiber();
    if (!to->tsan)
        to->tsan = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(to->tsan, 0);
#endif
}

void fiber_tell_enter(struct fiber *self)
{
    (void)self;
#ifdef EXEC_ASAN
    __sanitizer_finish_switch_fiber(self->fake_stack, NULL, NULL);
#endif
}
#endif

static void start_fiber(void *data)
{
    struct fiber *f = data;
#ifdef EXEC_ASAN
    struct fiber *from = entering_from;
    __sanitizer_finish_switch_fiber(NULL, from ? &from->asan_low : NULL,
                                    from ? &from->asan_bytes : NULL);
#endif
    f->entry(f->data);
    __builtin_trap(); /* entry never returns */
}

void fiber_prepare(struct fiber *f, void (*entry)(void *), void *data,
                   unsigned color)
{
    uint8_t *top = f->stack.low + f->stack.size_bytes - color % 32 * 640;
    f->entry = entry;
    f->data = data;
    f->sp = exec_first_frame(top, start_fiber, f);
#ifdef EXEC_ASAN
    f->fake_stack = NULL;
    f->asan_low = f->stack.low;
    f->asan_bytes = f->stack.size_bytes;
#endif
}

_Noreturn void fiber_escape(struct fiber *to)
{
    fiber_tell_leave(NULL, to);
    exec_jump_stack(to->sp);
}
