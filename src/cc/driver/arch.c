/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From names of NVIDIA's architectures to the levels that device code is
 * compiled for: as with nvcc, each becomes an image of the fat binary, with
 * its own __CUDA_ARCH__. Code for a newer device than weft's is compiled for
 * weft's. An architecture that nvcc has dropped is compiled for the default
 * level, since programs that name one are old rather than in need of it.
 */
#include "cc/cc.h"

#include <stdio.h>

#include "base/arch.h"

enum { DEFAULT_LEVEL = 80, DEVICE_LEVEL = 90 };

unsigned cc_arch_number(const char *name)
{
    char suffix; /* asks for features of one chip or family */
    return arch_parse_name(name, &suffix);
}

bool cc_arch_runs_on(const char *arch, const char *code)
{
    if (cc_arch_number(code) >= cc_arch_number(arch))
        return true;
    cc_error("Incompatible code generation requested: arch='%s', code='%s'",
             arch, code);
    return false;
}

static bool is_several(const char *name)
{
    return strcmp(name, "all") == 0 || strcmp(name, "all-major") == 0;
}

unsigned cc_arch_level(const char *name)
{
    if (strcmp(name, "native") == 0 || is_several(name))
        return DEVICE_LEVEL;
    const struct arch *arch = arch_find(cc_arch_number(name));
    if (!arch)
        return 0;
    return arch->listing == ARCH_DROPPED ? DEFAULT_LEVEL
           : arch->number > DEVICE_LEVEL ? DEVICE_LEVEL
                                         : arch->number;
}

/* ---- which, of all that the options say ---------------------------------- */

static void add_level(struct cc_options *o, unsigned level)
{
    size_t at = 0;
    while (at < o->levels.count && o->levels.data[at] < level)
        at++;
    if (at < o->levels.count && o->levels.data[at] == level)
        return;
    must_have_memory(vec_push(&o->levels, level));
    for (size_t i = o->levels.count - 1; i > at; i--)
        o->levels.data[i] = o->levels.data[i - 1];
    o->levels.data[at] = level;
}

/* all-major: the first architecture of each generation. */
static void add_several(struct cc_options *o, const char *name)
{
    bool is_major = strcmp(name, "all-major") == 0;
    const struct arch *arch;
    for (size_t i = 0; (arch = arch_at(i)); i++)
        if (arch->listing == ARCH_CURRENT && arch->number <= DEVICE_LEVEL &&
            (!is_major || arch->number % 10 == 0))
            add_level(o, arch->number);
}

/* -code says which images to make of code for -arch; our PTX serves all of
 * them. */
static bool check_codes(const struct cc_options *o)
{
    if (!o->codes.count)
        return true;
    if (!o->arch) {
        cc_error("-arch option not specified; -code=%s needs -arch=compute_XX",
                 o->codes.data[0]);
        return false;
    }
    if (!starts_with(o->arch, "compute_")) {
        cc_error("Value of -arch option ('%s') must be a virtual code "
                 "architecture, compute_XX, if there is -code",
                 o->arch);
        return false;
    }
    for (size_t i = 0; i < o->codes.count; i++)
        if (!cc_arch_runs_on(o->arch, o->codes.data[i]))
            return false;
    return true;
}

/* compute_90a and the like: exactly the device that weft is. */
static bool is_exact(const char *name)
{
    return cc_arch_number(name) == DEVICE_LEVEL &&
           name[strlen(name) - 1] == 'a';
}

bool cc_arch_choose(struct cc_options *o)
{
    if (!check_codes(o))
        return false;
    if (o->arch && is_several(o->arch))
        add_several(o, o->arch);
    else if (o->arch)
        add_level(o, cc_arch_level(o->arch));
    for (size_t i = 0; i < o->gencodes.count; i++)
        add_level(o, cc_arch_level(o->gencodes.data[i]));
    if (!o->levels.count)
        add_level(o, DEFAULT_LEVEL);
    o->is_exact = o->arch && is_exact(o->arch);
    for (size_t i = 0; i < o->gencodes.count; i++)
        o->is_exact |= is_exact(o->gencodes.data[i]);
    return true;
}

bool cc_arch_has_machine_code(const struct cc_options *o)
{
    for (size_t i = 0; i < o->codes.count; i++)
        if (starts_with(o->codes.data[i], "sm_"))
            return true;
    if (o->codes.count || o->gencodes.count)
        return o->has_machine_code;
    return !o->arch || !starts_with(o->arch, "compute_");
}

unsigned cc_arch_newest(const struct cc_options *o)
{
    return o->levels.data[o->levels.count - 1];
}

void cc_arch_list(const char *kind)
{
    const struct arch *arch;
    for (size_t i = 0; (arch = arch_at(i)); i++)
        if (arch->listing == ARCH_CURRENT)
            printf("%s_%u\n", kind, arch->number);
}
