"""Every entry of the table through the tape: both modes, special points, three orders."""

import functools
import math
import random

import numpy as np
import pytest

import autodiff as ad
from autodiff import grad, jvp
from diffrules import RULES, oracle
from diffrules.entry import RuleError, as_float, not_differentiable

# Functions whose derivative is 0 everywhere say so.
pytestmark = pytest.mark.filterwarnings("ignore:the result of .* does not depend:UserWarning")
ENTRIES = sorted(RULES.values(), key=lambda rule: rule.name)
POINTS = [(rule, spot) for rule in ENTRIES for spot in rule.at]


def differentiable(rule):
    """Return the numbers of the arguments that have a derivative."""
    return [
        i
        for i, arg in enumerate(rule.args)
        if not isinstance(rule.partials[arg], not_differentiable)
    ]


def call_at(rule, point):
    """Return the function of `rule`, whole-number arguments given as ints."""
    whole = {i for i, arg in enumerate(rule.args) if rule.domain.is_whole(arg)}

    def call(*args):
        given = [int(point[i]) if i in whole else arg for i, arg in enumerate(args)]
        return getattr(ad, rule.name)(*given)

    return call, [i for i in differentiable(rule) if i not in whole]


@pytest.mark.parametrize(("rule", "spot"), POINTS, ids=lambda p: getattr(p, "name", None))
def test_singular_points_in_both_modes(rule, spot):
    point = [as_float(spot.where[arg]) for arg in rule.args]
    call, numbers = call_at(rule, point)
    for i in numbers:
        right = as_float(spot.partials[rule.args[i]])
        one = functools.partial(_of_one, call, point, i)
        reverse, forward = grad(one)(point[i]), jvp(one, (point[i],), (1.0,))[1]
        with np.errstate(all="ignore"):
            array = grad(lambda v, one=one: np.sum(one(v)))(np.array([point[i]]))[0]
        for found in (reverse, forward, array):
            assert found == pytest.approx(right, rel=1e-14, abs=0.0, nan_ok=True), (i, point)


def _of_one(call, point, i, value):
    return call(*point[:i], value, *point[i + 1 :])


def inner_point(rule, seed):
    """Return a point of the domain of moderate size, where mpmath and floats both do well."""
    rng = random.Random(f"{rule.name} {seed}")
    # Arguments of some private entries are all small.
    for least in (0.05, 1e-18):
        for _ in range(10_000):
            point = rule.domain.sample(rng, reach=4.0)
            if all(abs(value) > least or value == 0 for value in point):
                return point
    raise AssertionError(f"no moderate point in the domain of {rule.name}")


def has_second(rule, i, j):
    """Return whether the table has the second derivative in two arguments."""
    try:
        rule(*rule.args).diff(rule.args[i]).diff(rule.args[j])
    except RuleError:
        return False
    return True


@pytest.mark.parametrize("rule", ENTRIES, ids=lambda rule: rule.name)
def test_second_order_agrees_with_many_digits(rule):
    point = inner_point(rule, 0)
    call, numbers = call_at(rule, point)
    for i in numbers:
        for j in numbers:
            first = grad(call, i)
            if not has_second(rule, i, j):
                with pytest.raises(TypeError, match=r"_\w+ has no derivative in \w+: .* missing"):
                    grad(first, j)(*point)
                continue
            mixed = grad(first, j)(*point)
            forward = jvp(functools.partial(_of_one, first, point, j), (point[j],), (1.0,))[1]
            orders = {i: 2} if i == j else {i: 1, j: 1}
            right = float(oracle.derivative(rule, orders, point))
            scale = max(abs(right), abs(float(oracle.value(rule, point))) * 1e-3, 1e-8)
            assert mixed == pytest.approx(right, rel=1e-9, abs=1e-10 * scale), (i, j, point)
            assert forward == pytest.approx(right, rel=1e-9, abs=1e-10 * scale), (i, j, point)


@pytest.mark.parametrize("rule", ENTRIES, ids=lambda rule: rule.name)
def test_three_derivatives_of_arrays(rule):
    point = inner_point(rule, 1)
    call, numbers = call_at(rule, point)
    for i in (i for i in numbers if has_second(rule, i, i)):
        one = functools.partial(_of_one, call, point, i)

        def total(v, one=one):
            return np.sum(one(v))

        third = grad(lambda v: np.sum(grad(lambda u: np.sum(grad(total)(u)))(v)))
        found = third(np.array([point[i], point[i]]))
        right = float(oracle.derivative(rule, {i: 3}, point))
        assert found.shape == (2,)
        scale = max(abs(right), abs(float(oracle.value(rule, point))) * 1e-2, 1e-6)
        np.testing.assert_allclose(found, right, rtol=1e-7, atol=1e-7 * scale)


@pytest.mark.parametrize("rule", ENTRIES, ids=lambda rule: rule.name)
def test_reverse_and_forward_agree_on_arrays(rule):
    rng = random.Random(rule.name)
    points = np.array([rule.domain.sample(rng, reach=4.0) for _ in range(5)]).T
    call, numbers = call_at(rule, points[:, 0])
    if len(numbers) < len(points):
        points = np.repeat(points[:, :1], 5, axis=1)
    for i in numbers:
        args = list(points)

        def one(v, i=i, args=args):
            return call(*args[:i], v, *args[i + 1 :])

        reverse = grad(lambda v, one=one: np.sum(one(v)))(points[i])
        forward = jvp(one, (points[i],), (np.ones(5),))[1]
        np.testing.assert_allclose(reverse, forward, rtol=1e-13)
        variable = ad.Variable(points[i])
        np.sum(one(variable) + 0.0 * variable).backward()
        np.testing.assert_array_equal(variable.grad, reverse)


@pytest.mark.parametrize("rule", ENTRIES, ids=lambda rule: rule.name)
def test_every_ufunc_it_answers_for_is_followed(rule):
    from autodiff.elementwise import rule_named

    special = pytest.importorskip("scipy.special")
    entry = rule_named(rule.name).entry
    point = inner_point(rule, 2)
    call, numbers = call_at(rule, point)
    for answer in entry.answers:
        module, _, name = answer.partition(".")
        name, _, output = name.partition("[")
        function = getattr({"np": np, "special": special}[module], name)
        if output:
            function = _of_output(function, int(output.rstrip("]")))
        for i in numbers:
            found = grad(lambda v, i=i, f=function: f(*_mixed(rule, point, i, v)))(point[i])
            wanted = grad(call, i)(*point)
            assert found == pytest.approx(wanted, rel=1e-14, nan_ok=True)


def _of_output(function, number):
    return lambda *args: function(*args)[number]


def _mixed(rule, point, i, value):
    whole = map(rule.domain.is_whole, rule.args)
    args = [int(p) if w else p for p, w in zip(point, whole, strict=True)]
    args[i] = value
    return args


def test_orders_and_indices_are_refused_by_name():
    with pytest.raises(TypeError, match=r"polygamma has no derivative in n"):
        grad(ad.polygamma, 0)(1.0, 2.0)
    with pytest.raises(TypeError, match=r"jv has no derivative"):
        grad(ad.jv, 0)(1.0, 2.0)
    assert math.isfinite(grad(ad.polygamma, 1)(1, 2.0))


def test_names_and_aliases_are_attributes():
    assert ad.abs(-2.0) == 2.0
    assert ad.swish is ad.silu
    assert "sinc" in dir(ad)
    with pytest.raises(AttributeError, match="no_such"):
        ad.__getattr__("no_such")
    with pytest.raises(TypeError, match=r"hypot\(\) missing 1 required positional argument"):
        ad.hypot(1.0)
    with pytest.raises(TypeError, match=r"where takes 3 argument"):
        ad.where(True, 1.0)
