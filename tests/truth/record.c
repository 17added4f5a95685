/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the forms on a GPU, through NVIDIA's driver, and writes what comes out:
 *
 *     cc -std=gnu17 -D_GNU_SOURCE -O1 -I $CUDA/include tests/truth/record.c \
 *        tests/truth/{forms,text,inputs,file}.c -lcuda -lm -o record
 *     ./record DIRECTORY [FAMILY...]       writes DIRECTORY/FAMILY.truth
 *     zstd -19 --rm DIRECTORY/FAMILY.truth
 *
 * Not part of the build: it needs the CUDA toolkit and a device. A form that
 * the driver refuses, or that faults, is left out, and named on stdout with the
 * reason. A fault ends all that a process can do on a device, so some kernels
 * at a time run in a process of their own.
 */
#include "truth.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(CUresult err, const char *what)
{
    const char *name = "?";

    if (err == CUDA_SUCCESS)
        return;
    cuGetErrorName(err, &name);
    fprintf(stderr, "%s: %s\n", what, name);
    exit(1);
}

static CUmodule load(const char *text, char *log, size_t log_bytes)
{
    CUmodule module = NULL;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)log_bytes};

    log[0] = '\0';
    CUresult err = cuModuleLoadDataEx(&module, text, 2, options, values);
    return err == CUDA_SUCCESS ? module : NULL;
}

/* One group, which is a kernel of the module. */
static void run(CUmodule module, const struct truth_forms *forms,
                struct truth_range g, uint64_t **results)
{
    const struct truth_form *f = &forms->at[g.first];
    unsigned samples = f->row->samples, blocks = samples / truth_block(f);
    unsigned outputs = truth_outputs(forms, g.first, g.end);
    size_t in_bytes = (size_t)samples * (f->in_count ? f->in_count : 1) * 8;
    size_t out_bytes = (size_t)samples * outputs * 8;
    uint64_t *in = truth_inputs(f), *out = malloc(out_bytes);
    CUdeviceptr d_in, d_out, d_mem;
    CUfunction kernel;
    char name[32];

    snprintf(name, sizeof name, "k%zu", g.first);
    must(cuModuleGetFunction(&kernel, module, name), name);
    must(cuMemAlloc(&d_in, in_bytes), "inputs");
    must(cuMemAlloc(&d_out, out_bytes), "results");
    must(cuMemAlloc(&d_mem, (size_t)blocks * TRUTH_MEM_BYTES), "scratch");
    must(cuMemcpyHtoD(d_in, in, in_bytes), "inputs");
    must(cuMemsetD8(d_out, 0, out_bytes), "results");
    must(cuMemsetD8(d_mem, 0, (size_t)blocks * TRUTH_MEM_BYTES), "scratch");
    void *params[] = {&d_in, &d_out, &d_mem};
    must(cuLaunchKernel(kernel, blocks, 1, 1, truth_block(f), 1, 1, 0, NULL,
                        params, NULL),
         f->name);
    must(cuMemcpyDtoH(out, d_out, out_bytes), f->name);
    const uint64_t *from = out;
    for (size_t i = g.first; i < g.end; i++) {
        size_t n = (size_t)forms->at[i].out_count * samples;
        memcpy(results[i] + 1, from, n * 8);
        results[i][0] = 1; /* it is there */
        from += n;
    }
    cuMemFree(d_in);
    cuMemFree(d_out);
    cuMemFree(d_mem);
    free(in);
    free(out);
}

/* Groups that do not load together are tried apart, then form by form. */
static void load_and_run(const struct truth_forms *forms,
                         const struct truth_range *groups, size_t count,
                         uint64_t **results)
{
    static char log[16384];
    char *text = truth_text(forms, groups, count, false);
    CUmodule module = load(text, log, sizeof log);

    free(text);
    if (module) {
        for (size_t i = 0; i < count; i++)
            run(module, forms, groups[i], results);
        cuModuleUnload(module);
        return;
    }
    if (count > 1) {
        load_and_run(forms, groups, count / 2, results);
        load_and_run(forms, groups + count / 2, count - count / 2, results);
        return;
    }
    if (groups->end - groups->first > 1) {
        struct truth_range half = *groups, rest = *groups;
        half.end = rest.first = (groups->first + groups->end) / 2;
        load_and_run(forms, &half, 1, results);
        load_and_run(forms, &rest, 1, results);
        return;
    }
    printf("refused: %s\n%s\n", forms->at[groups->first].name, log);
}

/* What a child process writes and its parent reads. */
static void *shared(size_t size_bytes)
{
    void *p = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        exit(1);
    return p;
}

static void begin(char name[256], int *driver)
{
    CUdevice device;
    CUcontext context;

    must(cuInit(0), "cuInit");
    must(cuDeviceGet(&device, 0), "cuDeviceGet");
    must(cuDevicePrimaryCtxRetain(&context, device), "context");
    must(cuCtxSetCurrent(context), "context");
    must(cuDeviceGetName(name, 256, device), "name");
    must(cuDriverGetVersion(driver), "version");
}

/* In a process of its own; what faults is cut down to the form that does. */
static void try(const struct truth_forms *forms,
                const struct truth_range *groups, size_t count,
                uint64_t **results)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        char name[256];
        int driver;
        begin(name, &driver);
        load_and_run(forms, groups, count, results);
        exit(0);
    }
    waitpid(child, &status, 0);
    if (status == 0)
        return;
    if (count > 1) {
        try(forms, groups, count / 2, results);
        try(forms, groups + count / 2, count - count / 2, results);
        return;
    }
    struct truth_range half = *groups, rest = *groups;
    half.end = rest.first = (groups->first + groups->end) / 2;
    if (half.first == half.end) {
        printf("faults: %s\n", forms->at[groups->first].name);
        return;
    }
    try(forms, &half, 1, results);
    try(forms, &rest, 1, results);
}

static void record(const char *family, const char *directory,
                   const char *header)
{
    struct truth_forms forms = truth_forms_make(family);
    struct truth_range *groups = calloc(forms.count + 1, sizeof *groups);
    uint64_t **results = calloc(forms.count + 1, sizeof *results);
    size_t count = 0, size_bytes, done = 0;
    char path[4096];

    for (size_t i = 0; i < forms.count; i++)
        results[i] = shared(8 + (size_t)forms.at[i].out_count *
                                    forms.at[i].row->samples * 8);
    for (size_t i = 0; i < forms.count; i = groups[count++].end)
        groups[count] = (struct truth_range){i, truth_group_end(&forms, i)};
    for (size_t i = 0; i < count; i += 16)
        try(&forms, groups + i, count - i < 16 ? count - i : 16, results);
    for (size_t i = 0; i < forms.count; i++) {
        done += results[i][0];
        results[i] = results[i][0] ? results[i] + 1 : NULL;
    }
    uint8_t *bytes = truth_pack(&forms, results, header, &size_bytes);
    snprintf(path, sizeof path, "%s/%s.truth", directory, family);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(bytes, 1, size_bytes, out) != size_bytes ||
        fclose(out) != 0) {
        perror(path);
        exit(1);
    }
    printf("%s: %zu of %zu forms, %zu bytes\n", family, done, forms.count,
           size_bytes);
    free(bytes);
    free(results);
    free(groups);
    truth_forms_free(&forms);
}

static void write_header(char *header)
{
    char name[256];
    int driver;

    if (fork() == 0) {
        begin(name, &driver);
        snprintf(header, 512, "device\t%s\ndriver\tCUDA %d.%d\nseed\t%llu\n",
                 name, driver / 1000, driver % 1000 / 10,
                 (unsigned long long)TRUTH_SEED);
        exit(0);
    }
    wait(NULL);
}

int main(int argc, char **argv)
{
    char *header = shared(512);

    if (argc < 2) {
        fprintf(stderr, "usage: record DIRECTORY [FAMILY...]\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    write_header(header);
    for (int i = 2; i < argc; i++)
        record(argv[i], argv[1], header);
    for (size_t i = 0; argc == 2 && i < truth_case_count; i++)
        if (i == 0 || strcmp(truth_cases[i].family, truth_cases[i - 1].family))
            record(truth_cases[i].family, argv[1], header);
    return 0;
}
