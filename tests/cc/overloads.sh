# SPDX-License-Identifier: Apache-2.0
# The overloads of device functions are those that CUDA has, as overloads.txt
# lists them: programs define others by themselves. What may differ: C's
# functions for float and integers, texture and surface references, and old
# names that lose against a program's own.
cat > all.cu <<'C'
#include <cuda_fp16.h>
#include <cuda_bf16.h>
C
$weftcc -ptx -arch=sm_90 all.cu -o all.ptx --device-option -fsyntax-only \
    --device-option -Xclang --device-option -ast-dump \
    --device-option -fno-color-diagnostics > tree
python3 $here/overloads.py $here/overloads.txt < tree | fold -s -w 78

# Programs' own.
cat > own.cu <<'C'
#include <stdint.h>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#define OWN2(name, T) __device__ T name(T *p, T v) { *p = v; return 1; }
#define OWN3(name, T) __device__ T name(T *p, T c, T v) { *p = c + v; return 1; }
static inline __device__ uint64_t atomicAdd(uint64_t *p, uint64_t v) { *p = v; return 1; }
OWN2(atomicAdd, long) OWN2(atomicAdd, long long) OWN2(atomicAdd, unsigned char)
OWN2(atomicExch, double) OWN2(atomicExch, size_t)
OWN2(atomicMax, float) OWN2(atomicMax, double) OWN2(atomicMin, float) OWN2(atomicMax, size_t)
OWN3(atomicCAS, size_t) OWN3(atomicCAS, float) OWN3(atomicCAS, double)
__device__ float __shfl_xor(double v, int m) { return m; }
__device__ float2 operator+(float2 a, float2 b) { return a; }
__device__ double __shfl_down_sync(unsigned m, double3 v, int d) { return 0; }
__device__ int min(int a, unsigned long b) { return 0; }
__device__ float rsqrt(int a) { return 0; }
__device__ float clamp(float x, float a, float b) { return 0; }
__host__ __device__ inline float sign(float x) { return 0; }
__device__ float saturate(float x) { return 7; }
__device__ double powi(double x, int n) { return 7; }
template <class T> __device__ T mulhi(T a, T b) { return 7; }
__global__ void k(float *f, double *d, size_t *s)
{
    f[0] = saturate(0.5) + mulhi(1, 2) + (float)powi(2.0, 3);
    f[1] = (float)(atomicAdd(s, (uint64_t)5) + atomicExch(d, 1.0));
    f[2] = mul24(3, 5) + __int_as_float(float_as_int(1.f));
    f[3] = __reduce_add_sync(1u, -4) / 2;
}
int main()
{
    float *f;
    cudaMallocManaged(&f, 64);
    k<<<1, 1>>>(f, (double *)(f + 8), (size_t *)(f + 10));
    cudaDeviceSynchronize();
    return !(f[0] == 21 && f[1] == 2 && f[2] == 16 && f[3] == -2);
}
C
$weftcc own.cu -o own 2>&1 | grep error
./own && echo own
