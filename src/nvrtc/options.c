/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of a compilation. Each is one string, with one or two dashes;
 * a value stands behind '=', behind a blank, or is the next string.
 */
#include "nvrtc/internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arch.h"

enum form {
    FLAG,
    VALUE,
    EQUALS,
    JOINED,
    CHOICE,
    NUMBER,
    COUNT,
    DENSITY,
    MESSAGES,
    WORD
};

#define DENSITY_MOST 101

struct option {
    const char *long_name, *short_name;
    enum form form;
    bool (*apply)(struct rtc_options *o, const struct option *option,
                  const char *value);
    const char *text; /* why it is refused, or the words of WORD */
    size_t field;     /* of struct rtc_options, if it sets just one */
};

static bool add_argument(struct rtc_options *o, const char *text)
{
    char *copy = strdup(text);
    return copy && vec_push(&o->arguments, copy);
}

/* Of weftcc's lists: NVRTC's options have one value, commas and all. */
static bool add_escaped(struct rtc_options *o, const char *text)
{
    char *copy = malloc(2 * strlen(text) + 1), *to = copy;
    if (!copy)
        return false;
    for (; *text; *to++ = *text++)
        if (*text == ',')
            *to++ = '\\';
    *to = 0;
    if (vec_push(&o->arguments, copy))
        return true;
    free(copy);
    return false;
}

/* ---- the functions of rows: false is an error ---------------------------- */

/* Passes the option on to weftcc, with its long name and two dashes; a value is
 * an argument of its own. */
static bool forward_option(struct rtc_options *o, const struct option *option,
                           const char *value)
{
    char dashed[64];
    snprintf(dashed, sizeof dashed, "--%s", option->long_name);
    if (!add_argument(o, dashed) || option->form == FLAG)
        return o->arguments.count > 0;
    return add_argument(o, value);
}

static bool drop_option(struct rtc_options *o, const struct option *option,
                        const char *value)
{
    (void)o, (void)option, (void)value;
    return true;
}

static bool refuse_option(struct rtc_options *o, const struct option *option,
                          const char *value)
{
    (void)o, (void)option, (void)value;
    return false;
}

static bool keep_text(char **to, const char *value)
{
    free(*to);
    *to = strdup(value);
    return *to != NULL;
}

static void *field_of(struct rtc_options *o, const struct option *option)
{
    assert(option->field);
    return (char *)o + option->field;
}

static bool set_field(struct rtc_options *o, const struct option *option,
                      const char *value)
{
    (void)value;
    *(bool *)field_of(o, option) = true;
    return true;
}

/* Of a CHOICE: the field says that it is off. */
static bool set_if_false(struct rtc_options *o, const struct option *option,
                         const char *value)
{
    *(bool *)field_of(o, option) = !strcmp(value, "false");
    return true;
}

static bool keep_field(struct rtc_options *o, const struct option *option,
                       const char *value)
{
    return keep_text(field_of(o, option), value);
}

/* "sm_90a", "compute_75": an architecture that nvcc has not dropped. */
static bool is_architecture(const char *value)
{
    char suffix;
    const struct arch *arch = arch_find(arch_parse_name(value, &suffix));
    return arch && arch->listing == ARCH_CURRENT && !starts_with(value, "lto_");
}

static bool take_architecture(struct rtc_options *o,
                              const struct option *option, const char *value)
{
    o->wants_image = starts_with(value, "sm_");
    return keep_text(&o->arch, value) && forward_option(o, option, value);
}

static bool take_relocatable(struct rtc_options *o, const struct option *option,
                             const char *value)
{
    (void)option, (void)value;
    o->is_relocatable = true;
    return add_argument(o, "-rdc=true");
}

static bool take_device_c(struct rtc_options *o, const struct option *option,
                          const char *value)
{
    o->is_device_c = true;
    return take_relocatable(o, option, value);
}

static bool choose_relocatable(struct rtc_options *o,
                               const struct option *option, const char *value)
{
    o->is_relocatable = !strcmp(value, "true");
    o->rdc = o->is_relocatable ? CHOSE_TRUE : CHOSE_FALSE;
    return forward_option(o, option, value);
}

static bool take_extensible(struct rtc_options *o, const struct option *option,
                            const char *value)
{
    o->is_extensible = true;
    return take_relocatable(o, option, value);
}

static bool take_ptxas(struct rtc_options *o, const struct option *option,
                       const char *value)
{
    o->shows_usage |= !strcmp(value, "-v") || !strcmp(value, "--verbose");
    return forward_option(o, option, value);
}

/* Of those that NVRTC takes weftcc has none before C++11. */
static bool take_standard(struct rtc_options *o, const struct option *option,
                          const char *value)
{
    return forward_option(o, option, strcmp(value, "c++03") ? value : "c++11");
}

/* A negative count is none, as no count is. */
static bool take_registers(struct rtc_options *o, const struct option *option,
                           const char *value)
{
    return *value == '-' || !*value || forward_option(o, option, value);
}

/* Behind the identifier at `text`; NULL: there is none. */
static const char *skip_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return NULL;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return text;
}

/* Behind a macro's parameters at `text`, "(x, ...)"; NULL: they are not closed,
 * or not named. */
static const char *skip_parameters(const char *text)
{
    do {
        text += 1 + strspn(text + 1, " ");
        const char *end = starts_with(text, "...") ? text + strlen("...")
                                                   : skip_identifier(text);
        if (!end && *text != ')')
            return NULL;
        text = end ? end + strspn(end, " ") : text;
    } while (*text == ',');
    return *text == ')' ? text + 1 : NULL;
}

static bool is_definition(const char *value)
{
    const char *end = skip_identifier(value);
    if (end && *end == '(')
        end = skip_parameters(end);
    return end && (!*end || *end == '=') && !starts_with(value, "defined=") &&
           strcmp(value, "defined") != 0;
}

/* Forwards a definition, or keeps the first wrong one for the message. */
static bool take_macro(struct rtc_options *o, const struct option *option,
                       const char *value, bool is_right)
{
    if (is_right)
        return add_argument(o, option->short_name[0] == 'D' ? "-D" : "-U") &&
               add_escaped(o, value);
    return o->bad_macro ||
           asprintf(&o->bad_macro, "invalid %s: %s", option->text, value) > 0;
}

static bool define_macro(struct rtc_options *o, const struct option *option,
                         const char *value)
{
    return take_macro(o, option, value, is_definition(value));
}

static bool undefine_macro(struct rtc_options *o, const struct option *option,
                           const char *value)
{
    const char *end = skip_identifier(value);
    return take_macro(o, option, value, end && !end[strspn(end, " ")]);
}

/* -dlto: our LTO-IR is relocatable PTX. */
static bool link_time(struct rtc_options *o, const struct option *option,
                      const char *value)
{
    o->wants_ltoir = true;
    return take_relocatable(o, option, value);
}

/* -I: for clang's device pass alone. Headers that a program brings in place of
 * standard ones must not reach the implicit header, which is precompiled. */
static bool include_path(struct rtc_options *o, const struct option *option,
                         const char *value)
{
    (void)option;
    return !*value ||
           (add_argument(o, "--device-option") && add_argument(o, "-I") &&
            add_argument(o, "--device-option") && add_escaped(o, value));
}

/* -time: a program from the cache would have nothing to measure. */
static bool time_file(struct rtc_options *o, const struct option *option,
                      const char *value)
{
    (void)option;
    o->no_cache = true;
    return keep_text(&o->time_file, value);
}

static bool trace_file(struct rtc_options *o, const struct option *option,
                       const char *value)
{
    (void)option;
    o->no_cache = true;
    size_t bytes = strlen(value) + sizeof "-ftime-trace=";
    char *argument = malloc(bytes);
    if (argument)
        snprintf(argument, bytes, "-ftime-trace=%s", value);
    bool ok = argument && keep_text(&o->trace_file, value) &&
              add_argument(o, "--device-option") &&
              add_argument(o, "-Xclang") &&
              add_argument(o, "--device-option") && add_argument(o, argument);
    free(argument);
    return ok;
}

static const struct option options[] = {
#define RTC_OPTION(long_name, short_name, form, apply, text)                   \
    {long_name, short_name, form, apply, text, 0},
#define RTC_FIELD(long_name, short_name, form, apply, field)                   \
    {long_name, short_name, form, apply, NULL,                                 \
     offsetof(struct rtc_options, field)},
#include "nvrtc/options.def"
};

/* ---- from strings to rows ------------------------------------------------ */

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* The row of an option, whose long name stands behind two dashes and its short
 * one behind one; NULL: there is none. *value: what follows the name in the
 * same string, or NULL. */
static const struct option *find_option(const char *text, const char **value)
{
    const bool is_long = text[1] == '-';
    const char *name = text + 1 + is_long;
    size_t length = strcspn(name, "= \t");
    *value = name[length] ? name + length + 1 : NULL;
    for (size_t i = 0; i < ARRAY_COUNT(options); i++)
        if (is_name(is_long ? options[i].long_name : options[i].short_name,
                    name, length))
            return &options[i];
    for (size_t i = 0; i < ARRAY_COUNT(options) && !is_long; i++) {
        const struct option *o = &options[i];
        size_t prefix = strlen(o->short_name);
        if (o->form != JOINED || strncmp(name, o->short_name, prefix) != 0)
            continue;
        *value = name + prefix;
        return o;
    }
    return NULL;
}

/* Adds a text to the log. Always false. */
static bool say_no(struct rtc_blob *log, const char *text)
{
    rtc_blob_add(log, text, strlen(text));
    return false;
}

/* Adds an error to the log, worded as NVRTC's are. Always false. */
__attribute__((format(printf, 2, 3))) static bool
log_error(struct rtc_blob *log, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    say_no(log, "nvrtc: error: ");
    say_no(log, text);
    return say_no(log, "\n");
}

static bool has_word(const char *words, const char *value)
{
    size_t length = strlen(value);
    for (const char *p = words; *p; p += strcspn(p, " "), p += *p == ' ')
        if (strcspn(p, " ") == length && strncmp(p, value, length) == 0)
            return true;
    return false;
}

static bool is_number(const char *value)
{
    const char *digits = value + (*value == '-');
    return *digits && !digits[strspn(digits, "0123456789")];
}

/* Is it a list of numbers above 0: "177" or "177,550"? */
static bool is_list(const char *value)
{
    for (const char *p = value;; p++) {
        size_t length = strspn(p, "0123456789");
        if (!length || !atoi(p))
            return false;
        p += length;
        if (*p != ',')
            return !*p;
    }
}

static bool is_in_range(enum form form, long value)
{
    return form == NUMBER ||
           (value >= 0 && (form == COUNT || value <= DENSITY_MOST));
}

/* Is `value` ("" if none was given) one that the option takes? False after an
 * error as NVRTC words it. */
static bool check_value(const struct option *o, const char *value,
                        struct rtc_blob *log)
{
    switch (o->form) {
    case CHOICE:
        return has_word("true false", value) ||
               log_error(log, "--%s (-%s) expects true or false", o->long_name,
                         o->short_name);
    case NUMBER:
    case COUNT:
    case DENSITY:
        if (*value && !is_number(value))
            return log_error(log, "--%s (-%s) expects an integer value",
                             o->long_name, o->short_name);
        return is_in_range(o->form, strtol(value, NULL, 10)) ||
               log_error(log, "Argument for %s", o->text);
    case MESSAGES:
        return is_list(value) ||
               log_error(log, "--%s expects a non-zero positive integer value",
                         o->long_name);
    case WORD:
        return has_word(o->text, value) ||
               log_error(log, "invalid %s for option --%s (-%s): %.200s",
                         strcmp(o->text, "inline") ? "argument"
                                                   : "optimization tag",
                         o->long_name, o->short_name, value);
    case JOINED: /* the function of the row says */
        return true;
    default:
        if (o->apply == take_standard && !has_word(o->text, value))
            return log_error(log, "invalid value for --std(-std)");
        if (o->apply == take_architecture && !is_architecture(value))
            return log_error(log,
                             "invalid value for --gpu-architecture (-arch)");
        return o->form == FLAG || *value ||
               log_error(log, "-%s expects a value", o->short_name);
    }
}

/* One option; *i moves on where its value is the next string. */
static bool read_option(struct rtc_options *o, const char *const *texts,
                        int count, int *i, struct rtc_blob *log)
{
    const char *text = texts[*i] ? texts[*i] : "", *value;
    while (isspace((unsigned char)*text))
        text++;
    const struct option *option =
        *text == '-' ? find_option(text, &value) : NULL;
    if (!option || (option->form == EQUALS && !value))
        return log_error(log, "unrecognized option %.200s found", text);
    if (option->apply == refuse_option)
        return log_error(log, "option '%.200s': %s", text, option->text);
    if (option->form == FLAG && value)
        return log_error(log, "--%s (-%s) does not accept any argument",
                         option->long_name, option->short_name);
    if (option->form != FLAG && !value && *i + 1 < count)
        value = texts[++*i];
    if (!value)
        value = "";
    while (isspace((unsigned char)*value))
        value++;
    if (!check_value(option, value, log))
        return false;
    return option->apply(o, option, value) ||
           log_error(log, "option '%.200s': out of memory", text);
}

static bool check_pch(const struct rtc_options *o, struct rtc_blob *log)
{
    const char *both = o->create_pch && o->use_pch ? "-create-pch and -use-pch"
                       : o->makes_pch && o->create_pch ? "-pch and -create-pch"
                       : o->makes_pch && o->use_pch    ? "-pch and -use-pch"
                                                       : NULL;
    return !both ||
           log_error(log, "%s cannot be specified at the same time", both);
}

/* A file that is made goes into the folder of -pch-dir. */
static bool place_pch(struct rtc_options *o)
{
    char *path;
    if (!o->create_pch || !o->pch_folder || *o->create_pch == '/')
        return true;
    if (asprintf(&path, "%s/%s", o->pch_folder, o->create_pch) < 0)
        return false;
    free(o->create_pch);
    o->create_pch = path;
    return true;
}

/* Do the options that say how programs are linked agree? */
static bool check_linking(const struct rtc_options *o, struct rtc_blob *log)
{
    static const char extensible[] = "--extensible-whole-program (-ewp)",
                      relocatable[] = "--relocatable-device-code",
                      device_c[] = "--device-c (-dc)";
    if (o->is_device_c && o->is_device_w)
        return log_error(log, "Both %s and --device-w (-dw) specified",
                         device_c);
    if (o->is_extensible && o->is_device_c)
        return log_error(log, "%s is not compatible with %s", extensible,
                         device_c);
    if (o->is_extensible && o->rdc == CHOSE_TRUE)
        return log_error(log, "%s is not compatible with %s=true (-rdc=true)",
                         extensible, relocatable);
    if (o->is_device_c && o->rdc == CHOSE_FALSE)
        return log_error(log, "%s is not compatible with %s=false (-rdc=false)",
                         device_c, relocatable);
    return !o->wants_ltoir || (o->rdc != CHOSE_FALSE && !o->is_device_w) ||
           log_error(log, "-dlto is not compatible with -rdc=false");
}

/* What NVRTC leaves to its compiler: a message in the words of that. */
static nvrtcResult refuse_command(const struct rtc_options *o, const char *name,
                                  struct rtc_blob *log)
{
    char *text, *where = NULL;
    const bool is_folder = !o->pch_folder || access(o->pch_folder, F_OK) == 0;
    if (is_folder && !o->bad_macro)
        return NVRTC_SUCCESS;
    if (is_folder && asprintf(&where, "the compilation of \"%s\"", name) < 0)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    int length = asprintf(&text,
                          "Command-line error: %s%s\n\n"
                          "1 catastrophic error detected in %s.\n"
                          "Compilation terminated.\n",
                          is_folder ? o->bad_macro : "invalid PCH directory: ",
                          is_folder ? "" : o->pch_folder,
                          where ? where : "this compilation");
    free(where);
    if (length < 0)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    bool ok = rtc_blob_add(log, text, (size_t)length);
    free(text);
    return ok ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult rtc_options_read(struct rtc_options *o, const char *name, int count,
                             const char *const *texts, struct rtc_blob *log)
{
    for (int i = 0; i < count; i++)
        if (!read_option(o, texts, count, &i, log))
            return NVRTC_ERROR_INVALID_OPTION;
    if (!check_linking(o, log) || !check_pch(o, log) || !place_pch(o))
        return NVRTC_ERROR_INVALID_OPTION;
    nvrtcResult err = refuse_command(o, name, log);
    if (err)
        return err;
    bool ok = (o->no_initializer_list ||
               add_argument(o, "-D__NV_BUILTIN_INITIALIZER_LIST=1")) &&
              (o->no_move_forward ||
               add_argument(o, "-D__NV_BUILTIN_MOVE_FORWARD=1"));
    return ok ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

void rtc_options_fini(struct rtc_options *o)
{
    for (size_t i = 0; i < o->arguments.count; i++)
        free(o->arguments.data[i]);
    vec_fini(&o->arguments);
    free(o->time_file);
    free(o->trace_file);
    free(o->arch);
    free(o->create_pch);
    free(o->use_pch);
    free(o->pch_folder);
    free(o->bad_macro);
}
