// SPDX-License-Identifier: Apache-2.0
//
// ldmatrix and movmatrix: rows of 8 by 8 matrices from any place in shared
// memory, as they are and transposed.
#include "check.h"

typedef unsigned short element;
const int rows = 40, pitch = 24; // elements

template <int count, bool is_transposed>
__device__ void load(unsigned *r, unsigned at)
{
    if constexpr (count == 1 && !is_transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                     : "=r"(r[0])
                     : "r"(at));
    else if constexpr (count == 1)
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
            : "=r"(r[0])
            : "r"(at));
    else if constexpr (count == 2 && !is_transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(at));
    else if constexpr (count == 2)
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
            : "=r"(r[0]), "=r"(r[1])
            : "r"(at));
    else if constexpr (!is_transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                     "{%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                     "{%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
}

template <int count, bool is_transposed>
__global__ void load_matrices(const element *in, const int *row, unsigned *out)
{
    __shared__ __attribute__((aligned(16))) element m[rows * pitch];
    unsigned r[4] = {0, 0, 0, 0}, turned;

    for (int i = threadIdx.x; i < rows * pitch; i += blockDim.x)
        m[i] = in[i];
    __syncthreads();
    int i = threadIdx.x % 32;
    load<count, is_transposed>(
        r, (unsigned)__cvta_generic_to_shared(m + row[i] * pitch));
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
        : "=r"(turned)
        : "r"(r[0]));
    for (int j = 0; j < 4; j++)
        out[5 * threadIdx.x + j] = r[j];
    out[5 * threadIdx.x + 4] = turned;
}

static unsigned pair(const buffer<element> &m, const buffer<int> &row,
                     int matrix, int lane, bool is_transposed)
{
    unsigned v = 0;

    for (int i = 0; i < 2; i++) {
        int first = lane / 4, second = lane % 4 * 2 + i;
        int at = is_transposed ? second : first;
        int column = is_transposed ? first : second;
        v |= (unsigned)m.host[row.host[8 * matrix + at] * pitch + column]
             << (16 * i);
    }
    return v;
}

template <int count, bool is_transposed> static void check(const char *name)
{
    const int threads = 64;
    buffer<element> in(rows * pitch);
    buffer<int> row(32);
    buffer<unsigned> out(5 * threads);
    std::vector<unsigned> want(5 * threads, 0);

    for (int i = 0; i < rows * pitch; i++)
        in[i] = (element)scramble(i);
    for (int i = 0; i < 32; i++)
        row[i] = (i * 7 + 5) % rows;
    for (int i = 0; i < threads; i++) {
        for (int j = 0; j < count; j++)
            want[5 * i + j] = pair(in, row, j, i % 32, is_transposed);
        want[5 * i + 4] = pair(in, row, 0, i % 32, !is_transposed);
    }
    in.upload();
    row.upload();
    load_matrices<count, is_transposed>
        <<<1, threads>>>(in.device, row.device, out.device);
    out.download();
    expect_same(name, out, want);
}

int main()
{
    check<1, false>("one");
    check<2, false>("two");
    check<4, false>("four");
    check<1, true>("one, transposed");
    check<2, true>("two, transposed");
    check<4, true>("four, transposed");
    return finish();
}
