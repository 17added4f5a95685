/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvprune: keeps the device code of some architectures and drops the rest. The
 * file keeps its size and its layout, so offsets into it stay valid: what is
 * dropped becomes zeros, which compress to nothing and are never read.
 */
#include "toolkit/toolkit.h"

#include <stdlib.h>

#include "fatbin/format.h"

enum { ARCH, GENCODE, OUTPUT, NO_RELOCATABLE };

static const struct kit_option options[] = {
    [ARCH] = {"arch", "arch", "SM", "keep this one", KIT_TAKE},
    [GENCODE] = {"generate-code", "gencode", "arch=...,code=SM",
                 "keep this one, and others so named", KIT_TAKE},
    [OUTPUT] = {"output-file", "o", "FILE", "the result", KIT_TAKE},
    [NO_RELOCATABLE] = {"no-relocatable-elf", "no-relocatable-elf", NULL,
                        "no machine code at all", KIT_TAKE},
};

struct kept {
    unsigned sm;
    char suffix;
    bool is_ptx;
};

struct job {
    const struct kit_args *args;
    VEC(struct kept) kept;
    unsigned kept_count, dropped_count;
};

static bool keep_name(struct job *job, const char *option, const char *name)
{
    struct kept k = {.is_ptx = starts_with(name, "compute_")};
    return kit_parse_arch(option, name, &k.sm, &k.suffix) &&
           vec_push(&job->kept, k);
}

/* "arch=compute_80,code=sm_80", or with "code=[compute_80,sm_80]". */
static bool keep_gencode(struct job *job, const char *text)
{
    char name[32];
    const char *code = strstr(text, "code=");
    bool ok = code != NULL;
    for (const char *p = ok ? code + 5 : ""; *p && ok;) {
        p += strspn(p, "[],");
        size_t n = strcspn(p, "[],");
        if (!n)
            break;
        ok = n < sizeof name;
        if (ok) {
            memcpy(name, p, n);
            name[n] = 0;
            ok = keep_name(job, options[GENCODE].name, name);
        }
        p += n;
    }
    if (!ok)
        kit_error("'%s' is not like arch=compute_80,code=sm_80", text);
    return ok;
}

/* -arch keeps both PTX and machine code of an architecture, -gencode only the
 * kind that it names. */
static bool is_kept(const struct job *job, const struct fatbin_item *item)
{
    bool is_ptx = item->kind == FATBIN_PTX;
    if (!is_ptx && kit_value(job->args, NO_RELOCATABLE))
        return false;
    for (size_t i = 0; i < job->kept.count; i++) {
        const struct kept *k = &job->kept.data[i];
        if (k->sm == item->sm && k->suffix == *item->suffix &&
            (k->is_ptx == is_ptx || kit_value(job->args, ARCH)))
            return true;
    }
    return false;
}

/* Moves the images that are kept to the front of the container and fills the
 * rest with zeros. */
static void prune_container(void *data, char *container, size_t size_bytes)
{
    struct job *job = data;
    struct fatbin_header c;
    struct fatbin_reader r;
    struct fatbin_item item;
    if (!fatbin_open(container, &r))
        return;
    char *from = container + sizeof c, *to = from;
    while (fatbin_next(&r, &item)) {
        char *end = (char *)item.content + item.content_bytes;
        size_t n = (size_t)(end - from);
        bool is_good = is_kept(job, &item);
        if (is_good) {
            memmove(to, from, n);
            to += n;
        }
        *(is_good ? &job->kept_count : &job->dropped_count) += 1;
        from = end;
    }
    memcpy(&c, container, sizeof c);
    c.content_bytes = (uint64_t)(to - container) - sizeof c;
    memcpy(container, &c, sizeof c);
    memset(to, 0, (size_t)(container + size_bytes - to));
}

static bool read_kept(struct job *job)
{
    for (size_t i = 0; i < job->args->given.count; i++) {
        const struct kit_given *g = &job->args->given.data[i];
        if (g->option == ARCH
                ? !keep_name(job, options[g->option].name, g->value)
                : g->option == GENCODE && !keep_gencode(job, g->value))
            return false;
    }
    if (!job->kept.count)
        kit_error("what shall be kept? -arch sm_80, or -gencode "
                  "arch=compute_80,code=sm_80");
    return job->kept.count > 0;
}

static int run_nvprune(const struct kit_args *args)
{
    size_t size;
    struct job job = {.args = args};
    const char *output = kit_value(args, OUTPUT);
    bool ok = read_kept(&job);
    if (ok && (args->files.count != 1 || !output)) {
        kit_error("expected one file, and -o FILE");
        ok = false;
    }
    char *bytes = ok ? kit_read(args->files.data[0], &size) : NULL;
    ok = bytes && kit_for_each_container(args->files.data[0], bytes, size,
                                         prune_container, &job);
    if (ok && !job.kept_count) {
        kit_error("'%s' has nothing for these, and %u others",
                  args->files.data[0], job.dropped_count);
        ok = false;
    }
    ok = ok && kit_write(output, bytes, size);
    free(bytes);
    vec_fini(&job.kept);
    return ok ? 0 : 1;
}

const struct kit_tool kit_nvprune = {
    .name = "nvprune",
    .arguments = "FILE -o FILE",
    .summary = "keeps the device code of some architectures",
    .details = "The result has the size of the original, with zeros in the "
               "place of what\nwas dropped.",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .fatal_status = 1,
    .run = run_nvprune,
};
