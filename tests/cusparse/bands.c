/* SPDX-License-Identifier: Apache-2.0 */
/* cusparseSpMV of bands, whole and with one entry elsewhere or missing: rows
 * whose entries look like their neighbours' are done several at a time. Numbers
 * are small integers, so that every order of adding gives the same. */
#include "check.h"

enum { ROWS = 150, WIDTH_MAX = 19, AREA = ROWS * (WIDTH_MAX + 1) };

enum fault { WHOLE, MOVED, MISSING, FAULT_COUNT };

struct band {
    int ptr[ROWS + 1], ind[AREA], val[AREA], n;
};

/* Row i has columns from i on. At row `at` one entry is wrong. */
static void fill(struct band *b, int width, enum fault fault, int at)
{
    b->n = 0;
    for (int i = 0; i < ROWS; i++) {
        b->ptr[i] = b->n;
        for (int k = 0; k < width; k++) {
            bool is_wrong = i == at && k == width - 1 - at % width;
            if (is_wrong && fault == MISSING)
                continue;
            b->val[b->n] = (i * 7 + k * 3) % 11 - 5;
            b->ind[b->n++] = i + 2 * k + (is_wrong && fault == MOVED);
        }
    }
    b->ptr[ROWS] = b->n;
}

static int x_at(int i)
{
    return i * 5 % 13 - 6;
}

static void check(const struct band *b, int t, int base, double beta)
{
    const int cols = ROWS + 2 * WIDTH_MAX + 1;
    int *ptr = managed(sizeof b->ptr), *ind = managed(sizeof b->ind);
    void *val = managed(AREA * 8), *x = managed(cols * 8),
         *y = managed((ROWS + 1) * 8), *scalars = managed(16);
    cusparseSpMatDescr_t d;
    cusparseDnVecDescr_t vx, vy;
    for (int i = 0; i <= ROWS; i++)
        ptr[i] = b->ptr[i] + base;
    for (int i = 0; i < b->n; i++)
        ind[i] = b->ind[i] + base, put(t, val, i, b->val[i]);
    for (int i = 0; i < cols; i++)
        put(t, x, i, x_at(i));
    for (int i = 0; i <= ROWS; i++)
        put(t, y, i, beta ? i : NAN);
    put(t, scalars, 0, 2), put(t, scalars, 1, beta);
    OK(cusparseCreateCsr(&d, ROWS, cols, b->n, ptr, ind, val, 2, 2, base,
                         types[t]));
    OK(cusparseCreateDnVec(&vx, cols, x, types[t]));
    OK(cusparseCreateDnVec(&vy, ROWS, y, types[t]));
    OK(cusparseSpMV(handle, 0, scalars, d, vx, (char *)scalars + 4 * (t + 1),
                    vy, types[t], 0, NULL));
    cudaDeviceSynchronize();
    for (int i = 0; i < ROWS; i++) {
        int sum = 0;
        for (int e = b->ptr[i]; e < b->ptr[i + 1]; e++)
            sum += b->val[e] * x_at(b->ind[e]);
        CHECK(creal(get(t, y, i)) == 2 * sum + beta * i);
    }
    OK(cusparseDestroySpMat(d));
    OK(cusparseDestroyDnVec(vx));
    OK(cusparseDestroyDnVec(vy));
    cudaFree(ptr), cudaFree(ind), cudaFree(val), cudaFree(x), cudaFree(y);
    cudaFree(scalars);
}

int main(void)
{
    static struct band b;
    OK(cusparseCreate(&handle));
    OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
    for (int width = 1; width <= WIDTH_MAX; width++)
        for (int k = 0; k < 4 * FAULT_COUNT; k++) {
            int fault = k / 4, t = k / 2 % 2, base = k % 2;
            int at = (width * 37 + k * 11) % ROWS;
            snprintf(about, sizeof about, "width %d fault %d at %d type %d",
                     width, fault, at, t);
            fill(&b, width, fault, at);
            check(&b, t, base, width % 3 == 1);
        }
    OK(cusparseDestroy(handle));
    printf("%d failures\n", failures);
    return failures != 0;
}
