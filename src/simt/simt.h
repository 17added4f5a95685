/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control flow, shapes and the mask schedule of one PTX function, for one
 * block shape, and (plan/plan.h) what is decided about it. Knows no LLVM. All
 * of it is plain data that tests print as text, and from which emit/ generates
 * code without analysing again.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  one at a time for each arena; the PTX module is only read, so
 *            others may read it, too
 *   errors   NULL after a message in the struct diag; when memory runs out the
 *            process ends
 *   owners   all is in the caller's arena; the PTX module must outlive it
 *   units    sizes and offsets are bytes; lanes, warps, blocks, registers and
 *            instructions are numbers from 0
 */
#ifndef WEFT_SIMT_H
#define WEFT_SIMT_H

#include "ptx/effects.h"

#define SIMT_LANES 32 /* of a warp */

/* Longer kernels are compiled in parts of about this length. */
#define SIMT_LONG_INSTS  8000
#define SIMT_SPLIT_INSTS 3000

/* What a compiled kernel is specialised on; part of the key of the code
 * cache. */
struct simt_spec {
    uint32_t block[3]; /* ntid; all 0: unknown (device functions) */
    /* grid[i] * block[i] <= 2^31 in every dimension, so that ctaid * ntid +
     * tid cannot wrap in 32 bits. */
    bool is_grid_small;
    bool is_cluster;     /* blocks access each other's shared memory */
    /* 0: as the kernel needs; 32; 1: for lanes that wait for each other, where
     * everything is uniform */
    unsigned lane_count;
    /* Warps that one call runs in step: 1, 2, 4 or 8 (a coarse warp); 0: the
     * compiler chooses. More than 1 only with 32 lanes. */
    unsigned warp_count;
    /* An argument is less aligned than code without this expects (see
     * simt_is_aligned): every access tests its address. */
    bool tests_alignment;
    /* Lanes go the same way at every branch, or the code gives up there:
     * nothing splits, and all 32 lanes are there. Only set by
     * plan/lockstep.c. */
    bool in_lockstep;
    /* For tests: this many warps where more than one is possible; 0: no
     * preference. */
    unsigned preferred_warps;
    /* For tests: compile in parts of this many instructions; 0: only long
     * kernels. */
    uint32_t split_insts;
};

/* Number of threads that one call runs. */
static inline unsigned simt_coarse_lanes(const struct simt_spec *spec)
{
    return spec->lane_count * (spec->warp_count ? spec->warp_count : 1);
}

/* The group of all lanes of a coarse warp, however many they are. */
#define SIMT_ALL_LANES 256

/*
 * The shape of a register: lanes in aligned groups of `group` lanes hold
 * base[j] + stride * (lane % group), with one base for each group j. Lanes
 * are counted through the coarse warp.
 *   uniform:  group SIMT_ALL_LANES, stride 0: one scalar
 *   affine:   group SIMT_ALL_LANES, or less than those: 128 down to 8; a scalar
 *             for each group
 *   varying:  group 0: a vector
 * Strides are compile-time constants in units of the register's type, and
 * arithmetic is modulo 2^bits as PTX's is. Only integer registers have
 * nonzero strides. Predicates are uniform or varying.
 * "Uniform" means: the same among the lanes that are active where the
 * register is defined and used.
 *
 * A conditional shape (is_conditional) holds only while the register's `ok`
 * flag is true: a 32-bit affine value was widened, and whether its last lane
 * wrapped is not known before run time. emit keeps, for such a register, the
 * scalars, the flag, and an exact vector that only cold paths write and read.
 */
struct simt_shape {
    uint16_t group;
    bool is_conditional;
    int64_t stride;
};
static inline bool simt_is_varying(struct simt_shape s)
{
    return s.group == 0;
}
static inline bool simt_is_uniform(struct simt_shape s)
{
    return s.group == SIMT_ALL_LANES && s.stride == 0;
}

/* Are addresses in this space the process's own? */
static inline bool simt_is_real(enum ptx_space space)
{
    return space == PTX_SPACE_global || space == PTX_SPACE_generic ||
           space == PTX_SPACE_const;
}

#define SIMT_NO_BLOCK UINT32_MAX

/* How a block ends. */
enum simt_end {
    SIMT_END_JUMP,    /* one successor: succ[0] */
    SIMT_END_UNIFORM, /* scalar condition: succ[0] if taken, else succ[1] */
    /* Lanes split: both successors' masks are set. Without a condition, the
     * block ends with a call, and lanes that exited in it take succ[0]. */
    SIMT_END_VARYING,
    SIMT_END_SWITCH, /* brx.idx with a uniform index: successors by index */
    SIMT_END_SWITCH_VARYING,
    SIMT_END_RETURN, /* ret or exit, for all lanes of the block's mask */
    SIMT_END_TRAP,   /* trap: nothing follows */
};

/* Where control goes in the linear schedule. is_check: there may be no lanes
 * for the target, so its mask is tested and, if it is empty, control goes to
 * the target's `skip`. */
struct simt_goto {
    uint32_t block; /* SIMT_NO_BLOCK: the function's end (all lanes done) */
    bool is_check;
};

struct simt_edge {
    uint32_t to;           /* successor block; SIMT_NO_BLOCK: return */
    struct simt_goto next; /* UNIFORM, SWITCH, JUMP: where control goes when
                              this edge is taken */
    /* The lanes that take this edge are or-ed into the mask variable of `to`,
     * which is not entered with exactly the current mask now, or where others
     * wait. False: the target needs no mask from here. */
    bool deposits;
};

struct simt_block {
    uint32_t first, end; /* instructions [first, end) of the ptx_func; the
                            terminator (bra, brx, ret, exit, trap), if there
                            is one, is end - 1 */
    enum simt_end kind;
    uint32_t condition; /* predicate register of the terminator's guard, or
                           the index register of brx; PTX_NO_REG */
    bool condition_negated;
    struct simt_edge *edges;
    unsigned edge_count;
    /* VARYING and SWITCH_VARYING: where control goes, whichever way lanes
     * took. */
    struct simt_goto next;

    /* --- mask --- */
    /* all lanes that exist in this warp are here: use the entry mask (no mask
     * at all if simt_kernel.is_full) */
    bool is_full;
    bool has_mask_variable; /* lanes are deposited for it somewhere */
    /* number of the variable, which other blocks may use at other times */
    uint32_t mask_variable;
    bool ends_with_turn;    /* other warps take their turns before it is left */
    bool is_checked; /* reached by some goto with is_check: needs `skip` */
    struct simt_goto skip; /* where control goes when no lane is here */
    /* The skip goes back to the header of a loop with several entries. It is
     * taken only if a lane waits at a pending block between the header and
     * here; otherwise leaves[0] is tried in the same way, and so on. The last
     * one is taken without a test. */
    struct simt_goto *leaves;
    unsigned leave_count;
    /* The mask has to be kept in the variable only if has_mask_variable. A
     * block entered by a goto without is_check, from an edge without deposits,
     * has the same lanes as its source. */

    /* --- graph, for dumps and tests --- */
    uint32_t *preds;
    unsigned pred_count;
    uint32_t loop_header; /* innermost loop's header or SIMT_NO_BLOCK */
    unsigned loop_depth;
    uint32_t idom, ipdom;
    /* set of blocks where lanes may wait while this one runs */
    uint64_t *pending;
    /* those of them where others may be whatever the order in which blocks are
     * run: progress/apart.c */
    uint64_t *apart;
    unsigned label;    /* PTX label index or UINT_MAX */
};

/* Facts about one instruction. */
enum simt_inst_flag {
    /* Lanes that are not here may still need the old destination: write
     * select(mask, new, old). Never set with a shape other than varying. */
    SIMT_BLEND = 1 << 0,
    /* A widening (cvt to 64 bits, mul.wide, mad.wide) of an affine value whose
     * last lane may wrap: emit computes the ok flag here. */
    SIMT_CHECK_WRAP = 1 << 1,
    /* No use of the destination can be reached. */
    SIMT_DEAD = 1 << 2,
    /* A loop polls here what it waits for: others must get a turn. */
    SIMT_WAITS = 1 << 3,
    /* Overwrites what other warps have read, or will read in their turn: they
     * have it before. */
    SIMT_HAZARD = 1 << 4,
};

/* Costs of a kernel, as a vector of 32 lanes and one lane after the other:
 * plan/cost_model.c. A block that runs once counts SIMT_ONCE times. */
enum { SIMT_ONCE = 256 };
struct simt_costs {
    uint64_t vector, scalar;
};

struct simt_kernel {
    struct arena *arena;
    const struct ptx_module *module;
    const struct ptx_func *func;
    struct simt_spec spec;
    bool is_full;     /* no lane of a coarse warp is missing */
    bool has_barrier; /* bar.* here or in a callee: needs fibers */
    bool has_calls, has_indirect_calls, is_recursive;
    bool has_warp_ops;      /* shfl, vote and their like, here or in a callee */
    bool has_waits;         /* loops that wait; for a kernel, also in callees */
    /* for lanes of their own warp: see progress/forward_progress.c */
    bool lanes_may_wait;
    /* bytes of a lane that are live at once in innermost loops */
    unsigned varying_bytes;
    /* Blocks in schedule order; block 0 is the entry. */
    struct simt_block *blocks;
    uint32_t block_count;
    uint32_t mask_variable_count;
    struct simt_shape *shapes; /* by register */
    uint8_t *inst_flags;       /* SIMT_*, by instruction */
    /* Shape of a memory instruction's address operand (with its immediate), by
     * instruction; varying for others. */
    struct simt_shape *address;
    /* shape/interleaved.c. By function-scope variable: bytes of a word of an
     * interleaved .local one, else 0. By register: 1 + the variable that it
     * points into, or 0. NULL: nothing is interleaved. */
    uint8_t *interleaved_bytes;
    uint32_t *interleaved_var;
    /* Speculative shapes, to be tested when used: shapes if lanes had never
     * parted, of registers and, by instruction, of address operands; the
     * latter also if indices were never clamped and rows never ended
     * (shape/speculation.c). */
    struct simt_shape *speculative, *speculative_address, *optimistic_address;
    struct simt_costs costs; /* without those of callees */
    uint64_t *block_times;   /* by block: how often it runs, times SIMT_ONCE */
    struct simt_defs *defs;  /* for simt only: cfg/definitions.c */
};

/* Bytes from one lane's copy of a .local variable to the next lane's: its size
 * rounded up to its alignment. Its address is affine with this stride. */
uint32_t simt_local_pitch(const struct ptx_var *var);

/* The address of an interleaved variable as the program sees it, the same in
 * all lanes; emit makes real addresses of it. It is far from 0, so that places
 * before the variable have addresses, too. */
#define SIMT_INTERLEAVED_BASE (1 << 20)

/* Is the variable interleaved: word by word, the words of all lanes side by
 * side? */
bool simt_is_interleaved(const struct simt_kernel *k,
                         const struct ptx_var *var);
/* The interleaved variable that the operand points into; NULL: none. */
const struct ptx_var *simt_interleaved_var(const struct simt_kernel *k,
                                           const struct ptx_operand *o);

/*
 * Analyses `func` for `spec`. For an entry, spec.block is the launch's block
 * shape; for a device function (.func), params are varying and the entry mask
 * is an argument. Returns NULL after reporting what cannot be compiled.
 */
struct simt_kernel *simt_build(struct arena *arena,
                               const struct ptx_module *module,
                               const struct ptx_func *func,
                               const struct simt_spec *spec, struct diag *diag);

/* How many instructions a part of the kernel should have; 0: the kernel is too
 * short for parts. A block has at most a third of that. */
uint32_t simt_split_insts(const struct simt_kernel *k);
/* How many instructions i counts as there. */
uint32_t simt_inst_weight(const struct ptx_func *f, uint32_t i);

/* Can the kernel be built as coarse warps? */
bool simt_can_coarsen(const struct simt_kernel *k);
/* How many warps a call should run. `k` was built with one. */
unsigned simt_choose_coarsening(const struct simt_kernel *k);
/* The first block from which on, up to `block`, at most one lane of the warp
 * or coarse warp is there (by a comparison of what differs between lanes, or
 * by elect.sync); SIMT_NO_BLOCK: there is none. */
uint32_t simt_one_lane_from(const struct simt_kernel *k, uint32_t block);
/* Which lane count is faster, and by how much? `k` was built with 32. */
enum simt_lanes { SIMT_LANES_ONE, SIMT_LANES_CLOSE, SIMT_LANES_ALL };
enum simt_lanes simt_compare_lanes(const struct simt_kernel *k);

/* A condition: the number at this offset of the kernel's parameters is a
 * multiple of align_bytes. */
struct simt_need {
    uint16_t offset_bytes, align_bytes; /* align_bytes: 2, 4, 8 or 16 */
};

/* What is known of the low bits of registers; lives as long as the arena. */
struct simt_alignments *simt_find_alignments(struct arena *arena,
                                             const struct simt_kernel *k);
/* Is the address a multiple of align_bytes in every lane whenever the
 * parameters are as *needs says? False: not known, or never. */
bool simt_is_aligned(const struct simt_alignments *a,
                     const struct ptx_operand *o, unsigned align_bytes,
                     const struct simt_need **needs, unsigned *count);

/* Text for tests and `weft dump`; malloc'ed. */
enum simt_dump {
    SIMT_DUMP_CFG,
    SIMT_DUMP_DOT, /* the same for Graphviz, with instructions */
    SIMT_DUMP_SHAPES,
    SIMT_DUMP_SCHEDULE
};
char *simt_dump(const struct simt_kernel *k, enum simt_dump what);

#endif
