/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mends the text of one file where clang has pointed. No line moves, so that
 * messages keep their lines.
 */
#include "cc/compat/mend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Where a qualified name begins: from a function's name back over "S<T>::". */
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

/* Is `at` a constraint of an asm statement, "r", right behind another operand?
 */
static bool follows_operand(const char *line, const char *at)
{
    const char *p = at;
    while (p > line && isspace((unsigned char)p[-1]))
        p--;
    return *at == '"' && p > line && p[-1] == ')';
}

/* The f in "A<T>::f<N>"; NULL: it is something else. */
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

/* Is `at` the brace of a launch's first or second dimensions, as in k<<<{2, 2},
 * {32}>>>()? */
static bool is_dimension(const char *line, const char *at)
{
    const char *p = at;
    int commas = 0, depth = 0;
    for (; p > line && !starts_with(p, "<<<"); p--) {
        if (p != at)
            depth += strchr(")}", *p) ? 1 : strchr("({", *p) ? -1 : 0;
        commas += !depth && *p == ',';
        if (*p == ';' || depth < 0)
            return false;
    }
    return *at == '{' && starts_with(p, "<<<") && commas < 2;
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

/* Closes up "<< <" and ">> >" of a launch. third: its third '<'. */
static void close_launch(const char *text, char *third)
{
    if (third - text < 3 || !close_up(third))
        return;
    for (char *p = third; *p && *p != ';'; p++)
        if (*p == '>' && p - text > 3 && close_up(p))
            return;
}

/* Orders insertions by their place in the file. */
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

/* A place that clang has pointed at. */
struct site {
    const struct cc_job *j;
    const struct mend *m;
    char *text; /* of the file */
    char *line; /* where the line begins in it */
    char *at;
    spots *list; /* insertions so far */
};

static void put_text(spots *list, const char *at, const char *text)
{
    struct spot s = {at, text};
    must_have_memory(vec_push(list, s));
}

/* `__shared__ T x[2];` becomes
 * `__shared__ weft_shared_room<T [2]> weft_room_x; T (&x)[2] =
 * weft_room_x.value;`, on one line. `name`: where x is. */
static void make_room(const struct site *s)
{
    const char *line = s->line;
    const char *name = s->at;
    spots *list = s->list;
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
    put_text(list, type,
             arena_printf(cc_arena,
                          " ::weft_shared_room<%.*s%.*s> weft_room_%s;",
                          (int)(name - type), type, (int)(stop - end), end, x));
    put_text(list, name, "(&");
    const char *value = arena_printf(cc_arena, " = weft_room_%s.value", x);
    if (end < stop)
        put_text(list, end, ")");
    else
        value = arena_printf(cc_arena, ")%s", value);
    put_text(list, stop, value);
}

/* `#pragma unroll` becomes `_Pragma("unroll") //#pragma unroll`. */
static void make_pragma(const struct site *s)
{
    const char *pragma = s->at;
    spots *list = s->list;
    static const char word[] = "#pragma";
    const char *what = pragma + sizeof word - 1;
    size_t length = strcspn(what, "\n");
    if (!starts_with(pragma, word) || memchr(what, '\\', length))
        return;
    what += strspn(what, " \t");
    length = strcspn(what, "\"/\n");
    put_text(list, pragma,
             arena_printf(cc_arena, "_Pragma(\"%.*s\") //", (int)length, what));
}

/* See otherside.c. */
static void give_host_side(const struct site *s)
{
    const struct cc_job *j = s->j;
    const char *line = s->line;
    char *at = s->at;
    spots *list = s->list;
    struct cc_host_side side;
    if (!cc_find_host_side(at, &side))
        return;
    put_text(list, side.spaces ? side.spaces : qualified_start(line, at),
             MEND_HOST_DEVICE);
    if (!j->mends_host)
        return;
    if (!side.spaces) {
        cc_blank(side.body + 1, side.end);
        put_text(list, side.body + 1, "::exit(1);");
        return;
    }
    put_text(list, side.body,
             arena_printf(cc_arena, "%s{::exit(1);(void)[&](auto)%s",
                          side.returns_int ? "-> int " : "", side.type));
    put_text(list, side.end + 1, ";}");
}

/* Empties the body of the kernel around the place; several errors may be in
 * one. */
static void empty_kernel(const struct site *s)
{
    const struct cc_job *j = s->j;
    char *text = s->text;
    char *at = s->at;
    spots *list = s->list;
    struct cc_host_side kernel;
    if (!cc_find_kernel_body(j, text, at, &kernel))
        return;
    cc_blank(kernel.body + 1, kernel.end);
    put_text(list, kernel.body + 1, "");
}

static bool has_no_warnings(const struct cc_options *o)
{
    return cc_contains(&o->front_end, "-w");
}

/* In other instances of the template, the same call may be one of a __device__
 * function. If the arguments can be repeated and passed to a lambda, replaces
 * *first and *last by a form that calls whichever fits. */
static void choose_side(const struct cc_host_call *call, const char **first,
                        const char **last)
{
    const char *open = call->end;
    int depth = 0;
    do {
        if (open-- == call->start)
            return;
        depth += *open == ')' ? 1 : *open == '(' ? -1 : 0;
    } while (depth > 0);
    int length = (int)(call->end - 1 - (open + 1));
    int name_length = (int)(open - call->start);
    const char *arguments = arena_strndup(cc_arena, open, (size_t)length + 1);
    if (*open != '(' || arguments[1 + strspn(arguments + 1, " \t")] == '\0' ||
        strpbrk(arguments, "\n{\"'") ||
        memchr(call->start, '\n', (size_t)name_length))
        return;
    *first = arena_printf(cc_arena, "WEFT_HOST_EITHER((%.*s)) ", name_length,
                          call->start);
    *last = arena_printf(cc_arena, " WEFT_HOST_EITHER_END%s)", arguments);
}

/* See hostcalls.c. A block is moved once, however many errors are in it. With
 * headers of another toolkit nothing is done: they lack the macros. */
static void keep_on_host(const struct site *s)
{
    const struct cc_job *j = s->j;
    const struct mend *m = s->m;
    const char *text = s->text;
    char *at = s->at;
    spots *list = s->list;
    struct cc_host_call call;
    if (j->options->cuda_path || j->leaves_host_calls ||
        !cc_find_host_call(text, at, m->name, &call))
        return;
    if (strcmp(m->path, j->input.path) == 0 && !has_no_warnings(j->options))
        cc_warning("%s:%zu: '%s' is a __host__ function, called by one that is "
                   "__device__ too; a kernel that gets there fails",
                   m->path, m->line, m->name);
    for (size_t k = 0; call.is_block && k < list->count; k++)
        if (list->data[k].at == call.start)
            return;
    const char *first = call.is_block ? " WEFT_HOST_BLOCK " : "WEFT_HOST_CALL ";
    const char *last =
        call.is_block ? " WEFT_HOST_BLOCK_END " : " WEFT_HOST_CALL_END";
    /* Of a function alone clang does not ask whether it fits. */
    if (!call.is_block && strchr(m->name, '<'))
        choose_side(&call, &first, &last);
    put_text(list, call.start, first);
    put_text(list, call.end, last);
}

/* A launch with spaces inside, with braces around its dimensions, or without
 * block dimensions, which are 1 then. */
static void mend_launch(const struct site *s)
{
    const char *text = s->text;
    const char *line = s->line;
    char *at = s->at;
    spots *list = s->list;
    if (*at == '<') {
        close_launch(text, at);
        put_text(list, at, "");
    } else if (is_dimension(line, at)) {
        put_text(list, at, "dim3");
    } else if (starts_with(at, ">>>") && at > line && !strchr("<, ", at[-1])) {
        put_text(list, at, ", 1");
    }
}

/* Is the '%' at p neither the start of an operand nor already doubled? */
static bool is_plain_percent(const char *p)
{
    return isalpha((unsigned char)p[1]) && !isdigit((unsigned char)p[2]);
}

/* Doubles the '%' that clang points at, and those behind it in the same asm
 * statement, of which clang reports only the first. */
static void mend_percents(const struct site *s)
{
    const char *line = s->line;
    const char *at = s->at;
    spots *list = s->list;
    while (at > line && *at != '%')
        at--;
    if (*at != '%')
        return;
    put_text(list, at, "%");
    bool is_text = true;
    for (const char *p = at + 1; *p && (is_text || !strchr(":);", *p)); p++) {
        if (*p == '"')
            is_text = !is_text;
        else if (is_text && (*p == '\\' || starts_with(p, "%%")))
            p++;
        else if (is_text && *p == '%' && is_plain_percent(p))
            put_text(list, p, "%");
    }
}

/* See asmtext.c. */
static void compute_text(const struct site *s)
{
    struct cc_asm_text a;
    if (!cc_find_asm_text(s->text, s->at, &a))
        return;
    const char *before = "", *behind = ")";
    for (size_t i = 0; i < a.count; i++) {
        const struct cc_text_operand *o = &a.operands[i];
        before = arena_printf(cc_arena, "%s::weft_asm_text_with(", before);
        behind = arena_printf(cc_arena, "%s, %u, %.*s)", behind, o->number,
                              (int)(o->close - o->open - 1), o->open + 1);
        o->constraint[1] = 'n';
        cc_blank(o->open + 1, o->close);
        put_text(s->list, o->close, "0");
    }
    put_text(s->list, a.start,
             arena_printf(cc_arena, "(%s::weft_asm_text_of(", before));
    char *end = arena_printf(cc_arena, "%s)", behind);
    for (char *p = end; (p = strchr(p, '\n'));)
        *p = ' ';
    put_text(s->list, a.end, end);
}

static void mend_template(const struct site *s)
{
    const char *at = s->at;
    spots *list = s->list;
    const char *name = dependent_name(at);
    if (name)
        put_text(list, name, "template ");
}

/* `a.b->f` becomes `weft_object<decltype((*(a.b)))>::weft_type::f`. */
static char *mend_member(char *at, spots *list)
{
    struct cc_member m;
    if (!cc_find_member(at, &m))
        return m.end;
    cc_blank(m.op, m.op + 1 + m.is_arrow);
    put_text(list, at,
             m.is_arrow ? " ::weft_object<decltype((*("
                        : " ::weft_object<decltype(((");
    put_text(list, m.op, ")))>::weft_type::");
    return m.end;
}

/* Mends the member that clang points at, or all in the size of an array, if it
 * points at the '['. With headers of another toolkit nothing is done: they lack
 * weft_object. */
static void mend_members(const struct site *s)
{
    const struct cc_job *j = s->j;
    char *at = s->at;
    spots *list = s->list;
    if (j->options->cuda_path || j->leaves_members)
        return;
    const char *end = *at == '[' ? cc_closing(at) : NULL;
    if (*at != '[')
        mend_member(at, list);
    for (char *p = at + 1; end && p < end; p++)
        if (cc_is_name_char(*p))
            p = mend_member(p, list) - 1;
}

/* Makes a constexpr variable const. MEND_FRACTION, a division by zero: only if
 * it is a float or a double, which has a value then. */
static void mend_constexpr(const struct site *s)
{
    const struct mend *m = s->m;
    const char *text = s->text;
    char *name = s->at;
    spots *list = s->list;
    char *word = cc_find_constexpr(text, name);
    if (!word || (m->kind == MEND_FRACTION &&
                  !memmem(word, (size_t)(name - word), "float", 5) &&
                  !memmem(word, (size_t)(name - word), "double", 6)))
        return;
    bool is_pointer = memchr(word, '*', (size_t)(name - word)) != NULL;
    cc_blank(word, word + strlen("constexpr"));
    put_text(list, word, is_pointer ? "" : "const");
}

/* Removes the const of an array that is filled after its declaration. */
static void drop_const(const char *line, char *name)
{
    static const char word[] = "const";
    char *p = name;
    while (p > line && !strchr(";{}(,", p[-1]))
        p--;
    while ((p = memmem(p, (size_t)(name - p), word, sizeof word - 1))) {
        char *end = p + sizeof word - 1;
        const char *rest = end + strspn(end, " \t\n");
        bool is_word =
            !cc_is_name_char(*end) && (p == line || !cc_is_name_char(p[-1]));
        /* The const of what a pointer points to stays. */
        if (is_word && !memchr(rest, '*', (size_t)(name - rest)))
            cc_blank(p, end);
        p = end;
    }
}

/* `int a[n] = {1, 2};` becomes `int a[n]; ::weft_fill(&a[0], sizeof a)(1, 2);`,
 * `int a[n][2] = {{1}, {2, 3}};` has weft_fill_rows, and keeps its braces.
 * Headers of another toolkit lack them. */
static void fill_array(const struct site *s)
{
    const struct cc_job *j = s->j;
    const char *line = s->line;
    char *at = s->at;
    spots *list = s->list;
    struct cc_filled a;
    if (j->options->cuda_path || !cc_find_filled_array(line, at, &a))
        return;
    const char *first = "",
               *name = arena_strndup(cc_arena, a.name,
                                     (size_t)(a.name_end - a.name));
    for (int i = 0; i < a.dimensions; i++)
        first = arena_printf(cc_arena, "%s[0]", first);
    char *values = arena_strndup(cc_arena, a.open + 1,
                                 (size_t)(a.values_end - a.open - 1));
    if (strstr(values, "//"))
        return;
    for (char *p = values; (p = strchr(p, '\n'));)
        *p = ' ';
    cc_blank(a.equals, a.close + 1);
    drop_const(line, a.name);
    const char *fill =
        a.dimensions == 2 && *cc_skip_space(values) == '{'
            ? arena_printf(cc_arena,
                           "; ::weft_fill_rows(&%s%s, sizeof %s, sizeof "
                           "%s[0])({%s})",
                           name, first, name, name, values)
            : arena_printf(cc_arena, "; ::weft_fill(&%s%s, sizeof %s)(%s)",
                           name, first, name, values);
    put_text(list, a.end, fill);
}

/* `int (*a)[n] = x;` becomes `auto a = x;`. */
static void point_to_array(const struct site *s)
{
    const char *line = s->line;
    char *name = s->at;
    spots *list = s->list;
    struct cc_array_pointer p;
    if (!cc_find_array_pointer(line, name, &p))
        return;
    cc_blank(p.type, name);
    cc_blank(p.name_end, p.equals);
    put_text(list, p.type, "auto ");
}

/* `p + n` becomes `(char *)(p) + n`, and `p += n` `(char *&)(p) += n`. */
static void count_bytes(const struct site *s)
{
    const struct mend *m = s->m;
    char *line = s->line;
    char *at = s->at;
    spots *list = s->list;
    struct cc_void_operand p;
    if (!cc_find_void_operand(line, at, m->text, &p))
        return;
    put_text(list, p.start, p.is_assigned ? "(char *&)(" : "(char *)(");
    put_text(list, p.end, ")");
}

/* Removes `__syncthreads;`, a statement that does nothing. */
static void leave_out(const struct site *s)
{
    const struct cc_job *j = s->j;
    const struct mend *m = s->m;
    char *name = s->at;
    spots *list = s->list;
    char *end = name;
    while (cc_is_name_char(*end))
        end++;
    if (end == name || end[strspn(end, " \t")] != ';')
        return;
    if (!has_no_warnings(j->options))
        cc_warning("%s:%zu: '%.*s;' is no call, and does nothing", m->path,
                   m->line, (int)(end - name), name);
    cc_blank(name, end);
    put_text(list, name, "");
}

/* Is the line `#pragma unroll`, perhaps with a number? */
static bool is_unroll(const char *line)
{
    static const char pragma[] = "pragma", unroll[] = "unroll";
    const char *p = line + strspn(line, " \t");
    if (*p != '#')
        return false;
    p += 1 + strspn(p + 1, " \t");
    if (!starts_with(p, pragma))
        return false;
    p += sizeof pragma - 1;
    const char *word = p + strspn(p, " \t");
    return word > p && starts_with(word, unroll) &&
           !cc_is_name_char(word[sizeof unroll - 1]);
}

/* The end of the line, and of those that a backslash adds to it. */
static char *directive_end(char *line)
{
    char *end = line + strcspn(line, "\n");
    while (*end && end > line && end[-1] == '\\')
        end += 1 + strcspn(end + 1, "\n");
    return end;
}

/* Is `at` the statement that follows the directive? Behind comments and other
 * directives, it may be the argument of a macro. */
static bool is_followed_by(char *line, const char *at)
{
    char *p = cc_skip_space(directive_end(line));
    for (char *behind = NULL; p < at && behind != p;) {
        behind = p;
        p = *p == '#' ? directive_end(p) : *p == '/' ? cc_skip_text(p) : p;
        p = cc_skip_space(p);
    }
    const char *argument = p;
    while (cc_is_name_char(*argument))
        argument++;
    return p == at || (argument > p && *argument == '(' &&
                       argument + 1 + strspn(argument + 1, " \t") == at);
}

static void drop_directive(const struct site *s, char *line)
{
    if (!has_no_warnings(s->j->options))
        cc_warning("%s:%zu: this #pragma unroll is ignored: a loop has to "
                   "follow, and the number must be positive",
                   s->m->path, cc_line_of(s->text, line));
    cc_blank(line, directive_end(line));
    put_text(s->list, line, "");
}

/* Removes the `#pragma unroll` on the line, or those that the statement there
 * follows: nvcc heeds none that no loop follows, and none with a number below
 * 1. */
static void drop_unroll(const struct site *s)
{
    char *line = s->line;
    if (is_unroll(line)) {
        drop_directive(s, line);
        return;
    }
    while (line > s->text) {
        for (line--; line > s->text && line[-1] != '\n'; line--)
            ;
        if (is_unroll(line) && is_followed_by(line, s->at))
            drop_directive(s, line);
    }
}

/* "a\Nb" becomes "a\116""b". */
static void spell_escape(const struct site *s)
{
    const struct mend *m = s->m;
    if (!starts_with(s->at, "\\N") || s->at == s->line || s->at[-1] == '\'')
        return;
    if (!has_no_warnings(s->j->options))
        cc_warning("%s:%zu: unknown escape sequence '\\N' is an 'N'", m->path,
                   m->line);
    memcpy(s->at, "\"\"", 2);
    put_text(s->list, s->at, "\\116");
}

/* `extern`, or `extern "C"`, becomes static. */
static void make_static(const struct site *s)
{
    static const char word[] = "extern", c[] = "\"C\"";
    char *end = s->at + sizeof word - 1;
    if (!starts_with(s->at, word))
        return;
    char *language = end + strspn(end, " \t");
    if (starts_with(language, c))
        end = language + sizeof c - 1;
    cc_blank(s->at, end);
    put_text(s->list, s->at, "static");
}

/* The word extern of the declaration around `at`, or NULL. */
static char *find_extern(const struct site *s)
{
    static const char word[] = "extern";
    const size_t length = sizeof word - 1;
    char *p = s->at;
    while (p > s->text && !strchr(";{}", p[-1]))
        p--;
    for (; *p && *p != ';'; p++)
        if ((p == s->text || !cc_is_name_char(p[-1])) && starts_with(p, word) &&
            !cc_is_name_char(p[length]))
            return p;
    return NULL;
}

/* Removes extern from `extern __shared__ T s;`: what is no array is no dynamic
 * shared memory. */
static void drop_extern(const struct site *s)
{
    char *word = find_extern(s);
    if (!word)
        return;
    if (!has_no_warnings(s->j->options))
        cc_warning("%s:%zu: a '__shared__' that is no array has the size of "
                   "its type; 'extern' says nothing there",
                   s->m->path, s->m->line);
    cc_blank(word, word + strlen("extern"));
    put_text(s->list, word, "");
}

/* Removes the word template in "a.template ~T<N>()". */
static void mend_destructor(const struct site *s)
{
    char *at = s->at;
    spots *list = s->list;
    static const char word[] = "template";
    char *p = at + strspn(at, ".-> \t"), *end = p + sizeof word - 1;
    if (!starts_with(p, word) || end[strspn(end, " \t")] != '~')
        return;
    cc_blank(p, end);
    put_text(list, p, "");
}

/* Inserts a text before a name; not if it stands there already, as then the
 * error has another cause. */
static void mend_name(const struct site *s)
{
    const struct mend *m = s->m;
    const char *line = s->line;
    const char *at = s->at;
    spots *list = s->list;
    size_t length = strlen(m->text);
    if (!starts_with(at, m->name))
        return;
    at = qualified_start(line, at);
    if ((size_t)(at - line) < length ||
        strncmp(at - length, m->text, length) != 0)
        put_text(list, at, m->text);
}

/* ---- one word ----------------------------------------------------------- */

static void put_space(const struct site *s)
{
    if (s->at > s->line && s->at[-1] == '"')
        put_text(s->list, s->at, " ");
}

static void put_comma(const struct site *s)
{
    if (follows_operand(s->line, s->at))
        put_text(s->list, s->at, ", ");
}

static void put_typename(const struct site *s)
{
    put_text(s->list, s->at, "typename ");
}

static void put_template(const struct site *s)
{
    if (s->at - s->line > 2 && starts_with(s->at - 2, "::"))
        put_text(s->list, s->at, "template ");
}

/* By kind. Each checks first that the code is what the mend is for. */
static void (*const menders[])(const struct site *s) = {
    [MEND_NAME] = mend_name,
    [MEND_PERCENT] = mend_percents,
    [MEND_OPERAND] = put_comma,
    [MEND_TEMPLATE] = mend_template,
    [MEND_LAUNCH] = mend_launch,
    [MEND_SHARED] = make_room,
    [MEND_PRAGMA] = make_pragma,
    [MEND_HOST_SIDE] = give_host_side,
    [MEND_SUFFIX] = put_space,
    [MEND_HOST_CALL] = keep_on_host,
    [MEND_MEMBER] = mend_members,
    [MEND_CONSTEXPR] = mend_constexpr,
    [MEND_FRACTION] = mend_constexpr,
    [MEND_TYPE] = put_typename,
    [MEND_DESTRUCTOR] = mend_destructor,
    [MEND_FILLED] = fill_array,
    [MEND_ARRAY_POINTER] = point_to_array,
    [MEND_VOID_OPERAND] = count_bytes,
    [MEND_DEPENDENT] = put_template,
    [MEND_UNROLL] = drop_unroll,
    [MEND_UNCALLED] = leave_out,
    [MEND_ASM_TEXT] = compute_text,
    [MEND_ESCAPE] = spell_escape,
    [MEND_EXTERN] = make_static,
    [MEND_DYNAMIC] = drop_extern,
    [MEND_KERNEL] = empty_kernel,
};

static void mend_one(const struct cc_job *j, const struct mend *m, char *text,
                     spots *list)
{
    char *line = text;
    for (size_t n = 1; line && n < m->line; n++)
        if ((line = strchr(line, '\n')))
            line++;
    if (!line || m->column < 1 || m->column > strcspn(line, "\n"))
        return;
    assert(m->kind < ARRAY_COUNT(menders) && menders[m->kind]);
    menders[m->kind](
        &(const struct site){j, m, text, line, line + m->column - 1, list});
}

static bool write_copy(const char *copy, const char *text, const spots *list)
{
    FILE *f = fopen(copy, "w");
    if (!f)
        return false;
    for (size_t k = 0; k < list->count; k++) {
        const struct spot *s = &list->data[k];
        fwrite(text, 1, (size_t)(s->at - text), f);
        fputs(s->text, f);
        text = s->at;
    }
    fputs(text, f);
    bool ok = !ferror(f);
    ok &= fclose(f) == 0;
    return ok;
}

bool cc_patch(const struct cc_job *j, const char *path, const char *source,
              const mends *list, const char *copy)
{
    size_t size_bytes;
    char *text = cc_read_file(source, &size_bytes);
    spots places = {0};
    if (!text)
        return false;
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->data[k].path, path) == 0)
            mend_one(j, &list->data[k], text, &places);
    if (places.count)
        qsort(places.data, places.count, sizeof *places.data, by_place);
    bool ok = places.count && write_copy(copy, text, &places);
    vec_fini(&places);
    free(text);
    return ok;
}
