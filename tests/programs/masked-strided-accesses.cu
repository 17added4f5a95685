// SPDX-License-Identifier: Apache-2.0
//
// Fields of small structures, side by side from lane to lane with others
// between them: loads and stores of all lanes and of some, in blocks of one
// row and of several, and nothing changed but what the kernel writes.
#include "check.h"

template <class T, int N> struct Fields {
    T f[N];
};

enum Which { ALL, SOME, ONE_FIELD };

__host__ __device__ static bool takes_part(int i, Which which)
{
    return which != SOME || i * 7 % 5 < 2;
}

// Lane by lane, field f goes to field N - 1 - f; or one field alone.
template <class T, int N>
__global__ void turn(Fields<T, N> *out, const Fields<T, N> *in, int n,
                     Which which)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    int i = row * blockDim.x + threadIdx.x;
    if (i >= n || !takes_part(i, which))
        return;
    if (which == ONE_FIELD) {
        out[i].f[1] = in[i].f[0] + 1;
        return;
    }
    for (int f = 0; f < N; f++)
        out[i].f[N - 1 - f] = in[i].f[f];
}

template <class T, int N> static void check_block(dim3 block, Which which)
{
    typedef Fields<T, N> S;
    const int n = 1000, guard = 3;
    int threads = block.x * block.y;
    S *in, *out;
    CHECK(cudaMallocManaged(&in, n * sizeof(S)));
    CHECK(cudaMallocManaged(&out, (n + guard) * sizeof(S)));
    for (int i = 0; i < n * N; i++)
        in[i / N].f[i % N] = (T)(scramble(i) % 100);
    for (int i = 0; i < (n + guard) * N; i++)
        out[i / N].f[i % N] = (T)(i % 90);
    turn<T, N><<<(n + threads - 1) / threads, block>>>(out, in, n, which);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n + guard; i++)
        for (int f = 0; f < N; f++) {
            T want = (T)((i * N + f) % 90);
            if (i < n && takes_part(i, which) && which != ONE_FIELD)
                want = in[i].f[N - 1 - f];
            else if (i < n && which == ONE_FIELD && f == 1)
                want = (T)(in[i].f[0] + 1);
            EXPECT(out[i].f[f] == want);
        }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

template <class T, int N> static void check_fields()
{
    for (Which which : {ALL, SOME, ONE_FIELD})
        for (dim3 block : {dim3(96), dim3(16, 4), dim3(8, 8), dim3(4, 16)})
            check_block<T, N>(block, which);
}

template <class T> static void check_element()
{
    check_fields<T, 2>();
    check_fields<T, 3>();
    check_fields<T, 4>();
}

// Vectors, loaded and stored whole by some of the lanes.
template <class V> __global__ void some(V *out, const V *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (takes_part(i, SOME))
        out[i] = in[i];
}

template <class V> static void check_vector()
{
    const int n = 512;
    V *in, *out;
    CHECK(cudaMallocManaged(&in, n * sizeof(V)));
    CHECK(cudaMallocManaged(&out, n * sizeof(V)));
    memset(out, 0x55, n * sizeof(V));
    for (size_t i = 0; i < n * sizeof(V); i++)
        ((unsigned char *)in)[i] = (unsigned char)scramble((unsigned)i);
    some<<<n / 64, 64>>>(out, in);
    CHECK(cudaDeviceSynchronize());
    V untouched;
    memset(&untouched, 0x55, sizeof untouched);
    for (int i = 0; i < n; i++)
        EXPECT(!memcmp(&out[i], takes_part(i, SOME) ? &in[i] : &untouched,
                       sizeof(V)));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

int main()
{
    check_element<unsigned char>();
    check_element<short>();
    check_element<int>();
    check_element<float>();
    check_element<double>();
    check_vector<float2>();
    check_vector<float4>();
    check_vector<double2>();
    check_vector<uchar4>();
    check_vector<short2>();
    return finish();
}
