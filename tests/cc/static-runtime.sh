# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# The runtime linked statically, which is the default: its functions are strong
# symbols of the program, whoever links, and seen by no other library.
cat > weak.cu <<'C'
#include <cstdio>
#include <thread>
/* As libraries have them that also link against older runtimes. */
extern "C" __attribute__((weak)) cudaError_t cudaGetDriverEntryPoint(
    const char *, void **, unsigned long long, cudaDriverEntryPointQueryResult *)
{
    return cudaErrorNotYetImplemented;
}
__global__ void kernel(int *p, int a, long b, float c, double d, int e)
{
    *p = a + b + c + d + e;
}
__global__ void wide(int *p, int4 a, double4 b, char c) { *p += a.w + b.z + c; }
extern "C" void use()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    kernel<<<1, 1>>>(p, 1, 2, 3, 4, 5);
    cudaDeviceSynchronize();
    wide<<<dim3(1, 1, 1), dim3(1, 1, 1)>>>(p, {0, 0, 0, 10}, {0, 0, 20, 0}, 1);
    cudaDeviceSynchronize();
    std::printf("%d\n", *p);
}
int main()
{
    void *f = nullptr;
    cudaDriverEntryPointQueryResult q;
    std::printf("%s ", cudaGetErrorName(
        cudaGetDriverEntryPoint("cuInit", &f, cudaEnableDefault, &q)));
    std::thread many[4]; /* who meet in first calls */
    for (auto &t : many)
        t = std::thread([] { int n; cudaGetDeviceCount(&n); cudaGetDevice(&n); });
    for (auto &t : many)
        t.join();
    use();
    return 0;
}
C
$weftcc -c -Xcompiler -fPIC weak.cu -o weak.o
echo "weftcc:"
$weftcc weak.o -o a && ./a
$weftcc -cudart static weak.o -o b && ./b
$weftcc -cudart=shared weak.o -o c && ./c
echo "g++:"
g++ $sanitizers weak.o -L$build/lib -lcudart_static -ldl -lrt -lpthread -o d && ./d
g++ $sanitizers -static-libgcc -Wl,-z,now weak.o $build/nvcc/lib64/libcudart_static.a -o e && ./e
# Found where it was installed, and LD_LIBRARY_PATH goes before that.
mkdir other && ln -s $build/lib/libcudart-static.so other
LD_LIBRARY_PATH=$PWD/other ./d
echo junk > other/libcudart.so.12
LD_LIBRARY_PATH=$PWD/other ./d
echo "in a library:"
g++ $sanitizers -shared weak.o -L$build/lib -lcudart_static -o libweak.so
nm -D --defined-only libweak.so | grep -c ' T cuda'
# Every function of the shared library is in the archive, and no other name.
nm --defined-only --extern-only $build/lib/libcudart_static.a | awk '{ print $3 }' | sort > archive
nm -D --defined-only $build/lib/libcudart.so.12 | awk '$2 == "T" { print $3 }' | sed 's/@.*//' | sort > shared
grep -c . shared | awk '{ print ($1 > 400 ? "many" : "few") }'
sed -i '/^$/d' archive
cmp archive shared && echo "the same"
# Without it, one line, as the dynamic linker has.
sed "s#$build/lib/libcudart-static.so#$(echo $build/lib/libcudart-static.so | tr a-z b-za)#" d > lost
chmod +x lost
./lost 2>&1 | sed 's/: .*;/: REASON;/'
echo ${PIPESTATUS[0]}
