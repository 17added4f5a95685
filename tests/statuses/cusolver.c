/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of cuSOLVER: engine.h. */
#include "cusolverDn.h"
#include "cusolverRf.h"
#include "cusolverSp.h"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"

#define BY_NAME
#define ROUTINES "cusolver.def"
#include "engine.h"

static cusolverDnHandle_t handle;
static cusolverDnParams_t params;
static gesvdjInfo_t gesvdj;
static syevjInfo_t syevj;
static char *memory, *workspace;
static double host[4096];

/* ---- sparse matrices: 4 x 4 unit ones --------------------------------- */

static cusolverSpHandle_t sparse;
static cusparseMatDescr_t description;
static int offsets[] = {0, 1, 2, 3, 4}, columns[16] = {0, 1, 2, 3};
static int *device_offsets, *device_columns;
static void *device_ones[2], *host_ones[2]; /* floats, doubles */

static bool is_sparse(void)
{
    return strstr(routine_name, "cusolverSp") ||
           strstr(routine_name, "cusolverRf");
}

static bool is_double(void)
{
    char name[80];
    snprintf(name, sizeof name, "%s", routine_name);
    const char *type = type_letter(name);
    return strstr(name, "cusolverRf") || (type && strchr("DZ", *type));
}

static void *to_device(const void *from, size_t bytes, size_t room)
{
    void *p;
    if (cudaMalloc(&p, room) ||
        cudaMemcpy(p, from, bytes, cudaMemcpyDefault))
        exit(2);
    return p;
}

static void prepare_sparse(void)
{
    static float floats_of_one[16 * ROOM / 4];
    static double doubles_of_one[16 * ROOM / 8];
    for (size_t i = 0; i < sizeof doubles_of_one / 8; i++)
        floats_of_one[2 * i] = floats_of_one[2 * i + 1] = 1,
                          doubles_of_one[i] = 1;
    host_ones[0] = floats_of_one, host_ones[1] = doubles_of_one;
    for (int i = 0; i < 2; i++)
        device_ones[i] = to_device(host_ones[i], 16 * ROOM, 32 * ROOM);
    device_offsets = to_device(offsets, sizeof offsets, ROOM);
    device_columns = to_device(columns, sizeof columns, ROOM);
    if (cusolverSpCreate(&sparse) || cusparseCreateMatDescr(&description))
        exit(2);
}

/* ---- objects of a routine's own --------------------------------------- */

/* Made anew for each call, and left: it may be ended. */
static void *own;
static cusolverRfHandle_t refactor;
static cusolverDnIRSParams_t irs_params;
static cusolverDnIRSInfos_t irs_infos;

/* The steps of a factorisation before this one. */
static void call_steps_before(const char *kind)
{
    static const char *const steps[] = {"Analysis", "BufferInfo", "Setup",
                                        "Factor", "Solve"};
    char name[80], other[80];
    snprintf(name, sizeof name, "%s", routine_name);
    const char *type = type_letter(name);
    for (size_t i = 0; i < 5 && !strstr(name, steps[i]); i++) {
        snprintf(other, sizeof other, "cusolverSp%c%s%s%s%s",
                 i == 0 ? 'X' : type ? *type : 'S', kind, steps[i],
                 strstr(name, "Batched") ? "Batched" : "",
                 strstr(name, "Host") ? "Host" : "");
        call_before(other);
    }
}

static long long own_info(void)
{
    const char *const kind = strstr(routine_name, "csrqr")   ? "csrqr"
                             : strstr(routine_name, "csrlu") ? "csrlu"
                                                             : "csrchol";
    bool is_host = strstr(routine_name, "Host");
    if (own)
        return (long long)own;
    if (!strcmp(kind, "csrlu"))
        cusolverSpCreateCsrluInfoHost((csrluInfoHost_t *)&own);
    else if (!strcmp(kind, "csrqr") && is_host)
        cusolverSpCreateCsrqrInfoHost((csrqrInfoHost_t *)&own);
    else if (!strcmp(kind, "csrqr"))
        cusolverSpCreateCsrqrInfo((csrqrInfo_t *)&own);
    else if (is_host)
        cusolverSpCreateCsrcholInfoHost((csrcholInfoHost_t *)&own);
    else
        cusolverSpCreateCsrcholInfo((csrcholInfo_t *)&own);
    call_steps_before(kind);
    return (long long)own;
}

static long long own_refactor(void)
{
    static const char *const steps[] = {"SetupHost", "Analyze", "Refactor"};
    const char *batch = strstr(routine_name, "RfBatch") ? "Batch" : "";
    char name[80];
    if (refactor)
        return (long long)refactor;
    if (cusolverRfCreate(&refactor))
        exit(2);
    if (strstr(routine_name, "Setup") || strstr(routine_name, "RfSet") ||
        strstr(routine_name, "RfGet"))
        return (long long)refactor;
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "cusolverRf%s%s", batch, steps[i]);
        if (!strcmp(name, routine_name))
            break;
        call_before(name);
    }
    return (long long)refactor;
}

static long long own_params(void)
{
    if (!irs_params &&
        (cusolverDnIRSParamsCreate(&irs_params) ||
         cusolverDnIRSParamsSetSolverPrecisions(irs_params, CUSOLVER_R_64F,
                                                CUSOLVER_R_32F) ||
         cusolverDnIRSParamsSetRefinementSolver(
             irs_params, CUSOLVER_IRS_REFINE_CLASSICAL)))
        exit(2);
    return (long long)irs_params;
}

static long long own_infos(void)
{
    if (!irs_infos && cusolverDnIRSInfosCreate(&irs_infos))
        exit(2);
    return (long long)irs_infos;
}

/* ----------------------------------------------------------------------- */

/* 4 x 4 unit matrices, 4 apart, and pivots of 1. */
static void fill_memory(void)
{
    static float numbers[64 * ROOM / 4];
    for (int i = 0; i < 48 * ROOM / 4; i++)
        numbers[i] = i % 16 % 5 == 0;
    for (int i = 48 * ROOM / 4; i < 64 * ROOM / 4; i++)
        ((int *)numbers)[i] = 1;
    cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyDefault);
}

void library_prepare(void)
{
    const float one = 1;
    void *each[16];
    if (cusolverDnCreate(&handle) || cudaMalloc((void **)&memory, 64 * ROOM) ||
        cusolverDnCreateParams(&params) ||
        cusolverDnCreateGesvdjInfo(&gesvdj) || cusolverDnCreateSyevjInfo(&syevj))
        exit(2);
    memcpy(host, &one, sizeof one);
    prepare_sparse();
    workspace = to_device(host, sizeof host, 160 << 20);
    fill_memory();
    for (int i = 0; i < 16; i++)
        each[i] = memory + 40 * ROOM + i * 1024;
    cudaMemcpy(memory + 32 * ROOM, each, sizeof each, cudaMemcpyDefault);
    for (int i = 0; i < 16; i++)
        each[i] = (char *)device_ones[1] + 20 * ROOM + i * 1024;
    cudaMemcpy(memory + 33 * ROOM, each, sizeof each, cudaMemcpyDefault);
}

void library_reset(void)
{
    cusolverDnXgesvdjSetMaxSweeps(gesvdj, 100);
    cusolverDnXgesvdjSetSortEig(gesvdj, 1);
    cusolverDnXsyevjSetMaxSweeps(syevj, 100);
    cusolverDnXsyevjSetSortEig(syevj, 1);
    cusolverDnSetStream(handle, 0);
    own = NULL, refactor = NULL, irs_params = NULL, irs_infos = NULL;
}

/* Memory that routines for sparse matrices get otherwise than the others. */
static long long sparse_value(char letter, int argument)
{
    static void *lists[4];
    for (int i = 0; i < 4; i++)
        lists[i] = host_ones[1];
    switch (letter) {
    case 'D': return (long long)device_ones[is_double()] + argument * ROOM;
    case 'P': return (long long)(memory + 33 * ROOM);
    case 'r': return (long long)device_offsets;
    case 'O':
        return strcmp(routine_name, "cusolverRfBatchSetupHost")
                   ? 0
                   : (long long)lists;
    default: return 0;
    }
}

long long library_value(char letter, int argument)
{
    if (is_sparse() && sparse_value(letter, argument))
        return sparse_value(letter, argument);
    switch (letter) {
    case 'q': return (long long)description;
    case 'N': return (long long)sparse;
    case 'Q': return own_refactor();
    case 'R': return (long long)offsets;
    case 'K': return (long long)columns;
    case 'C': return (long long)device_columns;
    case 'Y': return (long long)host_ones[is_double()];
    case '*': return own_info();
    case '(': return own_params();
    case ')': return own_infos();
    case '=': return (long long)workspace;
    case 'H': return (long long)handle;
    case 'S': return (long long)host;
    case 'O': return (long long)(host + 64 + 128 * argument);
    case 'P': return (long long)(memory + 32 * ROOM);
    case 'x': return (long long)params;
    case 'y': return (long long)gesvdj;
    case 'z': return (long long)syevj;
    case 'r': return (long long)(memory + 50 * ROOM);
    default: return (long long)(memory + argument * ROOM);
    }
}
