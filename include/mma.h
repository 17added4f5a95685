/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvcuda::wmma: matrices that the 32 threads of a warp hold together, loaded,
 * multiplied and stored by all of them. CUDA C++ Programming Guide, "Warp
 * Matrix Functions". Which thread has which element is left open there, and
 * here; threads may change the elements they have, all in the same way.
 *
 * Each shape and type is a few lines of the tables at the end.
 */
#ifndef WEFT_MMA_H
#define WEFT_MMA_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#define WEFT_WMMA __device__ static inline __attribute__((always_inline))

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };

struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};

/* The value is the layout's number in the instructions. */
struct row_major {
    enum { weft_order = 0 };
};
struct col_major {
    enum { weft_order = 1 };
};

namespace precision {
struct tf32;
}

namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}

/* For a type: how an element is stored, what fill_fragment takes, and what
 * load_matrix_sync points to. */
template <typename T> struct weft_element {
    typedef T storage;
    typedef T argument;
    typedef T memory;
    WEFT_WMMA storage filled(argument v)
    {
        return v;
    }
};

template <> struct weft_element<precision::tf32> {
    typedef float storage;
    typedef float argument;
    typedef float memory;
    WEFT_WMMA storage filled(argument v)
    {
        return v;
    }
};

/* Several elements packed into an int. */
template <typename Int, unsigned bits> struct weft_packed_element {
    typedef Int storage;
    typedef Int argument;
    typedef void memory;
    WEFT_WMMA storage filled(argument v)
    {
        unsigned ones = bits == 1 ? ~0u : 0x11111111u;
        return (storage)(((unsigned)v & ((1u << bits) - 1)) * ones);
    }
};

template <>
struct weft_element<experimental::precision::u4>
    : weft_packed_element<unsigned, 4> {
};
template <>
struct weft_element<experimental::precision::s4> : weft_packed_element<int, 4> {
};
template <>
struct weft_element<experimental::precision::b1>
    : weft_packed_element<unsigned, 1> {
};

template <typename T, int count, int storage_count> struct weft_elements {
    typedef T element_type;
    typedef typename weft_element<T>::storage storage_element_type;
    enum { num_elements = count, num_storage_elements = storage_count };
    __attribute__((aligned(sizeof(storage_element_type) > 4 ? 8 : 4)))
    storage_element_type x[storage_count];
};

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment;

template <typename Use, int m, int n, int k, typename T, typename Layout>
WEFT_WMMA void fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
                             const typename weft_element<T>::argument &v)
{
    for (int i = 0; i < f.num_storage_elements; i++)
        f.x[i] = weft_element<T>::filled(v);
}

/* Rounds to the 10 bits that tf32 keeps. */
WEFT_WMMA float __float_to_tf32(float v)
{
    float r;
    asm("{ .reg .b32 t; cvt.rna.tf32.f32 t, %1; mov.b32 %0, t; }"
        : "=f"(r)
        : "f"(v));
    return r;
}

/* ---- what the tables are made of --------------------------------------- */

/* Fragments of A or B. Raw: the register type that the builtin takes. */
#define WEFT_SOURCE(use, m, n, k, T, count, stored, Raw, load)                 \
    template <typename L>                                                      \
    class fragment<use, m, n, k, T, L>                                         \
        : public weft_elements<T, count, stored>                               \
    {                                                                          \
    };                                                                         \
    template <typename L>                                                      \
    WEFT_WMMA void load_matrix_sync(fragment<use, m, n, k, T, L> &f,           \
                                    const weft_element<T>::memory *p,          \
                                    unsigned ldm)                              \
    {                                                                          \
        load((Raw *)f.x, (const Raw *)p, ldm, L::weft_order);                  \
    }

#define WEFT_SUM_FRAGMENT(m, n, k, T, count)                                   \
    template <>                                                                \
    class fragment<accumulator, m, n, k, T>                                    \
        : public weft_elements<T, count, count>                                \
    {                                                                          \
    };

/* Functions instead of templates, declared only for devices that have the
 * instruction. */
#define WEFT_SUM(m, n, k, T, Raw, load, store)                                 \
    WEFT_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T> &f,      \
                                    const T *p, unsigned ldm, layout_t layout) \
    {                                                                          \
        if (layout == mem_row_major)                                           \
            load((Raw *)f.x, (const Raw *)p, ldm, 0);                          \
        else                                                                   \
            load((Raw *)f.x, (const Raw *)p, ldm, 1);                          \
    }                                                                          \
    WEFT_WMMA void store_matrix_sync(                                          \
        T *p, const fragment<accumulator, m, n, k, T> &f, unsigned ldm,        \
        layout_t layout)                                                       \
    {                                                                          \
        if (layout == mem_row_major)                                           \
            store((Raw *)p, (const Raw *)f.x, ldm, 0);                         \
        else                                                                   \
            store((Raw *)p, (const Raw *)f.x, ldm, 1);                         \
    }

/* The builtins number the four pairs of layouts of A and B. */
#define WEFT_ORDERS(A, B) (2 * A::weft_order + B::weft_order)

#define WEFT_OPERANDS(m, n, k, T, D, C)                                        \
    fragment<accumulator, m, n, k, D> &d,                                      \
        const fragment<matrix_a, m, n, k, T, A> &a,                            \
        const fragment<matrix_b, m, n, k, T, B> &b,                            \
        const fragment<accumulator, m, n, k, C> &c

/* Products of floating-point types, and of integers with optional
 * saturation. */
#define WEFT_FLOAT_PRODUCT(m, n, k, T, D, C, Raw, RawD, RawC, multiply)        \
    template <typename A, typename B>                                          \
    WEFT_WMMA void mma_sync(WEFT_OPERANDS(m, n, k, T, D, C))                   \
    {                                                                          \
        multiply((RawD *)d.x, (const Raw *)a.x, (const Raw *)b.x,              \
                 (const RawC *)c.x, WEFT_ORDERS(A, B), 0);                     \
    }
#define WEFT_INT_PRODUCT(m, n, k, T, multiply)                                 \
    template <typename A, typename B>                                          \
    WEFT_WMMA void mma_sync(WEFT_OPERANDS(m, n, k, T, int, int),               \
                            bool satf = false)                                 \
    {                                                                          \
        if (satf)                                                              \
            multiply(d.x, (const int *)a.x, (const int *)b.x, c.x,             \
                     WEFT_ORDERS(A, B), 1);                                    \
        else                                                                   \
            multiply(d.x, (const int *)a.x, (const int *)b.x, c.x,             \
                     WEFT_ORDERS(A, B), 0);                                    \
    }

/* ---- half: three shapes ------------------------------------------------ */

#define WEFT_HALF_SHAPE(m, n, k, shape)                                        \
    WEFT_SOURCE(matrix_a, m, n, k, __half, 16, 16, int, __hmma_##shape##_ld_a) \
    WEFT_SOURCE(matrix_b, m, n, k, __half, 16, 16, int, __hmma_##shape##_ld_b) \
    WEFT_SUM_FRAGMENT(m, n, k, __half, 8)                                      \
    WEFT_SUM_FRAGMENT(m, n, k, float, 8)                                       \
    WEFT_FLOAT_PRODUCT(m, n, k, __half, __half, __half, int, int, int,         \
                       __hmma_##shape##_mma_f16f16)                            \
    WEFT_FLOAT_PRODUCT(m, n, k, __half, float, __half, int, float, int,        \
                       __hmma_##shape##_mma_f32f16)                            \
    WEFT_FLOAT_PRODUCT(m, n, k, __half, __half, float, int, int, float,        \
                       __hmma_##shape##_mma_f16f32)                            \
    WEFT_FLOAT_PRODUCT(m, n, k, __half, float, float, int, float, float,       \
                       __hmma_##shape##_mma_f32f32)
WEFT_HALF_SHAPE(16, 16, 16, m16n16k16)
WEFT_HALF_SHAPE(32, 8, 16, m32n8k16)
WEFT_HALF_SHAPE(8, 32, 16, m8n32k16)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define WEFT_HALF_SUMS(m, n, k, shape)                                         \
    WEFT_SUM(m, n, k, __half, int, __hmma_##shape##_ld_c_f16,                  \
             __hmma_##shape##_st_c_f16)                                        \
    WEFT_SUM(m, n, k, float, float, __hmma_##shape##_ld_c_f32,                 \
             __hmma_##shape##_st_c_f32)
WEFT_HALF_SUMS(16, 16, 16, m16n16k16)
WEFT_HALF_SUMS(32, 8, 16, m32n8k16)
WEFT_HALF_SUMS(8, 32, 16, m8n32k16)
#undef WEFT_HALF_SUMS
#endif

/* ---- bytes: three shapes ----------------------------------------------- */

#define WEFT_BYTE_SHAPE(m, n, k, shape, a, b)                                  \
    WEFT_SOURCE(matrix_a, m, n, k, signed char, a, a, int,                     \
                __imma_##shape##_ld_a_s8)                                      \
    WEFT_SOURCE(matrix_b, m, n, k, signed char, b, b, int,                     \
                __imma_##shape##_ld_b_s8)                                      \
    WEFT_SOURCE(matrix_a, m, n, k, unsigned char, a, a, int,                   \
                __imma_##shape##_ld_a_u8)                                      \
    WEFT_SOURCE(matrix_b, m, n, k, unsigned char, b, b, int,                   \
                __imma_##shape##_ld_b_u8)                                      \
    WEFT_SUM_FRAGMENT(m, n, k, int, 8)                                         \
    WEFT_INT_PRODUCT(m, n, k, signed char, __imma_##shape##_mma_s8)            \
    WEFT_INT_PRODUCT(m, n, k, unsigned char, __imma_##shape##_mma_u8)
WEFT_BYTE_SHAPE(16, 16, 16, m16n16k16, 8, 8)
WEFT_BYTE_SHAPE(32, 8, 16, m32n8k16, 16, 4)
WEFT_BYTE_SHAPE(8, 32, 16, m8n32k16, 4, 16)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define WEFT_BYTE_SUMS(m, n, k, shape)                                         \
    WEFT_SUM(m, n, k, int, int, __imma_##shape##_ld_c,                         \
             __imma_##shape##_st_c_i32)
WEFT_BYTE_SUMS(16, 16, 16, m16n16k16)
WEFT_BYTE_SUMS(32, 8, 16, m32n8k16)
WEFT_BYTE_SUMS(8, 32, 16, m8n32k16)
#undef WEFT_BYTE_SUMS
#endif

/* ---- four bits and one bit: A by rows, B by columns -------------------- */

#define WEFT_SMALL_SOURCES(k, T, count, load_a, load_b)                        \
    WEFT_SOURCE(matrix_a, 8, 8, k, experimental::precision::T, count, 1, int,  \
                load_a)                                                        \
    WEFT_SOURCE(matrix_b, 8, 8, k, experimental::precision::T, count, 1, int,  \
                load_b)
WEFT_SMALL_SOURCES(32, u4, 8, __imma_m8n8k32_ld_a_u4, __imma_m8n8k32_ld_b_u4)
WEFT_SMALL_SOURCES(32, s4, 8, __imma_m8n8k32_ld_a_s4, __imma_m8n8k32_ld_b_s4)
#define WEFT_LOAD_A_B1(d, p, ldm, layout) __bmma_m8n8k128_ld_a_b1(d, p, ldm, 0)
#define WEFT_LOAD_B_B1(d, p, ldm, layout) __bmma_m8n8k128_ld_b_b1(d, p, ldm, 1)
WEFT_SMALL_SOURCES(128, b1, 32, WEFT_LOAD_A_B1, WEFT_LOAD_B_B1)
#undef WEFT_LOAD_A_B1
#undef WEFT_LOAD_B_B1
WEFT_SUM_FRAGMENT(8, 8, 32, int, 2)
WEFT_SUM_FRAGMENT(8, 8, 128, int, 2)
WEFT_INT_PRODUCT(8, 8, 32, experimental::precision::u4, __imma_m8n8k32_mma_u4)
WEFT_INT_PRODUCT(8, 8, 32, experimental::precision::s4, __imma_m8n8k32_mma_s4)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
WEFT_SUM(8, 8, 32, int, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
WEFT_SUM(8, 8, 128, int, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
#endif

/* Before sm_80 the device lacks .and, so that op must be a constant. */
template <typename A, typename B>
WEFT_WMMA void bmma_sync(WEFT_OPERANDS(8, 8, 128,
                                       experimental::precision::b1, int, int),
                         experimental::bmmaBitOp op =
                             experimental::bmmaBitOpXOR,
                         experimental::bmmaAccumulateOp =
                             experimental::bmmaAccumulateOpPOPC)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    if (op == experimental::bmmaBitOpAND) {
        __bmma_m8n8k128_mma_and_popc_b1(d.x, (const int *)a.x,
                                        (const int *)b.x, c.x, 1);
        return;
    }
#endif
    __bmma_m8n8k128_mma_xor_popc_b1(d.x, (const int *)a.x, (const int *)b.x,
                                    c.x, 1);
}

/* ---- bfloat16, tf32, double -------------------------------------------- */

#define WEFT_BFLOAT_SHAPE(m, n, k, shape, a, b)                                \
    WEFT_SOURCE(matrix_a, m, n, k, __nv_bfloat16, a, a, int,                   \
                __mma_bf16_##shape##_ld_a)                                     \
    WEFT_SOURCE(matrix_b, m, n, k, __nv_bfloat16, b, b, int,                   \
                __mma_bf16_##shape##_ld_b)                                     \
    WEFT_FLOAT_PRODUCT(m, n, k, __nv_bfloat16, float, float, int, float,       \
                       float, __mma_bf16_##shape##_mma_f32)
WEFT_BFLOAT_SHAPE(16, 16, 16, m16n16k16, 8, 8)
WEFT_BFLOAT_SHAPE(32, 8, 16, m32n8k16, 16, 4)
WEFT_BFLOAT_SHAPE(8, 32, 16, m8n32k16, 4, 16)

WEFT_SOURCE(matrix_a, 16, 16, 8, precision::tf32, 4, 4, int,
            __mma_tf32_m16n16k8_ld_a)
WEFT_SOURCE(matrix_b, 16, 16, 8, precision::tf32, 4, 4, int,
            __mma_tf32_m16n16k8_ld_b)
WEFT_SUM_FRAGMENT(16, 16, 8, float, 8)
WEFT_FLOAT_PRODUCT(16, 16, 8, precision::tf32, float, float, int, float, float,
                   __mma_tf32_m16n16k8_mma_f32)

WEFT_SOURCE(matrix_a, 8, 8, 4, double, 1, 1, double, __dmma_m8n8k4_ld_a)
WEFT_SOURCE(matrix_b, 8, 8, 4, double, 1, 1, double, __dmma_m8n8k4_ld_b)
WEFT_SUM_FRAGMENT(8, 8, 4, double, 2)
WEFT_FLOAT_PRODUCT(8, 8, 4, double, double, double, double, double, double,
                   __dmma_m8n8k4_mma_f64)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WEFT_SUM(16, 16, 8, float, float, __mma_tf32_m16n16k8_ld_c,
         __mma_m16n16k8_st_c_f32)
WEFT_SUM(8, 8, 4, double, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
#endif

#undef WEFT_SOURCE
#undef WEFT_SUM_FRAGMENT
#undef WEFT_SUM
#undef WEFT_ORDERS
#undef WEFT_OPERANDS
#undef WEFT_FLOAT_PRODUCT
#undef WEFT_INT_PRODUCT
#undef WEFT_HALF_SHAPE
#undef WEFT_BYTE_SHAPE
#undef WEFT_SMALL_SOURCES
#undef WEFT_BFLOAT_SHAPE

}
}

#undef WEFT_WMMA

#endif

#endif
