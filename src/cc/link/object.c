/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads from host object files and archives what separate compilation has put
 * there, with clang as with nvcc: relocatable device code in the section
 * __nv_relfatbin, and an undefined function for each compiled file, which a
 * device link has to define:
 *
 *     __cudaRegisterLinkedBinary_<file>
 *
 * An object that defines such functions is the result of an earlier device
 * link, which has linked the files of those names. Besides, changes what clang
 * writes differently: names of symbols, and the order of constructors.
 */
#include "cc/cc.h"

#include "fatbin/fatbin.h"

#include <ar.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char register_prefix[] = "__cudaRegisterLinkedBinary";

/* Maps a file; NULL after reporting. With O_RDWR, writes to the bytes change
 * the file. */
static char *map_file(const char *path, int access_mode, size_t *size)
{
    struct stat st;
    char *bytes = NULL;
    int fd = open(path, access_mode | O_CLOEXEC);
    *size = 0;
    if (fd >= 0 && fstat(fd, &st) == 0) {
        *size = (size_t)st.st_size;
        bytes = !*size ? (char *)""
                       : mmap(NULL, *size,
                              access_mode == O_RDWR ? PROT_READ | PROT_WRITE
                                                    : PROT_READ,
                              MAP_SHARED, fd, 0);
    }
    if (!bytes || bytes == MAP_FAILED) {
        cc_error("cannot read '%s': %s", path, strerror(errno));
        bytes = NULL;
    }
    if (fd >= 0)
        close(fd);
    return bytes;
}

/* ---- ELF ----------------------------------------------------------------- */

struct elf {
    const char *name; /* for messages */
    const char *bytes;
    size_t size;
    Elf64_Ehdr head;
    size_t section_count, names_index;
};

static bool read_at(const struct elf *e, uint64_t offset, void *out,
                    size_t bytes)
{
    if (offset > e->size || bytes > e->size - offset)
        return false;
    memcpy(out, e->bytes + offset, bytes);
    return true;
}

static bool read_section(const struct elf *e, size_t index, Elf64_Shdr *out)
{
    return index < e->section_count &&
           read_at(e, e->head.e_shoff + index * sizeof *out, out, sizeof *out);
}

/* The section's bytes; NULL if they are not all in the file. */
static const char *section_content(const struct elf *e, const Elf64_Shdr *s)
{
    if (s->sh_type == SHT_NOBITS || s->sh_offset > e->size ||
        s->sh_size > e->size - s->sh_offset)
        return NULL;
    return e->bytes + s->sh_offset;
}

/* A string of the string table `index`, or NULL. */
static const char *string_at(const struct elf *e, size_t index, size_t offset)
{
    Elf64_Shdr s;
    if (!read_section(e, index, &s))
        return NULL;
    const char *strings = section_content(e, &s);
    if (!strings || offset >= s.sh_size ||
        !memchr(strings + offset, 0, s.sh_size - offset))
        return NULL;
    return strings + offset;
}

static bool open_elf(struct elf *e)
{
    Elf64_Shdr first;
    if (!read_at(e, 0, &e->head, sizeof e->head) ||
        memcmp(e->head.e_ident, ELFMAG, SELFMAG) != 0 ||
        e->head.e_ident[EI_CLASS] != ELFCLASS64 ||
        e->head.e_ident[EI_DATA] != ELFDATA2LSB || e->head.e_type != ET_REL ||
        e->head.e_shentsize != sizeof first)
        return false;
    /* If there are too many sections for the header's fields, the first section
     * has the numbers. */
    e->section_count = 1;
    bool has_first = read_section(e, 0, &first);
    e->section_count = e->head.e_shnum ? e->head.e_shnum
                       : has_first     ? first.sh_size
                                       : 0;
    e->names_index = e->head.e_shstrndx;
    if (e->names_index == SHN_XINDEX && has_first)
        e->names_index = first.sh_link;
    return true;
}

static void read_symbols(const struct elf *e, const Elf64_Shdr *table,
                         struct cc_object *out)
{
    const char *symbols = section_content(e, table);
    for (size_t i = 0; symbols && (i + 1) * sizeof(Elf64_Sym) <= table->sh_size;
         i++) {
        Elf64_Sym s;
        memcpy(&s, symbols + i * sizeof s, sizeof s);
        const char *name = string_at(e, table->sh_link, s.st_name);
        if (!name || !starts_with(name, register_prefix))
            continue;
        if (ELF64_ST_BIND(s.st_info) == STB_LOCAL)
            continue;
        cc_add(s.st_shndx == SHN_UNDEF ? &out->needed : &out->defined, name);
    }
}

static void read_object(struct elf *e, cc_objects *out)
{
    struct cc_object object = {.name = e->name};
    Elf64_Shdr s;
    if (!open_elf(e))
        return;
    for (size_t i = 0; read_section(e, i, &s); i++) {
        const char *name = string_at(e, e->names_index, s.sh_name);
        if (s.sh_type == SHT_SYMTAB) {
            read_symbols(e, &s, &object);
        } else if (name && strcmp(name, FATBIN_RELOCATABLE_SECTION) == 0) {
            object.fatbins = section_content(e, &s);
            object.fatbins_bytes = object.fatbins ? s.sh_size : 0;
        }
    }
    if (object.needed.count || object.defined.count)
        must_have_memory(vec_push(out, object));
}

/* ---- archives ------------------------------------------------------------ */

struct archive {
    const char *path, *bytes;
    size_t size;
    const char *long_names; /* NULL: none seen yet */
    size_t long_names_bytes;
    bool is_thin;
};

/* The name of a member: "name/" in its header, or "/123", an offset into the
 * member with the long names. */
static const char *member_name(const struct archive *a,
                               const struct ar_hdr *head)
{
    if (head->ar_name[0] != '/' || !a->long_names) {
        size_t length = 0;
        while (length < sizeof head->ar_name && head->ar_name[length] != '/')
            length++;
        return arena_strndup(cc_arena, head->ar_name, length);
    }
    size_t at = strtoul(head->ar_name + 1, NULL, 10), length = 0;
    if (at >= a->long_names_bytes)
        return "?";
    const char *name = a->long_names + at;
    while (at + length < a->long_names_bytes && name[length] != '\n')
        length++;
    if (length && name[length - 1] == '/')
        length--;
    return arena_strndup(cc_arena, name, length);
}

/* Reads a member of a thin archive: a file, whose path is relative to the
 * archive's folder. */
static void read_thin_member(const struct archive *a, const char *name,
                             cc_objects *out)
{
    const char *slash = strrchr(a->path, '/');
    if (name[0] != '/' && slash)
        name = arena_printf(cc_arena, "%.*s/%s", (int)(slash - a->path),
                            a->path, name);
    struct elf e = {.name = name};
    e.bytes = map_file(name, O_RDONLY, &e.size);
    if (e.bytes)
        read_object(&e, out);
}

static void read_archive(struct archive *a, cc_objects *out)
{
    size_t at = SARMAG;
    struct ar_hdr head;
    while (at <= a->size && a->size - at >= sizeof head) {
        memcpy(&head, a->bytes + at, sizeof head);
        at += sizeof head;
        char digits[sizeof head.ar_size + 1] = {0};
        memcpy(digits, head.ar_size, sizeof head.ar_size);
        size_t bytes = strtoul(digits, NULL, 10);
        bool is_table = head.ar_name[0] == '/' &&
                        (head.ar_name[1] == ' ' || head.ar_name[1] == '/' ||
                         starts_with(head.ar_name, "/SYM64/"));
        if (a->is_thin && !is_table) {
            read_thin_member(a, member_name(a, &head), out);
            continue;
        }
        if (bytes > a->size - at)
            return;
        if (head.ar_name[0] == '/' && head.ar_name[1] == '/') {
            a->long_names = a->bytes + at;
            a->long_names_bytes = bytes;
        } else if (!is_table) {
            /* Symbols are read in place, at any address. */
            struct elf e = {.name = arena_printf(cc_arena, "%s(%s)", a->path,
                                                 member_name(a, &head)),
                            .bytes = a->bytes + at,
                            .size = bytes};
            read_object(&e, out);
        }
        at += bytes + bytes % 2;
    }
}

/* ---- the door ------------------------------------------------------------ */

bool cc_objects_read(const char *path, cc_objects *out)
{
    size_t size;
    const char *bytes = map_file(path, O_RDONLY, &size);
    size_t first = out->count;
    if (!bytes)
        return false;
    bool is_thin = size >= SARMAG && memcmp(bytes, "!<thin>\n", SARMAG) == 0;
    bool is_archive =
        is_thin || (size >= SARMAG && memcmp(bytes, ARMAG, SARMAG) == 0);
    if (is_archive) {
        struct archive a = {
            .path = path, .bytes = bytes, .size = size, .is_thin = is_thin};
        read_archive(&a, out);
    } else {
        struct elf e = {
            .name = cc_shown_name(path), .bytes = bytes, .size = size};
        read_object(&e, out);
    }
    for (size_t i = first; i < out->count; i++)
        out->data[i].is_member = is_archive;
    return true;
}

/* Called for each symbol that has a name, which may be changed in a file that
 * is open for writing. */
typedef void visit_fn(const struct elf *e, const Elf64_Shdr *table,
                      const Elf64_Sym *symbol, char *name, void *context);

/* Calls `visit` for each symbol of an object file. A file that is no ELF
 * object, as with -flto, has none. False after reporting: it cannot be read, or
 * written. */
static bool each_symbol(const char *path, int access_mode, visit_fn *visit,
                        void *context)
{
    struct elf e = {.name = path};
    Elf64_Shdr s;
    char *bytes = map_file(path, access_mode, &e.size);
    e.bytes = bytes;
    if (!bytes)
        return false;
    bool is_elf = open_elf(&e);
    for (size_t i = 0; is_elf && read_section(&e, i, &s); i++) {
        const char *symbols =
            s.sh_type == SHT_SYMTAB ? section_content(&e, &s) : NULL;
        for (size_t k = 0; symbols && (k + 1) * sizeof(Elf64_Sym) <= s.sh_size;
             k++) {
            Elf64_Sym symbol;
            memcpy(&symbol, symbols + k * sizeof symbol, sizeof symbol);
            const char *name = string_at(&e, s.sh_link, symbol.st_name);
            if (name)
                visit(&e, &s, &symbol, bytes + (name - e.bytes), context);
        }
    }
    if (e.size)
        munmap(bytes, e.size);
    return true;
}

/* Where in [first, end) of the string table another symbol's name begins, or
 * `end`. Strings with the same end may share their bytes. */
static size_t find_shared(const struct elf *e, const Elf64_Shdr *table,
                          size_t first, size_t end)
{
    const char *symbols = section_content(e, table);
    for (size_t i = 0; (i + 1) * sizeof(Elf64_Sym) <= table->sh_size; i++) {
        Elf64_Sym s;
        memcpy(&s, symbols + i * sizeof s, sizeof s);
        if (s.st_name > first && s.st_name < end)
            end = s.st_name;
    }
    return end;
}

/* The digits behind the prefix of a name that registers; NULL: it is none. */
static char *registration_digits(char *name)
{
    static const char *const prefixes[] = {"__cudaRegisterLinkedBinary__nv_",
                                           "__fatbinwrap__nv_"};
    for (size_t p = 0; p < ARRAY_COUNT(prefixes); p++)
        if (starts_with(name, prefixes[p]))
            return name + strlen(prefixes[p]);
    return NULL;
}

/* A new id for both names. */
struct renaming {
    const char *id;
    size_t digits; /* as many as no other symbol's name has bytes of */
};

static void visit_shared(const struct elf *e, const Elf64_Shdr *table,
                         const Elf64_Sym *symbol, char *name, void *context)
{
    struct renaming *r = context;
    char *at = registration_digits(name);
    if (!at)
        return;
    size_t digits_at = symbol->st_name + (size_t)(at - name);
    size_t end = digits_at + strlen(at);
    size_t own = find_shared(e, table, digits_at - 1, end) - digits_at;
    r->digits = own < r->digits ? own : r->digits;
}

static void visit_registration(const struct elf *e, const Elf64_Shdr *table,
                               const Elf64_Sym *symbol, char *name,
                               void *context)
{
    const struct renaming *r = context;
    char *at = registration_digits(name);
    (void)e, (void)table, (void)symbol;
    if (at)
        memcpy(at, r->id, r->digits);
}

bool cc_object_rename(const char *path, const char *id)
{
    struct renaming r = {id, strlen(id)};
    return each_symbol(path, O_RDONLY, visit_shared, &r) &&
           each_symbol(path, O_RDWR, visit_registration, &r);
}

/* ---- stubs --------------------------------------------------------------- */

static const char stub_prefix[] = "__device_stub__";
#define STUB_BYTES (sizeof stub_prefix - 1)

/* In the name of a stub, _ZN2ns16__device_stub__kEi: where the 16 stands, the
 * length of the stub's own name; *length: 16. NULL: it is no stub's name. */
static char *stub_length(char *name, size_t *length)
{
    char *p = name + 2, *word;
    if (!starts_with(name, "_Z"))
        return NULL;
    for (;;) {
        if (starts_with(p, "St"))
            p += 2;
        else if (*p == 'N' || *p == 'L')
            p++;
        else
            break;
    }
    while (*p >= '1' && *p <= '9') {
        *length = strtoul(p, &word, 10);
        if (*length > strlen(word))
            return NULL;
        if (*length > STUB_BYTES && starts_with(word, stub_prefix))
            return p;
        p = word + *length;
        p += *p == 'L'; /* of a static kernel */
    }
    return NULL;
}

/* Is it the stub of a template's instance: _Z16__device_stub__kI... ? */
static bool is_template_stub(char *name)
{
    size_t length;
    const char *digits = stub_length(name, &length);
    return digits && strstr(digits, stub_prefix)[length] == 'I';
}

static void visit_undefined(const struct elf *e, const Elf64_Shdr *table,
                            const Elf64_Sym *symbol, char *name, void *lacks)
{
    (void)e, (void)table;
    *(bool *)lacks |= symbol->st_shndx == SHN_UNDEF && is_template_stub(name);
}

bool cc_object_lacks_stub(const char *path)
{
    bool lacks = false;
    each_symbol(path, O_RDONLY, visit_undefined, &lacks);
    return lacks;
}

static void visit_any(const struct elf *e, const Elf64_Shdr *table,
                      const Elf64_Sym *symbol, char *name, void *symbols)
{
    struct cc_symbols *s = symbols;
    (void)e, (void)table;
    if (*name)
        cc_add(symbol->st_shndx == SHN_UNDEF ? &s->undefined : &s->defined,
               arena_strndup(cc_arena, name, strlen(name)));
}

bool cc_object_symbols(const char *path, struct cc_symbols *out)
{
    return each_symbol(path, O_RDONLY, visit_any, out);
}

/* Overwrites a stub's name with the kernel's own, which is shorter. */
static void name_kernel(char *name)
{
    size_t length;
    char *at =
        starts_with(name, stub_prefix) ? name : stub_length(name, &length);
    if (!at)
        return;
    const char *rest = strstr(at, stub_prefix) + STUB_BYTES;
    if (at != name)
        at += sprintf(at, "%zu", length - STUB_BYTES);
    memmove(at, rest, strlen(rest) + 1);
}

static void visit_stub(const struct elf *e, const Elf64_Shdr *table,
                       const Elf64_Sym *symbol, char *name, void *context)
{
    size_t end = symbol->st_name + strlen(name);
    (void)context;
    if (strstr(name, stub_prefix) &&
        find_shared(e, table, symbol->st_name, end) == end)
        name_kernel(name);
}

bool cc_object_name_kernels(const char *path)
{
    return each_symbol(path, O_RDWR, visit_stub, NULL);
}

/* ---- the order of constructors ------------------------------------------- */

/* Finds the symbol of clang's function that registers the file's kernels. */
static bool find_registration(const struct elf *e, Elf64_Sym *out)
{
    Elf64_Shdr s;
    for (size_t i = 0; read_section(e, i, &s); i++) {
        const char *symbols =
            s.sh_type == SHT_SYMTAB ? section_content(e, &s) : NULL;
        for (size_t k = 0; symbols && (k + 1) * sizeof *out <= s.sh_size; k++) {
            memcpy(out, symbols + k * sizeof *out, sizeof *out);
            const char *name = string_at(e, s.sh_link, out->st_name);
            if (name && strcmp(name, "__cuda_module_ctor") == 0)
                return true;
        }
    }
    return false;
}

/* Does the relocation refer to `wanted`, by its symbol or by that of its
 * section and an offset? */
static bool refers_to(const struct elf *e, const Elf64_Shdr *relocations,
                      const Elf64_Rela *r, const Elf64_Sym *wanted)
{
    Elf64_Shdr table;
    Elf64_Sym symbol;
    if (!read_section(e, relocations->sh_link, &table) ||
        !read_at(e, table.sh_offset + ELF64_R_SYM(r->r_info) * sizeof symbol,
                 &symbol, sizeof symbol))
        return false;
    return symbol.st_shndx == wanted->st_shndx &&
           symbol.st_value + (uint64_t)r->r_addend == wanted->st_value;
}

/* The file offset of the relocation for the entry of `wanted` in the section;
 * NULL: of the first entry. 0: there is none. */
static uint64_t find_entry(const struct elf *e, const char *section_name,
                           const Elf64_Sym *wanted)
{
    Elf64_Shdr s, target;
    Elf64_Rela r;
    for (size_t i = 0; read_section(e, i, &s); i++) {
        if (s.sh_type != SHT_RELA || !read_section(e, s.sh_info, &target))
            continue;
        const char *name = string_at(e, e->names_index, target.sh_name);
        if (!name || strcmp(name, section_name) != 0)
            continue;
        for (uint64_t at = 0; at + sizeof r <= s.sh_size; at += sizeof r)
            if (read_at(e, s.sh_offset + at, &r, sizeof r) &&
                (!wanted || refers_to(e, &s, &r, wanted)))
                return s.sh_offset + at;
    }
    return 0;
}

/* Exchanges what two relocations refer to; their places stay. */
static void exchange_entries(char *bytes, uint64_t one, uint64_t other)
{
    Elf64_Rela a, b;
    memcpy(&a, bytes + one, sizeof a);
    memcpy(&b, bytes + other, sizeof b);
    uint64_t place = a.r_offset;
    a.r_offset = b.r_offset;
    b.r_offset = place;
    memcpy(bytes + one, &b, sizeof b);
    memcpy(bytes + other, &a, sizeof a);
}

bool cc_object_register_first(const char *path)
{
    struct elf e = {.name = path};
    Elf64_Sym wanted;
    char *bytes = map_file(path, O_RDWR, &e.size);
    e.bytes = bytes;
    if (!bytes)
        return false;
    /* With -flto it is no ELF object, and clang's order stays. */
    if (open_elf(&e) && find_registration(&e, &wanted)) {
        uint64_t late = find_entry(&e, ".init_array", &wanted);
        uint64_t first = find_entry(&e, ".init_array.100", NULL);
        if (late && first)
            exchange_entries(bytes, late, first);
    }
    if (e.size)
        munmap(bytes, e.size);
    return true;
}
