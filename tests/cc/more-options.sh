# SPDX-License-Identifier: Apache-2.0
# Options that build systems pass, and what becomes of them.
echo '#define FROM_FILE 5' > macros.h
echo '#include "macros.h"' > m.cu
$weftcc -MM -MQ 'a $b' m.cu | head -n 1 | sed 's@: .*@:@'
$weftcc -M m.cu | tr ' ' '\n' | grep -c cuda_runtime.h
$weftcc -E -imacros macros.h -x cu /dev/null > /dev/null && echo imacros
echo 'int main() { return FROM_FILE - 5; }' > f.cu
printf -- '-include macros.h\n-o "from file"\n' > options
$weftcc -optf options f.cu && ./from\ file && echo "options file"
$weftcc -Xcompiler '"-DA=1,2"' -Xcompiler -Wall,-Wextra -E -x cu - < /dev/null > /dev/null
echo "status $?"
echo 'int value() { return A + B; }' > v.cpp
echo 'int value(); int main() { return value() - 5; }' > w.cu
$weftcc -Xcompiler -DA=2,-DB=3 v.cpp w.cu -o v && ./v && echo "-Xcompiler"
$weftcc -forward-unknown-to-host-compiler -fno-strict-aliasing -Wall -march=x86-64 \
    -forward-unknown-to-host-linker -Wl,--as-needed $here/hello.cu -o hello && ./hello
mkdir toolkit
echo junk | tee toolkit/libcudart.so toolkit/libcudart_static.a > toolkit/libcudadevrt.a
$weftcc $here/hello.cu -Ltoolkit -lcudart -lcudadevrt -lnvToolsExt -lcudart_static -o other && ./other
$weftcc -c -Xcompiler -fno-gnu-unique,-fvar-tracking-assignments $here/hello.cu && echo "gcc's own"
$weftcc -maxrregcount=many $here/hello.cu
$weftcc -run --run-args a,"b c" -x cu - <<'C'
#include <cstdio>
int main(int argc, char **argv) { std::printf("%d %s\n", argc, argv[3]); }
C
$weftcc -ptx -arch=sm_80 -gencode arch=compute_80,code=[sm_80,compute_80] -G -src-in-ptx \
    --generate-code=arch=compute_80,code=sm_90 -Xptxas -v,-dlcm=cg -Xptxas=-warn-spills \
    -Xfatbin -compress-all -Xnvlink -v -Xcudafe --diag_suppress=1 -res-usage -lineinfo \
    -diag-suppress=20012,177 -Werror all-warnings -Wno-deprecated-gpu-targets \
    -objtemp -split-compile=2 -t 2 -extra-device-vectorization -restrict \
    --compress-mode=size -dlto -use_fast_math $here/hello.cu -o hello.ptx 2>&1 && ls hello.ptx
# asm that wants a newer PTX than clang writes for the architecture
cat > newer.cu <<'C'
__global__ void k(unsigned short *to, float a, float b)
{
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(*to) : "f"(a), "f"(b));
}
int main()
{
    unsigned short *p;
    cudaMallocManaged(&p, 2);
    k<<<1, 1>>>(p, 1, 2);
    if (!cudaDeviceSynchronize())
        __builtin_printf("%04x\n", *p);
}
C
$weftcc -arch=sm_89 newer.cu -o newer && ./newer
# A keyword to nvcc whatever the standard.
echo '__global__ void k(int *p) { typeof(*p) x = 3; *p = x; }
int main() { typeof(2.0f) x = 0; return (int)x; }' > words.cu
$weftcc -std=c++14 words.cu -o words && ./words && echo typeof
# C++03: a program of that time; our headers are C++11.
cat > old.cu <<'C'
#include <cstdio>
#include <vector>
template <class T> static T twice(T x) { register T y = x; return y + x; }
__global__ void k(int *p) { p[threadIdx.x] = 2 * threadIdx.x; }
int main()
{
    std::vector<std::vector<int> > v(2, std::vector<int>(3));
    int n[2] = {1, (int)v.size()}, *p;
    cudaMalloc((void **)&p, 128);
    k<<<1, 32>>>(p);
    cudaMemcpy(&v[1][0], p + 4, 12, cudaMemcpyDeviceToHost);
    std::printf("c++03 %d %d\n", v[1][2], twice(n[1]));
}
C
$weftcc -std=c++03 old.cu -o old && ./old
# A keyword that C++17 has no more: a warning of gcc's in a host file, too.
echo 'int main() { register int zero = 0; return zero; }' > host.cpp
$weftcc host.cpp -o host 2> host.log && ./host && grep -c 'warning:' host.log
