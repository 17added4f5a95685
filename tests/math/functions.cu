// SPDX-License-Identifier: Apache-2.0
//
// The functions of table.def, each in a kernel over arrays of arguments.
#include <cstdio>
#include <cstdlib>

#include "arguments.h"
#include "functions.h"

template <typename T> __device__ T sincos_sine(T x)
{
    T s, c;
    sincos(x, &s, &c);
    return s;
}
template <typename T> __device__ T sincos_cosine(T x)
{
    T s, c;
    sincos(x, &s, &c);
    return c;
}
template <typename T> BOTH T sincospi_sine(T x)
{
    T s, c;
    sincospi(x, &s, &c);
    return s;
}
template <typename T> BOTH T sincospi_cosine(T x)
{
    T s, c;
    sincospi(x, &s, &c);
    return c;
}
template <typename T> __device__ T frexp_part(T x)
{
    int e;
    return frexp(x, &e);
}
template <typename T> __device__ T frexp_exponent(T x)
{
    int e;
    frexp(x, &e);
    return isfinite(x) ? e : 0;
}
template <typename T> __device__ T modf_part(T x)
{
    T whole;
    return modf(x, &whole);
}
template <typename T> __device__ T modf_whole(T x)
{
    T whole;
    modf(x, &whole);
    return whole;
}
template <typename T> __device__ T remquo_part(T x, T y)
{
    int quotient;
    return remquo(x, y, &quotient);
}
/* Sign and three bits, which is what C promises. */
template <typename T> __device__ T remquo_quotient(T x, T y)
{
    int quotient;
    if (isnan(remquo(x, y, &quotient)))
        return 0;
    return quotient < 0 ? -(-quotient & 7) : quotient & 7;
}
template <typename T> __device__ T next_after(T x, T y)
{
    return nextafter(x, y);
}
BOTH float norm_of_4(float x, float y, float z, float w)
{
    float p[] = {x, y, z, w};
    return normf(4, p);
}
BOTH double norm_of_4(double x, double y, double z, double w)
{
    double p[] = {x, y, z, w};
    return norm(4, p);
}
BOTH float rnorm_of_4(float x, float y, float z, float w)
{
    float p[] = {x, y, z, w};
    return rnormf(4, p);
}
BOTH double rnorm_of_4(double x, double y, double z, double w)
{
    double p[] = {x, y, z, w};
    return rnorm(4, p);
}

#define FUNCTORS(where, name, single, dbl)                                     \
    struct single_##name {                                                     \
        where float operator()(float x, float y, float z, float w) const       \
        {                                                                      \
            return (float)(single);                                            \
        }                                                                      \
    };                                                                         \
    struct double_##name {                                                     \
        where double operator()(double x, double y, double z, double w) const  \
        {                                                                      \
            return (double)(dbl);                                              \
        }                                                                      \
    };
#define ROW(name, n, s, d, ref, single, dbl, from, to, floor)                  \
    FUNCTORS(__device__, name, single, dbl)
#define OWN(name, n, s, d, ref, single, dbl, from, to, floor)                  \
    FUNCTORS(__host__ __device__, name, single, dbl)
#include "table.def"

template <typename F, typename T> __global__ void apply(T *p, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        p[i] = F()(p[i], p[i + count], p[i + 2 * count], p[i + 3 * count]);
}

template <typename F, typename T> static void launch(void *p, int count)
{
    apply<F, T><<<(count + 127) / 128, 128>>>((T *)p, count);
}

template <typename F, typename T> static void call(void *numbers, int count)
{
    T *p = (T *)numbers;
    for (int i = 0; i < count; i++)
        p[i] = F()(p[i], p[i + count], p[i + 2 * count], p[i + 3 * count]);
}

typedef void function_fn(void *, int);
struct row {
    function_fn *launch[2], *call[2]; // on the host: NULL if it has its own
};
static const row rows[] = {
#define ROW(name, n, s, d, ref, single, dbl, from, to, floor)                  \
    {{launch<single_##name, float>, launch<double_##name, double>}, {}},
#define OWN(name, n, s, d, ref, single, dbl, from, to, floor)                  \
    {{launch<single_##name, float>, launch<double_##name, double>},            \
     {call<single_##name, float>, call<double_##name, double>}},
#include "table.def"
};

static void check(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "functions: %s\n", cudaGetErrorString(status));
    exit(2);
}

void functions_apply(int row, int is_double, void *numbers, int count)
{
    const size_t size = is_double ? sizeof(double) : sizeof(float);
    void *p;
    check(cudaMalloc(&p, 4 * count * size));
    check(cudaMemcpy(p, numbers, 4 * count * size, cudaMemcpyHostToDevice));
    rows[row].launch[is_double](p, count);
    check(cudaGetLastError());
    check(cudaMemcpy(numbers, p, count * size, cudaMemcpyDeviceToHost));
    check(cudaFree(p));
}

int functions_call(int row, int is_double, void *numbers, int count)
{
    if (!rows[row].call[is_double])
        return 0;
    rows[row].call[is_double](numbers, count);
    return 1;
}
