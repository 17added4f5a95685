/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bulk copies of odd sizes and addresses. Of a size that is no multiple of 16,
 * as much is moved as there is of those, and the mbarrier that expects all of
 * it goes on waiting; addresses that are no multiple of 16 end the kernel, of
 * prefetches too. All as an H200 answered.
 */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

/* Bytes from %g + `from` to shared memory at `to`; g[1]: 99 if the mbarrier was
 * waited for in vain. */
#define LOAD(to, from, bytes)                                                  \
    "add.u32 %r1, %s, " to "; add.u64 %d1, %g, " from "; mov.u32 %r3, " bytes  \
    ";\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], %r3;\n"             \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "       \
    "[%r1],\n"                                                                 \
    "    [%d1], %r3, [%b];\nmov.u32 %r9, 0;\n"                                 \
    "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%b], 0;\n"              \
    "@%p1 bra D;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p2, %r9, 200;\n"          \
    "@%p2 bra W;\nst.global.u32 [%g+4], 99;\nD:\n"
#define STORE(to, from, bytes)                                                 \
    "add.u64 %d1, %g, " to "; add.u32 %r1, %s, " from "; mov.u32 %r3, " bytes  \
    ";\ncp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], %r3;\n"      \
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
#define REDUCE(to, from, bytes)                                                \
    "add.u64 %d1, %g, " to "; add.u32 %r1, %s, " from "; mov.u32 %r3, " bytes  \
    ";\ncp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1],\n"   \
    "    [%r1], %r3;\n"                                                        \
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
#define PREFETCH(from, bytes)                                                  \
    "add.u64 %d1, %g, " from "; mov.u32 %r3, " bytes                           \
    ";\ncp.async.bulk.prefetch.L2.global [%d1], %r3;\n"

#define MISALIGNED CUDA_ERROR_MISALIGNED_ADDRESS

static const struct row {
    const char *code;
    CUresult answer;
    unsigned waited; /* 99: in vain */
} rows[] = {
    {LOAD("1024", "1024", "64"), 0, 0},
    {LOAD("1028", "1024", "64"), MISALIGNED, 0},
    {LOAD("1032", "1024", "64"), MISALIGNED, 0},
    {LOAD("1024", "1028", "64"), MISALIGNED, 0},
    {LOAD("1024", "1032", "64"), MISALIGNED, 0},
    {LOAD("1024", "1024", "0"), 0, 0},
    {LOAD("1024", "1024", "4"), 0, 99},
    {LOAD("1024", "1024", "8"), 0, 99},
    {LOAD("1024", "1024", "24"), 0, 99},
    {LOAD("1024", "1024", "17"), 0, 99},
    {LOAD("1028", "1024", "0"), 0, 0},
    {STORE("1024", "1024", "64"), 0, 0},
    {STORE("1028", "1024", "64"), MISALIGNED, 0},
    {STORE("1024", "1032", "64"), MISALIGNED, 0},
    {STORE("1024", "1024", "8"), 0, 0},
    {STORE("1024", "1024", "24"), 0, 0},
    {REDUCE("1028", "1024", "64"), MISALIGNED, 0},
    {REDUCE("1024", "1024", "8"), 0, 0},
    {PREFETCH("1024", "64"), 0, 0},
    {PREFETCH("1028", "64"), MISALIGNED, 0},
    {PREFETCH("1032", "64"), MISALIGNED, 0},
    {PREFETCH("1024", "8"), 0, 0},
};

static void check_row(const struct row *r)
{
    static char ptx[8192];
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    CUdeviceptr g;
    unsigned out[2] = {0};
    void *args[] = {&g};
    snprintf(ptx, sizeof ptx,
             ".version 8.1\n.target sm_90\n.address_size 64\n"
             ".visible .entry k(.param .u64 p) {\n"
             ".shared .align 128 .b8 s[4096]; .shared .align 8 .b8 bar[8];\n"
             ".reg .b32 %%r<10>, %%s, %%b; .reg .b64 %%d<2>, %%g;\n"
             ".reg .pred %%p<3>;\nmov.u32 %%s, s; mov.u32 %%b, bar;\n"
             "ld.param.u64 %%g, [p];\nmbarrier.init.shared.b64 [%%b], 1;\n"
             "fence.proxy.async;\n%sst.global.u32 [%%g], 1;\nret;\n}\n",
             r->code);
    CU_OK(cuInit(0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuModuleLoadData(&m, ptx));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_OK(cuMemAlloc(&g, 1 << 16));
    CU_OK(cuMemsetD8(g, 0, 1 << 16));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    check_gives(__FILE__, __LINE__, r->code, r->answer, cuCtxSynchronize());
    if (r->answer)
        return;
    CU_OK(cuMemcpyDtoH(out, g, sizeof out));
    CHECK(out[0] == 1);
    CHECK(out[1] == r->waited);
}

/* A process for each row, since a failed context ends it. */
int main(void)
{
    int status, bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fflush(stdout);
        if (fork() == 0) {
            check_row(&rows[i]);
            fflush(stdout);
            _exit(failures != 0);
        }
        wait(&status);
        bad += status != 0;
    }
    return bad != 0;
}
