// SPDX-License-Identifier: Apache-2.0
//
// What a kernel printed before it failed is there when its error is, whichever
// call gives that: nobody has synchronised.
#include <cstdio>
#include <cstring>
#include <unistd.h>

__global__ void fails()
{
    printf("before the fault\n");
    asm volatile("trap;");
}

static cudaError_t by_query()
{
    return cudaStreamQuery(0);
}

static cudaError_t by_allocation()
{
    void *p;
    cudaError_t err = cudaMalloc(&p, 1);
    return err ? err : cudaErrorNotReady;
}

// How many lines there are once `ask` gives an error, or -1.
static int lines_shown(cudaError_t ask())
{
    static const char name[] = "shown.txt";
    char text[100];
    int lines = 0;
    cudaError_t err = cudaErrorNotReady;
    if (!freopen(name, "w", stdout))
        return -1;
    fails<<<1, 1>>>();
    while (err == cudaErrorNotReady) {
        usleep(100);
        err = ask();
    }
    FILE *f = fopen(name, "r");
    while (f && fgets(text, sizeof text, f))
        lines += strcmp(text, "before the fault\n") == 0;
    if (f)
        fclose(f);
    cudaDeviceReset();
    return err == cudaErrorLaunchFailure ? lines : -1;
}

int main()
{
    int query = lines_shown(by_query), allocation = lines_shown(by_allocation);
    fprintf(stderr, "%d and %d lines\n", query, allocation);
    return query != 1 || allocation != 1;
}
