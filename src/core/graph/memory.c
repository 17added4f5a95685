/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that nodes allocate. Its address is fixed when the node is made and
 * stays the node's, its clones' and its instances' as long as one of them is
 * there. Whether it is allocated at present is counted in the order of the
 * host's calls: a launch allocates what its graph does not free again.
 */
#include "core/graph/graph.h"

#include <stdlib.h>

/* Under the graphs' lock, as all here. */
static struct map blocks; /* by address */
static struct list all = {&all, &all};
static cuuint64_t used, used_high, reserved, reserved_high;

struct graph_block *graph_block_find(CUdeviceptr p)
{
    const void *key = (const void *)(uintptr_t)p;
    return p ? map_find(&blocks, key) : NULL;
}

CUresult graph_block_create(CUcontext ctx,
                            const CUDA_MEM_ALLOC_NODE_PARAMS_v2 *params,
                            struct graph_block **out)
{
    assert(out);
    if (params->poolProps.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        params->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        params->poolProps.location.id != 0 || !params->bytesize ||
        params->poolProps.handleTypes != CU_MEM_HANDLE_TYPE_NONE)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = ctx_sticky(ctx);
    if (err)
        return err;
    struct graph_block *b = calloc(1, sizeof *b);
    if (!b)
        return CUDA_ERROR_OUT_OF_MEMORY;
    void *p = mem_alloc_kind(params->bytesize, MEM_DEVICE, 0);
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
    b->params.accessDescs = NULL;
    b->params.accessDescCount = 0;
    list_push(&all, &b->in_all);
    *out = b;
    return CUDA_SUCCESS;
}

void graph_block_ref(struct graph_block *b)
{
    assert(atomic_load(&b->refs) > 0);
    atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
}

static void set_live(struct graph_block *b, bool is_live)
{
    assert(is_live || used >= b->size_bytes || !b->is_live);
    if (b->is_live == is_live)
        return;
    b->is_live = is_live;
    used += is_live ? b->size_bytes : -b->size_bytes;
    used_high = used > used_high ? used : used_high;
}

static void set_reserved(struct graph_block *b, bool is_reserved)
{
    assert(is_reserved || reserved >= b->size_bytes || !b->is_reserved);
    if (b->is_reserved == is_reserved)
        return;
    b->is_reserved = is_reserved;
    reserved += is_reserved ? b->size_bytes : -b->size_bytes;
    reserved_high = reserved > reserved_high ? reserved : reserved_high;
}

void graph_block_unref(struct graph_block *b)
{
    void *p = (void *)(uintptr_t)b->p;
    /* Each pairs with the others: the last sees what all wrote. */
    if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1)
        return;
    set_live(b, false);
    set_reserved(b, false);
    map_remove(&blocks, p);
    list_remove(&b->in_all);
    mem_release(p, MEM_DEVICE);
    free(b);
}

/* ---- launches ---------------------------------------------------------- */

static struct graph_block *block_of(CUgraphNode n)
{
    return n->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC
               ? n->work.block
               : graph_block_find(n->work.freed);
}

/* Allocated before, unless the launch may free it; or freed without being
 * allocated. */
static bool is_launchable(CUgraphExec e)
{
    bool may_free = e->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    for (size_t i = 0; i < e->blocks.count; i++) {
        CUgraphNode n = e->blocks.data[i];
        const struct graph_block *b = block_of(n);
        if (!b)
            return false;
        if (n->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && b->is_live &&
            !may_free)
            return false;
    }
    return true;
}

CUresult blocks_launch(CUgraphExec e)
{
    if (!is_launchable(e))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < e->blocks.count; i++) {
        CUgraphNode n = e->blocks.data[i];
        set_reserved(block_of(n), true);
        set_live(block_of(n), n->work.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    }
    return CUDA_SUCCESS;
}

bool graph_memory_free(CUdeviceptr p, CUresult *err)
{
    graph_lock();
    struct graph_block *b = graph_block_find(p);
    if (b) {
        *err = b->is_live ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        set_live(b, false);
    }
    graph_unlock();
    return b != NULL;
}

/* ---- attributes -------------------------------------------------------- */

/* What no launch holds goes back to the system; a later launch gets zeros. */
CUresult graph_memory_trim(void)
{
    graph_lock();
    list_for_each(struct graph_block, b, &all, in_all)
    {
        if (!b->is_live)
            set_reserved(b, false);
    }
    graph_unlock();
    return CUDA_SUCCESS;
}

CUresult graph_memory_attribute(CUgraphMem_attribute a, cuuint64_t *value)
{
    static cuuint64_t *const values[] = {
        [CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT] = &used,
        [CU_GRAPH_MEM_ATTR_USED_MEM_HIGH] = &used_high,
        [CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT] = &reserved,
        [CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH] = &reserved_high,
    };
    if (!value || (unsigned)a >= ARRAY_COUNT(values))
        return CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    *value = *values[a];
    graph_unlock();
    return CUDA_SUCCESS;
}

/* The high marks, to start again from here. */
CUresult graph_memory_set_attribute(CUgraphMem_attribute a, cuuint64_t value)
{
    if (value || (a != CU_GRAPH_MEM_ATTR_USED_MEM_HIGH &&
                  a != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH))
        return CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    if (a == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH)
        used_high = used;
    else
        reserved_high = reserved;
    graph_unlock();
    return CUDA_SUCCESS;
}
