// SPDX-License-Identifier: Apache-2.0
//
// What every example needs: a check for API calls, a timer, a comparison with
// the host's answer and the line that `make demo` reads. Plain C++17, nothing
// that only one CUDA implementation has.
#ifndef WEFT_EXAMPLE_H
#define WEFT_EXAMPLE_H

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

// Stops the program with the place and the reason if a call fails.
#define CHECK(call) example_check((call), #call, __FILE__, __LINE__)

inline void example_check(cudaError_t status, const char *call,
                          const char *file, int line)
{
    if (status == cudaSuccess)
        return;
    std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call,
                 cudaGetErrorString(status), cudaGetErrorName(status));
    std::exit(1);
}

inline double now_ms()
{
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch())
        .count();
}

// Runs `work` once to warm up, then `rounds` times, each time until the device
// is done. Returns the milliseconds of the best round.
template <typename Work> double best_ms(Work work, int rounds = 5)
{
    double best = 1e30;

    work();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < rounds; i++) {
        double start = now_ms();
        work();
        CHECK(cudaDeviceSynchronize());
        best = std::fmin(best, now_ms() - start);
    }
    CHECK(cudaGetLastError());
    return best;
}

inline int blocks_for(long n, int block_size)
{
    return (int)((n + block_size - 1) / block_size);
}

// A number in [0, 1) that depends only on `i`: the same data on every run.
inline float sample(unsigned i)
{
    i = (i ^ 61u) ^ (i >> 16);
    i *= 9u;
    i ^= i >> 4;
    i *= 0x27d4eb2du;
    i ^= i >> 15;
    return (float)(i >> 8) / 16777216.0f;
}

// True if `got` is within `relative` of `want`, or within `absolute` near 0.
// A NaN is close to nothing.
inline bool is_close(double got, double want, double relative,
                     double absolute = 1e-6)
{
    return std::fabs(got - want) <= absolute + relative * std::fabs(want);
}

// Compares n elements with want(i) and names the first that differ.
template <typename T, typename Want>
bool all_close(const T *got, size_t n, Want want, double relative,
               double absolute = 1e-6)
{
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++) {
        if (is_close(got[i], want(i), relative, absolute))
            continue;
        if (wrong++ < 3)
            std::fprintf(stderr, "element %zu is %.9g, should be %.9g\n", i,
                         (double)got[i], (double)want(i));
    }
    if (wrong)
        std::fprintf(stderr, "%zu of %zu elements are wrong\n", wrong, n);
    return wrong == 0;
}

// What an example has to say. bytes and flops are those of one round; leave
// them 0 where a rate would mean nothing.
struct example_result {
    const char *name;
    bool ok;
    double ms;
    double bytes;
    double flops;
};

// Prints the result for people and, in the last line, for `make demo`.
// Returns main's exit status.
inline int report(const example_result &r)
{
    double gbs = r.ms > 0 ? r.bytes / r.ms * 1e-6 : 0;
    double gflops = r.ms > 0 ? r.flops / r.ms * 1e-6 : 0;

    std::printf("%s, %.3f ms", r.ok ? "answer is right" : "ANSWER IS WRONG",
                r.ms);
    if (gbs > 0)
        std::printf(", %.1f GB/s", gbs);
    if (gflops > 0)
        std::printf(", %.1f GFLOP/s", gflops);
    std::printf("\nRESULT name=%s ok=%d ms=%.4f gbs=%.2f gflops=%.2f\n", r.name,
                r.ok, r.ms, gbs, gflops);
    return r.ok ? 0 : 1;
}

#endif
