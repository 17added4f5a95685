# SPDX-License-Identifier: Apache-2.0
# What an asm statement says is checked by the compiler, for the newest
# architecture that is asked for.
cat > bad.cu <<'C'
__global__ void k(int *p)
{
    asm volatile("add.s33 %0, %0, 1;" : "+r"(*p));
}
C
$weftcc -c bad.cu
echo "status $?"
ls bad.o 2>/dev/null
echo '__global__ void k(int *p) { *p = __dp4a(*p, 1, 2); }' > dot.cu
$weftcc -arch=sm_60 -c dot.cu 2>&1 | grep -o 'error: .*'
$weftcc -arch=sm_61 -c dot.cu && ls dot.o
