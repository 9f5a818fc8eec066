"""Exact numbers: from the value alone, to all digits, or none at all."""

import math

import mpmath
from sympy import Function, oo, tanh

from diffrules import RULES, rule
from diffrules.vocabulary import x, y
from generator.accuracy import cache, work
from generator.accuracy.quantities import Quantity, expression, quantities
from generator.accuracy.reference import KINK, NOTHING, exact, split
from generator.accuracy.work import Workers


def of(name, point, *along):
    nargs = len(point)
    return exact(Quantity((name, nargs), along), point, seconds=20.0)


def number(found):
    with mpmath.workdps(50):
        return mpmath.ldexp(mpmath.mpf(found.head) + mpmath.mpf(found.tail), found.exponent)


def close(found, right):
    with mpmath.workdps(50):
        return abs(number(found) / right - 1) < mpmath.mpf(10) ** -30


def is_same(found, special):
    return math.isnan(found.head) and found.exponent == special.exponent


def test_digits_that_cancel_are_found_again():
    with mpmath.workdps(50):
        # 1 - tanh(x)**2 is SymPy's derivative.
        assert close(of("tanh", (348.0,), 0), mpmath.sech(348) ** 2)
        assert close(of("log1mexp", (-1e-300,), 0), -1 / mpmath.mpf(1e-300))
        assert close(of("hypot", (1e-300, 1.0), 0), mpmath.mpf(1e-300))


def test_numbers_beyond_the_floats():
    assert of("exp", (1e6,)).exponent == 1442696
    assert of("exp", (-1e6,)).exponent == -1442695
    assert of("exp", (1e300,)).exponent == 1 << 40


def test_exact_zeros_and_infinities():
    assert of("cospi", (0.5,)).head == 0
    assert of("sinpi", (1e20,)).head == 0
    assert of("sin", (0.0,)).head == 0
    assert of("floor", (0.5,), 0).head == 0
    assert math.isinf(split(mpmath.inf).head)


def test_where_pieces_meet():
    assert is_same(of("maximum", (2.0, 2.0), 0), KINK)
    assert of("maximum", (2.0, 2.0)).head == 0.5
    assert is_same(of("remainder", (6.0, 3.0), 1), KINK)
    assert of("remainder", (7.0, 3.0), 1).head == -0.5
    # Written in two pieces, but smooth.
    with mpmath.workdps(50):
        assert close(of("stdtr", (3.0, 0.0), 1), 2 / (mpmath.pi * mpmath.sqrt(3)))


def test_no_number_in_time(new_rules):
    class Slow(Function):
        nargs = 1

        def _mpmathcode(self, printer):
            return f"sum({printer._print(self.args[0])} for k in range(10**8))"

    rule("slow", args=(x,), value=Slow(x), partials={x: 1}, domain={x: (0, oo)})
    assert is_same(exact(Quantity(("slow", 1)), (0.5,), seconds=0.02), NOTHING)


def test_partials_of_the_table_take_no_part(new_rules):
    wrong = rule("wrong", args=(x,), value=tanh(x), partials={x: 3 * x}, domain={x: (-oo, oo)})
    rule("outer", args=(x,), value=2 * wrong(x), partials={x: 1}, domain={x: (-oo, oo)})
    assert of("wrong", (0.0,), 0)[:1] == (0.5,)
    with mpmath.workdps(50):
        assert close(of("outer", (1.0,), 0), 2 / mpmath.cosh(1) ** 2)
        assert close(of("outer", (1.0,), 0, 0), -4 * mpmath.tanh(1) / mpmath.cosh(1) ** 2)


def test_differences_where_sympy_has_no_derivative(new_rules):
    class Cube(Function):
        nargs = 2

        def _mpmathcode(self, printer):
            a, b = map(printer._print, self.args)
            return f"({a}**3 * {b}**2)"

    rule(
        "cube",
        args=(x, y),
        value=Cube(x, y),
        partials={x: 0, y: 1},
        domain={x: (0, oo), y: (0, oo)},
    )
    assert expression(Quantity(("cube", 2), (0,))) is None
    for a, b in ((1e-300, 2.0), (0.3, 1e200)):
        with mpmath.workdps(50):
            a, b = mpmath.mpf(a), mpmath.mpf(b)
            assert close(of("cube", (float(a), float(b)), 0), 3 * a**2 * b**2)
            assert close(of("cube", (float(a), float(b)), 0, 1), 6 * a**2 * b)


def test_what_is_measured():
    power = [quantity.label for quantity in quantities(RULES["power", 2], (0, 1, 2))]
    assert power == ["value", "x", "y", "x,x", "x,y", "y,y"]
    # No derivative in the order, and none but 0 of a step.
    assert [q.along for q in quantities(RULES["polygamma", 2])] == [(), (1,)]
    assert [q.along for q in quantities(RULES["floor", 1])] == [()]


def test_numbers_are_computed_once(tmp_path, monkeypatch, new_rules):
    monkeypatch.setenv("DIFFRULES_CACHE", str(tmp_path))
    points = [(0.5,), (2.0,), (1e6,), (-1e6,), (0.0,)]
    quantity = Quantity(("exp", 1), (0,))
    with Workers() as workers:
        first = workers.numbers(quantity, points)
        assert workers.spent > 0 or first.known.all()
    assert cache.load(quantity)[(0.5,)] == exact(quantity, (0.5,))

    def never(*args):
        raise AssertionError("computed again")

    monkeypatch.setattr(work, "_piece", never)
    with Workers() as workers:
        again = workers.numbers(quantity, points)
    for name in ("head", "tail", "exponent"):
        assert (getattr(first, name) == getattr(again, name)).all()
    # Another value of that name has numbers of its own.
    path = cache._path(quantity)
    new_rules.pop(("exp", 1))
    expression.cache_clear()
    rule("exp", args=(x,), value=tanh(x), partials={x: 1}, domain={x: (-oo, oo)})
    assert cache._path(quantity) != path
    expression.cache_clear()


def test_work_ends_when_the_time_is_over(tmp_path, monkeypatch):
    monkeypatch.setenv("DIFFRULES_CACHE", str(tmp_path))
    points = [(1.0 + k / 1000,) for k in range(500)]
    with Workers(budget=1e-9) as workers:
        found = workers.numbers(Quantity(("gammaln", 1)), points)
    assert 0 < found.known.sum() < 500
    with Workers() as workers:
        assert workers.numbers(Quantity(("gammaln", 1)), points).known.all()
