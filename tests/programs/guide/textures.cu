// SPDX-License-Identifier: Apache-2.0
// The guides' pictures: one that is turned about its middle, through an object
// and through references that are bound in each way, and one that is copied
// through surfaces.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t err = (call);                                              \
        if (err) {                                                             \
            printf("%s: %s\n", #call, cudaGetErrorName(err));                  \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

const int width = 32, height = 16;
static float picture[height][width], turned[height][width];
static float *device_out;
static int failures;

texture<float, cudaTextureType2D, cudaReadModeElementType> reference;
surface<void, cudaSurfaceType2D> source, target;

__device__ float2 place(int x, int y, float theta)
{
    float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
    return make_float2(u * cosf(theta) - v * sinf(theta) + 0.5f,
                       v * cosf(theta) + u * sinf(theta) + 0.5f);
}

__global__ void turn_object(float *out, cudaTextureObject_t t, float theta)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float2 p = place(x, y, theta);
    out[y * width + x] = tex2D<float>(t, p.x, p.y);
}

__global__ void turn_reference(float *out, float theta)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float2 p = place(x, y, theta);
    out[y * width + x] = tex2D(reference, p.x, p.y);
}

__global__ void copy_texels()
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    uchar4 texel;
    surf2Dread(&texel, source, x * 4, y);
    surf2Dwrite(texel, target, x * 4, y);
}

static cudaArray_t picture_array()
{
    cudaChannelFormatDesc channels =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t a;
    CHECK(cudaMallocArray(&a, &channels, width, height));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, picture, sizeof picture[0],
                              sizeof picture[0], height,
                              cudaMemcpyHostToDevice));
    return a;
}

// Not turned, texels lie between those of the picture: half of each of four.
static void check_unturned(const char *what)
{
    int wrong = 0;
    CHECK(cudaDeviceSynchronize());
    CHECK(
        cudaMemcpy(turned, device_out, sizeof turned, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int a = (x + width - 1) % width, b = (y + height - 1) % height;
            float mean = (picture[y][x] + picture[y][a] + picture[b][x] +
                          picture[b][a]) /
                         4;
            wrong += turned[y][x] != mean;
        }
    if (wrong)
        printf("%s: %d texels are wrong\n", what, wrong);
    failures += wrong;
}

static const dim3 threads(16, 8), blocks(width / 16, height / 8);

static void rotate_by_object()
{
    cudaArray_t a = picture_array();
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeWrap;
    d.filterMode = cudaFilterModeLinear;
    d.normalizedCoords = 1;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    turn_object<<<blocks, threads>>>(device_out, t, 0);
    check_unturned("object");
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
}

static void set_reference()
{
    reference.addressMode[0] = reference.addressMode[1] = cudaAddressModeWrap;
    reference.filterMode = cudaFilterModeLinear;
    reference.normalized = true;
}

static void rotate_by_reference()
{
    cudaArray_t a = picture_array();
    set_reference();
    CHECK(cudaBindTextureToArray(reference, a));
    turn_reference<<<blocks, threads>>>(device_out, 0);
    check_unturned("reference");
    CHECK(cudaUnbindTexture(reference));
    CHECK(cudaFreeArray(a));
}

static void bind_memory()
{
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    const textureReference *found;
    float *p;
    size_t pitch, offset;
    CHECK(cudaMallocPitch(&p, &pitch, sizeof picture[0], height));
    CHECK(cudaMemcpy2D(p, pitch, picture, sizeof picture[0], sizeof picture[0],
                       height, cudaMemcpyHostToDevice));
    set_reference();
    CHECK(cudaGetTextureReference(&found, &reference));
    CHECK(
        cudaBindTexture2D(&offset, found, p, &channels, width, height, pitch));
    turn_reference<<<blocks, threads>>>(device_out, 0);
    check_unturned("low-level");
    CHECK(cudaBindTexture2D(&offset, reference, p, channels, width, height,
                            pitch));
    turn_reference<<<blocks, threads>>>(device_out, 0);
    check_unturned("high-level");
    CHECK(cudaFree(p));
}

static void bind_array()
{
    cudaArray_t a = picture_array();
    cudaChannelFormatDesc channels;
    const textureReference *found;
    set_reference();
    CHECK(cudaGetTextureReference(&found, &reference));
    CHECK(cudaGetChannelDesc(&channels, a));
    CHECK(cudaBindTextureToArray(found, a, &channels));
    turn_reference<<<blocks, threads>>>(device_out, 0);
    check_unturned("array");
    CHECK(cudaFreeArray(a));
}

static void copy_surfaces()
{
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
    cudaArray_t a, b;
    static float back[height][width];
    CHECK(cudaMallocArray(&a, &channels, width, height,
                          cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&b, &channels, width, height,
                          cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, picture, sizeof picture[0],
                              sizeof picture[0], height,
                              cudaMemcpyHostToDevice));
    CHECK(cudaBindSurfaceToArray(source, a));
    CHECK(cudaBindSurfaceToArray(target, b));
    copy_texels<<<blocks, threads>>>();
    CHECK(cudaMemcpy2DFromArray(back, sizeof back[0], b, 0, 0, sizeof back[0],
                                height, cudaMemcpyDeviceToHost));
    if (memcmp(back, picture, sizeof back)) {
        printf("surfaces: another picture\n");
        failures++;
    }
    CHECK(cudaFreeArray(a));
    CHECK(cudaFreeArray(b));
}

int main()
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            picture[y][x] = (float)((x * 5 + y * 3) % 32);
    CHECK(cudaMalloc(&device_out, sizeof turned));
    rotate_by_object();
    rotate_by_reference();
    bind_memory();
    bind_array();
    copy_surfaces();
    CHECK(cudaFree(device_out));
    return failures != 0;
}
