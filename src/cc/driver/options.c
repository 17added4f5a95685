/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line: finds the row of options.def for each argument, takes its
 * value, and calls the row's function. What a row does not accept is reported
 * with the name of the option, an unknown option with the nearest known one.
 */
#include "cc/cc.h"

#include "base/environment.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum form { FLAG, SWITCH, VALUE, VALUES, LIST, JOINED, JOINED_LIST };

/* What the function of a row works with: one of these. */
struct with {
    const char *text;
    enum cc_phase phase;
    size_t field; /* of struct cc_options */
};
#define TEXT(s)                                                                \
    {                                                                          \
        .text = (s)                                                            \
    }
#define PHASE(p)                                                               \
    {                                                                          \
        .phase = (p)                                                           \
    }
#define FIELD(f)                                                               \
    {                                                                          \
        .field = offsetof(struct cc_options, f)                                \
    }
#define NOTHING                                                                \
    {                                                                          \
        0                                                                      \
    }

struct option {
    const char *long_name, *short_name;
    enum form form;
    /* Called once per item of a list. False after reporting. */
    bool (*apply)(struct cc_options *o, const struct option *option,
                  const char *value);
    struct with with;
    const char *help; /* NULL: not worth a line */
    const char *group;
};

static bool read_arguments(struct cc_options *o, cc_args *args);

/* ---- helpers ------------------------------------------------------------- */

static bool is_one_of(const char *value, const char *choices)
{
    size_t length = strlen(value);
    for (const char *c = choices; c; c = strchr(c, '|')) {
        c += *c == '|';
        if (strncmp(c, value, length) == 0 && (!c[length] || c[length] == '|'))
            return true;
    }
    return false;
}

static bool check_choice(const struct option *option, const char *value,
                         const char *choices)
{
    if (is_one_of(value, choices))
        return true;
    cc_error("Value '%s' is not defined for option '%s', expected one of %s",
             value, option->long_name, choices);
    return false;
}

static const char *glue_text(const struct option *option, const char *value)
{
    return arena_printf(cc_arena, "%s%s", option->with.text, value);
}

/* Splits a text into words as a shell does: removes quotes and backslashes; a
 * blank outside of quotes ends a word. */
void cc_split_words(cc_args *to, const char *text)
{
    char *word = arena_alloc(cc_arena, strlen(text) + 1);
    size_t length = 0;
    bool started = false;
    char quote = 0;

    for (const char *c = text; *c; c++) {
        if (!quote && isspace((unsigned char)*c)) {
            if (started)
                cc_add(to, arena_strndup(cc_arena, word, length));
            started = false;
            length = 0;
            continue;
        }
        started = true;
        if (quote ? *c == quote : (*c == '"' || *c == '\''))
            quote = quote ? 0 : *c;
        else if (*c == '\\' && quote != '\'' && c[1])
            word[length++] = *++c;
        else
            word[length++] = *c;
    }
    if (started)
        cc_add(to, arena_strndup(cc_arena, word, length));
}

/* ---- the functions that rows of options.def name ------------------------- */

static bool pass_preprocessor(struct cc_options *o, const struct option *option,
                              const char *value)
{
    cc_add(&o->preprocessor, glue_text(option, value));
    return true;
}

static bool front_end(struct cc_options *o, const struct option *option,
                      const char *value)
{
    cc_add(&o->front_end, glue_text(option, value));
    return true;
}

static bool pass_host(struct cc_options *o, const struct option *option,
                      const char *value)
{
    cc_add(&o->host, glue_text(option, value));
    return true;
}

static bool pass_device(struct cc_options *o, const struct option *option,
                        const char *value)
{
    (void)option;
    cc_add(&o->device, value);
    return true;
}

static bool pass_linker(struct cc_options *o, const struct option *option,
                        const char *value)
{
    cc_add(&o->link, glue_text(option, value));
    return true;
}

static bool pass_archiver(struct cc_options *o, const struct option *option,
                          const char *value)
{
    cc_add(&o->archiver, glue_text(option, value));
    return true;
}

static bool is_for_gcc_alone(const char *word)
{
    static const char *const known[] = {
#define GCC(beginning) beginning,
#include "cc/gcc.def"
    };
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (starts_with(word, known[i]))
            return true;
    return false;
}

static bool host_words(struct cc_options *o, const struct option *option,
                       const char *value)
{
    (void)option;
    cc_args words = {0};
    cc_split_words(&words, value);
    for (size_t i = 0; i < words.count; i++)
        if (!is_for_gcc_alone(words.data[i]))
            cc_add(&o->host, words.data[i]);
    vec_fini(&words);
    return true;
}

static bool linker_words(struct cc_options *o, const struct option *option,
                         const char *value)
{
    (void)option;
    cc_args words = {0};
    cc_split_words(&words, value);
    for (size_t i = 0; i < words.count; i++) {
        cc_add(&o->link, "-Xlinker");
        cc_add(&o->link, words.data[i]);
    }
    vec_fini(&words);
    return true;
}

static bool choose_phase(struct cc_options *o, const struct option *option,
                         const char *value)
{
    (void)value;
    o->phase = option->with.phase;
    return true;
}

static bool device_c(struct cc_options *o, const struct option *option,
                     const char *value)
{
    o->relocatable = true;
    return choose_phase(o, option, value);
}

static bool device_link(struct cc_options *o, const struct option *option,
                        const char *value)
{
    o->has_device_link = true;
    return choose_phase(o, option, value);
}

static bool take_dependencies(struct cc_options *o, const struct option *option,
                              const char *value)
{
    (void)value;
    o->wants_dependencies = true;
    o->wants_system_dependencies = strcmp(option->with.text, "all") == 0;
    return true;
}

static bool dependencies_only(struct cc_options *o, const struct option *option,
                              const char *value)
{
    o->phase = CC_DEPENDENCIES;
    return take_dependencies(o, option, value);
}

static bool dependency_target(struct cc_options *o, const struct option *option,
                              const char *value)
{
    (void)option;
    cc_add(&o->dependency_targets, value);
    return true;
}

/* -MQ: a target with make's special characters escaped. */
static bool quoted_target(struct cc_options *o, const struct option *option,
                          const char *value)
{
    char *out = arena_alloc(cc_arena, 2 * strlen(value) + 1), *p = out;
    for (const char *c = value; *c; c++) {
        if (*c == '$')
            *p++ = '$';
        else if (*c == ' ' || *c == '\t' || *c == '#')
            *p++ = '\\';
        *p++ = *c;
    }
    return dependency_target(o, option, out);
}

static bool add_entry(struct cc_options *o, const struct option *option,
                      const char *value)
{
    (void)option;
    cc_add(&o->entries, value);
    return true;
}

static bool run_args(struct cc_options *o, const struct option *option,
                     const char *value)
{
    (void)option;
    /* The words of a command line, as with nvcc. */
    for (const char *p = value + strspn(value, " \t"); *p;
         p += strspn(p, " \t")) {
        size_t length = strcspn(p, " \t");
        cc_add(&o->run_args, arena_strndup(cc_arena, p, length));
        p += length;
    }
    return true;
}

static bool enable_field(struct cc_options *o, const struct option *option,
                         const char *value)
{
    (void)value;
    *(bool *)((char *)o + option->with.field) = true;
    return true;
}

static bool choose_field(struct cc_options *o, const struct option *option,
                         const char *value)
{
    if (!check_choice(option, value, "true|false"))
        return false;
    *(bool *)((char *)o + option->with.field) = strcmp(value, "true") == 0;
    return true;
}

static bool set_string(struct cc_options *o, const struct option *option,
                       const char *value)
{
    *(const char **)((char *)o + option->with.field) = value;
    return true;
}

static bool accept_option(struct cc_options *o, const struct option *option,
                          const char *value)
{
    (void)o, (void)option, (void)value;
    return true;
}

/* A part of a list; several words may be quoted as one. */
static bool take_ptxas(struct cc_options *o, const struct option *option,
                       const char *value)
{
    (void)option;
    char *text = arena_strndup(cc_arena, value, strlen(value));
    for (char *word = strtok(text, " \t"); word; word = strtok(NULL, " \t"))
        if (!strcmp(word, "-v") || !strcmp(word, "--verbose"))
            o->shows_usage = true;
    return true;
}

static bool one_of(struct cc_options *o, const struct option *option,
                   const char *value)
{
    (void)o;
    return check_choice(option, value, option->with.text);
}

static bool linker_script(struct cc_options *o, const struct option *option,
                          const char *value)
{
    o->wants_linker_script = strcmp(value, "gen-lcs") == 0;
    return check_choice(option, value, option->with.text);
}

static bool check_number(const struct option *option, const char *value)
{
    if (*value && strspn(value, "0123456789") == strlen(value))
        return true;
    cc_error("Value '%s' is not defined for option '%s', expected a number",
             value, option->long_name);
    return false;
}

/* Accepts a number, without effect. */
static bool accept_number(struct cc_options *o, const struct option *option,
                          const char *value)
{
    (void)o;
    return check_number(option, value);
}

static bool front_end_number(struct cc_options *o, const struct option *option,
                             const char *value)
{
    return check_number(option, value) && front_end(o, option, value);
}

static bool refuse_option(struct cc_options *o, const struct option *option,
                          const char *value)
{
    (void)o, (void)value;
    cc_error("option '--%s' is not supported: %s", option->long_name,
             option->with.text);
    return false;
}

static bool choose_cudart(struct cc_options *o, const struct option *option,
                          const char *value)
{
    o->no_cudart = strcmp(value, "none") == 0;
    o->shared_cudart = strcmp(value, "shared") == 0;
    return check_choice(option, value, option->with.text);
}

static bool choose_language(struct cc_options *o, const struct option *option,
                            const char *value)
{
    o->forced_language = value;
    return check_choice(option, value, option->with.text);
}

static bool choose_standard(struct cc_options *o, const struct option *option,
                            const char *value)
{
    o->standard = value;
    return check_choice(option, value, option->with.text);
}

static bool choose_level(struct cc_options *o, const struct option *option,
                         const char *value)
{
    if (!value[0] || strspn(value, "0123456789") != strlen(value)) {
        cc_error("Value '%s' is not defined for option '%s', expected 0 to 3",
                 value, option->long_name);
        return false;
    }
    o->optimize = strlen(value) > 1 || value[0] > '3' ? "3" : value;
    return true;
}

static bool check_arch(const struct option *option, const char *name)
{
    if (cc_arch_level(name))
        return true;
    cc_error("Unsupported gpu architecture '%s' in option '%s', expected "
             "sm_XX or compute_XX (see --list-gpu-code)",
             name, option->long_name);
    return false;
}

static bool take_architecture(struct cc_options *o, const struct option *option,
                              const char *value)
{
    o->arch = value;
    return check_arch(option, value);
}

static bool take_code(struct cc_options *o, const struct option *option,
                      const char *value)
{
    cc_add(&o->codes, value);
    if (!cc_arch_number(value))
        return check_choice(option, value, "sm_XX|compute_XX|lto_XX");
    return check_arch(option, value);
}

/* arch=compute_80,code=[sm_80,compute_80]; quotes and brackets are optional */
static bool generate_code(struct cc_options *o, const struct option *option,
                          const char *value)
{
    char *text = arena_strndup(cc_arena, value, strlen(value));
    const char *arch = NULL, *code = NULL;
    unsigned oldest = UINT_MAX;
    for (char *item = strtok(text, ",[]\"' "); item;
         item = strtok(NULL, ",[]\"' ")) {
        bool is_arch = starts_with(item, "arch=");
        if (is_arch || starts_with(item, "code="))
            item += 5;
        if (*item && !check_arch(option, item))
            return false;
        if (!is_arch && starts_with(item, "sm_"))
            o->has_machine_code = true;
        if (is_arch) {
            arch = item;
        } else if (*item && (!code || cc_arch_number(item) < oldest)) {
            code = item;
            oldest = cc_arch_number(item);
        }
    }
    if (!arch || !code || !starts_with(arch, "compute_")) {
        cc_error("Value '%s' of option '%s' has no '%s', expected "
                 "arch=compute_XX,code=sm_XX",
                 value, option->long_name,
                 arch && code ? "arch=compute_"
                 : arch       ? "code="
                              : "arch=");
        return false;
    }
    cc_add(&o->gencodes, arch);
    return cc_arch_runs_on(arch, code);
}

static bool choose_cubin(struct cc_options *o, const struct option *option,
                         const char *value)
{
    o->is_cubin = true;
    return choose_phase(o, option, value);
}

static bool fast_math(struct cc_options *o, const struct option *option,
                      const char *value)
{
    (void)option, (void)value;
    o->fast_math = o->ftz = o->fmad = true;
    o->prec_div = o->prec_sqrt = false;
    return true;
}

static bool default_stream(struct cc_options *o, const struct option *option,
                           const char *value)
{
    o->per_thread_stream = strcmp(value, "per-thread") == 0;
    return check_choice(option, value, option->with.text);
}

static bool forward_both(struct cc_options *o, const struct option *option,
                         const char *value)
{
    (void)option, (void)value;
    o->forward_compiler = o->forward_linker = true;
    return true;
}

/* -Werror KIND: for the kinds of nvcc's that clang has under another name. The
 * others are errors in clang anyway, or unknown to it. */
static bool warning_as_error(struct cc_options *o, const struct option *option,
                             const char *value)
{
    if (strcmp(value, "all-warnings") == 0)
        cc_add(&o->front_end, "-Werror");
    else if (is_one_of(value, "reorder|deprecated-declarations"))
        cc_add(&o->front_end, arena_printf(cc_arena, "-Werror=%s", value));
    return check_choice(option, value,
                        "all-warnings|cross-execution-space-call|"
                        "default-stream-launch|deprecated-declarations|"
                        "ext-lambda-captures-this|missing-launch-bounds|"
                        "reorder");
}

static bool set_threads(struct cc_options *o, const struct option *option,
                        const char *value)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (end == value || *end || n > 1024) {
        cc_error("Value '%s' is not defined for option '%s', expected a number",
                 value, option->long_name);
        return false;
    }
    o->jobs = (unsigned)n;
    return true;
}

static bool options_file(struct cc_options *o, const struct option *option,
                         const char *value)
{
    (void)option;
    size_t size_bytes;
    cc_args args = {0};
    char *text = cc_read_file(value, &size_bytes);
    if (!text)
        return false;
    cc_split_words(&args, text);
    free(text);
    bool ok = read_arguments(o, &args);
    vec_fini(&args);
    return ok;
}

/* ---- the table ----------------------------------------------------------- */

static const struct option options[] = {
#define GROUP(name)
#define OPT(long_, short_, form_, apply_, with_, help_)                        \
    {long_, short_, form_, apply_, with_, help_, NULL},
#include "cc/options.def"
};

/* The same rows for --help, with the headings between them. */
static const struct option help_lines[] = {
#define GROUP(name) {.group = name},
#define OPT(long_, short_, form_, apply_, with_, help_)                        \
    {long_, short_, form_, NULL, NOTHING, help_, NULL},
#include "cc/options.def"
};

static const char *const form_help[] = {
    [FLAG] = "",
    [SWITCH] = "=true|false",
    [VALUE] = " <value>",
    [VALUES] = " <value>",
    [LIST] = " <a,b>",
    [JOINED] = " <value>",
    [JOINED_LIST] = " <a,b>",
};

void cc_options_help(void)
{
    printf("Usage: %s [options] files\n\n"
           "Compiles CUDA C++ for any CPU, in nvcc's place. .cu files are "
           "compiled for host\nand device, C and C++ files for the host, "
           ".ptx files are packed, the rest is\nlinked.\n",
           cc_name);
    for (size_t i = 0; i < ARRAY_COUNT(help_lines); i++) {
        const struct option *h = &help_lines[i];
        if (h->group)
            printf("\n%s\n\n", h->group);
        else if (h->help)
            printf("  --%s%s (-%s)\n        %s\n", h->long_name,
                   form_help[h->form], h->short_name, h->help);
    }
    printf("\nArchitectures (configure scripts look for them here):\n\n");
    cc_arch_list("compute");
    cc_arch_list("sm");
}

/* ---- from arguments to rows ---------------------------------------------- */

static bool takes_value(const struct option *option)
{
    return option->form != FLAG;
}

static bool is_joined(const struct option *option)
{
    return option->form == JOINED || option->form == JOINED_LIST;
}

/* The row for `arg`, which starts with '-'. *value: what stands behind '=' or
 * is glued to the name, or NULL. */
static const struct option *find_option(const char *arg, const char **value)
{
    const char *name = arg + 1 + (arg[1] == '-');
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);

    for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
        const struct option *o = &options[i];
        bool is_long = strlen(o->long_name) == length &&
                       strncmp(o->long_name, name, length) == 0;
        bool is_short = strlen(o->short_name) == length &&
                        strncmp(o->short_name, name, length) == 0;
        if (!is_long && !is_short)
            continue;
        *value = equals ? equals + 1 : NULL;
        return o;
    }
    for (size_t i = 0; i < ARRAY_COUNT(options) && name == arg + 1; i++) {
        const struct option *o = &options[i];
        size_t prefix = strlen(o->short_name);
        if (!is_joined(o) || strncmp(o->short_name, name, prefix) != 0)
            continue;
        *value = name + prefix;
        return o;
    }
    return NULL;
}

/* An item of a list ends at a comma that has no backslash before it and is in
 * no quotes. The quotes stay: -Dx="a,b" is one item, a string literal. */
static bool apply_list(struct cc_options *o, const struct option *option,
                       const char *value)
{
    char *item = arena_alloc(cc_arena, strlen(value) + 1);
    size_t length = 0;
    char quote = 0;

    for (const char *c = value;; c++) {
        if (!*c || (*c == ',' && !quote)) {
            char *copy = arena_strndup(cc_arena, item, length);
            if (length && !option->apply(o, option, copy))
                return false;
            if (!*c)
                return true;
            length = 0;
            continue;
        }
        if (*c == '\\' && c[1] == ',')
            c++;
        else if (quote ? *c == quote : (*c == '"' || *c == '\''))
            quote = quote ? 0 : *c;
        item[length++] = *c;
    }
}

/* Notes the value of an option; of several, the last one counts. */
static void note_value(struct cc_options *o, const struct option *option,
                       const char *value)
{
    static_assert(ARRAY_COUNT(options) <= ARRAY_COUNT(o->values),
                  "each option has its place");
    const char **given = &o->values[option - options];
    bool is_single = option->form == SWITCH || option->form == VALUE ||
                     option->form == JOINED;
    if (is_single && *given && strcmp(*given, value) != 0)
        cc_warning("incompatible redefinition for option '%s', the last value "
                   "of this option was used",
                   option->long_name);
    *given = value;
}

static bool apply_option(struct cc_options *o, const struct option *option,
                         const char *value)
{
    note_value(o, option, value);
    if (option->form == LIST || option->form == JOINED_LIST)
        return apply_list(o, option, value);
    return option->apply(o, option, value);
}

/* The known name that looks most like `arg`, with its dashes, or NULL. */
static const char *nearest_option(const char *arg)
{
    const char *names[2 * ARRAY_COUNT(options)];
    for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
        names[i] = options[i].short_name;
        names[ARRAY_COUNT(options) + i] = options[i].long_name;
    }
    const char *name = arg + strspn(arg, "-");
    name = arena_strndup(cc_arena, name, strcspn(name, "="));
    const char *near = nearest_name(name, names, ARRAY_COUNT(names));
    for (size_t i = 0; near && i < ARRAY_COUNT(options); i++)
        if (near == names[i])
            return arena_printf(cc_arena, "-%s", near);
    return near ? arena_printf(cc_arena, "--%s", near) : NULL;
}

/* The options of gcc and clang that people give to nvcc by mistake. */
static bool looks_like_host_option(const char *arg)
{
    return arg[1] == 'f' || arg[1] == 'm' || arg[1] == 'W' || arg[1] == 'p' ||
           starts_with(arg, "-rdynamic") || starts_with(arg, "-static");
}

static bool unknown_option(struct cc_options *o, const char *arg)
{
    if (o->forward_compiler)
        cc_add(&o->host, arg);
    if (o->forward_linker)
        cc_add(&o->link, arg);
    if (o->forward_compiler || o->forward_linker)
        return true;

    const char *near = nearest_option(arg);
    const char *hint = "";
    if (near)
        hint = arena_printf(cc_arena, ", did you mean '%s'?", near);
    else if (looks_like_host_option(arg))
        hint = arena_printf(cc_arena, "; for the host compiler: -Xcompiler %s",
                            arg);
    cc_error("Unknown option '%s'%s", arg, hint);
    return false;
}

/* ---- input files --------------------------------------------------------- */

static const struct {
    const char *suffix;
    enum cc_language language;
} suffixes[] = {
    {".cu", CC_CUDA},
    {".cuh", CC_CUDA},
    {".c", CC_C},
    {".cc", CC_CXX},
    {".cpp", CC_CXX},
    {".cxx", CC_CXX},
    {".c++", CC_CXX},
    {".C", CC_CXX},
    {".i", CC_PREPROCESSED_C},
    {".ii", CC_PREPROCESSED_CXX},
    {".ptx", CC_PTX_TEXT},
    {".fatbin", CC_FATBIN_FILE},
    {".cubin", CC_FATBIN_FILE},
    {".o", CC_LINKER},
    {".obj", CC_LINKER},
    {".a", CC_LINKER},
    {".so", CC_LINKER},
    {".lib", CC_LINKER},
    {".lo", CC_LINKER},
    {".res", CC_LINKER},
};

static enum cc_language language_of(const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *suffix = strrchr(name, '.');
    if (strstr(name, ".so.")) /* libx.so.12 */
        return CC_LINKER;
    for (size_t i = 0; suffix && i < ARRAY_COUNT(suffixes); i++)
        if (strcmp(suffix, suffixes[i].suffix) == 0)
            return suffixes[i].language;
    return CC_UNKNOWN;
}

static enum cc_language forced_language(const char *name)
{
    return strcmp(name, "c") == 0     ? CC_C
           : strcmp(name, "c++") == 0 ? CC_CXX
                                      : CC_CUDA;
}

static void add_input(struct cc_options *o, const char *path)
{
    struct cc_input input = {path, language_of(path)};
    must_have_memory(vec_push(&o->inputs, input));
}

/* Applies -x to all inputs, as it may stand behind them. */
static void force_language(struct cc_options *o)
{
    for (size_t i = 0; o->forced_language && i < o->inputs.count; i++)
        if (o->inputs.data[i].language != CC_LINKER)
            o->inputs.data[i].language = forced_language(o->forced_language);
}

bool cc_options_check_inputs(const struct cc_options *o)
{
    for (size_t i = 0; i < o->inputs.count; i++) {
        if (o->inputs.data[i].language != CC_UNKNOWN)
            continue;
        cc_error("Don't know what to do with '%s', expected a name that ends "
                 "in .cu, .c, .cpp, .ptx, .o, .a or .so, or -x cu",
                 o->inputs.data[i].path);
        return false;
    }
    return true;
}

/* ---- the whole ----------------------------------------------------------- */

static bool read_arguments(struct cc_options *o, cc_args *args)
{
    for (size_t i = 0; i < args->count; i++) {
        const char *arg = args->data[i], *value = NULL;
        if (arg[0] != '-' || !arg[1]) {
            add_input(o, arg);
            continue;
        }
        const struct option *option = find_option(arg, &value);
        if (!option) {
            if (!unknown_option(o, arg))
                return false;
            continue;
        }
        if (!takes_value(option) && value) {
            cc_error("option '--%s' takes no value, found '%s'",
                     option->long_name, value);
            return false;
        }
        if (takes_value(option) && !value && ++i == args->count) {
            cc_error("argument expected after '%s'", arg);
            return false;
        }
        if (takes_value(option) && !value)
            value = args->data[i];
        if (!apply_option(o, option, value ? value : ""))
            return false;
    }
    return true;
}

static bool asks_for_a_text(const struct cc_options *o)
{
    return o->wants_help || o->wants_version || o->wants_gpu_code_list ||
           o->wants_gpu_arch_list || o->wants_linker_script;
}

/* Several PTX files may become the images of one fat binary. */
bool cc_options_pack_ptx(const struct cc_options *o)
{
    bool are_ptx = o->phase == CC_FATBIN && !o->is_cubin;
    for (size_t i = 0; are_ptx && i < o->inputs.count; i++)
        are_ptx = o->inputs.data[i].language == CC_PTX_TEXT;
    return are_ptx;
}

bool cc_makes_module(const struct cc_options *o)
{
    return !o->relocatable && (o->phase == CC_PTX || o->phase == CC_FATBIN);
}

static bool check_image_count(struct cc_options *o)
{
    if (!cc_arch_choose(o))
        return false;
    bool is_cubin = o->phase == CC_FATBIN && o->is_cubin;
    const char *option = o->phase == CC_PTX ? "--ptx (-ptx)"
                         : is_cubin         ? "--cubin (-cubin)"
                                            : NULL;
    if (!option || o->levels.count == 1)
        return true;
    cc_error("Option '%s' is not allowed when compiling for multiple GPU "
             "architectures; use -fatbin",
             option);
    return false;
}

/* Checks combinations of options; false after reporting. */
static bool check_whole(struct cc_options *o)
{
    if (asks_for_a_text(o))
        return true;
    if (!o->inputs.count) {
        cc_error("No input files specified; use option --help for more "
                 "information");
        return false;
    }
    bool is_one_file = o->phase == CC_LINK || o->phase == CC_ARCHIVE ||
                       o->phase == CC_DEVICE_LINK;
    if (o->output && !is_one_file && !cc_options_pack_ptx(o) &&
        o->inputs.count > 1) {
        cc_error("A single input file is required for a non-link phase when "
                 "an outputfile is specified");
        return false;
    }
    if (!check_image_count(o))
        return false;
    if (o->device_debug && o->line_info)
        cc_warning("'--device-debug (-G)' overrides '--generate-line-info "
                   "(-lineinfo)'");
    return true;
}

bool cc_options_read(struct cc_options *o, int argc, char **argv)
{
    *o = (struct cc_options){.prec_div = true, .prec_sqrt = true, .fmad = true};
    cc_args args = {0};

    /* nvcc's two variables for options around those of the command line. */
    const char *before = getenv(ENVIRONMENT_PREPEND_FLAGS);
    const char *after = getenv(ENVIRONMENT_APPEND_FLAGS);
    if (before)
        cc_split_words(&args, before);
    for (int i = 1; i < argc; i++)
        cc_add(&args, argv[i]);
    if (after)
        cc_split_words(&args, after);

    bool ok = read_arguments(o, &args);
    if (o->has_device_link && o->phase == CC_FATBIN) {
        o->phase = CC_DEVICE_LINK;
        o->device_link_to_fatbin = true;
    }
    ok = ok && check_whole(o);
    force_language(o);
    if (!o->host_compiler)
        o->host_compiler = getenv("NVCC_CCBIN");
    vec_fini(&args);
    return ok;
}
