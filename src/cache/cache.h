/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder in which compiled kernels, results of NVRTC and precompiled
 * headers are kept: where it is, how much may be in it, and what in it may be
 * loaded. What an entry holds is the business of those who make it.
 *
 *   place.c   variables -> the folder, the limit
 *   trust.c   what nobody else can have written
 *   files.c   entries are found and stored
 *   limit.c   those that were used longest ago go
 *
 * Any number of processes and threads use the folder at once, without locks:
 * an entry is written under a temporary name and renamed when it is whole, so
 * a reader sees a whole file or none. A reader checks what it gets all the
 * same: disks fill up, machines stop, people copy files.
 *
 * What is loaded is run. So an entry counts only if it is a regular file, no
 * link, that belongs to this user or to root and that nobody else can write,
 * and if the same holds for its folder and for every folder above it, where a
 * folder that anybody may write is good enough if its entries cannot be taken
 * away (/tmp). Everything else is as good as absent.
 */
#ifndef WEFT_CACHE_H
#define WEFT_CACHE_H

#include "base/base.h"

enum {
    CACHE_PATH_BYTES = 4096,
    CACHE_NAME_BYTES = 40, /* 32 digits and ".weft" */
};

/* ---- place.c ------------------------------------------------------------- */

/* CUDA_CACHE_DISABLE */
bool cache_is_disabled(void);
/* CUDA_CACHE_MAXSIZE, or CUDA's limit. */
uint64_t cache_limit_bytes(void);
/* The folder by CUDA_CACHE_PATH, XDG_CACHE_HOME or HOME, whether it is there
 * or not. False: no variable names one, its name is too long, or this program
 * runs with rights that its caller does not have, and asks no variables. */
bool cache_folder(char path[CACHE_PATH_BYTES]);

/* ---- trust.c ------------------------------------------------------------- */

/* Replaces `path`, a folder, by its name without links. False: it is not
 * there, or others can change what is in it. */
bool cache_resolve(char path[CACHE_PATH_BYTES]);
/* The same; makes it, and the folders above it, where they are not there. */
bool cache_make_folder(char path[CACHE_PATH_BYTES]);
/* Opens a file for reading in a folder that cache_resolve has resolved. -1: it
 * is not there, or others may have written it. */
int cache_open(const char *path);

/* ---- files.c ------------------------------------------------------------- */

/* The name of the entry for a key: two hashes of it. */
void cache_name(char name[CACHE_NAME_BYTES], const void *key, size_t bytes);
/* An entry, malloc'ed; NULL: there is none to be had. */
void *cache_read(const char *name, size_t *bytes);
/* Stores one. Failures are silent: a cache only saves time. */
void cache_write(const char *name, const void *data, size_t bytes);

/* ---- limit.c ------------------------------------------------------------- */

/* `bytes` more are in `folder`: removes what was used longest ago, if that is
 * more than the limit now. Files that are not ours are never touched: the
 * folder may be another driver's cache too. */
void cache_keep_limit(const char *folder, uint64_t bytes);

/* For `weft info`. */
struct cache_info {
    char folder[CACHE_PATH_BYTES]; /* empty: there is none */
    bool is_disabled;
    bool is_refused; /* others can change what is in it */
    uint64_t size_bytes, limit_bytes;
    uint64_t file_count;
};
void cache_info_get(struct cache_info *info);

#endif
