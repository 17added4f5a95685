/* SPDX-License-Identifier: Apache-2.0 */
/* Which parameters of tiled tensor maps are taken: as an H200 answered 4,000
 * random calls, whose rules these rows are. */
#include "check.h"

#include <stdlib.h>

#define F16 CU_TENSOR_MAP_DATA_TYPE_FLOAT16
#define F32 CU_TENSOR_MAP_DATA_TYPE_FLOAT32
#define F64 CU_TENSOR_MAP_DATA_TYPE_FLOAT64
#define S64 CU_TENSOR_MAP_DATA_TYPE_INT64
#define U8  CU_TENSOR_MAP_DATA_TYPE_UINT8

#define STRIDES_END ((cuuint64_t)1 << 40)
#define DIM_MAX     ((cuuint64_t)1 << 32)

static const struct row {
    CUresult answer;
    CUtensorMapDataType type;
    unsigned rank, interleave, swizzle;
    cuuint64_t dim[5], stride[4];
    cuuint32_t box[5], step[5];
} rows[] = {
    {0, F32, 1, 0, 3, {2}, {0}, {8}, {1}},
    {0, F16, 3, 0, 0, {100, 2, 2}, {16, 4096}, {8, 8, 64}, {1, 1, 1}},
    /* strides need not grow, nor reach over a row */
    {0, F64, 2, 0, 0, {100, 1}, {64}, {128, 8}, {1, 1}},
    {0, F32, 3, 2, 1, {1, 100, 64}, {4096, 4096}, {32, 8, 64}, {1, 1, 1}},
    /* a box fits in a block's shared memory; steps count rounded down */
    {1, F64, 3, 0, 3, {100, 2, 100}, {64, 16}, {16, 256, 8}, {1, 1, 1}},
    {1, U8, 3, 1, 3, {100, 100, 100}, {64, 16}, {32, 64, 128}, {1, 1, 1}},
    {1,
     S64,
     5,
     1,
     0,
     {1024, 2, 64, 64, 2},
     {4096, 32, 16, 64},
     {64, 32, 16, 16, 128},
     {1, 1, 1, 1, 1}},
    {0, F64, 2, 0, 0, {1024, 2}, {64}, {256, 128}, {4, 1}},
    {0,
     S64,
     5,
     1,
     1,
     {100, 1024, 100, 16, 64},
     {4096, 4096, 64, 4096},
     {32, 64, 8, 8, 8},
     {7, 1, 1, 5, 1}},
    {0,
     F64,
     5,
     1,
     0,
     {100, 2, 1024, 64, 1024},
     {4096, 32, 64, 32},
     {2, 32, 64, 16, 128},
     {5, 3, 1, 1, 1}},
    /* rows of whole chunks, with slices too */
    {1, F16, 3, 1, 3, {1024, 64, 100}, {16, 32}, {4, 8, 16}, {1, 1, 1}},
    {1, U8, 3, 1, 1, {1, 2, 16}, {4096, 32}, {8, 128, 16}, {1, 1, 1}},
    /* any swizzle goes with slices of 32 bytes */
    {0, F32, 3, 2, 0, {1, 64, 1024}, {32, 4096}, {8, 16, 32}, {1, 1, 2}},
    {0, F32, 3, 2, 3, {64, 64, 1024}, {32, 64}, {8, 16, 64}, {7, 1, 3}},
    /* the bounds that the driver API's reference names: strides */
    {1, F32, 2, 0, 0, {64, 64}, {264}, {8, 8}, {1, 1}},
    {1, F32, 3, 2, 0, {64, 64, 64}, {4096, 272}, {8, 8, 8}, {1, 1, 1}},
    {0, F32, 3, 1, 0, {64, 64, 64}, {4096, 272}, {8, 8, 8}, {1, 1, 1}},
    {0, F32, 2, 0, 0, {64, 64}, {STRIDES_END - 16}, {8, 8}, {1, 1}},
    {1, F32, 2, 0, 0, {64, 64}, {STRIDES_END}, {8, 8}, {1, 1}},
    /* steps, sizes, boxes */
    {0, F32, 2, 0, 0, {64, 64}, {256}, {8, 8}, {8, 8}},
    {1, F32, 2, 0, 0, {64, 64}, {256}, {8, 8}, {1, 9}},
    {1, F32, 2, 0, 0, {64, 64}, {256}, {8, 8}, {1, 0}},
    {0, F32, 2, 0, 0, {64, DIM_MAX}, {256}, {8, 8}, {1, 1}},
    {1, F32, 2, 0, 0, {64, DIM_MAX + 1}, {256}, {8, 8}, {1, 1}},
    {1, F32, 2, 0, 0, {64, 0}, {256}, {8, 8}, {1, 1}},
    {0, F32, 2, 0, 0, {64, 64}, {256}, {8, 256}, {1, 1}},
    {1, F32, 2, 0, 0, {64, 64}, {256}, {8, 257}, {1, 1}},
    {1, F32, 2, 0, 0, {64, 64}, {256}, {8, 0}, {1, 1}},
    /* ranks */
    {1, F32, 0, 0, 0, {64, 64}, {256}, {8, 8}, {1, 1}},
    {1, F32, 6, 0, 0, {64, 64}, {256}, {8, 8}, {1, 1}},
    {1, F32, 2, 1, 0, {64, 64}, {256}, {8, 8}, {1, 1}},
};

static CUresult encode(const struct row *r, void *map, CUdeviceptr p)
{
    return cuTensorMapEncodeTiled(
        map, r->type, r->rank, (void *)(uintptr_t)p, r->dim, r->stride, r->box,
        r->step, (CUtensorMapInterleave)r->interleave,
        (CUtensorMapSwizzle)r->swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

int main(void)
{
    CUcontext ctx;
    CUdeviceptr p, managed;
    char *map = aligned_alloc(64, 256);
    CU_OK(cuInit(0));
    CU_GIVES(INVALID_CONTEXT, encode(&rows[0], map, 4096));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuMemAlloc(&p, 1 << 20));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CUresult answer = encode(&rows[i], map, p);
        if (answer != rows[i].answer)
            printf("row %zu: %d, expected %d\n", i, answer, rows[i].answer);
        CHECK(answer == rows[i].answer);
    }
    /* the map's own alignment, the memory's, and NULL */
    CU_OK(encode(&rows[0], map + 16, p));
    CU_OK(encode(&rows[0], map + 32, p));
    CU_GIVES(INVALID_VALUE, encode(&rows[0], NULL, p));
    CU_GIVES(INVALID_VALUE, encode(&rows[0], map, p + 8));
    CU_OK(encode(&rows[0], map, p + 16));
    /* managed memory is nothing that could be registered */
    CU_OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    CU_GIVES(INVALID_VALUE, cuMemHostUnregister((void *)(uintptr_t)managed));
    free(map);
    return check_result();
}
