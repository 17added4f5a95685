/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every call of the table, as it should be, with its 1st, 2nd, 3rd ...
 * allocation failing until it succeeds: it says so or answers as with memory,
 * and the process lives. Not those that read device code, since the compiler
 * ends the process where memory runs out.
 */
#define OTHER_CALLS
#include "api.h"

#include "../runtime/failing_allocators.h"

enum { TRIES = 64 };

static int failures;

static bool reads_code(const char *name)
{
    static const char *const words[] = {
        "Module", "Library", "Link", "Launch", "Kernel", "Func", "Occupancy"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

/* Returns how many allocations the call makes. */
static int starve(const struct routine *r, int out_of_memory)
{
    long long args[ARGUMENTS_MAX];
    long with_memory;
    for (int n = 0; n < TRIES; n++) {
        routine_name = r->name;
        library_reset();
        memset(args, 0, sizeof args);
        fill_args(r->letters, -1, 0, args);
        has_failed = false;
        until_failure = (unsigned)n;
        long status = call_all(r->function, args);
        until_failure = 0;
        settle();
        if (n == 0)
            with_memory = status;
        else if (!has_failed)
            return n - 1;
        else if (status != out_of_memory && status != with_memory) {
            printf("%s, allocation %d: %ld, with memory %ld\n", r->name, n,
                   status, with_memory);
            failures++;
        }
    }
    return TRIES;
}

int main(void)
{
    int calls = 0, allocations = 0;
    library_prepare();
    if (!freopen("/dev/null", "r", stdin))
        return 2;
    for (int i = 0; i < routine_count; i++) {
        struct routine *r = &routines[i];
        if (reads_code(r->name))
            continue;
        fflush(stdout);
        int count = starve(r, CUDA_ERROR_OUT_OF_MEMORY);
        calls += count > 0;
        allocations += count;
    }
    printf("%d calls with %d allocations, %d failures\n", calls, allocations,
           failures);
    return failures || calls < 30;
}
