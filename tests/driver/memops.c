/* SPDX-License-Identifier: Apache-2.0 */
/* Words that streams write and wait for. Errors are what an H200 gives. */
#include "check.h"

#include <unistd.h>

static CUstream a, b;
static CUdeviceptr words;

static _Atomic uint32_t *word(int i)
{
    return (_Atomic uint32_t *)(uintptr_t)words + i;
}

static const struct {
    unsigned flags;
    uint32_t value, waits, passes;
} waits[] = {
    {CU_STREAM_WAIT_VALUE_GEQ, 5, 4, 5},
    {CU_STREAM_WAIT_VALUE_GEQ, 5, 0xffffffff, 1000},
    {CU_STREAM_WAIT_VALUE_GEQ, 0xfffffff0, 0xffffff00, 3}, /* in a circle */
    {CU_STREAM_WAIT_VALUE_EQ, 7, 8, 7},
    {CU_STREAM_WAIT_VALUE_AND, 6, 9, 2},
    {CU_STREAM_WAIT_VALUE_NOR, 0xf, 0xfffffff0, 0xffffff00},
};

static void conditions(void)
{
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        *word(0) = waits[i].waits;
        *word(1) = 0;
        CU_OK(cuStreamWaitValue32(a, words, waits[i].value, waits[i].flags));
        CU_OK(cuStreamWriteValue32(a, words + 4, 1, 0));
        usleep(2000);
        CU_GIVES(NOT_READY, cuStreamQuery(a));
        CHECK(*word(1) == 0);
        CU_OK(cuStreamWriteValue32(b, words, waits[i].passes, 0));
        CU_OK(cuStreamSynchronize(a));
        CHECK(*word(1) == 1);
    }
}

/* The host opens it; 64 bits; the SM threads are free meanwhile. */
static void wide(void)
{
    _Atomic uint64_t *wide_word = (void *)word(0);
    *wide_word = 0;
    for (int i = 0; i < 40; i++) {
        CUstream s;
        CU_OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
        CU_OK(cuStreamWaitValue64(s, words, (uint64_t)1 << 40, 0));
        CU_OK(cuStreamDestroy(s));
    }
    CU_OK(cuStreamWaitValue64(a, words, (uint64_t)1 << 40, 0));
    CU_OK(cuMemsetD32Async(words + 64, 3, 1000000, b));
    CU_OK(cuStreamSynchronize(b));
    CU_GIVES(NOT_READY, cuStreamQuery(a));
    *wide_word = ((uint64_t)1 << 40) + 1;
    CU_OK(cuStreamSynchronize(a));
    CU_OK(cuCtxSynchronize());
    CU_OK(cuStreamWriteValue64(a, words + 8, UINT64_MAX, 0));
    CU_OK(cuStreamSynchronize(a));
    CHECK(wide_word[1] == UINT64_MAX);
}

static void batch(void)
{
    CUstreamBatchMemOpParams ops[4] = {0};
    *word(0) = *word(1) = *word(2) = 0;
    ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    ops[0].writeValue.address = words;
    ops[0].writeValue.value = 11;
    ops[1].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
    ops[2].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    ops[2].waitValue.address = words + 4;
    ops[2].waitValue.value = 1;
    ops[3].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    ops[3].writeValue.address = words + 8;
    ops[3].writeValue.value64 = 12;
    CU_OK(cuStreamBatchMemOp(a, 4, ops, 0));
    while (*word(0) != 11)
        usleep(100);
    usleep(2000);
    CHECK(*word(2) == 0);
    *word(1) = 1;
    CU_OK(cuStreamSynchronize(a));
    CHECK(*word(2) == 12);
    CU_OK(cuStreamBatchMemOp(a, 0, NULL, 0));
    CU_GIVES(INVALID_VALUE, cuStreamBatchMemOp(a, 1, NULL, 0));
    CU_GIVES(INVALID_VALUE, cuStreamBatchMemOp(a, 4, ops, 1));
    CU_GIVES(INVALID_VALUE, cuStreamBatchMemOp(a, 256, ops, 0));
    ops[3].operation = (CUstreamBatchMemOpType)99;
    ops[0].writeValue.value = 13;
    CU_GIVES(INVALID_VALUE, cuStreamBatchMemOp(a, 4, ops, 0));
    CU_OK(cuStreamSynchronize(a));
    CHECK(*word(0) == 11); /* none of them is done */
}

static void wrong(void)
{
    unsigned host = 1;
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue32(a, words + 1, 5, 0));
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue64(a, words + 4, 5, 0));
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue32(a, words, 5, 8));
    CU_GIVES(INVALID_VALUE,
             cuStreamWriteValue32(a, words, 5,
                                  CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    CU_GIVES(INVALID_VALUE, cuStreamWaitValue32(a, words, 5, 9));
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue32(a, 0, 5, 0));
    CU_GIVES(INVALID_VALUE, cuStreamWriteValue32(a, words + (8 << 20), 5, 0));
    CU_GIVES(INVALID_VALUE,
             cuStreamWaitValue32(a, (uintptr_t)&host & ~(uintptr_t)3, 1, 1));
}

int main(void)
{
    CUdevice dev;
    CUcontext ctx;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&dev, 0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, dev));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuMemAlloc(&words, 8 << 20));
    CU_OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    CU_OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    conditions();
    wide();
    batch();
    wrong();
    CU_OK(cuMemFree(words));
    return check_result();
}
