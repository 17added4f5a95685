// SPDX-License-Identifier: Apache-2.0
//
// Structures whose alignment is asked for, or comes from their members:
// "Device Memory Accesses" and "Kernel Execution". Their layout is the same on
// the host and on the device.
#include <cstddef>

#include "../check.h"

struct __align__(8) pair
{
    float x, y;
};
struct __align__(16) triple
{
    float x, y, z;
};
struct late_vector { // 12 bytes lie unused behind f
    float f;
    float4 f4;
};
struct mixed {
    char c;
    double d;
    char e;
    long long l;
    float2 f2;
    short s;
    void *p;
};

#define LAYOUT(function, ...)                                                  \
    static __host__ __device__ int function(int i)                             \
    {                                                                          \
        const int facts[] = {__VA_ARGS__};                                     \
        return i < (int)(sizeof facts / sizeof facts[0]) ? facts[i] : -1;      \
    }

LAYOUT(asked_for, sizeof(pair), alignof(pair), sizeof(triple), alignof(triple),
       offsetof(triple, z), sizeof(triple[3]))
LAYOUT(from_members, sizeof(late_vector), alignof(late_vector),
       offsetof(late_vector, f4), sizeof(mixed), offsetof(mixed, d),
       offsetof(mixed, l), offsetof(mixed, f2), offsetof(mixed, s),
       offsetof(mixed, p), __alignof(double), __alignof(long long),
       __alignof(float2), __alignof(float4))

static void aligned_structures()
{
    EXPECT_EQ(sizeof(pair), 8);
    EXPECT_EQ(alignof(pair), 8);
    EXPECT_EQ(sizeof(triple), 16);
    EXPECT_EQ(alignof(triple), 16);
    CHECK_MAP(int, asked_for, 64);
}

static void padding()
{
    EXPECT_EQ(offsetof(late_vector, f4), 16);
    EXPECT_EQ(sizeof(late_vector), 32);
    EXPECT_EQ(__alignof(float2), 8);
    EXPECT_EQ(__alignof(float4), 16);
    CHECK_MAP(int, from_members, 64);
}

// By value to a kernel, and back through memory.
__global__ void pass(late_vector v, triple t, mixed m, late_vector *out,
                     triple *out_triple, mixed *out_mixed)
{
    v.f4.w += t.z;
    m.d += v.f;
    *out = v;
    *out_triple = t;
    *out_mixed = m;
}

static void passed_by_value()
{
    buffer<late_vector> v(1);
    buffer<triple> t(1);
    buffer<mixed> m(1);
    late_vector a = {1.5f, {2, 3, 4, 5}};
    triple b = {6, 7, 8};
    mixed c = {'c', 0.25, 'e', 1ll << 40, {9, 10}, -3, &c};
    pass<<<1, 1>>>(a, b, c, v.device, t.device, m.device);
    v.download();
    t.download();
    m.download();
    EXPECT(v[0].f == 1.5f && v[0].f4.x == 2 && v[0].f4.w == 13);
    EXPECT(t[0].x == 6 && t[0].y == 7 && t[0].z == 8);
    EXPECT(m[0].c == 'c' && m[0].d == 1.75 && m[0].e == 'e' &&
           m[0].l == 1ll << 40 && m[0].f2.y == 10 && m[0].s == -3 &&
           m[0].p == &c);
}

// make_int2 and its like: fields x, y, z, w, on both sides.
static __host__ __device__ int vector_fields(int i)
{
    int2 a = make_int2(i, i + 1);
    uchar4 b = make_uchar4(i, 2, 3, 250);
    longlong2 c = make_longlong2(1ll << 33, -i);
    double2 d = make_double2(0.5, i);
    short3 e = make_short3(-1, i, 7);
    float1 f = make_float1(i * 0.5f);
    dim3 g(5), h(6, 7);
    return a.x + a.y * 3 + b.x + b.w + (int)(c.x >> 30) + (int)c.y +
           (int)(d.x * 4 + d.y) + e.x + e.y + e.z + (int)f.x + g.x * g.y * g.z +
           h.x * h.y * h.z;
}

static void vectors()
{
    EXPECT_EQ(vector_fields(0), 3 + 250 + 8 + 2 - 1 + 7 + 5 + 42);
    CHECK_MAP(int, vector_fields, 200);
}

int main()
{
    aligned_structures();
    padding();
    passed_by_value();
    vectors();
    return finish();
}
