# SPDX-License-Identifier: Apache-2.0
# CUDA_ARCHITECTURES: a list, real and virtual, native, all-major; with
# object libraries, generator expressions, the static and the shared runtime.
for tool in cmake ninja; do
    command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }
done
cat > CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.24)
project(demo LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 17)
function(program name archs)
  add_executable(${name} main.cu $<TARGET_OBJECTS:object_${name}>)
  add_library(object_${name} OBJECT part.cu)
  set_target_properties(${name} object_${name} PROPERTIES
                        CUDA_ARCHITECTURES "${archs}")
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xptxas=-v>
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-DIS_NVCC=1>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:-G>)
  target_compile_definitions(${name} PRIVATE NAME="${name}")
endfunction()
program(list "60;75-virtual;80-real")
program(old "60-real;70")
program(native native)
program(major all-major)
set_target_properties(object_major PROPERTIES CUDA_ARCHITECTURES 80)
set_target_properties(list PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
set_target_properties(old object_old PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_executable(host host.cpp)
target_link_libraries(host PRIVATE CUDA::cudart_static)
C
cat > main.cu <<'C'
#include <cstdio>
#if __cplusplus < 201703L || !defined(IS_NVCC) || !defined(NDEBUG)
#error
#endif
int part();
__global__ void kernel(int *p)
{
#ifdef __CUDA_ARCH__
    auto get = [] __device__() { return __CUDA_ARCH__; };
    *p = get();
#endif
}
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    printf("%s: %d %d\n", NAME, *p, part());
    return 0;
}
C
cat > part.cu <<'C'
__global__ void part_kernel(int *p)
{
#ifdef __CUDA_ARCH__
    *p = __CUDA_ARCH__;
#endif
}
int part()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    part_kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    return *p;
}
C
cat > host.cpp <<'C'
#include <cstdio>
#include <cuda_runtime.h>
int main()
{
    int n = 0;
    int err = cudaGetDeviceCount(&n);
    std::printf("%d %d\n", err, n);
}
C
cmake -G Ninja -S . -B b -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_COMPILER=$weftcc > log 2>&1 || tail -n 30 log
ninja -C b > log 2>&1 || tail -n 30 log
for program in list old native major host; do ./b/$program; done
