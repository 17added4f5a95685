/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All the input files: source files are compiled, several at once if the output
 * is the same that way, and the results are linked or put into an archive.
 */
#include "cc/cc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct work {
    struct cc_job job;
    const char *messages; /* of a process of its own */
    int pid;              /* 0: not started, -1: done */
    enum cc_status status;
};
typedef VEC(struct work) work_list;

/* ---- which files, and what becomes of them ------------------------------- */

static bool is_source(const struct cc_input *input)
{
    return input->language != CC_LINKER && input->language != CC_FATBIN_FILE;
}

/* Is the input compiled in this phase? Files without device code are skipped if
 * the result is device code alone, as nvcc does. */
static bool takes_part(const struct cc_options *o, const struct cc_input *input)
{
    if (!is_source(input))
        return false;
    if (o->phase == CC_PTX)
        return input->language == CC_CUDA;
    if (o->phase == CC_FATBIN)
        return input->language == CC_CUDA || input->language == CC_PTX_TEXT;
    return true;
}

static bool is_joining(const struct cc_options *o)
{
    return o->phase == CC_LINK || o->phase == CC_ARCHIVE ||
           o->phase == CC_DEVICE_LINK;
}

static const char *own_suffix(const struct cc_options *o)
{
    switch (o->phase) {
    case CC_PTX:
        return ".ptx";
    case CC_FATBIN:
        return o->is_cubin ? ".cubin" : ".fatbin";
    default:
        return ".o";
    }
}

static const char *result_of(const struct cc_options *o,
                             const struct cc_input *input)
{
    if (is_joining(o))
        return cc_intermediate(o, input->path, ".o");
    if (o->phase == CC_PREPROCESS || o->phase == CC_DEPENDENCIES)
        return NULL; /* to stdout, or -o as it stands */
    if (o->output)
        return o->output;
    const char *name = cc_with_suffix(input->path, own_suffix(o));
    return o->output_dir ? arena_printf(cc_arena, "%s/%s", o->output_dir, name)
                         : name;
}

/* ---- compiling ----------------------------------------------------------- */

static enum cc_status compile_in_process(const void *data)
{
    const struct work *w = data;
    return cc_compile(&w->job);
}

static enum cc_status compile_in_order(work_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        enum cc_status status = cc_compile(&list->data[i].job);
        if (status)
            return status;
    }
    return CC_OK;
}

static void collect_one(work_list *list)
{
    int status;
    int pid = cc_wait_any(&status);
    for (size_t i = 0; i < list->count; i++) {
        if (list->data[i].pid != pid)
            continue;
        list->data[i].pid = -1;
        list->data[i].status = (enum cc_status)status;
    }
}

/* Every file is compiled even if one fails, and the messages appear in the
 * order of the files. */
static enum cc_status compile_at_once(work_list *list, size_t limit)
{
    enum cc_status first = CC_OK;
    size_t started = 0, shown = 0, running = 0;

    while (shown < list->count) {
        while (started < list->count && running < limit) {
            struct work *w = &list->data[started++];
            w->pid = cc_spawn(compile_in_process, w, w->messages);
            if (w->pid < 0)
                w->status = CC_FAILED;
            else
                running++;
        }
        if (running) {
            collect_one(list);
            running--;
        }
        for (; shown < started && list->data[shown].pid == -1; shown++) {
            cc_show_messages(list->data[shown].messages, NULL, NULL);
            if (!first)
                first = list->data[shown].status;
        }
    }
    return first;
}

static size_t job_limit(const struct cc_options *o)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return o->jobs ? o->jobs : processors > 0 ? (size_t)processors : 1;
}

static bool shows_commands(const struct cc_options *o)
{
    return o->dry_run || o->verbose;
}

/* Kept files have fixed names: two processes would choose the same ones for two
 * inputs of one base name. */
static bool runs_in_order(const struct cc_options *o)
{
    return shows_commands(o) || o->keep || o->keep_dir;
}

static enum cc_status compile_all(const struct cc_options *o, work_list *list)
{
    bool to_stdout =
        (o->phase == CC_PREPROCESS || o->phase == CC_DEPENDENCIES) &&
        !o->output;
    size_t limit = job_limit(o);

    if (list->count == 1)
        list->data[0].job.is_alone = limit > 1;
    if (list->count < 2 || limit < 2 || to_stdout || runs_in_order(o))
        return compile_in_order(list);
    for (size_t i = 0; i < list->count; i++) {
        struct work *w = &list->data[i];
        w->messages = cc_temporary(o, w->job.input.path, ".log");
        if (!w->messages)
            return CC_FAILED;
    }
    return compile_at_once(list, limit);
}

/* ---- joining ------------------------------------------------------------- */

static int run_or_print(const struct cc_options *o, const cc_args *command)
{
    if (shows_commands(o))
        cc_print_command(command);
    double start_ms = cc_now_ms();
    int status = o->dry_run ? 0 : cc_run(command, NULL);
    const struct cc_step done = {.phase = o->phase == CC_ARCHIVE ? "archive"
                                                                 : "link",
                                 .output = o->output,
                                 .tool = command->data[0]};
    cc_time_step(o, &done, start_ms);
    return status;
}

static enum cc_status make_archive(const struct cc_options *o,
                                   const struct cc_toolchain *t,
                                   const cc_args *files)
{
    cc_args command = {0};
    cc_add(&command, t->ar);
    cc_add(&command, "rcs");
    cc_add_all(&command, &o->archiver);
    cc_add(&command, o->output ? o->output : "a.a");
    cc_add_all(&command, files);
    return run_or_print(o, &command) ? CC_FAILED : CC_OK;
}

static const char *device_link_output(const struct cc_options *o)
{
    return o->output                  ? o->output
           : o->device_link_to_fatbin ? "a_dlink.fatbin"
                                      : "a_dlink.o";
}

/* -dlink: an object in any case, since build systems wait for one. */
static enum cc_status device_link(const struct cc_options *o,
                                  const struct cc_toolchain *t,
                                  const cc_args *files)
{
    const char *output = device_link_output(o);
    bool has_output = false;
    enum cc_status status =
        o->dry_run ? CC_OK : cc_device_link(o, t, files, output, &has_output);
    if (status || has_output)
        return status;
    if (o->device_link_to_fatbin) {
        cc_error("no input has relocatable device code; compile with -dc");
        return CC_FAILED;
    }

    cc_args command = {0};
    cc_add(&command, t->clang);
    cc_add(&command, "-x");
    cc_add(&command, "c");
    cc_add(&command, "-c");
    cc_add(&command, "/dev/null");
    cc_add(&command, "-o");
    cc_add(&command, output);
    return run_or_print(o, &command) ? CC_FAILED : CC_OK;
}

/* Before a host link: if some file has relocatable device code, adds the object
 * of a device link to the files. Commands are shown as a weftcc -dlink. */
static enum cc_status add_device_code(const struct cc_options *o,
                                      const struct cc_toolchain *t,
                                      cc_args *files)
{
    const char *source = o->output ? o->output : "a";
    const char *output = cc_intermediate(o, source, "_dlink.o");
    bool has_output = o->dry_run && o->relocatable;
    enum cc_status status = output ? CC_OK : CC_FAILED;
    if (!status && !o->dry_run)
        status = cc_device_link(o, t, files, output, &has_output);
    if (status || !has_output)
        return status;
    if (shows_commands(o)) {
        cc_args command = {0};
        cc_add(&command, t->self);
        cc_add(&command, "-dlink");
        cc_add_all(&command, files);
        for (size_t i = 0; i < o->link.count; i++)
            if (o->link.data[i][0] == '-' && strchr("lL", o->link.data[i][1]))
                cc_add(&command, o->link.data[i]);
        cc_add(&command, "-o");
        cc_add(&command, output);
        cc_print_command(&command);
        vec_fini(&command);
    }
    cc_add(files, output);
    return CC_OK;
}

static enum cc_status run_result(const struct cc_options *o,
                                 const char *program)
{
    cc_args command = {0};
    cc_add(&command, strchr(program, '/')
                         ? program
                         : arena_printf(cc_arena, "./%s", program));
    cc_add_all(&command, &o->run_args);
    if (shows_commands(o))
        cc_print_command(&command);
    if (o->dry_run)
        return CC_OK;
    cc_remove_temporaries();
    return cc_become(&command);
}

static enum cc_status join_files(const struct cc_options *o,
                                 const struct cc_toolchain *t, cc_args *files)
{
    if (o->phase == CC_ARCHIVE)
        return make_archive(o, t, files);
    if (o->phase == CC_DEVICE_LINK)
        return device_link(o, t, files);
    if (!o->no_device_link && !o->partial_link) {
        enum cc_status status = add_device_code(o, t, files);
        if (status)
            return status;
    }

    cc_args command = {0};
    const char *program = o->output ? o->output : "a.out";
    cc_command_link(o, t, files, program, &command);
    if (run_or_print(o, &command))
        return CC_FAILED;
    return o->run ? run_result(o, program) : CC_OK;
}

/* ---- the whole ----------------------------------------------------------- */

/* Fills the list of compilations, and the list of files to join afterwards. */
static bool plan_work(const struct cc_options *o, const struct cc_toolchain *t,
                      work_list *list, cc_args *files)
{
    for (size_t i = 0; i < o->inputs.count; i++) {
        const struct cc_input *input = &o->inputs.data[i];
        if (input->language == CC_LINKER)
            cc_add(files, input->path);
        if (!takes_part(o, input))
            continue;
        struct work w = {.job = {.options = o,
                                 .toolchain = t,
                                 .input = *input,
                                 .output = result_of(o, input)}};
        if (!w.job.output && is_joining(o))
            return false;
        if (o->output && cc_options_pack_ptx(o)) {
            if (list->count) {
                cc_add(&list->data[0].job.ptx, input->path);
                continue;
            }
            cc_add(&w.job.ptx, input->path);
        }
        must_have_memory(vec_push(list, w));
        if (is_joining(o))
            cc_add(files, w.job.output);
    }
    return true;
}

static void remove_made(const char *path)
{
    if (path && unlink(path) && errno != ENOENT)
        cc_warning("cannot remove '%s': %s", path, strerror(errno));
}

/* -clean: removes what the same command would make. */
static enum cc_status clean_results(const struct cc_options *o,
                                    const work_list *list)
{
    for (size_t i = 0; !is_joining(o) && i < list->count; i++)
        remove_made(list->data[i].job.output);
    if (o->phase == CC_LINK)
        remove_made(o->output ? o->output : "a.out");
    else if (o->phase == CC_ARCHIVE)
        remove_made(o->output ? o->output : "a.a");
    else if (o->phase == CC_DEVICE_LINK)
        remove_made(device_link_output(o));
    return CC_OK;
}

/* -run with one file that is a program already, which Meson passes in quotes:
 * its path. NULL: the command is another. */
static const char *ready_program(const struct cc_options *o)
{
    cc_args words = {0};
    bool is_one = o->run && o->phase == CC_LINK && o->inputs.count == 1 &&
                  o->inputs.data[0].language == CC_UNKNOWN;
    if (is_one)
        cc_split_words(&words, o->inputs.data[0].path);
    const char *path = words.count == 1 ? words.data[0] : NULL;
    vec_fini(&words);
    return path && access(path, X_OK) == 0 ? path : NULL;
}

enum cc_status cc_drive(const struct cc_options *o,
                        const struct cc_toolchain *t)
{
    work_list list = {0};
    cc_args files = {0};
    enum cc_status status = CC_FAILED;

    if (shows_commands(o))
        cc_print_settings(o, t);
    if (ready_program(o))
        return run_result(o, ready_program(o));
    if (cc_options_check_inputs(o) && plan_work(o, t, &list, &files))
        status = o->clean ? clean_results(o, &list) : compile_all(o, &list);
    if (!status && !o->clean && is_joining(o))
        status = join_files(o, t, &files);
    vec_fini(&list);
    vec_fini(&files);
    return status;
}
