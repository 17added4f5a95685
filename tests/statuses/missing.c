/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No function of the libraries dies of what is not there: each is called
 * without anything, with its handle alone, with numbers of -1, without memory,
 * and with each argument in turn missing or -1. Answers are not looked at
 * (engine.h's tables have them), nor that a kernel finds no memory where the
 * device's is missing: a child makes the calls, and another one goes on with a
 * new context.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cublasLt.h"
#include "cublasXt.h"
#include "cublas_v2.h"
#include "cuda_runtime_api.h"
#include "cufftXt.h"
#include "curand.h"
#include "cusolverDn.h"
#include "cusolverRf.h"
#include "cusolverSp.h"
#include "cusparse.h"

enum { ARGUMENTS_MAX = 30, EACH = 1 << 19, LIST = 30 << 20, MEMORY = 32 << 20 };

static const struct {
    const char *name, *letters;
} functions[] = {
#define CALL(name, letters) {#name, letters},
#include "missing.def"
};
static const int function_count = sizeof functions / sizeof *functions;

static char *memory;
static struct {
    cublasHandle_t blas;
    cublasLtHandle_t lt;
    cublasXtHandle_t xt;
    cusolverDnHandle_t dense;
    cusolverSpHandle_t sparse;
    cusolverRfHandle_t again;
    cusparseHandle_t products;
    curandGenerator_t generator;
    cufftHandle plan;
} handles;

static void prepare(void)
{
    int device = 0;
    if (cudaMallocManaged((void **)&memory, MEMORY, cudaMemAttachGlobal) ||
        cublasCreate(&handles.blas) || cublasLtCreate(&handles.lt) ||
        cublasXtCreate(&handles.xt) ||
        cublasXtDeviceSelect(handles.xt, 1, &device) ||
        cusolverDnCreate(&handles.dense) || cusolverSpCreate(&handles.sparse) ||
        cusolverRfCreate(&handles.again) || cusparseCreate(&handles.products) ||
        curandCreateGenerator(&handles.generator, CURAND_RNG_PSEUDO_XORWOW) ||
        cufftPlan1d(&handles.plan, 16, CUFFT_C2C, 1))
        exit(4);
    memset(memory, 0, MEMORY);
    for (int i = 0; i < 64; i++)
        ((void **)(memory + LIST))[i] = memory + i * 4096;
}

static long handle_of(char letter)
{
    switch (letter) {
    case 'B':
        return (long)handles.blas;
    case 'L':
        return (long)handles.lt;
    case 'X':
        return (long)handles.xt;
    case 'S':
        return (long)handles.dense;
    case 's':
        return (long)handles.sparse;
    case 'f':
        return (long)handles.again;
    case 'P':
        return (long)handles.products;
    case 'R':
        return (long)handles.generator;
    case 'F':
        return handles.plan;
    default:
        return 0;
    }
}

/* ---- which call ------------------------------------------------------- */

enum way { NOTHING, HANDLE_ALONE, NEGATIVE, NO_MEMORY, ONE_MISSING, WAYS };

/* Shared with the parent. */
struct progress {
    int function, argument, calls;
    enum way way;
};

static bool go_on(struct progress *p)
{
    if (p->way == ONE_MISSING &&
        functions[p->function].letters[p->argument] != 0 &&
        functions[p->function].letters[++p->argument] != 0)
        return true;
    p->argument = 0;
    if (p->way != ONE_MISSING) {
        p->way++;
        return true;
    }
    p->way = NOTHING;
    return ++p->function < function_count;
}

static long value_of(char letter, int argument, const struct progress *p)
{
    bool is_missing = p->way == ONE_MISSING && argument == p->argument;
    bool has_memory = p->way == NEGATIVE || p->way == ONE_MISSING;
    switch (letter) {
    case 'n':
        if (p->way == NOTHING || p->way == HANDLE_ALONE)
            return 0;
        return p->way == NEGATIVE || is_missing ? -1 : 4;
    case 'D':
        return has_memory && !is_missing ? (long)memory + argument * EACH : 0;
    case 'A':
        return has_memory && !is_missing ? (long)memory + LIST : 0;
    default:
        return p->way == NOTHING || is_missing ? 0 : handle_of(letter);
    }
}

typedef long any(long, long, long, long, long, long, long, long, long, long,
                 long, long, long, long, long, long, long, long, long, long,
                 long, long, long, long, long, long, long, long, long, long);

static void call(const struct progress *p)
{
    long a[ARGUMENTS_MAX] = {0};
    const char *letters = functions[p->function].letters;
    any *f = (any *)dlsym(RTLD_DEFAULT, functions[p->function].name);
    if (!f)
        abort();
    for (int i = 0; letters[i]; i++)
        a[i] = value_of(letters[i], i, p);
    alarm(30);
    f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
      a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21],
      a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29]);
}

enum { FAULT = 2, OVER = 3 };

static void make_calls(struct progress *p)
{
    bool is_more = true;
    prepare();
    while (is_more) {
        p->calls++;
        call(p);
        is_more = go_on(p);
        if (cudaDeviceSynchronize())
            _exit(is_more ? FAULT : OVER);
    }
    _exit(OVER);
}

int main(void)
{
    struct progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int failures = 0, status = 0;
    for (bool is_more = true; is_more;) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            if (freopen("/dev/null", "w", stderr)) /* messages of faults */
                make_calls(p);
            _exit(4);
        }
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == FAULT)
            continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == OVER)
            break;
        printf("%s(%s), way %d, argument %d: status %#x\n",
               functions[p->function].name, functions[p->function].letters,
               (int)p->way, p->argument, (unsigned)status);
        failures++;
        is_more = failures < 50 && go_on(p);
    }
    printf("%d functions, %d calls, %d failures\n", function_count, p->calls,
           failures);
    return failures != 0 || p->calls < function_count * 5;
}
