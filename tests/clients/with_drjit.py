# SPDX-License-Identifier: Apache-2.0
"""Dr.Jit: the PTX that it writes, with loops, calls through tables of functions
and local arrays, against NumPy."""
import drjit as dr
import numpy as np
from drjit.cuda import Array3f, Float, PCG32, Texture2f, TensorXf, UInt32
from drjit.cuda.ad import Float as DiffFloat

from arrays import agree, random
from steps import end, step


def near(value, expected, tolerance=1e-5):
    agree([np.asarray(expected)], [np.asarray(value)], tolerance)


@step("elements and sums")
def _():
    a = random(1000)
    x = Float(a)
    near(dr.sin(x) * dr.exp(x), np.sin(a) * np.exp(a))
    near(dr.sum(x), [a.sum()], 1e-4)
    near(dr.cumsum(x), a.cumsum(), 1e-3)
    near(dr.gather(Float, x, UInt32([5, 3, 5])), a[[5, 3, 5]])


@step("scatters")
def _():
    x = dr.zeros(Float, 4)
    dr.scatter_reduce(dr.ReduceOp.Add, x, Float(1), dr.arange(UInt32, 1000) % 3)
    near(x, [334, 333, 333, 0])


@step("loops and calls")
def _():
    @dr.syntax
    def collatz(n):
        steps = UInt32(0)
        while n > 1:
            n = dr.select((n & 1) == 1, 3 * n + 1, n >> 1)
            steps += 1
        return steps
    near(collatz(UInt32([1, 7, 27, 97])), [0, 16, 111, 118])
    table = [lambda x: x + 1, lambda x: x * x, dr.sqrt]
    near(dr.switch(UInt32([2, 0, 1, 2]), table, Float([4, 5, 6, 9])),
         [2, 6, 36, 3])


@step("local arrays")
def _():
    memory = dr.alloc_local(Float, 8)
    for i in range(8):
        memory[i] = Float([i, 10 * i])
    near(memory[UInt32([3, 5])], [3, 50])


@step("gradients")
def _():
    a = random(100)
    x = DiffFloat(a)
    dr.enable_grad(x)
    dr.backward(dr.sum(dr.sin(x) * x))
    near(x.grad, np.cos(a) * a + np.sin(a))


@step("vectors, random numbers, textures")
def _():
    v = dr.normalize(Array3f(*random(3, 50)))
    near(dr.norm(v), np.ones(50))
    near(dr.mean(PCG32(100000).next_float32()), [0.5], 1e-2)
    image = random(4, 4, 3)
    texture = Texture2f(TensorXf(image))
    near(np.array(texture.eval(dr.cuda.Array2f(0.375, 0.625)))[:, 0], image[2, 1],
         1e-2)


end()
