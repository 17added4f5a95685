/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compilation that is not in the cache: source and headers go into a scratch
 * folder, weftcc makes PTX of them, and the folder goes away.
 *
 * Headers may be called "../x.h", so the source lies some folders deep in the
 * scratch folder. One with an absolute path is shown to clang there by an
 * overlay of the file system.
 */
#include "base/environment.h"
#include "cache/cache.h"
#include "nvrtc/internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEPTH "a/b/c/d"

struct build {
    nvrtcProgram program;
    const struct rtc_options *options;
    char *scratch, *place; /* place: where the source is, in the scratch */
    char *compiler;
    VEC(char *) arguments;   /* of weftcc; borrowed, or from `owned` */
    VEC(char *) owned;       /* strings to free when the build ends */
    struct rtc_blob overlay; /* text of the overlay file, if there is one */
    char *overlay_path;      /* of the file */
    bool hides_names; /* the program defines names of the host's library */
};

/* ---- strings ------------------------------------------------------------- */

/* A formatted string that lives until the build ends. NULL: no memory. */
__attribute__((format(printf, 2, 3))) static char *
text_of(struct build *b, const char *format, ...)
{
    va_list list;
    char *text = NULL;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    if (text && !vec_push(&b->owned, text)) {
        free(text);
        text = NULL;
    }
    return text;
}

static bool add_argument(struct build *b, const char *argument)
{
    return argument && vec_push(&b->arguments, (char *)argument);
}

/* An argument for clang's device pass. */
static bool add_clang(struct build *b, const char *argument)
{
    return argument && add_argument(b, "--device-option") &&
           add_argument(b, argument);
}

char *rtc_compiler(void)
{
    static const char *const places[] = {"../bin/weftcc", "../../bin/weftcc"};
    Dl_info info;
    char here[4096], path[4200];
    if (!dladdr((void *)rtc_compiler, &info) || !realpath(info.dli_fname, here))
        return NULL;
    char *slash = strrchr(here, '/');
    for (size_t i = 0; slash && i < ARRAY_COUNT(places); i++) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - here), here,
                 places[i]);
        if (access(path, X_OK) == 0)
            return strdup(path);
    }
    return NULL;
}

/* ---- files --------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *st, int type,
                        struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

/* Makes the folders in front of the last '/'; they may be there. */
static bool make_folders(const char *path)
{
    char part[4096];
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        return false;
    for (char *p = part + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = 0;
        if (mkdir(part, 0700) < 0 && errno != EEXIST)
            return false;
        *p = '/';
    }
    return true;
}

static bool write_file(const char *path, const char *data, size_t bytes)
{
    if (!path || !make_folders(path))
        return false;
    FILE *f = fopen(path, "wbe");
    if (!f)
        return false;
    fwrite(data, 1, bytes, f);
    bool ok = !ferror(f);
    return fclose(f) == 0 && ok;
}

/* A name with more "../" than DEPTH allows would leave the scratch folder. */
static bool stays_inside(const char *name)
{
    int depth = 4;
    for (const char *p = name; *p; p += strspn(p, "/")) {
        size_t length = strcspn(p, "/");
        if (length == 2 && starts_with(p, ".."))
            depth--;
        else if (length != 1 || *p != '.')
            depth++;
        if (depth < 0)
            return false;
        p += length;
    }
    return true;
}

static bool write_absolute(struct build *b, const struct rtc_header *h,
                           size_t number)
{
    char *path = text_of(b, "%s/absolute/%zu", b->scratch, number);
    char *entry =
        text_of(b,
                "%s{\"type\":\"file\",\"name\":\"%s\","
                "\"external-contents\":\"%s\"}",
                b->overlay.bytes ? "," : "", h->name, path ? path : "");
    return entry && write_file(path, h->text, strlen(h->text)) &&
           rtc_blob_add(&b->overlay, entry, strlen(entry));
}

static bool write_headers(struct build *b)
{
    for (size_t i = 0; i < b->program->headers.count; i++) {
        const struct rtc_header *h = &b->program->headers.data[i];
        bool ok = h->name[0] == '/' ? write_absolute(b, h, i)
                  : stays_inside(h->name)
                      ? write_file(text_of(b, "%s/%s", b->place, h->name),
                                   h->text, strlen(h->text))
                      : false;
        if (!ok)
            return false;
    }
    if (!b->overlay.bytes)
        return true;
    char *path = text_of(b, "%s/overlay.yaml", b->scratch);
    char *text = text_of(b,
                         "{\"version\":0,\"use-external-names\":false,"
                         "\"roots\":[%s]}",
                         b->overlay.data);
    b->overlay_path = path;
    return text && write_file(path, text, strlen(text));
}

/* Writes the source file: lines that set up macros and the name in messages,
 * the program's source, and what names.c adds. */
static bool write_source(struct build *b)
{
    /* Macros from which NVIDIA's headers conclude that a host compiler with its
     * library is there. */
    static const char own[] = "#undef __clang__\n#undef __GNUC__\n";
    static const char begin[] = "#pragma clang force_cuda_host_device begin\n";
    static const char undo[] = ""
#define HIDDEN(name) "#undef " #name "\n"
#include "cc/hidden.def"
        "#include __WEFT_RUNTIME_STD\n";
    static const char end[] = "\n#pragma clang force_cuda_host_device end\n";
    const struct _nvrtcProgram *p = b->program;
    bool is_default_device = b->options->is_default_device;
    struct rtc_blob text = {0};
    char *line = text_of(b, "# 1 \"%s\"\n", p->name);
    bool ok = line && rtc_blob_add(&text, own, sizeof own - 1);
    if (ok && b->hides_names)
        ok = rtc_blob_add(&text, undo, sizeof undo - 1);
    if (ok && is_default_device)
        ok = rtc_blob_add(&text, begin, sizeof begin - 1);
    ok = ok && rtc_blob_add(&text, line, strlen(line)) &&
         rtc_blob_add(&text, p->source, strlen(p->source)) &&
         rtc_names_add_source(p, &text);
    if (ok && is_default_device)
        ok = rtc_blob_add(&text, end, sizeof end - 1);
    ok = ok && write_file(text_of(b, "%s/program.cu", b->place), text.data,
                          text.bytes);
    rtc_blob_free(&text);
    return ok;
}

/* ---- running weftcc ------------------------------------------------------ */

/* The environment without variables that are meant for command lines. The array
 * is malloc'ed, its strings are environ's. NULL: no memory. */
static char **clean_environment(void)
{
    static const char *const dropped[] = {ENVIRONMENT_PREPEND_FLAGS "=",
                                          ENVIRONMENT_APPEND_FLAGS "=",
                                          "CPATH=",
                                          "C_INCLUDE_PATH=",
                                          "CPLUS_INCLUDE_PATH=",
                                          "LD_PRELOAD="};
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **out = calloc(count + 1, sizeof *out);
    for (size_t i = 0; out && i < count; i++) {
        bool keep = true;
        for (size_t k = 0; k < ARRAY_COUNT(dropped); k++)
            keep &= !starts_with(environ[i], dropped[k]);
        if (keep)
            out[kept++] = environ[i];
    }
    return out;
}

/* Waits for weftcc and returns its exit status, -1: unknown. Every 5 ms asks
 * the program's callback, if it has one, whether to go on. */
static int wait_for(const struct build *b, pid_t pid, bool *is_cancelled)
{
    const struct _nvrtcProgram *p = b->program;
    int status;
    *is_cancelled = false;
    for (;;) {
        pid_t done = waitpid(pid, &status, p->callback ? WNOHANG : 0);
        if (done == pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
        if (done < 0 && errno == ECHILD)
            return -1; /* the host program reaps all children by itself */
        if (done == 0) {
            if (p->callback(p->callback_payload, NULL) == 1) {
                *is_cancelled = true;
                kill(pid, SIGTERM);
                while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
                }
                return 128;
            }
            poll(NULL, 0, 5);
        }
    }
}

/* Runs weftcc with b->arguments, stderr appended to the file `messages`. The
 * exit status, -1: unknown, -2: it could not be started. */
static int run_compiler(struct build *b, const char *messages,
                        bool *is_cancelled)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    pid_t pid;
    char **environment = clean_environment();
    int err = ENOMEM;
    *is_cancelled = false;
    if (!environment || !vec_push(&b->arguments, NULL)) {
        free(environment);
        return -2;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, messages,
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    /* The compiler must not inherit blocked or ignored signals. */
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGCHLD);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGTERM);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    err = posix_spawn(&pid, b->compiler, &actions, &attributes,
                      b->arguments.data, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return err ? -2 : wait_for(b, pid, is_cancelled);
}

/* ---- results ------------------------------------------------------------- */

/* Appends the files that a make rule names, except those in the scratch
 * folder. */
static void list_inputs(struct build *b, const char *rules,
                        struct rtc_blob *inputs)
{
    struct rtc_blob text = {0};
    if (!rtc_blob_read(&text, rules))
        return;
    char *p = strchr(text.data, ':');
    for (p = p ? p + 1 : text.data + text.bytes; *p;) {
        char name[4096];
        size_t n = 0;
        p += strspn(p, " \t\n");
        if (p[0] == '\\' && p[1] == '\n') {
            p += 2;
            continue;
        }
        for (; *p && !strchr(" \t\n", *p) && n < sizeof name - 1; p++) {
            if (*p == '\\' && p[1] && p[1] != '\n')
                p++;
            name[n++] = *p;
        }
        name[n] = 0;
        if (n && !starts_with(name, b->scratch))
            rtc_blob_add(inputs, name, n + 1);
    }
    rtc_blob_free(&text);
}

static nvrtcResult result_of(int status, bool is_cancelled)
{
    if (is_cancelled)
        return NVRTC_ERROR_CANCELLED;
    switch (status) {
    case 0:
    case -1: /* unknown: whether there is PTX will tell */
        return NVRTC_SUCCESS;
    case 1:
        return NVRTC_ERROR_INVALID_OPTION;
    case -2:
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    default:
        return NVRTC_ERROR_COMPILATION;
    }
}

/* -Xptxas -v, of the device that the image is for. */
static bool add_usage(struct build *b)
{
    const struct rtc_options *o = b->options;
    return !o->shows_usage ||
           (add_argument(b, "-Xptxas") && add_argument(b, "-v") &&
            add_argument(b, "-arch") && add_argument(b, o->arch));
}

/* -arch=sm_XX: the PTX in a container, which loads where a cubin does. */
static nvrtcResult make_image(struct build *b)
{
    char *ptx = text_of(b, "%s/image.ptx", b->scratch);
    char *image = text_of(b, "%s/image.fatbin", b->scratch);
    char *messages = text_of(b, "%s/image.log", b->scratch);
    struct rtc_blob *text = &b->program->ptx;
    bool is_cancelled;
    b->arguments.count = 0;
    if (!image || !messages || !write_file(ptx, text->data, text->bytes) ||
        !add_argument(b, b->compiler) || !add_argument(b, "-fatbin") ||
        !add_argument(b, ptx) ||
        (b->options->is_relocatable && !add_argument(b, "-rdc=true")) ||
        !add_usage(b) ||
        !add_argument(b, "-o") || !add_argument(b, image))
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    int status = run_compiler(b, messages, &is_cancelled);
    rtc_log_add(b->program, messages, b->scratch);
    if (status != 0 && status != -1)
        return status == -2 ? NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
                            : NVRTC_ERROR_COMPILATION;
    return rtc_blob_read(&b->program->image, image)
               ? NVRTC_SUCCESS
               : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

/* Quoted headers are looked for in the folder of the source's name first, as if
 * the source were a file there. */
static bool add_source_folder(struct build *b)
{
    const char *name = b->program->name, *slash = strrchr(name, '/');
    if (b->options->no_source_include)
        return true;
    return add_clang(b, "-iquote") &&
           add_clang(b, slash ? text_of(b, "%.*s", (int)(slash - name), name)
                              : ".");
}

/* The implicit header is precompiled once for all programs, in the cache's
 * folder, or without a cache for this one, in the scratch folder. */
static bool add_precompiled(struct build *b)
{
    char folder[CACHE_PATH_BYTES];
    bool is_kept = !cache_is_disabled() && cache_folder(folder) &&
                   cache_make_folder(folder);
    return add_argument(b, "--precompiled-folder") &&
           add_argument(b, is_kept ? text_of(b, "%s", folder) : b->scratch);
}

static bool add_arguments(struct build *b, const char *ptx, const char *rules)
{
    if (!add_argument(b, b->compiler) || !add_argument(b, "-ptx") ||
        !add_argument(b, "--nvrtc") || !add_precompiled(b) ||
        !add_clang(b, "-I") || !add_clang(b, b->place) || !add_source_folder(b))
        return false;
    if (b->overlay_path &&
        (!add_clang(b, "-ivfsoverlay") || !add_clang(b, b->overlay_path)))
        return false;
    for (size_t i = 0; i < b->options->arguments.count; i++)
        if (!add_argument(b, b->options->arguments.data[i]))
            return false;
    if (b->hides_names && !add_argument(b, "--hide-host-names"))
        return false;
    return add_argument(b, "-MD") && add_argument(b, "-MF") &&
           add_argument(b, rules) &&
           add_argument(b, text_of(b, "%s/program.cu", b->place)) &&
           add_argument(b, "-o") && add_argument(b, ptx);
}

/* The program itself defines a name that came with a header, or has a using
 * declaration for another. */
static bool has_conflict(const struct rtc_blob *log)
{
    return log->data &&
           (strstr(log->data, "redefinition") ||
            strstr(log->data, "target of using declaration conflicts"));
}

static nvrtcResult compile_once(struct build *b, const char *ptx,
                                const char *rules, const char *messages)
{
    bool is_cancelled;
    b->arguments.count = 0;
    if (!write_source(b) || !add_arguments(b, ptx, rules))
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    int status = run_compiler(b, messages, &is_cancelled);
    nvrtcResult err = result_of(status, is_cancelled);
    if (!rtc_log_add(b->program, messages, b->place))
        err = NVRTC_ERROR_OUT_OF_MEMORY;
    return err;
}

/* Compiles once more with names of the host's library hidden. If names conflict
 * even so, the program defines something twice: then the messages of the first
 * time stay. */
static nvrtcResult compile_again(struct build *b, const char *ptx,
                                 const char *rules, const char *messages)
{
    struct rtc_blob first = b->program->log;
    b->program->log = (struct rtc_blob){0};
    b->hides_names = true;
    nvrtcResult err = rtc_blob_set(&b->program->log, "", 0)
                          ? compile_once(b, ptx, rules, messages)
                          : NVRTC_ERROR_OUT_OF_MEMORY;
    const bool is_first = err && has_conflict(&b->program->log);
    rtc_blob_free(is_first ? &b->program->log : &first);
    if (is_first)
        b->program->log = first;
    return err;
}

static nvrtcResult compile_program(struct build *b, struct rtc_blob *inputs)
{
    char *ptx = text_of(b, "%s/program.ptx", b->scratch);
    char *rules = text_of(b, "%s/program.d", b->scratch);
    char *first = text_of(b, "%s/first.log", b->scratch);
    char *second = text_of(b, "%s/second.log", b->scratch);
    if (!ptx || !rules || !first || !second || !write_headers(b))
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;

    nvrtcResult err = compile_once(b, ptx, rules, first);
    if (err == NVRTC_ERROR_COMPILATION && has_conflict(&b->program->log))
        err = compile_again(b, ptx, rules, second);
    if (err)
        return err;
    if (!rtc_blob_read(&b->program->ptx, ptx))
        return NVRTC_ERROR_COMPILATION;
    if (!rtc_names_find(b->program))
        return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    list_inputs(b, rules, inputs);
    return b->options->wants_image && !b->options->wants_ltoir ? make_image(b)
                                                               : NVRTC_SUCCESS;
}

/* ---- the whole ----------------------------------------------------------- */

static nvrtcResult prepare_build(struct build *b)
{
    static const char no_compiler[] =
        "nvrtc: error: weftcc is not beside libnvrtc; install weft again\n";
    const char *place = secure_getenv("TMPDIR");
    b->compiler = rtc_compiler();
    if (!b->compiler) {
        rtc_blob_add(&b->program->log, no_compiler, sizeof no_compiler - 1);
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    b->scratch =
        text_of(b, "%s/weft-nvrtc-XXXXXX", place && *place ? place : "/tmp");
    if (!b->scratch)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    if (!mkdtemp(b->scratch)) {
        char *text = text_of(b,
                             "nvrtc: error: cannot make a scratch folder %s: "
                             "%s; set TMPDIR to a folder with room\n",
                             b->scratch, strerror(errno));
        b->scratch = NULL;
        if (text)
            rtc_blob_add(&b->program->log, text, strlen(text));
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    b->place = text_of(b, "%s/" DEPTH, b->scratch);
    return b->place ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult rtc_build(nvrtcProgram p, const struct rtc_options *o,
                      struct rtc_blob *inputs)
{
    struct build b = {.program = p, .options = o};
    nvrtcResult err = prepare_build(&b);
    if (!err)
        err = compile_program(&b, inputs);
    if (b.scratch)
        nftw(b.scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < b.owned.count; i++)
        free(b.owned.data[i]);
    vec_fini(&b.owned);
    vec_fini(&b.arguments);
    rtc_blob_free(&b.overlay);
    free(b.compiler);
    return err;
}
