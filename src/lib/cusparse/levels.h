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
};

/* Finds the levels of w->a, whose lower triangle it is if is_lower; waits.
 * Frees the levels that *out had, which no kernel may read any more. Leaves
 * none in a capture, if rows are few, or if no level is worth a launch. */
cusparseStatus_t levels_find(cusparseHandle_t handle, const struct work *w,
                             struct levels *out);

/* Runs a kernel that does w->order [from, end), once for each group of levels;
 * levels->order is not NULL. */
cusparseStatus_t levels_run(cusparseHandle_t handle, enum kernel k,
                            cudaDataType type, struct work *w,
                            const struct levels *levels);

/* No kernel may still read them. */
void levels_free(struct levels *levels);

#endif
