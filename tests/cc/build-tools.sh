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
# Bazel's rules_cuda: the toolkit is a link in its own tree, and what Bazel finds
# out about gcc comes behind -Xcompiler
mkdir -p external/cuda && ln -sfn $build/nvcc external/cuda/cuda
nvcc=external/cuda/cuda/bin/nvcc
PATH=/usr/bin $nvcc -ccbin /usr/bin/gcc -x cu \
    -gencode arch=compute_90,code=compute_90 \
    -gencode arch=compute_90,code=sm_90 -rdc=true -Xcompiler -fPIC -I . \
    -isystem external/cuda/cuda/include -Xcompiler -U_FORTIFY_SOURCE \
    -Xcompiler -fstack-protector -Xcompiler -Wunused-but-set-parameter \
    -Xcompiler -Wno-free-nonheap-object -Xcompiler -fno-omit-frame-pointer \
    -Xcompiler -g0 -O2 -DNDEBUG -Xcompiler -ffunction-sections \
    -Xcompiler -fdata-sections --dopt on -Xptxas -O3 \
    -Xcompiler -fno-canonical-system-headers \
    -Xcompiler -Wno-builtin-macro-redefined \
    -Xcompiler '-D__DATE__="redacted"' --allow-unsupported-compiler \
    --expt-relaxed-constexpr --extended-lambda --frandom-seed=my.rdc.pic.o \
    -c my.cu -o my.rdc.pic.o &&
    PATH=/usr/bin $nvcc -ccbin /usr/bin/gcc -dlink \
        -gencode arch=compute_90,code=sm_90 -dlto -Xcompiler -fPIC -Xlinker -S \
        -o my_dlink.rdc.pic.o my.rdc.pic.o \
        external/cuda/cuda/lib64/libcudadevrt.a \
        external/cuda/cuda/lib64/libculibos.a && g++ my.rdc.pic.o \
    my_dlink.rdc.pic.o -Lexternal/cuda/cuda/lib64 -lcudart \
    -Wl,-rpath,$build/lib -o bazel && ./bazel
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
