/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser's files call of each other. Unless said otherwise: false
 * after a message. */
#ifndef WEFT_PTX_PARSE_H
#define WEFT_PTX_PARSE_H

#include "ptx/internal.h"

/* tokens.c */
static inline bool token_is(const struct token *t, const char *text)
{
    size_t len = strlen(text); /* of a literal: known to the compiler */
    return len == t->len && memcmp(t->start, text, len) == 0;
}
/* After an error: skips the statement, to behind its `;`. */
void recover(struct parser *p);
bool skip_braces(struct parser *p);

/* directives.c: each is called behind the directive's name. */
/* .file 1 "name" */
bool parse_file(struct parser *p);
/* .loc 1 20 5, for the instructions that follow. */
bool parse_loc(struct parser *p);
/* Up to the semicolon; strings are added to `list`, which may be NULL. */
bool parse_pragma(struct parser *p, struct ptx_func *list);
/* .section name { ... }: skipped. */
bool parse_section(struct parser *p);
/* At the end: warns of a .loc whose file was not declared. */
void check_files(struct parser *p);

/* expr.c: constant expressions */
struct constant {
    enum { CONST_int, CONST_f32, CONST_f64 } kind;
    uint64_t bits; /* of an int64_t, uint64_t, float or double */
    bool is_unsigned;
};
bool parse_constant(struct parser *p, struct constant *c);
/* The bits of `c` as a `type`; false: impossible (a float as .s32). */
bool constant_bits(const struct constant *c, enum ptx_type type,
                   uint64_t *bits);

/* parse_var.c */
struct var_decl {
    enum ptx_space space;
    enum ptx_type type;
    unsigned vector, align_bytes;
    bool is_ptr, is_managed, is_unified;
    enum ptx_space ptr_space;
    unsigned ptr_align_bytes;
    uint64_t unified[2];
};
/* The dimensions, for an initialiser. */
struct var_shape {
    size_t stride[INIT_DEPTH_MAX + 2]; /* elements below a brace of depth i */
    unsigned depth;
    bool is_unsized; /* the first dimension is left open */
};
bool is_var_directive(const struct parser *p); /* .global .shared ... */
bool parse_vars(struct parser *p, enum ptx_linkage linkage);
/* .align 8 .v4 .f32 and the like, up to the name. */
bool parse_decl(struct parser *p, struct var_decl *d);
/* Name and dimensions of one variable; fills in `v` except for its offset. */
bool parse_declarator(struct parser *p, const struct var_decl *d,
                      struct ptx_var *v);
/* The type that a directive token names; PTX_TYPE_none: none. */
enum ptx_type type_named(const char *text, size_t len);

/* parse_init.c: what follows the '='. */
bool parse_initialiser(struct parser *p, struct ptx_var *v,
                       const struct var_shape *shape);

/* parse_func.c */
bool parse_func(struct parser *p, enum ptx_linkage linkage, bool is_entry);
bool parse_alias(struct parser *p);
void resolve_alias(struct ptx_func *f);

/* parse_regparam.c: .func (.reg .b32 r) f(.reg .b32 x). make: a register and a
 * variable for the parameter; load, store: instructions that move it, where
 * the function begins and returns. */
bool make_reg_param(struct parser *p, const struct token *at,
                    struct ptx_var *v);
bool load_reg_params(struct parser *p, struct ptx_func *f);
bool store_reg_results(struct parser *p, struct ptx_func *f);

/* parse_reg.c */
/* Index of the new register in the function; 0, after a message, if there are
 * too many. */
uint32_t add_reg(struct parser *p, const struct token *at, const char *name,
                 enum ptx_type type);
bool parse_regs(struct parser *p);
/* The register of a range that the token names, in scopes from min_depth on;
 * NULL: none. Valid until the next call. */
struct symbol *find_in_range(struct parser *p, const struct token *at,
                             unsigned min_depth);

/* parse_inst.c */
bool parse_inst(struct parser *p);
/* A place for the next instruction, which is not counted yet, and whose
 * operands are where all are read to. add_inst: counts it, with operands of
 * its own. */
struct ptx_inst *next_inst(struct parser *p, const struct ptx_inst *spelled);
void keep_inst(struct parser *p, struct ptx_inst *inst);
bool parse_operand(struct parser *p, struct ptx_operand *op);
/* The symbol that a token names; in a range, its register. NULL: none. */
struct symbol *find_symbol(struct parser *p, const struct token *at);

/* parse_index.c: a[2] is an element of an array, or its address; the
 * instruction decides which. Until then `label` says that it was written like
 * this. An index in a register is noted in p->indexed, and the operand becomes
 * the register that add_element_address fills. */
bool parse_index(struct parser *p, struct ptx_operand *op);
bool is_element(const struct ptx_operand *op);
bool add_element_address(struct parser *p, const struct ptx_inst *user);

/* The special register that the token names; false without a message: none. */
bool find_sreg(const struct token *t, struct ptx_operand *op);

/* parse_move.c: mov.v4.b32, if that is next; false after a message. */
bool parse_vector_move(struct parser *p, uint32_t guard, bool guard_negated,
                       bool *is_one);

/* parse_call.c */
bool parse_call(struct parser *p, struct ptx_inst *inst);

/* spelling.c: NULL after a message */
const struct ptx_inst *decode_spelling(struct parser *p, const struct token *t);

/* layout.c */
bool ptx_layout_params(struct ptx_func *f);

/* check.c */
struct inst_text { /* where the parts are, for messages */
    struct token opcode;
    struct token operand[PTX_MAX_OPERANDS];
    bool is_joined; /* p|q: the first two operands */
};
/* Checks the instruction, and moves its operands, and their positions in
 * `text`, to the places of the form. */
bool check_inst(struct parser *p, struct ptx_inst *inst,
                struct inst_text *text);

/* check_texture.c: are coordinates and results as the geometry requires? True
 * for other instructions. */
bool check_texture(struct parser *p, const struct inst_text *text,
                   const struct ptx_inst *inst);

/* check_value.c: constants, parts of registers, spaces of variables; true for
 * other instructions. */
bool check_values(struct parser *p, const struct inst_text *text,
                  const struct ptx_inst *inst);
bool check_selects(struct parser *p, const struct inst_text *text,
                   const struct ptx_inst *inst);
bool check_windows(struct parser *p, const struct inst_text *text,
                   const struct ptx_inst *inst);

/* check_matrix.c: as many registers as the fragments have; true for other
 * instructions. */
bool check_matrix(struct parser *p, const struct inst_text *text,
                  const struct ptx_inst *inst);

/* Converts a constant to the bits of an operand of `type`. */
bool check_immediate(struct parser *p, const struct token *at,
                     struct ptx_operand *op, enum ptx_type type);

/* check.c */
/* Whether a register of type `reg` may stand where `wanted` is due: floats
 * and packed types agree with themselves and untyped registers only. */
bool ptx_is_compatible(enum ptx_type wanted, enum ptx_type reg);
bool check_one_type(struct parser *p, const struct token *at,
                    const struct ptx_operand *op);

/* inst.c */
/* Do two letters of forms.def have a bar between them? */
static inline bool ptx_is_joint(char c)
{
    return c == '|' || c == '&' || c == '!';
}
/* The letter for operand i; 0 behind the last. */
char ptx_operand_letter(const struct ptx_inst *inst, unsigned i);
/* Are the first two operands written p|q? */
bool ptx_is_joined(const struct ptx_inst *inst);
enum ptx_type ptx_letter_type(const struct ptx_inst *inst, char letter);
/* The type of a constant or register as operand i; none: any. */
enum ptx_type ptx_operand_type(const struct ptx_inst *inst, unsigned i);
/* The type of a vector's items; none: so many do not make up `whole`. */
enum ptx_type ptx_item_type(const struct ptx_inst *inst, enum ptx_type whole,
                            unsigned item_count);

#endif
