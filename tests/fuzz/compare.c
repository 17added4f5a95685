/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel on the interpreter and as compiled code, on the same input. */
#include "engines.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/emu.h"
#include "exec/exec.h"
#include "jit/jit.h"

/* What is written before the first place is seen, too. */
enum { SCRATCH_MARGIN = 4096 };

static struct {
    _Alignas(64) uint32_t in[FUZZ_INPUTS + 1024];
    _Alignas(64) uint32_t sums[FUZZ_ATOMICS];
    _Alignas(64) uint32_t out[3 * 1024 * FUZZ_RESULTS];
    _Alignas(64) uint8_t scratch[FUZZ_SCRATCH];
} memory[2];

const char *fuzz_outcome_name(enum fuzz_outcome o)
{
    static const char *const names[] = {
        [FUZZ_AGREE] = "agree",           [FUZZ_DIFFER] = "differ",
        [FUZZ_EMU_FAULTS] = "emu faults", [FUZZ_SIMD_FAULTS] = "simd faults",
        [FUZZ_BOTH_FAULT] = "both fault", [FUZZ_REFUSED] = "refused",
        [FUZZ_CRASH] = "crash",           [FUZZ_HANG] = "hang",
    };
    return names[o];
}

/* ---- running ----------------------------------------------------------- */

static bool launch(const struct fuzz_case *c, const struct jit_kernel *code,
                   const struct emu_kernel *emu, int which)
{
    uint64_t *params = malloc(4 * sizeof *params);
    if (!params)
        abort();
    params[0] = (uint64_t)memory[which].in;
    params[1] = (uint64_t)memory[which].out;
    params[2] = (uint64_t)memory[which].sums;
    params[3] = (uint64_t)(memory[which].scratch + SCRATCH_MARGIN);
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
    for (size_t i = 0; i < FUZZ_SCRATCH; i++)
        memory[0].scratch[i] = (uint8_t)((i + seed) * 0x9E37 >> 8);
    memory[1] = memory[0];
}

static bool are_same(const struct fuzz_case *c)
{
    uint32_t threads = c->block[0] * c->block[1] * c->block[2] * c->grid[0];
    for (uint32_t i = 0; i < threads * FUZZ_RESULTS; i++)
        if (memory[0].out[i] != memory[1].out[i]) {
            printf("  thread %u result %u: emu %08x, simd %08x\n",
                   i / FUZZ_RESULTS, i % FUZZ_RESULTS, memory[0].out[i],
                   memory[1].out[i]);
            return false;
        }
    for (uint32_t i = 0; i < FUZZ_ATOMICS; i++)
        if (memory[0].sums[i] != memory[1].sums[i]) {
            printf("  sum %u: emu %08x, simd %08x\n", i, memory[0].sums[i],
                   memory[1].sums[i]);
            return false;
        }
    for (uint32_t i = 0; i < FUZZ_SCRATCH; i++)
        if (memory[0].scratch[i] != memory[1].scratch[i]) {
            printf("  scratch %d: emu %02x, simd %02x\n",
                   (int)i - SCRATCH_MARGIN, memory[0].scratch[i],
                   memory[1].scratch[i]);
            return false;
        }
    return true;
}

static enum fuzz_outcome run(const struct fuzz_case *c,
                             const struct jit_kernel *code,
                             const struct emu_kernel *emu)
{
    struct jit_kernel interpreted = {
        .fn = emu_entry,
        .has_waits = true,
        .stack_bytes = EMU_STACK_BYTES,
        .static_shared_bytes = emu_static_shared_bytes(emu),
    };
    fill(c->seed);
    bool emu_ends = launch(c, &interpreted, emu, 0);
    bool simd_ends = launch(c, code, NULL, 1);
    if (!emu_ends || !simd_ends)
        return emu_ends    ? FUZZ_SIMD_FAULTS
               : simd_ends ? FUZZ_EMU_FAULTS
                           : FUZZ_BOTH_FAULT;
    return are_same(c) ? FUZZ_AGREE : FUZZ_DIFFER;
}

enum fuzz_outcome fuzz_compare(const struct fuzz_case *c)
{
    struct diag diag;
    diag_init(&diag);
    size_t length = strlen(c->text);
    struct ptx_module *m = ptx_parse("fuzz.ptx", c->text, length, &diag);
    const struct ptx_func *f = m ? ptx_find_func(m, "k") : NULL;
    struct emu_kernel *emu = f ? emu_kernel_create(f, &diag) : NULL;
    struct jit_module *jm =
        f ? jit_module_create(m, hash_bytes(c->text, length, 0)) : NULL;
    struct simt_spec spec = {.block = {c->block[0], c->block[1], c->block[2]},
                             .is_grid_small = c->seed % 2,
                             .lane_count = c->lane_count,
                             .preferred_warps = c->warp_count};
    const struct jit_kernel *code = jm ? jit_get(jm, f, &spec, &diag) : NULL;
    if (diag.text)
        fputs(diag.text, stdout);
    enum fuzz_outcome outcome = FUZZ_REFUSED;
    if (emu && code)
        outcome = run(c, code, emu);
    jit_module_destroy(jm);
    emu_kernel_destroy(emu);
    if (m)
        ptx_module_destroy(m);
    diag_fini(&diag);
    return outcome;
}

/* Every kernel of it, whatever its name. */
bool fuzz_compiles(const struct fuzz_case *c)
{
    struct diag diag;
    diag_init(&diag);
    size_t length = strlen(c->text);
    struct ptx_module *m = ptx_parse("fuzz.ptx", c->text, length, &diag);
    bool is_good = m != NULL;
    for (size_t i = 0; m && i < m->func_count; i++) {
        const struct ptx_func *f = m->funcs[i];
        if (!f->is_entry || f->is_declaration)
            continue;
        struct jit_module *jm =
            jit_module_create(m, hash_bytes(c->text, length, 0));
        struct emu_kernel *emu = emu_kernel_create(f, &diag);
        struct simt_spec spec = {
            .block = {c->block[0], c->block[1], c->block[2]},
            .lane_count = c->lane_count};
        is_good &= emu && jit_get(jm, f, &spec, &diag);
        emu_kernel_destroy(emu);
        jit_module_destroy(jm);
    }
    if (!is_good && !diag.text)
        abort(); /* refused without a word */
    ptx_module_destroy(m);
    diag_fini(&diag);
    return is_good;
}

/* ---- in a process of its own ------------------------------------------- */

void fuzz_load_compiler(void)
{
    struct diag diag;
    diag_init(&diag);
    if (!jit_compiler_get(&diag)) {
        fputs(diag.text, stderr);
        exit(2);
    }
    diag_fini(&diag);
}

enum fuzz_outcome fuzz_compare_apart(const struct fuzz_case *c,
                                     unsigned limit_s)
{
    fuzz_load_compiler();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout) ||
            !freopen("/dev/null", "w", stderr))
            _exit(FUZZ_CRASH);
        signal(SIGALRM, SIG_DFL);
        setrlimit(RLIMIT_CPU, &(struct rlimit){limit_s, limit_s + 1});
        alarm(limit_s * 6); /* on a busy machine */
        _exit((int)fuzz_compare(c));
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        ;
    if (WIFEXITED(status))
        return (enum fuzz_outcome)WEXITSTATUS(status);
    int signal = WTERMSIG(status);
    return signal == SIGALRM || signal == SIGXCPU ? FUZZ_HANG : FUZZ_CRASH;
}
