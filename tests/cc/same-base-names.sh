# SPDX-License-Identifier: Apache-2.0
# Two inputs of one base name, compiled at once: the passes of the one write
# no file of the other. The compiler that stands in here holds each device pass
# back until the other one has written its result.
mkdir sub met
cat > b.cu <<'C'
__global__ void first(int *p) { *p = 11; }
int run_first()
{
    int *d, h = 0;
    cudaMalloc(&d, 4);
    first<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    return h;
}
C
sed 's/first/second/g; s/11/22/' b.cu > sub/b.cu
cat > main.cpp <<'C'
#include <cstdio>
int run_first(), run_second();
int main() { std::printf("%d %d\n", run_first(), run_second()); }
C
cat > clang <<'C'
#!/bin/bash
for ((i = 1; i <= $#; i++)); do
    next=$((i + 1))
    [ "${!i}" = -o ] && output=${!next}
done
"$REAL" "$@" || exit
case "$*" in *--cuda-device-only*) ;; *) exit 0 ;; esac
echo "$output" >> outputs
: > "met/$$"
for _ in {1..400}; do
    [ "$(ls met | wc -l)" -ge 2 ] && exit 0
    sleep 0.05
done
C
chmod +x clang
export REAL=$(command -v "${WEFT_CLANG:-clang-22}")
WEFT_CLANG=$PWD/clang $weftcc -t 2 -rdc=true b.cu sub/b.cu main.cpp -o both &&
    ./both
sort -u outputs | grep -c 'b\.ptx$'
# Kept files get different names too.
$weftcc -rdc=true -keep -keep-dir kept b.cu sub/b.cu main.cpp -o again && ./again
ls kept | grep -c 'b\.ptx$'
