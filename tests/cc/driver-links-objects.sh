# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# cuLink* takes the device code of host objects and archives: a kernel calls
# functions that come from both. One without device code is taken as well, and
# what is neither is refused.
cat > scale.cu <<'C'
__device__ int scaled(int x) { return 10 * x; }
C
cat > shift.cu <<'C'
__device__ int shifted(int x) { return x + 7; }
C
cat > kernel.cu <<'C'
__device__ int scaled(int), shifted(int);
extern "C" __global__ void both(int *p) { *p = shifted(scaled(*p)); }
C
cat > main.c <<'C'
#include <cuda.h>
#include <stdio.h>

int main(void)
{
    CUdevice device;
    CUcontext ctx;
    CUlinkState link;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p;
    void *image, *args[] = {&p};
    int n = 4;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&ctx, device);
    cuCtxSetCurrent(ctx);
    cuLinkCreate(0, 0, 0, &link);
#define ADD(kind, file)                                                        \
    printf("%s: %d\n", file,                                                   \
           cuLinkAddFile(link, CU_JIT_INPUT_##kind, file, 0, 0, 0))
    ADD(OBJECT, "kernel.o");
    ADD(OBJECT, "scale.o");
    ADD(LIBRARY, "libshift.a");
    ADD(LIBRARY, "libhost.a");
    ADD(LIBRARY, "main.c");
    ADD(OBJECT, "absent.o");
    printf("complete: %d\n", cuLinkComplete(link, &image, 0));
    printf("load: %d\n", cuModuleLoadData(&m, image));
    cuModuleGetFunction(&f, m, "both");
    cuMemAlloc(&p, sizeof n);
    cuMemcpyHtoD(p, &n, sizeof n);
    cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0);
    cuMemcpyDtoH(&n, p, sizeof n);
    printf("%d\n", n);
    cuLinkDestroy(link);
    return 0;
}
C
echo 'int nothing;' > host.c
$weftcc -rdc=true -c kernel.cu scale.cu shift.cu
gcc -c host.c
ar rc libshift.a shift.o
ar rc libhost.a host.o
$weftcc main.c -o main -lcuda && ./main
