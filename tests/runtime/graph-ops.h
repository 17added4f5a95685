/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For graph-random.c: what the nodes of graph-dag.h are made of, as operations
 * of a stream and as nodes of a graph.
 */
#ifndef TESTS_RUNTIME_GRAPH_OPS_H
#define TESTS_RUNTIME_GRAPH_OPS_H

#include "graph-dag.h"

#include <cuda.h>

/* BODY: a body is captured in streams that the graph around it does not use. */
enum {
    HOST_CALLS = 4096,
    BODY = DEPTH + 1,
    LEVELS = DEPTH * BODY + 1,
    THREADS = 4,
/* The thread sanitizer takes a millisecond for the fiber of each block. */
#ifdef __SANITIZE_THREAD__
    MANY_BLOCKS = 20,
#else
    MANY_BLOCKS = 600,
#endif
};

/* mix: to[i] = to[i] * 3 + a[i] + 5 * b[i] + 7 * c[i] + value + i, after some
 * time. late: the same, behind the end of the kernels before it. indirect: with
 * value + (*a >> 3), which is left behind the cell; poke: does that, and gives
 * it to the next kernel. choose: the condition of graph-dag.h. again, tick: one
 * turn more. send: launches an instance. */
#define MIX(name, first)                                                       \
    ".visible .entry " name "(.param .u64 to, .param .u64 a, .param .u64 b,\n" \
    " .param .u64 c, .param .u32 value, .param .u32 delay)\n"                  \
    "{ .reg .b32 %r<16>; .reg .b64 %d<9>; .reg .pred %p<3>;\n"                 \
    "  ld.param.u64 %d1, [to]; ld.param.u64 %d2, [a];\n"                       \
    "  ld.param.u64 %d3, [b]; ld.param.u64 %d4, [c];\n"                        \
    "  ld.param.u32 %r1, [value]; ld.param.u32 %r2, [delay];\n" first          \
    "  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;\n"    \
    "  mad.lo.u32 %r6, %r3, %r4, %r5; setp.ge.u32 %p1, %r6, 8;\n"              \
    "  @%p1 bra END; mul.wide.u32 %d5, %r6, 4;\n"                              \
    "  add.u64 %d1, %d1, %d5; add.u64 %d2, %d2, %d5;\n"                        \
    "  add.u64 %d3, %d3, %d5; add.u64 %d4, %d4, %d5;\n"                        \
    "WAIT: ld.volatile.global.u32 %r7, [%d1]; sub.u32 %r2, %r2, 1;\n"          \
    "  setp.lt.s32 %p2, %r2, 0; @!%p2 bra WAIT;\n"                             \
    "  ld.global.u32 %r8, [%d2]; mad.lo.u32 %r7, %r7, 3, %r8;\n"               \
    "  ld.global.u32 %r8, [%d3]; mad.lo.u32 %r7, %r8, 5, %r7;\n"               \
    "  ld.global.u32 %r8, [%d4]; mad.lo.u32 %r7, %r8, 7, %r7;\n"               \
    "  add.u32 %r7, %r7, %r1; add.u32 %r7, %r7, %r6;\n"                        \
    "  st.global.u32 [%d1], %r7;\n"                                            \
    "END: ret; }\n"
#define INDIRECT                                                               \
    "  ld.global.u32 %r9, [%d2]; shr.u32 %r9, %r9, 3;\n"                       \
    "  add.u32 %r1, %r1, %r9; st.global.u32 [%d1+32], %r1;\n"
#define MIXES                                                                  \
    MIX("mix", "") MIX("late", "  griddepcontrol.wait;\n")                     \
    MIX("indirect", INDIRECT)
static const char ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional (.param .b64 a, .param .b32 b);\n"
    ".extern .func (.param .b32 r) cudaGraphLaunch\n"
    " (.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b32 r) cudaGraphKernelNodeSetParam\n"
    " (.param .b64 a, .param .b64 b, .param .b64 c, .param .b64 d);\n"
    ".visible .global .align 4 .b8 variable[131072];\n" MIXES
    ".visible .entry poke(.param .u64 handle, .param .u64 to, .param .u64 a,\n"
    " .param .u32 value)\n"
    "{ .reg .b32 %r<12>; .reg .b64 %d<9>;\n"
    "  ld.param.u64 %d1, [to]; ld.param.u64 %d2, [a];\n"
    "  ld.param.u64 %d3, [handle]; ld.global.u64 %d4, [%d3];\n"
    "  ld.param.u32 %r1, [value];\n" INDIRECT
    "  add.u64 %d5, %d1, 32; mov.u64 %d6, 32; mov.u64 %d7, 4;\n"
    "  { .param .b64 a; .param .b64 b; .param .b64 c; .param .b64 d;\n"
    "  .param .b32 res; st.param.b64 [a], %d4; st.param.b64 [b], %d6;\n"
    "  st.param.b64 [c], %d5; st.param.b64 [d], %d7;\n"
    "  call.uni (res), cudaGraphKernelNodeSetParam, (a, b, c, d); } ret; }\n"
    ".visible .entry send(.param .u64 exec, .param .u64 place)\n"
    "{ .reg .b64 %d<3>;\n"
    "  ld.param.u64 %d1, [exec]; ld.param.u64 %d2, [place];\n"
    "  { .param .b64 a; .param .b64 b; .param .b32 res;\n"
    "  st.param.b64 [a], %d1; st.param.b64 [b], %d2;\n"
    "  call.uni (res), cudaGraphLaunch, (a, b); } ret; }\n"
    ".visible .entry choose(.param .u64 handle, .param .u64 from,\n"
    " .param .u32 value, .param .u32 values)\n"
    "{ .reg .b32 %r<6>; .reg .b64 %d<3>; ld.param.u64 %d1, [handle];\n"
    "  ld.param.u64 %d2, [from]; ld.param.u32 %r1, [value];\n"
    "  ld.param.u32 %r2, [values]; ld.global.u32 %r3, [%d2];\n"
    "  shr.u32 %r3, %r3, 3; add.u32 %r3, %r3, %r1; rem.u32 %r3, %r3, %r2;\n"
    "  { .param .b64 a; .param .b32 b; st.param.b64 [a], %d1;\n"
    "  st.param.b32 [b], %r3; call.uni cudaGraphSetConditional, (a, b); }\n"
    "  ret; }\n"
    ".visible .entry again(.param .u64 handle, .param .u64 turn,\n"
    " .param .u32 turns)\n"
    "{ .reg .b32 %r<6>; .reg .b64 %d<3>; .reg .pred %p<2>;\n"
    "  ld.param.u64 %d1, [handle]; ld.param.u64 %d2, [turn];\n"
    "  ld.param.u32 %r1, [turns]; ld.global.u32 %r2, [%d2];\n"
    "  add.u32 %r2, %r2, 1; st.global.u32 [%d2], %r2;\n"
    "  rem.u32 %r2, %r2, %r1; setp.ne.u32 %p1, %r2, 0;\n"
    "  selp.u32 %r3, 1, 0, %p1;\n"
    "  { .param .b64 a; .param .b32 b; st.param.b64 [a], %d1;\n"
    "  st.param.b32 [b], %r3; call.uni cudaGraphSetConditional, (a, b); }\n"
    "  ret; }\n"
    ".visible .entry tick(.param .u64 turn)\n"
    "{ .reg .b32 %r<3>; .reg .b64 %d<2>; ld.param.u64 %d1, [turn];\n"
    "  ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 1;\n"
    "  st.global.u32 [%d1], %r1; ret; }\n";

static struct {
    int magic, version;
    const void *image;
    void *more;
} wrapper = {0x466243b1, 1, ptx, 0};
static char mix, late, indirect, poke, choose, again, tick, send;
static char variable[THREADS * CELLS * CELL_BYTES];

/* How the eight threads of `mix` and `late` are launched; others have nothing
 * to do. */
static const struct {
    unsigned grid, block, cluster;
    bool is_cooperative;
} shapes[KERNEL_FORMS] = {
    {1, 8, 0, false}, {8, 1, 0, false}, {3, 4, 0, false},
    {8, 1, 2, false}, {2, 4, 0, true},  {40, 32, 0, false},
    {MANY_BLOCKS, 64, 0, false},
    [PROGRAMMATIC] = {2, 4, 0, false},
};

static CUcontext ctx;
static unsigned *pinned_constants;
/* The thread's: */
static _Thread_local unsigned thread;
static _Thread_local unsigned *device, *pinned; /* cells */
static _Thread_local cudaArray_t array;         /* a row for each cell */
static _Thread_local cudaStream_t streams[LEVELS][STREAMS];
static _Thread_local cudaEvent_t done[CELLS / 2], own[CELLS / 2],
    starts[CELLS / 2];
/* How a graph is made; not what it does. */
static _Thread_local struct random build;
/* Operations are for a graph, not a stream. */
static _Thread_local bool is_for_graph;
/* By cell: memory that graphs leave allocated, streams do not; what kernels
 * launch; managed memory for the kernels that are changed. */
static _Thread_local unsigned *left[CELLS];
static _Thread_local cudaGraphExec_t launched[CELLS];
static _Thread_local cudaGraphDeviceNode_t *updated;
static _Thread_local cudaExternalSemaphore_t semaphores[SEMAPHORES];
/* Their values, as other APIs see them. */
static _Thread_local volatile unsigned long long *semaphore_words[SEMAPHORES];

static unsigned *address(unsigned cell)
{
    return (is_in_host[cell] ? pinned : device) + cell * WORDS;
}

/* ---- operations ---------------------------------------------------------- */

struct host_call {
    unsigned *to;
    const unsigned *from;
    unsigned value;
};
static _Thread_local struct host_call host_calls[HOST_CALLS];
static _Thread_local unsigned host_call_count;

static void called(void *data)
{
    const struct host_call *c = data;
    compute_mix(c->to, c->from, c->from, c->from, c->value);
}

/* A node is up to five of these, one after the other. */
struct op {
    enum {
        OP_KERNEL,
        OP_FILL,
        OP_COPY,
        OP_BOX, /* a copy of several rows, or of an array's */
        OP_TO_VARIABLE,
        OP_FROM_VARIABLE,
        OP_HOST,
        OP_BATCH,
        OP_RECORD,
        OP_WAIT,
        OP_SIGNAL, /* a semaphore */
        OP_AWAIT,
        OP_EMPTY,
        OP_ALLOC,
        OP_FREE,
    } kind;
    const struct node *n;
    unsigned *to; /* NULL: the memory that was allocated, as in `from` */
    const unsigned *from;
    size_t bytes;
    struct host_call *call;
    struct cudaMemcpy3DParms box;
    struct cudaMemsetParams fill;
    CUstreamBatchMemOpParams batch[3];
    /* of a kernel */
    void *f;
    unsigned *to_arg, *from_arg[BEFORE], value, delay;
    cudaGraphConditionalHandle handle;
    cudaGraphExec_t exec;
    unsigned long long place;
    cudaGraphDeviceNode_t *updated;
    void *args[6];
};

static bool is_host(const void *p)
{
    uintptr_t at = (uintptr_t)p, a = (uintptr_t)pinned,
              b = (uintptr_t)pinned_constants, c = (uintptr_t)constants;
    return at - a < CELLS * CELL_BYTES || at - b < CONSTANTS * CELL_BYTES ||
           at - c < sizeof constants;
}

static enum cudaMemcpyKind direction(const struct op *o)
{
    bool to = o->to && is_host(o->to), from = o->from && is_host(o->from);
    return from ? to ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice
           : to ? cudaMemcpyDeviceToHost
                : cudaMemcpyDeviceToDevice;
}

static struct op op_kernel(const struct node *n, unsigned *to)
{
    struct op o = {.kind = OP_KERNEL, .n = n, .f = &mix, .to = to};
    for (unsigned k = 0; k < BEFORE; k++)
        o.from_arg[k] = address(n->from[k]);
    o.value = n->value;
    o.delay = n->delay;
    if (n->kind == KERNEL && n->form == PROGRAMMATIC)
        o.f = &late;
    return o;
}

/* A kernel that launches the node's graph. */
static struct op op_send(const struct node *n)
{
    /* The device API's streams. */
    static const unsigned long long places[PLACES] = {
        [FORGOTTEN] = 0x0200000000000000,
        [TAIL] = 0x0100000000000000,
        [SIBLING] = 0x0300000000000000,
    };
    struct op o = op_kernel(n, NULL);
    o.f = &send;
    o.exec = launched[n->cell];
    o.place = places[n->form];
    return o;
}

static struct op op_semaphore(const struct node *n, bool is_wait,
                              unsigned value)
{
    return (struct op){
        .kind = is_wait ? OP_AWAIT : OP_SIGNAL, .n = n, .value = value};
}

/* In a graph, the kernel's own value is not the one that counts. */
static unsigned expand_updated(const struct node *n, struct op *ops)
{
    for (unsigned i = 0; i < 2; i++)
        ops[i] = op_kernel(n, address(n->cell));
    ops[0].f = is_for_graph ? &poke : &indirect;
    ops[0].updated = &updated[n->cell];
    ops[1].value = SIGNALLED;
    return is_for_graph ? 2 : 1;
}

static struct op op_copy(const struct node *n, unsigned *to,
                         const unsigned *from)
{
    return (struct op){
        .kind = OP_COPY, .n = n, .to = to, .from = from, .bytes = CELL_BYTES};
}

static struct op op_fill(const struct node *n)
{
    struct op o = {.kind = OP_FILL, .n = n, .to = address(n->cell)};
    struct cudaMemsetParams *f = &o.fill;
    *f = (struct cudaMemsetParams){o.to, 0, n->value, 4, WORDS, 1};
    if (n->form == FILL_BYTES) {
        f->value &= 255;
        f->elementSize = 1;
        f->width = 18;
    } else if (n->form == FILL_SHORTS) {
        f->elementSize = 2;
        f->width = 5;
    } else if (n->form == FILL_ROWS) {
        f->pitch = 16;
        f->width = 2;
        f->height = 2;
    }
    return o;
}

/* Of each four words the first two. */
static struct op op_box(const struct node *n)
{
    struct op o = op_copy(n, address(n->cell), address(n->from[0]));
    o.kind = OP_BOX;
    o.box.srcPtr = make_cudaPitchedPtr(address(n->from[0]), 8, 8, 2);
    o.box.dstPtr = make_cudaPitchedPtr(o.to, 8, 8, 2);
    o.box.extent = make_cudaExtent(8, 1, 2);
    o.box.kind = direction(&o);
    return o;
}

/* To or from the node's row of the array. */
static struct op op_row(const struct node *n, bool is_to_array)
{
    struct op o = {.kind = OP_BOX, .n = n};
    unsigned *p = address(is_to_array ? n->from[0] : n->cell);
    const struct cudaPitchedPtr at = {p, CELL_BYTES, CELL_BYTES, 1};
    const struct cudaPos row = {0, n->cell, 0};
    o.box.extent = make_cudaExtent(WORDS, 1, 1);
    if (is_to_array) {
        o.from = p;
        o.box.srcPtr = at;
        o.box.dstArray = array;
        o.box.dstPos = row;
    } else {
        o.to = p;
        o.box.dstPtr = at;
        o.box.srcArray = array;
        o.box.srcPos = row;
    }
    o.box.kind = direction(&o);
    return o;
}

static struct op op_batch(const struct node *n)
{
    struct op o = {.kind = OP_BATCH, .n = n};
    CUdeviceptr p = (CUdeviceptr)address(n->cell);
    o.batch[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    o.batch[0].writeValue.address = p;
    o.batch[0].writeValue.value = n->value;
    o.batch[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    o.batch[1].waitValue.address = p;
    o.batch[1].waitValue.value = n->value;
    o.batch[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    o.batch[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    o.batch[2].writeValue.address = p + 8;
    o.batch[2].writeValue.value64 = n->value + 1;
    return o;
}

static struct op op_host(const struct node *n)
{
    struct host_call *c = &host_calls[host_call_count++];
    if (host_call_count > HOST_CALLS)
        abort();
    *c = (struct host_call){address(n->cell), address(n->cell + 1), n->value};
    return (struct op){.kind = OP_HOST, .n = n, .call = c};
}

static struct op op_plain_copy(const struct node *n)
{
    unsigned row = n->value % CONSTANTS;
    struct op o = op_copy(n, address(n->cell), address(n->from[0]));
    if (n->form == COPY_PINNED)
        o.from = pinned_constants + row * WORDS;
    else if (n->form == COPY_PAGEABLE)
        o.from = constants[row];
    else if (n->form == COPY_PART)
        o.bytes = 12;
    return o;
}

/* The one whose parameters change comes last; returns how many. */
static unsigned expand(const struct node *n, struct op *ops)
{
    unsigned *to = address(n->cell), *from = address(n->from[0]);
    switch (n->kind) {
    case KERNEL:
        ops[0] = op_kernel(n, to);
        return 1;
    case FILL:
        ops[0] = op_fill(n);
        return 1;
    case COPY:
        ops[0] = n->form == COPY_BOX ? op_box(n) : op_plain_copy(n);
        return 1;
    case SYMBOL:
        ops[0] = op_copy(n, NULL, from);
        ops[1] = op_copy(n, to, NULL);
        ops[0].kind = OP_TO_VARIABLE;
        ops[1].kind = OP_FROM_VARIABLE;
        return 2;
    case ARRAY:
        ops[0] = op_row(n, true);
        ops[1] = op_row(n, false);
        return 2;
    case HOST:
        ops[0] = op_copy(n, address(n->cell + 1), from);
        ops[1] = op_host(n);
        return 2;
    case BATCH:
        ops[0] = op_batch(n);
        return 1;
    case EVENT:
        ops[0] = (struct op){.kind = OP_RECORD, .n = n};
        ops[1] = (struct op){.kind = OP_WAIT, .n = n};
        if (n->is_outside)
            ops[0] = ops[1];
        return n->is_outside ? 1 : 2;
    case ALLOC:
        ops[0] = (struct op){.kind = OP_ALLOC, .n = n};
        ops[1] = op_copy(n, NULL, from);
        ops[2] = op_kernel(n, NULL);
        ops[3] = op_copy(n, to, NULL);
        ops[4] = (struct op){.kind = OP_FREE, .n = n};
        return n->is_outside && is_for_graph ? 4 : 5;
    case SEMAPHORE:
        ops[0] = op_semaphore(n, false, SIGNALLED);
        ops[1] = op_semaphore(n, true, SIGNALLED);
        ops[2] = op_semaphore(n, false, n->value);
        return 3;
    case UPDATED:
        return expand_updated(n, ops);
    case LAUNCHED:
        ops[0] = op_send(n);
        return 1;
    default:
        ops[0] = (struct op){.kind = OP_EMPTY, .n = n};
        return 1;
    }
}

static bool is_mix(const struct op *o)
{
    return o->f == &mix || o->f == &late || o->f == &indirect;
}

static void set_args(struct op *o)
{
    o->to_arg = o->to;
    if (is_mix(o)) {
        o->args[0] = &o->to_arg;
        for (unsigned k = 0; k < BEFORE; k++)
            o->args[1 + k] = &o->from_arg[k];
        o->args[4] = &o->value;
        o->args[5] = &o->delay;
    } else if (o->f == &choose) {
        o->args[0] = &o->handle;
        o->args[1] = &o->from_arg[0];
        o->args[2] = &o->value;
        o->args[3] = &o->delay;
    } else if (o->f == &poke) {
        o->args[0] = &o->updated;
        o->args[1] = &o->to_arg;
        o->args[2] = &o->from_arg[0];
        o->args[3] = &o->value;
    } else if (o->f == &send) {
        o->args[0] = &o->exec;
        o->args[1] = &o->place;
    } else {
        o->args[0] = o->f == &again ? (void *)&o->handle : &o->to_arg;
        o->args[1] = &o->to_arg;
        o->args[2] = &o->value;
    }
}

/* A kernel that another one changes. */
static bool is_updated(const struct op *o)
{
    return o->n->kind == UPDATED && o->f == &mix;
}

/* The attributes of a kernel's launch; returns how many. Edges say that a node
 * is a programmatic one. */
static unsigned attributes_of(const struct op *o, bool is_node,
                              cudaLaunchAttribute *list)
{
    unsigned count = 1;
    memset(list, 0, 3 * sizeof *list);
    list[0].id = cudaLaunchAttributePriority;
    list[0].val.priority = o->n->priority;
    if (is_updated(o)) {
        list[count].id = cudaLaunchAttributeDeviceUpdatableKernelNode;
        list[count++].val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    }
    if (o->f == &late && !is_node) {
        list[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        list[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    if (o->f != &mix || o->n->kind != KERNEL)
        return count;
    if (shapes[o->n->form].cluster) {
        list[count].id = cudaLaunchAttributeClusterDimension;
        list[count].val.clusterDim.x = shapes[o->n->form].cluster;
        list[count].val.clusterDim.y = list[count].val.clusterDim.z = 1;
        count++;
    }
    if (shapes[o->n->form].is_cooperative) {
        list[count].id = cudaLaunchAttributeCooperative;
        list[count++].val.cooperative = 1;
    }
    return count;
}

/* The handle is given back in the attribute. */
static void keep_updated(const struct op *o, const cudaLaunchAttribute *list)
{
    if (is_updated(o))
        updated[o->n->cell] = list[1].val.deviceUpdatableKernelNode.devNode;
}

static unsigned grid_of(const struct op *o)
{
    bool is_one = !is_mix(o) || o->n->kind != KERNEL;
    return is_one ? 1 : shapes[o->n->form].grid;
}

static unsigned block_of(const struct op *o)
{
    return !is_mix(o)             ? 1
           : o->n->kind != KERNEL ? WORDS
                                  : shapes[o->n->form].block;
}

/* ---- into a stream ------------------------------------------------------- */

static void put_kernel(struct op *o, cudaStream_t s)
{
    cudaLaunchAttribute attributes[3];
    const cudaLaunchConfig_t config = {
        .gridDim = {grid_of(o), 1, 1},
        .blockDim = {block_of(o), 1, 1},
        .stream = s,
        .attrs = attributes,
        .numAttrs = attributes_of(o, false, attributes),
    };
    set_args(o);
    OK(cudaLaunchKernelExC(&config, o->f, o->args));
    keep_updated(o, attributes);
}

static void put_fill(const struct op *o, cudaStream_t s)
{
    const struct cudaMemsetParams *f = &o->fill;
    CUdeviceptr p = (CUdeviceptr)f->dst;
    unsigned short half = (unsigned short)f->value;
    if (f->height > 1)
        CHECK(!cuMemsetD2D32Async(p, f->pitch, f->value, f->width, f->height,
                                  s));
    else if (f->elementSize == 1)
        OK(cudaMemsetAsync(f->dst, (int)f->value, f->width, s));
    else if (f->elementSize == 2)
        CHECK(!cuMemsetD16Async(p, half, f->width, s));
    else
        CHECK(!cuMemsetD32Async(p, f->value, f->width, s));
}

/* What it is when the stream is captured: external events are nodes. */
static void put_event(const struct op *o, cudaStream_t s)
{
    enum cudaStreamCaptureStatus status;
    cudaEvent_t e = own[o->n->cell / 2];
    OK(cudaStreamIsCapturing(s, &status));
    bool is_captured = status == cudaStreamCaptureStatusActive;
    if (o->kind == OP_RECORD)
        OK(cudaEventRecordWithFlags(
            e, s, is_captured ? cudaEventRecordExternal : 0));
    else
        OK(cudaStreamWaitEvent(s, e, is_captured ? cudaEventWaitExternal : 0));
}

static void put_semaphore(const struct op *o, cudaStream_t s)
{
    cudaExternalSemaphore_t *sem = &semaphores[o->n->semaphore];
    const struct cudaExternalSemaphoreSignalParams signal = {
        .params.fence.value = o->value};
    const struct cudaExternalSemaphoreWaitParams wait = {
        .params.fence.value = o->value};
    if (o->kind == OP_SIGNAL)
        OK(cudaSignalExternalSemaphoresAsync(sem, &signal, 1, s));
    else
        OK(cudaWaitExternalSemaphoresAsync(sem, &wait, 1, s));
}

static void put_op(struct op *o, cudaStream_t s, unsigned **allocated)
{
    const size_t offset = (thread * CELLS + o->n->cell) * CELL_BYTES;
    if (!o->to && allocated)
        o->to = *allocated;
    if (!o->from && allocated)
        o->from = *allocated;
    switch (o->kind) {
    case OP_KERNEL:
        put_kernel(o, s);
        break;
    case OP_FILL:
        put_fill(o, s);
        break;
    case OP_COPY:
        OK(cudaMemcpyAsync(o->to, o->from, o->bytes, direction(o), s));
        break;
    case OP_BOX:
        OK(cudaMemcpy3DAsync(&o->box, s));
        break;
    case OP_TO_VARIABLE:
        OK(cudaMemcpyToSymbolAsync(variable, o->from, o->bytes, offset,
                                   direction(o), s));
        break;
    case OP_FROM_VARIABLE:
        OK(cudaMemcpyFromSymbolAsync(o->to, variable, o->bytes, offset,
                                     direction(o), s));
        break;
    case OP_HOST:
        OK(cudaLaunchHostFunc(s, called, o->call));
        break;
    case OP_BATCH:
        CHECK(!cuStreamBatchMemOp(s, 3, o->batch, 0));
        break;
    case OP_RECORD:
    case OP_WAIT:
        put_event(o, s);
        break;
    case OP_SIGNAL:
    case OP_AWAIT:
        put_semaphore(o, s);
        break;
    case OP_ALLOC:
        OK(cudaMallocAsync((void **)allocated, CELL_BYTES, s));
        left[o->n->cell] = *allocated;
        break;
    case OP_FREE:
        OK(cudaFreeAsync(*allocated, s));
        break;
    case OP_EMPTY:
        break;
    }
}

/* ---- into a graph -------------------------------------------------------- */

/* Where the next node comes. */
struct place {
    cudaGraph_t graph;
    const cudaGraphNode_t *before;
    size_t count;
    cudaGraphNode_t first, node; /* of those that were added; the last */
};

static struct cudaKernelNodeParams kernel_params(struct op *o)
{
    set_args(o);
    return (struct cudaKernelNodeParams){.func = o->f,
                                         .gridDim = {grid_of(o), 1, 1},
                                         .blockDim = {block_of(o), 1, 1},
                                         .kernelParams = o->args};
}

static struct cudaMemcpy3DParms copy_params(const struct op *o)
{
    if (o->kind == OP_BOX)
        return o->box;
    struct cudaMemcpy3DParms p = {.extent = {o->bytes, 1, 1}};
    p.srcPtr = make_cudaPitchedPtr((void *)(uintptr_t)o->from, o->bytes,
                                   o->bytes, 1);
    p.dstPtr = make_cudaPitchedPtr(o->to, o->bytes, o->bytes, 1);
    p.kind = direction(o);
    return p;
}

/* False: cudaGraphAddNode has no such kind, or only another call can say it. */
static bool any_params(struct op *o, struct cudaGraphNodeParams *p)
{
    memset(p, 0, sizeof *p);
    if (o->kind == OP_KERNEL) {
        const struct cudaKernelNodeParams k = kernel_params(o);
        p->type = cudaGraphNodeTypeKernel;
        p->kernel.func = k.func;
        p->kernel.gridDim = k.gridDim;
        p->kernel.blockDim = k.blockDim;
        p->kernel.kernelParams = k.kernelParams;
    } else if (o->kind == OP_FILL) {
        p->type = cudaGraphNodeTypeMemset;
        p->memset.dst = o->fill.dst;
        p->memset.pitch = o->fill.pitch;
        p->memset.value = o->fill.value;
        p->memset.elementSize = o->fill.elementSize;
        p->memset.width = o->fill.width;
        p->memset.height = o->fill.height;
    } else if (o->kind == OP_COPY || o->kind == OP_BOX) {
        p->type = cudaGraphNodeTypeMemcpy;
        p->memcpy.copyParams = copy_params(o);
    } else if (o->kind == OP_HOST) {
        p->type = cudaGraphNodeTypeHost;
        p->host.fn = called;
        p->host.userData = o->call;
    } else if (o->kind == OP_RECORD) {
        p->type = cudaGraphNodeTypeEventRecord;
        p->eventRecord.event = own[o->n->cell / 2];
    } else if (o->kind == OP_WAIT) {
        p->type = cudaGraphNodeTypeWaitEvent;
        p->eventWait.event = own[o->n->cell / 2];
    } else if (o->kind == OP_EMPTY) {
        p->type = cudaGraphNodeTypeEmpty;
    }
    return p->type || o->kind == OP_KERNEL;
}

#define AT_PLACE &p->node, p->graph, p->before, p->count

static void add_alloc(struct place *p, unsigned **allocated)
{
    struct cudaMemAllocNodeParams a = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = CELL_BYTES};
    OK(cudaGraphAddMemAllocNode(AT_PLACE, &a));
    *allocated = a.dptr;
}

static void add_semaphore(struct place *p, const struct op *o)
{
    cudaExternalSemaphore_t *sem = &semaphores[o->n->semaphore];
    const struct cudaExternalSemaphoreSignalParams signal = {
        .params.fence.value = o->value};
    const struct cudaExternalSemaphoreWaitParams wait = {
        .params.fence.value = o->value};
    const struct cudaExternalSemaphoreSignalNodeParams s = {sem, &signal, 1};
    const struct cudaExternalSemaphoreWaitNodeParams w = {sem, &wait, 1};
    if (o->kind == OP_SIGNAL)
        OK(cudaGraphAddExternalSemaphoresSignalNode(AT_PLACE, &s));
    else
        OK(cudaGraphAddExternalSemaphoresWaitNode(AT_PLACE, &w));
}

/* By the function for this kind of node. */
static void add_by_kind(struct place *p, struct op *o, unsigned **allocated)
{
    const size_t offset = (thread * CELLS + o->n->cell) * CELL_BYTES;
    const struct cudaMemcpy3DParms copy = copy_params(o);
    const struct cudaHostNodeParams host = {called, o->call};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {ctx, 3, o->batch, 0};
    struct cudaKernelNodeParams k;
    cudaEvent_t event = own[o->n->cell / 2];
    switch (o->kind) {
    case OP_KERNEL:
        k = kernel_params(o);
        OK(cudaGraphAddKernelNode(AT_PLACE, &k));
        break;
    case OP_FILL:
        OK(cudaGraphAddMemsetNode(AT_PLACE, &o->fill));
        break;
    case OP_COPY:
        OK(cudaGraphAddMemcpyNode1D(AT_PLACE, o->to, o->from, o->bytes,
                                    direction(o)));
        break;
    case OP_BOX:
        OK(cudaGraphAddMemcpyNode(AT_PLACE, &copy));
        break;
    case OP_TO_VARIABLE:
        OK(cudaGraphAddMemcpyNodeToSymbol(AT_PLACE, variable, o->from,
                                          o->bytes, offset, direction(o)));
        break;
    case OP_FROM_VARIABLE:
        OK(cudaGraphAddMemcpyNodeFromSymbol(AT_PLACE, o->to, variable,
                                            o->bytes, offset, direction(o)));
        break;
    case OP_HOST:
        OK(cudaGraphAddHostNode(AT_PLACE, &host));
        break;
    case OP_BATCH:
        CHECK(!cuGraphAddBatchMemOpNode(AT_PLACE, &batch));
        break;
    case OP_RECORD:
        OK(cudaGraphAddEventRecordNode(AT_PLACE, event));
        break;
    case OP_WAIT:
        OK(cudaGraphAddEventWaitNode(AT_PLACE, event));
        break;
    case OP_SIGNAL:
    case OP_AWAIT:
        add_semaphore(p, o);
        break;
    case OP_EMPTY:
        OK(cudaGraphAddEmptyNode(AT_PLACE));
        break;
    case OP_ALLOC:
        add_alloc(p, allocated);
        left[o->n->cell] = *allocated;
        break;
    case OP_FREE:
        OK(cudaGraphAddMemFreeNode(AT_PLACE, *allocated));
        break;
    }
}

static void set_attributes(const struct op *o, cudaGraphNode_t n)
{
    cudaLaunchAttribute list[3];
    unsigned count = attributes_of(o, true, list);
    for (unsigned i = 0; i < count; i++)
        OK(cudaGraphKernelNodeSetAttribute(n, list[i].id, &list[i].val));
    keep_updated(o, list);
}

/* A kernel that waits in its code has programmatic edges from kernels. False:
 * other ones. */
static bool has_edge_data(const cudaGraphNode_t *before, size_t count,
                          cudaGraphNode_t n, cudaGraphEdgeData *data)
{
    struct cudaKernelNodeParams k;
    CUgraphNodeType type; /* the runtime API has no batches */
    CHECK(!cuGraphNodeGetType(n, &type));
    if (type != CU_GRAPH_NODE_TYPE_KERNEL)
        return false;
    OK(cudaGraphKernelNodeGetParams(n, &k));
    memset(data, 0, count * sizeof *data);
    for (size_t i = 0; i < count && k.func == (void *)&late; i++) {
        CHECK(!cuGraphNodeGetType(before[i], &type));
        if (type != CU_GRAPH_NODE_TYPE_KERNEL)
            continue;
        data[i].type = cudaGraphDependencyTypeProgrammatic;
        data[i].from_port = cudaGraphKernelNodePortProgrammatic;
    }
    return k.func == (void *)&late;
}

/* Of the programmatic ones, with their data. */
static void add_edges(cudaGraph_t g, const cudaGraphNode_t *before,
                      size_t count, cudaGraphNode_t n)
{
    cudaGraphEdgeData data[NODES];
    bool has_data = has_edge_data(before, count, n, data);
    for (size_t i = 0; i < count; i++)
        OK(cudaGraphAddDependencies_v2(g, &before[i], &n,
                                       has_data ? &data[i] : NULL, 1));
}

static void add_op(struct place *p, struct op *o, unsigned **allocated)
{
    struct cudaGraphNodeParams params;
    const cudaGraphNode_t *before = p->before;
    size_t count = p->count;
    if (!o->to && allocated)
        o->to = *allocated;
    if (!o->from && allocated)
        o->from = *allocated;
    if (o->kind == OP_KERNEL && o->f == &late)
        p->count = 0; /* its edges have data */
    if (any(&build, 2) && any_params(o, &params))
        OK(cudaGraphAddNode_v2(&p->node, p->graph, p->before, NULL, p->count,
                               &params));
    else
        add_by_kind(p, o, allocated);
    if (o->kind == OP_KERNEL)
        set_attributes(o, p->node);
    if (!p->count && count)
        add_edges(p->graph, before, count, p->node);
    if (!p->first)
        p->first = p->node;
    p->before = &p->node;
    p->count = 1;
}

#endif
