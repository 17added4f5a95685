// SPDX-License-Identifier: Apache-2.0
// also: WEFT_WARPS=8
// also: WEFT_LANES=1
//
// Arrays of a thread's own that nobody else sees: elements of several sizes in
// one array, indices that are the same for all threads, for some, or for none,
// addresses that are compared and subtracted, in functions that call themselves
// and in loops that threads leave one by one.
#include "check.h"

struct record {
    double weight;
    int count;
    short kind[3];
    char name[7];
};

// Copied whole, changed in parts.
static __host__ __device__ long long records(int i)
{
    record r[5], copy;
    memset(r, 0, sizeof r);
    for (int k = 0; k < 5; k++) {
        r[k].weight = k * 0.25 + i;
        r[k].count = k - i;
        r[k].kind[(i + k) % 3] = (short)(i * k);
        r[k].name[(i * 3 + k) % 7] = (char)('a' + k);
    }
    for (int k = 0; k < 9; k++) {
        int from = scramble(i + k) % 5, to = scramble(i * 7 + k) % 5;
        memcpy(&copy, &r[from], sizeof copy);
        copy.name[k % 7]++;
        copy.weight += copy.kind[k % 3];
        r[to] = copy;
    }
    long long sum = 0;
    for (int k = 0; k < 5; k++) {
        sum = sum * 5 + (long long)(r[k].weight * 4) + r[k].count;
        for (int j = 0; j < 3; j++)
            sum = sum * 3 + r[k].kind[j];
        for (int j = 0; j < 7; j++)
            sum = sum * 3 + r[k].name[j];
    }
    return sum;
}

// Bytes that are read as words of other lengths, and the other way round.
static __host__ __device__ unsigned long long parts(int i)
{
    unsigned char bytes[64];
    unsigned long long all = 0;
    for (int k = 0; k < 64; k++)
        bytes[k] = (unsigned char)(scramble(i + k * 77));
    for (int k = 0; k < 12; k++) {
        unsigned short half;
        unsigned word;
        unsigned long long twice;
        memcpy(&half, bytes + scramble(i + k) % 32 * 2, 2);
        memcpy(&word, bytes + (i + k) % 16 * 4, 4);
        memcpy(&twice, bytes + k % 8 * 8, 8);
        all = all * 31 + half + word + twice;
        word += half;
        memcpy(bytes + k % 16 * 4, &word, 4);
        bytes[(i * 5 + k) % 64] ^= (unsigned char)twice;
        memcpy(bytes + scramble(k) % 8 * 8, &all, 8);
    }
    for (int k = 0; k < 64; k++)
        all = all * 3 + bytes[k];
    return all;
}

// Addresses in the array, compared and subtracted.
static __host__ __device__ int partition(int i)
{
    int a[20];
    for (int k = 0; k < 20; k++)
        a[k] = (int)(scramble(i * 20 + k) % 100);
    int *low = a, *high = a + 20, pivot = a[i % 20];
    while (low < high) {
        if (*low < pivot) {
            low++;
            continue;
        }
        int kept = *--high;
        *high = *low;
        *low = kept;
    }
    int sum = (int)(low - a) * 1000;
    for (const int *p = a; p != a + 20; p++)
        sum = sum * 3 + *p;
    return sum;
}

// Each call has its own array.
static __host__ __device__ __attribute__((noinline)) int descend(int n, int i)
{
    int kept[6];
    for (int k = 0; k < 6; k++)
        kept[k] = n * 10 + k + i;
    int below = n > 0 ? descend(n - 1 - i % 2, i + 1) : i;
    kept[(below & 1023) % 6] += below;
    int sum = 0;
    for (int k = 0; k < 6; k++)
        sum = sum * 3 + kept[(k + i) % 6];
    return sum;
}

static __host__ __device__ int recursion(int i)
{
    return descend(i % 9, i);
}

// A queue, a stack and what has been seen, in loops that threads leave when
// they are done.
static __host__ __device__ int search(int i)
{
    short queue[32], stack[32];
    bool seen[32];
    int first = 0, last = 0, top = 0, sum = 0;
    for (int k = 0; k < 32; k++)
        seen[k] = false;
    queue[last++] = (short)(i % 32);
    while (first < last) {
        int v = queue[first++];
        if (seen[v])
            continue;
        seen[v] = true;
        if (v % 5 == i % 3)
            stack[top++] = (short)v;
        for (int k = 1; k < 4; k++) {
            int to = (v * k + i) % 32;
            if (last == 32)
                break;
            if (!seen[to])
                queue[last++] = (short)to;
        }
        if (sum > 5000 + i)
            return sum;
        sum = sum * 2 + v;
    }
    while (top > 0)
        sum = sum * 3 + stack[--top];
    return sum;
}

static __host__ __device__ double volatiles(int i)
{
    volatile double a[4];
    volatile char b[4];
    for (int k = 0; k < 4; k++) {
        a[k] = i * 0.5 + k;
        b[k] = (char)(i + k);
    }
    a[i % 4] = a[(i + 1) % 4] * b[2];
    b[i % 3] = b[(i + 2) % 4];
    return a[0] + a[1] * 2 + a[2] * 3 + a[3] * 4 + b[0] + b[1] + b[i % 4];
}

// Rows of a two-dimensional block have an index in common; the warps of a block
// go on together between barriers.
__global__ void rows(int *out, int turns)
{
    __shared__ int all[128];
    int me = threadIdx.y * blockDim.x + threadIdx.x;
    int a[8];
    for (int k = 0; k < 8; k++)
        a[k] = me + k;
    for (int t = 0; t < turns; t++) {
        all[me] = a[(t + threadIdx.y) % 8];
        __syncthreads();
        if (t % 3 != (int)threadIdx.y % 3)
            a[(threadIdx.y + 1) % 8] += all[(me + 37) % 128];
        __syncthreads();
    }
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum = sum * 5 + a[(k + me) % 8];
    out[me] = sum;
}

static void check_rows(int width)
{
    const int turns = 9;
    buffer<int> out(128);
    std::vector<int> want(128);
    static int a[128][8], all[128];
    for (int me = 0; me < 128; me++)
        for (int k = 0; k < 8; k++)
            a[me][k] = me + k;
    for (int t = 0; t < turns; t++) {
        for (int me = 0; me < 128; me++)
            all[me] = a[me][(t + me / width) % 8];
        for (int me = 0; me < 128; me++)
            if (t % 3 != me / width % 3)
                a[me][(me / width + 1) % 8] += all[(me + 37) % 128];
    }
    for (int me = 0; me < 128; me++)
        for (int k = 0; k < 8; k++)
            want[me] = want[me] * 5 + a[me][(k + me) % 8];
    rows<<<1, dim3(width, 128 / width)>>>(out.device, turns);
    out.download();
    expect_same("rows", out, want);
}

int main()
{
    CHECK_MAP(long long, records, 300);
    CHECK_MAP(unsigned long long, parts, 300);
    CHECK_MAP(int, partition, 300);
    CHECK_MAP(int, recursion, 300);
    CHECK_MAP(int, search, 300);
    CHECK_MAP(double, volatiles, 300);
    check_rows(8);
    check_rows(16);
    check_rows(64);
    return finish();
}
