/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a failing kernel down: takes away halves, quarters, eighths ... of its
 * instructions as long as it fails in the same way, then what nothing names any
 * more. The parser and printer do the cutting, so that every try is PTX.
 *
 * Source: Zeller & Hildebrandt, "Simplifying and Isolating Failure-Inducing
 * Input", 2002.
 */
#include "engines.h"

#include <ctype.h>
#include <stdlib.h>

#include "ptx/ptx.h"

struct minimiser {
    struct fuzz_case at; /* the smallest that fails; owns its text */
    bool (*fails)(const struct fuzz_case *c, void *data);
    void *data;
    size_t zero_count; /* the kernel's first instructions, see with_zeros */
};

static struct ptx_module *parse(const char *text)
{
    struct diag diag;
    diag_init(&diag);
    struct ptx_module *m = ptx_parse("case", text, strlen(text), &diag);
    diag_fini(&diag);
    return m;
}

size_t fuzz_instruction_count(const char *text)
{
    struct ptx_module *m = parse(text);
    size_t count = 0;
    for (size_t i = 0; m && i < m->func_count; i++)
        count += m->funcs[i]->inst_count;
    ptx_module_destroy(m);
    return count;
}

/* Takes `text` over. True: it fails too, and is what we go on with. */
static bool try_text(struct minimiser *z, char *text)
{
    if (!text)
        return false;
    struct fuzz_case c = z->at;
    c.text = text;
    if (strcmp(text, z->at.text) == 0 || !z->fails(&c, z->data)) {
        free(text);
        return false;
    }
    free(z->at.text);
    z->at = c;
    return true;
}

/* ---- instructions -------------------------------------------------------- */

static bool is_barrier(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_bar || inst->op == PTX_OP_barrier;
}

/* Without a barrier there may be a race; a function must end. */
static bool must_stay(const struct ptx_inst *inst)
{
    return is_barrier(inst) || inst->op == PTX_OP_ret;
}

/* Which instructions go. */
struct cut {
    size_t first, count; /* of the module's */
    size_t zero_count;   /* of the kernel stay */
    bool barriers;       /* all of them, and nothing else */
};

static bool goes(const struct cut *c, const struct ptx_func *f, size_t i,
                 size_t number)
{
    if (c->barriers)
        return is_barrier(&f->insts[i]);
    return number >= c->first && number < c->first + c->count &&
           !(f->is_entry && i < c->zero_count) && !must_stay(&f->insts[i]);
}

/* Labels move with what is behind them. */
static void apply(struct ptx_module *m, const struct cut *c)
{
    size_t number = 0;
    for (size_t i = 0; i < m->func_count; i++) {
        struct ptx_func *f = m->funcs[i];
        size_t kept = 0, label = 0;
        for (size_t k = 0; k < f->inst_count; k++, number++) {
            for (; label < f->label_count && f->labels[label].inst == k;
                 label++)
                f->labels[label].inst = (uint32_t)kept;
            if (!goes(c, f, k, number))
                f->insts[kept++] = f->insts[k];
        }
        for (; label < f->label_count; label++)
            f->labels[label].inst = (uint32_t)kept;
        f->inst_count = kept;
    }
}

static bool try_without(struct minimiser *z, size_t first, size_t count)
{
    struct ptx_module *m = parse(z->at.text);
    if (!m)
        return false;
    apply(m, &(struct cut){first, count, z->zero_count, false});
    char *text = ptx_print(m);
    ptx_module_destroy(m);
    return try_text(z, text);
}

/* From the end: what uses a value goes before what makes it. */
static bool cut_pieces(struct minimiser *z, size_t size)
{
    bool changed = false;
    size_t end = fuzz_instruction_count(z->at.text);
    while (end > 0) {
        size_t first = end > size ? end - size : 0;
        changed |= try_without(z, first, end - first);
        end = first;
    }
    return changed;
}

static void cut_instructions(struct minimiser *z)
{
    size_t size = fuzz_instruction_count(z->at.text) / 2;
    while (size > 0) {
        bool changed = cut_pieces(z, size);
        if (!changed || size > 1)
            size /= 2;
    }
}

/* ---- values that nobody sets -------------------------------------------- */

/* Sets every register of the kernel first, as text behind its declarations,
 * which are the lines that begin with a dot. */
static size_t print_zeros(FILE *out, const struct ptx_func *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->reg_count; i++) {
        const struct ptx_reg *r = &f->regs[i];
        if (r->type == PTX_TYPE_pred)
            fprintf(out, "    setp.ne.u32 %s, 0, 0;\n", r->name);
        else
            fprintf(out, "    mov.b%u %s, 0;\n", ptx_type_size(r->type) * 8,
                    r->name);
        count++;
    }
    return count;
}

static char *with_zeros(const char *text, size_t *zero_count)
{
    struct ptx_module *m = parse(text);
    const struct ptx_func *k = m ? ptx_find_func(m, "k") : NULL;
    char *printed = k ? ptx_print(m) : NULL;
    /* The definition comes behind the declarations of all functions. */
    char *body = printed ? strstr(printed, "\n{\n") : NULL;
    for (char *next = body; next && (next = strstr(next + 1, "\n{\n"));)
        body = next;
    char *out = NULL;
    size_t size;
    FILE *f = body ? open_memstream(&out, &size) : NULL;
    if (f) {
        char *at = body + 3;
        while (strncmp(at, "    .", 5) == 0 && strchr(at, '\n'))
            at = strchr(at, '\n') + 1;
        fwrite(printed, 1, (size_t)(at - printed), f);
        *zero_count = print_zeros(f, k);
        fputs(at, f);
        fclose(f);
    }
    free(printed);
    ptx_module_destroy(m);
    return out;
}

/* ---- names that nobody uses ---------------------------------------------- */

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static unsigned mentions(const char *text, const char *name, size_t length)
{
    unsigned count = 0;
    for (const char *p = text; *p; p++) {
        if (p > text && is_name_char(p[-1]))
            continue;
        if (strncmp(p, name, length) == 0 && !is_name_char(p[length]))
            count++;
    }
    return count;
}

/* "    .reg .b32 %r1, %r2;" without the names that stand nowhere else. */
static void print_used_regs(FILE *out, const char *text, const char *line)
{
    const char *end = line + strcspn(line, "\n");
    const char *name = memchr(line, '%', (size_t)(end - line));
    size_t head = name ? (size_t)(name - line) : 0;
    bool has_one = false;
    while (name && name < end) {
        size_t length = 0;
        while (is_name_char(name[length]))
            length++;
        if (mentions(text, name, length) > 1) {
            if (has_one)
                fputs(", ", out);
            else
                fwrite(line, 1, head, out);
            fwrite(name, 1, length, out);
            has_one = true;
        }
        name = memchr(name + length, '%', (size_t)(end - name) - length);
    }
    if (has_one)
        fputs(";\n", out);
}

/* "    mov.b32 %r1, 0;" and nothing else but the declaration has %r1. */
static bool is_unused_zero(const char *text, const char *line)
{
    size_t length = strcspn(line, "\n");
    const char *name = memchr(line, '%', length);
    if (strncmp(line, "    mov.b", 9) && strncmp(line, "    setp.ne", 11))
        return false;
    if (!name || strncmp(line + length - 4, ", 0;", 4))
        return false;
    return mentions(text, name, strcspn(name, ",")) == 2;
}

static bool is_unused_label(const char *text, const char *line)
{
    size_t length = strcspn(line, ":\n");
    return line[length] == ':' && is_name_char(*line) &&
           mentions(text, line, length) == 1;
}

static char *without_unused_names(const char *text)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    if (!f)
        return NULL;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (strncmp(line, "    .reg ", 9) == 0)
            print_used_regs(f, text, line);
        else if (!is_unused_label(text, line) && !is_unused_zero(text, line))
            fwrite(line, 1, length, f);
        line += length;
    }
    fclose(f);
    return out;
}

/* Functions that nobody calls, variables that nobody uses. */
static char *without_unused_symbols(const char *text)
{
    struct ptx_module *m = parse(text);
    if (!m)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < m->func_count; i++) {
        struct ptx_func *f = m->funcs[i];
        size_t vars = 0;
        for (size_t k = 0; k < f->var_count; k++)
            if (mentions(text, f->vars[k].name, strlen(f->vars[k].name)) > 1)
                f->vars[vars++] = f->vars[k];
        f->var_count = vars;
        /* Declared and defined are two. */
        if (f->is_entry || mentions(text, f->name, strlen(f->name)) > 2)
            m->funcs[kept++] = f;
    }
    m->func_count = kept;
    char *out = ptx_print(m);
    ptx_module_destroy(m);
    return out;
}

/* Where nothing is shared there is nothing to wait for. */
static char *without_barriers(const char *text)
{
    struct ptx_module *m = parse(text);
    bool has_shared = !m;
    for (size_t i = 0; m && i < m->func_count; i++)
        for (size_t k = 0; k < m->funcs[i]->inst_count; k++)
            has_shared |= m->funcs[i]->insts[k].space == PTX_SPACE_shared;
    char *out = NULL;
    if (!has_shared) {
        apply(m, &(struct cut){.barriers = true});
        out = ptx_print(m);
    }
    ptx_module_destroy(m);
    return out;
}

/* ---- all of it ----------------------------------------------------------- */

char *fuzz_minimise(const struct fuzz_case *c,
                    bool (*fails)(const struct fuzz_case *c, void *data),
                    void *data)
{
    struct minimiser z = {.at = *c, .fails = fails, .data = data};
    z.at.text = strdup(c->text);
    if (!z.at.text)
        abort();
    size_t zero_count = 0;
    if (try_text(&z, with_zeros(z.at.text, &zero_count)))
        z.zero_count = zero_count;
    size_t before;
    do {
        before = fuzz_instruction_count(z.at.text);
        cut_instructions(&z);
    } while (fuzz_instruction_count(z.at.text) < before);
    try_text(&z, without_barriers(z.at.text));
    try_text(&z, without_unused_symbols(z.at.text));
    while (try_text(&z, without_unused_names(z.at.text)))
        ; /* a declaration may go when what set it is gone */
    return z.at.text;
}
