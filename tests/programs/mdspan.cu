// SPDX-License-Identifier: Apache-2.0
//
// cuda::std::mdspan in kernels: three layouts, extents that are known or not.
#include <cuda/std/mdspan>

#include "check.h"

namespace cs = cuda::std;
using rows = cs::mdspan<float, cs::dextents<int, 2>>;
using columns = cs::mdspan<float, cs::extents<int, 4, cs::dynamic_extent>,
                           cs::layout_left>;

__global__ void fill(rows m, columns c, float *out)
{
    int i = threadIdx.x / 8, j = threadIdx.x % 8;
    m(i, j) = i * 10 + j;
    if (i < 4)
        c(i, j) = m(i, j);
    __syncthreads();
    if (threadIdx.x)
        return;
    out[0] = m.extent(0) * 100 + m.extent(1);
    out[1] = m.size() + columns::static_extent(0) + c.extent(1) +
             rows::rank() + c.stride(1) + c.mapping().required_span_size();
    cs::layout_stride::mapping<cs::dextents<int, 2>> apart(
        cs::dextents<int, 2>(2, 2), cs::array<int, 2>{8, 2});
    cs::mdspan<float, cs::dextents<int, 2>, cs::layout_stride> some(
        m.data_handle(), apart);
    out[2] = some(1, 1);
    cs::mdspan deep(m.data_handle(), 2, 3, 4);
    out[3] = deep.rank() * 10 + deep.extent(2);
    cs::mdspan<const float, cs::dextents<int, 2>> view(m);
    out[4] = view(1, 2);
}

int main()
{
    buffer<float> a(64), b(64), out(8);
    fill<<<1, 64>>>(rows(a.device, 8, 8), columns(b.device, 8), out.device);
    a.download();
    b.download();
    out.download();
    EXPECT_EQ(a[19], 23);
    EXPECT_EQ(b[3 + 2 * 4], 32);
    EXPECT_EQ(out[0], 808);
    EXPECT_EQ(out[1], 64 + 4 + 8 + 2 + 4 + 32);
    EXPECT_EQ(out[2], 12);
    EXPECT_EQ(out[3], 34);
    EXPECT_EQ(out[4], 12);
    rows here(a.host.data(), 8, 8);
    EXPECT_EQ(here(2, 3), 23);
    return finish();
}
