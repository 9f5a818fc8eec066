"""`compile`: a function that runs as one program for each kind of arguments."""

from __future__ import annotations

import functools
import gc
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from autodiff.arguments import name_of
from autodiff.box import Box
from autodiff.compiler.c.render import is_expressible
from autodiff.compiler.errors import CompileError, NotExpressibleError
from autodiff.compiler.folder import log
from autodiff.compiler.passes import simplified
from autodiff.compiler.program import Program
from autodiff.compiler.signature import Arguments, Signature, is_plain, pattern, rebuilt
from autodiff.compiler.straight import Straight
from autodiff.compiler.tracer import Tracer
from autodiff.compiler.tracing import Result, trace
from autodiff.levels import ACTIVE

BACKENDS = ("auto", "c", "numpy")

MANY = 16
"""Programs of one function from which on a warning asks why."""


class ProgramInfo(NamedTuple):
    """One program of a compiled function.

    Attributes
    ----------
    signature : str
        Dtypes and shapes of the leaves of its arguments.
    backend : str
        ``c`` or ``numpy``.
    seconds : float
        From tracing to the loaded program.
    calls : int
        How often it ran, as far as Python counted: calls that C recognises by itself are not.
    """

    signature: str
    backend: str
    seconds: float
    calls: int


@dataclass
class Built:
    """A program, ready to run."""

    signature: Signature
    program: Program
    result: Result
    backend: str
    flat: Callable[..., Any]
    text: Callable[[], str]
    run: Callable[..., Any] | None = None
    reason: str = ""
    seconds: float = 0.0
    calls: int = field(default=0)


def compile(
    f: Callable[..., Any] | None = None,
    *,
    backend: str = "auto",
    static_argnames: str | tuple[str, ...] = (),
    precise: bool = False,
) -> Any:
    """Return `f` as a program that runs without Python between its operations.

    The function is called once for each signature, the structure, dtypes and shapes of its
    arguments, with values that write down what is done with them; derivatives that it takes are
    written down with it. What was written down is simplified and compiled.

    Parameters
    ----------
    f : callable
        Takes numbers, arrays and containers of them, and gives such. Its Python code runs while
        it is traced only: what it prints or changes happens once. Arrays and numbers it refers to
        without getting them as arguments are part of the program.
    backend : {"auto", "c", "numpy"}
        ``c`` writes C, which needs a C compiler; ``numpy`` writes straight-line NumPy; ``auto``
        is C where it can be had.
    static_argnames : str or tuple of str
        Arguments whose values choose the program. Strings and other things that are no numbers
        do so by themselves.

    precise : bool
        C takes the functions of libm, below 1 ulp, one number at a time, and not the vector ones
        of glibc, up to 4 ulp.

    Returns
    -------
    Compiled
        Takes what `f` takes. It can be differentiated, and used inside another compiled function.

    Raises
    ------
    TracingError
        When called, if `f` asks for the number of a traced value, as ``if x > 0`` does; the
        message names the line and what to write instead.
    CompileError
        When called, if ``backend="c"`` and there is no C compiler, or it fails.

    Examples
    --------
    >>> import numpy as np
    >>> import autodiff as ad
    >>> @ad.compile
    ... def loss(w, x):
    ...     return np.sum(np.tanh(x @ w) ** 2)
    >>> w, x = np.array([0.5, -1.0]), np.eye(2)
    >>> round(float(loss(w, x)), 6)
    0.793578
    >>> ad.compile(ad.grad(loss))(w, x).round(6)
    array([ 0.726862, -0.6397  ])
    """
    if f is None:
        return functools.partial(
            compile, backend=backend, static_argnames=static_argnames, precise=precise
        )
    if not callable(f):
        raise TypeError(f"compile takes a function, not {f!r}")
    if backend not in BACKENDS:
        raise ValueError(f"backend={backend!r}; it is one of {', '.join(BACKENDS)}")
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    return Compiled(f, Settings(backend, frozenset(names), precise))


@contextmanager
def without_collection() -> Iterator[None]:
    """Collect no garbage meanwhile: a program is many small objects, none of them garbage."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Settings(NamedTuple):
    """How a function is compiled; see `compile`."""

    backend: str
    static: frozenset[str]
    precise: bool


def _decline(*args: Any) -> Any:
    return NotImplemented


class Compiled:
    """A compiled function; made by `compile`.

    Attributes
    ----------
    programs : list of ProgramInfo
        One for each signature it was called with.
    """

    def __init__(self, f: Callable[..., Any], settings: Settings) -> None:
        self._f = f
        self._settings = settings
        self._built: dict[Signature, Built] = {}
        self._last: Callable[..., Any] = _decline
        self._lock = threading.RLock()
        self._rules: dict[Any, Any] = {}
        functools.update_wrapper(self, f)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program of these arguments; make it first if they are of a new kind."""
        found = NotImplemented if kwargs else self._last(*args)
        return self._general(args, kwargs) if found is NotImplemented else found

    def _general(self, args: Any, kwargs: dict[str, Any]) -> Any:
        given = Arguments(self._f, args, kwargs, self._settings.static)
        boxes = [value for value in given.values if isinstance(value, Box)]
        if any(isinstance(box, Tracer) for box in boxes):
            return self._f(*args, **kwargs)
        if any(box.level == 0 or box.level in ACTIVE for box in boxes):
            return self._differentiated(given)
        built = self._program(given)
        built.calls += 1
        if built.run is not None:
            self._last = built.run
        found = built.flat(*given.values)
        if found is NotImplemented:
            raise TypeError(
                f"the program of {name_of(self._f)} for {given.signature} does not take the "
                "arguments it was made for; this is a fault of autodiff, please report it"
            )
        return found

    def _differentiated(self, given: Arguments) -> Any:
        from autodiff.compiler.differentiated import applied

        return applied(self, given)

    def same(self, f: Callable[..., Any]) -> Compiled:
        """Return another function compiled in the same way."""
        return Compiled(f, self._settings._replace(static=frozenset()))

    def _program(self, given: Arguments) -> Built:
        """Return the program of these arguments."""
        found = self._built.get(given.signature)
        if found is None:
            with self._lock:
                found = self._built.get(given.signature)
                if found is None:
                    found = self._make(given)
                    self._built[given.signature] = found
                    self._note(given.signature)
        return found

    def _make(self, given: Arguments) -> Built:
        start = time.perf_counter()
        signature, counts = given.signature, given.counts

        def call(leaves: Any) -> Any:
            args, kwargs = given.into(signature, leaves)
            return self._f(*args, **kwargs)

        with without_collection():
            program, result = trace(self._f, given.values, call)
            program = simplified(program)
            built = self._with_backend(signature, counts, program, result)
        built.seconds = time.perf_counter() - start
        return built

    def _with_backend(
        self, signature: Signature, counts: Any, program: Program, result: Result
    ) -> Built:
        reason = ""
        if self._settings.backend != "numpy":
            try:
                return _in_c(signature, counts, program, result, self._settings.precise)
            except CompileError as error:
                if self._settings.backend == "c":
                    raise
                reason = str(error)
                if not isinstance(error, NotExpressibleError):
                    _warn_once(reason)
        straight = Straight(program, result.kinds)

        def flat(*values: Any) -> Any:
            return result.filled(straight.run(*values))

        return Built(
            signature, program, result, "numpy", flat, lambda: straight.text, reason=reason
        )

    def _note(self, signature: Signature) -> None:
        count = len(self._built)
        log().info("compiled %s for %s, program %d", name_of(self._f), signature, count)
        if count == MANY + 1:
            warnings.warn(
                f"{name_of(self._f)} was compiled for {count} kinds of arguments, the last one "
                f"{signature}. Each shape, dtype and static value has a program of its own: pad "
                "arrays to a few sizes, or give changing numbers as data, not as static arguments",
                UserWarning,
                stacklevel=5,
            )

    @property
    def programs(self) -> list[ProgramInfo]:
        """One entry for each program, in the order they were made."""
        return [
            ProgramInfo(str(one.signature), one.backend, one.seconds, one.calls)
            for one in self._built.values()
        ]

    def source(self, *args: Any, **kwargs: Any) -> str:
        """Return the C or Python text of the program for these arguments."""
        return self._for(args, kwargs).text()

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Return the program for these arguments as text, and what became of it."""
        from autodiff.compiler.explaining import explained

        return explained(self._for(args, kwargs))

    def draw(self, *args: Any, **kwargs: Any) -> Any:
        """Return a picture of the program for these arguments.

        It has ``svg`` (by graphviz), ``mermaid``, ``dot`` and ``save(path)``, and notebooks show
        it; see `autodiff.draw`.
        """
        from autodiff.compiler.picture import drawn

        return drawn(self._for(args, kwargs).program)

    def export(self, directory: str | Path, *args: Any, **kwargs: Any) -> list[Path]:
        """Write the program for these arguments as C that needs no Python.

        Parameters
        ----------
        directory : path
            Made if it is missing. It gets ``NAME.c`` and ``NAME.h``, where NAME is that of the
            function, C99 that needs the mathematical library only; ``main.c``, which calls it
            once with these arguments and prints what it gives; and ``call_NAME.py``, which calls
            a shared library of it through `ctypes`.
        *args, **kwargs
            As in a call.

        Returns
        -------
        list of Path
            The files.

        Raises
        ------
        CompileError
            If the program calls functions that have no form in C; the message names them.
        """
        from autodiff.compiler.exporting import exported

        given = Arguments(self._f, args, kwargs, self._settings.static)
        return exported(self._program(given), given.values, name_of(self._f), Path(directory))

    def _for(self, args: Any, kwargs: dict[str, Any]) -> Built:
        return self._program(Arguments(self._f, args, kwargs, self._settings.static))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<compiled {name_of(self._f)}, {len(self._built)} program(s)>"

    def __reduce__(self) -> Any:
        return _again, (self._f, self._settings)


def _again(f: Callable[..., Any], settings: Settings) -> Compiled:
    """Make a compiled function in another process; it compiles, or loads, when it is called."""
    return Compiled(f, settings)


def _in_c(
    signature: Signature, counts: Any, program: Program, result: Result, precise: bool
) -> Built:
    """Return a program in C.

    Raises
    ------
    CompileError
        If there is no compiler, it fails, or C has no form for what goes in or out.
    """
    from autodiff.compiler.c.extension import Extension
    from autodiff.compiler.toolchain import find_toolchain

    if not is_expressible(program):
        raise NotExpressibleError(
            "arguments, constants or results have a dtype that C programs do not hold (complex, "
            "float16, objects)"
        )
    arguments = pattern(signature, counts)
    template: Any = None
    if all(at is not None for at, _ in result.leaves):
        template = result.filled(range(len(program.outputs)))
        template = template if is_plain(template) else None
    found = find_toolchain()
    toolchain = found.without_vectors() if precise else found
    if template is None or arguments is None:
        plain = Extension(program, signature.data, None, None, result.kinds, toolchain)

        def filled(*values: Any) -> Any:
            return result.filled(plain.run(*values))

        return Built(signature, program, result, "c", filled, plain.text)
    whole = Extension(program, signature.data, arguments, template, result.kinds, toolchain)

    def flat(*values: Any) -> Any:
        return whole.run(*rebuilt(signature, counts, values)[0])

    simple = all(type(each) is int for each in arguments)
    return Built(
        signature, program, result, "c", whole.run if simple else flat, whole.text, whole.run
    )


@functools.cache
def _warn_once(reason: str) -> None:
    warnings.warn(f"compiled functions run on NumPy, not as C: {reason}", UserWarning, stacklevel=6)
