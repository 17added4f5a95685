/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <stdlib.h>

#define X(name)   fftwf_##name
#define REAL      float
#define COMPLEX   fftwf_complex
#define PLAN      fftwf_plan
#define PRECISION FFT_FLOAT
#include "planners.h"
