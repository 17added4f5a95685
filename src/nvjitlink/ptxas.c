/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVIDIA's library hands each PTX input to ptxas, with some of its own options:
 * what those would be refused for, or warned of, is said here in ptxas's words.
 */
#include "nvjitlink/internal.h"

#include "core/usage.h"

#include <ctype.h>
#include <stdlib.h>

static bool refuse_option(nvJitLinkHandle h, const char *what, const char *name)
{
    jitlink_say(&h->errors, "ptxas fatal   : %s '%s'\n", what, name);
    return false;
}

static bool check_arch(nvJitLinkHandle h)
{
    const char *suffix = h->arch_suffix;
    bool is_known = !*suffix || (!strcmp(suffix, "a") && h->sm >= 90) ||
                    (!strcmp(suffix, "f") && h->sm >= 100);
    if (!is_known)
        jitlink_say(&h->errors,
                    "ptxas fatal   : Value 'sm_%u%s' is not defined for option "
                    "'gpu-name'\n",
                    h->sm, suffix);
    return is_known;
}

static bool check_line_info(nvJitLinkHandle h)
{
    const char *behind = h->line_info ? h->line_info + strlen("-lineinfo") : "";
    if (!*behind)
        return true;
    return *behind == '='
               ? refuse_option(h, "no argument expected after", "-lineinfo")
               : refuse_option(h, "Unknown option", h->line_info + 1);
}

enum { FEWEST_REGISTERS = 24, MOST_REGISTERS = 255 };

static bool check_registers(nvJitLinkHandle h)
{
    char *end;
    if (!h->max_registers)
        return true;
    int count = (int)strtoll(h->max_registers, &end, 0);
    if (*end) {
        jitlink_say(
            &h->errors,
            "ptxas fatal   : Invalid value '%s' for option 'maxrregcount'\n",
            h->max_registers);
        return false;
    }
    if (count < 0 || count > MOST_REGISTERS)
        jitlink_say(&h->info,
                    "ptxas warning : Too big maxrregcount value specified %d, "
                    "will be ignored\n",
                    count);
    else if (count < FEWEST_REGISTERS)
        jitlink_say(&h->info,
                    "ptxas warning : For profile sm_%u%s adjusting per thread "
                    "register count of %d to lower bound of %d\n",
                    h->sm, h->arch_suffix, count, FEWEST_REGISTERS);
    return true;
}

/* ---- -Xptxas ------------------------------------------------------------- */

static bool is_named(const char *name, size_t length, const char *known)
{
    return strlen(known) == length && !strncmp(name, known, length);
}

enum kind { UNKNOWN, FLAG, WITH_VALUE };

/* `name` is behind one dash; with two it is a long name. */
static enum kind find_option(const char *name)
{
    static const struct {
        const char *name, *brief, *value;
    } known[] = {
        {"verbose", "v", NULL},          {"compile-only", "c", NULL},
        {"disable-warnings", "w", NULL}, {"warning-as-error", "Werror", NULL},
        {"output-file", "o", "FILE"},    {"gpu-name", "arch", "SM"},
#define PTXAS_OPTION(name, brief, value) {name, brief, value},
#include "base/ptxas_options.def"
    };
    if (*name == '-')
        name++;
    size_t length = strcspn(name, "=");
    if (name[0] == 'O' && (!name[1] || isdigit((unsigned char)name[1])))
        return FLAG;
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (is_named(name, length, known[i].name) ||
            is_named(name, length, known[i].brief))
            return known[i].value && !name[length] ? WITH_VALUE : FLAG;
    return UNKNOWN;
}

static bool check_for_ptxas(nvJitLinkHandle h)
{
    enum kind kind = FLAG;
    for (size_t i = 0; i < h->for_ptxas.count; i++) {
        char *text = h->for_ptxas.data[i];
        if (kind == WITH_VALUE) { /* this is the value */
            kind = FLAG;
            continue;
        }
        if (*text != '-') {
            jitlink_say(&h->errors,
                        "ptxas fatal   : Input file '%s' could not be opened\n"
                        "ptxas fatal   : Ptx assembly aborted due to errors\n",
                        text);
            return false;
        }
        kind = find_option(text + 1);
        if (kind != UNKNOWN)
            continue;
        text[strcspn(text, "=")] = 0;
        return refuse_option(h, "Unknown option", text + 1);
    }
    return true;
}

static bool is_usage_wanted(const struct nvJitLink *h)
{
    for (size_t i = 0; i < h->for_ptxas.count; i++) {
        const char *text = h->for_ptxas.data[i];
        if (!strcmp(text, "-v") || !strcmp(text, "--verbose"))
            return true;
    }
    return h->is_verbose;
}

void jitlink_say_usage(nvJitLinkHandle h, const char *ptx)
{
    char target[24];
    if (!is_usage_wanted(h))
        return;
    snprintf(target, sizeof target, "sm_%u%s", h->sm, h->arch_suffix);
    char *text = report_text_usage(ptx, target, "ptxas         . ");
    jitlink_say(&h->info, "%s", text ? text : "");
    free(text);
}

/* ---- all of them --------------------------------------------------------- */

static void warn_of_more(nvJitLinkHandle h, unsigned count, const char *name)
{
    if (count > 1)
        jitlink_say(&h->info,
                    "ptxas warning : incompatible redefinition for option "
                    "'%s', the last value of this option was used\n",
                    name);
}

bool jitlink_check_ptxas_options(nvJitLinkHandle h)
{
    warn_of_more(h, h->arch_count, "gpu-name");
    warn_of_more(h, h->level_count, "opt-level");
    warn_of_more(h, h->register_count, "maxrregcount");
    return check_arch(h) && check_line_info(h) && check_for_ptxas(h) &&
           check_registers(h);
}
