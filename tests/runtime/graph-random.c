/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random DAGs of every kind of node (graph-dag.h), made three times: as plain
 * streams, as a graph by hand, and captured from the same streams. Each is
 * launched several times with changes in between: of nodes, of the whole
 * graph, of which nodes run. All leave what the host computes.
 *
 *     runtime-graph-random [FIRST [COUNT]]    other DAGs than the suite's
 */
#define _GNU_SOURCE
#include "graph-ops.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 5, SEEDS = 150 };

static cudaGraphNode_t build_dag(cudaGraph_t g, const struct dag *d,
                                 cudaGraphNode_t *handles,
                                 const struct op *end);

/* The same each time. */
static cudaGraph_t make_child(const struct node *n)
{
    struct random later = build;
    cudaGraph_t child;
    build.state = n->cell;
    OK(cudaGraphCreate(&child, 0));
    build_dag(child, n->dags[0], NULL, NULL);
    build = later;
    return child;
}

static void add_child(struct place *p, const struct node *n)
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeGraph};
    cudaGraph_t child = make_child(n);
    if (n->is_moved) {
        params.graph.graph = child;
        params.graph.ownership = cudaGraphChildGraphOwnershipMove;
        OK(cudaGraphAddNode_v2(&p->node, p->graph, p->before, NULL, p->count,
                               &params));
    } else {
        OK(cudaGraphAddChildGraphNode(AT_PLACE, child));
        OK(cudaGraphDestroy(child));
    }
    p->first = p->node;
}

static void capture_body(cudaGraph_t body, const struct dag *d, unsigned level,
                         struct op *end);

/* Bodies are made by hand, or, from a stream that is captured, captured. */
static void add_choice(struct place *p, const struct node *n, int level)
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeConditional};
    struct op first = op_kernel(n, NULL), end = first;
    unsigned value = n->has_default ? value_of_choice(n) : 0;
    OK(cudaGraphConditionalHandleCreate(
        &params.conditional.handle, p->graph, value,
        n->has_default ? cudaGraphCondAssignDefault : 0));
    first.f = &choose;
    first.handle = end.handle = params.conditional.handle;
    first.delay = n->form == CHOICE_SWITCH ? n->dag_count + 1 : 2;
    if (!n->has_default)
        add_op(p, &first, NULL);
    params.conditional.type = n->form == CHOICE_IF ? cudaGraphCondTypeIf
                              : n->form == CHOICE_WHILE
                                  ? cudaGraphCondTypeWhile
                                  : cudaGraphCondTypeSwitch;
    params.conditional.size = n->dag_count;
    OK(cudaGraphAddNode_v2(&p->node, p->graph, p->before, NULL, p->count,
                           &params));
    if (n->has_default)
        p->first = p->node;
    end.f = &again;
    end.to = address(n->cell + 1);
    end.value = turns_of(n);
    for (unsigned i = 0; i < n->dag_count; i++) {
        cudaGraph_t body = params.conditional.phGraph_out[i];
        struct op *last = n->form == CHOICE_WHILE ? &end : NULL;
        if (level >= 0 && any(&build, 2))
            capture_body(body, n->dags[i], (unsigned)level + BODY, last);
        else
            build_dag(body, n->dags[i], NULL, last);
    }
}

/* level: of the streams that are captured; -1: none. `only`: what of it may
 * change. */
static void add_node(struct place *p, const struct node *n, int level,
                     cudaGraphNode_t *only)
{
    struct op ops[5];
    unsigned count, *allocated = NULL;
    switch (n->kind) {
    case CHILD:
        add_child(p, n);
        break;
    case CHOICE:
        add_choice(p, n, level);
        break;
    default:
        count = expand(n, ops);
        for (unsigned i = 0; i < count; i++)
            add_op(p, &ops[i], &allocated);
        break;
    }
    if (only)
        *only = p->node;
}

/* A node that would spoil everything comes and goes again. */
static void add_and_destroy(cudaGraph_t g, const cudaGraphNode_t *nodes,
                            unsigned count)
{
    const struct cudaMemsetParams fill = {device, 0, 1, 4, CELLS, 1};
    cudaGraphNode_t n;
    OK(cudaGraphAddMemsetNode(&n, g, nodes, count / 2, &fill));
    if (count)
        OK(cudaGraphAddDependencies(g, &n, &nodes[count - 1], 1));
    OK(cudaGraphDestroyNode(n));
}

/* `end` comes behind all; NULL: none. handles: a node for each of the DAG's
 * whose parameters may change. Some graphs get their edges at the end. */
static cudaGraphNode_t build_dag(cudaGraph_t g, const struct dag *d,
                                 cudaGraphNode_t *handles, const struct op *end)
{
    cudaGraphNode_t last[NODES], first[NODES], before[BEFORE];
    const bool is_late = any(&build, 3) == 0;
    for (unsigned i = 0; i < d->count; i++) {
        const struct node *n = &d->nodes[i];
        struct place p = {.graph = g, .before = before};
        for (unsigned k = 0; k < n->before_count; k++)
            before[k] = last[n->before[k]];
        p.count = is_late ? 0 : n->before_count;
        add_node(&p, n, -1, handles ? &handles[i] : NULL);
        last[i] = p.node;
        first[i] = p.first;
    }
    for (unsigned i = d->count; is_late && i-- > 0;) {
        const struct node *n = &d->nodes[i];
        for (unsigned k = 0; k < n->before_count; k++)
            add_edges(g, &last[n->before[k]], 1, first[i]);
    }
    if (any(&build, 3) == 0 && !d->has_alloc)
        add_and_destroy(g, last, d->count);
    struct place p = {.graph = g, .before = last, .count = d->count};
    if (end) {
        struct op o = *end;
        add_op(&p, &o, NULL);
    }
    return p.node;
}

/* ---- nodes into streams, captured or not --------------------------------- */

static void put_dag(const struct dag *d, unsigned level, cudaEvent_t start,
                    cudaStream_t end, cudaGraphNode_t *handles);

/* What the capture of the stream goes on from. */
static struct place place_of(cudaStream_t s)
{
    static _Thread_local cudaGraphNode_t before[CELLS];
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *nodes = NULL;
    struct place p = {.before = before};
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, &p.graph, &nodes, &p.count));
    CHECK(status == cudaStreamCaptureStatusActive && p.count < CELLS);
    memcpy(before, nodes, p.count * sizeof *nodes);
    return p;
}

/* A node that no stream's operation makes. */
static void insert(const struct node *n, cudaStream_t s, unsigned level)
{
    struct place p = place_of(s);
    cudaGraphNode_t before[NODES * 5];
    CHECK(p.count <= sizeof before / sizeof *before);
    memcpy(before, p.before, p.count * sizeof *before);
    p.before = before;
    add_node(&p, n, (int)level, NULL);
    OK(cudaStreamUpdateCaptureDependencies(s, &p.node, 1,
                                           cudaStreamSetCaptureDependencies));
}

static void put_within(const struct dag *d, const struct node *n,
                       cudaStream_t s, unsigned level)
{
    cudaEvent_t start = starts[n->cell / 2];
    OK(cudaEventRecord(start, s));
    put_dag(d, level, start, s, NULL);
}

/* The host knows the condition: it computes along. */
static void put_choice(const struct node *n, cudaStream_t s, unsigned level)
{
    struct op o = op_kernel(n, address(n->cell + 1));
    o.f = &tick;
    enter_choice(n);
    for (int body; (body = body_of_choice(n)) >= 0;) {
        put_within(n->dags[body], n, s, level + 1);
        if (n->form != CHOICE_WHILE)
            break;
        put_kernel(&o, s);
        count_turn(n);
    }
}

static bool is_capturing(cudaStream_t s)
{
    enum cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(s, &status));
    return status != cudaStreamCaptureStatusNone;
}

static void put_node(const struct node *n, cudaStream_t s, unsigned level,
                     cudaGraphNode_t *handle)
{
    struct op ops[5];
    unsigned *allocated = NULL;
    bool is_captured = is_capturing(s);
    if (n->kind == CHOICE && !is_captured) {
        put_choice(n, s, level);
    } else if (n->kind == CHOICE ||
               (n->kind == CHILD && is_captured && any(&build, 2))) {
        insert(n, s, level);
    } else if (n->kind == CHILD || (n->kind == LAUNCHED && !is_captured)) {
        put_within(n->dags[0], n, s, level + 1);
    } else if (!n->is_off) {
        unsigned count = expand(n, ops);
        for (unsigned i = 0; i < count; i++)
            put_op(&ops[i], s, &allocated);
        if (!is_captured)
            compute_node(n);
    }
    if (handle && is_captured && is_changeable(n)) {
        struct place p = place_of(s);
        CHECK(p.count == 1);
        *handle = p.before[0];
    }
}

/* The first nodes come after `start`; `end` goes on after all. */
static void put_dag(const struct dag *d, unsigned level, cudaEvent_t start,
                    cudaStream_t end, cudaGraphNode_t *handles)
{
    for (unsigned i = 0; i < d->count; i++) {
        const struct node *n = &d->nodes[i];
        cudaStream_t s = streams[level][n->stream];
        if (!n->before_count)
            OK(cudaStreamWaitEvent(s, start, 0));
        for (unsigned k = 0; k < n->before_count; k++)
            OK(cudaStreamWaitEvent(
                s, done[d->nodes[n->before[k]].cell / 2], 0));
        put_node(n, s, level, handles ? &handles[i] : NULL);
        OK(cudaEventRecord(done[n->cell / 2], s));
    }
    for (unsigned i = 0; i < d->count; i++)
        OK(cudaStreamWaitEvent(end, done[d->nodes[i].cell / 2], 0));
}

static void capture_body(cudaGraph_t body, const struct dag *d, unsigned level,
                         struct op *end)
{
    cudaStream_t s = streams[level][0];
    cudaEvent_t start = starts[d->nodes[0].cell / 2];
    cudaGraph_t g;
    OK(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0,
                                     cudaStreamCaptureModeRelaxed));
    OK(cudaEventRecord(start, s));
    put_dag(d, level, start, s, NULL);
    if (end)
        put_kernel(end, s);
    OK(cudaStreamEndCapture(s, &g));
    CHECK(g == body);
}

static void put_all(const struct dag *d, cudaGraphNode_t *handles)
{
    OK(cudaEventRecord(starts[0], streams[0][0]));
    put_dag(d, 0, starts[0], streams[0][0], handles);
}

/* ---- three ways ---------------------------------------------------------- */

enum way { IN_STREAMS, BY_HAND, CAPTURED, WAYS };
static const char *const way_names[WAYS] = {"streams", "by hand", "captured"};

static _Thread_local struct {
    enum way way;
    struct dag *dag;
    unsigned number;
    struct random script; /* what is done; the same in all ways */
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t handles[NODES]; /* those whose parameters may change */
    unsigned *left[CELLS];          /* the memory of its allocations */
    bool is_alone;                  /* no other thread captures */
    cudaStream_t beside;            /* where events come from */
    cudaEvent_t is_over;            /* the launch before */
} run;

static cudaGraph_t make_graph(cudaGraphNode_t *handles)
{
    cudaGraph_t g;
    build.state = run.number * 3 + run.way;
    if (run.way == BY_HAND) {
        OK(cudaGraphCreate(&g, 0));
        build_dag(g, run.dag, handles, NULL);
    } else {
        OK(cudaStreamBeginCapture(streams[0][0],
                                  run.is_alone
                                      ? any(&build, 3)
                                      : cudaStreamCaptureModeRelaxed));
        put_all(run.dag, handles);
        OK(cudaStreamEndCapture(streams[0][0], &g));
    }
    return g;
}

/* What kernels of the graph launch. */
static void instantiate_launched(void)
{
    for (unsigned i = 0; i < run.dag->count; i++) {
        const struct node *n = &run.dag->nodes[i];
        if (n->kind != LAUNCHED)
            continue;
        cudaGraph_t g = make_child(n);
        OK(cudaGraphInstantiate(&launched[n->cell], g,
                                cudaGraphInstantiateFlagDeviceLaunch));
        OK(cudaGraphUpload(launched[n->cell], run.beside));
        OK(cudaGraphDestroy(g));
    }
    OK(cudaStreamSynchronize(run.beside));
}

static void destroy_launched(void)
{
    for (unsigned i = 0; i < CELLS; i++)
        if (launched[i])
            OK(cudaGraphExecDestroy(launched[i]));
    memset(launched, 0, sizeof launched);
}

/* Some from a clone, which is to be as good. */
static void instantiate(void)
{
    cudaGraph_t clone;
    memset(run.handles, 0, sizeof run.handles);
    instantiate_launched();
    run.graph = make_graph(run.handles);
    memcpy(run.left, left, sizeof left);
    if (!run.dag->has_choice && !run.dag->has_alloc && !run.dag->has_updated &&
        any(&build, 3) == 0) {
        OK(cudaGraphClone(&clone, run.graph));
        for (unsigned i = 0; i < run.dag->count; i++)
            if (run.handles[i])
                OK(cudaGraphNodeFindInClone(&run.handles[i], run.handles[i],
                                            clone));
        OK(cudaGraphDestroy(run.graph));
        run.graph = clone;
    }
    unsigned flags =
        any(&build, 2) ? cudaGraphInstantiateFlagUseNodePriority : 0;
    if (run.dag->leaves_memory)
        flags |= cudaGraphInstantiateFlagAutoFreeOnLaunch;
    OK(cudaGraphInstantiate(&run.exec, run.graph, flags));
}

static void set_by_kind(struct op *o, cudaGraphNode_t n)
{
    const struct cudaHostNodeParams host = {called, o->call};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {ctx, 3, o->batch, 0};
    const struct cudaExternalSemaphoreSignalParams signal = {
        .params.fence.value = o->value};
    const struct cudaExternalSemaphoreSignalNodeParams s = {
        &semaphores[o->n->semaphore], &signal, 1};
    struct cudaKernelNodeParams k;
    if (o->kind == OP_KERNEL) {
        k = kernel_params(o);
        OK(cudaGraphExecKernelNodeSetParams(run.exec, n, &k));
    } else if (o->kind == OP_SIGNAL) {
        OK(cudaGraphExecExternalSemaphoresSignalNodeSetParams(run.exec, n, &s));
    } else if (o->kind == OP_FILL) {
        OK(cudaGraphExecMemsetNodeSetParams(run.exec, n, &o->fill));
    } else if (o->kind == OP_COPY) {
        OK(cudaGraphExecMemcpyNodeSetParams1D(run.exec, n, o->to, o->from,
                                              o->bytes, direction(o)));
    } else if (o->kind == OP_HOST) {
        OK(cudaGraphExecHostNodeSetParams(run.exec, n, &host));
    } else {
        CHECK(!cuGraphExecBatchMemOpNodeSetParams(run.exec, n, &batch));
    }
}

static void switch_node(unsigned i, bool is_on)
{
    struct node *n = &run.dag->nodes[i];
    unsigned was = 9;
    if (!is_changeable(n) || n->kind == HOST || n->kind == BATCH ||
        n->kind == SEMAPHORE)
        return;
    if (run.way != IN_STREAMS) {
        OK(cudaGraphNodeGetEnabled(run.exec, run.handles[i], &was));
        CHECK(was == !n->is_off);
        OK(cudaGraphNodeSetEnabled(run.exec, run.handles[i], is_on));
    }
    n->is_off = !is_on;
}

static void update_all(enum cudaGraphExecUpdateResult result)
{
    struct random later = build;
    cudaGraph_t g = make_graph(NULL);
    cudaGraphExecUpdateResultInfo info;
    build = later;
    GIVES(result ? cudaErrorGraphExecUpdateFailure : cudaSuccess,
          cudaGraphExecUpdate(run.exec, g, &info));
    CHECK(info.result == result);
    OK(cudaGraphDestroy(g));
}

/* By another graph of the same shape. Where launches leave memory it changes
 * nothing. One with kernels that kernels change is for one instance. */
static void change_graph(void)
{
    static _Thread_local struct dag before[DAGS];
    bool is_refused = run.dag->leaves_memory;
    if (run.dag->has_updated)
        return;
    for (unsigned i = 0; i < run.dag->count; i++)
        switch_node(i, true);
    memcpy(before, dags, sizeof dags);
    change_values(run.dag, &run.script);
    if (run.way != IN_STREAMS)
        update_all(is_refused ? cudaGraphExecUpdateErrorParametersChanged
                              : cudaGraphExecUpdateSuccess);
    if (is_refused)
        memcpy(dags, before, sizeof dags);
}

/* Of a child graph, by a graph like it where it is a node, else with all. */
static void change_child(struct node *n, unsigned i)
{
    for (unsigned k = 0; k < run.dag->count; k++)
        switch_node(k, true);
    change_values(n->dags[0], &run.script);
    if (run.way == BY_HAND) {
        cudaGraph_t child = make_child(n);
        OK(cudaGraphExecChildGraphNodeSetParams(run.exec, run.handles[i],
                                                child));
        OK(cudaGraphDestroy(child));
    } else if (run.way == CAPTURED) {
        update_all(cudaGraphExecUpdateSuccess);
    }
}

static void change_node(void)
{
    unsigned i = any(&run.script, run.dag->count);
    struct node *n = &run.dag->nodes[i];
    struct op ops[5];
    struct cudaGraphNodeParams params;
    if (n->kind == CHILD && !run.dag->has_alloc && !run.dag->has_updated)
        change_child(n, i);
    if (!is_changeable(n))
        return;
    n->value = any(&run.script, 1000);
    if (run.way == IN_STREAMS)
        return;
    struct op *o = &ops[expand(n, ops) - 1];
    if (any(&build, 2) && any_params(o, &params))
        OK(cudaGraphExecNodeSetParams(run.exec, run.handles[i], &params));
    else
        set_by_kind(o, run.handles[i]);
}

/* The events that the launch will wait for, each behind a kernel. */
static void record_beside(void)
{
    OK(cudaStreamWaitEvent(run.beside, run.is_over, 0));
    for (unsigned i = 0; i < run.dag->count; i++) {
        const struct node *n = &run.dag->nodes[i];
        if (n->kind != EVENT || !n->is_outside)
            continue;
        struct op o = op_kernel(n, address(n->cell));
        for (unsigned k = 0; k < BEFORE; k++)
            o.from_arg[k] = address(0);
        put_kernel(&o, run.beside);
        OK(cudaEventRecord(own[n->cell / 2], run.beside));
        compute_mix(expected[n->cell], expected[0], expected[0], expected[0],
                    n->value);
    }
}

static void launch(void)
{
    cudaStream_t s =
        streams[0][run.way == IN_STREAMS ? 0 : any(&build, STREAMS)];
    record_beside();
    begin_launch(run.dag);
    if (run.way == IN_STREAMS) {
        put_all(run.dag, NULL);
    } else {
        compute(run.dag);
        OK(cudaGraphLaunch(run.exec, s));
    }
    OK(cudaEventRecord(run.is_over, s));
}

/* As other threads may be capturing. */
static void wait_for_all(void)
{
    for (unsigned i = 0; i < STREAMS; i++)
        OK(cudaStreamSynchronize(streams[0][i]));
    OK(cudaStreamSynchronize(run.beside));
}

static void check_semaphores(void)
{
    for (unsigned i = 0; i < semaphore_count; i++) {
        if (*semaphore_words[i] == expected_semaphore[i])
            continue;
        printf("%s, graph %u: semaphore %u is %llu, not %llu\n",
               way_names[run.way], run.number, i, *semaphore_words[i],
               expected_semaphore[i]);
        failures++;
    }
}

static void check(void)
{
    static _Thread_local unsigned cells[CELLS][WORDS];
    wait_for_all();
    check_semaphores();
    OK(cudaMemcpyAsync(cells, device, sizeof cells, cudaMemcpyDefault,
                       streams[0][0]));
    wait_for_all();
    for (unsigned i = 2; i < cell_count; i++) {
        const unsigned *want = expected[i],
                       *is = is_in_host[i] ? address(i) : cells[i];
        for (unsigned w = 0; w < WORDS; w++) {
            if (is[w] == want[w])
                continue;
            printf("%s, graph %u: word %u of cell %u is %u, not %u\n",
                   way_names[run.way], run.number, w, i, is[w], want[w]);
            failures++;
            return;
        }
    }
}

static void start_cells(void)
{
    memset(expected, 0, sizeof expected);
    for (unsigned w = 0; w < WORDS; w++)
        expected[0][w] = (w + 3) * 2654435761u;
    memset(pinned, 0, sizeof expected);
    OK(cudaMemcpyToSymbolAsync(variable, pinned, sizeof expected,
                               thread * sizeof expected, cudaMemcpyDefault,
                               streams[0][0]));
    OK(cudaMemcpyAsync(device, expected, sizeof expected, cudaMemcpyDefault,
                       streams[0][0]));
    wait_for_all();
    host_call_count = 0;
}

/* What the last launch has left. */
static void free_left(void)
{
    for (unsigned i = 0; i < run.dag->count; i++) {
        const struct node *n = &run.dag->nodes[i];
        if (n->kind == ALLOC && n->is_outside)
            OK(cudaFreeAsync(run.left[n->cell], streams[0][0]));
    }
}

static void run_script(void)
{
    start_cells();
    is_for_graph = run.way != IN_STREAMS;
    run.script.state = run.number;
    if (run.way != IN_STREAMS)
        instantiate();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned what = any(&run.script, 6);
        for (unsigned i = 0; round && what >= 2 && i < what; i++)
            change_node();
        if (round && what == 1)
            change_graph();
        if (round && what >= 4)
            switch_node(any(&run.script, run.dag->count),
                        any(&run.script, 3) == 0);
        for (unsigned i = any(&run.script, 2) + 1; i-- > 0;)
            launch();
        if (any(&run.script, 3) == 0)
            check();
    }
    check();
    if (run.way != IN_STREAMS) {
        free_left();
        OK(cudaGraphExecDestroy(run.exec));
        OK(cudaGraphDestroy(run.graph));
        destroy_launched();
    }
}

static void run_seed(unsigned number)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct random r = {number};
        run.number = number;
        run.dag = make_whole_dag(&r);
        run.way = way;
        run_script();
    }
}

static void register_code(void)
{
    void **module = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(module, &mix, &mix, "mix", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &choose, &choose, "choose", -1, 0, 0, 0, 0,
                           0);
    __cudaRegisterFunction(module, &again, &again, "again", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &tick, &tick, "tick", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &late, &late, "late", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &indirect, &indirect, "indirect", -1, 0, 0,
                           0, 0, 0);
    __cudaRegisterFunction(module, &poke, &poke, "poke", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(module, &send, &send, "send", -1, 0, 0, 0, 0, 0);
    __cudaRegisterVar(module, variable, variable, "variable", 0,
                      sizeof variable, 0, 0);
    __cudaRegisterFatBinaryEnd(module);
    for (unsigned i = 0; i < CONSTANTS; i++)
        for (unsigned w = 0; w < WORDS; w++)
            constants[i][w] = (i * WORDS + w) * 2654435761u;
    OK(cudaMallocHost((void **)&pinned_constants, sizeof constants));
    memcpy(pinned_constants, constants, sizeof constants);
    CHECK(!cuCtxGetCurrent(&ctx));
}

/* A file's first word is a semaphore's value: docs/graphics.md. */
static void make_semaphore(unsigned i)
{
    enum { PAGE = 4096 };
    struct cudaExternalSemaphoreHandleDesc d = {
        .type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd};
    int fd = memfd_create("semaphore", 0);
    CHECK(fd >= 0 && !ftruncate(fd, PAGE));
    semaphore_words[i] =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(semaphore_words[i] != MAP_FAILED);
    d.handle.fd = fd;
    OK(cudaImportExternalSemaphore(&semaphores[i], &d));
}

/* What the thread needs; captures of others are relaxed. */
static void set_up(void)
{
    const struct cudaChannelFormatDesc word = {
        32, 0, 0, 0, cudaChannelFormatKindUnsigned};
    OK(cudaMalloc((void **)&device, sizeof expected));
    OK(cudaMallocHost((void **)&pinned, sizeof expected));
    OK(cudaMallocArray(&array, &word, WORDS, CELLS, 0));
    for (unsigned d = 0; d < LEVELS; d++)
        for (unsigned i = 0; i < STREAMS; i++)
            OK(cudaStreamCreateWithPriority(
                &streams[d][i], cudaStreamNonBlocking, -(int)i));
    for (unsigned i = 0; i < SEMAPHORES; i++)
        make_semaphore(i);
    OK(cudaMallocManaged((void **)&updated, CELLS * sizeof *updated,
                         cudaMemAttachGlobal));
    OK(cudaStreamCreateWithFlags(&run.beside, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&run.is_over, cudaEventDisableTiming));
    for (unsigned i = 0; i < CELLS / 2; i++) {
        OK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
        OK(cudaEventCreateWithFlags(&own[i], cudaEventDisableTiming));
        OK(cudaEventCreateWithFlags(&starts[i], cudaEventDisableTiming));
    }
}

static unsigned first_seed = 1, seed_count = SEEDS;

/* Each thread has every so manieth DAG, or all of them if it is alone. */
static void run_seeds(unsigned step)
{
    for (unsigned i = thread; i < seed_count && failures < 20; i += step)
        run_seed(first_seed + i);
}

static void *work(void *number)
{
    thread = (unsigned)(uintptr_t)number;
    set_up();
    run_seeds(THREADS);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    if (argc > 1)
        first_seed = (unsigned)atoi(argv[1]);
    if (argc > 2)
        seed_count = (unsigned)atoi(argv[2]);
    register_code();
    set_up();
    run.is_alone = true;
    run_seeds(1);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return check_result();
}
