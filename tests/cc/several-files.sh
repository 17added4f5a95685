# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# CUDA, C++ and C files in one command; messages in their order.
cat > main.cpp <<'C'
#include <cstdio>
extern "C" int from_c(void);
int from_cuda(void);
int main() { std::printf("%d %d\n", from_c(), from_cuda()); }
C
echo 'int from_c(void) { int *class = 0; return class ? 1 : 7; }' > part.c
cat > part.cu <<'C'
__device__ int twice(int x) { return 2 * x; }
__global__ void k(int *p) { *p = twice(4); }
int from_cuda(void)
{
    int *d, h = 0;
    cudaMalloc(&d, 4);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    return h;
}
C
$weftcc main.cpp part.c part.cu -o all && ./all
mkdir sub && cp part.cu sub/part.cu
echo '#warning first' >> part.cu
echo '#warning second' >> sub/part.cu
$weftcc -t 2 -c part.cu 2>&1 | grep -c 'warning: first'
cp sub/part.cu other.cu
$weftcc -t 2 -c part.cu other.cu 2>&1 | grep -o 'warning: [a-z]*'
