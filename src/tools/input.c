/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a PTX file and choosing a kernel in it, for every subcommand. */
#include "tools/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "abi/abi.h"
#include "base/file.h"
#include "link/link.h"

static bool read_file(const char *path, struct tool_input *input)
{
    bool is_stdin = !strcmp(path, "-");
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    if (f)
        input->text = file_read(f, &input->length);
    if (!input->text || !input->length) {
        tool_error("cannot read %s: %s", path,
                   input->text ? "it is empty" : strerror(errno));
        free(input->text);
        input->text = NULL;
    }
    if (f && !is_stdin)
        fclose(f);
    return input->text != NULL;
}

char *tool_read_file(const char *path, size_t *length)
{
    struct tool_input input = {0};
    if (!read_file(path, &input))
        return NULL;
    *length = input.length;
    return input.text;
}

/* If the input is an ELF file or a fat binary, replaces it by the PTX inside.
 */
static bool unpack_input(const char *path, uint64_t number,
                         struct tool_input *input)
{
    if (!tool_is_binary(input->text, input->length))
        return true;
    char *ptx = tool_extract_ptx(path, input->text, input->length, number,
                                 &input->length);
    free(input->text);
    input->text = ptx;
    return ptx != NULL;
}

bool tool_read_ptx(const char *path, uint64_t number, struct tool_input *input)
{
    struct diag diag;
    *input = (struct tool_input){0};
    if (!read_file(path, input) || !unpack_input(path, number, input))
        return false;
    diag_init(&diag);
    input->module = ptx_parse(strcmp(path, "-") ? path : "<stdin>", input->text,
                              input->length, &diag);
    if (diag.text)
        fputs(diag.text, stderr);
    diag_fini(&diag);
    if (!input->module)
        tool_free_input(input);
    return input->module != NULL;
}

static bool link_parts(struct ptx_module **parts, char *const *paths, int count,
                       struct tool_input *input)
{
    struct diag diag;
    diag_init(&diag);
    input->module =
        link_modules(parts, (const char *const *)paths, (size_t)count, &diag);
    must_have_memory(input->module || diag.error_count);
    if (diag.text)
        fputs(diag.text, stderr);
    diag_fini(&diag);
    return input->module != NULL;
}

bool tool_link_ptx(char *const *paths, int count, struct tool_input *input)
{
    struct tool_input part;
    if (count == 1)
        return tool_read_ptx(paths[0], 0, input);
    *input = (struct tool_input){0};
    struct ptx_module **parts = calloc((size_t)count, sizeof(*parts));
    int read = 0;
    while (parts && read < count && tool_read_ptx(paths[read], 0, &part)) {
        parts[read++] = part.module;
        free(part.text);
    }
    bool ok = false;
    if (parts && read == count)
        ok = link_parts(parts, paths, count, input);
    else
        while (read--)
            ptx_module_destroy(parts[read]);
    free(parts);
    return ok;
}

void tool_free_input(struct tool_input *input)
{
    if (input->module)
        ptx_module_destroy(input->module);
    free(input->text);
    *input = (struct tool_input){0};
}

static void list_kernels(const struct ptx_module *m)
{
    for (size_t i = 0; i < m->func_count; i++)
        if (m->funcs[i]->is_entry)
            fprintf(stderr, "    %s\n", m->funcs[i]->name);
}

static const struct ptx_func *only_kernel(const struct ptx_module *m)
{
    const struct ptx_func *found = NULL;
    for (size_t i = 0; i < m->func_count; i++) {
        if (!m->funcs[i]->is_entry)
            continue;
        if (found) {
            tool_error("the file has several kernels, choose with --kernel:");
            list_kernels(m);
            return NULL;
        }
        found = m->funcs[i];
    }
    if (!found)
        tool_error("the file has no kernel (.entry)");
    return found;
}

const struct ptx_func *tool_find_kernel(const struct ptx_module *m,
                                        const char *name)
{
    if (!name)
        return only_kernel(m);
    const struct ptx_func *f = ptx_find_func(m, name);
    if (f)
        return f;
    tool_error("the file has no function %s; its kernels are:", name);
    list_kernels(m);
    return NULL;
}

bool tool_make_spec(const struct ptx_func *kernel, const char *block,
                    struct simt_spec *spec)
{
    *spec = (struct simt_spec){.is_grid_small = true,
                               .is_cluster = ptx_cluster_blocks(kernel) > 1,
                               .lane_count = WEFT_WARP_LANES};
    if (!kernel->is_entry)
        return true;
    if (block)
        return tool_parse_dim3("--block", block, spec->block);
    for (int i = 0; i < 3; i++)
        spec->block[i] = kernel->reqntid[i] ? kernel->reqntid[i] : 1;
    if (!kernel->reqntid[0])
        spec->block[0] = 256;
    return true;
}
