/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of a compilation. Each is one string, with one or two dashes;
 * a value stands behind '=', behind a blank, or is the next string.
 */
#include "nvrtc/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum form { FLAG, VALUE, JOINED };

struct option {
    const char *long_name, *short_name;
    enum form form;
    bool (*apply)(struct rtc_options *o, const struct option *option,
                  const char *value);
    const char *reason; /* of refuse */
};

static bool add(struct rtc_options *o, const char *text)
{
    char *copy = strdup(text);
    return copy && vec_push(&o->arguments, copy);
}

/* ---- what rows do -------------------------------------------------------- */

/* An option of weftcc, spelled so that it is taken as one word. */
static bool forward(struct rtc_options *o, const struct option *option,
                    const char *value)
{
    char dashed[64];
    snprintf(dashed, sizeof dashed, "--%s", option->long_name);
    if (!add(o, dashed) || option->form == FLAG)
        return o->arguments.count > 0;
    return add(o, value);
}

static bool drop(struct rtc_options *o, const struct option *option,
                 const char *value)
{
    (void)o, (void)option, (void)value;
    return true;
}

static bool refuse(struct rtc_options *o, const struct option *option,
                   const char *value)
{
    (void)o, (void)option, (void)value;
    return false;
}

/* "sm_90a", "compute_75": of a device that compilers still know. */
static bool is_architecture(const char *value)
{
    enum { DROPPED, CURRENT };
    static const struct {
        unsigned number;
        bool is_current;
    } known[] = {
#define ARCH(number, listing) {number, listing},
#include "base/arch.def"
    };
    unsigned number = 0;
    char suffix = 'a', rest;
    int n = sscanf(value, "sm_%u%c%c", &number, &suffix, &rest);
    if (n < 1)
        n = sscanf(value, "compute_%u%c%c", &number, &suffix, &rest);
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (known[i].number == number)
            return known[i].is_current && n < 3 &&
                   (suffix == 'a' || suffix == 'f');
    return false;
}

static bool architecture(struct rtc_options *o, const struct option *option,
                         const char *value)
{
    o->wants_image = starts_with(value, "sm_");
    return forward(o, option, value);
}

static bool relocatable(struct rtc_options *o, const struct option *option,
                        const char *value)
{
    (void)option, (void)value;
    o->is_relocatable = true;
    return add(o, "-rdc=true");
}

static bool choose_relocatable(struct rtc_options *o,
                               const struct option *option, const char *value)
{
    o->is_relocatable = !strcmp(value, "true");
    return forward(o, option, value);
}

/* What is to be linked is PTX here, whatever it is called. */
static bool link_time(struct rtc_options *o, const struct option *option,
                      const char *value)
{
    o->wants_ltoir = true;
    return relocatable(o, option, value);
}

/* What programs bring along in place of standard headers is not meant for the
 * implicit header, which has been precompiled by then. */
static bool include_path(struct rtc_options *o, const struct option *option,
                         const char *value)
{
    (void)option;
    return add(o, "--device-option") && add(o, "-I") &&
           add(o, "--device-option") && add(o, value);
}

static bool no_source_include(struct rtc_options *o,
                              const struct option *option, const char *value)
{
    (void)option, (void)value;
    o->no_source_include = true;
    return true;
}

static bool default_device(struct rtc_options *o, const struct option *option,
                           const char *value)
{
    (void)option, (void)value;
    o->is_default_device = true;
    return true;
}

static bool no_cache(struct rtc_options *o, const struct option *option,
                     const char *value)
{
    (void)option, (void)value;
    o->no_cache = true;
    return true;
}

static const struct option options[] = {
#define RTC_OPTION(long_name, short_name, form, apply, reason)                 \
    {long_name, short_name, form, apply, reason},
#include "nvrtc/options.def"
};

/* ---- from strings to rows ------------------------------------------------ */

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* *value: what follows the name in the same string, or NULL. */
static const struct option *find(const char *text, const char **value)
{
    const char *name = text + 1 + (text[1] == '-');
    size_t length = strcspn(name, "= \t");
    *value = name[length] ? name + length + 1 : NULL;
    for (size_t i = 0; i < ARRAY_COUNT(options); i++)
        if (is_name(options[i].long_name, name, length) ||
            is_name(options[i].short_name, name, length))
            return &options[i];
    for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
        const struct option *o = &options[i];
        size_t prefix = strlen(o->short_name);
        if (o->form != JOINED || strncmp(name, o->short_name, prefix) != 0)
            continue;
        *value = name + prefix;
        return o;
    }
    return NULL;
}

static bool say(struct rtc_blob *log, const char *text)
{
    rtc_blob_add(log, text, strlen(text));
    return false;
}

static bool complain(struct rtc_blob *log, const char *option,
                     const char *problem)
{
    char text[512];
    int n = snprintf(text, sizeof text, "nvrtc: error: option '%.200s': %s\n",
                     option, problem);
    rtc_blob_add(log, text, (size_t)n);
    return false;
}

static bool say_unknown(struct rtc_blob *log, const char *option)
{
    char text[512];
    snprintf(text, sizeof text,
             "nvrtc: error: unrecognized option %.200s found\n", option);
    return say(log, text);
}

bool rtc_options_read(struct rtc_options *o, int count,
                      const char *const *texts, struct rtc_blob *log)
{
    for (int i = 0; i < count; i++) {
        const char *text = texts[i], *value;
        while (text && isspace((unsigned char)*text))
            text++;
        if (!text || text[0] != '-')
            return complain(log, text ? text : "NULL",
                            "expected something that begins with '-'");
        const struct option *option = find(text, &value);
        if (!option)
            return say_unknown(log, text);
        if (option->reason)
            return complain(log, text, option->reason);
        if (option->form == FLAG && value)
            return complain(log, text, "it takes no value");
        if (option->form != FLAG && !value && i + 1 < count)
            value = texts[++i];
        if (option->form != FLAG && (!value || !*value))
            return complain(log, text, "a value is expected behind it");
        while (value && isspace((unsigned char)*value))
            value++;
        if (option->apply == architecture && !is_architecture(value))
            return say(log, "nvrtc: error: invalid value for "
                            "--gpu-architecture (-arch)\n");
        if (!option->apply(o, option, value))
            return complain(log, text, "out of memory");
    }
    return true;
}

void rtc_options_fini(struct rtc_options *o)
{
    for (size_t i = 0; i < o->arguments.count; i++)
        free(o->arguments.data[i]);
    vec_fini(&o->arguments);
}
