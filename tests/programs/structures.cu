// SPDX-License-Identifier: Apache-2.0
//
// A structure of several words for each lane: reads and writes of neighbouring
// fields, by all lanes and by some, with stores between what nobody writes,
// in global and in shared memory, at indices that may and may not wrap around.
#include "check.h"

template <class T, int N> struct Fields {
    T f[N];
};

template <class T, int N>
__global__ void mix(Fields<T, N> *__restrict__ out,
                    const Fields<T, N> *__restrict__ in, T *__restrict__ sums,
                    int n, int some)
{
    __shared__ Fields<T, N> tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || i * 7 % 5 >= some)
        return;
    T sum = 0;
    for (int f = 0; f < N; f++) {
        T v = in[i].f[f];
        sum = sum * 3 - v;
        if (f % 5 == 1)
            sums[i] = sum;
        tile[threadIdx.x].f[N - 1 - f] = v;
    }
    sums[i] = sum;
    T last = 0;
    for (int f = 0; f < N; f++)
        last = max(last, tile[threadIdx.x].f[f]);
    for (int f = 0; f < N; f++)
        out[i].f[f] = tile[threadIdx.x].f[f] + last;
}

// The same structure for all lanes but the first bits, and places that depend
// on data.
template <class T, int N>
__global__ void pick(T *sums, const Fields<T, N> *in, const int *which, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Fields<T, N> &a = in[(size_t)which[i]], &b = in[i];
    T sum = 0;
    for (int f = 0; f < N; f++)
        sum = sum * 2 + a.f[f] - b.f[N - 1 - f];
    sums[i] = sum;
}

template <class T, int N> static void check_structure()
{
    typedef Fields<T, N> S;
    const int n = 300;
    S *in, *out;
    T *sums;
    int *which;
    CHECK(cudaMallocManaged(&in, n * sizeof(S)));
    CHECK(cudaMallocManaged(&out, n * sizeof(S)));
    CHECK(cudaMallocManaged(&sums, n * sizeof(T)));
    CHECK(cudaMallocManaged(&which, n * sizeof(int)));
    for (int i = 0; i < n; i++) {
        which[i] = scramble(i) % n;
        for (int f = 0; f < N; f++)
            in[i].f[f] = (T)(scramble(i * N + f) % 100);
    }
    for (int some : {5, 2}) {
        memset(out, 0, n * sizeof(S));
        memset(sums, 0, n * sizeof(T));
        mix<T, N><<<(n + 63) / 64, 64>>>(out, in, sums, n, some);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < n; i++) {
            bool is_in = i * 7 % 5 < some;
            T sum = 0, last = 0;
            for (int f = 0; f < N && is_in; f++)
                sum = sum * 3 - in[i].f[f], last = std::max(last, in[i].f[f]);
            EXPECT(sums[i] == sum);
            for (int f = 0; f < N; f++)
                EXPECT(out[i].f[f] ==
                       (is_in ? (T)(in[i].f[N - 1 - f] + last) : (T)0));
        }
    }
    pick<T, N><<<(n + 63) / 64, 64>>>(sums, in, which, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        T sum = 0;
        for (int f = 0; f < N; f++)
            sum = sum * 2 + in[which[i]].f[f] - in[i].f[N - 1 - f];
        EXPECT(sums[i] == sum);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(which));
}

int main()
{
    check_structure<int, 5>();
    check_structure<int, 8>();
    check_structure<unsigned, 18>();
    check_structure<short, 12>();
    check_structure<unsigned char, 40>();
    check_structure<double, 7>();
    return finish();
}
