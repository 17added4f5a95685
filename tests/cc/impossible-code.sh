# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# What device code cannot have is said in a line, without clang's own stack.
refuse()
{
    cat > x.cu
    $weftcc -c x.cu
    echo "status $?"
}
refuse <<'C'
__global__ void k(int *p) { static thread_local int x; *p = x++; }
C
refuse <<'C'
struct base { __device__ virtual int f() { return 1; } };
struct derived : base { __device__ int f() override { return 2; } };
__global__ void k(int *p, base *b) { *p = dynamic_cast<derived *>(b) != 0; }
C
refuse <<'C'
#include <string>
__global__ void k(int *p) { std::string s("no"); *p = 1; }
C
[ ! -e x.o ]
