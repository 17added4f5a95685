/* SPDX-License-Identifier: Apache-2.0 */
/* cufftXt on two devices: slabs, orders, and what one device gives. */
#include "../exec/check.h"
#include "cufftXt.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) CHECK_EQUAL(call, 0)

enum { NX = 5, NY = 7, NZ = 6, HALF = NZ / 2 + 1 };

static cufftHandle plan_on(int devices, int rank, const int *n, cufftType type,
                           int batch)
{
    static int gpus[] = {0, 1};
    int lengths[] = {n[0], rank > 1 ? n[1] : 0, rank > 2 ? n[2] : 0};
    size_t work[2];
    cufftHandle p;
    OK(cufftCreate(&p));
    if (devices > 1)
        OK(cufftXtSetGPUs(p, devices, gpus));
    OK(cufftMakePlanMany(p, rank, lengths, NULL, 1, 0, NULL, 1, 0, type, batch,
                         work));
    return p;
}

/* count: floats. */
static double difference(const float *a, const float *b, size_t count)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, fabs((double)a[i] - b[i]));
    return worst;
}

static void as_on_one(int rank, const int *n, cufftType type, cufftType back,
                      int batch, size_t count)
{
    cufftHandle two = plan_on(2, rank, n, type, batch);
    cufftHandle one = plan_on(1, rank, n, type, batch);
    cufftHandle two_back = plan_on(2, rank, n, back, batch);
    float *x = malloc(count * 4), *y = malloc(count * 4), *d;
    cudaLibXtDesc *desc = NULL, *copy = NULL;
    OK(cudaMalloc((void **)&d, count * 4));
    for (size_t i = 0; i < count; i++)
        d[i] = x[i] = (float)sin((double)(i * i % 1001));
    OK(cufftXtMalloc(two, &desc, CUFFT_XT_FORMAT_INPLACE));
    CHECK_EQUAL(desc->descriptor->nGPUs, 2);
    CHECK_EQUAL(desc->descriptor->GPUs[1], 1);
    OK(cufftXtMemcpy(two, desc, x, CUFFT_COPY_HOST_TO_DEVICE));
    OK(cufftXtExecDescriptor(two, desc, desc, CUFFT_FORWARD));
    CHECK_EQUAL(desc->subFormat, batch > 1 ? CUFFT_XT_FORMAT_INPLACE
                                           : CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
    OK(cufftXtExec(one, d, d, CUFFT_FORWARD));
    OK(cufftXtMemcpy(two, y, desc, CUFFT_COPY_DEVICE_TO_HOST));
    OK(cudaDeviceSynchronize());
    CHECK(difference(y, d, count) == 0);
    OK(cufftXtMalloc(two, &copy, CUFFT_XT_FORMAT_INPLACE));
    OK(cufftXtMemcpy(two, copy, desc, CUFFT_COPY_DEVICE_TO_DEVICE));
    memset(y, 0, count * 4);
    OK(cufftXtMemcpy(two, y, copy, CUFFT_COPY_DEVICE_TO_HOST));
    CHECK(difference(y, d, count) == 0);
    /* A line goes back from its natural order only. */
    cudaLibXtDesc *from = rank == 1 ? copy : desc;
    if (rank == 1 && batch == 1)
        CHECK_EQUAL(cufftXtExecDescriptor(two_back, desc, desc, CUFFT_INVERSE),
                    CUFFT_INVALID_TYPE);
    OK(cufftXtExecDescriptor(two_back, from, from, CUFFT_INVERSE));
    if (rank > 1)
        CHECK_EQUAL(from->subFormat, CUFFT_XT_FORMAT_INPLACE);
    OK(cufftXtMemcpy(two, y, from, CUFFT_COPY_DEVICE_TO_HOST));
    size_t total = (size_t)n[0] * (rank > 1 ? n[1] : 1) * (rank > 2 ? n[2] : 1);
    for (size_t i = 0; i < count; i++) {
        bool is_padding = type == CUFFT_R2C && i % (2 * HALF) >= NZ;
        CHECK(is_padding || fabs(y[i] / (double)total - x[i]) < 1e-5);
    }
    OK(cufftXtFree(desc));
    OK(cufftXtFree(copy));
    OK(cufftDestroy(one));
    OK(cufftDestroy(two));
    OK(cufftDestroy(two_back));
    cudaFree(d);
    free(x);
    free(y);
}

static void slabs_lie_on_their_devices(void)
{
    static const int n[] = {NX, NY, NZ};
    cufftHandle p = plan_on(2, 3, n, CUFFT_C2C, 1);
    cudaLibXtDesc *d;
    struct cudaPointerAttributes a;
    float x[2 * NX * NY * NZ];
    for (int i = 0; i < 2 * NX * NY * NZ; i++)
        x[i] = (float)i;
    OK(cufftXtMalloc(p, &d, CUFFT_XT_FORMAT_INPLACE));
    OK(cufftXtMemcpy(p, d, x, CUFFT_COPY_HOST_TO_DEVICE));
    CHECK_EQUAL(*(float *)d->descriptor->data[1], 2 * 3 * NY * NZ);
    OK(cudaPointerGetAttributes(&a, d->descriptor->data[1]));
    CHECK_EQUAL(a.device, 1);
    d->subFormat = CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
    OK(cufftXtMemcpy(p, d, x, CUFFT_COPY_HOST_TO_DEVICE));
    CHECK_EQUAL(*(float *)d->descriptor->data[1], 2 * 4 * NZ);
    OK(cufftXtFree(d));
    OK(cufftDestroy(p));
}

/* As two devices of NVIDIA's have it. */
static void lines_are_shuffled(void)
{
    static const int n[] = {64};
    cufftHandle p = plan_on(2, 1, n, CUFFT_C2C, 1);
    cufftXt1dFactors f;
    cudaLibXtDesc *d;
    float x[128];
    for (int i = 0; i < 128; i++)
        x[i] = (float)(i / 2);
    OK(cufftXtQueryPlan(p, &f, CUFFT_QUERY_1D_FACTORS));
    const long long expected[] = {64, 2, 32, 8, 16, 4, 31, 7, 15, 3};
    CHECK(!memcmp(&f, expected, sizeof expected));
    CHECK(f.stringShift == 5 && f.substringShift == 3 && f.factor1Shift == 4 &&
          f.factor2Shift == 2);
    OK(cufftXtMalloc(p, &d, CUFFT_XT_FORMAT_INPLACE_SHUFFLED));
    OK(cufftXtMemcpy(p, d, x, CUFFT_COPY_HOST_TO_DEVICE));
    const float *first = d->descriptor->data[0],
                *second = d->descriptor->data[1];
    CHECK(first[0] == 0 && first[14] == 7 && first[16] == 16 &&
          first[62] == 55);
    CHECK(second[0] == 8 && second[16] == 24 && second[62] == 63);
    CHECK_EQUAL(cufftExecC2C(p, (void *)first, (void *)first, CUFFT_FORWARD),
                CUFFT_EXEC_FAILED);
    OK(cufftXtFree(d));
    OK(cufftDestroy(p));
}

static void mistakes(void)
{
    int gpus[] = {0, 1, 77};
    static const int n[] = {16};
    cufftHandle p;
    cudaLibXtDesc *d = NULL;
    size_t work[2];
    float host[32];
    OK(cufftCreate(&p));
    CHECK_EQUAL(cufftXtSetGPUs(p, 1, gpus), CUFFT_INVALID_VALUE);
    CHECK_EQUAL(cufftXtSetGPUs(p, 2, NULL), CUFFT_INVALID_VALUE);
    CHECK_EQUAL(cufftXtSetGPUs(p, 3, gpus), CUFFT_INVALID_DEVICE);
    CHECK_EQUAL(cufftXtSetGPUs(4242, 2, gpus), CUFFT_INVALID_PLAN);
    CHECK_EQUAL(cufftXtMalloc(p, &d, CUFFT_XT_FORMAT_INPLACE),
                CUFFT_INVALID_PLAN);
    OK(cufftXtSetGPUs(p, 2, gpus));
    CHECK_EQUAL(cufftMakePlan1d(p, 60, CUFFT_C2C, 1, work), CUFFT_INVALID_SIZE);
    CHECK_EQUAL(cufftMakePlan1d(p, 64, CUFFT_R2C, 1, work), CUFFT_INVALID_SIZE);
    OK(cufftDestroy(p));
    p = plan_on(1, 1, n, CUFFT_C2C, 1);
    CHECK_EQUAL(cufftXtMalloc(p, NULL, CUFFT_XT_FORMAT_INPLACE),
                CUFFT_INVALID_VALUE);
    OK(cufftXtMalloc(p, &d, CUFFT_XT_FORMAT_INPLACE));
    CHECK_EQUAL(cufftXtMemcpy(p, NULL, host, CUFFT_COPY_HOST_TO_DEVICE),
                CUFFT_INVALID_VALUE);
    CHECK_EQUAL(cufftXtMemcpy(p, d, host, CUFFT_COPY_UNDEFINED),
                CUFFT_INVALID_VALUE);
    CHECK_EQUAL(cufftXtExecDescriptorC2C(p, d, NULL, CUFFT_FORWARD),
                CUFFT_INVALID_VALUE);
    OK(cufftXtFree(d));
    OK(cufftXtFree(NULL));
    OK(cufftDestroy(p));
}

int main(void)
{
    static const int cube[] = {NX, NY, NZ}, plane[] = {NY, NZ}, line[] = {64};
    as_on_one(3, cube, CUFFT_C2C, CUFFT_C2C, 1, 2 * NX * NY * NZ);
    as_on_one(3, cube, CUFFT_R2C, CUFFT_C2R, 1, 2 * NX * NY * HALF);
    as_on_one(2, plane, CUFFT_C2C, CUFFT_C2C, 1, 2 * NY * NZ);
    as_on_one(2, plane, CUFFT_R2C, CUFFT_C2R, 1, 2 * NY * HALF);
    as_on_one(1, line, CUFFT_C2C, CUFFT_C2C, 1, 2 * 64);
    as_on_one(1, line, CUFFT_C2C, CUFFT_C2C, 3, 3 * 2 * 64);
    slabs_lie_on_their_devices();
    lines_are_shuffled();
    mistakes();
    return check_result();
}
