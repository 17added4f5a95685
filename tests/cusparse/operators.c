/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cusparseSpMMOp: operators in link-time code, in five types, beside the same
 * sums on the host; orders, bases, wide indices, an empty row; what is refused.
 *
 * Builds with NVIDIA's toolkit as well; each line of the output is a status or
 * a result, and an H200's are the same up to the last, where NVIDIA's library
 * crashes.
 */
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <nvrtc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static cusparseHandle_t handle;

static void check(const char *what, double got, double wanted)
{
    printf("%s: %g\n", what, got);
    if (got != wanted) {
        fprintf(stderr, "%s: %g, expected %g\n", what, got, wanted);
        failures++;
    }
}

static void must(const char *what, int err)
{
    if (!err)
        return;
    fprintf(stderr, "%s: error %d\n", what, err);
    exit(1);
}
#define MUST(call) must(#call, call)

struct code {
    char *at;
    size_t bytes;
};

static struct code compile(const char *type, const char *function)
{
    static const char *const options[] = {"-arch=compute_75", "-dlto",
                                          "-rdc=true", "-std=c++17"};
    char source[512];
    struct code c;
    nvrtcProgram p;
    snprintf(source, sizeof source, "typedef %s T;\n__device__ %s", type,
             function);
    MUST(nvrtcCreateProgram(&p, source, "op.cu", 0, NULL, NULL));
    MUST(nvrtcCompileProgram(p, 4, options));
    MUST(nvrtcGetLTOIRSize(p, &c.bytes));
    c.at = malloc(c.bytes);
    MUST(nvrtcGetLTOIR(p, c.at));
    MUST(nvrtcDestroyProgram(&p));
    return c;
}

/* 4 x 5, row 2 empty. */
enum { ROWS = 4, INNER = 5, COLS = 3, NNZ = 6 };
static const int offsets[] = {0, 2, 5, 5, 6};
static const int columns[] = {0, 3, 1, 2, 4, 0};
static const int values[] = {3, 5, 2, 4, 7, 6};

static int b_at(int i, int j)
{
    return (i * 3 + j * 5) % 11 + 1;
}

static void put(void *at, cudaDataType type, int i, int v)
{
    switch (type) {
    case CUDA_R_32F:
        ((float *)at)[i] = (float)v;
        break;
    case CUDA_R_64F:
        ((double *)at)[i] = v;
        break;
    case CUDA_C_32F:
        ((float *)at)[2 * i] = (float)v;
        ((float *)at)[2 * i + 1] = 1;
        break;
    case CUDA_C_64F:
        ((double *)at)[2 * i] = v;
        ((double *)at)[2 * i + 1] = 1;
        break;
    case CUDA_R_8I:
        ((signed char *)at)[i] = (signed char)v;
        break;
    default:
        ((int *)at)[i] = v;
    }
}

static double get(const void *at, cudaDataType type, int i)
{
    switch (type) {
    case CUDA_R_32F:
        return ((const float *)at)[i];
    case CUDA_R_64F:
        return ((const double *)at)[i];
    case CUDA_C_32F:
        return ((const float *)at)[2 * i];
    case CUDA_C_64F:
        return ((const double *)at)[2 * i];
    default:
        return ((const int *)at)[i];
    }
}

static void *on_device(const void *at, size_t bytes)
{
    void *p;
    MUST(cudaMalloc(&p, bytes));
    MUST(cudaMemcpy(p, at, bytes, cudaMemcpyHostToDevice));
    return p;
}

struct problem {
    cudaDataType type, result;
    cusparseOrder_t order;
    bool is_wide, is_transposed;
    int base;
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t b, c;
    void *memory[5];
};

static void make(struct problem *p)
{
    char value_bytes[NNZ * 16], b_bytes[INNER * COLS * 16];
    char c_bytes[ROWS * COLS * 16];
    long long wide[2][8];
    int narrow[2][8];
    bool is_row = p->order == CUSPARSE_ORDER_ROW;
    cusparseIndexType_t index =
        p->is_wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    for (int i = 0; i < NNZ; i++) {
        put(value_bytes, p->type, i, values[i]);
        wide[1][i] = narrow[1][i] = columns[i] + p->base;
    }
    for (int i = 0; i <= ROWS; i++)
        wide[0][i] = narrow[0][i] = offsets[i] + p->base;
    for (int i = 0; i < INNER; i++)
        for (int j = 0; j < COLS; j++)
            put(b_bytes, p->type,
                is_row != p->is_transposed ? i * COLS + j : j * INNER + i,
                b_at(i, j));
    for (int i = 0; i < ROWS * COLS; i++)
        put(c_bytes, p->result, i, 100);
    p->memory[0] = on_device(p->is_wide ? (void *)wide[0] : narrow[0],
                             sizeof wide[0] / (p->is_wide ? 1 : 2));
    p->memory[1] = on_device(p->is_wide ? (void *)wide[1] : narrow[1],
                             sizeof wide[1] / (p->is_wide ? 1 : 2));
    p->memory[2] = on_device(value_bytes, sizeof value_bytes);
    p->memory[3] = on_device(b_bytes, sizeof b_bytes);
    p->memory[4] = on_device(c_bytes, sizeof c_bytes);
    MUST(cusparseCreateCsr(&p->a, ROWS, INNER, NNZ, p->memory[0], p->memory[1],
                           p->memory[2], index, index,
                           (cusparseIndexBase_t)p->base, p->type));
    int64_t rows = p->is_transposed ? COLS : INNER;
    int64_t cols = p->is_transposed ? INNER : COLS;
    MUST(cusparseCreateDnMat(&p->b, rows, cols, is_row ? cols : rows,
                             p->memory[3], p->type, p->order));
    MUST(cusparseCreateDnMat(&p->c, ROWS, COLS, is_row ? COLS : ROWS,
                             p->memory[4], p->result, p->order));
}

static void destroy(struct problem *p)
{
    for (int i = 0; i < 5; i++)
        MUST(cudaFree(p->memory[i]));
    MUST(cusparseDestroySpMat(p->a));
    MUST(cusparseDestroyDnMat(p->b));
    MUST(cusparseDestroyDnMat(p->c));
}

static int create(struct problem *p, cudaDataType compute,
                  const struct code *ops, cusparseSpMMOpPlan_t *plan,
                  size_t *bytes)
{
    return cusparseSpMMOp_createPlan(
        handle, plan, CUSPARSE_OPERATION_NON_TRANSPOSE,
        p->is_transposed ? CUSPARSE_OPERATION_TRANSPOSE
                         : CUSPARSE_OPERATION_NON_TRANSPOSE,
        p->a, p->b, p->c, compute, CUSPARSE_SPMM_OP_ALG_DEFAULT, ops[0].at,
        ops[0].bytes, ops[1].at, ops[1].bytes, ops[2].at, ops[2].bytes, bytes);
}

static void run(struct problem *p, cudaDataType compute, const struct code *ops,
                double *out)
{
    char c_bytes[ROWS * COLS * 16];
    cusparseSpMMOpPlan_t plan;
    size_t bytes;
    void *buffer;
    MUST(create(p, compute, ops, &plan, &bytes));
    MUST(cudaMalloc(&buffer, bytes + 8));
    MUST(cusparseSpMMOp(plan, buffer));
    MUST(cudaMemcpy(c_bytes, p->memory[4], sizeof c_bytes,
                    cudaMemcpyDeviceToHost));
    MUST(cusparseSpMMOp_destroyPlan(plan));
    MUST(cudaFree(buffer));
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            out[i * COLS + j] = get(
                c_bytes, p->result,
                p->order == CUSPARSE_ORDER_ROW ? i * COLS + j : j * ROWS + i);
}

/* The sum of 2 a b, less a tenth of what was there, which stays in an empty
 * row. */
static double wanted(int i, int j)
{
    double sum = 0;
    if (offsets[i] == offsets[i + 1])
        return 100;
    for (int k = offsets[i]; k < offsets[i + 1]; k++)
        sum += 2.0 * values[k] * b_at(columns[k], j);
    return sum - 10;
}

static void test(const char *name, struct problem p, cudaDataType compute,
                 const struct code *ops)
{
    double out[ROWS * COLS], wrong = 0;
    make(&p);
    run(&p, compute, ops, out);
    for (int i = 0; i < ROWS * COLS; i++)
        wrong += out[i] != wanted(i / COLS, i % COLS);
    check(name, wrong, 0);
    destroy(&p);
}

static void operators(const char *type, struct code *ops)
{
    bool is_complex = type[strlen(type) - 1] == '2';
    ops[0] = compile(type, is_complex ? "T add_op(T a, T b)\n"
                                        "{ return T{a.x + b.x, a.y + b.y}; }"
                                      : "T add_op(T a, T b) { return a + b; }");
    ops[1] =
        compile(type, is_complex ? "T mul_op(T a, T b)\n"
                                   "{ return T{2 * a.x * b.x, a.y}; }"
                                 : "T mul_op(T a, T b) { return 2 * a * b; }");
    ops[2] = compile(type, is_complex ? "T epilogue(T a, T b)\n"
                                        "{ return T{a.x - b.x / 10, a.y}; }"
                                      : "T epilogue(T a, T b)\n"
                                        "{ return a - b / 10; }");
}

static void destroy_operators(struct code *ops)
{
    for (int i = 0; i < 3; i++)
        free(ops[i].at);
}

static void test_types(void)
{
    static const struct {
        const char *name, *type;
        cudaDataType of, result, compute;
    } rows[] = {
        {"float", "float", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
        {"double", "double", CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
        {"complex", "float2", CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
        {"double complex", "double2", CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
        {"bytes", "int", CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},
        {"bytes as floats", "float", CUDA_R_8I, CUDA_R_32F, CUDA_R_32F},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct code ops[3];
        struct problem p = {.type = rows[i].of,
                            .result = rows[i].result,
                            .order = CUSPARSE_ORDER_ROW};
        operators(rows[i].type, ops);
        test(rows[i].name, p, rows[i].compute, ops);
        destroy_operators(ops);
    }
}

static void test_layouts(const struct code *ops)
{
    struct problem p = {
        .type = CUDA_R_32F, .result = CUDA_R_32F, .order = CUSPARSE_ORDER_COL};
    test("columns", p, CUDA_R_32F, ops);
    p.base = 1;
    test("base 1", p, CUDA_R_32F, ops);
    p.is_transposed = true;
    test("transposed", p, CUDA_R_32F, ops);
    p.order = CUSPARSE_ORDER_ROW;
    test("transposed, rows", p, CUDA_R_32F, ops);
    p.is_wide = true;
    test("wide", p, CUDA_R_32F, ops);
}

/* How often operators are called, and with what, shows in their results. */
static void test_start(struct code *ops)
{
    struct problem p = {
        .type = CUDA_R_32F, .result = CUDA_R_32F, .order = CUSPARSE_ORDER_ROW};
    double out[ROWS * COLS];
    struct code kept[3] = {ops[0], ops[1], ops[2]};
    ops[0] = compile("float", "T add_op(T a, T b) { return a < b ? a : b; }");
    ops[2] = compile("float", "T epilogue(T a, T b) { return a; }");
    make(&p);
    run(&p, CUDA_R_32F, ops, out);
    check("least of row 0", out[0], 6);
    check("least of row 3", out[3 * COLS], 12);
    check("empty row", out[2 * COLS], 100);
    free(ops[0].at);
    ops[0] = compile("float", "T add_op(T a, T b) { return a + b + 1000; }");
    run(&p, CUDA_R_32F, ops, out);
    check("additions in row 0", (int)(out[0] / 1000), 1);
    check("additions in row 1", (int)(out[COLS] / 1000), 2);
    check("additions in row 3", (int)(out[3 * COLS] / 1000), 0);
    destroy(&p);
    free(ops[0].at);
    free(ops[2].at);
    memcpy(ops, kept, sizeof kept);
}

static void test_statuses(struct code *ops)
{
    struct problem p = {
        .type = CUDA_R_32F, .result = CUDA_R_32F, .order = CUSPARSE_ORDER_ROW};
    cusparseSpMMOpPlan_t plan;
    size_t bytes;
    make(&p);
    cusparseHandle_t kept = handle;
    handle = NULL;
    check("no handle", create(&p, CUDA_R_32F, ops, &plan, &bytes), 3);
    handle = kept;
    check("no plan", create(&p, CUDA_R_32F, ops, NULL, &bytes), 3);
    check("no size", create(&p, CUDA_R_32F, ops, &plan, NULL), 3);
    check("other type", create(&p, CUDA_R_64F, ops, &plan, &bytes), 10);
    for (int i = 0; i < 3; i++) {
        struct code without[3] = {ops[0], ops[1], ops[2]};
        without[i].at = NULL;
        check("no operator", create(&p, CUDA_R_32F, without, &plan, &bytes), 3);
        without[i] = ops[i];
        without[i].bytes = 0;
        check("no bytes", create(&p, CUDA_R_32F, without, &plan, &bytes), 3);
        without[i] = ops[(i + 1) % 3];
        check("other name", create(&p, CUDA_R_32F, without, &plan, &bytes), 7);
    }
    check("run no plan", cusparseSpMMOp(NULL, NULL), 3);
    check("destroy no plan", cusparseSpMMOp_destroyPlan(NULL), 0);
    destroy(&p);
}

int main(void)
{
    struct code ops[3];
    MUST(cusparseCreate(&handle));
    operators("float", ops);
    test_types();
    test_layouts(ops);
    test_start(ops);
    test_statuses(ops);
    destroy_operators(ops);
    MUST(cusparseDestroy(handle));
    return failures ? 1 : 0;
}
