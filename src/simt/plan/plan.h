/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan: what is done about a kernel beyond plain translation. Each
 * decision is made in one file of this folder, from what simt knows and what
 * the machine can do, before there is any LLVM code; emit/ reads the plan.
 * Plain data in the kernel's arena. `weft dump --plan` prints it, with the
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

/* Decisions, and reasons not to make one: decisions.def. */
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
    enum simt_reason reason; /* SIMT_TAKEN: the decision was made */
    int64_t number;          /* what the decision's text counts */
};

/* Why a call runs as many threads as it does. */
struct simt_choice {
    enum simt_reason why_scalar; /* SIMT_TAKEN: it runs more than one */
    enum simt_reason why_warps;  /* why no more than one; SIMT_TAKEN: as many */
    /* one lane to a call would do if threads often keep in step */
    bool is_close;
};

/* Lanes at equal distances read as one vector up to this distance: no cache
 * line lies between two of them. */
#define SIMT_NEAR_BYTES 64

/* Copies of a table are cleared and added up in pieces of so many bytes. */
#define SIMT_CHUNK_BYTES 64

/* A table in shared memory, of which a loop counts in copies. */
struct simt_histogram {
    const struct ptx_var *table; /* NULL: none */
    uint32_t pitch;              /* bytes from copy to copy */
    unsigned copies;
    unsigned before; /* iterations before copies are made */
};

/* A setp that compares an affine integer with a uniform one. */
struct simt_affine_compare {
    const struct ptx_operand *affine, *uniform; /* NULL: none */
    enum ptx_type type;
    enum ptx_cmp cmp;
};

/* A loop, by its header. */
struct simt_loop_plan {
    bool has_barrier;
    /* Each iteration jumps far through memory: grid_stride.c. is_heavy: and
     * does so much else that warps take no turns. */
    bool jumps, is_heavy;
    bool has_full_copy; /* one block: there is a copy for all lanes */
    struct simt_histogram histogram; /* in that copy */
    /* holds for lanes that stay in that copy */
    struct simt_affine_compare stay;
    unsigned turn; /* iterations before the next warp's turn; 0: no turns */
};

/* A block behind a bounds test, and a copy of it for when all lanes pass; they
 * do if the comparison holds for all. */
struct simt_guard_plan {
    uint32_t guarded; /* the block behind the test; 0: none */
    struct simt_affine_compare pass;
    /* 1 + the instruction that makes the condition, which is emitted only where
     * some lanes may fail; 0: it is emitted in its place */
    uint32_t late_test;
};

/* What a load prefetches for a later iteration. */
struct simt_prefetch {
    /* what the address grows by; NULL: no prefetch */
    const struct ptx_operand *step;
    enum ptx_type type;             /* of step */
    int64_t scale;                  /* bytes for one unit of step */
    unsigned iterations;
    bool is_next; /* for the next iteration: into the first-level cache */
};

/* How the lanes' elements are accessed; see access.c. */
enum simt_way {
    SIMT_WAY_EACH,    /* gather or scatter, or as the fields below say */
    SIMT_WAY_VECTOR,  /* vector accesses, under masks if need be */
    /* vector accesses if all lanes are active, else masked strided, or each */
    SIMT_WAY_IF_FULL,
    /* masked vector accesses, of which some elements are used */
    SIMT_WAY_MASKED_STRIDED,
};

/* What a load or store accesses. */
struct simt_access {
    enum ptx_space space;
    enum ptx_type type;
    unsigned size;  /* bytes of an element */
    unsigned count; /* elements for each lane: 1, or .v2, .v4, .v8, or merged */
    bool is_volatile, is_invariant;
    bool is_nc; /* ld.global.nc, ldu: may give what was there earlier */
    bool is_own; /* every lane has a copy, whether it is active or not */
    /* All components of a lane in one piece, as others may be writing them:
     * what bypasses the first-level cache carries messages between blocks, and
     * 16 bytes together do not tear on a GPU. */
    bool is_whole;
    struct simt_shape shape; /* of the address */
};

/* How lanes access interleaved memory. */
enum simt_word_way {
    SIMT_WORDS_EACH,   /* gather, scatter */
    SIMT_WORDS_ROW,    /* all lanes of a group at one place: a row */
    /* the same if the lanes turn out to be at one place, else each */
    SIMT_WORDS_IF_ONE,
};

struct simt_access_plan {
    struct simt_access access;
    enum simt_way way;
    /* For tests at run time: the way if the address is as
     * simt_kernel.optimistic_address says (SIMT_WAY_EACH: no better than
     * without); may the lanes' addresses be a row of neighbours, or one place
     * for all? */
    enum simt_way speculative_way;
    bool may_be_row;
    bool is_masked_strided; /* masked vector accesses are possible */
    bool is_transposed;     /* 16 bytes for each lane are read as they are */
    bool may_compress;      /* active lanes may store side by side */
    /* For vectors under a mask: without the mask if all lanes are active. */
    bool is_plain_if_full;
    /* In lockstep: the addresses are at equal distances, which is tested; else
     * the code gives up. is_indirect: what a loop loads determines them, so
     * that only neighbours are tested for. */
    bool is_spaced, is_indirect;
};

/* Small elements at every second, fourth or eighth byte: each is in an aligned
 * word of its own, in the same page. */
bool simt_is_in_words(const struct simt_access *a);
/* Elements between lanes if wide vectors pay; else 0. */
unsigned simt_wide_step(const struct simt_kernel *k,
                        const struct simt_access *a);

/* What a call adds to memory at its end, or when the address changes. */
enum simt_privatised { SIMT_SUM_AT_ONCE, SIMT_SUM_OF_CALL, SIMT_SUM_OF_LANE };

/* How the lanes of an atom or red access memory. */
enum simt_atomic_way {
    SIMT_ATOMIC_EACH,     /* one after the other */
    SIMT_ATOMIC_COMBINED, /* one operation: the address is uniform */
    /* the same if it turns out to be uniform, else each */
    SIMT_ATOMIC_IF_ONE,
    SIMT_ATOMIC_KEPT,     /* SIMT_SUM_OF_LANE: nothing, for now */
};

/* The code in which an instruction is emitted. */
enum simt_copy {
    SIMT_COPY_USUAL,
    SIMT_COPY_FULL, /* the loop's copy for all lanes */
    SIMT_COPY_COLD, /* code that recomputes an exact vector: remade_by */
    SIMT_COPY_COUNT
};

/* A vector of 64 bits as base + index * scale + offset: what its definition
 * adds. Either `index` or `sum` is set. */
struct simt_base_index {
    const struct ptx_operand *index; /* a vector, times `scale` */
    enum ptx_type type;              /* of the index: how it is widened */
    int64_t scale;
    const struct ptx_operand *sum; /* a register in that form, shifted left */
    unsigned shift;
    const struct ptx_operand *plus; /* uniform or constant; NULL: none */
};

struct simt_inst_plan {
    struct simt_access_plan access; /* of ld and st */
    enum simt_word_way words;       /* of those to interleaved memory */
    enum simt_privatised privatised;
    enum simt_atomic_way atomic[2]; /* [1]: if what memory held is used */
    bool arrives_together; /* all active lanes arrive at an mbarrier at once */
    bool is_ticket;        /* blocks take turns before and behind it */
    bool is_counting;      /* adds to the loop's histogram */
    struct simt_prefetch prefetch;
    bool asks_next_block;    /* prefetches for the next block */
    bool looks;              /* uses the bits of its sources; see nan.c */
    bool makes_nan;          /* may make a NaN whose bits are used elsewhere */
    bool is_nontemporal;     /* if there is enough of it, and lines are whole */
    /* bits, by access in the order of ptx_accesses() */
    uint8_t alignment_tests;
    /* The destination's form in each copy; NULL: only known as a whole. */
    const struct simt_base_index *base_index[SIMT_COPY_COUNT];
};

struct simt_reg_plan {
    bool is_float;   /* kept as a float */
    /* May be read before its block has written it. guard_copy.c adds those
     * that its tests read in other blocks, so it comes behind registers.c. */
    bool is_exposed;
    /* For a conditionally affine register: 1 + the instruction that is emitted
     * again where the exact vector is needed; 0: the vector is kept. */
    uint32_t remade_by;
};

enum { SIMT_MAX_NEEDS = 16 };

/* Why a register may be a NaN (some definition of it), and whether its bits
 * are used. */
enum {
    SIMT_NAN_COMPUTED = 1,
    SIMT_NAN_OTHER = 2, /* e.g. a load */
    SIMT_NAN_SEEN = 4,  /* its bits are used */
};

struct simt_plan {
    const struct simt_kernel *k;
    const struct simt_machine *machine;
    /* For a kernel whose threads run one after the other: the plan for 32 of
     * them in step; NULL: there is none. */
    struct simt_plan *lockstep;
    struct simt_choice choice;
    bool is_in_step; /* one call runs the whole block */
    bool takes_turns;
    bool goes_by_rows; /* warps of a row of blocks, then the next row */
    bool has_nontemporal;
    /* bytes that a thread stores non-temporally outside of loops */
    uint64_t stored_once_bytes;
    /* by block; empty for blocks that are no header */
    struct simt_loop_plan *loops;
    struct simt_guard_plan *guards; /* by the block that ends with the test */
    /* Flush-to-zero mode: the machine flushes subnormals in all of the
     * kernel. */
    bool flushes;
    const struct ptx_inst *flush_spoiled_by;
    /* By register, NULL without .ftz: never a subnormal; not only
     * constants. */
    const bool *is_flushed, *is_variable;
    const uint8_t *nans; /* by register, SIMT_NAN_*; NULL: no singles */
    /* For a kernel that is split, else 0: the first block of each function,
     * and the end behind the last; the function of each block. */
    uint32_t part_count, *part_first, *part_of;
    /* What is emitted in place of each instruction: itself, an access that
     * stands for several, or NULL if another does its work. */
    const struct ptx_inst **code;
    uint8_t *ranks;               /* for compressed.c */
    struct simt_inst_plan *insts; /* by instruction */
    struct simt_reg_plan *regs;   /* by register */
    /* What the code expects of the arguments' alignment. If one is misaligned,
     * the kernel is compiled with simt_spec.tests_alignment. */
    struct simt_need needs[SIMT_MAX_NEEDS];
    uint32_t need_count;
    struct simt_note *notes;
    size_t note_count, note_capacity;
};

/* simt_build() and simt_make_plan(), with lane and warp counts chosen where
 * `wanted` has 0. `warps_wanted`, if not 0, is used where several counts are
 * possible: for tests. The machine has to outlive the plan. NULL after
 * reporting what cannot be compiled. */
struct simt_plan *
simt_plan_chosen(struct arena *arena, const struct ptx_module *module,
                 const struct ptx_func *func, const struct simt_spec *wanted,
                 unsigned warps_wanted, const struct simt_machine *machine,
                 struct diag *diag);

/* Makes the plan; kernel and machine have to outlive it. */
struct simt_plan *simt_make_plan(const struct simt_kernel *k,
                                 const struct simt_machine *machine,
                                 struct simt_choice choice);
/* Text for tests and `weft dump`; malloc'ed. */
char *simt_dump_plan(const struct simt_plan *p);

/* Does a loop of the kernel jump far through memory? */
bool simt_has_grid_stride_loops(const struct simt_kernel *k);

#endif
