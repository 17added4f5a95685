/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx-coverage LIST...: coverage.md, made by trying. An instruction
 * of every row of forms.def is parsed, compiled and given to the interpreter;
 * for operands that cannot be made up, one comes from the lists.
 */
#include "instructions.h"

#include "emu/emu.h"
#include "jit/jit.h"

#include <stdio.h>
#include <stdlib.h>

#define SM_NEWEST 90u

/* An instruction for each row, or NULL. */
static char **examples;

static struct ptx_module *parse_as(const char *text, unsigned version,
                                   unsigned sm)
{
    char module[8192];
    struct diag diag;
    size_t len = put_header(module, sizeof module, version, sm);
    snprintf(module + len, sizeof module - len, "%s\nret; }\n", text);
    diag_init(&diag);
    struct ptx_module *m = ptx_parse("row", module, strlen(module), &diag);
    diag_fini(&diag);
    return m;
}

static struct ptx_module *parse_one(const char *text)
{
    return parse_as(text, 90, SM_NEWEST | SM_ARCH);
}

static const struct ptx_func *kernel_of(const struct ptx_module *m)
{
    return ptx_find_func(m, "k");
}

static void read_examples(const char *name)
{
    char line[TEXT_MAX];
    FILE *file = fopen(name, "r");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(1);
    }
    while (fgets(line, sizeof line, file)) {
        struct ptx_module *m = parse_one(line);
        const struct ptx_func *k = m ? kernel_of(m) : NULL;
        if (k && k->inst_count == 2 && !examples[k->insts[0].form])
            examples[k->insts[0].form] = strdup(line);
        ptx_module_destroy(m);
    }
    fclose(file);
}

/* ---- an instruction of a row -------------------------------------------- */

static void spell_least(const struct row *r, struct spelled_row *s)
{
    unsigned pick[WORD_MAX];
    for (unsigned i = 0; i < r->count; i++)
        pick[i] = r->word[i].is_optional ? r->word[i].count : 0;
    spell(r, pick, s);
}

/* The row's instruction with nothing that may be left out. */
static struct ptx_module *try_plain(const struct row *r)
{
    static const struct mutation as_is = {.bad = -1, .drop = -1};
    struct spelled_row s;
    char text[TEXT_MAX];
    spell_least(r, &s);
    size_t len = (size_t)snprintf(text, sizeof text, "%s", s.text);
    put_operands(text + len, sizeof text - len, r->form->operands, &s.types,
                 &as_is);
    if (r->before) /* of older modules only */
        return parse_as(text, r->before == 14 ? 13 : r->before - 1,
                        r->before == 14 ? 13 : 60);
    return parse_one(text);
}

static size_t put_vector(char *out, size_t size, const char *reg,
                         unsigned count)
{
    size_t len = 0;
    for (unsigned i = 0; i < count && len + 20 < size; i++)
        len +=
            (size_t)snprintf(out + len, size - len, "%s%s", i ? "," : "{", reg);
    return len + (size_t)snprintf(out + len, size - len, "}");
}

/* Operands with vectors of these lengths, one after the other. */
static void put_vectors(char *out, size_t size, const char *form,
                        const char *reg, const unsigned *counts)
{
    size_t len = 0;
    unsigned vectors = 0;
    const char *separator = " ";
    for (const char *c = form; *c && *c != ' ' && *c != '@'; c++) {
        if (c[1] == '?' || *c == '?' || (c > form && c[-1] == '|') || *c == '|')
            continue;
        len += (size_t)snprintf(out + len, size - len, "%s", separator);
        separator = ", ";
        if (*c == 'R' || *c == 'r')
            len += put_vector(out + len, size - len, reg, counts[vectors++]);
        else if (*c == 'T') {
            len += (size_t)snprintf(out + len, size - len, "[%%u64_0, ");
            len +=
                put_vector(out + len, size - len, "%b32_1", counts[vectors++]);
            len += (size_t)snprintf(out + len, size - len, "]");
        } else
            len += (size_t)snprintf(out + len, size - len, "%s",
                                    *c == 'x'   ? "%b32_0"
                                    : *c == 'y' ? "%b64_0"
                                    : *c == 'q' ? "%pred_0"
                                    : *c == 'a' ? "[%u64_0]"
                                    : c > form && c[-1] == 'x' ? "0" : "1");
    }
    snprintf(out + len, size - len, ";");
}

/* How many registers a vector has depends on shape and type: all are tried. */
static struct ptx_module *try_vectors(const struct row *r)
{
    static const unsigned lengths[] = {1, 2, 4, 8};
    static const char *const regs[] = {"%b32_0", "%b64_0", "%b16_0"};
    struct spelled_row s;
    char text[TEXT_MAX * 4];
    spell_least(r, &s);
    size_t len = (size_t)snprintf(text, sizeof text, "%s", s.text);
    bool is_long = r->form->op == PTX_OP_wgmma;
    unsigned most = is_long ? 128 : 256;
    for (unsigned k = 0; k < ARRAY_COUNT(regs) * most; k++) {
        unsigned i = k % most;
        unsigned counts[4] = {lengths[i & 3], lengths[i >> 2 & 3],
                              lengths[i >> 4 & 3], lengths[i >> 6 & 3]};
        if (is_long)
            counts[0] = i + 1;
        put_vectors(text + len, sizeof text - len, r->form->operands,
                    regs[k / most], counts);
        struct ptx_module *m = parse_one(text);
        if (m)
            return m;
    }
    return NULL;
}

static struct ptx_module *module_of(size_t i)
{
    const struct form_row *form = &ptx_forms[i];
    struct row r;
    if (form->op == PTX_OP_bra)
        return parse_one("bra label;");
    if (form->op == PTX_OP_brx)
        return parse_one("list: .branchtargets label; "
                         "brx.idx %u32_0, list;");
    if (form->op == PTX_OP_call)
        return parse_one("p: .callprototype _ (); call %u64_0, p;");
    if (examples[i])
        return parse_one(examples[i]);
    read_row(&r, form);
    return has_plain_operands(form) ? try_plain(&r) : try_vectors(&r);
}

static bool can_simd(const struct ptx_module *m)
{
    struct simt_spec spec = {.block = {64, 1, 1}, .lane_count = 32};
    struct diag diag;
    diag_init(&diag);
    const struct compiler_api *api = jit_compiler_get(&diag);
    if (!api) {
        fprintf(stderr, "%s", diag.text);
        exit(1);
    }
    char *text = api->print(m, kernel_of(m), &spec, jit_target_get(),
                            COMPILER_LLVM, &diag);
    diag_fini(&diag);
    free(text);
    return text != NULL;
}

static bool can_emu(const struct ptx_module *m)
{
    struct diag diag;
    diag_init(&diag);
    struct emu_kernel *k = emu_kernel_create(kernel_of(m), &diag);
    emu_kernel_destroy(k);
    diag_fini(&diag);
    return k != NULL;
}

/* ---- the page ----------------------------------------------------------- */

/* The words of a row as the manual writes them: {.sat}.s32, `|` escaped. */
static void print_suffixes(const char *suffixes)
{
    for (const char *c = suffixes; *c;) {
        size_t len = strcspn(c, " ");
        bool is_optional = memchr(c, '?', len) != NULL;
        bool is_condition = memchr(c, '<', len) != NULL;
        bool has_many = memchr(c, '|', len) != NULL;
        printf("%s%s", is_optional ? "{" : "", is_condition ? " (" : ".");
        printf("%s", has_many && !is_condition ? "{" : "");
        for (size_t i = 0; i < len; i++) {
            if (c[i] == '?')
                break;
            if (c[i] == '@') /* the age of one suffix */
                i += strcspn(c + i, "|? ") - 1;
            else
                putchar(c[i] == '|' ? ',' : c[i]);
        }
        printf("%s%s%s", has_many && !is_condition ? "}" : "",
               is_condition ? ")" : "", is_optional ? "}" : "");
        c += len;
        c += *c == ' ';
    }
}

struct total {
    unsigned forms, simd, emu;
};

static const char *state(bool is_done, bool is_tried)
{
    return is_done ? "yes" : is_tried ? "refused" : "untried";
}

static void print_form(size_t i, struct total *total)
{
    const struct form_row *f = &ptx_forms[i];
    struct ptx_module *m = module_of(i);
    bool is_newer = (f->sm & ~SM_ARCH) > SM_NEWEST;
    bool is_tried = m && kernel_of(m);
    bool simd = is_tried && can_simd(m), emu = is_tried && can_emu(m);
    printf("| `%s", ptx_op_name(f->op));
    print_suffixes(f->suffixes);
    printf("` | %u.%u | sm_%u%s | %s | %s |\n", f->since / 10, f->since % 10,
           f->sm & ~SM_ARCH, f->sm & SM_ARCH ? "a" : "",
           is_newer ? "not yet" : state(simd, is_tried),
           is_newer ? "not yet" : state(emu, is_tried));
    total->forms += !is_newer;
    total->simd += simd && !is_newer;
    total->emu += emu && !is_newer;
    ptx_module_destroy(m);
}

int main(int argc, char **argv)
{
    struct total total = {0};
    examples = calloc(ptx_form_count, sizeof *examples);
    must_have_memory(examples);
    for (int i = 1; i < argc; i++)
        read_examples(argv[i]);
    printf("# PTX\n\n"
           "Every form of every instruction that is parsed and checked, the "
           "PTX version and\nthe target it needs (of a suffix of its own: see "
           "`src/ptx/forms/`), and which\nengines run it. Made by "
           "`ptx-coverage`, which tries each; do not edit.\n\n"
           "| form | PTX | target | simd | emu |\n"
           "|------|-----|--------|------|-----|\n");
    for (size_t i = 0; i < ptx_form_count; i++)
        print_form(i, &total);
    printf("\nOf %u forms up to sm_%ua, the simd engine runs %u, the "
           "interpreter %u. `refused`: with\na message that names the "
           "instruction, when the module is loaded. `not yet`: the\ntarget "
           "is newer.\n",
           total.forms, SM_NEWEST, total.simd, total.emu);
    for (size_t i = 0; i < ptx_form_count; i++)
        free(examples[i]);
    free(examples);
    return 0;
}
