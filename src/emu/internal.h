/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of emu/ share. */
#ifndef WEFT_EMU_INTERNAL_H
#define WEFT_EMU_INTERNAL_H

#include "base/bits.h"
#include "emu/emu.h"

/* A register or an operand: bits in the low end. */
typedef uint64_t emu_bits;

/* To the type's width. */
static inline emu_bits emu_truncate(enum ptx_type t, emu_bits v)
{
    unsigned bits = ptx_type_bits(t);
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

/* Sign-extended from it. */
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

/* Storage of a function's own variables, as offsets into a frame or the
 * shared window. */
struct emu_place {
    const struct ptx_var *var;
    uint32_t offset_bytes;
};

/* What is asked of an instruction each time that it runs. */
struct emu_fact {
    uint8_t dest_count;
    bool has_addresses; /* that must be multiples of something */
    bool falls_through; /* all who run it stand behind it afterwards */
};

/* A function, and what is asked of it often. */
struct emu_code {
    struct emu_code *before; /* in emu_kernel.last_code */
    uint32_t frame_bytes;
    struct emu_fact *facts; /* of each instruction */
    emu_bits *masks;        /* of each register: the bits that it has */
};

struct emu_kernel {
    const struct ptx_func *func;
    struct map shared; /* ptx_var -> offset + 1, as a pointer */
    struct map frames; /* ptx_var in .local or .param -> offset + 1 */
    struct map codes;  /* ptx_func -> emu_code */
    struct emu_code *last_code;
    uint32_t shared_bytes;
    uint64_t seed;  /* of the order of threads */
    bool has_looks; /* threads may wait for each other: emu_is_look */
};

/* One activation of a function. */
struct emu_frame {
    const struct ptx_func *func;
    const struct emu_code *code;
    struct emu_frame *up;
    const struct ptx_inst *call; /* in up->func, that made this frame */
    uint32_t pc;
    unsigned depth;
    size_t stack_bytes; /* of calls, up to this one */
    emu_bits *regs;     /* and the upper halves of .b128 ones behind them */
    uint8_t *memory;    /* .local and .param variables, parameters, results */
    struct emu_piece *pieces; /* what alloca gave; NULL: nothing */
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
    const struct ptx_inst *looked_at; /* at memory that others may write */
    bool stands_back;                 /* until all others wait, too */
};

/* Warps that have arrived at a barrier without waiting. */
struct emu_arrivals {
    uint32_t threads; /* of whole warps */
    uint32_t named;   /* the barrier's count */
    const struct ptx_inst *first;
    uint32_t lanes[1024 / WEFT_WARP_LANES]; /* of warps in parts, by bit */
};

struct emu_block {
    const struct emu_kernel *k;
    struct exec_warp *w;
    const struct exec_launch *launch;
    uint32_t ctaid[3];
    struct emu_thread *threads;
    uint32_t thread_count;
    uint32_t cluster_arrivals; /* of all its threads together */
    unsigned looks;            /* rounds of watching and writing */
    unsigned in_step;          /* so many rounds more, warps take a step each */
    uint32_t barriers_met;     /* at which somebody is, or has been */
    struct emu_arrivals arrivals[WEFT_BARRIERS + 1024 / PTX_WARPGROUP_THREADS];
    uint64_t random; /* what comes next of it */
};

/* The place of a variable that a map knows: of frames, of shared memory. */
static inline uint32_t emu_place_of(const struct map *m,
                                    const struct ptx_var *var)
{
    return (uint32_t)((uintptr_t)map_find(m, var) - 1);
}

/* What shared addresses count from: the cluster's window. */
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
    EMU_THREAD, /* by `run` */
    EMU_WARP,
    EMU_MATRIX,
};
typedef void emu_run_fn(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in);
/* thread.c: by opcode. */
extern const struct emu_op {
    enum emu_how how;
    emu_run_fn *run;
} emu_ops[PTX_OP_COUNT];

/* ---- alu.c: values to values, no state ---------------------------------- */

/* Of EMU_ALU and EMU_VIDEO: *result and, for setp and the like, *result2. a[]
 * are the sources in order, carry is read and written by the extended-precision
 * ones. */
void emu_alu(const struct ptx_inst *in, const emu_bits *a, bool *carry,
             emu_bits *result, emu_bits *result2);
emu_bits emu_video(const struct ptx_inst *in, const emu_bits *a);
/* The floating part of it. */
emu_bits emu_float(const struct ptx_inst *in, const emu_bits *a);
emu_bits emu_convert(const struct ptx_inst *in, const emu_bits *source);
/* bits.c: the part of it that looks at single bits; a[] as for emu_alu. */
emu_bits emu_bit_op(const struct ptx_inst *in, const emu_bits *a);
void emu_lop3(const struct ptx_inst *in, const emu_bits *a, emu_bits *result,
              emu_bits *result2);

/* compare.c: the same of setp, set and slct. */
void emu_setp(const struct ptx_inst *in, const emu_bits *a, emu_bits *result,
              emu_bits *result2);
emu_bits emu_set(const struct ptx_inst *in, const emu_bits *a);
emu_bits emu_slct(const struct ptx_inst *in, const emu_bits *a);
/* .and, .or, .xor of two predicates; a where there is none of them. */
bool emu_combine(enum ptx_sub sub, bool a, bool b);
/* Numbers of any width and sign, by an integer comparison. */
typedef __int128 emu_s128;
bool emu_compare_integers(enum ptx_cmp cmp, emu_s128 a, emu_s128 b);

/* For fesetround; to nearest where nothing else is said. */
int emu_host_rounding(enum ptx_rnd rnd);
double emu_to_double(enum ptx_type t, emu_bits bits);
emu_bits emu_from_double(enum ptx_type t, double v);

/* ---- memory.c ----------------------------------------------------------- */

/* Where an operand's memory lies in this process; ends the kernel with a fault
 * where there is none. */
uint8_t *emu_address(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in, const struct ptx_operand *o);
/* Ends the kernel if the instruction's addresses are none for accesses of its
 * size. */
void emu_test_alignment(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_inst *in);
/* local.c: zeroed memory for frames; NULL: there is no more. */
uint8_t *emu_local_alloc(size_t bytes);
void emu_local_free(uint8_t *p, size_t bytes);
uint8_t *emu_local_base(void); /* what .local addresses count from */
emu_bits emu_symbol(struct emu_block *b, struct emu_thread *t,
                    const struct ptx_operand *o);
emu_bits emu_address_value(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_operand *o);
emu_bits emu_load(enum ptx_type t, const uint8_t *p);
void emu_store(enum ptx_type t, uint8_t *p, emu_bits v);
/* What memory holds after it held `old`. */
emu_bits emu_atomic_value(const struct ptx_inst *in, emu_bits old, emu_bits b,
                          emu_bits c);
emu_bits emu_atomic(const struct ptx_inst *in, uint8_t *p, emu_bits b,
                    emu_bits c);
emu_bits emu_cvta(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in, emu_bits v);
emu_bits emu_mapa(const struct emu_block *b, const struct ptx_inst *in,
                  emu_bits v, uint32_t rank);
/* The same place in the shared memory of another block of the cluster. */
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
/* A register or a constant. */
struct emu_wide emu_read_wide(struct emu_block *b, struct emu_thread *t,
                              const struct ptx_operand *o);
void emu_write_wide(struct emu_thread *t, const struct ptx_operand *o,
                    struct emu_wide w);
/* Memory, aligned to 16 bytes. */
struct emu_wide emu_load_wide(const uint8_t *p);
void emu_store_wide(uint8_t *p, struct emu_wide w);
/* Returns what was there before. */
struct emu_wide emu_atomic_wide(const struct ptx_inst *in, uint8_t *p,
                                struct emu_wide b, struct emu_wide c);

/* ---- stack.c ------------------------------------------------------------ */

/* alloca, stacksave and stackrestore. */
void emu_stack(struct emu_block *b, struct emu_thread *t,
               const struct ptx_inst *in);
/* Frees what the frame's allocas gave; has: it is one of those. */
void emu_stack_fini(struct emu_frame *frame);
bool emu_stack_has(const struct emu_frame *frame, emu_bits address);

/* ---- mbarrier.c, copy.c ------------------------------------------------- */

/* The instruction; and, for copies, that so many bytes have come or that so
 * many threads have arrived at the barrier at `p`. */
void emu_mbarrier(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in);
void emu_mbarrier_complete(uint8_t *p, uint32_t bytes);
void emu_mbarrier_arrive(uint8_t *p, uint32_t count);
/* cp.async and cp.async.bulk, which are done at once. */
void emu_copy(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in);
/* st.async and red.async. */
void emu_store_async(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in);
/* tensor.c */
void emu_tensor_copy(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in);
void emu_multimem(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in);
void emu_tensormap(struct emu_block *b, struct emu_thread *t,
                   const struct ptx_inst *in);

/* texture.c */
void emu_texture(struct emu_block *b, struct emu_thread *t,
                 const struct ptx_inst *in);

/* ---- thread.c ----------------------------------------------------------- */

/* What is no register and no number. */
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

/* Into a register, cut to its width; another operand (`_`) takes nothing. */
static inline void emu_write(struct emu_thread *t, const struct ptx_operand *o,
                             emu_bits v)
{
    if (o->kind == PTX_OPERAND_reg)
        t->frame->regs[o->reg] = v & t->frame->code->masks[o->reg];
}

/* Does the thread do the instruction? */
static inline bool emu_guard(const struct emu_thread *t,
                             const struct ptx_inst *in)
{
    return in->guard == PTX_NO_REG ||
           (t->frame->regs[in->guard] & 1) != in->guard_negated;
}

/* Where the thread stands. */
static inline const struct ptx_inst *emu_inst(const struct emu_thread *t)
{
    return &t->frame->func->insts[t->frame->pc];
}

/* What was found out about that instruction before. */
static inline const struct emu_fact *emu_fact_of(const struct emu_thread *t)
{
    return &t->frame->code->facts[t->frame->pc];
}

/* The thread begins `f`; `call`: the instruction, NULL for the kernel. */
void emu_push(struct emu_block *b, struct emu_thread *t,
              const struct ptx_func *f, const struct ptx_inst *call);
/* Gives results to the caller; the thread is DONE after its last frame. */
void emu_pop(struct emu_block *b, struct emu_thread *t);
void emu_call(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in);
/* A function that the engine, not the module, provides. */
bool emu_is_builtin(const struct ptx_func *f);
/* The instruction where the thread stands, which needs no other thread. */
void emu_step(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in, const struct emu_fact *fact);

/* ---- block.c ------------------------------------------------------------ */

/* Looks at memory that others may write: it may be waiting. */
bool emu_is_look(const struct ptx_inst *in);

/* ---- warp.c: instructions that threads do together ---------------------- */

/* Threads wait for each other there. */
bool emu_is_collective(const struct ptx_inst *in);
/* The mask an instruction waits for; lanes is the group that stands here. */
uint32_t emu_collective_mask(struct emu_block *b, struct emu_thread *t,
                             const struct ptx_inst *in, uint32_t group);
/* All threads of `mask` in the warp do their warp operation. */
void emu_run_collective(struct emu_block *b, struct emu_thread *warp,
                        uint32_t mask);

#endif
