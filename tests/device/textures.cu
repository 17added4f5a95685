// SPDX-License-Identifier: Apache-2.0
// What a texture unit answers at edges, between texels, for negative, huge and
// NaN coordinates: textures.out is what an H200 printed. A line is a
// configuration: some of the answers' bits, and a hash over all.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t err = (call);                                              \
        if (err)                                                               \
            printf("%s: %s\n", #call, cudaGetErrorName(err));                  \
    } while (0)

static const char *const modes[] = {"wrap", "clamp", "mirror", "border"};
static float *device_coordinates;
static float4 *device_answers;

static std::vector<float> coordinates(bool is_normalized, int size)
{
    const float near[] = {0,
                          0.25f,
                          0.5f,
                          0.498046875f,
                          0.501953125f,
                          0.75f,
                          1,
                          1.25f,
                          1.3f,
                          1.5f,
                          1.7f,
                          2,
                          2.5f,
                          3.999f,
                          4,
                          4.5f,
                          -0.1f,
                          -0.25f,
                          -0.5f,
                          -0.75f,
                          -1,
                          -1.5f,
                          -2.3f,
                          -7.5f,
                          -8,
                          -9.1f,
                          7,
                          7.25f,
                          7.5f,
                          7.9f,
                          8,
                          8.1f,
                          8.5f,
                          9,
                          15.5f,
                          16,
                          17.2f,
                          100.3f,
                          -100.3f};
    const float wild[] = {1e6f,   -1e6f,   1e9f,     -1e9f,      1e20f,
                          -1e20f, 3.0e38f, INFINITY, -INFINITY,  NAN,
                          1e-30f, -1e-30f, -0.0f,    16777216.f, 8388607.5f};
    float unit = is_normalized ? 1.0f / size : 1.0f;
    std::vector<float> all;
    for (float x : near)
        all.push_back(x * unit);
    for (int i = 0; i < 16; i++) // how weights are rounded
        all.push_back((1.5f + i / 512.0f + 1 / 4096.0f) * unit);
    for (int i = 0; i < 8; i++)
        all.push_back((2.5f + i / 2048.0f) * unit);
    for (float x : wild)
        all.push_back(x);
    return all;
}

static __device__ float4 bits(float v)
{
    return make_float4(v, 0, 0, 0);
}
static __device__ float4 bits(float2 v)
{
    return make_float4(v.x, v.y, 0, 0);
}
static __device__ float4 bits(int v)
{
    return make_float4(__int_as_float(v), 0, 0, 0);
}
static __device__ float4 bits(float4 v)
{
    return v;
}

enum kind { ROW, PLANE, CELLS, LAYERS, NUMBERS };

template <typename T>
static __global__ void fetch(cudaTextureObject_t t, kind k, const float *c,
                             int n, float4 *answers)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    float x = c[i], y = c[(i * 7 + 3) % n], z = c[(i * 5 + 1) % n];
    answers[i] = bits(k == ROW      ? tex1D<T>(t, x)
                      : k == PLANE  ? tex2D<T>(t, x, y)
                      : k == CELLS  ? tex3D<T>(t, x, y, z)
                      : k == LAYERS ? tex2DLayered<T>(t, x, y, i % 5 - 1)
                                    : tex1Dfetch<T>(t, i - 4));
}

static void show(const char *name, int n, int words)
{
    std::vector<float4> h(n);
    unsigned hash = 2166136261u;
    CHECK(cudaMemcpy(h.data(), device_answers, n * sizeof h[0],
                     cudaMemcpyDeviceToHost));
    printf("%s:", name);
    for (int i = 0; i < n; i++) {
        unsigned b[4];
        memcpy(b, &h[i], sizeof b);
        for (int k = 0; k < words; k++) {
            if (i % 10 == 1)
                printf("%c%x", k ? ',' : ' ', b[k]);
            hash = (hash ^ b[k]) * 16777619u;
        }
    }
    printf(" all %08x\n", hash);
}

static unsigned state;
static unsigned next_random()
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
template <typename T> static void fill(std::vector<T> &v)
{
    unsigned char *p = (unsigned char *)v.data();
    for (size_t i = 0; i < v.size() * sizeof(T); i++)
        p[i] = (unsigned char)next_random();
}
static void fill(std::vector<float> &v)
{
    for (float &x : v)
        x = (float)((int)(next_random() % 2001) - 1000) / 16;
}

template <typename R>
static void ask(const cudaResourceDesc &r, kind k, cudaTextureReadMode read,
                int mode, int linear, int is_normalized, int size, int words,
                const char *name)
{
    cudaTextureDesc d;
    cudaTextureObject_t t = 0;
    memset(&d, 0, sizeof d);
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = (cudaTextureAddressMode)mode;
    d.filterMode = (cudaTextureFilterMode)linear;
    d.readMode = read;
    d.normalizedCoords = is_normalized;
    d.borderColor[0] = 0.5f;
    d.borderColor[1] = -2;
    d.borderColor[2] = 0.25f;
    d.borderColor[3] = 1;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    std::vector<float> c = coordinates(is_normalized, size);
    int n = k == NUMBERS ? 40 : (int)c.size();
    CHECK(cudaMemcpy(device_coordinates, c.data(), c.size() * sizeof(float),
                     cudaMemcpyHostToDevice));
    fetch<R><<<1, 128>>>(t, k, device_coordinates, n, device_answers);
    CHECK(cudaGetLastError());
    show(name, n, words);
    CHECK(cudaDestroyTextureObject(t));
}

template <typename R>
static void ask_all_modes(const cudaResourceDesc &r, kind k,
                          cudaTextureReadMode read, bool has_linear, int words,
                          const char *what)
{
    for (int n = 0; n < 2; n++)
        for (int m = 0; m < 4; m++)
            for (int f = 0; f < (has_linear ? 2 : 1); f++) {
                char name[100];
                snprintf(name, sizeof name, "%s %s %s %s", what,
                         n ? "norm" : "pix", modes[m], f ? "linear" : "point");
                ask<R>(r, k, read, m, f, n, 8, words, name);
            }
}

template <typename T, typename R>
static void arrays(const char *format, cudaTextureReadMode read, int words,
                   bool has_linear)
{
    for (int dims = 1; dims <= 3; dims++) {
        const int width = 8, height = dims > 1 ? 5 : 0,
                  depth = dims > 2 ? 3 : 0;
        const int rows = height ? height : 1, planes = depth ? depth : 1;
        std::vector<T> v(width * rows * planes);
        state = 12345;
        fill(v);
        cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
        cudaMemcpy3DParms p = {};
        cudaArray_t a;
        CHECK(cudaMalloc3DArray(&a, &channels,
                                make_cudaExtent(width, height, depth)));
        p.srcPtr =
            make_cudaPitchedPtr(v.data(), width * sizeof(T), width, rows);
        p.dstArray = a;
        p.extent = make_cudaExtent(width, rows, planes);
        p.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&p));
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypeArray;
        r.res.array.array = a;
        char what[100];
        snprintf(what, sizeof what, "%s %dD", format, dims);
        ask_all_modes<R>(r,
                         dims > 2   ? CELLS
                         : dims > 1 ? PLANE
                                    : ROW,
                         read, has_linear, words, what);
        CHECK(cudaFreeArray(a));
    }
}

static void layers()
{
    std::vector<float> v(4 * 4 * 3);
    state = 777;
    fill(v);
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    CHECK(cudaMalloc3DArray(&a, &channels, make_cudaExtent(4, 4, 3),
                            cudaArrayLayered));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(v.data(), 16, 4, 4);
    p.dstArray = a;
    p.extent = make_cudaExtent(4, 4, 3);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    for (int m = 0; m < 4; m++)
        for (int f = 0; f < 2; f++) {
            char name[100];
            snprintf(name, sizeof name, "layered %s %s", modes[m],
                     f ? "linear" : "point");
            ask<float>(r, LAYERS, cudaReadModeElementType, m, f, true, 8, 1,
                       name);
        }
    CHECK(cudaFreeArray(a));
}

static void linear_memory()
{
    int *p;
    std::vector<int> v(64);
    CHECK(cudaMalloc(&p, 256));
    state = 5;
    fill(v);
    CHECK(cudaMemcpy(p, v.data(), 256, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.sizeInBytes = 24 * 4;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    ask<int>(r, NUMBERS, cudaReadModeElementType, 1, 0, 0, 8, 1, "fetch int");
    r.res.linear.desc = cudaCreateChannelDesc<uchar4>();
    ask<float4>(r, NUMBERS, cudaReadModeNormalizedFloat, 1, 0, 0, 8, 4,
                "fetch uchar4 norm");
    r.res.linear.desc = cudaCreateChannelDesc<short2>();
    ask<float2>(r, NUMBERS, cudaReadModeNormalizedFloat, 1, 0, 0, 8, 2,
                "fetch short2 norm");
    CHECK(cudaFree(p));
}

static void pitched_memory()
{
    float *p;
    size_t pitch;
    std::vector<float> v(40);
    CHECK(cudaMallocPitch(&p, &pitch, 8 * 4, 5));
    state = 6;
    fill(v);
    CHECK(cudaMemcpy2D(p, pitch, v.data(), 32, 32, 5, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = 8;
    r.res.pitch2D.height = 5;
    r.res.pitch2D.pitchInBytes = pitch;
    ask_all_modes<float>(r, PLANE, cudaReadModeElementType, true, 1, "pitch");
    CHECK(cudaFree(p));
}

int main()
{
    CHECK(cudaMalloc(&device_coordinates, 4096));
    CHECK(cudaMalloc(&device_answers, 128 * sizeof(float4)));
    arrays<float, float>("float", cudaReadModeElementType, 1, true);
    arrays<unsigned char, float>("uchar-n", cudaReadModeNormalizedFloat, 1,
                                 true);
    arrays<unsigned short, float>("ushort-n", cudaReadModeNormalizedFloat, 1,
                                  true);
    arrays<short2, float2>("short2-n", cudaReadModeNormalizedFloat, 2, true);
    arrays<int, int>("int", cudaReadModeElementType, 1, false);
    layers();
    linear_memory();
    pitched_memory();
}
