# SPDX-License-Identifier: Apache-2.0
# The name nvcc, and what build systems read.
nvcc=$build/nvcc/bin/nvcc
$nvcc --version | grep -E -o 'nvcc: NVIDIA .R. Cuda compiler driver|release [0-9.]*, V[0-9.]*'
$nvcc -v __no_such_input 2>&1 | tail -n 1
$nvcc --dryrun $here/hello.cu 2>&1 | grep -E -o '^#. (TOP|INCLUDES|LIBRARIES|PATH)='
$nvcc $here/hello.cu -o hello && ./hello
ls $build/nvcc $build/nvcc/include/cuda_runtime.h | sed "s@$build@build@"
cat $build/nvcc/version.txt
# Makefiles link the driver's library from there, Bazel asks for the other.
(cd $build/nvcc && ls lib64/stubs bin/crt | grep .)
echo '#include <cuda.h>
int main(void) { return cuInit(0); }' > driver.c
gcc -I$build/nvcc/include driver.c -L$build/nvcc/lib64/stubs -lcuda \
    -Wl,-rpath,$build/lib -o driver && ./driver && echo linked
# No other folder need be named.
gcc driver.c -I$build/nvcc/include -L$build/nvcc/lib64/stubs -lcuda -o bare &&
    echo linked too
# Programs that NVIDIA's libraries were linked into ask for these versions; the
# driver's have none.
for library in $build/lib/lib*.so.[0-9]*; do
    case ${library##*/} in libcuda.so.* | libnvvm.so.* | libnvidia-ml.so.*) continue ;; esac
    nm -D --defined-only $library | grep ' [TDBV] ' |
        grep -v -m 1 "@@${library##*/}\$" | sed "s/.* T/${library##*/}:/"
done
