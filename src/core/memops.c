/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that streams write and wait for. CUDA Driver API, "Stream Memory
 * Operations".
 */
#include "core/capture_hooks.h"
#include "core/check.h"

#include <stdlib.h>

#include "core/until.h"

#define BATCH_MAX 255 /* as an H200 has it */

static void *word_at(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

static uint64_t load_word(const struct memop *m)
{
    assert(m->kind == MEMOP_WAIT);
    if (m->is_wide)
        return atomic_load((const _Atomic uint64_t *)word_at(m->address));
    return atomic_load((const _Atomic uint32_t *)word_at(m->address));
}

/* Differences are taken in a circle, so that counters may wrap. */
static bool is_reached(const struct memop *m, uint64_t found)
{
    uint64_t difference = found - m->value;
    return m->is_wide ? (int64_t)difference >= 0
                      : (int32_t)(uint32_t)difference >= 0;
}

static bool holds_condition(const void *data)
{
    const struct memop *m = data;
    uint64_t found = load_word(m);
    switch (m->flags) {
    case CU_STREAM_WAIT_VALUE_GEQ:
        return is_reached(m, found);
    case CU_STREAM_WAIT_VALUE_EQ:
        return found == m->value;
    case CU_STREAM_WAIT_VALUE_AND:
        return found & m->value;
    default: /* NOR */
        return m->is_wide ? ~(found | m->value) != 0
                          : (uint32_t) ~(found | m->value) != 0;
    }
}

static void store_word(const struct memop *m)
{
    assert(m->kind == MEMOP_WRITE);
    check_values_set(word_at(m->address),
                     m->is_wide ? sizeof(uint64_t) : sizeof(uint32_t));
    if (m->is_wide)
        atomic_store((_Atomic uint64_t *)word_at(m->address), m->value);
    else
        atomic_store((_Atomic uint32_t *)word_at(m->address),
                     (uint32_t)m->value);
    until_poke();
}

static void store_and_free(void *data)
{
    store_word(data);
    free(data);
}

/* ---- checks ----------------------------------------------------------- */

static CUresult check_flags(const struct memop *m)
{
    if (m->kind == MEMOP_WRITE) /* none, of those that are documented either */
        return m->flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    unsigned how = m->flags & ~(unsigned)CU_STREAM_WAIT_VALUE_FLUSH;
    if (how > CU_STREAM_WAIT_VALUE_NOR)
        return CUDA_ERROR_INVALID_VALUE;
    return how == m->flags ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

/* Of memory that kernels may use, but for managed memory. */
static CUresult check_memop(const struct memop *m)
{
    size_t size_bytes = m->is_wide ? 8 : 4;
    if (m->kind == MEMOP_BARRIER) /* all that came before is visible anyhow */
        return CUDA_SUCCESS;
    struct mem_info info = mem_query(word_at(m->address));
    if (!m->address || m->address % size_bytes || info.kind == MEM_UNKNOWN ||
        mem_seen_as(&info) == MEM_MANAGED ||
        !mem_holds(word_at(m->address), size_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    return check_flags(m);
}

/* ---- in stream order -------------------------------------------------- */

static struct memop *copy_of(const struct memop *m)
{
    struct memop *own = malloc(sizeof *own);
    if (own)
        *own = *m;
    return own;
}

static CUresult submit_wait(CUstream s, const struct memop *m)
{
    assert(m->kind == MEMOP_WAIT);
    struct memop *own = copy_of(m);
    if (!own)
        return CUDA_ERROR_OUT_OF_MEMORY;
    const struct until u = {.holds = holds_condition, .end = free, .data = own};
    CUresult err = stream_wait_until(s, &u);
    if (err)
        free(own);
    return err;
}

static CUresult submit_write(CUstream s, const struct memop *m)
{
    assert(m->kind == MEMOP_WRITE);
    if (stream_is_idle(s)) {
        store_word(m);
        return CUDA_SUCCESS;
    }
    struct memop *own = copy_of(m);
    struct exec_task *t = own ? exec_task_call(store_and_free, own) : NULL;
    CUresult err = t ? stream_submit(s, t) : CUDA_ERROR_OUT_OF_MEMORY;
    if (err)
        free(own);
    exec_task_unref(t);
    return err;
}

static CUresult submit_memop(CUstream s, const struct memop *m)
{
    return m->kind == MEMOP_WAIT    ? submit_wait(s, m)
           : m->kind == MEMOP_WRITE ? submit_write(s, m)
                                    : CUDA_SUCCESS;
}

/* May the stream's device write the word, or read it? */
static bool is_word_reached(CUcontext ctx, const struct memop *m)
{
    return m->kind == MEMOP_BARRIER ||
           pointer_reaches(ctx, word_at(m->address),
                           m->is_wide ? sizeof(uint64_t) : sizeof(uint32_t),
                           m->kind == MEMOP_WRITE
                               ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                               : CU_MEM_ACCESS_FLAGS_PROT_READ);
}

CUresult stream_memops(CUstream s, const struct memop *ops, size_t count)
{
    CUresult err = ctx_sticky(s->ctx);
    for (size_t i = 0; i < count && !err; i++)
        err = check_memop(&ops[i]);
    for (size_t i = 0; i < count && !err; i++)
        if (!is_word_reached(s->ctx, &ops[i]))
            err = CUDA_ERROR_INVALID_VALUE;
    if (!err && capture_memops(s, ops, count, &err))
        return err;
    for (size_t i = 0; i < count && !err; i++)
        err = submit_memop(s, &ops[i]);
    return err;
}

/* ---- as the program says it ------------------------------------------- */

static CUresult read_one(const CUstreamBatchMemOpParams *p, struct memop *out)
{
    *out = (struct memop){.kind = MEMOP_WAIT};
    switch (p->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        out->is_wide = true; /* fall through */
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        out->address = p->waitValue.address;
        out->flags = p->waitValue.flags;
        break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        out->is_wide = true; /* fall through */
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        out->kind = MEMOP_WRITE;
        out->address = p->writeValue.address;
        out->flags = p->writeValue.flags;
        break;
    case CU_STREAM_MEM_OP_BARRIER:
        out->kind = MEMOP_BARRIER;
        return p->memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU
                   ? CUDA_ERROR_INVALID_VALUE
                   : CUDA_SUCCESS;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    out->value = out->is_wide ? p->waitValue.value64 : p->waitValue.value;
    return CUDA_SUCCESS;
}

void memop_params(const struct memop *m, CUstreamBatchMemOpParams *out)
{
    assert(m && out);
    memset(out, 0, sizeof *out);
    if (m->kind == MEMOP_BARRIER) {
        out->operation = CU_STREAM_MEM_OP_BARRIER;
        return;
    }
    bool is_wait = m->kind == MEMOP_WAIT;
    out->operation = is_wait      ? m->is_wide ? CU_STREAM_MEM_OP_WAIT_VALUE_64
                                               : CU_STREAM_MEM_OP_WAIT_VALUE_32
                     : m->is_wide ? CU_STREAM_MEM_OP_WRITE_VALUE_64
                                  : CU_STREAM_MEM_OP_WRITE_VALUE_32;
    /* Both kinds have the same members. */
    out->waitValue.address = m->address;
    out->waitValue.flags = m->flags;
    if (m->is_wide)
        out->waitValue.value64 = m->value;
    else
        out->waitValue.value = (cuuint32_t)m->value;
}

CUresult stream_batch_memops(CUstream s, const CUstreamBatchMemOpParams *ops,
                             unsigned count)
{
    struct memop all[BATCH_MAX];
    CUresult err = CUDA_SUCCESS;
    if (count > BATCH_MAX || (count && !ops))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count && !err; i++)
        err = read_one(&ops[i], &all[i]);
    return err ? err : stream_memops(s, all, count);
}

CUresult memops_check(const CUstreamBatchMemOpParams *ops, unsigned count)
{
    CUresult err = count && count <= BATCH_MAX && ops
                       ? CUDA_SUCCESS
                       : CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count && !err; i++) {
        struct memop m;
        err = read_one(&ops[i], &m);
        if (!err)
            err = check_memop(&m);
    }
    return err;
}
