"""Random programs: the tape against the NumPy backend against C, values and gradients.

Every step of a random function is an output of one program, so that one run of the C compiler
checks many operations, and the first output that differs names the operation that is wrong.
"""

import itertools
import warnings

import numpy as np
import pytest

import autodiff as ad
from autodiff.compiler import passes
from autodiff.compiler.checking import check

SHAPES = [
    (),
    (1,),
    (3,),
    (2, 3),
    (3, 1),
    (1, 3),
    (2, 1, 3),
    (0,),
    (0, 3),
    (4, 2, 3),
    (3, 3),
    (600,),
]
SMOOTH = [np.sin, np.cos, np.tanh, np.arctan, np.exp, np.expm1, np.arcsinh]
ROUGH = [np.sqrt, np.log, np.reciprocal, np.log1p, np.cbrt]
EXACT = [np.negative, np.absolute, np.square, np.positive]
STEPS = [np.floor, np.ceil, np.sign, np.rint, np.trunc]
PAIRS = [np.add, np.subtract, np.multiply, np.maximum, np.minimum]
LIMIT = 3000


class Step:
    """One operation on earlier values.

    Attributes
    ----------
    name : str
    call : callable
        Of the operands.
    operands : list of int
    exact : bool
        The result has the same bits in all backends, so that a step function may follow.
    """

    def __init__(self, name, call, operands, exact):
        self.name, self.call, self.operands, self.exact = name, call, operands, exact


class RandomFunction:
    """A function made of `count` random steps.

    Attributes
    ----------
    inputs : list
        Numbers and arrays to call it with.
    steps : list of Step
    """

    def __init__(self, seed, count, kinds="dfib", special=False):
        self.rng = np.random.default_rng(seed)
        self.special = special
        self.floats = "df" if "f" in kinds else "d"
        self.inputs = [self._input(kind) for kind in self.rng.choice(list(kinds), 6)]
        self.inputs.append(self._input(kinds[0]))
        if "f" not in kinds:  # a Python number alone is strong in NumPy and weak on the tape
            self.inputs.append(0.75)
        self.values = list(self.inputs)
        self.exact = [True] * len(self.values)
        self.steps = []
        makers = [getattr(self, name) for name in dir(type(self)) if name.startswith("make_")]
        while len(self.steps) < count:
            made = self.rng.choice(makers)()
            if made is None:
                continue
            with np.errstate(all="ignore"):
                value = made.call(*(self.values[at] for at in made.operands))
            if np.size(value) <= LIMIT and np.ndim(value) < 5:
                self.steps.append(made)
                self.values.append(value)
                self.exact.append(made.exact and all(self.exact[at] for at in made.operands))

    @property
    def has_single(self):
        """Whether something is computed in single precision."""
        return any(np.asarray(value).dtype.char == "f" for value in self.values)

    def __call__(self, *inputs):
        """Return the results of all steps."""
        values = list(inputs)
        for step in self.steps:
            values.append(step.call(*(values[at] for at in step.operands)))
        return values[len(inputs) :]

    def of_floats(self, outputs):
        """Return numbers of steps that give floats, some of them."""
        kinds = [np.asarray(value).dtype.kind for value in self.values[len(self.inputs) :]]
        found = [at for at, kind in enumerate(kinds) if kind == "f"]
        return found[-outputs:]

    def _input(self, kind):
        shape = SHAPES[self.rng.integers(len(SHAPES))]
        if kind in "df":
            value = self.rng.integers(-9, 10, shape) / 4
            if self.special:
                odd = self.rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.0], shape)
                value = np.where(self.rng.random(shape) < 0.3, odd, value)
            return np.asarray(value, kind)
        whole = self.rng.integers(-4, 5, shape)
        return np.asarray(whole if kind == "i" else whole > 0, np.int64 if kind == "i" else bool)

    def _pick(self, kinds="df", exact=False, least=0, where=lambda value: True):
        found = [
            at
            for at, value in enumerate(self.values)
            if np.asarray(value).dtype.char in kinds.replace("i", "ilq").replace("b", "?")
            and (self.exact[at] or not exact)
            and np.ndim(value) >= least
            and where(value)
        ]
        # The younger half is chosen more often, so that programs become deep.
        if not found:
            return None
        late = self.rng.random() < 0.6
        return int(self.rng.choice(found[len(found) // 2 :] if late else found))

    def make_smooth(self):
        at = self._pick("df", where=lambda v: np.all(np.abs(v) < 20))
        f = SMOOTH[self.rng.integers(len(SMOOTH))]
        return (at is not None and Step(f.__name__, f, [at], False)) or None

    def make_rough(self):
        at = self._pick("df", exact=True)
        f = ROUGH[self.rng.integers(len(ROUGH))]
        return (at is not None and Step(f.__name__, f, [at], False)) or None

    def make_exact(self):
        at = self._pick("dfi")
        f = EXACT[self.rng.integers(len(EXACT))]
        return Step(f.__name__, f, [at], True)

    def make_steps(self):
        at = self._pick("df", exact=True)
        f = STEPS[self.rng.integers(len(STEPS))]
        return (at is not None and Step(f.__name__, f, [at], True)) or None

    def make_pair(self):
        first, second = self._fitting("dfib")
        f = PAIRS[self.rng.integers(len(PAIRS))]
        if f is np.subtract and {
            np.asarray(self.values[at]).dtype.kind for at in (first, second)
        } == {"b"}:
            return None
        if f in (np.maximum, np.minimum) and not (self.exact[first] and self.exact[second]):
            return None
        return Step(f.__name__, f, [first, second], True)

    def make_number(self):
        at = self._pick("dfi")
        number = [2, 1, 0, 0.5, -0.0, -1.5, 1.0, True][self.rng.integers(8)]
        f = PAIRS[self.rng.integers(3)]
        if self.rng.random() < 0.5:
            return Step(f"{f.__name__} {number}", lambda x: f(x, number), [at], True)
        return Step(f"{number} {f.__name__}", lambda x: f(number, x), [at], True)

    def make_divide(self):
        first, second = self._fitting("df")
        if not self.exact[second]:
            return None
        return Step("divide", np.divide, [first, second], True)

    def make_comparison(self):
        first, second = self._fitting("dfib", exact=True)
        f = [np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal][
            self.rng.integers(6)
        ]
        return Step(f.__name__, f, [first, second], True)

    def make_logic(self):
        first, second = self._fitting("bi", exact=True)
        if first is None:
            return None
        f = [np.logical_and, np.logical_or, np.logical_xor, np.bitwise_and, np.bitwise_or][
            self.rng.integers(5)
        ]
        return Step(f.__name__, f, [first, second], True)

    def make_not(self):
        at = self._pick("b")
        f = [np.logical_not, np.invert][self.rng.integers(2)]
        return (at is not None and Step(f.__name__, f, [at], True)) or None

    def make_test(self):
        at = self._pick("df", exact=True)
        f = [np.isnan, np.isinf, np.isfinite, np.signbit][self.rng.integers(4)]
        return Step(f.__name__, f, [at], True)

    def make_where(self):
        condition = self._pick("b")
        first, second = self._fitting("dfi")
        if condition is None or first is None:
            return None
        try:
            np.broadcast_shapes(*(np.shape(self.values[at]) for at in (condition, first, second)))
        except ValueError:
            return None
        return Step("where", np.where, [condition, first, second], True)

    def make_cast(self):
        at = self._pick("dfib", where=lambda v: np.ndim(v) > 0)
        old = np.asarray(self.values[at]).dtype
        new = np.dtype(
            self.rng.choice(list(self.floats if old.kind == "f" else self.floats + "l?"))
        )
        return Step(f"astype {new}", lambda x: x.astype(new), [at], True)

    def make_reduction(self):
        name, f = [("sum", np.sum), ("prod", np.prod), ("max", np.max), ("min", np.min),
                   ("mean", np.mean)][self.rng.integers(5)]  # fmt: skip
        extreme = name in ("max", "min")
        at = self._pick("dfi" if name != "mean" else "df", exact=extreme, least=1)
        if at is None:
            return None
        value = self.values[at]
        if name == "prod" and np.size(value) > 12:
            return None
        axis = self._axes(np.ndim(value))
        keepdims = bool(self.rng.integers(2))
        shape = np.shape(value)
        if extreme or name == "mean":
            over = range(len(shape)) if axis is None else np.atleast_1d(axis)
            if any(shape[one] == 0 for one in over):
                return None
        return Step(f"{name} axis={axis} keepdims={keepdims}",
                    lambda x: f(x, axis=axis, keepdims=keepdims), [at], extreme)  # fmt: skip

    def make_all(self):
        f = [np.all, np.any][self.rng.integers(2)]
        at = self._pick("b", least=1)
        if at is None:
            return None
        axis = self._axes(np.ndim(self.values[at]))
        keepdims = bool(self.rng.integers(2))
        return Step(f"{f.__name__} axis={axis}", lambda x: f(x, axis=axis, keepdims=keepdims),
                    [at], True)  # fmt: skip

    def _axes(self, ndim):
        every = [None, *range(-ndim, ndim), *itertools.combinations(range(ndim), 2)]
        return every[self.rng.integers(len(every))]

    def make_slice(self):
        at = self._pick("dfib", least=1)
        index = []
        for size in np.shape(self.values[at]):
            kind = self.rng.integers(6)
            if kind == 0 and size:
                index.append(int(self.rng.integers(-size, size)))
            elif kind == 1:
                index.append(slice(None, None, -1))
            elif kind == 2:
                index.append(slice(1, None, int(self.rng.choice([1, 2, -1]))))
            elif kind == 3:
                index.append(slice(-1, None, -2))
            else:
                index.append(slice(None))
        if self.rng.random() < 0.3:
            index.insert(self.rng.integers(len(index) + 1), None)
        index = tuple(index)
        return Step(f"[{index}]", lambda x: x[index], [at], True)

    def make_transpose(self):
        at = self._pick("dfib", least=1)
        axes = tuple(map(int, self.rng.permutation(np.ndim(self.values[at]))))
        return Step(f"transpose {axes}", lambda x: np.transpose(x, axes), [at], True)

    def make_reshape(self):
        at = self._pick("dfib", least=1)
        shape = np.shape(self.values[at])
        size = int(np.prod(shape))
        choices = [(size,), (1, size), (size, 1), shape[::-1], (*shape, 1), (1, *shape)]
        choices += [(2, size // 2)] if size % 2 == 0 else []
        new = choices[self.rng.integers(len(choices))]
        return Step(f"reshape {new}", lambda x: np.reshape(x, new), [at], True)

    def make_broadcast(self):
        at = self._pick("dfib")
        shape = np.shape(self.values[at])
        new = (2, *(3 if n == 1 else n for n in shape))
        return Step(f"broadcast {new}", lambda x: np.broadcast_to(x, new), [at], True)

    def make_concatenate(self):
        at = self._pick("dfi", least=1)
        shape = np.shape(self.values[at])
        axis = int(self.rng.integers(len(shape)))
        rest = shape[:axis] + shape[axis + 1 :]
        other = self._pick(
            "dfi",
            least=1,
            where=lambda v: (
                np.ndim(v) == len(shape) and np.shape(v)[:axis] + np.shape(v)[axis + 1 :] == rest
            ),
        )
        return Step(f"concatenate {axis}", lambda x, y: np.concatenate([x, y, x], axis),
                    [at, other], True)  # fmt: skip

    def make_stack(self):
        at = self._pick("dfi")
        shape = np.shape(self.values[at])
        other = self._pick("dfi", where=lambda v: np.shape(v) == shape)
        axis = int(self.rng.integers(-len(shape) - 1, len(shape) + 1))
        return Step(f"stack {axis}", lambda x, y: np.stack([x, y], axis), [at, other], True)

    def make_matmul(self):
        at = self._pick("df", least=1)
        shape = np.shape(self.values[at])

        def fits(v):
            if np.ndim(v) == 0:
                return False
            inner = np.shape(v)[-2] if np.ndim(v) > 1 else np.shape(v)[0]
            try:
                np.broadcast_shapes(shape[:-2], np.shape(v)[:-2])
            except ValueError:
                return False
            return inner == shape[-1]

        other = self._pick("df", where=fits)
        if other is None:
            return None
        return Step("matmul", np.matmul, [at, other], False)

    def _fitting(self, kinds, exact=False):
        first = self._pick(kinds, exact)
        if first is None:
            return None, None
        shape = np.shape(self.values[first])

        def fits(value):
            try:
                np.broadcast_shapes(np.shape(value), shape)
            except ValueError:
                return False
            return True

        second = self._pick(kinds, exact, where=fits)
        return (first, second) if self.rng.random() < 0.5 else (second, first)


KINDS = ["dib", "dfib"]
COUNT = {"numpy": 8, "c": 2}
FULL = {"numpy": 300, "c": 60}


def pytest_generate_tests(metafunc):
    counts = FULL if metafunc.config.getoption("--full") else COUNT
    cases = [
        pytest.param(backend, seed, special, id=f"{backend}-{seed}{'-special' * special}")
        for backend, count in counts.items()
        for seed in range(count)
        for special in (False, True)
    ]
    metafunc.parametrize(("backend", "seed", "special"), cases)


@pytest.fixture
def random_function(request, backend, seed, special):
    """Return a random function; skip where it would need a C compiler that is not there."""
    if backend == "c":
        request.getfixturevalue("toolchain")
    # Rounding, and numbers that are infinite or NaN, are part of the inputs.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield RandomFunction(1000 * (backend == "c") + seed, 50, KINDS[seed % 2], special)


@pytest.fixture(autouse=True)
def checked(monkeypatch):
    """Check the rules of programs before and after each pass."""
    around = [each for one in passes.PASSES for each in (one, check)]
    monkeypatch.setattr(passes, "PASSES", (check, *around))


def compare(wanted, found, where, exact=False, rtol=1e-9):
    """Check a value: its kind, shape, dtype and numbers, where the wanted ones are no NaN."""
    # A NumPy double where all arguments are Python numbers may be a Python number.
    assert {type(wanted), type(found)} in ({type(wanted)}, {float, np.float64}), where
    assert np.shape(wanted) == np.shape(found), where
    wanted, found = np.asarray(wanted), np.asarray(found)
    assert wanted.dtype == found.dtype, where
    known = wanted == wanted
    if exact or wanted.dtype.kind != "f":
        np.testing.assert_array_equal(found[known], wanted[known], where)
        np.testing.assert_array_equal(np.signbit(found[known]), np.signbit(wanted[known]), where)
        return
    scale = np.max(np.abs(wanted), initial=1.0, where=np.isfinite(wanted))
    np.testing.assert_allclose(
        found[known], wanted[known], rtol=rtol, atol=min(rtol, 1e-4) * scale, err_msg=where
    )


def test_values(random_function, backend):
    f = random_function
    wanted, found = f(*f.inputs), ad.compile(f, backend=backend)(*f.inputs)
    exact = f.exact[len(f.inputs) :]
    for i, step in enumerate(f.steps):
        rtol = 1e-4 if f.has_single else 1e-9
        compare(wanted[i], found[i], f"step {i}: {step.name}", exact[i], rtol)
        assert exact[i] is False or np.array_equal(np.isnan(wanted[i]), np.isnan(found[i]))


def test_gradients(random_function, backend):
    f = random_function
    outputs = f.of_floats(12)
    tracked = [i for i, given in enumerate(f.inputs) if np.asarray(given).dtype.kind == "f"]

    def gradients(*inputs):
        def some(*chosen):
            whole = list(inputs)
            for at, value in zip(tracked, chosen, strict=True):
                whole[at] = value
            values = f(*whole)
            return tuple(values[at] for at in outputs)

        values, pullback = ad.vjp(some, *(inputs[at] for at in tracked))
        # Zero cotangents of all outputs but one, which may come from infinite partials.
        return [
            pullback(
                tuple(np.full(np.shape(v), i == j, np.result_type(v)) for j, v in enumerate(values))
            )
            for i in range(len(values))
        ]

    wanted, found = gradients(*f.inputs), ad.compile(gradients, backend=backend)(*f.inputs)
    rtol = 1e-4 if f.has_single else 1e-9
    for at, ours, theirs in zip(outputs, found, wanted, strict=True):
        for argument, one, other in zip(tracked, ours, theirs, strict=True):
            where = f"gradient of step {at}, {f.steps[at].name}, in argument {argument}"
            compare(other, one, where, rtol=rtol)
