# SPDX-License-Identifier: Apache-2.0
# Programs for toolkits without texture and surface references have their own
# names of these; older ones have the references.
try() { # NAME, source on stdin
    cat > $1.cu
    $weftcc $1.cu -o $1 && ./$1 && echo $1
}
main='int main() { return 0; }'
try variable <<C
cudaTextureObject_t texture;
static __device__ float surface[32];
__global__ void k(float *p, cudaTextureObject_t t)
{
    *p = tex2D<float>(t, 1, 1) + surface[3];
}
$main
C
try class <<C
#include <vector>
struct texture { std::vector<int> v; cudaTextureObject_t t; };
class surface { texture t; };
int main() { texture t; t.v.push_back(1); surface s; (void)s; return t.v[0] - 1; }
C
try template <<C
template <class T> struct texture { T a; };
__global__ void k(texture<int> t, int *p) { *p = t.a; }
$main
C
try space <<C
namespace texture { __device__ int a; }
namespace surface { static int b; }
__global__ void k() { texture::a = 3; }
int main() { return surface::b; }
C
# Only the host's part has it.
try host <<C
#ifndef __CUDA_ARCH__
static int texture() { return 0; }
int main() { return texture(); }
#endif
__global__ void k() {}
C
# Both: a name of its own in a block, and a reference.
try reference <<C
texture<float, 2> t;
surface<void, 2> s;
__global__ void k(float *p)
{
    int texture = 1;
    *p = tex2D(t, texture, 1);
}
$main
C
# What is wrong stays wrong, with the messages of the source.
echo 'int texture = unknown;' > wrong.cu
$weftcc wrong.cu -o wrong 2>&1 | grep error: | cut -d: -f4-
