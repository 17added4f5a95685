/* SPDX-License-Identifier: Apache-2.0 */
/* Turns operations in captured streams into nodes. */
#include "core/graph/capture.h"
#include "core/pool.h"

#include <stdlib.h>

CUresult capture_follow(CUstream s, CUgraphNode n)
{
    assert(s->point && n->graph == s->point->capture->graph);
    const struct graph_link link = {.node = n};
    s->point->links.count = 0;
    return vec_push(&s->point->links, link) ? CUDA_SUCCESS
                                            : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Adds a node behind those of the point, with the data of its edges. */
static CUresult add_behind(CUgraph g, struct capture_point *p,
                           struct graph_work *work, CUgraphNode *out)
{
    CUresult err = graph_add(g, NULL, NULL, 0, work, out);
    for (size_t i = 0; i < p->links.count && !err; i++)
        if (!edge_add(p->links.data[i].node, *out, &p->links.data[i].data))
            err = CUDA_ERROR_OUT_OF_MEMORY;
    return err;
}

CUresult capture_add(CUstream s, struct graph_work *work)
{
    assert(s->point && !s->point->capture->has_ended);
    CUgraphNode n;
    CUresult err = add_behind(s->point->capture->graph, s->point, work, &n);
    if (!err && work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        graph_block_reuse(n);
    return err ? err : capture_follow(s, n);
}

/* Adds a node with parameters, as a program would. */
static CUresult add_params(CUstream s, const CUgraphNodeParams *params)
{
    struct graph_work work;
    CUresult err = work_make(s->point->capture->graph, params, &work);
    return err ? err : capture_add(s, &work);
}

/* Takes the lock if `s` is captured. True with an error: the operation is
 * illegal. */
static bool enter_capture(CUstream s, struct capture **c, CUresult *err)
{
    *c = NULL;
    if (!capture_is_on())
        return false;
    graph_lock();
    *err = capture_enter(s, c);
    if (*c)
        return true;
    graph_unlock();
    return *err != CUDA_SUCCESS;
}

bool capture_node_params(CUstream s, const CUgraphNodeParams *params,
                         CUresult *err)
{
    struct capture *c;
    if (!enter_capture(s, &c, err))
        return false;
    if (c) {
        *err = add_params(s, params);
        graph_unlock();
    }
    return true;
}

/* ---- kernels ----------------------------------------------------------- */

static CUresult set_attributes(struct graph_kernel *k,
                               const struct launch_config *config)
{
    CUresult err = CUDA_SUCCESS;
    CUlaunchAttributeValue v = {0};
    if (config->is_cooperative) {
        v.cooperative = 1;
        err = kernel_set_attribute(k, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v);
    }
    if (!err &&
        (config->cluster[0] || config->cluster[1] || config->cluster[2])) {
        v.clusterDim.x = config->cluster[0];
        v.clusterDim.y = config->cluster[1];
        v.clusterDim.z = config->cluster[2];
        err =
            kernel_set_attribute(k, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &v);
    }
    v.priority =
        config->priority ? *config->priority : config->stream->priority;
    if (!err && v.priority)
        err = kernel_set_attribute(k, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v);
    v.accessPolicyWindow =
        config->window ? *config->window : config->stream->hints.window;
    if (!err && v.accessPolicyWindow.num_bytes &&
        is_access_window(&v.accessPolicyWindow))
        err = kernel_set_attribute(k, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
                                   &v);
    if (!err && config->updatable)
        err = kernel_set_attribute(
            k, CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE,
            config->updatable);
    return err;
}

/* Turns the edges of a point into programmatic ones: the kernel need not wait
 * for the end of those before it. */
static void make_programmatic(struct capture_point *p)
{
    for (size_t i = 0; i < p->links.count; i++) {
        struct graph_link *l = &p->links.data[i];
        if (l->node->work.type != CU_GRAPH_NODE_TYPE_KERNEL)
            continue;
        l->data.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
        l->data.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
    }
}

static CUresult add_kernel(CUfunction f, const struct launch_config *c,
                           void **args, const void *packed)
{
    assert(c->stream->point);
    size_t size_bytes = f->ptx->param_bytes;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)packed,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &size_bytes,
                     CU_LAUNCH_PARAM_END};
    const CUDA_KERNEL_NODE_PARAMS_v3 params = {
        .func = f,
        .kern = c->kern,
        .gridDimX = c->grid[0],
        .gridDimY = c->grid[1],
        .gridDimZ = c->grid[2],
        .blockDimX = c->block[0],
        .blockDimY = c->block[1],
        .blockDimZ = c->block[2],
        .sharedMemBytes = (unsigned)c->shared_bytes,
        .kernelParams = packed ? NULL : args,
        .extra = packed ? extra : NULL,
    };
    struct graph_work work = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
    CUresult err = kernel_make(&params, &work.kernel);
    if (err)
        return err;
    err = set_attributes(&work.kernel, c);
    if (!err && c->is_programmatic)
        make_programmatic(c->stream->point);
    if (!err)
        return capture_add(c->stream, &work);
    work_fini(&work);
    return err;
}

bool capture_node_kernel(CUfunction f, const struct launch_config *config,
                         void **args, const void *packed, CUresult *err)
{
    struct capture *c;
    if (!enter_capture(config->stream, &c, err))
        return false;
    if (c) {
        *err = add_kernel(f, config, args, packed);
        graph_unlock();
    }
    return true;
}

/* ---- copies and fills -------------------------------------------------- */

/* Rows that lie between two slices. */
static size_t rows_of(size_t slice, size_t pitch, size_t height)
{
    return slice && pitch ? slice / pitch : height;
}

static CUresult add_copy(CUstream s, const struct mem_copy *c)
{
    bool has_rows = c->height > 1 || c->depth > 1, has_slices = c->depth > 1;
    size_t from_pitch = c->source_pitch ? c->source_pitch : c->width_bytes;
    size_t to_pitch =
        c->destination_pitch ? c->destination_pitch : c->width_bytes;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    if (c->described) {
        p.memcpy.copyParams = *c->described;
        return add_params(s, &p);
    }
    p.memcpy.copyParams = (CUDA_MEMCPY3D){
        .srcMemoryType = mem_side_type(c->source_side),
        .srcHost = c->source,
        .srcDevice = (CUdeviceptr)(uintptr_t)c->source,
        .srcPitch = has_rows ? from_pitch : 0,
        .srcHeight =
            has_slices ? rows_of(c->source_slice, from_pitch, c->height) : 0,
        .dstMemoryType = mem_side_type(c->destination_side),
        .dstHost = c->destination,
        .dstDevice = (CUdeviceptr)(uintptr_t)c->destination,
        .dstPitch = has_rows ? to_pitch : 0,
        .dstHeight =
            has_slices ? rows_of(c->destination_slice, to_pitch, c->height) : 0,
        .WidthInBytes = c->width_bytes,
        .Height = c->height,
        .Depth = c->depth,
    };
    return add_params(s, &p);
}

bool capture_node_copy(CUstream s, const struct mem_copy *copy, CUresult *err)
{
    struct capture *c;
    if (!enter_capture(s, &c, err))
        return false;
    if (c) {
        if (copy->width_bytes && copy->height && copy->depth)
            *err = add_copy(s, copy);
        graph_unlock();
    }
    return true;
}

/* Adds a node for each slice, or one for all if they have no gaps. */
static CUresult add_fill(CUstream s, const struct mem_copy *box, uint32_t value,
                         unsigned element_bytes)
{
    CUresult err = CUDA_SUCCESS;
    struct graph_work work = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    bool is_dense =
        box->destination_slice == box->height * box->destination_pitch;
    size_t count = is_dense ? 1 : box->depth;
    bool is_row = box->height * box->depth == 1;
    for (size_t i = 0; i < count && !err; i++) {
        work.fill = (CUDA_MEMSET_NODE_PARAMS_v2){
            .dst = (CUdeviceptr)(uintptr_t)box->destination +
                   i * box->destination_slice,
            .pitch = is_row ? 0 : box->destination_pitch,
            .value = value,
            .elementSize = element_bytes,
            .width = box->width_bytes / element_bytes,
            .height = is_dense ? box->height * box->depth : box->height,
        };
        err = capture_add(s, &work);
    }
    return err;
}

bool capture_node_fill(CUstream s, const struct mem_copy *box, uint32_t value,
                       unsigned element_bytes, CUresult *err)
{
    struct capture *c;
    if (!enter_capture(s, &c, err))
        return false;
    if (c) {
        if (box->width_bytes && box->height && box->depth)
            *err = add_fill(s, box, value, element_bytes);
        graph_unlock();
    }
    return true;
}

/* ---- host functions, memory -------------------------------------------- */

bool capture_host(CUstream s, CUhostFn fn, void *data, CUresult *err)
{
    struct capture *c;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_HOST};
    if (!enter_capture(s, &c, err))
        return false;
    if (c) {
        p.host.fn = fn;
        p.host.userData = data;
        *err = add_params(s, &p);
        graph_unlock();
    }
    return true;
}

/* Adds one node for all operations. */
static CUresult add_memops(struct capture *c, CUstream s,
                           const struct memop *ops, size_t count)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP};
    CUstreamBatchMemOpParams *all = calloc(count + 1, sizeof *all);
    if (!all)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
        memop_params(&ops[i], &all[i]);
    p.memOp.ctx = c->ctx;
    p.memOp.count = (unsigned)count;
    p.memOp.paramArray = all;
    CUresult err = count ? add_params(s, &p) : CUDA_SUCCESS;
    free(all);
    return err;
}

bool capture_node_memops(CUstream s, const struct memop *ops, size_t count,
                         CUresult *err)
{
    struct capture *c;
    if (!enter_capture(s, &c, err))
        return false;
    if (c) {
        *err = add_memops(c, s, ops, count);
        graph_unlock();
    }
    return true;
}

/* The node's memory is where the pool is, and has the access that the pool
 * gives now (guide, "Peer Access with Stream Capture"). `access` has room for
 * all devices. */
static void ask_as_pool(CUstream s, CUmemoryPool pool,
                        CUDA_MEM_ALLOC_NODE_PARAMS_v2 *out,
                        CUmemAccessDesc *access)
{
    const CUmemLocation *own = &out->poolProps.location;
    out->poolProps = pool->props;
    if (pool->props.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED) {
        out->poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        if (own->type != CU_MEM_LOCATION_TYPE_DEVICE)
            out->poolProps.location = (CUmemLocation){
                CU_MEM_LOCATION_TYPE_DEVICE, ctx_device(s->ctx)};
    }
    out->accessDescs = access;
    for (int i = 0; i < device_count(); i++)
        if (pool->access[i] && i != own->id)
            access[out->accessDescCount++] =
                (CUmemAccessDesc){.location = {CU_MEM_LOCATION_TYPE_DEVICE, i},
                                  .flags = pool->access[i]};
}

bool capture_node_alloc(CUstream s, CUmemoryPool pool, size_t size_bytes,
                        CUdeviceptr *out, CUresult *err)
{
    CUmemAccessDesc access[DEVICE_COUNT_MAX];
    struct capture *c;
    struct graph_work work;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    if (!enter_capture(s, &c, err))
        return false;
    if (!c)
        return true;
    ask_as_pool(s, pool, &p.alloc, access);
    p.alloc.bytesize = size_bytes;
    *err = work_make(c->graph, &p, &work);
    if (!*err)
        *err = capture_add(s, &work);
    if (!*err)
        *out = s->point->links.data[0].node->work.block->p;
    graph_unlock();
    return true;
}

bool capture_node_free(CUstream s, CUdeviceptr address, CUresult *err)
{
    struct capture *c;
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE};
    if (!enter_capture(s, &c, err))
        return false;
    if (c) {
        p.free.dptr = address;
        *err = add_params(s, &p);
        graph_unlock();
    }
    return true;
}
