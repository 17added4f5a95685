import re,shutil,os
os.chdir('/work/wt/memory')
shutil.copy('/tmp/new/range.c','src/core/range.c'); shutil.copy('/tmp/new/batch.c','src/core/batch.c')
shutil.copy('/tmp/new/d_range.c','src/driver/range.c'); shutil.copy('/tmp/new/d_prefetch.c','src/driver/prefetch.c')
shutil.copy('/tmp/new/r_managed.c','src/runtime/managed.c'); shutil.copy('/tmp/new/r_batch.c','src/runtime/batch.c')
shutil.copy('/tmp/new/t_managed.c','tests/runtime/managed.c')
p='src/core/batch.c'; s=open(p).read()
s=s.replace("""    CUresult err = ctx_sticky(s->ctx);
    return err || !s->is_legacy ? err : CUDA_ERROR_INVALID_VALUE;""","""    CUresult err = ctx_sticky(s->ctx);
    if (!err)
        err = capture_refuse(s);
    return err || !s->is_legacy ? err : CUDA_ERROR_INVALID_VALUE;""")
open(p,'w').write(s)
p='src/core/memops.c'; s=open(p).read()
s=s.replace("""    CUresult err = ctx_sticky(s->ctx);
    for (size_t i = 0; i < count && !err; i++)
        err = check""","""    CUresult err = ctx_sticky(s->ctx);
    if (!err)
        err = capture_refuse(s);
    for (size_t i = 0; i < count && !err; i++)
        err = check""")
open(p,'w').write(s)
p='src/core/core.h'; s=open(p).read()
s=s.replace("""/* ---- other processes (ipc.c) ---""","""/* ---- what is said of managed memory (range.c) --------------------------- */

CUresult range_check_location(const CUmemLocation *l);
CUmemLocation range_location_of(CUdevice device); /* or CU_DEVICE_CPU */
CUresult range_advise(CUdeviceptr p, size_t size_bytes, CUmem_advise advice,
                      CUmemLocation location);
CUresult range_check_prefetch(CUdeviceptr p, size_t size_bytes,
                              const CUmemLocation *location);
CUresult range_prefetch(CUdeviceptr p, size_t size_bytes,
                        CUmemLocation location);
CUresult range_get(void *data, size_t size_bytes,
                   CUmem_range_attribute attribute, CUdeviceptr p,
                   size_t count);
CUresult range_get_all(void **data, const size_t *sizes,
                       const CUmem_range_attribute *attributes, size_t n,
                       CUdeviceptr p, size_t count);

/* ---- batches (batch.c) -------------------------------------------------- */

/* attributes[i] is for the copies from indices[i] on, until the next. */
struct batch_copies {
    const CUdeviceptr *to, *from;
    const size_t *sizes;
    size_t count;
    const CUmemcpyAttributes *attributes;
    const size_t *indices;
    size_t attribute_count;
};
/* fail: the number of the copy that is wrong, or SIZE_MAX. */
CUresult batch_copy(CUstream s, const struct batch_copies *b, size_t *fail);
CUresult batch_copy_boxes(CUstream s, const CUDA_MEMCPY3D_BATCH_OP *ops,
                          size_t count, unsigned long long flags, size_t *fail);
struct batch_ranges {
    const CUdeviceptr *starts;
    const size_t *sizes;
    size_t count;
    const CUmemLocation *locations;
    const size_t *indices;
    size_t location_count;
    unsigned long long flags;
};
CUresult batch_prefetch(CUstream s, const struct batch_ranges *b);
CUresult batch_discard(CUstream s, const struct batch_ranges *b);

/* ---- other processes (ipc.c) ---""",1)
open(p,'w').write(s)
p='src/core/exports.h'; s=open(p).read()
s=s.replace("#pragma redefine_extname array_create","".join("#pragma redefine_extname %s weft_%s\n"%(n,n) for n in "range_check_location range_location_of range_advise range_prefetch range_get range_get_all batch_copy batch_copy_boxes batch_prefetch batch_discard".split())+"#pragma redefine_extname array_create",1)
open(p,'w').write(s)
p='src/core/internal.h'; s=open(p).read()
s=s.replace(" *   ipc.c       memory and events"," *   range.c     what is said of managed memory; batch.c many of them at once\n *   ipc.c       memory and events",1)
s=s.replace("void array_free_all(","/* range.c: nothing was said of it. */\nvoid range_forget(CUdeviceptr p, size_t size_bytes);\nvoid array_free_all(",1)
open(p,'w').write(s)
p='src/core/mem.c'; s=open(p).read()
i=s.index("CUresult mem_alloc_managed(")
t=s[i:]
print(t[:700])
open(p,'w').write(s)
p='src/core/CMakeLists.txt'; s=open(p).read()
s=s.replace("  ipc.c memops.c pointer.c pool.c pool_share.c registry.c","  batch.c ipc.c memops.c pointer.c pool.c pool_share.c range.c registry.c")
open(p,'w').write(s)
p='src/driver/CMakeLists.txt'; s=open(p).read()
s=s.replace("fill.c memops.c pool.c\n","fill.c memops.c pool.c\n  prefetch.c ",1).replace("prefetch.c   order.c","prefetch.c order.c")
s=s.replace("  array.c ipc.c pointer.c pools.c virtual.c\n","  array.c ipc.c pointer.c pools.c range.c virtual.c\n")
open(p,'w').write(s)
p='src/runtime/CMakeLists.txt'; s=open(p).read()
s=s.replace("set(stream_sources copy.c","set(stream_sources batch.c copy.c",1)
open(p,'w').write(s)
p='src/driver/api.def'; s=open(p).read()
for n in "cuMemAdvise cuMemRangeGetAttribute cuMemRangeGetAttributes cuMemcpyBatchAsync cuMemcpy3DBatchAsync cuMemPrefetchAsync cuMemPrefetchBatchAsync cuMemDiscardBatchAsync cuMemDiscardAndPrefetchBatchAsync".split():
    s,k=re.subn(r'(CU_API\( %s, +(?:_v2|),? *,? *\d+, \w+, +)REFUSES'%n,r'\1DONE',s); assert k,n
open(p,'w').write(s)
p='src/runtime/api.def'; s=open(p).read()
for n in "cudaMemcpyBatchAsync cudaMemcpyBatchAsync_v2 cudaMemcpy3DBatchAsync cudaMemcpy3DBatchAsync_v2 cudaMemRangeGetAttribute cudaMemRangeGetAttributes cudaMemPrefetchBatchAsync cudaMemDiscardBatchAsync cudaMemDiscardAndPrefetchBatchAsync cudaMemGetDefaultMemPool cudaMemGetMemPool cudaMemSetMemPool cudaArrayGetMemoryRequirements cudaMipmappedArrayGetMemoryRequirements cudaArrayGetSparseProperties cudaMipmappedArrayGetSparseProperties".split():
    s,k=re.subn(r'(RT_API\( %s, +\d+, +\w+, +)REFUSES'%n,r'\1DONE',s); assert k==1,n
open(p,'w').write(s)
p='src/runtime/internal.h'; s=open(p).read()
s=s.replace("cudaError_t rt_check_location(struct cudaMemLocation location);","CUmemLocation rt_core_location(struct cudaMemLocation location);")
s=s.replace(" *   copy.c, copy_box.c"," *   batch.c, copy.c, copy_box.c",1)
open(p,'w').write(s)
p='src/runtime/prefetch.c'; s=open(p).read()
i=s.index("cudaError_t cudaMemPrefetchAsync_v2("); j=s.index("cudaError_t cudaMemPrefetchAsync(const")
s=s[:i]+"""cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count,
                                    struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    if (flags != 0)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!err)
        err = rt_error(capture_refuse(s));
    if (!err)
        err = rt_error(range_prefetch((CUdeviceptr)(uintptr_t)devPtr, count,
                                      rt_core_location(location)));
    return rt_return(err);
}

"""+s[j:]
open(p,'w').write(s)
# pools by place
p='src/runtime/pools.c'; s=open(p).read()
s=s.replace("""
/* ---- one pool ---""","""
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *memPool,
                                     struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    cudaError_t err = check(memPool);
    if (!err)
        err = rt_error(pool_default_at((const CUmemLocation *)location,
                                       (CUmemAllocationType)type, memPool));
    return rt_return(err);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *memPool,
                              struct cudaMemLocation *location,
                              enum cudaMemAllocationType type)
{
    cudaError_t err = check(memPool);
    if (!err)
        err = rt_error(pool_current_at((const CUmemLocation *)location,
                                       (CUmemAllocationType)type, memPool));
    return rt_return(err);
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location,
                              enum cudaMemAllocationType type,
                              cudaMemPool_t memPool)
{
    cudaError_t err = check(memPool);
    if (!err)
        err = rt_error(pool_set_current_at((const CUmemLocation *)location,
                                           (CUmemAllocationType)type, memPool));
    return rt_return(err);
}

/* ---- one pool ---""",1)
open(p,'w').write(s)
p='src/runtime/array.c'; s=open(p).read()
i=s.index("cudaError_t cudaArrayGetPlane("); j=s.index("/* ---- mipmapped arrays")
blk=s[i:j]
s=s[:j]+s[j:]
s=s.replace(blk, blk+"""cudaError_t
cudaArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties,
                             cudaArray_t array)
{
    (void)sparseProperties;
    return rt_return(has_none(array));
}

cudaError_t cudaArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array,
    int device)
{
    (void)memoryRequirements, (void)device;
    return rt_return(has_none(array));
}

static cudaError_t has_none_mipmapped(cudaMipmappedArray_t mipmap)
{
    CUcontext ctx;
    CUarray level;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(mipmap_level((CUmipmappedArray)mipmap, 0, &level));
    return err ? err : cudaErrorInvalidValue;
}

cudaError_t cudaMipmappedArrayGetSparseProperties(
    struct cudaArraySparseProperties *sparseProperties,
    cudaMipmappedArray_t mipmap)
{
    (void)sparseProperties;
    return rt_return(has_none_mipmapped(mipmap));
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *memoryRequirements,
    cudaMipmappedArray_t mipmap, int device)
{
    (void)memoryRequirements, (void)device;
    return rt_return(has_none_mipmapped(mipmap));
}

""")
open(p,'w').write(s)
p='tests/runtime/arrays.c'; s=open(p).read()
s=s.replace("""    GIVES(INVALID, cudaArrayGetPlane(&plane, a, 0));
""","""    struct cudaArraySparseProperties sparse;
    struct cudaArrayMemoryRequirements needs;
    GIVES(INVALID, cudaArrayGetPlane(&plane, a, 0));
    GIVES(INVALID, cudaArrayGetSparseProperties(&sparse, a));
    GIVES(INVALID, cudaArrayGetMemoryRequirements(&needs, a, 0));
    OK(cudaMallocMipmappedArray(&m, &d, e, 1, 0));
    GIVES(INVALID, cudaMipmappedArrayGetSparseProperties(&sparse, m));
    GIVES(INVALID, cudaMipmappedArrayGetMemoryRequirements(&needs, m, 0));
    OK(cudaFreeMipmappedArray(m));
""",1)
open(p,'w').write(s)
p='tests/runtime/pools.c'; s=open(p).read()
s=s.replace("""    OK(cudaMemPoolDestroy(own));
    OK(cudaDeviceGetMemPool(&current, 0));
""","""    struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    const enum cudaMemAllocationType pinned = cudaMemAllocationTypePinned;
    OK(cudaMemGetMemPool(&current, &here, pinned));
    CHECK(current == own);
    OK(cudaMemGetDefaultMemPool(&current, &here, pinned));
    CHECK(current == usual);
    OK(cudaMemSetMemPool(&here, pinned, usual));
    OK(cudaMemSetMemPool(&here, pinned, own));
    GIVES(INVALID, cudaMemGetMemPool(&current, NULL, pinned));
    OK(cudaMemPoolDestroy(own));
    OK(cudaDeviceGetMemPool(&current, 0));
""",1)
open(p,'w').write(s)
p='tests/runtime/CMakeLists.txt'; s=open(p).read()
s=s.replace("device ipc memory","device ipc managed memory")
open(p,'w').write(s)
