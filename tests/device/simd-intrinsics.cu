// SPDX-License-Identifier: Apache-2.0
// The intrinsics on bytes and halfwords: for each a hash of its results for
// 4096 pairs of words, many of them with lanes at the ends of their range.
#include <cstdio>

#define EACH_FUNCTION(ROW)                                                     \
    ROW(__vadd2, (a, b)) \
    ROW(__vadd4, (a, b)) \
    ROW(__vaddss2, (a, b)) \
    ROW(__vaddss4, (a, b)) \
    ROW(__vaddus2, (a, b)) \
    ROW(__vaddus4, (a, b)) \
    ROW(__vsub2, (a, b)) \
    ROW(__vsub4, (a, b)) \
    ROW(__vsubss2, (a, b)) \
    ROW(__vsubss4, (a, b)) \
    ROW(__vsubus2, (a, b)) \
    ROW(__vsubus4, (a, b)) \
    ROW(__vabsdiffs2, (a, b)) \
    ROW(__vabsdiffs4, (a, b)) \
    ROW(__vabsdiffu2, (a, b)) \
    ROW(__vabsdiffu4, (a, b)) \
    ROW(__vavgs2, (a, b)) \
    ROW(__vavgs4, (a, b)) \
    ROW(__vavgu2, (a, b)) \
    ROW(__vavgu4, (a, b)) \
    ROW(__vhaddu2, (a, b)) \
    ROW(__vhaddu4, (a, b)) \
    ROW(__vmaxs2, (a, b)) \
    ROW(__vmaxs4, (a, b)) \
    ROW(__vmaxu2, (a, b)) \
    ROW(__vmaxu4, (a, b)) \
    ROW(__vmins2, (a, b)) \
    ROW(__vmins4, (a, b)) \
    ROW(__vminu2, (a, b)) \
    ROW(__vminu4, (a, b)) \
    ROW(__vcmpeq2, (a, b)) \
    ROW(__vcmpeq4, (a, b)) \
    ROW(__vcmpne2, (a, b)) \
    ROW(__vcmpne4, (a, b)) \
    ROW(__vcmpges2, (a, b)) \
    ROW(__vcmpges4, (a, b)) \
    ROW(__vcmpgeu2, (a, b)) \
    ROW(__vcmpgeu4, (a, b)) \
    ROW(__vcmpgts2, (a, b)) \
    ROW(__vcmpgts4, (a, b)) \
    ROW(__vcmpgtu2, (a, b)) \
    ROW(__vcmpgtu4, (a, b)) \
    ROW(__vcmples2, (a, b)) \
    ROW(__vcmples4, (a, b)) \
    ROW(__vcmpleu2, (a, b)) \
    ROW(__vcmpleu4, (a, b)) \
    ROW(__vcmplts2, (a, b)) \
    ROW(__vcmplts4, (a, b)) \
    ROW(__vcmpltu2, (a, b)) \
    ROW(__vcmpltu4, (a, b)) \
    ROW(__vseteq2, (a, b)) \
    ROW(__vseteq4, (a, b)) \
    ROW(__vsetne2, (a, b)) \
    ROW(__vsetne4, (a, b)) \
    ROW(__vsetges2, (a, b)) \
    ROW(__vsetges4, (a, b)) \
    ROW(__vsetgeu2, (a, b)) \
    ROW(__vsetgeu4, (a, b)) \
    ROW(__vsetgts2, (a, b)) \
    ROW(__vsetgts4, (a, b)) \
    ROW(__vsetgtu2, (a, b)) \
    ROW(__vsetgtu4, (a, b)) \
    ROW(__vsetles2, (a, b)) \
    ROW(__vsetles4, (a, b)) \
    ROW(__vsetleu2, (a, b)) \
    ROW(__vsetleu4, (a, b)) \
    ROW(__vsetlts2, (a, b)) \
    ROW(__vsetlts4, (a, b)) \
    ROW(__vsetltu2, (a, b)) \
    ROW(__vsetltu4, (a, b)) \
    ROW(__vsads2, (a, b)) \
    ROW(__vsads4, (a, b)) \
    ROW(__vsadu2, (a, b)) \
    ROW(__vsadu4, (a, b)) \
    ROW(__vabs2, (a)) \
    ROW(__vabs4, (a)) \
    ROW(__vabsss2, (a)) \
    ROW(__vabsss4, (a)) \
    ROW(__vneg2, (a)) \
    ROW(__vneg4, (a)) \
    ROW(__vnegss2, (a)) \
    ROW(__vnegss4, (a))

__device__ unsigned int word_of(unsigned int i)
{
    unsigned int v = i * 2654435761u;
    v ^= v >> 15;
    v *= 2246822519u;
    v ^= v >> 13;
    return i % 3 == 0 ? v & 0x80ff7f01u : i % 3 == 1 ? v | 0x7f80ff00u : v;
}

__global__ void hash_all(unsigned int *out)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int a = word_of(i), b = word_of(i * 7 + 3), k = 0;
#define ROW(name, operands)                                                    \
    atomicXor(&out[k++], (name operands) * (2 * i + 1));
    EACH_FUNCTION(ROW)
#undef ROW
}

static const char *const names[] = {
#define ROW(name, operands) #name,
    EACH_FUNCTION(ROW)
#undef ROW
};

int main()
{
    const int n = sizeof names / sizeof *names;
    unsigned int *out, h[n];
    cudaMalloc(&out, sizeof h);
    cudaMemset(out, 0, sizeof h);
    hash_all<<<32, 128>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int k = 0; k < n; k++)
        printf("%-14s %08x\n", names[k], h[k]);
    return cudaDeviceSynchronize();
}
