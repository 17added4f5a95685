/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in stream order: pools, what they keep, other processes. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define INVALID cudaErrorInvalidValue
#define MB      ((size_t)1 << 20)

static uint64_t get(cudaMemPool_t p, enum cudaMemPoolAttr attribute)
{
    uint64_t value = 0;
    OK(cudaMemPoolGetAttribute(p, attribute, &value));
    return value;
}

static void set(cudaMemPool_t p, enum cudaMemPoolAttr attribute, uint64_t value)
{
    OK(cudaMemPoolSetAttribute(p, attribute, &value));
}

static cudaMemPool_t make(enum cudaMemAllocationHandleType type)
{
    cudaMemPool_t p = NULL;
    struct cudaMemPoolProps props = {
        .allocType = cudaMemAllocationTypePinned,
        .handleTypes = type,
        .location = {cudaMemLocationTypeDevice, 0},
    };
    OK(cudaMemPoolCreate(&p, &props));
    return p;
}

/* ---- what there is ------------------------------------------------------- */

static void whose(void)
{
    cudaMemPool_t usual, current, own = make(cudaMemHandleTypeNone);
    OK(cudaDeviceGetDefaultMemPool(&usual, 0));
    OK(cudaDeviceGetMemPool(&current, 0));
    CHECK(usual == current);
    OK(cudaDeviceSetMemPool(0, own));
    OK(cudaDeviceGetMemPool(&current, 0));
    CHECK(current == own);
    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    const enum cudaMemAllocationType pinned = cudaMemAllocationTypePinned;
    OK(cudaMemGetMemPool(&current, &here, pinned));
    CHECK(current == own);
    OK(cudaMemGetDefaultMemPool(&current, &here, pinned));
    CHECK(current == usual);
    OK(cudaMemSetMemPool(&here, pinned, usual));
    OK(cudaMemSetMemPool(&here, pinned, own));
    GIVES(INVALID, cudaMemGetMemPool(&current, NULL, pinned));
    OK(cudaMemPoolDestroy(own));
    OK(cudaDeviceGetMemPool(&current, 0));
    CHECK(usual == current);
    GIVES(INVALID, cudaMemPoolDestroy(usual));
    GIVES(INVALID, cudaMemPoolDestroy(own));
    GIVES(INVALID, cudaMemPoolDestroy(NULL));
    GIVES(INVALID, cudaDeviceSetMemPool(0, own));
    GIVES(INVALID, cudaDeviceGetMemPool(NULL, 0));
    GIVES(INVALID, cudaDeviceGetMemPool(&current, 7)); /* an H200's */
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&current, -1));
}

static void wrong_properties(void)
{
    cudaMemPool_t p;
    struct cudaMemPoolProps props = {
        .allocType = cudaMemAllocationTypePinned,
        .location = {cudaMemLocationTypeDevice, 9},
    };
    GIVES(INVALID, cudaMemPoolCreate(&p, &props));
    props.location.type = cudaMemLocationTypeInvalid;
    GIVES(INVALID, cudaMemPoolCreate(&p, &props));
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    props.allocType = cudaMemAllocationTypeInvalid;
    GIVES(INVALID, cudaMemPoolCreate(&p, &props));
    GIVES(INVALID, cudaMemPoolCreate(NULL, &props));
    GIVES(INVALID, cudaMemPoolCreate(&p, NULL));
}

static void wrong_attributes(void)
{
    cudaMemPool_t p = make(cudaMemHandleTypeNone);
    uint64_t value = 1;
    GIVES(INVALID, cudaMemPoolGetAttribute(p, 99, &value));
    GIVES(INVALID, cudaMemPoolGetAttribute(NULL, 1, &value));
    GIVES(INVALID, cudaMemPoolGetAttribute(p, 1, NULL));
    GIVES(INVALID,
          cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemHigh, &value));
    GIVES(INVALID,
          cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemCurrent, &value));
    struct cudaMemAccessDesc a = {{cudaMemLocationTypeDevice, 0},
                                  cudaMemAccessFlagsProtReadWrite};
    enum cudaMemAccessFlags flags;
    OK(cudaMemPoolSetAccess(p, &a, 1));
    OK(cudaMemPoolGetAccess(&flags, p, &a.location));
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    a.flags = cudaMemAccessFlagsProtNone;
    GIVES(cudaErrorInvalidDevice, cudaMemPoolSetAccess(p, &a, 1));
    a.flags = cudaMemAccessFlagsProtRead;
    GIVES(cudaErrorNotSupported, cudaMemPoolSetAccess(p, &a, 1));
    a.flags = (enum cudaMemAccessFlags)2;
    GIVES(INVALID, cudaMemPoolSetAccess(p, &a, 1));
    GIVES(INVALID, cudaMemPoolSetAccess(p, NULL, 1));
    GIVES(INVALID, cudaMemPoolGetAccess(NULL, p, &a.location));
    OK(cudaMemPoolDestroy(p));
}

/* ---- allocating ---------------------------------------------------------- */

static cudaStream_t one, other;

static void figures(void)
{
    cudaMemPool_t p = make(cudaMemHandleTypeNone);
    void *a, *b;
    OK(cudaMallocFromPoolAsync(&a, 1000, p, one));
    OK(cudaMallocFromPoolAsync(&b, 3 * MB, p, one));
    CHECK(get(p, cudaMemPoolAttrUsedMemCurrent) == 1000 + 3 * MB);
    CHECK(get(p, cudaMemPoolAttrReservedMemCurrent) == 32 * MB);
    OK(cudaFreeAsync(b, one));
    OK(cudaFree(a));
    CHECK(get(p, cudaMemPoolAttrUsedMemCurrent) == 0);
    CHECK(get(p, cudaMemPoolAttrUsedMemHigh) == 1000 + 3 * MB);
    OK(cudaStreamSynchronize(one)); /* the threshold is 0 */
    CHECK(get(p, cudaMemPoolAttrReservedMemCurrent) == 0);
    CHECK(get(p, cudaMemPoolAttrReservedMemHigh) == 32 * MB);
    set(p, cudaMemPoolAttrUsedMemHigh, 0);
    CHECK(get(p, cudaMemPoolAttrUsedMemHigh) == 0);
    OK(cudaMemPoolDestroy(p));
}

static void threshold(void)
{
    cudaMemPool_t p = make(cudaMemHandleTypeNone);
    void *a;
    set(p, cudaMemPoolAttrReleaseThreshold, UINT64_MAX);
    OK(cudaMallocFromPoolAsync(&a, 40 * MB, p, one));
    OK(cudaFreeAsync(a, one));
    OK(cudaStreamSynchronize(one));
    CHECK(get(p, cudaMemPoolAttrReservedMemCurrent) == 64 * MB);
    OK(cudaMemPoolTrimTo(p, 100 * MB));
    CHECK(get(p, cudaMemPoolAttrReservedMemCurrent) == 64 * MB);
    OK(cudaMemPoolTrimTo(p, 1)); /* so much at least */
    CHECK(get(p, cudaMemPoolAttrReservedMemCurrent) == 64 * MB);
    OK(cudaMemPoolTrimTo(p, 0));
    CHECK(get(p, cudaMemPoolAttrReservedMemCurrent) == 0);
    GIVES(INVALID, cudaMemPoolTrimTo(NULL, 0));
    OK(cudaMemPoolDestroy(p));
}

static atomic_int is_open;

static void wait_until_open(void *data)
{
    (void)data;
    while (!is_open)
        usleep(100);
}

/* The stream that frees may have it at once; another when that is done. */
static void reuse(void)
{
    cudaMemPool_t p = make(cudaMemHandleTypeNone);
    void *a, *b, *c;
    set(p, cudaMemPoolAttrReleaseThreshold, UINT64_MAX);
    is_open = 0;
    OK(cudaMallocFromPoolAsync(&a, MB, p, one));
    OK(cudaLaunchHostFunc(one, wait_until_open, NULL));
    OK(cudaFreeAsync(a, one));
    OK(cudaMallocFromPoolAsync(&b, MB, p, other));
    CHECK(b != a);
    OK(cudaMallocFromPoolAsync(&c, MB, p, one));
    CHECK(c == a);
    OK(cudaFreeAsync(c, one));
    is_open = 1;
    OK(cudaStreamSynchronize(one));
    OK(cudaMallocFromPoolAsync(&c, MB - 100, p, other));
    CHECK(c == a);
    OK(cudaFreeAsync(b, other));
    OK(cudaFreeAsync(c, other));
    OK(cudaMemPoolDestroy(p));
}

/* A pool that may not grow: the free of another stream is waited for, in
 * stream order. */
static void dependency(void)
{
    cudaMemPool_t p = NULL;
    struct cudaMemPoolProps props = {
        .allocType = cudaMemAllocationTypePinned,
        .location = {cudaMemLocationTypeDevice, 0},
        .maxSize = MB, /* counts as 32, which are reserved at once */
    };
    void *a, *b;
    OK(cudaMemPoolCreate(&p, &props));
    is_open = 0;
    OK(cudaMallocFromPoolAsync(&a, 32 * MB, p, one));
    GIVES(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&b, MB, p, other));
    OK(cudaLaunchHostFunc(one, wait_until_open, NULL));
    OK(cudaFreeAsync(a, one));
    OK(cudaMallocFromPoolAsync(&b, 32 * MB, p, other));
    CHECK(b == a);
    GIVES(cudaErrorNotReady, cudaStreamQuery(other));
    is_open = 1;
    OK(cudaStreamSynchronize(other));
    OK(cudaFreeAsync(b, other));
    OK(cudaMemPoolDestroy(p));
}

/* The stream waits for an event behind the free: it may have the memory at once,
 * if the pool's policy says so; through a third stream, too. */
static void followed(uint64_t follows, bool is_far)
{
    cudaMemPool_t p = make(cudaMemHandleTypeNone);
    cudaStream_t between;
    cudaEvent_t freed, passed;
    void *a, *b;
    set(p, cudaMemPoolAttrReleaseThreshold, UINT64_MAX);
    set(p, cudaMemPoolReuseFollowEventDependencies, follows);
    set(p, cudaMemPoolReuseAllowOpportunistic, 0);
    set(p, cudaMemPoolReuseAllowInternalDependencies, 0);
    OK(cudaStreamCreateWithFlags(&between, cudaStreamNonBlocking));
    OK(cudaEventCreate(&freed));
    OK(cudaEventCreate(&passed));
    is_open = 0;
    OK(cudaMallocFromPoolAsync(&a, MB, p, one));
    OK(cudaLaunchHostFunc(one, wait_until_open, NULL));
    OK(cudaFreeAsync(a, one));
    OK(cudaEventRecord(freed, one));
    OK(cudaStreamWaitEvent(is_far ? between : other, freed, 0));
    OK(cudaEventRecord(passed, between));
    if (is_far)
        OK(cudaStreamWaitEvent(other, passed, 0));
    OK(cudaMallocFromPoolAsync(&b, MB, p, other));
    CHECK((a == b) == (follows != 0));
    is_open = 1;
    OK(cudaFreeAsync(b, other));
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(freed));
    OK(cudaEventDestroy(passed));
    OK(cudaStreamDestroy(between));
    OK(cudaMemPoolDestroy(p));
}

/* An event before the free says nothing. */
static void recorded_too_early(void)
{
    cudaMemPool_t p = make(cudaMemHandleTypeNone);
    cudaEvent_t e;
    void *a, *b;
    OK(cudaEventCreate(&e));
    is_open = 0;
    OK(cudaMallocFromPoolAsync(&a, MB, p, one));
    OK(cudaLaunchHostFunc(one, wait_until_open, NULL));
    OK(cudaEventRecord(e, one));
    OK(cudaFreeAsync(a, one));
    OK(cudaStreamWaitEvent(other, e, 0));
    OK(cudaMallocFromPoolAsync(&b, MB, p, other));
    CHECK(a != b);
    is_open = 1;
    OK(cudaFreeAsync(b, other));
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(e));
    OK(cudaMemPoolDestroy(p));
}

/* ---- the host's, and managed memory -------------------------------------- */

struct home {
    enum cudaMemAllocationType type;
    enum cudaMemLocationType place;
    enum cudaMemoryType pointer;
};
static const struct home homes[] = {
    {cudaMemAllocationTypePinned, cudaMemLocationTypeHost, cudaMemoryTypeHost},
    {cudaMemAllocationTypePinned, cudaMemLocationTypeHostNuma,
     cudaMemoryTypeHost},
    {cudaMemAllocationTypeManaged, cudaMemLocationTypeDevice,
     cudaMemoryTypeManaged},
    {cudaMemAllocationTypeManaged, cudaMemLocationTypeHost,
     cudaMemoryTypeManaged},
    {cudaMemAllocationTypeManaged, cudaMemLocationTypeInvalid,
     cudaMemoryTypeManaged},
};

static void use(cudaMemPool_t p, const struct home *h)
{
    struct cudaPointerAttributes attributes;
    unsigned char *a;
    OK(cudaMallocFromPoolAsync((void **)&a, 1000, p, one));
    OK(cudaMemsetAsync(a, 7, 1000, one));
    OK(cudaStreamSynchronize(one));
    CHECK(a[0] == 7 && a[999] == 7);
    OK(cudaPointerGetAttributes(&attributes, a));
    CHECK(attributes.type == h->pointer);
    CHECK(attributes.hostPointer == a);
    OK(cudaFreeAsync(a, one));
    OK(cudaStreamSynchronize(one));
}

static void elsewhere(const struct home *h)
{
    cudaMemPool_t own, usual, current, device, found;
    const struct cudaMemPoolProps props = {
        .allocType = h->type,
        .location = {h->place, 0},
    };
    struct cudaMemLocation place = props.location;
    OK(cudaMemPoolCreate(&own, &props));
    use(own, h);
    OK(cudaMemGetDefaultMemPool(&usual, &place, h->type));
    OK(cudaDeviceGetDefaultMemPool(&device, 0));
    CHECK(usual != device);
    use(usual, h);
    GIVES(INVALID, cudaMemPoolDestroy(usual));
    OK(cudaMemGetDefaultMemPool(&found, &place, h->type));
    CHECK(found == usual);
    OK(cudaMemSetMemPool(&place, h->type, own));
    OK(cudaMemGetMemPool(&current, &place, h->type));
    CHECK(current == own);
    GIVES(INVALID, cudaDeviceSetMemPool(0, own));
    GIVES(INVALID, cudaMemSetMemPool(&place, h->type, device));
    OK(cudaMemPoolDestroy(own));
    OK(cudaMemGetMemPool(&current, &place, h->type));
    CHECK(current == usual);
}

/* Its own memory cannot be taken from the host; devices are let in. */
static void access_of_host(void)
{
    cudaMemPool_t p;
    enum cudaMemAccessFlags flags;
    const struct cudaMemPoolProps props = {
        .allocType = cudaMemAllocationTypePinned,
        .location = {cudaMemLocationTypeHost, 0},
    };
    struct cudaMemAccessDesc host = {{cudaMemLocationTypeHost, 0},
                                     cudaMemAccessFlagsProtReadWrite};
    struct cudaMemAccessDesc device = {{cudaMemLocationTypeDevice, 0},
                                       cudaMemAccessFlagsProtReadWrite};
    struct cudaPointerAttributes attributes;
    void *a;
    OK(cudaMemPoolCreate(&p, &props));
    OK(cudaMallocFromPoolAsync(&a, 1000, p, one));
    OK(cudaMemPoolGetAccess(&flags, p, &host.location));
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaMemPoolGetAccess(&flags, p, &device.location));
    CHECK(flags == cudaMemAccessFlagsProtNone);
    OK(cudaPointerGetAttributes(&attributes, a));
    CHECK(!attributes.devicePointer);
    OK(cudaMemPoolSetAccess(p, &device, 1));
    OK(cudaMemPoolGetAccess(&flags, p, &device.location));
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaPointerGetAttributes(&attributes, a));
    CHECK(attributes.devicePointer == a);
    host.flags = cudaMemAccessFlagsProtNone;
    GIVES(cudaErrorNotSupported, cudaMemPoolSetAccess(p, &host, 1));
    host.flags = cudaMemAccessFlagsProtReadWrite;
    OK(cudaFreeAsync(a, one));
    OK(cudaMemPoolDestroy(p));
    p = make(cudaMemHandleTypeNone);
    GIVES(cudaErrorNotSupported, cudaMemPoolSetAccess(p, &host, 1));
    OK(cudaMemPoolDestroy(p));
}

/* Where the caller is: no place of pinned memory, and nobody's default. */
static void current_node(void)
{
    cudaMemPool_t p;
    struct cudaMemPoolProps props = {
        .allocType = cudaMemAllocationTypePinned,
        .location = {cudaMemLocationTypeHostNumaCurrent, 0},
    };
    GIVES(INVALID, cudaMemPoolCreate(&p, &props));
    GIVES(cudaErrorNotSupported,
          cudaMemGetDefaultMemPool(&p, &props.location, props.allocType));
    props.allocType = cudaMemAllocationTypeManaged;
    OK(cudaMemPoolCreate(&p, &props));
    use(p, &homes[2]);
    OK(cudaMemPoolDestroy(p));
}

static void wrong_calls(void)
{
    cudaMemPool_t p = make(cudaMemHandleTypeNone);
    struct cudaPointerAttributes attributes;
    void *a, *host = malloc(10);
    OK(cudaMallocAsync(&a, 0, one));
    CHECK(a == NULL);
    OK(cudaFreeAsync(NULL, one));
    GIVES(INVALID, cudaMallocAsync(NULL, 10, one));
    GIVES(INVALID, cudaMallocFromPoolAsync(&a, 10, NULL, one));
    GIVES(INVALID, cudaFreeAsync(host, one));
    GIVES(cudaErrorMemoryAllocation, cudaMallocAsync(&a, (size_t)1 << 45, one));
    GIVES(cudaErrorMemoryAllocation, cudaMallocAsync(&a, SIZE_MAX, one));
    OK(cudaMallocAsync(&a, 100, one));
    OK(cudaPointerGetAttributes(&attributes, (char *)a + 99));
    CHECK(attributes.type == cudaMemoryTypeDevice);
    GIVES(INVALID, cudaFreeAsync((char *)a + 1, one));
    GIVES(INVALID, cudaMemcpy(host, a, 101, cudaMemcpyDeviceToHost));
    OK(cudaFreeAsync(a, one));
    GIVES(INVALID, cudaFreeAsync(a, one));
    GIVES(INVALID, cudaFree(a));
    OK(cudaMalloc(&a, 100));
    OK(cudaFreeAsync(a, one));
    /* A destroyed pool's memory lives until it is freed. */
    OK(cudaMallocFromPoolAsync(&a, 100, p, one));
    OK(cudaMemPoolDestroy(p));
    OK(cudaMemset(a, 1, 100));
    GIVES(INVALID, cudaMallocFromPoolAsync(&a, 100, p, one));
    OK(cudaFreeAsync(a, one));
    OK(cudaStreamSynchronize(one));
    free(host);
}

/* ---- many threads -------------------------------------------------------- */

static void *allocate_and_free(void *data)
{
    cudaStream_t s;
    unsigned seed = (unsigned)(uintptr_t)data;
    void *p[16] = {0};
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < 3000; i++) {
        void **at = &p[rand_r(&seed) % 16];
        if (*at)
            OK(cudaFreeAsync(*at, s));
        *at = NULL;
        if (i < 2900) {
            OK(cudaMallocAsync(at, 1 + (size_t)rand_r(&seed) % 100000, s));
            OK(cudaMemsetAsync(*at, i, 1, s));
        }
        if (i % 500 == 0)
            OK(cudaStreamSynchronize(s));
    }
    for (int i = 0; i < 16; i++)
        OK(cudaFreeAsync(p[i], s));
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamDestroy(s));
    return NULL;
}

static void many(void)
{
    pthread_t threads[4];
    cudaMemPool_t p;
    OK(cudaDeviceGetDefaultMemPool(&p, 0));
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, allocate_and_free, (void *)i);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    OK(cudaDeviceSynchronize());
    CHECK(get(p, cudaMemPoolAttrUsedMemCurrent) == 0);
    CHECK(get(p, cudaMemPoolAttrReservedMemCurrent) == 0);
}

/* ---- other processes ----------------------------------------------------- */

static void send_descriptor(int socket, int fd, const void *data, size_t n)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof fd)];
    } control = {0};
    struct iovec io = {(void *)(uintptr_t)data, n};
    struct msghdr m = {.msg_iov = &io,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control.space};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    CHECK(sendmsg(socket, &m, 0) == (ssize_t)n);
}

static int receive_descriptor(int socket, void *data, size_t n)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    int fd = -1;
    struct iovec io = {data, n};
    struct msghdr m = {.msg_iov = &io,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control.space};
    CHECK(recvmsg(socket, &m, 0) == (ssize_t)n);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

/* The child finds 5s, adds 1 to each, and frees its view. */
static int child(int socket)
{
    struct cudaMemPoolPtrExportData data;
    cudaMemPool_t p;
    unsigned char *a, bytes[1000];
    void *b;
    int fd = receive_descriptor(socket, &data, sizeof data);
    OK(cudaMemPoolImportFromShareableHandle(
        &p, (void *)(intptr_t)fd, cudaMemHandleTypePosixFileDescriptor, 0));
    OK(cudaMemPoolImportPointer((void **)&a, p, &data));
    OK(cudaMemcpy(bytes, a, 1000, cudaMemcpyDeviceToHost));
    CHECK(bytes[0] == 5 && bytes[999] == 5);
    GIVES(INVALID, cudaMemcpy(bytes, a, 1001, cudaMemcpyDeviceToHost));
    OK(cudaMemset(a, 6, 1000));
    for (int i = cudaMemPoolReuseFollowEventDependencies;
         i <= cudaMemPoolAttrUsedMemHigh; i++) { /* they are asked at home */
        uint64_t value = 0;
        GIVES(INVALID, cudaMemPoolGetAttribute(p, i, &value));
        GIVES(INVALID, cudaMemPoolSetAttribute(p, i, &value));
    }
    GIVES(INVALID, cudaMemPoolTrimTo(p, 0));
    GIVES(INVALID, cudaMallocFromPoolAsync(&b, 10, p, 0));
    GIVES(INVALID, cudaMemPoolExportToShareableHandle(
                       &fd, p, cudaMemHandleTypePosixFileDescriptor, 0));
    OK(cudaFreeAsync(a, 0));
    memset(&data, 0x55, sizeof data);
    GIVES(INVALID, cudaMemPoolImportPointer(&b, p, &data));
    OK(cudaMemPoolDestroy(p));
    OK(cudaDeviceSynchronize());
    return failures;
}

static void processes(void)
{
    int sockets[2], status = 1, fd;
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    pid_t pid = fork(); /* before any call of CUDA */
    if (pid == 0)
        _exit(child(sockets[1]));
    struct cudaMemPoolPtrExportData data;
    cudaMemPool_t p = make(cudaMemHandleTypePosixFileDescriptor), other_pool;
    unsigned char *a, bytes[1000];
    OK(cudaMallocFromPoolAsync((void **)&a, 1000, p, 0));
    OK(cudaMemset(a, 5, 1000));
    OK(cudaMemPoolExportToShareableHandle(
        &fd, p, cudaMemHandleTypePosixFileDescriptor, 0));
    GIVES(INVALID, cudaMemPoolExportToShareableHandle(
                       &fd, p, cudaMemHandleTypeWin32, 0));
    OK(cudaMemPoolExportPointer(&data, a));
    GIVES(INVALID, cudaMemPoolExportPointer(&data, a + 1));
    OK(cudaDeviceSynchronize());
    send_descriptor(sockets[0], fd, &data, sizeof data);
    waitpid(pid, &status, 0);
    CHECK(status == 0);
    OK(cudaMemcpy(bytes, a, 1000, cudaMemcpyDeviceToHost));
    CHECK(bytes[0] == 6 && bytes[999] == 6);
    OK(cudaFree(a));
    OK(cudaMemPoolDestroy(p));
    GIVES(cudaErrorUnknown, cudaMemPoolImportFromShareableHandle(
                                &p, (void *)(intptr_t)777,
                                cudaMemHandleTypePosixFileDescriptor, 0));
    other_pool = make(cudaMemHandleTypeNone);
    GIVES(INVALID,
          cudaMemPoolExportToShareableHandle(
              &fd, other_pool, cudaMemHandleTypePosixFileDescriptor, 0));
    GIVES(INVALID,
          cudaMemPoolExportToShareableHandle(
              &fd, other_pool, cudaMemHandleTypePosixFileDescriptor, 1));
    OK(cudaMemPoolDestroy(other_pool));
    close(fd);
}

int main(void)
{
    size_t before, after, total;
    void *a;
    processes();
    OK(cudaMemGetInfo(&before, &total));
    OK(cudaStreamCreate(&one));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    whose();
    wrong_properties();
    wrong_attributes();
    figures();
    threshold();
    reuse();
    dependency();
    for (int i = 0; i < 4; i++)
        followed(i & 1, i & 2);
    recorded_too_early();
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++)
        elsewhere(&homes[i]);
    access_of_host();
    current_node();
    wrong_calls();
    many();
    OK(cudaMemGetInfo(&after, &total));
    CHECK(before == after);
    OK(cudaMallocAsync(&a, 1000, one)); /* ended by the reset */
    OK(cudaDeviceReset());
    OK(cudaMemGetInfo(&after, &total));
    CHECK(before == after);
    return check_result();
}
