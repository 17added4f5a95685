/* SPDX-License-Identifier: Apache-2.0 */
/* FFTW's names, on host memory. */
#include "../exec/check.h"
#include "cufftw.h"

#include <math.h>
#include <stdbool.h>

static void waves(void)
{
    enum { N = 30 };
    fftw_complex *x = fftw_malloc(sizeof *x * N), y[N];
    fftw_plan p = fftw_plan_dft_1d(N, x, y, FFTW_FORWARD, FFTW_ESTIMATE);
    for (int j = 0; j < N; j++) {
        x[j][0] = cos(2 * M_PI * 7 * j / N);
        x[j][1] = sin(2 * M_PI * 7 * j / N);
    }
    fftw_execute(p);
    for (int k = 0; k < N; k++)
        CHECK(fabs(y[k][0] - (k == 7) * N) < 1e-12 && fabs(y[k][1]) < 1e-12);
    fftw_plan back = fftw_plan_dft_1d(N, y, y, FFTW_BACKWARD, FFTW_ESTIMATE);
    fftw_execute(back);
    CHECK(fabs(y[3][0] / N - x[3][0]) < 1e-14);
    fftw_destroy_plan(p);
    fftw_destroy_plan(back);
    fftw_free(x);
}

/* A plane of reals in place, lines padded; the batch innermost elsewhere. */
static void reals(void)
{
    enum { NY = 4, NX = 5, HALF = NX / 2 + 1 };
    float x[NY * 2 * HALF] = {0};
    x[0] = 1;
    x[2 * HALF + 1] = 2;
    fftwf_plan p = fftwf_plan_dft_r2c_2d(NY, NX, x, (fftwf_complex *)x, 0);
    fftwf_execute(p);
    for (int ky = 0; ky < NY; ky++) {
        for (int kx = 0; kx < HALF; kx++) {
            double a = 2 * M_PI * (ky / (double)NY + kx / (double)NX);
            const float *at = x + 2 * (ky * HALF + kx);
            CHECK(fabs(at[0] - 1 - 2 * cos(a)) < 1e-6);
            CHECK(fabs(at[1] + 2 * sin(a)) < 1e-6);
        }
    }
    fftwf_destroy_plan(p);
}

static void many_and_guru_agree(void)
{
    enum { N = 12, BATCH = 3 };
    const int n[] = {N};
    fftw_complex x[N * BATCH], y[N * BATCH], z[N * BATCH];
    for (int i = 0; i < N * BATCH; i++) {
        x[i][0] = sin(i * i);
        x[i][1] = i;
    }
    fftw_plan many = fftw_plan_many_dft(1, n, BATCH, x, NULL, BATCH, 1, y, NULL,
                                        1, N, FFTW_FORWARD, 0);
    const fftw_iodim dim = {N, BATCH, 1}, batch = {BATCH, 1, N};
    fftw_plan guru =
        fftw_plan_guru_dft(1, &dim, 1, &batch, x, z, FFTW_FORWARD, 0);
    fftw_execute(many);
    fftw_execute_dft(guru, x, z);
    double sum = 0;
    for (int j = 0; j < N; j++)
        sum += x[j * BATCH + 1][0];
    CHECK(fabs(y[N][0] - sum) < 1e-12);
    for (int i = 0; i < N * BATCH; i++)
        CHECK(y[i][0] == z[i][0] && y[i][1] == z[i][1]);
    fftw_destroy_plan(many);
    fftw_destroy_plan(guru);
}

static void mistakes(void)
{
    fftw_complex x[4];
    CHECK(!fftw_plan_dft_1d(0, x, x, FFTW_FORWARD, 0));
    CHECK(!fftw_plan_dft(4, (int[]){1, 1, 1, 1}, x, x, FFTW_FORWARD, 0));
    CHECK(!fftw_plan_dft(1, NULL, x, x, FFTW_FORWARD, 0));
    fftw_execute(NULL);
    fftw_destroy_plan(NULL);
}

int main(void)
{
    waves();
    reals();
    many_and_guru_agree();
    mistakes();
    return check_result();
}
