/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that make kernels share: the state of one being made. */
#ifndef WEFT_TESTS_FUZZ_GENERATOR_H
#define WEFT_TESTS_FUZZ_GENERATOR_H

#include "generate.h"

enum { INTS = 8, FLOATS = 4, PREDS = 4, WIDES = 4, MASKS = 64 };

struct generator {
    uint64_t state;
    FILE *out;
    unsigned labels, budget, depth, loop_depth, loops;
    unsigned break_label[16], continue_label[16];
    int loop_is_convergent[16];
    int is_convergent; /* every thread of the block is here */
    int is_function;   /* in a device function: no memory but its own array */
    int mask;          /* %m<mask>: the lanes that are here; -1: unknown */
    unsigned masks;
    int has_exits; /* threads may end early: no warp is whole */
    int has_locks; /* lanes wait for each other */
    int has_apart; /* collectives from several places */
    int in_graph;
    uint32_t threads, grid; /* of a block; blocks */
    const uint32_t *block;
    unsigned place_bytes, places, place_step; /* scratch.c */
    unsigned favourite; /* own.c: most accesses are of this kind */
    unsigned char alike[16]; /* own.c: how each word of `alike` is written */
    unsigned char alike_word[6]; /* those that statements name: few, so that
                                  * they meet */
    int is_alike_passed;         /* its address goes to functions */
    int likes_alike;             /* half of all statements are of that kind */
};

unsigned fuzz_below(struct generator *g, unsigned n);
const char *fuzz_pick(struct generator *g, const char *const *names,
                      unsigned count);
#define PICK(g, ...)                                                           \
    fuzz_pick(g, (const char *const[]){__VA_ARGS__},                           \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
void fuzz_say(struct generator *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void fuzz_label(struct generator *g, unsigned n);
/* Statements of all kinds; the kernel's budget may allow fewer. */
void fuzz_statements(struct generator *g, unsigned count);

/* Several instructions that belong together: carry chains, halves, vectors. */
void fuzz_sequence(struct generator *g);
/* Reads and writes of memory that is the thread's own. */
void fuzz_own_memory(struct generator *g);

/* own.c: the same with the array `own`; its first and last values. */
void fuzz_own_array(struct generator *g);
void fuzz_begin_own(struct generator *g);
void fuzz_end_own(struct generator *g);
/* Functions that own.c calls; an array that all lanes write alike, at first. */
extern const char fuzz_own_functions[];
void fuzz_begin_alike(struct generator *g);
void fuzz_alike(struct generator *g);
/* %h0 %h1 %r9 %rb %rc %dn %qb %e0 %f1, what elements are made of, get values;
 * %r<reg> becomes something that depends on all of them. */
void fuzz_set_registers(struct generator *g);
void fuzz_use_registers(struct generator *g, unsigned reg);

/* scratch.c: where the places are, and accesses to them. */
void fuzz_begin_scratch(struct generator *g);
void fuzz_scratch(struct generator *g);

/* patterns.c: all threads of the block; each thread beside others; blocks that
 * go anywhere; the end for some. */
void fuzz_together(struct generator *g);
void fuzz_beside(struct generator *g);
void fuzz_graph(struct generator *g);
void fuzz_exit(struct generator *g);

/* apart.c: collectives from several places, and a function for them. */
void fuzz_apart(struct generator *g);
void fuzz_begin_apart(struct generator *g);

#endif
