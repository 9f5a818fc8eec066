"""C of our helpers read as Python: statements and functions, for Numba."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from generator import support
from generator.errors import Unsupported
from generator.layout import WIDTH, statement
from generator.package import environment
from generator.printers import Binding, Code
from generator.targets.c_expressions import Reader, name, python_name, tokens

FUNCTION = re.compile(
    r"(?:^/\*(?P<remark>(?:(?!\*/).)*)\*/\n)?"
    r"^static inline (?:double|int) (?P<name>ad_support_\w+)\(\s*(?P<parameters>[^)]*)\)\n"
    r"\{\n(?P<body>.*?)^\}",
    re.MULTILINE | re.DOTALL,
)
TYPES = {"double", "int", "float"}
# Of the template: what a function calls that would call itself twice, and what compiles it.
DEEPER, DECORATOR = "_deeper", "@_njit"
ASSIGNED = {"=", "+=", "-=", "*=", "/="}


@dataclass(frozen=True)
class Translated:
    """A helper in Python.

    Attributes
    ----------
    name : str
        What it is called in C.
    lines : tuple of str
        Its code, from ``def`` on.
    calls : tuple of str
        The functions of ours that it calls, by their names in C.
    remark : tuple of str
        Lines of the comment above it.
    reason : str
        Why it is not there; else empty.
    """

    name: str
    lines: tuple[str, ...]
    calls: tuple[str, ...]
    remark: tuple[str, ...] = ()
    reason: str = ""


@cache
def translated() -> dict[str, Translated]:
    """Return all C functions of our helpers, by their names in C."""
    text = "\n".join(environment().get_template(source).render() for source in support.c_sources())
    return {match["name"]: _function(match) for match in FUNCTION.finditer(text)}


def _function(match: re.Match[str]) -> Translated:
    written = match["name"]
    once = f"{python_name(written)}_once"
    try:
        body, calls = _body(match, once)
        # Numba stops at a function that calls itself; ours do so once at most.
        inner = (*_body(match, DEEPER)[0], "", "", DECORATOR) if written in calls else ()
    except Unsupported as reason:
        return Translated(written, (), (), reason=str(reason))
    inner = tuple(line.replace(f"def {python_name(written)}(", f"def {once}(") for line in inner)
    remark = textwrap.wrap(" ".join((match["remark"] or "").split()), WIDTH - 2)
    return Translated(
        written,
        (*inner, *body),
        tuple(name for name in calls if name != written),
        tuple(f"# {line}" for line in remark),
    )


def _body(match: re.Match[str], again: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines of a function, and what it calls."""
    parameters = [part.split() for part in match["parameters"].split(",")]
    if any(len(part) != 2 or part[0] not in TYPES or "*" in part[1] for part in parameters):
        raise Unsupported("C has parameters that are not numbers")
    reader = Statements(tokens(match["body"]), own=match["name"], again=again)
    reader.whole |= {word for kind, word in parameters if kind == "int"}
    body = tuple(reader.block_of_function())
    listed = ", ".join(name(word) for _, word in parameters)
    return (f"def {python_name(match['name'])}({listed}):", *body), tuple(reader.calls)


class Statements(Reader):
    """Reads the statements of a function."""

    def block_of_function(self) -> Iterator[str]:
        """Yield the lines of a body."""
        while self.peek():
            yield from self.statement(4, "")

    def statement(self, indent: int, step: str) -> Iterator[str]:
        """Yield the lines of one statement.

        Parameters
        ----------
        indent : int
            Of the lines.
        step : str
            What the loop around it does at its end; ``continue`` does it too.
        """
        pad = " " * indent
        word = self.peek()
        if word in {"static", "const"} | TYPES:
            yield from self._declaration(indent)
        elif self.is_next("if"):
            yield from self._choice("if", indent, step)
        elif self.is_next("for"):
            yield from self._loop(indent)
        elif self.is_next("while"):
            self.take("(")
            test, _ = self.expression()
            self.take(")")
            yield f"{pad}while {test}:"
            yield from self._body(indent, "")
        elif self.is_next("return"):
            value, _ = self.expression()
            self.take(";")
            yield from statement("return", value, indent)
        elif self.is_next("break"):
            self.take(";")
            yield f"{pad}break"
        elif self.is_next("continue"):
            self.take(";")
            yield from (f"{pad}{step}",) if step else ()
            yield f"{pad}continue"
        else:
            yield from self._assignment(indent)
            self.take(";")

    def _body(self, indent: int, step: str) -> Iterator[str]:
        if not self.is_next("{"):
            yield from self.statement(indent + 4, step)
            return
        while not self.is_next("}"):
            yield from self.statement(indent + 4, step)

    def _choice(self, head: str, indent: int, step: str) -> Iterator[str]:
        self.take("(")
        test, _ = self.expression()
        self.take(")")
        yield f"{' ' * indent}{head} {test}:"
        yield from self._body(indent, step)
        if self.is_next("else", "if"):
            yield from self._choice("elif", indent, step)
        elif self.is_next("else"):
            yield f"{' ' * indent}else:"
            yield from self._body(indent, step)

    def _declaration(self, indent: int) -> Iterator[str]:
        while self.peek() in {"static", "const"}:
            self.take()
        kind = self.take()
        if kind not in TYPES:
            raise Unsupported(f"C has the type {kind}")
        while not self.is_next(";"):
            if self.peek() == "*":
                raise Unsupported("C has an address")
            word = self.take()
            if kind == "int":
                self.whole.add(word)
            if self.is_next("["):
                yield from self._array(word, indent)
            elif self.is_next("="):
                yield from self._value(f"{name(word)} =", kind, indent)
            self.is_next(",")

    def _array(self, word: str, indent: int) -> Iterator[str]:
        pad, size = " " * indent, ""
        if not self.is_next("]"):
            size = str(self.expression()[0])
            self.take("]")
        given: list[str] = []
        if self.is_next("="):
            self.take("{")
            while not self.is_next("}"):
                given.append(str(self.expression()[0]))
                self.is_next(",")
        if not size:
            yield from statement(f"{word} =", f"({', '.join(given)})", indent)
            return
        yield f"{pad}{word} = np.zeros({size})"
        for place, value in enumerate(given):
            yield f"{pad}{word}[{place}] = {value}"

    def _value(self, head: str, kind: str, indent: int) -> Iterator[str]:
        """Yield ``head value``; a fraction and exponent are two results in Python."""
        if self.is_next("frexp", "("):
            value, _ = self.expression()
            self.take(",")
            self.take("&")
            exponent = name(self.take())
            self.take(")")
            fraction = head.removesuffix(" =") or "_"
            yield f"{' ' * indent}{fraction}, {exponent} = math.frexp({value})"
            return
        value, whole = self.expression()
        if kind == "double" and whole:
            value = Code(f"{value}.0") if value.isdigit() else Code(f"float({value})")
        yield from statement(head, value, indent)

    def _assignment(self, indent: int) -> Iterator[str]:
        """Yield what an assignment, a count, or a call of frexp does."""
        if self.peek() == "frexp":
            yield from self._value("", "double", indent)
            return
        for sign in ("++", "--"):
            if self.is_next(sign):
                yield f"{' ' * indent}{name(self.take())} {sign[0]}= 1"
                return
        word = self.take()
        place = name(word)
        if self.is_next("["):
            place = f"{place}[{self.expression()[0]}]"
            self.take("]")
        sign = self.take()
        if sign in {"++", "--"}:
            yield f"{' ' * indent}{place} {sign[0]}= 1"
        elif sign in ASSIGNED:
            kind = "int" if word in self.whole else "double"
            yield from self._value(f"{place} {sign}", kind if sign == "=" else "", indent)
        else:
            raise Unsupported(f"C has {word} {sign}")

    def _loop(self, indent: int) -> Iterator[str]:
        pad = " " * indent
        self.take("(")
        counted = self._range()
        if counted:
            counter, body = counted.split()[1], list(self._body(indent, ""))
            if not any(re.search(rf"\b{counter}\b", line) for line in body):
                counted = counted.replace(f"for {counter} ", "for _ ", 1)
            yield f"{pad}{counted}"
            yield from body
            return
        while not self.is_next(";"):
            yield from self._assignment(indent)
            self.is_next(",")
        test = "True" if self.peek() == ";" else str(self.expression()[0])
        self.take(";")
        steps: list[str] = []
        while not self.is_next(")"):
            steps += (line.strip() for line in self._assignment(0))
            self.is_next(",")
        yield f"{pad}while {test}:"
        yield from self._body(indent, "; ".join(steps))
        yield from (f"{pad}    {line}" for line in steps)

    def _range(self) -> str:
        """Return ``for k in range(...):`` if the loop only counts, and take its head."""
        start = self.at
        try:
            return self._counted()
        except Unsupported:
            self.at = start
            return ""

    def _counted(self) -> str:
        counter = self.take()
        self.take("=")
        first, whole = self.expression()
        self.take(";")
        self.take(counter)
        sign = self.take()
        end, other = self.expression()
        self.take(";")
        self.take(counter)
        step = self.take()
        by = Code("1")
        if step in {"+=", "-="}:
            by, _ = self.expression()
        self.take(")")
        down = step in {"--", "-="}
        signs = {">": 0, ">=": -1} if down else {"<": 0, "<=": 1}
        if counter not in self.whole or not (whole and other) or sign not in signs:
            raise Unsupported("more than counting")
        if self._is_read_later(counter):
            raise Unsupported("the counter is read after the loop")
        stop = end.inside(Binding.SUM) if signs[sign] else str(end)
        stop += {0: "", 1: " + 1", -1: " - 1"}[signs[sign]]
        stop = {"0 - 1": "-1"}.get(stop, stop)
        parts = [str(first), stop]
        if down or by != "1":
            parts.append(f"-{by.inside(Binding.SIGN)}" if down else str(by))
        elif first == "0":
            parts = [stop]
        return f"for {name(counter)} in range({', '.join(parts)}):"

    def _is_read_later(self, counter: str) -> bool:
        """Return whether the value that a counter has after its loop is used."""
        place, depth = self.at, 0
        # To the end of the loop's body.
        while place < len(self.words):
            word = self.words[place]
            depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(word, 0)
            place += 1
            if depth == 0 and word in {";", "}"}:
                break
        later = self.words[place:]
        if counter not in later:
            return False
        return later[later.index(counter) + 1 : later.index(counter) + 2] != ["="]
