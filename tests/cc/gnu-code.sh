# SPDX-License-Identifier: Apache-2.0
# Arrays of variable length with values, pointers to them, arithmetic on
# pointers to void: gcc's C++, which nvcc takes; and its headers of builtins and
# of 128-bit floats.
cat > a.cu <<'C'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <quadmath.h>
#include <x86intrin.h>

struct pair { short a, b; };

static int filled(int n)
{
    int a[n] = {1, n, };
    float none[n] = {}, x[n][2] = {1.5f, 2, 3};
    char c[n]
        = {'c'};
    pair p[n] = {0};
    cudaStream_t s[n] = {NULL};
    float rows[2][n] = {{1.5, 2.25f}, {}}, more[n][n * n] = {
        {4}, {5, 6.125, 7},
    };
    if (rows[0][1] != 2.25f || rows[1][0] || more[0][0] != 4 || more[0][1] ||
        more[1][2] != 7 || more[1][3] || more[n - 1][0])
        return -1;
    const char *text[n + 1] = {"a", "}"}; const int b[n] = {n}, *const c1[n] = {&a[0]};
    int sum = b[0] - c1[0][1];
    for (int i = 0; i < n; i++)
        sum += a[i] + (int)(x[i][0] * x[i][1]) + p[i].a + (s[i] != 0) + c[i];
    return sum + (text[1][0] == '}') + !text[n] + strcmp("\\N\Nb", "\\NNb");
}

template <class T> static T pointed(int n, int m)
{
    int (*a)[n] = (int (*)[n])calloc(n * n, sizeof(int)); T (*b)[n][m] = (T (*)[n][m])calloc(n * n * m, sizeof(T));
    a[n - 1][n - 1] = 3; b[1][2][3] = 4;
    T sum = ((int *)a)[n * n - 1] + ((T *)b)[(n + 2) * m + 3];
    free(a); free(b);
    return sum;
}

struct slice { void *base; int step; };

static void *moved(void *p, void **all, slice *s)
{
	void *q =	p + s->step;
    q += 2;
    q -= 1;
    q = *all + 1; q = (char *)(q) - 1; q = (void *)(q) - 1; q = s[0].base + ((char *)q - (char *)s->base);
    memcpy(q + sizeof(int), "x", 1);
    return (float *)(q + 4) + 1;
}

#define AFTER(p, n) ((p) + (n))

int main()
{
    char buffer[32] = "abcdefghijklmnopqrst";
    void *p = buffer;
    slice s = {p, 4};
    __float128 q = sqrtq(2) - M_SQRT2q;
    if (fabsq(q) > FLT128_EPSILON || cimagq(csqrtq(-4)) != 2)
        return 1;
    char *end = (char *)moved(p, &p, &s);
    if (!__rdtsc())
        return 1;
    printf("%d %g %td %s\n", filled(4), pointed<double>(3, 4), end - buffer, buffer);
}
C
$weftcc -w a.cu -o a -lquadmath && ./a
# A name that is no call does nothing.
cat > c.cu <<'C'
__global__ void k(int *p)
{
    *p = 3;
    __syncthreads;
    *p += 4;
}
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    k<<<1>>>(p); // one thread
    printf("%d %d\n", cudaDeviceSynchronize(), *p);
}
C
$weftcc -include stdio.h c.cu -o c 2>&1 | grep -v '^$' && ./c
# What is no code to nvcc either stays an error, of the file as it is.
cat > b.cu <<'C'
int main(int n, char **)
{
    void *p = &n, *q = p + n;
    return p - q;
}
C
$weftcc b.cu -o b 2>&1 | grep error
