// SPDX-License-Identifier: Apache-2.0
// also: WEFT_WARPS=8
//
// Exclusive sums down the columns of a table in one pass, as a radix sort's
// digits are placed: every thread looks back through its own column, over the
// rows of other blocks, until it finds one that is complete, and then writes
// its own row. Threads of a warp are done after different numbers of looks.
#include <cstdio>
#include <vector>

constexpr int columns = 256;
constexpr unsigned partial = 1u << 30, complete = 1u << 31;
constexpr unsigned value_bits = partial - 1;

__global__ void sum_columns(const unsigned *counts, volatile unsigned *table,
                            unsigned *sums, unsigned *ticket)
{
    __shared__ int row_of_block;
    if (threadIdx.x == 0)
        row_of_block = (int)atomicAdd(ticket, 1u);
    __syncthreads();
    int row = row_of_block, column = threadIdx.x;
    unsigned own = counts[row * columns + column], before = 0;

    // Some say at once what they have, so that looks end early and late.
    bool is_first = row == 0 || (row + column) % 7 == 0;
    if (!is_first || row == 0)
        table[row * columns + column] = own | (row ? partial : complete);
    for (int r = row - 1; r >= 0; r--) {
        unsigned seen;
        do {
            __threadfence_block();
            seen = table[r * columns + column];
        } while (seen == 0);
        before += seen & value_bits;
        if (seen & complete)
            break;
    }
    table[row * columns + column] = (before + own) | complete;
    sums[row * columns + column] = before;
}

int main()
{
    const int rows = 300;
    std::vector<unsigned> counts(rows * columns), sums(rows * columns);
    for (size_t i = 0; i < counts.size(); i++)
        counts[i] = ((unsigned)i * 2654435761u >> 24) + 1;
    unsigned *d_counts, *d_table, *d_sums, *d_ticket;
    size_t bytes = counts.size() * sizeof(unsigned);
    cudaMalloc(&d_counts, bytes);
    cudaMalloc(&d_table, bytes);
    cudaMalloc(&d_sums, bytes);
    cudaMalloc(&d_ticket, sizeof(unsigned));
    cudaMemcpy(d_counts, counts.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemset(d_table, 0, bytes);
    cudaMemset(d_ticket, 0, sizeof(unsigned));
    sum_columns<<<rows, columns>>>(d_counts, d_table, d_sums, d_ticket);
    cudaMemcpy(sums.data(), d_sums, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int c = 0; c < columns; c++) {
        unsigned sum = 0;
        for (int r = 0; r < rows; r++) {
            wrong += sums[r * columns + c] != sum;
            sum += counts[r * columns + c];
        }
    }
    printf("%d columns, %d rows: %d wrong, %s\n", columns, rows, wrong,
           cudaGetErrorName(cudaGetLastError()));
    return wrong != 0;
}
