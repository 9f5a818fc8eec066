"""Orthogonal polynomials next to zeros of their derivatives and far out; numbers of 60 digits."""

import numpy as np
import pytest

from generated.broadcasted import orthogonal
from generated.support.orthogonal import MOST

BOUND = 4

POINTS = (
    # Next to zeros that are floats, and to others.
    ("eval_hermite", (5, -1.6506801238856907), -1.2138223011798214698e-10),
    ("eval_hermitenorm", (3, 1.0000000000000002), 1.3322676295501879964e-15),
    ("eval_genlaguerre", (4, 9.999998092651367, 7.882571607931837), -1.2637210503314137478e-14),
    ("eval_genlaguerre", (5, -0.9999999999999993, -0.006692659461814386), -1.026905212853224965),
    ("eval_gegenbauer", (5, 5.657910737179089, 0.5276452385966499), -2.961403903178621092e-7),
    ("eval_chebyt", (3, -0.49627918551515804), -0.044483640292936216095),
    ("eval_chebyt", (3, 0.5), 0.0),
    ("eval_chebyt", (3, 0.5000000000000001), 1.3322676295501879964e-15),
    ("eval_chebyc", (3, -1.0000000037), 2.2200000545638608497e-8),
    ("eval_sh_chebyt", (3, 0.25), 0.0),
    ("eval_sh_chebyt", (3, 0.7500000000000001), 5.3290705182007525773e-15),
    ("eval_sh_legendre", (4, 0.8273268353539887), 4.9485939481571072263e-15),
    (
        "eval_sh_jacobi",
        (4, 8.325957926285751, 1.1651368118902337, 0.24863570809427316),
        1.6377646726490597974e-17,
    ),
    ("lpmv", (2, 4, 0.6546536707079772), 19.639610121239306224),
    # Where the derivative is the small difference of the parameters.
    ("eval_jacobi", (2, 1e-20, 2e-20, 1e-25), -7.4996999999999995887e-21),
    # Where terms overflow, and at the ends of the domain.
    ("eval_hermite", (2, 1e305), 8e305),
    ("eval_hermite", (5, -3e70), 1.2959999999999995816e284),
    ("eval_hermitenorm", (4, 1e80), 4.0000000000000000032e240),
    ("eval_genlaguerre", (2, 1.5, -1e300), -1.0000000000000000525e300),
    ("eval_laguerre", (3, 2.0**500), -5.3575430359313366047e300),
    ("lpmv", (1, 2, 1e-200), -3.0),
    ("lpmv", (3, 5, 0.9999999999), 0.017819091614170531202),
)


@pytest.mark.parametrize(("name", "point", "exact"), POINTS)
def test_no_digit_is_lost(name, point, exact):
    gradient = getattr(orthogonal, f"{name}_grad_x")
    degrees, *numbers = (np.array([number]) for number in point)
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        (found,) = gradient(np.ones(1), None, degrees, *numbers)
        number = gradient(1.0, None, *point)
    assert abs(found - exact) <= BOUND * np.spacing(abs(exact)) * (exact != 0.0)
    assert number == found


@pytest.mark.parametrize("degree", [2.5, MOST + 1, -1, 3])
def test_other_degrees_are_scipys(degree):
    special = pytest.importorskip("scipy.special")
    x = np.linspace(0.1, 0.9, 5)
    want = special.eval_gegenbauer(degree - 1, 1.5, x) if degree > 0 else 0.0 * x
    found = orthogonal.eval_legendre_grad_x(1.0, None, degree, x)
    np.testing.assert_allclose(found, want, rtol=1e-9)


def test_degrees_of_an_array_are_computed_one_by_one():
    degrees, x = np.array([[0], [4], [1]]), np.linspace(-0.9, 0.9, 7)
    found = orthogonal.eval_chebyu_grad_x(1.0, None, degrees, x)
    want = [orthogonal.eval_chebyu_grad_x(1.0, None, int(n), x) for n in degrees.ravel()]
    np.testing.assert_array_equal(found, want)


def test_single_precision_stays():
    x = np.linspace(0.1, 0.9, 5, dtype=np.float32)
    assert orthogonal.eval_hermite_grad_x(x, None, 3, x).dtype == np.float32


def test_second_derivative_of_lpmv_next_to_0():
    # SciPy's lpmv is 0 there.
    found = orthogonal._ferrers_slope_grad_x(1.0, None, 1, 1, 2, 1e-200)
    assert found == pytest.approx(9e-200, rel=1e-15)
