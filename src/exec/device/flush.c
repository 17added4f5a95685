/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The helpers for kernels that let the machine flush subnormals (see
 * emit/core/entry.c). What they call is C, and other kernels that run
 * meanwhile: both expect the usual mode. So each helper comes here first, sets
 * that mode, and sets the kernel's again before it returns; by a jump, as
 * switch.h says.
 *
 * MACHINE-DEPENDENT: other machines have no such kernels.
 */
#include "exec/internal.h"

#if defined(__x86_64__)

__asm__(".section .rodata\n"
        ".p2align 2\n"
        "flush_usual_mode: .long 0x1f80\n"
        "flush_own_mode: .long 0x9fc0\n"
        ".text\n");

/* Helpers that return. They have six arguments at most, all of them in
 * registers. */
#define RETURNS(name)                                                          \
    __asm__(".p2align 4\n"                                                     \
            ".globl flush_" #name "\n"                                         \
            ".hidden flush_" #name "\n"                                        \
            ".type flush_" #name ", @function\n"                               \
            "flush_" #name ":\n"                                               \
            "    .cfi_startproc\n"                                             \
            "    subq $8, %rsp\n"                                              \
            "    .cfi_adjust_cfa_offset 8\n"                                   \
            "    ldmxcsr flush_usual_mode(%rip)\n"                             \
            "    leaq exec_helper_table(%rip), %rax\n"                         \
            "    callq *flush_at_" #name "(%rax)\n"                            \
            "    ldmxcsr flush_own_mode(%rip)\n"                               \
            "    addq $8, %rsp\n"                                              \
            "    .cfi_adjust_cfa_offset -8\n"                                  \
            "    popq %rcx\n"                                                  \
            "    jmpq *%rcx\n"                                                 \
            "    .cfi_endproc\n"                                               \
            ".size flush_" #name ", . - flush_" #name "\n");                   \
    extern char flush_##name[];

/* Helpers that never return, with any number of arguments. */
#define STAYS(name)                                                            \
    __asm__(".p2align 4\n"                                                     \
            ".globl flush_" #name "\n"                                         \
            ".hidden flush_" #name "\n"                                        \
            ".type flush_" #name ", @function\n"                               \
            "flush_" #name ":\n"                                               \
            "    .cfi_startproc\n"                                             \
            "    ldmxcsr flush_usual_mode(%rip)\n"                             \
            "    leaq exec_helper_table(%rip), %rax\n"                         \
            "    jmpq *flush_at_" #name "(%rax)\n"                             \
            "    .cfi_endproc\n"                                               \
            ".size flush_" #name ", . - flush_" #name "\n");                   \
    extern char flush_##name[];
#include "exec/flush.def"

/* Offsets of the helpers in their table, as symbols for the code above. */
__attribute__((used)) static void tell_places(void)
{
#define RETURNS(name) STAYS(name)
#define STAYS(name)                                                            \
    __asm__ volatile(".set flush_at_" #name ", %c0"                            \
                     :                                                         \
                     : "i"(offsetof(struct exec_helpers, name)));
#include "exec/flush.def"
}

static const struct exec_helpers flushing_table = {
#define RETURNS(name) STAYS(name)
#define STAYS(name)   .name = (void *)flush_##name,
#include "exec/flush.def"
};

/* One for each member. */
enum {
#define RETURNS(name) STAYS(name)
#define STAYS(name)   NUMBER_OF_##name,
#include "exec/flush.def"
    HELPER_COUNT
};
static_assert(sizeof flushing_table == HELPER_COUNT * sizeof(void *),
              "a helper is missing in flush.def");

const struct exec_helpers *exec_flushing_helpers(void)
{
    return &flushing_table;
}

#else

const struct exec_helpers *exec_flushing_helpers(void)
{
    return NULL;
}

#endif
