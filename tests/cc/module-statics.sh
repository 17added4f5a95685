# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# Static variables of a module that is loaded for itself: a program finds them
# by the name in the source, and what it writes there is what kernels read.
cp $here/module-statics.cu m.cu
$weftcc -ptx m.cu -o m.ptx
grep -E '^\.(visible|global|const) .*;' m.ptx
$weftcc -cubin m.cu -o m.cubin
cat > load.cpp <<'EOF'
#include <cstdio>
#include <cuda.h>

int main(int, char **argv)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr factors, calls, out;
    size_t bytes = 0;
    int values[4] = {1, 2, 3, 4}, got[4], count;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    printf("%d", cuModuleLoad(&module, argv[1]));
    printf(" %d", cuModuleGetGlobal(&factors, &bytes, module, "factors"));
    printf(" %d", cuModuleGetGlobal(&calls, NULL, module, "calls"));
    printf(" %d", cuModuleGetFunction(&kernel, module, "apply"));
    cuMemAlloc(&out, sizeof got);
    cuMemcpyHtoD(factors, values, bytes);
    void *arguments[] = {&out};
    cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, 0, arguments, NULL);
    cuMemcpyDtoH(got, out, sizeof got);
    cuMemcpyDtoH(&count, calls, sizeof count);
    printf(": %d %d %d %d, %d calls\n", got[0], got[1], got[2], got[3], count);
}
EOF
$weftcc load.cpp -lcuda -o load && ./load m.ptx && ./load m.cubin
