// SPDX-License-Identifier: Apache-2.0
//
// Indices that are neighbours from lane to lane in most warps and not in all:
// clamped or wrapped at the ends, rows and columns of rows that are longer or
// shorter than a warp, with all lanes active, some of them, one and none.
#include "check.h"

static const int shapes[][2] = {{256, 1}, {96, 1}, {16, 16}, {8, 8}, {20, 5}};

template <typename T> __host__ __device__ T stencil(const T *in, int i, int n)
{
    int right = i + 1 < n ? i + 1 : n - 1, left = i > 2 ? i - 3 : 0;
    int far = i + 40;
    if (far >= n)
        far -= n;
    return (T)(in[right] + 3 * in[left] + 5 * in[far] + 7 * in[min(i, n - 9)]);
}

// Where `which` says so: all lanes, two of three, one of 32, some warps' none.
static __host__ __device__ bool is_here(int which, int i)
{
    return which == 0 || (which == 1 && scramble(i) % 3 != 0) ||
           (which == 2 && i % 32 == 21) || (which == 3 && i / 32 % 2 == 0);
}

template <typename T>
__global__ void clamp(T *out, const T *in, int n, int which)
{
    int i = thread_in_grid();
    if (i < n && is_here(which, i))
        out[i] = stencil(in, i, n);
}

template <typename T> static void check_clamp(const char *name, int n)
{
    for (auto &s : shapes)
        for (int which = 0; which < 4; which++) {
            buffer<T> in(n), out(n);
            std::vector<T> want = out.host;
            for (int i = 0; i < n; i++)
                in[i] = (T)scramble(i);
            for (int i = 0; i < n; i++)
                if (is_here(which, i))
                    want[i] = stencil(in.host.data(), i, n);
            in.upload();
            int size = s[0] * s[1];
            clamp<<<(n + size - 1) / size, dim3(s[0], s[1])>>>(
                out.device, in.device, n, which);
            out.download();
            expect_same(name, out, want);
        }
}

// Several numbers for each lane: read from one clamped place, written to a
// rotated one.
template <typename E, int N, int align> struct alignas(align) pixel {
    E v[N];
};

template <typename P> __host__ __device__ P blend(const P *in, int i, int n)
{
    P a = in[min(i + 1, n - 1)], b = in[i > 0 ? i - 1 : 0];
    for (auto &x : a.v)
        x = x * 3 + b.v[&x - a.v];
    return a;
}

template <typename P>
__global__ void blend_all(P *out, const P *in, int n, int which)
{
    int i = thread_in_grid();
    if (i < n && is_here(which, i))
        out[i + 50 >= n ? i + 50 - n : i + 50] = blend(in, i, n);
}

template <typename P> static void check_blend(const char *name)
{
    const int n = 777;
    for (auto &s : shapes)
        for (int which = 0; which < 4; which++) {
            buffer<P> in(n), out(n);
            std::vector<P> want = out.host;
            for (int i = 0; i < n; i++)
                for (auto &x : in[i].v)
                    x = (int)(scramble(i * 8 + (&x - in[i].v)) % 100);
            for (int i = 0; i < n; i++)
                if (is_here(which, i))
                    want[(i + 50) % n] = blend(in.host.data(), i, n);
            in.upload();
            int size = s[0] * s[1];
            blend_all<<<(n + size - 1) / size, dim3(s[0], s[1])>>>(
                out.device, in.device, n, which);
            out.download();
            expect_same(name, out, want);
        }
}

// By a width that is known and by one that is not.
static __host__ __device__ int in_rows(const int *in, const int *rows, int i,
                                       int width, int height)
{
    int x = i % width, y = i / width;
    int right = x + 1 < width ? x + 1 : 0, up = max(y - 1, 0);
    int sum = in[y * width + right] + 3 * in[up * width + x] + 5 * rows[y];
    return sum + 7 * rows[i / 96] + 11 * in[i % 96] + 13 * in[i & 127] +
           17 * rows[i >> 7] + 19 * (height > 1 ? in[(i + 1) % 640] : 0);
}

__global__ void rows(int *out, const int *in, const int *row, int width,
                     int height, int which)
{
    int i = thread_in_grid();
    if (i < width * height && is_here(which, i))
        out[i] = in_rows(in, row, i, width, height);
}

static void check_rows(int width, int height)
{
    int n = width * height;
    for (auto &s : shapes)
        for (int which = 0; which < 4; which++) {
            buffer<int> out(n), in(n > 640 ? n : 640), row(n);
            std::vector<int> want = out.host;
            for (size_t i = 0; i < in.host.size(); i++)
                in[i] = (int)(scramble(i) % 1000);
            for (int i = 0; i < n; i++)
                row[i] = (int)(scramble(i + n) % 1000);
            for (int i = 0; i < n; i++)
                if (is_here(which, i))
                    want[i] = in_rows(in.host.data(), row.host.data(), i, width,
                                      height);
            in.upload();
            row.upload();
            int size = s[0] * s[1];
            rows<<<(n + size - 1) / size, dim3(s[0], s[1])>>>(
                out.device, in.device, row.device, width, height, which);
            out.download();
            expect_same("rows", out, want);
        }
}

// Stores, and nothing else may be overwritten.
template <typename T> __global__ void rotate(T *out, int n, int by, int which)
{
    int i = thread_in_grid();
    int to = i + by >= n ? i + by - n : i + by;
    if (i < n && is_here(which, i))
        out[to] = (T)(i * 3 + 1);
}

template <typename T> static void check_rotate(const char *name, int by)
{
    const int n = 1000;
    for (auto &s : shapes)
        for (int which = 0; which < 4; which++) {
            buffer<T> out(n);
            std::vector<T> want = out.host;
            for (int i = 0; i < n; i++)
                if (is_here(which, i))
                    want[(i + by) % n] = (T)(i * 3 + 1);
            int size = s[0] * s[1];
            rotate<<<(n + size - 1) / size, dim3(s[0], s[1])>>>(out.device, n,
                                                                by, which);
            out.download();
            expect_same(name, out, want);
        }
}

// What no lane asks for need not be there.
__global__ void from_nowhere(int *out, const int *in, const int *wanted, int n,
                             int width)
{
    int i = thread_in_grid();
    if (i < n && wanted[i])
        out[i] = in[i / width] + in[min(i, n - 1)];
}

static void check_nowhere()
{
    const int n = 512;
    buffer<int> out(n, 0), wanted(n, 0);
    std::vector<int> want(n);
    from_nowhere<<<2, 256>>>(out.device, nullptr, wanted.device, n, 1000);
    out.download();
    expect_same("from nowhere", out, want);
}

// Lanes past the last element, whose index would lie before the window.
__global__ void windows(int *out, int shift)
{
    __shared__ int window[256];
    int i = threadIdx.x;
    window[i] = i * 7;
    __syncthreads();
    int at = i - shift;
    if (at >= 0)
        out[i] = window[min(at, 200)] + window[at % 65];
}

static void check_windows(int shift)
{
    buffer<int> out(256);
    std::vector<int> want = out.host;
    for (int i = shift; i < 256; i++)
        want[i] = (std::min(i - shift, 200) + (i - shift) % 65) * 7;
    windows<<<1, 256>>>(out.device, shift);
    out.download();
    expect_same("windows", out, want);
}

int main()
{
    check_clamp<signed char>("clamped bytes", 999);
    check_clamp<short>("clamped half-words", 1000);
    check_clamp<int>("clamped words", 1001);
    check_clamp<double>("clamped doubles", 1003);
    check_blend<pixel<int, 2, 8>>("pairs");
    check_blend<pixel<float, 4, 16>>("quads");
    check_blend<pixel<float, 3, 4>>("triples");
    check_blend<pixel<unsigned char, 4, 4>>("pixels");
    check_blend<pixel<short, 2, 4>>("samples");
    check_blend<pixel<double, 2, 16>>("complex numbers");
    for (int width : {1, 5, 20, 32, 33, 64, 100, 640})
        check_rows(width, 1300 / width);
    check_rotate<unsigned char>("rotated bytes", 100);
    check_rotate<int>("rotated words", 37);
    check_rotate<long long>("rotated long words", 999);
    check_nowhere();
    check_windows(0);
    check_windows(5);
    check_windows(70);
    return finish();
}
