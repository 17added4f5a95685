# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# Objects of weftcc in a link that g++ does.
$weftcc -c $here/hello.cu -o hello.o
g++ $sanitizers hello.o -L$build/nvcc/lib64 -lcudart_static -Wl,-rpath,$build/lib -o hello && ./hello
cat > api.c <<'C'
#include <cuda_runtime_api.h>
#include <stdio.h>
int main(void)
{
    int count = 0;
    cudaError_t err = cudaGetDeviceCount(&count);
    printf("%d %d\n", err, count);
    return 0;
}
C
gcc $sanitizers -I$build/nvcc/include api.c -L$build/lib -lcudart -Wl,-rpath,$build/lib -o api && ./api
# By its full path, as configure scripts test for it.
echo "#include \"$build/nvcc/targets/x86_64-linux/include/cuda_runtime.h\"" > path.cpp
g++ -c path.cpp && echo path
# What a script takes for the libraries of a CUDA program (SHOC's).
libraries=$($weftcc -dryrun none.cu 2>&1 | tail -n 1 | sed 's#^.*-o "a.out"##; s#"[a-zA-Z0-9/_-]*\.o"##g; s/-Wl,--[a-z]*-group//g')
g++ $sanitizers hello.o $libraries -Wl,-rpath,$build/lib -o again && ./again
