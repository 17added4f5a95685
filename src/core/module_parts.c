/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images that become one module: each is read and parsed once, when it is
 * added, and the link takes what was parsed.
 */
#include "core/internal.h"

#include <stdlib.h>

#include "link/link.h"

struct module_parts {
    VEC(struct ptx_module *) modules;
    VEC(const char *) names;  /* for messages; each in its module's arena */
    bool checks_names;        /* else the link alone looks at them */
    struct link_names *known; /* made with the first part */
    size_t given_count;       /* of images, those left out with them */
    struct diag left_out;     /* why images without PTX for us were */
    bool is_linked;
    uint64_t hash;
};

static bool parts_init(struct module_parts *p, size_t count)
{
    *p = (struct module_parts){0};
    diag_init(&p->left_out);
    return vec_reserve_((void **)&p->modules.data, &p->modules.capacity, count,
                        sizeof *p->modules.data) &&
           vec_reserve_((void **)&p->names.data, &p->names.capacity, count,
                        sizeof *p->names.data);
}

static void parts_fini(struct module_parts *p)
{
    for (size_t i = 0; i < p->modules.count; i++)
        ptx_module_destroy(p->modules.data[i]);
    vec_fini(&p->modules);
    vec_fini(&p->names);
    link_names_destroy(p->known);
    diag_fini(&p->left_out);
}

/* ---- one more ------------------------------------------------------------ */

/* NVIDIA's device runtime has its names from us, and is linked alone if at
 * all: see leave_out_device_runtime. */
static CUresult check_names(struct module_parts *p, const struct ptx_module *m,
                            const char *name, struct diag *log)
{
    if (!p->checks_names || module_is_device_runtime(m))
        return CUDA_SUCCESS;
    if (!p->known && !(p->known = link_names_create()))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (link_names_add(p->known, m, name, log))
        return CUDA_SUCCESS;
    return log->error_count ? CUDA_ERROR_INVALID_SOURCE
                            : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult keep_part(struct module_parts *p, struct ptx_module *m,
                          const char *name, struct diag *log)
{
    size_t count = p->modules.count;
    assert(count == p->names.count && !p->is_linked);
    CUresult err = CUDA_ERROR_OUT_OF_MEMORY;
    name = arena_strndup(m->arena, name, strlen(name));
    if (vec_push(&p->modules, m) && vec_push(&p->names, name))
        err = check_names(p, m, name, log);
    if (err)
        p->modules.count = p->names.count = count;
    return err;
}

/* NO_BINARY_FOR_GPU: there is no PTX for us in it. */
static CUresult add_part(struct module_parts *p, const void *image,
                         const char *name, struct diag *log)
{
    struct image_text t;
    CUresult err = image_open(image, log, &t);
    if (err)
        return err;
    struct ptx_module *m = ptx_parse(name, t.text, t.length, log);
    p->hash = hash_bytes(t.text, t.length, p->hash);
    image_close(&t);
    if (!m)
        return CUDA_ERROR_INVALID_PTX;
    err = keep_part(p, m, name, log);
    if (err)
        ptx_module_destroy(m);
    return err;
}

/* NVIDIA's library for kernels that launch kernels, say, is machine code and
 * PTX for devices of tomorrow: what lacks PTX may not be needed. */
static CUresult add_or_leave_out(struct module_parts *p, const void *image,
                                 const char *name, struct diag *log)
{
    struct diag own;
    diag_init(&own);
    CUresult err = add_part(p, image, name, &own);
    bool is_left_out = err == CUDA_ERROR_NO_BINARY_FOR_GPU;
    diag_append(is_left_out ? &p->left_out : log, &own);
    diag_fini(&own);
    if (!err || is_left_out)
        p->given_count++;
    return is_left_out ? CUDA_SUCCESS : err;
}

/* ---- the link ------------------------------------------------------------ */

/* The PTX in NVIDIA's own library calls what only NVIDIA's driver has. */
static void leave_out_device_runtime(struct module_parts *p)
{
    size_t kept = 0;
    if (p->given_count < 2)
        return;
    for (size_t i = 0; i < p->modules.count; i++) {
        struct ptx_module *m = p->modules.data[i];
        if (module_is_device_runtime(m)) {
            ptx_module_destroy(m);
            continue;
        }
        p->names.data[kept] = p->names.data[i];
        p->modules.data[kept++] = m;
    }
    p->modules.count = p->names.count = kept;
}

/* Uses the parts up. */
static CUresult link_parts(struct module_parts *p, struct diag *log,
                           struct ptx_module **out)
{
    leave_out_device_runtime(p);
    if (!p->modules.count) {
        diag_append(log, &p->left_out);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    link_names_destroy(p->known); /* its texts are the modules' */
    p->known = NULL;
    unsigned errors = log->error_count;
    *out = link_modules(p->modules.data, p->names.data, p->modules.count, log);
    p->modules.count = p->names.count = 0; /* they are the linker's */
    if (*out)
        *out = grid_group_supply(*out, &p->hash, log);
    return *out                         ? CUDA_SUCCESS
           : log->error_count == errors ? CUDA_ERROR_OUT_OF_MEMORY
                                        : CUDA_ERROR_INVALID_PTX;
}

CUresult module_link_parts(const void *const *images, size_t count,
                           struct diag *log, struct ptx_module **out,
                           uint64_t *hash)
{
    struct module_parts p;
    assert(count > 0);
    CUresult err =
        parts_init(&p, count) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && !err; i++)
        err = add_or_leave_out(&p, images[i], "ptx", log);
    if (!err)
        err = link_parts(&p, log, out);
    *hash = p.hash;
    parts_fini(&p);
    return err;
}

/* ---- parts that come one by one ------------------------------------------ */

struct module_parts *module_parts_create(bool checks_names)
{
    struct module_parts *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    if (!parts_init(p, 1)) {
        module_parts_destroy(p);
        return NULL;
    }
    p->checks_names = checks_names;
    return p;
}

void module_parts_destroy(struct module_parts *p)
{
    if (p)
        parts_fini(p);
    free(p);
}

bool module_parts_is_empty(const struct module_parts *p)
{
    return !p->given_count;
}

CUresult module_parts_add(struct module_parts *p, const void *image,
                          const char *name, bool may_lack_ptx,
                          struct module_log *errors)
{
    struct diag log;
    if (p->is_linked)
        return CUDA_ERROR_INVALID_VALUE;
    diag_init(&log);
    CUresult err = may_lack_ptx ? add_or_leave_out(p, image, name, &log)
                                : add_part(p, image, name, &log);
    if (!err && !may_lack_ptx)
        p->given_count++;
    if (err)
        report_logs(errors, NULL, &log, NULL);
    diag_fini(&log);
    return err;
}

CUresult module_parts_link(struct module_parts *p, bool may_lack_names,
                           struct module_log *errors, struct module_log *info,
                           char **out)
{
    struct ptx_module *m;
    struct diag log;
    if (p->is_linked)
        return CUDA_ERROR_INVALID_VALUE;
    p->is_linked = true;
    diag_init(&log);
    CUresult err = link_parts(p, &log, &m);
    err = report_linked(err, m, may_lack_names, &log, errors, info, out);
    diag_fini(&log);
    return err;
}
