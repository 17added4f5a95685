/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuobjdump: lists, prints and extracts the device code of executables,
 * libraries, objects, archives and fat binaries: weft's and nvcc's.
 */
#include "toolkit/toolkit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/internal.h"

enum {
    LIST_ELF,
    LIST_PTX,
    DUMP_PTX,
    EXTRACT_ELF,
    EXTRACT_PTX,
    DUMP_RESOURCES,
    ARCH,
    FUNCTION,
    ALL
};

static const struct kit_option options[] = {
    [LIST_ELF] = {"list-elf", "lelf", NULL, "list the machine code", KIT_TAKE},
    [LIST_PTX] = {"list-ptx", "lptx", NULL, "list the PTX", KIT_TAKE},
    [DUMP_PTX] = {"dump-ptx", "ptx", NULL, "print the PTX", KIT_TAKE},
    [EXTRACT_ELF] = {"extract-elf", "xelf", "NAME|all",
                     "write machine code into files", KIT_TAKE},
    [EXTRACT_PTX] = {"extract-ptx", "xptx", "NAME|all", "write PTX into files",
                     KIT_TAKE},
    [DUMP_RESOURCES] = {"dump-resource-usage", "res-usage", NULL,
                        "what each kernel takes, by its PTX", KIT_TAKE},
    [ARCH] = {"gpu-architecture", "arch", "SM", "this device's alone",
              KIT_TAKE},
    [FUNCTION] = {"function", "fun", "NAME,...", "these alone, of -res-usage",
                  KIT_TAKE},
    [ALL] = {"all-fatbin", "all", NULL, "every fat binary, as is done anyway",
             KIT_TUNES},
    {"sort-functions", "sort", NULL, "for machine code", KIT_TUNES},
    KIT_OPTIONS_FILE,
    {"list-text", "ltext", NULL, "machine code of GPUs is not read here",
     KIT_REFUSE},
    {"extract-text", "xtext", "NAME", "machine code of GPUs is not read here",
     KIT_REFUSE},
    {"function-index", "findex", "N", "machine code of GPUs is not read here",
     KIT_REFUSE},
    {"dump-sass", "sass", NULL,
     "machine code of GPUs is not read here; weft dump --asm shows this "
     "machine's",
     KIT_REFUSE},
    {"dump-elf", "elf", NULL,
     "machine code of GPUs is not read here; -xelf all writes it into files",
     KIT_REFUSE},
    {"dump-elf-symbols", "symbols", NULL,
     "machine code of GPUs is not read here; -xelf all and readelf -s show "
     "its symbols",
     KIT_REFUSE},
};

struct state {
    const struct kit_args *args;
    const char *path;
    const char *base;  /* the file's name without folder and ending */
    const char *bytes; /* the file's, and how many they are */
    size_t size;
    size_t member;    /* where the last member that was named begins */
    bool shows_heads; /* since nothing else was asked for */
    unsigned ptx_count, elf_count;
    unsigned sm; /* 0: every device's */
    char suffix;
    bool has_failed, is_unread;
};

/* "vec.1.sm_75.ptx" */
static char *name_of(struct state *s, const struct fatbin_item *item)
{
    char *name;
    bool is_ptx = item->kind == FATBIN_PTX;
    unsigned number = is_ptx ? ++s->ptx_count : ++s->elf_count;
    if (asprintf(&name, "%s.%u.sm_%u%s.%s", s->base, number, item->sm,
                 item->suffix, is_ptx ? "ptx" : "cubin") < 0)
        return NULL;
    return name;
}

static void print_head(const struct fatbin_item *item)
{
    printf("\nFatbin %s code:\n================\n",
           item->kind == FATBIN_PTX ? "ptx" : "elf");
    printf("arch = sm_%u%s\ncode version = [%u,%u]\nhost = linux\n"
           "compile_size = 64bit\n",
           item->sm, item->suffix, item->major, item->minor);
    if (item->plain_bytes)
        printf("compressed\n");
    if (item->name_bytes)
        printf("identifier = %.*s\n", (int)item->name_bytes, item->name);
    if (item->kind == FATBIN_PTX)
        printf("ptxasOptions = \n");
}

static bool is_wanted(const struct state *s, const struct fatbin_item *item)
{
    return !s->sm || (item->sm == s->sm && *item->suffix == s->suffix);
}

/* Does `wanted`, a part of a name or "all", choose this name? NULL: it does
 * not. */
static bool is_named(const char *wanted, const char *name)
{
    return wanted && (!strcmp(wanted, "all") || strstr(name, wanted));
}

/* -fun NAME,...: is it one of these? */
static bool is_function_wanted(const struct state *s, const char *name)
{
    const char *names = kit_value(s->args, FUNCTION);
    size_t length = strlen(name);
    for (const char *p = names; p && *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        if (n == length && !strncmp(p, name, n))
            return true;
        p += n;
    }
    return !names;
}

/* In NVIDIA's form; constant bank 0 has what launches pass, then the kernel's
 * parameters, and shared memory 1024 bytes of the system's. */
static void print_function(const struct ptx_func *f)
{
    bool is_new = f->module->sm >= 90;
    unsigned shared = ptx_static_shared_bytes(f);
    printf(" Function %s:\n  REG:%u STACK:%zu SHARED:%u LOCAL:0 ", f->name,
           report_register_count(f), report_local_bytes(f),
           shared + (is_new && shared ? 1024 : 0));
    if (f->is_entry)
        printf("CONSTANT[0]:%zu ", f->param_bytes + (is_new ? 528 : 352));
    printf("TEXTURE:0 SURFACE:0 SAMPLER:0\n");
}

static void print_resources(struct state *s, const char *name, const char *text)
{
    struct diag log;
    diag_init(&log);
    struct ptx_module *m = ptx_parse(name, text, strlen(text), &log);
    s->has_failed |= !m;
    if (m) {
        printf("\nResource usage:\n Common:\n  GLOBAL:%zu",
               ptx_module_bytes(m, PTX_SPACE_global));
        if (report_const_bytes(m))
            printf(" CONSTANT[3]:%zu", report_const_bytes(m));
        putchar('\n');
        for (size_t i = 0; i < m->func_count; i++)
            if (!m->funcs[i]->is_declaration && !m->funcs[i]->alias_of &&
                is_function_wanted(s, m->funcs[i]->name))
                print_function(m->funcs[i]);
        ptx_module_destroy(m);
    } else {
        kit_print_log(log.text ? log.text : "");
    }
    diag_fini(&log);
}

static void show_ptx(struct state *s, const struct fatbin_item *item,
                     const char *name)
{
    size_t size;
    if (kit_value(s->args, LIST_PTX))
        printf("PTX file %4u: %s\n", s->ptx_count, name);
    bool is_extracted = is_named(kit_value(s->args, EXTRACT_PTX), name);
    bool is_printed = kit_value(s->args, DUMP_PTX);
    bool is_measured = kit_value(s->args, DUMP_RESOURCES);
    if (s->shows_heads || is_printed || is_measured)
        print_head(item);
    if (!is_extracted && !is_printed && !is_measured)
        return;
    char *text = fatbin_unpack(item, &size);
    if (!text) {
        kit_error("%s cannot be unpacked", name);
        s->has_failed = true;
        return;
    }
    size = strnlen(text, size);
    if (is_printed)
        printf("\n%s\n", text);
    if (is_measured)
        print_resources(s, name, text);
    if (is_extracted) {
        printf("Extracting PTX file and ptxas options %4u: %s -arch=sm_%u%s \n",
               s->ptx_count, name, item->sm, item->suffix);
        s->has_failed |= !kit_write(name, text, size);
    }
    free(text);
}

static void show_elf(struct state *s, const struct fatbin_item *item,
                     const char *name)
{
    size_t size;
    if (kit_value(s->args, LIST_ELF))
        printf("ELF file %4u: %s\n", s->elf_count, name);
    if (s->shows_heads || kit_value(s->args, DUMP_PTX) ||
        kit_value(s->args, DUMP_RESOURCES))
        print_head(item);
    if (!is_named(kit_value(s->args, EXTRACT_ELF), name))
        return;
    printf("Extracting ELF file %4u: %s\n", s->elf_count, name);
    char *bytes = fatbin_unpack(item, &size);
    if (!bytes)
        kit_error("%s cannot be unpacked", name);
    s->has_failed |= !bytes || !kit_write(name, bytes, size);
    free(bytes);
}

/* ---- archives ------------------------------------------------------------ */

enum { MEMBER_HEAD = 60, MEMBER_SIZE_AT = 48 };

/* The member's name: "b.o/", or "/12", its place in the table of long names. */
static void print_member(const struct state *s, const char *head,
                         const char *long_names, size_t names_size)
{
    const char *name = head;
    if (head[0] == '/' && isdigit((unsigned char)head[1]) &&
        strtoull(head + 1, NULL, 10) < names_size)
        name = long_names + strtoull(head + 1, NULL, 10);
    char *path = realpath(s->path, NULL);
    printf("\nmember %s:%.*s:\n", path ? path : s->path,
           (int)strcspn(name, "/\n"), name);
    free(path);
}

/* Names the member of an archive that has the byte `offset`, once. */
static void name_member(struct state *s, size_t offset)
{
    const char *long_names = NULL;
    size_t names_size = 0;
    if (!starts_with(s->bytes, "!<arch>\n"))
        return;
    for (size_t at = 8; at + MEMBER_HEAD <= s->size;) {
        const char *head = s->bytes + at;
        size_t begin = at + MEMBER_HEAD;
        size_t size = strtoull(head + MEMBER_SIZE_AT, NULL, 10);
        if (starts_with(head, "// ")) {
            long_names = s->bytes + begin;
            names_size = size < s->size - begin ? size : s->size - begin;
        }
        if (offset < begin + size) {
            if (at != s->member)
                print_member(s, head, long_names, names_size);
            s->member = at;
            return;
        }
        at = begin + size + size % 2;
    }
}

/* ---- files --------------------------------------------------------------- */

static void show_item(struct state *s, const struct fatbin_item *item)
{
    char *name = name_of(s, item);
    if (name && item->kind == FATBIN_PTX)
        show_ptx(s, item, name);
    else if (name && item->kind == FATBIN_CUBIN)
        show_elf(s, item, name);
    free(name);
}

static void show_container(void *data, char *container, size_t size_bytes)
{
    struct state *s = data;
    struct fatbin_reader r;
    struct fatbin_item item;
    (void)size_bytes;
    if (!fatbin_open(container, &r))
        return;
    name_member(s, (size_t)(container - s->bytes));
    while (fatbin_next(&r, &item))
        if (is_wanted(s, &item))
            show_item(s, &item);
}

static char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *base = strdup(slash ? slash + 1 : path);
    char *dot = base ? strrchr(base, '.') : NULL;
    if (dot && dot != base)
        *dot = 0;
    return base;
}

/* A list of nothing says so. */
static void note_empty_list(const struct state *s, unsigned option,
                            unsigned count, const char *kind)
{
    if (kit_value(s->args, option) && !count)
        fprintf(stderr,
                "cuobjdump info    : No %s file found to extract from '%s'.\n",
                kind, s->path);
}

static bool show_file(struct state *s, const char *path)
{
    size_t size;
    unsigned ptx_before = s->ptx_count, elf_before = s->elf_count;
    char *base = base_of(path);
    char *bytes = base ? kit_read(path, &size) : NULL;
    s->is_unread |= !bytes;
    s->path = path;
    s->base = base;
    s->bytes = bytes;
    s->size = bytes ? size : 0;
    s->member = 0;
    bool ok =
        bytes && kit_for_each_container(path, bytes, size, show_container, s);
    if (ok) {
        note_empty_list(s, LIST_PTX, s->ptx_count - ptx_before, "PTX");
        note_empty_list(s, LIST_ELF, s->elf_count - elf_before, "ELF");
    }
    free(bytes);
    free(base);
    return ok && !s->has_failed;
}

static int run_cuobjdump(const struct kit_args *args)
{
    struct state s = {.args = args};
    const char *arch = kit_value(args, ARCH);
    if (arch && !kit_parse_arch("gpu-architecture", arch, &s.sm, &s.suffix))
        return kit_cuobjdump.fatal_status;
    s.shows_heads = true;
    for (size_t i = 0; i < args->given.count; i++)
        s.shows_heads &= args->given.data[i].option >= ARCH;
    bool ok = true;
    for (size_t i = 0; i < args->files.count; i++)
        ok &= show_file(&s, args->files.data[i]);
    return ok ? 0 : s.is_unread ? kit_cuobjdump.fatal_status : 255;
}

const struct kit_tool kit_cuobjdump = {
    .name = "cuobjdump",
    .arguments = "FILE...",
    .summary = "lists, prints and extracts the device code in files",
    .details = "",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .fatal_status = 1,
    .helps_alone = true,
    .run = run_cuobjdump,
};
