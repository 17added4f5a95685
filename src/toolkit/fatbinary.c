/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fatbinary: packs images for several devices into one file, or into C code
 * that a compiler puts into a program. An image that our ptxas has wrapped is
 * unwrapped to PTX first.
 */
#include "toolkit/toolkit.h"

#include "fatbin/fatbin.h"

#include <stdio.h>
#include <stdlib.h>

enum { CREATE, EMBEDDED, IMAGE, IMAGE2, IMAGE3, IDENT, DEVICE_C, BITS32 };

static const struct kit_option options[] = {
    [CREATE] = {"create", "create", "FILE", "the fat binary", KIT_TAKE_ALONE},
    [EMBEDDED] = {"embedded-fatbin", "fatbin", "FILE.c", "the same, as C code",
                  KIT_TAKE},
    [IMAGE] = {"image", "image", "profile=SM,file=FILE", "an image",
               KIT_TAKE_ALONE},
    [IMAGE2] = {"image2", "image2", "profile=SM,file=FILE", "an image",
                KIT_TAKE_ALONE},
    [IMAGE3] = {"image3", "image3", "kind=ptx|elf,sm=N,file=FILE", "an image",
                KIT_TAKE_ALONE},
    [IDENT] = {"ident", "ident", "NAME", "of the source file", KIT_TAKE},
    [DEVICE_C] = {"device-c", "c", NULL, "device code that is to be linked",
                  KIT_TAKE},
    [BITS32] = {"32", "32", NULL, "addresses have 64 bits", KIT_REFUSE},
    {"link", "link", NULL, "linked code is whole here", KIT_TUNES},
    {"64", "64", NULL, "64-bit addresses, as always", KIT_TUNES},
    {"cmdline", "cmdline", "OPTIONS", "options of ptxas", KIT_TUNES},
    {"cicc-cmdline", "cicc-cmdline", "OPTIONS", "options of cicc", KIT_TUNES},
    {"compress", "compress", "BOOL", "images stay as they are", KIT_TUNES},
    {"compress-all", "compress-all", NULL, "images stay as they are",
     KIT_TUNES},
    {"compress-mode", "compress-mode", "default|size|speed|balance|none",
     "images stay as they are", KIT_TUNES},
    KIT_OPTIONS_FILE,
    {"cuda", "cuda", NULL, "for programs, as always", KIT_TUNES},
    {"debug", "g", NULL, "images say it themselves", KIT_TUNES},
    {"no-asm", "no-asm", NULL, "the C code has an array, as always", KIT_TUNES},
};

struct job {
    const struct kit_args *args;
    VEC(struct fatbin_image) images;
    VEC(char *) owned;
};

/* ---- images -------------------------------------------------------------- */

struct spec {
    char file[4096];
    unsigned sm;
    char suffix;
    enum { ANY_KIND, PTX, ELF } kind;
};

static bool parse_kind(const char *option, const char *value, struct spec *out)
{
    out->kind = !strcmp(value, "ptx") ? PTX : !strcmp(value, "elf") ? ELF : 0;
    if (!out->kind)
        kit_error("Missing or unknown kind in %s: '%s' is neither ptx nor elf",
                  option, value);
    return out->kind;
}

/* "key=value,key=value", the option's value; each value ends at a comma. */
static bool parse_spec(const char *option, const char *text, struct spec *out)
{
    *out = (struct spec){0};
    for (const char *p = text; *p; p += *p == ',') {
        size_t key = strcspn(p, "=,"), length = strcspn(p, ",");
        char value[4096];
        if (p[key] == '=' && length - key < sizeof value) {
            snprintf(value, sizeof value, "%.*s", (int)(length - key - 1),
                     p + key + 1);
            if (!strncmp(p, "file", key))
                memcpy(out->file, value, sizeof value);
            else if (!strncmp(p, "kind", key) &&
                     !parse_kind(option, value, out))
                return false;
            else if ((!strncmp(p, "sm", key) || !strncmp(p, "profile", key)) &&
                     !kit_parse_arch(option, value, &out->sm, &out->suffix))
                return false;
        }
        p += length;
    }
    if (!*out->file)
        kit_error("'%s' names no file", text);
    return *out->file;
}

/* The device comes from the PTX's .target. */
static bool add_ptx(struct job *job, const char *text, size_t size)
{
    struct fatbin_image image = {.ptx = text, .bytes = strnlen(text, size)};
    return vec_push(&job->images, image);
}

struct unpacking {
    struct job *job;
    bool ok;
};

static void add_container(void *data, char *container, size_t size_bytes)
{
    struct unpacking *u = data;
    struct fatbin_reader r;
    struct fatbin_item item;
    (void)size_bytes;
    if (!fatbin_open(container, &r))
        return;
    while (fatbin_next(&r, &item)) {
        size_t size;
        char *text = fatbin_unpack(&item, &size);
        u->ok = u->ok && text && vec_push(&u->job->owned, text) &&
                item.kind == FATBIN_PTX && add_ptx(u->job, text, size);
    }
}

static bool is_ptx(const char *text, size_t size)
{
    return !memchr(text, 0, size) && strstr(text, ".version");
}

/* What is said to be PTX is a text, what is machine code is none. */
static bool check_kind(const struct spec *spec, const char *bytes, size_t size)
{
    if (!spec->kind || (spec->kind == PTX) == is_ptx(bytes, size))
        return true;
    kit_error("'%s' is no %s", spec->file,
              spec->kind == PTX ? "PTX: could not find ptx version"
                                : "elf: it is PTX");
    return false;
}

static bool add_file(struct job *job, const struct spec *spec)
{
    size_t size;
    char *bytes = kit_read(spec->file, &size);
    if (!bytes || !vec_push(&job->owned, bytes) ||
        !check_kind(spec, bytes, size))
        return false;
    if (starts_with(bytes, "\x7f"
                           "ELF")) {
        struct fatbin_image cubin = {bytes, size, spec->sm};
        if (!spec->sm)
            kit_error("which device is '%s' for? Say sm=N", spec->file);
        return spec->sm && vec_push(&job->images, cubin);
    }
    if (is_ptx(bytes, size))
        return add_ptx(job, bytes, size);
    struct unpacking u = {.job = job, .ok = true};
    if (!kit_for_each_container(spec->file, bytes, size, add_container, &u))
        return false;
    if (!u.ok)
        kit_error("'%s' has images that are no PTX", spec->file);
    return u.ok;
}

/* ---- C code -------------------------------------------------------------- */

/* Writes the data as an array, and the wrapper that points to it, in the
 * sections where linkers and NVIDIA's tools look for them. */
static bool write_code(const struct job *job, const char *path,
                       const unsigned char *data, size_t size)
{
    bool is_relocatable = kit_value(job->args, DEVICE_C) != NULL;
    FILE *f = fopen(path, "w");
    if (!f) {
        kit_error("Could not open output file '%s'", path);
        return false;
    }
    fprintf(f,
            "static const unsigned char fatbinData[]\n"
            "    __attribute__((aligned(8), used, section(\"%s\"))) = {\n",
            is_relocatable ? FATBIN_RELOCATABLE_SECTION : FATBIN_SECTION);
    for (size_t i = 0; i < size; i++)
        fprintf(f, "%u,%s", data[i], i % 24 == 23 ? "\n" : "");
    fprintf(f,
            "\n};\n"
            "#ifdef __cplusplus\nextern \"C\"\n#endif\n"
            "struct { int magic, version; const unsigned char *data;\n"
            "    void *parts; } __fatDeviceText\n"
            "    __attribute__((aligned(8), section(\"%s\"))) =\n"
            "    { 0x466243b1, 1, fatbinData, 0 };\n",
            is_relocatable ? "__nvRelFatBinSegment" : ".nvFatBinSegment");
    return fclose(f) == 0;
}

/* ---- the tool ------------------------------------------------------------ */

static bool add_all(struct job *job)
{
    for (size_t i = 0; i < job->args->given.count; i++) {
        const struct kit_given *g = &job->args->given.data[i];
        struct spec spec;
        if (g->option != IMAGE && g->option != IMAGE2 && g->option != IMAGE3)
            continue;
        if (!parse_spec(options[g->option].name, g->value, &spec) ||
            !add_file(job, &spec))
            return false;
    }
    if (!job->images.count)
        kit_error("no image was named, such as "
                  "--image3=kind=ptx,sm=90,file=x.ptx");
    return job->images.count > 0;
}

static bool write_all(const struct job *job)
{
    size_t size;
    const char *create = kit_value(job->args, CREATE);
    const char *embedded = kit_value(job->args, EMBEDDED);
    if (!create && !embedded) {
        kit_error("no output was named: --create FILE, or --embedded-fatbin "
                  "FILE.c");
        return false;
    }
    const char *name = kit_value(job->args, IDENT);
    void *data = fatbin_build(job->images.data, job->images.count,
                              name ? name : "", &size);
    if (!data)
        kit_error("an image has no .version and .target in its first lines");
    bool ok = data && (!create || kit_write(create, data, size)) &&
              (!embedded || write_code(job, embedded, data, size));
    free(data);
    return ok;
}

static int run_fatbinary(const struct kit_args *args)
{
    struct job job = {.args = args};
    bool ok = add_all(&job) && write_all(&job);
    for (size_t i = 0; i < job.owned.count; i++)
        free(job.owned.data[i]);
    vec_fini(&job.owned);
    vec_fini(&job.images);
    return ok ? 0 : 1;
}

const struct kit_tool kit_fatbinary = {
    .name = "fatbinary",
    .arguments = "--create FILE --image3=...",
    .summary = "packs images for several devices into one file",
    .details = "",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .fatal_status = 1,
    .helps_alone = true,
    .run = run_fatbinary,
};
