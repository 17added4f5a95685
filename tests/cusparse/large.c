/* SPDX-License-Identifier: Apache-2.0 */
/* cusparseSpMV of matrices larger than caches, whose entries are fetched ahead:
 * a band, columns at random, and a band with a row of another length here and
 * there. Numbers are small integers: every order of adding gives the same. */
#include "check.h"

enum { ROWS = 70001, WIDTH = 17, COLS = ROWS + WIDTH, AREA = ROWS * WIDTH };

enum kind { BAND, RANDOM, MIXED, KIND_COUNT };

static int *ptr, *ind;
static void *val, *x, *y;

static int value_at(int e)
{
    return e * 3 % 11 - 5;
}

static int x_at(int i)
{
    return i * 5 % 13 - 6;
}

static void fill(enum kind kind, int t, int base)
{
    int n = 0;
    for (int i = 0; i < ROWS; i++) {
        int width = kind == MIXED && i % 97 == 0 ? i % (WIDTH + 1) : WIDTH;
        ptr[i] = n + base;
        for (int k = 0; k < width; k++, n++) {
            unsigned at = kind == RANDOM ? (unsigned)n * 2654435761u % COLS
                                         : (unsigned)(i + k);
            ind[n] = (int)at + base;
            put(t, val, n, value_at(n));
        }
    }
    ptr[ROWS] = n + base;
    for (int i = 0; i < COLS; i++)
        put(t, x, i, x_at(i));
    for (int i = 0; i < ROWS; i++)
        put(t, y, i, NAN);
}

static void check(int t, int base)
{
    double scalars[2] = {0};
    cusparseSpMatDescr_t d;
    cusparseDnVecDescr_t vx, vy;
    put(t, scalars, 0, 2);
    OK(cusparseCreateCsr(&d, ROWS, COLS, ptr[ROWS] - base, ptr, ind, val, 2, 2,
                         base, types[t]));
    OK(cusparseCreateDnVec(&vx, COLS, x, types[t]));
    OK(cusparseCreateDnVec(&vy, ROWS, y, types[t]));
    OK(cusparseSpMV(handle, 0, scalars, d, vx, scalars + 1, vy, types[t], 0,
                    NULL));
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < ROWS; i++) {
        int sum = 0;
        for (int e = ptr[i] - base; e < ptr[i + 1] - base; e++)
            sum += value_at(e) * x_at(ind[e] - base);
        wrong += creal(get(t, y, i)) != 2 * sum;
    }
    CHECK(wrong == 0);
    OK(cusparseDestroySpMat(d));
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
}

int main(void)
{
    OK(cusparseCreate(&handle));
    ptr = managed((ROWS + 1) * 4), ind = managed(AREA * 4);
    val = managed(AREA * 8), x = managed(COLS * 8), y = managed(ROWS * 8);
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (int k = 0; k < 4; k++) {
            snprintf(about, sizeof about, "kind %d type %d base %d", kind,
                     k / 2, k % 2);
            fill(kind, k / 2, k % 2);
            check(k / 2, k % 2);
        }
    cudaFree(ptr), cudaFree(ind), cudaFree(val), cudaFree(x), cudaFree(y);
    OK(cusparseDestroy(handle));
    printf("%d failures\n", failures);
    return failures != 0;
}
