# SPDX-License-Identifier: Apache-2.0
"""cuFINUFFT: Fourier transforms between uneven points and even frequencies,
against the sums that they stand for."""
import cufinufft
import cupy
import numpy as np

from steps import end, step

rng = np.random.default_rng(1)


def phases(points, counts):
    """exp(i k x) for each frequency (last axis slowest) and point."""
    out = np.ones((1, points.shape[1]))
    for x, n in zip(points, counts):
        k = np.arange(-(n // 2), (n + 1) // 2)
        out = (out[:, None] * np.exp(1j * np.outer(k, x))).reshape(
            -1, points.shape[1])
    return out


def check(dimensions, kind, precision):
    counts, points = (12, 10, 8)[:dimensions], 300
    real, tolerance = (np.float64, 1e-9) if precision == "double" else (
        np.float32, 1e-4)
    at = rng.uniform(-np.pi, np.pi, (dimensions, points)).astype(real)
    waves = phases(at.astype(np.float64), counts)
    size = points if kind == 1 else waves.shape[0]
    data = rng.standard_normal(size) + 1j * rng.standard_normal(size)
    matrix = waves if kind == 1 else waves.conj().T
    expected = matrix @ data
    data = data.astype(np.complex128 if real == np.float64 else np.complex64)
    f = getattr(cufinufft, f"nufft{dimensions}d{kind}")
    args = [cupy.array(x) for x in at]
    if kind == 1:
        got = f(*args, cupy.array(data), counts, eps=tolerance)
    else:
        got = f(*args, cupy.array(data.reshape(counts)), eps=tolerance)
    error = np.linalg.norm(got.get().ravel() - expected)
    assert error < 10 * tolerance * np.linalg.norm(expected), error


for dimensions in 1, 2, 3:
    for kind in 1, 2:
        for precision in "double", "single":
            step(f"{dimensions}-D, type {kind}, {precision}")(
                lambda: check(dimensions, kind, precision))
end()
