// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90a
//
// Tensor maps that kernels change, that are in global memory, that get another
// address; and boxes that go to several blocks of a cluster.
#include "check.h"

#include <cooperative_groups.h>
#include <cstring>
#include <cudaTypedefs.h>

enum { WIDTH = 64, HEIGHT = 48, BOX_WIDTH = 32, BOX_HEIGHT = 4 };

static PFN_cuTensorMapEncodeTiled_v12000 encode_tiled;
static PFN_cuTensorMapReplaceAddress_v12000 replace_address;

__device__ unsigned address_of(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void init(unsigned long long *bar)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
                 "fence.mbarrier_init.release.cluster;" ::"r"(address_of(bar))
                 : "memory");
}

__device__ void expect(unsigned long long *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     address_of(bar)),
                 "r"(bytes)
                 : "memory");
}

__device__ void wait(unsigned long long *bar)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(address_of(bar))
                     : "memory");
}

__device__ void load(const void *map, void *to, unsigned long long *bar, int x,
                     int y)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, "
                 "%2}];" ::"l"(map),
                 "r"(x), "r"(y)
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
        "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(address_of(to)),
        "l"(map), "r"(x), "r"(y), "r"(address_of(bar))
        : "memory");
}

// ---- a map in global memory, or a parameter -------------------------------

__global__ void by_map(const CUtensorMap *in_memory,
                       const __grid_constant__ CUtensorMap parameter, int x,
                       int y, unsigned *out)
{
    __shared__ alignas(128) unsigned box[BOX_WIDTH * BOX_HEIGHT];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) {
        init(&bar);
        asm volatile("fence.proxy.async;" ::: "memory");
        expect(&bar, sizeof box);
        load(in_memory ? (const void *)in_memory : (const void *)&parameter,
             box, &bar, x, y);
    }
    __syncthreads();
    wait(&bar);
    for (int i = threadIdx.x; i < BOX_WIDTH * BOX_HEIGHT; i += blockDim.x)
        out[i] = box[i];
}

// ---- a map that is changed ------------------------------------------------

#define REPLACE(field, type, letter, value)                                    \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type    \
                 " [%0], %1;" ::"r"(at),                                       \
                 letter(value)                                                 \
                 : "memory")
#define REPLACE_AT(field, ordinal, type, letter, value)                        \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type    \
                 " [%0], " #ordinal ", %1;" ::"r"(at),                         \
                 letter(value)                                                 \
                 : "memory")

// From three dimensions of 16-bit numbers elsewhere to what by_map takes.
__global__ void change(const __grid_constant__ CUtensorMap from,
                       CUtensorMap *to, const unsigned *tensor)
{
    __shared__ alignas(128) CUtensorMap map;
    if (threadIdx.x < sizeof map / 4)
        ((unsigned *)&map)[threadIdx.x] =
            ((const unsigned *)&from)[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned at = address_of(&map);
        REPLACE("global_address", "b64", "l", tensor);
        REPLACE("rank", "b32", "r", 1); // 2, counted from zero
        REPLACE_AT("box_dim", 0, "b32", "r", BOX_WIDTH);
        REPLACE_AT("box_dim", 1, "b32", "r", BOX_HEIGHT);
        REPLACE_AT("global_dim", 0, "b32", "r", WIDTH);
        REPLACE_AT("global_dim", 1, "b32", "r", HEIGHT);
        REPLACE_AT("global_stride", 0, "b64", "l", WIDTH * 4ull);
        REPLACE_AT("element_stride", 0, "b32", "r", 1);
        REPLACE_AT("element_stride", 1, "b32", "r", 1);
        asm volatile(
            "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 2;\n\t"
            "tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 "
            "[%0], 0;\n\t"
            "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], "
            "0;\n\t"
            "tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], "
            "0;" ::"r"(at)
            : "memory");
    }
    __syncwarp();
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic."
        "release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(to),
        "r"(address_of(&map))
        : "memory");
}

__global__ void acquire(const CUtensorMap *map)
{
    asm volatile(
        "fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map)
        : "memory");
}

// ---- a box for several blocks ---------------------------------------------

__global__ void __cluster_dims__(4)
    spread(const __grid_constant__ CUtensorMap map, unsigned *out)
{
    __shared__ alignas(128) unsigned box[BOX_WIDTH * BOX_HEIGHT];
    __shared__ unsigned long long bar;
    cooperative_groups::cluster_group cluster =
        cooperative_groups::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0)
        init(&bar);
    for (int i = threadIdx.x; i < BOX_WIDTH * BOX_HEIGHT; i += blockDim.x)
        box[i] = 7;
    asm volatile("fence.proxy.async;" ::: "memory");
    cluster.sync();
    if (threadIdx.x == 0 && rank != 2)
        expect(&bar, sizeof box);
    if (threadIdx.x == 0 && rank == 3)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
                     "mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                     "[%1, {%2, %3}], [%4], %5;" ::"r"(address_of(box)),
                     "l"(&map), "r"(8), "r"(5), "r"(address_of(&bar)),
                     "h"((unsigned short)0xb)
                     : "memory");
    if (rank != 2)
        wait(&bar);
    for (int i = threadIdx.x; i < BOX_WIDTH * BOX_HEIGHT; i += blockDim.x)
        out[blockIdx.x * BOX_WIDTH * BOX_HEIGHT + i] = box[i];
    cluster.sync();
}

// ---------------------------------------------------------------------------

static std::vector<unsigned> box_at(const buffer<unsigned> &tensor, int x,
                                    int y)
{
    std::vector<unsigned> box;
    for (int j = 0; j < BOX_HEIGHT; j++)
        for (int i = 0; i < BOX_WIDTH; i++) {
            bool is_in =
                x + i >= 0 && x + i < WIDTH && y + j >= 0 && y + j < HEIGHT;
            box.push_back(is_in ? tensor.host[(y + j) * WIDTH + x + i] : 0);
        }
    return box;
}

static CUtensorMap make(void *tensor)
{
    cuuint64_t dim[] = {WIDTH, HEIGHT}, stride[] = {WIDTH * 4};
    cuuint32_t box[] = {BOX_WIDTH, BOX_HEIGHT}, step[] = {1, 1};
    CUtensorMap map;
    EXPECT_EQ(encode_tiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, tensor, dim,
                           stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                           CU_TENSOR_MAP_SWIZZLE_NONE,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
              0);
    return map;
}

// As CuTe makes its maps for drivers up to 13.1: it clears a bit that is not
// documented. Wherever the tensor lies, the map still means it.
static CUtensorMap make_as_cute(void *tensor)
{
    CUtensorMap map = make(tensor);
    unsigned long long words[sizeof map / 8];
    std::memcpy(words, &map, sizeof map);
    words[1] &= ~(1ull << 21);
    std::memcpy(&map, words, sizeof map);
    return map;
}

// What `change` has to change everything of.
static CUtensorMap make_other(void *elsewhere)
{
    cuuint64_t dim[] = {32, 4, 2}, stride[] = {64, 256};
    cuuint32_t box[] = {16, 2, 2}, step[] = {1, 2, 1};
    CUtensorMap map;
    EXPECT_EQ(
        encode_tiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, elsewhere, dim,
                     stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                     CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA),
        0);
    return map;
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
    find("cuTensorMapReplaceAddress", &replace_address);
    buffer<unsigned> tensor(WIDTH * HEIGHT), other(WIDTH * HEIGHT),
        out(BOX_WIDTH * BOX_HEIGHT), all(4 * BOX_WIDTH * BOX_HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        tensor[i] = scramble(i);
        other[i] = scramble(i + 123456);
    }
    tensor.upload();
    other.upload();
    CUtensorMap map = make(tensor.device);

    by_map<<<1, 64>>>(nullptr, map, 4, 3, out.device);
    out.download();
    expect_same("a parameter", out, box_at(tensor, 4, 3));
    by_map<<<1, 64>>>(nullptr, map, -8, 46, out.device);
    out.download();
    expect_same("partly outside", out, box_at(tensor, -8, 46));

    char *space;
    CHECK(cudaMalloc(&space, 4 << 20));
    for (int i = 0; i < 2; i++) { // at addresses with bit 21, and without
        char *at = space + (i << 21);
        CHECK(cudaMemcpy(at, tensor.device, WIDTH * HEIGHT * 4,
                         cudaMemcpyDeviceToDevice));
        by_map<<<1, 64>>>(nullptr, make_as_cute(at), 12, 9, out.device);
        out.download();
        expect_same("as CuTe makes it", out, box_at(tensor, 12, 9));
    }
    CHECK(cudaFree(space));

    buffer<CUtensorMap> maps(2, 0);
    maps[0] = map;
    maps.upload();
    by_map<<<1, 64>>>(maps.device, map, 40, 7, out.device);
    out.download();
    expect_same("in memory", out, box_at(tensor, 40, 7));

    change<<<1, 32>>>(make_other(other.device), maps.device + 1, tensor.device);
    acquire<<<1, 1>>>(maps.device + 1);
    by_map<<<1, 64>>>(maps.device + 1, map, 36, 40, out.device);
    out.download();
    expect_same("changed", out, box_at(tensor, 36, 40));
    // As Triton makes its maps.
    change<<<1, 32>>>(CUtensorMap{}, maps.device + 1, tensor.device);
    acquire<<<1, 1>>>(maps.device + 1);
    by_map<<<1, 64>>>(maps.device + 1, map, 8, 6, out.device);
    out.download();
    expect_same("made of zeros", out, box_at(tensor, 8, 6));

    EXPECT_EQ(replace_address(&map, other.device), 0);
    EXPECT_EQ(replace_address(&map, (char *)other.device + 8), 1);
    by_map<<<1, 64>>>(nullptr, map, 0, 0, out.device);
    out.download();
    expect_same("another address", out, box_at(other, 0, 0));

    spread<<<4, 64>>>(map, all.device);
    all.download();
    std::vector<unsigned> box = box_at(other, 8, 5), want;
    for (int rank = 0; rank < 4; rank++)
        for (unsigned v : box)
            want.push_back(rank == 2 ? 7 : v);
    expect_same("spread", all, want);
    return finish();
}
