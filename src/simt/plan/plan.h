/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan: what is done about a kernel beyond plain translation. Every such
 * decision is made here, from what simt knows and what the machine can do, one
 * file for each, before a line of LLVM code exists; emit/ reads the answers.
 * Plain data, in the kernel's arena. `weft dump --plan` prints it, with the
 * reason wherever something better was refused.
 */
#ifndef WEFT_SIMT_PLAN_H
#define WEFT_SIMT_PLAN_H

#include "simt/simt.h"

/* What the machine can do: facts, never names of CPUs. */
struct simt_machine {
    unsigned vector_bytes; /* 64 AVX-512, 32 AVX2, 16 SSE/NEON */
    bool is_x86, has_avx512, has_avx2, has_fma, has_f16c, has_fp16;
};

/* Decisions, and why one was not made; decisions.def. */
enum simt_decision {
#define SIMT_DECISION(name, text, number) SIMT_DECIDED_##name,
#define SIMT_REASON(name, text)
#include "simt/plan/decisions.def"
};
enum simt_reason {
    SIMT_TAKEN,
#define SIMT_DECISION(name, text, number)
#define SIMT_REASON(name, text) SIMT_REASON_##name,
#include "simt/plan/decisions.def"
};

/* For people and tests: a decision about an instruction, the loop at a block,
 * or the kernel. */
struct simt_note {
    enum { SIMT_OF_KERNEL, SIMT_OF_BLOCK, SIMT_OF_INST } of;
    uint32_t at;
    enum simt_decision decision;
    enum simt_reason reason; /* SIMT_TAKEN: it was made */
    int64_t number;          /* of what the text counts */
};

/* Why a call runs as many threads as it does. */
struct simt_choice {
    enum simt_reason why_scalar; /* SIMT_TAKEN: it does not run only one */
    enum simt_reason why_warps;  /* no more than one; SIMT_TAKEN: as many */
    bool is_close; /* one lane would do if threads often keep in step */
};

/* A table in shared memory that a loop counts in: in copies of it. */
struct simt_histogram {
    const struct ptx_var *table; /* NULL: none */
    uint32_t pitch;              /* from copy to copy, in bytes */
    unsigned copies;
    unsigned before; /* iterations without copies */
};

/* setp cmp, affine, uniform: of integers. */
struct simt_affine_compare {
    const struct ptx_operand *affine, *uniform; /* NULL: none */
    enum ptx_type type;
    enum ptx_cmp cmp;
};

/* A loop, by its header. */
struct simt_loop_plan {
    bool has_barrier;
    /* Each iteration jumps far through memory: grid_stride.c. `is_heavy`: and
     * does so much else that warps do not take turns in it. */
    bool jumps, is_heavy;
    bool has_full_copy; /* of one block: a copy for when all lanes are there */
    struct simt_histogram histogram; /* in that copy */
    struct simt_affine_compare stay; /* true of lanes that stay in that copy */
    unsigned turn; /* iterations until it is the next warp's turn; 0: none */
};

/* A block behind a bounds test: a copy of it for when all lanes pass, which are
 * known to if the comparison is true of all. */
struct simt_guard_plan {
    uint32_t guarded; /* the block; 0: none */
    struct simt_affine_compare pass;
};

/* What a load asks memory for, in an iteration to come. */
struct simt_prefetch {
    const struct ptx_operand *step; /* the address's, each time; NULL: none */
    enum ptx_type type;             /* of it */
    int64_t scale;                  /* bytes for one of it */
    unsigned iterations;
    bool is_next; /* soon: into the first cache */
};

/* How the lanes' elements get to memory; see access.c. */
enum simt_way {
    SIMT_WAY_EACH,    /* gather, scatter, or what may_be_row ... say */
    SIMT_WAY_VECTOR,  /* vector accesses, masked if need be */
    SIMT_WAY_IF_FULL, /* vector accesses if all lanes are active, else spaced,
                         or each */
    SIMT_WAY_MASKED_STRIDED, /* masked vector accesses of which some elements
                                count */
};

/* What a load or store asks for. */
struct simt_access {
    enum ptx_space space;
    enum ptx_type type;
    unsigned size;  /* bytes of an element */
    unsigned count; /* elements of a lane: 1, or .v2, .v4, .v8, or merged */
    bool is_volatile, is_invariant;
    bool is_nc; /* ld.global.nc, ldu: may give what was there earlier */
    bool is_own; /* every lane's copy exists, whether it is active or not */
    /* The components of a lane in one piece, since others may be writing them:
     * what passes the first cache serves to tell other blocks something, and
     * 16 bytes together do not tear on a GPU. */
    bool is_whole;
    struct simt_shape shape; /* of the address */
};

/* How the lanes get at interleaved memory. */
enum simt_word_way {
    SIMT_WORDS_EACH,   /* gather, scatter */
    SIMT_WORDS_ROW,    /* all lanes of a group are at one place: a row */
    SIMT_WORDS_IF_ONE, /* the same if they turn out to be, else each */
};

struct simt_access_plan {
    struct simt_access access;
    enum simt_way way;
    /* Speculation, for a test at run time: the way if the address were as
     * simt_kernel.optimistic_address says, SIMT_WAY_EACH: no better; and a row
     * of neighbours, or one place for all. */
    enum simt_way speculative_way;
    bool may_be_row;
    bool is_masked_strided; /* masked vector accesses are possible */
    bool is_transposed;     /* 16 bytes for each lane, read as they are */
    bool may_compress;      /* active lanes may store side by side */
    /* Of vectors under a mask: no mask if all lanes are active. */
    bool is_plain_if_full;
    /* In lockstep: at equal distances, which is tested; else the code gives
     * up. `is_indirect`: what a loop loads says where, so only neighbours are
     * looked for. */
    bool is_spaced, is_indirect;
};

/* Small elements at every second, fourth or eighth byte: each lies in an
 * aligned word of its own, in the same page. */
bool simt_is_in_words(const struct simt_access *a);
/* How many elements apart lanes are if wide vectors pay, else 0. */
unsigned simt_wide_step(const struct simt_kernel *k,
                        const struct simt_access *a);

/* What a call adds to memory at its end, or when the place changes. */
enum simt_privatised { SIMT_SUM_AT_ONCE, SIMT_SUM_OF_CALL, SIMT_SUM_OF_LANE };

/* How the lanes of an atom or red get to memory. */
enum simt_atomic_way {
    SIMT_ATOMIC_EACH,     /* one after the other */
    SIMT_ATOMIC_COMBINED, /* one for all: the address is uniform */
    SIMT_ATOMIC_IF_ONE,   /* the same if it turns out to be, else each */
    SIMT_ATOMIC_KEPT,     /* SIMT_SUM_OF_LANE, for now */
};

/* In which code an instruction is emitted. */
enum simt_copy {
    SIMT_COPY_USUAL,
    SIMT_COPY_FULL, /* of its loop, for all lanes */
    SIMT_COPY_COLD, /* of a definition, for its exact vector: remade_by */
    SIMT_COPY_COUNT
};

/* A vector of 64 bits as base + index * scale + offset: what its definition
 * adds to that. One of `index` and `sum` is there. */
struct simt_base_index {
    const struct ptx_operand *index; /* a vector, times `scale` */
    enum ptx_type type;              /* of the index: how it is widened */
    int64_t scale;
    const struct ptx_operand *sum; /* a register in that form, << shift */
    unsigned shift;
    const struct ptx_operand *plus; /* uniform or a constant; NULL: nothing */
};

struct simt_inst_plan {
    struct simt_access_plan access; /* of ld and st */
    enum simt_word_way words;       /* of those to interleaved memory */
    enum simt_privatised privatised;
    enum simt_atomic_way atomic[2]; /* [1]: what memory held is used */
    bool arrives_together; /* at an mbarrier: all active lanes at once */
    bool is_ticket;        /* blocks have their turns before and behind it */
    bool is_counting;      /* in the loop's histogram */
    struct simt_prefetch prefetch;
    bool asks_next_block;    /* for what the next block will load */
    bool looks;              /* at its sources' bits; see nan.c */
    bool makes_nan;          /* what it computes is looked at elsewhere */
    bool is_nontemporal;     /* if there is enough of it, and lines are whole */
    uint8_t alignment_tests; /* bits, by access as ptx_accesses() has them */
    /* Of its destination, in each copy; NULL: known as a whole only. */
    const struct simt_base_index *base_index[SIMT_COPY_COUNT];
};

struct simt_reg_plan {
    bool is_float;   /* kept as one */
    bool is_exposed; /* may be read before its block has written it */
    /* Of one that is affine on a condition: the instruction's index + 1 that is
     * emitted again where its exact vector is wanted; 0: that is kept. */
    uint32_t remade_by;
};

enum { SIMT_MAX_NEEDS = 16 };

/* What may make a register a NaN: by some definition; and who looks. */
enum {
    SIMT_NAN_COMPUTED = 1,
    SIMT_NAN_OTHER = 2, /* e.g. a load */
    SIMT_NAN_SEEN = 4,  /* its bits are looked at */
};

struct simt_plan {
    const struct simt_kernel *k;
    const struct simt_machine *machine;
    /* Of a kernel whose threads run one after the other: how 32 of them run
     * together, as long as they keep in step; NULL: they never do. */
    struct simt_plan *lockstep;
    struct simt_choice choice;
    bool is_in_step; /* one call runs the whole block */
    bool takes_turns;
    bool goes_by_rows; /* warps of a row of blocks, then the next row */
    bool has_nontemporal;
    uint64_t stored_once_bytes;     /* of a thread, outside of loops, such */
    struct simt_loop_plan *loops;   /* by block; of others than headers empty */
    struct simt_guard_plan *guards; /* by the block that ends with the test */
    /* Flush-to-zero mode: the machine flushes subnormals in all of the kernel,
     * or what keeps it from that. */
    bool flushes;
    const struct ptx_inst *flush_spoiled_by;
    /* By register, if there is .ftz: never a subnormal; no constant. */
    const bool *is_flushed, *is_variable;
    const uint8_t *nans; /* by register, SIMT_NAN_*; NULL: no singles */
    /* Of a kernel that is split; else 0: by function its first block, and one
     * more, the end; by block its function. */
    uint32_t part_count, *part_first, *part_of;
    /* By instruction: what is to be emitted in its place: itself, an access
     * that stands for several, or NULL where another does the work. */
    const struct ptx_inst **code;
    uint8_t *ranks;               /* for compressed.c */
    struct simt_inst_plan *insts; /* by instruction */
    struct simt_reg_plan *regs;   /* by register */
    /* What the code takes arguments to be multiples of; where they are not, the
     * kernel is to be compiled with simt_spec.tests_alignment. */
    struct simt_need needs[SIMT_MAX_NEEDS];
    uint32_t need_count;
    struct simt_note *notes;
    size_t note_count, note_capacity;
};

/* simt_build() and simt_make_plan() for the lane and warp counts that it
 * chooses where `wanted` has 0. `warps_wanted`, if not 0, is taken where
 * several are possible: for tests. The machine has to outlive the plan. */
struct simt_plan *
simt_plan_chosen(struct arena *arena, const struct ptx_module *module,
                 const struct ptx_func *func, const struct simt_spec *wanted,
                 unsigned warps_wanted, const struct simt_machine *machine,
                 struct diag *diag);

/* Decides; kernel and machine have to outlive the plan. */
struct simt_plan *simt_make_plan(const struct simt_kernel *k,
                                 const struct simt_machine *machine,
                                 struct simt_choice choice);
/* Text for tests and `weft dump`; malloc'ed. */
char *simt_dump_plan(const struct simt_plan *p);

/* Does a loop of the kernel jump far through memory? */
bool simt_has_grid_stride_loops(const struct simt_kernel *k);

#endif
