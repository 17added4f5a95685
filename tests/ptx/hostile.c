/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx-hostile [--every N] FILE...: modules that nobody means well with. Each
 * must give a module or an error, in bounded time and memory: nesting, huge
 * numbers and names, zero bytes, text that ends anywhere (of each FILE every
 * prefix, and every character replaced by others in turn; every Nth of both).
 */
#include "ptx/ptx.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEMORY_MAX  ((rlim_t)1 << 30)
#define SECONDS_MAX 900 /* of processor time, with all files */

static const char *current = "none";

static void too_slow(int signal_number)
{
    (void)signal_number;
    (void)!write(2, current, strlen(current));
    (void)!write(2, ": takes too long\n", 17);
    _exit(1);
}

/* Is it taken? An error has a message; a module can be printed. */
static bool is_taken(const char *text, size_t length)
{
    struct diag diag;
    diag_init(&diag);
    struct ptx_module *m = ptx_parse("hostile", text, length, &diag);
    if (!m != !!diag.error_count || (!m && !diag.text)) {
        fprintf(stderr, "%s: neither a module nor an error\n", current);
        exit(1);
    }
    if (m)
        free(ptx_print(m));
    ptx_module_destroy(m);
    diag_fini(&diag);
    return m != NULL;
}

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

static VEC(char) built;

static void add(const char *text, size_t count)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < count * len; i++)
        if (!vec_push(&built, text[i % len]))
            abort();
}

/* before, `middle` count times, after: refused or taken as expected. */
static int check_built(const char *name, bool is_expected, const char *before,
                       const char *middle, size_t count, const char *after)
{
    current = name;
    built.count = 0;
    add(HEAD, 1);
    add(before, 1);
    add(middle, count);
    add(after, 1);
    bool found = is_taken(built.data, built.count);
    if (found != is_expected)
        fprintf(stderr, "%s: is %s\n", name, found ? "taken" : "refused");
    return found != is_expected;
}

static int check_sizes(void)
{
    static const struct {
        const char *name, *text;
        bool is_taken;
    } rows[] = {
        {"billions of registers",
         ".entry k() { .reg .b32 %r<4000000000>; "
         "mov.u32 %r3999999999, 1; ret; }",
         true},
        {"more registers than 32 bits count",
         ".entry k() { .reg .b32 %r<5000000000>; ret; }", false},
        {"numbers above 64 bits",
         ".entry k() { .reg .b32 %r; mov.u32 %r, 99999999999999999999; }",
         false},
        {"an array of 2^63", ".global .b8 a[9223372036854775808];", false},
        {"a product that wraps", ".global .b8 a[65536][65536][65536][65536];",
         false},
        {"a negative array", ".global .b8 a[-1];", false},
        {"parameters above 4 GiB",
         ".entry k(.param .b8 a[4000000000], .param .b8 b[4000000000]) "
         "{ ret; }",
         false},
        {"variables above 4 GiB",
         ".global .b8 a[4000000000]; "
         ".global .b8 b[4000000000];",
         false},
        {"an initialiser far behind", ".global .b8 a[4000000000] = {1};",
         false},
        {"its own initial value", ".global .u64 a = a;", false},
        {"initial values in a circle",
         ".extern .global .u64 b; .global .u64 a = b; "
         ".visible .global .u64 b = a;",
         true},
        {"an alias of itself", ".visible .func f(); .alias f, f;", false},
        {"aliases in a circle",
         ".visible .func f(); .visible .func g(); "
         ".alias f, g; .alias g, f;",
         false},
        {"an alignment of 2^31", ".global .align 2147483648 .b8 a;", false},
        {"a file far away", ".file 4000000000 \"a\"", false},
        {"a division that overflows",
         ".global .s64 a = (-9223372036854775807 - 1) / -1;", true},
        {"a remainder that overflows",
         ".global .s64 a = (-9223372036854775807 - 1) % -1;", true},
        {"a shift of 64", ".global .u64 a = 1 << 64;", true},
        {"a bank of many", ".const[99999999999] .u32 a;", false},
        {"a length of nothing", ".entry k() { .reg .b32 %r<>; }", false},
    };
    int failures = 0;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        failures += check_built(rows[i].name, rows[i].is_taken, rows[i].text,
                                "", 0, "");
    return failures;
}

static int check_nesting(void)
{
    const size_t many = 200000;
    return check_built("scopes", false, ".entry k() ", "{", many, "") +
           check_built("parentheses", false, ".global .u32 a = ", "(", many,
                       "") +
           check_built("operators", false, ".global .u32 a = ", "-", many,
                       "1;") +
           check_built("conditions", false, ".global .u32 a = ", "1?", many,
                       "1;") +
           check_built("initialisers", false, ".global .u32 a[1] = ", "{", many,
                       "") +
           check_built("dimensions", false, ".global .u32 a", "[1]", many,
                       ";") +
           check_built("sections", false, ".section .x ", "{", many, "") +
           check_built("a vector", false, ".entry k() { mov.b32 {", "a,", many,
                       "a}, b; }") +
           check_built("operands", false, ".entry k() { add.u32 ", "1,", many,
                       "1; }") +
           check_built("suffixes", false, ".entry k() { add", ".u32", many,
                       " a, b, c; }");
}

static int check_lengths(void)
{
    const size_t many = 300000;
    return check_built("a long name", true, ".global .u32 ", "a", many, ";") +
           check_built("a long register", false, ".entry k() { .reg .u32 %",
                       "r", many, "<3>; ret; }") +
           check_built("a long opcode", false, ".entry k() { ", "x", many,
                       "; }") +
           check_built("a long string", true, ".file 1 \"", "x", many, "\"\n") +
           check_built("a long line of blanks", true, "", " ", many, "") +
           check_built("a comment without end", false, "/*", "*", many, "") +
           check_built("instructions", true, ".entry k() { .reg .u32 a; ",
                       "add.u32 a, a, 1;\n", many, "ret; }") +
           check_built("labels", false, ".entry k() { ", "L: ", many,
                       "ret; }") +
           check_built("branches to nowhere", false, ".entry k() { ",
                       "bra L;\n", many, "ret; }") +
           check_built("errors", false, ".entry k() { ", "foo a, b;\n", many,
                       "ret; }");
}

/* Functions that call the one before them, the first the last. */
static int check_calls(void)
{
    const unsigned many = 100000;
    char text[80];

    current = "calls";
    built.count = 0;
    add(HEAD, 1);
    snprintf(text, sizeof text, ".func f%u();\n", many - 1);
    add(text, 1);
    for (unsigned i = 0; i < many; i++) {
        snprintf(text, sizeof text, ".func f%u() { call f%u, (); ret; }\n", i,
                 i ? i - 1 : many - 1);
        add(text, 1);
    }
    bool found = is_taken(built.data, built.count);
    if (found)
        fprintf(stderr, "%s: are taken\n", current);
    return found;
}

static bool read_file(const char *name)
{
    char buffer[4096];
    FILE *file = fopen(name, "rb");
    built.count = 0;
    if (!file)
        return false;
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file));)
        for (size_t i = 0; i < got; i++)
            if (!vec_push(&built, buffer[i]))
                abort();
    fclose(file);
    return true;
}

/* Every beginning; every character as something else. */
static int check_file(const char *name, size_t step)
{
    static const char others[] = {0,   '\n', '"', '{',       '}', ';',
                                  '.', '9',  '%', '(',       ',', '[',
                                  '<', '-',  'x', (char)0xff};
    current = name;
    if (!read_file(name)) {
        fprintf(stderr, "cannot read %s\n", name);
        return 1;
    }
    for (size_t i = 0; i < built.count; i += step) {
        char kept = built.data[i];
        is_taken(built.data, i);
        built.data[i] = others[i % sizeof others];
        is_taken(built.data, built.count);
        built.data[i] = kept;
    }
    is_taken(built.data, built.count);
    return 0;
}

int main(int argc, char **argv)
{
#ifndef __SANITIZE_ADDRESS__ /* which maps terabytes for itself */
    struct rlimit limit = {MEMORY_MAX, MEMORY_MAX};
    setrlimit(RLIMIT_AS, &limit);
#endif
    struct rlimit time = {SECONDS_MAX, RLIM_INFINITY};
    setrlimit(RLIMIT_CPU, &time);
    signal(SIGXCPU, too_slow);
    int failures = check_sizes() + check_nesting() + check_lengths() +
                   check_calls();
    int first = 1;
    size_t step = 1;
    if (argc > 2 && strcmp(argv[1], "--every") == 0) {
        step = strtoul(argv[2], NULL, 10);
        first = 3;
    }
    if (step == 0) {
        fprintf(stderr, "--every needs a number\n");
        return 2;
    }
    for (int i = first; i < argc; i++)
        failures += check_file(argv[i], step);
    vec_fini(&built);
    return failures != 0;
}
