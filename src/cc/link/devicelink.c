/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device link: links the relocatable device code of host objects, archives
 * and fat binaries into one fat binary, in an object file that also has the
 * functions by which the host objects register themselves.
 *
 * All objects that are named take part. A member of an archive takes part if
 * something needs its device code. It also takes part if it can be added
 * without a conflict, as the host linker may take it for its host code. Of
 * several definitions in archives the first one counts, as with host code.
 */
#include "cc/cc.h"

#include "link/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fatbin/fatbin.h"

/* An input with device code. */
struct unit {
    const char *name;
    struct ptx_module *module;
    cc_args defines, needs;         /* symbols; `needs` without what weft has */
    const struct cc_object *object; /* NULL: a file of device code alone */
    enum { WAITING, TRYING, TAKEN } state;
};

struct device_link {
    const struct cc_options *options;
    const struct cc_toolchain *toolchain;
    cc_objects objects;
    VEC(struct unit) units;
    VEC(struct unit *) taken; /* in the order in which they were taken */
    struct map definers; /* symbol -> struct unit that is TAKEN or TRYING */
    struct diag diag;
};

/* ---- units --------------------------------------------------------------- */

static bool is_shared_symbol(enum ptx_linkage linkage)
{
    return linkage == PTX_LINK_visible || linkage == PTX_LINK_weak ||
           linkage == PTX_LINK_common;
}

static void list_symbols(struct unit *u)
{
    const struct ptx_module *m = u->module;
    for (size_t i = 0; i < m->func_count; i++) {
        const struct ptx_func *f = m->funcs[i];
        if (f->is_prototype)
            continue;
        if (f->is_declaration && !cc_is_provided(f->name))
            cc_add(&u->needs, f->name);
        else if (!f->is_declaration && is_shared_symbol(f->linkage))
            cc_add(&u->defines, f->name);
    }
    for (size_t i = 0; i < m->var_count; i++) {
        const struct ptx_var *v = m->vars[i];
        if (v->space != PTX_SPACE_global && v->space != PTX_SPACE_const)
            continue;
        if (v->linkage == PTX_LINK_extern)
            cc_add(&u->needs, v->name);
        else if (is_shared_symbol(v->linkage))
            cc_add(&u->defines, v->name);
    }
}

static bool add_ptx(struct device_link *d, const char *name, const char *text,
                    size_t bytes, const struct cc_object *object)
{
    struct unit u = {.name = name, .object = object};
    u.module = ptx_parse(name, text, bytes, &d->diag);
    if (!u.module)
        return false;
    list_symbols(&u);
    return vec_push(&d->units, u);
}

static bool add_fatbin(struct device_link *d, const char *name,
                       const char *image, size_t bytes,
                       const struct cc_object *object, size_t *used)
{
    char *text = cc_fatbin_ptx(image, bytes, used);
    if (!text) {
        diag_error(&d->diag, "%s: there is no PTX to link, only %s", name,
                   *used ? "machine code; compile it with weftcc, or "
                           "with -gencode arch=compute_80,code=compute_80"
                         : "something that is no fat binary");
        return false;
    }
    bool ok = add_ptx(d, name, text, strlen(text), object);
    free(text);
    return ok;
}

/* Adds all fat binaries of an object: `ld -r` puts those of several files
 * behind one another, with zeros between. */
static bool add_object(struct device_link *d, const struct cc_object *object)
{
    const char *at = object->fatbins;
    size_t left = object->fatbins_bytes;
    bool ok = true;
    while (left >= 16) {
        size_t used = 8;
        uint64_t zeros;
        memcpy(&zeros, at, sizeof zeros);
        if (zeros && !add_fatbin(d, object->name, at, left, object, &used))
            return false;
        used = used < left ? (used + 7) / 8 * 8 : left;
        at += used < left ? used : left;
        left -= used < left ? used : left;
    }
    return ok;
}

/* ---- which take part ----------------------------------------------------- */

static struct unit *waiting_definer(struct device_link *d, const char *symbol)
{
    for (size_t i = 0; i < d->units.count; i++) {
        struct unit *u = &d->units.data[i];
        for (size_t k = 0; u->state == WAITING && k < u->defines.count; k++)
            if (strcmp(u->defines.data[k], symbol) == 0)
                return u;
    }
    return NULL;
}

static void take_unit(struct device_link *d, struct unit *u)
{
    u->state = TAKEN;
    must_have_memory(vec_push(&d->taken, u));
    for (size_t i = 0; i < u->defines.count; i++)
        must_have_memory(map_put(&d->definers, u->defines.data[i], u));
    for (size_t i = 0; i < u->needs.count; i++) {
        if (map_find(&d->definers, u->needs.data[i]))
            continue;
        struct unit *definer = waiting_definer(d, u->needs.data[i]);
        if (definer)
            take_unit(d, definer);
    }
}

static bool is_strong(const struct unit *u, const char *symbol)
{
    const struct ptx_func *f = ptx_find_func(u->module, symbol);
    const struct ptx_var *v = f ? NULL : ptx_find_var(u->module, symbol);
    return f ? f->linkage == PTX_LINK_visible
             : v && v->linkage == PTX_LINK_visible;
}

/* Can the unit be taken with nothing left undefined and nothing defined twice?
 * Marks it, and what it needs, as TRYING. */
static bool fits_units(struct device_link *d, struct unit *u)
{
    u->state = TRYING;
    for (size_t i = 0; i < u->defines.count; i++) {
        const char *symbol = u->defines.data[i];
        struct unit *other = map_find(&d->definers, symbol);
        if (!other)
            must_have_memory(map_put(&d->definers, symbol, u));
        else if (is_strong(u, symbol) && is_strong(other, symbol))
            return false;
    }
    for (size_t i = 0; i < u->needs.count; i++) {
        if (map_find(&d->definers, u->needs.data[i]))
            continue;
        struct unit *definer = waiting_definer(d, u->needs.data[i]);
        if (!definer || !fits_units(d, definer))
            return false;
    }
    return true;
}

/* Makes the units that are TRYING TAKEN if is_good, else WAITING. */
static void settle_trial(struct device_link *d, bool is_good)
{
    for (size_t i = 0; i < d->units.count; i++) {
        struct unit *u = &d->units.data[i];
        if (u->state != TRYING)
            continue;
        u->state = is_good ? TAKEN : WAITING;
        if (is_good)
            must_have_memory(vec_push(&d->taken, u));
        for (size_t k = 0; !is_good && k < u->defines.count; k++)
            if (map_find(&d->definers, u->defines.data[k]) == u)
                map_remove(&d->definers, u->defines.data[k]);
    }
}

static bool is_optional(const struct unit *u)
{
    return u->object && u->object->is_member;
}

static void choose_units(struct device_link *d)
{
    map_init_strings(&d->definers);
    /* Symbols of named objects come before those of archives. */
    for (size_t i = 0; i < d->units.count; i++) {
        struct unit *u = &d->units.data[i];
        for (size_t k = 0; !is_optional(u) && k < u->defines.count; k++)
            must_have_memory(map_put(&d->definers, u->defines.data[k], u));
    }
    for (size_t i = 0; i < d->units.count; i++)
        if (!is_optional(&d->units.data[i]))
            take_unit(d, &d->units.data[i]);
    for (size_t i = 0; i < d->units.count; i++)
        if (d->units.data[i].state == WAITING)
            settle_trial(d, fits_units(d, &d->units.data[i]));
}

/* ---- linking ------------------------------------------------------------- */

static void report_undefined(struct device_link *d, const char *name)
{
    const char *in = "?";
    for (size_t i = 0; i < d->taken.count; i++)
        for (size_t k = 0; k < d->taken.data[i]->needs.count; k++)
            if (strcmp(d->taken.data[i]->needs.data[k], name) == 0)
                in = d->taken.data[i]->name;
    diag_error(&d->diag, "Undefined reference to '%s' in '%s'", name, in);
}

static void check_function(void *data, const struct ptx_func *f)
{
    if (!cc_is_provided(f->name))
        report_undefined(data, f->name);
}

static void check_variables(struct device_link *d, const struct ptx_module *m)
{
    for (size_t i = 0; i < m->var_count; i++)
        if (m->vars[i]->linkage == PTX_LINK_extern &&
            m->vars[i]->space != PTX_SPACE_shared)
            report_undefined(d, m->vars[i]->name);
}

/* The linked PTX, or NULL with the reason in `diag`. */
static char *link_units(struct device_link *d)
{
    size_t count = d->taken.count;
    struct ptx_module **modules =
        arena_array(cc_arena, struct ptx_module *, count);
    const char **names = arena_array(cc_arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        modules[i] = d->taken.data[i]->module;
        names[i] = d->taken.data[i]->name;
    }
    struct ptx_module *whole = link_modules(modules, names, count, &d->diag);
    must_have_memory(whole || d->diag.error_count);
    if (!whole)
        return NULL;
    link_for_each_undefined(whole, check_function, d);
    check_variables(d, whole);
    char *text = d->diag.error_count ? NULL : ptx_print(whole);
    ptx_module_destroy(whole);
    return text;
}

/* ---- the object ---------------------------------------------------------- */

/* The C source of the object that a device link makes. Its functions are
 * hidden, so that two libraries with the same object register their own. The
 * first object that registers itself registers the fat binary. */
static const char glue_head[] =
    "__asm__(\".pushsection " FATBIN_SECTION ",\\\"a\\\"\\n\"\n"
    "        \".balign 8\\n\"\n"
    "        \"weft_device_code:\\n\"\n"
    "        \".incbin \\\"%s\\\"\\n\"\n"
    "        \".popsection\");\n"
    "extern const char weft_device_code[]\n"
    "    __attribute__((visibility(\"hidden\")));\n"
    "struct wrapper { int magic, version; const void *image; void *more; };\n"
    "static struct wrapper wrapper\n"
    "    __attribute__((section(\".nvFatBinSegment\"))) =\n"
    "    {0x466243b1, 1, weft_device_code, 0};\n"
    "void **__cudaRegisterFatBinary(void *);\n"
    "void __cudaRegisterFatBinaryEnd(void **);\n"
    "void __cudaUnregisterFatBinary(void **);\n"
    "int atexit(void (*)(void));\n"
    "static void **handle;\n"
    "static void leave(void) { __cudaUnregisterFatBinary(handle); }\n"
    "static void enter(void (*add_names)(void **))\n"
    "{\n"
    "    if (!handle) {\n"
    "        handle = __cudaRegisterFatBinary(&wrapper);\n"
    "        atexit(leave);\n"
    "    }\n"
    "    add_names(handle);\n"
    "    __cudaRegisterFatBinaryEnd(handle);\n"
    "}\n";
static const char glue_function[] =
    "__attribute__((visibility(\"hidden\")))\n"
    "void %s(void (*add_names)(void **),\n"
    "        void *image, void *id, void (*keep)(void *))\n"
    "{ (void)image, (void)id, (void)keep; enter(add_names); }\n";

/* The path, escaped for a string literal within a string literal of C. */
static const char *quoted_path(const char *path)
{
    char *out = arena_alloc(cc_arena, 4 * strlen(path) + 1), *p = out;
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            p += sprintf(p, "\\\\\\");
        *p++ = *path;
    }
    return out;
}

static bool write_glue(const struct device_link *d, const char *path,
                       const char *fatbin)
{
    struct map done;
    FILE *f = fopen(path, "w");
    map_init_strings(&done);
    if (f)
        fprintf(f, glue_head, quoted_path(fatbin));
    for (size_t i = 0; f && i < d->taken.count; i++) {
        const struct cc_object *object = d->taken.data[i]->object;
        for (size_t k = 0; object && k < object->needed.count; k++) {
            const char *name = object->needed.data[k];
            if (map_find(&done, name))
                continue;
            must_have_memory(map_put(&done, name, (void *)name));
            fprintf(f, glue_function, name);
        }
    }
    map_fini(&done);
    return cc_close_written(f, path);
}

static enum cc_status compile_glue(const struct device_link *d,
                                   const char *source, const char *output)
{
    cc_args command = {0};
    cc_add(&command, d->toolchain->clang);
    cc_add(&command, "-x");
    cc_add(&command, "c");
    cc_add(&command, "-O1");
    cc_add(&command, "-fPIC");
    cc_add(&command, "-c");
    cc_add(&command, source);
    cc_add(&command, "-o");
    cc_add(&command, output);
    if (d->options->dry_run || d->options->verbose)
        cc_print_command(&command);
    int status = d->options->dry_run ? 0 : cc_run(&command, NULL);
    vec_fini(&command);
    return status ? CC_FAILED : CC_OK;
}

static enum cc_status make_object(struct device_link *d, const char *output)
{
    const struct cc_options *o = d->options;
    const char *fatbin = o->device_link_to_fatbin
                             ? output
                             : cc_intermediate(o, output, ".dlink.fatbin");
    const char *glue = cc_intermediate(o, output, ".reg.c");
    if (!fatbin || !glue)
        return CC_FAILED;
    char *text = link_units(d);
    if (!text)
        return CC_BAD_DEVICE;
    struct fatbin_image image = {.ptx = text, .bytes = strlen(text)};
    bool ok = cc_fatbin_write(fatbin, &image, 1, output);
    free(text);
    if (ok && o->device_link_to_fatbin)
        return CC_OK;
    ok = ok && write_glue(d, glue, fatbin);
    return ok ? compile_glue(d, glue, output) : CC_FAILED;
}

/* ---- inputs -------------------------------------------------------------- */

/* The archive of -lNAME, as the linker finds it, with weft's folder first.
 * NULL: it is a shared library, or in a folder of the system's. */
static const char *find_archive(const struct device_link *d, const char *name)
{
    const cc_args *link = &d->options->link;
    for (size_t i = 0; i <= link->count; i++) {
        const char *option = i ? link->data[i - 1] : "-L";
        if (!starts_with(option, "-L"))
            continue;
        const char *folder = i ? option + 2 : d->toolchain->library_dir;
        if (access(arena_printf(cc_arena, "%s/lib%s.so", folder, name), R_OK) ==
            0)
            return NULL;
        const char *path = arena_printf(cc_arena, "%s/lib%s.a", folder, name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static bool read_inputs(struct device_link *d, const cc_args *files)
{
    const cc_args *link = &d->options->link;
    for (size_t i = 0; i < files->count; i++)
        if (!cc_objects_read(files->data[i], &d->objects))
            return false;
    for (size_t i = 0; i < link->count; i++) {
        const char *path = starts_with(link->data[i], "-l")
                               ? find_archive(d, link->data[i] + 2)
                               : NULL;
        if (path && !cc_objects_read(path, &d->objects))
            return false;
    }
    return true;
}

/* Has an earlier device link made the functions that this object needs? */
static bool is_linked(const struct map *defined, const struct cc_object *object)
{
    for (size_t i = 0; i < object->needed.count; i++)
        if (!map_find(defined, object->needed.data[i]))
            return false;
    return true;
}

static bool add_objects(struct device_link *d)
{
    struct map defined, seen;
    bool ok = true;
    map_init_strings(&defined);
    map_init_strings(&seen);
    for (size_t i = 0; i < d->objects.count; i++) {
        const struct cc_object *object = &d->objects.data[i];
        for (size_t k = 0; k < object->defined.count; k++)
            must_have_memory(
                map_put(&defined, object->defined.data[k], (void *)object));
    }
    for (size_t i = 0; i < d->objects.count; i++) {
        const struct cc_object *object = &d->objects.data[i];
        /* A library may be named twice. */
        bool is_twice = object->is_member && map_find(&seen, object->name);
        must_have_memory(map_put(&seen, object->name, (void *)object));
        if (object->fatbins && !is_twice && !is_linked(&defined, object))
            ok &= add_object(d, object);
    }
    map_fini(&defined);
    map_fini(&seen);
    return ok;
}

static bool add_device_files(struct device_link *d)
{
    const struct cc_options *o = d->options;
    bool ok = true;
    for (size_t i = 0; i < o->inputs.count; i++) {
        const struct cc_input *input = &o->inputs.data[i];
        bool is_text = input->language == CC_PTX_TEXT;
        size_t bytes, used;
        if (!is_text && input->language != CC_FATBIN_FILE)
            continue;
        char *data = cc_read_file(input->path, &bytes);
        if (!data)
            return false;
        ok &= is_text ? add_ptx(d, input->path, data, bytes, NULL)
                      : add_fatbin(d, input->path, data, bytes, NULL, &used);
        free(data);
    }
    return ok;
}

enum cc_status cc_device_link(const struct cc_options *o,
                              const struct cc_toolchain *t,
                              const cc_args *files, const char *output,
                              bool *has_output)
{
    struct device_link d = {.options = o, .toolchain = t};
    enum cc_status status = CC_FAILED;
    *has_output = false;
    diag_init(&d.diag);

    if (read_inputs(&d, files)) {
        status = CC_BAD_DEVICE;
        if (add_objects(&d) && add_device_files(&d))
            status = CC_OK;
    }
    if (!status && d.units.count) {
        choose_units(&d);
        if (d.taken.count)
            status = make_object(&d, output);
        *has_output = d.taken.count && status == CC_OK;
    }
    if (d.diag.text)
        fputs(d.diag.text, stderr);
    if (status == CC_BAD_DEVICE)
        cc_error("the device code cannot be linked");
    diag_fini(&d.diag);
    return status;
}
