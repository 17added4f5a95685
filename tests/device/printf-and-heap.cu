// SPDX-License-Identifier: Apache-2.0
// printf's conversions, malloc, new and their counterparts, memcpy and memset
// in device code.
#include <cstdio>
#include <cstring>
#include <new>

struct node {
    int value;
    node *next;
    __device__ node(int v, node *n) : value(v), next(n)
    {
    }
};

__global__ void heap(int *out)
{
    node *list = nullptr;
    for (int i = 0; i < 5; i++)
        list = new node(i * i + threadIdx.x, list);
    int sum = 0;
    while (list) {
        sum = sum * 3 + list->value;
        node *next = list->next;
        delete list;
        list = next;
    }
    int *p = (int *)malloc(40);
    memset(p, 0, 40);
    p[3] = sum;
    int *q = new int[10];
    memcpy(q, p, 40);
    sum = q[3] + q[4];
    free(p);
    delete[] q;
    out[threadIdx.x] = sum;
}

__global__ void say(const char *name)
{
    if (threadIdx.x != 3)
        return;
    printf("plain\n");
    printf("%d %i %u %x %X %o\n", -1, 42, 42u, 255, 255, 8);
    printf("%5d|%-5d|%05d|%+d\n", 42, 42, 42, 42);
    printf("%lld %llu %llx %ld\n", -(1ll << 40), 1ull << 63, 1ull << 40, 7l);
    printf("%f %.2f %e %g %10.3f|\n", 1.5, 2.345678, 12345.678, 1e-5, 3.14159f);
    printf("%c%c %s %s %%\n", 'o', 'k', "text", name);
    printf("%d %f %s %lld\n", 1, 2.0, "three", 4ll);
}

/* A block of the heap, which the host has no part in. */
__device__ void *left;

__global__ void leave()
{
    left = malloc(64);
}

int main()
{
    int *out, h[32];
    char *name;
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&name, 8);
    cudaMemcpy(name, "weft", 5, cudaMemcpyHostToDevice);
    heap<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        printf("%d%c", h[i], i == 31 ? '\n' : ' ');
    void *block;
    leave<<<1, 1>>>();
    cudaMemcpyFromSymbol(&block, left, sizeof block);
    printf("host's copies of it: %d %d %d\n",
           cudaMemcpy(h, block, 4, cudaMemcpyDeviceToHost),
           cudaMemcpy(block, h, 4, cudaMemcpyHostToDevice),
           cudaMemset(block, 0, 4));
    fflush(stdout);
    say<<<1, 32>>>(name);
    return cudaDeviceSynchronize();
}
