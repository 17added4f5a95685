# SPDX-License-Identifier: Apache-2.0
# Functions of both sides that call functions of the host: nvcc warns, and a
# kernel that gets there is not defined; here it ends. Templates that the calls
# lead to are instantiated all the same, kernels among them.
cat > a.cu <<'C'
#include <cstdio>

template <typename T> __global__ void fill(T *p, T v) { p[threadIdx.x] = v; }

namespace lib
{
template <typename T> struct algorithm {
    template <typename P> __host__ static int launch(P *p, T v)
    {
        auto both = [&] __host__ __device__() { return log(v); };
        fill<<<1, 2>>>(p, v);
        return both();
    }
    __host__ static int log(T v) { return v > 0; }
};
template <typename T> __host__ int launch(T *p, T v)
{
    return algorithm<T>::launch(p, v);
}
__host__ void plain(int) {}
struct object {
    int v;
    __host__ object(int x) : v(x) {}
    __host__ ~object() {}
    __host__ int member(int x) { return x + v; }
};
} // namespace lib

template <typename T> __host__ __device__ int parallel(T *p, T v)
{
    int status;
    status = lib::algorithm<T>::template launch<T>(p, v) + lib::launch(
        p, v);
    if (lib::launch<T>(p, v) < 0)
        return 2;
    lib::plain(3);
    return status + 1;
}
template <typename T> __host__ __device__ int either(T *p, T v)
{
#ifdef __CUDA_ARCH__
    if (false) {
        parallel(p, v);
    }
    *p = v;
    return 7;
#else
    return parallel(p, v);
#endif
}
__host__ __device__ int sometimes(int x)
{
    for (int i = 0; i < 3; i++) {
        switch (x) {
        case 200: {
            lib::object o(2);
            x = o.member(x);
            break;
        }
        default:;
        }
        if (x > 100)
            break;
    }
    return x;
}
template <typename T> __global__ void use(T *p, int x)
{
    p[2] = either(p + 3, (T)5) + sometimes(x);
}

int main()
{
    int *p;
    cudaMallocManaged(&p, 16);
    printf("%d %d\n", either(p, 3), sometimes(200));
    use<<<1, 1>>>(p, 1);
    printf("%d\n", cudaDeviceSynchronize());
    printf("%d %d %d %d\n", p[0], p[1], p[2], p[3]);
    use<<<1, 1>>>(p, 200);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
C
$weftcc --extended-lambda a.cu -o a 2> a.err && WEFT_EXPLAIN=0 ./a
# One instance calls a function of the host's, another one of both sides.
cat > d.cu <<'C'
#include <stdio.h>
struct host_only {};
struct both {};
namespace lib {
template <class T> __host__ void set(host_only, T *p) { *p = 1; }
template <class T> __host__ __device__ int set(both, T *p) { return *p = 2; }
}
template <class P, class T> __host__ __device__ void either(P which, T *p)
{
    using lib::set;
    return (void)set(which, p);
}
template <class P> __global__ void k(P which, int *p) { either(which, p); }
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    either(host_only(), p);
    printf("%d\n", *p);
    k<<<1, 1>>>(both(), p);
    printf("%d\n", cudaDeviceSynchronize() * 1000 + *p);
    k<<<1, 1>>>(host_only(), p);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
C
$weftcc -w d.cu -o d && WEFT_EXPLAIN=0 ./d
grep -c 'warning.*is a __host__ function' a.err
# Too hard: what is said is about the source as it is.
cat > c.cu <<'C'
struct object { __host__ object(int) {} __host__ ~object() {} };
__host__ __device__ double hard(int x)
{
    object o(3);
    if (x > 2)
        return 1;
    return 2.5;
}
C
$weftcc -c c.cu 2> c.err
echo $? $(grep -c 'error: reference to __host__' c.err) $(grep -c WEFT c.err)
# An error with nvcc, too.
cat > b.cu <<'C'
__host__ int of_host(int x) { return x; }
__device__ int of_device(int x) { return of_host(x); }
__global__ void kernel(int *p) { *p = of_device(*p); }
C
$weftcc -c b.cu 2> b.err
echo $? $(grep -c 'error: no matching function' b.err)
