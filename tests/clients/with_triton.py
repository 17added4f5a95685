# SPDX-License-Identifier: Apache-2.0
import ctypes

import numpy as np
import triton
import triton.language as tl

from steps import end, step

cu = ctypes.CDLL("libcuda.so.1")
TYPES = {np.dtype("float32"): tl.float32, np.dtype("float16"): tl.float16}


class Array:
    """What Triton wants of a tensor, without torch."""

    def __init__(self, a):
        self.host, self.dtype = a, TYPES[a.dtype]
        p = ctypes.c_uint64()
        assert not cu.cuMemAlloc_v2(ctypes.byref(p), ctypes.c_size_t(a.nbytes))
        self.address = p.value
        assert not cu.cuMemcpyHtoD_v2(p, a.ctypes.data_as(ctypes.c_void_p),
                                      ctypes.c_size_t(a.nbytes))

    def data_ptr(self):
        return self.address

    def get(self):
        out = np.empty_like(self.host)
        assert not cu.cuMemcpyDtoH_v2(out.ctypes.data_as(ctypes.c_void_p),
                                      ctypes.c_uint64(self.address),
                                      ctypes.c_size_t(out.nbytes))
        return out


cu.cuInit(0)
context = ctypes.c_void_p()
cu.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
cu.cuCtxSetCurrent(context)
rng = np.random.default_rng(0)


@triton.jit
def add(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def softmax(o, x, stride, n, B: tl.constexpr):
    r, c = tl.program_id(0), tl.arange(0, B)
    m = c < n
    v = tl.load(x + r * stride + c, mask=m, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(o + r * stride + c, e / tl.sum(e, axis=0), mask=m)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
        y = tl.load(b + (k + rk)[:, None] * N + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


@step("vector add")
def _():
    x, y = rng.random(10000, np.float32), rng.random(10000, np.float32)
    o = Array(np.zeros_like(x))
    add[(10,)](Array(x), Array(y), o, 10000, B=1024)
    assert (o.get() == x + y).all()


@step("softmax")
def _():
    x = rng.random((37, 781), np.float32)
    o = Array(np.zeros_like(x))
    softmax[(37,)](o, Array(x), 781, 781, B=1024)
    e = np.exp(x - x.max(1, keepdims=True))
    assert np.allclose(o.get(), e / e.sum(1, keepdims=True), 1e-5)


@step("matrix product")
def _():
    a, b = (rng.random((128, 128)).astype(np.float16) for _ in range(2))
    c = Array(np.zeros((128, 128), np.float32))
    matmul[(2, 2)](Array(a), Array(b), c, 128, 128, 128, BM=64, BN=64, BK=32)
    assert np.allclose(c.get(), a.astype(np.float32) @ b.astype(np.float32),
                       1e-2)


end()
