/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAINS x LANES blocks from block i on: NAME, a TARGET, vectors V of LANES
 * numbers of 64 bits. A number is the low half of its 64 bits, the high half
 * is whatever a product left there: so a round is a product, a shift and two
 * sums for each half. CHAINS vectors at once hide what a product takes. What
 * the first two rounds make of the counters alone is in `s`. STORE takes the
 * words of a block in pairs. No guard.
 */

#define FOR_ALL _Pragma("GCC unroll 6") for (int j = 0; j < CHAINS; j++)

TARGET static inline void NAME(const struct START *s, uint32_t i, OUT *out)
{
    V x[CHAINS], y[CHAINS], z[CHAINS], w[CHAINS];
    out += 4 * i;
    FOR_ALL
    {
        uint64_t lanes = (i + (uint32_t)j * LANES) >> s->each_log2;
        V q = ADD(s->q, SET(lanes * 0xcd9e8d57u));
        V p = MULTIPLY(XOR2(SHIFT(q, 32), s->x), SET(0xd2511f53u));
        x[j] = XOR2(q, s->x_next), y[j] = s->y;
        z[j] = XOR2(SHIFT(p, 32), s->z), w[j] = p;
    }
    _Pragma("GCC unroll 7") for (int r = 2; r < 9; r++) FOR_ALL
    {
        V p = MULTIPLY(x[j], SET(0xd2511f53u));
        V q = MULTIPLY(z[j], SET(0xcd9e8d57u));
        x[j] = XOR(SHIFT(q, 32), y[j], s->keys[2 * r]);
        z[j] = XOR(SHIFT(p, 32), w[j], s->keys[2 * r + 1]);
        y[j] = q, w[j] = p;
    }
    FOR_ALL
    {
        V p = MULTIPLY(x[j], SET(0xd2511f53u));
        V q = MULTIPLY(z[j], SET(0xcd9e8d57u));
        STORE(out + 4 * j * LANES, PAIR(q, y[j], s->keys[18]),
              PAIR(p, w[j], s->keys[19]));
    }
}

#undef FOR_ALL
