/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare and swap in local memory, for which clang writes atom.local.cas, an
 * instruction that PTX lacks. No other thread sees local memory, so a load, a
 * comparison and a store replace it. (For other atomic operations clang writes
 * such code itself.)
 */
#include "cc/cc.h"

#include <stdio.h>
#include <stdlib.h>

static const char suffix[] = ".local.cas.";

/* The parts of "\tatom.acquire.sys.local.cas.b32 \td, [a], b, c;". */
struct cas {
    const char *type, *result, *address, *expected, *desired;
};

static const char *copy_of(const char *p, size_t length)
{
    return arena_strndup(cc_arena, p, length);
}

/* False: the line is no such instruction. */
static bool read_cas(const char *line, struct cas *out)
{
    const char **const part[] = {&out->result, &out->address, &out->expected,
                                 &out->desired};
    size_t length = strcspn(line, "\n");
    const char *at = memmem(line, length, suffix, sizeof suffix - 1);

    if (!starts_with(line, "\tatom.") || !at)
        return false;
    const char *p = at + sizeof suffix - 1;
    size_t type = strcspn(p, " \t\n");
    out->type = copy_of(p, type);
    p += type;
    for (unsigned i = 0; i < 4; i++) {
        p += strspn(p, " \t,");
        size_t size = strcspn(p, ",;\n");
        if (!size || p[size] != (i < 3 ? ',' : ';'))
            return false;
        *part[i] = copy_of(p, size);
        p += size;
    }
    return true;
}

static void write_cas(FILE *f, const struct cas *c)
{
    fprintf(f,
            "\t{\n\t.reg .pred %%is_expected;\n\t.reg .%s %%held;\n"
            "\tld.local.%s \t%%held, %s;\n"
            "\tsetp.eq.%s \t%%is_expected, %%held, %s;\n"
            "\t@%%is_expected st.local.%s \t%s, %s;\n"
            "\tmov.%s \t%s, %%held;\n\t}",
            c->type, c->type, c->address, c->type, c->expected, c->type,
            c->address, c->desired, c->type, c->result);
}

char *cc_without_local_cas(const char *ptx)
{
    char *text = NULL;
    size_t size_bytes;
    FILE *f = strstr(ptx, suffix) ? open_memstream(&text, &size_bytes) : NULL;

    if (!f)
        return NULL;
    for (const char *line = ptx; *line;) {
        size_t length = strcspn(line, "\n");
        struct cas c;
        if (read_cas(line, &c))
            write_cas(f, &c);
        else
            fwrite(line, 1, length, f);
        line += length;
        if (*line)
            fputc(*line++, f);
    }
    fclose(f);
    return text;
}
