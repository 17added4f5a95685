/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that what clang wrote is PTX: it copies the text of asm statements as
 * it is, and a mistake there would only show when the program runs. (nvcc's
 * assembler reports it at this point, too.)
 */
#include "cc/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "fatbin/fatbin.h"

/* nvcc 12.8, for which weftcc stands in, writes PTX 8.7. */
enum { NVCC_MAJOR = 8, NVCC_MINOR = 7 };

/* Behind `.version` and blanks; NULL: none. Only comments may be before it. */
static const char *find_version(const char *ptx)
{
    static const char word[] = ".version ";
    for (const char *line = ptx; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, word, sizeof word - 1) == 0)
            return line + strspn(line + sizeof word - 1, " \t") + sizeof word -
                   1;
    }
    return NULL;
}

/* The image's text with nvcc's version, malloc'ed; NULL: it has that or a
 * newer one, or out of memory. */
static char *with_nvcc_version(const struct fatbin_image *image, size_t *bytes)
{
    const char *at = find_version(image->ptx);
    char *rest, *out = NULL;
    unsigned long major = at ? strtoul(at, &rest, 10) : NVCC_MAJOR + 1;
    if (major > NVCC_MAJOR || *rest != '.')
        return NULL;
    if (strtoul(rest + 1, &rest, 10) >= NVCC_MINOR && major == NVCC_MAJOR)
        return NULL;
    int n = asprintf(&out, "%.*s%d.%d%s", (int)(at - image->ptx), image->ptx,
                     NVCC_MAJOR, NVCC_MINOR, rest);
    *bytes = n > 0 ? (size_t)n : 0;
    return n > 0 ? out : NULL;
}

/* clang writes the version that its own instructions need; asm statements may
 * need a newer one, which nvcc would have written. NULL: the text is wrong
 * with that, too, or there is none; `diag` has the last error. */
static struct ptx_module *
parse_as_nvcc(const char *name, struct fatbin_image *image, struct diag *diag)
{
    size_t bytes;
    char *raised = with_nvcc_version(image, &bytes);
    if (!raised)
        return NULL;
    diag_fini(diag);
    diag_init(diag);
    struct ptx_module *m = ptx_parse(name, raised, bytes, diag);
    if (!m) {
        free(raised);
        return NULL;
    }
    free((char *)image->ptx);
    image->ptx = raised;
    image->bytes = bytes;
    return m;
}

bool cc_check_ptx(const char *name, struct fatbin_image *image)
{
    struct diag diag;
    if (!find_version(image->ptx))
        return true; /* it is no PTX at all: cc_fatbin_write says so */
    diag_init(&diag);
    struct ptx_module *m = ptx_parse(name, image->ptx, image->bytes, &diag);
    if (!m)
        m = parse_as_nvcc(name, image, &diag);
    if (diag.text)
        fputs(diag.text, stderr);
    bool is_good = m != NULL;
    if (!is_good)
        cc_error(
            "the device code is no valid PTX: a limit is passed, or an asm "
            "statement is wrong or not for this -arch; --keep keeps '%s'",
            name);
    ptx_module_destroy(m);
    diag_fini(&diag);
    return is_good;
}
