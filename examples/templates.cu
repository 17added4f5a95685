// SPDX-License-Identifier: Apache-2.0
//
// C++ in kernels: a class template with operators, a kernel template over the
// number type and the number of components, and a functor as its argument.
#include <vector>

#include "common/example.h"

template <typename T, int N> struct vec {
    T v[N];

    __host__ __device__ T &operator[](int i)
    {
        return v[i];
    }
    __host__ __device__ const T &operator[](int i) const
    {
        return v[i];
    }
};

template <typename T, int N>
__host__ __device__ vec<T, N> operator+(vec<T, N> a, const vec<T, N> &b)
{
    for (int i = 0; i < N; i++)
        a[i] += b[i];
    return a;
}

template <typename T, int N>
__host__ __device__ T dot(const vec<T, N> &a, const vec<T, N> &b)
{
    T sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

// Reflects a vector at a plane, whose normal has the length 1.
template <typename T, int N> struct reflect {
    vec<T, N> normal;

    __host__ __device__ vec<T, N> operator()(vec<T, N> a) const
    {
        vec<T, N> shift;
        T twice = T(2) * dot(a, normal);
        for (int i = 0; i < N; i++)
            shift[i] = -twice * normal[i];
        return a + shift;
    }
};

template <typename T, int N, typename Function>
__global__ void apply(vec<T, N> *data, int n, Function function)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = function(data[i]);
}

// Reflecting twice gives the vector back; once, the host's result.
template <typename T, int N> bool run(int n, double *ms)
{
    reflect<T, N> function = {};
    for (int k = 0; k < N; k++)
        function.normal[k] = std::sqrt(T(1) / N);
    std::vector<vec<T, N>> data(n), once(n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < N; k++)
            data[i][k] = T(sample(i * N + k));

    vec<T, N> *d;
    size_t size = n * sizeof(vec<T, N>);
    CHECK(cudaMalloc(&d, size));
    CHECK(cudaMemcpy(d, data.data(), size, cudaMemcpyHostToDevice));
    *ms += best_ms([&] { apply<<<blocks_for(n, 128), 128>>>(d, n, function); },
                   2); // three times: as if once
    CHECK(cudaMemcpy(once.data(), d, size, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));

    const T *got = once[0].v;
    return all_close(
        got, (size_t)n * N,
        [&](size_t i) { return function(data[i / N])[i % N]; }, 1e-5, 1e-5);
}

int main()
{
    const int n = 300007;
    double ms = 0;
    bool ok = run<float, 2>(n, &ms);
    ok = run<float, 3>(n, &ms) && ok;
    ok = run<double, 4>(n, &ms) && ok;
    ok = run<double, 7>(n, &ms) && ok;

    std::printf("reflected %d vectors of 2 and 3 floats, 4 and 7 doubles: ", n);
    double bytes = 2.0 * n * (5 * sizeof(float) + 11 * sizeof(double));
    return report({"templates", ok, ms, bytes, 0});
}
