// SPDX-License-Identifier: Apache-2.0
// weftcc: -lcuda
// Formats, levels, layers and gathers as a texture unit reads them:
// texture-forms.out is what an H200 printed. A line is a texture; its hash is
// over the answers to 120 fetches, among them some far away, of NaNs and of
// infinities.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <vector>

#define CHECK(call)                                                            \
    do {                                                                       \
        int err = (int)(call);                                                 \
        if (err)                                                               \
            printf("%s: %d\n", #call, err);                                    \
    } while (0)

enum { FETCHES = 120, LODS = 16 };
enum form { ROW_LAYERS, PLANE, PLANE_LAYERS, CELLS, GATHER };

static __global__ void look(cudaTextureObject_t t, int form, int component,
                            const float *at, const float *lods, uint4 *answers)
{
    int i = threadIdx.x;
    if (i >= FETCHES)
        return;
    float x = at[i], y = at[(i * 7 + 3) % FETCHES];
    float z = at[(i * 11 + 5) % FETCHES], lod = lods[i % LODS];
    int layer = i % 4 - 1;
    switch (form) {
    case ROW_LAYERS:
        answers[i] = tex1DLayeredLod<uint4>(t, x, layer, lod);
        break;
    case PLANE:
        answers[i] = tex2DLod<uint4>(t, x, y, lod);
        break;
    case PLANE_LAYERS:
        answers[i] = tex2DLayeredLod<uint4>(t, x, y, layer, lod);
        break;
    case CELLS:
        answers[i] = tex3DLod<uint4>(t, x, y, z, lod);
        break;
    case GATHER:
        answers[i] = component == 0   ? tex2Dgather<uint4>(t, x, y, 0)
                     : component == 1 ? tex2Dgather<uint4>(t, x, y, 1)
                     : component == 2 ? tex2Dgather<uint4>(t, x, y, 2)
                                      : tex2Dgather<uint4>(t, x, y, 3);
        break;
    }
}

static float *device_at, *device_lods;
static uint4 *device_answers;

static unsigned state;
static unsigned next_random()
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static float between(float a, float b)
{
    return a + (b - a) * (next_random() / 16777216.0f);
}

static void put_coordinates(bool is_normalized, int width)
{
    static const float wild[] = {1e9f,      -1e9f, 3e38f,  INFINITY,
                                 -INFINITY, NAN,   1e-30f, -0.0f};
    float scale = is_normalized ? 1 : width, c[FETCHES];
    float less = is_normalized ? .5f : .25f;
    state = 99;
    for (int i = 0; i < FETCHES; i++)
        c[i] = i < 40    ? between(0, 1) * scale
               : i < 70  ? between(-2, 3) * scale
               : i < 104 ? (i - 70) / 16.0f * scale - less
               : i < 112 ? wild[i - 104]
                         : (i - 112) / 8.f * scale;
    CHECK(cudaMemcpy(device_at, c, sizeof c, cudaMemcpyHostToDevice));
}

struct format {
    const char *name;
    CUarray_format format;
    unsigned channels, bytes;
    bool is_block, is_integer;
};
static const format formats[] = {
    {"u16x1", CU_AD_FORMAT_UNSIGNED_INT16, 1, 2},
    {"s16x2", CU_AD_FORMAT_SIGNED_INT16, 2, 4},
    {"s32x4", CU_AD_FORMAT_SIGNED_INT32, 4, 16, false, true},
    {"f32x1", CU_AD_FORMAT_FLOAT, 1, 4},
    {"f32x4", CU_AD_FORMAT_FLOAT, 4, 16},
    {"unorm8x4", CU_AD_FORMAT_UNORM_INT8X4, 4, 4},
    {"bc1", CU_AD_FORMAT_BC1_UNORM, 4, 8, true},
    {"bc7", CU_AD_FORMAT_BC7_UNORM, 4, 16, true},
    {"u1010102", CU_AD_FORMAT_UNORM_INT_101010_2, 4, 4},
    {"s8x1", CU_AD_FORMAT_SIGNED_INT8, 1, 1},
    {"f16x1", CU_AD_FORMAT_HALF, 1, 2},
};

struct shape {
    const char *name;
    unsigned width, height, depth, levels, flags;
    form as;
};
static const shape shapes[] = {
    {"2d", 16, 8, 0, 4, 0, PLANE},
    {"1d-layers", 16, 0, 3, 2, CUDA_ARRAY3D_LAYERED, ROW_LAYERS},
    {"2d-layers", 8, 8, 3, 3, CUDA_ARRAY3D_LAYERED, PLANE_LAYERS},
    {"3d-flat", 7, 5, 3, 1, 0, CELLS},
    {"2d-gather", 12, 5, 0, 1, CUDA_ARRAY3D_TEXTURE_GATHER, GATHER},
};

/* Which shapes of which format: all, those of planes, or the gather alone. */
static bool goes_with(const format &f, const shape &s)
{
    bool is_float = f.format == CU_AD_FORMAT_FLOAT;
    bool is_only_gathered = f.format == CU_AD_FORMAT_SIGNED_INT8 ||
                            f.format == CU_AD_FORMAT_HALF;
    if (f.is_block)
        return s.as == PLANE;
    if (is_only_gathered || f.is_integer)
        return s.as == GATHER;
    return is_float || s.as == PLANE || s.as == GATHER;
}

static void fill(std::vector<unsigned char> &v, const format &f)
{
    for (unsigned char &b : v)
        b = (unsigned char)next_random();
    for (size_t i = 0; f.format == CU_AD_FORMAT_FLOAT && i < v.size() / 4;
         i++) {
        float x = ((int)(next_random() % 2001) - 1000) / 16.0f;
        memcpy(&v[4 * i], &x, 4);
    }
    for (size_t i = 0; i < v.size() / 2; i++) /* no infinities or NaNs */
        if (f.format == CU_AD_FORMAT_HALF && (v[2 * i + 1] & 0x7c) >= 0x60)
            v[2 * i + 1] &= 0x9f;
}

static unsigned at_least_one(unsigned v)
{
    return v ? v : 1;
}

static void fill_level(CUarray a, const format &f, const shape &s, unsigned l)
{
    unsigned unit = f.is_block ? 4 : 1;
    unsigned w = (at_least_one(s.width >> l) + unit - 1) / unit;
    unsigned h = (at_least_one(s.height >> l) + unit - 1) / unit;
    bool is_flat = s.flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    unsigned d = at_least_one(is_flat ? s.depth : s.depth >> l);
    std::vector<unsigned char> v((size_t)w * h * d * f.bytes);
    fill(v, f);
    CUDA_MEMCPY3D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = v.data();
    c.srcPitch = c.WidthInBytes = w * f.bytes;
    c.srcHeight = c.Height = h;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c.dstArray = a;
    c.Depth = d;
    CHECK(cuMemcpy3D(&c));
}

struct setting {
    int address, linear, levels;
    unsigned flags;
    float bias, low, high;
};

static void ask(const CUDA_RESOURCE_DESC &r, const format &f, const shape &s,
                int component, const setting &m)
{
    CUDA_TEXTURE_DESC d = {};
    CUtexObject t = 0;
    std::vector<uint4> answers(FETCHES);
    unsigned hash = 2166136261u;
    for (CUaddress_mode &mode : d.addressMode)
        mode = (CUaddress_mode)m.address;
    d.filterMode = (CUfilter_mode)m.linear;
    d.mipmapFilterMode = (CUfilter_mode)m.levels;
    d.flags = m.flags;
    d.mipmapLevelBias = m.bias;
    d.minMipmapLevelClamp = m.low;
    d.maxMipmapLevelClamp = m.high;
    d.borderColor[0] = .5f;
    d.borderColor[1] = -2;
    d.borderColor[2] = .25f;
    d.borderColor[3] = 1;
    CHECK(cuTexObjectCreate(&t, &r, &d, nullptr));
    put_coordinates(m.flags & CU_TRSF_NORMALIZED_COORDINATES, s.width);
    look<<<1, 128>>>(t, s.as, component, device_at, device_lods,
                     device_answers);
    CHECK(cudaMemcpy(answers.data(), device_answers, FETCHES * sizeof(uint4),
                     cudaMemcpyDeviceToHost));
    for (const uint4 &v : answers)
        for (unsigned b : {v.x, v.y, v.z, v.w})
            hash = (hash ^ b) * 16777619u;
    printf("%s %s %d address %d linear %d levels %d flags %x "
           "bias %g from %g to %g: %08x\n",
           f.name, s.name, component, m.address, m.linear, m.levels, m.flags,
           m.bias, m.low, m.high, hash);
    CHECK(cuTexObjectDestroy(t));
}

static void ask_all(const CUDA_RESOURCE_DESC &r, const format &f,
                    const shape &s)
{
    const unsigned norm = CU_TRSF_NORMALIZED_COORDINATES;
    const int linear = !f.is_integer;
    if (s.as == GATHER) {
        for (int c = 0; c < 4; c++)
            for (int address : {1, 3})
                ask(r, f, s, c, {address, 0, 0, norm, 0, 0, 9});
        return;
    }
    for (int address : {1, 3})
        for (int l = 0; l <= linear; l++) {
            ask(r, f, s, 0, {address, l, 0, norm, 0, 0, 9});
            if (s.levels > 1 && l)
                ask(r, f, s, 0, {address, 1, 1, norm, 0, 0, 9});
        }
    if (s.as == PLANE)
        for (float bias : {.3f, -.7f, 1.25f, .001953f, .0058f})
            ask(r, f, s, 0, {1, linear, linear, norm, bias, 0, 9});
    if (s.as == PLANE) {
        ask(r, f, s, 0, {1, linear, linear, norm, 0, .4f, 1.6f});
        ask(r, f, s, 0, {1, linear, linear, norm, 0, 2, 1});
    }
}

static void try_array(const format &f, const shape &s)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {};
    CUDA_RESOURCE_DESC r = {};
    CUmipmappedArray m = nullptr;
    CUarray a;
    d.Width = s.width;
    d.Height = s.height;
    d.Depth = s.depth;
    d.Format = f.format;
    d.NumChannels = f.channels;
    d.Flags = s.flags;
    state = 4242;
    if (s.levels == 1) {
        CHECK(cuArray3DCreate(&a, &d));
        fill_level(a, f, s, 0);
        r.resType = CU_RESOURCE_TYPE_ARRAY;
        r.res.array.hArray = a;
        ask_all(r, f, s);
        CHECK(cuArrayDestroy(a));
        return;
    }
    CHECK(cuMipmappedArrayCreate(&m, &d, s.levels));
    for (unsigned l = 0; l < s.levels; l++) {
        CHECK(cuMipmappedArrayGetLevel(&a, m, l));
        fill_level(a, f, s, l);
    }
    r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    r.res.mipmap.hMipmappedArray = m;
    ask_all(r, f, s);
    CHECK(cuMipmappedArrayDestroy(m));
}

int main()
{
    static const float lods[LODS] = {0,    .25f,   .5f,   .49f, 1,      1.5f,
                                     1.501f, 2,    2.7f,  9,    -1,     .998f,
                                     1.25f, NAN,   .0625f, .75f};
    CHECK(cudaMalloc(&device_at, FETCHES * sizeof(float)));
    CHECK(cudaMalloc(&device_lods, sizeof lods));
    CHECK(cudaMalloc(&device_answers, FETCHES * sizeof(uint4)));
    CHECK(cudaMemcpy(device_lods, lods, sizeof lods, cudaMemcpyHostToDevice));
    for (const format &f : formats)
        for (const shape &s : shapes)
            if (goes_with(f, s))
                try_array(f, s);
}
