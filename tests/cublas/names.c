/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the tables is a symbol of the libraries of CUDA 12 and 13. */
/* The header brings the runtime API along, for programs in C, too. */
#include <cublas_v2.h>

enum { MALLOC_IS_DECLARED = sizeof(cudaMalloc(0, 0)) };

#include "../exec/check.h"

#include <dlfcn.h>
#include <stddef.h>

static void check_library(const char *library, const char *const *names)
{
    void *l = dlopen(library, RTLD_NOW);
    if (!l)
        fprintf(stderr, "%s\n", dlerror());
    CHECK(l);
    for (; l && *names; names++) {
        if (dlsym(l, *names))
            continue;
        fprintf(stderr, "%s lacks %s\n", library, *names);
        check_failures++;
    }
}

static const char *const cublas[] = {
#define CUBLAS_API(name, state) #name,
#include "lib/cublas/api.def"
    NULL};
static const char *const cublas_lt[] = {
#define CUBLASLT_API(name, state) #name,
#include "lib/cublaslt/api.def"
    NULL};

int main(void)
{
    check_library("libcublas.so.12", cublas);
    check_library("libcublas.so.13", cublas);
    check_library("libcublasLt.so.12", cublas_lt);
    check_library("libcublasLt.so.13", cublas_lt);
    return check_result();
}
