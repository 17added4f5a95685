// SPDX-License-Identifier: Apache-2.0
// link: -lpng
//
// A cloud in a 3-D texture, seen by rays: each thread walks through the volume
// for one pixel, front to back, and adds up colour and opacity of samples that
// the texture filters. Written to volume_rendering.png, or the first argument.
#include "common/example.h"
#include "common/picture.h"
#include "common/volume.h"

const int cells = 64, width = 480, height = 400, steps = 120;

// Three knots of density with waves between them.
static float density(int x, int y, int z)
{
    static const float knot[3][4] = {{0.35f, 0.40f, 0.45f, 26},
                                     {0.66f, 0.55f, 0.40f, 20},
                                     {0.50f, 0.68f, 0.68f, 30}};
    float u = (x + 0.5f) / cells, v = (y + 0.5f) / cells,
          w = (z + 0.5f) / cells;
    float sum = 0;
    for (const float *k : knot) {
        float a = u - k[0], b = v - k[1], c = w - k[2];
        sum += expf(-k[3] * (a * a + b * b + c * c));
    }
    return sum * (0.65f + 0.35f * sinf(43 * u + 31 * v) * sinf(37 * w));
}

struct ray {
    float at[3], step[3];
};

// The eye stands before the cube and looks a little from above; colours are of
// the box [0, 1]^3.
__host__ __device__ ray ray_of(int x, int y)
{
    float u = (x + 0.5f - width * 0.5f) / height;
    float v = (y + 0.5f - height * 0.5f) / height;
    const float c = 0.8775826f, s = 0.4794255f; // half a radian
    ray r;
    float at[3] = {0.95f * u, 0.95f * v, -0.75f},
          along[3] = {0, 0, 1.5f / steps};
    r.at[0] = 0.5f + at[0] * c + at[2] * s;
    r.at[1] = 0.5f + at[1];
    r.at[2] = 0.5f - at[0] * s + at[2] * c;
    r.step[0] = along[2] * s;
    r.step[1] = 0;
    r.step[2] = along[2] * c;
    return r;
}

__host__ __device__ bool is_inside(const float *at)
{
    return at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1 && at[2] >= 0 &&
           at[2] <= 1;
}

// Colour and opacity of one step through this density.
__host__ __device__ float4 colour(float d)
{
    float opacity = 1 - expf(-fmaxf(0, d - 0.3f) * 0.35f);
    float warm = fminf(1, d * 1.1f);
    return make_float4(0.25f + 0.75f * warm, 0.35f + 0.5f * warm * warm,
                       0.9f - 0.55f * warm, opacity);
}

__host__ __device__ void add_sample(float4 *sum, float d)
{
    float4 c = colour(d);
    float w = c.w * (1 - sum->w);
    sum->x += w * c.x;
    sum->y += w * c.y;
    sum->z += w * c.z;
    sum->w += w;
}

__global__ void render(cudaTextureObject_t volume, float4 *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;

    ray r = ray_of(x, y);
    float4 sum = make_float4(0, 0, 0, 0);
    for (int i = 0; i < steps; i++) {
        if (is_inside(r.at))
            add_sample(&sum, tex3D<float>(volume, r.at[0], r.at[1], r.at[2]));
        for (int d = 0; d < 3; d++)
            r.at[d] += r.step[d];
    }
    out[y * width + x] = sum;
}

static float cell(const std::vector<float> &v, int x, int y, int z)
{
    x = x < 0 ? 0 : x >= cells ? cells - 1 : x;
    y = y < 0 ? 0 : y >= cells ? cells - 1 : y;
    z = z < 0 ? 0 : z >= cells ? cells - 1 : z;
    return v[(z * cells + y) * cells + x];
}

static float filtered(const std::vector<float> &v, const float *at)
{
    float sum = 0, part[3];
    int i[3];
    for (int d = 0; d < 3; d++) {
        float u = at[d] * cells - 0.5f;
        i[d] = (int)floorf(u);
        part[d] = u - floorf(u);
    }
    for (int k = 0; k < 8; k++) {
        float w = (k & 1 ? part[0] : 1 - part[0]) *
                  (k & 2 ? part[1] : 1 - part[1]) *
                  (k & 4 ? part[2] : 1 - part[2]);
        sum +=
            w * cell(v, i[0] + (k & 1), i[1] + (k >> 1 & 1), i[2] + (k >> 2));
    }
    return sum;
}

static unsigned char level(float v)
{
    return (unsigned char)(255 * fminf(fmaxf(v, 0), 1) + 0.5f);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "volume_rendering.png";
    const int n = width * height;
    std::vector<float> volume(cells * cells * cells);
    std::vector<float4> sums(n);
    std::vector<uchar3> picture(n);
    for (int i = 0; i < cells * cells * cells; i++)
        volume[i] = density(i % cells, i / cells % cells, i / cells / cells);

    cudaArray_t array;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    cudaTextureObject_t texture = volume_texture(volume, cells, how, &array);
    float4 *d_sums;
    CHECK(cudaMalloc(&d_sums, n * sizeof(float4)));
    dim3 block(32, 8),
        grid(blocks_for(width, block.x), blocks_for(height, block.y));
    double ms = best_ms([&] { render<<<grid, block>>>(texture, d_sums); }, 3);
    CHECK(cudaMemcpy(sums.data(), d_sums, n * sizeof(float4),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));

    // Every 40th row; the texture's weights have 8 bits.
    bool ok = true;
    for (int y = 0; y < height; y += 40)
        for (int x = 0; x < width; x += 4) {
            ray r = ray_of(x, y);
            float4 want = make_float4(0, 0, 0, 0), got = sums[y * width + x];
            for (int i = 0; i < steps; i++) {
                if (is_inside(r.at))
                    add_sample(&want, filtered(volume, r.at));
                for (int d = 0; d < 3; d++)
                    r.at[d] += r.step[d];
            }
            ok = ok && is_close(got.x, want.x, 0, 0.02) &&
                 is_close(got.w, want.w, 0, 0.02);
        }
    for (int i = 0; i < n; i++) {
        float behind = (1 - sums[i].w) * (0.10f + 0.10f * (i / width) / height);
        picture[i] =
            make_uchar3(level(sums[i].x + behind), level(sums[i].y + behind),
                        level(sums[i].z + 1.3f * behind));
    }
    ok = write_png(path, picture, width, height) && ok;
    std::printf("%d x %d rays of %d steps, in %s: ", width, height, steps,
                path);
    return report({"volume_rendering", ok, ms, 0, 0});
}
