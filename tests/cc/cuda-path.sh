# SPDX-License-Identifier: Apache-2.0
# The headers of an installed toolkit in place of ours, whether or not it says
# its version in a file of its own.
toolkit=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
[ -e "$toolkit/include/cuda.h" ] || toolkit=/usr/local/cuda
[ -e "$toolkit/include/cuda.h" ] || { echo "no CUDA toolkit is installed"; exit 77; }
cat > a.cu <<'C'
#include <cstdio>
#if CUDART_VERSION < 12000
#error not the toolkit's header
#endif
__global__ void k(int *p) { *p = threadIdx.x + 41; }
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    k<<<1, 1>>>(p);
    printf("%d %d\n", cudaDeviceSynchronize(), *p);
}
C
$weftcc --cuda-path="$toolkit" a.cu -o a && ./a
mkdir bare
ln -s "$toolkit"/* bare
rm -f bare/version*
$weftcc --cuda-path=bare -c a.cu && echo bare
