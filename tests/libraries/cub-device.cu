// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 --extended-lambda
// CUB's algorithms over a whole device, one of each family, against the host.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>

static const int n = 100003;
static int *in, *out, *values_in, *values_out, *count;
static std::vector<int> h(n);

static std::vector<int> fetch(const int *p, size_t size)
{
    std::vector<int> v(size);
    cudaMemcpy(v.data(), p, size * sizeof(int), cudaMemcpyDeviceToHost);
    return v;
}

static void say(const char *name, bool ok)
{
    printf("%-24s %s\n", name, ok ? "right" : "WRONG");
}

// Calls `f(storage, bytes)` twice, as CUB wants it.
template <class F> static void run(F f)
{
    void *storage = nullptr;
    size_t bytes = 0;
    f(storage, bytes);
    cudaMalloc(&storage, bytes);
    f(storage, bytes);
    cudaDeviceSynchronize();
    cudaFree(storage);
}

struct IsOdd {
    __host__ __device__ bool operator()(int v) const { return v & 1; }
};

static void reductions()
{
    run([](void *s, size_t &b) { cub::DeviceReduce::Sum(s, b, in, out, n); });
    say("DeviceReduce::Sum",
        fetch(out, 1)[0] == std::accumulate(h.begin(), h.end(), 0));
    run([](void *s, size_t &b) { cub::DeviceReduce::Max(s, b, in, out, n); });
    say("DeviceReduce::Max",
        fetch(out, 1)[0] == *std::max_element(h.begin(), h.end()));

    cub::KeyValuePair<int, int> *best, found;
    cudaMalloc(&best, sizeof *best);
    run([&](void *s, size_t &b) {
        cub::DeviceReduce::ArgMin(s, b, in, best, n);
    });
    cudaMemcpy(&found, best, sizeof found, cudaMemcpyDeviceToHost);
    say("DeviceReduce::ArgMin",
        found.key == std::min_element(h.begin(), h.end()) - h.begin());

    std::vector<int> offsets;
    for (int at = 0; at < n; at += 997)
        offsets.push_back(at);
    offsets.push_back(n);
    int segments = (int)offsets.size() - 1;
    int *d;
    cudaMalloc(&d, offsets.size() * sizeof(int));
    cudaMemcpy(d, offsets.data(), offsets.size() * sizeof(int),
               cudaMemcpyHostToDevice);
    run([&](void *s, size_t &b) {
        cub::DeviceSegmentedReduce::Sum(s, b, in, out, segments, d, d + 1);
    });
    std::vector<int> got = fetch(out, segments);
    bool ok = true;
    for (int i = 0; i < segments; i++)
        ok &= got[i] == std::accumulate(h.begin() + offsets[i],
                                        h.begin() + offsets[i + 1], 0);
    say("DeviceSegmentedReduce", ok);
}

static void scans()
{
    std::vector<int> want(n);
    run([](void *s, size_t &b) {
        cub::DeviceScan::InclusiveSum(s, b, in, out, n);
    });
    std::partial_sum(h.begin(), h.end(), want.begin());
    say("DeviceScan::InclusiveSum", fetch(out, n) == want);
    run([](void *s, size_t &b) {
        cub::DeviceScan::ExclusiveSum(s, b, in, out, n);
    });
    want.insert(want.begin(), 0);
    want.pop_back();
    say("DeviceScan::ExclusiveSum", fetch(out, n) == want);
}

// The whole (cub-device-whole.cu): Thrust's test has these kernels too.
#ifdef WHOLE
static void other_orders(std::vector<int> want)
{
    run([](void *s, size_t &b) {
        cub::DeviceRadixSort::SortKeysDescending(s, b, in, out, n);
    });
    std::reverse(want.begin(), want.end());
    say("DeviceRadixSort, down", fetch(out, n) == want);

    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    cudaMemcpy(values_in, order.data(), n * sizeof(int),
               cudaMemcpyHostToDevice);
    run([](void *s, size_t &b) {
        cub::DeviceRadixSort::SortPairs(s, b, in, out, values_in, values_out,
                                        n);
    });
    std::stable_sort(order.begin(), order.end(),
                     [](int a, int b) { return h[a] < h[b]; });
    say("DeviceRadixSort, pairs", fetch(values_out, n) == order);
}
#endif

static void sorts()
{
    std::vector<int> want = h;
    run([](void *s, size_t &b) {
        cub::DeviceRadixSort::SortKeys(s, b, in, out, n);
    });
    std::sort(want.begin(), want.end());
    say("DeviceRadixSort", fetch(out, n) == want);
#ifdef WHOLE
    other_orders(want);
#endif
    cudaMemcpy(values_out, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
    run([](void *s, size_t &b) {
        cub::DeviceMergeSort::SortKeys(s, b, values_out, n,
                                       [] __device__(int a, int b) {
                                           return a < b;
                                       });
    });
    say("DeviceMergeSort", fetch(values_out, n) == want);
}

static void selections()
{
    std::vector<int> want;
    run([](void *s, size_t &b) {
        cub::DeviceSelect::If(s, b, in, out, count, n, IsOdd());
    });
    std::copy_if(h.begin(), h.end(), std::back_inserter(want), IsOdd());
    int kept = fetch(count, 1)[0];
    say("DeviceSelect::If",
        kept == (int)want.size() && fetch(out, kept) == want);

    run([](void *s, size_t &b) {
        cub::DevicePartition::If(s, b, in, out, count, n, IsOdd());
    });
    kept = fetch(count, 1)[0];
    say("DevicePartition::If",
        kept == (int)want.size() && fetch(out, kept) == want);

    run([](void *s, size_t &b) {
        cub::DeviceSelect::Unique(s, b, in, out, count, n);
    });
    want = h;
    want.erase(std::unique(want.begin(), want.end()), want.end());
    kept = fetch(count, 1)[0];
    say("DeviceSelect::Unique",
        kept == (int)want.size() && fetch(out, kept) == want);

    run([](void *s, size_t &b) {
        cub::DeviceRunLengthEncode::Encode(s, b, in, out, values_out, count, n);
    });
    int runs = fetch(count, 1)[0];
    std::vector<int> lengths = fetch(values_out, runs);
    say("DeviceRunLengthEncode",
        runs == (int)want.size() && fetch(out, runs) == want &&
            std::accumulate(lengths.begin(), lengths.end(), 0) == n);
}

static void histograms()
{
    const int bins = 64;
    std::vector<int> want(bins);
    run([](void *s, size_t &b) {
        cub::DeviceHistogram::HistogramEven(s, b, in, out, bins + 1, 0, 1024,
                                            n);
    });
    for (int v : h)
        if (v >= 0 && v < 1024)
            want[v / (1024 / bins)]++;
    say("DeviceHistogram", fetch(out, bins) == want);
}

int main()
{
    for (int i = 0; i < n; i++)
        h[i] = (int)((unsigned)i / 3 * 2654435761u >> 21) - 100;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&values_in, n * sizeof(int));
    cudaMalloc(&values_out, n * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    reductions();
    scans();
    sorts();
    selections();
    histograms();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
