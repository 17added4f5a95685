// SPDX-License-Identifier: Apache-2.0
//
// nvcuda::wmma: every shape, type and layout against the product on the host,
// elements changed in the fragment, and a tiled product as the guide builds it.
#include "check.h"

#include <mma.h>

using namespace nvcuda;
namespace small = wmma::experimental::precision;

// ---- one product -----------------------------------------------------------

template <typename T> struct kept { // in memory
    typedef T type;
};
template <> struct kept<wmma::precision::tf32> {
    typedef float type;
};

template <int M, int N, int K, typename T, typename S, typename A, typename B>
__global__ void multiply(const typename kept<T>::type *a,
                         const typename kept<T>::type *b, const S *c, S *d,
                         int lda, int ldb, int ldc, wmma::layout_t layout)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, A> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, B> fb;
    wmma::fragment<wmma::accumulator, M, N, K, S> sum;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(sum, c, ldc, layout);
    wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(d, sum, ldc, layout);
}

static float number(half v)
{
    return __half2float(v);
}
static float number(__nv_bfloat16 v)
{
    return __bfloat162float(v);
}
template <typename T> static T number(T v)
{
    return v;
}

template <typename T> static T small_number(int i)
{
    int v = (int)(scramble(i) % 9) - 4;
    return (T)(float)((T)-1 < (T)0 ? v : abs(v));
}
template <> half small_number<half>(int i)
{
    return __float2half((float)(scramble(i) % 9) - 4);
}
template <> __nv_bfloat16 small_number<__nv_bfloat16>(int i)
{
    return __float2bfloat16((float)(scramble(i) % 9) - 4);
}

static const bool by_row = false, by_column = true;

static int place(bool is_column, int row, int column, int ld)
{
    return is_column ? column * ld + row : row * ld + column;
}

template <int M, int N, int K, typename T, typename S, typename A, typename B>
static void check(const char *name, bool a_columns, bool b_columns,
                  bool c_columns)
{
    typedef typename kept<T>::type element;
    int lda = (a_columns ? M : K) + 16, ldb = (b_columns ? K : N) + 16;
    int ldc = (c_columns ? M : N) + 16;
    buffer<element> a(48 * 48), b(48 * 48);
    buffer<S> c(48 * 48), d(48 * 48);
    std::vector<S> want(48 * 48, S());

    for (int i = 0; i < 48 * 48; i++) {
        a.host[i] = small_number<element>(3 * i);
        b.host[i] = small_number<element>(3 * i + 1);
        c.host[i] = small_number<S>(3 * i + 2);
        d.host[i] = S();
    }
    a.upload();
    b.upload();
    c.upload();
    d.upload();
    multiply<M, N, K, T, S, A, B>
        <<<1, 32>>>(a.device, b.device, c.device, d.device, lda, ldb, ldc,
                    c_columns ? wmma::mem_col_major : wmma::mem_row_major);
    d.download();
    for (int row = 0; row < M; row++)
        for (int column = 0; column < N; column++) {
            int at = place(c_columns, row, column, ldc);
            double sum = (double)number(c.host[at]);
            for (int k = 0; k < K; k++)
                sum += (double)number(a.host[place(a_columns, row, k, lda)]) *
                       (double)number(b.host[place(b_columns, k, column, ldb)]);
            want[at] = (S)(float)sum;
        }
    expect_same(name, d, want);
}

template <int M, int N, int K, typename T, typename S>
static void check_layouts(const char *name)
{
    typedef wmma::row_major row;
    typedef wmma::col_major column;

    check<M, N, K, T, S, row, row>(name, by_row, by_row, by_column);
    check<M, N, K, T, S, row, column>(name, by_row, by_column, by_row);
    check<M, N, K, T, S, column, row>(name, by_column, by_row, by_row);
    check<M, N, K, T, S, column, column>(name, by_column, by_column, by_column);
}

template <typename T, typename S> static void check_shapes(const char *name)
{
    check_layouts<16, 16, 16, T, S>(name);
    check_layouts<32, 8, 16, T, S>(name);
    check_layouts<8, 32, 16, T, S>(name);
}

// ---- four bits, one bit ----------------------------------------------------

template <typename T, int K>
__global__ void multiply_small(const int *a, const int *b, int *d, bool is_and)
{
    wmma::fragment<wmma::matrix_a, 8, 8, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, K, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, K, int> sum;
    wmma::fill_fragment(sum, 5);
    wmma::load_matrix_sync(fa, a, K);
    wmma::load_matrix_sync(fb, b, K);
    if constexpr (K == 128)
        wmma::bmma_sync(sum, fa, fb, sum,
                        is_and ? wmma::experimental::bmmaBitOpAND
                               : wmma::experimental::bmmaBitOpXOR);
    else
        wmma::mma_sync(sum, fa, fb, sum);
    wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

static int packed(const std::vector<int> &v, int i, int bits, bool is_signed)
{
    int x = (unsigned)v[i * bits / 32] >> i * bits % 32 & ((1 << bits) - 1);
    return is_signed && x >> (bits - 1) ? x - (1 << bits) : x;
}

template <typename T, int K>
static void check_small(const char *name, int bits, bool is_signed, bool is_and)
{
    buffer<int> a(8 * K * bits / 32), b(8 * K * bits / 32), d(64);
    std::vector<int> want(64);

    for (int i = 0; i < 8 * K * bits / 32; i++) {
        a.host[i] = (int)(scramble(2 * i) * 2654435761u);
        b.host[i] = (int)(scramble(2 * i + 1) * 2654435761u);
    }
    a.upload();
    b.upload();
    multiply_small<T, K><<<1, 32>>>(a.device, b.device, d.device, is_and);
    d.download();
    for (int i = 0; i < 64; i++) {
        want[i] = 5;
        for (int k = 0; k < K; k++) {
            int x = packed(a.host, i / 8 * K + k, bits, is_signed);
            int y = packed(b.host, i % 8 * K + k, bits, is_signed);
            want[i] += bits > 1 ? x * y : is_and ? x & y : x ^ y;
        }
    }
    expect_same(name, d, want);
}

// ---- elements --------------------------------------------------------------

// What a thread does to each of its elements happens to the whole matrix.
__global__ void change_elements(half *out, float *sums)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> h;

    wmma::fill_fragment(a, __float2half(2.0f));
    wmma::fill_fragment(b, __float2half(0.5f));
    wmma::fill_fragment(c, 1.0f);
    wmma::mma_sync(c, a, b, c);
    for (int i = 0; i < c.num_elements; i++)
        c.x[i] = c.x[i] * 2 + 3;
    wmma::store_matrix_sync(sums, c, 16, wmma::mem_row_major);
    for (int i = 0; i < h.num_elements; i++)
        h.x[i] = __float2half(c.x[i] - 30);
    wmma::store_matrix_sync(out, h, 16, wmma::mem_col_major);
}

static void check_elements()
{
    buffer<half> out(256);
    buffer<float> sums(256);

    change_elements<<<1, 32>>>(out.device, sums.device);
    out.download();
    sums.download();
    for (int i = 0; i < 256; i++) {
        EXPECT_EQ(sums.host[i], 37);
        EXPECT_EQ(__half2float(out.host[i]), 7);
    }
}

__global__ void round_to_tf32(float *v)
{
    v[threadIdx.x] = wmma::__float_to_tf32(v[threadIdx.x]);
}

static void check_rounding()
{
    buffer<float> v(32);

    for (int i = 0; i < 32; i++)
        v.host[i] = 1 + ldexpf((float)i, -13);
    v.upload();
    round_to_tf32<<<1, 32>>>(v.device);
    v.download();
    for (int i = 0; i < 32; i++)
        EXPECT(v.host[i] == 1 + ldexpf((float)((i + 4) / 8), -10));
}

// ---- a tiled product -------------------------------------------------------

const int size = 96, warps = 4;

// Each warp has a tile of D; the block keeps tiles of A and B in shared memory.
__global__ void tiled(const half *a, const half *b, float *d, float alpha)
{
    __shared__ half as[32][24], bs[16][40];
    int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    int top = blockIdx.y * 32, left = blockIdx.x * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;

    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < size; k += 16) {
        for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x) {
            as[i / 16][i % 16] = a[(top + i / 16) * size + k + i % 16];
            bs[i / 32][i % 32] = b[(k + i / 32) * size + left + i % 32];
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
        wmma::load_matrix_sync(fa, &as[row][0], 24);
        wmma::load_matrix_sync(fb, &bs[0][column], 40);
        wmma::mma_sync(sum, fa, fb, sum);
        __syncthreads();
    }
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] *= alpha;
    wmma::store_matrix_sync(d + (top + row) * size + left + column, sum, size,
                            wmma::mem_row_major);
}

static void check_tiled()
{
    buffer<half> a(size * size), b(size * size);
    buffer<float> d(size * size);
    std::vector<float> want(size * size);

    for (int i = 0; i < size * size; i++) {
        a.host[i] = small_number<half>(2 * i);
        b.host[i] = small_number<half>(2 * i + 1);
    }
    a.upload();
    b.upload();
    tiled<<<dim3(size / 32, size / 32), 32 * warps>>>(a.device, b.device,
                                                      d.device, 0.5f);
    d.download();
    for (int i = 0; i < size * size; i++) {
        float sum = 0;
        for (int k = 0; k < size; k++)
            sum += __half2float(a.host[i / size * size + k]) *
                   __half2float(b.host[k * size + i % size]);
        want[i] = 0.5f * sum;
    }
    expect_same("a tiled product", d, want);
}

int main()
{
    check_shapes<half, float>("half to float");
    check_layouts<16, 16, 16, half, half>("half to half");
    check_shapes<__nv_bfloat16, float>("bfloat16");
    check_shapes<signed char, int>("signed char");
    check_layouts<16, 16, 16, unsigned char, int>("unsigned char");
    check_layouts<16, 16, 8, wmma::precision::tf32, float>("tf32");
    check_layouts<8, 8, 4, double, double>("double");
    check_small<small::s4, 32>("s4", 4, true, false);
    check_small<small::u4, 32>("u4", 4, false, false);
    check_small<small::b1, 128>("b1, xor", 1, false, false);
    check_small<small::b1, 128>("b1, and", 1, false, true);
    check_elements();
    check_rounding();
    check_tiled();
    return finish();
}
