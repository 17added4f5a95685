// weftcc: -lcufft
// SPDX-License-Identifier: Apache-2.0
// Callbacks of cuFFT: called for each element, in and out of place.
#include <cstdio>
#include <cufftXt.h>

static __device__ cufftComplex scaled(void *data, size_t at, void *info, void *)
{
    cufftComplex x = ((cufftComplex *)data)[at];
    float by = *(float *)info;
    return make_cuFloatComplex(x.x * by, x.y * by);
}

static __device__ float counted(void *, size_t at, void *, void *shared)
{
    ((volatile char *)shared)[at % 64] = 1;
    return at % 8 == 0;
}

static __device__ void halved(void *data, size_t at, cufftComplex x, void *,
                              void *)
{
    ((cufftComplex *)data)[at] = make_cuFloatComplex(x.x / 2, x.y / 2);
}

static __device__ cufftCallbackLoadC load_scaled = scaled;
static __device__ cufftCallbackLoadR load_counted = counted;
static __device__ cufftCallbackStoreC store_halved = halved;

template <typename T> static T value(const T &symbol)
{
    T function;
    cudaMemcpyFromSymbol(&function, symbol, sizeof function);
    return function;
}

static void complex_in_place()
{
    cufftComplex *x;
    float *by;
    cufftHandle p;
    cudaMallocManaged(&x, 2 * 16 * sizeof *x);
    cudaMallocManaged(&by, sizeof *by);
    *by = 3;
    for (int i = 0; i < 32; i++)
        x[i] = make_cuFloatComplex(i == 0 || i == 17, 0);
    cufftPlan1d(&p, 16, CUFFT_C2C, 2);
    auto load = value(load_scaled);
    auto store = value(store_halved);
    printf("%d", cufftXtSetCallback(p, (void **)&load, CUFFT_CB_LD_COMPLEX,
                                    (void **)&by));
    printf(" %d", cufftXtSetCallback(p, (void **)&store, CUFFT_CB_ST_COMPLEX,
                                     nullptr));
    printf(" %d", cufftXtSetCallback(p, (void **)&store, CUFFT_CB_ST_REAL,
                                     nullptr));
    printf(" %d\n", cufftExecC2C(p, x, x, CUFFT_FORWARD));
    cudaDeviceSynchronize();
    printf("%g %g, %g %g\n", x[5].x, x[5].y, x[20].x, x[20].y);
    printf("%d", cufftXtClearCallback(p, CUFFT_CB_LD_COMPLEX));
    cufftExecC2C(p, x, x, CUFFT_INVERSE);
    cudaDeviceSynchronize();
    printf(" %g %g\n", x[0].x, x[17].x);
    printf("%d\n", cufftXtSetJITCallback(p, "f", "", 0, CUFFT_CB_LD_COMPLEX,
                                         nullptr));
    cufftDestroy(p);
}

static void reals_of_a_plane()
{
    int n[] = {4, 8};
    cufftComplex *out;
    cufftHandle p;
    cudaMallocManaged(&out, 4 * 5 * sizeof *out);
    cufftPlanMany(&p, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, 1);
    auto load = value(load_counted);
    printf("%d", cufftXtSetCallback(p, (void **)&load, CUFFT_CB_LD_REAL,
                                    nullptr));
    printf(" %d", cufftXtSetCallbackSharedSize(p, CUFFT_CB_LD_REAL, 64));
    printf(" %d", cufftXtSetCallbackSharedSize(p, CUFFT_CB_LD_REAL, 1 << 20));
    printf(" %d\n", cufftExecR2C(p, (float *)out + 64, out));
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++)
        printf("%g ", out[i].x);
    printf("\n");
    cufftDestroy(p);
}

int main()
{
    complex_in_place();
    reals_of_a_plane();
}
