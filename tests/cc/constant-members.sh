# SPDX-License-Identifier: Apache-2.0
# What is a constant to nvcc and not to clang: static members that are read
# through `this`, a member or a reference, and values with an overflow.
cat > a.cu <<'C'
#include <cooperative_groups.h>
#include <stdio.h>
namespace cg = cooperative_groups;

template <int N> struct number {
    __host__ __device__ int get() const { return N; }
};

struct plain {
    static constexpr int n = 4;
    __device__ int f()
    {
        constexpr int k = this->n;
        int a[2 * this->n];
        for (int i = 0; i < 2 * this->n; i++)
            a[i] = i;
        return 100 * sizeof a + 10 * a[k - 1] + number<this->n>().get();
    }
};

template <class T> struct base {
    static constexpr int n = 5;
    static __host__ __device__ constexpr int square(int x) { return x * x; }
    template <int N> static __device__ constexpr int times() { return N * n; }
    __device__ int g()
    {
        static_assert(this->n == 5, "");
        if constexpr (this->n == 5)
            return number<this->square(2) + this->template times<3>()>().get();
        return 0;
    }
};
template <class T> struct derived : base<T> {
    __device__ int h() { return number<this->n + 1>().get(); }
};

struct holder {
    plain p, &r, *q;
    __device__ int f()
    {
        return 100 * number<this->p.n>().get() + 10 * number<r.n>().get() +
               number<this->q->n>().get();
    }
};

template <class G> __device__ int tile(const G &group)
{
    constexpr int n = group.size();
    int sums[group.num_threads()];
    for (int i = 0; i < n; i++)
        sums[i] = i;
    return sums[n - 1];
}

enum few { none, one };
const float third = 1.0f / 3;

__global__ void kernel(int *out, float *values)
{
    plain p;
    base<int> b;
    derived<int> d;
    holder h = {p, p, &p};
    constexpr float infinite = 1.0f / 0.0f, huge = 1e30f * 1e30f;
    constexpr int wrapped = 2147483647 + 1, eight = -1 << 3;
    constexpr few many = (few)12;
    constexpr float sixth = third / 2;
    out[0] = p.f(), out[1] = b.g(), out[2] = d.h(), out[3] = h.f();
    out[4] = tile(cg::tiled_partition<8>(cg::this_thread_block()));
    out[5] = wrapped, out[6] = eight, out[7] = many;
    values[0] = infinite, values[1] = huge, values[2] = sixth;
}

int main()
{
    int *out;
    float *values;
    cudaMallocManaged(&out, 8 * sizeof *out);
    cudaMallocManaged(&values, 3 * sizeof *values);
    kernel<<<1, 1>>>(out, values);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        printf("%d%c", out[i], i == 7 ? '\n' : ' ');
    printf("%g %g %g\n", values[0], values[1], values[2]);
    return 0;
}
C
$weftcc a.cu -o a && ./a

# What is none to nvcc either is refused in the words of its source.
cat > wrong.cu <<'C'
struct pair { int n; };
__global__ void k(int *p, pair q) { int a[q.n]; *a = 1, *p = *a; }
struct holder {
    int m;
    __device__ int f() { constexpr int z = this->m; return z; }
};
__device__ int g() { constexpr int z = 1 / 0; return z; }
C
$weftcc -c wrong.cu || echo "status $?"
