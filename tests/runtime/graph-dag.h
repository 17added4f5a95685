/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random DAGs for graph-random.c: what they are made of, and what must come of
 * them, computed on the host.
 *
 * Each node has two cells of eight words. It reads the cells of nodes that it
 * comes after and writes its own only, so every order that keeps the edges
 * gives the same result; most kinds count what was in their cell in, so a node
 * that runs too early, twice or not at all leaves another result.
 */
#ifndef TESTS_RUNTIME_GRAPH_DAG_H
#define TESTS_RUNTIME_GRAPH_DAG_H

#include "check.h"

enum {
    WORDS = 8,
    CELL_BYTES = WORDS * 4,
    NODES = 22,   /* of a DAG, at most */
    CELLS = 1024, /* of all nodes */
    BEFORE = 3,   /* nodes that one comes after, at most */
    BODIES = 3,   /* of a condition, at most */
    DEPTH = 2,    /* of DAGs in nodes of DAGs */
    DAGS = 64,
    STREAMS = 3,
    CONSTANTS = 64,   /* cells that copies from the host read */
    SEMAPHORES = 8,   /* of a DAG, at most */
    SIGNALLED = 5000, /* more than the value of any node */
};

struct random {
    unsigned state;
};

static unsigned any(struct random *r, unsigned below)
{
    r->state = r->state * 1103515245 + 12345;
    return (r->state >> 16) % below;
}

/* What a node is, and how often, beside the others. */
#define KINDS                                                                  \
    KIND(KERNEL, 8)                                                            \
    KIND(FILL, 3)                                                              \
    KIND(COPY, 5)                                                              \
    KIND(SYMBOL, 1) /* to a variable of the device, and from it */             \
    KIND(ARRAY, 1)                                                             \
    KIND(HOST, 2)                                                              \
    KIND(BATCH, 2)                                                             \
    KIND(EVENT, 2) /* recorded, then waited for; or recorded elsewhere */      \
    KIND(EMPTY, 2)                                                             \
    KIND(ALLOC, 1)                                                             \
    KIND(SEMAPHORE, 1) /* of another API: signal, wait, signal */              \
    KIND(UPDATED, 2)   /* a kernel, and the one before it gives the value */   \
    KIND(LAUNCHED, 2)  /* a graph that a kernel launches */                    \
    KIND(CHILD, 2)                                                             \
    KIND(CHOICE, 3) /* a conditional node */

enum kind {
#define KIND(name, often) name,
    KINDS
#undef KIND
        KIND_COUNT
};

enum fill { FILL_BYTES, FILL_SHORTS, FILL_WORDS, FILL_ROWS, FILL_FORMS };
enum copy {
    COPY_CELL,
    COPY_PART,
    COPY_PINNED, /* from the host, as the next */
    COPY_PAGEABLE,
    COPY_TO_HOST,
    COPY_BOX,
    COPY_FORMS
};
enum choice { CHOICE_IF, CHOICE_WHILE, CHOICE_SWITCH, CHOICE_FORMS };
enum launch { FORGOTTEN, TAIL, SIBLING, PLACES };
/* See the table of shapes in graph-ops.h. A programmatic one waits in its code
 * for the kernels before it. */
enum { PROGRAMMATIC = 7, KERNEL_FORMS };

struct dag;
struct node {
    enum kind kind;
    unsigned form, value, stream, delay;
    unsigned semaphore;
    int priority;
    unsigned cell, out;    /* what it writes; what those behind it read */
    unsigned from[BEFORE]; /* cells */
    unsigned before[BEFORE], before_count;
    bool is_off;      /* a disabled node */
    bool has_default; /* a condition's value is that of its handle */
    bool is_moved;    /* a child graph is not cloned */
    /* An event comes from a stream beside the graph, behind a kernel there; an
     * allocation is left for the next launch to free. */
    bool is_outside;
    struct dag *dags[BODIES];
    unsigned dag_count;
};

struct dag {
    struct node nodes[NODES];
    unsigned count;
    bool has_choice, has_alloc; /* it or one within it */
    bool has_updated;
    bool leaves_memory;
};

static unsigned constants[CONSTANTS][WORDS];
/* Each thread makes and runs DAGs of its own. */
static _Thread_local unsigned expected[CELLS][WORDS];
/* In host memory; the others are in the device's. */
static _Thread_local bool is_in_host[CELLS];
/* The values of the semaphores. */
static _Thread_local unsigned long long expected_semaphore[SEMAPHORES];

/* ---- making one ---------------------------------------------------------- */

static _Thread_local struct dag dags[DAGS];
static _Thread_local unsigned dag_count, cell_count, semaphore_count;

static struct dag *make_dag(struct random *r, unsigned depth, unsigned banned,
                            const unsigned *outer);

static enum kind any_kind(struct random *r, unsigned banned)
{
    static const unsigned often[] = {
#define KIND(name, often) often,
        KINDS
#undef KIND
    };
    unsigned total = 0, i = 0;
    for (unsigned k = 0; k < KIND_COUNT; k++)
        total += often[k];
    for (unsigned n = any(r, total); n >= often[i]; i++)
        n -= often[i];
    return banned >> i & 1 ? KERNEL : (enum kind)i;
}

static void choose_before(struct random *r, struct node *n, unsigned i,
                          const struct dag *d, const unsigned *outer)
{
    for (unsigned k = 0; i && k < BEFORE; k++) {
        unsigned b = any(r, i);
        bool is_new = any(r, 4) != 0;
        for (unsigned j = 0; j < n->before_count; j++)
            is_new &= n->before[j] != b;
        if (is_new)
            n->before[n->before_count++] = b;
    }
    for (unsigned k = 0; k < BEFORE; k++)
        n->from[k] = n->before_count
                         ? d->nodes[n->before[k % n->before_count]].out
                         : outer[k];
}

/* What may be within: CUDA programming guide, "Conditional Graph Nodes" and
 * "Device Graph Launch". */
enum {
    NOT_IN_BODIES = 1 << HOST | 1 << BATCH | 1 << EVENT | 1 << ALLOC |
                    1 << ARRAY | 1 << SEMAPHORE | 1 << UPDATED | 1 << LAUNCHED,
    NOT_IN_CHILDREN = 1 << CHOICE | 1 << UPDATED | 1 << LAUNCHED,
    NOT_IN_CLONES = 1 << ALLOC,
    NOT_IN_LAUNCHED = NOT_IN_BODIES | NOT_IN_CHILDREN | 1 << EMPTY,
};

static void make_dags(struct random *r, struct node *n, struct dag *d,
                      unsigned depth, unsigned banned)
{
    n->dag_count = 1;
    if (n->kind == CHILD) {
        n->is_moved = any(r, 3) == 0;
        banned |= NOT_IN_CHILDREN | (n->is_moved ? 0 : NOT_IN_CLONES);
    } else if (n->kind == LAUNCHED) {
        n->form = any(r, PLACES);
        banned |= NOT_IN_LAUNCHED;
    } else {
        n->form = any(r, CHOICE_FORMS);
        n->has_default = any(r, 3) == 0;
        banned |= NOT_IN_BODIES;
        d->has_choice = true;
        if (n->form != CHOICE_WHILE)
            n->dag_count = 1 + any(r, n->form == CHOICE_IF ? 2 : 3);
    }
    for (unsigned i = 0; i < n->dag_count; i++) {
        struct dag *within = make_dag(r, depth + 1, banned, n->from);
        n->dags[i] = within;
        d->has_choice |= within->has_choice;
        d->has_alloc |= within->has_alloc;
    }
    if (n->kind != LAUNCHED) /* it may end later than what comes next begins */
        n->out = n->dags[0]->nodes[n->dags[0]->count - 1].out;
}

static void make_node(struct random *r, struct dag *d, unsigned i,
                      unsigned depth, unsigned banned, const unsigned *outer)
{
    struct node *n = &d->nodes[i];
    if (depth == DEPTH || dag_count + BODIES > DAGS || cell_count > CELLS / 2)
        banned |= 1 << CHILD | 1 << CHOICE | 1 << LAUNCHED;
    if (semaphore_count == SEMAPHORES)
        banned |= 1 << SEMAPHORE;
    *n = (struct node){.kind = any_kind(r, banned), .value = any(r, 1000)};
    n->cell = n->out = cell_count;
    cell_count += 2;
    n->stream = any(r, STREAMS);
    n->delay = any(r, 3) ? 0 : any(r, 300);
    n->priority = -(int)any(r, 4);
    choose_before(r, n, i, d, outer);
    n->form = any(r, n->kind == KERNEL ? KERNEL_FORMS
                     : n->kind == FILL ? FILL_FORMS
                                       : COPY_FORMS);
    if (n->form == COPY_PAGEABLE && banned & 1 << HOST)
        n->form = COPY_PINNED;
    is_in_host[n->cell] = n->kind == HOST ||
                          (n->kind == COPY && n->form == COPY_TO_HOST);
    is_in_host[n->cell + 1] = n->kind == HOST;
    d->has_alloc |= n->kind == ALLOC;
    d->has_updated |= n->kind == UPDATED;
    if (n->kind == SEMAPHORE)
        n->semaphore = semaphore_count++;
    n->is_outside = depth == 0 && (n->kind == EVENT || n->kind == ALLOC) &&
                    any(r, 3) == 0;
    d->leaves_memory |= n->is_outside && n->kind == ALLOC;
    if (n->kind == EMPTY || n->kind == SEMAPHORE || n->kind == LAUNCHED ||
        (n->kind == EVENT && !n->is_outside))
        n->out = n->from[0];
    if (n->kind == CHILD || n->kind == CHOICE || n->kind == LAUNCHED)
        make_dags(r, n, d, depth, banned);
}

static struct dag *make_dag(struct random *r, unsigned depth, unsigned banned,
                            const unsigned *outer)
{
    struct dag *d = &dags[dag_count++];
    *d = (struct dag){.count = depth ? 1 + any(r, 4) : 4 + any(r, NODES - 3)};
    for (unsigned i = 0; i < d->count; i++)
        make_node(r, d, i, depth, banned, outer);
    return d;
}

/* Cell 0 is what the first nodes read. */
static struct dag *make_whole_dag(struct random *r)
{
    static const unsigned outer[BEFORE];
    dag_count = semaphore_count = 0;
    cell_count = 2;
    return make_dag(r, 0, 0, outer);
}

/* ---- other parameters ---------------------------------------------------- */

/* Can the node have another value in an instance? */
static bool is_changeable(const struct node *n)
{
    return n->kind == KERNEL || (n->kind == FILL && n->form != FILL_ROWS) ||
           (n->kind == COPY &&
            (n->form == COPY_PINNED || n->form == COPY_PAGEABLE)) ||
           n->kind == HOST || n->kind == BATCH || n->kind == SEMAPHORE;
}

/* In the nodes of this DAG and of those within it; what a kernel launches is
 * another graph. */
static void change_values(struct dag *d, struct random *r)
{
    for (unsigned i = 0; i < d->count; i++) {
        struct node *n = &d->nodes[i];
        if (is_changeable(n) || n->kind == CHOICE)
            n->value = any(r, 1000);
        for (unsigned k = 0; n->kind != LAUNCHED && k < n->dag_count; k++)
            change_values(n->dags[k], r);
    }
}

/* ---- what must come of it ------------------------------------------------ */

static void compute(const struct dag *d);

static void compute_mix(unsigned *to, const unsigned *a, const unsigned *b,
                        const unsigned *c, unsigned value)
{
    for (unsigned w = 0; w < WORDS; w++)
        to[w] = to[w] * 3 + a[w] + 5 * b[w] + 7 * c[w] + value + w;
}

static void compute_fill(const struct node *n)
{
    unsigned char *to = (unsigned char *)expected[n->cell];
    unsigned short half = (unsigned short)n->value;
    if (n->form == FILL_BYTES)
        memset(to, (int)(n->value & 255), 18);
    for (unsigned i = 0; n->form == FILL_SHORTS && i < 5; i++)
        memcpy(to + 2 * i, &half, 2);
    for (unsigned i = 0; n->form >= FILL_WORDS && i < WORDS; i++)
        if (n->form == FILL_WORDS || i % 4 < 2)
            expected[n->cell][i] = n->value;
}

static void compute_copy(const struct node *n)
{
    unsigned *to = expected[n->cell];
    const unsigned *from = expected[n->from[0]];
    if (n->form == COPY_PINNED || n->form == COPY_PAGEABLE)
        memcpy(to, constants[n->value % CONSTANTS], CELL_BYTES);
    else if (n->form != COPY_BOX)
        memcpy(to, from, n->form == COPY_PART ? 12 : CELL_BYTES);
    for (unsigned i = 0; n->form == COPY_BOX && i < WORDS; i++)
        if (i % 4 < 2)
            to[i] = from[i];
}

/* What a kernel sets the condition to, or its handle's default value. */
static unsigned value_of_choice(const struct node *n)
{
    unsigned values = n->form == CHOICE_SWITCH ? n->dag_count + 1 : 2;
    unsigned base = n->has_default ? 0 : expected[n->from[0]][0] >> 3;
    return (base + n->value) % values;
}

/* How often the body of a loop runs from one launch's beginning. */
static unsigned turns_of(const struct node *n)
{
    return 1 + n->cell / 2 % 3;
}

/* The values of conditions, by the cell of the node. Defaults are set when a
 * launch begins, not each time that a loop around the node comes back to it. */
static _Thread_local unsigned condition[CELLS];

static void begin_launch(const struct dag *d)
{
    for (unsigned i = 0; i < d->count; i++) {
        const struct node *n = &d->nodes[i];
        if (n->kind == CHOICE && n->has_default)
            condition[n->cell] = value_of_choice(n);
        for (unsigned k = 0; k < n->dag_count; k++)
            begin_launch(n->dags[k]);
    }
}

static void enter_choice(const struct node *n)
{
    if (!n->has_default)
        condition[n->cell] = value_of_choice(n);
}

/* Which body is next; -1: none. */
static int body_of_choice(const struct node *n)
{
    unsigned value = condition[n->cell];
    if (n->form == CHOICE_IF)
        return value ? 0 : n->dag_count == 2 ? 1 : -1;
    if (n->form == CHOICE_SWITCH)
        return value < n->dag_count ? (int)value : -1;
    return value ? 0 : -1;
}

/* Behind the body of a loop. */
static void count_turn(const struct node *n)
{
    unsigned *turn = expected[n->cell + 1];
    condition[n->cell] = ++*turn % turns_of(n) != 0;
}

static void compute_choice(const struct node *n)
{
    enter_choice(n);
    for (int body; (body = body_of_choice(n)) >= 0;) {
        compute(n->dags[body]);
        if (n->form != CHOICE_WHILE)
            break;
        count_turn(n);
    }
}

/* The one before a kernel leaves its value behind the kernel's cell. */
static unsigned value_of_updated(const struct node *n)
{
    return n->value + (expected[n->from[0]][0] >> 3);
}

static void compute_node(const struct node *n)
{
    unsigned *to = expected[n->cell];
    const unsigned *a = expected[n->from[0]], *b = expected[n->from[1]],
                   *c = expected[n->from[2]];
    switch (n->is_off ? EMPTY : n->kind) {
    case KERNEL:
        compute_mix(to, a, b, c, n->value);
        break;
    case FILL:
        compute_fill(n);
        break;
    case COPY:
        compute_copy(n);
        break;
    case SYMBOL:
    case ARRAY:
        memcpy(to, a, CELL_BYTES);
        break;
    case HOST:
        memcpy(expected[n->cell + 1], a, CELL_BYTES);
        compute_mix(to, a, a, a, n->value);
        break;
    case BATCH:
        to[0] = n->value;
        to[2] = n->value + 1;
        to[3] = 0;
        break;
    case ALLOC: /* filled from a, mixed, copied to the cell */
        memcpy(to, a, CELL_BYTES);
        compute_mix(to, a, b, c, n->value);
        break;
    case SEMAPHORE:
        expected_semaphore[n->semaphore] = n->value;
        break;
    case UPDATED:
        expected[n->cell + 1][0] = value_of_updated(n);
        compute_mix(to, a, b, c, value_of_updated(n));
        break;
    case LAUNCHED:
    case CHILD:
        compute(n->dags[0]);
        break;
    case CHOICE:
        compute_choice(n);
        break;
    default:
        break;
    }
}

static void compute(const struct dag *d)
{
    for (unsigned i = 0; i < d->count; i++)
        compute_node(&d->nodes[i]);
}

#endif
