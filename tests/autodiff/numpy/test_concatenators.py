"""``r_`` and ``c_`` of tracked values."""

import numpy as np
import pytest

import autodiff as ad
import autodiff.numpy as anp

X = np.array([0.5, 2.0, -1.0])


@pytest.mark.parametrize(
    "call",
    [
        lambda m, x: m.r_[x, 1.0, x[0]],
        lambda m, x: m.r_[1:4, x],
        lambda m, x: m.r_[0:1:3j, x, [1, 2]],
        lambda m, x: m.r_[x],
        lambda m, x: m.r_[x[:, None], x[:, None]],
        lambda m, x: m.r_["-1", x[:, None], x[:, None]],
        lambda m, x: m.r_["0,2", x, x],
        lambda m, x: m.r_["0,2,0", x, x],
        lambda m, x: m.r_["1,2,0", x, x],
        lambda m, x: m.r_["0,3,1", x, x],
        lambda m, x: m.r_["0,3,-1", x, x],
        lambda m, x: m.r_["1,3", x[:, None], x[:, None]],
        lambda m, x: m.c_[x, x**2],
        lambda m, x: m.c_[x, [1.0, 2.0, 3.0]],
        lambda m, x: m.c_[x[0], x[1]],
        lambda m, x: m.c_[1:4, x],
        lambda m, x: m.c_[x[:, None], np.ones((3, 2))],
    ],
)
def test_same_as_numpy(call):
    def f(x):
        return call(anp, x)

    assert np.array_equal(ad.vjp(f, X)[0], call(np, X))
    assert np.array_equal(f(X), call(np, X))
    assert type(f(X)) is np.ndarray
    ad.check_grads(f, (X,))


def test_lists_of_tracked_numbers():
    found = ad.jacobian(lambda x: anp.r_[[x, 2 * x], 1.0])(3.0)
    assert found.tolist() == [1.0, 2.0, 0.0]


def test_matrices_are_refused():
    with pytest.raises(TypeError, match="matrix"):
        ad.jacobian(lambda x: anp.r_["r", x, x])(X)
