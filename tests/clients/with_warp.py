# SPDX-License-Identifier: Apache-2.0
import os

import numpy as np
import warp as wp

from steps import end, step

# As late as Warp's toolkit, which else makes machine code, of PTX too.
os.environ["WEFT_DRIVER_VERSION"] = "13040"
wp.config.cuda_output = "ptx"
wp.config.quiet = True
wp.init()
device = "cuda:0"
rng = np.random.default_rng(1)


@wp.kernel
def waves(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = wp.sin(x[i]) * x[i]


@wp.kernel
def total(x: wp.array(dtype=float), sum: wp.array(dtype=float)):
    wp.atomic_add(sum, 0, x[wp.tid()])


@wp.kernel
def product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float),
            c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    sum = wp.tile_zeros(dtype=float, shape=(16, 16))
    for k in range(a.shape[1] // 16):
        x = wp.tile_load(a, shape=(16, 16), offset=(i * 16, k * 16))
        y = wp.tile_load(b, shape=(16, 16), offset=(k * 16, j * 16))
        wp.tile_matmul(x, y, sum)
    wp.tile_store(c, sum, offset=(i * 16, j * 16))


@wp.kernel
def nearest(mesh: wp.uint64, p: wp.array(dtype=wp.vec3),
            d: wp.array(dtype=float)):
    i = wp.tid()
    q = wp.mesh_query_point(mesh, p[i], 100.0)
    at = wp.mesh_eval_position(mesh, q.face, q.u, q.v)
    d[i] = wp.length(at - p[i])


def of(values, **how):
    return wp.array(values, device=device, **how)


@step("kernels")
def _():
    x = rng.random(1000, dtype=np.float32)
    y, sum = wp.zeros(1000, device=device), wp.zeros(1, device=device)
    wp.launch(waves, 1000, inputs=[of(x), y], device=device)
    np.testing.assert_allclose(y.numpy(), np.sin(x) * x, rtol=1e-5, atol=1e-6)
    wp.launch(total, 1000, inputs=[of(x), sum], device=device)
    np.testing.assert_allclose(sum.numpy()[0], x.sum(), rtol=1e-5)


@step("gradients")
def _():
    x = of(rng.random(100, dtype=np.float32), requires_grad=True)
    y = wp.zeros(100, device=device, requires_grad=True)
    sum = wp.zeros(1, device=device, requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(waves, 100, inputs=[x, y], device=device)
        wp.launch(total, 100, inputs=[y, sum], device=device)
    tape.backward(sum)
    v = x.numpy()
    np.testing.assert_allclose(x.grad.numpy(), np.sin(v) + v * np.cos(v),
                               rtol=1e-5)


@step("tiles")
def _():
    a, b = rng.random((2, 64, 64), dtype=np.float32)
    c = wp.zeros((64, 64), device=device)
    wp.launch_tiled(product, dim=(4, 4), inputs=[of(a), of(b), c],
                    block_dim=64, device=device)
    np.testing.assert_allclose(c.numpy(), a @ b, rtol=1e-5)


@step("graphs")
def _():
    x, sum = of(np.ones(100, np.float32)), wp.zeros(1, device=device)
    with wp.ScopedCapture(device=device) as capture:
        wp.launch(total, 100, inputs=[x, sum], device=device)
    for _ in range(3):
        wp.capture_launch(capture.graph)
    assert sum.numpy()[0] == 300


@step("sorts, scans")
def _():
    keys = rng.integers(0, 1000, 500).astype(np.int32)
    k, v = (wp.zeros(1000, dtype=int, device=device) for _ in range(2))
    k[:500].assign(keys)
    v[:500].assign(np.arange(500))
    wp.utils.radix_sort_pairs(k, v, 500)
    np.testing.assert_array_equal(v.numpy()[:500],
                                  np.argsort(keys, kind="stable"))
    sums = wp.zeros(500, dtype=int, device=device)
    wp.utils.array_scan(of(keys), sums, inclusive=True)
    np.testing.assert_array_equal(sums.numpy(), keys.cumsum())


@step("meshes")
def _():
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], np.float32)
    mesh = wp.Mesh(points=of(corners, dtype=wp.vec3),
                   indices=of([0, 1, 2, 2, 1, 3], dtype=int))
    p = rng.random((200, 3), dtype=np.float32)
    d = wp.zeros(200, device=device)
    wp.launch(nearest, 200, inputs=[mesh.id, of(p, dtype=wp.vec3), d],
              device=device)
    np.testing.assert_allclose(d.numpy(), p[:, 2], atol=1e-6)


end()
