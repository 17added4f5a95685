/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When core files are written, and where. Global settings apply to contexts
 * without settings of their own; the environment is read before the program's
 * settings. A user triggers a core file by writing to a pipe.
 *
 * CUDA-GDB's manual, "GPU Core Dump Support"; CUDA Driver API, "Coredump
 * Attributes Control API".
 */
#define _GNU_SOURCE
#include "core/coredump.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_BYTES = 1024 };

struct settings {
    bool is_wanted, calls_host, is_lightweight, is_triggered;
    unsigned flags; /* CU_COREDUMP_SKIP_... */
    char file[TEXT_BYTES], pipe[TEXT_BYTES];
};

static struct {
    pthread_mutex_t lock;
    struct settings global;
    struct settings *of[CTX_PLACE_COUNT]; /* NULL: the global ones */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the environment -------------------------------------------------- */

static bool is_on(const char *name, bool otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strcmp(text, "0") != 0 : otherwise;
}

static void read_text(char *out, const char *name, const char *otherwise)
{
    const char *text = secure_getenv(name);
    snprintf(out, TEXT_BYTES, "%s", text && *text ? text : otherwise);
}

static unsigned read_flags(const char *text)
{
    static const struct {
        const char *name;
        unsigned flag;
    } flags[] = {
        {"skip_nonrelocated_elf_images",
         CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES},
        {"skip_global_memory", CU_COREDUMP_SKIP_GLOBAL_MEMORY},
        {"skip_shared_memory", CU_COREDUMP_SKIP_SHARED_MEMORY},
        {"skip_local_memory", CU_COREDUMP_SKIP_LOCAL_MEMORY},
        {"skip_abort", CU_COREDUMP_SKIP_ABORT},
        {"skip_constbank_memory", CU_COREDUMP_SKIP_CONSTBANK_MEMORY},
    };
    unsigned found = 0;
    for (size_t i = 0; text && i < ARRAY_COUNT(flags); i++) {
        if (strstr(text, flags[i].name))
            found |= flags[i].flag;
    }
    return found;
}

static void read_environment(void)
{
    struct settings *s = &all.global;
    s->is_wanted = is_on("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", false);
    s->calls_host = is_on("CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION", true);
    s->is_lightweight = is_on("CUDA_ENABLE_LIGHTWEIGHT_COREDUMP", false);
    s->is_triggered = is_on("CUDA_ENABLE_USER_TRIGGERED_COREDUMP", false);
    s->flags = read_flags(getenv("CUDA_COREDUMP_GENERATION_FLAGS"));
    read_text(s->file, "CUDA_COREDUMP_FILE", "");
    read_text(s->pipe, "CUDA_COREDUMP_PIPE", "");
}

/* The context's settings, or the global ones. The lock is held. */
static struct settings *settings_of(CUcontext ctx)
{
    assert(!ctx || ctx_place(ctx) < CTX_PLACE_COUNT);
    static bool is_read;
    if (!is_read)
        read_environment();
    is_read = true;
    struct settings *own = ctx ? all.of[ctx_place(ctx)] : NULL;
    return own ? own : &all.global;
}

/* ---- reading and writing settings ------------------------------------- */

static bool *find_flag(struct settings *s, CUcoredumpSettings what)
{
    switch (what) {
    case CU_COREDUMP_ENABLE_ON_EXCEPTION:
        return &s->is_wanted;
    case CU_COREDUMP_TRIGGER_HOST:
        return &s->calls_host;
    case CU_COREDUMP_LIGHTWEIGHT:
        return &s->is_lightweight;
    case CU_COREDUMP_ENABLE_USER_TRIGGER:
        return &s->is_triggered;
    default:
        return NULL;
    }
}

static char *find_text(struct settings *s, CUcoredumpSettings what)
{
    return what == CU_COREDUMP_FILE   ? s->file
           : what == CU_COREDUMP_PIPE ? s->pipe
                                      : NULL;
}

/* Where the setting is kept; *size: its size. NULL: there is no such setting.
 * The trigger settings are the whole process's. */
static void *find_value(CUcontext ctx, struct settings *s,
                        CUcoredumpSettings what, size_t *size)
{
    char *text = find_text(s, what);
    bool *flag = find_flag(s, what);
    if (ctx &&
        (what == CU_COREDUMP_ENABLE_USER_TRIGGER || what == CU_COREDUMP_PIPE))
        return NULL;
    if (text) {
        *size = TEXT_BYTES;
        return text;
    }
    if (what == CU_COREDUMP_GENERATION_FLAGS) {
        *size = sizeof s->flags;
        return &s->flags;
    }
    *size = sizeof *flag;
    return flag;
}

static CUresult get_text(char *out, size_t room, const char *text)
{
    size_t length = strlen(text);
    assert(length < TEXT_BYTES);
    if (length > room)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(out, text, length < room ? length + 1 : length);
    return CUDA_SUCCESS;
}

static CUresult get_locked(CUcontext ctx, CUcoredumpSettings what, void *value,
                           size_t *size)
{
    size_t own_bytes;
    struct settings *s = settings_of(ctx);
    const void *own = find_value(ctx, s, what, &own_bytes);
    if (!own)
        return CUDA_ERROR_INVALID_VALUE;
    if (!value) {
        *size = own_bytes;
        return CUDA_SUCCESS;
    }
    if (find_text(s, what))
        return get_text(value, *size, own);
    assert(own_bytes < TEXT_BYTES);
    if (*size != own_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(value, own, own_bytes);
    return CUDA_SUCCESS;
}

CUresult coredump_get(CUcontext ctx, CUcoredumpSettings what, void *value,
                      size_t *size)
{
    pthread_mutex_lock(&all.lock);
    CUresult err = get_locked(ctx, what, value, size);
    pthread_mutex_unlock(&all.lock);
    return err;
}

/* Gives the context settings of its own. The lock is held. */
static struct settings *own_settings(CUcontext ctx)
{
    struct settings *now = settings_of(ctx);
    if (!ctx || now != &all.global)
        return now;
    struct settings *own = malloc(sizeof *own);
    if (!own)
        return NULL;
    *own = *now;
    return all.of[ctx_place(ctx)] = own;
}

static CUresult set_locked(CUcontext ctx, CUcoredumpSettings what,
                           const void *value, size_t size)
{
    struct settings *s = own_settings(ctx);
    size_t own_bytes;
    if (!s)
        return CUDA_ERROR_OUT_OF_MEMORY;
    void *own = find_value(ctx, s, what, &own_bytes);
    bool is_text = find_text(s, what) != NULL;
    if (!own || (is_text ? size > TEXT_BYTES : size != own_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (is_text)
        snprintf(own, TEXT_BYTES, "%.*s", (int)size,
                 value ? (const char *)value : "");
    else if (value)
        memcpy(own, value, own_bytes);
    return CUDA_SUCCESS;
}

CUresult coredump_set(CUcontext ctx, CUcoredumpSettings what, const void *value,
                      size_t size)
{
    pthread_mutex_lock(&all.lock);
    CUresult err = set_locked(ctx, what, value, size);
    pthread_mutex_unlock(&all.lock);
    return err;
}

void coredump_forget(CUcontext ctx)
{
    pthread_mutex_lock(&all.lock);
    free(all.of[ctx_place(ctx)]);
    all.of[ctx_place(ctx)] = NULL;
    pthread_mutex_unlock(&all.lock);
}

/* ---- writing ---------------------------------------------------------- */

/* Replaces %h by the host's name, %p by the process id, %t by seconds since
 * 1970. */
static bool expand_pattern(char *out, size_t size, const char *pattern)
{
    FILE *to = fmemopen(out, size, "w");
    char host[256] = "";
    if (!to)
        return false;
    gethostname(host, sizeof host - 1);
    for (const char *p = pattern; *p; p++) {
        char what = *p == '%' ? p[1] : 0;
        if (what == 'h')
            fputs(host, to);
        else if (what == 'p')
            fprintf(to, "%d", (int)getpid());
        else if (what == 't')
            fprintf(to, "%lld", (long long)time(NULL));
        else
            fputc(*p, to);
        p += what == 'h' || what == 'p' || what == 't';
    }
    fputc(0, to);
    return !fclose(to);
}

static unsigned flags_of(const struct settings *s)
{
    return s->flags | (s->is_lightweight ? CU_COREDUMP_LIGHTWEIGHT_FLAGS : 0);
}

static void dump_core(CUcontext ctx, const struct exec_fault_info *fault,
                      const struct settings *s)
{
    char path[TEXT_BYTES * 2];
    const struct coredump d = {ctx, fault, flags_of(s)};
    bool ok = expand_pattern(path, sizeof path,
                             *s->file ? s->file : "core_%t_%h_%p.nvcudmp") &&
              coredump_write(path, &d);
    fprintf(stderr,
            ok ? "weft: core file %s\n"
               : "weft: core file %s cannot be written\n",
            path);
}

void coredump_on_fault(CUcontext ctx, enum exec_fault fault)
{
    struct exec_fault_info info = exec_last_fault();
    pthread_mutex_lock(&all.lock);
    const struct settings s = *settings_of(ctx);
    pthread_mutex_unlock(&all.lock);
    if (!s.is_wanted)
        return;
    dump_core(ctx, info.fault == fault && info.function ? &info : NULL, &s);
    if (!(s.flags & CU_COREDUMP_SKIP_ABORT))
        abort();
}
