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
    "st.global.u64 [%rd1], %rd1;\n ret; }\n";
/* Writes so far into 1 MB; a bad call, if there is a second argument; ends with
 * the third. */
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
    cuModuleGetFunction(&f, m, "set");
    cuMemAlloc(&p, 1 << 20);
    p += argc > 1 ? atol(argv[1]) : 0;
    cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL);
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
plain() { sed 's/0x[0-9a-f]*/ADDRESS/'; }
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
try compute-sanitizer --log-file report --print-limit 1 ./program 1048576
plain <report
for tool in racecheck initcheck synccheck; do
    try compute-sanitizer --tool $tool ./program
done
try compute-sanitizer --leak-check full ./program
try compute-sanitizer --save report ./program
try compute-sanitizer --error-exitcode many ./program
try compute-sanitizer --toll memcheck ./program
try compute-sanitizer
for tool in 'nsys profile -o x' 'ncu --set full' nvprof 'cuda-gdb --args'; do
    try $tool ./program
done
