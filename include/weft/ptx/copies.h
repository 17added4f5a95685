/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda::ptx: copies, stores and reductions that tell a barrier in shared memory
 * when they are done, or belong to a group that is waited for.
 */
#ifndef WEFT_PTX_COPIES_H
#define WEFT_PTX_COPIES_H

#include "../../cuda_bf16.h"
#include "../../cuda_fp16.h"
#include "words.h"

namespace cuda
{
namespace ptx
{

WEFT_PTX(void)
cp_async_bulk(space_cluster_t, space_global_t, void *dstMem, const void *srcMem,
              const uint32_t &size, uint64_t *smem_bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], %2, [%3];" ::WEFT_SHARED(dstMem),
                 WEFT_GLOBAL(srcMem), "r"(size), WEFT_SHARED(smem_bar)
                 : "memory");
}
/* .shared::cta is newer than the device, and the same block of the cluster. */
WEFT_PTX(void)
cp_async_bulk(space_shared_t, space_global_t, void *dstMem, const void *srcMem,
              const uint32_t &size, uint64_t *smem_bar)
{
    cp_async_bulk(space_cluster, space_global, dstMem, srcMem, size, smem_bar);
}
WEFT_PTX(void)
cp_async_bulk(space_cluster_t, space_global_t, void *dstMem, const void *srcMem,
              const uint32_t &size, uint64_t *smem_bar, const uint16_t &ctaMask)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
        "bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::WEFT_SHARED(
            dstMem),
        WEFT_GLOBAL(srcMem), "r"(size), WEFT_SHARED(smem_bar), "h"(ctaMask)
        : "memory");
}
WEFT_PTX(void)
cp_async_bulk(space_cluster_t, space_shared_t, void *dstMem, const void *srcMem,
              const uint32_t &size, uint64_t *rdsmem_bar)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::"
        "complete_tx::bytes [%0], [%1], %2, [%3];" ::WEFT_SHARED(dstMem),
        WEFT_SHARED(srcMem), "r"(size), WEFT_SHARED(rdsmem_bar)
        : "memory");
}
WEFT_PTX(void)
cp_async_bulk(space_global_t, space_shared_t, void *dstMem, const void *srcMem,
              const uint32_t &size)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
                 "%2;" ::WEFT_GLOBAL(dstMem),
                 WEFT_SHARED(srcMem), "r"(size)
                 : "memory");
}

WEFT_PTX(void) cp_async_bulk_commit_group()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int N>
static __device__ __forceinline__ void cp_async_bulk_wait_group(n32_t<N>)
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}
template <int N>
static __device__ __forceinline__ void cp_async_bulk_wait_group_read(n32_t<N>)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/* ---- reductions --------------------------------------------------------- */

/* From the own block to another of the cluster. */
#define WEFT_REDUCE_NEAR(begin, type, op, text)                                \
    begin() cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_##op##_t, \
                                 type *dstMem, const type *srcMem,             \
                                 uint32_t size, uint64_t *rdsmem_bar)          \
    {                                                                          \
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta."       \
                     "mbarrier::complete_tx::bytes." text                      \
                     " [%0], [%1], %2, [%3];" ::WEFT_SHARED(dstMem),           \
                     WEFT_SHARED(srcMem), "r"(size), WEFT_SHARED(rdsmem_bar)   \
                     : "memory");                                              \
    }
#define WEFT_REDUCE_FAR(begin, type, op, text)                                 \
    begin()                                                                    \
        cp_reduce_async_bulk(space_global_t, space_shared_t, op_##op##_t,      \
                             type *dstMem, const type *srcMem, uint32_t size)  \
    {                                                                          \
        asm volatile(                                                          \
            "cp.reduce.async.bulk.global.shared::cta.bulk_group." text         \
            " [%0], [%1], %2;" ::WEFT_GLOBAL(dstMem),                          \
            WEFT_SHARED(srcMem), "r"(size)                                     \
            : "memory");                                                       \
    }
#define WEFT_VOID()  WEFT_PTX(void)
#define WEFT_VOID4() WEFT_PTX_IF(sizeof(T) == 4, void)
#define WEFT_VOID8() WEFT_PTX_IF(sizeof(T) == 8, void)
#define WEFT_REDUCE(begin, type, op, text)                                     \
    WEFT_REDUCE_NEAR(begin, type, op, text)                                    \
    WEFT_REDUCE_FAR(begin, type, op, text)

WEFT_REDUCE(WEFT_VOID4, T, and_op, "and.b32")
WEFT_REDUCE(WEFT_VOID4, T, or_op, "or.b32")
WEFT_REDUCE(WEFT_VOID4, T, xor_op, "xor.b32")
WEFT_REDUCE_FAR(WEFT_VOID8, T, and_op, "and.b64")
WEFT_REDUCE_FAR(WEFT_VOID8, T, or_op, "or.b64")
WEFT_REDUCE_FAR(WEFT_VOID8, T, xor_op, "xor.b64")
WEFT_REDUCE(WEFT_VOID, uint32_t, add, "add.u32")
WEFT_REDUCE(WEFT_VOID, uint32_t, min, "min.u32")
WEFT_REDUCE(WEFT_VOID, uint32_t, max, "max.u32")
WEFT_REDUCE(WEFT_VOID, uint32_t, inc, "inc.u32")
WEFT_REDUCE(WEFT_VOID, uint32_t, dec, "dec.u32")
WEFT_REDUCE(WEFT_VOID, int32_t, add, "add.s32")
WEFT_REDUCE(WEFT_VOID, int32_t, min, "min.s32")
WEFT_REDUCE(WEFT_VOID, int32_t, max, "max.s32")
WEFT_REDUCE(WEFT_VOID, uint64_t, add, "add.u64")
WEFT_REDUCE(WEFT_VOID, int64_t, add, "add.u64")
WEFT_REDUCE_FAR(WEFT_VOID, uint64_t, min, "min.u64")
WEFT_REDUCE_FAR(WEFT_VOID, uint64_t, max, "max.u64")
WEFT_REDUCE_FAR(WEFT_VOID, int64_t, min, "min.s64")
WEFT_REDUCE_FAR(WEFT_VOID, int64_t, max, "max.s64")
WEFT_REDUCE_FAR(WEFT_VOID, float, add, "add.f32")
WEFT_REDUCE_FAR(WEFT_VOID, double, add, "add.f64")
WEFT_REDUCE_FAR(WEFT_VOID, __half, add, "add.noftz.f16")
WEFT_REDUCE_FAR(WEFT_VOID, __half, min, "min.f16")
WEFT_REDUCE_FAR(WEFT_VOID, __half, max, "max.f16")
WEFT_REDUCE_FAR(WEFT_VOID, __nv_bfloat16, add, "add.noftz.bf16")
WEFT_REDUCE_FAR(WEFT_VOID, __nv_bfloat16, min, "min.bf16")
WEFT_REDUCE_FAR(WEFT_VOID, __nv_bfloat16, max, "max.bf16")
#undef WEFT_REDUCE
#undef WEFT_REDUCE_FAR
#undef WEFT_REDUCE_NEAR

/* ---- single values in another block of the cluster ---------------------- */

#define WEFT_RED(begin, type, op, text, letter, bits)                          \
    begin() red_async(op_##op##_t, type *dest, const type &value,              \
                      uint64_t *remote_bar)                                    \
    {                                                                          \
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::"    \
                     "complete_tx::bytes." text                                \
                     " [%0], %1, [%2];" ::WEFT_SHARED(dest),                   \
                     letter(weft_bits<bits>(value)), WEFT_SHARED(remote_bar)   \
                     : "memory");                                              \
    }
WEFT_RED(WEFT_VOID, uint32_t, inc, "inc.u32", "r", uint32_t)
WEFT_RED(WEFT_VOID, uint32_t, dec, "dec.u32", "r", uint32_t)
WEFT_RED(WEFT_VOID, uint32_t, min, "min.u32", "r", uint32_t)
WEFT_RED(WEFT_VOID, uint32_t, max, "max.u32", "r", uint32_t)
WEFT_RED(WEFT_VOID, uint32_t, add, "add.u32", "r", uint32_t)
WEFT_RED(WEFT_VOID, int32_t, min, "min.s32", "r", uint32_t)
WEFT_RED(WEFT_VOID, int32_t, max, "max.s32", "r", uint32_t)
WEFT_RED(WEFT_VOID, int32_t, add, "add.s32", "r", uint32_t)
WEFT_RED(WEFT_VOID4, T, and_op, "and.b32", "r", uint32_t)
WEFT_RED(WEFT_VOID4, T, or_op, "or.b32", "r", uint32_t)
WEFT_RED(WEFT_VOID4, T, xor_op, "xor.b32", "r", uint32_t)
WEFT_RED(WEFT_VOID, uint64_t, add, "add.u64", "l", uint64_t)
WEFT_RED(WEFT_VOID, int64_t, add, "add.u64", "l", uint64_t)
#undef WEFT_RED
/* The documented type of this one's barrier. */
WEFT_PTX(void)
red_async(op_add_t op, int64_t *dest, const int64_t &value, int64_t *remote_bar)
{
    red_async(op, dest, value, (uint64_t *)remote_bar);
}

#define WEFT_ST_ASYNC                                                          \
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
#define WEFT_ST(begin, letter, bits)                                           \
    begin() st_async(T *addr, const T &value, uint64_t *remote_bar)            \
    {                                                                          \
        asm volatile(                                                          \
            WEFT_ST_ASYNC ".b" #bits " [%0], %1, [%2];" ::WEFT_SHARED(addr),   \
            letter(weft_bits<uint##bits##_t>(value)), WEFT_SHARED(remote_bar)  \
            : "memory");                                                       \
    }                                                                          \
    begin() st_async(T *addr, const T(&value)[2], uint64_t *remote_bar)        \
    {                                                                          \
        asm volatile(WEFT_ST_ASYNC                                             \
                     ".v2.b" #bits                                             \
                     " [%0], {%1, %2}, [%3];" ::WEFT_SHARED(addr),             \
                     letter(weft_bits<uint##bits##_t>(value[0])),              \
                     letter(weft_bits<uint##bits##_t>(value[1])),              \
                     WEFT_SHARED(remote_bar)                                   \
                     : "memory");                                              \
    }
WEFT_ST(WEFT_VOID4, "r", 32)
WEFT_ST(WEFT_VOID8, "l", 64)
#undef WEFT_ST
WEFT_VOID4() st_async(T *addr, const T (&value)[4], uint64_t *remote_bar)
{
    asm volatile(WEFT_ST_ASYNC
                 ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::WEFT_SHARED(addr),
                 "r"(weft_bits<uint32_t>(value[0])),
                 "r"(weft_bits<uint32_t>(value[1])),
                 "r"(weft_bits<uint32_t>(value[2])),
                 "r"(weft_bits<uint32_t>(value[3])), WEFT_SHARED(remote_bar)
                 : "memory");
}
#undef WEFT_ST_ASYNC
#undef WEFT_VOID
#undef WEFT_VOID4
#undef WEFT_VOID8

} // namespace ptx
} // namespace cuda

#endif
