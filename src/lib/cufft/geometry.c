/* SPDX-License-Identifier: Apache-2.0 */
/* How passes are divided, and what room they need. */
#include "fft.h"

bool fft_is_by_element(enum fft_kind kind)
{
    return kind >= FFT_SPLIT_REAL;
}

uint64_t fft_extent(const struct fft_pass *p)
{
    if (p->kind == FFT_CHIRP)
        return p->padded;
    if (p->kind == FFT_SPLIT_REAL || p->kind == FFT_JOIN_REAL ||
        p->kind == FFT_MIRROR)
        return p->n / 2 + 1;
    return p->n;
}

uint64_t fft_segment(const struct fft_pass *p)
{
    return p->real_roots ? (uint64_t)1 << p->real_roots->shift : 4096;
}

uint64_t fft_groups_in_block(const struct fft_engine *e,
                             const struct fft_pass *p)
{
    uint64_t groups = p->dim[0].count;
    if (fft_is_by_element(p->kind))
        groups *= (fft_extent(p) + fft_segment(p) - 1) / fft_segment(p);
    else if (!p->across_lanes)
        groups = (groups + e->lanes - 1) / e->lanes;
    for (unsigned d = 1; d < p->inner_dims; d++)
        groups *= p->dim[d].count;
    return groups;
}

uint64_t fft_blocks(const struct fft_pass *p)
{
    uint64_t blocks = 1;
    for (unsigned d = p->inner_dims; d < FFT_DIMS_MAX; d++)
        blocks *= p->dim[d].count;
    return blocks;
}

size_t fft_line_room(const struct fft_pass *p)
{
    if (!p->core->radix_count && p->core->convolution)
        return p->core->convolution->n;
    return p->core->n + 1;
}

unsigned fft_columns_at_once(const struct fft_engine *e,
                             const struct fft_pass *p)
{
    enum { MOST = 4, BYTES_MAX = 1 << 18 };
    int64_t number = 2 * (int64_t)e->real_bytes;
    if (p->kind != FFT_COMPLEX || p->across_lanes || !p->core ||
        !p->core->radix_count || p->in.format != FFT_OWN ||
        p->out.format != FFT_OWN ||
        (p->dim[0].in != number && p->dim[0].out != number))
        return 1;
    unsigned count = MOST;
    while (count > 1 &&
           count * fft_line_room(p) * (size_t)number * e->lanes > BYTES_MAX)
        count /= 2;
    return count;
}

void fft_twist_sizes(const struct fft_pass *p, size_t *first, size_t *second)
{
    *first = 1;
    while (*first * *first < p->n)
        *first *= 2;
    *second = (p->n + *first - 1) / *first;
}

size_t fft_scratch_bytes(const struct fft_engine *e, const struct fft_pass *p)
{
    size_t numbers = 0, first, second;
    if (fft_is_by_element(p->kind))
        return 0;
    if (p->twist) {
        fft_twist_sizes(p, &first, &second);
        numbers = first + second;
    }
    numbers += (1 + fft_columns_at_once(e, p)) * fft_line_room(p);
    return numbers * 2 * e->lanes * e->real_bytes;
}

unsigned fft_line_of_lane(const struct fft_engine *e, unsigned lane)
{
    unsigned part = (unsigned)(16 / e->real_bytes), half = part / 2;
    return lane / part * half + lane % half +
           (lane % part >= half ? e->lanes / 2 : 0);
}
