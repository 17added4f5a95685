/* SPDX-License-Identifier: Apache-2.0 */
/* Notes about decisions. */
#include "simt/plan/internal.h"

void plan_note(struct simt_plan *p, struct simt_note note)
{
    assert(note.reason == SIMT_TAKEN || note.of == SIMT_OF_KERNEL ||
           note.at < p->k->func->inst_count);
    assert(note.of != SIMT_OF_BLOCK || note.at < p->k->block_count);
    if (p->note_count == p->note_capacity) {
        struct simt_note *old = p->notes;
        p->note_capacity = p->note_capacity ? 2 * p->note_capacity : 16;
        p->notes = arena_array(p->k->arena, struct simt_note, p->note_capacity);
        if (old)
            memcpy(p->notes, old, p->note_count * sizeof *old);
    }
    p->notes[p->note_count++] = note;
}

unsigned plan_bytes_of(const struct ptx_inst *in)
{
    return ptx_type_size(in->type[0]) * ptx_vector_width(in);
}
