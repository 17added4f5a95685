/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statuses of cuSPARSE: engine.h. With GARBAGE=seed, offsets and columns are
 * numbers at random, which kernels may answer with a fault, and none with damage
 * to the process.
 */
#include "cusparse.h"

#define BY_NAME
#define ARE_GOOD_ONLY (getenv("GARBAGE") != NULL)
#define ROUTINES "cusparse.def"
#include "engine.h"

static cusparseHandle_t handle;
static cusparseSpMatDescr_t matrix;
static cusparseDnVecDescr_t vector;
static cusparseDnMatDescr_t dense;
static cusparseSpVecDescr_t sparse;
static cusparseMatDescr_t old;
static cusparseSpSVDescr_t spsv;
static char *memory;
static double host[4096];

/* ---- objects of a routine's own --------------------------------------- */

static void *own; /* made anew for each call, and left: it may be ended */

static const struct kind {
    const char *word; /* in the routine's name */
    cusparseStatus_t (*create)(void **object);
} kinds[] = {
#define KIND(word, create) {word, (cusparseStatus_t(*)(void **))create}
    KIND("csrilu02", cusparseCreateCsrilu02Info),
    KIND("csric02", cusparseCreateCsric02Info),
    KIND("bsrilu02", cusparseCreateBsrilu02Info),
    KIND("bsric02", cusparseCreateBsric02Info),
    KIND("bsrsv2", cusparseCreateBsrsv2Info),
    KIND("bsrsm2", cusparseCreateBsrsm2Info),
    KIND("csru", cusparseCreateCsru2csrInfo),
    KIND("prune", cusparseCreatePruneInfo),
    KIND("color", cusparseCreateColorInfo),
    KIND("SpSM", cusparseSpSM_createDescr),
    KIND("SpGEMM", cusparseSpGEMM_createDescr),
};

static const char *const product_steps[] = {"cusparseSpGEMM_workEstimation",
                                            "cusparseSpGEMM_compute",
                                            "cusparseSpGEMM_copy", NULL};
static const char *const reuse_steps[] = {"cusparseSpGEMMreuse_workEstimation",
                                          "cusparseSpGEMMreuse_nnz",
                                          "cusparseSpGEMMreuse_copy",
                                          "cusparseSpGEMMreuse_compute", NULL};

/* The steps before this one; not those before that. */
static void call_steps(const char *const *steps, const char *name)
{
    for (; *steps && strcmp(*steps, name); steps++)
        call_before(*steps);
}

/* Calls the routine whose name is `name` up to `end`, then `rest`. */
static void call_joined(const char *name, const char *end, const char *rest)
{
    char other[80];
    int length = end ? (int)(end - name) : (int)strlen(name);
    snprintf(other, sizeof other, "%.*s%s", length, name, rest);
    call_before(other);
}

static bool needs_nothing(const char *name)
{
    static const char *const words[] = {"_bufferSize", "_analysis", "create",
                                        "estroy", "umericBoost"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

static void call_what_it_needs(const char *name)
{
    char typed[80];
    if (needs_nothing(name))
        return;
    snprintf(typed, sizeof typed, "%.8sS%s", name, name + 9);
    if (strstr(name, "_zeroPivot"))
        call_joined(typed, strstr(typed, "_zeroPivot"), "_analysis");
    else if (strstr(name, "2_solve"))
        call_joined(name, strstr(name, "_solve"), "_analysis");
    else if (strstr(name, "ilu02") || strstr(name, "ic02"))
        call_joined(name, NULL, "_analysis");
    else if (strstr(name, "SpSM"))
        call_before("cusparseSpSM_analysis");
    else if (strstr(name, "SpGEMMreuse"))
        call_steps(reuse_steps, name);
    else if (strstr(name, "SpGEMM"))
        call_steps(product_steps, name);
    else if (strstr(name, "ByPercentage"))
        call_joined(name, strstr(name, "ByPercentage"), "NnzByPercentage");
    else if (strstr(name, "csr2csru"))
        call_joined(name, name + 9, "csru2csr");
    else if (strstr(name, "csru2csr"))
        call_joined(name, NULL, "_bufferSizeExt");
}

static long long own_object(void)
{
    for (size_t i = 0; !own && i < sizeof kinds / sizeof *kinds; i++) {
        if (!strstr(routine_name, kinds[i].word))
            continue;
        if (kinds[i].create(&own))
            exit(2);
        call_what_it_needs(routine_name);
    }
    return (long long)own;
}

/* ----------------------------------------------------------------------- */

static void fill_memory(void)
{
    int offsets[5] = {0, 1, 2, 3, 4}, columns[4] = {0, 1, 2, 3};
    cudaMemset(memory, 0, 64 * ROOM);
    cudaMemcpy(memory + 40 * ROOM, offsets, sizeof offsets, cudaMemcpyDefault);
    cudaMemcpy(memory + 41 * ROOM, columns, sizeof columns, cudaMemcpyDefault);
}

/* Small numbers, some too large; every other time the offsets grow. */
static void fill_with_garbage(void)
{
    static unsigned seed, times;
    int numbers[64];
    if (times++ == 0)
        seed = (unsigned)atoi(getenv("GARBAGE"));
    for (int i = 0; i < 64; i++) {
        seed = seed * 1664525 + 1013904223;
        numbers[i] = (seed >> 8) % 40 ? (int)(seed >> 16) % 12 - 2 : 5000;
        if (times % 2 && i < 9)
            numbers[i] = i == 0 ? 0 : numbers[i - 1] + (numbers[i] & 3);
    }
    cudaMemcpy(memory + 40 * ROOM, numbers, 128, cudaMemcpyDefault);
    cudaMemcpy(memory + 41 * ROOM, numbers + 32, 128, cudaMemcpyDefault);
}

/* Descriptions are made anew. */
void library_reset(void)
{
    static bool is_first = true;
    static const float ones[] = {1, 1, 1, 1};
    if (!is_first) {
        cusparseDestroySpMat(matrix);
        cusparseDestroyDnVec(vector);
        cusparseDestroyDnMat(dense);
        cusparseDestroySpVec(sparse);
        cusparseDestroyMatDescr(old);
        cusparseSpSV_destroyDescr(spsv);
    }
    is_first = false;
    own = NULL;
    cudaMemcpy(memory + 42 * ROOM, ones, sizeof ones, cudaMemcpyDefault);
    if (ARE_GOOD_ONLY)
        fill_with_garbage();
    cusparseSetStream(handle, 0);
    cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
    if (cusparseCreateCsr(&matrix, 4, 4, 4, memory + 40 * ROOM,
                          memory + 41 * ROOM, memory + 42 * ROOM,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) ||
        cusparseCreateDnVec(&vector, 4, memory + 43 * ROOM, CUDA_R_32F) ||
        cusparseCreateDnMat(&dense, 4, 4, 4, memory + 44 * ROOM, CUDA_R_32F,
                            CUSPARSE_ORDER_COL) ||
        cusparseCreateSpVec(&sparse, 4, 4, memory + 41 * ROOM,
                            memory + 45 * ROOM, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) ||
        cusparseCreateMatDescr(&old) || cusparseSpSV_createDescr(&spsv))
        exit(2);
}

void library_prepare(void)
{
    const float one = 1;
    if (cusparseCreate(&handle) || cudaMalloc((void **)&memory, 64 * ROOM))
        exit(2);
    memcpy(host, &one, sizeof one);
    fill_memory();
    library_reset();
}

long long library_value(char letter, int argument)
{
    /* Row offsets that no other routine has written over: zeros. */
    if (letter == 'D' && (strstr(routine_name, "geam2") ||
                          strstr(routine_name, "bsrxmv")))
        return (long long)(memory + (46 + argument % 4) * ROOM);
    switch (letter) {
    case 'H': return (long long)handle;
    case 'S': return (long long)host;
    case 'O': return (long long)(host + 64 + 128 * argument);
    case 'r': return (long long)(memory + 40 * ROOM);
    case 'C': return (long long)(memory + 41 * ROOM);
    case 'x': return (long long)matrix;
    case 'y': return (long long)vector;
    case 'z': return (long long)dense;
    case 'v': return (long long)sparse;
    case 'q': return (long long)old;
    case '*': return own_object();
    case 'p': return (long long)spsv;
    default: return (long long)(memory + argument * ROOM);
    }
}
