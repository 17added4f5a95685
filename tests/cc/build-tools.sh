# SPDX-License-Identifier: Apache-2.0
# The command lines of build tools, as they call nvcc.
cp $here/hello.cu my.cu
mkdir -p include
# PyTorch's extensions
$weftcc --generate-dependencies-with-compile --dependency-output torch.o.d \
    -DTORCH_EXTENSION_NAME=my -D_GLIBCXX_USE_CXX11_ABI=1 -I$PWD/include \
    -isystem $PWD/include -D__CUDA_NO_HALF_OPERATORS__ \
    -D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_BFLOAT16_CONVERSIONS__ \
    -D__CUDA_NO_HALF2_OPERATORS__ --expt-relaxed-constexpr \
    -gencode=arch=compute_90,code=compute_90 \
    -gencode=arch=compute_90,code=sm_90 --compiler-options "'-fPIC'" \
    --threads 2 -std=c++17 -c my.cu -o torch.o -ccbin g++ &&
    grep -c 'my.cu' torch.o.d
# Bazel's rules_cuda
PATH=/usr/bin $weftcc -x cu -gencode arch=compute_90,code=sm_90 -rdc=true \
    -ccbin /usr/bin/gcc -Xcompiler -fPIC -I . -isystem include \
    -Xcompiler -g0 -O2 -DNDEBUG -Xcompiler -ffunction-sections \
    -Xcompiler -fdata-sections -c my.cu -o my.rdc.pic.o &&
    PATH=/usr/bin $weftcc -dlink -gencode arch=compute_90,code=sm_90 \
        -ccbin /usr/bin/gcc -Xcompiler -fPIC my.rdc.pic.o \
        -o my_dlink.rdc.pic.o && g++ my.rdc.pic.o my_dlink.rdc.pic.o \
    -L$build/lib -lcudart -Wl,-rpath,$build/lib -o bazel && ./bazel
# Meson
$weftcc -isystem=include -Iinclude -Xcompiler=-Winvalid-pch,-Wall -Xcompiler \
    -Wextra -Werror=cross-execution-space-call,deprecated-declarations,reorder \
    --std=c++17 -O2 -lineinfo -Xcompiler=-fPIC,-DX=\\\"x\\\" -MD -MT meson.o \
    -MF meson.o.d -o meson.o -c my.cu && head -c 8 meson.o.d && echo
$weftcc -o meson meson.o -Xlinker=--as-needed -Xlinker=--no-undefined \
    -Xlinker='-rpath,$ORIGIN/' && $weftcc --run '"'meson'"'
# xmake
$weftcc -c -Xcompiler -fPIE -w -Xcompiler "-Wall -Wextra" -g -lineinfo -O3 \
    --std c++17 -m64 -rdc=true -MMD -MF xmake.d -o xmake.o my.cu &&
    $weftcc -dlink -o gpucode.cu.o xmake.o -m64 -Xcompiler -fPIE &&
    ls gpucode.cu.o
