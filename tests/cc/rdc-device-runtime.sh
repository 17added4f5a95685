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
