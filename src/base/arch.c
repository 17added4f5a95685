/* SPDX-License-Identifier: Apache-2.0 */
/* The architectures of arch.def and their names. */
#include "base/arch.h"

#include <stdlib.h>

#include "base/base.h"

/* The first with its own features ("sm_90a") and a family's ("sm_100f"). */
enum { FIRST_SPECIFIC = 90, FIRST_FAMILY = 100 };

static const struct arch all[] = {
#define ARCH(number, listing) {number, ARCH_##listing},
#include "base/arch.def"
};

const struct arch *arch_at(size_t i)
{
    return i < ARRAY_COUNT(all) ? &all[i] : NULL;
}

const struct arch *arch_find(unsigned number)
{
    for (size_t i = 0; i < ARRAY_COUNT(all); i++)
        if (all[i].number == number)
            return &all[i];
    return NULL;
}

unsigned arch_parse_number(const char *text, char *suffix)
{
    char *end;
    *suffix = 0;
    if (*text < '0' || *text > '9')
        return 0;
    unsigned long number = strtoul(text, &end, 10);
    if ((*end == 'a' && number >= FIRST_SPECIFIC) ||
        (*end == 'f' && number >= FIRST_FAMILY))
        *suffix = *end++;
    return *end || number > 9999 ? 0 : (unsigned)number;
}

unsigned arch_parse_name(const char *name, char *suffix)
{
    static const char *const prefixes[] = {"sm_", "compute_", "lto_"};
    *suffix = 0;
    for (size_t i = 0; i < ARRAY_COUNT(prefixes); i++)
        if (starts_with(name, prefixes[i]))
            return arch_parse_number(name + strlen(prefixes[i]), suffix);
    return 0;
}
