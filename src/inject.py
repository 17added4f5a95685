import os
os.chdir('/work/wt/memory')
p='tests/core/injection.c'; s=open(p).read()
s=s.replace("""static CUresult launch_nothing(void);

""","""static CUresult launch_nothing(void);

static CUresult create_array(void)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {100, 100, 0, CU_AD_FORMAT_FLOAT, 4, 0};
    CUarray a = NULL;
    CUresult err = array_create(ctx, &d, &a);
    CHECK((err != 0) == (a == NULL));
    return err ? err : array_destroy(ctx, a);
}

static CUresult create_mipmap(void)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {100, 100, 0, CU_AD_FORMAT_FLOAT, 4, 0};
    CUmipmappedArray m = NULL;
    CUresult err = mipmap_create(ctx, &d, 9, &m);
    CHECK((err != 0) == (m == NULL));
    return err ? err : mipmap_destroy(ctx, m);
}

static CUresult create_pool(void)
{
    const CUmemPoolProps props = {
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
        .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUmemoryPool p = NULL;
    CUdeviceptr a = 0;
    CUresult err = pool_create(ctx, &props, &p);
    CHECK((err != 0) == (p == NULL));
    if (err)
        return err;
    err = pool_alloc(p, stream, 10000, &a);
    CHECK((err != 0) == (a == 0));
    if (!err) /* it may need a mark, for which there may be no memory */
        err = mem_free_later(stream, a) ? mem_free(ctx, a) : CUDA_SUCCESS;
    CHECK_EQUAL(pool_destroy(p), CUDA_SUCCESS);
    return err;
}

static CUresult map_memory(void)
{
    const size_t n = 2 << 20;
    const CUmemAllocationProp props = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
    CUmemGenericAllocationHandle h = 0;
    CUdeviceptr va = 0;
    CUresult err = virtual_create(ctx, n, &props, &h);
    CHECK((err != 0) == (h == 0));
    if (err)
        return err;
    err = virtual_reserve(ctx, n, 0, &va);
    CHECK((err != 0) == (va == 0));
    if (!err) {
        err = virtual_map(va, n, 0, h);
        if (!err)
            CHECK_EQUAL(virtual_unmap(ctx, va, n), CUDA_SUCCESS);
        CHECK_EQUAL(virtual_free(va, n), CUDA_SUCCESS);
    }
    CHECK_EQUAL(virtual_release(h), CUDA_SUCCESS);
    return err;
}

static CUresult create_shared_event(void)
{
    CUevent e = NULL;
    CUresult err = event_create(
        ctx, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING, &e);
    CHECK((err != 0) == (e == NULL));
    if (err)
        return err;
    err = event_record(e, stream);
    if (!err)
        err = stream_wait_event(stream, e);
    CHECK_EQUAL(event_destroy(e), CUDA_SUCCESS);
    return err;
}

static CUresult wait_for_value(void)
{
    CUstream s;
    CUresult err = stream_create(ctx, CU_STREAM_NON_BLOCKING, 0, &s);
    if (err)
        return err;
    struct memop m[2] = {
        {.kind = MEMOP_WAIT, .address = device, .value = 0},
        {.kind = MEMOP_WRITE, .address = device + 8, .value = 1}};
    err = stream_memops(s, m, 2);
    CHECK_EQUAL(stream_synchronize(s), CUDA_SUCCESS);
    CHECK_EQUAL(stream_destroy(s), CUDA_SUCCESS);
    return err;
}

static CUresult advise_range(void)
{
    CUdeviceptr p = 0;
    const CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
    CUresult err = mem_alloc_managed(ctx, &p, 1 << 20, CU_MEM_ATTACH_GLOBAL);
    if (err)
        return err;
    err = range_advise(p + 8192, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, here);
    if (!err)
        err = range_prefetch(p, 1 << 20, here);
    CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
    return err;
}

""",1)
s=s.replace("""    {"stream_submit", launch_nothing},
""","""    {"stream_submit", launch_nothing},
    {"array_create", create_array},
    {"mipmap_create", create_mipmap},
    {"pool_create", create_pool},
    {"virtual_map", map_memory},
    {"event_create shared", create_shared_event},
    {"stream_memops", wait_for_value},
    {"range_advise", advise_range},
""",1)
open(p,'w').write(s)
