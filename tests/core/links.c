/* SPDX-License-Identifier: Apache-2.0 */
/* Links with the 1st, 2nd, 3rd ... table of theirs lacking memory: an error of
 * its own, not one of the PTX, which is right. */
#define _GNU_SOURCE
#include "../exec/check.h"
#include "core/core.h"
#include "core/internal.h"
#include "link/link.h"

#include <stdlib.h>

void *__libc_calloc(size_t, size_t);

/* Tables ask for several entries, arenas for one piece. */
static unsigned tables, failing; /* 0: none fails */

void *calloc(size_t count, size_t size)
{
    if (count > 1 && ++tables == failing)
        return NULL;
    return __libc_calloc(count, size);
}

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
static const char caller[] = HEAD ".extern .func twice(.param .b32 x);\n"
                                  ".global .u32 own;\n"
                                  ".visible .entry k()\n{ .param .b32 p; "
                                  "st.param.b32 [p], 1; call twice, (p); }\n";
static const char callee[] = HEAD ".visible .func twice(.param .b32 x) { }\n"
                                  ".global .u32 own;\n";

/* Starts to count anew, and makes the n-th table fail. */
static void fail_table(unsigned n)
{
    tables = 0;
    failing = n;
}

static struct ptx_module *parse(const char *text)
{
    struct diag log;
    diag_init(&log);
    struct ptx_module *m = ptx_parse("ptx", text, strlen(text), &log);
    CHECK(m && !log.error_count);
    diag_fini(&log);
    return m;
}

/* True: the link succeeded, with `n - 1` tables or fewer. */
static bool link_two(unsigned n)
{
    static const char *const names[] = {"caller", "callee"};
    struct ptx_module *modules[] = {parse(caller), parse(callee)};
    struct diag log;
    diag_init(&log);
    fail_table(n);
    struct ptx_module *m = link_modules(modules, names, 2, &log);
    bool has_failed = tables >= n;
    fail_table(0);
    CHECK_EQUAL(log.error_count, 0);
    CHECK_EQUAL(m == NULL, has_failed);
    ptx_module_destroy(m);
    diag_fini(&log);
    return m != NULL;
}

static bool load_two(unsigned n)
{
    const void *const images[] = {caller, callee};
    struct ptx_module *m = NULL;
    struct diag log;
    uint64_t hash;
    diag_init(&log);
    fail_table(n);
    CUresult err = module_link_parts(images, 2, &log, &m, &hash);
    fail_table(0);
    if (err)
        CHECK_EQUAL(err, CUDA_ERROR_OUT_OF_MEMORY);
    else
        ptx_module_destroy(m);
    CHECK_EQUAL(log.error_count, 0);
    diag_fini(&log);
    return !err;
}

int main(void)
{
    unsigned n = 1;
    while (!link_two(n))
        n++;
    CHECK(n > 2); /* of names and of what is replaced */
    /* Parsing has tables, too, and ends the process where they lack memory. */
    fail_table(0);
    ptx_module_destroy(parse(caller));
    ptx_module_destroy(parse(callee));
    unsigned first = tables + 1;
    for (unsigned k = 0; k + 1 < n; k++)
        CHECK(!load_two(first + k));
    CHECK(load_two(first + n - 1));
    return check_result();
}
