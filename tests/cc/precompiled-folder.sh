# SPDX-License-Identifier: Apache-2.0
# --precompiled-folder: the same code as without it; a file for each pass and
# command line; one that is damaged, or older than its headers, is made again,
# for the host by the next compilation.
cat > a.cu <<'C'
#include <cstdio>
#ifndef SIZE
#define SIZE 1
#endif
__global__ void k(int *p) { *p = SIZE + warpSize; }
int main()
{
    int *d, h = 0;
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h);
}
C
files() {
    find pre -type f | wc -l
}
mkdir -m 700 pre
$weftcc -ptx a.cu -o without.ptx
$weftcc --precompiled-folder pre a.cu -o a && ./a && files
for file in pre/*; do truncate -s 100K $file; done
$weftcc --precompiled-folder pre a.cu -o a && ./a && files
$weftcc --precompiled-folder pre -ptx a.cu -o with.ptx && files
cmp with.ptx without.ptx
echo "a header of its own by a host header's name, which then changes"
mkdir mine
for size in 100 2000; do
    printf '#define SIZE %d\n#include_next <string.h>\n' \
        $size > mine/string.h
    $weftcc --precompiled-folder pre -isystem mine -ptx a.cu -o mine.ptx
    grep -o -w $((size + 32)) mine.ptx
    files
done
echo "headers that are read first"
echo '#define SIZE 5' > first.h
$weftcc --precompiled-folder pre -include first.h -ptx a.cu -o five.ptx && files
echo "execution spaces that are merged"
cat > b.cu <<'C'
__device__ int plain(int);
int plain(int x) { return x; }
__global__ void kernel(int *p) { *p = plain(*p); }
C
$weftcc --precompiled-folder pre -fatbin b.cu -o b.fatbin && files
