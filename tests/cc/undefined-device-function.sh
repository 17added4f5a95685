# SPDX-License-Identifier: Apache-2.0
# Device code that is nowhere defined is named when compiling.
cat > u.cu <<'C'
__device__ int elsewhere(int);
__global__ void k(int *p) { *p = elsewhere(1); }
C
$weftcc -c u.cu
echo "status $?"
$weftcc -rdc=true u.cu
echo "status $?"
ls
