/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each call that takes an address, by both APIs, with addresses of no memory,
 * of memory that may not be read or not be written, of what was freed, and
 * beyond an allocation's end: an error, whatever its size and however busy the
 * stream, and the context works on.
 */
#include "check.h"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#define MB ((size_t)1 << 20)

static CUcontext ctx;
static CUdeviceptr device, word;
static CUarray array;
static CUstream stream;
static size_t bytes;
static char *host;

/* ---- what the calls need ------------------------------------------------- */

static CUresult batch(CUdeviceptr to, CUdeviceptr from,
                      CUmemcpySrcAccessOrder order)
{
    CUmemcpyAttributes a = {.srcAccessOrder = order};
    size_t first = 0, fail;
    return cuMemcpyBatchAsync(&to, &from, &bytes, 1, &a, &first, 1, &fail,
                              stream);
}

static CUresult batch_box(CUdeviceptr to, CUdeviceptr from)
{
    CUDA_MEMCPY3D_BATCH_OP o = {
        .src = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER},
        .dst = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER},
        .extent = {bytes / 64, 8, 8},
        .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
    };
    size_t fail;
    o.src.op.ptr.ptr = from;
    o.dst.op.ptr.ptr = to;
    o.src.op.ptr.layerHeight = o.dst.op.ptr.layerHeight = 8;
    return cuMemcpy3DBatchAsync(1, &o, &fail, 0, stream);
}

static CUDA_MEMCPY2D rows(CUdeviceptr to, CUmemorytype to_type,
                          CUdeviceptr from, CUmemorytype from_type)
{
    return (CUDA_MEMCPY2D){.srcMemoryType = from_type,
                           .srcHost = (void *)from,
                           .srcDevice = from,
                           .srcPitch = bytes / 8,
                           .dstMemoryType = to_type,
                           .dstHost = (void *)to,
                           .dstDevice = to,
                           .dstPitch = bytes / 8,
                           .WidthInBytes = bytes / 8,
                           .Height = 8};
}

static CUresult copy_rows(CUdeviceptr to, CUmemorytype to_type,
                          CUdeviceptr from, CUmemorytype from_type, CUstream s)
{
    CUDA_MEMCPY2D c = rows(to, to_type, from, from_type);
    return s ? cuMemcpy2DAsync(&c, s) : cuMemcpy2D(&c);
}

static CUresult copy_box(CUdeviceptr to, CUmemorytype to_type, CUdeviceptr from,
                         CUmemorytype from_type, CUstream s)
{
    CUDA_MEMCPY3D c = {.srcMemoryType = from_type,
                       .srcHost = (void *)from,
                       .srcDevice = from,
                       .srcPitch = bytes / 16,
                       .srcHeight = 8,
                       .dstMemoryType = to_type,
                       .dstHost = (void *)to,
                       .dstDevice = to,
                       .dstPitch = bytes / 16,
                       .dstHeight = 8,
                       .WidthInBytes = bytes / 16,
                       .Height = 8,
                       .Depth = 2};
    return s ? cuMemcpy3DAsync(&c, s) : cuMemcpy3D(&c);
}

static const CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE};

/* ---- the table ----------------------------------------------------------- */

#define HOST   CU_MEMORYTYPE_HOST
#define DEVICE CU_MEMORYTYPE_DEVICE
#define ANY    CU_MEMORYTYPE_UNIFIED
#define V(p)   ((void *)(p))

/* READS, WRITES: what is done to p, at once; the same + LATER: in the stream;
 * NEVER: p has to be an allocation of its own. */
enum { READS, WRITES, NEVER, LATER = 4 };

static int make_call(unsigned row, CUdeviceptr p)
{
    unsigned i = 0;
#define ROW(use, call)                                                         \
    if (i++ == row)                                                            \
        return (int)(call);
#include "bad_addresses.def"
    return -1;
}

static const struct {
    const char *name;
    unsigned use;
} calls[] = {
#define ROW(use, call) {#call, use},
#include "bad_addresses.def"
};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

/* ---- the addresses ------------------------------------------------------- */

static struct {
    const char *name;
    CUdeviceptr p;
    bool is_readable;
} places[] = {
    {.name = "low", .p = 16},
    {.name = "no address", .p = 0x1234567890abc000},
    {.name = "the last", .p = -(CUdeviceptr)16},
    {.name = "closed"},
    {.name = "read-only", .is_readable = true},
    {.name = "freed"},
    {.name = "at the end"},
};
enum { CLOSED = 3, READ_ONLY, FREED, AT_THE_END };
enum { PLACE_COUNT = sizeof places / sizeof *places };

static void find_places(void)
{
    CUdeviceptr p;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    places[CLOSED].p = (CUdeviceptr)mmap(NULL, 4 * MB, PROT_NONE, flags, -1, 0);
    places[READ_ONLY].p =
        (CUdeviceptr)mmap(NULL, 4 * MB, PROT_READ, flags, -1, 0);
    CU_OK(cuMemAlloc(&p, 4 * MB));
    CU_OK(cuMemFree(p));
    places[FREED].p = p;
    places[AT_THE_END].p = device + 4 * MB - 64;
}

/* ---- what happens -------------------------------------------------------- */

/* NEVER: each call has an error of its own. */
static void try_call(unsigned row, unsigned place)
{
    unsigned use = calls[row].use & ~(unsigned)LATER;
    bool is_fine = use == READS && places[place].is_readable;
    int err = make_call(row, places[place].p);
    bool ok = use == NEVER ? err != CUDA_SUCCESS
              : is_fine    ? err == CUDA_SUCCESS
                           : err == CUDA_ERROR_INVALID_VALUE;
    if (ok)
        return;
    printf("%s, p %s, %zu bytes: error %d\n", calls[row].name,
           places[place].name, bytes, err);
    failures++;
}

static void idle(void)
{
    for (unsigned row = 0; row < CALL_COUNT; row++) {
        for (unsigned place = 0; place < PLACE_COUNT; place++)
            try_call(row, place);
    }
    CU_OK(cuStreamSynchronize(stream));
}

/* Behind work that ends when we say so. */
static void busy(void)
{
    CU_OK(cuMemsetD32(word, 0, 1));
    CU_OK(cuStreamWaitValue32(stream, word, 1, CU_STREAM_WAIT_VALUE_EQ));
    for (unsigned row = 0; row < CALL_COUNT; row++) {
        if (!(calls[row].use & LATER))
            continue;
        for (unsigned place = 0; place < PLACE_COUNT; place++) {
            if (place != READ_ONLY)
                try_call(row, place);
        }
    }
    CU_OK(cuMemsetD32(word, 1, 1));
    CU_OK(cuStreamSynchronize(stream));
}

static void works_on(void)
{
    unsigned got = 0;
    CU_OK(cuMemsetD32(device, 77, MB));
    CU_OK(cuMemcpyDtoH(&got, device + 4 * MB - 4, 4));
    CHECK(got == 77);
    CU_OK(cuCtxSynchronize());
}

/* ---- registration -------------------------------------------------------- */

static void registration(void)
{
    void *closed = V(places[CLOSED].p), *constant = V(places[READ_ONLY].p);
    CU_GIVES(INVALID_VALUE, cuMemHostRegister(closed, 4096, 0));
    CU_GIVES(INVALID_VALUE, cuMemHostRegister(constant, 4096, 0));
    CU_OK(cuMemHostRegister(constant, 4096, CU_MEMHOSTREGISTER_READ_ONLY));
    CU_OK(cuMemHostUnregister(constant));
    CU_GIVES(INVALID_VALUE, cuMemHostRegister(V(places[FREED].p), 4096, 0));
    CU_GIVES(INVALID_VALUE, cuMemHostRegister(V(device), 4096, 0));
    CHECK(cudaHostRegister(constant, 4096, 0) == cudaErrorInvalidValue);
}

int main(void)
{
    static const size_t sizes[] = {4096, 2 * MB};
    CUDA_ARRAY_DESCRIPTOR d = {64, 64, CU_AD_FORMAT_FLOAT, 1};
    CU_OK(cuInit(0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CU_OK(cuMemAlloc(&device, 4 * MB));
    CU_OK(cuMemAlloc(&word, 4));
    CU_OK(cuArrayCreate(&array, &d));
    host = calloc(4, MB);
    find_places();
    for (unsigned i = 0; i < 2; i++) {
        bytes = sizes[i];
        idle();
        busy();
        works_on();
    }
    registration();
    free(host);
    return check_result();
}
