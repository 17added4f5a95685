/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PTX text to checked PTX in memory, and back to text. Knows no LLVM and no
 * CUDA API. Everything reachable from a ptx_module lives in its arena.
 *
 * A module that ptx_parse returned is checked: operands have the kinds and
 * types their opcode wants, labels and symbols resolve, registers are
 * declared. Consumers may assert what the checker promises.
 *
 * Source: PTX ISA manual; its spelling is used for every name.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  a module is one thread's while it is parsed or linked; later any
 *            number may read it
 *   errors   NULL or false after a message in the struct diag; when memory runs
 *            out the process ends
 *   owners   all that a module reaches is in its arena, and ends with
 *            ptx_module_destroy
 *   units    sizes, offsets and alignments are bytes unless a name says bits; a
 *            target is 10 * major + minor
 */
#ifndef WEFT_PTX_H
#define WEFT_PTX_H

#include "base/base.h"

/* ---- names as in the manual -------------------------------------------- */

enum ptx_op {
    PTX_OP_invalid,
#define PTX_OP(name, ...) PTX_OP_##name,
#include "ptx/ops.def"
    PTX_OP_COUNT
};

enum ptx_type {
    PTX_TYPE_none,
#define PTX_TYPE(name, size_bytes, kind) PTX_TYPE_##name,
#include "ptx/types.def"
    PTX_TYPE_COUNT
};

enum ptx_type_kind { /* column `kind` of types.def */
                     PTX_KIND_none,
                     PTX_KIND_bits,
                     PTX_KIND_unsigned,
                     PTX_KIND_signed,
                     PTX_KIND_float,
                     PTX_KIND_pred,
                     PTX_KIND_opaque
};

/* `generic`: the instruction names no space. */
enum ptx_space {
    PTX_SPACE_generic,
    PTX_SPACE_reg,
    PTX_SPACE_sreg,
    PTX_SPACE_const,
    PTX_SPACE_global,
    PTX_SPACE_local,
    PTX_SPACE_param,  /* of kernels, or of a function or a call */
    PTX_SPACE_shared, /* also .shared::cta */
    PTX_SPACE_shared_cluster,
    PTX_SPACE_tex,
    PTX_SPACE_COUNT
};

/* Special registers: %tid.x is PTX_SREG_tid_x. */
enum ptx_sreg {
#define PTX_SREG(name, text, type) PTX_SREG_##name,
#include "ptx/sregs.def"
    PTX_SREG_COUNT
};

/* Modifiers. Every enum's zero means "not written". mods.def gives each
 * suffix its text, the field of ptx_inst it sets and its value. */
enum ptx_rnd {
    PTX_RND_none,
    PTX_RND_rn,
    PTX_RND_rz,
    PTX_RND_rm,
    PTX_RND_rp,
    PTX_RND_rna,
    PTX_RND_rni,
    PTX_RND_rzi,
    PTX_RND_rmi,
    PTX_RND_rpi,
    PTX_RND_rs
};
enum ptx_cmp {
    PTX_CMP_none,
    PTX_CMP_eq,
    PTX_CMP_ne,
    PTX_CMP_lt,
    PTX_CMP_le,
    PTX_CMP_gt,
    PTX_CMP_ge,
    PTX_CMP_lo,
    PTX_CMP_ls,
    PTX_CMP_hi,
    PTX_CMP_hs,
    PTX_CMP_equ,
    PTX_CMP_neu,
    PTX_CMP_ltu,
    PTX_CMP_leu,
    PTX_CMP_gtu,
    PTX_CMP_geu,
    PTX_CMP_num,
    PTX_CMP_nan
};
enum ptx_half { /* which half of a product: mul.lo, mad.wide ... */
                PTX_HALF_none,
                PTX_HALF_lo,
                PTX_HALF_hi,
                PTX_HALF_wide
};
/* The operation inside an instruction: setp's boolean, atom's and red's
 * operation, bar.red's, redux's, vote's, match's, shfl's, lop3's, testp's. */
enum ptx_sub {
    PTX_SUB_none,
    PTX_SUB_and,
    PTX_SUB_or,
    PTX_SUB_xor,
    PTX_SUB_add,
    PTX_SUB_inc,
    PTX_SUB_dec,
    PTX_SUB_min,
    PTX_SUB_max,
    PTX_SUB_exch,
    PTX_SUB_cas,
    PTX_SUB_popc,
    PTX_SUB_all,
    PTX_SUB_any,
    PTX_SUB_uni,
    PTX_SUB_ballot,
    PTX_SUB_up,
    PTX_SUB_down,
    PTX_SUB_bfly,
    PTX_SUB_idx,
    PTX_SUB_finite,
    PTX_SUB_infinite,
    PTX_SUB_number,
    PTX_SUB_notanumber,
    PTX_SUB_normal,
    PTX_SUB_subnormal,
    PTX_SUB_l,
    PTX_SUB_r, /* shf */
    PTX_SUB_f4e,
    PTX_SUB_b4e,
    PTX_SUB_rc8,
    PTX_SUB_ecl,
    PTX_SUB_ecr,
    PTX_SUB_rc16, /* prmt */
    PTX_SUB_sync,
    PTX_SUB_arrive,
    PTX_SUB_red,
    PTX_SUB_warp, /* bar, barrier */
    PTX_SUB_commit_group,
    PTX_SUB_wait_group,
    PTX_SUB_wait_all, /* cp.async */
    PTX_SUB_mbarrier,
    PTX_SUB_init,
    PTX_SUB_inval,
    PTX_SUB_arrive_drop,
    PTX_SUB_test_wait,
    PTX_SUB_try_wait,
    PTX_SUB_pending_count,
    PTX_SUB_wait,
    PTX_SUB_1d,
    PTX_SUB_2d,
    PTX_SUB_3d,
    PTX_SUB_4d,
    PTX_SUB_5d,
    PTX_SUB_a1d,
    PTX_SUB_a2d,
    PTX_SUB_cube,
    PTX_SUB_acube,
    PTX_SUB_2dms,
    PTX_SUB_a2dms, /* tex, suld */
    PTX_SUB_base,
    PTX_SUB_level,
    PTX_SUB_grad,
    PTX_SUB_g,
    PTX_SUB_b,
    PTX_SUB_a,
    PTX_SUB_trap,
    PTX_SUB_clamp,
    PTX_SUB_zero,
    PTX_SUB_width,
    PTX_SUB_height,
    PTX_SUB_depth,
    PTX_SUB_channel_data_type,
    PTX_SUB_channel_order,
    PTX_SUB_normalized_coords,
    PTX_SUB_array_size,
    PTX_SUB_num_mipmap_levels,
    PTX_SUB_num_samples,
    PTX_SUB_filter_mode,
    PTX_SUB_addr_mode_0,
    PTX_SUB_addr_mode_1,
    PTX_SUB_addr_mode_2, /* txq */
    PTX_SUB_load,
    PTX_SUB_store,
    PTX_SUB_mma,
    PTX_SUB_c,
    PTX_SUB_d,     /* wmma */
    PTX_SUB_fence, /* wgmma.fence; .mma_async is mma */
    PTX_SUB_expect_tx,
    PTX_SUB_complete_tx, /* mbarrier */
    PTX_SUB_prefetch,    /* cp.async.bulk.prefetch */
    PTX_SUB_tile,
    PTX_SUB_im2col,
    PTX_SUB_im2col_no_offs, /* tensor copies */
    PTX_SUB_fractional,
    PTX_SUB_range,
    PTX_SUB_cvt, /* createpolicy */
    PTX_SUB_alias,
    PTX_SUB_async,
    PTX_SUB_async_generic, /* fence.proxy */
    PTX_SUB_tensormap,
    PTX_SUB_tensormap_generic,
    PTX_SUB_mbarrier_init,
    PTX_SUB_ld_reduce,
    PTX_SUB_st, /* multimem */
    PTX_SUB_global_address,
    PTX_SUB_rank,
    PTX_SUB_box_dim, /* tensormap */
    PTX_SUB_global_dim,
    PTX_SUB_global_stride,
    PTX_SUB_element_stride,
    PTX_SUB_elemtype,
    PTX_SUB_interleave_layout,
    PTX_SUB_swizzle_mode,
    PTX_SUB_fill_mode,
    PTX_SUB_shr7,
    PTX_SUB_shr15,
    PTX_SUB_po,    /* vmad */
    PTX_SUB_accum, /* vadd4 ... .add */
    PTX_SUB_texref,
    PTX_SUB_samplerref,
    PTX_SUB_surfref, /* istypep */
    PTX_SUB_COUNT
};
enum ptx_sem { /* memory consistency */
               PTX_SEM_none,
               PTX_SEM_weak,
               PTX_SEM_volatile,
               PTX_SEM_relaxed,
               PTX_SEM_acquire,
               PTX_SEM_release,
               PTX_SEM_acq_rel,
               PTX_SEM_sc,
               PTX_SEM_mmio
};
enum ptx_scope {
    PTX_SCOPE_none,
    PTX_SCOPE_cta,
    PTX_SCOPE_cluster,
    PTX_SCOPE_gpu,
    PTX_SCOPE_sys
};

/* Flag modifiers, or-ed into ptx_inst.flags. */
enum ptx_flag {
    PTX_FLAG_ftz = 1 << 0,
    PTX_FLAG_sat = 1 << 1,
    PTX_FLAG_approx = 1 << 2,
    PTX_FLAG_full = 1 << 3,
    PTX_FLAG_uni = 1 << 4,     /* bra.uni, call.uni, ret.uni */
    PTX_FLAG_to = 1 << 5,      /* cvta.to */
    PTX_FLAG_nc = 1 << 6,      /* ld.global.nc */
    PTX_FLAG_sync = 1 << 7,    /* shfl.sync, vote.sync ... */
    PTX_FLAG_aligned = 1 << 8, /* barrier.sync.aligned */
    PTX_FLAG_cc = 1 << 9,      /* add.cc: writes the carry */
    PTX_FLAG_NaN = 1 << 10,
    PTX_FLAG_xorsign_abs = 1 << 11,
    PTX_FLAG_relu = 1 << 12,
    PTX_FLAG_shiftamt = 1 << 13,
    PTX_FLAG_clamp = 1 << 14,
    PTX_FLAG_wrap = 1 << 15,
    PTX_FLAG_noftz = 1 << 16,
    PTX_FLAG_async = 1 << 17, /* cp.async */
    PTX_FLAG_abs = 1 << 18,
    PTX_FLAG_satfinite = 1 << 19,
    PTX_FLAG_pack = 1 << 20, /* cvt.pack */
    PTX_FLAG_oob = 1 << 21,
    PTX_FLAG_cache_hint = 1 << 22, /* the last operand is a cache policy */
    PTX_FLAG_trans = 1 << 23,      /* ldmatrix, stmatrix */
    PTX_FLAG_sparse = 1 << 24,     /* mma.sp */
    PTX_FLAG_parity = 1 << 25,     /* mbarrier.try_wait.parity */
    PTX_FLAG_noComplete = 1 << 26, /* mbarrier.arrive.noComplete */
    PTX_FLAG_noinc = 1 << 27,      /* cp.async.mbarrier.arrive.noinc */
    PTX_FLAG_bulk = 1 << 28,       /* cp.async.bulk, .group of reduce */
    PTX_FLAG_tensor = 1 << 29,     /* cp.async.bulk.tensor, see .dims */
    PTX_FLAG_multicast = 1 << 30,  /* ... .multicast::cluster */
#define PTX_FLAG_read   (UINT64_C(1) << 31) /* wait_group.read */
#define PTX_FLAG_reduce (UINT64_C(1) << 32) /* cp.reduce.async */
#define PTX_FLAG_bulk_group                                                    \
    (UINT64_C(1) << 33)                      /* completes by bulk group,       \
                                                else by mbarrier */
#define PTX_FLAG_cp_mask (UINT64_C(1) << 34) /* cp.async.bulk.cp_mask */
#define PTX_FLAG_acc_f32 (UINT64_C(1) << 35) /* multimem .acc::f32 */
#define PTX_FLAG_ordered (UINT64_C(1) << 37) /* mma.sp::ordered_metadata */
#define PTX_FLAG_fresh   (UINT64_C(1) << 38) /* ld.cg, ld.cv: not from L1 */
};

/* Layout of a matrix operand, in the order written. */
enum ptx_layout { PTX_LAYOUT_none, PTX_LAYOUT_row, PTX_LAYOUT_col };

/* Shape of a matrix operation. */
#define PTX_SHAPE(m, n, k) ((uint32_t)(m) << 20 | (n) << 10 | (k))

/* ---- the module -------------------------------------------------------- */

enum ptx_linkage {
    PTX_LINK_internal,
    PTX_LINK_extern,
    PTX_LINK_visible,
    PTX_LINK_weak,
    PTX_LINK_common
};

/* A part of an initialiser that is an address: at `offset_bytes` of the
 * variable is the address of `var` (or the handle of `func`) + addend. */
struct ptx_reloc {
    size_t offset_bytes;
    unsigned size_bytes; /* 8, or 4 in 32-bit modules */
    const struct ptx_var *var;
    const struct ptx_func *func;
    int64_t addend;
    bool is_generic;     /* generic(sym): as cvta gives it */
    unsigned shift_bits; /* size_bytes 1: which byte of the address */
};

/* A named variable: module scope, function scope, or a parameter. */
struct ptx_var {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;   /* of one element; opaque types for textures */
    unsigned vector;      /* 1, 2 or 4 */
    size_t element_count; /* 1 for scalars; 0 for an unsized extern array */
    bool is_array;
    size_t size_bytes;
    unsigned align_bytes;
    enum ptx_linkage linkage;
    bool is_ptr; /* .ptr on a kernel parameter: what it points to */
    enum ptx_space ptr_space; /* the space, or generic */
    unsigned ptr_align_bytes; /* 0: not given */
    bool is_unified;          /* .attribute(.unified(1, 2)) */
    uint64_t unified[2];
    bool is_managed;     /* .attribute(.managed) */
    const uint8_t *init; /* size_bytes bytes; NULL: zero */
    struct ptx_reloc *relocs;
    size_t reloc_count;
    const char *settings; /* of a texture or sampler: filter_mode = linear */
    unsigned index;       /* in the array that holds it */
    /* Parameters: offset in the parameter buffer. .global and .const, in
     * modules or functions: offset in the module's block of variables; for a
     * managed one, that of a pointer to it, with space for the variable
     * behind. */
    unsigned offset_bytes;
    uint32_t reg; /* for a parameter written .reg; else PTX_NO_REG */
    bool is_reg;  /* for the parser: a parameter written .reg */
    unsigned line;
    const struct ptx_func *owner; /* NULL at module scope */
};

struct ptx_reg {
    const char *name; /* as written, with % if it has one */
    enum ptx_type type;
    unsigned vector; /* 1: a .v2 or .v4 register is split into v$x, v$y ... */
};

enum ptx_operand_kind {
    PTX_OPERAND_none,
    PTX_OPERAND_reg,     /* .reg, negated: !%p */
    PTX_OPERAND_imm,     /* .imm: integer, or the bits of a float, see type */
    PTX_OPERAND_sreg,    /* .sreg */
    PTX_OPERAND_var,     /* .var + .imm: the address of a variable */
    PTX_OPERAND_func,    /* .func: the address of a function, or call target */
    PTX_OPERAND_address, /* [base + imm]: .var or .reg, or neither (absolute);
                            [tex, {x, y}]: what follows the base is .items */
    PTX_OPERAND_vector,  /* {a, b, c, d}: .items[0 .. item_count) */
    PTX_OPERAND_label,   /* .label: index into ptx_func.labels */
    PTX_OPERAND_sink,    /* _ */
};

#define PTX_NO_REG UINT32_MAX

struct ptx_operand {
    enum ptx_operand_kind kind : 8;
    enum ptx_sreg sreg : 8;
    bool negated;      /* !%p */
    bool is_float_imm; /* imm was written as a floating literal */
    uint32_t reg;      /* index into ptx_func.regs, or PTX_NO_REG */
    uint32_t label;
    unsigned item_count;
    /* Video instructions: %r1.b0, %r1.h10, %r1.b3210. The digits as written,
     * four bits each, the last one lowest; select_count 0: none. */
    uint16_t select;
    uint8_t select_count;
    char select_kind; /* 'b' or 'h' */
    /* Integers: two's complement, sign-extended from the operand's width
     * whatever its type. Float literals: the bits in the type that
     * the instruction gives this operand (0f.. literals for f32, 0d.. f64;
     * the checker has converted them). */
    int64_t imm;
    const struct ptx_var *var;
    const struct ptx_func *func;
    struct ptx_operand *items;
};

#define PTX_MAX_OPERANDS 10

struct ptx_inst {
    enum ptx_op op;
    /* The opcode as written, with all its suffixes; interned. */
    const char *spelling;
    uint16_t form;        /* row of forms.def */
    /* 1 + first row of its constants in rules.def; 0: none */
    uint8_t values;
    const char *operands; /* letters of the operands in that row */
    uint32_t guard;       /* predicate register, or PTX_NO_REG */
    bool guard_negated;   /* @!%p */
    /* Type suffixes in order. cvt.f32.s32: {f32, s32}. ld.v2.f32: {f32}. */
    enum ptx_type type[4];
    unsigned type_count;
    enum ptx_rnd rnd;
    enum ptx_cmp cmp;
    enum ptx_half half;
    enum ptx_sub sub;     /* setp.eq.and: and; atom.add: add; shfl.down: down */
    enum ptx_sub sub2;    /* bar.red.popc: sub red, sub2 popc */
    enum ptx_space space; /* ld, st, atom, cvta, isspacep ... */
    enum ptx_space space2; /* cp: of the source; `space` is the destination's */
    enum ptx_sem sem;
    enum ptx_scope scope;
    unsigned vector; /* 1, 2, 4, 8; .x1 .x2 .x4 of ldmatrix */
    uint64_t flags;  /* PTX_FLAG_* */
    uint32_t shape;  /* PTX_SHAPE(m, n, k) of mma and its kin; k 0: m8n8 */
    enum ptx_layout layout[2]; /* mma.row.col; wmma.load.row: the first */
    enum ptx_sub geom;         /* tex.2d, suld.1d: PTX_SUB_2d ... */
    unsigned dims;             /* cp.async.bulk.tensor.3d: 3 */
    /* In the manual's order, destinations first. setp p|q: p and q are the
     * first two (q is `none` when absent); shfl d|p likewise. An operand the
     * manual calls optional and the text leaves out has kind `none`. */
    struct ptx_operand *operand;
    unsigned operand_count;
    struct ptx_call *call; /* op call only */
    uint32_t *targets;     /* brx.idx: label indices */
    unsigned target_count;
    unsigned line, column;       /* position in the text */
    unsigned loc_file, loc_line; /* of the last .loc; 0: none */
};

/* call (rets), target, (args), prototype */
struct ptx_call {
    const struct ptx_func *func; /* direct; NULL if indirect */
    uint32_t reg;                /* indirect: holds the function's address */
    /* Indirect: the prototype; direct: the same as func. */
    const struct ptx_func *prototype;
    struct ptx_operand *rets, *args; /* reg, imm, or var in .param space */
    unsigned ret_count, arg_count;
};

struct ptx_label {
    const char *name;
    /* the instruction behind the label; inst_count: the end of the body */
    uint32_t inst;
};

/*
 * Registers, variables and labels of nested scopes are all in the function's
 * arrays; a name that was taken gets a suffix: tmp, tmp$1, tmp$2. Registers
 * of a range (%r<100>) are there only if something names them.
 */
struct ptx_func {
    const char *name; /* "_" for a prototype without one */
    struct ptx_module *module;
    bool is_entry, is_declaration, is_noreturn;
    enum ptx_linkage linkage;
    unsigned index; /* in module.funcs; also the function's handle, see abi.h */
    struct ptx_var *params, *rets; /* space param */
    bool has_old_params;           /* for the parser: declared in the body */
    size_t param_count, ret_count;
    size_t param_bytes; /* size of a kernel's parameter buffer */
    struct ptx_reg *regs;
    size_t reg_count;
    struct ptx_var *vars; /* .local, .shared, .param, .const, .global inside */
    size_t var_count;
    struct ptx_label *labels;
    size_t label_count;
    struct ptx_inst *insts;
    size_t inst_count;
    /* Directives; 0 when absent. */
    unsigned maxntid[3], reqntid[3], minnctapersm, maxnreg;
    unsigned reqnctapercluster[3], maxclusterrank;
    bool is_explicit_cluster, has_cluster_blocks; /* .blocksareclusters */
    unsigned abi_preserve, abi_preserve_control;
    const char **pragmas; /* .pragma between header and body, with quotes */
    size_t pragma_count;
    unsigned line;
    bool is_prototype;     /* .callprototype inside a function */
    bool is_address_taken; /* appears as an operand or in an initialiser */
    /* .alias: the function whose body this one shares, else NULL. */
    const struct ptx_func *alias_of;
};

struct ptx_module {
    struct arena *arena;
    unsigned version;      /* 83 for 8.3 */
    unsigned sm;           /* 80 for sm_80, sm_80a */
    bool is_arch_specific; /* sm_90a */
    bool is_texmode_independent;
    const char *target;
    unsigned address_size_bits; /* 32 or 64 */
    struct ptx_var **vars;      /* module scope */
    size_t var_count;
    struct ptx_func **funcs;
    size_t func_count;
    /* One block holds all .global and .const variables; see offset_bytes. */
    size_t globals_bytes, globals_align_bytes;
    size_t const_offset_bytes; /* .const's begin here */
    const char **files;        /* .file; index as in .loc; may hold NULL */
    size_t file_count;
};

/* ---- functions --------------------------------------------------------- */

/*
 * Parses and checks `text` (length bytes, need not end in NUL). `name` is the
 * file's name for messages. Returns NULL after reporting to `diag`.
 * Any input is safe. Thread-safe for distinct `diag`.
 */
struct ptx_module *ptx_parse(const char *name, const char *text, size_t length,
                             struct diag *diag);
void ptx_module_destroy(struct ptx_module *m);
/* Assigns offsets to the module's variables; ptx_parse has done it. False
 * after reporting that they take too many bytes. */
bool ptx_layout_module(struct ptx_module *m, const char *name,
                       struct diag *diag);

/* Text that parses to the same module; malloc'ed; NULL: out of memory. */
char *ptx_print(const struct ptx_module *m);
/* Prints one instruction, without indentation or newline, to a buffer. */
void ptx_print_inst(const struct ptx_func *f, const struct ptx_inst *inst,
                    char *buffer, size_t size_bytes);

/* Number of blocks in a cluster that the kernel asks for; 1: it does not. */
static inline unsigned ptx_cluster_blocks(const struct ptx_func *f)
{
    unsigned n = 1;
    for (unsigned i = 0; i < 3; i++)
        n *= f->reqnctapercluster[i] ? f->reqnctapercluster[i] : 1;
    return n;
}

/* Is it a parameter of `f`, a kernel's, which the launch sets? Those of calls
 * and device functions are each thread's own. */
static inline bool ptx_is_kernel_param(const struct ptx_func *f,
                                       const struct ptx_var *var)
{
    return f->is_entry && var >= f->params && var < f->params + f->param_count;
}

/* Is it the block's or the cluster's shared memory? */
static inline bool ptx_is_shared_space(enum ptx_space space)
{
    return space == PTX_SPACE_shared || space == PTX_SPACE_shared_cluster;
}

/* Does it lie in a module's block of variables (ptx_module.globals_bytes)? */
static inline bool ptx_is_in_globals(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_global || v->space == PTX_SPACE_const;
}

/* ptx_operand_item: item i of a vector, or the operand itself; and the number
 * of items. */
static inline const struct ptx_operand *
ptx_operand_item(const struct ptx_operand *o, unsigned i)
{
    return o->kind == PTX_OPERAND_vector ? &o->items[i] : o;
}
static inline unsigned ptx_operand_item_count(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_vector ? o->item_count : 1;
}

/* Are both, whatever else they name, the same register, variable and constant?
 */
static inline bool ptx_is_same_operand(const struct ptx_operand *a,
                                       const struct ptx_operand *b)
{
    return a->kind == b->kind && a->reg == b->reg && a->var == b->var &&
           a->imm == b->imm;
}

/* Of video operands. ptx_selected_bits: of the part that the selector names, 32
 * without one. ptx_selects: does the destination take part i? */
static inline unsigned ptx_selected_bits(const struct ptx_operand *o)
{
    return o->select_count == 0 ? 32 : o->select_kind == 'b' ? 8 : 16;
}
static inline bool ptx_selects(const struct ptx_operand *d, unsigned i)
{
    for (unsigned j = 0; j < d->select_count; j++)
        if ((d->select >> 4 * j & 15) == i)
            return true;
    return d->select_count == 0;
}

/* Number of elements that the instruction moves: that of .v2, .v4 ..., or
 * 1. */
static inline unsigned ptx_vector_width(const struct ptx_inst *inst)
{
    return inst->vector > 1 ? inst->vector : 1;
}

/* NULL: there is none of this name. The module owns the function. */
struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name);
struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name);

/* As in the manual; a constant. */
const char *ptx_op_name(enum ptx_op op);
/* Has a device of compute capability 9.0 the instruction? No, if its row is
 * for sm_100 or later. Modules for newer devices can be parsed
 * nevertheless. */
bool ptx_is_of_device(const struct ptx_inst *inst);
const char *ptx_type_name(enum ptx_type t);
extern const struct ptx_type_row {
    const char *name;
    uint8_t size_bytes; /* pred: 1 */
    enum ptx_type_kind kind : 8;
} ptx_type_rows[PTX_TYPE_COUNT];
static inline unsigned ptx_type_size(enum ptx_type t)
{
    return t < PTX_TYPE_COUNT ? ptx_type_rows[t].size_bytes : 0;
}
enum ptx_type ptx_sreg_type(enum ptx_sreg s);
static inline enum ptx_type_kind ptx_type_kind(enum ptx_type t)
{
    return t < PTX_TYPE_COUNT ? ptx_type_rows[t].kind : PTX_KIND_none;
}
static inline bool ptx_type_is_float(enum ptx_type t)
{
    return ptx_type_kind(t) == PTX_KIND_float;
}
static inline bool ptx_is_directed(enum ptx_rnd rnd)
{
    return rnd == PTX_RND_rz || rnd == PTX_RND_rm || rnd == PTX_RND_rp;
}
/* The width of a register of this type; a predicate has 1. */
static inline unsigned ptx_type_bits(enum ptx_type t)
{
    return t == PTX_TYPE_pred ? 1 : ptx_type_size(t) * 8;
}
static inline bool ptx_type_is_signed(enum ptx_type t)
{
    return ptx_type_kind(t) == PTX_KIND_signed;
}

/* For dataflow: calls fn for every register that the instruction reads
 * (guards, address bases and vector items included), or writes. */
void ptx_for_each_use(const struct ptx_inst *inst,
                      void (*fn)(void *data, uint32_t reg), void *data);
void ptx_for_each_def(const struct ptx_inst *inst,
                      void (*fn)(void *data, uint32_t reg), void *data);
bool ptx_defines(const struct ptx_inst *inst, uint32_t reg);
bool ptx_uses(const struct ptx_inst *inst, uint32_t reg);
/* The register's only definition; NULL: there are none or several. */
const struct ptx_inst *ptx_only_def(const struct ptx_func *f, uint32_t reg);
/* The operand with the member mask of a .sync operation of the warp; NULL: the
 * instruction is none. */
const struct ptx_operand *ptx_members(const struct ptx_inst *inst);
/* wgmma.fence and wgmma.wait_group, behind which four warps go on together.
 * On a GPU they do, and programs omit barriers around products for that
 * reason. */
bool ptx_joins_warpgroup(const struct ptx_inst *inst);
#define PTX_WARPGROUP_THREADS 128
/* A cp.async that copies nothing but closes a group of copies or waits for
 * one. Both engines have made those copies already. */
bool ptx_only_orders_copies(const struct ptx_inst *inst);
/* Do both have equally many parameters and results, of the same sizes? One may
 * be called where the other is expected. */
bool ptx_has_same_signature(const struct ptx_func *a, const struct ptx_func *b);
/* The integer type twice as wide; PTX_TYPE_none if there is none. */
enum ptx_type ptx_twice_as_wide(enum ptx_type t);
/* Bytes that a bulk copy moves at this address, which may be 0: then the
 * address may be any. NULL: another instruction, which always accesses it. */
const struct ptx_operand *ptx_moved_bytes(const struct ptx_inst *inst,
                                          const struct ptx_operand *address);
/* Number of destinations, which are the first operands. st, red, bra: 0. */
unsigned ptx_dest_count(const struct ptx_inst *inst);

/* ---- access.c: what an instruction asks of its addresses ---------------- */

#define PTX_MAX_ACCESSES 3

struct ptx_access {
    const struct ptx_operand *address;
    enum ptx_space space; /* if the instruction names none, the symbol's */
    /* 2 or more: what the address has to be a multiple of */
    unsigned align_bytes;
    uint32_t lanes;       /* lanes of the warp whose addresses count */
};

/* Returns the number of accesses written to `out`. */
unsigned ptx_accesses(const struct ptx_inst *in,
                      struct ptx_access out[PTX_MAX_ACCESSES]);

/* The bytes of an ordinary load, store or atomic; address NULL: it is none. */
struct ptx_reach {
    const struct ptx_operand *address;
    unsigned bytes;
};
struct ptx_reach ptx_reach_of(const struct ptx_inst *in);

/* ---- shared_layout.c: where a kernel's .shared variables lie ------------ */

/* All .shared variables that the kernel, or a function that it may call,
 * names; lives as long as the arena. */
struct ptx_shared_layout *ptx_layout_shared(struct arena *a,
                                            const struct ptx_func *kernel);
/* 0: the kernel cannot reach the variable. */
uint32_t ptx_shared_offset(const struct ptx_shared_layout *l,
                           const struct ptx_var *var);
/* The offset behind which launches add dynamic shared memory. */
uint32_t ptx_shared_size(const struct ptx_shared_layout *l);
/* ptx_shared_size() without a layout. */
uint32_t ptx_static_shared_bytes(const struct ptx_func *kernel);
/* Bytes of all variables of that space: a function's own; the module's own. */
size_t ptx_func_bytes(const struct ptx_func *f, enum ptx_space space);
size_t ptx_module_bytes(const struct ptx_module *m, enum ptx_space space);

#endif
