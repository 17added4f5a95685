# SPDX-License-Identifier: Apache-2.0
# Device code cannot write to __constant__ variables; what only looks like it
# can be compiled.
cat > bad.cu <<'C'
struct pair { int a, b; };
__constant__ int c, numbers[4];
__constant__ pair p;
__constant__ float *pointer;
__device__ void f(int i)
{
    numbers[i] = 1;
}
__global__ void k(int i)
{
    p.a += 2;
    ++c;
    pointer[i] = 3; // not constant itself
    f(i);
}
int main() { return 0; }
C
$weftcc -c bad.cu
echo "status $?"
# Behind what has quotes of other kinds.
cat > quotes.cu <<'C'
__constant__ int c;
__global__ void number(int *p)
{
    if (*p == 0xAB'CD) {
        *p = 1;
    }
    c = 1;
}
__global__ void text(const char **p)
{
    *p = R"(a " quote
        }
)" u8R"--(one "more} )" )--";
    c = 2;
}
int main() { return 0; }
C
$weftcc -c quotes.cu
echo "status $?"
cat > good.cu <<'C'
#include <cstdio>
__constant__ int c;
static __constant__ int numbers[4] = {1, 2, 3, 4};
__constant__ int *pointer;
__device__ int shadow(int c) // c = 1
{
    c = c + numbers[0];
    return c == 3;
}
__global__ void k()
{
    // One who reads __constant__ memory
    // is a reader (of it).
    int numbers[2]; /* no __constant__ */ int more[2];
    more[0] = 1;
    numbers[1] = c == 5 && more[0];
    pointer[0] = shadow(2) + numbers[1];
    if (numbers[1]) { const char *text = "c = 3"; (void)text; }
}
int main()
{
    int *p, five = 5;
    cudaMalloc(&p, sizeof *p);
    cudaMemcpyToSymbol(pointer, &p, sizeof p);
    cudaMemcpyToSymbol(c, &five, sizeof five);
    k<<<1, 1>>>();
    int out;
    cudaMemcpy(&out, p, sizeof out, cudaMemcpyDeviceToHost);
    printf("%d\n", out);
    return 0;
}
C
$weftcc good.cu -o good && ./good
