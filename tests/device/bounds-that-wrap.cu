// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// Tests of numbers that differ by one step from lane to lane, but go around
// between the first lane and the last: these two do not answer for all.
#include <cstdio>

enum { COUNT = 256 };

__global__ void thirds(int *out, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 3 != 0)
        out[i] += n;
}

__global__ void once(int *out, unsigned from)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + from > 5)
        out[i] += 1;
}

__global__ void steps(int *out, unsigned step, unsigned bound)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * 0x10000001u < bound)
        out[i] += step;
}

/* What was added, and to how many. */
static void print(const char *what, int *out)
{
    cudaDeviceSynchronize();
    long sum = 0, places = 0;
    for (int i = 0; i < COUNT; i++) {
        sum += out[i];
        places += (long)out[i] * i;
        out[i] = 0;
    }
    printf("%s: %ld %ld\n", what, sum, places);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, COUNT * sizeof *out);
    thirds<<<COUNT / 64, 64>>>(out, 1);
    print("not of three", out);
    for (unsigned from = 0xfffffff0; from != 16; from += 8) {
        once<<<COUNT / 64, 64>>>(out, from);
        print("around once", out);
    }
    for (unsigned i = 0; i < 5; i++) {
        steps<<<COUNT / 64, 64>>>(out, 1, 0x10000000 + i * 0x30000000);
        print("around often", out);
    }
    return 0;
}
