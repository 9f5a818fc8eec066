"""Tracked values in words: what `repr` gives, and what notebooks show."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from autodiff.box import Box, raw
from autodiff.graphs import call_text, kind_of
from autodiff.node import source_of
from autodiff.values import COMPLEX, FLOAT

_LONGEST = 100
"""Arrays of more entries are shown by their corners in notebooks."""


def text_of(box: Any) -> str:
    """Return ``Variable([1., 2.], grad=[2., 4.])``: value, derivative, and what made it.

    Examples
    --------
    >>> import autodiff as ad
    >>> x = ad.Variable([1.0, 2.0])
    >>> x
    Variable([1., 2.])
    >>> y = np.sum(x * x)
    >>> y
    Variable(5.0, from np.sum)
    >>> y.backward()
    >>> x
    Variable([1., 2.], grad=[2., 4.])
    """
    name = _kind(box)
    indent = len(name) + 1
    value = raw(box)
    parts = [_literal(box._value, indent)]
    if getattr(value, "dtype", FLOAT) not in (FLOAT, COMPLEX):
        parts.append(f"dtype={value.dtype}")
    if np.size(value) > np.get_printoptions()["threshold"]:
        parts.append(f"shape={np.shape(value)}")
    for word, given in _derivatives(box):
        parts.append(f"{word}={_literal(given, indent + len(word) + 1)}")
    made = origin(box)
    if made:
        parts.append(f"from {made}")
    line, separator = ", ".join(parts), ",\n" + " " * indent
    fits = "\n" not in line and indent + len(line) < np.get_printoptions()["linewidth"]
    return f"{name}({line if fits else separator.join(parts)})"


def page_of(box: Any) -> str:
    """Return a table in HTML: what it is and what made it, value, and derivative."""
    value = raw(box)
    made = origin(box)
    source = f", from <code>{html.escape(made)}</code>" if made else ""
    kind = html.escape(kind_of(box))
    rows = [("value", box._value), *_derivatives(box)]
    body = "".join(
        f'<tr><td style="vertical-align: top">{word}</td><td style="text-align: left">'
        f'<pre style="margin: 0">{_preformatted(given)}</pre></td></tr>'
        for word, given in rows
    )
    return (
        f"<div><b>{_kind(box)}</b>, {kind}{_extent(value)}{source}"
        f"<table><tbody>{body}</tbody></table></div>"
    )


def origin(box: Any) -> str:
    """Return the call that made a variable; "" of one that the user made, or without history."""
    source = source_of(box) if getattr(box, "node", None) is not None else None
    return call_text(source) if source is not None and source.inputs else ""


def _kind(box: Any) -> str:
    """Return the class users know: that of a watched variable is Variable."""
    kinds = (kind.__name__ for kind in type(box).__mro__)
    return next((name for name in kinds if name in ("Variable", "Dual")), type(box).__name__)


def _derivatives(box: Any) -> list[tuple[str, Any]]:
    """Return the gradient of a variable or the tangent of a dual, if there is one."""
    return [
        (word, getattr(box, word))
        for word in ("grad", "tangent")
        if getattr(box, word, None) is not None
    ]


def _literal(value: Any, indent: int) -> str:
    """Return a value as it is written in code; of an inner box its own text."""
    if isinstance(value, Box):
        return repr(value)
    if isinstance(value, np.ndarray) and value.ndim:
        return np.array2string(value, separator=", ", prefix=" " * indent)
    return repr(value.item() if isinstance(value, (np.ndarray, np.generic)) else value)


def _preformatted(value: Any) -> str:
    value = raw(value)
    if isinstance(value, np.ndarray) and value.ndim:
        text = np.array2string(value, separator=", ", threshold=_LONGEST, edgeitems=3)
    else:
        text = _literal(value, 0)
    return html.escape(text)


def _extent(value: Any) -> str:
    """Return where the entries of a large real array lie, and how many are no numbers."""
    if np.size(value) <= _LONGEST or value.dtype.kind != "f":
        return ""
    finite = value[np.isfinite(value)]
    lost = value.size - finite.size
    inside = f", entries {finite.min():.6g} to {finite.max():.6g}" if finite.size else ""
    return f"{inside}{f', {lost:,} infinite or NaN' if lost else ''}"
