/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relocations of aarch64 objects that LLVM emits for the small PIC model.
 * Source: ELF for the Arm 64-bit Architecture, "Relocation".
 */
#include "jit/internal.h"

#include <elf.h>

static bool fits_signed(int64_t value, unsigned bits)
{
    int64_t limit = INT64_C(1) << (bits - 1);
    return value >= -limit && value < limit;
}

/* Replaces `width` bits of the instruction at the place, from bit `at`. */
static enum jit_reloc_result put_bits(const struct jit_reloc *r, uint64_t value,
                                      unsigned at, unsigned width)
{
    if (r->room < 4)
        return JIT_RELOC_TOO_FAR;
    uint32_t mask = ((UINT32_C(1) << width) - 1) << at;
    uint32_t inst;
    memcpy(&inst, r->place, 4);
    inst = (inst & ~mask) | ((uint32_t)(value << at) & mask);
    memcpy(r->place, &inst, 4);
    return JIT_RELOC_DONE;
}

static enum jit_reloc_result put_data(const struct jit_reloc *r, uint64_t value,
                                      unsigned size_bytes)
{
    if (r->room < size_bytes ||
        (size_bytes == 4 && !fits_signed((int64_t)value, 32)))
        return JIT_RELOC_TOO_FAR;
    memcpy(r->place, &value, size_bytes);
    return JIT_RELOC_DONE;
}

/* The distance to the target in words, as branches have it. */
static enum jit_reloc_result put_words(const struct jit_reloc *r,
                                       uint64_t target, unsigned at,
                                       unsigned width)
{
    int64_t distance = (int64_t)(target - r->address);
    if (distance & 3 || !fits_signed(distance, width + 2))
        return JIT_RELOC_TOO_FAR;
    return put_bits(r, (uint64_t)distance >> 2, at, width);
}

/* adr, adrp: 21 bits, the low two of them apart. */
static enum jit_reloc_result put_adr(const struct jit_reloc *r, int64_t value)
{
    if (!fits_signed(value, 21))
        return JIT_RELOC_TOO_FAR;
    put_bits(r, (uint64_t)value & 3, 29, 2);
    return put_bits(r, (uint64_t)value >> 2, 5, 19);
}

static int64_t page_distance(const struct jit_reloc *r, uint64_t target)
{
    return (int64_t)((target >> 12) - (r->address >> 12));
}

/* The target's offset in its page, in units of the access: 1 << shift bytes. */
static enum jit_reloc_result put_offset(const struct jit_reloc *r,
                                        uint64_t target, unsigned shift)
{
    return put_bits(r, (target & 0xfff) >> shift, 10, 12);
}

static enum jit_reloc_result relocate_one(const struct jit_reloc *r)
{
    uint64_t target = r->symbol + (uint64_t)r->addend;
    uint64_t branch = (r->stub ? r->stub : r->symbol) + (uint64_t)r->addend;
    switch (r->type) {
    case R_AARCH64_NONE:
        return JIT_RELOC_DONE;
    case R_AARCH64_ABS64:
        return put_data(r, target, 8);
    case R_AARCH64_PREL64:
        return put_data(r, target - r->address, 8);
    case R_AARCH64_PREL32:
        return put_data(r, target - r->address, 4);
    case R_AARCH64_ADR_PREL_LO21:
        return put_adr(r, (int64_t)(target - r->address));
    case R_AARCH64_ADR_PREL_PG_HI21:
        return put_adr(r, page_distance(r, target));
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
        return put_offset(r, target, 0);
    case R_AARCH64_LDST16_ABS_LO12_NC:
        return put_offset(r, target, 1);
    case R_AARCH64_LDST32_ABS_LO12_NC:
        return put_offset(r, target, 2);
    case R_AARCH64_LDST64_ABS_LO12_NC:
        return put_offset(r, target, 3);
    case R_AARCH64_LDST128_ABS_LO12_NC:
        return put_offset(r, target, 4);
    case R_AARCH64_LD_PREL_LO19:
    case R_AARCH64_CONDBR19:
        return put_words(r, target, 5, 19);
    case R_AARCH64_TSTBR14:
        return put_words(r, target, 5, 14);
    case R_AARCH64_JUMP26:
    case R_AARCH64_CALL26:
        return put_words(r, branch, 0, 26);
    case R_AARCH64_ADR_GOT_PAGE:
        return put_adr(r, page_distance(r, r->slot));
    case R_AARCH64_LD64_GOT_LO12_NC:
        return put_offset(r, r->slot, 3);
    }
    return JIT_RELOC_UNKNOWN;
}

/* adrp x16, slot; ldr x16, [x16, slot]; br x16; nop */
static void write_stub(uint8_t *code, uint64_t address, uint64_t slot)
{
    uint32_t insts[4] = {0x90000010, 0xf9400210, 0xd61f0200, 0xd503201f};
    uint64_t pages = (slot >> 12) - (address >> 12);
    insts[0] |= (uint32_t)(pages & 3) << 29 | (uint32_t)(pages >> 2 & 0x7ffff)
                                                  << 5;
    insts[1] |= (uint32_t)((slot & 0xfff) >> 3) << 10;
    memcpy(code, insts, JIT_STUB_BYTES);
}

const struct jit_arch jit_arch_aarch64 = {
    .elf_machine = EM_AARCH64,
    .relocate = relocate_one,
    .write_stub = write_stub,
};
