// SPDX-License-Identifier: Apache-2.0
// Programs on volumes and cubes as users write them, each beside the same in
// C++: rays through a volume, an environment in a cube map, colors by a table
// of three dimensions, a sparse volume of bricks.
#include "check.h"

#include <cmath>

enum { WIDTH = 32, HEIGHT = 24 };

static const dim3 threads(8, 8), blocks(WIDTH / 8, HEIGHT / 8);
#define HERE                                                                   \
    int x = blockIdx.x * blockDim.x + threadIdx.x;                             \
    int y = blockIdx.y * blockDim.y + threadIdx.y

template <typename T>
static cudaArray_t make_volume(const std::vector<T> &v, int w, int h, int d,
                               unsigned flags = 0)
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<T>();
    cudaArray_t a;
    CHECK(cudaMalloc3DArray(&a, &c, make_cudaExtent(w, h, d), flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)v.data(), w * sizeof(T), w, h);
    copy.dstArray = a;
    copy.extent = make_cudaExtent(w, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return a;
}

static cudaTextureObject_t
texture_of(cudaArray_t a, bool is_linear, bool is_normalized,
           cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    for (cudaTextureAddressMode &mode : d.addressMode)
        mode = cudaAddressModeClamp;
    d.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.readMode = read;
    d.normalizedCoords = is_normalized;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

static int limited(int i, int size)
{
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static float blend(float a, float b, float part)
{
    return a + (b - a) * part;
}

// A volume's filter between eight texels; coordinates count texels.
template <typename Texel>
static float filtered(float x, float y, float z, Texel texel)
{
    float at[3] = {x - 0.5f, y - 0.5f, z - 0.5f}, v[8], part[3];
    int first[3];
    for (int d = 0; d < 3; d++) {
        float fixed = floorf(at[d] * 256 + 0.5f) / 256;
        first[d] = (int)floorf(fixed);
        part[d] = fixed - first[d];
    }
    for (int i = 0; i < 8; i++)
        v[i] = texel(first[0] + (i & 1), first[1] + (i >> 1 & 1),
                     first[2] + (i >> 2));
    for (int i = 0; i < 4; i++)
        v[i] = blend(v[2 * i], v[2 * i + 1], part[0]);
    return blend(blend(v[0], v[1], part[1]), blend(v[2], v[3], part[1]),
                 part[2]);
}

// ---- rays ------------------------------------------------------------------

enum { SIDE = 20, STEPS = 40 };

// Density along a ray, with the light that reaches each place.
template <typename Volume>
static __host__ __device__ float marched(int x, int y, Volume volume)
{
    float u = (x + 0.5f) / WIDTH, v = (y + 0.5f) / HEIGHT;
    float seen = 0, left = 1;
    for (int i = 0; i < STEPS && left > 0.01f; i++) {
        float z = (i + 0.5f) / STEPS;
        float px = u + (z - 0.5f) * 0.3f, py = v - (z - 0.5f) * 0.2f;
        float density = volume(px, py, z);
        float light = 1 - volume(px - 0.1f, py - 0.1f, z);
        float part = density * 0.12f;
        seen += left * part * light;
        left *= 1 - part;
    }
    return seen;
}

struct volume_texture {
    cudaTextureObject_t t;
    __device__ float operator()(float x, float y, float z) const
    {
        return tex3D<float>(t, x, y, z);
    }
};

__global__ void march(cudaTextureObject_t t, float *out)
{
    HERE;
    out[y * WIDTH + x] = marched(x, y, volume_texture{t});
}

static void check_rays()
{
    std::vector<unsigned char> v(SIDE * SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        int x = i % SIDE - 10, y = i / SIDE % SIDE - 9,
            z = i / SIDE / SIDE - 11;
        int r = x * x + y * y + z * z;
        v[i] = r < 80 ? 255 - 3 * r : (x * y * z & 15);
    }
    cudaArray_t a = make_volume(v, SIDE, SIDE, SIDE);
    cudaTextureObject_t t =
        texture_of(a, true, true, cudaReadModeNormalizedFloat);
    buffer<float> got(WIDTH * HEIGHT);
    march<<<blocks, threads>>>(t, got.device);
    got.download();
    auto texel = [&](int x, int y, int z) {
        return v[(limited(z, SIDE) * SIDE + limited(y, SIDE)) * SIDE +
                 limited(x, SIDE)] /
               255.0f;
    };
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        float want =
            marched(i % WIDTH, i / WIDTH, [&](float x, float y, float z) {
                return filtered(x * SIDE, y * SIDE, z * SIDE, texel);
            });
        if (!(fabsf(got[i] - want) < 5e-3f))
            FAIL("ray %d: %g, should be %g", i, got[i], want);
    }
    CHECK(cudaFreeArray(a));
}

// ---- an environment --------------------------------------------------------

enum { FACE = 16 };

// What a ball in the middle of the picture reflects.
static __host__ __device__ float3 reflected(int x, int y)
{
    float u = (x + 0.5f) / WIDTH * 2 - 1, v = (y + 0.5f) / HEIGHT * 2 - 1;
    float r = u * u + v * v;
    if (r >= 1)
        return make_float3(u, v, -1);
    float n = sqrtf(1 - r); // the ball's normal: (u, v, n); we look along -z
    return make_float3(2 * n * u, 2 * n * v, 2 * n * n - 1);
}

__global__ void mirror(cudaTextureObject_t t, float4 *out)
{
    HERE;
    float3 d = reflected(x, y);
    out[y * WIDTH + x] = texCubemap<float4>(t, d.x, d.y, d.z);
}

// The guide's table of faces.
static int face_of(float3 d, float *s, float *t)
{
    float a = fabsf(d.x), b = fabsf(d.y), c = fabsf(d.z), m, u, v;
    int face;
    if (a >= b && a >= c) {
        face = d.x < 0;
        m = a, u = d.x < 0 ? d.z : -d.z, v = -d.y;
    } else if (b >= c) {
        face = 2 + (d.y < 0);
        m = b, u = d.x, v = d.y < 0 ? -d.z : d.z;
    } else {
        face = 4 + (d.z < 0);
        m = c, u = d.z < 0 ? -d.x : d.x, v = -d.y;
    }
    *s = (u / m + 1) / 2;
    *t = (v / m + 1) / 2;
    return face;
}

static void check_environment()
{
    std::vector<float4> v(6 * FACE * FACE);
    for (int i = 0; i < 6 * FACE * FACE; i++) {
        int x = i % FACE, y = i / FACE % FACE, f = i / FACE / FACE;
        v[i] = make_float4(x, y, f * 10, (x ^ y) & 3);
    }
    cudaArray_t a = make_volume(v, FACE, FACE, 6, cudaArrayCubemap);
    cudaTextureObject_t t = texture_of(a, true, true);
    buffer<float4> got(WIDTH * HEIGHT);
    mirror<<<blocks, threads>>>(t, got.device);
    got.download();
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        float s, u;
        int face = face_of(reflected(i % WIDTH, i / WIDTH), &s, &u);
        for (int c = 0; c < 4; c++) {
            float want =
                filtered(s * FACE, u * FACE, 0.5f, [&](int x, int y, int) {
                    x = limited(x, FACE), y = limited(y, FACE);
                    return (&v[(face * FACE + y) * FACE + x].x)[c];
                });
            float is = (&got[i].x)[c];
            if (!(fabsf(is - want) < 0.02f))
                FAIL("direction %d, channel %d: %g, should be %g", i, c, is,
                     want);
        }
    }
    CHECK(cudaFreeArray(a));
}

// ---- colors by a table -----------------------------------------------------

enum { TABLE = 9 };

__global__ void grade(cudaTextureObject_t picture, cudaTextureObject_t table,
                      cudaSurfaceObject_t to)
{
    HERE;
    float4 c = tex2D<float4>(picture, x, y);
    float scale = (TABLE - 1.0f) / TABLE, offset = 0.5f / TABLE;
    float4 v = tex3D<float4>(table, c.x * scale + offset, c.y * scale + offset,
                             c.z * scale + offset);
    surf2Dwrite(make_uchar4(v.x * 255 + 0.5f, v.y * 255 + 0.5f,
                            v.z * 255 + 0.5f, c.w * 255),
                to, x * 4, y);
}

static void check_colors()
{
    std::vector<uchar4> picture(WIDTH * HEIGHT), got(WIDTH * HEIGHT);
    std::vector<float4> table(TABLE * TABLE * TABLE);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        picture[i] = make_uchar4(i * 5, i * 3 + i / 32, 255 - i, i);
    for (int i = 0; i < TABLE * TABLE * TABLE; i++) {
        float r = i % TABLE / 8.0f, g = i / TABLE % TABLE / 8.0f;
        float b = i / TABLE / TABLE / 8.0f;
        table[i] = make_float4(r * r, 1 - g, (r + b) / 2, 1);
    }
    cudaArray_t a = make_volume(table, TABLE, TABLE, TABLE), from, to;
    cudaChannelFormatDesc c = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMallocArray(&from, &c, WIDTH, HEIGHT));
    CHECK(cudaMallocArray(&to, &c, WIDTH, HEIGHT, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(from, 0, 0, picture.data(), WIDTH * 4, WIDTH * 4,
                              HEIGHT, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = to;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    grade<<<blocks, threads>>>(
        texture_of(from, false, false, cudaReadModeNormalizedFloat),
        texture_of(a, true, true), s);
    CHECK_KERNEL();
    CHECK(cudaMemcpy2DFromArray(got.data(), WIDTH * 4, to, 0, 0, WIDTH * 4,
                                HEIGHT, cudaMemcpyDeviceToHost));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        uchar4 p = picture[i], is = got[i];
        for (int k = 0; k < 3; k++) {
            float want =
                255 *
                filtered(p.x / 255.0f * 8 + 0.5f, p.y / 255.0f * 8 + 0.5f,
                         p.z / 255.0f * 8 + 0.5f, [&](int x, int y, int z) {
                             x = limited(x, TABLE);
                             y = limited(y, TABLE);
                             z = limited(z, TABLE);
                             return (&table[(z * TABLE + y) * TABLE + x].x)[k];
                         });
            if (!(fabsf((&is.x)[k] - want) < 1.5f))
                FAIL("color %d: %d, should be %g", i, (&is.x)[k], want);
        }
        EXPECT_EQ(is.w, p.w);
    }
    CHECK(cudaFreeArray(a));
    CHECK(cudaFreeArray(from));
    CHECK(cudaFreeArray(to));
}

// ---- a sparse volume -------------------------------------------------------

// A brick is 4 x 4 x 4 texels of the volume, and one more on each side, so that
// filters stay within it. Those that lie side by side in the pool are in use.
enum { BRICK = 4, PADDED = BRICK + 2, BRICKS = 5, POOL = 40 };

__global__ void look_up(cudaTextureObject_t index, cudaTextureObject_t pool,
                        float *out)
{
    HERE;
    float px = (x + 0.37f) / WIDTH * BRICKS * BRICK;
    float py = (y + 0.81f) / HEIGHT * BRICKS * BRICK;
    float pz = (x * 7 + y * 3) % 39 / 39.0f * BRICKS * BRICK;
    int bx = (int)(px / BRICK), by = (int)(py / BRICK), bz = (int)(pz / BRICK);
    short4 brick = tex3D<short4>(index, bx, by, bz);
    float v = -1;
    if (brick.w)
        v = tex3D<float>(pool, brick.x + 1 + px - bx * BRICK,
                         brick.y + 1 + py - by * BRICK,
                         brick.z + 1 + pz - bz * BRICK);
    out[y * WIDTH + x] = v;
}

static float field(int x, int y, int z)
{
    const int side = BRICKS * BRICK;
    x = limited(x, side), y = limited(y, side), z = limited(z, side);
    return (x * x + 3 * y + z * x) % 97 * 0.5f;
}

static void check_bricks()
{
    std::vector<short4> index(BRICKS * BRICKS * BRICKS);
    std::vector<float> pool(POOL * PADDED * PADDED * PADDED);
    int used = 0;
    for (int i = 0; i < BRICKS * BRICKS * BRICKS; i++) {
        int bx = i % BRICKS, by = i / BRICKS % BRICKS, bz = i / BRICKS / BRICKS;
        if ((bx + 2 * by + 3 * bz) % 4 == 0 && used < POOL) {
            index[i] = make_short4(used * PADDED, 0, 0, 1);
            for (int z = 0; z < PADDED; z++)
                for (int y = 0; y < PADDED; y++)
                    for (int x = 0; x < PADDED; x++)
                        pool[(z * PADDED + y) * POOL * PADDED + used * PADDED +
                             x] = field(bx * BRICK + x - 1, by * BRICK + y - 1,
                                        bz * BRICK + z - 1);
            used++;
        }
    }
    cudaArray_t i = make_volume(index, BRICKS, BRICKS, BRICKS);
    cudaArray_t p = make_volume(pool, POOL * PADDED, PADDED, PADDED);
    buffer<float> got(WIDTH * HEIGHT);
    look_up<<<blocks, threads>>>(texture_of(i, false, false),
                                 texture_of(p, true, false), got.device);
    got.download();
    int found = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        int x = k % WIDTH, y = k / WIDTH;
        float px = (x + 0.37f) / WIDTH * BRICKS * BRICK;
        float py = (y + 0.81f) / HEIGHT * BRICKS * BRICK;
        float pz = (x * 7 + y * 3) % 39 / 39.0f * BRICKS * BRICK;
        short4 brick =
            index[((int)(pz / BRICK) * BRICKS + (int)(py / BRICK)) * BRICKS +
                  (int)(px / BRICK)];
        float want = brick.w ? filtered(px, py, pz, field) : -1;
        found += brick.w;
        if (!(fabsf(got[k] - want) < 0.3f))
            FAIL("place %d: %g, should be %g", k, got[k], want);
    }
    EXPECT(found > 100 && found < WIDTH * HEIGHT - 100);
    CHECK(cudaFreeArray(i));
    CHECK(cudaFreeArray(p));
}

int main()
{
    check_rays();
    check_environment();
    check_colors();
    check_bricks();
    return finish();
}
