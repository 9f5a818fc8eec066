"""Questions to the table."""

import pytest
import sympy
from sympy import Eq, Ne, Piecewise, cos, cosh, exp, log, sign, sqrt, tan

import diffrules
from diffrules import RuleError, diffrule, hasdiffrule
from diffrules.entry import RULES, TableFunction
from diffrules.guards import indicator, nonzero, where, x, y


def test_partials_of_strings_symbols_and_numbers():
    assert diffrule("sin", "x") == (cos(x),)
    assert diffrule("sin", y) == (cos(y),)
    assert diffrule("sin", 0) == (1,)
    assert diffrule("multiply", "x", 3) == (3, x)


def test_partials_of_expressions():
    assert diffrule("exp", 2 * x) == (exp(2 * x),)
    assert diffrule("tan", x + y) == (1 + tan(x + y) ** 2,)
    assert diffrule("divide", y, x) == (1 / x, -y / x**2)


def test_out_and_let_are_put_in():
    (partial,) = diffrule("sqrt", "x")
    assert partial == 1 / (2 * abs(sqrt(x)))
    (partial,) = diffrule("expm1", "x")
    assert partial == exp(x)


def test_calls_of_entries_are_kept_and_can_be_expanded():
    (partial,) = diffrule("softplus", "x")
    assert partial == RULES["expit", 1](x)
    assert not diffrules.expand_calls(partial).has(TableFunction)


def test_helpers_are_written_out_where_sympy_has_words_for_them():
    assert diffrule("tanh", "x") == (cosh(x) ** -2,)
    assert diffrule("arctan2", "y", "x") == (x / (x**2 + y**2), -y / (x**2 + y**2))
    (partial,) = diffrule("erfcx", "x")
    assert {call.rule.name for call in partial.atoms(TableFunction)} == {"_erfcx"}


def test_guards_become_pieces_of_sympy():
    (leaky,) = diffrule("leaky_relu", "x")
    assert leaky.has(where)
    pieces = leaky.rewrite(Piecewise)
    assert not pieces.has(where)
    assert [pieces.subs(x, at) for at in (-1, 0, 1)] == [
        sympy.Rational(1, 100), sympy.Rational(101, 200), 1,
    ]  # fmt: skip
    (relu,) = diffrule("relu", "x")
    assert relu.has(indicator)
    assert relu.rewrite(Piecewise) == Piecewise((1, x > 0), (0, True))
    assert nonzero(x).rewrite(Piecewise) == Piecewise((x, Ne(x, 0)), (1, True))


def test_an_alias_is_its_function():
    assert diffrule("swish", "x") == diffrule("silu", "x")
    assert diffrule("abs", "x") == (sign(x),)
    assert hasdiffrule("mod", 2)


def test_hasdiffrule_counts_arguments():
    assert hasdiffrule("hypot", 2)
    assert not hasdiffrule("hypot", 1)
    assert not hasdiffrule("no_such", 1)


def test_keys_are_sorted_and_complete():
    keys = diffrules.diffrules()
    assert keys == sorted(RULES)
    assert ("where", 3) in keys
    assert len(keys) >= 110


def test_an_unknown_name():
    with pytest.raises(KeyError, match=r"no rule 'no_such' with 1 argument\(s\); see diffrules"):
        diffrule("no_such", "x")


def test_a_wrong_number_of_arguments():
    with pytest.raises(KeyError, match=r"no rule 'hypot' with 1 argument\(s\); it takes 2"):
        diffrule("hypot", "x")


def test_an_argument_without_a_derivative():
    with pytest.raises(RuleError, match=r"polygamma has no derivative in n: the order is a whole"):
        diffrule("polygamma", "n", "x")


def test_partials_of_two_arguments_with_conditions():
    in_x, in_y = diffrule("xlogy", "x", "y")
    assert in_x == log(y)
    assert in_y.subs({x: 0, y: 2}) == 0
    assert in_y.has(Eq)
