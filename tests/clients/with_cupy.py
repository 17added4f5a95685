# SPDX-License-Identifier: Apache-2.0
import cupy as cp
import numpy as np

from steps import end, step


@step("sum")
def _():
    assert int(cp.arange(10).sum()) == 45


@step("ElementwiseKernel")
def _():
    k = cp.ElementwiseKernel("float32 x, float32 y", "float32 z",
                             "z = x * y + 1", "k")
    a = cp.arange(100, dtype=cp.float32)
    assert (k(a, a).get() == a.get()**2 + 1).all()


@step("ReductionKernel")
def _():
    k = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0",
                           "k")
    a = cp.arange(100, dtype=cp.float32)
    assert abs(float(k(a)) - np.sqrt((np.arange(100.0)**2).sum())) < 1e-2


@step("RawKernel")
def _():
    k = cp.RawKernel(r"""
extern "C" __global__ void k(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = 2 * a[i];
}""", "k")
    a = cp.arange(1000, dtype=cp.float32)
    b = cp.zeros_like(a)
    k((8,), (128,), (a, b, np.int32(1000)))
    assert (b.get() == 2 * a.get()).all()


@step("sort")
def _():
    a = np.random.default_rng(0).random(5000, np.float32)
    assert (cp.sort(cp.asarray(a)).get() == np.sort(a)).all()


end()
