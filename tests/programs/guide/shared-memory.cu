// SPDX-License-Identifier: Apache-2.0
//
// How threads of a warp use shared memory: arrays that a block cuts out of the
// memory that its launch gives it ("Variable Type Qualifiers"), and the ways of
// access whose bank conflicts the chapters on compute capability count:
// strides, bytes, doubles, structures. Here their values count.
#include "../check.h"

const int N = 32;

// ---- dynamic shared memory --------------------------------------------------

extern __shared__ float whole[];

__global__ void cut_up(int *out)
{
    short *shorts = (short *)whole;
    float *floats = (float *)&shorts[128];
    int *ints = (int *)&floats[64];
    int i = threadIdx.x;
    if (i < 128)
        shorts[i] = (short)(i - 64);
    if (i < 64)
        floats[i] = i * 0.5f;
    ints[i] = i * 1000;
    __syncthreads();
    int j = 255 - i;
    out[i] = shorts[j / 2] + (int)(floats[j / 4] * 2) + ints[j];
    if (i == 0) {
        out[256] = (int)((char *)floats - (char *)whole);
        out[257] = (int)((char *)ints - (char *)whole);
    }
}

static void three_arrays()
{
    buffer<int> out(258);
    cut_up<<<1, 256,
             128 * sizeof(short) + 64 * sizeof(float) + 256 * sizeof(int)>>>(
        out.device);
    out.download();
    for (int i = 0; i < 256; i++) {
        int j = 255 - i;
        EXPECT_EQ(out[i], (j / 2 - 64) + j / 4 + j * 1000);
    }
    EXPECT_EQ(out[256], 256);
    EXPECT_EQ(out[257], 512);
}

// ---- ways of access ---------------------------------------------------------

// 32-bit words, neighbouring threads `stride` words apart.
__global__ void with_stride(const float *in, float *out, int base, int stride)
{
    __shared__ float words[N * 8];
    int tid = threadIdx.x;
    for (int i = tid; i < N * 8; i += N)
        words[i] = in[i];
    __syncthreads();
    out[tid] = words[base + stride * tid];
}

static void strided_words()
{
    buffer<float> in(N * 8), out(N);
    for (int i = 0; i < N * 8; i++)
        in[i] = (float)i;
    in.upload();
    for (int stride = 0; stride < 8; stride++) {
        with_stride<<<1, N>>>(in.device, out.device, 5, stride);
        out.download();
        for (int i = 0; i < N; i++)
            EXPECT(out[i] == 5 + stride * i);
    }
}

__global__ void with_bytes(char *out, int base, int stride)
{
    __shared__ char bytes[N * 4 + 4];
    int tid = threadIdx.x;
    for (int i = tid; i < N * 4 + 4; i += N)
        bytes[i] = (char)(i * 3);
    __syncthreads();
    out[tid] = bytes[base + stride * tid];
}

static void bytes()
{
    buffer<char> out(N);
    for (int stride : {1, 4}) {
        with_bytes<<<1, N>>>(out.device, 2, stride);
        out.download();
        for (int i = 0; i < N; i++)
            EXPECT_EQ(out[i], (char)((2 + stride * i) * 3));
    }
}

// A double at once, and as two words that are put together again.
__global__ void with_doubles(const double *in, double *out, double *again)
{
    __shared__ double whole_ones[N];
    __shared__ int low[N], high[N];
    int tid = threadIdx.x;
    double mine = in[tid];
    whole_ones[tid] = mine;
    low[tid] = __double2loint(mine);
    high[tid] = __double2hiint(mine);
    __syncthreads();
    int other = (tid + 7) % N;
    out[tid] = whole_ones[other];
    again[tid] = __hiloint2double(high[other], low[other]);
}

static void doubles()
{
    buffer<double> in(N), out(N), again(N);
    std::vector<double> want(N);
    for (int i = 0; i < N; i++)
        in[i] = i / 3.0 - 5;
    in.upload();
    for (int i = 0; i < N; i++)
        want[i] = in[(i + 7) % N];
    with_doubles<<<1, N>>>(in.device, out.device, again.device);
    out.download();
    again.download();
    expect_same("doubles", out, want);
    expect_same("doubles in halves", again, want);
}

struct three_floats {
    float x, y, z;
};
struct two_floats {
    float x, y;
};
struct float_and_byte {
    float f;
    char c;
};

template <typename T> __global__ void with_structures(const T *in, T *out)
{
    __shared__ T shared[N];
    int tid = threadIdx.x;
    shared[N - 1 - tid] = in[tid];
    __syncthreads();
    out[tid] = shared[tid];
}

template <typename T> static void turned_round(T (*make)(int))
{
    buffer<T> in(N), out(N, 0);
    std::vector<T> want(N);
    for (int i = 0; i < N; i++)
        in[i] = make(i);
    in.upload();
    with_structures<<<1, N>>>(in.device, out.device);
    out.download();
    for (int i = 0; i < N; i++)
        want[i] = make(N - 1 - i);
    for (int i = 0; i < N; i++)
        EXPECT(!std::memcmp(&out[i], &want[i], sizeof(float)));
    expect_same("structures' last members", (char *)&out[0] + sizeof(T) - 4,
                (char *)&want[0] + sizeof(T) - 4, 1);
}

static void structures()
{
    turned_round<three_floats>([](int i) {
        return three_floats{i * 1.0f, i * 2.0f, i * 3.0f};
    });
    turned_round<two_floats>([](int i) {
        return two_floats{i * 1.0f, i * 2.0f};
    });
    turned_round<float_and_byte>([](int i) {
        return float_and_byte{i * 1.0f, (char)i};
    });
}

int main()
{
    three_arrays();
    strided_words();
    bytes();
    doubles();
    structures();
    return finish();
}
