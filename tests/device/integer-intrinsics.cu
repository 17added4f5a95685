// SPDX-License-Identifier: Apache-2.0
// Integer and bit intrinsics on a few telling operands.
#include <cstdio>

__global__ void bits(const unsigned *x, long long *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    unsigned a = x[i], b = x[(i + 1) % n], c = x[(i + 2) % n];
    unsigned long long w = (unsigned long long)a << 32 | b;
    long long *o = out + i * 32;
    *o++ = __popc(a);
    *o++ = __popcll(w);
    *o++ = __clz((int)a);
    *o++ = __clzll((long long)w);
    *o++ = __ffs((int)a);
    *o++ = __ffsll((long long)w);
    *o++ = __brev(a);
    *o++ = (long long)__brevll(w);
    *o++ = __byte_perm(a, b, 0x7421);
    *o++ = __byte_perm(a, b, 0xffff);
    *o++ = __mulhi((int)a, (int)b);
    *o++ = __umulhi(a, b);
    *o++ = __mul64hi((long long)w, (long long)~w);
    *o++ = (long long)__umul64hi(w, ~w);
    *o++ = __mul24((int)a, (int)b);
    *o++ = __umul24(a, b);
    *o++ = __sad((int)a, (int)b, c);
    *o++ = __usad(a, b, c);
    *o++ = __hadd((int)a, (int)b);
    *o++ = __rhadd((int)a, (int)b);
    *o++ = __uhadd(a, b);
    *o++ = __urhadd(a, b);
    *o++ = __funnelshift_l(a, b, c);
    *o++ = __funnelshift_r(a, b, c);
    *o++ = __funnelshift_lc(a, b, c);
    *o++ = __funnelshift_rc(a, b, c);
    *o++ = __dp4a((int)a, (int)b, (int)c);
    *o++ = __dp4a(a, b, c);
    *o++ = __dp2a_lo((int)a, (int)b, (int)c);
    *o++ = __dp2a_hi(a, b, c);
    *o++ = min((int)a, (int)b);
    *o++ = max(a, b);
}

__global__ void packed(const unsigned *x, unsigned *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    unsigned a = x[i], b = x[(i + 1) % n];
    unsigned *o = out + i * 24;
    *o++ = __vadd4(a, b);
    *o++ = __vadd2(a, b);
    *o++ = __vaddss4(a, b);
    *o++ = __vaddus2(a, b);
    *o++ = __vsub4(a, b);
    *o++ = __vsubss2(a, b);
    *o++ = __vsubus4(a, b);
    *o++ = __vabsdiffu4(a, b);
    *o++ = __vabsdiffs2(a, b);
    *o++ = __vmaxs4(a, b);
    *o++ = __vmaxu2(a, b);
    *o++ = __vmins2(a, b);
    *o++ = __vminu4(a, b);
    *o++ = __vcmpeq4(a, b);
    *o++ = __vcmpgts2(a, b);
    *o++ = __vcmpleu4(a, b);
    *o++ = __vcmpne2(a, b);
    *o++ = __vseteq4(a, b);
    *o++ = __vsetltu2(a, b);
    *o++ = __vavgu4(a, b);
    *o++ = __vhaddu4(a, b);
    *o++ = __vsadu4(a, b);
    *o++ = __vneg4(a);
    *o++ = __vabsss4(a);
}

int main()
{
    const unsigned x[] = { 0u, 1u, 0x80000000u, 0xffffffffu, 0x12345678u,
                           0x7fffffffu, 0x00ff8001u };
    const int n = sizeof x / sizeof *x;
    unsigned *d, *p, hp[n * 24];
    long long *o, ho[n * 32];
    cudaMalloc(&d, sizeof x);
    cudaMalloc(&o, sizeof ho);
    cudaMalloc(&p, sizeof hp);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    bits<<<1, 32>>>(d, o, n);
    packed<<<1, 32>>>(d, p, n);
    cudaMemcpy(ho, o, sizeof ho, cudaMemcpyDeviceToHost);
    cudaMemcpy(hp, p, sizeof hp, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        printf("%08x:", x[i]);
        for (int k = 0; k < 32; k++)
            printf(" %llx", ho[i * 32 + k]);
        printf("\n  packed");
        for (int k = 0; k < 24; k++)
            printf(" %x", hp[i * 24 + k]);
        printf("\n");
    }
    return cudaDeviceSynchronize();
}
