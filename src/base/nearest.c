/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nearest spelling, for "did you mean": Levenshtein distance, one row of
 * the table kept. A candidate is close when no more than a third of the name
 * had to change.
 */
#include "base/base.h"

#define NAME_MAX_LEN 64

static size_t edit_distance(const char *a, size_t a_len, const char *b,
                            size_t b_len)
{
    size_t row[NAME_MAX_LEN + 1];
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < other ? change : other;
        }
    }
    return row[b_len];
}

const char *nearest_name(const char *name, const char *const *candidates,
                         size_t count)
{
    size_t len = strlen(name);
    if (!len || len > NAME_MAX_LEN)
        return NULL;
    size_t best = (len + 2) / 3 + 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t candidate_len = strlen(candidates[i]);
        if (candidate_len > NAME_MAX_LEN)
            continue;
        size_t d = edit_distance(name, len, candidates[i], candidate_len);
        if (d >= best)
            continue;
        best = d;
        nearest = candidates[i];
    }
    return nearest;
}
