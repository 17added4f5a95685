/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels and variables of the program's object files. Constructors of each
 * object register them by host address before main(), which only stores them in
 * tables. A module is loaded when something of it is first used.
 *
 *   object file --RegisterFatBinary--> REGISTERED --first use--> LOADED
 *                                             \--load error--> FAILED
 *
 * Each context gets a module of its own.
 *
 * Host code reads managed variables without a call, so a module that has one is
 * loaded at the end of its registration. With nvcc the host's variable is a
 * pointer, which is registered. With weftcc it is a variable, registered like
 * any other but aligned to MANAGED_ALIGN; the PTX says that it is managed, and
 * the device uses the host's variable.
 *
 * If nvcc linked several objects, the program contains the PTX of each, and it
 * is linked when the module is loaded.
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
    /* Its CUfunction or device address in each context, by ctx_place; 0: not
     * yet looked up there. Most programs use the first context only. */
    uintptr_t first, *others;
    CUkernel kernel;       /* FUNCTION: its handle; NULL: nobody asked yet */
    CUdeviceptr address;   /* MANAGED: the same in every context */
    bool is_adopted;       /* VARIABLE, managed: a module has initialised it */
    bool reads_normalized; /* VARIABLE that is a texture reference */
};

struct binary {
    struct binary *next; /* in all_binaries */
    const struct fatbin_wrapper *wrapper;
    bool may_have_managed; /* a variable is aligned to MANAGED_ALIGN */
    /* In each context, by ctx_place: LOADED; how many entries share_managed has
     * handled. */
    CUmodule modules[CTX_PLACE_COUNT];
    size_t shared_count[CTX_PLACE_COUNT];
    bool has_complained;    /* the error has been printed */
    cudaError_t load_error; /* FAILED */
    VEC(struct entry *) entries;
};

/* Held for reading to look an entry up and use what is loaded, for writing to
 * register or load. */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct map by_host; /* of struct entry, by host address */
static struct binary *all_binaries;
/* Counts changes that remove or replace an entry or its value. */
static atomic_uint change_count;

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
    pthread_rwlock_wrlock(&lock);
    b->next = all_binaries;
    all_binaries = b;
    pthread_rwlock_unlock(&lock);
    return (void **)b;
}

static void add_entry(struct binary *b, struct entry e)
{
    /* NULL: memory had run out when it was registered. Launches of its kernels
     * fail, as these are unknown. */
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
    atomic_fetch_add(&change_count, 1);
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

/* The host's variable is a pointer, which gets the variable's address. */
void __cudaRegisterManagedVar(void **fatCubinHandle, void **hostVarPtrAddress,
                              char *deviceAddress, const char *deviceName,
                              int ext, size_t size, int constant, int global)
{
    (void)deviceAddress, (void)ext, (void)constant, (void)global;
    add_entry((struct binary *)fatCubinHandle,
              (struct entry){.kind = MANAGED,
                             .host = hostVarPtrAddress,
                             .name = deviceName,
                             .size_bytes = size});
}

/* Texture and surface references are variables that hold an object's handle.
 * norm: integers are read as fractions. */
void __cudaRegisterTexture(void **fatCubinHandle,
                           const struct textureReference *hostVar,
                           const void **deviceAddress, const char *deviceName,
                           int dim, int norm, int ext)
{
    (void)deviceAddress, (void)dim, (void)ext;
    add_entry((struct binary *)fatCubinHandle,
              (struct entry){.kind = VARIABLE,
                             .host = hostVar,
                             .name = deviceName,
                             .size_bytes = sizeof(uint64_t),
                             .reads_normalized = norm != 0});
}

void __cudaRegisterSurface(void **fatCubinHandle,
                           const struct surfaceReference *hostVar,
                           const void **deviceAddress, const char *deviceName,
                           int dim, int ext)
{
    (void)deviceAddress, (void)dim, (void)ext;
    add_entry((struct binary *)fatCubinHandle,
              (struct entry){.kind = VARIABLE,
                             .host = hostVar,
                             .name = deviceName,
                             .size_bytes = sizeof(uint64_t)});
}

/* ---- loading ------------------------------------------------------------- */

static uintptr_t *value_at(struct entry *e, unsigned place)
{
    static uintptr_t none;
    if (place == 0)
        return &e->first;
    return e->others ? &e->others[place] : &none;
}

static bool set_value(struct entry *e, unsigned place, uintptr_t value)
{
    if (place && !e->others)
        e->others = calloc(CTX_PLACE_COUNT, sizeof *e->others);
    if (place && !e->others)
        return false;
    *value_at(e, place) = value;
    return true;
}

/* Makes a managed variable the same in the host and all contexts. The module of
 * the first context initialises it. */
static void share_managed_of(struct entry *e, CUmodule module)
{
    if (e->kind == VARIABLE && e->is_adopted) {
        module_share(module, e->name, (void *)e->host);
    } else if (e->kind == VARIABLE) {
        e->is_adopted = !module_adopt(module, e->name, (void *)e->host);
    } else if (e->kind == MANAGED && e->address) {
        module_share(module, e->name, (void *)(uintptr_t)e->address);
    } else if (e->kind == MANAGED &&
               !module_global(module, e->name, &e->address, NULL)) {
        *(void **)e->host = (void *)(uintptr_t)e->address;
        /* The program passes what the pointer points to as the symbol. Without
         * memory that address is not found, which is an error of its own. */
        (void)map_put(&by_host, (void *)(uintptr_t)e->address, e);
    }
}

/* Only for entries that are new since the last call, as the objects of a device
 * link register theirs one after the other. */
static void share_managed(struct binary *b, unsigned place)
{
    while (b->shared_count[place] < b->entries.count)
        share_managed_of(b->entries.data[b->shared_count[place]++],
                         b->modules[place]);
}

/* Does the PTX have a managed variable? */
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

/* Prints what is wrong: the program gets only an error code, and often none,
 * from a launch. */
static void show_log(const struct diag *log, cudaError_t err)
{
    if (err)
        fprintf(stderr,
                "weft: this program's device code cannot be loaded: "
                "%s\n%s",
                cudaGetErrorString(err), log->text ? log->text : "");
}

/* A context is destroyed: forgets what was loaded there. */
static void forget_context(CUcontext ctx, void *key, void *value)
{
    struct binary *b = key;
    unsigned place = ctx_place(ctx);
    (void)value;
    if (ctx_is_primary(ctx)) /* a reset, in which modules stay */
        return;
    pthread_rwlock_wrlock(&lock);
    atomic_fetch_add(&change_count, 1);
    b->modules[place] = NULL;
    b->shared_count[place] = 0;
    for (size_t i = 0; i < b->entries.count; i++)
        *value_at(b->entries.data[i], place) = 0;
    pthread_rwlock_unlock(&lock);
}

/* Loads the module into ctx. The write lock is held. */
static cudaError_t load_into(struct binary *b, CUcontext ctx, CUmodule *out)
{
    struct diag log;
    diag_init(&log);
    const void *const *parts = &b->wrapper->container;
    size_t part_count = fatbin_parts(b->wrapper, &parts);
    cudaError_t err = rt_error(
        module_load_linked(ctx, parts, part_count ? part_count : 1, &log, out));
    if (!err && !ctx_is_primary(ctx))
        err = rt_error(ctx_storage_put(ctx, b, b, forget_context));
    if (!b->has_complained)
        show_log(&log, err);
    b->has_complained = err != cudaSuccess;
    diag_fini(&log);
    return err;
}

/* Loads the module into the thread's context if it is not loaded there, and
 * says the context's place. The write lock is held. */
static cudaError_t load_binary(struct binary *b, unsigned *place)
{
    CUcontext ctx;
    if (b->load_error)
        return b->load_error;
    cudaError_t err = rt_context(&ctx);
    if (err)
        return err;
    ctx = ctx_home(ctx);
    *place = ctx_place(ctx);
    if (!b->modules[*place])
        err = load_into(b, ctx, &b->modules[*place]);
    if (!err) {
        share_managed(b, *place);
        return cudaSuccess;
    }
    b->modules[*place] = NULL;
    /* Lack of memory may pass; a bad image stays bad. */
    if (err != cudaErrorMemoryAllocation)
        b->load_error = err;
    return err;
}

/* weftcc's host code reads managed variables without a call, so they are loaded
 * here. nvcc's (MANAGED) calls __cudaInitModule before it reads one, and may
 * fork before that. */
void __cudaRegisterFatBinaryEnd(void **fatCubinHandle)
{
    struct binary *b = (struct binary *)fatCubinHandle;
    if (b && b->may_have_managed && names_managed(b)) {
        ctx_registration_begin();
        __cudaInitModule(fatCubinHandle);
        ctx_registration_end();
    }
}

char __cudaInitModule(void **fatCubinHandle)
{
    struct binary *b = (struct binary *)fatCubinHandle;
    if (!b)
        return 0;
    unsigned place;
    pthread_rwlock_wrlock(&lock);
    cudaError_t err = load_binary(b, &place);
    pthread_rwlock_unlock(&lock);
    return rt_return(err) == cudaSuccess;
}

/* The binary of the executable is unregistered when the process ends. Nothing
 * is freed then: kernels that still run end with the process, as on hardware,
 * and later destructors may still call CUDA. */
static bool is_of_executable(const struct binary *b)
{
    Dl_info info;
    struct link_map *object = NULL;
    return dladdr1(b->wrapper, &info, (void **)&object, RTLD_DL_LINKMAP) &&
           object && !object->l_prev;
}

/* A library is unloaded: waits for kernels of its module, then frees all of it.
 */
void __cudaUnregisterFatBinary(void **fatCubinHandle)
{
    struct binary *b = (struct binary *)fatCubinHandle;
    if (!b || ctx_is_lost() || is_of_executable(b))
        return;
    pthread_rwlock_wrlock(&lock);
    atomic_fetch_add(&change_count, 1);
    for (size_t i = 0; i < b->entries.count; i++) {
        struct entry *e = b->entries.data[i];
        const void *address = (void *)(uintptr_t)e->address;
        if (map_find(&by_host, e->host) == e)
            map_remove(&by_host, e->host);
        if (e->kind == MANAGED && map_find(&by_host, address) == e)
            map_remove(&by_host, address);
        if (e->kernel)
            map_remove(&by_host, e->kernel);
        kernel_destroy(e->kernel);
        free(e->others);
        free(e);
    }
    struct binary **link = &all_binaries;
    while (*link && *link != b)
        link = &(*link)->next;
    if (*link)
        *link = b->next;
    pthread_rwlock_unlock(&lock);
    ctx_storage_end_key(b);
    for (unsigned i = 0; i < CTX_PLACE_COUNT; i++) {
        if (!b->modules[i])
            continue;
        ctx_wait(module_context(b->modules[i]));
        module_unload(b->modules[i]);
    }
    vec_fini(&b->entries);
    free(b);
}

/* ---- looking up ---------------------------------------------------------- */

/* Looks the entry up in the thread's context. The write lock is held. */
static cudaError_t resolve_entry(struct entry *e, uintptr_t *out)
{
    unsigned place;
    CUfunction function;
    CUdeviceptr address;
    cudaError_t err = load_binary(e->binary, &place);
    if (err)
        return err;
    CUmodule module = e->binary->modules[place];
    if (e->kind == FUNCTION) {
        if (module_function(module, e->name, &function))
            return cudaErrorInvalidDeviceFunction;
        *out = (uintptr_t)function;
    } else {
        if (module_global(module, e->name, &address, NULL))
            return cudaErrorInvalidSymbol;
        *out = (uintptr_t)address;
    }
    return set_value(e, place, *out) ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* A copy of the entry, and its function or address in the thread's context.
 * `unknown`: there is no such entry. */
static cudaError_t find_entry(const void *host, bool is_function,
                              cudaError_t unknown, struct entry *out,
                              uintptr_t *value)
{
    CUcontext ctx;
    bool is_current = !ctx_current(&ctx);
    pthread_rwlock_rdlock(&lock);
    struct entry *e = by_host.capacity ? map_find(&by_host, host) : NULL;
    *value = e && is_current ? *value_at(e, ctx_place(ctx_home(ctx))) : 0;
    if (*value)
        *out = *e;
    pthread_rwlock_unlock(&lock);
    if (*value)
        return (out->kind == FUNCTION) == is_function ? cudaSuccess : unknown;

    pthread_rwlock_wrlock(&lock);
    cudaError_t err = unknown;
    e = by_host.capacity ? map_find(&by_host, host) : NULL;
    if (e && (e->kind == FUNCTION) == is_function) {
        err = resolve_entry(e, value);
        *out = *e;
    }
    pthread_rwlock_unlock(&lock);
    return err;
}

/* A kernel that this thread has looked up before. */
struct known {
    const void *host;
    CUcontext ctx;
    CUfunction function;
    unsigned change_count;
};

static struct known *known_at(const void *host)
{
    static __thread struct known known[8];
    return &known[((uintptr_t)host >> 4) % ARRAY_COUNT(known)];
}

static cudaError_t find_function(const void *host, CUfunction *out)
{
    struct entry e;
    uintptr_t value;
    CUcontext ctx;
    struct known *k = known_at(host);
    /* Pairs with the additions to change_count: what is looked up below is no
     * older than `now`. */
    unsigned now = atomic_load_explicit(&change_count, memory_order_acquire);
    bool is_current = !ctx_current(&ctx);
    if (is_current && k->host == host && k->ctx == ctx &&
        k->change_count == now) {
        *out = k->function;
        return cudaSuccess;
    }
    cudaError_t err =
        find_entry(host, true, cudaErrorInvalidDeviceFunction, &e, &value);
    if (err)
        return err;
    *out = (CUfunction)value;
    if (is_current)
        *k = (struct known){host, ctx, *out, now};
    return cudaSuccess;
}

cudaError_t rt_function(const void *host_function, CUfunction *out)
{
    cudaError_t err = find_function(host_function, out);
    /* A library's kernel may be passed as a host function. */
    CUcontext ctx;
    if (err == cudaErrorInvalidDeviceFunction &&
        !kernel_check((CUkernel)host_function) && !rt_context(&ctx))
        err = rt_error(kernel_function((CUkernel)host_function, ctx, out));
    if (err == cudaErrorInvalidDeviceFunction && host_function &&
        RT_VERSION >= 13000) /* CUDA 13 takes it for a kernel's handle */
        err = cudaErrorInvalidResourceHandle;
    return err;
}

const char *rt_function_name(const void *host_function)
{
    struct entry e;
    uintptr_t value;
    if (!find_entry(host_function, true, cudaErrorInvalidDeviceFunction, &e,
                    &value))
        return e.name;
    return kernel_check((CUkernel)host_function)
               ? NULL
               : kernel_name((CUkernel)host_function);
}

/* The function of a handle, for core. */
static CUresult find_for_handle(const void *host, CUfunction *out)
{
    cudaError_t err = rt_function(host, out);
    return err == cudaErrorInvalidDeviceFunction ? CUDA_ERROR_NOT_FOUND
                                                 : (CUresult)err;
}

/* Makes the entry's handle, if it has none. The write lock is held. */
static bool make_kernel(struct entry *e)
{
    assert(e && e->kind == FUNCTION);
    if (e->kernel)
        return true;
    e->kernel = kernel_create(e->name, e->host, find_for_handle);
    if (e->kernel && map_put(&by_host, e->kernel, e))
        return true;
    kernel_destroy(e->kernel);
    e->kernel = NULL;
    return false;
}

cudaError_t rt_kernel(const void *host_function, CUkernel *out)
{
    cudaError_t err = cudaErrorInvalidDeviceFunction;
    pthread_rwlock_wrlock(&lock);
    struct entry *e =
        by_host.capacity ? map_find(&by_host, host_function) : NULL;
    if (e && e->kind == FUNCTION)
        err = make_kernel(e) ? cudaSuccess : cudaErrorMemoryAllocation;
    if (!err)
        *out = e->kernel;
    pthread_rwlock_unlock(&lock);
    return err;
}

/* The binary in u's program or library whose module has a variable of u's name;
 * NULL: there is none. The write lock is held. */
static struct binary *binary_with(const struct unregistered *u)
{
    unsigned place;
    CUdeviceptr address;
    for (struct binary *b = all_binaries; b; b = b->next)
        if (unregistered_is_in(u, b->wrapper) && !load_binary(b, &place) &&
            !module_global(b->modules[place], u->name, &address, NULL))
            return b;
    return NULL;
}

/* Registers a variable that only the device pass took for a device variable. */
static bool register_late(const void *host_variable)
{
    struct unregistered u;
    if (!unregistered_find(host_variable, &u))
        return false;
    pthread_rwlock_wrlock(&lock);
    struct binary *b = binary_with(&u);
    pthread_rwlock_unlock(&lock);
    if (!b) {
        free(u.name);
        return false;
    }
    add_entry(b, (struct entry){.kind = VARIABLE,
                                .host = host_variable,
                                .name = u.name, /* never freed */
                                .size_bytes = u.size_bytes});
    return true;
}

static bool is_registered(const void *host)
{
    pthread_rwlock_rdlock(&lock);
    bool is = by_host.capacity && map_find(&by_host, host);
    pthread_rwlock_unlock(&lock);
    return is;
}

cudaError_t rt_symbol(const void *host_variable, struct rt_symbol *out)
{
    struct entry e;
    uintptr_t value;
    cudaError_t err =
        find_entry(host_variable, false, cudaErrorInvalidSymbol, &e, &value);
    if (err == cudaErrorInvalidSymbol && !is_registered(host_variable) &&
        register_late(host_variable))
        err = find_entry(host_variable, false, err, &e, &value);
    if (!err)
        *out = (struct rt_symbol){.address = value, .size_bytes = e.size_bytes};
    return err;
}

bool rt_reads_normalized(const void *host_variable)
{
    struct entry e;
    uintptr_t value;
    return !find_entry(host_variable, false, cudaErrorInvalidSymbol, &e,
                       &value) &&
           e.reads_normalized;
}

cudaError_t rt_symbol_part(const void *symbol, size_t count, size_t offset,
                           enum cudaMemcpyKind kind,
                           enum rt_direction direction, void **out)
{
    struct rt_symbol s;
    enum cudaMemcpyKind usual = direction == RT_TO_SYMBOL
                                    ? cudaMemcpyHostToDevice
                                    : cudaMemcpyDeviceToHost;
    cudaError_t err = rt_symbol(symbol, &s);
    if (err)
        return err;
    if (kind != usual && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (offset > s.size_bytes || count > s.size_bytes - offset)
        return cudaErrorInvalidValue;
    *out = (void *)(uintptr_t)(s.address + offset);
    return cudaSuccess;
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    struct rt_symbol s;
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_symbol(symbol, &s);
    if (!err && !devPtr)
        err = cudaErrorInvalidValue;
    if (!err)
        *devPtr = (void *)(uintptr_t)s.address;
    return rt_return(err);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    struct rt_symbol s;
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_symbol(symbol, &s);
    if (!err && !size)
        err = cudaErrorInvalidValue;
    if (!err)
        *size = s.size_bytes;
    return rt_return(err);
}
