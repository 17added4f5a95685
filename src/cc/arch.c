/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the name of an NVIDIA architecture to the level that device code is
 * compiled for. weft has one device; code for an older one is compiled for the
 * oldest level that our headers support, code for a newer one for our device.
 * PTX runs on every later GPU too, so nothing is lost by that.
 */
#include "cc.h"

#include <stdio.h>
#include <stdlib.h>

enum { OLDEST_LEVEL = 80, DEVICE_LEVEL = 80 };

enum listing { DROPPED, CURRENT };
static const struct {
    unsigned number;
    enum listing listing;
} architectures[] = {
#define ARCH(number, listing) {number, listing},
#include "arch.def"
};

static unsigned clamp(unsigned number)
{
    return number < OLDEST_LEVEL   ? OLDEST_LEVEL
           : number > DEVICE_LEVEL ? DEVICE_LEVEL
                                   : number;
}

/* The number in sm_90a; 0: not of that form. 'a' and 'f' ask for features of
 * one chip. */
static unsigned number_of(const char *name)
{
    static const char *const prefixes[] = {"sm_", "compute_", "lto_"};
    for (size_t i = 0; i < ARRAY_COUNT(prefixes); i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(name, prefixes[i], length) != 0)
            continue;
        char *end;
        unsigned long number = strtoul(name + length, &end, 10);
        if (*end == 'a' || *end == 'f')
            end++;
        return *end ? 0 : (unsigned)number;
    }
    return 0;
}

unsigned cc_arch_level(const char *name)
{
    static const char *const ours[] = {"native", "all", "all-major"};
    for (size_t i = 0; i < ARRAY_COUNT(ours); i++)
        if (strcmp(name, ours[i]) == 0)
            return DEVICE_LEVEL;

    unsigned number = number_of(name);
    for (size_t i = 0; i < ARRAY_COUNT(architectures); i++)
        if (architectures[i].number == number)
            return clamp(number);
    return 0;
}

void cc_arch_list(const char *kind)
{
    for (size_t i = 0; i < ARRAY_COUNT(architectures); i++)
        if (architectures[i].listing == CURRENT)
            printf("%s_%u\n", kind, architectures[i].number);
}
