# SPDX-License-Identifier: Apache-2.0
import numpy as np
from tinygrad import Tensor

from steps import end, step


@step("matrix product")
def _():
    a, b = np.random.rand(64, 64), np.random.rand(64, 64)
    c = (Tensor(a) @ Tensor(b)).numpy()
    assert np.allclose(c, a @ b, 1e-3)


@step("softmax")
def _():
    x = np.random.rand(16, 100).astype(np.float32)
    e = np.exp(x - x.max(1, keepdims=True))
    assert np.allclose(Tensor(x).softmax().numpy(),
                       e / e.sum(1, keepdims=True), 1e-4)


@step("gradients")
def _():
    w = Tensor(np.random.rand(8).astype(np.float32))
    g, = (w * w).sum().gradient(w)
    assert np.allclose(g.numpy(), 2 * w.numpy())


end()
