/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVRTC: source in, PTX out, through the device pass of weftcc in a process of
 * its own. A compilation goes through these files:
 *
 *   nvrtc.c     the API: arguments, results
 *   options.c   options           -> weftcc's command line (options.def)
 *   cache.c     source and options -> an earlier result, from disk
 *   build.c     a scratch folder, weftcc, and what came of it
 *   log.c       the compiler's messages as NVRTC words them
 *   names.c     name expressions and the names that they have in the PTX
 */
#ifndef WEFT_NVRTC_INTERNAL_H
#define WEFT_NVRTC_INTERNAL_H

#include "base/base.h"
#include "nvrtc.h"

/* Bytes on the heap, with a NUL behind them; data NULL: none. */
struct rtc_blob {
    char *data;
    size_t bytes;
};
void rtc_blob_free(struct rtc_blob *b);
/* False: no memory. */
bool rtc_blob_set(struct rtc_blob *b, const void *data, size_t bytes);
bool rtc_blob_add(struct rtc_blob *b, const void *data, size_t bytes);
/* A whole file; false if it cannot be read. */
bool rtc_blob_read(struct rtc_blob *b, const char *path);

struct rtc_header {
    char *name, *text;
};

struct rtc_name {
    char *expression, *lowered; /* lowered NULL: not compiled yet */
};

struct _nvrtcProgram {
    char *source, *name;
    VEC(struct rtc_header) headers;
    VEC(struct rtc_name) names;
    bool is_compiled; /* nvrtcCompileProgram was called */
    bool has_result;  /* and worked */
    bool has_ltoir;   /* the PTX is that, and there is no other */
    struct rtc_blob ptx, image, log;
    int (*callback)(void *payload, void *future);
    void *callback_payload;
};

/* What the options say. */
struct rtc_options {
    VEC(char *) arguments; /* of weftcc */
    bool wants_image;      /* -arch=sm_XX */
    bool wants_ltoir;      /* -dlto */
    bool is_relocatable;   /* -rdc=true: names may be of other programs */
    bool is_default_device, no_source_include, no_cache;
    bool no_initializer_list, no_move_forward; /* of namespace std */
    char *time_file, *trace_file;              /* malloc'ed; NULL: none */
};

/* options.c: false after adding the reason to the log. */
bool rtc_options_read(struct rtc_options *o, int count,
                      const char *const *options, struct rtc_blob *log);
void rtc_options_fini(struct rtc_options *o);

/* build.c: fills ptx, image, log and lowered names. `inputs` gets the files
 * that were read, one string behind the other, for the cache. */
nvrtcResult rtc_build(nvrtcProgram p, const struct rtc_options *o,
                      struct rtc_blob *inputs);
/* The path of weftcc, malloc'ed; NULL: this library was moved away from it. */
char *rtc_compiler(void);

/* log.c: adds the messages in a file, without the scratch folder's name. False:
 * no memory. */
bool rtc_log_add(struct _nvrtcProgram *p, const char *messages,
                 const char *scratch);

/* names.c: what stands behind the source so that the names come out, and how
 * they are found in the PTX, which loses what was added. */
bool rtc_names_add_source(const struct _nvrtcProgram *p,
                          struct rtc_blob *source);
bool rtc_names_find(nvrtcProgram p);

/* cache.c: all that decides over the result but the contents of files. */
bool rtc_cache_key(const struct _nvrtcProgram *p, const struct rtc_options *o,
                   struct rtc_blob *key);
bool rtc_cache_find(nvrtcProgram p, const struct rtc_blob *key);
void rtc_cache_store(const struct _nvrtcProgram *p, const struct rtc_blob *key,
                     const struct rtc_blob *inputs);

#endif
