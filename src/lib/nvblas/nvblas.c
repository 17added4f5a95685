/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvblas: programs that call BLAS by Fortran's names get its level 3 from
 * cublasXt. Its errors are written to the log that the configuration names.
 * Without a device, the CPU library that the configuration names does the work.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#pragma GCC visibility push(default)
#include "nvblas.h"
#pragma GCC visibility pop
#include "cublasXt.h"

static struct {
    cublasXtHandle_t handle; /* NULL: there is no device */
    void *cpu;               /* the library named in NVBLAS_CPU_BLAS_LIB */
    char log[512];
} state = {.log = "nvblas.log"};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Adds a line to the log: what is wrong, and with what ("": no more to say). */
static void write_log(const char *what, const char *which)
{
    FILE *f = strcmp(state.log, "stdout") == 0   ? stdout
              : strcmp(state.log, "stderr") == 0 ? stderr
                                                 : fopen(state.log, "ae");
    if (!f)
        return;
    fprintf(f, "[NVBLAS] %s%s%s\n", what, *which ? ": " : "", which);
    if (f != stdout && f != stderr)
        fclose(f);
}

/* ---- configuration ---------------------------------------------------- */

static void set_devices(char *list)
{
    int ids[64], count = 0;
    for (char *save, *s = strtok_r(list, " \t,", &save); s && count < 64;
         s = strtok_r(NULL, " \t,", &save)) {
        if (strncmp(s, "ALL", 3) == 0)
            return; /* all have one memory: device 0 serves */
        ids[count++] = atoi(s);
    }
    if (count && cublasXtDeviceSelect(state.handle, count, ids))
        write_log("no such devices", "NVBLAS_GPU_LIST");
}

static void load_cpu_library(const char *path)
{
    state.cpu = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!state.cpu)
        write_log("cannot load NVBLAS_CPU_BLAS_LIB", dlerror());
}

/* A line is KEY VALUE, and # begins a comment. Other keys change nothing. */
static void read_line(char *line)
{
    line[strcspn(line, "#\r\n")] = 0;
    char *key = line + strspn(line, " \t");
    char *value = key + strcspn(key, " \t");
    if (*value)
        *value++ = 0;
    value += strspn(value, " \t");
    for (size_t n = strlen(value); n && isspace((unsigned char)value[n - 1]);)
        value[--n] = 0;
    if (strcmp(key, "NVBLAS_LOGFILE") == 0 && *value)
        snprintf(state.log, sizeof state.log, "%s", value);
    else if (strcmp(key, "NVBLAS_CPU_BLAS_LIB") == 0 && *value)
        load_cpu_library(value);
    else if (strcmp(key, "NVBLAS_GPU_LIST") == 0 && state.handle)
        set_devices(value);
    else if (strcmp(key, "NVBLAS_TILE_DIM") == 0 && state.handle && *value)
        cublasXtSetBlockDim(state.handle, atoi(value));
}

static void read_configuration(void)
{
    const char *path = getenv("NVBLAS_CONFIG_FILE");
    FILE *f = fopen(path ? path : "nvblas.conf", "re");
    char line[1024];
    while (f && fgets(line, sizeof line, f))
        read_line(line);
    if (f)
        fclose(f);
    else if (path)
        write_log("cannot read the configuration", path);
}

/* A set-user-ID program runs with its owner's rights: it reads no
 * configuration, so that its caller can name no library to load and no file to
 * write. */
static void open_once(void)
{
    if (cublasXtCreate(&state.handle) != CUBLAS_STATUS_SUCCESS)
        state.handle = NULL;
    if (getauxval(AT_SECURE))
        strcpy(state.log, "stderr");
    else
        read_configuration();
    int device = 0;
    if (state.handle) /* refused if the configuration has selected some */
        cublasXtDeviceSelect(state.handle, 1, &device);
    if (!state.handle)
        write_log("no device", state.cpu ? "the CPU library works" : "");
}

/* ---- arguments -------------------------------------------------------- */

static cublasOperation_t op_of(const char *c)
{
    switch (toupper((unsigned char)*c)) {
    case 'N':
        return CUBLAS_OP_N;
    case 'T':
        return CUBLAS_OP_T;
    case 'C':
        return CUBLAS_OP_C;
    }
    return (cublasOperation_t)-1;
}

static cublasFillMode_t uplo_of(const char *c)
{
    switch (toupper((unsigned char)*c)) {
    case 'L':
        return CUBLAS_FILL_MODE_LOWER;
    case 'U':
        return CUBLAS_FILL_MODE_UPPER;
    }
    return (cublasFillMode_t)-1;
}

static cublasSideMode_t side_of(const char *c)
{
    switch (toupper((unsigned char)*c)) {
    case 'L':
        return CUBLAS_SIDE_LEFT;
    case 'R':
        return CUBLAS_SIDE_RIGHT;
    }
    return (cublasSideMode_t)-1;
}

static cublasDiagType_t diag_of(const char *c)
{
    switch (toupper((unsigned char)*c)) {
    case 'N':
        return CUBLAS_DIAG_NON_UNIT;
    case 'U':
        return CUBLAS_DIAG_UNIT;
    }
    return (cublasDiagType_t)-1;
}

/* A negative size becomes a huge one, which cublasXt refuses. */
#define SIZE(at) ((size_t)(ptrdiff_t)(*(at)))

/* ---- calls ------------------------------------------------------------ */

/* The body of a routine: cublasXt, or the CPU's routine without a device. */
#define CALL(name, Xt, fortran, arguments, parameters)                         \
    {                                                                          \
        pthread_once(&once, open_once);                                        \
        if (state.handle) {                                                    \
            if (Xt arguments != CUBLAS_STATUS_SUCCESS)                         \
                write_log("refused", #name);                                   \
            return;                                                            \
        }                                                                      \
        void(*cpu) parameters =                                                \
            state.cpu ? dlsym(state.cpu, #name "_") : NULL;                    \
        if (cpu)                                                               \
            cpu fortran;                                                       \
        else                                                                   \
            write_log("no device and no CPU library", #name);                  \
    }

#define BOTH(name, Xt, parameters, fortran, arguments)                         \
    void name##_ parameters CALL(name, Xt, fortran, arguments,                 \
                                 parameters) void name parameters              \
    {                                                                          \
        name##_ fortran;                                                       \
    }

#define GEMM(name, Xt, E)                                                      \
    BOTH(name, Xt,                                                             \
         (const char *transa, const char *transb, const int *m, const int *n,  \
          const int *k, const E *alpha, const E *a, const int *lda,            \
          const E *b, const int *ldb, const E *beta, E *c, const int *ldc),    \
         (transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc),       \
         (state.handle, op_of(transa), op_of(transb), SIZE(m), SIZE(n),        \
          SIZE(k), alpha, a, SIZE(lda), b, SIZE(ldb), beta, c, SIZE(ldc)))
#define RANK(name, Xt, E, A, B)                                                \
    BOTH(name, Xt,                                                             \
         (const char *uplo, const char *trans, const int *n, const int *k,     \
          const A *alpha, const E *a, const int *lda, const B *beta, E *c,     \
          const int *ldc),                                                     \
         (uplo, trans, n, k, alpha, a, lda, beta, c, ldc),                     \
         (state.handle, uplo_of(uplo), op_of(trans), SIZE(n), SIZE(k), alpha,  \
          a, SIZE(lda), beta, c, SIZE(ldc)))
#define RANK2(name, Xt, E, A, B)                                               \
    BOTH(name, Xt,                                                             \
         (const char *uplo, const char *trans, const int *n, const int *k,     \
          const A *alpha, const E *a, const int *lda, const E *b,              \
          const int *ldb, const B *beta, E *c, const int *ldc),                \
         (uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc),             \
         (state.handle, uplo_of(uplo), op_of(trans), SIZE(n), SIZE(k), alpha,  \
          a, SIZE(lda), b, SIZE(ldb), beta, c, SIZE(ldc)))
#define SYMM(name, Xt, E)                                                      \
    BOTH(name, Xt,                                                             \
         (const char *side, const char *uplo, const int *m, const int *n,      \
          const E *alpha, const E *a, const int *lda, const E *b,              \
          const int *ldb, const E *beta, E *c, const int *ldc),                \
         (side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc),              \
         (state.handle, side_of(side), uplo_of(uplo), SIZE(m), SIZE(n), alpha, \
          a, SIZE(lda), b, SIZE(ldb), beta, c, SIZE(ldc)))
#define TRIANGLE(name, Xt, E, ...)                                             \
    BOTH(name, Xt,                                                             \
         (const char *side, const char *uplo, const char *transa,              \
          const char *diag, const int *m, const int *n, const E *alpha,        \
          const E *a, const int *lda, E *b, const int *ldb),                   \
         (side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb),              \
         (state.handle, side_of(side), uplo_of(uplo), op_of(transa),           \
          diag_of(diag), SIZE(m), SIZE(n), alpha, a, SIZE(lda), b,             \
          SIZE(ldb) __VA_ARGS__))

#define IN_PLACE , b, SIZE(ldb)
#define ALL(s, S, E)                                                           \
    GEMM(s##gemm, cublasXt##S##gemm, E)                                        \
    RANK(s##syrk, cublasXt##S##syrk, E, E, E)                                  \
    RANK2(s##syr2k, cublasXt##S##syr2k, E, E, E)                               \
    SYMM(s##symm, cublasXt##S##symm, E)                                        \
    TRIANGLE(s##trsm, cublasXt##S##trsm, E)                                    \
    TRIANGLE(s##trmm, cublasXt##S##trmm, E, IN_PLACE)
#define HERMITIAN(s, S, E, R)                                                  \
    RANK(s##herk, cublasXt##S##herk, E, R, R)                                  \
    RANK2(s##her2k, cublasXt##S##her2k, E, E, R)                               \
    SYMM(s##hemm, cublasXt##S##hemm, E)

ALL(s, S, float)
ALL(d, D, double)
ALL(c, C, cuComplex)
ALL(z, Z, cuDoubleComplex)
HERMITIAN(c, C, cuComplex, float)
HERMITIAN(z, Z, cuDoubleComplex, double)
