/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -time FILE: appends a line of comma separated values for each step. An empty
 * file gets the headings first; "-" is stdout. Several processes may write at
 * once: each line is one write.
 */
#include "cc/cc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

static const char headings[] =
    "source file name , phase name , phase input files , phase output file , "
    "arch , tool , metric , unit\n";

double cc_now_ms(void)
{
    return (double)clock_now_ns() * 1e-6;
}

static const char *shown_name(const char *text)
{
    return text ? cc_shown_name(text) : "";
}

void cc_time_step(const struct cc_options *o, const struct cc_step *step,
                  double since_ms)
{
    if (!o->time_file || o->dry_run)
        return;
    bool to_stdout = strcmp(o->time_file, "-") == 0;
    struct stat st = {0};
    int fd = to_stdout
                 ? STDOUT_FILENO
                 : open(o->time_file, O_WRONLY | O_APPEND | O_CREAT, 0666);
    static bool has_headings;
    bool is_empty =
        to_stdout ? !has_headings : fstat(fd, &st) == 0 && st.st_size == 0;
    has_headings = true;
    const char *line = arena_printf(
        cc_arena, "%s%s , %s , %s , %s , %s , %s , %.4f , ms\n",
        is_empty ? headings : "", shown_name(step->source), step->phase,
        shown_name(step->input), shown_name(step->output),
        step->arch ? step->arch : "", step->tool, cc_now_ms() - since_ms);
    size_t length = strlen(line);
    if (fd < 0 || write(fd, line, length) != (ssize_t)length)
        cc_warning("cannot write '%s': %s", o->time_file, strerror(errno));
    if (fd >= 0 && !to_stdout)
        close(fd);
}
