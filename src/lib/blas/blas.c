/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/blas/blas.h"

#include "core/exports.h"

#define BLAS_ALIKE(member, arguments)                                          \
    void s##member##_(), d##member##_(), c##member##_(), z##member##_();
#define BLAS_DIFFERENT(member, s, d, c, z, arguments) void s(), d(), c(), z();
#include "lib/blas/blas.def"
#undef BLAS_ALIKE
#undef BLAS_DIFFERENT

__attribute__((visibility("default"))) const struct blas weft_blas[4] = {
#define BLAS_DIFFERENT(member, s, d, c, z, arguments) .member = s,
#define BLAS_ALIKE(member, arguments)                 .member = s##member##_,
    [BLAS_S] =
        {
#include "lib/blas/blas.def"
        },
#undef BLAS_ALIKE
#undef BLAS_DIFFERENT
#define BLAS_DIFFERENT(member, s, d, c, z, arguments) .member = d,
#define BLAS_ALIKE(member, arguments)                 .member = d##member##_,
    [BLAS_D] =
        {
#include "lib/blas/blas.def"
        },
#undef BLAS_ALIKE
#undef BLAS_DIFFERENT
#define BLAS_DIFFERENT(member, s, d, c, z, arguments) .member = c,
#define BLAS_ALIKE(member, arguments)                 .member = c##member##_,
    [BLAS_C] =
        {
#include "lib/blas/blas.def"
        },
#undef BLAS_ALIKE
#undef BLAS_DIFFERENT
#define BLAS_DIFFERENT(member, s, d, c, z, arguments) .member = z,
#define BLAS_ALIKE(member, arguments)                 .member = z##member##_,
    [BLAS_Z] =
        {
#include "lib/blas/blas.def"
        },
#undef BLAS_ALIKE
#undef BLAS_DIFFERENT
};

/* OpenBLAS calls this for wrong arguments, and its own one prints. Ours need
 * not: callers have checked them. */
void xerbla_(const char *routine, const int *info, int length);
void xerbla_(const char *routine, const int *info, int length)
{
    (void)routine, (void)info, (void)length;
}
