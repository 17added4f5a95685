/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What nvcc takes and clang refuses, mended where clang points:
 *
 *   - a function declared with other execution spaces (__host__, __device__,
 *     __global__) than before: nvcc merges the declarations;
 *   - a '%' in the text of an asm statement that is no operand;
 *   - a comma that is missing between operands of asm;
 *   - a launch with spaces inside, k<< <1, 32>> >();
 *   - a launch with dimensions in braces, k<<<{1, 2}, 32>>>();
 *   - A<T>::f<N>() in a template without the word template before f;
 *   - a macro that stands for #pragma, which nvcc reads behind its
 *     preprocessor and so obeys;
 *   - a __shared__ object with a constructor, which nvcc does not call;
 *   - a name in a template that is declared behind it, or nowhere if nobody
 *     instantiates the template;
 *   - a declaration of threadIdx and its like with the types of the host;
 *   - threadIdx where only a uint3 will do;
 *   - a call of a __device__ function by a template's host code (otherside.c).
 *
 * Only a file that clang has refused comes here. The declaration that lacks
 * __device__ gets it, the '%' is doubled, in a copy that clang then reads in
 * the file's place (-ivfsoverlay), so that messages and __FILE__ name the
 * file. No line moves. The file itself is not touched. For the last of these
 * clang reads the bodies of templates late, as Microsoft's compiler does.
 */
#include "cc.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A text to be put into a file, by line and byte. */
struct insertion {
    const char *path;
    size_t line, column; /* from 1 */
    const char *text;
    const char *name; /* what has to stand there; "%": shortly before; "<":
                       * the third of a launch, to be closed up; "::": A<T>,
                       * and the text goes behind its ::; "\"": a string
                       * behind a parenthesis; "__shared__": the name of a
                       * shared variable; "#pragma": in a macro;
                       * "__device__": a function that host code calls */
};
typedef VEC(struct insertion) insertions;

struct place {
    const char *path;
    size_t line, column;
};

#define HOST_DEVICE "__attribute__((host)) __attribute__((device)) "
#define GLOBAL      "__attribute__((global)) "

/* ---- reading clang's messages -------------------------------------------- */

/* Without the escapes of coloured output. */
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
static const char *read_place(const char *line, struct place *out)
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
        if (end == digits || strncmp(end, ": ", 2) != 0)
            continue;
        out->path = arena_strndup(cc_arena, line, (size_t)(p - line));
        out->line = row;
        out->column = column;
        return end + 2;
    }
    return NULL;
}

/* The word in the n-th pair of quotes (from 0) of a line, or NULL. */
static const char *quoted(const char *line, int n)
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
static bool find_note(const char *text, const char *note, struct place *out)
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

static void add(insertions *list, struct place at, const char *text,
                const char *name)
{
    struct insertion i = {at.path, at.line, at.column, text, name};
    for (size_t k = 0; k < list->count; k++)
        if (list->data[k].line == i.line && list->data[k].column == i.column &&
            strcmp(list->data[k].path, i.path) == 0)
            return;
    vec_push(list, i);
}

/* "SPACE function 'f' cannot overload SPACE function 'f'": the one that says
 * less gets what the other says. */
static void read_overload(const char *message, const char *rest,
                          struct place here, insertions *out)
{
    static const char both[] = "__host__ __device__ function";
    static const char kernel[] = "__global__ function";
    const char *name = quoted(message, 0);
    const char *other = strstr(message, "' cannot overload ");
    struct place before;
    if (!name || !other || other > message + strcspn(message, "\n") ||
        !find_note(rest, "note: previous declaration is here", &before))
        return;
    other += strlen("' cannot overload ");
    if (starts_with(message, both) && !starts_with(other, kernel))
        add(out, before, HOST_DEVICE, name);
    else if (starts_with(other, both) && !starts_with(message, kernel))
        add(out, here, HOST_DEVICE, name);
    else if (starts_with(other, kernel) &&
             starts_with(message, "__host__ function"))
        add(out, here, GLOBAL, name);
    else if (starts_with(message, kernel) &&
             starts_with(other, "__host__ function"))
        add(out, before, GLOBAL, name);
}

/* A member defined outside of its class: both places get what nvcc makes of
 * them. */
static void read_member(const char *message, const char *rest,
                        struct place here, insertions *out)
{
    const char *name = quoted(message, 0);
    struct place inside;
    if (!name ||
        !find_note(rest, "note: member declaration nearly matches", &inside))
        return;
    add(out, here, HOST_DEVICE, name);
    add(out, inside, HOST_DEVICE, name);
}

/* What stands where an expression should: a launch's third '<', or the '#' of
 * a macro. Each is looked at again before it is mended. */
static void read_expression(const char *rest, struct place here,
                            insertions *out)
{
    struct place in_macro;
    if (find_note(rest, "note: expanded from macro", &in_macro))
        add(out, in_macro, "", "#pragma");
    add(out, here, "", "<");
}

/* The next error after this one, or the end. */
static const char *next_error(const char *text)
{
    struct place at;
    const char *line = text;
    while ((line = strchr(line, '\n'))) {
        const char *message = read_place(++line, &at);
        if (message && starts_with(message, "error: "))
            return line;
    }
    return text + strlen(text);
}

/* Host code that calls a __device__ function. nvcc refuses it too where it is
 * no template; a function object's caller is one. */
static bool read_wrong_side(const char *message, const char *rest,
                            insertions *out)
{
    static const char by_both[] = "reference to __device__ function '";
    struct place callee;
    if (!starts_with(message, by_both) &&
        !starts_with(message, "no matching function for call to "))
        return false;
    const char *end = next_error(rest);
    const char *instance = strstr(rest, "note: in instantiation of ");
    /* Of a call in a plain function clang does not say where it is. */
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
                                 quoted(message, 0)),
                    &callee)))
        return false;
    add(out, callee, "", "__device__");
    return true;
}

/* A name of CUDA's that is a register here and has a type on the host. */
static const char *host_type(const char *name)
{
    if (strcmp(name, "threadIdx") == 0 || strcmp(name, "blockIdx") == 0)
        return "uint3";
    return strcmp(name, "blockDim") == 0 || strcmp(name, "gridDim") == 0
               ? "dim3"
               : NULL;
}

/* `extern const dim3 blockDim;` declares another name then, and `uint3
 * i{threadIdx}` gets a conversion. */
static bool read_register(const char *message, struct place here,
                          insertions *out)
{
    static const char type[] = "__cuda_builtin_";
    const char *name = quoted(message, 0);
    if (starts_with(message, "redeclaration of '") && host_type(name)) {
        add(out, here, "weft_host_", name);
        return true;
    }
    const char *in =
        memmem(message, strcspn(message, "\n"), type, sizeof type - 1);
    size_t length = in ? strcspn(in += sizeof type - 1, "_' ") : 0;
    name = in ? arena_strndup(cc_arena, in, length) : NULL;
    if (!name || !host_type(name))
        return false;
    add(out, here, arena_printf(cc_arena, "(%s)", host_type(name)), name);
    return true;
}

/* clang's two ways to say it. */
static bool lacks_template(const char *message)
{
    return starts_with(message, "missing 'template' keyword prior to") ||
           starts_with(message, "reference to overloaded function could not "
                                "be resolved");
}

/* Whether `message` is about one of the functions, mangled; NULL: all. */
static bool is_about(const char *message, const cc_args *functions)
{
    const char *name = quoted(message, 0);
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

static void read_messages(const char *text, const cc_args *functions,
                          insertions *out)
{
    for (const char *line = text; line && *line;) {
        struct place here;
        const char *message = read_place(line, &here);
        if (message && starts_with(message, "error: ") &&
            is_about(message, functions)) {
            message += strlen("error: ");
            if (starts_with(message, "invalid % escape in inline assembly"))
                add(out, here, "%", "%");
            else if (starts_with(message, "expected ')'"))
                add(out, here, ", ", "\"");
            else if (starts_with(message, "expected expression"))
                read_expression(line, here, out);
            else if (lacks_template(message))
                add(out, here, "template ", "::");
            else if (starts_with(message, "initialization is not supported "
                                          "for __shared__ variables"))
                add(out, here, "", "__shared__");
            else if (starts_with(message, "out-of-line definition of"))
                read_member(message, line, here, out);
            else if (!read_register(message, here, out) &&
                     !read_wrong_side(message, line, out))
                read_overload(message, line, here, out);
        }
        line = strchr(line, '\n');
        if (line)
            line++;
    }
}

/* ---- mending a file ------------------------------------------------------ */

/* From a function's name back over "S<T>::". */
static const char *qualified_start(const char *line, const char *name)
{
    const char *start = name;
    while (start - line >= 2 && start[-1] == ':' && start[-2] == ':') {
        const char *p = start - 2;
        int depth = 0;
        while (p > line && (depth || p[-1] == '>' || cc_is_name_char(p[-1]))) {
            p--;
            depth += *p == '>' ? 1 : *p == '<' ? -1 : 0;
        }
        if (p == start - 2)
            break;
        start = p;
    }
    return start;
}

/* Whether `at` is a constraint of asm, "r", behind the operand of another. */
static bool follows_operand(const char *line, const char *at)
{
    const char *p = at;
    while (p > line && isspace((unsigned char)p[-1]))
        p--;
    return *at == '"' && p > line && p[-1] == ')';
}

/* In "A<T>::f<N>" the f; NULL: it is something else. */
static const char *dependent_name(const char *at)
{
    int depth = 0;
    const char *p = at;
    while (cc_is_name_char(*p))
        p++;
    for (; *p && *p != '\n' && (depth || *p == '<'); p++)
        depth += *p == '<' ? 1 : *p == '>' ? -1 : 0;
    if (p == at || p[-1] != '>' || !starts_with(p, "::"))
        return NULL;
    const char *name = p + 2, *end = name;
    while (cc_is_name_char(*end))
        end++;
    return end > name && *end == '<' ? name : NULL;
}

/* NULL if the text stands there: it was something else, then. */
static const char *unless_done(const char *line, const char *at,
                               const char *text)
{
    size_t length = strlen(text);
    bool is_done = length && (size_t)(at - line) >= length &&
                   strncmp(at - length, text, length) == 0;
    return is_done ? NULL : at;
}

/* Whether `at` is the brace of a launch's first or second dimensions, as in
 * k<<<{2, 2}, {32}>>>(). */
static bool is_dimension(const char *line, const char *at)
{
    const char *p = at;
    int commas = 0, depth = 0;
    for (; p > line && strncmp(p, "<<<", 3) != 0; p--) {
        if (p != at)
            depth += strchr(")}", *p) ? 1 : strchr("({", *p) ? -1 : 0;
        commas += !depth && *p == ',';
        if (*p == ';' || depth < 0)
            return false;
    }
    return *at == '{' && strncmp(p, "<<<", 3) == 0 && commas < 2;
}

/* The byte of `line` where the text goes, or NULL if the line is not what
 * clang spoke of. */
static const char *find_byte(const char *line, const struct insertion *i)
{
    size_t length = strcspn(line, "\n");
    if (i->column < 1 || i->column > length)
        return NULL;
    const char *at = line + i->column - 1;
    if (strcmp(i->name, "::") == 0)
        return dependent_name(at);
    if (strcmp(i->name, "\"") == 0)
        return follows_operand(line, at) ? at : NULL;
    if (strcmp(i->name, "%") != 0)
        return starts_with(at, i->name)
                   ? unless_done(line, qualified_start(line, at), i->text)
                   : NULL;
    while (at > line && *at != '%')
        at--;
    return *at == '%' ? at : NULL;
}

/* Moves the third of "<< <" or ">> >" to the others, over spaces only, so that
 * no byte changes its line; false if there is nothing of the kind. */
static bool close_up(char *third)
{
    char *to = third;
    while (to[-1] == ' ' || to[-1] == '\t')
        to--;
    if (to == third || to[-1] != *third || to[-2] != *third)
        return false;
    char letter = *third;
    *third = *to;
    *to = letter;
    return true;
}

/* A launch: from its third '<' to its third '>' in the same statement. */
static void close_launch(char *text, char *third)
{
    if (third - text < 3 || *third != '<' || !close_up(third))
        return;
    for (char *p = third; *p && *p != ';'; p++)
        if (*p == '>' && p - text > 3 && close_up(p))
            return;
}

/* All insertions into one file, by place from its beginning. */
static int by_place(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return *a < *b ? -1 : *a > *b;
}

struct spot {
    const char *at; /* first: by_place compares it */
    const char *text;
};
typedef VEC(struct spot) spots;

static void put(spots *list, const char *at, const char *text)
{
    struct spot s = {at, text};
    vec_push(list, s);
}

/* `__shared__ T x[2];` becomes
 * `__shared__ weft_shared_room<T [2]> weft_room_x; T (&x)[2] =
 * weft_room_x.value;`, on one line. `name`: where x is. */
static void make_room(const char *line, const char *name, spots *list)
{
    static const char keyword[] = "__shared__";
    const char *type = NULL, *end = name, *p = line;
    while ((p = strstr(p, keyword)) && p < name)
        type = p += sizeof keyword - 1;
    while (cc_is_name_char(*end))
        end++;
    const char *stop = end + strcspn(end, ";,={(\n");
    if (!type || end == name || *stop != ';' ||
        memchr(type, ',', (size_t)(name - type)))
        return;
    const char *x = arena_strndup(cc_arena, name, (size_t)(end - name));
    put(list, type,
        arena_printf(cc_arena, " ::weft_shared_room<%.*s%.*s> weft_room_%s;",
                     (int)(name - type), type, (int)(stop - end), end, x));
    put(list, name, "(&");
    const char *value = arena_printf(cc_arena, " = weft_room_%s.value", x);
    if (end < stop)
        put(list, end, ")");
    else
        value = arena_printf(cc_arena, ")%s", value);
    put(list, stop, value);
}

/* `#pragma unroll` becomes `_Pragma("unroll") //#pragma unroll`. */
static void make_pragma(const char *pragma, spots *list)
{
    static const char word[] = "#pragma";
    const char *what = pragma + sizeof word - 1;
    size_t length = strcspn(what, "\n");
    if (!starts_with(pragma, word) || memchr(what, '\\', length))
        return;
    what += strspn(what, " \t");
    length = strcspn(what, "\"/\n");
    put(list, pragma,
        arena_printf(cc_arena, "_Pragma(\"%.*s\") //", (int)length, what));
}

/* See otherside.c. */
static void give_host_side(const struct cc_job *j, const char *line, char *at,
                           spots *list)
{
    struct cc_host_side side;
    if (!cc_find_host_side(at, &side))
        return;
    put(list, side.spaces ? side.spaces : qualified_start(line, at),
        HOST_DEVICE);
    if (!j->mends_host)
        return;
    if (!side.spaces) {
        cc_blank(side.body + 1, side.end);
        put(list, side.body + 1, "::exit(1);");
        return;
    }
    put(list, side.body,
        arena_printf(cc_arena, "%s{::exit(1);(void)[&](auto)%s",
                     side.returns_int ? "-> int " : "", side.type));
    put(list, side.end + 1, ";}");
}

/* `source`: what stands for the file `path` so far. */
static bool write_mended(const struct cc_job *j, const char *path,
                         const char *source, const insertions *list,
                         const char *copy)
{
    size_t size_bytes;
    char *text = cc_read_file(source, &size_bytes);
    spots places = {0};
    if (!text)
        return false;
    for (size_t k = 0; k < list->count; k++) {
        const struct insertion *i = &list->data[k];
        const char *line = text;
        if (strcmp(i->path, path) != 0)
            continue;
        for (size_t n = 1; line && n < i->line; n++)
            if ((line = strchr(line, '\n')))
                line++;
        if (line && strcmp(i->name, "__shared__") == 0) {
            if (i->column <= strcspn(line, "\n"))
                make_room(line, line + i->column - 1, &places);
            continue;
        }
        if (line && strcmp(i->name, "#pragma") == 0) {
            if (i->column <= strcspn(line, "\n"))
                make_pragma(line + i->column - 1, &places);
            continue;
        }
        if (line && strcmp(i->name, "__device__") == 0) {
            if (i->column <= strcspn(line, "\n"))
                give_host_side(j, line, text + (line - text) + i->column - 1,
                               &places);
            continue;
        }
        const char *at = line ? find_byte(line, i) : NULL;
        const char *brace = line && i->column <= strcspn(line, "\n")
                                ? line + i->column - 1
                                : NULL;
        if (!at && brace && strcmp(i->name, "<") == 0 &&
            is_dimension(line, brace))
            put(&places, brace, "dim3");
        if (!at)
            continue;
        if (!*i->text)
            close_launch(text, text + (at - text));
        put(&places, at, i->text);
    }
    size_t count = places.count;
    if (count)
        qsort(places.data, count, sizeof *places.data, by_place);
    FILE *f = count ? fopen(copy, "w") : NULL;
    const char *from = text;
    for (size_t k = 0; f && k < count; k++) {
        fwrite(from, 1, (size_t)(places.data[k].at - from), f);
        fputs(places.data[k].text, f);
        from = places.data[k].at;
    }
    if (f)
        fputs(from, f);
    bool ok = f && !ferror(f);
    if (f)
        ok &= fclose(f) == 0;
    vec_fini(&places);
    free(text);
    return ok;
}

/* ---- the overlay --------------------------------------------------------- */

static void write_quoted(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

static const char *absolute(const char *path)
{
    char *folder = path[0] == '/' ? NULL : getcwd(NULL, 0);
    const char *result =
        folder ? arena_printf(cc_arena, "%s/%s", folder, path) : path;
    free(folder);
    return result;
}

/* clang reads `copy` where it is asked for `path`, and calls it `path`. */
static void write_entry(FILE *f, const char *path, const char *copy,
                        bool is_first)
{
    fprintf(f, "%s{ \"type\": \"file\", \"name\": ", is_first ? "" : ",\n");
    write_quoted(f, absolute(path));
    fputs(", \"external-contents\": ", f);
    write_quoted(f, copy);
    fputs(" }", f);
}

/* The copy that stands for a file by now; NULL: none. */
static const char **copy_of(cc_args *mended, const char *path)
{
    for (size_t i = 0; i + 1 < mended->count; i += 2)
        if (strcmp(mended->data[i], path) == 0)
            return &mended->data[i + 1];
    return NULL;
}

/* Files of one name in several folders have copies of several names. */
static const char *new_copy(const struct cc_job *j, const char *path, size_t n)
{
    const char *suffix = j->mends_host  ? ".host.mended"
                         : j->is_strict ? ".strict.mended"
                                        : ".mended";
    if (n)
        suffix = arena_printf(cc_arena, ".%zu%s", n, suffix);
    return cc_temporary(j->options, path, suffix);
}

/* Makes new copies of the files that the list speaks of; how many. */
static size_t mend_files(const struct cc_job *j, const insertions *list,
                         cc_args *mended)
{
    size_t count = 0;
    for (size_t k = 0; k < list->count; k++) {
        const char *path = list->data[k].path;
        bool is_done = false;
        for (size_t i = 0; i < k; i++)
            is_done |= strcmp(list->data[i].path, path) == 0;
        const char **before = copy_of(mended, path);
        const char *copy = is_done  ? NULL
                           : before ? *before
                                    : new_copy(j, path, mended->count / 2);
        if (!copy ||
            !write_mended(j, path, before ? *before : path, list, copy))
            continue;
        count++;
        if (before) {
            *before = copy;
        } else {
            cc_add(mended, path);
            cc_add(mended, copy);
        }
    }
    return count;
}

/* Leaves what is in files that the make rule names. */
static void keep_named(insertions *list, const char *rule)
{
    size_t size_bytes, count = 0;
    char *text = cc_read_file(rule, &size_bytes);
    for (size_t i = 0; text && i < list->count; i++)
        if (strstr(text, list->data[i].path))
            list->data[count++] = list->data[i];
    list->count = count;
    free(text);
}

void cc_mend_apart(const struct cc_job *j, const cc_args *mended, cc_args *out)
{
    for (size_t i = 0; i + 1 < mended->count; i += 2) {
        const char *copy = new_copy(j, mended->data[i], i / 2);
        if (!copy || !cc_append_file(copy, mended->data[i + 1]))
            continue;
        cc_add(out, mended->data[i]);
        cc_add(out, copy);
    }
}

/* Makes copies of the files that the list speaks of, and the overlay. */
static const char *make_overlay(const struct cc_job *j, const insertions *list,
                                cc_args *mended)
{
    size_t count = mend_files(j, list, mended);
    const char *overlay = count ? cc_temporary(j->options, j->input.path,
                                               j->mends_host  ? ".host.yaml"
                                               : j->is_strict ? ".strict.yaml"
                                                              : ".mended.yaml")
                                : NULL;
    FILE *f = overlay ? fopen(overlay, "w") : NULL;
    if (!f)
        return NULL;
    fputs("{ \"version\": 0, \"use-external-names\": false,\n"
          "  \"roots\": [\n",
          f);
    for (size_t i = 0; i + 1 < mended->count; i += 2)
        write_entry(f, mended->data[i], mended->data[i + 1], i == 0);
    fputs("] }\n", f);
    bool ok = !ferror(f);
    ok &= fclose(f) == 0;
    return ok ? overlay : NULL;
}

const char *cc_mend(const struct cc_job *j, const char *messages,
                    const cc_args *functions, const char *rule, cc_args *mended)
{
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    insertions list = {0};
    if (text)
        read_messages(plain_text(text), functions, &list);
    free(text);
    if (rule)
        keep_named(&list, rule);
    const char *overlay = make_overlay(j, &list, mended);
    vec_fini(&list);
    return overlay;
}

const char *cc_insert(const struct cc_job *j, const cc_insertions *texts,
                      cc_args *mended)
{
    insertions list = {0};
    for (size_t i = 0; i < texts->count; i++) {
        const struct cc_insertion *t = &texts->data[i];
        struct place at = {j->input.path, t->line, t->column};
        add(&list, at, t->text, t->name);
    }
    const char *overlay = make_overlay(j, &list, mended);
    vec_fini(&list);
    return overlay;
}

bool cc_misses_late_name(const char *messages)
{
    static const char *const texts[] = {
        "in the global namespace",
        "that is neither visible in the template definition nor found by "
        "argument-dependent lookup"};
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    bool misses = false;
    for (size_t i = 0; text && i < ARRAY_COUNT(texts); i++)
        misses |= strstr(text, texts[i]) != NULL;
    free(text);
    return misses;
}
