# SPDX-License-Identifier: Apache-2.0
# The old way: find_package(CUDA), and its own rules.
for tool in cmake ninja; do
    command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }
done
cat > CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.9)
project(demo LANGUAGES CXX)
find_package(CUDA REQUIRED)
message(STATUS "found ${CUDA_VERSION}")
set(CUDA_SEPARABLE_COMPILATION ON)
list(APPEND CUDA_NVCC_FLAGS -O2 -gencode arch=compute_70,code=sm_70)
cuda_add_library(part part.cu)
cuda_add_executable(demo main.cu)
target_link_libraries(demo part)
C
cp $here/hello.cu main.cu
echo '__global__ void p() {} void launch() { p<<<1, 1>>>(); }' > part.cu
cmake -G Ninja -S . -B b -DCUDA_TOOLKIT_ROOT_DIR=$build/nvcc > log 2>&1 || tail -n 30 log
grep -o 'found 12.8' log
ninja -C b > log 2>&1 || tail -n 30 log
LD_LIBRARY_PATH=$build/lib ./b/demo
