// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// A box whose first coordinate is no multiple of 16 bytes is an illegal
// instruction.
#include "sticky.h"

#include <cudaTypedefs.h>

__global__ void unaligned(int *out, long long where)
{
    __shared__ alignas(128) int box[64];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) {
        unsigned barrier = (unsigned)__cvta_generic_to_shared(&bar);
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier)
                     : "memory");
        asm volatile(
            "cp.async.bulk.tensor.1d.shared::cluster.global.tile."
            "mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
                (unsigned)__cvta_generic_to_shared(box)),
            "l"(where), "r"(3), "r"(barrier)
            : "memory");
    }
    __syncthreads();
    for (int i = 0; i < 100; i++)
        __nanosleep(1000);
    *out = box[threadIdx.x];
}

int main()
{
    PFN_cuTensorMapEncodeTiled_v12000 encode;
    cudaDriverEntryPointQueryResult status;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled",
                                           (void **)&encode, 12000,
                                           cudaEnableDefault, &status));
    buffer<int> tensor(256);
    buffer<CUtensorMap> map(1, 0);
    cuuint64_t dim = 256, stride = 0;
    cuuint32_t box = 64, step = 1;
    EXPECT_EQ(encode(&map[0], CU_TENSOR_MAP_DATA_TYPE_INT32, 1, tensor.device,
                     &dim, &stride, &box, &step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                     CU_TENSOR_MAP_SWIZZLE_NONE,
                     CU_TENSOR_MAP_L2_PROMOTION_NONE,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
              0);
    map.upload();
    return expect_sticky(unaligned, (long long)map.device,
                         cudaErrorIllegalInstruction, 715);
}
