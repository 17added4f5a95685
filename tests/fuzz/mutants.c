/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutants FIRST-SEED COUNT [KERNEL.ptx...]: damaged modules on their whole way.
 * A random kernel, or one of the files, loses, repeats and swaps lines and
 * words and gets numbers of all sizes; it must be refused with a message or
 * compiled, in bounded time and memory, and then it is run. What it computes is
 * nobody's business, and it may run for ever: only how far a process of its own
 * came before it crashed, or before its time was up, counts.
 */
#include "engines.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    COMPILE_S = 60, /* processor time; random kernels take a tenth of one */
    RUN_S = 1,
    TEXT_MAX = 1 << 20,
    LINES_MAX = 20000,
};

#define MEMORY_MAX ((rlim_t)8 << 30)

static uint64_t state;

/* splitmix64: Steele, Lea, Flood, 2014 */
static unsigned below(size_t n)
{
    uint64_t v = state += UINT64_C(0x9E3779B97F4A7C15);
    v = (v ^ v >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    v = (v ^ v >> 27) * UINT64_C(0x94D049BB133111EB);
    return n ? (unsigned)((v ^ v >> 31) >> 33) % (unsigned)n : 0;
}

/* ---- damage -------------------------------------------------------------- */

struct text {
    char *lines[LINES_MAX]; /* malloc'ed */
    size_t count;
};

static void split(struct text *t, const char *s)
{
    t->count = 0;
    while (*s && t->count < LINES_MAX) {
        size_t len = strcspn(s, "\n");
        t->lines[t->count++] = strndup(s, len);
        s += len + (s[len] == '\n');
    }
}

/* malloc'ed; the text ends after `count` lines. */
static char *joined(struct text *t, size_t count)
{
    char *out = calloc(1, TEXT_MAX);
    size_t at = 0;
    for (size_t i = 0; out && i < count && i < t->count; i++)
        if (at + strlen(t->lines[i]) + 2 < TEXT_MAX)
            at += (size_t)sprintf(out + at, "%s\n", t->lines[i]);
    return out;
}

static void clear(struct text *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->lines[i]);
    t->count = 0;
}

/* A word of the line: where it begins, how long it is; length 0: none. */
static size_t find_word(const char *line, size_t *length)
{
    static const char parts[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                "UVWXYZ0123456789_$%";
    size_t starts[64], count = 0;
    for (size_t i = strlen(line), at = 0; at < i && count < 64;) {
        at += strcspn(line + at, parts);
        if (at < i)
            starts[count++] = at;
        at += strspn(line + at, parts);
    }
    *length = 0;
    if (!count)
        return 0;
    size_t start = starts[below(count)];
    *length = strspn(line + start, parts);
    return start;
}

static void replace_word(struct text *t, size_t line, const char *with,
                         size_t with_length)
{
    size_t length, start = find_word(t->lines[line], &length);
    const char *old = t->lines[line];
    char *new = NULL;
    if (length && asprintf(&new, "%.*s%.*s%s", (int)start, old,
                           (int)with_length, with, old + start + length) > 0) {
        free(t->lines[line]);
        t->lines[line] = new;
    }
}

static void damage(struct text *t)
{
    static const char *const numbers[] = {
        "0",  "1",  "-1", "31", "32", "64", "65536", "2147483647", "4294967295",
        "18446744073709551615", "0f7FC00001", "0d7FF0000000000000", "1024"};
    size_t a = below(t->count), b = below(t->count), length;
    char *line = t->lines[a];
    const char *number = numbers[below(ARRAY_COUNT(numbers))];

    switch (below(8)) {
    case 0: /* lost */
        *line = '\0';
        break;
    case 1: /* elsewhere, twice */
        free(t->lines[b]);
        t->lines[b] = strdup(t->lines[a]);
        break;
    case 2: /* swapped */
        t->lines[a] = t->lines[b];
        t->lines[b] = line;
        break;
    case 3:
        replace_word(t, a, number, strlen(number));
        break;
    default: { /* a word of another line, most likely one like it */
        size_t start = find_word(t->lines[b], &length);
        char *word = strndup(t->lines[b] + start, length);
        if (length)
            replace_word(t, a, word, length);
        free(word);
    }
    }
}

/* malloc'ed */
static char *damaged(const char *original)
{
    static struct text t;
    split(&t, original);
    for (unsigned n = 1 + below(4); n && t.count; n--)
        damage(&t);
    char *out = joined(&t, below(40) ? t.count : below(t.count));
    clear(&t);
    return out;
}

/* ---- runs ---------------------------------------------------------------- */

/* How far the process came; shared with it. */
static enum stage { COMPILING, RUNNING, ENDED } *stage;

static void compile_and_run(struct fuzz_case *c)
{
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(1);
    setrlimit(RLIMIT_CPU, &(struct rlimit){COMPILE_S, COMPILE_S + 1});
    setrlimit(RLIMIT_DATA, &(struct rlimit){MEMORY_MAX, MEMORY_MAX});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    bool is_compiled = fuzz_compiles(c);
    *stage = RUNNING;
    setrlimit(RLIMIT_CPU, &(struct rlimit){RUN_S, RUN_S + 1});
    alarm(RUN_S * 5); /* some wait for each other */
    if (is_compiled)
        fuzz_compare(c);
    *stage = ENDED;
    _exit(is_compiled);
}

struct tally {
    uint64_t refused, compiled, unfinished, bad;
};

static void count_outcome(struct tally *sum, int status, uint64_t seed,
                          const char *text)
{
    if (*stage == ENDED) {
        *(WEXITSTATUS(status) ? &sum->compiled : &sum->refused) += 1;
        return;
    }
    if (*stage == RUNNING) { /* stray stores and endless loops are its own */
        sum->unfinished++;
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "mutant-%" PRIu64 ".ptx", seed);
    FILE *f = fopen(name, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    printf("seed %" PRIu64 ": %s while compiling, kept as %s\n", seed,
           WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "an exit", name);
    sum->bad++;
}

static void try(uint64_t seed, const struct fuzz_case *original,
                struct tally *sum)
{
    struct fuzz_case c = *original;
    int status;
    state = seed;
    c.text = damaged(original->text);
    *stage = COMPILING;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0 || !c.text)
        abort();
    if (child == 0)
        compile_and_run(&c);
    while (waitpid(child, &status, 0) < 0)
        ;
    count_outcome(sum, status, seed, c.text);
    free(c.text);
}

/* malloc'ed; exits after a message. */
static char *read_file(const char *name)
{
    char *text = calloc(1, TEXT_MAX);
    FILE *f = fopen(name, "r");
    if (!f || !text) {
        fprintf(stderr, "mutants: cannot open %s\n", name);
        exit(2);
    }
    text[fread(text, 1, TEXT_MAX - 1, f)] = '\0';
    fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: mutants FIRST-SEED COUNT [KERNEL.ptx...]\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    uint64_t first = strtoull(argv[1], NULL, 0), end = first;
    struct tally sum = {0};
    end += strtoull(argv[2], NULL, 0);
    stage = mmap(NULL, sizeof *stage, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (stage == MAP_FAILED)
        abort();
    fuzz_load_compiler();
    for (uint64_t seed = first; seed < end; seed++) {
        struct fuzz_case c;
        fuzz_generate(seed / 8, 25, &c);
        if (argc > 3 && seed % 2) {
            free(c.text);
            c.text = read_file(argv[3 + seed / 2 % (uint64_t)(argc - 3)]);
        }
        try(seed, &c, &sum);
        free(c.text);
    }
    printf("%" PRIu64 " refused, %" PRIu64 " compiled, %" PRIu64
           " did not end, %" PRIu64 " bad\n",
           sum.refused, sum.compiled, sum.unfinished, sum.bad);
    return sum.bad != 0;
}
