/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of every kind, their copies in all directions, and wrong uses. */
#include "check.h"

static const enum cudaMemcpyKind up = cudaMemcpyHostToDevice,
                                 down = cudaMemcpyDeviceToHost,
                                 across = cudaMemcpyDeviceToDevice;

/* ---- shapes and formats -------------------------------------------------- */

#define INVALID cudaErrorInvalidValue
#define CHANNEL cudaErrorInvalidChannelDescriptor

static const struct {
    int bits[4];
    enum cudaChannelFormatKind kind;
    cudaError_t error;
} channels[] = {
    {{8, 0, 0, 0}, cudaChannelFormatKindUnsigned, cudaSuccess},
    {{8, 8, 0, 0}, cudaChannelFormatKindSigned, cudaSuccess},
    {{16, 16, 16, 16}, cudaChannelFormatKindSigned, cudaSuccess},
    {{32, 0, 0, 0}, cudaChannelFormatKindUnsigned, cudaSuccess},
    {{16, 16, 0, 0}, cudaChannelFormatKindFloat, cudaSuccess},
    {{32, 32, 32, 32}, cudaChannelFormatKindFloat, cudaSuccess},
    {{8, 8, 8, 8}, cudaChannelFormatKindUnsignedNormalized8X4, cudaSuccess},
    {{16, 16, 0, 0}, cudaChannelFormatKindSignedNormalized16X2, cudaSuccess},
    {{10, 10, 10, 2},
     cudaChannelFormatKindUnsignedNormalized1010102,
     cudaSuccess},
    {{8, 8, 8, 8}, cudaChannelFormatKindUnsignedBlockCompressed1, cudaSuccess},
    {{16, 16, 16, 0},
     cudaChannelFormatKindSignedBlockCompressed6H,
     cudaSuccess},
    {{16, 16, 16, 16}, cudaChannelFormatKindUnsignedNormalized8X4, CHANNEL},
    {{8, 0, 0, 0}, cudaChannelFormatKindUnsignedNormalized8X2, CHANNEL},
    {{8, 8, 0, 0}, cudaChannelFormatKindNV12, CHANNEL},
    {{8, 8, 8, 0}, cudaChannelFormatKindUnsigned, CHANNEL},
    {{8, 16, 0, 0}, cudaChannelFormatKindUnsigned, CHANNEL},
    {{8, 0, 8, 0}, cudaChannelFormatKindUnsigned, CHANNEL},
    {{0, 0, 0, 0}, cudaChannelFormatKindUnsigned, CHANNEL},
    {{8, 0, 0, 0}, cudaChannelFormatKindFloat, CHANNEL},
    {{12, 0, 0, 0}, cudaChannelFormatKindUnsigned, CHANNEL},
    {{8, 0, 0, 0}, cudaChannelFormatKindNone, CHANNEL},
    {{8, 0, 0, 0}, (enum cudaChannelFormatKind)99, CHANNEL},
    {{8, 8, 8, 0}, cudaChannelFormatKindNV12, INVALID},
};

static void formats(void)
{
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        const int *b = channels[i].bits;
        struct cudaChannelFormatDesc got,
            d = {b[0], b[1], b[2], b[3], channels[i].kind};
        cudaArray_t a = NULL;
        GIVES(channels[i].error, cudaMallocArray(&a, &d, 64, 64, 0));
        CHECK(!a == (channels[i].error != cudaSuccess));
        if (!a)
            continue;
        OK(cudaGetChannelDesc(&got, a));
        CHECK(!memcmp(&got, &d, sizeof d));
        OK(cudaFreeArray(a));
    }
}

enum {
    VIDEO = 0x100, /* CUDA_ARRAY3D_VIDEO_ENCODE_DECODE */
    LAYERED = cudaArrayLayered,
    CUBE = cudaArrayCubemap,
    SURFACE = cudaArraySurfaceLoadStore,
    GATHER = cudaArrayTextureGather
};

static const struct {
    size_t width, height, depth;
    unsigned flags;
    cudaError_t error;
} shapes[] = {
    {16, 0, 0, 0, cudaSuccess},
    {16, 16, 0, SURFACE, cudaSuccess},
    {16, 16, 0, GATHER, cudaSuccess},
    {16, 16, 16, SURFACE, cudaSuccess},
    {16, 0, 4, LAYERED, cudaSuccess},
    {16, 16, 4, LAYERED | SURFACE, cudaSuccess},
    {16, 16, 6, CUBE, cudaSuccess},
    {16, 16, 12, CUBE | LAYERED, cudaSuccess},
    {131072, 0, 0, 0, cudaSuccess},
    {0, 0, 0, 0, INVALID},
    {0, 16, 0, 0, INVALID},
    {16, 0, 4, 0, INVALID},
    {16, 16, 0, LAYERED, INVALID},
    {16, 16, 5, CUBE, INVALID},
    {16, 16, 12, CUBE, INVALID},
    {16, 8, 6, CUBE, INVALID},
    {16, 16, 7, CUBE | LAYERED, INVALID},
    {131073, 0, 0, 0, INVALID},
    {32769, 0, 0, SURFACE, INVALID},
    {16, 65537, 0, 0, INVALID},
    {16385, 16, 16, 0, INVALID},
    {16, 16, 2049, LAYERED, INVALID},
    {16, 16, 16, GATHER, INVALID},
    {16, 0, 0, GATHER, INVALID},
    {16, 16, 0, 0x1000, INVALID},
    {16, 16, 0, cudaArrayColorAttachment, INVALID},
    {16, 16, 0, 0x10, INVALID},
    {16, 16, 0, cudaArraySparse, cudaErrorNotSupported},
    {16, 16, 0, cudaArrayDeferredMapping, cudaErrorNotSupported},
};

static void kinds(void)
{
    struct cudaChannelFormatDesc d =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct cudaExtent got,
            e = {shapes[i].width, shapes[i].height, shapes[i].depth};
        unsigned flags;
        cudaArray_t a = NULL;
        cudaError_t err = cudaMalloc3DArray(&a, &d, e, shapes[i].flags);
        if (err != shapes[i].error)
            printf("shape %zu\n", i);
        GIVES(shapes[i].error, err);
        if (!a)
            continue;
        OK(cudaArrayGetInfo(NULL, &got, &flags, a));
        CHECK(!memcmp(&got, &e, sizeof e) && flags == shapes[i].flags);
        OK(cudaArrayGetInfo(NULL, NULL, NULL, a));
        OK(cudaFreeArray(a));
    }
}

static void wrong_handles(void)
{
    struct cudaChannelFormatDesc d =
        cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    struct cudaExtent e = {16, 16, 0};
    cudaArray_t a, plane;
    cudaMipmappedArray_t m;
    GIVES(INVALID, cudaMallocArray(NULL, &d, 16, 16, 0));
    GIVES(INVALID, cudaMallocArray(&a, NULL, 16, 16, 0));
    GIVES(INVALID, cudaMallocArray(&a, &d, 16, 16, LAYERED));
    GIVES(INVALID, cudaMalloc3DArray(&a, &d, (struct cudaExtent){0}, 0));
    OK(cudaFreeArray(NULL));
    OK(cudaFreeMipmappedArray(NULL));
    OK(cudaMallocArray(&a, &d, 16, 16, 0));
    struct cudaArraySparseProperties sparse;
    struct cudaArrayMemoryRequirements needs;
    GIVES(INVALID, cudaArrayGetPlane(&plane, a, 0));
    GIVES(INVALID, cudaArrayGetSparseProperties(&sparse, a));
    GIVES(INVALID, cudaArrayGetMemoryRequirements(&needs, a, 0));
    OK(cudaMallocMipmappedArray(&m, &d, e, 1, 0));
    GIVES(INVALID, cudaMipmappedArrayGetSparseProperties(&sparse, m));
    GIVES(INVALID, cudaMipmappedArrayGetMemoryRequirements(&needs, m, 0));
    OK(cudaFreeMipmappedArray(m));
    GIVES(INVALID, cudaGetChannelDesc(NULL, a));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaArrayGetPlane(&plane, (cudaArray_t)&d, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaFreeArray((cudaArray_t)&d));
    OK(cudaFreeArray(a));
    GIVES(cudaErrorContextIsDestroyed, cudaFreeArray(a));
    GIVES(cudaErrorContextIsDestroyed, cudaGetChannelDesc(&d, a));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DToArray(a, 0, 0, &d, 1, 1, 1, up));
    GIVES(INVALID, cudaMallocMipmappedArray(NULL, &d, e, 1, 0));
    GIVES(INVALID, cudaMallocMipmappedArray(&m, NULL, e, 1, 0));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaFreeMipmappedArray((cudaMipmappedArray_t)&d));
}

/* ---- copies -------------------------------------------------------------- */

enum { W = 20, H = 12, D = 6, CELLS = W * H * D };
static uint32_t from[CELLS], to[CELLS];

static void fill(void)
{
    for (unsigned i = 0; i < CELLS; i++) {
        from[i] = i * 2654435761u;
        to[i] = 0;
    }
}

static cudaArray_t make(size_t width, size_t height, size_t depth,
                        unsigned flags)
{
    struct cudaChannelFormatDesc d =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
    cudaArray_t a = NULL;
    OK(cudaMalloc3DArray(&a, &d, (struct cudaExtent){width, height, depth},
                         flags));
    return a;
}

static void rows(void)
{
    cudaArray_t a = make(W, H, 0, 0), b = make(W, H, 0, 0);
    uint32_t *device;
    size_t row = W * 4;
    fill();
    OK(cudaMemcpy2DToArray(a, 0, 0, from, row, row, H, up));
    OK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, row, H, across));
    OK(cudaMemcpy2DFromArray(to, row, b, 0, 0, row, H, down));
    CHECK(!memcmp(from, to, row * H));
    /* A part, to another place, through device memory, in stream order. */
    OK(cudaMalloc((void **)&device, row * H));
    OK(cudaMemset(device, 0, row * H));
    OK(cudaMemcpy2DFromArrayAsync(device, row, a, 8, 3, 40, 5, across, NULL));
    OK(cudaMemcpy2DToArrayAsync(b, 16, 1, device, row, 40, 5, across, NULL));
    OK(cudaMemcpy2DFromArray(to, row, b, 0, 0, row, H, cudaMemcpyDefault));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            bool moved = y >= 1 && y < 6 && x >= 4 && x < 14;
            CHECK(to[y * W + x] ==
                  from[moved ? (y + 2) * W + x - 2 : y * W + x]);
        }
    OK(cudaMemcpy2DToArray(a, 0, 0, from, row, 0, H, up));
    GIVES(INVALID, cudaMemcpy2DToArray(a, 4, 0, from, row, row, 1, up));
    OK(cudaMemcpy2DToArray(a, 2, 0, from, row, 3, 1, up)); /* any bytes */
    GIVES(INVALID, cudaMemcpy2DToArray(a, 0, 1, from, row, row, H, up));
    GIVES(INVALID, cudaMemcpy2DToArray(a, 0, 0, NULL, row, row, H, up));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DToArray(NULL, 0, 0, from, row, row, H, up));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2DToArray(a, 0, 0, from, row, row, H, down));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2DToArray(a, 0, 0, from, row, row, H,
                              (enum cudaMemcpyKind)7));
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2DFromArray(to, row - 1, a, 0, 0, row, H, down));
    GIVES(cudaErrorInvalidValue, /* one row */
          cudaMemcpy2DFromArray(to, row - 1, a, 0, 0, row, 1, down));
    OK(cudaFree(device));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

/* Bytes go on in the next row. */
static void bytes_along_rows(void)
{
    cudaArray_t a = make(W, H, 0, 0), b = make(W + 3, H, 0, 0);
    size_t all = W * H * 4;
    fill();
    OK(cudaMemcpyToArray(a, 0, 0, from, all, up));
    OK(cudaMemcpyFromArray(to, a, 0, 0, all, down));
    CHECK(!memcmp(from, to, all));
    OK(cudaMemcpyArrayToArray(b, 20, 1, a, 8, 2, 400, across));
    OK(cudaMemcpyFromArrayAsync(to, b, 20, 1, 400, down, NULL));
    CHECK(!memcmp(to, from + 2 * W + 2, 400));
    OK(cudaMemcpyToArrayAsync(a, 4, 0, from, 100, up, NULL));
    OK(cudaMemcpyFromArray(to, a, 0, 0, 104, down));
    CHECK(to[0] == from[0] && !memcmp(to + 1, from, 100));
    GIVES(INVALID, cudaMemcpyToArray(a, 0, 0, from, all + 4, up));
    GIVES(INVALID, cudaMemcpyToArray(a, 0, 1, from, all, up));
    GIVES(INVALID, cudaMemcpyToArray(a, 0, H, from, 4, up));
    GIVES(INVALID, cudaMemcpyFromArray(NULL, a, 0, 0, 4, down));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyFromArray(to, a, 0, 0, 4, up));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

static struct cudaMemcpy3DParms box(size_t w, size_t h, size_t d,
                                    enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){.extent = {w, h, d}, .kind = kind};
}

static struct cudaPitchedPtr packed(uint32_t *p)
{
    return (struct cudaPitchedPtr){p, W * 4, W, H};
}

/* A node of a graph says of a copy what it was told. */
static void gives_back(const struct cudaMemcpy3DParms *p)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    struct cudaMemcpy3DParms got = {0};
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemcpyNode(&node, graph, NULL, 0, p));
    OK(cudaGraphMemcpyNodeGetParams(node, &got));
    CHECK(got.srcPos.x == p->srcPos.x && got.dstPos.x == p->dstPos.x);
    CHECK(got.extent.width == p->extent.width);
    OK(cudaGraphDestroy(graph));
}

static void boxes(unsigned flags, size_t height)
{
    cudaArray_t a = make(W, height > 1 ? height : 0, D, flags);
    cudaArray_t b = make(W, height > 1 ? height : 0, D, flags);
    struct cudaMemcpy3DParms p = box(W, height, D, up);
    fill();
    p.srcPtr = (struct cudaPitchedPtr){from, W * 4, W, height};
    p.dstArray = a;
    OK(cudaMemcpy3D(&p));
    p = box(W, height, D, across);
    p.srcArray = a;
    p.dstArray = b;
    OK(cudaMemcpy3DAsync(&p, NULL));
    p = box(W - 5, height, 2, down); /* positions count elements, all of them */
    p.srcArray = b;
    p.srcPos = (struct cudaPos){5, 0, 3};
    p.dstPtr = packed(to);
    p.dstPos = (struct cudaPos){1, 0, 1};
    OK(cudaMemcpy3D(&p));
    gives_back(&p);
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < height; y++)
            for (size_t x = 0; x < W - 5; x++)
                CHECK(to[((z + 1) * H + y) * W + x + 1] ==
                      from[((z + 3) * height + y) * W + x + 5]);
    p.srcPos.z = 5;
    GIVES(INVALID, cudaMemcpy3D(&p));
    p.srcPos.z = 3;
    p.srcPos.x = 6;
    GIVES(INVALID, cudaMemcpy3D(&p));
    p.srcPos.x = 5;
    p.srcPtr = packed(from);
    GIVES(INVALID, cudaMemcpy3D(&p));
    p.srcArray = NULL;
    p.srcPtr.ptr = NULL;
    GIVES(INVALID, cudaMemcpy3D(&p));
    p = box(W, height, D, up); /* an array is no host's */
    p.srcArray = a;
    p.dstPtr = packed(to);
    GIVES(INVALID, cudaMemcpy3D(&p));
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(b));
}

/* Sizes of boxes in memory whose products or sums are too large. */
static void huge_boxes(void)
{
    struct cudaMemcpy3DParms p = box(W, H, 2, down);
    p.srcPtr = packed(from);
    p.dstPtr = packed(to);
    p.srcPtr.pitch = p.dstPtr.pitch = 4;
    p.extent = (struct cudaExtent){W, (size_t)1 << 32, (size_t)1 << 32};
    GIVES(INVALID, cudaMemcpy3D(&p));
    p = box(W, 2, 2, down);
    p.srcPtr = packed(from);
    p.dstPtr = packed(to);
    p.dstPos.y = SIZE_MAX;
    GIVES(INVALID, cudaMemcpy3D(&p));
}

static void cubemap(void)
{
    cudaArray_t a = make(H, H, 6, CUBE);
    struct cudaMemcpy3DParms p = box(H, H, 6, up);
    fill();
    p.srcPtr = (struct cudaPitchedPtr){from, H * 4, H, H};
    p.dstArray = a;
    OK(cudaMemcpy3D(&p));
    p = box(H, H, 1, down);
    p.srcArray = a;
    p.srcPos.z = 4; /* a face */
    p.dstPtr = (struct cudaPitchedPtr){to, H * 4, H, H};
    OK(cudaMemcpy3D(&p));
    CHECK(!memcmp(to, from + 4 * H * H, H * H * 4));
    OK(cudaFreeArray(a));
}

/* Copies of compressed arrays count blocks. */
static void blocks(void)
{
    struct cudaChannelFormatDesc d = {
        8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed1};
    cudaArray_t a;
    fill();
    OK(cudaMallocArray(&a, &d, 30, 17, 0)); /* 8 x 5 blocks of 8 bytes */
    OK(cudaMemcpy2DToArray(a, 0, 0, from, 64, 64, 5, up));
    OK(cudaMemcpy2DFromArray(to, 64, a, 0, 0, 64, 5, down));
    CHECK(!memcmp(from, to, 320));
    GIVES(INVALID, cudaMemcpy2DToArray(a, 0, 0, from, 64, 64, 6, up));
    GIVES(INVALID, cudaMemcpy2DToArray(a, 0, 0, from, 72, 72, 1, up));
    OK(cudaFreeArray(a));
}

/* ---- mipmapped arrays ---------------------------------------------------- */

static void levels(void)
{
    struct cudaChannelFormatDesc d =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaMipmappedArray_t m;
    cudaArray_t level, again;
    struct cudaExtent e;
    OK(cudaMallocMipmappedArray(&m, &d, (struct cudaExtent){W, H, 0}, 99, 0));
    for (size_t i = 0; i < 5; i++) {
        OK(cudaGetMipmappedArrayLevel(&level, m, (unsigned)i));
        OK(cudaGetMipmappedArrayLevel(&again, m, (unsigned)i));
        OK(cudaArrayGetInfo(NULL, &e, NULL, level));
        CHECK(level == again && e.width == ((size_t)W >> i) && e.depth == 0);
        CHECK(e.height == ((size_t)H >> i ? (size_t)H >> i : 1));
        fill();
        OK(cudaMemcpy2DToArray(level, 0, 0, from, W * 4, e.width * 4, e.height,
                               up));
    }
    OK(cudaGetMipmappedArrayLevel(&level, m, 1));
    OK(cudaMemcpy2DFromArray(to, W * 4, level, 0, 0, W * 2, H / 2, down));
    for (int y = 0; y < H / 2; y++)
        CHECK(!memcmp(to + y * W, from + y * W, W * 2));
    GIVES(INVALID, cudaGetMipmappedArrayLevel(&level, m, 5));
    GIVES(INVALID, cudaGetMipmappedArrayLevel(NULL, m, 0));
    OK(cudaFreeArray(level)); /* it stays with the others */
    OK(cudaGetMipmappedArrayLevel(&again, m, 1));
    OK(cudaMemcpy2DToArray(again, 0, 0, from, 16, 16, 1, up));
    OK(cudaFreeMipmappedArray(m));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGetMipmappedArrayLevel(&level, m, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(0, &e, 0, again));
    GIVES(cudaErrorInvalidResourceHandle, cudaFreeMipmappedArray(m));
    OK(cudaMallocMipmappedArray(&m, &d, (struct cudaExtent){4, 4, 6}, 99,
                                LAYERED)); /* layers stay */
    OK(cudaGetMipmappedArrayLevel(&level, m, 2));
    OK(cudaArrayGetInfo(NULL, &e, NULL, level));
    CHECK(e.width == 1 && e.height == 1 && e.depth == 6);
    OK(cudaFreeMipmappedArray(m));
}

/* ---- planes -------------------------------------------------------------- */

static void objects_of_planes(cudaArray_t whole, cudaArray_t plane)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeArray};
    struct cudaTextureDesc wrap = {.addressMode = {cudaAddressModeWrap}};
    struct cudaTextureDesc clamp = {
        .addressMode = {cudaAddressModeClamp, cudaAddressModeClamp}};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    r.res.array.array = whole;
    GIVES(INVALID, cudaCreateTextureObject(&t, &r, &clamp, NULL));
    GIVES(INVALID, cudaCreateSurfaceObject(&s, &r));
    r.res.array.array = plane;
    GIVES(INVALID, cudaCreateTextureObject(&t, &r, &wrap, NULL));
    OK(cudaCreateTextureObject(&t, &r, &clamp, NULL));
    OK(cudaCreateSurfaceObject(&s, &r));
    OK(cudaDestroyTextureObject(t));
    OK(cudaDestroySurfaceObject(s));
}

static void planes(void)
{
    struct cudaChannelFormatDesc got,
        d = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindNV12);
    struct cudaExtent e;
    unsigned flags;
    cudaArray_t a, p, again;
    GIVES(INVALID, cudaMallocArray(&a, &d, 64, 48, 0));
    GIVES(INVALID, cudaMallocArray(&a, &d, 63, 48, VIDEO));
    GIVES(INVALID, cudaMallocArray(&a, &d, 64, 47, VIDEO));
    OK(cudaMallocArray(&a, &d, 64, 48, VIDEO));
    OK(cudaGetChannelDesc(&got, a));
    CHECK(!memcmp(&got, &d, sizeof d));
    for (int i = 0; i < 2; i++) {
        struct cudaChannelFormatDesc channels = cudaCreateChannelDesc(
            8, i ? 8 : 0, 0, 0, cudaChannelFormatKindUnsigned);
        OK(cudaArrayGetPlane(&p, a, (unsigned)i));
        OK(cudaArrayGetPlane(&again, a, (unsigned)i));
        OK(cudaArrayGetInfo(&got, &e, &flags, p));
        CHECK(p == again && !memcmp(&got, &channels, sizeof got));
        CHECK(e.width == (i ? 32 : 64) && e.height == (i ? 24 : 48));
        CHECK(e.depth == 0 && flags == VIDEO);
        fill();
        OK(cudaMemcpy2DToArray(p, 0, 0, from, 64, 64, e.height, up));
        OK(cudaMemcpy2DFromArray(to, 64, p, 0, 0, 64, e.height, down));
        CHECK(!memcmp(from, to, 64 * e.height));
        objects_of_planes(a, p);
        OK(cudaFreeArray(p)); /* it stays with the whole */
    }
    GIVES(INVALID, cudaArrayGetPlane(&p, a, 2));
    GIVES(INVALID, cudaArrayGetPlane(&p, again, 0));
    GIVES(INVALID, cudaArrayGetPlane(NULL, a, 0));
    GIVES(INVALID, cudaMemcpy2DToArray(a, 0, 0, from, 64, 64, 1, up));
    OK(cudaFreeArray(a));
    GIVES(cudaErrorInvalidResourceHandle, cudaArrayGetPlane(&p, a, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaGetChannelDesc(&d, again));
}

int main(void)
{
    size_t before, after, total;
    OK(cudaMemGetInfo(&before, &total));
    formats();
    kinds();
    wrong_handles();
    rows();
    bytes_along_rows();
    boxes(0, H);
    boxes(LAYERED, H);
    boxes(LAYERED, 1);
    cubemap();
    huge_boxes();
    blocks();
    levels();
    planes();
    OK(cudaMemGetInfo(&after, &total));
    CHECK(before == after);
    make(W, H, 0, 0); /* ended by the reset */
    OK(cudaDeviceReset());
    OK(cudaMemGetInfo(&after, &total));
    CHECK(before == after);
    return check_result();
}
