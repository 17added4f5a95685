# SPDX-License-Identifier: Apache-2.0
"""Arrays for clients that compute the same on host and device."""
import numpy as np

_rng = np.random.default_rng(0)


def random(*shape):
    """Normal numbers, the same in each run."""
    return _rng.standard_normal(shape).astype(np.float32)


def agree(host, device, tolerance):
    """Each of the device's arrays is the host's."""
    assert len(host) == len(device)
    for a, b in zip(host, device):
        np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance)
