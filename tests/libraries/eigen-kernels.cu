// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 --expt-relaxed-constexpr -I/usr/include/eigen3
// Eigen's fixed-size matrices inside kernels, against the same on the host.
#include <cstdio>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

using Matrix = Eigen::Matrix3f;
using Vector = Eigen::Vector3f;

struct Answer {
    Matrix product, inverse;
    Vector solved, crossed, eigenvalues;
    float determinant, norm;
};

__host__ __device__ Matrix matrix_of(int i)
{
    Matrix m;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m(r, c) = (float)((i * 7 + r * 5 + c * 3) % 11) + (r == c ? 12 : 0);
    return m;
}

__host__ __device__ void work(int i, Answer *out)
{
    Matrix m = matrix_of(i), symmetric = m + m.transpose();
    Vector v((float)(i % 5), 2, (float)(i % 3) - 1);
    out->product = m * symmetric;
    out->inverse = m.inverse();
    out->solved = out->inverse * v;
    out->crossed = v.cross(m.col(1));
    out->determinant = m.determinant();
    out->norm = (m * v).norm();
    Eigen::SelfAdjointEigenSolver<Matrix> solver;
    solver.computeDirect(symmetric);
    out->eigenvalues = solver.eigenvalues();
}

__global__ void kernel(Answer *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        work(i, out + i);
}

template <class A, class B> static bool is_close(const A &a, const B &b)
{
    return (a - b).norm() <= 1e-4f * (1 + b.norm());
}

int main()
{
    const int count = 1000;
    Answer *got, want;
    int wrong = 0;
    cudaMallocManaged(&got, count * sizeof *got);
    kernel<<<(count + 127) / 128, 128>>>(got, count);
    cudaDeviceSynchronize();
    for (int i = 0; i < count; i++) {
        work(i, &want);
        bool ok = is_close(got[i].product, want.product) &&
                  is_close(got[i].inverse, want.inverse) &&
                  is_close(got[i].solved, want.solved) &&
                  is_close(got[i].crossed, want.crossed) &&
                  is_close(got[i].eigenvalues, want.eigenvalues) &&
                  fabsf(got[i].determinant - want.determinant) <=
                      1e-3f * fabsf(want.determinant) &&
                  fabsf(got[i].norm - want.norm) <= 1e-4f * want.norm;
        wrong += !ok;
    }
    printf("%d matrices, %d wrong\n", count, wrong);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
