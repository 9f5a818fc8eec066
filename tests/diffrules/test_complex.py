"""Entries for complex arguments: the partials against mpmath, the code against both."""

import cmath
import importlib
import math
import random

import mpmath
import numpy as np
import pytest

from diffrules import RULES, oracle
from diffrules.entry import not_differentiable, real_only

ENTRIES = sorted(
    (entry for entry in RULES.values() if entry.complex is not real_only),
    key=lambda entry: entry.name,
)
PARTIALS = [
    pytest.param(entry, index, id=f"{entry.name}-{arg}")
    for entry in ENTRIES
    for index, arg in enumerate(entry.args)
    if not isinstance(entry.partials[arg], not_differentiable)
]
# NumPy's log1p loses digits near 0, SciPy's log_ndtr where it is near 0.
VALUES_LOSE = {"log1p": 1e-10, "xlog1py": 1e-10, "log_ndtr": 1e-7}
PARTIALS_LOSE = {"xlog1py": 1e-10}


def points(entry, count=4, low=1e-3, high=8.0):
    """Return seeded complex points off the axes, where all branch cuts are."""
    rng = random.Random(entry.name)

    def number(arg):
        if entry.domain.is_whole(arg) or isinstance(entry.partials[arg], not_differentiable):
            return rng.randint(0, 3)
        size = math.exp(rng.uniform(math.log(low), math.log(high)))
        return cmath.rect(size, rng.randint(0, 3) * math.pi / 2 + rng.uniform(0.1, 1.4))

    return [tuple(map(number, entry.args)) for _ in range(count)]


def function(entry, name):
    return getattr(importlib.import_module(f"generated.broadcasted.{entry.family}"), name)


def gradient(entry, index):
    """Return the generated method for complex arguments."""
    arg = entry.args[index]
    suffix = "_complex" if arg in entry.own_complex else ""
    return function(entry, f"{entry.name}_grad_{arg}{suffix}")


def as_numpy(point):
    return [np.complex128(number) if isinstance(number, complex) else number for number in point]


def close(found, exact, bound):
    """Return whether a complex number is right to `bound` of its size."""
    return abs(mpmath.mpmathify(complex(found)) - exact) <= bound * abs(exact) + 1e-300


@pytest.mark.parametrize(("entry", "index"), PARTIALS)
def test_partial_is_the_complex_derivative_of_the_value(entry, index):
    value = oracle.compiled(entry.args, entry.value)
    order = [int(i == index) for i in range(len(entry.args))]
    for point in points(entry):
        exact = [mpmath.mpmathify(number) for number in point]
        ours = oracle.partial(entry, index, point, 30, of_complex=True)
        theirs = oracle.settled(lambda: mpmath.diff(value, tuple(exact), order), 30)  # noqa: B023
        size = max(abs(ours), abs(theirs))
        assert abs(ours - theirs) <= mpmath.mpf("1e-25") * size, (point, ours, theirs)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_generated_function_computes_the_value(entry):
    for point in points(entry):
        found = function(entry, entry.name)(*as_numpy(point))
        exact = oracle.value(entry, point, 30)
        assert close(found, exact, VALUES_LOSE.get(entry.name, 3e-14)), (point, found, exact)


@pytest.mark.parametrize(("entry", "index"), PARTIALS)
def test_generated_gradient_computes_the_partial(entry, index):
    for point in points(entry):
        out = function(entry, entry.name)(*as_numpy(point))
        with np.errstate(all="ignore"):
            found = gradient(entry, index)(1.0, out, *as_numpy(point))
        exact = oracle.partial(entry, index, point, 30, of_complex=True)
        assert close(found, exact, PARTIALS_LOSE.get(entry.name, 3e-14)), (point, found, exact)


# Near branch points and poles, and far out where functions in between leave the float range.
HARD = [
    *((name, sign * (1.0 + 1e-9 + 2e-9j)) for name in ("arcsin", "arccos") for sign in (1, -1)),
    *(("arctanh", sign * (1.0 - 1e-9 + 2e-9j)) for sign in (1, -1)),
    *((name, sign * (1e-9 + 1.000000001j)) for name in ("arctan", "arcsinh") for sign in (1, -1)),
    *((name, z) for name in ("arccosh", "arcsin") for z in (1.0 + 1e-9j, -1.0 + 1e-9j)),
    *((name, z) for name in ("tanh", "sech") for z in (41.0 + 1j, -300.0 + 2j, 1e-9 + 1.5707j)),
    *(("coth", z) for z in (41.0 + 1j, -300.0 + 2j, 1e-9 + 1e-9j, 1e-9 + 1.5707j)),
    *(("tan", z) for z in (1 + 41.0j, 2 - 300.0j, 1.5707 + 1e-9j)),
    *(("cot", z) for z in (1 + 41.0j, 2 - 300.0j, 1e-9 + 1e-9j, 1.5707 + 1e-9j)),
    *((name, z) for name in ("arctan", "arctanh", "arcsinh", "arcsin", "arccosh")
      for z in (1e160 + 1e160j, -1e100 + 1e-100j)),
    *(("sinc", z) for z in (1e-9 + 1e-9j, 1e-4j, 3.0 + 1e-9j)),
    ("sinpi", 1e9 + 1e-3j), ("cospi", 1e9 + 0.5 + 1e-3j),
]  # fmt: skip


@pytest.mark.parametrize(("name", "z"), HARD)
def test_no_digits_are_lost_at_hard_points(name, z):
    entry = RULES[name, 1]
    with np.errstate(all="ignore"):
        out = function(entry, name)(np.complex128(z))
        found = gradient(entry, 0)(1.0, out, np.complex128(z))
    assert close(found, oracle.partial(entry, 0, (z,), 40, of_complex=True), 1e-13), found


# On a cut NumPy's value continues from one side, which the sign of the zero part says.
ON_CUTS = [
    *((name, z, 1.0) for name in ("arcsin", "arccos", "arctanh") for z in (2 + 0j, -2 + 0j)),
    *((name, z, 1j) for name in ("arcsinh", "arctan") for z in (2j, -2j)),
    *(("arccosh", z, 1.0) for z in (0.5 + 0j, -2 + 0j)),
    *((name, z, 1.0) for name in ("sqrt", "log", "log2", "log10")
      for z in (-2 + 0j, complex(-2, -0.0))),
    ("log1p", -3 + 0j, 1.0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "z", "along"), ON_CUTS)
def test_on_a_branch_cut_the_partial_continues_as_the_value(name, z, along):
    entry = RULES[name, 1]
    value = function(entry, name)
    step = np.array([1e-5, -1e-5])
    near = np.full(2, z)
    if along == 1.0:
        near.real += step
    else:
        near.imag += step
    slope = (value(near)[0] - value(near)[1]) / (2e-5 * along)
    found = gradient(entry, 0)(1.0, value(np.complex128(z)), np.complex128(z))
    assert found == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("name", ["power", "float_power"])
def test_powers_of_zero(name):
    entry = RULES[name, 2]
    zero = np.complex128(0)

    def partials(y):
        with np.errstate(all="ignore"):
            out = function(entry, name)(zero, np.complex128(y))
            return [gradient(entry, index)(1.0, out, zero, np.complex128(y)) for index in (0, 1)]

    assert partials(2) == [0, 0]
    assert partials(1) == [1, 0]
    assert partials(0)[0] == 0
    assert np.isnan(partials(0)[1])
    assert partials(2 + 1j)[1] == 0


def test_the_entries_for_reals_only_are_the_others():
    names = {entry.name for entry in ENTRIES}
    assert {"exp", "log", "sqrt", "power", "sin", "arctanh", "divide", "sinc", "erf"} <= names
    assert not {"hypot", "arctan2", "maximum", "absolute", "sign", "floor", "clip"} & names
