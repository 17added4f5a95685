# SPDX-License-Identifier: Apache-2.0
# extern __shared__ of what is no array has the size of its type, in a kernel, in
# a template, in a namespace; of an array without bounds it is what the launch
# gives.
cat > a.cu <<'C'
#include <cstdio>
template <int N> struct tile {
    alignas(128) float a[N];
    float b[N];
};
template <int N> __global__ void turn(float *o)
{
    extern __shared__ tile<N> s;
    extern __shared__ float given[];
    int i = threadIdx.x;
    s.a[i] = i;
    s.b[i] = 2 * i;
    given[i] = 1000 * i;
    __syncthreads();
    o[i] = s.a[N - 1 - i] + s.b[i] + given[N - 1 - i];
}
namespace shared {
__shared__ extern int whole;
}
__global__ void count(int *o)
{
    extern __attribute__((aligned(16))) __shared__ unsigned long long one;
    if (threadIdx.x == 0)
        one = shared::whole = 5;
    __syncthreads();
    atomicAdd(&one, 1);
    atomicAdd(&shared::whole, 1);
    __syncthreads();
    o[0] = (int)one;
    o[1] = shared::whole;
    o[2] = (int)((size_t)&one % 16);
}
int main()
{
    float *o;
    cudaMallocManaged(&o, 64 * sizeof *o);
    turn<64><<<1, 64, 64 * sizeof(float)>>>(o);
    printf("%d ", cudaDeviceSynchronize());
    printf("%g %g %g\n", o[0], o[1], o[63]);
    int *n = (int *)o;
    count<<<1, 32>>>(n);
    printf("%d ", cudaDeviceSynchronize());
    printf("%d %d %d\n", n[0], n[1], n[2]);
}
C
$weftcc a.cu -o a 2>&1 | grep -v '^$' && ./a
$weftcc -w a.cu -o a && ./a | tail -n 1
$weftcc -w -rdc=true a.cu -o a && ./a | tail -n 1
