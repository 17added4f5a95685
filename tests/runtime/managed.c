/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Managed memory: advice, what was said of ranges, prefetches; and batches of
 * them and of copies. Errors are what an H200 gives.
 */
#include "check.h"

#define INVALID cudaErrorInvalidValue

static char *managed, *device;
static cudaStream_t stream;
enum { PAGE = 4096, SIZE = 64 * PAGE };

static int get(enum cudaMemRangeAttribute attribute, size_t first, size_t n)
{
    int value = 77;
    OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute,
                                managed + first, n));
    return value;
}

static void advise(enum cudaMemoryAdvise advice, size_t first, size_t n,
                   int where)
{
    OK(cudaMemAdvise(managed + first, n, advice, where));
}

static void attributes(void)
{
    const enum cudaMemRangeAttribute
        read = cudaMemRangeAttributeReadMostly,
        home = cudaMemRangeAttributePreferredLocation,
        last = cudaMemRangeAttributeLastPrefetchLocation;
    CHECK(get(read, 0, SIZE) == 0 && get(home, 0, SIZE) == -2);
    CHECK(get(last, 0, SIZE) == -2);
    CHECK(get(cudaMemRangeAttributePreferredLocationType, 0, SIZE) == 0);
    CHECK(get(cudaMemRangeAttributePreferredLocationId, 0, SIZE) == -2);
    advise(cudaMemAdviseSetReadMostly, PAGE, 3 * PAGE, 0);
    CHECK(get(read, PAGE, 3 * PAGE) == 1 && get(read, 2 * PAGE, 1) == 1);
    CHECK(get(read, 0, PAGE) == 0 && get(read, 0, 2 * PAGE) == 0);
    CHECK(get(read, 3 * PAGE, 2 * PAGE) == 0);
    advise(cudaMemAdviseSetPreferredLocation, 2 * PAGE, 4 * PAGE, 0);
    CHECK(get(home, 2 * PAGE, 4 * PAGE) == 0 && get(home, PAGE, PAGE) == -2);
    CHECK(get(home, 0, SIZE) == -2 && get(read, PAGE, 3 * PAGE) == 1);
    advise(cudaMemAdviseSetPreferredLocation, 3 * PAGE, PAGE, cudaCpuDeviceId);
    CHECK(get(home, 3 * PAGE, PAGE) == -1 && get(home, 2 * PAGE, PAGE) == 0);
    CHECK(get(home, 2 * PAGE, 4 * PAGE) == -2);
    CHECK(get(cudaMemRangeAttributePreferredLocationType, 3 * PAGE, 1) ==
          cudaMemLocationTypeHost);
    advise(cudaMemAdviseUnsetPreferredLocation, 0, SIZE, 0);
    advise(cudaMemAdviseUnsetReadMostly, 0, SIZE, 0);
    CHECK(get(home, 0, SIZE) == -2 && get(read, 2 * PAGE, PAGE) == 0);
    int by[3] = {77, 77, 77};
    advise(cudaMemAdviseSetAccessedBy, 0, SIZE, 0);
    OK(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy,
                                managed, SIZE));
    CHECK(by[0] == 0 && by[1] == -2 && by[2] == -2);
    advise(cudaMemAdviseUnsetAccessedBy, PAGE, PAGE, 0);
    CHECK(get(cudaMemRangeAttributeAccessedBy, 0, SIZE) == -2);
    OK(cudaMemPrefetchAsync(managed, SIZE, cudaCpuDeviceId, stream));
    CHECK(get(last, 0, SIZE) == -1);
    OK(cudaMemPrefetchAsync(managed, PAGE, 0, stream));
    CHECK(get(last, 0, PAGE) == 0 && get(last, 0, SIZE) == -2);
    int one = 77, two = 77;
    void *data[] = {&one, &two};
    size_t sizes[] = {4, 4};
    enum cudaMemRangeAttribute which[] = {read, last};
    OK(cudaMemRangeGetAttributes(data, sizes, which, 2, managed, PAGE));
    CHECK(one == 0 && two == 0);
    GIVES(INVALID,
          cudaMemRangeGetAttributes(data, sizes, which, 0, managed, 1));
}

static void wrong(void)
{
    int value;
    void *pageable = malloc(PAGE);
    const enum cudaMemRangeAttribute read = cudaMemRangeAttributeReadMostly;
    GIVES(INVALID, cudaMemRangeGetAttribute(&value, 5, read, managed, PAGE));
    GIVES(INVALID, cudaMemRangeGetAttribute(&value, 4, read, managed, 0));
    GIVES(INVALID, cudaMemRangeGetAttribute(NULL, 4, read, managed, PAGE));
    GIVES(INVALID, cudaMemRangeGetAttribute(&value, 4, 99, managed, PAGE));
    GIVES(INVALID,
          cudaMemRangeGetAttribute(&value, 4, read, managed, SIZE + 1));
    GIVES(INVALID, cudaMemRangeGetAttribute(&value, 4, read, pageable, PAGE));
    GIVES(INVALID, cudaMemRangeGetAttribute(&value, 4, read, device, 100));
    GIVES(INVALID, cudaMemAdvise(device, 100, cudaMemAdviseSetReadMostly, 0));
    GIVES(INVALID, cudaMemAdvise(managed, PAGE, 99, 0));
    const struct cudaMemLocation none = {cudaMemLocationTypeDevice, 9},
                                 node = {cudaMemLocationTypeHostNuma, 0};
    GIVES(INVALID, cudaMemAdvise_v2(managed, PAGE, cudaMemAdviseSetAccessedBy,
                                    none));
    GIVES(INVALID, cudaMemAdvise_v2(managed, PAGE, cudaMemAdviseSetAccessedBy,
                                    node));
    OK(cudaMemAdvise_v2(managed, PAGE, cudaMemAdviseSetReadMostly, none));
    GIVES(INVALID, cudaMemPrefetchAsync(device, 100, 0, stream));
    GIVES(INVALID, cudaMemPrefetchAsync(pageable, PAGE, 0, stream));
    GIVES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 1, 9, stream));
    free(pageable);
}

/* What was said of memory ends with it. */
static void again(void)
{
    void *p;
    advise(cudaMemAdviseSetReadMostly, 0, SIZE, 0);
    OK(cudaFree(managed));
    OK(cudaMallocManaged(&p, SIZE, cudaMemAttachGlobal));
    managed = p;
    CHECK(get(cudaMemRangeAttributeReadMostly, 0, SIZE) == 0);
}

static void ranges(void)
{
    void *starts[] = {managed, managed + 8 * PAGE, managed + 16 * PAGE};
    size_t sizes[] = {PAGE, PAGE, PAGE}, from[] = {0, 2}, bad[] = {1, 2};
    struct cudaMemLocation to[] = {{cudaMemLocationTypeDevice, 0},
                                   {cudaMemLocationTypeHost, 0}};
    const enum cudaMemRangeAttribute last =
        cudaMemRangeAttributeLastPrefetchLocation;
    OK(cudaMemPrefetchBatchAsync(starts, sizes, 3, to, from, 2, 0, stream));
    CHECK(get(last, 0, PAGE) == 0 && get(last, 8 * PAGE, PAGE) == 0);
    CHECK(get(last, 16 * PAGE, PAGE) == -1);
    from[1] = 0; /* as an H200: the last one of an index counts */
    OK(cudaMemPrefetchBatchAsync(starts, sizes, 3, to, from, 2, 0, stream));
    CHECK(get(last, 0, PAGE) == -1);
    OK(cudaMemDiscardBatchAsync(starts, sizes, 3, 0, stream));
    OK(cudaMemDiscardAndPrefetchBatchAsync(starts, sizes, 3, to + 1, from, 1, 0,
                                           stream));
    CHECK(get(last, 0, PAGE) == -1);
    GIVES(INVALID,
          cudaMemPrefetchBatchAsync(starts, sizes, 3, to, bad, 2, 0, stream));
    GIVES(INVALID,
          cudaMemPrefetchBatchAsync(starts, sizes, 0, to, from, 2, 0, stream));
    GIVES(INVALID,
          cudaMemPrefetchBatchAsync(starts, sizes, 3, to, from, 2, 1, stream));
    GIVES(INVALID,
          cudaMemPrefetchBatchAsync(starts, sizes, 3, to, from, 2, 0, NULL));
    starts[1] = device;
    GIVES(INVALID, cudaMemDiscardBatchAsync(starts, sizes, 3, 0, stream));
}

static void copies(void)
{
    char text[] = "abcdefghij", out[11] = "";
    void *to[] = {device, device + 5}, *from[] = {text + 5, text};
    size_t sizes[] = {5, 5}, first[] = {0}, bad[] = {1}, fail = 77;
    struct cudaMemcpyAttributes a = {.srcAccessOrder =
                                         cudaMemcpySrcAccessOrderDuringApiCall};
    OK(cudaMemcpyBatchAsync(to, from, sizes, 2, &a, first, 1, &fail, stream));
    memset(text, 0, sizeof text);
    a.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    to[0] = out, from[0] = device, sizes[0] = 10;
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpyBatchAsync(to, from, sizes, 1, &a, first, 1, &fail, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(!strcmp(out, "fghijabcde"));
    GIVES(INVALID,
          cudaMemcpyBatchAsync(to, from, sizes, 1, &a, first, 1, &fail, NULL));
    GIVES(INVALID, cudaMemcpyBatchAsync(to, from, sizes, 0, &a, first, 1, &fail,
                                        stream));
    GIVES(INVALID,
          cudaMemcpyBatchAsync(to, from, sizes, 2, &a, bad, 1, &fail, stream));
    CHECK(fail == SIZE_MAX);
    from[1] = device + SIZE;
    GIVES(INVALID, cudaMemcpyBatchAsync(to, from, sizes, 2, &a, first, 1, &fail,
                                        stream));
    CHECK(fail == 1);
    from[1] = device;
    sizes[1] = 0;
    GIVES(INVALID, cudaMemcpyBatchAsync(to, from, sizes, 2, &a, first, 1, &fail,
                                        stream));
    a.flags = 8;
    GIVES(INVALID, cudaMemcpyBatchAsync(to, from, sizes, 1, &a, first, 1, &fail,
                                        stream));
    a.flags = cudaMemcpyFlagPreferOverlapWithCompute;
    OK(cudaMemcpyBatchAsync(to, from, sizes, 1, &a, first, 1, &fail, stream));
    a.srcLocHint =
        (struct cudaMemLocation){.type = cudaMemLocationTypeDevice, .id = 99};
    GIVES(INVALID, cudaMemcpyBatchAsync(to, from, sizes, 1, &a, first, 1, &fail,
                                        stream));
    a.srcLocHint.id = 0;
    cudaGraph_t g; /* it cannot be captured, which leaves a capture as it is */
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorStreamCaptureUnsupported,
          cudaMemcpyBatchAsync(to, from, sizes, 1, &a, first, 1, &fail, stream));
    OK(cudaStreamEndCapture(stream, &g));
    OK(cudaGraphDestroy(g));
    a.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    GIVES(INVALID, cudaMemcpyBatchAsync(to, from, sizes, 1, &a, first, 1, &fail,
                                        stream));
}

static void boxes(void)
{
    struct cudaChannelFormatDesc d =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
    unsigned in[64], out[64] = {0};
    cudaArray_t array;
    size_t fail;
    for (unsigned i = 0; i < 64; i++)
        in[i] = i;
    OK(cudaMallocArray(&array, &d, 8, 8, 0));
    struct cudaMemcpy3DBatchOp ops[2] = {0};
    ops[0].src.type = cudaMemcpyOperandTypePointer;
    ops[0].src.op.ptr.ptr = in;
    ops[0].dst.type = cudaMemcpyOperandTypeArray;
    ops[0].dst.op.array.array = array;
    ops[0].extent = (struct cudaExtent){8, 8, 1};
    ops[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    OK(cudaMemcpy3DBatchAsync(1, ops, &fail, 0, stream));
    OK(cudaStreamSynchronize(stream));
    ops[1].src.type = cudaMemcpyOperandTypeArray;
    ops[1].src.op.array.array = array;
    ops[1].src.op.array.offset = (struct cudaOffset3D){2, 3, 0};
    ops[1].dst.type = cudaMemcpyOperandTypePointer;
    ops[1].dst.op.ptr.ptr = out;
    ops[1].dst.op.ptr.rowLength = 8;
    ops[1].extent = (struct cudaExtent){4, 2, 1};
    ops[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    OK(cudaMemcpy3DBatchAsync(2, ops, &fail, 0, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(out[0] == 26 && out[3] == 29 && out[4] == 0 && out[8] == 34);
    ops[1].extent.width = 7;
    GIVES(INVALID, cudaMemcpy3DBatchAsync(2, ops, &fail, 0, stream));
    CHECK(fail == 1);
    GIVES(INVALID, cudaMemcpy3DBatchAsync(0, ops, &fail, 0, stream));
    GIVES(INVALID, cudaMemcpy3DBatchAsync(1, NULL, &fail, 0, stream));
    GIVES(INVALID, cudaMemcpy3DBatchAsync(1, ops, &fail, 1, stream));
    ops[0].flags = 8;
    GIVES(INVALID, cudaMemcpy3DBatchAsync(1, ops, &fail, 0, stream));
    ops[0].flags = 0;
    ops[0].extent.depth = 0;
    GIVES(INVALID, cudaMemcpy3DBatchAsync(1, ops, &fail, 0, stream));
    OK(cudaFreeArray(array));
}

int main(void)
{
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocManaged((void **)&managed, SIZE, cudaMemAttachGlobal));
    OK(cudaMalloc((void **)&device, SIZE));
    attributes();
    wrong();
    again();
    ranges();
    copies();
    boxes();
    OK(cudaFree(managed));
    OK(cudaFree(device));
    return check_result();
}
