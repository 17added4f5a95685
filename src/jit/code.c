/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loader for the objects that our compiler makes: one text section, some
 * constants, next to no relocations. The system's dlopen would want a shared
 * library, a file and a linker, and takes longer than the whole of this.
 *
 * The image is mapped writable, filled, and then made executable: no page is
 * ever both. Objects come from a file that anybody may have damaged, so every
 * offset is checked before it is used.
 *
 *     code    executable sections, then a stub per symbol
 *     const   read-only sections, then a slot per symbol
 *     data    writable sections
 */
#include "jit/internal.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __x86_64__
#define HOST_ARCH jit_arch_x86_64
#elif defined __aarch64__
#define HOST_ARCH jit_arch_aarch64
#endif

enum region {
    REGION_NONE,
    REGION_CODE,
    REGION_CONST,
    REGION_DATA,
    REGION_COUNT
};

struct image {
    const uint8_t *file;
    size_t file_bytes;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names; /* of symbols */
    size_t names_bytes;
    const char *section_names;
    size_t section_names_bytes;

    uint8_t *memory;
    size_t region_at[REGION_COUNT], region_bytes[REGION_COUNT];
    size_t stubs_at, slots_at, total_bytes;
    size_t *section_at; /* offset in memory, or SIZE_MAX: not loaded */
    struct diag *diag;
};

static bool refuse_object(struct image *im, const char *what, const char *name)
{
    diag_error(im->diag, "compiled object: %s%s%s", what, name ? " " : "",
               name ? name : "");
    return false;
}

/* ---- reading ------------------------------------------------------------ */

static bool in_file(const struct image *im, uint64_t at, uint64_t size)
{
    return at <= im->file_bytes && size <= im->file_bytes - at;
}

static const char *name_at(const char *names, size_t size, size_t at)
{
    /* The table ends in NUL, which read_names has seen to. */
    return at < size ? names + at : "?";
}

static const char *section_name(const struct image *im, size_t i)
{
    return name_at(im->section_names, im->section_names_bytes,
                   im->sections[i].sh_name);
}

static const char *symbol_name(const struct image *im, size_t i)
{
    return name_at(im->names, im->names_bytes, im->symbols[i].st_name);
}

static bool read_names(struct image *im, size_t section, const char **names,
                       size_t *size)
{
    if (section >= im->header->e_shnum ||
        im->sections[section].sh_type != SHT_STRTAB)
        return refuse_object(im, "no names", NULL);
    const Elf64_Shdr *s = &im->sections[section];
    *names = (const char *)im->file + s->sh_offset;
    *size = s->sh_size;
    if (!*size || (*names)[*size - 1])
        return refuse_object(im, "names without an end", NULL);
    return true;
}

static bool read_header(struct image *im)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)im->file;
    if (im->file_bytes < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) ||
        h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_type != ET_REL)
        return refuse_object(im, "not a relocatable ELF file", NULL);
    if (h->e_machine != HOST_ARCH.elf_machine)
        return refuse_object(im, "made for another machine", NULL);
    if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff % 8 ||
        !in_file(im, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return refuse_object(im, "broken section table", NULL);
    im->header = h;
    im->sections = (const Elf64_Shdr *)(im->file + h->e_shoff);
    for (size_t i = 0; i < h->e_shnum; i++) {
        const Elf64_Shdr *s = &im->sections[i];
        if (s->sh_type != SHT_NOBITS && !in_file(im, s->sh_offset, s->sh_size))
            return refuse_object(im, "section past the end of the file", NULL);
    }
    return read_names(im, h->e_shstrndx, &im->section_names,
                      &im->section_names_bytes);
}

static bool read_symbols(struct image *im)
{
    for (size_t i = 0; i < im->header->e_shnum; i++) {
        const Elf64_Shdr *s = &im->sections[i];
        if (s->sh_type != SHT_SYMTAB)
            continue;
        if (s->sh_entsize != sizeof(Elf64_Sym) || s->sh_offset % 8)
            return refuse_object(im, "broken symbol table", NULL);
        im->symbols = (const Elf64_Sym *)(im->file + s->sh_offset);
        im->symbol_count = s->sh_size / sizeof(Elf64_Sym);
        return read_names(im, s->sh_link, &im->names, &im->names_bytes);
    }
    return refuse_object(im, "no symbol table", NULL);
}

/* ---- placing ------------------------------------------------------------ */

static enum region region_of(const struct image *im, size_t i)
{
    const Elf64_Shdr *s = &im->sections[i];
    /* No exception passes through kernels. */
    if (!(s->sh_flags & SHF_ALLOC) || !s->sh_size ||
        !strcmp(section_name(im, i), ".eh_frame"))
        return REGION_NONE;
    if (s->sh_flags & SHF_EXECINSTR)
        return REGION_CODE;
    return s->sh_flags & SHF_WRITE ? REGION_DATA : REGION_CONST;
}

#define IMAGE_LIMIT_BYTES ((size_t)1 << 30) /* branches reach 2 GiB */

static bool place_section(struct image *im, size_t i)
{
    const Elf64_Shdr *s = &im->sections[i];
    im->section_at[i] = SIZE_MAX;
    enum region region = region_of(im, i);
    if (region == REGION_NONE)
        return true;
    if (s->sh_flags & SHF_TLS)
        return refuse_object(im, "thread-local section", section_name(im, i));
    if (s->sh_type != SHT_PROGBITS && s->sh_type != SHT_NOBITS)
        return refuse_object(im, "unexpected section", section_name(im, i));
    size_t align = s->sh_addralign ? s->sh_addralign : 1;
    if (align & (align - 1) || align > 4096 || s->sh_size > IMAGE_LIMIT_BYTES)
        return refuse_object(im, "unreasonable section", section_name(im, i));

    size_t at = (im->region_bytes[region] + align - 1) & ~(align - 1);
    im->section_at[i] = at; /* in its region, until place_regions */
    im->region_bytes[region] = at + s->sh_size;
    return im->region_bytes[region] <= IMAGE_LIMIT_BYTES ||
           refuse_object(im, "too large at section", section_name(im, i));
}

static size_t align_up(size_t n, size_t align)
{
    return (n + align - 1) & ~(align - 1);
}

static void place_regions(struct image *im)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t *bytes = im->region_bytes;

    im->stubs_at = align_up(bytes[REGION_CODE], 16);
    bytes[REGION_CODE] = im->stubs_at + im->symbol_count * JIT_STUB_BYTES;
    im->slots_at = align_up(bytes[REGION_CONST], 8);
    bytes[REGION_CONST] = im->slots_at + im->symbol_count * 8;

    size_t at = 0;
    for (int r = REGION_CODE; r < REGION_COUNT; r++) {
        im->region_at[r] = at;
        bytes[r] = align_up(bytes[r], page);
        at += bytes[r];
    }
    im->stubs_at += im->region_at[REGION_CODE];
    im->slots_at += im->region_at[REGION_CONST];
    im->total_bytes = at;
    for (size_t i = 0; i < im->header->e_shnum; i++)
        if (im->section_at[i] != SIZE_MAX)
            im->section_at[i] += im->region_at[region_of(im, i)];
}

static bool fill_sections(struct image *im)
{
    void *p = mmap(NULL, im->total_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return refuse_object(im, "no memory for code", NULL);
    im->memory = p;
    for (size_t i = 0; i < im->header->e_shnum; i++) {
        const Elf64_Shdr *s = &im->sections[i];
        if (im->section_at[i] != SIZE_MAX && s->sh_type != SHT_NOBITS)
            memcpy(im->memory + im->section_at[i], im->file + s->sh_offset,
                   s->sh_size);
    }
    return true;
}

/* ---- resolving ---------------------------------------------------------- */

static uint64_t address_at(const struct image *im, size_t at)
{
    return (uint64_t)(uintptr_t)(im->memory + at);
}

/* What a relocation refers to. */
static bool resolve_reloc(struct image *im, size_t i, struct jit_reloc *r)
{
    if (i >= im->symbol_count)
        return refuse_object(im, "relocation against no symbol", NULL);
    const Elf64_Sym *sym = &im->symbols[i];
    size_t slot = im->slots_at + 8 * i;
    size_t stub = im->stubs_at + JIT_STUB_BYTES * i;

    if (sym->st_shndx == SHN_UNDEF) {
        r->symbol = jit_symbol_find(symbol_name(im, i));
        if (!r->symbol)
            return refuse_object(im, "calls an unknown function",
                                 symbol_name(im, i));
        r->stub = address_at(im, stub);
        HOST_ARCH.write_stub(im->memory + stub, r->stub, address_at(im, slot));
    } else if (sym->st_shndx == SHN_ABS) {
        r->symbol = sym->st_value;
    } else if (sym->st_shndx < im->header->e_shnum &&
               im->section_at[sym->st_shndx] != SIZE_MAX) {
        r->symbol =
            address_at(im, im->section_at[sym->st_shndx]) + sym->st_value;
    } else {
        return refuse_object(im, "symbol in no section", symbol_name(im, i));
    }
    r->slot = address_at(im, slot);
    memcpy(im->memory + slot, &r->symbol, 8);
    return true;
}

static bool relocate_one(struct image *im, size_t target,
                         const Elf64_Rela *rela)
{
    uint64_t size = im->sections[target].sh_size;
    if (rela->r_offset >= size)
        return refuse_object(im, "relocation outside of",
                             section_name(im, target));
    struct jit_reloc r = {
        .type = (uint32_t)ELF64_R_TYPE(rela->r_info),
        .place = im->memory + im->section_at[target] + rela->r_offset,
        .room = size - rela->r_offset,
        .addend = rela->r_addend,
    };
    r.address = (uint64_t)(uintptr_t)r.place;
    if (!resolve_reloc(im, ELF64_R_SYM(rela->r_info), &r))
        return false;
    enum jit_reloc_result result = HOST_ARCH.relocate(&r);
    if (result == JIT_RELOC_DONE)
        return true;
    char text[32];
    snprintf(text, sizeof text, "%u", r.type);
    return refuse_object(im,
                         result == JIT_RELOC_UNKNOWN
                             ? "unknown relocation type"
                             : "too far for relocation type",
                         text);
}

static bool relocate_section(struct image *im, const Elf64_Shdr *s)
{
    if (s->sh_type == SHT_REL)
        return refuse_object(im, "relocations without addends", NULL);
    if (s->sh_type != SHT_RELA)
        return true;
    size_t target = s->sh_info;
    if (target >= im->header->e_shnum || im->section_at[target] == SIZE_MAX)
        return true; /* of a section that is not loaded */
    if (s->sh_entsize != sizeof(Elf64_Rela) || s->sh_offset % 8)
        return refuse_object(im, "broken relocations", NULL);
    const Elf64_Rela *rela = (const Elf64_Rela *)(im->file + s->sh_offset);
    for (size_t i = 0; i < s->sh_size / sizeof *rela; i++)
        if (!relocate_one(im, target, &rela[i]))
            return false;
    return true;
}

/* Where the symbol's code is; 0: it is no function that has been loaded. */
static uint64_t function_address(const struct image *im, const Elf64_Sym *sym)
{
    size_t section = sym->st_shndx;
    if (ELF64_ST_TYPE(sym->st_info) != STT_FUNC ||
        section >= im->header->e_shnum || im->section_at[section] == SIZE_MAX ||
        sym->st_value >= im->sections[section].sh_size ||
        region_of(im, section) != REGION_CODE)
        return 0;
    return address_at(im, im->section_at[section]) + sym->st_value;
}

static bool find_entry(struct image *im, struct jit_code *out)
{
    for (size_t i = 0; i < im->symbol_count; i++) {
        uint64_t address = function_address(im, &im->symbols[i]);
        if (!address || strcmp(symbol_name(im, i), WEFT_ENTRY_NAME))
            continue;
        out->entry = (exec_kernel_fn *)(uintptr_t)address;
        return true;
    }
    return refuse_object(im, "has no function", WEFT_ENTRY_NAME);
}

/* A kernel's own functions, and parts of it, by the kernel's name and their
 * own. */
static void name_functions(const struct image *im, const char *kernel)
{
    for (size_t i = 0; i < im->symbol_count; i++) {
        const Elf64_Sym *sym = &im->symbols[i];
        const char *name = symbol_name(im, i);
        uint64_t address = function_address(im, sym);
        if (address)
            jit_perfmap_add(address, sym->st_size, kernel,
                            strcmp(name, WEFT_ENTRY_NAME) ? name : NULL);
    }
}

static bool protect_regions(struct image *im)
{
    uint8_t *code = im->memory + im->region_at[REGION_CODE];
    size_t code_bytes = im->region_bytes[REGION_CODE];
    __builtin___clear_cache((char *)code, (char *)code + code_bytes);
    if (mprotect(code, code_bytes, PROT_READ | PROT_EXEC))
        return refuse_object(im, "the system allows no new executable memory",
                             NULL);
    return !mprotect(im->memory + im->region_at[REGION_CONST],
                     im->region_bytes[REGION_CONST], PROT_READ) ||
           refuse_object(im, "cannot protect constants", NULL);
}

/* ---- lines -------------------------------------------------------------- */

static bool is_line_table(const struct image *im, size_t i)
{
    return i < im->header->e_shnum &&
           im->sections[i].sh_type == SHT_PROGBITS &&
           !strcmp(section_name(im, i), ".debug_line");
}

static uint64_t line_address(const void *object, size_t at)
{
    const struct image *im = object;
    for (size_t i = 0; i < im->header->e_shnum; i++) {
        const Elf64_Shdr *s = &im->sections[i];
        if (s->sh_type != SHT_RELA || !is_line_table(im, s->sh_info) ||
            s->sh_entsize != sizeof(Elf64_Rela) || s->sh_offset % 8)
            continue;
        const Elf64_Rela *rela = (const Elf64_Rela *)(im->file + s->sh_offset);
        for (size_t k = 0; k < s->sh_size / sizeof *rela; k++) {
            size_t symbol = ELF64_R_SYM(rela[k].r_info);
            if (rela[k].r_offset != at || symbol >= im->symbol_count)
                continue;
            const Elf64_Sym *sym = &im->symbols[symbol];
            if (sym->st_shndx < im->header->e_shnum &&
                im->section_at[sym->st_shndx] != SIZE_MAX)
                return address_at(im, im->section_at[sym->st_shndx]) +
                       sym->st_value + (uint64_t)rela[k].r_addend;
        }
    }
    return 0;
}

static struct jit_lines *load_lines(const struct image *im)
{
    for (size_t i = 0; i < im->header->e_shnum; i++)
        if (is_line_table(im, i)) {
            const struct jit_line_source source = {
                im->file + im->sections[i].sh_offset, im->sections[i].sh_size,
                line_address, im};
            return jit_lines_load(&source);
        }
    return NULL;
}

/* ---- the whole ---------------------------------------------------------- */

static bool load_object(struct image *im, struct jit_code *out)
{
    for (size_t i = 0; i < im->header->e_shnum; i++)
        if (!place_section(im, i))
            return false;
    place_regions(im);
    if (!fill_sections(im))
        return false;
    for (size_t i = 0; i < im->header->e_shnum; i++)
        if (!relocate_section(im, &im->sections[i]))
            return false;
    return find_entry(im, out) && protect_regions(im);
}

bool jit_code_load(const void *object, size_t object_bytes, const char *name,
                   struct jit_code *out, struct diag *diag)
{
    struct image im = {
        .file = object, .file_bytes = object_bytes, .diag = diag};
    if (!read_header(&im) || !read_symbols(&im))
        return false;
    im.section_at = calloc(im.header->e_shnum, sizeof *im.section_at);
    if (!im.section_at)
        return refuse_object(&im, "no memory to load it", NULL);

    bool ok = load_object(&im, out);
    if (ok) {
        if (jit_perfmap_is_wanted())
            name_functions(&im, name);
        out->memory = im.memory;
        out->memory_bytes = im.total_bytes;
        out->lines = load_lines(&im);
    } else if (im.memory) {
        munmap(im.memory, im.total_bytes);
    }
    free(im.section_at);
    return ok;
}

void jit_code_unload(struct jit_code *code)
{
    if (code->memory)
        munmap(code->memory, code->memory_bytes);
    code->memory = NULL;
    jit_lines_unload(code->lines);
    code->lines = NULL;
}
