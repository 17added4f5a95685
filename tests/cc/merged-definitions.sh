# SPDX-License-Identifier: Apache-2.0
# A function declared for the device and defined with nothing said, a member
# the other way round: nvcc makes them functions of both sides.
cat > a.cu <<'C'
#include <algorithm>
#include <cstdio>

struct tool {
    int v;
    __device__ tool();
    static __device__ int less(int);
    int same(int);
    __device__ int more(int) const;
};
tool::tool() : v(100) {}
int tool::less(int x) { return x - 1; }
__device__ int tool::same(int x) { return x; }
int tool::more(int x) const { return x + v; }

__device__ int plain(int);
namespace inner {
__device__ float half_of(float);
static __device__ int hidden(int);
}
int plain(int x) { return 2 * x; }
float inner::half_of(float x) { return std::max(x, 8.f) / 2; }
int inner::hidden(int x) { return x * 3; }

__global__ void kernel(int *out)
{
    tool t;
    out[0] = plain(1);
    out[1] = tool::less(10) + t.same(20) + t.more(30);
    out[2] = (int)inner::half_of(4);
    out[3] = inner::hidden(5);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 4 * sizeof *out);
    kernel<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d, %d\n", out[0], out[1], out[2], out[3], plain(7));
    return 0;
}
C
$weftcc a.cu -o a && ./a
$weftcc -gencode arch=compute_70,code=sm_70 -gencode arch=compute_80,code=sm_80 \
    a.cu -o a && ./a
# What is defined nowhere stays an error, and so does a member that differs in
# more than that; both are said in the file's own words.
cat > b.cu <<'C'
__device__ int plain(int);
__device__ int nowhere(int);
int plain(int x) { return x; }
__global__ void kernel(int *p) { *p = plain(*p) + nowhere(*p); }
C
$weftcc -c b.cu || echo "status $?"
cat > c.cu <<'C'
struct tool {
    __device__ int less(int) const;
};
int tool::less(int x) { return x - 1; }
__global__ void shared_object()
{
    struct counted {
        int n;
        __device__ counted() : n(1) {}
    };
    __shared__ counted a, b;
    a.n = b.n = 2;
}
C
$weftcc -c c.cu || echo "status $?"
