/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four neighbouring words for each lane, at any addresses: one access of 16
 * bytes for each lane, and a transposition of 4 by 4 words. Gathering each
 * word would take four times as many accesses, and a scatter is one of a
 * processor's slowest instructions. Addresses need no alignment: see
 * simt/plan/merged.c.
 */
#include "emit/core/address.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

enum { QUADS = 4, PART = 16 }; /* vectors of 16 words, four quads in each */

/* Word j of quad q in vector i comes from word i of quad q in vector j. */
static void transpose_rows(struct emit *e, LLVMValueRef *v)
{
    static const int low[] = {0, 16, 1, 17}, high[] = {2, 18, 3, 19};
    static const int left[] = {0, 1, 16, 17}, right[] = {2, 3, 18, 19};
    int index[4][PART];
    LLVMValueRef t[4];

    assert(e->lanes % PART == 0);
    for (int i = 0; i < PART; i++) {
        int quad = i / 4 * 4;
        index[0][i] = low[i % 4] + quad;
        index[1][i] = high[i % 4] + quad;
        index[2][i] = left[i % 4] + quad;
        index[3][i] = right[i % 4] + quad;
    }
    for (int i = 0; i < 4; i++)
        t[i] =
            ir_shuffle(e, v[i / 2 * 2], v[i / 2 * 2 + 1], index[i % 2], PART);
    for (int i = 0; i < 4; i++)
        v[i] = ir_shuffle(e, t[i / 2], t[i / 2 + 2], index[2 + i % 2], PART);
}

/* Pointers of active lanes; the others point to memory where they may read and
 * write. */
static LLVMValueRef only_active(struct emit *e, LLVMValueRef pointers)
{
    LLVMTypeRef quad = LLVMVectorType(e->i32, QUADS);

    if (!e->f->at.mask)
        return pointers;
    LLVMValueRef nowhere = emit_alloca(e, quad, 16, "nowhere");
    return ir_select(e, e->f->at.mask, pointers,
                     ir_splat(e, nowhere, e->lanes));
}

/* Scalars, if the shape says what they are and all lanes are active; otherwise
 * through memory, as taking a vector apart in registers costs more. (Volatile,
 * or LLVM would do just that.) */
void emit_lane_pointers(struct emit *e, const struct ptx_operand *address,
                        enum ptx_space space, struct simt_shape shape,
                        LLVMValueRef *out)
{
    LLVMValueRef memory = NULL;

    assert(e->lanes <= EMIT_MAX_LANES);
    if (simt_is_varying(shape) || e->f->at.mask) {
        LLVMValueRef v = emit_pointer(e, address, space, EMIT_ALL_LANES, 0);
        memory = emit_spill(e, only_active(e, v));
    }
    for (unsigned i = 0; i < e->lanes; i++) {
        if (!memory) {
            out[i] = emit_pointer(e, address, space, (int)i, 0);
            continue;
        }
        LLVMValueRef lane = LLVMConstInt(e->i32, i, 0);
        out[i] = emit_spilled_lane(e, memory, e->ptr, lane);
        LLVMSetVolatile(out[i], 1);
    }
}

void emit_load_transposed(struct emit *e, const LLVMValueRef *pointers,
                          LLVMTypeRef element, enum ptx_space space,
                          LLVMValueRef *out)
{
    LLVMTypeRef quad = LLVMVectorType(element, 4);
    LLVMValueRef v[4][EMIT_MAX_LANES / PART];

    for (unsigned part = 0; part < e->lanes / PART; part++) {
        LLVMValueRef rows[4];
        for (unsigned i = 0; i < 4; i++) {
            LLVMValueRef parts[QUADS];
            for (unsigned q = 0; q < QUADS; q++) {
                unsigned lane = part * PART + 4 * q + i;
                parts[q] = ir_load(e, quad, pointers[lane], 1);
                emit_set_alias(e, parts[q], space);
            }
            rows[i] = ir_concat(e, parts, QUADS);
        }
        transpose_rows(e, rows);
        for (unsigned i = 0; i < 4; i++)
            v[i][part] = rows[i];
    }
    for (unsigned i = 0; i < 4; i++)
        out[i] = ir_concat(e, v[i], e->lanes / PART);
}

void emit_store_transposed(struct emit *e, const LLVMValueRef *pointers,
                           enum ptx_space space, const LLVMValueRef *in)
{
    for (unsigned part = 0; part < e->lanes / PART; part++) {
        LLVMValueRef rows[4];
        for (unsigned i = 0; i < 4; i++)
            rows[i] = ir_slice(e, in[i], part * PART, PART);
        transpose_rows(e, rows);
        for (unsigned i = 0; i < PART; i++) {
            LLVMValueRef v = ir_slice(e, rows[i % 4], i / 4 * 4, 4);
            LLVMValueRef p = pointers[part * PART + i];
            emit_set_alias(e, ir_store(e, v, p, 1), space);
        }
    }
}
