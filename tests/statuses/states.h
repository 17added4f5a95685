/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls answer that are as they should be, in a state that is not:
 *
 *     early     before cuInit
 *     bare      in a thread without a context
 *     failed    after a kernel's stray store
 *     gone      with objects whose context has been destroyed; another is
 * current full      when no memory of the device is left callback  from a
 * function that a stream calls
 *
 * Each routine's arguments are made before, of objects of its own. A line for
 * each:
 *
 *     failed cuMemAlloc(OS): 700
 *
 * Run as PROGRAM TRUTH STATE it compares (engine.h); with an empty TRUTH it
 * prints. A child makes the calls, another goes on where one died or waited for
 * too long.
 */
#define OTHER_CALLS
#include "api.h"

#include <stdatomic.h>

static const char stray_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry stray()\n"
    "{ .reg .b64 %d<2>; mov.u64 %d1, 64; st.global.u32 [%d1], 1; ret; }\n";

enum state { EARLY, BARE, FAILED, GONE, FULL, CALLBACK, STATE_COUNT };
static const char *const state_names[STATE_COUNT] = {
    "early", "bare", "failed", "gone", "full", "callback"};
static enum state state;

struct progress { /* shared with the parent */
    int next, compared, failures;
    bool is_over;
};

static struct prepared {
    long long args[ARGUMENTS_MAX];
    CUstream stream; /* the call may begin a capture of it */
} prepared[512];

static long call(int i)
{
    routine_name = routines[i].name;
    return call_all(routines[i].function, prepared[i].args);
}

static void prepare_arguments(int first)
{
    for (int i = first; i < routine_count; i++) {
        if (!routines[i].function)
            continue;
        routine_name = routines[i].name;
        stream = NULL;
        graph = NULL;
        fill_args(routines[i].letters, -1, 0, prepared[i].args);
        prepared[i].stream = stream;
    }
}

/* Without objects: nothing reads them before cuInit. */
static void prepare_nothing(int first)
{
    for (int i = first; i < routine_count; i++) {
        const char *p = routines[i].letters;
        for (int a = 0; p[a]; a++)
            prepared[i].args[a] = letter_of(p[a])->good == -77
                                      ? (long long)zeros[a]
                                      : letter_of(p[a])->good;
    }
}

static void fail(void)
{
    CUmodule m;
    CUfunction f;
    NEED(cuModuleLoadData(&m, stray_ptx));
    NEED(cuModuleGetFunction(&f, m, "stray"));
    NEED(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    if (cuCtxSynchronize() != CUDA_ERROR_ILLEGAL_ADDRESS)
        exit(2);
}

/* Calls may have freed some since. */
static void fill_device(void)
{
    CUdeviceptr p;
    size_t available, total;
    NEED(cuMemGetInfo(&available, &total));
    for (size_t size = available; size >= 1 << 20;)
        if (cuMemAlloc(&p, size))
            size /= 2;
    while (!cuMemAlloc(&p, 1 << 10))
        ;
}

static void enter_once(void)
{
    CUcontext doomed = context;
    if (state == FAILED)
        fail();
    if (state != GONE)
        return;
    NEED(cuDevicePrimaryCtxRetain(&context, 0));
    NEED(cuCtxDestroy(doomed));
}

static struct { /* a call that a stream makes */
    int number;
    long status;
    _Atomic bool is_done;
} from_stream;

static void CUDA_CB make_call(void *data)
{
    (void)data;
    from_stream.status = call(from_stream.number);
    atomic_store(&from_stream.is_done, true);
}

static bool call_from_stream(int i, long *status)
{
    CUstream s;
    const struct timespec pause = {0, 1000000};
    from_stream.number = i;
    atomic_store(&from_stream.is_done, false);
    NEED(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    NEED(cuLaunchHostFunc(s, make_call, NULL));
    for (int n = 0; n < 1000 && !atomic_load(&from_stream.is_done); n++)
        nanosleep(&pause, NULL);
    *status = from_stream.status;
    return atomic_load(&from_stream.is_done);
}

static void report(struct progress *progress, int i, bool is_done, long status)
{
    char name[LINE_MAX_], rest[LINE_MAX_];
    long expected;
    snprintf(name, sizeof name, "%s %s", state_names[state], routines[i].name);
    snprintf(rest, sizeof rest, "(%s)", routines[i].letters);
    if (!truth_count && is_done)
        printf("%s%s: %ld\n", name, rest, status);
    else if (!truth_count)
        printf("%s%s: waits\n", name, rest);
    else if (find_truth(name, rest, &expected)) {
        progress->compared++;
        if (is_done && status == expected)
            return;
        progress->failures++;
        printf("%s%s: %ld%s, expected %ld\n", name, rest, status,
               is_done ? "" : " (waits)", expected);
    }
}

static void one_call(struct progress *progress, int i)
{
    bool is_done = true;
    long status;
    progress->next = i + 1;
    memset(zeros, 0, sizeof zeros);
    stream = prepared[i].stream;
    if (state != EARLY) {
        cuCtxSetCurrent(state == BARE ? NULL : context);
        cudaGetLastError();
    }
    if (state == FULL)
        fill_device();
    alarm(10);
    if (state == CALLBACK)
        is_done = call_from_stream(i, &status);
    else
        status = call(i);
    report(progress, i, is_done, status);
    fflush(stdout);
    if (!is_done)
        _exit(1);
    if (state != EARLY && state != FAILED)
        settle();
}

static void all_calls(struct progress *progress)
{
    int first = progress->next;
    if (state == EARLY) {
        prepare_nothing(first);
    } else {
        library_prepare();
        if (state == GONE)
            NEED(cuCtxCreate_v2(&context, 0, 0));
        prepare_arguments(first);
        enter_once();
    }
    for (int i = first; i < routine_count; i++)
        if (routines[i].function &&
            (state != EARLY || strcmp(routines[i].name, "cuInit")))
            one_call(progress, i);
    progress->is_over = true;
}

static enum state state_by_name(const char *name)
{
    for (enum state s = 0; s < STATE_COUNT; s++)
        if (!strcmp(name, state_names[s]))
            return s;
    fprintf(stderr, "no state %s\n", name);
    exit(2);
}

/* How many lines of the truth are of this state. */
static int count_lines(void)
{
    int count = 0;
    size_t length = strlen(state_names[state]);
    for (int i = 0; i < truth_count; i++)
        count += !strncmp(truth[i], state_names[state], length);
    return count;
}

int main(int argc, char **argv)
{
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc != 3 || (*argv[1] && !read_truth(argv[1])))
        return 2;
    state = state_by_name(argv[2]);
    for (int i = 0; i < routine_count; i++)
        if (!routines[i].function)
            routines[i].function = dlsym(RTLD_DEFAULT, routines[i].name);
    /* Calls that take a file descriptor get 0. */
    if (!freopen("/dev/null", "r", stdin))
        return 2;
    while (!progress->is_over) {
        int status, next = progress->next;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            all_calls(progress);
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (progress->next == next && !progress->is_over)
            return 2;
        if (WIFSIGNALED(status)) {
            printf("%s %s: signal %d\n", state_names[state],
                   routines[progress->next - 1].name, WTERMSIG(status));
            progress->failures++;
        }
    }
    if (truth_count)
        printf("%d calls, %d failures\n", progress->compared,
               progress->failures);
    return truth_count &&
           (progress->failures || progress->compared != count_lines());
}
