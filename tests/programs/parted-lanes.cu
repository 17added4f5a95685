// SPDX-License-Identifier: Apache-2.0
//
// Addresses behind loops that lanes may leave at different times: mostly they
// leave together, and then neighbours stay neighbours. Here they do, or one
// lane does not, or none does; with elements of all sizes, for loads and
// stores, at one place for all lanes, and under masks.
#include "check.h"

const int threads = 96, length = 12000;

template <typename T>
__global__ void parted(T *out, const T *in, const int *limit, int n)
{
    const int stride = threads;
    int i = threadIdx.x;
    T sum = 0;
    while (i < limit[threadIdx.x]) {
        sum += in[i];
        i += stride;
    }
    while (i + stride < n) {
        sum = (T)(in[i] * 2 + in[i + stride] + (sum > 99 ? 1 : sum));
        out[i] = sum;
        i += 2 * stride;
    }
}

enum pattern { TOGETHER, ONE_LATE, BY_WARP, ALL_DIFFERENT, HALF, PATTERNS };

static int limit_of(int pattern, int thread)
{
    switch (pattern) {
    case ONE_LATE:
        return thread == 41 ? 2000 : 1000;
    case BY_WARP:
        return 1000 + thread / 32 * 500;
    case ALL_DIFFERENT:
        return 300 * thread;
    case HALF:
        return thread % 2 ? 1000 : 3000;
    default:
        return 1000;
    }
}

template <typename T> static void check_parted(const char *name, int pattern)
{
    const int stride = threads;
    buffer<T> out(length), in(length);
    buffer<int> limit(threads);
    std::vector<T> want(length);
    for (int i = 0; i < length; i++) {
        in[i] = (T)(scramble(i) % 100);
        out[i] = want[i] = (T)(i % 7);
    }
    for (int t = 0; t < threads; t++) {
        limit[t] = limit_of(pattern, t);
        int i = t;
        T sum = 0;
        for (; i < limit[t]; i += stride)
            sum += in[i];
        for (; i + stride < length; i += 2 * stride)
            want[i] = sum = (T)(in[i] * 2 + in[i + stride] + (sum > 99 ? 1 : sum));
    }
    in.upload(), limit.upload(), out.upload();
    parted<T><<<1, threads>>>(out.device, in.device, limit.device, length);
    out.download();
    expect_same(name, out, want);
}

// Behind the loop all lanes read one place, or each its own.
__global__ void one_place(unsigned *out, const unsigned *in, const int *limit)
{
    int i = 0;
    while (i < limit[threadIdx.x])
        i += 1 + (in[i] & 1);
    out[threadIdx.x] = in[i] * 5;
}

static void check_one_place(int pattern)
{
    buffer<unsigned> out(threads), in(40000);
    buffer<int> limit(threads);
    std::vector<unsigned> want(threads);
    for (int i = 0; i < 40000; i++)
        in[i] = scramble(i);
    for (int t = 0; t < threads; t++) {
        int i = 0;
        limit[t] = limit_of(pattern, t);
        while (i < limit[t])
            i += 1 + (in[i] & 1);
        want[t] = in[i] * 5;
    }
    in.upload(), limit.upload();
    one_place<<<1, threads>>>(out.device, in.device, limit.device);
    out.download();
    expect_same("one place", out, want);
}

int main()
{
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        check_parted<float>("floats", pattern);
        check_parted<double>("doubles", pattern);
        check_parted<int>("ints", pattern);
        check_parted<unsigned char>("bytes", pattern);
        check_parted<short>("shorts", pattern);
        check_parted<long long>("long longs", pattern);
        check_one_place(pattern);
    }
    return finish();
}
