/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies that complete a barrier's transactions, of <cuda/barrier>, which
 * includes this in its namespace: cuda::device::memcpy_async_tx, and the
 * functions of cuda::device::experimental that the CUDA C++ programming guide
 * uses in "Asynchronous Data Copies using the Tensor Memory Accelerator".
 */
#ifndef WEFT_BULK_COPIES_H
#define WEFT_BULK_COPIES_H

#define WEFT_DEVICE static __device__ __forceinline__

namespace device
{
namespace experimental
{
WEFT_DEVICE unsigned int weft_shared(const void *p)
{
    return (unsigned int)__cvta_generic_to_shared(p);
}

WEFT_DEVICE void cp_async_bulk_global_to_shared(void *to, const void *from,
                                                unsigned int bytes,
                                                barrier<thread_scope_block> &b)
{
    __asm__ volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_"
                     "tx::bytes [%0], [%1], %2, [%3];" ::"r"(weft_shared(to)),
                     "l"(__cvta_generic_to_global(from)), "r"(bytes),
                     "r"(weft_shared(barrier_native_handle(b)))
                     : "memory");
}
WEFT_DEVICE void cp_async_bulk_shared_to_global(void *to, const void *from,
                                                unsigned int bytes)
{
    __asm__ volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
                     "%2;" ::"l"(__cvta_generic_to_global(to)),
                     "r"(weft_shared(from)), "r"(bytes)
                     : "memory");
}
WEFT_DEVICE void fence_proxy_async_shared_cta()
{
    __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
WEFT_DEVICE void cp_async_bulk_commit_group()
{
    __asm__ volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int Prior> WEFT_DEVICE void cp_async_bulk_wait_group_read()
{
    static_assert(Prior >= 0 && Prior <= 63, "0 to 63 groups may be left");
    __asm__ volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Prior)
                     : "memory");
}

/* Boxes of tensor maps, of one to five dimensions. */
#define WEFT_BOX(n, types, places, values)                                     \
    WEFT_DEVICE void cp_async_bulk_tensor_##n##d_global_to_shared(             \
        void *to, const void *map, WEFT_BOX_OPEN types,                        \
        barrier<thread_scope_block> &b)                                        \
    {                                                                          \
        __asm__ volatile("cp.async.bulk.tensor." #n                            \
                         "d.shared::cluster.global.tile.mbarrier::complete_"   \
                         "tx::bytes [%0], [%1, {" places                       \
                         "}], [%2];" ::"r"(weft_shared(to)),                   \
                         "l"(map), "r"(weft_shared(barrier_native_handle(b))), \
                         WEFT_BOX_OPEN values                                  \
                         : "memory");                                          \
    }                                                                          \
    WEFT_DEVICE void cp_async_bulk_tensor_##n##d_shared_to_global(             \
        const void *map, WEFT_BOX_OPEN types, const void *from)                \
    {                                                                          \
        __asm__ volatile("cp.async.bulk.tensor." #n                            \
                         "d.global.shared::cta.tile.bulk_group [%0, {" places  \
                         "}], [%1];" ::"l"(map),                               \
                         "r"(weft_shared(from)), "r"(0), WEFT_BOX_OPEN values  \
                         : "memory");                                          \
    }
#define WEFT_BOX_OPEN(...) __VA_ARGS__
WEFT_BOX(1, (int c0), "%3", ("r"(c0)))
WEFT_BOX(2, (int c0, int c1), "%3, %4", ("r"(c0), "r"(c1)))
WEFT_BOX(3, (int c0, int c1, int c2), "%3, %4, %5", ("r"(c0), "r"(c1), "r"(c2)))
WEFT_BOX(4, (int c0, int c1, int c2, int c3), "%3, %4, %5, %6",
         ("r"(c0), "r"(c1), "r"(c2), "r"(c3)))
WEFT_BOX(5, (int c0, int c1, int c2, int c3, int c4), "%3, %4, %5, %6, %7",
         ("r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)))
#undef WEFT_BOX
#undef WEFT_BOX_OPEN
} // namespace experimental

/* By one thread; the barrier's phase waits for it. */
template <typename T, ::std::size_t Alignment>
WEFT_DEVICE void memcpy_async_tx(T *to, const T *from,
                                 aligned_size_t<Alignment> bytes,
                                 barrier<thread_scope_block> &b)
{
    static_assert(Alignment >= 16, "bulk copies are aligned to 16 bytes");
    experimental::cp_async_bulk_global_to_shared(to, from, (unsigned int)bytes,
                                                 b);
}
} // namespace device

#undef WEFT_DEVICE

#endif
