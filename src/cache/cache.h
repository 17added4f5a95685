/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder in which compiled kernels, results of NVRTC and precompiled
 * headers are kept: where it is, how much may be in it, and what in it may be
 * loaded. What an entry contains is up to its writer.
 *
 *   place.c   environment variables -> the folder, the limit
 *   trust.c   which folders and files only this user or root can have written
 *   files.c   reads and writes entries
 *   limit.c   removes the least recently used entries
 *
 * Any number of processes and threads use the folder at once, without locks:
 * an entry is written under a temporary name and renamed when it is whole, so
 * a reader sees a whole file or none. Readers check the content all the same:
 * disks fill up, machines stop, people copy files.
 *
 * What is loaded is run. So an entry is used only if it is a regular file, no
 * link, belongs to this user or to root, and cannot be written by anybody else.
 * The same must hold for its folder and every folder above it, with one
 * exception: a folder above may be writable by others if it is sticky (/tmp),
 * as they cannot remove its entries then. Anything else counts as absent.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread of any process may call
 *   errors   -1, NULL or false: the entry counts as absent; nothing is
 *            reported, as a cache only saves time
 *   owners   what is opened or returned is the caller's to close or free
 *   units    sizes are bytes
 */
#ifndef WEFT_CACHE_H
#define WEFT_CACHE_H

#include "base/base.h"

enum {
    CACHE_PATH_BYTES = 4096,
    CACHE_NAME_BYTES = 40, /* 32 digits and ".weft" */
};

/* ---- place.c ------------------------------------------------------------- */

/* CUDA_CACHE_DISABLE is set, and not to 0. */
bool cache_is_disabled(void);
/* CUDA_CACHE_MAXSIZE, or CUDA's limit. */
uint64_t cache_limit_bytes(void);
/* The folder that CUDA_CACHE_PATH, XDG_CACHE_HOME or HOME names, which need not
 * exist. False: no variable names one, its name is too long, or this is a
 * set-user-id program, in which these variables do not count. */
bool cache_folder(char path[CACHE_PATH_BYTES]);

/* ---- trust.c ------------------------------------------------------------- */

/* Resolves the links in `path`, a folder. False: it does not exist, or others
 * can change what is in it. */
bool cache_resolve(char path[CACHE_PATH_BYTES]);
/* The same, but makes the folder and those above it first if they are missing.
 */
bool cache_make_folder(char path[CACHE_PATH_BYTES]);
/* Opens for reading a file in a folder that cache_resolve has resolved; the
 * caller closes it. -1: it does not exist, or others may have written it. */
int cache_open(const char *path);

/* ---- files.c ------------------------------------------------------------- */

/* The name of the entry for a key: two hashes of the key in hexadecimal. */
void cache_name(char name[CACHE_NAME_BYTES], const void *key, size_t bytes);
/* The content of an entry, malloc'ed. NULL: there is none that may be used, or
 * the cache is disabled, or memory has run out. */
void *cache_read(const char *name, size_t *bytes);
/* Stores an entry. Failures are silent: a cache only saves time. */
void cache_write(const char *name, const void *data, size_t bytes);

/* ---- limit.c ------------------------------------------------------------- */

/* Call it after adding `bytes` to `folder`: removes the least recently used
 * entries until the rest is within the limit. Never touches files that are not
 * ours: the folder may be another driver's cache as well. */
void cache_keep_limit(const char *folder, uint64_t bytes);

/* What `weft info` prints of the cache. */
struct cache_info {
    char folder[CACHE_PATH_BYTES]; /* empty: no variable names one */
    bool is_disabled;
    bool is_refused; /* others can change what is in it */
    uint64_t size_bytes, limit_bytes;
    uint64_t file_count;
};
void cache_info_get(struct cache_info *info);

#endif
