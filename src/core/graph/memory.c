/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that nodes allocate. The address is chosen when the node is made. It
 * stays the node's, its clones' and its instances' until the last of them is
 * gone and everything that a launch allocated is freed: memory outlives its
 * graph (guide, "Graph Memory Nodes"). A node behind the free of another of
 * the same size or a larger one shares its block. Whether a block is live is
 * counted in the order of the host's calls: a launch allocates what its graph
 * does not free again.
 */
#include "core/graph/graph.h"

#include <stdlib.h>
#include <string.h>

/* The graphs' lock guards everything here. */
static struct map blocks; /* by address */
static struct list all = {&all, &all};
static struct block_figures figures[DEVICE_COUNT_MAX];

static struct block_figures *figures_of(const struct graph_block *b)
{
    assert(b->params.poolProps.location.id < DEVICE_COUNT_MAX);
    return &figures[b->params.poolProps.location.id];
}

struct graph_block *graph_block_find(CUdeviceptr p)
{
    const void *key = (const void *)(uintptr_t)p;
    return p ? map_find(&blocks, key) : NULL;
}

static bool is_visible_device(const CUmemLocation *l)
{
    return l->type == CU_MEM_LOCATION_TYPE_DEVICE && device_exists(l->id);
}

/* The host's memory is for pools alone. What asks for managed memory of a
 * device gets the device's, as from a GPU's driver. */
static CUresult check_props(const CUmemPoolProps *props)
{
    CUmemLocationType at = props->location.type;
    bool is_managed = props->allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
    if (!is_managed && props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (at == CU_MEM_LOCATION_TYPE_HOST ||
        at == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
        (is_managed && at != CU_MEM_LOCATION_TYPE_DEVICE) ||
        props->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
        return CUDA_ERROR_NOT_SUPPORTED;
    return is_visible_device(&props->location) ? CUDA_SUCCESS
                                               : CUDA_ERROR_INVALID_VALUE;
}

/* All access, to devices and the host, each named once. The host has it
 * anyway. */
static CUresult check_access(const CUmemAccessDesc *all, size_t i)
{
    const CUmemAccessDesc *d = &all[i];
    if (d->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
        !is_visible_device(&d->location))
        return CUDA_ERROR_INVALID_DEVICE;
    if (d->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
        d->flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (d->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE ||
        (d->location.type != CU_MEM_LOCATION_TYPE_DEVICE &&
         d->location.type != CU_MEM_LOCATION_TYPE_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t k = 0; k < i; k++)
        if (all[k].location.type == d->location.type &&
            all[k].location.id == d->location.id)
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult check_params(const CUDA_MEM_ALLOC_NODE_PARAMS_v2 *params)
{
    CUresult err = check_props(&params->poolProps);
    if (!err && (!params->bytesize ||
                 (params->accessDescCount && !params->accessDescs)))
        err = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < params->accessDescCount && !err; i++)
        err = check_access(params->accessDescs, i);
    return err;
}

CUresult graph_block_create(CUcontext ctx,
                            const CUDA_MEM_ALLOC_NODE_PARAMS_v2 *params,
                            struct graph_block **out)
{
    assert(out);
    size_t access_count = params->accessDescCount;
    CUresult err = check_params(params);
    if (!err)
        err = ctx_sticky(ctx);
    if (err)
        return err;
    struct graph_block *b =
        calloc(1, sizeof *b + access_count * sizeof b->access[0]);
    if (!b)
        return CUDA_ERROR_OUT_OF_MEMORY;
    void *p = mem_alloc_owned(params->bytesize, MEM_DEVICE, b);
    if (!p || !map_put(&blocks, p, b)) {
        if (p)
            mem_release(p, MEM_DEVICE);
        free(b);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    atomic_init(&b->refs, 1);
    b->p = (CUdeviceptr)(uintptr_t)p;
    b->size_bytes = params->bytesize;
    b->params = *params;
    b->params.dptr = b->p;
    b->params.accessDescs = access_count ? b->access : NULL;
    for (size_t i = 0; i < access_count; i++)
        b->access[i] = params->accessDescs[i];
    list_push(&all, &b->in_all);
    *out = b;
    return CUDA_SUCCESS;
}

void graph_block_ref(struct graph_block *b)
{
    assert(atomic_load(&b->refs) > 0);
    atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
}

static void set_reserved(struct graph_block *b, bool is_reserved)
{
    struct block_figures *f = figures_of(b);
    if (b->is_reserved == is_reserved)
        return;
    b->is_reserved = is_reserved;
    f->is_stale = true;
}

/* Blocks that instances free themselves share memory: as much as the instance
 * that needs most. */
static bool add_block(struct map *shared, const struct graph_block *b,
                      cuuint64_t *apart, cuuint64_t *most)
{
    if (!b->is_temporary) {
        *apart += b->size_bytes;
        return true;
    }
    cuuint64_t sum = (uintptr_t)map_find(shared, b->taker) + b->size_bytes;
    *most = sum > *most ? sum : *most;
    return map_put(shared, b->taker, (void *)(uintptr_t)sum);
}

/* Counts anew; called after blocks were reserved or given back, before figures
 * are read. */
static void count_figures(struct block_figures *f)
{
    cuuint64_t apart = 0, most = 0;
    struct map shared;
    if (!f->is_stale)
        return;
    map_init_pointers(&shared);
    bool ok = true; /* if the map cannot grow, blocks count separately */
    list_for_each(struct graph_block, b, &all, in_all)
    {
        if (b->is_reserved && figures_of(b) == f)
            ok = add_block(&shared, b, &apart, &most) && ok;
    }
    map_fini(&shared);
    f->bytes = apart + most;
    f->used_high = f->bytes > f->used_high ? f->bytes : f->used_high;
    f->reserved_high =
        f->bytes > f->reserved_high ? f->bytes : f->reserved_high;
    f->is_stale = !ok;
}

struct block_figures *blocks_figures(int device)
{
    assert(device >= 0 && device < DEVICE_COUNT_MAX);
    count_figures(&figures[device]);
    return &figures[device];
}

void graph_block_unref(struct graph_block *b)
{
    void *p = (void *)(uintptr_t)b->p;
    /* Each pairs with the others: the last sees what all wrote. */
    if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1)
        return;
    set_reserved(b, false);
    map_remove(&blocks, p);
    list_remove(&b->in_all);
    mem_release(p, MEM_DEVICE);
    free(b);
}

/* ---- one block for several nodes ---------------------------------------- */

/* Numbers of a graph's nodes that allocate and free a block. */
struct uses {
    unsigned allocs, frees, frees_before;
};

static struct uses uses_of(CUgraph g, const struct graph_block *b)
{
    struct uses u = {0};
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
    {
        u.allocs +=
            n->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && n->work.block == b;
        if (n->work.type != CU_GRAPH_NODE_TYPE_MEM_FREE ||
            n->work.freed != b->p)
            continue;
        u.frees++;
        u.frees_before += n->waiting;
    }
    return u;
}

bool graph_block_is_freeable(CUgraph g, CUdeviceptr p)
{
    const struct graph_block *b = graph_block_find(p);
    if (!b)
        return false;
    struct uses u = uses_of(g, b);
    return u.allocs ? u.frees < u.allocs : !u.frees && !b->is_freed_inside;
}

void graph_block_will_be_freed(CUgraph g, CUdeviceptr p)
{
    struct graph_block *b = graph_block_find(p);
    assert(b);
    b->is_freed_inside |= uses_of(g, b).allocs > 0;
}

/* Marks all nodes before n, and n. `stack` has room for all nodes of the
 * graph. */
static void mark_before(CUgraphNode n, CUgraphNode *stack)
{
    size_t depth = 0;
    if (n->waiting)
        return;
    n->waiting = 1;
    stack[depth++] = n;
    while (depth) {
        n = stack[--depth];
        for (size_t i = 0; i < n->before.count; i++) {
            CUgraphNode before = n->before.data[i].node;
            if (!before->waiting)
                stack[depth++] = before;
            before->waiting = 1;
        }
    }
}

/* May a node that asks for b have the block a instead? */
static bool can_stand_for(const struct graph_block *a,
                          const struct graph_block *b)
{
    size_t count = a->params.accessDescCount;
    return a != b && a->size_bytes >= b->size_bytes &&
           !memcmp(&a->params.poolProps, &b->params.poolProps,
                   sizeof a->params.poolProps) &&
           count == b->params.accessDescCount &&
           !memcmp(a->access, b->access, count * sizeof a->access[0]);
}

/* The oldest block that is large enough for b and that all nodes which
 * allocate it have freed before this node. As on a GPU, not the one that fits
 * best. */
static struct graph_block *find_given_back(CUgraph g,
                                           const struct graph_block *b)
{
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph)
    {
        struct graph_block *old =
            n->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ? n->work.block : NULL;
        if (!old || !can_stand_for(old, b))
            continue;
        struct uses u = uses_of(g, old);
        if (u.frees_before == u.allocs)
            return old;
    }
    return NULL;
}

void graph_block_reuse(CUgraphNode alloc)
{
    CUgraph g = alloc->graph;
    struct graph_block *own = alloc->work.block, *old;
    CUgraphNode *stack = malloc((g->node_count + 1) * sizeof(CUgraphNode));
    assert(alloc->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    if (!stack)
        return; /* it keeps its own */
    list_for_each(struct CUgraphNode_st, n, &g->nodes, in_graph) n->waiting = 0;
    mark_before(alloc, stack);
    free(stack);
    alloc->work.block = NULL; /* is none that has to be given back */
    old = find_given_back(g, own);
    alloc->work.block = old ? old : own;
    if (!old)
        return;
    old->is_freed_inside = false;
    graph_block_ref(old);
    graph_block_unref(own);
}

/* ---- launches ---------------------------------------------------------- */

static struct graph_block *block_of(CUgraphNode n)
{
    return n->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC
               ? n->work.block
               : graph_block_find(n->work.freed);
}

static bool is_alloc(CUgraphNode n)
{
    return n->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC;
}

/* Each block has to be allocated before it is freed, and freed before it is
 * allocated again. This launch may first free what the last one has left. */
static bool is_launchable(CUgraphExec e)
{
    bool may_free = e->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    for (size_t i = 0; i < e->blocks.count; i++) {
        struct graph_block *b = block_of(e->blocks.data[i]);
        if (!b)
            return false;
        b->will_live = b->is_live;
    }
    for (size_t i = 0; i < e->blocks.count; i++)
        if (may_free && is_alloc(e->blocks.data[i]))
            block_of(e->blocks.data[i])->will_live = false;
    for (size_t i = 0; i < e->blocks.count; i++) {
        struct graph_block *b = block_of(e->blocks.data[i]);
        if (b->will_live == is_alloc(e->blocks.data[i]))
            return false;
        b->will_live = is_alloc(e->blocks.data[i]);
    }
    return true;
}

/* In the order of the nodes: a block is temporary if the instance that
 * allocates it also frees it last. */
static void take_block(CUgraphExec e, CUgraphNode n)
{
    struct graph_block *b = block_of(n);
    if (!b || (!is_alloc(n) && b->taker != e))
        return;
    b->taker = e;
    b->is_temporary = !is_alloc(n);
    set_reserved(b, true);
}

void blocks_reserve(CUgraphExec e)
{
    for (size_t i = 0; i < e->blocks.count; i++)
        take_block(e, e->blocks.data[i]);
    for (size_t i = 0; i < e->blocks.count; i++) {
        struct graph_block *b = block_of(e->blocks.data[i]);
        if (b)
            count_figures(figures_of(b)); /* high marks are of this moment */
    }
}

/* The launch that frees the block has not run yet, so the instance keeps a
 * reference, as it does for what it allocates. */
static void keep_freed(CUgraphExec e, struct graph_block *b)
{
    bool is_kept = false;
    for (size_t i = 0; i < e->freed.count; i++)
        is_kept = is_kept || e->freed.data[i] == b;
    for (size_t i = 0; i < e->blocks.count; i++)
        is_kept = is_kept || (is_alloc(e->blocks.data[i]) &&
                              block_of(e->blocks.data[i]) == b);
    if (is_kept)
        graph_block_unref(b);
    else
        (void)vec_push(&e->freed, b); /* out of memory: it stays for ever */
}

static void become_live(CUgraphExec e, struct graph_block *b)
{
    if (b->will_live && !b->is_live)
        graph_block_ref(b);
    else if (b->is_live && !b->will_live)
        keep_freed(e, b);
    b->is_live = b->will_live;
    b->change_count++;
}

CUresult blocks_launch(CUgraphExec e)
{
    if (!is_launchable(e))
        return CUDA_ERROR_INVALID_VALUE;
    blocks_reserve(e);
    for (size_t i = 0; i < e->blocks.count; i++)
        become_live(e, block_of(e->blocks.data[i]));
    return CUDA_SUCCESS;
}

void blocks_forget(CUgraphExec e)
{
    for (size_t i = 0; i < e->freed.count; i++)
        graph_block_unref(e->freed.data[i]);
    vec_fini(&e->freed);
}

static void unref_now(void *data)
{
    graph_lock();
    graph_block_unref(data);
    graph_unlock();
}

/* Earlier work of the stream may use the memory. */
static CUresult unref_behind(CUstream s, struct graph_block *b)
{
    struct exec_task *t = exec_task_call(unref_now, b);
    if (!t)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult err = stream_submit(s, t);
    exec_task_unref(t);
    return err;
}

bool graph_memory_free(CUstream s, CUdeviceptr p, CUresult *err)
{
    graph_lock();
    struct graph_block *b = graph_block_find(p);
    bool is_live = b && b->is_live;
    if (is_live)
        b->is_live = false;
    graph_unlock();
    if (!b)
        return false;
    *err = is_live ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (is_live && s && !stream_is_idle(s))
        *err = unref_behind(s, b);
    else if (is_live)
        unref_now(b);
    return true;
}

int graph_memory_device(const void *owner)
{
    const struct graph_block *b = owner;
    return b->params.poolProps.location.id;
}

static bool is_device(const CUmemLocation *l, int device)
{
    return l->type == CU_MEM_LOCATION_TYPE_DEVICE && l->id == device;
}

bool graph_memory_reaches(const void *owner, int device,
                          CUmemAccess_flags access)
{
    const struct graph_block *b = owner;
    bool reaches = graph_memory_device(owner) == device;
    for (size_t i = 0; i < b->params.accessDescCount; i++)
        reaches = reaches || (is_device(&b->access[i].location, device) &&
                              (b->access[i].flags & access) == access);
    return reaches;
}

/* ---- whole updates ------------------------------------------------------- */

bool blocks_are_freed_alike(CUgraphExec e, CUgraphNode free_node)
{
    CUdeviceptr to = free_node->work.freed, from = free_node->pair->work.freed;
    bool is_own = false;
    assert(!is_alloc(free_node));
    for (size_t i = 0; i < e->blocks.count; i++) {
        CUgraphNode n = e->blocks.data[i];
        if (!is_alloc(n))
            continue;
        bool frees = n->work.block->p == to,
             pair_frees = n->pair->work.block->p == from;
        if (frees && pair_frees)
            return true;
        is_own = is_own || frees || pair_frees;
    }
    return !is_own && to == from;
}

/* The launch may be of a stream of any context. */
static void unref_behind_launch(struct exec_task *end, struct graph_block *b)
{
    struct exec_task *t = end ? exec_task_call(unref_now, b) : NULL;
    if (!end)
        graph_block_unref(b);
    else if (t && exec_task_depend(t, end))
        exec_submit(t); /* else out of memory: it stays for ever */
    exec_task_unref(t);
}

static void exchange_block(CUgraphExec e, CUgraphNode n, struct exec_task *end)
{
    assert(n->exec == e && n->pair->work.type == n->work.type);
    struct graph_block *old = n->work.block, *new = n->pair->work.block;
    if (old == new)
        return;
    graph_block_ref(new);
    n->work.block = new;
    n->work.block_bytes = n->pair->work.block_bytes;
    if (!old->is_live && old->taker == e)
        set_reserved(old, false);
    unref_behind_launch(end, old);
}

void blocks_exchange(CUgraphExec e, struct exec_task *end)
{
    for (size_t i = 0; i < e->blocks.count; i++) {
        CUgraphNode n = e->blocks.data[i];
        if (is_alloc(n))
            exchange_block(e, n, end);
        else
            n->work.freed = n->pair->work.freed;
    }
}

/* ---- trimming ---------------------------------------------------------- */

/* A block that is to be given back when the work so far is done, unless a
 * launch takes it before. */
struct trimmed {
    struct trimmed *next;
    CUdeviceptr p;
    uint64_t change_count;
};

struct trim {
    atomic_uint waits; /* for contexts, and for the call itself */
    struct trimmed *blocks;
};

static void give_pages_back(const struct trimmed *t)
{
    struct graph_block *b = graph_block_find(t->p);
    if (b && !b->is_live && b->change_count == t->change_count)
        pages_discard((void *)(uintptr_t)b->p, b->size_bytes);
}

static void give_all_back(void *data)
{
    struct trim *trim = data;
    graph_lock();
    while (trim->blocks) {
        struct trimmed *t = trim->blocks;
        trim->blocks = t->next;
        give_pages_back(t);
        free(t);
    }
    graph_unlock();
    free(trim);
}

/* True: it was the last. */
static bool drop_wait(struct trim *trim)
{
    /* Each pairs with the others. */
    return atomic_fetch_sub_explicit(&trim->waits, 1, memory_order_acq_rel) ==
           1;
}

/* On a thread that may have the graphs' lock. */
static void end_wait(void *data, enum exec_fault fault)
{
    (void)fault;
    struct exec_task *t =
        drop_wait(data) ? exec_task_call(give_all_back, data) : NULL;
    if (!t)
        return; /* out of memory: the pages stay */
    exec_submit(t);
    exec_task_unref(t);
}

/* False: out of memory. */
static bool trim_block(struct graph_block *b, struct trim *trim)
{
    struct trimmed *t = malloc(sizeof *t);
    if (!t)
        return false;
    *t = (struct trimmed){trim->blocks, b->p, b->change_count};
    trim->blocks = t;
    set_reserved(b, false);
    return true;
}

/* Launches may be in streams of any context. */
CUresult graph_memory_trim(int device)
{
    struct trim *trim = calloc(1, sizeof *trim);
    bool ok = trim != NULL;
    assert(device >= 0);
    if (!ok)
        return CUDA_ERROR_OUT_OF_MEMORY;
    atomic_init(&trim->waits, 1);
    graph_lock();
    list_for_each(struct graph_block, b, &all, in_all)
    {
        if (!b->is_live && b->is_reserved &&
            b->params.poolProps.location.id == device)
            ok = ok && trim_block(b, trim);
    }
    graph_unlock();
    for (unsigned i = 0; i < CTX_PLACE_COUNT && trim->blocks; i++) {
        CUcontext ctx = ctx_at(i);
        if (!ctx)
            continue;
        atomic_fetch_add_explicit(&trim->waits, 1, memory_order_relaxed);
        ctx_when_done(ctx, end_wait, trim);
    }
    if (drop_wait(trim))
        give_all_back(trim);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
