"""What computes an entry: named, derived from its value, or the value itself."""

import numpy as np
import pytest
from scipy import special
from sympy import Abs, Eq, exp, factorial, log, oo, sinc

from diffrules.entry import RULES, real_only, scipy
from diffrules.guards import indicator, where, x, y
from diffrules.table import rule
from generator.callees import Callee, Callees, callees_named, dispatches, is_exact, is_output
from generator.errors import GeneratorError, Unsupported
from generator.methods import answers, is_overridable
from generator.printers import BroadcastedPrinter, CPrinter, ScalarPrinter


def entry(name, value, args=(x,), **fields):
    domain = dict.fromkeys(args, (-oo, oo))
    partials = dict.fromkeys(args, 1)
    return rule(
        name, args=args, value=value, partials=partials, complex=real_only, domain=domain, **fields
    )


def forms(written):
    """Return the forward code of an entry in math, NumPy and C; None where there is none."""
    callees = Callees(RULES.values())
    found = []
    for printer in (ScalarPrinter, BroadcastedPrinter, CPrinter):
        try:
            found.append(str(printer(callees).forward(written)))
        except Unsupported:
            found.append(None)
    return found


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"value": x - 1}, ["x - 1.0", "x - 1.0", "x - 1.0"]),
        ({"value": Abs(x) - 1, "numpy": "np.fabs"},
         ["math.fabs(x) - 1.0", "np.fabs(x)", "fabs(x) - 1.0"]),
        ({"value": log(1 + exp(x)), "numpy": "special.expit"}, [None, "special.expit(x)", None]),
        (
            {"value": log(1 + exp(x)), "numpy": log(1 + exp(x)) / 1, "c": scipy("softplus")},
            ["math.log(1.0 + math.exp(x))", "np.log(1.0 + np.exp(x))", None],
        ),
        (
            {"value": exp(x), "numpy": "support.f", "math": "support.g", "c": "support.h"},
            ["support.g(x)", "support.f(x)", "ad_support_h(x)"],
        ),
        ({"value": log(1 + exp(x)), "numpy": "special.softplus", "math": log(x)},
         ["math.log(x)", "special.softplus(x)", "log(x)"]),
        ({"value": log(1 + exp(x)), "numpy": "np.log", "math": log(x), "c": "exp"},
         ["math.log(x)", "np.log(x)", "exp(x)"]),
        ({"value": exp(x) - 1, "numpy": ("np.expm1", "special.expm1"),
          "math": "math.expm1", "c": "expm1"},
         ["math.expm1(x)", "np.expm1(x)", "expm1(x)"]),
    ],
)  # fmt: skip
def test_forms(new_rules, fields, expected):
    assert forms(entry("new_name", **fields)) == expected


def test_forms_derived_from_the_value():
    assert forms(RULES["arccos", 1]) == ["math.acos(x)", "np.arccos(x)", "acos(x)"]


def test_a_numpy_function_of_the_same_name_must_be_the_ufunc(new_rules):
    """SymPy's sinc is sin(x)/x, NumPy's is sin(pi x)/(pi x), and no ufunc."""
    del new_rules["sinc", 1]
    written = entry("sinc", sinc(x))
    assert callees_named(written) == ()
    with pytest.raises(GeneratorError, match="no entry of the table computes sinc"):
        forms(written)


def test_a_function_of_math_that_takes_only_integers_is_not_derived(new_rules):
    with pytest.raises(GeneratorError, match="computes factorial"):
        forms(entry("my_factorial", factorial(x), numpy=None))


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("numpy", "np.hypott"),
        ("numpy", "numpy.hypot"),
        ("math", "math.hypott"),
        ("math", "np.hypot"),
        ("c", "hypott"),
        ("c", "j0"),
        ("c", "exp10"),
    ],
)
def test_a_name_that_is_not_there_is_an_error_with_its_place(new_rules, field, name):
    entry("new_name", exp(x), **{field: name})
    with pytest.raises(GeneratorError, match=rf"entry 'new_name' at .*there is no '{name}'; write"):
        Callees(new_rules.values())


@pytest.mark.parametrize(
    ("value", "numpy", "math", "c"),
    [
        (where(x > 0, 1, 0), "np.where(x > 0.0, np.ones_like(x), 0.0)",
         "1.0 if x > 0.0 else 0.0", "x > 0.0 ? 1.0 : 0.0"),
        (indicator(x > 0), "np.ones_like(x) * (x > 0.0)",
         "1.0 if x > 0.0 else 0.0", "x > 0.0 ? 1.0 : 0.0"),
        (where(Eq(x, 0), 2, -1), "np.where(x == 0.0, 2.0 * np.ones_like(x), -np.ones_like(x))",
         "2.0 if x == 0.0 else -1.0", "x == 0.0 ? 2.0 : -1.0"),
    ],
)  # fmt: skip
def test_values_made_of_numbers_are_floats_of_the_dtype_that_comes_in(
    new_rules, value, numpy, math, c
):
    written = entry("step", value)
    assert forms(written) == [math, numpy, c]
    assert eval(numpy, {"np": np, "x": np.float32([-1, 0, 1])}).dtype == np.float32


def test_exact_values_may_stand_for_a_callee():
    assert is_exact(where(x > 0, x, Abs(y)) + 2 * x**3)
    assert is_exact(RULES["clip", 3].value)
    assert not is_exact(log(1 + exp(x)))
    assert not is_exact(log(x) + 1)
    assert not is_exact(x**y)


def test_the_functions_of_scipy_that_dispatch_are_ufuncs():
    """The generator does not import SciPy; what it knows of it is checked here."""
    for written in RULES.values():
        for name in callees_named(written):
            library, _, function = name.partition("[")[0].partition(".")
            if library == "special":
                is_ufunc = isinstance(getattr(special, function), np.ufunc)
                assert dispatches(name) == (is_ufunc and not is_output(name)), name


def test_an_entry_is_overridable_where_its_callee_does_not_dispatch():
    callees = Callees(RULES.values())
    expected = {
        ("hypot", 2): (False, ("np.hypot",)),
        ("where", 3): (False, ("np.where",)),
        ("erf", 1): (False, ("special.erf",)),
        ("expit", 1): (True, ("special.expit",)),
        ("absolute", 1): (False, ("np.absolute", "np.fabs")),
        ("zeta", 2): (True, ()),
        ("sinpi", 1): (True, ()),
        ("softplus", 1): (True, ()),
    }
    found = {key: (is_overridable(RULES[key], callees), answers(RULES[key])) for key in expected}
    assert found == expected


def test_the_last_part_of_a_name_is_the_function():
    assert (Callee("special.expit").library, Callee("special.expit").name) == ("special", "expit")
    assert (Callee("hypot").library, Callee("hypot").name) == ("", "hypot")
