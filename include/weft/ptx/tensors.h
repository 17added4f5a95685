/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::ptx: copies by tensor maps, and changes to these. */
#ifndef WEFT_PTX_TENSORS_H
#define WEFT_PTX_TENSORS_H

#include "words.h"

namespace cuda
{
namespace ptx
{

#define WEFT_REDUCE_TENSOR(op, dims, place, from, ...)                         \
    WEFT_PTX(void)                                                             \
    cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_##op##_t,   \
                                const void *tensorMap,                         \
                                const int32_t(&at)[dims], const void *srcMem)  \
    {                                                                          \
        asm volatile(WEFT_REDUCTION(op, dims) " [%0, {" place "}], [%" from    \
                                              "];" ::"l"(tensorMap),           \
                     __VA_ARGS__, WEFT_SHARED(srcMem)                          \
                     : "memory");                                              \
    }
#define WEFT_REDUCTION(op, dims)                                               \
    "cp.reduce.async.bulk.tensor." #dims                                       \
    "d.global.shared::cta." WEFT_WORD_##op ".tile.bulk_group"
#define WEFT_WORD_add    "add"
#define WEFT_WORD_min    "min"
#define WEFT_WORD_max    "max"
#define WEFT_WORD_inc    "inc"
#define WEFT_WORD_dec    "dec"
#define WEFT_WORD_and_op "and"
#define WEFT_WORD_or_op  "or"
#define WEFT_WORD_xor_op "xor"

/* place, far, near: the coordinates' operands, counted from the map's, when
 * that is 0, 1 and 2; from, bar, mask: those behind. */
#define WEFT_TENSOR(dims, place, from, far, bar, mask, ...)                    \
    WEFT_PTX(void)                                                             \
    cp_async_bulk_tensor(space_cluster_t, space_global_t, void *dstMem,        \
                         const void *tensorMap, const int32_t(&at)[dims],      \
                         uint64_t *smem_bar)                                   \
    {                                                                          \
        asm volatile("cp.async.bulk.tensor." #dims "d.shared::cluster.global." \
                     "tile.mbarrier::complete_tx::bytes [%0], [%1, {" far      \
                     "}], [%" bar "];" ::WEFT_SHARED(dstMem),                  \
                     "l"(tensorMap), __VA_ARGS__, WEFT_SHARED(smem_bar)        \
                     : "memory");                                              \
    }                                                                          \
    WEFT_PTX(void)                                                             \
    cp_async_bulk_tensor(space_shared_t, space_global_t, void *dstMem,         \
                         const void *tensorMap, const int32_t(&at)[dims],      \
                         uint64_t *smem_bar)                                   \
    {                                                                          \
        cp_async_bulk_tensor(space_cluster, space_global, dstMem, tensorMap,   \
                             at, smem_bar);                                    \
    }                                                                          \
    WEFT_PTX(void)                                                             \
    cp_async_bulk_tensor(space_cluster_t, space_global_t, void *dstMem,        \
                         const void *tensorMap, const int32_t(&at)[dims],      \
                         uint64_t *smem_bar, const uint16_t &ctaMask)          \
    {                                                                          \
        asm volatile("cp.async.bulk.tensor." #dims                             \
                     "d.shared::cluster.global.tile.mbarrier::complete_tx::"   \
                     "bytes.multicast::cluster [%0], [%1, {" far "}], [%" bar  \
                     "], %" mask ";" ::WEFT_SHARED(dstMem),                    \
                     "l"(tensorMap), __VA_ARGS__, WEFT_SHARED(smem_bar),       \
                     "h"(ctaMask)                                              \
                     : "memory");                                              \
    }                                                                          \
    WEFT_PTX(void)                                                             \
    cp_async_bulk_tensor(space_global_t, space_shared_t,                       \
                         const void *tensorMap, const int32_t(&at)[dims],      \
                         const void *srcMem)                                   \
    {                                                                          \
        asm volatile("cp.async.bulk.tensor." #dims                             \
                     "d.global.shared::cta.tile.bulk_group [%0, {" place       \
                     "}], [%" from "];" ::"l"(tensorMap),                      \
                     __VA_ARGS__, WEFT_SHARED(srcMem)                          \
                     : "memory");                                              \
    }                                                                          \
    WEFT_REDUCE_TENSOR(add, dims, place, from, __VA_ARGS__)                    \
    WEFT_REDUCE_TENSOR(min, dims, place, from, __VA_ARGS__)                    \
    WEFT_REDUCE_TENSOR(max, dims, place, from, __VA_ARGS__)                    \
    WEFT_REDUCE_TENSOR(inc, dims, place, from, __VA_ARGS__)                    \
    WEFT_REDUCE_TENSOR(dec, dims, place, from, __VA_ARGS__)                    \
    WEFT_REDUCE_TENSOR(and_op, dims, place, from, __VA_ARGS__)                 \
    WEFT_REDUCE_TENSOR(or_op, dims, place, from, __VA_ARGS__)                  \
    WEFT_REDUCE_TENSOR(xor_op, dims, place, from, __VA_ARGS__)

WEFT_TENSOR(1, "%1", "2", "%2", "3", "4", "r"(at[0]))
WEFT_TENSOR(2, "%1, %2", "3", "%2, %3", "4", "5", "r"(at[0]), "r"(at[1]))
WEFT_TENSOR(3, "%1, %2, %3", "4", "%2, %3, %4", "5", "6", "r"(at[0]),
            "r"(at[1]), "r"(at[2]))
WEFT_TENSOR(4, "%1, %2, %3, %4", "5", "%2, %3, %4, %5", "6", "7", "r"(at[0]),
            "r"(at[1]), "r"(at[2]), "r"(at[3]))
WEFT_TENSOR(5, "%1, %2, %3, %4, %5", "6", "%2, %3, %4, %5, %6", "7", "8",
            "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]))
#undef WEFT_TENSOR
#undef WEFT_REDUCE_TENSOR
#undef WEFT_REDUCTION
#undef WEFT_WORD_add
#undef WEFT_WORD_min
#undef WEFT_WORD_max
#undef WEFT_WORD_inc
#undef WEFT_WORD_dec
#undef WEFT_WORD_and_op
#undef WEFT_WORD_or_op
#undef WEFT_WORD_xor_op

/* ---- tensor maps -------------------------------------------------------- */

#define WEFT_COPY_MAP(scope, unused)                                           \
    template <int N>                                                           \
    static __device__ __forceinline__ void tensormap_cp_fenceproxy(            \
        sem_release_t, scope_##scope##_t, void *dst, const void *src,          \
        n32_t<N>)                                                              \
    {                                                                          \
        asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::"  \
                     "generic.release." #scope ".sync.aligned [%0], [%1], "    \
                     "%2;" ::WEFT_GLOBAL(dst),                                 \
                     WEFT_SHARED(src), "n"(N)                                  \
                     : "memory");                                              \
    }
WEFT_EACH_SCOPE(WEFT_COPY_MAP, )
#undef WEFT_COPY_MAP

#define WEFT_REPLACE "tensormap.replace.tile."
/* A field of 32 or 64 bits. */
#define WEFT_FIELD(field, bits, letter, space, text, address)                  \
    WEFT_PTX_IF(sizeof(T) == bits / 8, void)                                   \
    tensormap_replace_##field(space_##space##_t, void *tm_addr, T new_val)     \
    {                                                                          \
        asm volatile(WEFT_REPLACE #field "." text ".b1024.b" #bits             \
                                         " [%0], %1;" ::address(tm_addr),      \
                     letter(weft_bits<uint##bits##_t>(new_val))                \
                     : "memory");                                              \
    }
/* One such field of a dimension. */
#define WEFT_FIELD_OF(field, word, bits, letter, space, text, address)         \
    template <int N, typename T,                                               \
              typename ::std::enable_if<sizeof(T) == bits / 8, bool>::type =   \
                  true>                                                        \
    static __device__ __forceinline__ void tensormap_replace_##field(          \
        space_##space##_t, void *tm_addr, n32_t<N>, T new_val)                 \
    {                                                                          \
        asm volatile(WEFT_REPLACE #word "." text ".b1024.b" #bits              \
                                        " [%0], %1, %2;" ::address(tm_addr),   \
                     "n"(N), letter(weft_bits<uint##bits##_t>(new_val))        \
                     : "memory");                                              \
    }
/* One of several kinds. */
#define WEFT_KIND(field, space, text, address)                                 \
    template <int N>                                                           \
    static __device__ __forceinline__ void tensormap_replace_##field(          \
        space_##space##_t, void *tm_addr, n32_t<N>)                            \
    {                                                                          \
        asm volatile(WEFT_REPLACE #field "." text ".b1024.b32 [%0], "          \
                                         "%1;" ::address(tm_addr),             \
                     "n"(N)                                                    \
                     : "memory");                                              \
    }
#define WEFT_FIELDS(space, text, address)                                      \
    WEFT_FIELD(global_address, 64, "l", space, text, address)                  \
    WEFT_FIELD(rank, 32, "r", space, text, address)                            \
    WEFT_FIELD_OF(box_dim, box_dim, 32, "r", space, text, address)             \
    WEFT_FIELD_OF(global_dim, global_dim, 32, "r", space, text, address)       \
    WEFT_FIELD_OF(global_stride, global_stride, 64, "l", space, text, address) \
    WEFT_FIELD_OF(element_stride, element_stride, 32, "r", space, text,        \
                  address)                                                     \
    WEFT_FIELD_OF(element_size, element_stride, 32, "r", space, text, address) \
    WEFT_KIND(elemtype, space, text, address)                                  \
    WEFT_KIND(interleave_layout, space, text, address)                         \
    WEFT_KIND(swizzle_mode, space, text, address)                              \
    WEFT_KIND(fill_mode, space, text, address)
WEFT_FIELDS(global, "global", WEFT_GLOBAL)
WEFT_FIELDS(shared, "shared::cta", WEFT_SHARED)
#undef WEFT_FIELDS
#undef WEFT_FIELD
#undef WEFT_FIELD_OF
#undef WEFT_KIND
#undef WEFT_REPLACE

} // namespace ptx
} // namespace cuda

#endif
