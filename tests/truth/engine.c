/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms on the two engines of weft.
 */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include "emu/emu.h"
#include "exec/exec.h"
#include "jit/jit.h"

static const char *const engine_names[] = {[TRUTH_SIMD] = "simd",
                                           [TRUTH_EMU] = "emu",
                                           [TRUTH_UNIFORM] = "uniform",
                                           [TRUTH_LANES] = "lanes"};

const char *truth_engine_name(enum truth_engine e)
{
    return engine_names[e];
}

bool truth_engine_find(const char *name, enum truth_engine *out)
{
    for (unsigned i = 0; i < ARRAY_COUNT(engine_names); i++)
        if (strcmp(engine_names[i], name) == 0) {
            *out = (enum truth_engine)i;
            return true;
        }
    return false;
}

static const struct {
    const char *text; /* the form's name begins with it */
    bool by_simd, by_emu;
} refusals[] = {
#define SIMD              true, false
#define EMU               false, true
#define EITHER            true, true
#define REFUSED(text, by) {text, by},
#include "refused.def"
    {NULL, false, false}};

bool truth_may_refuse(const struct truth_form *f, enum truth_engine engine)
{
    for (size_t i = 0; refusals[i].text; i++)
        if (strncmp(f->name, refusals[i].text, strlen(refusals[i].text)) == 0)
            return engine == TRUTH_EMU ? refusals[i].by_emu
                                       : refusals[i].by_simd;
    return false;
}

bool truth_needs_lanes(const struct truth_form *f)
{
    static const char *const families[] = {"warp", "memory", "matrix", "wgmma",
                                           "old"};
    static const char *const words[] = {"%lane", "%thread", "%mem"};

    for (size_t i = 0; i < ARRAY_COUNT(families); i++)
        if (strcmp(f->row->family, families[i]) == 0)
            return true;
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (strstr(f->body, words[i]))
            return true;
    return false;
}

/* ---- running ------------------------------------------------------------ */

struct launch {
    uint64_t *in, *out;
    uint8_t *mem;
    uint32_t blocks, threads;
};

static enum exec_fault submit(const struct launch *l,
                              const struct jit_kernel *code,
                              const struct emu_kernel *emu)
{
    uint64_t *params = malloc(3 * sizeof *params);

    if (!params)
        abort();
    params[0] = (uint64_t)l->in;
    params[1] = (uint64_t)l->out;
    params[2] = (uint64_t)l->mem;
    struct exec_kernel k = {
        .fn = code->fn,
        .has_barrier = code->has_barrier,
        .has_waits = code->has_waits,
        .takes_turns = code->takes_turns,
        .stack_bytes = code->stack_bytes,
        .params_storage = params,
        .launch = {.params = (uint8_t *)params,
                   .grid = {l->blocks, 1, 1},
                   .block = {l->threads, 1, 1},
                   .static_shared_bytes = code->static_shared_bytes,
                   .sm_count = exec_sm_count(),
                   .lane_count = code->lane_count,
                   .block_count = l->blocks,
                   .emu_kernel = emu}};
    struct exec_task *task = exec_task_kernel(&k);
    if (!task)
        abort();
    exec_submit(task);
    exec_wait(task, EXEC_WAIT_HELP);
    enum exec_fault fault = exec_task_fault(task);
    exec_task_unref(task);
    return fault;
}

static enum exec_fault interpret(const struct launch *l,
                                 const struct ptx_func *f, struct diag *diag)
{
    struct emu_kernel *emu = emu_kernel_create(f, diag);
    enum exec_fault fault = EXEC_FAULT_ILLEGAL;

    if (!emu)
        return fault;
    struct jit_kernel code = {
        .fn = emu_entry, .static_shared_bytes = emu_static_shared_bytes(emu)};
    fault = submit(l, &code, emu);
    emu_kernel_destroy(emu);
    return fault;
}

static enum exec_fault compile_and_run(const struct launch *l,
                                       const struct ptx_module *m,
                                       const struct ptx_func *f,
                                       unsigned lane_count, struct diag *diag)
{
    struct jit_module *jm = jit_module_create(m, 0);
    struct simt_spec spec = {.block = {l->threads, 1, 1},
                             .is_grid_small = true,
                             .lane_count = lane_count};
    const struct jit_kernel *code = jm ? jit_get(jm, f, &spec, diag) : NULL;
    enum exec_fault fault = code ? submit(l, code, NULL) : EXEC_FAULT_ILLEGAL;

    jit_module_destroy(jm);
    return fault;
}

static bool run_text(const char *text, size_t first, const struct launch *l,
                     enum truth_engine engine, char **why)
{
    struct diag diag;
    enum exec_fault fault = EXEC_FAULT_ILLEGAL;
    unsigned lane_count = engine == TRUTH_LANES ? 1 : 32;
    char name[32];

    diag_init(&diag);
    snprintf(name, sizeof name, "k%zu", first);
    struct ptx_module *m = ptx_parse("form", text, strlen(text), &diag);
    const struct ptx_func *f = m ? ptx_find_func(m, name) : NULL;
    if (f)
        fault = engine == TRUTH_EMU
                    ? interpret(l, f, &diag)
                    : compile_and_run(l, m, f, lane_count, &diag);
    if (fault != EXEC_OK)
        *why = strdup(diag.text ? diag.text : "it ended with a fault");
    if (m)
        ptx_module_destroy(m);
    diag_fini(&diag);
    return fault == EXEC_OK;
}

static void *zeros(size_t count, size_t size_bytes)
{
    void *p = calloc(count ? count : 1, size_bytes);
    if (!p)
        abort();
    return p;
}

uint64_t *truth_run(const struct truth_forms *forms, struct truth_range g,
                    enum truth_engine engine, char **why)
{
    const struct truth_form *f = &forms->at[g.first];
    unsigned samples = f->row->samples;
    bool is_uniform = engine == TRUTH_UNIFORM;
    char *text = truth_text(forms, &g, 1, is_uniform);
    unsigned outputs = truth_outputs(forms, g.first, g.end);
    struct launch l = {.in = truth_inputs(f),
                       .out = zeros((size_t)samples * outputs, 8),
                       .blocks =
                           is_uniform ? samples : samples / truth_block(f),
                       .threads = is_uniform ? 32 : truth_block(f)};

    l.mem = zeros(l.blocks, TRUTH_MEM_BYTES);
    if (!run_text(text, g.first, &l, engine, why)) {
        free(l.out);
        l.out = NULL;
    }
    free(l.in);
    free(l.mem);
    free(text);
    return l.out;
}

void truth_stop(void)
{
    exec_stop();
}

/* ---- records ------------------------------------------------------------ */

static uint8_t *read_file(const char *path, size_t *size_bytes)
{
    FILE *f = fopen(path, "rb");
    long size = -1;
    uint8_t *bytes = NULL;

    if (f && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (size > 0 && fseek(f, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)size);
    if (bytes && fread(bytes, 1, (size_t)size, f) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    if (f)
        fclose(f);
    if (!bytes)
        fprintf(stderr, "truth_replay: cannot read %s\n", path);
    *size_bytes = bytes ? (size_t)size : 0;
    return bytes;
}

bool truth_read(const char *path, struct truth_record *record)
{
    enum { LIMIT = 1 << 26 };
    size_t packed;
    uint8_t *file = read_file(path, &packed);
    bool ok = false;

    if (!file)
        return false;
    unsigned long long size = ZSTD_getFrameContentSize(file, packed);
    if (size == 0 || size > LIMIT) {
        fprintf(stderr, "truth_replay: %s is not compressed by zstd\n", path);
        free(file);
        return false;
    }
    uint8_t *bytes = zeros((size_t)size, 1);
    if (ZSTD_decompress(bytes, (size_t)size, file, packed) == size)
        ok = truth_unpack(bytes, (size_t)size, record);
    else
        fprintf(stderr, "truth_replay: %s is damaged\n", path);
    free(bytes);
    free(file);
    return ok;
}
