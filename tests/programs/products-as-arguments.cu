// SPDX-License-Identifier: Apache-2.0
// A function of a product is one of the rounded product, whatever sums it makes
// of its argument: f(a * b) in one kernel and, without its rounding left to
// choice, in another.
#include "check.h"

#define FUNCTIONS(F, f)                                                        \
    F(round##f(x)) F((double)lround##f(x)) F((double)llround##f(x))            \
    F(modf##f(x, &whole)) F(sinpi##f(x)) F(cospi##f(x)) F(exp2##f(x))          \
    F(exp##f(x)) F(exp10##f(x)) F(fdim##f(x, 0.75)) F(acosh##f(x)) F(sin##f(x))\
    F(cos##f(x)) F(tan##f(x)) F(rint##f(x)) F(remainder##f(x, 3)) F(fmod##f(x, 3))

enum { COUNT = 17, TRIED = 4096 };

#define ONE(e) out[i * COUNT + n++] = e;
#define KERNELS(name, type, suffix, product)                                   \
    __global__ void name(const type *a, const type *b, double *out)            \
    {                                                                          \
        int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;                  \
        type x = product, whole;                                               \
        FUNCTIONS(ONE, suffix)                                                 \
    }
KERNELS(floats, float, f, a[i] * b[i])
KERNELS(rounded_floats, float, f, __fmul_rn(a[i], b[i]))
KERNELS(doubles, double, , a[i] * b[i])
KERNELS(rounded_doubles, double, , __dmul_rn(a[i], b[i]))

// Products beside halves and wholes: those may be on another side of them.
template <typename T>
static int differing(void (*kernel)(const T *, const T *, double *),
                     void (*rounded)(const T *, const T *, double *))
{
    T *a, *b;
    double *out, *want;
    int wrong = 0;

    CHECK(cudaMallocManaged(&a, TRIED * sizeof *a));
    CHECK(cudaMallocManaged(&b, TRIED * sizeof *b));
    CHECK(cudaMallocManaged(&out, TRIED * COUNT * sizeof *out));
    CHECK(cudaMallocManaged(&want, TRIED * COUNT * sizeof *want));
    for (int i = 0; i < TRIED; i++) {
        b[i] = (T)(1 + i % 61) / 7;
        a[i] = (i / 61 + (T)0.5 * (i % 2)) / b[i];
    }
    kernel<<<TRIED / 256, 256>>>(a, b, out);
    rounded<<<TRIED / 256, 256>>>(a, b, want);
    CHECK(cudaDeviceSynchronize());
    for (int n = 0; n < COUNT; n++) {
        int differ = 0;
        for (int i = 0; i < TRIED; i++)
            differ += memcmp(&out[i * COUNT + n], &want[i * COUNT + n], 8) != 0;
        if (differ)
            printf("function %d of %zu bytes: %d differ\n", n, sizeof *a,
                   differ);
        wrong += differ;
    }
    return wrong;
}

int main()
{
    EXPECT_EQ(differing<float>(floats, rounded_floats), 0);
    EXPECT_EQ(differing<double>(doubles, rounded_doubles), 0);
    return finish();
}
