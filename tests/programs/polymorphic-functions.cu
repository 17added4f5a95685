// SPDX-License-Identifier: Apache-2.0
//
// weftcc: -std=c++11
//
// nvstd::function on both sides: what it keeps, copies, moves and destroys,
// members, null pointers, and what is too large for its own room.
#include <nvfunctional>

#include "check.h"

struct object {
    int k;
    __host__ __device__ int add(int x) const
    {
        return k + x;
    }
    __host__ __device__ int times(int x)
    {
        return k * x;
    }
};

// Knows how many of its kind there are.
struct heavy {
    int values[20];
    int *alive;
    __host__ __device__ heavy(int *alive) : alive(alive)
    {
        for (int i = 0; i < 20; i++)
            values[i] = i;
        ++*alive;
    }
    __host__ __device__ heavy(const heavy &other) : alive(other.alive)
    {
        for (int i = 0; i < 20; i++)
            values[i] = other.values[i];
        ++*alive;
    }
    __host__ __device__ ~heavy()
    {
        --*alive;
    }
    __host__ __device__ int operator()(int x) const
    {
        return values[x] * 2;
    }
};

typedef nvstd::function<int(int)> unary;

__host__ __device__ static int triple(int x)
{
    return 3 * x;
}

__host__ __device__ static int call(const unary &f, int x)
{
    return f(x);
}

// The bits of what went wrong.
struct report {
    unsigned bits = 0, count = 0;
    __host__ __device__ void expect(bool holds)
    {
        bits |= !holds << count++;
    }
};

__host__ __device__ static unsigned small_ones(int i)
{
    report r;
    unary none, null = nullptr;
    r.expect(!none && !null && none == nullptr && nullptr == null);
    unary f = triple;
    r.expect(f && f != nullptr && f(i) == 3 * i);
    f = [i](int x) { return x + i; };
    r.expect(f(4) == i + 4);
    unary g = f;
    r.expect(f(5) == i + 5 && g(5) == i + 5);
    unary h(static_cast<unary &&>(g));
    r.expect(h(6) == i + 6);
    int (*nowhere)(int) = nullptr;
    unary from_null(nowhere), from_empty((unary()));
    r.expect(!from_null && !from_empty);
    r.expect(call(f, 2) == i + 2 && call(triple, 2) == 6);
    unary several[] = {triple, f, [](int x) { return -x; }};
    int want[] = {15, i + 5, -5};
    r.expect(several[i % 3](5) == want[i % 3]);
    nvstd::function<double(int, double)> two = [](int a, double b) {
        return a * b;
    };
    r.expect(two(3, 0.5) == 1.5);
    nvstd::function<void(int *)> stores = [](int *p) { *p = 9; };
    int stored = 0;
    stores(&stored);
    r.expect(stored == 9);
    return r.bits;
}

__host__ __device__ static unsigned members(int i)
{
    report r;
    object o{i};
    nvstd::function<int(object &, int)> times = &object::times;
    r.expect(times(o, 3) == 3 * i);
    nvstd::function<int(const object *, int)> add = &object::add;
    r.expect(add(&o, 3) == i + 3);
    nvstd::function<int(object &)> k = &object::k;
    r.expect(k(o) == i);
    int (object::*nothing)(int) = nullptr;
    times = nothing;
    r.expect(!times);
    return r.bits;
}

__host__ __device__ static unsigned large_ones(int i)
{
    report r;
    int alive = 0;
    {
        heavy one(&alive);
        unary f(one), g(f), h;
        r.expect(alive == 3 && g(7) == 14);
        h = g;
        r.expect(alive == 4 && h(i % 20) == i % 20 * 2);
        h = nullptr;
        r.expect(alive == 3 && !h);
        swap(f, h);
        r.expect(alive == 3 && !f && h(3) == 6);
        h.swap(f);
        r.expect(alive == 3 && !h && f(4) == 8);
        h = static_cast<unary &&>(f);
        r.expect(alive == 3 && h(5) == 10);
        g = triple;
        r.expect(alive == 2 && g(5) == 15);
    }
    r.expect(alive == 0);
    return r.bits;
}

int main()
{
    CHECK_MAP(unsigned, small_ones, 64);
    CHECK_MAP(unsigned, members, 64);
    CHECK_MAP(unsigned, large_ones, 64);
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(small_ones(i) | members(i) | large_ones(i), 0);
    bool is_thrown = false;
    try {
        unary()(1);
    } catch (const std::bad_function_call &) {
        is_thrown = true;
    }
    EXPECT(is_thrown);
    return finish();
}
