// SPDX-License-Identifier: Apache-2.0
// Programs on images as users write them, each beside the same in C++: Lanczos
// resampling, a mipmap drawn level by level, a distance field by jump flooding,
// a bilateral filter, optical flow over a pyramid, sprites of a layered atlas.
#include "check.h"

#include <cmath>

enum { WIDTH = 48, HEIGHT = 32 };

struct image {
    int width, height;
    std::vector<float> v;
    image(int w, int h) : width(w), height(h), v(w * h)
    {
    }
    float &at(int x, int y)
    {
        return v[y * width + x];
    }
    // Texels beyond an edge are those at it.
    float clamped(int x, int y) const
    {
        x = x < 0 ? 0 : x >= width ? width - 1 : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        return v[y * width + x];
    }
    // As a filter with weights of 8 bits blends them.
    float filtered(float x, float y) const
    {
        float fx = floorf((x - 0.5f) * 256 + 0.5f) / 256;
        float fy = floorf((y - 0.5f) * 256 + 0.5f) / 256;
        int i = (int)floorf(fx), j = (int)floorf(fy);
        float a = fx - i, b = fy - j;
        return (1 - b) * ((1 - a) * clamped(i, j) + a * clamped(i + 1, j)) +
               b * ((1 - a) * clamped(i, j + 1) + a * clamped(i + 1, j + 1));
    }
};

static void compare(const char *what, const std::vector<float> &got,
                    const std::vector<float> &want, float bound)
{
    float most = 0;
    size_t at = 0;
    for (size_t i = 0; i < want.size(); i++) {
        float off = fabsf(got[i] - want[i]);
        if (!(off <= most)) {
            most = off;
            at = i;
        }
    }
    if (!(most <= bound))
        FAIL("%s: %g at %zu, should be %g", what, got[at], at, want[at]);
}

// A smooth picture with an edge.
static image make_picture(int w, int h, float shift_x, float shift_y)
{
    image p(w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float u = x - shift_x, v = y - shift_y;
            p.at(x, y) = 40 * sinf(u * 0.35f) +
                         30 * cosf(v * 0.27f + u * 0.1f) + (u > v ? 60 : 0);
        }
    return p;
}

static cudaArray_t upload(const image &p, unsigned flags = 0)
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    CHECK(cudaMallocArray(&a, &c, p.width, p.height, flags));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, p.v.data(), p.width * 4, p.width * 4,
                              p.height, cudaMemcpyHostToDevice));
    return a;
}

static cudaResourceDesc resource_of(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &r, bool is_linear,
                                      bool is_normalized = false)
{
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    for (cudaTextureAddressMode &mode : d.addressMode)
        mode = cudaAddressModeClamp;
    d.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.mipmapFilterMode = cudaFilterModeLinear;
    d.maxMipmapLevelClamp = 99;
    d.normalizedCoords = is_normalized;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static cudaSurfaceObject_t surface_of(cudaArray_t a)
{
    cudaResourceDesc r = resource_of(a);
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

static const dim3 threads(16, 4);
static dim3 blocks_for(int w, int h)
{
    return dim3((w + threads.x - 1) / threads.x,
                (h + threads.y - 1) / threads.y);
}
#define HERE                                                                   \
    int x = blockIdx.x * blockDim.x + threadIdx.x;                             \
    int y = blockIdx.y * blockDim.y + threadIdx.y;                             \
    if (x >= w || y >= h)                                                      \
    return

// ---- Lanczos ---------------------------------------------------------------

static __host__ __device__ float lanczos(float x)
{
    const float pi = 3.14159265f;
    if (fabsf(x) < 1e-5f)
        return 1;
    if (fabsf(x) >= 3)
        return 0;
    return 3 * sinf(pi * x) * sinf(pi * x / 3) / (pi * pi * x * x);
}

template <typename Texel>
static __host__ __device__ float resampled(float x, float y, Texel texel)
{
    int i0 = (int)floorf(x - 0.5f), j0 = (int)floorf(y - 0.5f);
    float sum = 0, weights = 0;
    for (int j = j0 - 2; j <= j0 + 3; j++)
        for (int i = i0 - 2; i <= i0 + 3; i++) {
            float w = lanczos(x - (i + 0.5f)) * lanczos(y - (j + 0.5f));
            sum += w * texel(i, j);
            weights += w;
        }
    return sum / weights;
}

struct texture_texel {
    cudaTextureObject_t t;
    __device__ float operator()(int i, int j) const
    {
        return tex2D<float>(t, i + 0.5f, j + 0.5f);
    }
};

__global__ void resize(cudaTextureObject_t t, float scale, int w, int h,
                       float *out)
{
    HERE;
    out[y * w + x] =
        resampled((x + 0.5f) * scale, (y + 0.5f) * scale, texture_texel{t});
}

static void check_lanczos()
{
    image p = make_picture(WIDTH, HEIGHT, 0, 0);
    cudaArray_t a = upload(p);
    cudaTextureObject_t t = texture_of(resource_of(a), false);
    const int w = 77, h = 51;
    const float scale = 48.0f / 77;
    buffer<float> got(w * h);
    resize<<<blocks_for(w, h), threads>>>(t, scale, w, h, got.device);
    got.download();
    std::vector<float> want(w * h);
    for (int i = 0; i < w * h; i++)
        want[i] = resampled((i % w + 0.5f) * scale, (i / w + 0.5f) * scale,
                            [&](int u, int v) { return p.clamped(u, v); });
    compare("Lanczos", got.host, want, 2e-3f);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
}

// ---- a mipmap drawn level by level -----------------------------------------

// The filter in the middle of four texels is their mean.
__global__ void halve(cudaTextureObject_t from, cudaSurfaceObject_t to, int w,
                      int h)
{
    HERE;
    float v = tex2D<float>(from, (x + 0.5f) / w, (y + 0.5f) / h);
    surf2Dwrite(v, to, x * (int)sizeof v, y);
}

__global__ void look_levels(cudaTextureObject_t t, int w, int h, float *out)
{
    HERE;
    float level = (x + y) * 4.0f / (w + h);
    out[y * w + x] = tex2DLod<float>(t, (x + 0.3f) / w, (y + 0.6f) / h, level);
}

static void check_mipmap()
{
    std::vector<image> levels = {make_picture(64, 64, 0, 0)};
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t m;
    cudaArray_t below, level;
    CHECK(cudaMallocMipmappedArray(&m, &c, make_cudaExtent(64, 64, 0), 7,
                                   cudaArraySurfaceLoadStore));
    CHECK(cudaGetMipmappedArrayLevel(&below, m, 0));
    CHECK(cudaMemcpy2DToArray(below, 0, 0, levels[0].v.data(), 256, 256, 64,
                              cudaMemcpyHostToDevice));
    for (int l = 1; l < 7; l++, below = level) {
        int side = 64 >> l;
        image next(side, side);
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                next.at(x, y) = levels[l - 1].filtered(2 * x + 1, 2 * y + 1);
        levels.push_back(next);
        CHECK(cudaGetMipmappedArrayLevel(&level, m, l));
        cudaTextureObject_t from = texture_of(resource_of(below), true, true);
        cudaSurfaceObject_t to = surface_of(level);
        halve<<<blocks_for(side, side), threads>>>(from, to, side, side);
        CHECK_KERNEL();
        CHECK(cudaDestroyTextureObject(from));
        CHECK(cudaDestroySurfaceObject(to));
    }
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    cudaTextureObject_t t = texture_of(r, true, true);
    buffer<float> got(WIDTH * HEIGHT);
    look_levels<<<blocks_for(WIDTH, HEIGHT), threads>>>(t, WIDTH, HEIGHT,
                                                        got.device);
    got.download();
    std::vector<float> want(WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        float lod = (x + y) * 4.0f / (WIDTH + HEIGHT), v[2];
        int low = (int)lod;
        for (int k = 0; k < 2; k++) {
            int side = 64 >> (low + k);
            v[k] = levels[low + k].filtered((x + 0.3f) / WIDTH * side,
                                            (y + 0.6f) / HEIGHT * side);
        }
        want[i] = v[0] + (v[1] - v[0]) * (lod - low);
    }
    compare("mipmap", got.host, want, 1.0f);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeMipmappedArray(m));
}

// ---- a distance field ------------------------------------------------------

static __host__ __device__ int squared(int dx, int dy)
{
    return dx * dx + dy * dy;
}

// Each texel knows the nearest seed that a neighbour `step` away knew.
__global__ void flood(cudaSurfaceObject_t from, cudaSurfaceObject_t to,
                      int step, int w, int h)
{
    HERE;
    short2 best = make_short2(-1, -1);
    int least = 1 << 30;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            short2 seed =
                surf2Dread<short2>(from, (x + i * step) * (int)sizeof(short2),
                                   y + j * step, cudaBoundaryModeClamp);
            int d = squared(seed.x - x, seed.y - y);
            if (seed.x >= 0 && d < least) {
                least = d;
                best = seed;
            }
        }
    surf2Dwrite(best, to, x * (int)sizeof best, y);
}

__global__ void measure(cudaSurfaceObject_t seeds, int w, int h, float *out)
{
    HERE;
    short2 seed = surf2Dread<short2>(seeds, x * (int)sizeof(short2), y);
    out[y * w + x] = sqrtf((float)squared(seed.x - x, seed.y - y));
}

static void check_distances()
{
    const int seeds[][2] = {{3, 4}, {40, 20}, {20, 30}, {31, 2}, {9, 22}};
    std::vector<short2> first(WIDTH * HEIGHT, make_short2(-1, -1));
    for (auto &seed : seeds)
        first[seed[1] * WIDTH + seed[0]] = make_short2(seed[0], seed[1]);
    cudaChannelFormatDesc c = cudaCreateChannelDesc<short2>();
    cudaArray_t a[2];
    cudaSurfaceObject_t s[2];
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMallocArray(&a[i], &c, WIDTH, HEIGHT,
                              cudaArraySurfaceLoadStore));
        s[i] = surface_of(a[i]);
    }
    CHECK(cudaMemcpy2DToArray(a[0], 0, 0, first.data(), WIDTH * 4, WIDTH * 4,
                              HEIGHT, cudaMemcpyHostToDevice));
    int now = 0;
    for (int step : {1, 32, 16, 8, 4, 2, 1, 1}) {
        flood<<<blocks_for(WIDTH, HEIGHT), threads>>>(s[now], s[!now], step,
                                                      WIDTH, HEIGHT);
        now = !now;
    }
    buffer<float> got(WIDTH * HEIGHT);
    measure<<<blocks_for(WIDTH, HEIGHT), threads>>>(s[now], WIDTH, HEIGHT,
                                                    got.device);
    got.download();
    std::vector<float> want(WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int least = 1 << 30;
        for (auto &seed : seeds) {
            int d = squared(seed[0] - i % WIDTH, seed[1] - i / WIDTH);
            least = d < least ? d : least;
        }
        want[i] = sqrtf((float)least);
    }
    compare("distances", got.host, want, 1e-5f);
    for (int i = 0; i < 2; i++) {
        CHECK(cudaDestroySurfaceObject(s[i]));
        CHECK(cudaFreeArray(a[i]));
    }
}

// ---- a bilateral filter ----------------------------------------------------

template <typename Texel>
static __host__ __device__ float smoothed(int x, int y, Texel texel)
{
    float middle = texel(x, y), sum = 0, weights = 0;
    for (int j = -3; j <= 3; j++)
        for (int i = -3; i <= 3; i++) {
            float v = texel(x + i, y + j), off = (v - middle) * 8;
            float w = expf(-(i * i + j * j) / 8.0f - off * off);
            sum += w * v;
            weights += w;
        }
    return sum / weights;
}

struct channel_of_texture {
    cudaTextureObject_t t;
    int channel;
    __device__ float operator()(int i, int j) const
    {
        float4 v = tex2D<float4>(t, i + 0.5f, j + 0.5f);
        return channel == 0 ? v.x : channel == 1 ? v.y : v.z;
    }
};

__global__ void smooth(cudaTextureObject_t t, int channel, int w, int h,
                       float *out)
{
    HERE;
    out[y * w + x] = smoothed(x, y, channel_of_texture{t, channel});
}

static void check_bilateral()
{
    image p = make_picture(WIDTH, HEIGHT, 0, 0);
    std::vector<uchar4> colors(WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int v = (int)p.v[i] + 80;
        colors[i] = make_uchar4(v, 255 - v, v / 2, 255);
    }
    uchar4 *memory;
    size_t pitch;
    CHECK(cudaMallocPitch(&memory, &pitch, WIDTH * 4, HEIGHT));
    CHECK(cudaMemcpy2D(memory, pitch, colors.data(), WIDTH * 4, WIDTH * 4,
                       HEIGHT, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = memory;
    r.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    r.res.pitch2D.width = WIDTH;
    r.res.pitch2D.height = HEIGHT;
    r.res.pitch2D.pitchInBytes = pitch;
    d.readMode = cudaReadModeNormalizedFloat;
    for (cudaTextureAddressMode &mode : d.addressMode)
        mode = cudaAddressModeClamp;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    for (int channel = 0; channel < 3; channel++) {
        buffer<float> got(WIDTH * HEIGHT);
        smooth<<<blocks_for(WIDTH, HEIGHT), threads>>>(t, channel, WIDTH,
                                                       HEIGHT, got.device);
        got.download();
        image one(WIDTH, HEIGHT);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            one.v[i] = (&colors[i].x)[channel] / 255.0f;
        std::vector<float> want(WIDTH * HEIGHT);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            want[i] = smoothed(i % WIDTH, i / WIDTH,
                               [&](int u, int v) { return one.clamped(u, v); });
        compare("bilateral filter", got.host, want, 1e-5f);
    }
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFree(memory));
}

// ---- optical flow ----------------------------------------------------------

// One step of Lucas and Kanade's: the shift by which window b fits a better.
template <typename First, typename Second>
static __host__ __device__ float2 flow_step(float x, float y, float2 at,
                                            First a, Second b)
{
    float xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
    for (int j = -3; j <= 3; j++)
        for (int i = -3; i <= 3; i++) {
            float u = x + i, v = y + j;
            float gx = (a(u + 1, v) - a(u - 1, v)) / 2;
            float gy = (a(u, v + 1) - a(u, v - 1)) / 2;
            float dt = a(u, v) - b(u + at.x, v + at.y);
            xx += gx * gx;
            xy += gx * gy;
            yy += gy * gy;
            xt += gx * dt;
            yt += gy * dt;
        }
    float area = xx * yy - xy * xy + 1;
    return make_float2(at.x + (yy * xt - xy * yt) / area,
                       at.y + (xx * yt - xy * xt) / area);
}

struct layer_of_pyramid {
    cudaTextureObject_t t;
    int level;
    __device__ float operator()(float u, float v) const
    {
        return tex2DLayered<float>(t, u, v, level);
    }
};

struct level_of_pyramid {
    const image *p;
    __host__ float operator()(float u, float v) const
    {
        return p->filtered(u, v);
    }
};

__global__ void find_flow(cudaTextureObject_t first, cudaTextureObject_t second,
                          int w, int h, float2 *out)
{
    HERE;
    float2 flow = make_float2(0, 0);
    for (int level = 2; level >= 0; level--) {
        flow.x *= 2, flow.y *= 2;
        float u = (x + 0.5f) / (1 << level), v = (y + 0.5f) / (1 << level);
        for (int k = 0; k < 3; k++)
            flow = flow_step(u, v, flow, layer_of_pyramid{first, level},
                             layer_of_pyramid{second, level});
    }
    out[y * w + x] = flow;
}

// Smooth, so that the shift can be seen.
static image make_waves(float shift_x, float shift_y)
{
    image p(64, 64);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++)
            p.at(x, y) =
                50 * sinf((x - shift_x) * 0.21f) * cosf((y - shift_y) * 0.17f) +
                20 * sinf((x - shift_x + y - shift_y) * 0.09f);
    return p;
}

static cudaArray_t make_pyramid(image p, std::vector<image> *levels)
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    CHECK(cudaMalloc3DArray(&a, &c, make_cudaExtent(64, 64, 3),
                            cudaArrayLayered));
    for (int level = 0; level < 3; level++) {
        image next(64, 64); /* the rest of a layer repeats the edge */
        for (int y = 0; y < 64; y++)
            for (int x = 0; x < 64; x++)
                next.at(x, y) =
                    (p.clamped(2 * x, 2 * y) + p.clamped(2 * x + 1, 2 * y) +
                     p.clamped(2 * x, 2 * y + 1) +
                     p.clamped(2 * x + 1, 2 * y + 1)) /
                    4;
        levels->push_back(p);
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(p.v.data(), 256, 64, 64);
        copy.dstArray = a;
        copy.dstPos = make_cudaPos(0, 0, level);
        copy.extent = make_cudaExtent(64, 64, 1);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
        p = next;
    }
    return a;
}

static void check_flow()
{
    std::vector<image> first, second;
    cudaArray_t a = make_pyramid(make_waves(0, 0), &first);
    cudaArray_t b = make_pyramid(make_waves(3.25f, -2.5f), &second);
    cudaTextureObject_t ta = texture_of(resource_of(a), true);
    cudaTextureObject_t tb = texture_of(resource_of(b), true);
    buffer<float2> got(64 * 64);
    find_flow<<<blocks_for(64, 64), threads>>>(ta, tb, 64, 64, got.device);
    got.download();
    for (int y = 12; y < 52; y++)
        for (int x = 12; x < 52; x++) {
            float2 flow = make_float2(0, 0), is = got[y * 64 + x];
            for (int level = 2; level >= 0; level--) {
                flow.x *= 2, flow.y *= 2;
                for (int k = 0; k < 3; k++)
                    flow = flow_step((x + 0.5f) / (1 << level),
                                     (y + 0.5f) / (1 << level), flow,
                                     level_of_pyramid{&first[level]},
                                     level_of_pyramid{&second[level]});
            }
            if (!(fabsf(is.x - flow.x) < 0.02f && fabsf(is.y - flow.y) < 0.02f))
                FAIL("flow at %d, %d: %g, %g, not %g, %g", x, y, is.x, is.y,
                     flow.x, flow.y);
            if (!(fabsf(is.x - 3.25f) < 0.3f && fabsf(is.y + 2.5f) < 0.3f))
                FAIL("flow at %d, %d: %g, %g", x, y, is.x, is.y);
        }
    CHECK(cudaFreeArray(a));
    CHECK(cudaFreeArray(b));
}

// ---- sprites ---------------------------------------------------------------

struct sprite {
    float x, y, size;
    int layer;
};
enum { SPRITES = 9, TILE = 8 };

template <typename Texel>
static __host__ __device__ float4 painted(int x, int y, const sprite *all,
                                          Texel texel)
{
    float4 c = make_float4(0, 0, 0, 0);
    for (int i = 0; i < SPRITES; i++) {
        float u = (x + 0.5f - all[i].x) / all[i].size;
        float v = (y + 0.5f - all[i].y) / all[i].size;
        if (u < 0 || v < 0 || u >= 1 || v >= 1)
            continue;
        float4 s = texel(u * 2, v * 2, all[i].layer); /* four times */
        c.x += (s.x - c.x) * s.w;
        c.y += (s.y - c.y) * s.w;
        c.z += (s.z - c.z) * s.w;
        c.w += (1 - c.w) * s.w;
    }
    return c;
}

struct atlas_texel {
    cudaTextureObject_t t;
    __device__ float4 operator()(float u, float v, int layer) const
    {
        return tex2DLayered<float4>(t, u, v, layer);
    }
};

__global__ void paint(cudaTextureObject_t t, const sprite *all, int w, int h,
                      float4 *out)
{
    HERE;
    out[y * w + x] = painted(x, y, all, atlas_texel{t});
}

static void check_sprites()
{
    std::vector<uchar4> tiles(3 * TILE * TILE);
    for (int i = 0; i < 3 * TILE * TILE; i++)
        tiles[i] = make_uchar4(i * 7, i * 13 + 5, i * 29, i % 3 * 127);
    cudaChannelFormatDesc c = cudaCreateChannelDesc<uchar4>();
    cudaArray_t a;
    CHECK(cudaMalloc3DArray(&a, &c, make_cudaExtent(TILE, TILE, 3),
                            cudaArrayLayered));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(tiles.data(), TILE * 4, TILE, TILE);
    copy.dstArray = a;
    copy.extent = make_cudaExtent(TILE, TILE, 3);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc r = resource_of(a);
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    d.addressMode[0] = cudaAddressModeWrap;
    d.addressMode[1] = cudaAddressModeMirror;
    d.readMode = cudaReadModeNormalizedFloat;
    d.normalizedCoords = 1;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    buffer<sprite> all(SPRITES);
    for (int i = 0; i < SPRITES; i++)
        all[i] = {i * 4.7f, i * 2.9f, 9.0f + i, i % 3};
    all.upload();
    buffer<float4> got(WIDTH * HEIGHT);
    paint<<<blocks_for(WIDTH, HEIGHT), threads>>>(t, all.device, WIDTH, HEIGHT,
                                                  got.device);
    got.download();
    auto texel = [&](float u, float v, int layer) {
        int i = (int)floorf(u * TILE), j = (int)floorf(v * TILE);
        i %= TILE;
        j = j / TILE % 2 ? TILE - 1 - j % TILE : j % TILE;
        uchar4 s = tiles[(layer * TILE + j) * TILE + i];
        return make_float4(s.x / 255.0f, s.y / 255.0f, s.z / 255.0f,
                           s.w / 255.0f);
    };
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        float4 want = painted(i % WIDTH, i / WIDTH, all.host.data(), texel);
        float4 is = got[i];
        if (!(fabsf(is.x - want.x) + fabsf(is.y - want.y) +
                  fabsf(is.z - want.z) + fabsf(is.w - want.w) <
              1e-5f))
            FAIL("sprites at %d, %d: %g, %g", i % WIDTH, i / WIDTH, is.x,
                 want.x);
    }
    CHECK(cudaFreeArray(a));
}

int main()
{
    check_lanczos();
    check_mipmap();
    check_distances();
    check_bilateral();
    check_flow();
    check_sprites();
    return finish();
}
