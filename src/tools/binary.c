/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extracts PTX from an executable, a library or an object file with fat
 * binaries inside, or from a fat binary by itself. Each translation unit with
 * device code has put one container into the file.
 */
#include "tools/tools.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/internal.h"
#include "fatbin/fatbin.h"

struct region {
    const char *data;
    size_t length;
};

/* ---- where the containers are ------------------------------------------- */

static bool fits_file(const struct region *file, uint64_t at, uint64_t size)
{
    return at <= file->length && size <= file->length - at;
}

static bool is_fatbin_section(const char *name)
{
    return !strcmp(name, FATBIN_SECTION) ||
           !strcmp(name, FATBIN_RELOCATABLE_SECTION);
}

/* The first section with bytes whose name is wanted. False: there is none, or
 * the ELF file is damaged. */
static bool find_in_elf(const struct region *file,
                        bool (*is_wanted)(const char *name), struct region *out)
{
    Elf64_Ehdr h;
    Elf64_Shdr names, s;
    if (file->length < sizeof h)
        return false;
    memcpy(&h, file->data, sizeof h);
    if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof s ||
        h.e_shstrndx >= h.e_shnum ||
        !fits_file(file, h.e_shoff, (uint64_t)h.e_shnum * sizeof s))
        return false;
    memcpy(&names, file->data + h.e_shoff + h.e_shstrndx * sizeof s, sizeof s);
    if (!fits_file(file, names.sh_offset, names.sh_size) || !names.sh_size ||
        file->data[names.sh_offset + names.sh_size - 1])
        return false;
    for (unsigned i = 0; i < h.e_shnum; i++) {
        memcpy(&s, file->data + h.e_shoff + i * sizeof s, sizeof s);
        if (s.sh_type == SHT_NOBITS || s.sh_name >= names.sh_size ||
            !fits_file(file, s.sh_offset, s.sh_size) ||
            !is_wanted(file->data + names.sh_offset + s.sh_name))
            continue;
        *out = (struct region){file->data + s.sh_offset, s.sh_size};
        return true;
    }
    return false;
}

static bool find_section(const struct region *file, struct region *out)
{
    return find_in_elf(file, is_fatbin_section, out);
}

/* ---- choosing one ------------------------------------------------------- */

static bool is_container(const struct region *file)
{
    return fatbin_length(file->data, file->length) != 0;
}

bool tool_is_binary(const char *data, size_t length)
{
    struct region file = {data, length};
    return (length > SELFMAG && !memcmp(data, ELFMAG, SELFMAG)) ||
           is_container(&file);
}

/* Finds the container of that number, counted from 1; 0: the only one. False
 * after an error message. */
static bool choose_container(const char *path, struct region all,
                             uint64_t number, struct region *out)
{
    size_t length;
    uint64_t count = 0;
    const char *at;
    while ((at = fatbin_find(&all.data, &all.length, &length)))
        if (++count == (number ? number : 1))
            *out = (struct region){at, length};
    if (!count)
        tool_error("%s has no device code", path);
    else if (number > count || (!number && count > 1))
        tool_error("%s has %llu modules of device code, choose with "
                   "--module 1 ... %llu",
                   path, (unsigned long long)count, (unsigned long long)count);
    else
        return true;
    return false;
}

char *tool_extract_ptx(const char *path, const char *data, size_t length,
                       uint64_t number, size_t *ptx_length)
{
    struct region all = {data, length}, container;
    struct fatbin_entry entry;
    char *seen;
    if (!is_container(&all) && !find_section(&all, &all)) {
        tool_error("%s has no device code", path);
        return NULL;
    }
    if (!choose_container(path, all, number, &container))
        return NULL;
    /* The newest PTX, even if this runtime would choose another. */
    if (!fatbin_select(container.data, UINT_MAX, &entry, &seen)) {
        tool_error("%s has no PTX, only %s", path, seen ? seen : "nothing");
        free(seen);
        return NULL;
    }
    char *text = malloc(entry.ptx_bytes + 1);
    if (text) {
        memcpy(text, entry.ptx, entry.ptx_bytes);
        text[entry.ptx_bytes] = 0;
        *ptx_length = entry.ptx_bytes;
    } else {
        tool_error("no memory for the PTX of %s", path);
    }
    free(entry.owned);
    return text;
}

/* ---- listing ------------------------------------------------------------- */

static bool is_code_section(const char *name)
{
    return starts_with(name, ".text.");
}

/* nvcc's linker puts machine code without any function into every program, even
 * into one without device code. */
static bool is_empty(const struct fatbin_item *item)
{
    struct region file, code;
    if (item->kind != FATBIN_CUBIN)
        return false;
    char *data = fatbin_unpack(item, &file.length);
    file.data = data;
    bool is_elf =
        data && file.length >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG);
    bool has_code = !is_elf || find_in_elf(&file, is_code_section, &code);
    free(data);
    return !has_code;
}

static void note_item(const struct fatbin_item *item,
                      struct tool_device_code *out)
{
    char text[64];
    if (is_empty(item))
        return;
    snprintf(text, sizeof text, "%s for sm_%u%s",
             item->kind == FATBIN_PTX ? "PTX" : "machine code", item->sm,
             item->suffix);
    out->count++;
    out->runs_count += fatbin_runs_on(item, DEVICE_SM) ||
                       (item->kind == FATBIN_PTX && !*item->suffix);
    size_t n = strlen(out->targets);
    if (!strstr(out->targets, text))
        snprintf(out->targets + n, sizeof out->targets - n, "%s%s",
                 n ? ", " : "", text);
}

bool tool_device_code(const char *path, struct tool_device_code *out)
{
    struct region all;
    struct fatbin_item item;
    const char *container;
    size_t length;
    *out = (struct tool_device_code){0};
    char *data = tool_read_file(path, &all.length);
    if (!data)
        return false;
    all.data = data;
    bool has_code = find_section(&all, &all);
    while (has_code &&
           (container = fatbin_find(&all.data, &all.length, &length))) {
        struct fatbin_reader r;
        if (fatbin_open(container, &r))
            while (fatbin_next(&r, &item))
                note_item(&item, out);
    }
    free(data);
    return out->count > 0;
}
