# SPDX-License-Identifier: Apache-2.0
"""JAX: what XLA compiles for the device gives what it gives on the host.

JAX looks for a device file of NVIDIA's kernel module before it loads CUDA;
`weft run --device-files` shows it one.
"""
import jax
import jax.numpy as jnp
import numpy as np

from arrays import agree, random
from steps import end, step

# In full precision: XLA multiplies in TF32 on a GPU otherwise.
jax.config.update("jax_default_matmul_precision", "highest")


def both(function, *arrays, tolerance=1e-4):
    results = []
    for platform in "cpu", "cuda":
        device = jax.devices(platform)[0]
        out = jax.jit(function)(*[jax.device_put(a, device) for a in arrays])
        out = jax.tree_util.tree_leaves(out)
        assert all(x.devices() == {device} for x in out), "ran elsewhere"
        results.append([np.asarray(x) for x in out])
    agree(*results, tolerance)


@step("a device")
def _():
    assert jax.devices("cuda")


@step("elements and sums")
def _():
    both(lambda a: (jnp.sin(a), jnp.exp(a), jax.nn.softmax(a), a.sum(0),
                    a.std(1), jnp.cumsum(a, 1), jnp.argmax(a, 1), jax.nn.gelu(a)),
         random(64, 96))


@step("products and solutions")
def _():
    both(lambda a: (a @ a.T, jnp.einsum("ij,kj->ik", a, a),
                    jnp.linalg.solve(a + 10 * jnp.eye(32), a),
                    jnp.linalg.cholesky(a @ a.T + jnp.eye(32)),
                    jnp.abs(jnp.fft.fft(a))), random(32, 32), tolerance=1e-3)


@step("sorts, scatters, random numbers")
def _():
    both(lambda a: (jnp.sort(a, 1), jnp.argsort(a[0]), jax.lax.top_k(a, 5),
                    a.at[jnp.array([1, 1, 3])].add(2.),
                    jax.random.normal(jax.random.PRNGKey(3), (100,))),
         random(64, 96))


@step("gradients, loops and maps")
def _():
    def loss(w, x):
        hidden = jnp.tanh(x @ w)
        return jax.lax.fori_loop(0, 5, lambda i, h: jnp.tanh(h @ w), hidden).sum()
    both(jax.grad(loss), random(16, 16), random(8, 16), tolerance=1e-3)
    both(jax.vmap(jax.grad(loss), (None, 0)), random(16, 16), random(3, 8, 16),
         tolerance=1e-3)


@step("convolutions and their gradients")
def _():
    def loss(image, kernel):
        return (jax.lax.conv(image, kernel, (2, 2), "SAME") ** 2).sum()
    both(jax.grad(loss, (0, 1)), random(2, 6, 12, 12), random(4, 6, 3, 3),
         tolerance=1e-3)

@step("attention by cuDNN")
def _():
    shape = 2, 64, 2, 32
    q, k, v = (jax.random.normal(key, shape, jnp.bfloat16)
               for key in jax.random.split(jax.random.PRNGKey(0), 3))

    def attention(by, is_causal):
        return jax.nn.dot_product_attention(
            q, k, v, is_causal=is_causal, implementation=by).astype(jnp.float32)
    for is_causal in (False, True):
        np.testing.assert_allclose(attention("cudnn", is_causal),
                                   attention("xla", is_causal), atol=0.02)


end()
