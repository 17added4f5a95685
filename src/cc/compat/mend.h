/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of mending: complaints.c reads what clang refuses,
 * patch.c changes the text of one file, mend.c has clang read that. */
#ifndef WEFT_CC_MEND_H
#define WEFT_CC_MEND_H

#include "cc/cc.h"

#define MEND_HOST_DEVICE "__attribute__((host)) __attribute__((device)) "

/* What is at the place that clang points at, and how it is mended. */
enum mend_kind {
    MEND_NAME,      /* `name`: gets `text` before it, and before its S<T>:: */
    MEND_PERCENT,   /* '%', shortly before: doubled */
    MEND_OPERAND,   /* a string behind a parenthesis: gets its comma */
    MEND_TEMPLATE,  /* A<T>::f<N>: gets the word template behind its :: */
    MEND_LAUNCH,    /* the third '<' of a launch: closed up; or the brace of its
                     * dimensions: gets their type */
    MEND_SHARED,    /* the name of a __shared__ object: gets room instead */
    MEND_PRAGMA,    /* #pragma in a macro: becomes _Pragma */
    MEND_HOST_SIDE, /* a __device__ function: gets one of the host's */
    MEND_SUFFIX,    /* what follows a string: gets a space before it */
    MEND_HOST_CALL, /* a call of the __host__ function `name` in a function of
                     * both sides: goes where device code does not look */
    MEND_MEMBER,    /* x.f, a static member: becomes one of x's class */
    MEND_CONSTEXPR, /* a variable that is constexpr: becomes const */
    MEND_FRACTION,  /* the same if it is a float or a double */
    MEND_TYPE,      /* a dependent type: gets the word typename */
    MEND_DESTRUCTOR,    /* .template ~T<N>(): loses the word template */
    MEND_FILLED,        /* int a[n] = {1}: is declared, then filled */
    MEND_ARRAY_POINTER, /* int (*a)[n] = x: becomes auto a = x */
    MEND_VOID_OPERAND,  /* p + n, p a void *: counts in char */
    MEND_DEPENDENT,     /* f in typename T::f<N>: gets the word template */
    MEND_UNROLL,        /* #pragma unroll of no loop, or by -1: goes */
    MEND_UNCALLED,      /* __syncthreads; is nothing: goes */
    MEND_ASM_TEXT,      /* an operand "C"(array) of asm: goes into the text */
    MEND_ESCAPE,        /* \N in a string, no name behind it: becomes N */
    MEND_EXTERN,        /* extern, of a variable: becomes static */
    MEND_DYNAMIC,       /* extern, of a __shared__ that is no array: goes */
    MEND_KERNEL         /* something in a kernel: its body goes */
};

struct mend {
    const char *path;
    size_t line, column; /* from 1 */
    enum mend_kind kind;
    /* of MEND_NAME, MEND_HOST_CALL; of MEND_VOID_OPERAND: the underline, up to
     * its operator */
    const char *text, *name;
};
typedef VEC(struct mend) mends; /* at most one for each place */

struct mend_place {
    const char *path;
    size_t line, column;
};
/* Each adds a mend unless the list has one for the place: of a kind; of a
 * name, by inserting a text; of an operand; of a call of a name. */
void cc_mend_add(mends *list, struct mend_place at, enum mend_kind kind);
void cc_mend_add_text(mends *list, struct mend_place at, const char *text,
                      const char *name);
void cc_mend_add_operand(mends *list, struct mend_place at,
                         const char *underline);
void cc_mend_add_call(mends *list, struct mend_place at, const char *name);

/* members.c: a member read through an object or a pointer, as in a.b->f. */
struct cc_member {
    char *op, *end; /* op: before the '.' or "->"; end: behind the name */
    bool is_arrow;
};
/* at: its beginning. False: it is something else. */
bool cc_find_member(char *at, struct cc_member *out);
/* The word constexpr in the declaration of a variable; NULL: none. */
char *cc_find_constexpr(const char *text, char *name);

/* gnu.c: the parts of what clang points at in gcc's C++; false: it is
 * something else. */
struct cc_filled { /* NAME[n] = { 1, 2, } */
    char *name, *name_end, *equals, *open, *close;
    char *values_end; /* before a trailing comma */
    char *end;        /* the ';' of the declaration */
    int dimensions;
};
bool cc_find_filled_array(const char *line, char *at, struct cc_filled *out);
struct cc_array_pointer { /* TYPE (*NAME)[n] = */
    char *type, *name_end, *equals;
};
bool cc_find_array_pointer(const char *line, char *name,
                           struct cc_array_pointer *out);
struct cc_void_operand {
    char *start, *end;
    bool is_assigned; /* by += or -= */
};
/* at: the operator; underline: what is below the line, up to it. */
bool cc_find_void_operand(char *line, char *at, const char *underline,
                          struct cc_void_operand *out);

/* asmtext.c: an asm statement with operands "C"(array) */
struct cc_text_operand {
    char *constraint, *open, *close; /* the value's parentheses */
    unsigned number;                 /* %number stands for it */
};
struct cc_asm_text {
    char *start, *end; /* of the statement's text */
    struct cc_text_operand operands[8];
    size_t count;
};
/* at: in its operands. False: it is something else. */
bool cc_find_asm_text(const char *text, char *at, struct cc_asm_text *out);

/* complaints.c: adds what the messages complain of; see cc_mend. Changes the
 * messages. */
void cc_read_complaints(char *messages, const cc_args *functions, mends *out);

/* Adds names of functions that do not fit because a template was not found. */
void cc_read_unfit(char *messages, cc_args *names);

/* unevaluated.c: templates of these names that do not say where they run, in
 * files that a make rule names. */
void cc_find_host_templates(const char *rule, const char *own_folder,
                            const cc_args *names, mends *out);

/* externvars.c: declarations of variables of the device whose symbols are
 * undefined, in files that a make rule names; `known` gets the symbols. */
void cc_find_extern_variables(const char *rule, const char *own_folder,
                              const struct cc_symbols *symbols, cc_args *known,
                              mends *out);

/* Adds a MEND_KERNEL where the messages find errors. */
void cc_read_errors(char *messages, mends *out);

/* patch.c: writes `copy`: the file `path`, or `source`, which stands for it so
 * far, with its mends. False: nothing could be done, or the copy not be
 * written. */
bool cc_patch(const struct cc_job *j, const char *path, const char *source,
              const mends *list, const char *copy);

#endif
