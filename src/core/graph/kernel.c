/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel nodes: the function, its arguments as they were when they were given,
 * and attributes.
 */
#include "core/graph/updatable.h"

#include "core/packed_args.h"

#include <stdlib.h>

/* ---- arguments --------------------------------------------------------- */

static CUresult check_args(const struct ptx_func *f, void **args)
{
    for (size_t i = 0; i < f->param_count; i++)
        if (!args || !args[i])
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult alloc_args(struct graph_kernel *k)
{
    assert(k->f);
    const struct ptx_func *f = k->f->ptx;
    enum { EXTRA = 5 };
    size_t pointers = f->param_count * sizeof(void *);
    size_t extra = EXTRA * sizeof(void *) + sizeof(size_t);
    k->args = malloc(pointers + extra + f->param_bytes + 1);
    if (!k->args)
        return CUDA_ERROR_OUT_OF_MEMORY;
    k->packed = (uint8_t *)k->args + pointers + extra;
    for (size_t i = 0; i < f->param_count; i++)
        k->args[i] = k->packed + f->params[i].offset_bytes;
    return CUDA_SUCCESS;
}

/* The arguments are shown as the block that they were given as; in this order,
 * as on an H200. */
static void show_packed(struct graph_kernel *k)
{
    void **extra = k->args + k->f->ptx->param_count;
    size_t *size_bytes = (size_t *)(void *)(extra + 5);
    *size_bytes = k->f->ptx->param_bytes;
    extra[0] = CU_LAUNCH_PARAM_BUFFER_SIZE;
    extra[1] = size_bytes;
    extra[2] = CU_LAUNCH_PARAM_BUFFER_POINTER;
    extra[3] = k->packed;
    extra[4] = CU_LAUNCH_PARAM_END;
    k->extra = extra;
}

/* From an array of pointers, or from one block in the parameters' layout. If
 * the block is short, the rest is 0. */
static CUresult copy_args(struct graph_kernel *k, void **args,
                          const struct packed_args *packed)
{
    const struct ptx_func *f = k->f->ptx;
    CUresult err = packed->bytes ? packed_args_fit(packed, f->param_bytes)
                                 : check_args(f, args);
    if (!err)
        err = alloc_args(k);
    if (err)
        return err;
    if (packed->bytes) {
        size_t given = packed->size_bytes < f->param_bytes ? packed->size_bytes
                                                           : f->param_bytes;
        memcpy(k->packed, packed->bytes, given);
        memset(k->packed + given, 0, f->param_bytes - given);
        return CUDA_SUCCESS;
    }
    for (size_t i = 0; i < f->param_count; i++)
        memcpy(k->args[i], args[i], f->params[i].size_bytes);
    return CUDA_SUCCESS;
}

/* ---- the node's work --------------------------------------------------- */

CUresult kernel_config(const struct graph_kernel *k, struct launch_config *out)
{
    assert(k->f);
    *out = (struct launch_config){
        .grid = {k->grid[0], k->grid[1], k->grid[2]},
        .block = {k->block[0], k->block[1], k->block[2]},
        .shared_bytes = k->shared_bytes,
    };
    return launch_attributes_read(k->attributes.data,
                                  (unsigned)k->attributes.count, out);
}

static CUresult check_launch(const struct graph_kernel *k)
{
    struct launch_config c;
    CUresult err = kernel_config(k, &c);
    if (!err)
        err = launch_check(k->f, &c);
    return err == DEVICE_ERROR_CONFIGURATION ? CUDA_ERROR_INVALID_VALUE : err;
}

CUkernel kernel_of(const CUDA_KERNEL_NODE_PARAMS_v3 *p)
{
    return p->kern || !p->func
               ? p->kern
               : atomic_load_explicit(&p->func->kernel, memory_order_relaxed);
}

CUresult kernel_make(const CUDA_KERNEL_NODE_PARAMS_v3 *p,
                     struct graph_kernel *out)
{
    struct packed_args packed = {0};
    *out = (struct graph_kernel){
        .f = p->func,
        .kern = kernel_of(p),
        .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
        .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
        .shared_bytes = p->sharedMemBytes,
    };
    if (!p->func || (p->kernelParams && p->extra))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = check_launch(out);
    if (!err && p->extra)
        err = packed_args_read(p->extra, &packed);
    if (!err)
        err = copy_args(out, p->kernelParams, &packed);
    if (!err && packed.bytes)
        show_packed(out);
    return err;
}

CUresult kernel_copy(const struct graph_kernel *k, struct graph_kernel *out)
{
    assert(k->f && k->packed && k != out);
    *out = *k;
    memset(&out->attributes, 0, sizeof out->attributes);
    out->device = NULL;
    const struct packed_args packed = {k->packed, k->f->ptx->param_bytes};
    CUresult err = copy_args(out, NULL, &packed);
    if (err)
        return err;
    out->extra = NULL;
    if (k->extra)
        show_packed(out);
    err = kernel_copy_attributes(out, k);
    if (err)
        kernel_fini(out);
    return err;
}

void kernel_fini(struct graph_kernel *k)
{
    updatable_unref(k->device);
    vec_fini(&k->attributes);
    free(k->args);
}

void kernel_params(const struct graph_kernel *k,
                   CUDA_KERNEL_NODE_PARAMS_v3 *out)
{
    *out = (CUDA_KERNEL_NODE_PARAMS_v3){
        .func = k->f,
        .gridDimX = k->grid[0],
        .gridDimY = k->grid[1],
        .gridDimZ = k->grid[2],
        .blockDimX = k->block[0],
        .blockDimY = k->block[1],
        .blockDimZ = k->block[2],
        .sharedMemBytes = k->shared_bytes,
        .kernelParams = k->extra ? NULL : k->args,
        .extra = k->extra,
        .kern = k->kern,
        .ctx = k->f->module->ctx,
    };
}

/* ---- attributes -------------------------------------------------------- */

static CUlaunchAttribute *find_attribute(const struct graph_kernel *k,
                                         CUlaunchAttributeID id)
{
    for (size_t i = 0; i < k->attributes.count; i++)
        if (k->attributes.data[i].id == id)
            return &k->attributes.data[i];
    return NULL;
}

/* Is it an attribute that nodes have? As on an H200, whose nodes have no
 * preferred cluster. */
static bool is_node_attribute(CUlaunchAttributeID id)
{
    switch ((int)id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return true;
    default:
        return false;
    }
}

/* It cannot be undone. */
static CUresult set_updatable(struct graph_kernel *k,
                              CUlaunchAttributeValue *value)
{
    CUresult err = CUDA_SUCCESS;
    if (value->deviceUpdatableKernelNode.deviceUpdatable == 0)
        return k->device ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
    if (value->deviceUpdatableKernelNode.deviceUpdatable != 1)
        return CUDA_ERROR_INVALID_VALUE;
    if (!k->device)
        err = updatable_create(&k->device);
    if (!err)
        value->deviceUpdatableKernelNode.devNode = k->device;
    return err;
}

/* May all blocks of the kernel be there at once? */
static CUresult check_cooperation(const struct graph_kernel *k)
{
    struct launch_config c;
    CUresult err = kernel_config(k, &c);
    c.is_cooperative = true;
    return err ? err : launch_check(k->f, &c);
}

CUresult kernel_set_attribute(struct graph_kernel *k, CUlaunchAttributeID id,
                              CUlaunchAttributeValue *value)
{
    struct launch_config c = {
        .grid = {k->grid[0], k->grid[1], k->grid[2]},
    };
    CUlaunchAttribute a = {.id = id, .value = *value};
    if (id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
        return set_updatable(k, value);
    if (id == CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING)
        return launch_attributes_read(&a, 1, &c); /* taken and forgotten */
    if (!is_node_attribute(id) ||
        (id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW &&
         !is_access_window(&value->accessPolicyWindow)))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = launch_attributes_read(&a, 1, &c);
    if (!err && id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        err = cluster_resolve(k->f, &c);
    if (!err && c.is_cooperative)
        err = check_cooperation(k);
    if (err)
        return err;
    if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
        a.value.priority = stream_clamp_priority(value->priority);
    CUlaunchAttribute *there = find_attribute(k, id);
    if (there)
        *there = a;
    else if (!vec_push(&k->attributes, a))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

CUresult kernel_attribute(const struct graph_kernel *k, CUlaunchAttributeID id,
                          CUlaunchAttributeValue *value)
{
    const CUlaunchAttribute *a = find_attribute(k, id);
    if (id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE) {
        memset(value, 0, sizeof *value);
        value->deviceUpdatableKernelNode.deviceUpdatable = k->device != NULL;
        value->deviceUpdatableKernelNode.devNode = k->device;
        return CUDA_SUCCESS;
    }
    if (!is_node_attribute(id))
        return CUDA_ERROR_INVALID_VALUE;
    memset(value, 0, sizeof *value);
    if (a)
        *value = a->value;
    else if (id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)
        value->memSyncDomainMap.remote = 1; /* as streams have it */
    return CUDA_SUCCESS;
}

CUresult kernel_copy_attributes(struct graph_kernel *to,
                                const struct graph_kernel *from)
{
    CUgraphDeviceNode device = updatable_ref(from->device);
    updatable_unref(to->device);
    to->device = device;
    to->attributes.count = 0;
    for (size_t i = 0; i < from->attributes.count; i++)
        if (!vec_push(&to->attributes, from->attributes.data[i]))
            return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

CUresult kernel_check_attributes(const struct graph_kernel *k)
{
    struct launch_config c;
    const CUlaunchAttribute *a =
        find_attribute(k, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
    if (a && a->value.cooperative)
        return check_cooperation(k);
    CUresult err = find_attribute(k, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
                       ? kernel_config(k, &c)
                       : CUDA_ERROR_NOT_FOUND;
    if (err)
        return CUDA_SUCCESS;
    return cluster_resolve(k->f, &c);
}

int kernel_priority(const struct graph_kernel *k)
{
    const CUlaunchAttribute *a =
        find_attribute(k, CU_LAUNCH_ATTRIBUTE_PRIORITY);
    return a ? a->value.priority : 0;
}
