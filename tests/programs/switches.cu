// SPDX-License-Identifier: Apache-2.0
//
// switch over uniform and varying values: dense (a jump table), sparse, with
// fall-through, with ranges of equal cases, nested, inside a loop.
#include "check.h"

static __host__ __device__ int dense(int i)
{
    switch (scramble(i) % 9) {
    case 0:
        return i + 1;
    case 1:
        return i * 3;
    case 2:
        return i - 7;
    case 3:
        return i ^ 0x33;
    case 4:
        return i << 3;
    case 5:
        return -i;
    case 6:
        return i / 3;
    case 7:
        return i | 0x100;
    }
    return 12345;
}

static __host__ __device__ int fall_through(int i)
{
    int x = 0;
    switch (i % 6) {
    case 5:
        x += 100000;
        [[fallthrough]];
    case 4:
        x += 10000;
        [[fallthrough]];
    case 3:
        x += 1000;
        break;
    case 2:
        x += 100;
        [[fallthrough]];
    default:
        x += 10;
        [[fallthrough]];
    case 0:
        x += 1;
    }
    return x;
}

static __host__ __device__ int sparse(int i)
{
    int key = (int)(scramble(i) % 6) * 1000003 - 2000000;
    switch (key) {
    case -2000000:
        return 1;
    case 1000003 - 2000000:
        return 2 + i;
    case 3 * 1000003 - 2000000:
        return 4 - i;
    case 5 * 1000003 - 2000000:
        return 6 * i;
    default:
        return key;
    }
}

static __host__ __device__ int uniform_by_block(int i)
{
    switch (i / 128) {
    case 0:
        return i;
    case 1:
        return -i;
    case 2:
        return i * i;
    case 3:
        return i + 3;
    case 4:
        return i * 5;
    default:
        return 9;
    }
}

static __host__ __device__ int machine(int i)
{
    // A small virtual machine: each lane runs its own program.
    int a = i, b = 1;
    unsigned code = scramble(i);
    for (int step = 0; step < 16; step++, code >>= 2) {
        switch (code & 3) {
        case 0:
            a += b;
            break;
        case 1:
            b ^= a;
            break;
        case 2:
            if (a & 1)
                continue;
            a >>= 1;
            break;
        case 3:
            if (step > 12)
                return a - b;
            b++;
            break;
        }
        a &= 0xffff;
    }
    return a * 3 + b;
}

static __host__ __device__ int nested_switch(int i)
{
    unsigned r = scramble(i);
    switch (r & 3) {
    case 0:
        switch (r >> 2 & 3) {
        case 0:
            return 1;
        case 1:
            return i;
        case 2:
            break;
        default:
            return 3;
        }
        return 4;
    case 1:
        return r & 64 ? 5 : 6;
    default:
        switch (r >> 4 & 7) {
        case 1:
        case 3:
        case 5:
            return 7;
        case 0:
            return i * 8;
        }
    }
    return 9;
}

static __host__ __device__ int wide_key(int i)
{
    switch ((unsigned long long)(scramble(i) % 4) << 40) {
    case 0:
        return 10;
    case 1ull << 40:
        return 11;
    case 3ull << 40:
        return 13;
    default:
        return i;
    }
}

int main()
{
    const int n = 900;
    CHECK_MAP(int, dense, n);
    CHECK_MAP(int, fall_through, n);
    CHECK_MAP(int, sparse, n);
    CHECK_MAP(int, uniform_by_block, n);
    CHECK_MAP(int, machine, n);
    CHECK_MAP(int, nested_switch, n);
    CHECK_MAP(int, wide_key, n);
    return finish();
}
