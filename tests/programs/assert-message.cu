// SPDX-License-Identifier: Apache-2.0
//
// What a failed assertion says on stderr, and that NDEBUG takes them away.
// Programming guide, "Assertion".
#undef NDEBUG
#include <cassert>
#include <set>
#include <sstream>

#include "check.h"

__global__ void fail(int *out)
{
    unsigned i = threadIdx.x + 2 * threadIdx.y;
#line 1000 "named.cu"
    assert(i < 3 || blockIdx.z == 0);
#line 21 "assert-message.cu"
    out[i] = 1;
}

#define NDEBUG
#include <cassert>

__global__ void silent(int *out)
{
    assert(out == nullptr);
    *out = 5;
}

static std::string captured_stderr(void (*kernel)(int *), dim3 grid, dim3 block,
                                   int *out, cudaError_t want)
{
    FILE *file = std::tmpfile();
    int saved = dup(2);
    dup2(fileno(file), 2);
    kernel<<<grid, block>>>(out);
    cudaError_t got = cudaDeviceSynchronize();
    dup2(saved, 2);
    close(saved);
    EXPECT_EQ(got, want);
    std::string text;
    std::rewind(file);
    for (int c; (c = std::fgetc(file)) != EOF;)
        text += (char)c;
    std::fclose(file);
    return text;
}

int main()
{
    int *out;
    CHECK(cudaMalloc(&out, 64));
    EXPECT(captured_stderr(silent, 1, 1, out, cudaSuccess) == "");

    // Of the threads that fail each may say so once, at least one does.
    std::set<std::string> allowed;
    for (const char *thread : {"1,1,0", "0,2,0", "1,2,0"})
        for (const char *block : {"0,0,1", "1,0,1"})
            allowed.insert(std::string("named.cu:1000: void fail(int *): "
                                       "block: [") +
                           block + "], thread: [" + thread +
                           "] Assertion `i < 3 || blockIdx.z == 0` failed.");
    std::istringstream lines(
        captured_stderr(fail, dim3(2, 1, 2), dim3(2, 3), out, cudaErrorAssert));
    int count = 0;
    for (std::string line; std::getline(lines, line); count++)
        if (!allowed.erase(line))
            FAIL("unexpected, or twice: %s", line.c_str());
    EXPECT(count > 0);

    // The error stays.
    EXPECT(cudaFree(out) == cudaErrorAssert);
    EXPECT(cudaGetLastError() == cudaErrorAssert);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
    return finish();
}
