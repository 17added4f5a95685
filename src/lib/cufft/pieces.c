/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between the pieces of devices and the whole, in chunks. */
#include "xt.h"

#include <string.h>

enum { CHUNK_BYTES = 1 << 18 };

static uint64_t chunks_in_row(const struct piece *p)
{
    return (p->row_bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
}

static void copy_chunk(const struct pieces *all, const struct piece *p,
                       uint64_t chunk)
{
    uint64_t row = chunk / chunks_in_row(p);
    uint64_t at = chunk % chunks_in_row(p) * CHUNK_BYTES;
    uint64_t bytes = p->row_bytes - at;
    char *whole = all->whole + p->offset + row * p->stride + at;
    char *piece = p->at + row * p->row_bytes + at;
    if (bytes > CHUNK_BYTES)
        bytes = CHUNK_BYTES;
    if (all->gathers)
        memcpy(whole, piece, bytes);
    else
        memcpy(piece, whole, bytes);
}

/* Chunks [first, end) of all the pieces' together. */
static void copy_chunks(const void *args, uint64_t first, uint64_t end)
{
    const struct pieces *all = args;
    uint64_t before = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct piece *p = &all->piece[i];
        uint64_t count = p->rows * chunks_in_row(p);
        for (uint64_t c = 0; c < count; c++) {
            if (before + c >= first && before + c < end)
                copy_chunk(all, p, c);
        }
        before += count;
    }
}

static uint64_t chunk_count(const struct pieces *all)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < all->count; i++)
        count += all->piece[i].rows * chunks_in_row(&all->piece[i]);
    return count;
}

void pieces_copy(const struct pieces *p)
{
    copy_chunks(p, 0, chunk_count(p));
}

static const struct native_kernel copying = {
    .name = "cufft_pieces",
    .run = copy_chunks,
    .args_bytes = sizeof(struct pieces),
};

CUresult pieces_run(const struct pieces *p, CUstream stream)
{
    return lib_run(&copying, stream, chunk_count(p), p);
}
