/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relocations of x86-64 objects that LLVM emits for the small PIC model.
 * Source: System V ABI, AMD64 supplement, "Relocation".
 */
#include "jit/internal.h"

#include <elf.h>

static enum jit_reloc_result put_64_bits(const struct jit_reloc *r,
                                         uint64_t value)
{
    if (r->room < 8)
        return JIT_RELOC_TOO_FAR;
    memcpy(r->place, &value, 8);
    return JIT_RELOC_DONE;
}

static enum jit_reloc_result put_signed32(const struct jit_reloc *r,
                                          uint64_t value)
{
    int32_t low = (int32_t)value;
    if (r->room < 4 || (uint64_t)(int64_t)low != value)
        return JIT_RELOC_TOO_FAR;
    memcpy(r->place, &low, 4);
    return JIT_RELOC_DONE;
}

static enum jit_reloc_result put_unsigned32(const struct jit_reloc *r,
                                            uint64_t value)
{
    uint32_t low = (uint32_t)value;
    if (r->room < 4 || low != value)
        return JIT_RELOC_TOO_FAR;
    memcpy(r->place, &low, 4);
    return JIT_RELOC_DONE;
}

static enum jit_reloc_result relocate_one(const struct jit_reloc *r)
{
    uint64_t s = r->symbol, a = (uint64_t)r->addend, p = r->address;
    switch (r->type) {
    case R_X86_64_NONE:
        return JIT_RELOC_DONE;
    case R_X86_64_64:
        return put_64_bits(r, s + a);
    case R_X86_64_PC64:
        return put_64_bits(r, s + a - p);
    case R_X86_64_32:
        return put_unsigned32(r, s + a);
    case R_X86_64_32S:
        return put_signed32(r, s + a);
    case R_X86_64_PC32:
        return put_signed32(r, s + a - p);
    case R_X86_64_PLT32:
        return put_signed32(r, (r->stub ? r->stub : s) + a - p);
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        return put_signed32(r, r->slot + a - p);
    }
    return JIT_RELOC_UNKNOWN;
}

/* jmp *slot(%rip), then int3 to the end. */
static void write_stub(uint8_t *code, uint64_t address, uint64_t slot)
{
    int32_t distance = (int32_t)(slot - (address + 6));
    memset(code, 0xcc, JIT_STUB_BYTES);
    code[0] = 0xff;
    code[1] = 0x25;
    memcpy(code + 2, &distance, 4);
}

const struct jit_arch jit_arch_x86_64 = {
    .elf_machine = EM_X86_64,
    .relocate = relocate_one,
    .write_stub = write_stub,
};
