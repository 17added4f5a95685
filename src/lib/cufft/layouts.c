/* SPDX-License-Identifier: Apache-2.0 */
/* From the arguments of a Make call to a request, with cuFFT's checks. */
#include "handles.h"

/* ---- types ------------------------------------------------------------ */

struct types {
    cudaDataType real, complex;
    enum fft_real engine;
    enum fft_format format;
};

static const struct types types[] = {
    {CUDA_R_32F, CUDA_C_32F, FFT_FLOAT, FFT_OWN},
    {CUDA_R_64F, CUDA_C_64F, FFT_DOUBLE, FFT_OWN},
    {CUDA_R_16F, CUDA_C_16F, FFT_FLOAT, FFT_HALF},
    {CUDA_R_16BF, CUDA_C_16BF, FFT_FLOAT, FFT_BFLOAT},
};

bool layout_types(cufftType type, struct layout_call *c)
{
    bool is_double = type >= CUFFT_Z2Z;
    cudaDataType real = is_double ? CUDA_R_64F : CUDA_R_32F;
    cudaDataType complex = is_double ? CUDA_C_64F : CUDA_C_32F;
    c->in = c->out = c->execution = complex;
    switch (type) {
    case CUFFT_C2C:
    case CUFFT_Z2Z:
        return true;
    case CUFFT_R2C:
    case CUFFT_D2Z:
        c->in = real;
        return true;
    case CUFFT_C2R:
    case CUFFT_Z2D:
        c->out = real;
        return true;
    default:
        return false;
    }
}

/* One precision throughout; at most one side real. */
static const struct types *types_of(const struct layout_call *c,
                                    enum fft_type *type)
{
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        const struct types *t = &types[i];
        bool in = c->in == t->complex, out = c->out == t->complex;
        if ((c->execution != t->complex && c->execution != t->real) ||
            (!in && c->in != t->real) || (!out && c->out != t->real) ||
            (!in && !out))
            continue;
        *type = in && out ? FFT_C2C : in ? FFT_C2R : FFT_R2C;
        return t;
    }
    return NULL;
}

/* ---- layouts ---------------------------------------------------------- */

/* Numbers of the last axis on a side. */
static uint64_t last_extent(const struct fft_request *r, bool is_real,
                            bool padded)
{
    uint64_t n = r->n[r->rank - 1], half = n / 2 + 1;
    if (r->type == FFT_C2C)
        return n;
    if (!is_real)
        return half;
    return padded ? 2 * half : n;
}

static void pack_layout(const struct fft_request *r, struct fft_layout *l,
                        bool is_real, bool padded)
{
    int64_t step = 1;
    for (unsigned k = r->rank; k-- > 0;) {
        l->stride[k] = step;
        step *= (int64_t)(k == r->rank - 1 ? last_extent(r, is_real, padded)
                                           : r->n[k]);
    }
    l->distance = step;
}

static void spread_layout(const struct fft_request *r, struct fft_layout *l,
                          const long long *embed, long long stride,
                          long long distance)
{
    for (unsigned k = r->rank; k-- > 0; stride *= k ? embed[k] : 1)
        l->stride[k] = stride;
    l->distance = distance;
}

void layout_pad(struct fft_request *r)
{
    if (r->type == FFT_R2C)
        pack_layout(r, &r->in, true, true);
    if (r->type == FFT_C2R)
        pack_layout(r, &r->out, true, true);
}

/* ---- what is possible ------------------------------------------------- */

static bool is_power_of_2(uint64_t n)
{
    return (n & (n - 1)) == 0;
}

/* A convolution is twice as long; two short lines make no more than 2^28. */
static bool is_length_possible(uint64_t n)
{
    return n <= (uint64_t)1 << 27 || n == (uint64_t)1 << 28;
}

static cufftResult check_lengths(const struct layout_call *c,
                                 const struct fft_request *r)
{
    uint64_t numbers = 1;
    if (c->batch < 1)
        return CUFFT_INVALID_SIZE;
    for (int k = 0; k < c->rank; k++) {
        uint64_t n = (uint64_t)c->n[k];
        bool halved = r->type != FFT_C2C && k == c->rank - 1 && n % 2 == 0;
        if (c->n[k] < 1 || !is_length_possible(halved ? n / 2 : n) ||
            __builtin_mul_overflow(numbers, n, &numbers))
            return CUFFT_INVALID_SIZE;
        if (r->in.format != FFT_OWN && !is_power_of_2(n))
            return CUFFT_NOT_SUPPORTED;
    }
    if (__builtin_mul_overflow(numbers, (uint64_t)c->batch, &numbers) ||
        numbers >> 40)
        return CUFFT_INVALID_SIZE;
    return CUFFT_SUCCESS;
}

/* Lines may overlap, as CUDA has it. */
static bool is_layout_possible(const struct layout_call *c)
{
    if (c->istride < 1 || c->ostride < 1)
        return false;
    if (c->batch > 1 && (c->idist < 1 || c->odist < 1))
        return false;
    for (int k = 1; k < c->rank; k++) {
        if (c->inembed[k] < 0 || c->onembed[k] < 0)
            return false;
    }
    return true;
}

cufftResult layout_request(const struct layout_call *c, struct fft_request *r,
                           bool *is_default)
{
    *r = (struct fft_request){0};
    if (c->rank < 1 || c->rank > FFT_RANK_MAX || !c->n ||
        !c->inembed != !c->onembed)
        return CUFFT_INVALID_VALUE;
    const struct types *t = types_of(c, &r->type);
    if (!t)
        return CUFFT_INVALID_TYPE;
    r->real = t->engine;
    r->in.format = r->out.format = t->format;
    cufftResult err = check_lengths(c, r);
    if (err)
        return err;
    r->rank = (unsigned)c->rank;
    r->batch = (uint64_t)c->batch;
    for (unsigned k = 0; k < r->rank; k++)
        r->n[k] = (uint64_t)c->n[k];
    *is_default = !c->inembed;
    if (*is_default) {
        pack_layout(r, &r->in, r->type == FFT_R2C, false);
        pack_layout(r, &r->out, r->type == FFT_C2R, false);
        return CUFFT_SUCCESS;
    }
    if (!is_layout_possible(c))
        return CUFFT_INVALID_VALUE;
    spread_layout(r, &r->in, c->inembed, c->istride, c->idist);
    spread_layout(r, &r->out, c->onembed, c->ostride, c->odist);
    return CUFFT_SUCCESS;
}

/* In place, reals are padded: another plan, the same work area. */
size_t layout_work_bytes(const struct fft_request *r, bool is_default)
{
    unsigned threads = lib_thread_count();
    struct fft_request padded = *r;
    size_t bytes = fft_plan_work_bytes(r, threads), other = 0;
    if (is_default) {
        layout_pad(&padded);
        other = fft_plan_work_bytes(&padded, threads);
    }
    return bytes > other ? bytes : other;
}
