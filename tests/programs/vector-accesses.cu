// SPDX-License-Identifier: Apache-2.0
//
// Four words at once for each lane, at addresses without any order: all lanes,
// some of them, words of every type, global and shared memory.
#include "check.h"

const int count = 256;

__device__ static void load(unsigned (&v)[4], const unsigned *p)
{
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "l"(p));
}

__device__ static void store(float *p, const float (&v)[4])
{
    asm volatile("st.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(p), "f"(v[0]),
                 "f"(v[1]), "f"(v[2]), "f"(v[3])
                 : "memory");
}

// Thread i takes the words of element from[i] and puts them to element to[i].
__global__ void scatter(const unsigned *in, float *out, const int *from,
                        const int *to, unsigned lanes)
{
    __shared__ __attribute__((aligned(16))) float kept[4 * count];
    int i = threadIdx.x;

    if (!(lanes >> i % 32 & 1))
        return;
    unsigned v[4];
    float f[4];
    load(v, in + 4 * from[i]);
    for (int j = 0; j < 4; j++)
        f[j] = (float)v[j];
    store(kept + 4 * to[i], f);
    for (int j = 0; j < 4; j++)
        f[j] = kept[4 * to[i] + j] + 0.5f;
    store(out + 4 * to[i], f);
}

// What is aligned for words only; hardware refuses it in every window.
__global__ void unaligned(unsigned *out)
{
    unsigned got[4];
    asm volatile("{ .local .align 16 .b8 room[64];\n"
                 ".reg .b64 at;\n"
                 "mov.u64 at, room;\n"
                 "st.local.v4.u32 [at+4], {%4, %5, %6, %7};\n"
                 "ld.local.v4.u32 {%0, %1, %2, %3}, [at+4]; }"
                 : "=r"(got[0]), "=r"(got[1]), "=r"(got[2]), "=r"(got[3])
                 : "r"(threadIdx.x), "r"(threadIdx.x * 3),
                   "r"(threadIdx.x ^ 7), "r"(~threadIdx.x));
    for (int i = 0; i < 4; i++)
        out[threadIdx.x * 4 + i] = got[i];
}

static void check_unaligned()
{
    unsigned *out;
    CHECK(cudaMalloc(&out, 4 * 4 * 40));
    unaligned<<<1, 40>>>(out);
    EXPECT(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
    CHECK(cudaDeviceReset()); // frees all
    (void)cudaGetLastError();
}

static void check(const char *name, int factor, unsigned lanes)
{
    buffer<unsigned> in(4 * count);
    buffer<float> out(4 * count);
    buffer<int> from(count), to(count);
    std::vector<float> want(4 * count, -1.0f);

    for (int i = 0; i < count; i++) {
        from[i] = i * factor % count;
        to[i] = (int)(i * 5u + 3) % count;
        for (int j = 0; j < 4; j++) {
            in[4 * i + j] = 10 * i + j;
            out[4 * i + j] = -1.0f;
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 4; j++)
            if (lanes >> i % 32 & 1)
                want[4 * to[i] + j] = 10.0f * from[i] + j + 0.5f;
    in.upload();
    out.upload();
    from.upload();
    to.upload();
    scatter<<<1, count>>>(in.device, out.device, from.device, to.device, lanes);
    out.download();
    expect_same(name, out, want);
}

int main()
{
    check_unaligned();
    check("all lanes", 77, 0xffffffffu);
    check("some lanes", 77, 0x80f01235u);
    check("one lane", 7, 0x00000100u);
    check("all from one place", 0, 0xffffffffu);
    return finish();
}
