/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between a lane's coordinates and texels: sampler.c filters one level, lod.c
 * chooses levels, cube.c knows how the faces of a cube lie.
 */
#ifndef WEFT_EXEC_SAMPLER_H
#define WEFT_EXEC_SAMPLER_H

#include "abi/texture.h"

/* Weights have so many bits behind the binary point; halves of the last one go
 * up or down. */
#define WEIGHT_BITS 8
#define ONE         (1 << WEIGHT_BITS)
#define HALF_UP     (ONE / 2)
#define HALF_DOWN   (ONE / 2 - 1)
/* Coordinates beyond this are reduced before texels are counted. */
#define FAR 1048576.0

/* A place in a texture: the slice where its layer or cube begins, and
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

/* Samples a level, blended with `next_part` / 256 of the next level. */
void sample_between(const struct exec_texture *t, unsigned level,
                    uint32_t next_part, const struct spot *s, uint32_t out[4]);
void sample_levels(const struct exec_texture *t,
                   const struct exec_texture_request *r, unsigned lane,
                   const struct spot *s, uint32_t out[4]);

/* The level of detail of a fetch with gradients. */
float lod_of_gradients(const struct exec_texture *t,
                       const struct exec_texture_request *r, unsigned lane);

/* Where an anisotropic fetch looks: probes lie a step apart, `pairs` of them on
 * both sides of the middle with the weight `inner`, in 1 / 1024, and one at
 * each end with what is left; in `level` and for `part` in the next one. */
struct probes {
    double x, y; /* the step in `level`, in its texels */
    unsigned pairs, inner;
    unsigned level;
    float part;
};
/* lod_is_anisotropic: is the fetch one? lod_find_probes: where a lane of it
 * looks. */
bool lod_is_anisotropic(const struct exec_texture *t,
                        const struct exec_texture_request *r);
void lod_find_probes(const struct exec_texture *t,
                     const struct exec_texture_request *r, unsigned lane,
                     struct probes *p);
/* The step in the next level, in its texels, is so many of the other. */
#define PROBES_NEXT_STEP 0.5
/* Probe i of a level, from the first one on: *at steps from the middle, with
 * *share of the sum. False: there is none. */
bool lod_place_probe(const struct probes *p, unsigned i, double *at,
                     float *share);

/* A coordinate where the texture repeats, without whole repetitions: of one far
 * away, probes would lose their distance. Else the same. */
double lod_first_period(const struct exec_texture *t, unsigned dim, double at);

/* log2(1 + i / 256), as an H200 has it, for each i below 256. */
const float *lod_logarithms(void);

/* Cut off to 10 significant bits, as gradients have. */
double lod_cut_short(double v);

/* sampler_lanes.c. sampler_has_lanes: can the CPU read for eight lanes at
 * once? sampler_lanes_can_read: does it read this texture in this form so? */
bool sampler_has_lanes(void);
bool sampler_lanes_can_read(const struct exec_texture *t,
                            const struct texture_form *f);
/* Reads for all lanes, which mean the same texture. False: nothing is written,
 * as filters meet values that are not finite. */
bool sampler_read_lanes(const struct exec_texture *t,
                        struct exec_texture_request *r);

/* A direction with a component beyond this counts as none. */
#define CUBE_FAR 0x1p126
/* A coordinate left of a face's middle is at least so far left of it. */
#define CUBE_LEAST   0x1p-40
#define CUBE_NOTHING 0x1p-126
/* Replaces the three coordinates by the face and two coordinates on it. */
void cube_find_face(struct spot *s);
/* Moves texel (x, y) of slice z, which is at most one outside of its face, to
 * the adjacent face. False: it is behind a corner, where there is no texel. */
bool cube_cross_edge(uint32_t size, int64_t at[3]);
/* A cube's corner has three texels, which share the weight of the missing
 * fourth. The texel diagonally opposite on the face gets what a rounding
 * leaves over. */
void cube_share_corner(int32_t weight[4], unsigned missing);
/* Turns gradients of a direction (three for x, then three for y) into those of
 * the two coordinates on its face: a texture unit sees where the direction and
 * its neighbours meet the face. True: a neighbour meets another face. */
bool cube_turn_gradients(const double direction[3], const double from[6],
                         double to[4]);

#endif
