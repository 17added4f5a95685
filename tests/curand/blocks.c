/* SPDX-License-Identifier: Apache-2.0 */
/* Philox by the processor's widest vectors against the paper's loop, for all
 * numbers of lanes, counters and lanes that carry. */
#include <stdint.h>
#include <stdio.h>

#include "lib/curand/philox_blocks.h"

static void plain(const struct place *at, uint64_t counter, uint32_t lane,
                  uint32_t out[4])
{
    uint32_t v[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), lane, 0};
    uint32_t key[2] = {at->key[0], at->key[1]};
    for (int r = 0; r < 10; r++) {
        uint64_t p = (uint64_t)v[0] * 0xd2511f53u;
        uint64_t q = (uint64_t)v[2] * 0xcd9e8d57u;
        uint32_t next[4] = {(uint32_t)(q >> 32) ^ v[1] ^ key[0], (uint32_t)q,
                            (uint32_t)(p >> 32) ^ v[3] ^ key[1], (uint32_t)p};
        for (int i = 0; i < 4; i++)
            v[i] = next[i];
        key[0] += 0x9e3779b9u;
        key[1] += 0xbb67ae85u;
    }
    for (int i = 0; i < 4; i++)
        out[i] = v[i];
}

static int wrong(const struct place *at, uint32_t each, uint32_t n)
{
    static uint32_t out[2 * 4 * 128 + PHILOX_SLACK];
    int count = 0;
    philox_blocks()(at, each, out, n);
    for (uint32_t i = 0; i < n * each; i++) {
        uint32_t want[4];
        plain(at, at->counter + i % each, (uint32_t)at->lane + i / each, want);
        for (int k = 0; k < 4; k++)
            count += out[4 * i + k] != want[k];
    }
    return count;
}

/* Uniform numbers are those of the words. */
static int wrong_floats(const struct place *at, uint32_t each, uint32_t n)
{
    static uint32_t words[4096];
    static float out[4096] __attribute__((aligned(64)));
    int count = 0;
    if (!philox_floats())
        return 0;
    philox_blocks()(at, each, words, n);
    philox_floats()(at, each, out, n);
    for (uint32_t i = 0; i < 4 * n * each; i++)
        count += out[i] != (float)words[i] * 0x1p-32f + 0x1p-33f;
    return count;
}

int main(void)
{
    int failures = 0;
    for (uint32_t n = 1; n <= 128; n++)
        for (uint32_t each = 1; each <= 2; each++) {
            struct place at = {0xfffffff0ull + n / 4, 65500 - n,
                               {77 * n, 0x80000000u + n}};
            failures += wrong(&at, each, n);
            at.counter = ~0ull - n;
            failures += wrong(&at, each, n);
            failures += wrong_floats(&at, each, n * PHILOX_STEP % 512);
        }
    printf("%d failures\n", failures);
    return failures != 0;
}
