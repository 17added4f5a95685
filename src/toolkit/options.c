/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines as NVIDIA's tools take them: --name value, --name=value,
 * -brief value, -brief=value, and -Xvalue where the brief name is one letter.
 */
#include "toolkit/toolkit.h"

#include <stdio.h>

void kit_error(const char *format, ...)
{
    va_list args;
    fprintf(stderr, "%s: ", kit_name);
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
    if (arg[n] == 0 || (o->value && arg[n] == '='))
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
    kit_error("unknown option %s%s%s%s", arg, near ? "; did you mean --" : "",
              near ? near : "", near ? "?" : "; see --help");
    return false;
}

/* Takes the option at argv[*i], and its value. */
static bool take_option(const struct kit_tool *t, int argc, char **argv, int *i,
                        struct kit_args *out)
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
    if (o->value && arg[length])
        value = arg + length + (arg[length] == '=');
    else if (o->value && *i + 1 < argc)
        value = argv[++*i];
    else if (o->value) {
        kit_error("%s needs a value: %s", arg, o->value);
        return false;
    }
    return vec_push(&out->given, ((struct kit_given){(unsigned)index, value}));
}

/* Do the arguments from `arg` on have no options of the tool's? */
static bool begins_rest(const struct kit_tool *t, const char *arg)
{
    return t->rest == KIT_REST_ALL ||
           (t->rest == KIT_REST_PROGRAM && arg[0] != '-');
}

bool kit_parse(const struct kit_tool *t, int argc, char **argv,
               struct kit_args *out, int *status)
{
    *status = 0;
    bool is_rest = false;
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i];
        if (!is_rest && (!strcmp(arg, "--help") || !strcmp(arg, "-h"))) {
            print_help(t);
            return false;
        }
        if (!is_rest && (!strcmp(arg, "--version") || !strcmp(arg, "-V"))) {
            print_version(t);
            return false;
        }
        is_rest = is_rest || begins_rest(t, arg);
        bool ok = !is_rest && arg[0] == '-' && arg[1]
                      ? take_option(t, argc, argv, &i, out)
                      : vec_push(&out->files, arg);
        if (!ok) {
            *status = 1;
            return false;
        }
    }
    return true;
}

const char *kit_value(const struct kit_args *args, unsigned option)
{
    const char *value = NULL;
    for (size_t i = 0; i < args->given.count; i++)
        if (args->given.data[i].option == option)
            value = args->given.data[i].value;
    return value;
}
