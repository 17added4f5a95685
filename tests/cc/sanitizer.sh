# SPDX-License-Identifier: Apache-2.0
# compute-sanitizer's stand-in: what it finds, its status; what is refused.
PATH=$build/nvcc/bin:$PATH
set -e
cat >program.c <<'END'
#include <cuda.h>
#include <stdlib.h>
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry set(.param .u64 p) {\n"
    ".reg .b64 %rd<2>;\n ld.param.u64 %rd1, [p];\n"
    "st.global.u64 [%rd1], %rd1;\n ret; }\n"
    ".visible .entry wait(.param .u64 p) {\n"
    ".reg .b64 %rd<2>;\n .reg .b32 %r<2>;\n .reg .pred %p;\n"
    "ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n"
    "setp.eq.u32 %p, %r1, 0;\n @%p bra store;\n"
    "wait: ld.volatile.global.u32 %r1, [%rd1];\n setp.eq.u32 %p, %r1, 0;\n"
    "@%p bra wait;\n ret;\n"
    "store: st.global.u32 [%rd1 + 1048576], 1;\n ret; }\n";
/* Writes so far into 1 MB; a bad call, if there is a second argument; ends with
 * the third; a fourth one names another kernel, of two threads. */
int main(int argc, char **argv)
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    void *args[] = {&p};
    cuInit(0);
    cuDevicePrimaryCtxRetain(&ctx, 0);
    cuCtxSetCurrent(ctx);
    cuModuleLoadData(&m, ptx);
    cuModuleGetFunction(&f, m, argc > 4 ? argv[4] : "set");
    cuMemAlloc(&p, 1 << 20);
    cuMemsetD8(p, 0, 1 << 20);
    p += argc > 1 ? atol(argv[1]) : 0;
    cuLaunchKernel(f, 1, 1, 1, argc > 4 ? 2 : 1, 1, 1, 0, NULL, args, NULL);
    cuCtxSynchronize();
    const void *table;
    CUuuid none = {{0}};
    cuGetExportTable(&table, &none); /* a runtime's question: no error */
    if (argc > 2 && *argv[2])
        cuMemFree(16);
    return argc > 3 ? atoi(argv[3]) : 0;
}
END
gcc program.c -I "$build/nvcc/include" -L "$build/nvcc/lib64/stubs" -lcuda -o program
plain()
{
    sed 's/0x[0-9a-f]*/ADDRESS/g; s/line [0-9]* of the PTX/line N of the PTX/'
}
try() {
    echo "--- $*"
    status=0
    "$@" >output 2>errors || status=$?
    plain <output
    grep -v '^weft: ' errors || true
    echo "status $status"
}
try compute-sanitizer ./program
try compute-sanitizer ./program 1048568
try compute-sanitizer ./program 1048576
try compute-sanitizer --tool memcheck --error-exitcode 7 ./program 1048576
try cuda-memcheck --error-exitcode=7 ./program 0 --tool
try compute-sanitizer --error-exitcode 7 ./program 0 x 3
try compute-sanitizer --report-api-errors no --error-exitcode 7 ./program 0 x
# A thread waits for a store that is not made.
try timeout 60 compute-sanitizer ./program 0 "" 0 wait
try compute-sanitizer --log-file report --print-limit 1 ./program 1048576
plain <report
# Bytes: what is read or written a little too far.
cat >bytes.cu <<'END'
#include <cstdlib>
__device__ int variable[3];
__global__ void global(char *p, int at) { p[at] = 1; }
__global__ void wide(char *p, int at) { *(int2 *)(p + at) = {1, 2}; }
__global__ void atomic(char *p, int at) { atomicAdd((int *)(p + at), 1); }
__global__ void module(char *p, int at) { p[0] = (char)variable[at]; }
__global__ void block(char *p, int at)
{
    extern __shared__ int s[];
    s[at] = 1;
    p[0] = (char)s[at ^ 1];
}
__global__ void own(char *p, int at)
{
    volatile int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = i;
    p[0] = (char)a[at];
}
int main(int argc, char **argv)
{
    void (*const kernels[])(char *, int) = {global, wide,  atomic,
                                            module, block, own};
    char *p;
    cudaMalloc(&p, 1000);
    kernels[atoi(argv[1])]<<<1, 1, 64>>>(p, atoi(argv[2]));
    return cudaDeviceSynchronize();
}
END
$weftcc -w bytes.cu -o bytes
for at in 999 1000; do try compute-sanitizer ./bytes 0 $at; done
for at in 992 1000; do try compute-sanitizer ./bytes 1 $at; done
for at in 996 1000; do try compute-sanitizer ./bytes 2 $at; done
for at in 2 -1000; do try compute-sanitizer ./bytes 3 $at; done
for at in 15 16; do try compute-sanitizer ./bytes 4 $at; done
for at in 3 -100; do try compute-sanitizer ./bytes 5 $at; done
WEFT_ENGINE=simd try compute-sanitizer ./bytes 0 1000
# More errors than lines in the log; and a name that is longer than they were.
cat >far.cu <<'END'
template <int...> struct list {};
template <class T> __global__ void far(int *p) { p[64 + threadIdx.x] = 1; }
#define TEN(n) n##0, n##1, n##2, n##3, n##4, n##5, n##6, n##7, n##8, n##9
int main()
{
    int *p;
    cudaMalloc(&p, 256);
    far<list<TEN(10), TEN(20), TEN(30), TEN(40), TEN(50), TEN(60), TEN(70),
             TEN(80), TEN(90), TEN(110), TEN(120), TEN(130), TEN(140)>>
        <<<2, 600>>>(p);
    return cudaDeviceSynchronize() == cudaSuccess;
}
END
$weftcc -w far.cu -o far
try compute-sanitizer --report-api-errors no --print-limit 1 ./far
try compute-sanitizer --tool nocheck ./program
try compute-sanitizer --leak-check some ./program
try compute-sanitizer --tool racecheck --leak-check full ./program
try compute-sanitizer --save report ./program
try compute-sanitizer --error-exitcode many ./program
try compute-sanitizer --toll memcheck ./program
try compute-sanitizer
for tool in 'nsys profile -o x' 'ncu --set full' nvprof 'cuda-gdb --args'; do
    try $tool ./program
done
