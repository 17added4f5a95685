// SPDX-License-Identifier: Apache-2.0
//
// Variables of the device that the host reads and writes by their names: an
// array of constants, a number, a pointer. "Device Memory".
#include <cmath>

#include "../check.h"

__constant__ float constants[256];
__device__ float number;
__device__ float *pointer;

__global__ void use(float *out)
{
    out[threadIdx.x] = constants[threadIdx.x] * number + pointer[threadIdx.x];
}

static void array_of_constants()
{
    float there[256], back[256];
    for (int i = 0; i < 256; i++)
        there[i] = i * 0.125f;
    CHECK(cudaMemcpyToSymbol(constants, there, sizeof there));
    CHECK(cudaMemcpyFromSymbol(back, constants, sizeof back));
    EXPECT(!std::memcmp(there, back, sizeof there));

    // A part of it, behind an offset.
    float two[2] = {-1.0f, -2.0f};
    CHECK(cudaMemcpyToSymbol(constants, two, sizeof two, 10 * sizeof(float)));
    CHECK(cudaMemcpyFromSymbol(back, constants, sizeof back));
    EXPECT(back[9] == there[9] && back[10] == -1 && back[11] == -2 &&
           back[12] == there[12]);
}

static void number_and_pointer()
{
    float value = 3.14f;
    CHECK(cudaMemcpyToSymbol(number, &value, sizeof value));
    float *memory;
    CHECK(cudaMalloc(&memory, 256 * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(pointer, &memory, sizeof memory));

    std::vector<float> offsets(256), factors(256), want(256);
    CHECK(cudaMemcpyFromSymbol(factors.data(), constants, 1024));
    for (int i = 0; i < 256; i++) {
        offsets[i] = 1000.0f - i;
        want[i] = std::fma(factors[i], value, offsets[i]);
    }
    CHECK(cudaMemcpy(memory, offsets.data(), 1024, cudaMemcpyHostToDevice));
    buffer<float> out(256);
    use<<<1, 256>>>(out.device);
    out.download();
    expect_same("constants, a number and a pointer", out, want);
    CHECK(cudaFree(memory));
}

static void address_and_size()
{
    void *address = nullptr;
    size_t bytes = 0;
    float value = 0;
    CHECK(cudaGetSymbolAddress(&address, number));
    CHECK(cudaGetSymbolSize(&bytes, number));
    EXPECT_EQ(bytes, sizeof number);
    CHECK(cudaMemcpy(&value, address, bytes, cudaMemcpyDeviceToHost));
    EXPECT(value == 3.14f);
    CHECK(cudaGetSymbolSize(&bytes, constants));
    EXPECT_EQ(bytes, sizeof constants);
    CHECK(cudaGetSymbolSize(&bytes, pointer));
    EXPECT_EQ(bytes, sizeof(float *));
}

int main()
{
    array_of_constants();
    number_and_pointer();
    address_and_size();
    return finish();
}
