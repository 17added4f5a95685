// SPDX-License-Identifier: Apache-2.0
//
// Blocks of 16x16 and 8x16 threads whose rows move on through an array in a
// loop: forwards, backwards, across the half of the unsigned numbers, and out
// of the array below 0, where an unsigned index wraps around.
#include "check.h"

template <typename index, int width>
__global__ void rows(unsigned *out, const unsigned *in, index first,
                     index between_rows, index step, int count, index begin,
                     unsigned size)
{
    __shared__ unsigned tile[16][width];
    unsigned x = threadIdx.x, y = threadIdx.y, sum = 0;
    index at = first + (index)y * between_rows + (index)x;
    for (int k = 0; k < count; k++) {
        bool is_there = (unsigned)(at - begin) < size;
        tile[y][x] = is_there ? in[at] : 7;
        __syncthreads();
        sum = sum * 3 + tile[(y + 5) % 16][width - 1 - x];
        __syncthreads();
        at += step;
    }
    out[y * width + x] = sum;
}

// The same without a test of each index: all are inside.
template <typename index, int width>
__global__ void inner_rows(unsigned *out, const unsigned *in, index first,
                           index between_rows, index step, int count)
{
    __shared__ unsigned tile[16][width];
    unsigned x = threadIdx.x, y = threadIdx.y, sum = 0;
    for (int k = 0; k < count; k++) {
        tile[y][x] = in[first + (index)y * between_rows + (index)x +
                        (index)k * step];
        __syncthreads();
        sum = sum * 3 + tile[(y + 5) % 16][width - 1 - x];
        __syncthreads();
    }
    out[y * width + x] = sum;
}

struct walk {
    int64_t first, between_rows, step;
    int count;
};

const unsigned size = 20000;

static unsigned element(int64_t i)
{
    return (unsigned)scramble((unsigned)i) | 1;
}

// What thread (x, y) has at the end; elements before `begin` and behind the
// array count 7.
static unsigned expected(const walk &w, int width, int x, int y, int64_t begin)
{
    unsigned sum = 0;
    for (int k = 0; k < w.count; k++) {
        int64_t at = w.first + (y + 5) % 16 * w.between_rows + width - 1 - x +
                     k * w.step - begin;
        sum = sum * 3 + (at >= 0 && at < size ? element(at) : 7);
    }
    return sum;
}

// Index `begin` is the array's first element.
template <typename index, int width>
static void check_walk(const char *name, const walk &w, int64_t begin,
                       bool is_inside)
{
    buffer<unsigned> out(16 * width), in(size);
    std::vector<unsigned> want(16 * width);
    for (unsigned i = 0; i < size; i++)
        in[i] = element(i);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < width; x++)
            want[y * width + x] = expected(w, width, x, y, begin);
    in.upload();
    const unsigned *start = (const unsigned *)((uintptr_t)in.device -
                                               sizeof(unsigned) * begin);
    dim3 block(width, 16);
    if (is_inside)
        inner_rows<index, width><<<1, block>>>(
            out.device, start, (index)w.first, (index)w.between_rows,
            (index)w.step, w.count);
    else
        rows<index, width><<<1, block>>>(
            out.device, start, (index)w.first, (index)w.between_rows,
            (index)w.step, w.count, (index)begin, size);
    out.download();
    expect_same(name, out, want);
}

template <typename index> static void check_index(const char *name)
{
    const walk forwards = {3, 100, 40, 30}, backwards = {9000, 90, -200, 30},
               rows_back = {5000, -300, 16, 50};
    for (const walk &w : {forwards, backwards, rows_back}) {
        check_walk<index, 16>(name, w, 0, true);
        check_walk<index, 8>(name, w, 0, true);
        check_walk<index, 16>(name, w, 0, false);
    }
    const walk leaves_below = {400, 3, -37, 30};
    check_walk<index, 16>(name, leaves_below, 0, false);
    check_walk<index, 8>(name, leaves_below, 0, false);
}

// The array lies around index `middle`.
template <typename index>
static void check_around(const char *name, int64_t middle)
{
    const walk up = {middle - 3000, 100, 200, 20},
               down = {middle + 3000, -100, -200, 20};
    check_walk<index, 16>(name, up, middle - size / 2, true);
    check_walk<index, 16>(name, down, middle - size / 2, true);
    check_walk<index, 8>(name, up, middle - size / 2, true);
}

int main()
{
    check_index<int>("int");
    check_index<unsigned>("unsigned");
    check_index<long long>("long long");
    check_around<unsigned>("unsigned around 2^31", INT64_C(1) << 31);
    check_around<unsigned>("unsigned around 2^30", INT64_C(1) << 30);
    check_around<int>("int around 2^30", INT64_C(1) << 30);
    check_around<int>("int around 0", 0);
    check_around<long long>("long long around 2^32", INT64_C(1) << 32);
    return finish();
}
