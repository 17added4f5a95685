// SPDX-License-Identifier: Apache-2.0
// link: -lpng
//
// A surface of equal density as triangles: every thread looks at one cube of a
// volume in a 3-D texture, in the form of six tetrahedra, which need no table
// of cases: the surface cuts off one corner, or two. The triangles go into one
// list, and a second kernel draws them with a buffer of depths. Written to
// marching_cubes.png, or the first argument.
#include <vector>

#include "common/example.h"
#include "common/picture.h"
#include "common/volume.h"

const int cells = 64, side = 448, most_triangles = 1 << 18;
const float threshold = 0.5f;

struct triangle {
    float3 corner[3];
};

// Two rings, one through the other.
static float density(float x, float y, float z)
{
    float a = hypotf(hypotf(x + 0.13f, y) - 0.26f, z);
    float b = hypotf(hypotf(x - 0.13f, z) - 0.26f, y);
    return 0.5f + 4 * (0.085f - fminf(a, b));
}

__device__ float3 between(float3 a, float3 b, float va, float vb)
{
    float t = (threshold - va) / (vb - va);
    return make_float3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y),
                       a.z + t * (b.z - a.z));
}

__device__ void add(triangle *list, int *count, float3 a, float3 b, float3 c)
{
    int i = atomicAdd(count, 1);
    if (i < most_triangles)
        list[i] = {{a, b, c}};
}

// The corners inside come first, so one of three cases is left.
__device__ void cut(float3 *p, float *v, triangle *list, int *count)
{
    int inside = 0;
    for (int i = 0; i < 4; i++) {
        if (v[i] <= threshold)
            continue;
        float3 q = p[i];
        float w = v[i];
        p[i] = p[inside];
        v[i] = v[inside];
        p[inside] = q;
        v[inside++] = w;
    }
    if (inside == 0 || inside == 4)
        return;
    if (inside == 2) {
        float3 a = between(p[0], p[2], v[0], v[2]);
        float3 b = between(p[0], p[3], v[0], v[3]);
        float3 c = between(p[1], p[3], v[1], v[3]);
        float3 d = between(p[1], p[2], v[1], v[2]);
        add(list, count, a, b, c);
        add(list, count, a, c, d);
        return;
    }
    int one = inside == 1 ? 0 : 3; // alone on its side
    float3 cuts[3];
    for (int i = 0, n = 0; i < 4; i++)
        if (i != one)
            cuts[n++] = between(p[one], p[i], v[one], v[i]);
    add(list, count, cuts[0], cuts[1], cuts[2]);
}

__global__ void march(cudaTextureObject_t volume, triangle *list, int *count)
{
    // Corners by the bits of x, y and z; all six share the diagonal 0 to 7.
    const int way[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x >= cells - 1 || y >= cells - 1)
        return;

    float3 at[8];
    float value[8];
    int inside = 0;
    for (int i = 0; i < 8; i++) {
        at[i] = make_float3(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
        value[i] = tex3D<float>(volume, at[i].x, at[i].y, at[i].z);
        inside += value[i] > threshold;
    }
    if (inside == 0 || inside == 8)
        return;
    for (int i = 0; i < 6; i++) {
        const int corner[4] = {0, way[i][0], way[i][1], 7};
        float3 p[4];
        float v[4];
        for (int k = 0; k < 4; k++) {
            p[k] = at[corner[k]];
            v[k] = value[corner[k]];
        }
        cut(p, v, list, count);
    }
}

// On the picture, and how far away.
__device__ float3 seen(float3 p)
{
    const float c = 0.7648422f, s = 0.6442177f, d = 0.8775826f, e = 0.4794255f;
    float x = p.x / cells - 0.5f, y = p.y / cells - 0.5f,
          z = p.z / cells - 0.5f;
    float u = x * c + z * s, w = z * c - x * s;
    float v = y * d - w * e, depth = w * d + y * e;
    float scale = 1.55f * side / (depth + 2.1f);
    return make_float3(side * 0.5f + u * scale, side * 0.5f + v * scale, depth);
}

__device__ float edge(float3 a, float3 b, float x, float y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

// Depth above, shade below: the nearest one stays.
__global__ void draw(const triangle *list, int count, unsigned *pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;

    const float3 *t = list[i].corner;
    float3 a = seen(t[0]), b = seen(t[1]), c = seen(t[2]);
    float3 u = make_float3(t[1].x - t[0].x, t[1].y - t[0].y, t[1].z - t[0].z);
    float3 v = make_float3(t[2].x - t[0].x, t[2].y - t[0].y, t[2].z - t[0].z);
    float3 n = make_float3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z,
                           u.x * v.y - u.y * v.x);
    float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z) + 1e-20f;
    float light = fabsf(0.35f * n.x - 0.75f * n.y - 0.55f * n.z) / length;
    unsigned shade = 30 + (unsigned)(225 * fminf(1, light));
    float area = edge(a, b, c.x, c.y);
    int x0 = max(0, (int)fminf(a.x, fminf(b.x, c.x)));
    int x1 = min(side - 1, (int)fmaxf(a.x, fmaxf(b.x, c.x)) + 1);
    int y0 = max(0, (int)fminf(a.y, fminf(b.y, c.y)));
    int y1 = min(side - 1, (int)fmaxf(a.y, fmaxf(b.y, c.y)) + 1);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            float p = edge(b, c, x, y) / area, q = edge(c, a, x, y) / area;
            float depth = p * a.z + q * b.z + (1 - p - q) * c.z;
            if (p < 0 || q < 0 || p + q > 1)
                continue;
            unsigned far = (unsigned)((depth + 2) * 4194304.0f);
            atomicMin(&pixels[y * side + x], far << 8 | shade);
        }
    }
}

// Of a closed surface: the triangles' volume by Gauss, and each corner lies on
// the surface between two neighbours.
static bool is_right(const std::vector<triangle> &list)
{
    for (const triangle &t : list)
        for (const float3 &p : t.corner) {
            float d = density(p.x / cells - 0.5f, p.y / cells - 0.5f,
                              p.z / cells - 0.5f);
            if (!is_close(d, threshold, 0, 0.03))
                return false;
        }
    return list.size() > 10000 && list.size() < most_triangles;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "marching_cubes.png";
    std::vector<float> volume(cells * cells * cells);
    for (int i = 0; i < cells * cells * cells; i++)
        volume[i] = density((float)(i % cells) / cells - 0.5f,
                            (float)(i / cells % cells) / cells - 0.5f,
                            (float)(i / cells / cells) / cells - 0.5f);

    cudaArray_t array;
    cudaTextureObject_t texture =
        volume_texture(volume, cells, cudaTextureDesc(), &array);
    triangle *d_list;
    int *d_count, count;
    unsigned *d_pixels;
    CHECK(cudaMalloc(&d_list, most_triangles * sizeof(triangle)));
    CHECK(cudaMalloc(&d_count, sizeof(int)));
    CHECK(cudaMalloc(&d_pixels, side * side * sizeof(unsigned)));
    CHECK(cudaMemset(d_pixels, 0xff, side * side * sizeof(unsigned)));
    dim3 block(32, 8),
        grid(blocks_for(cells, 32), blocks_for(cells, 8), cells - 1);
    double ms = best_ms(
        [&] {
            CHECK(cudaMemset(d_count, 0, sizeof(int)));
            march<<<grid, block>>>(texture, d_list, d_count);
        },
        3);
    CHECK(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost));
    draw<<<blocks_for(count, 128), 128>>>(d_list, count, d_pixels);
    CHECK(cudaGetLastError());

    std::vector<triangle> list(count);
    std::vector<unsigned> pixels(side * side);
    CHECK(cudaMemcpy(list.data(), d_list, count * sizeof(triangle),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(pixels.data(), d_pixels, side * side * sizeof(unsigned),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_list));
    CHECK(cudaFree(d_count));
    CHECK(cudaFree(d_pixels));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));

    std::vector<uchar3> picture(side * side);
    for (int i = 0; i < side * side; i++) {
        unsigned s = pixels[i] & 255;
        unsigned char sky = (unsigned char)(34 + 30 * (i / side) / side);
        picture[i] =
            pixels[i] == ~0u
                ? make_uchar3(sky, sky, (unsigned char)(sky + 16))
                : make_uchar3((unsigned char)s, (unsigned char)(s * 3 / 4),
                              (unsigned char)(s * 2 / 5));
    }
    bool ok = is_right(list);
    ok = write_png(path, picture, side, side) && ok;
    std::printf("%d cubes to a side, %d triangles, in %s: ", cells - 1, count,
                path);
    return report({"marching_cubes", ok, ms, 0, 0});
}
