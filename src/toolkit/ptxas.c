/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptxas: checks PTX as loading it does, prints what its kernels use, and wraps
 * it into an image that loads where a cubin does. Machine code is made at the
 * launch, for the block shape and the processor.
 */
#include "toolkit/toolkit.h"
#include "core/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/ptxas.h"
#include "core/internal.h"

enum {
    OUTPUT,
    ARCH,
    VERBOSE,
    COMPILE_ONLY,
    NO_WARNINGS,
    WERROR,
    INPUT_STRING,
    LIST_VERSION
};

static const struct kit_option options[] = {
    [OUTPUT] = {"output-file", "o", "FILE", "the image (elf.o)", KIT_TAKE},
    [ARCH] = {"gpu-name", "arch", "SM", "the device it is for (sm_75)",
              KIT_TAKE},
    [VERBOSE] = {"verbose", "v", NULL, "say what each kernel takes", KIT_TAKE},
    [COMPILE_ONLY] = {"compile-only", "c", NULL,
                      "functions may be defined elsewhere", KIT_TAKE},
    [NO_WARNINGS] = {"disable-warnings", "w", NULL, "no warnings", KIT_TAKE},
    [WERROR] = {"warning-as-error", "Werror", NULL, "warnings are errors",
                KIT_TAKE},
    [INPUT_STRING] = {"input-as-string", "ias", "PTX", "PTX as an argument",
                      KIT_TAKE_ALONE},
    [LIST_VERSION] = {"list-version", "version-ls", NULL,
                      "the PTX versions that are known", KIT_TAKE_ALONE},
#define PTXAS_OPTION(name, brief, value)                                       \
    {name, brief, value, "for a GPU", KIT_TUNES},
#include "base/ptxas_options.def"
    {"compile-as-tools-patch", "astoolspatch", NULL,
     "there is no machine code to patch", KIT_REFUSE},
    {"sanitize", "sanitize", "KIND",
     "compute-sanitizer runs programs with checks", KIT_REFUSE},
    {"sp-bounds-check", "sp-bounds-check", NULL,
     "stacks have guard pages in any case", KIT_TUNES},
    KIT_OPTIONS_FILE,
};

struct job {
    const struct kit_args *args;
    const char *name;
    unsigned sm;
    char suffix;
    struct diag log;
};

/* Code for a device runs on later ones, except that of sm_90a and its like,
 * which runs on that device alone. */
static bool check_target(struct job *job, const struct ptx_module *m)
{
    bool fits = m->is_arch_specific ? m->sm == job->sm && job->suffix
                                    : m->sm <= job->sm;
    if (!fits)
        kit_error("SM version specified by .target is higher than default SM "
                  "version assumed: it is %s, which sm_%u%.1s does not run",
                  m->target, job->sm, &job->suffix);
    return fits;
}

/* The last value given of an option of base/ptxas_options.def; NULL: none. */
static const char *tuning_value(const struct kit_args *args, const char *name)
{
    for (unsigned i = 0; i < ARRAY_COUNT(options); i++)
        if (!strcmp(options[i].name, name))
            return kit_value(args, i);
    return NULL;
}

/* --entry NAME,...: are they there? All kernels are assembled in any case. */
static bool check_entries(const struct job *job, const struct ptx_module *m)
{
    const char *names = tuning_value(job->args, "entry");
    for (const char *p = names ? names : ""; *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        char *name = strndup(p, n);
        const struct ptx_func *f = name ? ptx_find_func(m, name) : NULL;
        bool is_known = f && f->is_entry && !f->is_declaration;
        if (!is_known)
            kit_error("Unknown function %.*s", (int)n, p);
        free(name);
        if (!is_known)
            return false;
        p += n;
    }
    return true;
}

static bool write_image(struct job *job, const char *text)
{
    const struct fatbin_image image = {.ptx = text, .bytes = strlen(text)};
    const char *path = kit_value(job->args, OUTPUT);
    const char *arch = kit_value(job->args, ARCH);
    if (arch && starts_with(arch, "compute_"))
        return true; /* the PTX is checked, and that is all */
    return kit_write_fatbin(path ? path : "elf.o", &image, 1, job->name);
}

/* In NVIDIA's form, which scripts read. */
static void print_info(const struct job *job, const struct ptx_module *m)
{
    char target[16];
    snprintf(target, sizeof target, "sm_%u%.1s", job->sm, &job->suffix);
    char *text = report_usage(m, target, "");
    fputs(text ? text : "", stderr);
    free(text);
}

static bool assemble_text(struct job *job, const char *text)
{
    struct ptx_module *m = ptx_parse(job->name, text, strlen(text), &job->log);
    bool ok = m && check_target(job, m) && check_entries(job, m);
    if (ok && !kit_value(job->args, COMPILE_ONLY))
        ok = !module_check_externs(m, &job->log);
    if (ok)
        report_warnings(m, &job->log);
    if (ok && kit_value(job->args, VERBOSE))
        print_info(job, m);
    if (m)
        ptx_module_destroy(m);
    bool has_log = job->log.text && *job->log.text;
    if (has_log && !(ok && kit_value(job->args, NO_WARNINGS)))
        kit_print_log(job->log.text);
    if (ok && has_log && kit_value(job->args, WERROR))
        ok = false;
    return ok && write_image(job, text);
}

static bool read_and_assemble(struct job *job)
{
    size_t size_bytes;
    const char *text = kit_value(job->args, INPUT_STRING);
    if (text) {
        job->name = "<string>";
        return assemble_text(job, text);
    }
    if (job->args->files.count != 1) {
        kit_error("expected one PTX file, not %zu", job->args->files.count);
        return false;
    }
    job->name = job->args->files.data[0];
    char *read = kit_read(job->name, &size_bytes);
    bool ok = read && assemble_text(job, read);
    free(read);
    return ok;
}

static void print_ptx_version(void *data, int major, int minor)
{
    (void)data;
    printf("%d.%d\n", major, minor);
}

static int run_ptxas(const struct kit_args *args)
{
    struct job job = {.args = args};
    const char *arch = kit_value(args, ARCH);
    if (kit_value(args, LIST_VERSION)) {
        ptxas_for_each_version(print_ptx_version, NULL);
        return 0;
    }
    if (!kit_parse_arch("gpu-name", arch ? arch : "sm_75", &job.sm,
                        &job.suffix))
        return kit_ptxas.fatal_status;
    diag_init(&job.log);
    bool ok = read_and_assemble(&job);
    diag_fini(&job.log);
    if (!ok)
        fputs("ptxas fatal   : Ptx assembly aborted due to errors\n", stderr);
    return ok ? 0 : kit_ptxas.fatal_status;
}

const struct kit_tool kit_ptxas = {
    .name = "ptxas",
    .arguments = "FILE.ptx",
    .summary = "checks PTX and wraps it into an image that loads like a cubin",
    .details = "",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .run = run_ptxas,
    .fatal_status = 255,
    .helps_alone = true,
};
