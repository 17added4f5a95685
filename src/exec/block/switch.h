/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MACHINE-DEPENDENT, with switch.c: switching stacks. A switch saves what the
 * C calling convention calls preserved, changes the stack pointer, and
 * restores. Rounding modes are not saved: everything here runs with the default
 * ones (sm.c), and code that has others leaves them around what it calls
 * (flush.c).
 *
 * On x86-64 a switch is inline and leaves by a jump, never by a return: the
 * processor pairs returns with calls, and would predict every return behind
 * a switch wrong.
 */
#ifndef WEFT_EXEC_SWITCH_H
#define WEFT_EXEC_SWITCH_H

struct exec_warp;

/* Leaves the running stack for good; goes on at to_sp, which a switch
 * saved. */
_Noreturn void exec_jump_stack(void *to_sp);
/* Prepares a stack below `top` so that the first switch to it calls
 * entry(data). Returns the stack pointer to switch to. */
void *exec_first_frame(void *top, void (*entry)(void *), void *data);

/* Calls compiled code, whose frames begin at a multiple of WEFT_STACK_ALIGN:
 * vectors that it spills then never lie across two cache lines. */
void exec_call_kernel(void (*fn)(struct exec_warp *), struct exec_warp *w);

#if defined(__x86_64__)

/* What lies on a stack that waits: the address to go on at, then rbp. The
 * compiler saves the other registers where it needs them; the 128 bytes
 * below the stack pointer may be in use. */
__attribute__((always_inline)) static inline void
exec_switch_stack(void **save_sp, void *to_sp)
{
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
                     "pushq %%rbp\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "movq %%rsp, (%0)\n\t"
                     "movq %1, %%rsp\n\t"
                     "popq %%rax\n\t"
                     "jmpq *%%rax\n"
                     "1:\n\t"
                     "popq %%rbp\n\t"
                     "leaq 128(%%rsp), %%rsp\n\t"
                     : "+D"(save_sp), "+S"(to_sp)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11",
                       "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
                       "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
                       "cc", "memory");
}

/*
 * Defines `name`: calls `function` and returns to compiled code by a jump.
 * The warps of a block call barriers from different places, and the warp that
 * a barrier wakes seldom stands where the one stood that called last: as a
 * return, nearly every one would be predicted wrong, and the work of two
 * warps could not overlap. `function` returns to this stub, for every warp
 * the same place. The result stays in rax.
 */
#define EXEC_RETURN_BY_JUMP(name, function)                                    \
    __asm__(".text\n"                                                          \
            ".p2align 4\n"                                                     \
            ".globl " #name "\n"                                               \
            ".hidden " #name "\n"                                              \
            ".type " #name ", @function\n" #name ":\n"                         \
            "    .cfi_startproc\n"                                             \
            "    subq $8, %rsp\n"                                              \
            "    .cfi_adjust_cfa_offset 8\n"                                   \
            "    callq " #function "\n"                                        \
            "    addq $8, %rsp\n"                                              \
            "    .cfi_adjust_cfa_offset -8\n"                                  \
            "    popq %rcx\n"                                                  \
            "    jmpq *%rcx\n"                                                 \
            "    .cfi_endproc\n"                                               \
            ".size " #name ", . - " #name "\n")

#else

#define EXEC_RETURN_BY_JUMP(name, function)                                    \
    extern __typeof__(function) name __attribute__((alias(#function)))

/* Saves what a call keeps on this stack, and where that is in *save_sp; goes
 * on at to_sp, which was saved so. Tells no sanitizer: fiber_switch does. */
void exec_switch_stack(void **save_sp, void *to_sp);

#endif

#endif
