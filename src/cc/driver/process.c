/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running programs. A signal to us ends the program that runs, removes the
 * scratch files, and then ends us as it would have without all this.
 */
#include "cc/cc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CHILDREN = 1024 };

/* Written by the main flow with signals blocked, read by the handler. */
static volatile pid_t children[MAX_CHILDREN];
static volatile sig_atomic_t signal_seen;

/* SIGPIPE: the reader of our messages has gone. */
static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

static void on_signal(int number)
{
    signal_seen = number;
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i] > 0)
            kill(children[i], SIGTERM);
}

void cc_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    signal(SIGCHLD, SIG_DFL); /* ignored: waiting for a child would fail */
    for (size_t i = 0; i < ARRAY_COUNT(deadly); i++)
        sigaction(deadly[i], &action, NULL);
}

static void die_if_signalled(void)
{
    if (!signal_seen)
        return;
    cc_remove_temporaries();
    signal(signal_seen, SIG_DFL);
    raise(signal_seen);
}

static void block_signals(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_COUNT(deadly); i++)
        sigaddset(&set, deadly[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

static void remember_child(pid_t from, pid_t to)
{
    for (int i = 0; i < MAX_CHILDREN; i++) {
        if (children[i] != from)
            continue;
        children[i] = to;
        return;
    }
}

/* ---- printing ------------------------------------------------------------ */

/* Prints a word so that a shell reads it back. Objects and results are in
 * quotes always, as with nvcc: scripts look for that. */
static void print_word(const char *word, bool is_file)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                "UVWXYZ0123456789_-+=./:,@%^";
    if (*word && !is_file && strspn(word, plain) == strlen(word)) {
        fputs(word, stderr);
        return;
    }
    fputc('"', stderr);
    for (; *word; word++) {
        if (strchr("\"\\$`", *word))
            fputc('\\', stderr);
        fputc(*word, stderr);
    }
    fputc('"', stderr);
}

void cc_print_command(const cc_args *args)
{
    fputs("#$", stderr);
    for (size_t i = 0; i < args->count; i++) {
        const char *word = args->data[i];
        size_t length = strlen(word);
        bool is_result = i && strcmp(args->data[i - 1], "-o") == 0;
        bool is_object = length > 2 && strcmp(word + length - 2, ".o") == 0;
        fputc(' ', stderr);
        print_word(word, is_result || is_object);
    }
    fputc('\n', stderr);
}

/* ---- running ------------------------------------------------------------- */

static void send_stderr_to(const char *file)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
        _exit(127);
}

static char **argument_vector(const cc_args *args)
{
    char **argv = arena_array(cc_arena, char *, args->count + 1);
    for (size_t i = 0; i < args->count; i++)
        argv[i] = (char *)args->data[i];
    return argv;
}

/* In the child, with signals still blocked: forgets the parent's children, and
 * restores the signal mask. */
static void forget_parent(const sigset_t *mask)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        children[i] = 0;
    signal_seen = 0;
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* fork(), with the child known to the signal handler from its first moment. */
static pid_t fork_known(void)
{
    sigset_t before;
    block_signals(&before);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        forget_parent(&before);
        return 0;
    }
    if (pid > 0)
        remember_child(0, pid);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        cc_error("cannot start a process: %s", strerror(errno));
    return pid;
}

static int exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cc_start(const cc_args *args, const char *messages)
{
    pid_t pid = fork_known();
    if (pid != 0)
        return pid;
    for (size_t i = 0; i < ARRAY_COUNT(deadly); i++)
        signal(deadly[i], SIG_DFL);
    if (messages)
        send_stderr_to(messages);
    execvp(args->data[0], argument_vector(args));
    cc_error("cannot run '%s': %s", args->data[0], strerror(errno));
    _exit(127);
}

int cc_wait(int pid)
{
    int status;
    if (pid < 0)
        return 127;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    remember_child(pid, 0);
    die_if_signalled();
    return exit_status(status);
}

bool cc_has_ended(int pid)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
           info.si_pid == pid;
}

void cc_stop(int pid)
{
    kill(pid, SIGTERM);
    cc_wait(pid);
}

int cc_run(const cc_args *args, const char *messages)
{
    return cc_wait(cc_start(args, messages));
}

const char *cc_output_of(const cc_args *args, int *status)
{
    int ends[2];
    VEC(char) text = {0};
    *status = 127;
    if (pipe(ends) < 0)
        return NULL;
    pid_t pid = fork_known();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(ends[1], STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(args->data[0], argument_vector(args));
        _exit(127);
    }
    close(ends[1]);
    char c;
    while (pid > 0 && read(ends[0], &c, 1) == 1 && text.count < 1 << 16)
        must_have_memory(vec_push(&text, c));
    close(ends[0]);
    if (pid > 0) {
        int raw;
        while (waitpid(pid, &raw, 0) < 0 && errno == EINTR) {
        }
        remember_child(pid, 0);
        *status = exit_status(raw);
    }
    const char *copy =
        arena_strndup(cc_arena, text.count ? text.data : "", text.count);
    vec_fini(&text);
    return copy;
}

enum cc_status cc_become(const cc_args *args)
{
    fflush(NULL);
    execvp(args->data[0], argument_vector(args));
    cc_error("cannot run '%s': %s", args->data[0], strerror(errno));
    return CC_FAILED;
}

int cc_spawn(enum cc_status (*work)(const void *data), const void *data,
             const char *messages)
{
    pid_t pid = fork_known();
    if (pid == 0) {
        send_stderr_to(messages);
        _exit(work(data));
    }
    return pid;
}

int cc_wait_any(int *status)
{
    int raw;
    pid_t pid;
    while ((pid = waitpid(-1, &raw, 0)) < 0)
        if (errno != EINTR)
            return -1;
    remember_child(pid, 0);
    die_if_signalled();
    *status = exit_status(raw);
    return pid;
}
