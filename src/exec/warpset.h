/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of a block's warps, by bit. A block has up to 1024 (one thread each),
 * mostly 32 or fewer; so all functions take how many words are in use.
 */
#ifndef WEFT_EXEC_WARPSET_H
#define WEFT_EXEC_WARPSET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WARPS_MAX 1024 /* of a block */
#define WARP_NONE UINT32_MAX

struct warp_set {
    uint64_t word[WARPS_MAX / 64];
};

/* How many words sets of the first `count` warps need. */
static inline uint32_t set_words(uint32_t count)
{
    return (count + 63) / 64;
}
/* One warp, numbered below WARPS_MAX. */
static inline void set_add(struct warp_set *s, uint32_t i)
{
    s->word[i / 64] |= UINT64_C(1) << i % 64;
}
static inline void set_remove(struct warp_set *s, uint32_t i)
{
    s->word[i / 64] &= ~(UINT64_C(1) << i % 64);
}
static inline bool set_has(const struct warp_set *s, uint32_t i)
{
    return s->word[i / 64] >> i % 64 & 1;
}
/* Empties the first `words` words. */
static inline void set_clear(struct warp_set *s, uint32_t words)
{
    s->word[0] = 0; /* mostly all: no call for it */
    if (words > 1)
        memset(s->word + 1, 0, (words - 1) * sizeof s->word[0]);
}
/* Sets warps 0 to count - 1. */
static inline void set_fill(struct warp_set *s, uint32_t count)
{
    for (uint32_t i = 0; i < set_words(count); i++) {
        uint32_t left = count - i * 64;
        s->word[i] = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    }
}
/* The first warp in the set from number `from` on; WARP_NONE: there is
 * none. */
static inline uint32_t set_next(const struct warp_set *s, uint32_t words,
                                uint32_t from)
{
    uint32_t i = from / 64;
    if (i >= words)
        return WARP_NONE;
    uint64_t bits = s->word[i] >> from % 64 << from % 64;
    while (!bits) {
        if (++i == words)
            return WARP_NONE;
        bits = s->word[i];
    }
    return i * 64 + (uint32_t)__builtin_ctzll(bits);
}
static inline void set_add_all(struct warp_set *to, const struct warp_set *from,
                               uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        to->word[i] |= from->word[i];
}

#endif
