# SPDX-License-Identifier: Apache-2.0
# The guides' command lines: several -gencode with lists in quotes, with and
# without backslashes, and the short spelling that means the same. The program
# tells which architecture its device code was compiled for.
cat > x.cu <<'C'
#include <cstdio>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 500
#error "not for this device"
#endif
__global__ void arch(int *p) {
#ifdef __CUDA_ARCH__
    *p = __CUDA_ARCH__;
#endif
}
int main() {
    int *p, v = 0;
    cudaMalloc(&p, sizeof *p);
    arch<<<1, 1>>>(p);
    cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
    if (v > 700) // what is too old is compiled for the default
        std::printf("compiled for a newer one\n");
    else
        std::printf("compiled for %d\n", v);
}
C
compile() {
    echo "weftcc $*"
    "$weftcc" x.cu -o x "$@" && ./x
}
compile -gencode arch=compute_50,code=sm_50 \
    -gencode arch=compute_60,code=sm_60 \
    -gencode arch=compute_70,code=\"compute_70,sm_70\"
compile -gencode arch=compute_10,code=sm_10 \
    -gencode arch=compute_11,code=\'compute_11,sm_11\'
compile -arch=compute_60 -code=sm_70
# Three spellings of one thing.
for way in -arch=sm_70 '-arch=compute_70 -code=compute_70,sm_70' \
        '-gencode arch=compute_70,code="compute_70,sm_70"'; do
    "$weftcc" --dryrun -cubin $way x.cu -o x.cubin 2>&1 |
        grep -o -e '--cuda-gpu-arch=[^ ]*'
done
