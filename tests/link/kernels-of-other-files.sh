# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# A kernel launches one that another file defines; calling it as a function is
# an error of the link.
cat >parent.cu <<'C'
#include <cstdio>
struct pair {
    int a;
    double b;
};
extern __global__ void child(int *out, pair p);
__global__ void parent(int *out)
{
    child<<<2, 3>>>(out, pair{4, 5.0});
}
int main()
{
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    *out = 0;
    parent<<<1, 2>>>(out);
    int status = cudaDeviceSynchronize();
    printf("%d: %d\n", status, *out);
}
C
cat >child.cu <<'C'
struct pair {
    int a;
    double b;
};
__global__ void child(int *out, pair p)
{
    atomicAdd(out, p.a + (int)p.b);
}
C
cat >caller.cu <<'C'
struct pair;
extern "C" __device__ void _Z5childPi4pair(int *out, double a, double b);
__global__ void caller(int *out)
{
    _Z5childPi4pair(out, 1, 2);
}
C
$weftcc -rdc=true parent.cu child.cu -o program -lcudadevrt && ./program
$weftcc -rdc=true -c caller.cu child.cu
$weftcc -dlink caller.o child.o -o link.o 2>&1
echo "status $?"
