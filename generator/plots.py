"""Plots of functions and their partials, for the reference pages.

A plot carries a hash of what it was drawn from, so that an old one is found without drawing: the
bytes of a picture depend on the versions of matplotlib and of fonts.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import math
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import sympy

from diffrules.entry import Rule
from generator.errors import GeneratorError
from generator.examples import example
from generator.methods import gradient_name, has_gradient, is_zero
from generator.tables import OURS

POINTS = 121
REACH = 4.0
STROKES = ("-", "--", ":", "-.")
# Part of the hash: raise it when the drawing changes.
STYLE = 1
MARK = "inputs sha256:"


def is_drawn(rule: Rule) -> bool:
    """Return whether an entry has a plot: a public one with an argument that is not whole."""
    return rule.is_public and _main(rule) is not None


def _main(rule: Rule) -> sympy.Symbol | None:
    """Return the argument along which an entry is drawn: x, or the last with a derivative."""
    free = [arg for arg in rule.args if not rule.domain.is_whole(arg)]
    followed = [arg for arg in free if has_gradient(rule, arg)]
    called_x = [arg for arg in followed if str(arg) == "x"]
    return next(iter((*called_x, *reversed(followed), *free)), None)


def fingerprint(rule: Rule) -> str:
    """Return the hash of what a plot is drawn from: formulas, domain, and this style."""
    parts = [STYLE, rule.name, rule.args, rule.domain, rule.meaning()]
    parts += [rule.partials[arg] for arg in rule.args]
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


def outdated(rules: Iterable[Rule], folder: Path) -> list[Rule]:
    """Return the entries whose plot is missing from `folder`, or drawn from something else."""
    return [
        rule
        for rule in rules
        if is_drawn(rule) and f"{MARK} {fingerprint(rule)}" not in _text(folder, rule)
    ]


def superfluous(rules: Iterable[Rule], folder: Path) -> list[Path]:
    """Return the plots in `folder` that belong to no entry."""
    names = {rule.name for rule in rules if is_drawn(rule)}
    return [path for path in sorted(folder.glob("*.svg")) if path.stem not in names]


def _text(folder: Path, rule: Rule) -> str:
    path = folder / f"{rule.name}.svg"
    return path.read_text("utf-8") if path.exists() else ""


def draw(rules: Iterable[Rule], folder: Path, progress: Callable[[str], None]) -> None:
    """Draw the plots of `rules` into `folder`.

    Raises
    ------
    GeneratorError
        If matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise GeneratorError(
            "plots are drawn by matplotlib, which is not installed: pip install 'diffrules[docs]'"
        ) from None
    folder.mkdir(parents=True, exist_ok=True)
    for rule in rules:
        with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "", "font.size": 9}):
            figure = Figure(figsize=(5, 2.8), layout="constrained")
            _draw(rule, figure.add_subplot())
            stream = io.StringIO()
            mark = f"{MARK} {fingerprint(rule)}"
            figure.savefig(stream, format="svg", metadata={"Date": None, "Description": mark})
        # Hundredths of a pixel are enough, and half the size.
        text = re.sub(r"(\.\d\d)\d+", r"\1", stream.getvalue())
        (folder / f"{rule.name}.svg").write_text(text, "utf-8", newline="\n")
        progress(rule.name)


def _draw(rule: Rule, axes: Any) -> None:
    import numpy as np

    main = _main(rule)
    assert main is not None  # only such entries are drawn
    given = dict(zip(rule.args, example(rule).point, strict=True))
    low, high = _window(rule, main)
    margin = (high - low) * 1e-6
    given[main] = np.linspace(low + margin, high - margin, POINTS)
    module = import_module(f"{OURS}.broadcasted.{rule.family}")
    with np.errstate(all="ignore"):
        out = getattr(module, rule.name)(*given.values())
        curves = {_call(rule): out}
        for arg in rule.args:
            if has_gradient(rule, arg) and not is_zero(rule, arg):
                method = getattr(module, gradient_name(rule, arg))
                curves[f"partial in {arg}"] = method(1.0, out, *given.values())
    shown = []
    for (label, curve), style in zip(curves.items(), itertools.cycle(STROKES), strict=False):
        values = np.broadcast_to(np.real(curve), given[main].shape).astype(float)
        axes.plot(given[main], _broken(values), style, label=label)
        shown.append(values[np.isfinite(values)])
    axes.set_ylim(*_limits(np.concatenate(shown)))
    fixed = ", ".join(f"{arg} = {given[arg]:g}" for arg in rule.args if arg != main)
    axes.set_xlabel(f"{main}" + (f"   ({fixed})" if fixed else ""))
    axes.grid(True, linewidth=0.3)
    axes.legend(fontsize=8)


def _call(rule: Rule) -> str:
    return f"{rule.name}({', '.join(map(str, rule.args))})"


def _window(rule: Rule, arg: sympy.Symbol) -> tuple[float, float]:
    """Return the part of the domain that is shown: near 0 where the domain is long."""
    intervals = [box[arg] for box in rule.domain.boxes]
    low = min(float(interval.low) for interval in intervals)
    high = max(float(interval.high) for interval in intervals)
    if math.isinf(low):
        low = -REACH if math.isinf(high) or high > -REACH else high - REACH
    if math.isinf(high) or high - low > 2 * REACH:
        high = max(REACH, low + REACH)
    return low, high


def _broken(values: Any) -> Any:
    """Return `values` with a gap where they jump across a pole."""
    import numpy as np

    jump = np.abs(np.diff(values, prepend=values[0])) > 50.0
    return np.where(jump & (np.sign(values) != np.sign(np.roll(values, 1))), np.nan, values)


def _limits(values: Any) -> tuple[float, float]:
    """Return limits that show most of the values, poles cut off."""
    import numpy as np

    low, high = np.percentile(values, [4, 96]) if values.size else (-1.0, 1.0)
    pad = 0.35 * (high - low) or 0.5
    return max(low - pad, values.min() - 0.1 * pad), min(high + pad, values.max() + 0.1 * pad)
