/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of nvjitlink/ share:
 *
 *   options.c     what nvJitLinkCreate is told
 *   ptxas.c       what is said of PTX in ptxas's place
 *   nvjitlink.c   inputs, the link, results
 *
 * In this folder, unless a comment says otherwise:
 *   threads  one at a time for each handle
 *   errors   an nvJitLinkResult; the reason is in the handle's error log
 *   owners   a handle owns copies of its inputs, its logs and its results
 *   units    sizes are bytes
 */
#ifndef WEFT_NVJITLINK_INTERNAL_H
#define WEFT_NVJITLINK_INTERNAL_H

#include "nvJitLink.h"

#include "core/core.h"

struct nvJitLink {
    struct module_parts *parts;
    unsigned sm;
    char arch_suffix[8]; /* of sm_90a: "a" */
    bool is_virtual;     /* -arch=compute_XX */
    bool wants_ptx, is_verbose, is_timed;
    bool is_relocatable; /* -r */
    bool is_link_time;   /* -lto */
    /* How often an option that ptxas takes once was given. */
    unsigned arch_count, level_count, register_count;
    char *max_registers;     /* what -maxrregcount says; NULL: nothing */
    VEC(char *) for_ptxas;   /* what -Xptxas says */
    char *line_info;         /* -lineinfo, as it was spelled */
    bool has_link_time_code; /* an input that may be LTO-IR */
    bool has_other_code;     /* one that cannot */
    bool is_complete;
    uint64_t created_ns;
    char *ptx; /* what nvJitLinkComplete made */
    void *image;
    size_t image_bytes;
    char *errors, *info; /* the logs, malloc'ed; NULL: nothing */
};

/* Adds a text to a log; `format` has the newlines. Out of memory, the text is
 * lost. */
void jitlink_say(char **log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Errors are in the log. */
nvJitLinkResult jitlink_read_option(nvJitLinkHandle h, const char *option);
/* Checks what single options cannot see. */
nvJitLinkResult jitlink_check_options(nvJitLinkHandle h);

/* ptxas reads its options whenever it is given PTX: false after saying what is
 * wrong with one of them; else warnings are in the info log. */
bool jitlink_check_ptxas_options(nvJitLinkHandle h);
/* -Xptxas -v, and -verbose: what the kernels of an input take, into the info
 * log. */
void jitlink_say_usage(nvJitLinkHandle h, const char *ptx);

#endif
