/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcudart_static.a: the runtime's functions for programs that link the
 * runtime statically. All are in one object, as in nvcc's archive. They are
 * strong symbols, so that weak definitions elsewhere in the program yield to
 * them, and hidden, so that no other library uses them. They call a shared
 * library that is loaded at the first call, so any linker can link the program:
 * it need not know of that library.
 *
 * Each function jumps to where its slot points: first to code that looks up the
 * real function and stores it in the slot, then to that function. All registers
 * that carry arguments are preserved.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Only we have a library of this name: if LD_LIBRARY_PATH names NVIDIA's
 * toolkit, libcudart.so.12 would be NVIDIA's. The loader's usual search comes
 * first, then the folder of installation. */
#define LIBRARY "libcudart-static.so"

#define EXPORT_NO(name)                        DOOR(name)
#define EXPORT_PTDS(name)                      DOOR(name) DOOR(name##_ptds)
#define EXPORT_PTSZ(name)                      DOOR(name) DOOR(name##_ptsz)
#define RT_API(name, since, per_thread, state) EXPORT_##per_thread(name)

#define DOOR(name)                                                             \
    __asm__(".pushsection .text\n"                                             \
            ".p2align 4\n"                                                     \
            ".globl " #name "\n"                                               \
            ".hidden " #name "\n"                                              \
            ".type " #name ", @function\n" #name ":\n"                         \
            "    .cfi_startproc\n"                                             \
            "    endbr64\n"                                                    \
            "    jmp *.Lslot_" #name "(%rip)\n"                                \
            ".Lfirst_" #name ":\n"                                             \
            "    endbr64\n"                                                    \
            "    lea .Lname_" #name "(%rip), %r10\n"                           \
            "    lea .Lslot_" #name "(%rip), %r11\n"                           \
            "    jmp .Lbind\n"                                                 \
            "    .cfi_endproc\n"                                               \
            ".size " #name ", . - " #name "\n"                                 \
            ".popsection\n"                                                    \
            ".pushsection .data.rel.local, \"aw\"\n"                           \
            ".p2align 3\n"                                                     \
            ".Lslot_" #name ": .quad .Lfirst_" #name "\n"                      \
            ".popsection\n"                                                    \
            ".pushsection .rodata.str1.1, \"aMS\", @progbits, 1\n"             \
            ".Lname_" #name ": .asciz \"" #name "\"\n"                         \
            ".popsection\n");
#include "api.def"

/* Saves 7 integer and 8 floating-point registers; 200 bytes keep the stack
 * aligned to 16. */
__asm__(".pushsection .text\n"
        ".p2align 4\n"
        ".type .Lbind, @function\n"
        ".Lbind:\n"
        "    .cfi_startproc\n"
        "    sub $200, %rsp\n"
        "    .cfi_adjust_cfa_offset 200\n"
        "    mov %rdi, 128(%rsp)\n"
        "    mov %rsi, 136(%rsp)\n"
        "    mov %rdx, 144(%rsp)\n"
        "    mov %rcx, 152(%rsp)\n"
        "    mov %r8, 160(%rsp)\n"
        "    mov %r9, 168(%rsp)\n"
        "    mov %rax, 176(%rsp)\n"
        "    movups %xmm0, (%rsp)\n"
        "    movups %xmm1, 16(%rsp)\n"
        "    movups %xmm2, 32(%rsp)\n"
        "    movups %xmm3, 48(%rsp)\n"
        "    movups %xmm4, 64(%rsp)\n"
        "    movups %xmm5, 80(%rsp)\n"
        "    movups %xmm6, 96(%rsp)\n"
        "    movups %xmm7, 112(%rsp)\n"
        "    mov %r10, %rdi\n"
        "    mov %r11, %rsi\n"
        "    call bind_door\n"
        "    mov %rax, %r11\n"
        "    movups 112(%rsp), %xmm7\n"
        "    movups 96(%rsp), %xmm6\n"
        "    movups 80(%rsp), %xmm5\n"
        "    movups 64(%rsp), %xmm4\n"
        "    movups 48(%rsp), %xmm3\n"
        "    movups 32(%rsp), %xmm2\n"
        "    movups 16(%rsp), %xmm1\n"
        "    movups (%rsp), %xmm0\n"
        "    mov 176(%rsp), %rax\n"
        "    mov 168(%rsp), %r9\n"
        "    mov 160(%rsp), %r8\n"
        "    mov 152(%rsp), %rcx\n"
        "    mov 144(%rsp), %rdx\n"
        "    mov 136(%rsp), %rsi\n"
        "    mov 128(%rsp), %rdi\n"
        "    add $200, %rsp\n"
        "    .cfi_adjust_cfa_offset -200\n"
        "    jmp *%r11\n"
        "    .cfi_endproc\n"
        ".size .Lbind, . - .Lbind\n"
        ".popsection\n");

static _Noreturn void give_up(const char *name)
{
    const char *reason = dlerror();
    fprintf(stderr,
            "weft: %s cannot be called: %s; set LD_LIBRARY_PATH to weft's "
            "folder of libraries, or link the program again\n",
            name, reason ? reason : LIBRARY " was not found");
    _Exit(127); /* as the dynamic linker ends a program that lacks a library */
}

static void *load_library(void)
{
    void *library = dlopen(LIBRARY, RTLD_LAZY);
    return library ? library : dlopen(WEFT_PLACE "/" LIBRARY, RTLD_LAZY);
}

/* Called by the code above. Several threads may come here at once: all find and
 * store the same function. */
__attribute__((used)) static void *bind_door(const char *name,
                                             _Atomic(void *) *slot)
{
    static _Atomic(void *) loaded;
    void *library = atomic_load(&loaded);
    if (!library) {
        library = load_library();
        atomic_store(&loaded, library);
    }
    void *function = library ? dlsym(library, name) : NULL;
    if (!function)
        give_up(name);
    atomic_store(slot, function);
    return function;
}
