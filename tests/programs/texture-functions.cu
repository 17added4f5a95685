// SPDX-License-Identifier: Apache-2.0
// also: WEFT_GATHERS=vector
// also: WEFT_GATHERS=loads
// Every texture function, through objects and through references, by value, by
// pointer and with a residency flag: a texel's value says where it is, and each
// lane compares what it gets with where it asked. Textures are made by surface
// functions of every geometry. The types of texels: texture-types.cu.
#include "check.h"

enum { SIDE = 8, LAYERS = 3, LEVELS = 3, LANES = 32 };
enum shape { ROW, ROWS, PLANE, PLANES, BOX, CUBE, CUBES, SHAPES };

texture<int4, cudaTextureType1D> row;
texture<int4, cudaTextureType1DLayered> rows;
texture<int4, cudaTextureType2D> plane;
texture<int4, cudaTextureType2DLayered> planes;
texture<int4, cudaTextureType3D> box;
texture<int4, cudaTextureTypeCubemap> cube;
texture<int4, cudaTextureTypeCubemapLayered> cubes;
texture<int4, cudaTextureType1D> numbers;
surface<void, cudaSurfaceType1D> row_surface;
surface<void, cudaSurfaceType1DLayered> rows_surface;
surface<void, cudaSurfaceType2D> plane_surface;
surface<void, cudaSurfaceType2DLayered> planes_surface;
surface<void, cudaSurfaceType3D> box_surface;
surface<void, cudaSurfaceTypeCubemap> cube_surface;
surface<void, cudaSurfaceTypeCubemapLayered> cubes_surface;

struct objects {
    cudaTextureObject_t row, rows, plane, planes, box, cube, cubes, numbers;
};

// The first channel; the others follow from it.
static __host__ __device__ int number(int level, int z, int y, int x)
{
    return level * 10000 + z * 100 + y * 10 + x;
}

static __host__ __device__ int4 texel(int level, int z, int y, int x)
{
    int n = number(level, z, y, x);
    return make_int4(n, -n, n + 100000, ~n);
}

static __device__ bool same(int4 a, int4 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

// The middle of texel i of a level; each lane has its own along x.
static __device__ float middle(int i, int level)
{
    return (i + 0.5f) / (SIDE >> level);
}

static __device__ int own(int level)
{
    return threadIdx.x % (SIDE >> level);
}

// ---- fetches ---------------------------------------------------------------

// A function, its arguments, and the texel that it means: level, z, y, x.
// Levels are 0, 1 given, and 1 of gradients of two texels. Directions of cubes
// lead to face 0 (texel 5, 2) and face 3 (the same), and to texel (2, 1) of
// level 1.
#define TEXELS(X)                                                              \
    X(tex1D, row, (middle(own(0), 0)), 0, 0, 0, own(0))                        \
    X(tex1DLod, row, (middle(own(1), 1), 1.0f), 1, 0, 0, own(1))               \
    X(tex1DGrad, row, (middle(own(1), 1), 0.25f, 0.25f), 1, 0, 0, own(1))      \
    X(tex1DLayered, rows, (middle(own(0), 0), 2), 0, 2, 0, own(0))             \
    X(tex1DLayered, rows, (middle(own(0), 0), 99), 0, 2, 0, own(0))            \
    X(tex1DLayeredLod, rows, (middle(own(2), 2), 1, 2.0f), 2, 1, 0, own(2))    \
    X(tex1DLayeredGrad, rows, (middle(own(1), 1), 1, 0.25f, 0.25f), 1, 1, 0,   \
      own(1))                                                                  \
    X(tex2D, plane, (middle(own(0), 0), middle(3, 0)), 0, 0, 3, own(0))        \
    X(tex2DLod, plane, (middle(own(1), 1), middle(2, 1), 1.0f), 1, 0, 2,       \
      own(1))                                                                  \
    X(tex2DGrad, plane, (middle(own(1), 1), middle(3, 1), along_x, along_y),   \
      1, 0, 3, own(1))                                                         \
    X(tex2DLayered, planes, (middle(own(0), 0), middle(5, 0), 1), 0, 1, 5,     \
      own(0))                                                                  \
    X(tex2DLayeredLod, planes, (middle(own(2), 2), middle(1, 2), 2, 2.0f), 2,  \
      2, 1, own(2))                                                            \
    X(tex2DLayeredGrad, planes,                                                \
      (middle(own(1), 1), middle(3, 1), 1, along_x, along_y), 1, 1, 3, own(1)) \
    X(tex3D, box, (middle(own(0), 0), middle(1, 0), middle(6, 0)), 0, 6, 1,    \
      own(0))                                                                  \
    X(tex3DLod, box, (middle(own(1), 1), middle(1, 1), middle(3, 1), 1.0f), 1, \
      3, 1, own(1))                                                            \
    X(tex3DGrad, box,                                                          \
      (middle(own(1), 1), middle(2, 1), middle(0, 1), in_x, in_y), 1, 0, 2,    \
      own(1))                                                                  \
    X(texCubemap, cube, (1, 0.3f, -0.3f), 0, 0, 2, 5)                          \
    X(texCubemap, cube, (0.6f, -2, 0.6f), 0, 3, 2, 5)                          \
    X(texCubemapLod, cube, (1, 0.3f, -0.3f, 1.0f), 1, 0, 1, 2)                 \
    X(texCubemapGrad, cube, (1, 0.3f, -0.3f, cube_x, cube_y), 1, 0, 1, 2)      \
    X(texCubemapLayered, cubes, (0.3f, -1, 0.3f, 1), 0, 9, 2, 5)               \
    X(texCubemapLayeredLod, cubes, (0.3f, -1, 0.3f, 1, 1.0f), 1, 9, 1, 2)      \
    X(texCubemapLayeredGrad, cubes, (1, 0.3f, -0.3f, 1, cube_x, cube_y), 1, 6, \
      1, 2)

// Those that also say whether the texel was resident.
#define RESIDENT(X)                                                            \
    X(tex2D, plane, (middle(own(0), 0), middle(3, 0), &there), 0, 0, 3,        \
      own(0))                                                                  \
    X(tex2DLod, plane, (middle(own(1), 1), middle(2, 1), 1.0f, &there), 1, 0,  \
      2, own(1))                                                               \
    X(tex2DGrad, plane,                                                        \
      (middle(own(1), 1), middle(3, 1), along_x, along_y, &there), 1, 0, 3,    \
      own(1))                                                                  \
    X(tex2DLayered, planes, (middle(own(0), 0), middle(5, 0), 1, &there), 0,   \
      1, 5, own(0))                                                            \
    X(tex2DLayeredLod, planes,                                                 \
      (middle(own(2), 2), middle(1, 2), 2, 2.0f, &there), 2, 2, 1, own(2))     \
    X(tex2DLayeredGrad, planes,                                                \
      (middle(own(1), 1), middle(3, 1), 1, along_x, along_y, &there), 1, 1, 3, \
      own(1))                                                                  \
    X(tex3D, box, (middle(own(0), 0), middle(1, 0), middle(6, 0), &there), 0,  \
      6, 1, own(0))                                                            \
    X(tex3DLod, box,                                                           \
      (middle(own(1), 1), middle(1, 1), middle(3, 1), 1.0f, &there), 1, 3, 1,  \
      own(1))                                                                  \
    X(tex3DGrad, box,                                                          \
      (middle(own(1), 1), middle(2, 1), middle(0, 1), in_x, in_y, &there), 1,  \
      0, 2, own(1))

#define OPEN(...) __VA_ARGS__
#define DIRECTIONS                                                             \
    const float2 along_x = make_float2(0.25f, 0);                              \
    const float2 along_y = make_float2(0, 0.25f);                              \
    const float4 in_x = make_float4(0.25f, 0, 0, 0);                           \
    const float4 in_y = make_float4(0, 0.25f, 0, 0);                           \
    const float4 cube_x = make_float4(0, 0, -0.5f, 0);                         \
    const float4 cube_y = make_float4(0, 0.5f, 0, 0);                          \
    int n = 0;

// For each row of a table: does each lane get its texel?
__global__ void by_object(objects t, char *good)
{
    DIRECTIONS
#define X(function, from, arguments, ...)                                      \
    good[n++ * LANES + threadIdx.x] =                                          \
        same(function<int4>(t.from, OPEN arguments), texel(__VA_ARGS__));
    TEXELS(X)
#undef X
}

__global__ void by_pointer(objects t, char *good)
{
    DIRECTIONS
    int4 got;
#define X(function, from, arguments, ...)                                      \
    function(&got, t.from, OPEN arguments);                                    \
    good[n++ * LANES + threadIdx.x] = same(got, texel(__VA_ARGS__));
    TEXELS(X)
#undef X
}

__global__ void by_reference(objects, char *good)
{
    DIRECTIONS
#define X(function, from, arguments, ...)                                      \
    good[n++ * LANES + threadIdx.x] =                                          \
        same(function(from, OPEN arguments), texel(__VA_ARGS__));
    TEXELS(X)
#undef X
}

__global__ void with_residency(objects t, char *good)
{
    DIRECTIONS
    int4 got;
#define X(function, from, arguments, ...)                                      \
    {                                                                          \
        bool there = false;                                                    \
        got = function<int4>(t.from, OPEN arguments);                          \
        bool first = there && same(got, texel(__VA_ARGS__));                   \
        there = false;                                                         \
        function(&got, t.from, OPEN arguments);                                \
        good[n++ * LANES + threadIdx.x] =                                      \
            first && there && same(got, texel(__VA_ARGS__));                   \
    }
    RESIDENT(X)
#undef X
}

static const char *const names[] = {
#define X(function, ...) #function,
    TEXELS(X)};
static const char *const resident_names[] = {RESIDENT(X)};
#undef X
enum {
    NAMES = sizeof names / sizeof names[0],
    RESIDENT_NAMES = sizeof resident_names / sizeof resident_names[0],
};

// ---- gathers and fetches by number -----------------------------------------

// The four texels around a corner, of one channel: counter-clockwise from the
// lower left.
static __device__ bool is_gather(int4 got, int channel)
{
    const int4 t[4] = {texel(0, 0, 4, 2), texel(0, 0, 4, 3), texel(0, 0, 3, 3),
                       texel(0, 0, 3, 2)};
    int wanted[4];
    for (int i = 0; i < 4; i++)
        wanted[i] = channel == 0   ? t[i].x
                    : channel == 1 ? t[i].y
                    : channel == 2 ? t[i].z
                                   : t[i].w;
    return same(got, make_int4(wanted[0], wanted[1], wanted[2], wanted[3]));
}

__global__ void gather(cudaTextureObject_t t, int channel, char *good)
{
    const float x = 3.0f / SIDE, y = 4.0f / SIDE;
    bool there = false, there_too = false;
    int4 a, b;
    tex2Dgather(&a, t, x, y, channel);
    tex2Dgather(&b, t, x, y, &there, channel);
    good[0] = is_gather(tex2Dgather<int4>(t, x, y, channel), channel);
    good[1] = is_gather(a, channel);
    good[2] = is_gather(b, channel) && there;
    good[3] =
        is_gather(tex2Dgather<int4>(t, x, y, &there_too, channel), channel) &&
        there_too;
    good[4] = is_gather(tex2Dgather(plane, x, y, channel), channel);
    good[5] = channel || is_gather(tex2Dgather<int4>(t, x, y), 0);
}

__global__ void fetch_numbers(cudaTextureObject_t t, char *good)
{
    int4 got, i = texel(0, 0, 0, threadIdx.x);
    tex1Dfetch(&got, t, threadIdx.x);
    good[threadIdx.x] = same(tex1Dfetch<int4>(t, threadIdx.x), i) &&
                        same(got, i) &&
                        same(tex1Dfetch(numbers, threadIdx.x), i);
}

// ---- surfaces --------------------------------------------------------------

// A shape, its arguments without x, and its texel's level, z and y.
#define SURFACES(X)                                                            \
    X(ROW, surf1D, row_surface, (), 0, 0)                                      \
    X(ROWS, surf1DLayered, rows_surface, (, z), z, 0)                          \
    X(PLANE, surf2D, plane_surface, (, y), 0, y)                               \
    X(PLANES, surf2DLayered, planes_surface, (, y, z), z, y)                   \
    X(BOX, surf3D, box_surface, (, y, z), z, y)                                \
    X(CUBE, surfCubemap, cube_surface, (, y, z), z, y)                         \
    X(CUBES, surfCubemapLayered, cubes_surface, (, y, z), z, y)

// A block for each row of texels: (y, z).
__global__ void draw_objects(enum shape shape, cudaSurfaceObject_t s, int level)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    switch (shape) {
#define X(shape, function, reference, more, z, y)                              \
    case shape:                                                                \
        function##write(texel(level, z, y, x), s,                              \
                        x *(int)sizeof(int4) OPEN more);                       \
        break;
        SURFACES(X)
#undef X
    default:
        break;
    }
}

// Adds one to each by the reference, and compares by all forms of reads.
__global__ void use_surfaces(enum shape shape, cudaSurfaceObject_t s,
                             char *good)
{
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, at = x * sizeof(int4);
    int4 a, b, c, d, wanted = {};
    switch (shape) {
#define X(shape, function, reference, more, z, y)                              \
    case shape:                                                                \
        wanted = texel(0, z, y, x);                                            \
        wanted.x++;                                                            \
        a = function##read<int4>(s, at OPEN more, cudaBoundaryModeClamp);      \
        a.x++;                                                                 \
        function##write(a, reference, at OPEN more);                           \
        b = function##read<int4>(reference, at OPEN more,                      \
                                 cudaBoundaryModeZero);                        \
        function##read(&c, s, at OPEN more);                                   \
        function##read(&d, reference, at OPEN more);                           \
        a.x--;                                                                 \
        function##write(a, s, at OPEN more, cudaBoundaryModeZero);             \
        break;
        SURFACES(X)
#undef X
    default:
        return;
    }
    good[(blockIdx.y * gridDim.x + y) * SIDE + x] =
        same(b, wanted) && same(c, wanted) && same(d, wanted);
}

// ---- the host --------------------------------------------------------------

static unsigned flags_of(int shape)
{
    static const unsigned flags[SHAPES] = {0,
                                           cudaArrayLayered,
                                           0,
                                           cudaArrayLayered,
                                           0,
                                           cudaArrayCubemap,
                                           cudaArrayCubemap | cudaArrayLayered};
    return flags[shape] | cudaArraySurfaceLoadStore;
}

static cudaExtent extent_of(int shape)
{
    static const int high[SHAPES] = {0, 0, SIDE, SIDE, SIDE, SIDE, SIDE};
    static const int deep[SHAPES] = {0, LAYERS, 0, LAYERS, SIDE, 6, 12};
    return make_cudaExtent(SIDE, high[shape], deep[shape]);
}

static cudaSurfaceObject_t surface_of(cudaArray_t a)
{
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

static cudaMipmappedArray_t make_mipmap(int shape)
{
    cudaChannelFormatDesc c = cudaCreateChannelDesc<int4>();
    cudaMipmappedArray_t m;
    CHECK(cudaMallocMipmappedArray(&m, &c, extent_of(shape), LEVELS,
                                   flags_of(shape)));
    for (int level = 0; level < LEVELS; level++) {
        cudaArray_t a;
        cudaExtent e;
        CHECK(cudaGetMipmappedArrayLevel(&a, m, level));
        CHECK(cudaArrayGetInfo(nullptr, &e, nullptr, a));
        dim3 blocks(e.height ? e.height : 1, e.depth ? e.depth : 1);
        cudaSurfaceObject_t s = surface_of(a);
        draw_objects<<<blocks, e.width>>>((enum shape)shape, s, level);
        CHECK_KERNEL();
        CHECK(cudaDestroySurfaceObject(s));
    }
    return m;
}

template <typename Reference>
static cudaTextureObject_t bind(Reference &reference, cudaMipmappedArray_t m)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    d.normalizedCoords = 1;
    d.maxMipmapLevelClamp = LEVELS;
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = reference.addressMode[i] = cudaAddressModeClamp;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    reference.normalized = 1;
    reference.maxMipmapLevelClamp = LEVELS;
    CHECK(cudaBindTextureToMipmappedArray(reference, m));
    return t;
}

static void check_table(const char *what, void (*kernel)(objects, char *),
                        const objects &t, const char *const *name, int rows)
{
    buffer<char> good(rows * LANES, 0);
    kernel<<<1, LANES>>>(t, good.device);
    good.download();
    for (int i = 0; i < rows * LANES; i++)
        if (!good[i])
            FAIL("%s: %s, lane %d", what, name[i / LANES], i % LANES);
}

static void check_gathers(cudaMipmappedArray_t m)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    cudaArray_t level, a;
    cudaChannelFormatDesc c = cudaCreateChannelDesc<int4>();
    CHECK(cudaGetMipmappedArrayLevel(&level, m, 0));
    CHECK(cudaMallocArray(&a, &c, SIDE, SIDE, cudaArrayTextureGather));
    CHECK(cudaMemcpy2DArrayToArray(a, 0, 0, level, 0, 0, SIDE * sizeof(int4),
                                   SIDE));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.normalizedCoords = 1;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    CHECK(cudaBindTextureToArray(plane, a));
    for (int channel = 0; channel < 4; channel++) {
        buffer<char> good(6, 0);
        gather<<<1, 1>>>(t, channel, good.device);
        good.download();
        for (int i = 0; i < 6; i++)
            if (!good[i])
                FAIL("gather of channel %d, form %d", channel, i);
    }
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaUnbindTexture(plane));
    CHECK(cudaFreeArray(a));
}

static void check_numbers()
{
    buffer<int4> texels(LANES);
    buffer<char> good(LANES, 0);
    for (int i = 0; i < LANES; i++)
        texels[i] = texel(0, 0, 0, i);
    texels.upload();
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = texels.device;
    r.res.linear.desc = cudaCreateChannelDesc<int4>();
    r.res.linear.sizeInBytes = texels.bytes();
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    CHECK(cudaBindTexture(nullptr, numbers, texels.device, texels.bytes()));
    fetch_numbers<<<1, LANES>>>(t, good.device);
    good.download();
    for (int i = 0; i < LANES; i++)
        EXPECT(good[i]);
    CHECK(cudaDestroyTextureObject(t));
}

static void check_surface(int shape, cudaMipmappedArray_t m)
{
    cudaArray_t a;
    CHECK(cudaGetMipmappedArrayLevel(&a, m, 0));
    switch (shape) {
#define X(shape, function, reference, ...)                                     \
    case shape:                                                                \
        CHECK(cudaBindSurfaceToArray(reference, a));                           \
        break;
        SURFACES(X)
#undef X
    }
    cudaExtent e = extent_of(shape);
    dim3 blocks(e.height ? e.height : 1, e.depth ? e.depth : 1);
    buffer<char> good(blocks.x * blocks.y * SIDE, 0);
    cudaSurfaceObject_t s = surface_of(a);
    use_surfaces<<<blocks, SIDE>>>((enum shape)shape, s, good.device);
    good.download();
    for (char is_good : good.host)
        if (!is_good)
            FAIL("a surface of shape %d", shape);
    CHECK(cudaDestroySurfaceObject(s));
}

int main()
{
    cudaMipmappedArray_t m[SHAPES];
    objects t = {};
    for (int i = 0; i < SHAPES; i++) {
        m[i] = make_mipmap(i);
        check_surface(i, m[i]);
    }
    t.row = bind(row, m[ROW]);
    t.rows = bind(rows, m[ROWS]);
    t.plane = bind(plane, m[PLANE]);
    t.planes = bind(planes, m[PLANES]);
    t.box = bind(box, m[BOX]);
    t.cube = bind(cube, m[CUBE]);
    t.cubes = bind(cubes, m[CUBES]);
    check_table("objects", by_object, t, names, NAMES);
    check_table("pointers", by_pointer, t, names, NAMES);
    check_table("references", by_reference, t, names, NAMES);
    check_table("resident", with_residency, t, resident_names, RESIDENT_NAMES);
    check_gathers(m[PLANE]);
    check_numbers();
    return finish();
}
