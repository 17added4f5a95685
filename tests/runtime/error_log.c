/* SPDX-License-Identifier: Apache-2.0 */
/* The error log: lines for what goes wrong, callbacks, iterators, buffers that
 * are too small. */
#include "check.h"

#include <cuda.h>
#include <string.h>

static char last[256];
static int call_count;

static void CUDA_CB take(void *data, CUlogLevel level, char *message,
                         size_t length)
{
    CHECK(data == last && level == CU_LOG_LEVEL_ERROR);
    CHECK(length == strlen(message));
    snprintf(last, sizeof last, "%s", message);
    call_count++;
}

static void go_wrong(void)
{
    cudaMalloc(NULL, 4);
}

static const char returning[] =
    "Returning 1 (cudaErrorInvalidValue) from cudaMalloc";

static void callbacks_get_messages(void)
{
    CUlogsCallbackHandle h;
    CHECK(cuLogsRegisterCallback(NULL, NULL, &h) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLogsRegisterCallback(take, last, &h) == CUDA_SUCCESS);
    go_wrong();
    CHECK(call_count == 1 && strcmp(last, returning) == 0);
    CHECK(cuLogsUnregisterCallback(h) == CUDA_SUCCESS);
    go_wrong();
    CHECK(call_count == 1);
    CHECK(cuLogsUnregisterCallback(h) == CUDA_ERROR_INVALID_VALUE);
}

static void iterators_advance(void)
{
    char text[25600];
    CUlogIterator at;
    size_t size = sizeof text;
    CHECK(cuLogsCurrent(NULL, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLogsCurrent(&at, 0) == CUDA_SUCCESS);
    CHECK(cuLogsDumpToMemory(&at, text, &size, 0) == CUDA_SUCCESS);
    CHECK(size == 0 && !text[0]);
    go_wrong();
    go_wrong();
    size = sizeof text;
    CHECK(cudaLogsDumpToMemory(&at, text, &size, 0) == cudaSuccess);
    CHECK(size == strlen(text) && strstr(text, "[CUDA][E] "));
    char *first = strstr(text, returning);
    CHECK(first && strstr(first + 1, returning));
    size = sizeof text;
    CHECK(cuLogsDumpToMemory(&at, text, &size, 0) == CUDA_SUCCESS && !size);
}

static void small_buffers_take_whole_lines(void)
{
    char text[120];
    CUlogIterator at;
    size_t size = 10;
    cuLogsCurrent(&at, 0);
    go_wrong();
    go_wrong();
    CHECK(cuLogsDumpToMemory(&at, text, &size, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(size == 0);
    for (int i = 0; i < 2; i++) {
        size = sizeof text;
        CHECK(cuLogsDumpToMemory(&at, text, &size, 0) == CUDA_SUCCESS);
        CHECK(size > 70 && text[size - 1] == '\n' && !text[size]);
    }
    CHECK(cuLogsDumpToMemory(NULL, NULL, &size, 0) == CUDA_ERROR_INVALID_VALUE);
}

static void old_lines_go(void)
{
    char text[25600];
    CUlogIterator at;
    size_t size = sizeof text;
    cuLogsCurrent(&at, 0);
    for (int i = 0; i < 300; i++)
        go_wrong();
    CHECK(cuLogsDumpToMemory(&at, text, &size, 0) == CUDA_SUCCESS);
    CHECK(strncmp(text, "[log truncated", 14) == 0);
}

static void files_get_them(void)
{
    char text[4096] = "";
    FILE *f;
    CUlogIterator at;
    cuLogsCurrent(&at, 0);
    go_wrong();
    CHECK(cuLogsDumpToFile(&at, "/nowhere/log", 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLogsDumpToFile(&at, "error_log.txt", 0) == CUDA_SUCCESS);
    f = fopen("error_log.txt", "r");
    CHECK(f && fread(text, 1, sizeof text - 1, f) > 0);
    CHECK(strstr(text, returning));
    if (f)
        fclose(f);
    remove("error_log.txt");
}

static void CUDART_CB count_calls(void *data, cudaLogLevel level, char *message,
                                  size_t length)
{
    (void)message, (void)length;
    CHECK(level == cudaLogLevelError);
    ++*(int *)data;
}

static void the_runtime_has_the_same(void)
{
    cudaLogsCallbackHandle h;
    cudaLogIterator at;
    int count = 0;
    CHECK(cudaLogsCurrent(NULL, 0) == cudaErrorInvalidValue);
    CHECK(cudaLogsCurrent(&at, 0) == cudaSuccess && at != 0);
    CHECK(cudaLogsRegisterCallback(count_calls, &count, &h) == cudaSuccess);
    go_wrong();
    CHECK(cudaLogsUnregisterCallback(h) == cudaSuccess && count == 1);
    CHECK(cudaLogsUnregisterCallback(h) == cudaErrorInvalidValue);
    CHECK(cudaLogsDumpToFile(&at, "error_log.txt", 1) == cudaErrorInvalidValue);
    CHECK(cudaLogsDumpToFile(&at, "error_log.txt", 0) == cudaSuccess);
    CHECK(remove("error_log.txt") == 0);
}

/* Whichever form it is; an answer is no error. */
static void calls_of_the_driver_are_logged(void)
{
    static const struct {
        CUresult (*fn)(CUstream);
        const char *name;
    } calls[] = {
        {cuStreamSynchronize, "cuStreamSynchronize"},
        {cuStreamDestroy_v2, "cuStreamDestroy_v2"},
        {cuStreamQuery, "cuStreamQuery"},
    };
    CUlogsCallbackHandle h;
    char expected[128];
    CUevent never;
    CUstream s, bad = (CUstream)(uintptr_t)24;
    CUdeviceptr flag;
    cudaFree(NULL);
    CHECK(cuLogsRegisterCallback(take, last, &h) == CUDA_SUCCESS);
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        CHECK(calls[i].fn(bad) == CUDA_ERROR_INVALID_HANDLE);
        snprintf(expected, sizeof expected,
                 "Returning 400 (CUDA_ERROR_INVALID_HANDLE) from %s",
                 calls[i].name);
        CHECK(strcmp(last, expected) == 0);
    }
    CHECK(cuDeviceGetLuid(NULL, NULL, 0) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(strcmp(last, "Returning 801 (CUDA_ERROR_NOT_SUPPORTED) from "
                       "cuDeviceGetLuid") == 0);
    CHECK(cuMemAlloc(&flag, 4) == CUDA_SUCCESS);
    CHECK(cuMemsetD32(flag, 0, 1) == CUDA_SUCCESS);
    CHECK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    CHECK(cuStreamWaitValue32(s, flag, 1, 0) == CUDA_SUCCESS);
    call_count = 0;
    CHECK(cuEventCreate(&never, 0) == CUDA_SUCCESS);
    CHECK(cuEventRecord(never, s) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(s) == CUDA_ERROR_NOT_READY);
    CHECK(cuEventQuery(never) == CUDA_ERROR_NOT_READY);
    CHECK(call_count == 0);
    CHECK(cuMemsetD32(flag, 1, 1) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(s) == CUDA_SUCCESS);
    CHECK(cuStreamDestroy(s) == CUDA_SUCCESS);
    CHECK(cuMemFree(flag) == CUDA_SUCCESS);
    CHECK(cuLogsUnregisterCallback(h) == CUDA_SUCCESS);
    CHECK(cuEventDestroy(never) == CUDA_SUCCESS);
}

int main(void)
{
    calls_of_the_driver_are_logged();
    the_runtime_has_the_same();
    callbacks_get_messages();
    iterators_advance();
    small_buffers_take_whole_lines();
    old_lines_go();
    files_get_them();
    return check_result();
}
