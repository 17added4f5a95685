// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// Copies by tensor maps against an H200: boxes of random tensors with every
// swizzle, interleave, step and fill, in and out of bounds, loaded, stored and
// reduced; and maps that cannot be made. tensor-copies.def has what came out
// there. The order in which numbers are drawn is part of the record.
#include "check.h"

#include <cudaTypedefs.h>

enum { BUFFER = 256 << 10, WINDOW = 32 << 10, BASE = 64 << 10 };

// What a group of cases does.
enum kind { LOAD, LOAD_IM2COL, STORE, STORE_IM2COL, REDUCE };

struct request {
    int kind, rank, at[5];
    unsigned short offset[3];
    int operation;
};

#define AT1 "r"(r.at[0])
#define AT2 AT1, "r"(r.at[1])
#define AT3 AT2, "r"(r.at[2])
#define AT4 AT3, "r"(r.at[3])
#define AT5 AT4, "r"(r.at[4])
#define TX  "mbarrier::complete_tx::bytes [%0], "

#define LOAD_BOX(dims, at, ...)                                                \
    asm volatile("cp.async.bulk.tensor." dims                                  \
                 ".shared::cluster.global.tile." TX "[%1, {" at                \
                 "}], [%2];" ::"r"(shared),                                    \
                 "l"(map), "r"(barrier), __VA_ARGS__                           \
                 : "memory")
#define LOAD_PIXELS(dims, at, offsets, ...)                                    \
    asm volatile("cp.async.bulk.tensor." dims                                  \
                 ".shared::cluster.global.im2col." TX "[%1, {" at              \
                 "}], [%2], {" offsets "};" ::"r"(shared),                     \
                 "l"(map), "r"(barrier), __VA_ARGS__                           \
                 : "memory")
#define STORE_BOX(dims, mode, at, ...)                                         \
    asm volatile("cp.async.bulk.tensor." dims ".global.shared::cta." mode      \
                 ".bulk_group [%1, {" at "}], [%0];" ::"r"(shared),            \
                 "l"(map), __VA_ARGS__                                         \
                 : "memory")
#define REDUCE_BOX(dims, op, at, ...)                                          \
    asm volatile("cp.reduce.async.bulk.tensor." dims ".global.shared::cta." op \
                 ".tile.bulk_group [%1, {" at "}], [%0];" ::"r"(shared),       \
                 "l"(map), __VA_ARGS__                                         \
                 : "memory")

__device__ void load(const void *map, unsigned shared, unsigned barrier,
                     const request &r)
{
    switch (r.rank) {
    case 1:
        LOAD_BOX("1d", "%3", AT1);
        break;
    case 2:
        LOAD_BOX("2d", "%3,%4", AT2);
        break;
    case 3:
        LOAD_BOX("3d", "%3,%4,%5", AT3);
        break;
    case 4:
        LOAD_BOX("4d", "%3,%4,%5,%6", AT4);
        break;
    default:
        LOAD_BOX("5d", "%3,%4,%5,%6,%7", AT5);
    }
}

__device__ void load_pixels(const void *map, unsigned shared, unsigned barrier,
                            const request &r)
{
    const unsigned short *o = r.offset;
    switch (r.rank) {
    case 3:
        LOAD_PIXELS("3d", "%3,%4,%5", "%6", AT3, "h"(o[0]));
        break;
    case 4:
        LOAD_PIXELS("4d", "%3,%4,%5,%6", "%7,%8", AT4, "h"(o[0]), "h"(o[1]));
        break;
    default:
        LOAD_PIXELS("5d", "%3,%4,%5,%6,%7", "%8,%9,%10", AT5, "h"(o[0]),
                    "h"(o[1]), "h"(o[2]));
    }
}

__device__ void store(const void *map, unsigned shared, const request &r)
{
    switch (r.rank) {
    case 1:
        STORE_BOX("1d", "tile", "%2", AT1);
        break;
    case 2:
        STORE_BOX("2d", "tile", "%2,%3", AT2);
        break;
    case 3:
        STORE_BOX("3d", "tile", "%2,%3,%4", AT3);
        break;
    case 4:
        STORE_BOX("4d", "tile", "%2,%3,%4,%5", AT4);
        break;
    default:
        STORE_BOX("5d", "tile", "%2,%3,%4,%5,%6", AT5);
    }
}

__device__ void store_pixels(const void *map, unsigned shared, const request &r)
{
    switch (r.rank) {
    case 3:
        STORE_BOX("3d", "im2col_no_offs", "%2,%3,%4", AT3);
        break;
    case 4:
        STORE_BOX("4d", "im2col_no_offs", "%2,%3,%4,%5", AT4);
        break;
    default:
        STORE_BOX("5d", "im2col_no_offs", "%2,%3,%4,%5,%6", AT5);
    }
}

#define REDUCE_BY(op)                                                          \
    switch (r.rank) {                                                          \
    case 1:                                                                    \
        REDUCE_BOX("1d", op, "%2", AT1);                                       \
        break;                                                                 \
    case 2:                                                                    \
        REDUCE_BOX("2d", op, "%2,%3", AT2);                                    \
        break;                                                                 \
    case 3:                                                                    \
        REDUCE_BOX("3d", op, "%2,%3,%4", AT3);                                 \
        break;                                                                 \
    case 4:                                                                    \
        REDUCE_BOX("4d", op, "%2,%3,%4,%5", AT4);                              \
        break;                                                                 \
    default:                                                                   \
        REDUCE_BOX("5d", op, "%2,%3,%4,%5,%6", AT5);                           \
    }                                                                          \
    break

__device__ void reduce(const void *map, unsigned shared, const request &r)
{
    switch (r.operation) {
    case 0:
        REDUCE_BY("add");
    case 1:
        REDUCE_BY("min");
    case 2:
        REDUCE_BY("max");
    case 3:
        REDUCE_BY("inc");
    case 4:
        REDUCE_BY("dec");
    case 5:
        REDUCE_BY("and");
    case 6:
        REDUCE_BY("or");
    default:
        REDUCE_BY("xor");
    }
}

// How many bytes the barrier was told: more are expected, and what is missing
// is added until its phase is over.
__device__ unsigned bytes_told(unsigned barrier)
{
    const unsigned expected = 1 << 16;
    unsigned done = 0, missing = 0;
    for (int i = 0; i < 30; i++)
        __nanosleep(1000);
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
        "r"(expected)
        : "memory");
    for (;;) {
        asm volatile("{ .reg .pred p;\n\t"
                     "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier)
                     : "memory");
        if (done || missing > expected)
            return expected - missing;
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], "
                     "16;" ::"r"(barrier)
                     : "memory");
        missing += 16;
    }
}

__global__ void run(const __grid_constant__ CUtensorMap map, request r,
                    unsigned char *out, unsigned *told, const unsigned char *in)
{
    extern __shared__ __align__(1024) unsigned char window[];
    __shared__ __align__(8) unsigned long long word;
    unsigned shared = (unsigned)__cvta_generic_to_shared(window);
    unsigned barrier = (unsigned)__cvta_generic_to_shared(&word);
    uint4 *w = (uint4 *)window;
    for (int i = threadIdx.x; i < WINDOW / 16; i += blockDim.x)
        w[i] = r.kind <= LOAD_IM2COL
                   ? make_uint4(0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee)
                   : ((const uint4 *)in)[i];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
                     "fence.mbarrier_init.release.cluster;" ::"r"(barrier)
                     : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (r.kind == LOAD)
            load(&map, shared, barrier, r);
        else if (r.kind == LOAD_IM2COL)
            load_pixels(&map, shared, barrier, r);
        else if (r.kind == STORE)
            store(&map, shared, r);
        else if (r.kind == STORE_IM2COL)
            store_pixels(&map, shared, r);
        else
            reduce(&map, shared, r);
        if (r.kind <= LOAD_IM2COL)
            *told = bytes_told(barrier);
        asm volatile("cp.async.bulk.commit_group;\n\t"
                     "cp.async.bulk.wait_group 0;" ::
                         : "memory");
    }
    __syncthreads();
    if (r.kind <= LOAD_IM2COL)
        for (int i = threadIdx.x; i < WINDOW / 16; i += blockDim.x)
            ((uint4 *)out)[i] = w[i];
}

// ---- random numbers -------------------------------------------------------

static unsigned long long state;

static unsigned draw()
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33);
}

static int between(int low, int high)
{
    return low + (int)(draw() % (unsigned)(high - low + 1));
}

static bool chance(int percent)
{
    return between(1, 100) <= percent;
}

// ---- a case ---------------------------------------------------------------

static const int sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 1};

struct tensor {
    int kind, rank, type, size, interleave, swizzle, fill, operation;
    cuuint64_t dim[5], stride[5];
    cuuint32_t box[5], step[5];
    int lower[3], upper[3], channels, pixels;
    int base; // in the buffer
    request r;
    bool is_im2col() const
    {
        return kind == LOAD_IM2COL || kind == STORE_IM2COL;
    }
};

static void draw_type(tensor &t, bool is_sliced)
{
    t.rank = t.is_im2col() ? between(3, 5) : between(1, 5);
    t.type = between(0, 12);
    t.interleave = 0;
    if (is_sliced) {
        t.interleave = between(1, 2);
        t.rank = between(3, 5);
        if (t.type > 9 && chance(70))
            t.type = 1;
    }
    t.operation = 0;
    if (t.kind == REDUCE) {
        static const int reducible[] = {2, 3, 4, 5, 6, 7, 9, 2, 3};
        static const int no_counting[] = {0, 1, 2, 5, 6, 7};
        t.type = reducible[between(0, 8)];
        if (t.type == 2)
            t.operation = between(0, 7);
        else if (t.type == 3 || t.type == 4)
            t.operation = no_counting[between(0, 5)];
        else if (t.type == 5)
            t.operation = no_counting[between(0, 4) + 1];
        else if (t.type == 6 || t.type == 9)
            t.operation = between(0, 2);
    }
    t.size = sizes[t.type];
    t.swizzle = between(0, 3);
    t.fill = t.type >= 6 && chance(40) && t.kind <= LOAD_IM2COL;
}

static void draw_box(tensor &t, bool is_sliced)
{
    static const int bytes[] = {16, 32, 48, 64, 96, 128, 256};
    static const int last[] = {6, 1, 3, 5}; // that the swizzle can take
    int limit = last[t.swizzle];
    if (is_sliced && t.interleave == 2)
        t.swizzle = chance(85) ? 1 : t.swizzle;
    int row = bytes[between(0, limit)];
    if (is_sliced && chance(50))
        row = bytes[between(0, 6)];
    t.box[0] = row / t.size;
    for (int i = 1; i < 5; i++)
        t.box[i] = between(1, 5);
    for (int i = 0; i < 5; i++)
        t.step[i] = chance(75) ? 1 : between(1, 4);
    if (is_sliced)
        t.box[0] = chance(60) ? 16 * t.interleave / t.size : t.box[0];
}

static void draw_dimensions(tensor &t, bool is_sliced)
{
    t.dim[0] = between(1, 2 * (int)t.box[0] + 3);
    cuuint64_t pitch =
        (t.dim[0] * t.size + 31) / 32 * 32 +
        16 * (t.interleave == 2 ? 2 * between(0, 2) : between(0, 3));
    if (is_sliced)
        pitch = 16 * t.interleave * (chance(70) ? 1 : between(1, 3));
    for (int i = 1; i < 5; i++) {
        t.dim[i] = between(1, 2 * (int)t.box[i] + 2);
        t.stride[i - 1] = pitch;
        pitch = (pitch * t.dim[i] + 31) / 32 * 32 + 32 * between(0, 2);
    }
    cuuint64_t most = t.kind >= STORE ? 16 << 10 : 128 << 10;
    for (;; t.rank--) { // fewer dimensions, if they take too much room
        cuuint64_t extent = t.dim[0] * t.size;
        for (int i = 1; i < t.rank; i++)
            extent += (t.dim[i] - 1) * t.stride[i - 1];
        if (extent <= most || t.rank == (t.is_im2col() || is_sliced ? 3 : 1))
            break;
    }
    for (;;) { // a smaller box
        cuuint64_t total = t.size;
        for (int i = 0; i < t.rank; i++)
            total *= i && t.step[i] > 1 ? (t.box[i] + t.step[i] - 1) / t.step[i]
                                        : t.box[i];
        if (total <= 16384)
            break;
        for (int i = t.rank - 1; i >= 1 && i >= t.rank - 3; i--)
            t.box[i] = 1;
    }
    for (int i = 0; is_sliced && i < 5; i++)
        if (chance(50))
            t.step[i] = 1;
}

static void draw_place(tensor &t, bool is_sliced)
{
    request &r = t.r;
    r = {};
    r.kind = t.kind;
    r.rank = t.rank;
    r.operation = t.operation;
    for (int i = 0; i < t.rank; i++)
        r.at[i] = chance(60) ? between(0, (int)t.dim[i] - 1)
                             : between(-(int)t.box[i] - 1, (int)t.dim[i] + 1);
    if (is_sliced && chance(60))
        r.at[0] = 0;
    t.channels = t.box[0];
    t.pixels = between(1, 24);
    for (int i = 0; i < 3; i++) {
        t.lower[i] = between(-3, 2);
        t.upper[i] = between(-3, 2);
        if ((int)t.dim[i + 1] + t.upper[i] - t.lower[i] < 1)
            t.lower[i] = t.upper[i] = 0;
        r.offset[i] = between(0, 4);
    }
    if (!t.is_im2col())
        return;
    for (int i = 0; i < t.rank - 2; i++) {
        int n = (int)t.dim[i + 1] + t.upper[i] - t.lower[i];
        r.at[i + 1] = chance(85) ? t.lower[i] + between(0, n - 1) : r.at[i + 1];
    }
    while (t.channels * t.size * t.pixels > 16384)
        t.pixels /= 2;
    r.at[t.rank - 1] =
        chance(80) ? between(0, (int)t.dim[t.rank - 1] - 1) : r.at[t.rank - 1];
}

// Something that the manual forbids, mostly.
static void spoil(tensor &t)
{
    int last = t.rank - 1, size = t.size, what = between(0, 17);
    switch (what) {
    case 0:
        t.base += 8;
        break;
    case 1:
        t.stride[0] += 8;
        break;
    case 2:
        t.dim[0] = 0;
        break;
    case 3:
        t.box[0] = 257;
        break;
    case 4:
        t.box[last] = 0;
        break;
    case 5:
        t.step[last] = 0;
        break;
    case 6:
        t.step[last] = 9;
        break;
    case 7:
        t.rank = 6;
        break;
    case 8:
        t.rank = 0;
        break;
    case 9:
        t.type = 13;
        break;
    case 10:
        t.swizzle = 4;
        break;
    case 11:
        t.fill = 1;
        t.type = 2;
        break;
    case 12:
        t.stride[0] = 1ull << 40;
        break;
    case 13:
        t.dim[last] = (1ull << 32) + 1;
        break;
    case 14:
        t.interleave = 1;
        t.rank = 2;
        break;
    case 15:
        t.box[0] = 24 / size ? 24 / size : 1;
        break;
    case 16:
        t.swizzle = 1;
        t.box[0] = 64 / size;
        break;
    case 17:
        t.stride[0] = 16;
        break;
    }
    if (!t.is_im2col())
        return;
    if (what == 3 || what == 4)
        t.channels = what == 3 ? 257 : 0;
    if (what == 10 || what == 15)
        t.pixels = what == 10 ? 1025 : 0;
    if (what == 2 && t.rank == 5)
        t.lower[0] = -20;
    if (what == 16)
        t.channels = 64 / size;
}

enum { SLICED = 5, SPOILT = 10 }; // groups from here on

static tensor draw_tensor(int group, int number)
{
    tensor t = {};
    bool is_sliced = group >= SLICED && group < SPOILT;
    state = group * 1000003ull + number * 7919ull + 12345;
    for (int i = 0; i < 3; i++)
        draw();
    t.kind = group % 5;
    draw_type(t, is_sliced);
    draw_box(t, is_sliced);
    draw_dimensions(t, is_sliced);
    draw_place(t, is_sliced);
    t.base = BASE;
    if (group >= SPOILT)
        spoil(t);
    return t;
}

// ---- contents -------------------------------------------------------------

// Numbers in a range where sums are no infinities.
static unsigned tame(const tensor &t, unsigned v)
{
    if (t.kind != REDUCE)
        return v;
    if (t.type == 7)
        return 0x3f000000 + (v & 0x1ffffff);
    if (t.type == 6)
        return 0x38003800 + (v & 0x07ff07ff);
    if (t.type == 9)
        return 0x3f003f00 + (v & 0x00ff00ff);
    return t.operation == 3 || t.operation == 4 ? v & 3 : v;
}

static void draw_contents(const tensor &t, std::vector<unsigned> &memory,
                          std::vector<unsigned> &window)
{
    unsigned short *halves = (unsigned short *)memory.data();
    for (int i = 0; i < BUFFER / 2; i++)
        halves[i] = (unsigned short)(i - BASE / 2);
    if (t.kind >= STORE) {
        for (unsigned &word : memory) {
            unsigned v = tame(t, draw());
            word = t.kind == REDUCE ? v : 0xa5a5a5a5;
        }
    } else if (t.type >= 7 && t.type != 8 && t.type != 9) {
        for (unsigned &word : memory) {
            unsigned v = draw() << 1;
            v ^= draw();
            if (v % 7 == 0)
                v &= 0x807fffff;
            if (v % 11 == 0)
                v |= 0x7f800000;
            word = v;
        }
    }
    for (unsigned &word : window) {
        unsigned v = draw() << 1;
        word = tame(t, v ^ draw());
    }
}

static unsigned long long hash(const unsigned char *p, size_t n)
{
    unsigned long long h = 1469598103934665603ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}

// ---- the record -----------------------------------------------------------

static PFN_cuTensorMapEncodeTiled_v12000 encode_tiled;
static PFN_cuTensorMapEncodeIm2col_v12000 encode_im2col;

static CUresult encode(CUtensorMap *map, const tensor &t, void *base)
{
    auto type = (CUtensorMapDataType)t.type;
    auto interleave = (CUtensorMapInterleave)t.interleave;
    auto swizzle = (CUtensorMapSwizzle)t.swizzle;
    auto fill = (CUtensorMapFloatOOBfill)t.fill;
    if (t.is_im2col())
        return encode_im2col(map, type, t.rank, base, t.dim, t.stride, t.lower,
                             t.upper, t.channels, t.pixels, t.step, interleave,
                             swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
    return encode_tiled(map, type, t.rank, base, t.dim, t.stride, t.box, t.step,
                        interleave, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                        fill);
}

static void check(int group, int number, int error, unsigned bytes,
                  unsigned long long wanted)
{
    static buffer<unsigned> memory(BUFFER / 4), window(WINDOW / 4),
        out(WINDOW / 4), told(1);
    tensor t = draw_tensor(group, number);
    draw_contents(t, memory.host, window.host);
    CUtensorMap map;
    int got = encode(&map, t, (char *)memory.device + t.base);
    if (got != error)
        FAIL("%d.%d: encoding gives %d, should be %d", group, number, got,
             error);
    if (got || error || group >= SPOILT)
        return;
    told[0] = 0;
    memory.upload();
    window.upload();
    told.upload();
    run<<<1, 128, WINDOW>>>(map, t.r, (unsigned char *)out.device, told.device,
                            (const unsigned char *)window.device);
    buffer<unsigned> &result = t.kind >= STORE ? memory : out;
    result.download();
    told.download();
    unsigned long long h =
        hash((const unsigned char *)result.host.data(), result.bytes());
    if (h != wanted || told[0] != bytes)
        FAIL("%d.%d: hash %016llx, %u bytes; should be %016llx, %u", group,
             number, h, told[0], wanted, bytes);
}

template <typename T> static void find(const char *name, T *out)
{
    cudaDriverEntryPointQueryResult status;
    CHECK(cudaGetDriverEntryPointByVersion(name, (void **)out, 12000,
                                           cudaEnableDefault, &status));
    EXPECT_EQ(status, cudaDriverEntryPointSuccess);
    if (!*out)
        std::exit(1);
}

int main()
{
    find("cuTensorMapEncodeTiled", &encode_tiled);
    find("cuTensorMapEncodeIm2col", &encode_im2col);
#define TENSOR_COPY(group, number, error, bytes, hash)                         \
    check(group, number, error, bytes, hash);
#include "tensor-copies.def"
    return finish();
}
