/* SPDX-License-Identifier: Apache-2.0 */
/* nvblas: a routine of each kind by its Fortran name, the configuration's log,
 * wrong arguments. */
#include "../exec/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nvblas.h"

int main(void)
{
    char folder[] = "/tmp/nvblas-XXXXXX", path[64], log[64], text[256];
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/conf", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    FILE *f = fopen(path, "w");
    fprintf(f, "# comment\nNVBLAS_LOGFILE  %s\nNVBLAS_GPU_LIST ALL\n", log);
    fprintf(f, "NVBLAS_TILE_DIM 512\nNVBLAS_CPU_BLAS_LIB /no/libblas.so\n");
    fclose(f);
    setenv("NVBLAS_CONFIG_FILE", path, 1);

    double a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, c[4] = {1, 1, 1, 1};
    double one = 1, two = 2;
    int n = 2, bad = 1;
    dgemm_("N", "t", &n, &n, &n, &one, a, &n, b, &n, &two, c, &n);
    CHECK(c[0] == 28 && c[1] == 40 && c[2] == 32 && c[3] == 46);
    dtrmm("L", "U", "N", "N", &n, &n, &two, a, &n, b, &n);
    CHECK(b[0] == 46 && b[1] == 48 && b[2] == 62 && b[3] == 64);
    dtrsm_("L", "U", "N", "N", &n, &n, &one, a, &n, b, &n);
    CHECK(b[0] == 10 && b[1] == 12 && b[2] == 14 && b[3] == 16);
    dsyrk_("L", "N", &n, &n, &one, a, &n, &one, c, &n);
    CHECK(c[0] == 38 && c[1] == 54 && c[2] == 32 && c[3] == 66);
    cuDoubleComplex z[1] = {{1, 2}}, w[1] = {{0, 0}};
    int m = 1;
    zherk_("U", "N", &m, &m, &two, z, &m, &one, w, &m);
    CHECK(w[0].x == 10 && w[0].y == 0);

    dgemm_("N", "N", &n, &n, &n, &one, a, &bad, b, &n, &two, c, &n);
    CHECK(c[0] == 38);
    f = fopen(log, "r");
    CHECK(f && fgets(text, sizeof text, f) &&
          strstr(text, "NVBLAS_CPU_BLAS_LIB: /no/libblas.so"));
    CHECK(f && fgets(text, sizeof text, f) && strstr(text, "dgemm"));
    if (f)
        fclose(f);
    unlink(log);
    unlink(path);
    rmdir(folder);
    return check_result();
}
