"""The table against SymPy, mpmath, NumPy and SciPy, in loops over all entries."""

import importlib
import math
import random

import mpmath
import numpy as np
import pytest
import sympy
from scipy import special

import generated.support
from diffrules import RULES, oracle
from diffrules.checks import FORBIDDEN
from diffrules.entry import (
    RuleError,
    TableFunction,
    as_float,
    expand_calls,
    not_differentiable,
)
from diffrules.guards import Guard, out
from diffrules.vocabulary import rule, x

ENTRIES = sorted(RULES.values(), key=lambda entry: entry.name)


PARTIALS = [
    pytest.param(entry, index, id=f"{entry.name}-{arg}")
    for entry in ENTRIES
    for index, arg in enumerate(entry.args)
    if not isinstance(entry.partials[arg], not_differentiable) and not entry.domain.is_whole(arg)
]
SPOTS = [
    pytest.param(entry, spot, id=f"{entry.name}-{number}")
    for entry in ENTRIES
    for number, spot in enumerate(entry.at)
]
# How far out mpmath computes these: their differences lose as many digits as the exponent has.
REACH = {"ndtr": 30.0, "log_ndtr": 30.0, "gelu": 30.0, "erfcx": 100.0, "_erfcx": 30.0,
         "gammaincc": 300.0, "_gammainc_a": 30.0,
         **dict.fromkeys((
             "gammaincinv", "gammainccinv", "betainc", "betaincc", "betaincinv", "betainccinv",
             "stdtrit", "chdtri", "chdtriv", "gdtr", "gdtrc", "gdtria", "gdtrib", "gdtrix", "fdtr",
             "fdtrc", "fdtri", "pdtrik", "btdtria", "btdtrib", "_betainc_a", "_betainc_b",
             "_betainc_lag_a", "_betainc_lag_b", "_fdtr_dfn", "_fdtr_dfd", "_fdtr_lag_dfn",
             "_fdtr_lag_dfd"), 10.0)}  # fmt: skip
TOLERANCE = mpmath.mpf("1e-30")
# At these points the partial is a choice and not the mean of both sides.
CHOICES = {
    ("relu", (0.0,)): "0 is the common choice",
    ("clip", (1.0, 1.0, 1.0)): "the product of two shares",
    ("hard_shrink", (0.5,)): "a jump",
    ("hard_shrink", (-0.5,)): "a jump",
    ("threshold", (2.0, 2.0, 5.0)): "a jump",
    ("copysign", (2.0, -0.0)): "mpmath has no negative zero",
    ("remainder", (6.0, 3.0)): "a step of the quotient: the side of the floor",
    ("fmod", (6.0, 3.0)): "a step of the quotient: the side of the truncation",
}


def points(entry, count=3):
    """Return seeded points of the domain: moderate ones, and ones far out."""
    rng = random.Random(entry.name)
    reaches = (2.0, 20.0, REACH.get(entry.name, 1e6))
    return [entry.domain.sample(rng, reaches[i % len(reaches)]) for i in range(count)]


def differ(ours, theirs):
    """Return whether two numbers of 50 digits differ in the first 30."""
    return abs(ours - theirs) > TOLERANCE * max(abs(ours), abs(theirs))


def check_partial(entry, index):
    """Raise unless the partial is the derivative of the value."""
    if same_in_symbols(entry, index):
        return
    for point in points(entry):
        ours = oracle.partial(entry, index, point)
        theirs = oracle.derivative(entry, {index: 1}, point)
        assert not differ(ours, theirs), (
            f"{entry.name}: the partial in {entry.args[index]} at {point} is "
            f"{mpmath.nstr(ours, 20)} in the table, {mpmath.nstr(theirs, 20)} by SymPy"
        )


def same_in_symbols(entry, index):
    """Return whether expanding shows that the partial is SymPy's derivative."""
    ours = expand_calls(entry.partial(index, entry.args, entry.value))
    theirs = entry.meaning().diff(entry.args[index])
    return not theirs.has(*FORBIDDEN) and sympy.expand(ours - theirs) == 0


@pytest.mark.parametrize(("entry", "index"), PARTIALS)
def test_partial_is_the_derivative_of_the_value(entry, index):
    check_partial(entry, index)


def test_a_wrong_partial_is_found(scratch):
    wrong = rule("wrong", args=(x,), value=sympy.sin(x) * sympy.exp(x),
                 partials={x: sympy.cos(x) * sympy.exp(x)}, domain={x: (1, 2)})  # fmt: skip
    with pytest.raises(AssertionError, match=r"wrong: the partial in x at \(1\.\d+,\) is -?\d.*, "):
        check_partial(wrong, 0)


def test_a_difference_in_the_last_digits_is_found(scratch):
    off = sympy.cos(x) * (1 + sympy.Rational(1, 10**28))
    wrong = rule("wrong", args=(x,), value=sympy.sin(x), partials={x: off}, domain={x: (1, 2)})
    with pytest.raises(AssertionError, match="by SymPy"):
        check_partial(wrong, 0)


WHOLE_VALUES = {
    type(entry.value): entry
    for entry in ENTRIES
    if entry.value.is_Function and entry.value.args == entry.args
}


def through_the_table(expression):
    """Return `expression` with SymPy's functions as entries, so that their partials are used."""
    return expression.replace(
        lambda node: type(node) in WHOLE_VALUES, lambda node: WHOLE_VALUES[type(node)](*node.args)
    )


# Shape parameters, in which there is a first derivative and no second.
ONCE = {
    f"{name}-{arg}"
    for names, args in {
        "gammainc gammaincc gammaincinv gammainccinv": "a",
        "betainc betaincc betaincinv betainccinv": "a b",
        "stdtr stdtrit": "n", "stdtridf": "y x",
        "chdtr chdtrc chdtri": "v", "chdtriv": "p x",
        "gdtr gdtrc gdtria gdtrix": "b", "gdtrib": "a p x",
        "fdtr fdtrc fdtri": "dfn dfd", "fdtridfd": "dfn p x",
        "mathieu_a mathieu_b": "m q",
        "pdtrik": "p m", "btdtria": "p b x", "btdtrib": "a p x",
        "bdtrik _bdtrik_failures nbdtrik": "y n p", "bdtrin nbdtrin": "k y p",
    }.items()
    for name in names.split()
    for arg in args.split()
}  # fmt: skip


@pytest.mark.parametrize(("entry", "index"), [param for param in PARTIALS if param.id not in ONCE])
def test_the_table_is_closed_under_three_derivatives(entry, index):
    expression = entry(*entry.args)
    for _ in range(3):
        expression = through_the_table(expression.diff(entry.args[index]))
    assert not expression.has(*FORBIDDEN, sympy.zoo, sympy.nan)
    point = points(entry, 1)[0]
    ours = oracle.evaluate(expression, entry.args, point, 30)
    theirs = oracle.derivative(entry, {index: 3}, point, 30)
    scale = max(abs(theirs), mpmath.mpf("1e-3") * abs(oracle.value(entry, point, 30)))
    assert abs(ours - theirs) <= mpmath.mpf("1e-12") * scale, (point, ours, theirs)


@pytest.mark.parametrize(("entry", "index"), [param for param in PARTIALS if param.id in ONCE])
def test_a_second_derivative_that_is_missing_says_so(entry, index):
    first = entry(*entry.args).diff(entry.args[index])
    with pytest.raises(RuleError, match=r"second derivatives? of .* (is|are) missing"):
        first.diff(entry.args[index])
    for other in set(entry.args) - {entry.args[index]}:
        if f"{entry.name}-{other}" not in ONCE:
            assert not first.diff(other).has(*FORBIDDEN)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_function_is_in_the_table(entry):
    values = {type(other.value) for other in ENTRIES}
    expressions = [p for p in entry.partials.values() if isinstance(p, sympy.Basic)]
    for expression in (*expressions, *entry.let.values()):
        for function in expression.atoms(sympy.Function):
            assert isinstance(function, Guard) or type(function) in values, function
            if isinstance(function, TableFunction):
                assert RULES[function.rule.key] is function.rule


def dotted_names(entry):
    """Return the NumPy, SciPy and support functions that compute an entry."""
    given = entry.numpy if isinstance(entry.numpy, tuple) else (entry.numpy,)
    names = [name for name in given if isinstance(name, str)]
    if entry.numpy is None and entry.value.is_Function and hasattr(np, entry.name):
        names.append(f"np.{entry.name}")
    return names


def resolved(dotted):
    library, _, name = dotted.partition(".")
    name, _, output = name.partition("[")
    home = {"np": np, "special": special, "support": generated.support}[library]
    function = getattr(home, name)
    return (lambda *args: function(*args)[int(output[:-1])]) if output else function


CALLEES = [
    pytest.param(entry, dotted, id=f"{entry.name}-{dotted}")
    for entry in ENTRIES
    for dotted in dotted_names(entry)
]


def compare_with_oracle(entry, function):
    """Raise unless `function` computes the value of `entry` on points of its domain."""
    whole = [entry.domain.is_whole(arg) for arg in entry.args]
    rng = random.Random(entry.name)
    for reach in (1.0, 3.0, 10.0, 20.0):
        point = entry.domain.sample(rng, reach)
        given = [int(v) if w else np.float64(v) for v, w in zip(point, whole, strict=True)]
        exact = float(oracle.value(entry, point, 20))
        found = float(function(*given))
        bound = max(1e-11, entry.off)
        assert found == pytest.approx(exact, rel=bound, abs=1e-14), (entry.name, point)


@pytest.mark.parametrize(("entry", "dotted"), CALLEES)
def test_callee_computes_the_value(entry, dotted):
    compare_with_oracle(entry, resolved(dotted))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_generated_function_computes_the_value(entry):
    module = importlib.import_module(f"generated.broadcasted.{entry.family}")
    compare_with_oracle(entry, getattr(module, entry.name))


def inward(entry, where):
    """Return the side each coordinate at an edge of the domain has to come from, 0 for others.

    That of a zero is its sign.
    """

    def inside(arg, number):
        return any(number in box[arg] for box in entry.domain.boxes)

    def side(arg, start):
        if inside(arg, start):
            return 0
        if start == 0:
            return math.copysign(1, start)
        return 1 if inside(arg, start + 1e-6) else -1

    return list(map(side, entry.args, where))


def slope(entry, index, where, sides, size):
    """Return the partial at `where` moved by ``10**-size`` to `sides`, or None."""
    with mpmath.workdps(120):
        step = mpmath.mpf(10) ** -size
        point = [start + side * step for start, side in zip(where, sides, strict=True)]
        try:
            found = oracle.partial(entry, index, point, 120)
        except (ZeroDivisionError, ValueError):
            return None
    return found if isinstance(found, mpmath.mpf) and not mpmath.isnan(found) else None


@pytest.mark.parametrize(("entry", "spot"), SPOTS)
def test_singular_points_are_limits(entry, spot):
    where = [as_float(spot.where[arg]) for arg in entry.args]
    if (entry.name, tuple(where)) in CHOICES or not all(map(math.isfinite, where)):
        return
    for index, arg in enumerate(entry.args):
        right = as_float(spot.partials.get(arg, math.nan))
        if math.isfinite(right):
            around = ([side * (i == index) for i in range(len(where))] for side in (-1, 1))
            found = [slope(entry, index, where, sides, 80) for sides in around]
            mean = mpmath.fsum(found) / len(found)
            assert float(mean) == pytest.approx(right, rel=1e-15, abs=1e-15), arg
        elif math.isinf(right):
            near, nearer = (
                slope(entry, index, where, inward(entry, where), size) for size in (40, 80)
            )
            assert math.copysign(1, nearer) == math.copysign(1, right), arg
            assert abs(nearer) > 1.5 * abs(near), arg


def test_every_choice_is_a_point_of_the_table():
    spots = {
        (entry.name, tuple(as_float(spot.where[arg]) for arg in entry.args))
        for entry in ENTRIES
        for spot in entry.at
    }
    assert set(CHOICES) <= spots


def test_no_entry_reads_out_in_its_value():
    for entry in ENTRIES:
        assert out not in entry.value.free_symbols


def test_entries_of_the_issue_are_there():
    names = {name for name, _ in RULES} | {a for entry in ENTRIES for a in entry.aliases}
    asked = """
        add subtract multiply divide floor_divide remainder fmod negative positive reciprocal
        square deg2rad radians rad2deg degrees float_power power sqrt cbrt hypot exp exp2 exp10
        expm1 log log2 log10 log1p log_base logaddexp logaddexp2 ldexp sin cos tan sec csc cot
        arcsin arccos arctan arctan2 sinc sinpi cospi sinh cosh tanh sech csch coth arcsinh
        arccosh arctanh absolute fabs sign floor ceil trunc rint copysign maximum minimum fmax
        fmin clip where heaviside nan_to_num erf erfc erfcx erfinv erfcinv gamma gammaln digamma
        trigamma polygamma zeta expit logit log_expit xlogy xlog1py entr ndtr log_ndtr beta
        betaln i0 i1 i0e i1e j0 j1 jv relu leaky_relu elu selu celu softplus softsign silu swish
        gelu gelu_tanh mish hard_tanh log1mexp
    """
    assert not set(asked.split()) - names


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entry_is_complete(entry):
    assert str(entry.domain)
    point = entry.domain.sample(random.Random(0), 3.0)
    assert point in entry.domain
    special_function = entry.family == "special"
    assert entry.reference or not special_function or entry.name.startswith("_")
    assert not entry.note.endswith(".")
