/* SPDX-License-Identifier: Apache-2.0 */
/* The options of nvJitLinkCreate: options.def has them. */
#include "nvjitlink/internal.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arch.h"

/* A function of a row: `value` is what stands behind the row's text. */
#define READER(name)                                                           \
    static nvJitLinkResult name(nvJitLinkHandle h, const char *option,         \
                                const char *value)
#define UNUSED(x) ((void)(x))

static nvJitLinkResult refuse_unknown(nvJitLinkHandle h, const char *option)
{
    jitlink_say(&h->errors, "unrecognized option: %s\n", option);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
}

static nvJitLinkResult refuse_without_value(nvJitLinkHandle h,
                                            const char *option)
{
    jitlink_say(&h->errors,
                "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option "
                "value (%s)\n",
                option);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
}

/* ---- the device ---------------------------------------------------------- */

/* The oldest architecture that this library's release links for. */
enum { OLDEST_ARCH = JITLINK_MAJOR == 12 ? 50 : 75 };

static nvJitLinkResult check_arch(nvJitLinkHandle h)
{
    if (!arch_find(h->sm) || h->sm < 50) {
        jitlink_say(&h->errors,
                    "ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized "
                    "architecture (compute_%u)\n",
                    h->sm);
        return NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
    }
    if (h->sm >= OLDEST_ARCH)
        return NVJITLINK_SUCCESS;
    jitlink_say(&h->errors,
                "ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported "
                "architecture (compute_%u)\n",
                h->sm);
    return NVJITLINK_ERROR_UNSUPPORTED_ARCH;
}

READER(read_arch)
{
    static const char *const prefixes[] = {"sm_", "compute_", "lto_"};
    for (size_t i = 0; i < ARRAY_COUNT(prefixes); i++) {
        if (!starts_with(value, prefixes[i]))
            continue;
        value += strlen(prefixes[i]);
        if (!isdigit((unsigned char)*value))
            break;
        char *end;
        h->sm = (unsigned)strtoul(value, &end, 10);
        h->is_virtual = i > 0;
        h->arch_count++;
        snprintf(h->arch_suffix, sizeof h->arch_suffix, "%s", end);
        return check_arch(h);
    }
    return refuse_without_value(h, option);
}

/* ---- the others ---------------------------------------------------------- */

READER(take_unused)
{
    UNUSED(h), UNUSED(option), UNUSED(value);
    return NVJITLINK_SUCCESS;
}

READER(read_level)
{
    UNUSED(option), UNUSED(value);
    return h->level_count++, NVJITLINK_SUCCESS;
}

/* One digit is a level that there is not. */
READER(refuse_level)
{
    if (!isdigit((unsigned char)value[0]) || value[1])
        return refuse_unknown(h, option);
    jitlink_say(&h->errors,
                "unsupported value of -O: %s. Only 0 and 3 are supported.\n",
                value);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
}

static nvJitLinkResult keep_text(char **place, const char *text)
{
    free(*place);
    *place = strdup(text);
    return *place ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

READER(read_line_info)
{
    UNUSED(value);
    return keep_text(&h->line_info, option);
}

READER(read_registers)
{
    UNUSED(option);
    h->register_count++;
    return keep_text(&h->max_registers, value);
}

READER(read_for_ptxas)
{
    UNUSED(option);
    char *copy = strdup(value);
    if (copy && vec_push(&h->for_ptxas, copy))
        return NVJITLINK_SUCCESS;
    free(copy);
    return NVJITLINK_ERROR_INTERNAL;
}

READER(read_threads)
{
    if (atoi(value) >= 0)
        return NVJITLINK_SUCCESS;
    jitlink_say(&h->errors, "argument for %.*s must be non-negative.\n",
                (int)(value - 1 - option), option);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
}

/* ---- all of them --------------------------------------------------------- */

enum rule { WORD, PREFIX, VALUE, NEEDED };

nvJitLinkResult jitlink_read_option(nvJitLinkHandle h, const char *option)
{
    static const struct {
        const char *text;
        enum rule rule;
        nvJitLinkResult (*read)(nvJitLinkHandle h, const char *option,
                                const char *value);
        size_t flag; /* of a row without read: which member is set */
    } rows[] = {
#define JL_OPTION(text, rule, what) {text, rule, what, 0},
#define JL_FLAG(text, flag)                                                    \
    {text, PREFIX, NULL, offsetof(struct nvJitLink, flag)},
#include "nvjitlink/options.def"
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const char *value = option + strlen(rows[i].text);
        if (!starts_with(option, rows[i].text) ||
            (rows[i].rule == WORD && *value))
            continue;
        if (rows[i].rule == NEEDED && !*value)
            return refuse_without_value(h, option);
        if (rows[i].read)
            return rows[i].read(h, option, value);
        *(bool *)((char *)h + rows[i].flag) = true;
        return NVJITLINK_SUCCESS;
    }
    return refuse_unknown(h, option);
}

nvJitLinkResult jitlink_check_options(nvJitLinkHandle h)
{
    if (!h->sm)
        return NVJITLINK_ERROR_MISSING_ARCH;
    if (h->is_virtual && !h->wants_ptx)
        jitlink_say(&h->errors, "ERROR: virtual arch requires -ptx\n");
    else if (h->wants_ptx && !h->is_link_time)
        jitlink_say(&h->errors, "ERROR: -ptx requires -lto\n");
    else
        return NVJITLINK_SUCCESS;
    return NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;
}
