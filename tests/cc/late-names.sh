# SPDX-License-Identifier: Apache-2.0
# Names in templates that are declared behind them, which nvcc looks for where
# the template is instantiated; and code of the other side that fits no
# overload there, which is that side's pass to judge.
cat > a.cu <<'C'
#include <stdio.h>

template <class T> __host__ __device__ T twice(T x) { return later(x) * 2; }
__host__ __device__ int later(int x) { return x + 1; }

/* Nobody instantiates it. */
template <class A, class B> struct part {};
template <class B> struct part<int, B> {
    __device__ static B f(B x)
    {
        using ::nowhere;
        return nowhere(x);
    }
};

template <class B> struct typed_wrongly {
    __device__ static int f(int x) { return limbs[lor] + topctz(x); }
};

/* Registers of the asm statement's own, in braces too. */
__device__ unsigned swapped(unsigned x)
{
    asm volatile("{\n\t"
                 ".reg .u16 %low, %high;\n\t"
                 "mov.b32 {%low, %high}, %0;\n\t"
                 "mov.b32 %0, {%high,%low};\n\t}"
                 : "+r"(x));
    return x;
}

/* Of two devices' kinds of number, as libraries have them. */
struct raw {
    float value;
    __host__ __device__ operator float() const { return value; }
    __host__ __device__ operator int() const { return (int)value; }
};
#ifdef __CUDA_ARCH__
__device__ raw operator-(const raw &a, const raw &b)
{
    return raw{a.value - b.value};
}
#else
raw operator-(const raw &a, const raw &b) { return raw{a.value - b.value}; }
#endif
float on_the_host(raw a, raw b) { return (a - b).value; }

__global__ void kernel(int *p, raw *r)
{
    *p = twice(*p) + swapped(1u << 16) - 1;
    *r = *r - raw{1};
}

int main()
{
    int *p;
    raw *r;
    cudaMallocManaged(&p, sizeof *p);
    cudaMallocManaged(&r, sizeof *r);
    *p = 4, r->value = 4;
    kernel<<<1, 1>>>(p, r);
    cudaDeviceSynchronize();
    printf("%d %d %g %g\n", *p, twice(7), r->value, on_the_host({5}, {3}));
    return 0;
}
C
for standard in 14 20; do
    $weftcc -std=c++$standard a.cu -o a && ./a
done
cat > wrong.cu <<'C'
template <class T> __device__ T f(T x) { return late(x); }
__device__ int late(int x, int y) { return x + y; }
__global__ void k(int *p) { *p = f(*p) + ::nowhere(3); }
C
$weftcc -c wrong.cu || echo "status $?"
