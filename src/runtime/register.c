/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels and variables of the program's object files. Constructors of each
 * object register them by host address before main(); that only notes them
 * down. A module is loaded when something of it is first used.
 *
 *   object file --RegisterFatBinary--> NOTED --first use--> LOADED
 *                                        \--it cannot be--> FAILED
 *
 * Managed variables are read by host code without any call, so that a module
 * with one is loaded at the end of its registration. nvcc makes the host's
 * variable a pointer and registers that; weftcc leaves it a variable, registers
 * it like any other, aligns it to MANAGED_ALIGN, and says in the PTX that it is
 * managed: then the host's variable becomes the device's too.
 *
 * What nvcc linked from several objects comes with the PTX of each, which is
 * linked when the module is loaded.
 */
#define _GNU_SOURCE /* memmem, dladdr1 */
#include "runtime/internal.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "fatbin/fatbin.h"
#include "fatbin/format.h"


/* include/host_defines.h */
#define MANAGED_ALIGN 4096

enum kind { FUNCTION, VARIABLE, MANAGED };

/* One registered name. */
struct entry {
    enum kind kind;
    struct binary *binary;
    const void *host;
    const char *name; /* the program's */
    size_t size_bytes;
    CUfunction function; /* FUNCTION: once it was looked up */
    CUdeviceptr address; /* VARIABLE, MANAGED: likewise */
};

struct binary {
    const struct fatbin_wrapper *wrapper;
    bool has_managed;
    bool may_have_managed;  /* by the look of a variable's address */
    size_t shared_count;    /* entries that share_managed has seen */
    bool has_complained;    /* that memory ran out: once is enough */
    CUmodule module;        /* LOADED */
    cudaError_t load_error; /* FAILED */
    VEC(struct entry *) entries;
};

/* Readers look an entry up and use what is already loaded; whoever loads or
 * registers writes. */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct map by_host; /* of struct entry, by host address */

/* ---- registration -------------------------------------------------------- */

void **__cudaRegisterFatBinary(void *fatCubin)
{
    const struct fatbin_wrapper *w = fatCubin;
    struct binary *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->wrapper = w;
    if (w->magic != FATBIN_WRAPPER_MAGIC)
        b->load_error = cudaErrorInvalidKernelImage;
    return (void **)b;
}

static void add_entry(struct binary *b, struct entry e)
{
    /* A NULL binary: memory ran out when it was registered. Its kernels are
     * unknown then, and launches say so. */
    if (!b)
        return;
    struct entry *copy = malloc(sizeof *copy);
    if (!copy) {
        b->load_error = cudaErrorMemoryAllocation;
        return;
    }
    *copy = e;
    copy->binary = b;
    pthread_rwlock_wrlock(&lock);
    if (!by_host.capacity)
        map_init_pointers(&by_host);
    if (!vec_push(&b->entries, copy)) {
        b->load_error = cudaErrorMemoryAllocation;
        free(copy);
    } else if (!map_put(&by_host, e.host, copy)) {
        b->load_error = cudaErrorMemoryAllocation;
    }
    pthread_rwlock_unlock(&lock);
}

void __cudaRegisterFunction(void **fatCubinHandle, const char *hostFun,
                            char *deviceFun, const char *deviceName,
                            int thread_limit, uint3 *tid, uint3 *bid,
                            dim3 *bDim, dim3 *gDim, int *wSize)
{
    (void)deviceFun, (void)thread_limit, (void)tid, (void)bid;
    (void)bDim, (void)gDim, (void)wSize;
    add_entry(
        (struct binary *)fatCubinHandle,
        (struct entry){.kind = FUNCTION, .host = hostFun, .name = deviceName});
}

void __cudaRegisterVar(void **fatCubinHandle, char *hostVar,
                       char *deviceAddress, const char *deviceName, int ext,
                       size_t size, int constant, int global)
{
    (void)deviceAddress, (void)ext, (void)constant, (void)global;
    struct binary *b = (struct binary *)fatCubinHandle;
    if (b && (uintptr_t)hostVar % MANAGED_ALIGN == 0)
        b->may_have_managed = true;
    add_entry(b, (struct entry){.kind = VARIABLE,
                                .host = hostVar,
                                .name = deviceName,
                                .size_bytes = size});
}

/* The host's variable is a pointer, which has to point to the variable. */
void __cudaRegisterManagedVar(void **fatCubinHandle, void **hostVarPtrAddress,
                              char *deviceAddress, const char *deviceName,
                              int ext, size_t size, int constant, int global)
{
    (void)deviceAddress, (void)ext, (void)constant, (void)global;
    struct binary *b = (struct binary *)fatCubinHandle;
    if (b)
        b->has_managed = true;
    add_entry(b, (struct entry){.kind = MANAGED,
                                .host = hostVarPtrAddress,
                                .name = deviceName,
                                .size_bytes = size});
}

/* Texture and surface references: nothing looks one up, since every function
 * that binds one refuses. */
void __cudaRegisterTexture(void **fatCubinHandle,
                           const struct textureReference *hostVar,
                           const void **deviceAddress, const char *deviceName,
                           int dim, int norm, int ext)
{
    (void)fatCubinHandle, (void)hostVar, (void)deviceAddress;
    (void)deviceName, (void)dim, (void)norm, (void)ext;
}

void __cudaRegisterSurface(void **fatCubinHandle,
                           const struct surfaceReference *hostVar,
                           const void **deviceAddress, const char *deviceName,
                           int dim, int ext)
{
    (void)fatCubinHandle, (void)hostVar, (void)deviceAddress;
    (void)deviceName, (void)dim, (void)ext;
}

/* ---- loading ------------------------------------------------------------- */

/* Of the entries that are new: the objects of a device link register theirs
 * one after the other. */
static void share_managed(struct binary *b)
{
    while (b->shared_count < b->entries.count) {
        struct entry *e = b->entries.data[b->shared_count++];
        if (e->kind == MANAGED &&
            !module_global(b->module, e->name, &e->address, NULL)) {
            *(void **)e->host = (void *)(uintptr_t)e->address;
            /* What the program gives as the symbol is what it points to. */
            map_put(&by_host, (void *)(uintptr_t)e->address, e);
        }
        if (e->kind == VARIABLE)
            module_adopt(b->module, e->name, (void *)e->host);
    }
}

/* The PTX has the last word. */
static bool names_managed(const struct binary *b)
{
    static const char attribute[] = ".attribute(.managed)";
    struct fatbin_entry e;
    char *seen;
    bool ok = fatbin_select(b->wrapper, FATBIN_ANY_DEVICE, &e, &seen) &&
              memmem(e.ptx, e.ptx_bytes, attribute, sizeof attribute - 1);
    free(e.owned);
    free(seen);
    return ok;
}

/* The program gets an error code only, and often at a launch, which has no
 * result at all; why would be lost otherwise. */
static void show(const struct diag *log, cudaError_t err)
{
    if (err)
        fprintf(stderr,
                "weft: this program's device code cannot be loaded: "
                "%s\n%s",
                cudaGetErrorString(err), log->text ? log->text : "");
}

/* Under the write lock. */
static cudaError_t load(struct binary *b)
{
    CUcontext ctx;
    if (b->module)
        share_managed(b);
    if (b->module || b->load_error)
        return b->load_error;
    cudaError_t err = rt_context(&ctx);
    if (err)
        return err;
    struct diag log;
    diag_init(&log);
    const void *const *parts = &b->wrapper->container;
    size_t part_count = fatbin_parts(b->wrapper, &parts);
    err = rt_error(module_load_linked(ctx, parts, part_count ? part_count : 1,
                                      &log, &b->module));
    if (!b->has_complained)
        show(&log, err);
    b->has_complained = err != cudaSuccess;
    diag_fini(&log);
    if (err) {
        b->module = NULL;
        /* Memory may be there the next time; a bad image stays bad. */
        if (err != cudaErrorMemoryAllocation)
            b->load_error = err;
        return err;
    }
    share_managed(b);
    return cudaSuccess;
}

void __cudaRegisterFatBinaryEnd(void **fatCubinHandle)
{
    struct binary *b = (struct binary *)fatCubinHandle;
    if (b && (b->has_managed || (b->may_have_managed && names_managed(b))))
        __cudaInitModule(fatCubinHandle);
}

char __cudaInitModule(void **fatCubinHandle)
{
    struct binary *b = (struct binary *)fatCubinHandle;
    if (!b)
        return 0;
    pthread_rwlock_wrlock(&lock);
    cudaError_t err = load(b);
    pthread_rwlock_unlock(&lock);
    return rt_return(err) == cudaSuccess;
}

/* The executable's own: the process ends. What still runs ends with it, as on
 * hardware, and destructors that come later may still call CUDA. */
static bool is_of_executable(const struct binary *b)
{
    Dl_info info;
    struct link_map *object = NULL;
    return dladdr1(b->wrapper, &info, (void **)&object, RTLD_DL_LINKMAP) &&
           object && !object->l_prev;
}

/* A library that is unloaded: work that runs the module's code is waited for.
 */
void __cudaUnregisterFatBinary(void **fatCubinHandle)
{
    struct binary *b = (struct binary *)fatCubinHandle;
    CUcontext ctx;
    if (!b || ctx_is_lost() || is_of_executable(b))
        return;
    pthread_rwlock_wrlock(&lock);
    for (size_t i = 0; i < b->entries.count; i++) {
        struct entry *e = b->entries.data[i];
        const void *address = (void *)(uintptr_t)e->address;
        if (map_find(&by_host, e->host) == e)
            map_remove(&by_host, e->host);
        if (e->kind == MANAGED && map_find(&by_host, address) == e)
            map_remove(&by_host, address);
        free(e);
    }
    pthread_rwlock_unlock(&lock);
    if (b->module) {
        if (!ctx_primary(&ctx))
            ctx_synchronize(ctx);
        module_unload(b->module);
    }
    vec_fini(&b->entries);
    free(b);
}

/* ---- looking up ---------------------------------------------------------- */

/* Under the write lock. */
static cudaError_t resolve(struct entry *e)
{
    cudaError_t err = load(e->binary);
    if (err)
        return err;
    if (e->kind == FUNCTION)
        return rt_error(
                   module_function(e->binary->module, e->name, &e->function))
                   ? cudaErrorInvalidDeviceFunction
                   : cudaSuccess;
    return rt_error(
               module_global(e->binary->module, e->name, &e->address, NULL))
               ? cudaErrorInvalidSymbol
               : cudaSuccess;
}

static bool is_resolved(const struct entry *e)
{
    return e->kind == FUNCTION ? e->function != NULL : e->address != 0;
}

/* A copy of the entry, resolved. `unknown` if there is none. */
static cudaError_t find(const void *host, bool is_function, cudaError_t unknown,
                        struct entry *out)
{
    pthread_rwlock_rdlock(&lock);
    struct entry *e = by_host.capacity ? map_find(&by_host, host) : NULL;
    bool done = e && is_resolved(e);
    if (done)
        *out = *e;
    pthread_rwlock_unlock(&lock);
    if (done)
        return (out->kind == FUNCTION) == is_function ? cudaSuccess : unknown;

    pthread_rwlock_wrlock(&lock);
    cudaError_t err = unknown;
    e = by_host.capacity ? map_find(&by_host, host) : NULL;
    if (e && (e->kind == FUNCTION) == is_function) {
        err = resolve(e);
        *out = *e;
    }
    pthread_rwlock_unlock(&lock);
    return err;
}

cudaError_t rt_function(const void *host_function, CUfunction *out)
{
    struct entry e;
    cudaError_t err =
        find(host_function, true, cudaErrorInvalidDeviceFunction, &e);
    if (!err)
        *out = e.function;
    return err;
}

const char *rt_function_name(const void *host_function)
{
    struct entry e;
    return find(host_function, true, cudaErrorInvalidDeviceFunction, &e)
               ? NULL
               : e.name;
}

cudaError_t rt_symbol(const void *host_variable, struct rt_symbol *out)
{
    struct entry e;
    cudaError_t err = find(host_variable, false, cudaErrorInvalidSymbol, &e);
    if (!err)
        *out = (struct rt_symbol){.address = e.address,
                                  .size_bytes = e.size_bytes};
    return err;
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    struct rt_symbol s;
    CUcontext ctx;
    if (!devPtr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_symbol(symbol, &s);
    if (!err)
        *devPtr = (void *)(uintptr_t)s.address;
    return rt_return(err);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    struct rt_symbol s;
    CUcontext ctx;
    if (!size)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_symbol(symbol, &s);
    if (!err)
        *size = s.size_bytes;
    return rt_return(err);
}
