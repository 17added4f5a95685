/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The six faces of a cube: which one a direction meets and where, and what lies
 * across their edges.
 *
 * Source: CUDA C++ Programming Guide, "Cubemap Textures".
 */
#include "exec/internal.h"
#include "exec/device/sampler.h"

#include <math.h>

/* On face f the major axis is f / 2, negative if f is odd; u and v grow along
 * these axes. */
static const struct {
    uint8_t u, v;
    int8_t u_sign, v_sign;
} faces[6] = {
    {2, 1, -1, -1}, {2, 1, 1, -1}, {0, 2, 1, 1},
    {0, 2, 1, -1},  {0, 1, 1, -1}, {0, 1, -1, -1},
};

/* The face that a direction meets. Of axes of equal length, an H200 takes the
 * last. */
static unsigned face_of(const double d[3])
{
    double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
    unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    return 2 * axis + (d[axis] < 0);
}

static double before_middle(double v)
{
    if (v >= -CUBE_NOTHING && v < 0)
        return 0;
    return v < 0 && v > -CUBE_LEAST ? -CUBE_LEAST : v;
}

void cube_find_face(struct spot *s)
{
    bool is_short = fabs(s->at[0]) <= CUBE_FAR && fabs(s->at[1]) <= CUBE_FAR &&
                    fabs(s->at[2]) <= CUBE_FAR;
    for (unsigned d = 0; d < 3 && !is_short; d++)
        s->at[d] = 0; /* no direction at all, for an H200 */
    unsigned face = face_of(s->at);
    double major = fabs(s->at[face / 2]);
    major = major > 0 ? major : 1; /* no direction: the middle of a face */
    /* By the reciprocal, a float as their product is. */
    double up = major < CUBE_SHORT ? 1 / CUBE_SHORT : 1;
    double over = (float)(1 / (major * up)) * up;
    double u = (float)(faces[face].u_sign * s->at[faces[face].u] * over);
    double v = (float)(faces[face].v_sign * s->at[faces[face].v] * over);
    s->at[0] = (before_middle(u) + 1) / 2;
    s->at[1] = (before_middle(v) + 1) / 2;
    s->slice += face;
    s->dims = 2;
    s->is_cube = true;
}

bool cube_cross_edge(uint32_t size, int64_t at[3])
{
    bool is_outside[2] = {at[0] < 0 || at[0] >= size,
                          at[1] < 0 || at[1] >= size};
    if (is_outside[0] && is_outside[1])
        return false;
    if (!is_outside[0] && !is_outside[1])
        return true;
    assert(size > 0 && at[2] >= 0);
    unsigned face = (unsigned)(at[2] % 6);
    double d[3] = {0};
    double on[2];
    for (unsigned i = 0; i < 2; i++) /* just beyond the edge */
        on[i] = is_outside[i] ? (at[i] < 0 ? -1.000001 : 1.000001)
                              : (2 * (double)at[i] + 1) / size - 1;
    d[face / 2] = face & 1 ? -1 : 1;
    d[faces[face].u] = faces[face].u_sign * on[0];
    d[faces[face].v] = faces[face].v_sign * on[1];
    struct spot s = {.at = {d[0], d[1], d[2]}};
    cube_find_face(&s);
    for (unsigned i = 0; i < 2; i++) {
        int64_t texel = (int64_t)floor(s.at[i] * size);
        at[i] = texel < 0 ? 0 : texel >= size ? size - 1 : texel;
    }
    at[2] += s.slice - face;
    return true;
}

void cube_share_corner(int32_t weight[4], unsigned missing)
{
    int32_t all = weight[missing], third = (all + 1) / 3;
    weight[missing] = 0;
    weight[missing ^ 1] += third;
    weight[missing ^ 2] += third;
    weight[missing ^ 3] += all - 2 * third;
}

/* Distance along one axis of this face, from the place of a direction to that
 * of its neighbour. If the neighbour meets an adjacent face, that face is
 * folded into this one's plane: the way to the edge, plus how far the
 * neighbour lies beyond it. On the opposite face it is far away. */
static double face_distance(const double from[3], const double to[3],
                            unsigned face, unsigned axis)
{
    unsigned met = face_of(to), own = face / 2, other = met / 2;
    double here = from[axis] / fabs(from[own]), across = fabs(to[other]);
    if (met == (face ^ 1))
        return INFINITY;
    if (axis != other)
        return (to[axis] / across - here) / 2;
    double side = to[axis] < 0 ? -1 : 1;
    double up = (face & 1 ? -to[own] : to[own]) / across;
    return side *
           (lod_cut_short((1 - side * here) / 2) + lod_cut_short((1 - up) / 2));
}

bool cube_turn_gradients(const double direction[3], const double from[6],
                         double to[4])
{
    unsigned face = face_of(direction);
    bool is_across = false;
    for (unsigned k = 0; k < 2; k++) {
        double next[3];
        for (unsigned i = 0; i < 3; i++)
            next[i] = direction[i] + from[3 * k + i];
        to[2 * k] = face_distance(direction, next, face, faces[face].u);
        to[2 * k + 1] = face_distance(direction, next, face, faces[face].v);
        is_across |= face_of(next) != face;
    }
    return is_across;
}
