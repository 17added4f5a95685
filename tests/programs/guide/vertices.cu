// SPDX-License-Identifier: Apache-2.0
//
// The kernel that moves a sine wave through a mesh of vertices, which the
// chapters on OpenGL and Direct3D let draw; here into plain memory. The fourth
// number of a vertex is one, or a colour's bits.
#include <cmath>

#include "../check.h"

template <bool COLOURED>
__global__ void move_vertices(float4 *positions, float time, unsigned width,
                              unsigned height)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x / (float)width, v = y / (float)height;
    u = u * 2.0f - 1.0f;
    v = v * 2.0f - 1.0f;
    float frequency = 4.0f;
    float w = sinf(u * frequency + time) * cosf(v * frequency + time) * 0.5f;
    if (COLOURED)
        positions[y * width + x] =
            make_float4(u, w, v, __int_as_float(0xff00ff00));
    else
        positions[y * width + x] = make_float4(u, w, v, 1.0f);
}

template <bool COLOURED> static void mesh()
{
    const unsigned width = 64, height = 48;
    buffer<float4> positions(width * height);
    dim3 block(16, 16, 1);
    dim3 grid(width / block.x, height / block.y, 1);
    for (float time : {0.0f, 0.25f, 2.0f}) {
        move_vertices<COLOURED>
            <<<grid, block>>>(positions.device, time, width, height);
        positions.download();
        unsigned want_bits = COLOURED ? 0xff00ff00u : 0x3f800000u, bits;
        int wrong = 0;
        for (unsigned i = 0; i < width * height; i++) {
            float u = i % width / (float)width * 2 - 1;
            float v = i / width / (float)height * 2 - 1;
            float w = std::sin(u * 4 + time) * std::cos(v * 4 + time) * 0.5f;
            const float4 &p = positions[i];
            std::memcpy(&bits, &p.w, sizeof bits);
            wrong += p.x != u || p.z != v || std::fabs(p.y - w) > 1e-6f ||
                     bits != want_bits;
        }
        EXPECT_EQ(wrong, 0);
    }
}

int main()
{
    mesh<false>();
    mesh<true>();
    return finish();
}
