/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <stdlib.h>

#define X(name)   fftw_##name
#define REAL      double
#define COMPLEX   fftw_complex
#define PLAN      fftw_plan
#define PRECISION FFT_DOUBLE
#include "planners.h"
