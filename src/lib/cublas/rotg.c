/* SPDX-License-Identifier: Apache-2.0 */
/* rotg and rotmg compute a rotation: at once from numbers of the host, in the
 * stream from those of the device. */
#include "internal.h"

#include <math.h>

struct rotation {
    enum blas_type type; /* rotg: computed in */
    bool is_modified;
    void *in[5]; /* rotg: a, b, c, s; rotmg: d1, d2, x1, y1, param */
    cudaDataType_t types[5];
};

static void make_plain(const struct rotation *r)
{
    union blas_number at[4];
    for (int i = 0; i < 4; i++)
        at[i] = blas_number(r->type, i < 2 ? element_load(r->types[i], r->in[i])
                                           : (struct number){0, 0});
    weft_blas[r->type].rotg(&at[0], &at[1], &at[2], &at[3]);
    for (int i = 0; i < 4; i++) {
        bool is_double = r->type == BLAS_D || r->type == BLAS_Z;
        struct number value = {is_double ? at[i].d[0] : at[i].s[0],
                               is_double ? at[i].d[1] : at[i].s[1]};
        /* rotg of real numbers changes b, that of complex ones does not. */
        if (i != 1 || !blas_is_complex(r->type))
            element_store(r->types[i], value, r->in[i]);
    }
}

/* ---- Lawson, Hanson, Kincaid, Krogh: "Basic Linear Algebra Subprograms for
 * Fortran usage", algorithm of rotmg -------------------------------------- */

enum { GAMMA = 4096 };

struct modified {
    double d1, d2, x1, y1, flag, h11, h12, h21, h22;
};

/* No rotation: all is 0 and the flag -1. */
static void give_up(struct modified *m)
{
    *m = (struct modified){.y1 = m->y1, .flag = -1};
}

/* Writes the elements of H that the flag implies; then all four are stored. */
static void fill_implied(struct modified *m)
{
    if (m->flag == 0)
        m->h11 = m->h22 = 1;
    if (m->flag > 0) {
        m->h21 = -1;
        m->h12 = 1;
    }
    m->flag = -1;
}

/* Brings d between gamma^-2 and gamma^2 and changes its row of H, and x, with
 * it. */
static void rescale_row(struct modified *m, double *d, double *h1, double *h2,
                        double *x)
{
    const double g = GAMMA;
    while (*d != 0 && fabs(*d) <= 1 / (g * g)) {
        fill_implied(m);
        *d *= g * g;
        *h1 /= g;
        *h2 /= g;
        if (x)
            *x /= g;
    }
    while (fabs(*d) >= g * g && isfinite(*d)) {
        fill_implied(m);
        *d /= g * g;
        *h1 *= g;
        *h2 *= g;
        if (x)
            *x *= g;
    }
}

static void compute_rotation(struct modified *m, double q1, double q2)
{
    double p1 = m->d1 * m->x1, p2 = m->d2 * m->y1;
    if (fabs(q1) > fabs(q2)) {
        m->h21 = -m->y1 / m->x1;
        m->h12 = p2 / p1;
        double u = 1 - m->h12 * m->h21;
        if (u <= 0) {
            give_up(m);
            return;
        }
        m->flag = 0;
        m->d1 /= u;
        m->d2 /= u;
        m->x1 *= u;
        return;
    }
    if (q2 < 0) {
        give_up(m);
        return;
    }
    m->flag = 1;
    m->h11 = p1 / p2;
    m->h22 = m->x1 / m->y1;
    double u = 1 + m->h11 * m->h22, d1 = m->d1;
    m->d1 = m->d2 / u;
    m->d2 = d1 / u;
    m->x1 = m->y1 * u;
}

static void compute_modified(struct modified *m)
{
    double p2 = m->d2 * m->y1;
    if (m->d1 < 0) {
        give_up(m);
        return;
    }
    if (p2 == 0) {
        m->flag = -2;
        return;
    }
    compute_rotation(m, m->d1 * m->x1 * m->x1, p2 * m->y1);
    if (m->flag == -1)
        return;
    rescale_row(m, &m->d1, &m->h11, &m->h12, &m->x1);
    rescale_row(m, &m->d2, &m->h21, &m->h22, NULL);
}

static void make_modified(const struct rotation *r)
{
    struct modified m = {.d1 = element_load(r->types[0], r->in[0]).re,
                         .d2 = element_load(r->types[1], r->in[1]).re,
                         .x1 = element_load(r->types[2], r->in[2]).re,
                         .y1 = element_load(r->types[3], r->in[3]).re};
    compute_modified(&m);
    double out[3] = {m.d1, m.d2, m.x1};
    double param[5] = {m.flag, m.h11, m.h21, m.h12, m.h22};
    for (int i = 0; i < 3 && m.flag != -2; i++)
        element_store(r->types[i], (struct number){out[i], 0}, r->in[i]);
    for (int i = 0; i < 5; i++) {
        bool is_implied = (m.flag == 0 && (i == 1 || i == 4)) ||
                          (m.flag == 1 && (i == 2 || i == 3)) ||
                          (m.flag == -2 && i > 0);
        if (!is_implied)
            element_store(r->types[4], (struct number){param[i], 0},
                          (char *)r->in[4] +
                              (size_t)i * element_bytes(r->types[4]));
    }
}

static void run_rotation(const void *args, uint64_t first, uint64_t end)
{
    const struct rotation *r = args;
    (void)first, (void)end;
    if (r->is_modified)
        make_modified(r);
    else
        make_plain(r);
}

static const struct native_kernel kernel = {.name = "rotation",
                                            .run = run_rotation,
                                            .args_bytes =
                                                sizeof(struct rotation)};

static cublasStatus_t make_rotation(const char *name, cublasHandle_t handle,
                                    struct rotation *r)
{
    cublasStatus_t status = cublas_check_handle(handle);
    for (int i = 0; i < (r->is_modified ? 5 : 4); i++) {
        if (!status && !r->in[i])
            status = CUBLAS_STATUS_INVALID_VALUE;
    }
    if (status)
        return cublas_end(name, status);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST)
        run_rotation(r, 0, 1);
    else
        status = cublas_status(lib_run(&kernel, handle->stream, 1, r));
    return cublas_end(name, status);
}

#define ROTG(S, real, number, code, element, real_element)                     \
    cublasStatus_t cublas##S##rotg_v2(cublasHandle_t handle, number *a,        \
                                      number *b, real *c, number *s)           \
    {                                                                          \
        return make_rotation(                                                  \
            __func__, handle,                                                  \
            &(struct rotation){                                                \
                .type = code,                                                  \
                .in = {a, b, c, s},                                            \
                .types = {element, element, real_element, element}});          \
    }
ROTG(S, float, float, BLAS_S, CUDA_R_32F, CUDA_R_32F)
ROTG(D, double, double, BLAS_D, CUDA_R_64F, CUDA_R_64F)
ROTG(C, float, cuComplex, BLAS_C, CUDA_C_32F, CUDA_R_32F)
ROTG(Z, double, cuDoubleComplex, BLAS_Z, CUDA_C_64F, CUDA_R_64F)

static cudaDataType_t real_of(cudaDataType_t type)
{
    return type == CUDA_C_32F   ? CUDA_R_32F
           : type == CUDA_C_64F ? CUDA_R_64F
                                : type;
}

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void *a, void *b,
                            cudaDataType abType, void *c, void *s,
                            cudaDataType csType, cudaDataType executiontype)
{
    bool is_complex = cublas_is_complex(abType);
    bool is_double = executiontype == CUDA_R_64F || executiontype == CUDA_C_64F;
    enum blas_type type = is_double    ? is_complex ? BLAS_Z : BLAS_D
                          : is_complex ? BLAS_C
                                       : BLAS_S;
    cublasStatus_t status = cublas_check_handle(handle);
    if (!status &&
        (!cublas_vector_types(abType, executiontype) ||
         !element_bytes(csType) || real_of(csType) != real_of(abType)))
        status = CUBLAS_STATUS_NOT_SUPPORTED;
    if (status)
        return CUBLAS_END(status);
    return make_rotation(
        __func__, handle,
        &(struct rotation){.type = type,
                           .in = {a, b, c, s},
                           .types = {abType, abType, real_of(csType), csType}});
}

#define ROTMG(S, number, element)                                              \
    cublasStatus_t cublas##S##rotmg_v2(cublasHandle_t handle, number *d1,      \
                                       number *d2, number *x1,                 \
                                       const number *y1, number *param)        \
    {                                                                          \
        return make_rotation(                                                  \
            __func__, handle,                                                  \
            &(struct rotation){                                                \
                .is_modified = true,                                           \
                .in = {d1, d2, x1, (void *)y1, param},                         \
                .types = {element, element, element, element, element}});      \
    }
ROTMG(S, float, CUDA_R_32F)
ROTMG(D, double, CUDA_R_64F)

cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void *d1,
                             cudaDataType d1Type, void *d2, cudaDataType d2Type,
                             void *x1, cudaDataType x1Type, const void *y1,
                             cudaDataType y1Type, void *param,
                             cudaDataType paramType, cudaDataType executiontype)
{
    cudaDataType_t types[] = {d1Type, d2Type, x1Type, y1Type, paramType};
    cublasStatus_t status = cublas_check_handle(handle);
    for (int i = 0; i < 5; i++) {
        if (!status && (!cublas_vector_types(types[i], executiontype) ||
                        cublas_is_complex(types[i]) || types[i] != d1Type))
            status = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (status)
        return CUBLAS_END(status);
    return make_rotation(
        __func__, handle,
        &(struct rotation){
            .is_modified = true,
            .in = {d1, d2, x1, (void *)y1, param},
            .types = {d1Type, d2Type, x1Type, y1Type, paramType}});
}
