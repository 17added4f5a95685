/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first compilation of a process takes some two thousand page faults, in
 * LLVM's code and in its memory: several milliseconds. Where there is a second
 * processor, a thread brings those pages in meanwhile, with a few calls of the
 * system. If such a call fails, the page faults happen after all.
 */
#include "codegen/codegen.h"

#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ /* Linux 5.14 */
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

/* How much one call brings in: other threads that map memory wait for it. */
#define STEP_BYTES ((size_t)1 << 20)
/* How much memory the compilation of a short kernel takes. */
#define HEAP_BYTES ((size_t)6 << 20)

static char *heap;
static size_t heap_bytes;

static void advise_pages(char *at, size_t size_bytes, int advice)
{
    for (size_t step; size_bytes; at += step, size_bytes -= step) {
        step = size_bytes < STEP_BYTES ? size_bytes : STEP_BYTES;
        if (madvise(at, step, advice))
            return;
    }
}

/* dl_iterate_phdr's callback: brings in the code of this library; stops there.
 */
static int bring_library(struct dl_phdr_info *info, size_t size, void *data)
{
    uintptr_t self = (uintptr_t)bring_library, page = 4096;
    bool is_it = false;

    (void)size, (void)data;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        is_it |= p->p_type == PT_LOAD &&
                 self - (info->dlpi_addr + p->p_vaddr) < p->p_memsz;
    }
    for (unsigned i = 0; is_it && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        uintptr_t first = (info->dlpi_addr + p->p_vaddr) & -page;
        uintptr_t end = info->dlpi_addr + p->p_vaddr + p->p_memsz;
        advise_pages((char *)first, ((end - first) + page - 1) & -page,
                     MADV_POPULATE_READ);
    }
    return is_it;
}

static void *warm_up(void *data)
{
    size_t first = heap_bytes < STEP_BYTES ? heap_bytes : STEP_BYTES;

    advise_pages(heap, first, MADV_POPULATE_WRITE);
    dl_iterate_phdr(bring_library, NULL);
    advise_pages(heap + first, heap_bytes - first, MADV_POPULATE_WRITE);
    return data;
}

static void start_thread(void)
{
    cpu_set_t set;
    pthread_t thread;

    if (sched_getaffinity(0, sizeof set, &set) || CPU_COUNT(&set) < 2)
        return;
    heap = codegen_heap_fresh(&heap_bytes);
    heap_bytes = heap_bytes < HEAP_BYTES ? heap_bytes : HEAP_BYTES;
    if (!pthread_create(&thread, NULL, warm_up, NULL))
        pthread_detach(thread);
}

void codegen_prefault(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_thread);
}
