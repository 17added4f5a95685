# SPDX-License-Identifier: Apache-2.0
import math

import numpy as np
from numba import cuda, float32, vectorize
from numba.cuda.random import (create_xoroshiro128p_states,
                               xoroshiro128p_uniform_float32)

from steps import end, step


@step("vector add")
def _():
    @cuda.jit
    def add(x, y, z):
        i = cuda.grid(1)
        if i < x.size:
            z[i] = x[i] + y[i]
    x = np.arange(1000, dtype=np.float32)
    z = np.zeros_like(x)
    add[8, 128](x, 2 * x, z)
    assert (z == 3 * x).all()


@step("shared memory")
def _():
    @cuda.jit
    def reverse(x):
        s = cuda.shared.array(128, float32)
        i = cuda.threadIdx.x
        s[i] = x[i]
        cuda.syncthreads()
        x[i] = s[127 - i]
    x = np.arange(128, dtype=np.float32)
    reverse[1, 128](x)
    assert (x == np.arange(127, -1, -1)).all()


@step("atomics")
def _():
    @cuda.jit
    def count(n, total, most):
        cuda.atomic.add(n, 0, 1)
        cuda.atomic.add(total, 0, 0.5)
        cuda.atomic.max(most, 0, cuda.grid(1))
    n, most = np.zeros(1, np.int32), np.zeros(1, np.int32)
    total = np.zeros(1)
    count[10, 64](n, total, most)
    assert n[0] == 640 and total[0] == 320 and most[0] == 639


@step("reductions")
def _():
    add = cuda.reduce(lambda a, b: a + b)
    a = np.arange(1234.0)
    assert add(a) == a.sum()


@step("shuffles and votes")
def _():
    @cuda.jit
    def lanes(o):
        i = cuda.threadIdx.x
        o[i] = cuda.shfl_down_sync(0xffffffff, i, 1)
        o[32 + i] = cuda.ballot_sync(0xffffffff, i % 2 == 0) & 0xff
        o[64 + i] = cuda.match_any_sync(0xffffffff, i // 16) & 1
    o = np.zeros(96, np.int64)
    lanes[1, 32](o)
    assert o[0] == 1 and o[32] == 0x55 and o[64] == 1 and o[95] == 0


@step("mathematics")
def _():
    @cuda.jit
    def f(x, o):
        i = cuda.grid(1)
        o[i] = math.sin(x[i]) + math.exp(x[i]) + math.erf(x[i]) + x[i]**1.5
    x = np.linspace(0, 2, 64)
    o = np.zeros(64)
    f[2, 32](x, o)
    assert np.allclose(o, [math.sin(t) + math.exp(t) + math.erf(t) + t**1.5
                           for t in x])


@step("vectorize")
def _():
    @vectorize(["float32(float32,float32)"], target="cuda")
    def f(a, b):
        return a * b + 1
    a = np.arange(100, dtype=np.float32)
    assert (f(a, a) == a * a + 1).all()


@step("random numbers")
def _():
    states = create_xoroshiro128p_states(64, 1)

    @cuda.jit
    def draw(states, o):
        i = cuda.grid(1)
        o[i] = xoroshiro128p_uniform_float32(states, i)
    o = np.zeros(64, np.float32)
    draw[1, 64](states, o)
    assert 0.3 < o.mean() < 0.7


@step("streams and events")
def _():
    s, e = cuda.stream(), cuda.event()
    a = cuda.to_device(np.arange(10), stream=s)
    e.record(s)
    s.synchronize()
    e.synchronize()
    assert (a.copy_to_host() == np.arange(10)).all()


@step("profiling")
def _():
    with cuda.profiling():
        pass


@step("cooperative grid")
def _():
    @cuda.jit
    def meet(x, o):
        g = cuda.cg.this_grid()
        cuda.atomic.add(x, 0, 1)
        g.sync()
        o[cuda.grid(1)] = x[0]
    x, o = np.zeros(1, np.int32), np.zeros(64, np.int32)
    meet[2, 32](x, o)
    assert (o == 64).all()


@step("float16")
def _():
    from numba.cuda.types import float16

    @cuda.jit
    def f(a, b):
        i = cuda.grid(1)
        b[i] = a[i] * float16(2) + a[i]
    a = np.arange(32).astype(np.float16)
    b = np.zeros_like(a)
    f[1, 32](a, b)
    assert (b == 3 * a).all()


@step("ipc")
def _():
    cuda.to_device(np.arange(10)).get_ipc_handle()


end()
