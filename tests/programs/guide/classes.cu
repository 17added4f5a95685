// SPDX-License-Identifier: Apache-2.0
//
// The examples of "C/C++ Language Support": a class with operators, classes
// with virtual functions that live in a pool of the device's memory, class
// templates, functors, and kernels for types that nobody else may name.
#include <new>

#include "../check.h"

// ---- a class of data --------------------------------------------------------

class pixel
{
  public:
    __host__ __device__ pixel() : r_(0), g_(0), b_(0), a_(0)
    {
    }
    __host__ __device__ pixel(unsigned char r, unsigned char g, unsigned char b,
                              unsigned char a = 255)
        : r_(r), g_(g), b_(b), a_(a)
    {
    }
    __host__ __device__ unsigned bits() const
    {
        return r_ | g_ << 8 | b_ << 16 | (unsigned)a_ << 24;
    }

  private:
    unsigned char r_, g_, b_, a_;
    friend __host__ __device__ pixel operator+(const pixel &, const pixel &);
};

__host__ __device__ pixel operator+(const pixel &p, const pixel &q)
{
    return pixel(p.r_ + q.r_, p.g_ + q.g_, p.b_ + q.b_, p.a_ + q.a_);
}

static __host__ __device__ unsigned mixed_pixel(int i)
{
    pixel one = pixel(i, 2 * i, 3 * i), two = pixel(1, 2, 3, 4), none;
    return (one + two + none).bits();
}

static void data_class()
{
    EXPECT_EQ(mixed_pixel(1), 2 | 4 << 8 | 6 << 16 | 3u << 24);
    CHECK_MAP(unsigned, mixed_pixel, 300);
}

// ---- virtual functions ------------------------------------------------------

// Gives out the places of an array of the device's, one by one.
struct pool {
    char *memory;
    size_t bytes;
    unsigned long long *used;

    __device__ void *allocate(size_t n)
    {
        unsigned long long at = atomicAdd(used, (n + 15) / 16 * 16);
        return at + n <= bytes ? memory + at : nullptr;
    }
};

class shape
{
  public:
    __device__ shape()
    {
    }
    __device__ void put(int *out)
    {
        out[0] = area();
        out[1] = corners();
    }
    __device__ virtual int area()
    {
        return 0;
    }
    __device__ virtual int corners() = 0;
    __device__ virtual ~shape()
    {
    }
    __device__ void *operator new(size_t bytes, pool &p)
    {
        return p.allocate(bytes);
    }
    __device__ void operator delete(void *, pool &)
    {
    }
    __device__ void operator delete(void *)
    {
    }
};

class point : public shape
{
  public:
    __device__ int corners() override
    {
        return 1;
    }
};

class rectangle : public shape
{
  public:
    __device__ rectangle(int width, int height) : width_(width), height_(height)
    {
    }
    __device__ int area() override
    {
        return width_ * height_;
    }
    __device__ int corners() override
    {
        return 4;
    }

  private:
    int width_, height_;
};

__global__ void make_shapes(pool p, shape **shapes)
{
    int i = thread_in_grid();
    if (i % 3 == 0)
        shapes[i] = new (p) point();
    else
        shapes[i] = new (p) rectangle(i, i % 3);
}

__global__ void ask_shapes(shape **shapes, int *out)
{
    int i = thread_in_grid();
    shapes[i]->put(&out[2 * i]);
    delete shapes[i];
}

static void virtual_functions()
{
    const int n = 128;
    buffer<char> memory(n * 32);
    buffer<unsigned long long> used(1, 0);
    buffer<shape *> shapes(n);
    buffer<int> out(2 * n);
    make_shapes<<<2, 64>>>({memory.device, memory.bytes(), used.device},
                           shapes.device);
    ask_shapes<<<2, 64>>>(shapes.device, out.device);
    out.download();
    for (int i = 0; i < n; i++) {
        EXPECT_EQ(out[2 * i], i % 3 ? i * (i % 3) : 0);
        EXPECT_EQ(out[2 * i + 1], i % 3 ? 4 : 1);
    }
}

// ---- class templates --------------------------------------------------------

template <class T> class values
{
  public:
    __device__ values(T a, T b) : a_(a), b_(b)
    {
    }
    __device__ T sum() const
    {
        return a_ + b_;
    }
    __device__ static T of(void *memory, int i)
    {
        T *typed = (T *)memory;
        return values<T>(typed[i], typed[i + 1]).sum();
    }

  private:
    T a_, b_;
};

template <class T> __global__ void sums_in_place(void *memory, int n)
{
    values<T> ends(((T *)memory)[0], ((T *)memory)[n - 1]);
    T sum = values<T>::of(memory, threadIdx.x % (n - 1));
    __syncthreads();
    ((T *)memory)[threadIdx.x] = threadIdx.x ? sum : ends.sum();
}

__device__ double device_memory[64];

template <class T> static void sums_of()
{
    const int n = 64;
    T host[n], got[n];
    for (int i = 0; i < n; i++)
        host[i] = (T)(i * 3 + 1);
    CHECK(cudaMemcpyToSymbol(device_memory, host, sizeof host));
    void *address;
    CHECK(cudaGetSymbolAddress(&address, device_memory));
    sums_in_place<T><<<1, n>>>(address, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpyFromSymbol(got, device_memory, sizeof got));
    EXPECT(got[0] == host[0] + host[n - 1]);
    for (int i = 1; i < n; i++)
        EXPECT(got[i] == host[i % (n - 1)] + host[i % (n - 1) + 1]);
}

static void class_templates()
{
    sums_of<int>();
    sums_of<float>();
    sums_of<double>();
}

// ---- functors ---------------------------------------------------------------

template <typename O, typename T>
__global__ void for_all(O operation, const T *a, const T *b, T *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = operation(a[i], b[i]);
}

class adding
{
  public:
    __device__ float operator()(float a, float b) const
    {
        return a + b;
    }
};

class scaling
{
  public:
    explicit scaling(float factor) : factor_(factor)
    {
    }
    __device__ float operator()(float a, float b) const
    {
        return a * factor_ - b;
    }

  private:
    float factor_;
};

static void functors()
{
    const int n = 300;
    buffer<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i + 1);
    }
    a.upload();
    b.upload();
    for_all<<<3, 128>>>(adding(), a.device, b.device, c.device, n);
    c.download();
    for (int i = 0; i < n; i++)
        EXPECT(c[i] == a[i] + b[i]);
    for_all<<<3, 128>>>(scaling(4), a.device, b.device, c.device, n);
    c.download();
    for (int i = 0; i < n; i++)
        EXPECT(c[i] == 4 * a[i] - b[i]);
}

// ---- types without a name elsewhere -----------------------------------------

template <typename T> __global__ void sizes(T value, int *out)
{
    *out = (int)sizeof value + (int)value.number;
}

// The guide forbids kernels for types that are private or local, nvcc too; here
// they are taken.
class keeper
{
    struct secret {
        double number;
        char letters[9];
    };

  public:
    static int launch(int *out)
    {
        sizes<secret><<<1, 1>>>({3}, out);
        return sizeof(secret) + 3;
    }
};

static void private_types()
{
    struct local {
        int number;
        short more[3];
    };
    buffer<int> out(1);
    int want = keeper::launch(out.device);
    out.download();
    EXPECT_EQ(out[0], want);
    sizes<local><<<1, 1>>>({-2}, out.device);
    out.download();
    EXPECT_EQ(out[0], sizeof(local) - 2);
}

int main()
{
    data_class();
    virtual_functions();
    class_templates();
    functors();
    private_types();
    return finish();
}
