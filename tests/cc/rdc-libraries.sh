# SPDX-License-Identifier: Apache-2.0
# Each shared library has a device link of its own; they may be loaded with
# dlopen, and share no names.
cat > common.cu <<'C'
__device__ int value = VALUE;
__device__ int get() { return value; }
C
cat > library.cu <<'C'
__device__ int get();
static __global__ void k(int *p) { *p = get(); }
extern "C" int answer()
{
    int *d, h = 0;
    cudaMalloc(&d, 4);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDefault);
    return h;
}
C
cat > main.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    for (int round = 0; round < 2; round++)
        for (int i = 1; i < argc; i++) {
            void *library = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
            int (*answer)(void) = (int (*)(void))dlsym(library, "answer");
            printf("%d ", answer());
            if (round)
                dlclose(library);
        }
    puts("");
    return 0;
}
C
for value in 1 2; do
    $weftcc -dc -Xcompiler -fPIC -DVALUE=$value common.cu library.cu
    $weftcc -shared common.o library.o -o lib$value.so
done
gcc $sanitizers main.c -o main -ldl && ./main ./lib1.so ./lib2.so
