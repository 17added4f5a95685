# SPDX-License-Identifier: Apache-2.0
# A kernel's host function has the kernel's name: host code of another compiler
# declares it as a function and launches it, as NCCL's does.
cat > k.cu <<'C'
namespace { __global__ void hidden(int *p) { *p += 1; } }
static __global__ void own(int *p) { *p += 2; }
namespace ns1 { __global__ void inner(int *p, float f) { *p += (int)f; } }
extern "C" __global__ void plain(int *p) { *p += 8; }
template <int N> __global__ void many(int *p) { *p += N; }
template __global__ void many<16>(int *);
__global__ void outer(int *p, int n) { *p += n; }
void launch(int *p)
{
    hidden<<<1, 1>>>(p);
    own<<<1, 1>>>(p);
    many<64><<<1, 1>>>(p);
}
C
cat > m.cpp <<'C'
#include <cuda_runtime.h>
#include <cstdio>
namespace ns1 { void inner(int *p, float f); }
extern "C" void plain(int *p);
template <int N> void many(int *p);
extern template void many<16>(int *);
void outer(int *p, int n);
void launch(int *p);
template <class F, class... T> void go(F *f, T... t)
{
    void *args[] = {&t...};
    if (cudaLaunchKernel((const void *)f, 1, 1, args, 0, 0))
        puts("failed");
}
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    *p = 0;
    launch(p);
    go(ns1::inner, p, 4.0f);
    go(plain, p);
    go(many<16>, p);
    go(outer, p, 32);
    cudaDeviceSynchronize();
    printf("%d\n", *p);
}
C
$weftcc -c k.cu -o k.o && g++ -I$build/include -c m.cpp -o m.o &&
    g++ m.o k.o -L$build/lib -lcudart -Wl,-rpath,$build/lib -o m && ./m
nm k.o | grep -c __device_stub__ || true
