# SPDX-License-Identifier: Apache-2.0
# CMake takes nvcc's stand-in for a CUDA compiler.
for tool in cmake ninja; do
    command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }
done
cat > CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(part STATIC part.cu)
add_executable(demo main.cu)
set_target_properties(demo PROPERTIES CUDA_STANDARD 17)
target_link_libraries(demo part)
add_executable(plain plain.cpp)
target_link_libraries(plain CUDA::cudart)
C
cp $here/hello.cu main.cu
echo '__global__ void p() {} void launch() { p<<<1, 1>>>(); }' > part.cu
cat > plain.cpp <<'C'
#include <cuda_runtime.h>
int main() { int n; return cudaGetDeviceCount(&n); }
C
cmake -G Ninja -S . -B b -DCMAKE_CUDA_COMPILER=$build/nvcc/bin/nvcc -DCMAKE_CUDA_ARCHITECTURES=70 > log 2>&1 || tail -n 30 log
grep -o 'The CUDA compiler identification is NVIDIA 12.8' log
ninja -C b > log 2>&1 || tail -n 30 log
./b/demo && ./b/plain && echo "both run"
