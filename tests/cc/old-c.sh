# SPDX-License-Identifier: Apache-2.0
# C that is older than C99, beside a kernel: gcc warns, and so does nvcc.
cat > old.c <<'END'
#include <stdio.h>
extern double *half_of();
seven() { return 7; }
twice(n) { return 2 * n; }
static void nothing(int n) { if (n) return; }
static int missing(int n) { if (n) return; return n; }
int launch_here();
main()
{
    char text[8];
    int *from = half_of();
    long number = text;
    nothing(missing(0));
    sprintf(text, "%d", twice(seven()));
    if (strcmp(text, "14") != 0 || !number || from)
        return 1;
    return launch_here();
}
END
cat > kernel.cu <<'END'
#include <cstdio>
__global__ void set(int *p) { *p = 14; }
extern "C" double *half_of() { return nullptr; }
extern "C" int launch_here()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    set<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    std::printf("%d\n", *p);
    return *p != 14;
}
END
$weftcc old.c kernel.cu -o program 2> messages || cat messages
grep -c 'warning: ' messages > /dev/null && echo warned
./program
