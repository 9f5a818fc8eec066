"""Derivatives in shape parameters: both tails, small and large shapes, edges."""

import math
import random

import mpmath
import numpy as np
import pytest

from generated import support

COUNT = 40
# 16 units in the last place.
BOUND = 16 * 2.0**-52
INF, NAN = math.inf, math.nan


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def gamma_points(rng):
    a = log_uniform(rng, 1e-3, 1e5)
    near = a + 6.0 * math.sqrt(a) * rng.gauss(0.0, 1.0)
    return a, abs(rng.choice((near, log_uniform(rng, 1e-8, 1e6), a * log_uniform(rng, 0.3, 3.0))))


def beta_points(rng):
    a, b = log_uniform(rng, 1e-3, 1e5), log_uniform(rng, 1e-3, 1e5)
    edge = log_uniform(rng, 1e-10, 0.5)
    near = a / (a + b) * math.exp(rng.gauss(0.0, 3.0) * math.sqrt(b / (a * (a + b + 1.0))))
    return a, b, rng.choice((edge, 1.0 - edge, min(near, 0.999)))


def t_points(rng):
    n = log_uniform(rng, 1e-3, 1e5)
    size = rng.choice((log_uniform(rng, 0.01, 30.0), log_uniform(rng, 1e-6, 1e6)))
    return n, rng.choice((-1.0, 1.0)) * size


def lower_gamma(a, x):
    """By the series of positive terms, DLMF 8.11.4 with 8.2.7."""
    whole = mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a + 1))
    return whole * mpmath.hyp1f1(1, a + 1, x)


def upper_gamma(a, x):
    return mpmath.gammainc(a, x, mpmath.inf, regularized=True)


def lower_beta(a, b, x):
    """By the series of positive terms, DLMF 8.17.8."""
    whole = mpmath.exp(a * mpmath.log(x) + b * mpmath.log(1 - x)) / a / mpmath.beta(a, b)
    return whole * mpmath.hyp2f1(a + b, 1, a + 1, x, maxterms=10**6)


def upper_beta(a, b, x):
    return lower_beta(b, a, 1 - x)


def tail_of_t(n, x):
    return mpmath.betainc(n / 2, 0.5, 0, n / (n + x * x), regularized=True) / 2


def exact(name, point):
    """Return the derivative from the smaller of the two tails."""
    below, above, place = {
        "gammainc_a": (lower_gamma, upper_gamma, 0),
        "betainc_a": (lower_beta, upper_beta, 0),
        "betainc_b": (lower_beta, upper_beta, 1),
        "stdtr_n": (tail_of_t, tail_of_t, 0),
    }[name]
    *shapes, x = point
    middle = shapes[0] if len(shapes) == 1 else shapes[0] / sum(shapes)
    over = x > (0.0 if name == "stdtr_n" else middle)
    order = tuple(int(i == place) for i in range(len(point)))
    with mpmath.workdps(60):
        where = tuple(map(mpmath.mpf, point))
        slope = mpmath.diff(above if over else below, where, order)
        return float(-slope if over else slope)


@pytest.mark.parametrize(
    ("name", "sample"),
    [
        ("gammainc_a", gamma_points),
        ("betainc_a", beta_points),
        ("betainc_b", beta_points),
        ("stdtr_n", t_points),
    ],
)
def test_no_digits_are_lost_in_tails(name, sample):
    rng = random.Random(name)
    points = [sample(rng) for _ in range(COUNT)]
    found = getattr(support, name)(*np.array(points).T)
    for point, number in zip(points, found, strict=True):
        right = exact(name, point)
        assert abs(number - right) <= BOUND * abs(right) + 1e-280, (point, number, right)
    assert np.count_nonzero(np.abs(found) > 1e-280) > COUNT // 2


@pytest.mark.parametrize(
    ("name", "point", "right"),
    [
        ("gammainc_a", (2.0, 0.0), 0.0),
        ("gammainc_a", (2.0, 1e300), 0.0),
        ("gammainc_a", (2.0, INF), 0.0),
        ("gammainc_a", (INF, 2.0), 0.0),
        ("gammainc_a", (-1.0, 2.0), NAN),
        ("gammainc_a", (2.0, -1.0), NAN),
        ("gammainc_a", (NAN, 1.0), NAN),
        ("gammainc_a", (2.0, NAN), NAN),
        *((name, (2.0, 3.0, x), 0.0) for name in ("betainc_a", "betainc_b") for x in (0.0, 1.0)),
        *((name, (2.0, 3.0, x), NAN) for name in ("betainc_a", "betainc_b") for x in (-1, 2, NAN)),
        *((name, (0.0, 3.0, 0.5), NAN) for name in ("betainc_a", "betainc_b")),
        *(("stdtr_n", (3.0, x), 0.0) for x in (0.0, INF, -INF)),
        ("stdtr_n", (INF, 1.0), 0.0),
        ("stdtr_n", (-1.0, 1.0), NAN),
        ("stdtr_n", (3.0, NAN), NAN),
        *((f"betainc_lag_{arg}", (2.0, 3.0, x), 0.0) for arg in "ab" for x in (0.0, 1.0)),
        ("gammainc_lag", (2.0, 0.0), 0.0),
        ("gammainc_lag", (-1.0, 2.0), NAN),
        *(("stdtr_lag_n", (3.0, x), 0.0) for x in (0.0, -0.0)),
        *((f"fdtr_{arg}", (2.0, 3.0, x), 0.0) for arg in ("dfn", "dfd") for x in (0.0, INF)),
        ("fdtr_dfn", (2.0, -3.0, 1.0), NAN),
    ],
)
def test_edges(name, point, right):
    found = getattr(support, name)(*point)
    assert found == right or (math.isnan(found) and math.isnan(right))


def test_shapes_broadcast_and_are_empty():
    assert support.gammainc_a(np.ones((2, 1)), np.ones(3)).shape == (2, 3)
    assert support.betainc_b(np.ones((2, 1)), 1.0, np.ones(0)).shape == (2, 0)
    assert support.stdtr_n(np.float32([1.0]), np.float32(2.0)).dtype == np.float32


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="no function 'gammainc_b'"):
        _ = support.gammainc_b
