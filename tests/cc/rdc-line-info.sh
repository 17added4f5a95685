# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# The lines of several files that are linked for the device: -lineinfo, -G.
cat > a.cu <<'C'
__device__ int g(int x);
__global__ void k(int *p)
{
    *p = g(*p) / 3;
}
C
cat > b.cu <<'C'
#include <stdio.h>

__global__ void k(int *p);
__device__ int g(int x)
{
    return x * 7;
}
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    *p = 9;
    k<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    printf("%d\n", *p);
    return 0;
}
C
for option in -lineinfo -G; do
    $weftcc $option -dc a.cu b.cu && $weftcc a.o b.o -o ab && ./ab
    $weftcc -dlink -fatbin a.o b.o -o ab.fatbin
    # Which lines of which file.
    grep -a -oE '^ *\.(file|loc) +[0-9]+ ("[^"]*"|[0-9]+)' ab.fatbin |
        awk '$1 == ".file" { sub(".*/", "", $3); sub("\"", "", $3); name[$2] = $3 }
             $1 == ".loc" && $3 { lines[$2] = lines[$2] " " $3 }
             END { for (f in lines) print name[f] lines[f] }' | sort |
        grep '^[ab].cu'
done
