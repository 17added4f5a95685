// weftcc: -lcufft
// SPDX-License-Identifier: Apache-2.0
// A plan whose tables threads share is made while a kernel keeps all of them,
// whether it waits or computes, and while a stream is captured.
#include <cstdio>
#include <ctime>
#include <cufft.h>

static __global__ void wait_for(volatile int *flag)
{
    while (!*flag) {
    }
}

// While it runs no other kernel gets its turn: it waits for nothing.
static __global__ void compute(float *out, long steps)
{
    float x = threadIdx.x;
    for (long i = 0; i < steps; i++)
        x = x * .5f + 1;
    out[blockIdx.x] = x;
}

static __global__ void put_one(cufftComplex *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = make_cuFloatComplex(i == 0, 0);
}

// So many steps take half a second, on either engine.
static long steps_of_half_a_second(float *out, int sms)
{
    long steps = 1 << 12;
    timespec a, b;
    do {
        steps *= 2;
        timespec_get(&a, TIME_UTC);
        compute<<<sms, 1>>>(out, steps);
        cudaDeviceSynchronize();
        timespec_get(&b, TIME_UTC);
    } while ((b.tv_sec - a.tv_sec) * 1e9 + b.tv_nsec - a.tv_nsec < 6e7);
    return steps * 8;
}

// The spectrum of a one is ones.
static int count_wrong(cufftHandle plan, cufftComplex *x, int n)
{
    int wrong = 0;
    put_one<<<(n + 255) / 256, 256>>>(x, n);
    if (cufftExecC2C(plan, x, x, CUFFT_FORWARD) || cudaDeviceSynchronize())
        return -1;
    for (int i = 0; i < n; i++)
        wrong += fabsf(x[i].x - 1) > 1e-3f || fabsf(x[i].y) > 1e-3f;
    return wrong;
}

int main()
{
    const int n = 100003; // a prime
    int *flag, sms;
    cufftComplex *x;
    cufftHandle plan, other;
    cudaStream_t stream, captured;
    cudaGraph_t graph;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreate(&captured);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    *flag = 0;
    wait_for<<<4 * sms, 1024, 0, stream>>>(flag);
    printf("made: %d\n", cufftPlan1d(&plan, n, CUFFT_C2C, 1));
    *flag = 1;
    printf("waited: %d\n", cudaStreamSynchronize(stream));
    printf("wrong: %d\n", count_wrong(plan, x, n));
    cufftDestroy(plan);
    compute<<<sms, 1, 0, stream>>>((float *)x,
                                   steps_of_half_a_second((float *)x, sms));
    printf("made: %d\n", cufftPlan1d(&plan, n, CUFFT_C2C, 1));
    printf("computes: %d\n", cudaStreamQuery(stream) == cudaErrorNotReady);
    printf("computed: %d\n", cudaStreamSynchronize(stream));
    printf("wrong: %d\n", count_wrong(plan, x, n));
    cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed);
    printf("made: %d\n", cufftPlan1d(&other, n, CUFFT_C2C, 1));
    printf("captured: %d\n", cudaStreamEndCapture(captured, &graph));
    size_t nodes = 99;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    printf("nodes: %zu\n", nodes);
    printf("wrong: %d\n", count_wrong(other, x, n));
    return 0;
}
