/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx-roundtrip FILE...: parses, prints, parses what was printed and prints
 * again. Both modules must have the same parts, both texts be equal.
 *
 * ptx-roundtrip --every-opcode FILE...: all the files together must have each
 * row of the opcode table once.
 *
 * ptx-roundtrip --speed FILE...: how fast each is parsed, and what it takes.
 */
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static char *read_file(const char *name, size_t *length)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    size_t capacity = 0, got;
    *length = 0;
    do {
        if (!vec_reserve_((void **)&text, &capacity, *length + 65536, 1))
            break;
        got = fread(text + *length, 1, 65536, file);
        *length += got;
    } while (got);
    fclose(file);
    return text;
}

static struct ptx_module *parse(const char *name, const char *text,
                                size_t length)
{
    struct diag diag;
    diag_init(&diag);
    struct ptx_module *m = ptx_parse(name, text, length, &diag);
    if (!m)
        fputs(diag.text ? diag.text : "failed without a message\n", stderr);
    diag_fini(&diag);
    return m;
}

static bool is_same_inst(const struct ptx_inst *a, const struct ptx_inst *b)
{
    if (a->op != b->op || a->form != b->form || a->guard != b->guard ||
        a->guard_negated != b->guard_negated || a->flags != b->flags ||
        a->operand_count != b->operand_count ||
        a->target_count != b->target_count || a->loc_line != b->loc_line)
        return false;
    for (unsigned i = 0; i < a->operand_count; i++) {
        const struct ptx_operand *x = &a->operand[i], *y = &b->operand[i];
        if (x->kind != y->kind || x->imm != y->imm || x->reg != y->reg ||
            x->label != y->label || x->item_count != y->item_count ||
            x->is_float_imm != y->is_float_imm)
            return false;
    }
    return true;
}

static bool is_same_func(const struct ptx_func *a, const struct ptx_func *b)
{
    if (strcmp(a->name, b->name) != 0 || a->inst_count != b->inst_count ||
        a->reg_count != b->reg_count || a->var_count != b->var_count ||
        a->label_count != b->label_count || a->param_bytes != b->param_bytes ||
        a->is_declaration != b->is_declaration)
        return false;
    for (size_t i = 0; i < a->inst_count; i++) {
        if (is_same_inst(&a->insts[i], &b->insts[i]))
            continue;
        fprintf(stderr, "%s:%u: comes back as another instruction\n", a->name,
                a->insts[i].line);
        return false;
    }
    return true;
}

static bool is_same_module(const struct ptx_module *a,
                           const struct ptx_module *b)
{
    if (a->func_count != b->func_count || a->var_count != b->var_count ||
        a->globals_bytes != b->globals_bytes)
        return false;
    for (size_t i = 0; i < a->func_count; i++)
        if (!is_same_func(a->funcs[i], b->funcs[i]))
            return false;
    return true;
}

static bool check_again(const char *name, const struct ptx_module *m,
                        const char *text)
{
    struct ptx_module *again = parse("printed", text, strlen(text));
    if (!again) {
        fprintf(stderr, "%s: what was printed does not parse\n", name);
        return false;
    }
    char *second = ptx_print(again);
    bool is_good = second && strcmp(text, second) == 0;
    if (!is_good)
        fprintf(stderr, "%s: prints differently the second time\n", name);
    if (!is_same_module(m, again)) {
        fprintf(stderr, "%s: comes back as another module\n", name);
        is_good = false;
    }
    free(second);
    ptx_module_destroy(again);
    return is_good;
}

static bool check_file(const char *name)
{
    size_t length;
    char *text = read_file(name, &length);
    if (!text) {
        fprintf(stderr, "cannot read %s\n", name);
        return false;
    }
    struct ptx_module *m = parse(name, text, length);
    char *printed = m ? ptx_print(m) : NULL;
    bool is_good = printed && check_again(name, m, printed);
    free(printed);
    ptx_module_destroy(m);
    free(text);
    return is_good;
}

/* ---- the opcode table -------------------------------------------------- */

static void note_opcodes(const struct ptx_module *m, bool *is_seen)
{
    for (size_t i = 0; i < m->func_count; i++)
        for (size_t j = 0; j < m->funcs[i]->inst_count; j++)
            is_seen[m->funcs[i]->insts[j].op] = true;
}

static int check_every_opcode(char **files, int count)
{
    bool is_seen[PTX_OP_COUNT] = {0};
    int failures = 0;
    for (int i = 0; i < count; i++) {
        size_t length;
        char *text = read_file(files[i], &length);
        struct ptx_module *m = text ? parse(files[i], text, length) : NULL;
        if (m)
            note_opcodes(m, is_seen);
        failures += !m;
        ptx_module_destroy(m);
        free(text);
    }
    for (int op = PTX_OP_invalid + 1; op < PTX_OP_COUNT; op++) {
        if (is_seen[op] || op == PTX_OP_tcgen05 ||
            op == PTX_OP_clusterlaunchcontrol) /* have no forms */
            continue;
        fprintf(stderr, "no test has `%s`\n", ptx_op_name(op));
        failures++;
    }
    return failures;
}

/* ---- speed -------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The best of many runs, one second together. */
static bool print_speed(const char *name)
{
    size_t length, instructions = 0;
    char *text = read_file(name, &length);
    double best_s = 1e9;
    bool is_good = text != NULL;
    for (double begin = seconds(); is_good && seconds() < begin + 1.0;) {
        double before = seconds();
        struct ptx_module *m = parse(name, text, length);
        double took_s = seconds() - before;
        best_s = took_s < best_s ? took_s : best_s;
        is_good = m != NULL;
        instructions = 0;
        for (size_t i = 0; m && i < m->func_count; i++)
            instructions += m->funcs[i]->inst_count;
        ptx_module_destroy(m);
    }
    free(text);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    if (is_good)
        printf("%-30s %7.2f MB %8zu instructions %7.1f MB/s %5.0f ns each, "
               "at most %ld MB\n",
               name, (double)length * 1e-6, instructions,
               (double)length * 1e-6 / best_s,
               best_s * 1e9 / (double)(instructions ? instructions : 1),
               use.ru_maxrss / 1024);
    return is_good;
}

int main(int argc, char **argv)
{
    int failures = 0;
    if (argc > 1 && strcmp(argv[1], "--every-opcode") == 0)
        return check_every_opcode(argv + 2, argc - 2) != 0;
    if (argc > 1 && strcmp(argv[1], "--speed") == 0) {
        for (int i = 2; i < argc; i++)
            failures += !print_speed(argv[i]);
        return failures != 0;
    }
    for (int i = 1; i < argc; i++)
        failures += !check_file(argv[i]);
    return failures != 0;
}
