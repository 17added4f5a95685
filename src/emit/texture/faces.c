/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cubes: the face that each lane's direction meets, and where, as exec/cube.c
 * finds them. Coordinates on a face are whole multiples of 2^-21, which is all
 * that a texture unit keeps of them, so that floats are exact.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"

#define GRAIN 2097152.0 /* 2^21 */

/* What is too long, or no number, is no direction at all. */
static void make_short(struct emit *e, LLVMValueRef at[3])
{
    LLVMValueRef all = NULL;
    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef size = ir_fabs(e, at[d]);
        LLVMValueRef test =
            ir_fcmp(e, LLVMRealOLE, size, ir_real(size, 0x1p126));
        all = all ? ir_and(e, all, test) : test;
    }
    for (unsigned d = 0; d < 3; d++)
        at[d] = ir_select(e, all, at[d], ir_real(at[d], 0));
}

/* minor / major, in [-1, 1], as a coordinate in [0, 1], cut off. */
static LLVMValueRef on_face(struct emit *e, LLVMValueRef minor,
                            LLVMValueRef major)
{
    LLVMValueRef ratio = ir_fdiv(e, minor, major);
    LLVMValueRef is_nothing =
        ir_fcmp(e, LLVMRealOLE, ir_fabs(e, ratio), ir_real(ratio, 0x1p-126));
    ratio = ir_select(e, is_nothing, ir_real(ratio, 0), ratio);
    minor = ir_select(e, is_nothing, ir_real(ratio, 0), minor);
    LLVMValueRef error = ir_fma(e, ir_fneg(e, ratio), major, minor);
    LLVMValueRef scaled = ir_fmul(e, ratio, ir_real(ratio, GRAIN / 2));
    LLVMValueRef down = ir_unary(e, "llvm.floor", scaled);
    LLVMValueRef is_past =
        ir_and(e, ir_fcmp(e, LLVMRealOEQ, scaled, down),
               ir_fcmp(e, LLVMRealOLT, error, ir_real(error, 0)));
    LLVMValueRef less =
        ir_select(e, is_past, ir_real(down, 1), ir_real(down, 0));
    down = ir_fadd(e, ir_fsub(e, down, less), ir_real(down, GRAIN / 2));
    return ir_fmul(e, down, ir_real(down, 1 / GRAIN));
}

static LLVMValueRef turned_if(struct emit *e, LLVMValueRef test, LLVMValueRef v)
{
    return ir_select(e, test, ir_fneg(e, v), v);
}

/* The slice: six for each cube; beyond the last cube, that one. */
static LLVMValueRef slice_of(struct emit *e, const struct emit_sample *s,
                             LLVMValueRef face)
{
    if (!s->layer)
        return face;
    LLVMValueRef cubes = TEXTURE_FIELD(e, s->texture, layers, e->i32);
    LLVMValueRef last =
        ir_splat(e, ir_sub(e, cubes, ir_int(cubes, 1)), e->lanes);
    LLVMValueRef cube = ir_binary(e, "llvm.umin", s->layer, last);
    return ir_add(e, ir_mul(e, cube, ir_int(cube, 6)), face);
}

void emit_find_faces(struct emit *e, struct emit_sample *s)
{
    LLVMValueRef at[3] = {s->at[0], s->at[1], s->at[2]}, size[3];
    make_short(e, at);
    for (unsigned d = 0; d < 3; d++)
        size[d] = ir_fabs(e, at[d]);
    LLVMValueRef is_z = ir_and(e, ir_fcmp(e, LLVMRealOGE, size[2], size[0]),
                               ir_fcmp(e, LLVMRealOGE, size[2], size[1]));
    LLVMValueRef is_y = ir_fcmp(e, LLVMRealOGE, size[1], size[0]);
    LLVMValueRef axis =
        ir_select(e, is_z, at[2], ir_select(e, is_y, at[1], at[0]));
    LLVMValueRef zero = ir_real(axis, 0);
    LLVMValueRef is_below = ir_fcmp(e, LLVMRealOLT, axis, zero);
    LLVMValueRef major = ir_fabs(e, axis);
    major = ir_select(e, ir_fcmp(e, LLVMRealOGT, major, zero), major,
                      ir_real(axis, 1));
    LLVMValueRef minus_z = ir_fneg(e, at[2]);
    LLVMValueRef u =
        ir_select(e, is_z, turned_if(e, is_below, at[0]),
                  ir_select(e, is_y, at[0], turned_if(e, is_below, minus_z)));
    LLVMValueRef is_only_y = ir_and(e, is_y, ir_not(e, is_z));
    LLVMValueRef v = ir_select(e, is_only_y, turned_if(e, is_below, at[2]),
                               ir_fneg(e, at[1]));
    LLVMValueRef face = ir_zext(e, is_below, e->i32);
    LLVMValueRef pair =
        ir_select(e, is_z, ir_int(face, 4),
                  ir_select(e, is_y, ir_int(face, 2), ir_int(face, 0)));
    s->layer = slice_of(e, s, ir_add(e, face, pair));
    s->at[0] = on_face(e, u, major);
    s->at[1] = on_face(e, v, major);
    s->at[2] = NULL;
    s->dims = 2;
}
