// SPDX-License-Identifier: Apache-2.0
//
// The product of two matrices, element by element, and tile by tile in shared
// memory: "Shared Memory". Matrices are structures by value that hold pointers;
// the kernels are declared with const parameters and defined without.
#include "../check.h"

#define TILE 16

struct matrix {
    int width, height;
    int stride; // elements from one row to the next
    float *elements;
};

// ---- element by element -----------------------------------------------------

__global__ void multiply_plain(const matrix, const matrix, matrix);
__global__ void multiply_tiled(const matrix, const matrix, matrix);

typedef void kernel(const matrix, const matrix, matrix);

static matrix on_device(const matrix &host)
{
    matrix m = host;
    size_t bytes = m.width * m.height * sizeof(float);
    CHECK(cudaMalloc(&m.elements, bytes));
    CHECK(cudaMemcpy(m.elements, host.elements, bytes, cudaMemcpyHostToDevice));
    return m;
}

static void multiply(kernel *k, const matrix a, const matrix b, matrix c)
{
    matrix device_a = on_device(a), device_b = on_device(b);
    matrix device_c = on_device(c);
    dim3 block(TILE, TILE);
    dim3 grid(b.width / block.x, a.height / block.y);
    k<<<grid, block>>>(device_a, device_b, device_c);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(c.elements, device_c.elements,
                     c.width * c.height * sizeof(float),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_a.elements));
    CHECK(cudaFree(device_b.elements));
    CHECK(cudaFree(device_c.elements));
}

__global__ void multiply_plain(matrix a, matrix b, matrix c)
{
    float value = 0;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = 0; e < a.width; ++e)
        value +=
            a.elements[row * a.width + e] * b.elements[e * b.width + column];
    c.elements[row * c.width + column] = value;
}

// ---- tile by tile -----------------------------------------------------------

__device__ float get(const matrix m, int row, int column)
{
    return m.elements[row * m.stride + column];
}

__device__ void set(matrix m, int row, int column, float value)
{
    m.elements[row * m.stride + column] = value;
}

__device__ matrix tile_of(matrix m, int row, int column)
{
    matrix tile;
    tile.width = TILE;
    tile.height = TILE;
    tile.stride = m.stride;
    tile.elements = &m.elements[m.stride * TILE * row + TILE * column];
    return tile;
}

__global__ void multiply_tiled(matrix a, matrix b, matrix c)
{
    int block_row = blockIdx.y, block_column = blockIdx.x;
    matrix mine = tile_of(c, block_row, block_column);
    int row = threadIdx.y, column = threadIdx.x;
    float value = 0;
    for (int t = 0; t < a.width / TILE; ++t) {
        matrix tile_a = tile_of(a, block_row, t);
        matrix tile_b = tile_of(b, t, block_column);
        // Declared in a loop, and yet once per block.
        __shared__ float as[TILE][TILE];
        __shared__ float bs[TILE][TILE];
        as[row][column] = get(tile_a, row, column);
        bs[row][column] = get(tile_b, row, column);
        __syncthreads();
        for (int e = 0; e < TILE; ++e)
            value += as[row][e] * bs[e][column];
        __syncthreads();
    }
    set(mine, row, column, value);
}

// ---- both -------------------------------------------------------------------

static matrix on_host(std::vector<float> &elements, int width, int height,
                      unsigned seed)
{
    elements.resize(width * height);
    for (size_t i = 0; i < elements.size(); i++)
        elements[i] = (float)(scramble(seed + i) % 16) - 8;
    return {width, height, width, elements.data()};
}

// Small integers: the sums are exact in any order.
static void against_host(const char *name, kernel *k)
{
    std::vector<float> ea, eb, ec, want;
    matrix a = on_host(ea, 80, 48, 1), b = on_host(eb, 64, 80, 99);
    matrix c = on_host(ec, 64, 48, 7);
    for (int row = 0; row < c.height; row++)
        for (int column = 0; column < c.width; column++) {
            float sum = 0;
            for (int e = 0; e < a.width; e++)
                sum += ea[row * a.width + e] * eb[e * b.width + column];
            want.push_back(sum);
        }
    multiply(k, a, b, c);
    expect_same(name, ec.data(), want.data(), want.size());
}

static void plain_product()
{
    against_host("plain", multiply_plain);
}

static void tiled_product()
{
    against_host("tiled", multiply_tiled);
}

int main()
{
    plain_product();
    tiled_product();
    return finish();
}
