/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where headers are looked for. As with nvcc the user's folders come before
 * ours, so that a CCCL or a wrapper of the user's is taken: -I, -isystem, ours,
 * the system's. Two things keep the headers of another CUDA from mixing with
 * ours: a toolkit's own include folder, which makefiles name by habit, goes
 * behind ours; and names that a toolkit has and weft lacks (missing.def) lead
 * to a file that says so, before any folder where somebody may have installed
 * them.
 */
#include "cc.h"

#include <unistd.h>

static bool has_file(const char *folder, const char *name)
{
    return access(arena_printf(cc_arena, "%s/%s", folder, name), R_OK) == 0;
}

/* Whether a folder holds the runtime's headers of another CUDA. */
static bool is_toolkit(const char *folder)
{
    return has_file(folder, "cuda_runtime_api.h") &&
           has_file(folder, "crt/host_config.h") &&
           !has_file(folder, "weft/launch.h");
}

/* The folder that the option at `i` names, one word or two; NULL: it names
 * none. */
static const char *folder_at(const cc_args *args, size_t i, size_t *words)
{
    static const char *const options[] = {"-isystem", "-I"};
    const char *arg = args->data[i];
    for (size_t k = 0; k < ARRAY_COUNT(options); k++) {
        if (!starts_with(arg, options[k]))
            continue;
        const char *rest = arg + strlen(options[k]);
        *words = *rest ? 1 : 2;
        return *rest ? rest : i + 1 < args->count ? args->data[i + 1] : NULL;
    }
    return NULL;
}

/* Moves the folders of other toolkits from `args` to `out`. */
static void take_toolkits(cc_args *args, cc_args *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < args->count;) {
        size_t words = 1;
        const char *folder = folder_at(args, i, &words);
        if (folder && is_toolkit(folder)) {
            cc_add(out, folder);
            i += words;
            continue;
        }
        for (; words-- && i < args->count; i++)
            args->data[kept++] = args->data[i];
    }
    args->count = kept;
}

static void add_folder(const char *folder, cc_args *out)
{
    cc_add(out, "-isystem");
    cc_add(out, folder);
}

void cc_order_headers(const struct cc_job *j, cc_args *command)
{
    const struct cc_toolchain *t = j->toolchain;
    cc_args toolkits = {0};
    if (j->options->cuda_path && j->input.language == CC_CUDA)
        return;
    take_toolkits(command, &toolkits);
    if (j->input.language == CC_CUDA) /* before the host's C++ library */
        add_folder(arena_printf(cc_arena, "%s/weft/library", t->include_dir),
                   command);
    add_folder(t->include_dir, command);
    /* That one as -I, which clients pass, is no folder of the program's. */
    if (j->options->is_nvrtc)
        add_folder(arena_printf(cc_arena, "%s/cccl", t->include_dir), command);
    add_folder(arena_printf(cc_arena, "%s/missing", t->library_dir), command);
    for (size_t i = 0; i < toolkits.count; i++)
        add_folder(toolkits.data[i], command);
    vec_fini(&toolkits);
}
