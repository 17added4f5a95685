/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages about what error codes cannot say: which kernel failed and where,
 * which function is not supported. One line each on stderr; WEFT_EXPLAIN=0
 * turns them off.
 */
#include "core/check.h"
#include "core/error_log.h"
#include "core/external_lost.h"
#include "core/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PREFIX "weft: "

static bool is_wanted(void)
{
    const char *text = getenv("WEFT_EXPLAIN");
    return !text || strcmp(text, "0") != 0;
}

/* ---- faults -------------------------------------------------------------- */

/* Coordinates in a grid or block. */
struct place {
    unsigned x, y, z;
};

static struct place place_of(uint64_t linear, const uint32_t *size)
{
    assert(size[0] > 0 && size[1] > 0);
    return (struct place){(unsigned)(linear % size[0]),
                          (unsigned)(linear / size[0] % size[1]),
                          (unsigned)(linear / size[0] / size[1])};
}

static void print_threads(FILE *out, const struct exec_fault_info *info)
{
    assert(info->thread_count > 0);
    struct place from = place_of(info->thread, info->block);
    struct place to =
        place_of(info->thread + info->thread_count - 1, info->block);
    if (info->thread_count == 1)
        fprintf(out, "thread (%u,%u,%u)", from.x, from.y, from.z);
    else
        fprintf(out, "one of threads (%u,%u,%u) to (%u,%u,%u)", from.x, from.y,
                from.z, to.x, to.y, to.z);
}

/* The source line of an instruction of the PTX. An instruction that the
 * compiler made of several lines has none; then it is near the line of the
 * last instruction before it that has one. */
struct origin {
    const struct ptx_inst *at; /* NULL: there is no such instruction */
    bool is_near;
};

static struct origin find_in(const struct ptx_func *f, uint32_t line)
{
    const struct ptx_inst *known = NULL;
    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (in->loc_line)
            known = in;
        if (in->line == line)
            return (struct origin){known ? known : in, known && known != in};
    }
    return (struct origin){0};
}

static struct origin find_line(const struct ptx_module *m, uint32_t line)
{
    struct origin o = {0};
    for (size_t i = 0; line && !o.at && i < m->func_count; i++)
        o = find_in(m->funcs[i], line);
    return o;
}

/* NULL: it is not known. */
static const char *file_of(const struct ptx_module *m, const struct origin *o)
{
    return o->at->loc_file < m->file_count ? m->files[o->at->loc_file] : NULL;
}

static void print_line(FILE *out, const struct ptx_module *m, uint32_t line)
{
    struct origin o = find_line(m, line);
    if (!o.at)
        return;
    const char *file = file_of(m, &o);
    if (file)
        fprintf(out, ", %s%s:%u", o.is_near ? "near " : "", file,
                o.at->loc_line);
    else
        fprintf(out, ", line %u of the PTX", line);
}

/* The line of the code that failed, or of its caller. */
static uint32_t line_of(const struct exec_fault_info *info)
{
    uint32_t line = 0;
    for (size_t i = 0; i < EXEC_FAULT_PCS && !line; i++)
        line = jit_line_at(info->pc[i] - (i > 0));
    return line;
}

void explain_print_line(FILE *out, const struct CUfunc_st *f, uint32_t line)
{
    const struct ptx_module *m = f->ptx->module;
    struct origin o = find_line(m, line);
    const char *file = o.at ? file_of(m, &o) : NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (file)
        fprintf(out, " in %s:%u", slash ? slash + 1 : file, o.at->loc_line);
    else if (line)
        fprintf(out, " in line %u of the PTX", line);
}

void explain_print_index(FILE *out, uint64_t linear, const uint32_t *size)
{
    struct place p = place_of(linear, size);
    fprintf(out, "(%u,%u,%u)", p.x, p.y, p.z);
}

static void print_fault(FILE *out, const struct exec_fault_info *info)
{
    const struct CUfunc_st *f = info->function;
    struct place block = place_of(info->block_linear, info->grid);
    fprintf(out, PREFIX "kernel %s: %s", f->ptx->name,
            exec_fault_text(info->fault));
    if (info->fault == EXEC_FAULT_ADDRESS ||
        info->fault == EXEC_FAULT_MISALIGNED)
        fprintf(out, " 0x%llx", (unsigned long long)info->address);
    fprintf(out, " in block (%u,%u,%u), ", block.x, block.y, block.z);
    print_threads(out, info);
    print_line(out, f->ptx->module, info->line ? info->line : line_of(info));
    fputc('\n', out);
}

void explain_fault(enum exec_fault fault)
{
    struct exec_fault_info info = exec_last_fault();
    char text[1024];
    /* An assertion and checks have already printed everything. Of two faults at
     * once only the last is known. */
    if (fault == EXEC_FAULT_ASSERT || fault == EXEC_FAULT_CHECKED ||
        info.fault != fault || !info.function)
        return;
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        return;
    print_fault(out, &info);
    fclose(out);
    error_log_add(CU_LOG_LEVEL_ERROR, "%.*s",
                  (int)strcspn(text + strlen(PREFIX), "\n"),
                  text + strlen(PREFIX));
    if (is_wanted())
        fputs(text, stderr);
}

/* ---- files that were made shorter ---------------------------------------- */

#define LOST_FILE                                                              \
    " is gone: its file was made shorter after the import; keep its size "     \
    "until the memory is freed"

static atomic_bool is_told; /* whether lost files are */

void explain_prepare(void)
{
    atomic_store(&is_told, is_wanted());
}

/* Without stdio and locale: the interrupted code may be inside either. */
void explain_lost_file(const void *address)
{
    char text[] = PREFIX "external memory at 0x0123456789abcdef" LOST_FILE "\n";
    char *digits = strstr(text, "0x") + 2;
    for (unsigned i = 0; i < 16; i++)
        digits[i] = "0123456789abcdef"[(uintptr_t)address >> (60 - 4 * i) & 15];
    if (atomic_load(&is_told) &&
        write(STDERR_FILENO, text, sizeof text - 1) < 0)
        return;
}

void log_lost_file(const void *address)
{
    error_log_add(CU_LOG_LEVEL_ERROR,
                  "external memory at 0x%" PRIxPTR LOST_FILE,
                  (uintptr_t)address);
}

void explain_node(uint64_t graph, uint64_t node, const char *type,
                  bool is_kernel, enum exec_fault fault)
{
    char text[256];
    const char *what = is_kernel ? "that was" : exec_fault_text(fault);
    const char *hint =
        !is_kernel && fault == EXEC_FAULT_ADDRESS
            ? ": keep the memory and the handles that a node names until its "
              "launches have ended"
            : "";
    snprintf(text, sizeof text,
             "%s%s node graph_%" PRIu64 "_node_%" PRIu64 " (%s) of a graph%s",
             what, is_kernel ? "" : " in", graph, node, type, hint);
    error_log_add(CU_LOG_LEVEL_ERROR, "%s", text);
    if (is_wanted())
        fprintf(stderr, PREFIX "%s\n", text);
}

/* ---- what is not there -------------------------------------------------- */

void explain_link(const char *caller, const char *why)
{
    assert(caller && why);
    size_t length = strcspn(why, "\n"); /* the first reason */
    error_log_add(CU_LOG_LEVEL_ERROR, "%s: %.*s", caller, (int)length, why);
    if (is_wanted())
        fprintf(stderr, PREFIX "%s: %.*s\n", caller, (int)length, why);
}

void explain_not_supported(const char *name)
{
    /* most names that are remembered; further ones print nothing */
    enum { MOST = 64 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const char *said[MOST];
    static unsigned count;
    bool is_new;

    pthread_mutex_lock(&lock);
    unsigned i = 0;
    while (i < count && strcmp(said[i], name) != 0)
        i++;
    is_new = i == count && count < MOST;
    if (is_new)
        said[count++] = name;
    pthread_mutex_unlock(&lock);
    if (!is_new)
        return;
    error_log_add(CU_LOG_LEVEL_ERROR,
                  "%s is not supported, or not with these arguments", name);
    if (is_wanted())
        fprintf(stderr,
                PREFIX "%s is not supported, or not with these arguments\n",
                name);
}
