/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/blas/lapack.h"

#include "core/exports.h"

#define LAPACK_ALIKE(member, arguments)                                        \
    void s##member##_(), d##member##_(), c##member##_(), z##member##_();
#define LAPACK_DIFFERENT(member, s, d, c, z, arguments)
#include "lib/blas/lapack.def"
#undef LAPACK_ALIKE
#undef LAPACK_DIFFERENT

#define OF_REAL(name)    void s##name##_(), d##name##_();
#define OF_COMPLEX(name) void c##name##_(), z##name##_();
#define BOTH(name)       OF_REAL(name) OF_COMPLEX(name)
OF_REAL(orgqr)
OF_REAL(ormqr)
OF_REAL(orgbr)
OF_REAL(orgtr)
OF_REAL(ormtr)
OF_REAL(sytrd)
OF_REAL(syevd)
OF_REAL(sygvd)
OF_COMPLEX(ungqr)
OF_COMPLEX(unmqr)
OF_COMPLEX(ungbr)
OF_COMPLEX(ungtr)
OF_COMPLEX(unmtr)
OF_COMPLEX(hetrd)
OF_COMPLEX(heevd)
OF_COMPLEX(hegvd)
BOTH(gesvd)
BOTH(geev)

__attribute__((visibility("default")))
const struct lapack weft_blas_lapack[4] = {
#define LAPACK_DIFFERENT(member, s, d, c, z, arguments) .member = s,
#define LAPACK_ALIKE(member, arguments)                 .member = s##member##_,
    [BLAS_S] =
        {
#include "lib/blas/lapack.def"
        },
#undef LAPACK_ALIKE
#undef LAPACK_DIFFERENT
#define LAPACK_DIFFERENT(member, s, d, c, z, arguments) .member = d,
#define LAPACK_ALIKE(member, arguments)                 .member = d##member##_,
    [BLAS_D] =
        {
#include "lib/blas/lapack.def"
        },
#undef LAPACK_ALIKE
#undef LAPACK_DIFFERENT
#define LAPACK_DIFFERENT(member, s, d, c, z, arguments) .member = c,
#define LAPACK_ALIKE(member, arguments)                 .member = c##member##_,
    [BLAS_C] =
        {
#include "lib/blas/lapack.def"
        },
#undef LAPACK_ALIKE
#undef LAPACK_DIFFERENT
#define LAPACK_DIFFERENT(member, s, d, c, z, arguments) .member = z,
#define LAPACK_ALIKE(member, arguments)                 .member = z##member##_,
    [BLAS_Z] =
        {
#include "lib/blas/lapack.def"
        },
#undef LAPACK_ALIKE
#undef LAPACK_DIFFERENT
};
