/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ground that cuda/atomic and its like stand on has a namespace of its own,
 * since cooperative_groups.h stands on it too, and a program may have NVIDIA's
 * own cuda/atomic. These are its names in ours.
 */
#ifndef WEFT_CUDA_NAMES_H
#define WEFT_CUDA_NAMES_H

namespace cuda
{
namespace detail
{
using namespace ::weft_cuda::detail;
}
using namespace ::weft_cuda;
} // namespace cuda

#endif
