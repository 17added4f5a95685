// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// Votes, matches and reductions over the lanes of a warp: full and partial
// masks, warps that are not full, under branches and in loops.
#include "check.h"

const unsigned full = 0xffffffffu;

struct seen {
    unsigned any, all, uniform, votes, active;
};

__global__ void vote(seen *out, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned live = __activemask();
    int v = in[i];
    seen b;
    b.any = __any_sync(live, v > 90) != 0;
    b.all = __all_sync(live, v >= 0) != 0;
    b.uniform = __all_sync(live, v == in[i / 32 * 32]) != 0;
    b.votes = __ballot_sync(live, v % 3 == 0);
    b.active = live;
    out[i] = b;
}

static void check_vote(int threads)
{
    buffer<seen> out(threads);
    buffer<int> in(threads);
    std::vector<seen> want(threads);
    for (int i = 0; i < threads; i++)
        in[i] = i < 32 ? 33 : (int)(scramble(i) % 95);
    for (int i = 0; i < threads; i++) {
        seen b = {0, 1, 1, 0, 0};
        for (int k = i / 32 * 32; k < threads && k < i / 32 * 32 + 32; k++) {
            b.any |= in[k] > 90;
            b.uniform &= in[k] == in[i / 32 * 32];
            b.votes |= (unsigned)(in[k] % 3 == 0) << k % 32;
            b.active |= 1u << k % 32;
        }
        want[i] = b;
    }
    in.upload();
    vote<<<1, threads>>>(out.device, in.device);
    out.download();
    expect_same("votes", out, want);
}

// Lanes of a branch vote among themselves.
__global__ void in_branch(unsigned *out)
{
    int i = threadIdx.x, lane = i % 32;
    unsigned x = 0;
    if (lane % 4 == 1)
        x = __ballot_sync(0x22222222u, lane > 10);
    else if (lane >= 24)
        x = __any_sync(0xddu << 24, lane == 31) ? 7 : 8;
    out[i] = x;
}

static void check_in_branch()
{
    buffer<unsigned> out(64);
    std::vector<unsigned> want(64);
    for (int i = 0; i < 64; i++) {
        int lane = i % 32;
        want[i] = lane % 4 == 1 ? 0x22222222u & ~((1u << 11) - 1)
                  : lane >= 24  ? 7
                                : 0;
    }
    in_branch<<<1, 64>>>(out.device);
    out.download();
    expect_same("in a branch", out, want);
}

// Each lane's place among those that keep their value: stream compaction.
__global__ void compact(int *out, int *kept, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : -1;
    bool keep = v >= 0;
    unsigned votes = __ballot_sync(full, keep);
    int lane = threadIdx.x % 32, warp = i / 32;
    if (keep)
        out[warp * 32 + __popc(votes & ((1u << lane) - 1))] = v;
    if (lane == 0)
        kept[warp] = __popc(votes);
}

static void check_compact()
{
    const int n = 500, warps = 16;
    buffer<int> out(warps * 32), kept(warps), in(n);
    std::vector<int> want = out.host, want_kept(warps);
    for (int i = 0; i < n; i++) {
        in[i] = (int)(scramble(i) % 100) - 40;
        if (in[i] >= 0)
            want[i / 32 * 32 + want_kept[i / 32]++] = in[i];
    }
    in.upload();
    compact<<<4, 128>>>(out.device, kept.device, in.device, n);
    out.download();
    kept.download();
    expect_same("compacted", out, want);
    expect_same("kept", kept, want_kept);
}

struct matches {
    unsigned any, all, wide_any;
    int agreed, wide_agreed;
};

__global__ void match(matches *out, const int *in)
{
    int i = threadIdx.x;
    matches m;
    m.any = __match_any_sync(full, in[i]);
    m.all = __match_all_sync(full, in[i], &m.agreed);
    m.wide_any = __match_any_sync(full, (unsigned long long)in[i] << 33);
    (void)__match_all_sync(full, (double)in[i], &m.wide_agreed);
    m.agreed = m.agreed != 0;
    m.wide_agreed = m.wide_agreed != 0;
    out[i] = m;
}

static void check_match()
{
    buffer<matches> out(96);
    buffer<int> in(96);
    std::vector<matches> want(96);
    for (int i = 0; i < 96; i++)
        in[i] = i < 32 ? 5 : i < 64 ? (int)(scramble(i) % 6) : i;
    for (int i = 0; i < 96; i++) {
        unsigned same = 0;
        for (int k = 0; k < 32; k++)
            same |= (unsigned)(in[i / 32 * 32 + k] == in[i]) << k;
        int agreed = same == full;
        want[i] = {same, agreed ? full : 0, same, agreed, agreed};
    }
    in.upload();
    match<<<1, 96>>>(out.device, in.device);
    out.download();
    expect_same("matches", out, want);
}

struct reduced {
    unsigned sum, low, high, all, any, odd;
    int signed_sum, signed_low, signed_high;
};

__global__ void reduce(reduced *out, unsigned mask)
{
    int i = threadIdx.x;
    if (!(mask >> (i % 32) & 1))
        return;
    unsigned u = scramble(i);
    reduced r;
    r.sum = __reduce_add_sync(mask, u);
    r.low = __reduce_min_sync(mask, u);
    r.high = __reduce_max_sync(mask, u);
    r.all = __reduce_and_sync(mask, u | 0x11111111u);
    r.any = __reduce_or_sync(mask, u & 0x88888888u);
    r.odd = __reduce_xor_sync(mask, u);
    r.signed_sum = __reduce_add_sync(mask, (int)u);
    r.signed_low = __reduce_min_sync(mask, (int)u);
    r.signed_high = __reduce_max_sync(mask, (int)u);
    out[i] = r;
}

static void check_reduce(unsigned mask)
{
    buffer<reduced> out(64, 0);
    std::vector<reduced> want(64);
    for (int i = 0; i < 64; i++) {
        reduced r = {0, ~0u, 0, ~0u, 0, 0, 0, 0x7fffffff, (int)0x80000000};
        for (int k = 0; k < 32; k++) {
            if (!(mask >> k & 1))
                continue;
            unsigned u = scramble(i / 32 * 32 + k);
            r.sum += u;
            r.low = u < r.low ? u : r.low;
            r.high = u > r.high ? u : r.high;
            r.all &= u | 0x11111111u;
            r.any |= u & 0x88888888u;
            r.odd ^= u;
            r.signed_low = (int)u < r.signed_low ? (int)u : r.signed_low;
            r.signed_high = (int)u > r.signed_high ? (int)u : r.signed_high;
        }
        r.signed_sum = (int)r.sum;
        if (mask >> (i % 32) & 1)
            want[i] = r;
    }
    reduce<<<1, 64>>>(out.device, mask);
    out.download();
    expect_same("reductions", out, want);
}

// Lanes drop out of a loop one after the other; the rest votes on.
__global__ void dropping_out(unsigned *out)
{
    int lane = threadIdx.x % 32;
    unsigned mask = full, seen = 0;
    for (int k = 0; k < 32; k++) {
        unsigned stays = __ballot_sync(mask, lane >= k);
        seen = seen * 3 + __popc(stays);
        if (lane < k)
            break;
        mask = stays;
    }
    out[threadIdx.x] = seen;
}

static void check_dropping_out()
{
    buffer<unsigned> out(64);
    std::vector<unsigned> want(64);
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 32 && k <= i % 32 + 1; k++)
            want[i] = want[i] * 3 + (32 - k);
    dropping_out<<<1, 64>>>(out.device);
    out.download();
    expect_same("dropping out", out, want);
}

// __syncwarp orders what lanes exchange through memory.
__global__ void through_memory(int *out)
{
    __shared__ int values[64];
    int i = threadIdx.x;
    values[i] = i * i;
    __syncwarp();
    int x = values[i ^ 1];
    __syncwarp();
    values[i] = x + 1;
    __syncwarp(full);
    out[i] = values[i ^ 2];
}

static void check_through_memory()
{
    buffer<int> out(64);
    std::vector<int> want(64);
    for (int i = 0; i < 64; i++)
        want[i] = (i ^ 2 ^ 1) * (i ^ 2 ^ 1) + 1;
    through_memory<<<1, 64>>>(out.device);
    out.download();
    expect_same("through memory", out, want);
}

int main()
{
    check_vote(128);
    check_vote(65);
    check_vote(40);
    check_in_branch();
    check_compact();
    check_match();
    check_reduce(full);
    check_reduce(0x0f0f1234u);
    check_reduce(0x80000000u);
    check_dropping_out();
    check_through_memory();
    return finish();
}
