// SPDX-License-Identifier: Apache-2.0
// also: WEFT_WARPS=8
//
// Lanes that store side by side, and blocks that take their places from one
// counter: by ballots, by sums over the warp, by an atomic operation of one
// lane for all. And stores that look like it but leave gaps or go backwards.
#include "check.h"

#include <algorithm>

const int n = 5000, size = 256;

__device__ __host__ bool keeps(int form, unsigned i)
{
    unsigned v = i * 2654435761u >> 16;
    switch (form) {
    case 0:
        return v % 3 == 0;
    case 1:
        return v % 61 == 0; // many warps keep nothing
    case 2:
        return i % 32 != 0; // never the first lane
    case 3:
        return true;
    default:
        return false;
    }
}

template <typename T>
__global__ void by_ballot(int form, T *out, unsigned *count, int stride,
                          int step)
{
    unsigned i =
        (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    __shared__ unsigned part[size / 32], base;
    bool keep = i < n && keeps(form, i);
    unsigned ballot = __ballot_sync(~0u, keep);
    if (lane == 0)
        part[warp] = __popc(ballot);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (unsigned w = 0; w < size / 32; w++) {
            unsigned own = part[w];
            part[w] = all;
            all += own;
        }
        base = atomicAdd(count, all);
    }
    __syncthreads();
    if (keep) {
        int at = base + part[warp] + __popc(ballot & ((1u << lane) - 1));
        out[stride * at + step] = (T)(i + 1);
    }
}

// One lane takes places for those that are here.
__global__ void by_leader(int form, unsigned *out, unsigned *count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || !keeps(form, i))
        return;
    unsigned here = __activemask(), lane = threadIdx.x % 32;
    int leader = __ffs(here) - 1;
    unsigned base = 0;
    if ((int)lane == leader)
        base = atomicAdd(count, __popc(here));
    base = __shfl_sync(here, base, leader);
    out[base + __popc(here & ((1u << lane) - 1))] = i + 1;
}

// Sums over the warp; each lane keeps up to two numbers, which leaves gaps
// between the first ones.
__global__ void by_sums(int form, unsigned *out, unsigned *count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool keep = i < n && keeps(form, i);
    unsigned own = keep ? 1 + i % 2 : 0, sum = own, base = 0;
    for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(~0u, sum, d);
        if ((int)lane >= d)
            sum += other;
    }
    if (lane == 31)
        base = atomicAdd(count, sum);
    base = __shfl_sync(~0u, base, 31) + sum - own;
    if (keep) {
        out[base] = 2 * i + 2;
        if (own == 2)
            out[base + 1] = 2 * i + 3;
    }
}

static void expect(const char *what, int form, std::vector<unsigned> got,
                   unsigned count, const std::vector<unsigned> &want)
{
    if (count != want.size()) {
        FAIL("%s, form %d: %u are kept, should be %zu", what, form, count,
             want.size());
        return;
    }
    got.resize(count);
    std::sort(got.begin(), got.end());
    if (got != want)
        FAIL("%s, form %d: others are kept", what, form);
}

template <typename T>
static void check_ballot(const char *what, int form, int stride, int step,
                         const std::vector<unsigned> &want)
{
    const size_t room = 2 * n + 200;
    buffer<T> out(room, 0);
    buffer<unsigned> count(1, 0);
    dim3 grid(7, ((n + size - 1) / size + 6) / 7);
    by_ballot<<<grid, size>>>(form, out.device, count.device, stride, step);
    out.download();
    count.download();
    std::vector<unsigned> got;
    for (size_t i = 0; i < room; i++) {
        bool is_place = stride > 0 ? (int)i >= step && (i - step) % stride == 0
                                   : (int)i <= step;
        size_t at = stride > 0 ? (i - step) / stride : step - i;
        if (is_place && at < count.host[0])
            got.push_back((unsigned)out.host[i]);
        else if (out.host[i] != 0)
            FAIL("%s, form %d: element %zu is written", what, form, i);
    }
    expect(what, form, got, count.host[0], want);
}

int main()
{
    for (int form = 0; form < 5; form++) {
        std::vector<unsigned> want, twice;
        for (unsigned i = 0; i < n; i++) {
            if (!keeps(form, i))
                continue;
            want.push_back(i + 1);
            twice.push_back(2 * i + 2);
            if (i % 2)
                twice.push_back(2 * i + 3);
        }
        check_ballot<unsigned>("words", form, 1, 0, want);
        check_ballot<float>("floats", form, 1, 0, want);
        check_ballot<double>("doubles", form, 1, 3, want);
        check_ballot<unsigned short>("halves", form, 1, 0, want);
        check_ballot<unsigned>("every other", form, 2, 1, want);
        check_ballot<unsigned>("backwards", form, -1, 2 * n, want);

        const int blocks = (n + size - 1) / size;
        buffer<unsigned> out(2 * n, 0), count(1, 0);
        by_leader<<<blocks, size>>>(form, out.device, count.device);
        out.download();
        count.download();
        expect("leader", form, out.host, count.host[0], want);
        buffer<unsigned> out2(2 * n, 0), count2(1, 0);
        by_sums<<<blocks, size>>>(form, out2.device, count2.device);
        out2.download();
        count2.download();
        expect("sums", form, out2.host, count2.host[0], twice);
    }
    return finish();
}
