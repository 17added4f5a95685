/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and events of other processes. Exported memory becomes a file without
 * a name, mapped at the same address. A handle names the process, the
 * descriptor and the file; the importer opens the file through /proc, which
 * the kernel allows to the same user only. Nothing is left when processes end,
 * as the last mapping holds the bytes.
 *
 * An event that processes share is a page with two counters: records
 * requested, and the latest of them that is done.
 */
#define _GNU_SOURCE
#include "core/ipc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/until.h"

enum { HANDLE_OF_MEMORY = 0x6d656d77, HANDLE_OF_EVENT = 0x65766577 };

struct handle {
    uint32_t magic;
    int32_t pid, fd;
    uint32_t reserved;
    uint64_t inode;
    uint64_t offset, size_bytes; /* of the memory, in its file */
};

uint64_t shared_file_inode(int fd)
{
    assert(fd >= 0);
    struct stat st;
    return fstat(fd, &st) ? 0 : (uint64_t)st.st_ino;
}

static struct handle make_handle(uint32_t magic, int fd)
{
    assert(fd >= 0);
    return (struct handle){.magic = magic,
                           .pid = (int32_t)getpid(),
                           .fd = fd,
                           .inode = shared_file_inode(fd)};
}

/* -1: the process or the file is gone, or may not be opened. */
static int open_file(const struct handle *h)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", h->pid, h->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 &&
        (shared_file_inode(fd) != h->inode || fcntl(fd, F_GET_SEALS) < 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- memory ----------------------------------------------------------- */

CUresult ipc_export(CUcontext ctx, CUdeviceptr p, CUipcMemHandle *out)
{
    static_assert(sizeof(struct handle) <= sizeof *out, "it fits");
    struct mem_shared s;
    CUresult err = ctx_sticky(ctx);
    if (err)
        return err;
    if (mem_query((const void *)(uintptr_t)p).kind != MEM_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    ctx_lock_idle(ctx); /* nothing may be written while the memory moves */
    bool ok = mem_share((const void *)(uintptr_t)p, &s);
    ctx_unlock(ctx);
    if (!ok)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct handle h = make_handle(HANDLE_OF_MEMORY, s.fd);
    h.offset = s.offset;
    h.size_bytes = s.size_bytes;
    memset(out, 0, sizeof *out);
    memcpy(out, &h, sizeof h);
    return CUDA_SUCCESS;
}

struct opened {
    struct list in_all;
    struct handle handle;
    void *mapped;
    CUdeviceptr address;
    unsigned holders;
};

static struct {
    pthread_mutex_t lock;
    struct list opened;
} all = {PTHREAD_MUTEX_INITIALIZER, {&all.opened, &all.opened}};

static struct opened *find_handle(const struct handle *h)
{
    list_for_each(struct opened, o, &all.opened, in_all)
    {
        if (!memcmp(&o->handle, h, sizeof *h))
            return o;
    }
    return NULL;
}

static struct opened *find_address(CUdeviceptr p)
{
    list_for_each(struct opened, o, &all.opened, in_all)
    {
        if (o->address == p)
            return o;
    }
    return NULL;
}

/* Maps the pages of the file that the memory is on. */
static bool map_opened(struct opened *o, int fd)
{
    assert(fd >= 0);
    const struct handle *h = &o->handle;
    size_t inside = h->offset % PAGE_BYTES;
    size_t length =
        (inside + h->size_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    struct mem_file file = {fd, h->offset - inside};
    o->mapped = mem_alloc_file(length, MEM_OPENED, o, file);
    if (!o->mapped)
        return false;
    o->address = (CUdeviceptr)(uintptr_t)o->mapped + inside;
    return true;
}

static CUresult open_locked(const struct handle *h, CUdeviceptr *out)
{
    struct opened *o = find_handle(h);
    if (o) {
        assert(o->holders > 0);
        o->holders++;
        *out = o->address;
        return CUDA_SUCCESS;
    }
    int fd = open_file(h);
    if (fd < 0)
        return CUDA_ERROR_INVALID_VALUE;
    o = calloc(1, sizeof *o);
    if (o) {
        o->handle = *h;
        o->holders = 1;
        if (map_opened(o, fd)) {
            list_push(&all.opened, &o->in_all);
            *out = o->address;
        } else {
            free(o);
            o = NULL;
        }
    }
    close(fd); /* the mapping holds the file */
    return o ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult ipc_open(CUcontext ctx, const CUipcMemHandle *handle, unsigned flags,
                  CUdeviceptr *out)
{
    struct handle h;
    CUresult err = ctx_sticky(ctx);
    if (err)
        return err;
    memcpy(&h, handle, sizeof h);
    if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS ||
        h.magic != HANDLE_OF_MEMORY || !h.size_bytes ||
        h.size_bytes > device_total_memory())
        return CUDA_ERROR_INVALID_VALUE;
    if (h.pid == (int32_t)getpid()) /* a process has its own memory already */
        return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&all.lock);
    err = open_locked(&h, out);
    pthread_mutex_unlock(&all.lock);
    return err;
}

static void opened_free(struct opened *o)
{
    list_remove(&o->in_all);
    mem_release(o->mapped, MEM_OPENED);
    free(o);
}

CUresult ipc_close(CUcontext ctx, CUdeviceptr p)
{
    CUresult err = ctx_wait(ctx);
    if (err)
        return err;
    pthread_mutex_lock(&all.lock);
    struct opened *o = find_address(p);
    if (o && --o->holders == 0)
        opened_free(o);
    pthread_mutex_unlock(&all.lock);
    return o ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

void ipc_free_all(void)
{
    pthread_mutex_lock(&all.lock);
    list_for_each(struct opened, o, &all.opened, in_all) opened_free(o);
    pthread_mutex_unlock(&all.lock);
}

/* ---- events ----------------------------------------------------------- */

struct ipc_page {
    _Atomic uint64_t recorded, done;
};

struct ipc_event {
    atomic_uint refs; /* the event, and each record under way */
    int fd;           /* of the process that made it, or -1 */
    struct ipc_page *page;
};

static struct ipc_event *map_event(int fd)
{
    struct ipc_event *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (e->page == MAP_FAILED) {
        free(e);
        return NULL;
    }
    atomic_init(&e->refs, 1);
    e->fd = -1;
    return e;
}

struct ipc_event *ipc_event_create(void)
{
    int fd = memfd_create("weft-event", MFD_CLOEXEC);
    struct ipc_event *e =
        fd >= 0 && !ftruncate(fd, PAGE_BYTES) ? map_event(fd) : NULL;
    if (e)
        e->fd = fd;
    else if (fd >= 0)
        close(fd);
    return e;
}

struct ipc_event *ipc_event_ref(struct ipc_event *e)
{
    assert(atomic_load(&e->refs) > 0);
    atomic_fetch_add(&e->refs, 1);
    return e;
}

void ipc_event_unref(struct ipc_event *e)
{
    if (!e || atomic_fetch_sub(&e->refs, 1) != 1)
        return;
    if (e->fd >= 0)
        close(e->fd);
    munmap(e->page, PAGE_BYTES);
    free(e);
}

CUresult ipc_event_export(const struct ipc_event *e, CUipcEventHandle *out)
{
    if (e->fd < 0)
        return CUDA_ERROR_INVALID_HANDLE;
    struct handle h = make_handle(HANDLE_OF_EVENT, e->fd);
    memset(out, 0, sizeof *out);
    memcpy(out, &h, sizeof h);
    return CUDA_SUCCESS;
}

CUresult ipc_event_open(const CUipcEventHandle *handle, struct ipc_event **out)
{
    struct handle h;
    memcpy(&h, handle, sizeof h);
    if (h.magic != HANDLE_OF_EVENT)
        return CUDA_ERROR_MAP_FAILED;
    if (h.pid == (int32_t)getpid())
        return CUDA_ERROR_INVALID_CONTEXT;
    int fd = open_file(&h);
    if (fd < 0)
        return CUDA_ERROR_MAP_FAILED;
    *out = map_event(fd);
    close(fd);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* A record that the stream has not passed yet. */
struct record {
    struct ipc_event *event;
    uint64_t number;
};

static void pass_event(void *data, enum exec_fault fault)
{
    struct record *r = data;
    _Atomic uint64_t *done = &r->event->page->done;
    uint64_t seen = atomic_load(done);
    (void)fault;
    while (seen < r->number &&
           !atomic_compare_exchange_weak(done, &seen, r->number))
        ;
    ipc_event_unref(r->event);
    free(r);
    until_poke();
}

bool ipc_event_mark(struct ipc_event *e, struct exec_task *mark,
                    struct record **out)
{
    struct record *r = malloc(sizeof *r);
    if (!r)
        return false;
    *r = (struct record){ipc_event_ref(e),
                         atomic_fetch_add(&e->page->recorded, 1) + 1};
    exec_task_on_done(mark, pass_event, r);
    *out = r;
    return true;
}

/* The record was not submitted: it counts as passed. */
void ipc_event_drop(struct record *r)
{
    pass_event(r, EXEC_OK);
}

bool ipc_event_is_done(const struct ipc_event *e)
{
    uint64_t recorded = atomic_load(&e->page->recorded);
    return atomic_load(&e->page->done) >= recorded;
}

static bool is_passed(const void *data)
{
    const struct record *r = data;
    return atomic_load(&r->event->page->done) >= r->number;
}

static void end_wait(void *data)
{
    struct record *r = data;
    ipc_event_unref(r->event);
    free(r);
}

CUresult ipc_event_wait(struct ipc_event *e, CUstream s)
{
    struct record *r = malloc(sizeof *r);
    if (!r)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *r = (struct record){ipc_event_ref(e), atomic_load(&e->page->recorded)};
    const struct until u = {.holds = is_passed, .end = end_wait, .data = r};
    CUresult err = stream_wait_until(s, &u);
    if (err)
        end_wait(r);
    return err;
}

CUresult ipc_event_synchronize(CUcontext ctx, const struct ipc_event *e)
{
    uint64_t number = atomic_load(&e->page->recorded);
    const struct timespec pause = {.tv_nsec = 50000};
    while (atomic_load(&e->page->done) < number && !ctx_sticky(ctx)) {
        exec_poke();
        nanosleep(&pause, NULL);
    }
    return ctx_sticky(ctx);
}
