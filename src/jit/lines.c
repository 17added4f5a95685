/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which source line a machine instruction comes from: reads DWARF's line table,
 * which objects have whose PTX has .loc lines, and looks the address of a fault
 * up in the tables of all loaded code. Source: the DWARF standard, version 4,
 * "Line Number Information". Objects come from a file that anybody may have
 * damaged: reading stops at the first thing that is wrong.
 */
#include "jit/internal.h"

#include <pthread.h>
#include <stdlib.h>

struct row {
    uint64_t address;
    uint32_t line;
    bool is_end; /* no code from here to the next row */
};

struct jit_lines {
    struct jit_lines *next;
    VEC(struct row) rows; /* sorted by address within each sequence */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct jit_lines *loaded;

/* ---- reading ------------------------------------------------------------ */

struct reader {
    const struct jit_line_source *source;
    size_t at, end;
    bool is_bad;
};

static uint64_t read_fixed(struct reader *r, size_t bytes)
{
    uint64_t v = 0;
    if (r->is_bad || bytes > r->end - r->at) {
        r->is_bad = true;
        return 0;
    }
    memcpy(&v, r->source->data + r->at, bytes); /* both are little-endian */
    r->at += bytes;
    return v;
}

static uint64_t unsigned_leb(struct reader *r)
{
    uint64_t v = 0, byte = 0x80;
    for (unsigned shift = 0; byte & 0x80 && !r->is_bad; shift += 7) {
        byte = read_fixed(r, 1);
        if (shift < 64)
            v |= (byte & 0x7f) << shift;
    }
    return v;
}

static int64_t signed_leb(struct reader *r)
{
    uint64_t v = 0, byte = 0x80;
    unsigned shift = 0;
    for (; byte & 0x80 && !r->is_bad; shift += 7) {
        byte = read_fixed(r, 1);
        if (shift < 64)
            v |= (byte & 0x7f) << shift;
    }
    if (shift < 64 && byte & 0x40)
        v |= ~(uint64_t)0 << shift;
    return (int64_t)v;
}

/* The header of one unit's line program. */
struct table {
    unsigned step_bytes, line_range, opcode_base;
    int line_base;
    uint8_t operands[256]; /* how many, by standard opcode */
};

/* Leaves the reader at the first opcode, and its end behind the last. */
static bool read_header(struct reader *r, struct table *t)
{
    uint64_t bytes = read_fixed(r, 4);
    if (r->is_bad || bytes > r->end - r->at)
        return false;
    r->end = r->at + bytes;
    unsigned version = (unsigned)read_fixed(r, 2);
    if (version < 2 || version > 4)
        return false;
    uint64_t header_bytes = read_fixed(r, 4);
    size_t program = r->at;
    t->step_bytes = (unsigned)read_fixed(r, 1);
    if (version == 4)
        read_fixed(r, 1); /* operations in an instruction */
    read_fixed(r, 1);     /* whether rows begin statements */
    t->line_base = (int8_t)read_fixed(r, 1);
    t->line_range = (unsigned)read_fixed(r, 1);
    t->opcode_base = (unsigned)read_fixed(r, 1);
    for (unsigned i = 1; i < t->opcode_base; i++)
        t->operands[i] = (uint8_t)read_fixed(r, 1);
    if (r->is_bad || header_bytes > r->end - program || !t->line_range)
        return false;
    r->at = program + header_bytes;
    return true;
}

static const struct row first_row = {.line = 1};

/* Without memory the row is lost: a fault there is one without its line. */
static void add_row(struct jit_lines *out, struct row row)
{
    (void)vec_push(&out->rows, row);
}

static void run_extended(struct reader *r, struct row *now,
                         struct jit_lines *out)
{
    enum { END_SEQUENCE = 1, SET_ADDRESS };
    uint64_t bytes = unsigned_leb(r);
    size_t at = r->at;
    if (r->is_bad || !bytes || bytes > r->end - at) {
        r->is_bad = true;
        return;
    }
    unsigned opcode = (unsigned)read_fixed(r, 1);
    if (opcode == END_SEQUENCE) {
        now->is_end = true;
        add_row(out, *now);
        *now = first_row;
    } else if (opcode == SET_ADDRESS) {
        now->address = r->source->address(r->source->object, r->at);
        r->is_bad |= !now->address;
    }
    r->at = at + bytes;
}

static void run_standard(struct reader *r, const struct table *t,
                         unsigned opcode, struct row *now,
                         struct jit_lines *out)
{
    enum {
        COPY = 1,
        ADVANCE_PC,
        ADVANCE_LINE,
        CONST_ADD_PC = 8,
        FIXED_ADVANCE_PC
    };
    switch (opcode) {
    case COPY:
        add_row(out, *now);
        return;
    case ADVANCE_PC:
        now->address += t->step_bytes * unsigned_leb(r);
        return;
    case ADVANCE_LINE:
        now->line += (uint32_t)signed_leb(r);
        return;
    case CONST_ADD_PC:
        now->address +=
            t->step_bytes * ((255 - t->opcode_base) / t->line_range);
        return;
    case FIXED_ADVANCE_PC:
        now->address += read_fixed(r, 2);
        return;
    default:
        for (unsigned i = 0; i < t->operands[opcode]; i++)
            unsigned_leb(r);
    }
}

static void read_rows(struct reader *r, const struct table *t,
                      struct jit_lines *out)
{
    struct row now = first_row;
    while (!r->is_bad && r->at < r->end) {
        unsigned opcode = (unsigned)read_fixed(r, 1);
        if (!opcode) {
            run_extended(r, &now, out);
        } else if (opcode < t->opcode_base) {
            run_standard(r, t, opcode, &now, out);
        } else {
            unsigned advance = opcode - t->opcode_base;
            now.address += t->step_bytes * (advance / t->line_range);
            now.line += (uint32_t)(t->line_base +
                                   (int)(advance % t->line_range));
            add_row(out, now);
        }
    }
}

struct jit_lines *jit_lines_load(const struct jit_line_source *source)
{
    struct jit_lines *lines = calloc(1, sizeof *lines);
    struct reader r = {.source = source, .end = source->bytes};
    while (lines && !r.is_bad && r.at < source->bytes) {
        struct table t = {0};
        r.end = source->bytes;
        if (!read_header(&r, &t))
            break;
        read_rows(&r, &t, lines);
        r.at = r.end;
    }
    if (!lines)
        return NULL;
    pthread_mutex_lock(&lock);
    lines->next = loaded;
    loaded = lines;
    pthread_mutex_unlock(&lock);
    return lines;
}

void jit_lines_unload(struct jit_lines *lines)
{
    if (!lines)
        return;
    pthread_mutex_lock(&lock);
    struct jit_lines **at = &loaded;
    while (*at != lines)
        at = &(*at)->next;
    *at = lines->next;
    pthread_mutex_unlock(&lock);
    vec_fini(&lines->rows);
    free(lines);
}

/* ---- finding ------------------------------------------------------------ */

static uint32_t find_line(const struct jit_lines *lines, uint64_t address)
{
    const struct row *rows = lines->rows.data;
    for (size_t i = 0; i + 1 < lines->rows.count; i++)
        if (!rows[i].is_end && rows[i].address <= address &&
            address < rows[i + 1].address)
            return rows[i].line;
    return 0;
}

uint32_t jit_line_at(uint64_t address)
{
    uint32_t line = 0;
    pthread_mutex_lock(&lock);
    for (const struct jit_lines *l = loaded; l && !line; l = l->next)
        line = find_line(l, address);
    pthread_mutex_unlock(&lock);
    return line;
}
