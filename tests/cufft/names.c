/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the tables is a symbol of the libraries of CUDA 12 and 13. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check_library(const char *library, const char *const *names)
{
    void *l = dlopen(library, RTLD_NOW);
    if (!l) {
        printf("%s\n", dlerror());
        failures++;
    }
    for (; l && *names; names += 2) {
        if (!!dlsym(l, names[0]) != !strcmp(names[1], "ABSENT"))
            continue;
        printf("%s: %s is %s\n", library, names[0], names[1]);
        failures++;
    }
}

static const char *const cufft[] = {
#define CUFFT_API(name, state) #name, #state,
#include "lib/cufft/api.def"
    NULL};
static const char *const curand[] = {
#define CURAND_API(name, state) #name, #state,
#include "lib/curand/api.def"
    NULL};
static const char *const cusparse[] = {
#define CUSPARSE_API(name, state) #name, #state,
#include "lib/cusparse/api.def"
    NULL};

int main(void)
{
    check_library("libcufft.so.11", cufft);
    check_library("libcufft.so.12", cufft);
    check_library("libcurand.so.10", curand);
    check_library("libcusparse.so.12", cusparse);
    printf("%d failures\n", failures);
    return failures != 0;
}
