/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF files and archives, in which containers stand. Only checks that a file is
 * whole: that all sections or members lie within its bytes.
 */
#include "fatbin/fatbin.h"

#include <ar.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

static bool fits_within(size_t size_bytes, uint64_t at, uint64_t length)
{
    return at <= size_bytes && length <= size_bytes - at;
}

static bool is_header(const Elf64_Ehdr *h)
{
    return memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
           h->e_ident[EI_CLASS] == ELFCLASS64 &&
           h->e_ident[EI_DATA] == ELFDATA2LSB &&
           h->e_ident[EI_VERSION] == EV_CURRENT && h->e_ehsize >= sizeof *h &&
           (!h->e_shnum || h->e_shentsize == sizeof(Elf64_Shdr));
}

bool fatbin_is_elf(const void *bytes, size_t size_bytes)
{
    const char *file = bytes;
    Elf64_Ehdr h;
    Elf64_Shdr s;
    if (size_bytes < sizeof h)
        return false;
    memcpy(&h, file, sizeof h);
    if (!is_header(&h) ||
        !fits_within(size_bytes, h.e_shoff, (uint64_t)h.e_shnum * sizeof s))
        return false;
    for (unsigned i = 0; i < h.e_shnum; i++) {
        memcpy(&s, file + h.e_shoff + i * sizeof s, sizeof s);
        if (s.sh_type != SHT_NULL && s.sh_type != SHT_NOBITS &&
            !fits_within(size_bytes, s.sh_offset, s.sh_size))
            return false;
    }
    return true;
}

/* The bytes that follow a member's header. False: the header is damaged. */
static bool member_bytes(const struct ar_hdr *h, size_t *size_bytes)
{
    char digits[sizeof h->ar_size + 1] = {0};
    char *end;
    memcpy(digits, h->ar_size, sizeof h->ar_size);
    *size_bytes = strtoul(digits, &end, 10);
    return memcmp(h->ar_fmag, ARFMAG, sizeof h->ar_fmag) == 0 &&
           end != digits && strspn(end, " ") == strlen(end);
}

bool fatbin_is_archive(const void *bytes, size_t size_bytes)
{
    const char *file = bytes;
    struct ar_hdr h;
    size_t at = SARMAG, length;
    if (size_bytes < SARMAG || memcmp(file, ARMAG, SARMAG) != 0)
        return false;
    while (at < size_bytes) {
        if (!fits_within(size_bytes, at, sizeof h))
            return false;
        memcpy(&h, file + at, sizeof h);
        at += sizeof h;
        if (!member_bytes(&h, &length) || !fits_within(size_bytes, at, length))
            return false;
        at += length + length % 2;
    }
    return true;
}
