# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# The device link names what is missing or there twice, and in which file.
cat > uses.cu <<'C'
__device__ int missing(int);
extern __device__ int nowhere;
__global__ void k(int *p) { *p = missing(1) + nowhere; }
int main() {}
C
$weftcc -dc uses.cu && $weftcc uses.o -o x
echo "status $?"
echo '__device__ int nowhere; __device__ int missing(int) { return 1; }' > one.cu
sed 's/return 1/return 2/' one.cu > two.cu
$weftcc -dc one.cu two.cu
$weftcc -dlink uses.o one.o two.o -o linked.o
echo "status $?"
# In an archive the first one counts, and what nobody needs may be incomplete.
echo '__device__ int lost(); __global__ void unused(int *p) { *p = lost(); }' > more.cu
$weftcc -dc more.cu
ar rc libparts.a one.o two.o more.o 2>/dev/null
$weftcc uses.o libparts.a -o works && ./works && echo works
$weftcc -c uses.cu
echo "status $?"
ls
