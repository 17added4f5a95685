/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The states that processes can be put in by each other. A process that uses
 * CUDA has a page in a file without a name, which others find among its
 * descriptors, as the kernel allows to the same user. While the state is not
 * `running`, calls wait: they look at the page when they begin.
 *
 *   RUNNING --lock--> LOCKED --checkpoint--> CHECKPOINTED
 *      \<--unlock--/    \<-----restore--------/
 *
 * Memory and contexts are the process's own, as they are; a checkpoint has
 * nothing to move out of a device.
 */
#define _GNU_SOURCE
#include "core/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_NAME "weft-process"

enum { FILE_MAGIC = 0x70666577, FILE_BYTES = 4096 };

struct process_page {
    uint32_t magic;
    int32_t pid; /* a child that was forked has its parent's page, too */
    _Atomic uint32_t state; /* CUprocessState */
};

static _Atomic(struct process_page *) own;

/* ---- the page ------------------------------------------------------------ */

static struct process_page *map_page(int fd)
{
    void *p = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* The descriptor stays open: it is how others find the page. */
static void make_page(void)
{
    struct rlimit limit; /* `ulimit -f`: a larger file would be SIGXFSZ */
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < FILE_BYTES)
        return;
    int fd = memfd_create(FILE_NAME, MFD_CLOEXEC);
    struct process_page *p = NULL;
    if (fd >= 0 && ftruncate(fd, FILE_BYTES) == 0)
        p = map_page(fd);
    if (!p) {
        if (fd >= 0)
            close(fd);
        return; /* no other process can change the state then */
    }
    p->pid = (int32_t)getpid();
    p->magic = FILE_MAGIC;
    atomic_store(&own, p);
}

void process_announce(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_page);
}

/* NULL: it is no page of that process. */
static struct process_page *open_page(int pid, int folder, const char *name)
{
    char target[64];
    ssize_t n = readlinkat(folder, name, target, sizeof target - 1);
    if (n < 0)
        return NULL;
    target[n] = 0;
    if (!strstr(target, "memfd:" FILE_NAME))
        return NULL;
    int fd = openat(folder, name, O_RDWR | O_CLOEXEC);
    struct stat about; /* a page that is being made has no bytes */
    bool is_whole =
        fd >= 0 && fstat(fd, &about) == 0 && about.st_size == FILE_BYTES;
    struct process_page *p = is_whole ? map_page(fd) : NULL;
    if (fd >= 0)
        close(fd);
    if (p && (p->magic != FILE_MAGIC || p->pid != pid)) {
        munmap(p, FILE_BYTES);
        return NULL;
    }
    return p;
}

static struct process_page *search_page(int pid)
{
    char path[32];
    struct process_page *p = NULL;
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *folder = opendir(path);
    while (folder && !p) {
        struct dirent *e = readdir(folder);
        if (!e)
            break;
        p = open_page(pid, dirfd(folder), e->d_name);
    }
    if (folder)
        closedir(folder);
    return p;
}

/* Is it this process's page, not its parent's? */
static bool is_ours(const struct process_page *p)
{
    return p->pid == (int32_t)getpid();
}

/* OPERATING_SYSTEM: there is no such process; NOT_INITIALIZED: it does not use
 * CUDA, or is another user's. The caller gives the page back. */
static CUresult take_page(int pid, struct process_page **out)
{
    *out = atomic_load(&own);
    if (*out && (*out)->pid == pid && is_ours(*out))
        return CUDA_SUCCESS;
    if (pid <= 0 || (kill(pid, 0) != 0 && errno == ESRCH))
        return CUDA_ERROR_OPERATING_SYSTEM;
    *out = search_page(pid);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

static void give_back(struct process_page *p)
{
    if (p != atomic_load(&own))
        munmap(p, FILE_BYTES);
}

/* ---- states -------------------------------------------------------------- */

CUresult process_state(int pid, CUprocessState *out)
{
    struct process_page *p;
    CUresult err = take_page(pid, &p);
    if (err)
        return err;
    *out = (CUprocessState)atomic_load(&p->state);
    give_back(p);
    return CUDA_SUCCESS;
}

CUresult process_change(int pid, CUprocessState from, CUprocessState to)
{
    struct process_page *p;
    CUresult err = take_page(pid, &p);
    if (err)
        return err;
    uint32_t expected = from;
    if (!atomic_compare_exchange_strong(&p->state, &expected, to))
        err = CUDA_ERROR_ILLEGAL_STATE;
    else
        syscall(SYS_futex, &p->state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    give_back(p);
    return err;
}

void process_await_running(void)
{
    /* Pairs with the store in make_page. */
    struct process_page *p = atomic_load_explicit(&own, memory_order_acquire);
    if (!p)
        return;
    for (uint32_t state;
         (state = atomic_load(&p->state)) != CU_PROCESS_STATE_RUNNING &&
         is_ours(p);)
        syscall(SYS_futex, &p->state, FUTEX_WAIT, state, NULL, NULL, 0);
}
