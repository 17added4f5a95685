/* SPDX-License-Identifier: Apache-2.0 */
#include "fft.h"

extern const struct fft_engine fft_float_4, fft_float_8, fft_float_16,
    fft_double_2, fft_double_4, fft_double_8;

/* Of float and of double; wider ones follow. */
static const struct fft_engine *const engines[][2] = {
    {&fft_float_4, &fft_double_2},
    {&fft_float_8, &fft_double_4},
    {&fft_float_16, &fft_double_8},
};

static unsigned count_widths(void)
{
    bool middle = __builtin_cpu_supports("avx2") &&
                  __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("f16c");
    bool wide =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    return middle && wide ? 3 : middle ? 2 : 1;
}

const struct fft_engine *fft_engine(enum fft_real real)
{
    return engines[count_widths() - 1][real];
}

const struct fft_engine *fft_engine_at(unsigned i)
{
    return i < 2 * count_widths() ? engines[i / 2][i % 2] : NULL;
}
