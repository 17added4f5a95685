// SPDX-License-Identifier: Apache-2.0
// also: WEFT_ISA=avx2
//
// Arrays that begin where a page does and end where one does, with nothing
// accessible beside it: a load or store of a vector may do more than its lanes
// ask for only where that surely exists. Each way to get at memory, each width,
// with lanes that are off at the end.
#include "check.h"

#include <cstdint>
#include <cstdlib>

// Elements from a page's start, or up to a page's end.
template <typename T> struct edge_array {
    char *memory;
    T *p;
    size_t count;

    edge_array(size_t n, bool at_end) : count(n)
    {
        size_t bytes = n * sizeof(T);
        size_t whole = ((bytes > 300 << 10 ? bytes : 300 << 10) + 4095) & ~4095;
        CHECK(cudaMalloc(&memory, whole));
        p = (T *)(at_end ? memory + whole - bytes : memory);
        std::vector<T> v(n);
        for (size_t i = 0; i < n * sizeof(T); i++)
            ((uint8_t *)v.data())[i] = i * 7 % 61;
        if (n)
            CHECK(cudaMemcpy(p, v.data(), bytes, cudaMemcpyHostToDevice));
    }
    ~edge_array()
    {
        CHECK(cudaFree(memory));
    }
    std::vector<T> host() const
    {
        std::vector<T> v(count);
        CHECK(
            cudaMemcpy(v.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

struct three {
    int a, b, c;
};
struct five {
    float a, b, c, d, e;
};

// What element i of the result is; also by the host.
template <typename T> struct copied {
    static constexpr int per = 1;
    __host__ __device__ static void run(const T *in, T *out, int i, int n)
    {
        (void)n;
        out[i] = in[i];
    }
};

template <typename T, int S> struct strided { // no more than the last one's
    static constexpr int per = S;
    __host__ __device__ static void run(const T *in, T *out, int i, int n)
    {
        (void)n;
        out[i] = in[i * S + S - 1] + in[i * S];
    }
};

template <typename T> struct reversed {
    static constexpr int per = 1;
    __host__ __device__ static void run(const T *in, T *out, int i, int n)
    {
        out[n - 1 - i] = in[n - 1 - i] + in[i];
    }
};

template <typename T> struct neighbours {
    static constexpr int per = 1;
    __host__ __device__ static void run(const T *in, T *out, int i, int n)
    {
        T sum = in[i];
        if (i > 0)
            sum += in[i - 1];
        if (i + 1 < n)
            sum += in[i + 1];
        out[i] = sum;
    }
};

template <typename T> struct some { // lanes part by data
    static constexpr int per = 1;
    __host__ __device__ static void run(const T *in, T *out, int i, int n)
    {
        int j = n - 1 - i;
        if ((int)in[i] & 1)
            out[i] = in[j];
    }
};

template <typename T> struct gathered {
    static constexpr int per = 1;
    __host__ __device__ static void run(const T *in, T *out, int i, int n)
    {
        out[i] = in[(unsigned)((int)in[i] * 5 + i) % n];
    }
};

template <typename T, int S> struct row { // a thread's own elements
    static constexpr int per = S;
    __host__ __device__ static void run(const T *in, T *out, int i, int n)
    {
        T sum = 0;
        (void)n;
        for (int k = 0; k < S; k++)
            sum += in[i * S + k];
        out[i] = sum;
    }
};

template <typename T, int S> struct column {
    static constexpr int per = S;
    __host__ __device__ static void run(const T *in, T *out, int i, int n)
    {
        T sum = 0;
        for (int k = 0; k < S; k++)
            sum += in[k * n + i];
        out[i] = sum;
    }
};

template <> struct copied<three> {
    static constexpr int per = 1;
    __host__ __device__ static void run(const three *in, three *out, int i, int)
    {
        out[i].c = in[i].a;
        out[i].a = in[i].c;
    }
};

template <> struct copied<five> {
    static constexpr int per = 1;
    __host__ __device__ static void run(const five *in, five *out, int i, int)
    {
        out[i].e = in[i].b;
        out[i].a = in[i].e;
    }
};

template <typename W, typename T>
__global__ void one(const T *in, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        W::run(in, out, i, n);
}

template <typename W, typename T>
__global__ void grid_stride(const T *in, T *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        W::run(in, out, i, n);
}

// As long as each of its 32 rows: in step, or one by one.
__global__ void rows_of(const int *starts, const int *columns,
                        const float *values, const float *from, float *to,
                        int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++)
        sum += values[k] * from[columns[k]];
    to[i] = sum;
}

template <typename W, typename T>
static void check(void (*kernel)(const T *, T *, int), int n, int block,
                  int blocks, bool at_end)
{
    edge_array<T> in(n * W::per, at_end), out(n, at_end);
    std::vector<T> from = in.host(), want = out.host();
    kernel<<<blocks, block>>>(in.p, out.p, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        W::run(from.data(), want.data(), i, n);
    EXPECT(memcmp(want.data(), out.host().data(), n * sizeof(T)) == 0);
}

template <typename W, typename T> static void check_way()
{
    for (int n : {1, 31, 33, 1000})
        for (bool at_end : {false, true})
            check<W, T>(one<W, T>, n, 128, (n + 127) / 128, at_end);
    for (bool at_end : {false, true})
        check<W, T>(grid_stride<W, T>, 777, 96, 2, at_end);
}

template <typename T> static void check_width()
{
    check_way<copied<T>, T>();
    check_way<neighbours<T>, T>();
    check_way<some<T>, T>();
}

static void check_rows(int n, int each, int ends_with, bool at_end)
{
    std::vector<int> starts(1), columns;
    for (int i = 0; i < n; i++) {
        int count = i + 1 < n ? each : ends_with;
        for (int k = 0; k < count; k++)
            columns.push_back((i + k) % n);
        starts.push_back((int)columns.size());
    }
    edge_array<int> s(n + 1, at_end), c(columns.size(), at_end);
    edge_array<float> values(columns.size(), at_end), from(n, at_end),
        to(n, at_end);
    CHECK(cudaMemcpy(s.p, starts.data(), starts.size() * 4,
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(c.p, columns.data(), columns.size() * 4,
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemset(values.p, 0, columns.size() * 4));
    rows_of<<<(n + 127) / 128, 128>>>(s.p, c.p, values.p, from.p, to.p, n);
    CHECK(cudaDeviceSynchronize());
    for (float v : to.host())
        EXPECT(v == 0);
}

int main()
{
    setenv("WEFT_GUARD", "1", 1);
    check_width<uint8_t>();
    check_width<short>();
    check_width<float>();
    check_width<double>();
    check_way<strided<float, 2>, float>();
    check_way<strided<int, 3>, int>();
    check_way<strided<short, 5>, short>();
    check_way<strided<double, 3>, double>();
    check_way<reversed<float>, float>();
    check_way<gathered<int>, int>();
    check_way<row<float, 3>, float>();
    check_way<row<float, 8>, float>();
    check_way<row<uint8_t, 4>, uint8_t>();
    check_way<column<float, 3>, float>();
    check_way<copied<three>, three>();
    check_way<copied<five>, five>();
    for (int each : {1, 2, 3, 4, 5, 7})
        for (bool at_end : {false, true}) {
            check_rows(384, each, each, at_end);
            check_rows(256, each, each + 1, at_end);
        }
    // And one element too far is seen.
    auto *last = new edge_array<float>(1000, true);
    auto *out = new edge_array<float>(1032, false);
    one<copied<float>, float><<<9, 128>>>(last->p, out->p, 1001);
    EXPECT_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    return failures ? 1 : 0;
}
