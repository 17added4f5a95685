// SPDX-License-Identifier: Apache-2.0
// weftcc: -rdc=true
//
// Quicksort by kernels that launch themselves for the parts, in streams of
// their own, on one SM.
#include <algorithm>

#include "check.h"

__device__ void insertion_sort(int *p, int left, int right)
{
    for (int i = left + 1; i <= right; i++) {
        int value = p[i], at = i;
        for (; at > left && p[at - 1] > value; at--)
            p[at] = p[at - 1];
        p[at] = value;
    }
}

__global__ void quicksort(int *p, int left, int right, int depth)
{
    if (depth >= 16 || right - left < 24) {
        insertion_sort(p, left, right);
        return;
    }
    int low = left, high = right, pivot = p[(left + right) / 2];
    while (low <= high) {
        while (p[low] < pivot)
            low++;
        while (p[high] > pivot)
            high--;
        if (low <= high) {
            int swapped = p[low];
            p[low++] = p[high];
            p[high--] = swapped;
        }
    }
    cudaStream_t s;
    if (left < high) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(p, left, high, depth + 1);
        cudaStreamDestroy(s);
    }
    if (low < right) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(p, low, right, depth + 1);
        cudaStreamDestroy(s);
    }
}

int main()
{
    setenv("WEFT_SMS", "1", 1);
    const int count = 5000;
    int *p;
    CHECK(cudaMallocManaged(&p, count * sizeof *p));
    std::vector<int> want(count);
    unsigned seed = 1;
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525 + 1013904223;
        p[i] = want[i] = (int)(seed >> 12);
    }
    std::sort(want.begin(), want.end());
    quicksort<<<1, 1>>>(p, 0, count - 1, 0);
    CHECK(cudaDeviceSynchronize());
    EXPECT(std::equal(want.begin(), want.end(), p));
    return finish();
}
