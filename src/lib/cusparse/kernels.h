/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for the type T; REAL is its real part's, NATIVE its name. No
 * guard: kernels.c includes this four times. */
#include "lib/cusparse/elements.h"

#include "lib/cusparse/kernels_products.h"
#include "lib/cusparse/kernels_vectors.h"
#include "lib/cusparse/kernels_filter.h"
#include "lib/cusparse/kernels_triangles.h"
#include "lib/cusparse/kernels_sparse.h"
#include "lib/cusparse/kernels_bands.h"
#include "lib/cusparse/kernels_blocks.h"
