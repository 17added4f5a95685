/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Truth from hardware: what single PTX instructions compute on a real GPU,
 * kept in files, and compared with what weft's engines compute.
 *
 * cases.def lists patterns of instructions; a pattern expands to forms (an
 * opcode with all its suffixes, or a short piece of PTX). Every form has its
 * inputs, which follow from a fixed seed and from the kinds of its operands,
 * so a record holds results only. Forms with the same operands share kernels.
 *
 * Only replay.c needs the rest of weft: record.c is compiled on the machine
 * that has the GPU.
 */
#ifndef WEFT_TESTS_TRUTH_H
#define WEFT_TESTS_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRUTH_VERSION 1
#define TRUTH_SEED    UINT64_C(20)

enum {
    TRUTH_MAX_IN = 16,
    TRUTH_MAX_OUT = 16,
    TRUTH_BLOCK = 64,       /* threads per block, but 128 for wgmma */
    TRUTH_MEM_BYTES = 4096, /* of global scratch, for each block */
    TRUTH_GROUP = 12,       /* forms in a kernel at most */
};

/* How results are compared. */
enum truth_rule {
    TRUTH_EXACT, /* bit for bit */
    TRUTH_NAN, /* bit for bit; compiled code may choose which of several
                  operands' NaN of 64 bits comes out */
    TRUTH_BOUND, /* within the bound that bounds.def gives */
    TRUTH_SUM, /* sums whose order is open: matrix products in floating point */
};

/* What an operand holds: kinds.def. */
struct truth_kind {
    const char *name;
    unsigned bits;   /* of its register; 1: a predicate */
    unsigned format; /* enum of inputs.c: which values are interesting */
};
const struct truth_kind *truth_kind_find(const char *name, size_t length);

/* One row of cases.def. */
struct truth_case {
    const char *family, *pattern, *operands;
    unsigned samples;
    enum truth_rule rule;
};
extern const struct truth_case truth_cases[];
extern const size_t truth_case_count;

struct truth_form {
    char *name; /* what the pattern expanded to; unique in its family */
    char *body; /* PTX with registers %i0 .. and %o0 .. */
    const struct truth_case *row;
    unsigned in_count, out_count;
    const struct truth_kind *in[TRUTH_MAX_IN], *out[TRUTH_MAX_OUT];
};

/* All forms of a family (NULL: of all); those that can share a kernel stand
 * together. Ends the program with a message if a row is malformed. */
struct truth_forms {
    struct truth_form *at;
    size_t count;
};
struct truth_forms truth_forms_make(const char *family);
void truth_forms_free(struct truth_forms *forms);

/* Threads per block of a family. */
unsigned truth_block(const struct truth_form *form);
/* The same operands and samples: they can share a kernel. */
bool truth_is_same_work(const struct truth_form *a, const struct truth_form *b);
/* Forms [first, result) have the same operands and fit one kernel. */
size_t truth_group_end(const struct truth_forms *forms, size_t first);

/* The inputs of a form, [sample][operand]; malloc'ed. */
uint64_t *truth_inputs(const struct truth_form *form);

/* A module with one kernel per group: k<first>(in, out, mem). Thread i reads
 * in[i][operand] and writes out[output][i] of 8 bytes each, outputs counted
 * through all forms of the group; mem is TRUTH_MEM_BYTES of zeros for each
 * block. is_uniform: the sample is %ctaid.x, so that all lanes of a warp have
 * the same operands. malloc'ed. */
struct truth_range {
    size_t first, end;
};
char *truth_text(const struct truth_forms *forms,
                 const struct truth_range *groups, size_t group_count,
                 bool is_uniform);
unsigned truth_outputs(const struct truth_forms *forms, size_t first,
                       size_t end);

/* A record: results of one family. */
struct truth_record {
    char *header; /* lines: device, driver ... */
    char **names;
    uint64_t **results; /* by form: [output][sample], 8 bytes each */
    unsigned *samples, *outputs;
    size_t count;
};
/* Uncompressed bytes of a record; malloc'ed. failed[i]: form i has none. */
uint8_t *truth_pack(const struct truth_forms *forms, uint64_t *const *results,
                    const char *header, size_t *size_bytes);
/* False: malformed; says why on stderr. */
bool truth_unpack(const uint8_t *bytes, size_t size_bytes,
                  struct truth_record *record);
void truth_record_free(struct truth_record *record);

#endif
