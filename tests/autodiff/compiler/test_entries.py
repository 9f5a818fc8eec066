"""Every entry of the table that has a form in C: value and gradients, on special and random points.

Many entries are one program, so that the C compiler runs a few times only.
"""

import numpy as np
import pytest

from autodiff.compiler.c.expressions import is_elementwise
from autodiff.compiler.c.extension import Extension
from autodiff.compiler.c.header import is_available
from autodiff.compiler.leaf import Leaf
from autodiff.compiler.operations import Kernel
from autodiff.compiler.program import Instruction, Program, Value
from autodiff.elementwise import rule_named
from generated.manifest import ENTRIES

# Their first argument is a whole number.
WHOLE = {"ldexp", "polygamma"}
NAMES = [
    entry.name
    for entry in ENTRIES
    if is_available(f"ad_{entry.name}") and entry.name[0] != "_" and entry.name not in WHOLE
]
AT_ONCE = 40
CHUNKS = [NAMES[i : i + AT_ONCE] for i in range(0, len(NAMES), AT_ONCE)]
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 2.0, 1e-300, 1e300]
ULP = 8
LOOSE = {
    # SciPy's lose digits in the tail, the C library's do not.
    "erfc": 300,
    "erfcx": 300,
    "ndtr": 300,
    "log_ndtr": 300,
    # Rounding is magnified where the value is near 0, or the argument near a pole.
    "gammaln": 40,
    "loggamma": 40,
    "zeta_grad_q": 40,
    "logsubexp": 40,
}
FINITE_ONLY = {"gammaln", "zeta"}
"""SciPy's values of infinite arguments are others, -inf and NaN in the place of inf and 0."""


def points(count, dtype):
    """Return arrays with special numbers, random ones, and pairs of them."""
    rng = np.random.default_rng(count)
    parts = [rng.normal(0, 1, 30), rng.uniform(-30, 30, 15), rng.uniform(0, 1, 15)]
    parts += [np.exp(rng.uniform(-20, 20, 10)), rng.integers(-5, 6, 6)]
    numbers = np.concatenate(parts)
    with np.errstate(over="ignore"):
        if count == 1:
            return [np.concatenate([SPECIAL, numbers]).astype(dtype)]
        return [
            np.concatenate([rng.choice(SPECIAL, 150), rng.choice(numbers, 150)]).astype(dtype)
            for _ in range(count)
        ]


def program_of(names, dtype):
    """Return a program whose outputs are values and gradients of entries, and its arguments."""
    program, given, labels, groups = Program(), [], [], {}
    for name in names:
        rule = rule_named(name)
        entry = rule.entry
        count = len(entry.args)
        if count not in groups:
            xs = points(count, dtype)
            grad = np.resize([1, -0.5, 2, 0, np.inf], xs[0].shape).astype(dtype)
            groups[count] = [Value.like(x) for x in (grad, *xs)]
            program.inputs += groups[count]
            given += [grad, *xs]
        grad, *xs = groups[count]
        made = dict(zip(program.inputs, given, strict=True))
        with np.errstate(all="ignore"):
            value = rule.evaluate(*(made[x] for x in xs))
        out = Value.like(value)
        program.instructions.append(Instruction(Kernel(rule), tuple(xs), (out,)))
        labels.append(name)
        for index, about in enumerate(entry.grads):
            if about.zero or about.reason or rule.grads[index] is None:
                continue
            reads = rule.reads[index]
            operands = [x if arg in reads else None for arg, x in zip(entry.args, xs, strict=True)]
            # A gradient may be one of another precision: it is what NumPy says.
            values = [made.get(x) for x in (grad, None, *operands)]
            values[1] = value if "out" in reads else None
            result = Value.like(Kernel(rule, index)(*values))
            program.instructions.append(
                Instruction(
                    Kernel(rule, index),
                    (grad, out if "out" in reads else None, *operands),
                    (result,),
                )
            )
            labels.append(f"{name}_grad_{entry.args[index]}")
    program.outputs = [value for each in program.instructions for value in each.results]
    return program, given, labels


def distance(found, wanted):
    """Return the largest difference in units of the last place; infinite if kinds differ."""
    finite = np.isfinite(wanted)
    if not np.array_equal(found[~finite], wanted[~finite], equal_nan=True):
        return np.inf
    with np.errstate(all="ignore"):
        apart = np.abs(found.astype(float) - wanted) / np.spacing(np.abs(wanted))
    return np.max(apart[finite], initial=0.0)


def pytest_generate_tests(metafunc):
    """Take all entries in both dtypes with ``--full``, else every third chunk in one of them."""
    if "names" in metafunc.fixturenames:
        full = metafunc.config.getoption("--full")
        cases = [
            pytest.param(names, dtype, id=f"{names[0]}-{names[-1]}-{dtype}")
            for i, names in enumerate(CHUNKS)
            if full or i % 3 == 0
            for dtype in ("df" if full else "df"[i % 2])
        ]
        metafunc.parametrize(("names", "dtype"), cases)


def test_values_and_gradients(toolchain, names, dtype):
    program, given, labels = program_of(names, dtype)
    kinds = ["array"] * len(program.outputs)
    run = Extension(program, list(map(Leaf.of, given)), None, None, kinds, toolchain).run
    faults = {}
    outputs = zip(labels, program.instructions, run(*given), program(*given), strict=True)
    for label, each, found, wanted in outputs:
        assert found.dtype == wanted.dtype, label
        bound = LOOSE.get(label, ULP) if is_elementwise(each) else 0
        if label in FINITE_ONLY:
            known = dict(zip(program.inputs, given, strict=True))
            finite = np.all([np.isfinite(known[x]) for x in each.operands], axis=0)
            found, wanted = found[finite], wanted[finite]
        apart = distance(found, wanted)
        if not apart <= bound:  # NaN as well
            faults[label] = apart
    assert not faults


def test_helpers_that_return_pairs_are_compiled(toolchain):
    """A function of the header may call others that return a structure or an int."""
    rule = rule_named("_gegenbauer")
    count = len(rule.entry.args)
    program = Program([Value((), np.dtype("d"))])
    out = Value((), np.dtype("d"))
    operands = (2.0, *[0.5] * (count - 2), program.inputs[0])
    program.instructions = [Instruction(Kernel(rule), operands, (out,))]
    program.outputs = [out]
    run = Extension(program, [Leaf.of(0.25)], None, None, ["number"], toolchain).run
    assert run(0.25)[0] == pytest.approx(program(0.25)[0], rel=1e-14)
