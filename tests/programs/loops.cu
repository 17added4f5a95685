// SPDX-License-Identifier: Apache-2.0
//
// Loops whose lanes leave at different times: counters used afterwards, break
// and continue at several depths, loops inside divergent branches, values that
// are uniform only among the lanes still inside.
#include "check.h"

static __host__ __device__ int count_used_after(int i)
{
    int k = 0;
    unsigned x = scramble(i) % 97;
    while (x > 3) {
        x = x * 2 / 3;
        k++;
    }
    return k * 1000 + (int)x;
}

static __host__ __device__ int uniform_counter(int i)
{
    // k is the same in all lanes inside, different in each after the loop.
    int k;
    for (k = 0; k < 50; k++)
        if (k * k > i)
            break;
    return k;
}

static __host__ __device__ int zero_trips(int i)
{
    int sum = 0;
    for (int k = 0; k < i % 5; k++)
        sum += k + i;
    return sum;
}

static __host__ __device__ int do_while(int i)
{
    unsigned x = scramble(i);
    int k = 0;
    do {
        x >>= 3;
        k++;
    } while (x & 7);
    return k;
}

static __host__ __device__ int nested_breaks(int i)
{
    int sum = 0;
    for (int a = 0; a < 10; a++) {
        if ((a + i) % 3 == 0)
            continue;
        for (int b = 0; b < 10; b++) {
            if (b == i % 7)
                continue;
            if (a * b > i % 50)
                break;
            sum += a * 10 + b;
        }
        if (sum > 300)
            break;
    }
    return sum;
}

static __host__ __device__ int return_inside(int i)
{
    for (int a = 0; a < 20; a++)
        for (int b = a; b < 20; b++)
            if ((scramble(i) + a * 31 + b * 17) % 41 == 0)
                return a * 100 + b;
    return -1;
}

static __host__ __device__ int triple(int i)
{
    int sum = 0;
    for (int a = 0; a <= i % 4; a++)
        for (int b = a; b <= i % 6; b++)
            for (int c = 0; c < b; c += 1 + a)
                sum += (a + 1) * (b + 2) * (c + 3);
    return sum;
}

static __host__ __device__ int loop_in_branch(int i)
{
    int x = i;
    if (i % 2) {
        for (int k = 0; k < i % 11; k++)
            x += k;
    } else if (i % 3 == 0) {
        int k = 100;
        while (k > i % 13)
            k -= 5;
        x = k;
    }
    return x;
}

static __host__ __device__ int branch_in_loop(int i)
{
    int x = i, steps = 0;
    while (x > 1 && steps < 200) { // Collatz
        if (x % 2)
            x = 3 * x + 1;
        else
            x /= 2;
        steps++;
    }
    return steps;
}

static __host__ __device__ unsigned gcd(int i)
{
    unsigned a = scramble(i) % 5000 + 1, b = scramble(i + 7) % 3000 + 1;
    while (b) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static __host__ __device__ int last_value(int i)
{
    // `last` is written in the loop by lanes that leave later on.
    int last = -1;
    for (int k = 0; k < 40; k++) {
        if (k > i % 37)
            break;
        if (k % 4 == 1)
            last = k;
    }
    return last;
}

static __host__ __device__ int downward(int i)
{
    int sum = 0;
    for (int k = i % 19; k >= 0; k -= 2)
        sum = sum * 3 + k;
    return sum;
}

static __host__ __device__ int exit_in_middle(int i)
{
    int a = 0, b = 0;
    for (;;) {
        a += 3;
        if (a > i % 60)
            break;
        b += a;
        if (b % 31 == 30)
            break;
        a -= 1;
    }
    return a * 10000 + b;
}

static __host__ __device__ float converge(int i)
{
    float x = (float)(i + 1), y = x;
    for (int k = 0; k < 30; k++) {
        float next = 0.5f * (y + x / y);
        if (next == y)
            break;
        y = next;
    }
    return y > 0 ? (float)(int)(y * 16) : -1;
}

static __host__ __device__ long long wide_counter(int i)
{
    long long sum = 0;
    for (long long k = 0x100000000ll - i % 5; k < 0x100000000ll + i % 9; k++)
        sum += k;
    return sum;
}

int main()
{
    const int n = 700;
    CHECK_MAP(int, count_used_after, n);
    CHECK_MAP(int, uniform_counter, n);
    CHECK_MAP(int, zero_trips, n);
    CHECK_MAP(int, do_while, n);
    CHECK_MAP(int, nested_breaks, n);
    CHECK_MAP(int, return_inside, n);
    CHECK_MAP(int, triple, n);
    CHECK_MAP(int, loop_in_branch, n);
    CHECK_MAP(int, branch_in_loop, n);
    CHECK_MAP(unsigned, gcd, n);
    CHECK_MAP(int, last_value, n);
    CHECK_MAP(int, downward, n);
    CHECK_MAP(int, exit_in_middle, n);
    CHECK_MAP(float, converge, n);
    CHECK_MAP(long long, wide_counter, n);
    return finish();
}
