"""Values, derivatives and singular points of every entry, computed by the engines themselves."""

import math
import random
from functools import cache
from importlib import import_module

import mpmath
import numpy as np
import pytest

from diffrules import RULES, oracle
from diffrules.entry import as_float
from diffrules.guards import out
from generator.callees import callees_named
from generator.methods import gradient_name, has_gradient, is_zero
from generator.targets.words import words

pytestmark = pytest.mark.filterwarnings("ignore")
COUNT, DIGITS, REACH = 5, 25, 20.0
# 256 units in the last place: the digits that the engines' own functions have at these points.
CLOSE = 2.0**-44
# Families whose partials are outputs of SciPy's functions, or sums of them.
WITH_SCIPY, CLOSE_OF_SCIPY = {"mathieu", "parabolic", "spheroidal"}, 1e-11
# Values where an engine's function, or mpmath's digits, are the limit at these points.
COARSE = 1e-9
SECOND = words("arctan2 erf expit hypot logaddexp power sinc softplus tanh xlogy")


class Jax:
    """Forward mode at all points at once."""

    def __init__(self):
        import jax
        import jax.numpy as jnp

        jax.config.update("jax_enable_x64", True)
        self._jax, self.array = jax, jnp.asarray
        self._one = jnp.ones_like

    def partial(self, function, index, args):
        def one(x):
            return function(*args[:index], x, *args[index + 1 :])

        return self._jax.jvp(one, (args[index],), (self._one(args[index]),))[1]

    def second(self, function, first, second, args):
        def inner(*args):
            return self.partial(function, first, args)

        return self.partial(inner, second, args)


class Torch:
    """Reverse mode, and again."""

    def __init__(self):
        import torch

        self._grad, self.array = torch.autograd.grad, torch.tensor

    def partial(self, function, index, args):
        args = [x.clone().requires_grad_() if i == index else x for i, x in enumerate(args)]
        return self._grad(function(*args).sum(), args[index])[0]

    def second(self, function, first, second, args):
        args = [x.clone().requires_grad_() if i in (first, second) else x
                for i, x in enumerate(args)]  # fmt: skip
        (grad,) = self._grad(function(*args).sum(), args[first], create_graph=True)
        if not grad.requires_grad:
            return 0.0 * grad
        (found,) = self._grad(grad.sum(), args[second], allow_unused=True)
        return 0.0 * grad if found is None else found


class Autograd:
    """Reverse mode, and again."""

    def __init__(self):
        from autograd import elementwise_grad

        self._grad, self.array = elementwise_grad, np.asarray

    def partial(self, function, index, args):
        return self._grad(function, index)(*args)

    def second(self, function, first, second, args):
        return self._grad(self._grad(function, first), second)(*args)


class Numba:
    """The gradient functions, called with floats."""

    def __init__(self, module):
        self._module, self.array = module, np.asarray

    def value(self, function, args):
        return np.array([function(*point) for point in zip(*args, strict=True)])

    def partial(self, function, index, args):
        name = function.__name__
        gradient = getattr(
            self._module, gradient_name(RULES[name, len(args)], args_of(name)[index])
        )
        return np.array(
            [gradient(1.0, function(*point), *point) for point in zip(*args, strict=True)]
        )


def args_of(name):
    return next(rule.args for rule in RULES.values() if rule.name == name)


ENGINES = {"jax": Jax, "torch": Torch, "autograd": Autograd, "numba": Numba}


@pytest.fixture(params=ENGINES)
def target(request):
    return request.param


@pytest.fixture
def module(files, target):
    return files.module(target)


@pytest.fixture
def engine(module, target):
    return Numba(module) if target == "numba" else ENGINES[target]()


def entries(module):
    """Yield the public entries that a module has."""
    for rule in RULES.values():
        ours = rule.module.startswith("diffrules.") and rule.is_public
        if ours and hasattr(module, rule.name):
            yield rule


def live(rule):
    """Return the indices of the arguments with a derivative that is not 0 everywhere."""
    return [
        i for i, arg in enumerate(rule.args) if has_gradient(rule, arg) if not is_zero(rule, arg)
    ]


def points(rule, count=COUNT):
    """Return seeded points of the domain; whole numbers are the same in all."""
    rng = random.Random(rule.name)
    found = [rule.domain.sample(rng, REACH) for _ in range(count)]
    whole = [rule.domain.is_whole(arg) for arg in rule.args]
    found = [tuple(found[0][i] if w else p[i] for i, w in enumerate(whole)) for p in found]
    return [point for point in found if point in rule.domain]


def columns(rule, found, engine):
    """Return points as arrays, one an argument; whole numbers as one int, for floats as floats."""
    scalar = isinstance(engine, Numba)
    return [
        engine.array(np.array([point[i] for point in found], float))
        if scalar or not rule.domain.is_whole(arg)
        else int(found[0][i])
        for i, arg in enumerate(rule.args)
    ]


def numbers(found, count):
    """Return what an engine gives as an array of NumPy."""
    found = np.asarray(found.detach() if hasattr(found, "detach") else found)
    return np.broadcast_to(found, (count,))


def agrees(got, want, close):
    """Return whether a number is the exact one, which may be beyond the floats."""
    if want is None:
        return True
    want = float(want)
    return got == want or math.isclose(got, want, rel_tol=close, abs_tol=1e-290)


@cache
def exact(function, rule, *args):
    """Return a number of many digits, once for all engines; None where there is none there."""
    args = tuple(dict(arg) if isinstance(arg, frozenset) else arg for arg in args)
    try:
        return function(rule, *args, DIGITS)
    except (ArithmeticError, ValueError):
        return None


def theirs(rule, point):
    """Return the value that SciPy has, which is the function's whatever its digits; else None."""
    of_scipy = any(name.startswith("special.") for name in callees_named(rule))
    whole = [int(n) if rule.domain.is_whole(arg) else n
             for n, arg in zip(point, rule.args, strict=True)]  # fmt: skip
    module = import_module(f"generated.broadcasted.{rule.family}")
    return getattr(module, rule.name)(*whole) if of_scipy else None


def beside(rule, index, point, value):
    """Return the exact partial where the function has the value that was computed."""
    partial = rule.partial(index, rule.args, out)
    if out not in partial.free_symbols:
        return math.nan
    found = oracle.compiled((out, *rule.args), partial)
    try:
        return oracle.settled(lambda: found(*map(mpmath.mpf, (float(value), *point))), DIGITS)
    except (ArithmeticError, ValueError):
        return math.nan


@cache
def everything(rule, point):
    """Return the value and all partials at a point, as `exact` does; the terms they share, once."""
    try:
        value, partials = oracle.value_and_partials(rule, point, DIGITS)
    except (ArithmeticError, ValueError):
        partials = [exact(oracle.partial, rule, i, point) for i in live(rule)]
        return exact(oracle.value, rule, point), dict(zip(live(rule), partials, strict=True))
    return value, dict(enumerate(partials))


def test_values_and_derivatives(module, engine):
    wrong = []
    for rule in entries(module):
        found = points(rule)
        function, args = getattr(module, rule.name), columns(rule, found, engine)
        close = CLOSE_OF_SCIPY if rule.family in WITH_SCIPY else CLOSE
        call = engine.value if isinstance(engine, Numba) else lambda f, args: f(*args)
        value = numbers(call(function, args), len(found))
        right = [everything(rule, point) for point in found]
        wrong += [
            f"{rule.name}{point} is {a}, exactly {float(b)}"
            for point, a, (b, _) in zip(found, value, right, strict=True)
            if not (agrees(a, b, COARSE) or a == theirs(rule, point))
        ]
        for index in live(rule):
            got = numbers(engine.partial(function, index, args), len(found))
            want = [partials[index] for _, partials in right]
            wrong += [
                f"the derivative of {rule.name}{point} in {rule.args[index]} is {a}, "
                f"exactly {float(b)}"
                for point, a, b, here in zip(found, got, want, value, strict=True)
                if not (agrees(a, b, close) or agrees(a, beside(rule, index, point, here), close))
            ]
    assert not wrong, "\n".join(wrong)


def test_second_derivatives(module, engine, target):
    if target == "numba":
        pytest.skip("Numba has functions of the first derivatives alone")
    wrong = []
    for rule in (RULES[key] for key in RULES if key[0] in SECOND):
        found = points(rule)
        function, args = getattr(module, rule.name), columns(rule, found, engine)
        for first in live(rule):
            for second in live(rule)[first:]:
                got = numbers(engine.second(function, first, second, args), len(found))
                orders = frozenset({first: 1, second: 1 + (first == second)}.items())
                want = [exact(oracle.derivative, rule, orders, point) for point in found]
                wrong += [
                    f"{rule.name}{point} in {rule.args[first]}, {rule.args[second]}: "
                    f"{a}, exactly {float(b)}"
                    for point, a, b in zip(found, got, want, strict=True)
                    if not agrees(a, b, CLOSE)
                ]
    assert not wrong, "\n".join(wrong)


def test_singular_points(module, engine):
    wrong = []
    for rule in entries(module):
        for spot in rule.at:
            point = tuple(as_float(spot.where[arg]) for arg in rule.args)
            function, args = getattr(module, rule.name), columns(rule, [point], engine)
            for index in live(rule):
                (got,) = numbers(engine.partial(function, index, args), 1)
                want = as_float(spot.partials[rule.args[index]])
                both_nan = math.isnan(got) and math.isnan(want)
                if not (both_nan or agrees(got, want, CLOSE)):
                    wrong.append(f"{rule.name}{point} in {rule.args[index]}: {got}, not {want}")
    assert not wrong, "\n".join(wrong)
