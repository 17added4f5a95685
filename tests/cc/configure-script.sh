# SPDX-License-Identifier: Apache-2.0
# What hand-made configure scripts do: they ask --dryrun of a file that is not
# there which libraries a link needs, take the header's path for the toolkit's,
# and let g++ compile and link.
nvcc=$build/nvcc/bin/nvcc
libraries=$($nvcc -dryrun bogus.cu 2>&1 | grep LIBRARIES | sed 's/^.*LIBRARIES=//')
case $libraries in *-L*) echo "libraries are named" ;; esac
case $($nvcc -dryrun bogus.cu 2>&1 | tail -n 1) in
*bogus.o*-lcudart*) echo "the last command links" ;;
esac
$nvcc --help | grep -o 'compute_[0-9][0-9]' | sort -u | head -n 3
header=$(find -L $build/nvcc/ -path '*linux/include/cuda_runtime.h' | head -n 1)
cat > conftest.cpp <<C
#include "$header"
int main() { int n = 0; return cudaGetDeviceCount(&n) || n < 1; }
C
cp $here/hello.cu kernel.cu
eval "g++ conftest.cpp $libraries -lcudart -Wl,-rpath,$build/lib -o conftest" &&
    ./conftest && echo "g++ with the header's full path"
sed 's@#include <cuda_runtime.h>@@' kernel.cu > by-path.cu
sed -i "1i #include \"$header\"" by-path.cu
$nvcc by-path.cu -o by-path && ./by-path
