# SPDX-License-Identifier: Apache-2.0
# One image per architecture that is asked for, each with its own
# __CUDA_ARCH__; the device takes the newest that it runs.
cat > a.cu <<'C'
#include <stdio.h>
#define WORDS_(...) #__VA_ARGS__
#define WORDS(...)  WORDS_(__VA_ARGS__)

/* As programs for old and new devices have it. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *address, double value)
{
    unsigned long long *p = (unsigned long long *)address, old = *p, seen;
    do {
        seen = old;
        double sum = __longlong_as_double(seen) + value;
        old = atomicCAS(p, seen, __double_as_longlong(sum));
    } while (old != seen);
    return __longlong_as_double(old);
}
#endif

__device__ double total;
__global__ void kernel()
{
    atomicAdd(&total, 0.5);
#ifdef __CUDA_ARCH__
    if (threadIdx.x == 0)
        printf("compiled for %d\n", __CUDA_ARCH__);
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == BAD
#error this one
#endif
}

int main()
{
    double sum = 0;
    cudaFuncAttributes attributes;
    kernel<<<1, 64>>>();
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    cudaFuncGetAttributes(&attributes, kernel);
    printf("%g, PTX of %d, one of %s\n", sum, attributes.ptxVersion,
           WORDS(__CUDA_ARCH_LIST__));
    return 0;
}
C
run() {
    $weftcc "$@" a.cu -o a && ./a
}
run -gencode arch=compute_70,code=sm_70 -gencode arch=compute_80,code=sm_80
run -gencode arch=compute_75,code=[sm_75,sm_80,compute_75] \
    -gencode=arch=compute_52,code=sm_52
run -arch=sm_61
run -arch=all-major
run -arch=sm_88
run -arch=sm_100
run -rdc=true -gencode arch=compute_60,code=sm_60 \
    -gencode arch=compute_80,code=sm_80

# The images, the fatbinary of a makefile, and what is not one image.
images() {
    grep -a -o '^.target sm_[0-9]*' "$1" | tr '\n' ' '
    echo
}
$weftcc -fatbin -gencode arch=compute_60,code=sm_60 \
    -gencode arch=compute_80,code=sm_80 a.cu && images a.fatbin
for n in 70 80; do
    $weftcc -ptx -arch=compute_$n a.cu -o a$n.ptx
done
$weftcc -fatbin a70.ptx a80.ptx -o both.fatbin && images both.fatbin
$weftcc -keep -c -gencode arch=compute_70,code=sm_70 \
    -gencode arch=compute_80,code=sm_80 a.cu && ls a.*.ptx
for options in "-ptx -arch=all" "-cubin -arch=all-major" "-c -code=sm_80" \
    "-c -arch=sm_80 -code=sm_90" "-c -arch=compute_90 -code=sm_80" \
    "-c -arch=compute_80 -code=native" "-c -gencode arch=compute_80" \
    "-c -gencode arch=sm_80,code=sm_80"; do
    $weftcc $options a.cu
done

# An error for one of them is an error, and shown once.
$weftcc -DBAD=700 -c -gencode arch=compute_70,code=sm_70 \
    -gencode arch=compute_80,code=sm_80 a.cu 2>&1 | grep -e error: -e compiling
[ ! -e a.o ] || rm a.o
