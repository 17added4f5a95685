// SPDX-License-Identifier: Apache-2.0
// link: -lpng
//
// Filters of a picture that is read through a texture: a noisy scene, the
// bilateral filter, which smooths what is alike and keeps edges, and the edges
// that Sobel's operator finds in its result. The three lie side by side in
// image_filters.png, or the first argument.
#include "common/example.h"
#include "common/picture.h"

const int side = 256, radius = 5;
const float space = 3, range = 0.12f;

// A sphere over tiles, in grey, with noise.
__host__ __device__ float scene(int x, int y)
{
    float u = (x - side * 0.5f) / side, v = (y - side * 0.45f) / side;
    float r2 = u * u + v * v;
    float tiles = (x / 32 + y / 32) % 2 ? 0.75f : 0.35f;
    if (r2 > 0.09f)
        return tiles;
    float z = sqrtf(0.09f - r2) / 0.3f;
    float light = 0.15f + 0.85f * fmaxf(0, 0.6f * z - 1.3f * u - 1.6f * v);
    return fminf(light, 1);
}

// A bell of some noise in [-0.5, 0.5).
static float noise(int i)
{
    float sum = 0;
    for (unsigned k = 0; k < 4; k++)
        sum += sample((unsigned)i * 4 + k);
    return sum / 4 - 0.5f;
}

__host__ __device__ float weight(float distance2, float difference)
{
    return expf(-distance2 / (2 * space * space) -
                difference * difference / (2 * range * range));
}

__global__ void bilateral(cudaTextureObject_t picture, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side)
        return;

    float middle = tex2D<float>(picture, x, y), sum = 0, total = 0;
    for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++) {
            float v = tex2D<float>(picture, x + dx, y + dy);
            float w = weight(dx * dx + dy * dy, v - middle);
            sum += w * v;
            total += w;
        }
    }
    out[y * side + x] = sum / total;
}

__global__ void sobel(cudaTextureObject_t picture, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side)
        return;

    float v[3][3];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            v[j][i] = tex2D<float>(picture, x + i - 1, y + j - 1);
    float gx =
        v[0][2] + 2 * v[1][2] + v[2][2] - v[0][0] - 2 * v[1][0] - v[2][0];
    float gy =
        v[2][0] + 2 * v[2][1] + v[2][2] - v[0][0] - 2 * v[0][1] - v[0][2];
    out[y * side + x] = fminf(1, 0.7f * hypotf(gx, gy));
}

// A picture in an array, where textures find it; what lies beyond the edge is
// the edge.
struct grey_picture {
    cudaArray_t array;
    cudaTextureObject_t texture;

    grey_picture()
    {
        cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
        CHECK(cudaMallocArray(&array, &channels, side, side));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc how = {};
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
        CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    }
    ~grey_picture()
    {
        CHECK(cudaDestroyTextureObject(texture));
        CHECK(cudaFreeArray(array));
    }
    void set(const float *pixels, cudaMemcpyKind from)
    {
        CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels, side * sizeof(float),
                                  side * sizeof(float), side, from));
    }
};

static float clamped_pixel(const std::vector<float> &p, int x, int y)
{
    x = x < 0 ? 0 : x >= side ? side - 1 : x;
    y = y < 0 ? 0 : y >= side ? side - 1 : y;
    return p[y * side + x];
}

static double bilateral_on_host(const std::vector<float> &p, int x, int y)
{
    float middle = clamped_pixel(p, x, y);
    double sum = 0, total = 0;
    for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++) {
            float v = clamped_pixel(p, x + dx, y + dy);
            float w = weight(dx * dx + dy * dy, v - middle);
            sum += w * v;
            total += w;
        }
    }
    return sum / total;
}

static void show(std::vector<unsigned char> &picture, int place,
                 const std::vector<float> &pixels)
{
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            float v = fminf(fmaxf(clamped_pixel(pixels, x, y), 0), 1);
            picture[(y * 3 + place) * side + x] =
                (unsigned char)(255 * v + 0.5f);
        }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "image_filters.png";
    const int n = side * side;
    std::vector<float> noisy(n), smooth(n), edges(n);
    std::vector<unsigned char> picture(3 * n);
    for (int i = 0; i < n; i++)
        noisy[i] = scene(i % side, i / side) + 0.35f * noise(i);

    grey_picture source, result;
    float *d_smooth, *d_edges;
    CHECK(cudaMalloc(&d_smooth, n * sizeof(float)));
    CHECK(cudaMalloc(&d_edges, n * sizeof(float)));
    source.set(noisy.data(), cudaMemcpyHostToDevice);

    dim3 block(32, 8),
        grid(blocks_for(side, block.x), blocks_for(side, block.y));
    double ms = best_ms(
        [&] { bilateral<<<grid, block>>>(source.texture, d_smooth); }, 3);
    result.set(d_smooth, cudaMemcpyDeviceToDevice);
    sobel<<<grid, block>>>(result.texture, d_edges);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(smooth.data(), d_smooth, n * sizeof(float),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(edges.data(), d_edges, n * sizeof(float),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_smooth));
    CHECK(cudaFree(d_edges));

    // Every 16th row of the bilateral filter.
    bool ok = true;
    for (int y = 0; y < side; y += 16)
        ok = all_close(
                 &smooth[y * side], side,
                 [&](size_t x) { return bilateral_on_host(noisy, (int)x, y); },
                 1e-4) &&
             ok;
    show(picture, 0, noisy);
    show(picture, 1, smooth);
    show(picture, 2, edges);
    ok = write_png(path, picture, 3 * side, side) && ok;
    int taps = (2 * radius + 1) * (2 * radius + 1);
    std::printf("%d x %d pixels, %d texels for each, in %s: ", side, side, taps,
                path);
    return report({"image_filters", ok, ms, 0, 10.0 * n * taps});
}
