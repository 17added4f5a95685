// SPDX-License-Identifier: Apache-2.0
//
// Memory of all kinds: copies in every direction and of every shape, pitched
// and 3-D allocations, memset and its 2-D and 3-D variants, pinned, mapped,
// registered and managed memory, attributes of pointers.
#include "check.h"

static std::vector<unsigned char> pattern(size_t n, unsigned seed)
{
    std::vector<unsigned char> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (unsigned char)scramble((unsigned)i + seed);
    return v;
}

static void check_directions()
{
    for (size_t size : {1, 3, 255, 4096, 100001}) {
        std::vector<unsigned char> in = pattern(size, 1), out(size),
                                   other(size);
        unsigned char *a, *b;
        CHECK(cudaMalloc(&a, size));
        CHECK(cudaMalloc(&b, size));
        EXPECT((size_t)a % 256 == 0 && (size_t)b % 256 == 0);
        CHECK(cudaMemcpy(a, in.data(), size, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(b, a, size, cudaMemcpyDeviceToDevice));
        CHECK(cudaMemcpy(out.data(), b, size, cudaMemcpyDeviceToHost));
        EXPECT(in == out);
        CHECK(cudaMemcpy(other.data(), out.data(), size, cudaMemcpyHostToHost));
        EXPECT(in == other);
        // The addresses tell the direction.
        std::fill(out.begin(), out.end(), 0);
        CHECK(cudaMemset(b, 0, size));
        CHECK(cudaMemcpy(a, in.data(), size, cudaMemcpyDefault));
        CHECK(cudaMemcpy(b, a, size, cudaMemcpyDefault));
        CHECK(cudaMemcpy(out.data(), b, size, cudaMemcpyDefault));
        EXPECT(in == out);
        // Parts, with odd offsets.
        if (size > 10) {
            CHECK(cudaMemcpy(a + 3, in.data(), size - 10,
                             cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(out.data(), a, size, cudaMemcpyDeviceToHost));
            EXPECT(!std::memcmp(out.data(), in.data(), 3));
            EXPECT(!std::memcmp(out.data() + 3, in.data(), size - 10));
            EXPECT(!std::memcmp(out.data() + size - 7, &in[size - 7], 7));
        }
        CHECK(cudaFree(a));
        CHECK(cudaFree(b));
    }
}

static void check_rows()
{
    const size_t width = 333, height = 57;
    size_t pitch = 0;
    unsigned char *pitched, *tight;
    CHECK(cudaMallocPitch((void **)&pitched, &pitch, width, height));
    CHECK(cudaMalloc(&tight, width * height));
    EXPECT(pitch >= width && pitch % 256 == 0);
    std::vector<unsigned char> in = pattern(width * height, 5);
    std::vector<unsigned char> out(width * height), strided(500 * height, 7);
    CHECK(cudaMemcpy2D(pitched, pitch, in.data(), width, width, height,
                       cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(tight, width, pitched, pitch, width, height,
                       cudaMemcpyDeviceToDevice));
    CHECK(
        cudaMemcpy(out.data(), tight, width * height, cudaMemcpyDeviceToHost));
    EXPECT(in == out);

    // A box of 100 x 20 from (30, 11) to (1, 2), into longer rows.
    CHECK(cudaMemcpy2D(strided.data() + 2 * 500 + 1, 500,
                       pitched + 11 * pitch + 30, pitch, 100, 20,
                       cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < strided.size(); i++) {
        size_t x = i % 500, y = i / 500;
        bool inside = x >= 1 && x < 101 && y >= 2 && y < 22;
        int want = inside ? in[(y + 9) * width + x + 29] : 7;
        if (strided[i] != want)
            FAIL("row %zu, column %zu is %d, should be %d", y, x, strided[i],
                 want);
    }

    CHECK(cudaMemset2D(pitched, pitch, 0xab, 100, 20));
    CHECK(cudaMemset2DAsync(pitched + 5 * pitch + 7, pitch, 0xcd, 3, 4, 0));
    CHECK(cudaMemcpy2D(out.data(), width, pitched, pitch, width, height,
                       cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < out.size(); i++) {
        size_t x = i % width, y = i / width;
        int want = x >= 7 && x < 10 && y >= 5 && y < 9 ? 0xcd
                   : x < 100 && y < 20                 ? 0xab
                                                       : in[i];
        if (out[i] != want)
            FAIL("memset2D: row %zu, column %zu is %d, should be %d", y, x,
                 out[i], want);
    }
    CHECK(cudaFree(pitched));
    CHECK(cudaFree(tight));
}

static void check_boxes()
{
    const size_t w = 70, h = 9, d = 6;
    cudaPitchedPtr device;
    CHECK(cudaMalloc3D(&device, make_cudaExtent(w, h, d)));
    EXPECT(device.pitch >= w && device.xsize == w && device.ysize == h);
    std::vector<unsigned char> in = pattern(w * h * d, 3), out(w * h * d, 1);

    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(in.data(), w, w, h);
    p.dstPtr = device;
    p.extent = make_cudaExtent(w, h, d);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    p = {};
    p.srcPtr = device;
    p.dstPtr = make_cudaPitchedPtr(out.data(), w, w, h);
    p.extent = make_cudaExtent(w, h, d);
    p.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&p, 0));
    CHECK(cudaDeviceSynchronize());
    EXPECT(in == out);

    // A box of 30 x 4 x 3 from (10, 2, 1) to (3, 1, 2).
    std::vector<unsigned char> box(w * h * d, 9);
    p.srcPos = make_cudaPos(10, 2, 1);
    p.dstPos = make_cudaPos(3, 1, 2);
    p.dstPtr = make_cudaPitchedPtr(box.data(), w, w, h);
    p.extent = make_cudaExtent(30, 4, 3);
    CHECK(cudaMemcpy3D(&p));
    for (size_t i = 0; i < box.size(); i++) {
        size_t x = i % w, y = i / w % h, z = i / w / h;
        bool inside = x >= 3 && x < 33 && y >= 1 && y < 5 && z >= 2 && z < 5;
        int want = inside ? in[((z - 1) * h + y + 1) * w + x + 7] : 9;
        if (box[i] != want)
            FAIL("box: %zu %zu %zu is %d, should be %d", x, y, z, box[i], want);
    }

    CHECK(cudaMemset3D(device, 0x11, make_cudaExtent(20, 3, 2)));
    p = {};
    p.srcPtr = device;
    p.dstPtr = make_cudaPitchedPtr(out.data(), w, w, h);
    p.extent = make_cudaExtent(w, h, d);
    p.kind = cudaMemcpyDefault;
    CHECK(cudaMemcpy3D(&p));
    for (size_t i = 0; i < out.size(); i++) {
        size_t x = i % w, y = i / w % h, z = i / w / h;
        int want = x < 20 && y < 3 && z < 2 ? 0x11 : in[i];
        if (out[i] != want)
            FAIL("memset3D: %zu %zu %zu is %d, should be %d", x, y, z, out[i],
                 want);
    }
    CHECK(cudaFree(device.ptr));
}

static void check_memset()
{
    const size_t n = 10007;
    buffer<unsigned char> data(n);
    std::vector<unsigned char> want = data.host;
    CHECK(cudaMemset(data.device + 11, 0x1ff, 5000)); // the low byte counts
    CHECK(cudaMemsetAsync(data.device + 6000, 0, 1, 0));
    CHECK(cudaMemset(data.device + 7000, 1, 0));
    std::fill(want.begin() + 11, want.begin() + 5011, 0xff);
    want[6000] = 0;
    data.download();
    expect_same("memset", data, want);
}

__global__ void increment(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i]++;
}

static void expect_incremented(const char *name, const int *data, int n)
{
    for (int i = 0; i < n; i++)
        if (data[i] != i + 1)
            FAIL("%s: element %d is %d", name, i, data[i]);
}

static void check_host_memory()
{
    const int n = 5000;
    for (unsigned flags :
         {(unsigned)cudaHostAllocDefault, (unsigned)cudaHostAllocPortable,
          (unsigned)cudaHostAllocMapped,
          (unsigned)(cudaHostAllocMapped | cudaHostAllocWriteCombined)}) {
        int *host, *device;
        unsigned got;
        CHECK(cudaHostAlloc(&host, n * sizeof(int), flags));
        for (int i = 0; i < n; i++)
            host[i] = i;
        CHECK(cudaHostGetDevicePointer(&device, host, 0));
        CHECK(cudaHostGetFlags(&got, host));
        EXPECT(got == (cudaHostAllocMapped | (flags & ~cudaHostAllocPortable)));
        increment<<<(n + 127) / 128, 128>>>(device, n);
        CHECK_KERNEL();
        expect_incremented("pinned", host, n);
        CHECK(cudaFreeHost(host));
    }

    std::vector<int> plain(n);
    int *device;
    for (int i = 0; i < n; i++)
        plain[i] = i;
    CHECK(cudaHostRegister(plain.data(), n * sizeof(int),
                           cudaHostRegisterMapped));
    EXPECT_ERROR(cudaHostRegister(plain.data(), n * sizeof(int), 0),
                 cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaHostGetDevicePointer(&device, plain.data(), 0));
    increment<<<(n + 127) / 128, 128>>>(device, n);
    CHECK_KERNEL();
    expect_incremented("registered", plain.data(), n);
    CHECK(cudaHostUnregister(plain.data()));
    EXPECT_ERROR(cudaHostUnregister(plain.data()),
                 cudaErrorHostMemoryNotRegistered);
}

__managed__ int managed_value = 40;
__managed__ int managed_array[500];

__global__ void use_managed(int *also)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 500) {
        managed_array[i] += also[i] + managed_value;
        also[i] = -i;
    }
}

static void check_managed()
{
    int *also;
    CHECK(cudaMallocManaged(&also, 500 * sizeof(int)));
    for (int i = 0; i < 500; i++) {
        also[i] = i;
        managed_array[i] = 1000 * i;
    }
    managed_value += 2;
    use_managed<<<4, 128>>>(also);
    CHECK_KERNEL();
    for (int i = 0; i < 500; i++) {
        EXPECT_EQ(managed_array[i], 1001 * i + 42);
        EXPECT_EQ(also[i], -i);
    }
    int value = 7;
    CHECK(cudaMemcpyToSymbol(managed_value, &value, sizeof(value)));
    EXPECT_EQ(managed_value, 7);
    CHECK(cudaFree(also));
}

static void check_attributes()
{
    int *device, *pinned, *managed, on_stack;
    CHECK(cudaMalloc(&device, 1000));
    CHECK(cudaMallocHost(&pinned, 1000));
    CHECK(cudaMallocManaged(&managed, 1000));
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, device + 7));
    EXPECT(a.type == cudaMemoryTypeDevice && a.device == 0);
    EXPECT(a.devicePointer == device + 7);
    CHECK(cudaPointerGetAttributes(&a, pinned));
    EXPECT(a.type == cudaMemoryTypeHost && a.hostPointer == pinned);
    CHECK(cudaPointerGetAttributes(&a, managed + 1));
    EXPECT(a.type == cudaMemoryTypeManaged);
    CHECK(cudaPointerGetAttributes(&a, &on_stack));
    EXPECT(a.type == cudaMemoryTypeUnregistered);

    size_t free_before, free_after, total;
    CHECK(cudaMemGetInfo(&free_before, &total));
    EXPECT(free_before <= total && total > 0);
    void *large;
    CHECK(cudaMalloc(&large, 64 << 20));
    CHECK(cudaMemGetInfo(&free_after, &total));
    EXPECT(free_after <= free_before);
    CHECK(cudaFree(large));
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
}

// Many allocations, freed in another order, all of them usable meanwhile.
static void check_many_allocations()
{
    const int n = 300;
    std::vector<int *> p(n);
    std::vector<int> size(n);
    for (int i = 0; i < n; i++) {
        size[i] = (int)(scramble(i) % 3000) + 1;
        CHECK(cudaMalloc(&p[i], size[i] * sizeof(int)));
        CHECK(cudaMemset(p[i], i & 0x7f, size[i] * sizeof(int)));
        if (i % 3 == 2) {
            CHECK(cudaFree(p[i - 1]));
            p[i - 1] = nullptr;
        }
    }
    for (int i = 0; i < n; i++) {
        if (!p[i])
            continue;
        std::vector<unsigned char> got(size[i] * sizeof(int));
        CHECK(cudaMemcpy(got.data(), p[i], got.size(), cudaMemcpyDeviceToHost));
        for (unsigned char c : got)
            EXPECT_EQ(c, i & 0x7f);
    }
    for (int k = 0; k < n; k++)
        CHECK(cudaFree(p[k * 7 % n]));
}

int main()
{
    check_directions();
    check_rows();
    check_boxes();
    check_memset();
    check_host_memory();
    check_managed();
    check_attributes();
    check_many_allocations();
    return finish();
}
