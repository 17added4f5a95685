// SPDX-License-Identifier: Apache-2.0
//
// Control flow made with goto: loops with two entries, jumps into and out of
// loops, two loops that share a part, and a jump backwards past a branch.
#include "check.h"

static __host__ __device__ int two_entries(int i)
{
    int x = i, steps = 0;
    if (i % 2)
        goto second;
first:
    x += 3;
    steps++;
second:
    x -= 1;
    steps += 10;
    if (x < 500 + i % 40 && steps < 400)
        goto first;
    return x * 1000 + steps;
}

static __host__ __device__ int into_the_middle(int i)
{
    int k = 0, sum = 0;
    if (scramble(i) % 3 == 0) {
        k = i % 8;
        goto inside;
    }
    for (k = 0; k < 12; k++) {
        sum += k;
    inside:
        sum += i % 5;
        if (sum > 60 + i % 30)
            goto out;
    }
    sum += 1000;
out:
    return sum * 100 + k;
}

static __host__ __device__ int shared_tail(int i)
{
    int a = i % 17, b = 0;
again:
    if (a % 3 == 0)
        goto tail;
    b += a;
    if (b > 40)
        goto done;
    a += 2;
    if (a % 5 == 0)
        goto again;
tail:
    a++;
    b += 2;
    if (a < 60)
        goto again;
done:
    return a * 1000 + b;
}

static __host__ __device__ int three_way(int i)
{
    // Three nodes, each reachable from the two others.
    unsigned state = scramble(i);
    int sum = 0, steps = 0;
    if (state % 3 == 0)
        goto red;
    if (state % 3 == 1)
        goto green;
blue:
    sum += 1;
    state = state * 1664525u + 1013904223u;
    if (++steps > 40)
        return sum;
    if (state >> 31)
        goto red;
green:
    sum += 100;
    state = state * 22695477u + 1;
    if (++steps > 40)
        return sum;
    if (state >> 30 & 1)
        goto blue;
red:
    sum += 10000;
    state ^= state >> 7;
    if (++steps > 40)
        return sum;
    if (state & 64)
        goto blue;
    goto green;
}

int main()
{
    const int n = 600;
    CHECK_MAP(int, two_entries, n);
    CHECK_MAP(int, into_the_middle, n);
    CHECK_MAP(int, shared_tail, n);
    CHECK_MAP(int, three_way, n);
    return finish();
}
