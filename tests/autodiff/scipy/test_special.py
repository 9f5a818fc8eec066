"""`autodiff.scipy.special`: sums of exponentials, and SciPy's functions written in Python."""

import math
import subprocess
import sys

import numpy as np
import pytest
import scipy.special

import autodiff as ad
import autodiff.scipy.special as special

INF = math.inf


def array(*shape, seed=1):
    return np.random.default_rng(seed).uniform(-2.0, 2.0, shape)


AXES = [
    pytest.param((), None, id="number"),
    pytest.param((1,), 0, id="one"),
    pytest.param((5,), None, id="vector"),
    pytest.param((3, 4), None, id="matrix"),
    pytest.param((3, 4), 0, id="rows"),
    pytest.param((3, 4), -1, id="columns"),
    pytest.param((2, 3, 2), (0, -1), id="two axes"),
    pytest.param((0, 3), 1, id="empty"),
]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(("shape", "axis"), AXES)
def test_logsumexp(check_rule, shape, axis, keepdims):
    check_rule(lambda a: special.logsumexp(a, axis, keepdims=keepdims), array(*shape))


@pytest.mark.parametrize(
    ("first", "second", "axis"),
    [
        pytest.param((5,), (5,), None, id="vectors"),
        pytest.param((3, 4), (3, 4), 0, id="matrices"),
        pytest.param((3, 1), (4,), 1, id="broadcast"),
        pytest.param((2, 3), (), -1, id="one weight"),
    ],
)
def test_weighted_logsumexp(check_rule, first, second, axis):
    a, b = array(*first), array(*second, seed=2) ** 2 + 0.1
    check_rule(lambda a, b: special.logsumexp(a, axis, b), a, b)
    check_rule(lambda a, b: special.logsumexp(a, axis, -b, True, True)[0], a, b, complex=False)


@pytest.mark.parametrize("function", [special.softmax, special.log_softmax])
@pytest.mark.parametrize(("shape", "axis"), AXES[:-1])
def test_softmax(check_rule, function, shape, axis):
    check_rule(lambda a: function(a, axis), array(*shape))


@pytest.mark.parametrize(
    ("a", "b", "slopes"),
    [
        pytest.param([-INF, -INF], None, [0, 0], id="all -inf"),
        pytest.param([-INF, 1.0], None, [0, 1], id="one -inf"),
        pytest.param([INF, 1.0], None, [1, 0], id="one inf"),
        pytest.param([INF, 1.0, INF], None, [0.5, 0, 0.5], id="two inf"),
        pytest.param([INF, -INF], None, [1, 0], id="both signs"),
        pytest.param([1e6, 1e6 + 1.0], None, [1 / (1 + math.e), math.e / (1 + math.e)], id="large"),
        pytest.param([INF, 1.0], [0.0, 2.0], [0, 1], id="inf without weight"),
        pytest.param([math.nan, 1.0], [0.0, 2.0], [0, 1], id="nan without weight"),
        pytest.param([-INF, 2.0], [1.0, 0.0], [0, 0], id="weight of -inf only"),
        pytest.param([INF, 1.0], [3.0, 2.0], [1, 0], id="weighted inf"),
        pytest.param([0.0, 0.0], [3.0, -1.0], [1.5, -0.5], id="negative weight"),
        pytest.param([], None, [], id="nothing"),
        pytest.param([], [], [], id="nothing weighted"),
    ],
)
def test_logsumexp_at_special_points(a, b, slopes):
    a = np.array(a)

    def call(a):
        return special.logsumexp(a, b=b)

    value, found = ad.value_and_grad(call)(a)
    assert value == scipy.special.logsumexp(a, b=b)
    np.testing.assert_allclose(found, slopes, rtol=1e-14)
    pushed = [ad.jvp(call, (a,), (unit,))[1] for unit in np.eye(len(a))]
    np.testing.assert_allclose(pushed, slopes, rtol=1e-14)


@pytest.mark.parametrize("function", [special.logsumexp, special.softmax, special.log_softmax])
def test_of_a_float(function):
    slope = 1.0 if function is special.logsumexp else 0.0
    assert ad.value_and_grad(function)(2.0) == (function(2.0), slope)
    assert ad.jvp(function, (2.0,), (3.0,))[1] == 3.0 * slope


def test_sign_of_a_weighted_sum():
    v = ad.Variable([1.0, 2.0])
    size, sign = special.logsumexp(v, b=[1.0, -1.0], return_sign=True)
    assert sign == -1.0
    np.testing.assert_allclose(size.value, math.log(math.e**2 - math.e), rtol=1e-15)
    assert math.isnan(special.logsumexp(v, b=[1.0, -1.0]).value)
    z = ad.Variable([1.0 + 2.0j, 0.5])
    wanted = scipy.special.logsumexp(z.value, return_sign=True)
    found = special.logsumexp(z, return_sign=True)
    np.testing.assert_allclose([part.value for part in found], wanted, rtol=1e-14)


def test_a_dominating_entry_keeps_its_digits():
    x, rest = np.array([60.0, 0.0]), math.exp(-60.0)
    both = [[rest, -rest], [-rest, rest]]
    np.testing.assert_allclose(ad.jacobian(special.softmax, mode="reverse")(x), both, rtol=1e-14)
    np.testing.assert_allclose(ad.jacobian(special.softmax, mode="forward")(x), both, rtol=1e-14)
    np.testing.assert_allclose(ad.hessian(special.logsumexp)(x), both, rtol=1e-14)
    for mode in ("reverse", "forward"):
        found = ad.jacobian(special.log_softmax, mode=mode)(x)
        np.testing.assert_allclose(found, [[rest, -rest], [-1.0, 1.0]], rtol=1e-14)


def test_an_infinite_cotangent_meets_a_share_of_zero():
    entropy = ad.grad(lambda x: np.sum(special.entr(special.softmax(x))))
    np.testing.assert_array_equal(entropy(np.array([0.0, -1000.0])), [0.0, 0.0])


@pytest.mark.parametrize("function", [special.logsumexp, special.softmax, special.log_softmax])
def test_a_masked_row_contributes_nothing(function):
    x = np.array([[1.0, 2.0, 4.0], [np.nan, 1.0, 1.0]])

    def loss(x):
        return np.sum(np.where([[True], [False]], function(x, axis=1, **keywords) ** 2, 0.0))

    keywords = {"keepdims": True} if function is special.logsumexp else {}
    found = ad.grad(loss)(x)
    np.testing.assert_array_equal(found[1], 0.0)
    np.testing.assert_array_equal(found[0], ad.grad(loss)(np.where(np.isnan(x), 0.0, x))[0])


@pytest.mark.parametrize("dim", [1, 2, 5])
@pytest.mark.parametrize("shape", [(), (3,), (2, 2)], ids=str)
def test_multigammaln(check_rule, shape, dim):
    check_rule(lambda a: special.multigammaln(a, dim), array(*shape) + 5.0, complex=False)


@pytest.mark.parametrize(
    "call",
    [
        special.logsumexp,
        lambda x: special.logsumexp([0.5, 1.5], b=x),
        special.softmax,
        special.log_softmax,
        lambda x: special.multigammaln(x, 2),
    ],
)
def test_lists_of_tracked_values(call):
    v, w = ad.Variable(1.2), ad.Variable(2.5)
    found = call([v, w])
    np.testing.assert_array_equal(found.value, call(np.array([1.2, 2.5])))
    np.sum(found * found).backward()
    both = ad.grad(lambda x: np.sum(call(x) ** 2))(np.array([1.2, 2.5]))
    np.testing.assert_allclose([v.grad, w.grad], both, rtol=1e-14)


def test_multigammaln_refuses_what_scipy_refuses():
    with pytest.raises(ValueError, match="condition a"):
        special.multigammaln(ad.Variable(0.4), 2)


def test_functions_of_the_table_have_the_signatures_of_scipy(check_rule):
    x = array(3) ** 2 + 0.5
    check_rule(lambda x: special.polygamma(n=2, x=x), x, complex=False)
    check_rule(lambda q: special.zeta(2.5, q=q), x, complex=False)
    check_rule(lambda x: special.softplus(x), x, complex=False)
    check_rule(lambda x: special.erf(x), x, complex=False)
    with pytest.raises(TypeError, match="zeta has no derivative in s"):
        special.zeta(ad.Variable(2.0))


@pytest.mark.parametrize("name", sorted(special.COUNTS))
def test_counts_are_refused(name):
    with pytest.raises(TypeError, match=f"scipy.special.{name} of tracked values.*it counts"):
        getattr(special, name)(ad.Variable(5.0), 2)
    assert getattr(special, name)(5, 1) == getattr(scipy.special, name)(5, 1)


def test_every_name_of_scipy_is_there():
    for name in scipy.special.__all__:
        assert getattr(special, name).__name__ == getattr(scipy.special, name).__name__
    assert set(scipy.special.__all__) <= set(dir(special))
    with pytest.raises(AttributeError, match="no attribute 'logsumep'"):
        _ = special.logsumep


@pytest.mark.parametrize(
    "call",
    [
        lambda module, x: module.logsumexp(x, axis=0, b=x, keepdims=True),
        lambda module, x: module.softmax(x, axis=1),
        lambda module, x: module.log_softmax(x),
        lambda module, x: module.polygamma(1, x),
        lambda module, x: module.zeta(x + 4.0),
        lambda module, x: module.comb(5, 2, exact=True),
    ],
    ids=["logsumexp", "softmax", "log_softmax", "polygamma", "zeta", "comb"],
)
def test_plain_values_are_left_to_scipy(call):
    x = array(2, 3)
    found, wanted = call(special, x), call(scipy.special, x)
    assert type(found) is type(wanted)
    np.testing.assert_array_equal(found, wanted)


def test_scipy_is_imported_when_it_is_used():
    program = (
        "import sys, autodiff, autodiff.scipy; from autodiff import scipy as mirror;"
        "assert 'scipy' not in sys.modules;"
        "assert mirror.special.erf(0.0) == 0.0; assert 'scipy.stats' not in sys.modules;"
        "assert mirror.constants.pi > 3; assert {'special', 'stats'} <= set(dir(mirror))"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
