# SPDX-License-Identifier: Apache-2.0
# threadIdx and its like declared again, as cuRAND's headers do it, and used as
# values of the types that they are documented to have.
cat > a.cu <<'C'
#ifdef GUARDED
#ifndef __CUDA_ARCH__
extern const dim3 blockDim;
extern const uint3 threadIdx;
#endif
#else
extern const uint3 threadIdx; extern const uint3 blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;
#endif
#include <cstdio>
__device__ unsigned volume(const dim3 &d) { return d.x * d.y * d.z; }
__global__ void kernel(unsigned *out)
{
    uint3 i{threadIdx};
    const uint3 &b = blockIdx;
    dim3 d{blockDim};
    out[i.x + d.x * b.x] = volume(gridDim) * warpSize + d.y;
}
int main()
{
    unsigned *out;
    cudaMallocManaged(&out, 8 * sizeof *out);
    kernel<<<2, 4>>>(out);
    cudaDeviceSynchronize();
    printf("%u\n", out[7]);
    return 0;
}
C
for how in -DGUARDED -DPLAIN; do
    $weftcc $how a.cu -o a && ./a
done
