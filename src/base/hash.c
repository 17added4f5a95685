/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fast 64-bit hash of bytes, eight at a time, in the manner of wyhash:
 * multiply to 128 bits and fold. For tables and cache keys, not for secrets.
 */
#include "base/base.h"

static uint64_t fold_product(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load_8_bytes(const unsigned char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static uint64_t load_4_bytes(const unsigned char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Up to seven bytes; those in the middle may be read twice. */
static uint64_t load_tail(const unsigned char *p, size_t n)
{
    if (n >= 4)
        return load_4_bytes(p) << 32 | load_4_bytes(p + n - 4);
    if (n)
        return (uint64_t)p[0] << 16 | (uint64_t)p[n / 2] << 8 | p[n - 1];
    return 0;
}

uint64_t hash_bytes(const void *data, size_t size_bytes, uint64_t seed)
{
    const uint64_t k0 = UINT64_C(0xa0761d6478bd642f);
    const uint64_t k1 = UINT64_C(0xe7037ed1a0b428db);
    const unsigned char *p = data;
    uint64_t h = seed ^ k0;
    size_t left = size_bytes;

    for (; left >= 8; p += 8, left -= 8)
        h = fold_product(h ^ load_8_bytes(p), k1);
    h = fold_product(h ^ load_tail(p, left), k1);
    return fold_product(h ^ size_bytes, k0 ^ k1);
}
