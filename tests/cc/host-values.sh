# SPDX-License-Identifier: Apache-2.0
# A variable of the device whose value is a call of a host function is refused,
# not 0; constant expressions are taken.
cat > bad.cu <<'C'
#include <cstdlib>
int three() { return 3; }
struct point { int x; constexpr point(int v) : x(v) {} };
constexpr int square(int x) { return x * x; }
__device__ int random_number = rand();
__device__ int good = square(4), better = int(3);
__constant__ float
    scale = three() *
            2.0f;
__device__ point p = point(3);
__global__ void k(int *out) { *out = random_number + good + p.x + scale; }
int main() {}
C
$weftcc -c bad.cu
echo "status $?"
ls bad.o 2>/dev/null
cat > good.cu <<'C'
#include <cstdio>
struct point { int x; constexpr point(int v) : x(v) {} };
constexpr int square(int x) { return x * x; }
__device__ int good = square(4), better = int(3);
__device__ point p = point(3);
__global__ void show() { printf("%d %d %d\n", good, better, p.x); }
int main() { show<<<1, 1>>>(); return cudaDeviceSynchronize(); }
C
$weftcc good.cu -o good && ./good
