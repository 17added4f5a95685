// SPDX-License-Identifier: Apache-2.0
//
// "Device Memory L2 Access Management": a part of the cache set aside, a stream
// that is told which memory to keep there, an empty window and a reset at the
// end. Wishes: what kernels compute is the same.
#include "../check.h"

__global__ void add_to(float *data, size_t n, float value)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += blockDim.x * gridDim.x)
        data[i] += value;
}

static cudaDeviceProp prop;

static void set_aside()
{
    CHECK(cudaGetDeviceProperties(&prop, 0));
    EXPECT(prop.l2CacheSize > 0 && prop.persistingL2CacheMaxSize > 0 &&
           prop.accessPolicyMaxWindowSize > 0);
    size_t size =
        min(int(prop.l2CacheSize * 0.75), prop.persistingL2CacheMaxSize);
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, size));
    size_t now = 0;
    CHECK(cudaDeviceGetLimit(&now, cudaLimitPersistingL2CacheSize));
    EXPECT_EQ(now, size);
}

static cudaStreamAttrValue window_over(void *base, size_t bytes, float ratio)
{
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = base;
    value.accessPolicyWindow.num_bytes = bytes;
    value.accessPolicyWindow.hitRatio = ratio;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    return value;
}

static void set_window(cudaStream_t stream, cudaStreamAttrValue &value)
{
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow,
                                 &value));
    cudaStreamAttrValue back;
    CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow,
                                 &back));
    EXPECT(back.accessPolicyWindow.num_bytes ==
               value.accessPolicyWindow.num_bytes &&
           back.accessPolicyWindow.hitRatio ==
               value.accessPolicyWindow.hitRatio &&
           back.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
}

static void whole_life()
{
    const size_t n = 10000;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    buffer<float> data1(n, 0), data2(n, 0);
    size_t bytes = min(prop.accessPolicyMaxWindowSize, (int)(n * 4));
    cudaStreamAttrValue value = window_over(data1.device, bytes, 0.6f);
    set_window(stream, value);
    for (int i = 0; i < 10; i++)
        add_to<<<4, 128, 0, stream>>>(data1.device, n, 1);
    add_to<<<4, 128, 0, stream>>>(data1.device, n, 2);

    // No window any more, and all of the cache back to normal.
    value.accessPolicyWindow.num_bytes = 0;
    set_window(stream, value);
    CHECK(cudaCtxResetPersistingL2Cache());
    add_to<<<4, 128, 0, stream>>>(data2.device, n, 5);
    data1.download();
    data2.download();
    for (size_t i = 0; i < n; i++)
        EXPECT(data1[i] == 12 && data2[i] == 5);
    CHECK(cudaStreamDestroy(stream));
}

int main()
{
    set_aside();
    whole_life();
    return finish();
}
