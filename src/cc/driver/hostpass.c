/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host pass over a CUDA file. clang reads the fat binary after it has
 * generated all other code. So the pass is started beside the device pass and
 * gets a pipe in place of the fat binary, which is written into the pipe when
 * it exists. Reading the source, most of the time, is thus done by both at
 * once.
 */
#include "cc/cc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void cc_remove_result(const char *path)
{
    struct stat st;
    if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}

void cc_host_pass_start(struct cc_host_pass *p, const struct cc_job *j,
                        const char *messages)
{
    const struct cc_options *o = j->options;
    struct cc_job job = *j;
    cc_args command = {0};
    *p = (struct cc_host_pass){0};
    /* Printed commands stand in the order in which a shell runs them. */
    if (!j->is_alone || o->dry_run || o->verbose || o->keep || o->keep_dir ||
        o->time_file)
        return;
    p->pipe = cc_temporary(o, j->input.path, ".fatbin.pipe");
    if (!p->pipe || mkfifo(p->pipe, 0600) < 0)
        return;
    job.fatbin = p->pipe;
    job.precompiled = p->precompiled = cc_precompiled(&job, CC_HOST_PASS);
    cc_command_host(&job, &command);
    int pid = cc_start(&command, messages);
    p->pid = pid > 0 ? pid : 0;
    vec_fini(&command);
}

void cc_host_pass_cancel(struct cc_host_pass *p, const struct cc_job *j)
{
    if (!p->pid)
        return;
    cc_stop(p->pid);
    cc_remove_result(j->output);
    p->pid = 0;
}

/* Opens the pipe for writing, when clang has opened it. -1: clang has ended
 * before. */
static int open_pipe(const struct cc_host_pass *p)
{
    for (;;) {
        int fd = open(p->pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0) {
            fcntl(fd, F_SETFL, 0);
            return fd;
        }
        if ((errno != ENXIO && errno != EINTR) || cc_has_ended(p->pid))
            return -1;
        poll(NULL, 0, 1);
    }
}

/* Writes a file into the pipe. If clang ends meanwhile, its status says why. */
static void send_file(const struct cc_host_pass *p, const char *path)
{
    size_t bytes;
    char *data = cc_read_file(path, &bytes);
    int fd = open_pipe(p);
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    for (size_t at = 0; data && fd >= 0 && at < bytes;) {
        ssize_t n = write(fd, data + at, bytes - at);
        if (n > 0)
            at += (size_t)n;
        else if (n == 0 || errno != EINTR)
            break;
    }
    sigaction(SIGPIPE, &before, NULL);
    if (fd >= 0)
        close(fd);
    free(data);
}

int cc_host_pass_finish(struct cc_host_pass *p, const struct cc_job *j,
                        const char *messages)
{
    const struct cc_options *o = j->options;
    int status = 0;
    if (p->pid) {
        send_file(p, j->fatbin);
        status = cc_wait(p->pid);
    } else {
        cc_args command = {0};
        struct cc_job job = *j;
        job.precompiled = p->precompiled = cc_precompiled(&job, CC_HOST_PASS);
        cc_command_host(&job, &command);
        if (o->dry_run || o->verbose)
            cc_print_command(&command);
        double start_ms = cc_now_ms();
        if (!o->dry_run)
            status = cc_run(&command, messages);
        const struct cc_step done = {.source = j->input.path,
                                     .phase = "host code",
                                     .input = j->input.path,
                                     .output = j->output,
                                     .tool = "clang"};
        cc_time_step(o, &done, start_ms);
        vec_fini(&command);
    }
    p->pid = 0;
    if (status)
        cc_remove_result(j->output);
    return status;
}
