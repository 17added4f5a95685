/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "core/error_log.h"

#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/environment.h"

enum { LINES = 100, LINE_BYTES = 4096, CALLBACKS = 16 };

/* An entry without a function is free. */
struct CUlogsCallbackEntry_st {
    CUlogsCallback fn;
    void *data;
};

static struct {
    pthread_mutex_t lock;
    uint32_t next; /* lines so far, and 1 */
    char lines[LINES][LINE_BYTES];
    struct CUlogsCallbackEntry_st callbacks[CALLBACKS];
    FILE *file; /* CUDA_LOG_FILE; NULL: none */
} the = {.lock = PTHREAD_MUTEX_INITIALIZER, .next = 1};

static void open_file(void)
{
    const char *path = getenv(ENVIRONMENT_LOG_FILE);
    if (!path || !*path)
        return;
    the.file = !strcmp(path, "stdout")               ? stdout
               : !strcmp(path, "stderr")             ? stderr
               : secure_getenv(ENVIRONMENT_LOG_FILE) ? fopen(path, "ae")
                                                     : NULL;
}

/* ---- lines ------------------------------------------------------------ */

/* Returns the length of what it writes. */
static int write_head(char *out, size_t size, CUlogLevel level)
{
    struct timespec now;
    struct tm t;
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &t);
    return snprintf(out, size, "[%02d:%02d:%02d.%03ld][%lu][CUDA][%c] ",
                    t.tm_hour, t.tm_min, t.tm_sec, now.tv_nsec / 1000000,
                    (unsigned long)pthread_self(),
                    level == CU_LOG_LEVEL_ERROR ? 'E' : 'W');
}

static void keep_line(const char *line)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_file);
    size_t bytes = strlen(line) + 1;
    assert(bytes <= LINE_BYTES);
    pthread_mutex_lock(&the.lock);
    memcpy(the.lines[the.next % LINES], line, bytes);
    the.next += the.next == UINT32_MAX ? 2 : 1;
    if (the.file) {
        fprintf(the.file, "%s\n", line);
        fflush(the.file);
    }
    pthread_mutex_unlock(&the.lock);
}

static void call_back(CUlogLevel level, char *message)
{
    struct CUlogsCallbackEntry_st callbacks[CALLBACKS];
    pthread_mutex_lock(&the.lock);
    memcpy(callbacks, the.callbacks, sizeof callbacks);
    pthread_mutex_unlock(&the.lock);
    for (unsigned i = 0; i < CALLBACKS; i++) {
        if (callbacks[i].fn)
            callbacks[i].fn(callbacks[i].data, level, message, strlen(message));
    }
}

void error_log_add(CUlogLevel level, const char *format, ...)
{
    char line[LINE_BYTES];
    int head = write_head(line, sizeof line, level);
    assert(head > 0 && (size_t)head < sizeof line);
    va_list args;
    va_start(args, format);
    vsnprintf(line + head, sizeof line - (size_t)head, format, args);
    va_end(args);
    keep_line(line);
    call_back(level, line + head);
}

void error_log_return(const char *function, int code, const char *name)
{
    error_log_add(CU_LOG_LEVEL_ERROR, "Returning %d (%s) from %s", code, name,
                  function);
}

/* ---- reading ---------------------------------------------------------- */

uint32_t error_log_next(void)
{
    pthread_mutex_lock(&the.lock);
    uint32_t next = the.next;
    pthread_mutex_unlock(&the.lock);
    return next;
}

/* Number of the oldest line that is kept. The lock is held. */
static uint32_t oldest_line(void)
{
    return the.next > LINES ? the.next - LINES : 1;
}

static bool put_line(FILE *out, const char *line, size_t *room)
{
    size_t bytes = strlen(line) + 1;
    if (bytes > *room)
        return false;
    fprintf(out, "%s\n", line);
    *room -= bytes;
    return true;
}

/* Writes lines from *from on, up to `room` bytes. */
static void dump_lines(uint32_t *from, FILE *out, size_t room)
{
    pthread_mutex_lock(&the.lock);
    uint32_t at = *from < oldest_line() ? oldest_line() : *from;
    bool fits = at == (*from ? *from : 1) ||
                put_line(out, "[log truncated: older lines are gone]", &room);
    while (fits && at < the.next && put_line(out, the.lines[at % LINES], &room))
        at++;
    assert(at <= the.next || at == *from);
    *from = at;
    pthread_mutex_unlock(&the.lock);
}

CUresult error_log_dump(uint32_t *from, char *buffer, size_t *size)
{
    uint32_t all = 0;
    uint32_t *at = from ? from : &all;
    if (*size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    FILE *out = fmemopen(buffer, *size, "w");
    if (!out)
        return CUDA_ERROR_OUT_OF_MEMORY;
    dump_lines(at, out, *size - 1);
    long written = ftell(out);
    assert(written < (long)*size);
    fclose(out);
    buffer[written] = 0;
    *size = (size_t)written;
    return written || *at == error_log_next() ? CUDA_SUCCESS
                                              : CUDA_ERROR_INVALID_VALUE;
}

CUresult error_log_dump_file(uint32_t *from, const char *path)
{
    uint32_t all = 0;
    FILE *out = fopen(path, "we");
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    dump_lines(from ? from : &all, out, SIZE_MAX);
    return fclose(out) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* ---- callbacks -------------------------------------------------------- */

CUresult error_log_register(CUlogsCallback fn, void *data,
                            CUlogsCallbackHandle *out)
{
    CUresult err = CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&the.lock);
    for (unsigned i = 0; err && i < CALLBACKS; i++) {
        if (the.callbacks[i].fn)
            continue;
        the.callbacks[i] = (struct CUlogsCallbackEntry_st){fn, data};
        *out = &the.callbacks[i];
        err = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&the.lock);
    return err;
}

CUresult error_log_unregister(CUlogsCallbackHandle h)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&the.lock);
    for (unsigned i = 0; i < CALLBACKS; i++) {
        if (h != &the.callbacks[i] || !h->fn)
            continue;
        h->fn = NULL;
        err = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&the.lock);
    return err;
}
