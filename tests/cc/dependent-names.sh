# SPDX-License-Identifier: Apache-2.0
# Templates of dependent types without the word template, and functions of the
# host that device code only takes the type of.
cat > a.cu <<'C'
#include <stdio.h>

template <class T> struct outer {
    template <int N> struct array { T values[N]; };
    template <class U> using pair = U[2];
};

template <class T, class A = typename outer<T>::array<3>> struct holder {
    A a;
    typename outer<T>::pair<char> c;
    using four = typename outer<T>::array<4>;
};
template <class T>
__device__ typename T::array<2> make(int x)
{
    typename T::array<2> a = {{x, x + 1}};
    return a;
}

namespace own {
template <typename T> T &&declval() noexcept;
template <typename T>
T &named() noexcept
{
    static_assert(sizeof(T) != sizeof(T), "has no value");
}
}

template <class C> struct session {
    template <int N, class E, class F>
    __device__ auto apply(E e, F f) -> decltype(f(own::declval<E>()));
    template <class E, class F>
    __device__ auto again(E e, F f) -> decltype(f(own::named<E>()))
    {
        return f(e);
    }
};
template <class C>
template <int N, class E, class F>
__device__ auto session<C>::apply(E e, F f) -> decltype(f(own::declval<E>()))
{
    return f(e) + N;
}

template <class T> struct slot {
    T *count;
    __device__ ~slot() { *count += 1; }
};
template <class T> __device__ void end(slot<T> &s, slot<T> *p)
{
    s.template ~slot<T>();
    p->template ~slot<T>();
}

template <class T> struct pointer { using element = T; };
template <class F> __device__ int size_of(F f)
{
    auto p = f(0);
    return (int)sizeof(decltype(p)::element);
}

__global__ void kernel(int *out, float *values)
{
    session<int> s;
    out[0] = sizeof(holder<int>), out[1] = sizeof(holder<int>::four);
    out[2] = make<outer<int>>(6).values[1];
    out[3] = 0;
    union room {
        slot<int> s;
        __device__ room(int *count) : s{count} {}
        __device__ ~room() {}
    } room(&out[3]);
    end(room.s, &room.s);
    values[0] = s.apply<3>(
        2, [&] __device__(int x) -> float { return x / 4.0f; });
    out[4] = size_of([] __device__(int) { return pointer<short>(); });
    values[1] = s.again(2, [&] __device__(int x) -> float { return x / 4.0f; });
}

int main()
{
    int *out;
    float *values;
    cudaMallocManaged(&out, 5 * sizeof *out);
    cudaMallocManaged(&values, 2 * sizeof *values);
    kernel<<<1, 1>>>(out, values);
    cudaDeviceSynchronize();
    printf("%d %d %d %d %d %g %g\n", out[0], out[1], out[2], out[3], out[4],
           values[0], values[1]);
    return 0;
}
C
$weftcc --extended-lambda a.cu -o a && ./a
# What nvcc's header includes for such lambdas.
echo 'constexpr std::array<int, 2> a{1, 2}; std::function<int()> f;
int main() { return a[1] - 2; }' > included.cu
$weftcc --extended-lambda included.cu -o included && ./included && echo included
