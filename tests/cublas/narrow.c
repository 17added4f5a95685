/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes and of bfloat16 by every kernel that this processor has,
 * and by loops that do what AMX's tiles do: at sizes around blocks, tiles and
 * lanes, in all operations, alone and added to what is there. */
#include "../exec/check.h"

#include <stdlib.h>
#include <string.h>

#include "lib/product/narrow.h"

enum { MOST = 100, MOST_K = 160, LD = MOST + 3 };

static int8_t a[2][LD * MOST_K], b[2][LD * MOST_K]; /* bytes, in both orders */
static uint16_t wide_a[2][LD * MOST_K], wide_b[2][LD * MOST_K];

/* From -8 to 7: sums in float are exact. */
static int number(int x, int k, int salt)
{
    return (int)(((unsigned)(x * 131 + k * 17 + salt) * 2654435761u) >> 28) - 8;
}

static uint16_t bfloat(int x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* [0]: neighbours side by side, LD apart along k; [1]: numbers along k side by
 * side. */
static void fill(void)
{
    for (int x = 0; x < LD; x++)
        for (int k = 0; k < MOST_K; k++) {
            int first = x + k * LD, second = k + x * MOST_K;
            a[0][first] = a[1][second] = (int8_t)number(x, k, 1);
            b[0][first] = b[1][second] = (int8_t)number(x, k, 2);
            wide_a[0][first] = wide_a[1][second] = bfloat(number(x, k, 1));
            wide_b[0][first] = wide_b[1][second] = bfloat(number(x, k, 2));
        }
}

static struct narrow operand(const void *at, int op)
{
    struct narrow x = {at, op ? MOST_K : 1, op ? 1 : LD};
    return x;
}

static void test(enum narrow_kind kind, enum narrow_way way, int m, int n,
                 int k, int ops, bool adds)
{
    static int32_t sums[LD * MOST];
    bool is_wide = kind == NARROW_BFLOATS;
    int op_a = ops & 1, op_b = ops >> 1, wrong = 0;
    size_t bytes = narrow_room(kind, way, m, n, k);
    void *room = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    struct narrow x = operand(is_wide ? (void *)wide_a[op_a] : a[op_a], op_a);
    struct narrow y = operand(is_wide ? (void *)wide_b[op_b] : b[op_b], op_b);
    memset(room, 0x7f, bytes); /* NaNs, too */
    for (int i = 0; i < LD * MOST; i++) {
        float f = (float)i;
        memcpy(&sums[i], is_wide ? (void *)&f : (void *)&i, sizeof i);
    }
    narrow_multiply(kind, way, m, n, k, x, y,
                    (struct narrow_sums){sums, LD, adds}, room);
    for (int i = 0; i < LD; i++)
        for (int j = 0; j < n; j++) {
            int at = i + j * LD, want = i >= m || adds ? at : 0;
            float got = (float)sums[at];
            if (is_wide)
                memcpy(&got, &sums[at], sizeof got);
            for (int l = 0; i < m && l < k; l++)
                want += number(i, l, 1) * number(j, l, 2);
            wrong += got != (float)want;
        }
    if (wrong)
        fprintf(stderr, "kind %d, way %d, %d x %d x %d, operations %d: %d\n",
                kind, way, m, n, k, ops, wrong);
    CHECK_EQUAL(wrong, 0);
    free(room);
}

int main(void)
{
    static const int sizes[][3] = {{1, 1, 1},    {31, 33, 3},    {32, 32, 64},
                                   {48, 8, 65},  {49, 9, 31},    {64, 16, 32},
                                   {65, 17, 63}, {96, 100, 160}, {16, 15, 130}};
    fill();
    for (int kind = 0; kind < NARROW_KINDS; kind++)
        for (int way = 0; way < NARROW_WAYS; way++)
            for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (int ops = 0; ops < 4; ops++)
                    for (int adds = 0; adds < 2; adds++)
                        if (narrow_has(kind, way))
                            test(kind, way, sizes[s][0], sizes[s][1],
                                 sizes[s][2], ops, adds);
    return check_result();
}
