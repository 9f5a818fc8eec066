"""Elementwise functions outside the table, and functions that give plain values."""

import numpy as np
import pytest

import autodiff as ad
from autodiff.rules.plain import FUNCTIONS

RNG = np.random.default_rng(23)
X = RNG.uniform(0.6, 2.9, (2, 3)) * np.array([1.0, -1.0, 1.0])


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.clip(x, -1.0, 1.5),
        lambda x: np.clip(x, None, 1.5),
        lambda x: np.clip(x, -1.0, None),
        lambda x: np.clip(x, a_max=1.5, a_min=-1.0),
        lambda x: np.clip(x, min=-1.0),
        lambda x: np.clip(x, max=[1.5, 0.3, 0.2]),
        lambda x: np.clip(x, None, None),
        lambda x: np.clip(x, x[0] - 0.4, x[1] ** 2),
    ],
    ids=["both", "above", "below", "names", "min", "max", "none", "tracked"],
)
def test_clip(check_rule, call):
    check_rule(call, X, complex=False)


def test_clip_takes_a_bound_once():
    with pytest.raises(ValueError, match="once"):
        np.clip(ad.Variable(X), 0.0, 1.0, max=2.0)


def test_clip_at_its_bounds():
    gradient = ad.grad(lambda x, low: np.clip(x, low, 2.0), argnums=(0, 1))
    assert gradient(1.0, 1.0) == (0.5, 0.5)
    assert gradient(0.0, 1.0) == (0.0, 1.0)


@pytest.mark.parametrize("function", [np.round, np.around, np.fix, np.spacing])
@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")
def test_steps(function):
    x = X * 1.3
    found = function(ad.Variable(x))
    np.testing.assert_array_equal(found, function(x))
    gradient = ad.grad(lambda x: np.sum(function(x) * x))(x)
    np.testing.assert_array_equal(gradient, function(x))
    np.testing.assert_array_equal(ad.jvp(lambda x: function(x) * x, (x,), (x,))[1], function(x) * x)


def test_round_to_decimals():
    np.testing.assert_array_equal(np.round(ad.Variable(X), 1), np.round(X, 1))
    assert ad.grad(lambda x: np.round(x, 1) * x)(1.26) == 1.3


@pytest.mark.parametrize(
    "how", [{}, {"nan": 2.0, "posinf": 3.0, "neginf": -4.0}, {"copy": False}], ids=str
)
def test_nan_to_num(how):
    x = np.array([1.5, np.nan, np.inf, -np.inf])
    value, pullback = ad.vjp(lambda x: np.nan_to_num(x, **how), x)
    np.testing.assert_array_equal(value, np.nan_to_num(x.copy(), **how))
    np.testing.assert_array_equal(pullback(np.full(4, 5.0))[0], [5.0, 0.0, 0.0, 0.0])


def test_nan_to_num_of_complex_numbers():
    z = np.array([complex(1.0, np.nan), complex(np.inf, 2.0), 1 + 2j])
    value, pullback = ad.vjp(np.nan_to_num, z)
    np.testing.assert_array_equal(value, np.nan_to_num(z))
    np.testing.assert_array_equal(pullback(np.full(3, 3 + 4j))[0], [3.0, 4j, 3 + 4j])


def test_modf(check_rule):
    check_rule(lambda x: np.modf(x)[0], X, complex=False)
    fraction, whole = np.modf(ad.Variable([2.5, -np.inf]))
    np.testing.assert_array_equal(fraction.value, [0.5, -0.0])
    np.testing.assert_array_equal(whole, [2.0, -np.inf])
    assert ad.grad(lambda x: np.modf(x)[1] * x)(2.5) == 2.0


def test_frexp(check_rule):
    check_rule(lambda x: np.frexp(x)[0], X, complex=False)
    mantissa, exponent = np.frexp(ad.Variable([8.0, 5e-324]))
    wanted = np.frexp([8.0, 5e-324])
    np.testing.assert_array_equal(mantissa.value, wanted[0])
    np.testing.assert_array_equal(exponent, wanted[1])


def test_divmod(check_rule):
    check_rule(lambda x, y: np.divmod(x, y)[1], X, np.array(0.71), complex=False)
    quotient, remainder = np.divmod(ad.Variable(7.0), 2.0)
    assert (quotient.item(), remainder.item()) == (3.0, 1.0)


def test_nextafter_is_refused():
    with pytest.raises(TypeError, match="spacing"):
        np.nextafter(ad.Variable(1.0), 2.0)


CALLS = {
    np.allclose: (X, X),
    np.argpartition: (X, 1),
    np.array_equal: (X, X),
    np.array_equiv: (X, X),
    np.can_cast: (X, np.float64),
    np.common_type: (X, X),
    np.digitize: (X, [0.0, 1.0]),
    np.diag_indices_from: (np.eye(2),),
    np.einsum_path: ("ij,ij", X, X),
    np.isclose: (X, X),
    np.isin: (X, X[0]),
    np.lexsort: (X,),
    np.may_share_memory: (X, X.copy()),
    np.ravel_multi_index: None,
    np.result_type: (X, np.float32),
    np.searchsorted: ([0.0, 1.0], X),
    np.shares_memory: (X, X.copy()),
    np.unravel_index: None,
    **dict.fromkeys((np.save, np.savetxt, np.savez, np.savez_compressed)),
    **dict.fromkeys((np.logical_and, np.logical_or, np.logical_xor), (X, X)),
    **dict.fromkeys((np.equal, np.not_equal, np.greater, np.greater_equal), (X, X[0])),
    **dict.fromkeys((np.less, np.less_equal), (X, X[0])),
}


@pytest.mark.parametrize(
    "function", [f for f in FUNCTIONS if CALLS.get(f, ()) is not None], ids=lambda f: f.__name__
)
def test_plain_values(function):
    given = CALLS.get(function, (X,))
    tracked = [ad.Variable(a) if isinstance(a, np.ndarray) else a for a in given]
    found, wanted = function(*tracked), function(*given)
    assert type(found) is type(wanted)
    if function is not np.empty_like:
        assert repr(found) == repr(wanted)


def test_plain_values_inside_transforms():
    def f(x):
        order = np.argsort(x)
        assert type(order) is np.ndarray
        return x[order[0]] * np.count_nonzero(x > 1.0) + np.nanargmax(x)

    np.testing.assert_array_equal(ad.grad(f)(np.array([3.0, 1.0, 2.0])), [0.0, 2.0, 0.0])
    assert ad.grad(ad.grad(lambda x: x**2 * (np.argmax(x) + 1.0)))(3.0) == 2.0


@pytest.mark.parametrize("save", [np.savetxt, np.save])
def test_saving(save, tmp_path):
    path = tmp_path / ("v.npy" if save is np.save else "v.txt")
    save(path, ad.Variable(X))
    load = np.load if save is np.save else np.loadtxt
    np.testing.assert_allclose(load(path), X, rtol=1e-15)


def test_i0_has_the_rule_of_the_table(check_rule):
    check_rule(np.i0, np.array([-1.5, 0.0, 0.5, 3.0]), complex=False)
