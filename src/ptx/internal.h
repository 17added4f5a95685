/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of ptx/ share: the opcode table as data, tokens, the parser. */
#ifndef WEFT_PTX_INTERNAL_H
#define WEFT_PTX_INTERNAL_H

#include "ptx/ptx.h"

/* ---- sets of types: the column `types` of ops.def ----------------------- */

#define T(name)  (UINT64_C(1) << PTX_TYPE_##name)
#define T_NONE   UINT64_C(0)
#define T_B16    T(b16)
#define T_B32    T(b32)
#define T_B64    T(b64)
#define T_B128   T(b128)
#define T_BITS   (T_B16 | T_B32 | T_B64)
#define T_U32    T(u32)
#define T_U64    T(u64)
#define T_I16    (T(u16) | T(s16))
#define T_I32    (T(u32) | T(s32))
#define T_I64    (T(u64) | T(s64))
#define T_INT    (T_I16 | T_I32 | T_I64)
#define T_SINT   (T(s16) | T(s32) | T(s64))
#define T_I16X2  (T(u16x2) | T(s16x2))
#define T_F32    T(f32)
#define T_FLT    (T(f32) | T(f64))
#define T_HALF   (T(f16) | T(f16x2) | T(bf16) | T(bf16x2))
#define T_PRED   T(pred)
#define T_BYTE   (T(b8) | T(u8) | T(s8))
#define T_MEM    (T_BYTE | T_BITS | T_B128 | T_INT | T_FLT | T(f16))
#define T_ATOM   (T_BITS | T_B128 | T_I32 | T_I64 | T_FLT | T_HALF)
#define T_CVT                                                                  \
    (T_BYTE | T_BITS | T_INT | T_FLT | T_HALF | T(tf32) | T(e4m3x2) |          \
     T(e5m2x2) | T(e4m3) | T(e5m2))
#define T_TEX    (T_I32 | T_F32 | T(f16x2) | T(f16) | T_I16)
#define T_SURF   (T_BYTE | T_BITS | T_INT | T_F32)
#define T_MMA                                                                  \
    (T_HALF | T(tf32) | T_FLT | T_I32 | T(u8) | T(s8) | T(u4) | T(s4) |        \
     T(b1) | T(e4m3) | T(e5m2))
#define T_MATRIX (T(b8) | T(b16))

/* ---- groups of modifiers: the column `modifiers` ------------------------ */

enum group_bit {
#define PTX_GROUP(name) GROUP_##name,
#include "ptx/mods.def"
    GROUP_COUNT
};
static_assert(GROUP_COUNT <= 64, "groups are bits of a uint64_t");

/* One bit per group. GNU C lets an enumerator be as wide as it needs. */
enum {
#define PTX_GROUP(name) M_##name = UINT64_C(1) << GROUP_##name,
#include "ptx/mods.def"
    M_NONE = 0,
    M_MEM = M_SPACE | M_CACHE | M_HINT | M_VEC | M_SEM | M_SCOPE,
};

/* ---- the opcode table as data ------------------------------------------- */

struct op_row {
    const char *name;
    const char *operands;
    uint64_t types;
    uint64_t modifiers;
    unsigned since, sm;
};
extern const struct op_row ptx_ops[PTX_OP_COUNT];

#endif
