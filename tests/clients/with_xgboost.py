# SPDX-License-Identifier: Apache-2.0
import numpy as np
import xgboost as xgb

from steps import end, step

rng = np.random.default_rng(0)
X = rng.random((3000, 10)).astype(np.float32)
y = (X ** 2).sum(1)


def trained(device, **how):
    how = dict(how, device=device, max_depth=4)
    return xgb.train(how, xgb.QuantileDMatrix(X, y), 4)


def both(**how):
    """Trees grown on the device predict what those of the host do."""
    d = xgb.DMatrix(X)
    a, b = trained("cpu", **how), trained("cuda", **how)
    assert "cuda" in b.save_config(), "not grown on the device"
    np.testing.assert_allclose(a.predict(d), b.predict(d), atol=1e-4)


@step("histograms")
def _():
    both(tree_method="hist")


@step("loss guided")
def _():
    both(tree_method="hist", grow_policy="lossguide", max_leaves=16)


@step("counts")
def _():
    both(tree_method="hist", objective="count:poisson")


@step("contributions")
def _():
    b = trained("cuda", tree_method="hist")
    d = xgb.DMatrix(X[:50])
    on_device = b.predict(d, pred_contribs=True)
    b.set_param({"device": "cpu"})
    np.testing.assert_allclose(on_device, b.predict(d, pred_contribs=True),
                               atol=1e-5)


end()
