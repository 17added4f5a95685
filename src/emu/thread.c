/* SPDX-License-Identifier: Apache-2.0 */
/* One thread: the instructions that it executes by itself. */
#include "emu/check.h"

static void move_value(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_inst *in)
{
    const struct ptx_operand *to = &in->operand[0];

    if (in->type[0] == PTX_TYPE_b128) {
        emu_write_wide(t, to, emu_read_wide(b, t, &in->operand[1]));
        return;
    }
    const struct ptx_operand *from = &in->operand[1];
    emu_bits v = from->kind == PTX_OPERAND_var
                     ? emu_address_value(b, t, from)
                     : emu_read(b, t, from, in->type[0]);
    if (to->kind != PTX_OPERAND_vector) {
        emu_write(t, to, v);
        return;
    }
    unsigned bits = ptx_type_size(in->type[0]) * 8 / to->item_count;
    for (unsigned i = 0; i < to->item_count; i++)
        emu_write(t, &to->items[i], v >> (bits * i));
}

/* Copies a vector, 16 bytes in one access where both sides are aligned: on a
 * GPU other threads never see a part of them. */
static void copy_whole(uint8_t *to, const uint8_t *from, unsigned size_bytes)
{
    typedef uint64_t piece __attribute__((vector_size(16), may_alias));
    bool is_aligned = ((uintptr_t)to | (uintptr_t)from) % sizeof(piece) == 0;

    if (size_bytes == sizeof(piece) && is_aligned)
        *(volatile piece *)to = *(const volatile piece *)from;
    else
        memcpy(to, from, size_bytes);
}

static void load_memory(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in)
{
    const struct ptx_operand *to = &in->operand[0];
    uint8_t *p = emu_address(b, t, in, &in->operand[1]);
    unsigned size = ptx_type_size(in->type[0]);
    emu_bits v[8];

    if (in->type[0] == PTX_TYPE_b128) {
        emu_write_wide(t, to, emu_load_wide(p));
        return;
    }
    if (to->kind != PTX_OPERAND_vector) {
        emu_write(t, to, emu_load(in->type[0], p));
        return;
    }
    _Alignas(16) uint8_t whole[64];
    copy_whole(whole, p, to->item_count * size);
    for (unsigned i = 0; i < to->item_count; i++)
        v[i] = emu_load(in->type[0], whole + i * size);
    for (unsigned i = 0; i < to->item_count; i++)
        emu_write(t, &to->items[i], v[i]);
}

static void store_now(struct emu_block *b, struct emu_thread *t,
                      const struct ptx_inst *in)
{
    const struct ptx_operand *from = &in->operand[1];
    uint8_t *p = emu_address(b, t, in, &in->operand[0]);
    unsigned size = ptx_type_size(in->type[0]);

    if (in->type[0] == PTX_TYPE_b128) {
        emu_store_wide(p, emu_read_wide(b, t, from));
        return;
    }
    if (from->kind != PTX_OPERAND_vector) {
        emu_store(in->type[0], p, emu_read(b, t, from, in->type[0]));
        return;
    }
    _Alignas(16) uint8_t whole[64];
    emu_stored_bytes(b, t, in, whole);
    copy_whole(p, whole, from->item_count * size);
}

static void store_memory(struct emu_block *b, struct emu_thread *t,
                         const struct ptx_inst *in)
{
    if (in->flags & PTX_FLAG_async)
        emu_store_async(b, t, in);
    else
        store_now(b, t, in);
}

static void atomic_wide(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in, uint8_t *p)
{
    const struct ptx_operand *o = &in->operand[2];
    struct emu_wide x = emu_read_wide(b, t, o), y = {{0}};

    if (in->sub == PTX_SUB_cas)
        y = emu_read_wide(b, t, &o[1]);
    emu_write_wide(t, &in->operand[0], emu_atomic_wide(in, p, x, y));
}

/* Each element of a vector is updated atomically, the vector as a whole is
 * not. */
static void atomic_now(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_inst *in)
{
    unsigned first = in->op == PTX_OP_atom ? 1 : 0;
    const struct ptx_operand *o = &in->operand[first];
    uint8_t *p = emu_address(b, t, in, o);
    emu_bits x[8], y = 0, old[8];

    if (in->type[0] == PTX_TYPE_b128) {
        atomic_wide(b, t, in, p);
        return;
    }
    if (in->sub == PTX_SUB_cas)
        y = emu_read(b, t, &o[2], in->type[0]);
    unsigned count = ptx_vector_width(in);
    for (unsigned i = 0; i < count; i++)
        x[i] = emu_read(b, t, ptx_operand_item(&o[1], i), in->type[0]);
    for (unsigned i = 0; i < count; i++)
        old[i] = emu_atomic(in, p + i * ptx_type_size(in->type[0]), x[i], y);
    for (unsigned i = 0; i < count && first; i++)
        emu_write(t, ptx_operand_item(&in->operand[0], i), old[i]);
}

static void run_atomic(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_inst *in)
{
    if (in->flags & PTX_FLAG_async)
        emu_store_async(b, t, in);
    else
        atomic_now(b, t, in);
}

/* An instruction of emu_alu. first: the index of the first source. */
static void compute_values(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_inst *in, unsigned first)
{
    emu_bits a[6] = {0}, result = 0, result2 = 0;
    enum ptx_type type = in->type[in->type_count ? in->type_count - 1 : 0];

    for (unsigned i = first; i < in->operand_count && i - first < 6; i++) {
        const struct ptx_operand *o = &in->operand[i];
        if (in->op == PTX_OP_vmad && o->kind == PTX_OPERAND_reg)
            a[i - first] = t->frame->regs[o->reg]; /* -x: emu_video negates */
        else
            a[i - first] = emu_read(b, t, o, type);
    }
    emu_alu(in, a, &t->frame->carry, &result, &result2);
    emu_write(t, &in->operand[0], result);
    if (first > 1)
        emu_write(t, &in->operand[1], result2);
}

static void branch_indexed(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_inst *in)
{
    emu_bits i = (uint32_t)emu_read(b, t, &in->operand[0], PTX_TYPE_u32);

    if (i >= in->target_count)
        b->launch->helpers->trap(b->w);
    else
        t->frame->pc = t->frame->func->labels[in->targets[i]].inst;
}

static void branch_to_label(struct emu_block *b, struct emu_thread *t,
                            const struct ptx_inst *in)
{
    (void)b;
    t->frame->pc = t->frame->func->labels[in->operand[0].label].inst;
}

static void return_to_caller(struct emu_block *b, struct emu_thread *t,
                             const struct ptx_inst *in)
{
    (void)in;
    emu_pop(b, t);
}

static void exit_thread(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in)
{
    (void)in;
    while (t->frame)
        emu_pop(b, t);
}

/* trap; and brkpt, as there is no debugger to continue from it. */
static void trap_kernel(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in)
{
    (void)t, (void)in;
    b->launch->helpers->trap(b->w);
}

static void convert_address(struct emu_block *b, struct emu_thread *t,
                            const struct ptx_inst *in)
{
    emu_bits v = emu_read(b, t, &in->operand[1], in->type[0]);
    emu_write(t, &in->operand[0], emu_cvta(b, t, in, v));
}

static void is_in_space(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in)
{
    emu_bits v = emu_read(b, t, &in->operand[1], PTX_TYPE_u64);
    emu_write(t, &in->operand[0], emu_isspacep(b, t, in, v));
}

static void map_address(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in)
{
    emu_bits v = emu_read(b, t, &in->operand[1], in->type[0]);
    emu_bits rank = emu_read(b, t, &in->operand[2], PTX_TYPE_u32);
    emu_write(t, &in->operand[0], emu_mapa(b, in, v, (uint32_t)rank));
}

static void find_rank(struct emu_block *b, struct emu_thread *t,
                      const struct ptx_inst *in)
{
    emu_bits v = emu_read(b, t, &in->operand[1], in->type[0]);
    emu_write(t, &in->operand[0], emu_getctarank(b, in, v));
}

/* createpolicy: a policy is a hint for caches, so any value will do. */
static void make_policy(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in)
{
    (void)b;
    emu_write(t, &in->operand[0], 0);
}

static void arrive_at_cluster(struct emu_block *b, struct emu_thread *t,
                              const struct ptx_inst *in)
{
    (void)in;
    t->cluster_arrivals = b->cluster_arrivals + 1;
}

static void fence_memory(struct emu_block *b, struct emu_thread *t,
                         const struct ptx_inst *in)
{
    (void)b, (void)t, (void)in;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Hints; and griddepcontrol, since the kernels of a stream run one by one. */
static void do_nothing(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_inst *in)
{
    (void)b, (void)t, (void)in;
}

const struct emu_op emu_ops[PTX_OP_COUNT] = {
#define EMU_VALUES(op, how)  [PTX_OP_##op] = {EMU_##how, NULL},
#define EMU_THREAD(op, run)  [PTX_OP_##op] = {EMU_THREAD, run},
#define EMU_COLLECTIVE(op, how) [PTX_OP_##op] = {EMU_##how, arrive_at_cluster},
#include "emu/ops.def"
};

static void finish_if_at_end(struct emu_block *b, struct emu_thread *t)
{
    while (t->frame && t->frame->pc >= t->frame->func->inst_count)
        emu_pop(b, t);
}

/* An access that is not made gives zeros. If threads may wait for it, as nobody
 * tells their mbarrier, the kernel ends. */
static void skip_access(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in, unsigned dest_count)
{
    bool is_told = in->op == PTX_OP_cp ? in->flags & PTX_FLAG_bulk &&
                                             !(in->flags & PTX_FLAG_bulk_group)
                                       : in->flags & PTX_FLAG_async;

    if (is_told)
        b->launch->helpers->checked(b->w);
    for (unsigned i = 0; i < dest_count; i++)
        for (unsigned k = 0; k < ptx_operand_item_count(&in->operand[i]); k++)
            emu_write(t, ptx_operand_item(&in->operand[i], k), 0);
}

void emu_step(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in, const struct emu_fact *fact)
{
    b->w->thread_current = (uint32_t)(t - b->threads) + 1;
    b->w->line_current = in->line;
    t->frame->pc++;
    if (!emu_guard(t, in)) {
        finish_if_at_end(b, t);
        return;
    }
    if (emu_checks_wanted & EMU_CHECK_BARRIERS)
        emu_note_work(t, in);
    bool may = !fact->has_addresses || emu_test_alignment(b, t, in);
    if (emu_checks_wanted && fact->has_reach)
        may = may && emu_may_access(b, t, in);
    if (!may)
        skip_access(b, t, in, fact->dest_count);
    else if (emu_ops[in->op].run)
        emu_ops[in->op].run(b, t, in);
    else
        compute_values(b, t, in, fact->dest_count);
    if (!fact->falls_through)
        finish_if_at_end(b, t);
}
