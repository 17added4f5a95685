# SPDX-License-Identifier: Apache-2.0
import numpy as np
from catboost import CatBoostClassifier, CatBoostRanker, CatBoostRegressor, Pool
from catboost.utils import get_gpu_device_count

from steps import end, step

assert get_gpu_device_count() == 1
rng = np.random.default_rng(1)
X = rng.normal(size=(2000, 10)).astype(np.float32)
y = X[:, 0] * 2 + np.sin(X[:, 1] * 3) + X[:, 2] * X[:, 3]
queries = np.repeat(np.arange(len(y) // 20), 20)


def trained(model, device, data, **how):
    how = dict(how, iterations=15, depth=4, border_count=64, verbose=0,
               random_seed=3, allow_writing_files=False)
    return model(task_type=device, devices="0", **how).fit(data)


def both(**how):
    """Without chance, trees of the device predict what those of the host do."""
    data = Pool(X, y)
    how = dict(how, bootstrap_type="No", random_strength=0,
               boosting_type="Plain", boost_from_average=False)
    cpu, gpu = (trained(CatBoostRegressor, device, data, **how).predict(X)
                for device in ("CPU", "GPU"))
    np.testing.assert_allclose(gpu, cpu, atol=1e-4)


@step("symmetric trees")
def _():
    both(grow_policy="SymmetricTree")


@step("trees by depth")
def _():
    both(grow_policy="Depthwise")


@step("samples by chance")
def _():
    for how in ("Bayesian", "Bernoulli", "MVS"):
        m = trained(CatBoostRegressor, "GPU", Pool(X, y), bootstrap_type=how)
        rest = np.sqrt(np.mean((m.predict(X) - y) ** 2))
        assert rest < 0.3 * y.std(), (how, rest)


@step("classes")
def _():
    label = np.digitize(y, [-1, 0, 1])
    m = trained(CatBoostClassifier, "GPU", Pool(X, label),
                loss_function="MultiClass")
    assert m.score(X, label) > 0.8


@step("ranks")
def _():
    m = trained(CatBoostRanker, "GPU", Pool(X, y > 0, group_id=queries),
                loss_function="QueryRMSE")
    assert np.corrcoef(m.predict(X), y)[0, 1] > 0.7


end()
