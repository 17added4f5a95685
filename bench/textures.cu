// SPDX-License-Identifier: Apache-2.0
//
// Pictures and volumes through textures: rows copied point by point, pictures
// turned and filtered, rays through a volume. Each checks its answer; the twins
// in textures-twins.c filter with the same weights of 8 bits.
#include "device.h"
#include "picture.h"

static const int side = TEXTURE_SIDE, cells = VOLUME_SIDE;
static float *out;

static cudaTextureObject_t texture_of(cudaArray_t a, cudaTextureFilterMode f,
                                      cudaTextureReadMode m, bool is_normalized)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] =
        cudaAddressModeClamp;
    d.filterMode = f;
    d.readMode = m;
    d.normalizedCoords = is_normalized;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

template <typename T> static cudaArray_t picture()
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<T>();
    cudaArray_t a;
    T *p = (T *)malloc(sizeof(T) * side * side);
    for (int i = 0; i < side * side; i++)
        p[i] = (T)picture_value(i % side, i / side);
    CHECK(cudaMallocArray(&a, &c, side, side));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, p, side * sizeof(T), side * sizeof(T),
                              side, cudaMemcpyHostToDevice));
    free(p);
    return a;
}

// ---- rows, point by point ---------------------------------------------------

__global__ void copy_points(cudaTextureObject_t t, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * side + x] = tex2D<float>(t, x, y);
}

static cudaTextureObject_t tex;
static const dim3 threads(32, 8), blocks(side / 32, side / 8);

static double value_at(int x, int y)
{
    return device_value(out + y * side + x);
}

static double run_points()
{
    out = device_array<float>(side * side);
    tex = texture_of(picture<float>(), cudaFilterModePoint,
                     cudaReadModeElementType, false);
    double ms = measure_ms([] {
        copy_points<<<blocks, threads>>>(tex, out);
        wait_for_device();
    });
    return value_at(77, 99) == picture_value(77, 99) ? ms : -1;
}

// ---- turned pictures --------------------------------------------------------

__global__ void turn(cudaTextureObject_t t, float *out, float c, float s)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x / (float)side - 0.5f, v = y / (float)side - 0.5f;
    out[y * side + x] =
        tex2D<float>(t, u * c - v * s + 0.5f, v * c + u * s + 0.5f);
}

static double measure_turned(float one)
{
    out = device_array<float>(side * side);
    double ms = measure_ms([] {
        turn<<<blocks, threads>>>(tex, out, cosf(TURNED_BY), sinf(TURNED_BY));
        wait_for_device();
    });
    return fabs(value_at(side / 2, side / 2) * one - picture_middle()) < 1 ? ms
                                                                           : -1;
}

static double run_turn_float()
{
    tex = texture_of(picture<float>(), cudaFilterModeLinear,
                     cudaReadModeElementType, true);
    return measure_turned(1);
}

static double run_turn_byte()
{
    tex = texture_of(picture<unsigned char>(), cudaFilterModeLinear,
                     cudaReadModeNormalizedFloat, true);
    return measure_turned(255);
}

// ---- rays through a volume --------------------------------------------------

__global__ void cast(cudaTextureObject_t t, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = (x + 0.5f) / RAYS, v = (y + 0.5f) / RAYS, sum = 0;
    for (int i = 0; i < RAY_STEPS; i++) {
        float w = (i + 0.5f) / RAY_STEPS;
        sum += tex3D<float>(t, u + 0.2f * (w - 0.5f), v + 0.1f * (w - 0.5f), w);
    }
    out[y * RAYS + x] = sum;
}

static double run_volume()
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    float *p = (float *)malloc(sizeof(float) * cells * cells * cells);
    for (int i = 0; i < cells * cells * cells; i++)
        p[i] = volume_value(i % cells, i / cells % cells, i / cells / cells);
    CHECK(cudaMalloc3DArray(&a, &c, make_cudaExtent(cells, cells, cells)));
    cudaMemcpy3DParms m = {};
    m.srcPtr = make_cudaPitchedPtr(p, cells * sizeof(float), cells, cells);
    m.dstArray = a;
    m.extent = make_cudaExtent(cells, cells, cells);
    m.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&m));
    free(p);
    out = device_array<float>(RAYS * RAYS);
    tex = texture_of(a, cudaFilterModeLinear, cudaReadModeElementType, true);
    double ms = measure_ms([] {
        cast<<<dim3(RAYS / 32, RAYS / 8), threads>>>(tex, out);
        wait_for_device();
    });
    double middle = device_value(out + RAYS / 2 * RAYS + RAYS / 2);
    return fabs(middle - ray_middle()) < 1 ? ms : -1;
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {
        {"points", run_points},
        {"turn-float", run_turn_float},
        {"turn-byte", run_turn_byte},
        {"volume", run_volume},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
