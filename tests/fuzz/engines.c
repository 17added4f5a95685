/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs random kernels on the interpreter and on compiled code and compares
 * every result bit for bit. A seed that fails is named, and its PTX kept in
 * engines-SEED.ptx, which can be run again and cut down.
 */
#include "generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/emu.h"
#include "exec/exec.h"
#include "jit/jit.h"

static struct {
    uint32_t in[FUZZ_INPUTS + 1024], sums[FUZZ_SUMS];
    uint32_t out[3 * 1024 * FUZZ_RESULTS];
} memory[2];

static bool launch(const struct fuzz_case *c, const struct jit_kernel *code,
                   const struct emu_kernel *emu, int which)
{
    uint64_t *params = malloc(3 * sizeof *params);
    if (!params)
        abort();
    params[0] = (uint64_t)memory[which].in;
    params[1] = (uint64_t)memory[which].out;
    params[2] = (uint64_t)memory[which].sums;
    struct exec_kernel k = {
        .fn = code->fn,
        .has_barrier = code->has_barrier,
        .has_waits = code->has_waits,
        .takes_turns = code->takes_turns,
        .is_whole_block = emu != NULL,
        .stack_bytes = code->stack_bytes,
        .params_storage = params,
        .launch = {.params = (uint8_t *)params,
                   .grid = {c->grid[0], 1, 1},
                   .block = {c->block[0], c->block[1], c->block[2]},
                   .static_shared_bytes = code->static_shared_bytes,
                   .sm_count = exec_sm_count(),
                   .lane_count = code->lane_count,
                   .block_count = c->grid[0],
                   .emu_kernel = emu}};
    struct exec_task *task = exec_task_kernel(&k);
    exec_submit(task);
    exec_wait(task, EXEC_WAIT_HELP);
    enum exec_fault fault = exec_task_fault(task);
    exec_task_unref(task);
    if (fault)
        printf("  fault %d in %s\n", fault, emu ? "emu" : "simd");
    return fault == EXEC_OK;
}

static void fill(uint64_t seed)
{
    memset(memory, 0, sizeof memory);
    for (size_t i = 0; i < ARRAY_COUNT(memory[0].in); i++) {
        uint64_t v = (seed + i) * UINT64_C(0x9E3779B97F4A7C15);
        uint32_t w = (uint32_t)(v >> 32);
        memory[0].in[i] = w & 1 ? w : w & 2 ? w % 100 : w % 7 - 3;
    }
    memory[1] = memory[0];
}

static bool compare(const struct fuzz_case *c)
{
    uint32_t threads = c->block[0] * c->block[1] * c->block[2] * c->grid[0];
    for (uint32_t i = 0; i < threads * FUZZ_RESULTS; i++)
        if (memory[0].out[i] != memory[1].out[i]) {
            printf("  thread %u result %u: emu %08x, simd %08x\n",
                   i / FUZZ_RESULTS, i % FUZZ_RESULTS, memory[0].out[i],
                   memory[1].out[i]);
            return false;
        }
    for (uint32_t i = 0; i < FUZZ_SUMS; i++)
        if (memory[0].sums[i] != memory[1].sums[i]) {
            printf("  sum %u: emu %08x, simd %08x\n", i, memory[0].sums[i],
                   memory[1].sums[i]);
            return false;
        }
    return true;
}

static bool run_case(const struct fuzz_case *c, uint64_t seed)
{
    struct diag diag;
    diag_init(&diag);
    struct ptx_module *m =
        ptx_parse("fuzz.ptx", c->text, strlen(c->text), &diag);
    const struct ptx_func *f = m ? ptx_find_func(m, "k") : NULL;
    struct emu_kernel *emu = f ? emu_kernel_create(f, &diag) : NULL;
    uint64_t hash = hash_bytes(c->text, strlen(c->text), 0);
    struct jit_module *jm = f ? jit_module_create(m, hash) : NULL;
    struct simt_spec spec = {.block = {c->block[0], c->block[1], c->block[2]},
                             .is_grid_small = seed % 2,
                             .lane_count = 32};
    const struct jit_kernel *code = jm ? jit_get(jm, f, &spec, &diag) : NULL;
    bool ok = emu && code;
    if (diag.text)
        fputs(diag.text, stdout);
    if (ok) {
        struct jit_kernel interpreted = {.fn = emu_entry,
                                         .has_waits = true,
                                         .stack_bytes = EMU_STACK_BYTES,
                                         .static_shared_bytes =
                                             emu_static_shared_bytes(emu)};
        fill(seed);
        ok = launch(c, &interpreted, emu, 0) & launch(c, code, NULL, 1);
        ok = ok && compare(c);
    }
    jit_module_destroy(jm);
    emu_kernel_destroy(emu);
    if (m)
        ptx_module_destroy(m);
    diag_fini(&diag);
    return ok;
}

#define HEADER "// seed %" PRIu64 " --grid %u --block %u,%u,%u"

static void keep(const struct fuzz_case *c, uint64_t seed)
{
    char name[64];
    snprintf(name, sizeof name, "engines-%" PRIu64 ".ptx", seed);
    FILE *f = fopen(name, "w");
    if (f) {
        fprintf(f, HEADER "\n%s", seed, c->grid[0], c->block[0], c->block[1],
                c->block[2], c->text);
        fclose(f);
    }
}

/* A kept case again. */
static int run_file(const char *name)
{
    static char text[1 << 20];
    struct fuzz_case c = {.grid = {1, 1, 1}, .text = text};
    uint64_t seed;
    FILE *f = fopen(name, "r");

    if (!f) {
        fprintf(stderr, "engines: cannot open %s\n", name);
        return 2;
    }
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    if (sscanf(text, "// seed %" SCNu64 " --grid %u --block %u,%u,%u", &seed,
               &c.grid[0], &c.block[0], &c.block[1], &c.block[2]) != 5) {
        fprintf(stderr, "engines: %s does not begin with '// seed ...'\n",
                name);
        return 2;
    }
    bool ok = run_case(&c, seed);
    exec_stop();
    printf("%d passed, %d failed\n", ok, !ok);
    return !ok;
}

static int run_seeds(uint64_t first, uint64_t count, unsigned size)
{
    uint64_t failed = 0;

    for (uint64_t seed = first; seed < first + count; seed++) {
        struct fuzz_case c;
        fuzz_generate(seed, size, &c);
        if (!run_case(&c, seed)) {
            printf("seed %" PRIu64 " (block %u,%u,%u): FAILED\n", seed,
                   c.block[0], c.block[1], c.block[2]);
            keep(&c, seed);
            failed++;
        }
        free(c.text);
    }
    exec_stop();
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", count - failed, failed);
    return failed != 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 2)
        return run_file(argv[1]);
    if (argc < 3) {
        fprintf(stderr, "usage: engines FIRST-SEED COUNT [SIZE]\n"
                        "       engines KEPT.ptx\n");
        return 2;
    }
    return run_seeds(strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0),
                     argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 40);
}
