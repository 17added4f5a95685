/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel in C is an entry of a PTX module that has its parameters and no
 * code; function_variant gives native_entry instead of compiling it.
 */
#include "core/native.h"

#include <stdio.h>

#include "core/check.h"
#include "core/internal.h"

#define TEXT_MAX 512

/* Blocks of one thread: a call has the whole range. Checks see nothing of what
 * it does. */
static void native_entry(struct exec_warp *w)
{
    check_values_set_all();
    const struct CUfunc_st *f = w->launch->function;
    f->native->run(w->launch->params, w->block_first, w->block_end);
}

/* The key is the kernel, the value its function. */
static CUresult make_kernel(CUcontext ctx, const void *key, void **value)
{
    const struct native_kernel *k = key;
    char text[TEXT_MAX];
    CUmodule m;
    CUfunction f;
    int n = snprintf(text, sizeof text,
                     ".version 7.0\n.target sm_50\n.address_size 64\n"
                     ".visible .entry %s(.param .align 64 .b8 args[%u])\n"
                     ".maxntid 1\n{ ret; }\n",
                     k->name, k->args_bytes);
    if (n < 0 || n >= TEXT_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = module_load(ctx, text, NULL, &m);
    if (!err)
        err = module_function(m, k->name, &f);
    if (err)
        return err;
    f->native = k;
    f->native_code = (struct jit_kernel){
        .fn = native_entry,
        .stack_bytes = k->stack_bytes ? k->stack_bytes : 1,
    };
    *value = f;
    return CUDA_SUCCESS;
}

CUresult native_function(CUcontext ctx, const struct native_kernel *k,
                         CUfunction *out)
{
    void *f;
    CUresult err = ctx_storage_get_or_make(ctx, k, make_kernel, &f);
    if (!err)
        *out = f;
    return err;
}

unsigned native_thread_count(void)
{
    unsigned devices = (unsigned)device_count();
    unsigned own = exec_sm_count() / (devices ? devices : 1);
    return own ? own : 1;
}
