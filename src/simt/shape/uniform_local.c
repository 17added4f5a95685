/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uniform local memory: what all lanes have written alike into their own
 * variables they read alike. A kernel that hands the address of one of its
 * parameters to a function works on a copy in local memory, and loops and
 * barriers depend on what it reads there.
 *
 * A load is uniform if all lanes read at one place of a variable, and each
 * write that may reach its bytes
 * - is a store of a uniform value, of all lanes to one place,
 * - and done while no lane is elsewhere, so that all have it.
 * The first is a matter of shapes, the second of the schedule. Functions that
 * get an address as an argument are followed: they may read anything, and what
 * they may write is not uniform. Where an address goes elsewhere, nothing of
 * its variable is.
 *
 * Leaves: local.
 */
#include "simt/internal.h"

enum {
    CALL_DEPTH = 6,
    CALL_REACH = 200, /* instructions from an argument to its call */
    WORK_MAX = 1 << 18,
};

struct bytes {
    uint32_t inst, block, var;
    int64_t lo, hi; /* [lo, hi) of the variable */
};

struct write {
    struct bytes to;
    bool is_store, is_apart;
};

struct simt_local {
    struct simt_addresses of;
    struct write *writes;
    struct bytes *loads;
    uint32_t write_count, load_count;
    uint32_t *load_at; /* by instruction: 1 + its load; 0: none */
};

/* What a function may do with what a parameter of it points to. */
struct effect {
    bool is_told, writes;
    int64_t lo, hi;
};

struct walk {
    struct simt_work *w;
    struct simt_addresses *of;
    struct simt_local *local; /* NULL: in a callee */
    struct effect *effect;    /* of a callee */
    struct map *effects;      /* parameter -> effect */
    const uint8_t *names;     /* by variable of the function: how often its
                               * instructions name it, 3: or oftener */
    unsigned depth;
    uint32_t inst, block;
};

static void count_name(const struct ptx_func *f, const struct ptx_operand *o,
                       unsigned count, uint8_t *names)
{
    for (unsigned i = 0; i < count; i++) {
        if (o[i].var >= f->vars && o[i].var < f->vars + f->var_count) {
            uint8_t *n = &names[o[i].var - f->vars];
            *n = *n < 3 ? *n + 1 : 3;
        }
        count_name(f, o[i].items, o[i].item_count, names);
    }
}

static const uint8_t *count_names(struct arena *arena, const struct ptx_func *f)
{
    uint8_t *names = arena_array(arena, uint8_t, f->var_count + 1);

    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        count_name(f, in->operand, in->operand_count, names);
        if (in->call) {
            count_name(f, in->call->args, in->call->arg_count, names);
            count_name(f, in->call->rets, in->call->ret_count, names);
        }
    }
    return names;
}

static bool is_overlap(const struct bytes *a, const struct bytes *b)
{
    return a->var == b->var && a->lo < b->hi && b->lo < a->hi;
}

/* ---- what is written ----------------------------------------------------- */

static void add_write(struct walk *walk, uint32_t into, int64_t lo, int64_t hi,
                      bool is_store)
{
    struct effect *f = walk->effect;

    assert(into && lo < hi);
    if (walk->local) {
        walk->local->writes[walk->local->write_count++] = (struct write){
            .to = {walk->inst, walk->block, into - 1, lo, hi},
            .is_store = is_store,
        };
        return;
    }
    f->lo = f->writes && f->lo < lo ? f->lo : lo;
    f->hi = f->writes && f->hi > hi ? f->hi : hi;
    f->writes = true;
}

static void add_access(struct walk *walk, const struct ptx_inst *in,
                       struct ptx_reach reach)
{
    struct simt_span at;
    uint32_t into = simt_points_into(walk->of, reach.address, &at);

    if (!into)
        return;
    if (in->op != PTX_OP_ld) {
        add_write(walk, into, at.lo, at.hi + reach.bytes,
                  in->op == PTX_OP_st && reach.address == &in->operand[0]);
    } else if (walk->local) {
        walk->local->loads[walk->local->load_count++] = (struct bytes){
            walk->inst, walk->block, into - 1, at.lo, at.hi + reach.bytes};
        walk->local->load_at[walk->inst] = walk->local->load_count;
    }
}

static const struct effect *effect_of(struct walk *caller,
                                      const struct ptx_func *f, unsigned arg);

/* The address goes into parameter `arg` of the function that `call` calls;
 * `bytes` of it. */
static void pass_address(struct walk *walk, const struct ptx_inst *call,
                         unsigned arg, const struct ptx_operand *o)
{
    struct simt_span at;
    uint32_t into = simt_points_into(walk->of, o, &at);

    if (!into)
        return;
    const struct effect *effect = effect_of(walk, call->call->func, arg);
    if (!effect || effect->is_told)
        simt_tell_all(walk->of, o, 1);
    else if (effect->writes)
        add_write(walk, into, at.lo + effect->lo, at.hi + effect->hi, false);
}

/* A store into the .param variable of a call that follows. False: it is
 * none, or not a whole argument, or somebody else names the variable. */
static bool passes_argument(struct walk *walk, const struct ptx_inst *in)
{
    const struct ptx_func *f = walk->of->func;
    const struct ptx_operand *o = &in->operand[0];

    if (in->op != PTX_OP_st || in->space != PTX_SPACE_param || !o->var ||
        o->reg != PTX_NO_REG || o->imm != 0 || o->var < f->vars ||
        o->var >= f->vars + f->var_count ||
        walk->names[o->var - f->vars] != 2 ||
        ptx_type_size(in->type[0]) != o->var->size_bytes ||
        in->operand[1].kind != PTX_OPERAND_reg || in->guard != PTX_NO_REG)
        return false;
    for (uint32_t i = walk->inst + 1;
         i < f->inst_count && i < walk->inst + CALL_REACH; i++) {
        const struct ptx_inst *call = &f->insts[i];
        if (call->op != PTX_OP_call)
            continue;
        for (unsigned a = 0; a < call->call->arg_count; a++)
            if (call->call->args[a].var == o->var) {
                pass_address(walk, call, a, &in->operand[1]);
                return true;
            }
    }
    return false;
}

static void check_call(struct walk *walk, const struct ptx_inst *in)
{
    for (unsigned a = 0; a < in->call->arg_count; a++)
        if (in->call->args[a].kind == PTX_OPERAND_reg)
            pass_address(walk, in, a, &in->call->args[a]);
        else
            simt_tell_all(walk->of, &in->call->args[a], 1);
    simt_tell_all(walk->of, in->call->rets, in->call->ret_count);
}

static void check_inst(struct walk *walk, const struct ptx_inst *in)
{
    struct ptx_reach reach = ptx_reach_of(in);
    const struct ptx_var *param = walk->of->param;

    simt_check_definitions(walk->of, in);
    if (simt_result_into(walk->of, in) ||
        simt_compares_addresses(walk->of, in) || passes_argument(walk, in))
        return;
    if (reach.address)
        add_access(walk, in, reach);
    for (unsigned i = ptx_dest_count(in); i < in->operand_count; i++)
        if (&in->operand[i] != reach.address ||
            (param && in->operand[i].var == param)) /* a part of the pointer */
            simt_tell_all(walk->of, &in->operand[i], 1);
    if (in->call)
        check_call(walk, in);
}

/* ---- callees ------------------------------------------------------------- */

static void find_effect(struct walk *caller, const struct ptx_func *f,
                        const struct ptx_var *param, struct effect *effect)
{
    struct simt_addresses of = {.func = f, .param = param};
    struct walk walk = *caller;

    simt_follow_addresses(caller->w->k->arena, &of);
    walk.of = &of;
    walk.local = NULL;
    walk.effect = effect;
    walk.names = count_names(caller->w->k->arena, f);
    walk.depth++;
    for (uint32_t i = 0; i < f->inst_count && !of.is_told[0]; i++) {
        walk.inst = i;
        check_inst(&walk, &f->insts[i]);
    }
    effect->is_told = of.is_told[0];
}

/* NULL: nothing is known. */
static const struct effect *effect_of(struct walk *caller,
                                      const struct ptx_func *f, unsigned arg)
{
    if (f && f->alias_of)
        f = f->alias_of;
    if (!f || f->is_declaration || f->is_prototype || arg >= f->param_count ||
        f->params[arg].size_bytes != 8 || caller->depth == CALL_DEPTH)
        return NULL;
    const struct ptx_var *param = &f->params[arg];
    struct effect *known = map_find(caller->effects, param);
    if (known)
        return known;
    struct effect *effect = arena_new(caller->w->k->arena, struct effect);
    *effect = (struct effect){.is_told = true}; /* while it calls itself */
    if (!map_put(caller->effects, param, effect))
        return NULL;
    find_effect(caller, f, param, effect);
    return effect;
}

/* ---- one function -------------------------------------------------------- */

static void walk_function(struct walk *walk)
{
    const struct simt_kernel *k = walk->w->k;

    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            walk->inst = i;
            walk->block = b;
            check_inst(walk, &k->func->insts[i]);
        }
}

/* A write for each store, and for each argument of a call. */
static size_t most_writes(const struct ptx_func *f)
{
    size_t n = f->inst_count;

    for (size_t i = 0; i < f->inst_count; i++)
        if (f->insts[i].call)
            n += f->insts[i].call->arg_count;
    return n;
}

void simt_find_uniform_local(struct simt_work *w)
{
    struct simt_kernel *k = w->k;
    const struct ptx_func *f = k->func;
    struct map effects;

    /* Where a function gets the address, and that is what this is for, there
     * are no coarse warps. */
    if (!w->addresses || k->spec.warp_count > 1)
        return;
    struct simt_local *l = arena_new(k->arena, struct simt_local);
    l->of = simt_same_addresses(k->arena, w->addresses);
    l->writes = arena_array(k->arena, struct write, most_writes(f) + 1);
    l->loads = arena_array(k->arena, struct bytes, f->inst_count + 1);
    l->load_at = arena_array(k->arena, uint32_t, f->inst_count + 1);
    struct walk walk = {.w = w,
                        .of = &l->of,
                        .local = l,
                        .effects = &effects,
                        .names = count_names(k->arena, f)};
    map_init_pointers(&effects);
    walk_function(&walk);
    map_fini(&effects);
    if (l->load_count > 0 && l->write_count < WORK_MAX / l->load_count)
        w->local = l;
}

/* ---- shapes -------------------------------------------------------------- */

/* Do all lanes access the same bytes, each of its own variable? In interleaved
 * ones an address is the place alone. */
static bool is_same_place(const struct simt_work *w, uint32_t var,
                          struct simt_value address)
{
    const struct ptx_var *v = &w->k->func->vars[var];
    int64_t apart = simt_is_interleaved(w->k, v) ? 0 : simt_local_pitch(v);

    assert(var < w->k->func->var_count);
    return address.shape.group == SIMT_ALL_LANES &&
           !address.shape.is_conditional && address.shape.stride == apart;
}

static bool stores_uniform(struct simt_work *w, const struct write *write)
{
    const struct ptx_inst *in = &w->k->func->insts[write->to.inst];
    const struct ptx_operand *value = &in->operand[1];
    struct simt_value address = simt_address_value(w, &in->operand[0]);

    if (address.is_known && !is_same_place(w, write->to.var, address))
        return false;
    for (unsigned i = 0; i <= ptx_operand_item_count(value); i++) {
        const struct ptx_operand *o = ptx_operand_item(value, i);
        uint32_t reg = o->kind == PTX_OPERAND_reg ? o->reg : PTX_NO_REG;
        if (i == ptx_operand_item_count(value))
            reg = in->guard;
        if (reg != PTX_NO_REG && w->values[reg].is_known &&
            !simt_is_uniform(w->values[reg].shape))
            return false;
    }
    return true;
}

bool simt_loads_uniform(struct simt_work *w, const struct ptx_inst *in,
                        struct simt_value address)
{
    const struct simt_local *l = w->local;
    uint32_t at = l ? l->load_at[in - w->k->func->insts] : 0;

    if (!at)
        return false;
    const struct bytes *load = &l->loads[at - 1];
    if (l->of.is_told[load->var] ||
        !is_same_place(w, load->var, address))
        return false;
    for (uint32_t i = 0; i < l->write_count; i++) {
        const struct write *write = &l->writes[i];
        if (is_overlap(&write->to, load) &&
            (!write->is_store || !stores_uniform(w, write)))
            return false;
    }
    return true;
}

/* ---- the schedule -------------------------------------------------------- */

struct force {
    struct simt_work *w;
    bool has_grown;
};

static void force_varying(void *data, uint32_t reg)
{
    struct force *f = data;

    f->has_grown |= !bits_has(f->w->forced_varying, reg);
    bits_add(f->w->forced_varying, reg);
}

/* Are other lanes elsewhere while the block runs? Those that have returned do
 * not count. */
static bool is_apart(const struct simt_work *w, uint32_t b)
{
    for (uint32_t i = 0; i < w->k->block_count; i++)
        if (bits_has(w->k->blocks[b].pending, i))
            return true;
    return false;
}

bool simt_force_local(struct simt_work *w)
{
    struct simt_local *l = w->local;
    struct force f = {.w = w};

    for (uint32_t i = 0; l && i < l->write_count; i++) {
        struct write *write = &l->writes[i];
        if (write->is_apart || !is_apart(w, write->to.block))
            continue;
        write->is_apart = true;
        for (uint32_t j = 0; j < l->load_count; j++)
            if (is_overlap(&write->to, &l->loads[j]))
                ptx_for_each_def(&w->k->func->insts[l->loads[j].inst],
                                 force_varying, &f);
    }
    return f.has_grown;
}
