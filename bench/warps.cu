// SPDX-License-Identifier: Apache-2.0
//
// Kernels that live on what a warp and a block can do together: shuffles,
// ballots, contended atomics in shared memory, blocks that look back at their
// neighbours. Each checks its answer; the twins are in warps-twins.c.
#include "device.h"

static const int n = WARPS_LENGTH;
static const int block_size = BLOCK_SIZE, warps = block_size / 32;

__global__ void make_numbers(unsigned *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = warps_number(i);
}

static unsigned *numbers()
{
    unsigned *p = device_array<unsigned>(n);
    make_numbers<<<(n + 255) / 256, 256>>>(p, n);
    wait_for_device();
    return p;
}

static unsigned *data_in, *data_out;
static unsigned long long *total;

// ---- sum: shuffles down the warp, then over the block's warps --------------

__device__ unsigned sum_of_warp(unsigned v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    return v;
}

__global__ void shuffle_sum(const unsigned *data, int count,
                            unsigned long long *total)
{
    __shared__ unsigned part[warps];
    unsigned mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x)
        mine += data[i] & 255;
    mine = sum_of_warp(mine);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = sum_of_warp(threadIdx.x < warps ? part[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            atomicAdd(total, (unsigned long long)mine);
    }
}

static double run_shuffle_sum()
{
    data_in = numbers();
    total = device_array<unsigned long long>(1);
    double ms = measure_ms([] {
        CHECK(cudaMemsetAsync(total, 0, sizeof *total));
        shuffle_sum<<<STRIDED_BLOCKS, block_size>>>(data_in, n, total);
        wait_for_device();
    });
    unsigned long long want = 0;
    for (int i = 0; i < n; i++)
        want += warps_number(i) & 255;
    return device_value(total) == want ? ms : -1;
}

// ---- histogram: 256 counters in shared memory, most hits on a few ----------

__global__ void histogram(const unsigned *data, int count, unsigned *bins)
{
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[warps_bin(data[i])], 1u);
    __syncthreads();
    if (local[threadIdx.x])
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

static double run_histogram()
{
    data_in = numbers();
    data_out = device_array<unsigned>(256);
    double ms = measure_ms([] {
        CHECK(cudaMemsetAsync(data_out, 0, 256 * sizeof *data_out));
        histogram<<<STRIDED_BLOCKS, block_size>>>(data_in, n, data_out);
        wait_for_device();
    });
    unsigned want[256] = {0};
    for (int i = 0; i < n; i++)
        want[warps_bin(warps_number(i))]++;
    for (int i = 0; i < 256; i++)
        if (device_value(data_out + i) != want[i])
            return -1;
    return ms;
}

// ---- compaction: ballots find each thread's place, blocks reserve theirs ----

__global__ void compact(const unsigned *in, int count, unsigned *out,
                        unsigned long long *kept)
{
    __shared__ unsigned part[warps];
    __shared__ unsigned long long base;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = i < count ? in[i] : 0;
    bool keep = i < count && warps_keeps(v);
    unsigned ballot = __ballot_sync(~0u, keep);
    if (lane == 0)
        part[warp] = __popc(ballot);
    __syncthreads();
    unsigned before = 0, all = 0;
    for (unsigned w = 0; w < warps; w++) {
        if (w == warp)
            before = all;
        all += part[w];
    }
    if (threadIdx.x == 0)
        base = atomicAdd(kept, (unsigned long long)all);
    __syncthreads();
    if (keep)
        out[base + before + __popc(ballot & ((1u << lane) - 1))] = v;
}

static double run_compaction()
{
    data_in = numbers();
    data_out = device_array<unsigned>(n);
    total = device_array<unsigned long long>(1);
    double ms = measure_ms([] {
        CHECK(cudaMemsetAsync(total, 0, sizeof *total));
        compact<<<(n + block_size - 1) / block_size, block_size>>>(
            data_in, n, data_out, total);
        wait_for_device();
    });
    unsigned long long kept = device_value(total), want = 0, sum = 0, got = 0;
    for (int i = 0; i < n; i++)
        if (warps_keeps(warps_number(i))) {
            want++;
            sum += warps_number(i);
        }
    unsigned *host = (unsigned *)malloc(kept * sizeof *host + 1);
    CHECK(cudaMemcpy(host, data_out, kept * sizeof *host,
                     cudaMemcpyDeviceToHost));
    for (unsigned long long i = 0; i < kept; i++)
        got += host[i];
    free(host);
    return kept == want && got == sum ? ms : -1;
}

// ---- scan: one pass, every block looks back for the sum before it ----------

const int scan_items = SCAN_ITEMS, scan_tile = SCAN_TILE;
const int scan_blocks = (n + scan_tile - 1) / scan_tile;
enum { NOTHING, OWN_SUM, WHOLE_SUM };
struct Tile {
    volatile unsigned state, own, whole;
};
static Tile *tiles;
static unsigned *ticket;

__device__ unsigned scan_of_warp(unsigned v)
{
    unsigned lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(~0u, v, d);
        if (lane >= d)
            v += other;
    }
    return v;
}

__device__ unsigned sum_before(Tile *tiles, int tile)
{
    unsigned before = 0;
    for (int at = tile - 1; at >= 0; at--) {
        unsigned state;
        while ((state = tiles[at].state) == NOTHING)
            ;
        __threadfence();
        if (state == WHOLE_SUM)
            return before + tiles[at].whole;
        before += tiles[at].own;
    }
    return before;
}

// Each warp has scan_items rows of 32 numbers behind each other.
__global__ void scan(const unsigned *in, int count, unsigned *out, Tile *tiles,
                     unsigned *ticket)
{
    __shared__ unsigned part[warps], before, tile;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int first = tile * scan_tile + warp * scan_items * 32 + lane;
    unsigned values[scan_items], carry = 0;
#pragma unroll
    for (int k = 0; k < scan_items; k++) {
        int i = first + 32 * k;
        values[k] = carry + scan_of_warp(i < count ? in[i] : 0);
        carry = __shfl_sync(~0u, values[k], 31);
    }
    if (lane == 0)
        part[warp] = carry;
    __syncthreads();
    unsigned all = 0, left = 0;
    for (int w = 0; w < warps; w++) {
        if (w == warp)
            left = all;
        all += part[w];
    }
    if (threadIdx.x == 0) {
        tiles[tile].own = all;
        __threadfence();
        tiles[tile].state = OWN_SUM;
        before = sum_before(tiles, tile);
        tiles[tile].whole = before + all;
        __threadfence();
        tiles[tile].state = WHOLE_SUM;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < scan_items; k++) {
        int i = first + 32 * k;
        if (i < count)
            out[i] = before + left + values[k];
    }
}

static double run_scan()
{
    data_in = numbers();
    data_out = device_array<unsigned>(n);
    tiles = device_array<Tile>(scan_blocks);
    ticket = device_array<unsigned>(1);
    double ms = measure_ms([] {
        CHECK(cudaMemsetAsync(tiles, 0, scan_blocks * sizeof *tiles));
        CHECK(cudaMemsetAsync(ticket, 0, sizeof *ticket));
        scan<<<scan_blocks, block_size>>>(data_in, n, data_out, tiles, ticket);
        wait_for_device();
    });
    unsigned *host = (unsigned *)malloc(n * sizeof *host), want = 0;
    CHECK(cudaMemcpy(host, data_out, n * sizeof *host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n && ms >= 0; i++)
        if (host[i] != (want += warps_number(i)))
            ms = -1;
    free(host);
    return ms;
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {
        {"shuffle-sum", run_shuffle_sum}, {"histogram", run_histogram},
        {"compaction", run_compaction},   {"scan", run_scan},
        {NULL, NULL},
    };
    return run_named(programs, argc, argv);
}
