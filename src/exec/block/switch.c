/* SPDX-License-Identifier: Apache-2.0 */
/* MACHINE-DEPENDENT: the parts of switch.h that are functions. */
#include "exec/internal.h"

#define AS_TEXT(x)    #x
#define TEXT_OF(x)    AS_TEXT(x)
#define STACK_ALIGN   TEXT_OF(WEFT_STACK_ALIGN)

void exec_start_stack(void);

#if defined(__x86_64__)

__asm__(".text\n"
        ".p2align 4\n"
        ".globl exec_jump_stack\n"
        ".hidden exec_jump_stack\n"
        ".type exec_jump_stack, @function\n"
        "exec_jump_stack:\n"
        "    movq %rdi, %rsp\n"
        "    popq %rax\n"
        "    jmpq *%rax\n"
        ".size exec_jump_stack, . - exec_jump_stack\n"
        ".p2align 4\n"
        ".globl exec_call_kernel\n"
        ".hidden exec_call_kernel\n"
        ".type exec_call_kernel, @function\n"
        "exec_call_kernel:\n"
        "    .cfi_startproc\n"
        "    pushq %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset rbp, -16\n"
        "    movq %rsp, %rbp\n"
        "    .cfi_def_cfa_register rbp\n"
        "    andq $-" STACK_ALIGN ", %rsp\n"
        "    movq %rdi, %rax\n"
        "    movq %rsi, %rdi\n"
        "    callq *%rax\n"
        "    leaveq\n"
        "    .cfi_def_cfa rsp, 8\n"
        "    retq\n"
        "    .cfi_endproc\n"
        ".size exec_call_kernel, . - exec_call_kernel\n"
        /* The first frame holds the function and its argument. */
        ".p2align 4\n"
        ".globl exec_start_stack\n"
        ".hidden exec_start_stack\n"
        ".type exec_start_stack, @function\n"
        "exec_start_stack:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined rip\n"
        "    popq %rax\n"
        "    popq %rdi\n"
        "    xorl %ebp, %ebp\n"
        "    callq *%rax\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size exec_start_stack, . - exec_start_stack\n");

void *exec_first_frame(void *top, void (*entry)(void *), void *data)
{
    uintptr_t aligned = (uintptr_t)top & ~(uintptr_t)63;
    void **sp = (void **)aligned;
    *--sp = data; /* the call below it is made with an aligned stack */
    *--sp = (void *)entry;
    *--sp = (void *)exec_start_stack;
    return sp;
}

#elif defined(__aarch64__)

__asm__(".text\n"
        ".p2align 4\n"
        ".globl exec_switch_stack\n"
        ".hidden exec_switch_stack\n"
        ".type exec_switch_stack, %function\n"
        "exec_switch_stack:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov x0, x1\n"
        "    b exec_jump_stack\n"
        ".size exec_switch_stack, . - exec_switch_stack\n"
        ".p2align 4\n"
        ".globl exec_jump_stack\n"
        ".hidden exec_jump_stack\n"
        ".type exec_jump_stack, %function\n"
        "exec_jump_stack:\n"
        "    mov sp, x0\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size exec_jump_stack, . - exec_jump_stack\n"
        /* First frame: the function in x19, its argument in x20. */
        ".p2align 4\n"
        ".globl exec_start_stack\n"
        ".hidden exec_start_stack\n"
        ".type exec_start_stack, %function\n"
        "exec_start_stack:\n"
        "    mov x0, x20\n"
        "    blr x19\n"
        "    brk #1\n"
        ".size exec_start_stack, . - exec_start_stack\n");

CALLS_KERNEL void exec_call_kernel(void (*fn)(struct exec_warp *),
                                   struct exec_warp *w)
{
    fn(w); /* no stack is aligned more strictly than C's */
}

void *exec_first_frame(void *top, void (*entry)(void *), void *data)
{
    uintptr_t aligned = (uintptr_t)top & ~(uintptr_t)63;
    void **sp = (void **)(aligned - 160);
    memset(sp, 0, 160);
    sp[0] = (void *)entry;             /* x19 */
    sp[1] = data;                      /* x20 */
    sp[11] = (void *)exec_start_stack; /* x30 */
    return sp;
}

#else
#error "exec/block/switch.c: write the stack switch for this processor"
#endif
