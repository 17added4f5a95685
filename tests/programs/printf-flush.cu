// SPDX-License-Identifier: Apache-2.0
//
// When printed text appears, and what is lost. Programming guide, "Formatted
// Output": a buffer of a fixed size whose oldest text is overwritten, written
// out at launches, synchronisations, blocking copies, loading of modules and
// before callbacks, and at no other time.
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

__global__ void say(int n)
{
    printf("said %d\n", n);
}

__global__ void nothing()
{
}

static off_t printed()
{
    struct stat s;
    return fstat(1, &s) ? -1 : s.st_size;
}

// Asking whether work is done writes nothing.
static void wait_by_asking(cudaStream_t stream = 0)
{
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
        usleep(100);
}

// Text that waits in the buffer is written by `flush`, and was not before.
template <typename F> static void check_flush(const char *what, F flush)
{
    off_t before = 0, after = 0;
    std::string text = captured_stdout([&] {
        say<<<1, 1>>>(7);
        wait_by_asking();
        before = printed();
        flush();
        after = printed();
        CHECK(cudaDeviceSynchronize());
    });
    EXPECT(text == "said 7\n");
    if (before != 0 || after != 7)
        FAIL("%s: %d bytes before, %d after it", what, (int)before, (int)after);
}

static off_t at_callback;

static void callback(cudaStream_t, cudaError_t, void *)
{
    at_callback = printed();
}

static void host_function(void *)
{
    at_callback = printed();
}

static void check_flushes()
{
    int value, *p;
    CHECK(cudaMalloc(&p, sizeof *p));
    cudaEvent_t event;
    cudaStream_t stream;
    CHECK(cudaEventCreate(&event));
    CHECK(cudaStreamCreate(&stream));
    check_flush("launch", [] { nothing<<<1, 1>>>(); });
    check_flush("device", [] { CHECK(cudaDeviceSynchronize()); });
    check_flush("stream", [=] { CHECK(cudaStreamSynchronize(stream)); });
    check_flush("event", [=] {
        CHECK(cudaEventRecord(event));
        CHECK(cudaEventSynchronize(event));
    });
    check_flush("copy to host", [&] {
        CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    });
    check_flush("copy to device", [&] {
        CHECK(cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice));
    });
    check_flush("callback", [=] {
        CHECK(cudaStreamAddCallback(stream, callback, nullptr, 0));
        wait_by_asking(stream);
    });
    EXPECT_EQ(at_callback, 7);
    check_flush("host function", [=] {
        CHECK(cudaLaunchHostFunc(stream, host_function, nullptr));
        wait_by_asking(stream);
    });
    EXPECT_EQ(at_callback, 7);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaFree(p));
}

// No call of printf is too long but for the buffer.
__global__ void long_line(char *text, int length)
{
    for (int i = 0; i < length; i++)
        text[i] = 'a' + i % 26;
    text[length] = 0;
    printf("<%s|%*d|%-9000d>\n", text, 7000, 1, 2);
}

static void check_long()
{
    const int length = 30000;
    char *text;
    CHECK(cudaMallocManaged(&text, length + 1));
    std::string got = captured_stdout([=] {
        long_line<<<1, 1>>>(text, length);
        CHECK(cudaDeviceSynchronize());
    });
    std::string want = "<" + std::string(text) + "|" + std::string(6999, ' ') +
                       "1|2" + std::string(8999, ' ') + ">\n";
    EXPECT(got == want);
    CHECK(cudaFree(text));
}

__global__ void lines(int count)
{
    for (int i = 0; i < count; i++)
        printf("line %05d\n", i);
}

// The least buffer there is, for 40,000 lines, and more of them.
static void check_overflow()
{
    const size_t bytes = 512 << 10;
    const int count = 60000;
    size_t now = 0;
    // Too late: kernels have printed.
    EXPECT(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes) ==
           cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaDeviceReset());
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes));
    CHECK(cudaDeviceGetLimit(&now, cudaLimitPrintfFifoSize));
    EXPECT_EQ(now, bytes);
    std::string text = captured_stdout([=] {
        lines<<<1, 1>>>(count);
        CHECK(cudaDeviceSynchronize());
    });
    EXPECT(text.size() <= bytes && text.size() >= 10000 * 11);
    EXPECT_EQ(text.size() % 11, 0u);
    int first = count - (int)(text.size() / 11);
    std::string want;
    char line[16];
    for (int i = first; i < count; i++) {
        snprintf(line, sizeof line, "line %05d\n", i);
        want += line;
    }
    EXPECT(text == want); // the newest, whole
    text = captured_stdout([=] {
        lines<<<1, 1>>>(50);
        CHECK(cudaDeviceSynchronize());
    });
    EXPECT_EQ(text.size(), 50u * 11);
}

__global__ void results(int *r)
{
    r[0] = printf("no arguments\n");
    r[1] = printf((const char *)nullptr);
    r[2] = printf("%*d %.*f\n", 5, 1, 2, 3.0);
    r[3] =
        printf("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d"
               "%d\n",
               1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2,
               3, 4, 5, 6, 7, 8, 9, 0, 1, 2);
}

static void check_results()
{
    buffer<int> r(4);
    std::string text = captured_stdout([&] {
        results<<<1, 1>>>(r.device);
        CHECK_KERNEL();
    });
    r.download();
    EXPECT(text == "no arguments\n    1 3.00\n"
                   "12345678901234567890123456789012\n");
    EXPECT_EQ(r.host[0], 0);
    EXPECT_EQ(r.host[1], -1);
    EXPECT_EQ(r.host[2], 4);
    EXPECT_EQ(r.host[3], 32);
}

int main()
{
    nothing<<<1, 1>>>(); // what is done once is done
    CHECK(cudaDeviceSynchronize());
    check_flushes();
    check_long();
    check_overflow();
    check_results();
    return finish();
}
