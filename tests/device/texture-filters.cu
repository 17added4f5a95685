// SPDX-License-Identifier: Apache-2.0
// weftcc: -lcuda
// What filters add up and what borders give, format by format:
// texture-filters.out is what an H200 printed. A line is a texture, or 300
// borders of one; its hash is over all answers.
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

enum form { ROW, PLANE, CELLS };
struct place {
    float x, y, z, level;
};

static __global__ void look(cudaTextureObject_t t, form as, bool has_levels,
                            const place *at, int count, uint4 *answers)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    place p = at[i];
    if (has_levels)
        answers[i] = as == CELLS ? tex3DLod<uint4>(t, p.x, p.y, p.z, p.level)
                                 : tex2DLod<uint4>(t, p.x, p.y, p.level);
    else
        answers[i] = as == ROW     ? tex1D<uint4>(t, p.x)
                     : as == PLANE ? tex2D<uint4>(t, p.x, p.y)
                                   : tex3D<uint4>(t, p.x, p.y, p.z);
}

/* ---- random numbers ---------------------------------------------------- */

static unsigned long long state;

static unsigned next()
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33);
}

static float unit()
{
    return (next() & 0xffffff) / 16777216.0f;
}

static float between(float a, float b)
{
    return a + (b - a) * unit();
}

/* ---- textures ---------------------------------------------------------- */

enum kind { INTEGERS, FLOATS, HALVES, FRACTIONS, WORDS, BLOCKS };
struct format {
    const char *name;
    CUarray_format format;
    unsigned channels, bytes;
    enum kind kind;
    bool is_filtered; /* in sums */
    bool has_border;
};
#define UINT8    CU_AD_FORMAT_UNSIGNED_INT8
#define INT8     CU_AD_FORMAT_SIGNED_INT8
#define UINT16   CU_AD_FORMAT_UNSIGNED_INT16
#define INT16    CU_AD_FORMAT_SIGNED_INT16
#define BC(name) CU_AD_FORMAT_BC##name
static const format formats[] = {
    {"u8x1", UINT8, 1, 1, INTEGERS, true, true},
    {"u8x4", UINT8, 4, 4, INTEGERS, false, true},
    {"f16x1", CU_AD_FORMAT_HALF, 1, 2, HALVES, true, true},
    {"f16x4", CU_AD_FORMAT_HALF, 4, 8, HALVES, true, true},
    {"s8x1", INT8, 1, 1, INTEGERS, true, true},
    {"s8x4", INT8, 4, 4, INTEGERS, true, true},
    {"u16x1", UINT16, 1, 2, INTEGERS, true, true},
    {"s16x2", INT16, 2, 4, INTEGERS, true, true},
    {"u16x4", UINT16, 4, 8, INTEGERS, false, true},
    {"f32x1", CU_AD_FORMAT_FLOAT, 1, 4, FLOATS, true, false},
    {"snorm8x2", CU_AD_FORMAT_SNORM_INT8X2, 2, 2, FRACTIONS, true, true},
    {"snorm16x4", CU_AD_FORMAT_SNORM_INT16X4, 4, 8, FRACTIONS, false, true},
    {"u1010102", CU_AD_FORMAT_UNORM_INT_101010_2, 4, 4, WORDS, true, true},
    {"bc1", BC(1_UNORM), 4, 8, BLOCKS, false, true},
    {"bc3", BC(3_UNORM), 4, 16, BLOCKS, false, true},
    {"bc4u", BC(4_UNORM), 1, 8, BLOCKS, false, true},
    {"bc4s", BC(4_SNORM), 1, 8, BLOCKS, false, true},
    {"bc5u", BC(5_UNORM), 2, 16, BLOCKS, false, true},
    {"bc5s", BC(5_SNORM), 2, 16, BLOCKS, false, true},
    {"bc6u", BC(6H_UF16), 3, 16, BLOCKS, false, true},
    {"bc6s", BC(6H_SF16), 3, 16, BLOCKS, false, true},
    {"bc7", BC(7_UNORM), 4, 16, BLOCKS, false, true},
};

struct shape {
    const char *name;
    unsigned width, height, depth, levels;
    form as;
};

enum pattern { ANY, NEAR, DARK, PATTERNS };

static unsigned char byte_of(pattern p)
{
    unsigned choice = next();
    if (p == NEAR) /* dark beside bright */
        return (unsigned char)(choice % 2 ? next() % 24 : 255 - next() % 24);
    return (unsigned char)(choice % 3 ? next() % 4 : next());
}

static unsigned half_of(pattern p)
{
    unsigned bits = next() & 0x3ff;
    bits |= (13 + next() % 4) << 10;
    return p == NEAR ? bits | (next() & 1) << 15 : bits;
}

static void fill(std::vector<unsigned char> &v, const format &f, pattern p)
{
    bool has_bytes = f.kind == INTEGERS || f.kind == FRACTIONS;
    for (unsigned char &b : v)
        b = (unsigned char)next();
    for (size_t i = 0; f.kind == FLOATS && i < v.size() / 4; i++) {
        float x = ((int)(next() % 2001) - 1000) / 16.0f;
        memcpy(&v[4 * i], &x, 4);
    }
    for (size_t i = 1; f.kind == HALVES && i < v.size(); i += 2)
        if ((v[i] & 0x7c) >= 0x60) /* neither infinite nor a NaN */
            v[i] &= 0x9f;
    for (size_t i = 0; p && has_bytes && i < v.size(); i++)
        v[i] = byte_of(p);
    for (size_t i = 0; p && f.kind == HALVES && i < v.size(); i += 2) {
        unsigned h = half_of(p);
        v[i] = (unsigned char)h;
        v[i + 1] = (unsigned char)(h >> 8);
    }
}

static unsigned at_level(unsigned size, unsigned level)
{
    return size >> level ? size >> level : 1;
}

static void fill_level(CUarray a, const format &f, const shape &s, unsigned l,
                       const pattern *p)
{
    unsigned side = f.kind == BLOCKS ? 4 : 1;
    unsigned w = at_level(s.width, l) / side, h = at_level(s.height, l) / side;
    unsigned d = at_level(s.depth, l);
    std::vector<unsigned char> v((size_t)w * h * d * f.bytes);
    if (p)
        fill(v, f, *p);
    CUDA_MEMCPY3D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = v.data();
    c.srcPitch = c.WidthInBytes = w * f.bytes;
    c.srcHeight = c.Height = h ? h : 1;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c.dstArray = a;
    c.Depth = d;
    CHECK(cuMemcpy3D(&c));
}

/* Of zeros without a pattern. */
static CUmipmappedArray make_array(const format &f, const shape &s,
                                   const pattern *p)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {};
    CUmipmappedArray m;
    CUarray a;
    d.Width = s.width;
    d.Height = s.height;
    d.Depth = s.depth;
    d.Format = f.format;
    d.NumChannels = f.channels;
    CHECK(cuMipmappedArrayCreate(&m, &d, s.levels));
    for (unsigned l = 0; l < s.levels; l++) {
        CHECK(cuMipmappedArrayGetLevel(&a, m, l));
        fill_level(a, f, s, l, p);
    }
    return m;
}

static CUtexObject make_texture(CUmipmappedArray m, const CUDA_TEXTURE_DESC &d,
                                bool has_levels)
{
    CUDA_RESOURCE_DESC r = {};
    CUtexObject t;
    r.resType =
        has_levels ? CU_RESOURCE_TYPE_MIPMAPPED_ARRAY : CU_RESOURCE_TYPE_ARRAY;
    if (has_levels)
        r.res.mipmap.hMipmappedArray = m;
    else
        CHECK(cuMipmappedArrayGetLevel(&r.res.array.hArray, m, 0));
    CHECK(cuTexObjectCreate(&t, &r, &d, nullptr));
    return t;
}

static unsigned hash_of(CUtexObject t, const shape &s,
                        const std::vector<place> &at, unsigned hash)
{
    static place *device_at;
    static uint4 *device_answers;
    int count = (int)at.size();
    std::vector<uint4> answers(count);
    if (!device_at) {
        CHECK(cudaMalloc(&device_at, 4096 * sizeof *device_at));
        CHECK(cudaMalloc(&device_answers, 4096 * sizeof *device_answers));
    }
    CHECK(cudaMemcpy(device_at, at.data(), count * sizeof at[0],
                     cudaMemcpyHostToDevice));
    look<<<(count + 127) / 128, 128>>>(t, s.as, s.levels > 1, device_at, count,
                                       device_answers);
    CHECK(cudaMemcpy(answers.data(), device_answers, count * sizeof(uint4),
                     cudaMemcpyDeviceToHost));
    for (const uint4 &v : answers)
        for (unsigned b : {v.x, v.y, v.z, v.w})
            hash = (hash ^ b) * 16777619u;
    return hash;
}

/* ---- sums -------------------------------------------------------------- */

static void add_up(const format &f, bool is_srgb, pattern p, const shape &s)
{
    CUDA_TEXTURE_DESC d = {};
    std::vector<place> at(4096);
    state = 900 + p;
    CUmipmappedArray m = make_array(f, s, &p);
    d.filterMode = d.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
    d.flags = CU_TRSF_NORMALIZED_COORDINATES | (is_srgb ? CU_TRSF_SRGB : 0);
    d.maxMipmapLevelClamp = 99;
    CUtexObject t = make_texture(m, d, s.levels > 1);
    for (place &a : at) {
        a.x = unit();
        a.y = unit();
        a.z = unit();
        a.level = between(0, 2);
    }
    printf("sum %s%s %d %s: %08x\n", f.name, is_srgb ? " srgb" : "", p, s.name,
           hash_of(t, s, at, 2166136261u));
    CHECK(cuTexObjectDestroy(t));
    CHECK(cuMipmappedArrayDestroy(m));
}

/* ---- borders ----------------------------------------------------------- */

static float border_of(int i, int channel)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f};
    float v;
    if (i < 128) {
        v = between(-1.2f, 1.2f);
    } else if (i < 192) {
        int n = (int)(next() % 511) - 255;
        v = (n + (i & 1 ? .5f : 0)) / (i & 2 ? 255.f : 127.f);
    } else if (i < 240) {
        v = between(-.05f, .05f);
    } else if (i < 270) {
        v = between(-300, 300);
    } else {
        int exponent = (int)(next() % 60) - 40;
        v = ldexpf(between(-1, 1), exponent);
    }
    return i == 299 ? odd[channel] : v;
}

static void ask_borders(const format &f, bool is_linear)
{
    static const shape s = {"", 8, 8, 0, 1, PLANE};
    const std::vector<place> at = {{-2, -2, 0, 0},     {0, .5f, 0, 0},
                                   {0, 0, 0, 0},       {.02f, .5f, 0, 0},
                                   {1.01f, .3f, 0, 0}, {.01f, .011f, 0, 0}};
    unsigned hash = 2166136261u;
    CUmipmappedArray m = make_array(f, s, nullptr);
    state = 31;
    for (int i = 0; i < 300; i++) {
        CUDA_TEXTURE_DESC d = {};
        for (CUaddress_mode &mode : d.addressMode)
            mode = CU_TR_ADDRESS_MODE_BORDER;
        d.filterMode = (CUfilter_mode)is_linear;
        d.flags = CU_TRSF_NORMALIZED_COORDINATES;
        d.maxMipmapLevelClamp = 99;
        for (int c = 0; c < 4; c++)
            d.borderColor[c] = border_of(i, c);
        CUtexObject t = make_texture(m, d, false);
        hash = hash_of(t, s, at, hash);
        CHECK(cuTexObjectDestroy(t));
    }
    printf("borders %s %d: %08x\n", f.name, is_linear, hash);
    CHECK(cuMipmappedArrayDestroy(m));
}

int main()
{
    static const shape shapes[] = {{"row", 256, 0, 0, 1, ROW},
                                   {"plane", 64, 64, 0, 1, PLANE},
                                   {"cells", 32, 16, 16, 1, CELLS},
                                   {"plane, levels", 64, 64, 0, 3, PLANE},
                                   {"cells, levels", 32, 16, 16, 3, CELLS}};
    CHECK(cudaFree(nullptr));
    for (const format &f : formats)
        for (int p = ANY; p < PATTERNS; p++)
            for (const shape &s : shapes) {
                if (f.is_filtered)
                    add_up(f, false, (pattern)p, s);
                if (f.format == UINT8)
                    add_up(f, true, (pattern)p, s);
            }
    for (const format &f : formats)
        for (int is_linear = 0; f.has_border && is_linear < 2; is_linear++)
            ask_borders(f, is_linear);
}
