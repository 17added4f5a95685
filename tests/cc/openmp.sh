# SPDX-License-Identifier: Apache-2.0
# -Xcompiler -fopenmp reaches both passes and the link.
cat > omp.cu <<'C'
#include <cstdio>
#include <omp.h>
__global__ void k() {}
#ifndef _OPENMP
#error no OpenMP
#endif
int main()
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    std::printf("%d\n", sum);
}
C
$weftcc -Xcompiler -fopenmp omp.cu -o omp && ./omp
# Objects of both compilers, linked by either: one runtime has all threads.
cat > both.cu <<'C'
#include <cstdio>
#include <omp.h>
__global__ void k() {}
int gcc_threads();
int weft_threads()
{
    int seen = 0;
#pragma omp parallel num_threads(3) reduction(+ : seen)
    seen += omp_get_thread_num() + omp_get_num_threads();
    return seen;
}
int main()
{
    k<<<1, 1>>>();
    std::printf("%d %d\n", weft_threads(), gcc_threads());
}
C
cat > host.cc <<'C'
#include <omp.h>
int gcc_threads()
{
    int seen = 0;
#pragma omp parallel num_threads(4) reduction(+ : seen)
    seen += omp_get_thread_num() + omp_get_num_threads();
    return seen;
}
C
gomp=$(gcc -print-file-name=libgomp.so)
$weftcc -c -Xcompiler -fopenmp both.cu && g++ -c -fopenmp host.cc &&
    g++ -fopenmp both.o host.o -L$build/lib -lcudart -Wl,-rpath,$build/lib \
        -o by-gcc && ./by-gcc &&
    $weftcc -Xcompiler -fopenmp both.o host.o -o by-weft && ./by-weft &&
    $weftcc both.o host.o -lgomp -o named && ./named &&
    $weftcc both.o host.o $gomp -o by-path && ./by-path
