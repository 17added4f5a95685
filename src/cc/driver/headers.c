/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where headers are looked for. As with nvcc the user's folders come before
 * ours, so that a CCCL or a wrapper of the user's is found: -I, -isystem, ours,
 * the system's. Two rules keep the headers of another CUDA from mixing with
 * ours: a toolkit's own include folder, which makefiles name by habit, goes
 * behind ours; and headers that a toolkit has and weft lacks (missing.def) are
 * found in a folder of files that say so, before any folder where they may be
 * installed.
 *
 * NVRTC finds only headers that the program passes or that -I leads to, and
 * programs that bring a library of their own (Jitify's) learn from its errors
 * what to bring. There our headers, and the host's that ours include, are
 * looked in only if -I names a toolkit's folder: weft's, another one's, or one
 * that is not on this machine.
 */
#include "cc/cc.h"

#include <stdlib.h>
#include <unistd.h>

static bool has_file(const char *folder, const char *name)
{
    return access(arena_printf(cc_arena, "%s/%s", folder, name), R_OK) == 0;
}

/* Does the folder hold the runtime's headers of another CUDA? */
static bool is_toolkit(const char *folder)
{
    return has_file(folder, "cuda_runtime_api.h") &&
           has_file(folder, "crt/host_config.h") &&
           !has_file(folder, "weft/launch.h");
}

/* The folder that the option at `i` names; NULL: none. *words: how many
 * arguments the option takes. */
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

/* Does a folder of -I ask for our headers? It does if it is a toolkit's, within
 * ours, or not there. */
static bool stands_for_ours(const char *folder, const char *ours)
{
    char *path = realpath(folder, NULL), *place = realpath(ours, NULL);
    size_t length = place ? strlen(place) : 0;
    bool is_ours = !path || is_toolkit(path) ||
                   has_file(path, "weft/launch.h") ||
                   (length && strncmp(path, place, length) == 0 &&
                    (!path[length] || path[length] == '/'));
    free(path);
    free(place);
    return is_ours;
}

bool cc_has_no_toolkit(const struct cc_job *j)
{
    const cc_args *own = &j->options->device;
    /* The implicit header needs ours. */
    bool has_none = j->options->is_nvrtc && j->precompiled;
    for (size_t i = 0; has_none && i < own->count; i++) {
        size_t words;
        const char *folder = folder_at(own, i, &words);
        has_none =
            !folder || !stands_for_ours(folder, j->toolchain->include_dir);
    }
    return has_none;
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
    if (cc_has_no_toolkit(j)) {
        cc_add(command, "-nostdinc");
        cc_add(command, "-nostdinc++");
        return;
    }
    take_toolkits(command, &toolkits);
    if (j->input.language == CC_CUDA) /* before the host's C++ library */
        add_folder(arena_printf(cc_arena, "%s/weft/library", t->include_dir),
                   command);
    add_folder(t->include_dir, command);
    /* For NVRTC's clients, which pass this folder with -I. */
    if (j->options->is_nvrtc)
        add_folder(arena_printf(cc_arena, "%s/cccl", t->include_dir), command);
    add_folder(arena_printf(cc_arena, "%s/missing", t->library_dir), command);
    for (size_t i = 0; i < toolkits.count; i++)
        add_folder(toolkits.data[i], command);
    vec_fini(&toolkits);
}
