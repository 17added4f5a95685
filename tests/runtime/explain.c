/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program shows when something fails, each time in a process of its own:
 * what the kernel had printed, and a line that says where it failed, or which
 * function is not supported.
 */
#define _GNU_SOURCE
#include "check.h"

#include <cuda_runtime.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Prints, and then stores to `p` from thread `who` of block 2. */
static const char ptx[] =
    ".version 7.0\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 text[9] = {112, 114, 105, 110, 116, 101, 100, 10, "
    "0};\n"
    ".visible .entry fail(.param .u64 p, .param .u32 who)\n"
    "{\n"
    "    .reg .b32 %r<6>; .reg .b64 %d<4>; .reg .pred %p<3>;\n"
    "    ld.param.u64 %d1, [p];\n"
    "    ld.param.u32 %r1, [who];\n"
    "    mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;\n"
    "    setp.ne.u32 %p1, %r3, 2;\n"
    "    @%p1 ret;\n"
    "    setp.ne.u32 %p2, %r2, %r1;\n"
    "    @%p2 ret;\n"
    "    mov.u64 %d2, text; cvta.global.u64 %d2, %d2;\n"
    "    { .param .b64 f; .param .b64 a; .param .b32 r;\n"
    "    st.param.b64 [f], %d2; st.param.b64 [a], 0;\n"
    "    call (r), vprintf, (f, a); }\n"
    "    .loc 1 77 0\n"
    "    st.global.u32 [%d1], %r1;\n"
    "    ret;\n"
    "}\n"
    ".file 1 \"store.cu\"\n";

static struct {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0};
static char fail;

static void launch(void *p, unsigned who)
{
    void *args[] = {&p, &who};
    dim3 grid = {4, 1, 1}, block = {32, 4, 1};
    OK(cudaLaunchKernel(&fail, grid, block, args, 0, 0));
}

static void fault_seen_late(void)
{
    launch((void *)64, 5);
    usleep(300000); /* it has failed before anyone waits for it */
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

static void fault_waited_for(void)
{
    launch((void *)64, 5);
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

static void misaligned(void)
{
    char *p;
    OK(cudaMalloc((void **)&p, 64));
    launch(p + 2, 7);
    GIVES(cudaErrorMisalignedAddress, cudaDeviceSynchronize());
}

static void not_supported(void)
{
    for (int i = 0; i < 2; i++)
        GIVES(cudaErrorNotSupported,
              cudaDeviceGetNvSciSyncAttributes(NULL, 0, 0));
}

/* Everything that the child shows. */
static const char *shown_by(void (*run)(void), const char *variable,
                            const char *value)
{
    static char text[4096];
    int ends[2];
    size_t length = 0;
    ssize_t n;

    CHECK(pipe(ends) == 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv(variable, value, 1);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        void **fatbin = __cudaRegisterFatBinary(&wrapper);
        __cudaRegisterFunction(fatbin, &fail, &fail, "fail", -1, 0, 0, 0, 0, 0);
        __cudaRegisterFatBinaryEnd(fatbin);
        run();
        fflush(stdout);
        _exit(failures != 0);
    }
    close(ends[1]);
    while ((n = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)n;
    text[length] = 0;
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return text;
}

static void expect(const char *found, const char *part, bool is_there)
{
    if ((strstr(found, part) != NULL) == is_there)
        return;
    fprintf(stderr, "'%s' is %sin:\n%s", part, is_there ? "not " : "", found);
    failures++;
}

int main(void)
{
    const char *s = shown_by(fault_seen_late, "WEFT_EXPLAIN", "1");
    expect(s, "printed\n", true);
    expect(s, "weft: kernel fail: illegal address 0x40 in block (2,0,0), ",
           true);
    expect(s, "threads (0,0,0) to (31,0,0), store.cu:77\n", true);
    s = shown_by(fault_waited_for, "WEFT_EXPLAIN", "0");
    expect(s, "printed\n", true);
    expect(s, "weft:", false);
    s = shown_by(fault_waited_for, "WEFT_ENGINE", "emu");
    expect(s, "in block (2,0,0), thread (5,0,0), store.cu:77\n", true);
    s = shown_by(misaligned, "WEFT_EXPLAIN", "");
    expect(s, "misaligned address 0x", true);
    expect(s, "in block (2,0,0), thread (7,0,0), store.cu:77\n", true);
    s = shown_by(not_supported, "WEFT_EXPLAIN", "1");
    expect(s, "weft: cudaDeviceGetNvSciSyncAttributes is not supported", true);
    const char *first = strstr(s, "weft:");
    expect(first ? first + 1 : "", "weft:", false);
    return check_result();
}
