# SPDX-License-Identifier: Apache-2.0
import sys

import numpy as np

try:
    import open3d as o3d
except ImportError as e:  # libusb, libGL: the wheel leaves them to the system
    print(f"Open3D: skipped: {e}")
    sys.exit(77)

from steps import end, step

core, registration = o3d.core, o3d.t.pipelines.registration
assert core.cuda.is_available()
cpu, gpu = core.Device("CPU:0"), core.Device("CUDA:0")
rng = np.random.default_rng(1)
points = rng.random((2000, 3), dtype=np.float32)


def equal(make, **how):
    """What the device makes is what the host makes."""
    np.testing.assert_allclose(make(gpu).cpu().numpy(), make(cpu).numpy(),
                               **how)


def of(values, device):
    return core.Tensor(values, device=device)


def cloud(device):
    return o3d.t.geometry.PointCloud(of(points, device))


@step("tensors")
def _():
    a = rng.random((40, 50), dtype=np.float32)
    equal(lambda d: (of(a, d) + 1) * of(a, d).sqrt(), rtol=1e-6)
    equal(lambda d: of(a, d).sum(1), rtol=1e-5)


@step("hash maps")
def _():
    keys = (points * 10).astype(np.int32)
    values = np.arange(len(keys), dtype=np.int32)[:, None]
    m = core.HashMap(1000, core.int32, (3,), core.int32, (1,), device=gpu)
    _, new = m.insert(of(keys, gpu), of(values, gpu))
    wanted = len(np.unique(keys, axis=0))
    assert m.size() == new.cpu().numpy().sum() == wanted


@step("neighbours")
def _():
    def distances(device):
        search = core.nns.NearestNeighborSearch(of(points, device))
        search.knn_index()
        return search.knn_search(of(points[:50], device), 4)[1]
    equal(distances, atol=1e-6)


@step("normals")
def _():
    def normals(device):
        c = cloud(device)
        c.estimate_normals(max_nn=20, radius=0.2)
        return c.point.normals
    a, b = normals(cpu).numpy(), normals(gpu).cpu().numpy()
    np.testing.assert_allclose(np.abs((a * b).sum(1)), 1, atol=1e-4)


@step("registration")
def _():
    shift = np.eye(4)
    shift[:3, 3] = 0.02
    c = cloud(gpu)
    c.estimate_normals(max_nn=20, radius=0.2)
    found = registration.icp(
        c, c.clone().transform(of(shift, cpu)), 0.2, of(np.eye(4), cpu),
        registration.TransformationEstimationPointToPlane())
    np.testing.assert_allclose(found.transformation.numpy(), shift, atol=1e-4)


@step("volumes")
def _():
    wave = 200 * np.sin(np.arange(160) / 20)
    depth = np.tile(1000 + wave, (120, 1)).astype(np.uint16)[:, :, None]
    camera = of(np.array([[150., 0, 80], [0, 150, 60], [0, 0, 1]]), cpu)
    place = of(np.eye(4), cpu)

    def surface(device):
        grid = o3d.t.geometry.VoxelBlockGrid(
            ("tsdf", "weight"), (core.float32, core.float32), (1, 1),
            0.02, 8, 2000, device)
        image = o3d.t.geometry.Image(of(depth, device))
        blocks = grid.compute_unique_block_coordinates(image, camera, place,
                                                       1000., 3.)
        grid.integrate(blocks, image, camera, place, 1000., 3.)
        sums = grid.attribute("tsdf").reshape((-1,)).cpu().numpy()
        return len(blocks.cpu().numpy()), np.sort(sums)
    (a, x), (b, y) = surface(cpu), surface(gpu)
    assert a == b
    # A voxel on the border of two pixels may take the other one's depth.
    assert np.mean(np.abs(x - y) > 1e-4) < 0.02


end()
