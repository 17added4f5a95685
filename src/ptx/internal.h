/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of ptx/ share: the tables as data, tokens, the parser. */
#ifndef WEFT_PTX_INTERNAL_H
#define WEFT_PTX_INTERNAL_H

#include "ptx/ptx.h"

/* A set of types. */
#define T(name) (UINT64_C(1) << PTX_TYPE_##name)

/* ---- the tables as data ------------------------------------------------- */

/* Which of two meanings a suffix has for an opcode: mods.def. */
enum context {
    CONTEXT_ANY,
    CONTEXT_BAR,
    CONTEXT_BRANCH,
    CONTEXT_CMP,
    CONTEXT_FENCE,
    CONTEXT_SURFACE
};

struct op_row {
    const char *name;
    enum context context;
};
extern const struct op_row ptx_ops[PTX_OP_COUNT];

/* An age in forms.def: ten times a PTX version, or a target; this bit marks a
 * target whose features only its architecture has (sm_90a). */
#define SM_ARCH  0x1000u
#define A(sm)    ((sm) | SM_ARCH)

struct form_row {
    enum ptx_op op;
    const char *suffixes, *operands;
    unsigned since, sm;
};
extern const struct form_row ptx_forms[];
extern const size_t ptx_form_count;

/* A row of rules.def: suffixes that go together. */
struct rule_row {
    enum ptx_op op;
    const char *suffixes;
    enum { RULE_NEEDS, RULE_EXCLUDES, RULE_SINCE } what;
    const char *others;
};
extern const struct rule_row ptx_rules[];
extern const size_t ptx_rule_count;

/* A row of rules.def: values that a constant may have. */
struct value_row {
    enum ptx_op op;
    const char *suffixes;
    /* x: the first operand with that letter; x2: the second ... */
    const char *place;
    const char *values;
};
extern const struct value_row ptx_values[];
extern const size_t ptx_value_count;

/* ---- tokens (lex.c) ---------------------------------------------------- */

enum token_kind {
    TOKEN_end,
    TOKEN_ident,
    TOKEN_directive,  /* .reg */
    TOKEN_int,        /* value */
    TOKEN_float32,    /* value: the bits of 0f... */
    TOKEN_float64,    /* value: the bits of 0d... or 1.5 */
    TOKEN_string,     /* with its quotes */
    TOKEN_punct,      /* one character */
    TOKEN_bad_number,
    TOKEN_unfinished, /* comment or string without an end */
};

struct token {
    const char *start, *line_start;
    uint64_t value;
    uint32_t len, line;
    enum token_kind kind;
    bool is_unsigned; /* 1U */
};

struct lexer {
    const char *p, *end, *line_start;
    unsigned line;
};

/* lex_init: the text is the caller's and outlives the lexer. lex_next: the
 * next token; at the end, and from then on, a token that says so. */
void lex_init(struct lexer *lx, const char *text, size_t length);
void lex_next(struct lexer *lx, struct token *t);
/* Extends an identifier just read by its dots: ld ->
 * ld.global.L2::128B.f32. */
void lex_extend(struct lexer *lx, struct token *t);
/* Does a colon follow the token just read? */
bool lex_is_label(const struct lexer *lx);

/* ---- symbols (symbol.c) ------------------------------------------------ */

enum symbol_kind {
    SYMBOL_reg,
    SYMBOL_vector_reg, /* .reg .v4 .f32 v: index is that of v$x */
    SYMBOL_range,      /* its key is the prefix of %r<100> */
    SYMBOL_var,
    SYMBOL_func,
    SYMBOL_label,
    SYMBOL_targets,    /* name: .branchtargets or .calltargets */
    SYMBOL_prototype,
};

struct symbol {
    const char *name; /* interned: compared by pointer */
    enum symbol_kind kind;
    unsigned depth;
    struct symbol *shadowed;      /* same name, outer scope */
    struct symbol *next_in_scope;
    uint32_t index;  /* reg, label, targets: in the parser's arrays;
                        var: module scope or function scope, see is_module */
    bool is_module;
    bool is_param, is_ret; /* var: index is in params, in rets */
    uint32_t count;  /* range: registers; SYMBOL_vector_reg: components */
    /* range: 1 + index of the register with that number, or 0 */
    uint32_t *numbered;
    uint32_t numbered_count;
    enum ptx_type type; /* range */
    struct ptx_var *var;   /* module scope or parameter */
    struct ptx_func *func; /* func, prototype */
};

struct parser;
/* The symbol that a name means at this point; NULL: nothing is declared. */
struct symbol *symbol_find(const struct parser *p, const char *name);
/* Adds the names of registers to p->taken, if they are missing. */
void note_taken(struct parser *p);
/* NULL, with a message: this scope already has the name. */
struct symbol *symbol_add(struct parser *p, const struct token *at,
                          const char *name, enum symbol_kind kind);
/* Adds to an outer scope, for a name that means nothing yet. */
struct symbol *symbol_add_outer(struct parser *p, const char *name,
                                enum symbol_kind kind, unsigned depth);
/* `name`, or the first of `name$1`, `name$2` ... that no register, variable or
 * label of the function has, and that hides no global. */
const char *unique_name(struct parser *p, const char *name);
void scope_enter(struct parser *p);
void scope_leave(struct parser *p);

/* ---- the parser -------------------------------------------------------- */

#ifdef WEFT_CRAMPED
#define RANGE_SLOTS      1
#define SPELLING_SLOTS   1
#define NUMBERED_MAX     4u
#else
#define RANGE_SLOTS      16
#define SPELLING_SLOTS   256
#define NUMBERED_MAX     (1u << 20) /* registers that are found by number */
#endif
#define WARNINGS_MAX     20
#define SCOPE_DEPTH_MAX  64
#define EXPR_DEPTH_MAX   64
#define INIT_DEPTH_MAX   16
#define REGS_MAX         (1u << 20)      /* of one function */
#define VAR_BYTES_MAX    UINT32_MAX
#define INIT_BYTES_MAX   ((size_t)1 << 28) /* of all initialised variables */

/* A label that is used before its place is known; resolved when its scope
 * ends. */
struct label_use {
    const char *name;
    struct token at;
    uint32_t inst;   /* operand `operand` of this instruction, or */
    uint32_t operand;
    uint32_t targets, target; /* an entry of this list */
};

struct target_list {
    uint32_t *labels; /* filled in as labels are found */
    unsigned count;
};

struct parser {
    struct lexer lexer;
    struct token token; /* the current token */
    const char *file_name;
    struct diag *diag;
    struct arena *arena;   /* the module's */
    struct arena *scratch; /* freed after parsing */
    struct interner *names;
    struct map symbols;    /* interned name -> innermost struct symbol */
    struct map spellings;  /* interned spelling -> ptx_inst without operands */
    struct map taken;      /* function: interned name -> next suffix */
    struct symbol *scope[SCOPE_DEPTH_MAX + 1];
    size_t scope_uses[SCOPE_DEPTH_MAX + 1]; /* first of label_uses */
    /* 0: module; 1: function parameters; 2 or more: body */
    unsigned depth;
    size_t init_bytes;
    struct ptx_module *module;
    VEC(struct ptx_var *) vars;
    VEC(struct ptx_func *) funcs;
    VEC(const char *) files;

    /* The function being parsed. */
    struct ptx_func *func;
    VEC(struct ptx_reg) regs;
    VEC(struct ptx_var *) local_vars;
    VEC(struct ptx_label) labels;
    VEC(struct ptx_inst) insts;
    VEC(struct label_use) label_uses;
    VEC(struct target_list) targets;
    struct { /* an index in a register of the instruction being parsed */
        struct token at;
        const struct ptx_var *var; /* NULL: it has none */
        uint32_t index, address;
        int64_t offset;
    } indexed;
    unsigned loc_file, loc_line;
    struct token loc_unknown; /* the first that named no .file yet */
    unsigned loc_unknown_file;
    bool has_loc_unknown;
    unsigned warning_count;

    /* Shortcuts that avoid the maps for names and opcodes that come again. */
    struct range_slot {
        const char *prefix; /* in the text */
        uint32_t len;
        unsigned age;       /* valid while it equals p->range_age */
        struct symbol *range;
    } range_slots[RANGE_SLOTS];
    unsigned range_age;     /* grows when scopes or ranges change */
    bool has_numbered;      /* there is a name like %r1 that is in no range */
    /* `taken` has the names of ranges' registers. Before, each prefix with a %
     * has only one range, and no other name looks like theirs. */
    bool is_taken_complete;
    /* what find_symbol returns for a register of a range */
    struct symbol numbered;
    struct spelling_slot {
        const char *text;
        uint32_t len;
        const struct ptx_inst *inst;
    } spelling_slots[SPELLING_SLOTS];

    /* Of the instruction being parsed. */
    struct ptx_operand operands[PTX_MAX_OPERANDS];
};

/* tokens.c */
void next_token(struct parser *p);
bool is_punct(const struct parser *p, char c);
bool is_directive(const struct parser *p, const char *name); /* ".reg" */
bool accept_punct(struct parser *p, char c);
bool accept_directive(struct parser *p, const char *name);
bool expect_punct(struct parser *p, char c, const char *where);
/* Reads a name, interned; NULL after a message. */
const char *expect_name(struct parser *p, const char *what);
bool expect_unsigned(struct parser *p, const char *what, uint64_t max,
                     uint64_t *value);
/* Returns false, so that a caller can return it. */
bool error_at(struct parser *p, const struct token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Warns of something that is accepted. */
void warn_at(struct parser *p, const struct token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "expected <what>, found <token>" */
bool error_expected(struct parser *p, const char *what);

/* ---- calls --------------------------------------------------------------- */

/* False after reporting that the module's calls nest too deeply. */
bool check_call_depth(const struct ptx_module *m, const char *name,
                      struct diag *diag);

/* False after reporting a kernel whose .shared variables are too large. */
bool check_shared_size(const struct ptx_module *m, const char *name,
                       struct diag *diag);

#endif
