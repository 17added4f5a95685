/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short spellings for building LLVM IR. Every function works on scalars and
 * on vectors alike: constants take the type of a value they go with.
 */
#ifndef WEFT_EMIT_IR_H
#define WEFT_EMIT_IR_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct emit;

/* Is v a vector of lanes? */
bool ir_is_vector(LLVMValueRef v);
LLVMTypeRef ir_element(LLVMValueRef v); /* scalar type of v */
unsigned ir_bits(LLVMValueRef v);       /* width of one element */
/* A type with `scalar` in as many lanes as v has. */
LLVMTypeRef ir_like(LLVMValueRef v, LLVMTypeRef scalar);
/* Constants of v's type. */
LLVMValueRef ir_int(LLVMValueRef v, int64_t value);
LLVMValueRef ir_real(LLVMValueRef v, double value);
LLVMValueRef ir_bits_real(struct emit *e, LLVMValueRef v, uint64_t bits);
/* v as an integer of its bits, and back. */
LLVMValueRef ir_as_int(struct emit *e, LLVMValueRef v);
LLVMValueRef ir_as(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar);
LLVMValueRef ir_zext(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar);
LLVMValueRef ir_sext(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar);
LLVMValueRef ir_trunc(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar);
/* zext, sext or trunc, as the widths require. */
LLVMValueRef ir_resize(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar,
                       bool is_signed);
/* Splits integers into vectors of narrower ones, lowest bits first, and joins
 * them. */
LLVMValueRef ir_split(struct emit *e, LLVMValueRef v, LLVMTypeRef scalar);
LLVMValueRef ir_join(struct emit *e, LLVMValueRef v, LLVMTypeRef whole);
LLVMValueRef ir_cast(struct emit *e, LLVMOpcode op, LLVMValueRef v,
                     LLVMTypeRef scalar);
LLVMValueRef ir_add(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_sub(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_mul(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_and(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_or(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_xor(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_not(struct emit *e, LLVMValueRef a);
LLVMValueRef ir_neg(struct emit *e, LLVMValueRef a);
/* Shift amounts are of the same type; a shift by the width or more is
 * undefined. */
LLVMValueRef ir_shl(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_lshr(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_ashr(struct emit *e, LLVMValueRef a, LLVMValueRef b);
/* Floating point, without fast-math flags. */
LLVMValueRef ir_fadd(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_fsub(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_fmul(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_fdiv(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef ir_fma(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                    LLVMValueRef c);
LLVMValueRef ir_fneg(struct emit *e, LLVMValueRef a);
LLVMValueRef ir_fabs(struct emit *e, LLVMValueRef a);
/* Conditions are an i1 for each lane; ir_select takes one. */
LLVMValueRef ir_icmp(struct emit *e, LLVMIntPredicate p, LLVMValueRef a,
                     LLVMValueRef b);
LLVMValueRef ir_fcmp(struct emit *e, LLVMRealPredicate p, LLVMValueRef a,
                     LLVMValueRef b);
LLVMValueRef ir_is_nan(struct emit *e, LLVMValueRef a);
LLVMValueRef ir_select(struct emit *e, LLVMValueRef c, LLVMValueRef a,
                       LLVMValueRef b);
/* Where two blocks meet: a behind from_a, b behind from_b. */
LLVMValueRef ir_merge(struct emit *e, LLVMValueRef a, LLVMBasicBlockRef from_a,
                      LLVMValueRef b, LLVMBasicBlockRef from_b);
/* Intrinsics that are overloaded on the type of their first argument. */
LLVMValueRef ir_unary(struct emit *e, const char *name, LLVMValueRef a);
LLVMValueRef ir_binary(struct emit *e, const char *name, LLVMValueRef a,
                       LLVMValueRef b);
LLVMValueRef ir_ternary(struct emit *e, const char *name, LLVMValueRef a,
                        LLVMValueRef b, LLVMValueRef c);
LLVMValueRef ir_intrinsic(struct emit *e, const char *name,
                          LLVMTypeRef *overloads, unsigned overload_count,
                          LLVMValueRef *args, unsigned arg_count);
LLVMValueRef ir_load(struct emit *e, LLVMTypeRef t, LLVMValueRef p,
                     unsigned align);
LLVMValueRef ir_store(struct emit *e, LLVMValueRef v, LLVMValueRef p,
                      unsigned align);
/* A scalar pointer as an integer. */
LLVMValueRef ir_address(struct emit *e, LLVMValueRef pointer);
/* A pointer plus a number of bytes. */
LLVMValueRef ir_offset(struct emit *e, LLVMValueRef p, int64_t bytes);
LLVMValueRef ir_offset_by(struct emit *e, LLVMValueRef p, LLVMValueRef bytes);
/* Lanes [first, first + count) of a vector; vectors joined end to end. */
LLVMValueRef ir_slice(struct emit *e, LLVMValueRef v, unsigned first,
                      unsigned count);
LLVMValueRef ir_concat(struct emit *e, LLVMValueRef *parts, unsigned count);
LLVMValueRef ir_reverse(struct emit *e, LLVMValueRef v);
/* result[i] = v[index[i]] */
LLVMValueRef ir_shuffle(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                        const int *index, unsigned count);
LLVMValueRef ir_splat(struct emit *e, LLVMValueRef scalar, unsigned lanes);
LLVMValueRef ir_extract(struct emit *e, LLVMValueRef v, unsigned lane);
LLVMValueRef ir_undef_like(LLVMValueRef v);

#endif
