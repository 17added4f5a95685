/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threadIdx, blockIdx, blockDim, gridDim and warpSize. A variable is nothing
 * but its fields, and reading one reads a special register; unlike clang's
 * own, they can be copied (auto b = blockIdx) and passed on. dim3 has
 * constructors for them. Host code, which cannot read them, sees the types that
 * NVIDIA documents: cuRAND's headers declare the names again.
 */
#ifndef WEFT_DEVICE_BUILTIN_VARS_H
#define WEFT_DEVICE_BUILTIN_VARS_H

struct uint3;

#ifdef __CUDA_ARCH__
#define WEFT_FIELD(field, read)                                                \
    __declspec(property(get = weft_##field)) unsigned int field;               \
    static __inline__ __attribute__((always_inline, device)) unsigned int      \
        weft_##field()                                                         \
    {                                                                          \
        return read;                                                           \
    }
#define WEFT_VARIABLE(name, type, register)                                    \
    struct type {                                                              \
        WEFT_FIELD(x, __nvvm_read_ptx_sreg_##register##_x())                   \
        WEFT_FIELD(y, __nvvm_read_ptx_sreg_##register##_y())                   \
        WEFT_FIELD(z, __nvvm_read_ptx_sreg_##register##_z())                   \
        __attribute__((device)) operator uint3() const;                        \
    };                                                                         \
    extern const __attribute__((device, weak)) type name;

WEFT_VARIABLE(threadIdx, __cuda_builtin_threadIdx_t, tid)
WEFT_VARIABLE(blockIdx, __cuda_builtin_blockIdx_t, ctaid)
WEFT_VARIABLE(blockDim, __cuda_builtin_blockDim_t, ntid)
WEFT_VARIABLE(gridDim, __cuda_builtin_gridDim_t, nctaid)
#undef WEFT_VARIABLE
#undef WEFT_FIELD
#else
struct dim3;
extern const __attribute__((device, weak)) struct uint3 threadIdx, blockIdx;
extern const __attribute__((device, weak)) struct dim3 blockDim, gridDim;
#endif

__attribute__((device)) const int warpSize = 32;

#endif
