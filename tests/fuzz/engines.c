/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs random kernels on the interpreter and on compiled code and compares
 * every result bit for bit. What fails is named and kept as a file that can be
 * run again.
 */
#include "engines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "exec/exec.h"

/* Of one kernel, when it has a process of its own. */
enum { LIMIT_S = 20 };

/* ---- files -------------------------------------------------------------- */

void fuzz_write(FILE *f, const struct fuzz_case *c)
{
    fprintf(f,
            "// seed %" PRIu64 " --grid %u --block %u,%u,%u --lanes %u "
            "--warps %u\n%s",
            c->seed, c->grid[0], c->block[0], c->block[1], c->block[2],
            c->lane_count, c->warp_count, c->text);
}

bool fuzz_read(const char *text, struct fuzz_case *c)
{
    *c = (struct fuzz_case){
        .grid = {1, 1, 1}, .lane_count = 32, .text = (char *)text};
    return sscanf(text,
                  "// seed %" SCNu64 " --grid %u --block %u,%u,%u --lanes %u "
                  "--warps %u",
                  &c->seed, &c->grid[0], &c->block[0], &c->block[1],
                  &c->block[2], &c->lane_count, &c->warp_count) >= 5;
}

static void keep(const struct fuzz_case *c, const char *folder)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/engines-%" PRIu64 ".ptx", folder, c->seed);
    FILE *f = fopen(name, "w");
    if (!f) {
        perror(name);
        return;
    }
    fuzz_write(f, c);
    fclose(f);
    printf("  kept as %s, %zu instructions\n", name,
           fuzz_instruction_count(c->text));
}

/* malloc'ed; exits after a message. */
static char *read_case(const char *name, struct fuzz_case *c)
{
    static const size_t size = 1 << 20;
    char *text = calloc(1, size);
    FILE *f = fopen(name, "r");
    if (!f || !text) {
        fprintf(stderr, "engines: cannot open %s\n", name);
        exit(2);
    }
    text[fread(text, 1, size - 1, f)] = '\0';
    fclose(f);
    if (fuzz_read(text, c))
        return text;
    fprintf(stderr, "engines: %s does not begin with '// seed ...'\n", name);
    exit(2);
}

static int run_file(const char *name)
{
    struct fuzz_case c;
    char *text = read_case(name, &c);
    enum fuzz_outcome outcome = fuzz_compare(&c);
    exec_stop();
    free(text);
    printf("%s\n", fuzz_outcome_name(outcome));
    return outcome != FUZZ_AGREE;
}

/* ---- cutting down -------------------------------------------------------- */

static bool fails_so(const struct fuzz_case *c, void *data)
{
    return fuzz_compare_apart(c, LIMIT_S) == *(enum fuzz_outcome *)data;
}

static void minimise_and_keep(const struct fuzz_case *c,
                              enum fuzz_outcome outcome, const char *folder)
{
    struct fuzz_case small = *c;
    small.text = fuzz_minimise(c, fails_so, &outcome);
    keep(&small, folder);
    free(small.text);
}

static int minimise_file(const char *name, const char *folder)
{
    struct fuzz_case c;
    char *text = read_case(name, &c);
    enum fuzz_outcome outcome = fuzz_compare_apart(&c, LIMIT_S);
    printf("%s: %s\n", name, fuzz_outcome_name(outcome));
    if (outcome != FUZZ_AGREE)
        minimise_and_keep(&c, outcome, folder);
    free(text);
    return outcome == FUZZ_AGREE;
}

/* Stands for a failure: the kernel has this word, and the engines agree. */
static bool has_word(const struct fuzz_case *c, void *word)
{
    return strstr(c->text, word) &&
           fuzz_compare_apart(c, LIMIT_S) == FUZZ_AGREE;
}

/* Of a kernel that "fails" because of one instruction not much is left. It is
 * the first from `seed` on with the word: what a seed makes changes with the
 * generator. */
static int test_minimiser(uint64_t seed, const char *word)
{
    const uint64_t end = seed + 1000;
    struct fuzz_case c;
    for (fuzz_generate(seed, 15, &c); !has_word(&c, (void *)word);
         fuzz_generate(seed, 15, &c)) {
        free(c.text);
        if (++seed == end) {
            fprintf(stderr, "engines: 1000 seeds before %" PRIu64 " have no %s\n",
                    end, word);
            return 2;
        }
    }
    char *text = fuzz_minimise(&c, has_word, (void *)word);
    printf("%zu instructions of %zu are left\n%s", fuzz_instruction_count(text),
           fuzz_instruction_count(c.text), text);
    free(text);
    free(c.text);
    return 0;
}

/* ---- seeds -------------------------------------------------------------- */

static int run_seeds(uint64_t first, uint64_t count, unsigned size)
{
    uint64_t failed = 0;

    for (uint64_t seed = first; seed < first + count; seed++) {
        struct fuzz_case c;
        fuzz_generate(seed, size, &c);
        enum fuzz_outcome outcome = fuzz_compare(&c);
        if (outcome != FUZZ_AGREE) {
            printf("seed %" PRIu64 ": %s\n", seed, fuzz_outcome_name(outcome));
            keep(&c, ".");
            failed++;
        }
        free(c.text);
    }
    exec_stop();
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", count - failed, failed);
    return failed != 0;
}

/* One lane to a call in some, several warps in others. */
static void choose_lanes(struct fuzz_case *c)
{
    static const uint32_t ways[][2] = {{32, 0}, {32, 1}, {32, 2}, {32, 8},
                                       {0, 0},  {1, 0},  {32, 4}, {32, 0}};
    size_t way = (size_t)(hash_bytes(&c->seed, sizeof c->seed, 0) % 8);
    if (c->lane_count) /* else it has to choose */
        c->lane_count = ways[way][0];
    c->warp_count = ways[way][1];
}

/* Each kernel in a process of its own, other ones in every run. */
static int run_for(unsigned seconds, const char *folder)
{
    static const unsigned sizes[] = {10, 25, 40, 60, 120, 250};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t first = ((uint64_t)now.tv_sec << 20) + 1, seed = first;
    time_t end = time(NULL) + (time_t)seconds;
    unsigned failed = 0;

    for (; time(NULL) < end; seed++) {
        struct fuzz_case c;
        fuzz_generate(seed, sizes[seed % ARRAY_COUNT(sizes)], &c);
        choose_lanes(&c);
        enum fuzz_outcome outcome = fuzz_compare_apart(&c, LIMIT_S);
        if (outcome != FUZZ_AGREE) {
            printf("seed %" PRIu64 ": %s\n", seed, fuzz_outcome_name(outcome));
            minimise_and_keep(&c, outcome, folder);
            failed++;
        }
        free(c.text);
    }
    printf("%" PRIu64 " kernels, %u failed\n", seed - first, failed);
    return failed != 0;
}

static int usage(void)
{
    fputs("usage: engines FIRST-SEED COUNT [SIZE]\n"
          "       engines KEPT.ptx\n"
          "       engines --seconds N FOLDER     keeps small cases there\n"
          "       engines --minimise KEPT.ptx FOLDER\n"
          "       engines --test-minimiser SEED WORD\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 2 && argv[1][0] != '-')
        return run_file(argv[1]);
    if (argc == 4 && !strcmp(argv[1], "--seconds"))
        return run_for((unsigned)strtoul(argv[2], NULL, 0), argv[3]);
    if (argc == 4 && !strcmp(argv[1], "--minimise"))
        return minimise_file(argv[2], argv[3]);
    if (argc == 4 && !strcmp(argv[1], "--test-minimiser"))
        return test_minimiser(strtoull(argv[2], NULL, 0), argv[3]);
    if (argc < 3 || argv[1][0] == '-')
        return usage();
    return run_seeds(strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0),
                     argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 40);
}
