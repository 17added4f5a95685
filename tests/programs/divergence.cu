// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// Branches that the lanes of a warp take differently: nested, chained, with
// stores on one side only, with early results, and conditions that are uniform
// in some warps and not in others.
#include "check.h"

static __host__ __device__ int if_else(int i)
{
    int x = 1;
    if (i % 3 == 0)
        x = i * 7;
    else
        x = i - 100;
    return x + 1;
}

static __host__ __device__ int if_only(int i)
{
    int x = i;
    if (scramble(i) & 1)
        x = -x;
    if (scramble(i) & 2)
        x += 1000;
    return x;
}

static __host__ __device__ int nested(int i)
{
    unsigned r = scramble(i);
    int x = 0;
    if (r & 1) {
        x += 1;
        if (r & 2) {
            x += 10;
            if (r & 4)
                x += 100;
            else
                x -= 100;
        } else if (r & 8) {
            x *= 3;
        }
        x += i;
    } else {
        if (r & 16)
            return -i;
        x = 5;
    }
    return x * 2;
}

static __host__ __device__ int chain(int i)
{
    unsigned r = scramble(i) % 100;
    if (r < 10)
        return 1;
    else if (r < 30)
        return i;
    else if (r < 31)
        return i * i;
    else if (r < 70)
        return i ^ 0x55;
    return -1;
}

static __host__ __device__ int short_circuit(int i)
{
    unsigned r = scramble(i);
    int x = 0;
    if ((r & 1) && ((r >> 1) % 7 == 3 || (r & 0x100)) && !(r & 0x2000))
        x = i;
    if ((r & 4) || (i > 50 && (r & 8)))
        x += 3;
    return x;
}

static __host__ __device__ int uniform_in_some_warps(int i)
{
    int x = i;
    if (i / 32 % 2 == 0) // whole warps, when blocks are multiples of 32
        x += 17;
    if (i < 100) // one warp is mixed
        x *= 2;
    if (i < 0) // none
        x = 0;
    if (i >= 0) // all
        x++;
    return x;
}

static __host__ __device__ float float_branches(int i)
{
    float x = (float)(int)(scramble(i) % 2000) - 1000.0f;
    if (x < -500)
        x = -x * 0.5f;
    else if (x > 500)
        x = 500;
    return x > 0 ? x * 2 : x;
}

static __host__ __device__ long long mixed_widths(int i)
{
    unsigned r = scramble(i);
    long long x = i;
    short s = (short)r;
    unsigned char b = (unsigned char)(r >> 8);
    if (s < 0)
        x += (long long)s << 20;
    if (b > 128)
        x ^= (long long)b << 40;
    else
        x -= b;
    return x;
}

// Each side of a branch stores to memory, each lane to its own places.
__global__ void stores(int *even, int *odd, const int *in, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    if (in[i] % 2 == 0) {
        even[i] = in[i];
    } else {
        odd[i] = in[i];
        if (in[i] % 5 == 0)
            even[i] = odd[i] + 1;
    }
}

static void check_stores()
{
    const int n = 1111;
    buffer<int> even(n), odd(n), in(n);
    std::vector<int> want_even = even.host, want_odd = odd.host;
    for (int i = 0; i < n; i++) {
        int v = in[i] = (int)(scramble(i) & 0xffff);
        if (v % 2 == 0)
            want_even[i] = v;
        else
            want_odd[i] = v;
        if (v % 2 && v % 5 == 0)
            want_even[i] = v + 1;
    }
    in.upload();
    stores<<<(n + 63) / 64, 64>>>(even.device, odd.device, in.device, n);
    even.download();
    odd.download();
    expect_same("stores even", even, want_even);
    expect_same("stores odd", odd, want_odd);
}

// A load that only some lanes may do: the others' addresses are wild.
__global__ void guarded_loads(int *out, const int *in, const int *where, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    int at = where[i];
    int x = -1;
    if (at >= 0 && at < n)
        x = in[at];
    out[i] = x;
}

static void check_guarded_loads()
{
    const int n = 777;
    buffer<int> out(n), in(n), where(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) {
        in[i] = i * 3;
        where[i] = scramble(i) & 1 ? (int)(scramble(i) % n)
                                   : (int)scramble(i + n) | 0x40000000;
        want[i] = where[i] >= 0 && where[i] < n ? where[i] * 3 : -1;
    }
    in.upload();
    where.upload();
    guarded_loads<<<(n + 95) / 96, 96>>>(out.device, in.device, where.device,
                                         n);
    out.download();
    expect_same("guarded loads", out, want);
}

int main()
{
    const int n = 1000;
    CHECK_MAP(int, if_else, n);
    CHECK_MAP(int, if_only, n);
    CHECK_MAP(int, nested, n);
    CHECK_MAP(int, chain, n);
    CHECK_MAP(int, short_circuit, n);
    CHECK_MAP(int, uniform_in_some_warps, n);
    CHECK_MAP(float, float_branches, n);
    CHECK_MAP(long long, mixed_widths, n);
    check_stores();
    check_guarded_loads();
    return finish();
}
