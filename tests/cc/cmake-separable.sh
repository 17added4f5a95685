# SPDX-License-Identifier: Apache-2.0
# CMake's separable compilation, in the ways that it has; the runtime shared
# and static; the toolkit's libraries.
for tool in cmake ninja; do
    command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }
done
cat > CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)
add_library(parts STATIC counter.cu twice.cu)
add_executable(app main.cu)
target_link_libraries(app PRIVATE parts)
set_target_properties(app PROPERTIES CUDA_RUNTIME_LIBRARY Shared)

# Device code linked in the library, so that a C++ program may use it.
add_library(resolved STATIC answer.cu counter.cu twice.cu)
set_target_properties(resolved PROPERTIES CUDA_RESOLVE_DEVICE_SYMBOLS ON
  POSITION_INDEPENDENT_CODE ON)
add_executable(plain plain.cpp)
target_link_libraries(plain PRIVATE resolved)

add_library(shared SHARED answer.cu)
target_link_libraries(shared PRIVATE parts)
set_target_properties(parts shared PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_executable(uses plain.cpp)
target_link_libraries(uses PRIVATE shared)

add_executable(rtc rtc.cpp)
target_link_libraries(rtc PRIVATE CUDA::nvrtc)
C
echo '__device__ int counter = 30;' > counter.cu
echo '__device__ int twice(int x) { return 2 * x; }' > twice.cu
cat > answer.cu <<'C'
extern __device__ int counter;
__device__ int twice(int x);
__global__ void k(int *p) { *p = twice(6) + counter; }
int answer()
{
    int *d, h = 0;
    cudaMalloc(&d, 4);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    return h;
}
C
cat > plain.cpp <<'C'
#include <cstdio>
int answer();
int main() { std::printf("%d\n", answer()); }
C
cat answer.cu plain.cpp > main.cu
cat > rtc.cpp <<'C'
#include <cstdio>
#include <nvrtc.h>
int main() { int a, b; return nvrtcVersion(&a, &b) || std::printf("%d.%d\n", a, b) < 0; }
C
cmake -G Ninja -S . -B b -DCMAKE_CUDA_COMPILER=$weftcc > log 2>&1 || tail -n 30 log
grep -o -e 'CUDA compiler identification is NVIDIA 12.8' -e 'Found CUDAToolkit' log
grep -o 'CMAKE_CUDA_ARCHITECTURES:STRING=.*' b/CMakeCache.txt
ninja -C b > log 2>&1 || tail -n 30 log
for program in app plain uses rtc; do ./b/$program; done
