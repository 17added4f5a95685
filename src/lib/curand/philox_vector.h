/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of one width of vectors: NAME, a TARGET, vectors V of LANES numbers of
 * 64 bits. A number is the low half of its 64 bits, the high half is whatever
 * a product left there: so a round is a product, a shift and two sums for each
 * half. CHAINS (2 or 4) vectors at once hide what a product takes. STORE takes
 * one vector of each word of a block. No guard.
 */

#define FOR_ALL _Pragma("GCC unroll 4") for (int j = 0; j < CHAINS; j++)

TARGET static void NAME(const struct place *at, uint32_t each, OUT *out,
                        uint32_t n)
{
    V keys[20], index = INDEX, which = SET(each - 1);
    uint32_t k0 = at->key[0], k1 = at->key[1];
    for (int r = 0; r < 10; r++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
        keys[2 * r] = SET(k0);
        keys[2 * r + 1] = SET(k1);
    }
    V counter = ADD(SET(at->counter), AND(index, which));
    V lane = ADD(SET(at->lane), each == 2 ? SHIFT(index, 1) : index);
    for (uint32_t i = 0; i < n * each; i += CHAINS * LANES) {
        V x[CHAINS], y[CHAINS], z[CHAINS], w[CHAINS];
        FOR_ALL
        {
            x[j] = counter, y[j] = SHIFT(counter, 32), w[j] = SET(0);
            z[j] = ADD(lane, SET((i + (uint32_t)j * LANES) >> (each - 1)));
        }
        _Pragma("GCC unroll 10") for (int r = 0; r < 10; r++) FOR_ALL
        {
            V p = MULTIPLY(x[j], SET(0xd2511f53u));
            V q = MULTIPLY(z[j], SET(0xcd9e8d57u));
            x[j] = XOR(SHIFT(q, 32), y[j], keys[2 * r]);
            z[j] = XOR(SHIFT(p, 32), w[j], keys[2 * r + 1]);
            y[j] = q, w[j] = p;
        }
        FOR_ALL STORE(out + 4 * (i + (uint32_t)j * LANES), x[j], y[j], z[j],
                      w[j]);
    }
}

#undef FOR_ALL
