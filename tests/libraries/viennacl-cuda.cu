// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17
// ViennaCL's CUDA back end: dense and sparse products, norms, a solver.
#define VIENNACL_WITH_CUDA
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

static void say(const char *name, bool ok)
{
    printf("%-16s %s\n", name, ok ? "right" : "WRONG");
}

int main()
{
    const int n = 200;
    std::vector<float> x(n), y(n), got(n);
    for (int i = 0; i < n; i++) {
        x[i] = 0.01f * i;
        y[i] = 1 - 0.005f * i;
    }
    viennacl::vector<float> dx(n), dy(n), dz(n);
    viennacl::copy(x, dx);
    viennacl::copy(y, dy);
    dz = 2.0f * dx + dy;
    viennacl::copy(dz, got);
    bool ok = true;
    double dot = 0;
    for (int i = 0; i < n; i++) {
        ok &= fabsf(got[i] - (2 * x[i] + y[i])) < 1e-5f;
        dot += (double)x[i] * y[i];
    }
    say("vector", ok);
    float inner = viennacl::linalg::inner_prod(dx, dy);
    say("inner_prod", fabs(inner - dot) < 1e-3 * fabs(dot));

    std::vector<std::vector<float>> a(n, std::vector<float>(n)), c = a;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = (float)((i * 3 + j * 5) % 7) - 3;
    viennacl::matrix<float> da(n, n), dc(n, n);
    viennacl::copy(a, da);
    dc = viennacl::linalg::prod(da, da);
    viennacl::copy(dc, c);
    ok = true;
    for (int i = 0; i < n; i += 17)
        for (int j = 0; j < n; j += 13) {
            float want = 0;
            for (int k = 0; k < n; k++)
                want += a[i][k] * a[k][j];
            ok &= fabsf(c[i][j] - want) < 1e-2f;
        }
    say("matrix product", ok);

    std::vector<std::map<unsigned, float>> sparse(n);
    for (int i = 0; i < n; i++) {
        sparse[i][i] = 4;
        if (i > 0)
            sparse[i][i - 1] = -1;
        if (i < n - 1)
            sparse[i][i + 1] = -1;
    }
    viennacl::compressed_matrix<float> ds(n, n);
    viennacl::copy(sparse, ds);
    dz = viennacl::linalg::solve(ds, dy, viennacl::linalg::cg_tag(1e-6, 300));
    viennacl::vector<float> back = viennacl::linalg::prod(ds, dz);
    back -= dy;
    say("conjugate grad.", viennacl::linalg::norm_2(back) <
                               1e-4f * viennacl::linalg::norm_2(dy));
}
