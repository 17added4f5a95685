/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cubes: the face that each lane's direction meets, and where, as exec's cube.c
 * finds them. Coordinates on a face are multiples of 2^-21, which is all that
 * a texture unit keeps, so that floats are exact.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"

#define GRAIN 2097152.0 /* 2^21 */

/* A direction that is too long, or NaN, counts as none. */
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
                            LLVMValueRef over_major)
{
    LLVMValueRef ratio = ir_fmul(e, minor, over_major);
    LLVMValueRef is_nothing =
        ir_fcmp(e, LLVMRealOLE, ir_fabs(e, ratio), ir_real(ratio, 0x1p-126));
    ratio = ir_select(e, is_nothing, ir_real(ratio, 0), ratio);
    LLVMValueRef scaled = ir_fmul(e, ratio, ir_real(ratio, GRAIN / 2));
    LLVMValueRef down = ir_unary(e, "llvm.floor", scaled);
    down = ir_fadd(e, down, ir_real(down, GRAIN / 2));
    return ir_fmul(e, down, ir_real(down, 1 / GRAIN));
}

static LLVMValueRef turned_if(struct emit *e, LLVMValueRef test, LLVMValueRef v)
{
    return ir_select(e, test, ir_fneg(e, v), v);
}

/* The slice: six for each cube; beyond the last cube, the last one. */
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
    /* Scaled, the reciprocal of a denormal is a float too. */
    LLVMValueRef up =
        ir_select(e, ir_fcmp(e, LLVMRealOLT, major, ir_real(major, CUBE_SHORT)),
                  ir_real(major, 1 / CUBE_SHORT), ir_real(major, 1));
    u = ir_fmul(e, u, up);
    v = ir_fmul(e, v, up);
    LLVMValueRef over = ir_fdiv(e, ir_real(major, 1), ir_fmul(e, major, up));
    s->at[0] = on_face(e, u, over);
    s->at[1] = on_face(e, v, over);
    s->at[2] = NULL;
    s->dims = 2;
}

/* ---- gradients ------------------------------------------------------------
 *
 * As exec's cube.c turns them, in its doubles.
 */

#define SHORT_MASK (-(INT64_C(1) << (52 - 9))) /* of 10 significant bits */

/* A direction by the axes of a face: along u, along v, and the face's own. */
struct turned {
    LLVMValueRef u, v, own;
};

/* Which axis a direction has its face on. */
struct major {
    LLVMValueRef is_x, is_y, is_z;
    LLVMValueRef most; /* how long it is there */
};

static struct major major_of(struct emit *e, const LLVMValueRef at[3])
{
    LLVMValueRef x = ir_fabs(e, at[0]), y = ir_fabs(e, at[1]);
    LLVMValueRef z = ir_fabs(e, at[2]);
    LLVMValueRef is_y = ir_fcmp(e, LLVMRealOGE, y, x);
    struct major m = {.is_z = ir_and(e, ir_fcmp(e, LLVMRealOGE, z, x),
                                     ir_fcmp(e, LLVMRealOGE, z, y))};
    m.is_y = ir_and(e, is_y, ir_not(e, m.is_z));
    m.is_x = ir_not(e, ir_or(e, is_y, m.is_z));
    m.most = ir_select(e, m.is_z, z, ir_select(e, is_y, y, x));
    return m;
}

static struct turned turned_to(struct emit *e, const struct major *face,
                               const LLVMValueRef at[3])
{
    return (struct turned){
        .u = ir_select(e, face->is_x, at[2], at[0]),
        .v = ir_select(e, face->is_y, at[2], at[1]),
        .own = ir_select(e, face->is_x, at[0],
                         ir_select(e, face->is_y, at[1], at[2])),
    };
}

static LLVMValueRef is_negative(struct emit *e, LLVMValueRef v)
{
    return ir_fcmp(e, LLVMRealOLT, v, ir_real(v, 0));
}

static LLVMValueRef cut_short(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef bits = ir_as_int(e, v);
    return ir_as(e, ir_and(e, bits, ir_int(bits, SHORT_MASK)), e->f64);
}

/* (1 - v) / 2 as a short float. */
static LLVMValueRef short_rest(struct emit *e, LLVMValueRef v)
{
    v = ir_fsub(e, ir_real(v, 1), v);
    return cut_short(e, ir_fmul(e, v, ir_real(v, 0.5)));
}

/* How far `to` / `across` is from here along an axis; where the neighbour's
 * face lies that way, as far as the edge, and `up` behind it. */
static LLVMValueRef axis_distance(struct emit *e, LLVMValueRef here,
                                  LLVMValueRef to, LLVMValueRef across,
                                  LLVMValueRef up, LLVMValueRef is_beside)
{
    LLVMValueRef plain = ir_fsub(e, ir_fdiv(e, to, across), here);
    plain = ir_fmul(e, plain, ir_real(plain, 0.5));
    LLVMValueRef is_left = is_negative(e, to);
    LLVMValueRef rest = short_rest(e, turned_if(e, is_left, here));
    LLVMValueRef folded =
        turned_if(e, is_left, ir_fadd(e, rest, short_rest(e, up)));
    LLVMValueRef v = cut_short(e, ir_select(e, is_beside, folded, plain));
    return ir_cast(e, LLVMFPTrunc, v, e->f32);
}

/* Adds to *is_odd lanes that leave for the face opposite, or for none; to
 * *is_across those that meet a face beside. */
static void turn_gradient(struct emit *e, const LLVMValueRef from[3],
                          const LLVMValueRef gradient[3], LLVMValueRef to[2],
                          LLVMValueRef *is_across, LLVMValueRef *is_odd)
{
    LLVMValueRef next[3], none = ir_real(from[0], 0);
    for (unsigned d = 0; d < 3; d++)
        next[d] = ir_fadd(e, from[d], gradient[d]);
    struct major face = major_of(e, from), met = major_of(e, next);
    struct turned here = turned_to(e, &face, from);
    struct turned there = turned_to(e, &face, next);
    LLVMValueRef is_u = ir_select(e, face.is_x, met.is_z, met.is_x);
    LLVMValueRef is_v = ir_select(e, face.is_y, met.is_z, met.is_y);
    LLVMValueRef is_beside = ir_or(e, is_u, is_v);
    LLVMValueRef is_below = is_negative(e, here.own);
    LLVMValueRef is_turned = ir_xor(e, is_below, is_negative(e, there.own));
    LLVMValueRef odd = ir_and(e, ir_not(e, is_beside), is_turned);
    odd = ir_or(e, odd, ir_fcmp(e, LLVMRealOEQ, met.most, none));
    odd = ir_or(e, odd, ir_fcmp(e, LLVMRealOEQ, face.most, none));
    *is_odd = *is_odd ? ir_or(e, *is_odd, odd) : odd;
    *is_across = *is_across ? ir_or(e, *is_across, is_beside) : is_beside;
    LLVMValueRef up = ir_fdiv(e, turned_if(e, is_below, there.own), met.most);
    to[0] = axis_distance(e, ir_fdiv(e, here.u, face.most), there.u, met.most,
                          up, is_u);
    to[1] = axis_distance(e, ir_fdiv(e, here.v, face.most), there.v, met.most,
                          up, is_v);
}

void emit_turn_gradients(struct emit *e, const LLVMValueRef from[3],
                         LLVMValueRef along[2][3], LLVMValueRef *is_across,
                         LLVMValueRef *is_odd)
{
    unsigned lanes = e->target->vector_bytes / 4, count = e->lanes / lanes;
    LLVMValueRef to[2][2][TEXTURE_LANES];
    LLVMValueRef across[TEXTURE_LANES], odd[TEXTURE_LANES];
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef here[3], gradient[3], turned[2];
        across[i] = odd[i] = NULL;
        for (unsigned k = 0; k < 2; k++) {
            for (unsigned d = 0; d < 3; d++) {
                here[d] =
                    ir_cast(e, LLVMFPExt,
                            ir_slice(e, from[d], i * lanes, lanes), e->f64);
                gradient[d] =
                    ir_cast(e, LLVMFPExt,
                            ir_slice(e, along[k][d], i * lanes, lanes), e->f64);
            }
            turn_gradient(e, here, gradient, turned, &across[i], &odd[i]);
            to[k][0][i] = turned[0];
            to[k][1][i] = turned[1];
        }
    }
    for (unsigned k = 0; k < 2; k++)
        for (unsigned d = 0; d < 2; d++)
            along[k][d] = ir_concat(e, to[k][d], count);
    *is_across = ir_concat(e, across, count);
    *is_odd = ir_concat(e, odd, count);
}
