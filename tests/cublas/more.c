/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed types, batches, factorisations, matrices between host and device,
 * mistakes, capture, threads. */
#include "dense.h"

#include <pthread.h>

static cublasHandle_t h;

static float *floats(int n)
{
    float *p = arena_take((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = (float)random_part();
    return p;
}

static double gap(const float *a, const float *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs((double)a[i] - b[i]));
    return most;
}

/* ---- mixed types ------------------------------------------------------ */

/* Halves and bfloats of small integers are exact. */
static uint16_t half_of(int x)
{
    _Float16 f = (_Float16)x;
    uint16_t bits;
    memcpy(&bits, &f, 2);
    return bits;
}

static uint16_t bfloat_of(int x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return (uint16_t)(bits >> 16);
}

enum { SIZE = 40 };

static void products_of_halves_and_bytes(void)
{
    int n = SIZE, ints = n * n;
    uint16_t *half = arena_take((size_t)ints * 2), *bf = arena_take(ints * 2u);
    uint16_t *out = arena_take((size_t)ints * 2);
    int8_t *bytes = arena_take((size_t)ints);
    int *sums = arena_take((size_t)ints * 4);
    float *f = floats(ints), one = 1, zero = 0;
    int ione = 1, izero = 0;
    uint16_t hone = half_of(1), hzero = 0;
    for (int i = 0; i < ints; i++) {
        int x = (i * 7 % 5) - 2;
        half[i] = half_of(x);
        bf[i] = bfloat_of(x);
        bytes[i] = (int8_t)x;
    }
    CHECK_EQUAL(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &ione, bytes,
                             CUDA_R_8I, n, bytes, CUDA_R_8I, n, &izero, sums,
                             CUDA_R_32I, n, CUBLAS_COMPUTE_32I,
                             CUBLAS_GEMM_DEFAULT),
                0);
    cudaDeviceSynchronize();
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += bytes[k + i * n] * bytes[k + j * n];
            CHECK_EQUAL(sums[i + j * n], sum);
        }
    }
    CHECK_EQUAL(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, bf,
                             CUDA_R_16BF, n, bf, CUDA_R_16BF, n, &zero, f,
                             CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                             CUBLAS_GEMM_DEFAULT),
                0);
    cudaDeviceSynchronize();
    for (int i = 0; i < ints; i++)
        CHECK(f[i] == (float)sums[i]);
    CHECK_EQUAL(cublasHgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n,
                            (__half *)&hone, (__half *)half, n, (__half *)half,
                            n, (__half *)&hzero, (__half *)out, n),
                0);
    cudaDeviceSynchronize();
    for (int i = 0; i < ints; i++)
        CHECK_EQUAL(out[i], half_of(sums[i]));
    /* A matrix and a vector; then vectors. */
    CHECK_EQUAL(cublasHSSgemvStridedBatched(
                    h, CUBLAS_OP_T, n, n, &one, (__half *)half, n, 0,
                    (__half *)half, 1, 0, &zero, f, -1, n, 2),
                0);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        CHECK(f[n - 1 - i] == (float)sums[i] &&
              f[2 * n - 1 - i] == (float)sums[i]);
    uint16_t dot = 0;
    CHECK_EQUAL(cublasDotEx(h, n, half, CUDA_R_16F, 1, half, CUDA_R_16F, 1,
                            &dot, CUDA_R_16F, CUDA_R_32F),
                0);
    CHECK_EQUAL(dot, half_of(sums[0]));
    CHECK_EQUAL(cublasScalEx(h, n, &(float){2}, CUDA_R_32F, half, CUDA_R_16F, 1,
                             CUDA_R_32F),
                0);
    cudaDeviceSynchronize();
    CHECK_EQUAL(half[0], half_of(-4));
    CHECK_EQUAL(cublasGemmEx(h, 0, 0, 4, 4, 4, &one, f, CUDA_R_32F, 4, f,
                             CUDA_R_64F, 4, &zero, f, CUDA_R_32F, 4,
                             CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                CUBLAS_STATUS_NOT_SUPPORTED);
    arena_free(half), arena_free(bf), arena_free(out), arena_free(bytes);
    arena_free(sums), arena_free(f);
}

/* ---- batches ---------------------------------------------------------- */

static void batches(void)
{
    enum { N = 32, BATCH = 50 };
    int each = N * N;
    float *a = floats(each * BATCH), *b = floats(each * BATCH);
    float *c = floats(each * BATCH), *d = floats(each * BATCH);
    float **pa = arena_take(BATCH * sizeof *pa), **pb = arena_take(400);
    float **pc = arena_take(BATCH * sizeof *pc), one = 1, zero = 0;
    for (int i = 0; i < BATCH; i++)
        pa[i] = a + i * each, pb[i] = b + i * each, pc[i] = c + i * each;
    CHECK_EQUAL(
        cublasSgemmBatched(h, 1, 0, N, N, N, &one, (const float *const *)pa, N,
                           (const float *const *)pb, N, &zero, pc, N, BATCH),
        0);
    CHECK_EQUAL(cublasSgemmStridedBatched(h, 1, 0, N, N, N, &one, a, N, each, b,
                                          N, each, &zero, d, N, each, BATCH),
                0);
    cudaDeviceSynchronize();
    CHECK(!memcmp(c, d, sizeof(float) * (size_t)(each * BATCH)));
    for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += (double)pa[7][k + 3 * N] * pb[7][k + j * N];
        CHECK(fabs(pc[7][3 + j * N] - sum) < 1e-5);
    }
    cublasOperation_t ops[2] = {CUBLAS_OP_T, CUBLAS_OP_T};
    cublasOperation_t none[2] = {CUBLAS_OP_N, CUBLAS_OP_N};
    int n[2] = {N, N}, sizes[2] = {20, 30};
    float ones[2] = {1, 1}, zeros[2] = {0, 0};
    memset(c, 0, sizeof(float) * (size_t)(each * BATCH));
    CHECK_EQUAL(cublasSgemmGroupedBatched(
                    h, ops, none, n, n, n, ones, (const float *const *)pa, n,
                    (const float *const *)pb, n, zeros, pc, n, 2, sizes),
                0);
    cudaDeviceSynchronize();
    CHECK(!memcmp(c, d, sizeof(float) * (size_t)(each * BATCH)));
    /* Arrays of the host that are not there; one group that is wrong. */
    CHECK_EQUAL(cublasSgemmGroupedBatched(
                    h, NULL, none, n, n, n, ones, (const float *const *)pa, n,
                    (const float *const *)pb, n, zeros, pc, n, 2, sizes),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasSgemmGroupedBatched(
                    h, ops, none, n, n, n, ones, (const float *const *)pa, n,
                    (const float *const *)pb, n, zeros, pc, n, 2, NULL),
                CUBLAS_STATUS_INVALID_VALUE);
    int wrong[2] = {N, -1};
    memset(c, 1, sizeof(float) * (size_t)(each * BATCH));
    memcpy(d, c, sizeof(float) * (size_t)(each * BATCH));
    CHECK_EQUAL(cublasSgemmGroupedBatched(
                    h, ops, none, wrong, n, n, ones, (const float *const *)pa,
                    n, (const float *const *)pb, n, zeros, pc, n, 2, sizes),
                CUBLAS_STATUS_INVALID_VALUE);
    cudaDeviceSynchronize();
    CHECK(!memcmp(c, d, sizeof(float) * (size_t)(each * BATCH)));
    arena_free(a), arena_free(b), arena_free(c), arena_free(d);
    arena_free(pa), arena_free(pb), arena_free(pc);
}

static void sums_and_diagonals(void)
{
    int m = 37, n = 45;
    float *a = floats(m * n), *b = floats(m * n), *c = floats(m * n);
    float *x = floats(n), two = 2, three = 3, *packed = floats(m * m);
    float *full = floats(m * m);
    CHECK_EQUAL(cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &two, a, n,
                            &three, b, m, c, m),
                0);
    cudaDeviceSynchronize();
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++)
            CHECK(fabsf(c[i + j * m] - (2 * a[j + i * n] + 3 * b[i + j * m])) <
                  1e-5f);
    }
    CHECK_EQUAL(cublasSdgmm(h, CUBLAS_SIDE_RIGHT, m, n, b, m, x, 1, c, m), 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < m * n; i++)
        CHECK(fabsf(c[i] - b[i] * x[i / m]) < 1e-6f);
    CHECK_EQUAL(cublasStrttp(h, CUBLAS_FILL_MODE_LOWER, m, a, m, packed), 0);
    CHECK_EQUAL(cublasStpttr(h, CUBLAS_FILL_MODE_LOWER, m, packed, full, m), 0);
    cudaDeviceSynchronize();
    for (int j = 0; j < m; j++)
        CHECK(!memcmp(&full[j + j * m], &a[j + j * m],
                      (size_t)(m - j) * sizeof(float)));
    arena_free(a), arena_free(b), arena_free(c), arena_free(x);
    arena_free(packed), arena_free(full);
}

/* ---- factorisations --------------------------------------------------- */

static void factors(bool has_pivots)
{
    enum { N = 12, BATCH = 5 };
    int each = N * N, info = 9;
    float *a = floats(each * BATCH), *lu = floats(each * BATCH);
    float *inverse = floats(each * BATCH), *b = floats(each * BATCH);
    float **pl = arena_take(64), **pi = arena_take(64), **pb = arena_take(64);
    float **pa = arena_take(64);
    int *pivots = arena_take(N * BATCH * 4), *infos = arena_take(64);
    for (int i = 0; i < each * BATCH; i++)
        a[i] += i % each % (N + 1) == 0 ? 4 : 0;
    memcpy(lu, a, sizeof(float) * (size_t)(each * BATCH));
    memset(b, 0, sizeof(float) * (size_t)(each * BATCH));
    for (int i = 0; i < BATCH; i++) {
        pa[i] = a + i * each, pl[i] = lu + i * each;
        pi[i] = inverse + i * each, pb[i] = b + i * each;
        for (int j = 0; j < N; j++)
            pb[i][j * (N + 1)] = 1;
    }
    int *p = has_pivots ? pivots : NULL;
    CHECK_EQUAL(cublasSgetrfBatched(h, N, pl, N, p, infos, BATCH), 0);
    CHECK_EQUAL(cublasSgetriBatched(h, N, (const float *const *)pl, N, p, pi, N,
                                    infos, BATCH),
                0);
    CHECK_EQUAL(cublasSgetrsBatched(h, CUBLAS_OP_N, N, N,
                                    (const float *const *)pl, N, p, pb, N,
                                    &info, BATCH),
                0);
    cudaDeviceSynchronize();
    CHECK_EQUAL(info, 0);
    CHECK(gap(inverse, b, each * BATCH) < 1e-4); /* both are the inverse */
    CHECK_EQUAL(cublasSmatinvBatched(h, N, (const float *const *)pa, N, pb, N,
                                     infos, BATCH),
                0);
    cudaDeviceSynchronize();
    CHECK(gap(inverse, b, each * BATCH) < 1e-4);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += (double)pa[2][i + k * N] * pi[2][k + 3 * N];
        CHECK(fabs(sum - (i == 3)) < 1e-4);
        CHECK_EQUAL(infos[i % BATCH], 0);
    }
    memset(pl[1], 0, sizeof(float) * (size_t)each); /* singular */
    CHECK_EQUAL(cublasSgetrfBatched(h, N, pl, N, p, infos, BATCH), 0);
    cudaDeviceSynchronize();
    CHECK_EQUAL(infos[1], 1);
    CHECK_EQUAL(cublasSgetriBatched(h, N, (const float *const *)pl, N, p, pi, N,
                                    infos, BATCH),
                0);
    cudaDeviceSynchronize();
    CHECK_EQUAL(infos[1], 1);
    for (int i = 0; i < each; i++)
        CHECK(isinf(pi[1][i]) && isfinite(pi[0][i]) && isfinite(pi[2][i]));
    arena_free(a), arena_free(lu), arena_free(inverse), arena_free(b);
    arena_free(pl), arena_free(pi), arena_free(pb), arena_free(pa);
    arena_free(pivots), arena_free(infos);
}

static void least_squares(void)
{
    int m = 30, n = 6, info = 9, rest = 0;
    float *a = floats(m * n), *c = floats(m), *kept = floats(m * n);
    float *x = floats(n), **pa = arena_take(8), **pc = arena_take(8);
    int *device_info = arena_take(4);
    memcpy(kept, a, sizeof(float) * (size_t)(m * n));
    for (int i = 0; i < m; i++) {
        c[i] = 0;
        for (int j = 0; j < n; j++)
            c[i] += a[i + j * m] * x[j];
    }
    *pa = a, *pc = c;
    CHECK_EQUAL(cublasSgelsBatched(h, CUBLAS_OP_N, m, n, 1, pa, m, pc, m, &info,
                                   device_info, 1),
                0);
    cudaDeviceSynchronize();
    CHECK_EQUAL(info, rest);
    CHECK(gap(c, x, n) < 1e-4);
    *pa = kept, *pc = c; /* R of the same matrix */
    CHECK_EQUAL(cublasSgeqrfBatched(h, m, n, pa, m, pc, &info, 1), 0);
    cudaDeviceSynchronize();
    for (int j = 0; j < n; j++)
        CHECK(gap(&kept[j * m], &a[j * m], j + 1) < 1e-4);
    arena_free(a), arena_free(c), arena_free(kept), arena_free(x);
    arena_free(pa), arena_free(pc), arena_free(device_info);
}

/* ---- between host and device ------------------------------------------ */

/* 0 times NaN is NaN; a sum to which 0 times NaN would come stays. */
static void zeros_and_nan(void)
{
    float *x = floats(2), *y = floats(2), zero = 0;
    x[0] = x[1] = NAN, y[0] = y[1] = 1;
    CHECK_EQUAL(cublasSaxpy(h, 2, &zero, x, 1, y, 1), 0);
    CHECK_EQUAL(cublasSscal(h, 2, &zero, x, 1), 0);
    cudaDeviceSynchronize();
    CHECK(isnan(x[0]) && isnan(x[1]) && y[0] == 1 && y[1] == 1);
    arena_free(x), arena_free(y);
}

static void transfers(void)
{
    enum { N = 50 };
    float host[N * N], back[N * N], *device = floats(N * N);
    for (int i = 0; i < N * N; i++)
        host[i] = (float)i;
    CHECK_EQUAL(cublasSetMatrix(20, 30, 4, host, N, device, 25), 0);
    CHECK(device[3 + 7 * 25] == host[3 + 7 * N]);
    CHECK_EQUAL(cublasGetMatrix(20, 30, 4, device, 25, back, 40), 0);
    CHECK(back[19 + 29 * 40] == host[19 + 29 * N]);
    CHECK_EQUAL(cublasSetVector(N, 4, host, 2, device, 3), 0);
    CHECK_EQUAL(cublasGetVectorAsync(N, 4, device, 3, back, 1, 0), 0);
    CHECK(back[49] == host[98]);
    CHECK_EQUAL(cublasSetVector(4, 0, host, 1, device, 1),
                CUBLAS_STATUS_INVALID_VALUE);
    CHECK_EQUAL(cublasSetMatrix(4, 4, 4, host, 3, device, 4),
                CUBLAS_STATUS_INVALID_VALUE);
    arena_free(device);
}

/* ---- mistakes: status, and nothing written ---------------------------- */

#define INVALID(call)   CHECK_EQUAL(call, CUBLAS_STATUS_INVALID_VALUE)
#define NO_HANDLE(call) CHECK_EQUAL(call, CUBLAS_STATUS_NOT_INITIALIZED)

static void mistakes(void)
{
    cublasOperation_t N = CUBLAS_OP_N, bad = (cublasOperation_t)9;
    float *a = floats(64), *c = floats(64), one = 1, zero = 0, res = 7;
    float kept[64];
    int index = 7;
    cuComplex *z = (cuComplex *)a, zone = {1, 0};
    memcpy(kept, c, sizeof kept);
    NO_HANDLE(cublasSgemm(NULL, N, N, 4, 4, 4, &one, a, 4, a, 4, &zero, c, 4));
    NO_HANDLE(cublasDestroy(NULL));
    NO_HANDLE(cublasSetStream(NULL, 0));
    NO_HANDLE(cublasSdot(NULL, 4, a, 1, a, 1, &res));
    INVALID(cublasCreate(NULL));
    INVALID(cublasSetPointerMode(h, (cublasPointerMode_t)5));
    INVALID(cublasSetMathMode(h, (cublasMath_t)55));
    INVALID(cublasSetSmCountTarget(h, -1));
    INVALID(cublasSgemm(h, bad, N, 4, 4, 4, &one, a, 4, a, 4, &zero, c, 4));
    INVALID(cublasSgemm(h, N, N, -1, 4, 4, &one, a, 4, a, 4, &zero, c, 4));
    INVALID(cublasSgemm(h, N, N, 4, 4, 4, &one, a, 3, a, 4, &zero, c, 4));
    INVALID(cublasSgemm(h, N, N, 4, 4, 4, &one, a, 4, a, 3, &zero, c, 4));
    INVALID(cublasSgemm(h, N, N, 4, 4, 4, &one, a, 4, a, 4, &zero, c, 3));
    INVALID(cublasSgemm(h, N, N, 0, 4, 4, &one, a, 0, a, 4, &zero, c, 0));
    INVALID(cublasSgemm(h, N, N, 4, 4, 4, NULL, a, 4, a, 4, &zero, c, 4));
    INVALID(cublasSgemm(h, N, N, 4, 4, 4, &one, NULL, 4, a, 4, &zero, c, 4));
    INVALID(cublasSgemm(h, N, N, 4, 4, 4, &one, a, 4, a, 4, &zero, NULL, 4));
    CHECK_EQUAL(
        cublasSgemm(h, N, N, 4, 4, 4, &zero, NULL, 4, NULL, 4, &one, c, 4), 0);
    INVALID(cublasSgemmStridedBatched(h, N, N, 4, 4, 4, &one, a, 4, 16, a, 4,
                                      16, &zero, c, 4, 16, -1));
    INVALID(cublasSdot(h, 4, a, 1, a, 1, NULL));
    CHECK_EQUAL(cublasSdot(h, -1, a, 1, a, 1, &res), 0);
    CHECK(res == 0);
    CHECK_EQUAL(cublasIsamax(h, 4, a, 0, &index), 0);
    CHECK_EQUAL(index, 0);
    for (int algo = 24; algo < 99; algo += 74)
        INVALID(cublasGemmEx(h, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, a,
                             CUDA_R_32F, 4, &zero, c, CUDA_R_32F, 4,
                             CUBLAS_COMPUTE_32F, (cublasGemmAlgo_t)algo));
    CHECK_EQUAL(cublasGemmEx(h, N, N, 0, 4, 4, &one, a, CUDA_R_32F, 4, a,
                             CUDA_R_32F, 4, &zero, c, CUDA_R_32F, 4,
                             CUBLAS_COMPUTE_32F, CUBLAS_GEMM_ALGO15_TENSOR_OP),
                0);
    INVALID(cublasSgemv(h, N, 4, 4, &one, a, 3, a, 1, &zero, c, 1));
    INVALID(cublasSgemv(h, N, 4, 4, &one, NULL, 4, a, 1, &zero, c, 1));
    INVALID(cublasSgemv(h, N, 4, 4, &one, a, 4, NULL, 1, &zero, c, 1));
    INVALID(cublasSgemv(h, N, 4, 4, &one, a, 4, a, 1, &zero, NULL, 1));
    INVALID(cublasStrsv(h, (cublasFillMode_t)7, N, CUBLAS_DIAG_UNIT, 4, a, 4, c,
                        1));
    INVALID(cublasStbsv(h, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_UNIT, 4, 2, a,
                        2, c, 1));
    INVALID(cublasCsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_CONJG, 2, 2, &zone,
                        z, 2, &zone, (cuComplex *)c, 2));
    INVALID(cublasGemmEx(h, N, N, 4, 4, 4, &one, a, CUDA_R_8F_E4M3, 4, a,
                         CUDA_R_8F_E4M3, 4, &zero, c, CUDA_R_32F, 4,
                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    INVALID(cublasSgeam(h, CUBLAS_OP_T, N, 4, 4, &one, c, 4, &one, a, 4, c, 4));
    INVALID(cublasUint8gemmBias(h, N, N, N, 4, 4, 4, NULL, 0, 4, NULL, 0, 4,
                                NULL, 0, 4, 0, 0));
    cudaDeviceSynchronize();
    CHECK(!memcmp(kept, c, sizeof kept));
    arena_free(a), arena_free(c);
}

/* Programs print them and compare what they print: as an H200 has them. */
static void texts_of_statuses(void)
{
    static const struct {
        cublasStatus_t status;
        const char *name, *text;
    } rows[] = {
#define ROW(name, text) {name, #name, text}
        ROW(CUBLAS_STATUS_SUCCESS, "success"),
        ROW(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"),
        ROW(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"),
        ROW(CUBLAS_STATUS_INVALID_VALUE,
            "an unsupported value or parameter was passed to the function"),
        ROW(CUBLAS_STATUS_ARCH_MISMATCH,
            "the function requires an architectural feature absent from the "
            "device"),
        ROW(CUBLAS_STATUS_MAPPING_ERROR,
            "an access to GPU memory space failed"),
        ROW(CUBLAS_STATUS_EXECUTION_FAILED,
            "the function failed to launch on the GPU"),
        ROW(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed"),
        ROW(CUBLAS_STATUS_NOT_SUPPORTED,
            "the requested functionality is not supported"),
        ROW(CUBLAS_STATUS_LICENSE_ERROR, "the license check failed"),
        {(cublasStatus_t)2, "unrecognized status", "unrecognized status"},
#undef ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(!strcmp(cublasGetStatusName(rows[i].status), rows[i].name));
        CHECK(!strcmp(cublasGetStatusString(rows[i].status), rows[i].text));
    }
}

/* ---- order, capture, threads ------------------------------------------ */

/* The scalar that one call leaves on the device is another's factor, and a
 * graph reads what is there when it runs. */
static void device_results_in_graphs(void)
{
    int n = 50000;
    float *x = floats(n), *y = floats(n), *dot = floats(1), host;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&s);
    for (int i = 0; i < n; i++)
        x[i] = 1, y[i] = 0;
    CHECK_EQUAL(cublasSetStream(h, s), 0);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    CHECK_EQUAL(cublasSdot(h, n, x, 1, x, 1, &host),
                CUBLAS_STATUS_NOT_SUPPORTED);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
    CHECK_EQUAL(cublasSdot(h, n, x, 1, x, 1, dot), 0);
    CHECK_EQUAL(cublasSaxpy(h, n, dot, x, 1, y, 1), 0);
    CHECK_EQUAL(cudaStreamEndCapture(s, &graph), cudaSuccess);
    CHECK_EQUAL(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    CHECK(y[5] == 0);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(exec, s);
    CHECK_EQUAL(cudaStreamSynchronize(s), cudaSuccess);
    CHECK(*dot == (float)n && y[5] == 3.0f * (float)n && y[n - 1] == y[5]);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
    cublasSetStream(h, 0);
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(s);
    arena_free(x), arena_free(y), arena_free(dot);
}

static void *work(void *data)
{
    float *p = data, one = 1, zero = 0, result;
    cublasHandle_t own;
    cudaStream_t s;
    int n = 100;
    CHECK_EQUAL(cublasCreate(&own), 0);
    cudaStreamCreate(&s);
    cublasSetStream(own, s);
    for (int i = 0; i < 20; i++) {
        CHECK_EQUAL(cublasSgemm(own, 0, 0, n, n, n, &one, p, n, p, n, &zero,
                                p + n * n, n),
                    0);
        CHECK_EQUAL(cublasSasum(own, n * n, p + n * n, 1, &result), 0);
        CHECK(result == (float)n * n * n);
    }
    CHECK_EQUAL(cublasDestroy(own), 0);
    cudaStreamDestroy(s);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[8];
    float *p[8];
    for (int i = 0; i < 8; i++) {
        p[i] = floats(20000);
        for (int j = 0; j < 10000; j++)
            p[i][j] = 1;
        pthread_create(&thread[i], NULL, work, p[i]);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < 8; i++)
        arena_free(p[i]);
}

static int lines;

static void count_line(const char *line)
{
    lines += strstr(line, "cublasSetStream_v2") != NULL;
}

/* As an H200 has it: transposed and adjoint are the same to changes of rank k,
 * what is no flag of rotm changes nothing, and some types are refused. */
static void either_transposition(void)
{
    const cublasFillMode_t low = CUBLAS_FILL_MODE_LOWER;
    cuComplex *a = arena_take(9 * sizeof *a), *c = arena_take(36 * sizeof *c);
    cuComplex one = {1, 0};
    float real = 1, *x = floats(2), param[5] = {7, 2, 3, 4, 5};
    for (int i = 0; i < 9; i++)
        a[i] = (cuComplex){(float)i, (float)(i * i % 7)};
    memset(c, 0, 36 * sizeof *c);
    for (int op = 0; op < 2; op++) {
        cublasOperation_t trans = op ? CUBLAS_OP_C : CUBLAS_OP_T;
        CHECK_EQUAL(
            cublasCherk(h, low, trans, 3, 3, &real, a, 3, &real, c + 9 * op, 3),
            0);
        CHECK_EQUAL(cublasCsyrk(h, low, trans, 3, 3, &one, a, 3, &one,
                                c + 18 + 9 * op, 3),
                    0);
    }
    float first = x[0], second = x[1];
    CHECK_EQUAL(cublasSrotm(h, 1, x, 1, x + 1, 1, param), 0);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    CHECK(!memcmp(c, c + 9, 9 * sizeof *c));
    CHECK(!memcmp(c + 18, c + 27, 9 * sizeof *c));
    CHECK(c[1].y != 0 && c[1].y != c[19].y && c[0].y == 0);
    CHECK(x[0] == first && x[1] == second);
    /* No extremes of bytes, no real factor of complex numbers. */
    int extreme;
    CHECK_EQUAL(cublasIamaxEx(h, 2, x, CUDA_R_8I, 1, &extreme),
                CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK_EQUAL(
        cublasScalEx(h, 2, &real, CUDA_R_32F, a, CUDA_C_32F, 1, CUDA_C_32F),
        CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK_EQUAL(
        cublasScalEx(h, 2, &one, CUDA_C_32F, a, CUDA_C_32F, 1, CUDA_C_32F), 0);
    arena_free(a), arena_free(c), arena_free(x);
}

/* y = A x of 3 x 2 numbers, where an H200 takes arguments that mean nothing: a
 * size below 0 leaves y as it is, an x without increment is its first number,
 * a y without one gets its first result, and an operation that is none is a
 * transposition of the 2 x 3 matrix that begins there. */
static void gemv_takes_anything(void)
{
    static const struct {
        int op, m, n, incx, incy;
        float y[3];
    } cases[] = {
        {0, 3, 2, 1, 1, {1 + 40, 2 + 50, 3 + 60}},
        {1, 3, 2, 1, 1, {1 + 20 + 300, 4 + 50 + 600, 7}},
        {99, 3, 2, 1, 1, {1 + 20, 4 + 50, 7 + 80}},
        {-1, 3, 2, 1, 1, {1 + 20, 4 + 50, 7 + 80}},
        {0, -3, 2, 1, 1, {7, 7, 7}},
        {0, 3, -2, 1, 1, {7, 7, 7}},
        {5, -3, 2, 0, 0, {7, 7, 7}},
        {0, 3, 2, 0, 1, {5, 7, 9}},
        {0, 3, 2, 1, 0, {1 + 40, 7, 7}},
        {1, 3, 2, 0, 1, {6, 15, 7}},
        {1, 3, 2, 1, 0, {1 + 20 + 300, 7, 7}},
    };
    float *a = floats(16), *x = floats(3), *y = floats(3), one = 1, zero = 0;
    for (int i = 0; i < 16; i++)
        a[i] = (float)(i + 1);
    x[0] = 1, x[1] = 10, x[2] = 100;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        y[0] = y[1] = y[2] = 7;
        CHECK_EQUAL(cublasSgemv(h, (cublasOperation_t)cases[i].op, cases[i].m,
                                cases[i].n, &one, a, 3, x, cases[i].incx, &zero,
                                y, cases[i].incy),
                    0);
        CHECK_EQUAL(cudaDeviceSynchronize(), 0);
        for (int j = 0; j < 3; j++)
            CHECK_EQUAL(y[j], cases[i].y[j]);
    }
    arena_free(a), arena_free(x), arena_free(y);
}

int main(void)
{
    CHECK_EQUAL(cublasCreate(&h), 0);
    products_of_halves_and_bytes();
    batches();
    sums_and_diagonals();
    factors(true);
    factors(false);
    least_squares();
    transfers();
    zeros_and_nan();
    mistakes();
    gemv_takes_anything();
    either_transposition();
    texts_of_statuses();
    device_results_in_graphs();
    threads();
    cublasSetLoggerCallback(count_line);
    cublasLoggerConfigure(1, 0, 0, NULL);
    cublasSetStream(h, 0);
    cublasLoggerConfigure(0, 0, 0, NULL);
    CHECK_EQUAL(lines, 1);
    CHECK_EQUAL(cublasDestroy(h), 0);
    return check_result();
}
