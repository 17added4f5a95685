// SPDX-License-Identifier: Apache-2.0
//
// The mathematical functions against the host's in higher precision, within
// the error bounds that the manual gives, and at their special values.
#include <cmath>

#include "check.h"

#define FUNCTIONS(F)                                                           \
    F(sinf, sinl, -100, 100, 2)                                                \
    F(cosf, cosl, -100, 100, 2)                                                \
    F(tanf, tanl, -50, 50, 4)                                                  \
    F(asinf, asinl, -1, 1, 2)                                                  \
    F(acosf, acosl, -1, 1, 2)                                                  \
    F(atanf, atanl, -30, 30, 2)                                                \
    F(sinhf, sinhl, -20, 20, 3)                                                \
    F(coshf, coshl, -20, 20, 2)                                                \
    F(tanhf, tanhl, -6, 6, 2)                                                  \
    F(asinhf, asinhl, -100, 100, 3)                                            \
    F(acoshf, acoshl, 1, 100, 4)                                               \
    F(atanhf, atanhl, -0.99, 0.99, 3)                                          \
    F(expf, expl, -80, 80, 2)                                                  \
    F(exp2f, exp2l, -120, 120, 2)                                              \
    F(exp10f, exp10l, -37, 37, 2)                                              \
    F(expm1f, expm1l, -10, 10, 1)                                              \
    F(logf, logl, 1e-6, 1e6, 1)                                                \
    F(log2f, log2l, 1e-6, 1e6, 1)                                              \
    F(log10f, log10l, 1e-6, 1e6, 2)                                            \
    F(log1pf, log1pl, -0.9, 1e3, 1)                                            \
    F(cbrtf, cbrtl, -1e5, 1e5, 1)                                              \
    F(erff, erfl, -4, 4, 2)                                                    \
    F(erfcf, erfcl, -3, 8, 4)                                                  \
    F(tgammaf, tgammal, 0.1, 30, 5)                                            \
    F(sin, sinl, -100, 100, 2)                                                 \
    F(cos, cosl, -100, 100, 2)                                                 \
    F(tan, tanl, -50, 50, 2)                                                   \
    F(asin, asinl, -1, 1, 2)                                                   \
    F(acos, acosl, -1, 1, 2)                                                   \
    F(atan, atanl, -30, 30, 2)                                                 \
    F(sinh, sinhl, -20, 20, 2)                                                 \
    F(cosh, coshl, -20, 20, 2)                                                 \
    F(tanh, tanhl, -6, 6, 2)                                                   \
    F(exp, expl, -700, 700, 1)                                                 \
    F(exp2, exp2l, -1000, 1000, 1)                                             \
    F(exp10, exp10l, -300, 300, 1)                                             \
    F(expm1, expm1l, -10, 10, 1)                                               \
    F(log, logl, 1e-6, 1e6, 1)                                                 \
    F(log2, log2l, 1e-6, 1e6, 1)                                               \
    F(log10, log10l, 1e-6, 1e6, 1)                                             \
    F(log1p, log1pl, -0.9, 1e3, 1)                                             \
    F(cbrt, cbrtl, -1e5, 1e5, 1)                                               \
    F(erf, erfl, -4, 4, 2)                                                     \
    F(erfc, erfcl, -3, 8, 5)

#define FUNCTIONS_OF_TWO(F)                                                    \
    F(powf, powl, 0.1, 10, -20, 20, 4)                                         \
    F(atan2f, atan2l, -10, 10, -10, 10, 3)                                     \
    F(hypotf, hypotl, -1e3, 1e3, -1e3, 1e3, 3)                                 \
    F(fmodf, fmodl, -100, 100, 0.5, 3, 0)                                      \
    F(pow, powl, 0.1, 10, -100, 100, 2)                                        \
    F(atan2, atan2l, -10, 10, -10, 10, 2)                                      \
    F(hypot, hypotl, -1e3, 1e3, -1e3, 1e3, 2)                                  \
    F(fmod, fmodl, -100, 100, 0.5, 3, 0)

enum { COUNT = 4000 };

template <typename T> T point(int i, double low, double high)
{
    return (T)(low + (high - low) * (scramble(i) / 4294967296.0));
}

// The distance in units of the last place of T at `want`.
template <typename T> double ulps(T got, long double want)
{
    if (std::isnan(got) || std::isnan((double)want))
        return std::isnan(got) && std::isnan((double)want) ? 0 : 1e30;
    int exponent;
    frexpl(want, &exponent);
    int digits = sizeof(T) == 4 ? 24 : 53,
        least = sizeof(T) == 4 ? -148 : -1073;
    int last = exponent - digits > least - 1 ? exponent - digits : least - 1;
    return (double)(fabsl(got - want) / ldexpl(1, last));
}

template <typename T>
void judge(const char *name, const T *in, const T *second, const T *got,
           const long double *want, double bound)
{
    double worst = 0;
    int where = 0;
    for (int i = 0; i < COUNT; i++) {
        double error = ulps(got[i], want[i]);
        if (error > worst) {
            worst = error;
            where = i;
        }
    }
    if (worst > bound + 0.5)
        FAIL("%s(%.9g%s%.9g) is %.9g, should be %.9Lg: %.2f ulp, allowed %g",
             name, (double)in[where], second ? ", " : " ... ",
             second ? (double)second[where] : 0.0, (double)got[where],
             want[where], worst, bound);
}

typedef long double exact_function(long double);
typedef long double exact_function_of_two(long double, long double);

template <typename T, typename Launch>
void check(const char *name, Launch launch, exact_function *exact, double low,
           double high, double bound)
{
    buffer<T> in(COUNT), out(COUNT);
    std::vector<long double> want(COUNT);
    for (int i = 0; i < COUNT; i++) {
        in[i] = point<T>(i, low, high);
        want[i] = exact(in[i]);
    }
    in.upload();
    launch(in.device, out.device);
    out.download();
    judge<T>(name, in.host.data(), nullptr, out.host.data(), want.data(),
             bound);
}

template <typename T, typename Launch>
void check_two(const char *name, Launch launch, exact_function_of_two *exact,
               double low, double high, double low2, double high2, double bound)
{
    buffer<T> in(COUNT), second(COUNT), out(COUNT);
    std::vector<long double> want(COUNT);
    for (int i = 0; i < COUNT; i++) {
        in[i] = point<T>(i, low, high);
        second[i] = point<T>(i + COUNT, low2, high2);
        want[i] = exact(in[i], second[i]);
    }
    in.upload();
    second.upload();
    launch(in.device, second.device, out.device);
    out.download();
    judge<T>(name, in.host.data(), second.host.data(), out.host.data(),
             want.data(), bound);
}

#define KERNEL(function, exact, low, high, bound)                              \
    template <typename T> __global__ void run_##function(const T *in, T *out)  \
    {                                                                          \
        int i = thread_in_grid();                                              \
        if (i < COUNT)                                                         \
            out[i] = function(in[i]);                                          \
    }
FUNCTIONS(KERNEL)

#define KERNEL_OF_TWO(function, exact, low, high, low2, high2, bound)          \
    template <typename T>                                                      \
    __global__ void run_##function(const T *in, const T *second, T *out)       \
    {                                                                          \
        int i = thread_in_grid();                                              \
        if (i < COUNT)                                                         \
            out[i] = function(in[i], second[i]);                               \
    }
FUNCTIONS_OF_TWO(KERNEL_OF_TWO)

// The double nearest to e, which libcu++'s own test asks for.
__global__ void e_of(double one, double *out)
{
    *out = exp(one);
}

// A name that ends in f takes floats.
constexpr bool is_single(const char *name)
{
    const char *end = name;
    while (*end)
        end++;
    return end[-1] == 'f' &&
           !(end - name == 3 && name[0] == 'e' && name[1] == 'r'); // erf
}

template <bool single> struct type_for {
    typedef float type;
};
template <> struct type_for<false> {
    typedef double type;
};

int main()
{
    const int blocks = (COUNT + 127) / 128;
#define RUN(function, exact, low, high, bound)                                 \
    {                                                                          \
        typedef type_for<is_single(#function)>::type T;                        \
        check<T>(                                                              \
            #function,                                                         \
            [&](T *in, T *out) {                                               \
                run_##function<T><<<blocks, 128>>>(in, out);                   \
            },                                                                 \
            exact, low, high, bound);                                          \
    }
    FUNCTIONS(RUN)
#define RUN_TWO(function, exact, low, high, low2, high2, bound)                \
    {                                                                          \
        typedef type_for<is_single(#function)>::type T;                        \
        check_two<T>(                                                          \
            #function,                                                         \
            [&](T *in, T *second, T *out) {                                    \
                run_##function<T><<<blocks, 128>>>(in, second, out);           \
            },                                                                 \
            exact, low, high, low2, high2, bound);                             \
    }
    FUNCTIONS_OF_TWO(RUN_TWO)
    buffer<double> e(1);
    e_of<<<1, 1>>>(1.0, e.device);
    e.download();
    EXPECT(e[0] == 0x1.5bf0a8b145769p+1);
    return finish();
}
