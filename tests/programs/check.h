// SPDX-License-Identifier: Apache-2.0
//
// What the test programs share: checks that count failures and name them, a
// buffer that exists on both sides, and a way to run one function for every
// thread on the device and on the host and to compare the results bit by bit.
#ifndef WEFT_TEST_CHECK_H
#define WEFT_TEST_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include <cuda_runtime.h>

static int failures;

#define FAIL(...)                                                              \
    do {                                                                       \
        if (failures++ < 20) {                                                 \
            std::fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);               \
            std::fprintf(stderr, __VA_ARGS__);                                 \
            std::fputc('\n', stderr);                                          \
        }                                                                      \
    } while (0)

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition))                                                      \
            FAIL("%s does not hold", #condition);                              \
    } while (0)

// Compares two integers.
#define EXPECT_EQ(got, want)                                                   \
    do {                                                                       \
        long long got_ = (long long)(got), want_ = (long long)(want);          \
        if (got_ != want_)                                                     \
            FAIL("%s is %lld, should be %lld", #got, got_, want_);             \
    } while (0)

// Expects a call to return this error, and clears it.
#define EXPECT_ERROR(call, want)                                               \
    do {                                                                       \
        cudaError_t got_ = (call);                                             \
        if (got_ != (want))                                                    \
            FAIL("%s returns %s, should be %s", #call, cudaGetErrorName(got_), \
                 cudaGetErrorName(want));                                      \
        (void)cudaGetLastError();                                              \
    } while (0)

// A call that the test cannot go on without.
#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status_ = (call);                                          \
        if (status_ != cudaSuccess) {                                          \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                         cudaGetErrorName(status_));                           \
            std::exit(1);                                                      \
        }                                                                      \
    } while (0)

// After a launch: it was accepted and it ran.
#define CHECK_KERNEL()                                                         \
    do {                                                                       \
        CHECK(cudaGetLastError());                                             \
        CHECK(cudaDeviceSynchronize());                                        \
    } while (0)

// The end of every main.
static inline int finish()
{
    if (failures)
        std::fprintf(stderr, "%d failures\n", failures);
    else
        std::printf("ok\n");
    return failures ? 1 : 0;
}

// n elements on the device and a copy of them on the host.
template <typename T> struct buffer {
    std::vector<T> host;
    T *device = nullptr;

    explicit buffer(size_t n, int byte = 0x5a) : host(n)
    {
        std::memset((void *)host.data(), byte, bytes());
        CHECK(cudaMalloc((void **)&device, bytes()));
        upload();
    }
    explicit buffer(const std::vector<T> &v) : host(v)
    {
        CHECK(cudaMalloc((void **)&device, bytes()));
        upload();
    }
    buffer(const buffer &) = delete;
    ~buffer()
    {
        cudaFree(device);
    }
    size_t bytes() const
    {
        return host.size() * sizeof(T);
    }
    void upload()
    {
        CHECK(cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice));
    }
    // Waits for the kernel, reports how it ended, and copies back.
    void download()
    {
        CHECK_KERNEL();
        CHECK(cudaMemcpy(host.data(), device, bytes(), cudaMemcpyDeviceToHost));
    }
    T &operator[](size_t i)
    {
        return host[i];
    }
};

template <typename T> std::string show(const T &value)
{
    char text[64] = "";
    const unsigned char *byte = (const unsigned char *)&value;
    size_t n = sizeof(T) < 16 ? sizeof(T) : 16;
    for (size_t i = 0; i < n; i++)
        std::snprintf(text + 2 * i, 3, "%02x", byte[n - 1 - i]);
    return std::string("0x") + text;
}

// Compares n elements bit by bit; `name` says what they are.
template <typename T>
void expect_same(const char *name, const T *got, const T *want, size_t n)
{
    int wrong = 0;
    for (size_t i = 0; i < n; i++) {
        if (!std::memcmp(&got[i], &want[i], sizeof(T)))
            continue;
        if (wrong++ < 3)
            FAIL("%s: element %zu is %s, should be %s", name, i,
                 show(got[i]).c_str(), show(want[i]).c_str());
    }
    if (wrong)
        std::fprintf(stderr, "%s: %d of %zu elements are wrong\n", name, wrong,
                     n);
}

template <typename T>
void expect_same(const char *name, const buffer<T> &got,
                 const std::vector<T> &want)
{
    expect_same(name, got.host.data(), want.data(), want.size());
}

// The number of this thread in its block, and in the whole of a 1-D grid.
static __device__ inline int thread_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

static __device__ inline int thread_in_grid()
{
    return blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) +
           thread_in_block();
}

// Numbers that differ from lane to lane in no simple way.
static __host__ __device__ inline unsigned scramble(unsigned i)
{
    i ^= i >> 16;
    i *= 0x7feb352du;
    i ^= i >> 15;
    i *= 0x846ca68bu;
    return i ^ (i >> 16);
}

template <typename T, T (*body)(int)> __global__ void map_kernel(T *out, int n)
{
    int i = thread_in_grid();
    if (i < n)
        out[i] = body(i);
}

// Runs body(0) ... body(n - 1), one thread each, in blocks of several shapes,
// and compares with the same function on the host.
template <typename T, T (*body)(int)> void check_map(const char *name, int n)
{
    const dim3 shapes[] = {dim3(128), dim3(33), dim3(7, 3, 2)};
    std::vector<T> want(n);
    for (int i = 0; i < n; i++)
        want[i] = body(i);
    for (dim3 block : shapes) {
        buffer<T> out(n);
        int size = block.x * block.y * block.z;
        map_kernel<T, body><<<(n + size - 1) / size, block>>>(out.device, n);
        out.download();
        expect_same(name, out, want);
    }
}

#define CHECK_MAP(type, body, n) check_map<type, body>(#body, n)

// Everything that `action` and the kernels in it print to stdout.
template <typename Action> std::string captured_stdout(Action action)
{
    std::fflush(stdout);
    FILE *file = std::tmpfile();
    int saved = dup(1);
    if (!file || saved < 0) {
        std::perror("a temporary file");
        std::exit(1);
    }
    dup2(fileno(file), 1);
    action();
    std::fflush(stdout);
    dup2(saved, 1);
    close(saved);

    std::string text;
    std::rewind(file);
    for (int c; (c = std::fgetc(file)) != EOF;)
        text += (char)c;
    std::fclose(file);
    return text;
}

#endif
