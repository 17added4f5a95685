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
# Launch bounds of what is no kernel, as with nvcc.
cat > bounds.cu <<'C'
__launch_bounds__(128) __device__ int f() { return 1; }
template <class T> __device__ __launch_bounds__(64) T g(T x) { return x; }
struct s {
    static __device__ __launch_bounds__(64) void h() {}
};
__launch_bounds__(32) void host() {}
__global__ void k(int *p);
__launch_bounds__(64, 2) __global__ void k(int *p) { *p = f(); }
C
$weftcc -c bounds.cu 2>&1 | grep error:
