/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many blocks a kernel's clusters have: what the kernel says, its
 * attributes and the launch. And how many clusters there are at a time.
 */
#include "core/internal.h"

static unsigned product_of(const unsigned n[3])
{
    return n[0] * n[1] * n[2];
}

static unsigned or_one(unsigned n)
{
    return n ? n : 1;
}

static bool is_given(const unsigned n[3])
{
    return n[0] || n[1] || n[2];
}

/* The cluster that .reqnctapercluster or the attributes require. False:
 * none. */
static bool find_required(CUfunction f, unsigned out[3])
{
    const unsigned *n =
        f->ptx->reqnctapercluster[0] ? f->ptx->reqnctapercluster : f->cluster;
    bool is_own = n != f->cluster; /* .reqnctapercluster 2: 2, 1, 1 */
    for (unsigned i = 0; i < 3; i++)
        out[i] = is_own ? or_one(n[i]) : n[i];
    return is_given(n);
}

static int size_limit(CUfunction f)
{
    unsigned most =
        f->is_large_cluster_allowed ? WEFT_CLUSTER_MAX : LIMIT_CLUSTER_PORTABLE;
    unsigned own = f->ptx->maxclusterrank;
    return (int)(own && own < most ? own : most);
}

static bool is_same(const unsigned a[3], const unsigned b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Are the dimensions legal, and their product no more blocks than allowed? It
 * cannot overflow, as each is small. */
static bool is_size_allowed(CUfunction f, const unsigned n[3])
{
    for (unsigned i = 0; i < 3; i++) {
        if (n[i] < 1 || n[i] > WEFT_CLUSTER_MAX)
            return false;
    }
    return product_of(n) <= (unsigned)size_limit(f);
}

CUresult cluster_resolve(CUfunction f, struct launch_config *c)
{
    assert(f && c);
    unsigned required[3];
    bool is_required = find_required(f, required);
    bool has_own = is_given(c->cluster);
    if (has_own && is_required && !is_same(c->cluster, required))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (!has_own && !is_required) {
        if (f->ptx->is_explicit_cluster)
            return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        return CUDA_SUCCESS;
    }
    if (!has_own)
        memcpy(c->cluster, required, sizeof required);
    if (!is_size_allowed(f, c->cluster))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    for (unsigned i = 0; i < 3; i++) {
        if (f->ptx->has_cluster_blocks) {
            if (c->grid[i] > LIMIT_GRID_X / c->cluster[i])
                return CUDA_ERROR_INVALID_VALUE;
            c->grid[i] *= c->cluster[i];
        }
        if (c->grid[i] % c->cluster[i])
            return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    }
    return CUDA_SUCCESS;
}

/* ---- occupancy -------------------------------------------------------- */

static CUresult blocks_per_sm(CUfunction f, const struct launch_config *c,
                              int *blocks)
{
    assert(blocks);
    uint64_t threads = (uint64_t)c->block[0] * c->block[1] * c->block[2];
    if (threads == 0 || threads > LIMIT_THREADS_PER_BLOCK)
        return CUDA_ERROR_INVALID_VALUE;
    return occupancy_max_blocks(f, (int)threads, c->shared_bytes, blocks);
}

CUresult occupancy_max_cluster_size(CUfunction f,
                                    const struct launch_config *config,
                                    int *size)
{
    int blocks;
    assert(f && config && size);
    CUresult err = blocks_per_sm(f, config, &blocks);
    if (err)
        return err;
    if (is_given(config->cluster) && !is_size_allowed(f, config->cluster))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    *size = blocks ? size_limit(f) : 0; /* whatever the kernel requires */
    return CUDA_SUCCESS;
}

/* A cluster that the grid has a whole number of, but that is larger than any:
 * none fits, which is an answer. Launches refuse it. */
static bool is_beyond_all(CUfunction f, const struct launch_config *c)
{
    for (unsigned i = 0; i < 3; i++)
        if (!c->cluster[i] || c->grid[i] % c->cluster[i])
            return false;
    return f->is_large_cluster_allowed && !f->ptx->maxclusterrank &&
           product_of(c->cluster) > WEFT_CLUSTER_MAX;
}

CUresult occupancy_max_clusters(CUfunction f,
                                const struct launch_config *config, int *count)
{
    struct launch_config c = *config;
    int blocks;
    CUresult err = blocks_per_sm(f, &c, &blocks);
    if (!err && is_beyond_all(f, &c)) {
        *count = 0;
        return CUDA_SUCCESS;
    }
    if (!err)
        err = cluster_resolve(f, &c);
    if (err)
        return err;
    unsigned size = product_of(c.cluster);
    unsigned all = (unsigned)blocks * device_sm_count();
    /* An SM always takes one cluster, however large. */
    *count = (int)(all ? or_one(all / or_one(size)) : 0);
    return CUDA_SUCCESS;
}
