/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images, modules, functions, reports about them. Above memory; launches stand
 * above this.
 */
#ifndef WEFT_CORE_MODULE_H
#define WEFT_CORE_MODULE_H

#include "core/ctx.h"
#include "jit/jit.h"

/* PTX of an image. `text` is the image's own, or `owned`. */
struct image_text {
    const char *text;
    size_t length;
    void *owned;
};
CUresult image_open(const void *image, struct diag *log,
                    struct image_text *out);
void image_close(struct image_text *t);
/* INVALID_PTX, after reporting, where the device is too old for it. */
CUresult image_check_target(const struct ptx_module *m, struct diag *log);

/* ---- modules ---------------------------------------------------------- */

struct CUmod_st {
    struct list in_ctx;
    CUcontext ctx;
    struct ptx_module *ptx;
    bool is_ptx_borrowed; /* of a library's */
    struct jit_module *jit;
    uint8_t *globals;
    CUfunction functions; /* array, one for each entry */
    size_t function_count;
    struct map function_of_name;
    atomic_int calls_device; /* module_calls_device knows */
};

struct CUfunc_st {
    CUmodule module;
    const struct ptx_func *ptx;
    _Atomic(CUkernel) kernel; /* by which it was found, or NULL */
    uint32_t static_shared_bytes;
    size_t max_dynamic_bytes; /* what a launch may ask for */
    int carveout;
    unsigned cluster[3]; /* asked for at run time; 0: not */
    bool is_large_cluster_allowed;
    int cluster_policy;
    atomic_uint device_uses; /* and DEVICE_USE_KNOWN, likewise */
    atomic_int rows;         /* enum row_kind, once somebody has looked */
    atomic_bool is_callable; /* looked at, and good */
    uint32_t habit;          /* exec_launch.habit */
    /* WEFT_ENGINE=emu: made at the first launch, under lock. */
    struct emu_kernel *emu;
    struct jit_kernel emu_code;
    /* native.c: what it runs instead of its PTX; NULL: nothing. */
    const struct native_kernel *native;
    struct jit_kernel native_code;
    struct old_launch *old; /* old_launch.c, under lock */
    pthread_mutex_t lock;   /* of emu and old */
};

/* Does the reference interpreter run kernels? It sees them as they are, without
 * any optimisation. */
bool function_is_interpreted(void);

enum row_kind { ROWS_UNKNOWN, ROWS_NEEDED, ROWS_REDUNDANT };
/* redundant_rows.c: a block of several rows may run one of them. */
bool kernel_has_redundant_rows(const struct ptx_func *kernel);

/* explain.c: one line on stderr about the kernel that has just failed. */
void explain_fault(enum exec_fault fault);
/* And about the node of a graph that it was, or that failed otherwise. */
void explain_node(uint64_t graph, uint64_t node, const char *type,
                  bool is_kernel, enum exec_fault fault);

/* globals.c */
CUresult module_make_globals(CUmodule m, struct diag *log);
void module_set_globals(CUmodule m); /* their initial values */
void module_free_globals(CUmodule m);
/* report.c: what is alive at once, in 32-bit registers. */
unsigned report_register_count(const struct ptx_func *f);
size_t report_local_bytes(const struct ptx_func *f);
unsigned report_barrier_count(const struct ptx_func *f);
size_t report_const_bytes(const struct ptx_module *m);
/* Fills both; either may be NULL. m: what was loaded, NULL if nothing was. */
void report_logs(struct module_log *errors, struct module_log *info,
                 const struct diag *log, const struct ptx_module *m);
/* What a link gives, whose status is err: m as text, which is malloc'ed, or an
 * error for what it uses and lacks, unless it may. Takes m, where there is no
 * error; fills both logs, each of which may be NULL. */
CUresult report_linked(CUresult err, struct ptx_module *m, bool may_lack_names,
                       struct diag *log, struct module_log *errors,
                       struct module_log *info, char **out);
void report_warnings(const struct ptx_module *m, struct diag *log);
/* externs.c: INVALID_PTX after naming what is used and defined nowhere. */
CUresult module_check_externs(const struct ptx_module *m, struct diag *log);
/* NVIDIA's library: it defines, under names that are the compiler's alone, what
 * kernels call of the device runtime. */
bool module_is_device_runtime(const struct ptx_module *m);
/* grid_group.c: links the functions of a grid's group in, where m lacks what it
 * calls; takes m. NULL after reporting. `hash` is then that of both texts. */
struct ptx_module *grid_group_supply(struct ptx_module *m, uint64_t *hash,
                                     struct diag *log);
/* module_parts.c: reads several images and links them into one module. */
CUresult module_link_parts(const void *const *images, size_t count,
                           struct diag *log, struct ptx_module **out,
                           uint64_t *hash);
/* A module of code that others own, and that outlives it. */
CUresult module_of_ptx(CUcontext ctx, struct ptx_module *ptx,
                       uint64_t text_hash, CUmodule *out);
/* A function of the device runtime that the kernel may call, or NULL. */
const char *kernel_device_runtime_call(const struct ptx_func *kernel);
/* NULL after reporting. */
const struct jit_kernel *
function_variant(CUfunction f, const struct simt_spec *spec, struct diag *diag);
void function_fini(CUfunction f);
/* Its module was unloaded. */
bool function_is_gone(const struct CUfunc_st *f);
/* clusters.c: what the launch's clusters are, written into c; and its grid, if
 * that counts clusters. */
CUresult cluster_resolve(CUfunction f, struct launch_config *c);

#endif
