// SPDX-License-Identifier: Apache-2.0
//
// Math functions in a kernel, over arrays that stay in the second-level cache;
// math-sleef.c calls SLEEF's vector routines on the same numbers. The answers
// are checked against the C library's.
#include <vector>

#include "device.h"
#include "math-numbers.h"

template <typename T, typename F>
__global__ void apply(const T *x, const T *y, T *out, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = f(x[i], y[i]);
}

template <typename T>
static T *uploaded(std::vector<T> &host, double from, double to, unsigned seed)
{
    for (int i = 0; i < MATH_LENGTH; i++)
        host.push_back((T)math_number(i, from, to, seed));
    T *p = device_array<T>(MATH_LENGTH);
    CHECK(cudaMemcpy(p, host.data(), MATH_LENGTH * sizeof(T),
                     cudaMemcpyHostToDevice));
    return p;
}

/* The time of MATH_REPEATS passes, or -1 where an answer is wrong. */
template <typename T, typename F>
static double run(F f, double x0, double x1, double y0, double y1)
{
    static T *x, *y, *out;
    static F *function;
    std::vector<T> hx, hy, answers(MATH_LENGTH);
    x = uploaded<T>(hx, x0, x1, 1);
    y = uploaded<T>(hy, y0, y1, 2);
    out = device_array<T>(MATH_LENGTH);
    function = &f;
    double ms = measure_ms([] {
        for (int i = 0; i < MATH_REPEATS; i++)
            apply<T, F><<<MATH_LENGTH / 256, 256>>>(x, y, out, *function);
        wait_for_device();
    });
    CHECK(cudaMemcpy(answers.data(), out, MATH_LENGTH * sizeof(T),
                     cudaMemcpyDeviceToHost));
    for (int i = 0; i < MATH_LENGTH; i++)
        if (!math_is_close(answers[i], f(hx[i], hy[i]), sizeof(T) == 8))
            return -1;
    return ms;
}

#define ROW(type, name, call, x0, x1, y0, y1)                                  \
    static double run_##name()                                                 \
    {                                                                          \
        return run<type>(                                                      \
            [] __host__ __device__(type x, type y) { return call; }, x0, x1,   \
            y0, y1);                                                           \
    }
#define SINGLE(name, call, sleef, x0, x1, y0, y1)                              \
    ROW(float, name, call, x0, x1, y0, y1)
#define DOUBLE(name, call, sleef, x0, x1, y0, y1)                              \
    ROW(double, name, call, x0, x1, y0, y1)
#include "math.def"

static const struct program programs[] = {
#define SINGLE(name, call, sleef, x0, x1, y0, y1) {#name, run_##name},
#define DOUBLE(name, call, sleef, x0, x1, y0, y1) {#name, run_##name},
#include "math.def"
    {}};

int main(int argc, char **argv)
{
    return run_named(programs, argc, argv);
}
