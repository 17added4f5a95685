# SPDX-License-Identifier: Apache-2.0
# A plain C program loads a CUDA library, uses it and unloads it, several
# times, while one of its kernels still runs.
cat > plug.cu <<'C'
#include <cuda_runtime.h>
__device__ int counter = 5;
__global__ void store(int *p) { *p = 7; }
__global__ void linger(int *p)
{
    for (volatile int i = 0; i < 100000; i = i + 1) {
    }
    *p = 9;
}
extern "C" int use(int *later)
{
    int *p, value = 0, count = 0;
    cudaMalloc(&p, 4);
    store<<<1, 1>>>(p);
    cudaMemcpy(&value, p, 4, cudaMemcpyDefault);
    cudaFree(p);
    cudaMemcpyFromSymbol(&count, counter, 4);
    linger<<<4, 64>>>(later);
    return value * 10 + count;
}
C
cat > host.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    static int later;
    for (int i = 0; i < 5; i++) {
        void *library = dlopen("./plug.so", RTLD_NOW);
        if (!library)
            return puts(dlerror());
        int (*use)(int *) = (int (*)(int *))dlsym(library, "use");
        later = 0;
        printf("%d", use(&later));
        dlclose(library);
        printf(" %d\n", later);
    }
    return 0;
}
C
$weftcc -shared -Xcompiler -fPIC plug.cu -o plug.so && gcc $sanitizers host.c -o host -ldl && ./host
echo "status $?"
