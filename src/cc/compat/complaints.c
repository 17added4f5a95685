/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads clang's messages for errors in code that nvcc accepts. Each becomes a
 * mend: a place, and what is to be changed there. One message has several
 * causes, so patch.c looks at the place again before it changes anything.
 */
#include "cc/clang_messages.h"
#include "cc/compat/mend.h"

#include <stdlib.h>
#include <string.h>

#define GLOBAL "__attribute__((global)) "

/* Removes the escapes of coloured output, in place. */
static char *plain_text(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++) {
        if (*p == '\033' && p[1] == '[') {
            p += strcspn(p, "mK");
            if (!*p)
                break;
            continue;
        }
        *to++ = *p;
    }
    *to = '\0';
    return text;
}

/* Reads "path:line:column: " and returns what follows, or NULL. */
static const char *read_place(const char *line, struct mend_place *out)
{
    size_t length = strcspn(line, "\n");
    for (const char *p = line;
         (p = memchr(p, ':', (size_t)(line + length - p))); p++) {
        char *end;
        unsigned long row = strtoul(p + 1, &end, 10);
        if (end == p + 1 || *end != ':')
            continue;
        char *digits = end + 1;
        unsigned long column = strtoul(digits, &end, 10);
        if (end == digits || !starts_with(end, ": "))
            continue;
        out->path = arena_strndup(cc_arena, line, (size_t)(p - line));
        out->line = row;
        out->column = column;
        return end + 2;
    }
    return NULL;
}

/* The word in the n-th pair of quotes (from 0) of a line, or NULL. */
static const char *quoted_word(const char *line, int n)
{
    const char *end = line + strcspn(line, "\n"), *open = line;
    for (int i = 0;; i++) {
        open = memchr(open, '\'', (size_t)(end - open));
        const char *close =
            open ? memchr(open + 1, '\'', (size_t)(end - open - 1)) : NULL;
        if (!close)
            return NULL;
        if (i == n)
            return arena_strndup(cc_arena, open + 1,
                                 (size_t)(close - open - 1));
        open = close + 1;
    }
}

/* Where a note that begins so points, before the next error. */
static bool find_note(const char *text, const char *note,
                      struct mend_place *out)
{
    for (const char *line = strchr(text, '\n'); line;
         line = strchr(line, '\n')) {
        const char *message = read_place(++line, out);
        if (!message)
            continue;
        if (starts_with(message, "error: "))
            return false;
        if (starts_with(message, note))
            return true;
    }
    return false;
}

/* "SPACE function 'f' cannot overload SPACE function 'f'": the declaration with
 * fewer execution spaces gets those of the other. */
static void read_overload(const char *message, const char *rest,
                          struct mend_place here, mends *out)
{
    static const char both[] = "__host__ __device__ function";
    static const char kernel[] = "__global__ function";
    const char *name = quoted_word(message, 0);
    const char *other = strstr(message, "' cannot overload ");
    struct mend_place before;
    if (!name || !other || other > message + strcspn(message, "\n") ||
        !find_note(rest, "note: previous declaration is here", &before))
        return;
    other += strlen("' cannot overload ");
    if (starts_with(message, both) && !starts_with(other, kernel))
        cc_mend_add_text(out, before, MEND_HOST_DEVICE, name);
    else if (starts_with(other, both) && !starts_with(message, kernel))
        cc_mend_add_text(out, here, MEND_HOST_DEVICE, name);
    else if (starts_with(other, kernel) &&
             starts_with(message, "__host__ function"))
        cc_mend_add_text(out, here, GLOBAL, name);
    else if (starts_with(message, kernel) &&
             starts_with(other, "__host__ function"))
        cc_mend_add_text(out, before, GLOBAL, name);
}

/* A member function that is defined outside of its class with other execution
 * spaces: both places become __host__ __device__. */
static void read_member(const char *message, const char *rest,
                        struct mend_place here, mends *out)
{
    const char *name = quoted_word(message, 0);
    struct mend_place inside;
    if (!name ||
        !find_note(rest, "note: member declaration nearly matches", &inside))
        return;
    cc_mend_add_text(out, here, MEND_HOST_DEVICE, name);
    cc_mend_add_text(out, inside, MEND_HOST_DEVICE, name);
}

/* "expected expression" may mean the third '<' of a launch or the '#' in a
 * macro: asks for both mends, of which patch.c does the one that fits. */
static void read_expression(const char *rest, struct mend_place here,
                            mends *out)
{
    struct mend_place in_macro;
    if (find_note(rest, "note: expanded from macro", &in_macro))
        cc_mend_add(out, in_macro, MEND_PRAGMA);
    cc_mend_add(out, here, MEND_LAUNCH);
}

/* A macro right behind a string: clang points at the macro or at the string. */
static void read_suffix(const char *rest, struct mend_place here, mends *out)
{
    struct mend_place in_macro;
    if (find_note(rest, "note: expanded from macro", &in_macro))
        cc_mend_add(out, in_macro, MEND_SUFFIX);
    cc_mend_add(out, here, MEND_SUFFIX);
}

/* The next error after this one, or the end. */
static const char *next_error(const char *text)
{
    struct mend_place at;
    const char *line = text;
    while ((line = strchr(line, '\n'))) {
        const char *message = read_place(++line, &at);
        if (message && starts_with(message, "error: "))
            return line;
    }
    return text + strlen(text);
}

/* Host code that calls a __device__ function. nvcc accepts that in templates
 * only; the caller of a function object is taken for one. */
static bool read_wrong_side(const char *message, const char *rest, mends *out)
{
    static const char by_both[] = "reference to __device__ function '";
    struct mend_place callee;
    if (!starts_with(message, by_both) &&
        !starts_with(message, "no matching function for call to "))
        return false;
    const char *end = next_error(rest);
    const char *instance = strstr(rest, "note: in instantiation of ");
    /* Only for a call in a plain function does clang name the caller. */
    const char *plain = strstr(rest, "\nnote: called by ");
    bool is_template =
        (instance && instance < end) ||
        (starts_with(message + sizeof by_both - 1, "operator()'") &&
         (!plain || plain >= end));
    if (!is_template ||
        (!find_note(rest,
                    "note: candidate function not viable: call to "
                    "__device__ function from __host__ function",
                    &callee) &&
         !find_note(rest,
                    "note: candidate template ignored: target attributes "
                    "do not match",
                    &callee) &&
         !find_note(rest,
                    arena_printf(cc_arena, "note: '%s' declared here",
                                 quoted_word(message, 0)),
                    &callee)))
        return false;
    cc_mend_add(out, callee, MEND_HOST_SIDE);
    return true;
}

/* The type that a built-in variable has in host code with nvcc; NULL: `name` is
 * no such variable. */
static const char *host_type(const char *name)
{
    if (strcmp(name, "threadIdx") == 0 || strcmp(name, "blockIdx") == 0)
        return "uint3";
    return strcmp(name, "blockDim") == 0 || strcmp(name, "gridDim") == 0
               ? "dim3"
               : NULL;
}

/* Built-in variables used with their host types: `extern const dim3 blockDim;`
 * gets another name, `uint3 i{threadIdx}` a conversion. */
static bool read_register(const char *message, struct mend_place here,
                          mends *out)
{
    static const char type[] = "__cuda_builtin_";
    const char *name = quoted_word(message, 0);
    if (starts_with(message, "redeclaration of '") && host_type(name)) {
        cc_mend_add_text(out, here, "weft_host_", name);
        return true;
    }
    const char *in =
        memmem(message, strcspn(message, "\n"), type, sizeof type - 1);
    size_t length = in ? strcspn(in += sizeof type - 1, "_' ") : 0;
    name = in ? arena_strndup(cc_arena, in, length) : NULL;
    if (!name || !host_type(name))
        return false;
    cc_mend_add_text(out, here, arena_printf(cc_arena, "(%s)", host_type(name)),
                     name);
    return true;
}

/* Does the message say that the word template is missing before a name? */
static bool lacks_template(const char *message)
{
    return starts_with(message, "missing 'template' keyword prior to") ||
           starts_with(message, "reference to overloaded function could not "
                                "be resolved");
}

/* ---- constants to nvcc --------------------------------------------------- */

static bool says_text(const char *message, const char *what)
{
    return memmem(message, strcspn(message, "\n"), what, strlen(what)) != NULL;
}

/* A static member that is read through an object whose value is no constant. */
static bool read_member_constant(const char *message, const char *rest,
                                 struct mend_place here, mends *out)
{
    static const char *const notes[] = {
        "note: use of 'this' pointer is only allowed within",
        "note: implicit use of 'this' pointer is only allowed within",
        "note: function parameter '", "note: initializer of '"};
    struct mend_place object;
    if (starts_with(message, "cannot use variable-length arrays in __")) {
        cc_mend_add(out, here, MEND_MEMBER);
        return true;
    }
    if (!says_text(message, "constant expression"))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(notes); i++)
        if (find_note(rest, notes[i], &object)) {
            cc_mend_add(out, object, MEND_MEMBER);
            return true;
        }
    return false;
}

/* constexpr values that overflow, which gcc and nvcc compute. A division by
 * zero may be one of integers, which has no value: patch.c looks at the type.
 */
static bool read_overflow(const char *message, const char *rest,
                          struct mend_place here, mends *out)
{
    static const char *const reasons[] = {
        "is outside the range of representable values of type",
        "is outside the valid range of values",
        "left shift of negative value",
        "floating point arithmetic produces an infinity",
        "floating point arithmetic produces a NaN",
        "note: read of non-constexpr variable '"};
    const char *end = next_error(rest), *reason;
    if (!starts_with(message, "constexpr variable '"))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(reasons); i++)
        if ((reason = strstr(rest, reasons[i])) && reason < end) {
            cc_mend_add(out, here, MEND_CONSTEXPR);
            return true;
        }
    if ((reason = strstr(rest, "note: division by zero")) && reason < end) {
        cc_mend_add(out, here, MEND_FRACTION);
        return true;
    }
    return false;
}

/* ---- gcc's C++ ----------------------------------------------------------- */

/* What stands below the source line, from its first '~' up to the '^'; NULL:
 * there is no such line. */
static const char *left_underline(const char *line)
{
    const char *p = line;
    for (int i = 0; p && i < 2; i++)
        if ((p = strchr(p, '\n')))
            p++;
    const char *bar = p ? memchr(p, '|', strcspn(p, "\n")) : NULL;
    size_t length = bar ? strcspn(bar, "^\n") : 0;
    const char *first = bar ? memchr(bar, '~', length) : NULL;
    return first && bar[length] == '^'
               ? arena_strndup(cc_arena, first, (size_t)(bar + length - first))
               : NULL;
}

/* Does the message name two equal types of arrays? clang takes each type of an
 * array of variable length for another. */
static bool names_one_array(const char *message)
{
    const char *left = quoted_word(message, 0),
               *right = quoted_word(message, 1);
    return right && strcmp(left, right) == 0 && strchr(left, '[');
}

static bool read_gnu(const char *message, const char *line,
                     struct mend_place here, mends *out)
{
    const char *underline = NULL;
    if (starts_with(message, "variable-sized object may not be initialized"))
        cc_mend_add(out, here, MEND_FILLED);
    else if (starts_with(message, "cannot initialize a variable of type '") &&
             names_one_array(message))
        cc_mend_add(out, here, MEND_ARRAY_POINTER);
    else if (starts_with(message, "arithmetic on a pointer to void") &&
             (underline = left_underline(line)))
        cc_mend_add_operand(out, here, underline);
    else
        return false;
    return true;
}

/* ---- calls of the host's functions --------------------------------------- */

static bool is_host_call(const char *message)
{
    return starts_with(message, "reference to __host__ function '") &&
           memmem(message, strcspn(message, "\n"),
                  "' in __host__ __device__ function",
                  sizeof "' in __host__ __device__ function" - 1);
}

/* The calls of __host__ functions that the messages refuse. Functions that are
 * only reached through one of them are host code, and errors in them do not
 * count. */
struct trail {
    VEC(struct mend_place) calls;
    bool is_behind; /* the last error is in a function reached through one */
};

static bool is_call(const struct trail *t, const struct mend_place *at)
{
    for (size_t i = 0; i < t->calls.count; i++)
        if (t->calls.data[i].line == at->line &&
            t->calls.data[i].column == at->column &&
            strcmp(t->calls.data[i].path, at->path) == 0)
            return true;
    return false;
}

static void find_calls(const char *messages, struct trail *out)
{
    for (const char *line = messages; line && *line;) {
        struct mend_place at;
        const char *message = read_place(line, &at);
        if (message && starts_with(message, "error: ") &&
            is_host_call(message + strlen("error: ")))
            must_have_memory(vec_push(&out->calls, at));
        line = strchr(line, '\n');
        line += line != NULL;
    }
}

/* Sets is_behind for an error. Only the first error in a function comes with
 * notes on who calls it; the next ones keep its answer. */
static void follow_calls(struct trail *t, const char *error)
{
    static const char note[] = "note: called by ";
    const char *end = next_error(error);
    struct mend_place at;
    bool is_first = true;
    for (const char *p = error; t->calls.count && find_note(p, note, &at);) {
        p = strstr(p, note) + sizeof note - 1;
        if (p >= end)
            break;
        t->is_behind = is_call(t, &at) || (t->is_behind && !is_first);
        is_first = false;
    }
}

/* Is the message about one of these functions (mangled; NULL: any)? */
static bool is_about(const char *message, const cc_args *functions)
{
    const char *name = quoted_word(message, 0);
    if (!functions)
        return true;
    if (!name)
        return false;
    name = arena_printf(cc_arena, "%zu%s", strlen(name), name);
    for (size_t i = 0; i < functions->count; i++)
        if (strstr(functions->data[i], name))
            return true;
    return false;
}

/* Is it a header of the system's? Those are host code: only calls into them are
 * mended. */
static bool is_system_header(const char *path)
{
    return starts_with(path, "/usr/include/") || starts_with(path, "/usr/lib/");
}

/* Adds the mends for one error. message: behind "error: "; line: the whole line
 * and all that follows. */
static void read_error(const char *message, const char *line,
                       struct mend_place here, mends *out)
{
    if (is_host_call(message) && is_system_header(here.path))
        return;
    if (is_host_call(message))
        cc_mend_add_call(out, here, quoted_word(message, 0));
    else if (starts_with(message, "invalid % escape in inline assembly") ||
             starts_with(message, "invalid operand number in inline asm"))
        cc_mend_add(out, here, MEND_PERCENT);
    else if (starts_with(message, "invalid input constraint 'C' in asm"))
        cc_mend_add(out, here, MEND_ASM_TEXT);
    else if (starts_with(message, "string literal with user-defined "
                                  "suffix cannot be used here") ||
             starts_with(message, "no matching literal operator"))
        read_suffix(line, here, out);
    else if (starts_with(message, "expected ')'"))
        cc_mend_add(out, here, MEND_OPERAND);
    else if (starts_with(message, "too few execution configuration "
                                  "arguments") &&
             says_text(message, "have 1"))
        cc_mend_add(out, here, MEND_LAUNCH);
    else if (starts_with(message, "expected expression"))
        read_expression(line, here, out);
    else if (lacks_template(message))
        cc_mend_add(out, here, MEND_TEMPLATE);
    else if (starts_with(message, "use 'template' keyword to treat '"))
        cc_mend_add(out, here, MEND_DEPENDENT);
    else if (starts_with(message, "missing 'typename' prior to dependent type"))
        cc_mend_add(out, here, MEND_TYPE);
    else if (starts_with(message, "'template' keyword not permitted in "
                                  "destructor name"))
        cc_mend_add(out, here, MEND_DESTRUCTOR);
    else if (starts_with(message, "builtin functions must be directly "
                                  "called"))
        cc_mend_add(out, here, MEND_UNCALLED);
    else if (starts_with(message, "expected a for, while, or do-while loop to "
                                  "follow '#pragma unroll'") ||
             (starts_with(message, "invalid value '") &&
              says_text(message, "; must be positive")))
        cc_mend_add(out, here, MEND_UNROLL);
    else if (starts_with(message, "expected '{' after '\\N' escape sequence"))
        cc_mend_add(out, here, MEND_ESCAPE);
    else if (starts_with(message, "initialization is not supported "
                                  "for __shared__ variables"))
        cc_mend_add(out, here, MEND_SHARED);
    else if (starts_with(message, "__shared__ variable '") &&
             says_text(message, "' cannot be 'extern'"))
        cc_mend_add(out, here, MEND_DYNAMIC);
    else if (starts_with(message, "in CUDA/HIP, deduction guides may only be "
                                  "annotated with"))
        cc_mend_add_text(out, here, MEND_HOST_DEVICE, "");
    else if (starts_with(message, "out-of-line definition of"))
        read_member(message, line, here, out);
    else if (!read_member_constant(message, line, here, out) &&
             !read_overflow(message, line, here, out) &&
             !read_gnu(message, line, here, out) &&
             !read_register(message, here, out) &&
             !read_wrong_side(message, line, out))
        read_overload(message, line, here, out);
}

void cc_read_complaints(char *messages, const cc_args *functions, mends *out)
{
    struct trail trail = {0};
    find_calls(plain_text(messages), &trail);
    for (const char *line = messages; line && *line;) {
        struct mend_place here;
        const char *message = read_place(line, &here);
        if (message && starts_with(message, "error: ") &&
            is_about(message, functions)) {
            follow_calls(&trail, line);
            if (!trail.is_behind)
                read_error(message + strlen("error: "), line, here, out);
        }
        line = strchr(line, '\n');
        if (line)
            line++;
    }
    vec_fini(&trail.calls);
}

void cc_read_unfit(char *messages, cc_args *names)
{
    static const char note[] = "note: candidate template ignored: "
                               "substitution failure";
    static const char call[] = ": no matching function for call to '";
    for (const char *p = plain_text(messages); (p = strstr(p, note)); p++) {
        const char *reason = memmem(p, strcspn(p, "\n"), call, sizeof call - 1);
        const char *name = reason ? quoted_word(reason, 0) : NULL;
        if (name)
            cc_add(names, name);
    }
}

void cc_read_errors(char *messages, mends *out)
{
    for (const char *line = plain_text(messages); line && *line;) {
        struct mend_place here;
        const char *message = read_place(line, &here);
        if (message && starts_with(message, "error: "))
            cc_mend_add(out, here, MEND_KERNEL);
        line = strchr(line, '\n');
        if (line)
            line++;
    }
}

static bool says_one(const char *messages, const char *const *texts,
                     size_t count)
{
    size_t size_bytes;
    char *all = cc_read_file(messages, &size_bytes);
    bool says = false;
    for (size_t i = 0; all && i < count; i++)
        says |= strstr(all, texts[i]) != NULL;
    free(all);
    return says;
}

bool cc_died(const char *messages)
{
    return says_one(messages,
                    (const char *const[]){"PLEASE submit a bug report"}, 1);
}

bool cc_shows_members(const char *messages)
{
    return says_one(messages, (const char *const[]){"::weft_object<"}, 1);
}

static bool is_reference_header(const char *path)
{
    static const char *const headers[] = {"/cuda_texture_types.h",
                                          "/cuda_surface_types.h"};
    const char *name = strrchr(path, '/');
    return name && (!strcmp(name, headers[0]) || !strcmp(name, headers[1]));
}

bool cc_redefines_reference(const char *messages)
{
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    bool redefines = false;
    for (const char *line = text ? plain_text(text) : NULL; line && *line;) {
        struct mend_place at;
        const char *message = read_place(line, &at);
        redefines |= message && starts_with(message, "note: previous ") &&
                     is_reference_header(at.path);
        line = strchr(line, '\n');
        line += line != NULL;
    }
    free(text);
    return redefines;
}

bool cc_misses_late_name(const char *messages)
{
    static const char *const texts[] = {
        "in the global namespace", "' in namespace '",
        "error: use of undeclared identifier '",
        "that is neither visible in the template definition nor found by "
        "argument-dependent lookup"};
    return says_one(messages, texts, ARRAY_COUNT(texts));
}

bool cc_lacks_header(const char *messages)
{
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    const char *fatal = text ? strstr(plain_text(text), "fatal error: ") : NULL;
    const char *end = fatal ? strchrnul(fatal, '\n') : NULL;
    bool lacks =
        end && memmem(fatal, (size_t)(end - fatal), CLANG_FILE_NOT_FOUND,
                      sizeof CLANG_FILE_NOT_FOUND - 1);
    free(text);
    return lacks;
}

bool cc_calls_host(const char *messages)
{
    struct trail trail = {0};
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    if (text)
        find_calls(plain_text(text), &trail);
    bool has_calls = trail.calls.count > 0;
    vec_fini(&trail.calls);
    free(text);
    return has_calls;
}
