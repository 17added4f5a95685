# SPDX-License-Identifier: Apache-2.0
# NVIDIA's static runtime over our driver beside our runtime, call for call; and
# what it answers to bad calls beside an H200 with NVIDIA's driver.
toolkit=${CUDA_HOME:-/usr/local/cuda}
[ -e "$toolkit/lib64/libcudart_static.a" ] || {
    echo "skipped: no CUDA toolkit to compare with"
    exit 77
}
grep -q '^#define CUDA_VERSION 13000' "$toolkit/include/cuda.h" || {
    echo "skipped: the toolkit is none of CUDA 13.0"
    exit 77
}
set -e
export LD_LIBRARY_PATH="$build/lib"
make() { # SOURCE RUNTIME... PROGRAM
    gcc -w -I "$toolkit/include" "$1" -o "${@: -1}" -L "$build/lib" \
        "${@:2:$#-2}" -lcuda -lpthread -ldl -lrt
}
make "$here/two-runtimes.c" "$toolkit/lib64/libcudart_static.a" theirs
make "$here/two-runtimes.c" -l:libcudart.so.13 ours
./theirs >theirs.out 2>/dev/null
./ours >ours.out 2>/dev/null
[ "$(grep -c 'then' ours.out)" -gt 180 ]
diff theirs.out ours.out
statuses=$here/../statuses
make "$statuses/runtime.c" "$toolkit/lib64/libcudart_static.a" statuses
# These come from the driver.
sed '/^cudaHostRegister\|^cudaMemset2D\|^cudaMemPoolImport/!s/ ours .*//' \
    "$statuses/runtime.truth" >truth
./statuses truth 2>/dev/null
