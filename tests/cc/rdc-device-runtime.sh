# SPDX-License-Identifier: Apache-2.0
# A program whose kernels launch kernels is linked; what can be done with these
# is said at the launch. The rest of the program runs.
cat > parent.cu <<'C'
#include <cstdio>
__global__ void child(int *p) { *p += 1; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
__global__ void plain(int *p) { *p = 7; }
int main(int argc, char **)
{
    int *p;
    cudaMallocManaged(&p, 4);
    plain<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    std::printf("%d\n", *p);
    if (argc > 1)
        parent<<<1, 1>>>(p);
}
C
$weftcc -rdc=true parent.cu -lcudadevrt -o parent && ./parent
# Nor does a kernel wait for its children since CUDA 12: nvcc refuses the kernel,
# and takes a function of both sides that would wait on the device.
cat > waits.cu <<'C'
#include <cstdio>
__global__ void child(int *p) { *p = 5; }
#ifdef WAITS
__global__ void parent(int *p) { child<<<1, 1>>>(p); cudaDeviceSynchronize(); }
#endif
// Names that only contain that one.
__device__ __noinline__ int my_cudaDeviceSynchronize(int n) { return n + 1; }
__global__ void other(int *p) { *p = my_cudaDeviceSynchronize(*p); }
__host__ __device__ int both() { return cudaDeviceSynchronize(); }
int main()
{
    int *p;
    cudaMallocManaged(&p, 4);
    child<<<1, 1>>>(p);
    std::printf("%d %d\n", both(), *p);
}
C
$weftcc -rdc=true waits.cu -o waits && ./waits
$weftcc -rdc=true -DWAITS waits.cu -o waits
echo "status $?"
