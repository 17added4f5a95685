/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Level scheduling: the rows of a triangle that need none but rows of earlier
 * levels are done at once. Anderson & Saad, "Solving sparse triangular linear
 * systems on parallel computers", 1989.
 */
#ifndef WEFT_CUSPARSE_LEVELS_H
#define WEFT_CUSPARSE_LEVELS_H

#include "internal.h"

/* Some rows of `order`, one launch: a wide level, or narrow ones in turn. */
struct group {
    int64_t from, end;
    bool is_wide;
};

struct levels {
    int64_t *order; /* NULL: no level is worth it */
    struct group *groups;
    int64_t count;
    CUstream stream; /* whose kernels read order */
};

/* Of the triangle w->a.is_lower of w->a; waits. Leaves no levels in a capture
 * and where rows are few. Frees those that there were. */
cusparseStatus_t levels_find(cusparseHandle_t handle, const struct work *w,
                             struct levels *out);

/* Runs a kernel of w->order [from, end) over all groups; there are some. */
cusparseStatus_t levels_run(cusparseHandle_t handle, enum kernel k,
                            cudaDataType type, struct work *w,
                            struct levels *levels);

/* When the kernels that read them are done. */
void levels_free(struct levels *levels);

#endif
