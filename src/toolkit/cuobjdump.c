/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuobjdump: lists, prints and extracts the device code of executables,
 * libraries, objects, archives and fat binaries: weft's and nvcc's.
 */
#include "toolkit/toolkit.h"

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
    [ALL] = {"all-fatbin", "all", NULL, "every fat binary, as is done anyway",
             KIT_TUNES},
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
    const char *base; /* the file's name without folder and ending */
    unsigned ptx_count, elf_count;
    unsigned sm; /* 0: every device's */
    char suffix;
    bool has_failed;
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
    putchar('\n');
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

static void print_resources(struct state *s, const char *name, const char *text)
{
    struct diag log;
    diag_init(&log);
    struct ptx_module *m = ptx_parse(name, text, strlen(text), &log);
    char *report = m ? report_info(m) : NULL;
    fputs(report ? report : log.text ? log.text : "", report ? stdout : stderr);
    s->has_failed |= !report;
    free(report);
    if (m)
        ptx_module_destroy(m);
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
    if (!is_extracted && !is_printed && !is_measured)
        return;
    char *text = fatbin_unpack(item, &size);
    if (!text) {
        kit_error("%s cannot be unpacked", name);
        s->has_failed = true;
        return;
    }
    size = strnlen(text, size);
    if (is_printed) {
        print_head(item);
        printf("%s\n", text);
    }
    if (is_measured)
        print_resources(s, name, text);
    if (is_extracted) {
        printf("Extracting PTX file and ptxas options %4u: %s\n", s->ptx_count,
               name);
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
    if (!is_named(kit_value(s->args, EXTRACT_ELF), name))
        return;
    printf("Extracting ELF file %4u: %s\n", s->elf_count, name);
    char *bytes = fatbin_unpack(item, &size);
    if (!bytes)
        kit_error("%s cannot be unpacked", name);
    s->has_failed |= !bytes || !kit_write(name, bytes, size);
    free(bytes);
}

static void show_container(void *data, char *container, size_t size_bytes)
{
    struct state *s = data;
    struct fatbin_reader r;
    struct fatbin_item item;
    (void)size_bytes;
    if (!fatbin_open(container, &r))
        return;
    while (fatbin_next(&r, &item)) {
        if (!is_wanted(s, &item))
            continue;
        char *name = name_of(s, &item);
        if (name && item.kind == FATBIN_PTX)
            show_ptx(s, &item, name);
        else if (name && item.kind == FATBIN_CUBIN)
            show_elf(s, &item, name);
        free(name);
    }
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

static bool show_file(struct state *s, const char *path)
{
    size_t size;
    char *base = base_of(path);
    char *bytes = base ? kit_read(path, &size) : NULL;
    s->base = base;
    bool ok =
        bytes && kit_for_each_container(path, bytes, size, show_container, s);
    free(bytes);
    free(base);
    return ok && !s->has_failed;
}

static int run_cuobjdump(const struct kit_args *args)
{
    struct state s = {.args = args};
    const char *arch = kit_value(args, ARCH);
    if (arch && !kit_parse_arch(arch, &s.sm, &s.suffix))
        return 1;
    if (!args->files.count) {
        kit_error("expected a file; see --help");
        return 1;
    }
    bool is_asked = false;
    for (size_t i = 0; i < args->given.count; i++)
        is_asked |= args->given.data[i].option < ARCH;
    if (!is_asked) {
        kit_error("what shall be shown? -lptx, -lelf, -ptx, -xptx, -xelf or "
                  "-res-usage");
        return 1;
    }
    bool ok = true;
    for (size_t i = 0; i < args->files.count; i++)
        ok &= show_file(&s, args->files.data[i]);
    return ok ? 0 : 1;
}

const struct kit_tool kit_cuobjdump = {
    .name = "cuobjdump",
    .arguments = "FILE...",
    .summary = "lists, prints and extracts the device code in files",
    .details = "",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .run = run_cuobjdump,
};
