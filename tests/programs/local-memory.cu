// SPDX-License-Identifier: Apache-2.0
//
// Memory of a thread's own: arrays with an index known only at run time,
// structures in them, pointers to local, shared and global variables handed to
// functions that are not inlined, pointers that may be any of the three.
#include "check.h"

static __host__ __device__ int sorted_middle(int i)
{
    int v[15];
    for (int k = 0; k < 15; k++)
        v[k] = (int)(scramble(i * 15 + k) % 1000);
    for (int a = 1; a < 15; a++) { // insertion sort: indices vary by lane
        int x = v[a], b = a - 1;
        while (b >= 0 && v[b] > x) {
            v[b + 1] = v[b];
            b--;
        }
        v[b + 1] = x;
    }
    return v[7] * 1000 + v[i % 15];
}

static __host__ __device__ int small_stack(int i)
{
    // A stack of tasks instead of recursion.
    short low[24], high[24];
    int top = 0, sum = 0;
    low[top] = 0;
    high[top++] = (short)(i % 60);
    while (top > 0) {
        int a = low[--top], b = high[top];
        if (b - a < 3 + i % 4) {
            sum += a * b;
            continue;
        }
        low[top] = (short)a;
        high[top++] = (short)((a + b) / 2);
        low[top] = (short)((a + b) / 2);
        high[top++] = (short)b;
    }
    return sum;
}

static __host__ __device__ int bytes(int i)
{
    unsigned char text[32];
    int length = 0;
    unsigned x = scramble(i);
    do
        text[length++] = (unsigned char)('0' + x % 10);
    while (x /= 10);
    int sum = 0;
    for (int k = 0; k < length; k++)
        sum = sum * 7 + text[length - 1 - k];
    return sum;
}

struct item {
    double weight;
    short id;
    float3 at;
};

static __host__ __device__ double structures(int i)
{
    item items[6];
    for (int k = 0; k < 6; k++) {
        items[k].weight = k * 0.5;
        items[k].id = (short)(k * i);
        items[k].at = {(float)k, (float)i, 1.0f};
    }
    item &chosen = items[scramble(i) % 6];
    chosen.weight += 100;
    items[i % 6] = chosen;
    double sum = 0;
    for (const item &x : items)
        sum += x.weight + x.id + x.at.x + x.at.y;
    return sum;
}

__device__ __noinline__ void bump(int *p, int by)
{
    *p += by;
}

__device__ __noinline__ int total(const int *p, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + p[i];
    return sum;
}

// The same functions get pointers into all kinds of memory.
__global__ void pointers(int *out, int *global)
{
    __shared__ int shared[64];
    int i = threadIdx.x, at = blockIdx.x * 64 + i;
    int local[8];
    for (int k = 0; k < 8; k++)
        local[k] = k * i;
    shared[i] = i;
    bump(&local[i % 8], 100);
    bump(&shared[i], 200);
    bump(&global[at], 300);

    int *any = i % 3 == 0 ? &local[3] : i % 3 == 1 ? &shared[i] : &global[at];
    bump(any, 7);
    out[at] = total(local, 8) + 5 * shared[i] + global[at];
}

static void check_pointers()
{
    buffer<int> out(128), global(128);
    std::vector<int> want(128);
    for (int at = 0; at < 128; at++) {
        int i = at % 64, local[8], shared = i + 200;
        global[at] = at;
        int mine = at + 300;
        for (int k = 0; k < 8; k++)
            local[k] = k * i + (k == i % 8 ? 100 : 0);
        (i % 3 == 0 ? local[3] : i % 3 == 1 ? shared : mine) += 7;
        int sum = 0;
        for (int k = 0; k < 8; k++)
            sum = sum * 3 + local[k];
        want[at] = sum + 5 * shared + mine;
    }
    global.upload();
    pointers<<<2, 64>>>(out.device, global.device);
    out.download();
    expect_same("pointers", out, want);
}

// Linked in local memory: each lane walks its own list.
struct node {
    int value;
    node *next;
};

__global__ void lists(int *out, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    node nodes[10];
    node *head = nullptr;
    for (int k = 0; k < 10; k++) {
        if ((i + k) % 3 == 0)
            continue;
        nodes[k].value = i * k;
        nodes[k].next = head;
        head = &nodes[k];
    }
    int sum = 0;
    for (node *p = head; p; p = p->next)
        sum = sum * 2 + p->value;
    out[i] = sum;
}

static void check_lists()
{
    const int n = 100;
    buffer<int> out(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        for (int k = 9; k >= 0; k--)
            if ((i + k) % 3)
                want[i] = want[i] * 2 + i * k;
    lists<<<2, 64>>>(out.device, n);
    out.download();
    expect_same("lists", out, want);
}

// A frame of 135,200 bytes a thread, as a user once had.
__global__ void large_frame(int *out)
{
    int values[33800];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 33800; k++)
        values[k] = i + k;
    int at = i * 331 % 33800;
    values[at] += 1000000;
    out[i] = values[at] + values[33799 - at];
}

static void check_large_frame()
{
    const int n = 64;
    buffer<int> out(n);
    std::vector<int> want(n);
    for (int i = 0; i < n; i++)
        want[i] = i + i * 331 % 33800 + 1000000 + i + 33799 - i * 331 % 33800;
    large_frame<<<2, 32>>>(out.device);
    out.download();
    expect_same("large frame", out, want);
}

__global__ void which_space(int *out, int *global)
{
    __shared__ int shared;
    int local = threadIdx.x;
    int *p = &local;
    bump(p, 1);
    shared = 1;
    out[0] = __isGlobal(global);
    out[1] = __isShared(&shared);
    out[2] = __isLocal(p);
    out[3] = __isShared(global);
    out[4] = __isGlobal(p);
    out[5] = local + shared;
}

static void check_which_space()
{
    buffer<int> out(6), global(1);
    which_space<<<1, 1>>>(out.device, global.device);
    out.download();
    const int want[6] = {1, 1, 1, 0, 0, 2};
    for (int i = 0; i < 6; i++)
        EXPECT_EQ(i < 5 ? out[i] != 0 : out[i], want[i]);
}

__device__ int module_variable[2048];

__global__ void which_space_by_warps(int *locals)
{
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        module_variable[i] = i;
    __syncthreads();
    int *p = &module_variable[threadIdx.x];
    if (!__isGlobal(p) || __isLocal(p) || !__isGlobal(locals))
        atomicAdd(locals, 1);
}

/* Each warp has a stack of its own, and the highest of them ends where device
 * memory begins. */
static void check_which_space_by_warps()
{
    buffer<int> locals(1);
    locals[0] = 0;
    locals.upload();
    for (int block : {32, 64, 512, 1024}) {
        which_space_by_warps<<<16, block>>>(locals.device);
        locals.download();
        EXPECT_EQ(locals[0], 0);
    }
}

int main()
{
    const int n = 300;
    CHECK_MAP(int, sorted_middle, n);
    CHECK_MAP(int, small_stack, n);
    CHECK_MAP(int, bytes, n);
    CHECK_MAP(double, structures, n);
    check_pointers();
    check_lists();
    check_large_frame();
    check_which_space();
    check_which_space_by_warps();
    return finish();
}
