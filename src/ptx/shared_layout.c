/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of a kernel's shared window: every .shared variable that the
 * kernel, or a function that it may call, names. Unsized extern arrays share
 * one offset behind all others, where dynamic shared memory begins: a multiple
 * of 16, as on hardware, whatever their own alignment. Other variables of at
 * least 16 bytes are aligned to 16, too: programs read arrays of bytes in
 * larger pieces.
 */
#include "ptx/internal.h"

enum { ARRAY_ALIGN = 16 };

struct shared_slot {
    const struct ptx_var *var;
    uint32_t offset;
};

struct ptx_shared_layout {
    VEC(struct shared_slot) slots;
    uint32_t size_bytes;
    bool *visited; /* by function */
};

static void place_variable(struct ptx_shared_layout *l,
                           const struct ptx_var *var)
{
    for (size_t i = 0; i < l->slots.count; i++)
        if (l->slots.data[i].var == var)
            return;
    struct shared_slot slot = {.var = var};
    if (var->size_bytes > 0) {
        uint32_t align = var->align_bytes ? var->align_bytes : 1;
        if (align < ARRAY_ALIGN && var->size_bytes % ARRAY_ALIGN == 0)
            align = ARRAY_ALIGN;
        slot.offset = (l->size_bytes + align - 1) / align * align;
        l->size_bytes = slot.offset + (uint32_t)var->size_bytes;
    } else {
        slot.offset = UINT32_MAX; /* at the end */
    }
    bool ok = vec_push(&l->slots, slot);
    assert(ok);
    (void)ok;
}

static void scan_function(struct ptx_shared_layout *l,
                          const struct ptx_func *func);

static void scan_operand(struct ptx_shared_layout *l,
                         const struct ptx_operand *o)
{
    if (o->var && o->var->space == PTX_SPACE_shared)
        place_variable(l, o->var);
    for (unsigned i = 0; i < o->item_count; i++)
        scan_operand(l, &o->items[i]);
}

static void scan_address_taken(struct ptx_shared_layout *l,
                               const struct ptx_module *m)
{
    for (size_t i = 0; i < m->func_count; i++)
        if (m->funcs[i]->is_address_taken)
            scan_function(l, m->funcs[i]);
}

static void scan_function(struct ptx_shared_layout *l,
                          const struct ptx_func *func)
{
    if (func->is_prototype || l->visited[func->index])
        return;
    l->visited[func->index] = true;
    for (size_t i = 0; i < func->var_count; i++)
        if (func->vars[i].space == PTX_SPACE_shared)
            place_variable(l, &func->vars[i]);
    for (size_t i = 0; i < func->inst_count; i++) {
        const struct ptx_inst *inst = &func->insts[i];
        for (unsigned o = 0; o < inst->operand_count; o++)
            scan_operand(l, &inst->operand[o]);
        if (!inst->call)
            continue;
        if (inst->call->func)
            scan_function(l, inst->call->func);
        else
            scan_address_taken(l, func->module);
    }
}

static void finish_layout(struct ptx_shared_layout *l)
{
    uint32_t end = l->size_bytes;

    for (size_t i = 0; i < l->slots.count; i++) {
        uint32_t align = l->slots.data[i].var->align_bytes;
        if (align < ARRAY_ALIGN)
            align = ARRAY_ALIGN;
        if (l->slots.data[i].offset == UINT32_MAX)
            end = (end + align - 1) / align * align;
    }
    for (size_t i = 0; i < l->slots.count; i++)
        if (l->slots.data[i].offset == UINT32_MAX)
            l->slots.data[i].offset = end;
    l->size_bytes = end;
}

struct ptx_shared_layout *ptx_layout_shared(struct arena *a,
                                         const struct ptx_func *kernel)
{
    struct ptx_shared_layout *l = arena_new(a, struct ptx_shared_layout);

    l->visited = arena_array(a, bool, kernel->module->func_count + 1);
    scan_function(l, kernel);
    finish_layout(l);
    /* The layout lives as long as the arena, and so do its slots. */
    size_t count = l->slots.count;
    void *slots = arena_alloc(a, count * sizeof *l->slots.data + 1);
    if (count)
        memcpy(slots, l->slots.data, count * sizeof *l->slots.data);
    vec_fini(&l->slots);
    l->slots.data = slots;
    l->slots.count = count;
    return l;
}

uint32_t ptx_shared_offset(const struct ptx_shared_layout *l,
                            const struct ptx_var *var)
{
    for (size_t i = 0; i < l->slots.count; i++)
        if (l->slots.data[i].var == var)
            return l->slots.data[i].offset;
    return 0; /* in code that the kernel cannot reach */
}

uint32_t ptx_shared_size(const struct ptx_shared_layout *l)
{
    return l->size_bytes;
}

uint32_t ptx_static_shared_bytes(const struct ptx_func *kernel)
{
    struct arena *a = arena_create();
    struct ptx_shared_layout *l = ptx_layout_shared(a, kernel);
    uint32_t size_bytes = l->size_bytes;

    arena_destroy(a);
    return size_bytes;
}
