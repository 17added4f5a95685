// SPDX-License-Identifier: Apache-2.0
// A mesh of vertices that a kernel moves and OpenGL draws, through the runtime
// API and through the driver API. The picture has a lit pixel wherever the host
// says that a vertex is.
#include "opengl.h"

#include <cuda.h>
#include <cudaGL.h>
#include <cuda_gl_interop.h>

#include <cmath>
#include <vector>

enum {
    SIDE = 64, // vertices along a side of the mesh, and pixels of the picture
    COUNT = SIDE * SIDE,
    ARRAY_BUFFER = 0x8892,
    DYNAMIC_DRAW = 0x88E8,
    FRAMEBUFFER = 0x8D40,
    RENDERBUFFER = 0x8D41
};

static int failures;

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("line %d: not so: %s\n", __LINE__, #condition);             \
            failures++;                                                        \
        }                                                                      \
    } while (0)

__host__ __device__ static float4 place(unsigned x, unsigned y, float time)
{
    float u = x / (SIDE / 2.0f) - 1, v = y / (SIDE / 2.0f) - 1;
    return make_float4(u, v * 0.25f + sinf(u * 4 + time) * 0.5f, 0, 1);
}

__global__ void move_vertices(float4 *positions, float time)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    positions[y * SIDE + x] = place(x, y, time);
}

// ---- OpenGL ----------------------------------------------------------------

static unsigned make_vertices()
{
    unsigned buffer = 0;
    GL(void, glGenBuffers, int, unsigned *)(1, &buffer);
    GL(void, glBindBuffer, unsigned, unsigned)(ARRAY_BUFFER, buffer);
    GL(void, glBufferData, unsigned, intptr_t, const void *, unsigned)
    (ARRAY_BUFFER, COUNT * sizeof(float4), nullptr, DYNAMIC_DRAW);
    return buffer;
}

static void make_canvas()
{
    unsigned canvas = 0, frame = 0;
    GL(void, glGenRenderbuffers, int, unsigned *)(1, &canvas);
    GL(void, glBindRenderbuffer, unsigned, unsigned)(RENDERBUFFER, canvas);
    GL(void, glRenderbufferStorage, unsigned, unsigned, int, int)
    (RENDERBUFFER, 0x8058 /* GL_RGBA8 */, SIDE, SIDE);
    GL(void, glGenFramebuffers, int, unsigned *)(1, &frame);
    GL(void, glBindFramebuffer, unsigned, unsigned)(FRAMEBUFFER, frame);
    GL(void, glFramebufferRenderbuffer, unsigned, unsigned, unsigned, unsigned)
    (FRAMEBUFFER, 0x8CE0 /* GL_COLOR_ATTACHMENT0 */, RENDERBUFFER, canvas);
    GL(void, glViewport, int, int, int, int)(0, 0, SIDE, SIDE);
}

static std::vector<unsigned char> draw(unsigned buffer)
{
    std::vector<unsigned char> picture(SIDE * SIDE * 4);
    GL(void, glClear, unsigned)(0x4000 /* GL_COLOR_BUFFER_BIT */);
    GL(void, glBindBuffer, unsigned, unsigned)(ARRAY_BUFFER, buffer);
    GL(void, glVertexPointer, int, unsigned, int, const void *)
    (4, 0x1406 /* GL_FLOAT */, 0, nullptr);
    GL(void, glEnableClientState, unsigned)(0x8074 /* GL_VERTEX_ARRAY */);
    GL(void, glDrawArrays, unsigned, int, int)(0 /* GL_POINTS */, 0, COUNT);
    GL(void, glReadPixels, int, int, int, int, unsigned, unsigned, void *)
    (0, 0, SIDE, SIDE, 0x1908, 0x1401, picture.data());
    return picture;
}

// Every vertex, wherever rounding puts it, and little else.
static bool shows(const std::vector<unsigned char> &picture, float time)
{
    std::vector<bool> near(SIDE * SIDE);
    for (unsigned i = 0; i < COUNT; i++) {
        float4 p = place(i % SIDE, i / SIDE, time);
        int x = int((p.x + 1) / 2 * SIDE), y = int((p.y + 1) / 2 * SIDE);
        bool lit = false;
        for (int k = 0; k < 9; k++) {
            int at_x = x + k % 3 - 1, at_y = y + k / 3 - 1;
            if (at_x < 0 || at_y < 0 || at_x >= SIDE || at_y >= SIDE)
                continue;
            near[at_y * SIDE + at_x] = true;
            lit = lit || picture[(at_y * SIDE + at_x) * 4];
        }
        if (!lit)
            return false;
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        if (picture[i * 4] && !near[i])
            return false;
    return true;
}

// ---- the runtime API -------------------------------------------------------

static void animate(unsigned buffer)
{
    cudaGraphicsResource *vertices;
    const dim3 block(16, 16), grid(SIDE / 16, SIDE / 16);
    EXPECT(!cudaGraphicsGLRegisterBuffer(&vertices, buffer,
                                         cudaGraphicsMapFlagsWriteDiscard));
    for (int frame = 0; frame < 5; frame++) {
        float4 *positions;
        size_t size_bytes;
        EXPECT(!cudaGraphicsMapResources(1, &vertices, 0));
        EXPECT(!cudaGraphicsResourceGetMappedPointer((void **)&positions,
                                                     &size_bytes, vertices));
        move_vertices<<<grid, block>>>(positions, frame * 0.3f);
        EXPECT(!cudaGraphicsUnmapResources(1, &vertices, 0));
        EXPECT(shows(draw(buffer), frame * 0.3f));
    }
    EXPECT(!shows(draw(buffer), 0)); // it has moved
    EXPECT(!cudaGraphicsUnregisterResource(vertices));
}

// ---- the driver API --------------------------------------------------------

static void animate_by_driver(unsigned buffer, CUfunction kernel)
{
    CUgraphicsResource vertices;
    EXPECT(!cuGraphicsGLRegisterBuffer(&vertices, buffer, 0));
    EXPECT(!cuGraphicsResourceSetMapFlags(
        vertices, CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD));
    for (int frame = 0; frame < 5; frame++) {
        CUdeviceptr positions;
        size_t size_bytes;
        float time = frame * 0.4f;
        void *args[] = {&positions, &time};
        EXPECT(!cuGraphicsMapResources(1, &vertices, 0));
        EXPECT(!cuGraphicsResourceGetMappedPointer(&positions, &size_bytes,
                                                   vertices));
        EXPECT(!cuLaunchKernel(kernel, SIDE / 16, SIDE / 16, 1, 16, 16, 1, 0, 0,
                               args, nullptr));
        EXPECT(!cuGraphicsUnmapResources(1, &vertices, 0));
        EXPECT(shows(draw(buffer), time));
    }
    EXPECT(!cuGraphicsUnregisterResource(vertices));
}

int main()
{
    cudaFunction_t kernel;
    opengl_make("egl");
    make_canvas();
    unsigned buffer = make_vertices();
    animate(buffer);
    EXPECT(!cudaGetFuncBySymbol(&kernel, (const void *)move_vertices));
    animate_by_driver(buffer, kernel);
    return failures ? 1 : 0;
}
