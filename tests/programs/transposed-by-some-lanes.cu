// SPDX-License-Identifier: Apache-2.0
//
// Sixteen bytes of each lane, when lanes leave a loop at different times: what
// they read and write at places that depend on data, and that the lanes which
// are gone touch nothing, be their addresses valid or not.
#include "check.h"

#define N 200

// Places of lane i: a chain that leads from element to element, 0 to 6 steps.
__host__ __device__ static inline int steps_of(int i)
{
    return i * 5 % 7;
}

__global__ void follow(int4 *out, const int4 *in, const int *next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    long at = i;
    for (int s = 0; s < steps_of(i); s++) {
        int4 v = in[at];
        out[at * 8 + s] = make_int4(v.w + s, v.z, v.y - i, v.x);
        // The last step leaves an address where nothing is.
        at = s + 1 < steps_of(i) ? next[at] : 1l << 40;
    }
}

__global__ void hash(unsigned *out, const unsigned char *text, const int *start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    const unsigned char *p = text + start[i];
    unsigned h = i;
    for (int b = 0; b < (start[i + 1] - start[i]) / 16; b++, p += 16)
        for (int k = 0; k < 4; k++) {
            unsigned word = 0;
            for (int c = 0; c < 4; c++)
                word |= (unsigned)p[4 * k + c] << (8 * c);
            h = (h ^ word) * 16777619u;
        }
    out[i] = h;
}

static void check_follow()
{
    buffer<int4> in(N), out(8 * N);
    buffer<int> next(N);
    std::vector<int4> want = out.host;
    for (int i = 0; i < N; i++) {
        in[i] = make_int4(i, 3 * i, -i, i ^ 77);
        next[i] = (i + N / 2 + 1) % N; // no two lanes at one place and step
    }
    in.upload();
    next.upload();
    follow<<<2, 128>>>(out.device, in.device, next.device);
    out.download();
    for (int i = 0; i < N; i++) {
        int at = i;
        for (int s = 0; s < steps_of(i); s++, at = next[at])
            want[at * 8 + s] =
                make_int4(in[at].w + s, in[at].z, in[at].y - i, in[at].x);
    }
    expect_same("follow", out.host.data(), want.data(), want.size());
}

static void check_hash()
{
    buffer<int> start(N + 1);
    buffer<unsigned> out(N);
    start[0] = 0;
    for (int i = 0; i < N; i++)
        start[i + 1] = start[i] + i * 37 % 90;
    buffer<unsigned char> text(start[N]);
    for (int i = 0; i < start[N]; i++)
        text[i] = (unsigned char)(i * 211 % 253);
    start.upload();
    text.upload();
    hash<<<4, 64>>>(out.device, text.device, start.device);
    out.download();
    for (int i = 0; i < N; i++) {
        unsigned h = i;
        for (int b = 0; b < (start[i + 1] - start[i]) / 16 * 4; b++) {
            unsigned word;
            memcpy(&word, &text[start[i] + 4 * b], 4);
            h = (h ^ word) * 16777619u;
        }
        EXPECT_EQ(out[i], h);
    }
}

int main()
{
    check_follow();
    check_hash();
    return finish();
}
