// SPDX-License-Identifier: Apache-2.0
//
// "Formatted Output": what kernels print appears when the host synchronises, a
// line from every thread in any order, or one from the first thread alone.
#include <algorithm>
#include <sstream>

#include "../check.h"

__global__ void hello(float f)
{
    printf("Hello thread %d, f=%f\n", threadIdx.x, f);
}

__global__ void hello_of_one(float f)
{
    if (threadIdx.x == 0)
        printf("Hello thread %d, f=%g\n", threadIdx.x, f);
}

static std::vector<std::string> sorted_lines(const std::string &text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    return lines;
}

static void every_thread()
{
    std::string text = captured_stdout([] {
        hello<<<1, 5>>>(1.2345f);
        CHECK(cudaDeviceSynchronize());
    });
    std::vector<std::string> want;
    for (char thread = '0'; thread < '5'; thread++)
        want.push_back(std::string("Hello thread ") + thread + ", f=1.234500");
    EXPECT(sorted_lines(text) == want);
}

static void first_thread()
{
    std::string text = captured_stdout([] {
        hello_of_one<<<1, 5>>>(1.2345f);
        CHECK(cudaDeviceReset()); // flushes, as the end of a program must
    });
    EXPECT(text == "Hello thread 0, f=1.2345\n");
}

// The other end of a program of that time.
static void thread_exit()
{
    std::string text = captured_stdout([] {
        hello<<<1, 1>>>(-0.5f);
        CHECK(cudaThreadExit());
    });
    EXPECT(text == "Hello thread 0, f=-0.500000\n");
}

int main()
{
    every_thread();
    first_thread();
    thread_exit();
    return finish();
}
