/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of emu/ share. */
#ifndef WEFT_EMU_INTERNAL_H
#define WEFT_EMU_INTERNAL_H

#include "base/bits.h"
#include "emu/emu.h"

/* A register or an operand: bits in the low end. */
typedef uint64_t emu_bits;

/* v cut to the width of t. */
static inline emu_bits emu_truncate(enum ptx_type t, emu_bits v)
{
    unsigned bits = ptx_type_bits(t);
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

/* v, sign-extended from the width of t. */
static inline int64_t emu_signed(enum ptx_type t, emu_bits v)
{
    unsigned bits = ptx_type_bits(t);
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* The type of each half of a packed type, else none. */
static inline enum ptx_type emu_half_type(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_f16x2:
        return PTX_TYPE_f16;
    case PTX_TYPE_bf16x2:
        return PTX_TYPE_bf16;
    case PTX_TYPE_u16x2:
        return PTX_TYPE_u16;
    case PTX_TYPE_s16x2:
        return PTX_TYPE_s16;
    default:
        return PTX_TYPE_none;
    }
}

/* What each execution of an instruction asks for, computed once. */
struct emu_fact {
    uint8_t dest_count;
    bool has_addresses; /* whose alignment is tested */
    bool has_reach;     /* whose bounds may be */
    bool falls_through; /* every thread goes on with the next instruction */
};

/* What is computed once about a function. */
struct emu_code {
    struct emu_code *before; /* the next in the list emu_kernel.last_code */
    uint32_t frame_bytes;
    struct emu_fact *facts; /* by instruction */
    emu_bits *masks;        /* by register: ones in its width */
};

struct emu_kernel {
    const struct ptx_func *func;
    struct map shared; /* ptx_var -> offset + 1, as a pointer */
    struct map frames; /* ptx_var in .local or .param -> offset + 1 */
    struct map codes;  /* ptx_func -> emu_code */
    struct emu_code *last_code;
    uint32_t shared_bytes;
    uint64_t seed;  /* WEFT_SEED: in which order threads run */
    bool has_looks; /* some instruction is one for emu_is_look */
};

/* One activation of a function. */
struct emu_frame {
    const struct ptx_func *func;
    const struct emu_code *code;
    struct emu_frame *up;
    const struct ptx_inst *call; /* of up->func, which made this frame */
    uint32_t pc;
    unsigned depth;
    size_t stack_bytes; /* of this frame and those of its callers */
    emu_bits *regs;     /* and the upper halves of .b128 ones behind them */
    uint8_t *memory;    /* .local and .param variables, parameters, results */
    struct emu_piece *pieces; /* memory of alloca, the newest first */
    bool carry;               /* the condition code register */
};

/*  RUN --bar--> AT_BARRIER --all there--> RUN
 *  RUN --barrier.cluster.wait--> AT_CLUSTER --all blocks arrived--> RUN
 *  RUN --warp operation--> AT_COLLECTIVE --all of its mask there--> RUN
 *  RUN --return of the kernel--> DONE                                  */
enum emu_state {
    EMU_RUN,
    EMU_AT_BARRIER,
    EMU_AT_CLUSTER,
    EMU_AT_COLLECTIVE,
    EMU_DONE
};

struct emu_thread {
    enum emu_state state;
    struct emu_frame *frame;
    uint32_t tid[3];
    unsigned lane;
    uint32_t collective_mask; /* AT_COLLECTIVE: the lanes it waits for */
    uint32_t barrier_id, barrier_count;
    uint32_t cluster_arrivals;
    const struct ptx_inst *looked_at; /* the last one for emu_is_look */
    bool stands_back;                 /* the others of its warp run first */
    /* 1 + the last instruction of the kernel that it did and that is no jump;
     * noted if barriers are checked. */
    uint32_t last_work;
};

/* Arrivals at a barrier that do not wait (barrier.arrive). */
struct emu_arrivals {
    uint32_t threads; /* 32 for each warp that has arrived as a whole */
    uint32_t named;   /* the thread count in the instruction; 0: none */
    const struct ptx_inst *first; /* the instruction of the first arrival */
    /* By warp: the lanes that have arrived, of one that is not yet whole. */
    uint32_t lanes[1024 / WEFT_WARP_LANES];
};

struct emu_block {
    const struct emu_kernel *k;
    struct exec_warp *w;
    const struct exec_launch *launch;
    uint32_t ctaid[3];
    struct emu_thread *threads;
    uint32_t thread_count;
    uint32_t cluster_arrivals; /* of all its threads together */
    unsigned looks;            /* rounds in which threads looked and wrote */
    unsigned in_step;          /* rounds left in which a turn is one step */
    uint32_t barriers_met;     /* bit i: somebody has arrived at barrier i */
    struct emu_arrivals arrivals[WEFT_BARRIERS + 1024 / PTX_WARPGROUP_THREADS];
    uint64_t random; /* the state of block.c's generator */
    struct emu_races *races; /* check.h; NULL: races are not looked for */
};

/* The offset in bytes of a variable that is in the map: emu_kernel.frames or
 * emu_kernel.shared. */
static inline uint32_t emu_place_of(const struct map *m,
                                    const struct ptx_var *var)
{
    return (uint32_t)((uintptr_t)map_find(m, var) - 1);
}

/* The address of .shared offset 0: the start of the cluster's window. */
static inline emu_bits emu_shared_base(const struct emu_block *b)
{
    return (emu_bits)b->w->shared -
           ((emu_bits)b->w->cluster_rank << WEFT_CLUSTER_SHIFT);
}

/* ---- ops.def ------------------------------------------------------------ */

enum emu_how {
    EMU_REFUSED,
    EMU_ALU,
    EMU_VIDEO,
    EMU_THREAD, /* emu_op.run does it */
    EMU_WARP,
    EMU_MATRIX,
};
typedef void emu_run_fn(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in);
/* thread.c: how each opcode is done. ops.def explains the columns. */
extern const struct emu_op {
    enum emu_how how;
    emu_run_fn *run;
} emu_ops[PTX_OP_COUNT];

/* ---- alu.c: values to values, no state ---------------------------------- */

/* An instruction that is EMU_ALU or EMU_VIDEO: writes *result and, if it has
 * two destinations, *result2. a[]: the sources in order, at least 3 (lop3: 5).
 * *carry: the thread's condition code, for add.cc and its kin. */
void emu_alu(const struct ptx_inst *in, const emu_bits *a, bool *carry,
             emu_bits *result, emu_bits *result2);
/* Parts of emu_alu, each in the file of its name; a[] and results as there.
 * emu_float: what computes in a floating type; emu_convert: cvt. Both leave the
 * host's rounding mode as it was, to nearest. */
emu_bits emu_video(const struct ptx_inst *in, const emu_bits *a);
emu_bits emu_float(const struct ptx_inst *in, const emu_bits *a);
emu_bits emu_convert(const struct ptx_inst *in, const emu_bits *source);
/* bits.c: logic, shifts, and what counts, finds or moves bits. */
emu_bits emu_bit_op(const struct ptx_inst *in, const emu_bits *a);
/* bits.c: *result2 is the predicate of lop3.BoolOp. */
void emu_lop3(const struct ptx_inst *in, const emu_bits *a, emu_bits *result,
              emu_bits *result2);

/* compare.c */
void emu_setp(const struct ptx_inst *in, const emu_bits *a, emu_bits *result,
              emu_bits *result2);
emu_bits emu_set(const struct ptx_inst *in, const emu_bits *a);
emu_bits emu_slct(const struct ptx_inst *in, const emu_bits *a);
/* The .and, .or or .xor of two predicates; a if `sub` is none of them. */
bool emu_combine(enum ptx_sub sub, bool a, bool b);
/* a cmp b, for integers of any PTX type; cmp must be an integer one. */
typedef __int128 emu_s128;
bool emu_compare_integers(enum ptx_cmp cmp, emu_s128 a, emu_s128 b);

/* fesetround's name for rnd; FE_TONEAREST unless rnd is rz, rm or rp. */
int emu_host_rounding(enum ptx_rnd rnd);
/* float.c: a value of a floating type t, exactly; and the value of t that d
 * rounds to in the host's current rounding mode. */
double emu_to_double(enum ptx_type t, emu_bits bits);
emu_bits emu_from_double(enum ptx_type t, double v);

/* ---- memory.c ----------------------------------------------------------- */

/* The address in this process of the memory that operand `o` names. Whether
 * there is memory shows when it is accessed: a bad one faults there. */
uint8_t *emu_address(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in, const struct ptx_operand *o);
/* Ends the kernel with a fault if an address of the instruction is not aligned
 * to its accesses. False: that was reported instead (check.h), and the thread
 * must not do the instruction. */
bool emu_test_alignment(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in);
/* Where the instruction's ordinary access is, as ptx_reach_of says; NULL: it
 * has none. */
uint8_t *emu_reach(struct emu_block *b, struct emu_thread *t,
                   const struct ptx_inst *in, size_t *bytes);
/* Is an address in a frame of the thread, or what alloca gave there? */
bool emu_is_in_frames(const struct emu_thread *t, emu_bits p, size_t bytes);
/* local.c: zeroed memory for frames and alloca, the caller's until
 * emu_local_free with the same `bytes`; NULL: there is no more. Any thread. */
uint8_t *emu_local_alloc(size_t bytes);
void emu_local_free(uint8_t *p, size_t bytes);
/* The address of .local offset 0; valid after the first emu_local_alloc. */
uint8_t *emu_local_base(void);
/* Is the address in the range that all frames are in? */
bool emu_local_has(const void *p);
/* The address of a variable plus the operand's offset: an offset into the
 * window for .shared and .local, real otherwise. A function: its handle. */
emu_bits emu_symbol(struct emu_block *b, struct emu_thread *t,
                    const struct ptx_operand *o);
/* What `mov` of the address gives: as emu_symbol, but a parameter of a device
 * function is an offset into local memory. */
emu_bits emu_address_value(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_operand *o);
/* One element of type t; signed types are extended to 64 bits. Not atomic. */
emu_bits emu_load(enum ptx_type t, const uint8_t *p);
void emu_store(enum ptx_type t, uint8_t *p, emu_bits v);
/* What the atomic instruction leaves in memory that held `old`; b, c: its
 * operands. */
emu_bits emu_atomic_value(const struct ptx_inst *in, emu_bits old, emu_bits b,
                          emu_bits c);
/* Does it to the element at p, atomically for all threads of the process, and
 * returns what was there. */
emu_bits emu_atomic(const struct ptx_inst *in, uint8_t *p, emu_bits b,
                    emu_bits c);
/* The results of cvta, mapa, getctarank and isspacep of the value v. */
emu_bits emu_cvta(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in, emu_bits v);
emu_bits emu_mapa(const struct emu_block *b, const struct ptx_inst *in,
                  emu_bits v, uint32_t rank);
/* Where p, in this block's shared memory, lies in block `rank`'s of the
 * cluster. */
uint8_t *emu_in_block(const struct emu_block *b, const uint8_t *p,
                      uint32_t rank);
emu_bits emu_getctarank(const struct emu_block *b, const struct ptx_inst *in,
                        emu_bits v);
bool emu_isspacep(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in, emu_bits v);

/* ---- wide.c: 128 bits, the lower half first ----------------------------- */

struct emu_wide {
    emu_bits half[2];
};
/* A register, a vector that fills 128 bits, or a constant. */
struct emu_wide emu_read_wide(struct emu_block *b, struct emu_thread *t,
                              const struct ptx_operand *o);
void emu_write_wide(struct emu_thread *t, const struct ptx_operand *o,
                    struct emu_wide w);
/* p is aligned to 16 bytes. Not atomic. */
struct emu_wide emu_load_wide(const uint8_t *p);
void emu_store_wide(uint8_t *p, struct emu_wide w);
/* exch and cas: returns what was there before. Atomic among the callers of this
 * function. */
struct emu_wide emu_atomic_wide(const struct ptx_inst *in, uint8_t *p,
                                struct emu_wide b, struct emu_wide c);

/* ---- stack.c ------------------------------------------------------------ */

/* alloca, stacksave and stackrestore. */
void emu_stack(struct emu_block *b, struct emu_thread *t,
               const struct ptx_inst *in);
/* Frees what the frame's allocas gave. */
void emu_stack_fini(struct emu_frame *frame);
/* Is the address in memory that an alloca of this frame gave? */
bool emu_stack_has(const struct emu_frame *frame, emu_bits address);

/* ---- mbarrier.c, copy.c ------------------------------------------------- */

/* All mbarrier instructions. */
void emu_mbarrier(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in);
/* For copies: tells the barrier at p that `bytes` have come, or that `count`
 * threads have arrived. */
void emu_mbarrier_complete(uint8_t *p, uint32_t bytes);
void emu_mbarrier_arrive(uint8_t *p, uint32_t count);
/* cp.async and cp.async.bulk, which are done at once. */
void emu_copy(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in);
/* st.async and red.async. */
void emu_store_async(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in);
/* tensor.c: cp.async.bulk.tensor and its reducing form, by a helper. */
void emu_tensor_copy(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in);
/* multimem.c: multimem.ld_reduce, .st and .red. */
void emu_multimem(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in);
/* tensor.c: tensormap.replace and tensormap.cp_fenceproxy. */
void emu_tensormap(struct emu_block *b, struct emu_thread *t,
                   const struct ptx_inst *in);

/* texture.c: instructions on textures and surfaces, by a helper. */
void emu_texture(struct emu_block *b, struct emu_thread *t,
                 const struct ptx_inst *in);

/* ---- operand.c ---------------------------------------------------------- */

/* emu_read of an operand that is neither a register nor a number. */
emu_bits emu_read_other(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_operand *o, enum ptx_type type);

/* An operand as this thread has it, in the low bits: not truncated to `type`
 * unless it is a register. */
static inline emu_bits emu_read(struct emu_block *b, struct emu_thread *t,
                                const struct ptx_operand *o, enum ptx_type type)
{
    if (o->kind == PTX_OPERAND_reg && !o->negated)
        return t->frame->regs[o->reg];
    if (o->kind == PTX_OPERAND_imm)
        return (emu_bits)o->imm;
    return emu_read_other(b, t, o, type);
}

/* The bytes that a plain st writes, at most 64, into `out`. */
void emu_stored_bytes(struct emu_block *b, struct emu_thread *t,
                      const struct ptx_inst *in, uint8_t *out);

/* ---- thread.c ----------------------------------------------------------- */

/* Into a register, cut to its width; another operand (`_`) takes nothing. */
static inline void emu_write(struct emu_thread *t, const struct ptx_operand *o,
                             emu_bits v)
{
    if (o->kind == PTX_OPERAND_reg)
        t->frame->regs[o->reg] = v & t->frame->code->masks[o->reg];
}

/* Does the guard let the thread do the instruction? */
static inline bool emu_guard(const struct emu_thread *t,
                             const struct ptx_inst *in)
{
    return in->guard == PTX_NO_REG ||
           (t->frame->regs[in->guard] & 1) != in->guard_negated;
}

/* The instruction that the thread stands at. */
static inline const struct ptx_inst *emu_inst(const struct emu_thread *t)
{
    return &t->frame->func->insts[t->frame->pc];
}

/* The facts about that instruction. */
static inline const struct emu_fact *emu_fact_of(const struct emu_thread *t)
{
    return &t->frame->code->facts[t->frame->pc];
}

/* Makes a frame for `f`, where the thread goes on. call: the instruction, NULL
 * for the kernel itself. Ends the kernel if memory or stack is out. */
void emu_push(struct emu_block *b, struct emu_thread *t,
              const struct ptx_func *f, const struct ptx_inst *call);
/* Hands the results to the caller and frees the frame; after the last frame
 * the thread is EMU_DONE. */
void emu_pop(struct emu_block *b, struct emu_thread *t);
/* call: pushes a frame, or runs the builtin or helper of that name. */
void emu_call(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in);
/* A function that the engine, not the module, provides. */
bool emu_is_builtin(const struct ptx_func *f);
/* Runs the instruction where the thread stands, which needs no other thread,
 * and moves it on. `fact`: emu_fact_of(t). */
void emu_step(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in, const struct emu_fact *fact);

/* ---- block.c ------------------------------------------------------------ */

/* Does the instruction read memory in a way that waiting for others needs:
 * volatile, relaxed, atomic, or asking an mbarrier? */
bool emu_is_look(const struct ptx_inst *in);

/* ---- warp.c: instructions that threads do together ---------------------- */

/* Do threads wait for each other at the instruction? */
bool emu_is_collective(const struct ptx_inst *in);
/* The lanes that the instruction waits for. group: those that stand at it, the
 * answer where it names none. */
uint32_t emu_collective_mask(struct emu_block *b, struct emu_thread *t,
                             const struct ptx_inst *in, uint32_t group);
/* The threads of `mask`, which all stand at the same kind of instruction, do
 * it together and move on. warp: its first thread. */
void emu_run_collective(struct emu_block *b, struct emu_thread *warp,
                        uint32_t mask);

#endif
