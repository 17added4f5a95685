/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of engine.h: each routine as it should be, then with each bad value. */
#ifndef WEFT_STATUSES_CALLS_H
#define WEFT_STATUSES_CALLS_H

/* Which call it is: shared with the parent. */
struct progress {
    int index, compared, modelled, failures;
    bool is_over;
};

static void one_call(struct progress *progress, const struct routine *r,
                     int argument, int bad)
{
    long long args[ARGUMENTS_MAX] = {0};
    const char *p = r->letters;
    char rest[LINE_MAX_];
    long expected = 0;
    enum known known = UNKNOWN;
    if (argument >= 0)
        snprintf(rest, sizeof rest, "(%s) %d = %lld", p, argument,
                 letter_of(p[argument])->bad[bad]);
    else
        snprintf(rest, sizeof rest, "(%s)", p);
    if (truth_count)
        known = find_truth(r->name, rest, &expected);
    if (truth_count && known == UNKNOWN)
        return;
    routine_name = r->name;
    library_reset();
    fill_args(p, argument, bad, args);
    if (!truth_count)
        printf("%s%s: ", r->name, rest);
    fflush(stdout);
    alarm(20);
    long status = STATUS(call_all(r->function, args));
    cudaError_t fault = SETTLE();
    if (!truth_count)
        printf(fault ? "%ld fault\n" : "%ld\n", status);
    *(known == OF_MODEL ? &progress->modelled : &progress->compared) += 1;
    if (truth_count && (status != expected || fault)) {
        printf("%s%s: %ld%s, expected %ld\n", r->name, rest, status,
               fault ? " fault" : "", expected);
        progress->failures++;
    }
    const char *complaint = truth_count ? COMPLAINT() : NULL;
    if (complaint) {
        printf("%s%s: %s\n", r->name, rest, complaint);
        progress->failures++;
    }
    fflush(stdout);
    if (fault)
        _exit(1);
}

/* Pointers and handles come last: the NULL ones may kill. */
static bool is_late(char letter)
{
    return strchr(LATE_LETTERS, letter) != NULL;
}

/* All calls of a routine, those of late arguments or the others. */
static void routine_calls(struct progress *progress, const struct routine *r,
                          bool is_late_turn, int *index)
{
    int last = ARE_GOOD_ONLY ? 0 : (int)strlen(r->letters);
    for (int a = -1; a < last; a++) {
        bool late = a >= 0 && is_late(r->letters[a]);
        int count = 1;
        if (a >= 0)
            count = strchr(":;,.", r->letters[a])
                        ? 0
                        : letter_of(r->letters[a])->bad_count;
        if (late != is_late_turn)
            continue;
        for (int bad = 0; bad < count; bad++) {
            if ((*index)++ < progress->index)
                continue;
            progress->index = *index;
            one_call(progress, r, a, bad);
        }
    }
}

static void all_calls(struct progress *progress)
{
    int index = 0, part = 0, parts = 1;
    if (getenv("PART"))
        sscanf(getenv("PART"), "%d/%d", &part, &parts);
    library_prepare();
    for (int late = 0; late < 2; late++)
        for (int i = 0; i < routine_count; i++)
            if (routines[i].function && i % parts == part)
                routine_calls(progress, &routines[i], late, &index);
    progress->is_over = true;
}

int main(int argc, char **argv)
{
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc > 1 && !read_truth(argv[1]))
        return 2;
    for (int i = 0; i < routine_count; i++)
        if (!routines[i].function)
            routines[i].function = dlsym(RTLD_DEFAULT, routines[i].name);
    /* Calls that take a file descriptor get 0. */
    if (!freopen("/dev/null", "r", stdin))
        return 2;
    time_t start = time(NULL);
    const char *limit = getenv("SECONDS_MAX");
    while (!progress->is_over) {
        int status;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            all_calls(progress);
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) {
            printf("signal %d\n", WTERMSIG(status));
            progress->failures++;
        }
        if (limit && time(NULL) - start > atoi(limit)) {
            printf("stopped\n");
            break;
        }
    }
    if (truth_count)
        printf("%d calls, %d by their models, %d failures\n",
               progress->compared, progress->modelled, progress->failures);
    if (ARE_GOOD_ONLY)
        return progress->failures || progress->compared < 100;
    /* Of recorded calls, each is compared. */
    return truth_count &&
           (progress->failures || progress->compared != truth_count);
}

#endif
