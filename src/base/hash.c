/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fast 64-bit hash of bytes, eight at a time, in the manner of wyhash:
 * multiply to 128 bits and fold. For tables and cache keys, not for secrets.
 */
#include "base/base.h"

static uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load(const unsigned char *p, size_t size_bytes)
{
    uint64_t v = 0;
    memcpy(&v, p, size_bytes);
    return v;
}

uint64_t hash_bytes(const void *data, size_t size_bytes, uint64_t seed)
{
    const uint64_t k0 = UINT64_C(0xa0761d6478bd642f);
    const uint64_t k1 = UINT64_C(0xe7037ed1a0b428db);
    const unsigned char *p = data;
    uint64_t h = seed ^ k0;

    for (size_t left = size_bytes; left;) {
        size_t n = left < 8 ? left : 8;
        h = fold(h ^ load(p, n), k1);
        p += n;
        left -= n;
    }
    return fold(h ^ size_bytes, k0 ^ k1);
}
