/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang reads a CUDA file twice and reports most things twice. Its messages are
 * cut into groups (a warning or error with the lines that belong to it), and a
 * group that one pass has shown is not shown for the other. Notes on overloads
 * in weft's own headers are left out, and known differences from nvcc are
 * explained.
 */
#include "cc/cc.h"
#include "cc/clang_messages.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct group {
    const char *text;
    size_t length;
};
typedef VEC(struct group) groups;

static size_t line_length(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? (size_t)(end - line) + 1 : strlen(line);
}

static bool contains_text(const char *line, size_t length, const char *what)
{
    return memmem(line, length, what, strlen(what)) != NULL;
}

/* "   12 | source text", perhaps in colour */
static bool is_source_line(const char *line)
{
    while (isspace((unsigned char)*line) || isdigit((unsigned char)*line))
        line++;
    return *line == '|';
}

static bool is_include_line(const char *line)
{
    return starts_with(line, "In file included from") ||
           starts_with(line, "                 from");
}

static bool is_summary(const char *line, size_t length)
{
    return contains_text(line, length, CLANG_SUMMARY);
}

static bool starts_group(const char *line, size_t length, bool after_include)
{
    if (after_include || is_source_line(line))
        return false;
    return is_include_line(line) || is_summary(line, length) ||
           contains_text(line, length, "error: ") ||
           contains_text(line, length, "warning: ") ||
           contains_text(line, length, "remark: ");
}

static void split_groups(const char *text, groups *out)
{
    bool after_include = false;
    for (const char *line = text; *line;) {
        size_t length = line_length(line);
        if (!out->count || starts_group(line, length, after_include)) {
            struct group g = {line, 0};
            must_have_memory(vec_push(out, g));
        }
        after_include = is_include_line(line);
        out->data[out->count - 1].length += length;
        line += length;
    }
}

static bool has_group(const groups *list, const struct group *g)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i].length == g->length &&
            memcmp(list->data[i].text, g->text, g->length) == 0)
            return true;
    return false;
}

/* An empty text if there is no such file: the pass said nothing. */
static char *read_messages(const char *file)
{
    FILE *f = file ? fopen(file, "r") : NULL;
    char *text = NULL;
    size_t capacity = 0;
    if (!f || getdelim(&text, &capacity, '\0', f) < 0) {
        free(text);
        text = strdup("");
    }
    if (f)
        fclose(f);
    return text;
}

/* ---- printing ------------------------------------------------------------ */

/* Skips the colour escapes that clang writes on terminals. */
static const char *skip_colours(const char *line)
{
    while (*line == '\033') {
        const char *end = strchr(line, 'm');
        if (!end)
            break;
        line = end + 1;
    }
    return line;
}

/* Is the message about a header of weft's, clang's or the system's? */
static bool is_in_foreign_header(const char *line, const char *own_folder)
{
    line = skip_colours(line);
    return (own_folder && starts_with(line, own_folder)) ||
           starts_with(line, "/usr/");
}

/* Is the line a note, in such a header, on an overload that did not fit? */
static bool is_candidate(const char *line, size_t length,
                         const char *own_folder)
{
    return is_in_foreign_header(line, own_folder) &&
           contains_text(line, length, "note: ") &&
           contains_text(line, length, "candidate ");
}

/* Does the line belong to the note before it: its source, or where its macros
 * come from? */
static bool is_continued(const char *line, size_t length,
                         const char *own_folder)
{
    line = skip_colours(line);
    return !contains_text(line, length, "note: ") ||
           starts_with(line, "<scratch space>") ||
           contains_text(line, length, "(skipping ") ||
           (is_in_foreign_header(line, own_folder) &&
            contains_text(line, length, "expanded from"));
}

static size_t count_candidates(const struct group *g, const char *own_folder)
{
    const char *end = g->text + g->length;
    size_t count = 0, length;
    for (const char *line = g->text; line < end; line += length) {
        length = line_length(line);
        count += is_candidate(line, length, own_folder);
    }
    return count;
}

/* The explanation in notes.def for a line; NULL: none, or it was given before.
 */
static const char *find_explanation(const char *line, size_t length)
{
    static const struct {
        const char *message, *also, *text;
    } notes[] = {
#define NOTE(message, text)     {message, "", text},
#define NO_HEADER(prefix, text) {"'" prefix, "file not found", text},
#include "cc/notes.def"
    };
    static bool is_told[ARRAY_COUNT(notes)];
    for (size_t i = 0; i < ARRAY_COUNT(notes); i++) {
        if (is_told[i] || !contains_text(line, length, notes[i].message) ||
            !contains_text(line, length, notes[i].also))
            continue;
        is_told[i] = true;
        return notes[i].text;
    }
    return NULL;
}

/* If the group is the error of a file in lib/missing: prints in one line where
 * that header was included and which library it belongs to. Else false. */
static bool print_missing(const struct group *g)
{
    static const char mark[] = "'weft has no ", from[] = "included from ";
    const char *end = g->text + g->length;
    const char *library = memmem(g->text, g->length, mark, sizeof mark - 1);
    const char *place = NULL, *header = library;
    if (!library)
        return false;
    for (const char *line = g->text; line < library; line += line_length(line))
        if (is_include_line(line))
            place = memmem(line, (size_t)(end - line), from, sizeof from - 1);
    while (header > g->text && header[-1] != '/')
        header--;
    place = place ? place + sizeof from - 1 : "";
    fprintf(stderr, "%.*s error: %.*s: '%.*s' is a header of that library\n",
            (int)strcspn(place, "\n"), place, (int)strcspn(library + 1, "'"),
            library + 1, (int)strcspn(header, ":"), header);
    return true;
}

/* Writes a line. Our __launch_bounds__ uses an attribute that clang accepts on
 * kernels only: its error is worded as nvcc's. */
static void write_line(const char *line, size_t length)
{
    static const char said[] = "'amdgpu_num_vgpr' attribute only applies to "
                               "kernel functions";
    const char *at = memmem(line, length, said, sizeof said - 1);
    if (at) {
        fwrite(line, 1, (size_t)(at - line), stderr);
        fputs("__launch_bounds__ is only allowed on a __global__ function",
              stderr);
        length -= (size_t)(at - line) + sizeof said - 1;
        line = at + sizeof said - 1;
    }
    fwrite(line, 1, length, stderr);
}

/* Prints a group. Leaves out overloads in weft's headers that did not fit, all
 * of them if there are many, else those of the host. */
static void print_group(const struct group *g, const char *own_folder)
{
    enum { FEW_CANDIDATES = 3 };
    bool is_crowded = count_candidates(g, own_folder) > FEW_CANDIDATES;
    bool is_hidden = false;
    const char *end = g->text + g->length, *note = NULL;
    size_t length;
    if (print_missing(g))
        return;
    for (const char *line = g->text; line < end; line += length) {
        length = line_length(line);
        if (!is_hidden || !is_continued(line, length, own_folder))
            is_hidden = is_candidate(line, length, own_folder) &&
                        (is_crowded || contains_text(line, length, "__host__"));
        if (is_hidden)
            continue;
        write_line(line, length);
        if (!note)
            note = find_explanation(line, length);
    }
    if (note)
        fprintf(stderr, "%s note   : %s\n", cc_name, note);
}

/* If clang's back end has crashed: reports for which function and why, and cuts
 * clang's stack trace off. */
static void show_crash(char *text)
{
    char *crash = strstr(text, "PLEASE submit a bug report");
    char *reason = strstr(text, "error in backend: ");
    if (!crash)
        return;
    const char *function = strstr(text, "In function: ");
    function = function ? function + strlen("In function: ") : "?";
    const char *said = reason ? reason + strlen("error in backend: ") : "?";
    const char *note = find_explanation(said, strcspn(said, "\n"));
    cc_error("there is no code for '%.*s': %.*s", (int)strcspn(function, "\n"),
             function, (int)strcspn(note ? note : said, "\n"),
             note ? note : said);
    while (reason && reason > text && reason[-1] != '\n')
        reason--;
    *(reason && reason < crash ? reason : crash) = '\0';
}

void cc_show_messages(const char *file, const char *seen,
                      const char *own_folder)
{
    char *text = read_messages(file), *seen_text = read_messages(seen);
    groups fresh = {0}, known = {0};
    bool any = false;

    if (text)
        show_crash(text);
    if (text && seen_text) {
        split_groups(text, &fresh);
        split_groups(seen_text, &known);
    }
    for (size_t i = 0; i < fresh.count; i++) {
        const struct group *g = &fresh.data[i];
        /* "2 warnings generated ..." of a pass that had nothing new. */
        bool is_empty_summary = is_summary(g->text, g->length) && seen && !any;
        if (has_group(&known, g) || is_empty_summary)
            continue;
        print_group(g, own_folder);
        any = true;
    }
    fflush(stderr);
    vec_fini(&fresh);
    vec_fini(&known);
    free(text);
    free(seen_text);
}
