# SPDX-License-Identifier: Apache-2.0
# --precompiled-folder: the same code as without it; a file for each pass and
# command line; one that is damaged, or older than its headers, is made again,
# for the host by the next compilation. Where others remove it each time, the
# code is compiled without it.
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
echo "headers that are read first: precompiled too, until they change"
for size in 5 17; do
    printf '#define SIZE %d\nstatic int reported;\n' $size > first.h
    $weftcc --precompiled-folder pre -include first.h -ptx a.cu -o first.ptx
    grep -o -w $((size + 32)) first.ptx
    files
done
echo "but not with a warning, which each compilation shows"
echo '#warning seen' >> first.h
for i in 1 2; do
    $weftcc --precompiled-folder pre -include first.h -ptx a.cu -o first.ptx \
        2>&1 | grep -c 'warning: seen'
done
files
echo "one for all files with -rdc=true"
cp a.cu b.cu
for name in a b; do
    $weftcc --precompiled-folder pre -rdc=true -ptx $name.cu -o $name.ptx && files
done
echo "execution spaces that are merged"
cat > c.cu <<'C'
__device__ int plain(int);
int plain(int x) { return x; }
__global__ void kernel(int *p) { *p = plain(*p); }
C
$weftcc --precompiled-folder pre -fatbin c.cu -o c.fatbin && files
echo "another process that removes what has just been made"
cat > rival-clang <<'C'
#!/bin/bash
for ((i = 1; i < $#; i++)); do
    next=$((i + 1))
    [ "${!i}" = -include-pch ] && rm -f "${!next}" && echo "removed" >&2
done
exec "$REAL" "$@"
C
chmod +x rival-clang
REAL=$(command -v "${WEFT_CLANG:-clang-22}") WEFT_CLANG=$PWD/rival-clang \
    $weftcc --precompiled-folder pre -ptx a.cu -o rival.ptx 2> /dev/null
cmp rival.ptx without.ptx && echo the same
