/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints a module as text that parses to the same module. Every function is
 * declared first, so that each keeps its index; scopes stay flattened.
 */
#include "ptx/parse.h"

#include "ptx/print/text.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- variables --------------------------------------------------------- */

static const char *linkage_text(enum ptx_linkage linkage)
{
    static const char *const text[] = {
        [PTX_LINK_internal] = "",         [PTX_LINK_extern] = ".extern ",
        [PTX_LINK_visible] = ".visible ", [PTX_LINK_weak] = ".weak ",
        [PTX_LINK_common] = ".common ",
    };
    return text[linkage];
}

static const char *space_text(enum ptx_space space)
{
    switch (space) {
    case PTX_SPACE_reg:
        return ".reg";
    case PTX_SPACE_const:
        return ".const";
    case PTX_SPACE_local:
        return ".local";
    case PTX_SPACE_param:
        return ".param";
    case PTX_SPACE_shared:
        return ".shared";
    case PTX_SPACE_tex:
        return ".tex";
    default:
        return ".global";
    }
}

/* .param .align 8 .b8 name[16] */
static void print_declarator(struct text *t, const struct ptx_var *v,
                             const char *name)
{
    text_add(t, "%s", space_text(v->space));
    if (v->is_managed)
        text_add(t, " .attribute(.managed)");
    if (v->is_unified)
        text_add(t, " .attribute(.unified(%llu, %llu))",
                 (unsigned long long)v->unified[0],
                 (unsigned long long)v->unified[1]);
    if (v->align_bytes != ptx_type_size(v->type) * v->vector)
        text_add(t, " .align %u", v->align_bytes);
    if (v->vector > 1)
        text_add(t, " .v%u", v->vector);
    text_add(t, " .%s", ptx_type_name(v->type));
    if (v->is_ptr)
        text_add(t, " .ptr");
    if (v->ptr_space)
        text_add(t, " %s", space_text(v->ptr_space));
    if (v->ptr_align_bytes)
        text_add(t, " .align %u", v->ptr_align_bytes);
    text_add(t, " %s", name);
    if (v->is_array && !v->element_count &&
        (v->linkage == PTX_LINK_extern || v->space == PTX_SPACE_param))
        text_add(t, "[]");
    else if (v->is_array)
        text_add(t, "[%zu]", v->element_count);
}

static void print_reloc(struct text *t, const struct ptx_reloc *r)
{
    const char *name = r->var ? r->var->name : r->func->name;
    if (r->size_bytes == 1)
        text_add(t, "0x%llX(", 0xffULL << r->shift_bits);
    if (r->is_generic)
        text_add(t, "generic(%s)", name);
    else
        text_add(t, "%s", name);
    if (r->addend)
        text_add(t, "+%lld", (long long)r->addend);
    if (r->size_bytes == 1)
        text_add(t, ")");
}

static uint64_t element_bits(const struct ptx_var *v, size_t i)
{
    uint64_t bits = 0;
    size_t size = ptx_type_size(v->type);
    memcpy(&bits, v->init + i * size, size < 8 ? size : 8);
    if (ptx_type_kind(v->type) == PTX_KIND_signed && size < 8)
        bits =
            (uint64_t)((int64_t)(bits << (64 - size * 8)) >> (64 - size * 8));
    return bits;
}

/* Number of elements to write: those behind the last nonzero one are left
 * out. */
static size_t written_elements(const struct ptx_var *v)
{
    size_t size = ptx_type_size(v->type);
    size_t end = v->size_bytes;
    size_t last_reloc =
        v->reloc_count ? v->relocs[v->reloc_count - 1].offset_bytes + 1 : 0;
    while (end && !v->init[end - 1] && end > last_reloc)
        end--;
    size_t count = (end + size - 1) / size;
    return (count + v->vector - 1) / v->vector * v->vector;
}

static void print_element(struct text *t, const struct ptx_var *v, size_t i,
                          size_t *reloc)
{
    size_t offset = i * ptx_type_size(v->type);
    if (*reloc < v->reloc_count && v->relocs[*reloc].offset_bytes == offset)
        print_reloc(t, &v->relocs[(*reloc)++]);
    else
        print_constant(t, v->type, element_bits(v, i));
}

static void print_init(struct text *t, const struct ptx_var *v)
{
    size_t count = written_elements(v), reloc = 0;
    bool is_list = v->is_array || v->vector > 1;
    text_add(t, is_list ? " = {" : " = ");
    if (!is_list && !count)
        text_add(t, "0");
    for (size_t i = 0; i < count; i++) {
        bool is_nested = v->is_array && v->vector > 1;
        if (is_nested && i % v->vector == 0)
            text_add(t, i ? "}, {" : "{");
        else if (i)
            text_add(t, ", ");
        print_element(t, v, i, &reloc);
    }
    if (count && v->is_array && v->vector > 1)
        text_add(t, "}");
    if (is_list)
        text_add(t, "}");
}

static void print_var(struct text *t, const struct ptx_var *v)
{
    text_add(t, "%s", linkage_text(v->linkage));
    print_declarator(t, v, v->name);
    if (v->settings)
        text_add(t, " = {%s}", v->settings);
    if (v->init)
        print_init(t, v);
    text_add(t, ";\n");
}

/* An initialiser may name what was .extern there and is defined later. */
static void print_global(struct text *t, const struct ptx_var *v)
{
    for (size_t i = 0; i < v->reloc_count; i++) {
        const struct ptx_var *named = v->relocs[i].var;
        if (!named || named->index <= v->index)
            continue;
        struct ptx_var declared = *named;
        declared.linkage = PTX_LINK_extern;
        declared.init = NULL;
        declared.settings = NULL;
        print_var(t, &declared);
    }
    print_var(t, v);
}

/* ---- functions --------------------------------------------------------- */

/* The parameter as it was written: .reg, under the register's name. */
static struct ptx_var written_param(const struct ptx_var *v)
{
    struct ptx_var written = *v;
    if (v->is_reg)
        written.space = PTX_SPACE_reg;
    if (v->reg != PTX_NO_REG)
        written.name = v->owner->regs[v->reg].name;
    return written;
}

static void print_params(struct text *t, const struct ptx_var *params,
                         size_t count, bool has_names)
{
    text_add(t, "(");
    for (size_t i = 0; i < count; i++) {
        struct ptx_var v = written_param(&params[i]);
        text_add(t, i ? ", " : "");
        print_declarator(t, &v, has_names ? v.name : "_");
    }
    text_add(t, ")");
}

static void print_dims(struct text *t, const char *name, const unsigned d[3])
{
    if (d[0])
        text_add(t, " .%s %u, %u, %u", name, d[0], d[1], d[2]);
}

static void print_number(struct text *t, const char *name, unsigned n)
{
    if (n)
        text_add(t, " .%s %u", name, n);
}

static void print_header(struct text *t, const struct ptx_func *f)
{
    text_add(t, "%s.%s ", linkage_text(f->linkage),
             f->is_entry ? "entry" : "func");
    if (f->ret_count) {
        print_params(t, f->rets, f->ret_count, true);
        text_add(t, " ");
    }
    text_add(t, "%s", f->name);
    print_params(t, f->params, f->param_count, true);
    if (f->is_noreturn)
        text_add(t, " .noreturn");
}

static void print_limits(struct text *t, const struct ptx_func *f)
{
    print_dims(t, "maxntid", f->maxntid);
    print_dims(t, "reqntid", f->reqntid);
    print_number(t, "minnctapersm", f->minnctapersm);
    print_number(t, "maxnreg", f->maxnreg);
    if (f->is_explicit_cluster)
        text_add(t, " .explicitcluster");
    print_dims(t, "reqnctapercluster", f->reqnctapercluster);
    print_number(t, "maxclusterrank", f->maxclusterrank);
    if (f->has_cluster_blocks)
        text_add(t, " .blocksareclusters");
    print_number(t, "abi_preserve", f->abi_preserve);
    print_number(t, "abi_preserve_control", f->abi_preserve_control);
    for (size_t i = 0; i < f->pragma_count; i++)
        text_add(t, " .pragma %s;", f->pragmas[i]);
}

static bool is_param_reg(const struct ptx_func *f, uint32_t reg)
{
    for (size_t i = 0; i < f->param_count; i++)
        if (f->params[i].reg == reg)
            return true;
    for (size_t i = 0; i < f->ret_count; i++)
        if (f->rets[i].reg == reg)
            return true;
    return false;
}

/* Neighbours of one type share a line. */
static void print_regs(struct text *t, const struct ptx_func *f)
{
    enum ptx_type open = PTX_TYPE_none;
    for (size_t i = 0; i < f->reg_count; i++) {
        const struct ptx_reg *r = &f->regs[i];
        if (is_param_reg(f, (uint32_t)i))
            continue;
        if (open != r->type)
            text_add(t, "%s    .reg .%s %s", open ? ";\n" : "",
                     ptx_type_name(r->type), r->name);
        else
            text_add(t, ", %s", r->name);
        open = r->type;
    }
    text_add(t, open ? ";\n" : "");
}

static bool is_prefix_of_any(const struct ptx_func *f, const char *prefix)
{
    for (size_t i = 0; i < f->reg_count; i++)
        if (starts_with(f->regs[i].name, prefix))
            return true;
    for (size_t i = 0; i < f->var_count; i++)
        if (starts_with(f->vars[i].name, prefix))
            return true;
    for (size_t i = 0; i < f->label_count; i++)
        if (starts_with(f->labels[i].name, prefix))
            return true;
    for (size_t i = 0; i < f->param_count; i++)
        if (starts_with(f->params[i].name, prefix))
            return true;
    for (size_t i = 0; i < f->ret_count; i++)
        if (starts_with(f->rets[i].name, prefix))
            return true;
    return false;
}

/* A prefix for names of lists and prototypes that no other name has. */
static void choose_prefix(const struct ptx_func *f, char *prefix, size_t size)
{
    unsigned n = 0;
    do
        snprintf(prefix, size, "$list%u_", n++);
    while (is_prefix_of_any(f, prefix));
}

static void print_branch_targets(struct text *t, const struct ptx_func *f,
                                 const struct ptx_inst *inst,
                                 const char *prefix)
{
    text_add(t, "%s%u: .branchtargets ", prefix, (unsigned)(inst - f->insts));
    for (unsigned i = 0; i < inst->target_count; i++)
        text_add(t, "%s%s", i ? ", " : "", f->labels[inst->targets[i]].name);
    text_add(t, ";\n");
}

static void print_prototype(struct text *t, const struct ptx_func *f,
                            const struct ptx_inst *inst, const char *prefix)
{
    const struct ptx_func *prototype = inst->call->prototype;
    text_add(t, "%s%u: .callprototype ", prefix, (unsigned)(inst - f->insts));
    if (prototype->ret_count) {
        print_params(t, prototype->rets, prototype->ret_count, false);
        text_add(t, " ");
    }
    text_add(t, "_ ");
    print_params(t, prototype->params, prototype->param_count, false);
    text_add(t, "%s;\n", prototype->is_noreturn ? " .noreturn" : "");
}

/* Is it a move of the parser's own, between a .reg parameter and its
 * variable? */
static bool is_param_move(const struct ptx_inst *inst)
{
    for (unsigned i = 0; i < inst->operand_count; i++)
        if (inst->operand[i].var && inst->operand[i].var->is_reg)
            return true;
    return false;
}

static void print_line(struct text *t, const struct ptx_func *f,
                       const struct ptx_inst *inst, const char *prefix)
{
    const struct ptx_inst *before = inst;
    do
        before = before > f->insts ? before - 1 : NULL;
    while (before && is_param_move(before));
    bool is_known = before ? before->loc_file == inst->loc_file &&
                                 before->loc_line == inst->loc_line
                           : !inst->loc_file && !inst->loc_line;
    if (!is_known)
        text_add(t, "    .loc %u %u 0\n", inst->loc_file, inst->loc_line);
    if (inst->op == PTX_OP_brx)
        print_branch_targets(t, f, inst, prefix);
    if (inst->call && !inst->call->func)
        print_prototype(t, f, inst, prefix);
    text_add(t, "    ");
    print_inst(t, f, inst, prefix);
    text_add(t, "\n");
}

static void print_body(struct text *t, const struct ptx_func *f)
{
    char prefix[32];
    size_t label = 0;
    choose_prefix(f, prefix, sizeof prefix);
    print_regs(t, f);
    for (size_t i = 0; i < f->var_count; i++) {
        text_add(t, "    ");
        print_var(t, &f->vars[i]);
    }
    for (size_t i = 0; i <= f->inst_count; i++) {
        for (; label < f->label_count && f->labels[label].inst == i; label++)
            text_add(t, "%s:\n", f->labels[label].name);
        if (i < f->inst_count && !is_param_move(&f->insts[i]))
            print_line(t, f, &f->insts[i], prefix);
    }
}

static void print_function(struct text *t, const struct ptx_func *f)
{
    if (f->alias_of) {
        text_add(t, "\n.alias %s, %s;\n", f->name, f->alias_of->name);
        return;
    }
    if (f->is_declaration)
        return;
    text_add(t, "\n");
    print_header(t, f);
    print_limits(t, f);
    text_add(t, "\n{\n");
    print_body(t, f);
    text_add(t, "}\n");
}

/* ---- the module -------------------------------------------------------- */

static void print_module(struct text *t, const struct ptx_module *m)
{
    text_add(t, ".version %u.%u\n.target %s\n", m->version / 10,
             m->version % 10, m->target);
    if (m->address_size_bits != 32) /* the directive came with PTX 2.3 */
        text_add(t, ".address_size %u\n", m->address_size_bits);
    for (size_t i = 0; i < m->file_count; i++)
        if (m->files[i])
            text_add(t, ".file %zu \"%s\"\n", i, m->files[i]);
    for (size_t i = 0; i < m->func_count; i++) {
        print_header(t, m->funcs[i]);
        if (m->funcs[i]->is_declaration)
            print_limits(t, m->funcs[i]);
        text_add(t, ";\n");
    }
    for (size_t i = 0; i < m->var_count; i++)
        print_global(t, m->vars[i]);
    for (size_t i = 0; i < m->func_count; i++)
        print_function(t, m->funcs[i]);
}

char *ptx_print(const struct ptx_module *m)
{
    struct text t = {0};
    print_module(&t, m);
    if (!t.is_lost)
        return t.data;
    free(t.data);
    return NULL;
}
