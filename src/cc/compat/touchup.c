/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes clang's PTX to what nvcc would write.
 *
 * Managed variables: clang has them for HIP, not for CUDA. So our header makes
 * __managed__ a device variable with an alignment of 4096, which other
 * variables do not have. Here such a variable gets .attribute(.managed), as
 * nvcc writes it; the runtime then lets the device use the host's variable of
 * that name. A variable that has this alignment for another reason becomes
 * managed as well, which neither device code nor host code notices.
 *
 * Clusters: our header makes __cluster_dims__ a destructor whose priority
 * holds the dimensions, 5 bits each, less one. Here the destructor is removed,
 * and the kernel gets the directives that nvcc writes.
 *
 * Required blocks: it makes __block_size__ launch bounds beyond any device,
 * with the sizes of block and cluster in their bits.
 *
 * Static variables, with -rdc=true: clang defines one that host code uses as
 * x__static__<file>, but device code before that point of the source still uses
 * x, which is declared as if it were another file's. Here both get the longer
 * name. In device code that is a module by itself, static variables outside of
 * namespaces get their unmangled names, as with nvcc: programs look for those.
 */
#include "cc/cc.h"
#include "base/ptx_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* As clang writes a variable with the alignment of host_defines.h. */
static const char marked[] = ".global .align 4096 ";
static const char managed[] = ".global .attribute(.managed) .align 4096 ";
static const char declared[] = "\n.extern .";

/* A word that becomes another, and a declaration that goes (NULL: none). */
struct rename {
    const char *from, *to, *declaration;
};
typedef VEC(struct rename) renames;

static const char *symbol_at(const char *p)
{
    size_t length = 0;
    while (ptx_is_inner_char(p[length]))
        length++;
    return arena_strndup(cc_arena, p, length);
}

/* The name that a line declares: the word before '[', ';' or " =". */
static const char *declared_symbol(const char *line)
{
    const char *end = line + strcspn(line, "[;=");
    end -= *end == '=' && end > line;
    while (end > line && ptx_is_inner_char(end[-1]))
        end--;
    return symbol_at(end);
}

static void find_renames(const char *ptx, renames *out)
{
    for (const char *p = ptx; (p = strstr(p, declared)); p++) {
        const char *line = p + 1;
        if (starts_with(p + sizeof declared - 1, "func"))
            continue;
        struct rename r = {.from = declared_symbol(line), .declaration = line};
        const char *to =
            strstr(ptx, arena_printf(cc_arena, " %s__static__", r.from));
        if (!to)
            continue;
        r.to = symbol_at(to + 1);
        must_have_memory(vec_push(out, r));
    }
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = text; (p = strstr(p, word)); p += length)
        if (!ptx_is_inner_char(p[length]) &&
            (p == text || (!ptx_is_inner_char(p[-1]) && p[-1] != '%')))
            return true;
    return false;
}

/* Renames the variable of ".global .align 4 .u32 _ZL5count;" to count, unless
 * the PTX has that name already. */
static void find_plain_name(const char *ptx, const char *line, renames *out)
{
    struct rename r = {.from = declared_symbol(line)};
    if (!starts_with(r.from, "_ZL"))
        return;
    char *name;
    unsigned long length = strtoul(r.from + 3, &name, 10);
    r.to = name;
    if (strlen(name) == length && !has_word(ptx, name))
        must_have_memory(vec_push(out, r));
}

static void find_plain_names(const char *ptx, renames *out)
{
    static const char *const spaces[] = {"\n.visible .global .",
                                         "\n.visible .const .", "\n.global .",
                                         "\n.const ."};
    for (size_t i = 0; i < ARRAY_COUNT(spaces); i++)
        for (const char *p = ptx; (p = strstr(p, spaces[i])); p++)
            find_plain_name(ptx, p + 1, out);
}

/* Writes the word at p, or what it becomes. Returns the place behind it. */
static const char *write_word(FILE *f, const char *p, const renames *list)
{
    size_t length = 0;
    while (ptx_is_inner_char(p[length]))
        length++;
    for (size_t i = 0; i < list->count; i++)
        if (strlen(list->data[i].from) == length &&
            memcmp(list->data[i].from, p, length) == 0) {
            fputs(list->data[i].to, f);
            return p + length;
        }
    fwrite(p, 1, length, f);
    return p + length;
}

static const char *skip_declaration(const char *p, const renames *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i].declaration == p)
            return p + strcspn(p, "\n");
    return p;
}

/* ---- clusters --------------------------------------------------------- */

struct cluster {
    const char *kernel;
    unsigned n[3];
};
typedef VEC(struct cluster) clusters;

static const char destructor[] =
    ".visible .const .align 8 .u64 __fini_array_object_";
static const char destructor_list[] = ".weak .global .align 8 .u64 "
                                       "__fini_array_";

/* Reads "__fini_array_object_<kernel>_<hash>_<priority> = <kernel>;". False
 * after reporting a destructor of the program's own. */
static bool read_destructor(const char *line, clusters *out)
{
    const char *equals = line + strcspn(line, "=;\n");
    if (*equals != '=')
        return true;
    const char *digits = equals - 1;
    while (digits > line && isdigit((unsigned char)digits[-1]))
        digits--;
    unsigned long priority = strtoul(digits, NULL, 10);
    struct cluster c = {.kernel = symbol_at(equals + 2)};
    if (priority == 0x7fff) /* __cluster_dims__() */
        return vec_push(out, c);
    if (priority < 0x8000) {
        cc_error("%s is a destructor, which device code cannot have",
                 c.kernel);
        return false;
    }
    for (unsigned i = 0; i < 3; i++)
        c.n[i] = (priority >> 5 * i & 31) + 1;
    return vec_push(out, c);
}

/* The kernel that the line begins to define, if it has clusters. */
static const struct cluster *defined_in(const char *line, const clusters *list)
{
    const char *end = line + strcspn(line, "\n");
    const char *entry = strstr(line, ".entry ");
    if (!entry || entry > end)
        return NULL;
    const char *name = symbol_at(entry + strlen(".entry "));
    if (entry[strlen(".entry ") + strlen(name)] != '(')
        return NULL;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->data[i].kernel, name) == 0)
            return &list->data[i];
    return NULL;
}

static void write_clusters(FILE *f, const char *p, const clusters *list)
{
    const struct cluster *c = NULL;
    for (const char *next; *p; p = next) {
        next = p + strcspn(p, "\n");
        next += *next == '\n';
        if (starts_with(p, destructor) || starts_with(p, destructor_list))
            continue;
        if (!c)
            c = defined_in(p, list);
        const char *parameters_end =
            c ? memchr(p, ')', (size_t)(next - p)) : NULL;
        if (parameters_end) {
            fwrite(p, 1, (size_t)(parameters_end + 1 - p), f);
            fputs("\n.explicitcluster", f);
            if (c->n[0])
                fprintf(f, "\n.reqnctapercluster %u, %u, %u", c->n[0], c->n[1],
                        c->n[2]);
            p = parameters_end + 1;
            c = NULL;
        }
        fwrite(p, 1, (size_t)(next - p), f);
    }
}

/* False after reporting a constructor of the program's own. */
static bool has_no_constructor(const char *ptx)
{
    const char *found = strstr(ptx, "__init_array_object_");
    const char *equals = found ? found + strcspn(found, "=;\n") : "";
    if (*equals == '=')
        cc_error("%s is a constructor, which device code cannot have",
                 symbol_at(equals + 2));
    return *equals != '=';
}

/* The text with clusters as directives; NULL after an error. malloc'ed. */
static char *with_clusters(const char *ptx)
{
    clusters list = {0};
    char *text = NULL;
    size_t size_bytes;
    bool ok = true;
    for (const char *p = ptx; ok && (p = strstr(p, destructor)); p++)
        ok = read_destructor(p, &list);
    if (ok) {
        FILE *f = open_memstream(&text, &size_bytes);
        must_have_memory(f != NULL);
        write_clusters(f, ptx, &list);
        must_have_memory(fclose(f) == 0);
    }
    vec_fini(&list);
    return text;
}

/* ---- required blocks ---------------------------------------------------- */

enum { PACKED = 1 << 30 }; /* as __weft_block_size of host_defines.h */
static const char bounds[] = "\n.maxntid ";
static const char blocks_of[] = "\n.minnctapersm ";

struct block_size {
    unsigned long block, cluster; /* packed */
    const char *end;              /* behind the bounds */
};

static unsigned unpacked_size(unsigned long n, unsigned dimension)
{
    static const unsigned char shift[] = {0, 11, 22};
    return n >> shift[dimension] & (dimension == 2 ? 0x7f : 0x7ff);
}

/* Is no bit set above and between those of the sizes? */
static bool is_packed(unsigned long n)
{
    return n >> 29 == PACKED >> 29;
}

/* False: the launch bounds at p are a program's own, however large. */
static bool read_block_size(const char *p, struct block_size *out)
{
    char *end;
    out->block = strtoul(p + sizeof bounds - 1, &end, 10);
    if (!starts_with(end, blocks_of))
        return false;
    out->cluster = strtoul(end + sizeof blocks_of - 1, &end, 10);
    out->end = end;
    unsigned long threads = 1;
    for (unsigned i = 0; i < 3; i++)
        threads *= unpacked_size(out->block, i);
    return is_packed(out->block) && is_packed(out->cluster) && threads >= 1 &&
           threads <= 1024;
}

/* The next launch bounds in `p` that are a __block_size__, or NULL. */
static const char *find_block_size(const char *p, struct block_size *out)
{
    while ((p = strstr(p, bounds)) && !read_block_size(p, out))
        p++;
    return p;
}

/* The text with .reqntid for __block_size__. malloc'ed, as `ptx` is, which
 * goes; `ptx` itself where there is none. */
static char *with_block_sizes(char *ptx, bool *has_changed)
{
    char *text = NULL;
    size_t size_bytes;
    struct block_size s;
    const char *p = ptx, *found = find_block_size(p, &s);
    if (!found)
        return ptx;
    FILE *f = open_memstream(&text, &size_bytes);
    must_have_memory(f != NULL);
    for (; found; p = s.end, found = find_block_size(p, &s)) {
        fwrite(p, 1, (size_t)(found - p), f);
        if (s.cluster != PACKED)
            fprintf(f, "\n.blocksareclusters\n.reqnctapercluster %u, %u, %u",
                    unpacked_size(s.cluster, 0), unpacked_size(s.cluster, 1),
                    unpacked_size(s.cluster, 2));
        fprintf(f, "\n.reqntid %u, %u, %u", unpacked_size(s.block, 0),
                unpacked_size(s.block, 1), unpacked_size(s.block, 2));
    }
    fputs(p, f);
    must_have_memory(fclose(f) == 0);
    free(ptx);
    *has_changed = true;
    return text;
}

/* Skips the ".visible " of a variable that gets a new name, since other modules
 * may have a variable of that name. */
static const char *skip_visible(const char *p, const renames *list)
{
    static const char visible[] = ".visible ";
    const char *name =
        list->count && starts_with(p, visible) ? declared_symbol(p) : "";
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->data[i].from, name) == 0)
            return p + sizeof visible - 1;
    return p;
}

static void write_text(FILE *f, const char *p, const renames *list)
{
    while (*p) {
        p = skip_declaration(p, list);
        p = skip_visible(p, list);
        if (starts_with(p, marked)) {
            fputs(managed, f);
            p += sizeof marked - 1;
        } else if (list->count && ptx_is_inner_char(*p)) {
            p = write_word(f, p, list);
        } else if (*p) {
            fputc(*p++, f);
        }
    }
}

bool cc_touch_up(const struct cc_options *o, const char *path)
{
    /* Output to stdout or to a device cannot be read again. */
    if (strcmp(path, "-") == 0 || starts_with(path, "/dev/"))
        return true;
    size_t size_bytes;
    char *ptx = cc_read_file(path, &size_bytes);
    if (!ptx)
        return false;
    char *without = cc_without_local_cas(ptx);
    bool has_changed = without != NULL;
    if (has_changed) {
        free(ptx);
        ptx = without;
    }
    if (!has_no_constructor(ptx)) {
        free(ptx);
        return false;
    }
    ptx = with_block_sizes(ptx, &has_changed);
    bool has_clusters = strstr(ptx, destructor) != NULL;
    if (has_clusters) {
        char *text = with_clusters(ptx);
        free(ptx);
        if (!text)
            return false;
        ptx = text;
    }
    renames list = {0};
    find_renames(ptx, &list);
    if (cc_makes_module(o))
        find_plain_names(ptx, &list);
    bool ok = true;
    if (has_changed || has_clusters || strstr(ptx, marked) || list.count) {
        FILE *f = fopen(path, "w");
        if (f)
            write_text(f, ptx, &list);
        ok = cc_close_written(f, path);
    }
    vec_fini(&list);
    free(ptx);
    return ok;
}
