// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// Shuffles within a warp: all four kinds, widths 2 to 32, offsets beyond the
// group, lanes from memory, all types, partial masks, and what is built on
// them: reductions, scans, a transposition.
#include "check.h"

const int warps = 3, count = 32 * warps;
const unsigned full = 0xffffffffu;

template <typename T> __host__ __device__ T value_of(int i)
{
    return (T)((long long)scramble(i) * 977 - 123456789);
}

template <typename T> __global__ void all_kinds(T *out, int delta, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = value_of<T>(i);
    T *p = out + 4 * i;
    p[0] = __shfl_sync(full, v, delta, width);
    p[1] = __shfl_up_sync(full, v, delta, width);
    p[2] = __shfl_down_sync(full, v, delta, width);
    p[3] = __shfl_xor_sync(full, v, delta, width);
}

// The lane that each kind reads.
static int source(int kind, int lane, int delta, int width)
{
    int group = lane / width * width, at = lane % width;
    switch (kind) {
    case 0:
        return group + (delta & (width - 1));
    case 1:
        return at - delta < 0 ? lane : lane - delta;
    case 2:
        return at + delta >= width ? lane : lane + delta;
    default:
        // A lane of a later group cannot be read, one of an earlier can.
        return (lane ^ delta) >= group + width ? lane : lane ^ delta;
    }
}

template <typename T> void check_all_kinds(const char *name)
{
    for (int width : {2, 4, 8, 16, 32}) {
        for (int delta : {0, 1, 2, 3, 5, 8, 15, 16, 17, 31}) {
            buffer<T> out(4 * count);
            std::vector<T> want(4 * count);
            for (int i = 0; i < count; i++)
                for (int kind = 0; kind < 4; kind++)
                    want[4 * i + kind] = value_of<T>(
                        i / 32 * 32 + source(kind, i % 32, delta, width));
            all_kinds<T><<<1, count>>>(out.device, delta, width);
            out.download();
            expect_same(name, out, want);
        }
    }
}

__global__ void any_lane(int *out, const int *lane)
{
    int i = threadIdx.x;
    int v = i * 3;
    int a = __shfl_sync(full, v, lane[i]); // each lane another one
    int b = __shfl_sync(full, v, lane[i], 8);
    int c = __shfl_xor_sync(full, a, lane[i] & 31);
    out[3 * i] = a;
    out[3 * i + 1] = b;
    out[3 * i + 2] = c;
}

static void check_any_lane()
{
    buffer<int> out(3 * count), lane(count);
    std::vector<int> want(3 * count);
    for (int i = 0; i < count; i++)
        lane[i] = (int)(scramble(i) % 97);
    for (int i = 0; i < count; i++) {
        int base = i / 32 * 32;
        want[3 * i] = 3 * (base + lane[i] % 32);
        want[3 * i + 1] = 3 * (i / 8 * 8 + lane[i] % 8);
        int other = i ^ (lane[i] & 31);
        want[3 * i + 2] = 3 * (base + lane[other] % 32);
    }
    lane.upload();
    any_lane<<<1, count>>>(out.device, lane.device);
    out.download();
    expect_same("any lane", out, want);
}

// Only the lanes of a mask take part, under a branch.
__global__ void partial(int *out)
{
    int i = threadIdx.x, lane = i % 32;
    int v = i * 7, x = -1;
    if (lane < 16) {
        x = __shfl_down_sync(0x0000ffffu, v, 3, 16);
        x += __shfl_sync(0x0000ffffu, v, 5);
    } else if (lane % 2) {
        x = __shfl_xor_sync(0xaaaa0000u, v, 6);
    }
    out[i] = x;
}

static void check_partial()
{
    buffer<int> out(count);
    std::vector<int> want(count);
    for (int i = 0; i < count; i++) {
        int lane = i % 32, base = i - lane;
        if (lane < 16)
            want[i] = 7 * (lane + 3 < 16 ? i + 3 : i) + 7 * (base + 5);
        else
            want[i] = lane % 2 ? 7 * (base + (lane ^ 6)) : -1;
    }
    partial<<<1, count>>>(out.device);
    out.download();
    expect_same("partial masks", out, want);
}

// A block whose last warp is not full: the mask names those that are there.
__global__ void short_warp(int *out)
{
    unsigned mask = __activemask();
    int i = threadIdx.x, v = i + 1;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(mask, v, d);
        if (i % 32 >= d)
            v += other;
    }
    out[i] = v;
}

static void check_short_warp(int threads)
{
    buffer<int> out(threads);
    std::vector<int> want(threads);
    for (int i = 0; i < threads; i++)
        want[i] = i + 1 + (i % 32 ? want[i - 1] : 0);
    short_warp<<<1, threads>>>(out.device);
    out.download();
    expect_same("short warp", out, want);
}

template <typename T> __device__ T warp_sum(T v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(full, v, d);
    return v;
}

template <typename T> __global__ void sums(T *out, const T *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T down = warp_sum(in[i]), around = in[i];
    for (int d = 1; d < 32; d *= 2)
        around += __shfl_xor_sync(full, around, d);
    if (i % 32 == 0)
        out[i] = down;
    else
        out[i] = around;
}

template <typename T> void check_sums(const char *name)
{
    buffer<T> out(count), in(count);
    std::vector<T> want(count);
    for (int i = 0; i < count; i++)
        in[i] = (T)(scramble(i) % 1000); // exact in every type
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 32; k++)
            want[i] += in[i / 32 * 32 + k];
    in.upload();
    sums<T><<<warps, 32>>>(out.device, in.device);
    out.download();
    expect_same(name, out, want);
}

// A 32 x 32 matrix in registers, one row a lane, transposed.
__global__ void transpose(int *data)
{
    int lane = threadIdx.x, row[32];
    for (int k = 0; k < 32; k++)
        row[k] = data[lane * 32 + k];
    for (int d = 16; d > 0; d /= 2) {
        for (int k = 0; k < 32; k++) {
            if (k & d)
                continue;
            int mine = lane & d ? row[k] : row[k + d];
            int other = __shfl_xor_sync(full, mine, d);
            if (lane & d)
                row[k] = other;
            else
                row[k + d] = other;
        }
    }
    for (int k = 0; k < 32; k++)
        data[lane * 32 + k] = row[k];
}

static void check_transpose()
{
    buffer<int> data(1024);
    std::vector<int> want(1024);
    for (int i = 0; i < 1024; i++) {
        data[i] = i;
        want[i] = i % 32 * 32 + i / 32;
    }
    data.upload();
    transpose<<<1, 32>>>(data.device);
    data.download();
    expect_same("transpose", data, want);
}

// In a loop that the warp leaves together, on a condition it agrees on.
__global__ void in_loop(int *out)
{
    int i = threadIdx.x, v = (int)(scramble(i) % 100), rounds = 0;
    for (;;) {
        int left = __shfl_up_sync(full, v, 1);
        int right = __shfl_down_sync(full, v, 1);
        v = (left + v + right) / 3;
        rounds++;
        if (__all_sync(full, v == __shfl_sync(full, v, 0)) || rounds == 60)
            break;
    }
    out[i] = rounds * 1000 + v;
}

static void check_in_loop()
{
    buffer<int> out(count);
    std::vector<int> want(count);
    for (int w = 0; w < warps; w++) {
        int v[32], next[32], rounds = 0;
        for (int i = 0; i < 32; i++)
            v[i] = (int)(scramble(w * 32 + i) % 100);
        for (bool equal = false; !equal && rounds < 60;) {
            for (int i = 0; i < 32; i++)
                next[i] =
                    (v[i ? i - 1 : 0] + v[i] + v[i < 31 ? i + 1 : 31]) / 3;
            equal = true;
            for (int i = 0; i < 32; i++) {
                v[i] = next[i];
                equal = equal && next[i] == next[0];
            }
            rounds++;
        }
        for (int i = 0; i < 32; i++)
            want[w * 32 + i] = rounds * 1000 + v[i];
    }
    in_loop<<<1, count>>>(out.device);
    out.download();
    expect_same("in a loop", out, want);
}

int main()
{
    check_all_kinds<int>("int");
    check_all_kinds<unsigned>("unsigned");
    check_all_kinds<float>("float");
    check_all_kinds<double>("double");
    check_all_kinds<long long>("long long");
    check_any_lane();
    check_partial();
    check_short_warp(65);
    check_short_warp(20);
    check_sums<int>("sums of ints");
    check_sums<float>("sums of floats");
    check_sums<double>("sums of doubles");
    check_transpose();
    check_in_loop();
    return finish();
}
