// SPDX-License-Identifier: Apache-2.0
//
// Memory with padded rows: "Device Memory". Kernels that walk it in two and in
// three dimensions by the pitch they are given, copies of rectangles and boxes
// there and back.
#include "../check.h"

// ---- two dimensions ---------------------------------------------------------

// Every thread walks all rows; block b of them adds up row b.
__global__ void walk_rows(const float *base, size_t pitch, int width,
                          int height, float *row_sums)
{
    for (int row = 0; row < height; row++) {
        const float *line = (const float *)((const char *)base + row * pitch);
        float sum = 0;
        for (int column = 0; column < width; column++)
            sum += line[column];
        if (row == (int)blockIdx.x && threadIdx.x == 0)
            row_sums[row] = sum;
    }
}

static void rows_of_a_rectangle()
{
    const int width = 64, height = 20;
    std::vector<float> host(width * height), want(height, 0.0f);
    for (int i = 0; i < width * height; i++) {
        host[i] = (float)(i % 101);
        want[i / width] += host[i];
    }
    float *base;
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&base, &pitch, width * sizeof(float), height));
    EXPECT(pitch >= width * sizeof(float) && pitch % 256 == 0);
    CHECK(cudaMemcpy2D(base, pitch, host.data(), width * sizeof(float),
                       width * sizeof(float), height, cudaMemcpyHostToDevice));
    buffer<float> sums(height);
    walk_rows<<<100, 64>>>(base, pitch, width, height, sums.device);
    sums.download();
    expect_same("sums of rows", sums, want);
    CHECK(cudaFree(base));
}

// The element of row r and column c lies at (T *)((char *)base + r * pitch) +
// c.
template <typename T>
static __device__ T *element(T *base, int pitch, int row, int column)
{
    return (T *)((char *)base + row * pitch) + column;
}

__global__ void add_one(int *base, int pitch, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            *element(base, pitch, i, j) += 1;
}

static void small_rectangle()
{
    const int rows = 5, columns = 6;
    int host[rows][columns], back[rows][columns] = {};
    for (int i = 0; i < rows * columns; i++)
        host[i / columns][i % columns] = i;
    int *base;
    size_t pitch;
    CHECK(cudaMallocPitch((void **)&base, &pitch, columns * sizeof(int), rows));
    EXPECT(pitch > columns * sizeof(int));
    CHECK(cudaMemcpy2D(base, pitch, host, sizeof host[0], sizeof host[0], rows,
                       cudaMemcpyHostToDevice));
    add_one<<<1, 1>>>(base, pitch, rows, columns);
    CHECK(cudaMemcpy2D(back, sizeof back[0], base, pitch, sizeof host[0], rows,
                       cudaMemcpyDeviceToHost));
    for (int i = 0; i < rows * columns; i++)
        EXPECT_EQ(back[i / columns][i % columns], i + 1);
    CHECK(cudaFree(base));
}

// ---- three dimensions -------------------------------------------------------

// The pitched pointer and the extent are parameters by value.
__global__ void walk_box(cudaPitchedPtr box, cudaExtent extent, float *sums)
{
    char *base = (char *)box.ptr;
    size_t pitch = box.pitch, slice_pitch = pitch * extent.height;
    for (int z = blockIdx.x; z < (int)extent.depth; z += gridDim.x) {
        char *slice = base + z * slice_pitch;
        for (int y = threadIdx.x; y < (int)extent.height; y += blockDim.x) {
            float *row = (float *)(slice + y * pitch);
            float sum = 0;
            for (int x = 0; x < (int)(extent.width / sizeof(float)); x++)
                sum += row[x];
            sums[z * extent.height + y] = sum;
        }
    }
}

static void rows_of_a_box()
{
    const int width = 20, height = 13, depth = 7;
    std::vector<float> host(width * height * depth);
    std::vector<float> want(height * depth, 0.0f);
    for (int i = 0; i < width * height * depth; i++) {
        host[i] = (float)(scramble(i) % 64);
        want[i / width] += host[i];
    }
    cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, extent));
    EXPECT(box.pitch >= extent.width && box.ptr);

    cudaMemcpy3DParms copy = {0};
    copy.srcPtr =
        make_cudaPitchedPtr(host.data(), width * sizeof(float), width, height);
    copy.dstPtr = box;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    buffer<float> sums(height * depth);
    walk_box<<<100, 512>>>(box, extent, sums.device);
    sums.download();
    expect_same("sums in a box", sums, want);
    CHECK(cudaFree(box.ptr));
}

// There and back without a kernel.
static void box_there_and_back()
{
    const int width = 2, height = 3, depth = 4;
    float host[depth][height][width], back[depth][height][width] = {};
    for (int i = 0; i < width * height * depth; i++)
        (&host[0][0][0])[i] = i + 0.25f;
    cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, extent));

    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(host, sizeof host[0][0], width, height);
    copy.dstPtr = box;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    copy = {0};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(back, sizeof back[0][0], width, height);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    EXPECT(!std::memcmp(host, back, sizeof host));
    CHECK(cudaFree(box.ptr));
}

int main()
{
    rows_of_a_rectangle();
    small_rectangle();
    rows_of_a_box();
    box_there_and_back();
    return finish();
}
