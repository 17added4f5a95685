/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of mending share: complaints.c reads what clang refuses,
 * patch.c changes the text of one file, mend.c makes clang read that. */
#ifndef WEFT_CC_MEND_H
#define WEFT_CC_MEND_H

#include "cc.h"

#define MEND_HOST_DEVICE "__attribute__((host)) __attribute__((device)) "

/* What stands where clang points, and what becomes of it. */
enum mend_kind {
    MEND_NAME,     /* `name`: gets `text` before it, and before its S<T>:: */
    MEND_PERCENT,  /* '%', shortly before: doubled */
    MEND_OPERAND,  /* a string behind a parenthesis: gets its comma */
    MEND_TEMPLATE, /* A<T>::f<N>: gets the word template behind its :: */
    MEND_LAUNCH,   /* the third '<' of a launch: closed up; or the brace of its
                    * dimensions: gets their type */
    MEND_SHARED,   /* the name of a __shared__ object: gets room instead */
    MEND_PRAGMA,   /* #pragma in a macro: becomes _Pragma */
    MEND_HOST_SIDE, /* a __device__ function: gets one of the host's */
    MEND_SUFFIX,    /* what follows a string: gets a space before it */
    MEND_HOST_CALL, /* a call of the __host__ function `name` in a function of
                     * both sides: goes where device code does not look */
    MEND_KERNEL     /* something in a kernel: its body goes */
};

struct mend {
    const char *path;
    size_t line, column; /* from 1 */
    enum mend_kind kind;
    const char *text, *name; /* of MEND_NAME, MEND_HOST_CALL */
};
typedef VEC(struct mend) mends; /* one at a place, at most */

struct mend_place {
    const char *path;
    size_t line, column;
};
/* Each adds a mend, unless the list has one at this place: of a kind; of a
 * name, by a text; of a call of a name. */
void cc_mend_add(mends *list, struct mend_place at, enum mend_kind kind);
void cc_mend_add_text(mends *list, struct mend_place at, const char *text,
                      const char *name);
void cc_mend_add_call(mends *list, struct mend_place at, const char *name);

/* complaints.c: adds what the messages ask for; see cc_mend. Changes them. */
void cc_read_complaints(char *messages, const cc_args *functions, mends *out);

/* Adds where they find errors. */
void cc_read_errors(char *messages, mends *out);

/* patch.c: writes `copy` with the mends of the file `path`, for which `source`
 * stands so far. False: nothing of it could be done, or the copy not be
 * written. */
bool cc_patch(const struct cc_job *j, const char *path, const char *source,
              const mends *list, const char *copy);

#endif
