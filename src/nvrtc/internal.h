/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVRTC: makes PTX of source, by running weftcc's device pass in a process of
 * its own. A compilation goes through these files:
 *
 *   nvrtc.c     the API: arguments, results
 *   options.c   options           -> weftcc's command line (options.def)
 *   cache.c     source and options -> an earlier result, from disk
 *   build.c     makes a scratch folder, runs weftcc, reads the results
 *   log.c       the compiler's messages as NVRTC words them
 *   names.c     name expressions and the names that they have in the PTX
 *   pch.c       files that stand for precompiled headers
 *
 * No file has a lock. The folder of the cache is safe for several threads and
 * processes.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  one at a time for each program; programs share nothing
 *   errors   false or an nvrtcResult; what the user did wrong is in the
 *            program's log
 *   owners   a program owns its texts, logs and results
 *   units    sizes are bytes; those of texts include the NUL where nvrtc.h says
 *            so
 */
#ifndef WEFT_NVRTC_INTERNAL_H
#define WEFT_NVRTC_INTERNAL_H

#include "base/base.h"
#include "nvrtc.h"

/* nvrtcCreateProgram with extensions, each a number and an argument: cuDNN's
 * texts and options are encoded, and it says how NVRTC gets C++ of them.
 * INVALID_INPUT for an extension that is not known. nvrtc.h does not have it;
 * source: programs that declare it. */
enum {
    RTC_EXTENSION_DECODE = 1,         /* an rtc_decode_fn */
    RTC_EXTENSION_DECODE_PAYLOAD = 2, /* void *, by default NULL */
};
nvrtcResult __nvrtcCPEx(nvrtcProgram *prog, const char *src, const char *name,
                        int numHeaders, const char *const *headers,
                        const char *const *includeNames, int numExtensions,
                        const int *extensions, void *const *extensionArgs);

/* Bytes on the heap, with a NUL behind them; data NULL: none. */
struct rtc_blob {
    char *data;
    size_t bytes;
};
void rtc_blob_free(struct rtc_blob *b);
/* Replaces the contents by a copy of `bytes` bytes, or appends one. False: no
 * memory. */
bool rtc_blob_set(struct rtc_blob *b, const void *data, size_t bytes);
bool rtc_blob_add(struct rtc_blob *b, const void *data, size_t bytes);
/* Replaces the contents by those of a file; false if it cannot be read. */
bool rtc_blob_read(struct rtc_blob *b, const char *path);

/* What it returns stays the client's; it may be what it gets. */
typedef const char *rtc_decode_fn(const void *encoded, void *payload);
struct rtc_decoder {
    rtc_decode_fn *decode; /* NULL: texts are as they are */
    void *payload;
};

struct rtc_header {
    char *name, *text;
};

struct rtc_name {
    char *expression, *lowered; /* lowered NULL: not compiled yet */
};

struct _nvrtcProgram {
    char *source, *name;
    struct rtc_decoder decoder; /* of options; other texts are decoded */
    VEC(struct rtc_header) headers;
    VEC(struct rtc_name) names;
    bool is_compiled; /* nvrtcCompileProgram was called */
    bool has_result;  /* its last call succeeded */
    bool has_ltoir;   /* `ptx` is what -dlto gives as LTO-IR */
    bool has_pch;     /* the last call was to make one, and did */
    struct rtc_blob ptx, image, log; /* image: of -arch=sm_XX, else empty */
    int (*callback)(void *payload, void *future);
    void *callback_payload;
};

/* What the options of one compilation ask for. */
struct rtc_options {
    VEC(char *) arguments; /* of weftcc */
    bool wants_image;      /* -arch=sm_XX */
    bool wants_ltoir;      /* -dlto */
    bool is_relocatable;   /* -rdc=true: names may be of other programs */
    bool is_default_device, no_source_include, no_cache;
    bool shows_usage; /* -Xptxas -v */
    bool makes_pch;   /* -pch: it chooses the file itself */
    bool hides_pch_messages;
    bool is_extensible;                              /* -ewp */
    bool is_device_c, is_device_w;                   /* -dc, -dw */
    enum { NO_CHOICE, CHOSE_FALSE, CHOSE_TRUE } rdc; /* -rdc=... */
    char *arch;                                      /* of -arch; NULL: none */
    char *create_pch, *use_pch; /* paths, malloc'ed; NULL: none */
    char *pch_folder;           /* of -pch-dir; NULL: the current one */
    bool no_initializer_list, no_move_forward; /* of namespace std */
    char *time_file, *trace_file;              /* malloc'ed; NULL: none */
    char *bad_macro; /* the first -D or -U that is none, as a message */
};

/* options.c: fills a zeroed *o. Adds the reason to the log for an option that
 * is none (NVRTC_ERROR_INVALID_OPTION), or one that NVRTC's compiler, not
 * NVRTC, refuses (NVRTC_ERROR_COMPILATION). rtc_options_fini frees what it
 * holds, in either case. `name`: the program's. */
nvrtcResult rtc_options_read(struct rtc_options *o, const char *name, int count,
                             const char *const *options, struct rtc_blob *log);
void rtc_options_fini(struct rtc_options *o);

/* build.c: compiles; fills the program's ptx, image, log and lowered names.
 * `inputs` gets the paths of the files that were read, one string behind the
 * other, for the cache. */
nvrtcResult rtc_build(nvrtcProgram p, const struct rtc_options *o,
                      struct rtc_blob *inputs);
/* The path of weftcc, malloc'ed; NULL: this library was moved away from it. */
char *rtc_compiler(void);

/* log.c: adds the compiler's messages, from the file `messages`, to the log, as
 * NVRTC words them and without the name of the folder `scratch`. A file that is
 * not there has none. False: no memory. */
bool rtc_log_add(struct _nvrtcProgram *p, const char *messages,
                 const char *scratch);

/* names.c: appends to the source a variable for each name expression. False: no
 * memory. */
bool rtc_names_add_source(const struct _nvrtcProgram *p,
                          struct rtc_blob *source);
/* Reads the lowered names from those variables in p->ptx, and removes them
 * there. False: one of them is not there, or no memory. */
bool rtc_names_find(nvrtcProgram p);

/* pch.c. find: COMPILATION, with the reason in the log, if there is no file to
 * use. The others come behind a compilation that succeeded; they add to the log
 * what is made or used, or why it does not fit. */
nvrtcResult rtc_pch_find(nvrtcProgram p, const struct rtc_options *o);
nvrtcResult rtc_pch_create(nvrtcProgram p, const struct rtc_options *o);
nvrtcResult rtc_pch_use(nvrtcProgram p, const struct rtc_options *o);

/* cache.c: the key of a compilation: everything that decides its result except
 * the contents of files. False: no memory, or no current folder. */
bool rtc_cache_key(const struct _nvrtcProgram *p, const struct rtc_options *o,
                   struct rtc_blob *key);
/* Fills the program's results from the cache. False: it has none for this key,
 * or a file that the compilation read has changed since. */
bool rtc_cache_find(nvrtcProgram p, const struct rtc_blob *key);
/* Stores the results. A failure is not reported: a cache only saves time. */
void rtc_cache_store(const struct _nvrtcProgram *p, const struct rtc_blob *key,
                     const struct rtc_blob *inputs);

#endif
