/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warp functions of before CUDA 9, without _sync: they are those with _sync
 * for the lanes that are there. (The instructions that clang's own header has
 * for them went with compute capability 7.0.)
 */
#ifndef WEFT_DEVICE_LEGACY_H
#define WEFT_DEVICE_LEGACY_H

#define WEFT_DEVICE static __device__ __forceinline__

WEFT_DEVICE int __all(int predicate)
{
    return __all_sync(__activemask(), predicate);
}
WEFT_DEVICE int __any(int predicate)
{
    return __any_sync(__activemask(), predicate);
}
WEFT_DEVICE unsigned int __ballot(int predicate)
{
    return __ballot_sync(__activemask(), predicate);
}

#define WEFT_SHUFFLE(name, type, argument)                                     \
    WEFT_DEVICE type name(type value, argument lane, int width = 32)           \
    {                                                                          \
        return name##_sync(__activemask(), value, lane, width);                \
    }
#define WEFT_SHUFFLES(name, argument)                                          \
    WEFT_SHUFFLE(name, int, argument)                                          \
    WEFT_SHUFFLE(name, unsigned int, argument)                                 \
    WEFT_SHUFFLE(name, long, argument)                                         \
    WEFT_SHUFFLE(name, unsigned long, argument)                                \
    WEFT_SHUFFLE(name, long long, argument)                                    \
    WEFT_SHUFFLE(name, unsigned long long, argument)                           \
    WEFT_SHUFFLE(name, float, argument)                                        \
    WEFT_SHUFFLE(name, double, argument)
WEFT_SHUFFLES(__shfl, int)
WEFT_SHUFFLES(__shfl_up, unsigned int)
WEFT_SHUFFLES(__shfl_down, unsigned int)
WEFT_SHUFFLES(__shfl_xor, int)

#undef WEFT_SHUFFLES
#undef WEFT_SHUFFLE

/* Names of CUDA 1 without underscores, which newer toolkits leave to programs:
 * a parameter that needs a conversion of ours loses against any function of the
 * program's own. */
template <typename T> struct weft_late {
    T value;
    template <typename U>
    __device__ __forceinline__ weft_late(U from) : value((T)from)
    {
    }
};
template <bool> struct weft_late_if {
};
template <> struct weft_late_if<true> {
    typedef int type;
};
/* The same for overloads that differ in their parameters' types. */
template <typename T> struct weft_late_exact {
    T value;
    template <typename U>
    __device__ __forceinline__
    weft_late_exact(U from, typename weft_late_if<__is_same(T, U)>::type = 0)
        : value(from)
    {
    }
};
#define WEFT_LATE_PRODUCT(name, result, A, B, function)                        \
    WEFT_DEVICE result name(weft_late_exact<A> a, weft_late_exact<B> b)        \
    {                                                                          \
        return function((result)a.value, (result)b.value);                     \
    }
WEFT_LATE_PRODUCT(mulhi, int, int, int, __mulhi)
WEFT_LATE_PRODUCT(mulhi, unsigned, int, unsigned, __umulhi)
WEFT_LATE_PRODUCT(mulhi, unsigned, unsigned, int, __umulhi)
WEFT_LATE_PRODUCT(mulhi, unsigned, unsigned, unsigned, __umulhi)
WEFT_LATE_PRODUCT(mul64hi, long long, long long, long long, __mul64hi)
WEFT_LATE_PRODUCT(mul64hi, unsigned long long, unsigned long long,
                  unsigned long long, __umul64hi)
#undef WEFT_LATE_PRODUCT
WEFT_DEVICE int float_as_int(weft_late<float> x)
{
    return __float_as_int(x.value);
}
WEFT_DEVICE float int_as_float(weft_late<int> x)
{
    return __int_as_float(x.value);
}
WEFT_DEVICE float saturate(weft_late<float> x)
{
    return __saturatef(x.value);
}
WEFT_DEVICE int mul24(weft_late<int> a, weft_late<int> b)
{
    return __mul24(a.value, b.value);
}
WEFT_DEVICE unsigned int umul24(weft_late<unsigned> a, weft_late<unsigned> b)
{
    return __umul24(a.value, b.value);
}
WEFT_DEVICE double powi(weft_late<double> x, weft_late<int> n)
{
    return __nv_powi(x.value, n.value);
}
WEFT_DEVICE float powif(weft_late<float> x, weft_late<int> n)
{
    return __nv_powif(x.value, n.value);
}
WEFT_DEVICE int float2int(weft_late<float> x,
                          enum cudaRoundMode mode = cudaRoundZero)
{
    return mode == cudaRoundNearest  ? __float2int_rn(x.value)
           : mode == cudaRoundPosInf ? __float2int_ru(x.value)
           : mode == cudaRoundMinInf ? __float2int_rd(x.value)
                                     : __float2int_rz(x.value);
}
WEFT_DEVICE float int2float(weft_late<int> x,
                            enum cudaRoundMode mode = cudaRoundNearest)
{
    return mode == cudaRoundZero     ? __int2float_rz(x.value)
           : mode == cudaRoundPosInf ? __int2float_ru(x.value)
           : mode == cudaRoundMinInf ? __int2float_rd(x.value)
                                     : __int2float_rn(x.value);
}

#undef WEFT_DEVICE

#endif
