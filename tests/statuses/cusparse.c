/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of cuSPARSE: engine.h. */
#include "cusparse.h"

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

static void fill_memory(void)
{
    int offsets[5] = {0, 1, 2, 3, 4}, columns[4] = {0, 1, 2, 3};
    cudaMemset(memory, 0, 64 * ROOM);
    cudaMemcpy(memory + 40 * ROOM, offsets, sizeof offsets, cudaMemcpyDefault);
    cudaMemcpy(memory + 41 * ROOM, columns, sizeof columns, cudaMemcpyDefault);
}

/* Descriptions are made anew. */
void library_reset(void)
{
    static bool is_first = true;
    if (!is_first) {
        cusparseDestroySpMat(matrix);
        cusparseDestroyDnVec(vector);
        cusparseDestroyDnMat(dense);
        cusparseDestroySpVec(sparse);
        cusparseDestroyMatDescr(old);
        cusparseSpSV_destroyDescr(spsv);
    }
    is_first = false;
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
    case 'p': return (long long)spsv;
    default: return (long long)(memory + argument * ROOM);
    }
}
