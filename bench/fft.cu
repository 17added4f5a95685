/* SPDX-License-Identifier: Apache-2.0 */
/* cuFFT: fft NAME prints the milliseconds of a transform of fft.h. */
#include <cufft.h>

#include "fft.h"

static cufftHandle plan;
static cufftComplex *in, *out;

static void transform(void)
{
    cufftExecC2C(plan, in, out, CUFFT_FORWARD);
    cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    const fft_case *c = fft_find(argc > 1 ? argv[1] : "");
    double ms = -1;
    if (!c)
        return 1;
    int n[3] = {c->n[0], c->n[1], c->n[2]};
    cudaMallocManaged(&in, fft_count(c) * sizeof *in);
    cudaMallocManaged(&out, fft_count(c) * sizeof *out);
    fft_fill((float *)in, fft_count(c));
    memset(out, 0, fft_count(c) * sizeof *out);
    if (cufftPlanMany(&plan, c->rank, n, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C,
                      c->batch) == CUFFT_SUCCESS)
        ms = measure_ms(transform);
    if (!fft_check(c, (float *)in, (float *)out))
        ms = -1;
    printf("%g\n", ms);
    return ms < 0;
}
