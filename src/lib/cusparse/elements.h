/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in memory: of the type T, or converted from and to another type. No
 * guard: kernels.c includes this once for each T. */

static T OF(number)(double real, double imag)
{
#if IS_COMPLEX
    T v;
    ((REAL *)&v)[0] = (REAL)real;
    ((REAL *)&v)[1] = (REAL)imag;
    return v;
#else
    (void)imag;
    return (T)real;
#endif
}

/* A number of another type than T. Integers and halves are exact. */
static __attribute__((noinline)) T OF(widen)(cudaDataType type, const void *p,
                                             int64_t i)
{
    const uint16_t *half = p;
    switch (type) {
    case CUDA_R_32F:
        return (T)((const float *)p)[i];
    case CUDA_R_64F:
        return (T)((const double *)p)[i];
    case CUDA_C_32F:
        return OF(number)(((const float *)p)[2 * i],
                          ((const float *)p)[2 * i + 1]);
    case CUDA_C_64F:
        return OF(number)(((const double *)p)[2 * i],
                          ((const double *)p)[2 * i + 1]);
    case CUDA_R_16F:
        return (T)half_to_float(half[i]);
    case CUDA_C_16F:
        return OF(number)(half_to_float(half[2 * i]),
                          half_to_float(half[2 * i + 1]));
    case CUDA_R_16BF:
        return (T)bfloat_of_bits(half[i]);
    case CUDA_C_16BF:
        return OF(number)(bfloat_of_bits(half[2 * i]),
                          bfloat_of_bits(half[2 * i + 1]));
    case CUDA_R_8I:
        return (T)((const int8_t *)p)[i];
    default: /* CUDA_R_32I */
        return (T)((const int32_t *)p)[i];
    }
}

static inline T OF(load)(cudaDataType type, const void *p, int64_t i)
{
    return type == NATIVE ? ((const T *)p)[i] : OF(widen)(type, p, i);
}

static __attribute__((noinline)) void OF(narrow)(cudaDataType type, void *p,
                                                 int64_t i, T v)
{
    double real = creal(v), imag = cimag(v);
    uint16_t *half = p;
    switch (type) {
    case CUDA_R_32F:
        ((float *)p)[i] = (float)real;
        return;
    case CUDA_R_64F:
        ((double *)p)[i] = real;
        return;
    case CUDA_C_16F:
        half[2 * i] = bits_of_half((float)real);
        half[2 * i + 1] = bits_of_half((float)imag);
        return;
    case CUDA_C_16BF:
        half[2 * i] = bits_of_bfloat((float)real);
        half[2 * i + 1] = bits_of_bfloat((float)imag);
        return;
    case CUDA_R_16F:
        half[i] = bits_of_half((float)real);
        return;
    case CUDA_R_16BF:
        half[i] = bits_of_bfloat((float)real);
        return;
    case CUDA_R_8I:
        ((int8_t *)p)[i] = (int8_t)real;
        return;
    default: /* CUDA_R_32I: sums wrap */
        ((int32_t *)p)[i] = (int32_t)(int64_t)real;
    }
}

static inline void OF(store)(cudaDataType type, void *p, int64_t i, T v)
{
    if (type == NATIVE)
        ((T *)p)[i] = v;
    else
        OF(narrow)(type, p, i, v);
}

static T OF(value)(const struct scalar *s)
{
    return s->at ? OF(load)(s->type, s->at, 0) : OF(number)(s->real, s->imag);
}

/* ---- dense matrices --------------------------------------------------- */

static inline int64_t OF(place)(const struct dense *d, int64_t row, int64_t col)
{
    return row * d->row_step + col * d->col_step;
}

/* Of a matrix of T. */
static inline T *OF(cell)(const struct dense *d, int64_t row, int64_t col)
{
    return (T *)d->at + OF(place)(d, row, col);
}

static inline T OF(read)(const struct dense *d, int64_t row, int64_t col)
{
    T v = OF(load)(d->type, d->at, OF(place)(d, row, col));
    return d->is_conjugate ? CONJ(v) : v;
}

/* p[i] = beta p[i] + v; p[i] is not read where beta is 0. */
static inline void OF(blend)(cudaDataType type, void *p, int64_t i, T beta, T v)
{
    OF(store)
    (type, p, i, beta == 0 ? v : beta * OF(load)(type, p, i) + v);
}

/* ---- sparse matrices -------------------------------------------------- */

static inline T OF(entry)(const struct sparse *s, int64_t at)
{
    T v = OF(load)(s->type, s->values, at);
    return s->is_conjugate ? CONJ(v) : v;
}
