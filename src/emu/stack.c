/* SPDX-License-Identifier: Apache-2.0 */
/* alloca, stacksave, stackrestore: a frame owns its pieces of memory, in a list
 * with the newest first. */
#include "emu/internal.h"

#include <stdlib.h>

struct emu_piece {
    struct emu_piece *next;
    uint64_t number; /* 1 for the first */
    size_t size_bytes;
    uint8_t *memory;
};

static void drop_frame(struct emu_frame *frame)
{
    struct emu_piece *p = frame->pieces;

    frame->pieces = p->next;
    emu_local_free(p->memory, p->size_bytes + 1);
    free(p);
}

void emu_stack_fini(struct emu_frame *frame)
{
    while (frame->pieces)
        drop_frame(frame);
}

bool emu_stack_has(const struct emu_frame *frame, emu_bits address)
{
    for (const struct emu_piece *p = frame->pieces; p; p = p->next)
        if (address - (emu_bits)p->memory < p->size_bytes)
            return true;
    return false;
}

static uint64_t stack_height(const struct emu_frame *frame)
{
    return frame->pieces ? frame->pieces->number : 0;
}

static void allocate_stack(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_inst *in)
{
    const struct ptx_inst to_local = {.space = PTX_SPACE_local,
                                      .flags = PTX_FLAG_to};
    struct emu_piece *p = calloc(1, sizeof *p);

    if (p) {
        p->size_bytes = emu_truncate(
            in->type[0], emu_read(b, t, &in->operand[1], in->type[0]));
        p->memory = emu_local_alloc(p->size_bytes + 1);
    }
    if (!p || !p->memory) {
        free(p);
        b->launch->helpers->trap(b->w);
        return;
    }
    p->number = stack_height(t->frame) + 1;
    p->next = t->frame->pieces;
    t->frame->pieces = p;
    emu_write(t, &in->operand[0],
              emu_cvta(b, t, &to_local, (emu_bits)p->memory));
}

void emu_stack(struct emu_block *b, struct emu_thread *t,
               const struct ptx_inst *in)
{
    if (in->op == PTX_OP_alloca) {
        allocate_stack(b, t, in);
    } else if (in->op == PTX_OP_stacksave) {
        emu_write(t, &in->operand[0], stack_height(t->frame));
    } else {
        emu_bits to = emu_read(b, t, &in->operand[0], in->type[0]);
        while (stack_height(t->frame) > to)
            drop_frame(t->frame);
    }
}
