/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::ptx: registers that the device sets, words, shuffles, and the end. */
#ifndef WEFT_PTX_WORDS_H
#define WEFT_PTX_WORDS_H

#include "tags.h"

namespace cuda
{
namespace ptx
{

/* ---- special registers ------------------------------------------------ */

/* volatile: what may differ from one look to the next. */
#define WEFT_REGISTER(name, text, kind)                                        \
    WEFT_PTX(uint32_t) get_sreg_##name()                                       \
    {                                                                          \
        uint32_t x;                                                            \
        asm kind("mov.u32 %0, %%" text ";" : "=r"(x));                         \
        return x;                                                              \
    }
#define WEFT_REGISTER64(name, kind)                                            \
    WEFT_PTX(uint64_t) get_sreg_##name()                                       \
    {                                                                          \
        uint64_t x;                                                            \
        asm kind("mov.u64 %0, %%" #name ";" : "=l"(x));                        \
        return x;                                                              \
    }
#define WEFT_REGISTERS(name)                                                   \
    WEFT_REGISTER(name##_x, #name ".x", )                                      \
    WEFT_REGISTER(name##_y, #name ".y", )                                      \
    WEFT_REGISTER(name##_z, #name ".z", )

WEFT_REGISTERS(tid)
WEFT_REGISTERS(ntid)
WEFT_REGISTERS(ctaid)
WEFT_REGISTERS(nctaid)
WEFT_REGISTERS(clusterid)
WEFT_REGISTERS(nclusterid)
WEFT_REGISTERS(cluster_ctaid)
WEFT_REGISTERS(cluster_nctaid)
WEFT_REGISTER(cluster_ctarank, "cluster_ctarank", )
WEFT_REGISTER(cluster_nctarank, "cluster_nctarank", )
WEFT_REGISTER(laneid, "laneid", )
WEFT_REGISTER(warpid, "warpid", volatile)
WEFT_REGISTER(nwarpid, "nwarpid", volatile)
WEFT_REGISTER(smid, "smid", volatile)
WEFT_REGISTER(nsmid, "nsmid", volatile)
WEFT_REGISTER(lanemask_eq, "lanemask_eq", )
WEFT_REGISTER(lanemask_le, "lanemask_le", )
WEFT_REGISTER(lanemask_lt, "lanemask_lt", )
WEFT_REGISTER(lanemask_ge, "lanemask_ge", )
WEFT_REGISTER(lanemask_gt, "lanemask_gt", )
WEFT_REGISTER(clock, "clock", volatile)
WEFT_REGISTER(clock_hi, "clock_hi", volatile)
WEFT_REGISTER(globaltimer_lo, "globaltimer_lo", volatile)
WEFT_REGISTER(globaltimer_hi, "globaltimer_hi", volatile)
WEFT_REGISTER(total_smem_size, "total_smem_size", )
WEFT_REGISTER(aggr_smem_size, "aggr_smem_size", )
WEFT_REGISTER(dynamic_smem_size, "dynamic_smem_size", )
WEFT_REGISTER64(gridid, )
WEFT_REGISTER64(clock64, volatile)
WEFT_REGISTER64(globaltimer, volatile)
WEFT_REGISTER64(current_graph_exec, )
#undef WEFT_REGISTER
#undef WEFT_REGISTER64
#undef WEFT_REGISTERS

WEFT_PTX(bool) get_sreg_is_explicit_cluster()
{
    uint32_t x;
    asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster;"
        "  selp.u32 %0, 1, 0, p; }"
        : "=r"(x));
    return x;
}

/* ---- bits -------------------------------------------------------------- */

#define WEFT_BFIND(name, form, bytes, sign, letter)                            \
    WEFT_PTX_IF(sizeof(T) == bytes && ::std::is_integral<T>::value &&          \
                    ::std::is_##sign<T>::value,                                \
                uint32_t)                                                      \
    name(T a_reg)                                                              \
    {                                                                          \
        uint32_t x;                                                            \
        asm(form " %0, %1;" : "=r"(x) : letter(a_reg));                        \
        return x;                                                              \
    }
WEFT_BFIND(bfind, "bfind.u32", 4, unsigned, "r")
WEFT_BFIND(bfind, "bfind.s32", 4, signed, "r")
WEFT_BFIND(bfind, "bfind.u64", 8, unsigned, "l")
WEFT_BFIND(bfind, "bfind.s64", 8, signed, "l")
WEFT_BFIND(bfind_shiftamt, "bfind.shiftamt.u32", 4, unsigned, "r")
WEFT_BFIND(bfind_shiftamt, "bfind.shiftamt.s32", 4, signed, "r")
WEFT_BFIND(bfind_shiftamt, "bfind.shiftamt.u64", 8, unsigned, "l")
WEFT_BFIND(bfind_shiftamt, "bfind.shiftamt.s64", 8, signed, "l")
#undef WEFT_BFIND

#define WEFT_BMSK(mode)                                                        \
    WEFT_PTX(uint32_t) bmsk_##mode(uint32_t a_reg, uint32_t b_reg)             \
    {                                                                          \
        uint32_t x;                                                            \
        asm("bmsk." #mode ".b32 %0, %1, %2;"                                   \
            : "=r"(x)                                                          \
            : "r"(a_reg), "r"(b_reg));                                         \
        return x;                                                              \
    }
WEFT_BMSK(clamp)
WEFT_BMSK(wrap)
#undef WEFT_BMSK

/* A value as a number of its size, and back. */
template <typename To, typename From>
static __device__ __forceinline__ To weft_bits(const From &from)
{
    static_assert(sizeof(To) == sizeof(From), "of one size");
    return __builtin_bit_cast(To, from);
}

#define WEFT_PRMT(name, form)                                                  \
    WEFT_PTX_IF(sizeof(T) == 4, uint32_t)                                      \
    name(T a_reg, T b_reg, uint32_t c_reg)                                     \
    {                                                                          \
        uint32_t x;                                                            \
        asm(form " %0, %1, %2, %3;"                                            \
            : "=r"(x)                                                          \
            : "r"(weft_bits<uint32_t>(a_reg)),                                 \
              "r"(weft_bits<uint32_t>(b_reg)), "r"(c_reg));                    \
        return x;                                                              \
    }
WEFT_PRMT(prmt, "prmt.b32")
WEFT_PRMT(prmt_f4e, "prmt.b32.f4e")
WEFT_PRMT(prmt_b4e, "prmt.b32.b4e")
WEFT_PRMT(prmt_rc8, "prmt.b32.rc8")
WEFT_PRMT(prmt_ecl, "prmt.b32.ecl")
WEFT_PRMT(prmt_ecr, "prmt.b32.ecr")
WEFT_PRMT(prmt_rc16, "prmt.b32.rc16")
#undef WEFT_PRMT

#define WEFT_IS_SIGNED                                                         \
    (::std::is_integral<T>::value && ::std::is_signed<T>::value)
#define WEFT_SHIFT(name, form, condition, bits, letter)                        \
    WEFT_PTX_IF(condition, T) name(T a_reg, uint32_t b_reg)                    \
    {                                                                          \
        bits x;                                                                \
        asm(form " %0, %1, %2;"                                                \
            : "=" letter(x)                                                    \
            : letter(weft_bits<bits>(a_reg)), "r"(b_reg));                     \
        return weft_bits<T>(x);                                                \
    }
WEFT_SHIFT(shl, "shl.b16", sizeof(T) == 2, uint16_t, "h")
WEFT_SHIFT(shl, "shl.b32", sizeof(T) == 4, uint32_t, "r")
WEFT_SHIFT(shl, "shl.b64", sizeof(T) == 8, uint64_t, "l")
WEFT_SHIFT(shr, "shr.b16", sizeof(T) == 2 && !WEFT_IS_SIGNED, uint16_t, "h")
WEFT_SHIFT(shr, "shr.b32", sizeof(T) == 4 && !WEFT_IS_SIGNED, uint32_t, "r")
WEFT_SHIFT(shr, "shr.b64", sizeof(T) == 8 && !WEFT_IS_SIGNED, uint64_t, "l")
WEFT_SHIFT(shr, "shr.s16", sizeof(T) == 2 && WEFT_IS_SIGNED, int16_t, "h")
WEFT_SHIFT(shr, "shr.s32", sizeof(T) == 4 && WEFT_IS_SIGNED, int32_t, "r")
WEFT_SHIFT(shr, "shr.s64", sizeof(T) == 8 && WEFT_IS_SIGNED, int64_t, "l")
#undef WEFT_SHIFT
#undef WEFT_IS_SIGNED

/* ---- among lanes ------------------------------------------------------- */

#define WEFT_SHUFFLE(mode)                                                     \
    WEFT_PTX_IF(sizeof(T) == 4, T)                                             \
    shfl_sync_##mode(T data, bool &pred, uint32_t lane_idx_offset,             \
                     uint32_t clamp_segmask, uint32_t lane_mask) noexcept      \
    {                                                                          \
        uint32_t x, is_good;                                                   \
        asm volatile("{ .reg .pred p;"                                         \
                     "  shfl.sync." #mode ".b32 %0|p, %2, %3, %4, %5;"         \
                     "  selp.u32 %1, 1, 0, p; }"                               \
                     : "=r"(x), "=r"(is_good)                                  \
                     : "r"(weft_bits<uint32_t>(data)), "r"(lane_idx_offset),   \
                       "r"(clamp_segmask), "r"(lane_mask));                    \
        pred = is_good;                                                        \
        return weft_bits<T>(x);                                                \
    }                                                                          \
    WEFT_PTX_IF(sizeof(T) == 4, T)                                             \
    shfl_sync_##mode(T data, uint32_t lane_idx_offset, uint32_t clamp_segmask, \
                     uint32_t lane_mask) noexcept                              \
    {                                                                          \
        uint32_t x;                                                            \
        asm volatile("shfl.sync." #mode ".b32 %0, %1, %2, %3, %4;"             \
                     : "=r"(x)                                                 \
                     : "r"(weft_bits<uint32_t>(data)), "r"(lane_idx_offset),   \
                       "r"(clamp_segmask), "r"(lane_mask));                    \
        return weft_bits<T>(x);                                                \
    }
WEFT_SHUFFLE(idx)
WEFT_SHUFFLE(up)
WEFT_SHUFFLE(down)
WEFT_SHUFFLE(bfly)
#undef WEFT_SHUFFLE

WEFT_PTX(bool) elect_sync(const uint32_t &membermask)
{
    uint32_t x;
    asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }"
                 : "=r"(x)
                 : "r"(membermask)
                 : "memory");
    return x;
}

WEFT_PTX(uint32_t) getctarank(space_cluster_t, const void *addr)
{
    uint32_t x;
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(x) : WEFT_SHARED(addr));
    return x;
}

/* ---- the end ----------------------------------------------------------- */

WEFT_PTX(void) exit()
{
    asm volatile("exit;");
}
WEFT_PTX(void) trap()
{
    asm volatile("trap;");
}

} // namespace ptx
} // namespace cuda

#endif
