# SPDX-License-Identifier: Apache-2.0
# The headers of a CUDA toolkit, by name: each is weft's own, and they agree
# with one another, with those of its libraries and with older standards.
names="
builtin_types.h channel_descriptor.h common_functions.h cooperative_groups.h
cooperative_groups/memcpy_async.h cooperative_groups/reduce.h
cooperative_groups/scan.h crt/common_functions.h
crt/device_double_functions.h crt/device_double_functions.hpp
crt/device_functions.h crt/device_functions.hpp crt/func_macro.h
crt/host_config.h crt/host_defines.h crt/host_runtime.h crt/math_functions.h
crt/math_functions.hpp crt/mma.h crt/mma.hpp crt/sm_100_rt.h crt/sm_100_rt.hpp
crt/sm_70_rt.h crt/sm_70_rt.hpp crt/sm_80_rt.h crt/sm_80_rt.hpp crt/sm_90_rt.h
crt/sm_90_rt.hpp crt/storage_class.h cuComplex.h cuda.h cudaEGL.h cudaGL.h
cudaProfiler.h cudaTypedefs.h cudaVDPAU.h cuda_awbarrier.h
cuda_awbarrier_helpers.h cuda_awbarrier_primitives.h cuda_bf16.h cuda_bf16.hpp
cuda_device_runtime_api.h cuda_egl_interop.h cuda_fp16.h cuda_fp16.hpp
cuda_fp4.h cuda_fp4.hpp cuda_fp6.h cuda_fp6.hpp cuda_fp8.h cuda_fp8.hpp
cuda_gl_interop.h cuda_occupancy.h cuda_pipeline.h cuda_pipeline_helpers.h
cuda_pipeline_primitives.h cuda_profiler_api.h cuda_runtime.h
cuda_runtime_api.h cuda_stdint.h cuda_surface_types.h cuda_texture_types.h
cuda_vdpau_interop.h cudart_platform.h device_atomic_functions.h
device_atomic_functions.hpp device_double_functions.h device_functions.h
device_launch_parameters.h device_types.h driver_functions.h driver_types.h
fatbinary_section.h host_config.h host_defines.h library_types.h
math_constants.h math_functions.h mma.h nvToolsExt.h nvToolsExtCuda.h
nvToolsExtCudaRt.h nvToolsExtSync.h nvrtc.h nvtx3/nvToolsExt.h
nvtx3/nvToolsExtCuda.h nvtx3/nvToolsExtCudaRt.h nvtx3/nvToolsExtSync.h
nvtx3/nvtx3.hpp sm_20_atomic_functions.h sm_20_atomic_functions.hpp
sm_20_intrinsics.h sm_20_intrinsics.hpp sm_30_intrinsics.h
sm_30_intrinsics.hpp sm_32_atomic_functions.h sm_32_atomic_functions.hpp
sm_32_intrinsics.h sm_32_intrinsics.hpp sm_35_atomic_functions.h
sm_35_intrinsics.h sm_60_atomic_functions.h sm_60_atomic_functions.hpp
sm_61_intrinsics.h sm_61_intrinsics.hpp surface_functions.h
surface_indirect_functions.h surface_types.h texture_fetch_functions.h
texture_indirect_functions.h texture_types.h vector_functions.h
vector_functions.hpp vector_types.h
cuda/annotated_ptr cuda/atomic cuda/barrier cuda/bit cuda/cmath
cuda/discard_memory cuda/functional cuda/iterator cuda/latch cuda/mdspan
cuda/memory cuda/numeric cuda/pipeline cuda/ptx cuda/semaphore cuda/type_traits
cuda/utility cuda/version cuda/warp cuda/std/array cuda/std/atomic cuda/std/chrono
cuda/std/cmath cuda/std/complex cuda/std/cstddef cuda/std/cstdint
cuda/std/functional cuda/std/limits cuda/std/tuple cuda/std/type_traits
cuda/std/utility nv/target curand_kernel.h curand.h cublas_v2.h cublasLt.h
cublasXt.h cufft.h cufftXt.h cufftw.h cusparse.h cusolverDn.h cusolverSp.h
cusolverRf.h cusolverMg.h nvml.h nvJitLink.h nvFatbin.h nvvm.h"
for name in $names; do
    echo "#include <$name>"
done > all.cu
$weftcc -M all.cu -o all.d || exit
include=$(realpath $build/include)
for name in $names; do
    tr " " "\n" < all.d | grep -q -x -e $build/include/$name -e $include/$name ||
        echo "$name is not weft's"
done

# Ranges and their attributes, as the documentation of NVTX uses them.
cat >> all.cu <<'C'
#include <stdio.h>
struct my {
    static constexpr char const *name{"my"};
};
struct reading {
    static constexpr char const *name{"reading"};
    static constexpr uint32_t id{4};
};
struct text {
    static constexpr char const *message{"hello"};
};
constexpr char const *my::name, *reading::name, *text::message;
constexpr uint32_t reading::id;
int work(int n)
{
    NVTX3_FUNC_RANGE();
    nvtx3::scoped_range a{"x", nvtx3::rgb{1, 2, 3}, nvtx3::payload{n},
                          nvtx3::category{3}};
    nvtx3::event_attributes b{nvtx3::message{"m"}, nvtx3::argb{1, 2, 3, 4},
                              nvtx3::named_category_in<my>::get<reading>(),
                              nvtx3::payload{2.5}};
    nvtx3::mark_in<my>(b);
    nvtx3::mark("z");
    auto r = nvtx3::start_range("q", nvtx3::color{0xff00ff00});
    nvtx3::end_range(r);
    nvtx3::unique_range u{b};
    auto v = std::move(u);
    nvtx3::scoped_range_in<my> c{nvtx3::registered_string_in<my>::get<text>()};
    const std::string s = "s";
    nvtx3::scoped_range d{s};
    return b.get()->color == 0x01020304 && b.get()->payload.dValue == 2.5 &&
                   b.get()->category == 4
               ? n
               : -1;
}
int conditional(int n)
{
    NVTX3_FUNC_RANGE_IF_IN(my, n > 3);
    return n;
}
PFN_cuTensorMapEncodeTiled_v12000 encode;
PFN_cuMemAlloc allocate;
int main()
{
    nvtxRangePushA("main");
    printf("%d %d\n", work(7), conditional(3) + nvtxRangePop());
    return 0;
}
C
$weftcc -std=c++20 -Xcompiler -Wall all.cu -o all && ./all
for name in cuComplex.h cuda.h cudaEGL.h cudaGL.h cudaProfiler.h cudaTypedefs.h \
        cuda_egl_interop.h cuda_gl_interop.h cuda_occupancy.h cuda_profiler_api.h \
        cuda_runtime.h cuda_runtime_api.h cudart_platform.h driver_types.h \
        fatbinary_section.h library_types.h nvToolsExt.h nvToolsExtCuda.h \
        nvToolsExtCudaRt.h nvToolsExtSync.h nvrtc.h vector_types.h; do
    echo "#include <$name>"
done > all.c
echo 'int main(void) { return 0; }' >> all.c
gcc -std=gnu99 -Wall -I$build/include all.c -o all && ./all && echo C too
# Host code may use those of libcu++ that are not of the device alone.
grep -o '<cuda/[a-z_]*>' all.cu | sed 's/.*/#include &/' > all.cpp
echo 'int main() { return cuda::ceil_div(7, 4) - 2 + cuda::bit_reverse(0u); }' >> all.cpp
g++ -std=c++17 -Wall -I$build/include all.cpp -o all && ./all && echo g++ too
# Each alone, with what programs take for granted behind it, as with nvcc.
for name in cooperative_groups.h cooperative_groups/memcpy_async.h \
        cuda_awbarrier.h cuda_awbarrier_primitives.h cuda_pipeline.h \
        cuda_pipeline_primitives.h cuda/barrier cuda/atomic; do
    printf '#include <%s>\n__global__ void k(uint32_t *p, size_t n) { *p = n; }\n' \
        "$name" > alone.cu
    $weftcc -c alone.cu || echo "alone: $name"
done
