# SPDX-License-Identifier: Apache-2.0
import numpy as np
import taichi as ti

from steps import end, step

ti.init(arch=ti.cuda)
assert ti.cfg.arch == ti.cuda


@ti.kernel
def roots(x: ti.types.ndarray()):
    for i in x:
        x[i] = ti.sqrt(float(i)) + 1


@ti.kernel
def total(n: ti.i32) -> ti.i32:
    sum = 0
    for i in range(n):
        sum += i
    return sum


@step("arrays")
def _():
    a = ti.ndarray(ti.f32, 1000)
    roots(a)
    np.testing.assert_allclose(a.to_numpy(), np.sqrt(np.arange(1000.)) + 1,
                               rtol=1e-6)


@step("sums")
def _():
    assert total(10000) == 49995000


@step("fields")
def _():
    f = ti.field(ti.f32, (64, 64))

    @ti.kernel
    def blur():
        for i, j in f:
            ti.atomic_add(f[j, i], 0.5 * i)
    blur()
    want = np.add.outer(np.zeros(64), 0.5 * np.arange(64))
    np.testing.assert_allclose(f.to_numpy(), want)


end()
