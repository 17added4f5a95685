// SPDX-License-Identifier: Apache-2.0
//
// The worked examples of "Intrinsic Functions": bytes picked out of two words,
// and what the conversions and reinterpretations give.
#include "../check.h"

// Byte n of the result is the byte that nibble n of the selector names.
static unsigned picked(unsigned x, unsigned y, unsigned selector)
{
    unsigned result = 0;
    for (int n = 0; n < 4; n++) {
        unsigned which = selector >> 4 * n & 7;
        unsigned from = which < 4 ? x : y;
        result |= (from >> 8 * (which % 4) & 255) << 8 * n;
    }
    return result;
}

__global__ void pick(unsigned x, unsigned y, unsigned *out)
{
    unsigned selector = (threadIdx.x & 7) | (threadIdx.x >> 3 & 7) << 4 |
                        (threadIdx.x >> 6 & 7) << 8 | (blockIdx.x & 7) << 12;
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        __byte_perm(x, y, selector | 0xabcd0000u);
}

static void byte_permutation()
{
    unsigned x = 0x83726150u, y = 0xc7d6e5f4u;
    buffer<unsigned> out(8 * 512);
    pick<<<8, 512>>>(x, y, out.device);
    out.download();
    for (unsigned i = 0; i < 8 * 512; i++) {
        unsigned selector = (i & 7) | (i >> 3 & 7) << 4 | (i >> 6 & 7) << 8 |
                            (i >> 9 & 7) << 12;
        EXPECT_EQ(out[i], picked(x, y, selector));
    }
}

__global__ void examples(int *right, unsigned two, unsigned one, double *d)
{
    right[0] = __int_as_float(0xC0000000) == -2.0f;
    right[1] = __float_as_int(1.0f) == 0x3f800000;
    right[2] = __int2float_rn(0xC0000000) == -1073741824.0f;
    right[3] = __float2int_rn(1.0f) == 1;
    right[4] = __int_as_float(two) == -2.0f;
    right[5] = __float_as_int(__int_as_float(one)) == 0x3f800000;
    right[6] = __int2float_rn(two) == -1073741824.0f;
    right[7] = __float2int_rn(__int_as_float(one)) == 1;
    int high = __double2hiint(*d), low = __double2loint(*d);
    right[8] = __hiloint2double(high, low) == *d && high == 0xbff80000 && !low;
    // Out of range: the end of the range.
    right[9] = __float2int_rz(3e9f) == 0x7fffffff;
    right[10] = __float2int_rz(-3e9f) == (int)0x80000000;
    right[11] = __float2uint_rz(-1.0f) == 0;
    right[12] = __double2int_rn(1e300) == 0x7fffffff;
}

static void conversions()
{
    buffer<int> right(13, 0);
    buffer<double> d(1);
    d[0] = -1.5;
    d.upload();
    examples<<<1, 1>>>(right.device, 0xC0000000, 0x3f800000, d.device);
    right.download();
    for (int i = 0; i < 13; i++)
        if (right[i] != 1)
            FAIL("example %d does not hold", i);
}

int main()
{
    byte_permutation();
    conversions();
    return finish();
}
