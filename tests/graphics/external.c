/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and semaphores from file descriptors of our own making; each mistake;
 * semaphores in graphs. What Vulkan gives: vulkan.c. */
#define _GNU_SOURCE
#include "../runtime/check.h"
#include "../runtime/kernels.h"

#include <cuda.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, BYTES = 4 * PAGE, COUNT = BYTES / 4 };

static int make_file(size_t bytes)
{
    int fd = memfd_create("memory of the test", 0);
    CHECK(fd >= 0 && !ftruncate(fd, (off_t)bytes));
    return fd;
}

static unsigned *map_file(int fd, size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static struct cudaExternalMemoryHandleDesc of_file(int fd, size_t bytes)
{
    struct cudaExternalMemoryHandleDesc d = {
        .type = cudaExternalMemoryHandleTypeOpaqueFd, .size = bytes};
    d.handle.fd = fd;
    return d;
}

/* ---- memory -------------------------------------------------------------- */

static void check_buffer(void)
{
    int fd = make_file(BYTES);
    unsigned *host = map_file(fd, BYTES);
    struct cudaExternalMemoryHandleDesc d = of_file(fd, BYTES);
    struct cudaExternalMemoryBufferDesc whole = {.size = BYTES};
    struct cudaExternalMemoryBufferDesc part = {.offset = PAGE + 256,
                                                .size = 128};
    struct cudaPointerAttributes a;
    cudaExternalMemory_t m;
    void *p, *q;
    OK(cudaImportExternalMemory(&m, &d));
    OK(cudaExternalMemoryGetMappedBuffer(&p, m, &whole));
    OK(cudaExternalMemoryGetMappedBuffer(&q, m, &part));
    OK(cudaPointerGetAttributes(&a, p));
    CHECK(a.type == cudaMemoryTypeDevice);
    OK(launch_store(p, 5, COUNT, 0));
    OK(launch_store(q, 6, 32, 0));
    OK(cudaDeviceSynchronize());
    CHECK(host[0] == 5 && host[COUNT - 1] == 5);
    CHECK(host[(PAGE + 256) / 4] == 6 && host[(PAGE + 256 + 128) / 4] == 5);
    OK(cudaDestroyExternalMemory(m));
    CHECK(!is_open(fd)); /* it was given away */
    OK(launch_store(p, 7, 32, 0));
    OK(cudaDeviceSynchronize()); /* the buffers live on */
    CHECK(host[0] == 7);
    OK(cudaFree(p));
    OK(cudaFree(q));
    GIVES(cudaErrorInvalidValue, cudaFree(q));
    munmap(host, BYTES);
}

/* Rows and levels lie as in Mesa's software drivers. */
static void check_mipmap(void)
{
    enum { WIDTH = 30, HEIGHT = 10, LEVEL_1 = 128 * 12 };
    int fd = make_file(BYTES);
    uint8_t *host = (uint8_t *)map_file(fd, BYTES);
    struct cudaExternalMemoryHandleDesc d = of_file(fd, BYTES);
    struct cudaExternalMemoryMipmappedArrayDesc md = {
        .offset = 512,
        .formatDesc = {8, 8, 8, 8, cudaChannelFormatKindUnsigned},
        .extent = {WIDTH, HEIGHT, 0},
        .flags = cudaArrayColorAttachment,
        .numLevels = 2,
    };
    uint8_t row[WIDTH * 4], row1[WIDTH / 2 * 4];
    cudaExternalMemory_t m;
    cudaMipmappedArray_t mipmap;
    cudaArray_t a;
    memset(row, 3, sizeof row);
    memset(row1, 4, sizeof row1);
    OK(cudaImportExternalMemory(&m, &d));
    OK(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, m, &md));
    OK(cudaGetMipmappedArrayLevel(&a, mipmap, 0));
    OK(cudaMemcpy2DToArray(a, 0, 9, row, sizeof row, sizeof row, 1,
                           cudaMemcpyHostToDevice));
    OK(cudaGetMipmappedArrayLevel(&a, mipmap, 1));
    OK(cudaMemcpy2DToArray(a, 0, 1, row1, sizeof row1, sizeof row1, 1,
                           cudaMemcpyHostToDevice));
    CHECK(!memcmp(host + 512 + 9 * 128, row, sizeof row));
    CHECK(!memcmp(host + 512 + LEVEL_1 + 64, row1, sizeof row1));
    md.offset = BYTES - 64;
    GIVES(cudaErrorInvalidValue,
          cudaExternalMemoryGetMappedMipmappedArray(&mipmap, m, &md));
    md.offset = 0;
    md.numLevels = 0;
    GIVES(cudaErrorInvalidValue,
          cudaExternalMemoryGetMappedMipmappedArray(&mipmap, m, &md));
    OK(cudaDestroyExternalMemory(m));
    OK(cudaFreeMipmappedArray(mipmap));
    GIVES(cudaErrorInvalidResourceHandle, cudaFreeMipmappedArray(mipmap));
    munmap(host, BYTES);
}

/* Memory that CUDA itself has exported. */
static void check_exported(void)
{
    CUmemAllocationProp prop = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    const size_t bytes = 2 << 20;
    struct cudaExternalMemoryBufferDesc whole = {.size = bytes};
    CUmemGenericAllocationHandle handle;
    cudaExternalMemory_t m;
    int fd = -1;
    void *p;
    CHECK(!cuMemCreate(&handle, bytes, &prop, 0));
    CHECK(!cuMemExportToShareableHandle(
        &fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    struct cudaExternalMemoryHandleDesc d = of_file(fd, bytes);
    OK(cudaImportExternalMemory(&m, &d));
    OK(cudaExternalMemoryGetMappedBuffer(&p, m, &whole));
    OK(cudaMemset(p, 1, bytes));
    OK(cudaFree(p));
    OK(cudaDestroyExternalMemory(m));
    CHECK(!cuMemRelease(handle));
}

/* As a DMA buffer, whose descriptor stays the program's. */
static void check_dma(void)
{
    int fd = make_file(BYTES);
    unsigned *host = map_file(fd, BYTES);
    struct cudaExternalMemoryBufferDesc whole = {.size = BYTES};
    struct cudaExternalMemoryMipmappedArrayDesc md = {
        .formatDesc = {8, 0, 0, 0, cudaChannelFormatKindUnsigned},
        .extent = {8, 8, 0},
        .numLevels = 1};
    struct cudaExternalMemoryHandleDesc d = of_file(fd, BYTES);
    cudaMipmappedArray_t mipmap;
    cudaExternalMemory_t m;
    void *p;
    d.type = (enum cudaExternalMemoryHandleType)9;
    OK(cudaImportExternalMemory(&m, &d));
    OK(cudaExternalMemoryGetMappedBuffer(&p, m, &whole));
    GIVES(cudaErrorNotSupported,
          cudaExternalMemoryGetMappedMipmappedArray(&mipmap, m, &md));
    OK(launch_store(p, 3, COUNT, 0));
    OK(cudaDeviceSynchronize());
    CHECK(host[COUNT - 1] == 3);
    OK(cudaFree(p));
    OK(cudaDestroyExternalMemory(m));
    CHECK(is_open(fd));
    close(fd);
    munmap(host, BYTES);
}

static void check_memory_mistakes(void)
{
    int fd = make_file(BYTES), event = eventfd(0, 0);
    struct cudaExternalMemoryHandleDesc d = of_file(fd, BYTES);
    struct cudaExternalMemoryBufferDesc b = {.size = 64};
    cudaExternalMemory_t m = NULL;
    void *p;
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(NULL, &d));
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(&m, NULL));
    d.size = 0;
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(&m, &d));
    d.size = BYTES + 1;
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(&m, &d));
    d.size = BYTES;
    d.flags = 8;
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(&m, &d));
    d.flags = 0;
    d.handle.fd = -1;
    GIVES(cudaErrorUnknown, cudaImportExternalMemory(&m, &d));
    d.handle.fd = event;
    GIVES(cudaErrorUnknown, cudaImportExternalMemory(&m, &d));
    CHECK(is_open(event) && is_open(fd)); /* a failure takes nothing */
    d.handle.nvSciBufObject = NULL;
    d.type = cudaExternalMemoryHandleTypeNvSciBuf;
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(&m, &d));
    d.handle.nvSciBufObject = &d;
    for (int type = cudaExternalMemoryHandleTypeOpaqueWin32;
         type <= cudaExternalMemoryHandleTypeNvSciBuf; type++) {
        /* A resource of Direct3D must be a dedicated one. */
        bool is_resource = type >= cudaExternalMemoryHandleTypeD3D12Resource &&
                           type <= cudaExternalMemoryHandleTypeD3D11ResourceKmt;
        d.type = (enum cudaExternalMemoryHandleType)type;
        d.flags = 0;
        GIVES(is_resource ? cudaErrorInvalidValue : cudaErrorNotSupported,
              cudaImportExternalMemory(&m, &d));
        d.flags = is_resource ? cudaExternalMemoryDedicated : 0;
        GIVES(cudaErrorNotSupported, cudaImportExternalMemory(&m, &d));
    }
    d.flags = 0;
    d.type = (enum cudaExternalMemoryHandleType)99;
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(&m, &d));
    d = of_file(fd, BYTES);
    GIVES(cudaErrorInvalidValue,
          cudaExternalMemoryGetMappedBuffer(&p, NULL, &b));
    GIVES(cudaErrorInvalidValue, cudaDestroyExternalMemory(NULL));
    OK(cudaImportExternalMemory(&m, &d));
    GIVES(cudaErrorInvalidValue,
          cudaExternalMemoryGetMappedBuffer(NULL, m, &b));
    GIVES(cudaErrorInvalidValue,
          cudaExternalMemoryGetMappedBuffer(&p, m, NULL));
    b.flags = 1;
    GIVES(cudaErrorInvalidValue, cudaExternalMemoryGetMappedBuffer(&p, m, &b));
    b.flags = 0;
    b.offset = BYTES - 63;
    GIVES(cudaErrorInvalidValue, cudaExternalMemoryGetMappedBuffer(&p, m, &b));
    b.offset = ~0ull;
    GIVES(cudaErrorInvalidValue, cudaExternalMemoryGetMappedBuffer(&p, m, &b));
    b = (struct cudaExternalMemoryBufferDesc){.size = 0};
    GIVES(cudaErrorInvalidValue, cudaExternalMemoryGetMappedBuffer(&p, m, &b));
    OK(cudaDestroyExternalMemory(m));
    GIVES(cudaErrorInvalidResourceHandle, cudaDestroyExternalMemory(m));
    close(event);
}

/* ---- semaphores ---------------------------------------------------------- */

static cudaExternalSemaphore_t import(int fd,
                                      enum cudaExternalSemaphoreHandleType type)
{
    struct cudaExternalSemaphoreHandleDesc d = {.type = type};
    cudaExternalSemaphore_t sem = NULL;
    d.handle.fd = fd;
    OK(cudaImportExternalSemaphore(&sem, &d));
    return sem;
}

static void signal_it(cudaExternalSemaphore_t sem, unsigned long long value,
                      cudaStream_t s)
{
    struct cudaExternalSemaphoreSignalParams p = {.params.fence.value = value};
    OK(cudaSignalExternalSemaphoresAsync(&sem, &p, 1, s));
}

static void wait_for(cudaExternalSemaphore_t sem, unsigned long long value,
                     cudaStream_t s)
{
    struct cudaExternalSemaphoreWaitParams p = {.params.fence.value = value};
    OK(cudaWaitExternalSemaphoresAsync(&sem, &p, 1, s));
}

static bool is_running(cudaStream_t s)
{
    usleep(3000);
    cudaError_t err = cudaStreamQuery(s);
    cudaGetLastError();
    return err == cudaErrorNotReady;
}

static void check_eventfd(cudaStream_t s)
{
    int fd = eventfd(0, 0), own = dup(fd);
    uint64_t count = 1;
    cudaExternalSemaphore_t sem =
        import(fd, cudaExternalSemaphoreHandleTypeOpaqueFd);
    wait_for(sem, 0, s);
    CHECK(is_running(s));
    CHECK(write(own, &count, sizeof count) == sizeof count);
    OK(cudaStreamSynchronize(s));
    signal_it(sem, 0, s);
    OK(cudaStreamSynchronize(s));
    CHECK(read(own, &count, sizeof count) == sizeof count && count == 1);
    signal_it(sem, 0, s); /* between two streams */
    wait_for(sem, 0, 0);
    OK(cudaDeviceSynchronize());
    OK(cudaDestroyExternalSemaphore(sem));
    GIVES(cudaErrorInvalidResourceHandle, cudaDestroyExternalSemaphore(sem));
    for (int i = 0; i < 1000 && is_open(fd); i++) /* the last wait has it */
        usleep(1000);
    CHECK(!is_open(fd));
    close(own);
}

static void check_word(cudaStream_t s)
{
    int fd = make_file(PAGE);
    _Atomic uint64_t *word = (_Atomic uint64_t *)(void *)map_file(fd, PAGE);
    cudaExternalSemaphore_t sem =
        import(fd, cudaExternalSemaphoreHandleTypeOpaqueFd);
    wait_for(sem, 0, s);
    CHECK(is_running(s));
    atomic_store(word, 1);
    OK(cudaStreamSynchronize(s));
    CHECK(atomic_load(word) == 0); /* the wait has taken it */
    signal_it(sem, 0, s);
    OK(cudaStreamSynchronize(s));
    CHECK(atomic_load(word) == 1);
    OK(cudaDestroyExternalSemaphore(sem));
    munmap((void *)word, PAGE);
}

static void check_timeline(cudaStream_t s)
{
    int fd = make_file(PAGE);
    _Atomic uint64_t *word = (_Atomic uint64_t *)(void *)map_file(fd, PAGE);
    unsigned *memory, host = 0;
    cudaExternalSemaphore_t sem =
        import(fd, cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd);
    OK(cudaMalloc((void **)&memory, 128));
    wait_for(sem, 10, s);
    OK(launch_store(memory, 77, 32, s));
    signal_it(sem, 11, s);
    CHECK(is_running(s));
    atomic_store(word, 9);
    CHECK(is_running(s));
    atomic_store(word, 12); /* more than is waited for */
    OK(cudaStreamSynchronize(s));
    CHECK(atomic_load(word) == 11);
    OK(cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
    CHECK(host == 77);
    wait_for(sem, 20, s);
    OK(cudaDestroyExternalSemaphore(sem)); /* the wait goes on */
    CHECK(is_running(s));
    atomic_store(word, 20);
    OK(cudaStreamSynchronize(s));
    OK(cudaFree(memory));
    munmap((void *)word, PAGE);
}

static void check_semaphore_mistakes(cudaStream_t s)
{
    int fd = eventfd(0, 0), pipes[2];
    struct cudaExternalSemaphoreHandleDesc d = {
        .type = cudaExternalSemaphoreHandleTypeOpaqueFd};
    struct cudaExternalSemaphoreSignalParams sp = {0};
    struct cudaExternalSemaphoreWaitParams wp = {0};
    cudaExternalSemaphore_t sem = NULL, both[2];
    uint64_t count;
    CHECK(!pipe(pipes));
    d.handle.fd = fd;
    GIVES(cudaErrorInvalidValue, cudaImportExternalSemaphore(NULL, &d));
    GIVES(cudaErrorInvalidValue, cudaImportExternalSemaphore(&sem, NULL));
    d.flags = 1;
    GIVES(cudaErrorInvalidValue, cudaImportExternalSemaphore(&sem, &d));
    d.flags = 0;
    d.handle.fd = -1;
    GIVES(cudaErrorUnknown, cudaImportExternalSemaphore(&sem, &d));
    d.handle.fd = pipes[0];
    GIVES(cudaErrorUnknown, cudaImportExternalSemaphore(&sem, &d));
    d.handle.fd = fd; /* it has no timeline */
    d.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    GIVES(cudaErrorUnknown, cudaImportExternalSemaphore(&sem, &d));
    d.type = cudaExternalSemaphoreHandleTypeNvSciSync;
    d.handle.nvSciSyncObj = NULL;
    GIVES(cudaErrorInvalidValue, cudaImportExternalSemaphore(&sem, &d));
    d.handle.nvSciSyncObj = &d;
    for (int type = cudaExternalSemaphoreHandleTypeOpaqueWin32;
         type <= cudaExternalSemaphoreHandleTypeKeyedMutexKmt; type++) {
        d.type = (enum cudaExternalSemaphoreHandleType)type;
        GIVES(cudaErrorNotSupported, cudaImportExternalSemaphore(&sem, &d));
    }
    d.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32;
    GIVES(cudaErrorNotSupported, cudaImportExternalSemaphore(&sem, &d));
    d.type = (enum cudaExternalSemaphoreHandleType)99;
    GIVES(cudaErrorInvalidValue, cudaImportExternalSemaphore(&sem, &d));
    d.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    d.handle.fd = fd;
    OK(cudaImportExternalSemaphore(&sem, &d));
    both[0] = sem;
    both[1] = NULL;
    struct cudaExternalSemaphoreSignalParams two[2] = {sp, sp};
    GIVES(cudaErrorInvalidResourceHandle,
          cudaSignalExternalSemaphoresAsync(both, two, 2, s));
    fcntl(fd, F_SETFL, O_NONBLOCK);
    CHECK(read(fd, &count, sizeof count) < 0); /* nothing has happened */
    GIVES(cudaErrorInvalidValue,
          cudaSignalExternalSemaphoresAsync(NULL, &sp, 1, s));
    GIVES(cudaErrorInvalidValue,
          cudaSignalExternalSemaphoresAsync(&sem, NULL, 1, s));
    GIVES(cudaErrorInvalidValue,
          cudaWaitExternalSemaphoresAsync(&sem, &wp, 0, s));
    GIVES(cudaErrorInvalidValue,
          cudaWaitExternalSemaphoresAsync(NULL, &wp, 1, s));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaWaitExternalSemaphoresAsync(&sem, &wp, 1, (cudaStream_t)&wp));
    OK(cudaDestroyExternalSemaphore(sem));
    close(pipes[0]), close(pipes[1]);
}

/* ---- in graphs ----------------------------------------------------------- */

struct shared {
    _Atomic uint64_t *word;
    cudaExternalSemaphore_t sem;
};

static struct shared make_shared(void)
{
    struct shared h;
    int fd = make_file(PAGE);
    h.word = (_Atomic uint64_t *)(void *)map_file(fd, PAGE);
    h.sem = import(fd, cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd);
    return h;
}

static void end_shared(struct shared *h)
{
    OK(cudaDestroyExternalSemaphore(h->sem));
    munmap((void *)h->word, PAGE);
}

/* wait for 5, store, signal 6 */
static void check_launch(cudaGraphExec_t e, cudaStream_t s,
                         const struct shared *h, unsigned long long wait,
                         unsigned long long signal)
{
    atomic_store(h->word, 0);
    OK(cudaGraphLaunch(e, s));
    CHECK(is_running(s));
    CHECK(atomic_load(h->word) == 0);
    atomic_store(h->word, wait);
    OK(cudaStreamSynchronize(s));
    CHECK(atomic_load(h->word) == signal);
}

static bool is_in_picture(cudaGraph_t g, unsigned flags, const char *text)
{
    static char picture[4096];
    OK(cudaGraphDebugDotPrint(g, "external.dot", flags));
    FILE *f = fopen("external.dot", "r");
    picture[f ? fread(picture, 1, sizeof picture - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return strstr(picture, text) != NULL;
}

static void check_nodes(cudaStream_t s)
{
    struct shared h = make_shared();
    struct cudaExternalSemaphoreWaitParams w = {.params.fence.value = 5};
    struct cudaExternalSemaphoreSignalParams g = {.params.fence.value = 6};
    struct cudaExternalSemaphoreWaitNodeParams wp = {&h.sem, &w, 1}, wq;
    struct cudaExternalSemaphoreSignalNodeParams gp = {&h.sem, &g, 1}, gq;
    cudaGraph_t graph;
    cudaGraphExec_t e;
    cudaGraphNode_t wait, signal;
    enum cudaGraphNodeType type;
    OK(cudaGraphCreate(&graph, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddExternalSemaphoresWaitNode(&wait, graph, NULL, 0, NULL));
    wp.numExtSems = 0; /* it does nothing, as on an H200 */
    OK(cudaGraphAddExternalSemaphoresWaitNode(&wait, graph, NULL, 0, &wp));
    wp.numExtSems = 1;
    OK(cudaGraphAddExternalSemaphoresWaitNode(&wait, graph, NULL, 0, &wp));
    OK(cudaGraphAddExternalSemaphoresSignalNode(&signal, graph, &wait, 1, &gp));
    OK(cudaGraphNodeGetType(wait, &type));
    CHECK(type == cudaGraphNodeTypeExtSemaphoreWait);
    w.params.fence.value = 0; /* the nodes have copies */
    OK(cudaGraphExternalSemaphoresWaitNodeGetParams(wait, &wq));
    CHECK(wq.numExtSems == 1 && wq.extSemArray[0] == h.sem &&
          wq.paramsArray[0].params.fence.value == 5);
    OK(cudaGraphExternalSemaphoresSignalNodeGetParams(signal, &gq));
    CHECK(gq.paramsArray[0].params.fence.value == 6);
    unsigned waits = cudaGraphDebugDotFlagsExtSemasWaitNodeParams,
             signals = cudaGraphDebugDotFlagsExtSemasSignalNodeParams;
    CHECK(is_in_picture(graph, waits, "\\>= 5}"));
    CHECK(is_in_picture(graph, signals, " := 6}"));
    CHECK(!is_in_picture(graph, waits, " := 6}"));
    CHECK(!is_in_picture(graph, signals, "\\>= 5}"));
    GIVES(cudaErrorInvalidValue,
          cudaGraphExternalSemaphoresWaitNodeGetParams(signal, &wq));
    OK(cudaGraphInstantiate(&e, graph, 0));
    check_launch(e, s, &h, 5, 6);
    check_launch(e, s, &h, 5, 6);
    w.params.fence.value = 8;
    g.params.fence.value = 9;
    OK(cudaGraphExecExternalSemaphoresWaitNodeSetParams(e, wait, &wp));
    OK(cudaGraphExecExternalSemaphoresSignalNodeSetParams(e, signal, &gp));
    check_launch(e, s, &h, 8, 9);
    struct cudaExternalSemaphoreWaitParams ww[2] = {w, w};
    cudaExternalSemaphore_t sems[2] = {h.sem, h.sem};
    struct cudaExternalSemaphoreWaitNodeParams two = {sems, ww, 2};
    GIVES(cudaErrorInvalidValue,
          cudaGraphExecExternalSemaphoresWaitNodeSetParams(e, wait, &two));
    OK(cudaGraphExternalSemaphoresWaitNodeSetParams(wait, &two));
    OK(cudaGraphExternalSemaphoresSignalNodeSetParams(signal, &gp));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphInstantiate(&e, graph, 0));
    check_launch(e, s, &h, 8, 9);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(graph));
    end_shared(&h);
}

static void check_capture(cudaStream_t s)
{
    struct shared h = make_shared();
    cudaGraph_t graph;
    cudaGraphExec_t e;
    size_t count = 0;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    wait_for(h.sem, 3, s);
    signal_it(h.sem, 4, s);
    OK(cudaStreamEndCapture(s, &graph));
    CHECK(atomic_load(h.word) == 0);
    OK(cudaGraphGetNodes(graph, NULL, &count));
    CHECK(count == 2);
    OK(cudaGraphInstantiate(&e, graph, 0));
    check_launch(e, s, &h, 3, 4);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(graph));
    end_shared(&h);
}

/* Nodes that are made by the function for all kinds. */
static void check_any_node(cudaStream_t s)
{
    struct shared h = make_shared();
    struct cudaExternalSemaphoreWaitParams w = {.params.fence.value = 5};
    struct cudaExternalSemaphoreSignalParams g = {.params.fence.value = 6};
    struct cudaGraphNodeParams wp = {.type = cudaGraphNodeTypeExtSemaphoreWait};
    struct cudaGraphNodeParams gp = {.type =
                                         cudaGraphNodeTypeExtSemaphoreSignal};
    cudaGraph_t graph, clone;
    cudaGraphExec_t e;
    cudaGraphNode_t wait, signal;
    wp.extSemWait =
        (struct cudaExternalSemaphoreWaitNodeParamsV2){&h.sem, &w, 1};
    gp.extSemSignal =
        (struct cudaExternalSemaphoreSignalNodeParamsV2){&h.sem, &g, 1};
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddNode(&wait, graph, NULL, 0, &wp));
    OK(cudaGraphAddNode(&signal, graph, &wait, 1, &gp));
    OK(cudaGraphClone(&clone, graph));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphInstantiate(&e, clone, 0));
    check_launch(e, s, &h, 5, 6);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(clone));
    end_shared(&h);
}

static void check_driver_nodes(CUexternalSemaphore sem)
{
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS g = {.params.fence.value = 4};
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS w = {.params.fence.value = 4};
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS gp = {&sem, &g, 1}, gq;
    CUDA_EXT_SEM_WAIT_NODE_PARAMS wp = {&sem, &w, 1}, wq;
    CUgraphNode signal, wait;
    CUgraphExec e;
    CUgraph graph;
    CHECK(!cuGraphCreate(&graph, 0));
    CHECK(
        !cuGraphAddExternalSemaphoresSignalNode(&signal, graph, NULL, 0, &gp));
    CHECK(!cuGraphAddExternalSemaphoresWaitNode(&wait, graph, &signal, 1, &wp));
    g.params.fence.value = w.params.fence.value = 7;
    CHECK(!cuGraphExternalSemaphoresSignalNodeSetParams(signal, &gp));
    CHECK(!cuGraphExternalSemaphoresWaitNodeSetParams(wait, &wp));
    CHECK(!cuGraphExternalSemaphoresSignalNodeGetParams(signal, &gq) &&
          gq.paramsArray[0].params.fence.value == 7);
    CHECK(!cuGraphExternalSemaphoresWaitNodeGetParams(wait, &wq) &&
          wq.extSemArray[0] == sem);
    CHECK(cuGraphExternalSemaphoresWaitNodeGetParams(signal, &wq) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(!cuGraphInstantiate(&e, graph, 0));
    CHECK(!cuGraphExecExternalSemaphoresSignalNodeSetParams(e, signal, &gp));
    CHECK(!cuGraphExecExternalSemaphoresWaitNodeSetParams(e, wait, &wp));
    CHECK(!cuGraphLaunch(e, 0) && !cuCtxSynchronize());
    CHECK(!cuGraphExecDestroy(e) && !cuGraphDestroy(graph));
}

/* The driver API, once through. */
static void check_driver(void)
{
    int fd = make_file(BYTES), word = make_file(PAGE);
    unsigned *host = map_file(fd, BYTES);
    uint64_t *value = (uint64_t *)(void *)map_file(word, PAGE);
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC d = {
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
        .handle.fd = fd,
        .size = BYTES};
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC b = {.offset = 256, .size = 1024};
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC sd = {
        .type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD,
        .handle.fd = word};
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS g = {.params.fence.value = 4};
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS w = {.params.fence.value = 4};
    CUexternalMemory m;
    CUexternalSemaphore sem;
    CUdeviceptr p;
    CHECK(!cuImportExternalMemory(&m, &d));
    CHECK(!cuExternalMemoryGetMappedBuffer(&p, m, &b));
    CHECK(!cuMemsetD32(p, 9, 256));
    CHECK(host[63] == 0 && host[64] == 9 && host[319] == 9 && host[320] == 0);
    CHECK(!cuImportExternalSemaphore(&sem, &sd));
    CHECK(!cuSignalExternalSemaphoresAsync(&sem, &g, 1, 0));
    CHECK(!cuWaitExternalSemaphoresAsync(&sem, &w, 1, 0));
    CHECK(!cuCtxSynchronize() && *value == 4);
    check_driver_nodes(sem);
    CHECK(*value == 7);
    CHECK(!cuDestroyExternalSemaphore(sem) && !cuDestroyExternalMemory(m));
    CHECK(cuDestroyExternalMemory(m) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuDestroyExternalSemaphore(sem) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(!cuMemFree(p));
    munmap(host, BYTES);
    munmap(value, PAGE);
}

/* A reset ends what the program has left. */
static void check_reset(void)
{
    int fd = make_file(BYTES);
    struct cudaExternalMemoryHandleDesc d = of_file(fd, BYTES);
    struct cudaExternalMemoryBufferDesc b = {.size = 64};
    cudaExternalMemory_t m;
    void *p;
    OK(cudaImportExternalMemory(&m, &d));
    OK(cudaExternalMemoryGetMappedBuffer(&p, m, &b));
    OK(cudaDeviceReset());
    CHECK(!is_open(fd));
    GIVES(cudaErrorInvalidResourceHandle, cudaDestroyExternalMemory(m));
    GIVES(cudaErrorInvalidValue, cudaFree(p));
}

int main(void)
{
    cudaStream_t s;
    kernels_register();
    OK(cudaStreamCreate(&s));
    check_buffer();
    check_mipmap();
    check_dma();
    check_exported();
    check_memory_mistakes();
    check_eventfd(s);
    check_word(s);
    check_timeline(s);
    check_semaphore_mistakes(s);
    check_nodes(s);
    check_capture(s);
    check_any_node(s);
    check_driver();
    check_reset();
    kernels_unregister();
    return check_result();
}
