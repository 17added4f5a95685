// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// Sizes of clusters that a launch may not have, attributes of kernels about
// them, and how many there may be. Codes are those of an H200.
#include "check.h"

__global__ void plain(int *p)
{
    if (p)
        *p = 1;
}
__global__ void __cluster_dims__(2, 1, 1) two(int *p)
{
    if (p)
        *p = 1;
}
__global__ void __cluster_dims__(16) sixteen(int *p)
{
    if (p)
        *p = 1;
}
__global__ void __launch_bounds__(128, 1, 4) bounded(int *p)
{
    if (p)
        *p = 1;
}

struct launch {
    cudaLaunchAttribute at = {};
    cudaLaunchConfig_t config = {};
    launch(dim3 grid, dim3 cluster)
    {
        at.id = cudaLaunchAttributeClusterDimension;
        at.val.clusterDim.x = cluster.x;
        at.val.clusterDim.y = cluster.y;
        at.val.clusterDim.z = cluster.z;
        config.gridDim = grid;
        config.blockDim = 32;
        config.attrs = &at;
        config.numAttrs = 1;
    }
    explicit launch(dim3 grid) : launch(grid, 1)
    {
        config.numAttrs = 0;
    }
    cudaError_t operator()(void (*kernel)(int *))
    {
        return cudaLaunchKernelEx(&config, kernel, (int *)nullptr);
    }
};

const cudaError_t bad_size = cudaErrorInvalidClusterSize;

static void sizes()
{
    EXPECT_ERROR(launch(4, 2)(plain), cudaSuccess);
    EXPECT_ERROR(launch(7, 7)(plain), cudaSuccess);
    EXPECT_ERROR(launch(4, dim3(0, 0, 0))(plain), cudaSuccess);
    EXPECT_ERROR(launch(4, 3)(plain), bad_size);
    EXPECT_ERROR(launch(4, dim3(2, 0, 0))(plain), bad_size);
    EXPECT_ERROR(launch(4, dim3(2, 2, 1))(plain), bad_size);
    EXPECT_ERROR(launch(9, 9)(plain), bad_size);
    EXPECT_ERROR(launch(16, 16)(plain), bad_size);
    CHECK(cudaFuncSetAttribute(
        plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    EXPECT_ERROR(launch(16, 16)(plain), cudaSuccess);
    EXPECT_ERROR(launch(32, 32)(plain), bad_size);
    CHECK(cudaFuncSetAttribute(
        plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
    EXPECT_ERROR(launch(8, 4)(bounded), cudaSuccess);
    EXPECT_ERROR(launch(8, 8)(bounded), bad_size);
}

static void required()
{
    EXPECT_ERROR(launch(4)(two), cudaSuccess);
    EXPECT_ERROR(launch(4, 2)(two), cudaSuccess);
    EXPECT_ERROR(launch(4, 4)(two), bad_size);
    EXPECT_ERROR(launch(4, 1)(two), bad_size);
    EXPECT_ERROR(launch(3)(two), bad_size);
    two<<<3, 32>>>(nullptr);
    EXPECT_EQ(cudaGetLastError(), bad_size);
    EXPECT_ERROR(launch(16)(sixteen), bad_size);
    CHECK(cudaFuncSetAttribute(
        sixteen, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    EXPECT_ERROR(launch(16)(sixteen), cudaSuccess);

    EXPECT_ERROR(
        cudaFuncSetAttribute(two, cudaFuncAttributeRequiredClusterWidth, 4),
        cudaErrorInvalidValue);
    CHECK(
        cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 4));
    EXPECT_ERROR(launch(4)(plain), bad_size); // all three, or none
    CHECK(
        cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterHeight, 1));
    CHECK(
        cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterDepth, 1));
    EXPECT_ERROR(launch(8)(plain), cudaSuccess);
    EXPECT_ERROR(launch(6)(plain), bad_size);
    EXPECT_ERROR(launch(8, 2)(plain), bad_size);
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, plain));
    EXPECT_EQ(a.requiredClusterWidth, 4);
    EXPECT_EQ(a.requiredClusterDepth, 1);
    for (int i = cudaFuncAttributeRequiredClusterWidth;
         i <= cudaFuncAttributeRequiredClusterDepth; i++) {
        EXPECT_ERROR(cudaFuncSetAttribute(plain, (cudaFuncAttribute)i, -1),
                     cudaErrorInvalidValue);
        CHECK(cudaFuncSetAttribute(plain, (cudaFuncAttribute)i, 0));
    }
    CHECK(cudaFuncSetAttribute(
        plain, cudaFuncAttributeClusterSchedulingPolicyPreference, 1));
    EXPECT_ERROR(
        cudaFuncSetAttribute(
            plain, cudaFuncAttributeClusterSchedulingPolicyPreference, 7),
        cudaErrorInvalidValue);
    EXPECT_ERROR(
        cudaFuncSetAttribute(plain, cudaFuncAttributeClusterDimMustBeSet, 1),
        cudaErrorInvalidValue);
}

static void occupancy()
{
    int n = 0;
    launch four(8, 4), three(8, 3), nine(18, 9);
    EXPECT_ERROR(cudaOccupancyMaxPotentialClusterSize(&n, plain, &nine.config),
                 bad_size);
    for (dim3 size : {dim3(65536, 65536, 1), dim3(0, 2, 2), dim3(2, 0, 1)}) {
        launch odd(8, size);
        EXPECT_ERROR(
            cudaOccupancyMaxPotentialClusterSize(&n, plain, &odd.config),
            bad_size);
    }
    CHECK(cudaOccupancyMaxPotentialClusterSize(&n, plain, &four.config));
    EXPECT_EQ(n, 8);
    CHECK(cudaOccupancyMaxActiveClusters(&n, plain, &four.config));
    EXPECT(n >= 1);
    EXPECT_ERROR(cudaOccupancyMaxActiveClusters(&n, plain, &three.config),
                 bad_size);
    CHECK(cudaFuncSetAttribute(
        plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaOccupancyMaxPotentialClusterSize(&n, plain, &four.config));
    EXPECT_EQ(n, 16);
    EXPECT_ERROR(cudaOccupancyMaxPotentialClusterSize(&n, plain, nullptr),
                 cudaErrorInvalidValue);
}

int main()
{
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    EXPECT_EQ(p.major, 9);
    EXPECT_EQ(p.clusterLaunch, 1);
    EXPECT_EQ(p.sharedMemPerBlockOptin, 227 * 1024);
    sizes();
    required();
    occupancy();
    CHECK(cudaDeviceSynchronize());
    return finish();
}
