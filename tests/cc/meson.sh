# SPDX-License-Identifier: Apache-2.0
# Meson: its compiler check, its cuda module, the toolkit as a dependency.
for tool in meson ninja; do
    command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }
done
cat > meson.build <<'C'
project('demo', ['cuda', 'cpp'])
cuda = import('unstable-cuda')
nvcc = meson.get_compiler('cuda')
flags = cuda.nvcc_arch_flags(nvcc.version(), '9.0')
message('compiler', nvcc.version(), ' '.join(flags))
toolkit = dependency('cuda', version: '>=12', modules: ['nvrtc'])
executable('demo', ['main.cu', 'host.cpp'], cuda_args: flags,
           dependencies: toolkit, link_language: 'cuda')
C
cp $here/hello.cu main.cu
cat > host.cpp <<'C'
#include <cuda_runtime.h>
#include <nvrtc.h>
int version() { int v; return cudaRuntimeGetVersion(&v) + nvrtcVersion(&v, &v); }
C
export PATH=$build/nvcc/bin:$PATH CUDA_PATH=$build/nvcc
unset CUDA_HOME CUDA_ROOT
meson setup b > log 2>&1 || tail -n 30 log
grep -o 'compiler 12.*\|CUDA.*found: YES' log
ninja -C b > log 2>&1 || tail -n 30 log
LD_LIBRARY_PATH=$build/lib ./b/demo
