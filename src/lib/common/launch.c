/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/common/lib.h"

#include "core/captures.h"
#include "core/core.h"

/* The thread's context, and the stream of it that the handle means. */
static CUresult resolve_stream(CUstream handle, CUcontext *ctx,
                               CUstream *stream)
{
    process_await_running();
    CUresult err = ctx_of_thread(ctx);
    return err ? err : stream_resolve(*ctx, handle, stream);
}

CUresult lib_start(void)
{
    CUcontext ctx;
    process_await_running();
    return ctx_of_thread(&ctx);
}

CUresult lib_run(const struct native_kernel *k, CUstream stream, uint64_t tiles,
                 const void *args)
{
    struct launch_config config = {.block = {1, 1, 1}};
    CUcontext ctx;
    CUfunction f;
    if (tiles == 0 || tiles > INT32_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = resolve_stream(stream, &ctx, &config.stream);
    if (!err)
        err = native_function(stream_context(config.stream), k, &f);
    if (err)
        return err;
    config.grid[0] = (unsigned)tiles;
    config.grid[1] = config.grid[2] = 1;
    return launch_kernel(f, &config, NULL, args, k->args_bytes);
}

/* ---- kernels in PTX --------------------------------------------------- */

/* The key is the library's module, the value the one in the context. */
static CUresult load_module(CUcontext ctx, const void *key, void **value)
{
    const struct lib_module *m = key;
    CUmodule loaded;
    CUresult err = module_load(ctx, m->ptx, NULL, &loaded);
    if (!err)
        *value = loaded;
    return err;
}

static unsigned at_least_one(unsigned n)
{
    return n ? n : 1;
}

CUresult lib_launch_function(CUfunction f, CUstream stream,
                             struct lib_shape shape, void **args)
{
    struct launch_config config = {.shared_bytes = shape.shared_bytes};
    CUcontext ctx;
    for (unsigned i = 0; i < 3; i++) {
        config.grid[i] = at_least_one(shape.grid[i]);
        config.block[i] = at_least_one(shape.block[i]);
    }
    CUresult err = resolve_stream(stream, &ctx, &config.stream);
    return err ? err : launch_kernel(f, &config, args, NULL, 0);
}

CUresult lib_launch(const struct lib_module *m, const char *name,
                    CUstream stream, struct lib_shape shape, void **args)
{
    CUcontext ctx;
    void *module;
    CUfunction f;
    CUstream s;
    CUresult err = resolve_stream(stream, &ctx, &s);
    if (!err)
        err =
            ctx_storage_get_or_make(stream_context(s), m, load_module, &module);
    if (!err)
        err = module_function(module, name, &f);
    return err ? err : lib_launch_function(f, stream, shape, args);
}

/* ---- questions -------------------------------------------------------- */

unsigned lib_thread_count(void)
{
    return native_thread_count();
}

bool lib_is_capturing(CUstream stream)
{
    CUcontext ctx;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (!resolve_stream(stream, &ctx, &stream))
        capture_status(stream, &status);
    return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

CUresult lib_synchronize(CUstream stream)
{
    CUcontext ctx;
    CUresult err = resolve_stream(stream, &ctx, &stream);
    return err ? err : stream_synchronize(stream);
}

bool lib_is_device_pointer(const void *p)
{
    return mem_is_device_kind(mem_query(p).kind);
}

bool lib_is_known_pointer(const void *p)
{
    return mem_query(p).kind != MEM_UNKNOWN;
}
