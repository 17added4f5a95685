/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines as NVIDIA's tools take them: --name value, --name=value,
 * -brief value, -brief=value, and -Xvalue where the brief name is one letter.
 */
#include "toolkit/toolkit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ptxas.h"

static const char *severity = ""; /* of errors: " fatal   " where scripts look
                                   * for NVIDIA's word */

void kit_error(const char *format, ...)
{
    va_list args;
    fprintf(stderr, "%s%s: ", kit_name, severity);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
}

static void print_help(const struct kit_tool *t)
{
    printf("Usage: %s [OPTION]... %s\n\n%s\n\nOptions:\n", t->name,
           t->arguments, t->summary);
    for (size_t i = 0; i < t->option_count; i++) {
        const struct kit_option *o = &t->options[i];
        char left[96];
        snprintf(left, sizeof left, "--%s%s%s%s%s", o->name,
                 o->value ? " " : "", o->value ? o->value : "",
                 *o->brief ? ", -" : "", o->brief);
        printf("  %-40s %s%s\n", left,
               o->use == KIT_TUNES    ? "taken, without effect: "
               : o->use == KIT_REFUSE ? "refused: "
                                      : "",
               o->help);
    }
    printf("  %-40s %s\n", "--help, -h", "this text");
    printf("  %-40s %s\n", "--version, -V", "which CUDA release it stands for");
    if (*t->details)
        printf("\n%s\n", t->details);
}

/* The form that the build systems of CMake, Meson and Triton parse. */
static void print_version(const struct kit_tool *t)
{
    printf("%s: weft's stand-in\nBuilt for this machine's processors\n"
           "Cuda compilation tools, release %d.%d, V%d.%d.%d\n",
           t->name, WEFT_TOOLKIT_MAJOR, WEFT_TOOLKIT_MINOR, WEFT_TOOLKIT_MAJOR,
           WEFT_TOOLKIT_MINOR, WEFT_TOOLKIT_PATCH);
}

/* The length of the option's name at the start of `arg`, which has lost its
 * dashes; 0: it is another option. */
static size_t match_length(const struct kit_option *o, const char *arg,
                           bool is_long)
{
    const char *name = is_long ? o->name : o->brief;
    size_t n = strlen(name);
    if (!n || strncmp(arg, name, n) != 0)
        return 0;
    if (arg[n] == 0 || arg[n] == '=')
        return n;
    return !is_long && n == 1 && o->value ? n : 0;
}

/* The index of the option, or the count. The longest match wins, so a whole
 * name before one letter and its value. *length: of dashes and name in `arg`.
 */
static size_t find_option(const struct kit_tool *t, const char *arg,
                          size_t *length)
{
    bool is_long = arg[1] == '-';
    size_t best = t->option_count;
    *length = 0;
    for (size_t i = 0; i < t->option_count; i++) {
        size_t n = match_length(&t->options[i], arg + 1 + is_long, is_long);
        if (n > *length) {
            *length = n;
            best = i;
        }
    }
    *length += 1 + is_long;
    return best;
}

static bool refuse_unknown(const struct kit_tool *t, const char *arg)
{
    const char *names[128];
    size_t count = 0;
    for (size_t i = 0; i < t->option_count && count < ARRAY_COUNT(names); i++)
        names[count++] = t->options[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
    const char *near = nearest_name(name + strspn(name, "-"), names, count);
    if (t->fatal_status)
        kit_error("Unknown option '%s'%s%s%s", name + starts_with(name, "--"),
                  near ? "; did you mean --" : "", near ? near : "",
                  near ? "?" : "");
    else
        kit_error("unknown option %s%s%s%s", arg,
                  near ? "; did you mean --" : "", near ? near : "",
                  near ? "?" : "; see --help");
    return false;
}

static bool check_value(const struct kit_option *o, const char *value)
{
    char room[256];
    const char *problem =
        ptxas_check_value(o->value, o->name, value, room, sizeof room);
    if (problem)
        kit_error("%s", problem);
    return !problem;
}

/* ---- command lines ------------------------------------------------------- */

static bool read_options(const struct kit_tool *t, const char *paths,
                         struct kit_args *out, bool *is_done);

/* Takes the option at argv[*i], and its value. */
static bool take_option(const struct kit_tool *t, int argc, char **argv, int *i,
                        struct kit_args *out, bool *is_done)
{
    size_t length;
    const char *arg = argv[*i], *value = "";
    size_t index = find_option(t, arg, &length);
    if (index == t->option_count)
        return refuse_unknown(t, arg);
    const struct kit_option *o = &t->options[index];
    if (o->use == KIT_REFUSE) {
        kit_error("%s: %s", arg, o->help);
        return false;
    }
    if (!o->value && arg[length]) {
        kit_error("no argument expected after '%.*s'", (int)length, arg);
        return false;
    }
    if (o->value && arg[length])
        value = arg + length + (arg[length] == '=');
    else if (o->value && *i + 1 < argc)
        value = argv[++*i];
    else if (o->value) {
        kit_error("%s needs a value: %s", arg, o->value);
        return false;
    }
    if (o->value && t->fatal_status && !check_value(o, value))
        return false;
    if (o->use == KIT_OPTIONS)
        return read_options(t, value, out, is_done);
    return vec_push(&out->given, ((struct kit_given){(unsigned)index, value}));
}

/* Do the arguments from `arg` on have no options of the tool's? */
static bool begins_rest(const struct kit_tool *t, const char *arg)
{
    return t->rest == KIT_REST_ALL ||
           (t->rest == KIT_REST_PROGRAM && arg[0] != '-');
}

/* False: an error, or what was asked for has been printed, which *is_done says.
 */
static bool take_arguments(const struct kit_tool *t, int argc, char **argv,
                           struct kit_args *out, bool *is_done)
{
    bool is_rest = false;
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i];
        *is_done = true;
        if (!is_rest && (!strcmp(arg, "--help") || !strcmp(arg, "-h"))) {
            print_help(t);
            return false;
        }
        if (!is_rest && (!strcmp(arg, "--version") || !strcmp(arg, "-V"))) {
            print_version(t);
            return false;
        }
        *is_done = false;
        is_rest = is_rest || begins_rest(t, arg);
        bool ok = !is_rest && arg[0] == '-' && arg[1]
                      ? take_option(t, argc, argv, &i, out, is_done)
                      : vec_push(&out->files, arg);
        if (!ok)
            return false;
    }
    return true;
}

/* The next word of `text`, in quotes or not; it ends with a NUL. NULL: there is
 * none. */
static char *next_word(char **text)
{
    char *p = *text + strspn(*text, " \t\r\n"), *to = p, *word = p;
    char quote = 0;
    if (!*p)
        return NULL;
    for (; *p && (quote || !strchr(" \t\r\n", *p)); p++) {
        if (*p == quote)
            quote = 0;
        else if (!quote && (*p == '"' || *p == '\''))
            quote = *p;
        else
            *to++ = *p;
    }
    *text = p + (*p != 0);
    *to = 0;
    return word;
}

static bool read_file_of_options(const struct kit_tool *t, const char *path,
                                 struct kit_args *out, bool *is_done)
{
    enum { OPEN_MOST = 16 };
    size_t size;
    VEC(char *) words = {0};
    if (out->open_files == OPEN_MOST) {
        kit_error("Too many options file opened '%s'", path);
        return false;
    }
    char *text = kit_read(path, &size), *rest = text;
    if (!text || !vec_push(&out->owned, text)) {
        free(text);
        return false;
    }
    bool ok = true;
    for (char *word; ok && (word = next_word(&rest));)
        ok = vec_push(&words, word);
    out->open_files++;
    ok = ok && take_arguments(t, (int)words.count, words.data, out, is_done);
    out->open_files--;
    vec_fini(&words);
    return ok;
}

/* Takes the options that are in files, "a,b". */
static bool read_options(const struct kit_tool *t, const char *paths,
                         struct kit_args *out, bool *is_done)
{
    for (const char *p = paths; *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        char *path = strndup(p, n);
        bool ok = path && read_file_of_options(t, path, out, is_done);
        free(path);
        if (!ok)
            return false;
        p += n;
    }
    return true;
}

bool kit_parse(const struct kit_tool *t, int argc, char **argv,
               struct kit_args *out, int *status)
{
    bool is_done = false;
    severity = t->fatal_status ? " fatal   " : "";
    *status = 0;
    if (!take_arguments(t, argc, argv, out, &is_done)) {
        if (!is_done)
            *status = t->fatal_status ? t->fatal_status : 1;
        return false;
    }
    if (!t->helps_alone || out->files.count)
        return true;
    for (size_t i = 0; i < out->given.count; i++)
        if (t->options[out->given.data[i].option].use == KIT_TAKE_ALONE)
            return true;
    print_help(t);
    return false;
}

void kit_args_fini(struct kit_args *args)
{
    for (size_t i = 0; i < args->owned.count; i++)
        free(args->owned.data[i]);
    vec_fini(&args->owned);
    vec_fini(&args->given);
    vec_fini(&args->files);
}

const char *kit_value(const struct kit_args *args, unsigned option)
{
    const char *value = NULL;
    for (size_t i = 0; i < args->given.count; i++)
        if (args->given.data[i].option == option)
            value = args->given.data[i].value;
    return value;
}

void kit_print_log(const char *log)
{
    char *text = ptxas_log(kit_name, log);
    fputs(text ? text : log, stderr);
    free(text);
}
