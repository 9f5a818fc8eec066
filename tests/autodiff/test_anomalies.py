"""`detect_anomaly`: every kind of thing it reports, and that it changes no number."""

import warnings

import numpy as np
import pytest

import autodiff as ad
from autodiff import AnomalyWarning, detect_anomaly, grad, jvp

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def kinds(found):
    return [(anomaly.kind, anomaly.function) for anomaly in found]


def test_what_the_rule_of_zero_removed():
    def f(x):
        return np.sum(np.where(x > 0, np.sqrt(x), 0.0))

    x = np.array([0.0, 4.0, 0.0])
    with (
        pytest.warns(AnomalyWarning, match="2 infinite or NaN partial.*sqrt.*at 0.0, 0.0"),
        detect_anomaly() as found,
    ):
        result = grad(f)(x)
    np.testing.assert_array_equal(result, [0.0, 0.25, 0.0])
    assert kinds(found) == [("removed", "sqrt")]
    assert found[0].place.file == __file__
    assert "np.sqrt(x)" in found[0].place.code


def test_products_by_hand_that_lose_a_limit():
    with pytest.warns(AnomalyWarning, match="sqrt"), detect_anomaly() as found:
        assert grad(lambda x: np.sqrt(x) ** 2)(0.0) == 0.0
    assert kinds(found) == [("removed", "sqrt")]


def test_where_a_value_is_first_infinite():
    def f(x):
        y = np.log(x)
        return np.sum(y * 2.0 + 1.0)

    with pytest.warns(AnomalyWarning) as caught, detect_anomaly() as found:
        grad(f)(np.array([1.0, 0.0]))
    assert kinds(found) == [("value", "log"), ("gradient", "log")]
    assert "infinite in 1 of 2 entries; it got [1. 0.]" in found[0].message
    ours = [warning for warning in caught if warning.category is AnomalyWarning]
    assert [warning.filename for warning in ours] == [__file__, __file__]


def test_where_a_gradient_is_first_infinite():
    with (
        pytest.warns(AnomalyWarning, match="cotangent of argument 0 of sqrt is infinite"),
        detect_anomaly() as found,
    ):
        assert grad(lambda x: 3.0 * np.sqrt(x) + 1.0)(0.0) == np.inf
    assert kinds(found) == [("gradient", "sqrt")]


def test_forward_mode():
    with (
        pytest.warns(AnomalyWarning, match="tangent of sqrt is infinite"),
        detect_anomaly() as found,
    ):
        jvp(lambda x: np.sqrt(x) + 1.0, (0.0,), (1.0,))
    assert kinds(found) == [("tangent", "sqrt")]


def test_variables_made_before():
    x = ad.Variable([0.0, 1.0])
    with pytest.warns(AnomalyWarning, match="divide"), detect_anomaly() as found:
        np.sum(1.0 / x).backward()
    assert kinds(found) == [("value", "divide"), ("gradient", "divide")]
    np.testing.assert_array_equal(x.grad, [-np.inf, -1.0])
    with pytest.raises(TypeError, match="in place"), detect_anomaly():
        x += 1.0


def test_arrays_that_change_before_the_walk_back():
    weights = np.array([1.0, 2.0])
    x = ad.Variable([3.0, 4.0])
    with detect_anomaly() as found:
        y = np.sum(x * weights)
        weights[0] = 100.0
        with pytest.warns(AnomalyWarning, match="argument 1 of multiply changed"):
            y.backward()
    assert kinds(found) == [("changed", "multiply")]
    with warnings.catch_warnings(action="error"), detect_anomaly() as found:
        y = np.sum(x * weights)
        y.backward()
    assert found == []


def test_numbers_are_the_same_and_nothing_stays_behind():
    def f(x):
        u, s, _ = np.linalg.svd(x)
        return np.sum(np.tanh(x) * s[0]) + np.sum(u**2)

    x = np.linspace(0, 1, 9).reshape(3, 3) ** 2
    plain = grad(f)(x), ad.hessian(f)(x)
    with detect_anomaly() as found:
        watched = grad(f)(x), ad.hessian(f)(x)
    assert found == []
    for a, b in zip(plain, watched, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    with detect_anomaly() as found, ad.no_grad():
        np.log(ad.Variable([0.0]))
    np.log(ad.Variable([0.0]))
    assert found == []


def test_errors_can_stop_at_the_first():
    @detect_anomaly()
    def run(x):
        return grad(lambda x: np.log(x) * 0.0)(x)

    with warnings.catch_warnings(action="ignore"):
        warnings.simplefilter("error", AnomalyWarning)
        with pytest.raises(AnomalyWarning, match=r"value of log is infinite; it got 0.0"):
            run(0.0)
    assert run(1.0) == 0.0


def test_each_thing_is_told_once():
    step = ad.checkpoint(lambda x: np.log(np.sqrt(x)))
    masked = ad.hessian(lambda x: np.sum(np.where(x > 0, step(x), 0.0)))
    with pytest.warns(AnomalyWarning), detect_anomaly() as found:
        masked(np.array([0.0, 4.0]))
    messages = [anomaly.message for anomaly in found]
    assert len(messages) == len(set(messages))
    assert ("removed", "sqrt") in kinds(found)


def test_one_watch_entered_twice_is_left_twice():
    watch = detect_anomaly()
    with watch, watch as found:
        pass
    np.log(ad.Variable([0.0]))
    assert found == []
    assert ad.levels.recording.watch is None


def test_generators_are_watched_while_they_run():
    @detect_anomaly()
    def values():
        yield np.log(ad.Variable(0.0))

    running = values()
    with pytest.warns(AnomalyWarning, match="value of log is infinite"):
        value = next(running)
    assert value.value == -np.inf
    assert ad.levels.recording.watch is None


def test_tangents_of_zero():
    with (
        pytest.warns(
            AnomalyWarning, match=r"1 .* of sqrt in argument 0 met a tangent of 0.*at 0\.0"
        ),
        detect_anomaly() as found,
    ):
        _, tangent = jvp(np.sqrt, (np.array([0.0, 4.0]),), (np.array([0.0, 1.0]),))
    np.testing.assert_array_equal(tangent, [0.0, 0.25])
    assert kinds(found) == [("removed", "sqrt")]
    with detect_anomaly() as found:
        jvp(lambda x, y: x**2.0 * y, (np.zeros(2), 3.0), (np.zeros(2), 0.0))
    assert found == []


def test_a_nan_from_infinities():
    def f(x):
        y = np.exp(x)
        return np.sum(y - y)

    with pytest.warns(AnomalyWarning), detect_anomaly() as found:
        grad(f)(np.array([1e3, 1.0]))
    values = [(anomaly.function, anomaly.message[:40]) for anomaly in found[:2]]
    assert values == [
        ("exp", "the value of exp is infinite in 1 of 2 e"),
        ("subtract", "the value of subtract is NaN in 1 of 2 e"),
    ]


def test_what_the_watch_computes_is_not_reported():
    with pytest.warns(AnomalyWarning), detect_anomaly() as found:
        assert grad(lambda a: grad(lambda b: np.sqrt(b * a))(a))(0.0) == np.inf
    assert ("value", "multiply") not in kinds(found)
    assert kinds(found)[:2] == [("value", "divide"), ("gradient", "sqrt")]
