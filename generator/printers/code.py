"""A piece of code that knows how tightly it binds."""

from __future__ import annotations

from enum import IntEnum


class Binding(IntEnum):
    """How tightly the outermost operator of a piece of code binds; common to Python and C."""

    TERNARY = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARISON = 5
    BIT = 6
    SUM = 7
    PRODUCT = 8
    SIGN = 9
    POWER = 10
    ATOM = 11


class Code(str):
    """Text of an expression with the `binding` of its outermost operator.

    >>> total = Code("x + y", Binding.SUM)
    >>> total.inside(Binding.PRODUCT), total.inside(Binding.SUM)
    ('(x + y)', 'x + y')
    """

    __slots__ = ("binding",)
    binding: Binding

    def __new__(cls, text: str, binding: Binding = Binding.ATOM) -> Code:
        """Return `text` with its `binding`; a number or a call is an atom."""
        self = super().__new__(cls, text)
        self.binding = binding
        return self

    def inside(self, weakest: Binding) -> str:
        """Return the text, in parentheses if it binds less tightly than `weakest`."""
        return str(self) if self.binding >= weakest else f"({self})"
