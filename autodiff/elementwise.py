"""Elementwise functions: the generated methods as rules, in both modes.

A family's modules are imported when a function of it is first used. Python floats take the
scalar methods; where one raises (a pole, an overflow) or is missing, the broadcasted twin
gives the IEEE answer. Complex numbers take the broadcasted methods: the same as real ones, or
their own where the manifest says so, from a rule beside that of the real ones.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from autodiff.box import apply, operand, raw
from autodiff.careful import careful_product
from autodiff.primitives import Primitive
from autodiff.values import (
    ARITHMETIC_ERRORS,
    COMPLEX,
    as_numpy,
    dtype_of,
    has_nan,
    is_complex,
    unbroadcast,
)
from generated.manifest import REFUSED
from generated.support import Entry

NUMBERS = frozenset({float, int, bool, type(None)})
COMPLEX_NUMBERS = NUMBERS | {complex}

OF_COMPLEX: dict[tuple[str, str], Callable[[Any], Any]] = {}
"""What (package, entry) for reals only is of a complex argument, where that has no complex
derivative but is differentiable in real and imaginary part (`autodiff.rules.complex`)."""


class Elementwise(Primitive):
    """The rule of one entry of the table.

    Parameters
    ----------
    entry : Entry
        What the manifest says of it.
    package : str
        The generated package that holds its methods.
    of_complex : bool
        The rule is for complex arguments, whose methods are others.

    Attributes
    ----------
    strict : bool
        Complex arguments have another rule, or none.
    own : function
        The generated broadcasted function.
    function : function
        The NumPy function it calls, if it is one of NumPy's own; else `own`.
    scalar : function or None
        The scalar twin; None where `math` has no form.
    grads, scalar_grads : tuple of (function or None)
        The gradient methods, one per argument.
    same : tuple of (int or None)
        Where the partial is an argument as it is its number, -1 for ``out``: times a
        cotangent that is 1 everywhere it needs no product.
    with_partials : function or None
        ``scalar`` and all partials in one call; None where one of them has no scalar form.
    """

    def __init__(self, entry: Entry, package: str, of_complex: bool = False) -> None:
        broadcasted = import_module(f"{package}.broadcasted.{entry.family}")
        scalar = import_module(f"{package}.scalar.{entry.family}")
        other = [of_complex and grad.complex_reads is not None for grad in entry.grads]
        names = [
            f"{entry.name}_grad_{arg}{'_complex' if own else ''}"
            for arg, own in zip(entry.args, other, strict=True)
        ]
        self.entry = entry
        self.package = package
        self.of_complex = of_complex
        self.strict = entry.complex != "same" and not of_complex
        self.own = getattr(broadcasted, entry.name)
        direct = entry.answers and entry.answers[0].startswith("np.")
        self.function = resolve(entry.answers[0]) if direct else self.own
        self.scalar: Any = None if of_complex else getattr(scalar, entry.name, None)
        self.selective = any(grad.zero or grad.reason for grad in entry.grads)
        super().__init__(entry.name, self.evaluate)
        self.grads: tuple[Any, ...] = tuple(getattr(broadcasted, name, None) for name in names)
        self.scalar_grads: tuple[Any, ...] = tuple(getattr(scalar, name, None) for name in names)
        where = {"out": -1, **{arg: i for i, arg in enumerate(entry.args)}}
        self.same = tuple(
            None if own else where.get(grad.same)
            for grad, own in zip(entry.grads, other, strict=True)
        )
        self.reads: tuple[Any, ...] = tuple(
            grad.complex_reads if own else grad.reads
            for grad, own in zip(entry.grads, other, strict=True)
        )
        self.with_partials: Any = getattr(scalar, f"{entry.name}_with_partials", None)

    def __call__(self, *args: Any, **unexpected: Any) -> Any:
        """Apply the function to plain or tracked `args`; Python numbers give one.

        Raises
        ------
        TypeError
            If an argument is missing, or complex where the function is for reals only.
        """
        wanted = self.entry.args
        if unexpected or len(args) != len(wanted):
            keywords = "".join(f" and {key}=" for key in unexpected)
            raise TypeError(
                f"{self.name} takes {len(wanted)} argument(s) by position, {', '.join(wanted)}; "
                f"got {len(args)}{keywords}"
            )
        if self.strict and any(is_complex(operand(arg)) for arg in args):
            return self.for_complex(args)(*args)
        if self.of_complex:
            grads = self.entry.grads
            args = tuple(
                arg if grad.reason else as_complex(arg)
                for arg, grad in zip(args, grads, strict=True)
            )
        return apply(self, args, {})

    def for_complex(self, args: Sequence[Any]) -> Callable[..., Any]:
        """Return the rule for complex arguments.

        Raises
        ------
        TypeError
            If there is none; the message names the function and the complex one of `args`.
        """
        if self.entry.complex == "own":
            return self.own_for_complex
        found = OF_COMPLEX.get((self.package, self.name))
        if found is None:
            name, dtype = next(
                (name, dtype_of(operand(arg)))
                for name, arg in zip(self.entry.args, args, strict=True)
                if is_complex(operand(arg))
            )
            raise TypeError(
                f"{self.name} is for real numbers, but {name} has dtype {dtype}; give np.real(v), "
                "np.imag(v) or np.abs(v)"
            )
        return found

    @functools.cached_property
    def own_for_complex(self) -> Elementwise:
        """The rule beside this one with the methods for complex arguments."""
        return Elementwise(self.entry, self.package, of_complex=True)

    def evaluate(self, *args: Any) -> Any:
        """Return the function of plain numbers and arrays; Python numbers give a Python number."""
        out = on_values(self.scalar, self.function, args)
        return float(out) if isinstance(out, int) else out

    def followed(self, index: int) -> bool:
        """Return whether the partial is not 0 everywhere; raise where there is none."""
        grad = self.entry.grads[index]
        if grad.reason:
            raise TypeError(
                f"{self.name} has no derivative in {self.entry.args[index]}: {grad.reason}. "
                "Pass a plain number, or `.value` of the variable"
            )
        return not grad.zero

    def make_plan(self, tracked: int, count: int) -> tuple[bool, Sequence[int]]:
        """Keep what the gradient methods of the `tracked` arguments read."""
        read = {word for i, reads in enumerate(self.reads) if tracked >> i & 1 for word in reads}
        return "out" in read, [i for i, arg in enumerate(self.entry.args) if arg not in read]

    def partial(self, index: int, grad: Any, out: Any, args: Sequence[Any]) -> Any:
        """Return the generated gradient: `grad` times the partial of argument `index`."""
        return on_values(self.scalar_grads[index], self.grads[index], (grad, out, *args))

    def pull(self, grad: Any, node: Any, out: Any, args: Any, careful: bool) -> list[Any]:
        """Return the generated gradients, summed to the shapes of the arguments."""
        parts: list[Any] = []
        shape = node.shape
        of_arrays = not (careful or node.floats or node.dtype is COMPLEX)
        one = not careful and type(grad) is float and grad == 1.0
        for index, source in enumerate(node.inputs):
            if source is None:
                parts.append(None)
                continue
            if one and (same := self.same[index]) is not None:
                part = out if same < 0 else args[same]
            elif of_arrays:
                try:
                    part = self.grads[index](grad, out, *args)
                except ARITHMETIC_ERRORS:
                    part = self.partial(index, grad, out, args)
            elif careful:
                part = careful_product(grad, self.partial(index, 1.0, out, args))
            else:
                part = self.partial(index, grad, out, args)
            if shape != source.shape:
                part = unbroadcast(part, shape, source.shape)
            parts.append(part)
        return parts

    def jvp(self, tangents: Sequence[Any], out: Any, args: Any, static: Any) -> Any:
        """Return the sum of the generated gradients of the tangents, under the rule of zero."""
        total = None
        for index, tangent in enumerate(tangents):
            if tangent is None:
                continue
            part = self.partial(index, tangent, out, args)
            if has_nan(raw(part)):
                safe = careful_product(tangent, self.partial(index, 1.0, out, args))
                # A branch that `where` did not take is 0 here also of a NaN, and stays so.
                lost = np.isnan(raw(part))
                part = safe if np.all(lost) else np.where(lost, safe, part)
            total = part if total is None else total + part
        return total


def as_complex(value: Any) -> Any:
    """Return a number, array or tracked value as a complex one: negative ones have a logarithm."""
    value = operand(value)
    if type(value) in NUMBERS:
        return complex(value)
    return value if is_complex(value) else np.subtract(value, 0j)


def on_values(scalar: Any, broadcasted: Any, args: Sequence[Any]) -> Any:
    """Call the scalar twin if all `args` are Python floats, else the broadcasted one.

    Parameters
    ----------
    scalar : function or None
    broadcasted : function
    args : sequence
        None in the place of what the function does not read.
    """
    for arg in args:
        if type(arg) not in NUMBERS:
            break
    else:
        if scalar is not None:
            try:
                return scalar(*args)
            except ARITHMETIC_ERRORS:
                pass
        with np.errstate(all="ignore"):
            return float(broadcasted(*map(as_numpy, args)))
    if type(arg) is complex and all(type(arg) in COMPLEX_NUMBERS for arg in args):
        with np.errstate(all="ignore"):
            return complex(broadcasted(*map(as_numpy, args)))
    try:
        return broadcasted(*args)
    except ARITHMETIC_ERRORS:
        return broadcasted(*map(as_numpy, args))


_LOADED: dict[tuple[str, str], Elementwise] = {}
_ENTRIES: dict[str, list[tuple[str, Entry]]] = {}


def add_package(package: str) -> set[str]:
    """Add the functions of a generated package; return their names and aliases.

    Raises
    ------
    ValueError
        If it is not a package the generator wrote.
    """
    try:
        entries = import_module(f"{package}.manifest").ENTRIES
    except (ImportError, AttributeError) as error:
        raise ValueError(
            f"{package!r} is not a package that `python -m generator --rules ... --out ...` wrote"
        ) from error
    own: set[str] = set()
    for entry in entries:
        own |= {entry.name, *entry.aliases}
        answers = (answer.partition(".")[2].partition("[")[0] for answer in entry.answers)
        names = {entry.name, *entry.aliases, *answers}
        for name in names:
            known = _ENTRIES.setdefault(name, [])
            known[:] = [(p, e) for p, e in known if (p, e.name) != (package, entry.name)]
            known.append((package, entry))
    return own


def load(package: str, entry: Entry) -> Elementwise:
    """Return the rule of `entry`, importing its family the first time."""
    rule = _LOADED.get((package, entry.name))
    if rule is None:
        rule = _LOADED[package, entry.name] = Elementwise(entry, package)
    return rule


def rule_named(name: str) -> Elementwise | None:
    """Return the rule of the table's function or alias `name`; the last registered wins."""
    for package, entry in reversed(_ENTRIES.get(name, [])):
        if name == entry.name or name in entry.aliases:
            return load(package, entry)
    return None


def function_names() -> list[str]:
    """Return the names and aliases of all elementwise functions."""
    return sorted(
        name
        for name, known in _ENTRIES.items()
        if any(name == entry.name or name in entry.aliases for _, entry in known)
    )


def rule_answering(function: Any) -> Elementwise | None:
    """Return the rule that answers for a NumPy, SciPy or generated function."""
    for package, entry in _ENTRIES.get(getattr(function, "__name__", ""), []):
        if any(resolve(answer) is function for answer in entry.answers):
            return load(package, entry)
        if getattr(function, "__module__", None) == f"{package}.broadcasted.{entry.family}":
            return load(package, entry)
    return None


def rules_of_outputs(function: Any) -> tuple[Elementwise, ...] | None:
    """Return the rules of all outputs of a SciPy function that has several, else None."""
    count = getattr(function, "nout", 1)
    if count == 1 or resolve(f"special.{function.__name__}") is not function:
        return None
    answers = [f"special.{function.__name__}[{number}]" for number in range(count)]
    known = {
        answer: pair for pair in _ENTRIES.get(function.__name__, []) for answer in pair[1].answers
    }
    if not all(answer in known for answer in answers):
        return None
    return tuple(load(*known[answer]) for answer in answers)


def reason_refused(function: Any) -> str | None:
    """Return why a function of NumPy or SciPy is no entry of the table, if it says so."""
    name = getattr(function, "__name__", "")
    for dotted, reason in REFUSED.items():
        if dotted.endswith(f".{name}") and resolve(dotted) is function:
            return reason
    return None


def resolve(answer: str) -> Any:
    """Return the function written ``np.hypot`` or ``special.expit``; None if not imported."""
    module, _, name = answer.partition(".")
    home = np if module == "np" else sys.modules.get("scipy.special")
    return getattr(home, name, None)


add_package("generated")
