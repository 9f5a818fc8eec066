"""The functions of many digits: mpmath's numbers, and digits where mpmath has none."""

import mpmath
import pytest

from diffrules.digits import FUNCTIONS

mpf = mpmath.mpf
# Where mpmath is right as well, if it is given digits enough.
USUAL = [
    ("erfc", (0.5,)),
    ("erfc", (-3e7,)),
    ("erfc", (3e7,)),
    ("erfi", (-2e6,)),
    ("erfinv", (-0.999,)),
    ("erfcinv", (0.3,)),
    ("erfcinv", (1.999,)),
    ("besselj", (-3, 500.0)),
    ("besselj", (1, -700.0)),
    ("besselj", (0.25, 300.0)),
    ("bessely", (-2, 0.01)),
    ("bessely", (3, 20.0)),
    ("bessely", (1, 1e6)),
    ("besseli", (-2, 0.01)),
    ("besseli", (1, -1000.0)),
    ("besselk", (2, 0.01)),
    ("besselk", (-3, 30.0)),
    ("besselk", (0.5, 500.0)),
    ("besselk", (3.3, 20.0)),
    ("besselk", (-1.0000001, 0.5)),
    ("bessely", (0.3, 20.0)),
    ("bessely", (-2.0000001, 0.5)),
    ("hyp0f1", (1.5, -1e6)),
    ("hyp0f1", (2.5, 1e6)),
    ("beta", (1e-5, 300.0)),
    ("beta", (2.5, 1e4)),
    ("zeta", (1.5, 0.25)),
    ("zeta", (60.0, 40.0)),
    ("gammainc", (0.001, 0, 0.5)),
    ("gammainc", (1e-5, 0.01)),
    ("gammainc", (200.0, 0, 150.0)),
    ("gammainc", (200.0, 250.0)),
    ("betainc", (200.0, 100.0, 0, 0.5)),
    ("betainc", (200.0, 100.0, 0.9, 1)),
    ("betainc", (1e-3, 100.0, 0.25, 1)),
]
# Exact to the digits shown, from the leading terms of series.
FAR = [
    ("erfc", (1e200,), lambda x: mpmath.exp(-(x**2)) / x / mpmath.sqrt(mpmath.pi)),
    ("besselk", (1, 1e-200), lambda n, x: 1 / x),
    ("bessely", (0, 1e-300), lambda n, x: 2 / mpmath.pi * (mpmath.log(x / 2) + mpmath.euler)),
    ("beta", (1e-200, 1e200), lambda a, b: 1 / a),
    ("zeta", (1e300, 2.0), lambda s, q: q**-s),
    ("gammainc", (1e-300, 0.5), lambda z, x: mpmath.e1(x)),
    ("betainc", (1e-200, 1e200, 0, 1e-300), lambda a, b, low, x: x**a / a),
]


@pytest.mark.parametrize(("name", "args"), USUAL, ids=str)
def test_the_numbers_of_mpmath(name, args):
    args = tuple(map(mpf, args))
    with mpmath.workdps(50):
        ours = getattr(FUNCTIONS, name)(*args)
    with mpmath.workdps(150):
        theirs = mpmath.erfinv(1 - args[0]) if name == "erfcinv" else getattr(mpmath, name)(*args)
    assert abs(ours - theirs) <= abs(theirs) * mpf(10) ** -47


@pytest.mark.parametrize(
    ("name", "args", "right"), FAR, ids=[f"{name}-{args}" for name, args, _ in FAR]
)
def test_far_out(name, args, right):
    args = tuple(map(mpf, args))
    with mpmath.workdps(50):
        ours = getattr(FUNCTIONS, name)(*args)
    with mpmath.workdps(1000):
        assert abs(ours / right(*args) - 1) < mpf(10) ** -45


def test_zeros_of_far_oscillations():
    """The phase has the digits of the argument and those asked for."""
    with mpmath.workdps(600):
        x = mpmath.mpf(2.0**900)
        first = FUNCTIONS.besselj(0, x) * mpmath.sqrt(mpmath.pi * x / 2)
        assert abs(first - mpmath.cos(x - mpmath.pi / 4)) < mpf(2) ** -890
    with mpmath.workdps(40):
        again = FUNCTIONS.besselj(0, x) * mpmath.sqrt(mpmath.pi * x / 2)
    assert abs(first / again - 1) < mpf(10) ** -38


def test_the_rest_is_left_to_mpmath():
    assert FUNCTIONS.besselj(1, 2j) == mpmath.besselj(1, 2j)
    assert FUNCTIONS.zeta(0.5) == mpmath.zeta(0.5)
    assert FUNCTIONS.erfc(1 + 1j) == mpmath.erfc(1 + 1j)
    assert FUNCTIONS.gammainc(-1.5, 2) == mpmath.gammainc(-1.5, 2)
    assert FUNCTIONS.sin is mpmath.sin
