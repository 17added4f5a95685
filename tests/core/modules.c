/* SPDX-License-Identifier: Apache-2.0 */
/* Loading PTX, variables and their addresses in each other, launches with
 * right and wrong configurations, reset. */
#define _GNU_SOURCE
#include "../exec/check.h"
#include "core/core.h"
#include "jit/jit.h"

#include <elf.h>
#include <stdlib.h>

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 5;\n"
    ".visible .const .align 4 .b8 table[16] = {1, 2, 3, 4};\n"
    ".visible .global .align 8 .u64 pointer = counter;\n"
    ".visible .entry fill(.param .u64 p_out, .param .u32 p_n)\n"
    "{\n"
    "  .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [p_out];\n"
    "  ld.param.u32 %r1, [p_n];\n"
    "  cvta.to.global.u64 %rd1, %rd1;\n"
    "  mov.u32 %r2, %ctaid.x;\n"
    "  mov.u32 %r3, %ntid.x;\n"
    "  mov.u32 %r4, %tid.x;\n"
    "  mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "  setp.ge.s32 %p, %r5, %r1;\n"
    "  @%p bra done;\n"
    "  mul.wide.s32 %rd2, %r5, 4;\n"
    "  add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.global.u32 %r6, [counter];\n"
    "  add.s32 %r7, %r5, %r6;\n"
    "  st.global.u32 [%rd3], %r7;\n"
    "done:\n"
    "  ret;\n"
    "}\n"
    ".visible .entry store(.param .u64 p_out)\n"
    "{\n"
    "  .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
    "  ld.param.u64 %rd1, [p_out];\n"
    "  mov.u32 %r1, 1;\n"
    "  st.global.u32 [%rd1], %r1;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry bounded() .maxntid 64, 1, 1 { ret; }\n"
    ".visible .entry shared() { .shared .align 4 .b8 s[40000];\n"
    "  .reg .b32 %r<2>; mov.u32 %r1, s; st.shared.u32 [%r1], %r1; ret; }\n";

static CUcontext ctx;
static CUmodule module;

static struct launch_config config(unsigned grid, unsigned block)
{
    struct launch_config c = {.grid = {grid, 1, 1}, .block = {block, 1, 1}};
    CHECK_EQUAL(stream_resolve(ctx, NULL, &c.stream), CUDA_SUCCESS);
    return c;
}

static CUfunction function(const char *name)
{
    CUfunction f = NULL;
    CHECK_EQUAL(module_function(module, name, &f), CUDA_SUCCESS);
    return f;
}

static void *global(const char *name, size_t size_bytes)
{
    CUdeviceptr p = 0;
    size_t n = 0;
    CHECK_EQUAL(module_global(module, name, &p, &n), CUDA_SUCCESS);
    CHECK_EQUAL(n, size_bytes);
    return (void *)(uintptr_t)p;
}

static CUresult load(const void *image)
{
    CUmodule m = NULL;
    struct diag log;
    diag_init(&log);
    CUresult err = module_load(ctx, image, &log, &m);
    CHECK((err != 0) == (log.error_count != 0));
    CHECK((err == 0) == (m != NULL));
    diag_fini(&log);
    if (m)
        CHECK_EQUAL(module_unload(m), CUDA_SUCCESS);
    return err;
}

/* An ELF file for this machine, until the next call. */
static const char *machine_code(Elf64_Half machine)
{
    static Elf64_Ehdr header;
    header = (Elf64_Ehdr){.e_ident = ELFMAG, .e_machine = machine};
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    return (const char *)&header;
}

static void check_images(void)
{
    CHECK_EQUAL(load(text), CUDA_SUCCESS);
    CHECK_EQUAL(load("this is no module"), CUDA_ERROR_INVALID_IMAGE);
    CHECK_EQUAL(load(""), CUDA_ERROR_INVALID_IMAGE);
    CHECK_EQUAL(load("/* */ // x\n.version 8.0\n.target sm_80\n"
                     ".address_size 64\n.entry k() { nonsense; }\n"),
                CUDA_ERROR_INVALID_PTX);
    CHECK_EQUAL(load(".version 9.9\n.target sm_80\n.address_size 64\n"),
                CUDA_SUCCESS);
    CHECK_EQUAL(load(".version 9.9\n.target sm_80\n.address_size 64\n"
                     ".entry k() { nonsense; }\n"),
                CUDA_ERROR_INVALID_PTX);
    CHECK_EQUAL(load(".version 77.0\n.target sm_80\n"),
                CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    CHECK_EQUAL(load(machine_code(EM_CUDA)), CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK_EQUAL(load(machine_code(EM_X86_64)), CUDA_ERROR_INVALID_IMAGE);
    CHECK_EQUAL(load(".version 8.6\n.target sm_100\n.address_size 64\n"),
                CUDA_ERROR_INVALID_PTX);
    CHECK_EQUAL(load(".version 8.6\n.target sm_100a\n.address_size 64\n"),
                CUDA_ERROR_INVALID_PTX);
    CHECK_EQUAL(load(".version 8.0\n.target sm_90a\n.address_size 64\n"),
                CUDA_SUCCESS);
    CHECK_EQUAL(load("\x50\xed\x55\xba\1"), CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK_EQUAL(load((const void *)8), CUDA_ERROR_INVALID_IMAGE);
    CHECK_EQUAL(load(".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".extern .func elsewhere();\n"
                     ".visible .entry k() { call elsewhere; ret; }\n"),
                CUDA_ERROR_INVALID_PTX);
    CHECK_EQUAL(load(".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".extern .global .u32 elsewhere;\n"
                     ".visible .entry k() { .reg .b32 %r;"
                     " ld.global.u32 %r, [elsewhere]; ret; }\n"),
                CUDA_ERROR_INVALID_PTX);
}

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* Functions, variables and what they start with, over two modules. */
static void check_linked(void)
{
    static const char *const parts[] = {
        HEAD ".extern .global .align 4 .u32 total;\n"
             ".extern .func add(.param .b32 n);\n"
             ".visible .global .align 8 .u64 where = total;\n"
             ".global .align 4 .u32 mine = 3;\n"
             ".visible .entry k() { .reg .b32 %r; .param .b32 n;\n"
             "  ld.global.u32 %r, [mine]; st.param.b32 [n], %r;\n"
             "  call add, (n); ret; }\n",
        HEAD ".visible .global .align 4 .u32 total = 40;\n"
             ".global .align 4 .u32 mine = 1000;\n"
             ".visible .func add(.param .b32 n) { .reg .b32 %r<2>;\n"
             "  ld.param.u32 %r0, [n]; red.global.add.u32 [total], %r0;\n"
             "  ld.global.u32 %r1, [mine];\n"
             "  red.global.add.u32 [total], %r1; ret; }\n"};
    CUmodule m = NULL;
    CUfunction k = NULL;
    CUdeviceptr total = 0, where = 0;
    struct launch_config c = config(1, 1);
    CHECK_EQUAL(
        module_load_linked(ctx, (const void *const *)parts, 2, NULL, &m),
        CUDA_SUCCESS);
    CHECK_EQUAL(module_function(m, "k", &k), CUDA_SUCCESS);
    CHECK_EQUAL(module_global(m, "total", &total, NULL), CUDA_SUCCESS);
    CHECK_EQUAL(module_global(m, "where", &where, NULL), CUDA_SUCCESS);
    CHECK_EQUAL(launch_kernel(k, &c, NULL, NULL, 0), CUDA_SUCCESS);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    CHECK_EQUAL(*(uint32_t *)(uintptr_t)total, 40 + 3 + 1000);
    CHECK_EQUAL(*(uint64_t *)(uintptr_t)where, total);
    CHECK_EQUAL(module_unload(m), CUDA_SUCCESS);

    CHECK_EQUAL(load(parts[0]), CUDA_ERROR_INVALID_PTX);
    m = NULL;
    const void *twice[] = {parts[1], parts[1]};
    CHECK_EQUAL(module_load_linked(ctx, twice, 2, NULL, &m),
                CUDA_ERROR_INVALID_PTX);
    const void *with_code[] = {parts[1], machine_code(EM_CUDA)};
    CHECK_EQUAL(module_load_linked(ctx, with_code, 2, NULL, &m), CUDA_SUCCESS);
    CHECK_EQUAL(module_unload(m), CUDA_SUCCESS);
    CHECK_EQUAL(module_load_linked(ctx, with_code + 1, 1, NULL, &m),
                CUDA_ERROR_NO_BINARY_FOR_GPU);
}

/* Kernels that call what the device runtime lacks are refused. */
static void check_device_runtime(void)
{
    static const char module_text[] =
        HEAD ".extern .func (.param .b32 r) cudaCGGetSize"
             "(.param .b64 p, .param .b64 s);\n"
             ".func child() { .param .b64 p; .param .b64 s; .param .b32 r;\n"
             "  call (r), cudaCGGetSize, (p, s); ret; }\n"
             ".visible .entry parent() { call child; ret; }\n"
             ".visible .entry other() { ret; }\n";
    CUmodule m = NULL;
    CUfunction f = NULL;
    struct launch_config c = config(1, 32);
    CHECK_EQUAL(module_load(ctx, module_text, NULL, &m), CUDA_SUCCESS);
    CHECK_EQUAL(module_function(m, "parent", &f), CUDA_SUCCESS);
    CHECK_EQUAL(launch_kernel(f, &c, NULL, NULL, 0), CUDA_ERROR_NOT_SUPPORTED);
    CHECK_EQUAL(module_function(m, "other", &f), CUDA_SUCCESS);
    CHECK_EQUAL(launch_kernel(f, &c, NULL, NULL, 0), CUDA_SUCCESS);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    CHECK_EQUAL(module_unload(m), CUDA_SUCCESS);
}

/* The group of a grid that the device runtime makes: no thread goes on before
 * all have come; 0 is no group. */
static void check_grid_group(void)
{
    static const char module_text[] =
        HEAD ".extern .func (.param .b64 r) cudaCGGetIntrinsicHandle"
             "(.param .b32 s);\n"
             ".extern .func (.param .b32 r) cudaCGSynchronize"
             "(.param .b64 h, .param .b32 f);\n"
             ".visible .entry meet(.param .u64 out) {\n"
             "  .reg .b64 %p, %h; .reg .b32 %n, %s; .reg .pred %late;\n"
             "  .param .b64 h; .param .b32 s; .param .b32 f;\n"
             "  ld.param.u64 %p, [out];\n"
             "  st.param.b32 [s], 1;\n"
             "  call (h), cudaCGGetIntrinsicHandle, (s);\n"
             "  ld.param.b64 %h, [h];\n"
             "  atom.global.add.u32 %n, [%p], 1;\n"
             "  st.param.b64 [h], %h; st.param.b32 [f], 0;\n"
             "  call (s), cudaCGSynchronize, (h, f);\n"
             "  ld.param.b32 %s, [s];\n"
             "  ld.volatile.global.u32 %n, [%p];\n"
             "  setp.ne.u32 %late, %n, 192;\n"
             "  @%late atom.global.add.u32 %n, [%p+4], 1;\n"
             "  atom.global.add.u32 %n, [%p+8], %s; ret; }\n";
    CUmodule m = NULL;
    CUfunction f = NULL;
    struct launch_config c = config(3, 64);
    CUdeviceptr p = 0;
    void *args[] = {&p};
    CHECK_EQUAL(mem_alloc(ctx, &p, 12), CUDA_SUCCESS);
    unsigned *seen = (unsigned *)(uintptr_t)p;
    memset(seen, 0, 12);
    /* linked once more after it was linked */
    const void *image = module_text;
    char *linked = NULL;
    CHECK_EQUAL(module_link(&image, 1, NULL, NULL, &linked), CUDA_SUCCESS);
    const void *both[] = {linked, HEAD};
    CHECK_EQUAL(module_load_linked(ctx, both, 2, NULL, &m), CUDA_SUCCESS);
    free(linked);
    CHECK_EQUAL(module_function(m, "meet", &f), CUDA_SUCCESS);
    c.is_cooperative = true;
    CHECK_EQUAL(launch_kernel(f, &c, args, NULL, 0), CUDA_SUCCESS);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    CHECK_EQUAL(seen[0], 192);
    CHECK_EQUAL(seen[1], 0);
    CHECK_EQUAL(seen[2], 0);
    c.is_cooperative = false;
    CHECK_EQUAL(launch_kernel(f, &c, args, NULL, 0), CUDA_SUCCESS);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    CHECK_EQUAL(seen[2], 192); /* cudaErrorInvalidValue of each thread */
    CHECK_EQUAL(mem_free(ctx, p), CUDA_SUCCESS);
    CHECK_EQUAL(module_unload(m), CUDA_SUCCESS);
}

/* Errors of several lines in one log, what kernels take in the other; what does
 * not fit is cut at the end of a line. */
static void check_logs(void)
{
    static const char bad[] = HEAD ".entry a() { nonsense; }\n"
                                   ".entry b() { mov.u32 %x, 0; ret; }\n";
    static const char good[] =
        HEAD ".entry much() .reqntid 2000, 1, 1 { ret; }\n"
             ".entry k(.param .u64 p) { .reg .b32 %a, %b, %c; .reg .b64 %d;\n"
             "  .shared .b8 s[100]; .local .b8 l[12];\n"
             "  ld.param.u64 %d, [p]; mov.u32 %a, 1; mov.u32 %b, 2;\n"
             "  bar.sync 0; bar.sync 3; st.shared.u32 [s], %b;\n"
             "  add.u32 %c, %a, %b; st.global.u32 [%d], %c; ret; }\n";
    char errors[4096], info[4096];
    const void *image = bad;
    struct module_log e = {errors, sizeof errors}, i = {info, sizeof info};
    CUmodule m = NULL;
    CHECK_EQUAL(module_load_logged(ctx, &image, 1, &e, &i, &m),
                CUDA_ERROR_INVALID_PTX);
    CHECK_EQUAL(e.size_bytes, strlen(errors));
    CHECK(strstr(errors, "ptx:4:") && strstr(errors, "ptx:5:"));
    CHECK_EQUAL(i.size_bytes, 0);
    size_t first = strcspn(errors, "\n") + 1;
    e = (struct module_log){errors, first + 3};
    CHECK_EQUAL(module_load_logged(ctx, &image, 1, &e, NULL, &m),
                CUDA_ERROR_INVALID_PTX);
    CHECK_EQUAL(e.size_bytes, first);

    image = good;
    e = (struct module_log){errors, sizeof errors};
    i = (struct module_log){info, sizeof info};
    CHECK_EQUAL(module_load_logged(ctx, &image, 1, &e, &i, &m), CUDA_SUCCESS);
    CHECK(strstr(errors, "warning: kernel `much` wants blocks of 2000"));
    CHECK_EQUAL(i.size_bytes, strlen(info));
    CHECK(strstr(info, "kernel `k` for sm_80\ninfo    :     4 registers, "
                       "100 bytes shared, 12 bytes local, "
                       "8 bytes parameters, 2 barriers\n"));
    CHECK_EQUAL(module_unload(m), CUDA_SUCCESS);
}

/* Bytes of an address as initialisers of their own. */
static void check_bytes_of_addresses(void)
{
    static const char text[] =
        HEAD ".global .u32 there = 7;\n"
             ".global .align 8 .u8 bytes[8] = {0xff(there), 0xff00(there),\n"
             "  0xff0000(there), 0xff000000(there), 0xff00000000(there),\n"
             "  0xff0000000000(there), 0xff000000000000(there),\n"
             "  0xff00000000000000(there)};\n"
             ".visible .entry k() { ret; }\n";
    CUmodule m = NULL;
    CUdeviceptr there, bytes;
    CHECK_EQUAL(module_load(ctx, text, NULL, &m), CUDA_SUCCESS);
    CHECK_EQUAL(module_global(m, "there", &there, NULL), CUDA_SUCCESS);
    CHECK_EQUAL(module_global(m, "bytes", &bytes, NULL), CUDA_SUCCESS);
    CHECK_EQUAL(*(uint64_t *)(uintptr_t)bytes, there);
    CHECK_EQUAL(module_unload(m), CUDA_SUCCESS);
}

/* Of a thousand kernels those are compiled that are launched. */
static void check_many_kernels(void)
{
    enum { KERNELS = 1000 };
    char *module_text = NULL, name[32];
    size_t size;
    FILE *f = open_memstream(&module_text, &size);
    CHECK(f);
    fputs(HEAD, f);
    for (int i = 0; i < KERNELS; i++)
        fprintf(f,
                ".visible .entry k%d(.param .u64 p) { .reg .b64 %%d;\n"
                "  ld.param.u64 %%d, [p]; st.global.u32 [%%d], %d; ret; }\n",
                i, i);
    fclose(f);
    CUmodule m = NULL;
    CUdeviceptr out = 0;
    void *args[] = {&out};
    struct launch_config c = config(1, 32);
    CHECK_EQUAL(mem_alloc(ctx, &out, 4), CUDA_SUCCESS);
    struct jit_stats before = jit_stats_get();
    CHECK_EQUAL(module_load(ctx, module_text, NULL, &m), CUDA_SUCCESS);
    for (int i = 0; i < KERNELS; i += 400) {
        CUfunction k = NULL;
        snprintf(name, sizeof name, "k%d", i);
        CHECK_EQUAL(module_function(m, name, &k), CUDA_SUCCESS);
        CHECK_EQUAL(launch_kernel(k, &c, args, NULL, 0), CUDA_SUCCESS);
        CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
        CHECK_EQUAL(*(uint32_t *)(uintptr_t)out, (uint32_t)i);
    }
    struct jit_stats after = jit_stats_get();
    CHECK_EQUAL(after.compiled + after.disk_hits,
                before.compiled + before.disk_hits + 3);
    CHECK_EQUAL(mem_free(ctx, out), CUDA_SUCCESS);
    CHECK_EQUAL(module_unload(m), CUDA_SUCCESS);
    free(module_text);
}

static void check_variables(void)
{
    uint32_t *counter = global("counter", 4);
    uint8_t *table = global("table", 16);
    uint64_t *pointer = global("pointer", 8);
    CUdeviceptr p;
    CHECK_EQUAL(*counter, 5);
    CHECK_EQUAL(table[3], 4);
    CHECK_EQUAL(table[4], 0);
    CHECK_EQUAL(*pointer, (uintptr_t)counter);
    CHECK_EQUAL(module_global(module, "none", &p, NULL), CUDA_ERROR_NOT_FOUND);
    CHECK_EQUAL(mem_query(counter).kind, MEM_MODULE);
    CHECK_EQUAL(mem_free(ctx, (uintptr_t)counter), CUDA_ERROR_INVALID_VALUE);
}

static void check_launch(void)
{
    int n = 1000;
    CUdeviceptr out;
    CHECK_EQUAL(mem_alloc(ctx, &out, 4 * (size_t)n), CUDA_SUCCESS);
    void *args[] = {&out, &n};
    static const unsigned blocks[] = {32, 100, 256, 1000, 1024, 1};
    for (unsigned i = 0; i < ARRAY_COUNT(blocks); i++) {
        unsigned b = blocks[i];
        struct launch_config c = config(((unsigned)n + b - 1) / b, b);
        memset((void *)(uintptr_t)out, 0, 4 * (size_t)n);
        CHECK_EQUAL(launch_kernel(function("fill"), &c, args, NULL, 0), 0);
        CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
        int wrong = 0;
        for (int k = 0; k < n; k++)
            wrong += ((int *)(uintptr_t)out)[k] != k + 5;
        CHECK_EQUAL(wrong, 0);
    }
    struct {
        CUdeviceptr out;
        int n;
    } packed = {out, n};
    struct launch_config c = config(10, 100);
    CHECK_EQUAL(launch_kernel(function("fill"), &c, NULL, &packed, 12), 0);
    /* What lacks of a short buffer is 0. */
    CHECK_EQUAL(launch_kernel(function("fill"), &c, NULL, &packed, 8), 0);
    CHECK_EQUAL(launch_kernel(function("fill"), &c, NULL, NULL, 0),
                CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(mem_free(ctx, out), CUDA_SUCCESS);
}

static CUresult try(const char *name, unsigned grid, unsigned block,
                    size_t shared_bytes)
{
    static uint64_t nothing[4];
    void *args[] = {&nothing[0], &nothing[1]};
    struct launch_config c = config(grid, block);
    c.shared_bytes = shared_bytes;
    CUresult err = launch_kernel(function(name), &c, args, NULL, 0);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_SUCCESS);
    return err;
}

static void check_configurations(void)
{
    CHECK_EQUAL(try("fill", 0, 32, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(try("fill", 1, 0, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(try("fill", 1, 1025, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(try("fill", 0x80000000u, 1, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(try("bounded", 1, 64, 0), CUDA_SUCCESS);
    CHECK_EQUAL(try("bounded", 1, 65, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(try("bounded", 1, 1, 48 << 10), CUDA_SUCCESS);
    CHECK_EQUAL(try("bounded", 1, 1, (48 << 10) + 1), CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(try("shared", 1, 1, 9152), CUDA_SUCCESS);
    CHECK_EQUAL(try("shared", 1, 1, 9153), CUDA_ERROR_INVALID_VALUE);

    CUfunction f = function("shared");
    CUfunction_attribute dynamic =
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    int value, blocks;
    CHECK_EQUAL(function_set_attribute(f, dynamic, 190000), CUDA_SUCCESS);
    CHECK_EQUAL(function_set_attribute(f, dynamic, 200000),
                CUDA_ERROR_INVALID_VALUE);
    CHECK_EQUAL(try("shared", 1, 1, 120000), CUDA_SUCCESS);
    CHECK_EQUAL(
        function_attribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f),
        CUDA_SUCCESS);
    CHECK_EQUAL(value, 40000);
    CHECK_EQUAL(occupancy_max_blocks(f, 128, 0, &blocks), CUDA_SUCCESS);
    CHECK_EQUAL(blocks, 5);
    CHECK_EQUAL(occupancy_max_blocks(function("bounded"), 64, 0, &blocks), 0);
    CHECK_EQUAL(blocks, 32);
    /* More threads than a launch may have, as hardware counts. */
    CHECK_EQUAL(occupancy_max_blocks(function("bounded"), 128, 0, &blocks), 0);
    CHECK_EQUAL(blocks, 16);
}

static void check_fault_and_reset(void)
{
    uint64_t nowhere = 64;
    void *args[] = {&nowhere};
    struct launch_config c = config(10, 64);
    uint32_t *counter = global("counter", 4);
    *counter = 77;
    CHECK_EQUAL(launch_kernel(function("store"), &c, args, NULL, 0), 0);
    CHECK_EQUAL(ctx_synchronize(ctx), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_EQUAL(launch_kernel(function("store"), &c, args, NULL, 0),
                CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_EQUAL(ctx_primary_reset(0), CUDA_SUCCESS);
    CHECK_EQUAL(*counter, 5);
    check_launch();
}

int main(void)
{
    CHECK_EQUAL(ctx_primary(&ctx), CUDA_SUCCESS);
    check_images();
    check_linked();
    check_device_runtime();
    check_grid_group();
    check_logs();
    check_bytes_of_addresses();
    check_many_kernels();
    CHECK_EQUAL(module_load(ctx, text, NULL, &module), CUDA_SUCCESS);
    if (!module)
        return 1;
    check_variables();
    check_launch();
    check_configurations();
    check_fault_and_reset();
    CHECK_EQUAL(module_unload(module), CUDA_SUCCESS);
    return check_result();
}
