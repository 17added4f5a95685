/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes code that nvcc accepts and clang refuses, where clang points:
 *
 *   - a function declared with other execution spaces (__host__, __device__,
 *     __global__) than before: nvcc merges the declarations;
 *   - a deduction guide that is __device__ or __host__ alone;
 *   - a '%' in the text of an asm statement that is no operand, or one that it
 *     has not, in a template that nobody instantiates;
 *   - a macro right behind a string, "x"PRId64, and extern "C"__global__;
 *   - a comma that is missing between operands of asm;
 *   - operands of asm that stand for text, "C"(array) (asmtext.c);
 *   - a launch with spaces inside, k<< <1, 32>> >();
 *   - a launch with dimensions in braces, k<<<{1, 2}, 32>>>();
 *   - a launch of a grid alone, k<<<n>>>(), whose blocks have one thread;
 *   - A<T>::f<N>() in a template without the word template before f;
 *   - a macro that stands for #pragma, which nvcc reads behind its
 *     preprocessor and so obeys;
 *   - a __shared__ object with a constructor, which nvcc does not call;
 *   - extern __shared__ of what is no array, which nvcc takes without extern;
 *   - a name in a template that is declared behind it, or nowhere if nobody
 *     instantiates the template;
 *   - a function's name alone, __syncthreads;
 *   - #pragma unroll that no loop follows, or by less than 1;
 *   - gcc's arrays of variable length and void pointers (gnu.c);
 *   - a declaration of threadIdx and its like with the types of the host;
 *   - threadIdx where only a uint3 will do;
 *   - a call of a __device__ function by a template's host code (otherside.c);
 *   - a call of a __host__ function by one of both sides (hostcalls.c);
 *   - a kernel template whose body is none of the host's (compile.c).
 *
 * Only files that clang has refused come here. The change is made in a copy,
 * which clang then reads in the file's place (-ivfsoverlay), so that messages
 * and __FILE__ name the file; the file itself stays as it is. No line moves.
 * For names that templates find late, clang parses the bodies of templates when
 * they are instantiated, as Microsoft's compiler does.
 */
#include "cc/compat/mend.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void add_mend(mends *list, struct mend m)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->data[k].line == m.line && list->data[k].column == m.column &&
            strcmp(list->data[k].path, m.path) == 0)
            return;
    must_have_memory(vec_push(list, m));
}

void cc_mend_add(mends *list, struct mend_place at, enum mend_kind kind)
{
    add_mend(list, (struct mend){at.path, at.line, at.column, .kind = kind});
}

void cc_mend_add_text(mends *list, struct mend_place at, const char *text,
                      const char *name)
{
    add_mend(list,
             (struct mend){at.path, at.line, at.column, MEND_NAME, text, name});
}

void cc_mend_add_operand(mends *list, struct mend_place at,
                         const char *underline)
{
    add_mend(list, (struct mend){at.path, at.line, at.column, MEND_VOID_OPERAND,
                                 .text = underline});
}

void cc_mend_add_call(mends *list, struct mend_place at, const char *name)
{
    add_mend(list, (struct mend){at.path, at.line, at.column, MEND_HOST_CALL,
                                 .name = name});
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

static const char *absolute_path(const char *path)
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
    write_quoted(f, absolute_path(path));
    fputs(", \"external-contents\": ", f);
    write_quoted(f, copy);
    fputs(" }", f);
}

/* Where `mended` has the path of a file's copy; NULL: the file has none. */
static const char **copy_of(cc_args *mended, const char *path)
{
    for (size_t i = 0; i + 1 < mended->count; i += 2)
        if (strcmp(mended->data[i], path) == 0)
            return &mended->data[i + 1];
    return NULL;
}

/* The path for a new copy. n: a number that makes names unique, for files of
 * one name in several folders. */
static const char *new_copy(const struct cc_job *j, const char *path, size_t n)
{
    const char *suffix = j->mends_host  ? ".host.mended"
                         : j->is_strict ? ".strict.mended"
                                        : ".mended";
    if (n)
        suffix = arena_printf(cc_arena, ".%zu%s", n, suffix);
    return cc_intermediate(j->options, path, suffix);
}

/* Makes copies of the files that have mends in the list; returns how many. */
static size_t mend_files(const struct cc_job *j, const mends *list,
                         cc_args *mended)
{
    size_t count = 0;
    for (size_t k = 0; k < list->count; k++) {
        const char *path = list->data[k].path;
        bool is_done = access(path, R_OK) != 0; /* a name from a #line */
        for (size_t i = 0; i < k; i++)
            is_done |= strcmp(list->data[i].path, path) == 0;
        const char **before = copy_of(mended, path);
        const char *copy = is_done  ? NULL
                           : before ? *before
                                    : new_copy(j, path, mended->count / 2);
        if (!copy || !cc_patch(j, path, before ? *before : path, list, copy))
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

/* Keeps only the mends in files that the make rule names. */
static void keep_named(mends *list, const char *rule)
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

/* Makes copies of the files that have mends in the list, and the overlay that
 * puts all copies in place of their files. NULL: there is no new copy. */
static const char *make_overlay(const struct cc_job *j, const mends *list,
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

/* NVRTC's source file has lines of ours, then a line marker with the program's
 * name. Messages use that name: changes their places to places in the file. */
static void find_in_source(const struct cc_job *j, mends *list)
{
    static const char marker[] = "# 1 \"";
    size_t size_bytes, before = 1;
    char *text = cc_read_file(j->input.path, &size_bytes), *line = text;
    while (line && *line && !starts_with(line, marker)) {
        line = strchr(line, '\n');
        line += line != NULL;
        before++;
    }
    const char *name = line && *line ? line + sizeof marker - 1 : NULL;
    size_t length = name ? strcspn(name, "\"\n") : 0;
    for (size_t i = 0; name && i < list->count; i++) {
        struct mend *m = &list->data[i];
        if (strlen(m->path) != length || memcmp(m->path, name, length) != 0)
            continue;
        m->path = j->input.path;
        m->line += before;
    }
    free(text);
}

const char *cc_mend(const struct cc_job *j, const char *messages,
                    const cc_args *functions, const char *rule, cc_args *mended)
{
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    mends list = {0};
    if (text)
        cc_read_complaints(text, functions, &list);
    free(text);
    if (j->options->is_nvrtc)
        find_in_source(j, &list);
    if (rule)
        keep_named(&list, rule);
    const char *overlay = make_overlay(j, &list, mended);
    vec_fini(&list);
    return overlay;
}

bool cc_finds_unfit(const char *messages)
{
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    cc_args names = {0};
    if (text)
        cc_read_unfit(text, &names);
    bool finds = names.count > 0;
    vec_fini(&names);
    free(text);
    return finds;
}

const char *cc_mend_unfit(const struct cc_job *j, const char *messages,
                          const char *rule, cc_args *mended)
{
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    cc_args names = {0};
    mends list = {0};
    if (text)
        cc_read_unfit(text, &names);
    free(text);
    if (names.count)
        cc_find_host_templates(rule, j->toolchain->include_dir, &names, &list);
    const char *overlay = make_overlay(j, &list, mended);
    vec_fini(&list);
    vec_fini(&names);
    return overlay;
}

const char *cc_mend_externs(const struct cc_job *j,
                            const struct cc_symbols *symbols, cc_args *names,
                            cc_args *mended)
{
    mends list = {0};
    cc_find_extern_variables(j->headers, j->toolchain->include_dir, symbols,
                             names, &list);
    const char *overlay = make_overlay(j, &list, mended);
    vec_fini(&list);
    return overlay;
}

const char *cc_empty_kernels(const struct cc_job *j, const char *messages,
                             cc_args *mended)
{
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    mends list = {0};
    if (text)
        cc_read_errors(text, &list);
    free(text);
    const char *overlay = make_overlay(j, &list, mended);
    vec_fini(&list);
    return overlay;
}

const char *cc_insert(const struct cc_job *j, const cc_insertions *texts,
                      cc_args *mended)
{
    mends list = {0};
    for (size_t i = 0; i < texts->count; i++) {
        const struct cc_insertion *t = &texts->data[i];
        struct mend_place at = {j->input.path, t->line, t->column};
        cc_mend_add_text(&list, at, t->text, t->name);
    }
    const char *overlay = make_overlay(j, &list, mended);
    vec_fini(&list);
    return overlay;
}
