/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a load or store accesses memory for the lanes. The shape of its address
 * says so: one place for all, neighbours, elements at a stride, or anything.
 * What looks like a gather may turn out at run time to be neighbours
 * (speculative), may have sixteen bytes for each lane, which are read as they
 * are and transposed, or may be stores of active lanes side by side
 * (compressed).
 */
#include "simt/plan/internal.h"

enum {
    ELEMENTS_MAX = 128, /* of several vector accesses with their shuffles */
    STEP_MAX = 4,       /* largest stride in elements, for these */
    PART_BYTES = 16,
    SPACED_LANES_MIN = 8,
};

static unsigned lanes_of(const struct simt_kernel *k, struct simt_shape s)
{
    assert(!simt_is_varying(s));
    return s.group && s.group < k->spec.lane_count ? s.group
                                                   : k->spec.lane_count;
}

static bool is_far(const struct simt_access *a)
{
    return a->space == PTX_SPACE_global || a->space == PTX_SPACE_generic;
}

static bool is_neighbouring(const struct simt_access *a)
{
    assert(a->size > 0);
    int64_t stride = a->shape.stride;
    return a->count == 1 && (stride == a->size || stride == -(int64_t)a->size);
}

bool simt_is_in_words(const struct simt_access *a)
{
    int64_t stride = a->shape.stride;
    unsigned bytes = a->size * a->count;

    return is_far(a) && a->size < 4 &&
           (stride == 2 || stride == 4 || stride == 8) && bytes <= stride &&
           (bytes & (bytes - 1)) == 0 && !a->is_volatile &&
           (bytes < stride || a->count > 1);
}

unsigned simt_wide_step(const struct simt_kernel *k,
                        const struct simt_access *a)
{
    int64_t stride = a->shape.stride;

    assert(a->size > 0);
    if (stride <= 0 || stride % a->size != 0 || a->is_volatile)
        return 0;
    uint64_t step = (uint64_t)stride / a->size;
    if (step < 2 || step > STEP_MAX || step < a->count ||
        step * lanes_of(k, a->shape) > ELEMENTS_MAX)
        return 0;
    return (unsigned)step;
}

/* With a mask for each element, whichever lanes are active. */
static bool is_masked_strided(const struct simt_plan *p,
                              const struct simt_access *a)
{
    int64_t stride = a->shape.stride;

    return stride >= 2 * (int64_t)a->size && stride <= STEP_MAX * a->size &&
           stride % a->size == 0 && !a->is_volatile && !a->is_own &&
           p->machine->is_x86 && p->machine->has_avx512 && a->size <= 8 &&
           lanes_of(p->k, a->shape) >= SPACED_LANES_MIN &&
           a->count <= (unsigned)(stride / a->size);
}

static bool is_power_of_2(unsigned n)
{
    assert(n > 0);
    return (n & (n - 1)) == 0;
}

static enum simt_way load_way(const struct simt_plan *p,
                              const struct simt_access *a)
{
    if (simt_is_varying(a->shape) || p->k->spec.lane_count == 1 || a->is_whole)
        return SIMT_WAY_EACH;
    if (a->shape.stride == 0 || simt_is_in_words(a) || is_neighbouring(a))
        return SIMT_WAY_VECTOR;
    return simt_wide_step(p->k, a) ? SIMT_WAY_IF_FULL : SIMT_WAY_EACH;
}

static enum simt_way store_way(const struct simt_plan *p,
                               const struct simt_access *a)
{
    int64_t stride = a->shape.stride;

    if (simt_is_varying(a->shape) || p->k->spec.lane_count == 1 ||
        stride == 0 || a->is_whole)
        return SIMT_WAY_EACH;
    if (is_neighbouring(a))
        return SIMT_WAY_VECTOR;
    if (stride != (int64_t)a->size * a->count || a->is_volatile ||
        a->count * lanes_of(p->k, a->shape) > ELEMENTS_MAX ||
        !is_power_of_2(a->count) || (a->count > 4 && a->size < 4))
        return is_masked_strided(p, a) ? SIMT_WAY_MASKED_STRIDED
                                       : SIMT_WAY_EACH;
    return SIMT_WAY_IF_FULL;
}

static enum simt_way way_of(const struct simt_plan *p,
                            const struct simt_access *a, bool is_load)
{
    assert(a->count >= 1 && a->size >= 1);
    return is_load ? load_way(p, a) : store_way(p, a);
}

/* ---- what the instruction asks for -------------------------------------- */

/* Parameters of calls and of device functions: each lane has a copy. */
static bool is_call_param(const struct simt_kernel *k, enum ptx_space space,
                          const struct ptx_var *var)
{
    return space == PTX_SPACE_param && var &&
           !ptx_is_kernel_param(k->func, var);
}

static struct simt_access access_of(const struct simt_kernel *k, uint32_t i,
                                    const struct ptx_inst *inst)
{
    assert(i < k->func->inst_count);
    bool is_load = inst->op != PTX_OP_st;
    const struct ptx_operand *address = &inst->operand[is_load];
    enum ptx_space space = ptx_space_of(address, inst->space);
    bool is_param = is_call_param(k, space, address->var);
    bool has_name = address->reg == PTX_NO_REG && address->var;
    struct simt_access a = {
        .space = space,
        .type = inst->type[inst->type_count - 1],
        .count = ptx_operand_item_count(&inst->operand[!is_load]),
        .is_volatile = inst->sem != PTX_SEM_none && inst->sem != PTX_SEM_weak,
        .is_invariant =
            space == PTX_SPACE_const ||
            (is_load && space == PTX_SPACE_param && address->var && !is_param),
        .is_nc = space == PTX_SPACE_global &&
                 ((inst->flags & PTX_FLAG_nc) || inst->op == PTX_OP_ldu),
        .is_own = has_name && (is_param || space == PTX_SPACE_local),
        .shape = k->address[i],
    };

    a.size = ptx_type_size(a.type);
    a.is_whole = a.count > 1 && a.count * a.size <= PART_BYTES &&
                 (a.is_volatile || (inst->flags & PTX_FLAG_fresh)) &&
                 is_far(&a);
    if (is_param)
        a.shape = (struct simt_shape){.group = SIMT_ALL_LANES,
                                      .stride = simt_local_pitch(address->var)};
    return a;
}

/* ---- speculation, and lanes that pack their stores ----------------------- */

/* May the lanes' addresses turn out to be one row, or one place? */
static bool may_be_row(const struct simt_kernel *k, uint32_t i,
                       const struct simt_access *a)
{
    struct simt_shape optimistic = k->optimistic_address[i];

    return a->count == 1 && !a->is_volatile && !a->is_own &&
           simt_is_varying(a->shape) && !simt_is_varying(optimistic) &&
           (optimistic.stride == (int64_t)a->size || optimistic.stride == 0);
}

/* The way to access memory if the speculation holds. */
static enum simt_way speculative_way(const struct simt_plan *p, uint32_t i,
                                     const struct simt_access *a, bool is_load)
{
    struct simt_access optimistic = *a;

    optimistic.shape = p->k->optimistic_address[i];
    if (a->is_volatile || a->is_own || !simt_is_varying(a->shape) ||
        simt_is_varying(optimistic.shape) || may_be_row(p->k, i, a))
        return SIMT_WAY_EACH;
    enum simt_way way = way_of(p, &optimistic, is_load);
    return way == SIMT_WAY_VECTOR || way == SIMT_WAY_IF_FULL ? way
                                                             : SIMT_WAY_EACH;
}

/* ---- the notes ----------------------------------------------------------- */

static enum simt_reason why_each(const struct simt_access *a)
{
    if (a->is_whole)
        return SIMT_REASON_IN_ONE_PIECE;
    if (simt_is_varying(a->shape))
        return SIMT_REASON_ADDRESS_VARIES;
    if (a->is_volatile && a->shape.stride != (int64_t)a->size)
        return SIMT_REASON_ORDERED_ELEMENTS;
    return SIMT_REASON_FAR_APART;
}

static enum simt_decision decision_of(const struct simt_access *a,
                                      const struct simt_access_plan *plan)
{
    assert(a->count >= 1);
    if (simt_is_uniform(a->shape))
        return SIMT_DECIDED_ONE_PLACE;
    if (plan->way == SIMT_WAY_MASKED_STRIDED)
        return SIMT_DECIDED_MASKED_STRIDED;
    if (plan->way == SIMT_WAY_IF_FULL)
        return SIMT_DECIDED_STRIDED;
    if (plan->way == SIMT_WAY_VECTOR)
        return simt_is_in_words(a) ? SIMT_DECIDED_IN_WORDS
                                   : SIMT_DECIDED_VECTOR;
    if (plan->speculative_way != SIMT_WAY_EACH || plan->may_be_row)
        return SIMT_DECIDED_SPECULATIVE;
    if (plan->is_transposed)
        return SIMT_DECIDED_TRANSPOSED;
    return plan->may_compress ? SIMT_DECIDED_COMPRESSED : SIMT_DECIDED_VECTOR;
}

static void note_access(struct simt_plan *p, uint32_t i,
                        const struct simt_access_plan *plan)
{
    const struct simt_access *a = &plan->access;
    enum simt_decision d = decision_of(a, plan);
    bool is_each = d == SIMT_DECIDED_VECTOR && plan->way == SIMT_WAY_EACH;

    if (d == SIMT_DECIDED_ONE_PLACE && a->space == PTX_SPACE_param)
        return; /* too many of these for a note each */
    plan_note(p,
              (struct simt_note){.of = SIMT_OF_INST,
                                 .at = i,
                                 .decision = d,
                                 .reason = is_each ? why_each(a) : SIMT_TAKEN,
                                 .number = a->shape.stride});
    if (!is_each && a->shape.is_conditional)
        plan_note(p, (struct simt_note){.of = SIMT_OF_INST,
                                        .at = i,
                                        .decision = SIMT_DECIDED_OVERFLOW});
}

static void plan_access(struct simt_plan *p, uint32_t i)
{
    const struct simt_kernel *k = p->k;
    const struct ptx_inst *inst = p->code[i];
    bool is_load = inst->op != PTX_OP_st;
    struct simt_access_plan *plan = &p->insts[i].access;

    assert(p->code[i]);
    plan->access = access_of(k, i, inst);
    const struct simt_access *a = &plan->access;
    plan->way = way_of(p, a, is_load);
    plan->speculative_way = speculative_way(p, i, a, is_load);
    plan->may_be_row = may_be_row(k, i, a);
    plan->is_masked_strided = is_masked_strided(p, a);
    plan->is_transposed = a->count * a->size == PART_BYTES && a->size <= 4 &&
                          !a->is_volatile && k->spec.lane_count % 16 == 0;
    plan->may_compress = !is_load && a->count == 1 && !a->is_volatile &&
                         plan_may_compress(p, i, a->size);
    note_access(p, i, plan);
}

/* ---- interleaved memory -------------------------------------------------- */

static enum simt_word_way words_of(const struct simt_kernel *k, uint32_t i)
{
    struct simt_shape s = k->address[i];

    if (!simt_is_varying(s) && s.stride == 0)
        return SIMT_WORDS_ROW;
    return simt_is_uniform(k->optimistic_address[i]) ? SIMT_WORDS_IF_ONE
                                                     : SIMT_WORDS_EACH;
}

static void plan_words(struct simt_plan *p, uint32_t i)
{
    enum simt_word_way way = words_of(p->k, i);

    p->insts[i].words = way;
    plan_take(p, i, SIMT_DECIDED_INTERLEAVED);
    if (way == SIMT_WORDS_EACH)
        plan_refuse(p, i, SIMT_DECIDED_ONE_WORD, SIMT_REASON_ADDRESS_VARIES);
    else
        plan_take(p, i,
                  way == SIMT_WORDS_ROW ? SIMT_DECIDED_ONE_WORD
                                        : SIMT_DECIDED_ONE_WORD_IF_ONE);
}

void plan_accesses(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;

    plan_for_each_inst(k, b, i)
    {
        const struct ptx_inst *inst = p->code[i];
        bool is_access =
            inst && (inst->op == PTX_OP_ld || inst->op == PTX_OP_ldu ||
                     inst->op == PTX_OP_st);
        if (!is_access || inst->flags & (PTX_FLAG_async | PTX_FLAG_bulk))
            continue;
        if (simt_interleaved_var(k, &inst->operand[inst->op != PTX_OP_st]))
            plan_words(p, i);
        else
            plan_access(p, i);
    }
}
