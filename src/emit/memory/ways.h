/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One ld or st of all lanes, and the ways in which it can be done:
 * load_store.c chooses one of ways.c. All of them act on the active lanes
 * (e->f->at.mask); other lanes of a load get anything.
 */
#ifndef WEFT_EMIT_ACCESS_H
#define WEFT_EMIT_ACCESS_H

#include "emit/core/state.h"
#include "emit/memory/memory.h"

#define MAX_VECTOR 16 /* see simt/plan/merged.c */

struct access {
    const struct ptx_inst *inst;
    const struct ptx_operand *address;
    struct simt_access of;
    const struct simt_access_plan *plan;
    LLVMTypeRef element;
    bool is_nontemporal; /* non-temporal: see nontemporal.c */
    struct emit_row row; /* for load_row and store_row */
};

/* A vector of all lanes for each component. */
struct lanes {
    LLVMValueRef v[MAX_VECTOR];
};

/* ---- one place --------------------------------------------------------- */

/* One element, or a vector of neighbours, with the access's space and
 * semantics. */
LLVMValueRef emit_access_load_at(struct emit *e, const struct access *a,
                                 LLVMTypeRef type, LLVMValueRef pointer);
void emit_access_store_at(struct emit *e, const struct access *a,
                          LLVMValueRef v, LLVMValueRef pointer);
/* For so many lanes side by side; mask NULL: all of them. */
LLVMValueRef emit_access_load_part(struct emit *e, const struct access *a,
                                   LLVMValueRef pointer, LLVMValueRef mask,
                                   unsigned lanes);
void emit_access_store_part(struct emit *e, const struct access *a,
                            LLVMValueRef v, LLVMValueRef pointer,
                            LLVMValueRef mask);
/* Each active lane at its own address; gathers are of 4 or 8 bytes. */
LLVMValueRef emit_access_gather(struct emit *e, const struct access *a,
                                LLVMTypeRef element, LLVMValueRef pointers);
void emit_access_scatter(struct emit *e, const struct access *a,
                         LLVMValueRef pointers, LLVMValueRef v);
/* The pointer to component i in one lane; EMIT_ALL_LANES: a vector of
 * pointers. */
LLVMValueRef emit_access_pointer(struct emit *e, const struct access *a,
                                 int lane, unsigned i);
/* All components of one lane in one access: as a vector. */
LLVMTypeRef emit_access_whole_type(struct access const *a);
LLVMValueRef emit_access_load_whole_at(struct emit *e, const struct access *a,
                                       LLVMValueRef pointer);
void emit_access_store_whole_at(struct emit *e, const struct access *a,
                                LLVMValueRef v, LLVMValueRef pointer);
LLVMValueRef emit_insert_component(struct emit *e, LLVMValueRef v,
                                   LLVMValueRef x, unsigned i);
/* ---- ways for all lanes ------------------------------------------------ */

/* Sixteen bytes for each lane, at any address. */
void emit_access_load_transposed(struct emit *e, const struct access *a,
                                 struct lanes *out);
void emit_access_store_transposed(struct emit *e, const struct access *a,
                                  struct lanes *in);
/* Gather, scatter, or one lane after the other. */
void emit_access_load_any(struct emit *e, const struct access *a,
                          struct lanes *out);
void emit_access_store_any(struct emit *e, const struct access *a,
                           struct lanes *in);
/* Number of lanes in which an affine address is one group. */
unsigned emit_group_lanes(struct emit *e, struct simt_shape s);
/* Component i, where a group reads one address. */
LLVMValueRef emit_access_load_group_scalar(struct emit *e,
                                           const struct access *a,
                                           unsigned group, unsigned i);
void emit_access_load_affine(struct emit *e, const struct access *a,
                             struct lanes *out);
void emit_access_store_affine(struct emit *e, const struct access *a,
                              struct lanes *in);
/* In lockstep, for all lanes: at equal distances, which the code tests; else
 * the function is left. spaced.c. */
void emit_load_spaced(struct emit *e, const struct access *a,
                      struct lanes *out);
/* A few elements apart, whichever lanes are active. */
void emit_access_load_strided(struct emit *e, const struct access *a,
                              struct lanes *out);
void emit_access_store_strided(struct emit *e, const struct access *a,
                               struct lanes *in);

#endif
