// SPDX-License-Identifier: Apache-2.0
//
// Streams as "Asynchronous Concurrent Execution" uses them: a buffer in halves,
// each copied up, worked on and copied down in a stream of its own, issued
// stream by stream or step by step; streams destroyed while they work; host
// functions in streams; priorities; memory that a stream frees when it is done.
#include <atomic>

#include "../check.h"

const int STREAMS = 2, PART = 40000;

__global__ void work(float *out, const float *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        out[i] = 2 * in[i] + 1;
}

// Page-locked host memory, two device buffers, two streams.
struct pipeline {
    cudaStream_t stream[STREAMS];
    float *host, *in, *out;

    pipeline()
    {
        for (int s = 0; s < STREAMS; ++s)
            CHECK(cudaStreamCreate(&stream[s]));
        size_t bytes = STREAMS * PART * sizeof(float);
        CHECK(cudaMallocHost(&host, bytes));
        CHECK(cudaMalloc(&in, bytes));
        CHECK(cudaMalloc(&out, bytes));
        for (int i = 0; i < STREAMS * PART; i++)
            host[i] = (float)(i % 1000);
    }
    void up(int s)
    {
        CHECK(cudaMemcpyAsync(in + s * PART, host + s * PART,
                              PART * sizeof(float), cudaMemcpyHostToDevice,
                              stream[s]));
    }
    void run(int s)
    {
        work<<<100, 512, 0, stream[s]>>>(out + s * PART, in + s * PART, PART);
        CHECK(cudaGetLastError());
    }
    void down(int s)
    {
        CHECK(cudaMemcpyAsync(host + s * PART, out + s * PART,
                              PART * sizeof(float), cudaMemcpyDeviceToHost,
                              stream[s]));
    }
    int wrong() const
    {
        int n = 0;
        for (int i = 0; i < STREAMS * PART; i++)
            n += host[i] != 2 * (float)(i % 1000) + 1;
        return n;
    }
    ~pipeline()
    {
        CHECK(cudaFreeHost(host));
        CHECK(cudaFree(in));
        CHECK(cudaFree(out));
    }
};

// A stream that is destroyed finishes its work first.
static void destroy_and_check(pipeline &p)
{
    for (int s = 0; s < STREAMS; ++s)
        CHECK(cudaStreamDestroy(p.stream[s]));
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(p.wrong(), 0);
}

static void stream_by_stream()
{
    pipeline p;
    for (int s = 0; s < STREAMS; ++s) {
        p.up(s);
        p.run(s);
        p.down(s);
    }
    destroy_and_check(p);
}

static void step_by_step()
{
    pipeline p;
    for (int s = 0; s < STREAMS; ++s)
        p.up(s);
    for (int s = 0; s < STREAMS; ++s)
        p.run(s);
    for (int s = 0; s < STREAMS; ++s)
        p.down(s);
    destroy_and_check(p);
}

// ---- the host in a stream ---------------------------------------------------

struct visit {
    const pipeline *p;
    int stream;
    std::atomic<int> seen;
};

// The stream's copy is done, and what comes behind has not begun.
static void CUDART_CB visit_now(void *data)
{
    visit *v = (visit *)data;
    const float *part = v->p->host + v->stream * PART;
    int right = 0;
    for (int i = 0; i < PART; i++)
        right += part[i] == 2 * (float)((v->stream * PART + i) % 1000) + 1;
    v->seen = right == PART ? 1 : -1;
}

static void CUDART_CB visit_with_status(cudaStream_t, cudaError_t status,
                                        void *data)
{
    if (status == cudaSuccess)
        visit_now(data);
}

static void host_functions()
{
    pipeline p;
    visit visits[STREAMS] = {{&p, 0, {0}}, {&p, 1, {0}}};
    for (int s = 0; s < STREAMS; ++s) {
        p.up(s);
        p.run(s);
        p.down(s);
        if (s == 0)
            CHECK(cudaLaunchHostFunc(p.stream[s], visit_now, &visits[s]));
        else
            CHECK(cudaStreamAddCallback(p.stream[s], visit_with_status,
                                        &visits[s], 0));
        // Behind the host function: undoes what it looks at.
        CHECK(cudaMemsetAsync(p.out + s * PART, 0, PART * sizeof(float),
                              p.stream[s]));
        CHECK(cudaMemcpyAsync(p.host + s * PART, p.out + s * PART,
                              PART * sizeof(float), cudaMemcpyDeviceToHost,
                              p.stream[s]));
    }
    CHECK(cudaDeviceSynchronize());
    for (int s = 0; s < STREAMS; ++s) {
        EXPECT_EQ(visits[s].seen, 1);
        EXPECT(p.host[s * PART] == 0);
        CHECK(cudaStreamDestroy(p.stream[s]));
    }
}

// A library that leaves it to the stream to delete what it has used.
struct resource {
    std::atomic<int> *alive;
    explicit resource(std::atomic<int> *count) : alive(count)
    {
        ++*alive;
    }
    ~resource()
    {
        --*alive;
    }
};

static void deleted_by_the_stream()
{
    std::atomic<int> alive{0};
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    buffer<float> in(PART), out(PART);
    for (int i = 0; i < 5; i++) {
        resource *r = new resource(&alive);
        work<<<8, 128, 0, stream>>>(out.device, in.device, PART);
        CHECK(cudaStreamAddCallback(
            stream,
            [](cudaStream_t, cudaError_t, void *data) {
                delete static_cast<resource *>(data);
            },
            r, 0));
    }
    CHECK(cudaStreamSynchronize(stream));
    EXPECT_EQ(alive, 0);
    CHECK(cudaStreamDestroy(stream));
}

// ---- priorities -------------------------------------------------------------

static void priorities()
{
    int least = 77, greatest = 77, value = 77;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(greatest <= least);
    cudaStream_t high, low;
    CHECK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
    CHECK(cudaStreamGetPriority(high, &value));
    EXPECT_EQ(value, greatest);
    CHECK(cudaStreamGetPriority(low, &value));
    EXPECT_EQ(value, least);
    buffer<float> in(PART), out(2 * PART);
    work<<<8, 128, 0, low>>>(out.device, in.device, PART);
    work<<<8, 128, 0, high>>>(out.device + PART, in.device, PART);
    CHECK(cudaStreamSynchronize(high));
    CHECK(cudaStreamSynchronize(low));
    out.download();
    EXPECT(!std::memcmp(&out[0], &out[PART], PART * sizeof(float)));
    CHECK(cudaStreamDestroy(high));
    CHECK(cudaStreamDestroy(low));
}

// ---- events -----------------------------------------------------------------

// Two streams between two events of the default stream, which waits for both.
static void time_of_two_streams()
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    pipeline p;
    CHECK(cudaEventRecord(start, 0));
    for (int s = 0; s < STREAMS; ++s) {
        p.up(s);
        p.run(s);
        p.down(s);
    }
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    EXPECT_EQ(p.wrong(), 0);
    EXPECT(cudaEventQuery(stop) == cudaSuccess);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms > 0 && ms < 60000);
    for (int s = 0; s < STREAMS; ++s)
        CHECK(cudaStreamDestroy(p.stream[s]));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
}

int main()
{
    stream_by_stream();
    step_by_step();
    host_functions();
    deleted_by_the_stream();
    priorities();
    time_of_two_streams();
    return finish();
}
