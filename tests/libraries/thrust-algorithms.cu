// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 --extended-lambda
// Thrust: vectors, transforms, iterators, keys, sets; against the host.
#include <cstdio>
#include <map>
#include <numeric>

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

static const int n = 50021;
static thrust::host_vector<int> h(n);
static thrust::device_vector<int> d;

static void say(const char *name, bool ok)
{
    printf("%-22s %s\n", name, ok ? "right" : "WRONG");
}

struct Square {
    __host__ __device__ long operator()(int v) const { return (long)v * v; }
};
struct IsEven {
    __host__ __device__ bool operator()(int v) const { return v % 2 == 0; }
};
struct Distance {
    __host__ __device__ float
    operator()(const thrust::tuple<float, float> &p) const
    {
        return thrust::get<0>(p) * thrust::get<0>(p) + thrust::get<1>(p);
    }
};

static void transforms()
{
    thrust::device_vector<int> out(n), twos(n, 2);
    thrust::transform(d.begin(), d.end(), twos.begin(), out.begin(),
                      thrust::multiplies<int>());
    thrust::host_vector<int> got = out;
    bool ok = true;
    for (int i = 0; i < n; i++)
        ok &= got[i] == 2 * h[i];
    say("transform", ok);

    long want = 0;
    for (int v : h)
        want += (long)v * v;
    say("transform_reduce",
        thrust::transform_reduce(d.begin(), d.end(), Square(), 0L,
                                 thrust::plus<long>()) == want);
    say("transform_iterator",
        thrust::reduce(thrust::make_transform_iterator(d.begin(), Square()),
                       thrust::make_transform_iterator(d.end(), Square()), 0L,
                       thrust::plus<long>()) == want);
    say("inner_product",
        thrust::inner_product(d.begin(), d.end(), d.begin(), 0L) == want);
    say("count_if", thrust::count_if(d.begin(), d.end(), IsEven()) ==
                        std::count_if(h.begin(), h.end(), IsEven()));
    say("max_element",
        thrust::max_element(d.begin(), d.end()) - d.begin() ==
            std::max_element(h.begin(), h.end()) - h.begin());
}

static void iterators()
{
    thrust::device_vector<float> x(n), y(n, 0.5f), out(n);
    thrust::sequence(x.begin(), x.end());
    auto pairs = thrust::make_zip_iterator(
        thrust::make_tuple(x.begin(), y.begin()));
    thrust::transform(pairs, pairs + n, out.begin(), Distance());
    say("zip_iterator", out[0] == 0.5f && out[100] == 10000.5f);

    thrust::device_vector<int> map(n), to(n);
    for (int i = 0; i < n; i++)
        h[i] = h[i] & 0x7fff;
    thrust::host_vector<int> back(n);
    for (int i = 0; i < n; i++)
        back[i] = n - 1 - i;
    map = back;
    d = h;
    thrust::gather(map.begin(), map.end(), d.begin(), to.begin());
    say("gather", to[0] == h[n - 1] && to[n - 1] == h[0]);
    thrust::scatter(d.begin(), d.end(), map.begin(), to.begin());
    say("scatter", to[1] == h[n - 2]);
    int sum = thrust::reduce(
        thrust::make_permutation_iterator(d.begin(), map.begin()),
        thrust::make_permutation_iterator(d.begin(), map.begin() + 10));
    say("permutation_iterator",
        sum == std::accumulate(h.end() - 10, h.end(), 0));
    say("counting_iterator",
        thrust::reduce(thrust::counting_iterator<int>(1),
                       thrust::counting_iterator<int>(101)) == 5050);
}

static void keys()
{
    thrust::device_vector<int> k(n), v(n, 1), ks(n), vs(n);
    std::map<int, int> want;
    for (int i = 0; i < n; i++)
        want[h[i] % 100]++;
    thrust::transform(d.begin(), d.end(), thrust::constant_iterator<int>(100),
                      k.begin(), thrust::modulus<int>());
    thrust::sort_by_key(k.begin(), k.end(), v.begin());
    auto end = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), ks.begin(),
                                     vs.begin());
    int count = (int)(end.first - ks.begin());
    bool ok = count == (int)want.size();
    for (int i = 0; ok && i < count; i++)
        ok = want[ks[i]] == vs[i];
    say("reduce_by_key", ok);
    thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), v.begin());
    say("inclusive_scan_by_key", v[n - 1] == want.rbegin()->second);
    k.erase(thrust::unique(k.begin(), k.end()), k.end());
    say("unique", k.size() == want.size());
}

static void orders()
{
    thrust::device_vector<int> a = d, out(2 * n);
    thrust::stable_sort(a.begin(), a.end(), thrust::greater<int>());
    say("stable_sort", thrust::is_sorted(a.begin(), a.end(),
                                         thrust::greater<int>()));
    thrust::sort(a.begin(), a.end());
    say("lower_bound",
        thrust::lower_bound(a.begin(), a.end(), 1000) - a.begin() ==
            std::count_if(h.begin(), h.end(), [](int v) { return v < 1000; }));
    auto end = thrust::copy_if(d.begin(), d.end(), out.begin(), IsEven());
    say("copy_if", end - out.begin() ==
                       std::count_if(h.begin(), h.end(), IsEven()));
    a = d;
    auto middle = thrust::stable_partition(a.begin(), a.end(), IsEven());
    say("stable_partition", middle - a.begin() == end - out.begin() &&
                                thrust::equal(a.begin(), middle, out.begin()));
    thrust::device_vector<int> p(100), q(100);
    thrust::sequence(p.begin(), p.end());
    thrust::sequence(q.begin(), q.end(), 50);
    end = thrust::set_intersection(p.begin(), p.end(), q.begin(), q.end(),
                                   out.begin());
    say("set_intersection", end - out.begin() == 50 && out[0] == 50);
    thrust::exclusive_scan(d.begin(), d.end(), out.begin());
    say("exclusive_scan",
        out[n - 1] == std::accumulate(h.begin(), h.end() - 1, 0));
}

int main()
{
    for (int i = 0; i < n; i++)
        h[i] = (int)((unsigned)i * 2654435761u >> 12);
    d = h;
    transforms();
    iterators();
    keys();
    orders();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
