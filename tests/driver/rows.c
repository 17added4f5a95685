/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every row of the driver's table: the library exports it; its name, the
 * version of its toolkit and the kind of default stream find it, and in the
 * runtime API too; if the row says that it refuses, it does. cudaTypedefs.h has
 * the type of its newest form.
 */
#include "check.h"

#include <dlfcn.h>

enum per_thread { NO, PTDS, PTSZ };
enum state { DONE, REFUSES, NARROW_0, NARROW_1, NARROW_2 };

static const struct row {
    const char *name, *symbol;
    int since;
    enum per_thread per_thread;
    enum state state;
} rows[] = {
#define CU_API(name, suffix, since, per_thread, state)                         \
    {#name, #name #suffix, since, per_thread, state},
#include "driver/api.def"
};
enum { COUNT = sizeof rows / sizeof *rows };

/* The types of cudaTypedefs.h. */
static const struct pointer {
    const char *name;
    int version, since;
    enum per_thread per_thread;
} pointers[] = {
#define WEFT_PFN(name, version)             {#name, version, version, NO},
#define WEFT_PFN_FORM(name, form, version)  {#name, version, version, NO},
#define WEFT_PFN_PTDS(name, version, since) {#name, version, since, PTDS},
#define WEFT_PFN_PTSZ(name, version, since) {#name, version, since, PTSZ},
#include "weft/driver_pointers.h"
};
enum { POINTER_COUNT = sizeof pointers / sizeof *pointers };

/* The newest form of the same function that this version has. */
static const struct row *newest(const struct row *r, int version)
{
    while (r + 1 < rows + COUNT && !strcmp(r[1].name, r->name) &&
           r[1].since <= version)
        r++;
    return r;
}

static void *variant(const struct row *r)
{
    static const char *const suffixes[] = {"", "_ptds", "_ptsz"};
    char name[128];
    snprintf(name, sizeof name, "%s%s", r->symbol, suffixes[r->per_thread]);
    return dlsym(RTLD_DEFAULT, name);
}

/* Refusing functions look at no argument. */
static void refuses(const struct row *r, void *function)
{
    int (*call)(void);
    *(void **)&call = function;
    int err = call();
    if (err == CUDA_ERROR_NOT_SUPPORTED)
        return;
    printf("%s gives %d, though it refuses\n", r->symbol, err);
    failures++;
}

/* The outputs of forms for contexts that there are none of become 0. */
static void is_narrow(const struct row *r, void *function)
{
    unsigned out[2] = {7, 7}, count = r->state - NARROW_0;
    int (*call)(unsigned *, unsigned *);
    *(void **)&call = function;
    CHECK(call(&out[0], &out[1]) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(out[0] == (count > 0 ? 0 : 7) && out[1] == (count > 1 ? 0 : 7));
}

static void finds(const struct row *r, int version, unsigned flags,
                  void *expected)
{
    CUdriverProcAddressQueryResult status;
    void *found = NULL, *by_runtime = NULL;
    enum cudaDriverEntryPointQueryResult runtime_status;
    CUresult err = cuGetProcAddress(r->name, &found, version, flags, &status);
    if (err || found != expected || status != CU_GET_PROC_ADDRESS_SUCCESS) {
        printf("%s of %d is not found\n", r->name, version);
        failures++;
    }
    OK(cudaGetDriverEntryPointByVersion(r->name, &by_runtime,
                                        (unsigned)version, flags,
                                        &runtime_status));
    CHECK(by_runtime == expected &&
          runtime_status == cudaDriverEntryPointSuccess);
}

/* Before CUDA 7 no function is one for streams per thread. */
static void is_too_old(const struct row *r, unsigned flags)
{
    void *found = &found;
    CUdriverProcAddressQueryResult status;
    CUresult err = cuGetProcAddress(r->name, &found, r->since, flags, &status);
    if (err || found || status != CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT) {
        printf("%s of %d is found for streams per thread\n", r->name, r->since);
        failures++;
    }
}

static void row(const struct row *r)
{
    const unsigned legacy = CU_GET_PROC_ADDRESS_LEGACY_STREAM;
    const unsigned own = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    void *plain = dlsym(RTLD_DEFAULT, r->symbol);
    void *other = variant(r);
    if (!plain || !other) {
        printf("%s is not exported\n", r->symbol);
        failures++;
        return;
    }
    finds(r, r->since, legacy, plain);
    finds(r, r->since, 0, plain);
    int version = r->since < 7000 ? 7000 : r->since;
    finds(r, version, own, variant(newest(r, version)));
    if (other != plain && r->since < 7000)
        is_too_old(r, own);
    if (r->state >= NARROW_0)
        is_narrow(r, plain);
    if (r->state == REFUSES) {
        refuses(r, plain);
        refuses(r, other);
    }
}

/* Graphics APIs have headers of their own; cuGraphInstantiate is another
 * function's name in cuda.h. */
static bool is_in_typedefs(const struct row *r)
{
    return !strstr(r->name, "GL") && !strstr(r->name, "VDPAU") &&
           !strstr(r->name, "EglFrame") &&
           strcmp(r->name, "cuGraphInstantiate") != 0;
}

static void has_pointer(const struct row *r, enum per_thread per_thread)
{
    int since = per_thread == NO || r->since > 7000 ? r->since : 7000;
    for (int i = 0; i < POINTER_COUNT; i++) {
        const struct pointer *p = &pointers[i];
        if (!strcmp(p->name, r->name) && p->version == r->since &&
            p->since == since && p->per_thread == per_thread)
            return;
    }
    printf("PFN_%s_v%d%s is missing in weft/driver_pointers.h\n", r->name,
           since, per_thread ? " of streams per thread" : "");
    failures++;
}

static void pointer(const struct pointer *p)
{
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(rows[i].name, p->name) && rows[i].since == p->version &&
            (p->per_thread == NO || p->per_thread == rows[i].per_thread))
            return;
    printf("PFN_%s_v%d has no row in api.def\n", p->name, p->since);
    failures++;
}

static void types(void)
{
    for (int i = 0; i < COUNT; i++) {
        const struct row *r = &rows[i];
        if (newest(r, 99999) != r || !is_in_typedefs(r))
            continue;
        has_pointer(r, NO);
        if (r->per_thread)
            has_pointer(r, r->per_thread);
    }
    for (int i = 0; i < POINTER_COUNT; i++)
        pointer(&pointers[i]);
}

static void no_rows(void)
{
    CUdriverProcAddressQueryResult status;
    void *found = &status;
    CU_OK(cuGetProcAddress("cuNothing", &found, 13000, 0, &status));
    CHECK(!found && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    CU_OK(cuGetProcAddress("cuMemAlloc_v2", &found, 13000, 0, &status));
    CHECK(!found);
    CU_OK(cuGetProcAddress("cuMemAlloc", &found, 13990, 0, &status));
    CU_GIVES(INVALID_VALUE,
             cuGetProcAddress("cuMemAlloc", &found, 99999, 0, &status));
    CU_OK(cuGetProcAddress("", &found, 13000, 0, NULL));
    CU_OK(cuGetProcAddress("", &found, 13000, 0, &status));
    CHECK(!found && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    CU_OK(cuGetProcAddress("cuMemCreate", &found, 10010, 0, &status));
    CHECK(!found && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    CU_GIVES(INVALID_VALUE,
          cuGetProcAddress(NULL, &found, 13000, 0, NULL));
    CU_GIVES(INVALID_VALUE,
          cuGetProcAddress("cuInit", NULL, 13000, 0, NULL));
    CU_GIVES(INVALID_VALUE,
          cuGetProcAddress("cuInit", &found, 13000, 4, NULL));
}

int main(void)
{
    for (int i = 0; i < COUNT; i++)
        row(&rows[i]);
    types();
    no_rows();
    return check_result();
}
