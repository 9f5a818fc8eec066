"""The walk back, where other tests do not reach."""

import numpy as np

import autodiff as ad


def test_plain_cotangents_are_added_to_a_tracked_sum():
    c = np.ones(3)

    def f(x):
        return np.sum(c * x) + np.sum(2 * c * x) + np.sum(x * x) + np.sum(3 * c * x) + np.sum(c * x)

    found = ad.jacobian(ad.grad(f), mode="reverse")(np.arange(3.0))
    np.testing.assert_array_equal(found, 2 * np.eye(3))
