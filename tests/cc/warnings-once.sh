# SPDX-License-Identifier: Apache-2.0
# A warning appears once though two passes read the file.
cat > w.cu <<'C'
__global__ void k() { int in_kernel; }
int main() { int in_main; return 0; }
#ifndef __CUDA_ARCH__
#warning host only
#endif
__global__ void unrolled(int *p) {
#pragma unroll (4)
    for (int i = 0; i < 8; i++)
        p[i] = i;
}
C
$weftcc -c -Xcompiler -Wall w.cu 2>&1 | grep warning
echo ---
$weftcc -c -w w.cu
$weftcc -c -Xcompiler -Wall -Werror all-warnings w.cu 2>/dev/null
echo "status $?"
