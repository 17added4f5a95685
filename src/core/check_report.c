/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What checks have found, as lines of the error log. A line is what
 * compute-sanitizer prints in several, with "; " between them.
 */
#include "core/check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/check_lines.h"
#include "core/error_log.h"
#include "core/internal.h"
#include "emu/emu.h"

/* More are counted alone. */
enum { LINES_MAX = 1000 };
static _Atomic unsigned line_count;

/* ---- the allocation that is nearest to an address ------------------------ */

struct nearest {
    uint64_t address, base, size_bytes, distance;
    const char *side; /* on which the address is; NULL: there is none */
};

static void look_at(void *data, const struct mem_info *info)
{
    struct nearest *n = data;
    assert(info->kind != MEM_UNKNOWN);
    uint64_t end = info->base + info->size_bytes;
    struct nearest here = {n->address, info->base, info->size_bytes, 0,
                           "inside"};
    if (n->address >= end) {
        here.distance = n->address - end + 1;
        here.side = "after";
    } else if (n->address < info->base) {
        here.distance = info->base - n->address;
        here.side = "before";
    }
    if (!n->side || here.distance < n->distance)
        *n = here;
}

/* With a comma between thousands. */
static void print_number(FILE *out, uint64_t n)
{
    if (n >= 1000) {
        print_number(out, n / 1000);
        fprintf(out, ",%03u", (unsigned)(n % 1000));
    } else {
        fprintf(out, "%u", (unsigned)n);
    }
}

static void print_nearest(FILE *out, uint64_t address)
{
    struct nearest n = {.address = address};
    if (exec_heap_has((const void *)(uintptr_t)address)) {
        fputs("; and is located in the device heap", out);
        return;
    }
    mem_visit(look_at, &n);
    if (!n.side)
        return;
    fputs("; and is ", out);
    if (n.distance) {
        print_number(out, n.distance);
        fputs(" bytes ", out);
    }
    fprintf(out, "%s the nearest allocation at 0x%" PRIx64 " of size ", n.side,
            n.base);
    print_number(out, n.size_bytes);
    fputs(" bytes", out);
}

/* ---- words --------------------------------------------------------------- */

static const char *name_of(const struct emu_finding *f)
{
    assert(f->function);
    return ((const struct CUfunc_st *)f->function)->ptx->name;
}

static const char *access_name(unsigned access)
{
    if (access & EMU_ATOMIC)
        return "atomic";
    return access & EMU_WRITES ? "write" : "read";
}

static const char *space_name(enum ptx_space space)
{
    if (ptx_is_shared_space(space))
        return "__shared__";
    return space == PTX_SPACE_local ? "__local__" : "__global__";
}

static void print_place(FILE *out, const struct emu_finding *f)
{
    fprintf(out, "; at %s", name_of(f));
    explain_print_line(out, f->function, f->at.line);
    fputs("; by thread ", out);
    explain_print_index(out, f->at.thread, f->block);
    fputs(" in block ", out);
    explain_print_index(out, f->block_linear, f->grid);
}

/* ---- kinds --------------------------------------------------------------- */

static void print_access(FILE *out, const struct emu_finding *f,
                         const char *fault)
{
    fprintf(out, "Invalid %s %s of size %zu bytes", space_name(f->space),
            access_name(f->at.access), f->bytes);
    print_place(out, f);
    fprintf(out, "; Access to 0x%" PRIx64 " is %s", f->address, fault);
    if (!ptx_is_shared_space(f->space) && f->space != PTX_SPACE_local)
        print_nearest(out, f->address);
}

static void print_outside(FILE *out, const struct emu_finding *f)
{
    print_access(out, f, "out of bounds");
}

static void print_misaligned(FILE *out, const struct emu_finding *f)
{
    print_access(out, f, "misaligned");
}

static void print_unset(FILE *out, const struct emu_finding *f)
{
    fprintf(out, "Uninitialized __global__ memory read of size %zu bytes",
            f->bytes);
    print_place(out, f);
    fprintf(out, "; Address 0x%" PRIx64, f->address);
}

static const char *party_name(unsigned access)
{
    return access & EMU_WRITES ? "Write" : "Read";
}

static void print_party(FILE *out, const struct emu_finding *f,
                        const struct emu_party *p)
{
    fprintf(out, "%s access at %s", party_name(p->access), name_of(f));
    explain_print_line(out, f->function, p->line);
}

static void print_race(FILE *out, const struct emu_finding *f)
{
    assert(f->count > 0);
    fprintf(out, "%sRace reported between ",
            f->is_in_warp ? CHECK_LINE_WARNING : "Error: ");
    print_party(out, f, &f->other);
    fputs("; and ", out);
    print_party(out, f, &f->at);
    fprintf(out,
            " [%" PRIu64
            " hazard%s]; the first of __shared__ address 0x%" PRIx64
            " by threads ",
            f->count, f->count == 1 ? "" : "s", f->address);
    explain_print_index(out, f->other.thread, f->block);
    fputs(" and ", out);
    explain_print_index(out, f->at.thread, f->block);
    fputs(" in block ", out);
    explain_print_index(out, f->block_linear, f->grid);
}

static void print_barrier(FILE *out, const struct emu_finding *f)
{
    fprintf(out, "Barrier error detected. %s.", f->text);
    print_place(out, f);
}

void check_report(const struct emu_finding *f)
{
    static void (*const printers[])(FILE *, const struct emu_finding *) = {
        [EMU_FOUND_OUTSIDE] = print_outside,
        [EMU_FOUND_MISALIGNED] = print_misaligned,
        [EMU_FOUND_UNSET] = print_unset,
        [EMU_FOUND_RACE] = print_race,
        [EMU_FOUND_BARRIER] = print_barrier,
    };
    char *text = NULL;
    size_t length;
    assert((size_t)f->kind < ARRAY_COUNT(printers));
    if (line_count++ >= LINES_MAX)
        return;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return;
    printers[f->kind](out, f);
    if (fclose(out) == 0)
        error_log_add(CU_LOG_LEVEL_ERROR, "%s", text);
    free(text);
}

void check_report_copy(const void *row, size_t bytes, const void *unset)
{
    assert(bytes > 0);
    if (line_count++ < LINES_MAX)
        error_log_add(CU_LOG_LEVEL_ERROR,
                      "Host API memory access error at host access to "
                      "0x%" PRIxPTR " of size %zu bytes; Uninitialized access "
                      "to 0x%" PRIxPTR " on access by cudaMemcpy source",
                      (uintptr_t)row, bytes, (uintptr_t)unset);
}

void check_report_rest(void)
{
    unsigned count = line_count;
    if (count > LINES_MAX)
        error_log_add(CU_LOG_LEVEL_ERROR, CHECK_LINE_MORE,
                      count - LINES_MAX);
}
