// SPDX-License-Identifier: Apache-2.0
//
// printf inside a kernel. What the threads print reaches stdout when the host
// synchronises; here a file stands in its place for a while, so that the
// program can read back what arrived.
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "common/example.h"

__global__ void hello(const char *greeting)
{
    if (threadIdx.x % 3 == 0)
        printf("%s from thread %2d of block %d: %.3f %c %#x\n", greeting,
               threadIdx.x, blockIdx.x, threadIdx.x / 7.0,
               'a' + (int)threadIdx.x, 0xbeef + blockIdx.x);
}

int main()
{
    const char text[] = "hello";
    char *greeting;
    CHECK(cudaMalloc(&greeting, sizeof(text)));
    CHECK(cudaMemcpy(greeting, text, sizeof(text), cudaMemcpyHostToDevice));

    std::fflush(stdout);
    FILE *file = std::tmpfile();
    if (!file) {
        std::perror("a temporary file");
        return 1;
    }
    int terminal = dup(1);
    dup2(fileno(file), 1);
    double start = now_ms();
    hello<<<2, 10>>>(greeting);
    cudaError_t status = cudaDeviceSynchronize();
    double ms = now_ms() - start;
    std::fflush(stdout);
    dup2(terminal, 1);
    close(terminal);
    CHECK(status);
    CHECK(cudaFree(greeting));

    std::string got;
    char line[256];
    std::rewind(file);
    while (std::fgets(line, sizeof(line), file))
        got += line;
    std::fclose(file);
    std::fputs(got.c_str(), stdout);

    // Every thread's line is whole; in which order they come is not promised.
    size_t length = 0;
    bool ok = true;
    for (int block = 0; block < 2; block++) {
        for (int thread = 0; thread < 10; thread += 3) {
            length += std::snprintf(
                line, sizeof(line),
                "hello from thread %2d of block %d: %.3f %c %#x\n", thread,
                block, thread / 7.0, 'a' + thread, 0xbeef + block);
            ok = ok && got.find(line) != std::string::npos;
        }
    }
    ok = ok && got.size() == length;
    return report({"device_printf", ok, ms, 0, 0});
}
