/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is the same for all groups of a call, in vectors of one width: struct
 * START, made by PREPARE. INDEX: which block an element is. No guard.
 */

struct START {
    V keys[20];
    V q;            /* of the first lanes' words: the first round's product */
    V x, x_next, y; /* what of x, then x and y, comes from the counters */
    V z;
    int each_log2; /* blocks of a lane: 1 or 2 */
};

TARGET static void PREPARE(const struct place *at, uint32_t each,
                           struct START *s)
{
    uint32_t k0 = at->key[0], k1 = at->key[1];
    V *keys = s->keys, index = INDEX;
    for (int r = 0; r < 10; r++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
        keys[2 * r] = SET(k0);
        keys[2 * r + 1] = SET(k1);
    }
    V counter = ADD(SET(at->counter), AND(index, SET(each - 1)));
    V lane = ADD(SET(at->lane), each == 2 ? SHIFT(index, 1) : index);
    V p = MULTIPLY(counter, SET(0xd2511f53u));
    V q = MULTIPLY(XOR2(SHIFT(p, 32), keys[1]), SET(0xcd9e8d57u));
    s->q = MULTIPLY(lane, SET(0xcd9e8d57u));
    s->x = XOR2(SHIFT(counter, 32), keys[0]);
    s->x_next = XOR2(SHIFT(q, 32), keys[2]);
    s->y = q;
    s->z = XOR2(p, keys[3]);
    s->each_log2 = each == 2;
}
