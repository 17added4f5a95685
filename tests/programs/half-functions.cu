// SPDX-License-Identifier: Apache-2.0
// The unary functions of half and bfloat16, all 65,536 arguments: the results
// are an H200's, by their hash.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// ROW(function, hash for half, for bfloat16)
#define ROWS                                                                   \
    ROW(hexp, 0x5e46f34870d9c24a, 0x12618ca55748dba1)                          \
    ROW(hexp2, 0x86bcd1b16d971049, 0x6ca9b716a483a027)                         \
    ROW(hexp10, 0x1bb7c81d0cb5bbb4, 0x38d8e0177eaa53bd)                        \
    ROW(hlog, 0x2a6afd6a6e20c0f3, 0x20c985081f836025)                          \
    ROW(hlog2, 0x0352547aa688dd43, 0x4cd47af3425a8755)                         \
    ROW(hlog10, 0x6c2e53942cc8911e, 0x961428cc0e72c6d9)                        \
    ROW(hsin, 0x56bff3176698a04d, 0x48d3b0e368735625)                          \
    ROW(hcos, 0x433b7463889c78e9, 0x17994338c98ce34d)                          \
    ROW(hsqrt, 0xc1142978bebbc136, 0xf05fbe90820b9eec)                         \
    ROW(hrsqrt, 0xff1850733c6d97b9, 0x68d44c88667cd4ae)                        \
    ROW(hrcp, 0x05bbfe5392695e15, 0xe289637d893f0ad1)                          \
    ROW(hceil, 0x26d6c5a1910f8725, 0x1f48cd0aaf6856a5)                         \
    ROW(hfloor, 0xddd961e70f0e8f25, 0x93c0ba1477fb84a5)                        \
    ROW(htrunc, 0x06f64b51eaaa4b25, 0xd5eac986331fa6a5)                        \
    ROW(hrint, 0x4789b14c5f1d9325, 0x24c8e5a1a5a334a5)                         \
    ROW(htanh, 0x2993c614ab7aafc9, 0xea230ac6925c6ab5)

enum {
#define ROW(f, half, bfloat) f##_row,
    ROWS
#undef ROW
    COUNT
};

template <typename T> static __device__ T call(int row, T x)
{
    switch (row) {
#define ROW(f, half, bfloat)                                                   \
    case f##_row:                                                              \
        return f(x);
        ROWS
#undef ROW
    }
    return x;
}

__global__ void call_half(int row, unsigned short *out)
{
    int i = thread_in_grid();
    out[i] = __half_as_ushort(call(row, __ushort_as_half((unsigned short)i)));
}

__global__ void call_bfloat(int row, unsigned short *out)
{
    int i = thread_in_grid();
    out[i] = __bfloat16_as_ushort(
        call(row, __ushort_as_bfloat16((unsigned short)i)));
}

static unsigned long long hash_of(const buffer<unsigned short> &out)
{
    unsigned long long h = 14695981039346656037ull; // FNV-1a
    for (unsigned short bits : out.host)
        h = (h ^ bits) * 1099511628211ull;
    return h;
}

int main()
{
    static const struct {
        const char *name;
        unsigned long long half, bfloat;
    } rows[] = {
#define ROW(f, half, bfloat) {#f, half, bfloat},
        ROWS
#undef ROW
    };
    buffer<unsigned short> out(65536);
    for (int row = 0; row < COUNT; row++) {
        call_half<<<256, 256>>>(row, out.device);
        out.download();
        if (hash_of(out) != rows[row].half)
            FAIL("%s of half is not an H200's", rows[row].name);
        call_bfloat<<<256, 256>>>(row, out.device);
        out.download();
        if (hash_of(out) != rows[row].bfloat)
            FAIL("%s of bfloat16 is not an H200's", rows[row].name);
    }
    return finish();
}
