# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# Shared libraries and archives with kernels in them.
cat > lib.cu <<'C'
__global__ void k(int *p) { *p = 5; }
int five()
{
    int *d, h = 0;
    cudaMalloc(&d, 4);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    return h;
}
C
cat > main.cpp <<'C'
#include <cstdio>
int five();
int main() { std::printf("%d\n", five()); }
C
$weftcc -shared -Xcompiler -fPIC lib.cu -o libfive.so
$weftcc main.cpp -L. -lfive -Xlinker -rpath,. -o shared && ./shared
$weftcc -lib lib.cu -o libfive.a && ar t libfive.a
$weftcc main.cpp libfive.a -o static && ./static
