/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies by tensor maps that are not legal end the kernel with an illegal
 * instruction. Changes of maps are taken, whatever they write: a copy by what
 * comes of them is refused. Answers are an H200's, but for those copies.
 *
 *     driver-tensor_faults [ROW]
 */
#include "check.h"

enum { SIDE = 64, BOX = 8, MAP_BYTES = 128 };
enum map { PLANE, VOLUME, ZEROS, MAPS };

/* %m is the map, %s the box in shared memory, %b the barrier. */
#define LOAD(dims, how, at, more)                                              \
    "cp.async.bulk.tensor." dims ".shared::cluster.global" how                 \
    ".mbarrier::complete_tx::bytes [%s], [%m, " at "], [%b]" more ";\n"        \
    "mbarrier.arrive.expect_tx.shared::cta.b64 %t, [%b], %n;\n"                \
    "W: mbarrier.try_wait.parity.shared::cta.b64 %p, [%b], 0;\n"               \
    "@!%p bra W;\n"
#define WAIT "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
#define STORE(dims, at)                                                        \
    "cp.async.bulk.tensor." dims ".global.shared::cta.bulk_group [%m, " at     \
    "], [%s];\n" WAIT
#define REDUCE(op, at)                                                         \
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta." op                    \
    ".bulk_group [%m, " at "], [%s];\n" WAIT
#define SEEN          "fence.proxy.tensormap::generic.acquire.gpu [%m], 128;\n"
#define REPLACE(what) "tensormap.replace.tile." what ";\n"

static const struct {
    enum map map;
    const char *code;
    CUresult answer;
} rows[] = {
    {PLANE, LOAD("2d", "", "{0, 0}", ""), 0},
    {PLANE, LOAD("2d", "", "{-4, -1}", ""), 0},
    {PLANE, LOAD("2d", "", "{1, 0}", ""), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE, LOAD("1d", "", "{0}", ""), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE, LOAD("3d", "", "{0, 0, 0}", ""), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {VOLUME, LOAD("3d", ".tile", "{0, 0, 0}", ""), 0},
    {VOLUME, LOAD("3d", ".im2col", "{0, 0, 0}", ", {%h}"),
     CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {ZEROS, LOAD("2d", "", "{0, 0}", ""), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE, STORE("2d", "{60, 60}"), 0},
    {PLANE, STORE("2d", "{-4, 0}"), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE, STORE("2d", "{0, -1}"), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE, STORE("2d", "{2, 0}"), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE, REDUCE("add", "{0, 0}"), 0},
    {PLANE, REDUCE("and", "{0, 0}"), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE, REDUCE("inc", "{0, 0}"), CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE, REPLACE("element_stride.global.b1024.b32 [%m], 1, 2"), 0},
    {PLANE, REPLACE("element_stride.global.b1024.b32 [%m], 1, 0"), 0},
    {PLANE, REPLACE("element_stride.global.b1024.b32 [%m], 1, 9"), 0},
    {PLANE, REPLACE("rank.global.b1024.b32 [%m], 4"), 0},
    {PLANE, REPLACE("rank.global.b1024.b32 [%m], 5"), 0},
    {PLANE,
     REPLACE("element_stride.global.b1024.b32 [%m], 1, 0")
         SEEN LOAD("2d", "", "{0, 0}", ""),
     CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE,
     REPLACE("element_stride.global.b1024.b32 [%m], 1, 9")
         SEEN LOAD("2d", "", "{0, 0}", ""),
     CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {PLANE,
     REPLACE("rank.global.b1024.b32 [%m], 5") SEEN LOAD("2d", "", "{0, 0}", ""),
     CUDA_ERROR_ILLEGAL_INSTRUCTION},
};

static CUdeviceptr tensor, maps;

static void encode(void *map, unsigned rank)
{
    const cuuint64_t dim[3] = {SIDE, SIDE, 1};
    const cuuint64_t stride[2] = {SIDE * 4, SIDE * SIDE * 4};
    const cuuint32_t box[3] = {BOX, BOX, 1}, step[3] = {1, 1, 1};
    CU_OK(cuTensorMapEncodeTiled(
        map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, (void *)(uintptr_t)tensor,
        dim, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
}

static void begin(void)
{
    static _Alignas(64) unsigned char texts[MAPS][MAP_BYTES];
    CUcontext ctx;
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuMemAlloc(&tensor, SIDE * SIDE * 4));
    CU_OK(cuMemsetD8(tensor, 0, SIDE * SIDE * 4));
    CU_OK(cuMemAlloc(&maps, sizeof texts));
    encode(texts[PLANE], 2);
    encode(texts[VOLUME], 3);
    CU_OK(cuMemcpyHtoD(maps, texts, sizeof texts));
}

static CUfunction make_kernel(const char *code)
{
    char text[4096];
    CUmodule m;
    CUfunction f = NULL;
    snprintf(text, sizeof text,
             ".version 8.3\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k(.param .u64 map)\n{\n"
             ".shared .align 128 .b8 box[512]; .shared .b64 bar;\n"
             ".reg .u64 %%m, %%t; .reg .u32 %%s, %%b, %%n; .reg .pred %%p;\n"
             ".reg .b16 %%h;\n"
             "ld.param.u64 %%m, [map]; cvta.to.global.u64 %%m, %%m;\n"
             "mov.u32 %%s, box; mov.u32 %%b, bar; mov.u32 %%n, 256;\n"
             "mov.b16 %%h, 0; st.shared.u32 [%%s], 1;\n"
             "mbarrier.init.shared::cta.b64 [%%b], 1;\n"
             "fence.proxy.async;\n%sret;\n}\n",
             code);
    CU_OK(cuModuleLoadData(&m, text));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    return f;
}

static void check_row(size_t i)
{
    begin();
    CUdeviceptr map = maps + (unsigned)rows[i].map * MAP_BYTES;
    void *args[] = {&map};
    CUfunction f = make_kernel(rows[i].code);
    CUresult err = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
    if (!err)
        err = cuCtxSynchronize();
    if (err != rows[i].answer)
        printf("row %zu: %d, not %d\n", i, err, rows[i].answer);
    CHECK(err == rows[i].answer);
    CU_OK(cuDevicePrimaryCtxReset(0));
    CU_OK(cuDevicePrimaryCtxRelease(0));
}

int main(int argc, char **argv)
{
    const size_t count = sizeof rows / sizeof *rows;
    CU_OK(cuInit(0));
    for (size_t i = 0; i < count; i++)
        if (argc < 2 || i == (size_t)atoi(argv[1]))
            check_row(i);
    return check_result();
}
