"""Operations that hold programs: `Scan`, `Branch` and `Loop`, which become loops and branches.

A program inside has no constants of its own when it runs: they are operands of the operation.
"""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autodiff.compiler.operations import Operation, Reshape
from autodiff.compiler.program import Operand, Program, Value


def type_of_operand(operand: Operand) -> Value:
    """Return the value that an operand is, or what a number written into a program is like."""
    return operand if isinstance(operand, Value) else Value.like(operand)


@dataclass(frozen=True)
class Detached(Reshape):
    """The same entries, as a constant to the derivatives of the program it is in."""

    def text(self, operands: Sequence[str]) -> str:
        """Return what the user wrote."""
        return f"stop_gradient({operands[0]})"


@dataclass(frozen=True, eq=False)
class Block(Operation):
    """An operation that runs programs."""

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs that it holds."""
        raise NotImplementedError

    def with_programs(self, *programs: Program) -> Block:
        """Return the same operation of other programs."""
        raise NotImplementedError

    @functools.cached_property
    def runs(self) -> tuple[Callable[..., list[Any]], ...]:
        """The programs as straight-line NumPy."""
        from autodiff.compiler.straight import Straight  # which shows what is inside of blocks

        return tuple(Straight(one).run for one in self.programs)

    def example(self, *args: Any) -> Any:
        """Return results of the right shapes and dtypes."""
        raise NotImplementedError

    @property
    def key(self) -> Any:
        """Its text, which says all; None if a Python function is called inside."""
        insides = [each.operation.key for one in self.programs for each in one.instructions]
        if any(key is None for key in insides) or any(one.constants for one in self.programs):
            return None
        return self.text(())

    def text(self, operands: Sequence[str]) -> str:
        """Return the operation with the text of its programs."""
        insides = [textwrap.indent(str(one), "    ") for one in self.programs]
        return f"{self.title}({', '.join(operands)}) {{\n" + "\n} {\n".join(insides) + "\n}"

    @property
    def title(self) -> str:
        """Its name, and what else distinguishes it."""
        return self.name


def _given(found: list[Any]) -> Any:
    """Return results as an instruction has them: bare if there is one."""
    return found[0] if len(found) == 1 else tuple(found)


@dataclass(frozen=True, eq=False)
class Scan(Block):
    """A loop with a fixed number of rounds.

    Attributes
    ----------
    body : Program
        Takes the carries, one entry of each array that is run over, and what stays the same;
        gives the next carries, and what is stacked.
    carries, items : int
        How many there are of the first two.
    length : int
    reverse : bool
        From the last entry to the first.
    """

    body: Program
    carries: int
    items: int
    length: int
    reverse: bool

    @property
    def programs(self) -> tuple[Program, ...]:
        """The body."""
        return (self.body,)

    def with_programs(self, *programs: Program) -> Scan:
        """Return the same loop of another body."""
        (body,) = programs
        return Scan(body, self.carries, self.items, self.length, self.reverse)

    @property
    def title(self) -> str:
        """The numbers of rounds, carries and items."""
        back = ", reverse" if self.reverse else ""
        return f"scan[{self.length} rounds, {self.carries} carries, {self.items} items{back}]"

    def _taken_apart(self, args: Sequence[Any]) -> tuple[list[Any], Sequence[Any], Sequence[Any]]:
        ends = self.carries, self.carries + self.items
        return list(args[: ends[0]]), args[ends[0] : ends[1]], args[ends[1] :]

    def __call__(self, *args: Any) -> Any:
        """Run the loop."""
        carry, xs, rest = self._taken_apart(args)
        (run,) = self.runs
        made = [type_of_operand(one) for one in self.body.outputs[self.carries :]]
        ys = [np.empty((self.length, *one.shape), one.dtype) for one in made]
        for i in reversed(range(self.length)) if self.reverse else range(self.length):
            found = run(*carry, *(x[i] for x in xs), *rest)
            carry = found[: self.carries]
            for y, one in zip(ys, found[self.carries :], strict=True):
                y[i] = one
        return _given([*carry, *ys])

    def example(self, *args: Any) -> Any:
        """Return what one round gives."""
        carry, xs, rest = self._taken_apart(args)
        one = [x[0] if self.length else np.zeros(x.shape[1:], x.dtype)[()] for x in xs]
        with np.errstate(all="ignore"):
            found = self.body(*carry, *one, *rest)
        ys = [
            np.broadcast_to(np.asarray(y), (self.length, *np.shape(y)))
            for y in found[self.carries :]
        ]
        return _given([*found[: self.carries], *ys])


@dataclass(frozen=True, eq=False)
class Branch(Block):
    """One of two programs, chosen by the first operand; both take the others."""

    on_true: Program
    on_false: Program

    @property
    def programs(self) -> tuple[Program, ...]:
        """Both."""
        return self.on_true, self.on_false

    def with_programs(self, *programs: Program) -> Branch:
        """Return the same choice between other programs."""
        on_true, on_false = programs
        return Branch(on_true, on_false)

    def __call__(self, *args: Any) -> Any:
        """Run the program that is chosen."""
        pred, *rest = args
        return _given(self.runs[0 if pred else 1](*rest))

    def example(self, *args: Any) -> Any:
        """Return what the first one gives."""
        with np.errstate(all="ignore"):
            return _given(self.on_true(*args[1:]))


@dataclass(frozen=True, eq=False)
class Loop(Block):
    """A loop while a condition holds.

    Attributes
    ----------
    keep_going, body : Program
        Take the carries and what stays the same; one gives a condition, one the next carries.
    carries : int
    """

    keep_going: Program
    body: Program
    carries: int

    @property
    def programs(self) -> tuple[Program, ...]:
        """The condition and the body."""
        return self.keep_going, self.body

    def with_programs(self, *programs: Program) -> Loop:
        """Return the same loop of other programs."""
        keep_going, body = programs
        return Loop(keep_going, body, self.carries)

    @property
    def title(self) -> str:
        """The number of carries."""
        return f"while[{self.carries} carries]"

    def __call__(self, *args: Any) -> Any:
        """Run the loop."""
        carry, rest = list(args[: self.carries]), args[self.carries :]
        goes_on, run = self.runs
        while goes_on(*carry, *rest)[0]:
            carry = run(*carry, *rest)
        return _given(carry)

    def example(self, *args: Any) -> Any:
        """Return what one round gives."""
        with np.errstate(all="ignore"):
            return _given(self.body(*args))
