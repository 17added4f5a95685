// SPDX-License-Identifier: Apache-2.0
// link: -lpng
//
// The Mandelbrot set: every thread iterates z = z * z + c for one pixel until
// z escapes, a second kernel turns the counts into colours, and the picture is
// written to a PNG file (mandelbrot.png, or the first argument).
#include <vector>

#include "common/example.h"
#include "common/picture.h"

const int width = 1200, height = 800, limit = 600;
const float centre_x = -0.743643f, centre_y = 0.131825f, step = 4.5e-6f;

// fmaf fixes the rounding of every operation, so the host's counts are the
// same, bit for bit, whatever either compiler would contract.
__host__ __device__ int iterations(float cx, float cy, float *distance)
{
    float x = 0, y = 0, square = 0;
    int i = 0;

    while (i < limit && square <= 400) {
        float next_x = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(x + x, y, cy);
        x = next_x;
        square = fmaf(x, x, y * y);
        i++;
    }
    *distance = square;
    return i;
}

__host__ __device__ float coordinate(float centre, int pixel, int count)
{
    return fmaf((float)(pixel - count / 2), step, centre);
}

__global__ void iterate(int *counts, float *distances)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;

    float cx = coordinate(centre_x, px, width);
    float cy = coordinate(centre_y, py, height);
    int i = py * width + px;
    counts[i] = iterations(cx, cy, &distances[i]);
}

__device__ unsigned char level(float phase)
{
    return (unsigned char)(127.5f - 127.4f * cosf(phase));
}

// The fraction of the last step, from how far z has jumped, makes the bands of
// equal count melt into each other.
__global__ void colour(uchar3 *picture, const int *counts,
                       const float *distances)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height)
        return;

    uchar3 c = make_uchar3(0, 0, 0);
    if (distances[i] > 400) {
        float smooth = counts[i] - log2f(0.5f * log2f(distances[i]));
        float phase = 0.45f * sqrtf(fmaxf(smooth, 0));
        c.x = level(phase + 2.4f);
        c.y = level(phase + 3.1f);
        c.z = level(phase + 4.0f);
    }
    picture[i] = c;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "mandelbrot.png";
    const int n = width * height;
    std::vector<int> counts(n);
    std::vector<float> distances(n);
    std::vector<uchar3> picture(n);

    int *d_counts;
    float *d_distances;
    uchar3 *d_picture;
    CHECK(cudaMalloc(&d_counts, n * sizeof(int)));
    CHECK(cudaMalloc(&d_distances, n * sizeof(float)));
    CHECK(cudaMalloc(&d_picture, n * sizeof(uchar3)));

    dim3 block(16, 16);
    dim3 grid(blocks_for(width, block.x), blocks_for(height, block.y));
    double ms =
        best_ms([&] { iterate<<<grid, block>>>(d_counts, d_distances); }, 3);
    colour<<<blocks_for(n, 256), 256>>>(d_picture, d_counts, d_distances);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(counts.data(), d_counts, n * sizeof(int),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(distances.data(), d_distances, n * sizeof(float),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(picture.data(), d_picture, n * sizeof(uchar3),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_counts));
    CHECK(cudaFree(d_distances));
    CHECK(cudaFree(d_picture));

    // Every 32nd row, pixel by pixel; each iteration is 8 operations.
    bool ok = true;
    double total = 0;
    for (int i = 0; i < n; i++)
        total += counts[i];
    for (int py = 0; py < height; py += 32) {
        for (int px = 0; px < width; px++) {
            float distance;
            int i = py * width + px;
            int want = iterations(coordinate(centre_x, px, width),
                                  coordinate(centre_y, py, height), &distance);
            ok = ok && counts[i] == want && distances[i] == distance;
        }
    }
    ok = write_png(path, picture, width, height) && ok;
    std::printf("%d x %d pixels, %.0f iterations each on average, in %s: ",
                width, height, total / n, path);
    return report({"mandelbrot", ok, ms, 0, 8 * total});
}
