/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The copies of cuda::memcpy_async and of cooperative_groups::memcpy_async.
 * They are made at once by the threads that ask for them, so that they have
 * ended before anything that waits for them can begin to wait.
 */
#ifndef WEFT_GROUP_COPY_H
#define WEFT_GROUP_COPY_H

#include "../cuda_runtime.h"
#include <cstddef>

namespace weft_cuda
{

/* A size that is known to be a multiple of an alignment that both addresses
 * have too. */
template <::std::size_t Alignment> struct aligned_size_t {
    static constexpr ::std::size_t align = Alignment;
    ::std::size_t value;
    __host__ __device__ constexpr explicit aligned_size_t(::std::size_t bytes)
        : value(bytes)
    {
    }
    __host__ __device__ constexpr operator ::std::size_t() const
    {
        return value;
    }
};

namespace detail
{

/* Elements number rank, rank + size ... of type Word. */
template <typename Word>
__host__ __device__ __forceinline__ void
copy_words(void *to, const void *from, ::std::size_t bytes, ::std::size_t rank,
           ::std::size_t size)
{
    for (::std::size_t i = rank; i < bytes / sizeof(Word); i += size)
        ((Word *)to)[i] = ((const Word *)from)[i];
}

/* The rare way: worth no code for each byte. */
__host__ __device__ __forceinline__ void copy_bytes(void *to, const void *from,
                                                    ::std::size_t bytes,
                                                    ::std::size_t rank,
                                                    ::std::size_t size)
{
#if defined(__clang__) || defined(__CUDACC_RTC__)
#pragma clang loop unroll(disable)
#endif
    for (::std::size_t i = rank; i < bytes; i += size)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

struct __attribute__((aligned(16))) copy_16 {
    unsigned int part[4];
};

__host__ __device__ __forceinline__ void copy_part(void *to, const void *from,
                                                   ::std::size_t bytes,
                                                   ::std::size_t rank,
                                                   ::std::size_t size)
{
    ::std::size_t all = (::std::size_t)to | (::std::size_t)from | bytes;
    if (all % 16 == 0)
        copy_words<copy_16>(to, from, bytes, rank, size);
    else if (all % 4 == 0)
        copy_words<unsigned int>(to, from, bytes, rank, size);
    else
        copy_bytes(to, from, bytes, rank, size);
}

/* With an alignment that is known, there is nothing to choose. */
template <::std::size_t Alignment>
__host__ __device__ __forceinline__ void
copy_part(void *to, const void *from, aligned_size_t<Alignment> bytes,
          ::std::size_t rank, ::std::size_t size)
{
    if (Alignment % 16 == 0)
        copy_words<copy_16>(to, from, bytes, rank, size);
    else if (Alignment % 8 == 0)
        copy_words<unsigned long long>(to, from, bytes, rank, size);
    else if (Alignment % 4 == 0)
        copy_words<unsigned int>(to, from, bytes, rank, size);
    else
        copy_part(to, from, bytes.value, rank, size);
}

} // namespace detail

} // namespace weft_cuda

#endif
