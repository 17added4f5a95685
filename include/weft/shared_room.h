/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room for an object in shared memory whose constructor nobody calls: nvcc
 * leaves out constructors and destructors of __shared__ variables, and clang
 * refuses such variables. weftcc makes references into rooms of them
 * (src/cc/compat/mend.c).
 */
#ifndef WEFT_SHARED_ROOM_H
#define WEFT_SHARED_ROOM_H

#if defined(__CUDA__) && __cplusplus >= 201103L
template <typename T> union weft_shared_room {
    T value;
    __host__ __device__ weft_shared_room() {}
    __host__ __device__ ~weft_shared_room() {}
};
#endif

#endif
