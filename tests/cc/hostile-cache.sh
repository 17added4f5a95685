# SPDX-License-Identifier: Apache-2.0
# A cache entry that is a pipe, and a limit on the size of files: the program
# runs all the same, and nothing half-written stays.
cat >hello.cu <<'EOF'
#include <cstdio>
__global__ void hello()
{
    printf("hello\n");
}
int main()
{
    hello<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
export CUDA_CACHE_PATH=$PWD/cache
unset CUDA_CACHE_DISABLE
"$weftcc" hello.cu -o hello || exit 1
./hello
for entry in cache/*.weft; do
    rm "$entry"
    mkfifo "$entry"
done
timeout 20 ./hello
rm -r cache
(ulimit -f 1; ./hello)
echo "status $?, $(find cache -type f | wc -l) files"
