// SPDX-License-Identifier: Apache-2.0
//
// Gathers and scatters with indices of 32 bits from all of their range: a
// table that is reached from far before it, or from far behind.
#include <cstdint>

#include "check.h"


template <typename T, typename I>
__global__ void pick(const T *table, const I *index, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[index[i]];
}

template <typename T, typename I>
__global__ void put(T *table, const I *index, const T *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    table[index[i]] = in[i];
}

// The table's element k has the index first + k.
template <typename T, typename I>
static void check(const char *name, I first)
{
    const int n = 512;
    buffer<T> table(n, T()), out(n, T());
    buffer<I> index(n, I());
    std::vector<T> want(n), back(n);
    for (int i = 0; i < n; i++) {
        table.host[i] = (T)(3 * i + 1);
        index.host[i] = (I)(first + (i * 37 + 11) % n);
        want[i] = (T)(3 * ((i * 37 + 11) % n) + 1);
        back[i] = (T)(3 * i + 1);
    }
    table.upload();
    index.upload();
    uintptr_t base = (uintptr_t)table.device -
                     (uintptr_t)(int64_t)first * sizeof(T);
    pick<<<n / 128, 128>>>((const T *)base, index.device, out.device);
    out.download();
    expect_same(name, out, want);
    cudaMemset(table.device, 0, n * sizeof(T));
    put<<<n / 128, 128>>>((T *)base, index.device, out.device);
    table.download();
    expect_same(name, table, back);
}

int main()
{
    check<unsigned char, unsigned>("bytes, unsigned", 0xfffffe00u);
    check<short, unsigned>("shorts, unsigned", 0x80000000u);
    check<int, unsigned>("words, unsigned, around the middle", 0x7fffff00u);
    check<float, unsigned>("floats, unsigned", 0xfffff000u);
    check<double, unsigned>("doubles, unsigned", 0x80000001u);
    check<unsigned char, int>("bytes, signed", -512);
    check<int, int>("words, signed, around nought", -100);
    check<float, int>("floats, signed", INT32_MIN);
    check<double, int>("doubles, signed", INT32_MIN + 7);
    return finish();
}
