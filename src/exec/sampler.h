/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between a lane's coordinates and texels: sampler.c filters one level, lod.c
 * chooses levels, cube.c knows how the faces of a cube lie.
 */
#ifndef WEFT_EXEC_SAMPLER_H
#define WEFT_EXEC_SAMPLER_H

#include "abi/texture.h"

/* Where a lane looks: the slice that layers and cubes begin with, and the
 * coordinates in it. */
struct spot {
    double at[3];
    int32_t offset[3]; /* in texels */
    int64_t slice;
    unsigned dims;      /* coordinates that are filtered */
    uint32_t reference; /* of a depth comparison, a float's bits */
    bool has_reference, is_cube;
    bool is_filtered; /* through weights, if they are 0 and 1 */
};

/* A level, or two with `next_part` / 256 of the next one. */
void sample_between(const struct exec_texture *t, unsigned level,
                    uint32_t next_part, const struct spot *s, uint32_t out[4]);
void sample_levels(const struct exec_texture *t,
                   const struct exec_texture_request *r, unsigned lane,
                   const struct spot *s, uint32_t out[4]);

/* Of a fetch with gradients. */
float lod_of_gradients(const struct exec_texture *t,
                       const struct exec_texture_request *r, unsigned lane);

/* Where an anisotropic fetch looks: along (x, y), in texels of a level, with
 * as many probes as `ratio` says, in `level` and for `part` in the next one. */
struct probes {
    double x, y, ratio;
    unsigned level;
    float part;
};
/* Is it one? */
bool lod_is_anisotropic(const struct exec_texture *t,
                        const struct exec_texture_request *r);
void lod_find_probes(const struct exec_texture *t,
                     const struct exec_texture_request *r, unsigned lane,
                     struct probes *p);
/* Probe i of a level, from the first one on: how far from the middle, how much
 * of the sum. False: there is none. */
bool lod_place_probe(const struct probes *p, unsigned i, double *at,
                     double *share);

/* log2(1 + i / 256), as an H200 has it, for 256 i. */
const float *lod_logarithms(void);

/* As a float of 10 significant bits, which gradients are. */
double lod_cut_short(double v);

/* sampler_lanes.c: has the CPU what it takes to read for several lanes at once?
 * Can it read this texture in this form? */
bool sampler_has_lanes(void);
bool sampler_lanes_can_read(const struct exec_texture *t,
                            const struct texture_form *f);
/* For all lanes, which mean the same texture. False: nothing is done, what
 * filters add up is not finite. */
bool sampler_read_lanes(const struct exec_texture *t,
                        struct exec_texture_request *r);

/* Directions are no longer than this, or none. */
#define CUBE_FAR 0x1p126
/* Less than nothing is at least so much: it lies before a face's middle. */
#define CUBE_LEAST   0x1p-40
#define CUBE_NOTHING 0x1p-126
/* The three coordinates become the face and two coordinates on it. */
void cube_find_face(struct spot *s);
/* Texel (x, y) of slice z, at most one outside of the face: becomes that on
 * the face beside it. False: behind a corner, where there is none. */
bool cube_cross_edge(uint32_t size, int64_t at[3]);
/* The corner of a cube has three texels: they share what a fourth would have.
 * The face's own one, which lies across, gets what is left of a rounding. */
void cube_share_corner(int32_t weight[4], unsigned missing);
/* Gradients of a direction, three for x and three for y, as what they make of
 * the coordinates on its face: where the direction and its neighbours meet it,
 * as a texture unit sees four pixels. True: a neighbour meets another face. */
bool cube_turn_gradients(const double direction[3], const double from[6],
                         double to[4]);

#endif
