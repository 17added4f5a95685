/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of rows and columns: reverse Cuthill-McKee; minimum degree with
 * approximate degrees (Amestoy, Davis, Duff: "An approximate minimum degree
 * ordering algorithm", 1996, without its supervariables); nested dissection by
 * level structures (George, Liu). */
#include "sparse.h"

#include <string.h>

/* The graph of A + A^T without loops: each neighbour of a node once. */
struct graph {
    int n;
    int64_t *start;
    int *to;
};

static int degree_of(const struct graph *g, int i)
{
    return (int)(g->start[i + 1] - g->start[i]);
}

/* Counts the neighbours of i in row i that are not seen yet (seen[j] != i + 1),
 * and writes them to `to`, if it is not NULL. */
static int add_row(const struct sparse *a, int i, int *seen, int *to)
{
    int count = 0;
    for (int p = a->start[i] - a->base; p < a->start[i + 1] - a->base; p++) {
        int j = a->index[p] - a->base;
        if (j == i || seen[j] == i + 1)
            continue;
        seen[j] = i + 1;
        if (to)
            to[count] = j;
        count++;
    }
    return count;
}

static struct graph make_graph(struct sparse_room *room, const struct sparse *a)
{
    struct sparse pattern = *a;
    pattern.value = NULL;
    struct sparse t = sparse_transpose(room, &pattern);
    struct graph g = {.n = a->n};
    int *seen = sparse_new(room, g.n, sizeof *seen);
    g.start = sparse_new(room, g.n + 1, sizeof *g.start);
    for (int i = 0; i < g.n; i++) {
        int count = add_row(a, i, seen, NULL);
        g.start[i + 1] = g.start[i] + count + add_row(&t, i, seen, NULL);
    }
    g.to = sparse_new(room, g.start[g.n], sizeof *g.to);
    memset(seen, 0, (size_t)g.n * sizeof *seen);
    for (int i = 0; i < g.n; i++) {
        int *to = g.to + g.start[i];
        int count = add_row(a, i, seen, to);
        add_row(&t, i, seen, to + count);
    }
    return g;
}

/* ---- level structures ------------------------------------------------- */

/* Breadth-first search in a part of the graph: nodes with the same part[i]. */
struct levels {
    const struct graph *g;
    const int *part;
    int *mark; /* the number of the search that found a node */
    int search;
    int *queue, *level; /* nodes that were found; level[i]: of queue[i] */
    int count;
};

/* Searches from `root`; returns the number of levels. */
static int find_levels(struct levels *l, int root)
{
    const struct graph *g = l->g;
    l->search++;
    l->count = 1;
    l->queue[0] = root;
    l->level[0] = 0;
    l->mark[root] = l->search;
    for (int i = 0; i < l->count; i++) {
        int node = l->queue[i];
        for (int64_t p = g->start[node]; p < g->start[node + 1]; p++) {
            int to = g->to[p];
            if (l->part[to] != l->part[root] || l->mark[to] == l->search)
                continue;
            l->mark[to] = l->search;
            l->level[l->count] = l->level[i] + 1;
            l->queue[l->count++] = to;
        }
    }
    return l->level[l->count - 1] + 1;
}

/* A node that is far from others: goes on from the last level to its node of
 * least degree until there are no more levels. */
static int find_end(struct levels *l, int root)
{
    int height = find_levels(l, root);
    for (;;) {
        int best = l->queue[l->count - 1], last = l->count;
        while (last > 0 && l->level[last - 1] == height - 1) {
            last--;
            if (degree_of(l->g, l->queue[last]) < degree_of(l->g, best))
                best = l->queue[last];
        }
        int higher = find_levels(l, best);
        if (higher <= height)
            return best;
        height = higher;
    }
}

static struct levels make_levels(struct sparse_room *room,
                                 const struct graph *g, const int *part)
{
    return (struct levels){
        .g = g,
        .part = part,
        .mark = sparse_new(room, g->n, sizeof(int)),
        .queue = sparse_new(room, g->n, sizeof(int)),
        .level = sparse_new(room, g->n, sizeof(int)),
    };
}

/* ---- reverse Cuthill-McKee -------------------------------------------- */

static void sort_by_degree(const struct graph *g, int *node, int count)
{
    for (int i = 1; i < count; i++) {
        int moved = node[i], j = i;
        for (; j > 0 && degree_of(g, node[j - 1]) > degree_of(g, moved); j--)
            node[j] = node[j - 1];
        node[j] = moved;
    }
}

/* Numbers a component from `root` on, in breadth-first order; `part` of its
 * nodes becomes 1. Returns how many there are. */
static int number_component(const struct graph *g, int *part, int root,
                            int *order)
{
    int count = 1;
    order[0] = root;
    part[root] = 1;
    for (int i = 0; i < count; i++) {
        int first = count, node = order[i];
        for (int64_t p = g->start[node]; p < g->start[node + 1]; p++) {
            if (part[g->to[p]])
                continue;
            part[g->to[p]] = 1;
            order[count++] = g->to[p];
        }
        sort_by_degree(g, order + first, count - first);
    }
    return count;
}

int *sparse_rcm(struct sparse_room *room, const struct sparse *a)
{
    struct graph g = make_graph(room, a);
    int *part = sparse_new(room, g.n, sizeof *part);
    int *order = sparse_new(room, g.n, sizeof *order);
    struct levels l = make_levels(room, &g, part);
    int count = 0;
    for (int i = 0; i < g.n; i++) {
        if (!part[i])
            count += number_component(&g, part, find_end(&l, i), order + count);
    }
    for (int i = 0; i < g.n / 2; i++) {
        int other = order[g.n - 1 - i];
        order[g.n - 1 - i] = order[i];
        order[i] = other;
    }
    return order;
}

/* ---- minimum degree --------------------------------------------------- */

struct list {
    int *at, count, room;
};

/* An eliminated node becomes an element: it stands for a clique of the nodes
 * next to it. An element whose nodes another one has is absorbed. */
enum state { NODE, ELEMENT, ABSORBED };

struct quotient {
    struct sparse_room *room;
    int n;
    enum state *state;
    struct list *nodes;    /* next to a node; of an element: its clique */
    struct list *elements; /* next to a node */
    int *mark, stamp;      /* mark == stamp: in the pivot's element */
    /* Of an element, if its stamp is the current one: how many of its nodes are
     * not in the pivot's. */
    int *outside, *outside_stamp;
    int *degree, *head, *next, *before, lowest; /* lists of nodes by degree */
};

static void append_to_list(struct quotient *q, struct list *l, int i)
{
    if (l->count == l->room) {
        int more = l->room ? 2 * l->room : 8;
        l->at = l->at ? sparse_grow(q->room, l->at, (size_t)more * sizeof(int))
                      : sparse_new(q->room, more, sizeof(int));
        l->room = more;
    }
    l->at[l->count++] = i;
}

static void drop_list(struct quotient *q, struct list *l)
{
    sparse_free(q->room, l->at);
    *l = (struct list){0};
}

static void put_in_bucket(struct quotient *q, int i, int degree)
{
    int first = q->head[degree];
    q->degree[i] = degree;
    q->next[i] = first;
    q->before[i] = -1;
    if (first >= 0)
        q->before[first] = i;
    q->head[degree] = i;
    if (degree < q->lowest)
        q->lowest = degree;
}

static void take_from_bucket(struct quotient *q, int i)
{
    if (q->next[i] >= 0)
        q->before[q->next[i]] = q->before[i];
    if (q->before[i] >= 0)
        q->next[q->before[i]] = q->next[i];
    else
        q->head[q->degree[i]] = q->next[i];
}

static struct quotient make_quotient(struct sparse_room *room,
                                     const struct graph *g)
{
    int n = g->n;
    struct quotient q = {
        .room = room,
        .n = n,
        .state = sparse_new(room, n, sizeof(enum state)),
        .nodes = sparse_new(room, n, sizeof(struct list)),
        .elements = sparse_new(room, n, sizeof(struct list)),
        .mark = sparse_new(room, n, sizeof(int)),
        .outside = sparse_new(room, n, sizeof(int)),
        .outside_stamp = sparse_new(room, n, sizeof(int)),
        .degree = sparse_new(room, n, sizeof(int)),
        .head = sparse_new(room, n + 1, sizeof(int)),
        .next = sparse_new(room, n, sizeof(int)),
        .before = sparse_new(room, n, sizeof(int)),
        .lowest = n,
    };
    for (int i = 0; i <= n; i++)
        q.head[i] = -1;
    for (int i = n - 1; i >= 0; i--) {
        for (int64_t p = g->start[i]; p < g->start[i + 1]; p++)
            append_to_list(&q, &q.nodes[i], g->to[p]);
        put_in_bucket(&q, i, q.nodes[i].count);
    }
    return q;
}

/* Appends the live nodes of `from` that are not marked, and marks them. */
static void add_nodes(struct quotient *q, struct list *to,
                      const struct list *from)
{
    for (int i = 0; i < from->count; i++) {
        int node = from->at[i];
        if (q->state[node] != NODE || q->mark[node] == q->stamp)
            continue;
        q->mark[node] = q->stamp;
        append_to_list(q, to, node);
    }
}

/* The pivot becomes an element of the nodes next to it and of those of the
 * elements next to it, which it absorbs. */
static void make_element(struct quotient *q, int pivot)
{
    struct list all = {0}, *absorbed = &q->elements[pivot];
    q->stamp++;
    q->state[pivot] = ELEMENT;
    add_nodes(q, &all, &q->nodes[pivot]);
    for (int e = 0; e < absorbed->count; e++) {
        int element = absorbed->at[e];
        if (q->state[element] != ELEMENT)
            continue;
        add_nodes(q, &all, &q->nodes[element]);
        q->state[element] = ABSORBED;
        drop_list(q, &q->nodes[element]);
    }
    drop_list(q, absorbed);
    drop_list(q, &q->nodes[pivot]);
    q->nodes[pivot] = all;
}

/* Computes `outside` of the elements next to the nodes in the list. */
static void count_outside(struct quotient *q, const struct list *l)
{
    for (int i = 0; i < l->count; i++) {
        const struct list *e = &q->elements[l->at[i]];
        for (int k = 0; k < e->count; k++) {
            int element = e->at[k];
            if (q->outside_stamp[element] != q->stamp) {
                q->outside_stamp[element] = q->stamp;
                q->outside[element] = q->nodes[element].count;
            }
            q->outside[element]--;
        }
    }
}

/* Drops absorbed elements from a node's list, and those within the pivot's, and
 * appends the pivot's. Returns how many nodes the others add to its degree. */
static int keep_elements(struct quotient *q, int node, int pivot)
{
    struct list *e = &q->elements[node];
    int kept = 0, degree = 0;
    for (int k = 0; k < e->count; k++) {
        int element = e->at[k];
        if (q->state[element] != ELEMENT)
            continue;
        if (q->outside[element] == 0) {
            q->state[element] = ABSORBED;
            continue;
        }
        degree += q->outside[element];
        e->at[kept++] = element;
    }
    e->count = kept;
    append_to_list(q, e, pivot);
    return degree;
}

/* Drops nodes from a node's list that are in the pivot's element. Returns how
 * many are left. */
static int keep_nodes(struct quotient *q, int node)
{
    struct list *l = &q->nodes[node];
    int kept = 0;
    for (int k = 0; k < l->count; k++) {
        int to = l->at[k];
        if (q->state[to] == NODE && q->mark[to] != q->stamp)
            l->at[kept++] = to;
    }
    l->count = kept;
    return kept;
}

/* Of the nodes in the pivot's element; `left` nodes are not eliminated. Degrees
 * are upper bounds. */
static void update_degrees(struct quotient *q, int pivot, int left)
{
    const struct list *l = &q->nodes[pivot];
    count_outside(q, l);
    for (int i = 0; i < l->count; i++) {
        int node = l->at[i];
        int degree =
            keep_elements(q, node, pivot) + keep_nodes(q, node) + l->count - 1;
        take_from_bucket(q, node);
        put_in_bucket(q, node, degree < left - 1 ? degree : left - 1);
    }
}

int *sparse_minimum_degree(struct sparse_room *room, const struct sparse *a)
{
    struct graph g = make_graph(room, a);
    struct quotient q = make_quotient(room, &g);
    int *order = sparse_new(room, g.n, sizeof *order);
    for (int k = 0; k < g.n; k++) {
        while (q.head[q.lowest] < 0)
            q.lowest++;
        order[k] = q.head[q.lowest];
        take_from_bucket(&q, order[k]);
        make_element(&q, order[k]);
        update_degrees(&q, order[k], g.n - k - 1);
    }
    return order;
}

/* ---- nested dissection ------------------------------------------------ */

enum { SMALL_PART = 32 };

/* Splits the nodes that the search found in two new parts, on both sides of the
 * level in the middle, whose nodes go to the end of the order. Returns the new
 * end. */
static int cut_part(struct levels *l, int *part, int *parts, int *order,
                    int end)
{
    int middle = l->level[l->count / 2], low = *parts + 1, high = *parts + 2;
    *parts += 2;
    for (int i = 0; i < l->count; i++) {
        int node = l->queue[i];
        part[node] = l->level[i] < middle ? low : high;
        if (l->level[i] == middle) {
            part[node] = -1;
            order[--end] = node;
        }
    }
    return end;
}

/* Splits parts until they are small; the order is filled from its end. */
int *sparse_dissection(struct sparse_room *room, const struct sparse *a)
{
    struct graph g = make_graph(room, a);
    int *part = sparse_new(room, g.n, sizeof *part), parts = 0, end = g.n;
    int *order = sparse_new(room, g.n, sizeof *order);
    int *pile = sparse_new(room, g.n, sizeof *pile), piled = 0;
    struct levels l = make_levels(room, &g, part);
    for (int i = 0; i < g.n; i++)
        pile[piled++] = i;
    while (piled > 0) {
        int root = pile[piled - 1];
        if (part[root] < 0) {
            piled--;
            continue;
        }
        find_end(&l, root);
        int height = l.level[l.count - 1] + 1;
        if (l.count > SMALL_PART && height > 2) {
            end = cut_part(&l, part, &parts, order, end);
            continue;
        }
        for (int i = 0; i < l.count; i++) {
            part[l.queue[i]] = -1;
            order[--end] = l.queue[i];
        }
    }
    return order;
}

int *sparse_order(struct sparse_room *room, const struct sparse *a, int how)
{
    int *order;
    switch (how) {
    case 0:
        order = sparse_new(room, a->n, sizeof *order);
        for (int i = 0; i < a->n; i++)
            order[i] = i;
        return order;
    case 1:
        return sparse_rcm(room, a);
    case 2:
        return sparse_minimum_degree(room, a);
    case 3:
        return sparse_dissection(room, a);
    default:
        return NULL;
    }
}

/* ---- diagonals without zeros ------------------------------------------ */

struct matching {
    const struct sparse *a;
    int *row; /* of each column, or -1 */
    int *mark, *at, *stack;
};

/* Finds a column for row i, depth first along rows that can move to another
 * one. False: there is none. */
static bool find_column(struct matching *m, int i)
{
    const struct sparse *a = m->a;
    int depth = 0;
    m->stack[0] = i;
    m->at[i] = a->start[i] - a->base;
    while (depth >= 0) {
        int row = m->stack[depth];
        if (m->at[row] == a->start[row + 1] - a->base) {
            depth--;
            continue;
        }
        int j = a->index[m->at[row]++] - a->base;
        if (m->mark[j] == i + 1)
            continue;
        m->mark[j] = i + 1;
        if (m->row[j] >= 0) {
            m->stack[++depth] = m->row[j];
            m->at[m->row[j]] = a->start[m->row[j]] - a->base;
            continue;
        }
        for (; depth >= 0; depth--) {
            row = m->stack[depth];
            m->row[a->index[m->at[row] - 1] - a->base] = row;
        }
        return true;
    }
    return false;
}

int sparse_zero_free(struct sparse_room *room, const struct sparse *a, int *row)
{
    struct matching m = {
        .a = a,
        .row = row,
        .mark = sparse_new(room, a->n, sizeof(int)),
        .at = sparse_new(room, a->n, sizeof(int)),
        .stack = sparse_new(room, a->n + 1, sizeof(int)),
    };
    int found = 0, spare = 0;
    bool *is_used = sparse_new(room, a->n, sizeof *is_used);
    for (int j = 0; j < a->n; j++)
        row[j] = -1;
    for (int i = 0; i < a->n; i++)
        found += find_column(&m, i);
    for (int j = 0; j < a->n; j++) {
        if (row[j] >= 0)
            is_used[row[j]] = true;
    }
    for (int j = 0; j < a->n; j++) {
        while (row[j] < 0 && is_used[spare])
            spare++;
        if (row[j] < 0)
            row[j] = spare++;
    }
    return found;
}
