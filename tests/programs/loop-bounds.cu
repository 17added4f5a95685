// SPDX-License-Identifier: Apache-2.0
//
// Loops of one basic block over neighbouring counters, up and down, against
// every kind of bound, also where the counters of a warp or of a block lie on
// both sides of the largest integer: then some lanes go on and others, whose
// counter has wrapped around, do not.
#include "check.h"

#include <climits>

enum { THREADS = 256, LIMIT = 100000 };

enum kind { BELOW, UP_TO, ABOVE, DOWN_TO };

template <typename T, kind K>
static __host__ __device__ bool stays(T i, T bound)
{
    return K == BELOW   ? i < bound
           : K == UP_TO ? i <= bound
           : K == ABOVE ? i > bound
                        : i >= bound;
}

// U is the unsigned T: what wraps around is defined.
template <typename T, typename U, kind K>
static __host__ __device__ unsigned walk(U start, U scale, U thread, U step,
                                         T bound, const unsigned *words,
                                         unsigned *count)
{
    U i = start + scale * thread;
    unsigned sum = 0, n = 0;
    do {
        sum = sum * 31 + words[n % 64];
        n++;
        i += step;
    } while (stays<T, K>((T)i, bound));
    *count = n;
    return sum;
}

template <typename T, typename U, kind K, int SCALE>
static __global__ void walks(U start, U step, T bound, const unsigned *words,
                             unsigned *sums, unsigned *counts)
{
    U thread = blockIdx.x * blockDim.x + threadIdx.x;
    sums[thread] = walk<T, U, K>(start, (U)SCALE, thread, step, bound, words,
                                 &counts[thread]);
}

static unsigned *words, *sums, *counts;

template <typename T, typename U, kind K, int SCALE>
static void compare(T start, T step, T bound)
{
    walks<T, U, K, SCALE><<<2, THREADS / 2>>>((U)start, (U)step, bound, words,
                                              sums, counts);
    CHECK(cudaDeviceSynchronize());
    for (unsigned t = 0; t < THREADS; t++) {
        unsigned count;
        unsigned sum = walk<T, U, K>((U)start, (U)SCALE, (U)t, (U)step, bound,
                                     words, &count);
        if (count > LIMIT)
            FAIL("a loop of %u iterations is no test", count);
        if (sum != sums[t] || count != counts[t]) {
            FAIL("kind %d, %d bytes, from %lld by %lld to %lld, thread %u: "
                 "%u iterations, should be %u",
                 K, (int)sizeof(T), (long long)start, (long long)step,
                 (long long)bound, t, counts[t], count);
            return;
        }
    }
}

template <typename T, typename U> static void compare_all(T lowest, T highest)
{
    T middle = (T)(lowest / 2 + highest / 2);
    compare<T, U, BELOW, 1>(middle, 256, middle + 3000);
    compare<T, U, BELOW, 1>(middle, 256, middle - 10);
    compare<T, U, UP_TO, 1>(middle, 256, middle + 3 * 256 + 40);
    compare<T, U, ABOVE, 1>(middle, (T)-256, middle - 3000);
    compare<T, U, DOWN_TO, 1>(middle, (T)-256, middle - 3000);
    compare<T, U, BELOW, 3>(middle, 768, middle + 9000);
    compare<T, U, ABOVE, -1>(middle, (T)-256, middle - 2990);
    // Some lanes wrap around, in the first iteration or after a few.
    compare<T, U, BELOW, 1>(highest - 300, 256, lowest + 900);
    compare<T, U, ABOVE, 1>(highest - 300, 256, highest - 2000);
    compare<T, U, DOWN_TO, 1>(highest - 1300, 256, highest - 2000);
    compare<T, U, BELOW, -1>(lowest + 300, (T)-256, lowest + 2000);
    compare<T, U, UP_TO, -1>(lowest + 1300, (T)-256, lowest + 2000);
    compare<T, U, ABOVE, -1>(lowest + 300, (T)-256, highest - 900);
    compare<T, U, BELOW, 7>(highest - 1000, 64, lowest + 3000);
}

int main()
{
    CHECK(cudaMallocManaged(&words, 64 * sizeof *words));
    CHECK(cudaMallocManaged(&sums, THREADS * sizeof *sums));
    CHECK(cudaMallocManaged(&counts, THREADS * sizeof *counts));
    for (unsigned i = 0; i < 64; i++)
        words[i] = i * 2654435761u;
    compare_all<int, unsigned>(INT_MIN, INT_MAX);
    compare_all<unsigned, unsigned>(0, UINT_MAX);
    compare_all<long long, unsigned long long>(LLONG_MIN, LLONG_MAX);
    if (failures)
        return 1;
    std::printf("loops over neighbouring counters end where they should\n");
    return 0;
}
