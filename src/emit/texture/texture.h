/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures. call.c asks a helper, for any texture and form. fetch.c makes code
 * that reads the usual ones, from taps.c (which texels, and their weights) and
 * texels.c (what they hold, and what filters make of it). rows.c is a short
 * way for nearest texels in row order.
 */
#ifndef WEFT_EMIT_TEXTURE_H
#define WEFT_EMIT_TEXTURE_H

#include "abi/texture.h"
#include "emit/core/ir.h"
#include "emit/core/state.h"

/* For all active lanes, by the helper. */
void emit_texture_call(struct emit *e, const struct ptx_inst *inst,
                       const struct texture_form *form, LLVMValueRef value[4]);
/* tex as code in the kernel, with a call for other textures. False: nothing is
 * done, as the form is another. */
bool emit_texture_fetch(struct emit *e, const struct ptx_inst *inst,
                        const struct texture_form *form);

/* suld.b and sust.b likewise. */
bool emit_surface(struct emit *e, const struct ptx_inst *inst,
                  const struct texture_form *form);
/* Do all lanes use the same object? */
bool emit_texture_is_uniform(struct emit *e, const struct ptx_operand *where);
/* That object; branches to `call` if no lane is active, or there is none. */
LLVMValueRef emit_texture_object(struct emit *e,
                                 const struct ptx_operand *where,
                                 LLVMBasicBlockRef call);

/* Coordinates and channels of a warp, one vector behind the other. */
#define VECTOR_BYTES (4 * TEXTURE_LANES)

/* ---- taps.c ------------------------------------------------------------- */

/* What code is being made for; the descriptor has been compared with it. */
struct emit_sample {
    LLVMValueRef texture;   /* struct exec_texture * */
    LLVMValueRef level;     /* the struct texture_level * to read */
    /* for all lanes: floats, or integers for elements */
    LLVMValueRef at[3];
    LLVMValueRef layer;     /* the same in integers; NULL: no layers */
    LLVMBasicBlockRef call; /* for warps with unusual coordinates or texels */
    LLVMValueRef out[4];    /* allocas of a vector for each channel */
    enum texture_path kind;
    LLVMTypeRef element;    /* type of a result: f32 or i32 */
    LLVMValueRef offset[3]; /* texels to add: vectors of i32; may be NULL */
    /* For a gather: 1 + the component to read of four texels. 0: a fetch. */
    unsigned component;
    unsigned dims, channels;
    bool is_linear;
    bool is_level; /* one of several levels: other lanes' results stay */
    /* Weight of the level in all lanes, as floats in memory, at most 256; what
     * is read is added to `out`, or to sums behind it (sums.c). NULL: the
     * level is all there is. */
    LLVMValueRef whole;
};

/* Are texels turned into what filters add up? */
static inline bool emit_is_summed(const struct emit_sample *s)
{
    return (s->is_linear && !s->component) || s->whole;
}

/* The texels that a fetch reads: one, or two along each axis; byte offsets
 * from the texture's data, by the bits of x, y and z. For a slice of lanes, as
 * many as a register of the CPU holds, one slice after the other, since a
 * filter's values for all lanes at once do not fit the registers. */
struct emit_taps {
    unsigned count;
    unsigned first, lanes;  /* of the slice */
    LLVMValueRef offset[8]; /* vectors of i32; NULL: side by side */
    LLVMValueRef row[8];    /* i32: the first lane's, if side by side */
    LLVMValueRef part[3];   /* weight of the second, in 1 / 256: floats */
    LLVMValueRef beyond[8]; /* in the border: masks; NULL: none */
    /* Each second tap along x lies behind the first, which has an offset:
     * emit_reads_pairs. */
    bool are_pairs;
};

/* Makes code for the taps of all lanes, and for what emit_read_taps makes of
 * them: twice, for texels side by side and for others. Goes on behind both. */
void emit_find_taps(struct emit *e, const struct emit_sample *s);
/* A field of the descriptor, which no kernel changes. */
static inline LLVMValueRef emit_texture_field(struct emit *e,
                                              LLVMValueRef texture,
                                              size_t offset, LLVMTypeRef type)
{
    LLVMValueRef v =
        ir_load(e, type, ir_offset(e, texture, (int64_t)offset), 4);
    LLVMSetMetadata(v, e->md_invariant, e->md_empty);
    return v;
}
/* Are texels of this kind narrower than words, and read as floats? */
static inline bool emit_texels_are_narrow(enum texture_path kind)
{
    return kind >= TEXTURE_PATH_HALVES;
}
#define TEXTURE_FIELD(e, texture, name, type)                                  \
    emit_texture_field((e), (texture), offsetof(struct exec_texture, name),    \
                       (type))
/* A field of the level to read. */
#define LEVEL_FIELD(e, s, name, type)                                          \
    emit_texture_field((e), (s)->level, offsetof(struct texture_level, name),  \
                       (type))

/* ---- sampler.c ---------------------------------------------------------- */

/*
 * Code that reads s->level of s->texture, whose path is given, for the lanes
 * of `active` (i32). Results are stored at `out`, a vector for each channel.
 * i1; false: the helper has to be asked.
 */
LLVMValueRef emit_sample_level(struct emit *e, const struct emit_sample *s,
                               LLVMValueRef path, LLVMValueRef at,
                               LLVMValueRef out, LLVMValueRef active);
/* Stores coordinates and layers in memory; and loads them. */
LLVMValueRef emit_store_coordinates(struct emit *e,
                                    const struct emit_sample *s);
void emit_load_coordinates(struct emit *e, LLVMValueRef at,
                           struct emit_sample *s);
/* A function of this kind for such fetches; *is_new: it has no code yet. */
LLVMValueRef emit_texture_function(struct emit *e, const char *kind,
                                   const struct emit_sample *as, bool is_masked,
                                   LLVMTypeRef type, bool *is_new);
/* Moves to its code, with e->f as that function's. */
void emit_begin_texture_function(struct emit *e, LLVMValueRef fn);
/* Ends the block with a return of true or false. */
void emit_texture_return(struct emit *e, LLVMBasicBlockRef block, bool value);

/* ---- levels.c ----------------------------------------------------------- */

/* The same for lanes that each have a level of detail, a float at `lod`. */
LLVMValueRef emit_sample_levels(struct emit *e, const struct emit_sample *s,
                                LLVMValueRef path, LLVMValueRef at,
                                LLVMValueRef out, LLVMValueRef active,
                                LLVMValueRef lod);

/* ---- gradients.c -------------------------------------------------------- */

/* The levels of detail of gradients (vectors of floats, `dims` along x, then
 * along y; of a cube 3, and the direction behind them), stored at `lod`, for
 * the lanes of `active` (i32). i1: false, the helper is to be asked. */
LLVMValueRef emit_lod_of_gradients(struct emit *e, LLVMValueRef texture,
                                   unsigned dims, bool is_cube,
                                   const LLVMValueRef *gradient,
                                   LLVMValueRef lod, LLVMValueRef active);

/* ---- faces.c ------------------------------------------------------------ */

/* Turns three coordinates into a face of a cube, which is a layer, and two
 * coordinates on it; s->layer is the cube, or NULL. */
void emit_find_faces(struct emit *e, struct emit_sample *s);

/* Gradients of directions, three for x and three for y, become two for each
 * on the direction's face. Masks: lanes that have a neighbour on a face beside;
 * for which the helper is to be asked. */
void emit_turn_gradients(struct emit *e, const LLVMValueRef from[3],
                         LLVMValueRef along[2][3], LLVMValueRef *is_across,
                         LLVMValueRef *is_odd);

/* ---- texels.c ----------------------------------------------------------- */

/* Does a gather of two words read two taps? */
bool emit_reads_pairs(const struct emit_sample *s);
/* Reads the taps, filters them, and stores each channel at s->out. */
void emit_read_taps(struct emit *e, const struct emit_sample *s,
                    const struct emit_taps *t);

/* Sums of bytes times weights as fractions. */
LLVMValueRef emit_finish_units(struct emit *e, LLVMValueRef sum);

/* A word of this type, a vector of e->lanes, from each pointer of `mask`; 0 for
 * other lanes. */
LLVMValueRef emit_gather_at(struct emit *e, LLVMValueRef pointers,
                            LLVMValueRef mask, LLVMTypeRef type);
/* One word for each lane; offsets are bytes, aligned. */
LLVMValueRef emit_gather_words(struct emit *e, LLVMValueRef base,
                               LLVMValueRef offsets, LLVMTypeRef element);

/* ---- narrow.c ----------------------------------------------------------- */

/* Texels of 8 or 16 bits a channel: as results, or in the form that filters
 * take, as floats; fractions as whole numbers, colors as words: see
 * emit_aligned_sum. */
void emit_load_narrow(struct emit *e, const struct emit_sample *s,
                      LLVMValueRef offset, LLVMValueRef channel[4]);
/* Channel c alone, for a gather: of halves and fractions. */
LLVMValueRef emit_load_narrow_component(struct emit *e,
                                        const struct emit_sample *s,
                                        LLVMValueRef offset, unsigned c);
/* Does a filter align what it adds? */
bool emit_is_aligned(const struct emit_sample *s, unsigned c);
/* The result from what was added up, or from a single texel. */
LLVMValueRef emit_finish_narrow(struct emit *e, const struct emit_sample *s,
                                unsigned c, LLVMValueRef v);

/* ---- sums.c ------------------------------------------------------------- */

/* The result from `count` texels of an aligned channel. Branches to s->call
 * for what is not finite. */
LLVMValueRef emit_aligned_sum(struct emit *e, const struct emit_sample *s,
                              unsigned count, const LLVMValueRef *weight,
                              LLVMValueRef *v);
/* Are these at most four floats of one level? Their sum is emit_sum_floats',
 * with weights in 1 / 256; it branches to s->call, too. */
bool emit_sums_floats(const struct emit_sample *s, const struct emit_taps *t);
LLVMValueRef emit_sum_floats(struct emit *e, const struct emit_sample *s,
                             unsigned count, const LLVMValueRef *weight,
                             LLVMValueRef *v);
/* Memory for s->whole: the level's weight, then the sums so far, which are
 * empty. */
LLVMValueRef emit_make_sums(struct emit *e);
/* Adds the taps to the channel's sum in s->whole; lanes of is_single (may be
 * NULL) have no other texel. */
void emit_add_aligned(struct emit *e, const struct emit_sample *s,
                      const struct emit_taps *t, unsigned c,
                      const LLVMValueRef *weight, LLVMValueRef *v,
                      LLVMValueRef is_single);
/* The result from the sums of all lanes, or the single texel. */
LLVMValueRef emit_finish_aligned(struct emit *e, const struct emit_sample *s,
                                 unsigned c, LLVMValueRef single);

/* ---- rows.c ------------------------------------------------------------- */

/* Code for nearest texels side by side, for a texture of this kind at these
 * coordinates; branches to `done`, and goes on for any other fetch. */
void emit_read_row(struct emit *e, struct emit_sample *s,
                   const struct ptx_operand *const at[2],
                   enum texture_path kind, LLVMBasicBlockRef done);

/* ---- elements.c --------------------------------------------------------- */

/* The same for linear memory: words by the element's number; 0 outside. */
void emit_read_elements(struct emit *e, const struct emit_sample *s);

#endif
