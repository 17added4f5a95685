# SPDX-License-Identifier: Apache-2.0
import cuda.compute as cc
import cupy as cp
import numpy as np
from cuda.compute import OpKind

from steps import end, step

a = cp.random.default_rng(1).integers(0, 1000, 5000).astype(np.int32)
zero = np.array([0], np.int32)


@step("reduce")
def _():
    out = cp.empty(1, np.int32)
    cc.reduce_into(d_in=a, d_out=out, num_items=a.size, op=OpKind.PLUS,
                   h_init=zero)
    assert int(out[0]) == int(a.get().sum())


@step("scan")
def _():
    out = cp.empty_like(a)
    cc.exclusive_scan(d_in=a, d_out=out, op=OpKind.PLUS, init_value=zero,
                      num_items=a.size)
    want = np.concatenate([[0], np.cumsum(a.get())[:-1]])
    assert (out.get() == want).all()


@step("sort")
def _():
    out = cp.empty_like(a)
    cc.radix_sort(d_in_keys=a, d_out_keys=out, d_in_values=None,
                  d_out_values=None, order=cc.SortOrder.ASCENDING,
                  num_items=a.size)
    assert (out.get() == np.sort(a.get())).all()


end()
