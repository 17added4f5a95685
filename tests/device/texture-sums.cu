// SPDX-License-Identifier: Apache-2.0
// What filters of floats add up to, what integers become between levels, and
// the level of detail that gradients ask for: texture-sums.out is what an H200
// answered. A line is a hash over the first 2,048 answers of a question.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                            \
    do {                                                                       \
        int err = (int)(call);                                                 \
        if (err)                                                               \
            printf("%s: %d\n", #call, err);                                    \
    } while (0)

enum form {
    PLANE,
    CELL,
    LEVELS,
    LEVELS_SIGNED,
    LEVELS_UNSIGNED,
    GRAD_1D,
    GRAD_2D,
    GRAD_3D,
    GRAD_CUBE,
    FACES
};
struct place {
    float a[9];
};
const int COUNT = 16384, ASKED = 2048;

static __global__ void look(cudaTextureObject_t t, form as, const place *at,
                            float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *a = at[i].a;
    float2 x2 = make_float2(a[2], a[3]), y2 = make_float2(a[4], a[5]);
    float4 x3 = make_float4(a[3], a[4], a[5], 0);
    float4 y3 = make_float4(a[6], a[7], a[8], 0);
    switch (as) {
    case PLANE:
        out[i] = tex2D<float>(t, a[0], a[1]);
        break;
    case CELL:
        out[i] = tex3D<float>(t, a[0], a[1], a[2]);
        break;
    case LEVELS:
        out[i] = tex2DLod<float>(t, a[0], a[1], a[2]);
        break;
    case LEVELS_SIGNED:
        out[i] = __int_as_float(tex2DLod<int>(t, a[0], a[1], a[2]));
        break;
    case LEVELS_UNSIGNED:
        out[i] = __uint_as_float(tex2DLod<unsigned>(t, a[0], a[1], a[2]));
        break;
    case GRAD_1D:
        out[i] = tex1DGrad<float>(t, a[0], a[1], a[2]);
        break;
    case GRAD_2D:
        out[i] = tex2DGrad<float>(t, a[0], a[1], x2, y2);
        break;
    case GRAD_3D:
        out[i] = tex3DGrad<float>(t, a[0], a[1], a[2], x3, y3);
        break;
    case FACES:
        out[i] = texCubemap<float>(t, a[0], a[1], a[2]);
        break;
    case GRAD_CUBE:
        out[i] = texCubemapGrad<float>(t, a[0], a[1], a[2], x3, y3);
        break;
    }
}

/* ---- random numbers ---------------------------------------------------- */

static unsigned long long state;

static void seed(unsigned long long s)
{
    state = s * 2862933555777941757ull + 3037000493ull;
}

static unsigned next()
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 32);
}

static float unit()
{
    return (float)(next() >> 8) / 16777216.0f;
}

static float any_float(int exponent_range, bool is_signed)
{
    unsigned count = 2 * exponent_range + 1;
    unsigned exponent = 127 - exponent_range + next() % count;
    unsigned bits = exponent << 23;
    bits |= next() & 0x7fffff;
    if (is_signed)
        bits |= next() & 0x80000000u;
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static float of_bits(unsigned bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static float power(float low, float high)
{
    float v = exp2f(low + (high - low) * unit());
    return next() >> 31 ? -v : v;
}

/* ---- textures ---------------------------------------------------------- */

static std::vector<place> at(COUNT);

static unsigned hash;

static void answer(cudaTextureObject_t t, form as, int count)
{
    static place *device_at;
    static float *device_out;
    unsigned got[ASKED];
    if (!device_at) {
        CHECK(cudaMalloc(&device_at, ASKED * sizeof *device_at));
        CHECK(cudaMalloc(&device_out, ASKED * sizeof *device_out));
    }
    CHECK(cudaMemcpy(device_at, at.data(), ASKED * sizeof at[0],
                     cudaMemcpyHostToDevice));
    look<<<ASKED / 128, 128>>>(t, as, device_at, device_out);
    CHECK(cudaMemcpy(got, device_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++)
        hash = (hash ^ got[i]) * 16777619u;
}

static void ask(const char *name, cudaTextureObject_t t, form as)
{
    hash = 2166136261u;
    answer(t, as, ASKED);
    printf("%s: %08x\n", name, hash);
}

static int at_level(int size, int level)
{
    return size >> level ? size >> level : 1;
}

/* What a level is filled with: v(level) for each texel. */
template <typename T = float, typename F>
static cudaMipmappedArray_t mipmap(int w, int h, int d, int levels,
                                   unsigned flags, F v)
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<T>();
    cudaMipmappedArray_t m;
    CHECK(cudaMallocMipmappedArray(&m, &c, make_cudaExtent(w, h, d), levels,
                                   flags));
    for (int l = 0; l < levels; l++) {
        cudaArray_t a;
        CHECK(cudaGetMipmappedArrayLevel(&a, m, l));
        int lw = at_level(w, l), lh = at_level(h, l);
        int ld = flags ? d : at_level(d, l);
        std::vector<T> texels((size_t)lw * lh * ld);
        for (T &x : texels)
            x = (T)v(l);
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(texels.data(), lw * sizeof(T), lw, lh);
        p.dstArray = a;
        p.extent = make_cudaExtent(lw, lh, ld);
        p.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&p));
    }
    return m;
}

static cudaTextureObject_t make_texture(cudaMipmappedArray_t m, bool is_linear,
                                        bool has_levels,
                                        unsigned anisotropy = 0)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    if (has_levels) {
        r.resType = cudaResourceTypeMipmappedArray;
        r.res.mipmap.mipmap = m;
    } else {
        r.resType = cudaResourceTypeArray;
        CHECK(cudaGetMipmappedArrayLevel(&r.res.array.array, m, 0));
    }
    for (cudaTextureAddressMode &mode : d.addressMode)
        mode = cudaAddressModeClamp;
    d.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.mipmapFilterMode = cudaFilterModeLinear;
    d.normalizedCoords = has_levels;
    d.maxMipmapLevelClamp = 99;
    d.maxAnisotropy = anisotropy;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

/* ---- sums -------------------------------------------------------------- */

static float place_in(int texels)
{
    return (float)(128 + next() % (texels * 256)) / 256.0f + 0.5f;
}

static void add_up(int k, int is_signed)
{
    static const int ranges[] = {0, 3, 8, 25, 60};
    char name[64];
    auto value = [=](int) { return any_float(ranges[k], is_signed); };

    seed(100 + k * 2 + is_signed);
    cudaTextureObject_t t =
        make_texture(mipmap(64, 64, 0, 1, 0, value), true, false);
    for (place &p : at) {
        p.a[0] = place_in(62);
        p.a[1] = place_in(62);
    }
    snprintf(name, sizeof name, "plane-%d-%d", k, is_signed);
    ask(name, t, PLANE);
    for (place &p : at)
        p.a[1] = (float)(next() % 63) + 0.5f;
    snprintf(name, sizeof name, "pair-%d-%d", k, is_signed);
    ask(name, t, PLANE);

    seed(200 + k * 2 + is_signed);
    t = make_texture(mipmap(16, 16, 16, 1, 0, value), true, false);
    for (place &p : at)
        for (int d = 0; d < 3; d++)
            p.a[d] = place_in(14);
    snprintf(name, sizeof name, "cell-%d-%d", k, is_signed);
    ask(name, t, CELL);

    seed(300 + k * 2 + is_signed);
    cudaMipmappedArray_t m = mipmap(64, 64, 0, 2, 0, value);
    for (int is_linear = 0; is_linear < 2; is_linear++) {
        for (place &p : at) {
            p.a[0] = (float)(512 + next() % (60 * 256)) / 16384.0f;
            p.a[1] = (float)(512 + next() % (60 * 256)) / 16384.0f;
            p.a[2] = (float)(next() % 257) / 256.0f;
        }
        snprintf(name, sizeof name, "levels-%d-%d-%d", k, is_signed, is_linear);
        ask(name, make_texture(m, is_linear, true), LEVELS);
    }
}

/* ---- integers between levels ------------------------------------------- */

/* Of two levels, each of one number, at each place between them. */
template <typename T> static void blend(const char *name, form as)
{
    static const unsigned pairs[][2] = {
        {0, 1},
        {1, 0},
        {0, 255},
        {255, 0},
        {0, 0x55555555},
        {0x55555555, 0xaaaaaaaa},
        {100, 200},
        {200, 100},
        {0, 0xffffffff},
        {0xffffffff, 0},
        {1, 2},
        {3, 4},
        {0x12345678, 0x9abcdef0},
        {0x7f, 0x80},
        {0x3f800000, 0x40000000},
        {1000, 5000},
        {0x7fff, 0x8000},
        {65535, 1},
        {17, 17},
        {0x01020304, 0x05060708},
        {0, 128},
        {128, 0},
        {0, 0x80000000},
        {0x7fffffff, 1},
    };
    hash = 2166136261u;
    for (int i = 0; i <= 256; i++)
        at[i] = {{0.3f, 0.3f, i / 256.0f}};
    for (auto &pair : pairs) {
        auto number = [&](int level) { return pair[level]; };
        answer(make_texture(mipmap<T>(8, 8, 0, 2, 0, number), false, true), as,
               257);
    }
    printf("%s: %08x\n", name, hash);
}

static void blend_integers()
{
    blend<unsigned char>("blend-u8", LEVELS_UNSIGNED);
    blend<unsigned short>("blend-u16", LEVELS_UNSIGNED);
    blend<unsigned>("blend-u32", LEVELS_UNSIGNED);
    blend<signed char>("blend-s8", LEVELS_SIGNED);
    blend<short>("blend-s16", LEVELS_SIGNED);
    blend<int>("blend-s32", LEVELS_SIGNED);
    seed(5);
    cudaMipmappedArray_t m =
        mipmap<unsigned>(8, 8, 0, 4, 0, [](int) { return next(); });
    for (place &p : at)
        for (int d = 0; d < 3; d++)
            p.a[d] = d < 2 ? unit() : 3 * unit();
    ask("blend-any", make_texture(m, false, true), LEVELS_UNSIGNED);
}

/* ---- gradients --------------------------------------------------------- */

static cudaTextureObject_t ladder(int w, int h, int d, int levels,
                                  unsigned flags = 0)
{
    auto number = [](int level) { return (float)level; };
    return make_texture(mipmap(w, h, d, levels, flags, number), false, true);
}

static void begin(unsigned long long from)
{
    for (place &p : at)
        p = {{0.5f, 0.5f, 0.5f}};
    seed(from);
}

static float whole(int range, float size)
{
    return (float)((int)(next() % (2 * range + 1)) - range) / size;
}

/* Directions whose neighbours meet other faces of the cube: one of them, then
 * both. */
static void over_edges()
{
    cudaTextureObject_t t = ladder(1024, 1024, 6, 11, cudaArrayCubemap);
    begin(77);
    for (int both = 0; both < 2; both++) {
        for (place &p : at) {
            p = {};
            for (int d = 0; d < 3; d++)
                p.a[d] = 2 * unit() - 1;
            for (int d = 3; d < (both ? 9 : 6); d++)
                p.a[d] = power(-7, 1);
        }
        if (!both) /* of the first 2,048, one is 1/256 off */
            std::rotate(at.begin(), at.begin() + ASKED, at.end());
        ask(both ? "gc-both" : "gc-one", t, GRAD_CUBE);
    }
}

/* Gradients at right angles, turned by parts of a circle; one is a texel. */
static void turned()
{
    const float size = 1024;
    cudaMipmappedArray_t m =
        mipmap(1024, 1024, 0, 11, 0, [](int level) { return (float)level; });
    for (int i = 0; i < COUNT; i++) {
        float l = 1 + (i & 7) * 2.0f, w = (i >> 3) * 6.2831853f / 512;
        float c = cosf(w), s = sinf(w);
        at[i] = {{0.5f, 0.5f, l * c / size, l * s / size, -s / size, c / size}};
    }
    for (unsigned most = 2; most <= 16; most *= 2) {
        char name[64];
        snprintf(name, sizeof name, "ga-%u", most);
        ask(name, make_texture(m, false, true, most), GRAD_2D);
    }
}

int main()
{
    const float size = 1024;
    for (int k = 0; k < 5; k++)
        for (int is_signed = 0; is_signed < 2; is_signed++)
            add_up(k, is_signed);
    blend_integers();

    cudaTextureObject_t t = ladder(1024, 1024, 0, 11);
    begin(3);
    for (place &p : at) {
        p.a[2] = power(1, 6) / size;
        p.a[5] = power(1, 6) / size;
    }
    ask("g2-axes", t, GRAD_2D);
    begin(4);
    for (place &p : at) {
        p.a[2] = power(1, 6) / size;
        p.a[4] = power(1, 6) / size;
    }
    ask("g2-same", t, GRAD_2D);
    begin(5);
    for (place &p : at)
        for (int d = 2; d < 6; d++)
            p.a[d] = power(1, 5) / size;
    ask("g2-all", t, GRAD_2D);
    begin(6);
    for (place &p : at)
        for (int d = 2; d < 6; d++)
            p.a[d] = whole(64, size);
    ask("g2-whole", t, GRAD_2D);
    begin(7);
    for (place &p : at)
        for (int d = 1; d < 3; d++)
            p.a[d] = power(1, 6) / size;
    ask("g1-all", ladder(1024, 0, 0, 11), GRAD_1D);
    begin(10);
    for (place &p : at)
        for (int d = 3; d < 9; d++)
            p.a[d] = whole(32, 128);
    ask("g3-whole", ladder(128, 128, 128, 8), GRAD_3D);
    begin(11);
    for (place &p : at)
        for (int d = 2; d < 6; d++)
            p.a[d] = power(1, 5) / size;
    ask("g2-odd", ladder(600, 1000, 0, 10), GRAD_2D);
    int texel = 0;
    t = make_texture(mipmap(64, 64, 6, 1, cudaArrayCubemap,
                            [&](int) { return (float)texel++; }),
                     false, true);
    begin(50);
    for (place &p : at)
        for (int d = 0; d < 3; d++) {
            unsigned exponent = 127 + 120 + next() % 8;
            unsigned bits = exponent << 23;
            bits |= next() & 0x7fffff;
            p.a[d] = of_bits(bits | (next() & 0x80000000u));
        }
    ask("cube-huge", t, FACES);
    begin(13);
    for (place &p : at) {
        p.a[0] = 2;
        p.a[1] = unit() - 0.5f;
        p.a[2] = unit() - 0.5f;
        for (int d = 3; d < 9; d++)
            p.a[d] = power(-7, -3);
    }
    ask("gc-inside", ladder(256, 256, 6, 9, cudaArrayCubemap), GRAD_CUBE);
    over_edges();
    turned();
}
