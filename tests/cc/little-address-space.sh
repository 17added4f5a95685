# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# A limit on address space (ulimit -v): less is reserved, and programs run.
# With far too little they say so, once. Skipped where sanitizers want more.
$weftcc $here/hello.cu -o hello || exit
cat > many.cu <<'C'
#include <cstdio>
__global__ void store(int *p) { *p = 1; }
int main()
{
    int *p = nullptr;
    if (cudaMalloc(&p, 1 << 20) == cudaErrorMemoryAllocation)
        std::puts("no memory");
    return 0;
}
C
$weftcc many.cu -o many
if ldd hello | grep -q -E 'lib[at]san' || nm -D "$(dirname "$weftcc")/../lib/libweft.so" | grep -q -E '__[at]san_init'; then
    echo "a sanitizer needs terabytes of address space"
    exit 77
fi
(ulimit -v 3000000 && ./hello)
(ulimit -v 100000 && ./many)
