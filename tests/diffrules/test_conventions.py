"""What a derivative is where it is not obvious: one row for each convention of the project.

The number comes from the entry's singular points, or from evaluating its partial there. That
the generated code has the same numbers is checked where it is tested.
"""

import math
from math import inf, log, nan, pi

import mpmath
import pytest

from diffrules import RULES, oracle
from diffrules.entry import as_float, not_differentiable

HALF = 0.5
SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772
# Function, point, partials; None where the row says nothing of an argument.
ROWS = [
    ("absolute", (0.0,), (0,)),
    ("absolute", (-0.0,), (0,)),
    *((name, (at,), (0,)) for name in ("sign", "floor", "ceil", "trunc", "rint")
      for at in (0.0, 0.5, 1.0, 1.5, -2.0, 1e300)),
    ("heaviside", (0.0, 0.5), (0, 1)),
    ("heaviside", (2.0, 0.5), (0, 0)),
    *((name, (at, at), (HALF, HALF)) for name in ("maximum", "minimum", "fmax", "fmin")
      for at in (1.0, inf, -inf)),
    ("clip", (0.0, 0.0, 1.0), (HALF, HALF, 0)),
    ("clip", (1.0, 0.0, 1.0), (HALF, 0, HALF)),
    ("clip", (0.5, 0.0, 1.0), (1, 0, 0)),
    ("clip", (-1.0, 0.0, 1.0), (0, 1, 0)),
    ("clip", (2.0, 0.0, 1.0), (0, 0, 1)),
    ("clip", (1.0, 1.0, 1.0), (HALF * HALF, HALF * HALF, HALF)),
    ("clip", (5.0, 7.0, 3.0), (0, 0, 1)),
    ("relu", (0.0,), (0,)),
    ("leaky_relu", (0.0,), ((1 + 0.01) / 2,)),
    ("elu", (0.0,), (1,)),
    ("selu", (0.0,), (SCALE * (1 + ALPHA) / 2,)),
    ("hard_tanh", (1.0,), (HALF,)),
    ("hard_tanh", (-1.0,), (HALF,)),
    ("softsign", (0.0,), (1,)),
    ("maximum", (nan, 1.0), (1, 0)),
    ("minimum", (nan, 1.0), (1, 0)),
    ("fmax", (nan, 1.0), (0, 1)),
    ("fmin", (nan, 1.0), (0, 1)),
    ("nan_to_num", (nan,), (0,)),
    ("nan_to_num", (inf,), (0,)),
    ("nan_to_num", (-inf,), (0,)),
    ("nan_to_num", (3.0,), (1,)),
    ("copysign", (2.0, -3.0), (-1, 0)),
    ("copysign", (2.0, -0.0), (-1, 0)),
    ("where", (1.0, 2.0, 3.0), (0, 1, 0)),
    ("where", (0.0, 2.0, 3.0), (0, 0, 1)),
    ("where", (1.0, 2.0, inf), (0, 1, 0)),
    ("ldexp", (3.0, 2.0), (4, 0)),
    ("floor_divide", (6.0, 3.0), (0, 0)),
    ("floor_divide", (7.0, 3.0), (0, 0)),
    ("hypot", (0.0, 0.0), (0, 0)),
    *((name, (0.0,), (inf,)) for name in ("y0", "y1")),
    *(("rgamma", (float(-n),), ((-1) ** n * math.factorial(n),)) for n in range(3)),
    *(("gammasgn", (at,), (0,)) for at in (0.5, -0.5)),
    ("sqrt", (0.0,), (inf,)),
    ("log", (0.0,), (inf,)),
    ("cbrt", (0.0,), (inf,)),
    ("cbrt", (-8.0,), (1 / 12,)),
    ("arcsin", (1.0,), (inf,)),
    ("arccosh", (1.0,), (inf,)),
    ("arccos", (1.0,), (-inf,)),
    ("reciprocal", (0.0,), (-inf,)),
    ("reciprocal", (-0.0,), (-inf,)),
    ("divide", (1.0, 0.0), (inf, -inf)),
    ("divide", (1.0, -0.0), (-inf, -inf)),
    *(row for name in ("power", "float_power") for row in (
        (name, (0.0, 0.0), (0, nan)),
        (name, (0.0, 1.0), (1, 0)),
        (name, (0.0, 2.0), (0, 0)),
        (name, (0.0, 3.0), (0, 0)),
        (name, (0.0, 0.5), (inf, 0)),
        (name, (0.0, -1.0), (-inf, nan)),
        (name, (-0.0, -1.0), (-inf, nan)),
        (name, (-0.0, -2.0), (inf, nan)),
        (name, (2.0, 3.0), (12, 8 * log(2))),
        (name, (-2.0, 3.0), (12, nan)),
    )),
    ("arctan2", (0.0, 0.0), (0, 0)),
    ("arctan2", (1.0, 2.0), (0.4, -0.2)),
    ("remainder", (-19.0, 3.0), (1, 7)),
    ("remainder", (0.5, 0.1), (1, -4)),
    ("remainder", (6.0, 3.0), (1, -2)),
    ("fmod", (-19.0, 3.0), (1, 6)),
    ("fmod", (0.5, 0.1), (1, -4)),
    ("fmod", (6.0, 3.0), (1, -2)),
    *((name, where, partials) for name in ("logaddexp", "logaddexp2") for where, partials in (
        ((3.0, 3.0), (HALF, HALF)),
        ((inf, inf), (HALF, HALF)),
        ((-inf, -inf), (HALF, HALF)),
        ((inf, 0.0), (1, 0)),
        ((-inf, 0.0), (0, 1)),
    )),
    ("xlogy", (0.0, 2.0), (log(2), 0)),
    ("xlogy", (0.0, 0.0), (-inf, 0)),
    ("xlog1py", (0.0, 1.0), (log(2), 0)),
    ("sinc", (0.0,), (0,)),
    ("sinc", (1e-4,), (-3.2898681012267561e-04,)),
    ("sinc", (1e-8,), (-3.2898681336964526e-08,)),
    ("sinc", (1e-16,), (-3.2898681336964528e-16,)),
    ("entr", (0.0,), (inf,)),
    ("arcsinh", (0.0,), (1,)),
    ("log_expit", (-800.0,), (1,)),
    ("softplus", (800.0,), (1,)),
    ("log1mexp", (-1e-20,), (-1e20,)),
]  # fmt: skip
# Function, the two arguments of the second derivative, point, its value.
SECOND = [
    ("sinc", (0, 0), (0.0,), -(pi**2) / 3),
    ("sinc", (0, 0), (1e-6,), -3.289868133686712),
    ("power", (0, 0), (0.0, 1.0), 0.0),
    ("power", (0, 0), (0.0, 2.0), 2.0),
    ("power", (0, 0), (0.0, 3.0), 0.0),
    ("power", (0, 1), (2.0, 0.0), 0.5),
    ("power", (1, 0), (2.0, 0.0), 0.5),
    ("power", (0, 1), (2.0, 3.0), 4 * (1 + 3 * log(2))),
    ("power", (1, 0), (2.0, 3.0), 4 * (1 + 3 * log(2))),
    ("power", (0, 1), (0.0, 2.0), 0.0),
    ("power", (1, 0), (0.0, 2.0), 0.0),
    ("logaddexp", (0, 0), (3.0, 3.0), 0.25),
    ("logaddexp", (0, 1), (3.0, 3.0), -0.25),
    ("xlogy", (0, 1), (0.0, 2.0), 0.5),
    ("xlogy", (1, 0), (0.0, 2.0), 0.5),
]
# By reason and argument: the functions without a derivative in it.
WITHOUT_DERIVATIVE = {
    "SciPy has no derivative of Bessel functions in the order": {
        "n": "iv ive jv jve kv kve yv yve",
        "nu": "besselpoly",
    },
    "SciPy has no derivative of Struve functions in the order": {
        "v": "modstruve struve",
    },
    "SciPy has no derivative of Tukey's distribution in its shape": {
        "lmbda": "tklmbda",
    },
    "SciPy has no derivative of orthogonal polynomials in their parameters": {
        "a": "eval_gegenbauer eval_genlaguerre eval_jacobi",
        "b": "eval_jacobi",
        "p": "eval_sh_jacobi",
        "q": "eval_sh_jacobi",
    },
    "SciPy has no derivative of the zeta function in s": {
        "s": "zeta",
    },
    "SciPy has no integral of a power times a logarithm": {
        "lmb": "besselpoly",
    },
    "SciPy has no sum of the terms times their digamma functions": {
        "a": "log_wright_bessel wright_bessel",
        "b": "log_wright_bessel wright_bessel",
    },
    "it is a whole number": {
        "k": "bdtr bdtrc bdtri nbdtr nbdtrc nbdtri pdtr pdtrc pdtri",
        "n": "bdtr bdtrc bdtri nbdtr nbdtrc nbdtri",
    },
    "parabolic cylinder functions have no derivative of closed form in it": {
        "a": "parabolic_w parabolic_w_prime",
        "v": "parabolic_d parabolic_d_prime parabolic_v parabolic_v_prime",
    },
    "the degree is a whole number": {
        "n": (
            "eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre "
            "eval_hermite eval_hermitenorm eval_jacobi eval_laguerre eval_legendre "
            "eval_sh_chebyt eval_sh_chebyu eval_sh_jacobi eval_sh_legendre oblate_angular "
            "oblate_angular_prime oblate_radial oblate_radial_prime prolate_angular "
            "prolate_angular_prime prolate_radial prolate_radial_prime"
        ),
    },
    "the derivative in degrees of freedom has no closed form": {
        "df": "chndtr chndtrinc chndtrix",
        "dfd": "ncfdtr ncfdtri",
        "dfn": "ncfdtr ncfdtri",
    },
    "the derivative in the degree has no closed form": {
        "v": "lpmv",
    },
    "the derivatives in parameters have no closed form": {
        "a": "hyp1f1 hyp2f1",
        "b": "hyp1f1 hyp2f1",
        "c": "hyp2f1",
        "v": "hyp0f1",
    },
    "the derivatives of Mathieu functions in q have no closed form": {
        "q": (
            "mathieu_ce mathieu_ce_prime mathieu_mc1 mathieu_mc1_prime mathieu_mc2 "
            "mathieu_mc2_prime mathieu_ms1 mathieu_ms1_prime mathieu_ms2 mathieu_ms2_prime "
            "mathieu_se mathieu_se_prime"
        ),
    },
    "the derivatives of wave functions in c have no closed form": {
        "c": (
            "oblate_angular oblate_angular_prime oblate_radial oblate_radial_prime "
            "prolate_angular prolate_angular_prime prolate_radial prolate_radial_prime"
        ),
    },
    "the order is a whole number": {
        "m": (
            "lpmv mathieu_a mathieu_b mathieu_ce mathieu_ce_prime mathieu_mc1 "
            "mathieu_mc1_prime mathieu_mc2 mathieu_mc2_prime mathieu_ms1 mathieu_ms1_prime "
            "mathieu_ms2 mathieu_ms2_prime mathieu_se mathieu_se_prime oblate_angular "
            "oblate_angular_prime oblate_radial oblate_radial_prime prolate_angular "
            "prolate_angular_prime prolate_radial prolate_radial_prime"
        ),
        "n": "expn kn polygamma spherical_in spherical_jn spherical_kn spherical_yn yn",
    },
}


def same(first, second):
    """Return whether two floats are the same, the sign of a zero and NaN included."""
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return first == second and math.copysign(1, first) == math.copysign(1, second)


def listed(entry, where):
    """Return the singular point of the entry with these coordinates, or None."""
    for spot in entry.at:
        if all(same(as_float(spot.where[a]), v) for a, v in zip(entry.args, where, strict=True)):
            return spot
    return None


def partials_at(entry, where):
    """Return the partials at a point: as the entry lists them, else evaluated."""
    spot = listed(entry, where)
    if spot is not None:
        return [as_float(spot.partials[arg]) for arg in entry.args]
    return [float(oracle.partial(entry, index, where)) for index in range(len(entry.args))]


@pytest.mark.parametrize(("name", "where", "partials"), ROWS)
def test_partials(name, where, partials):
    found = partials_at(RULES[name, len(where)], where)
    assert found == pytest.approx(partials, rel=4e-16, abs=0.0, nan_ok=True)


@pytest.mark.parametrize(("name", "args", "where", "right"), SECOND)
def test_second_derivatives_through_the_table(name, args, where, right):
    entry = RULES[name, len(where)]
    first, second = (entry.args[index] for index in args)
    expression = entry(*entry.args).diff(first).diff(second)
    found = oracle.evaluate(expression, entry.args, where)
    assert float(found) == pytest.approx(right, rel=4e-16, abs=0.0)


def without_derivative():
    """Return the arguments of public entries that have no derivative, by reason."""
    found = {}
    for entry in RULES.values():
        for arg, partial in entry.partials.items():
            if isinstance(partial, not_differentiable) and entry.is_public:
                found.setdefault(partial.reason, []).append(f"{entry.name}-{arg}")
    return found


@pytest.mark.parametrize("reason", WITHOUT_DERIVATIVE)
def test_orders_have_no_derivative(reason):
    listed = WITHOUT_DERIVATIVE[reason].items()
    wanted = [f"{name}-{arg}" for arg, names in listed for name in names.split()]
    assert sorted(without_derivative().get(reason, [])) == sorted(wanted)


def test_no_other_argument_is_without_derivative():
    assert without_derivative().keys() == WITHOUT_DERIVATIVE.keys()


def test_every_infinite_or_undefined_row_is_a_point_of_its_entry():
    for name, where, partials in ROWS:
        if not all(map(math.isfinite, (*where, *partials))):
            special = listed(RULES[name, len(where)], where)
            assert special is not None, f"{name} at {where} needs a point in the table"


def test_rows_that_are_evaluated_can_fail():
    assert float(oracle.partial(RULES["sinc", 1], 0, (1e-4,))) != -3.2898681336964528e-04
    assert mpmath.isfinite(oracle.partial(RULES["where", 3], 1, (1.0, 2.0, inf)))
