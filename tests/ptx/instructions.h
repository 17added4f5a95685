/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions made from the rows of forms.def: what suffixes a row has, how
 * it is spelled with some of them, operands that fit or do not.
 */
#ifndef WEFT_TEST_INSTRUCTIONS_H
#define WEFT_TEST_INSTRUCTIONS_H

#include "ptx/parse.h"

#define TEXT_MAX 400
#define WORD_MAX 24

extern uint64_t seed;
unsigned random_below(unsigned n);

struct choice {
    char text[40];
    unsigned since, sm;
};

struct word {
    struct choice choice[64];
    unsigned count;
    bool is_optional;
};

struct row {
    const struct form_row *form;
    struct word word[WORD_MAX];
    unsigned count;
    unsigned before; /* ptx<14: 14; 0: any */
};

/* What a letter wants, in an instruction with these types. */
struct types {
    enum ptx_type type[4];
    unsigned count, vector;
    bool is_wide, has_hint;
    const char *constant;
};

struct spelled_row {
    char text[200];
    struct types types;
    unsigned since, sm;
};

/* The operands of one way to write it; letter `bad` gets `instead`, one with
 * number `drop` is left out. */
struct mutation {
    int bad, drop;
    const char *instead;
    bool with_optional;
    bool is_longer;
};

void read_row(struct row *r, const struct form_row *form);
/* Rows whose operands are no plain letters are tested by hand. */
bool has_plain_operands(const struct form_row *f);
/* pick[i]: the choice of word i; count of choices: left out. */
void spell(const struct row *r, const unsigned *pick, struct spelled_row *s);
void put_operands(char *out, size_t size, const char *letters,
                  const struct types *t, const struct mutation *m);
/* What stands before the instructions, on one line; returns its length. */
size_t put_header(char *out, size_t size, unsigned version, unsigned sm);
/* The PTX version that knows a target. */
unsigned version_of(unsigned sm);
unsigned later(unsigned a, unsigned b);

#endif
