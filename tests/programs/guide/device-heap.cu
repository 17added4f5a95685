// SPDX-License-Identifier: Apache-2.0
//
// "Dynamic Global Memory Allocation": memory from the device's heap for each
// thread, for a block, and from one kernel to the next.
#include "../check.h"

// ---- for each thread --------------------------------------------------------

__global__ void from_every_thread(unsigned long long *addresses, int *right)
{
    size_t bytes = 123;
    char *memory = (char *)malloc(bytes);
    memset(memory, threadIdx.x, bytes);
    addresses[threadIdx.x] = (unsigned long long)memory;
    right[threadIdx.x] = 1;
    __syncthreads();
    for (size_t i = 0; i < bytes; i++)
        right[threadIdx.x] &= memory[i] == (char)threadIdx.x;
    free(memory);
}

static void per_thread()
{
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 128 * 1024 * 1024));
    size_t limit = 0;
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    EXPECT(limit >= 128 * 1024 * 1024);

    const int n = 5;
    buffer<unsigned long long> addresses(n);
    buffer<int> right(n);
    from_every_thread<<<1, n>>>(addresses.device, right.device);
    addresses.download();
    right.download();
    for (int i = 0; i < n; i++) {
        EXPECT(addresses[i] && addresses[i] % 16 == 0);
        EXPECT_EQ(right[i], 1);
        for (int j = 0; j < i; j++)
            EXPECT(addresses[i] >= addresses[j] + 123 ||
                   addresses[j] >= addresses[i] + 123);
    }
}

// ---- for a block ------------------------------------------------------------

// The first thread allocates for all, and the last to be done frees.
__global__ void from_first_thread(int *out)
{
    __shared__ int *data;
    if (threadIdx.x == 0) {
        size_t bytes = blockDim.x * 64 * sizeof(int);
        data = (int *)malloc(bytes);
        if (data)
            memset(data, 0, bytes);
    }
    __syncthreads();
    if (!data)
        return;

    // Neighbouring threads at neighbouring words.
    int *mine = data;
    for (int i = 0; i < 64; ++i)
        mine[i * blockDim.x + threadIdx.x] += threadIdx.x * i;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 64; ++i)
        sum += mine[i * blockDim.x + (threadIdx.x + 1) % blockDim.x];
    out[thread_in_grid()] = sum;

    __syncthreads();
    if (threadIdx.x == 0)
        free(data);
}

static void per_block()
{
    buffer<int> out(10 * 128);
    from_first_thread<<<10, 128>>>(out.device);
    out.download();
    for (int i = 0; i < 10 * 128; i++)
        EXPECT_EQ(out[i], (i % 128 + 1) % 128 * (63 * 64 / 2));
}

// ---- between kernels --------------------------------------------------------

const int BLOCKS = 20, THREADS = 10;
__device__ int *kept[BLOCKS];

__global__ void allocate()
{
    if (threadIdx.x == 0)
        kept[blockIdx.x] = (int *)malloc(blockDim.x * sizeof(int));
    __syncthreads();
    if (kept[blockIdx.x])
        kept[blockIdx.x][threadIdx.x] = 0;
}

__global__ void use()
{
    int *memory = kept[blockIdx.x];
    if (memory)
        memory[threadIdx.x] += threadIdx.x;
}

__global__ void show_and_free()
{
    int *memory = kept[blockIdx.x];
    if (memory)
        printf("block %d, thread %d: %d\n", blockIdx.x, threadIdx.x,
               memory[threadIdx.x]);
    if (threadIdx.x == 0)
        free(memory);
}

static void across_launches()
{
    std::string text = captured_stdout([] {
        allocate<<<BLOCKS, THREADS>>>();
        use<<<BLOCKS, THREADS>>>();
        use<<<BLOCKS, THREADS>>>();
        use<<<BLOCKS, THREADS>>>();
        show_and_free<<<BLOCKS, THREADS>>>();
        CHECK(cudaDeviceSynchronize());
    });
    int lines = 0;
    for (char c : text)
        lines += c == '\n';
    EXPECT_EQ(lines, BLOCKS * THREADS);
    for (int block = 0; block < BLOCKS; block++)
        for (int thread = 0; thread < THREADS; thread++) {
            char line[64];
            std::snprintf(line, sizeof line, "block %d, thread %d: %d\n", block,
                          thread, 3 * thread);
            EXPECT(text.find(line) != std::string::npos);
        }
}

int main()
{
    per_thread();
    per_block();
    across_launches();
    return finish();
}
