"""Each pass by itself: what it drops, and what it must not."""

import numpy as np
import pytest

from autodiff.compiler.checking import InvalidProgramError, check
from autodiff.compiler.operations import (
    Broadcast,
    Call,
    CarefulProduct,
    Cast,
    Hole,
    Join,
    Kernel,
    Reduce,
    Reshape,
    Transpose,
    Ufunc,
)
from autodiff.compiler.passes import PASSES, simplified
from autodiff.compiler.passes.common import share_common
from autodiff.compiler.passes.constants import fold_constants
from autodiff.compiler.passes.dead import drop_dead
from autodiff.compiler.passes.finite import drop_care
from autodiff.compiler.passes.identities import drop_identities
from autodiff.compiler.program import Instruction, Program, Value
from autodiff.elementwise import rule_named

DOUBLE, SINGLE = np.dtype("d"), np.dtype("f")
SPECIAL = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e-310])


class Builder:
    """Writes a program down."""

    def __init__(self, *inputs):
        self.program = Program([Value.like(example) for example in inputs])
        self.examples = dict(zip(self.program.inputs, inputs, strict=True))

    @property
    def inputs(self):
        return self.program.inputs

    def constant(self, array):
        value = Value.like(array)
        self.program.constants[value] = self.examples[value] = array
        return value

    def add(self, operation, *operands):
        with np.errstate(all="ignore"):
            example = operation(*(self.examples.get(one, one) for one in operands))
        value = Value.like(example)
        self.examples[value] = example
        self.program.instructions.append(Instruction(operation, operands, (value,)))
        return value

    def done(self, *outputs):
        self.program.outputs = list(outputs)
        return check(self.program)


def kernel(name, index=None):
    return Kernel(rule_named(name), index)


def names(program):
    return [each.operation.name for each in program.instructions]


def same_bits(program, other, *args):
    """Check that two programs give the same bits."""
    check(other)
    for one, two in zip(program(*args), other(*args), strict=True):
        assert np.shape(one) == np.shape(two)
        assert np.result_type(one) == np.result_type(two)
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(np.signbit(one), np.signbit(two))


def after(run, build, *args):
    """Return what a pass makes of a program, after checking that it gives the same bits."""
    builder = Builder(*args)
    program = builder.done(*build(builder, *builder.inputs))
    found = run(program)
    same_bits(program, found, *args)
    return found


KEPT = {
    "x + 0": ("add", lambda x: (x, 0.0)),
    "0 + x": ("add", lambda x: (0.0, x)),
    "0 - x": ("subtract", lambda x: (0.0, x)),
    "x - -0": ("subtract", lambda x: (x, -0.0)),
    "x * 0": ("multiply", lambda x: (x, 0.0)),
    "x * -1": ("multiply", lambda x: (x, -1.0)),
    "1 / x": ("divide", lambda x: (1.0, x)),
    "x ** 1": ("float_power", lambda x: (x, 1.0)),
    "max(x, x)": ("maximum", lambda x: (x, x)),
    "x - x": ("subtract", lambda x: (x, x)),
    "x / x": ("divide", lambda x: (x, x)),
    "|x|": ("absolute", lambda x: (x,)),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_no_identity_is_kept(name):
    function, operands = KEPT[name]
    found = after(drop_identities, lambda b, x: [b.add(kernel(function), *operands(x))], SPECIAL)
    assert len(found.instructions) == 1


DROPPED = {
    "x * 1": ("multiply", lambda x: (x, 1.0)),
    "1 * x": ("multiply", lambda x: (1.0, x)),
    "x * True": ("multiply", lambda x: (x, True)),
    "x / 1": ("divide", lambda x: (x, 1)),
    "x - 0": ("subtract", lambda x: (x, 0.0)),
    "+x": ("positive", lambda x: (x,)),
}


@pytest.mark.parametrize("dtype", ["d", "f"])
@pytest.mark.parametrize("name", DROPPED)
def test_identities_are_dropped(name, dtype):
    function, operands = DROPPED[name]
    given = SPECIAL.astype(dtype)
    found = after(drop_identities, lambda b, x: [b.add(kernel(function), *operands(x))], given)
    assert not found.instructions
    assert found.outputs == found.inputs


def test_an_identity_that_changes_the_type_is_kept():
    whole = np.arange(3)
    found = after(drop_identities, lambda b, x: [b.add(kernel("multiply"), x, 1.0)], whole)
    assert names(found) == ["multiply"]
    # The one of a double array makes a double of a single.
    found = after(
        lambda p: drop_identities(fold_constants(p)),
        lambda b, x: [b.add(kernel("multiply"), x, b.constant(np.ones(())))],
        np.ones(3, "f"),
    )
    assert names(found) == ["multiply"]
    assert found.instructions[0].results[0].dtype == DOUBLE


def test_twice_negative_is_dropped():
    def build(b, x):
        once = b.add(kernel("negative"), x)
        return [b.add(kernel("negative"), b.add(kernel("negative"), once)), once]

    found = after(lambda p: share_common(drop_identities(p)), build, SPECIAL)
    assert names(found) == ["negative"]
    assert found.outputs[0] is found.outputs[1]


def test_shapes_and_dtypes_that_a_value_has_already():
    def build(b, x):
        y = b.add(Reshape((2, 3)), b.add(Reshape((6,)), b.add(Reshape((3, 2)), x)))
        y = b.add(Broadcast((2, 3)), b.add(Cast(DOUBLE), y))
        return [b.add(Join(0), y)]

    found = after(lambda p: drop_dead(drop_identities(p)), build, np.arange(6.0).reshape(2, 3))
    assert not found.instructions


def test_square_transposes_and_rounding_casts_are_kept():
    def build(b, x):
        turned = b.add(Transpose((1, 0)), x)
        return [turned, b.add(Cast(DOUBLE), b.add(Cast(SINGLE), x))]

    found = after(drop_identities, build, np.arange(4.0).reshape(2, 2) / 3)
    assert names(found) == ["transpose", "float32", "float64"]


def test_gradients_whose_partial_is_one_are_their_cotangents():
    def build(b, g, x):
        plain = b.add(kernel("add", 0), g, None, None, None)
        return [plain, b.add(kernel("subtract", 1), g, None, None, None)]

    found = after(drop_identities, build, SPECIAL, SPECIAL)
    assert len(found.instructions) == 1
    assert found.outputs[0] is found.inputs[0]


def test_care_is_dropped_where_a_factor_is_harmless():
    def build(b, x):
        return [
            b.add(CarefulProduct(), x, factor) for factor in (2.0, -1, True, 0.0, np.inf, np.nan)
        ] + [b.add(CarefulProduct(), x, x)]

    found = after(drop_care, build, SPECIAL)
    assert names(found) == ["multiply"] * 3 + ["carefulproduct"] * 4


def test_zero_cotangents_stay_zero():
    """Of every entry but those that only pass the cotangent on."""
    zeros = np.zeros(SPECIAL.shape)

    def build(b, g, x):
        found = []
        for name in ("sin", "exp", "log", "sqrt", "tanh", "absolute", "square", "reciprocal"):
            out = b.add(kernel(name), x)
            reads = rule_named(name).reads[0]
            operands = (out if "out" in reads else None, x if "x" in reads else None)
            found.append(b.add(kernel(name, 0), g, *operands))
        return found

    found = after(simplified, build, zeros, SPECIAL)
    for grad in found(zeros, SPECIAL):
        np.testing.assert_array_equal(grad, 0)


def test_common_instructions_are_shared():
    def build(b, x, y):
        one, two = (b.add(kernel("sin"), b.add(kernel("multiply"), x, y)) for _ in range(2))
        swapped = b.add(kernel("multiply"), y, x)
        sums = [b.add(Reduce(np.add, (axis,), False), x) for axis in (0, 1, 0)]
        return [one, two, swapped, *sums]

    given = np.arange(4.0).reshape(2, 2)
    found = after(share_common, build, given, given + 1)
    assert names(found) == ["multiply", "sin", "multiply", "sum", "sum"]
    assert found.outputs[0] is found.outputs[1]
    assert found.outputs[3] is found.outputs[5]


def test_numbers_that_are_equal_but_not_the_same_are_told_apart():
    def build(b, x):
        numbers = (0.0, -0.0, 0, False, 1, 1.0, True, np.nan, np.nan, np.inf)
        return [b.add(kernel("add"), x, number) for number in numbers]

    found = after(share_common, build, np.array([1, 2]))
    assert len(found.instructions) == 9  # NaN is one number


def test_equal_constants_are_one_and_others_are_not():
    arrays = [
        *(np.zeros(3), np.zeros(3), -np.zeros(3), np.zeros((3, 1)), np.zeros(3, "f")),
        *(np.zeros(6, "f"), np.zeros(3, int), np.float64(0), np.array(0.0)),
    ]

    def build(b, x):
        return [b.add(kernel("add"), x, b.constant(array)) for array in arrays]

    found = after(share_common, build, np.ones(()))
    operands = [each.operands[1] for each in found.instructions]
    assert len(set(operands)) == len(found.instructions) == 7


def test_calls_are_never_merged_or_folded():
    count = []

    def function(x):
        count.append(1)
        return np.asarray(x) * 1.0 + len(count)

    call = Call(function, (Hole(0),), {})
    builder = Builder(np.ones(2))
    (x,) = builder.inputs
    of_constant = builder.constant(np.zeros(2))
    found = [builder.add(call, x), builder.add(call, x), builder.add(call, of_constant)]
    program = simplified(builder.done(*found))
    assert len(program.instructions) == 3
    count.clear()
    assert [out[0] for out in program(np.ones(2))] == [2, 3, 3]


def test_what_depends_on_no_input_is_computed_once():
    def build(b, x):
        c = b.constant(np.arange(3.0))
        total = b.add(Reduce(np.add, (0,), False), b.add(kernel("sin"), c))
        number = b.add(kernel("multiply"), 2.0, 3)
        return [b.add(kernel("multiply"), x, total), b.add(kernel("multiply"), x, number)]

    found = after(fold_constants, build, np.ones(3, "f"))
    assert names(found) == ["multiply", "multiply"]
    # A sum of NumPy's is a double, a Python number takes the dtype of what it meets.
    assert [each.results[0].dtype for each in found.instructions] == [DOUBLE, SINGLE]


def test_large_constants_are_not_kept():
    found = after(
        fold_constants,
        lambda b, x: [b.add(Broadcast((1000, 1000)), b.constant(np.ones(1000)))],
        np.ones(1),
    )
    assert names(found) == ["broadcast"]


def test_dead_instructions_are_dropped():
    def build(b, x):
        used = b.add(kernel("sin"), x)
        b.add(kernel("cos"), b.add(kernel("exp"), used))
        b.constant(np.ones(3))
        return [used, 2.0]

    found = after(drop_dead, build, SPECIAL)
    assert names(found) == ["sin"]
    assert not found.constants


def test_passes_together():
    def build(b, x, n):
        less = b.add(Ufunc(np.less), x, n)
        y = b.add(kernel("where"), less, x, 1.0)
        z = b.add(kernel("add"), b.add(kernel("multiply"), y, 1.0), b.add(kernel("sin"), y))
        return [z, b.add(kernel("add"), y, b.add(kernel("sin"), y)), n]

    found = after(simplified, build, SPECIAL, 2)
    assert names(found) == ["less", "where", "sin", "add"]
    assert len(PASSES) >= 6


def test_the_checker_finds_faults():
    x, y = Value((2,), DOUBLE), Value((2,), DOUBLE)
    sin = kernel("sin")
    good = Program([x], {}, [Instruction(sin, (x,), (y,))], [y])
    assert check(good) is good
    faults = {
        "assigned already": Program([x], {}, [Instruction(sin, (x,), (x,))], [x]),
        "sin reads a value": Program([], {}, [Instruction(sin, (x,), (y,))], [y]),
        "the result reads": Program([x], {}, [], [y]),
        "no number": Program([x], {}, [Instruction(sin, ("x",), (y,))], [y]),
        "sin gives": Program([x], {}, [Instruction(sin, (x,), (Value((3,), DOUBLE),))], []),
        "float32": Program([x], {}, [Instruction(sin, (x,), (Value((2,), SINGLE),))], []),
        "a constant": Program([], {x: np.ones(3)}, [], [x]),
    }
    for text, program in faults.items():
        with pytest.raises(InvalidProgramError, match=text):
            check(program)
