/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the table is a symbol of the libraries of CUDA 12 and 13; what
 * is refused says so. */
#include "../exec/check.h"

#include <dlfcn.h>
#include <stddef.h>

#include "cusolverDn.h"
#include "cusolverRf.h"
#include "cusolverSp.h"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"

enum { DONE, REFUSED };

static const struct row {
    const char *name;
    int state;
} rows[] = {
#define CUSOLVER_API(name, state) {#name, state},
#include "lib/cusolver/api.def"
};

static void check_library(const char *library)
{
    void *l = dlopen(library, RTLD_NOW);
    CHECK(l);
    for (size_t i = 0; l && i < sizeof rows / sizeof *rows; i++) {
        void *f = dlsym(l, rows[i].name);
        if (!f)
            fprintf(stderr, "%s lacks %s\n", library, rows[i].name);
        CHECK(f);
        if (f && rows[i].state == REFUSED)
            CHECK_EQUAL((int)((cusolverStatus_t(*)(void))f)(),
                        CUSOLVER_STATUS_NOT_SUPPORTED);
    }
}

int main(void)
{
    check_library("libcusolver.so.11");
    check_library("libcusolver.so.12");
    return check_result();
}
