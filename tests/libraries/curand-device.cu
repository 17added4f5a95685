// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 -lcurand
// The device API: bits that an H200 gives; normals to three digits.
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cstdio>

struct numbers {
    unsigned long long bits[3], poisson[3];
    unsigned uniform, uniform_double[2];
    float normal[2];
};

template <class S>
__device__ void draw(S *s, numbers *n)
{
    n->bits[0] = curand(s);
    n->uniform = __float_as_uint(curand_uniform(s));
    unsigned long long d = __double_as_longlong(curand_uniform_double(s));
    n->uniform_double[0] = (unsigned)d, n->uniform_double[1] = d >> 32;
    n->normal[0] = curand_normal(s);
    n->normal[1] = curand_normal(s);
    n->bits[1] = curand(s);
}

template <class S>
__global__ void pseudo(numbers *n, unsigned long long offset)
{
    S s;
    curand_init(1234, blockIdx.x * 4095, offset, &s);
    draw(&s, n + blockIdx.x);
    skipahead(1000003, &s);
    skipahead_sequence(77777, &s);
    n[blockIdx.x].bits[2] = curand(&s);
}

__global__ void poissons(numbers *n, curandDiscreteDistribution_t d)
{
    curandStatePhilox4_32_10_t s;
    curand_init(1234, threadIdx.x, 0, &s);
    n[threadIdx.x].poisson[0] = curand_poisson(&s, 20.);
    n[threadIdx.x].poisson[1] = curand_poisson(&s, 100.);
    n[threadIdx.x].poisson[2] = curand_discrete(&s, d);
}

__global__ void sobol(numbers *n, unsigned *v)
{
    curandStateSobol32_t s;
    curand_init(v + 32 * blockIdx.x, 1000003u, &s);
    draw(&s, n + blockIdx.x);
    skipahead(1000u, &s);
    n[blockIdx.x].bits[2] = curand(&s);
}

__global__ void twister(curandStateMtgp32_t *s, numbers *n)
{
    unsigned bits = curand(s + blockIdx.x);
    float uniform = curand_uniform(s + blockIdx.x);
    unsigned second = curand(s + blockIdx.x);
    if (threadIdx.x == 63) {
        n[blockIdx.x].bits[0] = bits;
        n[blockIdx.x].uniform = __float_as_uint(uniform);
        n[blockIdx.x].bits[1] = second;
    }
}

static void print(const char *name, numbers *n)
{
    printf("%s: %d\n", name, cudaDeviceSynchronize());
    for (int i = 0; i < 2; i++, n++) {
        printf("  %08llx %08llx %08llx %08x %08x%08x %.3f %.3f %llu %llu %llu\n",
               n->bits[0], n->bits[1], n->bits[2], n->uniform,
               n->uniform_double[1], n->uniform_double[0], n->normal[0],
               n->normal[1], n->poisson[0], n->poisson[1], n->poisson[2]);
        *n = numbers();
    }
}

int main()
{
    numbers *n;
    cudaMallocManaged(&n, 2 * sizeof *n);
    cudaMemset(n, 0, 2 * sizeof *n);
    pseudo<curandStateXORWOW_t><<<2, 1>>>(n, 7);
    print("XORWOW", n);
    pseudo<curandStateMRG32k3a_t><<<2, 1>>>(n, 7);
    print("MRG32k3a", n);
    pseudo<curandStatePhilox4_32_10_t><<<2, 1>>>(n, 7);
    print("Philox", n);

    curandDiscreteDistribution_t d;
    curandCreatePoissonDistribution(30, &d);
    poissons<<<1, 2>>>(n, d);
    print("Poisson", n);

    curandDirectionVectors32_t *v;
    unsigned *vectors;
    curandGetDirectionVectors32(&v, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    cudaMalloc(&vectors, 2 * sizeof *v);
    cudaMemcpy(vectors, v[999], 2 * sizeof *v, cudaMemcpyDefault);
    sobol<<<2, 1>>>(n, vectors);
    print("Sobol'", n);

    curandStateMtgp32_t *s;
    mtgp32_kernel_params_t *k;
    cudaMalloc(&s, 2 * sizeof *s);
    cudaMalloc(&k, sizeof *k);
    curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, k);
    curandMakeMTGP32KernelState(s, mtgp32dc_params_fast_11213, k, 2, 1234);
    twister<<<2, 64>>>(s, n);
    print("MTGP32", n);
}
