"""Values and partials against the table's own meaning, computed with many digits."""

import importlib

import numpy as np
import pytest

from diffrules import RULES, oracle

COUNT = 25
BOUND = 1e-12


def test_values_and_partials_in_the_domain(rule, methods):
    points = methods.inside(rule, COUNT, reach=30.0)
    out = methods.evaluate(rule, rule.name, points)
    wanted = [oracle.value(rule, point) for point in points]
    expect(rule.name, out, wanted, points, max(BOUND, rule.off))
    for index, name in methods.gradients(rule):
        got = methods.evaluate(rule, name, points, np.ones(COUNT), out)
        expect(name, got, [oracle.partial(rule, index, point) for point in points], points, BOUND)


def expect(name, got, wanted, points, bound):
    for number, exact, point in zip(got, wanted, points, strict=True):
        error = abs(number - float(exact))
        assert error <= bound * max(abs(float(exact)), 1e-290), (
            f"{name} at {point} is {number}, exactly {float(exact)}: off by {error:.1e}"
        )


# Where factors of the partials, or sums of the arguments, leave the float range.
OUTSIDE_ON_THE_WAY = [
    ("zeta", "q", (1e300, 2.0), -0.0),
    ("zeta", "q", (1.7155172351619146, 2.1637992268881687e179), -2.2250738585072014e-308),
    ("zeta", "q", (534012064674.01245, 1.0000000013771226), -2.2250738585064647e-308),
    ("zeta", "q", (63.99679519054307, 63.965546755391436), -4.2154896981861935e-116),
    ("beta", "x", (9.071040678595463e-12, 2.4696970579606283e305), -1.2153063607935514e22),
    ("beta", "y", (8.988465674311579e307, 0.0025153146607112802), -73861.0925823788),
    ("betaln", "x", (2.2250738585072014e-308, 133.55407616980972), -4.49423283715579e307),
    ("betaln", "y", (8.988465674311579e307, 0.04676941277423938), -730.9738678897604),
    ("poch", "z", (4e-323, 0.005771235933666474), 172.70157258577368),
    ("poch", "m", (3.5e-323, 99.42099525119596), 1.035359283270224e-167),
    ("hyp0f1", "z", (1.3161411977155066, 8.988465674311579e307), np.inf),
    ("wrightomega", "x", (-33.30200730836751,), 3.4444666935409212e-15),
    ("kolmogorov", "x", (1.7976931348623157e308,), -0.0),
    ("boxcox1p", "lmbda", (-2.759825515894238e-277, -1.7976931348623158e307), np.inf),
    ("boxcox1p", "lmbda", (-1e-300, -2e303), 1.9396198020937111e265),
    ("trigamma", "x", (-1.4987747591785825,), 0.002225279120362678),
    (
        "voigt_profile",
        "x",
        (-1.802781818109807e-295, 1.8026718e-295, 9963.5226),
        1.1603381239555009e-307,
    ),
    ("voigt_profile", "x", (-0.18656819722471113, 5.619e-320, 2.505e-320), 2.455612831453573e-318),
    (
        "voigt_profile",
        "sigma",
        (0.47475769911364846, 4.0970043562173194e124, 0.0001220703125),
        -2.376715586948424e-250,
    ),
    (
        "ncfdtr",
        "nc",
        (3.726666941546661, 2.000244140625, 16.06125842769831, 1.2663200621428499e186),
        -2.0118288401230957e-187,
    ),
    ("bdtri", "y", (3, 7, 2.264952309914662e-211), -9.899851976185858e156),
    ("chdtr", "x", (1.2677281242424558, 5e-324), 1.0765663521822755e118),
    ("chdtr", "x", (5e-324, 3.468777171520995e-262), 7.121611181853574e-63),
    ("chdtrc", "x", (1.8844729707649015e-92, 2.5e-323), -3.8142157557953774e230),
    ("rgamma", "x", (-0.5093447962657426,), -0.01327654155976838),
]


@pytest.mark.parametrize(("name", "arg", "point", "exact"), OUTSIDE_ON_THE_WAY)
def test_partials_where_plain_forms_lose_them(name, arg, point, exact):
    rule = RULES[name, len(point)]
    module = importlib.import_module(f"generated.broadcasted.{rule.family}")
    with np.errstate(all="ignore"):
        out = getattr(module, name)(*point)
    with np.errstate(all="raise", under="ignore"):
        found = getattr(module, f"{name}_grad_{arg}")(1.0, out, *point)
    assert found == exact or abs(found - exact) <= 2e-15 * abs(exact)


def test_a_factor_beyond_single_precision_is_no_infinity():
    module = importlib.import_module("generated.broadcasted.hypergeometric")
    point = map(np.float32, (0.5, 3.0274360179901123, 100.0))
    found = module.hyp1f1_grad_x(np.float32(1.0), None, *point)
    assert found.dtype == np.float32
    assert abs(found - 2.7071816604334508e38) <= 2e-7 * 2.7e38
