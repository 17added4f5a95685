// SPDX-License-Identifier: Apache-2.0
//
// What a kernel gets passed: structures of every alignment by value, an array
// of nearly 4 KB indexed at run time, many small arguments in a row, pointers
// inside structures, references on the device, __grid_constant__-like reads.
#include "check.h"

struct mixed {
    char c;
    double d;
    short s;
    float3 f;
    unsigned char bytes[5];
    int4 v;
    long long l;
};

__global__ void many(double *out, char a, short b, int c, long long d, float e,
                     double f, bool g, unsigned char h, float2 i, float4 j,
                     char3 k, mixed m, int *p, char last)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = (double)d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = h;
    out[8] = i.x + 10 * i.y;
    out[9] = j.x + 10 * j.y + 100 * j.z + 1000 * j.w;
    out[10] = k.x + 10 * k.y + 100 * k.z;
    out[11] = m.c + m.d + m.s;
    out[12] = m.f.x + 10 * m.f.y + 100 * m.f.z;
    out[13] = m.bytes[0] + m.bytes[4];
    out[14] = m.v.x + m.v.y + m.v.z + m.v.w;
    out[15] = (double)m.l;
    out[16] = *p;
    out[17] = last;
}

static void check_many()
{
    buffer<double> out(18);
    buffer<int> p(1);
    p[0] = 4711;
    p.upload();
    mixed m = {
        'x',         2.25, -300, {1, 2, 3}, {9, 0, 0, 0, 33}, {10, 20, 30, 40},
        -(1ll << 40)};
    many<<<1, 1>>>(out.device, 'a', -2, 3, 1ll << 50, 0.5f, -0.125, true, 200,
                   make_float2(1, 2), make_float4(1, 2, 3, 4),
                   make_char3(-1, 2, 3), m, p.device, 'z');
    out.download();
    const std::vector<double> want = {
        'a',  -2,   3,   1125899906842624.0, 0.5, -0.125, 1,   200,
        21,   4321, 319, 'x' + 2.25 - 300,   321, 42,     100, -1099511627776.0,
        4711, 'z'};
    expect_same("many", out, want);
}

struct table {
    int n;
    float values[1000];
    unsigned char order[64];
};

__global__ void indexed(float *out, table t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < t.n)
        out[i] = t.values[t.n - 1 - i] + t.order[i % 64];
}

static void check_indexed()
{
    const int n = 999;
    buffer<float> out(n);
    std::vector<float> want(n);
    table t;
    t.n = n;
    for (int i = 0; i < 1000; i++)
        t.values[i] = (float)(scramble(i) % 10000);
    for (int i = 0; i < 64; i++)
        t.order[i] = (unsigned char)(255 - i);
    for (int i = 0; i < n; i++)
        want[i] = t.values[n - 1 - i] + t.order[i % 64];
    indexed<<<8, 128>>>(out.device, t);
    out.download();
    expect_same("indexed", out, want);
}

// A kernel may change its copy; nobody else sees that.
__global__ void changed(int *out, int4 v, table t)
{
    v.x += threadIdx.x;
    t.values[threadIdx.x] += (float)v.x;
    t.values[threadIdx.x + 1] *= 2;
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        v.x + v.w + (int)t.values[threadIdx.x] + (int)t.values[threadIdx.x + 1];
}

static void check_changed()
{
    const int size = 50;
    buffer<int> out(2 * size);
    std::vector<int> want(2 * size);
    table t = {};
    for (int i = 0; i < 1000; i++)
        t.values[i] = (float)i;
    for (int i = 0; i < 2 * size; i++) {
        int me = i % size;
        want[i] = 5 + me + 8 + (me + 5 + me) + 2 * (me + 1);
    }
    changed<<<2, size>>>(out.device, make_int4(5, 6, 7, 8), t);
    out.download();
    expect_same("changed", out, want);
}

struct list {
    int *data;
    int length;
};

struct pair_of_lists {
    list a, b;
    int scale;
};

__device__ int element(const list &l, int i)
{
    return i < l.length ? l.data[i] : 0;
}

__global__ void through_pointers(int *out, const pair_of_lists p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = p.scale * (element(p.a, i) - element(p.b, i));
}

static void check_through_pointers()
{
    const int n = 120;
    buffer<int> out(n), a(100), b(80);
    std::vector<int> want(n);
    for (int i = 0; i < 100; i++)
        a[i] = i * i;
    for (int i = 0; i < 80; i++)
        b[i] = i;
    for (int i = 0; i < n; i++)
        want[i] = 3 * ((i < 100 ? i * i : 0) - (i < 80 ? i : 0));
    a.upload();
    b.upload();
    pair_of_lists p = {{a.device, 100}, {b.device, 80}, 3};
    through_pointers<<<2, 64>>>(out.device, p, n);
    out.download();
    expect_same("through pointers", out, want);
}

struct alignas(32) aligned {
    float v[8];
};

struct empty {
};

__global__ void odd_ones(float *out, empty, char c, aligned a, empty, short s)
{
    out[threadIdx.x] = a.v[threadIdx.x % 8] + c + s;
}

static void check_odd_ones()
{
    buffer<float> out(16);
    std::vector<float> want(16);
    aligned a;
    for (int i = 0; i < 8; i++)
        a.v[i] = (float)(i * 3);
    for (int i = 0; i < 16; i++)
        want[i] = (float)(i % 8 * 3 + 5 + 700);
    odd_ones<<<1, 16>>>(out.device, empty(), (char)5, a, empty(), (short)700);
    out.download();
    expect_same("odd ones", out, want);
}

// The same kernel by cudaLaunchKernel, with its arguments in an array.
static void check_array_of_arguments()
{
    const int n = 120;
    buffer<int> out(n), a(n), b(1);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        want[i] = 2 * (a[i] = i + 7);
    a.upload();
    b[0] = 0;
    b.upload();
    pair_of_lists p = {{a.device, n}, {b.device, 1}, 2};
    int count = n;
    void *arguments[] = {&out.device, &p, &count};
    CHECK(cudaLaunchKernel((const void *)through_pointers, dim3(4), dim3(32),
                           arguments, 0, nullptr));
    out.download();
    expect_same("array of arguments", out, want);
}

// An object that compares its own address, and is else only read.
struct counted {
    int *own;
    int **shown;
};

struct body {
    counted c;
    counted other;
    int begin, end;
};

__global__ void through_other(const body b)
{
    for (int i = b.begin + threadIdx.x; i < b.end; i += blockDim.x) {
        const void *p = b.c.shown;
        if (p != &b.other) {
            ((int **)p)[0] = b.other.own;
            ((int **)p)[1] = nullptr;
        }
    }
}

static void check_own_address()
{
    buffer<int *> pair(2);
    buffer<int> own(1);
    pair[0] = nullptr;
    pair[1] = own.device;
    pair.upload();
    through_other<<<1, 32>>>(
        body{{own.device, pair.device}, {own.device, nullptr}, 3, 40});
    pair.download();
    EXPECT_EQ(pair[0] == own.device, true);
    EXPECT_EQ(pair[1] == nullptr, true);
}

int main()
{
    check_many();
    check_own_address();
    check_indexed();
    check_changed();
    check_through_pointers();
    check_odd_ones();
    check_array_of_arguments();
    return finish();
}
