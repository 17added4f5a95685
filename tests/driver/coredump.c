/* SPDX-License-Identifier: Apache-2.0 */
/* Core files: settings, names, and what a debugger finds in one. */
#define _GNU_SOURCE
#include "check.h"

#include <elf.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k()\n"
    "{ .reg .u64 %d; .reg .u32 %r<4>; .reg .pred %p;\n"
    "  .shared .u32 seen[64];\n"
    "  mov.u32 %r0, %tid.y; mov.u32 %r1, %ctaid.x;\n"
    "  mov.u32 %r2, %tid.x; mad.lo.u32 %r2, %r0, 8, %r2; shl.b32 %r2, %r2, 2;\n"
    "  mov.u32 %r3, seen; add.u32 %r3, %r3, %r2; mad.lo.u32 %r2, %r1, 1000, "
    "%r2;\n"
    "  st.volatile.shared.u32 [%r3], %r2; bar.sync 0;\n"
    "  mad.lo.u32 %r0, %r1, 10, %r0; setp.ne.u32 %p, %r0, 21;\n"
    "  @%p bra DONE; mov.u64 %d, 16; st.global.u32 [%d], %r0;\n"
    "DONE: ret; }\n";

/* ---- settings ------------------------------------------------------------ */

static void flags(void)
{
    bool on = true, is = false;
    size_t size = sizeof is;
    CU_OK(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is, &size));
    CHECK(!is && size == 1);
    CU_OK(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &size));
    CU_OK(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is, &size));
    CHECK(is);
    CU_OK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &is,
                                       &size));
    CHECK(!is);
    CU_OK(cuCoredumpGetAttribute(CU_COREDUMP_TRIGGER_HOST, &is, &size));
    CHECK(is);
    size = 4; /* not a flag's */
    CU_GIVES(INVALID_VALUE, cuCoredumpGetAttribute(
                                CU_COREDUMP_ENABLE_ON_EXCEPTION, &is, &size));
    CU_GIVES(INVALID_VALUE, cuCoredumpSetAttribute(
                                CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &size));
    CU_OK(cuCoredumpGetAttribute(CU_COREDUMP_LIGHTWEIGHT, NULL, &size));
    CHECK(size == 1);
    CU_OK(cuCoredumpGetAttribute(CU_COREDUMP_GENERATION_FLAGS, NULL, &size));
    CHECK(size == 4);
    CU_GIVES(INVALID_VALUE,
             cuCoredumpSetAttribute(CU_COREDUMP_FILE, &on, NULL));
    CU_GIVES(INVALID_VALUE,
             cuCoredumpGetAttribute((CUcoredumpSettings)77, &is, &size));
}

/* What users trigger is of the process. */
static void triggered(void)
{
    bool on = true;
    size_t size = sizeof on;
    CU_GIVES(INVALID_VALUE, cuCoredumpGetAttribute(
                                CU_COREDUMP_ENABLE_USER_TRIGGER, &on, &size));
    CU_GIVES(INVALID_VALUE, cuCoredumpSetAttribute(
                                CU_COREDUMP_ENABLE_USER_TRIGGER, &on, &size));
    CU_OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_USER_TRIGGER, &on,
                                       &size));
    CU_GIVES(INVALID_VALUE,
             cuCoredumpGetAttribute(CU_COREDUMP_PIPE, NULL, &size));
    CU_OK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_PIPE, NULL, &size));
    CHECK(size == 1024);
}

static void names(void)
{
    char out[64] = "x", name[] = "own.%p.core";
    size_t size = sizeof out;
    CU_OK(cuCoredumpGetAttribute(CU_COREDUMP_FILE, out, &size));
    CHECK(!*out && size == sizeof out); /* the usual one */
    size = sizeof name;
    CU_OK(cuCoredumpSetAttribute(CU_COREDUMP_FILE, name, &size));
    size = sizeof out;
    CU_OK(cuCoredumpGetAttribute(CU_COREDUMP_FILE, out, &size));
    CHECK(!strcmp(out, name));
    size = 3;
    CU_GIVES(INVALID_VALUE,
             cuCoredumpGetAttribute(CU_COREDUMP_FILE, out, &size));
    CU_OK(cuCoredumpGetAttribute(CU_COREDUMP_FILE, NULL, &size));
    CHECK(size == 1024);
    CU_OK(cuCoredumpSetAttribute(CU_COREDUMP_FILE, NULL, &size));
}

/* ---- a file -------------------------------------------------------------- */

static uint8_t *contents; /* of a core file */

static const Elf64_Shdr *find_section(uint32_t type)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)contents;
    const Elf64_Shdr *s = (const Elf64_Shdr *)(contents + h->e_shoff);
    for (unsigned i = 0; i < h->e_shnum; i++) {
        if (s[i].sh_type == SHT_LOUSER + type)
            return &s[i];
    }
    return NULL;
}

static uint32_t word(const Elf64_Shdr *s, size_t row, size_t offset)
{
    uint32_t value;
    memcpy(&value, contents + s->sh_offset + row * s->sh_entsize + offset,
           sizeof value);
    return value;
}

enum {
    GLOBAL = 2,
    SHARED = 4,
    GRIDS = 12,
    BLOCKS = 13,
    WARPS = 14,
    LANES = 15
};

/* Block 2 of 4 x 1 x 1 failed, in the thread (?, 1, 0) of 8 x 8 x 1. */
static void look(bool has_memory)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)contents;
    CHECK(h->e_machine == 190 && h->e_type == ET_CORE);
    const Elf64_Shdr *grids = find_section(GRIDS), *blocks, *lanes;
    CHECK(grids && grids->sh_size == grids->sh_entsize);
    CHECK(word(grids, 0, 72) == 4 && word(grids, 0, 84) == 8 &&
          word(grids, 0, 88) == 8);
    blocks = find_section(BLOCKS);
    CHECK(blocks && word(blocks, 0, 8) == 2);
    CHECK(word(find_section(WARPS), 0, 8) == 0);
    lanes = find_section(LANES);
    CHECK(lanes->sh_size == 32 * lanes->sh_entsize);
    CHECK(word(lanes, 9, 20) == 1 && word(lanes, 9, 24) == 1);
    CHECK(word(lanes, 9, 32) == 14); /* illegal address, of a warp */
    const Elf64_Shdr *shared = find_section(SHARED);
    CHECK((shared != NULL) == has_memory);
    if (shared) {
        CHECK(shared->sh_size == 64 * 4 && shared->sh_link == 7);
        for (unsigned i = 0; i < 64; i++) /* of block 2 */
            CHECK(word(shared, 0, 4 * i) == 2000 + 4 * i);
    }
    const Elf64_Shdr *memory = find_section(GLOBAL);
    CHECK((memory != NULL) == has_memory);
    CHECK(!memory || contents[memory->sh_offset] == 0x5a);
}

static void read_file(const char *path)
{
    FILE *in = fopen(path, "re");
    CHECK(in != NULL);
    contents = calloc(1, 1 << 20);
    CHECK(in && fread(contents, 1, 1 << 20, in) > sizeof(Elf64_Ehdr));
    if (in)
        fclose(in);
    remove(path);
}

static void fail(void)
{
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    CUcontext ctx;
    CU_OK(cuInit(0));
    CU_OK(cuCtxCreate(&ctx, 0, 0));
    CU_OK(cuMemAlloc(&p, 4096));
    CU_OK(cuMemsetD8(p, 0x5a, 4096));
    CU_OK(cuModuleLoadData(&m, text));
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_OK(cuLaunchKernel(f, 4, 1, 1, 8, 8, 1, 0, NULL, NULL, NULL));
    CU_GIVES(ILLEGAL_ADDRESS, cuCtxSynchronize());
}

/* In a process of its own; the environment decides. */
static void failing(const char *flags_text, int signal, bool has_memory)
{
    char path[100];
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        setenv("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1", 1);
        setenv("CUDA_COREDUMP_FILE", "weft-test-%p-%%.core", 1);
        setenv("CUDA_COREDUMP_GENERATION_FLAGS", flags_text, 1);
        fail();
        _exit(failures);
    }
    waitpid(pid, &status, 0);
    CHECK(signal ? WIFSIGNALED(status) && WTERMSIG(status) == signal
                 : WIFEXITED(status) && WEXITSTATUS(status) == 0);
    snprintf(path, sizeof path, "weft-test-%d-%%%%.core", (int)pid);
    read_file(path);
    look(has_memory);
    free(contents);
}

/* Names of 1,023 characters fit; a flag without a value stays as it is. */
static void settings(void)
{
    bool is_on = true, got = false;
    size_t one = 1, most = 1024, more = 1025;
    char name[1024], found[1024];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    CU_OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_LIGHTWEIGHT, &is_on, &one));
    CU_OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_LIGHTWEIGHT, NULL, &one));
    CU_OK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_LIGHTWEIGHT, &got, &one));
    CHECK(got);
    CU_OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, name, &most));
    CU_OK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, found, &most));
    CHECK(strcmp(found, name) == 0);
    CU_GIVES(INVALID_VALUE,
             cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, name, &more));
}

int main(void)
{
    CUcontext ctx;
    size_t size = sizeof ctx;
    failing("", SIGABRT, true);
    failing("skip_abort,skip_global_memory,skip_shared_memory", 0, false);
    CU_OK(cuInit(0));
    /* What is no setting is refused before the context is looked for. */
    CU_GIVES(INVALID_VALUE,
             cuCoredumpGetAttribute((CUcoredumpSettings)0, &ctx, &size));
    CU_GIVES(INVALID_CONTEXT,
             cuCoredumpGetAttribute(CU_COREDUMP_LIGHTWEIGHT, &ctx, &size));
    CU_OK(cuCtxCreate(&ctx, 0, 0));
    flags();
    triggered();
    names();
    settings();
    CU_OK(cuCtxDestroy(ctx));
    return check_result();
}
