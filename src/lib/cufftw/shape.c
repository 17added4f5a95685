/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <math.h>
#include <stdlib.h>

static bool is_rank(int rank)
{
    return rank >= 1 && rank <= FFT_RANK_MAX;
}

/* Elements of the last axis on a side. */
static int last_extent(const struct shape *s, int n, bool is_in, bool in_place)
{
    bool is_real = s->type == (is_in ? FFT_R2C : FFT_C2R);
    if (s->type == FFT_C2C || (is_real && !in_place))
        return n;
    return is_real ? 2 * (n / 2 + 1) : n / 2 + 1;
}

static ptrdiff_t fill_side(struct shape *s, const struct many *m, bool is_in,
                           bool in_place)
{
    const int *embed = is_in ? m->inembed : m->onembed;
    ptrdiff_t step = is_in ? m->istride : m->ostride;
    for (int k = m->rank - 1; k >= 0; k--) {
        *(is_in ? &s->dim[k].is : &s->dim[k].os) = step;
        if (embed)
            step *= embed[k];
        else if (k == m->rank - 1)
            step *= last_extent(s, m->n[k], is_in, in_place);
        else
            step *= m->n[k];
    }
    return step;
}

bool shape_of_many(struct shape *s, const struct many *m, bool in_place)
{
    if (!is_rank(m->rank) || !m->n || m->batch < 1)
        return false;
    s->rank = m->rank;
    s->batch_rank = 1;
    for (int k = 0; k < m->rank; k++)
        s->dim[k].n = m->n[k];
    ptrdiff_t in = fill_side(s, m, true, in_place);
    ptrdiff_t out = fill_side(s, m, false, in_place);
    s->batch = (fftw_iodim64){m->batch, m->batch > 1 ? m->idist : in,
                              m->batch > 1 ? m->odist : out};
    return true;
}

const fftw_iodim64 *shape_widen(int rank, const fftw_iodim *dims,
                                fftw_iodim64 *to)
{
    for (int k = 0; dims && k < rank && k < FFT_RANK_MAX; k++)
        to[k] = (fftw_iodim64){dims[k].n, dims[k].is, dims[k].os};
    return dims ? to : NULL;
}

bool shape_of_guru(struct shape *s, int rank, const fftw_iodim64 *dims,
                   int batch_rank, const fftw_iodim64 *batch_dims)
{
    if (!is_rank(rank) || !dims || batch_rank < 0 || batch_rank > 1 ||
        (batch_rank && !batch_dims))
        return false;
    s->rank = rank;
    s->batch_rank = batch_rank;
    for (int k = 0; k < rank; k++)
        s->dim[k] = dims[k];
    s->batch = batch_rank ? batch_dims[0] : (fftw_iodim64){1, 0, 0};
    return true;
}

/* ---- plans ------------------------------------------------------------ */

static bool request_of(const struct shape *s, struct fft_request *r)
{
    *r = (struct fft_request){.real = s->real,
                              .type = s->type,
                              .rank = (unsigned)s->rank,
                              .batch = (uint64_t)s->batch.n};
    if (s->batch.n < 1)
        return false;
    for (int k = 0; k < s->rank; k++) {
        if (s->dim[k].n < 1 || s->dim[k].n > 1 << 27)
            return false;
        r->n[k] = (uint64_t)s->dim[k].n;
        r->in.stride[k] = s->dim[k].is;
        r->out.stride[k] = s->dim[k].os;
    }
    r->in.distance = s->batch.is;
    r->out.distance = s->batch.os;
    return true;
}

struct plan *plan_make(const struct shape *s, void *in, void *out)
{
    struct fft_request r;
    struct plan *p = calloc(1, sizeof *p);
    struct handle *h = calloc(1, sizeof *h);
    if (!p || !h || !request_of(s, &r))
        goto fail;
    h->allocates = true;
    if (handle_make_request(h, &r))
        goto fail;
    *p = (struct plan){h, in, out,
                       s->type == FFT_C2R ||
                           (s->type == FFT_C2C && s->sign == FFTW_BACKWARD)};
    return p;
fail:
    free(h);
    free(p);
    return NULL;
}

void plan_execute(const struct plan *p, void *in, void *out)
{
    if (!p || !in || !out)
        return;
    if (!handle_transform(p->handle, in, out, p->inverse, false))
        lib_synchronize(p->handle->stream);
}

void plan_end(struct plan *p)
{
    if (!p)
        return;
    handle_destroy(p->handle);
    free(p);
}

double plan_operations(const struct plan *p)
{
    const struct fft_request *r = &p->handle->request;
    double numbers = 1;
    for (unsigned k = 0; k < r->rank; k++)
        numbers *= (double)r->n[k];
    return numbers * log2(numbers) * (double)r->batch *
           (r->type == FFT_C2C ? 1 : 0.5);
}
