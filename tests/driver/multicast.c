/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multicast objects: what they refuse, and what multimem does with two devices'
 * memory. Without WEFT_DEVICES=2 there are none.
 */
#include "check.h"

#define PART_BYTES ((size_t)2 << 20)

static const char ptx[] =
    ".version 8.3\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 mc, .param .u64 out)\n"
    "{\n"
    "    .reg .b64 %m, %o, %d;\n"
    "    .reg .b32 %t, %r<10>;\n"
    "    .reg .f32 %f<5>;\n"
    "    .reg .b16 %h<3>;\n"
    "    .reg .pred %p;\n"
    "    ld.param.u64 %m, [mc];\n"
    "    ld.param.u64 %o, [out];\n"
    "    mov.u32 %t, %tid.x;\n"
    "    mul.wide.u32 %d, %t, 32;\n"
    "    add.u64 %m, %m, %d;\n"
    "    add.u64 %o, %o, %d;\n"
    "    setp.eq.u32 %p, %t, 1;\n" /* lane 1 does nothing */
    "    @%p bra done;\n"
    /* [0]: 7 * t more in both */
    "    mul.lo.u32 %r1, %t, 7;\n"
    "    multimem.red.relaxed.sys.global.add.u32 [%m], %r1;\n"
    /* [4]: t in both */
    "    multimem.st.relaxed.sys.global.u32 [%m+4], %t;\n"
    /* [8..24): 1, 2, 3, 4 more */
    "    mov.f32 %f1, 0f3f800000; mov.f32 %f2, 0f40000000;\n"
    "    mov.f32 %f3, 0f40400000; mov.f32 %f4, 0f40800000;\n"
    "    multimem.red.relaxed.sys.global.add.v4.f32 [%m+16],\n"
    "        {%f1, %f2, %f3, %f4};\n"
    /* out[0] = sum of [0], out[4] = least of [8], out[8]: halves of [12] */
    "    multimem.ld_reduce.acquire.sys.global.add.u32 %r2, [%m];\n"
    "    st.global.u32 [%o], %r2;\n"
    "    multimem.ld_reduce.weak.global.min.s32 %r3, [%m+8];\n"
    "    st.global.u32 [%o+4], %r3;\n"
    "    multimem.ld_reduce.relaxed.sys.global.add.v2.f16 {%h1, %h2}, [%m+12];\n"
    "    mov.b32 %r4, {%h1, %h2};\n"
    "    st.global.u32 [%o+8], %r4;\n"
    "    multimem.ld_reduce.relaxed.sys.global.add.v4.f32\n"
    "        {%f1, %f2, %f3, %f4}, [%m+16];\n"
    "    st.global.v4.f32 [%o+16], {%f1, %f2, %f3, %f4};\n"
    "done:\n"
    "    ret;\n"
    "}\n";

enum { LANES = 40 };

struct record {
    uint32_t sum, word;
    int32_t least;
    uint32_t halves;
    float singles[4];
};

static void check_none(void)
{
    CUmulticastObjectProp prop = {.numDevices = 1, .size = PART_BYTES};
    CUmemGenericAllocationHandle h;
    size_t grain;
    int has = 1;
    CU_OK(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED,
                               0));
    CHECK(!has);
    CU_GIVES(NOT_SUPPORTED, cuMulticastCreate(&h, &prop));
    CU_GIVES(NOT_SUPPORTED, cuMulticastGetGranularity(&grain, &prop, 0));
    CU_GIVES(NOT_SUPPORTED, cuMulticastAddDevice(0, 0));
    CU_GIVES(NOT_SUPPORTED, cuMulticastBindMem(0, 0, 0, 0, 0, 0));
    CU_GIVES(NOT_SUPPORTED, cuMulticastBindAddr(0, 0, 0, 0, 0));
    CU_GIVES(NOT_SUPPORTED, cuMulticastUnbind(0, 0, 0, 0));
}

static CUmemGenericAllocationHandle memory_of(int device)
{
    CUmemAllocationProp prop = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
    CUmemGenericAllocationHandle h = 0;
    CU_OK(cuMemCreate(&h, 2 * PART_BYTES, &prop, 0));
    return h;
}

static CUdeviceptr mapped(CUmemGenericAllocationHandle h, size_t size_bytes,
                          int device)
{
    CUmemAccessDesc access = {
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device},
        .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUdeviceptr p = 0;
    CU_OK(cuMemAddressReserve(&p, size_bytes, 0, 0, 0));
    CU_OK(cuMemMap(p, size_bytes, 0, h, 0));
    CU_OK(cuMemSetAccess(p, size_bytes, &access, 1));
    return p;
}

static void unmap(CUdeviceptr p, size_t size_bytes)
{
    CU_OK(cuMemUnmap(p, size_bytes));
    CU_OK(cuMemAddressFree(p, size_bytes));
}

static void check_making(void)
{
    CUmulticastObjectProp prop = {.numDevices = 2, .size = PART_BYTES};
    CUmemGenericAllocationHandle h;
    size_t grain = 0;
    CU_OK(cuMulticastGetGranularity(&grain, &prop,
                                    CU_MULTICAST_GRANULARITY_MINIMUM));
    CHECK(grain == PART_BYTES);
    CU_GIVES(INVALID_VALUE, cuMulticastGetGranularity(&grain, &prop, 7));
    CU_GIVES(INVALID_VALUE, cuMulticastGetGranularity(NULL, &prop, 0));
    CU_GIVES(INVALID_VALUE, cuMulticastGetGranularity(&grain, NULL, 0));
    CU_GIVES(INVALID_VALUE, cuMulticastCreate(NULL, &prop));
    CU_GIVES(INVALID_VALUE, cuMulticastCreate(&h, NULL));
    prop.size++;
    CU_GIVES(INVALID_VALUE, cuMulticastCreate(&h, &prop));
    prop.size = 0;
    CU_GIVES(INVALID_VALUE, cuMulticastCreate(&h, &prop));
    prop = (CUmulticastObjectProp){.numDevices = 3, .size = PART_BYTES};
    CU_GIVES(INVALID_VALUE, cuMulticastCreate(&h, &prop));
    prop.numDevices = 2;
    prop.flags = 1;
    CU_GIVES(INVALID_VALUE, cuMulticastCreate(&h, &prop));
    prop.flags = 0;
    prop.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CU_GIVES(NOT_SUPPORTED, cuMulticastCreate(&h, &prop));
}

static void check_binding(CUmemGenericAllocationHandle object,
                          const CUmemGenericAllocationHandle *memory,
                          CUdeviceptr second)
{
    CUmemAllocationProp prop;
    CUdeviceptr p;
    CU_OK(cuMemAddressReserve(&p, 2 * PART_BYTES, 0, 0, 0));
    CU_GIVES(INVALID_VALUE, cuMulticastAddDevice(0, 0));
    CU_GIVES(INVALID_DEVICE, cuMulticastAddDevice(object, 2));
    CU_OK(cuMulticastAddDevice(object, 0));
    CU_GIVES(INVALID_VALUE, cuMulticastAddDevice(object, 0));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindMem(object, 0, memory[0], 0, PART_BYTES, 0));
    CU_GIVES(INVALID_VALUE, cuMemMap(p, 2 * PART_BYTES, 0, object, 0));
    CU_OK(cuMulticastAddDevice(object, 1));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindMem(object, 0, memory[0], 0, PART_BYTES, 1));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindMem(object, 0, 0, 0, PART_BYTES, 0));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindMem(object, 0, object, 0, PART_BYTES, 0));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindMem(memory[1], 0, memory[0], 0, PART_BYTES, 0));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindMem(object, 0, memory[0], PART_BYTES,
                                2 * PART_BYTES, 0));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindMem(object, 4096, memory[0], 0, PART_BYTES, 0));
    /* device 0 by its memory's second half, device 1 by an address */
    CU_OK(cuMulticastBindMem(object, 0, memory[0], PART_BYTES, PART_BYTES, 0));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindMem(object, 0, memory[0], 0, PART_BYTES, 0));
    CU_GIVES(INVALID_VALUE,
             cuMulticastBindAddr(object, 0, second, 3 * PART_BYTES, 0));
    CU_OK(cuMulticastBindAddr(object, 0, second, PART_BYTES, 0));
    CU_GIVES(INVALID_VALUE,
             cuMemGetAllocationPropertiesFromHandle(&prop, object));
    CU_OK(cuMemAddressFree(p, 2 * PART_BYTES));
}

static void run(CUdeviceptr mc, CUdeviceptr out)
{
    void *parameters[] = {&mc, &out};
    CUmodule module;
    CUfunction f;
    CU_OK(cuModuleLoadData(&module, ptx));
    CU_OK(cuModuleGetFunction(&f, module, "k"));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, LANES, 1, 1, 0, NULL, parameters, NULL));
    CU_OK(cuCtxSynchronize());
    CU_OK(cuModuleUnload(module));
}

static struct record before(unsigned i, int device)
{
    return (struct record){.sum = 100 * (unsigned)device + i,
                           .least = device ? -(int)i : 5,
                           .halves = device ? 0x40003c00 : 0x3c004000,
                           .singles = {(float)i, 1, 2, (float)device}};
}

static void check_lane(unsigned i, const struct record *a,
                       const struct record *b, const struct record *out)
{
    struct record x = before(i, 0), y = before(i, 1);
    unsigned added = i == 1 ? 0 : 7 * i;
    float more = i != 1;
    CHECK(a->sum == x.sum + added && b->sum == y.sum + added);
    CHECK(a->word == (i == 1 ? 0 : i) && b->word == a->word);
    CHECK(b->singles[0] == (float)i + more);
    CHECK(a->singles[3] == 4 * more && b->singles[3] == 1 + 4 * more);
    if (i == 1)
        return;
    CHECK(out->sum == a->sum + b->sum);
    CHECK((int32_t)out->word == (i ? -(int)i : 0));
    CHECK((uint32_t)out->least == 0x42004200); /* 3 and 3 in halves */
    CHECK(out->singles[0] == 2 * (float)i + 2 && out->singles[3] == 9);
}

static void check_kernel(CUdeviceptr mc, CUdeviceptr first, CUdeviceptr second)
{
    struct record a[LANES], b[LANES], out[LANES];
    CUdeviceptr results;
    for (unsigned i = 0; i < LANES; i++) {
        a[i] = before(i, 0);
        b[i] = before(i, 1);
    }
    CU_OK(cuMemcpyHtoD(first, a, sizeof a));
    CU_OK(cuMemcpyHtoD(second, b, sizeof b));
    CU_OK(cuMemAlloc(&results, sizeof out));
    CU_GIVES(INVALID_VALUE, cuMemcpyHtoD(mc, a, sizeof a));
    run(mc, results);
    CU_OK(cuMemcpyDtoH(a, first, sizeof a));
    CU_OK(cuMemcpyDtoH(b, second, sizeof b));
    CU_OK(cuMemcpyDtoH(out, results, sizeof out));
    for (unsigned i = 0; i < LANES; i++)
        check_lane(i, &a[i], &b[i], &out[i]);
    CU_OK(cuMemFree(results));
}

int main(void)
{
    CUmulticastObjectProp prop = {.numDevices = 2, .size = 2 * PART_BYTES};
    CUmemGenericAllocationHandle object, memory[2];
    CUcontext ctx;
    int count = 0, has = 0;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGetCount(&count));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    if (count < 2) {
        check_none();
        return check_result();
    }
    CU_OK(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED,
                               0));
    CHECK(has);
    check_making();
    memory[0] = memory_of(0);
    memory[1] = memory_of(1);
    CUdeviceptr first = mapped(memory[0], 2 * PART_BYTES, 0);
    CUdeviceptr second = mapped(memory[1], 2 * PART_BYTES, 1);
    CU_OK(cuMulticastCreate(&object, &prop));
    check_binding(object, memory, second);
    CUdeviceptr mc = mapped(object, 2 * PART_BYTES, 0);
    CU_OK(cuMemRelease(object));
    CU_OK(cuMemRelease(memory[0])); /* the binding keeps it */
    check_kernel(mc, first + PART_BYTES, second);
    CU_OK(cuMemRetainAllocationHandle(&object, (void *)(uintptr_t)mc));
    CU_GIVES(INVALID_VALUE,
             cuMulticastUnbind(object, 0, PART_BYTES, PART_BYTES));
    CU_GIVES(INVALID_DEVICE, cuMulticastUnbind(object, 7, 0, PART_BYTES));
    CU_OK(cuMulticastUnbind(object, 0, 0, PART_BYTES));
    CU_GIVES(INVALID_VALUE, cuMulticastUnbind(object, 0, 0, PART_BYTES));
    unmap(mc, 2 * PART_BYTES);
    CU_OK(cuMemRelease(object));
    CU_GIVES(INVALID_VALUE, cuMemRelease(object));
    unmap(first, 2 * PART_BYTES);
    unmap(second, 2 * PART_BYTES);
    CU_OK(cuMemRelease(memory[1]));
    return check_result();
}
