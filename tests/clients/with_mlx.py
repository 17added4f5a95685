# SPDX-License-Identifier: Apache-2.0
"""MLX: kernels of its library (PTX), and those that it has NVRTC compile with
the headers that it brings, against NumPy."""
import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optimizers
import numpy as np

from arrays import agree, random
from steps import end, step


def near(value, expected, tolerance=1e-4):
    agree([np.asarray(expected)], [np.array(value)], tolerance)


@step("a device")
def _():
    assert mx.default_device() == mx.Device(mx.gpu, 0)


@step("elements, sums, sorts")
def _():
    a = random(64, 96)
    x = mx.array(a)
    near(mx.sin(x) * mx.exp(x), np.sin(a) * np.exp(a))
    near(x.sum(0), a.sum(0))
    near(mx.std(x, axis=1), a.std(1))
    near(mx.cumsum(x, axis=1), a.cumsum(1))
    near(mx.sort(x, axis=1), np.sort(a, 1), 0)
    near(mx.argmax(x, axis=1), a.argmax(1), 0)


@step("products")
def _():
    a, b = random(64, 96), random(96, 32)
    near(mx.array(a) @ mx.array(b), a @ b, 1e-2)  # in TF32


@step("a fused kernel")
def _():
    a = random(1000)
    near(mx.compile(lambda x: mx.tanh(x) * x + 1)(mx.array(a)),
         np.tanh(a) * a + 1)


@step("gathers and scatters")
def _():
    a, i = random(64, 8), np.array([3, 1, 3, 63])
    near(mx.array(a)[mx.array(i)], a[i], 0)
    near(mx.array(a).at[mx.array(i)].add(1.),
         a + np.bincount(i, minlength=64)[:, None], 1e-6)


@step("a network learns")
def _():
    mx.random.seed(1)
    x = mx.array(random(256, 4))
    y = (x[:, :1] * x[:, 1:2] > 0).astype(mx.float32)
    net = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
    adam = optimizers.Adam(0.02)

    def loss(net, x, y):
        return nn.losses.binary_cross_entropy(net(x), y)
    gradients = nn.value_and_grad(net, loss)
    for _ in range(60):
        value, gradient = gradients(net, x, y)
        adam.update(net, gradient)
        mx.eval(net.parameters(), adam.state)
    assert value.item() < 0.3, value.item()


end()
