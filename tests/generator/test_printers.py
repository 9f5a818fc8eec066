"""Expressions as each printer writes them: right, and as if by hand."""

import ast

import numpy as np
import pytest
import sympy
from sympy import (
    Abs,
    Eq,
    Float,
    Max,
    Min,
    Mod,
    Ne,
    Not,
    Or,
    Piecewise,
    Rational,
    acos,
    atan2,
    besselj,
    ceiling,
    cos,
    cosh,
    erf,
    exp,
    floor,
    gamma,
    log,
    oo,
    pi,
    polygamma,
    sign,
    sin,
    sqrt,
    tan,
)  # fmt: skip

from diffrules.entry import RULES
from diffrules.guards import indicator, isnan, nonzero, out, symbol, where, x, y
from generator.callees import Callees
from generator.errors import GeneratorError, Unsupported
from generator.printers import BroadcastedPrinter
from generator.printers.steady import steady

z = symbol("z")
hypot, expit = RULES["hypot", 2], RULES["expit", 1]
nothing = "nothing"

# Rows: expression, math, NumPy, C.
ARITHMETIC = [
    (1 / x, "1.0 / x", "1.0 / x", "1.0 / x"),
    (-1 / x, "-1.0 / x", "-1.0 / x", "-1.0 / x"),
    (1 / (2 * out), "0.5 / out", "0.5 / out", "0.5 / out"),
    (1 / (3 * out**2),
     "1.0 / (3.0 * (out * out))",
     "1.0 / (3.0 * out**2)",
     "1.0 / (3.0 * (out * out))"),
    (x / 3, "x / 3.0", "x / 3.0", "x / 3.0"),
    (2 * x / 3, "0.6666666666666666 * x", "0.6666666666666666 * x", "0.6666666666666666 * x"),
    (x * y / z, "x * y / z", "x * y / z", "x * y / z"),
    (x / (y * z), "x / (y * z)", "x / (y * z)", "x / (y * z)"),
    (x - y, "x - y", "x - y", "x - y"),
    (y - x, "y - x", "y - x", "y - x"),
    (1 - x**2, "1.0 - x * x", "1.0 - x**2", "1.0 - x * x"),
    (1 + x, "1.0 + x", "1.0 + x", "1.0 + x"),
    (x - 1, "x - 1.0", "x - 1.0", "x - 1.0"),
    (-x - 1, "-(1.0 + x)", "-(1.0 + x)", "-(1.0 + x)"),
    ((1 - x) * (1 + x), "(1.0 - x) * (1.0 + x)", "(1.0 - x) * (1.0 + x)", "(1.0 - x) * (1.0 + x)"),
    ((x - y) / 2, "0.5 * (x - y)", "0.5 * (x - y)", "0.5 * (x - y)"),
    (x * (y * y), "x * (y * y)", "x * y**2", "x * (y * y)"),
    (x**2 / y**2, "x * x / (y * y)", "x**2 / y**2", "x * x / (y * y)"),
    (x**3, "math.pow(x, 3.0)", "x**3", "x * x * x"),
    (x**-2, "math.pow(1.0 / x, 2.0)", "(1.0 / x)**2", "ad_square(1.0 / x)"),
    (x**y, "math.pow(x, y)", "np.power(x, y)", "pow(x, y)"),
    (x ** Rational(2, 3),
     "math.pow(x, 0.6666666666666666)",
     "np.power(x, 0.6666666666666666)",
     "pow(x, 0.6666666666666666)"),
    (sqrt(x), "math.sqrt(x)", "np.sqrt(x)", "sqrt(x)"),
    (1 / sqrt(1 - x), "1.0 / math.sqrt(1.0 - x)", "1.0 / np.sqrt(1.0 - x)", "1.0 / sqrt(1.0 - x)"),
    (x / sqrt(y), "x / math.sqrt(y)", "x / np.sqrt(y)", "x / sqrt(y)"),
    (-(x + y) * sin(x), "-(x + y) * math.sin(x)", "-(x + y) * np.sin(x)", "-(x + y) * sin(x)"),
    ((1 / cosh(x)) ** 2,
     "math.pow(1.0 / math.cosh(x), 2.0)",
     "(1.0 / np.cosh(x))**2",
     "ad_square(1.0 / cosh(x))"),
]  # fmt: skip
CONSTANTS = [
    (pi * x, "math.pi * x", "np.pi * x", "3.141592653589793 * x"),
    (2 * pi * x, "6.283185307179586 * x", "6.283185307179586 * x", "6.283185307179586 * x"),
    (sqrt(2 / pi) * x,
     "0.7978845608028654 * x",
     "0.7978845608028654 * x",
     "0.7978845608028654 * x"),
    (x / log(2), "1.4426950408889634 * x", "1.4426950408889634 * x", "1.4426950408889634 * x"),
    (1 / (x * log(10)),
     "0.4342944819032518 / x",
     "0.4342944819032518 / x",
     "0.4342944819032518 / x"),
    (x * pi / 180,
     "0.017453292519943295 * x",
     "0.017453292519943295 * x",
     "0.017453292519943295 * x"),
    (Float(0.044715) * x, "0.044715 * x", "0.044715 * x", "0.044715 * x"),
    (where(x > 0, oo, -oo),
     "math.inf if x > 0.0 else -math.inf",
     "np.where(x > 0.0, np.inf, -np.inf)",
     "x > 0.0 ? INFINITY : -INFINITY"),
]  # fmt: skip
FUNCTIONS = [
    (sin(x) * exp(-y), "math.exp(-y) * math.sin(x)", "np.exp(-y) * np.sin(x)", "exp(-y) * sin(x)"),
    (acos(x), "math.acos(x)", "np.arccos(x)", "acos(x)"),
    (atan2(y, x), "math.atan2(y, x)", "np.arctan2(y, x)", "atan2(y, x)"),
    (hypot(1, x), "math.hypot(1.0, x)", "np.hypot(1.0, x)", "hypot(1.0, x)"),
    (Abs(x), "math.fabs(x)", "np.absolute(x)", "fabs(x)"),
    (sign(x), "sign(x)", "np.sign(x)", "ad_sign(x)"),
    (floor(x) + ceiling(y), "ceil(y) + floor(x)", "np.ceil(y) + np.floor(x)", "ceil(y) + floor(x)"),
    (erf(x), "math.erf(x)", "special.erf(x)", "erf(x)"),
    (gamma(x), "math.gamma(x)", "special.gamma(x)", "tgamma(x)"),
    (2**x, "math.exp2(x)", "np.exp2(x)", "exp2(x)"),
    (polygamma(0, x), nothing, "special.digamma(x)", "ad_digamma(x)"),
    (polygamma(1, x), nothing, "trigamma(x)", "ad_trigamma(x)"),
    (polygamma(2, x), nothing, "polygamma(2, x)", "ad_polygamma(2.0, x)"),
    (besselj(0, x), nothing, "special.j0(x)", nothing),
    (besselj(2, x), nothing, "special.jv(2.0, x)", nothing),
    (expit(-x), "expit(-x)", "expit(-x)", "ad_expit(-x)"),
    (-2 * Mod(x, 3),
     "-2.0 * remainder(x, 3.0)",
     "-2.0 * np.remainder(x, 3.0)",
     "-2.0 * ad_remainder(x, 3.0)"),
    (Max(x, 0), "maximum(x, 0.0)", "np.maximum(x, 0.0)", "ad_maximum(x, 0.0)"),
    (Min(x, y), "minimum(x, y)", "np.minimum(x, y)", "ad_minimum(x, y)"),
    (Max(x, y, z),
     "maximum(maximum(x, y), z)",
     "np.maximum(np.maximum(x, y), z)",
     "ad_maximum(ad_maximum(x, y), z)"),
    (tan(x) ** 2, "math.pow(math.tan(x), 2.0)", "np.tan(x)**2", "ad_square(tan(x))"),
]  # fmt: skip
CHOICES = [
    (where(x > y, x, y), "x if x > y else y", "np.where(x > y, x, y)", "x > y ? x : y"),
    (where(Or(x > y, isnan(x)), x, y),
     "x if x > y or x != x else y",
     "np.where((x > y) | np.isnan(x), x, y)",
     "x > y || isnan(x) ? x : y"),
    (where((x > 0) & Ne(y, 0), x, y),
     "x if x > 0.0 and y != 0.0 else y",
     "np.where((x > 0.0) & (y != 0.0), x, y)",
     "x > 0.0 && y != 0.0 ? x : y"),
    (where(Not(isnan(x)), x, y),
     "x if x == x else y",
     "np.where(~np.isnan(x), x, y)",
     "!isnan(x) ? x : y"),
    (where(isnan(x * y), x, y),
     "x if math.isnan(x * y) else y",
     "np.where(np.isnan(x * y), x, y)",
     "isnan(x * y) ? x : y"),
    (where(x > 0, where(y > 0, x, y), z),
     "(x if y > 0.0 else y) if x > 0.0 else z",
     "np.where(x > 0.0, np.where(y > 0.0, x, y), z)",
     "x > 0.0 ? (y > 0.0 ? x : y) : z"),
    (x * where(y > 0, x, z),
     "x * (x if y > 0.0 else z)",
     "x * np.where(y > 0.0, x, z)",
     "x * (y > 0.0 ? x : z)"),
    (x * indicator(y > 0), "x * (y > 0.0)", "x * (y > 0.0)", "x * (y > 0.0)"),
    (1 - indicator(Eq(x, y)) * x, "1.0 - x * (x == y)", "1.0 - x * (x == y)", "1.0 - x * (x == y)"),
    (x / nonzero(y), "x / (y or 1.0)", "x / (y + (y == 0.0))", "x / (y + (y == 0.0))"),
    (Piecewise((x, x > 0), (y, True)),
     "x if x > 0.0 else y",
     "np.where(x > 0.0, x, y)",
     "x > 0.0 ? x : y"),
]  # fmt: skip
ALL = [*ARITHMETIC, *CONSTANTS, *FUNCTIONS, *CHOICES]


def named(rows, column):
    return [pytest.param(row[0], row[column], id=str(row[column])) for row in rows]


def check(printer, expression, text):
    if text is nothing:
        with pytest.raises(Unsupported):
            printer.code(expression)
    else:
        assert printer.code(expression) == text


@pytest.mark.parametrize(("expression", "text"), named(ALL, 1))
def test_scalar(scalar, expression, text):
    check(scalar, expression, text)


@pytest.mark.parametrize(("expression", "text"), named(ALL, 2))
def test_broadcasted(broadcasted, expression, text):
    check(broadcasted, expression, text)


@pytest.mark.parametrize(("expression", "text"), named(ALL, 3))
def test_c(c, expression, text):
    check(c, expression, text)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (x / 3 + sin(y), "x / 3.0f + sinf(y)"),
        (pi * x, "3.1415927f * x"),
        (Rational(1, 10) * x, "x / 10.0f"),
        (erf(x), "(float)erf(x)"),
        (expit(x), "ad_expitf(x)"),
        (x**y, "powf(x, y)"),
        (Mod(x, y), "ad_remainderf(x, y)"),
    ],
)
def test_single_precision_c(c_single, expression, text):
    assert c_single.code(expression) == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (2 * x / sqrt(pi), "2 * x / sqrt(pi)"),
        (x ** Rational(1, 3), "x**(1/3)"),
        (log(x) / log(2), "log(x) / log(2)"),
        (where(Eq(x, y), Rational(1, 2), x / nonzero(y)), "where(x == y, 1/2, x / y)"),
        (-(1 + x**2), "-(1 + x**2)"),
        (expit(-x) - oo * indicator(x > 0), "expit(-x) - inf * (x > 0)"),
    ],
)
def test_formulas(formula, expression, text):
    assert formula.code(expression) == text


@pytest.mark.parametrize(
    ("partial", "numpy", "math"),
    [
        (sympy.Integer(1), "grad", "grad"),
        (sympy.Integer(-1), "-grad", "-grad"),
        (sympy.Integer(0), "0.0", "0.0"),
        (1 / x, "grad / x", "grad / x"),
        (-1 / x, "-grad / x", "-grad / x"),
        (1 / (3 * x), "grad / (3.0 * x)", "grad / (3.0 * x)"),
        (1 / ((1 - x) * y), "grad / (y * (1.0 - x))", "grad / (y * (1.0 - x))"),
        (1 / sqrt(x), "grad / np.sqrt(x)", "grad / math.sqrt(x)"),
        (1 / (2 * out), "grad * (0.5 / out)", "grad * (0.5 / out)"),
        (x / out, "grad * (x / out)", "grad * (x / out)"),
        (-sin(x), "-grad * np.sin(x)", "-grad * math.sin(x)"),
        (Rational(1, 3), "grad / 3.0", "grad / 3.0"),
        (pi / 180, "0.017453292519943295 * grad", "0.017453292519943295 * grad"),
        (x + y, "grad * (x + y)", "grad * (x + y)"),
        (-(x + y), "-grad * (x + y)", "-grad * (x + y)"),
        (indicator(x > y), "grad * (x > y)", "grad * (x > y)"),
        (2 * indicator(x > y), "2.0 * grad * (x > y)", "2.0 * grad * (x > y)"),
        (
            where(Eq(x, y), Rational(1, 2), indicator(x > y)),
            "np.where(x == y, 0.5 * grad, grad * (x > y))",
            "0.5 * grad if x == y else grad * (x > y)",
        ),
        (where(x > 0, 1, exp(x)), "np.where(x > 0.0, grad, grad * np.exp(x))",
         "grad if x > 0.0 else grad * math.exp(x)"),
    ],
)  # fmt: skip
def test_products_with_the_cotangent(broadcasted, scalar, partial, numpy, math):
    assert broadcasted.times_grad(partial) == numpy
    assert scalar.times_grad(partial) == math


@pytest.mark.parametrize(
    "partial",
    [
        1 + indicator(x > 0),
        x * (1 + indicator(x > 0)),
        x + 2 * indicator(x > 0),
        x * where(x > 0, 1, 2),
        x + where(x > 0, 1, 2),
        exp(where(x > 0, 1, 2)),
        2 * where(x > 0, 1, indicator(y > 0)),
        where(x > 0, where(y > 0, 1, 2), 3) * where(y > 0, 1, 2),
        sin(x) * sign(y) - Rational(1, 3),
        where(x > 0, x, 1),
    ],
    ids=str,
)
def test_float32_stays_float32_and_the_value_is_kept(broadcasted, partial):
    """B65: numbers and conditions alone make float64."""
    code = broadcasted.times_grad(partial)
    points = {"x": [-1.5, 2.0, 0.5], "y": [1.0, 0.0, -1.0], "grad": [1.0, 2.0, 3.0]}
    arrays = {name: np.array(values, np.float32) for name, values in points.items()}
    result = eval(code, {"np": np}, arrays)
    assert result.dtype == np.float32
    steadied = steady(partial).rewrite(Piecewise)
    for a, b, g, found in zip(*points.values(), result, strict=True):
        exact = steadied.subs({x: Rational(a), y: Rational(b)}) * g
        unchanged = partial.rewrite(Piecewise).subs({x: Rational(a), y: Rational(b)}) * g
        assert float(exact) == float(unchanged)
        assert found == pytest.approx(float(exact), rel=1e-6)


def test_maximum_of_several_broadcasts(broadcasted):
    """B71: Max of three arguments, on arrays of different shapes."""
    code = broadcasted.code(Max(x, y, z, 0))
    shapes = {"x": np.array([[-1.0], [3.0]]), "y": np.array([-2.0, 2.0]), "z": np.float64(-1.0)}
    assert eval(code, {"np": np}, shapes).tolist() == [[0.0, 2.0], [3.0, 3.0]]


def test_whole_arguments_have_whole_literals(broadcasted, scalar):
    assert broadcasted.code(RULES["polygamma", 2](y + 1, x)) == "polygamma(y + 1, x)"
    assert broadcasted.code(RULES["ldexp", 2](x, 2)) == "np.ldexp(x, 2)"
    assert scalar.code(RULES["ldexp", 2](x + 1, 2)) == "math.ldexp(1.0 + x, 2)"


def test_an_entry_does_not_call_itself(broadcasted, scalar, c):
    """Forward code of an entry is its callee or its value, never its own function."""
    own = ((broadcasted, "{}("), (scalar, "{}("), (c, "ad_{}("))
    for rule in RULES.values():
        for printer, call in own:
            try:
                assert not printer.forward(rule).startswith(call.format(rule.name))
            except Unsupported:
                continue


def test_every_piece_of_the_table_is_valid_python(broadcasted, scalar):
    for rule in RULES.values():
        for printer in (broadcasted, scalar):
            try:
                ast.parse(printer.forward(rule))
            except Unsupported:
                continue


def test_no_expression_of_the_table_is_one_no_printer_can_print():
    """B74."""
    unprintable = (sympy.Derivative, sympy.Subs, sympy.DiracDelta, sympy.re, sympy.im)
    for rule in RULES.values():
        for expression in (rule.value, *rule.let.values(), *rule.partials.values()):
            if isinstance(expression, sympy.Basic):
                assert not expression.has(*unprintable), rule.name


def test_a_function_without_an_entry_says_what_to_do(broadcasted):
    with pytest.raises(GeneratorError, match=r"no entry of the table computes mathieuc.*numpy="):
        broadcasted.code(sympy.mathieuc(1, 2, x))


def test_a_piecewise_with_a_hole_is_refused(broadcasted):
    with pytest.raises(GeneratorError, match="not defined everywhere"):
        broadcasted.code(Piecewise((x, x > 0)))


def test_cosine_is_printed_through_the_entry_that_is_the_cosine(broadcasted, new_rules):
    del new_rules["cos", 1]
    assert broadcasted.code(cos(x)) == "np.cos(x)"
    with pytest.raises(GeneratorError, match="computes cos"):
        BroadcastedPrinter(Callees(new_rules.values())).code(cos(x))
