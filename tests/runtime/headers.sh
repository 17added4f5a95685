#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every public header compiles alone, in every language that may include it, of
# each the oldest and the newest:
#     headers.sh include-folder cc c++ clang
include=$1 cc=$2 cxx=$3 clang=$4
status=0

try() { # header, then the compiler and its options
    header=$1
    shift
    printf '#include <%s>\ntypedef int used;\n' "$header" |
        "$@" -I"$include" -Wall -Wextra -Werror -fsyntax-only - || {
        echo "<$header> does not compile with: $*"
        status=1
    }
}

host="builtin_types.h channel_descriptor.h cuda.h cudaProfiler.h cudaTypedefs.h
    cuda_gl_interop.h cuda_occupancy.h cuda_surface_types.h cuda_texture_types.h
    cuda_device_runtime_api.h cuda_profiler_api.h cuda_runtime.h
    cuda_runtime_api.h device_types.h driver_functions.h driver_types.h
    host_defines.h library_types.h nvToolsExt.h nvtx3/nvToolsExt.h
    surface_types.h texture_types.h vector_functions.h vector_types.h"
for header in $host; do
    for std in c99 c17; do
        try "$header" "$cc" -x c -std=$std -pedantic
        try "$header" "$clang" -x c -std=$std
    done
    for std in c++98 c++20; do
        try "$header" "$cxx" -x c++ -std=$std
    done
    try "$header" "$clang" -x c++ -std=c++17
    try "$header" "$cc" -x c -DCUDA_API_PER_THREAD_DEFAULT_STREAM
done
# The libraries'.
libraries="cublas.h cublasLt.h cublasXt.h cublas_v2.h cufft.h cufftXt.h cufftw.h
    curand.h cusolverDn.h cusolverMg.h cusolverRf.h cusparse.h
    cusolverSp_LOWLEVEL_PREVIEW.h nvblas.h"
for header in $libraries; do
    try "$header" "$cc" -x c -std=c99 -pedantic
    try "$header" "$cxx" -x c++ -std=c++11
done
for std in c++03 c++14 c++20; do
    for pass in --cuda-host-only --cuda-device-only; do
        try cuda_runtime.h "$clang" -x cuda $pass -nocudainc -nocudalib \
            --cuda-gpu-arch=sm_80 -std=$std -Wno-unknown-cuda-version
    done
done
# Those for device code, all in one file.
device="cooperative_groups.h cooperative_groups/memcpy_async.h
    cooperative_groups/reduce.h cooperative_groups/scan.h cuComplex.h
    cuda_awbarrier.h cuda_bf16.h cuda_fp16.h cuda_fp8.h cuda_pipeline.h
    math_constants.h"
all=all.$$.cu
for header in $device $(cd "$include" && find cuda nv -type f); do
    echo "#include <$header>"
done >"$all"
for std in c++14 c++20; do
    for pass in --cuda-host-only --cuda-device-only; do
        "$clang" -x cuda $pass -nocudainc -nocudalib --cuda-gpu-arch=sm_80 \
            -std=$std -Wno-unknown-cuda-version -I"$include" -Wall -Werror \
            -include cuda_runtime.h -fsyntax-only "$all" || {
            echo "the headers for device code do not compile: $std $pass"
            status=1
        }
    done
done
rm -f "$all"
exit $status
