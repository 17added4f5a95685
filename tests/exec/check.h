/* SPDX-License-Identifier: Apache-2.0 */
/* CHECK for the C tests of exec/, core/ and toolkit/: reports and goes on. */
#ifndef WEFT_TESTS_CHECK_H
#define WEFT_TESTS_CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__,       \
                    #condition);                                               \
            check_failures++;                                                  \
        }                                                                      \
    } while (0)

#define CHECK_EQUAL(found, expected)                                           \
    do {                                                                       \
        long long found_ = (long long)(found);                                 \
        long long expected_ = (long long)(expected);                           \
        if (found_ != expected_) {                                             \
            fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", __FILE__,    \
                    __LINE__, #found, found_, expected_);                      \
            check_failures++;                                                  \
        }                                                                      \
    } while (0)

static inline int check_result(void)
{
    return check_failures ? 1 : 0;
}

#endif
