# SPDX-License-Identifier: Apache-2.0
# Host code in templates that calls __device__ functions where it never gets:
# nvcc compiles it. Elsewhere it is an error.
cat > a.cu <<'C'
#include <cstdio>

template <typename F> __global__ void kernel(F f, int *out)
{
    out[threadIdx.x] = f(threadIdx.x);
}
template <typename F> void each(F f, bool on_host, int *out)
{
    if (on_host) {
        for (int i = 0; i < 4; i++)
            out[i] = f(i);
    } else {
        kernel<<<1, 4>>>(f, out);
        cudaDeviceSynchronize();
    }
    printf("%d %d\n", out[0], out[3]);
}

struct both {
    __host__ __device__ int operator()(int i) const { return i + 1; }
};
struct device_only {
    int factor = 4;
    __device__ int operator()(int i) const
    {
        __syncwarp(); /* not { for the host } */
        return i * factor + blockDim.x;
    }
};
__device__ int helper(int i) { return i - 1; }
template <typename F> __host__ __device__ int forward(F f, int i)
{
    return f(i);
}
template <typename F> struct forwarding {
    F f;
    __host__ __device__ int operator()(int i) const { return forward(f, i); }
};
template <typename T> int maybe(T x, bool is_never)
{
    return is_never ? helper(x) : x;
}

int main(int argc, char **)
{
    int *out, three = 3;
    cudaMallocManaged(&out, 4 * sizeof *out);
    each(both(), true, out);
    each(device_only(), false, out);
    each(forwarding<device_only>(), false, out);
    each([=] __device__(int i) { return i * three; }, false, out);
    each([=] __device__(int i) -> long {
        __syncthreads();
        return threadIdx.x + three;
    }, false, out);
    printf("%d\n", maybe(argc, false));
    if (argc > 1)
        each(device_only(), true, out);
    return 0;
}
C
$weftcc --extended-lambda a.cu -o a && ./a
./a 1 | tail -1 # ends in the middle
$weftcc --extended-lambda a.cu -v -o a 2> /dev/null && ./a | tail -1
cat > b.cu <<'C'
__device__ int helper(int i) { return i; }
int plain(int i) { return helper(i); }
C
$weftcc -c b.cu 2> b.err
echo $? $(grep -c 'error: no matching function' b.err)
cat > c.cu <<'C'
__device__ int helper(int i) { return i; }
__host__ __device__ int of_both(int i) { return helper(i); }
int main() { return of_both(1); }
C
$weftcc -c c.cu 2> c.err
echo $? $(grep -c 'error: reference to __device__' c.err)
cat > d.cu <<'C'
int main() { auto f = [] __device__() { return 1; }; return f(); }
C
$weftcc --extended-lambda -c d.cu 2> d.err
echo $? $(grep -c 'error: reference to __device__' d.err)
# A constant that is none on the host matters where the host gets, not in the
# body of a kernel beside it.
cat > constants.h <<'C'
__host__ __device__ constexpr int architecture(int least)
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__ > least ? __CUDA_ARCH__ : least;
#else
    if (least > 0)
        __builtin_abort();
    return least;
#endif
}
template <class T> __global__ void kernel(T *out)
{
    static constexpr int value = architecture(500);
    *out = value;
}
C
refuse()
{
    cat > e.cu
    $weftcc -I. -c e.cu 2> e.err
    echo $? $(sed -n 's/^\(e.cu:[0-9]*\):[0-9]*: error: /\1 /p' e.err | sort -u)
    [ ! -e e.o ]
}
refuse <<'C'
#include "constants.h"
template <class T> int of_host(T)
{
    constexpr int value = architecture(500);
    return value;
}
int main() { kernel<<<1, 1>>>(new int); return of_host(1); }
C
refuse <<'C'
#include "constants.h"
template <class T> __host__ __device__ int of_both(T)
{
    constexpr int value = architecture(500);
    return value;
}
template <class T> __global__ void calls(T *out) { *out = of_both(*out); }
int main()
{
    kernel<<<1, 1>>>(new int);
    calls<<<1, 1>>>(new int);
    return of_both(1);
}
C
refuse <<'C'
#include "constants.h"
__host__ __device__ int of_both()
{
#ifndef __CUDA_ARCH__
    return nothing_of_this_name;
#endif
    return 1;
}
int main() { kernel<<<1, 1>>>(new int); return of_both(); }
C
cat > f.cu <<'C'
#include "constants.h"
int main() { kernel<<<1, 1>>>(new int); }
C
$weftcc -I. -c f.cu
echo $?
