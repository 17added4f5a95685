/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of PTX as those of LLVM. */
#include "emit/core/values.h"

static LLVMIntPredicate int_predicate(enum ptx_cmp cmp, bool is_signed)
{
    switch (cmp) {
    case PTX_CMP_eq:
        return LLVMIntEQ;
    case PTX_CMP_ne:
        return LLVMIntNE;
    case PTX_CMP_lt:
        return is_signed ? LLVMIntSLT : LLVMIntULT;
    case PTX_CMP_le:
        return is_signed ? LLVMIntSLE : LLVMIntULE;
    case PTX_CMP_gt:
        return is_signed ? LLVMIntSGT : LLVMIntUGT;
    case PTX_CMP_ge:
        return is_signed ? LLVMIntSGE : LLVMIntUGE;
    case PTX_CMP_lo:
        return LLVMIntULT;
    case PTX_CMP_ls:
        return LLVMIntULE;
    case PTX_CMP_hi:
        return LLVMIntUGT;
    default:
        return LLVMIntUGE; /* hs */
    }
}

static LLVMRealPredicate real_predicate(enum ptx_cmp cmp)
{
    switch (cmp) {
    case PTX_CMP_eq:
        return LLVMRealOEQ;
    case PTX_CMP_ne:
        return LLVMRealONE;
    case PTX_CMP_lt:
        return LLVMRealOLT;
    case PTX_CMP_le:
        return LLVMRealOLE;
    case PTX_CMP_gt:
        return LLVMRealOGT;
    case PTX_CMP_ge:
        return LLVMRealOGE;
    case PTX_CMP_equ:
        return LLVMRealUEQ;
    case PTX_CMP_neu:
        return LLVMRealUNE;
    case PTX_CMP_ltu:
        return LLVMRealULT;
    case PTX_CMP_leu:
        return LLVMRealULE;
    case PTX_CMP_gtu:
        return LLVMRealUGT;
    case PTX_CMP_geu:
        return LLVMRealUGE;
    case PTX_CMP_num:
        return LLVMRealORD;
    default:
        return LLVMRealUNO;
    }
}

LLVMValueRef emit_compare(struct emit *e, enum ptx_cmp cmp, enum ptx_type type,
                          LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeKind kind = LLVMGetTypeKind(ir_element(a));

    if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)
        return ir_fcmp(e, real_predicate(cmp), a, b);
    return ir_icmp(e, int_predicate(cmp, ptx_type_is_signed(type)), a, b);
}
