/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device runtime: functions that kernels call. Each runs on the fiber of
 * the calling warp, for one thread. Memory of the program is accessed without
 * a lock held, since the access may fault.
 *
 * CUDA C++ programming guide, "CUDA Dynamic Parallelism", "API Reference".
 */
#include "core/grid.h"

#include "cuda_runtime_api.h"

struct call {
    struct grid *g;
    struct exec_warp *warp;
    uint64_t block;
    const uint64_t *in;
};

static const uint32_t *dim3_at(uint64_t address)
{
    return (const uint32_t *)(uintptr_t)address;
}

/* ---- errors, by thread ------------------------------------------------ */

static const void *thread_key(const struct exec_device_call *c)
{
    const struct exec_launch *l = c->warp->launch;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    assert(c->thread < threads);
    uint64_t key = c->warp->block_current * threads + c->thread + 1;
    return (const void *)(uintptr_t)key;
}

static CUresult note_error(const struct exec_device_call *c, CUresult err)
{
    struct grid *g = c->warp->launch->owner;
    const void *key = thread_key(c);
    if (!err)
        return err;
    pthread_mutex_lock(&g->lock);
    bool is_new = !map_find(&g->errors, key);
    if (map_put(&g->errors, key, (void *)(intptr_t)err) && is_new)
        atomic_fetch_add(&g->error_count, 1);
    pthread_mutex_unlock(&g->lock);
    return err;
}

static CUresult last_error(const struct exec_device_call *c, bool is_taken)
{
    struct grid *g = c->warp->launch->owner;
    const void *key = thread_key(c);
    if (atomic_load(&g->error_count) == 0)
        return CUDA_SUCCESS;
    pthread_mutex_lock(&g->lock);
    CUresult err = (CUresult)(intptr_t)map_find(&g->errors, key);
    if (err && is_taken) {
        assert(atomic_load(&g->error_count) > 0);
        map_remove(&g->errors, key);
        atomic_fetch_sub(&g->error_count, 1);
    }
    pthread_mutex_unlock(&g->lock);
    return err;
}

/* ---- device, memory --------------------------------------------------- */

static CUresult give_int(uint64_t address, int value)
{
    int *out = (int *)(uintptr_t)address;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = value;
    return CUDA_SUCCESS;
}

static CUresult give_word(uint64_t address, uint64_t value)
{
    uint64_t *out = (uint64_t *)(uintptr_t)address;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = value;
    return CUDA_SUCCESS;
}

static CUresult get_attribute(const struct call *c)
{
    int value;
    if (c->in[2] != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    CUresult err =
        device_attribute(&value, (CUdevice_attribute)(int)c->in[1], 0);
    return err ? err : give_int(c->in[0], value);
}

static CUresult get_limit(const struct call *c)
{
    size_t value;
    CUresult err = device_limit_get(&value, (CUlimit)(int)c->in[1]);
    return err ? err : give_word(c->in[0], value);
}

static CUresult get_cache_config(const struct call *c)
{
    assert(c->g && c->g->ctx);
    return give_int(c->in[0], ctx_cache_config(c->g->ctx));
}

static CUresult allocate_buffer(const struct call *c)
{
    uint64_t *out = (uint64_t *)(uintptr_t)c->in[0];
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = 0;
    if (c->in[1] == 0)
        return CUDA_SUCCESS;
    *out = c->warp->launch->helpers->malloc(c->warp, c->in[1]);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult release_buffer(const struct call *c)
{
    c->warp->launch->helpers->free(c->warp, c->in[0]);
    return CUDA_SUCCESS;
}

/* ---- streams and events ----------------------------------------------- */

/* *out: the stream's object; NULL: a stream without an order. The lock is
 * held. */
static CUresult find_stream(const struct call *c, uint64_t handle,
                            struct grid_object **out)
{
    assert(out);
    *out = NULL;
    if (handle == GRID_STREAM_FIRE_AND_FORGET)
        return CUDA_SUCCESS;
    /* The default stream's other names are the NULL stream here. */
    *out = handle <= 2 ? grid_null_stream(c->g, c->block)
                       : grid_find(c->g, handle, GRID_STREAM);
    if (*out)
        return CUDA_SUCCESS;
    return handle <= 2 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult make_object(const struct call *c, enum grid_object_kind kind)
{
    if (!c->in[0])
        return CUDA_ERROR_INVALID_VALUE;
    struct grid_object *o = grid_add_object(c->g, kind, sizeof *o);
    return o ? give_word(c->in[0], (uintptr_t)o) : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Either flag means the same here. */
static CUresult make_stream(const struct call *c)
{
    return c->in[1] <= CU_STREAM_NON_BLOCKING ? make_object(c, GRID_STREAM)
                                              : CUDA_ERROR_INVALID_VALUE;
}

/* Device code has events with this flag only: the guide, "Events". */
static CUresult make_event(const struct call *c)
{
    return c->in[1] == CU_EVENT_DISABLE_TIMING ? make_object(c, GRID_EVENT)
                                               : CUDA_ERROR_INVALID_VALUE;
}

/* Launched work goes on; the object is freed with the grid. */
static CUresult drop_object(const struct call *c, enum grid_object_kind kind)
{
    pthread_mutex_lock(&c->g->lock);
    struct grid_object *o = grid_find(c->g, c->in[0], kind);
    if (o)
        map_remove(&c->g->handles, o);
    pthread_mutex_unlock(&c->g->lock);
    return o ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult record_event(const struct call *c)
{
    struct grid_object *stream, *event;
    pthread_mutex_lock(&c->g->lock);
    CUresult err = find_stream(c, c->in[1], &stream);
    event = grid_find(c->g, c->in[0], GRID_EVENT);
    if (!event || (!err && !stream))
        err = CUDA_ERROR_INVALID_HANDLE;
    if (!err)
        grid_set_task(event, stream->task);
    pthread_mutex_unlock(&c->g->lock);
    return err;
}

/* Puts a mark into the stream that waits for its work and for the event. */
static CUresult wait_for(struct grid *g, struct grid_object *stream,
                         struct exec_task *event)
{
    assert(stream && event);
    struct exec_task *mark = exec_task_nothing();
    if (!mark)
        return CUDA_ERROR_OUT_OF_MEMORY;
    bool ok =
        exec_task_depend(mark, event) && grid_order(g, stream, mark, mark);
    if (!ok)
        ctx_fail(g->ctx, CUDA_ERROR_OUT_OF_MEMORY); /* the order is lost */
    exec_submit(mark);
    exec_task_unref(mark);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult wait_event(const struct call *c)
{
    struct grid_object *stream, *event;
    pthread_mutex_lock(&c->g->lock);
    CUresult err = find_stream(c, c->in[0], &stream);
    event = grid_find(c->g, c->in[1], GRID_EVENT);
    if (!event || (!err && !stream))
        err = CUDA_ERROR_INVALID_HANDLE;
    if (!err && event->task)
        err = wait_for(c->g, stream, event->task);
    pthread_mutex_unlock(&c->g->lock);
    return err;
}

/* ---- copies ----------------------------------------------------------- */

static CUresult submit_copy(const struct call *c, uint64_t handle,
                            const struct mem_copy *copy, uint32_t value,
                            unsigned element_bytes)
{
    struct grid_object *stream;
    if (copy->width_bytes == 0 || copy->height == 0 || copy->depth == 0)
        return CUDA_SUCCESS;
    struct exec_task *t = copy_task(c->g->ctx, copy, value, element_bytes);
    if (!t)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&c->g->lock);
    CUresult err = find_stream(c, handle, &stream);
    if (!err && !grid_order(c->g, stream, t, t))
        ctx_fail(c->g->ctx, err = CUDA_ERROR_OUT_OF_MEMORY);
    pthread_mutex_unlock(&c->g->lock);
    if (err != CUDA_ERROR_INVALID_HANDLE)
        exec_submit(t);
    exec_task_unref(t);
    return err;
}

/* Kernels copy within the device alone. The kinds are cudaMemcpyKind's. */
static bool is_device_copy(uint64_t kind)
{
    return kind == 3 || kind == 4;
}

static CUresult copy_1d(const struct call *c)
{
    if (!is_device_copy(c->in[3]))
        return DEVICE_ERROR_DIRECTION;
    const struct mem_copy copy = {
        .destination = (void *)(uintptr_t)c->in[0],
        .source = (const void *)(uintptr_t)c->in[1],
        .width_bytes = c->in[2],
        .height = 1,
        .depth = 1,
    };
    return submit_copy(c, c->in[4], &copy, 0, 0);
}

static CUresult copy_2d(const struct call *c)
{
    if (!is_device_copy(c->in[6]))
        return DEVICE_ERROR_DIRECTION;
    const struct mem_copy copy = {
        .destination = (void *)(uintptr_t)c->in[0],
        .destination_pitch = c->in[1],
        .source = (const void *)(uintptr_t)c->in[2],
        .source_pitch = c->in[3],
        .width_bytes = c->in[4],
        .height = c->in[5],
        .depth = 1,
    };
    if (copy.width_bytes > copy.source_pitch ||
        copy.width_bytes > copy.destination_pitch)
        return DEVICE_ERROR_INVALID_PITCH;
    return submit_copy(c, c->in[7], &copy, 0, 0);
}

static CUresult fill_1d(const struct call *c)
{
    const struct mem_copy copy = {
        .destination = (void *)(uintptr_t)c->in[0],
        .width_bytes = c->in[2],
        .height = 1,
        .depth = 1,
    };
    return submit_copy(c, c->in[3], &copy, (uint8_t)c->in[1], 1);
}

static CUresult fill_2d(const struct call *c)
{
    const struct mem_copy copy = {
        .destination = (void *)(uintptr_t)c->in[0],
        .destination_pitch = c->in[1],
        .source_pitch = c->in[1],
        .width_bytes = c->in[3],
        .height = c->in[4],
        .depth = 1,
    };
    if (copy.width_bytes > copy.destination_pitch)
        return DEVICE_ERROR_INVALID_PITCH;
    return submit_copy(c, c->in[5], &copy, (uint8_t)c->in[2], 1);
}

/* Offset of a box's first byte. */
static size_t start_of(struct cudaPitchedPtr p, struct cudaPos at)
{
    return at.x + p.pitch * (at.y + p.ysize * at.z);
}

/* Linear memory only; arrays have no address in device code. */
static CUresult copy_3d(const struct call *c)
{
    const struct cudaMemcpy3DParms *p = (const void *)(uintptr_t)c->in[0];
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->srcArray || p->dstArray)
        return CUDA_ERROR_NOT_SUPPORTED;
    const struct mem_copy copy = {
        .destination = (char *)p->dstPtr.ptr + start_of(p->dstPtr, p->dstPos),
        .destination_pitch = p->dstPtr.pitch,
        .destination_slice = p->dstPtr.pitch * p->dstPtr.ysize,
        .source = (const char *)p->srcPtr.ptr + start_of(p->srcPtr, p->srcPos),
        .source_pitch = p->srcPtr.pitch,
        .source_slice = p->srcPtr.pitch * p->srcPtr.ysize,
        .width_bytes = p->extent.width,
        .height = p->extent.height,
        .depth = p->extent.depth,
    };
    if (copy.width_bytes > copy.source_pitch ||
        copy.width_bytes > copy.destination_pitch)
        return DEVICE_ERROR_INVALID_PITCH;
    return submit_copy(c, c->in[1], &copy, 0, 0);
}

static CUresult fill_3d(const struct call *c)
{
    const struct cudaPitchedPtr *p = (const void *)(uintptr_t)c->in[0];
    const struct cudaExtent *extent = (const void *)(uintptr_t)c->in[2];
    const struct mem_copy copy = {
        .destination = p->ptr,
        .destination_pitch = p->pitch,
        .destination_slice = p->pitch * p->ysize,
        .source_pitch = p->pitch,
        .width_bytes = extent->width,
        .height = extent->height,
        .depth = extent->depth,
    };
    if (copy.width_bytes > copy.destination_pitch)
        return DEVICE_ERROR_INVALID_PITCH;
    return submit_copy(c, c->in[3], &copy, (uint8_t)c->in[1], 1);
}

/* ---- launches --------------------------------------------------------- */

static struct launch_config config_of(uint64_t grid, uint64_t block,
                                      uint64_t shared_bytes)
{
    assert(grid && block);
    const uint32_t *g = dim3_at(grid), *b = dim3_at(block);
    return (struct launch_config){
        .grid = {g[0], g[1], g[2]},
        .block = {b[0], b[1], b[2]},
        .shared_bytes = (uint32_t)shared_bytes,
    };
}

/* Rounded up to whole units, as on a GPU: CUB asks for less than its kernel's
 * parameters. */
static struct grid_buffer *new_buffer(const struct call *c, size_t size_bytes)
{
    enum { UNIT_BYTES = 64 };
    if (size_bytes > GRID_MAX_PARAMETER_BYTES)
        return NULL;
    size_bytes = (size_bytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
    struct grid_object *o = grid_add_object(
        c->g, GRID_BUFFER, sizeof(struct grid_buffer) + size_bytes);
    if (!o)
        return NULL;
    struct grid_buffer *b = container_of(o, struct grid_buffer, object);
    b->size_bytes = size_bytes;
    memset(b->bytes, 0, size_bytes);
    return b;
}

/* Finds a buffer by the address of its bytes. */
static struct grid_buffer *find_buffer(const struct call *c, uint64_t bytes)
{
    uint64_t start = bytes - offsetof(struct grid_buffer, bytes);
    pthread_mutex_lock(&c->g->lock);
    struct grid_object *o = bytes ? grid_find(c->g, start, GRID_BUFFER) : NULL;
    pthread_mutex_unlock(&c->g->lock);
    return o ? container_of(o, struct grid_buffer, object) : NULL;
}

/* The kernel of this module that a handle names; NULL: none. */
static CUfunction find_kernel(const struct call *c, uint64_t handle)
{
    CUmodule m = c->g->module;
    for (size_t i = 0; i < m->function_count; i++)
        if (WEFT_FUNC_HANDLE(m->functions[i].ptx->index) == handle)
            return &m->functions[i];
    return NULL;
}

static uint64_t get_buffer(const struct call *c)
{
    struct grid_buffer *b = new_buffer(c, c->in[1]);
    if (!b)
        return 0;
    b->is_configured = false;
    return (uintptr_t)b->bytes;
}

static uint64_t get_configured_buffer(const struct call *c)
{
    CUfunction f = find_kernel(c, c->in[0]);
    struct grid_buffer *b = new_buffer(c, f ? f->ptx->param_bytes : 0);
    if (!b)
        return 0;
    b->is_configured = true;
    b->handle = c->in[0];
    b->config = config_of(c->in[1], c->in[2], c->in[3]);
    return (uintptr_t)b->bytes;
}

static CUresult launch_child(const struct call *c, uint64_t handle,
                             const struct launch_config *config,
                             const struct grid_buffer *b,
                             uint64_t stream_handle)
{
    CUfunction f = find_kernel(c, handle);
    struct grid_object *stream = NULL;
    enum grid_place place = GRID_IN_STREAM;
    if (!f)
        return DEVICE_ERROR_INVALID_FUNCTION;
    if (f->ptx->param_bytes > (b ? b->size_bytes : 0))
        return CUDA_ERROR_INVALID_VALUE;
    struct launch_config checked = *config;
    CUresult err = launch_check(f, &checked);
    if (err == CUDA_ERROR_INVALID_VALUE &&
        config->shared_bytes > f->max_dynamic_bytes)
        err = DEVICE_ERROR_CONFIGURATION;
    if (!err && stream_handle == GRID_STREAM_TAIL) {
        place = GRID_TAIL;
    } else if (!err) {
        pthread_mutex_lock(&c->g->lock);
        err = find_stream(c, stream_handle, &stream);
        pthread_mutex_unlock(&c->g->lock);
    }
    if (err)
        return err;
    return grid_launch(c->g, f, &checked, b ? b->bytes : NULL, place, stream);
}

/* Uses up the buffer, whatever the launch returns. */
static CUresult launch_plain(const struct call *c)
{
    const struct launch_config config = config_of(c->in[2], c->in[3], c->in[4]);
    struct grid_buffer *b = find_buffer(c, c->in[1]);
    if (c->in[1] && !b)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = launch_child(c, c->in[0], &config, b, c->in[5]);
    if (b)
        grid_free_buffer(c->g, b);
    return err;
}

static CUresult launch_configured(const struct call *c)
{
    struct grid_buffer *b = find_buffer(c, c->in[0]);
    if (!b || !b->is_configured)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = launch_child(c, b->handle, &b->config, b, c->in[1]);
    grid_free_buffer(c->g, b);
    return err;
}

/* ---- kernels' properties ------------------------------------------------ */

static CUresult get_function_attributes(const struct call *c)
{
    struct cudaFuncAttributes *out = (void *)(uintptr_t)c->in[0];
    CUfunction f = find_kernel(c, c->in[1]);
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (!f)
        return DEVICE_ERROR_INVALID_FUNCTION;
    static const CUfunction_attribute asked[] = {
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        CU_FUNC_ATTRIBUTE_NUM_REGS,
        CU_FUNC_ATTRIBUTE_PTX_VERSION,
        CU_FUNC_ATTRIBUTE_BINARY_VERSION,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
    };
    int v[ARRAY_COUNT(asked)];
    for (size_t i = 0; i < ARRAY_COUNT(asked); i++) {
        CUresult err = function_attribute(&v[i], asked[i], f);
        if (err)
            return err;
    }
    *out = (struct cudaFuncAttributes){
        .sharedSizeBytes = (size_t)v[0],
        .constSizeBytes = (size_t)v[1],
        .localSizeBytes = (size_t)v[2],
        .maxThreadsPerBlock = v[3],
        .numRegs = v[4],
        .ptxVersion = v[5],
        .binaryVersion = v[6],
        .maxDynamicSharedSizeBytes = v[7],
        .preferredShmemCarveout = v[8],
    };
    return CUDA_SUCCESS;
}

static CUresult get_occupancy(const struct call *c)
{
    CUfunction f = find_kernel(c, c->in[1]);
    int blocks;
    if (!f)
        return DEVICE_ERROR_INVALID_FUNCTION;
    CUresult err = occupancy_max_blocks(f, (int)c->in[2], c->in[3], &blocks);
    return err ? err : give_int(c->in[0], blocks);
}

/* ---- graphs ----------------------------------------------------------- */

/* The graph launch streams have the numbers of the headers. */
static CUresult launch_graph(const struct call *c)
{
    CUgraphExec exec = (CUgraphExec)(uintptr_t)c->in[0];
    switch (c->in[1]) {
    case GRID_STREAM_GRAPH_TAIL:
        return graph_exec_launch_inside(c->g->exec, exec, GRAPH_TAIL);
    case GRID_STREAM_GRAPH_FIRE_AND_FORGET:
    case GRID_STREAM_GRAPH_SIBLING:
        return graph_exec_launch_inside(c->g->exec, exec, GRAPH_BESIDE);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUgraphDeviceNode node_of(const struct call *c)
{
    return (CUgraphDeviceNode)(uintptr_t)c->in[0];
}

static CUresult set_node_grid(const struct call *c)
{
    const uint32_t *d = dim3_at(c->in[1]);
    return updatable_set_grid(node_of(c), (const unsigned[]){d[0], d[1], d[2]});
}

static CUresult set_node_param(const struct call *c)
{
    return updatable_set_param(node_of(c), c->in[1],
                               (const void *)(uintptr_t)c->in[2], c->in[3]);
}

static CUresult set_node_enabled(const struct call *c)
{
    return updatable_set_enabled(node_of(c), (c->in[1] & 0xff) != 0);
}

static CUresult update_nodes(const struct call *c)
{
    return updatable_apply((const void *)(uintptr_t)c->in[0], c->in[1]);
}

/* ---- which ------------------------------------------------------------ */

static CUresult call_of(enum exec_call which, const struct call *c)
{
    switch (which) {
    case EXEC_CALL_cudaLaunchDevice:
        return launch_plain(c);
    case EXEC_CALL_cudaLaunchDeviceV2:
        return launch_configured(c);
    case EXEC_CALL_cudaGraphLaunch:
        return launch_graph(c);
    case EXEC_CALL_cudaGetDevice:
        return give_int(c->in[0], 0);
    case EXEC_CALL_cudaGetDeviceCount:
        return give_int(c->in[0], device_count());
    case EXEC_CALL_cudaDeviceGetAttribute:
        return get_attribute(c);
    case EXEC_CALL_cudaDeviceGetLimit:
        return get_limit(c);
    case EXEC_CALL_cudaDeviceGetCacheConfig:
        return get_cache_config(c);
    case EXEC_CALL_cudaDeviceGetSharedMemConfig:
        return give_int(c->in[0], CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
    case EXEC_CALL_cudaStreamCreateWithFlags:
        return make_stream(c);
    case EXEC_CALL_cudaStreamDestroy:
        return drop_object(c, GRID_STREAM);
    case EXEC_CALL_cudaStreamWaitEvent:
        return wait_event(c);
    case EXEC_CALL_cudaEventCreateWithFlags:
        return make_event(c);
    case EXEC_CALL_cudaEventRecord:
    case EXEC_CALL_cudaEventRecordWithFlags:
        return record_event(c);
    case EXEC_CALL_cudaEventDestroy:
        return drop_object(c, GRID_EVENT);
    case EXEC_CALL_cudaMalloc:
        return allocate_buffer(c);
    case EXEC_CALL_cudaFree:
        return release_buffer(c);
    case EXEC_CALL_cudaMemcpyAsync:
        return copy_1d(c);
    case EXEC_CALL_cudaMemcpy2DAsync:
        return copy_2d(c);
    case EXEC_CALL_cudaMemsetAsync:
        return fill_1d(c);
    case EXEC_CALL_cudaMemset2DAsync:
        return fill_2d(c);
    case EXEC_CALL_cudaMemcpy3DAsync:
        return copy_3d(c);
    case EXEC_CALL_cudaMemset3DAsync:
        return fill_3d(c);
    case EXEC_CALL_cudaRuntimeGetVersion:
        return give_int(c->in[0], CUDART_VERSION);
    case EXEC_CALL_cudaFuncGetAttributes:
        return get_function_attributes(c);
    case EXEC_CALL_cudaOccupancyMaxActiveBlocksPerMultiprocessor:
    case EXEC_CALL_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags:
        return get_occupancy(c);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

uint64_t grid_device_call(const struct exec_device_call *device_call)
{
    const struct call c = {
        .g = device_call->warp->launch->owner,
        .warp = device_call->warp,
        .block = device_call->warp->block_current,
        .in = device_call->arguments,
    };
    switch (device_call->call) {
    case EXEC_CALL_cudaGetParameterBuffer:
        return get_buffer(&c);
    case EXEC_CALL_cudaGetParameterBufferV2:
        return get_configured_buffer(&c);
    case EXEC_CALL_cudaGetCurrentGraphExec:
        return (uintptr_t)c.warp->launch->graph_exec;
    case EXEC_CALL_cudaGraphSetConditional:
        if (c.g->exec)
            graph_exec_set_condition(c.g->exec, c.in[0], (unsigned)c.in[1]);
        return 0;
    case EXEC_CALL_cudaGetLastError:
        return last_error(device_call, true);
    case EXEC_CALL_cudaGetErrorName:
        return (uintptr_t)error_name((int)c.in[0]);
    case EXEC_CALL_cudaGetErrorString:
        return (uintptr_t)error_text((int)c.in[0]);
    /* Errors of these are not kept as the thread's last error, as on an
     * H200. */
    case EXEC_CALL_cudaGraphKernelNodeSetGridDim:
        return set_node_grid(&c);
    case EXEC_CALL_cudaGraphKernelNodeSetParam:
        return set_node_param(&c);
    case EXEC_CALL_cudaGraphKernelNodeSetEnabled:
        return set_node_enabled(&c);
    case EXEC_CALL_cudaGraphKernelNodeUpdatesApply:
        return update_nodes(&c);
    case EXEC_CALL_cudaPeekAtLastError:
        return last_error(device_call, false);
    default:
        return note_error(device_call, call_of(device_call->call, &c));
    }
}
