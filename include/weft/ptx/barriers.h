/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::ptx: barriers in shared memory. */
#ifndef WEFT_PTX_BARRIERS_H
#define WEFT_PTX_BARRIERS_H

#include "tags.h"

namespace cuda
{
namespace ptx
{

WEFT_PTX(void) mbarrier_init(uint64_t *addr, const uint32_t &count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::WEFT_SHARED(addr),
                 "r"(count)
                 : "memory");
}
WEFT_PTX(void) mbarrier_inval(uint64_t *addr)
{
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::WEFT_SHARED(addr)
                 : "memory");
}

/* ---- arriving ----------------------------------------------------------- */

/* With a state: at a barrier of the own block. `count` is a parameter that
 * there may be, with its operand. */
#define WEFT_ARRIVE(name, text, parameters, operand, ...)                      \
    WEFT_PTX(uint64_t) name parameters                                         \
    {                                                                          \
        uint64_t state;                                                        \
        asm volatile(text ".b64 %0, [%1]" operand ";"                          \
                     : "=l"(state)                                             \
                     : WEFT_SHARED(addr) __VA_ARGS__                           \
                     : "memory");                                              \
        return state;                                                          \
    }
/* Without: at one of any block of the cluster. */
#define WEFT_ARRIVE_FAR(name, text, parameters, operand, ...)                  \
    WEFT_PTX(void) name parameters                                             \
    {                                                                          \
        asm volatile(text ".b64 _, [%0]" operand ";" ::WEFT_SHARED(addr)       \
                         __VA_ARGS__                                           \
                     : "memory");                                              \
    }
#define WEFT_COUNT , "r"(count)

WEFT_ARRIVE(mbarrier_arrive, "mbarrier.arrive.shared", (uint64_t * addr), "")
WEFT_ARRIVE(mbarrier_arrive, "mbarrier.arrive.shared::cta",
            (uint64_t * addr, const uint32_t &count), ", %2", WEFT_COUNT)
WEFT_ARRIVE(mbarrier_arrive_no_complete, "mbarrier.arrive.noComplete.shared",
            (uint64_t * addr, const uint32_t &count), ", %2", WEFT_COUNT)

#define WEFT_ARRIVE_NEAR(scope, sem)                                           \
    WEFT_ARRIVE(                                                               \
        mbarrier_arrive, "mbarrier.arrive." #sem "." #scope ".shared::cta",    \
        (sem_##sem##_t, scope_##scope##_t, space_shared_t, uint64_t * addr),   \
        "")                                                                    \
    WEFT_ARRIVE(mbarrier_arrive,                                               \
                "mbarrier.arrive." #sem "." #scope ".shared::cta",             \
                (sem_##sem##_t, scope_##scope##_t, space_shared_t,             \
                 uint64_t * addr, const uint32_t &count),                      \
                ", %2", WEFT_COUNT)                                            \
    WEFT_ARRIVE(mbarrier_arrive_expect_tx,                                     \
                "mbarrier.arrive.expect_tx." #sem "." #scope ".shared::cta",   \
                (sem_##sem##_t, scope_##scope##_t, space_shared_t,             \
                 uint64_t * addr, const uint32_t &count),                      \
                ", %2", WEFT_COUNT)
WEFT_ARRIVE_NEAR(cta, release)
WEFT_ARRIVE_NEAR(cluster, release)
WEFT_ARRIVE_NEAR(cta, relaxed)
WEFT_ARRIVE_NEAR(cluster, relaxed)
#undef WEFT_ARRIVE_NEAR

#define WEFT_ARRIVE_IN_CLUSTER(sem)                                            \
    WEFT_ARRIVE_FAR(                                                           \
        mbarrier_arrive, "mbarrier.arrive." #sem ".cluster.shared::cluster",   \
        (sem_##sem##_t, scope_cluster_t, space_cluster_t, uint64_t * addr),    \
        "")                                                                    \
    WEFT_ARRIVE_FAR(mbarrier_arrive,                                           \
                    "mbarrier.arrive." #sem ".cluster.shared::cluster",        \
                    (sem_##sem##_t, scope_cluster_t, space_cluster_t,          \
                     uint64_t * addr, const uint32_t &count),                  \
                    ", %1", WEFT_COUNT)                                        \
    WEFT_ARRIVE_FAR(mbarrier_arrive_expect_tx,                                 \
                    "mbarrier.arrive.expect_tx." #sem                          \
                    ".cluster.shared::cluster",                                \
                    (sem_##sem##_t, scope_cluster_t, space_cluster_t,          \
                     uint64_t * addr, const uint32_t &count),                  \
                    ", %1", WEFT_COUNT)
WEFT_ARRIVE_IN_CLUSTER(release)
WEFT_ARRIVE_IN_CLUSTER(relaxed)
#undef WEFT_ARRIVE_IN_CLUSTER

#undef WEFT_ARRIVE
#undef WEFT_ARRIVE_FAR
#undef WEFT_COUNT

#define WEFT_EXPECT(scope, space, text)                                        \
    WEFT_PTX(void)                                                             \
    mbarrier_expect_tx(sem_relaxed_t, scope_##scope##_t, space_##space##_t,    \
                       uint64_t *addr, uint32_t txCount)                       \
    {                                                                          \
        asm volatile("mbarrier.expect_tx.relaxed." #scope "." text             \
                     ".b64 [%0], %1;" ::WEFT_SHARED(addr),                     \
                     "r"(txCount)                                              \
                     : "memory");                                              \
    }
WEFT_EXPECT(cta, shared, "shared::cta")
WEFT_EXPECT(cluster, shared, "shared::cta")
WEFT_EXPECT(cta, cluster, "shared::cluster")
WEFT_EXPECT(cluster, cluster, "shared::cluster")
#undef WEFT_EXPECT

WEFT_PTX(void) cp_async_mbarrier_arrive(uint64_t *addr)
{
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::WEFT_SHARED(addr)
                 : "memory");
}
WEFT_PTX(void) cp_async_mbarrier_arrive_noinc(uint64_t *addr)
{
    asm volatile(
        "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::WEFT_SHARED(addr)
        : "memory");
}

/* ---- waiting ------------------------------------------------------------- */

#define WEFT_WAIT(name, text, parameters, operands, ...)                       \
    WEFT_PTX(bool) name parameters                                             \
    {                                                                          \
        uint32_t is_complete;                                                  \
        asm volatile("{ .reg .pred p; " text ".b64 p, [%1], " operands ";"     \
                     "  selp.u32 %0, 1, 0, p; }"                               \
                     : "=r"(is_complete)                                       \
                     : WEFT_SHARED(addr), __VA_ARGS__                          \
                     : "memory");                                              \
        return is_complete;                                                    \
    }
/* A phase is told by the state of an arrival, or by its parity. `leading`: the
 * parameters before the address. */
#define WEFT_WAITS(kind, modifiers, ...)                                       \
    WEFT_WAIT(mbarrier_##kind, "mbarrier." #kind modifiers,                    \
              (__VA_ARGS__ uint64_t * addr, const uint64_t &state), "%2",      \
              "l"(state))                                                      \
    WEFT_WAIT(mbarrier_##kind##_parity, "mbarrier." #kind ".parity" modifiers, \
              (__VA_ARGS__ uint64_t * addr, const uint32_t &phaseParity),      \
              "%2", "r"(phaseParity))
#define WEFT_WAITS_LONG(modifiers, ...)                                        \
    WEFT_WAIT(mbarrier_try_wait, "mbarrier.try_wait" modifiers,                \
              (__VA_ARGS__ uint64_t * addr, const uint64_t &state,             \
               const uint32_t &suspendTimeHint),                               \
              "%2, %3", "l"(state), "r"(suspendTimeHint))                      \
    WEFT_WAIT(mbarrier_try_wait_parity, "mbarrier.try_wait.parity" modifiers,  \
              (__VA_ARGS__ uint64_t * addr, const uint32_t &phaseParity,       \
               const uint32_t &suspendTimeHint),                               \
              "%2, %3", "r"(phaseParity), "r"(suspendTimeHint))
#define WEFT_COMMA ,
#define WEFT_WAITS_FOR(scope, sem)                                             \
    WEFT_WAITS(test_wait, "." #sem "." #scope ".shared::cta",                  \
               sem_##sem##_t WEFT_COMMA scope_##scope##_t WEFT_COMMA)          \
    WEFT_WAITS(try_wait, "." #sem "." #scope ".shared::cta",                   \
               sem_##sem##_t WEFT_COMMA scope_##scope##_t WEFT_COMMA)          \
    WEFT_WAITS_LONG("." #sem "." #scope ".shared::cta",                        \
                    sem_##sem##_t WEFT_COMMA scope_##scope##_t WEFT_COMMA)

WEFT_WAITS(test_wait, ".shared", )
WEFT_WAITS(try_wait, ".shared::cta", )
WEFT_WAITS_LONG(".shared::cta", )
WEFT_WAITS_FOR(cta, acquire)
WEFT_WAITS_FOR(cluster, acquire)
WEFT_WAITS_FOR(cta, relaxed)
WEFT_WAITS_FOR(cluster, relaxed)
#undef WEFT_WAITS_FOR
#undef WEFT_COMMA
#undef WEFT_WAITS_LONG
#undef WEFT_WAITS
#undef WEFT_WAIT

} // namespace ptx
} // namespace cuda

#endif
