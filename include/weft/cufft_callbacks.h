/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks of cuFFT. A device function can be called only by code of its own
 * module, so the kernels that call it are compiled here, with the program:
 * they read what the transform takes from a function, into memory that the
 * library has, or give what it leaves there to one. Templates: a program that
 * sets no callback has none of it.
 */
#ifndef WEFT_CUFFT_CALLBACKS_H
#define WEFT_CUFFT_CALLBACKS_H

/* Where the elements of one side lie; axes from the first. */
struct weft_cufft_walk {
    unsigned long long n[3], stride[3], batch, distance;
};

static inline __device__ size_t weft_cufft_offset(const weft_cufft_walk &w,
                                                  unsigned long long i)
{
    size_t at = i % w.n[2] * w.stride[2];
    i /= w.n[2];
    at += i % w.n[1] * w.stride[1];
    i /= w.n[1];
    at += i % w.n[0] * w.stride[0];
    return at + i / w.n[0] * w.distance;
}

template <typename T, typename F>
static inline __device__ void weft_cufft_load_all(F call, void *data,
                                                  void *mine, void *info,
                                                  const weft_cufft_walk &w)
{
    extern __shared__ char weft_cufft_shared[];
    unsigned long long count = w.batch * w.n[0] * w.n[1] * w.n[2];
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x;
    for (i += threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        size_t at = weft_cufft_offset(w, i);
        ((T *)mine)[at] = call(data, at, info, weft_cufft_shared);
    }
}

template <typename T, typename F>
static inline __device__ void weft_cufft_store_all(F call, void *data,
                                                   void *mine, void *info,
                                                   const weft_cufft_walk &w)
{
    extern __shared__ char weft_cufft_shared[];
    unsigned long long count = w.batch * w.n[0] * w.n[1] * w.n[2];
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x;
    for (i += threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        size_t at = weft_cufft_offset(w, i);
        call(data, at, ((T *)mine)[at], info, weft_cufft_shared);
    }
}

template <typename T>
__global__ void weft_cufft_load(void *function, void *data, void *mine,
                                void *info, weft_cufft_walk w)
{
    auto call = (T(*)(void *, size_t, void *, void *))function;
    weft_cufft_load_all<T>(call, data, mine, info, w);
}

template <typename T>
__global__ void weft_cufft_store(void *function, void *data, void *mine,
                                 void *info, weft_cufft_walk w)
{
    auto call = (void (*)(void *, size_t, T, void *, void *))function;
    weft_cufft_store_all<T>(call, data, mine, info, w);
}

/* The library's: kernel is one of the above. */
extern "C" cufftResult
cufftWeftSetCallback(cufftHandle plan, void **callback_routine,
                     cufftXtCallbackType cbType, void **caller_info,
                     cudaFunction_t kernel);

template <typename T>
cufftResult cufftXtSetCallback(cufftHandle plan, T **callback_routine,
                               cufftXtCallbackType cbType, void **caller_info)
{
    const void *kernels[] = {
        (const void *)weft_cufft_load<cufftComplex>,
        (const void *)weft_cufft_load<cufftDoubleComplex>,
        (const void *)weft_cufft_load<cufftReal>,
        (const void *)weft_cufft_load<cufftDoubleReal>,
        (const void *)weft_cufft_store<cufftComplex>,
        (const void *)weft_cufft_store<cufftDoubleComplex>,
        (const void *)weft_cufft_store<cufftReal>,
        (const void *)weft_cufft_store<cufftDoubleReal>,
    };
    cudaFunction_t kernel = NULL;
    if ((unsigned)cbType < CUFFT_CB_UNDEFINED &&
        cudaGetFuncBySymbol(&kernel, kernels[cbType]) != cudaSuccess)
        return CUFFT_INTERNAL_ERROR;
    return cufftWeftSetCallback(plan, (void **)callback_routine, cbType,
                                caller_info, kernel);
}

#endif
