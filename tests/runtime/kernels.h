/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device code for C tests: PTX text, registered as a compiler's constructor
 * would do it. The host functions only have addresses.
 */
#ifndef TESTS_RUNTIME_KERNELS_H
#define TESTS_RUNTIME_KERNELS_H

#include <cuda_runtime.h>

static const char kernels_ptx[] =
    ".version 7.0\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .global .align 4 .u32 counter = 5;\n"
    ".visible .const .align 4 .u32 table[4] = {1, 2, 3, 4};\n"
    ".visible .global .align 4 .u32 managed_value = 7;\n"
    /* p[thread of the grid] = value */
    ".visible .entry store(.param .u64 p, .param .u32 value)\n"
    "{\n"
    "    .reg .b32 %r<6>; .reg .b64 %d<4>;\n"
    "    ld.param.u64 %d1, [p];\n"
    "    ld.param.u32 %r1, [value];\n"
    "    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    mul.wide.u32 %d2, %r5, 4;\n"
    "    add.s64 %d3, %d1, %d2;\n"
    "    st.global.u32 [%d3], %r1;\n"
    "    ret;\n"
    "}\n"
    /* counter += table[2] + managed_value */
    ".visible .entry count()\n"
    "{\n"
    "    .reg .b32 %r<6>;\n"
    "    ld.global.u32 %r1, [counter];\n"
    "    ld.const.u32 %r2, [table+8];\n"
    "    ld.global.u32 %r3, [managed_value];\n"
    "    add.u32 %r4, %r1, %r2; add.u32 %r5, %r4, %r3;\n"
    "    st.global.u32 [counter], %r5;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry small() .maxntid 64, 1, 1 { ret; }\n"
    ".visible .entry stray()\n"
    "{\n"
    "    .reg .b64 %d<2>; mov.u64 %d1, 64; st.global.u32 [%d1], 1; ret;\n"
    "}\n"
    ".visible .entry stop() { trap; ret; }\n"
    /* until *p is not 0; what does not look like it, since `zero` may be any
     * number */
    ".visible .entry held(.param .u64 p, .param .u32 zero)\n"
    "{\n"
    "    .reg .b32 %r<3>; .reg .b64 %d<2>; .reg .pred %p<2>;\n"
    "    ld.param.u64 %d1, [p]; ld.param.u32 %r1, [zero];\n"
    "LOOP: atom.global.add.u32 %r2, [%d1], %r1;\n"
    "    setp.eq.u32 %p1, %r2, 0; @%p1 bra LOOP; ret;\n"
    "}\n";

static struct {
    int magic, version;
    const void *image;
    void *more;
} kernels_wrapper = {0x466243b1, 1, kernels_ptx, 0};

/* Keys; never called, never read on the host. */
static char store, count, small, stray, stop, held;
static unsigned counter, table[4];
static unsigned *managed_value;

static void **kernels;

static inline void register_kernel(char *key, const char *name)
{
    __cudaRegisterFunction(kernels, key, key, name, -1, 0, 0, 0, 0, 0);
}

static inline void kernels_register(void)
{
    kernels = __cudaRegisterFatBinary(&kernels_wrapper);
    register_kernel(&store, "store");
    register_kernel(&count, "count");
    register_kernel(&small, "small");
    register_kernel(&stray, "stray");
    register_kernel(&stop, "stop");
    register_kernel(&held, "held");
    __cudaRegisterVar(kernels, (char *)&counter, (char *)&counter, "counter", 0,
                      sizeof counter, 0, 0);
    __cudaRegisterVar(kernels, (char *)table, (char *)table, "table", 0,
                      sizeof table, 1, 0);
    __cudaRegisterManagedVar(kernels, (void **)&managed_value,
                             (char *)&managed_value, "managed_value", 0,
                             sizeof *managed_value, 0, 0);
    /* references of old programs: they register, binding them refuses */
    static struct textureReference texture;
    static struct surfaceReference surface;
    __cudaRegisterTexture(kernels, &texture, NULL, "texture", 2, 0, 0);
    __cudaRegisterSurface(kernels, &surface, NULL, "surface", 2, 0);
    __cudaRegisterFatBinaryEnd(kernels);
}

static inline void kernels_unregister(void)
{
    __cudaUnregisterFatBinary(kernels);
}

static inline dim3 dim(unsigned x, unsigned y, unsigned z)
{
    dim3 d = {x, y, z};
    return d;
}

/* count x 4 bytes at p become value, one thread each. */
static inline cudaError_t launch_store(void *p, unsigned value, unsigned n,
                                       cudaStream_t stream)
{
    void *args[] = {&p, &value};
    return cudaLaunchKernel(&store, dim(n / 32, 1, 1), dim(32, 1, 1), args, 0,
                            stream);
}

#endif
