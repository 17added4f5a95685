/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One source file through its passes. The device pass comes first and reports
 * what is wrong with the source; then the host pass's messages are dropped.
 */
#include "cc/cc.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fatbin/fatbin.h"

/* Prints the command if wanted; true: it is to be run, too. */
static bool print_and_ask(const struct cc_job *j, const cc_args *command)
{
    if (j->options->dry_run || j->options->verbose)
        cc_print_command(command);
    return !j->options->dry_run;
}

/* Runs one pass; `result` is the file that it makes. */
static int run_step(const struct cc_job *j,
                    void (*write)(const struct cc_job *, cc_args *),
                    const char *messages, const char *result)
{
    cc_args command = {0};
    write(j, &command);
    double start_ms = cc_now_ms();
    int status = print_and_ask(j, &command) ? cc_run(&command, messages) : 0;
    bool is_device = write == cc_command_device || write == cc_command_lower;
    const struct cc_step done = {
        .source = j->input.path,
        .phase = is_device ? "device code" : "host code",
        .input = j->input.path,
        .output = result,
        .arch = is_device ? arena_printf(cc_arena, "compute_%u",
                                         j->options->levels.data[j->turn])
                          : NULL,
        .tool = "clang"};
    cc_time_step(j->options, &done, start_ms);
    if (status)
        cc_remove_result(result);
    vec_fini(&command);
    return status;
}

/* Reads and checks a file of PTX; bytes is NULL after reporting. */
static enum cc_status read_image(const struct cc_job *j, const char *path,
                                 struct fatbin_image *out)
{
    char *ptx = cc_read_file(path, &out->bytes);
    out->ptx = ptx;
    if (!ptx)
        return CC_FAILED;
    if (j->input.language == CC_CUDA && !j->options->relocatable)
        cc_define_variables(ptx);
    bool is_good = cc_check_waits(out->ptx) &&
                   cc_check_entries(out->ptx, &j->options->entries) &&
                   (j->options->relocatable || cc_check_externs(out->ptx));
    return is_good ? CC_OK : CC_BAD_DEVICE;
}

/* -Xptxas -v: our ptxas says what the kernels of each level use. */
static enum cc_status show_usage(const struct cc_job *j)
{
    const char *self = j->toolchain->self, *slash = strrchr(self, '/');
    const char *image = cc_temporary(j->options, j->input.path, ".elf");
    int status = image ? 0 : 1;
    assert(slash && j->ptx.count <= j->options->levels.count);
    for (size_t i = 0; !status && i < j->ptx.count; i++) {
        cc_args command = {0};
        cc_add(&command, arena_printf(cc_arena, "%.*s/weft-toolkit",
                                      (int)(slash - self), self));
        cc_add(&command, "ptxas");
        cc_add(&command, "-v");
        cc_add(&command, "--gpu-name");
        cc_add(&command, arena_printf(cc_arena, "sm_%u",
                                      j->options->levels.data[i]));
        if (j->options->relocatable)
            cc_add(&command, "--compile-only");
        cc_add(&command, "-o");
        cc_add(&command, image);
        cc_add(&command, j->ptx.data[i]);
        status = cc_run(&command, NULL);
        vec_fini(&command);
    }
    return status ? CC_FAILED : CC_OK;
}

static enum cc_status pack_images(const struct cc_job *j)
{
    cc_args command = {0};
    cc_command_pack(j, &command);
    bool is_real = print_and_ask(j, &command);
    vec_fini(&command);
    if (!is_real)
        return CC_OK;

    size_t count = j->ptx.count;
    struct fatbin_image *images =
        arena_array(cc_arena, struct fatbin_image, count);
    enum cc_status status = CC_OK;
    for (size_t i = 0; !status && i < count; i++)
        status = read_image(j, j->ptx.data[i], &images[i]);
    /* The newest level is what runs here. */
    if (!status &&
        !cc_check_ptx(cc_shown_name(j->ptx.data[count - 1]),
                      &images[count - 1]))
        status = CC_BAD_DEVICE;
    if (!status && j->options->shows_usage &&
        cc_arch_has_machine_code(j->options))
        status = show_usage(j);
    if (!status && !cc_fatbin_write(j->fatbin, images, count, j->input.path))
        status = CC_FAILED;
    for (size_t i = 0; i < count; i++)
        free((char *)images[i].ptx);
    return status;
}

static bool can_read(const struct cc_job *j)
{
    if (access(j->input.path, R_OK) == 0)
        return true;
    /* clang would report this, too, but once for each pass. */
    cc_error("cannot read '%s': no such file, or no permission", j->input.path);
    return false;
}

/* A name that no other file of the program has, even if the same source is
 * compiled with other options; the same in every build in the same place. */
static const char *unit_name(const struct cc_job *j)
{
    const struct cc_options *o = j->options;
    const cc_args *lists[] = {&o->preprocessor, &o->front_end, &o->host};
    char *place = realpath(j->input.path, NULL);
    const char *path = place ? place : j->input.path;
    uint64_t hash = hash_bytes(path, strlen(path), 1);
    free(place);
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++)
        for (size_t k = 0; k < lists[i]->count; k++)
            hash =
                hash_bytes(lists[i]->data[k], strlen(lists[i]->data[k]), hash);
    if (o->random_seed)
        hash = hash_bytes(o->random_seed, strlen(o->random_seed), hash);
    return arena_printf(cc_arena, "%016llx", (unsigned long long)hash);
}

/* Each round finds only clang's first messages. */
enum { MEND_ROUNDS = 5 };

/* The device pass, without the precompiled header if clang refuses that: a mend
 * may have changed a header or a mode that it was made with. */
static int device_step(struct cc_job *j, const char *messages, const char *ptx)
{
    int status = run_step(j, cc_command_device, messages, ptx);
    if (!status || !cc_refuses_precompiled(j, j->precompiled, messages))
        return status;
    j->precompiled = NULL;
    return run_step(j, cc_command_device, messages, ptx);
}

/* Headers of the program may be precompiled, and mended; NVRTC's precompiled
 * header has only ours, which hardly ever are. */
static void leave_precompiled(struct cc_job *j)
{
    if (!j->options->is_nvrtc)
        j->precompiled = NULL;
}

/* Mends calls of __host__ functions by functions of both sides. They come in
 * numbers, and clang reports each once: asks for all of them. */
static int mend_host_calls(struct cc_job *j, const char *messages,
                           cc_args *mended)
{
    const char *ptx = j->ptx.data[j->turn], *before = j->overlay;
    size_t count = mended->count;
    int status = 1;
    for (int i = 0; status && i < MEND_ROUNDS && cc_calls_host(messages); i++) {
        if (!j->lists_errors) {
            j->lists_errors = true;
            status = device_step(j, messages, ptx);
        }
        const char *overlay = cc_mend(j, messages, NULL, NULL, mended);
        if (!overlay)
            break;
        j->overlay = overlay;
        leave_precompiled(j);
        status = device_step(j, messages, ptx);
    }
    if (!status || !cc_shows_host_calls(messages))
        return status;
    /* Mending has failed: the errors are those of the source itself. */
    j->leaves_host_calls = true;
    j->overlay = before;
    mended->count = count;
    return device_step(j, messages, ptx);
}

/* Makes the precompiled header again if clang refuses it. Others may find it
 * stale, too, and remove what has just been made. */
static int precompiled_pass(struct cc_job *j, const char *messages,
                            const char *ptx)
{
    j->precompiled = cc_precompiled(j, CC_DEVICE_PASS);
    int status = run_step(j, cc_command_device, messages, ptx);
    if (!status || !cc_refuses_precompiled(j, j->precompiled, messages))
        return status;
    j->precompiled = cc_precompiled(j, CC_DEVICE_PASS);
    return device_step(j, messages, ptx);
}

/* Mends what clang's messages complain of; if that is in headers, asks clang
 * which ones those are. NULL: there is nothing to do. */
static const char *mend_device(const struct cc_job *j, const char *messages,
                               cc_args *mended)
{
    const char *overlay = cc_mend(j, messages, NULL, NULL, mended);
    if (overlay || !cc_finds_unfit(messages))
        return overlay;
    struct cc_job ask = *j;
    ask.headers = cc_temporary(j->options, j->input.path, ".unfit.headers");
    const char *log = cc_temporary(j->options, j->input.path, ".unfit.log");
    if (!ask.headers || !log)
        return NULL;
    ask.precompiled = NULL;
    run_step(&ask, cc_command_device, log, NULL);
    return cc_mend_unfit(j, messages, ask.headers, mended);
}

static int device_pass(struct cc_job *j, const char *messages, cc_args *mended);

/* What was taken for a static member is none, and the source is wrong:
 * compiles it as it is. */
static int leave_members(struct cc_job *j, const char *messages,
                         cc_args *mended, size_t count, const char *overlay)
{
    j->leaves_members = true;
    j->overlay = overlay;
    mended->count = count;
    return device_pass(j, messages, mended);
}

/* mended: copies made by other passes over the file. */
static int device_pass(struct cc_job *j, const char *messages, cc_args *mended)
{
    const char *ptx = j->ptx.data[j->turn], *before = j->overlay;
    size_t count = mended->count;
    int status = precompiled_pass(j, messages, ptx);
    if (status && cc_lacks_header(messages))
        return status;
    if (status && !j->renames_references && cc_redefines_reference(messages)) {
        j->renames_references = true;
        status = precompiled_pass(j, messages, ptx);
    }
    if (status && !j->options->dry_run && cc_calls_host(messages))
        status = mend_host_calls(j, messages, mended);
    if (status && !j->defers_errors && !j->options->dry_run) {
        j->defers_errors = true;
        status = precompiled_pass(j, messages, ptx);
    }
    for (int i = 0; status && !j->options->dry_run && i < MEND_ROUNDS; i++) {
        bool delays_more =
            !j->delays_templates && cc_misses_late_name(messages);
        const char *overlay = mend_device(j, messages, mended);
        if (!overlay && !delays_more)
            break;
        if (overlay) {
            j->overlay = overlay;
            leave_precompiled(j);
        }
        j->delays_templates |= delays_more;
        status = device_step(j, messages, ptx);
    }
    if (status && !j->leaves_members && cc_shows_members(messages))
        return leave_members(j, messages, mended, count, before);
    /* LLVM 22 crashes on a wrong comparison of its own with the address of a
     * kernel parameter, a structure that is otherwise only read; a copy of the
     * structure avoids it. */
    if (status && !j->copies_parameters && cc_died(messages)) {
        j->copies_parameters = true;
        status = device_step(j, messages, ptx);
    }
    return status;
}

/* Functions that kernels call and no file defines. */
static void find_missing(const struct cc_job *j, cc_args *missing)
{
    const char *ptx = j->ptx.data[j->turn];
    size_t bytes;
    char *text = starts_with(ptx, "/dev/") ? NULL : cc_read_file(ptx, &bytes);
    if (text)
        cc_unresolved_functions(text, missing);
    free(text);
}

/* A function that is declared __device__ and defined without attributes is
 * another one to clang: what kernels call, or with -rdc=true what those of
 * other files call, is missing. Asks clang for such definitions, mends them,
 * and compiles again. */
static int mend_unresolved(struct cc_job *j, const char *messages,
                           cc_args *mended)
{
    const struct cc_options *o = j->options;
    cc_args missing = {0};
    int status = 0;
    bool wants_all =
        !o->dry_run && o->relocatable && j->headers &&
        cc_declares_functions(j->headers, j->toolchain->include_dir);
    if (!o->dry_run && !o->relocatable)
        find_missing(j, &missing);
    const char *log = wants_all || missing.count
                          ? cc_temporary(o, j->input.path, ".merge.log")
                          : NULL;
    if (log) {
        bool defers = j->defers_errors;
        /* one of their macros has another meaning here */
        j->precompiled = NULL;
        j->merges_spaces = j->defers_errors = true;
        run_step(j, cc_command_device, log, NULL);
        j->merges_spaces = false;
        j->defers_errors = defers;
        const char *overlay = cc_mend(j, log, wants_all ? NULL : &missing,
                                      wants_all ? j->headers : NULL, mended);
        if (overlay) {
            j->overlay = overlay;
            status = device_pass(j, messages, mended);
        }
    }
    vec_fini(&missing);
    return status;
}

/* Compiles once more by way of IR in which conversions to few bits are those of
 * nvcc, if the PTX has some. */
static int widen_conversions(struct cc_job *j)
{
    const char *ptx = j->ptx.data[j->turn];
    size_t bytes;
    /* There is none if clang was only to look at the source. */
    bool is_readable = !j->options->dry_run && strcmp(ptx, "-") != 0 &&
                       !starts_with(ptx, "/dev/") && access(ptx, R_OK) == 0;
    char *text = is_readable ? cc_read_file(ptx, &bytes) : NULL;
    bool has_some = text && cc_converts_narrowly(text);
    free(text);
    if (!has_some)
        return 0;
    const char *log = cc_temporary(j->options, j->input.path, ".widen.log");
    const char *ir = cc_temporary(j->options, j->input.path, ".ll");
    if (!log || !ir)
        return CC_FAILED;
    j->ir = ir;
    int status = device_step(j, log, ptx);
    if (!status)
        status = cc_widen_conversions(ir) ? 0 : CC_FAILED;
    if (!status)
        status = run_step(j, cc_command_lower, log, ptx);
    j->ir = NULL;
    return status;
}

/* False after reporting variables that are initialised by calls of host
 * functions. */
static bool has_good_values(struct cc_job *j)
{
    cc_lines lines = {0};
    bool is_good = true;
    const char *log =
        !j->options->dry_run && cc_finds_values(j->input.path, &lines)
            ? cc_temporary(j->options, j->input.path, ".strict.log")
            : NULL;
    if (log) {
        j->is_strict = true;
        device_step(j, log, NULL);
        j->is_strict = false;
        is_good = !cc_refuses_values(log, j->input.path, &lines);
    }
    vec_fini(&lines);
    return is_good;
}

/* False after reporting writes to __constant__ variables. */
static bool leaves_constants(struct cc_job *j)
{
    cc_lines lines = {0};
    cc_insertions declared = {0};
    bool is_good = true;
    const char *before = j->overlay;
    const char *log =
        !j->options->dry_run &&
                cc_finds_constant_writes(j->input.path, &lines, &declared)
            ? cc_temporary(j->options, j->input.path, ".constant.log")
            : NULL;
    cc_args mended = {0};
    j->is_strict = true;
    const char *overlay = log ? cc_insert(j, &declared, &mended) : NULL;
    if (overlay) {
        j->overlay = overlay;
        device_step(j, log, NULL);
        j->overlay = before;
        is_good = !cc_refuses_constant_writes(log, j->input.path, &lines);
    }
    j->is_strict = false;
    vec_fini(&mended);
    vec_fini(&lines);
    vec_fini(&declared);
    return is_good;
}

static void keep_statics(struct cc_job *j, cc_args *mended)
{
    cc_insertions list = {0};
    const char *overlay = NULL;
    if (!j->options->dry_run && cc_makes_module(j->options) &&
        cc_finds_statics(j->input.path, &list))
        overlay = cc_insert(j, &list, mended);
    if (overlay)
        j->overlay = overlay;
    vec_fini(&list);
}

/* A device pass for each level, the newest first, whose messages are what most
 * people want to see. All messages are collected in `seen`. */
static int device_passes(struct cc_job *j, const char *seen, cc_args *mended)
{
    const struct cc_options *o = j->options;
    const char *own_folder = j->toolchain->include_dir;
    int status = 0;
    keep_statics(j, mended);
    for (size_t i = o->levels.count; !status && i-- > 0;) {
        bool is_first = i + 1 == o->levels.count;
        const char *fresh =
            is_first ? seen : cc_temporary(o, j->input.path, ".level.log");
        if (!fresh)
            return CC_FAILED;
        j->turn = i;
        status = device_pass(j, fresh, mended);
        if (!status)
            status = mend_unresolved(j, fresh, mended);
        if (!status)
            status = widen_conversions(j);
        cc_show_messages(fresh, is_first ? NULL : seen, own_folder);
        if (!status && is_first &&
            (!has_good_values(j) || !leaves_constants(j)))
            status = 1;
        if (is_first && j->host_headers && !cc_leaves_host_headers(j))
            status = 1;
        if (!is_first && !cc_append_file(seen, fresh))
            status = CC_FAILED;
    }
    j->turn = o->levels.count - 1;
    j->precompiled = NULL;
    return status;
}

/* Packs the PTX that clang wrote into the fat binary, if one is wanted. */
static enum cc_status pack_device(struct cc_job *j)
{
    const struct cc_options *o = j->options;
    for (size_t i = 0; !o->dry_run && i < j->ptx.count; i++)
        if (!cc_touch_up(o, j->ptx.data[i]))
            return CC_FAILED;
    if (o->phase == CC_PTX)
        return CC_OK;
    j->fatbin = o->phase == CC_FATBIN
                    ? j->output
                    : cc_intermediate(o, j->input.path, ".fatbin");
    return j->fatbin ? pack_images(j) : CC_FAILED;
}

/* Once more, as the host pass has found something to mend; the same messages
 * are not shown again. */
static int repeat_device(struct cc_job *j, cc_args *mended)
{
    const char *unheard = cc_temporary(j->options, j->input.path, ".again.log");
    int status = unheard ? 0 : CC_FAILED;
    for (size_t i = 0; !status && i < j->options->levels.count; i++) {
        j->turn = i;
        status = device_pass(j, unheard, mended);
        if (!status)
            status = widen_conversions(j);
    }
    j->turn = j->options->levels.count - 1;
    return status ? status : (int)pack_device(j);
}

/* The host function of a kernel, which launches it, does not depend on the
 * kernel's body. In clang it does if the kernel is a template: a call of
 * something that is __device__ in the device pass only (an operator behind
 * #ifdef __CUDA_ARCH__) is an error of the instance. The error is deferred, as
 * it is in device code, and then the instance is missing. Asks clang for these
 * errors, and empties the bodies of the kernels that have them in the host's
 * copy. */
static int restore_stubs(struct cc_job *own, const char *messages,
                         cc_args *mended)
{
    const char *log = cc_temporary(own->options, own->input.path, ".stubs.log");
    if (!log)
        return CC_FAILED;
    own->is_strict = true;
    run_step(own, cc_command_host, log, NULL);
    own->is_strict = false;
    const char *overlay = cc_empty_kernels(own, log, mended);
    if (!overlay)
        return 0;
    own->overlay = overlay;
    return run_step(own, cc_command_host, messages, own->output);
}

/* A kernel's body is not code for the host: what is no constant there, and
 * what a template makes of it, is no error if the device pass accepted it. The
 * first messages stay if this does not help. */
static int retry_without_bodies(struct cc_job *own, const char *messages,
                                cc_args *mended)
{
    const char *log = messages;
    const char *later =
        cc_temporary(own->options, own->input.path, ".bodies.log");
    int status = CC_FAILED;
    for (int i = 0; later && status && i < MEND_ROUNDS; i++) {
        const char *overlay = cc_empty_kernels(own, log, mended);
        if (!overlay)
            return CC_FAILED;
        own->overlay = overlay;
        log = later;
        status = run_step(own, cc_command_host, log, own->output);
    }
    return status || rename(later, messages) ? CC_FAILED : CC_OK;
}

/* Compiles once more, with what host code uses of the variables that are only
 * declared extern as static variables of this file; see externvars.c. */
static int define_externs(struct cc_job *j, struct cc_job *own,
                          const char *messages, cc_args *mended,
                          cc_args *host_mended)
{
    struct cc_symbols symbols = {0};
    cc_args names = {0}, again = {0};
    int status = 0;
    bool is_read = j->headers && !j->options->relocatable &&
                   cc_object_symbols(j->output, &symbols);
    if (is_read && !host_mended->count)
        cc_mend_apart(own, mended, host_mended);
    const char *overlay =
        is_read ? cc_mend_externs(j, &symbols, &names, mended) : NULL;
    if (overlay) {
        for (size_t i = 0; i < names.count; i++)
            cc_warn_of_definition(names.data[i]);
        j->overlay = overlay;
        own->overlay = cc_mend_externs(own, &symbols, &again, host_mended);
        status = repeat_device(j, mended);
        own->fatbin = j->fatbin;
        if (!status)
            status = run_step(own, cc_command_host, messages, j->output);
    }
    vec_fini(&symbols.undefined);
    vec_fini(&symbols.defined);
    vec_fini(&names);
    vec_fini(&again);
    return status;
}

/* mended: copies made by the device passes. */
static int host_pass(struct cc_job *j, struct cc_host_pass *host,
                     const char *messages, cc_args *mended)
{
    struct cc_job own = *j;
    cc_args host_mended = {0};
    int status = cc_host_pass_finish(host, j, messages);
    if (status && cc_refuses_precompiled(j, host->precompiled, messages))
        status = run_step(&own, cc_command_host, messages, j->output);
    if (status && !own.renames_references && cc_redefines_reference(messages)) {
        own.renames_references = true;
        own.precompiled = NULL;
        status = run_step(&own, cc_command_host, messages, j->output);
    }
    own.mends_host = true;
    if (status && !own.defers_errors && !j->options->dry_run) {
        own.defers_errors = true;
        status = run_step(&own, cc_command_host, messages, j->output);
    }
    for (int i = 0; status && !j->options->dry_run && i < MEND_ROUNDS; i++) {
        if (!i)
            cc_mend_apart(&own, mended, &host_mended);
        own.overlay = cc_mend(&own, messages, NULL, NULL, &host_mended);
        if (!own.overlay)
            break;
        j->overlay = cc_mend(j, messages, NULL, NULL, mended);
        if (!j->overlay || repeat_device(j, mended))
            break;
        own.fatbin = j->fatbin;
        status = run_step(&own, cc_command_host, messages, j->output);
    }
    if (status && !j->options->dry_run) {
        if (!host_mended.count)
            cc_mend_apart(&own, mended, &host_mended);
        own.fatbin = j->fatbin;
        status = retry_without_bodies(&own, messages, &host_mended);
    }
    if (!status && !j->options->dry_run && cc_object_lacks_stub(j->output)) {
        if (!host_mended.count)
            cc_mend_apart(&own, mended, &host_mended);
        own.fatbin = j->fatbin;
        status = restore_stubs(&own, messages, &host_mended);
    }
    if (!status)
        status = define_externs(j, &own, messages, mended, &host_mended);
    vec_fini(&host_mended);
    return status;
}

/* False after reporting. */
static bool name_ptx(struct cc_job *j)
{
    const struct cc_options *o = j->options;
    bool is_one = o->levels.count == 1;
    for (size_t i = 0; i < o->levels.count; i++) {
        const char *suffix = is_one ? ".ptx"
                                    : arena_printf(cc_arena, ".compute_%u.ptx",
                                                   o->levels.data[i]);
        const char *path = o->phase == CC_PTX
                               ? j->output
                               : cc_intermediate(o, j->input.path, suffix);
        if (!path)
            return false;
        cc_add(&j->ptx, path);
    }
    j->turn = o->levels.count - 1;
    return true;
}

/* Compiles a .cu file to PTX, a fat binary or a host object. */
static enum cc_status compile_cuda(const struct cc_job *j)
{
    const struct cc_options *o = j->options;
    struct cc_job job = *j;
    const char *seen = cc_temporary(o, j->input.path, ".device.log");
    const char *fresh = cc_temporary(o, j->input.path, ".host.log");
    if (!seen || !fresh || !name_ptx(&job))
        return CC_FAILED;

    if (o->relocatable)
        job.unit = unit_name(j);
    if (o->phase != CC_PTX && o->phase != CC_FATBIN &&
        (o->relocatable || !o->dry_run))
        job.headers = cc_temporary(o, j->input.path, ".headers");

    if (o->is_nvrtc)
        job.host_headers = cc_temporary(o, j->input.path, ".host-headers");

    struct cc_host_pass host = {0};
    if (o->phase != CC_PTX && o->phase != CC_FATBIN)
        cc_host_pass_start(&host, &job, fresh);

    cc_args mended = {0};
    int status = device_passes(&job, seen, &mended);
    if (status || job.overlay || job.delays_templates || job.defers_errors ||
        job.renames_references)
        cc_host_pass_cancel(&host, &job);
    if (status) {
        cc_remove_result(j->output);
        cc_report_full_scratch();
        return CC_BAD_SOURCE;
    }
    enum cc_status packed = pack_device(&job);
    if (packed || o->phase == CC_PTX || o->phase == CC_FATBIN) {
        cc_host_pass_cancel(&host, &job);
        if (packed)
            cc_remove_result(j->output);
        return packed;
    }

    status = host_pass(&job, &host, fresh, &mended);
    vec_fini(&mended);
    cc_show_messages(fresh, seen, j->toolchain->include_dir);
    if (status) {
        cc_report_full_scratch();
        return CC_BAD_SOURCE;
    }
    if (o->dry_run)
        return CC_OK;
    if (job.unit && !cc_object_rename(job.output, job.unit))
        return CC_FAILED;
    if (!cc_object_register_first(job.output) ||
        !cc_object_name_kernels(job.output))
        return CC_FAILED;
    return CC_OK;
}

static enum cc_status pack_ptx(const struct cc_job *j)
{
    struct cc_job job = *j;
    if (j->options->phase != CC_FATBIN) {
        cc_error("'%s' is device code only; pack it with -fatbin and load it "
                 "with cuModuleLoad",
                 j->input.path);
        return CC_FAILED;
    }
    if (!job.ptx.count)
        cc_add(&job.ptx, j->input.path);
    job.fatbin = j->output;
    return pack_images(&job);
}

/* Both passes read the source, so stdin is first copied to a file. */
static bool read_stdin(struct cc_job *j)
{
    static const char line[] = "# 1 \"<stdin>\"\n";
    char buffer[1 << 16];
    size_t n;
    const char *path = cc_temporary(j->options, "stdin", ".source");
    FILE *f = path ? fopen(path, "w") : NULL;
    bool ok = f && fwrite(line, 1, sizeof line - 1, f) == sizeof line - 1;
    while (ok && (n = fread(buffer, 1, sizeof buffer, stdin)))
        ok = fwrite(buffer, 1, n, f) == n;
    if (f)
        ok &= fclose(f) == 0;
    if (!ok)
        cc_error("cannot copy the source from stdin to '%s': %s",
                 path ? path : "a scratch file", strerror(errno));
    j->input.path = path;
    return ok;
}

static enum cc_status compile_input(const struct cc_job *j)
{
    enum cc_phase phase = j->options->phase;
    enum cc_language language = j->input.language;

    if (!j->options->dry_run && !can_read(j))
        return CC_FAILED;
    if (language == CC_PTX_TEXT)
        return pack_ptx(j);
    if (phase == CC_PREPROCESS || phase == CC_DEPENDENCIES)
        return run_step(j, cc_command_preprocess, NULL, NULL) ? CC_FAILED
                                                              : CC_OK;
    if (language == CC_CUDA)
        return compile_cuda(j);
    return run_step(j, cc_command_plain, NULL, j->output) ? CC_FAILED : CC_OK;
}

enum cc_status cc_compile(const struct cc_job *j)
{
    struct cc_job job = *j;
    if (!j->options->dry_run && strcmp(j->input.path, "-") == 0 &&
        !read_stdin(&job))
        return CC_FAILED;
    return compile_input(&job);
}
