// SPDX-License-Identifier: Apache-2.0
//
// printf from many threads: every line arrives whole and once, all conversions
// and flags come out as C prints them, strings come from every memory, and the
// result is the number of arguments.
#include <algorithm>

#include "check.h"

__global__ void lines(int every)
{
    int i = thread_in_grid();
    if (i % every == 0)
        printf("thread %d of %d: %s\n", i, gridDim.x * blockDim.x,
               i % 2 ? "odd" : "even");
}

static void check_lines(int blocks, int size, int every)
{
    std::string text = captured_stdout([&] {
        lines<<<blocks, size>>>(every);
        CHECK_KERNEL();
    });
    std::vector<std::string> got, want;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        got.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    for (int i = 0; i < blocks * size; i += every)
        want.push_back("thread " + std::to_string(i) + " of " +
                       std::to_string(blocks * size) + ": " +
                       (i % 2 ? "odd" : "even"));
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    EXPECT_EQ(got.size(), want.size());
    EXPECT(got == want);
}

__device__ const char message[] = "global";

__global__ void conversions(const char *text, void *pointer)
{
    const char local[] = {'l', 'o', 'c', 'a', 'l', 0};
    printf("plain, 100%%\n");
    printf("%d %i %5d %-5d| %05d %+d % d\n", -1, 2, 3, 4, 5, 6, 7);
    printf("%u %x %X %#x %o %#o\n", 4000000000u, 255u, 255u, 255u, 8u, 8u);
    printf("%ld %lld %llu %llx\n", -5l, -1ll << 40, ~0ull, 1ull << 63);
    printf("%hd %hu\n", 70000, 65537);
    printf("%d %zu %zx %d %jd %td\n", 1, sizeof(int4), ~(size_t)0, 2, (long)-3,
           text - (text + 4));
    printf("%f %.2f %10.3f %-10.1f| %e %.3E\n", 1.5, 2.345, 3.25, 4.75,
           12345.678, 0.00012);
    printf("%g %G %g %a\n", 1e-10, 1e20, 0.5, 1.0);
    printf("%f %f\n", 1.0f / 3, (double)(1 << 30) * 4096);
    printf("%c%c%c %5c|%-3c|\n", 'a', 'b', 'c', 'd', 'e');
    printf("%s %s %s %10s|%-10s|%.2s\n", text, message, local, "right", "left",
           "cut off");
    printf("%*d|%-*d|\n", 6, 42, 6, 43);
    printf("%d\n", printf("%d %s %f\n", 1, "two", 3.0));
    printf("%d\n", printf("none\n"));
    if (!pointer)
        printf("%p\n", pointer);
}

static void check_conversions()
{
    buffer<char> text(8);
    std::memcpy(text.host.data(), "argued", 7);
    text.upload();
    std::string got = captured_stdout([&] {
        conversions<<<1, 1>>>(text.device, text.device);
        CHECK_KERNEL();
    });
    const char *want =
        "plain, 100%\n"
        "-1 2     3 4    | 00005 +6  7\n"
        "4000000000 ff FF 0xff 10 010\n"
        "-5 -1099511627776 18446744073709551615 8000000000000000\n"
        "4464 1\n"
        "1 16 ffffffffffffffff 2 -3 -4\n"
        "1.500000 2.35      3.250 4.8       | 1.234568e+04 1.200E-04\n"
        "1e-10 1E+20 0.5 0x1p+0\n"
        "0.333333 4398046511104.000000\n"
        "abc     d|e  |\n"
        "argued global local      right|left      |cu\n"
        "    42|43    |\n"
        "1 two 3.000000\n3\n"
        "none\n0\n";
    if (got != want)
        FAIL("printed:\n%s\nshould be:\n%s", got.c_str(), want);
}

// Output of kernels in one stream comes in their order, at each wait.
__global__ void numbered(int n)
{
    if (threadIdx.x == 0)
        printf("kernel %d\n", n);
}

static void check_order()
{
    std::string got = captured_stdout([&] {
        for (int i = 0; i < 5; i++)
            numbered<<<1, 32>>>(i);
        CHECK(cudaDeviceSynchronize());
        numbered<<<1, 32>>>(5);
        CHECK(cudaDeviceSynchronize());
    });
    EXPECT(got == "kernel 0\nkernel 1\nkernel 2\nkernel 3\nkernel 4\n"
                  "kernel 5\n");
}

int main()
{
    check_lines(1, 1, 1);
    check_lines(3, 65, 1);
    check_lines(10, 128, 7);
    check_conversions();
    check_order();
    return finish();
}
