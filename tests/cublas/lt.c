/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLASLt: types, orders, batches, epilogues and their gradients against plain
 * loops; heuristics; transforms; mistakes. */
#include "dense.h"

#include <unistd.h>

#include "cublasLt.h"

static cublasLtHandle_t lt;

/* ---- elements of all types -------------------------------------------- */

static size_t bytes_of(cudaDataType_t type)
{
    switch (type) {
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    default:
        return 1;
    }
}

static double small_float(unsigned bits, int e, int f)
{
    int bias = (1 << (e - 1)) - 1, exponent = bits >> f & ((1 << e) - 1);
    double fraction = bits & ((1 << f) - 1);
    double m = exponent ? ldexp(1 + ldexp(fraction, -f), exponent - bias)
                        : ldexp(fraction, 1 - bias - f);
    return bits >> (e + f) & 1 ? -m : m;
}

static double get(cudaDataType_t type, const void *p, int64_t i)
{
    const uint8_t *b = p;
    const uint16_t *h = p;
    switch (type) {
    case CUDA_R_64F:
        return ((const double *)p)[i];
    case CUDA_R_32F:
        return ((const float *)p)[i];
    case CUDA_R_32I:
        return ((const int *)p)[i];
    case CUDA_R_16F:
        return small_float(h[i], 5, 10);
    case CUDA_R_16BF:
        return small_float(h[i], 8, 7);
    case CUDA_R_8F_E4M3:
        return small_float(b[i], 4, 3);
    case CUDA_R_8F_E5M2:
        return small_float(b[i], 5, 2);
    default:
        return ((const int8_t *)p)[i];
    }
}

/* Small multiples of 1/4, which every type has (integers: of 1). */
static void put(cudaDataType_t type, void *p, int64_t i, int quarters)
{
    double x = quarters / 4.0;
    switch (type) {
    case CUDA_R_64F:
        ((double *)p)[i] = x;
        return;
    case CUDA_R_32F:
        ((float *)p)[i] = (float)x;
        return;
    case CUDA_R_32I:
        ((int *)p)[i] = quarters;
        return;
    case CUDA_R_8I:
        ((int8_t *)p)[i] = (int8_t)quarters;
        return;
    default:
        break;
    }
    for (unsigned bits = 0; bits < 1u << (8 * bytes_of(type)); bits++) {
        uint16_t h = (uint16_t)bits;
        memcpy((char *)p + i * (int64_t)bytes_of(type), &h, bytes_of(type));
        if (get(type, p, i) == x)
            return;
    }
}

static void *random_matrix(cudaDataType_t type, int64_t count)
{
    static unsigned state = 7;
    void *p = arena_take((size_t)count * bytes_of(type));
    static uint64_t of_type[32][9][1];
    uint64_t(*known)[1] = of_type[type];
    for (int q = 0; q < 9 && !known[8][0]; q++)
        put(type, known[q], 0, q - 4);
    for (int64_t i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        memcpy((char *)p + i * (int64_t)bytes_of(type),
               known[(state >> 16) % 9], bytes_of(type));
    }
    return p;
}

/* ---- one product ------------------------------------------------------ */

struct example {
    cudaDataType_t a, c, d, scale;
    cublasComputeType_t compute;
    int m, n, k, batch, op_a, op_b, row_order; /* bits: A, B, C and D */
    unsigned epilogue;
    bool has_scales;
};

static int64_t place(int row_order, int64_t ld, int64_t r, int64_t c)
{
    return row_order ? r * ld + c : r + c * ld;
}

static cublasLtMatrixLayout_t layout(cudaDataType_t type, int rows, int columns,
                                     int row_order, int64_t *ld, int batch,
                                     int64_t *stride)
{
    cublasLtMatrixLayout_t l;
    int order = row_order ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    *ld = (row_order ? columns : rows) + 3;
    *stride = *ld * (row_order ? rows : columns) + 5;
    CHECK_EQUAL(cublasLtMatrixLayoutCreate(&l, type, (uint64_t)rows,
                                           (uint64_t)columns, *ld),
                0);
    CHECK_EQUAL(cublasLtMatrixLayoutSetAttribute(
                    l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order),
                0);
    cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                     &batch, sizeof batch);
    cublasLtMatrixLayoutSetAttribute(
        l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride, sizeof *stride);
    return l;
}

#define SET(attribute, value)                                                  \
    CHECK_EQUAL(                                                               \
        cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value), \
        0)

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}

static double gelu_slope(double x)
{
    return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5;
}

static double precision(cudaDataType_t type)
{
    switch (type) {
    case CUDA_R_64F:
        return 1e-14;
    case CUDA_R_32F:
        return 1e-5;
    case CUDA_R_16F:
        return 1e-3;
    case CUDA_R_16BF:
        return 8e-3;
    case CUDA_R_8F_E4M3:
        return 0.0626;
    case CUDA_R_8F_E5M2:
        return 0.126;
    default:
        return 0;
    }
}

static void run(const struct example *e)
{
    cublasLtMatmulDesc_t desc;
    int64_t lda, ldb, ldc, sa, sb, sc, ld_aux = (e->m + 127) / 128 * 128;
    bool ta = e->op_a, tb = e->op_b;
    int ra = e->row_order & 1, rb = e->row_order & 2, rc = e->row_order & 4;
    cublasLtMatrixLayout_t la = layout(e->a, ta ? e->k : e->m, ta ? e->m : e->k,
                                       ra, &lda, e->batch, &sa);
    cublasLtMatrixLayout_t lb = layout(e->a, tb ? e->n : e->k, tb ? e->k : e->n,
                                       rb, &ldb, e->batch, &sb);
    cublasLtMatrixLayout_t lc =
        layout(e->c, e->m, e->n, rc, &ldc, e->batch, &sc);
    cublasLtMatrixLayout_t ld_ =
        layout(e->d, e->m, e->n, rc, &ldc, e->batch, &sc);
    void *a = random_matrix(e->a, sa * e->batch);
    void *b = random_matrix(e->a, sb * e->batch);
    void *c = random_matrix(e->c, sc * e->batch);
    void *d = random_matrix(e->d, sc * e->batch);
    cudaDataType_t side = bytes_of(e->d) == 1 ? CUDA_R_16BF : e->d;
    void *bias = random_matrix(side, e->m + e->n);
    void *aux = random_matrix(CUDA_R_32F, ld_aux * e->n);
    float *scales = random_matrix(CUDA_R_32F, 8);
    scales[0] = 2, scales[1] = 0.5f, scales[2] = 0.25f, scales[3] = -1;
    scales[4] = 0.125f, scales[5] = -1;
    bool is_int = e->scale == CUDA_R_32I;
    double alpha = is_int ? 3 : 1.5, beta = is_int ? -2 : 0.5;
    char one[8], two[8];
    put(e->scale, one, 0, is_int ? 3 : 6);
    put(e->scale, two, 0, is_int ? -2 : 2);
    CHECK_EQUAL(cublasLtMatmulDescCreate(&desc, e->compute, e->scale), 0);
    SET(CUBLASLT_MATMUL_DESC_TRANSA, e->op_a);
    SET(CUBLASLT_MATMUL_DESC_TRANSB, e->op_b);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE, e->epilogue);
    SET(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld_aux);
    void *sp[] = {&scales[0], &scales[1], &scales[2],
                  &scales[3], &scales[4], &scales[5]};
    bool scales_aux =
        e->has_scales && e->epilogue == CUBLASLT_EPILOGUE_GELU_AUX;
    if (e->has_scales) {
        SET(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, sp[0]);
        SET(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, sp[1]);
        SET(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, sp[2]);
        SET(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, sp[3]);
    }
    if (scales_aux) {
        SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, sp[4]);
        SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, sp[5]);
    }
    cublasLtMatmulPreference_t pref;
    cublasLtMatmulHeuristicResult_t result;
    int found = 0;
    CHECK_EQUAL(cublasLtMatmulPreferenceCreate(&pref), 0);
    CHECK_EQUAL(cublasLtMatmulAlgoGetHeuristic(lt, desc, la, lb, lc, ld_, pref,
                                               1, &result, &found),
                0);
    CHECK_EQUAL(found, 1);
    float *old_aux = calloc((size_t)(ld_aux * e->n), 8); /* of any type */
    memcpy(old_aux, aux, (size_t)(ld_aux * e->n) * 4);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, one, a, la, b, lb, two, c, lc, d, ld_,
                               &result.algo, NULL, 0, 0),
                0);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    double gradient[1200] = {0}, most = 0, most_aux = 0;
    double aux_scale = scales_aux ? 0.125 : 1;
    int wrong = 0;
    for (int64_t z = 0; z < e->batch; z++) {
        for (int64_t j = 0; j < e->n; j++) {
            for (int64_t i = 0; i < e->m; i++) {
                double v = 0, size = 1;
                for (int64_t k = 0; k < e->k; k++) {
                    int64_t pa =
                        ta ? place(ra, lda, k, i) : place(ra, lda, i, k);
                    int64_t pb =
                        tb ? place(rb, ldb, j, k) : place(rb, ldb, k, j);
                    v += get(e->a, a, z * sa + pa) * get(e->a, b, z * sb + pb);
                }
                int64_t at = z * sc + place(rc, ldc, i, j);
                v = alpha * v * (e->has_scales ? 1.0 : 1.0) +
                    beta * get(e->c, c, at);
                size += fabs(v);
                uint8_t bits = ((uint8_t *)old_aux)[(j * ld_aux + i) / 8];
                double x = get(side, old_aux, j * ld_aux + i);
                if (e->epilogue & 4)
                    v += get(side, bias, i);
                if (e->epilogue & 128 && e->epilogue & 32)
                    wrong +=
                        fabs(get(side, aux, j * ld_aux + i) - aux_scale * v) >
                        precision(side) * aux_scale * (fabs(v) + 1);
                most_aux = fmax(most_aux, fabs(v));
                if (e->epilogue & 128 && e->epilogue & 2)
                    wrong +=
                        (((uint8_t *)aux)[(j * ld_aux + i) / 8] >> (i & 7) &
                         1) != (v > 0);
                if (e->epilogue & 2)
                    v = fmax(v, 0);
                if (e->epilogue & 32)
                    v = gelu(v);
                if (e->epilogue & 8)
                    v = bits >> (i & 7) & 1 ? v : 0;
                if (e->epilogue & 64)
                    v *= gelu_slope(x);
                gradient[i] += v;
                most = fmax(most, fabs(v));
                if (e->has_scales)
                    v *= scales[2];
                if (e->d == CUDA_R_8I)
                    v = nearbyint(fmin(fmax(v, -128), 127));
                wrong += fabs(get(e->d, d, at) - v) > precision(e->d) * size;
            }
        }
    }
    for (int i = 0; i < e->m && e->epilogue & 16; i++)
        wrong += fabs(get(side, bias, i) - gradient[i]) >
                 20 * precision(side) * (1 + fabs(gradient[i]));
    if (e->has_scales)
        wrong += fabs(scales[3] - most) > 1e-4 * most;
    if (scales_aux)
        wrong += fabs(scales[5] - most_aux) > 1e-4 * most_aux;
    if (wrong)
        fprintf(stderr,
                "%d wrong: types %d %d %d, %d x %d x %d, ops %d %d, orders %d, "
                "epilogue %u\n",
                wrong, e->a, e->c, e->d, e->m, e->n, e->k, e->op_a, e->op_b,
                e->row_order, e->epilogue);
    check_failures += wrong > 0;
    free(old_aux);
    cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb);
    cublasLtMatrixLayoutDestroy(lc), cublasLtMatrixLayoutDestroy(ld_);
    cublasLtMatmulDescDestroy(desc), cublasLtMatmulPreferenceDestroy(pref);
    arena_free(a), arena_free(b), arena_free(c), arena_free(d);
    arena_free(bias), arena_free(aux), arena_free(scales);
}

static void types_and_orders(void)
{
    static const struct example types[] = {
        {.a = CUDA_R_32F,
         .c = CUDA_R_32F,
         .d = CUDA_R_32F,
         .scale = CUDA_R_32F,
         .compute = CUBLAS_COMPUTE_32F},
        {.a = CUDA_R_64F,
         .c = CUDA_R_64F,
         .d = CUDA_R_64F,
         .scale = CUDA_R_64F,
         .compute = CUBLAS_COMPUTE_64F},
        {.a = CUDA_R_16F,
         .c = CUDA_R_16F,
         .d = CUDA_R_16F,
         .scale = CUDA_R_32F,
         .compute = CUBLAS_COMPUTE_32F},
        {.a = CUDA_R_16BF,
         .c = CUDA_R_16BF,
         .d = CUDA_R_16BF,
         .scale = CUDA_R_32F,
         .compute = CUBLAS_COMPUTE_32F},
        {.a = CUDA_R_16F,
         .c = CUDA_R_32F,
         .d = CUDA_R_32F,
         .scale = CUDA_R_32F,
         .compute = CUBLAS_COMPUTE_32F},
        {.a = CUDA_R_8I,
         .c = CUDA_R_32I,
         .d = CUDA_R_32I,
         .scale = CUDA_R_32I,
         .compute = CUBLAS_COMPUTE_32I},
        {.a = CUDA_R_8I,
         .c = CUDA_R_8I,
         .d = CUDA_R_8I,
         .scale = CUDA_R_32F,
         .compute = CUBLAS_COMPUTE_32I},
        {.a = CUDA_R_8F_E4M3,
         .c = CUDA_R_16BF,
         .d = CUDA_R_16BF,
         .scale = CUDA_R_32F,
         .compute = CUBLAS_COMPUTE_32F,
         .has_scales = true},
        {.a = CUDA_R_8F_E5M2,
         .c = CUDA_R_16F,
         .d = CUDA_R_8F_E5M2,
         .scale = CUDA_R_32F,
         .compute = CUBLAS_COMPUTE_32F,
         .has_scales = true},
    };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (int bits = 0; bits < 32; bits++) {
            struct example e = types[t];
            e.m = 24, e.n = 17, e.k = 31, e.batch = 2;
            e.op_a = bits & 1, e.op_b = bits >> 1 & 1;
            e.row_order = bits >> 2;
            e.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
            run(&e);
        }
    }
    struct example big = types[5];
    big.m = 410, big.n = 50, big.k = 1100, big.batch = 1;
    big.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    run(&big);
    /* Tiles of more rows than epilogues take at once. */
    static const size_t tall[] = {3, 6};
    for (size_t t = 0; t < 2; t++) {
        big = types[tall[t]];
        big.m = 1100, big.n = 21, big.k = 9, big.batch = 1;
        big.epilogue = CUBLASLT_EPILOGUE_RELU;
        run(&big);
    }
}

static void epilogues(void)
{
    static const unsigned all[] = {
        CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_BIAS,
        CUBLASLT_EPILOGUE_RELU_BIAS,     CUBLASLT_EPILOGUE_GELU,
        CUBLASLT_EPILOGUE_GELU_BIAS,     CUBLASLT_EPILOGUE_RELU_AUX,
        CUBLASLT_EPILOGUE_RELU_AUX_BIAS, CUBLASLT_EPILOGUE_GELU_AUX,
        CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DRELU,
        CUBLASLT_EPILOGUE_DRELU_BGRAD,   CUBLASLT_EPILOGUE_DGELU,
        CUBLASLT_EPILOGUE_DGELU_BGRAD};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct example e = {.a = CUDA_R_32F,
                            .c = CUDA_R_32F,
                            .d = CUDA_R_32F,
                            .scale = CUDA_R_32F,
                            .compute = CUBLAS_COMPUTE_32F,
                            .m = 70,
                            .n = 33,
                            .k = 12,
                            .batch = 1,
                            .epilogue = all[i]};
        run(&e);
        if (!(all[i] & (128 | 16))) {
            e.row_order = 4;
            run(&e);
        }
        e.row_order = 0;
        e.a = e.c = e.d = CUDA_R_16BF;
        e.n = 9;
        run(&e);
    }
    run(&(struct example){.a = CUDA_R_8F_E4M3,
                          .c = CUDA_R_16BF,
                          .d = CUDA_R_8F_E4M3,
                          .scale = CUDA_R_32F,
                          .compute = CUBLAS_COMPUTE_32F,
                          .m = 70,
                          .n = 33,
                          .k = 12,
                          .batch = 1,
                          .epilogue = CUBLASLT_EPILOGUE_GELU_AUX,
                          .has_scales = true});
}

/* What a file has once it is the log's no more. */
static void logs(void)
{
    char folder[] = "/tmp/cublaslt-XXXXXX", path[2][64], text[256] = "";
    int value;
    CHECK(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s/%d", folder, i);
        CHECK_EQUAL(cublasLtLoggerOpenFile(path[i]), 0);
        CHECK_EQUAL(cublasLtLoggerSetLevel(5), 0);
        CHECK_EQUAL(cublasLtGetProperty(MAJOR_VERSION, &value), 0);
        CHECK_EQUAL(cublasLtLoggerSetLevel(0), 0);
    }
    CHECK_EQUAL(cublasLtLoggerSetFile(NULL), 0);
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(path[i], "r");
        CHECK(f && fgets(text, sizeof text, f) &&
              strstr(text, "cublasLtGetProperty"));
        if (f)
            fclose(f);
        unlink(path[i]);
    }
    rmdir(folder);
}

/* Only gelu's kept values have a scale and a largest magnitude. */
static void refused_scales(void)
{
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t l;
    float *m = random_matrix(CUDA_R_32F, 4 * 4), one = 1, zero = 0;
    int64_t ld = 128;
    unsigned epilogue = CUBLASLT_EPILOGUE_RELU_AUX;
    CHECK_EQUAL(cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 4, 4, 4), 0);
    CHECK_EQUAL(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                0);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, m);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, m);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, &one, m, l, m, l, &zero, m, l, m, l,
                               NULL, NULL, 0, 0),
                CUBLAS_STATUS_NOT_SUPPORTED);
    cublasLtMatrixLayoutDestroy(l), cublasLtMatmulDescDestroy(desc);
    arena_free(m);
}

static void transforms(void)
{
    cublasLtMatrixTransformDesc_t t;
    cublasLtMatrixLayout_t from, to;
    int64_t lf, lt_, stride;
    float one = 2, zero = 0;
    int order = CUBLASLT_ORDER_COL32;
    from = layout(CUDA_R_8I, 40, 50, 0, &lf, 1, &stride);
    lt_ = 32 * 40;
    CHECK_EQUAL(cublasLtMatrixLayoutCreate(&to, CUDA_R_32F, 40, 50, lt_), 0);
    cublasLtMatrixLayoutSetAttribute(to, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                     sizeof order);
    int8_t *a = random_matrix(CUDA_R_8I, stride);
    float *c = random_matrix(CUDA_R_32F, lt_ * 2);
    CHECK_EQUAL(cublasLtMatrixTransformDescCreate(&t, CUDA_R_32F), 0);
    CHECK_EQUAL(cublasLtMatrixTransform(lt, t, &one, a, from, &zero, NULL, NULL,
                                        c, to, 0),
                0);
    cudaDeviceSynchronize();
    for (int j = 0; j < 50; j++) {
        for (int i = 0; i < 40; i++)
            CHECK(c[j / 32 * lt_ + i * 32 + j % 32] == 2.0f * a[i + j * lf]);
    }
    arena_free(a), arena_free(c);
    cublasLtMatrixLayoutDestroy(from), cublasLtMatrixLayoutDestroy(to);
    cublasLtMatrixTransformDescDestroy(t);
}

/* What is to be emulated is computed in its own type. */
static void emulation(void)
{
    cublasLtEmulationDesc_t how;
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t l;
    int strategy = CUBLAS_EMULATION_STRATEGY_EAGER, bits = 40, got = 0;
    size_t written = 0;
    const double one = 1, zero = 0;
    double *a = random_matrix(CUDA_R_64F, 16);
    double *b = random_matrix(CUDA_R_64F, 16);
    double *c = random_matrix(CUDA_R_64F, 16);
    CHECK_EQUAL(cublasLtEmulationDescCreate(NULL), CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtEmulationDescCreate(&how), 0);
    CHECK_EQUAL(cublasLtEmulationDescSetAttribute(
                    how, CUBLASLT_EMULATION_DESC_STRATEGY, &strategy, 4),
                0);
    CHECK_EQUAL(cublasLtEmulationDescSetAttribute(
                    how,
                    CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT,
                    &bits, 4),
                0);
    CHECK_EQUAL(cublasLtEmulationDescGetAttribute(
                    how,
                    CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT,
                    &got, 4, &written),
                0);
    CHECK(got == 40 && written == 4);
    CHECK_EQUAL(cublasLtEmulationDescSetAttribute(
                    how, CUBLASLT_EMULATION_DESC_STRATEGY, &strategy, 8),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtMatmulDescCreate(
                    &desc, CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_R_64F),
                0);
    CHECK_EQUAL(
        cublasLtMatmulDescSetAttribute(
            desc, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, &how, sizeof how),
        0);
    CHECK_EQUAL(cublasLtMatrixLayoutCreate(&l, CUDA_R_64F, 4, 4, 4), 0);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, &one, a, l, b, l, &zero, c, l, c, l,
                               NULL, NULL, 0, 0),
                0);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[i + 4 * k] * b[k + 4 * j];
            CHECK(fabs(sum - c[i + 4 * j]) <= 1e-15 * fabs(sum));
        }
    }
    cublasLtMatrixLayoutDestroy(l), cublasLtMatmulDescDestroy(desc);
    CHECK_EQUAL(cublasLtEmulationDescDestroy(how), 0);
    arena_free(a), arena_free(b), arena_free(c);
}

/* Layouts of groups are kept, and no product takes them; what is asked for a
 * stream is what is asked without. */
static void groups_and_streams(void)
{
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t l, groups;
    cublasLtMatrixLayoutOpaque_t own;
    cublasLtMatmulPreference_t pref;
    cublasLtMatmulHeuristicResult_t result;
    int found = 7, batch = 0, width = CUBLASLT_INTEGER_WIDTH_64;
    void *at = NULL;
    float one = 1, *a = random_matrix(CUDA_R_32F, 16);
    CHECK_EQUAL(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                0);
    CHECK_EQUAL(cublasLtMatmulPreferenceCreate(&pref), 0);
    CHECK_EQUAL(cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 4, 4, 4), 0);
    CHECK_EQUAL(cublasLtGroupedMatrixLayoutCreate(&groups, CUDA_R_32F, 3, a,
                                                  a + 4, a + 8),
                0);
    CHECK_EQUAL(cublasLtGroupedMatrixLayoutCreate(NULL, CUDA_R_32F, 3, a, a, a),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(
        cublasLtGroupedMatrixLayoutInit(&own, CUDA_R_32F, 3, a, a + 4, a), 0);
    CHECK_EQUAL(cublasLtMatrixLayoutGetAttribute(
                    &own, CUBLASLT_GROUPED_MATRIX_LAYOUT_COLS_ARRAY, &at,
                    sizeof at, NULL),
                0);
    CHECK_EQUAL(at == a + 4, 1);
    CHECK_EQUAL(cublasLtMatrixLayoutGetAttribute(
                    groups, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                    sizeof batch, NULL),
                0);
    CHECK_EQUAL(batch, 3);
    CHECK_EQUAL(cublasLtMatrixLayoutSetAttribute(
                    groups,
                    CUBLASLT_GROUPED_MATRIX_LAYOUT_LD_ARRAY_INTEGER_WIDTH,
                    &width, sizeof width),
                0);
    CHECK_EQUAL(cublasLtMatmulAlgoGetHeuristicForStream(
                    lt, desc, l, l, l, l, pref, 1, &result, &found, NULL),
                0);
    CHECK_EQUAL(found, 1);
    CHECK_EQUAL(cublasLtMatmulAlgoCheckForStream(lt, desc, l, l, l, l,
                                                 &result.algo, &result, NULL),
                0);
    CHECK_EQUAL(cublasLtMatmulAlgoCheckForStream(NULL, desc, l, l, l, l,
                                                 &result.algo, &result, NULL),
                CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK_EQUAL(cublasLtMatmulAlgoGetHeuristicForStream(
                    lt, desc, groups, groups, groups, groups, pref, 1, &result,
                    &found, NULL),
                CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK_EQUAL(found, 0);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, &one, a, l, a, groups, &one, a, l, a,
                               l, NULL, NULL, 0, NULL),
                CUBLAS_STATUS_NOT_SUPPORTED);
    cublasLtMatmulPreferenceDestroy(pref);
    cublasLtMatrixLayoutDestroy(groups);
    cublasLtMatrixLayoutDestroy(l);
    cublasLtMatmulDescDestroy(desc);
    arena_free(a);
}

static void mistakes(void)
{
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t l, other;
    cublasLtMatmulPreference_t pref;
    cublasLtMatmulHeuristicResult_t result;
    int found, op = 0, order = CUBLASLT_ORDER_COL32;
    size_t written;
    float one = 1, *a = random_matrix(CUDA_R_32F, 64);
    struct {
        cublasLtMatrixLayoutOpaque_t at;
        int behind;
    } own = {.behind = 7};
    CHECK_EQUAL(cublasLtMatrixLayoutInit_internal(&own.at, (size_t)-1,
                                                  CUDA_R_32F, 4, 4, 4),
                0);
    CHECK_EQUAL(own.behind, 7);
    CHECK_EQUAL(cublasLtCreate(NULL), CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtDestroy(NULL), CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtMatmulDescCreate(NULL, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                0);
    CHECK_EQUAL(cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 4, 4, 4), 0);
    CHECK_EQUAL(cublasLtMatrixLayoutCreate(&other, CUDA_R_32F, 5, 4, 5), 0);
    CHECK_EQUAL(cublasLtMatmulPreferenceCreate(&pref), 0);
    CHECK_EQUAL(cublasLtMatmulDescSetAttribute(
                    desc, CUBLASLT_MATMUL_DESC_TRANSA, &op, 2),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtMatmulDescSetAttribute(
                    desc, (cublasLtMatmulDescAttributes_t)99, &op, 4),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(
        cublasLtMatmulDescSetAttribute(
            desc, CUBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_COLS, &op, 4),
        CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK_EQUAL(cublasLtMatmulDescGetAttribute(
                    desc, CUBLASLT_MATMUL_DESC_EPILOGUE, NULL, 0, &written),
                0);
    CHECK_EQUAL(written, 4);
    CHECK_EQUAL(cublasLtMatmulAlgoGetHeuristic(lt, desc, l, l, l, l, pref, 0,
                                               &result, &found),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtMatmulAlgoGetHeuristic(lt, desc, l, other, l, l, pref,
                                               1, &result, &found),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, NULL, a, l, a, l, &one, a, l, a, l,
                               NULL, NULL, 0, 0),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, &one, NULL, l, a, l, &one, a, l, a, l,
                               NULL, NULL, 0, 0),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasLtMatmul(NULL, desc, &one, a, l, a, l, &one, a, l, a, l,
                               NULL, NULL, 0, 0),
                CUBLAS_STATUS_NOT_INITIALIZED);
    cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                     sizeof order);
    CHECK_EQUAL(cublasLtMatmulAlgoGetHeuristic(lt, desc, l, l, l, l, pref, 1,
                                               &result, &found),
                CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK_EQUAL(found, 0);
    cublasLtMatrixLayoutDestroy(l), cublasLtMatrixLayoutDestroy(other);
    cublasLtMatmulDescDestroy(desc), cublasLtMatmulPreferenceDestroy(pref);
    arena_free(a);
}

int main(void)
{
    CHECK_EQUAL(cublasLtCreate(&lt), 0);
    types_and_orders();
    epilogues();
    refused_scales();
    logs();
    transforms();
    emulation();
    groups_and_streams();
    mistakes();
    CHECK_EQUAL(cublasLtDestroy(lt), 0);
    return check_result();
}
